//! A peer in a process of its own that waits for commands: Pinocchio (see `pinocchio/main.cpp`) and CasADi's code (see
//! `../casadi/bench.c`).

use crate::robot::Robot;
use crate::rows::{Part, Row};
use crate::timing::Candidate;
use crate::tree::Kind;
use std::cell::RefCell;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program that knows the commands, and the two files it is started with.
pub struct Program {
    pub path: PathBuf,
    pub arguments: [PathBuf; 2],
}

impl Program {
    pub fn pinocchio(robot: &Robot, directory: &Path) -> Self {
        let arguments = [robot.model_file.clone(), robot.state_file.clone()];
        Self { path: directory.join("pinocchio-bench"), arguments }
    }

    /// # Errors
    /// Why CasADi does not have this robot.
    pub fn casadi(robot: &Robot, directory: &Path) -> Result<Self, Box<dyn Error>> {
        if robot.tree.bodies.iter().any(|body| body.kind == Kind::Free) {
            return Err("the recursions written for it have no free joint".into());
        }
        let functions = directory.join("casadi").join(&robot.name);
        if !functions.is_dir() {
            return Err("its code was not generated: run without --no-setup".into());
        }
        Ok(Self { path: directory.join("casadi-bench"), arguments: [functions, robot.state_file.clone()] })
    }

    /// Whether CasADi's code of a row is there.
    pub fn has_code_of(&self, row: &Row) -> bool {
        self.arguments[0].join(format!("{}.so", row.name)).is_file()
    }

    /// # Errors
    /// If it does not start.
    pub fn start(&self, robot: &Robot) -> Result<RefCell<Peer>, Box<dyn Error>> {
        let mut child = Command::new(&self.path)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}; run without --no-setup", self.path.display()))?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        let name = self.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Ok(RefCell::new(Peer { name, child, input, output, order: robot.tree.velocity_order() }))
    }
}

/// The running process.
pub struct Peer {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    order: Vec<usize>,
}

impl Peer {
    fn ask(&mut self, command: &str) -> Result<Vec<f64>, Box<dyn Error>> {
        writeln!(self.input, "{command}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            return Err(format!("{} gave no answer to `{command}`", self.name).into());
        }
        Ok(line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?)
    }

    /// An answer in jourdain's order.
    fn sorted(&self, answer: &[f64], parts: &[Part]) -> Option<Vec<f64>> {
        let n = self.order.len();
        let mut sorted = Vec::new();
        let mut rest = answer;
        for part in parts {
            let (own, others) = rest.split_at_checked(if matches!(part, Part::Vector) { n } else { n * n })?;
            rest = others;
            let mut place = vec![0.0; own.len()];
            for (k, &x) in own.iter().enumerate() {
                let at = match part {
                    Part::Vector => self.order[k],
                    Part::Matrix => self.order[k / n] * n + self.order[k % n],
                };
                place[at] = x;
            }
            sorted.extend(place);
        }
        rest.is_empty().then_some(sorted)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One quantity of a peer, which its other quantities share.
pub struct Remote<'a> {
    pub peer: &'a RefCell<Peer>,
    /// The peer's name of it.
    pub name: &'static str,
    pub parts: &'static [Part],
}

impl Candidate for Remote<'_> {
    fn values(&mut self, index: usize) -> Result<Vec<f64>, Box<dyn Error>> {
        let mut peer = self.peer.borrow_mut();
        let answer = peer.ask(&format!("check {} {index}", self.name))?;
        let sorted = peer.sorted(&answer, self.parts);
        sorted.ok_or_else(|| format!("{} gives {} numbers for {}", peer.name, answer.len(), self.name).into())
    }

    fn time(&mut self, batches: usize, microseconds: f64) -> Result<f64, Box<dyn Error>> {
        let answer = self.peer.borrow_mut().ask(&format!("time {} {batches} {microseconds}", self.name))?;
        answer.first().copied().ok_or_else(|| "no time".into())
    }
}
