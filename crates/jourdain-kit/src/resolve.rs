//! Robots and flexible arms: by built-in name, by path, from standard input, or as the text itself; robots with their edits.

use crate::edits::{Applied, Edits, quoted};
use crate::host::{Access, Host};
use crate::problem::Problem;
use crate::read::{self, STDIN, What};
use jourdain::flexible::ArmDescription;
use jourdain::formats::limits::MAX_BYTES;
use jourdain::formats::{self, ArmReading, Files, Format, Neighbours, Reading, Stated};
use jourdain::model::{Description, Diagnostic, Model};
use jourdain::{arms, robots};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Which robot an operation is about.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Robot {
    /// Built-in name, file, or - for standard input
    pub robot: String,

    /// What is changed about it
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub edits: Edits,
}

const ROBOT: What = What { name: "the robot", option: "ROBOT", hint: "" };
const ARM: What = What { name: "the arm", option: "ARM", hint: "" };

impl Robot {
    /// The robot of that name, path or text.
    #[must_use]
    pub fn of(robot: &str) -> Self {
        Self { robot: robot.to_owned(), edits: Edits::default() }
    }

    /// True if it comes from standard input.
    #[must_use]
    pub fn is_stdin(&self) -> bool {
        self.robot == STDIN
    }

    /// What its text is called in reports.
    #[must_use]
    pub fn title(&self) -> &str {
        if is_text(&self.robot) { "robot" } else { read::title(&self.robot) }
    }

    /// Its file or name, or the place on the command line of what came as text or from standard input.
    #[must_use]
    pub fn argument(&self) -> &str {
        if is_text(&self.robot) { STDIN } else { &self.robot }
    }

    /// The robot and its edits as words of a command.
    #[must_use]
    pub fn words(&self) -> String {
        std::iter::once(quoted(self.argument())).chain(self.edits.words()).collect::<Vec<_>>().join(" ")
    }

    /// A problem that is the robot's, with its file.
    #[must_use]
    pub fn blame(&self, problem: Problem) -> Problem {
        if is_text(&self.robot) { problem } else { problem.file(&self.robot) }
    }

    /// Reads and edits it, good or bad; what was edited is told in a note. What cannot be read at all is a problem.
    ///
    /// # Errors
    /// No such robot, a file that cannot be read, or an edit that cannot be.
    pub fn read(&self, host: &dyn Host) -> Result<Reading, Problem> {
        self.read_edited(host).map(|(reading, _)| reading)
    }

    /// The same, and what was edited. A robot that does not load is not edited.
    fn read_edited(&self, host: &dyn Host) -> Result<(Reading, Vec<String>), Problem> {
        let mut reading = self.read_plain(host)?;
        if self.edits.is_empty() {
            return Ok((reading, Vec::new()));
        }
        let Some(description) = reading.description.take() else { return Ok((reading, Vec::new())) };
        let Applied { description, done, warnings } = self.edits.apply(description.into_description(), host)?;
        warnings.into_iter().for_each(|warning| host.warn(warning));
        host.remark(format!("edited: {}", done.join("; ")));
        Ok((reading.with(description), done))
    }

    /// Reads it as it is.
    fn read_plain(&self, host: &dyn Host) -> Result<Reading, Problem> {
        let robot = self.robot.as_str();
        if is_text(robot) {
            return Ok(formats::read(robot.as_bytes()));
        }
        if let Some(builtin) = robots::find(robot) {
            return Ok(builtin.read());
        }
        let named = if robot == STDIN { Some(Format::Json) } else { Format::from_path(Path::new(robot)) };
        let exists = || host.permitted(robot, Access::Read).is_ok_and(|path| Path::new(&*path).exists());
        if named.is_none() && !exists() {
            return Err(unknown_robot(robot));
        }
        let path = Path::new(robot);
        let folder = path.parent().filter(|_| robot != STDIN).map(Path::to_owned).unwrap_or_default();
        let file = Path::new(path.file_name().unwrap_or_default());
        Ok(formats::read_from(&bytes(robot, ROBOT, host)?, named, file, &Beside { folder, host }))
    }

    /// Loads it; its warnings are counted in a note.
    ///
    /// # Errors
    /// No such robot, a file that cannot be read, or one with errors.
    pub fn load(&self, host: &dyn Host) -> Result<Model<f64>, Problem> {
        self.load_edited(host).map(|(model, _)| model)
    }

    /// The same, and what was edited.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_edited(&self, host: &dyn Host) -> Result<(Model<f64>, Vec<String>), Problem> {
        let (Reading { description, diagnostics, source, .. }, done) = self.read_edited(host)?;
        let Some(description) = description else { return Err(self.problem(source, diagnostics)) };
        if !self.edits.is_empty() || robots::find(&self.robot).is_none() {
            self.count(&diagnostics, host);
        }
        Ok((Model::from(description), done))
    }

    /// Its description, to be mounted on another robot.
    pub(crate) fn describe(&self, host: &dyn Host) -> Result<Description, Problem> {
        let Reading { description, diagnostics, source, .. } = self.read(host)?;
        let Some(description) = description else { return Err(self.problem(source, diagnostics)) };
        self.count(&diagnostics, host);
        Ok(description.into_description())
    }

    /// Says how many findings there are, if there are any.
    fn count(&self, diagnostics: &[Diagnostic], host: &dyn Host) {
        let (count, them) = match diagnostics.len() {
            0 => return,
            1 => ("a warning".to_owned(), "it"),
            several => (format!("{several} warnings"), "them"),
        };
        host.warn(format!("{} has {count}; `jourdain check {}` shows {them}", self.argument(), self.words()));
    }

    fn problem(&self, source: String, diagnostics: Vec<Diagnostic>) -> Problem {
        let file = (!is_text(&self.robot)).then_some(self.robot.as_str());
        Problem::findings(file, self.title(), source, diagnostics)
    }
}

/// The files beside a robot's own: what it includes and takes meshes from.
struct Beside<'h> {
    folder: PathBuf,
    host: &'h dyn Host,
}

impl Files for Beside<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let path = self.folder.join(path);
        let permitted = self.host.permitted(&path.to_string_lossy(), Access::Read)?.into_owned();
        Neighbours(PathBuf::new()).read(Path::new(&permitted))
    }
}

/// As much as the readers of robots allow, and a byte more if there is one: they say so if it is too much.
fn bytes(source: &str, what: What, host: &dyn Host) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let stream = read::open(source, host).map(|(stream, _)| stream.take(MAX_BYTES as u64 + 1));
    let read = stream.and_then(|mut stream| stream.read_to_end(&mut bytes));
    read.map_err(|error| read::cannot_read(source, what, &error))?;
    Ok(bytes)
}

/// True if the argument is a robot or arm itself: JSON, XML or several lines.
fn is_text(argument: &str) -> bool {
    argument.trim_start().starts_with(['{', '<']) || argument.contains('\n')
}

fn unknown_robot(robot: &str) -> Problem {
    let names: Vec<_> = robots::ALL.iter().map(|builtin| builtin.name).collect();
    let hint = match formats::suggest::nearest(robot, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`jourdain robots` lists the built-in robots".to_owned(),
    };
    Problem::new("unknown-robot", format!("`{robot}` is neither a built-in robot nor a file")).hint(hint)
}

/// Which flexible arm an operation is about.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Arm {
    /// Built-in name, .toml or .json file, or - for standard input
    pub arm: String,
}

impl Arm {
    /// The arm of that name, path or text.
    #[must_use]
    pub fn of(arm: &str) -> Self {
        Self { arm: arm.to_owned() }
    }

    /// Reads it, and what its file says of itself.
    ///
    /// # Errors
    /// No such arm, a file that cannot be read, or one with errors.
    pub fn load(&self, host: &dyn Host) -> Result<(ArmDescription, Stated), Problem> {
        let arm = self.arm.as_str();
        let (reading, file) = if is_text(arm) {
            (formats::read_arm_str(arm, Format::of_text(arm).unwrap_or(Format::Toml)), None)
        } else if let Some(builtin) = arms::find(arm) {
            (builtin.read(), Some(arm))
        } else {
            let named = Format::from_path(Path::new(arm));
            if arm != STDIN && named.is_none() {
                return Err(unknown_arm(arm));
            }
            let text = String::from_utf8(bytes(arm, ARM, host)?)
                .map_err(|_| Problem::new("not-utf8", "the arm is not UTF-8 text").file(arm))?;
            let format = Format::of_text(&text).or(named).unwrap_or(Format::Json);
            (formats::read_arm_str(&text, format), Some(arm))
        };
        let ArmReading { description, diagnostics, source, stated } = reading;
        let title = if is_text(arm) { "arm" } else { read::title(arm) };
        let description = description.ok_or_else(|| Problem::findings(file, title, source, diagnostics))?;
        Ok((description, stated))
    }
}

fn unknown_arm(arm: &str) -> Problem {
    let names: Vec<_> = arms::ALL.iter().map(|builtin| builtin.name).collect();
    Problem::new("unknown-arm", format!("`{arm}` is neither a built-in flexible arm nor a .toml or .json file"))
        .hint(formats::suggest::hint(arm, &names))
}
