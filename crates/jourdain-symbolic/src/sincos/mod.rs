//! Sine and cosine of several angles at once, without a branch per angle, four in a register.
//!
//! [`kernel`] has the formula, over any register of four numbers: one of AVX2 where the processor, asked at run time, has it
//! (in the module of machine code); that of the `wide` crate, which every machine has, elsewhere.
//!
//! Traps: past 10⁵ the reduction would lose digits, so that such an angle (or an infinite or undefined one) is done again by
//! the standard library; its neighbours are not touched. And relative accuracy at a zero other than x = 0 is only that of the
//! tail: the error there is about 10⁻²⁰ in absolute terms.

mod kernel;
mod portable;

#[allow(unused_imports, reason = "machine code is not made for every processor")]
pub(crate) use kernel::Register;
use kernel::sin_cos_register;
use wide::f64x4;

/// Numbers in a register.
const WIDTH: usize = 4;

/// Sine and cosine, in this order, of `L` angles.
#[inline]
pub(crate) fn sin_cos_array<const L: usize>(x: &[f64; L]) -> ([f64; L], [f64; L]) {
    let (mut sin, mut cos) = ([0.0; L], [0.0; L]);
    sin_cos_slice(x, &mut sin, &mut cos);
    (sin, cos)
}

/// Sine and cosine of every angle, in radians, written to `sin` and `cos`.
///
/// The error is below one unit in the last place. An infinite or undefined angle gives NaN, as in the standard library;
/// it, or one past 10⁵, slows the call down.
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
#[inline]
pub fn sin_cos_slice(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    if !crate::jit::sin_cos_if_fused(angles, sin, cos) {
        sin_cos_with::<f64x4>(angles, sin, cos);
    }
}

/// [`sin_cos_slice`] on a choice of registers.
#[inline(always)]
pub(crate) fn sin_cos_with<R: Register>(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    assert!(angles.len() == sin.len() && angles.len() == cos.len(), "one sine and one cosine per angle");
    let n = angles.len();
    if n < WIDTH {
        let (mut x, mut s, mut c) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        x[..n].copy_from_slice(angles);
        sin_cos_register::<R>(&x, &mut s, &mut c);
        sin.copy_from_slice(&s[..n]);
        cos.copy_from_slice(&c[..n]);
        return;
    }
    let whole = angles.as_chunks().0.iter().zip(sin.as_chunks_mut().0).zip(cos.as_chunks_mut().0);
    for ((x, sin), cos) in whole {
        sin_cos_register::<R>(x, sin, cos);
    }
    // The last register overlaps the one before: four angles together are faster than up to three one by one.
    if !n.is_multiple_of(WIDTH)
        && let (Some(x), Some(sin), Some(cos)) = (angles.last_chunk(), sin.last_chunk_mut(), cos.last_chunk_mut())
    {
        sin_cos_register::<R>(x, sin, cos);
    }
}

#[cfg(test)]
mod tests {
    use super::kernel::LIMIT;
    use super::*;
    use crate::random::repetitions;
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
            let count = repetitions(count);
            let step = 2.0 * width / f64::from(count);
            let angles: Vec<f64> = (0..=count).map(|i| (f64::from(i) * step - width).clamp(-width, width)).collect();
            check(&angles);
        }
    }

    #[test]
    fn error_is_at_most_a_unit_in_the_last_place_around_multiples_of_an_eighth_turn() {
        let mut angles = Vec::new();
        for k in 0..repetitions::<i32>(127_000) {
            let multiple = f64::from(k) * FRAC_PI_4;
            for x in [multiple.next_down(), multiple, multiple.next_up(), multiple * (1.0 - 1e-12) + 1e-9] {
                angles.extend([x, -x]);
            }
        }
        check(&angles);
    }

    #[test]
    fn small_angles_and_zeros_of_the_sine_keep_relative_accuracy() {
        for exponent in (-300..0).take(repetitions(300)) {
            let x = 1.234_567 * 10.0_f64.powi(exponent);
            assert!((one(x).0 / x.sin() - 1.0).abs() <= 2.3e-16, "sin({x:e})");
        }
        for k in 1..repetitions::<i32>(60_000) {
            let x = f64::from(k) * FRAC_PI_2;
            let ((s, c), (s_std, c_std)) = (one(x), x.sin_cos());
            let (small, small_std) = if k % 2 == 0 { (s, s_std) } else { (c, c_std) };
            assert!((small - small_std).abs() <= 1e-20, "at {k} quarter turns {small:e}, not {small_std:e}");
        }
    }

    #[test]
    fn sine_is_exactly_odd_and_cosine_exactly_even() {
        for i in 0..repetitions::<i32>(200_000) {
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
    fn past_the_limit_and_for_what_is_no_number_an_angle_is_the_standard_librarys_and_its_neighbours_are_not() {
        check(&[LIMIT.next_down(), 1e5, -1e5, (-LIMIT).next_up()]);
        let odd_ones =
            [LIMIT.next_up(), -1e5 - 1.0, 1e9, 1e22, f64::MAX, f64::MIN, f64::INFINITY, -f64::INFINITY, f64::NAN];
        for odd in odd_ones {
            for place in 0..4 {
                let mut x = [0.3, -2.0, 99_999.0, 5.0];
                x[place] = odd;
                let (s, c) = sin_cos_array(&x);
                for l in 0..4 {
                    let (s_std, c_std) = if l == place { x[l].sin_cos() } else { one(x[l]) };
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
