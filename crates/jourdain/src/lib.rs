//! Closed-form robot models: kinematics and dynamics of tree robots, their derivatives and regressors.
//!
//! Every formula is one function generic over a [`Scalar`]: run on `f64` it gives numbers, on a
//! [`Jet`](jourdain_symbolic::Jet) time derivatives, on a [`Dual`](jourdain_symbolic::Dual) partial derivatives, on
//! [`Lanes`](jourdain_symbolic::Lanes) several states at once.
//!
//! ```
//! use jourdain::dynamics::{closed_form, recursive};
//! use jourdain::{Workspace, robots};
//!
//! let model = robots::load("iiwa14").ok_or("no such robot")?;
//! let n = model.nv();
//! let mut workspace = Workspace::<f64>::new(&model); // all memory, allocated once
//!
//! let q = vec![0.3; n];
//! let rest = vec![0.0; n];
//! let mut mass_matrix = vec![0.0; n * n]; // row by row
//! recursive::mass_matrix_into(&model, &q, &mut workspace, &mut mass_matrix);
//! assert_eq!(mass_matrix[1], mass_matrix[n]);
//!
//! let mut tau = vec![0.0; n];
//! recursive::inverse_dynamics_into(&model, &q, &rest, &rest, &[], &mut workspace, &mut tau);
//! // At rest the torques are those of gravity; here by the closed form of the paper.
//! for (tau, g) in tau.iter().zip(closed_form::gravity(&model, &q)) {
//!     assert!((tau - g).abs() < 1e-9);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contents
//!
//! From the bottom up; a module uses only those before it (readers of flexible arms, in [`formats`], apart).
//!
//! | module | what it has |
//! |---|---|
//! | [`spatial`] | rotations, poses, twists, wrenches, inertias |
//! | [`matrix`] | the dense [`Matrix`] that allocating forms return |
//! | [`model`] | the robot: [`Model`], its links and [joints](model::joint), checks, the [tree of bodies](model::body_tree) that fast algorithms run on |
//! | [`state`] | the [`State`] that a quantity is evaluated at |
//! | [`formats`] | robot files: URDF, native TOML and JSON, DH tables, screw lists; state files |
//! | [`robots`], [`arms`] | the built-in robots and flexible arms |
//! | [`kinematics`] | poses, Jacobians, their rates and partials, the centre of mass |
//! | [`dynamics`] | M, C, g, τ, their derivatives and regressors |
//! | [`dynamics::closed_form`] | these as the papers have them: the reference |
//! | [`dynamics::recursive`] | these fast, in place, over the tree of bodies |
//! | [`ik`] | inverse kinematics of redundant arms: optimal configurations, certified; paths |
//! | [`parameters`] | base parameters: the smallest set of inertial parameters with the same motion |
//! | [`prescribed`] | motions as functions of time: cosines, polynomials, splines, smoothed samples |
//! | [`identify`] | base parameters and friction from measured motions; exciting motions |
//! | [`integrate`] | differential equations in time: fixed, adaptive and implicit steps, one loop |
//! | [`linear`] | small motions: frequencies, modes, poles, zeros, state space |
//! | [`elastic`] | robots with elastic joints: inverse and forward dynamics, linearisation, control, robustness |
//! | [`flexible`] | planar arms with flexible links: modes, explicit equations, linearisation |
//! | [`quantity`] | the registry: every quantity by name, with shape, inputs, unit and equation |
//! | [`simulate`] | rigid, elastic and flexible systems moving under any law |
//! | [`derive`](mod@derive) | quantities as equations, programs and generated code |
//! | [`compile`] | quantities as machine code |
//! | [`bench`](mod@bench) | how fast each way of computing a quantity is on this machine |
//! | [`batch`] | quantities at many states on all cores, as machine code where that pays |
//!
//! # Which form to call
//!
//! - By name, checked, with errors: [`quantity::Quantity::evaluate`]; many states on all cores:
//!   [`batch::evaluate_batch`]; without end, block by block: [`batch::Batch`].
//! - Fastest, for one state or many: [`Model::compile`], once; then [`compile::CompiledModel::run`].
//! - In a control loop without that: the `_into` forms of [`dynamics::recursive`] and [`kinematics`]. They write to memory given to them
//!   and allocate nothing; lengths and unit quaternions are the caller's duty ([`State::checked`] sees to both).
//! - Next to the paper: [`dynamics::closed_form`].
//! - Time derivatives of any order: a formula on [`kinematics::trajectory::jets`]; partial derivatives: on
//!   [`kinematics::tangent::along`].
//!
//! # Conventions
//!
//! SI and radians. Twists are body-fixed, **linear part first**. A spherical joint has a quaternion w, x, y, z in `q` and a
//! body angular velocity; a free joint position, quaternion and body twist. Wrenches are applied *to* a link, in link axes
//! at its origin: τ = M q̈ + C q̇ + g − Σ Jᵀ W + friction. Arrays are row-major, the variable of a derivative is the last
//! index. `NOTATION.md` in the repository has them all, `ARCHITECTURE.md` the equation behind each file.

#![forbid(unsafe_code)]

/// The example of `docs/compile.md` is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/compile.md")]
struct CompilePage;

/// The example of `docs/simulate.md` is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/simulate.md")]
struct SimulatePage;

pub mod arms;
pub mod batch;
pub mod bench;
pub mod compile;
pub mod derive;
pub mod dynamics;
pub mod elastic;
mod evaluator;
pub mod flexible;
pub mod formats;
pub mod identify;
pub mod ik;
pub mod integrate;
#[cfg(feature = "nalgebra")]
mod interop;
pub mod kinematics;
pub mod linear;
pub mod matrix;
pub mod model;
pub mod parameters;
pub mod prescribed;
pub mod quantity;
mod random;
pub mod robots;
pub mod simulate;
pub mod spatial;
mod spectral;
pub mod state;
pub mod unit;
mod workspace;

pub use evaluator::Evaluator;
pub use jourdain_symbolic::{Constant, Scalar};
pub use matrix::Matrix;
pub use model::Model;
pub use state::State;
pub use workspace::Workspace;
