//! What is integrated: y = (q, w, work, impulse), and its rate.
//!
//! q̇ = position rate of w,  ẇ = M⁻¹(τ − h),  work˙ = wᵀ(τ − friction) + Σ vᵀ W,  impulse˙ = wrench of gravity, loads and τ on
//! a free root about the world origin. Work and impulse are what energy and momentum have to change by; the impulse is
//! there only for robots that float.
//!
//! Quaternions are integrated by their rates, ½ q ⊗ (0, ω), in the four-dimensional space around the unit sphere. The
//! exact motion stays on the sphere, so a method of order p leaves it by O(h^{p+1}) a step, and scaling back to unit
//! length after each step keeps the order. Trap: a stage of a step lies O(h²) off the sphere, where a rotation matrix made
//! from the quaternion is not one. Rotations are therefore made from the scaled quaternion, while the rate keeps the length of
//! the one given: so the direction of a quaternion moves as if it were unit, whatever its length.

use super::momentum::is_floating;
use crate::dynamics::{drive, recursive};
use crate::integrate::Equations;
use crate::kinematics::{KinematicsScratch, poses_into, twists_into};
use crate::model::Model;
use crate::prescribed::Torque;
use crate::spatial::{Pose, Quaternion, Twist, Wrench};
use crate::state::{LinkWrench, quaternions};
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// The motion of a robot under given torques and wrenches, with all scratch memory.
#[derive(Clone, Debug)]
pub struct RobotDynamics<'m, S: Scalar> {
    model: &'m Model<S::Constant>,
    floating: bool,
    workspace: Workspace<S>,
    kinematics: KinematicsScratch<S>,
    poses: Vec<Pose<S>>,
    twists: Vec<Twist<S>>,
    /// The position with unit quaternions.
    q: Vec<S>,
    friction: Vec<S>,
}

impl<'m, S: Scalar> RobotDynamics<'m, S> {
    /// Allocates everything for `model`.
    #[must_use]
    pub fn new(model: &'m Model<S::Constant>) -> Self {
        Self {
            model,
            floating: is_floating(model),
            workspace: Workspace::new(model),
            kinematics: KinematicsScratch::new(model),
            poses: vec![Pose::identity(); model.links().len()],
            twists: vec![Twist::zero(); model.links().len()],
            q: model.neutral(),
            friction: vec![S::zero(); model.nv()],
        }
    }

    /// The model that moves.
    #[must_use]
    pub fn model(&self) -> &'m Model<S::Constant> {
        self.model
    }

    /// The workspace, for what else is computed at a state.
    pub fn workspace(&mut self) -> &mut Workspace<S> {
        &mut self.workspace
    }

    /// Numbers of work and impulse: one, and six more if the robot floats.
    #[must_use]
    pub fn sums(&self) -> usize {
        1 + if self.floating { 6 } else { 0 }
    }

    /// The rates of `x` = (q, w) and of work and impulse.
    ///
    /// # Panics
    /// If a slice does not have the model's length.
    pub fn rate_into(&mut self, x: &[S], tau: &[S], wrenches: &[LinkWrench<S>], rate: &mut [S], sums: &mut [S]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let w = &x[nq..nq + nv];
        self.q.copy_from_slice(&x[..nq]);
        normalize(self.model, &mut self.q);
        let (rate_q, rate_w) = rate.split_at_mut(nq);
        self.model.position_rate_into(&self.q, w, rate_q);
        restore_lengths(self.model, x, rate_q);
        let Self { model, q, workspace, .. } = self;
        recursive::forward_dynamics_into(model, q, w, tau, wrenches, workspace, rate_w);
        sums[0] = self.power(w, tau, wrenches);
        if self.floating {
            sums[1..].copy_from_slice(&self.outer_wrench(tau, wrenches).to_array());
        }
    }

    /// Scales the quaternions in `q` to unit length.
    pub fn project(&self, q: &mut [S]) {
        normalize(self.model, &mut q[..self.model.nq()]);
    }

    /// What torques, wrenches and friction add to the energy per second.
    fn power(&mut self, w: &[S], tau: &[S], wrenches: &[LinkWrench<S>]) -> S {
        self.friction.fill(S::zero());
        drive::add_torques(self.model, &self.q, w, &mut self.friction);
        let mut power = S::zero();
        for ((&w, &tau), &friction) in w.iter().zip(tau).zip(&self.friction) {
            power = w.mul_add(tau - friction, power);
        }
        if !wrenches.is_empty() {
            twists_into(self.model, &self.q, w, &mut self.kinematics, &mut self.twists);
            for load in wrenches {
                power += self.twists[load.link].dot(load.wrench);
            }
        }
        power
    }

    /// The wrench from outside on the robot as a whole, about the world origin in world axes.
    fn outer_wrench(&mut self, tau: &[S], wrenches: &[LinkWrench<S>]) -> Wrench<S> {
        let Self { model, q, poses, .. } = self;
        poses_into(model, q, poses);
        let gravity = model.gravity().lift::<S>();
        let mut sum = Wrench::zero();
        for (link, pose) in model.links().iter().zip(poses.iter()) {
            let first_moment = pose.rotation.apply(link.inertia.first_moment.lift())
                + pose.translation.map(|x| x.scale(link.inertia.mass));
            let weight = gravity.map(|x| x.scale(link.inertia.mass));
            sum += Wrench { force: weight, moment: first_moment.cross(gravity) };
            if link.parent.is_none() {
                // A root of a floating robot is free: its torques are a wrench in its own axes.
                sum += pose.coadjoint(Wrench::from_array(std::array::from_fn(|i| tau[link.v + i])));
            }
        }
        for load in wrenches {
            sum += poses[load.link].coadjoint(load.wrench);
        }
        sum
    }
}

/// A robot under torques over time and wrenches that are constant in link axes, over any scalar.
#[derive(Clone, Debug)]
pub struct RobotEquations<'m, S: Scalar> {
    dynamics: RobotDynamics<'m, S>,
    torque: &'m Torque,
    /// The time within the piece of the torque law that rates are taken on; see [`Torque::at_into`].
    piece: f64,
    wrenches: Vec<LinkWrench<S>>,
    numbers: Vec<f64>,
    tau: Vec<S>,
}

impl<'m, S: Scalar> RobotEquations<'m, S> {
    /// Sets up the equations.
    #[must_use]
    pub fn new(model: &'m Model<S::Constant>, torque: &'m Torque, wrenches: &[LinkWrench<S>]) -> Self {
        Self {
            dynamics: RobotDynamics::new(model),
            torque,
            piece: 0.0,
            wrenches: wrenches.to_vec(),
            numbers: vec![0.0; model.nv()],
            tau: vec![S::zero(); model.nv()],
        }
    }

    /// y at the start: no work done yet.
    ///
    /// # Panics
    /// If `q` or `w` does not have the model's length.
    #[must_use]
    pub fn start(&self, q: &[S], w: &[S]) -> Vec<S> {
        let model = self.dynamics.model;
        assert_eq!((q.len(), w.len()), (model.nq(), model.nv()), "numbers in q and in the velocity");
        let mut y = [q, w].concat();
        y.resize(self.size(), S::zero());
        y
    }

    /// Takes rates on the smooth piece of the torque law that holds at `inside`, also at the ends of the piece.
    pub fn select_piece(&mut self, inside: f64) {
        self.piece = inside;
    }

    /// The model that moves.
    #[must_use]
    pub fn model(&self) -> &'m Model<S::Constant> {
        self.dynamics.model
    }

    /// The position in y.
    #[must_use]
    pub fn position<'y>(&self, y: &'y [S]) -> &'y [S] {
        &y[..self.model().nq()]
    }

    /// The velocity in y.
    #[must_use]
    pub fn velocity<'y>(&self, y: &'y [S]) -> &'y [S] {
        &y[self.model().nq()..self.model().nq() + self.model().nv()]
    }

    /// The work in y: what torques, friction and wrenches have added to the energy, J.
    #[must_use]
    pub fn work(&self, y: &[S]) -> S {
        y[self.model().nq() + self.model().nv()]
    }
}

impl<S: Scalar> Equations<S> for RobotEquations<'_, S> {
    fn size(&self) -> usize {
        self.model().nq() + self.model().nv() + self.dynamics.sums()
    }

    fn rate_into(&mut self, t: f64, y: &[S], rate: &mut [S]) {
        let size = self.model().nq() + self.model().nv();
        self.torque.at_into(t, self.piece, &mut self.numbers);
        for (tau, &number) in self.tau.iter_mut().zip(&self.numbers) {
            *tau = S::from_f64(number);
        }
        let (rate, sums) = rate.split_at_mut(size);
        self.dynamics.rate_into(&y[..size], &self.tau, &self.wrenches, rate, sums);
    }

    fn project(&self, y: &mut [S]) {
        self.dynamics.project(y);
    }
}

/// Scales the quaternions in `q` to unit length, over any scalar.
fn normalize<S: Scalar>(model: &Model<S::Constant>, q: &mut [S]) {
    for (start, _) in quaternions(model) {
        let quaternion = Quaternion::new(std::array::from_fn(|i| q[start + i]));
        q[start..start + 4].copy_from_slice(&quaternion.normalized().to_array());
    }
}

/// Turns rates of unit quaternions into rates of the quaternions in `q`: the rate is linear in the quaternion.
fn restore_lengths<S: Scalar>(model: &Model<S::Constant>, q: &[S], rate: &mut [S]) {
    for (start, _) in quaternions(model) {
        let length = Quaternion::new(std::array::from_fn(|i| q[start + i])).norm_squared().sqrt();
        rate[start..start + 4].iter_mut().for_each(|rate| *rate = *rate * length);
    }
}
