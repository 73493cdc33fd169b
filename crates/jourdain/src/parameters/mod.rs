//! Inertial parameters: which of them the motion of a robot depends on, and in which combinations.
//!
//! A robot of n links has ten inertial parameters per link, but its equations of motion are those of fewer: some have no
//! effect, others act only together. The *base parameters* are the smallest set that gives the same equations.
//! [`BaseParameters::new`] finds them from the geometry alone, for any tree, any joint and any gravity.
//!
//! ```
//! use jourdain::dynamics::closed_form;
//! use jourdain::parameters::BaseParameters;
//! use jourdain::robots;
//!
//! let model = robots::load("puma560").ok_or("no such robot")?;
//! let base = BaseParameters::new(&model);
//! assert_eq!(base.count(), 36);
//! assert_eq!(base.per_link(), [1, 7, 7, 7, 7, 7, 0]); // the tool is welded on
//! let values = base.values(&closed_form::parameters(&model));
//! assert_eq!(values.len(), 36);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reference
//! GK is M. Gautier, W. Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", 1990. Its closed
//! forms are special cases of the rule of `structure`; the parameters that they keep are kept here too.

mod base;
mod blocks;
mod coupled;
mod effect;
pub mod exact;
mod explain;
mod geometry;
mod layout;
mod minimal;
pub mod names;
mod nominal;
pub mod paper;
pub mod rank;
mod regroup;
mod relation;
pub mod snap;
mod structure;
mod subspace;
pub mod symbolic;
mod transport;
mod witness;

pub use crate::model::field;

pub use base::{
    BaseParameters, Method, Regrouping, base_columns, base_labels, base_regressor, base_regressor_at, confirmed_count,
};
pub use effect::{Effect, effect};
pub use explain::{Elimination, Reason, eliminations};
pub use minimal::{Form, minimal_model};
pub(crate) use minimal::{MinimalParameters, inertia, minimal_parameters};
pub use nominal::{nominal, nominal_description};
pub use relation::{Relation, relations, symbolic_relations};
pub use snap::{Notice, Taken};
pub use witness::exact_rank;
