//! Instructions per call, counted one by one (see `count.cpp`): two runs with different numbers of calls, and the
//! difference.
//!
//! A count does not depend on what else the machine does. It is not a time: a division counts as one.

use crate::dynibo_side::Dynibo;
use crate::jourdain_side::{pack, quantity};
use crate::pinocchio_side::program;
use crate::robot::Robot;
use crate::rows::ROWS;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const FEW: usize = 1;
const MANY: usize = 3;

/// Makes `calls` calls of one function of one library: what is counted.
///
/// Counting starts at the first line of output, after a call that warms up.
///
/// # Errors
/// If the library has no such function.
pub fn call(robot: &Robot, library: &str, name: &str, calls: usize, directory: &Path) -> Result<(), Box<dyn Error>> {
    let Robot { model, states, .. } = robot;
    let four = pack(states);
    let dynibo;
    let measured = match library {
        "jourdain" => quantity(name, model, states, states),
        "lanes" => quantity(name, model, &four, states),
        _ => {
            dynibo = Dynibo::new(&robot.tree, states, directory)?;
            dynibo.quantity(name)
        }
    };
    let mut measured = measured.ok_or("no such function")?;
    measured.repeat(1);
    println!("begin");
    measured.repeat(calls);
    // Without the clean-up, which is longer than a call.
    std::process::exit(0)
}

fn counted(directory: &Path, arguments: &[String]) -> Result<Option<u64>, Box<dyn Error>> {
    let output = Command::new(directory.join("count")).args(arguments).output()?;
    if !output.status.success() {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&output.stdout).trim().parse()?))
}

/// A Markdown table of one robot.
///
/// # Errors
/// If the counter is missing.
pub fn table(robot: &Robot, only: &str, directory: &Path) -> Result<String, Box<dyn Error>> {
    let own = std::env::current_exe()?.display().to_string();
    let pinocchio = program(directory).display().to_string();
    let (model, states) = (robot.model_file.display().to_string(), robot.state_file.display().to_string());
    let per_call = |command: &dyn Fn(&str) -> Vec<String>| -> Result<Option<u64>, Box<dyn Error>> {
        let count = |calls: usize| counted(directory, &command(&calls.to_string()));
        let (few, many) = (count(FEW)?, count(MANY)?);
        Ok(few.zip(many).map(|(few, many)| (many - few) / (MANY - FEW) as u64))
    };
    let show = |count: Option<u64>| count.map_or("–".to_owned(), |count| count.to_string());
    let mut out = format!(
        "| {} | Pinocchio | dynibo | jourdain | ratio | four at once |\n|---|---:|---:|---:|---:|---:|\n",
        robot.name
    );
    for row in ROWS.iter().filter(|row| row.name.contains(only)) {
        let ours = |library: &'static str| {
            per_call(&|calls| ["--calls", &robot.name, library, row.name, calls].map(str::to_owned).to_vec().with(&own))
        };
        let peer = per_call(&|calls| [&model, &states, row.peer, calls].map(str::to_owned).to_vec().with(&pinocchio))?;
        let one = ours("jourdain")?;
        let ratio = peer.zip(one).map_or("–".to_owned(), |(a, b)| format!("{:.2}", a as f64 / b as f64));
        let lanes = ours("lanes")?.map(|count| count / 4);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {ratio} | {} |",
            row.name.replace('_', " "),
            show(peer),
            show(ours("dynibo")?),
            show(one),
            show(lanes)
        );
    }
    Ok(out)
}

trait With {
    fn with(self, program: &str) -> Self;
}

impl With for Vec<String> {
    fn with(mut self, program: &str) -> Self {
        self.insert(0, program.to_owned());
        self
    }
}
