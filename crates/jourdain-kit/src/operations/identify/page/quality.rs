//! How well torques are met, on the data and on another log.

use super::super::report::JointError;
use super::super::show::{percent, rounded};
use super::html::{Cell, Table, file_name, paragraph};
use super::{Story, figure};

/// A bar of full length, as a relative error.
const FULL: f64 = 0.5;

/// On the data.
pub(super) fn residuals(story: &Story<'_>) -> Option<String> {
    let report = story.report;
    let consistent = report.consistent.as_ref().map(|consistent| &consistent.joints);
    let written = report.consistent.as_ref().and_then(|consistent| consistent.written.as_ref());
    let heading = ["joint", "torque rms", "residual rms", "noise", "base parameters"].into_iter();
    let more = [consistent.map(|_| "consistent"), written.map(|_| "simple friction")].into_iter().flatten();
    let mut table = Table::new(heading.chain(more));
    for (j, fit) in report.joints.iter().enumerate() {
        let torque = |x: f64| Cell::Number(format!("{} {}", rounded(x), fit.unit));
        let cells = [torque(fit.torque_rms), torque(fit.residual_rms), torque(fit.noise), share(fit.relative_error)];
        let more = [consistent, written].into_iter().flatten().filter_map(|joints| joints.get(j));
        table.row(&fit.joint, false, cells.into_iter().chain(more.map(|fit| share(fit.relative_error))));
    }
    let mut text = paragraph(
        "What is left of the torques, as a share of their root mean square. Simple friction is viscous and Coulomb friction alone, which is all \
         that some formats hold.",
    ) + &table.html();
    if let Some(shown) = story.figure.as_ref().filter(|_| report.validation.is_none()) {
        text += &figure(shown);
    }
    Some(text)
}

/// On another log.
pub(super) fn validation(story: &Story<'_>) -> Option<String> {
    let validation = story.report.validation.as_ref()?;
    let others: Vec<(&str, &[JointError])> = [
        validation.consistent.as_ref().map(|judged| ("consistent", judged.joints.as_slice())),
        validation.written.as_ref().map(|judged| ("simple friction", judged.joints.as_slice())),
    ]
    .into_iter()
    .flatten()
    .collect();
    let heading = ["joint", "torque rms", "error rms", "largest error", "base parameters"].into_iter();
    let mut table = Table::new(heading.chain(others.iter().map(|(name, _)| *name)));
    for (j, error) in validation.joints.iter().enumerate() {
        let torque = |x: f64| Cell::Number(format!("{} {}", rounded(x), error.unit));
        let cells = [
            torque(error.torque_rms),
            torque(error.error_rms),
            torque(error.largest_error),
            share(error.relative_error),
        ];
        let more = others.iter().filter_map(|(_, joints)| joints.get(j));
        table.row(&error.joint, false, cells.into_iter().chain(more.map(|error| share(error.relative_error))));
    }
    let told = format!(
        "Torques predicted for {}, {} samples that no estimate has seen.",
        file_name(&validation.log.file),
        validation.log.samples
    );
    let mut text = paragraph(&told) + &table.html();
    if let Some(shown) = &story.figure {
        text += &figure(shown);
    }
    Some(text)
}

fn share(relative: f64) -> Cell {
    Cell::Share(percent(relative), relative / FULL)
}
