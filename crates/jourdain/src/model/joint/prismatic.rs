//! The prismatic joint: translation by q (m) along an axis.

use super::{Joint, JointType, Motion, Screw};
use crate::spatial::Vector;
use jourdain_symbolic::Constant;

impl<T: Constant> Joint<T> {
    /// Translation along `axis` (any length but zero), in the link frame.
    #[must_use]
    pub fn prismatic(axis: Vector<T>) -> Self {
        Self { kind: JointType::Prismatic, motion: Motion::Product(vec![Screw::translation(axis)]) }
    }
}
