//! A robot with elastic joints as a system: x = (q, θ, q̇, θ̇), one θ per spring.

use super::column::Column;
use super::controller::{Controller, Moment, any_system, cannot_take, check_reference, pairs};
use super::error::SimulationError;
use super::law::{Gains, Law};
use super::limits::crossing;
use super::rigid::{Rigid, filled, layout, seen_inertia};
use super::system::{Layout, Mechanics, System, Value};
use crate::dynamics::{balance, recursive};
use crate::elastic::control::{self, ControlLaw, Kind, Measured, Pole, place};
use crate::elastic::inverse::{InverseScratch, MotorMotion, inverse_dynamics_into};
use crate::elastic::linearise::linearise_moving;
use crate::elastic::rates::Rates;
use crate::elastic::{ElasticError, ElasticModel, ElasticState, energy, rotors};
use crate::integrate::{Crossing, IntegrationError};
use crate::linear::Linearisation;
use crate::prescribed::Reference;
use crate::state::{LinkWrench, check_vector};
use crate::unit::Unit;
use crate::workspace::Workspace;

/// The laws that it takes.
const LAWS: [&str; 9] = [
    "none",
    "constant",
    "table",
    "pd",
    "pd-gravity",
    "computed-torque",
    "feed-forward",
    "exact-linearisation",
    "custom",
];

/// A robot with elastic joints.
#[derive(Clone, Debug)]
pub struct Elastic<'m> {
    model: &'m ElasticModel<f64>,
    layout: Layout,
}

impl<'m> Elastic<'m> {
    /// The robot as a system.
    #[must_use]
    pub fn new(model: &'m ElasticModel<f64>) -> Self {
        let mut layout = layout(model.model());
        for spring in model.springs() {
            let position = layout.positions[spring.dof].clone();
            layout.positions.push(position.as_kind("theta", position.unit));
            layout.velocities.push(position.as_kind("thetad", position.unit.seconds(-1)));
        }
        Self { model, layout }
    }

    /// The robot.
    #[must_use]
    pub fn model(&self) -> &'m ElasticModel<f64> {
        self.model
    }

    /// The rotor values of all joints out of positions or velocities of the system: of a rigid joint the link's own.
    #[must_use]
    pub fn rotors(&self, values: &[f64]) -> Vec<f64> {
        let (links, rotors) = values.split_at(self.model.model().nv());
        self.model.all_positions(links, rotors)
    }

    /// Gains of the laws that act on the motors for K₀ and K₁ per unit of inertia: times the inertia of link and rotor that each
    /// joint sees at the start of a reference.
    #[must_use]
    pub fn motor_gains(&self, gains: [f64; 2], reference: &Reference<'_>) -> Gains {
        let [position, velocity] = gains.map(|gain| self.motor_inertia(reference).iter().map(|j| gain * j).collect());
        Gains { position, velocity }
    }

    /// A law of [`control`] by its kind, its gains those of error poles: four of them for exact linearisation, of which the other
    /// laws take the first two.
    ///
    /// # Errors
    /// Poles that no real gains give, or that are not stable.
    pub fn law(&self, kind: Kind, poles: &[Pole; 4], reference: &Reference<'_>) -> Result<Law, ElasticError> {
        let second = || place(&[poles[0], poles[1]]);
        Ok(match kind {
            Kind::Linearising => Law::ExactLinearisation { poles: *poles },
            Kind::Feedforward => Law::FeedForward(self.motor_gains(second()?, reference)),
            Kind::ComputedTorque => {
                let [position, velocity] = second()?;
                Law::ComputedTorque(Gains::uniform(position, velocity))
            }
            Kind::None => Law::None,
        })
    }

    fn motor_inertia(&self, reference: &Reference<'_>) -> Vec<f64> {
        let mut inertia = seen_inertia(self.model.model(), reference);
        self.model.springs().iter().for_each(|spring| inertia[spring.dof] += spring.inertia);
        inertia
    }

    /// Rotor positions that carry gravity at rest at `q`.
    fn balanced(&self, q: &[f64]) -> Vec<f64> {
        let model = self.model.model();
        let mut gravity = vec![0.0; model.nv()];
        recursive::gravity_into(model, q, &mut Workspace::new(model), &mut gravity);
        balance::add_torques(model, q, &mut gravity);
        self.model.springs().iter().map(|spring| q[spring.dof] + gravity[spring.dof] / spring.stiffness).collect()
    }
}

fn split<'x>(model: &ElasticModel<f64>, x: &'x [f64]) -> ElasticState<'x, f64> {
    let (n, p) = (model.model().nv(), model.freedom());
    ElasticState { q: &x[..n], theta: &x[n..p], qd: &x[p..p + n], theta_d: &x[p + n..2 * p] }
}

impl System for Elastic<'_> {
    fn name(&self) -> &str {
        self.model.model().name()
    }

    fn kind(&self) -> &'static str {
        "elastic"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, positions: &[f64], velocities: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let (model, n, p) = (self.model.model(), self.model.model().nv(), self.model.freedom());
        let whole = |name, given: &[f64], rotors: &dyn Fn(&[f64]) -> Vec<f64>| -> Result<Vec<f64>, SimulationError> {
            if given.len() == p {
                check_vector(name, given, p, self.name())?;
                return Ok(given.to_vec());
            }
            let links = filled(name, given, vec![0.0; n], self.name())?;
            Ok([&links[..], &rotors(&links)].concat())
        };
        let mut x = whole("q", positions, &|q| self.balanced(q))?;
        let along = |qd: &[f64]| self.model.springs().iter().map(|spring| qd[spring.dof]).collect();
        x.extend(whole("qd", velocities, &along)?);
        debug_assert_eq!(model.nq(), n, "an elastic robot has no quaternions");
        rotors::check(self.model, &x[..n])?;
        Ok(x)
    }

    fn state_on(&self, reference: &Reference<'_>, offset: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let [q, qd, qdd, qddd, qdddd] = reference.orders(0.0);
        let q: Vec<f64> = q.iter().zip(offset).map(|(q, e)| q - e).collect();
        let mut motor = MotorMotion::zero(self.model);
        let scratch = &mut InverseScratch::new(self.model.model());
        inverse_dynamics_into(self.model, &q, &[&qd, &qdd, &qddd, &qdddd], &[], scratch, &mut motor);
        // Damped springs start at rest: their deflection has a history, which begins here.
        for (k, spring) in self.model.springs().iter().enumerate().filter(|(_, spring)| spring.damping != 0.0) {
            motor.theta_d[k] = qd[spring.dof];
        }
        rotors::check(self.model, &q)?;
        Ok([q, motor.theta, qd, motor.theta_d].concat())
    }

    fn mechanics(&self) -> Box<dyn Mechanics + '_> {
        Box::new(ElasticMechanics {
            model: self.model,
            rates: Rates::new(self.model),
            workspace: Workspace::new(self.model.model()),
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
        check_reference(reference, self)?;
        let model = self.model;
        let inertia = || self.motor_inertia(reference);
        let ones = vec![1.0; model.model().nv()];
        let wrap = |law: Box<dyn ControlLaw<f64> + 's>| -> Result<Box<dyn Controller + 's>, SimulationError> {
            Ok(Box::new(ElasticController::new(model, law, reference.clone())))
        };
        let pairs = |gains: &Gains, inertia: &[f64]| pairs(gains, inertia, model.model().name());
        match law {
            Law::Pd(gains) => wrap(Box::new(control::MotorPd::new(model, pairs(gains, &inertia())?, false))),
            Law::PdGravity(gains) => wrap(Box::new(control::MotorPd::new(model, pairs(gains, &inertia())?, true))),
            Law::ComputedTorque(gains) => {
                wrap(Box::new(control::ComputedTorque::per_joint(model, pairs(gains, &ones)?)))
            }
            Law::FeedForward(gains) => {
                wrap(Box::new(control::Feedforward::per_joint(model, pairs(gains, &inertia())?).along(reference)))
            }
            Law::ExactLinearisation { poles } => wrap(Box::new(control::Linearising::new(model, place(poles)?))),
            Law::None
            | Law::Constant(_)
            | Law::Table(_)
            | Law::Custom(_)
            | Law::StrainFeedback { .. }
            | Law::Adaptive(_) => Err(cannot_take(law, self, &LAWS)),
        }
    }

    fn linearise(&self, positions: &[f64], velocities: &[f64]) -> Result<Linearisation, SimulationError> {
        let x = self.state(positions, velocities)?;
        let state = split(self.model, &x);
        Ok(linearise_moving(self.model, state.q, state.qd)?)
    }

    fn quantities(&self) -> Vec<String> {
        Rigid::new(self.model.model()).quantities()
    }

    fn evaluate(&self, quantity: &str, x: &[f64]) -> Result<Value, SimulationError> {
        check_vector("state", x, self.layout().size(), self.name())?;
        let state = split(self.model, x);
        Rigid::new(self.model.model()).evaluate(quantity, &[state.q, state.qd].concat())
    }
}

struct ElasticMechanics<'m> {
    model: &'m ElasticModel<f64>,
    rates: Rates<f64>,
    workspace: Workspace<f64>,
}

impl Mechanics for ElasticMechanics<'_> {
    fn rate_into(&mut self, x: &[f64], torque: &[f64], loads: &[LinkWrench<f64>], rate: &mut [f64], sums: &mut [f64]) {
        let (n, p) = (self.model.model().nv(), self.model.freedom());
        let state = split(self.model, x);
        let (velocities, accelerations) = rate.split_at_mut(p);
        velocities.copy_from_slice(&x[p..]);
        let (qdd, theta_dd) = accelerations.split_at_mut(n);
        sums[0] = self.rates.at_into(self.model, &state, torque, loads, qdd, theta_dd);
    }

    fn energy(&mut self, x: &[f64]) -> [f64; 2] {
        let state = split(self.model, x);
        let kinetic = energy::kinetic_energy(self.model, &state, &mut self.workspace);
        [kinetic, energy::potential_energy(self.model, &state, &mut self.workspace)]
    }

    fn beyond(&self, x: &[f64]) -> Option<Crossing> {
        crossing(self.model.model(), x)
    }

    fn explain(&self, error: IntegrationError, t: f64, x: &[f64]) -> SimulationError {
        SimulationError::broken(error, t, self.model.model(), split(self.model, x).q)
    }
}

/// A law of [`control`] at work.
struct ElasticController<'m> {
    model: &'m ElasticModel<f64>,
    law: Box<dyn ControlLaw<f64> + 'm>,
    reference: Reference<'m>,
    orders: [Vec<f64>; 5],
    deflection: Vec<f64>,
    deflection_d: Vec<f64>,
}

impl<'m> ElasticController<'m> {
    fn new(model: &'m ElasticModel<f64>, law: Box<dyn ControlLaw<f64> + 'm>, reference: Reference<'m>) -> Self {
        let zero = vec![0.0; model.springs().len()];
        let orders = reference.orders(0.0);
        Self { model, law, reference, orders, deflection: zero.clone(), deflection_d: zero }
    }
}

impl Controller for ElasticController<'_> {
    fn torque_into(&mut self, at: Moment, x: &[f64], memory: &[f64], memory_rate: &mut [f64], torque: &mut [f64]) {
        let state = split(self.model, x);
        self.reference.at_into(at.t, &mut self.orders);
        for (k, spring) in self.model.springs().iter().enumerate() {
            self.deflection[k] = state.theta[k] - state.q[spring.dof];
            self.deflection_d[k] = state.theta_d[k] - state.qd[spring.dof];
        }
        let measured =
            Measured { q: state.q, qd: state.qd, deflection: &self.deflection, deflection_d: &self.deflection_d };
        self.law.advance_to(at.t);
        self.law.torque_into(&self.orders.each_ref().map(Vec::as_slice), &measured, memory, memory_rate, torque);
    }

    fn memory(&self) -> Vec<Column> {
        (1..=self.law.memory()).map(|k| Column::of("memory", &k.to_string(), "", Unit::ONE)).collect()
    }

    fn start_into(&mut self, x: &[f64], memory: &mut [f64]) {
        let state = split(self.model, x);
        self.reference.at_into(0.0, &mut self.orders);
        self.law.start_into(state.q, [state.qd, &self.orders[2], &self.orders[3]], memory);
    }
}
