//! Friction along a motion: what depends on the motion before, beyond what [`drive`] has at a single state.
//!
//! A drive with hysteresis has elements z of lengths δ. From one position x of its column to the next
//!
//! z ← s + (z − s) e^{−|Δx|/δ},  s the sign of Δx,
//!
//! which is exact however long the step, as long as it does not turn back within. Along a motion Σ strength · z takes the place of the
//! Coulomb friction, the middle z that of the smooth sign in Stribeck friction, and friction by load is load · z |τ_links|, τ_links
//! being the torque that the joint passes on: inverse dynamics without the drives' own.
//!
//! Traps. z needs every position in order. At the first one z = 0: elements are slack, and it takes a few lengths of motion to
//! tighten them. Forward dynamics has friction by load on both sides, as the acceleration decides on the load; it is found by
//! iteration, which converges for loads well below one.

use super::{drive, recursive};
use crate::model::{Column, Model, Motor, Shaft};
use crate::state::LinkWrench;
use crate::workspace::Workspace;

/// Iterations for friction by load, at most; a load of a half takes forty.
const ROUNDS: usize = 100;
/// They end where torques change by less than this share.
const SETTLED: f64 = 1e-12;

/// The elements of all drives of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    drives: Vec<Followed>,
    z: Vec<f64>,
    begun: bool,
    /// True if some friction rises with load.
    is_loaded: bool,
    /// Torques of the links.
    links: Vec<f64>,
}

/// What a drive acts along.
#[derive(Clone, Debug, PartialEq)]
enum Coordinate {
    Column(Column<f64>),
    /// Indices in the velocity with factors, and indices in the position.
    Shaft {
        row: Vec<(usize, f64)>,
        q: Vec<usize>,
    },
}

/// A drive with hysteresis.
#[derive(Clone, Debug, PartialEq)]
struct Followed {
    along: Coordinate,
    motor: Motor<f64>,
    /// Its position at the last step.
    x: f64,
    /// Its first element.
    first: usize,
}

impl Memory {
    /// Before any motion; `None` for a robot without hysteresis, whose friction is a function of the state.
    #[must_use]
    pub fn new(model: &Model<f64>) -> Option<Self> {
        let (mut drives, mut elements, mut is_loaded) = (Vec::new(), 0, false);
        let columns = drive::driven_columns(model).map(|(column, motor)| (Coordinate::Column(*column), *motor));
        let shafts = model.shafts().map(|(_, shaft)| (Coordinate::shaft(shaft), shaft.motor));
        for (along, motor) in columns.chain(shafts).filter(|(_, motor)| !motor.hysteresis.is_empty()) {
            drives.push(Followed { along, motor, x: 0.0, first: elements });
            elements += motor.hysteresis.elements().len();
            is_loaded |= motor.load != 0.0;
        }
        (!drives.is_empty()).then(|| Self {
            drives,
            z: vec![0.0; elements],
            begun: false,
            is_loaded,
            links: vec![0.0; model.nv()],
        })
    }

    /// Moves on to a position of the same robot.
    ///
    /// # Panics
    /// If `q` is shorter than the robot's position.
    pub fn advance(&mut self, model: &Model<f64>, q: &[f64]) {
        let begun = std::mem::replace(&mut self.begun, true);
        for drive in &mut self.drives {
            let now = drive.along.position(model, q);
            let step = now - std::mem::replace(&mut drive.x, now);
            if begun {
                for (z, element) in self.z[drive.first..].iter_mut().zip(drive.motor.hysteresis.elements()) {
                    *z = moved(*z, step, element.length);
                }
            }
        }
    }

    /// The elements, from −1 to 1, drive by drive in the order of the columns.
    #[must_use]
    pub fn elements(&self) -> &[f64] {
        &self.z
    }

    /// True if friction needs the torque of the links.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.is_loaded
    }

    /// Adds to `tau` what friction is along the motion beyond what it is at the single state: with the elements as they are at `q`, at the
    /// velocity `w`, where the joints pass on the torques `links`.
    ///
    /// # Panics
    /// If a slice is shorter than the robot's.
    pub fn add_friction(&self, model: &Model<f64>, q: &[f64], w: &[f64], links: &[f64], tau: &mut [f64]) {
        for drive in &self.drives {
            let (along, motor) = (&drive.along, &drive.motor);
            let step = if self.begun { along.position(model, q) - drive.x } else { 0.0 };
            let elements = motor.hysteresis.elements();
            let z = |k: usize| moved(self.z[drive.first + k], step, elements[k].length);
            let (middle, c) = (z(motor.hysteresis.middle()), along.speed(w));
            let sign = drive::smooth_sign(c);
            let sum: f64 = elements.iter().enumerate().map(|(k, element)| element.strength * z(k)).sum();
            let falling = motor.stribeck.map_or(0.0, |force| force * drive::falling(c, motor.stribeck_speed));
            let beyond = sum - motor.coulomb * sign + falling * (middle - sign);
            match along {
                Coordinate::Column(column) => {
                    // A joint that follows another has the load of its leader: what is its own no one tells it.
                    let load = motor.load * middle * links[column.dof].abs();
                    tau[column.dof] += drive::projected(column, beyond + load);
                }
                Coordinate::Shaft { row, .. } => row.iter().for_each(|(dof, factor)| tau[*dof] += factor * beyond),
            }
        }
    }

    /// The torques for a motion that comes along here: [`recursive::inverse_dynamics_into`] with friction that has a memory. Moves on to
    /// `q` first.
    ///
    /// # Panics
    /// If a slice does not have the robot's length.
    pub fn inverse_dynamics_into(
        &mut self,
        model: &Model<f64>,
        [q, w, w_dot]: [&[f64]; 3],
        wrenches: &[LinkWrench<f64>],
        workspace: &mut Workspace<f64>,
        out: &mut [f64],
    ) {
        self.advance(model, q);
        let mut links = std::mem::take(&mut self.links);
        if self.is_loaded {
            recursive::link_torques_into(model, q, w, w_dot, wrenches, workspace, &mut links);
        }
        recursive::inverse_dynamics_into(model, q, w, w_dot, wrenches, workspace, out);
        self.add_friction(model, q, w, &links, out);
        self.links = links;
    }

    /// Takes from the drive torques `tau` what friction along the motion is beyond that at the single state, so that forward dynamics
    /// of what is left are those of the motion; not a number where friction by load does not settle. `scratch` has four numbers
    /// per velocity and keeps the last torques of the links, to begin with the next time.
    ///
    /// # Panics
    /// If a slice does not have the robot's length.
    pub fn take_from(
        &self,
        model: &Model<f64>,
        [q, w]: [&[f64]; 2],
        wrenches: &[LinkWrench<f64>],
        workspace: &mut Workspace<f64>,
        scratch: &mut [f64],
        tau: &mut [f64],
    ) {
        let (links, rest) = scratch.split_at_mut(model.nv());
        let (before, rest) = rest.split_at_mut(model.nv());
        let (acceleration, friction) = rest.split_at_mut(model.nv());
        if !self.is_loaded {
            links.fill(0.0);
        }
        for _ in 0..ROUNDS {
            friction.fill(0.0);
            self.add_friction(model, q, w, links, friction);
            if !self.is_loaded {
                tau.iter_mut().zip(friction).for_each(|(tau, friction)| *tau -= *friction);
                return;
            }
            friction.iter_mut().zip(tau.iter()).for_each(|(friction, tau)| *friction = tau - *friction);
            recursive::forward_dynamics_into(model, q, w, friction, wrenches, workspace, acceleration);
            before.copy_from_slice(links);
            recursive::link_torques_into(model, q, w, acceleration, wrenches, workspace, links);
            let size = links.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if links.iter().zip(before.iter()).all(|(now, before)| (now - before).abs() <= SETTLED * size) {
                tau.copy_from_slice(friction);
                return;
            }
        }
        links.fill(0.0);
        tau.fill(f64::NAN);
    }
}

/// z after a step along its column.
fn moved(z: f64, step: f64, length: f64) -> f64 {
    if step == 0.0 {
        return z;
    }
    let sign = step.signum();
    sign + (z - sign) * (-step.abs() / length).exp()
}

impl Coordinate {
    fn shaft(shaft: &Shaft<f64>) -> Self {
        Self::Shaft { row: shaft.row.clone(), q: shaft.q.clone() }
    }

    fn position(&self, model: &Model<f64>, q: &[f64]) -> f64 {
        let of = |link: usize, local: usize| model.links()[link].position(q, &mut [0.0])[local];
        match self {
            Self::Column(column) => of(column.link, column.local),
            Self::Shaft { row, q: places } => row.iter().zip(places).map(|((_, factor), at)| factor * q[*at]).sum(),
        }
    }

    fn speed(&self, w: &[f64]) -> f64 {
        match self {
            Self::Column(column) => drive::speed(column, w),
            Self::Shaft { row, .. } => row.iter().map(|(dof, factor)| factor * w[*dof]).sum(),
        }
    }
}
