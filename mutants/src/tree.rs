//! The copy of the repository that is built: sources of one crate with switches, everything else as it is.

use crate::Failure;
use crate::find::{self, Mutant, Place};
use crate::splice::{Spliced, splice};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The crate whose mutants are looked for.
pub const CRATE: &str = "jourdain";

/// Programs of tests that say nothing here: they count allocations and bytes, read the sources, or run other programs.
const LEFT_OUT: [&str; 5] = ["allocation", "architecture", "compiled_memory", "examples", "identify_memory"];

/// A copy of the repository with switches.
pub struct Tree {
    /// Top folder of the copy.
    pub root: PathBuf,
    /// Sources of the crate, in the repository.
    sources: PathBuf,
    /// Files with mutants, from the folder of sources, and their places.
    files: Vec<(String, Vec<Place>)>,
    /// All mutants by number.
    pub mutants: Vec<Mutant>,
    /// How files were written last.
    pub spliced: HashMap<PathBuf, Spliced>,
    /// Programs of `tests/` that together have all tests.
    pub programs: Vec<String>,
}

impl Tree {
    /// Finds the mutants of `folders` (or single files, without `.rs`) and copies the repository to `root`.
    pub fn new(repository: &Path, root: PathBuf, folders: &[String]) -> Result<Self, Failure> {
        let sources = repository.join("crates").join(CRATE).join("src");
        let mut names = Vec::new();
        for folder in folders {
            let before = names.len();
            let place = sources.join(folder);
            if place.is_dir() {
                collect(&sources, &place, &mut names)?;
            }
            if place.with_extension("rs").is_file() {
                names.push(format!("{folder}.rs"));
            }
            names[before..].sort();
            if names.len() == before {
                return Err(format!("no folder or file {folder} in {}", sources.display()).into());
            }
        }
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        let (mut mutants, mut files) = (Vec::new(), Vec::new());
        for name in names {
            let text = fs::read_to_string(sources.join(&name))?;
            let places = find::find(&name, &text, &mut mutants).map_err(|error| format!("{name}: {error}"))?;
            files.push((name, places));
        }
        let mut tree = Self { root, sources, files, mutants, spliced: HashMap::new(), programs: Vec::new() };
        tree.copy(repository)?;
        Ok(tree)
    }

    /// Folder of the crate in the copy.
    pub fn package(&self) -> PathBuf {
        self.root.join("crates").join(CRATE)
    }

    fn copy(&mut self, repository: &Path) -> Result<(), Failure> {
        fs::create_dir_all(self.root.join("crates"))?;
        for entry in fs::read_dir(repository)? {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() && name != "crates" && name != "target" && name != ".git" {
                link(&entry.path(), &self.root.join(&name))?;
            }
        }
        mirror(&repository.join("crates/jourdain-symbolic"), &self.root.join("crates/jourdain-symbolic"), &|_| false)?;
        let manifest = fs::read_to_string(repository.join("Cargo.toml"))?
            .replace("members = [\"crates/*\"]", "members = [\"crates/jourdain\", \"crates/jourdain-symbolic\"]")
            .replace("default-members = [\"crates/jourdain-cli\"]\n", "");
        // Lines are for people who look for a mistake.
        let manifest = manifest.replace("debug = \"line-tables-only\"", "debug = false");
        write_if_changed(&self.root.join("Cargo.toml"), &manifest)?;
        fs::copy(repository.join("Cargo.lock"), self.root.join("Cargo.lock"))?;
        let package = repository.join("crates").join(CRATE);
        mirror(&package.join("src"), &self.package().join("src"), &|name| self.is_written(name))?;
        mirror(&package.join("tests"), &self.package().join("tests"), &|_| false)?;
        let manifest = fs::read_to_string(package.join("Cargo.toml"))?;
        let manifest = self.list_tests(&manifest)?;
        write_if_changed(&self.package().join("Cargo.toml"), &manifest)
    }

    /// The manifest without benches and lints, and with the programs of `tests/` that are not left out.
    fn list_tests(&mut self, manifest: &str) -> Result<String, Failure> {
        let folder = self.package().join("tests");
        let mut programs = String::new();
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(&folder)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        for name in names {
            let (program, path) = match name.strip_suffix(".rs") {
                Some(program) => (program, name.clone()),
                None => (name.as_str(), format!("{name}/main.rs")),
            };
            if folder.join(&path).is_file() && !LEFT_OUT.contains(&program) {
                writeln!(programs, "[[test]]\nname = \"{program}\"\npath = \"tests/{path}\"")?;
                self.programs.push(program.into());
            }
        }
        let end = manifest.find("[[bench]]").unwrap_or(manifest.len());
        let manifest =
            manifest[..end].replace("criterion.workspace = true\n", "").replace("[lints]\nworkspace = true\n", "");
        Ok(manifest.replacen("[package]\n", "[package]\nautotests = false\n", 1) + &programs)
    }

    /// Whether a source is written by [`Tree::write`].
    fn is_written(&self, name: &Path) -> bool {
        let name = name.to_string_lossy();
        name == "lib.rs" || name == "mutant.rs" || self.files.iter().any(|(file, _)| *file == name)
    }

    /// Writes the files with switches, those of `without` left out.
    pub fn write(&mut self, without: &HashSet<usize>) -> Result<(), Failure> {
        let folder = self.package().join("src");
        for (name, places) in &self.files {
            let spliced = splice(&fs::read_to_string(self.sources.join(name))?, places, without);
            write_if_changed(&folder.join(name), &spliced.text)?;
            self.spliced.insert(folder.join(name), spliced);
        }
        let top = fs::read_to_string(self.sources.join("lib.rs"))?;
        write_if_changed(&folder.join("lib.rs"), &format!("{top}\n#[allow(missing_docs)]\npub mod mutant;\n"))?;
        let switch = include_str!("switch.txt").replace("{COUNT}", &self.mutants.len().max(1).to_string());
        write_if_changed(&folder.join("mutant.rs"), &switch)?;
        Ok(())
    }
}

/// Rust files below `place`, those of tests left out.
fn collect(sources: &Path, place: &Path, names: &mut Vec<String>) -> Result<(), Failure> {
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            collect(sources, &path, names)?;
        } else if name.ends_with(".rs") && name != "tests.rs" {
            names.push(path.strip_prefix(sources)?.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

fn link(from: &Path, to: &Path) -> Result<(), Failure> {
    if fs::symlink_metadata(to).is_ok() {
        fs::remove_file(to)?;
    }
    Ok(std::os::unix::fs::symlink(fs::canonicalize(from)?, to)?)
}

/// Makes `to` the same as `from`, but for files `except`; what has not changed keeps its time, so that little is built anew.
fn mirror(from: &Path, to: &Path, except: &dyn Fn(&Path) -> bool) -> Result<(), Failure> {
    fn walk(from: &Path, to: &Path, below: &Path, except: &dyn Fn(&Path) -> bool) -> Result<(), Failure> {
        let (source, target) = (from.join(below), to.join(below));
        fs::create_dir_all(&target)?;
        for entry in fs::read_dir(&target)? {
            let name = entry?.file_name();
            let path = below.join(&name);
            if !source.join(&name).exists() && !except(&path) {
                let gone = target.join(&name);
                if gone.is_dir() { fs::remove_dir_all(gone)? } else { fs::remove_file(gone)? }
            }
        }
        for entry in fs::read_dir(&source)? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                walk(from, to, &path, except)?;
            } else if !except(&path) {
                let bytes = fs::read(entry.path())?;
                if fs::read(to.join(&path)).ok().as_ref() != Some(&bytes) {
                    fs::write(to.join(&path), bytes)?;
                }
            }
        }
        Ok(())
    }
    walk(from, to, Path::new(""), except)
}

fn write_if_changed(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text)?;
    }
    Ok(())
}
