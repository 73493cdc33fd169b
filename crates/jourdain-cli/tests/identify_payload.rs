//! `jourdain identify --payload LINK`: what a robot holds, from one log, two logs and poses, and what is refused.

mod support;

use serde_json::Value;
use std::f64::consts::PI;
use std::fmt::Write as _;
use support::{Scratch, json, keys, run};

/// A log of `planar2r` with 0.3 kg more at its tip than the robot file says.
const LOG: &str = "suite/logs/planar2r.csv";
const OTHER: &str = "suite/logs/planar2r_validation.csv";

/// Torques of `planar2r`, two point masses at the ends of two rods, by Lagrange's equations.
fn torques(tip: f64, [a, b]: [f64; 2], [va, vb]: [f64; 2], [aa, ab]: [f64; 2]) -> [f64; 2] {
    let (g, l, r, m, n) = (9.80665, 0.5, 0.4, 2.0, 1.5 + tip);
    let cross = n * l * r;
    let far = n * r * r + cross * b.cos();
    let both = n * g * r * (a + b).cos();
    let first = (m + n) * l * l + n * r * r + 2.0 * cross * b.cos();
    [
        first * aa + far * ab - cross * b.sin() * vb * (2.0 * va + vb) + (m + n) * g * l * a.cos() + both,
        far * aa + n * r * r * ab + cross * b.sin() * va * va + both,
    ]
}

/// A log with all derivatives and friction, with so many kilograms at the tip.
fn log(tip: f64) -> String {
    let mut text = "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n".to_owned();
    for i in 0..3000 {
        let t = 0.01 * f64::from(i);
        let at = |w: f64, p: f64| {
            let (sin, cos) = (2.0 * PI * w * t + p).sin_cos();
            let w = 2.0 * PI * w;
            [sin, w * cos, -w * w * sin]
        };
        let [x, y, u] = [at(0.31, 0.0), at(0.47, 1.0), at(0.83, 2.0)];
        let [q, v, a] = [0, 1, 2].map(|k| [x[k] + 0.3 * u[k], 0.9 * y[k] - 0.4 * u[k]]);
        let mut tau = torques(tip, q, v, a);
        let noise = (1e4 * (f64::from(i) * 12.9898).sin()).fract();
        (0..2).for_each(|j| tau[j] += 0.4 * v[j] + 0.05 * noise * if j == 0 { 1.0 } else { 0.4 });
        let cells: Vec<String> = [[t, q[0]], [q[1], v[0]], [v[1], a[0]], [a[1], tau[0]]]
            .concat()
            .into_iter()
            .chain([tau[1]])
            .map(|x| x.to_string())
            .collect();
        writeln!(text, "{}", cells.join(",")).unwrap();
    }
    text
}

fn value(report: &Value, name: &str) -> (f64, f64) {
    let parameters = report["payload"]["parameters"].as_array().unwrap();
    let found = parameters.iter().find(|parameter| parameter["name"] == name).unwrap_or_else(|| panic!("{report}"));
    (found["value"].as_f64().unwrap(), found["deviation"].as_f64().unwrap())
}

#[test]
fn the_load_of_a_log_is_found_with_the_robot_known_and_written() {
    let robot = Scratch::new("payload-robot.toml");
    let report =
        json(&["identify", "planar2r", "--data", LOG, "--payload", "tool", "--validate", OTHER, "--out", robot.path()]);
    let body = &report["payload"];
    assert_eq!(body["link"], "tool");
    assert_eq!((&body["robot_known"], &body["friction_known"]), (&true.into(), &false.into()));
    let (mass, deviation) = value(&report, "m");
    assert!((mass - 0.3).abs() < 0.02 && deviation < 0.02, "{mass} ± {deviation}");
    for name in ["mX", "mY"] {
        let (moment, deviation) = value(&report, name);
        assert!(moment.abs() < 0.01 && deviation > 0.0, "{name} {moment} ± {deviation}");
    }
    let hidden: Vec<&str> = body["not_shown"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(["mZ", "XX", "XY", "XZ", "YY", "YZ"].iter().all(|name| hidden.contains(name)), "{hidden:?}");
    for joint in report["validation"]["joints"].as_array().unwrap() {
        assert!(joint["relative_error"].as_f64().unwrap() < 0.05, "{joint}");
    }
    let written = robot.text();
    assert!(written.contains("name = \"tool\"") && written.contains("mass = 0."), "{written}");
    assert_eq!(run(&["check", robot.path()]).code, 0);
    // With the load written the robot explains the log: there is nothing more to find.
    let again = run(&["identify", robot.path(), "--data", LOG, "--payload", "tool"]);
    assert!(again.stdout.contains("nothing may be there"), "{}{}", again.stdout, again.stderr);
}

#[test]
fn two_logs_give_the_load_without_a_robot_that_is_known() {
    let (empty, full) = (Scratch::with("payload-empty.csv", &log(0.0)), Scratch::with("payload-full.csv", &log(0.8)));
    let robot = Scratch::new("payload-both.toml");
    // The links of this robot weigh a third more than they do.
    let report = json(&[
        "identify",
        "planar2r",
        "--scale-inertia",
        "1.33",
        "--data",
        empty.path(),
        "--loaded",
        full.path(),
        "--payload",
        "tool",
        "--out",
        robot.path(),
    ]);
    assert_eq!(
        keys(&report),
        [
            "robot",
            "samples",
            "payload",
            "joints",
            "consistent",
            "logs",
            "empty_logs",
            "validation",
            "warnings",
            "files"
        ]
    );
    assert_eq!(report["payload"]["robot_known"], false);
    let (mass, deviation) = value(&report, "m");
    assert!((mass - 0.8).abs() < 0.02 && deviation < 0.02, "{mass} ± {deviation}");
    assert_eq!(run(&["check", robot.path()]).code, 0);
    let known = json(&["identify", "planar2r", "--data", full.path(), "--payload", "tool"]);
    assert!((value(&known, "m").0 - 0.8).abs() < 0.02);
    // A load that is known is an edit of the robot, beside the link whose load is asked for.
    let rest =
        json(&["identify", "planar2r", "--data", full.path(), "--payload", "tool", "--payload", "link2=0.5@0.4,0,0"]);
    assert!((value(&rest, "m").0 - 0.3).abs() < 0.02, "{rest}");
    // What was written is the robot with its load.
    let with = json(&["identify", "planar2r", "--data", full.path(), "--payload", "tool", "--with", robot.path()]);
    assert!(value(&with, "m").0 < 0.1, "{with}");
}

#[test]
fn poses_are_found_and_show_mass_and_centre() {
    let found = json(&["identify", "planar2r", "--payload", "tool", "--poses", "6"]);
    assert_eq!(keys(&found), ["robot", "link", "coordinates", "poses", "parameters", "noise"]);
    let poses = found["poses"].as_array().unwrap();
    assert_eq!(poses.len(), 6);
    let mut text = "q1,q2,tau1,tau2\n".to_owned();
    for (k, pose) in poses.iter().enumerate() {
        let q = [0, 1].map(|j| pose[j].as_f64().unwrap());
        let tau = torques(1.1, q, [0.0; 2], [0.0; 2]);
        let error = 0.01 * if k % 2 == 0 { 1.0 } else { -1.0 };
        writeln!(text, "{},{},{},{}", q[0], q[1], tau[0] + error, tau[1] - error).unwrap();
    }
    let log = Scratch::with("payload-poses.csv", &text);
    let report = json(&["identify", "planar2r", "--payload", "tool", "--data", log.path(), "--at-rest"]);
    assert!((value(&report, "m").0 - 1.1).abs() < 0.02, "{report}");
    let hidden = report["payload"]["not_shown"].as_array().unwrap();
    assert!(hidden.contains(&"ZZ".into()) && hidden.contains(&"XX".into()), "{report}");
    let text = run(&["identify", "planar2r", "--payload", "tool", "--data", log.path(), "--at-rest"]).stdout;
    assert!(text.contains("inertia shows in fast motion only"), "{text}");
    assert!(run(&["identify", "planar2r", "--payload", "tool", "--poses", "4"]).stdout.contains("random poses"));
}

#[test]
fn what_does_not_go_with_a_load_is_refused_with_the_reason() {
    for (arguments, kind, says) in [
        (&["--data", LOG, "--payload", "tol"][..], "unknown-link", "no link of this name"),
        (&["--data", LOG, "--payload", "tool", "--payload", "link2"], "usage", "one link is found at a time"),
        (&["--data", LOG, "--loaded", OTHER], "usage", "--loaded is about the load of a link"),
        (&["--data", LOG, "--at-rest"], "usage", "--at-rest is about the load"),
        (&["--data", LOG, "--payload", "tool", "--poses", "4"], "usage", "takes no log"),
        (&["--payload", "tool", "--poses", "1"], "bad-search", "from 2 to 100"),
        (&["--data", LOG, "--payload", "tool", "--factors", "x.json"], "usage", "--factors does not go with"),
        (&["--data", LOG, "--payload", "tool", "--with", "puma560"], "other-robot", "other joints"),
        (&["--data", LOG, "--payload", "tool=x"], "cannot-read", "the payload"),
    ] {
        let run = run(&[&["identify", "planar2r", "--json"], arguments].concat());
        let error = run.error();
        assert_eq!(error["kind"], kind, "{arguments:?}: {error}");
        assert!(error["message"].as_str().unwrap().contains(says), "{arguments:?}: {error}");
    }
}
