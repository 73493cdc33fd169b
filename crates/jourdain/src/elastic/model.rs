//! The springs of a model and the state of an elastic robot.
//!
//! Vectors over springs have one number per elastic joint, in the order of the velocity; vectors over joints have one per
//! velocity. [`ElasticModel::all_positions`] widens the first to the second: a rigid joint's rotor stands where its link does.

use super::error::ElasticError;
use super::rotors::{Coupling, couplings};
use crate::dynamics::drive::smooth_sign;
use crate::model::{Model, Motion};
use jourdain_symbolic::{Constant, Scalar};

/// The spring and the rotor of one joint, link side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring<T> {
    /// The link that the spring drives.
    pub link: usize,
    /// The joint's index in q, θ and the velocities.
    pub dof: usize,
    /// K, N m/rad.
    pub stiffness: T,
    /// B = inertia · ratio², kg m².
    pub inertia: T,
    /// D, N m s/rad.
    pub damping: T,
    /// Viscous friction of the rotor, N m s/rad.
    pub viscous: T,
    /// Coulomb friction of the rotor, N m.
    pub coulomb: T,
    /// Gear ratio, motor over joint: what takes link-side values to the motor shaft.
    pub ratio: T,
}

impl<T: Constant> Spring<T> {
    /// K δ + D δ̇ for a deflection δ = θ − q: the torque on the link.
    #[inline]
    pub fn torque<S: Scalar<Constant = T>>(&self, deflection: S, rate: S) -> S {
        let elastic = deflection.scale(self.stiffness);
        if self.damping.is_zero() { elastic } else { rate.scale_add(self.damping, elastic) }
    }

    /// The friction of the rotor at its speed θ̇, against the motion.
    #[inline]
    pub fn rotor_friction<S: Scalar<Constant = T>>(&self, speed: S) -> S {
        let mut torque = S::zero();
        if !self.viscous.is_zero() {
            torque += speed.scale(self.viscous);
        }
        if !self.coulomb.is_zero() {
            torque += smooth_sign(speed).scale(self.coulomb);
        }
        torque
    }

    /// x/c for a constant of the spring.
    #[inline]
    pub(super) fn over<S: Scalar<Constant = T>>(x: S, c: T) -> S {
        x.scale(T::one() / c)
    }
}

/// Where an elastic robot is and how it moves: q and q̇ per joint, θ and θ̇ per spring.
#[derive(Clone, Copy, Debug)]
pub struct ElasticState<'a, S> {
    /// Positions of the links.
    pub q: &'a [S],
    /// Velocities of the links.
    pub qd: &'a [S],
    /// Positions of the rotors.
    pub theta: &'a [S],
    /// Velocities of the rotors.
    pub theta_d: &'a [S],
}

/// A robot of which some or all joints are elastic.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticModel<T = f64> {
    model: Model<T>,
    springs: Vec<Spring<T>>,
    rigid: Vec<usize>,
    /// None for the reduced model.
    couplings: Vec<Coupling<T>>,
}

/// The springs of a model that a file check has passed: elastic joints have one number and lead no one's motion but theirs.
pub(crate) fn springs<T: Constant>(model: &Model<T>) -> impl Iterator<Item = Spring<T>> + '_ {
    model.links().iter().enumerate().filter_map(|(link, of)| {
        let motor = of.motor.as_ref()?;
        Some(Spring {
            link,
            dof: of.v,
            stiffness: motor.stiffness.filter(|_| of.is_single())?,
            inertia: motor.reflected_inertia(),
            damping: motor.damping,
            viscous: motor.rotor_viscous,
            coulomb: motor.rotor_coulomb,
            ratio: motor.ratio,
        })
    })
}

impl<T: Constant> ElasticModel<T> {
    /// Takes the springs from the motors of a model.
    ///
    /// # Errors
    /// A robot without springs, with quaternions, with a spring on a joint of several numbers or on a coupled one, with a
    /// stiffness or rotor inertia that is not positive.
    pub fn new(model: &Model<T>) -> Result<Self, ElasticError> {
        for link in model.links() {
            let joint = || link.joint_name.clone();
            if !matches!(link.joint.motion, Motion::Product(_)) {
                return Err(ElasticError::Quaternions { robot: model.name().to_owned(), joint: joint() });
            }
            let Some(motor) = &link.motor else { continue };
            let Some(stiffness) = motor.stiffness else { continue };
            if link.joint.nv() != 1 {
                return Err(ElasticError::Joint { joint: joint(), why: "must have one degree of freedom" });
            }
            if link.mimic.is_some() {
                return Err(ElasticError::Joint { joint: joint(), why: "must not be coupled to another" });
            }
            for (what, value) in [("stiffness", stiffness), ("motor inertia", motor.reflected_inertia())] {
                let bad = value.is_zero() || value.to_f64().is_some_and(|value| value.is_nan() || value <= 0.0);
                if bad {
                    let value = value.to_f64().unwrap_or(0.0);
                    return Err(ElasticError::NotPositive { joint: joint(), what, value });
                }
            }
        }
        let springs: Vec<_> = springs(model).collect();
        if springs.is_empty() {
            return Err(ElasticError::NoElasticJoint { robot: model.name().to_owned() });
        }
        let rigid = (0..model.nv()).filter(|dof| springs.iter().all(|spring| spring.dof != *dof)).collect();
        Ok(Self { model: model.clone(), springs, rigid, couplings: Vec::new() })
    }

    /// The same robot with rotors that turn with the links that carry them: the [complete model](super::rotors). Laws and
    /// inverse dynamics keep to the reduced one.
    #[must_use]
    pub fn with_complete_rotors(mut self) -> Self {
        let springs: Vec<usize> = self.springs.iter().map(|spring| spring.dof).collect();
        self.couplings = couplings(&self.model, &springs);
        self
    }

    /// The same robot with this damping of every spring, N m s/rad at the link, whatever its file says.
    ///
    /// # Errors
    /// A damping that is negative or not finite.
    pub fn with_damping(&self, damping: f64) -> Result<Self, ElasticError> {
        if !(damping >= 0.0 && damping.is_finite()) {
            let expected = "zero or a positive number";
            return Err(ElasticError::Range { what: "damping of the springs", expected, value: damping });
        }
        let is_complete = !self.couplings.is_empty();
        let mut links = self.model.links().to_vec();
        for spring in &self.springs {
            if let Some(motor) = &mut links[spring.link].motor {
                motor.damping = T::from_f64(damping);
            }
        }
        let damped = Self::new(&self.model.rebuilt(self.model.gravity(), links))?;
        Ok(if is_complete { damped.with_complete_rotors() } else { damped })
    }

    /// What couples rotors to the links that carry them; empty in the reduced model.
    #[must_use]
    pub fn couplings(&self) -> &[Coupling<T>] {
        &self.couplings
    }

    /// The robot, whose M and τ are those of the links, with the rotors of rigid joints only.
    #[must_use]
    pub fn model(&self) -> &Model<T> {
        &self.model
    }

    /// The springs in the order of the velocity.
    #[must_use]
    pub fn springs(&self) -> &[Spring<T>] {
        &self.springs
    }

    /// The velocities of rigid joints.
    #[must_use]
    pub fn rigid(&self) -> &[usize] {
        &self.rigid
    }

    /// True if some spring is damped.
    #[must_use]
    pub fn is_damped(&self) -> bool {
        self.springs.iter().any(|spring| !spring.damping.is_zero())
    }

    /// Degrees of freedom: of the links and of the rotors that move on their own.
    #[must_use]
    pub fn freedom(&self) -> usize {
        self.model.nv() + self.springs.len()
    }

    /// The torques that the springs exert on their links, written to their joints in `tau`; other entries are left.
    pub fn spring_torques_into<S: Scalar<Constant = T>>(&self, state: &ElasticState<'_, S>, tau: &mut [S]) {
        for (k, spring) in self.springs.iter().enumerate() {
            let i = spring.dof;
            tau[i] = spring.torque(state.theta[k] - state.q[i], state.theta_d[k] - state.qd[i]);
        }
    }

    /// Rotor values for all joints: those of the springs, and the link's own where the joint is rigid.
    #[must_use]
    pub fn all_positions<S: Scalar<Constant = T>>(&self, q: &[S], theta: &[S]) -> Vec<S> {
        let mut all = q.to_vec();
        for (spring, &theta) in self.springs.iter().zip(theta) {
            all[spring.dof] = theta;
        }
        all
    }
}
