//! A link of a model and what hangs on it: joint, inertia, drive, limits.

use super::formula::Formula;
use super::hysteresis::Hysteresis;
use super::joint::{Joint, Motion};
use super::parameter::DriveTerm;
use crate::spatial::{Inertia, Pose, Vector};
use jourdain_symbolic::{Ahead, Constant, Scalar};

/// A rigid link with the joint that joins it to its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Link<T> {
    /// Unique name.
    pub name: String,
    /// Index of the parent link; `None` for the ground.
    pub parent: Option<usize>,
    /// The link frame in the parent frame at zero joint position.
    pub placement: Pose<T>,
    /// The joint's name.
    pub joint_name: String,
    /// The joint between parent and link.
    pub joint: Joint<T>,
    /// Inertia in the link frame.
    pub inertia: Inertia<T>,
    /// Drive data.
    pub motor: Option<Motor<T>>,
    /// A motor that turns with this joint and with others.
    pub shaft: Option<Box<Shaft<T>>>,
    /// What holds the joint beside its motor: the torque on it by its position, N m or N. Only joints of one number have it.
    pub balance: Option<Box<Formula>>,
    /// Limits of motion.
    pub limits: Limits,
    /// Coupling to another joint; such a joint has no numbers of its own in `q`.
    pub mimic: Option<Mimic<T>>,
    /// Index of the joint's first number in `q`.
    pub q: usize,
    /// Index of the joint's first number in the velocity.
    pub v: usize,
    /// Index of the joint's first column; see [`Column`].
    pub column: usize,
}

impl<T: Constant> Link<T> {
    /// Whether the joint has one number, of its own.
    pub fn is_single(&self) -> bool {
        self.joint.nv() == 1 && self.mimic.is_none()
    }

    /// The joint's own numbers out of `q`; for a coupled joint what it takes from its leader, kept in `slot`.
    #[inline]
    pub fn position<'a, S: Scalar<Constant = T>>(&self, q: &'a [S], slot: &'a mut [S; 1]) -> &'a [S] {
        match &self.mimic {
            Some(mimic) => {
                slot[0] = q[mimic.q].scale_add(mimic.multiplier, S::constant(mimic.offset));
                slot
            }
            None => &q[self.q..self.q + self.joint.nq()],
        }
    }

    /// The joint's own velocities (or their rates) out of `w`; as [`position`](Self::position).
    #[inline]
    pub fn velocity<'a, S: Scalar<Constant = T>>(&self, w: &'a [S], slot: &'a mut [S; 1]) -> &'a [S] {
        match &self.mimic {
            Some(mimic) => {
                slot[0] = w[mimic.v].scale(mimic.multiplier);
                slot
            }
            None => &w[self.v..self.v + self.joint.nv()],
        }
    }

    /// The link frame in the parent frame, `placement · T(q)`, given the whole `q`.
    #[must_use]
    pub fn transform<S: Scalar<Constant = T>>(&self, q: &[S]) -> Pose<S> {
        self.placement.lift() * self.motion(q)
    }

    /// The joint's T(q), given the whole `q`. A coupled joint's offset is not added to its angle, see
    /// [`Scalar::sin_cos_ahead`].
    #[must_use]
    pub fn motion<S: Scalar<Constant = T>>(&self, q: &[S]) -> Pose<S> {
        match (&self.mimic, &self.joint.motion) {
            (Some(mimic), Motion::Product(screws)) => screws
                .first()
                .map_or_else(Pose::identity, |screw| screw.exp_ahead(q[mimic.q].scale(mimic.multiplier), &mimic.ahead)),
            _ => self.joint.transform(&q[self.q..self.q + self.joint.nq()]),
        }
    }
}

/// One column of the tree's motion: a velocity number of one joint, before coupled joints are projected out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column<T> {
    /// The link it moves.
    pub link: usize,
    /// Which of the joint's velocity numbers.
    pub local: usize,
    /// Index in the velocity vector.
    pub dof: usize,
    /// Factor from that velocity to this column's, if the joint is coupled to another.
    pub factor: Option<T>,
}

/// Coupling of a one-number joint to another: q = multiplier · q_leader + offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic<T> {
    /// Link of the leading joint.
    pub leader: usize,
    /// The leader's index in `q`.
    pub q: usize,
    /// The leader's index in the velocity.
    pub v: usize,
    /// Factor.
    pub multiplier: T,
    /// Added, rad or m.
    pub offset: T,
    /// The offset as an angle; of use where the joint turns.
    pub ahead: Ahead<T>,
}

/// Drive data of a joint. It acts on each velocity number of the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor<T> {
    /// Rotor inertia on the motor side, kg m².
    pub inertia: T,
    /// Gear ratio, motor over joint.
    pub ratio: T,
    /// Stiffness between motor and link, link side, N m/rad; `None` for a rigid joint.
    pub stiffness: Option<T>,
    /// Damping parallel to the stiffness, N m s/rad.
    pub damping: T,
    /// Viscous friction, N m s/rad.
    pub viscous: T,
    /// Coulomb friction, N m.
    pub coulomb: T,
    /// Viscous friction of the rotor of an elastic joint, link side, N m s/rad. A rigid joint has it in `viscous`.
    pub rotor_viscous: T,
    /// Coulomb friction of the rotor of an elastic joint, link side, N m. A rigid joint has it in `coulomb`.
    pub rotor_coulomb: T,
    /// Friction that rises with the root of the speed, N m at 1 rad/s; `None` where the file has none.
    pub root: Option<T>,
    /// Friction that falls as speed rises, N m at low speed; `None` where the file has none.
    pub stribeck: Option<T>,
    /// The speed at which it is half of that, rad/s.
    pub stribeck_speed: T,
    /// Torque beyond all else, N m; `None` where the file has none.
    pub offset: Option<T>,
    /// Friction with a memory, which takes the place of the Coulomb friction along a motion.
    pub hysteresis: Hysteresis,
    /// Friction per torque that the joint passes on to the links; along a motion only.
    pub load: f64,
    /// Unit direction of the rotor's axis in the link frame at zero position, fixed to the parent; `None` for the joint's axis.
    pub axis: Option<Vector<T>>,
}

impl<T: Constant> Motor<T> {
    /// Rotor inertia seen from the link side, inertia · ratio², kg m².
    #[must_use]
    pub fn reflected_inertia(&self) -> T {
        self.inertia * self.ratio * self.ratio
    }

    /// The coefficient of a term; `None` where the drive does not have the term.
    #[must_use]
    pub fn term(&self, term: DriveTerm) -> Option<T> {
        match term {
            // The rotor of an elastic joint has a motion of its own.
            DriveTerm::Armature => self.stiffness.is_none().then(|| self.reflected_inertia()),
            DriveTerm::Viscous => Some(self.viscous),
            DriveTerm::Coulomb => Some(self.coulomb),
            DriveTerm::Root => self.root,
            DriveTerm::Stribeck => self.stribeck,
            DriveTerm::Offset => self.offset,
        }
    }

    /// The part of the reflected inertia that moves with the link: all of it for a rigid joint, nothing for an elastic
    /// one, whose rotor has a motion of its own.
    #[must_use]
    pub fn armature(&self) -> T {
        if self.stiffness.is_some() { T::zero() } else { self.reflected_inertia() }
    }
}

/// A motor that turns with several joints: along x = Σ c_j w_j, so that its rotor adds Ia c cᵀ to M and its friction f(x) c to τ.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaft<T> {
    /// The other joints' links, with c_j; that of its own joint is one.
    pub with: Vec<(usize, T)>,
    /// Indices in the velocity with c_j, its own joint first.
    pub row: Vec<(usize, T)>,
    /// Indices in the position, in the same order.
    pub q: Vec<usize>,
    /// Rotor, gear and friction, along x.
    pub motor: Motor<T>,
}

impl<T: Constant> Shaft<T> {
    /// The rate of x, or a rate of that, from the velocity or its rate.
    #[must_use]
    pub fn along<S: Scalar<Constant = T>>(&self, w: &[S]) -> S {
        let mut sum = S::zero();
        for (k, (dof, factor)) in self.row.iter().enumerate() {
            sum = if k == 0 { w[*dof] } else { w[*dof].scale_add(*factor, sum) };
        }
        sum
    }
}

/// Limits of a joint, where the robot file gives them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Limits {
    /// Lowest and highest position, rad or m.
    pub position: Option<[f64; 2]>,
    /// Highest speed, rad/s or m/s.
    pub velocity: Option<f64>,
    /// Highest torque or force, N m or N.
    pub effort: Option<f64>,
}
