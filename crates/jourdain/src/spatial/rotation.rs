//! Rotation matrices, SO(3): `R_AB` takes coordinates in frame B to coordinates in frame A.

use super::vector::Vector;
use jourdain_symbolic::{Ahead, Constant, Scalar};
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Mul;

/// A rotation matrix, row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotation<S>(pub [[S; 3]; 3]);

impl<S: Scalar> Rotation<S> {
    /// No rotation.
    #[must_use]
    pub fn identity() -> Self {
        Self(std::array::from_fn(|i| Vector::unit(i).0))
    }

    /// The rotation by `angle` about a **unit** vector: Rodrigues' formula 1 + sin φ ê + (1 − cos φ) ê².
    #[must_use]
    pub fn about(axis: Vector<S>, angle: S) -> Self {
        Self::about_by(axis, angle.sin_cos())
    }

    /// As [`about`](Self::about), given sine and cosine of the angle.
    #[must_use]
    pub fn about_by(axis: Vector<S>, (sin, cos): (S, S)) -> Self {
        let [x, y, z] = axis.0;
        let versine = S::one() - cos;
        let (xs, ys, zs) = (x * sin, y * sin, z * sin);
        let (xv, yv, zv) = (x * versine, y * versine, z * versine);
        Self([
            [xv.mul_add(x, cos), xv * y - zs, xv * z + ys],
            [yv * x + zs, yv.mul_add(y, cos), yv * z - xs],
            [zv * x - ys, zv * y + xs, zv.mul_add(z, cos)],
        ])
    }

    /// The inverse rotation.
    #[inline(always)]
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|j| self.0[j][i])))
    }

    /// R v.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, v: Vector<S>) -> Vector<S> {
        Vector(std::array::from_fn(|i| Vector(self.0[i]).dot(v)))
    }

    /// Rᵀ v.
    #[inline(always)]
    #[must_use]
    pub fn apply_inverse(&self, v: Vector<S>) -> Vector<S> {
        let r = &self.0;
        Vector(std::array::from_fn(|j| Vector([r[0][j], r[1][j], r[2][j]]).dot(v)))
    }

    /// Column `j`: the image of axis `j`.
    #[inline(always)]
    #[must_use]
    pub fn column(&self, j: usize) -> Vector<S> {
        Vector([self.0[0][j], self.0[1][j], self.0[2][j]])
    }
}

impl<S: Scalar> Mul for Rotation<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let columns: [Vector<S>; 3] = std::array::from_fn(|j| self.apply(other.column(j)));
        Self(std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])))
    }
}

impl<T: Constant> Rotation<T> {
    /// The same rotation with scalar entries.
    #[inline(always)]
    #[must_use]
    pub fn lift<S: Scalar<Constant = T>>(&self) -> Rotation<S> {
        Rotation(self.0.map(|row| row.map(S::constant)))
    }
}

impl Rotation<f64> {
    /// R = Rz(yaw) Ry(pitch) Rx(roll): URDF's fixed-axis angles, rad. Right angles come out exact.
    #[must_use]
    pub fn from_rpy(roll: f64, pitch: f64, yaw: f64) -> Self {
        Self::elementary(2, yaw) * Self::elementary(1, pitch) * Self::elementary(0, roll)
    }

    /// The rotation by `angle` about coordinate axis `i`; multiples of a right angle come out exact.
    #[must_use]
    pub fn elementary(i: usize, angle: f64) -> Self {
        let (sin, cos) = exact_sin_cos(angle);
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut r = [[0.0; 3]; 3];
        r[i][i] = 1.0;
        (r[j][j], r[j][k], r[k][j], r[k][k]) = (cos, -sin, sin, cos);
        Self(r)
    }

    /// Roll, pitch and yaw, rad, that [`from_rpy`](Self::from_rpy) makes this rotation of; pitch from −π/2 to π/2. Right angles
    /// come out as the numbers nearest to them.
    ///
    /// Each angle is taken after the ones before it have been turned back, so that the rotation comes back to the last
    /// digits near a pitch of 90° as well, where roll and yaw by themselves mean little.
    #[must_use]
    pub fn to_rpy(&self) -> [f64; 3] {
        let r = &self.0;
        // What is left of x at a pitch of 90° is rounding, which has no direction.
        let upright = r[0][0].hypot(r[1][0]) <= 4.0 * f64::EPSILON;
        let yaw = if upright { 0.0 } else { r[1][0].atan2(r[0][0]) };
        let (sin, cos) = exact_sin_cos(yaw);
        let pitch = (-r[2][0]).atan2(cos * r[0][0] + sin * r[1][0]);
        let roll = (sin * r[0][2] - cos * r[1][2]).atan2(cos * r[1][1] - sin * r[0][1]);
        [roll, pitch, yaw]
    }

    /// The exponential of a rotation vector (axis times angle, rad), for any length.
    #[must_use]
    pub fn exp(w: Vector<f64>) -> Self {
        super::quaternion::Quaternion::exp(w).to_rotation()
    }

    /// The rotation vector of length at most π whose exponential is `self`.
    ///
    /// Accurate on all branches: near the identity, where arccos fails, and near π, where the antisymmetric part
    /// vanishes; both by way of the quaternion.
    #[must_use]
    pub fn log(&self) -> Vector<f64> {
        super::quaternion::Quaternion::from_rotation(self).log()
    }

    /// Largest deviation of R Rᵀ from the identity and of det R from 1.
    #[must_use]
    pub fn orthogonality_error(&self) -> f64 {
        let product = *self * self.transpose();
        let mut error = (self.column(0).cross(self.column(1)).dot(self.column(2)) - 1.0).abs();
        for i in 0..3 {
            for j in 0..3 {
                error = error.max((product.0[i][j] - f64::from(u8::from(i == j))).abs());
            }
        }
        error
    }
}

/// A constant angle with its sine and cosine, exact for multiples of 90° as [`exact_sin_cos`].
#[must_use]
pub fn ahead<T: Constant>(angle: T) -> Ahead<T> {
    let (sin, cos) = match angle.to_f64().map(exact_sin_cos) {
        Some((sin, cos)) => (T::from_f64(sin), T::from_f64(cos)),
        None => angle.sin_cos(),
    };
    Ahead { angle, sin, cos }
}

/// Sine and cosine of a constant angle, exact where the angle is the `f64` nearest to a multiple of 90° (or within a
/// few units in the last place of it): "1.5707963267948966" in a file means a right angle, not one 6e-17 short of it.
#[must_use]
pub fn exact_sin_cos(angle: f64) -> (f64, f64) {
    let quarters = (angle / FRAC_PI_2).round();
    // Among large numbers some are near a multiple by chance; beyond 2⁵² all of them seem to be one.
    let plausible = angle.abs() <= 1000.0;
    if plausible && (angle - quarters * FRAC_PI_2).abs() <= 4.0 * f64::EPSILON * angle.abs().min(8.0 * PI) {
        return match quarters.rem_euclid(4.0) as u8 {
            0 => (0.0, 1.0),
            1 => (1.0, 0.0),
            2 => (0.0, -1.0),
            _ => (-1.0, 0.0),
        };
    }
    angle.sin_cos()
}
