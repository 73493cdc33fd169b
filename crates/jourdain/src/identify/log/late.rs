//! Columns that are late, each by a time of its own.
//!
//! Drives and sensors on a bus answer one after another, and filters in them take time, so that a row may hold what joints did at different
//! times. What a column is late by is taken back: positions are those of its curve at the later time, torques are interpolated
//! between rows.

use super::super::hash::Hash;
use std::ops::Range;

/// How late columns are, s: a row has of them what was so many seconds before its stamp. Empty where none is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Late {
    /// Per joint, positions.
    pub positions: Vec<f64>,
    /// Per joint, torques.
    pub torques: Vec<f64>,
}

impl Late {
    /// True if no column is late.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.iter().chain(&self.torques).all(|late| *late == 0.0)
    }

    /// A number that stands for these times; zero if no column is late.
    #[must_use]
    pub fn mark(&self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let mut hash = Hash::default();
        for (kind, times) in [&self.positions, &self.torques].into_iter().enumerate() {
            hash.add(&[u8::from(kind == 1)]);
            times.iter().for_each(|late| hash.add(&late.to_le_bytes()));
        }
        hash.value()
    }

    /// The longest of the times, s.
    pub(super) fn reach(&self) -> f64 {
        self.positions.iter().chain(&self.torques).fold(0.0, |most: f64, late| most.max(late.abs()))
    }

    /// True if torques are.
    pub(super) fn has_torques(&self) -> bool {
        self.torques.iter().any(|late| *late != 0.0)
    }
}

/// The torques of all joints at a time, each as late as it is, out of rows that have no gap between them; false if some are not known.
pub(super) fn torques_at(
    t: f64,
    late: &[f64],
    times: &[f64],
    torques: &[f64],
    rows: Range<usize>,
    to: &mut [f64],
) -> bool {
    let width = to.len();
    for (joint, (to, late)) in to.iter_mut().zip(late).enumerate() {
        let wanted = t + late;
        let after = rows.start + times[rows.clone()].partition_point(|time| *time < wanted);
        if after >= rows.end || (after == rows.start && times[after] > wanted) {
            return false;
        }
        let value = |row: usize| torques[row * width + joint];
        *to = if times[after] == wanted {
            value(after)
        } else {
            let share = (wanted - times[after - 1]) / (times[after] - times[after - 1]);
            value(after - 1) + share * (value(after) - value(after - 1))
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torques_of_late_columns_are_those_of_rows_further_on() {
        let times: Vec<f64> = (0..10).map(|i| 0.1 * f64::from(i)).collect();
        let torques: Vec<f64> = times.iter().flat_map(|t| [3.0 * t, -t]).collect();
        let mut found = [0.0; 2];
        assert!(torques_at(0.3, &[0.25, -0.1], &times, &torques, 0..10, &mut found));
        assert!((found[0] - 1.65).abs() < 1e-12 && (found[1] + 0.2).abs() < 1e-12, "{found:?}");
        // Beyond the rows nothing is known.
        assert!(!torques_at(0.3, &[0.7, 0.0], &times, &torques, 0..10, &mut found));
        assert!(!torques_at(0.3, &[-0.2, 0.0], &times, &torques, 2..10, &mut found));
    }
}
