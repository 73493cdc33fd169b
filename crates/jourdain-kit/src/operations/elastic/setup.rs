//! What the operations on elastic robots have in common: robot, law, poles, reference.

use crate::host::Host;
use crate::motion::control::{WAVES, named_motion, read_poles};
use crate::motion::step;
use crate::problem::Problem;
use crate::read;
use crate::resolve::Robot;
use crate::sources;
use jourdain::Model;
use jourdain::elastic::control::{Kind, Pole};
use jourdain::elastic::{ElasticError, ElasticModel};
use jourdain::prescribed::PrescribedMotion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Control laws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Exact feedback linearisation
    #[default]
    Linearising,
    /// Flatness feed-forward and PD on the motors
    Feedforward,
    /// Computed torque as if the joints were rigid
    ComputedTorque,
    /// No torque
    None,
}

impl Law {
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Linearising => Kind::Linearising,
            Self::Feedforward => Kind::Feedforward,
            Self::ComputedTorque => Kind::ComputedTorque,
            Self::None => Kind::None,
        }
    }

    /// Its name, as it is given.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Linearising => "linearising",
            Self::Feedforward => "feedforward",
            Self::ComputedTorque => "computed-torque",
            Self::None => "none",
        }
    }
}

/// What every operation that closes a loop is told.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Loop {
    /// Control law
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_enum, default_value_t))]
    pub controller: Law,

    /// What the links are to do: JSON file, CSV file of samples, the JSON itself, or a built-in name
    #[schemars(extend("x-table" = sources::samples()))]
    #[serde(default = "waves_name")]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE|JSON|NAME", default_value_t = waves_name()))]
    pub trajectory: String,

    /// Standard deviation of the Gaussian that smooths samples, s
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", allow_negative_numbers = true))]
    pub smoothing: Option<f64>,

    /// Error poles as decay rates, 1/s: one for all, or four, such as 8+3i,8-3i,12,12
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATES", value_delimiter = ',', allow_hyphen_values = true))]
    pub poles: Vec<String>,

    /// How far the links start off the reference, q_d - q, as a JSON list; without it on the reference
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "JSON"))]
    pub offset: Option<String>,

    /// Time to simulate, s; without it the length of the trajectory
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "S", allow_negative_numbers = true))]
    pub duration: Option<f64>,

    /// Step length, s
    #[serde(default = "step")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = step(), allow_negative_numbers = true))]
    pub step: f64,

    /// Damping of every spring, N m s/rad at the link, instead of what the robot file says
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "D", allow_negative_numbers = true))]
    pub damping: Option<f64>,

    /// Cut torques at the largest that each drive can give, `effort` in the robot file
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub saturate: bool,

    /// Sample the law at this frequency and hold its torque in between, Hz
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HZ", allow_negative_numbers = true))]
    pub sample: Option<f64>,
}

fn waves_name() -> String {
    WAVES.to_owned()
}

/// A loop as it was asked for.
#[derive(Debug)]
pub(super) struct Setup {
    pub elastic: ElasticModel<f64>,
    pub motion: PrescribedMotion,
    /// As asked for.
    pub poles: Option<[Pole; 4]>,
    pub offset: Vec<f64>,
    pub duration: f64,
}

impl Loop {
    pub(super) fn read(&self, robot: &Robot, host: &dyn Host) -> Result<Setup, Problem> {
        let elastic = load(robot, host)?;
        let elastic = self.damping.map_or(Ok(elastic.clone()), |damping| elastic.with_damping(damping))?;
        let model = elastic.model();
        let motion = named_motion(&self.trajectory, self.smoothing, model, host)?;
        let offset = read_list("offset", self.offset.as_deref(), model)?;
        let duration = self.duration.unwrap_or(motion.end - motion.start);
        let poles = if self.poles.is_empty() { None } else { Some(read_poles(&self.poles)?) };
        if elastic.is_damped() && self.controller == Law::Linearising {
            host.remark("the springs have damping, which the exact linearisation leaves out");
        }
        if self.controller != Law::None {
            remark_on_ends(&motion, host);
        }
        Ok(Setup { poles, offset, duration, motion, elastic })
    }
}

/// A motion that comes to rest as far as the links go may still end in a jerk, which turns the motors.
fn remark_on_ends(motion: &PrescribedMotion, host: &dyn Host) {
    let largest =
        |order: usize, t: f64| motion.joints.iter().map(|curve| curve.derivative(order, t).abs()).fold(0.0, f64::max);
    let length = (motion.end - motion.start).max(f64::MIN_POSITIVE);
    let shakes = |t: f64| {
        // Derivatives of splines are zero at their ends but for rounding, which grows with each order.
        let rests = [1, 2].iter().all(|&r| largest(r, t) * length.powi(r as i32) < 1e-9);
        rests && largest(3, t) * length.powi(3) > 1e-6
    };
    if shakes(motion.start) || shakes(motion.end) {
        host.remark(
            "the trajectory rests at its ends but for a jerk, so that the motors do not: splines \"septic\" and \"nonic\" have none",
        );
    }
}

/// A robot that has elastic joints.
pub(super) fn load(robot: &Robot, host: &dyn Host) -> Result<ElasticModel<f64>, Problem> {
    Ok(ElasticModel::new(&robot.load(host)?)?)
}

impl From<ElasticError> for Problem {
    fn from(error: ElasticError) -> Self {
        let hint = match &error {
            ElasticError::NoElasticJoint { .. } => Some(
                "a motor with a `stiffness` makes a joint elastic; planar2r_elastic and iiwa14_elastic are built in",
            ),
            ElasticError::Quaternions { .. } => {
                Some("fix the base to the ground, or write the joint as a chain of joints with one number each")
            }
            ElasticError::Singular { .. } => Some("`jourdain check` names massless links that make it so"),
            ElasticError::Integration(_) => {
                Some("the loop may be unstable: try slower --poles or another --controller; or a smaller --step")
            }
            _ => None,
        };
        let problem = Self::new(error.kind(), error.to_string()).hints(hint);
        if error.is_breakdown() { problem.unsolved() } else { problem }
    }
}

/// A JSON list with a number per joint; zeros if none is given.
pub(super) fn read_list(what: &str, text: Option<&str>, model: &Model<f64>) -> Result<Vec<f64>, Problem> {
    let Some(text) = text else { return Ok(vec![0.0; model.nv()]) };
    let list = read::list(text, &format!("--{what}"))?;
    let expected = model.nv();
    if list.len() != expected {
        let message = format!("the {what} has {} numbers, but {} has {expected} joints", list.len(), model.name());
        return Err(Problem::new("wrong-length", message));
    }
    Ok(list)
}
