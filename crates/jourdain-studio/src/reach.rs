//! Which meshes of a robot may be read: those that its files name, of a kind that can be drawn, near those files.
//!
//! A robot's file comes from anywhere, and may name any path. So a mesh that is named by a path has to be in the package of one of
//! the files that were read, or in the folder above one of them (`../meshes`); one that is named by its package is where packages
//! are looked for. Where links lead counts.

use jourdain::model::Description;
use jourdain::model::shape::Form;
use jourdain_kit::host::Host;
use jourdain_kit::operations::scene::shape::locate;
use jourdain_kit::resolve::Robot;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Endings of meshes that the page can draw.
const DRAWN: [&str; 3] = ["stl", "obj", "dae"];
/// Most folders that are looked at on the way up to a package.
const MAX_UP: usize = 12;

/// Folders that meshes are taken from.
pub(crate) struct Reach(Vec<PathBuf>);

impl Reach {
    /// Around the files that were read for a robot.
    pub fn new(request: &Robot, seen: &BTreeSet<PathBuf>) -> Self {
        let packages = request.package.iter().filter_map(|pair| Path::new(pair.split_once('=')?.1).canonicalize().ok());
        let mut folders: Vec<PathBuf> = seen.iter().filter_map(|file| home(file)).chain(packages).collect();
        folders.dedup();
        Self(folders)
    }

    /// The meshes of a robot that are there: as its file names them, and where they are.
    pub fn meshes(&self, robot: &Description, request: &Robot, host: &dyn Host) -> Vec<(String, PathBuf)> {
        let mut meshes: Vec<(String, PathBuf)> = Vec::new();
        for shape in robot.links.iter().flat_map(|link| &link.shapes) {
            let Form::Mesh { path: uri, .. } = &shape.form else { continue };
            if meshes.iter().all(|(known, _)| known != uri)
                && let Some(path) = locate(uri, request, host)
                && let Some(path) = self.admitted(uri, Path::new(&path))
            {
                meshes.push((uri.clone(), path));
            }
        }
        meshes
    }

    /// Where a mesh really is, if it may be read.
    fn admitted(&self, uri: &str, path: &Path) -> Option<PathBuf> {
        let path = path.canonicalize().ok()?;
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let is_near = || self.0.iter().any(|folder| path.starts_with(folder));
        let is_packaged = uri.starts_with("package://") || uri.starts_with("model://");
        (DRAWN.contains(&ending.as_str()) && (is_packaged && !uri.contains("..") || is_near())).then_some(path)
    }
}

/// The package of a file, or the folder above its own; never the whole disk.
fn home(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let package = folder.ancestors().take(MAX_UP).find(|folder| folder.join("package.xml").is_file());
    let home = package.or_else(|| folder.parent()).unwrap_or(folder);
    let is_root = home.parent().is_none();
    Some(if is_root { folder } else { home }.to_owned())
}
