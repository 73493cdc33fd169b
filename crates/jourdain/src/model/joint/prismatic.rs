//! The prismatic joint: translation by q (m) along an axis.

use super::facts::Z;
use super::{Facts, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;
use crate::model::number::Number;

/// It moves the same wherever its axis runs, so that a `point` does no harm.
pub(super) const FACTS: Facts =
    Facts { has_one_axis: true, ..Facts::new("prismatic", &["axis", "point"], || JointKind::Prismatic { axis: Z }) };

pub(super) fn screws<F: Field>(axis: &[Number; 3], to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    vec![to.slide(axis)]
}
