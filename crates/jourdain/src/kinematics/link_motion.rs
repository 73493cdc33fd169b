//! How one link moves: its twist and its accelerations, in world axes at the link origin, linear part first.
//!
//! The twist is J w, summed along the chain. Its rate along the motion, taken by a dual number, is the acceleration of the
//! **point** at the link origin and of the turning axes: J ẇ + J̇ w. Gravity is not in it.
//!
//! Trap: the *spatial* acceleration, the rate of the twist's components in link axes turned into world axes, has a linear part
//! that is p̈ − ω × ṗ. It adds up along a chain as twists do, and it is not what an accelerometer feels.

use super::frame::turned;
use super::jacobian::body_columns;
use super::{KinematicsScratch, tangent};
use crate::model::Model;
use crate::spatial::Twist;
use jourdain_symbolic::{Dual, Scalar};

/// The twist of a link in world axes at the link origin: (ṗ, ω), m/s and rad/s.
///
/// # Reference
/// G (26), solved along the chain.
///
/// # Panics
/// If there is no such link, or `q` or `w` is too short.
#[must_use]
pub fn twist<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    link: usize,
    scratch: &mut KinematicsScratch<S>,
) -> Twist<S> {
    let pose = body_columns(model, q, link, scratch);
    let mut twist = Twist::zero();
    for l in model.chain(link) {
        let mut slot = [S::zero()];
        let speeds = model.links()[l].velocity(w, &mut slot);
        for (column, &speed) in scratch.columns[model.columns_of(l)].iter().zip(speeds) {
            twist += column.times(speed);
        }
    }
    turned(&pose.rotation, twist)
}

/// The acceleration of a link in world axes: (p̈, ω̇) with p its origin, m/s² and rad/s²; gravity not included.
///
/// # Reference
/// J ẇ + J̇ w with J of G (27).
///
/// # Panics
/// As [`twist`].
#[must_use]
pub fn acceleration<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], w_dot: &[S], link: usize) -> Twist<S> {
    along_motion(model, q, w, w_dot, link).1
}

/// The spatial acceleration of a link in world axes at the link origin: (p̈ − ω × ṗ, ω̇), m/s² and rad/s²; gravity not
/// included.
///
/// # Reference
/// The rate of G (26), turned into world axes.
///
/// # Panics
/// As [`twist`].
#[must_use]
pub fn spatial_acceleration<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    link: usize,
) -> Twist<S> {
    let (twist, rate) = along_motion(model, q, w, w_dot, link);
    Twist { linear: rate.linear - twist.angular.cross(twist.linear), ..rate }
}

/// The twist and its rate.
fn along_motion<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    link: usize,
) -> (Twist<S>, Twist<S>) {
    let position = tangent::along(model, q, w);
    let velocity: Vec<Dual<S>> = w.iter().zip(w_dot).map(|(&w, &rate)| Dual::new(w, rate)).collect();
    let dual = twist(model, &position, &velocity, link, &mut KinematicsScratch::new(model)).to_array();
    (Twist::from_array(dual.map(|x| x.value)), Twist::from_array(dual.map(|x| x.derivative)))
}
