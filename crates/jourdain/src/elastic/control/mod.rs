//! Control laws for elastic joints, over any scalar, without allocation.
//!
//! | file | law | poles |
//! |---|---|---|
//! | [`linearising`] | exact linearisation: q⁗ = q_d⁗ + v, Grimm (3)–(5) | four per joint |
//! | [`grimm`] | the same, literally as (3)–(5) at the motor shaft: the reference | – |
//! | [`feedforward`] | inverse dynamics of the reference and a PD loop on the motors | two per joint |
//! | [`computed_torque`] | as if the joints were rigid, from the motors' positions: for comparison | two per joint |
//! | [`motor_pd`] | a PD loop on the motors, gravity made up for or not | – |
//! | [`gains`] | gains from poles | |
//!
//! A law sees the reference with four derivatives and what is measured: q, q̇ and the deflections θ − q with their rates.
//! Accelerations and jerks are computed, not measured.

pub mod computed_torque;
pub mod feedforward;
pub mod gains;
pub mod grimm;
pub mod linearising;
pub mod motor_pd;

pub use computed_torque::ComputedTorque;
pub use feedforward::Feedforward;
pub use gains::{Pole, place};
pub use linearising::Linearising;
pub use motor_pd::MotorPd;

use super::error::ElasticError;
use super::model::ElasticModel;
use jourdain_symbolic::Scalar;

/// A reference at one time: q_d and its derivatives up to the fourth.
pub type Orders<'a, S> = [&'a [S]; 5];

/// What is measured: q and q̇ per joint, the deflections θ − q and their rates per spring.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a, S> {
    /// Positions of the links.
    pub q: &'a [S],
    /// Velocities of the links.
    pub qd: &'a [S],
    /// θ − q.
    pub deflection: &'a [S],
    /// θ̇ − q̇.
    pub deflection_d: &'a [S],
}

/// A law that turns reference and measurement into motor torques. Some have a state of their own.
pub trait ControlLaw<S: Scalar> {
    /// Numbers of the law's own state.
    fn memory(&self) -> usize {
        0
    }

    /// The state that the law starts with if the robot is at q and moves with these derivatives q̇, q̈, q⃛.
    fn start_into(&mut self, _q: &[S], _derivatives: [&[S]; 3], _memory: &mut [S]) {}

    /// Told the time after the start of the reference at which the next torques are asked for. Only what follows from the
    /// reference's past needs it.
    fn advance_to(&mut self, _t: f64) {}

    /// Motor torques, one per joint, and the rate of the law's state.
    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        memory: &[S],
        memory_rate: &mut [S],
        torque: &mut [S],
    );
}

/// Torques that do not depend on the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant<S>(pub Vec<S>);

impl<S: Scalar> ControlLaw<S> for Constant<S> {
    fn torque_into(&mut self, _: &Orders<'_, S>, _: &Measured<'_, S>, _: &[S], _: &mut [S], torque: &mut [S]) {
        torque.copy_from_slice(&self.0);
    }
}

/// The laws by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kind {
    /// [`Linearising`].
    #[default]
    Linearising,
    /// [`Feedforward`].
    Feedforward,
    /// [`ComputedTorque`].
    ComputedTorque,
    /// No torque at all.
    None,
}

/// Any of the laws.
#[derive(Clone, Debug)]
pub enum Controller<'m, S: Scalar> {
    /// Exact linearisation.
    Linearising(Box<Linearising<'m, S>>),
    /// Feed-forward and PD.
    Feedforward(Box<Feedforward<'m, S>>),
    /// Computed torque.
    ComputedTorque(Box<ComputedTorque<'m, S>>),
    /// Constant torques.
    Constant(Constant<S>),
}

impl<'m, S: Scalar<Constant = f64>> Controller<'m, S> {
    /// A law for the nominal robot with its error poles: four of them for exact linearisation, of which the other laws take the
    /// first two. `posture` is where the PD gains see the robot's inertia.
    ///
    /// # Errors
    /// Poles that no real gains give, or that are not stable.
    pub fn new(
        kind: Kind,
        nominal: &'m ElasticModel<f64>,
        poles: &[Pole; 4],
        posture: &[f64],
    ) -> Result<Self, ElasticError> {
        let second: [Pole; 2] = [poles[0], poles[1]];
        Ok(match kind {
            Kind::Linearising => Self::Linearising(Box::new(Linearising::new(nominal, place(poles)?))),
            Kind::Feedforward => Self::Feedforward(Box::new(Feedforward::new(nominal, place(&second)?, posture))),
            Kind::ComputedTorque => Self::ComputedTorque(Box::new(ComputedTorque::new(nominal, place(&second)?))),
            Kind::None => Self::Constant(Constant(vec![S::zero(); nominal.model().nv()])),
        })
    }
}

impl<S: Scalar> ControlLaw<S> for Controller<'_, S> {
    fn memory(&self) -> usize {
        match self {
            Self::Linearising(law) => law.memory(),
            Self::Feedforward(_) | Self::ComputedTorque(_) | Self::Constant(_) => 0,
        }
    }

    fn start_into(&mut self, q: &[S], derivatives: [&[S]; 3], memory: &mut [S]) {
        if let Self::Linearising(law) = self {
            law.start_into(q, derivatives, memory);
        }
    }

    fn advance_to(&mut self, t: f64) {
        if let Self::Feedforward(law) = self {
            law.advance_to(t);
        }
    }

    fn torque_into(
        &mut self,
        reference: &Orders<'_, S>,
        measured: &Measured<'_, S>,
        memory: &[S],
        memory_rate: &mut [S],
        torque: &mut [S],
    ) {
        match self {
            Self::Linearising(law) => law.torque_into(reference, measured, memory, memory_rate, torque),
            Self::Feedforward(law) => law.torque_into(reference, measured, memory, memory_rate, torque),
            Self::ComputedTorque(law) => law.torque_into(reference, measured, memory, memory_rate, torque),
            Self::Constant(law) => law.torque_into(reference, measured, memory, memory_rate, torque),
        }
    }
}
