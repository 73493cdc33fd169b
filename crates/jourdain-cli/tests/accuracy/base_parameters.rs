//! Base parameters: counts, names and values.

use crate::Row;
use crate::support::{json, run_with};
use serde_json::Value;

pub fn rows() -> Vec<Row> {
    let mut rows = vec![
        count(
            "motor on a free joint",
            "suite/corners/free_joint_motor.json",
            "24",
            27,
            "27, rank of the regressor modulo another prime",
        ),
        count(
            "axis (1, 0.0002, 0)",
            "suite/corners/near_axis.json",
            "11",
            10,
            "10, rank of the regressor modulo another prime",
        ),
        torque(),
    ];
    let cases = cases();
    for (name, corner, before, witness) in [
        (
            "humanoid_60_coupled",
            "humanoid of 111 links, 60 of them coupled",
            "count without coupling",
            "740, rank in another program",
        ),
        ("chained_mimic", "joint that follows a follower", "refused", "9, rank in another program"),
        ("spherical_motor", "motor on a spherical joint", "15", "17, rank in another program"),
        (
            "forty_five_twice",
            "0.7854 and 0.785398 for π/4",
            "8",
            "4 as meant and 8 as written, ranks in another program",
        ),
        (
            "float32_hand",
            "coupled hand with zeros of single precision",
            "24",
            "22 as meant and 24 as written, ranks in another program",
        ),
    ] {
        rows.push(case(&cases, name, corner, before, witness));
    }
    rows.push(empty_drive());
    rows
}

fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/base_parameters_coupled.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn repository(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// The count of a robot file, and that its exact rank is the same.
fn count(corner: &'static str, file: &str, before: &'static str, right: u64, witness: &'static str) -> Row {
    let found = json(&["base-parameters", &repository(file)]);
    let holds = found["count"] == right && found["exact_rank"] == right;
    Row { corner, before, now: found["count"].to_string(), witness, holds }
}

/// The count of a case, as meant and as written.
fn case(cases: &[Value], name: &str, corner: &'static str, before: &'static str, witness: &'static str) -> Row {
    let case = cases.iter().find(|case| case["name"] == name).unwrap();
    let robot = case["robot"].to_string();
    let info =
        |snap: &str| run_with(&["info", "-", "--json", "--snap", snap], &robot).json()["base_parameters"].clone();
    let (meant, written) = (info("1e-5"), info("0"));
    let holds = meant == case["count"] && written == case["count_exactly_as_written"];
    let now = if meant == written { meant.to_string() } else { format!("{meant} as meant and {written} as written") };
    Row { corner, before, now, witness, holds }
}

/// Base regressor times base parameters against inverse dynamics.
fn torque() -> Row {
    let file = repository("suite/corners/near_right_angle.json");
    let state = r#"{"q": [0.3, -0.8], "qd": [1, 2], "qdd": [-1.5, 0.4]}"#;
    let found = json(&["eval", &file, "--state", state, "--quantity", "base_regressor,inverse_dynamics"]);
    let base = json(&["base-parameters", &file]);
    let numbers =
        |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
    let values: Vec<f64> =
        base["parameters"].as_array().unwrap().iter().map(|it| it["value"].as_f64().unwrap()).collect();
    let rows = found["quantities"]["base_regressor"].as_array().unwrap();
    let torques = numbers(&found["quantities"]["inverse_dynamics"]);
    let error = rows.iter().zip(torques).fold(0.0_f64, |error, (row, torque)| {
        let product: f64 = numbers(row).iter().zip(&values).map(|(y, b)| y * b).sum();
        error.max((product - torque).abs())
    });
    Row {
        corner: "angle of 9e-5 rad: base regressor · base parameters",
        before: "7.5e-4 N m off",
        now: format!("{error:.0e} N m off"),
        witness: "0, Newton–Euler on the robot as written",
        holds: error < 1e-12,
    }
}

/// An empty drive has no parameters.
fn empty_drive() -> Row {
    let robot = r#"<robot name="r"><link name="b"/><link name="a"><inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j" type="continuous">
        <parent link="b"/><child link="a"/><dynamics damping="0" friction="0"/></joint></robot>"#;
    let found = json(&["base-parameters", robot]);
    Row {
        corner: "`<dynamics damping=\"0\" friction=\"0\"/>` on one joint",
        before: "5",
        now: found["count"].to_string(),
        witness: "3, the same without the tag",
        holds: found["count"] == 3,
    }
}
