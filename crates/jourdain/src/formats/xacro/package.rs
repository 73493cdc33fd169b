//! Where a ROS package is, without ROS.
//!
//! In this order: what the caller says; `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`; upwards from the file that asks, for a
//! folder of that name or one whose `package.xml` has it.

use super::super::xml::Files;
use std::path::{Path, PathBuf};

/// Most folders looked at on the way up.
const MAX_UP: usize = 12;
/// Most folders beside one on the way up whose `package.xml` is looked at.
const MAX_BESIDE: usize = 300;

/// The folder of a package; `from` is the folder of the file that asks.
pub(super) fn find(name: &str, from: Option<&Path>, files: &dyn Files) -> Option<PathBuf> {
    if name.contains(['/', '\\']) || matches!(name, "" | "." | "..") {
        return None;
    }
    let given = files.packages().iter().find(|(package, _)| package == name).map(|(_, folder)| folder.clone());
    given.or_else(|| from_environment(name, files)).or_else(|| upwards(name, from?, files))
}

fn from_environment(name: &str, files: &dyn Files) -> Option<PathBuf> {
    let folders = |variable: &str| {
        let value = files.variable(variable).unwrap_or_default();
        std::env::split_paths(&value).filter(|folder| !folder.as_os_str().is_empty()).collect::<Vec<_>>()
    };
    let ros = folders("ROS_PACKAGE_PATH").into_iter().find_map(|folder| here(name, &folder, files));
    let ament = || folders("AMENT_PREFIX_PATH").into_iter().map(|prefix| prefix.join("share").join(name));
    ros.or_else(|| ament().find(|folder| files.is_folder(folder)))
}

fn upwards(name: &str, from: &Path, files: &dyn Files) -> Option<PathBuf> {
    from.ancestors().take(MAX_UP).find_map(|folder| here(name, folder, files))
}

/// A folder itself, or one right in it.
fn here(name: &str, folder: &Path, files: &dyn Files) -> Option<PathBuf> {
    if folder.file_name().is_some_and(|last| last == name) || is_package(name, folder, files) {
        return Some(folder.to_owned());
    }
    let inside = folder.join(name);
    if files.is_folder(&inside) {
        return Some(inside);
    }
    let mut beside = files.list(folder).unwrap_or_default();
    beside.sort();
    beside.into_iter().take(MAX_BESIDE).map(|name| folder.join(name)).find(|folder| is_package(name, folder, files))
}

/// True if the `package.xml` of a folder has that name.
fn is_package(name: &str, folder: &Path, files: &dyn Files) -> bool {
    let Ok(bytes) = files.read(&folder.join("package.xml")) else { return false };
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]).into_owned();
    let inside = text.split_once("<name>").and_then(|(_, rest)| rest.split_once("</name>"));
    inside.is_some_and(|(inside, _)| inside.trim() == name)
}
