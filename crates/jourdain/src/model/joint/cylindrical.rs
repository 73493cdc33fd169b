//! The cylindrical joint: rotation about, and translation along, one axis, q = (angle, displacement).

use super::facts::{ORIGIN, Z};
use super::{Facts, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;
use crate::model::number::Number;

pub(super) const FACTS: Facts = Facts {
    has_one_axis: true,
    ..Facts::new("cylindrical", &["axis", "point"], || JointKind::Cylindrical { axis: Z, point: ORIGIN })
};

pub(super) fn screws<F: Field>(axis: &[Number; 3], point: &[Number; 3], to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    vec![to.turn(axis, point), to.slide(axis)]
}
