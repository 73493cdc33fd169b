//! Arms whose links keep their length, against stored cases that two independent methods gave to 25 digits.

use jourdain::flexible::energy::{elastic_energy, kinetic_energy, weight_energy};
use jourdain::flexible::factor::smallest_eigenvalue;
use jourdain::flexible::slopes::pair;
use jourdain::flexible::{BuiltArm, Kinematics, linearise, terms, tip};
use jourdain::formats::read_arm;
use serde_json::Value;

fn suite(name: &str) -> Vec<Value> {
    let path = format!("{}/../../suite/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let suite: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    suite["cases"].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

fn arm_of(case: &Value) -> BuiltArm {
    read_arm(case["arm"].to_string().as_bytes()).build("case").unwrap()
}

/// Within a tolerance relative to the largest number.
fn close(what: &str, found: &[f64], known: &[f64], tolerance: f64) {
    assert_eq!(found.len(), known.len(), "{what}");
    let scale = known.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    for (a, b) in found.iter().zip(known) {
        assert!((a - b).abs() <= tolerance * scale, "{what}: {found:?}\n{known:?}");
    }
}

#[test]
fn stiffened_arms_are_the_stored_ones() {
    for case in suite("flexible_stiffened") {
        let (name, built) = (case["name"].as_str().unwrap(), arm_of(&case));
        let arm = &built.arm;
        assert_eq!(arm.kinematics(), Kinematics::Stiffened);
        for state in case["states"].as_array().unwrap() {
            let (q, qd) = (numbers(&state["q"]), numbers(&state["qd"]));
            let (found, tip) = (terms(arm, &q, &qd), tip(arm, &q));
            for (key, value) in [
                ("B", found.inertia.as_slice()),
                ("h", &found.velocity),
                ("g", &found.gravity),
                ("tip", &tip.position),
                ("tip_angle", &[tip.angle]),
                ("tip_jacobian", tip.jacobian.as_slice()),
                ("kinetic_energy", &[kinetic_energy(&found, &qd)]),
                ("elastic_energy", &[elastic_energy(arm, &q)]),
                ("weight_energy", &[weight_energy(arm, &q)]),
            ] {
                close(&format!("{name} {key}"), value, &numbers(&state[key]), 1e-13);
            }
            close(name, &[smallest_eigenvalue(&found.inertia)], &numbers(&state["smallest_eigenvalue"]), 1e-10);
        }
        for posture in case["postures"].as_array().unwrap() {
            let model = linearise(arm, &numbers(&posture["theta"])).unwrap();
            let free: Vec<f64> = numbers(&posture["free_frequencies_hz"]).into_iter().filter(|&f| f > 1e-3).collect();
            for (key, value, known, tolerance) in [
                ("q", &model.q, numbers(&posture["q"]), 1e-11),
                ("torque", &model.torque, numbers(&posture["torque"]), 1e-11),
                ("tangent", &model.stiffness.as_slice().to_vec(), numbers(&posture["tangent_stiffness"]), 1e-12),
                ("squares", &model.locked_squares(), numbers(&posture["locked_squares"]), 1e-10),
                ("locked", &model.locked_frequencies(), numbers(&posture["locked_frequencies_hz"]), 1e-10),
                ("free", &model.free_frequencies(), free, 1e-8),
            ] {
                close(&format!("{name} {key}"), value, &known, tolerance);
            }
        }
    }
}

#[test]
fn integrals_over_slopes_are_the_stored_ones() {
    for case in suite("flexible_stiffened") {
        let built = arm_of(&case);
        for (link, known) in built.arm.links().iter().zip(case["link_constants"].as_array().unwrap()) {
            let (m, slopes) = (link.mode_count(), &link.slopes);
            close("H", &slopes.end, &numbers(&known["H_end"]), 1e-13);
            close("G0", &slopes.zeroth, &numbers(&known["G0"]), 1e-13);
            close("G1", &slopes.first, &numbers(&known["G1"]), 1e-13);
            let pairs = m * (m + 1) / 2;
            let both: Vec<usize> = (0..m * m).map(|place| pair(place / m, place % m)).collect();
            let f: Vec<f64> = (0..m).flat_map(|j| both.iter().map(move |p| j * pairs + p)).map(|k| slopes.across[k]).collect();
            let q: Vec<f64> =
                both.iter().flat_map(|p| both.iter().map(move |r| p * pairs + r)).map(|k| slopes.square[k]).collect();
            close("F", &f, &numbers(&known["F"]), 1e-13);
            close("Q", &q, &numbers(&known["Q"]), 1e-13);
        }
    }
}

#[test]
fn exact_arms_are_the_stored_ones() {
    let arms = suite("flexible_stiffened");
    for case in suite("flexible_exact") {
        let name = case["name"].as_str().unwrap();
        let described = arms.iter().find(|arm| arm["name"] == name).unwrap();
        let arm = arm_of(described).arm.with_kinematics(Kinematics::Exact);
        let (q, qd) = (numbers(&case["q"]), numbers(&case["qd"]));
        let (found, tip) = (terms(&arm, &q, &qd), tip(&arm, &q));
        close(name, found.inertia.as_slice(), &numbers(&case["B"]), 1e-13);
        close(name, &found.velocity, &numbers(&case["h"]), 1e-12);
        close(name, &found.gravity, &numbers(&case["g"]), 1e-13);
        close(name, &tip.position, &numbers(&case["tip"]), 1e-13);
        close(name, &[weight_energy(&arm, &q)], &numbers(&case["weight_energy"]), 1e-13);
    }
}
