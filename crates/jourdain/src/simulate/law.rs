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

use crate::elastic::control::Pole;
use crate::prescribed::TorqueTable;

/// Gains on the error of each joint and on its rate: one number for all joints, or one per joint. Without numbers the law's
/// own: ω² and 2ω at ω = 10 rad/s, for torques times the inertia that each joint sees at the start of the reference.
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
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveLaw {
    /// Λ, 1/s: one number for all joints, or one per joint.
    pub slope: Vec<f64>,
    /// K_D, N m s/rad: one number for all joints, one per joint, or none for 2 · 10 rad/s times the inertia of each.
    pub velocity: Vec<f64>,
    /// The diagonal of Γ, in the parameters' units squared per joule: one number for all, or one per parameter.
    pub adaptation: Vec<f64>,
    /// Which parameters are learned.
    pub learned: Learned,
}

impl Default for AdaptiveLaw {
    fn default() -> Self {
        Self { slope: vec![5.0], velocity: Vec::new(), adaptation: vec![1.0], learned: Learned::Base }
    }
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
}

impl Law {
    /// The names of all laws.
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
        }
    }

    /// True if it looks at what it drives.
    #[must_use]
    pub fn is_feedback(&self) -> bool {
        !matches!(self, Self::None | Self::Constant(_) | Self::Table(_))
    }
}

impl From<crate::prescribed::Torque> for Law {
    fn from(torque: crate::prescribed::Torque) -> Self {
        use crate::prescribed::Torque;
        match torque {
            Torque::None => Self::None,
            Torque::Constant(values) => Self::Constant(values),
            Torque::Table(table) => Self::Table(table),
        }
    }
}
