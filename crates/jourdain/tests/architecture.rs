//! The tables of layers in ARCHITECTURE.md are true: no `use` goes where they do not allow it. And what has one place is done there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names in backticks of a cell, without a slash or `.rs` at the end.
fn names(cell: &str) -> Vec<String> {
    let name = |name: &str| name.trim_end_matches('/').trim_end_matches(".rs").to_owned();
    cell.split('`').skip(1).step_by(2).map(name).collect()
}

/// The rows below the heading that starts so: the names of the first cell and those of the last.
fn table(page: &str, heading: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let lines = page.lines().skip_while(|line| !line.starts_with(heading)).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        (names(cells[0]), names(cells[cells.len() - 1]))
    });
    rows.collect()
}

/// The layers of the library: rows of module paths.
struct Layers(Vec<(Vec<String>, Vec<String>)>);

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Layers {
    /// The row of a module: that of its longest name in the table.
    fn row(&self, module: &str) -> Option<usize> {
        let rows = self.0.iter().enumerate();
        let matches = rows.flat_map(|(row, (names, _))| names.iter().map(move |name| (name, row)));
        matches.filter(|(name, _)| is_within(module, name)).max_by_key(|(name, _)| name.len()).map(|(_, row)| row)
    }

    /// What is wrong with one module using another.
    fn complaint(&self, from: &str, to: &str) -> Option<String> {
        let (Some(here), Some(there)) = (self.row(from), self.row(to)) else {
            return Some(format!("{from} uses {to}: one of them is in no row"));
        };
        let allowed = here == there || self.0[here].1.iter().any(|name| is_within(to, name));
        (!allowed).then(|| format!("{from} uses {to}, which its row does not name"))
    }

    /// Rows that name what stands below them.
    fn disorder(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (at, (names, uses)) in self.0.iter().enumerate() {
            for used in uses {
                if !self.0[..at].iter().any(|(above, _)| above.contains(used)) {
                    found.push(format!("{} names {used}, which does not stand above it", names.join(", ")));
                }
            }
        }
        found
    }
}

const TESTS: &str = "\n#[cfg(test)]\nmod ";

/// Where the module of tests at the end of a file starts.
fn end_of_code(text: &str) -> usize {
    let opens = |&at: &usize| {
        text[at + TESTS.len()..].find([';', '{']).is_some_and(|end| text[at + TESTS.len() + end..].starts_with('{'))
    };
    text.match_indices(TESTS).map(|(at, _)| at).find(opens).unwrap_or(text.len())
}

/// The files that a module has for its tests alone.
fn test_files(module: &str, text: &str) -> Vec<String> {
    let name = |(at, _): (usize, &str)| text[at + TESTS.len()..].split_once(';').map(|(name, _)| name);
    let names = text.match_indices(TESTS).filter_map(name).filter(|name| !name.contains(char::is_whitespace));
    names.map(|name| format!("{module}/{name}")).collect()
}

/// A source text without comments, strings and modules of tests.
fn code(text: &str) -> String {
    let text = &text[..end_of_code(text)];
    let mut out = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut characters = line.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '/' if !quoted && characters.peek() == Some(&'/') => break,
                '\\' if quoted => _ = characters.next(),
                '"' => quoted = !quoted,
                _ if quoted => {}
                _ => out.push(character),
            }
        }
        out.push('\n');
    }
    out
}

/// All paths that a text starts with, its groups taken apart: `a::{b, c::{d}}` is a/b and a/c/d.
fn paths(text: &str, prefix: &str, out: &mut Vec<String>) -> usize {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c| !word(c)).unwrap_or(text.len());
    let path = if prefix.is_empty() { text[..end].to_owned() } else { format!("{prefix}/{}", &text[..end]) };
    if !text[end..].starts_with("::") {
        out.push(path);
        return end;
    }
    let mut at = end + 2;
    if !text[at..].starts_with('{') {
        return at + paths(&text[at..], &path, out);
    }
    at += 1;
    loop {
        at += text[at..].find(|c: char| !c.is_whitespace() && c != ',').unwrap_or(text.len() - at);
        if at >= text.len() || text[at..].starts_with('}') {
            return (at + 1).min(text.len());
        }
        let read = paths(&text[at..], &path, out);
        // `as` and other words in between are of no interest.
        at += read.max(1);
        at += text[at..].find([',', '}']).unwrap_or(text.len() - at);
    }
}

/// The modules and items that a module names by `crate::` and `super::`.
fn used(module: &str, text: &str) -> BTreeSet<String> {
    let code = code(text);
    let mut out = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            let group = code[at + 7..].starts_with('{');
            let text = if group { &code[at..] } else { &code[at + 7..] };
            paths(text, "", &mut out);
        }
    }
    for (at, _) in code.match_indices("use super::") {
        let mut rest = &code[at + 4..];
        let mut folder = module;
        while let Some(after) = rest.strip_prefix("super::") {
            folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            rest = after;
        }
        if rest.starts_with('{') {
            let mut group = Vec::new();
            paths(&format!("x::{rest}"), "", &mut group);
            out.extend(group.iter().map(|path| format!("{folder}/{}", path.trim_start_matches("x/"))));
        } else {
            paths(rest, folder, &mut out);
        }
    }
    let tidy = |path: String| path.trim_start_matches("crate/").trim_start_matches('/').to_owned();
    out.into_iter().map(tidy).filter(|path| !path.is_empty()).collect()
}

/// Modules of the library by path, with their text.
fn modules() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut out) = (vec![root.clone()], BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            let module = name.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
            out.insert(module, fs::read_to_string(&path).unwrap());
        }
    }
    out.remove("lib");
    let tests: Vec<_> = out.iter().flat_map(|(module, text)| test_files(module, text)).collect();
    tests.iter().for_each(|file| _ = out.remove(file));
    out
}

/// What `lib.rs` lends from a module: `Model` from `model`.
fn lent() -> BTreeMap<String, String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';')?.split_once("::"));
    lines.map(|(module, item)| (item.to_owned(), module.to_owned())).collect()
}

fn layers() -> Layers {
    let page = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    Layers(table(&page, "| folder or file |"))
}

#[test]
fn modules_use_what_the_table_of_layers_allows() {
    let (layers, lent, modules) = (layers(), lent(), modules());
    let mut complaints = layers.disorder();
    for (module, text) in &modules {
        for path in used(module, text) {
            let first = path.split('/').next().unwrap_or_default();
            let target = lent.get(first).unwrap_or(&path);
            complaints.extend(layers.complaint(module, target));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_row_stands_for_something() {
    let modules = modules();
    for (names, _) in layers().0 {
        for name in names {
            assert!(modules.keys().any(|module| is_within(module, &name)), "there is no {name}");
        }
    }
}

#[test]
fn crates_use_what_the_table_of_crates_allows() {
    let page = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let crates = Layers(table(&page, "| crate |"));
    assert_eq!(crates.disorder(), Vec::<String>::new());
    for entry in fs::read_dir(repository().join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let Ok(text) = fs::read_to_string(path) else { continue };
        let manifest: toml::Table = text.parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for used in dependencies.into_iter().flat_map(|table| table.keys()).filter(|used| used.starts_with("jourdain"))
        {
            assert_eq!(crates.complaint(name, used), None);
        }
    }
}

#[test]
fn an_edge_that_is_not_allowed_is_caught() {
    let page = "\
| folder or file | what it holds | uses |
|---|---|---|
| `low/` | a | – |
| `middle/`, `twin.rs` | b | `low` |
| `high/` | c | `middle` |

after the table";
    let layers = Layers(table(page, "| folder or file |"));
    let text = "use crate::low::Thing;\nuse super::super::high::{self, Other};\nuse crate::{low::A, high::deep::B};\n\
                // crate::nowhere\nlet s = \"crate::quoted\"; crate::twin::go();\n#[cfg(test)]\nmod tests { use crate::free; }";
    let found = used("middle/file", text);
    let expected = ["high/Other", "high/deep/B", "high/self", "low/A", "low/Thing", "twin/go"];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    let complaints: Vec<_> = found.iter().filter_map(|path| layers.complaint("middle/file", path)).collect();
    assert_eq!(complaints.len(), 3, "{complaints:?}");
    assert!(complaints[0].starts_with("middle/file uses high/"));
    assert!(layers.complaint("low/file", "elsewhere").is_some());
    assert!(layers.disorder().is_empty());
    assert_eq!(test_files("low", "mod a;\n#[cfg(test)]\nmod tests;\n"), ["low/tests"]);
    let upside_down = Layers(layers.0.into_iter().rev().collect());
    assert_eq!(upside_down.disorder().len(), 2);
}

/// The code of all files of a crate, by path from the root of the repository; files of tests alone left out.
fn sources(name: &str) -> BTreeMap<String, String> {
    let root = repository().join("crates").join(name).join("src");
    let (mut folders, mut out, mut tests) = (vec![root.clone()], BTreeMap::new(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let inside = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                let text = fs::read_to_string(&path).unwrap();
                let module = inside.trim_end_matches(".rs").trim_end_matches("/mod");
                tests.extend(test_files(module, &text));
                out.insert(inside, code(&text));
            }
        }
    }
    let is_test = |module: &str| module.ends_with("_tests") || tests.iter().any(|test| is_within(module, test));
    out.retain(|file, _| !is_test(file.trim_end_matches(".rs")));
    out
}

/// Files that do what only one place may do.
fn elsewhere(crates: &[&str], allowed: &str, calls: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for name in crates {
        for (file, code) in sources(name) {
            let calls = calls.iter().filter(|call| code.contains(**call) && format!("{name}/{file}") != allowed);
            found.extend(calls.map(|call| format!("crates/{name}/src/{file}: {call}")));
        }
    }
    found
}

const ALL: [&str; 7] = [
    "jourdain-symbolic",
    "jourdain",
    "jourdain-kit",
    "jourdain-wasm",
    "jourdain-studio",
    "jourdain-cli",
    "jourdain-python",
];

/// Calls that make or empty a file.
const CREATES: [&str; 8] =
    ["File::create", "fs::write", "fs::copy", "fs::rename", "OpenOptions", "File::options", "tempfile::", "create_new"];

/// The iterations of nalgebra that may never end.
const ITERATES: [&str; 10] = [
    ".svd(",
    "SVD::",
    ".symmetric_eigen(",
    ".symmetric_eigenvalues(",
    "SymmetricEigen::",
    "Schur::",
    ".schur(",
    ".complex_eigenvalues(",
    ".singular_values()",
    ".pseudo_inverse(",
];

#[test]
fn files_are_made_by_the_writer_of_the_kit_alone() {
    assert_eq!(elsewhere(&ALL, "jourdain-kit/write.rs", &CREATES), Vec::<String>::new());
    // The test sees what it looks for.
    assert!(!elsewhere(&ALL, "", &CREATES).is_empty());
}

#[test]
fn singular_values_and_eigenvalues_are_found_by_the_bounded_helper_alone() {
    assert_eq!(elsewhere(&ALL, "jourdain/spectral.rs", &ITERATES), Vec::<String>::new());
    assert!(!elsewhere(&ALL, "", &ITERATES).is_empty());
}

/// An output that an operation does not tell of may replace what it reads.
#[test]
fn every_output_of_a_request_is_told_before_it_is_written() {
    let sources = sources("jourdain-kit");
    let body = |code: &String| {
        let (_, after) = code.split_once("fn outputs(&self)")?;
        after.split_once("\n    }").map(|(body, _)| body.to_owned())
    };
    let told: String = sources.values().filter_map(body).collect();
    for (file, code) in sources.iter().filter(|(_, code)| code.contains("Args") || code.contains("impl Operation for"))
    {
        let requests = code.split("pub struct ").skip(1).filter(|text| !text.starts_with("Report"));
        let bodies = requests.filter_map(|text| text.split_once("\n}")).map(|(body, _)| body);
        let lines: Vec<&str> = bodies.flat_map(str::lines).collect();
        for pair in lines.windows(2).filter(|pair| pair[1].contains("PathBuf")) {
            let name = pair[1].trim().trim_start_matches("pub ").split(':').next().unwrap();
            // Folders hold many files, each of which is written whole.
            let is_folder = pair[0].contains("ValueHint::DirPath")
                || ["operations/derive/mod.rs", "operations/flexible/derive.rs"].contains(&file.as_str());
            assert!(is_folder || told.contains(&format!(".{name}")), "{file}: `{name}` is in no `outputs`");
        }
    }
}
