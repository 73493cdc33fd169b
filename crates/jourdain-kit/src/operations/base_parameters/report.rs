//! What `base-parameters` finds, as JSON has it.

use super::Shown;
use crate::nested::Nested;
use jourdain::parameters;
use schemars::JsonSchema;
use serde::Serialize;

/// The base parameters: base = matrix · standard.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// How many there are.
    pub count: usize,
    /// How many are kept of each link, drives not counted.
    pub per_link: Vec<usize>,
    /// The standard parameters, which the columns of the matrix count.
    pub labels: Vec<String>,
    /// The regrouping, count × labels, row-major; lengths in m.
    pub matrix: Nested<'static>,
    /// The base parameters, which the rows of the matrix count.
    pub parameters: Vec<BaseParameter>,
    /// Standard parameters without effect on the motion.
    pub no_effect: Vec<String>,
    /// Rank of the regressor over random states in floating point; null for too many parameters, and where floating point
    /// cannot see it, which `doubt` then says.
    pub numeric_rank: Option<usize>,
    /// How many times smaller the first singular value is that does not count; null if there is none.
    pub gap: Option<f64>,
    /// Rank of the regressor modulo another prime than that of the count; null for very large robots.
    pub exact_rank: Option<usize>,
    /// Standard parameters that are regrouped into others.
    pub regrouped: Vec<Regrouped>,
    /// The standard parameters by the names of their links.
    pub columns: Vec<String>,
    /// How the parameters were found.
    pub method: Method,
    /// Values of the robot that were taken as what they were meant to be.
    pub notices: Vec<String>,
    /// Why the singular values do not bear out the count; null if they do, or if there are none.
    pub doubt: Option<String>,
    /// Within what angles were taken as special ones, and what that does.
    pub snap: SnapReport,
    /// The largest torque of each base parameter alone over random states within the limits, N m or N.
    pub torques: Vec<f64>,
    /// Base parameters that count, but whose values show in no torque.
    pub weak: Vec<String>,
    #[serde(skip)]
    pub(super) shown: Shown,
}

/// What taking angles as special ones does.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SnapReport {
    /// rad
    pub distance: f64,
    /// The count with everything as written; the same number if nothing was changed.
    pub count_as_written: usize,
    /// The largest change of a torque over random states within the limits, N m or N.
    pub torque: f64,
    /// The largest change relative to the largest torque of its joint.
    pub relative: f64,
    /// Per velocity, where something was changed.
    pub joints: Vec<JointEffect>,
}

/// What taking angles as special ones does to one joint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JointEffect {
    /// The joint, with the part where it has several numbers.
    pub joint: String,
    /// N m or N
    pub torque: f64,
    /// Relative to the largest torque of the joint.
    pub relative: f64,
}

/// A base parameter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BaseParameter {
    /// `ZZR1`: what it is kept as; R marks one that others are regrouped into.
    pub name: String,
    /// `ZZ1 + YY2`: the sum of standard parameters.
    pub formula: String,
    /// The equation as LaTeX.
    pub latex: String,
    /// The value for this robot, SI.
    pub value: f64,
}

/// A standard parameter that is not kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Regrouped {
    /// The parameter.
    pub name: String,
    /// What it is added to or subtracted from.
    pub to: Vec<String>,
    /// The rule.
    pub why: String,
}

/// How base parameters are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// From the geometry, joint by joint.
    Structural,
    /// From the geometry, coupled joints taken together.
    Blocks,
}

impl From<parameters::Method> for Method {
    fn from(method: parameters::Method) -> Self {
        match method {
            parameters::Method::Structural => Self::Structural,
            parameters::Method::Blocks => Self::Blocks,
        }
    }
}
