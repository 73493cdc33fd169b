//! The unit of the time stamps: seconds, or a thousandth, millionth or billionth of one.
//!
//! With velocities the motion tells: a step of positions over the speed is a time in seconds. Without them stamps half a second or more
//! apart cannot be seconds; of the units that make four to a hundred thousand samples a second the one is taken with which the robot moves at a
//! usual speed. Either way the unit is reported, and so is a time that counts from 1970.

use super::stamps::{Recorded, median};

/// What a time stamp counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// s
    #[default]
    Seconds,
    /// ms
    Milliseconds,
    /// µs
    Microseconds,
    /// ns
    Nanoseconds,
}

/// Without velocities, steps this long, s, are not in seconds.
const LONG: f64 = 0.5;
/// The shortest and the longest step, s, that a unit may make.
const STEPS: [f64; 2] = [1e-5, 0.25];
/// The mean speed, rad/s or m/s, of the fastest joint of a robot that is being identified, give or take a decade.
const USUAL_SPEED: f64 = 0.3;
/// Seconds since 1970 that a log may begin at: from 2001 to 2096.
const EPOCH: [f64; 2] = [1e9, 4e9];
/// How well, in decades, the motion must speak for a unit.
const CLEAR: f64 = 0.15;

impl Clock {
    /// All of them, the longest first.
    pub const ALL: [Self; 4] = [Self::Seconds, Self::Milliseconds, Self::Microseconds, Self::Nanoseconds];

    /// Seconds in one.
    #[must_use]
    pub fn seconds(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e-3,
            Self::Microseconds => 1e-6,
            Self::Nanoseconds => 1e-9,
        }
    }

    /// As it is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
            Self::Nanoseconds => "ns",
        }
    }

    /// From the stamps and the motion.
    pub(super) fn of(recorded: &Recorded<'_>) -> Self {
        let times = recorded.times;
        let Some(step) = median(times.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect())
        else {
            return Self::Seconds;
        };
        if let Some(qd) = recorded.qd {
            // One joint alone speaks of the unit of its own velocity; time is the same for all.
            let mut told = (0..recorded.width).filter_map(|j| told_by(recorded, qd, j));
            let first = told.next().unwrap_or_default();
            return if told.all(|other| other == first) { first } else { Self::Seconds };
        }
        if step < LONG {
            return Self::Seconds;
        }
        let off = |unit: &Self| (mean_speed(recorded) / unit.seconds() / USUAL_SPEED).ln().abs();
        let may_be = |unit: &Self| (STEPS[0]..=STEPS[1]).contains(&(step * unit.seconds()));
        let units = Self::ALL.into_iter().filter(may_be);
        units.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or_default()
    }

    /// True if a time, s, is one since 1970.
    #[must_use]
    pub fn is_epoch(start: f64) -> bool {
        (EPOCH[0]..EPOCH[1]).contains(&start)
    }
}

/// The way of the joint that moves most, over the length of the record in its own unit.
fn mean_speed(recorded: &Recorded<'_>) -> f64 {
    let n = recorded.width;
    let way =
        |j: usize| recorded.q.windows(n + 1).skip(j).step_by(n).map(|pair| (pair[n] - pair[0]).abs()).sum::<f64>();
    let longest = (0..n).map(way).fold(0.0, f64::max);
    let length = recorded.times.last().copied().unwrap_or(0.0) - recorded.times.first().copied().unwrap_or(0.0);
    if length > 0.0 { longest / length } else { 0.0 }
}

/// What one joint says; `None` if it stands still. Another factor than that of a unit of time is told elsewhere.
fn told_by(recorded: &Recorded<'_>, qd: &[f64], joint: usize) -> Option<Clock> {
    let column = |values: &[f64]| values.iter().skip(joint).step_by(recorded.width).copied().collect::<Vec<f64>>();
    let (q, qd) = (column(recorded.q), column(qd));
    let mean = |i: usize| 0.5 * (qd[i] + qd[i + 1]);
    let steps = recorded.times.len().saturating_sub(1);
    let typical = median((0..steps).map(|i| mean(i).abs()).collect()).filter(|speed| *speed > 0.0)?;
    let moves = |i: &usize| mean(*i).abs() >= typical && recorded.times[i + 1] > recorded.times[*i];
    let seconds = |i: usize| (q[i + 1] - q[i]) / mean(i) / (recorded.times[i + 1] - recorded.times[i]);
    let ratio = median((0..steps).filter(moves).map(seconds).collect()).filter(|ratio| *ratio > 0.0)?;
    Some(Clock::ALL.into_iter().find(|unit| (ratio / unit.seconds()).log10().abs() < CLEAR).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(step: f64, unit: Clock, factors: Option<[f64; 2]>) -> Clock {
        let seconds: Vec<f64> = (0..20_000).map(|i| f64::from(i) * step).collect();
        let times: Vec<f64> = seconds.iter().map(|t| 1e9 + t / unit.seconds()).collect();
        let q: Vec<f64> = seconds.iter().flat_map(|t| [t.sin(), 0.3 * (2.0 * t).cos()]).collect();
        let [a, b] = factors.unwrap_or_default();
        let qd: Vec<f64> = seconds.iter().flat_map(|t| [a * t.cos(), -b * 0.6 * (2.0 * t).sin()]).collect();
        Clock::of(&Recorded { times: &times, q: &q, qd: factors.map(|_| &qd[..]), width: 2 })
    }

    #[test]
    fn velocities_tell_the_unit_of_time_if_all_joints_agree() {
        for unit in Clock::ALL {
            for step in [0.001, 0.008, 0.1] {
                assert_eq!(of(step, unit, Some([1.0, 1.0])), unit, "{step} s");
                assert_eq!(of(step, Clock::Seconds, Some([1.0, 1e3])), Clock::Seconds);
            }
        }
    }

    #[test]
    fn without_velocities_stamps_far_apart_are_in_a_smaller_unit() {
        for unit in Clock::ALL {
            for step in [1e-4, 2e-4, 0.001, 0.008, 0.05] {
                // Stamps below half a second apart are taken for seconds.
                if unit == Clock::Seconds || step / unit.seconds() >= LONG {
                    assert_eq!(of(step, unit, None), unit, "{step} s");
                }
            }
        }
    }

    #[test]
    fn a_time_since_1970_is_told_from_one_since_the_start() {
        assert!(
            Clock::is_epoch(1.7e9) && !Clock::is_epoch(0.0) && !Clock::is_epoch(3600.0) && !Clock::is_epoch(1.7e12)
        );
    }
}
