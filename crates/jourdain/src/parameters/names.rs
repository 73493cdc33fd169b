//! The literature's names of parameters: `XX3`, and `XXR3` where others have been regrouped into it.
//!
//! Moving links are numbered from 1 in the order of the model; a link welded to another has no number and goes by its name,
//! `XX_tool`; if it has no mass either, it is a mere frame and does not appear. Drives are `Ia3`, `Fv3`, `Fc3`, with a second number where a joint has several.

use super::base::BaseParameters;
use super::transport::PER_LINK;
use crate::dynamics::closed_form::parameter_labels;
use crate::dynamics::recursive::parameter_count;
use crate::model::{Link, Model};
use jourdain_symbolic::Constant;

const NAMES: [&str; PER_LINK] = ["m", "mX", "mY", "mZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"];

/// What follows the letters in a link's names: `3`, or `_tool`.
pub(crate) fn numbers<T: Constant>(model: &Model<T>) -> Vec<String> {
    let mut next = 0;
    let number = |link: &Link<T>| {
        if link.joint.nv() == 0 {
            return format!("_{}", link.name);
        }
        next += 1;
        next.to_string()
    };
    model.links().iter().map(number).collect()
}

/// A parameter's name in parts: letters, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    letters: String,
    index: String,
    /// Others have been regrouped into it.
    regrouped: bool,
}

impl Name {
    /// As text: `XXR3`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}{}", self.letters, if self.regrouped { "R" } else { "" }, self.index)
    }

    /// As LaTeX: `XXR_{3}`.
    #[must_use]
    pub fn latex(&self) -> String {
        let letters =
            if self.letters.len() > 1 { format!("\\mathit{{{}}}", self.letters) } else { self.letters.clone() };
        format!("{letters}_{{{}{}}}", if self.regrouped { "R" } else { "" }, latex_index(&self.index))
    }
}

/// An index of a name: a number as it is, a link's name upright.
pub(crate) fn latex_index(index: &str) -> String {
    match index.strip_prefix('_') {
        Some(name) => format!("\\mathrm{{{}}}", escaped(name)),
        None => escaped(index),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '_' | '#' | '$' | '%' | '&' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\backslash "),
            '^' | '~' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// The names of the standard parameters, one per column of the regressor.
#[must_use]
pub fn standard_names<T: Constant>(model: &Model<T>) -> Vec<Name> {
    let numbers = numbers(model);
    let mut names = Vec::new();
    for index in &numbers {
        names.extend(NAMES.map(|letters| Name { letters: letters.to_owned(), index: index.clone(), regrouped: false }));
    }
    // `Ia_shoulder_2`: the link's name gives way to its number.
    for label in parameter_labels(model).into_iter().skip(names.len()) {
        let (letters, rest) = label.split_once('_').unwrap_or((label.as_str(), ""));
        let link = |name: &str| model.links().iter().position(|link| link.name == name);
        let index = match (link(rest), rest.rsplit_once('_')) {
            (Some(at), _) if model.links()[at].joint.nv() == 1 => numbers[at].clone(),
            (_, Some((name, number))) => {
                link(name).map_or_else(|| rest.to_owned(), |at| format!("{}_{number}", numbers[at]))
            }
            _ => rest.to_owned(),
        };
        names.push(Name { letters: letters.to_owned(), index, regrouped: false });
    }
    names
}

/// Per column, whether it belongs to a mere frame: a link without mass that is welded to another. Its parameters are zero and
/// are left out of names and formulas.
#[must_use]
pub fn frame_columns<T: Constant>(model: &Model<T>) -> Vec<bool> {
    let is_frame = |link: &Link<T>| link.joint.nv() == 0 && link.inertia.is_zero();
    let mut columns: Vec<bool> = model.links().iter().flat_map(|link| [is_frame(link); PER_LINK]).collect();
    columns.resize(parameter_count(model), false);
    columns
}

/// The names of the base parameters, in their order.
#[must_use]
pub fn base_names<T: Constant>(model: &Model<T>, base: &BaseParameters) -> Vec<Name> {
    let (standard, frames) = (standard_names(model), frame_columns(model));
    let name = |(row, &column): (usize, &usize)| {
        let is_term = |&other: &usize| base.matrix()[(row, other)] != 0.0 && !frames[other];
        let terms = (0..standard.len()).filter(is_term).count();
        Name { regrouped: terms > 1, ..standard[column].clone() }
    };
    base.kept().iter().enumerate().map(name).collect()
}
