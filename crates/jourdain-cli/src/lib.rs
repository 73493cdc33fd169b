//! The `jourdain` command as a function, for every front end that brings it: arguments become a request, its report becomes text, or JSON with `--json`.

#![forbid(unsafe_code)]

mod arguments;
mod completions;
mod deadline;
mod man;
mod output;
mod processor;
mod progress;
mod studio;
mod terminal;

use arguments::Invocation;
use deadline::Deadline;
use jourdain_kit::problem::Problem;
use output::Output;
use std::ffi::OsString;
use terminal::Terminal;

/// Runs the command with these arguments, its own name first, and returns its exit code.
pub fn run(arguments: &[OsString]) -> u8 {
    if let Err(problem) = processor::check() {
        return Output::guess(arguments).tell(&problem);
    }
    let (output, result) = match arguments::parse(arguments) {
        Ok(invocation) => (invocation.output, carry_out(&invocation)),
        Err(error) => {
            let output = Output::guess(arguments);
            (output, arguments::answer(&error, &output))
        }
    };
    result.unwrap_or_else(|problem| output.tell(&problem))
}

/// Carries out what the arguments say and returns the exit code.
fn carry_out(invocation: &Invocation) -> Result<u8, Problem> {
    let output = &invocation.output;
    // Files that are not complete go before the program does.
    let handled = ctrlc::set_handler(|| {
        jourdain_kit::write::abandon();
        std::process::exit(130);
    });
    drop(handled);
    jourdain_kit::panics::listen();
    match invocation.matches.subcommand() {
        Some(("completions", matches)) => completions::run(matches, output),
        Some(("man", matches)) => man::run(matches, output),
        Some(("studio", matches)) => studio::run(matches, output),
        _ => {
            let (entry, matches) = invocation.operation()?;
            let deadline = invocation.time_limit.map(|seconds| Deadline::new(seconds, *output)).transpose()?;
            let terminal = Terminal::new(*output, deadline);
            let report = (entry.run)(matches, &terminal).map_err(|problem| terminal.explained(problem))?;
            drop(terminal);
            output.report(&report)?;
            Ok(report.exit_code())
        }
    }
}
