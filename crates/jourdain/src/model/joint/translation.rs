//! The translation joint: q = (x, y, z), three translations along the axes of the link, which does not turn: a gantry.

use super::facts::{X, Y, Z};
use super::{Facts, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;

pub(super) const FACTS: Facts = Facts { set_by_dh: false, ..Facts::new("translation", &[], || JointKind::Translation) };

pub(super) fn screws<F: Field>(to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    [X, Y, Z].iter().map(|axis| to.slide(axis)).collect()
}
