//! Drives with a memory as requests: torques along a trajectory, a simulation, and the robot that identification writes.

use jourdain_kit::files::Memory;
use jourdain_kit::operation;
use serde_json::{Value, json};

/// One joint about a vertical axis, 2 kg m².
const WHEEL: &str = "name = \"wheel\"\n[[link]]\nname = \"disc\"\nmass = 1\ninertia = [2, 0, 0, 2, 0, 2]\njoint = { type = \"continuous\" }\n\
     motor = { viscous = 0.5, coulomb = 1, offset = 0.2, hysteresis = [[0.01, 1.5]] }\n";

fn folder() -> Memory {
    let memory = Memory::default();
    memory.put("wheel.toml", WHEEL.as_bytes());
    for name in ["planar2r.csv", "planar2r_validation.csv"] {
        let path = format!("{}/../../suite/logs/{name}", env!("CARGO_MANIFEST_DIR"));
        memory.put(name, std::fs::read(path).unwrap());
    }
    memory
}

fn report(operation: &str, request: Value, memory: &Memory) -> Value {
    operation::handle(operation, request, memory).unwrap_or_else(|problem| panic!("{problem}")).to_json().unwrap()
}

#[test]
fn torques_along_a_trajectory_have_hysteresis_whatever_the_samples() {
    let memory = folder();
    // q = 0.1 sin 2πt, there and back: z = 1 − e^{−q/0.01} on the way to 0.1, then −1 + (1 + z) e^{−(0.1 − q)/0.01}.
    let trajectory = r#"{"duration": 0.5, "joints": [{"cosines": [{"amplitude": 0.1, "frequency": 6.283185307179586, "phase": -1.5707963267948966}]}]}"#;
    for times in [vec![0.1, 0.25, 0.3], vec![0.3, 0.1, 0.25], vec![0.02, 0.1, 0.24, 0.25, 0.27, 0.3]] {
        let request = json!({ "robot": "wheel.toml", "trajectory": trajectory, "quantity": ["inverse_dynamics"], "times": times });
        let found = report("trajectory", request, &memory);
        for (k, t) in times.iter().enumerate() {
            let angle = 2.0 * std::f64::consts::PI;
            let (q, qd, qdd) = {
                let (sin, cos) = (angle * t).sin_cos();
                (0.1 * sin, 0.1 * angle * cos, -0.1 * angle * angle * sin)
            };
            let there = 1.0 - (-q.min(0.1) / 0.01_f64).exp();
            let turned = 1.0 - (-10.0_f64).exp();
            let z = if *t <= 0.25 { there } else { -1.0 + (1.0 + turned) * (-(0.1 - q) / 0.01).exp() };
            let expected = 2.0 * qdd + 0.5 * qd + 0.2 + 1.5 * z;
            let tau = found["quantities"]["inverse_dynamics"][k][0].as_f64().unwrap();
            assert!((tau - expected).abs() < 1e-3, "at {t} of {times:?}: {tau} and {expected}");
        }
    }
}

#[test]
fn a_simulation_with_hysteresis_chooses_its_steps_and_keeps_its_energy() {
    let request = json!({ "robot": "wheel.toml", "state": "{\"q\": [0], \"qd\": [1.0]}", "duration": 1.0 });
    let found = report("simulate", request, &folder());
    assert_eq!(found["method"], "adaptive");
    assert!(found["energy_drift"].as_f64().unwrap() < 1e-5, "{found}");
}

#[test]
fn identification_writes_drives_to_native_files_and_simple_friction_to_others() {
    let memory = folder();
    for name in ["found.toml", "found.json", "found.urdf"] {
        let request = json!({ "robot": "planar2r", "data": ["planar2r.csv"], "validate": "planar2r_validation.csv", "out": name });
        let found = report("identify", request, &memory);
        assert!(found["validation"]["consistent"]["joints"].as_array().is_some_and(|joints| joints.len() == 2));
        let text = String::from_utf8(memory.get(name).unwrap().to_vec()).unwrap();
        assert_eq!(text.contains("hysteresis"), name != "found.urdf", "{name}");
        assert_eq!(text.contains("stribeck"), name != "found.urdf", "{name}");
        let checked = report("check", json!({ "robot": name }), &memory);
        assert!(checked["ok"].as_bool().unwrap(), "{name}: {checked}");
    }
    let request = json!({
        "robot": "planar2r", "data": ["planar2r.csv"], "coupling": "[[1, 0], [-1, 1]]", "out": "coupled.toml"
    });
    report("identify", request, &memory);
    let text = String::from_utf8(memory.get("coupled.toml").unwrap().to_vec()).unwrap();
    assert!(text.contains("shaft = { with = { link1 = 1.0 }"), "{text}");
    // The file says by itself how its motors turn.
    let again = report("identify", json!({ "robot": "coupled.toml", "data": ["planar2r.csv"] }), &memory);
    let parameters = again["consistent"]["parameters"].to_string();
    assert!(parameters.contains("1+2"), "{parameters}");
    let refused = operation::handle("base-parameters", json!({ "robot": "coupled.toml" }), &memory).err().unwrap();
    assert_eq!(refused.kind(), "shaft");
}
