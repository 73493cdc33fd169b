//! The composite joint: any product of rotations, translations and screws, one number each.

use super::{Facts, Flaw, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;
use crate::model::number::Number;

/// One factor of a composite joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrewDescription {
    /// Rotation, translation or both.
    pub kind: ScrewKind,
    /// Direction at zero position, in the link frame.
    pub axis: [Number; 3],
    /// A point on the axis at zero position, m.
    pub point: [Number; 3],
    /// Travel per radian of a helical factor, m/rad.
    pub pitch: Number,
}

/// The motion of one factor of a composite joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrewKind {
    /// Rotation.
    Revolute,
    /// Translation.
    Prismatic,
    /// Rotation with travel.
    Helical,
}

pub(super) const FACTS: Facts = Facts {
    required: &["sequence"],
    set_by_dh: false,
    ..Facts::new("composite", &["sequence"], || JointKind::Composite { sequence: Vec::new() })
};

/// Most factors.
const MAX_FACTORS: usize = 100;

pub(super) fn screws<F: Field>(sequence: &[ScrewDescription], to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    let screw = |screw: &ScrewDescription| match screw.kind {
        ScrewKind::Revolute => to.turn(&screw.axis, &screw.point),
        ScrewKind::Prismatic => to.slide(&screw.axis),
        ScrewKind::Helical => to.helix(&screw.axis, &screw.point, screw.pitch),
    };
    sequence.iter().map(screw).collect()
}

pub(super) fn flaws(sequence: &[ScrewDescription]) -> Vec<Flaw> {
    let flaw = |code, message: String, hint| Flaw { key: "sequence", code, message, hint, is_warning: false };
    let mut flaws = Vec::new();
    if sequence.len() > MAX_FACTORS {
        let hint = "six factors reach every motion; further ones belong to links of their own";
        flaws.push(flaw("sequence-too-long", format!("has a sequence of more than {MAX_FACTORS} factors"), hint));
    }
    if sequence.is_empty() {
        let hint = "a joint that does not move is \"fixed\"";
        flaws.push(flaw("empty-sequence", "has an empty sequence".to_owned(), hint));
    }
    if sequence.iter().any(|screw| screw.kind == ScrewKind::Helical && screw.pitch.value == 0.0) {
        let hint = "without travel it is \"revolute\"";
        let message = "has a helical factor with a pitch of zero".to_owned();
        flaws.push(Flaw { is_warning: true, ..flaw("zero-pitch", message, hint) });
    }
    flaws
}
