//! Which quantities are asked for, and their numbers at states.

use crate::host::Host;
use crate::problem::Problem;
use jourdain::batch::evaluate_batch;
use jourdain::model::Link;
use jourdain::quantity::{Path, Quantity, QuantityError};
use jourdain::{Model, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// A quantity under the name it was asked for by.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The name.
    pub name: String,
    /// The quantity.
    pub quantity: Quantity,
}

/// Which formulas to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The fast recursive algorithms
    #[default]
    Recursive,
    /// The closed forms of the papers
    Closed,
}

impl Method {
    /// The path of the registry.
    #[must_use]
    pub fn path(self) -> Path {
        match self {
            Self::Recursive => Path::Fast,
            Self::Closed => Path::Closed,
        }
    }
}

/// Names separated by commas. A link's name may hold a comma itself, so the whole is tried first.
///
/// # Errors
/// No name, or one that is no quantity of the robot.
pub fn parse_quantities(arguments: &[String], model: &Model<f64>) -> Result<Vec<Asked>, Problem> {
    if arguments.is_empty() {
        return Err(Problem::usage("no quantity is asked for").hint("`jourdain quantities` lists them"));
    }
    let mut asked: Vec<Asked> = Vec::new();
    let mut push = |name: &str, quantity: Quantity| {
        if asked.iter().all(|other| other.name != name) {
            asked.push(Asked { name: name.to_owned(), quantity });
        }
    };
    for argument in arguments {
        match Quantity::parse(argument, model) {
            Ok(quantity) => push(argument, quantity),
            Err(_) => {
                for name in argument.split(',').map(str::trim) {
                    push(name, Quantity::parse(name, model)?);
                }
            }
        }
    }
    Ok(asked)
}

/// Warns where a quantity at one instant is not what the robot needs: motors of damped springs have a history.
pub fn warn_of_damping(asked: &[Asked], model: &Model<f64>, host: &dyn Host) {
    let is_damped =
        |link: &Link<f64>| link.motor.is_some_and(|motor| motor.stiffness.is_some() && motor.damping != 0.0);
    let Some(link) = model.links().iter().find(|link| is_damped(link)) else { return };
    for asked in asked.iter().filter(|asked| asked.quantity.entry().name.starts_with("elastic_motor_")) {
        host.warn(format!(
            "`{}` leaves out the damping of joint `{}`: with it the motor's position follows from the past of the motion; \
             `jourdain elastic inverse` solves for it along a trajectory",
            asked.name, link.joint_name
        ));
    }
}

/// The numbers of all quantities at all states: `result[state][quantity]`, row-major.
///
/// # Errors
/// What is wrong at which state.
pub fn evaluate(
    asked: &[Asked],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    host: &dyn Host,
) -> Result<Vec<Vec<Vec<f64>>>, Problem> {
    evaluate_all(asked, path, model, states, host)
        .map_err(|(index, error)| Problem::new(error.kind(), format!("state {index}: {error}")).hints(error.hint()))
}

pub(super) fn evaluate_all(
    asked: &[Asked],
    path: Path,
    model: &Model<f64>,
    states: &[State<f64>],
    host: &dyn Host,
) -> Result<Vec<Vec<Vec<f64>>>, (usize, QuantityError)> {
    let quantities: Vec<_> = asked.iter().map(|asked| asked.quantity).collect();
    let finished = AtomicU64::new(0);
    evaluate_batch(&quantities, path, model, states, |more| {
        let finished = finished.fetch_add(more as u64, Ordering::Relaxed) + more as u64;
        host.progress(finished as f64 / states.len() as f64);
    })
}
