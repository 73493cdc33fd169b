//! What holds for every operation: its request and report are data, and keep to the schemas that it shows.

#[path = "support/schema.rs"]
mod schema;

use jourdain_kit::host::{Files, NoFiles};
use jourdain_kit::operation::{self, Entry};
use jourdain_kit::operations;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A request of every operation, small enough to be carried out here.
fn examples() -> BTreeMap<&'static str, Value> {
    let state = r#"{"q": [0.1, 0.2]}"#;
    let spiral =
        r#"{"duration": 1, "joints": [{"polynomial": [0, 1]}, {"cosines": [{"amplitude": 1, "frequency": 2}]}]}"#;
    let target = r#"{"position": [0.5, 0.5, 0]}"#;
    BTreeMap::from([
        ("robots", json!({})),
        ("arms", json!({})),
        ("info", json!({ "robot": "puma560" })),
        ("check", json!({ "robot": "iiwa14" })),
        ("scene", json!({ "robot": "puma560" })),
        ("convert", json!({ "robot": "puma560", "to": "dh" })),
        ("expand", json!({ "robot": "<robot name=\"r\"><link name=\"${1 + 1}\"/></robot>" })),
        ("eval", json!({ "robot": "planar2r", "state": state, "quantity": ["mass_matrix,regressor"] })),
        ("derive", json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c" })),
        ("base-parameters", json!({ "robot": "planar2r" })),
        ("excite", json!({ "robot": "planar2r", "starts": 1, "steps": 20 })),
        ("simulate", json!({ "robot": "planar2r", "duration": 0.1 })),
        ("trajectory", json!({ "robot": "planar2r", "trajectory": spiral, "quantity": ["gravity"], "samples": 3 })),
        ("ik", json!({ "robot": "planar2r", "link": "tool", "target": target, "task": "position-xy" })),
        ("bench", json!({ "robot": "planar2r", "quantity": ["gravity"], "rounds": 1 })),
        ("quantities", json!({})),
        ("schema", json!({ "operation": ["eval"] })),
        ("flexible modes", json!({ "arm": "two_link_flexible" })),
        ("flexible eval", json!({ "arm": "two_link_flexible", "state": r#"{"q": [0, 0, 0, 0, 0, 0]}"# })),
        ("flexible linearise", json!({ "arm": "two_link_flexible" })),
        ("flexible simulate", json!({ "arm": "two_link_flexible", "scenario": "fig5" })),
        ("elastic linearise", json!({ "robot": "planar2r_elastic" })),
        ("elastic inverse", json!({ "robot": "planar2r_elastic", "damping": 5.0, "samples": 11 })),
        ("elastic simulate", json!({ "robot": "planar2r_elastic", "duration": 0.05 })),
    ])
}

/// Operations that need files, or minutes: the command's tests run them.
const ELSEWHERE: [&str; 7] = [
    "identify",
    "fleet identify",
    "fleet watch",
    "ik-path",
    "flexible derive",
    "flexible animate",
    "elastic robustness",
];

#[test]
fn every_operation_keeps_to_the_schemas_that_it_shows() {
    let examples = examples();
    for entry in operations::ALL {
        let Some(request) = examples.get(entry.name) else {
            assert!(ELSEWHERE.contains(&entry.name), "`{}` has no example", entry.name);
            continue;
        };
        let schemas = entry.schema();
        assert_eq!(schema::faults(request, &schemas["request"]), [""; 0], "request of `{}`", entry.name);
        let report =
            entry.handle(request.clone(), &Files).unwrap_or_else(|problem| panic!("{}: {problem}", entry.name));
        let document = report.to_json().unwrap();
        assert_eq!(schema::faults(&document, &schemas["report"]), [""; 0], "report of `{}`", entry.name);
        assert!(!report.text(false).is_empty(), "`{}` has nothing to show", entry.name);
    }
}

#[test]
fn every_field_of_a_request_and_a_report_is_explained() {
    fn visit(schema: &Value, path: &str, silent: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            if field["description"].as_str().is_none() {
                silent.push(format!("{path}/{name}"));
            }
        }
        for (name, inner) in schema["$defs"].as_object().into_iter().flatten() {
            visit(inner, &format!("{path}#{name}"), silent);
        }
    }
    let mut silent = Vec::new();
    for entry in operations::ALL {
        assert!(!entry.about().is_empty(), "`{}` does not say what it does", entry.name);
        let schemas = entry.schema();
        visit(&schemas["request"], entry.name, &mut silent);
        visit(&schemas["report"], entry.name, &mut silent);
    }
    assert!(silent.is_empty(), "fields without a word: {silent:#?}");
}

#[test]
fn names_are_unique_and_found_and_near_misses_are_named() {
    for Entry { name, .. } in operations::ALL {
        assert_eq!(operations::ALL.iter().filter(|other| other.name == *name).count(), 1, "{name}");
        assert_eq!(operation::find(name).map(|entry| entry.name).ok(), Some(*name));
    }
    let problem = operation::find("evla").err().expect("no such operation").to_json();
    assert_eq!(problem["error"]["kind"], "unknown-operation");
    assert_eq!(problem["error"]["hint"], "did you mean `eval`?");
}

#[test]
fn a_request_that_is_not_of_its_form_is_refused_with_a_remedy() {
    let refused = |request: Value| operation::handle("info", request, &Files).err().expect("refused").to_json();
    for request in [json!([]), json!({}), json!({ "robot": 1 }), json!({ "robot": "puma560", "robots": 2 })] {
        let error = refused(request);
        assert_eq!(error["error"]["kind"], "bad-request", "{error}");
    }
    assert_eq!(refused(json!({ "robt": "puma560" }))["error"]["hint"], "did you mean `robot`?");
}

#[test]
fn robots_come_as_text_where_files_are_out_of_reach() {
    let toml =
        "name = \"pendulum\"\n[[link]]\nname = \"bob\"\nmass = 1\ncom = [0.5, 0, 0]\njoint = { type = \"revolute\" }\n";
    let json = r#"{"name": "pendulum", "link": [{"name": "bob", "mass": 1, "joint": {"type": "revolute"}}]}"#;
    let urdf = r#"<robot name="pendulum"><link name="world"/><link name="bob"/>
        <joint name="j" type="continuous"><parent link="world"/><child link="bob"/></joint></robot>"#;
    for text in [toml, json, urdf] {
        let report = operation::handle("info", json!({ "robot": text }), &NoFiles).unwrap();
        assert_eq!(report.to_json().unwrap()["dof"], 1, "{text}");
    }
    let problem = operation::handle("info", json!({ "robot": "arm.toml" }), &NoFiles).err().expect("no files");
    assert_eq!(problem.kind(), "cannot-read");
}
