//! `jourdain elastic`: robots with elastic joints.

mod linearise;
mod robustness;
mod setup;
mod simulate;

use crate::failure::Failure;
use crate::output::Output;

/// Simulate, linearise and stress robots with elastic joints
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A joint is elastic if its motor has a stiffness in the robot file. Built in: planar2r_elastic, \
                        iiwa14_elastic."
)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Simulate(simulate::Arguments),
    Robustness(robustness::Arguments),
    Linearise(linearise::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    match &arguments.command {
        Command::Simulate(arguments) => simulate::run(arguments, output),
        Command::Robustness(arguments) => robustness::run(arguments, output),
        Command::Linearise(arguments) => linearise::run(arguments, output),
    }
}
