//! Robots drawn to scale in parallel projections.

mod order;
pub mod outline;
pub mod set;
pub mod sheet;
pub mod skeleton;
pub mod stage;
pub mod view;

pub use skeleton::Skeleton;
pub use stage::{Bounds, Stage};
pub use view::View;
