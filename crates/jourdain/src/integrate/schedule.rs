//! When steps, and smooth pieces of what acts, end.
//!
//! Steps end at the multiples of the step length. What acts may have kinks and jumps, and a sampled law a new torque at every
//! sampling instant; pieces of time end there, so that everything is smooth within each. Trap: rounding puts an instant that
//! is meant to be a multiple of the step beside it. Such ends of pieces are moved onto the multiple, or a step of a billionth
//! of the others would be left between.

/// Parts of a step that are too short to be steps of their own: what rounding leaves between a row's time and a step's end.
const SLIVER: f64 = 1e-9;

/// The steps of one simulation.
#[derive(Clone, Copy, Debug)]
pub struct Schedule<'t> {
    /// Time to simulate, s.
    pub duration: f64,
    /// Step length, s.
    pub step: f64,
    /// Where what acts has a kink or a jump, ascending, s.
    pub knots: &'t [f64],
    /// Time between the sampling instants of a law, the first of which is the start, s.
    pub period: Option<f64>,
}

impl Schedule<'_> {
    /// The length of steps: none is longer than the whole.
    fn length(&self) -> f64 {
        self.step.min(self.duration)
    }

    /// Number of steps; the last may be shorter.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        ((self.duration / self.length() - SLIVER).ceil() as u64).max(1)
    }

    /// The end of step `k`, counted from one; the start for zero.
    #[must_use]
    pub fn step_end(&self, k: u64) -> f64 {
        if k >= self.step_count() { self.duration } else { k as f64 * self.length() }
    }

    /// The end of the smooth piece that begins at `from`, at most the duration.
    #[must_use]
    pub fn piece_end(&self, from: f64) -> f64 {
        let later = from + 2.0 * SLIVER * self.length();
        let knot = self.knots.get(self.knots.partition_point(|&knot| knot <= later)).copied();
        let instant = self.period.map(|period| {
            let next = (from / period + SLIVER).floor() + 1.0;
            let end = next * period;
            if end <= later { end + period } else { end }
        });
        let end = [knot, instant].into_iter().flatten().fold(self.duration, f64::min);
        self.on_grid(end)
    }

    /// The number of the sampling instant that `t` is, if it is one.
    #[must_use]
    pub fn instant(&self, t: f64) -> Option<u64> {
        let period = self.period?;
        let number = (t / period).round();
        ((t - number * period).abs() <= 2.0 * SLIVER * self.length().min(period).max(f64::EPSILON * t))
            .then_some(number as u64)
    }

    fn on_grid(&self, t: f64) -> f64 {
        let multiple = (t / self.length()).round();
        let grid = if multiple >= self.step_count() as f64 { self.duration } else { multiple * self.length() };
        if (t - grid).abs() <= SLIVER * self.length() { grid } else { t }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_at_knots_and_instants_and_leave_no_slivers() {
        let knots = [0.0, 0.3 + 1e-14, 0.55];
        let schedule = Schedule { duration: 1.0, step: 0.1, knots: &knots, period: Some(0.25) };
        let (mut t, mut ends) = (0.0, Vec::new());
        while t < 1.0 {
            t = schedule.piece_end(t);
            ends.push(t);
        }
        assert_eq!(ends, [0.25, 3.0 * 0.1, 0.5, 0.55, 0.75, 1.0]);
        assert_eq!([0.0, 0.5, 0.55].map(|t| schedule.instant(t)), [Some(0), Some(2), None]);
    }

    #[test]
    fn every_instant_is_met_once_whatever_the_step() {
        for step in [1e-3, 7e-4, 0.3, 1.0 / 3.0] {
            for hertz in [1.0, 3.0, 50.0, 997.0] {
                let schedule = Schedule { duration: 2.0, step, knots: &[], period: Some(1.0 / hertz) };
                let (mut t, mut met) = (0.0, vec![0]);
                while t < 2.0 {
                    t = schedule.piece_end(t);
                    met.extend(schedule.instant(t));
                }
                let all: Vec<u64> = (0..=(2.0 * hertz) as u64).collect();
                assert_eq!(met, all, "step {step}, {hertz} Hz");
            }
        }
    }

    /// A sliver of such a step was longer than the motion, which then never left its start.
    #[test]
    fn a_step_longer_than_the_motion_is_the_motion() {
        for step in [2.0, 1e9, 1e16, 1e300, f64::MAX] {
            let schedule = Schedule { duration: 1.0, step, knots: &[0.5], period: None };
            assert_eq!((schedule.step_count(), schedule.step_end(1)), (1, 1.0), "{step}");
            assert_eq!((schedule.piece_end(0.0), schedule.piece_end(0.5)), (0.5, 1.0), "{step}");
        }
    }
}
