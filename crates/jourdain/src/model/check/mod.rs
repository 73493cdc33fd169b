//! The one validator that loading and `jourdain check` share: topology, joints, physics.
//!
//! Errors stop a robot from loading; warnings and what no body can be do not. The codes are stable and listed in `docs/diagnostics.md`.

mod angles;
mod balance;
mod drive;
mod inertia;
mod joints;
mod loose;
mod magnitude;
mod mimic;
mod shaft;
mod singular;
mod topology;

use super::description::{Description, LinkDescription};
use super::lowered::Lowered;
use super::{Diagnostic, Severity};

/// Most links of a robot, in a file or not.
pub const MAX_LINKS: usize = 100_000;

/// Everything that is wrong or doubtful about a robot, in the order of its links.
#[must_use]
pub fn check(description: &Description) -> Vec<Diagnostic> {
    examine(description).0
}

/// What is wrong or doubtful about the links, one by one: all that can be said where names are missing.
pub(crate) fn check_links(description: &Description) -> Vec<Diagnostic> {
    let mut findings = Findings { list: Vec::new(), allow_unphysical: description.allow_unphysical };
    findings.examine_links(description);
    findings.list
}

/// As [`check()`], and the robot lowered unless something leaves none.
pub(crate) fn examine(description: &Description) -> (Vec<Diagnostic>, Option<Lowered<f64>>) {
    let mut findings = Findings { list: Vec::new(), allow_unphysical: description.allow_unphysical };
    if description.links.len() > MAX_LINKS {
        let message = format!("{} links, more than {MAX_LINKS}", description.links.len());
        return (vec![Diagnostic::error("too-many-links", message)], None);
    }
    magnitude::check_gravity(description, &mut findings);
    let tree = topology::check(description, &mut findings);
    findings.examine_links(description);
    mimic::check(description, &mut findings);
    drive::check_robot(description, &mut findings);
    shaft::check(description, &mut findings);
    let tree = tree.filter(|_| !findings.are_fatal());
    let lowered = tree.map(|tree| Lowered::of_tree(description, tree));
    if let Some(lowered) = &lowered {
        balance::check(description, lowered, &mut findings);
        singular::check(description, lowered, &mut findings);
    }
    (findings.list, lowered)
}

/// What has been found so far.
struct Findings {
    list: Vec<Diagnostic>,
    allow_unphysical: bool,
}

impl Findings {
    fn add(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds what is an error unless the robot is said to be unphysical.
    fn add_physics(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.severity = if self.allow_unphysical { Severity::Warning } else { Severity::Unphysical };
        self.list.push(diagnostic);
    }

    fn examine_links(&mut self, description: &Description) {
        for link in &description.links {
            if joints::check(link, self) {
                inertia::check(link, self);
                angles::check(link, self);
            }
        }
    }

    fn are_fatal(&self) -> bool {
        self.list.iter().any(Diagnostic::is_fatal)
    }
}

/// An error about a part of a link.
fn link_error(link: &LinkDescription, field: &str, code: &'static str, message: String) -> Diagnostic {
    Diagnostic::error(code, message).link(&link.name).at(link.place(field))
}

/// An error about a part of a link's joint.
fn joint_error(link: &LinkDescription, field: &str, code: &'static str, message: String) -> Diagnostic {
    let place = link.places.get(field).or(link.joint.location).or(link.location);
    Diagnostic::error(code, message).link(&link.name).joint(&link.joint.name).at(place)
}

/// The same as an error that is the judge's business alone: the model does without what is wrong.
fn to_judge(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.severity = Severity::Unphysical;
    diagnostic
}

/// The same as a warning.
fn to_warning(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.severity = Severity::Warning;
    diagnostic
}
