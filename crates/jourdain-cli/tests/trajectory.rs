//! `jourdain trajectory`: the published motion, curves, splines and samples, files, and what it says to bad input.

mod support;

use serde_json::Value;
use support::{Scratch, flat, json, run};

fn error(arguments: &[&str]) -> (i32, String) {
    let run = run(&[&["trajectory"], arguments, &["--json"]].concat());
    (run.code, run.error()["kind"].as_str().unwrap().to_owned())
}

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * scale, "{a} and {b}");
    }
}

#[test]
fn the_published_motion_gives_the_published_torques_without_steiner_term_by_both_methods() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/dynamics.json")).unwrap();
    let suite: Value = serde_json::from_str(&text).unwrap();
    let rows = suite["anchors"]["iiwa_authors_code"]["rows"].as_array().unwrap();
    let times: Vec<String> = rows.iter().map(|row| row["t"].to_string()).collect();
    assert!(times.len() >= 2);
    for method in ["recursive", "closed"] {
        let result = json(&[
            "trajectory",
            "suite/robots/iiwa14_repo_nosteiner.toml",
            "--trajectory",
            "mueller-kumar",
            "--times",
            &times.join(","),
            "--quantity",
            "inverse_dynamics,inverse_dynamics_dot,inverse_dynamics_ddot",
            "--method",
            method,
        ]);
        for (index, row) in rows.iter().enumerate() {
            for (name, key) in
                [("inverse_dynamics", "Q"), ("inverse_dynamics_dot", "Qdot"), ("inverse_dynamics_ddot", "Qddot")]
            {
                close(&flat(&result["quantities"][name][index]), &flat(&row[key]), 1e-11);
            }
        }
    }
}

#[test]
fn the_correct_model_differs_from_the_published_figures() {
    let largest = |robot: &str| {
        let result = json(&["trajectory", robot, "-t", "mueller-kumar", "-s", "1001", "-Q", "inverse_dynamics"]);
        let second = |sample: &Value| sample[1].as_f64().unwrap().abs();
        result["quantities"]["inverse_dynamics"].as_array().unwrap().iter().map(second).fold(0.0, f64::max)
    };
    assert!((largest("iiwa14") - 106.75).abs() < 0.01);
    assert!((largest("suite/robots/iiwa14_repo_nosteiner.toml") - 103.88).abs() < 0.01);
}

#[test]
fn a_polynomial_motion_is_evaluated_with_all_its_derivatives() {
    let motion = r#"{"duration": 1, "joints": [{"polynomial": [0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.7]}, 0.3],
        "wrenches": [{"link": "link2", "force": [{"polynomial": [1, 2]}, 0, 0]}]}"#;
    let name = "inverse_dynamics_d3";
    let found = json(&["trajectory", "planar2r", "-t", motion, "--times", "0", "-Q", name]);
    // Derivatives at zero are the coefficients times factorials.
    let state = r#"{"q": [0.1, 0.3], "qd": [0.2, 0], "qdd": [-0.6, 0], "qddd": [2.4, 0], "qdddd": [12, 0],
        "derivatives": [[-72, 0], [504, 0]], "wrenches": [{"link": "link2", "force": [1, 0, 0], "moment": [0, 0, 0],
        "force_d": [2, 0, 0]}]}"#;
    let expected = json(&["eval", "planar2r", "--state", state, "--quantity", name]);
    close(&flat(&found["quantities"][name][0]), &flat(&expected["quantities"][name]), 1e-13);
}

#[test]
fn splines_and_samples_run_and_come_out_as_csv_and_svg() {
    let points = r#"{"points": {"times": [0, 1, 2], "q": [[0, 0], [1, -0.5], [0.2, 0.4]], "spline": "quintic"}}"#;
    let (csv, svg) = (Scratch::new("path.csv"), Scratch::new("path.svg"));
    let outcome = run(&[
        "trajectory",
        "planar2r",
        "-t",
        points,
        "-Q",
        "inverse_dynamics,com",
        "-s",
        "21",
        "--out",
        csv.path(),
        "--plot",
        svg.path(),
    ]);
    assert_eq!(outcome.code, 0);
    let text = csv.text();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("t,inverse_dynamics[link1],inverse_dynamics[link2],com[x],com[y],com[z]"));
    assert_eq!(lines.count(), 21);
    assert!(
        svg.text().starts_with("<svg") && svg.text().contains(">inverse_dynamics<") && svg.text().contains("(N m)")
    );

    // Samples of a slow wave, smoothed a little, are nearly the wave.
    let samples = Scratch::new("samples.csv");
    let line = |i: usize| {
        let t = 0.01 * i as f64;
        format!("{t},{},{}\n", t.cos(), 0.5 * t.sin())
    };
    std::fs::write(&samples.0, format!("t,a,b\n{}", (0..=400).map(line).collect::<String>())).unwrap();
    let wave = r#"{"duration": 4, "joints": [{"cosines": [{"amplitude": 1, "frequency": 1}]},
        {"cosines": [{"amplitude": 0.5, "frequency": 1, "phase": -1.5707963267948966}]}]}"#;
    let smooth = &["-Q", "inverse_dynamics", "--times", "2"];
    let from_samples =
        json(&[&["trajectory", "planar2r", "-t", samples.path(), "--smoothing", "0.03"], &smooth[..]].concat());
    let exact = json(&[&["trajectory", "planar2r", "-t", wave], &smooth[..]].concat());
    let [a, b] = [&from_samples, &exact].map(|result| flat(&result["quantities"]["inverse_dynamics"]));
    close(&a, &b, 1e-2);
}

#[test]
fn bad_trajectories_are_named() {
    let asked = ["-Q", "com"];
    let kind = |robot: &str, motion: &str| error(&[&[robot, "-t", motion], &asked[..]].concat());
    assert_eq!(kind("planar2r", "mueller-kumar"), (2, "wrong-length".to_owned()));
    assert_eq!(kind("planar2r", "no-such-file.json"), (2, "cannot-read".to_owned()));
    assert_eq!(kind("planar2r", r#"{"joints": [0, 0]}"#), (2, "bad-trajectory".to_owned()));
    assert_eq!(kind("planar2r", r#"{"duration": 1, "joints": [0]}"#), (2, "wrong-length".to_owned()));
    assert_eq!(kind("planar2r", r#"{"duration": -1, "joints": [0, 0]}"#), (2, "bad-trajectory".to_owned()));
    assert_eq!(kind("planar2r", r#"{"duration": 1, "joints": [{"cosine": []}, 0]}"#), (2, "bad-trajectory".to_owned()));
    let unknown = r#"{"duration": 1, "joints": [0, 0], "wrenches": [{"link": "nose"}]}"#;
    assert_eq!(kind("planar2r", unknown), (2, "unknown-link".to_owned()));
    let steady = r#"{"points": {"times": [0, 0], "q": [[0, 0], [1, 1]]}}"#;
    assert_eq!(kind("planar2r", steady), (2, "bad-trajectory".to_owned()));
    assert_eq!(kind("floating_humanoid25", r#"{"duration": 1, "joints": []}"#), (2, "unsupported-joint".to_owned()));
    let samples = Scratch::new("rough.csv");
    std::fs::write(&samples.0, "0,0,0\n1,1,1\n").unwrap();
    assert_eq!(kind("planar2r", samples.path()), (2, "usage".to_owned()), "samples need a smoothing");
}
