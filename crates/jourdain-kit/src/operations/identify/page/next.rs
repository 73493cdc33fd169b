//! What to record next: the parameters that are known least, and the motion that would show them.

use super::super::show::{UNCERTAIN, rounded};
use super::Story;
use super::html::{command, paragraph};

/// Condition numbers above this amplify noise too much.
const CONDITION: f64 = 100.0;
/// Most parameters that are named.
const MOST: usize = 6;

pub(super) fn tell(story: &Story<'_>) -> Option<String> {
    let (report, robot) = (story.report, &story.robot);
    let mut text = String::new();
    // Beyond noise in size, and yet poorly known: what another motion can help.
    let mut poor: Vec<(f64, &str)> = (report.parameters.iter())
        .filter(|one| one.relative_deviation.is_none_or(|relative| relative > UNCERTAIN))
        .filter(|one| one.deviation > 0.0 && one.deviation > UNCERTAIN * one.prior.abs().max(one.value.abs()))
        .map(|one| (one.relative_deviation.unwrap_or(f64::INFINITY), one.name.as_str()))
        .collect();
    poor.sort_by(|a, b| b.0.total_cmp(&a.0));
    if report.condition > CONDITION {
        text += &paragraph(&format!(
            "The condition number {} is above {CONDITION}: parameters are hardly told apart. A motion that shows all of them:",
            rounded(report.condition)
        ));
        text += &command(&format!("jourdain excite {robot} --out motion.csv"));
    } else if poor.is_empty() {
        text += &paragraph(
            "Every parameter is known to better than 30 %. A longer log of the same motion makes deviations smaller, with the root of its length.",
        );
        text += &command(&format!("jourdain excite {robot} --period 20 --out motion.csv"));
    } else {
        let names: Vec<&str> = poor.iter().take(MOST).map(|(_, name)| *name).collect();
        text += &paragraph(
            "These parameters are known least; they may also be close to zero. A motion that shows them better:",
        );
        text += &command(&format!("jourdain excite {robot} --parameters {} --out motion.csv", names.join(",")));
    }
    if report.validation.is_none() {
        text += &paragraph(
            "Nothing says yet how the estimates do on a motion they were not made from. Record another one and give it as --validate:",
        );
        text += &command(&format!("jourdain excite {robot} --seed 2 --out validation.csv"));
    }
    if report.logs.iter().any(|log| log.filter.as_ref().is_some_and(|filter| filter.limited)) {
        text += &paragraph("The smoothing is limited by the sampling rate: record more samples a second.");
    }
    if report.logs.iter().any(|log| log.doubled * 50 > log.lines) {
        text += &paragraph(
            "Many lines were sent twice: the recorder is faster than the device. Record the device's own time stamps with every sample.",
        );
    }
    Some(text)
}
