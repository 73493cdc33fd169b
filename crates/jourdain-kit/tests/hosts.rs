//! What a host brings beside the request: tables in memory, a law of its own, a robot that it has already.

use jourdain::Model;
use jourdain::formats::table::Table;
use jourdain::robots;
use jourdain::simulate::{Law, System};
use jourdain_kit::host::{Files, Host, Loaded, Note, Weight};
use jourdain_kit::operation;
use jourdain_kit::resolve::Robot;
use serde_json::{Value, json};

const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/logs/planar2r.csv");

#[derive(Default)]
struct Bringing {
    table: Option<Table>,
    law: Option<Law>,
    robot: Option<Model<f64>>,
}

impl Host for Bringing {
    fn table(&self, name: &str) -> Option<&Table> {
        self.table.as_ref().filter(|_| name == "<table>")
    }

    fn law(&self, _: &dyn System) -> Option<Law> {
        self.law.clone()
    }

    fn loaded(&self, robot: &Robot) -> Option<Loaded> {
        let note = Note { weight: Weight::Warning, text: "it was so before".to_owned(), details: Vec::new() };
        let model = self.robot.clone().filter(|_| robot.robot == "mine")?;
        Some(Loaded { model, edits: Vec::new(), notes: vec![note] })
    }
}

fn document(name: &str, request: Value, host: &dyn Host) -> Value {
    match operation::handle(name, request, host) {
        Ok(report) => report.to_json().unwrap(),
        Err(problem) => problem.to_json(),
    }
}

/// The table of a CSV file.
fn in_memory(file: &str) -> Table {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let heading: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut columns: Vec<(String, Vec<f64>)> = heading.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    for line in lines {
        columns.iter_mut().zip(line.split(',')).for_each(|((_, column), cell)| column.push(cell.parse().unwrap()));
    }
    Table::new(columns).unwrap()
}

#[test]
fn a_log_in_memory_is_identified_like_its_file() {
    let host = Bringing { table: Some(in_memory(LOG)), ..Bringing::default() };
    let from_file = document("identify", json!({ "robot": "planar2r", "data": [LOG] }), &Files);
    let from_memory = document("identify", json!({ "robot": "planar2r", "data": ["<table>"] }), &host);
    assert!(from_file["parameters"].as_array().is_some_and(|found| !found.is_empty()));
    assert_eq!(from_memory["parameters"], from_file["parameters"]);
    assert_eq!(from_memory["logs"][0]["file"], "<table>");
    let other = document("identify", json!({ "robot": "planar2r", "data": ["<other>"] }), &host);
    assert_eq!(other["error"]["kind"], "cannot-read");
}

#[test]
fn states_and_torques_in_memory_are_read() {
    let columns =
        [("t", [0.0, 0.5]), ("q1", [0.1, 0.2]), ("q2", [0.3, 0.4]), ("tau1", [1.0, 1.0]), ("tau2", [0.5, 0.5])];
    let table = Table::new(columns.map(|(name, values)| (name.to_owned(), values.to_vec())).to_vec()).unwrap();
    let host = Bringing { table: Some(table), ..Bringing::default() };
    let found = document("eval", json!({ "robot": "planar2r", "quantity": ["gravity"], "state": "<table>" }), &host);
    let listed = json!([{ "q": [0.1, 0.3] }, { "q": [0.2, 0.4] }]).to_string();
    assert_eq!(
        found,
        document("eval", json!({ "robot": "planar2r", "quantity": ["gravity"], "state": listed }), &host)
    );
    let driven = |torque: Value| document("simulate", json!({ "robot": "planar2r", "torque": torque }), &host);
    let [table, constant] = [json!(["table", "<table>"]), json!(["constant", "[1.0, 0.5]"])].map(driven);
    let end = |report: &Value| report["final"]["q"][0].as_f64().unwrap();
    assert!((end(&table) - end(&constant)).abs() < 1e-9, "{table}");
}

#[test]
fn a_law_of_the_host_drives_and_stands_alone() {
    let host = Bringing { law: Some(Law::from_fn(|_, _, _, torque| torque.fill(0.25))), ..Bringing::default() };
    let request = json!({ "robot": "planar2r", "duration": 0.1 });
    let report = document("simulate", request, &host);
    assert_eq!((&report["law"], &report["tracking"]), (&json!("custom"), &Value::Null));
    for beside in
        [json!({ "law": "pd" }), json!({ "nominal": "planar2r" }), json!({ "torque": ["constant", "[1, 1]"] })]
    {
        let mut request = json!({ "robot": "planar2r" });
        request.as_object_mut().unwrap().extend(beside.as_object().unwrap().clone());
        assert_eq!(document("simulate", request, &host)["error"]["kind"], "usage", "{beside}");
    }
}

#[test]
fn a_robot_that_is_there_is_not_read_again_but_keeps_its_warnings() {
    let host = Bringing { robot: robots::load("planar2r"), ..Bringing::default() };
    let report = document("info", json!({ "robot": "mine" }), &host);
    assert_eq!((&report["name"], &report["warnings"]), (&json!("planar2r"), &json!(["it was so before"])));
}

#[test]
fn schemas_say_where_a_table_may_stand() {
    for (name, field) in [
        ("identify", "data"),
        ("identify", "validate"),
        ("simulate", "torque"),
        ("simulate", "trajectory"),
        ("trajectory", "trajectory"),
        ("elastic inverse", "trajectory"),
        ("elastic simulate", "trajectory"),
        ("eval", "state"),
        ("ik", "target"),
        ("ik-path", "path"),
    ] {
        let schema = operation::find(name).unwrap().schema();
        assert!(schema["request"]["properties"][field]["x-table"].is_object(), "{name} {field}");
    }
}
