//! The pictures of `docs/gallery.md` are what the commands on that page make, and every operation that draws is on it.
//!
//! `UPDATE_GALLERY=1` (`just gallery`) runs all commands and writes the pictures. Otherwise those of blocks marked `slow` are only looked
//! for, not made.

use jourdain_kit::operations;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All pictures together, bytes.
const MOST: u64 = 4 << 20;
/// Options that draw.
const DRAWING: [&str; 3] = ["plot", "bode", "animate"];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn page() -> String {
    fs::read_to_string(docs().join("gallery.md")).unwrap()
}

/// A command of the page, as words, and whether it takes long.
struct Line {
    words: Vec<String>,
    slow: bool,
}

fn commands(page: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut block: Option<bool> = None;
    let mut text = String::new();
    for line in page.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(kind), None) => block = Some(kind.contains("slow")),
            (Some(_), Some(_)) => block = None,
            (None, Some(slow)) => {
                text.push_str(line.trim_end_matches('\\'));
                if line.ends_with('\\') {
                    continue;
                }
                found.push(Line { words: words(&text), slow });
                text.clear();
            }
            (None, None) => {}
        }
    }
    found
}

/// Words of a command, with what stands in single quotes as one.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut open) = (Vec::new(), String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '\'' => (quoted, open) = (!quoted, true),
            ' ' if !quoted => {
                if open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            letter => {
                word.push(letter);
                open = true;
            }
        }
    }
    if open {
        words.push(word);
    }
    words
}

/// The pictures that a command writes.
fn pictures(line: &Line) -> Vec<&str> {
    let is_option = |word: &str| DRAWING.iter().any(|name| word.strip_prefix("--") == Some(*name)) || word == "--out";
    let pairs = line.words.windows(2).filter(|pair| is_option(&pair[0]) && pair[1].starts_with("gallery/"));
    pairs.map(|pair| pair[1].as_str()).collect()
}

fn run(line: &Line, folder: &Path) {
    assert_eq!(line.words[0], "jourdain", "{:?}", line.words);
    let output = Command::new(env!("CARGO_BIN_EXE_jourdain")).args(&line.words[1..]).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    // A target that cannot be reached ends with 1, and is drawn all the same.
    assert!(matches!(output.status.code(), Some(0 | 1)) && !errors.contains("error"), "{:?}\n{errors}", line.words);
}

/// Numbers in a text, and the text without them.
fn parted(text: &str) -> (Vec<f64>, String) {
    let (mut numbers, mut rest, mut number) = (Vec::new(), String::new(), String::new());
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_digit() || letter == '.' || (letter == '-' && number.is_empty()) {
            number.push(letter);
            continue;
        }
        match number.parse() {
            Ok(value) => {
                numbers.push(value);
                rest.push('#');
            }
            Err(_) => rest.push_str(&number),
        }
        number.clear();
        rest.push(letter);
    }
    (numbers, rest)
}

/// Number of pictures and size of an animated PNG.
fn shape(bytes: &[u8]) -> (Vec<u8>, usize) {
    (bytes[16..24].to_vec(), bytes.windows(4).filter(|four| four == b"fcTL").count())
}

fn same(name: &str, made: &[u8], kept: &[u8]) {
    if name.ends_with(".svg") {
        let [(made, form), (kept, kept_form)] = [made, kept].map(|bytes| parted(std::str::from_utf8(bytes).unwrap()));
        assert!(form == kept_form, "{name} has changed: just gallery");
        // Processors round differently; a picture looks the same all the same.
        let differs = |(a, b): (&f64, &f64)| (a - b).abs() > 0.3 + 1e-3 * a.abs();
        let changed = made.iter().zip(&kept).filter(|pair| differs(*pair)).count();
        assert_eq!(changed, 0, "{name}: {changed} of {} numbers have changed: just gallery", made.len());
    } else {
        assert_eq!(shape(made), shape(kept), "{name} has changed: just gallery");
    }
}

#[test]
fn the_pictures_are_what_the_commands_make() {
    let update = std::env::var_os("UPDATE_GALLERY").is_some();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("gallery")).unwrap();
    for line in commands(&page()).iter().filter(|line| update || !line.slow) {
        run(line, folder.path());
        for name in pictures(line) {
            let made = fs::read(folder.path().join(name)).unwrap();
            if update {
                fs::create_dir_all(docs().join("gallery")).unwrap();
                fs::write(docs().join(name), made).unwrap();
            } else {
                same(name, &made, &fs::read(docs().join(name)).unwrap());
            }
        }
    }
}

#[test]
fn every_picture_is_shown_and_all_are_small() {
    let page = page();
    let mut total = 0;
    for entry in fs::read_dir(docs().join("gallery")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(page.contains(&format!("](gallery/{name})")), "docs/gallery.md does not show {name}");
        total += entry.metadata().unwrap().len();
    }
    assert!(total < MOST, "{total} bytes");
    for line in commands(&page) {
        for name in pictures(&line) {
            assert!(docs().join(name).exists(), "{name} is not there: just gallery");
        }
    }
}

#[test]
fn every_operation_that_draws_is_in_the_gallery() {
    let lines = commands(&page());
    for entry in operations::ALL {
        let schema = entry.schema();
        let properties = schema["request"]["properties"].as_object().unwrap();
        for option in DRAWING.iter().filter(|option| properties.contains_key(**option)) {
            let name: Vec<&str> = entry.name.split(' ').collect();
            let shown = lines.iter().any(|line| {
                let option = format!("--{option}");
                line.words[1..].starts_with(&name.iter().map(ToString::to_string).collect::<Vec<_>>())
                    && line.words.contains(&option)
            });
            assert!(shown, "docs/gallery.md does not show `{}` with --{option}", entry.name);
        }
    }
}
