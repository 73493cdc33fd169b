//! The `jourdain` command: a thin shell around the library, one file per subcommand.

#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod failure;
mod input;
mod labels;
mod numbers;
mod output;
mod plane;
mod plot;
mod progress;
mod report;
mod sheet;
mod states;
mod table;
mod tree;

use arguments::Cli;
use clap::Parser as _;
use output::Output;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let (output, result) = match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            let output = Output::new(cli.json, cli.quiet, cli.color);
            let result = commands::run(&cli.command, &output);
            (output, result)
        }
        Err(error) => {
            let output = Output::guess(&arguments);
            let result = arguments::answer(&error, &output);
            (output, result)
        }
    };
    ExitCode::from(result.unwrap_or_else(|failure| failure.tell(&output)))
}
