//! The revolute joint: rotation by q (rad) about an axis. One number, however far it turns.

use super::facts::{ORIGIN, Z};
use super::{Facts, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;
use crate::model::number::Number;

pub(super) const FACTS: Facts = Facts {
    alias: Some("continuous"),
    wants_limits: true,
    has_one_axis: true,
    ..Facts::new("revolute", &["axis", "point"], || JointKind::Revolute { axis: Z, point: ORIGIN })
};

pub(super) fn screws<F: Field>(axis: &[Number; 3], point: &[Number; 3], to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    vec![to.turn(axis, point)]
}
