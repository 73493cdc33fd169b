//! The universal joint: two rotations in sequence about axes that meet, q = (first angle, second angle).
//!
//! The second axis is fixed to the link, so its direction in the parent turns with the first: Ξ depends on q. Trap:
//! algorithms that assume a constant Ξ are wrong here without saying so.

use super::facts::{ORIGIN, X, Y};
use super::{Facts, Flaw, JointKind, Screw};
use crate::model::field::Field;
use crate::model::lowered::Lowering;
use crate::model::number::Number;
use crate::spatial::Vector;

/// `axes` is short for `axis` and `axis2`.
pub(super) const FACTS: Facts = Facts {
    set_by_dh: false,
    ..Facts::new("universal", &["axis", "axis2", "axes", "point"], || JointKind::Universal {
        axes: [X, Y],
        point: ORIGIN,
    })
};

/// Sine of the least angle between the axes.
const PARALLEL: f64 = 1e-9;

pub(super) fn screws<F: Field>(axes: &[[Number; 3]; 2], point: &[Number; 3], to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    axes.iter().map(|axis| to.turn(axis, point)).collect()
}

pub(super) fn flaws(axes: &[[Number; 3]; 2]) -> Vec<Flaw> {
    let [first, second] = axes.map(|axis| Vector(f64::direction(axis.map(|x| x.value))));
    let has_zero = [first, second].iter().any(|axis| axis.norm() < 0.5);
    if has_zero || first.cross(second).norm() >= PARALLEL {
        return Vec::new();
    }
    vec![Flaw {
        key: "axis",
        code: "axes-parallel",
        message: "has two axes that are parallel".to_owned(),
        hint: "a universal joint turns about two different axes; defaults are x and y",
        is_warning: false,
    }]
}
