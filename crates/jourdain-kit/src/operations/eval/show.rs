//! Results as text.

use super::Asked;
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING};
use jourdain::Model;
use jourdain::quantity::Axis;

pub(super) fn to_text(model: &Model<f64>, asked: &[Asked], results: &[Vec<Vec<f64>>], is_list: bool) -> String {
    let mut blocks = Vec::new();
    for (index, values) in results.iter().enumerate() {
        if is_list {
            blocks.push(format!("{HEADING}state {index}{HEADING:#}"));
        }
        blocks.extend(asked.iter().zip(values).map(|(asked, values)| block(model, asked, values)));
    }
    blocks.join("\n\n")
}

fn block(model: &Model<f64>, asked: &Asked, values: &[f64]) -> String {
    let entry = asked.quantity.entry();
    let notation = Notation::of(values.iter().copied());
    let cell = |x: &f64| numbers::format(*x, &notation);
    let unit = if entry.unit.is_empty() { String::new() } else { format!(" [{}]", entry.unit) };
    let heading = format!("{HEADING}{}{HEADING:#}{FAINT}{unit}  {}{FAINT:#}", asked.name, entry.about);
    let axes = entry.shape.0;
    let label = |axis: Axis, index: usize| axis.labels(model).map_or(String::new(), |labels| labels[index].clone());
    let lines = match (axes, entry.shape.lengths(model).as_slice()) {
        (&[], _) => values.iter().map(|x| format!("  {}", cell(x))).collect(),
        (&[axis], _) => {
            let labels = axis.labels(model).unwrap_or_default();
            matrix_lines(values.len(), 1, &labels, &[], |row, _| cell(&values[row]))
        }
        // Parameters are many and have names: one line each.
        (&[axis, Axis::Parameters | Axis::InertialParameters | Axis::BaseParameters], &[rows, columns]) => {
            let labels = [axes[1].labels(model), axis.labels(model)].map(Option::unwrap_or_default);
            matrix_lines(columns, rows, &labels[0], &labels[1], |row, column| cell(&values[column * columns + row]))
        }
        (&[rows_axis, columns_axis], &[rows, columns]) => {
            let labels = [rows_axis.labels(model), columns_axis.labels(model)].map(Option::unwrap_or_default);
            matrix_lines(rows, columns, &labels[0], &labels[1], |row, column| cell(&values[row * columns + column]))
        }
        (&[rows_axis, columns_axis, variable], &[rows, columns, variables]) => {
            let labels = [rows_axis.labels(model), columns_axis.labels(model)].map(Option::unwrap_or_default);
            let mut lines = Vec::new();
            for h in 0..variables {
                lines.push(format!("  {FAINT}by{FAINT:#} {}", label(variable, h)));
                lines.extend(matrix_lines(rows, columns, &labels[0], &labels[1], |row, column| {
                    cell(&values[(row * columns + column) * variables + h])
                }));
            }
            lines
        }
        _ => Vec::new(),
    };
    std::iter::once(heading).chain(lines).collect::<Vec<_>>().join("\n")
}

/// A matrix with its labels, indented.
#[must_use]
pub fn matrix_lines(
    rows: usize,
    columns: usize,
    row_labels: &[String],
    column_labels: &[String],
    cell: impl Fn(usize, usize) -> String,
) -> Vec<String> {
    let mut table = Vec::with_capacity(rows + 1);
    if !column_labels.is_empty() {
        table.push(std::iter::once(String::new()).chain(column_labels.iter().cloned()).collect());
    }
    for row in 0..rows {
        let label = row_labels.get(row).cloned().unwrap_or_default();
        table.push(std::iter::once(label).chain((0..columns).map(|column| cell(row, column))).collect());
    }
    numbers::align_right(&table).into_iter().map(|line| format!("  {line}")).collect()
}
