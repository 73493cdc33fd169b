//! MuJoCo models are read as MuJoCo reads them: bodies, joints, and the numbers that come of them.
//!
//! The expected values of `suite/mjcf` are MuJoCo's own.

use jourdain::formats::{self, Reading};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};
use serde_json::Value;
use std::path::PathBuf;

fn suite(path: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../suite/{path}", env!("CARGO_MANIFEST_DIR")))
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// Models with a feature that is refused, or that is read and changes what MuJoCo computes.
const REFUSED: [&str; 1] = ["frame_scale"];

fn cases() -> Vec<(String, Value, Reading)> {
    let mut names: Vec<String> = std::fs::read_dir(suite("mjcf"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let case = |name: String| {
        let case = json(suite(&format!("mjcf/{name}/{name}.json")));
        let reading = formats::read_path(suite(&format!("mjcf/{name}/{name}.xml")));
        (name, case, reading)
    };
    names.into_iter().map(case).collect()
}

/// The largest difference relative to the largest entry.
fn difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-6_f64, |largest, x| largest.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs())) / scale
}

fn evaluate(name: &str, model: &Model, state: &State) -> Vec<f64> {
    let quantity = Quantity::parse(name, model).unwrap();
    quantity.evaluate(Path::Fast, model, state, &mut Workspace::new(model)).unwrap()
}

#[test]
fn models_have_the_numbers_that_mujoco_computes() {
    let mut compared = 0;
    for (name, case, reading) in cases() {
        if REFUSED.contains(&name.as_str()) {
            assert!(reading.diagnostics.iter().any(|finding| finding.code == "unsupported-element"), "{name}");
            continue;
        }
        let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        let Some(mut description) = reading.description.map(|checked| checked.into_description()) else {
            panic!("{name}: {}", listing.join("\n"))
        };
        let expected = &case["expected"];
        // What MuJoCo computes is of the tree without its soft constraints.
        for link in &mut description.links {
            link.joint.mimic = None;
        }
        let model = Model::from_description(&description).unwrap();
        let tolerance = case["tolerance"].as_f64().unwrap();
        if model.nv() as u64 == expected["nv"].as_u64().unwrap() && name != "alignfree" {
            let q: Vec<f64> = case["q"].as_object().unwrap().values().flat_map(numbers).collect();
            let v = if expected["body_axes"].is_object() { &expected["body_axes"]["v"] } else { &case["v"] };
            let numbers_of = |key: &str| {
                let from =
                    if expected["body_axes"][key].is_null() { &expected[key] } else { &expected["body_axes"][key] };
                numbers(from)
            };
            let state = State { q, qd: numbers(v), ..State::neutral(&model) }.checked(&model).unwrap();
            // A tendon's armature joins joints; a tree cannot carry it.
            if name != "actuators" {
                let error = difference(&evaluate("mass_matrix", &model, &state), &numbers_of("mass_matrix"));
                assert!(error <= tolerance, "{name}, M: {error:e}");
            }
            // The armature of a free joint turns with the body here, and does not there.
            let bias_tolerance = if name == "freejoint_no_defaults" { 1e-3 } else { tolerance };
            let error = difference(&evaluate("bias", &model, &state), &numbers_of("bias"));
            assert!(error <= bias_tolerance, "{name}, bias: {error:e}");
            for (body, pose) in expected["poses"].as_object().unwrap() {
                let link = if body == "base" { "base_frame" } else { body };
                let Some(_) = model.link_index(link) else { continue };
                let error = difference(&evaluate(&format!("pose:{link}"), &model, &state), &numbers(pose));
                assert!(error <= tolerance, "{name}, {body}: {error:e}");
                compared += 1;
            }
        }
        for body in expected["bodies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|_| !["alignfree", "fuse_and_discard"].contains(&name.as_str()))
        {
            let body_name = body["name"].as_str().unwrap();
            let link = if body_name == "base" { "base_frame" } else { body_name };
            let Some(index) = model.link_index(link) else {
                assert!(body_name.is_empty() || body_name == "world", "{name}: no link {link}");
                continue;
            };
            let inertia = model.links()[index].inertia;
            let mass = body["mass"].as_f64().unwrap();
            assert!((inertia.mass - mass).abs() <= tolerance * mass, "{name}, {link}: {} kg for {mass}", inertia.mass);
            if mass > 0.0 {
                let (com, about) = inertia.about_com();
                assert!(difference(&com.0, &numbers(&body["com"])) <= tolerance.max(1e-9), "{name}, {link}: {com:?}");
                let about = about.to_matrix().concat();
                assert!(difference(&about, &numbers(&body["inertia"])) <= tolerance, "{name}, {link}: {about:?}");
            }
        }
        for joint in expected["joints"].as_array().unwrap() {
            let joint_name = joint["name"].as_str().unwrap();
            let Some(link) = description.links.iter().find(|link| link.joint.name == joint_name) else {
                assert!(joint_name.is_empty(), "{name}: no joint {joint_name}");
                continue;
            };
            let limits: Option<Vec<f64>> = link.joint.limits.map(|limits| limits.iter().map(|x| x.value).collect());
            match (&joint["limits"], limits) {
                (Value::Null, None) => {}
                (expected, Some(found)) if !expected.is_null() => {
                    assert!(difference(&found, &numbers(expected)) < 1e-12, "{name}, {joint_name}")
                }
                (expected, found) => {
                    assert!(
                        joint["type"] == "ball" || joint_name == "frozen",
                        "{name}, {joint_name}: {found:?} for {expected}"
                    )
                }
            }
            if let Some(effort) = joint["effort"].as_f64() {
                assert_eq!(link.joint.effort.map(|effort| effort.value), Some(effort), "{name}, {joint_name}");
            }
        }
    }
    assert!(compared > 60, "only {compared} poses compared");
}

#[test]
fn broken_models_are_refused_where_they_are_broken() {
    for case in json(suite("mjcf_bad/bad.json")).as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let reading = formats::read_path(suite(&format!("mjcf_bad/{file}")));
        // Bodies that cannot exist are findings of the check, at their inertia, and go on with a warning.
        let physics = case["reason"].as_str().unwrap().contains("physics finding");
        let errors: Vec<_> = reading.diagnostics.iter().filter(|finding| physics || finding.is_error()).collect();
        let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        assert!(!errors.is_empty(), "{file} passes; {}: {listing:?}", case["reason"]);
        let line = case["line"].as_u64().map(|line| line as usize).filter(|_| !physics);
        let places: Vec<usize> = errors.iter().filter_map(|finding| Some(finding.location?.line)).collect();
        if let Some(line) = line {
            assert!(places.contains(&line), "{file}: {listing:?}, not line {line}: {}", case["reason"]);
        }
    }
}
