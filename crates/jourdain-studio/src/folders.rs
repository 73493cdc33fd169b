//! Which files there are in the given folders.
//!
//! A folder goes by its last name, so that `package://arm/meshes/a.stl` is found beside `arm/urdf/arm.urdf`. A path of the page names
//! a folder and what is in it, without ways back; where links lead is looked at before a file is opened.

use jourdain::formats::{self, Format};
use jourdain_kit::problem::Problem;
use serde::Serialize;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// Most files that are listed.
const MAX_LISTED: usize = 5000;
/// Deepest folder that is looked into.
const MAX_DEPTH: usize = 12;
/// Largest text that is looked at to see what it is, bytes.
const MAX_SNIFFED: u64 = 4 << 20;
/// What is neither a robot nor an arm.
const OTHER: &str = "other";

/// Folders by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folders(Vec<(String, PathBuf)>);

impl Folders {
    /// The given folders, each by its last name; a second one of the same name gets a number.
    ///
    /// # Errors
    /// One that is no folder.
    pub fn new(given: &[PathBuf]) -> Result<Self, Problem> {
        let mut folders: Vec<(String, PathBuf)> = Vec::new();
        for folder in given {
            let path = folder.canonicalize().ok().filter(|path| path.is_dir()).ok_or_else(|| {
                Problem::new("no-such-folder", "there is no such folder").file(folder.display().to_string())
            })?;
            let last = path.file_name().map_or(Cow::Borrowed("files"), |name| name.to_string_lossy()).into_owned();
            let mut name = last.clone();
            let mut number = 1;
            while folders.iter().any(|(known, _)| *known == name) {
                number += 1;
                name = format!("{last}-{number}");
            }
            folders.push((name, path));
        }
        Ok(Self(folders))
    }

    /// The only robot or arm in the folders, if there is but one: its path and what it is.
    pub fn only(&self) -> Option<(String, &'static str)> {
        let mut found = self.list().into_iter().filter(|file| file.kind != OTHER);
        let first = found.next()?;
        found.next().is_none().then_some((first.path, first.kind))
    }

    /// Where a file is; `None` if there is none of that path in the folders.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        let mut parts = path.split('/');
        let (name, inside) = (parts.next()?, parts.collect::<Vec<_>>());
        // Hidden files, and with them `.` and `..`, are nobody's.
        let is_plain = |part: &&str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0', ':']);
        if inside.is_empty() || !inside.iter().all(is_plain) {
            return None;
        }
        let (_, folder) = self.0.iter().find(|(known, _)| known == name)?;
        // A link may lead out of the folder.
        let file = inside.iter().fold(folder.clone(), |path, part| path.join(part)).canonicalize().ok()?;
        (file.starts_with(folder) && file.is_file()).then_some(file)
    }

    /// A mesh that the file of a robot names: by a path from its folder, or in a package or model on the way up.
    pub fn mesh(&self, robot: &str, uri: &str) -> Option<PathBuf> {
        let mut folder: Vec<&str> = robot.split('/').collect();
        folder.pop()?;
        let (scheme, rest) = uri.split_once("://").unwrap_or(("file", uri));
        match scheme {
            "file" => {
                for part in rest.split('/') {
                    match part {
                        "." => {}
                        ".." => drop(folder.pop()?),
                        part => folder.push(part),
                    }
                }
                self.find(&folder.join("/"))
            }
            "package" | "model" => {
                // Some files have a slash too many.
                let rest = rest.trim_start_matches('/');
                let ways = (0..=folder.len()).rev().map(|depth| [&folder[..depth], &[rest]].concat().join("/"));
                ways.into_iter().find_map(|path| self.find(&path))
            }
            _ => None,
        }
    }

    /// All files. Those that are hidden are left out.
    pub fn list(&self) -> Vec<Listed> {
        let mut files = Vec::new();
        for (name, folder) in &self.0 {
            collect(folder, folder, name, 0, &mut files);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }
}

/// A file as the page is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Listed {
    pub path: String,
    /// `robot`, `arm`, or another.
    pub kind: &'static str,
    /// Bytes.
    pub size: u64,
}

fn collect(folder: &Path, root: &Path, name: &str, depth: usize, files: &mut Vec<Listed>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let Ok(path) = entry.path().canonicalize() else { continue };
        if file.starts_with('.') || files.len() >= MAX_LISTED || !path.starts_with(root) {
            continue;
        }
        let name = format!("{name}/{file}");
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if path.is_dir() && !is_link && depth < MAX_DEPTH {
            collect(&path, root, &name, depth + 1, files);
        } else if path.is_file() {
            let size = path.metadata().map_or(0, |metadata| metadata.len());
            files.push(Listed { path: name, kind: kind(&path, size), size });
        }
    }
}

/// What a file is: a robot, a flexible arm, or something else.
fn kind(path: &Path, size: u64) -> &'static str {
    let Some(named) = Format::from_path(path).filter(|_| size <= MAX_SNIFFED) else { return OTHER };
    let Ok(text) = fs::read_to_string(path) else { return OTHER };
    let format = Format::of_text(&text).unwrap_or(named);
    match format {
        Format::Urdf => {
            if text.contains("<robot") {
                "robot"
            } else {
                OTHER
            }
        }
        Format::Mjcf | Format::Sdf => "robot",
        Format::Toml | Format::Json if formats::read_arm_str(&text, format).description.is_some() => "arm",
        Format::Toml | Format::Json if formats::read_str(&text, format).is_ok() => "robot",
        Format::Toml | Format::Json => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("arm/package.xml", "<package><name>arm</name></package>");
        write("arm/urdf/arm.urdf", "<robot name=\"arm\"><link name=\"a\"/></robot>");
        write("arm/meshes/a.stl", "solid");
        write("arm/.hidden", "x");
        write("secret.txt", "secret");
        write("armed/secret.txt", "secret");
        folder
    }

    fn folders(folder: &tempfile::TempDir) -> Folders {
        Folders::new(&[folder.path().join("arm")]).unwrap()
    }

    #[test]
    fn files_of_a_folder_are_listed_by_what_they_are() {
        let folder = folder();
        let folders = folders(&folder);
        let listed = folders.list();
        let named: Vec<_> = listed.iter().map(|file| (file.path.as_str(), file.kind)).collect();
        assert_eq!(
            named,
            [("arm/meshes/a.stl", "other"), ("arm/package.xml", "other"), ("arm/urdf/arm.urdf", "robot")]
        );
        assert_eq!(listed[0].size, 5);
        assert_eq!(folders.only(), Some(("arm/urdf/arm.urdf".to_owned(), "robot")));
        fs::write(folder.path().join("arm/b.urdf"), "<robot name=\"b\"><link name=\"b\"/></robot>").unwrap();
        assert_eq!(folders.only(), None);
    }

    #[test]
    fn folders_of_one_name_are_told_apart_and_those_that_are_not_there_refused() {
        let folder = folder();
        fs::create_dir_all(folder.path().join("other/arm")).unwrap();
        fs::write(folder.path().join("other/arm/b.txt"), "b").unwrap();
        let folders = Folders::new(&[folder.path().join("arm"), folder.path().join("other/arm")]).unwrap();
        assert!(folders.find("arm-2/b.txt").is_some() && folders.find("arm/b.txt").is_none());
        for path in ["none", "secret.txt"] {
            assert_eq!(Folders::new(&[folder.path().join(path)]).unwrap_err().kind(), "no-such-folder");
        }
    }

    #[test]
    fn nothing_outside_the_folders_is_found() {
        let folder = folder();
        let folders = folders(&folder);
        assert!(folders.find("arm/meshes/a.stl").is_some());
        let absolute = folder.path().join("secret.txt").display().to_string();
        let bad = [
            "arm/../secret.txt",
            "../secret.txt",
            "secret.txt",
            "armed/secret.txt",
            "arm",
            "arm/",
            "arm//etc/passwd",
            "arm/meshes/../../secret.txt",
            "arm/..\\secret.txt",
            "arm/meshes",
            "arm/./package.xml",
            "arm/.hidden",
            "/etc/passwd",
            "",
            &absolute,
        ];
        for path in bad {
            assert_eq!(folders.find(path), None, "{path}");
        }
    }

    #[test]
    fn meshes_are_found_as_robots_name_them_and_no_further() {
        let folder = folder();
        let (folders, robot) = (folders(&folder), "arm/urdf/arm.urdf");
        for uri in [
            "package://arm/meshes/a.stl",
            "package:///arm/meshes/a.stl",
            "model://arm/meshes/a.stl",
            "../meshes/a.stl",
            "file://../meshes/a.stl",
        ] {
            assert!(folders.mesh(robot, uri).is_some_and(|path| path.ends_with("arm/meshes/a.stl")), "{uri}");
        }
        let bad = [
            "../../secret.txt",
            "package://../secret.txt",
            "package://arm/../secret.txt",
            "http://a/b.stl",
            "/etc/passwd",
            "",
        ];
        for uri in bad {
            assert_eq!(folders.mesh(robot, uri), None, "{uri}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_neither_read_nor_listed() {
        let folder = folder();
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), folder.path().join("arm/link.txt")).unwrap();
        std::os::unix::fs::symlink("meshes/a.stl", folder.path().join("arm/inside.stl")).unwrap();
        let folders = folders(&folder);
        assert_eq!(folders.find("arm/link.txt"), None);
        assert!(folders.find("arm/inside.stl").is_some());
        assert!(folders.list().iter().all(|file| !file.path.ends_with("link.txt")));
    }
}
