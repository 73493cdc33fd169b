//! Results as CSV or Parquet, one block of states after the other: memory does not grow with their number.

use super::{Arguments, Asked, Format, state_failure};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::sheet::{Layout, Sheet};
use crate::states::{Block, Reader};
use jourdain::Model;
use jourdain::batch::Batch;
use serde_json::json;

/// Most columns of a result.
const MOST_COLUMNS: usize = 1 << 16;

pub(super) fn run(
    arguments: &Arguments,
    asked: &[Asked],
    model: &Model<f64>,
    mut reader: Reader<'_>,
    progress: &Progress,
    output: &Output,
) -> Result<u8, Failure> {
    let quantities: Vec<_> = asked.iter().map(|asked| asked.quantity).collect();
    let mut batch = Batch::new(&quantities, arguments.method.path(), model);
    reader.expected.into_iter().for_each(|states| batch.expect(states));
    if batch.width() > MOST_COLUMNS {
        let message = format!("the result would have {} columns; at most {MOST_COLUMNS} are written", batch.width());
        return Err(Failure::new("too-large", message).hint("ask for fewer quantities at once"));
    }
    let layout = Layout { time: reader.time.clone(), columns: column_names(asked, model) };
    let mut sheet = match (arguments.format, &arguments.out) {
        (Some(Format::Parquet), Some(out)) => Sheet::parquet(&layout, out)?,
        (_, out) => Sheet::csv(&layout, out.as_deref())?,
    };
    let (mut block, mut out, mut finished) = (Block::default(), Vec::new(), 0);
    loop {
        reader.read(batch.block_length(), &mut block)?;
        let states = block.states();
        if states.is_empty() {
            break;
        }
        batch.evaluate_into(states, &mut out, |_| ()).map_err(|(index, error)| {
            state_failure(&error, reader.is_list.then_some(finished + index), block.place(index), &reader)
        })?;
        sheet.write(states.len(), &block.times, &out)?;
        finished += states.len();
    }
    sheet.finish()?;
    progress.clear();
    let Some(file) = arguments.out.as_ref().map(|out| out.display().to_string()) else { return Ok(0) };
    if output.is_json() {
        let columns: Vec<_> = layout.names().collect();
        output.json(&json!({ "robot": model.name(), "states": finished, "columns": columns, "file": file }))?;
    } else {
        let what = if finished == 1 { "state" } else { "states" };
        output.note(&format!("{file}: {finished} {what}, {} columns", layout.names().count()));
    }
    Ok(0)
}

/// A column per number.
fn column_names(asked: &[Asked], model: &Model<f64>) -> Vec<String> {
    asked.iter().flat_map(|asked| asked.quantity.entry().shape.headings(&asked.name, model)).collect()
}
