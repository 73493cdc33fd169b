//! One robot given as URDF, in the native form, and by modified and standard DH parameters has one set of poses.

use jourdain::{Model, State, kinematics};
use serde_json::Value;
use std::path::Path;

/// The stored poses are computed at 40 digits and rounded.
const TOLERANCE: f64 = 4e-15;

fn suite(file: &str) -> String {
    format!("{}/../../suite/equivalent/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn load(file: &str) -> Model {
    let (description, _) = jourdain::formats::load(Path::new(&suite(file))).unwrap();
    Model::from_description(&description).unwrap()
}

/// The largest difference of a link's pose to the stored one.
fn error(model: &Model, q: &[f64], link: &str, stored: &Value) -> f64 {
    let index = model.link_index(link).unwrap_or_else(|| panic!("{} has no link {link}", model.name()));
    let pose = kinematics::pose(model, q, index).to_matrix();
    let mut worst = 0.0_f64;
    for (row, stored) in pose.iter().zip(stored.as_array().unwrap()) {
        for (x, stored) in row.iter().zip(stored.as_array().unwrap()) {
            worst = worst.max((x - stored.as_f64().unwrap()).abs());
        }
    }
    worst
}

#[test]
fn every_form_of_a_robot_has_the_same_poses() {
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(suite("poses.json")).unwrap()).unwrap();
    let mut compared = 0;
    for case in cases["cases"].as_array().unwrap() {
        let robot = case["robot"].as_str().unwrap();
        let q: Vec<f64> = case["q"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        for form in [".urdf", "_native.toml", "_modified.toml", "_standard.toml"] {
            let file = format!("{robot}{form}");
            if !Path::new(&suite(&file)).exists() {
                continue;
            }
            let model = load(&file);
            let state = State { q: q.clone(), ..State::neutral(&model) }.checked(&model).unwrap();
            for (link, stored) in case["poses"].as_object().unwrap() {
                // A frame of the standard convention sits at the link's far end; only the tip is the same.
                if form == "_standard.toml" && link != "tool" {
                    continue;
                }
                let error = error(&model, &state.q, link, stored);
                assert!(error <= TOLERANCE, "{file}, {link}: {error:e}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "only {compared} poses compared");
}
