//! Base parameters as people read them.

use super::{Method, Regrouped, Report};
use crate::text::numbers;
use crate::text::style::{FAINT, GOOD, HEADING, WARN};

/// A gap between singular values beyond doubt.
const WIDE: f64 = 1e12;

/// The relations alone.
pub(super) fn latex(report: &Report) -> String {
    let lines: Vec<_> = report.parameters.iter().map(|it| it.latex.replacen(" = ", " &= ", 1)).collect();
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

/// All of it.
pub(super) fn text(report: &Report) -> String {
    let inertial: usize = report.per_link.iter().sum();
    let drives = report.count - inertial;
    let of = if drives == 0 { String::new() } else { format!(": {inertial} inertial and {drives} of drives") };
    let mut text = format!(
        "{HEADING}{}{HEADING:#}: {} base parameters for {} standard ones{of}\n",
        report.shown.robot, report.count, report.shown.standard
    );
    text.push_str(&witness(report));

    let values: Vec<_> = report.parameters.iter().map(|it| numbers::short(it.value)).collect();
    let kept = report.parameters.iter().zip(&values).map(|(it, value)| {
        let formula = if it.formula == it.name { "" } else { it.formula.as_str() };
        vec![it.name.as_str(), value, formula]
    });
    text.push_str(&table(vec!["kept", "value", "made of"], kept));

    let (moved, silent): (Vec<&Regrouped>, Vec<&Regrouped>) =
        report.shown.eliminated.iter().partition(|it| !it.to.is_empty());
    if !moved.is_empty() {
        let to: Vec<_> = moved.iter().map(|it| it.to.join(" ")).collect();
        let rows = moved.iter().zip(&to).map(|(it, to)| vec![it.name.as_str(), to, it.why.as_str()]);
        text.push_str(&table(vec!["regrouped", "into", "by"], rows));
    }
    if !silent.is_empty() {
        let groups = by_reason(&silent);
        let rows = groups.iter().map(|(reason, members)| vec![members.as_str(), *reason]);
        text.push_str(&table(vec!["without effect", "by"], rows));
    }
    text.push_str(&legend(report));
    text
}

/// The parameters without effect, those of one reason together.
fn by_reason<'a>(silent: &[&'a Regrouped]) -> Vec<(&'a str, String)> {
    let mut groups: Vec<(&str, String)> = Vec::new();
    for it in silent {
        match groups.iter_mut().find(|(reason, _)| *reason == it.why) {
            Some((_, members)) => {
                members.push(' ');
                members.push_str(&it.name);
            }
            None => groups.push((&it.why, it.name.clone())),
        }
    }
    groups
}

/// The ranks beside the count, and how far they and the count are to be trusted.
fn witness(report: &Report) -> String {
    let mut text = String::new();
    if let Some(exact) = report.exact_rank {
        text.push_str(&format!("rank of the regressor modulo a prime: {GOOD}{exact}{GOOD:#}\n"));
    }
    let states = report.shown.states;
    match (report.numeric_rank, &report.doubt) {
        (Some(rank), _) => {
            let gap = match report.gap {
                None => String::new(),
                // Beyond this the small ones are rounding, which differs from machine to machine.
                Some(gap) if gap >= WIDE => format!(", singular values more than {WIDE:e} apart"),
                Some(gap) => format!(", singular values {gap:.0e} apart"),
            };
            text.push_str(&format!("rank of the regressor over {states} random states: {GOOD}{rank}{GOOD:#}{gap}\n"));
        }
        (None, Some(doubt)) => {
            text.push_str(&format!("rank of the regressor over {states} random states: {WARN}{doubt}{WARN:#}\n"));
        }
        (None, None) if report.count == 0 => {}
        (None, None) => text.push_str("too many parameters for the rank of the regressor in floating point\n"),
    }
    text.push_str(match report.method {
        Method::Structural => "",
        Method::Blocks => "joints that are coupled are taken together\n",
    });
    text.push_str(&snapped(report));
    if !report.weak.is_empty() {
        let names = report.weak.join(" ");
        text.push_str(&format!("{WARN}they count, but show nothing in the torques{WARN:#}: {names}\n"));
    }
    text
}

/// What the special angles do.
fn snapped(report: &Report) -> String {
    let snap = &report.snap;
    if report.notices.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "angles within {:e} rad of 15° are taken as such, which changes torques by up to {} N m, {:.1e} of the largest\n",
        snap.distance,
        numbers::short(snap.torque),
        snap.relative
    );
    if snap.count_as_written != report.count {
        text.push_str(&format!(
            "{WARN}{} as written{WARN:#}, {} with angles within {:e} rad of 15°\n",
            snap.count_as_written, report.count, snap.distance
        ));
    }
    text
}

fn table<'a>(header: Vec<&'a str>, rows: impl Iterator<Item = Vec<&'a str>>) -> String {
    let rows: Vec<_> = std::iter::once(header).chain(rows).collect();
    let lines = numbers::align_left(&rows);
    let (header, body) = lines.split_first().map_or((String::new(), String::new()), |(h, b)| (h.clone(), b.join("\n")));
    format!("\n{FAINT}{header}{FAINT:#}\n{body}\n")
}

fn legend(report: &Report) -> String {
    let mut notes = Vec::new();
    if report.shown.cites {
        notes.push("GK: Gautier and Khalil 1990.");
    }
    if report.shown.is_symbolic {
        notes.push("D, R: lengths along x and z, `a` and `d` of a DH table.");
    }
    if notes.is_empty() { String::new() } else { format!("\n{FAINT}{}{FAINT:#}\n", notes.join(" ")) }
}
