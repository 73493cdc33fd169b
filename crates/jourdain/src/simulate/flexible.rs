//! A planar arm with flexible links as a system: x = (q, q̇), joint angles before deflections.

use super::column::Column;
use super::controller::{Controller, any_system, cannot_take, check_reference, pairs, spread};
use super::error::SimulationError;
use super::flexible_laws::{ArmLaw, Drive};
use super::law::{Gains, Law};
use super::rigid::filled;
use super::system::{Layout, Mechanics, System, Value};
use crate::flexible::derive::ArmQuantity;
use crate::flexible::energy::{base_momentum, elastic_energy, kinetic_energy, weight_energy};
use crate::flexible::factor::{Indefinite, Workspace, accelerations_into};
use crate::flexible::linearise::{linearise, linearise_moving, whole_position};
use crate::flexible::range::SlopeBounds;
use crate::flexible::{FlexibleArm, Kinematics, OutOfRange, terms, tip};
use crate::integrate::IntegrationError;
use crate::linear::Linearisation;
use crate::prescribed::Reference;
use crate::state::{LinkWrench, check_vector};
use crate::unit::Unit;

/// The laws that it takes.
const LAWS: [&str; 8] =
    ["none", "constant", "table", "pd", "pd-gravity", "computed-torque", "strain-feedback", "custom"];

/// A planar arm with flexible links.
#[derive(Clone, Debug)]
pub struct Flexible<'m> {
    arm: &'m FlexibleArm<f64>,
    layout: Layout,
}

impl<'m> Flexible<'m> {
    /// The arm as a system.
    #[must_use]
    pub fn new(arm: &'m FlexibleArm<f64>) -> Self {
        let names = arm.coordinate_names();
        let unit = |c: usize| if c < arm.joints() { Unit::RADIAN } else { Unit::METRE };
        let column = |symbol, c: usize, unit: Unit| Column::of(symbol, &names[c], "", unit);
        let layout = Layout {
            positions: (0..arm.size()).map(|c| column("q", c, unit(c))).collect(),
            velocities: (0..arm.size()).map(|c| column("qd", c, unit(c).seconds(-1))).collect(),
            inputs: (0..arm.joints()).map(|c| column("tau", c, Unit::NEWTON.metres(1))).collect(),
            efforts: vec![None; arm.joints()],
            outputs: ["tip_x", "tip_y"].map(|name| Column::whole(name, Unit::METRE)).to_vec(),
            joints: Vec::new(),
            momenta: vec![Column::of("angular", "momentum", "z", Unit::NEWTON.metres(1).seconds(1))],
        };
        Self { arm, layout }
    }

    /// With a largest torque for each drive, N m: what saturation cuts at.
    ///
    /// # Errors
    /// Another number of drives, or limits that are not positive.
    pub fn with_efforts(mut self, efforts: &[f64]) -> Result<Self, SimulationError> {
        check_vector("efforts", efforts, self.arm.joints(), self.arm.name())?;
        if let Some(&value) = efforts.iter().find(|effort| **effort <= 0.0) {
            return Err(SimulationError::Option { name: "largest torque", expected: "a positive number", value });
        }
        self.layout.efforts = efforts.iter().map(|effort| Some(*effort)).collect();
        Ok(self)
    }

    /// The arm.
    #[must_use]
    pub fn arm(&self) -> &'m FlexibleArm<f64> {
        self.arm
    }

    /// B_ii of the joints at the start of a reference, kg m².
    fn seen_inertia(&self, reference: &Reference<'_>) -> Vec<f64> {
        let [mut q] = reference.orders(0.0);
        q.resize(self.arm.size(), 0.0);
        let inertia = terms(self.arm, &q, &vec![0.0; q.len()]).inertia;
        (0..self.arm.joints()).map(|i| inertia[(i, i)]).collect()
    }
}

impl System for Flexible<'_> {
    fn name(&self) -> &str {
        self.arm.name()
    }

    fn kind(&self) -> &'static str {
        "flexible"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, positions: &[f64], velocities: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let (n, size) = (self.arm.joints(), self.arm.size());
        let mut x = if positions.len() == n && n < size {
            check_vector("q", positions, n, self.name())?;
            whole_position(self.arm, positions)?
        } else {
            filled("q", positions, vec![0.0; size], self.name())?
        };
        let mut qd = velocities.to_vec();
        if qd.len() == n {
            qd.resize(size, 0.0);
        }
        x.extend(filled("qd", &qd, vec![0.0; size], self.name())?);
        Ok(x)
    }

    fn state_on(&self, reference: &Reference<'_>, offset: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let [q, qd] = reference.orders(0.0);
        self.state(&q.iter().zip(offset).map(|(q, e)| q - e).collect::<Vec<_>>(), &qd)
    }

    fn mechanics(&self) -> Box<dyn Mechanics + '_> {
        Box::new(ArmMechanics {
            arm: self.arm,
            damping: self.arm.damping(),
            workspace: Workspace::new(self.arm),
            failed_at: None,
            bounds: SlopeBounds::new(self.arm),
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
        let arm = self.arm;
        let follow =
            |kind: Drive, gains: &Gains, inertia: &[f64]| -> Result<Box<dyn Controller + 's>, SimulationError> {
                Ok(Box::new(ArmLaw::new(arm, kind, pairs(gains, inertia, arm.name())?, reference.clone())))
            };
        match law {
            Law::Pd(gains) => follow(Drive::Pd, gains, &self.seen_inertia(reference)),
            Law::PdGravity(gains) => follow(Drive::PdGravity, gains, &self.seen_inertia(reference)),
            Law::ComputedTorque(gains) => follow(Drive::ComputedTorque, gains, &vec![1.0; arm.joints()]),
            Law::StrainFeedback { gains, strain } => {
                let one = |what, given: &[f64]| spread(what, given, |_| 0.0, arm.joints(), arm.name());
                let [deflection, rate] =
                    [one("deflection gain", &strain.position)?, one("deflection rate gain", &strain.velocity)?];
                let strain = deflection.into_iter().zip(rate).map(|(p, v)| [p, v]).collect();
                follow(Drive::Strain(strain), gains, &self.seen_inertia(reference))
            }
            Law::None
            | Law::Constant(_)
            | Law::Table(_)
            | Law::Custom(_)
            | Law::FeedForward(_)
            | Law::ExactLinearisation { .. }
            | Law::Adaptive(_) => Err(cannot_take(law, self, &LAWS)),
        }
    }

    fn linearise(&self, positions: &[f64], velocities: &[f64]) -> Result<Linearisation, SimulationError> {
        if velocities.iter().all(|&x| x == 0.0) {
            return Ok(linearise(self.arm, positions)?);
        }
        let x = self.state(positions, velocities)?;
        let (q, qd) = x.split_at(self.arm.size());
        let given = if positions.len() == self.arm.joints() { &q[..positions.len()] } else { q };
        Ok(linearise_moving(self.arm, given, qd)?)
    }

    fn quantities(&self) -> Vec<String> {
        ArmQuantity::ALL.iter().map(|quantity| quantity.name().to_owned()).collect()
    }

    fn evaluate(&self, quantity: &str, x: &[f64]) -> Result<Value, SimulationError> {
        let Some(found) = ArmQuantity::ALL.into_iter().find(|other| other.name() == quantity) else {
            let (robot, known) = (self.name().to_owned(), self.quantities());
            return Err(SimulationError::UnknownQuantity { robot, quantity: quantity.to_owned(), known });
        };
        check_vector("state", x, self.layout.size(), self.name())?;
        let (q, qd) = x.split_at(self.arm.size());
        let numbers = found.evaluate(self.arm, q, qd, &vec![0.0; qd.len()]);
        Ok(Value { numbers, shape: found.lengths(self.arm.size()) })
    }
}

struct ArmMechanics<'m> {
    arm: &'m FlexibleArm<f64>,
    damping: Vec<f64>,
    workspace: Workspace,
    /// Where B could not be factored, since it last could.
    failed_at: Option<Vec<f64>>,
    bounds: SlopeBounds,
}

impl ArmMechanics<'_> {
    /// True where B is about to lose its definiteness. A refused step may have tried places that the motion never reaches, so
    /// that a failure there says nothing by itself; but accelerations grow without bound towards that edge.
    fn is_at_the_edge(&self, q: &[f64], here: &Indefinite) -> bool {
        let straight: Vec<f64> =
            q.iter().enumerate().map(|(c, &x)| if c < self.arm.joints() { x } else { 0.0 }).collect();
        self.arm.kinematics() == Kinematics::Paper
            && here.smallest < 0.01 * Indefinite::at(self.arm, &straight, None).smallest
    }
}

impl Mechanics for ArmMechanics<'_> {
    fn rate_into(&mut self, x: &[f64], torque: &[f64], _: &[LinkWrench<f64>], rate: &mut [f64], sums: &mut [f64]) {
        let size = self.arm.size();
        let (q, qd) = x.split_at(size);
        rate[..size].copy_from_slice(qd);
        if !accelerations_into(self.arm, q, qd, torque, &mut self.workspace, &mut rate[size..]) {
            self.failed_at.get_or_insert_with(|| q.to_vec());
            rate.fill(f64::NAN);
            return;
        }
        self.failed_at = None;
        let friction: f64 = self.damping.iter().zip(qd).map(|(d, v)| d * v * v).sum();
        sums[0] = torque.iter().zip(qd).map(|(u, v)| u * v).sum::<f64>() - friction;
        sums[1] = torque[0] - self.damping[0] * qd[0] - self.workspace.gravity()[0];
    }

    fn energy(&mut self, x: &[f64]) -> [f64; 2] {
        let (q, qd) = x.split_at(self.arm.size());
        let kinetic = kinetic_energy(self.workspace.terms(self.arm, q, qd), qd);
        [kinetic, elastic_energy(self.arm, q) + weight_energy(self.arm, q)]
    }

    fn momenta_into(&mut self, x: &[f64], out: &mut [f64]) {
        let (q, qd) = x.split_at(self.arm.size());
        out[0] = base_momentum(self.workspace.terms(self.arm, q, qd), qd);
    }

    fn outputs_into(&mut self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&tip(self.arm, &x[..self.arm.size()]).position);
    }

    fn outside(&self, t: f64, x: &[f64]) -> Option<OutOfRange> {
        let q = &x[..self.arm.size()];
        if self.bounds.are_within(self.arm, q) { None } else { OutOfRange::at(self.arm, q, Some(t)) }
    }

    fn explain(&self, error: IntegrationError, t: f64, x: &[f64]) -> SimulationError {
        let q = &x[..self.arm.size()];
        let failed = |q: &[f64]| SimulationError::Indefinite(Box::new(Indefinite::at(self.arm, q, Some(t))));
        match (&self.failed_at, error) {
            (Some(place), IntegrationError::NotFinite { .. }) => failed(place),
            (_, IntegrationError::TooManySteps { .. } | IntegrationError::Cancelled { .. }) => error.into(),
            (place, IntegrationError::NotFinite { .. } | IntegrationError::StepTooSmall { .. }) => {
                let here = Indefinite::at(self.arm, q, Some(t));
                if self.is_at_the_edge(q, &here) {
                    return SimulationError::Indefinite(Box::new(here));
                }
                place.as_ref().map_or_else(|| error.into(), |place| failed(place))
            }
        }
    }
}
