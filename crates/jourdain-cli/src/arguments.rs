//! What the command line looks like: the list of operations, as commands.

use crate::deadline::LONGEST;
use crate::output::Output;
use crate::{completions, man, studio};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, Command, FromArgMatches as _, ValueEnum};
use jourdain_kit::operation::{self, Entry};
use jourdain_kit::operations;
use jourdain_kit::problem::Problem;
use serde_json::json;
use std::ffi::OsString;

// What holds for every command: no doc comment, which would become the text of the whole program.
#[derive(Debug, Args)]
struct Global {
    /// Print one JSON document, for errors too
    #[arg(long, global = true)]
    json: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,

    /// Leave out notes, warnings about the robot and progress
    #[arg(long, short, global = true)]
    quiet: bool,

    /// Stop after so long, and say how far the work was
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<f64>,
}

/// A time to wait.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds > 0.0 && seconds <= LONGEST { Ok(seconds) } else { Err(format!("not above 0 and up to {LONGEST:e}")) }
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

/// Groups of commands: the name, what they are about, what stands at the end of their help.
const GROUPS: [(&str, &str, &str); 3] = [
    (
        "flexible",
        "Model, simulate and draw planar arms with flexible links",
        "ARM is the built-in two_link_flexible, a file (.toml or .json), or - for JSON on standard input.",
    ),
    (
        "elastic",
        "Simulate, linearise and stress robots with elastic joints",
        "A joint is elastic if its motor has a stiffness in the robot file. Built in: planar2r_elastic, iiwa14_elastic.",
    ),
    (
        "fleet",
        "Identify and watch many robots from many logs",
        "The folder that a log lies in names its robot, the file the day. `python -m jourdain.fleet` does the same on Dask and Ray.",
    ),
];

/// The command line: every operation is a command, one of two words a command of a group.
pub fn command() -> Command {
    let mut root = Command::new("jourdain")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Closed-form robot models: from a URDF, a DH table or a built-in robot to its equations")
        .after_help(
            "ROBOT is the name of a built-in robot (`jourdain robots` lists them), a file (URDF, xacro, MJCF, SDF, or the native \
             form in TOML or JSON), or - for any of them on standard input.\n\nExit codes: 0 success, 1 a failed check or an unsolved \
             problem, 2 bad usage or bad input.",
        )
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true);
    root = Global::augment_args(root);
    for entry in operations::ALL {
        root = match entry.name.split_once(' ') {
            None => root.subcommand((entry.arguments)(Command::new(entry.name))),
            Some((group, _)) if root.find_subcommand(group).is_some() => root,
            Some((group, _)) => root.subcommand(group_command(group)),
        };
    }
    root.subcommand(studio::command()).subcommand(completions::command()).subcommand(man::command())
}

fn group_command(group: &'static str) -> Command {
    let command = Command::new(group).subcommand_required(true).arg_required_else_help(true);
    let command = match GROUPS.iter().find(|(name, ..)| *name == group) {
        Some((_, about, after)) => command.about(*about).after_help(*after),
        None => command,
    };
    operations::ALL.iter().fold(command, |command, entry| match entry.name.split_once(' ') {
        Some((name, member)) if name == group => command.subcommand((entry.arguments)(Command::new(member))),
        _ => command,
    })
}

/// What the caller asks for.
pub struct Invocation {
    pub output: Output,
    /// How long the work may take, s.
    pub time_limit: Option<f64>,
    pub matches: ArgMatches,
}

/// Reads the arguments.
pub fn parse(arguments: &[OsString]) -> Result<Invocation, clap::Error> {
    let matches = command().try_get_matches_from(arguments)?;
    let Global { json, color, quiet, time_limit } = Global::from_arg_matches(&matches)?;
    Ok(Invocation { output: Output::new(json, quiet, color), time_limit, matches })
}

impl Invocation {
    /// The operation, and its own arguments.
    pub fn operation(&self) -> Result<(&'static Entry, &ArgMatches), Problem> {
        let (mut name, mut matches) = (String::new(), &self.matches);
        while let Some((word, inner)) = matches.subcommand() {
            name = if name.is_empty() { word.to_owned() } else { format!("{name} {word}") };
            matches = inner;
        }
        Ok((operation::find(&name)?, matches))
    }
}

/// Answers what clap could not turn into a command: help and version are printed, the rest is bad usage.
pub fn answer(error: &clap::Error, output: &Output) -> Result<u8, Problem> {
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
        _ if output.is_json() => Err(usage_problem(error)),
        _ => {
            output.complain(&text.ansi().to_string());
            Ok(2)
        }
    }
}

/// Clap's several lines as one message and one hint.
fn usage_problem(error: &clap::Error) -> Problem {
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
    Problem::usage(message).hint(hint)
}
