//! Identification: base parameters and friction of a robot from measured motions and torques.
//!
//! τ = Y(q, q̇, q̈) β is linear in the base parameters β, so they follow from a log by weighted least squares. The log may be of
//! any length: [`Accumulator`] keeps one triangular factor per joint ([`Factors`]), which merge over parts of a log,
//! [`solve`] turns them into an [`Estimate`] with standard deviations, [`Comparison`] checks it on other data, and
//! [`estimated_robot`] writes it back into a robot. [`excite`] finds motions that show all parameters well.
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
//!     accumulator.add(&Sample { t, q: &q, qd: &qd, qdd: &qdd, tau: &tau });
//! }
//! let estimate = solve(&problem, &accumulator.finish())?;
//! for (value, exact) in estimate.values.iter().zip(problem.prior()) {
//!     assert!((value - exact).abs() < 1e-9);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulate;
mod error;
pub mod excite;
mod factors;
pub mod log;
mod problem;
mod robot;
mod solve;
mod triangle;
mod units;
mod validate;

pub use accumulate::{Accumulator, Sample};
pub use error::IdentifyError;
pub use factors::{Factors, Range};
pub use problem::{Drives, Problem};
pub use robot::{estimated_model, estimated_robot};
pub use solve::{Estimate, JointFit, solve};
pub use triangle::Triangle;
pub use validate::{Comparison, Drawn, JointError};
