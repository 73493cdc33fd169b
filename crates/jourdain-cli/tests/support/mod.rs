//! Running the command and looking at what it says.

#![allow(dead_code)] // Each test file uses its own part.

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What came of a run.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The one JSON document on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in\n{}\nstandard error: {}", self.stdout, self.stderr))
    }

    /// The error object of a failed run with `--json`, its keys checked.
    pub fn error(&self) -> Value {
        let document = self.json();
        assert_eq!(keys(&document), ["error"]);
        assert_eq!(keys(&document["error"]), ["kind", "message", "file", "line", "column", "hint"]);
        document["error"].clone()
    }
}

/// Runs the command in the root of the repository.
pub fn run(arguments: &[&str]) -> Run {
    run_with(arguments, "")
}

/// Runs the command with a text on standard input.
pub fn run_with(arguments: &[&str], input: &str) -> Run {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    // A command that does not read its input may have closed it.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The command with its output captured.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jourdain"));
    command.args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR").env("COLUMNS", "200");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command with `--json` and returns the document of a success.
pub fn json(arguments: &[&str]) -> Value {
    let run = run(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, 0, "{arguments:?}: {} {}", run.stdout, run.stderr);
    run.json()
}

/// The keys of an object, in order.
pub fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The numbers of nested lists, row-major.
pub fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(flat).collect(),
        number => vec![number.as_f64().unwrap_or_else(|| panic!("{number} is not a number"))],
    }
}

/// A file of a test's own, removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("jourdain-{}-{name}", std::process::id())))
    }

    pub fn with(name: &str, text: &str) -> Self {
        let file = Self::new(name);
        std::fs::write(&file.0, text).unwrap();
        file
    }

    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}
