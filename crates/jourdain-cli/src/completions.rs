//! `jourdain completions`: a script that completes the command line in a shell.

use crate::arguments;
use crate::output::Output;
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use clap_complete::Shell;
use jourdain_kit::problem::Problem;
use serde_json::json;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
struct Arguments {
    /// The shell
    shell: Shell,
}

/// The command.
pub fn command() -> clap::Command {
    Arguments::augment_args(clap::Command::new("completions"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches, output: &Output) -> Result<u8, Problem> {
    let Arguments { shell } =
        Arguments::from_arg_matches(matches).map_err(|error| Problem::usage(error.to_string()))?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut arguments::command(), "jourdain", &mut script);
    let script = String::from_utf8_lossy(&script);
    if output.is_json() {
        output.json(&json!({ "shell": shell.to_string(), "script": script }))?;
    } else {
        output.text(&script)?;
    }
    Ok(0)
}
