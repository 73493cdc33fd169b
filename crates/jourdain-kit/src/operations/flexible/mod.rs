//! `jourdain flexible`: planar arms with flexible links.

mod animate;
mod derive;
mod eval;
mod linearise;
mod modes;
mod simulate;

use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use clap::{Subcommand, ValueEnum};
use jourdain::flexible::{ArmDescription, BuiltArm, Kinematics, Payload};
use std::path::Path;

/// Model, simulate and draw planar arms with flexible links
#[derive(Debug, clap::Args)]
#[command(
    after_help = "ARM is the built-in two_link_flexible, a file (.toml or .json), or - for JSON on standard input."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What to do with the arm.
#[derive(Debug, Subcommand)]
enum Command {
    Modes(modes::Arguments),
    Eval(eval::Arguments),
    Simulate(simulate::Arguments),
    Linearise(linearise::Arguments),
    Derive(derive::Arguments),
    Animate(animate::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    match &arguments.command {
        Command::Modes(arguments) => modes::run(arguments, output),
        Command::Eval(arguments) => eval::run(arguments, output),
        Command::Simulate(arguments) => simulate::run(arguments, output),
        Command::Linearise(arguments) => linearise::run(arguments, output),
        Command::Derive(arguments) => derive::run(arguments, output),
        Command::Animate(arguments) => animate::run(arguments, output),
    }
}

/// The arm, and what to change of it.
#[derive(Debug, clap::Args)]
struct ArmArguments {
    /// Built-in name, file, or - for JSON on standard input
    arm: String,

    /// How far deflections are kept, instead of what the file says
    #[arg(long, value_name = "NAME")]
    kinematics: Option<KinematicsName>,

    /// Another payload: mass in kg and inertia in kg m²
    #[arg(long, value_name = "MASS,INERTIA", value_delimiter = ',', num_args = 1..=2, allow_negative_numbers = true)]
    payload: Option<Vec<f64>>,

    /// Keep the mode shapes of the file's payload under the other payload
    #[arg(long, requires = "payload")]
    keep_modes: bool,
}

/// How far deflections are kept.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KinematicsName {
    /// To first order, as in the paper
    Paper,
    /// Linear frame transformations, nothing dropped
    Linear,
    /// Frames turned by the slopes, nothing dropped
    Rotation,
}

impl ArmArguments {
    /// The description with the changes but for a payload under kept modes.
    fn describe(&self) -> Result<ArmDescription, Failure> {
        let mut description = input::read_arm(&self.arm)?;
        if let Some(name) = self.kinematics {
            description.kinematics = match name {
                KinematicsName::Paper => Kinematics::Paper,
                KinematicsName::Linear => Kinematics::Linear,
                KinematicsName::Rotation => Kinematics::Rotation,
            };
        }
        if let Some(payload) = self.other_payload()?.filter(|_| !self.keep_modes) {
            description.payload = payload;
        }
        Ok(description)
    }

    fn other_payload(&self) -> Result<Option<Payload<f64>>, Failure> {
        let Some(numbers) = &self.payload else { return Ok(None) };
        if let Some(bad) = numbers.iter().find(|x| !(**x >= 0.0 && x.is_finite())) {
            return Err(Failure::new("bad-option", format!("a payload must be zero or positive, not {bad}")));
        }
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
        Ok(Some(Payload { mass: number(0), inertia: number(1) }))
    }

    fn build(&self) -> Result<BuiltArm, Failure> {
        let mut built = build(&self.describe()?, &self.arm)?;
        if let Some(payload) = self.other_payload()?.filter(|_| self.keep_modes) {
            built.arm = built.arm.with_payload(payload);
        }
        Ok(built)
    }
}

/// The arm of a description.
fn build(description: &ArmDescription, name: &str) -> Result<BuiltArm, Failure> {
    description.build().map_err(|error| Failure::new("bad-arm", error.to_string()).file(name))
}

/// A list of numbers or of lists of numbers that stands on the command line.
fn lists(text: &str, option: &str) -> Result<Vec<Vec<f64>>, Failure> {
    let failure = |why: &str| {
        Failure::new("bad-option", format!("{option} `{text}` is not a list of lists of numbers{why}"))
            .hint(format!("write {option} '[[0, 0], [0, 1.57]]'"))
    };
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| failure(&format!(": {error}")))?;
    let flat = serde_json::from_value::<Vec<f64>>(value.clone()).map(|row| vec![row]);
    flat.or_else(|_| serde_json::from_value(value)).map_err(|_| failure(""))
}

/// Writes a file that the command made.
fn write(path: &Path, what: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| {
        Failure::new("cannot-write", format!("cannot write the {what}: {error}")).file(path.display().to_string())
    })
}
