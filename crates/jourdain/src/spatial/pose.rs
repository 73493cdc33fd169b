//! Rigid placements, SE(3), and their adjoint maps on twists and wrenches.
//!
//! `T_AB` places frame B in frame A: it takes coordinates of points in B to coordinates in A.

use super::quaternion::{Quaternion, sinc};
use super::rotation::Rotation;
use super::twist::{Twist, Wrench};
use super::vector::Vector;
use jourdain_symbolic::{Constant, Scalar};
use std::ops::Mul;

/// A rotation followed by a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose<S> {
    /// `R_AB`.
    pub rotation: Rotation<S>,
    /// Origin of B in A, m.
    pub translation: Vector<S>,
}

impl<S: Scalar> Pose<S> {
    /// Both frames coincide.
    #[must_use]
    pub fn identity() -> Self {
        Self { rotation: Rotation::identity(), translation: Vector::zero() }
    }

    /// Same axes, shifted origin.
    #[must_use]
    pub fn translation(by: Vector<S>) -> Self {
        Self { rotation: Rotation::identity(), translation: by }
    }

    /// `T_BA`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, translation: -rotation.apply(self.translation) }
    }

    /// The point `p` of B in coordinates of A.
    #[must_use]
    pub fn apply(&self, p: Vector<S>) -> Vector<S> {
        self.rotation.apply(p) + self.translation
    }

    /// Ad(T) v: a twist in B coordinates, in A coordinates at A's origin.
    #[inline(always)]
    #[must_use]
    pub fn adjoint(&self, v: Twist<S>) -> Twist<S> {
        let angular = self.rotation.apply(v.angular);
        Twist { linear: self.rotation.apply(v.linear) + self.translation.cross(angular), angular }
    }

    /// Ad(T)⁻¹ v: a twist in A coordinates, in B coordinates at B's origin.
    #[inline(always)]
    #[must_use]
    pub fn adjoint_inverse(&self, v: Twist<S>) -> Twist<S> {
        Twist {
            linear: self.rotation.apply_inverse(v.linear - self.translation.cross(v.angular)),
            angular: self.rotation.apply_inverse(v.angular),
        }
    }

    /// Ad(T)⁻ᵀ f: a wrench in B coordinates, in A coordinates about A's origin.
    #[inline(always)]
    #[must_use]
    pub fn coadjoint(&self, f: Wrench<S>) -> Wrench<S> {
        let force = self.rotation.apply(f.force);
        Wrench { force, moment: self.rotation.apply(f.moment) + self.translation.cross(force) }
    }

    /// Ad(T)ᵀ f: a wrench in A coordinates, in B coordinates about B's origin.
    #[inline(always)]
    #[must_use]
    pub fn coadjoint_inverse(&self, f: Wrench<S>) -> Wrench<S> {
        Wrench {
            force: self.rotation.apply_inverse(f.force),
            moment: self.rotation.apply_inverse(f.moment - self.translation.cross(f.force)),
        }
    }

    /// The 4×4 homogeneous matrix, row by row.
    #[must_use]
    pub fn to_matrix(&self) -> [[S; 4]; 4] {
        let (r, p) = (&self.rotation.0, self.translation);
        let row = |i: usize| [r[i][0], r[i][1], r[i][2], p[i]];
        let zero = S::zero();
        [row(0), row(1), row(2), [zero, zero, zero, S::one()]]
    }
}

impl<S: Scalar> Mul for Pose<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { rotation: self.rotation * other.rotation, translation: self.apply(other.translation) }
    }
}

impl<T: Constant> Pose<T> {
    /// The same pose with scalar entries.
    #[inline(always)]
    #[must_use]
    pub fn lift<S: Scalar<Constant = T>>(&self) -> Pose<S> {
        Pose { rotation: self.rotation.lift(), translation: self.translation.lift() }
    }
}

impl Pose<f64> {
    /// The exponential of a twist, for any length, zero included.
    #[must_use]
    pub fn exp(v: Twist<f64>) -> Self {
        Self { rotation: Quaternion::exp(v.angular).to_rotation(), translation: left_jacobian(v.angular, v.linear) }
    }

    /// The twist, with angular part of length at most π, whose exponential is `self`.
    #[must_use]
    pub fn log(&self) -> Twist<f64> {
        let angular = self.rotation.log();
        Twist { linear: left_jacobian_inverse(angular, self.translation), angular }
    }
}

/// (1 + a ŵ + b ŵ²) v: how a constant body twist moves the origin.
fn left_jacobian(w: Vector<f64>, v: Vector<f64>) -> Vector<f64> {
    let (a, b) = left_jacobian_coefficients(w.norm_squared());
    let wv = w.cross(v);
    v + wv.times(a) + w.cross(wv).times(b)
}

/// a = (1 − cos φ)/φ² and b = (φ − sin φ)/φ³ for φ² = `square`.
pub(super) fn left_jacobian_coefficients(square: f64) -> (f64, f64) {
    let angle = square.sqrt();
    let sinc = sinc(0.5 * angle);
    let b = if square < 1.0 {
        // The quotient loses digits to cancellation; the first term left out is 5e-17 of the sum at the bound.
        const DIVISORS: [f64; 7] = [272.0, 210.0, 156.0, 110.0, 72.0, 42.0, 20.0];
        DIVISORS.iter().fold(1.0, |sum, divisor| 1.0 - square / divisor * sum) / 6.0
    } else {
        (angle - angle.sin()) / (square * angle)
    };
    (0.5 * sinc * sinc, b)
}

/// The inverse of [`left_jacobian`]: (1 − ½ ŵ + c ŵ²) v, regular up to |w| < 2π.
fn left_jacobian_inverse(w: Vector<f64>, v: Vector<f64>) -> Vector<f64> {
    let wv = w.cross(v);
    v - wv.times(0.5) + w.cross(wv).times(left_jacobian_inverse_coefficient(w.norm_squared()))
}

/// c = (1 − h cot h)/φ² for φ² = `square`, h = φ/2.
pub(super) fn left_jacobian_inverse_coefficient(square: f64) -> f64 {
    let half = 0.5 * square.sqrt();
    if square < 4.0 {
        // c = g/(4 sinc h) with g = (sin h − h cos h)/h³ = Σ (−1)ᵏ 2(k+1) h²ᵏ/(2k+3)!, which converges everywhere.
        const DIVISORS: [f64; 8] = [304.0, 238.0, 180.0, 130.0, 88.0, 54.0, 28.0, 10.0];
        let g = DIVISORS.iter().fold(1.0, |sum, divisor| 1.0 - half * half / divisor * sum) / 3.0;
        g / (4.0 * sinc(half))
    } else {
        (1.0 - half / half.tan()) / square
    }
}
