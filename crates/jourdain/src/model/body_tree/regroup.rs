//! Moving inertia that a joint cannot feel to the parent, from the leaves to the root.
//!
//! Mass on the axis of a rotation moves the same whether it belongs to the body or to its parent: (m, m c_z, Ĵ_zz) go.
//! Under a translation both turn alike: all of Ĵ goes. At a ball joint the mass at its centre goes. What reaches the
//! ground is felt by nobody and is dropped.
//!
//! # Reference
//! Gautier & Khalil 1990 (14)–(16), in pseudo-inertia form, where a rotation leaves one symmetric entry, Ĵ_zz = 0.

use super::body::{BodyTree, Mechanism};
use crate::spatial::Symmetric;
use jourdain_symbolic::Constant;
use std::mem::replace;

pub(super) fn regroup<T: Constant>(tree: &mut BodyTree<T>) {
    let zero = T::zero();
    for body in &mut tree.bodies {
        body.regrouped_mass = body.inertia.mass;
        body.regrouped_moment = body.inertia.first_moment;
        body.regrouped_pseudo = body.pseudo;
    }
    for b in (0..tree.bodies.len()).rev() {
        let body = &mut tree.bodies[b];
        let moved = match body.mechanism {
            Mechanism::Revolute => Moved {
                mass: replace(&mut body.regrouped_mass, zero),
                along: replace(&mut body.regrouped_moment[2], zero),
                pseudo: Symmetric { zz: replace(&mut body.regrouped_pseudo.zz, zero), ..Symmetric::zero() },
            },
            Mechanism::Prismatic => {
                Moved { pseudo: replace(&mut body.regrouped_pseudo, Symmetric::zero()), ..Moved::nothing() }
            }
            Mechanism::Spherical => Moved { mass: replace(&mut body.regrouped_mass, zero), ..Moved::nothing() },
            Mechanism::Helical { .. } | Mechanism::Free => Moved::nothing(),
        };
        let (turn, shift) = (body.turn.to_rotation(), body.shift);
        if let Some(parent) = body.parent {
            let parent = &mut tree.bodies[parent];
            let moment = turn.column(2).times(moved.along);
            parent.regrouped_mass += moved.mass;
            parent.regrouped_moment += shift.times(moved.mass) + moment;
            let half_shift = shift.times(moved.mass.scale(T::from_f64(0.5))) + moment;
            parent.regrouped_pseudo =
                parent.regrouped_pseudo + moved.pseudo.rotated(&turn) + Symmetric::outer(shift, half_shift);
        }
    }
    let mut weightless: Vec<bool> = tree.bodies.iter().map(|body| body.regrouped_mass.is_zero()).collect();
    for b in (0..tree.bodies.len()).rev() {
        tree.bodies[b].weightless = weightless[b];
        if let Some(parent) = tree.bodies[b].parent {
            weightless[parent] &= weightless[b];
        }
    }
}

/// What goes to the parent, in the body frame.
struct Moved<T> {
    mass: T,
    along: T,
    pseudo: Symmetric<T>,
}

impl<T: Constant> Moved<T> {
    fn nothing() -> Self {
        Self { mass: T::zero(), along: T::zero(), pseudo: Symmetric::zero() }
    }
}
