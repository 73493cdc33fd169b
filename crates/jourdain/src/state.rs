//! The state a quantity is evaluated at: position, velocity, their derivatives, reference motion, torques and wrenches.

use crate::model::{Model, Motion};
use crate::spatial::Wrench;
use jourdain_symbolic::Scalar;

/// A wrench **applied to** a link, in link axes at the link origin, with its time derivatives there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkWrench<S> {
    /// The link's index.
    pub link: usize,
    /// The wrench.
    pub wrench: Wrench<S>,
    /// Rate of its components in link axes.
    pub dot: Wrench<S>,
    /// Second derivative of its components in link axes.
    pub ddot: Wrench<S>,
}

impl<S: Scalar> LinkWrench<S> {
    /// A wrench that is constant in link axes.
    #[must_use]
    pub fn constant(link: usize, wrench: Wrench<S>) -> Self {
        Self { link, wrench, dot: Wrench::zero(), ddot: Wrench::zero() }
    }
}

/// All that a quantity may read. Vectors are in the order of the velocity but `q`.
#[derive(Clone, Debug, PartialEq)]
pub struct State<S = f64> {
    /// Position, length `nq`.
    pub q: Vec<S>,
    /// Velocity; body rates for spherical and free joints.
    pub qd: Vec<S>,
    /// Acceleration: the rate of `qd`.
    pub qdd: Vec<S>,
    /// Jerk.
    pub qddd: Vec<S>,
    /// Snap.
    pub qdddd: Vec<S>,
    /// Derivatives of order 5, 6, … of the position.
    pub derivatives: Vec<Vec<S>>,
    /// Reference velocity of Slotine–Li control.
    pub qd_r: Vec<S>,
    /// Reference acceleration of Slotine–Li control.
    pub qdd_r: Vec<S>,
    /// Joint torques and forces.
    pub tau: Vec<S>,
    /// Wrenches applied to links.
    pub wrenches: Vec<LinkWrench<S>>,
}

impl<S: Scalar> State<S> {
    /// At rest in the neutral position, without load.
    #[must_use]
    pub fn neutral(model: &Model<S::Constant>) -> Self {
        let zero = vec![S::zero(); model.nv()];
        Self {
            q: model.neutral(),
            qd: zero.clone(),
            qdd: zero.clone(),
            qddd: zero.clone(),
            qdddd: zero.clone(),
            derivatives: Vec::new(),
            qd_r: zero.clone(),
            qdd_r: zero.clone(),
            tau: zero,
            wrenches: Vec::new(),
        }
    }
}

/// What is wrong with a state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StateError {
    /// A vector has the wrong length.
    #[error("`{name}` has {found} numbers, but {robot} needs {expected}")]
    Length {
        /// The vector.
        name: &'static str,
        /// The robot's name.
        robot: String,
        /// Length given.
        found: usize,
        /// Length needed.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("`{name}`[{index}] is {value}, which is not a finite number")]
    NotFinite {
        /// The vector.
        name: &'static str,
        /// Index in it.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A quaternion cannot be normalised.
    #[error("the quaternion of joint `{joint}` (q[{index}..]) has length zero")]
    ZeroQuaternion {
        /// The joint's name.
        joint: String,
        /// Index of its first number in `q`.
        index: usize,
    },
    /// A wrench names a link that is not there.
    #[error("a wrench acts on link number {link}, but {robot} has {count} links")]
    NoSuchLink {
        /// The link's index.
        link: usize,
        /// The robot's name.
        robot: String,
        /// Number of links.
        count: usize,
    },
}

impl State<f64> {
    /// Checks lengths and values, and scales quaternions to unit length.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn checked(mut self, model: &Model<f64>) -> Result<Self, StateError> {
        let vectors = [
            ("q", &self.q, model.nq()),
            ("qd", &self.qd, model.nv()),
            ("qdd", &self.qdd, model.nv()),
            ("qddd", &self.qddd, model.nv()),
            ("qdddd", &self.qdddd, model.nv()),
            ("qd_r", &self.qd_r, model.nv()),
            ("qdd_r", &self.qdd_r, model.nv()),
            ("tau", &self.tau, model.nv()),
        ];
        let higher = self.derivatives.iter().map(|v| ("derivatives", v, model.nv()));
        for (name, vector, expected) in vectors.into_iter().chain(higher) {
            check_vector(name, vector, expected, model.name())?;
        }
        for load in &self.wrenches {
            if load.link >= model.links().len() {
                let (robot, count) = (model.name().to_owned(), model.links().len());
                return Err(StateError::NoSuchLink { link: load.link, robot, count });
            }
            for wrench in [load.wrench, load.dot, load.ddot] {
                check_vector("wrenches", &wrench.to_array(), 6, model.name())?;
            }
        }
        normalize_quaternions(model, &mut self.q)?;
        Ok(self)
    }
}

/// That a vector has the right length and only finite numbers.
///
/// # Errors
/// Which it has not.
pub fn check_vector(name: &'static str, vector: &[f64], expected: usize, robot: &str) -> Result<(), StateError> {
    if vector.len() != expected {
        return Err(StateError::Length { name, robot: robot.to_owned(), found: vector.len(), expected });
    }
    match vector.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(StateError::NotFinite { name, index, value: vector[index] }),
        None => Ok(()),
    }
}

/// Scales the quaternions of spherical and free joints to unit length.
///
/// # Errors
/// A quaternion of length zero.
pub fn normalize_quaternions(model: &Model<f64>, q: &mut [f64]) -> Result<(), StateError> {
    for link in model.links() {
        let start = match link.joint.motion {
            Motion::Product(_) => continue,
            Motion::Spherical { .. } => link.q,
            Motion::Free => link.q + 3,
        };
        let quaternion = &mut q[start..start + 4];
        // Scaled first, so that neither huge nor tiny numbers spoil the squares.
        let largest = quaternion.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if largest == 0.0 {
            return Err(StateError::ZeroQuaternion { joint: link.joint_name.clone(), index: start });
        }
        quaternion.iter_mut().for_each(|x| *x /= largest);
        let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        quaternion.iter_mut().for_each(|x| *x /= norm);
    }
    Ok(())
}
