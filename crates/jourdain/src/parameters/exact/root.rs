//! Unit vectors modulo a prime: what joints that turn together need, because their speeds are compared.
//!
//! The length of a direction with whole coordinates is √N. N is split into primes, each with one root that is the same for the whole
//! robot; √2 and √3 are those of the circle. Where N has no root in the field the direction is moved by a rounding error
//! to one of rational length, in a way that commutes with changes of sign and order of coordinates.

use super::prime::{Residue, dyadic};
use crate::model::Number;
use crate::parameters::field::{Field, dot};

/// Prime factors are sought up to this; what is left counts as one.
const LARGEST_FACTOR: u128 = 1 << 12;

/// Largest coordinate whose square is added up exactly.
const LARGEST: i128 = 1 << 61;

/// The axis with unit length.
pub(super) fn unit_direction<const C: u64>(axis: [Number; 3]) -> [Residue<C>; 3] {
    exact(axis).unwrap_or_else(|| nearby(axis.map(|x| x.value)))
}

fn exact<const C: u64>(axis: [Number; 3]) -> Option<[Residue<C>; 3]> {
    let whole = whole(axis)?;
    let square = whole.iter().map(|x| x.unsigned_abs() * x.unsigned_abs()).sum();
    let scale = root::<C>(square)?.inverse();
    Some(whole.map(|x| Residue::from_integer(x).mul(&scale)))
}

/// The direction in whole numbers without a common factor.
fn whole(axis: [Number; 3]) -> Option<[i128; 3]> {
    let [x, y, z] = axis.map(|x| x.exact);
    let fractions = [x?, y?, z?];
    let denominator = fractions.iter().try_fold(1_i128, |common, fraction| {
        let other = i128::from(fraction.denominator);
        (common / divisor(common, other)).checked_mul(other)
    })?;
    let mut scaled = [0; 3];
    for (scaled, fraction) in scaled.iter_mut().zip(fractions) {
        let factor = denominator / i128::from(fraction.denominator);
        *scaled = i128::from(fraction.numerator).checked_mul(factor)?;
    }
    let common = scaled.iter().fold(0, |common, &x| divisor(common, x)).max(1);
    let whole = scaled.map(|x| x / common);
    whole.iter().all(|x| x.abs() < LARGEST).then_some(whole)
}

/// The greatest common divisor; of zero and a number, the number.
pub(in crate::parameters) fn divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The root of a whole number, if it has one.
fn root<const C: u64>(mut square: u128) -> Option<Residue<C>> {
    let mut product = Residue::<C>::one();
    let mut factor = 2;
    while factor <= LARGEST_FACTOR && factor * factor <= square {
        let mut power = 0;
        while square.is_multiple_of(factor) {
            (square, power) = (square / factor, power + 1);
        }
        product = product.mul(&Residue::from_integer(factor as i128).power(power / 2));
        if power % 2 == 1 {
            product = product.mul(&root_of_factor(factor)?);
        }
        factor += if factor == 2 { 1 } else { 2 };
    }
    let whole = square.isqrt();
    let rest = if whole * whole == square { Residue::from_integer(whole as i128) } else { root_of_factor(square)? };
    Some(product.mul(&rest))
}

/// The root of a prime number: one and the same, wherever it occurs.
fn root_of_factor<const C: u64>(factor: u128) -> Option<Residue<C>> {
    match factor {
        2 => Some(Residue::turned(3).add(&Residue::turned(-3))),
        3 => Some(Residue::turned(2).add(&Residue::turned(-2))),
        _ => square_root(Residue::from_integer(factor as i128)),
    }
}

/// The smaller of the two roots, by Tonelli and Shanks.
fn square_root<const C: u64>(square: Residue<C>) -> Option<Residue<C>> {
    let one = Residue::one();
    let p = Residue::<C>::P;
    if square.power((p - 1) / 2) != one {
        return None;
    }
    let twos = (p - 1).trailing_zeros();
    let odd = (p - 1) >> twos;
    let other = (2..).map(Residue::from_integer).find(|x: &Residue<C>| x.power((p - 1) / 2) != one)?;
    let (mut bound, mut spin) = (twos, other.power(odd));
    let (mut rest, mut root) = (square.power(odd), square.power(odd.div_ceil(2)));
    while rest != one {
        let mut order = 0;
        let mut power = rest;
        while power != one {
            (power, order) = (power.mul(&power), order + 1);
        }
        let factor = spin.power(1 << (bound - order - 1));
        spin = factor.mul(&factor);
        (rest, root, bound) = (rest.mul(&spin), root.mul(&factor), order);
    }
    let opposite = root.neg();
    Some(if root.bits() < opposite.bits() { root } else { opposite })
}

/// The stereographic projection from the coordinate that stands out, with dyadic numbers: of unit length exactly, and
/// within a rounding error of the direction.
fn nearby<const C: u64>(axis: [f64; 3]) -> [Residue<C>; 3] {
    let unit = f64::direction(axis);
    let size = unit.map(f64::abs);
    // Of two equal coordinates neither stands out, so that they stay equal.
    let alone = |i: usize| (0..3).all(|j| j == i || size[j] != size[i]);
    let pole = (0..3).filter(|&i| alone(i)).max_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(2);
    let sign = if unit[pole] < 0.0 { -1.0 } else { 1.0 };
    let mut flat: [Residue<C>; 3] =
        std::array::from_fn(|i| if i == pole { Residue::zero() } else { dyadic(unit[i] / (1.0 + size[pole])) });
    let square = dot(&flat, &flat);
    let scale = Residue::one().add(&square).inverse();
    let double = scale.add(&scale);
    flat = flat.map(|x| x.mul(&double));
    flat[pole] = Residue::one().sub(&square).mul(&scale).mul(&Residue::from_integer(sign as i128));
    flat
}

#[cfg(test)]
mod tests {
    use super::super::prime::{OtherPrime, Prime};
    use super::*;

    fn direction<const C: u64>(axis: [f64; 3]) -> [Residue<C>; 3] {
        unit_direction(axis.map(Number::from))
    }

    #[test]
    fn directions_have_unit_length_and_the_ratios_that_were_written() {
        for axis in
            [[0.0, 0.0, 1.0], [3.0, 0.0, -4.0], [1.0, 1.0, 0.0], [1.0, -2.0, 3.0], [0.1, 0.25, 0.3], [5.0, 2.0, 0.0]]
        {
            let unit = direction::<49663>(axis);
            assert_eq!(dot(&unit, &unit), Prime::one(), "{axis:?}");
            let unit = direction::<53431>(axis);
            assert_eq!(dot(&unit, &unit), OtherPrime::one(), "{axis:?}");
        }
        let [x, y, z] = direction::<49663>([1.0, -2.0, 3.0]);
        assert_eq!((x.mul(&Prime::from_integer(-2)), x.mul(&Prime::from_integer(3))), (y, z));
    }

    #[test]
    fn the_diagonal_is_the_one_of_the_circle() {
        let [x, y, _] = direction::<49663>([1.0, 1.0, 0.0]);
        assert_eq!((x, y), Prime::cos_sin(std::f64::consts::FRAC_PI_4));
    }

    #[test]
    fn axes_without_a_root_keep_zeros_signs_and_order() {
        // 29 is no square modulo either prime.
        let [x, y, z] = direction::<49663>([5.0, 2.0, 0.0]);
        assert_eq!(z, Prime::zero());
        assert_eq!(direction::<49663>([0.0, -2.0, 5.0]), [z, y.neg(), x]);
        assert!(root::<49663>(29).is_none() && root::<53431>(29).is_none());
    }
}
