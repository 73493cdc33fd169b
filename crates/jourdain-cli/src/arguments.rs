//! What the command line looks like: the one table behind parsing, help, completions and the man page.

use crate::commands::{
    base_parameters, bench, check, completions, derive, elastic, eval, excite, flexible, identify, ik, info, man,
    quantities, robots, simulate, trajectory,
};
use crate::failure::Failure;
use crate::output::Output;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand, ValueEnum};
use serde_json::json;

/// Closed-form robot models: from a URDF, a DH table or a built-in robot to its equations.
#[derive(Debug, Parser)]
#[command(name = "jourdain", version, max_term_width = 100)]
#[command(after_help = "ROBOT is the name of a built-in robot (`jourdain robots` lists them), a file (.urdf or .xml, \
                        .toml, .json), or - for native JSON on standard input.\n\nExit codes: 0 success, 1 a failed \
                        check or an unsolved problem, 2 bad usage or bad input.")]
pub struct Cli {
    /// Print one JSON document, for errors too
    #[arg(long, global = true)]
    pub json: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Leave out notes, warnings about the robot and progress
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Robots(robots::Arguments),
    Info(info::Arguments),
    Check(check::Arguments),
    Eval(eval::Arguments),
    Derive(derive::Arguments),
    BaseParameters(base_parameters::Arguments),
    Identify(identify::Arguments),
    Excite(excite::Arguments),
    Simulate(simulate::Arguments),
    Flexible(flexible::Arguments),
    Elastic(elastic::Arguments),
    Trajectory(trajectory::Arguments),
    Ik(Box<ik::Arguments>),
    IkPath(Box<ik::path::Arguments>),
    Bench(bench::Arguments),
    Quantities(quantities::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Answers what clap could not turn into a command: help and version are printed, the rest is bad usage.
pub fn answer(error: &clap::Error, output: &Output) -> Result<u8, Failure> {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion if output.is_json() => {
            output.json(&json!({ "text": text.to_string() }))?;
            Ok(0)
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output.text(&text.ansi().to_string())?;
            Ok(0)
        }
        _ if output.is_json() => Err(usage_failure(error)),
        _ => {
            output.complain(&text.ansi().to_string());
            Ok(2)
        }
    }
}

/// Clap's several lines as one message and one hint.
fn usage_failure(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let message = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let message = if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        "no command is given"
    } else {
        message
    };
    let suggestion = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .find_map(|kind| match error.get(kind)? {
            ContextValue::String(near) => Some(near.clone()),
            ContextValue::Strings(near) => near.first().cloned(),
            _ => None,
        });
    let hint =
        suggestion.map_or("`jourdain --help` shows the commands".to_owned(), |near| format!("did you mean `{near}`?"));
    Failure::usage(message).hint(hint)
}
