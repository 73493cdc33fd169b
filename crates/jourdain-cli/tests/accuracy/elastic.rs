//! Elastic joints: robustness, effort limits, spring damping, rest at the end.

use crate::Row;
use crate::support::{Scratch, flat, json};
use serde_json::Value;

/// From rest to rest in 0.8 s.
fn swing(spline: &str) -> String {
    format!(r#"{{"points": {{"times": [0, 0.8], "q": [[0, 0], [0.9, -1.2]], "spline": "{spline}"}}}}"#)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn robust(robot: &str, samples: &str) -> (String, f64) {
    let report = json(&["elastic", "robustness", robot, "--samples", samples, "--duration", "0.4"]);
    let (stable, pole) = (number(&report["stable_fraction"]), -number(&report["poles"][0][0]));
    (format!("{:.0} % stable, poles at {pole:.0} 1/s from the spectrum", 100.0 * stable), stable)
}

/// Largest size of all numbers under columns that begin with `symbol`.
fn largest(csv: &str, symbol: &str) -> f64 {
    let mut lines = csv.lines();
    let heading: Vec<bool> = lines.next().unwrap_or("").split(',').map(|name| name.starts_with(symbol)).collect();
    let numbers = lines.flat_map(|line| line.split(',').zip(&heading).filter(|(_, wanted)| **wanted));
    numbers.map(|(cell, _)| cell.parse::<f64>().map_or(f64::NAN, f64::abs)).fold(0.0, f64::max)
}

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (robot, samples, corner, before) in [
        ("planar2r_elastic", "20", "`elastic robustness planar2r_elastic`", "2.6 % stable, no hint"),
        ("iiwa14_elastic", "6", "`elastic robustness iiwa14_elastic`", "0 % stable, no hint"),
    ] {
        let (now, stable) = robust(robot, samples);
        let witness = "stable: the simulated error stays bounded, and the poles of the loop by duals decay";
        rows.push(Row { corner, before, now, witness, holds: stable >= 0.95 });
    }

    let csv = Scratch::new("effort.csv");
    let far = ["--offset", "[-1.5, 1.15]", "--poles", "60", "--out", csv.path()];
    let report = json(&[&["elastic", "simulate", "planar2r_elastic"], &far[..]].concat());
    let torque = largest(&csv.text(), "tau[");
    rows.push(Row {
        corner: "`elastic simulate planar2r_elastic`, 1.5 rad off, poles at 60 1/s",
        before: "2554 N m from a drive of 100 N m",
        now: format!("{torque:.0} N m, and `{}` is named", report["overdriven"][0]["joint"].as_str().unwrap_or("")),
        witness: "`effort` of the robot file: 100 N m",
        holds: torque == 100.0,
    });

    let nonic = swing("nonic");
    let follow = ["elastic", "simulate", "planar2r_elastic", "--controller", "feedforward", "--duration", "1"];
    let damped = json(&[&follow[..], &["--trajectory", &nonic, "--damping", "80"]].concat());
    let error = number(&damped["largest_error"]);
    rows.push(Row {
        corner: "feed-forward with springs of 80 N m s/rad",
        before: "1.3e-4 rad off: damping left out",
        now: format!("{error:.0e} rad off"),
        witness: "0: forward dynamics of the damped robot, which shares nothing with the inverse",
        holds: error < 1e-9,
    });

    let rest = json(&[&follow[..], &["--trajectory", &nonic]].concat());
    let speed = [&rest["final"]["qd"], &rest["final"]["theta_d"]].map(flat).concat();
    let speed = speed.into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    rows.push(Row {
        corner: "speed left 0.2 s after a swing from rest to rest",
        before: "5e-4 rad/s: splines of order 5 end in a jerk",
        now: format!("{speed:.0e} rad/s by order 9"),
        witness: "0: the simulated arm, links and motors",
        holds: speed < 1e-8,
    });

    // Friction, wrenches and damping change nothing about it: the balance of energy shares no formula with the accelerations.
    let complete = json(&[
        "simulate",
        "planar2r_elastic",
        "--rotors",
        "complete",
        "--state",
        r#"{"q": [0.3, -0.5], "qd": [1, 2]}"#,
    ]);
    let drift = number(&complete["energy_drift"]);
    rows.push(Row {
        corner: "rotors that turn with the links that carry them",
        before: "not to be had",
        now: format!("`--rotors complete`, energy drift {drift:.0e} J"),
        witness: "0; also Lagrange's equation by duals, and a rigid tree with a link per rotor, to 1e-10",
        holds: drift < 1e-6,
    });
    rows
}
