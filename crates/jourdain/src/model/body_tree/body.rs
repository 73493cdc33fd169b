//! The tree of bodies: their mechanisms, and how model columns and velocities map onto them.

use crate::model::tree::Model;
use crate::model::{Motion, Screw};
use crate::spatial::{Inertia, Pose, Rotation, Symmetric, Vector};
use jourdain_symbolic::{Ahead, Constant, Scalar};
use std::ops::Range;

/// A tree of bodies, parents first, whose columns are the model's columns in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyTree<T> {
    /// The bodies.
    pub bodies: Vec<Body<T>>,
    /// Where each link of the model rides.
    pub carriers: Vec<Carrier<T>>,
    /// Gravitational acceleration in ground axes, m/s².
    pub gravity: Vector<T>,
    /// Number of columns.
    pub columns: usize,
    /// Degrees of freedom.
    pub nv: usize,
    /// How columns follow from velocities, if some joint is coupled; `None` if they are the same.
    pub coupling: Option<Vec<(usize, T)>>,
    /// The body of each column.
    pub body_of: Vec<usize>,
    /// The column next towards the root: of the same body, or the last of the nearest ancestor that has one.
    pub inboard: Vec<Option<usize>>,
    /// The columns in the order of a walk that visits a body and then all it carries, before it goes on elsewhere.
    walk: Vec<usize>,
    /// Where in the walk the columns of each body and of all it carries stand.
    outboard: Vec<Range<usize>>,
    /// True for a chain of bodies with one column each.
    is_chain: bool,
    is_large: bool,
    /// True if some joint has a motor.
    pub has_motors: bool,
    /// The smallest pivot of the mass matrix, per velocity, that is more than rounding, kg m² or kg; empty for a robot of
    /// symbols. See `body_tree/reach.rs`.
    pub least: Vec<T>,
    /// True if every motion is a rotation, so that no regrouped mass is left and no origin moves against its parent.
    pub only_rotations: bool,
}

/// The body a link rides on and the link frame in the body frame; no body for links welded to the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrier<T> {
    /// The body.
    pub body: Option<usize>,
    /// The link frame in the body frame (in the ground frame without a body).
    pub pose: Pose<T>,
}

/// One body and the motion that joins it to its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<T> {
    /// The parent body; `None` for the ground.
    pub parent: Option<usize>,
    /// Orientation of the frame before the motion in the parent's body frame.
    pub turn: Turn<T>,
    /// Its origin in the parent's body frame, m.
    pub shift: Vector<T>,
    /// The motion.
    pub mechanism: Mechanism<T>,
    /// Where the motion's numbers are in `q`.
    pub coordinate: Coordinate<T>,
    /// Added to the angle of a rotation: what the choice of frames left, and the offset of a coupled joint. `None` for none.
    pub ahead: Option<Ahead<T>>,
    /// The first of its columns.
    pub column: usize,
    /// Physical inertia of all that rides on the body, in the body frame.
    pub inertia: Inertia<T>,
    /// The pseudo-inertia ½ tr(I)·1 − I of it.
    pub pseudo: Symmetric<T>,
    /// Regrouped mass, kg.
    pub regrouped_mass: T,
    /// True if neither the body nor anything it carries has a regrouped mass.
    pub weightless: bool,
    /// Regrouped first moment, kg m.
    pub regrouped_moment: Vector<T>,
    /// Regrouped pseudo-inertia, kg m²; its zz is zero for a rotation.
    pub regrouped_pseudo: Symmetric<T>,
}

impl<T: Constant> Body<T> {
    /// The mechanism, or the one that every body has: a choice made once, when the caller is compiled, instead of at
    /// every body.
    #[inline(always)]
    pub(crate) fn mechanism_if<const ROTATIONS: bool>(&self) -> Mechanism<T> {
        if ROTATIONS { Mechanism::Revolute } else { self.mechanism }
    }

    /// The columns of the body's motion.
    #[inline]
    pub fn columns(&self) -> Range<usize> {
        self.column..self.column + self.mechanism.nv()
    }
}

/// A constant rotation: about x where the frames could be chosen so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn<T> {
    /// About x.
    AboutX {
        /// Cosine of the angle.
        cos: T,
        /// Sine of the angle.
        sin: T,
    },
    /// Any.
    General(Rotation<T>),
}

impl<T: Constant> Turn<T> {
    /// R v.
    #[inline(always)]
    pub fn apply<S: Scalar<Constant = T>>(&self, v: Vector<S>) -> Vector<S> {
        match self {
            Self::AboutX { cos, sin } => {
                Vector([v[0], v[1].scale_add(*cos, -v[2].scale(*sin)), v[2].scale_add(*cos, v[1].scale(*sin))])
            }
            Self::General(r) => Vector(r.0.map(|[a, b, c]| v[0].scale_add(a, v[1].scale_add(b, v[2].scale(c))))),
        }
    }

    /// Rᵀ v.
    #[inline(always)]
    pub fn apply_inverse<S: Scalar<Constant = T>>(&self, v: Vector<S>) -> Vector<S> {
        match self {
            Self::AboutX { cos, sin } => {
                Vector([v[0], v[1].scale_add(*cos, v[2].scale(*sin)), v[2].scale_add(*cos, -v[1].scale(*sin))])
            }
            Self::General(Rotation(r)) => {
                Vector(std::array::from_fn(|j| v[0].scale_add(r[0][j], v[1].scale_add(r[1][j], v[2].scale(r[2][j])))))
            }
        }
    }

    /// The matrix.
    pub fn to_rotation(&self) -> Rotation<T> {
        match *self {
            Self::AboutX { cos, sin } => {
                let (one, zero) = (T::one(), T::zero());
                Rotation([[one, zero, zero], [zero, cos, -sin], [zero, sin, cos]])
            }
            Self::General(rotation) => rotation,
        }
    }
}

/// The motion of a body in its own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism<T> {
    /// Rotation about z.
    Revolute,
    /// Translation along z.
    Prismatic,
    /// Rotation about z with travel along it, m/rad.
    Helical {
        /// Travel per radian.
        pitch: T,
    },
    /// Rotation about the origin; four numbers in `q`, three columns.
    Spherical,
    /// Any motion; seven numbers in `q`, six columns.
    Free,
}

impl<T> Mechanism<T> {
    /// Number of columns.
    #[inline]
    pub fn nv(&self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic | Self::Helical { .. } => 1,
            Self::Spherical => 3,
            Self::Free => 6,
        }
    }
}

/// Where a motion's numbers are in `q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate<T> {
    /// At this index.
    Own(usize),
    /// multiplier · `q[index]` + offset, for a coupled joint.
    Coupled {
        /// The leader's index.
        index: usize,
        /// Factor.
        multiplier: T,
        /// Added.
        offset: T,
    },
}

impl<T: Constant> Coordinate<T> {
    /// The number of a one-number motion without the offset of a coupled joint.
    #[inline(always)]
    pub fn read_angle<S: Scalar<Constant = T>>(&self, q: &[S]) -> S {
        match *self {
            Self::Own(index) => q[index],
            Self::Coupled { index, multiplier, .. } => q[index].scale(multiplier),
        }
    }

    /// The number of a one-number motion.
    #[inline(always)]
    pub fn read<S: Scalar<Constant = T>>(&self, q: &[S]) -> S {
        match *self {
            Self::Own(index) => q[index],
            Self::Coupled { index, multiplier, offset } => q[index].scale_add(multiplier, S::constant(offset)),
        }
    }

    /// The index of the first number.
    #[inline(always)]
    pub fn index(&self) -> usize {
        match *self {
            Self::Own(index) | Self::Coupled { index, .. } => index,
        }
    }
}

impl<T: Constant> BodyTree<T> {
    /// The columns of a body and of all it carries, the body's own first.
    #[inline(always)]
    pub fn outboard(&self, b: usize) -> &[usize] {
        &self.walk[self.outboard[b].clone()]
    }

    /// 1 / pivot of the mass matrix for a velocity number, or no number where the pivot may be rounding alone. A robot of symbols
    /// has no bounds.
    #[inline(always)]
    pub fn inverse_pivot<S: Scalar<Constant = T>>(&self, dof: usize, pivot: S) -> S {
        match self.least.get(dof) {
            Some(&least) => pivot.inverse_above(least),
            None => S::one() / pivot,
        }
    }

    /// True for a chain of bodies with one column each, whose matrices over columns are full.
    #[inline(always)]
    pub fn is_chain(&self) -> bool {
        self.is_chain
    }

    /// True if articulated bodies are the better way to forward dynamics: the tree is so deep, over all its columns, that the
    /// factor of the mass matrix costs more, and loses digits.
    #[inline(always)]
    pub fn is_large(&self) -> bool {
        self.is_large
    }

    /// A tree without bodies.
    pub(in crate::model) fn empty() -> Self {
        Self {
            bodies: Vec::new(),
            carriers: Vec::new(),
            gravity: Vector::zero(),
            columns: 0,
            nv: 0,
            coupling: None,
            body_of: Vec::new(),
            inboard: Vec::new(),
            walk: Vec::new(),
            outboard: Vec::new(),
            is_chain: true,
            is_large: false,
            has_motors: false,
            least: Vec::new(),
            only_rotations: false,
        }
    }
}

impl<T: Constant> BodyTree<T> {
    /// Compiles a model. Directions (rotations, axes) must be numbers; lengths and inertias may be symbols.
    #[must_use]
    pub fn new(model: &Model<T>) -> Self {
        let mut tree = expand(model);
        super::frames::choose(&mut tree);
        super::regroup::regroup(&mut tree);
        tree.least = super::reach::least_pivots(model, &tree).unwrap_or_default();
        tree.only_rotations = tree.bodies.iter().all(|body| matches!(body.mechanism, Mechanism::Revolute));
        tree
    }
}

/// One body per motion, frames with z along it, links welded together where nothing moves between them.
fn expand<T: Constant>(model: &Model<T>) -> BodyTree<T> {
    let mut bodies: Vec<Body<T>> = Vec::new();
    let mut carriers: Vec<Carrier<T>> = Vec::with_capacity(model.links().len());
    for link in model.links() {
        // The frame before the joint's motion, in the frame of the body that carries the parent.
        let mut carrier = match link.parent {
            Some(parent) => Carrier { pose: carriers[parent].pose * link.placement, ..carriers[parent] },
            None => Carrier { body: None, pose: link.placement },
        };
        let mut add = |carrier: &mut Carrier<T>, frame: Pose<T>, mechanism, coordinate, column| {
            let before = carrier.pose * frame;
            bodies.push(Body {
                parent: carrier.body,
                turn: Turn::General(before.rotation),
                shift: before.translation,
                mechanism,
                coordinate,
                ahead: None,
                column,
                inertia: Inertia::zero(),
                pseudo: Symmetric::zero(),
                regrouped_mass: T::zero(),
                weightless: false,
                regrouped_moment: Vector::zero(),
                regrouped_pseudo: Symmetric::zero(),
            });
            *carrier = Carrier { body: Some(bodies.len() - 1), pose: frame.inverse() };
        };
        let own = |local| match &link.mimic {
            Some(mimic) => Coordinate::Coupled { index: mimic.q, multiplier: mimic.multiplier, offset: mimic.offset },
            None => Coordinate::Own(link.q + local),
        };
        match &link.joint.motion {
            Motion::Product(screws) => {
                for (local, screw) in screws.iter().enumerate() {
                    let (axis, origin, mechanism) = match *screw {
                        Screw::Rotation { axis, point, pitch } if pitch.is_zero() => (axis, point, Mechanism::Revolute),
                        Screw::Rotation { axis, point, pitch } => (axis, point, Mechanism::Helical { pitch }),
                        Screw::Translation { axis } => (axis, Vector::zero(), Mechanism::Prismatic),
                    };
                    let frame = Pose { rotation: super::frames::with_z(axis), translation: origin };
                    add(&mut carrier, frame, mechanism, own(local), link.column + local);
                }
            }
            Motion::Spherical { center } => {
                add(&mut carrier, Pose::translation(*center), Mechanism::Spherical, own(0), link.column);
            }
            Motion::Free => add(&mut carrier, Pose::identity(), Mechanism::Free, own(0), link.column),
        }
        if let Some(body) = carrier.body {
            bodies[body].inertia += link.inertia.transformed(&carrier.pose);
        }
        carriers.push(carrier);
    }
    let (mut body_of, mut inboard) = (Vec::new(), Vec::new());
    for (i, body) in bodies.iter().enumerate() {
        let columns = body.columns();
        body_of.extend(std::iter::repeat_n(i, columns.len()));
        inboard.push(body.parent.map(|parent| bodies[parent].columns().end - 1));
        inboard.extend(columns.skip(1).map(|column| Some(column - 1)));
    }
    let outboard = outboard_ranges(&bodies);
    let mut walk = vec![0; body_of.len()];
    for (body, range) in bodies.iter().zip(&outboard) {
        body.columns().enumerate().for_each(|(local, column)| walk[range.start + local] = column);
    }
    let is_chain =
        bodies.iter().enumerate().all(|(b, body)| body.parent == b.checked_sub(1) && body.columns().len() == 1);
    let is_large = !model.has_mimic() && factor_costs_more(&inboard);
    let coupling = model
        .has_mimic()
        .then(|| model.columns().iter().map(|column| (column.dof, column.factor.unwrap_or(T::one()))).collect());
    BodyTree {
        bodies,
        carriers,
        gravity: model.gravity(),
        columns: model.columns().len(),
        nv: model.nv(),
        coupling,
        body_of,
        inboard,
        walk,
        outboard,
        is_chain,
        is_large,
        has_motors: model
            .links()
            .iter()
            .any(|link| link.motor.is_some() || link.shaft.is_some() || link.balance.is_some()),
        least: Vec::new(),
        only_rotations: false,
    }
}

/// True if the factor of M costs more than articulated bodies. With n columns, d of them on the way from one to the root, the
/// factor takes about 100 d + 5 d² + n units of work for that one, articulated bodies 1500: measured on chains (which cross at
/// 18 joints) and on trees of chains by `benches/large_trees.rs`, on the side of the factor, which also leaves M⁻¹.
fn factor_costs_more(inboard: &[Option<usize>]) -> bool {
    let n = inboard.len() as u64;
    let (mut depth, mut work) = (vec![0_u64; inboard.len()], 0_u64);
    for (column, inboard) in inboard.iter().enumerate() {
        let d = 1 + inboard.map_or(0, |inboard| depth[inboard]);
        depth[column] = d;
        work = work.saturating_add(100 * d + 5 * d * d + n);
    }
    work > 1500 * n
}

/// The places in a depth-first walk over columns that belong to each body and to all it carries. One range a body, where a
/// list for each would take the square of the depth in memory.
fn outboard_ranges<T>(bodies: &[Body<T>]) -> Vec<Range<usize>> {
    let mut sizes: Vec<usize> = bodies.iter().map(|body| body.mechanism.nv()).collect();
    for (b, body) in bodies.iter().enumerate().rev() {
        if let Some(parent) = body.parent {
            sizes[parent] += sizes[b];
        }
    }
    // Where the next child of each body starts, and the next body on the ground.
    let (mut next, mut ground) = (Vec::with_capacity(bodies.len()), 0);
    let mut ranges = Vec::with_capacity(bodies.len());
    for (body, size) in bodies.iter().zip(sizes) {
        let place = body.parent.map_or(&mut ground, |parent| &mut next[parent]);
        let start = *place;
        *place += size;
        next.push(start + body.mechanism.nv());
        ranges.push(start..start + size);
    }
    ranges
}

impl<T: Constant> BodyTree<T> {
    /// The same tree with every constant mapped.
    #[must_use]
    pub fn map<U: Constant>(&self, f: &mut impl FnMut(T) -> U) -> BodyTree<U> {
        let bodies = self.bodies.iter().map(|body| map_body(body, f)).collect();
        let carriers = self
            .carriers
            .iter()
            .map(|carrier| Carrier { body: carrier.body, pose: map_pose(&carrier.pose, f) })
            .collect();
        BodyTree {
            bodies,
            carriers,
            gravity: self.gravity.map(&mut *f),
            columns: self.columns,
            nv: self.nv,
            coupling: self.coupling.as_ref().map(|map| map.iter().map(|&(dof, factor)| (dof, f(factor))).collect()),
            body_of: self.body_of.clone(),
            inboard: self.inboard.clone(),
            walk: self.walk.clone(),
            outboard: self.outboard.clone(),
            is_chain: self.is_chain,
            is_large: self.is_large,
            has_motors: self.has_motors,
            least: self.least.iter().map(|&least| f(least)).collect(),
            only_rotations: self.only_rotations,
        }
    }
}

fn map_pose<T: Constant, U: Constant>(pose: &Pose<T>, f: &mut impl FnMut(T) -> U) -> Pose<U> {
    Pose { rotation: Rotation(pose.rotation.0.map(|row| row.map(&mut *f))), translation: pose.translation.map(&mut *f) }
}

fn map_body<T: Constant, U: Constant>(body: &Body<T>, f: &mut impl FnMut(T) -> U) -> Body<U> {
    let symmetric = |s: Symmetric<T>, f: &mut dyn FnMut(T) -> U| Symmetric::from_array(s.to_array().map(f));
    Body {
        parent: body.parent,
        turn: match body.turn {
            Turn::AboutX { cos, sin } => Turn::AboutX { cos: f(cos), sin: f(sin) },
            Turn::General(Rotation(r)) => Turn::General(Rotation(r.map(|row| row.map(&mut *f)))),
        },
        shift: body.shift.map(&mut *f),
        mechanism: match body.mechanism {
            Mechanism::Revolute => Mechanism::Revolute,
            Mechanism::Prismatic => Mechanism::Prismatic,
            Mechanism::Helical { pitch } => Mechanism::Helical { pitch: f(pitch) },
            Mechanism::Spherical => Mechanism::Spherical,
            Mechanism::Free => Mechanism::Free,
        },
        coordinate: match body.coordinate {
            Coordinate::Own(index) => Coordinate::Own(index),
            Coordinate::Coupled { index, multiplier, offset } => {
                Coordinate::Coupled { index, multiplier: f(multiplier), offset: f(offset) }
            }
        },
        ahead: body.ahead.map(|ahead| ahead.map(f)),
        column: body.column,
        inertia: Inertia {
            mass: f(body.inertia.mass),
            first_moment: body.inertia.first_moment.map(&mut *f),
            rotational: symmetric(body.inertia.rotational, f),
        },
        pseudo: symmetric(body.pseudo, f),
        regrouped_mass: f(body.regrouped_mass),
        weightless: body.weightless,
        regrouped_moment: body.regrouped_moment.map(&mut *f),
        regrouped_pseudo: symmetric(body.regrouped_pseudo, f),
    }
}
