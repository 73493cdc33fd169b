//! Inverse dynamics by Newton–Euler recursion, τ = M q̈ + C q̇ + g − Σ Jᵀ·wrench + friction, in O(n).
//!
//! Outward: ω, ω̇ and the classical acceleration of each origin (gravity as an acceleration of the ground). Inward: forces
//! and moments. With U = ω̇̂ + ω̂² a point r of a body accelerates by a + U r, so that with the pseudo-inertia Ĵ = ∫ r rᵀ dm
//! force and moment are m a + U h and h × a + vee(UĴ − (UĴ)ᵀ); U also carries the acceleration to the children. No linear
//! velocity is needed. Runs on the regrouped inertias, where a rotating body has m = h_z = Ĵ_zz = 0.
//!
//! # Reference
//! G (6) contracted with q̈ and q̇; the form is Balafoutis' and Khalil–Kleinfinger's.

use super::coupling;
use super::position::{Positions, constant_cross};
use crate::dynamics::drive;
use crate::model::Model;
use crate::model::body_tree::{Body, BodyTree, Mechanism};
use crate::spatial::Vector;
use crate::state::LinkWrench;
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant, Scalar};

/// Scratch of the recursion.
#[derive(Clone, Debug)]
pub(crate) struct NewtonEuler<S> {
    bodies: Vec<BodyMotion<S>>,
    tau: Vec<S>,
}

/// Motion of one body and, on the way in, the load it hands to its parent.
#[derive(Clone, Copy, Debug)]
struct BodyMotion<S> {
    omega: Vector<S>,
    omega_dot: Vector<S>,
    acceleration: Vector<S>,
    u: [[S; 3]; 3],
    force: Vector<S>,
    moment: Vector<S>,
}

/// What the drive of a body feels of the force and the moment that act on it.
#[inline(always)]
pub(super) fn felt_into<S: Scalar, const ROTATIONS: bool>(
    body: &Body<S::Constant>,
    force: &Vector<S>,
    moment: &Vector<S>,
    tau: &mut [S],
) {
    let i = body.column;
    match body.mechanism_if::<ROTATIONS>() {
        Mechanism::Revolute => tau[i] = moment[2],
        Mechanism::Prismatic => tau[i] = force[2],
        Mechanism::Helical { pitch } => tau[i] = force[2].scale_add(pitch, moment[2]),
        Mechanism::Spherical => tau[i..i + 3].copy_from_slice(&moment.0),
        Mechanism::Free => {
            tau[i..i + 3].copy_from_slice(&force.0);
            tau[i + 3..i + 6].copy_from_slice(&moment.0);
        }
    }
}

impl<S: Scalar> NewtonEuler<S> {
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let zero = Vector::zero();
        let rest = BodyMotion {
            omega: zero,
            omega_dot: zero,
            acceleration: zero,
            u: [[S::zero(); 3]; 3],
            force: zero,
            moment: zero,
        };
        Self { bodies: vec![rest; tree.bodies.len()], tau: vec![S::zero(); tree.columns] }
    }

    /// Forces and moments of all bodies' own motion, given column velocities and accelerations.
    #[inline(always)]
    fn outward<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>, w: &[S], w_dot: &[S]) {
        let ground = -tree.gravity;
        for (b, body) in tree.bodies.iter().enumerate() {
            let (omega, omega_dot, pushed) = match body.parent {
                Some(parent) => {
                    let p = &self.bodies[parent];
                    let pushed = match if ROTATIONS { None } else { x.moving_origin(b, body) } {
                        None => p.acceleration + constant_apply(&p.u, &body.shift),
                        Some(origin) => p.acceleration + apply(&p.u, origin),
                    };
                    (p.omega, p.omega_dot, pushed)
                }
                None => (Vector::zero(), Vector::zero(), ground.lift()),
            };
            let [mut omega, mut omega_dot, mut a] = x.inward::<ROTATIONS, 3>(b, body, [omega, omega_dot, pushed]);
            let i = body.column;
            match body.mechanism_if::<ROTATIONS>() {
                Mechanism::Revolute => rotate(&mut omega, &mut omega_dot, w[i], w_dot[i]),
                Mechanism::Prismatic => travel(&mut a, omega, w[i], w_dot[i]),
                Mechanism::Helical { pitch } => {
                    travel(&mut a, omega, w[i].scale(pitch), w_dot[i].scale(pitch));
                    rotate(&mut omega, &mut omega_dot, w[i], w_dot[i]);
                }
                Mechanism::Spherical => {
                    let spin = Vector([w[i], w[i + 1], w[i + 2]]);
                    omega_dot += Vector([w_dot[i], w_dot[i + 1], w_dot[i + 2]]) + omega.cross(spin);
                    omega += spin;
                }
                Mechanism::Free => {
                    let velocity = Vector([w[i], w[i + 1], w[i + 2]]);
                    let spin = Vector([w[i + 3], w[i + 4], w[i + 5]]);
                    // ẇ + (2 ω' + ω_rel) × v: Coriolis of the parent's turning, and v's own turning with the body.
                    a += Vector([w_dot[i], w_dot[i + 1], w_dot[i + 2]]) + (omega + omega + spin).cross(velocity);
                    omega_dot += Vector([w_dot[i + 3], w_dot[i + 4], w_dot[i + 5]]) + omega.cross(spin);
                    omega += spin;
                }
            }
            let u = acceleration_matrix(omega, omega_dot);
            let (force, moment) = load::<S, ROTATIONS>(body, &u, a);
            self.bodies[b] = BodyMotion { omega, omega_dot, acceleration: a, u, force, moment };
        }
    }

    /// The torques that hold the bodies against gravity.
    #[inline(always)]
    pub fn gravity<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>, out: &mut [S]) {
        let ground = -tree.gravity;
        for (b, body) in tree.bodies.iter().enumerate() {
            let pushed = match body.parent {
                Some(parent) => self.bodies[parent].acceleration,
                None => ground.lift(),
            };
            let [a] = x.inward::<ROTATIONS, 1>(b, body, [pushed]);
            let motion = &mut self.bodies[b];
            motion.acceleration = a;
            motion.force = a.map(|a| a.scale(body.regrouped_mass));
            motion.moment = constant_cross(&body.regrouped_moment, a);
        }
        self.inward::<ROTATIONS>(tree, x, out);
    }

    /// Takes the wrenches applied to links off the loads of their bodies.
    fn apply_wrenches(&mut self, tree: &BodyTree<S::Constant>, wrenches: &[LinkWrench<S>]) {
        for load in wrenches {
            let carrier = &tree.carriers[load.link];
            if let Some(b) = carrier.body {
                let wrench = carrier.pose.lift().coadjoint(load.wrench);
                self.bodies[b].force -= wrench.force;
                self.bodies[b].moment -= wrench.moment;
            }
        }
    }

    /// Sums loads towards the root and reads the torques off.
    #[inline(always)]
    fn inward<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>, tau: &mut [S]) {
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            let BodyMotion { force, moment, .. } = self.bodies[b];
            felt_into::<S, ROTATIONS>(body, &force, &moment, tau);
            if let Some(parent) = body.parent {
                let [force, moment] = x.outward::<ROTATIONS, 2>(b, body, [force, moment]);
                let lever = match if ROTATIONS { None } else { x.moving_origin(b, body) } {
                    None => constant_cross(&body.shift, force),
                    Some(origin) => origin.cross(force),
                };
                let p = &mut self.bodies[parent];
                p.force += force;
                p.moment += moment + lever;
            }
        }
    }
}

#[inline(always)]
fn rotate<S: Scalar>(omega: &mut Vector<S>, omega_dot: &mut Vector<S>, w: S, w_dot: S) {
    // ω̇ += z ẇ + ω × z w
    omega_dot[0] = omega[1].mul_add(w, omega_dot[0]);
    omega_dot[1] -= omega[0] * w;
    omega_dot[2] += w_dot;
    omega[2] += w;
}

#[inline(always)]
pub(super) fn travel<S: Scalar>(a: &mut Vector<S>, omega: Vector<S>, w: S, w_dot: S) {
    // a += z ẇ + 2 ω × z w
    let twice = w + w;
    a[0] = omega[1].mul_add(twice, a[0]);
    a[1] -= omega[0] * twice;
    a[2] += w_dot;
}

/// U = ω̇̂ + ω̂².
#[inline(always)]
pub(super) fn acceleration_matrix<S: Scalar>(omega: Vector<S>, omega_dot: Vector<S>) -> [[S; 3]; 3] {
    let [x, y, z] = omega.0;
    acceleration_matrix_of([x * x, y * y, z * z], omega, omega_dot)
}

/// U, with the squares of ω given.
#[inline(always)]
pub(super) fn acceleration_matrix_of<S: Scalar>(
    [xx, yy, zz]: [S; 3],
    omega: Vector<S>,
    omega_dot: Vector<S>,
) -> [[S; 3]; 3] {
    let ([x, y, z], [dx, dy, dz]) = (omega.0, omega_dot.0);
    let (xx, yy, zz) = (-xx, -yy, -zz);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    [[yy + zz, xy - dz, xz + dy], [xy + dz, xx + zz, yz - dx], [xz - dy, yz + dx, xx + yy]]
}

#[inline(always)]
pub(super) fn apply<S: Scalar>(u: &[[S; 3]; 3], v: Vector<S>) -> Vector<S> {
    Vector(u.map(|row| Vector(row).dot(v)))
}

#[inline(always)]
pub(super) fn constant_apply<S: Scalar>(u: &[[S; 3]; 3], v: &Vector<S::Constant>) -> Vector<S> {
    Vector(u.map(|row| row[0].scale_add(v[0], row[1].scale_add(v[1], row[2].scale(v[2])))))
}

/// Force and moment about the origin that keep a body on its motion.
#[inline(always)]
pub(super) fn load<S: Scalar, const ROTATIONS: bool>(
    body: &Body<S::Constant>,
    u: &[[S; 3]; 3],
    a: Vector<S>,
) -> (Vector<S>, Vector<S>) {
    let (h, j) = (&body.regrouped_moment, &body.regrouped_pseudo);
    if ROTATIONS || matches!(body.mechanism, Mechanism::Revolute) && body.regrouped_mass.is_zero() {
        // h_z = Ĵ_zz = 0
        let force = Vector(u.map(|row| row[0].scale_add(h[0], row[1].scale(h[1]))));
        let moment = Vector([
            u[2][0].scale_add(j.xy, u[2][1].scale(j.yy))
                + (u[2][2] - u[1][1]).scale_add(j.yz, -u[1][0].scale(j.xz))
                + a[2].scale(h[1]),
            (u[0][0] - u[2][2]).scale_add(j.xz, u[0][1].scale(j.yz))
                - (u[2][0].scale_add(j.xx, u[2][1].scale(j.xy)) + a[2].scale(h[0])),
            u[1][0].scale_add(j.xx, (u[1][1] - u[0][0]).scale_add(j.xy, u[1][2].scale(j.xz)))
                - u[0][1].scale_add(j.yy, u[0][2].scale(j.yz))
                + a[1].scale_add(h[0], -a[0].scale(h[1])),
        ]);
        return (force, moment);
    }
    let mut force = constant_apply(u, h);
    if !body.regrouped_mass.is_zero() {
        force = Vector(std::array::from_fn(|i| a[i].scale_add(body.regrouped_mass, force[i])));
    }
    // The axial part of U Ĵ − (U Ĵ)ᵀ.
    let moment = Vector([
        u[2][0].scale_add(j.xy, u[2][1].scale(j.yy)) + (u[2][2] - u[1][1]).scale(j.yz)
            - u[1][0].scale_add(j.xz, u[1][2].scale(j.zz)),
        (u[0][0] - u[2][2]).scale_add(j.xz, u[0][1].scale(j.yz)) + u[0][2].scale(j.zz)
            - u[2][0].scale_add(j.xx, u[2][1].scale(j.xy)),
        u[1][0].scale_add(j.xx, (u[1][1] - u[0][0]).scale(j.xy)) + u[1][2].scale(j.xz)
            - u[0][1].scale_add(j.yy, u[0][2].scale(j.yz)),
    ]);
    (force, moment + constant_cross(h, a))
}

/// The torques for a motion: writes `nv` numbers.
///
/// `q` has `nq` numbers with unit quaternions, `w` and `w_dot` have `nv`; wrenches are applied to links, in link axes at
/// the link origin.
///
/// # Reference
/// G (6).
pub fn inverse_dynamics_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    links_into(model, q, w, w_dot, wrenches, workspace, out);
    if model.body_tree().has_motors {
        for (i, j, armature) in drive::armatures(model) {
            out[i] += w_dot[j].scale(armature);
        }
        drive::add_torques(model, q, w, out);
    }
}

/// The torques C q̇ + g of a motion without acceleration, load and friction, `nv` numbers.
///
/// # Reference
/// G (6b) q̇ + (6c).
pub fn bias_into<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], workspace: &mut Workspace<S>, out: &mut [S]) {
    let rest = std::mem::take(&mut workspace.rest);
    links_into(model, q, w, &rest[..model.nv()], &[], workspace, out);
    workspace.rest = rest;
}

/// The torques that joints pass on to the links, `nv` numbers: inverse dynamics without the drives' own.
///
/// # Reference
/// G (6).
pub fn link_torques_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    links_into(model, q, w, w_dot, wrenches, workspace, out);
}

/// The torques that move the links: without the drives' own.
#[inline(always)]
fn links_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, newton_euler, velocity, acceleration, .. } = workspace;
    positions.set(tree, q);
    let columns = coupling::spread(tree, w, velocity);
    let columns_dot = coupling::spread(tree, w_dot, acceleration);
    if tree.only_rotations {
        newton_euler.outward::<true>(tree, positions, columns, columns_dot);
    } else {
        newton_euler.outward::<false>(tree, positions, columns, columns_dot);
    }
    if !wrenches.is_empty() {
        newton_euler.apply_wrenches(tree, wrenches);
    }
    match &tree.coupling {
        None if tree.only_rotations => newton_euler.inward::<true>(tree, positions, out),
        None => newton_euler.inward::<false>(tree, positions, out),
        Some(coupling) => {
            let mut tau = std::mem::take(&mut newton_euler.tau);
            newton_euler.inward::<false>(tree, positions, &mut tau);
            coupling::gather_vector(coupling, &tau, out);
            newton_euler.tau = tau;
        }
    }
}

/// The torques −Σ Jᵀ·wrench that hold the wrenches applied to links, `nv` numbers.
///
/// # Reference
/// G (5), its last term; MK (27) with the opposite sign of the wrench.
pub fn external_forces_into<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    wrenches: &[LinkWrench<S>],
    workspace: &mut Workspace<S>,
    out: &mut [S],
) {
    let tree = model.body_tree();
    let Workspace { positions, newton_euler, vector, .. } = workspace;
    positions.set(tree, q);
    for body in &mut newton_euler.bodies {
        (body.force, body.moment) = (Vector::zero(), Vector::zero());
    }
    newton_euler.apply_wrenches(tree, wrenches);
    match &tree.coupling {
        None => newton_euler.inward::<false>(tree, positions, out),
        Some(coupling) => {
            newton_euler.inward::<false>(tree, positions, vector);
            coupling::gather_vector(coupling, vector, out);
        }
    }
}

/// The torques for a motion; see [`inverse_dynamics_into`].
#[must_use]
pub fn inverse_dynamics<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    wrenches: &[LinkWrench<S>],
) -> Vec<S> {
    let mut out = vec![S::zero(); model.nv()];
    inverse_dynamics_into(model, q, w, w_dot, wrenches, &mut Workspace::new(model), &mut out);
    out
}
