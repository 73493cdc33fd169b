//! From a quantity to its formula: the quantity's function is run on symbols, and what it leaves behind becomes a program
//! or equations to read.
//!
//! ```
//! use jourdain::derive::{DeriveOptions, Parameters, derive, formula};
//! use jourdain::quantity::Quantity;
//! use jourdain::robots;
//! use jourdain_symbolic::collect::Notation;
//!
//! let model = robots::load("planar2r").ok_or("no such robot")?;
//! let gravity = Quantity::parse("gravity", &model)?;
//! let options = DeriveOptions { parameters: Parameters::Symbolic, ..DeriveOptions::default() };
//! let equations = formula(&model, &gravity, &options)?.equations;
//! assert_eq!(equations[1].right.written(Notation::Text), "m2*g*L2*cos(q1 + q2)");
//!
//! let program = derive(&model, &gravity, &DeriveOptions::default())?.program;
//! let mut torques = [0.0; 2];
//! program.run(&[0.0, 0.0], &mut torques);
//! assert!((torques[1] - 1.5 * 9.80665 * 0.4).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod document;
mod formula;
mod layout;
mod notation;
mod package;
mod parameters;
mod reference;
mod trace;

pub use document::document;
pub use formula::{Equation, Formula, formula};
pub use layout::Layout;
pub use package::{Package, PackageOptions, package};
pub use parameters::Parameter;
pub use reference::reference_state;
use trace::Traced;
pub(crate) use trace::derive_loaded;
pub use trace::{Derivation, DeriveError, DeriveOptions, Parameters, Simplify, derive, derive_together, expressions};
