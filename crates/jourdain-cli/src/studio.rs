//! `studio`: the page in the browser, or in one file.

use crate::output::Output;
use crate::terminal::Terminal;
use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use jourdain_kit::problem::Problem;
use jourdain_studio::{Options, Server, export};
use serde_json::json;
use std::path::PathBuf;
use std::process::{self, Stdio};

/// Show a robot in the browser: its equations, numbers, motions and reach
#[derive(Debug, Args)]
struct Request {
    /// Built-in robot or flexible arm, or the file of one; without, the page lets choose
    #[arg(value_name = "ROBOT|ARM")]
    robot: Option<String>,

    /// The port to listen on, on this machine alone; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Write everything into one file that works without server and network
    #[arg(long, value_name = "FILE.html", requires = "robot", conflicts_with_all = ["port", "no_open"])]
    export: Option<PathBuf>,
}

pub fn command() -> Command {
    Request::augment_args(Command::new("studio"))
}

pub fn run(matches: &ArgMatches, output: &Output) -> Result<u8, Problem> {
    let request = Request::from_arg_matches(matches).map_err(|error| Problem::usage(error.to_string()))?;
    if let (Some(file), Some(robot)) = (&request.export, &request.robot) {
        export(robot, file, &Terminal::new(*output))?;
        let file = file.display().to_string();
        match output.is_json() {
            true => output.json(&json!({ "file": file }))?,
            false => output.text(&file)?,
        }
        return Ok(0);
    }
    let server = Server::bind(&Options { robot: request.robot, port: request.port })?;
    let address = server.address();
    match output.is_json() {
        true => output.json(&json!({ "address": address }))?,
        false => output.text(&address)?,
    }
    if !request.no_open {
        open(&address);
    }
    output.note("serving until Ctrl-C");
    server.serve()?;
    Ok(0)
}

/// Opens the browser, if there is one. Its failure is no problem: the address has been printed.
fn open(address: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let (program, before): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if has_screen {
        ("xdg-open", &[])
    } else {
        return;
    };
    let mut command = process::Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Some wait until the browser is closed.
    std::thread::spawn(move || drop(command.status()));
}
