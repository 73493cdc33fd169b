//! Robots and flexible arms: by built-in name, by path, from standard input, or as the text itself; robots with their edits.

use crate::edits::{Applied, Edits, quoted};
use crate::flaws;
use crate::host::{Access, Host, Loaded};
use crate::problem::Problem;
use crate::read::{self, STDIN, What};
use jourdain::flexible::ArmDescription;
use jourdain::formats::limits::MAX_BYTES;
use jourdain::formats::{self, ArmReading, Expansion, Files, Format, Neighbours, Reading, Stated};
use jourdain::model::{Checked, Description, Diagnostic, Model};
use jourdain::{arms, robots};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Which robot an operation is about.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Robot {
    /// Built-in name, file, or - for standard input
    pub robot: String,

    /// Refuse a robot with links that cannot be as they are, or with parts that a tree of rigid links cannot carry
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, help_heading = "The robot"))]
    pub strict: bool,

    /// Argument of a xacro file; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=VALUE", help_heading = "The robot"))]
    pub arg: Vec<String>,

    /// Folder of a ROS package that a xacro file asks for; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=FOLDER", help_heading = "The robot"))]
    pub package: Vec<String>,

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
        Self { robot: robot.to_owned(), strict: false, arg: Vec::new(), package: Vec::new(), edits: Edits::default() }
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

    /// The robot as words of a command: how it is read, and its edits.
    #[must_use]
    pub fn words(&self) -> String {
        let repeated = |option: &'static str, values: &[String]| {
            values.iter().map(|value| format!("{option} {}", quoted(value))).collect::<Vec<_>>()
        };
        let read = [repeated("--arg", &self.arg), repeated("--package", &self.package)].concat();
        let words = std::iter::once(quoted(self.argument())).chain(read).chain(self.edits.words());
        words.collect::<Vec<_>>().join(" ")
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
        if let Some(builtin) = robots::find(robot) {
            return Ok(builtin.read());
        }
        let (bytes, file, beside) = self.open(host)?;
        Ok(formats::read_from(&bytes, self.named(), &file, &beside))
    }

    /// Expands it as a xacro file, good or bad. What cannot be read at all is a problem.
    ///
    /// # Errors
    /// No such file, or one that cannot be read.
    pub fn expand(&self, host: &dyn Host) -> Result<Expansion, Problem> {
        if robots::find(&self.robot).is_some() {
            let message = format!("`{}` is a built-in robot, which has nothing to expand", self.robot);
            return Err(Problem::new("nothing-to-expand", message).hint("name a xacro file"));
        }
        let (bytes, file, beside) = self.open(host)?;
        Ok(formats::expand(&bytes, &file, &beside))
    }

    /// The format that its name stands for.
    fn named(&self) -> Option<Format> {
        match self.robot.as_str() {
            STDIN => Some(Format::Json),
            text if is_text(text) => None,
            path => Format::from_path(Path::new(path)),
        }
    }

    /// Its bytes, its name without folder, and what surrounds it.
    fn open<'h>(&self, host: &'h dyn Host) -> Result<(Vec<u8>, PathBuf, Beside<'h>), Problem> {
        let robot = self.robot.as_str();
        let mut beside = Beside::new(self, host)?;
        if is_text(robot) {
            return Ok((robot.as_bytes().to_vec(), PathBuf::new(), beside));
        }
        let exists = || host.permitted(robot, Access::Read).is_ok_and(|path| Path::new(&*path).exists());
        if self.named().is_none() && !exists() {
            return Err(unknown_robot(robot));
        }
        let path = Path::new(robot);
        beside.folder = Some(path.parent().filter(|_| robot != STDIN).map(Path::to_owned).unwrap_or_default());
        let file = PathBuf::from(path.file_name().filter(|_| robot != STDIN).unwrap_or_default());
        Ok((bytes(robot, ROBOT, host)?, file, beside))
    }

    /// Loads it; what was found and leaves a robot is summed up in a warning.
    ///
    /// # Errors
    /// No such robot, a file that cannot be read, or one that holds no robot; with `strict`, also one with links that
    /// cannot be as they are, and one with parts that cannot be carried.
    pub fn load(&self, host: &dyn Host) -> Result<Model<f64>, Problem> {
        self.load_edited(host).map(|(model, _)| model)
    }

    /// The same, and what was edited.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_edited(&self, host: &dyn Host) -> Result<(Model<f64>, Vec<String>), Problem> {
        if let Some(Loaded { model, edits, notes }) = host.loaded(self) {
            notes.into_iter().for_each(|note| host.note(note));
            return Ok((model, edits));
        }
        let (reading, done) = self.read_edited(host)?;
        Ok((Model::from(self.accept(reading, host)?), done))
    }

    /// Its description, to be mounted on another robot.
    pub(crate) fn describe(&self, host: &dyn Host) -> Result<Description, Problem> {
        let reading = self.read(host)?;
        Ok(self.accept(reading, host)?.into_description())
    }

    /// The robot of a reading; what was found is summed up in a warning.
    pub(crate) fn accept(&self, reading: Reading, host: &dyn Host) -> Result<Checked, Problem> {
        let Reading { description, mut diagnostics, source, .. } = reading;
        let Some(description) = description else { return Err(self.problem(source, diagnostics)) };
        if self.strict && flaws::refuse(&mut diagnostics) {
            return Err(self.problem(source, diagnostics));
        }
        // What a built-in robot is like is known: only what an edit made of it is news.
        if let Some(builtin) = robots::find(&self.robot) {
            let known =
                if self.edits.is_empty() { std::mem::take(&mut diagnostics) } else { builtin.read().diagnostics };
            diagnostics.retain(|found| !known.iter().any(|known| known.code == found.code && known.link == found.link));
        }
        if let Some((text, details)) = flaws::sum_up(self.argument(), &self.words(), &diagnostics) {
            host.warn_of(text, details);
        }
        Ok(description)
    }

    /// All findings as one problem.
    pub(crate) fn problem(&self, source: String, diagnostics: Vec<Diagnostic>) -> Problem {
        let file = (!is_text(&self.robot)).then_some(self.robot.as_str());
        Problem::findings(file, self.title(), source, diagnostics)
    }
}

/// What surrounds a robot's file: the files it includes and takes meshes from, as far as the host permits.
struct Beside<'h> {
    /// None of a robot that came as text.
    folder: Option<PathBuf>,
    host: &'h dyn Host,
    arguments: Vec<(String, String)>,
    packages: Vec<(String, PathBuf)>,
}

impl<'h> Beside<'h> {
    fn new(robot: &Robot, host: &'h dyn Host) -> Result<Self, Problem> {
        let packages = pairs("--package", "NAME=FOLDER", &robot.package)?;
        let absolute = |(name, folder): (String, String)| {
            let path = std::path::absolute(&folder).unwrap_or_else(|_| PathBuf::from(&folder));
            (name, path)
        };
        Ok(Self {
            folder: None,
            host,
            arguments: pairs("--arg", "NAME=VALUE", &robot.arg)?,
            packages: packages.into_iter().map(absolute).collect(),
        })
    }

    /// The path that may be opened for one that a robot file asks for.
    fn permitted(&self, path: &Path) -> io::Result<PathBuf> {
        let none =
            || io::Error::new(io::ErrorKind::NotFound, "the robot was given as a text, which has no folder to look in");
        let folder = if path.is_absolute() { Path::new("") } else { self.folder.as_deref().ok_or_else(none)? };
        let path = folder.join(path);
        Ok(PathBuf::from(self.host.permitted(&path.to_string_lossy(), Access::Read)?.into_owned()))
    }
}

/// `NAME=VALUE` by name and value. xacro's own `NAME:=VALUE` means the same.
fn pairs(option: &str, form: &str, given: &[String]) -> Result<Vec<(String, String)>, Problem> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.trim_end_matches(':').trim().is_empty() => {
            Ok((name.trim_end_matches(':').trim().to_owned(), value.to_owned()))
        }
        _ => Err(Problem::usage(format!("{option} takes {form}, not `{text}`"))),
    };
    given.iter().map(pair).collect()
}

impl Files for Beside<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Neighbours(PathBuf::new()).read(&self.permitted(path)?)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        Neighbours(PathBuf::new()).list(&self.permitted(folder)?)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.permitted(path).is_ok_and(|path| path.is_dir())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.host.variable(name)
    }

    fn folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }

    fn working_folder(&self) -> Option<PathBuf> {
        self.host.permitted(".", Access::Read).ok()?;
        std::env::current_dir().ok()
    }

    fn arguments(&self) -> &[(String, String)] {
        &self.arguments
    }

    fn packages(&self) -> &[(String, PathBuf)] {
        &self.packages
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
