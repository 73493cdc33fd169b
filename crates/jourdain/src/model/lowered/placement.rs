//! Where a link frame is in its parent's at zero joint position: a translation and an orientation, or a row of a
//! Denavit–Hartenberg table of either convention.

use super::constants::{AXES, Lowering, Part};
use super::frame::Frame;
use crate::model::description::{DhConvention, DhParameters, Orientation, Placement};
use crate::model::field::Field;
use crate::model::joint::{Motion, Screw};
use crate::model::number::Number;
use crate::spatial::Vector;

/// The link frame in its parent's at zero joint position.
pub(crate) fn place<F: Field>(placement: &Placement, lowering: &Lowering<'_, F>) -> Frame<F> {
    match placement {
        Placement::Origin { xyz, orientation } => {
            let turned = match orientation {
                Orientation::Rpy(rpy) => {
                    let turn = |i: usize| Frame::turn(i, lowering.cos_sin(["roll", "pitch", "yaw"][i], rpy[i]));
                    turn(2).then(&turn(1)).then(&turn(0))
                }
                Orientation::Quaternion(q) => Frame::from_quaternion(&q.map(|x| F::from_number(x, 1.0))),
            };
            let part = |i: usize| lowering.length(Part::Position(AXES[i]), xyz[i]);
            Frame { translation: std::array::from_fn(part), ..turned }
        }
        Placement::Dh { convention, parameters: p } => {
            let [outer, x, z] = dh_factors(p, lowering);
            match convention {
                DhConvention::Modified => outer.then(&x).then(&z),
                DhConvention::Standard => z.then(&x),
            }
        }
    }
}

/// Rz(γ) Tz(b), Rx(α) Tx(a), Rz(θ) Tz(d).
fn dh_factors<F: Field>(p: &DhParameters, lowering: &Lowering<'_, F>) -> [Frame<F>; 3] {
    let motion = |i: usize, name: &'static str, angle: Number, letter: &'static str, along: Number| {
        let turn = Frame::turn(i, lowering.cos_sin(name, angle));
        let mut translation = std::array::from_fn(|_| F::zero());
        translation[i] = lowering.length(Part::Dh(letter), along);
        turn.then(&Frame::shift(translation))
    };
    [
        motion(2, "gamma", p.gamma, "B", p.b),
        motion(0, "alpha", p.alpha, "D", p.a),
        motion(2, "theta", p.theta, "R", p.d),
    ]
}

/// In the standard convention a joint is described in the frame before the link's: exp(Z q) A = A exp(Ad(A⁻¹) Z q). A
/// spherical or free joint has its velocities in link axes all the same; only the centre is to be moved.
pub(super) fn seen_from_link<F: Field>(frame: &Frame<F>, motion: Motion<F>) -> Motion<F> {
    let turn = |v: &Vector<F>| Vector(frame.to_local(&v.0));
    let shift = |p: &Vector<F>| Vector(frame.point_to_local(&p.0));
    match motion {
        Motion::Product(screws) => Motion::Product(
            screws
                .into_iter()
                .map(|screw| match screw {
                    Screw::Rotation { axis, point, pitch } => {
                        Screw::Rotation { axis: turn(&axis), point: shift(&point), pitch }
                    }
                    Screw::Translation { axis } => Screw::Translation { axis: turn(&axis) },
                })
                .collect(),
        ),
        Motion::Spherical { center } => Motion::Spherical { center: shift(&center) },
        Motion::Free => Motion::Free,
    }
}
