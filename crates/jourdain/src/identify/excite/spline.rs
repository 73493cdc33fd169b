//! An exciting motion as knots that controllers put splines through.
//!
//! A controller that is given positions and velocities moves along cubic polynomials between knots, one that is given accelerations too along
//! quintic ones. Both meet the motion at the knots and leave it a little in between: how much, and how far the splines themselves go, is
//! found here, so that limits hold for what the controller does.

use super::Excitation;
use super::grid::Extent;

/// Places between two knots that are looked at.
const BETWEEN: usize = 24;

/// The degree of the polynomials between knots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// Three: positions and velocities are met.
    Cubic,
    /// Five: accelerations too.
    Quintic,
}

/// Knots at even times.
#[derive(Clone, Debug)]
pub struct Spline {
    /// The degree of the polynomials.
    pub degree: Degree,
    /// Times, s: from zero to the period, both included.
    pub times: Vec<f64>,
    /// Per knot: positions, velocities and accelerations.
    pub knots: Vec<[Vec<f64>; 3]>,
    /// How far each joint goes along the splines.
    pub extents: Vec<Extent>,
    /// How far the splines are from the motion at most, rad or m.
    pub deviation: f64,
}

impl Spline {
    /// Knots of a motion, about `rate` of them a second and at least two.
    #[must_use]
    pub fn new(motion: &Excitation, rate: f64, degree: Degree) -> Self {
        let intervals = (motion.period * rate).round().max(1.0) as usize;
        let times: Vec<f64> = (0..=intervals).map(|i| motion.period * i as f64 / intervals as f64).collect();
        let knots: Vec<[Vec<f64>; 3]> = (times.iter())
            .map(|t| {
                let [q, qd, qdd, _] = motion.at(*t);
                [q, qd, qdd]
            })
            .collect();
        let step = motion.period / intervals as f64;
        let mut deviation = 0.0_f64;
        let extents = (0..motion.series.len())
            .map(|j| {
                let mut position = [f64::INFINITY, f64::NEG_INFINITY];
                let mut most = [0.0_f64; 3];
                for (pair, t) in knots.windows(2).zip(&times) {
                    let ends = [0, 1].map(|end| [0, 1, 2].map(|r| pair[end][r][j]));
                    let polynomial = between(ends, step, degree);
                    for i in 0..=BETWEEN {
                        let s = step * i as f64 / BETWEEN as f64;
                        let x = at(&polynomial, s);
                        position = [position[0].min(x[0]), position[1].max(x[0])];
                        for (most, x) in most.iter_mut().zip(&x[1..]) {
                            *most = most.max(x.abs());
                        }
                        deviation = deviation.max((x[0] - motion.series[j].motion(t + s, motion.period)[0]).abs());
                    }
                }
                let [speed, acceleration, jerk] = most;
                Extent { position, speed, acceleration, jerk }
            })
            .collect();
        Self { degree, times, knots, extents, deviation }
    }
}

/// The coefficients of the polynomial between two knots of position, velocity and acceleration.
fn between([[p, v, a], [p_end, v_end, a_end]]: [[f64; 3]; 2], h: f64, degree: Degree) -> [f64; 6] {
    match degree {
        Degree::Cubic => {
            let slope = (p_end - p) / h;
            [p, v, (3.0 * slope - 2.0 * v - v_end) / h, (v + v_end - 2.0 * slope) / (h * h), 0.0, 0.0]
        }
        Degree::Quintic => {
            // What is left at the end of the parabola that leaves the first knot.
            let x = (p_end - p - h * v - 0.5 * h * h * a) / h.powi(3);
            let y = (v_end - v - h * a) / (h * h);
            let z = (a_end - a) / h;
            let (c, d, e) = (10.0 * x - 4.0 * y + 0.5 * z, -15.0 * x + 7.0 * y - z, 6.0 * x - 3.0 * y + 0.5 * z);
            [p, v, 0.5 * a, c, d / h, e / (h * h)]
        }
    }
}

/// The polynomial and three derivatives.
fn at(c: &[f64; 6], s: f64) -> [f64; 4] {
    let mut out = [0.0; 4];
    for (r, out) in out.iter_mut().enumerate() {
        for k in (r..6).rev() {
            let factor: f64 = (k + 1 - r..=k).map(|i| i as f64).product();
            *out = *out * s + factor * c[k];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn polynomials_meet_their_knots_with_the_derivatives_of_their_degree() {
        for seed in 0..50 {
            let mut random = Random(seed);
            let (h, ends) = (0.1 + random.fraction(), [random.array(), random.array()]);
            for (degree, orders) in [(Degree::Cubic, 2), (Degree::Quintic, 3)] {
                let polynomial = between(ends, h, degree);
                for (end, s) in ends.iter().zip([0.0, h]) {
                    let found = at(&polynomial, s);
                    for r in 0..orders {
                        assert!((found[r] - end[r]).abs() < 1e-9, "seed {seed}, {degree:?}, order {r}");
                    }
                }
                // Derivatives against differences.
                let (s, d) = (0.4 * h, 1e-5);
                let (before, here, after) = (at(&polynomial, s - d), at(&polynomial, s), at(&polynomial, s + d));
                for r in 0..3 {
                    let slope = (after[r] - before[r]) / (2.0 * d);
                    assert!((slope - here[r + 1]).abs() < 1e-4 * (1.0 + slope.abs()), "seed {seed}, order {r}");
                }
            }
        }
    }
}
