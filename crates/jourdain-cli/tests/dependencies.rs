//! What is built from crates of others: licences and sources are those that `deny.toml` allows, and every crate of the shipped programs
//! that has `unsafe` stands in `docs/dependencies.md` with what that is for. `UPDATE_DOCS=1` writes versions and counts anew.
//!
//! Trap: crates of other systems are not unpacked here, so that the page is that of Linux on x86-64; cargo-deny sees all of them.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "x86_64-unknown-linux-gnu";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cargo(arguments: &[&str]) -> String {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let done = Command::new(program).args(arguments).args(["--offline", "--locked"]).current_dir(repository()).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// A crate that somebody else wrote.
struct Package {
    licence: String,
    folder: PathBuf,
}

/// All of them by name and version, those of tests and of building included.
fn packages() -> BTreeMap<(String, String), Package> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1", "--filter-platform", TARGET])).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let others = metadata["packages"].as_array().unwrap().iter().filter(|package| !package["source"].is_null());
    others
        .map(|package| {
            let manifest = PathBuf::from(text(&package["manifest_path"]));
            let found = Package { licence: text(&package["license"]), folder: manifest.parent().unwrap().to_owned() };
            ((text(&package["name"]), text(&package["version"])), found)
        })
        .collect()
}

/// Names and versions of what is in the command and in the Python package when they run.
fn shipped() -> BTreeSet<(String, String)> {
    let tree = cargo(&[
        "tree",
        "-e",
        "normal,no-proc-macro",
        "--target",
        TARGET,
        "--prefix",
        "none",
        "--format",
        "{p}",
        "-p",
        "jourdain-cli",
        "-p",
        "jourdain-python",
    ]);
    // Crates of the repository have a path behind their version.
    tree.lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .filter_map(|line| line.split_once(" v"))
        .filter(|(_, version)| !version.contains(' '))
        .map(|(name, version)| (name.to_owned(), version.to_owned()))
        .collect()
}

/// Places where a file enters unsafe code, or promises something for it.
fn unsafe_places(text: &str) -> usize {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let opens = |rest: &str| ["{", "fn ", "impl", "trait ", "extern"].iter().any(|word| rest.starts_with(word));
    let is_word = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices("unsafe")
        .filter(|(at, word)| is_word(*at) && opens(code[at + word.len()..].trim_start()))
        .count()
}

fn unsafe_places_in(folder: &Path) -> usize {
    let mut sum = 0;
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if !["tests", "benches", "examples"].iter().any(|left_out| name == *left_out) {
                sum += unsafe_places_in(&path);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            sum += unsafe_places(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
        }
    }
    sum
}

#[test]
fn unsafe_code_is_seen_where_it_is_and_nowhere_else() {
    let text = "unsafe { f() }\n// unsafe { g() }\nunsafe impl Send for X {}\npub unsafe fn f() {}\nlet not_unsafe = 1;\n#![forbid(unsafe_code)]";
    assert_eq!(unsafe_places(text), 3);
}

/// Files below a folder with unsafe code, without its tests.
fn unsafe_files(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            unsafe_files(&path, found);
        } else if name.ends_with(".rs") && unsafe_places(&fs::read_to_string(&path).unwrap()) > 0 {
            found.insert(name);
        }
    }
}

#[test]
fn our_own_unsafe_code_is_in_the_files_that_contributing_explains() {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(repository().join("crates")).unwrap().map(Result::unwrap) {
        unsafe_files(&entry.path().join("src"), &mut found);
    }
    let page = fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap();
    let (_, section) = page.split_once("\n## Unsafe code\n").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `") && !line.contains("| no `unsafe`"));
    let listed = rows.filter_map(|row| row.split('`').nth(1)).filter(|name| name.ends_with(".rs"));
    assert_eq!(found, listed.map(str::to_owned).collect(), "left: found, right: explained");
}

/// `name` version (places), as the page says it.
fn entry((name, version): &(String, String), places: usize) -> String {
    format!("`{name}` {version} ({places})")
}

/// The entries of a page: in the first cells of its tables.
fn entries(page: &str) -> Vec<(String, String)> {
    let cells =
        page.lines().filter_map(|line| line.strip_prefix("| `")).map(|line| line.split(" | ").next().unwrap_or(""));
    let all = cells.flat_map(|cell| cell.split(", `"));
    all.filter_map(|entry| entry.split_once("` "))
        .map(|(name, rest)| (name.to_owned(), rest.split(' ').next().unwrap_or_default().to_owned()))
        .collect()
}

#[test]
fn every_crate_with_unsafe_code_is_explained() {
    let packages = packages();
    let found: BTreeMap<_, _> = shipped()
        .into_iter()
        .map(|key| {
            let places =
                unsafe_places_in(&packages.get(&key).unwrap_or_else(|| panic!("{key:?} is not unpacked")).folder);
            (key, places)
        })
        .filter(|(_, places)| *places > 0)
        .collect();
    assert!(found.len() > 50, "only {} found", found.len());
    let path = repository().join("docs/dependencies.md");
    let page = fs::read_to_string(&path).unwrap();
    let written = entries(&page);
    let names =
        |of: &mut dyn Iterator<Item = &(String, String)>| of.map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
    let (there, said) = (names(&mut found.keys()), names(&mut written.iter()));
    let (missing, gone): (Vec<_>, Vec<_>) = (there.difference(&said).collect(), said.difference(&there).collect());
    assert!(missing.is_empty(), "docs/dependencies.md does not say what `unsafe` is for in {missing:?}");
    assert!(gone.is_empty(), "docs/dependencies.md explains what is not there any more: {gone:?}");
    // Several versions of a crate are several entries.
    let mut lines = Vec::new();
    for line in page.lines() {
        let mut cells: Vec<String> = line.split(" | ").map(str::to_owned).collect();
        if line.starts_with("| `") {
            let mut names: Vec<String> = entries(line).into_iter().map(|(name, _)| name).collect();
            names.dedup();
            let all = names.iter().flat_map(|name| found.iter().filter(move |((other, _), _)| other == name));
            let all: Vec<String> = all.map(|(key, places)| entry(key, *places)).collect();
            cells[0] = format!("| {}", all.join(", "));
        }
        lines.push(cells.join(" | "));
    }
    let new = lines.join("\n") + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, new).unwrap();
    } else {
        assert!(new == page, "versions or counts have changed: look at what is new, then UPDATE_DOCS=1");
    }
}

/// True if a licence can be chosen that is allowed; `/` is an older way of writing OR.
fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    let plain = licence.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|one| allowed.contains(&one.trim())))
}

#[test]
fn licences_are_those_that_are_allowed() {
    let deny = fs::read_to_string(repository().join("deny.toml")).unwrap();
    let (_, list) = deny.split_once("allow = [").unwrap();
    let allowed: Vec<&str> =
        list.split(']').next().unwrap().lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert!(allowed.contains(&"MIT") && !is_allowed("GPL-3.0", &allowed) && is_allowed("GPL-3.0/MIT", &allowed));
    let packages = packages();
    assert!(packages.len() > 100, "only {} found", packages.len());
    let others: Vec<_> = packages
        .iter()
        .filter(|(_, package)| !is_allowed(&package.licence, &allowed))
        .map(|((name, version), package)| format!("{name} {version}: {}", package.licence))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn all_crates_come_from_one_registry_with_a_checksum() {
    let lock = fs::read_to_string(repository().join("Cargo.lock")).unwrap();
    let mut foreign = 0;
    let mut registry = None;
    for package in lock.split("[[package]]").skip(1) {
        let name = package.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
        if let Some(source) = package.lines().find_map(|line| line.strip_prefix("source = ")) {
            foreign += 1;
            assert!(source.starts_with("\"registry+"), "{name} is not from a registry");
            assert_eq!(*registry.get_or_insert(source), source, "{name} is from another registry than the others");
            assert!(package.contains("\nchecksum = \""), "{name} has no checksum");
        } else {
            assert!(name.starts_with("\"jourdain"), "{name} has no source");
        }
    }
    assert!(foreign > 100);
}
