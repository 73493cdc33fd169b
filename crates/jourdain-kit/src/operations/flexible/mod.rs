//! Operations on planar arms with flexible links, and what they have in common: the arm and what to change of it.

pub mod animate;
mod converged;
pub mod derive;
pub mod eval;
pub mod linearise;
pub mod modes;
pub mod simulate;

use crate::host::Host;
use crate::problem::Problem;
use crate::resolve::Arm;
use jourdain::flexible::{ArmDescription, BuiltArm, FlexibleArm, Payload, stiffening};
use jourdain::formats::Stated;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The arm, and what to change of it.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ChangedArm {
    /// The arm
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub arm: Arm,

    /// How far deflections are kept, instead of what the file says
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub kinematics: Option<Kinematics>,

    /// Another payload: mass in kg and inertia in kg m²
    #[serde(default)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MASS,INERTIA", value_delimiter = ',', num_args = 1..=2, allow_negative_numbers = true)
    )]
    pub payload: Option<Vec<f64>>,

    /// Keep the mode shapes of the file's payload under the other payload
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "payload"))]
    pub keep_modes: bool,
}

/// How far deflections are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Kinematics {
    /// To first order, as in the paper
    Paper,
    /// Linear frame transformations, nothing dropped
    Linear,
    /// Frames turned by the slopes, nothing dropped
    Rotation,
    /// And links that keep their length to second order: stiffened by spin, buckling under load
    Stiffened,
    /// And links that keep their length exactly; for numbers, not for formulas
    Exact,
}

impl Kinematics {
    fn of_library(self) -> jourdain::flexible::Kinematics {
        match self {
            Self::Paper => jourdain::flexible::Kinematics::Paper,
            Self::Linear => jourdain::flexible::Kinematics::Linear,
            Self::Rotation => jourdain::flexible::Kinematics::Rotation,
            Self::Stiffened => jourdain::flexible::Kinematics::Stiffened,
            Self::Exact => jourdain::flexible::Kinematics::Exact,
        }
    }
}

impl ChangedArm {
    /// True if it comes from standard input.
    fn is_stdin(&self) -> bool {
        self.arm.arm == crate::read::STDIN
    }

    /// The description with the changes but for a payload under kept modes, and what was stated of it.
    fn describe(&self, host: &dyn Host) -> Result<(ArmDescription, Stated), Problem> {
        let (mut description, mut stated) = self.arm.load(host)?;
        if let Some(kinematics) = self.kinematics {
            description.kinematics = kinematics.of_library();
            stated.kinematics = true;
        }
        if let Some(payload) = self.other_payload()?.filter(|_| !self.keep_modes) {
            description.payload = payload;
        }
        Ok((description, stated))
    }

    fn other_payload(&self) -> Result<Option<Payload<f64>>, Problem> {
        let Some(numbers) = &self.payload else { return Ok(None) };
        if !(1..=2).contains(&numbers.len()) {
            return Err(Problem::new("bad-option", "a payload is a mass, or a mass and an inertia"));
        }
        if let Some(bad) = numbers.iter().find(|x| !(**x >= 0.0 && x.is_finite())) {
            return Err(Problem::new("bad-option", format!("a payload must be zero or positive, not {bad}")));
        }
        Ok(Some(Payload { mass: numbers[0], inertia: numbers.get(1).copied().unwrap_or(0.0) }))
    }

    /// The arm of a description made from this one.
    fn assemble(&self, description: &ArmDescription) -> Result<BuiltArm, Problem> {
        description.build().map_err(|error| Problem::new("bad-arm", error.to_string()).file(&self.arm.arm))
    }

    fn build(&self, host: &dyn Host) -> Result<BuiltArm, Problem> {
        self.finish(&self.describe(host)?.0)
    }

    /// The arm of a description made from this one, with a payload under kept modes.
    fn finish(&self, description: &ArmDescription) -> Result<BuiltArm, Problem> {
        let mut built = self.assemble(description)?;
        if let Some(payload) = self.other_payload()?.filter(|_| self.keep_modes) {
            built.arm = built.arm.with_payload(payload);
        }
        Ok(built)
    }
}

/// Changes of a frequency that are worth a word.
const WORTH_A_WARNING: f64 = 0.05;

/// A warning if geometric stiffness, which the arm's kinematics leave out, changes a frequency at one of these states, positions and
/// rates, by more than that.
fn stiffness_warning(arm: &FlexibleArm<f64>, states: &[[Vec<f64>; 2]]) -> Option<String> {
    let all = states.iter().filter_map(|[q, qd]| stiffening(arm, q, qd));
    let found = all.max_by(|a, b| a.change().total_cmp(&b.change()))?;
    if found.change() <= WORTH_A_WARNING {
        return None;
    }
    let hertz = |square: f64| format!("{:.4} Hz", square.sqrt() / std::f64::consts::TAU);
    let [without, with] = [found.without, found.with];
    let what = match (without > 0.0, with > 0.0) {
        (true, true) => format!("from {} to {}, by {:.0} %", hertz(without), hertz(with), 100.0 * found.change()),
        (true, false) => format!("from {} to none: the arm buckles", hertz(without)),
        (false, true) => format!("to {}, where without it the arm would seem unstable", hertz(with)),
        (false, false) => return None,
    };
    let (number, name) = (found.number, arm.kinematics().name());
    Some(format!(
        "geometric stiffness, which `{name}` kinematics leave out, changes locked frequency {number} {what}; `stiffened` has it"
    ))
}

/// The description with the payload that many times.
fn scaled(description: &ArmDescription, scale: f64) -> ArmDescription {
    let Payload { mass, inertia } = description.payload;
    ArmDescription { payload: Payload { mass: scale * mass, inertia: scale * inertia }, ..description.clone() }
}
