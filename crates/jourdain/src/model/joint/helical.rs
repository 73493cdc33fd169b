//! The helical joint: rotation by q (rad) about an axis with travel pitch·q (m) along it.

use super::facts::{ORIGIN, Z};
use super::{Facts, Flaw, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;
use crate::model::number::Number;

pub(super) const FACTS: Facts = Facts {
    required: &["pitch"],
    has_one_axis: true,
    ..Facts::new("helical", &["axis", "point", "pitch"], || JointKind::Helical {
        axis: Z,
        point: ORIGIN,
        pitch: Number::ONE,
    })
};

pub(super) fn screws<F: Field>(
    axis: &[Number; 3],
    point: &[Number; 3],
    pitch: Number,
    to: &Lowering<'_, F>,
) -> Vec<Screw<F>> {
    vec![to.helix(axis, point, pitch)]
}

pub(super) fn flaws(pitch: Number) -> Vec<Flaw> {
    if pitch.value != 0.0 {
        return Vec::new();
    }
    vec![Flaw {
        key: "pitch",
        code: "zero-pitch",
        message: "is helical with a pitch of zero".to_owned(),
        hint: "without travel it is \"revolute\"",
        is_warning: true,
    }]
}
