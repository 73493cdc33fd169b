//! Instructions per call, counted one by one (see `count.cpp`): two runs with different numbers of calls, and the
//! difference.
//!
//! A count does not depend on what else the machine does. It is not a time: a division counts as one.

use crate::compiled_side::CompiledRow;
use crate::dynibo_side::Dynibo;
use crate::jourdain_side::{pack, quantity};
use crate::peer::Program;
use crate::robot::Robot;
use crate::rows::ROWS;
use crate::timing::Measured;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const FEW: usize = 1;
const MANY: usize = 3;
/// States of a call with lanes, and of the smallest batch.
const LANES: usize = 4;

/// Makes `calls` calls of one function of one library: what is counted.
///
/// Counting starts at the first line of output, after a call that warms up.
///
/// # Errors
/// If the library has no such function.
pub fn call(robot: &Robot, library: &str, name: &str, calls: usize, directory: &Path) -> Result<(), Box<dyn Error>> {
    let Robot { model, states, .. } = robot;
    let four = pack(states);
    let (dynibo, compiled);
    let row = ROWS.iter().find(|row| row.name == name).ok_or("no such row")?;
    let measured: Option<Box<dyn Measured + '_>> = match library {
        "jourdain" => quantity(name, model, states, states),
        "lanes" => quantity(name, model, &four, states),
        "compiled" | "batch" => {
            compiled = CompiledRow::new(row, model, states)?;
            Some(if library == "batch" { Box::new(compiled.batch()) } else { Box::new(compiled.one()) })
        }
        _ => {
            dynibo = Dynibo::new(&robot.tree, states, directory)?;
            dynibo.quantity(name)
        }
    };
    let mut measured = measured.ok_or("no such function")?;
    let states_per_call = if library == "batch" { LANES } else { 1 };
    measured.repeat(states_per_call);
    println!("begin");
    measured.repeat(states_per_call * calls);
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
    let pinocchio = Program::pinocchio(robot, directory);
    let casadi = Program::casadi(robot, directory).ok();
    let per_call = |command: &dyn Fn(&str) -> Vec<String>| -> Result<Option<u64>, Box<dyn Error>> {
        let count = |calls: usize| counted(directory, &command(&calls.to_string()));
        let (few, many) = (count(FEW)?, count(MANY)?);
        Ok(few.zip(many).map(|(few, many)| (many - few) / (MANY - FEW) as u64))
    };
    let show = |count: Option<u64>| count.map_or("–".to_owned(), |count| count.to_string());
    let mut out = format!(
        "| {} | Pinocchio | CasADi | dynibo | jourdain | × Pinocchio | compiled | × Pinocchio | four at once | batch |\n|---|{}\n",
        robot.name,
        "---:|".repeat(9)
    );
    for row in ROWS.iter().filter(|row| row.name.contains(only)) {
        let ours = |library: &'static str| {
            per_call(&|calls| [&own, "--calls", &robot.name, library, row.name, calls].map(str::to_owned).to_vec())
        };
        let theirs = |Program { path, arguments: [model, states] }: &Program, name: &str| {
            let [path, model, states] = [path, model, states].map(|path| path.display().to_string());
            per_call(&|calls| vec![path.clone(), model.clone(), states.clone(), name.to_owned(), calls.to_owned()])
        };
        let peer = row.pinocchio.map(|name| theirs(&pinocchio, name)).transpose()?.flatten();
        let generated = casadi.as_ref().filter(|program| program.has_code_of(row));
        let generated = generated.map(|program| theirs(program, row.name)).transpose()?.flatten();
        let ratio =
            |ours: Option<u64>| peer.zip(ours).map_or("–".to_owned(), |(a, b)| format!("{:.2}", a as f64 / b as f64));
        let (one, compiled) = (ours("jourdain")?, ours("compiled")?);
        let per_state = |count: Option<u64>| show(count.map(|count| count / LANES as u64));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name.replace('_', " "),
            show(peer),
            show(generated),
            show(ours("dynibo")?),
            show(one),
            ratio(one),
            show(compiled),
            ratio(compiled),
            per_state(ours("lanes")?),
            per_state(ours("batch")?)
        );
    }
    Ok(out)
}
