//! Unit quaternions w + x i + y j + z k: the configuration of spherical and free joints.

use super::rotation::Rotation;
use super::vector::Vector;
use jourdain_symbolic::Scalar;
use std::ops::Mul;

/// A quaternion, unit where it stands for a rotation; `q` and `−q` are the same rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quaternion<S> {
    /// Scalar part.
    pub w: S,
    /// Vector part.
    pub v: Vector<S>,
}

impl<S: Scalar> Quaternion<S> {
    /// From w, x, y, z.
    #[inline(always)]
    #[must_use]
    pub fn new([w, x, y, z]: [S; 4]) -> Self {
        Self { w, v: Vector([x, y, z]) }
    }

    /// No rotation.
    #[must_use]
    pub fn identity() -> Self {
        Self { w: S::one(), v: Vector::zero() }
    }

    /// w, x, y, z.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [S; 4] {
        [self.w, self.v[0], self.v[1], self.v[2]]
    }

    /// The inverse rotation of a unit quaternion.
    #[inline(always)]
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    /// Sum of squares.
    #[inline(always)]
    #[must_use]
    pub fn norm_squared(self) -> S {
        self.w.mul_add(self.w, self.v.norm_squared())
    }

    /// Scaled to unit length.
    #[must_use]
    pub fn normalized(self) -> Self {
        let scale = S::one() / self.norm_squared().sqrt();
        Self { w: self.w * scale, v: self.v.times(scale) }
    }

    /// The rotation matrix of a **unit** quaternion.
    #[inline(always)]
    #[must_use]
    pub fn to_rotation(self) -> Rotation<S> {
        let [w, x, y, z] = self.to_array();
        let two = S::from_f64(2.0);
        let (x2, y2, z2) = (two * x, two * y, two * z);
        let (xx, yy, zz) = (x2 * x, y2 * y, z2 * z);
        let (xy, xz, yz) = (x2 * y, x2 * z, y2 * z);
        let (wx, wy, wz) = (x2 * w, y2 * w, z2 * w);
        let one = S::one();
        Rotation([
            [one - (yy + zz), xy - wz, xz + wy],
            [xy + wz, one - (xx + zz), yz - wx],
            [xz - wy, yz + wx, one - (xx + yy)],
        ])
    }

    /// The rate of change for a **body** angular velocity ω: ½ q ⊗ (0, ω).
    #[must_use]
    pub fn rate(self, omega: Vector<S>) -> Self {
        let half = S::from_f64(0.5);
        let product = self * Self { w: S::zero(), v: omega };
        Self { w: product.w * half, v: product.v.times(half) }
    }
}

impl<S: Scalar> Mul for Quaternion<S> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            w: self.w * other.w - self.v.dot(other.v),
            v: other.v.times(self.w) + self.v.times(other.w) + self.v.cross(other.v),
        }
    }
}

impl Quaternion<f64> {
    /// The unit quaternion of a rotation vector (axis times angle), for any length, zero included.
    #[must_use]
    pub fn exp(w: Vector<f64>) -> Self {
        let half = 0.5 * w.norm();
        Self { w: half.cos(), v: w.times(0.5 * sinc(half)) }
    }

    /// The rotation vector of length at most π.
    #[must_use]
    pub fn log(self) -> Vector<f64> {
        let q = if self.w < 0.0 { Self { w: -self.w, v: -self.v } } else { self };
        let sin = q.v.norm();
        // 2·atan2(s, w)/s → 2/w for small s, where the unit norm makes w ≈ 1.
        let factor = if sin < 1e-8 { 2.0 / q.w } else { 2.0 * sin.atan2(q.w) / sin };
        q.v.times(factor)
    }

    /// The unit quaternion (w ≥ 0) of a rotation matrix, by the largest of the four components so that no branch
    /// divides by a small number.
    #[must_use]
    pub fn from_rotation(r: &Rotation<f64>) -> Self {
        let m = &r.0;
        let squares = [
            1.0 + m[0][0] + m[1][1] + m[2][2],
            1.0 + m[0][0] - m[1][1] - m[2][2],
            1.0 - m[0][0] + m[1][1] - m[2][2],
            1.0 - m[0][0] - m[1][1] + m[2][2],
        ];
        let mut largest = 0;
        for i in 1..4 {
            if squares[i] > squares[largest] {
                largest = i;
            }
        }
        let (a, b, c) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
        let (d, e, f) = (m[1][0] + m[0][1], m[0][2] + m[2][0], m[2][1] + m[1][2]);
        let q = match largest {
            0 => [squares[0], a, b, c],
            1 => [a, squares[1], d, e],
            2 => [b, d, squares[2], f],
            _ => [c, e, f, squares[3]],
        };
        let q = Self::new(q).normalized();
        if q.w < 0.0 { Self { w: -q.w, v: -q.v } } else { q }
    }
}

/// sin(x)/x; the series is exact to rounding below the bound.
pub(super) fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x }
}
