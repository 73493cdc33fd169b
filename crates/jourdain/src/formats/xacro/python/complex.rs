//! Complex numbers: what a fractional power of a negative number is.

use super::super::failure::{Failure, Outcome};
use super::format::float_repr;
use super::value::Value;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    /// The complex number that a value is.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Complex(value) => Some(*value),
            _ => value.as_float().map(|re| Self { re, im: 0.0 }),
        }
    }

    pub fn is_zero(self) -> bool {
        self.re == 0.0 && self.im == 0.0
    }

    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    pub fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    pub fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }

    pub fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    /// Smith's division, as Python does it.
    pub fn div(self, other: Self) -> Outcome<Self> {
        if other.is_zero() {
            return Err(Failure::expression("division by zero"));
        }
        if other.re.abs() >= other.im.abs() {
            let ratio = other.im / other.re;
            let scale = other.re + other.im * ratio;
            Ok(Self { re: (self.re + self.im * ratio) / scale, im: (self.im - self.re * ratio) / scale })
        } else {
            let ratio = other.re / other.im;
            let scale = other.re * ratio + other.im;
            Ok(Self { re: (self.re * ratio + self.im) / scale, im: (self.im * ratio - self.re) / scale })
        }
    }

    /// A power: repeated products for small whole exponents, otherwise by length and angle.
    pub fn pow(self, exponent: Self) -> Outcome<Self> {
        if exponent.is_zero() {
            return Ok(Self { re: 1.0, im: 0.0 });
        }
        if self.is_zero() {
            if exponent.re < 0.0 || exponent.im != 0.0 {
                return Err(Failure::expression("zero has no negative or complex power"));
            }
            return Ok(Self { re: 0.0, im: 0.0 });
        }
        if exponent.im == 0.0 && exponent.re.fract() == 0.0 && exponent.re.abs() <= 100.0 {
            let (mut power, mut square, mut left) = (Self { re: 1.0, im: 0.0 }, self, exponent.re.abs() as u32);
            while left > 0 {
                power = if left & 1 == 1 { power.mul(square) } else { power };
                square = square.mul(square);
                left >>= 1;
            }
            return if exponent.re < 0.0 { Self { re: 1.0, im: 0.0 }.div(power) } else { Ok(power) };
        }
        let (length, angle) = (self.abs(), self.im.atan2(self.re));
        let mut scale = length.powf(exponent.re);
        let mut phase = angle * exponent.re;
        if exponent.im != 0.0 {
            scale *= (-angle * exponent.im).exp();
            phase += exponent.im * length.ln();
        }
        Ok(Self { re: scale * phase.cos(), im: scale * phase.sin() })
    }

    /// As Python writes it: `(1+2j)`, or `2j` without a real part.
    pub fn repr(self) -> String {
        let bare = |value: f64| {
            let text = float_repr(value);
            text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
        };
        if self.re == 0.0 && self.re.is_sign_positive() {
            return format!("{}j", bare(self.im));
        }
        let sign = if self.im.is_sign_negative() { "" } else { "+" };
        format!("({}{sign}{}j)", bare(self.re), bare(self.im))
    }
}
