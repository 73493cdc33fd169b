//! The subcommands, one file each.

pub mod base_parameters;
pub mod bench;
pub mod check;
pub mod completions;
pub mod derive;
pub mod elastic;
pub mod eval;
pub mod excite;
pub mod flexible;
pub mod identify;
pub mod ik;
pub mod info;
pub mod man;
pub mod quantities;
pub mod robots;
pub mod simulate;
pub mod trajectory;

use crate::arguments::Command;
use crate::failure::Failure;
use crate::output::Output;

/// Runs a subcommand and returns the exit code.
pub fn run(command: &Command, output: &Output) -> Result<u8, Failure> {
    match command {
        Command::Robots(arguments) => robots::run(arguments, output),
        Command::Info(arguments) => info::run(arguments, output),
        Command::Check(arguments) => check::run(arguments, output),
        Command::Eval(arguments) => eval::run(arguments, output),
        Command::Derive(arguments) => derive::run(arguments, output),
        Command::BaseParameters(arguments) => base_parameters::run(arguments, output),
        Command::Identify(arguments) => identify::run(arguments, output),
        Command::Excite(arguments) => excite::run(arguments, output),
        Command::Simulate(arguments) => simulate::run(arguments, output),
        Command::Flexible(arguments) => flexible::run(arguments, output),
        Command::Elastic(arguments) => elastic::run(arguments, output),
        Command::Trajectory(arguments) => trajectory::run(arguments, output),
        Command::Ik(arguments) => ik::run(arguments, output),
        Command::IkPath(arguments) => ik::path::run(arguments, output),
        Command::Bench(arguments) => bench::run(arguments, output),
        Command::Quantities(arguments) => quantities::run(arguments, output),
        Command::Completions(arguments) => completions::run(arguments, output),
        Command::Man(arguments) => man::run(arguments, output),
    }
}
