//! The report as one page: data, model, estimate, residuals, validation, warnings, what to record next.
//!
//! A section is a function from the report to what it has to say, or to nothing. A new one is a file and a line in [`SECTIONS`]. The page has
//! no script, asks no network, and is the same bytes for the same report.

mod data;
mod estimate;
pub(in crate::operations) mod html;
mod model;
mod next;
mod quality;

use super::report::Identified;
use super::show::{percent, rounded};
use crate::plot::figure::Figure;
use crate::plot::look::{Size, Style, Theme};
use crate::plot::svg;
use html::escaped;

const PAGE: &str = include_str!("page.html");

/// What is told.
pub(super) struct Story<'r> {
    /// What came of the identification.
    pub report: &'r Identified,
    /// The robot as words of a command.
    pub robot: String,
    /// Measured and predicted torques, if there is a log that could be read once more.
    pub figure: Option<Figure>,
}

/// A part of the page, by its place in links.
struct Section {
    id: &'static str,
    title: &'static str,
    tell: fn(&Story<'_>) -> Option<String>,
}

/// In the order of the page.
const SECTIONS: &[Section] = &[
    Section { id: "warnings", title: "Warnings", tell: warnings },
    Section { id: "data", title: "Data", tell: data::tell },
    Section { id: "model", title: "Model", tell: model::tell },
    Section { id: "estimate", title: "Base parameters", tell: estimate::base },
    Section { id: "consistent", title: "Parameters that a robot can have", tell: estimate::consistent },
    Section { id: "residuals", title: "Residuals", tell: quality::residuals },
    Section { id: "validation", title: "Validation", tell: quality::validation },
    Section { id: "next", title: "What to record next", tell: next::tell },
];

/// The page.
pub(super) fn text(story: &Story<'_>) -> String {
    let report = story.report;
    let told: Vec<(&Section, String)> =
        SECTIONS.iter().filter_map(|section| Some((section, (section.tell)(story)?))).collect();
    let links: String = told
        .iter()
        .map(|(section, _)| format!("<a href=\"#{}\">{}</a>\n", section.id, escaped(section.title)))
        .collect();
    let sections: String = (told.iter())
        .map(|(Section { id, title, .. }, body)| {
            format!("<section id=\"{id}\">\n<h2>{}</h2>\n{body}</section>\n", escaped(title))
        })
        .collect();
    let summary = format!(
        "{} parameters from {} samples of {}",
        report.count,
        report.samples,
        match report.logs.as_slice() {
            [] => "kept factors".to_owned(),
            [one] => html::file_name(&one.file).to_owned(),
            several => format!("{} logs", several.len()),
        }
    );
    let title = format!("{} · identification", report.robot);
    filled(&title, &summary, &facts(&most_important(report)), &links, &sections)
}

/// The page of a report that is words.
pub(super) fn in_words(words: &str) -> String {
    let first = words.lines().next().unwrap_or_default();
    let section = format!("<section id=\"report\">\n{}</section>\n", html::command(words));
    filled("Identification", first, "", "", &section)
}

/// The template with what belongs in it; title and summary are words, the rest is elements.
pub(in crate::operations) fn filled(title: &str, summary: &str, facts: &str, links: &str, sections: &str) -> String {
    let (title, summary) = (escaped(title), escaped(summary));
    let fields = [
        ("{{version}}", env!("CARGO_PKG_VERSION")),
        ("{{title}}", title.as_str()),
        ("{{summary}}", summary.as_str()),
        ("{{facts}}", facts),
        ("{{links}}", links),
        ("{{sections}}", sections),
    ];
    // Each field is put in where it stands, so that words of a log are never taken for a field.
    let (mut page, mut rest) = (String::new(), PAGE);
    while let Some((place, name, value)) = fields
        .iter()
        .filter_map(|(name, value)| Some((rest.find(name)?, *name, *value)))
        .min_by_key(|(place, ..)| *place)
    {
        page += &rest[..place];
        page += value;
        rest = &rest[place + name.len()..];
    }
    page + rest
}

/// The numbers that matter most: each with its name and what to know of it.
fn most_important(report: &Identified) -> Vec<(&'static str, String, &'static str)> {
    let mean = |errors: &mut dyn Iterator<Item = f64>| {
        let all: Vec<f64> = errors.collect();
        percent(all.iter().sum::<f64>() / all.len().max(1) as f64)
    };
    let validation = report.validation.as_ref();
    let consistent = report.consistent.as_ref();
    let mut facts = vec![("Condition number", rounded(report.condition), "good below 100")];
    let fitted = match consistent {
        Some(consistent) => mean(&mut consistent.joints.iter().map(|joint| joint.relative_error)),
        None => mean(&mut report.joints.iter().map(|joint| joint.relative_error)),
    };
    facts.push(("Torque error, fitted", fitted, "mean of the joints"));
    if let Some(validation) = validation {
        let joints = validation.consistent.as_ref().map_or(&validation.joints, |judged| &judged.joints);
        facts.push((
            "Torque error, validation",
            mean(&mut joints.iter().map(|joint| joint.relative_error)),
            "on another log",
        ));
    }
    facts.push(match report.warnings.len() {
        0 => ("Warnings", "none".to_owned(), ""),
        some => ("Warnings", some.to_string(), "worth reading first"),
    });
    facts
}

/// Numbers at the head of a page: each with its name and what to know of it.
pub(in crate::operations) fn facts(facts: &[(&str, String, &str)]) -> String {
    let facts: String = (facts.iter())
        .map(|(name, value, note)| {
            let [name, value, note] = [*name, value, *note].map(escaped);
            format!("<div><dt>{name}</dt><dd>{value} <small>{note}</small></dd></div>\n")
        })
        .collect();
    format!("<dl class=\"facts\">\n{facts}</dl>")
}

fn warnings(story: &Story<'_>) -> Option<String> {
    let warnings = &story.report.warnings;
    (!warnings.is_empty()).then(|| html::list("warnings", warnings))
}

/// A figure in both looks; the page shows the one that suits.
pub(in crate::operations) fn figure(figure: &Figure) -> String {
    let drawn = |theme: Theme| svg::text(&figure.drawing(Style { plot_size: Size::Screen, theme, transparent: true }));
    format!(
        "<figure><div class=\"light\">{}</div><div class=\"dark\" aria-hidden=\"true\">{}</div></figure>\n",
        drawn(Theme::Light),
        drawn(Theme::Dark)
    )
}
