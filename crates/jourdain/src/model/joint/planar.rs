//! The planar joint: q = (x, y, angle), two translations across a normal, then a rotation about it.

use super::{Joint, JointType, Motion, Screw};
use crate::spatial::Vector;
use jourdain_symbolic::Constant;

impl Joint<f64> {
    /// Motion in the plane across `normal` (any length but zero); the rotation axis goes through `point`.
    ///
    /// For the normal z the translations are along x and y. For another one the first is along the coordinate axis
    /// next in cyclic order after the normal's largest coordinate, made orthogonal to the normal, and the second
    /// completes the right-handed triad.
    #[must_use]
    pub fn planar(normal: Vector<f64>, point: Vector<f64>) -> Self {
        let n = normal.times(1.0 / normal.norm());
        let mut largest = 2;
        for i in [0, 1] {
            if n[i].abs() > n[largest].abs() {
                largest = i;
            }
        }
        let seed = Vector::unit((largest + 1) % 3);
        let x = seed - n.times(n.dot(seed));
        Self::planar_with_axes(x, n.cross(x), n, point)
    }
}

impl<T: Constant> Joint<T> {
    /// Translations along `x` and `y`, then a rotation about `normal` through `point`.
    #[must_use]
    pub fn planar_with_axes(x: Vector<T>, y: Vector<T>, normal: Vector<T>, point: Vector<T>) -> Self {
        let screws = vec![Screw::translation(x), Screw::translation(y), Screw::rotation(normal, point, T::zero())];
        Self { kind: JointType::Planar, motion: Motion::Product(screws) }
    }
}
