//! Results as text.

use super::Asked;
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING};
use jourdain::Model;
use jourdain::quantity::Axis;
use jourdain::unit::Unit;

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
    let axes = entry.shape.0;
    // The rotation in a pose needs no unit.
    let common = match axes {
        [Axis::Homogeneous, ..] => Some(asked.quantity.unit()),
        _ => asked.quantity.common_unit(model),
    };
    let units = if common.is_none() { asked.quantity.units(model) } else { Vec::new() };
    let unit = common.filter(|unit| *unit != Unit::ONE).map_or_else(String::new, |unit| format!(" [{unit}]"));
    let heading = format!("{HEADING}{}{HEADING:#}{FAINT}{unit}  {}{FAINT:#}", asked.name, asked.quantity.about());
    let label = |axis: Axis, index: usize| axis.labels(model).map_or(String::new(), |labels| labels[index].clone());
    // Rows by the axis of their labels, elements by their place.
    let matrix = |size: [usize; 2], rows: Axis, columns: Option<Axis>, place: &dyn Fn(usize, usize) -> usize| {
        let labels = [Some(rows), columns].map(|axis| axis.and_then(|axis| axis.labels(model)).unwrap_or_default());
        let row_labels = with_units(&labels[0], size, |row, column| units.get(place(row, column)).copied());
        matrix_lines(size[0], size[1], &row_labels, &labels[1], |row, column| cell(&values[place(row, column)]))
    };
    let lines = match (axes, entry.shape.lengths(model).as_slice()) {
        (&[], _) => values.iter().map(|x| format!("  {}", cell(x))).collect(),
        (&[axis], _) => matrix([values.len(), 1], axis, None, &|row, _| row),
        // Parameters are many and have names: one line each.
        (&[axis, Axis::Parameters | Axis::InertialParameters | Axis::BaseParameters], &[rows, columns]) => {
            matrix([columns, rows], axes[1], Some(axis), &|row, column| column * columns + row)
        }
        (&[rows_axis, columns_axis], &[rows, columns]) => {
            matrix([rows, columns], rows_axis, Some(columns_axis), &|row, column| row * columns + column)
        }
        (&[rows_axis, columns_axis, variable], &[rows, columns, variables]) => {
            let mut lines = Vec::new();
            for h in 0..variables {
                lines.push(format!("  {FAINT}by{FAINT:#} {}", label(variable, h)));
                let place = |row, column| (row * columns + column) * variables + h;
                lines.extend(matrix([rows, columns], rows_axis, Some(columns_axis), &place));
            }
            lines
        }
        _ => Vec::new(),
    };
    std::iter::once(heading).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Labels of rows with the units of their elements where there are any: `[m]`, or `[kg m² ×2, kg m]` along the row.
fn with_units(labels: &[String], size: [usize; 2], unit: impl Fn(usize, usize) -> Option<Unit>) -> Vec<String> {
    let of_row = |(row, label): (usize, &String)| {
        let mut runs: Vec<(Unit, usize)> = Vec::new();
        for unit in (0..size[1]).filter_map(|column| unit(row, column)) {
            match runs.last_mut() {
                Some((last, count)) if *last == unit => *count += 1,
                _ => runs.push((unit, 1)),
            }
        }
        let alone = runs.len() == 1;
        let text = |(unit, count): &(Unit, usize)| match count {
            count if *count > 1 && !alone => format!("{unit} ×{count}"),
            _ => unit.to_string(),
        };
        let texts: Vec<String> = runs.iter().map(text).collect();
        if texts.is_empty() { label.clone() } else { format!("{label} [{}]", texts.join(", ")) }
    };
    labels.iter().enumerate().map(of_row).collect()
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
