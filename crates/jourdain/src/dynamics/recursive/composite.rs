//! The common frame: all bodies of a tree seen from one point, in the same axes, where composite bodies are plain sums.
//!
//! Point and axes are those of the *root body* at this instant, at rest. A far origin, as the world's may be, would lose digits
//! as the square of the distance; ground axes would turn everything by the first joint, which neither M nor C feels. Columns
//! S_i, twists and inertias are all in that frame; Ṡ_i = v × S_i with the twist of the column's own body. Only gravity has to be
//! turned into it. Trap: bodies of two trees are in two frames, but then they share no entry of any matrix.
//!
//! # Reference
//! The scheme of Echeandia & Wensing 2021 for G (6) and (25); body inertias as pseudo-inertias Ĵ = ½ tr(I)·1 − I.

use super::position::Positions;
use crate::model::body_tree::{Body, BodyTree, Mechanism};
use crate::spatial::{Inertia, Pose, Rotation, Symmetric, Twist, Vector, Wrench};
use crate::state::LinkWrench;
use jourdain_symbolic::{Constant, Scalar};

/// Which inertias of the bodies an algorithm may run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inertias {
    /// As they are.
    Physical,
    /// With what joints cannot feel moved inward.
    Regrouped,
}

/// Scratch of the common-frame algorithms.
#[derive(Clone, Debug)]
pub(crate) struct CommonFrame<S> {
    pub bodies: Vec<Placed<S>>,
    pub columns: Vec<ColumnMotion<S>>,
}

/// One body in the common frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<S> {
    pub rotation: Rotation<S>,
    /// Origin from the root body's origin.
    pub position: Vector<S>,
    /// Acceleration of the ground that stands for gravity.
    pub up: Vector<S>,
    pub twist: Twist<S>,
    /// Inertia of the body, then of all it carries.
    pub inertia: Inertia<S>,
}

/// One column in the common frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnMotion<S> {
    pub s: Twist<S>,
    pub s_dot: Twist<S>,
}

impl<S: Scalar> CommonFrame<S> {
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let body = Placed {
            rotation: Rotation::identity(),
            position: Vector::zero(),
            up: Vector::zero(),
            twist: Twist::zero(),
            inertia: Inertia::zero(),
        };
        let column = ColumnMotion { s: Twist::zero(), s_dot: Twist::zero() };
        Self { bodies: vec![body; tree.bodies.len()], columns: vec![column; tree.columns] }
    }

    /// Orientations, origins and columns.
    #[inline(always)]
    pub fn place(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>) {
        if tree.only_rotations {
            self.place_bodies::<true>(tree, x);
        } else {
            self.place_bodies::<false>(tree, x);
        }
    }

    #[inline(always)]
    fn place_bodies<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>) {
        for (b, body) in tree.bodies.iter().enumerate() {
            let (rotation, position, up) = match body.parent {
                None => {
                    let up = x.rotation(b, body).apply_inverse((-tree.gravity).lift());
                    (Rotation::identity(), Vector::zero(), up)
                }
                Some(parent) => {
                    let p = &self.bodies[parent];
                    let origin = match if ROTATIONS { None } else { x.moving_origin(b, body) } {
                        None => constant_rotate(&p.rotation, &body.shift),
                        Some(origin) => p.rotation.apply(origin),
                    };
                    (x.carry::<ROTATIONS>(b, body, &p.rotation), p.position + origin, p.up)
                }
            };
            self.bodies[b].rotation = rotation;
            self.bodies[b].position = position;
            self.bodies[b].up = up;
            self.place_columns::<ROTATIONS>(body, &rotation, position);
        }
    }

    #[inline(always)]
    fn place_columns<const ROTATIONS: bool>(
        &mut self,
        body: &Body<S::Constant>,
        rotation: &Rotation<S>,
        position: Vector<S>,
    ) {
        let about = |axis: Vector<S>| Twist { linear: position.cross(axis), angular: axis };
        let along = |axis: Vector<S>| Twist { linear: axis, angular: Vector::zero() };
        let columns = &mut self.columns[body.columns()];
        match body.mechanism_if::<ROTATIONS>() {
            Mechanism::Revolute => columns[0].s = about(rotation.column(2)),
            Mechanism::Prismatic => columns[0].s = along(rotation.column(2)),
            Mechanism::Helical { pitch } => {
                let axis = rotation.column(2);
                columns[0].s = about(axis);
                columns[0].s.linear += axis.map(|x| x.scale(pitch));
            }
            Mechanism::Spherical => {
                for (i, column) in columns.iter_mut().enumerate() {
                    column.s = about(rotation.column(i));
                }
            }
            Mechanism::Free => {
                for i in 0..3 {
                    columns[i].s = along(rotation.column(i));
                    columns[i + 3].s = about(rotation.column(i));
                }
            }
        }
    }

    /// Twists of bodies and rates of columns.
    #[inline(always)]
    pub fn set_velocity(&mut self, tree: &BodyTree<S::Constant>, w: &[S]) {
        for (b, body) in tree.bodies.iter().enumerate() {
            let mut twist = match body.parent {
                Some(parent) => self.bodies[parent].twist,
                None => Twist::zero(),
            };
            for i in body.columns() {
                let s = self.columns[i].s;
                twist.linear = add_scaled(twist.linear, s.linear, w[i]);
                twist.angular = add_scaled(twist.angular, s.angular, w[i]);
            }
            for column in &mut self.columns[body.columns()] {
                column.s_dot = twist.cross(column.s);
            }
            self.bodies[b].twist = twist;
        }
    }

    /// The ground accelerating against gravity, as a twist in the frame of a body's tree.
    #[inline(always)]
    pub fn ground(&self, b: usize) -> Twist<S> {
        Twist { linear: self.bodies[b].up, ..Twist::zero() }
    }

    /// Each body's own inertia in the common frame.
    #[inline(always)]
    pub fn set_inertias(&mut self, tree: &BodyTree<S::Constant>, which: Inertias) {
        for (placed, body) in self.bodies.iter_mut().zip(&tree.bodies) {
            let (mass, moment, pseudo) = match which {
                Inertias::Physical => (body.inertia.mass, &body.inertia.first_moment, &body.pseudo),
                Inertias::Regrouped => (body.regrouped_mass, &body.regrouped_moment, &body.regrouped_pseudo),
            };
            placed.inertia = transformed(&placed.rotation, placed.position, mass, moment, pseudo);
        }
    }

    /// A wrench given in a link's axes at its origin, in the common frame.
    pub fn in_common_frame(&self, tree: &BodyTree<S::Constant>, b: usize, load: &LinkWrench<S>) -> Wrench<S> {
        let placed = &self.bodies[b];
        let body = Pose { rotation: placed.rotation, translation: placed.position };
        body.coadjoint(tree.carriers[load.link].pose.lift().coadjoint(load.wrench))
    }

    /// Sums inertias towards the root.
    #[inline(always)]
    pub fn accumulate(&mut self, tree: &BodyTree<S::Constant>) {
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let inertia = self.bodies[b].inertia;
                self.bodies[parent].inertia += inertia;
            }
        }
    }
}

/// R v by a constant v.
#[inline(always)]
pub(crate) fn constant_rotate<S: Scalar>(r: &Rotation<S>, v: &Vector<S::Constant>) -> Vector<S> {
    Vector(r.0.map(|row| row[0].scale_add(v[0], row[1].scale_add(v[1], row[2].scale(v[2])))))
}

/// a + b x.
#[inline(always)]
pub(crate) fn add_scaled<S: Scalar>(a: Vector<S>, b: Vector<S>, x: S) -> Vector<S> {
    Vector(std::array::from_fn(|i| b[i].mul_add(x, a[i])))
}

/// The inertia about the common point of a body with constant mass, first moment h and pseudo-inertia Ĵ in its own frame:
/// R Ĵ Rᵀ + sym(p, 2 R h + m p), then back from Ĵ to I = tr(Ĵ)·1 − Ĵ.
#[inline(always)]
fn transformed<S: Scalar>(
    r: &Rotation<S>,
    p: Vector<S>,
    mass: S::Constant,
    h: &Vector<S::Constant>,
    pseudo: &Symmetric<S::Constant>,
) -> Inertia<S> {
    let j = pseudo.to_matrix();
    let rj: [Vector<S>; 3] = std::array::from_fn(|i| {
        let [x, y, z] = r.0[i];
        Vector(std::array::from_fn(|k| x.scale_add(j[0][k], y.scale_add(j[1][k], z.scale(j[2][k])))))
    });
    let turned = constant_rotate(r, h);
    let (moment, doubled) = if mass.is_zero() {
        (turned, turned)
    } else {
        let half = S::from_f64(0.5);
        let shifted = p.map(|x| x.scale(mass));
        (turned + shifted, turned + shifted.times(half))
    };
    let element = |i: usize, k: usize| p[i].mul_add(doubled[k], p[k].mul_add(doubled[i], rj[i].dot(Vector(r.0[k]))));
    let (xx, yy, zz) = (element(0, 0), element(1, 1), element(2, 2));
    Inertia {
        mass: S::constant(mass),
        first_moment: moment,
        rotational: Symmetric {
            xx: yy + zz,
            xy: -element(0, 1),
            xz: -element(0, 2),
            yy: xx + zz,
            yz: -element(1, 2),
            zz: xx + yy,
        },
    }
}

/// a·b of a column with a wrench.
#[inline(always)]
pub(crate) fn dot<S: Scalar>(s: &Twist<S>, f: &Wrench<S>) -> S {
    let (l, a) = (s.linear.0, s.angular.0);
    let (x, y) = (f.force.0, f.moment.0);
    l[0].mul_add(x[0], l[1].mul_add(x[1], l[2] * x[2])) + a[0].mul_add(y[0], a[1].mul_add(y[1], a[2] * y[2]))
}
