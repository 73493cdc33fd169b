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
        "--fit",
        "base",
        "--out",
        robot.path(),
        "--plot",
        plot.path(),
        "--report",
        text.path(),
    ]);
    assert_eq!(
        keys(&report),
        [
            "robot",
            "count",
            "samples",
            "condition",
            "parameters",
            "joints",
            "essential",
            "residuals",
            "outliers",
            "consistent",
            "logs",
            "validation",
            "warnings",
            "files"
        ]
    );
    assert!(report["consistent"].is_null());
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
fn the_consistent_robot_passes_the_check_and_does_as_well_as_least_squares() {
    let robot = Scratch::new("consistent.urdf");
    let report = json(&["identify", "planar2r", "--data", LOG, "--validate", OTHER, "--out", robot.path()]);
    let consistent = &report["consistent"];
    // The weight is one of those that were tried.
    assert!((0.01..=100.0).contains(&consistent["prior_weight"].as_f64().unwrap()), "{}", consistent["prior_weight"]);
    let mass = consistent["parameters"].as_array().unwrap().iter().find(|p| p["link"] == "link2" && p["name"] == "m");
    // 1.5 kg in the file, 0.3 kg more at the tip: what the motion does not tell apart stays near the file.
    assert!((0.5..4.0).contains(&mass.unwrap()["value"].as_f64().unwrap()), "{mass:?}");
    let errors = |at: &Value| -> Vec<f64> {
        at.as_array().unwrap().iter().map(|joint| joint["relative_error"].as_f64().unwrap()).collect()
    };
    let validation = &report["validation"];
    // The friction of this log is the smooth one of robot files: elements of hysteresis come near it, and what is written has it.
    for (kind, most) in [("consistent", 1.5), ("written", 1.1)] {
        for (own, base) in errors(&validation[kind]["joints"]).iter().zip(errors(&validation["joints"])) {
            assert!(*own < most * base, "{kind}: {own} and {base}");
        }
    }
    assert!(report["logs"][0]["filter"]["from_residuals"].as_bool().unwrap());
    let checked = json(&["check", robot.path()]);
    assert!(checked["ok"].as_bool().unwrap(), "{checked}");
}

/// The prior of a link without mass is small, as such links mostly are; where the log says otherwise, that is said.
#[test]
fn a_robot_file_that_outweighs_the_log_is_told() {
    let file = Scratch::new("massless.json");
    let text = run(&["convert", "planar2r", "--to", "json"]).stdout;
    let mut robot: Value = serde_json::from_str(&text).unwrap();
    let warned = |robot: &Value, words: &[&str]| -> Vec<String> {
        std::fs::write(&file.0, robot.to_string()).unwrap();
        let report = json(&[&["identify", file.path(), "--data", LOG], words].concat());
        let warnings =
            report["warnings"].as_array().unwrap().iter().map(|warning| warning.as_str().unwrap().to_owned());
        warnings.filter(|warning| warning.contains("outweighs")).collect()
    };
    assert_eq!(warned(&robot, &[]), [""; 0]);
    let link = robot["link"].as_array_mut().unwrap().iter_mut().find(|link| link["name"] == "link2").unwrap();
    for fact in ["mass", "com", "inertia"] {
        link.as_object_mut().unwrap().remove(fact);
    }
    let warnings = warned(&robot, &[]);
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].contains("of joint `link2` is left") && warnings[0].contains("no mass to `link2`"),
        "{warnings:?}"
    );
    assert_eq!(warned(&robot, &["--fit", "base"]), [""; 0]);
}

#[test]
fn parts_of_a_log_merge_to_the_whole() {
    let whole = json(&["identify", "planar2r", "--data", LOG]);
    // One of them in JSON: both forms go together.
    let names = ["part1.jdf", "part2.json", "part3.jdf"];
    let parts: Vec<Scratch> = names.iter().map(|name| Scratch::new(name)).collect();
    for (part, file) in parts.iter().enumerate() {
        let shard = format!("{}/3", part + 1);
        let report = json(&["identify", "planar2r", "--data", LOG, "--shard", &shard, "--factors", file.path()]);
        assert!(report["samples"].as_u64().unwrap() > 500);
    }
    let files: Vec<&str> = parts.iter().map(Scratch::path).collect();
    let merged = json(&[&["identify", "planar2r", "--merge"], &files[..]].concat());
    assert_eq!(merged["samples"], whole["samples"]);
    assert_eq!(merged["warnings"], whole["warnings"]);
    for (a, b) in whole["parameters"].as_array().unwrap().iter().zip(merged["parameters"].as_array().unwrap()) {
        assert!((a["value"].as_f64().unwrap() - b["value"].as_f64().unwrap()).abs() < 1e-11, "{a} {b}");
    }
    let refused = |words: &[&str]| {
        let outcome = run(&[&["identify"], words, &["--json"]].concat());
        (outcome.code, outcome.error()["kind"].as_str().unwrap().to_owned(), outcome.error().to_string())
    };
    let (code, kind, _) = refused(&["scara", "--merge", files[0]]);
    assert_eq!((code, kind.as_str()), (2, "other-robot"));
    let (code, kind, message) = refused(&["planar2r", "--merge", files[0], files[1], files[0]]);
    assert_eq!((code, kind.as_str()), (2, "same-samples"), "{message}");
    // The log itself, once more, beside a part of it.
    let (_, kind, message) = refused(&["planar2r", "--data", LOG, "--merge", files[2]]);
    assert!(kind == "same-samples" || kind == "other-settings", "{message}");
    let (_, kind, _) = refused(&["planar2r", "--data", LOG, "--data", LOG]);
    assert_eq!(kind, "same-samples");
    let missing = json(&["identify", "planar2r", "--merge", files[0], files[2]]);
    let warnings = missing["warnings"].to_string();
    assert!(warnings.contains(&format!("part 2 of 3 of {LOG} is missing")), "{warnings}");
}

#[test]
fn damaged_and_foreign_files_of_factors_are_refused() {
    let (whole, broken) = (Scratch::new("whole.jdf"), Scratch::new("broken.jdf"));
    json(&["identify", "planar2r", "--data", LOG, "--factors", whole.path()]);
    let bytes = std::fs::read(whole.path()).unwrap();
    let kind = |bytes: &[u8]| {
        std::fs::write(broken.path(), bytes).unwrap();
        let outcome = run(&["identify", "planar2r", "--merge", broken.path(), "--json"]);
        assert_eq!(outcome.code, 2);
        assert!(outcome.error()["file"].as_str().unwrap().ends_with("broken.jdf"));
        outcome.error()["kind"].as_str().unwrap().to_owned()
    };
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    assert_eq!(kind(&flipped), "damaged-factors");
    assert!(["damaged-factors", "bad-factors"].contains(&kind(&bytes[..bytes.len() - 9]).as_str()));
    assert_eq!(kind(b""), "bad-factors");
    assert_eq!(kind(b"t,q1\n0,1\n"), "bad-factors");
    assert_eq!(kind(br#"{"format": "jourdain-factors-1"}"#), "bad-factors");
}

/// The recording was written by other programs: see `suite/logs/make_recording.py`.
#[test]
fn a_recording_and_a_parquet_file_give_what_the_same_rows_give_as_text() {
    let text: String = log_text().lines().take(601).map(|line| line.to_owned() + "\n").collect();
    let shorter = Scratch::new("shorter.csv");
    std::fs::write(shorter.path(), text).unwrap();
    let recording = ["--data", "suite/logs/planar2r.mcap", "--topic", "/joint_states"];
    let arguments = ["identify", "planar2r", "--fit", "base", "--cutoff", "12"];
    let of = |data: &[&str]| json(&[&arguments[..], data].concat());
    let (a, b) = (of(&["--data", shorter.path()]), of(&recording));
    assert_eq!((&a["samples"], &a["logs"][0]["lines"]), (&b["samples"], &b["logs"][0]["lines"]));
    for (a, b) in a["parameters"].as_array().unwrap().iter().zip(b["parameters"].as_array().unwrap()) {
        let [a, b] = [a, b].map(|parameter| parameter["value"].as_f64().unwrap());
        assert!((a - b).abs() < 1e-6 * a.abs().max(0.1), "{a} and {b}");
    }
    let said = run(&[&arguments[..], &recording].concat());
    assert!(said.stderr.contains("left out: finger"), "{}", said.stderr);
    let several = run(&["identify", "planar2r", "--data", "suite/logs/planar2r.mcap", "--json"]);
    assert_eq!(several.error()["kind"], "several-topics");
    let other = run(&["identify", "planar2r", "--data", "suite/logs/planar2r.mcap", "--topic", "/wheels", "--json"]);
    assert_eq!(other.error()["kind"], "missing-joint");
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
fn results_that_cannot_be_are_told_as_what_they_are() {
    let told = |arguments: &[&str]| {
        let outcome = run(&[&["identify", "planar2r", "--json"], arguments].concat());
        assert_eq!(outcome.code, 2, "{}", outcome.stdout);
        let error = outcome.error();
        assert!(error["hint"].is_string() || error["kind"] == "bad-factors", "{error}");
        (error["kind"].as_str().unwrap().to_owned(), error["line"].as_u64(), error["column"].as_u64())
    };
    let negated = "suite/logs/planar2r_negated_torque.csv";
    assert_eq!(told(&["--data", negated]).0, "wrong-sign");
    assert_eq!(told(&["--data", negated, "--fit", "base"]).0, "wrong-sign");
    assert_eq!(told(&["--data", "suite/logs/one_cell_1e300.csv"]), ("too-large".to_owned(), Some(102), Some(6)));
    assert_eq!(told(&["--data", "suite/logs/torques_1e308.csv"]), ("too-large".to_owned(), Some(2), Some(8)));
    assert_eq!(told(&["--merge", "suite/logs/factors_1e308.json"]).0, "bad-factors");
}

/// The log with some cells changed: line, cell from 0, what is added.
fn log_with(changes: impl Fn(usize) -> f64) -> String {
    let change = |(number, line): (usize, &str)| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if number > 0 && changes(number) != 0.0 {
            cells[3] = (cells[3].parse::<f64>().unwrap() + changes(number)).to_string();
        }
        cells.join(",")
    };
    log_text().lines().enumerate().map(change).collect::<Vec<_>>().join("\n")
}

#[test]
fn outliers_are_left_out_and_told_and_residuals_have_their_times() {
    let file = Scratch::new("outliers.csv");
    std::fs::write(&file.0, log_with(|line| if line % 100 == 50 || (800..820).contains(&line) { 120.0 } else { 0.0 }))
        .unwrap();
    let clean = json(&["identify", "planar2r", "--data", LOG]);
    assert_eq!(clean["outliers"]["count"], 0, "{}", clean["outliers"]);
    let shift = |report: &Value| {
        let z = |p: &Value| {
            (p["value"].as_f64().unwrap() - value(&clean, p["name"].as_str().unwrap()).0)
                / value(&clean, p["name"].as_str().unwrap()).1
        };
        let parameters = report["parameters"].as_array().unwrap();
        (parameters.iter().map(|p| z(p).powi(2)).sum::<f64>() / parameters.len() as f64).sqrt()
    };
    let kept = json(&["identify", "planar2r", "--data", file.path(), "--outliers", "keep"]);
    let dropped = json(&["identify", "planar2r", "--data", file.path()]);
    assert!(kept["outliers"].is_null());
    assert!(shift(&kept) > 2.0 && shift(&dropped) < 1.0, "{} and {}", shift(&kept), shift(&dropped));
    let outliers = &dropped["outliers"];
    assert!((36..=44).contains(&outliers["count"].as_u64().unwrap()), "{outliers}");
    assert_eq!((&outliers["joints"][0]["joint"], &outliers["joints"][1]["count"]), (&"link1".into(), &0.into()));
    let burst =
        outliers["stretches"].as_array().unwrap().iter().find(|stretch| stretch["count"].as_u64() >= Some(19)).unwrap();
    assert!((burst["from"].as_f64().unwrap() - 7.99).abs() < 0.02 && burst["file"] == file.path(), "{burst}");
    let residuals = &dropped["residuals"][0];
    assert!((residuals["largest"][0]["residual"].as_f64().unwrap() - 120.0).abs() < 5.0, "{residuals}");
    assert!(residuals["autocorrelation"].as_f64().unwrap().abs() < 0.9);
    // What is left can be told from zero, and meets the torques as well.
    let essential = &dropped["essential"];
    assert!(essential["parameters"].as_array().unwrap().len() >= 8, "{essential}");
    let once = run_with(&["identify", "planar2r", "--data", "-", "--json"], &log_text()).json();
    assert!(
        once["outliers"].is_null() && once["warnings"][0].as_str().unwrap().contains("read once"),
        "{}",
        once["warnings"]
    );
}

#[test]
fn joints_may_be_locked_or_without_torques() {
    let (unmeasured, arm) = (Scratch::new("unmeasured.csv"), Scratch::new("arm.csv"));
    std::fs::write(&unmeasured.0, log_text().replacen("tau_link1", "temperature", 1)).unwrap();
    let report = json(&["identify", "planar2r", "--data", unmeasured.path()]);
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(warning.contains("no torques were measured at link1"), "{warning}");
    // The second link is known from its own joint.
    assert!((value(&report, "mX2").0 - 0.72).abs() < 0.02 && (value(&report, "ZZ2").0 - 0.288).abs() < 0.02);
    assert!(report["parameters"].as_array().unwrap().iter().all(|p| p["name"] != "Fv1"));
    // A log of the first joint alone: the second is to be locked, and then it is one body with the first.
    let first: String = log_text()
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{},{}\n", cells[0], cells[1], cells[3])
        })
        .collect();
    std::fs::write(&arm.0, first).unwrap();
    let error = run(&["identify", "planar2r", "--data", arm.path(), "--json"]).error();
    assert_eq!(error["kind"], "missing-column");
    assert!(error["hint"].as_str().unwrap().contains("--lock link2"), "{error}");
    let locked = run(&["identify", "planar2r", "--data", arm.path(), "--lock", "link2", "--json"]);
    assert_eq!(locked.code, 0, "{}", locked.stdout);
}

#[test]
fn bad_usage_is_told() {
    for arguments in [
        &["identify", "planar2r"][..],
        &["identify", "planar2r", "--data", LOG, "--shard", "4/3", "--factors", "x.json"],
        &["identify", "planar2r", "--data", LOG, "--shard", "1/3"],
        &["identify", "planar2r", "--data", "-", "--plot", "x.svg"],
        &["identify", "planar2r", "--data", LOG, "--rate", "-5"],
        &["identify", "planar2r", "--data", LOG, "--delay", "late"],
        &["identify", "planar2r", "--data", LOG, "--prior-weight", "0"],
        &["identify", "planar2r", "--data", LOG, "--coupling", "[[1, 1], [1, 1]]"],
        &["identify", "planar2r", "--data", LOG, "--coupling", "[[1, 0], [-1, 1]]", "--fit", "base"],
        &["excite", "planar2r", "--harmonics", "1"],
        &["excite", "planar2r", "--period", "0"],
        &["excite", "planar2r", "--share", "1.5"],
    ] {
        assert_eq!(run(arguments).code, 2, "{arguments:?}");
    }
    let error = run(&["identify", "planar2r", "--data", LOG, "--cutoff", "70", "--json"]).error();
    assert_eq!(error["kind"], "bad-cutoff");
    let held = json(&["excite", "go2", "--starts", "1", "--steps", "1"]);
    assert!(held["notices"].to_string().contains("floats and is held"), "{}", held["notices"]);
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
