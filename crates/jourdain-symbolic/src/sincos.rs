//! Sine and cosine of several angles at once, without a branch per angle, so that the compiler makes one vector
//! instruction of each step.
//!
//! The angle is reduced by the nearest multiple of π/2, π/2 being subtracted in three parts of 33 bits (Cody and Waite):
//! a multiple below 2²⁰ times a part has at most 53 bits, hence every product is exact with and without a fused
//! multiply-add. What the last subtraction rounds off is kept as a tail and enters to first order. On [−π/4, π/4] sine
//! and cosine are the minimax polynomials of degree 13 and 14 of fdlibm (`k_sin.c`, `k_cos.c`). The error is below one
//! unit in the last place for |x| ≤ 10⁵.
//!
//! Traps: past 10⁵ the reduction would lose digits, so that a block with one such angle (or an infinite or undefined
//! one) is done again by the standard library as a whole. And relative accuracy at a zero other than x = 0 is only that of
//! the tail: the error there is about 10⁻²⁰ in absolute terms.

use crate::scalar::fused;

/// The largest angle that is reduced here.
const LIMIT: f64 = 1e5;

/// 1.5 · 2⁵²: adding it rounds to an integer and leaves that integer in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// π/2 in three parts, the leading 33 bits each.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E00_0000),
];

/// sin x = x + x³ (S₀ + S₁ x² + …).
const S: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// cos x = 1 − x²/2 + x⁴ (C₀ + C₁ x² + …).
const C: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sine and cosine of an angle in radians, for |x| ≤ 10⁵ and no branch.
#[inline(always)]
fn reduced(x: f64) -> (f64, f64) {
    // The sign is put back at the end, which makes the sine exactly odd and the cosine exactly even.
    let a = x.abs();
    let shifted = fused(a, core::f64::consts::FRAC_2_PI, ROUNDER);
    let minus_k = ROUNDER - shifted;
    let quadrant = shifted.to_bits();

    let near = fused(minus_k, HALF_PI[0], a);
    let r = fused(minus_k, HALF_PI[1], near);
    let tail = fused(minus_k, HALF_PI[2], fused(minus_k, HALF_PI[1], near - r));

    let z = r * r;
    let zz = z * z;
    let half_z = 0.5 * z;
    let w = 1.0 - half_z;

    // Pairs of terms in z and zz (Estrin) for a shorter chain than Horner's.
    let s_high = fused(fused(S[5], z, S[4]), zz, fused(S[3], z, S[2]));
    let s_poly = fused(s_high, zz, fused(S[1], z, S[0]));
    let sin = r + fused(r * z, s_poly, tail * w);

    let c_high = fused(fused(C[5], z, C[4]), zz, fused(C[3], z, C[2]));
    let c_poly = fused(c_high, zz, fused(C[1], z, C[0]));
    let cos = w + (((1.0 - w) - half_z) + fused(zz, c_poly, -(r * tail)));

    // Odd quadrants exchange the two; the sine is negative in quadrants 2 and 3, the cosine in 1 and 2.
    let (sin, cos) = (sin.to_bits(), cos.to_bits());
    let exchange = (sin ^ cos) & 0_u64.wrapping_sub(quadrant & 1);
    let sign = x.to_bits() & (1 << 63);
    (
        f64::from_bits(sin ^ exchange ^ sign ^ ((quadrant & 2) << 62)),
        f64::from_bits(cos ^ exchange ^ ((quadrant.wrapping_add(1) & 2) << 62)),
    )
}

/// Sine and cosine of a block of angles; the three slices have the same length.
///
/// The length is deliberately no constant and the function never inlined: a loop of known length is unrolled before it
/// is vectorised, and packing the pieces again mixes lanes with polynomials, which takes three times as long.
#[inline(never)]
fn sin_cos_block(x: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    let n = x.len().min(sin.len()).min(cos.len());
    let (x, sin, cos) = (&x[..n], &mut sin[..n], &mut cos[..n]);
    let mut outside = 0;
    for l in 0..n {
        (sin[l], cos[l]) = reduced(x[l]);
        // Bit patterns of positive numbers are ordered as the numbers are, infinity and NaN last: the top bit is set
        // for an angle past the limit.
        outside |= LIMIT.to_bits().wrapping_sub(x[l].abs().to_bits());
    }
    if outside >> 63 != 0 {
        for l in 0..n {
            (sin[l], cos[l]) = x[l].sin_cos();
        }
    }
}

/// Sine and cosine, in this order, of `L` angles.
#[inline(always)]
pub(crate) fn sin_cos_array<const L: usize>(x: &[f64; L]) -> ([f64; L], [f64; L]) {
    let (mut sin, mut cos) = ([0.0; L], [0.0; L]);
    sin_cos_block(x, &mut sin, &mut cos);
    (sin, cos)
}

/// Sine and cosine of every angle, in radians, written to `sin` and `cos`.
///
/// The error is below one unit in the last place. An infinite or undefined angle gives NaN, as in the standard library;
/// it, or one past 10⁵, slows the call down and may change the last bit of the others.
///
/// ```
/// let angles = [0.0, 0.5, 1.0, 1.5, 2.0];
/// let (mut sin, mut cos) = ([0.0; 5], [0.0; 5]);
/// jourdain_symbolic::sin_cos_slice(&angles, &mut sin, &mut cos);
/// assert_eq!((sin[0], cos[0]), (0.0, 1.0));
/// assert!((sin[4] - 2.0_f64.sin()).abs() < 2.3e-16);
/// ```
///
/// # Panics
/// If the three slices differ in length.
pub fn sin_cos_slice(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    /// One register.
    const WIDTH: usize = 4;
    assert!(angles.len() == sin.len() && angles.len() == cos.len(), "one sine and one cosine per angle");
    let n = angles.len();
    let whole = n - n % WIDTH;
    if n < WIDTH {
        let (mut x, mut s, mut c) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        x[..n].copy_from_slice(angles);
        sin_cos_block(&x, &mut s, &mut c);
        sin.copy_from_slice(&s[..n]);
        cos.copy_from_slice(&c[..n]);
    } else {
        sin_cos_block(&angles[..whole], &mut sin[..whole], &mut cos[..whole]);
        // The last register overlaps the one before: four angles together are faster than up to three one by one.
        if whole < n {
            sin_cos_block(&angles[n - WIDTH..], &mut sin[n - WIDTH..], &mut cos[n - WIDTH..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    /// One unit in the last place, at most 1.1e-16; at a zero of the function, what the tail leaves.
    fn agrees(found: f64, library: f64) -> bool {
        let unit = library.abs().next_up() - library.abs();
        (found - library).abs() <= unit.max(1e-20)
    }

    fn one(x: f64) -> (f64, f64) {
        let (s, c) = sin_cos_array(&[x]);
        (s[0], c[0])
    }

    fn check(angles: &[f64]) {
        let (mut sin, mut cos) = (vec![0.0; angles.len()], vec![0.0; angles.len()]);
        sin_cos_slice(angles, &mut sin, &mut cos);
        for ((&x, &s), &c) in angles.iter().zip(&sin).zip(&cos) {
            let (s_std, c_std) = x.sin_cos();
            assert!(agrees(s, s_std), "sin({x:e}) = {s:e}, not {s_std:e}");
            assert!(agrees(c, c_std), "cos({x:e}) = {c:e}, not {c_std:e}");
        }
    }

    #[test]
    fn error_is_at_most_a_unit_in_the_last_place_over_dense_ranges() {
        for (width, count) in [(1e-3, 40_000), (FRAC_PI_4, 200_000), (10.0, 400_000), (1e3, 400_000), (1e5, 800_000)] {
            let step = 2.0 * width / f64::from(count);
            let angles: Vec<f64> = (0..=count).map(|i| (f64::from(i) * step - width).clamp(-width, width)).collect();
            check(&angles);
        }
    }

    #[test]
    fn error_is_at_most_a_unit_in_the_last_place_around_multiples_of_an_eighth_turn() {
        let mut angles = Vec::new();
        for k in 0..127_000 {
            let multiple = f64::from(k) * FRAC_PI_4;
            for x in [multiple.next_down(), multiple, multiple.next_up(), multiple * (1.0 - 1e-12) + 1e-9] {
                angles.extend([x, -x]);
            }
        }
        check(&angles);
    }

    #[test]
    fn small_angles_and_zeros_of_the_sine_keep_relative_accuracy() {
        for exponent in -300..0 {
            let x = 1.234_567 * 10.0_f64.powi(exponent);
            assert!((one(x).0 / x.sin() - 1.0).abs() <= 2.3e-16, "sin({x:e})");
        }
        for k in 1..60_000 {
            let x = f64::from(k) * FRAC_PI_2;
            let ((s, c), (s_std, c_std)) = (one(x), x.sin_cos());
            let (small, small_std) = if k % 2 == 0 { (s, s_std) } else { (c, c_std) };
            assert!((small - small_std).abs() <= 1e-20, "at {k} quarter turns {small:e}, not {small_std:e}");
        }
    }

    #[test]
    fn sine_is_exactly_odd_and_cosine_exactly_even() {
        for i in 0..200_000 {
            let x = f64::from(i) * 0.499_983;
            let ((s, c), (s_minus, c_minus)) = (one(x), one(-x));
            assert_eq!((s.to_bits(), c.to_bits()), ((-s_minus).to_bits(), c_minus.to_bits()), "{x}");
        }
        assert_eq!(one(0.0).0.to_bits(), 0.0_f64.to_bits());
        assert_eq!(one(-0.0).0.to_bits(), (-0.0_f64).to_bits());
        assert_eq!(one(0.0).1, 1.0);
        assert_eq!(one(5e-324), (5e-324, 1.0));
    }

    #[test]
    fn past_the_limit_and_for_what_is_no_number_the_whole_block_is_the_standard_library() {
        check(&[LIMIT.next_down(), 1e5, -1e5, (-LIMIT).next_up()]);
        let odd_ones =
            [LIMIT.next_up(), -1e5 - 1.0, 1e9, 1e22, f64::MAX, f64::MIN, f64::INFINITY, -f64::INFINITY, f64::NAN];
        for odd in odd_ones {
            for place in 0..4 {
                let mut x = [0.3, -2.0, 99_999.0, 5.0];
                x[place] = odd;
                let (s, c) = sin_cos_array(&x);
                for l in 0..4 {
                    let (s_std, c_std) = x[l].sin_cos();
                    assert!(s[l] == s_std || s[l].is_nan() && s_std.is_nan(), "sin({}) = {}", x[l], s[l]);
                    assert!(c[l] == c_std || c[l].is_nan() && c_std.is_nan(), "cos({}) = {}", x[l], c[l]);
                }
            }
        }
    }

    #[test]
    fn every_length_gives_the_numbers_that_one_angle_gives() {
        for n in 0..40 {
            let angles: Vec<f64> = (0..n).map(|i| f64::from(i) * 1.7 - 20.0).collect();
            let (mut sin, mut cos) = (vec![f64::NAN; angles.len()], vec![f64::NAN; angles.len()]);
            sin_cos_slice(&angles, &mut sin, &mut cos);
            for (i, &x) in angles.iter().enumerate() {
                assert_eq!((sin[i], cos[i]), one(x), "angle {i} of {n}");
            }
        }
    }
}
