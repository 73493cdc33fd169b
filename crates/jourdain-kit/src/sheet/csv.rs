//! A sheet as CSV: numbers in the fewest digits that read back exactly.

use super::Layout;
use crate::problem::Problem;
use crate::states::Times;
use crate::write::Output;
use jourdain::formats::table::csv_cell;
use rayon::prelude::*;
use std::io::Write as _;

/// Numbers that one thread formats at a time: enough to pay for the hand-over.
const CHUNK: usize = 1 << 12;

pub(super) struct Writer<'h> {
    output: Output<'h>,
    /// Written with the first rows: an error before them leaves nothing.
    heading: Option<String>,
    width: usize,
}

impl<'h> Writer<'h> {
    pub fn new(layout: &Layout, output: Output<'h>) -> Self {
        let names: Vec<_> = layout.names().map(csv_cell).collect();
        Self { output, heading: Some(names.join(",")), width: layout.columns.len() }
    }

    fn write_heading(&mut self) -> Result<(), Problem> {
        let Some(heading) = self.heading.take() else { return Ok(()) };
        writeln!(self.output, "{heading}").map_err(|error| self.output.problem(&error))
    }

    pub fn write(&mut self, count: usize, times: &Times, values: &[f64], words: &[&str]) -> Result<(), Problem> {
        let width = self.width;
        let rows = (CHUNK / width.max(1)).max(1);
        let format = |chunk: usize| {
            let mut text = Vec::with_capacity(rows * (width + 1) * 20);
            for row in chunk * rows..count.min((chunk + 1) * rows) {
                let timed = push_time(times, row, &mut text);
                for (column, x) in values[row * width..(row + 1) * width].iter().enumerate() {
                    if timed || column > 0 {
                        text.push(b',');
                    }
                    if !x.is_nan() {
                        text.extend_from_slice(zmij::Buffer::new().format(*x).as_bytes());
                    }
                }
                if let Some(word) = words.get(row) {
                    text.push(b',');
                    text.extend_from_slice(csv_cell(word).as_bytes());
                }
                text.push(b'\n');
            }
            text
        };
        let chunks: Vec<Vec<u8>> = (0..count.div_ceil(rows)).into_par_iter().map(format).collect();
        self.write_heading()?;
        let written = chunks.iter().try_for_each(|text| self.output.write_all(text));
        written.map_err(|error| self.output.problem(&error))
    }

    pub fn finish(mut self) -> Result<(), Problem> {
        self.write_heading()?;
        self.output.finish()
    }
}

/// Appends the time of a row, if there is one.
fn push_time(times: &Times, row: usize, text: &mut Vec<u8>) -> bool {
    match times {
        Times::Absent => return false,
        Times::Text(all, ends) => {
            let start = if row == 0 { 0 } else { ends[row - 1] };
            text.extend_from_slice(&all[start..ends[row]]);
        }
        Times::Doubles(times) => text.extend_from_slice(zmij::Buffer::new().format_finite(times[row]).as_bytes()),
        Times::Integers(times) => text.extend_from_slice(times[row].to_string().as_bytes()),
    }
    true
}
