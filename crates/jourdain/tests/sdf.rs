//! SDF is read as its specification says: links, joints, and the numbers that come of them.
//!
//! The expected values of `suite/sdf` are Drake's, or those of an independent program where Drake has no such joint;
//! `suite/sdf/make.py` makes them.

use jourdain::formats::{self, Reading};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};
use serde_json::Value;
use std::path::PathBuf;

fn suite(path: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../suite/{path}", env!("CARGO_MANIFEST_DIR")))
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// Name, expected values, and what came of reading.
fn cases() -> Vec<(String, Value, Reading)> {
    let entries = std::fs::read_dir(suite("sdf")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    let case = |name: String| {
        let text = std::fs::read_to_string(suite(&format!("sdf/{name}/{name}.json"))).unwrap();
        let reading = formats::read_path(suite(&format!("sdf/{name}/{name}.sdf")));
        (name, serde_json::from_str(&text).unwrap(), reading)
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

/// What the link is called here: `base` is the ground.
fn link_name(name: &str) -> &str {
    if name == "base" { "base_frame" } else { name }
}

#[test]
fn models_have_the_numbers_that_drake_computes() {
    let mut compared = 0;
    for (name, case, reading) in cases() {
        let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        let Some(checked) = reading.description else { panic!("{name}: {}", listing.join("\n")) };
        let mut description = checked.into_description();
        let expected = &case["expected"];
        for coupling in expected["couplings"].as_array().into_iter().flatten() {
            let follower = coupling["joint"].as_str().unwrap();
            let link = description.links.iter().find(|link| link.joint.name == follower).unwrap();
            let mimic =
                link.joint.mimic.as_ref().unwrap_or_else(|| panic!("{name}: {follower} follows none: {listing:?}"));
            assert_eq!(mimic.joint, coupling["source"].as_str().unwrap(), "{name}");
            let found = [mimic.multiplier.value, mimic.offset.value];
            let expected = [coupling["multiplier"].as_f64().unwrap(), coupling["offset"].as_f64().unwrap()];
            assert!(difference(&found, &expected) < 1e-14, "{name}: {found:?}");
        }
        // Expected values are those of the tree without couplings.
        for link in &mut description.links {
            link.joint.mimic = None;
        }
        description.gravity = case["gravity"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap().into())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let model = Model::from_description(&description).unwrap();
        let tolerance = case["tolerance"].as_f64().unwrap();

        // Drake's order of joints may be another one.
        let joints: Vec<(&str, usize)> = expected["joints"]
            .as_array()
            .unwrap()
            .iter()
            .map(|joint| {
                let name = joint["name"].as_str().unwrap();
                let count = joint["nv"].as_u64().unwrap_or_else(|| u64::from(joint["type"] != "fixed"));
                (name, count as usize)
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        let moving: Vec<_> = description.links.iter().filter(|link| link.joint.kind.degrees_of_freedom() > 0).collect();
        assert_eq!(moving.len(), joints.len(), "{name}: {listing:?}");
        let (mut q, mut map) = (Vec::new(), Vec::new());
        for link in &moving {
            let drawn = &link.joint.name;
            let joint = if drawn == "base_frame" { "base" } else { drawn };
            let position =
                joints.iter().position(|(other, _)| *other == joint).unwrap_or_else(|| panic!("{name}: {drawn}"));
            let start: usize = joints[..position].iter().map(|(_, count)| count).sum();
            map.extend(start..start + joints[position].1);
            q.extend(numbers(&case["q"][joint]));
        }
        let pick = |values: Vec<f64>| map.iter().map(|index| values[*index]).collect::<Vec<f64>>();
        let qd = pick(numbers(&case["v"]));
        let state = State { q, qd, ..State::neutral(&model) }.checked(&model).unwrap();
        let nv = map.len();
        let matrix = numbers(&expected["mass_matrix"]);
        let matrix: Vec<f64> =
            map.iter().flat_map(|i| map.iter().map(|j| matrix[i * nv + j]).collect::<Vec<_>>()).collect();
        let found = evaluate("mass_matrix", &model, &state);
        assert!(difference(&found, &matrix) <= tolerance, "{name}, M: {found:?} for {matrix:?}");
        for (quantity, key) in [("gravity", "gravity_torque"), ("bias", "bias")] {
            let found = evaluate(quantity, &model, &state);
            let wanted = pick(numbers(&expected[key]));
            assert!(difference(&found, &wanted) <= tolerance, "{name}, {key}: {found:?} for {wanted:?}");
        }
        for (link, pose) in expected["poses"].as_object().unwrap() {
            let error = difference(&evaluate(&format!("pose:{}", link_name(link)), &model, &state), &numbers(pose));
            assert!(error <= tolerance, "{name}, {link}: {error:e}");
            compared += 1;
        }
        for body in expected["bodies"].as_array().into_iter().flatten() {
            let link = link_name(body["name"].as_str().unwrap());
            let inertia = model.links()[model.link_index(link).unwrap()].inertia;
            assert!((inertia.mass - body["mass"].as_f64().unwrap()).abs() <= tolerance, "{name}, {link}");
            let (com, about) = inertia.about_com();
            assert!(difference(&com.0, &numbers(&body["com"])) <= tolerance, "{name}, {link}: {com:?}");
            let about = about.to_matrix().concat();
            assert!(difference(&about, &numbers(&body["inertia"])) <= tolerance, "{name}, {link}: {about:?}");
        }
        for joint in expected["joints"].as_array().unwrap() {
            let joint_name = joint["name"].as_str().unwrap();
            let Some(link) = description.links.iter().find(|link| link.joint.name == joint_name) else { continue };
            if let Some(limits) = joint["limits"].as_array().filter(|_| link.joint.kind.degrees_of_freedom() == 1) {
                let found = link.joint.limits.unwrap_or_else(|| panic!("{name}, {joint_name}")).map(|x| x.value);
                assert!(
                    difference(&found, &limits.iter().flat_map(numbers).collect::<Vec<_>>()) < 1e-12,
                    "{name}, {joint_name}"
                );
            }
            if let Some(damping) = joint["damping"][0].as_f64() {
                assert_eq!(link.motor.map_or(0.0, |motor| motor.viscous.value), damping, "{name}, {joint_name}");
            }
        }
    }
    assert!(compared >= 20, "only {compared} poses compared");
}
