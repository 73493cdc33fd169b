//! Forward dynamics by the articulated-body algorithm, O(n): no mass matrix is formed.
//!
//! Inward, each body's articulated inertia Iᴬ and bias force pᴬ: what it takes to accelerate it with everything outboard
//! hanging loose on its joints. Outward, accelerations. In body frames; the 6×6 inertia is kept as the blocks
//! [M, H; Hᵀ, I] of its linear and angular parts.
//!
//! # Reference
//! Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §7.3. Armature adds to the joint-space inertia D.
//! Not for coupled joints, which tie bodies together across the tree: those go by the mass matrix.

use super::position::Positions;
use crate::dynamics::drive;
use crate::model::Model;
use crate::model::compiled::{Compiled, Mechanism};
use crate::spatial::{Twist, Vector, Wrench};
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// A symmetric 6×6 matrix as the full rows of its blocks [M, H; Hᵀ, I], linear part first.
#[derive(Clone, Copy, Debug)]
struct Articulated<S> {
    m: [Vector<S>; 3],
    h: [Vector<S>; 3],
    i: [Vector<S>; 3],
}

/// Scratch of the algorithm, per body; the joint's own data for up to six columns.
#[derive(Clone, Debug)]
pub(crate) struct ArticulatedBodies<S> {
    inertia: Vec<Articulated<S>>,
    bias: Vec<Wrench<S>>,
    twist: Vec<Twist<S>>,
    /// Velocity-product acceleration ω × v of the joint.
    product: Vec<Twist<S>>,
    acceleration: Vec<Twist<S>>,
    /// U = Iᴬ S, per column.
    force: Vec<Wrench<S>>,
    /// The factor of D = SᵀU per body, and u = τ − Sᵀpᴬ per column.
    joint_inertia: Vec<[[S; 6]; 6]>,
    drive: Vec<S>,
    torque: Vec<S>,
    armature: Vec<S>,
}

impl<S: Scalar> ArticulatedBodies<S> {
    pub fn new(compiled: &Compiled<S::Constant>) -> Self {
        let (bodies, columns) = (compiled.bodies.len(), compiled.columns);
        let zero = [Vector::zero(); 3];
        Self {
            inertia: vec![Articulated { m: zero, h: zero, i: zero }; bodies],
            bias: vec![Wrench::zero(); bodies],
            twist: vec![Twist::zero(); bodies],
            product: vec![Twist::zero(); bodies],
            acceleration: vec![Twist::zero(); bodies],
            force: vec![Wrench::zero(); columns],
            joint_inertia: vec![[[S::zero(); 6]; 6]; bodies],
            drive: vec![S::zero(); columns],
            torque: vec![S::zero(); columns],
            armature: vec![S::zero(); columns],
        }
    }
}

/// The constant column `local` of a mechanism in the body frame.
#[inline(always)]
fn column<S: Scalar>(mechanism: &Mechanism<S::Constant>, local: usize) -> Twist<S> {
    match *mechanism {
        Mechanism::Revolute => Twist::unit(5),
        Mechanism::Prismatic => Twist::unit(2),
        Mechanism::Helical { pitch } => {
            let mut s = Twist::unit(5);
            s.linear[2] = S::constant(pitch);
            s
        }
        Mechanism::Spherical => Twist::unit(3 + local),
        Mechanism::Free => Twist::unit(local),
    }
}

impl<S: Scalar> Articulated<S> {
    /// A rigid body, physical or regrouped: both hang alike on their joints.
    #[inline(always)]
    fn rigid(mass: S::Constant, h: &Vector<S::Constant>, pseudo: &crate::spatial::Symmetric<S::Constant>) -> Self {
        let zero = S::zero();
        let m = S::constant(mass);
        let [x, y, z] = h.lift().0;
        let j = pseudo;
        let c = S::constant;
        Self {
            m: [Vector([m, zero, zero]), Vector([zero, m, zero]), Vector([zero, zero, m])],
            // −ĥ: force per angular acceleration.
            h: [Vector([zero, z, -y]), Vector([-z, zero, x]), Vector([y, -x, zero])],
            i: [
                Vector([c(j.yy + j.zz), c(-j.xy), c(-j.xz)]),
                Vector([c(-j.xy), c(j.xx + j.zz), c(-j.yz)]),
                Vector([c(-j.xz), c(-j.yz), c(j.xx + j.yy)]),
            ],
        }
    }

    #[inline(always)]
    fn apply(&self, a: &Twist<S>) -> Wrench<S> {
        let (l, w) = (a.linear, a.angular);
        let h = &self.h;
        Wrench {
            force: Vector(std::array::from_fn(|k| self.m[k].dot(l) + h[k].dot(w))),
            moment: Vector(std::array::from_fn(|k| {
                h[0][k].mul_add(l[0], h[1][k].mul_add(l[1], h[2][k] * l[2])) + self.i[k].dot(w)
            })),
        }
    }

    /// I − U D⁻¹ Uᵀ for one column, u scaled by 1/D.
    #[inline(always)]
    fn subtract(&mut self, u: &Wrench<S>, scaled: &Wrench<S>) {
        for r in 0..3 {
            for c in 0..3 {
                self.m[r][c] = (-u.force[r]).mul_add(scaled.force[c], self.m[r][c]);
                self.h[r][c] = (-u.force[r]).mul_add(scaled.moment[c], self.h[r][c]);
                self.i[r][c] = (-u.moment[r]).mul_add(scaled.moment[c], self.i[r][c]);
            }
        }
    }

    /// The same inertia in the parent's frame, added to the parent's.
    #[inline(always)]
    fn add_transformed(
        &self,
        x: &Positions<S>,
        b: usize,
        compiled: &Compiled<S::Constant>,
        p: Vector<S>,
        to: &mut Self,
    ) {
        let body = &compiled.bodies[b];
        // R A Rᵀ: rotate the columns, then the rows.
        let rotated = |a: &[Vector<S>; 3]| -> [Vector<S>; 3] {
            let half = x.outward::<false, 3>(b, body, transpose(a));
            x.outward::<false, 3>(b, body, transpose(&half))
        };
        let (m, h, i) = (rotated(&self.m), rotated(&self.h), rotated(&self.i));
        // With X = p̂: H' = H − M p̂, I' = I + p̂ H' − Hᵀ p̂ … in rows: (A p̂) row = row × p.
        let shifted: [Vector<S>; 3] = std::array::from_fn(|k| h[k] + p.cross(m[k]));
        let columns = transpose(&shifted);
        let turned = transpose(&columns.map(|c| p.cross(c)));
        let ht = transpose(&h);
        for k in 0..3 {
            to.m[k] += m[k];
            to.h[k] += shifted[k];
            to.i[k] += i[k] + turned[k] + p.cross(ht[k]);
        }
    }
}

#[inline(always)]
fn transpose<S: Scalar>(a: &[Vector<S>; 3]) -> [Vector<S>; 3] {
    std::array::from_fn(|i| Vector([a[0][i], a[1][i], a[2][i]]))
}

/// q̈ for given torques by the articulated-body algorithm, `nv` numbers; as
/// [`forward_dynamics_into`](super::forward_dynamics_into), which it hands over to for models with coupled joints.
pub fn articulated_body_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let compiled = model.compiled();
    if compiled.coupling.is_some() {
        super::forward_dynamics_into(model, q, w, tau, wrenches, workspace, out);
        return;
    }
    let Workspace { positions, articulated, .. } = workspace;
    positions.set(compiled, q);
    articulated.torque.iter_mut().for_each(|x| *x = S::zero());
    if compiled.has_motors {
        drive::add_friction(model, w, &mut articulated.torque);
        articulated.armature.fill(S::zero());
        for (dof, armature) in drive::armatures(model) {
            articulated.armature[dof] = S::constant(armature);
        }
    }
    for (torque, &tau) in articulated.torque.iter_mut().zip(tau) {
        *torque = tau - *torque;
    }
    articulated.start(compiled, positions, w, wrenches);
    articulated.inward(compiled, positions);
    articulated.outward(compiled, positions, out);
}

impl<S: Scalar> ArticulatedBodies<S> {
    fn start(&mut self, compiled: &Compiled<S::Constant>, x: &Positions<S>, w: &[S], wrenches: &[LinkWrench<S>]) {
        for (b, body) in compiled.bodies.iter().enumerate() {
            let mut joint = Twist::zero();
            for (local, i) in body.columns().enumerate() {
                joint += column::<S>(&body.mechanism, local).times(w[i]);
            }
            let twist = match body.parent {
                Some(parent) => inward_twist(x, b, compiled, self.twist[parent]) + joint,
                None => joint,
            };
            self.product[b] = twist.cross(joint);
            self.twist[b] = twist;
            let inertia = Articulated::rigid(body.regrouped_mass, &body.regrouped_moment, &body.regrouped_pseudo);
            self.bias[b] = twist.cross_dual(inertia.apply(&twist));
            self.inertia[b] = inertia;
        }
        for load in wrenches {
            let carrier = &compiled.carriers[load.link];
            if let Some(b) = carrier.body {
                self.bias[b] -= carrier.pose.lift().coadjoint(load.wrench);
            }
        }
    }

    fn inward(&mut self, compiled: &Compiled<S::Constant>, x: &Positions<S>) {
        for (b, body) in compiled.bodies.iter().enumerate().rev() {
            let first = body.column;
            let n = body.mechanism.nv();
            for local in 0..n {
                let s = column::<S>(&body.mechanism, local);
                self.force[first + local] = self.inertia[b].apply(&s);
                self.drive[first + local] = self.torque[first + local] - s.dot(self.bias[b]);
            }
            let joint = &mut self.joint_inertia[b];
            for r in 0..n {
                for c in 0..n {
                    joint[r][c] = column::<S>(&body.mechanism, r).dot(self.force[first + c]);
                }
            }
            for local in 0..n {
                joint[local][local] += self.armature[first + local];
            }
            invert(joint, n);
            let Some(parent) = body.parent else { continue };
            let mut inertia = self.inertia[b];
            let mut bias = self.bias[b];
            for r in 0..n {
                let mut scaled = Wrench::zero();
                for c in 0..n {
                    scaled += self.force[first + c].times(self.joint_inertia[b][r][c]);
                }
                inertia.subtract(&self.force[first + r], &scaled);
                bias += scaled.times(self.drive[first + r]);
            }
            bias += inertia.apply(&self.product[b]);
            let origin = x.moving_origin(b, body).unwrap_or_else(|| body.shift.lift());
            let [force, moment] = x.outward::<false, 2>(b, body, [bias.force, bias.moment]);
            self.bias[parent] += Wrench { force, moment: moment + origin.cross(force) };
            inertia.add_transformed(x, b, compiled, origin, &mut self.inertia[parent]);
        }
    }

    fn outward(&mut self, compiled: &Compiled<S::Constant>, x: &Positions<S>, out: &mut [S]) {
        let ground = Twist { linear: (-compiled.gravity).lift(), ..Twist::zero() };
        for (b, body) in compiled.bodies.iter().enumerate() {
            let parent = body.parent.map_or(ground, |parent| self.acceleration[parent]);
            let mut acceleration = inward_twist(x, b, compiled, parent) + self.product[b];
            let (first, n) = (body.column, body.mechanism.nv());
            let mut missing = [S::zero(); 6];
            for local in 0..n {
                missing[local] = self.drive[first + local] - acceleration.dot(self.force[first + local]);
            }
            for r in 0..n {
                let row = &self.joint_inertia[b][r];
                out[first + r] = (0..n).fold(S::zero(), |sum, c| row[c].mul_add(missing[c], sum));
            }
            for local in 0..n {
                acceleration += column::<S>(&body.mechanism, local).times(out[first + local]);
            }
            self.acceleration[b] = acceleration;
        }
    }
}

/// A twist of the parent in the body's frame at its origin.
#[inline(always)]
fn inward_twist<S: Scalar>(x: &Positions<S>, b: usize, compiled: &Compiled<S::Constant>, v: Twist<S>) -> Twist<S> {
    let body = &compiled.bodies[b];
    let origin = x.moving_origin(b, body).unwrap_or_else(|| body.shift.lift());
    let [linear, angular] = x.inward::<false, 2>(b, body, [v.linear - origin.cross(v.angular), v.angular]);
    Twist { linear, angular }
}

/// Inverts the leading n×n block of a symmetric positive definite matrix in place (Gauss–Jordan without pivoting).
#[inline(always)]
fn invert<S: Scalar>(a: &mut [[S; 6]; 6], n: usize) {
    for k in 0..n {
        let pivot = S::one() / a[k][k];
        a[k][k] = S::one();
        for c in 0..n {
            a[k][c] = a[k][c] * pivot;
        }
        for r in (0..n).filter(|&r| r != k) {
            let factor = -a[r][k];
            a[r][k] = S::zero();
            for c in 0..n {
                a[r][c] = factor.mul_add(a[k][c], a[r][c]);
            }
        }
    }
}
