//! The universal joint: two rotations in sequence about axes that meet, q = (first angle, second angle).
//!
//! The second axis is fixed to the link, so its direction in the parent turns with the first: Ξ depends on q. Trap:
//! algorithms that assume a constant Ξ are wrong here without saying so.

use super::{Joint, JointType, Motion, Screw};
use crate::spatial::Vector;
use jourdain_symbolic::Constant;

impl<T: Constant> Joint<T> {
    /// Rotations about `axes[0]` then `axes[1]` (at zero position, any length but zero) through `point`.
    #[must_use]
    pub fn universal(axes: [Vector<T>; 2], point: Vector<T>) -> Self {
        let screws = axes.map(|axis| Screw::rotation(axis, point, T::zero())).to_vec();
        Self { kind: JointType::Universal, motion: Motion::Product(screws) }
    }
}
