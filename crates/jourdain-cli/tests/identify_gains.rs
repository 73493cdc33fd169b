//! `jourdain identify --gains`: motor currents, by a load or a robot of known mass.

mod support;

use std::f64::consts::PI;
use std::fmt::Write as _;
use support::{Scratch, json, keys, run};

/// N m/A.
const GAINS: [f64; 2] = [14.0, -6.5];

/// Currents of `planar2r`, two point masses at the ends of two rods, by Lagrange's equations; with friction, and so much more at the tip.
fn log(tip: f64) -> String {
    let mut text = "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n".to_owned();
    let (g, l, r, m, n) = (9.80665, 0.5, 0.4, 2.0, 1.5 + tip);
    for i in 0..3000 {
        let t = 0.01 * f64::from(i);
        let at = |w: f64, p: f64| {
            let w = 2.0 * PI * w;
            let (sin, cos) = (w * t + p).sin_cos();
            [sin, w * cos, -w * w * sin]
        };
        let [x, y, u] = [at(0.31, 0.0), at(0.47, 1.0), at(0.83, 2.0)];
        let [q, v, a] = [0, 1, 2].map(|k| [x[k] + 0.3 * u[k], 0.9 * y[k] - 0.4 * u[k]]);
        let (cross, both) = (n * l * r, n * g * r * (q[0] + q[1]).cos());
        let far = n * r * r + cross * q[1].cos();
        let first = (m + n) * l * l + n * r * r + 2.0 * cross * q[1].cos();
        let swing = cross * q[1].sin();
        let tau = [
            first * a[0] + far * a[1] - swing * v[1] * (2.0 * v[0] + v[1]) + (m + n) * g * l * q[0].cos() + both,
            far * a[0] + n * r * r * a[1] + swing * v[0] * v[0] + both,
        ];
        let noise = (1e4 * (f64::from(i) * 12.9898).sin()).fract();
        let current = [0, 1].map(|j| (tau[j] + 0.4 * v[j] + 0.03 * noise) / GAINS[j]);
        let cells: Vec<String> = [vec![t], q.to_vec(), v.to_vec(), a.to_vec(), current.to_vec()]
            .concat()
            .iter()
            .map(f64::to_string)
            .collect();
        writeln!(text, "{}", cells.join(",")).unwrap();
    }
    text
}

fn check(report: &serde_json::Value) {
    for (gain, exact) in report["gains"].as_array().unwrap().iter().zip(GAINS) {
        let value = gain["value"].as_f64().unwrap();
        assert!((value / exact - 1.0).abs() < 0.03, "{value} instead of {exact}: {report}");
        assert!(gain["deviation"].as_f64().unwrap() < 0.05 * exact.abs(), "{report}");
    }
}

#[test]
fn gains_are_found_by_a_load_and_by_the_robot() {
    let (empty, full) = (Scratch::with("gains-empty.csv", &log(0.0)), Scratch::with("gains-full.csv", &log(1.1)));
    let heavy = ["identify", "planar2r", "--scale-inertia", "1.2", "--gains"];
    let load = ["--payload", "tool", "--payload-mass", "1.1"];
    let by_load = json(&[&heavy[..], &["--data", empty.path(), "--loaded", full.path()], &load].concat());
    assert_eq!(
        keys(&by_load),
        ["robot", "samples", "gains", "scale", "payload_center", "logs", "empty_logs", "warnings"]
    );
    check(&by_load);
    check(&json(&["identify", "planar2r", "--gains", "--data", full.path(), load[0], load[1], load[2], load[3]]));
    check(&json(&[&heavy[..], &["--data", empty.path(), "--robot-mass", "3.5"]].concat()));
    let text = run(&[&heavy[..], &["--data", empty.path(), "--robot-mass", "3.5"]].concat()).stdout;
    assert!(text.contains("drive gains") && text.contains("3.5 kg, the links of the robot"), "{text}");
}

#[test]
fn gains_without_a_scale_are_refused_with_the_reason() {
    const LOG: &str = "suite/logs/planar2r.csv";
    for (arguments, kind, says) in [
        (&["--gains"][..], "no-scale", "multiplied by one number"),
        (&["--gains", "--payload", "tool"], "no-scale", "multiplied by one number"),
        (&["--gains", "--robot-mass", "3", "--payload-mass", "1"], "no-scale", "multiplied by one number"),
        (&["--payload-mass", "1"], "usage", "not asked for"),
        (&["--gains", "--robot-mass", "0"], "bad-search", "sets no scale"),
        (&["--gains", "--robot-mass", "3", "--out", "x.toml"], "usage", "--out does not go with --gains"),
        (&["--gains", "--elastic"], "usage", "one at a time"),
    ] {
        let error = run(&[&["identify", "planar2r", "--data", LOG, "--json"], arguments].concat()).error();
        assert_eq!(error["kind"], kind, "{arguments:?}: {error}");
        assert!(error["message"].as_str().unwrap().contains(says), "{arguments:?}: {error}");
    }
}
