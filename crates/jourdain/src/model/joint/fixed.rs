//! The fixed joint: the link is welded to its parent. It keeps its own frame and inertia.

use super::{Joint, JointType, Motion};
use jourdain_symbolic::Constant;

impl<T: Constant> Joint<T> {
    /// No motion.
    #[must_use]
    pub fn fixed() -> Self {
        Self { kind: JointType::Fixed, motion: Motion::Product(Vec::new()) }
    }
}
