//! Vectors of the plane as complex numbers over a scalar: turning is multiplying.

use jourdain_symbolic::Scalar;
use std::ops::{Add, Mul, Sub};

/// x + i y
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Planar<S> {
    pub x: S,
    pub y: S,
}

impl<S: Scalar> Planar<S> {
    pub fn new(x: S, y: S) -> Self {
        Self { x, y }
    }

    pub fn zero() -> Self {
        Self::new(S::zero(), S::zero())
    }

    /// e^{i angle}
    pub fn turn(angle: S) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::new(cos, sin)
    }

    /// i times it: turned by a right angle, S of DS (7).
    pub fn left(self) -> Self {
        Self::new(-self.y, self.x)
    }

    pub fn times(self, factor: S) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }

    pub fn scale(self, factor: S::Constant) -> Self {
        Self::new(self.x.scale(factor), self.y.scale(factor))
    }

    pub fn dot(self, other: Self) -> S {
        self.x.mul_add(other.x, self.y * other.y)
    }

    /// Im(conj(self) · other): the moment of `other` acting at `self`.
    pub fn cross(self, other: Self) -> S {
        self.x * other.y - self.y * other.x
    }
}

impl<S: Scalar> Add for Planar<S> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl<S: Scalar> Sub for Planar<S> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl<S: Scalar> Mul for Planar<S> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.x * other.x - self.y * other.y, self.x * other.y + self.y * other.x)
    }
}
