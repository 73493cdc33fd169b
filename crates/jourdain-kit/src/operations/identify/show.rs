//! What came of an identification, as people read it.

use super::report::{Files, Identified, Log, Part, Validation};
use crate::text::numbers::align_right;
use crate::text::style::{FAINT, HEADING, WARN};

/// A parameter whose standard deviation is more than this share of it is not well known.
const UNCERTAIN: f64 = 0.3;

/// What is kept of one part of a log.
pub(super) fn part(part: &Part) -> String {
    let Part { robot, samples, count, logs, files } = part;
    let mut lines = vec![format!("{HEADING}{robot}{HEADING:#}: factors of {count} parameters from {samples} samples")];
    lines.extend(logs.iter().flat_map(log_lines));
    lines.extend(file_lines(files));
    lines.join("\n")
}

/// The estimates.
pub(super) fn identified(report: &Identified) -> String {
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} parameters from {} samples, condition number {}",
        report.robot,
        report.count,
        report.samples,
        rounded(report.condition)
    )];
    lines.extend(report.logs.iter().flat_map(log_lines));
    lines.extend(report.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
    lines.push(String::new());
    lines.extend(parameter_lines(report));
    lines.push(String::new());
    lines.extend(joint_lines(report));
    lines.extend(report.validation.iter().flat_map(validation_lines));
    let mut files = file_lines(&report.files).peekable();
    if files.peek().is_some() {
        lines.push(String::new());
    }
    lines.extend(files);
    lines.join("\n")
}

fn parameter_lines(report: &Identified) -> Vec<String> {
    let mut rows = vec![header(["parameter", "estimate", "deviation", "relative", "robot file"])];
    let mut uncertain = 0;
    for parameter in &report.parameters {
        let relative = parameter.relative_deviation;
        let doubtful = relative.is_none_or(|relative| relative > UNCERTAIN);
        uncertain += usize::from(doubtful);
        rows.push(vec![
            parameter.name.clone(),
            rounded(parameter.value),
            rounded(parameter.deviation),
            relative.map_or("–".to_owned(), percent) + if doubtful { " ?" } else { "  " },
            rounded(parameter.prior),
        ]);
    }
    let mut lines = headed(&rows);
    if uncertain > 0 {
        lines.push(format!(
            "{FAINT}?  more than 30 % of the value: close to zero, or hardly shown by the motion{FAINT:#}"
        ));
    }
    lines
}

fn joint_lines(report: &Identified) -> Vec<String> {
    let mut rows = vec![header(["joint", "torque rms", "residual rms", "relative", "noise"])];
    rows.extend(report.joints.iter().map(|fit| {
        vec![
            fit.joint.clone(),
            torque(fit.torque_rms, fit.unit),
            torque(fit.residual_rms, fit.unit),
            percent(fit.relative_error),
            torque(fit.noise, fit.unit),
        ]
    }));
    headed(&rows)
}

fn validation_lines(validation: &Validation) -> Vec<String> {
    let Log { file, samples, .. } = &validation.log;
    let heading = format!("{HEADING}validation{HEADING:#} on {file}: {samples} samples");
    let mut rows = vec![header(["joint", "torque rms", "error rms", "relative", "largest error"])];
    rows.extend(validation.joints.iter().map(|error| {
        vec![
            error.joint.clone(),
            torque(error.torque_rms, error.unit),
            torque(error.error_rms, error.unit),
            percent(error.relative_error),
            torque(error.largest_error, error.unit),
        ]
    }));
    [String::new(), heading].into_iter().chain(align_right(&rows)).collect()
}

fn header(names: [&str; 5]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// A table whose first row is its heading.
fn headed(rows: &[Vec<String>]) -> Vec<String> {
    let mut lines = align_right(rows);
    if let Some(first) = lines.first_mut() {
        *first = format!("{HEADING}{first}{HEADING:#}");
    }
    lines
}

fn log_lines(log: &Log) -> Vec<String> {
    let gaps = match log.gaps {
        0 => String::new(),
        1 => ", one gap".to_owned(),
        gaps => format!(", {gaps} gaps"),
    };
    let mut lines = vec![format!("log      {}: {} lines, {} samples used{gaps}", log.file, log.lines, log.samples)];
    if let Some(filter) = &log.filter {
        let origin = if filter.from_spectrum { "5 times the highest frequency of the motion" } else { "as given" };
        lines.push(format!(
            "filter   zero-phase low-pass, cut-off {} Hz ({origin}) at {} samples/s; {} by differentiation",
            rounded(filter.cutoff_hz),
            rounded(filter.rate_hz),
            filter.differentiated
        ));
        let every =
            if filter.decimate > 1 { format!("every {}. sample is used, ", filter.decimate) } else { String::new() };
        lines.push(format!("         {every}{} samples are dropped at either end", filter.dropped_at_ends));
    }
    lines
}

fn file_lines(files: &Files) -> impl Iterator<Item = String> {
    files.named().map(|(what, path)| format!("{what:<8} {path}"))
}

fn torque(x: f64, unit: &str) -> String {
    format!("{} {unit}", rounded(x))
}

/// Five digits.
fn rounded(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e6).contains(&size) {
        format!("{x:.3e}")
    } else {
        let decimals = usize::try_from(4 - size.log10().floor() as i32).unwrap_or(0);
        let text = format!("{x:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 1000.0 { "> 1000 %".to_owned() } else { format!("{percent:.2} %") }
}
