//! Times jourdain beside Pinocchio, CasADi and dynibo; started by `benches/peers/run`, which says how.

mod compare;
mod compiled_side;
mod dynibo_side;
mod instructions;
mod jourdain_side;
mod peer;
mod report;
mod robot;
mod rows;
mod timing;
mod tree;

use compare::{Effort, compare};
use robot::Robot;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the command line asks for.
struct Options {
    robots: Vec<String>,
    only: String,
    effort: Effort,
    form: Form,
}

#[derive(Clone, Copy)]
enum Form {
    Text,
    Markdown,
    Json,
    Instructions,
    /// Only the files for the peers; prints the names of the robots.
    Export,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        robots: vec!["iiwa14".to_owned(), "humanoid25".to_owned()],
        only: String::new(),
        effort: Effort { rounds: 30, batches: 20 },
        form: Form::Text,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--quick" => options.effort.rounds = 6,
            "--rounds" => options.effort.rounds = value()?.parse::<usize>()?.max(1),
            "--robots" => options.robots = value()?.split(',').map(str::to_owned).collect(),
            "--only" => options.only = value()?,
            "--json" => options.form = Form::Json,
            "--markdown" => options.form = Form::Markdown,
            "--instructions" => options.form = Form::Instructions,
            "--export" => options.form = Form::Export,
            _ => return Err(format!("unknown option {argument}").into()),
        }
    }
    Ok(options)
}

fn run() -> Result<(), Box<dyn Error>> {
    let directory =
        PathBuf::from(std::env::var("PEERS_DIR").map_err(|_| "PEERS_DIR is not set: use benches/peers/run")?);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, robot, library, name, calls] = &arguments[..]
        && first == "--calls"
    {
        return instructions::call(&Robot::load(robot, &directory)?, library, name, calls.parse()?, &directory);
    }
    let options = options(arguments.into_iter())?;
    print(&options, &directory)
}

fn print(options: &Options, directory: &Path) -> Result<(), Box<dyn Error>> {
    let mut comparisons = Vec::new();
    for name in &options.robots {
        let robot = Robot::load(name, directory)?;
        match options.form {
            Form::Export => println!("{name}"),
            Form::Instructions => println!("{}", instructions::table(&robot, &options.only, directory)?),
            _ => comparisons.push(compare(&robot, &options.only, options.effort, directory)?),
        }
    }
    let setting = report::Setting::read(directory);
    match options.form {
        Form::Text => print!("{}", report::text(&comparisons)),
        Form::Markdown => print!("{}", report::markdown(&comparisons, &setting, options.effort)),
        Form::Json => println!("{:#}", report::json(&comparisons, &setting, options.effort)),
        Form::Instructions | Form::Export => {}
    }
    Ok(())
}
