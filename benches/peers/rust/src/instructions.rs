//! Instructions per call, counted by callgrind: two runs with different numbers of calls, and the difference.
//!
//! A count does not depend on what else the machine does. It is not a time: a division counts as one. Trap: valgrind 3.19
//! does not know every encoding that code for the newest processors may have, so `run` builds jourdain for x86-64-v3 (AVX2,
//! FMA) here.

use crate::dynibo_side::Dynibo;
use crate::jourdain_side::{pack, quantity};
use crate::pinocchio_side::program;
use crate::robot::Robot;
use crate::rows::ROWS;
use crate::timing::COUNT;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const FEW: usize = COUNT;
const MANY: usize = 5 * COUNT;

/// Makes `calls` calls of one function of one library: what callgrind looks at.
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
    measured.ok_or("no such function")?.repeat(calls);
    Ok(())
}

fn collected(arguments: &[&str]) -> Result<Option<u64>, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(arguments)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if text.contains("Unrecognised instruction") {
        return Err(format!("valgrind does not know an instruction of {}", arguments.join(" ")).into());
    }
    if !output.status.success() {
        return Ok(None);
    }
    let count = text.lines().find_map(|line| line.split_once("Collected : ")).ok_or("callgrind gave no count")?;
    Ok(Some(count.1.trim().parse()?))
}

/// A Markdown table of one robot.
///
/// # Errors
/// If valgrind is missing.
pub fn table(robot: &Robot, only: &str, directory: &Path) -> Result<String, Box<dyn Error>> {
    let own = std::env::current_exe()?.display().to_string();
    let pinocchio = program(directory).display().to_string();
    let (model, states) = (robot.model_file.display().to_string(), robot.state_file.display().to_string());
    let per_call = |command: &dyn Fn(&str) -> Vec<String>| -> Result<Option<u64>, Box<dyn Error>> {
        let count = |calls: usize| {
            let arguments = command(&calls.to_string());
            collected(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
        };
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
