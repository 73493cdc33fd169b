//! The literature's names of parameters: `XX3`, and `XXR3` where others have been regrouped into it.
//!
//! Moving links are numbered from 1 in the order of the model; a link welded to another has no number and goes by its name,
//! `XX_tool`; if it has no mass either, it is a mere frame and does not appear. Drives are `Ia3`, `Fv3`, `Fc3`, with a second number where a joint has several.

use super::base::BaseParameters;
use super::transport::PER_LINK;
use crate::dynamics::recursive::parameter_count;
use crate::model::{Link, LinkNumber, Model, Parameter, ParameterKind};
use jourdain_symbolic::Constant;

/// A parameter's name in parts: letters, the link, and which number of a joint that has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    letters: &'static str,
    link: LinkNumber,
    /// Which number of the joint, from 1, where it has several.
    local: Option<usize>,
    /// Others have been regrouped into it.
    regrouped: bool,
}

impl Name {
    /// As text: `XXR3`.
    #[must_use]
    pub fn text(&self) -> String {
        let local = self.local.map_or(String::new(), |local| format!("_{local}"));
        format!("{}{}{}{local}", self.letters, if self.regrouped { "R" } else { "" }, link_text(&self.link))
    }

    /// As LaTeX: `XXR_{3}`.
    #[must_use]
    pub fn latex(&self) -> String {
        let letters =
            if self.letters.len() > 1 { format!("\\mathit{{{}}}", self.letters) } else { self.letters.to_owned() };
        let local = self.local.map_or(String::new(), |local| format!(",{local}"));
        format!("{letters}_{{{}{}{local}}}", if self.regrouped { "R" } else { "" }, link_latex(&self.link))
    }
}

/// What follows the letters in a link's names: `3`, or `_tool`.
pub(crate) fn link_text(link: &LinkNumber) -> String {
    match link {
        LinkNumber::Moving(number) => number.to_string(),
        LinkNumber::Welded(name) => format!("_{name}"),
    }
}

/// An index of a name: a number as it is, a link's name upright.
pub(crate) fn link_latex(link: &LinkNumber) -> String {
    match link {
        LinkNumber::Moving(number) => number.to_string(),
        LinkNumber::Welded(name) => format!("\\mathrm{{{}}}", escaped(name)),
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
    let numbers = model.link_numbers();
    let name = |parameter: &Parameter| {
        let several = model.links()[parameter.link].joint.nv() > 1;
        let local = match parameter.kind {
            ParameterKind::Drive(_) => several.then_some(parameter.local + 1),
            ParameterKind::Inertial(_) => None,
        };
        let link = numbers[parameter.link].clone();
        Name { letters: parameter.kind.letters(), link, local, regrouped: false }
    };
    model.standard_parameters().iter().map(name).collect()
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
