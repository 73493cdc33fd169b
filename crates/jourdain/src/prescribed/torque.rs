//! Torque laws: none, constant, or a table over time.
//!
//! A table is read between its rows either on straight lines or as held values: row i holds from tᵢ up to tᵢ₊₁. Before the
//! first and after the last row the nearest row holds. Torques are what the drives give; friction is a term of the model
//! and not part of them.
//!
//! Trap: at a row the law has a kink or a jump, and an integrator that steps across it loses its order. A law is therefore
//! asked for a time *and* for a time within the piece meant, and integrators cut their steps at the rows.

use std::fmt;

/// The torques that the drives give over time, N m or N.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Torque {
    /// Free motion.
    #[default]
    None,
    /// The same torques all the time.
    Constant(Vec<f64>),
    /// Torques over time.
    Table(TorqueTable),
}

impl Torque {
    /// The torques at time `t` by the piece of the law that holds at the time `inside`: the two differ where `t` is an end
    /// of the piece.
    ///
    /// # Panics
    /// If `out` does not have the law's length.
    pub fn at_into(&self, t: f64, inside: f64, out: &mut [f64]) {
        match self {
            Self::None => out.fill(0.0),
            Self::Constant(tau) => out.copy_from_slice(tau),
            Self::Table(table) => table.at_into(t, inside, out),
        }
    }

    /// The times where the law has a kink or a jump, ascending.
    #[must_use]
    pub fn knots(&self) -> &[f64] {
        match self {
            Self::Table(table) => &table.times,
            _ => &[],
        }
    }

    /// Numbers per time; `None` if any number will do.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Constant(tau) => Some(tau.len()),
            Self::Table(table) => table.rows.first().map(Vec::len),
        }
    }
}

/// How a table is read between its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// On straight lines.
    #[default]
    Linear,
    /// Each row holds until the next.
    Hold,
}

/// Torques at ascending times.
#[derive(Clone, Debug, PartialEq)]
pub struct TorqueTable {
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
    interpolation: Interpolation,
}

/// What is wrong with a torque table, and in which line or row of it, counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line of the text, or the row if there is no text.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TableError {}

impl TorqueTable {
    /// A table of torques at times.
    ///
    /// # Errors
    /// No rows, rows of different lengths, times that do not ascend, numbers that are not finite.
    pub fn new(rows: Vec<(f64, Vec<f64>)>, interpolation: Interpolation) -> Result<Self, TableError> {
        Self::numbered(rows.into_iter().zip(1..).map(|(row, line)| (line, row)), interpolation)
    }

    /// Reads lines of a time and the torques of all joints, separated by commas, semicolons or white space. Empty lines and
    /// what follows a `#` are skipped, and so is a first line that is not numbers: a heading.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str, interpolation: Interpolation) -> Result<Self, TableError> {
        let mut rows = Vec::new();
        let mut heading_allowed = true;
        for (text, line) in text.lines().zip(1..) {
            let text = text.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default();
            let words: Vec<_> = text
                .split(|c: char| matches!(c, ',' | ';') || c.is_whitespace())
                .filter(|word| !word.is_empty())
                .collect();
            if words.is_empty() {
                continue;
            }
            let numbers: Result<Vec<f64>, _> = words.iter().map(|word| word.parse().map_err(|_| *word)).collect();
            match numbers {
                Ok(numbers) => rows.push((line, (numbers[0], numbers[1..].to_vec()))),
                Err(_) if heading_allowed => {}
                Err(word) => {
                    let word: String = word.chars().take(40).collect();
                    return Err(TableError { line, message: format!("`{word}` is not a number") });
                }
            }
            heading_allowed = false;
        }
        Self::numbered(rows.into_iter(), interpolation)
    }

    fn numbered(
        given: impl Iterator<Item = (usize, (f64, Vec<f64>))>,
        interpolation: Interpolation,
    ) -> Result<Self, TableError> {
        let (mut times, mut rows) = (Vec::<f64>::new(), Vec::<Vec<f64>>::new());
        for (line, (time, row)) in given {
            let wrong = |message: String| Err(TableError { line, message });
            if let Some(value) = std::iter::once(&time).chain(&row).find(|x| !x.is_finite()) {
                return wrong(format!("{value} is not a finite number"));
            }
            if let Some(&before) = times.last()
                && time <= before
            {
                return wrong(format!("time {time} does not come after time {before}"));
            }
            if let Some(first) = rows.first()
                && first.len() != row.len()
            {
                return wrong(format!("{} torques, but {} before", row.len(), first.len()));
            }
            times.push(time);
            rows.push(row);
        }
        if rows.is_empty() {
            return Err(TableError { line: 1, message: "the table has no rows".to_owned() });
        }
        Ok(Self { times, rows, interpolation })
    }

    fn at_into(&self, t: f64, inside: f64, out: &mut [f64]) {
        let after = self.times.partition_point(|&time| time <= inside);
        let row = match (after, self.interpolation) {
            (0, _) => &self.rows[0],
            (next, Interpolation::Linear) if next < self.times.len() => {
                let (t0, t1) = (self.times[next - 1], self.times[next]);
                let share = ((t - t0) / (t1 - t0)).clamp(0.0, 1.0);
                for ((out, from), to) in out.iter_mut().zip(&self.rows[next - 1]).zip(&self.rows[next]) {
                    *out = (1.0 - share) * from + share * to;
                }
                return;
            }
            (next, _) => &self.rows[next - 1],
        };
        out.copy_from_slice(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(table: &TorqueTable, t: f64, inside: f64) -> f64 {
        let mut out = [0.0];
        table.at_into(t, inside, &mut out);
        out[0]
    }

    #[test]
    fn tables_are_read_on_lines_or_held_and_hold_at_both_ends() {
        let text = "time, tau\n0.5, 1 # first\n\n1.0; 3\n2.0\t-1\n";
        let linear = TorqueTable::parse(text, Interpolation::Linear).unwrap();
        let times = [0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 9.0];
        assert_eq!(times.map(|t| at(&linear, t, t)), [1.0, 1.0, 2.0, 3.0, 1.0, -1.0, -1.0]);
        let held = TorqueTable::parse(text, Interpolation::Hold).unwrap();
        assert_eq!(times.map(|t| at(&held, t, t)), [1.0, 1.0, 1.0, 3.0, 3.0, -1.0, -1.0]);
    }

    #[test]
    fn a_jump_is_seen_from_the_side_that_is_meant() {
        let held = TorqueTable::new(vec![(0.0, vec![1.0]), (1.0, vec![2.0])], Interpolation::Hold).unwrap();
        assert_eq!([at(&held, 1.0, 0.9), at(&held, 1.0, 1.1)], [1.0, 2.0]);
    }

    #[test]
    fn bad_tables_are_refused_with_their_line() {
        for (text, line, part) in [
            ("", 1, "no rows"),
            ("t tau\n", 1, "no rows"),
            ("0 1\n1 x\n", 2, "`x` is not a number"),
            ("t a\n0 1\n0 2\n", 3, "does not come after"),
            ("0 1 2\n\n1 1\n", 3, "1 torques, but 2 before"),
            ("0 1\n1 NaN\n", 2, "not a finite number"),
            ("inf 1\n", 1, "not a finite number"),
            ("t a\nu b\n", 2, "`u` is not a number"),
        ] {
            let error = TorqueTable::parse(text, Interpolation::Linear).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.message.contains(part), "{text:?}: {error}");
        }
    }
}
