//! The two traits every formula is written over: [`Scalar`] and [`Constant`], and their realisation by `f64`.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A value that a formula computes with: a number, a jet, a dual, a bundle of lanes or a symbol.
///
/// Formulas use ring operations, division, [`sqrt`](Scalar::sqrt) and [`sin_cos`](Scalar::sin_cos), and branch on the
/// model, never on a scalar: there is deliberately no comparison here.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// What the constants of a model are made of when formulas run on this scalar.
    type Constant: Constant;

    /// The constant `value`, exactly.
    fn from_f64(value: f64) -> Self;

    /// A constant of the model as a scalar.
    fn constant(value: Self::Constant) -> Self;

    /// `self · factor` by a constant of the model.
    #[must_use]
    fn scale(self, factor: Self::Constant) -> Self;

    /// `self · factor + addend`; fused where the machine can.
    #[must_use]
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// `self · factor + addend` with a constant factor; fused where the machine can.
    #[must_use]
    fn scale_add(self, factor: Self::Constant, addend: Self) -> Self;

    /// Sine and cosine, in this order, of an angle in radians.
    #[must_use]
    fn sin_cos(self) -> (Self, Self);

    /// Sine and cosine, in this order, of `self` + `ahead`, given those of `self`.
    ///
    /// The two are composed and the angles not added: of a sum with a constant, 10⁸ rad round off 10⁻⁸ rad.
    #[inline(always)]
    #[must_use]
    fn sin_cos_ahead(self, (sin, cos): (Self, Self), ahead: &Ahead<Self::Constant>) -> (Self, Self) {
        (sin.scale_add(ahead.cos, cos.scale(ahead.sin)), cos.scale_add(ahead.cos, -sin.scale(ahead.sin)))
    }

    /// Sines and cosines of many angles in radians, which some scalars take faster together. Slices of one length.
    #[inline]
    fn sin_cos_slice(angles: &[Self], sin: &mut [Self], cos: &mut [Self]) {
        for ((angle, sin), cos) in angles.iter().zip(sin).zip(cos) {
            (*sin, *cos) = angle.sin_cos();
        }
    }

    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// 1 / `self`, and no number (NaN) where |`self`| is below `least`: for a pivot, of which rounding would decide whether it
    /// is large or infinite.
    ///
    /// Without a comparison: the square root of a negative number is none, and 10⁻³⁰⁰ of one changes no digit.
    #[inline(always)]
    #[must_use]
    fn inverse_above(self, least: Self::Constant) -> Self {
        let least = Self::constant(least);
        let margin = ((self - least) * (self + least)).sqrt();
        Self::one() / margin.mul_add(Self::from_f64(1e-300), self)
    }

    /// Zero.
    #[must_use]
    fn zero() -> Self {
        Self::from_f64(0.0)
    }

    /// One.
    #[must_use]
    fn one() -> Self {
        Self::from_f64(1.0)
    }
}

/// A constant of a model: a number, or a symbol that stands for one.
///
/// Unlike a [`Scalar`] it can be asked whether it is zero, because what is zero in the model may be left out of a
/// formula.
pub trait Constant: Scalar<Constant = Self> + PartialEq {
    /// True if the value is zero for every value of the symbols in it.
    fn is_zero(&self) -> bool;

    /// The value, if it is a plain number.
    fn to_f64(&self) -> Option<f64>;
}

/// A constant angle that is added to others, with its sine and cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead<T> {
    /// The angle, rad.
    pub angle: T,
    /// Its sine.
    pub sin: T,
    /// Its cosine.
    pub cos: T,
}

impl<T: Constant> Ahead<T> {
    /// The sum of two such angles.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let (sin, cos) = self.angle.sin_cos_ahead((self.sin, self.cos), other);
        Self { angle: self.angle + other.angle, sin, cos }
    }

    /// The same angle with constants of another type.
    pub fn map<U>(&self, f: &mut impl FnMut(T) -> U) -> Ahead<U> {
        Ahead { angle: f(self.angle), sin: f(self.sin), cos: f(self.cos) }
    }
}

impl Scalar for f64 {
    type Constant = f64;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self * factor
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        fused(self, factor, addend)
    }

    #[inline(always)]
    fn scale_add(self, factor: f64, addend: Self) -> Self {
        fused(self, factor, addend)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }

    #[inline]
    fn sin_cos_slice(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) {
        crate::sincos::sin_cos_slice(angles, sin, cos);
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn inverse_above(self, least: f64) -> Self {
        if self.abs() > least { 1.0 / self } else { f64::NAN }
    }
}

impl Constant for f64 {
    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn to_f64(&self) -> Option<f64> {
        Some(*self)
    }
}

/// `a · b + c`, in one rounding where the target has the instruction. Without it `f64::mul_add` is a library call,
/// thirty times slower than two operations.
#[inline(always)]
pub(crate) fn fused(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}
