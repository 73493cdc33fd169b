//! Fourier series of joints, fitted into limits.

use crate::prescribed::{Cosine, Curve};
use crate::random::Random;
use std::f64::consts::PI;

/// The limits of one joint.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lowest position.
    pub low: f64,
    /// Highest position.
    pub high: f64,
    /// Highest speed.
    pub velocity: f64,
    /// Highest acceleration; infinite if there is no limit.
    pub acceleration: f64,
}

/// A series in no units: its waves, and where in the range it lies.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Sine and cosine of each harmonic but the last, which brings begin and end to rest.
    waves: Vec<[f64; 2]>,
    /// −1 at the lower end of the free range, 1 at the upper.
    place: f64,
}

/// A series in the units of the joint: c + Σ_l a_l sin(l ω t) + b_l cos(l ω t).
#[derive(Clone, Debug)]
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
        Self { waves: (1..harmonics.max(2)).map(wave).collect(), place: 0.0 }
    }

    /// A neighbour.
    pub(super) fn mutated(&self, step: f64, random: &mut Random) -> Self {
        let size = self.waves.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs())).max(1e-9);
        let wave = |(l, [a, b]): (usize, &[f64; 2])| {
            let scale = step * size / (l + 1) as f64;
            [a + scale * normal(random), b + scale * normal(random)]
        };
        let waves = self.waves.iter().enumerate().map(wave).collect();
        Self { waves, place: (self.place + step * normal(random)).clamp(-1.0, 1.0) }
    }

    /// The largest multiple that stays within `share` of the limits, at `samples` times of a period.
    #[must_use]
    pub fn fit(&self, bounds: &Bounds, period: f64, share: f64, samples: usize) -> Series {
        let mut series = Series { offset: 0.0, waves: self.waves.clone() };
        // At rest at t = 0: Σ l a_l = 0 and Σ l² b_l = 0.
        let last = (series.waves.len() + 1) as f64;
        let sum = |power: i32, part: usize| -> f64 {
            self.waves.iter().zip(1..).map(|(wave, l)| f64::from(l).powi(power) * wave[part]).sum()
        };
        series.waves.push([-sum(1, 0) / last, -sum(2, 1) / (last * last)]);
        let (mut low, mut high, mut speed, mut acceleration) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64, 0.0_f64);
        for i in 0..samples {
            let [q, v, a] = series.motion(i as f64 / samples as f64 * period, period);
            (low, high) = (low.min(q), high.max(q));
            (speed, acceleration) = (speed.max(v.abs()), acceleration.max(a.abs()));
        }
        let room = share * (bounds.high - bounds.low);
        let at_most = |most: f64, found: f64| if found > 0.0 { most / found } else { f64::INFINITY };
        let scale = at_most(room, high - low)
            .min(at_most(share * bounds.velocity, speed))
            .min(at_most(share * bounds.acceleration, acceleration));
        let scale = if scale.is_finite() { scale } else { 0.0 };
        series.waves.iter_mut().flatten().for_each(|x| *x *= scale);
        let free = (room - scale * (high - low)).max(0.0);
        let middle = 0.5 * (bounds.low + bounds.high) + 0.5 * self.place * free;
        series.offset = middle - 0.5 * scale * (low + high);
        series
    }
}

impl Series {
    /// Position, velocity and acceleration.
    #[must_use]
    pub fn motion(&self, t: f64, period: f64) -> [f64; 3] {
        let omega = 2.0 * PI / period;
        let (mut q, mut v, mut a) = (self.offset, 0.0, 0.0);
        for ([sine, cosine], l) in self.waves.iter().zip(1..) {
            let w = f64::from(l) * omega;
            let (sin, cos) = (w * t).sin_cos();
            q += sine * sin + cosine * cos;
            v += w * (sine * cos - cosine * sin);
            a -= w * w * (sine * sin + cosine * cos);
        }
        [q, v, a]
    }

    /// The derivative of order 0, 1 or 2.
    #[must_use]
    pub fn derivative(&self, order: usize, t: f64, period: f64) -> f64 {
        self.motion(t, period).get(order).copied().unwrap_or(0.0)
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
        for (velocity, acceleration) in [(1e9, f64::INFINITY), (0.7, f64::INFINITY), (1e9, 0.4)] {
            let bounds = Bounds { low: -0.5, high: 2.0, velocity, acceleration };
            let series = Shape::random(5, &mut random).mutated(0.3, &mut random).fit(&bounds, 7.0, 1.0, 4096);
            let (mut reach, mut low, mut high) = (0.0_f64, f64::INFINITY, f64::NEG_INFINITY);
            for i in 0..4096 {
                let [q, v, a] = series.motion(7.0 * f64::from(i) / 4096.0, 7.0);
                assert!(q > -0.5 - 1e-9 && q < 2.0 + 1e-9);
                (low, high) = (low.min(q), high.max(q));
                reach = reach.max(v.abs() / velocity).max(a.abs() / acceleration);
            }
            reach = reach.max((high - low) / 2.5);
            assert!((reach - 1.0).abs() < 1e-9, "{reach}");
            for t in [0.0, 7.0] {
                let [_, v, a] = series.motion(t, 7.0);
                assert!(v.abs() < 1e-12 && a.abs() < 1e-12);
            }
            let curve = series.curve(7.0);
            for r in 0..3 {
                assert!((curve.derivative(r, 2.2) - series.derivative(r, 2.2, 7.0)).abs() < 1e-12);
            }
        }
    }
}
