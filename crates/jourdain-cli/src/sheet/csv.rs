//! A sheet as CSV: numbers in the fewest digits that read back exactly.

use super::Layout;
use super::target::Target;
use crate::states::Times;
use jourdain::formats::table::csv_cell;
use rayon::prelude::*;
use std::io::{self, Write as _};

/// Numbers that one thread formats at a time: enough to pay for the hand-over.
const CHUNK: usize = 1 << 12;

pub(super) struct Writer {
    target: Target,
    /// Written with the first rows: an error before them leaves nothing.
    heading: Option<String>,
    width: usize,
}

impl Writer {
    pub fn new(layout: &Layout, target: Target) -> Self {
        let names: Vec<_> = layout.names().map(csv_cell).collect();
        Self { target, heading: Some(names.join(",")), width: layout.columns.len() }
    }

    fn write_heading(&mut self) -> io::Result<()> {
        self.heading.take().map_or(Ok(()), |heading| writeln!(self.target, "{heading}"))
    }

    pub fn write(&mut self, count: usize, times: &Times, values: &[f64]) -> io::Result<()> {
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
                    text.extend_from_slice(zmij::Buffer::new().format_finite(*x).as_bytes());
                }
                text.push(b'\n');
            }
            text
        };
        let chunks: Vec<Vec<u8>> = (0..count.div_ceil(rows)).into_par_iter().map(format).collect();
        self.write_heading()?;
        chunks.iter().try_for_each(|text| self.target.write_all(text))
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.write_heading()?;
        self.target.flush()
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
