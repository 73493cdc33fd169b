//! A rigid robot as a system: x = (q, w).

use super::adaptive_law::AdaptiveController;
use super::column::Column;
use super::controller::{Controller, any_system, cannot_take, check_reference, pairs, spread};
use super::equations::RobotDynamics;
use super::error::SimulationError;
use super::law::{DEFAULT_RATE, Law};
use super::limits::crossing;
use super::momentum::{is_floating, momentum};
use super::rigid_laws::{Follow, ModelLaw};
use super::system::{Layout, Mechanics, System, Value};
use crate::dynamics::memory::Memory;
use crate::dynamics::recursive;
use crate::elastic::linearise::joints_linearised;
use crate::integrate::{Crossing, IntegrationError};
use crate::linear::Linearisation;
use crate::model::{Link, Model, Motion};
use crate::prescribed::Reference;
use crate::quantity::{Path, Quantity};
use crate::state::{LinkWrench, State, check_vector, normalize_quaternions};
use crate::unit::Unit;
use crate::workspace::Workspace;

/// The laws that it takes.
const LAWS: [&str; 9] =
    ["none", "constant", "table", "pd", "pd-gravity", "computed-torque", "feed-forward", "adaptive", "custom"];

/// A rigid robot.
#[derive(Clone, Debug)]
pub struct Rigid<'m> {
    model: &'m Model<f64>,
    layout: Layout,
}

impl<'m> Rigid<'m> {
    /// The robot as a system; springs that its file gives are left out.
    #[must_use]
    pub fn new(model: &'m Model<f64>) -> Self {
        Self { model, layout: layout(model) }
    }

    /// The robot.
    #[must_use]
    pub fn model(&self) -> &'m Model<f64> {
        self.model
    }

    fn name_of(&self, quantity: &str) -> Result<Quantity, SimulationError> {
        Ok(Quantity::parse(quantity, self.model)?)
    }
}

/// The numbers of a robot.
pub(super) fn layout(model: &Model<f64>) -> Layout {
    let (positions, velocities) = (model.coordinates(), model.velocities());
    let effort = |link: &Link<f64>| link.limits.effort.filter(|effort| effort.is_finite() && *effort > 0.0);
    let momenta = if is_floating(model) {
        let axis = |symbol, unit| ["x", "y", "z"].map(|part| Column::of(symbol, "momentum", part, unit));
        [axis("linear", Unit::NEWTON.seconds(1)), axis("angular", Unit::NEWTON.metres(1).seconds(1))].concat()
    } else {
        Vec::new()
    };
    Layout {
        positions: positions.iter().map(|c| Column::of_coordinate("q", c, c.unit)).collect(),
        velocities: velocities.iter().map(|c| Column::of_coordinate("qd", c, c.rate(1))).collect(),
        inputs: velocities.iter().map(|c| Column::of_coordinate("tau", c, c.effort())).collect(),
        efforts: velocities.iter().map(|c| effort(&model.links()[c.link])).collect(),
        outputs: Vec::new(),
        joints: model.links().iter().map(|link| link.joint_name.clone()).collect(),
        momenta,
    }
}

/// The first joint with a quaternion, which a law that follows angles does not take.
pub(super) fn check_angles(law: &Law, model: &Model<f64>) -> Result<(), SimulationError> {
    let other = |link: &&Link<f64>| !matches!(link.joint.motion, Motion::Product(_));
    match model.links().iter().find(other) {
        Some(link) => {
            let (robot, joint) = (model.name().to_owned(), link.joint_name.clone());
            Err(SimulationError::Quaternions { law: law.name(), robot, joint })
        }
        None => Ok(()),
    }
}

/// The inertia that each joint sees by itself, M_ii at the start of a reference, kg m² or kg.
pub(super) fn seen_inertia(model: &Model<f64>, reference: &Reference<'_>) -> Vec<f64> {
    let n = model.nv();
    let [posture] = reference.orders(0.0);
    let mut mass = vec![0.0; n * n];
    recursive::mass_matrix_into(model, &posture, &mut Workspace::new(model), &mut mass);
    (0..n).map(|i| mass[i * n + i]).collect()
}

/// That a state has the lengths of a layout, zero where it is left out.
pub(super) fn filled(
    name: &'static str,
    given: &[f64],
    default: Vec<f64>,
    system: &str,
) -> Result<Vec<f64>, SimulationError> {
    if given.is_empty() {
        return Ok(default);
    }
    check_vector(name, given, default.len(), system)?;
    Ok(given.to_vec())
}

impl System for Rigid<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn kind(&self) -> &'static str {
        "rigid"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, positions: &[f64], velocities: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let mut q = filled("q", positions, self.model.neutral(), self.name())?;
        normalize_quaternions(self.model, &mut q)?;
        q.extend(filled("qd", velocities, vec![0.0; self.model.nv()], self.name())?);
        Ok(q)
    }

    fn state_on(&self, reference: &Reference<'_>, offset: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let [q, qd] = reference.orders(0.0);
        self.state(&q.iter().zip(offset).map(|(q, e)| q - e).collect::<Vec<_>>(), &qd)
    }

    fn mechanics(&self) -> Box<dyn Mechanics + '_> {
        Box::new(RigidMechanics {
            dynamics: RobotDynamics::new(self.model),
            floats: !self.layout.momenta.is_empty(),
            memory: Memory::new(self.model),
            torque: vec![0.0; self.model.nv()],
            scratch: vec![0.0; 4 * self.model.nv()],
        })
    }

    fn controller<'s>(
        &'s self,
        law: &'s Law,
        reference: &Reference<'s>,
    ) -> Result<Box<dyn Controller + 's>, SimulationError> {
        if let Some(controller) = any_system(law, self)? {
            return Ok(controller);
        }
        let model = self.model;
        check_angles(law, model)?;
        check_reference(reference, self)?;
        let ones = vec![1.0; model.nv()];
        let follow = |kind: Follow, gains, inertia: &[f64]| -> Result<Box<dyn Controller + 's>, SimulationError> {
            let gains = pairs(gains, inertia, model.name())?;
            Ok(Box::new(ModelLaw::new(model, kind, gains, reference.clone())))
        };
        match law {
            Law::Pd(gains) => follow(Follow::Pd, gains, &seen_inertia(model, reference)),
            Law::PdGravity(gains) => follow(Follow::PdGravity, gains, &seen_inertia(model, reference)),
            Law::ComputedTorque(gains) => follow(Follow::ComputedTorque, gains, &ones),
            Law::FeedForward(gains) => follow(Follow::FeedForward, gains, &seen_inertia(model, reference)),
            Law::Adaptive(law) => {
                let inertia = seen_inertia(model, reference);
                let default = |i: usize| 2.0 * DEFAULT_RATE * inertia[i];
                let slope = spread("slope", &law.slope, |_| 0.5 * DEFAULT_RATE, model.nv(), model.name())?;
                let velocity = spread("velocity gain", &law.velocity, default, model.nv(), model.name())?;
                Ok(Box::new(AdaptiveController::new(model, law, slope, velocity, reference.clone())?))
            }
            Law::None
            | Law::Constant(_)
            | Law::Table(_)
            | Law::Custom(_)
            | Law::ExactLinearisation { .. }
            | Law::StrainFeedback { .. } => Err(cannot_take(law, self, &LAWS)),
        }
    }

    fn linearise(&self, positions: &[f64], velocities: &[f64]) -> Result<Linearisation, SimulationError> {
        let x = self.state(positions, velocities)?;
        let (q, qd) = x.split_at(self.model.nq());
        if qd.iter().any(|&x| x != 0.0) {
            check_angles(&Law::None, self.model)?;
        }
        Ok(joints_linearised(self.model, &[], q, qd)?)
    }

    fn quantities(&self) -> Vec<String> {
        Quantity::ALL.iter().map(|entry| entry.name.to_owned()).collect()
    }

    fn evaluate(&self, quantity: &str, x: &[f64]) -> Result<Value, SimulationError> {
        check_vector("state", x, self.layout().size(), self.name())?;
        let (q, qd) = x.split_at(self.model.nq());
        let state = State { q: q.to_vec(), qd: qd.to_vec(), ..State::neutral(self.model) }.checked(self.model)?;
        let quantity = self.name_of(quantity)?;
        let numbers = quantity.evaluate(Path::Fast, self.model, &state, &mut Workspace::new(self.model))?;
        Ok(Value { numbers, shape: quantity.entry().shape.lengths(self.model) })
    }
}

struct RigidMechanics<'m> {
    dynamics: RobotDynamics<'m, f64>,
    floats: bool,
    /// Of friction, where that depends on the motion before; between steps as at the end of the last, within one by position.
    memory: Option<Memory>,
    torque: Vec<f64>,
    scratch: Vec<f64>,
}

impl Mechanics for RigidMechanics<'_> {
    fn rate_into(&mut self, x: &[f64], torque: &[f64], loads: &[LinkWrench<f64>], rate: &mut [f64], sums: &mut [f64]) {
        let Self { dynamics, memory, torque: left, scratch, .. } = self;
        let Some(memory) = memory else { return dynamics.rate_into(x, torque, loads, rate, sums) };
        let (model, (q, w)) = (dynamics.model(), x.split_at(dynamics.model().nq()));
        left.copy_from_slice(torque);
        memory.take_from(model, [q, w], loads, dynamics.workspace(), scratch, left);
        dynamics.rate_into(x, left, loads, rate, sums);
    }

    fn accept(&mut self, x: &[f64]) {
        if let Some(memory) = &mut self.memory {
            memory.advance(self.dynamics.model(), x);
        }
    }

    fn energy(&mut self, x: &[f64]) -> [f64; 2] {
        let model = self.dynamics.model();
        let (q, qd) = x.split_at(model.nq());
        let workspace = self.dynamics.workspace();
        let kinetic = recursive::kinetic_energy(model, q, qd, workspace);
        [kinetic, recursive::potential_energy(model, q, workspace)]
    }

    fn momenta_into(&mut self, x: &[f64], out: &mut [f64]) {
        if self.floats {
            let model = self.dynamics.model();
            let (q, qd) = x.split_at(model.nq());
            out.copy_from_slice(&momentum(model, q, qd).to_array());
        }
    }

    fn project(&self, x: &mut [f64]) {
        self.dynamics.project(x);
    }

    fn beyond(&self, x: &[f64]) -> Option<Crossing> {
        crossing(self.dynamics.model(), x)
    }

    fn explain(&self, error: IntegrationError, t: f64, x: &[f64]) -> SimulationError {
        let model = self.dynamics.model();
        SimulationError::broken(error, t, model, &x[..model.nq()])
    }
}
