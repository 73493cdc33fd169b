//! Positions as functions of time: the input of time derivatives of any order.
//!
//! Given q and the velocity vector w with its derivatives ẇ, ẅ, …, the Taylor series of the position numbers in time. Joints
//! that are products of exponentials have q̇ = w, coefficient by coefficient. A quaternion solves q̇ = ½ q ⊗ ω, so
//! (k+1) q_{k+1} = ½ Σ_i q_i ⊗ ω_{k−i}, and the position of a free joint ṗ = R(q) w_linear: the recursion
//! T_{r+1} = 1/(r+1) Σ T_i ŵ_{r−i}, on the numbers that the position is made of.
//!
//! Any formula run on these series gives its own time derivatives. Trap: w of spherical and free joints is in link axes,
//! so its derivatives are those of the components there, not of the vector in the world.

use crate::model::{Model, Motion};
use crate::spatial::{Quaternion, Vector};
use jourdain_symbolic::{Jet, Scalar};
use std::array::from_fn;

/// A motion as series in time with `K` coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory<S: Scalar, const K: usize> {
    /// The position, nq series.
    pub q: Vec<Jet<S, K>>,
    /// The velocity, nv series.
    pub w: Vec<Jet<S, K>>,
    /// The rate of the velocity, nv series.
    pub w_dot: Vec<Jet<S, K>>,
}

/// The series of position, velocity and acceleration for the position `q` and `derivatives` = w, ẇ, ẅ, ….
///
/// Orders that are not given are zero. All coefficients are exact functions of the arguments if K + 1 orders are given;
/// the position alone needs K − 1 of them.
///
/// # Panics
/// If `q` or a derivative is too short.
#[must_use]
pub fn jets<S: Scalar, const K: usize>(model: &Model<S::Constant>, q: &[S], derivatives: &[&[S]]) -> Trajectory<S, K> {
    let zero = Jet::fixed(S::zero());
    let (mut position, mut w, mut w_dot) = (vec![zero; model.nq()], vec![zero; model.nv()], vec![zero; model.nv()]);
    position_jets_into(model, q, derivatives, &mut position);
    series_into(derivatives, &mut w);
    series_into(derivatives.get(1..).unwrap_or_default(), &mut w_dot);
    Trajectory { q: position, w, w_dot }
}

/// The series of a vector from its derivatives of order 0, 1, 2, …; orders that are not given are zero.
///
/// # Panics
/// If a derivative is shorter than `out`.
pub fn series_into<S: Scalar, const K: usize>(derivatives: &[&[S]], out: &mut [Jet<S, K>]) {
    for (i, jet) in out.iter_mut().enumerate() {
        *jet = series(derivatives, i);
    }
}

/// The series of the position numbers for the position `q` and `derivatives` = w, ẇ, ẅ, …; orders that are not given are
/// zero.
///
/// # Panics
/// If `q`, a derivative or `out` is too short.
pub fn position_jets_into<S: Scalar, const K: usize>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    out: &mut [Jet<S, K>],
) {
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        let positions = link.q..link.q + link.joint.nq();
        let (q, out) = (&q[positions.clone()], &mut out[positions]);
        let w = |i: usize| series::<S, K>(derivatives, link.v + i);
        match link.joint.motion {
            Motion::Product(_) => {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = integral(q[i], w(i));
                }
            }
            Motion::Spherical { .. } => {
                let omega = Vector([w(0), w(1), w(2)]);
                out.copy_from_slice(&attitude([q[0], q[1], q[2], q[3]], omega).to_array());
            }
            Motion::Free => {
                let attitude = attitude([q[3], q[4], q[5], q[6]], Vector([w(3), w(4), w(5)]));
                let rate = attitude.to_rotation().apply(Vector([w(0), w(1), w(2)]));
                for i in 0..3 {
                    out[i] = integral(q[i], rate[i]);
                }
                out[3..].copy_from_slice(&attitude.to_array());
            }
        }
    }
}

fn series<S: Scalar, const K: usize>(derivatives: &[&[S]], i: usize) -> Jet<S, K> {
    Jet::from_derivatives(from_fn(|k| derivatives.get(k).map_or_else(S::zero, |order| order[i])))
}

/// The series with this value and this rate.
fn integral<S: Scalar, const K: usize>(value: S, rate: Jet<S, K>) -> Jet<S, K> {
    Jet(from_fn(|k| match k {
        0 => value,
        1 => rate.0[0],
        _ => rate.0[k - 1].scale(reciprocal::<S>(k)),
    }))
}

/// The series of a unit quaternion under a body angular velocity.
fn attitude<S: Scalar, const K: usize>(value: [S; 4], omega: Vector<Jet<S, K>>) -> Quaternion<Jet<S, K>> {
    let mut coefficients = [Quaternion::new(value); K];
    for k in 1..K {
        let mut sum = [S::zero(); 4];
        for i in 0..k {
            let term = coefficients[i].rate(omega.map(|jet| jet.0[k - 1 - i])).to_array();
            sum = from_fn(|j| if i == 0 { term[j] } else { sum[j] + term[j] });
        }
        if k > 1 {
            sum = sum.map(|x| x.scale(reciprocal::<S>(k)));
        }
        coefficients[k] = Quaternion::new(sum);
    }
    Quaternion::new(from_fn(|j| Jet(from_fn(|k| coefficients[k].to_array()[j]))))
}

/// 1/k by the constants' own division: an exact field keeps it exact.
fn reciprocal<S: Scalar>(k: usize) -> S::Constant {
    let one = <S::Constant as Scalar>::one();
    one / <S::Constant as Scalar>::from_f64(k as f64)
}
