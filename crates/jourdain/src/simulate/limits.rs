//! Where a joint leaves its range: the one event that may end a simulation.
//!
//! Watched are joints with one number and a position limit, coupled ones too. A joint that starts at the end of its range,
//! or beyond it, is an error only if it starts beyond. Trap: the ends of steps are looked at; what leaves and returns
//! within one step is not seen.

use crate::model::Model;

/// A joint that is out of its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Index of the joint's link.
    pub link: usize,
    /// The end of the range that it is beyond.
    pub limit: f64,
    /// Where it is.
    pub position: f64,
}

/// The joint that is farthest beyond an end of its range, if one is.
#[must_use]
pub fn crossing(model: &Model<f64>, q: &[f64]) -> Option<Crossing> {
    let mut worst: Option<Crossing> = None;
    for (index, link) in model.links().iter().enumerate() {
        let Some([low, high]) = link.limits.position else { continue };
        let mut slot = [0.0];
        let &[position] = link.position(q, &mut slot) else { continue };
        let limit = position.clamp(low.min(high), high.max(low));
        let excess = (position - limit).abs();
        if excess > 0.0 && worst.as_ref().is_none_or(|worst| excess > (worst.position - worst.limit).abs()) {
            worst = Some(Crossing { link: index, limit, position });
        }
    }
    worst
}

/// The last time in [`from`, `to`] at which nothing is out of its range, to rounding, by halving. `position_at` gives q at
/// a time; all is in range at `from` and not at `to`.
pub(super) fn last_time_inside<E>(
    model: &Model<f64>,
    from: f64,
    to: f64,
    mut position_at: impl FnMut(f64) -> Result<Vec<f64>, E>,
) -> Result<f64, E> {
    let (mut inside, mut outside) = (from, to);
    loop {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside || outside - inside <= 1e-13 * (to - from) {
            return Ok(inside);
        }
        if crossing(model, &position_at(middle)?).is_some() {
            outside = middle;
        } else {
            inside = middle;
        }
    }
}
