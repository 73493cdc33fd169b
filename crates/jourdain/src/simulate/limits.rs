//! Where a joint leaves its range: the one event that may end a simulation.
//!
//! Watched are joints with one number and a position limit, coupled ones too. A joint that starts at the end of its range,
//! or beyond it, is an error only if it starts beyond.

use crate::integrate::Crossing;
use crate::model::Model;

/// The joint that is farthest beyond an end of its range, if one is; its place is the index of its link.
#[must_use]
pub fn crossing(model: &Model<f64>, q: &[f64]) -> Option<Crossing> {
    let mut worst: Option<Crossing> = None;
    for (place, link) in model.links().iter().enumerate() {
        let Some([low, high]) = link.limits.position else { continue };
        let mut slot = [0.0];
        let &[position] = link.position(q, &mut slot) else { continue };
        let limit = position.clamp(low.min(high), high.max(low));
        let excess = (position - limit).abs();
        if excess > 0.0 && worst.as_ref().is_none_or(|worst| excess > (worst.position - worst.limit).abs()) {
            worst = Some(Crossing { place, limit, position });
        }
    }
    worst
}
