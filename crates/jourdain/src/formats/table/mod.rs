//! Tables of numbers under a heading, such as CSV: read line by line, in constant memory.
//!
//! [`Lines`] reads text, [`RowParser`] makes numbers of a line, [`Vocabulary`] knows what headings mean for a robot.
//! A [`Table`] has its numbers in memory already.
//! [`StateColumns`] and [`StateTable`] put them together for states; the logs of [`identify`](crate::identify::log) do so for
//! samples.

mod error;
mod heading;
mod lines;
mod memory;
mod series;
mod states;

pub use error::TableError;
pub use heading::{
    COMPUTED_TORQUES, POSITIONS, TIME, TORQUES, Vector, Vocabulary, csv_cell, heading, headings, is_time,
    state_vectors, time_column,
};
pub use lines::{Lines, RowParser, TextBlock, count_rows, first_lines};
pub use memory::{Place, Table};
pub use series::{Series, read_series};
pub use states::{StateColumns, StateTable};
