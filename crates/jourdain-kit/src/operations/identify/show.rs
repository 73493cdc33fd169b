//! What came of an identification, as people read it.

use super::report::{Consistent, Files, Identified, Log, Part, Validation};
use super::statistics::{Essential, LeftOut, residual_lines};
use crate::text::numbers::align_right;
use crate::text::style::{FAINT, HEADING, WARN};
use jourdain::identify::STANDING;

/// A parameter whose standard deviation is more than this share of it is not well known.
pub(super) const UNCERTAIN: f64 = 0.3;

/// If a joint stands for more than this share of a log, errors while it moves and while it stands are told apart.
const STANDS: f64 = 0.02;

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
    lines.extend(report.outliers.iter().flat_map(LeftOut::lines));
    lines.extend(report.warnings.iter().map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
    lines.push(String::new());
    lines.extend(parameter_lines(report));
    lines.push(String::new());
    lines.extend(joint_lines(report));
    lines.extend(report.consistent.iter().flat_map(consistent_lines));
    lines.extend(report.essential.as_ref().and_then(Essential::line));
    lines.extend(report.residuals.iter().flat_map(|joints| residual_lines(joints)));
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
    let mut heading = header(["joint", "torque rms", "residual rms", "relative", "noise"]);
    let consistent = report.consistent.as_ref().map(|consistent| &consistent.joints);
    let written = report.consistent.as_ref().and_then(|consistent| consistent.written.as_ref());
    heading.extend(consistent.map(|_| "consistent".to_owned()));
    heading.extend(written.map(|_| "simple friction".to_owned()));
    let mut rows = vec![heading];
    rows.extend(report.joints.iter().enumerate().map(|(j, fit)| {
        let mut row = vec![
            fit.joint.clone(),
            torque(fit.torque_rms, &fit.unit),
            torque(fit.residual_rms, &fit.unit),
            percent(fit.relative_error),
            torque(fit.noise, &fit.unit),
        ];
        row.extend([consistent, written].into_iter().flatten().map(|joints| percent(joints[j].relative_error)));
        row
    }));
    headed(&rows)
}

/// What the last columns of the joints are, and what it costs to be a robot.
fn consistent_lines(consistent: &Consistent) -> [String; 2] {
    let weight = rounded(consistent.prior_weight);
    let chosen = match consistent.folds {
        0 => String::new(),
        folds => format!(", with which {folds} parts of the log tell each other best"),
    };
    let cost = consistent.joints.iter().zip(&consistent.unconstrained);
    let cost: Vec<(f64, &str)> = cost.map(|(fit, free)| (fit.relative_error - free, fit.joint.as_str())).collect();
    let mean = cost.iter().map(|(cost, _)| cost).sum::<f64>() / cost.len().max(1) as f64;
    let worst = cost.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let worst = worst.map_or(String::new(), |(cost, joint)| format!(", {} at most, at {joint}", percent(*cost)));
    [
        format!(
            "{FAINT}consistent: what is left with parameters that a robot can have, weight of the robot file {weight}{chosen}{FAINT:#}"
        ),
        format!("{FAINT}            that costs {} of the torque in the mean{worst}{FAINT:#}", percent(mean)),
    ]
}

fn validation_lines(validation: &Validation) -> Vec<String> {
    let Log { file, samples, .. } = &validation.log;
    let heading = format!("{HEADING}validation{HEADING:#} on {file}: {samples} samples");
    let mut titles = header(["joint", "torque rms", "error rms", "relative", "largest error"]);
    let consistent = validation.consistent.as_ref().map(|consistent| &consistent.joints);
    let written = validation.written.as_ref().map(|written| &written.joints);
    titles.extend(consistent.map(|_| "consistent".to_owned()));
    titles.extend(written.map(|_| "simple friction".to_owned()));
    let best = consistent.unwrap_or(&validation.joints);
    let apart = best.iter().any(|joint| joint.moving < 1.0 - STANDS);
    titles.extend(["moving", "standing"].into_iter().filter(|_| apart).map(str::to_owned));
    let mut rows = vec![titles];
    rows.extend(validation.joints.iter().enumerate().map(|(j, error)| {
        let mut row = vec![
            error.joint.clone(),
            torque(error.torque_rms, &error.unit),
            torque(error.error_rms, &error.unit),
            percent(error.relative_error),
            torque(error.largest_error, &error.unit),
        ];
        row.extend([consistent, written].into_iter().flatten().map(|joints| percent(joints[j].relative_error)));
        let [moving, standing] = [best[j].relative_error_moving, best[j].relative_error_standing];
        row.extend([moving, standing].into_iter().filter(|_| apart).map(|x| x.map_or("–".to_owned(), percent)));
        row
    }));
    let which = if consistent.is_some() { "consistent" } else { "relative" };
    let note = format!("{FAINT}moving, standing: {which}, above and below {STANDING} rad/s or m/s{FAINT:#}");
    let lines = [String::new(), heading].into_iter().chain(align_right(&rows));
    lines.chain(apart.then_some(note)).collect()
}

fn header(names: [&str; 5]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// A table whose first row is its heading.
pub(super) fn headed(rows: &[Vec<String>]) -> Vec<String> {
    let mut lines = align_right(rows);
    if let Some(first) = lines.first_mut() {
        *first = format!("{HEADING}{first}{HEADING:#}");
    }
    lines
}

pub(super) fn log_lines(log: &Log) -> Vec<String> {
    let gaps = match log.gaps {
        0 => String::new(),
        1 => ", one gap".to_owned(),
        gaps => format!(", {gaps} gaps"),
    };
    let doubled = match log.doubled {
        0 => String::new(),
        1 => ", one line sent twice".to_owned(),
        doubled => format!(", {doubled} lines sent twice"),
    };
    let since = if log.since_1970 { " since 1970" } else { "" };
    let usual = log.time_unit == "s" && !log.since_1970;
    let unit = if usual { String::new() } else { format!(", time in {}{since}", log.time_unit) };
    let Log { file, lines, samples, .. } = log;
    let mut lines = vec![format!("log      {file}: {lines} lines, {samples} samples used{doubled}{gaps}{unit}")];
    if let Some(filter) = &log.filter {
        let origin = match (filter.from_residuals, filter.from_spectrum) {
            (true, _) if filter.limited => "torques are met best, limited by the sampling rate",
            (true, _) => "torques are met best",
            (false, true) => "5 times the highest frequency of the motion",
            (false, false) => "as given",
        };
        lines.push(format!(
            "motion   smoothed, cut-off {} Hz ({origin}) at {} samples/s; {} by differentiation",
            rounded(filter.cutoff_hz),
            rounded(filter.rate_hz),
            filter.differentiated
        ));
        if let Some(tick) = filter.tick {
            lines.push(format!(
                "         uneven stamps: samples stand on ticks of {} ms, which the motion shows",
                rounded(1e3 * tick)
            ));
        }
        if log.delay != 0.0 {
            let gain = percent(log.delay_gain);
            let (way, by) = (if log.delay > 0.0 { "ahead of" } else { "behind" }, rounded(1e3 * log.delay.abs()));
            lines.push(format!(
                "delay    torques are {by} ms {way} the motion, phase of friction included: residuals {gain} lower"
            ));
        }
        for own in &log.late {
            let (way, by) = (if own.late > 0.0 { "later" } else { "earlier" }, rounded(1e3 * own.late.abs()));
            lines.push(format!(
                "         those of joint {} seem {by} ms {way} than the others ({} of their residual): --column-delay tau{}={:.4}",
                own.joint,
                percent(own.gain),
                own.joint,
                own.late
            ));
        }
        let every =
            if filter.decimate > 1 { format!("every {}. sample is used, ", filter.decimate) } else { String::new() };
        lines.push(format!("         {every}{} samples are dropped at either end", filter.dropped_at_ends));
    }
    lines
}

pub(super) fn file_lines(files: &Files) -> impl Iterator<Item = String> {
    files.named().map(|(what, path)| format!("{what:<8} {path}"))
}

pub(super) fn torque(x: f64, unit: &str) -> String {
    format!("{} {unit}", rounded(x))
}

/// Five digits.
pub(super) fn rounded(x: f64) -> String {
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

pub(super) fn percent(share: f64) -> String {
    // Hundredths first, so that what rounds to zero has no sign.
    let percent = (1e4 * share).round() / 100.0 + 0.0;
    if percent >= 1000.0 { "> 1000 %".to_owned() } else { format!("{percent:.2} %") }
}
