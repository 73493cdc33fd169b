//! A robot as a page gets it: its name or file, the edits it is opened with, and every file that takes.
//!
//! A robot keeps its own files and edits where the page can read the same robot from them. Where it cannot, because they lie in
//! packages all over a disk, or an edit names a file, the edited robot is written in the native form.

use crate::reach::Reach;
use jourdain::formats;
use jourdain::model::Description;
use jourdain::model::shape::Form;
use jourdain::{arms, robots};
use jourdain_kit::files::Memory;
use jourdain_kit::host::{Access, Host, Note};
use jourdain_kit::problem::Problem;
use jourdain_kit::resolve::{Arm, Robot};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Most folders between a robot's file and the one that all of its files are in: names in the page begin there.
const MAX_DEPTH: usize = 6;
/// What a robot that was written anew is called.
const NATIVE: &str = "robot.toml";

/// What is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A tree of rigid links.
    Robot,
    /// A flexible arm.
    Arm,
}

impl Kind {
    /// Its name for the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Robot => "robot",
            Self::Arm => "arm",
        }
    }
}

/// A file for the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its path in the page.
    pub name: String,
    /// As the robot's file names it, if it is a mesh.
    pub mesh: Option<String>,
    pub content: Content,
}

/// Where the bytes of a file are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Disk(PathBuf),
    Made(Vec<u8>),
}

impl Content {
    /// The bytes.
    ///
    /// # Errors
    /// The file is no longer there.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, Problem> {
        match self {
            Self::Made(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Disk(path) => fs::read(path).map(Cow::Owned).map_err(|error| {
                Problem::new("cannot-read", format!("cannot read the file: {error}")).file(path.display().to_string())
            }),
        }
    }
}

/// A robot or an arm with its files.
#[derive(Debug)]
pub(crate) struct Packed {
    /// Its built-in name, or the path of its file in the page.
    pub robot: String,
    pub kind: Kind,
    /// The fields of its request beside `robot`.
    pub edits: Map<String, Value>,
    pub parts: Vec<Part>,
    /// Why its file holds none; the page says the same.
    pub refusal: Option<Problem>,
}

impl Packed {
    fn new(robot: &str, kind: Kind) -> Self {
        Self { robot: robot.to_owned(), kind, edits: Map::new(), parts: Vec::new(), refusal: None }
    }
}

/// Packs a robot or an arm.
///
/// # Errors
/// There is none of that name, its file cannot be read, or an edit cannot be. A file that holds no robot is packed nevertheless.
pub(crate) fn pack(request: &Robot, host: &dyn Host) -> Result<Packed, Problem> {
    let name = request.robot.as_str();
    if robots::find(name).is_none() && arms::find(name).is_some() {
        return unedited(request).map(|()| Packed::new(name, Kind::Arm));
    }
    let witness = Witness::new(host);
    match request.load(&witness) {
        Ok(model) => robot(request, &model.description().clone().without_locations(), witness.seen(), host),
        Err(problem) => {
            // What is no robot may be a flexible arm, which is one file.
            if Arm::of(name).load(&Quiet(host)).is_ok() {
                unedited(request)?;
                return Ok(arm(name));
            }
            match (request.read(&Quiet(host)), request.folder()) {
                (Ok(_), Some(_)) => Ok(refused(request, witness.seen(), problem)),
                (Ok(_) | Err(_), _) => Err(problem),
            }
        }
    }
}

/// The text of a robot on standard input in place of its `-`: it is wanted more than once.
///
/// # Errors
/// It cannot be read.
pub(crate) fn settled(request: &Robot, host: &dyn Host) -> Result<Robot, Problem> {
    let mut settled = request.clone();
    if request.is_stdin() {
        let mut text = String::new();
        // One byte more than robots may have: their reader then says that it is too much.
        let read = host
            .standard_input()
            .and_then(|input| input.take(formats::limits::MAX_BYTES as u64 + 1).read_to_string(&mut text));
        read.map_err(|error| Problem::new("cannot-read", format!("cannot read standard input: {error}")))?;
        // A text of one line would be taken for a name.
        settled.robot = text + "\n";
    }
    Ok(settled)
}

fn unedited(request: &Robot) -> Result<(), Problem> {
    if *request == Robot::of(&request.robot) {
        return Ok(());
    }
    let message = format!("`{}` is a flexible arm, and edits are for robots", request.robot);
    Err(Problem::usage(message).hint("change its file, or its payload in the page"))
}

fn arm(file: &str) -> Packed {
    let path = Path::new(file);
    let name = path.file_name().map_or_else(|| "arm.toml".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut packed = Packed::new(&name, Kind::Arm);
    packed.parts.push(Part { name, mesh: None, content: Content::Disk(path.to_owned()) });
    packed
}

/// A file that holds no robot, with what it takes along: the page refuses it as it was refused here.
fn refused(request: &Robot, mut seen: BTreeSet<PathBuf>, problem: Problem) -> Packed {
    seen.extend(Path::new(&request.robot).canonicalize());
    let mut packed = Packed::new(&request.robot, Kind::Robot);
    if let Some(names) = Names::new(request, &seen) {
        packed.robot = names.main.clone();
        packed.edits = edits(request);
        packed.parts = seen.iter().filter_map(|path| names.part(path, None)).collect();
    }
    packed.refusal = Some(problem);
    packed
}

fn robot(request: &Robot, reading: &Description, seen: BTreeSet<PathBuf>, host: &dyn Host) -> Result<Packed, Problem> {
    if robots::find(&request.robot).is_some() && is_same(&request.robot, request, &Memory::default(), reading) {
        let mut packed = Packed::new(&request.robot, Kind::Robot);
        packed.edits = edits(request);
        return Ok(packed);
    }
    let meshes = Reach::new(request, &seen).meshes(reading, request, host);
    if let Some(packed) = as_they_are(request, &seen, &meshes, reading)? {
        return Ok(packed);
    }
    let mut robot = reading.clone();
    let mut packed = Packed::new(NATIVE, Kind::Robot);
    for (number, (uri, path)) in meshes.into_iter().enumerate() {
        let file = path.file_name().map_or(Cow::Borrowed("mesh"), |name| name.to_string_lossy());
        let name = format!("meshes/{number}_{file}");
        for shape in robot.links.iter_mut().flat_map(|link| &mut link.shapes) {
            if let Form::Mesh { path, .. } = &mut shape.form
                && *path == uri
            {
                path.clone_from(&name);
            }
        }
        packed.parts.push(Part { name: name.clone(), mesh: Some(name), content: Content::Disk(path) });
    }
    let content = Content::Made(formats::to_toml(&robot).into_bytes());
    packed.parts.insert(0, Part { name: NATIVE.to_owned(), mesh: None, content });
    Ok(packed)
}

/// The files under names that they keep towards each other, if the robot is the same read from them.
fn as_they_are(
    request: &Robot,
    seen: &BTreeSet<PathBuf>,
    meshes: &[(String, PathBuf)],
    reading: &Description,
) -> Result<Option<Packed>, Problem> {
    let all: BTreeSet<PathBuf> = seen.iter().chain(meshes.iter().map(|(_, path)| path)).cloned().collect();
    let Some(names) = Names::new(request, &all) else { return Ok(None) };
    let memory = Memory::default();
    let mut packed = Packed::new(&names.main, Kind::Robot);
    for path in seen {
        let Some(part) = names.part(path, None) else { return Ok(None) };
        memory.put(&part.name, part.content.bytes()?.into_owned());
        packed.parts.push(part);
    }
    for (uri, path) in meshes {
        let Some(part) = names.part(path, Some(uri.clone())) else { return Ok(None) };
        packed.parts.push(part);
    }
    packed.edits = edits(request);
    Ok(is_same(&names.main, request, &memory, reading).then_some(packed))
}

/// True if a page with these files reads the same robot.
fn is_same(name: &str, request: &Robot, memory: &Memory, reading: &Description) -> bool {
    let asked = Robot { robot: name.to_owned(), package: Vec::new(), ..request.clone() };
    let again = asked.load(&Remembered(memory.clone()));
    again.is_ok_and(|model| model.description().clone().without_locations() == *reading)
}

/// The fields of a request that say something, beside the robot and what only means something on this disk.
fn edits(request: &Robot) -> Map<String, Value> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(request) else { return Map::new() };
    fields.retain(|name, value| {
        let is_said = match value {
            Value::Null | Value::Bool(false) => false,
            Value::Array(list) => !list.is_empty(),
            Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
        };
        is_said && name != "robot" && name != "package"
    });
    fields
}

/// Names of files in the page: from the folder that all of them are in.
struct Names {
    above: PathBuf,
    main: String,
}

impl Names {
    /// `None` if the files are too far apart, or the robot has none.
    fn new(request: &Robot, files: &BTreeSet<PathBuf>) -> Option<Self> {
        request.folder()?;
        let main = Path::new(&request.robot).canonicalize().ok()?;
        let holds_all = |folder: &&Path| files.iter().all(|file| file.starts_with(folder));
        let common = main.ancestors().skip(1).take(MAX_DEPTH).find(holds_all)?;
        // A package is found by the name of its folder, so the name of the folder is in the names of its files.
        let mut names = Self { above: common.parent()?.to_owned(), main: String::new() };
        names.main = names.of(&main)?;
        Some(names)
    }

    fn of(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.above).ok()?;
        Some(inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
    }

    fn part(&self, path: &Path, mesh: Option<String>) -> Option<Part> {
        Some(Part { name: self.of(path)?, mesh, content: Content::Disk(path.to_owned()) })
    }
}

/// Sees which files are read.
struct Witness<'h> {
    host: &'h dyn Host,
    read: Mutex<BTreeSet<PathBuf>>,
}

impl<'h> Witness<'h> {
    fn new(host: &'h dyn Host) -> Self {
        Self { host, read: Mutex::default() }
    }

    fn seen(self) -> BTreeSet<PathBuf> {
        self.read.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Witness<'_> {
    fn note(&self, note: Note) {
        self.host.note(note);
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.host.variable(name)
    }

    fn permitted<'p>(&self, path: &'p str, access: Access) -> io::Result<Cow<'p, str>> {
        let permitted = self.host.permitted(path, access)?;
        if let Some(file) = Path::new(&*permitted).canonicalize().ok().filter(|path| path.is_file()) {
            self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(file);
        }
        Ok(permitted)
    }
}

/// Hears nothing a second time.
struct Quiet<'h>(&'h dyn Host);

impl Host for Quiet<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        self.0.variable(name)
    }

    fn permitted<'p>(&self, path: &'p str, access: Access) -> io::Result<Cow<'p, str>> {
        self.0.permitted(path, access)
    }
}

/// Files that are in memory alone.
struct Remembered(Memory);

impl Host for Remembered {
    fn memory(&self) -> Option<&Memory> {
        Some(&self.0)
    }
}
