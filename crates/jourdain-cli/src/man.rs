//! `jourdain man`: the manual pages.

use crate::arguments;
use crate::output::Output;
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use jourdain_kit::problem::Problem;
use serde_json::json;
use std::path::PathBuf;

/// Print the manual page, or write the pages of all commands to a folder
#[derive(Debug, clap::Args)]
struct Arguments {
    /// Folder for jourdain.1, jourdain-eval.1 and so on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The command.
pub fn command() -> clap::Command {
    Arguments::augment_args(clap::Command::new("man"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches, output: &Output) -> Result<u8, Problem> {
    let Arguments { out } = Arguments::from_arg_matches(matches).map_err(|error| Problem::usage(error.to_string()))?;
    if let Some(folder) = &out {
        let written =
            std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(arguments::command(), folder));
        written.map_err(|error| {
            Problem::new("cannot-write", format!("cannot write the manual: {error}")).file(folder.display().to_string())
        })?;
        if output.is_json() {
            output.json(&json!({ "folder": folder }))?;
        }
        return Ok(0);
    }
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(arguments::command()).render(&mut page);
    rendered.map_err(|error| Problem::new("internal", format!("cannot make the manual page: {error}")))?;
    let page = String::from_utf8_lossy(&page);
    if output.is_json() {
        output.json(&json!({ "man": page }))?;
    } else {
        output.text(&page)?;
    }
    Ok(0)
}
