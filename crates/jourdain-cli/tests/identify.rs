//! `jourdain identify` and `jourdain excite`: reports, files, shards, and what they say to bad logs.

mod support;

use serde_json::Value;
use std::path::PathBuf;
use support::{flat, json, keys, run, run_with};

const LOG: &str = "suite/logs/planar2r.csv";
const OTHER: &str = "suite/logs/planar2r_validation.csv";

/// A file of this test's own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("jourdain-identify-{}-{name}", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

fn log_text() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/logs/planar2r.csv")).unwrap()
}

fn value(report: &Value, name: &str) -> (f64, f64) {
    let parameters = report["parameters"].as_array().unwrap();
    let found = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
    (found["value"].as_f64().unwrap(), found["deviation"].as_f64().unwrap())
}

#[test]
fn the_load_and_the_friction_of_the_log_are_found_and_hold_on_another_log() {
    let (robot, plot, text) = (Scratch::new("robot.toml"), Scratch::new("plot.svg"), Scratch::new("report.txt"));
    let report = json(&[
        "identify",
        "planar2r",
        "--data",
        LOG,
        "--validate",
        OTHER,
        "--out",
        robot.path(),
        "--plot",
        plot.path(),
        "--report",
        text.path(),
    ]);
    assert_eq!(
        keys(&report),
        ["robot", "count", "samples", "condition", "parameters", "joints", "logs", "validation", "warnings", "files"]
    );
    // 1.8 kg at 0.4 m, 2 kg at 0.5 m; friction as the log was made.
    for (name, exact) in [
        ("mX2", 0.72),
        ("ZZ2", 0.288),
        ("mXR1", 1.9),
        ("ZZR1", 0.95),
        ("Fv1", 0.4),
        ("Fv2", 0.25),
        ("Fc1", 0.6),
        ("Fc2", 0.3),
    ] {
        let name = report["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["name"].as_str().unwrap().to_owned())
            .find(|found| found.replace('R', "") == name.replace('R', ""))
            .unwrap();
        let (value, deviation) = value(&report, &name);
        assert!(
            (value - exact).abs() < 4.0 * deviation && deviation < 0.05,
            "{name}: {value} ± {deviation}, not {exact}"
        );
    }
    let filter = &report["logs"][0]["filter"];
    assert_eq!(filter["rate_hz"].as_f64().unwrap().round(), 100.0);
    assert!(filter["from_spectrum"].as_bool().unwrap());
    for joint in report["validation"]["joints"].as_array().unwrap() {
        assert!(joint["relative_error"].as_f64().unwrap() < 0.05, "{joint}");
    }
    assert!(plot.text().starts_with("<svg") && plot.text().contains("predicted"));
    assert!(text.text().contains("condition number") && !text.text().contains('\u{1b}'));

    // The robot file has the estimated torques: at rest, those of gravity on the estimated first moments.
    let state = r#"{"q": [0, 0]}"#;
    let torques = json(&["eval", robot.path(), "--state", state, "--quantity", "inverse_dynamics"]);
    let torques = flat(&torques["quantities"]["inverse_dynamics"]);
    let names: Vec<&str> =
        report["parameters"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    let of =
        |letters: &str| names.iter().find(|name| name.starts_with("mX") && name.ends_with(letters)).copied().unwrap();
    let (first, second) = (value(&report, of("1")).0, value(&report, of("2")).0);
    assert!((torques[1] - 9.80665 * second).abs() < 1e-9);
    assert!((torques[0] - 9.80665 * (first + second)).abs() < 1e-9);
}

#[test]
fn parts_of_a_log_merge_to_the_whole() {
    let whole = json(&["identify", "planar2r", "--data", LOG]);
    let parts: Vec<Scratch> = (1..=3).map(|part| Scratch::new(&format!("part{part}.json"))).collect();
    for (part, file) in parts.iter().enumerate() {
        let shard = format!("{}/3", part + 1);
        let report = json(&["identify", "planar2r", "--data", LOG, "--shard", &shard, "--factors", file.path()]);
        assert!(report["samples"].as_u64().unwrap() > 500);
    }
    let files: Vec<&str> = parts.iter().map(Scratch::path).collect();
    let merged = json(&[&["identify", "planar2r", "--merge"], &files[..]].concat());
    assert_eq!(merged["samples"], whole["samples"]);
    for (a, b) in whole["parameters"].as_array().unwrap().iter().zip(merged["parameters"].as_array().unwrap()) {
        assert!((a["value"].as_f64().unwrap() - b["value"].as_f64().unwrap()).abs() < 1e-11, "{a} {b}");
    }
    let other = run(&["identify", "scara", "--merge", files[0], "--json"]);
    assert_eq!((other.code, other.error()["kind"].as_str().unwrap().to_owned()), (2, "other-problem".to_owned()));
}

#[test]
fn a_log_may_come_from_standard_input() {
    let outcome = run_with(&["identify", "planar2r", "--data", "-", "--json"], &log_text());
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert_eq!(outcome.json()["parameters"], json(&["identify", "planar2r", "--data", LOG])["parameters"]);
}

#[test]
fn bad_logs_are_told_with_their_place() {
    let text = log_text();
    let told = |text: &str, code: i32| {
        let file = Scratch::new("bad.csv");
        std::fs::write(&file.0, text).unwrap();
        let outcome = run(&["identify", "planar2r", "--data", file.path(), "--json"]);
        assert_eq!(outcome.code, code, "{}", outcome.stdout);
        let error = outcome.error();
        assert_eq!(error["file"], file.path());
        (error["kind"].as_str().unwrap().to_owned(), error["line"].as_u64(), error["column"].as_u64())
    };
    let broken = text.replacen("\n0.05,", "\n0.05,x", 1);
    assert_eq!(told(&broken, 2), ("not-a-number".to_owned(), Some(7), Some(2)));
    assert_eq!(told(&text.replacen("tau_link2", "current", 1), 2), ("missing-column".to_owned(), None, None));
    assert_eq!(told(&text.replacen("\n0.05,", "\n0.01,", 1), 2).0, "unsorted-time");
    let still: String = std::iter::once("t,q1,q2,tau1,tau2\n".to_owned())
        .chain((0..500).map(|i| format!("{},{},0.3,5,{}\n", 0.01 * f64::from(i), (0.05 * f64::from(i)).sin(), 1)))
        .collect();
    assert_eq!(told(&still, 1).0, "too-little-motion");
}

#[test]
fn bad_usage_is_told() {
    for arguments in [
        &["identify", "planar2r"][..],
        &["identify", "planar2r", "--data", LOG, "--shard", "4/3", "--factors", "x.json"],
        &["identify", "planar2r", "--data", LOG, "--shard", "1/3"],
        &["identify", "planar2r", "--data", "-", "--plot", "x.svg"],
        &["identify", "planar2r", "--data", LOG, "--rate", "-5"],
        &["excite", "planar2r", "--harmonics", "1"],
        &["excite", "planar2r", "--period", "0"],
        &["excite", "planar2r", "--share", "1.5"],
    ] {
        assert_eq!(run(arguments).code, 2, "{arguments:?}");
    }
    let error = run(&["identify", "planar2r", "--data", LOG, "--cutoff", "70", "--json"]).error();
    assert_eq!(error["kind"], "bad-cutoff");
    assert_eq!(run(&["excite", "floating_humanoid25", "--json"]).error()["kind"], "unsupported-joint");
}

#[test]
fn an_exciting_motion_comes_as_trajectory_samples_and_plot() {
    let (motion, samples, plot) = (Scratch::new("m.json"), Scratch::new("m.csv"), Scratch::new("m.svg"));
    let found = json(&[
        "excite",
        "planar2r",
        "--starts",
        "2",
        "--steps",
        "30",
        "--trajectory",
        motion.path(),
        "--out",
        samples.path(),
        "--plot",
        plot.path(),
        "--rate",
        "50",
    ]);
    assert!(found["condition"].as_f64().unwrap() < found["random_condition"].as_f64().unwrap());
    assert_eq!(samples.text().lines().count(), 502);
    assert!(plot.text().starts_with("<svg"));
    // Torques along it, as a log, give the robot back.
    let torques = Scratch::new("torques.csv");
    json(&[
        "trajectory",
        "planar2r",
        "-t",
        motion.path(),
        "-s",
        "501",
        "-Q",
        "inverse_dynamics",
        "--out",
        torques.path(),
    ]);
    let torques = torques.text().replace("inverse_dynamics", "tau");
    let join = |(a, b): (&str, &str)| format!("{a},{}\n", b.split_once(',').unwrap().1);
    let log: String = samples.text().lines().zip(torques.lines()).map(join).collect();
    let report = run_with(&["identify", "planar2r", "--data", "-", "--json"], &log).json();
    for parameter in report["parameters"].as_array().unwrap() {
        let (value, prior) = (parameter["value"].as_f64().unwrap(), parameter["prior"].as_f64().unwrap());
        assert!((value - prior).abs() < 1e-6, "{parameter}");
    }
}
