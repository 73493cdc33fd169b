//! How far up the spectrum of a motion reaches, for a cut-off that leaves the motion alone and takes the noise away.
//!
//! The power spectrum of a detrended, Hann-windowed stretch of samples has the motion at the bottom and a floor of noise above
//! it. The floor is the median over the upper half of the band; the motion ends where the spectrum last stands clear of it.

use std::f64::consts::PI;

/// The motion stands clear of the noise by this factor of power.
const CLEAR: f64 = 30.0;
/// Power below this share of the largest is no motion, noise or not.
const NEGLIGIBLE: f64 = 1e-9;

/// The highest frequency of a motion, Hz, for samples at `rate`; `None` if there are too few or nothing moves.
#[must_use]
pub fn bandwidth(samples: &[f64], rate: f64) -> Option<f64> {
    let length = if samples.len().is_power_of_two() { samples.len() } else { samples.len().next_power_of_two() / 2 };
    if length < 32 {
        return None;
    }
    let mut re = windowed(&samples[..length]);
    let mut im = vec![0.0; length];
    fourier(&mut re, &mut im);
    let half = length / 2;
    let power: Vec<f64> = (0..half).map(|k| re[k] * re[k] + im[k] * im[k]).collect();
    let largest = power.iter().fold(0.0_f64, |largest, x| largest.max(*x));
    if largest == 0.0 {
        return None;
    }
    let mut upper = power[half / 2..].to_vec();
    upper.sort_by(f64::total_cmp);
    let floor = (CLEAR * upper[upper.len() / 2]).max(NEGLIGIBLE * largest);
    // Single bins of noise stand out now and then; a motion does so over the width of the window.
    let clear = |k: usize| power[k..(k + 3).min(half)].iter().filter(|x| **x > floor).count() >= 2;
    let last = (1..half.saturating_sub(2)).rev().find(|k| clear(*k))?;
    Some((last + 1) as f64 * rate / length as f64)
}

/// The samples less the straight line through their ends, under a Hann window.
fn windowed(samples: &[f64]) -> Vec<f64> {
    let last = (samples.len() - 1) as f64;
    let (first, slope) = (samples[0], (samples[samples.len() - 1] - samples[0]) / last);
    let weight = |i: f64| 0.5 - 0.5 * (2.0 * PI * i / last).cos();
    samples.iter().enumerate().map(|(i, x)| (x - first - slope * i as f64) * weight(i as f64)).collect()
}

/// The discrete Fourier transform in place, by halving (Cooley and Tukey); the length is a power of two.
fn fourier(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut size = 2;
    while size <= n {
        let (step_im, step_re) = (-2.0 * PI / size as f64).sin_cos();
        for start in (0..n).step_by(size) {
            let (mut w_re, mut w_im) = (1.0, 0.0);
            for k in start..start + size / 2 {
                let other = k + size / 2;
                let (x, y) = (re[other] * w_re - im[other] * w_im, re[other] * w_im + im[other] * w_re);
                (re[other], im[other]) = (re[k] - x, im[k] - y);
                (re[k], im[k]) = (re[k] + x, im[k] + y);
                (w_re, w_im) = (w_re * step_re - w_im * step_im, w_re * step_im + w_im * step_re);
            }
        }
        size *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_wave_ends_at_its_frequency_with_and_without_noise() {
        let mut random = Random(11);
        for noise in [0.0, 1e-4, 1e-2] {
            let wave =
                |i: usize| (2.0 * PI * 3.0 * i as f64 / 500.0).sin() + 0.2 * (2.0 * PI * 0.4 * i as f64 / 500.0).cos();
            let samples: Vec<f64> = (0..5000).map(|i| wave(i) + noise * random.signed()).collect();
            let found = bandwidth(&samples, 500.0).unwrap();
            // Without noise the side lobes of the window are seen above the wave.
            assert!((2.9..6.0).contains(&found), "noise {noise}: {found}");
        }
    }

    #[test]
    fn what_stands_still_has_no_band() {
        assert_eq!(bandwidth(&[0.3; 64], 100.0), None);
        assert_eq!(bandwidth(&[0.0, 1.0, 0.0], 100.0), None);
    }

    #[test]
    fn the_transform_of_a_wave_is_one_line() {
        let n = 64;
        let mut re: Vec<f64> = (0..n).map(|i| (2.0 * PI * 5.0 * i as f64 / n as f64).cos()).collect();
        let mut im = vec![0.0; n];
        fourier(&mut re, &mut im);
        for k in 0..n {
            let exact = if k == 5 || k == n - 5 { n as f64 / 2.0 } else { 0.0 };
            assert!((re[k] - exact).abs() < 1e-12 && im[k].abs() < 1e-12);
        }
    }
}
