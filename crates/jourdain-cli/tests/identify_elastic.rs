//! `jourdain identify --elastic`: springs and rotors from what `jourdain elastic simulate` writes.

mod support;

use serde_json::Value;
use support::{Scratch, json, keys, run};

fn simulated(name: &str, damping: &str) -> Scratch {
    let log = Scratch::new(name);
    let motion = r#"{"duration": 12, "joints": [
        {"cosines": [{"amplitude": 0.6, "frequency": 1.9, "phase": 0.3}, {"amplitude": 0.2, "frequency": 7.1, "phase": 1}]},
        {"cosines": [{"amplitude": 0.7, "frequency": 2.7, "phase": 1.3}, {"amplitude": 0.2, "frequency": 9.3, "phase": 2}]}]}"#;
    let arguments = [
        "elastic",
        "simulate",
        "planar2r_elastic",
        "--trajectory",
        motion,
        "--controller",
        "feedforward",
        "--damping",
        damping,
        "--duration",
        "12",
        "--ignore-effort",
        "--every",
        "2",
        "--out",
        log.path(),
    ];
    let made = run(&arguments);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    log
}

fn value(report: &Value, joint: usize, what: &str) -> f64 {
    report["elastic"][joint][what]["value"].as_f64().unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn springs_of_a_simulation_are_found_and_written() {
    let (log, robot) = (simulated("elastic.csv", "30"), Scratch::new("elastic.toml"));
    // The robot is not told of its springs: planar2r has the same links and rigid joints.
    let report = json(&["identify", "planar2r", "--elastic", "--data", log.path(), "--out", robot.path()]);
    assert_eq!(keys(&report), ["robot", "samples", "elastic", "log", "warnings", "files"]);
    for (joint, (stiffness, inertia)) in [(9000.0, 1.0), (3840.0, 0.64)].into_iter().enumerate() {
        for (what, exact, share) in [("stiffness", stiffness, 0.01), ("damping", 30.0, 0.2), ("inertia", inertia, 0.02)]
        {
            let found = value(&report, joint, what);
            assert!(
                (found / exact - 1.0).abs() < share,
                "{what} of joint {joint}: {found} instead of {exact}\n{report}"
            );
        }
    }
    let written = robot.text();
    assert!(written.contains("stiffness") && written.contains("damping"), "{written}");
    let again = json(&["identify", robot.path(), "--elastic", "--data", log.path()]);
    assert!((value(&again, 1, "stiffness") / value(&report, 1, "stiffness") - 1.0).abs() < 1e-3);
    let text = run(&["identify", "planar2r_elastic", "--elastic", "--data", log.path()]).stdout;
    assert!(text.contains("springs and rotors of 2 joints") && text.contains("stiffness"), "{text}");
}

#[test]
fn what_does_not_go_with_springs_is_refused() {
    const LOG: &str = "suite/logs/planar2r.csv";
    for (arguments, kind, says) in [
        (&["--data", LOG][..], "missing-column", "theta"),
        (&["--data", LOG, "--data", LOG], "usage", "one log"),
        (&["--data", LOG, "--payload", "tool"], "usage", "one at a time"),
        (&["--data", LOG, "--plot", "x.svg"], "usage", "--plot does not go with --elastic"),
    ] {
        let error = run(&[&["identify", "planar2r", "--elastic", "--json"], arguments].concat()).error();
        assert_eq!(error["kind"], kind, "{arguments:?}: {error}");
        assert!(error["message"].as_str().unwrap().contains(says), "{arguments:?}: {error}");
    }
}
