//! What every recursion takes from the position first: sines and cosines of all angles in one go, the rotations of ball
//! and free joints, and displacements.

use crate::model::body_tree::{Body, BodyTree, Mechanism, Turn};
use crate::spatial::{Quaternion, Rotation, Vector};
use jourdain_symbolic::Scalar;

/// The position-dependent part of every body's way from its parent.
#[derive(Clone, Debug)]
pub(crate) struct Positions<S> {
    angles: Vec<S>,
    pub sin: Vec<S>,
    pub cos: Vec<S>,
    /// Rotations of ball and free joints; empty if there are none.
    rotations: Vec<Rotation<S>>,
    /// Displacements in the frame before the motion; empty if no body is displaced.
    displacements: Vec<Vector<S>>,
}

impl<S: Scalar> Positions<S> {
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let n = tree.bodies.len();
        let any = |f: fn(&Mechanism<S::Constant>) -> bool| tree.bodies.iter().any(|body| f(&body.mechanism));
        let turned = any(|m| matches!(m, Mechanism::Spherical | Mechanism::Free));
        let displaced = any(|m| !matches!(m, Mechanism::Revolute | Mechanism::Spherical));
        // Whole registers: one run of the vectorised sine instead of two.
        let padded = n.next_multiple_of(4);
        Self {
            angles: vec![S::zero(); padded],
            sin: vec![S::zero(); padded],
            cos: vec![S::one(); padded],
            rotations: vec![Rotation::identity(); if turned { n } else { 0 }],
            displacements: vec![Vector::zero(); if displaced { n } else { 0 }],
        }
    }

    /// Takes in a position.
    #[inline]
    pub fn set(&mut self, tree: &BodyTree<S::Constant>, q: &[S]) {
        if tree.only_rotations {
            for (a, body) in self.angles.iter_mut().zip(&tree.bodies) {
                *a = body.coordinate.read_angle(q);
            }
            self.take_sines(tree);
            return;
        }
        for (b, body) in tree.bodies.iter().enumerate() {
            match body.mechanism {
                Mechanism::Revolute => self.angles[b] = body.coordinate.read_angle(q),
                Mechanism::Prismatic => self.displacements[b] = along_z(body.coordinate.read(q)),
                Mechanism::Helical { pitch } => {
                    self.angles[b] = body.coordinate.read_angle(q);
                    self.displacements[b] = along_z(body.coordinate.read(q).scale(pitch));
                }
                Mechanism::Spherical => {
                    let i = body.coordinate.index();
                    self.rotations[b] = Quaternion::new([q[i], q[i + 1], q[i + 2], q[i + 3]]).to_rotation();
                }
                Mechanism::Free => {
                    let i = body.coordinate.index();
                    self.displacements[b] = Vector([q[i], q[i + 1], q[i + 2]]);
                    self.rotations[b] = Quaternion::new([q[i + 3], q[i + 4], q[i + 5], q[i + 6]]).to_rotation();
                }
            }
        }
        self.take_sines(tree);
    }

    #[inline(always)]
    fn take_sines(&mut self, tree: &BodyTree<S::Constant>) {
        S::sin_cos_slice(&self.angles, &mut self.sin, &mut self.cos);
        for (b, body) in tree.bodies.iter().enumerate() {
            if let Some(ahead) = &body.ahead {
                let own = (self.sin[b], self.cos[b]);
                (self.sin[b], self.cos[b]) = self.angles[b].sin_cos_ahead(own, ahead);
            }
        }
    }

    /// Vectors in the parent's axes, in the body's: Z(q)ᵀ Rᵀ v. `ROTATIONS`: the robot has no other motions.
    #[inline(always)]
    pub fn inward<const ROTATIONS: bool, const N: usize>(
        &self,
        b: usize,
        body: &Body<S::Constant>,
        vectors: [Vector<S>; N],
    ) -> [Vector<S>; N] {
        let turned = turn_inverse(&body.turn, vectors);
        match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (sin, cos) = (self.sin[b], self.cos[b]);
                turned.map(|v| Vector([v[0].mul_add(cos, v[1] * sin), v[1].mul_add(cos, -(v[0] * sin)), v[2]]))
            }
            Mechanism::Prismatic => turned,
            Mechanism::Spherical | Mechanism::Free => turned.map(|v| self.rotations[b].apply_inverse(v)),
        }
    }

    /// Vectors in the body's axes, in the parent's: R Z(q) v.
    #[inline(always)]
    pub fn outward<const ROTATIONS: bool, const N: usize>(
        &self,
        b: usize,
        body: &Body<S::Constant>,
        vectors: [Vector<S>; N],
    ) -> [Vector<S>; N] {
        let moved = match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (sin, cos) = (self.sin[b], self.cos[b]);
                vectors.map(|v| Vector([v[0].mul_add(cos, -(v[1] * sin)), v[1].mul_add(cos, v[0] * sin), v[2]]))
            }
            Mechanism::Prismatic => vectors,
            Mechanism::Spherical | Mechanism::Free => vectors.map(|v| self.rotations[b].apply(v)),
        };
        turn(&body.turn, moved)
    }

    /// The rotation of a ball or free joint.
    #[inline(always)]
    pub fn ball(&self, b: usize) -> &Rotation<S> {
        &self.rotations[b]
    }

    /// The displacement in the frame before the motion; zero where nothing is displaced.
    #[inline(always)]
    pub fn displacement(&self, b: usize) -> Vector<S> {
        self.displacements.get(b).copied().unwrap_or_else(Vector::zero)
    }

    /// The body's origin in the parent's axes, from the parent's origin, if it moves; `None` where it is the constant
    /// [`Body::shift`].
    #[inline(always)]
    pub fn moving_origin(&self, b: usize, body: &Body<S::Constant>) -> Option<Vector<S>> {
        match body.mechanism {
            Mechanism::Revolute | Mechanism::Spherical => None,
            _ => Some(body.shift.lift() + body.turn.apply(self.displacements[b])),
        }
    }

    /// The orientation of the body given its parent's, both in the same axes: Q R Z(q), column by column.
    #[inline(always)]
    pub fn carry<const ROTATIONS: bool>(
        &self,
        b: usize,
        body: &Body<S::Constant>,
        parent: &Rotation<S>,
    ) -> Rotation<S> {
        let [x, y, z] = [parent.column(0), parent.column(1), parent.column(2)];
        let mix = |a: Vector<S>, k: S::Constant, b: Vector<S>, l: S::Constant| {
            Vector(std::array::from_fn(|i| a[i].scale_add(k, b[i].scale(l))))
        };
        let [x, y, z] = match &body.turn {
            Turn::AboutX { cos, sin } => [x, mix(y, *cos, z, *sin), mix(y, -*sin, z, *cos)],
            Turn::General(r) => std::array::from_fn(|j| {
                Vector(std::array::from_fn(|i| {
                    x[i].scale_add(r.0[0][j], y[i].scale_add(r.0[1][j], z[i].scale(r.0[2][j])))
                }))
            }),
        };
        let [x, y, z] = match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (sin, cos) = (self.sin[b], self.cos[b]);
                let turned = |i: usize| (x[i].mul_add(cos, y[i] * sin), y[i].mul_add(cos, -(x[i] * sin)));
                let (a, b, c) = (turned(0), turned(1), turned(2));
                [Vector([a.0, b.0, c.0]), Vector([a.1, b.1, c.1]), z]
            }
            Mechanism::Prismatic => [x, y, z],
            Mechanism::Spherical | Mechanism::Free => {
                let r = &self.rotations[b].0;
                std::array::from_fn(|j| {
                    Vector(std::array::from_fn(|i| x[i].mul_add(r[0][j], y[i].mul_add(r[1][j], z[i] * r[2][j]))))
                })
            }
        };
        Rotation(std::array::from_fn(|i| [x[i], y[i], z[i]]))
    }

    /// The orientation of the body in its parent.
    #[inline(always)]
    pub fn rotation(&self, b: usize, body: &Body<S::Constant>) -> Rotation<S> {
        let (zero, one) = (S::zero(), S::one());
        let columns = match body.mechanism {
            Mechanism::Revolute | Mechanism::Helical { .. } => {
                let (sin, cos) = (self.sin[b], self.cos[b]);
                [Vector([cos, sin, zero]), Vector([-sin, cos, zero]), Vector([zero, zero, one])]
            }
            Mechanism::Prismatic => std::array::from_fn(Vector::unit),
            Mechanism::Spherical | Mechanism::Free => std::array::from_fn(|j| self.rotations[b].column(j)),
        };
        let columns = turn(&body.turn, columns);
        Rotation(std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])))
    }
}

#[inline(always)]
pub(super) fn turn<S: Scalar, const N: usize>(turn: &Turn<S::Constant>, vectors: [Vector<S>; N]) -> [Vector<S>; N] {
    match turn {
        Turn::AboutX { cos, sin } => vectors
            .map(|v| Vector([v[0], v[1].scale_add(*cos, -v[2].scale(*sin)), v[2].scale_add(*cos, v[1].scale(*sin))])),
        Turn::General(_) => vectors.map(|v| turn.apply(v)),
    }
}

#[inline(always)]
pub(super) fn turn_inverse<S: Scalar, const N: usize>(
    turn: &Turn<S::Constant>,
    vectors: [Vector<S>; N],
) -> [Vector<S>; N] {
    match turn {
        Turn::AboutX { cos, sin } => vectors
            .map(|v| Vector([v[0], v[1].scale_add(*cos, v[2].scale(*sin)), v[2].scale_add(*cos, -v[1].scale(*sin))])),
        Turn::General(_) => vectors.map(|v| turn.apply_inverse(v)),
    }
}

#[inline(always)]
fn along_z<S: Scalar>(value: S) -> Vector<S> {
    Vector([S::zero(), S::zero(), value])
}

/// p × v by a constant p.
#[inline(always)]
pub(crate) fn constant_cross<S: Scalar>(p: &Vector<S::Constant>, v: Vector<S>) -> Vector<S> {
    Vector([
        v[2].scale_add(p[1], -v[1].scale(p[2])),
        v[0].scale_add(p[2], -v[2].scale(p[0])),
        v[1].scale_add(p[0], -v[0].scale(p[1])),
    ])
}
