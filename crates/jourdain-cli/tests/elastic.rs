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
    assert!(svg.text().contains("Rate of decay"));
}

#[test]
fn a_study_reports_stability_errors_and_decay_and_repeats_itself() {
    let arguments = ["elastic", "robustness", "planar2r_elastic", "--samples", "8", "--duration", "0.5", "--seed", "7"];
    let document = json(&arguments);
    let expected = [
        "robot",
        "controller",
        "samples",
        "seed",
        "stable",
        "stable_fraction",
        "largest_error",
        "late_error",
        "decay",
        "poles",
        "spectrum",
        "overdriven_fraction",
        "least_sampling",
        "bandwidth",
        "survives",
        "alone",
        "causes",
    ];
    assert_eq!(keys(&document), expected);
    assert_eq!(keys(&document["bandwidth"][0]), ["rate", "scale", "stable_fraction"]);
    assert_eq!(keys(&document["causes"][0]), ["parameter", "low", "high", "correlation"]);
    let rates = document["bandwidth"].as_array().unwrap();
    assert!(rates.iter().any(|tried| (number(&tried["scale"]) - 1.0).abs() < 1e-12), "the study's own is among them");
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
        (&["robustness", "planar2r_elastic", "--sample", "-5"], 2, "bad-option"),
        (&["robustness", "planar2r_elastic", "--damping", "-5"], 2, "bad-option"),
        (&["robustness", "planar2r_elastic", "--duration", "-5"], 2, "bad-option"),
        (&["inverse", "planar2r_elastic", "--damping", "-1"], 2, "bad-option"),
        (&["inverse", "planar2r_elastic", "--samples", "0"], 2, "usage"),
        (&["inverse", "iiwa14"], 2, "no-elastic-joint"),
        (&["linearise", "planar2r_elastic", "--posture", "[0]"], 2, "wrong-length"),
        (&["simulate", "suite/bad/toml_elastic_without_rotor.toml"], 2, "elastic-without-rotor"),
    ] {
        let (found, error) = error(arguments);
        assert_eq!((found, error["kind"].as_str()), (code, Some(kind)), "{arguments:?}: {error}");
    }
}

#[test]
fn guessed_poles_get_a_hint_and_a_bandwidth_that_survives() {
    let common = ["elastic", "robustness", "planar2r_elastic", "--samples", "12", "--duration", "0.5"];
    let arguments = [&common[..], &["--poles", "12"]].concat();
    let document = json(&arguments);
    assert!(number(&document["stable_fraction"]) < 0.5, "{document}");
    let survives = number(&document["survives"]);
    assert!((24.0..200.0).contains(&survives), "{survives}");
    let text = run(&arguments).stdout;
    assert!(text.contains("does most harm") && text.contains("robots bear poles from"), "{text}");
    let better = json(&[&common[..], &["--poles", &survives.to_string()]].concat());
    assert!(number(&better["stable_fraction"]) > 0.9, "{better}");
}

#[test]
fn damped_saturated_and_sampled_loops_can_be_studied() {
    let common = ["elastic", "robustness", "planar2r_elastic", "--samples", "6", "--duration", "0.3"];
    let far = ["--poles", "60", "--offset", "[-0.5, 0.3]"];
    let free = json(&[&common[..], &far].concat());
    let cut = json(&[&common[..], &far, &["--saturate"]].concat());
    assert!(number(&free["overdriven_fraction"]) > 0.9, "{free}");
    assert_ne!(free["late_error"], cut["late_error"]);
    assert_eq!(cut["alone"].as_array().unwrap().last().unwrap()["spread"], "all, unsaturated");
    let damped = json(&[&common[..], &["--damping", "40", "--controller", "feedforward"]].concat());
    assert_eq!(number(&damped["stable_fraction"]), 1.0, "{damped}");
    // Below what the loop needs it is unstable, above it is not; its poles say so before its motion does.
    let least = number(&free["least_sampling"]);
    let at = |hertz: f64| json(&[&common[..], &["--poles", "60", "--sample", &hertz.to_string()]].concat());
    assert_eq!(number(&at(0.7 * least)["stable_fraction"]), 0.0);
    assert!(number(&at(6.0 * least)["stable_fraction"]) > 0.8);
}

#[test]
fn drives_of_elastic_joints_give_no_more_than_their_effort_and_are_named() {
    let csv = Scratch::new("efforts.csv");
    let far = ["--offset", "[-0.5, 0.3]", "--poles", "60", "--duration", "0.2", "--out", csv.path()];
    let common = [&["elastic", "simulate", "planar2r_elastic"], &far[..]].concat();
    let torque = || {
        let text = csv.text();
        let column = text.lines().next().unwrap().split(',').position(|name| name == "tau[link1]").unwrap();
        let cell = |line: &str| line.split(',').nth(column).unwrap().parse::<f64>().unwrap().abs();
        text.lines().skip(1).map(cell).fold(0.0, f64::max)
    };
    let document = json(&common);
    assert_eq!(torque(), 100.0);
    let named = &document["overdriven"][0];
    assert_eq!((&named["joint"], &named["effort"], &named["cut"]), (&"link1".into(), &100.0.into(), &true.into()));
    assert!(number(&named["asked"]) > 900.0, "{named}");
    let said = run(&common).stderr;
    assert!(said.contains("`link1` is asked for") && said.contains("effort of 100 N m"), "{said}");
    let ignored = json(&[&common[..], &["--ignore-effort"]].concat());
    assert!(torque() > 900.0 && ignored["overdriven"][0]["cut"] == false, "{ignored}");
    assert_eq!(error(&[&common[1..], &["--ignore-effort", "--saturate"]].concat()).0, 2);
    // Within the limits nothing is said, and nothing changes.
    let near = ["elastic", "simulate", "planar2r_elastic", "--offset", "[-0.2, 0.15]", "--duration", "0.2"];
    assert_eq!(json(&near), json(&[&near[..], &["--ignore-effort"]].concat()));
}

#[test]
fn motors_along_a_motion_are_solved_forwards_where_springs_are_damped() {
    let csv = Scratch::new("motors.csv");
    let document =
        json(&["elastic", "inverse", "planar2r_elastic", "--damping", "40", "--samples", "21", "--out", csv.path()]);
    assert_eq!(document["solved"], "forwards");
    assert!((number(&document["memory"]) - 40.0 / 3840.0).abs() < 1e-12);
    assert!(csv.text().starts_with("t,theta[link1],theta[link2],thetad[link1],thetad[link2],tau[link1],tau[link2]"));
    assert_eq!(csv.text().lines().count(), 22);
    // Without damping the numbers are the quantities' own.
    let motion =
        r#"{"duration": 1, "joints": [{"polynomial": [0.1, 0.2, 0.3]}, {"polynomial": [0.2, -0.4, 0.1, 0.2]}]}"#;
    let undamped = json(&["elastic", "inverse", "planar2r_elastic", "--trajectory", motion, "--samples", "5"]);
    assert_eq!(undamped["solved"], "instant");
    let names = "elastic_motor_position,elastic_motor_torque";
    let along = ["trajectory", "planar2r_elastic", "--trajectory", motion, "--samples", "5", "--quantity", names];
    let quantities = json(&along);
    for (mine, theirs) in [("theta", "elastic_motor_position"), ("torque", "elastic_motor_torque")] {
        let pairs = flat(&undamped[mine]).into_iter().zip(flat(&quantities["quantities"][theirs]));
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-10 * b.abs().max(1.0)), "{mine}");
    }
}

#[test]
fn quantities_of_one_state_say_that_they_leave_damping_out() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/planar2r_elastic.toml")).unwrap();
    let damped = Scratch::with("damped.toml", &text.replace("viscous = 0.5", "damping = 5.0"));
    let asked = ["--state", r#"{"q": [0.1, 0.2]}"#, "--quantity", "elastic_motor_torque"];
    let said = run(&[&["eval", damped.path()], &asked[..]].concat()).stderr;
    assert!(said.contains("leaves out the damping of joint `link1`") && said.contains("elastic inverse"), "{said}");
    let said = run(&[&["eval", "planar2r_elastic"], &asked[..]].concat()).stderr;
    assert!(!said.contains("damping"), "{said}");
}

#[test]
fn rotors_may_turn_with_the_links_that_carry_them() {
    let swing = ["--state", r#"{"q": [0.3, -0.5], "qd": [1, 2]}"#, "--duration", "0.2"];
    let common = [&["simulate", "planar2r_elastic"], &swing[..]].concat();
    let [reduced, complete] =
        ["reduced", "complete"].map(|rotors| json(&[&common[..], &["--rotors", rotors]].concat()));
    assert!(number(&complete["energy_drift"]) < 1e-6);
    let far: f64 =
        flat(&reduced["final"]["q"]).iter().zip(flat(&complete["final"]["q"])).map(|(a, b)| (a - b).abs()).sum();
    assert!(far > 1e-7 && far < 1e-2, "{far:e}");
    let refused = run(&["simulate", "planar2r", "--rotors", "complete", "--json"]);
    assert_eq!((refused.code, refused.error()["kind"].as_str()), (2, Some("usage")));
}
