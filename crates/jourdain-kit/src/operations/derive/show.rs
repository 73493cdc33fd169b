//! What was derived, as people read it: the code itself, or which files hold what.

use super::target::{Form, Target};
use super::{Operations, Report};
use crate::by_name::ByName;
use crate::text::table;

/// All files one after the other, each under its name where code has several.
pub(super) fn sources(target: Target, sources: &ByName<String>) -> String {
    match (target.form(), &sources.0[..]) {
        (Form::Code(target), files @ [_, _, ..]) => {
            files.iter().map(|(name, text)| format!("{}\n{text}", target.comment(name))).collect()
        }
        (_, files) => files.iter().map(|(_, text)| text.as_str()).collect(),
    }
}

/// The files, and what each quantity costs.
pub(super) fn summary(report: &Report) -> String {
    let rows = report.quantities.0.iter().map(|(name, derived)| {
        let Operations { mul, add, div, sqrt, sincos } = derived.operations;
        let [mul, add, div, sqrt, sincos] = [mul, add, div, sqrt, sincos].map(|count| count.to_string());
        [name.clone(), derived.function.clone(), mul, add, div, sqrt, sincos]
    });
    let header = ["quantity", "function", "mul", "add", "div", "sqrt", "sincos"];
    let table = table::render(header, rows, &[2, 3, 4, 5, 6]);
    format!("{}\n\n{table}", report.files.join("\n"))
}
