//! `jourdain elastic`: its JSON, its files, and what it says to bad input.

mod support;

use serde_json::Value;
use support::{Scratch, flat, json, keys, run};

fn error(arguments: &[&str]) -> (i32, Value) {
    let run = run(&[&["elastic"], arguments, &["--json"]].concat());
    (run.code, run.error())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_simulation_follows_its_reference_and_says_how() {
    let document = json(&["elastic", "simulate", "planar2r_elastic", "--offset", "[-0.2, 0.15]"]);
    let expected = [
        "robot",
        "controller",
        "method",
        "reason",
        "fastest",
        "steps",
        "duration",
        "energy_drift",
        "largest_error",
        "late_error",
        "final",
    ];
    assert_eq!(keys(&document), expected);
    assert_eq!(keys(&document["final"]), ["t", "q", "qd", "theta", "theta_d", "torque", "error"]);
    assert_eq!((&document["controller"], &document["duration"]), (&"linearising".into(), &2.0.into()));
    assert!((number(&document["largest_error"]) - 0.2).abs() < 1e-9);
    assert!(number(&document["late_error"]) < 1e-4);
    assert!(document["reason"].as_str().unwrap().starts_with("chosen"));
}

#[test]
fn every_controller_and_method_runs_on_the_seven_joint_arm() {
    let common = ["elastic", "simulate", "iiwa14_elastic", "--duration", "0.05"];
    for controller in ["linearising", "feedforward", "computed-torque", "none"] {
        let document = json(&[&common[..], &["--controller", controller]].concat());
        assert_eq!(flat(&document["final"]["theta"]).len(), 7, "{controller}");
    }
    for method in ["rk4", "adaptive", "implicit"] {
        let arguments = ["--method", method, "--step", "2e-4", "--tolerance", "1e-5", "--duration", "0.01"];
        let document = json(&[&common[..3], &arguments].concat());
        assert_eq!((&document["method"], &document["reason"]), (&method.into(), &"as asked for".into()));
    }
    let built_in = [&common[..], &["--trajectory", "mueller-kumar"]].concat();
    assert_eq!(json(&built_in)["steps"].as_u64().map(|steps| steps > 0), Some(true));
}

#[test]
fn samples_and_plots_go_to_files() {
    let (csv, svg) = (Scratch::new("elastic.csv"), Scratch::new("elastic.svg"));
    let arguments =
        ["--duration", "0.1", "--step", "0.01", "--method", "adaptive", "--out", csv.path(), "--plot", svg.path()];
    json(&[&["elastic", "simulate", "planar2r_elastic"], &arguments[..]].concat());
    let text = csv.text();
    assert!(text.starts_with("t,q[link1],q[link2],theta[link1],theta[link2],qd[link1]"), "{text}");
    assert_eq!(text.lines().count(), 12);
    assert!(svg.text().contains("</svg>"));

    let arguments = ["--samples", "5", "--duration", "0.2", "--out", csv.path(), "--plot", svg.path()];
    let document = json(&[&["elastic", "robustness", "planar2r_elastic"], &arguments[..]].concat());
    assert_eq!(document["samples"], 5);
    let text = csv.text();
    assert!(text.starts_with("sample,mass[link1],mass[link2],mass[tool],stiffness[link1],stiffness[link2],"), "{text}");
    assert_eq!(text.lines().count(), 6);
    assert!(svg.text().contains("decay rate"));
}

#[test]
fn a_study_reports_stability_errors_and_decay_and_repeats_itself() {
    let arguments = ["elastic", "robustness", "planar2r_elastic", "--samples", "8", "--duration", "0.5", "--seed", "7"];
    let document = json(&arguments);
    let expected =
        ["robot", "controller", "samples", "seed", "stable", "stable_fraction", "largest_error", "late_error", "decay"];
    assert_eq!(keys(&document), expected);
    for key in ["largest_error", "late_error", "decay"] {
        let [least, median, largest] = ["least", "median", "largest"].map(|part| number(&document[key][part]));
        assert!(least <= median && median <= largest, "{key}");
    }
    assert_eq!(document, json(&arguments));
}

#[test]
fn the_linearisation_has_frequencies_modes_and_matrices() {
    let document = json(&["elastic", "linearise", "planar2r_elastic", "--posture", "[-1.5707963267948966, 0]"]);
    assert_eq!(keys(&document), ["robot", "q", "theta", "torque", "modes", "eigenvalues", "A", "B"]);
    let modes = document["modes"].as_array().unwrap();
    assert_eq!((modes.len(), flat(&document["A"]).len(), flat(&document["B"]).len()), (4, 64, 16));
    assert_eq!(keys(&modes[0]), ["omega_squared", "omega", "frequency_hz", "q", "theta"]);
    let omegas: Vec<f64> = modes.iter().map(|mode| number(&mode["omega"])).collect();
    assert!(omegas.windows(2).all(|pair| pair[0] <= pair[1]) && omegas[0] > 0.0, "{omegas:?}");
}

#[test]
fn bad_input_is_named() {
    for (arguments, code, kind) in [
        (&["simulate", "iiwa14"][..], 2, "no-elastic-joint"),
        (&["linearise", "floating_humanoid25"], 2, "unsupported-joint"),
        (&["simulate", "planar2r_elastic", "--offset", "[1]"], 2, "wrong-length"),
        (&["simulate", "planar2r_elastic", "--offset", "x"], 2, "bad-list"),
        (&["simulate", "planar2r_elastic", "--poles", "-3"], 2, "usage"),
        (&["simulate", "planar2r_elastic", "--poles", "8+3i,8+3i,1,1"], 2, "bad-poles"),
        (&["simulate", "planar2r_elastic", "--step", "0"], 2, "bad-option"),
        (&["simulate", "planar2r_elastic", "--duration", "-1"], 2, "bad-option"),
        (&["robustness", "planar2r_elastic", "--stiffness", "1"], 2, "bad-option"),
        (&["robustness", "planar2r_elastic", "--samples", "0"], 2, "usage"),
        (&["linearise", "planar2r_elastic", "--posture", "[0]"], 2, "wrong-length"),
        (&["simulate", "suite/bad/toml_elastic_without_rotor.toml"], 2, "elastic-without-rotor"),
    ] {
        let (found, error) = error(arguments);
        assert_eq!((found, error["kind"].as_str()), (code, Some(kind)), "{arguments:?}: {error}");
    }
}
