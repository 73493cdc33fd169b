//! What `jourdain identify` says, as text and as JSON.

use super::{LogReport, Outcome, Validation};
use crate::failure::Failure;
use crate::labels;
use crate::numbers::align_right;
use crate::output::{FAINT, HEADING, Output, WARN};
use jourdain::identify::log::Filtering;
use jourdain::identify::{Factors, JointError, Problem};
use serde_json::{Value, json};

/// A parameter whose standard deviation is more than this share of it is not well known.
const UNCERTAIN: f64 = 0.3;

/// The unit of a torque: that of a force for a joint that slides.
pub fn torque_unit(problem: &Problem, degree: usize) -> &'static str {
    match labels::velocities(problem.model()).get(degree) {
        Some(label) if label.unit == "m" => "N",
        _ => "N m",
    }
}

/// What came of one part of a log.
pub fn shard(
    output: &Output,
    problem: &Problem,
    factors: &Factors,
    logs: &[LogReport],
    files: &[(&str, String)],
) -> Result<u8, Failure> {
    if output.is_json() {
        let logs: Vec<Value> = logs.iter().map(log_json).collect();
        output.json(&json!({
            "robot": problem.model().name(), "samples": factors.samples, "count": problem.count(), "logs": logs,
            "files": files_json(files),
        }))?;
        return Ok(0);
    }
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: factors of {} parameters from {} samples",
        problem.model().name(),
        problem.count(),
        factors.samples
    )];
    lines.extend(logs.iter().flat_map(log_lines));
    lines.extend(file_lines(files));
    output.text(&lines.join("\n"))?;
    Ok(0)
}

/// The report, for people.
pub fn text(outcome: &Outcome<'_>) -> String {
    let Outcome { problem, logs, estimate, validation, files } = outcome;
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} parameters from {} samples, condition number {}",
        problem.model().name(),
        problem.count(),
        estimate.samples,
        rounded(estimate.condition)
    )];
    lines.extend(logs.iter().flat_map(log_lines));
    lines.extend(estimate.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));

    lines.push(String::new());
    let mut rows = vec![["parameter", "estimate", "deviation", "relative", "robot file"].map(str::to_owned).to_vec()];
    let relative = estimate.relative_deviations();
    let mut uncertain = 0;
    for (k, name) in problem.names().iter().enumerate() {
        let doubtful = relative[k].is_none_or(|relative| relative > UNCERTAIN);
        uncertain += usize::from(doubtful);
        rows.push(vec![
            name.clone(),
            rounded(estimate.values[k]),
            rounded(estimate.deviations[k]),
            relative[k].map_or("–".to_owned(), percent) + if doubtful { " ?" } else { "  " },
            rounded(problem.prior()[k]),
        ]);
    }
    let table = align_right(&rows);
    lines.push(format!("{HEADING}{}{HEADING:#}", table[0]));
    lines.extend(table[1..].iter().cloned());
    if uncertain > 0 {
        lines.push(format!(
            "{FAINT}?  more than 30 % of the value: close to zero, or hardly shown by the motion{FAINT:#}"
        ));
    }

    lines.push(String::new());
    let mut rows = vec![["joint", "torque rms", "residual rms", "relative", "noise"].map(str::to_owned).to_vec()];
    for (j, (joint, fit)) in problem.joints().iter().zip(&estimate.joints).enumerate() {
        let unit = torque_unit(problem, j);
        rows.push(vec![
            joint.clone(),
            format!("{} {unit}", rounded(fit.torque)),
            format!("{} {unit}", rounded(fit.residual)),
            percent(fit.relative()),
            format!("{} {unit}", rounded(fit.noise)),
        ]);
    }
    let table = align_right(&rows);
    lines.push(format!("{HEADING}{}{HEADING:#}", table[0]));
    lines.extend(table[1..].iter().cloned());
    if let Some(validation) = validation {
        lines.extend(validation_lines(problem, validation));
    }
    if !files.is_empty() {
        lines.push(String::new());
        lines.extend(file_lines(files));
    }
    lines.join("\n")
}

fn validation_lines(problem: &Problem, validation: &Validation) -> Vec<String> {
    let mut lines = vec![String::new()];
    let summary = &validation.log.summary;
    lines.push(format!("{HEADING}validation{HEADING:#} on {}: {} samples", validation.log.file, summary.samples));
    let mut rows = vec![["joint", "torque rms", "error rms", "relative", "largest error"].map(str::to_owned).to_vec()];
    for (j, (joint, error)) in problem.joints().iter().zip(&validation.errors).enumerate() {
        let unit = torque_unit(problem, j);
        rows.push(vec![
            joint.clone(),
            format!("{} {unit}", rounded(error.torque)),
            format!("{} {unit}", rounded(error.error)),
            percent(error.relative()),
            format!("{} {unit}", rounded(error.largest)),
        ]);
    }
    lines.extend(align_right(&rows));
    lines
}

fn log_lines(log: &LogReport) -> Vec<String> {
    let summary = &log.summary;
    let gaps = match summary.gaps {
        0 => String::new(),
        1 => ", one gap".to_owned(),
        gaps => format!(", {gaps} gaps"),
    };
    let mut lines =
        vec![format!("log      {}: {} lines, {} samples used{gaps}", log.file, summary.rows, summary.samples)];
    if let Some(filtering) = &summary.filtering {
        let Filtering { cutoff, from_spectrum, rate, decimate, dropped, found } = filtering;
        let origin = if *from_spectrum { "5 times the highest frequency of the motion" } else { "as given" };
        lines.push(format!(
            "filter   zero-phase low-pass, cut-off {} Hz ({origin}) at {} samples/s; {found} by differentiation",
            rounded(*cutoff),
            rounded(*rate)
        ));
        let every = if *decimate > 1 { format!("every {decimate}. sample is used, ") } else { String::new() };
        lines.push(format!("         {every}{dropped} samples are dropped at either end"));
    }
    lines
}

fn file_lines(files: &[(&str, String)]) -> Vec<String> {
    files.iter().map(|(what, path)| format!("{what:<8} {path}")).collect()
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

/// The report, for programs.
pub fn json(outcome: &Outcome<'_>) -> Value {
    let Outcome { problem, logs, estimate, validation, files } = outcome;
    let (relative, prior) = (estimate.relative_deviations(), problem.prior());
    let parameter = |(k, name): (usize, &String)| {
        json!({
            "name": name, "value": estimate.values[k], "deviation": estimate.deviations[k],
            "relative_deviation": relative[k], "prior": prior[k],
        })
    };
    let joint = |(joint, fit): (&String, &jourdain::identify::JointFit)| {
        json!({
            "joint": joint, "torque_rms": fit.torque, "residual_rms": fit.residual, "relative_error": fit.relative(),
            "noise": fit.noise,
        })
    };
    json!({
        "robot": problem.model().name(),
        "count": problem.count(),
        "samples": estimate.samples,
        "condition": estimate.condition,
        "parameters": problem.names().iter().enumerate().map(parameter).collect::<Vec<_>>(),
        "joints": problem.joints().iter().zip(&estimate.joints).map(joint).collect::<Vec<_>>(),
        "logs": logs.iter().map(log_json).collect::<Vec<_>>(),
        "validation": validation.as_ref().map(|validation| validation_json(problem, validation)),
        "warnings": estimate.warnings,
        "files": files_json(files),
    })
}

fn validation_json(problem: &Problem, validation: &Validation) -> Value {
    let joint = |(joint, error): (&String, &JointError)| {
        json!({
            "joint": joint, "torque_rms": error.torque, "error_rms": error.error, "relative_error": error.relative(),
            "largest_error": error.largest,
        })
    };
    let joints: Vec<Value> = problem.joints().iter().zip(&validation.errors).map(joint).collect();
    json!({ "log": log_json(&validation.log), "joints": joints })
}

fn log_json(log: &LogReport) -> Value {
    let filter = log.summary.filtering.as_ref().map(|filtering| {
        json!({
            "cutoff_hz": filtering.cutoff, "from_spectrum": filtering.from_spectrum, "rate_hz": filtering.rate,
            "decimate": filtering.decimate, "dropped_at_ends": filtering.dropped, "differentiated": filtering.found,
        })
    });
    let summary = &log.summary;
    json!({
        "file": log.file, "lines": summary.rows, "samples": summary.samples, "gaps": summary.gaps, "filter": filter,
    })
}

fn files_json(files: &[(&str, String)]) -> Value {
    files
        .iter()
        .map(|(what, path)| ((*what).to_owned(), Value::from(path.as_str())))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
