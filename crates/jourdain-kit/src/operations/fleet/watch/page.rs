//! What was found as one page, in the look of the page of `identify`.

use super::{FindingKind, Report};
use crate::operations::identify::page::html::{self, Cell, Table};
use crate::operations::identify::page::{self, facts};
use crate::plot::figure::Figure;

pub(super) fn text(report: &Report, figure: &Figure) -> String {
    let count = |kind: FindingKind| report.findings.iter().filter(|found| found.kind == kind).count().to_string();
    let rows = report.rows;
    let numbers = [
        ("Robots", report.robots.len().to_string(), "of one model"),
        ("Jumps", count(FindingKind::Jump), "a parameter changes at once"),
        ("Drifts", count(FindingKind::Drift), "bit by bit"),
        ("Outliers", count(FindingKind::Outlier), "unlike the others"),
    ];
    let mut sections = section("findings", "Findings", &findings(report));
    if !report.findings.is_empty() {
        sections += &section("figure", "Over the days", &page::figure(figure));
    }
    let told = format!(
        "{} rows were read: {} used, {} dropped ({} doubled, {} thinned, {} at ends and gaps), {} set aside.",
        rows.read,
        rows.used,
        rows.dropped,
        rows.dropped_by.doubled,
        rows.dropped_by.thinned,
        rows.dropped_by.edges,
        rows.set_aside
    );
    let mut data = html::paragraph(&told);
    let aside = report.set_aside.iter().map(|fault| {
        let row = fault.row.map_or(String::new(), |row| format!(", row {row}"));
        format!("{}{row}: {}", fault.file, fault.reason)
    });
    let without = report.without.iter().map(|words| format!("no estimate of {words}"));
    let faults: Vec<String> = aside.chain(without).collect();
    if !faults.is_empty() {
        data += &html::list("warnings", &faults);
    }
    sections += &section("data", "Data", &data);
    let links = "<a href=\"#findings\">Findings</a>\n<a href=\"#data\">Data</a>\n";
    let summary =
        format!("{} robots over {} days, {} findings", report.robots.len(), report.days.len(), report.findings.len());
    page::filled(&format!("{} · fleet", report.robot), &summary, &facts(&numbers), links, &sections)
}

fn section(id: &str, title: &str, body: &str) -> String {
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{body}</section>\n", html::escaped(title))
}

fn findings(report: &Report) -> String {
    let level = format!(
        "{} tests; of the findings at most {:.0} % are expected to be false alarms (Benjamini and Hochberg).",
        report.tests,
        100.0 * report.level
    );
    let mut table = Table::new(["robot · parameter", "before", "after", "change", "p", "what", "day"]).words(2);
    for found in &report.findings {
        let number = |x: f64| Cell::Number(format!("{x:.5}"));
        let change = found.relative.map_or(String::new(), |share| format!("{:+.1} %", 100.0 * share));
        table.row(
            &format!("{} · {}", found.robot, found.parameter),
            false,
            [
                number(found.before),
                number(found.after),
                Cell::Number(change),
                Cell::Number(format!("{:.1e}", found.p_value)),
                Cell::Words(found.kind.word().to_owned()),
                Cell::Words(found.day.clone().unwrap_or_default()),
            ],
        );
    }
    let words = html::paragraph(&level);
    if table.is_empty() { html::paragraph("Nothing was found.") + &words } else { table.html() + &words }
}
