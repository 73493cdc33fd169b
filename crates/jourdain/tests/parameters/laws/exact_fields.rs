//! The exact fields as fields: angles, fractions and powers where the answer is a fraction.

use jourdain::model::Number;
use jourdain::parameters::exact::{OtherPrime, Prime, Rational, Residue};
use jourdain::parameters::field::Field;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::fmt::Debug;

fn fraction<F: Field>(numerator: i32, denominator: i32) -> F {
    F::integer(numerator).mul(&F::integer(denominator).inverse())
}

fn right_angles<F: Field + Debug>() {
    for quarters in -9_i32..=9 {
        let (cos, sin) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters.rem_euclid(4) as usize];
        let found = F::cos_sin(f64::from(quarters) * FRAC_PI_2);
        assert_eq!(found, (F::integer(cos), F::integer(sin)), "{quarters} right angles");
    }
}

#[test]
fn right_angles_are_exact_however_many_there_are() {
    right_angles::<Rational>();
    right_angles::<Prime>();
    right_angles::<OtherPrime>();
}

/// cos = (1 − t²)/(1 + t²) and sin = 2 t/(1 + t²) with t the tangent of the half angle.
fn simple_tangents<F: Field + Debug>() {
    for turns in [-1.0, 0.0, 1.0] {
        for (p, q) in [(1, 2), (2, 3), (-3, 7), (1, 500), (-7, 900)] {
            let angle = turns * TAU + 2.0 * (f64::from(p) / f64::from(q)).atan();
            let square = q * q + p * p;
            let expected = (fraction(q * q - p * p, square), fraction(2 * p * q, square));
            assert_eq!(F::cos_sin(angle), expected, "tangent {p}/{q}, {turns} turns");
        }
    }
}

#[test]
fn angles_with_simple_tangents_of_their_halves_have_rational_cosines() {
    simple_tangents::<Prime>();
    simple_tangents::<OtherPrime>();
}

/// Turns by a multiple of 15° come back after 24 of them, also where their angle is rounded.
#[test]
fn multiples_of_fifteen_degrees_are_exact_however_many_there_are() {
    let of = |count: i32| Prime::cos_sin(f64::from(count) * PI / 12.0);
    for count in (-30_000..30_000).step_by(997) {
        assert_eq!(of(count), of(count.rem_euclid(24)), "{count}");
    }
}

/// A number that is taken as the multiple of a power of two that its `f64` is.
fn binary(value: f64) -> Number {
    Number { value, exact: None }
}

fn powers_of_two<F: Field + Debug>() {
    let two = F::integer(2);
    let times = |x: F, power: u32| (0..power).fold(x, |product, _| product.mul(&two));
    assert_eq!(F::from_number(binary(0.375), 1.0), fraction(3, 8));
    assert_eq!(F::from_number(binary(-6.0), 1.0), F::integer(-6));
    assert_eq!(F::from_number(binary(3.0 * 80_f64.exp2()), 1.0), times(F::integer(3), 80));
    // The least numbers there are.
    assert_eq!(times(F::from_number(binary(f64::from_bits(3)), 1.0), 1074), F::integer(3));
    assert_eq!(times(F::from_number(binary(f64::MIN_POSITIVE), 1.0), 1022), F::one());
}

#[test]
fn doubles_are_taken_as_the_fractions_that_they_are() {
    powers_of_two::<Rational>();
    powers_of_two::<Prime>();
    powers_of_two::<OtherPrime>();
}

fn zeros<F: Field + Debug>() {
    assert_eq!((F::zero().size(), F::integer(-3).size(), fraction::<F>(1, 7).size()), (0.0, 1.0, 1.0));
    assert_eq!(F::zero().inverse(), F::zero());
    for scale in [0.0, 1.0, 1e30] {
        assert!(F::zero().is_negligible(scale) && !fraction::<F>(1, 1_000_000).is_negligible(scale));
    }
}

#[test]
fn an_exact_field_has_zero_and_what_is_not_zero() {
    zeros::<Rational>();
    zeros::<Prime>();
    assert_eq!(Prime::from_bits(12_345).bits(), 12_345);
    assert_eq!(Prime::from_bits(Prime::P + 7).bits(), 7);
}

#[test]
fn fractions_are_written_short_or_in_twelve_digits() {
    let text = |p: i64, q: i64| (Rational::fraction(p, q).to_text(), Rational::fraction(p, q).to_latex());
    let both = |text: &str, latex: &str| (text.to_owned(), latex.to_owned());
    assert_eq!(text(6, 3), both("2", "2"));
    assert_eq!(text(-4, 1), both("-4", "-4"));
    assert_eq!(text(1, 3), both("1/3", r"\tfrac{1}{3}"));
    assert_eq!(text(-2, 1000), both("-1/500", r"-\tfrac{1}{500}"));
    assert_eq!(text(1, 1000), both("1/1000", r"\tfrac{1}{1000}"));
    assert_eq!(text(1, 1001), both("0.000999000999001", "0.000999000999001"));
    assert_eq!(text(1, 0), both("0", "0"));
    let is_negative = |p: i64| Rational::fraction(p, 7).is_negative();
    assert_eq!([-1, 0, 1].map(is_negative), [true, false, false]);
}

/// The roots of two and three are those of the angles of 45° and 30°, and roots of products are products of roots.
fn unit_vectors<const C: u64>() {
    let whole = |axis: [i32; 3]| axis.map(Number::integer);
    let unit = Residue::<C>::unit_direction;
    for axis in [[1, 0, 0], [0, -2, 0], [1, 1, 0], [1, 2, 3], [-3, 4, 5], [7, -1, 6], [1, 1, 10], [3555, 2108, 0]] {
        let found = unit(whole(axis));
        let square = found.iter().fold(Residue::zero(), |sum, x| sum.add(&x.mul(x)));
        assert_eq!(square, Residue::one(), "{axis:?}");
        // Twice as long it is the same direction, backwards the opposite.
        assert_eq!(unit(whole(axis.map(|x| 2 * x))), found, "{axis:?}");
        assert_eq!(unit(whole(axis.map(|x| -x))), found.map(|x| x.neg()), "{axis:?}");
    }
    let fractions = |axis: [&str; 3]| unit(axis.map(|text| Number::parse(text).unwrap()));
    assert_eq!(fractions(["1/3", "1/6", "1/2"]), unit(whole([2, 1, 3])));
    assert_eq!(fractions(["0.5", "-0.25", "1"]), unit(whole([2, -1, 4])));
    let of = |angle: f64| Residue::<C>::cos_sin(angle).0;
    let two = Residue::<C>::integer(2);
    let (root2, root3) = (of(PI / 4.0).mul(&two), of(PI / 6.0).mul(&two));
    let root6 = root2.mul(&root3);
    for (axis, factor, root) in [
        ([1, 1, 0], 1, root2),
        ([1, 1, 1], 1, root3),
        ([1, 1, 2], 1, root6),
        ([1, 1, 4], 3, root2),
        ([1, 1, 5], 3, root3),
        ([3, 4, 5], 5, root2),
        ([1, 5, 7], 5, root3),
        ([1, 2, 7], 3, root6),
        ([1, 7, 10], 5, root6),
    ] {
        let length = root.mul(&Residue::integer(factor));
        assert_eq!(unit(whole(axis))[0].mul(&length), Residue::integer(axis[0]), "{axis:?}");
    }
    assert_eq!(unit(whole([3555, 2108, 0]))[0], fraction(3555, 4133));
}

#[test]
fn directions_of_whole_numbers_have_one_length_and_one_sign_of_every_root() {
    unit_vectors::<49_663>();
    unit_vectors::<53_431>();
}
