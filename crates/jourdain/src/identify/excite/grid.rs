//! Times at which series are looked at, and what is known of them in between.
//!
//! A trigonometric polynomial of degree n that is at most m in size at N > 2 n even times of its period is at most m / cos(π n / N)
//! at all times. With 64 times per shortest wave that is 0.12 % more: limits hold for good, not just at samples.
//!
//! # Reference
//! Ehlich and Zeller, Schwankung von Polynomen zwischen Gitterpunkten, 1964.

use super::series::Series;
use std::f64::consts::PI;

/// Times per shortest wave.
const FINENESS: usize = 64;

/// Even times of a period, with the waves at them.
#[derive(Clone, Debug)]
pub struct Grid {
    omega: f64,
    harmonics: usize,
    /// Sine of each N-th of a turn.
    sines: Vec<f64>,
}

/// How far a series goes at most, at any time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lowest and highest position, rad or m.
    pub position: [f64; 2],
    /// Highest speed, rad/s or m/s.
    pub speed: f64,
    /// Highest acceleration, rad/s² or m/s².
    pub acceleration: f64,
    /// Highest jerk, rad/s³ or m/s³.
    pub jerk: f64,
}

impl Grid {
    /// For series of so many harmonics.
    #[must_use]
    pub fn new(harmonics: usize, period: f64) -> Self {
        let count = FINENESS * harmonics.max(2);
        let sines = (0..count).map(|i| (2.0 * PI * i as f64 / count as f64).sin()).collect();
        Self { omega: 2.0 * PI / period, harmonics, sines }
    }

    /// How far a series goes: never less than it does, and at most a little more.
    #[must_use]
    pub fn extent(&self, series: &Series) -> Extent {
        let count = self.sines.len();
        let mut position = [f64::INFINITY, f64::NEG_INFINITY];
        let mut most = [0.0_f64; 3];
        for i in 0..count {
            let mut x = [0.0; 4];
            for ([a, b], l) in series.waves.iter().zip(1_usize..) {
                let place = l * i % count;
                let (sin, cos) = (self.sines[place], self.sines[(place + count / 4) % count]);
                let w = self.omega * l as f64;
                let (even, odd) = (a * sin + b * cos, a * cos - b * sin);
                x[0] += even;
                x[1] += w * odd;
                x[2] -= w * w * even;
                x[3] -= w * w * w * odd;
            }
            position = [position[0].min(x[0]), position[1].max(x[0])];
            for (most, x) in most.iter_mut().zip(&x[1..]) {
                *most = most.max(x.abs());
            }
        }
        let between = 1.0 / (PI * series.waves.len().max(self.harmonics) as f64 / count as f64).cos();
        let (middle, half) = (0.5 * (position[0] + position[1]), 0.5 * (position[1] - position[0]) * between);
        let middle = series.offset + middle;
        let [speed, acceleration, jerk] = most.map(|most| most * between);
        Extent { position: [middle - half, middle + half], speed, acceleration, jerk }
    }
}

#[cfg(test)]
mod tests {
    use super::super::series::Shape;
    use super::*;
    use crate::random::Random;

    #[test]
    fn an_extent_holds_at_all_times_and_is_hardly_more_than_it_must_be() {
        for seed in 0..20 {
            let mut random = Random(seed);
            let (harmonics, period) = (2 + seed as usize % 7, 6.0);
            let series = Shape::random(harmonics, &mut random).at_rest();
            let extent = Grid::new(harmonics, period).extent(&series);
            let mut most = [f64::NEG_INFINITY; 5];
            for i in 0..50_000 {
                let [q, v, a, j] = series.motion(period * f64::from(i) / 50_000.0, period);
                for (most, x) in most.iter_mut().zip([q, -q, v.abs(), a.abs(), j.abs()]) {
                    *most = most.max(x);
                }
            }
            let [low, high] = extent.position;
            let bound = [high, -low, extent.speed, extent.acceleration, extent.jerk];
            for (i, (bound, most)) in bound.into_iter().zip(most).enumerate() {
                let slack = 2e-3 * if i < 2 { high - low } else { most };
                assert!(most <= bound + 1e-12 && bound <= most + slack, "seed {seed}, {i}: {most} and {bound}");
            }
        }
    }
}
