//! The fixed joint: the link is welded to its parent. It keeps its own frame and inertia.

use super::{Facts, JointKind};

pub(super) const FACTS: Facts = Facts { has_one_axis: true, ..Facts::new("fixed", &[], || JointKind::Fixed) };
