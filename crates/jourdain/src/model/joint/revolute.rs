//! The revolute joint: rotation by q (rad) about an axis. One number, however far it turns.

use super::{Joint, JointType, Motion, Screw};
use crate::spatial::Vector;
use jourdain_symbolic::Constant;

impl<T: Constant> Joint<T> {
    /// Rotation about `axis` (any length but zero) through `point`, both in the link frame.
    #[must_use]
    pub fn revolute(axis: Vector<T>, point: Vector<T>) -> Self {
        Self { kind: JointType::Revolute, motion: Motion::Product(vec![Screw::rotation(axis, point, T::zero())]) }
    }
}
