//! `jourdain man`: the manual pages.

use crate::arguments::Cli;
use crate::failure::Failure;
use crate::output::Output;
use clap::CommandFactory as _;
use serde_json::json;
use std::path::PathBuf;

/// Print the manual page, or write the pages of all commands to a folder
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder for jourdain.1, jourdain-eval.1 and so on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    if let Some(folder) = &arguments.out {
        let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
        written.map_err(|error| {
            Failure::new("cannot-write", format!("cannot write the manual: {error}")).file(folder.display().to_string())
        })?;
        if output.is_json() {
            output.json(&json!({ "folder": folder }))?;
        }
        return Ok(0);
    }
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut page);
    rendered.map_err(|error| Failure::new("internal", format!("cannot make the manual page: {error}")))?;
    let page = String::from_utf8_lossy(&page);
    if output.is_json() {
        output.json(&json!({ "man": page }))?
    } else {
        output.text(&page)?
    }
    Ok(0)
}
