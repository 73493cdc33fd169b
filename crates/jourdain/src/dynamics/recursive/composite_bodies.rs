//! The mass matrix by composite bodies in body frames: what a column carries, as one rigid body in the column's own frame.
//!
//! There a rotation's column is e_z, so that Λᶜ S is read off Λᶜ, and its way to an inboard column is two turns and a
//! shift. Composites go to the parent as pseudo-inertias, for which a turn about z or x is twelve products. On the
//! regrouped inertias; a robot of rotations only has no mass in any of them.
//!
//! # Reference
//! G (6a); Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §6.2.

use super::position::{Positions, constant_cross};
use crate::model::compiled::{Body, Compiled, Mechanism, Turn};
use crate::spatial::{Rotation, Symmetric, Vector};
use jourdain_symbolic::Scalar;

/// A composite body in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompositeBody<S> {
    mass: S,
    moment: Vector<S>,
    pseudo: Symmetric<S>,
}

impl<S: Scalar> CompositeBody<S> {
    pub fn zero() -> Self {
        Self { mass: S::zero(), moment: Vector::zero(), pseudo: Symmetric::zero() }
    }

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

#[inline(always)]
fn outward_pseudo<S: Scalar>(x: &Positions<S>, b: usize, body: &Body<S::Constant>, j: Symmetric<S>) -> Symmetric<S> {
    let j = match body.mechanism {
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
            Symmetric {
                xx: element(0, 0),
                xy: element(0, 1),
                xz: element(0, 2),
                yy: element(1, 1),
                yz: element(1, 2),
                zz: element(2, 2),
            }
        }
    }
}

/// Writes the mass matrix over columns, full and symmetric.
#[inline(always)]
pub(super) fn fill<S: Scalar>(
    compiled: &Compiled<S::Constant>,
    x: &Positions<S>,
    composites: &mut [CompositeBody<S>],
    out: &mut [S],
) {
    let n = compiled.columns;
    out.fill(S::zero());
    for (composite, body) in composites.iter_mut().zip(&compiled.bodies) {
        *composite = CompositeBody {
            mass: S::constant(body.regrouped_mass),
            moment: body.regrouped_moment.lift(),
            pseudo: Symmetric::from_array(body.regrouped_pseudo.to_array().map(S::constant)),
        };
    }
    for (b, body) in compiled.bodies.iter().enumerate().rev() {
        let composite = composites[b];
        match body.mechanism {
            Mechanism::Revolute => walk(compiled, x, b, body.column, composite.column(5), n, out),
            Mechanism::Prismatic => walk(compiled, x, b, body.column, composite.column(2), n, out),
            Mechanism::Helical { pitch } => {
                let [along, about] = [composite.column(2), composite.column(5)];
                let sum =
                    std::array::from_fn(|k| Vector(std::array::from_fn(|i| along[k][i].scale_add(pitch, about[k][i]))));
                walk(compiled, x, b, body.column, sum, n, out);
            }
            Mechanism::Spherical => {
                for local in 0..3 {
                    walk(compiled, x, b, body.column + local, composite.column(3 + local), n, out);
                }
            }
            Mechanism::Free => {
                for local in 0..6 {
                    walk(compiled, x, b, body.column + local, composite.column(local), n, out);
                }
            }
        }
        if let Some(parent) = body.parent {
            let [moment] = x.outward(b, body, [composite.moment]);
            let pseudo = outward_pseudo(x, b, body, composite.pseudo);
            let parent = &mut composites[parent];
            match x.moving_origin(b, body) {
                None if body.weightless => {
                    parent.moment += moment;
                    parent.pseudo = parent.pseudo + pseudo + shifted_by_constant(&body.shift, moment);
                }
                origin => {
                    let p = origin.unwrap_or_else(|| body.shift.lift());
                    let shifted = p.times(composite.mass);
                    let doubled = moment + shifted.times(S::from_f64(0.5));
                    parent.mass += composite.mass;
                    parent.moment += moment + shifted;
                    parent.pseudo = parent.pseudo + pseudo + symmetric_outer(p, doubled);
                }
            }
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

#[inline(always)]
fn symmetric_outer<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Symmetric<S> {
    let element = |i: usize, j: usize| a[i].mul_add(b[j], a[j] * b[i]);
    Symmetric {
        xx: element(0, 0),
        xy: element(0, 1),
        xz: element(0, 2),
        yy: element(1, 1),
        yz: element(1, 2),
        zz: element(2, 2),
    }
}

/// Carries the wrench of column `i` from its body towards the root and reads off its products with the columns there.
#[inline(always)]
fn walk<S: Scalar>(
    compiled: &Compiled<S::Constant>,
    x: &Positions<S>,
    b: usize,
    i: usize,
    wrench: [Vector<S>; 2],
    n: usize,
    out: &mut [S],
) {
    let ([mut force, mut moment], mut at) = (wrench, b);
    loop {
        let body = &compiled.bodies[at];
        let mut put = |local: usize, value: S| {
            let j = body.column + local;
            out[i * n + j] = value;
            out[j * n + i] = value;
        };
        match body.mechanism {
            Mechanism::Revolute => put(0, moment[2]),
            Mechanism::Prismatic => put(0, force[2]),
            Mechanism::Helical { pitch } => put(0, force[2].scale_add(pitch, moment[2])),
            Mechanism::Spherical => (0..3).for_each(|k| put(k, moment[k])),
            Mechanism::Free => (0..3).for_each(|k| {
                put(k, force[k]);
                put(k + 3, moment[k]);
            }),
        }
        let Some(parent) = body.parent else { return };
        [force, moment] = x.outward(at, body, [force, moment]);
        moment += match x.moving_origin(at, body) {
            None => constant_cross(&body.shift, force),
            Some(origin) => origin.cross(force),
        };
        at = parent;
    }
}
