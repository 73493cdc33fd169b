//! Robot, reference and control law as one system of differential equations.
//!
//! y = (q, q̇, θ, θ̇, memory of the law, work): the law is evaluated in continuous time, at every stage of an integrator. Work
//! is what torques, friction, damping and loads have added to the energy, so that E(t) − E(0) − work measures the
//! integrator's error.

use super::control::{ControlLaw, Measured};
use super::error::ElasticError;
use super::inverse::{InverseScratch, MotorMotion, inverse_dynamics_into};
use super::model::{ElasticModel, ElasticState};
use super::rates::Rates;
use crate::integrate::Equations;
pub use crate::prescribed::Reference;
use crate::state::LinkWrench;
use jourdain_symbolic::{Dual, Scalar};
use nalgebra::DMatrix;

/// An elastic robot under a control law.
#[derive(Clone, Debug)]
pub struct ClosedLoop<'m, S: Scalar, L> {
    plant: &'m ElasticModel<S::Constant>,
    law: L,
    reference: Reference<'m>,
    orders: [Vec<S>; 5],
    deflection: Vec<S>,
    deflection_d: Vec<S>,
    torque: Vec<S>,
    loads: Vec<LinkWrench<S>>,
    rates: Rates<S>,
}

impl<'m, S: Scalar, L: ControlLaw<S>> ClosedLoop<'m, S, L> {
    /// Puts the plant under the law.
    #[must_use]
    pub fn new(plant: &'m ElasticModel<S::Constant>, law: L, reference: Reference<'m>) -> Self {
        let (n, m) = (plant.model().nv(), plant.springs().len());
        let zeros = |n: usize| vec![S::zero(); n];
        Self {
            plant,
            law,
            reference,
            orders: std::array::from_fn(|_| zeros(n)),
            deflection: zeros(m),
            deflection_d: zeros(m),
            torque: zeros(n),
            loads: Vec::new(),
            rates: Rates::new(plant),
        }
    }

    /// The robot.
    #[must_use]
    pub fn plant(&self) -> &'m ElasticModel<S::Constant> {
        self.plant
    }

    /// What the links are to do.
    #[must_use]
    pub fn reference(&self) -> &Reference<'m> {
        &self.reference
    }

    /// The state in y.
    #[must_use]
    pub fn state<'y>(&self, y: &'y [S]) -> ElasticState<'y, S> {
        split(self.plant, y)
    }

    /// The work in y.
    #[must_use]
    pub fn work(&self, y: &[S]) -> S {
        y[y.len() - 1]
    }

    /// y at the start for a state, no work done; the law's memory for links that move with q̈ and q⃛ of the reference.
    #[must_use]
    pub fn start(&mut self, state: &ElasticState<'_, S>) -> Vec<S> {
        let (n, m) = (self.plant.model().nv(), self.plant.springs().len());
        let mut y = vec![S::zero(); self.size()];
        for (at, part) in [(0, state.q), (n, state.qd), (2 * n, state.theta), (2 * n + m, state.theta_d)] {
            y[at..at + part.len()].copy_from_slice(part);
        }
        self.reference.at_into(0.0, &mut self.orders);
        let memory = 2 * (n + m)..2 * (n + m) + self.law.memory();
        let derivatives = [state.qd, &self.orders[2], &self.orders[3]];
        self.law.start_into(state.q, derivatives, &mut y[memory]);
        y
    }

    /// y at the start with the links off the reference by `offset` (q = q_d − offset), and moving along with it: velocities,
    /// accelerations and jerks are the reference's.
    ///
    /// # Panics
    /// If `offset` does not have the robot's length.
    #[must_use]
    pub fn start_off_reference(&mut self, offset: &[f64]) -> Vec<S> {
        self.reference.at_into(0.0, &mut self.orders);
        let q: Vec<S> = self.orders[0].iter().zip(offset).map(|(&q, &e)| q - S::from_f64(e)).collect();
        let mut motor = MotorMotion::zero(self.plant);
        let derivatives = [&self.orders[1][..], &self.orders[2], &self.orders[3], &self.orders[4]];
        let scratch = &mut InverseScratch::new(self.plant.model());
        inverse_dynamics_into(self.plant, &q, &derivatives, &[], scratch, &mut motor);
        let qd = self.orders[1].clone();
        self.start(&ElasticState { q: &q, qd: &qd, theta: &motor.theta, theta_d: &motor.theta_d })
    }

    /// The torques of the law at time `t`.
    pub fn torques(&mut self, t: f64, y: &[S]) -> &[S] {
        let mut rate = vec![S::zero(); self.law.memory()];
        self.apply_law(t, y, &mut rate);
        &self.torque
    }

    fn apply_law(&mut self, t: f64, y: &[S], memory_rate: &mut [S]) {
        let state = split(self.plant, y);
        self.reference.at_into(t, &mut self.orders);
        for (k, spring) in self.plant.springs().iter().enumerate() {
            self.deflection[k] = state.theta[k] - state.q[spring.dof];
            self.deflection_d[k] = state.theta_d[k] - state.qd[spring.dof];
        }
        let reference = self.orders.each_ref().map(Vec::as_slice);
        let measured =
            Measured { q: state.q, qd: state.qd, deflection: &self.deflection, deflection_d: &self.deflection_d };
        let memory = &y[2 * self.plant.freedom()..y.len() - 1];
        self.law.torque_into(&reference, &measured, memory, memory_rate, &mut self.torque);
    }
}

fn split<'y, S: Scalar>(plant: &ElasticModel<S::Constant>, y: &'y [S]) -> ElasticState<'y, S> {
    let (n, m) = (plant.model().nv(), plant.springs().len());
    let (q, rest) = y.split_at(n);
    let (qd, rest) = rest.split_at(n);
    let (theta, rest) = rest.split_at(m);
    ElasticState { q, qd, theta, theta_d: &rest[..m] }
}

impl<S: Scalar, L: ControlLaw<S>> Equations<S> for ClosedLoop<'_, S, L> {
    fn size(&self) -> usize {
        2 * self.plant.freedom() + self.law.memory() + 1
    }

    fn rate_into(&mut self, t: f64, y: &[S], rate: &mut [S]) {
        let (n, m) = (self.plant.model().nv(), self.plant.springs().len());
        let (motion, rest) = rate.split_at_mut(2 * (n + m));
        let (memory_rate, work_rate) = rest.split_at_mut(rest.len() - 1);
        self.apply_law(t, y, memory_rate);
        let state = split(self.plant, y);
        self.reference.loads_into(t, &mut self.loads);
        let (q_rate, motion) = motion.split_at_mut(n);
        let (qdd, motion) = motion.split_at_mut(n);
        let (theta_rate, theta_dd) = motion.split_at_mut(m);
        q_rate.copy_from_slice(state.qd);
        theta_rate.copy_from_slice(state.theta_d);
        work_rate[0] = self.rates.at_into(self.plant, &state, &self.torque, &self.loads, qdd, theta_dd);
    }

    fn project(&self, _: &mut [S]) {}
}

impl<L: ControlLaw<Dual<f64>>> ClosedLoop<'_, Dual<f64>, L> {
    /// The eigenvalues, real and imaginary part, of the loop linearised at `y` and time `t`, work left out: the poles of small
    /// deviations if `y` is at rest under a reference at rest.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn eigenvalues(&mut self, t: f64, y: &[f64]) -> Result<Vec<[f64; 2]>, ElasticError> {
        let size = self.size() - 1;
        let mut point: Vec<Dual<f64>> = y.iter().map(|&x| Dual::fixed(x)).collect();
        let mut rate = vec![Dual::fixed(0.0); size + 1];
        let mut jacobian = DMatrix::zeros(size, size);
        for j in 0..size {
            point[j] = Dual::variable(y[j]);
            self.rate_into(t, &point, &mut rate);
            point[j] = Dual::fixed(y[j]);
            (0..size).for_each(|i| jacobian[(i, j)] = rate[i].derivative);
        }
        let robot = self.plant.model().name().to_owned();
        let poles = crate::linear::eigenvalues(jacobian).map_err(|_| ElasticError::Eigenvalues { robot })?;
        Ok(poles.iter().map(|x| [x.re, x.im]).collect())
    }
}
