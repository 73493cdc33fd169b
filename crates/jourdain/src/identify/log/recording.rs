//! Rows of a log in memory: times, positions, velocities if there are any, torques.
//!
//! A device that is asked more often than it measures answers with the same sample twice. Such a row tells nothing new and lies about
//! its time; it is left out. While nothing moves all rows are alike: where five in a row are, they stay.

/// Rows that are compared: a row like the one before is doubled unless the three before that are alike too.
pub(super) const ALIKE: usize = 4;

/// Consecutive rows, doubled ones left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    /// Number of joints.
    pub width: usize,
    /// Numbers of a row's torques: those of the joints, then those of wrenches.
    pub efforts: usize,
    /// The row in the log, from 0.
    pub rows: Vec<u64>,
    /// Stamps, s.
    pub times: Vec<f64>,
    /// Positions, row by row.
    pub q: Vec<f64>,
    /// Velocities, row by row; empty if there are none.
    pub qd: Vec<f64>,
    /// Torques, row by row.
    pub tau: Vec<f64>,
}

impl Recording {
    pub fn new(width: usize, efforts: usize) -> Self {
        Self { width, efforts, ..Self::default() }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row.
    pub fn push(&mut self, row: u64, t: f64, numbers: &Numbers) {
        self.rows.push(row);
        self.times.push(t);
        self.q.extend_from_slice(&numbers.q);
        self.qd.extend_from_slice(&numbers.qd);
        self.tau.extend_from_slice(&numbers.tau);
    }

    /// Drops the first rows.
    pub fn forget(&mut self, count: usize) {
        let (n, velocities) = (self.width, if self.qd.is_empty() { 0 } else { self.width });
        self.rows.drain(..count);
        self.times.drain(..count);
        self.q.drain(..count * n);
        self.qd.drain(..count * velocities);
        self.tau.drain(..count * self.efforts);
    }

    /// The torques of a row.
    pub fn torques(&self, at: usize) -> &[f64] {
        &self.tau[at * self.efforts..][..self.efforts]
    }
}

/// The numbers of one row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Numbers {
    pub q: Vec<f64>,
    /// Empty without velocities.
    pub qd: Vec<f64>,
    pub tau: Vec<f64>,
}

/// Finds rows that were sent twice.
#[derive(Clone, Debug)]
pub(super) struct Doubled {
    last: Numbers,
    /// How many rows before are like the last one.
    alike: usize,
}

impl Doubled {
    pub fn new() -> Self {
        Self { last: Numbers::default(), alike: 0 }
    }

    /// True if the row is the one before once more, and not one of many at rest.
    pub fn is_doubled(&mut self, numbers: &Numbers) -> bool {
        if *numbers == self.last {
            self.alike += 1;
        } else {
            self.last.q.clone_from(&numbers.q);
            self.last.qd.clone_from(&numbers.qd);
            self.last.tau.clone_from(&numbers.tau);
            self.alike = 0;
        }
        self.alike > 0 && self.alike < ALIKE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(x: f64) -> Numbers {
        Numbers { q: vec![x], qd: Vec::new(), tau: vec![2.0 * x] }
    }

    #[test]
    fn a_row_that_comes_twice_is_doubled_and_a_robot_at_rest_is_not() {
        let mut doubled = Doubled::new();
        let moving: Vec<bool> = [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0].map(|x| doubled.is_doubled(&numbers(x))).to_vec();
        assert_eq!(moving, [false, false, true, false, true, true, false]);
        let resting = (0..20).filter(|_| doubled.is_doubled(&numbers(9.0))).count();
        assert_eq!(resting, ALIKE - 1);
    }

    #[test]
    fn forgotten_rows_are_gone_from_all_columns() {
        let mut recording = Recording::new(1, 1);
        (0..5).for_each(|i| recording.push(i, 0.1 * i as f64, &numbers(i as f64)));
        recording.forget(3);
        assert_eq!((recording.len(), recording.rows[0], recording.q.len()), (2, 3, 2));
        assert_eq!(recording.torques(1), [8.0]);
    }
}
