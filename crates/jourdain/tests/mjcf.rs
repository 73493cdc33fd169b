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
    let folders = std::fs::read_dir(suite("mjcf")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
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

/// The armature of a free joint keeps to the axes of the body here and of the world in MuJoCo: a (v̇ + ω × v) there, a v̇ here.
fn take_turning_armature(armature: f64, velocity: &[f64], bias: &mut [f64]) {
    let [x, y, z, p, q, r] = velocity[..6] else { panic!("a free joint has six velocities") };
    for (bias, cross) in bias.iter_mut().zip([q * z - r * y, r * x - p * z, p * y - q * x]) {
        *bias -= armature * cross;
    }
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
        let coupled = description.links.iter().any(|link| link.joint.mimic.is_some());
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
            let mut bias = numbers_of("bias");
            for joint in expected["joints"].as_array().unwrap().iter().filter(|joint| joint["type"] == "free") {
                let link = &model.links()[model.joint_index(joint["name"].as_str().unwrap()).unwrap()];
                take_turning_armature(joint["armature"].as_f64().unwrap(), &state.qd[link.v..], &mut bias[link.v..]);
            }
            let error = difference(&evaluate("bias", &model, &state), &bias);
            assert!(error <= tolerance, "{name}, bias: {error:e}");
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
        if !coupled && name != "alignfree" {
            check_positions(&name, &model, expected);
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

/// Keys, and the position as drawn, of models whose joints all have numbers of their own.
fn check_positions(name: &str, model: &Model, expected: &Value) {
    let qpos0 = numbers(&expected["qpos0"]);
    if model.nq() != qpos0.len() {
        return;
    }
    let close = |found: Vec<f64>, wanted: &[f64], what: &str| {
        assert!(difference(&found, wanted) < 1e-12, "{name}, {what}: {found:?} for {wanted:?}");
    };
    close(model.named_position("qpos0").unwrap_or_else(|| model.neutral()), &qpos0, "qpos0");
    let keys = if expected["keys"].is_null() { &expected["keyframes"] } else { &expected["keys"] };
    for (index, key) in keys.as_array().into_iter().flatten().enumerate() {
        let key_name = match key["name"].as_str().unwrap() {
            "" => format!("key{index}"),
            given => given.to_owned(),
        };
        let found = model.named_position(&key_name).unwrap_or_else(|| panic!("{name}: no state {key_name}"));
        close(found, &numbers(&key["qpos"]), &key_name);
    }
}

fn model_of(inside: &str) -> Reading {
    formats::read(format!("<mujoco><worldbody>{inside}</worldbody></mujoco>").as_bytes())
}

#[test]
fn bodies_that_cannot_be_are_findings_and_no_reason_to_stop() {
    for (inertia, code) in
        [("diaginertia=\"1 1 3\"", "inertia-triangle"), ("fullinertia=\"1 1 1 2 0 0\"", "inertia-indefinite")]
    {
        let reading =
            model_of(&format!("<body name=\"a\"><joint/><inertial pos=\"0 0 0\" mass=\"1\" {inertia}/></body>"));
        let codes: Vec<&str> = reading.diagnostics.iter().map(|finding| finding.code).collect();
        assert!(reading.is_ok() && codes == [code], "{inertia}: {codes:?}");
    }
}

#[test]
fn couplings_that_no_tree_can_have_are_left_out_and_named() {
    let bodies: String = ["a", "b", "c", "d"]
        .map(|name| format!("<body name=\"{name}\"><joint name=\"{name}\"/><geom size=\".1\"/></body>"))
        .concat();
    let read = |equalities: &str| {
        let text = format!("<mujoco><worldbody>{bodies}</worldbody><equality>{equalities}</equality></mujoco>");
        let reading = formats::read(text.as_bytes());
        let lost = reading.diagnostics.iter().filter(|finding| finding.code == "not-carried").count();
        (Model::from(reading.description.unwrap()), lost)
    };
    let follows = |a: &str, b: &str| format!("<joint joint1=\"{a}\" joint2=\"{b}\" polycoef=\".1 2\"/>");
    let circle = follows("a", "b") + &follows("b", "c") + &follows("c", "a");
    let (model, lost) = read(&circle);
    assert_eq!((model.nv(), lost), (2, 1));
    let (model, lost) = read(&(follows("a", "b") + &follows("a", "c")));
    assert_eq!((model.nv(), lost), (3, 1));
    // What follows a joint that is held is held, wherever the equalities stand.
    let (model, lost) = read(&(follows("a", "b") + &follows("b", "c") + "<joint joint1=\"c\" polycoef=\".3\"/>"));
    assert_eq!((model.nv(), lost), (1, 0));
}

#[test]
fn deep_files_end_in_an_error() {
    let nested = |count: usize| {
        let body = "<body pos=\"0 0 .1\"><joint/><geom size=\".1\"/>";
        model_of(&format!("{}{}", body.repeat(count), "</body>".repeat(count)))
    };
    assert!(nested(900).is_ok());
    let codes: Vec<&str> = nested(1100).diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["nesting-too-deep"]);
}
