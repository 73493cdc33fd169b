//! An exciting motion as people read it.

use super::Report;
use crate::text::numbers::{align_right, short};
use crate::text::style::{FAINT, HEADING};

/// How good the motion is, and how far each joint goes.
pub(super) fn text(report: &Report) -> String {
    let harmonics = report.joints.first().map_or(0, |joint| joint.sine.len());
    let mut lines = vec![
        format!(
            "{HEADING}{}{HEADING:#}: {} parameters, period {} s, {harmonics} harmonics",
            report.robot,
            report.count,
            short(report.period)
        ),
        format!(
            "condition number of the base regressor {:.1}; of random motions in the same limits {:.1} (median)",
            report.condition, report.random_condition
        ),
    ];
    lines.extend(report.notices.iter().map(|notice| format!("{FAINT}note:{FAINT:#} {notice}")));
    lines.push(String::new());
    let mut rows = vec![["joint", "least", "largest", "speed", "acceleration"].map(str::to_owned).to_vec()];
    rows.extend(report.joints.iter().map(|joint| {
        let extent = joint.extent;
        let cells = [extent.least, extent.largest, extent.speed, extent.acceleration].map(|x| format!("{x:.4}"));
        std::iter::once(joint.joint.clone()).chain(cells).collect()
    }));
    lines.extend(align_right(&rows));
    lines.extend(report.files.iter().map(|(what, path)| format!("{what:<8} {}", path.display())));
    lines.join("\n")
}
