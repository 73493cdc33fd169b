//! `studio`: the page in the browser, in one file, or as a site.

use crate::output::Output;
use crate::terminal::Terminal;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use jourdain_kit::problem::Problem;
use jourdain_kit::resolve::Robot;
use jourdain_studio::{Options, Server, export};
use serde_json::json;
use std::path::PathBuf;
use std::process::{self, Stdio};

/// Show a robot in the browser: its equations, numbers, motions and reach
#[derive(Debug, Args)]
struct Request {
    /// More robots for the page to choose from; may be repeated
    #[arg(long, value_name = "FOLDER")]
    folder: Vec<PathBuf>,

    /// The port to listen on, on this machine alone; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Write everything into one file that works without server and network; into a folder (FOLDER/), as a site to publish
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["port", "no_open", "folder"])]
    export: Option<PathBuf>,
}

/// The robot is that of all operations, with its edits, but need not be given.
pub fn command() -> Command {
    let command = Request::augment_args(Robot::augment_args(Command::new("studio")));
    command.about("Show a robot in the browser: its equations, numbers, motions and reach").mut_arg(ROBOT, |robot| {
        robot
            .required(false)
            .value_name("ROBOT|ARM|FOLDER")
            .help("Built-in robot or flexible arm, the file of one, or a folder of them; without, the page lets choose")
    })
}

/// The name of the argument.
const ROBOT: &str = "robot";

pub fn run(matches: &ArgMatches, output: &Output) -> Result<u8, Problem> {
    let bad = |error: clap::Error| Problem::usage(error.to_string());
    let request = Request::from_arg_matches(matches).map_err(bad)?;
    let robot = match matches.contains_id(ROBOT) {
        true => Some(Robot::from_arg_matches(matches).map_err(bad)?),
        false => {
            without_robot(matches)?;
            None
        }
    };
    let host = Terminal::new(*output, None);
    if let Some(to) = &request.export {
        let files = export(robot.as_ref(), to, &host)?;
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        match output.is_json() {
            true => output.json(&json!({ "files": files }))?,
            false => output.text(&files.join("\n"))?,
        }
        return Ok(0);
    }
    let server = Server::bind(&Options { robot, folders: request.folder, port: request.port }, &host)?;
    drop(host);
    let address = server.address();
    match output.is_json() {
        true => output.json(&json!({ "address": address }))?,
        false => output.text(&address)?,
    }
    if let Some(refusal) = server.refusal() {
        output.complain(&refusal);
        output.note("the page says the same; change the file and load the page again");
    }
    if !request.no_open {
        open(&address);
    }
    output.note("serving until Ctrl-C");
    server.serve()?;
    Ok(0)
}

/// Edits say nothing without a robot.
fn without_robot(matches: &ArgMatches) -> Result<(), Problem> {
    let edits = Robot::augment_args(Command::new(ROBOT));
    let is_given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    match edits.get_arguments().find(|argument| is_given(argument.get_id().as_str())) {
        Some(given) => {
            let option = given.get_long().unwrap_or(given.get_id().as_str());
            Err(Problem::usage(format!("--{option} changes a robot, and there is none"))
                .hint(format!("name one: `jourdain studio ROBOT --{option} …`")))
        }
        None => Ok(()),
    }
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
