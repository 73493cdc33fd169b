//! Points of the circle modulo a prime: e^{iθ} as one residue x, cos θ = (x + 1/x)/2, sin θ = (x − 1/x)/2i.
//!
//! A multiple of 15° is a power of ζ = e^{iπ/12}. An angle whose cosine and sine were meant to be rational (arccos 3/5) has
//! them. Any other angle is a decimal n·10⁻¹⁵ and becomes gⁿ with one random g: e^{i·10⁻¹⁵} is transcendental (Lindemann and
//! Weierstrass), so that only sums of angles that vanish can make angles special, and powers keep exactly those
//! (0.3 + 0.2 − 0.5 = 0).
//!
//! Trap: signs of roots are not free. √2 = ζ³ + ζ⁻³ and √3 = ζ² + ζ⁻² belong to this ζ; others are another robot.

use super::angle;
use super::prime::Residue;
use crate::model::Number;
use crate::parameters::field::Field;
use std::f64::consts::PI;

/// Multiples of 15° are known by less than this, relative: rounding of the text or of a product.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Digits after the point of an angle.
const UNITS: i128 = 1_000_000_000_000_000;

/// Base of the powers for angles that are not special: as good as any number.
const RANDOM: u64 = 0x1234_5678_9abc_def1;

/// How many times 15° an angle is, if it is that but for rounding.
pub(super) fn twenty_fourths(angle: f64) -> Option<i64> {
    let parts = angle * 12.0 / PI;
    let whole = parts.round();
    // An angle of 10¹⁵ and more is whole by itself.
    let special = whole.abs() < 1e9 && (parts - whole).abs() <= ROUNDING * parts.abs().max(1.0);
    special.then_some(whole as i64)
}

impl<const C: u64> Residue<C> {
    /// ζ = e^{iπ/12}: the power of the smallest number that has exactly the order 24.
    pub(super) const ZETA: Self = {
        let mut base = 2;
        loop {
            let root = Self::small(base).power((Self::P - 1) / 24);
            if !root.power(12).is_one() && !root.power(8).is_one() {
                break root;
            }
            base += 1;
        }
    };

    /// ζ to a whole power.
    pub(super) fn turned(twenty_fourths: i64) -> Self {
        Self::ZETA.power(twenty_fourths.rem_euclid(24) as u64)
    }
}

/// e^{iθ} of an angle of a robot file, rad.
pub(super) fn constant<const C: u64>(angle: f64) -> Residue<C> {
    if let Some(parts) = twenty_fourths(angle) {
        return Residue::turned(parts);
    }
    if let Some((cos, sin)) = angle::rational(angle, |p, q| {
        let [p, q] = [p, q].map(|x| Residue::<C>::from_integer(x.into()));
        p.mul(&q.inverse())
    }) {
        return cos.add(&sin.mul(&Residue::turned(6)));
    }
    let exact = Number::from(angle).exact.filter(|fraction| UNITS % i128::from(fraction.denominator) == 0);
    let units = exact.map_or((angle * UNITS as f64).round() as i128, |fraction| {
        i128::from(fraction.numerator) * (UNITS / i128::from(fraction.denominator))
    });
    Residue::from_bits(RANDOM).signed_power(units)
}

impl<const C: u64> Residue<C> {
    /// Cosine and sine of the point of the circle that this is.
    pub(in crate::parameters) fn cos_sin_of_point(self) -> (Self, Self) {
        cos_sin(self)
    }
}

/// Cosine and sine of a point of the circle.
pub(super) fn cos_sin<const C: u64>(point: Residue<C>) -> (Residue<C>, Residue<C>) {
    let inverse = point.inverse();
    let half = Residue::<C>::from_integer(2).inverse();
    // 1/i = −i
    let half_over_i = half.mul(&Residue::turned(-6));
    (point.add(&inverse).mul(&half), point.sub(&inverse).mul(&half_over_i))
}

#[cfg(test)]
mod tests {
    use super::super::prime::{OtherPrime, Prime};
    use super::*;

    fn circles<const C: u64>() {
        let integer = |x: i128| Residue::<C>::from_integer(x);
        let of = |angle: f64| cos_sin(constant::<C>(angle));
        let (cos, sin) = of(PI / 4.0);
        assert_eq!((cos, cos.mul(&cos).mul(&integer(2))), (sin, integer(1)));
        let (cos, sin) = of(PI / 6.0);
        assert_eq!((sin.mul(&integer(2)), cos.mul(&cos).mul(&integer(4))), (integer(1), integer(3)));
        assert_eq!(of(-PI / 2.0), (integer(0), integer(-1)));
        let (cos, sin) = of(0.6_f64.acos());
        assert_eq!((cos.mul(&integer(5)), sin.mul(&integer(5))), (integer(3), integer(4)));
        let product = [0.3, 0.2, -0.5].iter().fold(integer(1), |product, &angle| product.mul(&constant(angle)));
        assert_eq!(product, integer(1));
        assert_ne!(constant::<C>(PI / 4.0 + 2e-6), constant(PI / 4.0));
        for angle in [0.3, 1.0, 2.5e-7, 0.123_456_789_012_345_6, 12.75] {
            let (cos, sin) = of(angle);
            assert_eq!(cos.mul(&cos).add(&sin.mul(&sin)), integer(1));
            assert_eq!(of(-angle), (cos, sin.neg()));
        }
    }

    #[test]
    fn special_angles_are_exact_and_decimals_keep_their_sums() {
        assert_eq!((Prime::ZETA.power(24), OtherPrime::ZETA.power(24)), (Prime::one(), OtherPrime::one()));
        circles::<49663>();
        circles::<53431>();
    }

    #[test]
    fn multiples_of_fifteen_degrees_are_known_but_for_rounding() {
        assert_eq!([0.0, PI / 12.0, -PI, 50.0 * PI].map(twenty_fourths), [Some(0), Some(1), Some(-12), Some(600)]);
        assert_eq!([PI / 2.0 + 4e-6, 1e-12, 0.26, 1e300, f64::NAN].map(twenty_fourths), [None; 5]);
    }
}
