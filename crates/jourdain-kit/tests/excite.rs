//! `excite` as requests: limits, surroundings, criteria, motions to start from, and the files that controllers take.

use jourdain_kit::files::Memory;
use jourdain_kit::operation;
use serde_json::{Value, json};

const ARM: &str = r#"<robot name="arm">
  <link name="foot"/>
  <link name="turn"><inertial><origin xyz="0 0 0.2"/><mass value="4"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.08" length="0.4"/></geometry></visual></link>
  <link name="upper"><inertial><origin xyz="0.25 0 0"/><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.25 0 0"/><geometry><mesh filename="rod.obj"/></geometry></visual></link>
  <joint name="pan" type="revolute"><parent link="foot"/><child link="turn"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="2" effort="60"/></joint>
  <joint name="lift" type="revolute"><parent link="turn"/><child link="upper"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="2.5" velocity="2" effort="60"/></joint>
</robot>"#;

/// A rod of half a metre with a radius of two centimetres at most.
const ROD: &str =
    "v -0.25 0.02 0\nv -0.25 -0.02 0\nv 0.25 0 0.02\nv 0.25 0 -0.02\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";

fn folder() -> Memory {
    let memory = Memory::default();
    memory.put("arm.urdf", ARM.as_bytes());
    memory.put("rod.obj", ROD.as_bytes());
    memory
}

fn text(memory: &Memory, name: &str) -> String {
    String::from_utf8(memory.get(name).unwrap().to_vec()).unwrap()
}

fn asked(extra: &Value) -> Value {
    let mut request = json!({ "robot": "arm.urdf", "starts": 1, "steps": 30, "seed": 3 });
    for (name, value) in extra.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

fn found(extra: &Value, memory: &Memory) -> Value {
    operation::handle("excite", asked(extra), memory).unwrap_or_else(|problem| panic!("{problem}")).to_json().unwrap()
}

fn refused(extra: &Value, memory: &Memory) -> (String, String) {
    let result = operation::handle("excite", asked(extra), memory);
    let problem = result.err().unwrap_or_else(|| panic!("{extra} is not refused"));
    (problem.kind().to_owned(), problem.to_string())
}

/// Rows of a table in text, without its heading.
fn rows(csv: &str) -> Vec<Vec<f64>> {
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn written_samples_have_the_differences_that_they_say_and_keep_to_all_limits() {
    let memory = folder();
    let report = found(&json!({ "acceleration": [3.0, 5.0], "jerk": 20, "out": "m.csv", "rate": 500 }), &memory);
    let csv = text(&memory, "m.csv");
    assert!(
        csv.starts_with("t,q[pan],q[lift],qd[pan],qd[lift],qdd[pan],qdd[lift],qddd[pan],qddd[lift]\n"),
        "{csv:.200}"
    );
    let rows = rows(&csv);
    for three in rows.windows(3) {
        let h = three[2][0] - three[0][0];
        for column in 1..7 {
            let slope = (three[2][column] - three[0][column]) / h;
            assert!((slope - three[1][column + 2]).abs() < 2e-3 * (1.0 + slope.abs()), "column {column}");
        }
        let row = &three[1];
        assert!(row[1].abs() <= 2.0 && (-1.5..=2.5).contains(&row[2]) && row[3].abs() <= 2.0 && row[4].abs() <= 2.0);
        assert!(row[5].abs() <= 3.0 && row[6].abs() <= 5.0 && row[7].abs() <= 20.0 && row[8].abs() <= 20.0);
    }
    assert!(rows[0][3..7].iter().chain(&rows[rows.len() - 1][3..7]).all(|x| x.abs() < 1e-9), "at rest");
    let joint = &report["joints"][1];
    assert!(joint["torque"].as_f64().unwrap() <= 0.8 * 60.0 && joint["effort"] == 60.0);
    assert_eq!(report["parameters"].as_array().unwrap().len() as u64, report["count"].as_u64().unwrap());
}

#[test]
fn meshes_and_shapes_keep_above_the_ground() {
    let memory = folder();
    let request = json!({ "ground": 0.15, "clearance": 0.03, "out": "m.csv", "steps": 80 });
    let report = found(&request, &memory);
    // The tip by trigonometry; the rod has two centimetres on either side.
    let tip = |row: &Vec<f64>| 0.4 - 0.5 * row[2].sin() - 0.02;
    let lowest = rows(&text(&memory, "m.csv")).iter().map(tip).fold(f64::INFINITY, f64::min);
    assert!(lowest >= 0.15 + 0.03, "{lowest}");
    assert_eq!(report["nearest"]["link"], "upper");
    assert!(report["nearest"]["distance"].as_f64().unwrap() >= 0.03);
    found(&json!({ "out": "free.csv", "steps": 80 }), &memory);
    let free = rows(&text(&memory, "free.csv")).iter().map(tip).fold(f64::INFINITY, f64::min);
    assert!(free < 0.15, "{free}");
}

#[test]
fn knots_are_for_controllers_and_for_a_search_to_start_from() {
    let memory = folder();
    let files = json!({ "spline": "k.json", "trajectory": "t.json", "out": "m.csv", "rate": 50 });
    let report = found(&files, &memory);
    assert_eq!(report["spline"]["knots"], 201);
    assert!(report["spline"]["deviation"].as_f64().unwrap() < 1e-6);
    let knots: Value = serde_json::from_str(&text(&memory, "k.json")).unwrap();
    assert_eq!((&knots["degree"], &knots["joint_names"]), (&json!("quintic"), &json!(["pan", "lift"])));
    assert_eq!(knots["knots"][200]["t"], 10.0);
    assert_eq!(knots["knots"][7]["acceleration"].as_array().unwrap().len(), 2);
    // What was written is where the next search begins, whichever file it is.
    for file in ["k.json", "t.json", "m.csv"] {
        let again = found(&json!({ "from": file, "steps": 0 }), &memory);
        let [condition, given, value] =
            [&report["condition"], &again["criterion"]["given"], &again["condition"]].map(|x| x.as_f64().unwrap());
        assert!((given / condition - 1.0).abs() < 1e-6 && (value / condition - 1.0).abs() < 1e-6, "{file}");
    }
    let slower = found(&json!({ "from": "t.json", "steps": 0, "period": 20 }), &memory);
    assert!(slower["notices"].to_string().contains("takes 10.0000 s and is played in 20 s"));
    found(&json!({ "spline": "k.yaml", "degree": "cubic", "knot_rate": 40 }), &memory);
    let yaml = text(&memory, "k.yaml");
    assert!(yaml.contains("joint_names: [\"pan\", \"lift\"]\n") && yaml.contains("accelerations: []"), "{yaml:.400}");
    assert!(yaml.contains("time_from_start: {sec: 9, nanosec: 975000000}"));
    assert_eq!(yaml.lines().filter(|line| line.starts_with("- positions: [")).count(), 401);
}

#[test]
fn parameters_that_matter_are_named_and_known_better() {
    let memory = folder();
    let deviation = |report: &Value, name: &str| {
        let one = report["parameters"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
        one["deviation"].as_f64().unwrap()
    };
    let usual = found(&json!({ "steps": 100 }), &memory);
    let aimed = found(&json!({ "steps": 100, "parameters": ["Fv2"] }), &memory);
    assert_eq!((&usual["criterion"]["name"], &aimed["criterion"]["name"]), (&json!("condition"), &json!("deviation")));
    assert!(deviation(&aimed, "Fv2") < deviation(&usual, "Fv2"));
    let value = aimed["criterion"]["value"].as_f64().unwrap();
    assert!((value / deviation(&aimed, "Fv2") - 1.0).abs() < 1e-9);
    // Twice the noise, twice the deviation; four times the samples, half of it.
    let noisy = found(&json!({ "steps": 100, "parameters": ["Fv2"], "noise": 0.02, "rate": 400 }), &memory);
    assert!((deviation(&noisy, "Fv2") / deviation(&aimed, "Fv2") - 1.0).abs() < 1e-9);
    let volume = found(&json!({ "steps": 100, "criterion": "d-optimal" }), &memory);
    assert!(volume["criterion"]["value"].as_f64().unwrap() < volume["criterion"]["random"].as_f64().unwrap());
    let (kind, message) = refused(&json!({ "parameters": ["Fv9"] }), &memory);
    assert!(kind == "unknown-parameter" && message.contains("`Fv9`"), "{message}");
}

#[test]
fn a_base_that_floats_is_held_and_the_joints_move() {
    let memory = folder();
    let report = found(&json!({ "floating": true }), &memory);
    assert_eq!(report["joints"].as_array().unwrap().len(), 2);
    assert!(report["notices"].to_string().contains("floats and is held"), "{}", report["notices"]);
    let fixed = found(&json!({}), &memory);
    assert_eq!(report["trajectory"], fixed["trajectory"]);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let memory = folder();
    memory.put("bad.csv", b"t,q1,q2\n0,1,2\n".as_slice());
    for (extra, expected, reason) in [
        (json!({ "jerk": [1, 2, 3] }), "bad-search", "3 limits of jerk for 2 joints"),
        (json!({ "acceleration": 0 }), "usage", "--acceleration"),
        (json!({ "effort_share": -1 }), "usage", "--effort-share"),
        (json!({ "effort_share": 0.003 }), "no-motion", "joint `lift` would need"),
        (json!({ "ground": 0.6 }), "no-motion", "comes as near to the ground"),
        (json!({ "clearance": -1, "ground": 0 }), "usage", "--clearance"),
        (json!({ "robot": "planar2r", "ground": 0 }), "usage", "links without shapes"),
        (json!({ "may_touch": ["turn,elbow"] }), "unknown-link", "elbow"),
        (json!({ "criterion": "condition", "parameters": ["Fv1"] }), "usage", "deviation"),
        (json!({ "jerk": 5, "spline": "k.yaml", "degree": "cubic" }), "usage", "jump"),
        (json!({ "spline": "k.yaml", "knot_rate": 0.4 }), "coarse-knots", "leave the motion"),
        (json!({ "from": "bad.csv" }), "bad-trajectory", "too few"),
        (json!({ "from": "none.json" }), "cannot-read", "the motion to start from"),
    ] {
        let (kind, message) = refused(&extra, &memory);
        assert!(kind == expected && message.contains(reason), "{extra}: {kind}: {message}");
    }
}
