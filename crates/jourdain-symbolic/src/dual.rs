//! Forward differentiation along one direction: a value and its derivative.
//!
//! A [`Dual`] is v + d ε with ε² = 0. Over a [`Jet`](crate::Jet) it gives the partial derivative of a time derivative;
//! over another `Dual`, a second derivative.
//!
//! Trap: a nested dual needs both seeds, x + ε₁ inside and + ε₂ outside; seeding one level leaves the mixed part zero.

use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use crate::Scalar;

/// A value with its derivative along one direction, over any scalar.
///
/// ```
/// use jourdain_symbolic::{Dual, Scalar};
///
/// let x = Dual::variable(3.0);
/// let y = x * x + Dual::fixed(1.0) / x;
/// assert_eq!(y.value, 9.0 + 1.0 / 3.0);
/// assert!((y.derivative - (6.0 - 1.0 / 9.0)).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<S: Scalar> {
    /// The value.
    pub value: S,
    /// The derivative of the value along the direction.
    pub derivative: S,
}

impl<S: Scalar> Dual<S> {
    /// A value with its derivative.
    #[inline]
    #[must_use]
    pub fn new(value: S, derivative: S) -> Self {
        Dual { value, derivative }
    }

    /// A value that does not change along the direction.
    #[inline]
    #[must_use]
    pub fn fixed(value: S) -> Self {
        Dual::new(value, S::zero())
    }

    /// The variable that is differentiated by: derivative one.
    #[inline]
    #[must_use]
    pub fn variable(value: S) -> Self {
        Dual::new(value, S::one())
    }
}

impl<S: Scalar> Scalar for Dual<S> {
    type Constant = S::Constant;

    #[inline]
    fn from_f64(value: f64) -> Self {
        Self::fixed(S::from_f64(value))
    }

    #[inline]
    fn constant(value: S::Constant) -> Self {
        Self::fixed(S::constant(value))
    }

    #[inline]
    fn scale(self, factor: S::Constant) -> Self {
        Dual::new(self.value.scale(factor), self.derivative.scale(factor))
    }

    #[inline]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Dual::new(
            self.value.mul_add(factor.value, addend.value),
            self.derivative.mul_add(factor.value, self.value.mul_add(factor.derivative, addend.derivative)),
        )
    }

    #[inline]
    fn scale_add(self, factor: S::Constant, addend: Self) -> Self {
        Dual::new(self.value.scale_add(factor, addend.value), self.derivative.scale_add(factor, addend.derivative))
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        (Dual::new(s, self.derivative * c), Dual::new(c, -(self.derivative * s)))
    }

    /// The square root has no derivative where the value is zero: the derivative is then not finite.
    #[inline]
    fn sqrt(self) -> Self {
        let s = self.value.sqrt();
        Dual::new(s, self.derivative * (S::from_f64(0.5) / s))
    }
}

impl<S: Scalar> Add for Dual<S> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Dual::new(self.value + other.value, self.derivative + other.derivative)
    }
}

impl<S: Scalar> Sub for Dual<S> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Dual::new(self.value - other.value, self.derivative - other.derivative)
    }
}

impl<S: Scalar> Neg for Dual<S> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Dual::new(-self.value, -self.derivative)
    }
}

impl<S: Scalar> Mul for Dual<S> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Dual::new(self.value * other.value, self.derivative.mul_add(other.value, self.value * other.derivative))
    }
}

impl<S: Scalar> Div for Dual<S> {
    type Output = Self;

    /// q̇ = (ẋ − q ẏ) / y; the inverse of y does not wait for q.
    #[inline]
    fn div(self, other: Self) -> Self {
        let q = self.value / other.value;
        let inverse = S::one() / other.value;
        Dual::new(q, q.mul_add(-other.derivative, self.derivative) * inverse)
    }
}

impl<S: Scalar> AddAssign for Dual<S> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Scalar> SubAssign for Dual<S> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
