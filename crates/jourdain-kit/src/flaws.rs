//! What was found about a robot that can be worked with all the same: one line that names the links, or with `strict` a refusal.

use jourdain::model::{Diagnostic, Severity};

/// Names, or parts, that a line has room for.
const NAMED: usize = 4;

/// Turns everything that a strict reader refuses into an error; true if there is such a thing.
pub fn refuse(diagnostics: &mut [Diagnostic]) -> bool {
    let mut refused = false;
    for finding in diagnostics.iter_mut().filter(|finding| finding.severity >= Severity::Lost) {
        finding.severity = Severity::Error;
        refused = true;
    }
    refused
}

/// The findings in a line, and a line for each that changes what the results mean; `None` if there are none. `words` are the
/// robot and its edits in a command.
pub fn sum_up(robot: &str, words: &str, diagnostics: &[Diagnostic]) -> Option<(String, Vec<String>)> {
    let of = |severity: Severity| diagnostics.iter().filter(move |finding| finding.severity == severity);
    let mut parts = Vec::new();
    if of(Severity::Unphysical).next().is_some() {
        parts.push(unphysical(of(Severity::Unphysical)));
    }
    if of(Severity::Lost).next().is_some() {
        parts.push(lost(of(Severity::Lost)));
    }
    let doubtful = of(Severity::Warning).count();
    match (doubtful, parts.is_empty()) {
        (0, _) => {}
        (1, true) => parts.push("a warning".to_owned()),
        (1, false) => parts.push("another warning".to_owned()),
        (count, true) => parts.push(format!("{count} warnings")),
        (count, false) => parts.push(format!("{count} other warnings")),
    }
    let advice = format!("`jourdain check {words}` shows {}", if diagnostics.len() == 1 { "it" } else { "them" });
    let (last, before) = parts.split_last()?;
    let before = if before.is_empty() { String::new() } else { before.join(", ") + " and " };
    let text = format!("{robot} has {before}{last}; {advice}");
    let mut details: Vec<String> =
        of(Severity::Unphysical).chain(of(Severity::Lost)).map(|finding| place(finding) + &finding.message).collect();
    if !details.is_empty() && doubtful > 0 {
        let count = match doubtful {
            1 => "1 warning of another kind".to_owned(),
            count => format!("{count} warnings of other kinds"),
        };
        details.push(format!("{robot} has {count}; {advice}"));
    }
    Some((text, details))
}

/// "2 links that cannot be as they are (`arm`, `hand`)".
fn unphysical<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> String {
    let names = listed(findings.filter_map(|finding| Some(format!("`{}`", finding.link.as_deref()?))), ", ");
    match names {
        (0, _) => "numbers that no robot can have".to_owned(),
        (1, names) => format!("a link that cannot be as it is ({names})"),
        (count, names) => format!("{count} links that cannot be as they are ({names})"),
    }
}

/// "a part that cannot be carried (<connect> closes a loop and is left out)".
fn lost<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> String {
    let what = |finding: &Diagnostic| finding.message.split(": ").next().unwrap_or_default().to_owned();
    match listed(findings.map(what), "; ") {
        (1, what) => format!("a part that cannot be carried ({what})"),
        (count, what) => format!("{count} parts that cannot be carried ({what})"),
    }
}

/// How many different ones there are, and the first of them.
fn listed(all: impl Iterator<Item = String>, gap: &str) -> (usize, String) {
    let mut different: Vec<String> = Vec::new();
    for one in all {
        if !different.contains(&one) {
            different.push(one);
        }
    }
    let more = match different.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (different.len(), different[..different.len().min(NAMED)].join(gap) + &more)
}

fn place(finding: &Diagnostic) -> String {
    let file = finding.file.as_ref().map_or(String::new(), |file| format!("{}, ", file.name));
    finding.location.map_or(String::new(), |place| format!("{file}line {}: ", place.line))
}
