//! Which files there are: those in the given folders, and no others.
//!
//! A folder goes by its last name, so that `package://arm/meshes/a.stl` is found beside `arm/urdf/arm.urdf`. A path of the page names
//! a folder and what is in it, without ways back; where links lead is looked at before a file is opened.

use jourdain::formats::{self, Format};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 256 << 20;
/// Most files that are listed.
const MAX_LISTED: usize = 5000;
/// Deepest folder that is looked into.
const MAX_DEPTH: usize = 12;
/// Largest text that is looked at to see what it is, bytes.
const MAX_SNIFFED: u64 = 4 << 20;

/// Folders by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folders(Vec<(String, PathBuf)>);

impl Folders {
    /// The folder of a robot's file: that of its package, if it is in one. Also the path of the file for the page.
    pub fn of_robot(file: &Path) -> io::Result<(Self, String)> {
        let file = file.canonicalize()?;
        let parent = file.parent().unwrap_or(Path::new("/"));
        let package = parent.ancestors().take(MAX_DEPTH).find(|folder| folder.join("package.xml").is_file());
        let root = package.unwrap_or(parent);
        let name = root.file_name().map_or_else(|| "files".to_owned(), |name| name.to_string_lossy().into_owned());
        let inside = file.strip_prefix(root).unwrap_or(&file);
        let path = std::iter::once(name.clone()).chain(inside.iter().map(|part| part.to_string_lossy().into_owned()));
        let path = path.collect::<Vec<_>>().join("/");
        Ok((Self(vec![(name, root.to_owned())]), path))
    }

    /// The bytes of a file; `None` if there is none of that path in the folders.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let file = self.find(path)?;
        let mut bytes = Vec::new();
        File::open(file).ok()?.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= MAX_BYTES).then_some(bytes)
    }

    fn find(&self, path: &str) -> Option<PathBuf> {
        let mut parts = path.split('/');
        let (name, inside) = (parts.next()?, parts.collect::<Vec<_>>());
        let is_plain = |part: &&str| !matches!(*part, "" | "." | "..") && !part.contains(['\\', '\0', ':']);
        if inside.is_empty() || !inside.iter().all(is_plain) {
            return None;
        }
        let (_, folder) = self.0.iter().find(|(known, _)| known == name)?;
        let folder = folder.canonicalize().ok()?;
        // A link may lead out of the folder.
        let file = inside.iter().fold(folder.clone(), |path, part| path.join(part)).canonicalize().ok()?;
        (file.starts_with(&folder) && file.is_file()).then_some(file)
    }

    /// The bytes of a mesh that the file of a robot names: by a path from its folder, or in a package or model on the way up.
    pub fn mesh(&self, robot: &str, uri: &str) -> Option<Vec<u8>> {
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
                self.read(&folder.join("/"))
            }
            "package" | "model" => {
                let ways = (0..=folder.len()).rev().map(|depth| [&folder[..depth], &[rest]].concat().join("/"));
                ways.into_iter().find_map(|path| self.read(&path))
            }
            _ => None,
        }
    }

    /// All files: `[{"path", "kind", "size"}]`. Those that are hidden are left out.
    pub fn list(&self) -> Value {
        let mut files = Vec::new();
        for (name, folder) in &self.0 {
            let Ok(root) = folder.canonicalize() else { continue };
            collect(&root, &root, name, 0, &mut files);
        }
        files.sort_by(|a, b| a["path"].as_str().cmp(&b["path"].as_str()));
        Value::Array(files)
    }
}

fn collect(folder: &Path, root: &Path, name: &str, depth: usize, files: &mut Vec<Value>) {
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
            files.push(json!({ "path": name, "kind": kind(&path, size), "size": size }));
        }
    }
}

/// What a file is: a robot, a flexible arm, or something else.
fn kind(path: &Path, size: u64) -> &'static str {
    let Some(named) = Format::from_path(path).filter(|_| size <= MAX_SNIFFED) else { return "other" };
    let Ok(text) = fs::read_to_string(path) else { return "other" };
    let format = Format::of_text(&text).unwrap_or(named);
    match format {
        Format::Urdf => {
            if text.contains("<robot") {
                "robot"
            } else {
                "other"
            }
        }
        Format::Mjcf | Format::Sdf => "robot",
        Format::Toml | Format::Json if formats::read_arm_str(&text, format).description.is_some() => "arm",
        Format::Toml | Format::Json if formats::read_str(&text, format).is_ok() => "robot",
        Format::Toml | Format::Json => "other",
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

    #[test]
    fn the_folder_of_a_robot_is_that_of_its_package_and_its_files_are_listed() {
        let folder = folder();
        let (folders, robot) = Folders::of_robot(&folder.path().join("arm/urdf/arm.urdf")).unwrap();
        assert_eq!(robot, "arm/urdf/arm.urdf");
        assert!(folders.read(&robot).unwrap().starts_with(b"<robot name=\"arm\">"));
        assert_eq!(folders.read("arm/meshes/a.stl").as_deref(), Some(b"solid".as_slice()));
        let listed = folders.list();
        let named: Vec<_> = listed
            .as_array()
            .unwrap()
            .iter()
            .map(|file| (file["path"].as_str().unwrap(), file["kind"].as_str().unwrap()))
            .collect();
        assert_eq!(
            named,
            [("arm/meshes/a.stl", "other"), ("arm/package.xml", "other"), ("arm/urdf/arm.urdf", "robot")]
        );
    }

    #[test]
    fn nothing_outside_is_read() {
        let folder = folder();
        let (folders, _) = Folders::of_robot(&folder.path().join("arm/urdf/arm.urdf")).unwrap();
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
            "/etc/passwd",
            "",
            &absolute,
        ];
        for path in bad {
            assert_eq!(folders.read(path), None, "{path}");
        }
    }

    #[test]
    fn meshes_are_found_as_robots_name_them_and_no_further() {
        let folder = folder();
        let (folders, robot) = Folders::of_robot(&folder.path().join("arm/urdf/arm.urdf")).unwrap();
        for uri in
            ["package://arm/meshes/a.stl", "model://arm/meshes/a.stl", "../meshes/a.stl", "file://../meshes/a.stl"]
        {
            assert_eq!(folders.mesh(&robot, uri).as_deref(), Some(b"solid".as_slice()), "{uri}");
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
            assert_eq!(folders.mesh(&robot, uri), None, "{uri}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_neither_read_nor_listed() {
        let folder = folder();
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), folder.path().join("arm/link.txt")).unwrap();
        std::os::unix::fs::symlink("meshes/a.stl", folder.path().join("arm/inside.stl")).unwrap();
        let (folders, _) = Folders::of_robot(&folder.path().join("arm/urdf/arm.urdf")).unwrap();
        assert_eq!(folders.read("arm/link.txt"), None);
        assert!(folders.read("arm/inside.stl").is_some());
        assert!(!folders.list().to_string().contains("link.txt"));
    }
}
