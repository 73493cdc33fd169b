//! What stands between a law and what it drives: saturation, sampling, noise, quantisation, any of them.
//!
//! Inwards, a measurement is taken at the sampling instant, gets noise and is rounded to the encoder's resolution; outwards, the
//! law's torque is held until the next instant and cut at the drives' limits. Whatever is left out of this is left out.
//!
//! A sample depends on the seed and on its number alone, so that step length and method of integration do not change it. Noise
//! and resolution are those of samples: where they are asked for without a frequency, the law is sampled at
//! [`DEFAULT_FREQUENCY`].
//!
//! Trap: a law whose torque is held adds energy that its continuous form would not, up to instability at low frequencies.

use super::error::SimulationError;
use crate::random::Random;
use std::f64::consts::TAU;

/// Sampling frequency where noise or resolution is asked for without one, Hz.
pub const DEFAULT_FREQUENCY: f64 = 1000.0;

/// What stands between a law and what it drives.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Wrappers {
    /// Cut torques at the largest that each drive can give.
    pub saturate: bool,
    /// Sampling frequency, Hz; the torque is held between samples.
    pub frequency: Option<f64>,
    /// Standard deviations of measured positions (rad, m) and velocities (rad/s, m/s).
    pub noise: Option<[f64; 2]>,
    /// Resolution of measured positions, rad or m.
    pub resolution: Option<f64>,
    /// What the noise follows from.
    pub seed: u64,
}

impl Wrappers {
    /// That all numbers make sense.
    pub(super) fn check(&self) -> Result<(), SimulationError> {
        let positive = [("sampling frequency", self.frequency), ("resolution", self.resolution)];
        for (name, value) in positive.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SimulationError::Option { name, expected: "a positive number", value });
            }
        }
        for value in self.noise.into_iter().flatten() {
            if !(value >= 0.0 && value.is_finite()) {
                let expected = "zero or a positive number";
                return Err(SimulationError::Option { name: "standard deviation", expected, value });
            }
        }
        Ok(())
    }

    /// Time between samples, s; `None` for a law in continuous time.
    #[must_use]
    pub fn period(&self) -> Option<f64> {
        let implied = (self.noise.is_some() || self.resolution.is_some()).then_some(DEFAULT_FREQUENCY);
        self.frequency.or(implied).map(|frequency| 1.0 / frequency)
    }

    /// Turns a state into what is measured of it in sample number `sample`: `positions` numbers, then velocities.
    pub(super) fn measure(&self, sample: u64, positions: usize, x: &mut [f64]) {
        if let Some([position, velocity]) = self.noise {
            let mut random = Random(self.seed ^ sample.wrapping_mul(0xd6e8_feb8_6659_fd93));
            random.bits();
            for (i, x) in x.iter_mut().enumerate() {
                *x += if i < positions { position } else { velocity } * normal(&mut random);
            }
        }
        if let Some(resolution) = self.resolution {
            x[..positions].iter_mut().for_each(|x| *x = (*x / resolution).round() * resolution);
        }
    }
}

/// A number of the normal distribution, by Box and Muller.
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.fraction()).ln()).sqrt();
    radius * (TAU * random.fraction()).cos()
}

/// Cuts torques at their limits.
pub(super) fn saturate(torque: &mut [f64], limits: &[Option<f64>]) {
    for (torque, limit) in torque.iter_mut().zip(limits) {
        if let Some(limit) = limit {
            *torque = torque.clamp(-limit, *limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_its_deviations_and_repeats_by_seed_and_number() {
        let wrappers = Wrappers { noise: Some([0.5, 2.0]), seed: 7, ..Wrappers::default() };
        let (mut sums, count) = ([[0.0_f64; 2]; 2], 20_000);
        for sample in 0..count {
            let mut x = [0.0; 2];
            wrappers.measure(sample, 1, &mut x);
            let mut again = [0.0; 2];
            wrappers.measure(sample, 1, &mut again);
            assert_eq!(x, again);
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum = [sum[0] + x, sum[1] + x * x];
            }
        }
        for (sum, deviation) in sums.iter().zip([0.5, 2.0]) {
            let [mean, square] = sum.map(|sum| sum / count as f64);
            assert!(mean.abs() < 0.03 * deviation && (square.sqrt() / deviation - 1.0).abs() < 0.02, "{mean} {square}");
        }
    }

    #[test]
    fn resolution_rounds_positions_alone() {
        let wrappers = Wrappers { resolution: Some(0.1), ..Wrappers::default() };
        let mut x = [0.26, 0.26];
        wrappers.measure(3, 1, &mut x);
        assert!((x[0] - 0.3).abs() < 1e-15 && x[1] == 0.26);
        assert_eq!(wrappers.period(), Some(1e-3));
    }

    #[test]
    fn wrappers_that_make_no_sense_are_refused() {
        for bad in [
            Wrappers { frequency: Some(0.0), ..Wrappers::default() },
            Wrappers { resolution: Some(f64::NAN), ..Wrappers::default() },
            Wrappers { noise: Some([0.1, -1.0]), ..Wrappers::default() },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
