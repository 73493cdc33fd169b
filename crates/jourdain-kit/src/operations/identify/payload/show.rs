//! What a link carries, as people read it.

use super::super::show::{file_lines, headed, log_lines, percent, rounded, torque};
use super::report::{Body, Carried, FoundPoses};
use crate::text::numbers::align_right;
use crate::text::style::{FAINT, HEADING, WARN};

/// What a link carries.
pub(super) fn carried(report: &Carried) -> String {
    let body = &report.payload;
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: what link `{}` carries, from {} samples",
        report.robot, body.link, report.samples
    )];
    lines.extend(report.logs.iter().flat_map(log_lines));
    if !report.empty_logs.is_empty() {
        lines.push(format!("{FAINT}without the load{FAINT:#}"));
        lines.extend(report.empty_logs.iter().flat_map(log_lines));
    }
    lines.push(format!("robot    {}", taken(body)));
    lines.extend(report.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
    lines.push(String::new());
    let mut rows = vec![["parameter", "estimate", "deviation", "relative"].map(str::to_owned).to_vec()];
    rows.extend(body.parameters.iter().map(|parameter| {
        let relative = parameter.deviation / parameter.value.abs();
        let relative = if relative.is_finite() { percent(relative) } else { "–".to_owned() };
        vec![parameter.name.to_owned(), rounded(parameter.value), rounded(parameter.deviation), relative]
    }));
    lines.extend(headed(&rows));
    if let Some(center) = &body.center {
        let axis = |k: usize| format!("{} ± {}", rounded(center.value[k]), rounded(center.deviation[k]));
        lines.push(format!("centre of mass {}, {}, {} m", axis(0), axis(1), axis(2)));
    }
    if !body.not_shown.is_empty() {
        lines.push(format!("not shown by the data: {}{}", body.not_shown.join(", "), why(body)));
    }
    let prior = &body.prior;
    lines.push(format!(
        "{FAINT}prior: {} kg where least squares put them, {} m to every side, weight {}{FAINT:#}",
        rounded(prior.mass),
        rounded(prior.spread),
        rounded(prior.weight)
    ));
    lines.push(String::new());
    let mut heading = ["joint", "torque rms", "residual rms", "relative", "noise"].map(str::to_owned).to_vec();
    heading.extend(report.validation.as_ref().map(|_| "validation".to_owned()));
    let mut rows = vec![heading];
    rows.extend(report.joints.iter().enumerate().map(|(j, fit)| {
        let mut row = vec![
            fit.joint.clone(),
            torque(fit.torque_rms, &fit.unit),
            torque(fit.residual_rms, &fit.unit),
            percent(fit.relative_error),
            torque(fit.noise, &fit.unit),
        ];
        row.extend(report.validation.iter().map(|checked| percent(checked.judged.joints[j].relative_error)));
        row
    }));
    lines.extend(headed(&rows));
    let mut files = file_lines(&report.files).peekable();
    if files.peek().is_some() {
        lines.push(String::new());
    }
    lines.extend(files);
    lines.join("\n")
}

/// What was taken as known.
fn taken(body: &Body) -> &'static str {
    match (body.robot_known, body.friction_known) {
        (true, true) => "taken as known: links, rotors and friction are those of the robot file",
        (true, false) => "taken as known: links and rotors are those of the robot file, friction is found anew",
        (false, true) => "found from both logs, with the friction of the robot file",
        (false, false) => "found from both logs, with its friction",
    }
}

/// Why parameters are not shown.
fn why(body: &Body) -> &'static str {
    let has = |name: &str| body.parameters.iter().any(|parameter| parameter.name == name);
    let tensor = ["XX", "XY", "XZ", "YY", "YZ", "ZZ"].iter().any(|name| has(name));
    if tensor { " (the joints do not turn it so)" } else { " (inertia shows in fast motion only)" }
}

/// Poses to take.
pub(super) fn poses(report: &FoundPoses) -> String {
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} poses that show the mass and the centre of mass of what link `{}` carries",
        report.robot,
        report.poses.len(),
        report.link
    )];
    lines.push(format!("{FAINT}within the limits of the joints; collisions are not looked at{FAINT:#}"));
    lines.push(String::new());
    let mut rows =
        vec![std::iter::once("pose").chain(report.coordinates.iter().map(String::as_str)).map(str::to_owned).collect()];
    rows.extend(report.poses.iter().enumerate().map(|(k, q)| {
        std::iter::once((k + 1).to_string()).chain(q.iter().map(|x| format!("{x:.4}"))).collect::<Vec<_>>()
    }));
    lines.extend(headed(&rows));
    lines.push(String::new());
    let cell = |x: Option<f64>| x.map_or("–".to_owned(), rounded);
    let mut rows = vec![["parameter", "deviation", "random poses"].map(str::to_owned).to_vec()];
    rows.extend(
        report.parameters.iter().map(|own| vec![own.name.to_owned(), cell(own.deviation), cell(own.random_deviation)]),
    );
    lines.extend(align_right(&rows));
    let noise: Vec<String> = report.noise.iter().map(|x| rounded(*x)).collect();
    lines.push(format!("{FAINT}for torque errors of {} (N m or N), offsets unknown{FAINT:#}", noise.join(", ")));
    lines.join("\n")
}
