//! The Python process that has Pinocchio and MuJoCo: `suite/peers/campaign.py`, a robot at a time through its pipes.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Peer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    pub versions: BTreeMap<String, String>,
}

/// A quantity as it was computed here.
pub struct Given {
    pub name: &'static str,
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

type Failed = Box<dyn std::error::Error>;

impl Peer {
    pub fn start(python: &str) -> Result<Self, Failed> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suite/peers/campaign.py");
        let mut command = Command::new(python);
        // One thread each: the campaign has its own.
        command.arg(script).env("OMP_NUM_THREADS", "1").env("OPENBLAS_NUM_THREADS", "1");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no pipe to the peer")?;
        let mut from = BufReader::new(child.stdout.take().ok_or("no pipe from the peer")?);
        let mut line = String::new();
        from.read_line(&mut line)?;
        let versions = serde_json::from_str(&line).map_err(|_| format!("{python} does not run the peers: {line}"))?;
        Ok(Self { child, to, from, versions })
    }

    /// Errors by witness and quantity.
    pub fn ask(&mut self, mut case: Value, given: &[Given]) -> Result<BTreeMap<String, BTreeMap<String, f64>>, Failed> {
        case["quantities"] = given.iter().map(|one| json!([one.name, one.shape])).collect();
        case["numbers"] = json!(given.iter().map(|one| one.values.len()).sum::<usize>());
        let mut message = serde_json::to_vec(&case)?;
        message.push(b'\n');
        given.iter().flat_map(|one| &one.values).for_each(|x| message.extend(x.to_le_bytes()));
        self.to.write_all(&message)?;
        self.to.flush()?;
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line).map_err(|_| "the peer has ended")?;
        if let Some(problem) = answer.get("problem") {
            return Err(problem.to_string().into());
        }
        Ok(serde_json::from_value(answer)?)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
