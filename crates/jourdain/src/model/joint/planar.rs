//! The planar joint: q = (x, y, angle), two translations across a normal, then a rotation about it.
//!
//! For the normal z the translations are along x and y. For another one the first is along the coordinate axis next in
//! cyclic order after the normal's largest coordinate, made orthogonal to the normal, and the second completes the
//! right-handed triad.

use super::facts::{ORIGIN, Z};
use super::{Facts, JointKind, Screw};
use crate::model::field::Field;
use crate::model::field::{cross, dot};
use crate::model::lowered::Lowering;
use crate::model::number::Number;
use crate::spatial::Vector;

pub(super) const FACTS: Facts =
    Facts::new("planar", &["axis", "point"], || JointKind::Planar { axis: Z, point: ORIGIN });

pub(super) fn screws<F: Field>(normal: &[Number; 3], point: &[Number; 3], to: &Lowering<'_, F>) -> Vec<Screw<F>> {
    let [x, y] = across(normal, &to.direction(normal).0).map(|axis| Screw::Translation { axis: Vector(axis) });
    vec![x, y, to.turn(normal, point)]
}

/// The directions of the translations, of unit length where the field can.
fn across<F: Field>(given: &[Number; 3], n: &[F; 3]) -> [[F; 3]; 2] {
    let further = |best: usize, i: usize| if given[i].value.abs() > given[best].value.abs() { i } else { best };
    let seed = ([0, 1].into_iter().fold(2, further) + 1) % 3;
    let factor = n[seed].mul(&dot(n, n).inverse());
    let x: [F; 3] = std::array::from_fn(|i| {
        let e = if i == seed { F::one() } else { F::zero() };
        e.sub(&n[i].mul(&factor))
    });
    let y = cross(n, &x);
    [F::direction(x), F::direction(y)]
}
