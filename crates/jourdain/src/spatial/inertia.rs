//! Spatial inertia of a rigid body: mass, first moment, and rotational inertia **about the frame origin**.
//!
//! The ten numbers are linear in the body's mass distribution, so inertias add, and in the standard parameter order
//! m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ they are what regressors multiply. XY is the matrix element (minus the product
//! of inertia). Trap: most data sheets give the tensor about the centre of mass; use [`Inertia::from_com`].

use super::pose::Pose;
use super::twist::{Twist, Wrench};
use super::vector::Vector;
use jourdain_symbolic::{Constant, Scalar};
use std::ops::{Add, AddAssign};

/// A symmetric 3×3 matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Symmetric<S> {
    /// Element (0, 0).
    pub xx: S,
    /// Elements (0, 1) and (1, 0).
    pub xy: S,
    /// Elements (0, 2) and (2, 0).
    pub xz: S,
    /// Element (1, 1).
    pub yy: S,
    /// Elements (1, 2) and (2, 1).
    pub yz: S,
    /// Element (2, 2).
    pub zz: S,
}

impl<S: Scalar> Symmetric<S> {
    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::from_array([S::zero(); 6])
    }

    /// From xx, xy, xz, yy, yz, zz.
    #[inline(always)]
    #[must_use]
    pub fn from_array([xx, xy, xz, yy, yz, zz]: [S; 6]) -> Self {
        Self { xx, xy, xz, yy, yz, zz }
    }

    /// Element by element; `f` is asked for the upper triangle.
    #[inline(always)]
    #[must_use]
    pub fn from_fn(f: impl Fn(usize, usize) -> S) -> Self {
        Self { xx: f(0, 0), xy: f(0, 1), xz: f(0, 2), yy: f(1, 1), yz: f(1, 2), zz: f(2, 2) }
    }

    /// a bᵀ + b aᵀ.
    #[inline(always)]
    #[must_use]
    pub fn outer(a: Vector<S>, b: Vector<S>) -> Self {
        Self::from_fn(|i, j| a[i].mul_add(b[j], a[j] * b[i]))
    }

    /// xx, xy, xz, yy, yz, zz.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [S; 6] {
        [self.xx, self.xy, self.xz, self.yy, self.yz, self.zz]
    }

    /// The full matrix, row by row.
    #[inline(always)]
    #[must_use]
    pub fn to_matrix(self) -> [[S; 3]; 3] {
        [[self.xx, self.xy, self.xz], [self.xy, self.yy, self.yz], [self.xz, self.yz, self.zz]]
    }

    /// The matrix times a vector.
    #[inline(always)]
    #[must_use]
    pub fn apply(self, v: Vector<S>) -> Vector<S> {
        Vector(self.to_matrix().map(|row| Vector(row).dot(v)))
    }

    /// Sum of the diagonal.
    #[inline(always)]
    #[must_use]
    pub fn trace(self) -> S {
        self.xx + self.yy + self.zz
    }

    /// R A Rᵀ.
    #[must_use]
    pub fn rotated(self, r: &super::rotation::Rotation<S>) -> Self {
        let ra: [Vector<S>; 3] = std::array::from_fn(|i| self.apply(Vector(r.0[i])));
        let element = |i: usize, j: usize| ra[i].dot(Vector(r.0[j]));
        Self::from_fn(element)
    }

    /// a bᵀ + b aᵀ, halved: the symmetric product.
    #[must_use]
    fn symmetric_product(a: Vector<S>, b: Vector<S>) -> Self {
        let half = S::from_f64(0.5);
        let element = |i: usize, j: usize| (a[i] * b[j] + a[j] * b[i]) * half;
        Self {
            xx: a[0] * b[0],
            xy: element(0, 1),
            xz: element(0, 2),
            yy: a[1] * b[1],
            yz: element(1, 2),
            zz: a[2] * b[2],
        }
    }
}

impl<S: Scalar> Add for Symmetric<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self {
            xx: self.xx + o.xx,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yy: self.yy + o.yy,
            yz: self.yz + o.yz,
            zz: self.zz + o.zz,
        }
    }
}

/// The inertia of a rigid body in a frame fixed to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Inertia<S> {
    /// Mass, kg.
    pub mass: S,
    /// Mass times centre of mass, kg m.
    pub first_moment: Vector<S>,
    /// Inertia tensor about the frame origin, kg m².
    pub rotational: Symmetric<S>,
}

impl<S: Scalar> Inertia<S> {
    /// A massless body.
    #[must_use]
    pub fn zero() -> Self {
        Self { mass: S::zero(), first_moment: Vector::zero(), rotational: Symmetric::zero() }
    }

    /// From mass, centre of mass and the tensor about the centre of mass (Steiner's theorem).
    #[must_use]
    pub fn from_com(mass: S, com: Vector<S>, about_com: Symmetric<S>) -> Self {
        let first_moment = com.times(mass);
        Self { mass, first_moment, rotational: about_com + steiner(first_moment, com) }
    }

    /// The ten parameters m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ.
    #[must_use]
    pub fn to_parameters(self) -> [S; 10] {
        let ([x, y, z], [xx, xy, xz, yy, yz, zz]) = (self.first_moment.0, self.rotational.to_array());
        [self.mass, x, y, z, xx, xy, xz, yy, yz, zz]
    }

    /// From the ten parameters m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ.
    #[must_use]
    pub fn from_parameters([mass, x, y, z, xx, xy, xz, yy, yz, zz]: [S; 10]) -> Self {
        Self { mass, first_moment: Vector([x, y, z]), rotational: Symmetric { xx, xy, xz, yy, yz, zz } }
    }

    /// The momentum Λ v, or the wrench Λ a.
    #[inline(always)]
    #[must_use]
    pub fn apply(self, v: Twist<S>) -> Wrench<S> {
        Wrench {
            force: v.linear.times(self.mass) + v.angular.cross(self.first_moment),
            moment: self.rotational.apply(v.angular) + self.first_moment.cross(v.linear),
        }
    }

    /// The body's inertia in A, given `T_AB` and the inertia in B: Ad⁻ᵀ Λ Ad⁻¹.
    #[must_use]
    pub fn transformed(self, t: &Pose<S>) -> Self {
        let (p, h) = (t.translation, t.rotation.apply(self.first_moment));
        let shifted = h + p.times(self.mass);
        // About A's origin: I + (steiner of h with p, twice the symmetric part) + m p̂ᵀp̂, regrouped to one product.
        let rotational = self.rotational.rotated(&t.rotation) + steiner(h + shifted, p);
        Self { mass: self.mass, first_moment: shifted, rotational }
    }

    /// The body inertia about the centre of mass; meaningless (division by zero) for a massless body.
    #[must_use]
    pub fn about_com(self) -> (Vector<S>, Symmetric<S>) {
        let com = self.first_moment.times(S::one() / self.mass);
        let shift = steiner(self.first_moment, com);
        let [a, b] = [self.rotational.to_array(), shift.to_array()];
        (com, Symmetric::from_array(std::array::from_fn(|i| a[i] - b[i])))
    }

    /// The 6×6 matrix, linear rows and columns first.
    #[must_use]
    pub fn to_matrix(self) -> [[S; 6]; 6] {
        let columns: [[S; 6]; 6] = std::array::from_fn(|j| self.apply(Twist::unit(j)).to_array());
        std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
    }

    /// The 4×4 pseudo-inertia [½ tr(I)·1 − I, h; hᵀ, m], positive semidefinite exactly for a realisable body.
    #[must_use]
    pub fn to_pseudo_inertia(self) -> [[S; 4]; 4] {
        let half_trace = self.rotational.trace() * S::from_f64(0.5);
        let i = self.rotational.to_matrix();
        let h = self.first_moment;
        std::array::from_fn(|r| {
            std::array::from_fn(|c| match (r, c) {
                (3, 3) => self.mass,
                (3, k) | (k, 3) => h[k],
                (r, c) if r == c => half_trace - i[r][c],
                (r, c) => -i[r][c],
            })
        })
    }

    /// The inverse of [`to_pseudo_inertia`](Self::to_pseudo_inertia).
    #[must_use]
    pub fn from_pseudo_inertia(j: &[[S; 4]; 4]) -> Self {
        let trace = j[0][0] + j[1][1] + j[2][2];
        Self {
            mass: j[3][3],
            first_moment: Vector([j[0][3], j[1][3], j[2][3]]),
            rotational: Symmetric {
                xx: trace - j[0][0],
                xy: -j[0][1],
                xz: -j[0][2],
                yy: trace - j[1][1],
                yz: -j[1][2],
                zz: trace - j[2][2],
            },
        }
    }
}

impl<T: Constant> Inertia<T> {
    /// The same inertia with scalar entries.
    #[inline(always)]
    #[must_use]
    pub fn lift<S: Scalar<Constant = T>>(self) -> Inertia<S> {
        Inertia {
            mass: S::constant(self.mass),
            first_moment: self.first_moment.lift(),
            rotational: Symmetric::from_array(self.rotational.to_array().map(S::constant)),
        }
    }

    /// True if all ten parameters are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.to_parameters().iter().all(Constant::is_zero)
    }
}

impl<S: Scalar> Add for Inertia<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first_moment: self.first_moment + other.first_moment,
            rotational: self.rotational + other.rotational,
        }
    }
}

impl<S: Scalar> AddAssign for Inertia<S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The symmetric part of (h·c) 1 − h cᵀ.
fn steiner<S: Scalar>(h: Vector<S>, c: Vector<S>) -> Symmetric<S> {
    let p = Symmetric::symmetric_product(h, c);
    Symmetric { xx: p.yy + p.zz, xy: -p.xy, xz: -p.xz, yy: p.xx + p.zz, yz: -p.yz, zz: p.xx + p.yy }
}
