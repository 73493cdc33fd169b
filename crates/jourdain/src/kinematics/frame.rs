//! Where and in which axes the motion of a link is observed.

use crate::spatial::{Rotation, Twist, Vector};
use jourdain_symbolic::{Constant, Scalar};

/// The axes that velocities are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// The link's own.
    Link,
    /// The ground's.
    World,
}

/// A point of a link and a set of axes.
///
/// ```
/// use jourdain::kinematics::Frame;
/// use jourdain::spatial::Vector;
///
/// let body = Frame::<f64>::body(3);
/// let fingertip = Frame::world_aligned(3).at(Vector([0.0, 0.0, 0.1]));
/// assert_eq!(body.link, fingertip.link);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<T> {
    /// Index of the link.
    pub link: usize,
    /// The axes.
    pub axes: Axes,
    /// The observed point, in the link frame, m; `None` for the link origin.
    pub point: Option<Vector<T>>,
}

impl<T: Constant> Frame<T> {
    /// The link's own axes at its origin: body Jacobians.
    #[must_use]
    pub fn body(link: usize) -> Self {
        Self { link, axes: Axes::Link, point: None }
    }

    /// World axes at the link's origin.
    #[must_use]
    pub fn world_aligned(link: usize) -> Self {
        Self { link, axes: Axes::World, point: None }
    }

    /// The same axes at another point, given in the link frame.
    #[must_use]
    pub fn at(self, point: Vector<T>) -> Self {
        Self { point: Some(point), ..self }
    }

    /// A twist at the link origin, or its rate, seen at the point; link axes both.
    #[inline]
    pub(super) fn at_point<S: Scalar<Constant = T>>(&self, twist: Twist<S>) -> Twist<S> {
        match self.point {
            Some(point) => Twist { linear: twist.linear + twist.angular.cross(point.lift()), ..twist },
            None => twist,
        }
    }
}

/// Both parts of a twist turned into other axes, its reference point kept.
#[inline]
pub(super) fn turned<S: Scalar>(rotation: &Rotation<S>, twist: Twist<S>) -> Twist<S> {
    Twist { linear: rotation.apply(twist.linear), angular: rotation.apply(twist.angular) }
}

/// ω × both parts of a twist: what turning axes do to its components.
#[inline]
pub(super) fn swept<S: Scalar>(omega: Vector<S>, twist: Twist<S>) -> Twist<S> {
    Twist { linear: omega.cross(twist.linear), angular: omega.cross(twist.angular) }
}
