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

/// A table with these columns.
fn columns(names: &[&str], rows: &[&[f64]]) -> Table {
    let column = |(k, name): (usize, &&str)| ((*name).to_owned(), rows.iter().map(|row| row[k]).collect());
    Table::new(names.iter().enumerate().map(column).collect()).unwrap()
}

#[test]
fn targets_in_memory_are_those_of_a_list() {
    let points: [&[f64]; 3] = [&[0.446004, 0.091514], &[0.5, 0.1], &[0.6, 0.1]];
    let host = Bringing { table: Some(columns(&["x", "y"], &points)), ..Bringing::default() };
    let start = "[-0.7068688, 2.4720983, 1.3686331]";
    for (name, field, list) in [("ik", "target", "results"), ("ik-path", "path", "points")] {
        let asked = |targets: &str| {
            let mut request = json!({ "robot": "planar3r_chang", "start": start });
            request[field] = json!(targets);
            document(name, request, &host)
        };
        let from_table = asked("<table>");
        assert_eq!(from_table[list].as_array().map(Vec::len), Some(3), "{from_table}");
        assert_eq!(from_table, asked(&json!(points).to_string()), "{name}");
    }
    for (names, rows, kind, message, line) in [
        (
            &["x", "z"][..],
            &[&[0.4, 0.1][..]][..],
            "missing-column",
            "the columns of `position` are not complete: y is missing",
            None,
        ),
        (
            &["x", "y", "z", "qw", "qx", "qy", "qz"],
            &[&[0.4, 0.1, 0.3, 1.0, 0.0, 0.0, 0.0], &[0.0; 7]],
            "bad-target",
            "row 2: `quaternion` has no length",
            Some(2),
        ),
        (&["x", "y"], &[], "bad-target", "the list of targets is empty", None),
        (
            &["x", "y"],
            &[&[0.4, 0.1], &[0.4, f64::NAN]],
            "not-finite",
            "row 2, column 2 (`y`): `NaN` is not a finite number",
            Some(2),
        ),
    ] {
        let host = Bringing { table: Some(columns(names, rows)), ..Bringing::default() };
        let error = document("ik", json!({ "robot": "planar3r_chang", "target": "<table>" }), &host)["error"].clone();
        assert_eq!((&error["kind"], &error["message"]), (&json!(kind), &json!(message)));
        assert_eq!((&error["file"], &error["line"]), (&json!("<table>"), &json!(line)), "{error}");
    }
}

#[test]
fn states_in_memory_that_cannot_be_are_refused_with_their_row() {
    let ball = "name = \"ball\"\n[[link]]\nname = \"bob\"\nmass = 1\njoint = { type = \"spherical\" }\n";
    let names = ["q1", "q2", "q3", "q4"];
    for (second, kind, says) in [
        ([0.0; 4], "zero-quaternion", "row 2"),
        ([1.0, 0.0, f64::INFINITY, 0.0], "not-finite", "row 2, column 3 (`q3`): `inf` is not a finite number"),
    ] {
        let table = columns(&names, &[&[1.0, 0.0, 0.0, 0.0], &second]);
        let host = Bringing { table: Some(table), ..Bringing::default() };
        let request = json!({ "robot": ball, "quantity": ["gravity"], "state": "<table>" });
        let error = document("eval", request, &host)["error"].clone();
        assert_eq!((&error["kind"], &error["file"]), (&json!(kind), &json!("<table>")), "{error}");
        assert!(error["message"].as_str().unwrap().starts_with(says), "{error}");
    }
}

/// A motor whose angle is ahead of its link by the torque over 100 N m/rad.
#[test]
fn positions_of_motors_in_memory_show_springs() {
    let wheel = "name = \"wheel\"\ngravity = [0, 0, 0]\n[[link]]\nname = \"disc\"\nmass = 1\ninertia = [2, 0, 0, 2, 0, 2]\njoint = { type = \"continuous\" }\n";
    let row = |i: u32| {
        let t = 0.01 * f64::from(i);
        let parts = [(0.5, 3.0, 0.2), (0.3, 7.0, 1.0)].map(|(a, w, p): (f64, f64, f64)| {
            let sin = (w * t + p).sin();
            [a * sin, -a * w * w * sin, a * w.powi(4) * sin]
        });
        let [q, qdd, snap] = [0, 1, 2].map(|k| parts[0][k] + parts[1][k]);
        // 2 kg m² of the disc and 0.5 kg m² of the rotor.
        [t, q, q + 2.0 * qdd / 100.0, 2.0 * qdd + 0.5 * (qdd + 2.0 * snap / 100.0)]
    };
    let rows: Vec<[f64; 4]> = (0..1200).map(row).collect();
    let rows: Vec<&[f64]> = rows.iter().map(<[f64; 4]>::as_slice).collect();
    let host = Bringing { table: Some(columns(&["t", "q1", "theta1", "tau1"], &rows)), ..Bringing::default() };
    let found = document("identify", json!({ "robot": wheel, "elastic": true, "data": ["<table>"] }), &host);
    for (what, exact) in [("stiffness", 100.0), ("inertia", 0.5)] {
        let value = found["elastic"][0][what]["value"].as_f64().unwrap_or_else(|| panic!("{found}"));
        assert!((value / exact - 1.0).abs() < 0.01, "{what}: {value}");
    }
}

/// Samples of q = a(1 − cos 2πt), which rests at both ends.
fn swing(rows: u32) -> Table {
    let mut times: [Vec<f64>; 3] = Default::default();
    for i in 0..rows {
        let t = f64::from(i) / f64::from(rows - 1);
        let sway = 1.0 - (2.0 * std::f64::consts::PI * t).cos();
        times.iter_mut().zip([t, 0.3 * sway, 0.2 * sway]).for_each(|(column, x)| column.push(x));
    }
    Table::new(["t", "q1", "q2"].map(str::to_owned).into_iter().zip(times).collect()).unwrap()
}

#[test]
fn motions_in_memory_are_followed_and_begun_with() {
    let host = Bringing { table: Some(swing(201)), ..Bringing::default() };
    let request = json!({ "robot": "planar2r", "trajectory": "<table>", "smoothing": 0.01, "quantity": ["gravity"], "times": [0.5] });
    let found = document("trajectory", request, &host);
    // q = (0.6, 0.4) at half the time; gravity of the robot file at these angles.
    let torque = found["quantities"]["gravity"][0][1].as_f64().unwrap_or_else(|| panic!("{found}"));
    let exact = 1.5 * 9.80665 * 0.4 * 1.0_f64.cos();
    assert!((torque - exact).abs() < 0.01 * exact, "{torque} and {exact}");
    let begun = json!({ "robot": "planar2r", "from": "<table>", "period": 1, "steps": 0, "starts": 1 });
    let report = document("excite", begun, &host);
    let [given, own] = [&report["criterion"]["given"], &report["condition"]].map(|x| x.as_f64().unwrap());
    assert!((given / own - 1.0).abs() < 1e-9, "{report}");
    let wrong = Bringing { table: Some(columns(&["t", "q1"], &[&[0.0, 1.0], &[1.0, 2.0]])), ..Bringing::default() };
    let refused = document("excite", json!({ "robot": "planar2r", "from": "<table>" }), &wrong);
    assert_eq!(refused["error"]["kind"], "bad-trajectory", "{refused}");
}

#[test]
fn torques_in_memory_have_to_be_in_order() {
    let rows: [&[f64]; 3] = [&[0.0, 1.0, 0.5], &[0.2, 1.0, 0.5], &[0.1, 1.0, 0.5]];
    let host = Bringing { table: Some(columns(&["t", "tau1", "tau2"], &rows)), ..Bringing::default() };
    let request = json!({ "robot": "planar2r", "torque": ["table", "<table>"], "duration": 0.1 });
    let error = document("simulate", request, &host)["error"].clone();
    assert_eq!(
        (&error["kind"], &error["file"], &error["line"]),
        (&json!("bad-table"), &json!("<table>"), &json!(3)),
        "{error}"
    );
}

/// A part of a log in memory is that of its file, and merges with the rest of the file.
#[test]
fn parts_of_a_log_in_memory_are_those_of_its_file() {
    let host = Bringing { table: Some(in_memory(LOG)), ..Bringing::default() };
    let folder = tempfile::tempdir().unwrap();
    let part = |log: &str, number: usize| {
        let file = folder.path().join(format!("{number}.json"));
        let shard = format!("{number}/2");
        let report =
            document("identify", json!({ "robot": "planar2r", "data": [log], "shard": shard, "factors": file }), &host);
        assert_eq!(report["samples"], 991, "{report}");
        std::fs::read_to_string(file).unwrap()
    };
    let whole = document("identify", json!({ "robot": "planar2r", "data": [LOG] }), &host);
    let merge = [part("<table>", 1), part("<table>", 2)];
    let merged = document("identify", json!({ "robot": "planar2r", "merge": merge }), &host);
    assert_eq!(merged["samples"], whole["samples"]);
    for (one, other) in merged["parameters"].as_array().unwrap().iter().zip(whole["parameters"].as_array().unwrap()) {
        let [one, other] = [one, other].map(|parameter| parameter["value"].as_f64().unwrap());
        assert!((one - other).abs() < 1e-9 * other.abs().max(1.0), "{one} and {other}");
    }
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
