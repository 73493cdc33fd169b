//! The tables of `docs/from-pinocchio.md`, `from-mujoco.md` and `from-rtb.md`: what other programs call the same things.
//!
//! `suite/peers/same_names.py` evaluates every row in both programs; of those that are not installed it says so. Whether or
//! not they are, the second column speaks of quantities that exist.

mod support;

use std::process::Command;
use support::json;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
const PAGES: [&str; 3] = ["docs/from-pinocchio.md", "docs/from-mujoco.md", "docs/from-rtb.md"];

#[test]
fn rows_hold_where_the_other_program_is_installed() {
    let python = std::env::var("JOURDAIN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|ran| ran.status.success()) {
        return;
    }
    let script = format!("{ROOT}suite/peers/same_names.py");
    let ran = Command::new(python).args([&script, env!("CARGO_BIN_EXE_jourdain")]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn rows_speak_of_quantities_that_exist() {
    let listed = json(&["quantities"]);
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    for page in PAGES {
        let text = std::fs::read_to_string(format!("{ROOT}{page}")).unwrap();
        let tables = text.split("| jourdain | |\n").skip(1);
        let rows: Vec<_> =
            tables.flat_map(|table| table.lines().skip(1).take_while(|line| line.starts_with('|'))).collect();
        assert!(rows.len() > 10, "{page}: {} rows", rows.len());
        for row in rows {
            let ours = row.split(" | ").nth(1).unwrap().trim_matches('`');
            let words = ours.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
            assert!(words.clone().any(|word| names.contains(&word)), "{page}: {row}");
        }
    }
}
