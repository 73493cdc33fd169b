//! The files that operations see: those of the machine, as far as the host permits, or those that a host keeps in memory.
//!
//! Every look at a file goes through here or through [`write`](mod@crate::write), so that a host without a disk, a page in a browser
//! say, can do all that one with a disk can. Paths of files in memory are compared by what they name: `a/../b.urdf`, `./b.urdf` and
//! `/b.urdf` are `b.urdf`.

use crate::host::{Access, Host};
use jourdain::formats::{Files as _, Neighbours};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files by name, in memory. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<BTreeMap<String, Arc<[u8]>>>>);

impl Memory {
    /// Keeps a file, in place of one of the same name.
    pub fn put(&self, name: &str, bytes: impl Into<Arc<[u8]>>) {
        self.files().insert(plain(Path::new(name)), bytes.into());
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<[u8]>> {
        self.files().get(&plain(Path::new(name))).cloned()
    }

    /// The names of all files, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.files().keys().cloned().collect()
    }

    /// Forgets all files.
    pub fn clear(&self) {
        self.files().clear();
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Arc<[u8]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is right in a folder: files, and folders once each. Nothing is in a folder that is not there.
    fn list(&self, folder: &Path) -> Vec<String> {
        let inside = Some(plain(folder)).filter(|name| !name.is_empty()).map_or(String::new(), |name| name + "/");
        let files = self.files();
        let rests = files.range(inside.clone()..).map_while(|(name, _)| name.strip_prefix(&inside));
        let mut names: Vec<String> = rests.map(|rest| rest.split('/').next().unwrap_or_default().to_owned()).collect();
        names.dedup();
        names
    }

    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        self.get(&path.to_string_lossy())
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("there is no file `{}` here", plain(path))))
    }
}

/// A host that has these files and nothing else.
impl Host for Memory {
    fn memory(&self) -> Option<&Memory> {
        Some(self)
    }
}

/// A path without roots, dots and ways back.
pub(crate) fn plain(path: &Path) -> String {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy()),
            Component::ParentDir => drop(parts.pop()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    parts.join("/")
}

/// A file as a stream, with its length where that is known.
pub(crate) fn open(path: &str, host: &dyn Host) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    let path = host.permitted(path, Access::Read)?;
    if let Some(memory) = host.memory() {
        let bytes = memory.read(Path::new(&*path))?;
        let length = bytes.len() as u64;
        return Ok((Box::new(Cursor::new(bytes)), Some(length)));
    }
    let file = File::open(&*path)?;
    let length = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    Ok((Box::new(file), length))
}

/// The bytes of a file of a robot, no more than such files may have.
pub(crate) fn read(path: &Path, host: &dyn Host) -> io::Result<Vec<u8>> {
    let path = permitted(path, Access::Read, host)?;
    match host.memory() {
        Some(memory) => memory.read(&path).map(|bytes| bytes.to_vec()),
        None => Neighbours(PathBuf::new()).read(&path),
    }
}

/// The names in a folder.
pub(crate) fn list(folder: &Path, host: &dyn Host) -> io::Result<Vec<String>> {
    let folder = permitted(folder, Access::Read, host)?;
    match host.memory() {
        Some(memory) => Ok(memory.list(&folder)),
        None => Neighbours(PathBuf::new()).list(&folder),
    }
}

/// True if there is such a folder, and it may be read.
pub(crate) fn is_folder(path: &Path, host: &dyn Host) -> bool {
    permitted(path, Access::Read, host).is_ok_and(|path| match host.memory() {
        Some(memory) => !memory.list(&path).is_empty(),
        None => path.is_dir(),
    })
}

/// True if there is such a file, and it may be read.
pub(crate) fn is_file(path: &Path, host: &dyn Host) -> bool {
    permitted(path, Access::Read, host).is_ok_and(|path| match host.memory() {
        Some(memory) => memory.read(&path).is_ok(),
        None => path.is_file(),
    })
}

/// True if there is such a file, device or folder, and it may be touched.
pub(crate) fn exists(path: &Path, access: Access, host: &dyn Host) -> bool {
    permitted(path, access, host).is_ok_and(|path| match host.memory() {
        Some(memory) => memory.read(&path).is_ok() || !memory.list(&path).is_empty(),
        None => path.exists(),
    })
}

/// The folder that relative paths start from, absolute.
pub(crate) fn working_folder(host: &dyn Host) -> Option<PathBuf> {
    host.permitted(".", Access::Read).ok()?;
    match host.memory() {
        Some(_) => Some(PathBuf::from("/")),
        None => std::env::current_dir().ok(),
    }
}

fn permitted(path: &Path, access: Access, host: &dyn Host) -> io::Result<PathBuf> {
    Ok(PathBuf::from(host.permitted(&path.to_string_lossy(), access)?.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{self, Operation as _};
    use crate::operations::{check, convert, info};
    use serde_json::json;

    fn page(files: &[(&str, &str)]) -> Memory {
        let memory = Memory::default();
        files.iter().for_each(|(name, text)| memory.put(name, text.as_bytes()));
        memory
    }

    const ROD: &str = r#"<robot name="rod" xmlns:xacro="http://www.ros.org/wiki/xacro">
        <xacro:include filename="$(find rods)/urdf/parts/mass.xacro"/>
        <link name="base"/>
        <xacro:rod mass="2"/>
        <joint name="swing" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
    </robot>"#;
    const MASS: &str = r#"<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="rod" params="mass">
        <link name="rod"><inertial><mass value="${mass}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    </xacro:macro></robot>"#;

    #[test]
    fn names_are_compared_by_what_they_name() {
        let memory = page(&[("/a/b/../c.urdf", "x"), ("./a/d/e.stl", "y"), ("ab", "z")]);
        assert_eq!(memory.names(), ["a/c.urdf", "a/d/e.stl", "ab"]);
        assert_eq!(memory.get("a/./c.urdf").as_deref(), Some(b"x".as_slice()));
        assert_eq!(memory.list(Path::new("a")), ["c.urdf", "d"]);
        assert_eq!(memory.list(Path::new("")), ["a", "ab"]);
        assert!(memory.list(Path::new("no")).is_empty());
    }

    #[test]
    fn a_robot_of_several_files_is_read_from_memory() {
        let host = page(&[("rods/urdf/rod.urdf.xacro", ROD), ("rods/urdf/parts/mass.xacro", MASS)]);
        let report = info::Request::of("rods/urdf/rod.urdf.xacro").run(&host).unwrap();
        assert_eq!((report.name.as_str(), report.total_mass), ("rod", 2.0));
        let problem = info::Request::of("rods/urdf/else.urdf").run(&host).unwrap_err();
        assert_eq!(problem.kind(), "cannot-read");
        // A file of the machine is none of the memory's.
        let problem = info::Request::of("Cargo.toml").run(&host).unwrap_err();
        assert_eq!(problem.kind(), "cannot-read");
        assert!(File::open("Cargo.toml").is_ok());
    }

    #[test]
    fn what_is_written_is_in_memory_and_can_be_read_again() {
        let host = page(&[]);
        let request = json!({ "robot": "planar2r", "to": "urdf", "out": "out/arm.urdf" });
        operation::handle(convert::Request::NAME, request, &host).unwrap();
        assert_eq!(host.names(), ["out/arm.urdf"]);
        let report = operation::handle(check::Request::NAME, json!({ "robot": "out/arm.urdf" }), &host).unwrap();
        assert_eq!(report.exit_code(), 0);
        let request = json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c", "out": "code" });
        operation::handle("derive", request.clone(), &host).unwrap();
        operation::handle("derive", request, &host).unwrap();
        assert!(host.names().iter().filter(|name| name.starts_with("code/")).count() >= 2);
        assert!(!Path::new("code").exists() && !Path::new("out").exists());
    }

    #[test]
    fn a_table_is_read_from_memory() {
        let host = page(&[("states.csv", "q1,q2\n0.1,0.2\n0.3,-0.4\n")]);
        let request = json!({ "robot": "planar2r", "state": "states.csv", "quantity": ["gravity"] });
        let report = operation::handle("eval", request, &host).unwrap().to_json().unwrap();
        assert_eq!(report.as_array().map(Vec::len), Some(2));
    }
}
