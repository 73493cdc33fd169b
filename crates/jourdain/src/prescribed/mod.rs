//! Motions given as functions of time, with derivatives of any order: sums of cosines, polynomials, splines through points,
//! samples under a stated smoothing. Torques given as functions of time stand beside them.
//!
//! A [`PrescribedMotion`] has a [`Curve`] for every number of the position and may have loads whose components are curves
//! too. [`PrescribedMotion::state`] is the exact state at a time: position and derivatives up to the sixth, wrenches with
//! two rates. For robots whose positions are as many as their velocities: a quaternion is no curve.
//!
//! Trap: splines are only as smooth as their degree lets them be. The fourth derivative of a cubic one is zero.

mod curve;
mod error;
mod file;
mod reference;
mod smoothing;
mod spline;
mod torque;

pub use curve::{Cosine, Curve};
pub use error::PrescribedError;
pub use reference::Reference;
pub use smoothing::Smoothed;
pub use spline::{Degree, Spline};
pub use torque::{Interpolation, TableError, Torque, TorqueTable};

use crate::model::Model;
use crate::spatial::Wrench;
use crate::state::{LinkWrench, State, WRENCH_RATES};
use std::f64::consts::{FRAC_PI_2, PI};

/// The number of derivatives of the position in a state.
const ORDERS: usize = 6;

/// A motion of a robot over a span of time.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedMotion {
    /// The position numbers.
    pub joints: Vec<Curve>,
    /// Loads along the motion.
    pub loads: Vec<PrescribedLoad>,
    /// Begin, s.
    pub start: f64,
    /// End, s.
    pub end: f64,
}

/// A wrench applied to a link, in link axes at the link origin.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedLoad {
    /// The link's index.
    pub link: usize,
    /// Force x, y, z, moment x, y, z.
    pub components: [Curve; 6],
}

/// Amplitudes and frequencies of the motion behind the figures of Müller and Kumar 2021, rad and rad/s.
const MUELLER_KUMAR: [(f64, f64); 7] = [
    (-1.2943753211777664, 1.7073873117335832),
    (0.7175341454355011, 3.079992797637052),
    (-0.5691380764966176, 2.1084514453622774),
    (0.5848944158627155, 3.5903916041026207),
    (1.6216297151633214, 1.4183262544423447),
    (-0.9187855709752027, 2.285625793808507),
    (0.4217605991935227, 5.927533308659986),
];

impl PrescribedMotion {
    /// The motion behind Figures 3 and 4 of Müller and Kumar 2021, for a robot with seven joints: q_i = A_i cos(ω_i t) for
    /// 5 s, the last link exerting a wrench with all components 10 sin(π t).
    ///
    /// # Errors
    /// A robot that does not have seven position numbers.
    pub fn mueller_kumar(model: &Model<f64>) -> Result<Self, PrescribedError> {
        let joints = MUELLER_KUMAR.map(|(amplitude, frequency)| Curve::Cosines {
            offset: 0.0,
            terms: vec![Cosine { amplitude, frequency, phase: 0.0 }],
        });
        // 10 sin(π t) is exerted, so the opposite is applied.
        let sine =
            Curve::Cosines { offset: 0.0, terms: vec![Cosine { amplitude: -10.0, frequency: PI, phase: -FRAC_PI_2 }] };
        let components = std::array::from_fn(|_| sine.clone());
        let last = model.columns().last().map_or(0, |column| column.link);
        let loads = vec![PrescribedLoad { link: last, components }];
        Self { joints: joints.to_vec(), loads, start: 0.0, end: 5.0 }.checked(model)
    }

    /// That the motion fits the robot.
    ///
    /// # Errors
    /// What does not fit.
    pub fn checked(self, model: &Model<f64>) -> Result<Self, PrescribedError> {
        let robot = || model.name().to_owned();
        if model.nq() != model.nv() {
            return Err(PrescribedError::Quaternions { robot: robot() });
        }
        if self.joints.len() != model.nq() {
            return Err(PrescribedError::Joints { robot: robot(), expected: model.nq(), found: self.joints.len() });
        }
        if !(self.start.is_finite() && self.end.is_finite() && self.start <= self.end) {
            return Err(PrescribedError::Span { start: self.start, end: self.end });
        }
        Ok(self)
    }

    /// `count` times from begin to end, both included.
    #[must_use]
    pub fn times(&self, count: usize) -> Vec<f64> {
        let last = count.saturating_sub(1).max(1) as f64;
        (0..count).map(|i| self.start + (self.end - self.start) * (i as f64 / last)).collect()
    }

    /// The state at a time.
    #[must_use]
    pub fn state(&self, model: &Model<f64>, t: f64) -> State<f64> {
        let order = |r: usize| -> Vec<f64> { self.joints.iter().map(|curve| curve.derivative(r, t)).collect() };
        let mut state = State::neutral(model);
        for r in 0..=ORDERS {
            state.set_derivative(r, order(r));
        }
        state.wrenches.extend(self.loads.iter().map(|load| load.with_rates(t)));
        state
    }
}

impl PrescribedLoad {
    /// The wrench and its rates at a time.
    #[must_use]
    pub fn with_rates(&self, t: f64) -> LinkWrench<f64> {
        let orders: [_; WRENCH_RATES + 1] =
            std::array::from_fn(|r| Wrench::from_array(std::array::from_fn(|i| self.components[i].derivative(r, t))));
        LinkWrench::with_rates(self.link, &orders)
    }
}
