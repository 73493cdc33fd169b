//! An exciting motion as people read it.

use super::{By, Nearest, Report};
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
    lines.extend(criterion(report));
    lines.extend(report.nearest.as_ref().map(nearest));
    lines.extend(report.notices.iter().map(|notice| format!("{FAINT}note:{FAINT:#} {notice}")));
    lines.push(String::new());
    let heading = ["joint", "least", "largest", "speed", "acceleration", "jerk", "torque", "of limit"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(report.joints.iter().map(|joint| {
        let numbers = [joint.least, joint.largest, joint.speed, joint.acceleration, joint.jerk, joint.torque];
        let cells = numbers.map(|x| format!("{x:.4}"));
        let share = joint.effort.map_or("–".to_owned(), |effort| format!("{:.0} %", 100.0 * joint.torque / effort));
        std::iter::once(joint.joint.clone()).chain(cells).chain([share]).collect()
    }));
    lines.extend(align_right(&rows));
    lines.extend(report.spline.as_ref().map(|spline| {
        format!("splines  {} knots, at most {:.1e} rad or m from the series", spline.knots, spline.deviation)
    }));
    lines.extend(report.files.iter().map(|(what, path)| format!("{what:<8} {}", path.display())));
    lines.join("\n")
}

/// The criterion, where it is not the condition number, and the motion that was given.
fn criterion(report: &Report) -> Option<String> {
    let judged = &report.criterion;
    let given = judged.given.map(|given| format!("; of the motion to start from {given:.3e}"));
    match (judged.name, &given) {
        (By::Condition, None) => None,
        (By::Condition, Some(_)) => judged.given.map(|given| format!("that of the motion to start from {given:.1}")),
        (By::DOptimal | By::Deviation, _) => Some(format!(
            "{} {:.3e}; of random motions {:.3e} (median){}",
            judged.name.text(),
            judged.value,
            judged.random,
            given.unwrap_or_default()
        )),
    }
}

fn nearest(near: &Nearest) -> String {
    let other = near.other.as_ref().map_or("the ground".to_owned(), |other| format!("`{other}`"));
    format!("nearest  `{}` and {other}, {:.3} m", near.link, near.distance)
}
