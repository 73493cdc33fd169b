//! The helical joint: rotation by q (rad) about an axis with travel pitch·q (m) along it.

use super::{Joint, JointType, Motion, Screw};
use crate::spatial::Vector;
use jourdain_symbolic::Constant;

impl<T: Constant> Joint<T> {
    /// A screw about `axis` (any length but zero) through `point`; `pitch` in m/rad.
    #[must_use]
    pub fn helical(axis: Vector<T>, point: Vector<T>, pitch: T) -> Self {
        Self { kind: JointType::Helical, motion: Motion::Product(vec![Screw::rotation(axis, point, pitch)]) }
    }
}
