//! Fleets: identification from more logs than one machine reads, and watching what comes of it.
//!
//! The work is cut into steps that are pure functions of data, so that any scheduler can run them and run them again:
//!
//! ```text
//! request ─► Plan (recipe, shards; robots, where columns name them) ─► leaf per shard ─► merges along a Tree ─► estimate per robot or of all ─► report
//! ```
//!
//! A [`Recipe`] holds all that a leaf needs, the robot and how logs are read included: what one log would choose for itself is chosen once,
//! for all. The tree has a fixed shape over the shards in their order, so results do not depend, to the last bit, on who did what when.
//! `fleet identify` runs the steps on the threads of one machine; the Python package hands them to other engines.

mod arrange;
mod estimate;
pub mod identify;
mod leaf;
mod logs;
mod named;
mod names;
mod plan;
mod pool;
mod recipe;
mod report;
mod settings;
mod store;
mod tree;
pub mod watch;

pub use arrange::{Arrangement, Merging, arrange};
pub use estimate::{Condensed, Estimate, Fault, Pool, Pooling};
pub use leaf::{OnError, Outcome, SetAside, Shard};
pub use logs::Logs;
pub use named::Named;
pub use plan::Plan;
pub use recipe::{Ready, Recipe};
pub use report::{DroppedRows, Report, Rows};
pub use settings::Settings;
pub use store::Store;
pub use tree::Tree;
