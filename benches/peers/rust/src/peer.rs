//! Pinocchio's functions, in a process of their own that waits for commands (see `pinocchio/main.cpp`).

use crate::tree::Tree;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The running process.
pub struct Pinocchio {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    order: Vec<usize>,
}

/// The parts an answer is made of.
#[derive(Clone, Copy)]
pub enum Part {
    Vector,
    Matrix,
}

/// The compiled program.
pub fn program(directory: &Path) -> PathBuf {
    directory.join("pinocchio-bench")
}

impl Pinocchio {
    /// # Errors
    /// If it does not start.
    pub fn start(directory: &Path, model: &Path, states: &Path, tree: &Tree) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program(directory))
            .args([model, states])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}; run without --no-setup", program(directory).display()))?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { child, input, output, order: tree.velocity_order() })
    }

    fn ask(&mut self, command: &str) -> Result<Vec<f64>, Box<dyn Error>> {
        writeln!(self.input, "{command}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            return Err(format!("pinocchio-bench gave no answer to `{command}`").into());
        }
        Ok(line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?)
    }

    /// The smallest time of a call, ns.
    ///
    /// # Errors
    /// If the process failed.
    pub fn fastest(&mut self, name: &str, batches: usize, microseconds: f64) -> Result<f64, Box<dyn Error>> {
        let answer = self.ask(&format!("time {name} {batches} {microseconds}"))?;
        answer.first().copied().ok_or_else(|| "no time".into())
    }

    /// What it gives at state `index`, in jourdain's order.
    ///
    /// # Errors
    /// If the process failed or the numbers are too few.
    pub fn check(&mut self, name: &str, index: usize, parts: &[Part]) -> Result<Vec<f64>, Box<dyn Error>> {
        let answer = self.ask(&format!("check {name} {index}"))?;
        let n = self.order.len();
        let size = |part: &Part| if matches!(part, Part::Vector) { n } else { n * n };
        if answer.len() != parts.iter().map(size).sum::<usize>() {
            return Err(format!("Pinocchio gives {} numbers for {name}", answer.len()).into());
        }
        let mut sorted = Vec::new();
        let mut rest = &answer[..];
        for part in parts {
            let (own, others) = rest.split_at(size(part));
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
        Ok(sorted)
    }
}

impl Drop for Pinocchio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
