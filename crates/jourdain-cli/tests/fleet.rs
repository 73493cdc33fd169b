//! `jourdain fleet`: the store, counts that add up, and refusals, as the command shows them.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::{json, run};

fn log(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/logs").join(name)
}

/// A folder with a robot `a` and a robot `b`, a log each.
fn fleet(folder: &Path) {
    for (robot, name) in [("a", "planar2r.csv"), ("b", "planar2r_validation.csv")] {
        fs::create_dir_all(folder.join("logs").join(robot)).unwrap();
        fs::copy(log(name), folder.join("logs").join(robot).join("monday.csv")).unwrap();
    }
}

#[test]
fn robots_are_told_apart_and_rows_add_up() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let (logs, store) = (folder.path().join("logs"), folder.path().join("store"));
    let words = ["fleet", "identify", "planar2r", logs.to_str().unwrap(), "--store", store.to_str().unwrap()];
    let first = json(&words);
    assert_eq!((first["logs"].as_u64(), first["stored"].as_u64()), (Some(2), Some(0)));
    let rows = &first["rows"];
    let count = |key: &str| rows[key].as_u64().unwrap();
    assert_eq!(count("read"), 2800);
    assert_eq!(count("read"), count("used") + count("dropped") + count("set_aside"));
    assert!(first["cutoff_from"].as_str().unwrap().ends_with("a/monday.csv"));
    let again = json(&words);
    assert_eq!(again["stored"].as_u64(), Some(2));
    assert_eq!(again["robots"], first["robots"]);
    let threads = json(&[&words[..4], &["--threads", "1"]].concat());
    assert_eq!(threads["robots"], first["robots"]);
    // From the store alone.
    let stored = json(&[&words[..3], &words[4..]].concat());
    assert_eq!(stored["robots"], first["robots"]);
}

#[test]
fn one_robot_is_what_identify_finds() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let (a, b) = (folder.path().join("logs/a/monday.csv"), folder.path().join("logs/b/monday.csv"));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let fleet = json(&["fleet", "identify", "planar2r", a, b, "--cutoff", "12", "--pool", "model"]);
    let whole =
        ["identify", "planar2r", "--data", a, "--data", b, "--cutoff", "12", "--fit", "base", "--outliers", "keep"];
    let whole = json(&whole);
    let values = |document: &serde_json::Value| -> Vec<f64> {
        document["parameters"].as_array().unwrap().iter().map(|own| own["value"].as_f64().unwrap()).collect()
    };
    for (own, value) in values(&fleet["robots"][0]).iter().zip(values(&whole)) {
        assert!((own - value).abs() <= 1e-9 * value.abs().max(1e-3), "{own} {value}");
    }
}

#[test]
fn a_damaged_log_stops_the_run_or_is_set_aside_with_its_row() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let bad = folder.path().join("logs/b/monday.csv");
    let text = fs::read_to_string(&bad).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let cut = &lines[100][..lines[100].len() / 3].to_owned();
    lines[100] = cut;
    fs::write(&bad, lines.join("\n")).unwrap();
    let logs = folder.path().join("logs");
    let words = ["fleet", "identify", "planar2r", logs.to_str().unwrap()];
    let refused = run(&[&words[..], &["--json"]].concat());
    assert_eq!(refused.code, 2);
    let error = refused.error();
    assert!(error["file"].as_str().unwrap().ends_with("b/monday.csv"));
    let collected = run(&[&words[..], &["--on-error", "collect", "--json"]].concat());
    assert_eq!(collected.code, 1, "a robot has no estimate");
    let report = collected.json();
    let aside = &report["set_aside"][0];
    assert_eq!(aside["row"], error["line"]);
    assert_eq!(aside["reason"], error["message"]);
    assert_eq!(report["rows"]["set_aside"], aside["rows"]);
    assert_eq!(report["robots"][1]["problem"]["kind"], "no-logs");
}
