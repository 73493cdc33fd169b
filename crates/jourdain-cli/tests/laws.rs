//! Laws through the command: they follow what they are told, within what stands between them and the robot.

mod support;

use serde_json::Value;
use support::{Scratch, flat, json, keys, run};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn simulate(arguments: &[&str]) -> Value {
    json(&[&["simulate"], arguments].concat())
}

#[test]
fn computed_torque_brings_a_robot_to_its_goal_at_the_rate_of_its_poles() {
    let common = ["planar2r", "--law", "computed-torque", "--goal", "[0.8, -0.4]", "--kp", "100", "--kd", "20"];
    let report = simulate(&[&common[..], &["--duration", "1"]].concat());
    assert_eq!(report["law"], "computed-torque");
    assert_eq!(keys(&report["tracking"]), ["largest_error", "late_error", "final_error"]);
    // e(t) = e(0) (1 + 10 t) exp(−10 t): a double pole at −10, from rest.
    let left = (1.0 + 10.0) * (-10.0_f64).exp();
    for (error, goal) in flat(&report["tracking"]["final_error"]).iter().zip([0.8, -0.4]) {
        assert!((error - goal * left).abs() < 1e-8, "{error} of {goal}");
    }
    let by_name = [&common[..4], &[r#"{"q": {"link1": 0.8, "link2": -0.4}}"#], &common[5..]].concat();
    assert_eq!(simulate(&[&by_name[..], &["--duration", "1"]].concat()), report);
}

#[test]
fn a_trajectory_is_followed_from_its_start_for_its_length() {
    let error = |more: &[&str]| {
        let report = simulate(&[&["iiwa14", "--trajectory", "waves"], more].concat());
        assert_eq!(report["duration"], 2.0, "{more:?}");
        number(&report["tracking"]["largest_error"])
    };
    for law in ["computed-torque", "feed-forward"] {
        let error = error(&["--law", law]);
        assert!(error < 1e-6, "{law}: {error}");
    }
    // What a PD loop leaves of an error goes with its gains.
    let [soft, stiff] =
        [["100", "20"], ["1000", "100"]].map(|[kp, kd]| error(&["--law", "pd-gravity", "--kp", kp, "--kd", kd]));
    assert!(stiff < 0.3 * soft && stiff > 1e-4, "{soft} and {stiff}");
}

#[test]
fn an_elastic_robot_moves_its_springs_and_can_be_linearised_exactly() {
    let report = simulate(&["planar2r_elastic", "--law", "exact-linearisation", "--trajectory", "waves"]);
    assert_eq!(keys(&report["final"]), ["t", "q", "qd", "theta", "theta_d"]);
    assert!(number(&report["tracking"]["largest_error"]) < 1e-6, "{}", report["tracking"]);
    let refused = run(&["simulate", "planar2r", "--law", "exact-linearisation", "--trajectory", "waves", "--json"]);
    assert_eq!((refused.code, refused.error()["kind"].as_str()), (2, Some("unsupported-law")));
    assert!(refused.error()["message"].as_str().unwrap().contains("adaptive"));
}

#[test]
fn torques_stay_within_the_efforts_of_the_file_if_asked_to() {
    let csv = Scratch::new("saturated.csv");
    let common = ["iiwa14", "--law", "pd", "--goal", "[1, 1, 1, 1, 1, 1, 1]", "--kp", "2000", "--kd", "50"];
    let largest = |more: &[&str]| {
        simulate(&[&common[..], &["--duration", "0.02", "--method", "adaptive", "--out", csv.path()], more].concat());
        let text = csv.text();
        let heading: Vec<String> = text.lines().next().unwrap().split(',').map(str::to_owned).collect();
        let column = heading.iter().position(|name| name.starts_with("tau[")).unwrap();
        let row = |line: &str| line.split(',').nth(column).unwrap().parse::<f64>().unwrap().abs();
        text.lines().skip(1).map(row).fold(0.0, f64::max)
    };
    let (free, cut) = (largest(&[]), largest(&["--saturate"]));
    assert!(free > 1000.0 && cut < 400.0, "{free} and {cut} N m");
}

#[test]
fn noise_follows_from_its_seed_and_sampling_at_a_high_rate_changes_little() {
    let noisy = |seed: &str| {
        let law = ["planar2r", "--law", "pd-gravity", "--goal", "[0.5, 0.5]", "--duration", "0.3"];
        simulate(&[&law[..], &["--sample", "500", "--noise", "0.001,0.01", "--seed", seed]].concat())
    };
    assert_eq!(noisy("7"), noisy("7"));
    assert_ne!(noisy("7")["final"], noisy("8")["final"]);
    let law = ["planar2r", "--law", "computed-torque", "--goal", "[0.5, 0.5]", "--duration", "0.5"];
    let sampled = flat(&simulate(&[&law[..], &["--sample", "5000"]].concat())["final"]["q"]);
    let continuous = flat(&simulate(&law)["final"]["q"]);
    assert!(sampled.iter().zip(&continuous).all(|(a, b)| (a - b).abs() < 2e-3), "{sampled:?} {continuous:?}");
}

#[test]
fn adaptive_control_learns_what_its_robot_is_not() {
    // The law takes the robot for one with half the mass at its tip.
    let light = Scratch::with(
        "light.toml",
        &std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/planar2r.toml"))
            .unwrap()
            .replace("mass = 1.5", "mass = 0.75"),
    );
    let common = ["planar2r", "--trajectory", "waves", "--duration", "8", "--nominal", light.path()];
    let adaptive = simulate(&[&common[..], &["--law", "adaptive", "--adaptation", "5"]].concat());
    let estimate = adaptive["estimate"].as_array().unwrap();
    assert!(!estimate.is_empty());
    assert_eq!(keys(&estimate[0]), ["name", "start", "value"]);
    assert!(estimate.iter().any(|one| (number(&one["value"]) - number(&one["start"])).abs() > 1e-2));
    let fixed = simulate(&[&common[..], &["--law", "adaptive", "--adaptation", "0"]].concat());
    let late = |report: &Value| number(&report["tracking"]["late_error"]);
    assert!(late(&adaptive) < 0.1 * late(&fixed), "{} and {}", late(&adaptive), late(&fixed));
}

#[test]
fn flexible_arms_take_laws_on_their_joints() {
    let arm =
        ["flexible", "simulate", "two_link_flexible", "--goal", "[0.3, -0.2]", "--duration", "3", "--step", "0.0005"];
    let gains = ["--kp", "0.3", "--kd", "0.4"];
    let report = json(&[&arm[..], &["--law", "pd"], &gains].concat());
    let q = flat(&report["final"]["q"]);
    assert!((q[0] - 0.3).abs() < 0.1 && (q[1] + 0.2).abs() < 0.1, "{q:?}");
    let refused = run(&[&arm[..], &["--law", "adaptive", "--json"]].concat());
    assert_eq!((refused.code, refused.error()["kind"].as_str()), (2, Some("unsupported-law")));
}

#[test]
fn what_does_not_go_together_is_bad_usage() {
    for (arguments, kind) in [
        (&["planar2r", "--law", "pd", "--torque", "constant", "[1, 2]"][..], "usage"),
        (&["planar2r", "--law", "pid"], "usage"),
        (&["planar2r", "--law", "constant"], "no-torque"),
        (&["planar2r", "--law", "pd", "--noise", "1,2,3"], "usage"),
        (&["planar2r", "--law", "pd", "--sample", "0"], "bad-option"),
        (&["planar2r", "--law", "pd", "--goal", "[1]"], "wrong-length"),
        (&["floating_humanoid25", "--law", "pd", "--trajectory", "waves"], "unsupported-joint"),
    ] {
        let refused = run(&[&["simulate"], arguments, &["--json"]].concat());
        assert_eq!(refused.code, 2, "{arguments:?}: {}", refused.stdout);
        assert_eq!(refused.error()["kind"], kind, "{arguments:?}: {}", refused.stdout);
    }
}
