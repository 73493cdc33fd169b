//! An `f64` that knows whether it is zero: beside its value it carries the same number modulo a prime.
//!
//! What is decided (dimensions, ranks, which coefficient vanishes) is decided by the residue, exactly. The value only says how
//! large a number is: it chooses among pivots and is what is printed. Where the residue is zero the value is made zero, so
//! that no rounding is left of what cancels.

use super::prime::Prime;
use crate::model::Number;
use crate::parameters::field::{Field, largest};

/// A number by its value and modulo a prime.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Certain {
    residue: Prime,
    value: f64,
}

impl Certain {
    pub fn new(residue: Prime, value: f64) -> Self {
        Self { residue, value: if residue.is_zero() { 0.0 } else { value } }
    }

    pub fn value(&self) -> f64 {
        self.value
    }

    pub fn residue(&self) -> Prime {
        self.residue
    }
}

impl PartialEq for Certain {
    fn eq(&self, other: &Self) -> bool {
        self.residue == other.residue
    }
}

impl Field for Certain {
    /// Lengths may be divided by a unit: both parts are.
    const EXACT: bool = false;

    fn zero() -> Self {
        Self { residue: Prime::zero(), value: 0.0 }
    }

    fn one() -> Self {
        Self { residue: Prime::one(), value: 1.0 }
    }

    fn add(&self, other: &Self) -> Self {
        Self::new(self.residue.add(&other.residue), self.value + other.value)
    }

    fn sub(&self, other: &Self) -> Self {
        Self::new(self.residue.sub(&other.residue), self.value - other.value)
    }

    fn mul(&self, other: &Self) -> Self {
        Self::new(self.residue.mul(&other.residue), self.value * other.value)
    }

    fn inverse(&self) -> Self {
        Self::new(self.residue.inverse(), self.value.inverse())
    }

    /// What is not zero may have a value too small for a number, but is a pivot.
    fn size(&self) -> f64 {
        if self.residue.is_zero() { 0.0 } else { self.value.abs().max(f64::MIN_POSITIVE) }
    }

    fn is_negligible(&self, _: f64) -> bool {
        self.residue.is_zero()
    }

    fn is_weak(&self, size: f64) -> bool {
        self.value.abs() <= size
    }

    fn is_zero(&self) -> bool {
        self.residue.is_zero()
    }

    fn from_number(number: Number, unit: f64) -> Self {
        Self::new(Prime::from_number(number, unit), f64::from_number(number, unit))
    }

    fn cos_sin(angle: f64) -> (Self, Self) {
        let (residues, values) = (Prime::cos_sin(angle), f64::cos_sin(angle));
        (Self::new(residues.0, values.0), Self::new(residues.1, values.1))
    }

    /// Divided by the power of two at its size, which rounds nothing.
    fn direction<const N: usize>(vector: [Self; N]) -> [Self; N] {
        let size = largest(&vector);
        if !(size > 0.0 && size.is_finite()) || (0.5..=2.0).contains(&size) {
            return vector;
        }
        let power = size.log2().floor().clamp(-1000.0, 1000.0).exp2();
        let scale = Self::new(super::prime::dyadic(power), power).inverse();
        vector.map(|x| x.mul(&scale))
    }

    fn unit_direction(axis: [Number; 3]) -> [Self; 3] {
        let (residues, values) = (Prime::unit_direction(axis), f64::unit_direction(axis));
        std::array::from_fn(|i| Self::new(residues[i], values[i]))
    }
}
