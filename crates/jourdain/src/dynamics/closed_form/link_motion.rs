//! What the outward recursion says of one link in world axes at its origin, and of the momentum of all links: twist,
//! accelerations, J̈, the centroidal momentum matrix.
//!
//! G's quantities are in link axes. With R the link's rotation and ω, ω̇ its angular velocity and acceleration there,
//! p̈ = R (v̇ + ω × v) and d²(R b)/dt² = R (b̈ + 2 ω × ḃ + ω̇ × b + ω × (ω × b)).

use super::Outward;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::spatial::{Rotation, Twist, Vector};
use jourdain_symbolic::Scalar;

/// The twist of a link, world axes at its origin.
///
/// # Reference
/// G (26).
#[must_use]
pub fn twist<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], link: usize) -> Twist<S> {
    let outward = Outward::moving(model, q, w);
    let link = &outward.links()[link];
    turned(&link.pose.rotation, link.contract(&link.jacobian, w))
}

/// The acceleration (p̈, ω̇) of a link, world axes.
///
/// # Reference
/// The rate of G (26), in world axes.
#[must_use]
pub fn acceleration<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], w_dot: &[S], link: usize) -> Twist<S> {
    let outward = Outward::moving(model, q, w);
    let (at, rate) = (&outward.links()[link], outward.rates(w_dot)[link].acceleration);
    let point = Twist { linear: rate.linear + at.twist.angular.cross(at.twist.linear), ..rate };
    turned(&at.pose.rotation, point)
}

/// The rate of a link's twist in link axes, turned into world axes.
///
/// # Reference
/// The rate of G (26).
#[must_use]
pub fn spatial_acceleration<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_dot: &[S],
    link: usize,
) -> Twist<S> {
    let outward = Outward::moving(model, q, w);
    turned(&outward.links()[link].pose.rotation, outward.rates(w_dot)[link].acceleration)
}

/// J̈ of a link, 6 × nv, world axes at the link origin.
///
/// # Reference
/// G (29), in world axes.
#[must_use]
pub fn jacobian_ddot<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], w_dot: &[S], link: usize) -> Matrix<S> {
    let outward = Outward::moving(model, q, w);
    let (at, rates) = (&outward.links()[link], outward.rates(w_dot));
    let rates = &rates[link];
    let (omega, omega_dot) = (at.twist.angular, rates.acceleration.angular);
    let column = |j: usize| {
        let (b, b_dot, b_ddot) = (at.jacobian[j], at.jacobian_dot[j], rates.jacobian_ddot[j]);
        let rate =
            b_ddot + swept(omega, b_dot) + swept(omega, b_dot) + swept(omega_dot, b) + swept(omega, swept(omega, b));
        turned(&at.pose.rotation, rate).to_array()
    };
    let columns: Vec<[S; 6]> = (0..model.nv()).map(column).collect();
    Matrix::from_fn(6, model.nv(), |i, j| columns[j][i])
}

/// The centroidal momentum matrix, 6 × nv, linear rows first; `None` for a robot of total mass zero.
///
/// # Reference
/// Λ J of G (6a), summed over links about the point of G (7).
#[must_use]
pub fn centroidal_matrix<S: Scalar>(model: &Model<S::Constant>, q: &[S]) -> Option<Matrix<S>> {
    let com = super::com(model, q)?;
    let outward = Outward::at(model, q);
    let mut matrix = Matrix::zeros(6, model.nv());
    for link in outward.links() {
        let arm = link.pose.translation - com;
        for &j in &link.support {
            let momentum = link.inertia.apply(link.jacobian[j]);
            let linear = link.pose.rotation.apply(momentum.force);
            let angular = link.pose.rotation.apply(momentum.moment) + arm.cross(linear);
            for i in 0..3 {
                matrix[(i, j)] += linear[i];
                matrix[(i + 3, j)] += angular[i];
            }
        }
    }
    Some(matrix)
}

fn turned<S: Scalar>(rotation: &Rotation<S>, twist: Twist<S>) -> Twist<S> {
    Twist { linear: rotation.apply(twist.linear), angular: rotation.apply(twist.angular) }
}

fn swept<S: Scalar>(omega: Vector<S>, twist: Twist<S>) -> Twist<S> {
    Twist { linear: omega.cross(twist.linear), angular: omega.cross(twist.angular) }
}
