//! The studio as one file: page, module, robot and meshes, for a browser without server and network.
//!
//! A robot keeps its own files where the page can read it from them again; where it cannot, because they lie in packages all over a
//! disk, it is written in the native form, which is the same robot.

use crate::page;
use jourdain::formats;
use jourdain::model::Description;
use jourdain::model::shape::Form;
use jourdain::{arms, robots};
use jourdain_kit::files::Memory;
use jourdain_kit::host::{Access, Host, Note};
use jourdain_kit::operations::scene::shape::locate;
use jourdain_kit::problem::Problem;
use jourdain_kit::resolve::{Arm, Robot};
use jourdain_kit::write;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Writes the studio with a robot or an arm into one file.
///
/// # Errors
/// No such robot, one that cannot be read, or a file that cannot be written.
pub fn export(robot: &str, to: &Path, host: &dyn Host) -> Result<(), Problem> {
    let (name, files) = if robots::find(robot).is_some() || arms::find(robot).is_some() {
        (robot.to_owned(), Vec::new())
    } else {
        packed(robot, host)?
    };
    let text = page::alone(&name, &files)
        .map_err(|error| Problem::new("internal", format!("the page cannot be compressed: {error}")))?;
    write::text(to, &text, host)
}

/// The name of a robot in the page, and its files by theirs.
type Packed = (String, Vec<(String, Vec<u8>)>);

/// A robot that came from files.
fn packed(robot: &str, host: &dyn Host) -> Result<Packed, Problem> {
    let request = Robot::of(robot);
    let witness = Witness { host, read: Mutex::default() };
    let reading = match request.load(&witness) {
        Ok(model) => model.description().clone().without_locations(),
        // What is no robot may be a flexible arm, which is one file.
        Err(problem) => {
            return match Arm::of(robot).load(host) {
                Ok(_) => Ok((name_of(Path::new(robot)), vec![(name_of(Path::new(robot)), bytes(Path::new(robot))?)])),
                Err(_) => Err(problem),
            };
        }
    };
    let meshes = meshes(&reading, &request, host);
    let mut paths: BTreeSet<PathBuf> = witness.read.into_inner().unwrap_or_else(PoisonError::into_inner);
    paths.extend(meshes.iter().map(|(_, path)| path.clone()));
    if let Some(packed) = as_they_are(robot, &paths, &reading)? {
        return Ok(packed);
    }
    // The same robot in the native form, with its meshes beside it.
    let (mut robot, mut files) = (reading, Vec::new());
    for (number, (uri, path)) in meshes.iter().enumerate() {
        let name = format!("meshes/{number}_{}", name_of(path));
        files.push((name.clone(), bytes(path)?));
        for shape in robot.links.iter_mut().flat_map(|link| &mut link.shapes) {
            if let Form::Mesh { path, .. } = &mut shape.form
                && path == uri
            {
                path.clone_from(&name);
            }
        }
    }
    let name = "robot.toml".to_owned();
    files.insert(0, (name.clone(), formats::to_toml(&robot).into_bytes()));
    Ok((name, files))
}

/// The files under names that they keep towards each other, if the robot is the same read from them.
fn as_they_are(robot: &str, paths: &BTreeSet<PathBuf>, reading: &Description) -> Result<Option<Packed>, Problem> {
    let Ok(main) = Path::new(robot).canonicalize() else { return Ok(None) };
    let whole: BTreeSet<PathBuf> = paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut above = main.parent().unwrap_or(Path::new("/"));
    while !whole.iter().all(|path| path.starts_with(above)) {
        let Some(parent) = above.parent() else { return Ok(None) };
        above = parent;
    }
    // A package is found by the name of its folder.
    let above = above.parent().unwrap_or(above);
    let name = |path: &Path| {
        let inside = path.strip_prefix(above).unwrap_or(path);
        inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let mut files = Vec::with_capacity(whole.len());
    let memory = Memory::default();
    for path in &whole {
        let bytes = bytes(path)?;
        memory.put(&name(path), bytes.as_slice());
        files.push((name(path), bytes));
    }
    let again = Robot::of(&name(&main)).load(&Remembered(memory));
    let is_same = again.is_ok_and(|model| model.description().clone().without_locations() == *reading);
    Ok(is_same.then(|| (name(&main), files)))
}

/// The meshes of a robot that are there: as its file names them, and where they are.
fn meshes(robot: &Description, request: &Robot, host: &dyn Host) -> Vec<(String, PathBuf)> {
    let mut meshes: Vec<(String, PathBuf)> = Vec::new();
    for shape in robot.links.iter().flat_map(|link| &link.shapes) {
        let Form::Mesh { path: uri, .. } = &shape.form else { continue };
        if meshes.iter().all(|(known, _)| known != uri)
            && let Some(path) = locate(uri, request, host)
        {
            meshes.push((uri.clone(), PathBuf::from(path)));
        }
    }
    meshes
}

fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    fs::read(path).map_err(|error| {
        Problem::new("cannot-read", format!("cannot read the file: {error}")).file(path.display().to_string())
    })
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| "robot".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Sees which files are read.
struct Witness<'h> {
    host: &'h dyn Host,
    read: Mutex<BTreeSet<PathBuf>>,
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
        if Path::new(&*permitted).is_file() {
            self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(PathBuf::from(&*permitted));
        }
        Ok(permitted)
    }
}

/// Files that are in memory alone.
struct Remembered(Memory);

impl Host for Remembered {
    fn memory(&self) -> Option<&Memory> {
        Some(&self.0)
    }
}
