//! Twists (velocities, se(3)) and wrenches (forces, se*(3)), linear part first, with the adjoint maps of the algebra.

use super::vector::Vector;
use jourdain_symbolic::Scalar;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The velocity of a rigid body: of the point at the frame's origin, and the angular velocity, both in frame axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Twist<S> {
    /// Velocity of the origin, m/s.
    pub linear: Vector<S>,
    /// Angular velocity, rad/s.
    pub angular: Vector<S>,
}

/// A force and moment on a rigid body, the moment about the frame's origin, both in frame axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrench<S> {
    /// Force, N.
    pub force: Vector<S>,
    /// Moment about the origin, N m.
    pub moment: Vector<S>,
}

impl<S: Scalar> Twist<S> {
    /// At rest.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self { linear: Vector::zero(), angular: Vector::zero() }
    }

    /// Unit twist `i` of the stack linear x, y, z, angular x, y, z.
    #[must_use]
    pub fn unit(i: usize) -> Self {
        Self::from_array(std::array::from_fn(|j| if i == j { S::one() } else { S::zero() }))
    }

    /// The stack linear x, y, z, angular x, y, z.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [S; 6] {
        let ([a, b, c], [d, e, f]) = (self.linear.0, self.angular.0);
        [a, b, c, d, e, f]
    }

    /// From the stack linear x, y, z, angular x, y, z.
    #[inline(always)]
    #[must_use]
    pub fn from_array([a, b, c, d, e, f]: [S; 6]) -> Self {
        Self { linear: Vector([a, b, c]), angular: Vector([d, e, f]) }
    }

    /// The Lie bracket ad(self) other, written `v × other`.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self {
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
            angular: self.angular.cross(other.angular),
        }
    }

    /// The dual action −ad(self)ᵀ f, written `v ×* f`: how a wrench fixed in a moving frame changes.
    #[inline(always)]
    #[must_use]
    pub fn cross_dual(self, f: Wrench<S>) -> Wrench<S> {
        Wrench { force: self.angular.cross(f.force), moment: self.angular.cross(f.moment) + self.linear.cross(f.force) }
    }

    /// The power of a wrench on this twist, W.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, f: Wrench<S>) -> S {
        self.linear.dot(f.force) + self.angular.dot(f.moment)
    }

    /// The twist times a scalar.
    #[inline(always)]
    #[must_use]
    pub fn times(self, factor: S) -> Self {
        Self { linear: self.linear.times(factor), angular: self.angular.times(factor) }
    }
}

impl<S: Scalar> Wrench<S> {
    /// No load.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self { force: Vector::zero(), moment: Vector::zero() }
    }

    /// The stack force x, y, z, moment x, y, z.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [S; 6] {
        let ([a, b, c], [d, e, f]) = (self.force.0, self.moment.0);
        [a, b, c, d, e, f]
    }

    /// From the stack force x, y, z, moment x, y, z.
    #[inline(always)]
    #[must_use]
    pub fn from_array([a, b, c, d, e, f]: [S; 6]) -> Self {
        Self { force: Vector([a, b, c]), moment: Vector([d, e, f]) }
    }

    /// The bracket of a momentum with a twist, h ×̄* u = u ×* h: linear in both, read as a matrix acting on `u`.
    #[inline(always)]
    #[must_use]
    pub fn bar_cross(self, u: Twist<S>) -> Self {
        u.cross_dual(self)
    }

    /// The wrench times a scalar.
    #[inline(always)]
    #[must_use]
    pub fn times(self, factor: S) -> Self {
        Self { force: self.force.times(factor), moment: self.moment.times(factor) }
    }
}

macro_rules! componentwise {
    ($type:ident, $first:ident, $second:ident) => {
        impl<S: Scalar> Add for $type<S> {
            type Output = Self;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $first: self.$first + other.$first, $second: self.$second + other.$second }
            }
        }

        impl<S: Scalar> Sub for $type<S> {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $first: self.$first - other.$first, $second: self.$second - other.$second }
            }
        }

        impl<S: Scalar> Neg for $type<S> {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }

        impl<S: Scalar> AddAssign for $type<S> {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl<S: Scalar> SubAssign for $type<S> {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
    };
}

componentwise!(Twist, linear, angular);
componentwise!(Wrench, force, moment);
