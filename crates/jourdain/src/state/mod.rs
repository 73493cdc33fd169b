//! The state a quantity is evaluated at: position, velocity, their derivatives, reference motion, torques and wrenches.

mod input;

pub use input::{Course, Input, Inputs};

use crate::model::Model;
use crate::spatial::Wrench;
use jourdain_symbolic::{Constant, Scalar};

/// How many rates of a wrench a state has.
pub const WRENCH_RATES: usize = 2;

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

    /// A wrench with its rates, in order; rates that are not given are zero, and those above the second are not kept.
    #[must_use]
    pub fn with_rates(link: usize, orders: &[Wrench<S>]) -> Self {
        let order = |k: usize| orders.get(k).copied().unwrap_or_else(Wrench::zero);
        Self { link, wrench: order(0), dot: order(1), ddot: order(2) }
    }
}

impl<S: Copy> LinkWrench<S> {
    /// The wrench and its rates, in order.
    #[must_use]
    pub fn orders(&self) -> [Wrench<S>; WRENCH_RATES + 1] {
        [self.wrench, self.dot, self.ddot]
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
    /// Reference jerk, for rates of Slotine–Li regressors.
    pub qddd_r: Vec<S>,
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
            qddd_r: zero.clone(),
            tau: zero,
            wrenches: Vec::new(),
        }
    }
}

impl<S> State<S> {
    /// A derivative of the position of any order, 0 being the position itself; `None` where the state ends.
    #[must_use]
    pub fn derivative(&self, order: usize) -> Option<&[S]> {
        match Input::of_motion(order).vector(self) {
            Some(vector) => Some(vector),
            None => self.derivatives.get(order - Input::FIRST_HIGHER).map(Vec::as_slice),
        }
    }

    /// Sets a derivative of the position of any order, those above the fourth in turn.
    ///
    /// # Panics
    /// If an order above the fourth comes before one that is lower.
    pub fn set_derivative(&mut self, order: usize, values: Vec<S>) {
        if let Some(vector) = Input::of_motion(order).vector_mut(self) {
            *vector = values;
        } else if self.derivatives.len() == order - Input::FIRST_HIGHER {
            self.derivatives.push(values);
        } else {
            self.derivatives[order - Input::FIRST_HIGHER] = values;
        }
    }

    /// The same state with every number made into another.
    #[must_use]
    pub fn map<T>(&self, f: impl Fn(&S) -> T) -> State<T>
    where
        S: Copy,
    {
        let vector = |vector: &Vec<S>| vector.iter().map(&f).collect::<Vec<T>>();
        let wrench = |wrench: Wrench<S>| Wrench {
            force: crate::spatial::Vector(wrench.force.0.each_ref().map(&f)),
            moment: crate::spatial::Vector(wrench.moment.0.each_ref().map(&f)),
        };
        let load = |load: &LinkWrench<S>| LinkWrench {
            link: load.link,
            wrench: wrench(load.wrench),
            dot: wrench(load.dot),
            ddot: wrench(load.ddot),
        };
        State {
            q: vector(&self.q),
            qd: vector(&self.qd),
            qdd: vector(&self.qdd),
            qddd: vector(&self.qddd),
            qdddd: vector(&self.qdddd),
            derivatives: self.derivatives.iter().map(vector).collect(),
            qd_r: vector(&self.qd_r),
            qdd_r: vector(&self.qdd_r),
            qddd_r: vector(&self.qddd_r),
            tau: vector(&self.tau),
            wrenches: self.wrenches.iter().map(load).collect(),
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
    /// A wrench acts on a link that a function was not made for.
    #[error("a wrench acts on link `{link}`, whose wrenches this function does not take")]
    LinkNotLoaded {
        /// The link's name.
        link: String,
    },
}

impl State<f64> {
    /// Checks lengths and values, and scales quaternions to unit length.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn checked(mut self, model: &Model<f64>) -> Result<Self, StateError> {
        for &input in Input::ALL {
            input.check(model, &self)?;
            if let Some(vector) = input.vector(&self) {
                check_vector(input.key(), vector, vector.len(), model.name())?;
            }
        }
        for vector in &self.derivatives {
            check_vector(Input::Higher.key(), vector, model.nv(), model.name())?;
        }
        for wrench in self.wrenches.iter().flat_map(LinkWrench::orders) {
            check_vector(Input::Wrenches.key(), &wrench.to_array(), 6, model.name())?;
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

/// Where quaternions start in a position, with the joint they belong to.
pub(crate) fn quaternions<T: Constant>(model: &Model<T>) -> impl Iterator<Item = (usize, &str)> {
    model.links().iter().filter_map(|link| Some((link.q + link.joint.quaternion()?, link.joint_name.as_str())))
}

/// Scales the quaternions of spherical and free joints to unit length.
///
/// # Errors
/// A quaternion of length zero.
pub fn normalize_quaternions(model: &Model<f64>, q: &mut [f64]) -> Result<(), StateError> {
    quaternions(model).try_for_each(|(start, joint)| normalize(q, start, joint))
}

/// Scales the quaternion of a joint that starts there to unit length.
pub(crate) fn normalize(q: &mut [f64], start: usize, joint: &str) -> Result<(), StateError> {
    let quaternion = &mut q[start..start + 4];
    // Scaled first, so that neither huge nor tiny numbers spoil the squares.
    let largest = quaternion.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return Err(StateError::ZeroQuaternion { joint: joint.to_owned(), index: start });
    }
    quaternion.iter_mut().for_each(|x| *x /= largest);
    let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter_mut().for_each(|x| *x /= norm);
    Ok(())
}
