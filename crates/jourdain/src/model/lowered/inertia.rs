//! A link's inertia about its origin, in link axes, from whatever point and axes the file gives it in.

use super::frame::Frame;
use crate::model::description::{InertiaDescription, LinkDescription};
use crate::model::field::{Field, dot};
use crate::model::number::Number;
use crate::spatial::{Inertia, Symmetric, Vector};

/// In kg and m, whatever the unit of lengths.
pub(super) fn inertia<F: Field>(link: &LinkDescription) -> Inertia<F> {
    let number = |x: Number| F::from_number(x, 1.0);
    let (mass, com) = (number(link.mass), link.com.map(number));
    let first_moment: [F; 3] = std::array::from_fn(|i| com[i].mul(&mass));
    let about_com = match &link.inertia {
        InertiaDescription::AboutOrigin(elements) => {
            return Inertia { mass, first_moment: Vector(first_moment), rotational: symmetric(elements.map(number)) };
        }
        InertiaDescription::AboutCom(elements) => elements.map(number),
        InertiaDescription::AboutComRotated { elements, rpy } => {
            let turn = |i: usize| Frame::turn(i, F::cos_sin(rpy[i].value));
            rotated(elements.map(number), &turn(2).then(&turn(1)).then(&turn(0)))
        }
    };
    // Steiner: (h·c) 1 − h cᵀ with h = m c.
    let [x, y, z]: [F; 3] = std::array::from_fn(|i| first_moment[i].mul(&com[i]));
    let off = |i: usize, j: usize| first_moment[i].mul(&com[j]);
    let [xx, xy, xz, yy, yz, zz] = about_com;
    let rotational = symmetric([
        xx.add(&y.add(&z)),
        xy.sub(&off(0, 1)),
        xz.sub(&off(0, 2)),
        yy.add(&x.add(&z)),
        yz.sub(&off(1, 2)),
        zz.add(&x.add(&y)),
    ]);
    Inertia { mass, first_moment: Vector(first_moment), rotational }
}

fn symmetric<F>([xx, xy, xz, yy, yz, zz]: [F; 6]) -> Symmetric<F> {
    Symmetric { xx, xy, xz, yy, yz, zz }
}

/// R I Rᵀ.
fn rotated<F: Field>([xx, xy, xz, yy, yz, zz]: [F; 6], frame: &Frame<F>) -> [F; 6] {
    let rows = [[xx, xy.clone(), xz.clone()], [xy, yy, yz.clone()], [xz, yz, zz]];
    let half: [[F; 3]; 3] = std::array::from_fn(|r| std::array::from_fn(|c| dot(&frame.rotation[r], &rows[c])));
    let element = |i: usize, j: usize| dot(&half[i], &frame.rotation[j]);
    [element(0, 0), element(0, 1), element(0, 2), element(1, 1), element(1, 2), element(2, 2)]
}
