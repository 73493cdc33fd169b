//! The model: what is unknown of links and drives, and which motors turn with several joints.

use super::super::show::rounded;
use super::Story;
use super::html::{list, paragraph};

pub(super) fn tell(story: &Story<'_>) -> Option<String> {
    let report = story.report;
    let named = |letters: &str| report.parameters.iter().filter(|one| one.name.starts_with(letters)).count();
    let drives = named("Fv") + named("Fc") + named("Ia") + named("Fo");
    let mut text = paragraph(&format!(
        "Base parameters: {} of the links and {drives} of the drives, all that a motion of this robot can show.",
        report.parameters.len() - drives
    ));
    let Some(consistent) = &report.consistent else { return Some(text) };
    text += &paragraph(&format!(
        "Beside them, all inertial parameters of every link such as a body can have, with the robot file as prior (weight {}{}).",
        rounded(consistent.prior_weight),
        match consistent.folds {
            0 => String::new(),
            folds => format!(", chosen by leaving out {folds} stretches of the log in turn"),
        }
    ));
    let has = |letters: &str| consistent.parameters.iter().any(|one| one.name.starts_with(letters));
    let terms = [
        ("Fh", "hysteresis: friction that follows the position, and holds at standstill"),
        ("Fv", "viscous friction"),
        ("Fc", "Coulomb friction"),
        ("Fr", "friction that grows with the root of speed"),
        ("Fs", "friction that falls as speed rises (Stribeck)"),
        ("Fl", "friction that rises with load"),
        ("Fo", "torque offset"),
        ("Ia", "rotor inertia"),
    ];
    let terms: Vec<String> = (terms.iter())
        .filter(|(letters, _)| has(letters))
        .map(|(letters, what)| format!("{letters}: {what}"))
        .collect();
    if !terms.is_empty() {
        text += &paragraph("Terms of the drives:");
        text += &list("terms", &terms);
    }
    let mut coupled: Vec<&str> =
        consistent.parameters.iter().map(|one| one.link.as_str()).filter(|link| link.contains('+')).collect();
    coupled.dedup();
    if !coupled.is_empty() {
        text += &paragraph(&format!("Motors that turn with several joints: {}.", coupled.join(", ")));
    }
    Some(text)
}
