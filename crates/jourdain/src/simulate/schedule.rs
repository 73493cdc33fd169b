//! When steps and smooth pieces of a torque law end.
//!
//! Steps end at the multiples of the step length, and at the kinks and jumps of the torque law, so that the law is smooth
//! within each.

/// Parts of a step that are too short to be steps of their own: what rounding leaves between a row's time and a step's end.
const SLIVER: f64 = 1e-9;

/// The steps of one simulation.
#[derive(Clone, Copy, Debug)]
pub struct Schedule<'t> {
    /// Time to simulate, s.
    pub duration: f64,
    /// Step length, s.
    pub step: f64,
    /// Where the torque law has a kink or a jump, ascending.
    pub knots: &'t [f64],
}

impl Schedule<'_> {
    /// Number of steps; the last may be shorter.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        ((self.duration / self.step - SLIVER).ceil() as u64).max(1)
    }

    /// The end of step `k`, counted from one.
    #[must_use]
    pub fn step_end(&self, k: u64) -> f64 {
        if k >= self.step_count() { self.duration } else { k as f64 * self.step }
    }

    /// The end of the smooth piece of the torque law that begins at `from`, at most `to`. Pieces shorter than a sliver of
    /// `scale` are left out.
    #[must_use]
    pub fn piece_end(&self, from: f64, to: f64, scale: f64) -> f64 {
        let next = self.knots.partition_point(|&knot| knot <= from + SLIVER * scale);
        self.knots.get(next).copied().filter(|&knot| knot < to - SLIVER * scale).unwrap_or(to)
    }
}
