//! Names without characters that a terminal, a page or a reader could take for something else.
//!
//! Robot files come from anywhere. Control characters move cursors and end lines, marks of direction turn text around, and what has
//! no width makes two names look like one. The names of a model have none of them: each is replaced by `�`, in all names alike, so that
//! a joint is still found by those who follow it.

use super::Diagnostic;
use super::description::{Description, LinkDescription, Location};
use std::borrow::Cow;

/// What stands in place of such a character.
pub const REPLACEMENT: char = '\u{fffd}';

/// True for controls, marks of direction, separators of lines and what has no width.
///
/// ```
/// use jourdain::model::harmless::is_harmful;
/// assert!(['\u{1b}', '\n', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}'].into_iter().all(is_harmful));
/// assert!(!"élan Ω₂ 関節 \u{200d}".chars().any(is_harmful));
/// ```
#[must_use]
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with every such character replaced.
#[must_use]
pub fn text(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_harmful) { Cow::Owned(text.replace(is_harmful, "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Makes all names of a robot harmless; a warning for every link that had others.
pub(super) fn names(description: &mut Description) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if clean(&mut description.name) {
        found.push(warning("the robot's name", None));
    }
    for link in &mut description.links {
        if clean_link(link) {
            let place = link.place("name");
            found.push(warning("a name of this link or its joint", place).link(&link.name).joint(&link.joint.name));
        }
    }
    for state in &mut description.states {
        let renamed = clean(&mut state.name);
        let joints = state.positions.iter_mut().fold(false, |any, (joint, _)| clean(joint) | any);
        if renamed || joints {
            found.push(warning("a named state", None));
        }
    }
    found
}

fn clean_link(link: &mut LinkDescription) -> bool {
    let mut any = clean(&mut link.name) | clean(&mut link.parent) | clean(&mut link.joint.name);
    if let Some(mimic) = &mut link.joint.mimic {
        any |= clean(&mut mimic.joint);
    }
    for (joint, _) in link.shaft.iter_mut().flat_map(|shaft| &mut shaft.with) {
        any |= clean(joint);
    }
    any
}

fn clean(name: &mut String) -> bool {
    match text(name) {
        Cow::Borrowed(_) => false,
        Cow::Owned(harmless) => {
            *name = harmless;
            true
        }
    }
}

fn warning(what: &str, place: Option<Location>) -> Diagnostic {
    let message = format!("{what} has control characters, or such as cannot be seen; `{REPLACEMENT}` stands for them");
    Diagnostic::warning("control-character", message).at(place).hint("write names in letters, digits and signs")
}

#[cfg(test)]
mod tests {
    use crate::Model;

    #[test]
    fn names_of_a_model_are_harmless_and_still_lead_to_each_other() {
        let text = r#"{"name": "r\u001b[2J", "link": [
            {"name": "a\u202eb", "mass": 1, "joint": {"name": "j\n", "type": "revolute"}},
            {"name": "c", "parent": "a\u202eb", "mass": 1, "joint": {"type": "revolute", "mimic": {"joint": "j\n"}}}]}"#;
        let model: Model = text.parse().unwrap();
        assert_eq!(model.name(), "r\u{fffd}[2J");
        assert_eq!((model.links()[0].name.as_str(), model.links()[0].joint_name.as_str()), ("a\u{fffd}b", "j\u{fffd}"));
        assert_eq!((model.nq(), model.links()[1].mimic.as_ref().map(|mimic| mimic.leader)), (1, Some(0)));
    }

    #[test]
    fn names_that_become_one_are_refused() {
        let text = r#"{"name": "r", "link": [{"name": "a\u0001", "mass": 1}, {"name": "a\u0002", "mass": 1}]}"#;
        assert!(text.parse::<Model>().is_err());
    }
}
