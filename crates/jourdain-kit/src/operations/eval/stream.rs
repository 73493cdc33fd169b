//! Results as CSV or Parquet, one block of states after the other: memory does not grow with their number.

use super::{Asked, Format, Request, Written, state_problem};
use crate::host::Host;
use crate::limits;
use crate::problem::Problem;
use crate::sheet::{Layout, Sheet};
use crate::states::{Block, Reader};
use jourdain::Model;
use jourdain::batch::Batch;

pub(super) fn run(
    request: &Request,
    format: Format,
    asked: &[Asked],
    model: &Model<f64>,
    mut reader: Reader<'_>,
    host: &dyn Host,
) -> Result<Written, Problem> {
    let quantities: Vec<_> = asked.iter().map(|asked| asked.quantity).collect();
    let mut batch = Batch::new(&quantities, request.method.path(), model).keeping(&host.compiled(&request.robot));
    reader.expected.into_iter().for_each(|states| batch.expect(states));
    limits::EVAL_COLUMNS.check("the result", batch.width())?;
    let layout = Layout { time: reader.time.clone(), columns: column_names(asked, model), words: None };
    let mut sheet = match (format, &request.out) {
        (Format::Parquet, Some(out)) => Sheet::parquet(&layout, out, host)?,
        (_, out) => Sheet::csv(&layout, out.as_deref(), host)?,
    };
    let (mut block, mut out, mut finished) = (Block::default(), Vec::new(), 0);
    loop {
        if host.is_cancelled() {
            return Err(Problem::cancelled());
        }
        reader.read(batch.block_length(), &mut block)?;
        let states = block.states();
        if states.is_empty() {
            break;
        }
        batch.evaluate_into(states, &mut out, |_| ()).map_err(|(index, error)| {
            state_problem(&error, reader.is_list.then_some(finished + index), block.place(index), &reader)
        })?;
        sheet.write(states.len(), &block.times, &out)?;
        finished += states.len();
    }
    sheet.finish()?;
    Ok(Written {
        robot: model.name().to_owned(),
        states: finished,
        columns: layout.names().map(str::to_owned).collect(),
        file: request.out.as_ref().map(|out| out.display().to_string()),
    })
}

/// A column per number.
fn column_names(asked: &[Asked], model: &Model<f64>) -> Vec<String> {
    asked.iter().flat_map(|asked| asked.quantity.entry().shape.headings(&asked.name, model)).collect()
}
