//! Identification: base parameters and friction of a robot from measured motions and torques.
//!
//! τ = Y(q, q̇, q̈) β is linear in the base parameters β, so they follow from a log by weighted least squares. The log may be of
//! any length: [`Accumulator`] keeps one triangular factor per joint ([`Factors`]), which merge over parts of a log,
//! [`solve`] turns them into an [`Estimate`] with standard deviations, [`consistent`] into parameters that a robot can have,
//! [`Comparison`] checks either on other data, and [`estimated_robot`] and [`consistent_robot`] write them back into a robot. [`excite`] finds motions that show all parameters well.
//!
//! ```
//! use jourdain::identify::{Accumulator, Drives, Problem, Sample, solve};
//! use jourdain::{dynamics::recursive, robots};
//!
//! let model = robots::load("planar2r").ok_or("no such robot")?;
//! let problem = Problem::new(&model, Drives::default())?;
//! let mut accumulator = Accumulator::new(&problem);
//! for i in 0..500 {
//!     let t = 0.01 * i as f64;
//!     let q = [t.sin(), (1.7 * t).cos()];
//!     let qd = [t.cos(), -1.7 * (1.7 * t).sin()];
//!     let qdd = [-t.sin(), -2.89 * (1.7 * t).cos()];
//!     let tau = recursive::inverse_dynamics(&model, &q, &qd, &qdd, &[]);
//!     accumulator.add(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
//! }
//! let estimate = solve(&problem, &accumulator.finish())?;
//! for (value, exact) in estimate.values.iter().zip(problem.prior()) {
//!     assert!((value - exact).abs() < 1e-9);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulate;
mod batch;
mod blocks;
mod consistent;
mod elastic;
mod error;
mod essential;
pub mod excite;
mod factors;
mod hash;
mod hysteresis;
mod identity;
pub mod log;
mod outliers;
mod packed;
mod plausible;
mod pooled;
mod poses;
mod predict;
mod problem;
mod residuals;
mod robot;
mod solve;
mod spread;
mod study;
mod terms;
mod triangle;
mod units;
mod validate;
pub mod watch;
mod written_drives;

pub use accumulate::{Accumulator, Sample, accumulate};
pub use blocks::{Block, Blocks};
pub use consistent::{
    Bounds, ChosenWeight, Consistent, Gains, LinkBounds, PRIOR_WEIGHT, Payload, Recorded, SHOWN, Scale, choose_weight,
    consistent, consistent_within, gains, payload, refit_friction,
};
pub use elastic::{FoundSpring, Measured, SideFit, Springs, springs, sprung_robot};
pub use error::IdentifyError;
pub use essential::{Essential, essential, shown};
pub use factors::{DriveSettings, Factors, Range};
pub use hash::Hash;
pub use hysteresis::{Coordinates, Hysteresis, LENGTHS};
pub use identity::{Identity, LogPart, LogSettings, RobotIdentity, RowCounts, table_hash};
pub use outliers::{BEYOND, Choice, Screen, Stretch};
pub use pooled::{Individual, Member, Pooled, pooled};
pub use poses::{Poses, poses};
pub use problem::{Drives, Problem, Rest};
pub use residuals::{JointResiduals, LAGS, Peak, Residuals};
pub use robot::{consistent_robot, estimated_model, estimated_robot};
pub use solve::{Estimate, JointFit, solve};
pub use study::{LateJoint, Study, study};
pub use terms::{DriveColumn, Term};
pub use triangle::Triangle;
pub use validate::{Comparison, Drawn, JointError, STANDING};
pub use written_drives::robot_with_drives;
