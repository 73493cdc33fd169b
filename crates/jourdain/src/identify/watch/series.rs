//! Does a parameter of one robot change over time, and is it unlike that of the others?
//!
//! Points are weighted by their deviations. Their scatter counts as it is seen, but never below what the deviations say: days differ by more than
//! the samples of one day can tell. *Drift* is the slope of a line, a t with n − 2 degrees of freedom. A *jump* is the largest of the t between the
//! points before and after, over all places with two points on either side, times their number (Bonferroni). A change is the likelier
//! one of the two, its p-value doubled for the choice.
//!
//! An *outlier* is judged by the mean and the scatter of the other robots, a t with n − 2 degrees of freedom: robots of one model differ,
//! and by how much the model's population says.

use super::student::two_sided;

/// Points that a change needs.
pub const LEAST_POINTS: usize = 6;
/// Robots that an outlier needs beside it and with it.
pub const LEAST_ROBOTS: usize = 5;
/// Points on either side of a jump.
const BESIDE: usize = 2;

/// An estimate of a parameter from one period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// When: in any unit, rising.
    pub t: f64,
    /// The estimate.
    pub value: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// How a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Bit by bit.
    Drift,
    /// At once.
    Jump,
}

/// A change of a parameter of one robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// How.
    pub kind: ChangeKind,
    /// How probable as much would be if nothing changed.
    pub p_value: f64,
    /// The first point after the jump; of a drift 0.
    pub at: usize,
    /// The value before, or at the first point.
    pub before: f64,
    /// The value after, or at the last point.
    pub after: f64,
}

/// A robot that is unlike the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlier {
    /// How probable as much would be if it were one of them.
    pub p_value: f64,
    /// The mean of the others.
    pub others: f64,
    /// Their standard deviation.
    pub scatter: f64,
}

/// Sums over weighted points.
#[derive(Clone, Copy, Default)]
struct Sums {
    weight: f64,
    value: f64,
    square: f64,
}

impl Sums {
    fn with(self, point: &Point, weight: f64) -> Self {
        let Self { weight: all, value, square } = self;
        Self {
            weight: all + weight,
            value: value + weight * point.value,
            square: square + weight * point.value.powi(2),
        }
    }

    fn mean(self) -> f64 {
        self.value / self.weight
    }

    /// Σ w (x − mean)².
    fn left(self) -> f64 {
        (self.square - self.value * self.mean()).max(0.0)
    }
}

/// How a parameter of one robot changes over its points, which are in order of time; `None` if they are too few.
#[must_use]
pub fn change(points: &[Point]) -> Option<Change> {
    let usable = |point: &Point| point.value.is_finite() && point.deviation > 0.0 && point.deviation.is_finite();
    if points.len() < LEAST_POINTS || !points.iter().all(usable) {
        return None;
    }
    // About the first value, so that squares keep their digits.
    let origin = points[0].value;
    let about: Vec<Point> = points.iter().map(|point| Point { value: point.value - origin, ..*point }).collect();
    let weights: Vec<f64> = points.iter().map(|point| point.deviation.powi(-2)).collect();
    let (drift, jump) = (drift(&about, &weights)?, jump(&about, &weights)?);
    let found = if jump.p_value <= drift.p_value { jump } else { drift };
    let p_value = (2.0 * found.p_value).min(1.0);
    Some(Change { p_value, before: found.before + origin, after: found.after + origin, ..found })
}

/// The scatter of one unit of weight: as seen, but never below what the deviations say.
fn scatter(left: f64, freedom: f64) -> f64 {
    (left / freedom).max(1.0)
}

fn drift(points: &[Point], weights: &[f64]) -> Option<Change> {
    let freedom = points.len() as f64 - 2.0;
    let all = weights.iter().sum::<f64>();
    let mean = |of: fn(&Point) -> f64| points.iter().zip(weights).map(|(x, w)| w * of(x)).sum::<f64>() / all;
    let (time, value) = (mean(|point| point.t), mean(|point| point.value));
    let sum = |of: &dyn Fn(&Point) -> f64| points.iter().zip(weights).map(|(x, w)| w * of(x)).sum::<f64>();
    let spread = sum(&|point| (point.t - time).powi(2));
    if spread <= 0.0 {
        return None;
    }
    let slope = sum(&|point| (point.t - time) * (point.value - value)) / spread;
    let at = |t: f64| value + slope * (t - time);
    let left = sum(&|point| (point.value - at(point.t)).powi(2));
    let t = slope / (scatter(left, freedom) / spread).sqrt();
    let (first, last) = (points.first()?.t, points.last()?.t);
    let p_value = two_sided(t, freedom);
    Some(Change { kind: ChangeKind::Drift, p_value, at: 0, before: at(first), after: at(last) })
}

fn jump(points: &[Point], weights: &[f64]) -> Option<Change> {
    let (count, freedom) = (points.len(), points.len() as f64 - 2.0);
    let total = points.iter().zip(weights).fold(Sums::default(), |sums, (point, weight)| sums.with(point, *weight));
    let (mut before, mut best) = (Sums::default(), None);
    for at in 1..=count - BESIDE {
        before = before.with(&points[at - 1], weights[at - 1]);
        if at < BESIDE {
            continue;
        }
        let after = Sums {
            weight: total.weight - before.weight,
            value: total.value - before.value,
            square: total.square - before.square,
        };
        let unit = scatter(before.left() + after.left(), freedom);
        let t = (after.mean() - before.mean()) / (unit * (1.0 / before.weight + 1.0 / after.weight)).sqrt();
        if best.is_none_or(|(largest, ..): (f64, _, _, _)| t.abs() > largest) {
            best = Some((t.abs(), at, before.mean(), after.mean()));
        }
    }
    let (t, at, before, after) = best?;
    let places = (count + 1 - 2 * BESIDE) as f64;
    let p_value = (places * two_sided(t, freedom)).min(1.0);
    Some(Change { kind: ChangeKind::Jump, p_value, at, before, after })
}

/// How a robot stands among the others of its model, by one value per robot; `None` if they are too few or all alike.
#[must_use]
pub fn outlier(values: &[f64], robot: usize) -> Option<Outlier> {
    let own = *values.get(robot)?;
    if values.len() < LEAST_ROBOTS || !values.iter().all(|x| x.is_finite()) {
        return None;
    }
    let others = || values.iter().enumerate().filter(|(at, _)| *at != robot).map(|(_, x)| *x);
    let count = values.len() as f64 - 1.0;
    let mean = others().sum::<f64>() / count;
    let scatter = (others().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
    if scatter <= 0.0 {
        return None;
    }
    let t = (own - mean) / (scatter * (1.0 + 1.0 / count).sqrt());
    Some(Outlier { p_value: two_sided(t, count - 1.0), others: mean, scatter })
}

#[cfg(test)]
mod tests {
    use super::super::discoveries;
    use super::*;
    use crate::random::Random;

    /// About normal: the sum of twelve even numbers.
    fn normal(random: &mut Random) -> f64 {
        random.vector(12).iter().sum::<f64>() / 2.0
    }

    /// Days of one robot's parameter about 1 with a deviation of 1 %, days differing by `days` more; `healthy` adds a fault.
    fn points(random: &mut Random, count: usize, days: f64, fault: impl Fn(usize) -> f64) -> Vec<Point> {
        let value = |random: &mut Random, day: usize| 1.0 + 0.01 * normal(random) + days * normal(random) + fault(day);
        (0..count).map(|day| Point { t: day as f64, value: value(random, day), deviation: 0.01 }).collect()
    }

    #[test]
    fn of_healthy_robots_p_values_are_honest() {
        for (days, seed) in [(0.0, 5), (0.03, 6)] {
            let mut random = Random(seed);
            let runs = 4000;
            let below = |level: f64, random: &mut Random| {
                let p = (0..runs).map(|_| change(&points(random, 20, days, |_| 0.0)).unwrap().p_value);
                p.filter(|p| *p < level).count() as f64 / f64::from(runs)
            };
            for level in [0.05, 0.01] {
                let share = below(level, &mut random);
                // Never more than said, but for what 4000 runs scatter by.
                assert!(share <= level + 3.0 * (level / f64::from(runs)).sqrt(), "{share} at {level}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_jump_and_a_drift_are_told_with_place_and_size() {
        let mut random = Random(8);
        let jump = change(&points(&mut random, 20, 0.0, |day| if day < 12 { 0.0 } else { 0.1 })).unwrap();
        assert_eq!((jump.kind, jump.at), (ChangeKind::Jump, 12));
        assert!(jump.p_value < 1e-6 && (jump.after - jump.before - 0.1).abs() < 0.02, "{jump:?}");
        let drift = change(&points(&mut random, 20, 0.0, |day| 0.01 * day as f64)).unwrap();
        assert_eq!(drift.kind, ChangeKind::Drift);
        assert!(drift.p_value < 1e-6 && (drift.after - drift.before - 0.19).abs() < 0.03, "{drift:?}");
    }

    #[test]
    fn too_few_points_or_bad_ones_say_nothing() {
        let mut random = Random(9);
        assert!(change(&points(&mut random, LEAST_POINTS - 1, 0.0, |_| 0.0)).is_none());
        let mut bad = points(&mut random, 10, 0.0, |_| 0.0);
        bad[3].deviation = 0.0;
        assert!(change(&bad).is_none());
        assert!(outlier(&[1.0, 2.0, 1.5], 1).is_none() && outlier(&[1.0; 9], 1).is_none());
    }

    /// A fleet of 100 robots with ten parameters: at a level of 5 % the share of false alarms among all alarms stays below, whether
    /// all robots are well or one in twenty has friction 20 % up.
    #[test]
    fn the_share_of_false_alarms_holds_and_faults_are_found() {
        let mut random = Random(21);
        for faults in [0, 5] {
            let (mut share, mut found, mut planted, runs) = (0.0, 0, 0, 200);
            for _ in 0..runs {
                let mut tests = Vec::new();
                for robot in 0..100 {
                    for parameter in 0..10 {
                        let ill = robot < faults && parameter == 0;
                        let fault = |day: usize| if ill && day >= 15 { 0.2 } else { 0.0 };
                        tests.push((ill, change(&points(&mut random, 30, 0.02, fault)).unwrap().p_value));
                    }
                }
                let p: Vec<f64> = tests.iter().map(|(_, p)| *p).collect();
                let alarms = discoveries(&p, 0.05);
                let (mut right, mut wrong) = (0, 0);
                for ((ill, _), _) in tests.iter().zip(&alarms).filter(|(_, alarm)| **alarm) {
                    if *ill { right += 1 } else { wrong += 1 }
                }
                share += f64::from(wrong) / f64::from((right + wrong).max(1)) / f64::from(runs);
                found += right;
                planted += faults;
            }
            // Whether a fleet has a false alarm scatters as a coin: three deviations of its mean over the runs.
            let scatter = 3.0 * (0.05 * 0.95 / f64::from(runs)).sqrt();
            assert!(share <= 0.05 + scatter, "{share} with {faults} faults, seed 21");
            assert_eq!(found, planted, "every fault is found");
        }
    }

    #[test]
    fn an_outlier_is_found_among_robots_that_differ() {
        let mut random = Random(4);
        let mut values: Vec<f64> = (0..30).map(|_| 1.0 + 0.05 * normal(&mut random)).collect();
        values[7] = 1.6;
        let p: Vec<f64> = (0..30).map(|robot| outlier(&values, robot).unwrap().p_value).collect();
        let alarms = discoveries(&p, 0.05);
        assert_eq!(alarms.iter().position(|alarm| *alarm), Some(7));
        assert_eq!(alarms.iter().filter(|alarm| **alarm).count(), 1);
    }
}
