//! Robot and control law as one linear system about rest: the poles of the loop, in continuous time or sampled.
//!
//! With x = (q, q̇, θ, θ̇), m the law's own state, u = U_x x + U_m m and ṁ = V_x x + V_m m:
//!
//! - in continuous time the poles are the eigenvalues of [P + G U_x, G U_m; V_x, V_m], with ẋ = P x + G u
//! - a law that is sampled with the period T and held takes x to Φ x + Γ u and m to m + T ṁ, [Φ, Γ; 0, 1] = exp([P, G; 0, 0] T);
//!   an eigenvalue z of that map decays at the rate −ln|z|/T.
//!
//! All four parts are derivatives of the true equations by duals.

use super::control::{ControlLaw, Measured};
use super::error::ElasticError;
use super::linearise::linearise;
use super::model::{ElasticModel, ElasticState};
use super::rates::Rates;
use jourdain_symbolic::Dual;
use nalgebra::DMatrix;

/// An elastic robot under a law that holds it at rest.
#[derive(Clone, Debug)]
pub struct ClosedLoop {
    robot: String,
    /// P and G.
    plant: [DMatrix<f64>; 2],
    /// (U_x, U_m) and (V_x, V_m).
    law: [DMatrix<f64>; 2],
}

impl ClosedLoop {
    /// The plant under the law at rest at `posture`, which may have been made for another robot: the rotors stand where they
    /// balance the plant.
    ///
    /// # Errors
    /// A posture of the wrong length, or a singular mass matrix.
    pub fn at_rest(
        plant: &ElasticModel<f64>,
        law: &mut impl ControlLaw<Dual<f64>>,
        posture: &[f64],
    ) -> Result<Self, ElasticError> {
        let (n, m, memory) = (plant.model().nv(), plant.springs().len(), law.memory());
        let (size, balance) = (2 * (n + m), linearise(plant, posture)?);
        let zeros = |count: usize| vec![Dual::fixed(0.0); count];
        let mut y = zeros(size + memory);
        let mut set = |at: usize, values: &[f64]| {
            y[at..].iter_mut().zip(values).for_each(|(y, &x)| *y = Dual::fixed(x));
        };
        set(0, posture);
        set(2 * n, &balance.q[n..]);
        // The law's memory begins with the torques of rigid joints.
        let held: Vec<f64> = plant.rigid().iter().map(|&i| balance.torque[i]).take(memory).collect();
        set(size, &held);

        let rest: [Vec<Dual<f64>>; 5] =
            std::array::from_fn(|r| posture.iter().map(|&q| Dual::fixed(if r == 0 { q } else { 0.0 })).collect());
        let reference = rest.each_ref().map(Vec::as_slice);
        let (mut torque, mut memory_rate) = (zeros(n), zeros(memory));
        let (mut deflection, mut deflection_d) = (zeros(m), zeros(m));
        let mut ask = |y: &[Dual<f64>], torque: &mut [Dual<f64>], memory_rate: &mut [Dual<f64>]| {
            let state = split(y, n, m);
            for (k, spring) in plant.springs().iter().enumerate() {
                deflection[k] = state.theta[k] - state.q[spring.dof];
                deflection_d[k] = state.theta_d[k] - state.qd[spring.dof];
            }
            let measured = Measured { q: state.q, qd: state.qd, deflection: &deflection, deflection_d: &deflection_d };
            law.advance_to(0.0);
            law.torque_into(&reference, &measured, &y[size..], memory_rate, torque);
        };
        let (mut by_torque, mut by_memory) = (DMatrix::zeros(n, size + memory), DMatrix::zeros(memory, size + memory));
        for j in 0..size + memory {
            y[j].derivative = 1.0;
            ask(&y, &mut torque, &mut memory_rate);
            y[j].derivative = 0.0;
            (0..n).for_each(|i| by_torque[(i, j)] = torque[i].derivative);
            (0..memory).for_each(|i| by_memory[(i, j)] = memory_rate[i].derivative);
        }
        ask(&y, &mut torque, &mut memory_rate);

        let mut rates = Rates::new(plant);
        let (mut qdd, mut theta_dd) = (zeros(n), zeros(m));
        let mut column = |y: &[Dual<f64>], torque: &[Dual<f64>]| -> Vec<f64> {
            let state = split(y, n, m);
            rates.at_into(plant, &state, torque, &[], &mut qdd, &mut theta_dd);
            let parts = [state.qd, &qdd, state.theta_d, &theta_dd];
            parts.into_iter().flatten().map(|x| x.derivative).collect()
        };
        let (mut by_state, mut by_input) = (DMatrix::zeros(size, size), DMatrix::zeros(size, n));
        for j in 0..size {
            y[j].derivative = 1.0;
            by_state.column_mut(j).copy_from_slice(&column(&y, &torque));
            y[j].derivative = 0.0;
        }
        for j in 0..n {
            torque[j].derivative = 1.0;
            by_input.column_mut(j).copy_from_slice(&column(&y, &torque));
            torque[j].derivative = 0.0;
        }
        let robot = plant.model().name().to_owned();
        Ok(Self { robot, plant: [by_state, by_input], law: [by_torque, by_memory] })
    }

    /// The distance of the rightmost pole from the imaginary axis, 1/s: how fast the slowest deviation dies out; negative if one
    /// grows. `period` is that of a sampled law, s.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn decay(&self, period: Option<f64>) -> Result<f64, ElasticError> {
        let ([by_state, by_input], [by_torque, by_memory]) = (&self.plant, &self.law);
        let (size, memory) = (by_state.nrows(), by_memory.nrows());
        let eigenvalues = |matrix: DMatrix<f64>| {
            let broken = || ElasticError::Eigenvalues { robot: self.robot.clone() };
            if matrix.iter().any(|x| !x.is_finite()) {
                return Err(broken());
            }
            crate::linear::eigenvalues(matrix).map_err(|_| broken())
        };
        let mut whole = DMatrix::zeros(size + memory, size + memory);
        let Some(period) = period else {
            whole.view_mut((0, 0), (size, size)).copy_from(by_state);
            let fed = by_input * by_torque;
            let mut rows = whole.rows_mut(0, size);
            rows += fed;
            whole.rows_mut(size, memory).copy_from(by_memory);
            return Ok(-eigenvalues(whole)?.iter().map(|x| x.re).fold(f64::NEG_INFINITY, f64::max));
        };
        let inputs = by_input.ncols();
        let mut held = DMatrix::zeros(size + inputs, size + inputs);
        held.view_mut((0, 0), (size, size)).copy_from(&(by_state * period));
        held.view_mut((0, size), (size, inputs)).copy_from(&(by_input * period));
        let held = held.exp();
        whole.view_mut((0, 0), (size, size)).copy_from(&held.view((0, 0), (size, size)));
        let fed = held.view((0, size), (size, inputs)) * by_torque;
        let mut rows = whole.rows_mut(0, size);
        rows += fed;
        whole.rows_mut(size, memory).copy_from(&(by_memory * period));
        (size..size + memory).for_each(|i| whole[(i, i)] += 1.0);
        let largest = eigenvalues(whole)?.iter().map(|z| z.re.hypot(z.im)).fold(0.0, f64::max);
        Ok(-largest.ln() / period)
    }
}

fn split<S>(y: &[S], n: usize, m: usize) -> ElasticState<'_, S> {
    let (q, rest) = y.split_at(n);
    let (qd, rest) = rest.split_at(n);
    let (theta, rest) = rest.split_at(m);
    ElasticState { q, qd, theta, theta_d: &rest[..m] }
}
