//! The estimates, with their deviations and the robot file beside them.

use super::super::report::LinkParameter;
use super::super::show::{UNCERTAIN, percent, rounded};
use super::Story;
use super::html::{Cell, Table, heading, paragraph};

/// Names of the ten inertial parameters of a link, as columns.
const INERTIAL: [&str; 10] = ["m", "mX", "mY", "mZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"];

/// Base parameters.
pub(super) fn base(story: &Story<'_>) -> Option<String> {
    let mut table =
        Table::new(["parameter", "estimate", "deviation", "relative", "robot file", "difference / deviation"]);
    let mut doubtful = 0;
    for one in &story.report.parameters {
        let doubt = one.relative_deviation.is_none_or(|relative| relative > UNCERTAIN);
        doubtful += usize::from(doubt);
        let apart = (one.value - one.prior) / one.deviation;
        table.row(
            &one.name,
            doubt,
            [
                rounded(one.value),
                rounded(one.deviation),
                one.relative_deviation.map_or("–".to_owned(), percent),
                rounded(one.prior),
                if apart.is_finite() { format!("{apart:+.1}") } else { "–".to_owned() },
            ]
            .map(Cell::Number),
        );
    }
    let note = match doubtful {
        0 => String::new(),
        some => paragraph(&format!(
            "{some} of {} are fainter: their deviation is more than {:.0} % of them, as they are close to zero or hardly shown by the motion.",
            story.report.parameters.len(),
            100.0 * UNCERTAIN
        )),
    };
    Some(paragraph("In SI units, with standard deviations.") + &table.html() + &note)
}

/// All inertial parameters by link, then the drives by joint; what they were before the data below each.
pub(super) fn consistent(story: &Story<'_>) -> Option<String> {
    let parameters = &story.report.consistent.as_ref()?.parameters;
    let of_links: Vec<&LinkParameter> = parameters.iter().filter(|one| INERTIAL.contains(&one.name.as_str())).collect();
    let of_drives: Vec<&LinkParameter> =
        parameters.iter().filter(|one| !INERTIAL.contains(&one.name.as_str())).collect();
    let mut text = paragraph(
        "In SI units, about the origin of each link. Below each value is the one before the data, from the robot file.",
    );
    let columns: Vec<String> = INERTIAL.map(str::to_owned).to_vec();
    let links = table("link", &columns, &of_links, |one| one.name.clone());
    if !links.is_empty() {
        text += &links.html();
    }
    // Names of terms end in the number of their joint: Fh1a, Fo1; those of the robot file do not: Fv.
    let kind = |one: &LinkParameter| one.name.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let mut kinds: Vec<String> = Vec::new();
    for one in &of_drives {
        if !kinds.contains(&kind(one)) {
            kinds.push(kind(one));
        }
    }
    let drives = table("drive", &kinds, &of_drives, kind);
    if !drives.is_empty() {
        text += &heading("Drives");
        text += &drives.html();
    }
    Some(text)
}

/// Parameters as a table with a row for each link.
fn table(of: &str, columns: &[String], all: &[&LinkParameter], column: impl Fn(&LinkParameter) -> String) -> Table {
    let mut table = Table::new(std::iter::once(of.to_owned()).chain(columns.iter().cloned()));
    let mut links: Vec<&str> = Vec::new();
    for one in all {
        if !links.contains(&one.link.as_str()) {
            links.push(&one.link);
        }
    }
    for link in links {
        let cell = |name: &String| match all.iter().find(|one| one.link == link && column(one) == *name) {
            Some(one) => Cell::Beside(rounded(one.value), rounded(one.prior)),
            None => Cell::Number("–".to_owned()),
        };
        table.row(link, false, columns.iter().map(cell));
    }
    table
}
