//! States as the rows of a table: a column per number, named as in a log.

use super::error::TableError;
use super::heading::{Vector, Vocabulary, state_vectors, time_column};
use super::lines::{Lines, RowParser, TextBlock};
use super::memory::Place;
use crate::model::{CoordinateKind, Model};
use crate::state::{Input, State, StateError, normalize_quaternions};
use rayon::prelude::*;
use std::io::BufRead;

/// Where the numbers of a state stand in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct StateColumns {
    time: Option<usize>,
    /// Of each vector, if all of it is there.
    vectors: Vec<Option<Vec<usize>>>,
}

impl StateColumns {
    /// Reads a heading. A vector that is not there at all is zero; `needs_position` says that the position may not be.
    ///
    /// # Errors
    /// Columns that are missing or there twice.
    pub fn new(headings: &[String], model: &Model<f64>, needs_position: bool) -> Result<Self, TableError> {
        let known = state_vectors();
        let vocabulary = Vocabulary::new(model, &known);
        let places = vocabulary.find(headings)?;
        let mut vectors = Vec::with_capacity(known.len());
        for Vector { letters, kind, .. } in known {
            vectors.push(if kind == CoordinateKind::Position && needs_position {
                Some(vocabulary.required(letters, &places, headings)?)
            } else {
                vocabulary.optional(letters, &places, headings)?
            });
        }
        Ok(Self { time: time_column(headings)?, vectors })
    }

    /// The column of time.
    #[must_use]
    pub fn time(&self) -> Option<usize> {
        self.time
    }

    /// The columns of a state, without time.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.vectors.iter().flatten().flatten().copied()
    }

    /// Copies the numbers of a row, `value(column)`, to the state, and scales quaternions to unit length.
    ///
    /// # Errors
    /// A quaternion of length zero; with its column.
    pub fn fill(
        &self,
        model: &Model<f64>,
        state: &mut State<f64>,
        value: impl Fn(usize) -> f64,
    ) -> Result<(), (usize, StateError)> {
        for (input, columns) in Input::vectors().zip(&self.vectors) {
            let to = input.vector_mut(state).into_iter().flatten();
            to.zip(columns.iter().flatten()).for_each(|(to, column)| *to = value(*column));
        }
        let Some(position) = &self.vectors[0] else { return Ok(()) };
        normalize_quaternions(model, &mut state.q).map_err(|error| match error {
            StateError::ZeroQuaternion { index, .. } => (position[index], error),
            _ => (0, error),
        })
    }
}

/// A CSV text whose rows are states.
pub struct StateTable<R> {
    lines: Lines<R>,
    parser: RowParser,
    columns: StateColumns,
    block: TextBlock,
}

impl<R: BufRead> StateTable<R> {
    /// Reads the heading.
    ///
    /// # Errors
    /// What is wrong with it; `needs_position` as in [`StateColumns::new`].
    pub fn new(source: R, model: &Model<f64>, needs_position: bool) -> Result<Self, TableError> {
        let mut lines = Lines::new(source);
        let mut parser = RowParser::new(&mut lines)?;
        let columns = StateColumns::new(parser.headings(), model, needs_position)?;
        parser.want(columns.used().chain(columns.time()));
        Ok(Self { lines, parser, columns, block: TextBlock::default() })
    }

    /// The heading of the column of time.
    #[must_use]
    pub fn time_name(&self) -> Option<&str> {
        self.columns.time().map(|column| self.parser.headings()[column].as_str())
    }

    /// Reads the next states, at most so many, into the first of `states`, which grow if they have to, and returns their
    /// number; none are left if it is zero. Lines are parsed on all cores.
    ///
    /// # Errors
    /// The first line that is no state.
    pub fn read(&mut self, most: usize, model: &Model<f64>, states: &mut Vec<State<f64>>) -> Result<usize, TableError> {
        let Self { lines, parser, columns, block } = self;
        lines.next_block(most, block)?;
        let count = block.len();
        if states.len() < count {
            states.resize_with(count, || State::neutral(model));
        }
        let block = &*block;
        let read = |values: &mut Vec<f64>, (index, state): (usize, &mut State<f64>)| {
            let (text, line) = block.line(index);
            parser.parse(text, line, values)?;
            columns.fill(model, state, |column| values[column]).map_err(|(column, error)| TableError::Quaternion {
                place: Place::Line(line),
                column: column + 1,
                message: error.to_string(),
            })
        };
        let start = || vec![0.0; parser.headings().len()];
        let results = states[..count].par_iter_mut().with_min_len(64).enumerate().map_init(start, read);
        match results.find_first(Result::is_err) {
            Some(Err(error)) => Err(error),
            _ => Ok(count),
        }
    }

    /// The line of a state that was read last, from 1.
    ///
    /// # Panics
    /// If not as many were read.
    #[must_use]
    pub fn line(&self, index: usize) -> u64 {
        self.block.line(index).1
    }

    /// The time of a state that was read last, as it stands there; empty if there is no such column.
    ///
    /// # Panics
    /// If not as many were read.
    #[must_use]
    pub fn time(&self, index: usize) -> &[u8] {
        self.columns.time().map_or(&[], |column| self.parser.cell(self.block.line(index).0, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;

    fn read(text: &str, robot: &str) -> Result<Vec<State<f64>>, TableError> {
        let model = robots::load(robot).unwrap();
        let (mut table, mut states) = (StateTable::new(text.as_bytes(), &model, true)?, Vec::new());
        let mut all = Vec::new();
        loop {
            let count = table.read(2, &model, &mut states)?;
            if count == 0 {
                return Ok(all);
            }
            all.extend_from_slice(&states[..count]);
        }
    }

    #[test]
    fn every_vector_of_a_state_has_columns() {
        let text = "qdd_r2,qd_r1,time,q1,q2,qd1,qd2,qdd1,qdd2,qddd1,qddd2,qdddd1,qdddd2,tau1,tau2,qdd_r_link1,qd_r2,note\n\
                    16,13,0,1,2,3,4,5,6,7,8,9,10,11,12,15,14,x\n";
        let state = &read(text, "planar2r").unwrap()[0];
        let vectors =
            [&state.q, &state.qd, &state.qdd, &state.qddd, &state.qdddd, &state.tau, &state.qd_r, &state.qdd_r];
        let flat: Vec<f64> = vectors.into_iter().flatten().copied().collect();
        assert_eq!(flat, (1..=16).map(f64::from).collect::<Vec<_>>());
    }

    #[test]
    fn blocks_give_all_rows_and_the_first_error_in_order() {
        let rows = |count: usize| (0..count).map(|k| format!("{k},0\n")).collect::<String>();
        let states = read(&format!("q1,q2\n{}", rows(7)), "planar2r").unwrap();
        assert_eq!(states.iter().map(|state| state.q[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let error = read(&format!("q1,q2\n{}# a remark\nnan,0\n0,0,0\n", rows(1)), "planar2r").unwrap_err();
        assert_eq!((error.kind(), error.place()), ("not-finite", Some((4, 1))));
        assert_eq!(read("", "planar2r").unwrap_err().kind(), "no-heading");
        assert_eq!(read("q1,q2\n", "planar2r").unwrap(), []);
        assert_eq!(read("q1,qd1,qd2\n", "planar2r").unwrap_err().kind(), "missing-column");
        assert_eq!(read("qd1,qd2\n", "planar2r").unwrap_err().kind(), "missing-column");
    }

    #[test]
    fn quaternions_are_scaled_and_those_of_length_zero_refused() {
        let heading: Vec<_> = (1..=32).map(|k| format!("q{k}")).collect();
        let row = |w: &str| {
            let cells: Vec<_> = (1..=32).map(|k| if k == 4 { w } else { "0" }).collect();
            format!("{}\n{}\n", heading.join(","), cells.join(","))
        };
        assert_eq!(read(&row("2"), "floating_humanoid25").unwrap()[0].q[3], 1.0);
        let error = read(&row("0"), "floating_humanoid25").unwrap_err();
        assert_eq!((error.kind(), error.place()), ("zero-quaternion", Some((2, 4))));
    }
}
