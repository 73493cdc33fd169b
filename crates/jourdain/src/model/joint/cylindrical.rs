//! The cylindrical joint: rotation about, and translation along, one axis, q = (angle, displacement).

use super::{Joint, JointType, Motion, Screw};
use crate::spatial::Vector;
use jourdain_symbolic::Constant;

impl<T: Constant> Joint<T> {
    /// Rotation about and translation along `axis` (any length but zero) through `point`.
    #[must_use]
    pub fn cylindrical(axis: Vector<T>, point: Vector<T>) -> Self {
        let screws = vec![Screw::rotation(axis, point, T::zero()), Screw::translation(axis)];
        Self { kind: JointType::Cylindrical, motion: Motion::Product(screws) }
    }
}
