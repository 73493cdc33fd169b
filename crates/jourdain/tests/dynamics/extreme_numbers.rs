//! Absurd numbers in a robot file: whatever number of whatever field, the file is refused with a place and a reason, or every
//! quantity is finite or an error, and so are the constants of programs. Nothing panics, and no NaN gets through.

use crate::common::random_tree::{Random, random_state};
use jourdain::derive::{DeriveOptions, Parameters, derive};
use jourdain::formats::{self, Format};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, Workspace};
use serde_json::Value;

const EXTREMES: [f64; 12] = [1e155, -1e155, 1e200, 1e308, -1.7e308, 1e31, 1e29, -0.0, 0.0, 5e-324, 1e-310, 1e-160];

/// Robots that between them have every field with a number in it.
const ROBOTS: [&str; 3] = [
    r#"{"name": "r", "gravity": [0.1, 0.2, -9.8], "link": [
        {"name": "a", "mass": 2.0, "com": [0.1, 0.2, 0.3], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7],
         "origin": {"xyz": [0.1, 0.2, 0.3], "rpy": [0.4, 0.5, 0.6]},
         "joint": {"type": "revolute", "axis": [0.1, 0.2, 0.3], "point": [0.1, 0.1, 0.1], "limits": [-1.5, 1.5], "velocity": 2.0, "effort": 9.0},
         "motor": {"inertia": 0.001, "ratio": 50.0, "viscous": 0.1, "coulomb": 0.2}},
        {"name": "b", "parent": "a", "mass": 1.0, "com": [0.1, 0.0, 0.2], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7],
         "origin": {"xyz": [0.3, 0.2, 0.1], "quaternion": [0.5, 0.5, 0.4, 0.3]},
         "joint": {"type": "continuous", "axis": [1.0, 0.5, 0.2], "mimic": {"joint": "a", "multiplier": 1.5, "offset": 0.3}}},
        {"name": "c", "parent": "b", "mass": 1.0, "com": [0.1, 0.0, 0.2], "inertia_origin": [1.5, 0.01, 0.02, 1.6, 0.03, 1.7],
         "joint": {"type": "helical", "axis": [0.3, 0.5, 0.2], "pitch": 0.05, "limits": [-1.0, 1.0]}}]}"#,
    r#"{"name": "r", "dh": "modified", "link": [
        {"name": "a", "mass": 2.0, "com": [0.1, 0.2, 0.3], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7],
         "dh": {"a": 0.3, "alpha": 0.4, "d": 0.2, "theta": 0.1}, "joint": {"type": "continuous"},
         "motor": {"inertia": 0.001, "ratio": 50.0, "stiffness": 900.0, "damping": 0.5, "viscous": 0.1}},
        {"name": "b", "parent": "a", "mass": 1.0, "com": [0.1, 0.0, 0.2], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7],
         "dh": {"a": 0.2, "alpha": -0.4, "d": 0.1, "theta": 0.7}, "joint": {"type": "prismatic", "axis": [0.2, 0.3, 0.9], "limits": [-1.0, 1.0]}}]}"#,
    r#"{"name": "r", "link": [
        {"name": "a", "mass": 2.0, "com": [0.1, 0.2, 0.3], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7], "joint": {"type": "free"}},
        {"name": "b", "parent": "a", "mass": 1.0, "com": [0.1, 0.0, 0.2], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7],
         "origin": {"xyz": [0.3, 0.2, 0.1]}, "joint": {"type": "universal", "axis": [1.0, 0.1, 0.0], "axis2": [0.0, 1.0, 0.3]}},
        {"name": "c", "parent": "b", "mass": 1.0, "com": [0.1, 0.0, 0.2], "inertia": [0.5, 0.01, 0.02, 0.6, 0.03, 0.7],
         "joint": {"type": "spherical"}}]}"#,
];

/// Where the numbers of a document are.
fn numbers(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(k, item)| numbers(item, format!("{path}/{k}"), found))
        }
        Value::Object(map) => map.iter().for_each(|(key, item)| numbers(item, format!("{path}/{key}"), found)),
        Value::Number(_) => found.push(path),
        _ => {}
    }
}

/// Everything that is computed of a robot is finite, or an error that says something.
fn is_sound(model: &Model, what: &str) {
    let state = random_state(model, &mut Random::new(5));
    let mut workspace = Workspace::new(model);
    for quantity in Quantity::each(model.links().len() - 1) {
        for path in [Path::Fast, Path::Closed] {
            match quantity.evaluate(path, model, &state, &mut workspace) {
                Ok(numbers) => assert!(numbers.iter().all(|x| x.is_finite()), "{what}: {}", quantity.name(model)),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    for name in ["gravity", "inverse_dynamics", "forward_dynamics"] {
        let quantity = Quantity::parse(name, model).unwrap();
        for parameters in [Parameters::Numeric, Parameters::Symbolic] {
            let options = DeriveOptions { parameters, ..DeriveOptions::default() };
            match derive(model, &quantity, &options) {
                Ok(derived) => assert!(derived.program.constants().iter().all(|x| x.is_finite()), "{what}: {name}"),
                Err(error) => assert!(error.to_string().contains('`'), "{what}: {error}"),
            }
        }
    }
}

fn judge(document: &Value, what: &str) {
    let reading = formats::read_str(&document.to_string(), Format::Json);
    match reading.description {
        Some(description) => is_sound(&Model::from_description(&description).expect(what), what),
        None => {
            let error = reading.diagnostics.iter().find(|finding| finding.is_error()).expect(what);
            assert!(!error.message.contains("NaN"), "{what}: {}", error.message);
        }
    }
}

#[test]
fn any_number_of_any_field_is_refused_or_harmless() {
    for robot in ROBOTS {
        let document: Value = serde_json::from_str(robot).unwrap();
        let mut places = Vec::new();
        numbers(&document, String::new(), &mut places);
        assert!(places.len() > 20, "{places:?}");
        for place in &places {
            for extreme in EXTREMES {
                let mut changed = document.clone();
                *changed.pointer_mut(place).unwrap() = extreme.into();
                judge(&changed, &format!("{extreme:e} at {place}"));
            }
        }
    }
}

#[test]
fn several_absurd_numbers_at_once_are_refused_or_harmless() {
    const SEED: u64 = 40;
    let random = &mut Random::new(SEED);
    for round in 0..150 {
        let mut document: Value = serde_json::from_str(ROBOTS[random.below(ROBOTS.len())]).unwrap();
        let mut places = Vec::new();
        numbers(&document, String::new(), &mut places);
        let mut what = format!("seed {SEED}, round {round}");
        for _ in 0..2 + random.below(4) {
            let (place, extreme) = (&places[random.below(places.len())], EXTREMES[random.below(EXTREMES.len())]);
            *document.pointer_mut(place).unwrap() = extreme.into();
            what += &format!(", {extreme:e} at {place}");
        }
        judge(&document, &what);
    }
}

#[test]
fn what_is_too_large_is_named_with_its_place() {
    let text = r#"{"name": "r", "link": [{"name": "a", "mass": 1, "com": [1e200, 0, 0], "inertia": [1, 0, 0, 1, 0, 1], "joint": {"type": "continuous"}}]}"#;
    let reading = formats::read_str(text, Format::Json);
    let finding = &reading.diagnostics[0];
    assert_eq!((finding.code, finding.link.as_deref()), ("number-too-large", Some("a")));
    assert!(finding.message.contains("1e200") && finding.message.contains("com"), "{}", finding.message);
    assert!(finding.location.is_some());
}

#[test]
fn an_axis_of_any_length_is_a_direction() {
    for length in [1e-9, 1.0, 1e100, 1e155, 1e200, 1e308] {
        let text = format!(
            r#"{{"name": "r", "link": [{{"name": "a", "mass": 1, "com": [0.1, 0, 0], "inertia": [1, 0, 0, 1, 0, 1], "joint": {{"type": "continuous", "axis": [0, {length:e}, 0]}}}}]}}"#
        );
        let model: Model = text.parse().unwrap();
        let quantity = Quantity::parse("gravity", &model).unwrap();
        let state = jourdain::State::neutral(&model);
        let found = quantity.evaluate(Path::Fast, &model, &state, &mut Workspace::new(&model)).unwrap();
        assert!((found[0] + 0.980_665).abs() < 1e-15, "{length:e}: {found:?}");
    }
}
