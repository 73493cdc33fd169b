//! Laws as data: which, and with what gains. A system makes a [`Controller`](super::Controller) of it.
//!
//! | law | torque | systems |
//! |---|---|---|
//! | `none` | 0 | all |
//! | `constant`, `table` | given, over time | all |
//! | `pd` | K_P e + K_D ė | all; elastic: on the rotors, flexible: on the joint angles |
//! | `pd-gravity` | the same, and what gravity asks of the drives | all |
//! | `computed-torque` | the model's torque for q̈_d + K₁ ė + K₀ e | all |
//! | `feed-forward` | the reference's own torque, and a PD loop | rigid, elastic |
//! | `exact-linearisation` | torques under which e⁗ + K₃ e⃛ + … + K₀ e = 0 | elastic |
//! | `strain-feedback` | PD on the joint angles, and gains on each link's tip deflection and its rate | flexible |
//! | `adaptive` | Slotine and Li: Y π̂ − K_D s, with π̂ learned | rigid |
//! | `custom` | a function of time, positions and velocities: [`Law::from_fn`] | all |

use super::custom_law::CustomLaw;
use super::error::SimulationError;
use crate::elastic::control::Pole;
use crate::prescribed::{Torque, TorqueTable};

/// Decay rate that gains and poles stand for where none are given, rad/s.
pub const DEFAULT_RATE: f64 = 10.0;

/// Gains on the error of each joint and on its rate: one number for all joints, or one per joint. Without numbers the law's
/// own: ω² and 2ω at ω = 10 rad/s, for torques times the inertia that each joint sees at the start of the reference. Trap: at high
/// frequencies a flexible link lets its joint feel far less inertia, so that these gains may ask for shorter steps.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Gains {
    /// On the error: N m/rad for the PD laws, 1/s² for computed torque.
    pub position: Vec<f64>,
    /// On its rate: N m s/rad, or 1/s.
    pub velocity: Vec<f64>,
}

impl Gains {
    /// The same for all joints.
    #[must_use]
    pub fn uniform(position: f64, velocity: f64) -> Self {
        Self { position: vec![position], velocity: vec![velocity] }
    }
}

/// Which parameters adaptive control learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Learned {
    /// The base parameters: as few as determine the motion.
    #[default]
    Base,
    /// All standard parameters of all links and drives.
    Standard,
}

/// Adaptive control of Slotine and Li: q̇_r = q̇_d + Λ e, s = q̇ − q̇_r, u = Y(q, q̇, q̇_r, q̈_r) π̂ − K_D s, π̂̇ = −Γ Yᵀ s.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AdaptiveLaw {
    /// Λ, 1/s: one number for all joints, one per joint, or none for 5.
    pub slope: Vec<f64>,
    /// K_D, N m s/rad: one number for all joints, one per joint, or none for 2 · 10 rad/s times the inertia of each.
    pub velocity: Vec<f64>,
    /// The diagonal of Γ, in the parameters' units squared per joule: one number for all, one per parameter, or none for 1.
    pub adaptation: Vec<f64>,
    /// Which parameters are learned.
    pub learned: Learned,
}

/// A law.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Law {
    /// No torque.
    #[default]
    None,
    /// The same torques all the time.
    Constant(Vec<f64>),
    /// Torques over time.
    Table(TorqueTable),
    /// Proportional to the error and to its rate.
    Pd(Gains),
    /// The same, with gravity made up for.
    PdGravity(Gains),
    /// The torque of the model for the acceleration that the error asks for.
    ComputedTorque(Gains),
    /// The torque of the reference, and a PD loop.
    FeedForward(Gains),
    /// Exact linearisation of an elastic robot.
    ExactLinearisation {
        /// Where the error's poles are, rad/s.
        poles: [Pole; 4],
    },
    /// PD on the joint angles of a flexible arm and feedback of its deflections.
    StrainFeedback {
        /// On the joint angles.
        gains: Gains,
        /// On the deflection of each link's tip, N, and on its rate, N s; one number for all links, or one per link.
        strain: Gains,
    },
    /// Adaptive control.
    Adaptive(AdaptiveLaw),
    /// A function; [`Law::from_fn`] makes it a law.
    Custom(CustomLaw),
}

impl Law {
    /// The names of all laws that a name and numbers tell.
    pub const NAMES: [&'static str; 10] = [
        "none",
        "constant",
        "table",
        "pd",
        "pd-gravity",
        "computed-torque",
        "feed-forward",
        "exact-linearisation",
        "strain-feedback",
        "adaptive",
    ];

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Constant(_) => "constant",
            Self::Table(_) => "table",
            Self::Pd(_) => "pd",
            Self::PdGravity(_) => "pd-gravity",
            Self::ComputedTorque(_) => "computed-torque",
            Self::FeedForward(_) => "feed-forward",
            Self::ExactLinearisation { .. } => "exact-linearisation",
            Self::StrainFeedback { .. } => "strain-feedback",
            Self::Adaptive(_) => "adaptive",
            Self::Custom(_) => "custom",
        }
    }

    /// The torques of a law that does not look at what it drives.
    #[must_use]
    pub fn open_loop(&self) -> Option<Torque> {
        match self {
            Self::None => Some(Torque::None),
            Self::Constant(values) => Some(Torque::Constant(values.clone())),
            Self::Table(table) => Some(Torque::Table(table.clone())),
            Self::Pd(_)
            | Self::PdGravity(_)
            | Self::ComputedTorque(_)
            | Self::FeedForward(_)
            | Self::ExactLinearisation { .. }
            | Self::StrainFeedback { .. }
            | Self::Adaptive(_)
            | Self::Custom(_) => None,
        }
    }

    /// True of a law that is made to follow a reference, and rests where the system starts if there is none.
    #[must_use]
    pub fn follows(&self) -> bool {
        match self {
            Self::None | Self::Constant(_) | Self::Table(_) | Self::Custom(_) => false,
            Self::Pd(_)
            | Self::PdGravity(_)
            | Self::ComputedTorque(_)
            | Self::FeedForward(_)
            | Self::ExactLinearisation { .. }
            | Self::StrainFeedback { .. }
            | Self::Adaptive(_) => true,
        }
    }
}

impl From<Torque> for Law {
    fn from(torque: Torque) -> Self {
        match torque {
            Torque::None => Self::None,
            Torque::Constant(values) => Self::Constant(values),
            Torque::Table(table) => Self::Table(table),
        }
    }
}

/// A law as a request says it: a name, and numbers of which each law takes its own.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LawRequest {
    /// Of `constant` and `table`.
    pub torque: Torque,
    /// Of the laws that follow a reference; the velocity gain also of `adaptive`.
    pub gains: Gains,
    /// Of `strain-feedback`.
    pub strain: Gains,
    /// Of `exact-linearisation`; without them four at the default rate.
    pub poles: Option<[Pole; 4]>,
    /// Λ of `adaptive`; without it the law's own.
    pub slope: Vec<f64>,
    /// Γ of `adaptive`; without it the law's own.
    pub adaptation: Vec<f64>,
    /// What `adaptive` learns.
    pub learned: Learned,
}

impl LawRequest {
    /// The law of this name.
    ///
    /// # Errors
    /// No such law, or torques that are not those of a constant or of a table.
    pub fn law(&self, name: &str) -> Result<Law, SimulationError> {
        let gains = || self.gains.clone();
        let wrong = |law: &'static str, needs: &'static str| Err(SimulationError::TorqueMissing { law, needs });
        match name {
            "none" => Ok(Law::None),
            "constant" => match &self.torque {
                Torque::Constant(values) => Ok(Law::Constant(values.clone())),
                Torque::None | Torque::Table(_) => wrong("constant", "one torque per drive"),
            },
            "table" => match &self.torque {
                Torque::Table(table) => Ok(Law::Table(table.clone())),
                Torque::None | Torque::Constant(_) => wrong("table", "torques over time"),
            },
            "pd" => Ok(Law::Pd(gains())),
            "pd-gravity" => Ok(Law::PdGravity(gains())),
            "computed-torque" => Ok(Law::ComputedTorque(gains())),
            "feed-forward" => Ok(Law::FeedForward(gains())),
            "exact-linearisation" => {
                Ok(Law::ExactLinearisation { poles: self.poles.unwrap_or([[-DEFAULT_RATE, 0.0]; 4]) })
            }
            "strain-feedback" => Ok(Law::StrainFeedback { gains: gains(), strain: self.strain.clone() }),
            "adaptive" => Ok(Law::Adaptive(AdaptiveLaw {
                slope: self.slope.clone(),
                velocity: self.gains.velocity.clone(),
                adaptation: self.adaptation.clone(),
                learned: self.learned,
            })),
            other => Err(SimulationError::UnknownLaw { law: other.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_its_law() {
        let table = TorqueTable::parse("0 1\n1 2\n", crate::prescribed::Interpolation::Hold).unwrap();
        for name in Law::NAMES {
            let torque = if name == "table" { Torque::Table(table.clone()) } else { Torque::Constant(vec![1.0]) };
            assert_eq!(LawRequest { torque, ..LawRequest::default() }.law(name).unwrap().name(), name);
        }
        let error = LawRequest::default().law("pid").unwrap_err();
        assert!(error.to_string().contains("pd-gravity"), "{error}");
        assert!(LawRequest::default().law("constant").is_err() && LawRequest::default().law("table").is_err());
    }
}
