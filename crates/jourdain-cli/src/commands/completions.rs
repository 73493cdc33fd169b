//! `jourdain completions`: a script that completes the command line in a shell.

use crate::arguments::Cli;
use crate::failure::Failure;
use crate::output::Output;
use clap::CommandFactory as _;
use clap_complete::Shell;
use serde_json::json;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "jourdain", &mut script);
    let script = String::from_utf8_lossy(&script);
    if output.is_json() {
        output.json(&json!({ "shell": arguments.shell.to_string(), "script": script }))?;
    } else {
        output.text(&script)?;
    }
    Ok(0)
}
