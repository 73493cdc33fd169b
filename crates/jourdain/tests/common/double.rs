//! Numbers of twice the precision: a sum of two `f64` that do not overlap, about 31 digits. The formulas run on them as on any
//! scalar, and what they give is a witness for what they give on `f64`.
//!
//! # Reference
//! Dekker 1971; Hida, Li, Bailey 2001.

use jourdain_symbolic::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug)]
pub struct Double {
    pub high: f64,
    low: f64,
}

/// a + b exactly, for |a| ≥ |b|.
fn ordered(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// a + b exactly.
fn exact_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}

/// a · b exactly.
fn exact_product(a: f64, b: f64) -> Double {
    let high = a * b;
    Double { high, low: a.mul_add(b, -high) }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (s, t) = (exact_sum(self.high, other.high), exact_sum(self.low, other.low));
        let s = ordered(s.high, s.low + t.high);
        ordered(s.high, s.low + t.low)
    }
}

impl Neg for Double {
    type Output = Self;

    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let p = exact_product(self.high, other.high);
        ordered(p.high, p.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        ordered(first, second) + (rest.high / other.high).into()
    }
}

impl AddAssign for Double {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Double {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Double {
    type Constant = f64;

    fn from_f64(value: f64) -> Self {
        value.into()
    }

    fn constant(value: f64) -> Self {
        value.into()
    }

    fn scale(self, factor: f64) -> Self {
        self * factor.into()
    }

    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    fn scale_add(self, factor: f64, addend: Self) -> Self {
        self * Self::from(factor) + addend
    }

    /// By Taylor's series of a 256th of the angle, doubled eight times: for angles of a few turns.
    fn sin_cos(self) -> (Self, Self) {
        const HALVINGS: i32 = 8;
        let x = self.scale(0.5_f64.powi(HALVINGS));
        let square = x * x;
        let (mut sin, mut versine, mut term) = (x, Self::from(0.0), x);
        let mut even = Self::from(1.0);
        for k in 1..14 {
            let k = f64::from(k);
            even = -(even * square) / Self::from((2.0 * k - 1.0) * (2.0 * k));
            term = -(term * square) / Self::from(2.0 * k * (2.0 * k + 1.0));
            versine -= even;
            sin += term;
        }
        // 1 − cos keeps its digits where the cosine itself would not.
        for _ in 0..HALVINGS {
            let cos = Self::from(1.0) - versine;
            (sin, versine) = (sin.scale(2.0) * cos, (sin * sin).scale(2.0));
        }
        (sin, Self::from(1.0) - versine)
    }

    fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::from(self.high.sqrt());
        }
        let near = Self::from(self.high.sqrt());
        near + (self - near * near) / near.scale(2.0)
    }
}
