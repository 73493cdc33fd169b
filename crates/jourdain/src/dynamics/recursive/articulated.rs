//! Forward dynamics by the articulated-body algorithm, O(n): no mass matrix is formed.
//!
//! Inward, each body's articulated inertia Iᴬ and bias force pᴬ: what it takes to accelerate it with everything outboard
//! hanging loose on its joints. Outward, accelerations. In body frames; the 6×6 inertia is kept as the blocks
//! [M, H; Hᵀ, I] of its linear and angular parts.
//!
//! # Reference
//! Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §7.3. Armature adds to the joint-space inertia D.
//! Not for coupled joints, which tie bodies together across the tree: those go by the mass matrix.
//!
//! Trap: on the physical inertias, not the regrouped ones. Those hang alike on their joints, but are differences of what is
//! carried and what was moved inwards, which cancel the more the longer the chain.

use super::composite_bodies::outward_symmetric;
use super::position::Positions;
use super::regular::first_small;
use crate::dynamics::drive;
use crate::model::Model;
use crate::model::body_tree::{Body, BodyTree, Mechanism};
use crate::spatial::{Inertia, Symmetric, Twist, Vector, Wrench};
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// A symmetric 6×6 matrix in the blocks [M, H; Hᵀ, I], linear part first; H by rows.
#[derive(Clone, Copy, Debug)]
struct Articulated<S> {
    m: Symmetric<S>,
    h: [Vector<S>; 3],
    i: Symmetric<S>,
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
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let (bodies, columns) = (tree.bodies.len(), tree.columns);
        let zero = [Vector::zero(); 3];
        Self {
            inertia: vec![Articulated { m: Symmetric::zero(), h: zero, i: Symmetric::zero() }; bodies],
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
    /// A rigid body.
    #[inline(always)]
    fn rigid(inertia: &Inertia<S>) -> Self {
        let (m, zero, [x, y, z]) = (inertia.mass, S::zero(), inertia.first_moment.0);
        Self {
            m: Symmetric { xx: m, xy: zero, xz: zero, yy: m, yz: zero, zz: m },
            // −ĥ: force per angular acceleration.
            h: [Vector([zero, z, -y]), Vector([-z, zero, x]), Vector([y, -x, zero])],
            i: inertia.rotational,
        }
    }

    #[inline(always)]
    fn apply(&self, a: &Twist<S>) -> Wrench<S> {
        let (l, w, h) = (a.linear, a.angular, &self.h);
        Wrench {
            force: self.m.apply(l) + Vector(std::array::from_fn(|k| h[k].dot(w))),
            moment: self.i.apply(w)
                + Vector(std::array::from_fn(|k| h[0][k].mul_add(l[0], h[1][k].mul_add(l[1], h[2][k] * l[2])))),
        }
    }

    /// I − U D⁻¹ Uᵀ for one column, `scaled` being U D⁻¹.
    #[inline(always)]
    fn subtract(&mut self, u: &Wrench<S>, scaled: &Wrench<S>) {
        let less = |a: Vector<S>, b: Vector<S>, from: Symmetric<S>| Symmetric {
            xx: (-a[0]).mul_add(b[0], from.xx),
            xy: (-a[0]).mul_add(b[1], from.xy),
            xz: (-a[0]).mul_add(b[2], from.xz),
            yy: (-a[1]).mul_add(b[1], from.yy),
            yz: (-a[1]).mul_add(b[2], from.yz),
            zz: (-a[2]).mul_add(b[2], from.zz),
        };
        self.m = less(u.force, scaled.force, self.m);
        self.i = less(u.moment, scaled.moment, self.i);
        for r in 0..3 {
            for c in 0..3 {
                self.h[r][c] = (-u.force[r]).mul_add(scaled.moment[c], self.h[r][c]);
            }
        }
    }

    /// The same inertia in the frame of body `b`'s parent, its origin at `p` there, added to the parent's.
    #[inline(always)]
    fn add_transformed(&self, x: &Positions<S>, b: usize, body: &Body<S::Constant>, p: Vector<S>, to: &mut Self) {
        let m = outward_symmetric::<S, false>(x, b, body, self.m);
        let i = outward_symmetric::<S, false>(x, b, body, self.i);
        // R H Rᵀ: rotate the columns, then the rows.
        let half = x.outward::<false, 3>(b, body, transpose(&self.h));
        let h = x.outward::<false, 3>(b, body, transpose(&half));
        // H' = H − M p̂ and I' = I + p̂ H' − Hᵀ p̂.
        let rows = m.to_matrix();
        let shifted: [Vector<S>; 3] = std::array::from_fn(|k| h[k] + p.cross(Vector(rows[k])));
        let element = |r: usize, c: usize| {
            let ([r1, r2], [c1, c2]) = ([(r + 1) % 3, (r + 2) % 3], [(c + 1) % 3, (c + 2) % 3]);
            let turned = p[r1].mul_add(shifted[r2][c], -(p[r2] * shifted[r1][c]));
            turned + p[c1].mul_add(h[c2][r], -(p[c2] * h[c1][r]))
        };
        let lever = Symmetric::from_fn(element);
        to.m = to.m + m;
        to.i = to.i + i + lever;
        for k in 0..3 {
            to.h[k] += shifted[k];
        }
    }
}

#[inline(always)]
fn transpose<S: Scalar>(a: &[Vector<S>; 3]) -> [Vector<S>; 3] {
    std::array::from_fn(|i| Vector([a[0][i], a[1][i], a[2][i]]))
}

/// q̈ for given torques by the articulated-body algorithm, `nv` numbers; as
/// [`forward_dynamics_into`](super::forward_dynamics_into). Models with coupled joints or motors go by the factor of M.
pub fn articulated_body_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    tau: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    if tree.coupling.is_some() || model.shafts().next().is_some() {
        super::forward_dynamics_by_factor_into(model, q, w, tau, wrenches, workspace, out);
        return;
    }
    let Workspace { positions, articulated, .. } = workspace;
    positions.set(tree, q);
    articulated.torque.iter_mut().for_each(|x| *x = S::zero());
    if tree.has_motors {
        drive::add_torques(model, q, w, &mut articulated.torque);
        articulated.armature.fill(S::zero());
        for (dof, _, armature) in drive::armatures(model) {
            articulated.armature[dof] = S::constant(armature);
        }
    }
    for (torque, &tau) in articulated.torque.iter_mut().zip(tau) {
        *torque = tau - *torque;
    }
    articulated.start(tree, positions, w, wrenches);
    articulated.inward(tree, positions);
    articulated.outward(tree, positions, out);
}

impl<S: Scalar> ArticulatedBodies<S> {
    fn start(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>, w: &[S], wrenches: &[LinkWrench<S>]) {
        for (b, body) in tree.bodies.iter().enumerate() {
            let mut twist = match body.parent {
                Some(parent) => inward_twist(x, b, tree, self.twist[parent]),
                None => Twist::zero(),
            };
            if matches!(body.mechanism, Mechanism::Revolute) {
                let w = w[body.column];
                twist.angular[2] += w;
                self.product[b] = about_z(&twist, w);
            } else {
                let mut joint = Twist::zero();
                for (local, i) in body.columns().enumerate() {
                    joint += column::<S>(&body.mechanism, local).times(w[i]);
                }
                twist += joint;
                self.product[b] = twist.cross(joint);
            }
            self.twist[b] = twist;
            let inertia = body.inertia.lift();
            self.bias[b] = twist.cross_dual(inertia.apply(twist));
            self.inertia[b] = Articulated::rigid(&inertia);
        }
        for load in wrenches {
            let carrier = &tree.carriers[load.link];
            if let Some(b) = carrier.body {
                self.bias[b] -= carrier.pose.lift().coadjoint(load.wrench);
            }
        }
    }

    fn inward(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>) {
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            let (mut inertia, mut bias) = (self.inertia[b], self.bias[b]);
            if matches!(body.mechanism, Mechanism::Revolute) {
                self.release_revolute(tree, b, &mut inertia, &mut bias);
            } else {
                self.release(tree, b, &mut inertia, &mut bias);
            }
            if let Some(parent) = body.parent {
                bias += inertia.apply(&self.product[b]);
                let origin = x.moving_origin(b, body).unwrap_or_else(|| body.shift.lift());
                let [force, moment] = x.outward::<false, 2>(b, body, [bias.force, bias.moment]);
                self.bias[parent] += Wrench { force, moment: moment + origin.cross(force) };
                inertia.add_transformed(x, b, body, origin, &mut self.inertia[parent]);
            }
        }
    }

    /// What the parent feels of a body through a rotation about z: U is a column of Iᴬ.
    #[inline(always)]
    fn release_revolute(
        &mut self,
        tree: &BodyTree<S::Constant>,
        b: usize,
        inertia: &mut Articulated<S>,
        bias: &mut Wrench<S>,
    ) {
        let c = tree.bodies[b].column;
        let (h, i) = (&inertia.h, &inertia.i);
        let u = Wrench { force: Vector([h[0][2], h[1][2], h[2][2]]), moment: Vector([i.xz, i.yz, i.zz]) };
        let inverse = tree.inverse_pivot(c, i.zz + self.armature[c]);
        let drive = self.torque[c] - bias.moment[2];
        let scaled = u.times(inverse);
        inertia.subtract(&u, &scaled);
        *bias += scaled.times(drive);
        (self.force[c], self.drive[c], self.joint_inertia[b][0][0]) = (u, drive, inverse);
    }

    /// What the parent feels of a body through any joint.
    fn release(&mut self, tree: &BodyTree<S::Constant>, b: usize, inertia: &mut Articulated<S>, bias: &mut Wrench<S>) {
        let body = &tree.bodies[b];
        let (first, n) = (body.column, body.mechanism.nv());
        for local in 0..n {
            let s = column::<S>(&body.mechanism, local);
            self.force[first + local] = inertia.apply(&s);
            self.drive[first + local] = self.torque[first + local] - s.dot(*bias);
        }
        let joint = &mut self.joint_inertia[b];
        for r in 0..n {
            for c in 0..n {
                joint[r][c] = column::<S>(&body.mechanism, r).dot(self.force[first + c]);
            }
            joint[r][r] += self.armature[first + r];
        }
        invert(joint, n, |k, pivot| tree.inverse_pivot(first + k, pivot));
        for r in 0..n {
            let mut scaled = Wrench::zero();
            for c in 0..n {
                scaled += self.force[first + c].times(self.joint_inertia[b][r][c]);
            }
            inertia.subtract(&self.force[first + r], &scaled);
            *bias += scaled.times(self.drive[first + r]);
        }
    }

    fn outward(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>, out: &mut [S]) {
        let ground = Twist { linear: (-tree.gravity).lift(), ..Twist::zero() };
        for (b, body) in tree.bodies.iter().enumerate() {
            let parent = body.parent.map_or(ground, |parent| self.acceleration[parent]);
            let mut acceleration = inward_twist(x, b, tree, parent) + self.product[b];
            let (first, n) = (body.column, body.mechanism.nv());
            if matches!(body.mechanism, Mechanism::Revolute) {
                let missing = self.drive[first] - acceleration.dot(self.force[first]);
                out[first] = missing * self.joint_inertia[b][0][0];
                acceleration.angular[2] += out[first];
            } else {
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
            }
            self.acceleration[b] = acceleration;
        }
    }
}

impl ArticulatedBodies<f64> {
    /// The first pivot from the tips inwards that the last pass took for rounding, and its column.
    pub fn loose(&self, tree: &BodyTree<f64>) -> Option<(usize, f64)> {
        tree.bodies.iter().enumerate().rev().find_map(|(b, body)| {
            let columns: Vec<Twist<f64>> =
                (0..body.mechanism.nv()).map(|local| column(&body.mechanism, local)).collect();
            let element = |i: usize, j: usize| {
                let armature = if i == j { self.armature[body.column + i] } else { 0.0 };
                columns[i].dot(self.inertia[b].apply(&columns[j])) + armature
            };
            let (local, pivot) = first_small(columns.len(), element, &tree.least[body.columns()])?;
            Some((body.column + local, pivot))
        })
    }
}

/// v × (e_z w) for a rotation about z.
#[inline(always)]
fn about_z<S: Scalar>(v: &Twist<S>, w: S) -> Twist<S> {
    let turned = |x: Vector<S>| Vector([x[1] * w, -(x[0] * w), S::zero()]);
    Twist { linear: turned(v.linear), angular: turned(v.angular) }
}

/// A twist of the parent in the body's frame at its origin.
#[inline(always)]
fn inward_twist<S: Scalar>(x: &Positions<S>, b: usize, tree: &BodyTree<S::Constant>, v: Twist<S>) -> Twist<S> {
    let body = &tree.bodies[b];
    let origin = x.moving_origin(b, body).unwrap_or_else(|| body.shift.lift());
    let [linear, angular] = x.inward::<false, 2>(b, body, [v.linear - origin.cross(v.angular), v.angular]);
    Twist { linear, angular }
}

/// Inverts the leading n×n block of a symmetric matrix in place (Gauss–Jordan without exchanges), the last column first: so
/// the pivots are those of [`factor`](super::factor).
#[inline(always)]
fn invert<S: Scalar>(a: &mut [[S; 6]; 6], n: usize, inverse: impl Fn(usize, S) -> S) {
    for k in (0..n).rev() {
        let pivot = inverse(k, a[k][k]);
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
