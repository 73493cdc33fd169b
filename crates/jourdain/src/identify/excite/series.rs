//! Fourier series of joints, fitted into limits.

use super::grid::Grid;
use super::limits::Bounds;
use crate::prescribed::{Cosine, Curve};
use crate::random::Random;
use std::f64::consts::PI;

/// Least share of its room that a series takes while it is changed.
const LEAST_SIZE: f64 = 0.02;

/// A series in no units: its waves, how much of the room it takes, and where in the range it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Sine and cosine of each harmonic but the last, which brings begin and end to rest.
    waves: Vec<[f64; 2]>,
    /// Share of the largest multiple that limits allow, above 0 and at most 1.
    size: f64,
    /// −1 at the lower end of the free range, 1 at the upper.
    place: f64,
}

/// A series in the units of the joint: c + Σ_l a_l sin(l ω t) + b_l cos(l ω t).
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// c.
    pub offset: f64,
    /// a_l, b_l from l = 1.
    pub waves: Vec<[f64; 2]>,
}

impl Shape {
    /// With normally distributed waves, each harmonic of the same mean speed.
    pub(super) fn random(harmonics: usize, random: &mut Random) -> Self {
        let wave = |l: usize| [normal(random) / l as f64, normal(random) / l as f64];
        Self { waves: (1..harmonics.max(2)).map(wave).collect(), size: 1.0, place: 0.0 }
    }

    /// The shape whose fit is a given series, as far as it is at rest at its ends and inside the limits: with so many harmonics.
    #[must_use]
    pub fn of(series: &Series, harmonics: usize, bounds: &Bounds, share: f64, grid: &Grid) -> Self {
        let mut waves = series.waves.clone();
        waves.resize(harmonics.max(2) - 1, [0.0; 2]);
        let mut shape = Self { waves, size: 1.0, place: 0.0 };
        let own = grid.extent(&shape.at_rest());
        let largest = grid.extent(&shape.fit(bounds, share, grid));
        let width = |[low, high]: [f64; 2]| high - low;
        let (own_width, room) = (width(own.position), share * (bounds.high - bounds.low));
        if width(largest.position) > 0.0 {
            shape.size = (own_width / width(largest.position)).clamp(LEAST_SIZE, 1.0);
        }
        let middle = series.offset + 0.5 * (own.position[0] + own.position[1]);
        let free = room - own_width;
        if free > 0.0 {
            shape.place = ((2.0 * middle - bounds.low - bounds.high) / free).clamp(-1.0, 1.0);
        }
        shape
    }

    /// A neighbour; of another size too if `sizes`.
    pub(super) fn mutated(&self, step: f64, sizes: bool, random: &mut Random) -> Self {
        let most = self.waves.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs())).max(1e-9);
        let wave = |(l, [a, b]): (usize, &[f64; 2])| {
            let scale = step * most / (l + 1) as f64;
            [a + scale * normal(random), b + scale * normal(random)]
        };
        let waves = self.waves.iter().enumerate().map(wave).collect();
        let place = (self.place + step * normal(random)).clamp(-1.0, 1.0);
        let grown = if sizes { (step * normal(random)).exp() } else { 1.0 };
        Self { waves, place, size: (self.size * grown).clamp(LEAST_SIZE, 1.0) }
    }

    /// The same elsewhere in its range.
    pub(super) fn at(&self, place: f64) -> Self {
        Self { place, ..self.clone() }
    }

    /// The same, smaller.
    pub(super) fn shrunk(&self, factor: f64) -> Self {
        Self { size: self.size * factor, ..self.clone() }
    }

    /// The waves with one more, so that velocity and acceleration are zero at t = 0: Σ l a_l = 0 and Σ l² b_l = 0.
    pub(super) fn at_rest(&self) -> Series {
        let mut waves = self.waves.clone();
        let last = (waves.len() + 1) as f64;
        let sum = |power: i32, part: usize| -> f64 {
            self.waves.iter().zip(1..).map(|(wave, l)| f64::from(l).powi(power) * wave[part]).sum()
        };
        waves.push([-sum(1, 0) / last, -sum(2, 1) / (last * last)]);
        Series { offset: 0.0, waves }
    }

    /// The multiple that takes its share of the room within `share` of the limits, at all times.
    #[must_use]
    pub fn fit(&self, bounds: &Bounds, share: f64, grid: &Grid) -> Series {
        let mut series = self.at_rest();
        let extent = grid.extent(&series);
        let [low, high] = extent.position;
        let room = share * (bounds.high - bounds.low);
        let at_most = |most: f64, found: f64| if found > 0.0 { most / found } else { f64::INFINITY };
        let scale = self.size
            * at_most(room, high - low)
                .min(at_most(share * bounds.velocity, extent.speed))
                .min(at_most(share * bounds.acceleration, extent.acceleration))
                .min(at_most(share * bounds.jerk, extent.jerk));
        let scale = if scale.is_finite() { scale } else { 0.0 };
        series.waves.iter_mut().flatten().for_each(|x| *x *= scale);
        let free = (room - scale * (high - low)).max(0.0);
        let middle = 0.5 * (bounds.low + bounds.high) + 0.5 * self.place * free;
        series.offset = middle - 0.5 * scale * (low + high);
        series
    }
}

impl Series {
    /// The series through even samples of one period, the end left out: what is slower than half their rate, and has so many harmonics.
    #[must_use]
    pub fn through(samples: &[f64], harmonics: usize) -> Self {
        let count = samples.len() as f64;
        let offset = samples.iter().sum::<f64>() / count.max(1.0);
        let wave = |l: usize| {
            if 2 * l >= samples.len() {
                return [0.0; 2];
            }
            let mut wave = [0.0; 2];
            for (i, x) in samples.iter().enumerate() {
                let (sin, cos) = (2.0 * PI * (l * i % samples.len()) as f64 / count).sin_cos();
                wave[0] += 2.0 / count * x * sin;
                wave[1] += 2.0 / count * x * cos;
            }
            wave
        };
        Self { offset, waves: (1..=harmonics).map(wave).collect() }
    }

    /// Position, velocity, acceleration and jerk.
    #[must_use]
    pub fn motion(&self, t: f64, period: f64) -> [f64; 4] {
        let omega = 2.0 * PI / period;
        let [mut q, mut v, mut a, mut j] = [self.offset, 0.0, 0.0, 0.0];
        for ([sine, cosine], l) in self.waves.iter().zip(1..) {
            let w = f64::from(l) * omega;
            let (sin, cos) = (w * t).sin_cos();
            let (even, odd) = (sine * sin + cosine * cos, sine * cos - cosine * sin);
            q += even;
            v += w * odd;
            a -= w * w * even;
            j -= w * w * w * odd;
        }
        [q, v, a, j]
    }

    /// The derivative of order 0 to 3.
    #[must_use]
    pub fn derivative(&self, order: usize, t: f64, period: f64) -> f64 {
        self.motion(t, period).get(order).copied().unwrap_or(0.0)
    }

    /// No position is farther from zero.
    pub(super) fn reach(&self) -> f64 {
        self.offset.abs() + self.waves.iter().map(|[a, b]| a.hypot(*b)).sum::<f64>()
    }

    /// As a sum of cosines: a sin x + b cos x = √(a² + b²) cos(x + atan2(−a, b)).
    #[must_use]
    pub fn curve(&self, period: f64) -> Curve {
        let term = |([a, b], l): (&[f64; 2], i32)| Cosine {
            amplitude: a.hypot(*b),
            frequency: 2.0 * PI * f64::from(l) / period,
            phase: (-a).atan2(*b),
        };
        Curve::Cosines { offset: self.offset, terms: self.waves.iter().zip(1..).map(term).collect() }
    }
}

/// Normally distributed (Box and Muller).
fn normal(random: &mut Random) -> f64 {
    let (u, v) = (0.5 * (1.0 - random.signed()), random.signed());
    (-2.0 * u.max(f64::MIN_POSITIVE).ln()).sqrt() * (PI * v).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_touches_a_limit_stays_inside_and_rests_at_its_ends() {
        let mut random = Random(4);
        let (none, grid) = (f64::INFINITY, Grid::new(5, 7.0));
        for (velocity, acceleration, jerk) in [(1e9, none, none), (0.7, none, none), (1e9, 0.4, none), (1e9, none, 0.3)]
        {
            let bounds = Bounds { low: -0.5, high: 2.0, velocity, acceleration, jerk };
            let series = Shape::random(5, &mut random).mutated(0.3, false, &mut random).fit(&bounds, 1.0, &grid);
            let (mut reach, mut low, mut high) = (0.0_f64, f64::INFINITY, f64::NEG_INFINITY);
            for i in 0..4096 {
                let [q, v, a, j] = series.motion(7.0 * f64::from(i) / 4096.0, 7.0);
                assert!(q > -0.5 && q < 2.0);
                (low, high) = (low.min(q), high.max(q));
                reach = reach.max(v.abs() / velocity).max(a.abs() / acceleration).max(j.abs() / jerk);
            }
            reach = reach.max((high - low) / 2.5);
            assert!(reach <= 1.0 && reach > 0.998, "{reach}");
            for t in [0.0, 7.0] {
                let [_, v, a, _] = series.motion(t, 7.0);
                assert!(v.abs() < 1e-12 && a.abs() < 1e-12);
            }
            let curve = series.curve(7.0);
            for r in 0..4 {
                assert!((curve.derivative(r, 2.2) - series.derivative(r, 2.2, 7.0)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_series_is_found_again_from_its_samples_and_as_a_shape() {
        let grid = Grid::new(5, 7.0);
        let bounds = Bounds { low: -0.5, high: 2.0, velocity: 3.0, acceleration: 9.0, jerk: f64::INFINITY };
        for seed in 0..20 {
            let mut random = Random(seed);
            let shape = Shape::random(5, &mut random).mutated(0.3, true, &mut random);
            let series = shape.fit(&bounds, 0.9, &grid);
            let samples: Vec<f64> = (0..101).map(|i| series.motion(7.0 * f64::from(i) / 101.0, 7.0)[0]).collect();
            let again = Series::through(&samples, 5);
            let fitted = Shape::of(&again, 5, &bounds, 0.9, &grid).fit(&bounds, 0.9, &grid);
            for (a, b) in fitted.waves.iter().flatten().zip(series.waves.iter().flatten()) {
                assert!((a - b).abs() < 1e-9, "seed {seed}");
            }
            assert!((fitted.offset - series.offset).abs() < 1e-9, "seed {seed}");
        }
    }
}
