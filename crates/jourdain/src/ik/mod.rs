//! Inverse kinematics that resolves redundancy: the configuration that fulfils a task and is the best for a criterion,
//! certified and the same every time.
//!
//! Of all q with e(q) = 0 ([`Task`], m equations for n joints) wanted is one where a criterion H ([`criterion`]) is stationary: Ch (11).
//! [`Solver::solve`] finds minima by null-space Lagrange–Newton steps inside the joints' limits, and its [`Report`] says how far
//! the pose is off, how far H is from stationary and, by the eigenvalues of the reduced Hessian, of what [`Kind`] the point
//! is. An arm without redundancy is the case n = m.
//!
//! ```
//! use jourdain::ik::criterion::Manipulability;
//! use jourdain::ik::{Kind, Options, Solver, Status, Task};
//! use jourdain::spatial::{Pose, Vector};
//!
//! let model = jourdain::robots::load("planar3r_chang").ok_or("no such robot")?;
//! let tool = model.link_index("tool").ok_or("no such link")?;
//! let criterion = Box::new(Manipulability::default());
//! let mut solver = Solver::new(&model, Task::position_xy(tool), criterion, Options::default())?;
//!
//! let target = Pose::translation(Vector([0.446004, 0.091514, 0.0]));
//! let start = [-40.5_f64, 141.6, 78.4].map(f64::to_radians);
//! let solution = solver.solve(&target, Some(&start))?;
//! assert_eq!((solution.report.status, solution.report.kind), (Status::Solved, Kind::Minimum));
//! assert!((solution.q[1].to_degrees() - 134.4894).abs() < 1e-4); // Chang's Table I
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to get | call |
//! |---|---|
//! | the optimum near a start, or the best of many starts | [`Solver::solve`] |
//! | the same in a control loop, without allocation | [`Solver::solve_into`], [`Solver::best_into`] |
//! | the same for many targets, on all cores | [`Batch::solve_into`] |
//! | any configuration of the pose, fast | [`Solver::reach_into`] |
//! | the optimum along a path, by continuation | [`Solver::follow`] |
//! | all stationary points | [`Solver::solve_all`] |
//! | a proof that a target is out of reach | [`Solver::excludes`] |
//! | Chang's equations as printed, by Powell's hybrid method | [`Solver::solve_chang`] |
//! | the resolved-motion method, for comparison | [`Solver::resolved_motion`] |
//!
//! Trap: a stationary point need not be a minimum, and a minimum need not be the smallest one. The first is in the report;
//! for the second, start often.

mod batch;
mod chain;
mod chang;
mod continuation;
pub mod criterion;
mod enumerate;
mod events;
mod hybrid;
mod linear;
mod newton;
mod optima;
mod proof;
mod reach;
mod report;
mod resolved_motion;
mod search;
mod solver;
mod start;
mod task;

pub use batch::{Batch, Solutions};
pub use chain::{Chain, Geometry, Variable};
pub use chang::Extra;
pub use continuation::PathSolution;
pub use events::{Event, EventKind};
pub use report::{Goal, IkError, Kind, Options, Report, Solution, Status};
pub use resolved_motion::ResolvedMotion;
pub use solver::Solver;
pub use task::{LENGTH, Orientation, Task};
