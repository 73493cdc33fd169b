//! The exact witness: the rank of the regressor over random states modulo a prime.
//!
//! The regressor is computed here once more, from nothing but the geometry over the field: poses, twists and accelerations
//! outwards, then J ᵀ (A(a) + v ×* A(v)) per link. Random joint positions are exact too: a rotation about the axis n is the
//! quaternion (1, t n) with a random t, and the travel of a helical joint is independent of its cosine. Rows of more and more
//! states are brought to echelon form until two states in a row add nothing; the rank is then that of the regressor but for
//! a chance of about 10⁻¹⁵.

use super::exact::Prime;
use super::field::{Field, cross, dot};
use super::geometry::{Frame, Generator, Geometry};
use super::snap::snapped;
use super::transport::{PER_LINK, Twist, bracket, twist_in};
use crate::dynamics::drive;
use crate::model::Model;
use crate::random::Random;
use jourdain_symbolic::Constant;

/// Most columns of a regressor whose exact rank is computed: the work grows with their third power.
const MOST_COLUMNS: usize = 2000;

/// The exact rank of the regressor of a robot over random states, its angles [snapped](super::snap).
///
/// `None` for robots with coupled joints, whose positions have no independent cosines, and for very large ones.
#[must_use]
pub fn exact_rank<T: Constant>(model: &Model<T>, seed: u64) -> Option<usize> {
    let drives = drives(model);
    let width = PER_LINK * model.links().len() + drives.len();
    if model.has_mimic() || width > MOST_COLUMNS {
        return None;
    }
    let (description, _) = snapped(model.description());
    let geometry = Geometry::<Prime>::new(&description);
    let mut random = Random(seed);
    let mut echelon = Echelon::default();
    let mut idle = 0;
    while idle < 2 && echelon.rows.len() < width {
        let before = echelon.rows.len();
        for row in regressor(&geometry, &drives, width, &mut random) {
            echelon.insert(row);
        }
        idle = if echelon.rows.len() == before { idle + 1 } else { 0 };
    }
    Some(echelon.rows.len())
}

/// What a drive adds to the torque of its velocity number.
#[derive(Clone, Copy)]
enum Drive {
    Armature,
    Friction,
}

/// The columns behind the inertial ones: velocity number and kind.
fn drives<T: Constant>(model: &Model<T>) -> Vec<(usize, Drive)> {
    let mut columns: Vec<_> = drive::rigid_columns(model).map(|column| (column.dof, Drive::Armature)).collect();
    for _ in ["viscous", "coulomb"] {
        columns.extend(drive::driven_columns(model).map(|(column, _)| (column.dof, Drive::Friction)));
    }
    columns
}

/// A body on the way outwards.
struct Body {
    /// The body before it; `None` for the ground.
    parent: Option<usize>,
    /// Its place in the one before, moved.
    frame: Frame<Prime>,
    twist: Twist<Prime>,
    /// With the upward acceleration that stands for gravity.
    acceleration: Twist<Prime>,
    generators: Vec<Generator<Prime>>,
    first_number: usize,
}

/// The rows of one random state.
fn regressor(
    geometry: &Geometry<Prime>,
    drives: &[(usize, Drive)],
    width: usize,
    random: &mut Random,
) -> Vec<Vec<Prime>> {
    let mut draw = || Prime::from_bits(random.bits());
    let mut bodies: Vec<Body> = Vec::new();
    let mut body_of_link = Vec::with_capacity(geometry.links.len());
    let mut number = 0;
    // Acceleration and squared axis of every velocity number, for the armatures.
    let mut numbers: Vec<(Prime, Prime)> = Vec::new();
    for link in &geometry.links {
        let mut before = link.parent.map(|parent: usize| body_of_link[parent]);
        let mut placement = link.placement.clone();
        // A welded link is a body whose joint has no step.
        let steps = if link.steps.is_empty() { vec![Vec::new()] } else { link.steps.clone() };
        for generators in steps {
            let moved = displacement(&generators, &mut draw);
            let frame = std::mem::replace(&mut placement, Frame::identity()).then(&moved);
            let rest = std::array::from_fn(|_| Prime::zero());
            let mut upward = rest;
            for (up, g) in upward.iter_mut().zip(&geometry.gravity) {
                *up = g.neg();
            }
            let (v, a) = before.map_or((rest, upward), |body: usize| (bodies[body].twist, bodies[body].acceleration));
            let (mut v, mut a) = (twist_in(&frame, &v), twist_in(&frame, &a));
            let mut relative: Twist<Prime> = rest;
            let first_number = number;
            for generator in &generators {
                let (rate, rate_dot) = (draw(), draw());
                for i in 0..6 {
                    relative[i] = relative[i].add(&generator.twist[i].mul(&rate));
                    a[i] = a[i].add(&generator.twist[i].mul(&rate_dot));
                }
                numbers.push((rate_dot, generator.square));
                number += 1;
            }
            for i in 0..6 {
                v[i] = v[i].add(&relative[i]);
            }
            let turning = bracket(&v, &relative);
            for i in 0..6 {
                a[i] = a[i].add(&turning[i]);
            }
            bodies.push(Body { parent: before, frame, twist: v, acceleration: a, generators, first_number });
            before = Some(bodies.len() - 1);
        }
        body_of_link.push(bodies.len() - 1);
    }
    let mut rows = vec![vec![Prime::zero(); width]; number];
    for (k, &body) in body_of_link.iter().enumerate() {
        for h in 0..PER_LINK {
            let mut wrench = unit_wrench(&bodies[body], h);
            let mut at = Some(body);
            while let Some(index) = at {
                let body = &bodies[index];
                for (i, generator) in body.generators.iter().enumerate() {
                    rows[body.first_number + i][PER_LINK * k + h] = dot(&generator.twist, &wrench);
                }
                wrench = wrench_in_parent(&body.frame, &wrench);
                at = body.parent;
            }
        }
    }
    for (at, &(dof, drive)) in drives.iter().enumerate() {
        let (rate_dot, square) = &numbers[dof];
        rows[dof][width - drives.len() + at] = match drive {
            Drive::Armature => rate_dot.mul(square),
            // Odd in the velocity, and for Coulomb friction not even algebraic: as good as any number.
            Drive::Friction => draw(),
        };
    }
    rows
}

/// A random motion of a step.
fn displacement(generators: &[Generator<Prime>], draw: &mut impl FnMut() -> Prime) -> Frame<Prime> {
    match generators {
        [] => Frame::identity(),
        [one] => {
            let (linear, axis) = one.twist.split_at(3);
            if axis.iter().all(Field::is_zero) {
                let by = draw();
                return Frame { translation: std::array::from_fn(|i| linear[i].mul(&by)), ..Frame::identity() };
            }
            let (t, travel) = (draw(), draw());
            let turn = Frame::from_quaternion(&[Prime::one(), axis[0].mul(&t), axis[1].mul(&t), axis[2].mul(&t)]);
            let scale = dot(axis, axis).inverse();
            let pitch = dot(linear, axis).mul(&scale);
            // A point on the axis: a × (linear part) / a².
            let point = cross(axis, linear).map(|x| x.mul(&scale));
            let moved = turn.to_parent(&point);
            let along = pitch.mul(&travel);
            let translation = std::array::from_fn(|i| point[i].sub(&moved[i]).add(&axis[i].mul(&along)));
            Frame { translation, ..turn }
        }
        several => {
            let turn = Frame::from_quaternion(&std::array::from_fn(|_| draw()));
            let free = several.iter().any(|generator| generator.twist[3..].iter().all(Field::is_zero));
            if free {
                return Frame { translation: std::array::from_fn(|_| draw()), ..turn };
            }
            // Three rotations about a centre: (p × e_i; e_i).
            let (x, y) = (&several[0].twist, &several[1].twist);
            let center = [y[2], x[2].neg(), x[1]];
            let moved = turn.to_parent(&center);
            Frame { translation: std::array::from_fn(|i| center[i].sub(&moved[i])), ..turn }
        }
    }
}

/// Λ a + v ×* Λ v of a body whose parameter `h` is one and whose others are zero.
fn unit_wrench(body: &Body, h: usize) -> Twist<Prime> {
    let (force, momentum) = (momentum(&body.acceleration, h), momentum(&body.twist, h));
    let (v, w) = body.twist.split_at(3);
    let (f, n) = momentum.split_at(3);
    let (on_force, on_moment, moved) = (cross(w, f), cross(w, n), cross(v, f));
    std::array::from_fn(|i| {
        if i < 3 { force[i].add(&on_force[i]) } else { force[i].add(&on_moment[i - 3]).add(&moved[i - 3]) }
    })
}

/// Column `h` of A(v), G (8).
fn momentum(v: &Twist<Prime>, h: usize) -> Twist<Prime> {
    const ELEMENTS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let mut out: Twist<Prime> = std::array::from_fn(|_| Prime::zero());
    match h {
        0 => out[..3].clone_from_slice(&v[..3]),
        1..=3 => {
            // Force ω × e, moment e × v.
            let (j, k) = (h % 3, (h + 1) % 3);
            (out[j], out[k]) = (v[3 + k], v[3 + j].neg());
            (out[3 + j], out[3 + k]) = (v[k].neg(), v[j]);
        }
        _ => {
            let (r, c) = ELEMENTS[h - 4];
            out[3 + r] = v[3 + c];
            out[3 + c] = v[3 + r];
        }
    }
    out
}

/// A wrench of a body, seen from the one before it.
fn wrench_in_parent(frame: &Frame<Prime>, wrench: &Twist<Prime>) -> Twist<Prime> {
    let (force, moment) = (frame.to_parent(&wrench[..3]), frame.to_parent(&wrench[3..]));
    let lever = cross(&frame.translation, &force);
    std::array::from_fn(|i| if i < 3 { force[i] } else { moment[i - 3].add(&lever[i - 3]) })
}

/// Rows in echelon form, each with its first element one.
#[derive(Default)]
struct Echelon {
    rows: Vec<(usize, Vec<Prime>)>,
}

impl Echelon {
    fn insert(&mut self, mut row: Vec<Prime>) {
        for (pivot, other) in &self.rows {
            let factor = row[*pivot];
            if !factor.is_zero() {
                for (x, y) in row[*pivot..].iter_mut().zip(&other[*pivot..]) {
                    *x = x.sub(&factor.mul(y));
                }
            }
        }
        let Some(pivot) = row.iter().position(|x| !x.is_zero()) else { return };
        let inverse = row[pivot].inverse();
        row[pivot..].iter_mut().for_each(|x| *x = x.mul(&inverse));
        let at = self.rows.partition_point(|(other, _)| *other < pivot);
        self.rows.insert(at, (pivot, row));
    }
}
