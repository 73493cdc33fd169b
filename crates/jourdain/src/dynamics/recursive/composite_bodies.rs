//! The mass matrix by composite bodies in body frames: what a column carries, as one rigid body in the column's own frame.
//!
//! There a rotation's column is e_z, so that Λᶜ S is read off Λᶜ. The wrenches Λᶜ S of all columns outboard of a body are
//! carried over its joint together: they do not wait for each other, as the steps of one wrench on its way to the root
//! would. On the regrouped inertias; a robot of rotations only has no mass in any of them.
//!
//! # Reference
//! G (6a); Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §6.2.

use super::position::{Positions, constant_cross};
use crate::model::body_tree::{Body, BodyTree, Mechanism, Turn};
use crate::spatial::{Rotation, Symmetric, Vector};
use jourdain_symbolic::Scalar;

/// A composite body in its own frame.
#[derive(Clone, Copy, Debug)]
struct CompositeBody<S> {
    mass: S,
    moment: Vector<S>,
    pseudo: Symmetric<S>,
}

/// Scratch of the mass matrix.
#[derive(Clone, Debug)]
pub(crate) struct CompositeBodies<S> {
    bodies: Vec<CompositeBody<S>>,
    /// Force and moment of each column, in the frame of the body that the pass has reached.
    wrenches: Vec<[Vector<S>; 2]>,
}

impl<S: Scalar> CompositeBody<S> {
    /// Λ e_i of the unit column `i` (linear x, y, z, angular x, y, z): force and moment.
    #[inline(always)]
    fn column(&self, i: usize) -> [Vector<S>; 2] {
        let (m, h, j, zero) = (self.mass, self.moment, &self.pseudo, S::zero());
        match i {
            0 => [Vector([m, zero, zero]), Vector([zero, h[2], -h[1]])],
            1 => [Vector([zero, m, zero]), Vector([-h[2], zero, h[0]])],
            2 => [Vector([zero, zero, m]), Vector([h[1], -h[0], zero])],
            3 => [Vector([zero, -h[2], h[1]]), Vector([j.yy + j.zz, -j.xy, -j.xz])],
            4 => [Vector([h[2], zero, -h[0]]), Vector([-j.xy, j.xx + j.zz, -j.yz])],
            _ => [Vector([-h[1], h[0], zero]), Vector([-j.xz, -j.yz, j.xx + j.yy])],
        }
    }
}

impl<S: Scalar> CompositeBodies<S> {
    pub fn new(tree: &BodyTree<S::Constant>) -> Self {
        let zero = Vector::zero();
        let body = CompositeBody { mass: S::zero(), moment: zero, pseudo: Symmetric::zero() };
        Self { bodies: vec![body; tree.bodies.len()], wrenches: vec![[zero; 2]; tree.columns] }
    }

    /// Writes the mass matrix over columns, full and symmetric. `ROTATIONS`: the robot has no other motions.
    #[inline(always)]
    pub fn fill<const ROTATIONS: bool>(&mut self, tree: &BodyTree<S::Constant>, x: &Positions<S>, out: &mut [S]) {
        let n = tree.columns;
        if !tree.is_chain() {
            out.fill(S::zero());
        }
        for (composite, body) in self.bodies.iter_mut().zip(&tree.bodies) {
            *composite = CompositeBody {
                mass: S::constant(body.regrouped_mass),
                moment: body.regrouped_moment.lift(),
                pseudo: Symmetric::from_array(body.regrouped_pseudo.to_array().map(S::constant)),
            };
        }
        for (b, body) in tree.bodies.iter().enumerate().rev() {
            let composite = self.bodies[b];
            let mechanism = body.mechanism_if::<ROTATIONS>();
            match mechanism {
                Mechanism::Revolute => self.wrenches[body.column] = composite.column(5),
                Mechanism::Prismatic => self.wrenches[body.column] = composite.column(2),
                Mechanism::Helical { pitch } => {
                    let [along, about] = [composite.column(2), composite.column(5)];
                    self.wrenches[body.column] = std::array::from_fn(|k| {
                        Vector(std::array::from_fn(|i| along[k][i].scale_add(pitch, about[k][i])))
                    });
                }
                Mechanism::Spherical => {
                    (0..3).for_each(|local| self.wrenches[body.column + local] = composite.column(3 + local));
                }
                Mechanism::Free => {
                    (0..6).for_each(|local| self.wrenches[body.column + local] = composite.column(local));
                }
            }
            if let Some(parent) = body.parent {
                self.carry_composite::<ROTATIONS>(tree, x, b, parent);
            }
            let origin = if ROTATIONS { None } else { x.moving_origin(b, body) };
            for &i in tree.outboard(b) {
                let [force, moment] = self.wrenches[i];
                let mut put = |local: usize, value: S| {
                    let j = body.column + local;
                    out[i * n + j] = value;
                    out[j * n + i] = value;
                };
                match mechanism {
                    Mechanism::Revolute => put(0, moment[2]),
                    Mechanism::Prismatic => put(0, force[2]),
                    Mechanism::Helical { pitch } => put(0, force[2].scale_add(pitch, moment[2])),
                    Mechanism::Spherical => (0..3).for_each(|k| put(k, moment[k])),
                    Mechanism::Free => (0..3).for_each(|k| {
                        put(k, force[k]);
                        put(k + 3, moment[k]);
                    }),
                }
                if body.parent.is_some() {
                    let [force, moment] = x.outward::<ROTATIONS, 2>(b, body, [force, moment]);
                    let lever = match origin {
                        None => constant_cross(&body.shift, force),
                        Some(origin) => origin.cross(force),
                    };
                    self.wrenches[i] = [force, moment + lever];
                }
            }
        }
    }

    /// Adds the composite body `b` to its parent's.
    #[inline(always)]
    fn carry_composite<const ROTATIONS: bool>(
        &mut self,
        tree: &BodyTree<S::Constant>,
        x: &Positions<S>,
        b: usize,
        parent: usize,
    ) {
        let (body, composite) = (&tree.bodies[b], self.bodies[b]);
        let [moment] = x.outward::<ROTATIONS, 1>(b, body, [composite.moment]);
        let pseudo = outward_symmetric::<S, ROTATIONS>(x, b, body, composite.pseudo);
        let origin = if ROTATIONS { None } else { x.moving_origin(b, body) };
        let to = &mut self.bodies[parent];
        match origin {
            None if ROTATIONS || body.weightless => {
                to.moment += moment;
                to.pseudo = to.pseudo + pseudo + shifted_by_constant(&body.shift, moment);
            }
            _ => {
                let p = origin.unwrap_or_else(|| body.shift.lift());
                let shifted = p.times(composite.mass);
                let doubled = moment + shifted.times(S::from_f64(0.5));
                to.mass += composite.mass;
                to.moment += moment + shifted;
                to.pseudo = to.pseudo + pseudo + Symmetric::outer(p, doubled);
            }
        }
    }
}

/// R J Rᵀ for a rotation by (sin, cos) that takes axis `a` towards axis `b`, third axis `c`, element by element.
macro_rules! turned {
    ($j:expr, $mul:ident, $mul_add:ident, $sin:expr, $cos:expr, [$aa:ident, $ab:ident, $bb:ident, $ac:ident, $bc:ident]) => {{
        let j = $j;
        let p = j.$aa.$mul_add($cos, -j.$ab.$mul($sin));
        let q = j.$ab.$mul_add($cos, -j.$bb.$mul($sin));
        let aa = p.$mul_add($cos, -q.$mul($sin));
        Symmetric {
            $aa: aa,
            $ab: p.$mul_add($sin, q.$mul($cos)),
            $bb: j.$aa + j.$bb - aa,
            $ac: j.$ac.$mul_add($cos, -j.$bc.$mul($sin)),
            $bc: j.$bc.$mul_add($cos, j.$ac.$mul($sin)),
            ..j
        }
    }};
}

/// x·y, as a method for the macro above.
trait Times: Sized {
    fn times(self, other: Self) -> Self;
}

impl<S: Scalar> Times for S {
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
}

/// A symmetric matrix in the body's axes, in the parent's: twelve products a turn about z or x.
#[inline(always)]
pub(super) fn outward_symmetric<S: Scalar, const ROTATIONS: bool>(
    x: &Positions<S>,
    b: usize,
    body: &Body<S::Constant>,
    j: Symmetric<S>,
) -> Symmetric<S> {
    let j = match body.mechanism_if::<ROTATIONS>() {
        Mechanism::Revolute | Mechanism::Helical { .. } => {
            turned!(j, times, mul_add, x.sin[b], x.cos[b], [xx, xy, yy, xz, yz])
        }
        Mechanism::Prismatic => j,
        Mechanism::Spherical | Mechanism::Free => j.rotated(x.ball(b)),
    };
    match &body.turn {
        Turn::AboutX { cos, sin } => turned!(j, scale, scale_add, *sin, *cos, [yy, yz, zz, xy, xz]),
        Turn::General(Rotation(r)) => {
            let m = j.to_matrix();
            // Row i of R J, then its products with the rows of R.
            let rows: [Vector<S>; 3] = std::array::from_fn(|i| {
                Vector(std::array::from_fn(|k| {
                    m[0][k].scale_add(r[i][0], m[1][k].scale_add(r[i][1], m[2][k].scale(r[i][2])))
                }))
            });
            let element = |i: usize, k: usize| {
                rows[i][0].scale_add(r[k][0], rows[i][1].scale_add(r[k][1], rows[i][2].scale(r[k][2])))
            };
            Symmetric::from_fn(element)
        }
    }
}

/// p hᵀ + h pᵀ by a constant p.
#[inline(always)]
fn shifted_by_constant<S: Scalar>(p: &Vector<S::Constant>, h: Vector<S>) -> Symmetric<S> {
    let twice = |x: S| x + x;
    Symmetric {
        xx: twice(h[0].scale(p[0])),
        xy: h[1].scale_add(p[0], h[0].scale(p[1])),
        xz: h[2].scale_add(p[0], h[0].scale(p[2])),
        yy: twice(h[1].scale(p[1])),
        yz: h[2].scale_add(p[1], h[1].scale(p[2])),
        zz: twice(h[2].scale(p[2])),
    }
}
