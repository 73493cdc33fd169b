//! Bad robot files: each of `suite/bad` gives exactly the findings that `suite/bad/expected.toml` states, at the place
//! it states; hostile files end in an error soon; no text at all makes a reader panic.

use jourdain::formats::{self, Format, Reading};
use jourdain::model::{Diagnostic, Severity};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}

/// `error syntax-error 2:8`, or without the place where there is none.
fn describe(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Unphysical => "unphysical",
        Severity::Lost | Severity::Warning => "warning",
    };
    match diagnostic.location {
        Some(place) => format!("{severity} {} {}:{}", diagnostic.code, place.line, place.column),
        None => format!("{severity} {}", diagnostic.code),
    }
}

fn expected() -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(repository("suite/bad/expected.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

#[test]
fn every_bad_file_gives_the_expected_codes_at_the_expected_places() {
    let folder = repository("suite/bad");
    let expected = expected();
    let mut failures = Vec::new();
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name == "expected.toml" {
            continue;
        }
        seen += 1;
        let reading = formats::read_path(folder.join(&name));
        let found: Vec<String> = reading.diagnostics.iter().map(describe).collect();
        if expected.get(&name) != Some(&found) {
            failures.push(format!("{name:?} = {found:?}"));
            continue;
        }
        let loads = !expected[&name].iter().any(|finding| finding.starts_with("error"));
        assert!(loads || !name.starts_with("warn_"), "{name}");
        assert_eq!(reading.is_ok(), loads, "{name}");
        assert_eq!(formats::load(folder.join(&name)).is_ok(), loads, "{name}");
        for diagnostic in &reading.diagnostics {
            let text = diagnostic.file.as_ref().map_or(&*reading.source, |file| &*file.text);
            let marked = diagnostic.location.map(|place| text.get(place.start..place.end));
            assert!(marked != Some(None), "{name}: the marked bytes are not in the text");
        }
    }
    failures.sort();
    assert!(failures.is_empty(), "not as expected:\n{}", failures.join("\n"));
    assert_eq!(seen, expected.len(), "a file that expected.toml names is missing");
}

#[test]
fn every_code_of_the_suite_is_explained() {
    let page = std::fs::read_to_string(repository("docs/diagnostics.md")).unwrap();
    for finding in expected().values().flatten() {
        let code = finding.split(' ').nth(1).unwrap();
        assert!(page.contains(&format!("`{code}`")), "docs/diagnostics.md says nothing about {code}");
    }
}

#[test]
fn files_that_cannot_be_read_are_diagnosed() {
    let code = |path: &str| describe(&formats::read_path(path).diagnostics[0]);
    assert_eq!(code("no/such/file.toml"), "error cannot-read");
    assert_eq!(code(env!("CARGO_MANIFEST_DIR")), "error cannot-read");
    let reading = formats::read(b"ISO-10303-21;\nHEADER;");
    assert_eq!(describe(&reading.diagnostics[0]), "error unknown-format");
    let error = formats::load("no/such/file.urdf").unwrap_err();
    assert!(error.to_string().starts_with("no/such/file.urdf: error[cannot-read]"));
    let text = " ".repeat(formats::limits::MAX_BYTES + 1);
    assert_eq!(describe(&formats::read_str(&text, Format::Json).diagnostics[0]), "error file-too-large");
}

/// Reads within a second (in a debug build, or on a busy machine, within ten).
fn read_hostile(what: &str, text: &str, format: Format) -> Reading {
    let start = Instant::now();
    let reading = formats::read_str(text, format);
    let elapsed = start.elapsed();
    let bound = if cfg!(debug_assertions) { Duration::from_secs(10) } else { Duration::from_secs(1) };
    assert!(elapsed < bound, "{what} took {elapsed:?}");
    assert!(!reading.is_ok(), "{what} was accepted");
    assert!(reading.diagnostics.len() <= 2 * formats::limits::MAX_PROBLEMS + 2);
    reading
}

#[test]
fn entity_bombs_are_refused() {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE robot [\n<!ENTITY e0 \"boom\">\n");
    for level in 1..30 {
        let references = format!("&e{};", level - 1).repeat(10);
        text += &format!("<!ENTITY e{level} \"{references}\">\n");
    }
    text += "]>\n<robot name=\"&e29;\"/>";
    assert_eq!(read_hostile("entity bomb", &text, Format::Urdf).diagnostics[0].code, "dtd-forbidden");
}

#[test]
fn a_million_links_are_refused() {
    let million = 1_000_000;
    let links: String = (0..million).map(|number| format!("<link name=\"{number}\"/>")).collect();
    for (what, text, format) in [
        ("TOML links", format!("name = \"r\"\n{}", "[[link]]\n".repeat(million)), Format::Toml),
        ("TOML inline links", format!("name = \"r\"\nlink = [{}]", "{},".repeat(million)), Format::Toml),
        ("JSON links", format!("{{\"name\": \"r\", \"link\": [{}{{}}]}}", "{},".repeat(million)), Format::Json),
        ("URDF links", format!("<robot name=\"r\">{}</robot>", "<link/>".repeat(million)), Format::Urdf),
    ] {
        assert_eq!(read_hostile(what, &text, format).diagnostics[0].code, "too-many-links", "{what}");
    }
    let named = read_hostile("named URDF links", &format!("<robot name=\"r\">{links}</robot>"), Format::Urdf);
    assert_eq!(named.diagnostics[0].code, "file-too-large");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    for (what, text, format) in [
        ("JSON lists", format!("{{\"name\": {}{}}}", "[".repeat(deep), "]".repeat(deep)), Format::Json),
        ("JSON tables", format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)), Format::Json),
        ("open JSON lists", "[".repeat(deep), Format::Json),
        ("TOML arrays", format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)), Format::Toml),
        ("open TOML arrays", format!("a = {}", "[".repeat(deep)), Format::Toml),
        ("TOML tables", format!("a = {}1{}", "{a=".repeat(deep), "}".repeat(deep)), Format::Toml),
        ("TOML keys", format!("{}a = 1", "a.".repeat(deep)), Format::Toml),
        ("TOML headers", format!("[{}a]", "a.".repeat(deep)), Format::Toml),
        ("XML", format!("<robot>{}{}</robot>", "<a>".repeat(deep), "</a>".repeat(deep)), Format::Urdf),
        ("open XML", format!("<robot>{}", "<a>".repeat(deep)), Format::Urdf),
    ] {
        assert_eq!(read_hostile(what, &text, format).diagnostics[0].code, "nesting-too-deep", "{what}");
    }
}

#[test]
fn what_makes_parsers_slow_is_refused() {
    let many = 200_000;
    let list = |piece: &dyn Fn(usize) -> String| (0..many).map(piece).collect::<String>();
    let attributes = list(&|number| format!(" a{number}=\"\""));
    read_hostile("XML attributes", &format!("<robot{attributes}/>"), Format::Urdf);
    let namespaces = list(&|number| format!("<a xmlns:n{number}=\"u{number}\"/>"));
    read_hostile("XML namespaces", &format!("<robot>{namespaces}</robot>"), Format::Urdf);
    read_hostile("TOML keys", &list(&|number| format!("key{number} = 1\n")), Format::Toml);
    let keys = list(&|number| format!("\"key{number}\": 1,"));
    read_hostile("JSON keys", &format!("{{{keys}\"name\": \"é\"}}"), Format::Json);
    let tags = list(&|number| format!("<t{number}/>"));
    read_hostile("XML tags", &format!("<robot>{tags}</robot>"), Format::Urdf);
    let errors = "{\"mass\": \"é\", \"name\": 3},".repeat(50_000);
    read_hostile("JSON errors on one line", &format!("{{\"link\": [{errors}{{}}]}}"), Format::Json);
    let factors = "{\"type\": \"revolute\"},".repeat(many);
    let joint = format!("{{\"type\": \"composite\", \"sequence\": [{factors}{{\"type\": \"revolute\"}}]}}");
    let text = format!("{{\"name\": \"r\", \"link\": [{{\"name\": \"a\", \"mass\": 1, \"joint\": {joint}}}]}}");
    assert_eq!(read_hostile("JSON factors", &text, Format::Json).diagnostics[0].code, "sequence-too-long");
    read_hostile("XML comment", &format!("<robot><!--{}", "=<a ".repeat(many)), Format::Urdf);
    let errors = list(&|number| {
        format!("<joint name=\"{number}\" type=\"fixed\"><parent link=\"x\"/><child link=\"y\"/></joint>")
    });
    read_hostile("XML joints", &format!("<robot name=\"r\">{errors}</robot>"), Format::Urdf);
}

/// The good files that mutants are made of.
fn seeds() -> Vec<(Vec<u8>, Format)> {
    let files = ["every_joint.toml", "every_joint.json", "everything.urdf", "screws.toml", "dh.toml"];
    let read = |name: &str| {
        let path = repository("suite/good").join(name);
        (std::fs::read(&path).unwrap(), Format::from_path(&path).unwrap())
    };
    files.into_iter().map(read).collect()
}

/// One edit: flip a bit, cut the end off, double a stretch, swap two words, put in something nasty, take a bit out.
fn mutate(bytes: &mut Vec<u8>, kind: u8, at: usize, other: usize) {
    if bytes.is_empty() {
        return;
    }
    let (at, other) = (at % bytes.len(), other % bytes.len());
    match kind % 6 {
        0 => bytes[at] ^= 1 << (other % 8),
        1 => bytes.truncate(at),
        2 => {
            let piece = bytes[at..(at + other % 200).min(bytes.len())].to_vec();
            bytes.splice(at..at, piece);
        }
        3 => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '"']).collect();
            let count = words.len();
            words.swap(at % count, other % count);
            *bytes = words.concat().into_bytes();
        }
        4 => {
            let nasty = ["nan", "-1", "\"", "[", "}", "<", "&#0;", "1e999", "é", "\u{0}", "base", "'''", "]]>", "0"];
            bytes.splice(at..at, nasty[other % nasty.len()].bytes());
        }
        _ => drop(bytes.drain(at..(at + other % 40).min(bytes.len()))),
    }
}

fn assert_sound(reading: &Reading) {
    let is_fatal = reading.diagnostics.iter().any(Diagnostic::is_fatal);
    assert_eq!(reading.description.is_none(), is_fatal);
    for place in reading.diagnostics.iter().filter_map(|diagnostic| diagnostic.location) {
        assert!(place.line >= 1 && place.column >= 1);
        assert!(place.start <= place.end && place.end <= reading.source.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for format in [Format::Toml, Format::Json, Format::Urdf] {
            assert_sound(&formats::read_slice(&bytes, format));
        }
    }

    #[test]
    fn random_text_never_panics(text in "[\\[\\]{}<>/=\"'a-e0-9.,:# \n\\\\&;!?é-]{0,200}") {
        for format in [Format::Toml, Format::Json, Format::Urdf] {
            assert_sound(&formats::read_str(&text, format));
        }
    }

    #[test]
    fn mutated_files_never_panic(
        seed in 0usize..5,
        edits in proptest::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..6),
    ) {
        let (mut bytes, format) = seeds().swap_remove(seed);
        for (kind, at, other) in edits {
            mutate(&mut bytes, kind, at, other);
        }
        let reading = formats::read_slice(&bytes, format);
        assert_sound(&reading);
        if let Some(description) = reading.description {
            prop_assert!(jourdain::Model::from_description(&description).is_ok());
        }
    }
}
