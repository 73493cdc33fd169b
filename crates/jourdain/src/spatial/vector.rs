//! Vectors of three scalars.

use jourdain_symbolic::{Constant, Scalar};
use std::ops::{Add, AddAssign, Index, IndexMut, Neg, Sub, SubAssign};

/// Three coordinates x, y, z in some frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vector<S>(pub [S; 3]);

impl<S: Scalar> Vector<S> {
    /// The vector (x, y, z).
    #[inline(always)]
    pub fn new(x: S, y: S, z: S) -> Self {
        Self([x, y, z])
    }

    /// The zero vector.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self([S::zero(); 3])
    }

    /// The unit vector along axis `i` (0 = x).
    #[must_use]
    pub fn unit(i: usize) -> Self {
        Self(std::array::from_fn(|j| if i == j { S::one() } else { S::zero() }))
    }

    /// The vector with each coordinate mapped.
    #[inline(always)]
    #[must_use]
    pub fn map<U>(self, f: impl FnMut(S) -> U) -> Vector<U> {
        Vector(self.0.map(f))
    }

    /// The scalar product.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> S {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a.mul_add(x, b.mul_add(y, c * z))
    }

    /// The vector product `self × other`.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b.mul_add(z, -(c * y)), c.mul_add(x, -(a * z)), a.mul_add(y, -(b * x))])
    }

    /// The vector times a scalar.
    #[inline(always)]
    #[must_use]
    pub fn times(self, factor: S) -> Self {
        Self(self.0.map(|x| x * factor))
    }

    /// The squared length.
    #[inline(always)]
    #[must_use]
    pub fn norm_squared(self) -> S {
        self.dot(self)
    }

    /// The length.
    #[must_use]
    pub fn norm(self) -> S {
        self.norm_squared().sqrt()
    }
}

impl<T: Constant> Vector<T> {
    /// The same vector of constants as a vector of scalars.
    #[inline(always)]
    #[must_use]
    pub fn lift<S: Scalar<Constant = T>>(self) -> Vector<S> {
        Vector(self.0.map(S::constant))
    }

    /// True if every coordinate is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(Constant::is_zero)
    }
}

impl<S> Index<usize> for Vector<S> {
    type Output = S;

    #[inline(always)]
    fn index(&self, i: usize) -> &S {
        &self.0[i]
    }
}

impl<S> IndexMut<usize> for Vector<S> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut S {
        &mut self.0[i]
    }
}

impl<S: Scalar> Add for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1], self.0[2] + other.0[2]])
    }
}

impl<S: Scalar> Sub for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1], self.0[2] - other.0[2]])
    }
}

impl<S: Scalar> Neg for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<S: Scalar> AddAssign for Vector<S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Scalar> SubAssign for Vector<S> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
