//! What commands read: robots by name, path or standard input; states from a file, the command line or standard input.

use crate::failure::Failure;
use crate::output::{Output, WARN};
use jourdain::flexible::ArmDescription;
use jourdain::formats::limits::MAX_BYTES;
use jourdain::formats::{self, ArmReading, Format, Reading, StateFile};
use jourdain::model::{Diagnostic, Model};
use jourdain::{arms, robots};
use std::io::Read as _;
use std::path::Path;

/// Largest state file, bytes.
const MAX_STATE_BYTES: usize = 1 << 30;

/// The name that stands for standard input.
pub const STDIN: &str = "-";

/// Reads a robot, good or bad. A file that cannot be read at all is a failure.
pub fn read_robot(robot: &str) -> Result<Reading, Failure> {
    if robot == STDIN {
        return Ok(formats::read(&read_stdin(MAX_BYTES)?));
    }
    if let Some(builtin) = robots::find(robot) {
        return Ok(builtin.read());
    }
    let path = Path::new(robot);
    if Format::from_path(path).is_none() && !path.exists() {
        return Err(unknown_robot(robot));
    }
    let reading = formats::read_path(path);
    match reading.diagnostics.iter().find(|found| matches!(found.code, "cannot-read" | "unknown-format")) {
        Some(found) => {
            let failure = Failure::new(found.code, found.message.clone()).file(robot);
            Err(found.hint.iter().fold(failure, |failure, hint| failure.hint(hint)))
        }
        None => Ok(reading),
    }
}

/// Loads a robot; its warnings are counted in a note.
pub fn load_robot(robot: &str, output: &Output) -> Result<Model<f64>, Failure> {
    let Reading { description, diagnostics, source } = read_robot(robot)?;
    let Some(description) = description else {
        return Err(robot_failure(robot, source, diagnostics));
    };
    let warnings = diagnostics.len();
    let model = Model::from(description);
    if warnings > 0 && robots::find(robot).is_none() {
        let (count, them) =
            if warnings == 1 { ("a warning".to_owned(), "it") } else { (format!("{warnings} warnings"), "them") };
        output.note(&format!("{WARN}warning{WARN:#}: {robot} has {count}; `jourdain check {robot}` shows {them}"));
    }
    Ok(model)
}

fn robot_failure(robot: &str, source: String, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::findings(Some(robot), robot_title(robot), source, diagnostics)
}

/// What a robot's text is called in reports.
pub fn robot_title(robot: &str) -> &str {
    if robot == STDIN { "standard input" } else { robot }
}

fn unknown_robot(robot: &str) -> Failure {
    let names: Vec<_> = robots::ALL.iter().map(|builtin| builtin.name).collect();
    let hint = match formats::suggest::nearest(robot, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`jourdain robots` lists the built-in robots".to_owned(),
    };
    Failure::new("unknown-robot", format!("`{robot}` is neither a built-in robot nor a file")).hint(hint)
}

/// A text that an option gave.
pub struct Given {
    pub text: String,
    /// `None` if the text stood on the command line.
    pub file: Option<String>,
    /// What it is called in reports.
    pub title: String,
}

impl Given {
    /// What a reader found in it.
    pub fn failure(self, found: Vec<Diagnostic>) -> Failure {
        Failure::findings(self.file.as_deref(), &self.title, self.text, found)
    }
}

/// True if the argument is JSON itself rather than the name of a file.
pub fn is_inline_json(argument: &str) -> bool {
    argument.trim_start().starts_with(['{', '['])
}

/// Reads JSON from a file, from standard input (`-`) or, if it opens with a bracket, from the argument itself. `what` names it
/// in messages, `example` is one.
pub fn read_json(argument: &str, option: &str, what: &str, example: &str) -> Result<Given, Failure> {
    let inline = is_inline_json(argument);
    let (bytes, file, title) = if inline {
        (argument.as_bytes().to_vec(), None, option)
    } else if argument == STDIN {
        (read_stdin(MAX_STATE_BYTES)?, Some(STDIN), "standard input")
    } else {
        let bytes = std::fs::read(argument).map_err(|error| {
            let failure = Failure::new("cannot-read", format!("cannot read the {what}: {error}")).file(argument);
            failure.hint(format!("a {what} is a JSON file, - for standard input, or the JSON itself: '{example}'"))
        })?;
        (bytes, Some(argument), argument)
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        let failure = Failure::new("not-utf8", format!("the {what} is not UTF-8 text"));
        file.iter().fold(failure, |failure, file| failure.file(*file))
    })?;
    Ok(Given { text, file: file.map(str::to_owned), title: title.to_owned() })
}

/// Reads states of a robot.
pub fn read_states(argument: &str, model: &Model<f64>) -> Result<StateFile, Failure> {
    let given = read_json(argument, "--state", "state", "{\"q\": [0, 0]}")?;
    formats::read_states(&given.text, model).map_err(|found| given.failure(found))
}

/// Reads a flexible arm by name, path or as JSON from standard input.
pub fn read_arm(arm: &str) -> Result<ArmDescription, Failure> {
    let (reading, file) = if arm == STDIN {
        let bytes = read_stdin(MAX_BYTES)?;
        let text = String::from_utf8(bytes).map_err(|_| Failure::new("not-utf8", "the arm is not UTF-8 text"))?;
        (formats::read_arm_str(&text, Format::Json), Some(STDIN))
    } else if let Some(builtin) = arms::find(arm) {
        (builtin.read(), Some(arm))
    } else {
        let path = Path::new(arm);
        let Some(format) = Format::from_path(path) else { return Err(unknown_arm(arm)) };
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new("cannot-read", format!("cannot read the arm: {error}")).file(arm))?;
        (formats::read_arm_str(&text, format), Some(arm))
    };
    let ArmReading { description, diagnostics, source } = reading;
    description.ok_or_else(|| Failure::findings(file, robot_title(arm), source, diagnostics))
}

fn unknown_arm(arm: &str) -> Failure {
    let names: Vec<_> = arms::ALL.iter().map(|builtin| builtin.name).collect();
    Failure::new("unknown-arm", format!("`{arm}` is neither a built-in flexible arm nor a .toml or .json file"))
        .hint(formats::suggest::hint(arm, &names))
}

/// The text of a file or of standard input.
pub fn read_text(argument: &str, what: &str) -> Result<String, Failure> {
    let bytes = if argument == STDIN {
        read_stdin(MAX_STATE_BYTES)?
    } else {
        std::fs::read(argument).map_err(|error| {
            let failure = Failure::new("cannot-read", format!("cannot read {what}: {error}")).file(argument);
            failure.hint("give a JSON file, - for standard input, or the JSON itself")
        })?
    };
    String::from_utf8(bytes).map_err(|_| Failure::new("not-utf8", format!("{what} is not UTF-8 text")).file(argument))
}

fn read_stdin(most: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    // One byte more than allowed, so that the reader sees that it is too much.
    let read = std::io::stdin().lock().take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new("cannot-read", format!("cannot read standard input: {error}")).file(STDIN))?;
    Ok(bytes)
}
