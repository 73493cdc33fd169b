//! The tip: where it is, how it is turned, and how it moves with the coordinates.
//!
//! In the paper's kinematics the position is Σ_a e^{iΘ_a} (ℓ_a + i (y_a + ℓ_a Σ_{k<a} y'_k)), first order in the deflections. The
//! Jacobian holds the columns that the kinetic energy is made of, also to first order. Trap: it is not the derivative of that
//! position but differs from it by products of slopes and deflections, which are of second order in the position.

use super::arm::{FlexibleArm, Kinematics};
use super::plane::Planar;
use super::{turned, untruncated};
use crate::matrix::Matrix;
use jourdain_symbolic::Scalar;

/// The tip at one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip<S> {
    /// x and y, m.
    pub position: [S; 2],
    /// The angle of the last link's end, rad.
    pub angle: S,
    /// Rows x, y, angle.
    pub jacobian: Matrix<S>,
}

/// The tip.
///
/// # Panics
/// If `q` does not have the arm's size.
///
/// # Reference
/// DS (1)–(7).
#[must_use]
pub fn tip<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> Tip<S> {
    assert_eq!(q.len(), arm.size(), "coordinates of the arm");
    let (position, columns) = match arm.kinematics() {
        Kinematics::Paper => first_order(arm, q),
        Kinematics::Linear | Kinematics::Rotation => untruncated::tip(arm, q),
        Kinematics::Stiffened | Kinematics::Exact => turned::tip(arm, q),
    };
    let slopes = angle_columns(arm);
    let angle = slopes.iter().zip(q).fold(S::zero(), |sum, (&slope, &x)| x.scale_add(slope, sum));
    let jacobian = Matrix::from_fn(3, arm.size(), |row, c| match row {
        0 => columns[c].x,
        1 => columns[c].y,
        _ => S::constant(slopes[c]),
    });
    Tip { position: [position.x, position.y], angle, jacobian }
}

/// The derivative of the tip's angle by each coordinate.
fn angle_columns<T: jourdain_symbolic::Constant>(arm: &FlexibleArm<T>) -> Vec<T> {
    let joints = std::iter::repeat_n(T::one(), arm.joints());
    joints.chain(arm.links().iter().flat_map(|link| link.tip_slope.iter().copied())).collect()
}

fn first_order<S: Scalar>(arm: &FlexibleArm<S::Constant>, q: &[S]) -> (Planar<S>, Vec<Planar<S>>) {
    let (mut position, mut columns) = (Planar::zero(), vec![Planar::zero(); arm.size()]);
    let (mut angle, mut before) = (S::zero(), S::zero());
    for (a, link) in arm.links().iter().enumerate() {
        let range = arm.deflections(a);
        angle += q[a];
        let turn = Planar::turn(angle);
        let sum = |shape: &[S::Constant]| {
            shape.iter().zip(&q[range.clone()]).fold(S::zero(), |sum, (&weight, &x)| x.scale_add(weight, sum))
        };
        let (y, slope) = (sum(&link.tip), sum(&link.tip_slope));
        let lateral = before.scale_add(link.length, y);
        let length = S::constant(link.length);
        position = position + turn * Planar::new(length, lateral);
        // e^{iΘ} (i U + V)
        for column in &mut columns[..=a] {
            *column = *column + turn * Planar::new(-lateral, length);
        }
        for s in 0..a {
            let own = arm.links()[s].tip_slope.iter().zip(&q[arm.deflections(s)]);
            let own = own.fold(S::zero(), |sum, (&weight, &x)| x.scale_add(weight, sum));
            let others = y + (before - own).scale(link.length);
            for (c, &tip_slope) in arm.deflections(s).zip(&arm.links()[s].tip_slope) {
                columns[c] = columns[c] + (turn * Planar::new(-others, length)).scale(tip_slope);
            }
        }
        for (c, &tip) in range.zip(&link.tip) {
            columns[c] = columns[c] + (turn * Planar::new(-before, S::one())).scale(tip);
        }
        before += slope;
    }
    (position, columns)
}
