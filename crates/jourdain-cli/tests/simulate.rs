//! `jourdain simulate`: its JSON, its files, and what it says to bad input.

mod support;

use serde_json::Value;
use support::{Scratch, flat, json, keys, run};

fn error(arguments: &[&str]) -> (i32, Value) {
    let run = run(&[&["simulate"], arguments, &["--json"]].concat());
    (run.code, run.error())
}

#[test]
fn the_document_has_the_documented_form() {
    let state = r#"{"q": [0.3, -0.2], "qd": [1, 0]}"#;
    let document = json(&["simulate", "planar2r", "--state", state, "--duration", "0.5"]);
    let expected =
        ["steps", "duration", "method", "energy_drift", "momentum_drift", "stopped", "final", "law", "tracking"];
    assert_eq!(keys(&document), expected);
    assert_eq!(keys(&document["final"]), ["t", "q", "qd"]);
    assert_eq!((&document["steps"], &document["method"]), (&500.into(), &"rk4".into()));
    assert_eq!(document["duration"], 0.5);
    assert!(document["energy_drift"].as_f64().unwrap() < 1e-8);
    assert!(document["momentum_drift"].is_null() && document["stopped"].is_null());
    assert_eq!((&document["law"], &document["tracking"]), (&"none".into(), &Value::Null));
    assert_eq!(flat(&document["final"]["q"]).len(), 2);
    let floating = json(&["simulate", "floating_humanoid25", "--duration", "0.05"]);
    assert!(floating["momentum_drift"].as_f64().unwrap() < 1e-9);
}

#[test]
fn both_methods_reach_the_same_place() {
    let common = ["simulate", "puma560", "--state", r#"{"qd": [1, 0.5, -1, 2, 0, 1]}"#, "--duration", "0.3"];
    let fixed = json(&common);
    let adaptive = json(&[&common[..], &["--method", "adaptive", "--tolerance", "1e-10"]].concat());
    for key in ["q", "qd"] {
        let (a, b) = (flat(&fixed["final"][key]), flat(&adaptive["final"][key]));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-7 * b.abs().max(1.0)), "{key}: {a:?} {b:?}");
    }
    assert!(adaptive["steps"].as_u64().unwrap() < 300);
}

#[test]
fn samples_go_to_a_csv_file_with_a_heading() {
    let file = Scratch::new("samples.csv");
    let arguments = ["planar2r", "--duration", "0.1", "--step", "0.01", "--every", "5", "--out", file.path()];
    json(&[&["simulate"], &arguments[..]].concat());
    let text = file.text();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let heading = "t,q[link1],q[link2],qd[link1],qd[link2],tau[link1],tau[link2],kinetic,potential,energy,work";
    assert_eq!(rows[0].join(","), heading);
    assert_eq!(rows[1..].iter().map(|row| row[0]).collect::<Vec<_>>(), ["0", "0.05", "0.1"]);
    assert!(rows[1..].iter().all(|row| row.len() == 11 && row.iter().all(|cell| cell.parse::<f64>().is_ok())));
}

#[test]
fn a_plot_shows_every_joint_with_its_unit_and_the_energy() {
    let file = Scratch::new("plot.svg");
    json(&["simulate", "scara", "--duration", "0.1", "--plot", file.path()]);
    let text = file.text();
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    for label in ["(rad)", "(m)", "(rad/s)", "(m/s)", ">Energy<", "(J)", "time (s)", "kinetic"] {
        assert!(text.contains(label), "{label}");
    }
    assert!(!text.contains("NaN"));
}

#[test]
fn torques_come_from_the_command_line_a_table_or_the_state() {
    let last =
        |extra: &[&str]| flat(&json(&[&["simulate", "planar2r", "--duration", "0.2"], extra].concat())["final"]["q"]);
    let constant = last(&["--torque", "constant", "[3, -1]"]);
    let table = Scratch::with("torque.csv", "time,link1,link2\n0,3,-1\n0.1,3,-1\n");
    assert_eq!(last(&["--torque", "table", table.path()]), constant);
    assert_eq!(last(&["--torque", "table", table.path(), "--interpolation", "hold"]), constant);
    assert_eq!(last(&["--state", r#"{"tau": [3, -1]}"#]), constant);
    let free = last(&["--torque", "none"]);
    assert_eq!(last(&["--state", r#"{"tau": [3, -1]}"#, "--torque", "none"]), free);
    assert_ne!(constant, free);
}

#[test]
fn a_limit_stops_the_motion_if_asked() {
    let arguments = ["simulate", "planar2r", "--duration", "5", "--state", r#"{"q": [3, 0], "qd": [2, 0]}"#];
    let document = json(&[&arguments[..], &["--stop-at-limits"]].concat());
    assert_eq!(keys(&document["stopped"]), ["joint", "t", "limit"]);
    assert_eq!(document["stopped"]["joint"], "link1");
    assert_eq!(document["stopped"]["t"], document["final"]["t"]);
    assert!(json(&arguments)["stopped"].is_null());
}

#[test]
fn bad_input_is_an_error_with_exit_code_two() {
    let table = Scratch::with("bad.csv", "0 1 2\n1 x 2\n");
    let short = Scratch::with("short.csv", "0 1\n1 2\n");
    for (arguments, kind) in [
        (&["planar2r", "--step", "-0.001"][..], "bad-option"),
        (&["planar2r", "--step", "0"], "bad-option"),
        (&["planar2r", "--step", "NaN"], "bad-option"),
        (&["planar2r", "--duration", "inf"], "bad-option"),
        (&["planar2r", "--every", "0"], "bad-option"),
        (&["planar2r", "--method", "adaptive", "--tolerance", "-1"], "bad-option"),
        (&["planar2r", "--step", "fast"], "usage"),
        (&["planar2r", "--step", "1e-13"], "too-many-samples"),
        (&["planar2r", "--state", r#"{"q": [1]}"#], "wrong-length"),
        (&["planar2r", "--state", "no/such/state.json"], "cannot-read"),
        (&["planar2r", "--state", "[{}, {}]"], "many-states"),
        (&["planar2r", "--state", "[]"], "no-state"),
        (&["planar2r", "--torque", "constant", "[1]"], "wrong-length"),
        (&["planar2r", "--torque", "constant", "[NaN, 1]"], "bad-torque"),
        (&["planar2r", "--torque", "constant", "[1e999, 1]"], "bad-torque"),
        (&["planar2r", "--torque", "constant"], "usage"),
        (&["planar2r", "--torque", "strong"], "usage"),
        (&["planar2r", "--torque", "table", "no/such/table.csv"], "cannot-read"),
        (&["planar2r", "--torque", "table", table.path()], "bad-table"),
        (&["planar2r", "--torque", "table", short.path()], "wrong-length"),
        (&["planar2r", "--out", "no/such/folder/a.csv", "--duration", "0.01"], "cannot-write"),
        (&["planar2r", "--plot", "no/such/folder/a.svg", "--duration", "0.01"], "cannot-write"),
        (&["planar2r", "--stop-at-limits", "--state", r#"{"q": [4, 0]}"#], "beyond-limit"),
        (&["no_such_robot"], "unknown-robot"),
        (&["-", "--state", "-"], "usage"),
    ] {
        let (code, error) = error(arguments);
        assert_eq!((code, &error["kind"]), (2, &kind.into()), "{arguments:?}: {error}");
    }
    let (_, error) = error(&["planar2r", "--torque", "table", table.path()]);
    assert_eq!((&error["line"], &error["file"]), (&2.into(), &table.path().into()));
}

#[test]
fn a_motion_that_breaks_down_is_an_unsolved_problem_with_its_time() {
    let state = r#"{"qd": [1000, -2000]}"#;
    let (code, error) = error(&["planar2r", "--state", state, "--step", "0.1", "--duration", "100"]);
    assert_eq!((code, &error["kind"]), (1, &"not-finite".into()), "{error}");
    assert!(error["message"].as_str().unwrap().contains("at t = "));
}
