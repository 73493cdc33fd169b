//! The tool on a small crate: what tests notice, what they do not, what no test reaches and what does not compile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = r#"[workspace]
resolver = "3"
members = ["crates/*"]
"#;

const SOURCES: &str = r#"
pub fn sum(a: f64, b: f64) -> f64 {
    a + b
}

pub fn is_small(a: f64) -> bool {
    a < 1.0
}

pub fn unseen(a: f64) -> f64 {
    -a
}

macro_rules! twice {
    ($x:expr) => {{
        let x = $x;
        x + x
    }};
}

pub fn double(a: f64) -> f64 {
    twice!(a)
}

pub fn forever(mut a: u64) -> u64 {
    while a > 3 {
        a -= 2;
    }
    a
}

pub fn text(a: &str) -> String {
    a.to_owned() + "!"
}
"#;

const TESTS: &str = r#"
use jourdain::formulas::{double, forever, is_small, sum, text};

#[test]
fn numbers() {
    assert_eq!((sum(1.5, 2.0), double(3.0), forever(9)), (3.5, 6.0, 3));
}

#[test]
fn bounds() {
    assert!(is_small(0.5) && !is_small(2.0));
}

#[test]
fn texts() {
    assert_eq!(text("a"), "a!");
}
"#;

/// A repository of two crates, one with formulas and tests.
fn repository(name: &str, explained: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let manifest = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n");
    let files = [
        ("Cargo.toml", MANIFEST.to_owned()),
        ("crates/jourdain/Cargo.toml", manifest("jourdain")),
        ("crates/jourdain/src/lib.rs", "pub mod formulas;\n".to_owned()),
        ("crates/jourdain/src/formulas.rs", SOURCES.to_owned()),
        ("crates/jourdain/tests/all_of_them.rs", TESTS.to_owned()),
        ("crates/jourdain/tests/common/mod.rs", String::new()),
        ("crates/jourdain-symbolic/Cargo.toml", manifest("jourdain-symbolic")),
        ("crates/jourdain-symbolic/src/lib.rs", String::new()),
        ("mutants/explained.toml", explained.to_owned()),
    ];
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    let locked = Command::new("cargo").args(["generate-lockfile", "--offline"]).current_dir(&root).status();
    assert!(locked.expect("cargo").success());
    root
}

fn run(root: &Path, words: &[&str]) -> (Output, String) {
    let target = root.join("target");
    let output = Command::new(env!("CARGO_BIN_EXE_jourdain-mutants"))
        .args(["--repository", root.to_str().expect("a name"), "formulas"])
        .args(words)
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .expect("the program");
    let survivors = fs::read_to_string(target.join("mutants/formulas/survivors.txt")).unwrap_or_default();
    (output, survivors)
}

/// Lines of mutants, from the name of the function on.
fn open(survivors: &str) -> Vec<&str> {
    let lines = survivors.lines().filter(|line| line.starts_with("survived") || line.starts_with("not reached"));
    lines.map(|line| line.split_once("formulas::").expect("a function").1).collect()
}

#[test]
fn survivors_are_those_that_no_test_notices() {
    let root = repository("survivors", "");
    let (output, survivors) = run(&root, &[]);
    assert!(!output.status.success(), "survivors without a reason are a failure");
    let found = open(&survivors);
    let expected = [
        "is_small: a < 1.0 → a <= 1.0",
        "unseen: body → return 0.0",
        "unseen: body → return 1.0",
        "unseen: body → return -1.0",
        "unseen: -a → a",
    ];
    assert_eq!(found, expected, "{survivors}");
    // What runs without end is noticed, and so is what macros are replaced by.
    let json = fs::read_to_string(root.join("target/mutants/formulas/mutants.json")).expect("the list");
    assert!(json.contains("too slow") && json.contains("twice!"), "{json}");
}

#[test]
fn reasons_are_asked_for_and_held_to() {
    let reason =
        "[[reason]]\nwhy = 'so'\nmutants = '''\nformulas::is_small: a < 1.0 → a <= 1.0\nformulas::unseen: *\n'''\n";
    let root = repository("reasons", reason);
    let (output, survivors) = run(&root, &[]);
    assert!(output.status.success() && open(&survivors).is_empty(), "{survivors}{output:?}");
    // Again takes over what was killed; a reason without a survivor is one too many.
    let more = format!("{reason}[[reason]]\nwhy = 'no'\nmutants = 'formulas::sum: a + b → a - b'\n");
    fs::write(root.join("mutants/explained.toml"), more).expect("it can be written");
    let (output, _) = run(&root, &["--again"]);
    assert!(
        !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("formulas::sum"),
        "{output:?}"
    );
}
