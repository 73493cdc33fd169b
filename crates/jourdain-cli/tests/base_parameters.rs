//! `jourdain base-parameters` on the robots of `suite/base_parameters.json`, given on standard input.

mod support;

use serde_json::{Value, json};
use support::{flat, json, keys, run, run_with};

fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/base_parameters.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["robots"].as_array().unwrap().clone()
}

/// The value of `"3/20"`.
fn number(value: &Value) -> f64 {
    let text = value.as_str().unwrap();
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    top.parse::<f64>().unwrap() / bottom.parse::<f64>().unwrap()
}

fn angle(value: &Value) -> f64 {
    number(&value[1]).atan2(number(&value[0]))
}

/// The robot in the native form.
fn robot(case: &Value) -> Value {
    let x: Vec<f64> = case["check"]["X"].as_array().unwrap().iter().map(number).collect();
    let link = |(joint, x): (&Value, &[f64])| {
        let parent = match joint["ant"].as_u64().unwrap() {
            0 => "base".to_owned(),
            parent => format!("link{parent}"),
        };
        json!({
            "name": format!("link{}", joint["j"]),
            "parent": parent,
            "dh": {
                "alpha": angle(&joint["alpha_cs"]), "a": joint["d"], "theta": angle(&joint["theta0_cs"]), "d": joint["r0"],
                "gamma": angle(&joint["gamma_cs"]), "b": joint["b"],
            },
            "joint": { "type": if joint["sigma"] == 0 { "revolute" } else { "prismatic" } },
            "mass": x[9],
            "com": [x[6] / x[9], x[7] / x[9], x[8] / x[9]],
            "inertia_origin": &x[..6],
        })
    };
    let links: Vec<_> = case["joints"].as_array().unwrap().iter().zip(x.chunks(10)).map(link).collect();
    json!({ "name": case["name"], "gravity": case["gravity"], "dh": "modified", "allow_unphysical": true, "link": links })
}

fn base_parameters(robot: &Value, options: &[&str]) -> Value {
    let run = run_with(&[&["base-parameters", "-", "--json"], options].concat(), &robot.to_string());
    assert_eq!(run.code, 0, "{} {}", run.stdout, run.stderr);
    run.json()
}

#[test]
fn all_cases_have_their_counts_values_and_null_spaces() {
    for case in cases() {
        let name = &case["name"];
        let found = base_parameters(&robot(&case), &[]);
        assert_eq!(found["count"], case["n_base"], "{name}");
        assert_eq!(found["per_link"], case["n_base_per_link"], "{name}");
        assert_eq!((&found["numeric_rank"], &found["exact_rank"]), (&case["n_base"], &case["n_base"]), "{name}");
        let labels: Vec<&str> = found["labels"].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect();
        let sorted = |value: &Value| {
            let mut names: Vec<_> = value.as_array().unwrap().iter().map(|x| x.as_str().unwrap().to_owned()).collect();
            names.sort();
            names
        };
        assert_eq!(sorted(&found["no_effect"]), sorted(&case["no_effect"]), "{name}");
        let matrix: Vec<Vec<f64>> = found["matrix"].as_array().unwrap().iter().map(flat).collect();
        let parameters = found["parameters"].as_array().unwrap();
        assert_eq!((matrix.len(), parameters.len()), (parameters.len(), case["kept"].as_array().unwrap().len()));
        // Base values of the check vector, by name; R marks what others are regrouped into.
        for (kept, value) in
            case["kept"].as_array().unwrap().iter().zip(case["check"]["base_values"].as_array().unwrap())
        {
            let kept = kept.as_str().unwrap();
            let digits = kept.find(|c: char| c.is_ascii_digit()).unwrap();
            let terms = case["regrouped"][kept].as_object().unwrap().len();
            let base_name = format!("{}{}{}", &kept[..digits], if terms > 1 { "R" } else { "" }, &kept[digits..]);
            let parameter = parameters.iter().find(|it| it["name"] == base_name.as_str());
            let parameter = parameter.unwrap_or_else(|| panic!("{name}: no {base_name}"));
            let (found, expected) = (parameter["value"].as_f64().unwrap(), number(value));
            assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{name} {base_name}");
        }
        const ORDER: [&str; 10] = ["XX", "XY", "XZ", "YY", "YZ", "ZZ", "mX", "mY", "mZ", "m"];
        for null in case["null_basis"].as_array().unwrap() {
            for row in &matrix {
                let product: f64 = null
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(column, value)| {
                        let column: usize = column.parse().unwrap();
                        let label = format!("{}{}", ORDER[column % 10], column / 10 + 1);
                        row[labels.iter().position(|other| *other == label).unwrap()] * number(value)
                    })
                    .sum();
                assert!(product.abs() < 1e-12, "{name}: {null}");
            }
        }
    }
}

#[test]
fn the_document_has_the_keys_of_the_contract_first() {
    let found = json(&["base-parameters", "puma560"]);
    let expected = [
        "count",
        "per_link",
        "labels",
        "matrix",
        "parameters",
        "no_effect",
        "numeric_rank",
        "gap",
        "exact_rank",
        "regrouped",
        "columns",
        "method",
        "notices",
        "doubt",
        "snap",
        "torques",
        "weak",
    ];
    assert_eq!(keys(&found), expected);
    assert_eq!(keys(&found["parameters"][0]), ["name", "formula", "latex", "value"]);
    assert_eq!(found["matrix"].as_array().unwrap().len(), 36);
    assert_eq!(found["matrix"][0].as_array().unwrap().len(), found["labels"].as_array().unwrap().len());
    assert!(found["gap"].as_f64().unwrap() > 1e9);
    // The 36 of the paper; the tool is a frame without mass and leaves the names alone.
    let names: Vec<_> = found["parameters"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    for name in ["ZZR1", "XXR2", "XY2", "XZR2", "XXR3", "XYR3", "mXR3", "mYR3", "ZZR4", "mYR5", "XXR6", "XY6", "ZZ6"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn symbolic_formulas_have_the_names_of_the_literature() {
    let puma = cases().into_iter().find(|case| case["name"] == "puma560_table1").unwrap();
    let found = base_parameters(&robot(&puma), &["--symbolic"]);
    let formula = |name: &str| {
        let parameters = found["parameters"].as_array().unwrap();
        parameters.iter().find(|it| it["name"] == name).unwrap()["formula"].as_str().unwrap().to_owned()
    };
    assert_eq!(formula("XXR3"), "XX3 - YY3 + YY4 + 2 R4 mZ4 + (R4^2 - D4^2) (m4 + m5 + m6)");
    assert_eq!(formula("mYR5"), "mY5 + mZ6");
}

#[test]
fn info_counts_base_parameters() {
    for (robot, count) in [("puma560", 36), ("stanford", 33), ("kuka_lwr", 43), ("scara", 8), ("planar2r", 6)] {
        assert_eq!(json(&["info", robot])["base_parameters"], count, "{robot}");
    }
}

#[test]
fn base_regressor_times_base_values_is_the_torque() {
    let state = r#"{"q": [0.3, -1.2, 0.8, 2, -0.5, 1], "qd": [1, -2, 0.4, 0.7, 3, -1], "qdd": [2, 1, -3, 0.5, 1, 4]}"#;
    let found = json(&["eval", "puma560", "--state", state, "--quantity", "base_regressor,inverse_dynamics"]);
    let base = json(&["base-parameters", "puma560"]);
    let parameters = base["parameters"].as_array().unwrap();
    let names: Vec<_> = parameters.iter().map(|it| it["name"].clone()).collect();
    assert_eq!(found["parameters"], json!(names));
    let values: Vec<f64> = parameters.iter().map(|it| it["value"].as_f64().unwrap()).collect();
    let rows = found["quantities"]["base_regressor"].as_array().unwrap();
    for (row, tau) in rows.iter().zip(flat(&found["quantities"]["inverse_dynamics"])) {
        let product: f64 = flat(row).iter().zip(&values).map(|(y, b)| y * b).sum();
        assert!((product - tau).abs() <= 1e-12 * tau.abs().max(1.0), "{product} {tau}");
    }
}

/// Two coupled fingers.
const GRIPPER: &str = r#"{"name": "gripper", "link": [
    {"name": "left", "mass": 1, "joint": {"type": "prismatic", "axis": [1, 0, 0]}},
    {"name": "right", "parent": "base", "mass": 1,
     "joint": {"type": "prismatic", "axis": [1, 0, 0], "mimic": {"joint": "left", "multiplier": -1}}}]}"#;

#[test]
fn coupled_joints_are_taken_together_and_have_no_formulas() {
    let run = run_with(&["base-parameters", "-", "--json"], GRIPPER);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let found = run.json();
    assert_eq!((&found["count"], &found["method"]), (&json!(1), &json!("blocks")));
    assert_eq!((&found["parameters"][0]["formula"], &found["exact_rank"]), (&json!("m1 + m2"), &json!(1)));
    let run = run_with(&["base-parameters", "-", "--symbolic", "--json"], GRIPPER);
    assert_eq!((run.code, &run.error()["kind"]), (1, &json!("coupled-joints")));
}

#[test]
fn rounded_angles_are_taken_as_meant_with_a_note() {
    let scara = cases().into_iter().find(|case| case["name"] == "scara_rrpr").unwrap();
    let mut rounded = robot(&scara);
    rounded["link"][2]["dh"]["alpha"] = serde_json::from_str("3.1416").unwrap();
    let found = base_parameters(&rounded, &[]);
    assert_eq!((&found["count"], &found["numeric_rank"]), (&json!(8), &json!(8)));
    assert_eq!(found["notices"], json!(["alpha of link `link3` taken as a multiple of 15°, 7.3e-6 rad away"]));
    let run = run_with(&["base-parameters", "-"], &rounded.to_string());
    assert!(run.stderr.contains("note: alpha of link `link3`"), "{}", run.stderr);
    assert!(run.stdout.contains("14 as written, 8 with angles within 1e-5 rad of 15°"), "{}", run.stdout);
    assert!(run.stdout.contains("which changes torques by up to"), "{}", run.stdout);
    let effect = &found["snap"];
    assert_eq!((&effect["distance"], &effect["count_as_written"]), (&json!(1e-5), &json!(14)));
    assert_eq!(effect["joints"].as_array().unwrap().len(), 4);
    assert!(effect["torque"].as_f64().unwrap() > 0.0 && effect["relative"].as_f64().unwrap() < 1e-3);
    let written = base_parameters(&rounded, &["--snap", "0"]);
    assert_eq!((&written["count"], &written["notices"]), (&json!(14), &json!([])));
    assert_eq!(written["snap"]["torque"], 0.0);
    let run = run_with(&["base-parameters", "-", "--snap", "1", "--json"], &rounded.to_string());
    assert!(run.error()["message"].as_str().unwrap().contains("--snap must be from 0 to 0.1 rad"), "{}", run.stdout);
}

#[test]
fn what_floating_point_cannot_see_is_said_and_no_other_number_is() {
    // A centre 1e-8 m beside the axis before it.
    let robot = json!({ "name": "hair", "gravity": [0, 0, 0], "link": [
        { "name": "a", "mass": 1, "inertia": [1, 0, 0, 1, 0, 1], "joint": { "type": "continuous" } },
        { "name": "b", "mass": 1, "inertia": [1, 0, 0, 1, 0, 1], "joint": { "type": "continuous" },
          "origin": { "xyz": [1e-8, 0, 0], "rpy": [0.3, 0, 0] } }] });
    let found = base_parameters(&robot, &[]);
    assert_eq!(found["count"], found["exact_rank"]);
    assert!(found["numeric_rank"].is_null() || found["numeric_rank"] == found["count"]);
    assert_eq!(found["numeric_rank"].is_null(), found["doubt"].is_string());
}

#[test]
fn bad_robots_are_bad_input() {
    let unknown = run(&["base-parameters", "puma561", "--json"]);
    assert_eq!((unknown.code, &unknown.error()["kind"]), (2, &json!("unknown-robot")));
    let links: Vec<_> = (0..1001).map(|i| json!({"name": format!("l{i}"), "joint": {"type": "revolute"}})).collect();
    let long = run_with(&["base-parameters", "-", "--json"], &json!({ "name": "long", "link": links }).to_string());
    assert_eq!((long.code, &long.error()["kind"]), (2, &json!("too-large")));
    let still =
        run_with(&["base-parameters", "-", "--json"], r#"{"name": "rock", "link": [{"name": "rock", "mass": 3}]}"#);
    assert_eq!((still.code, &still.json()["count"]), (0, &json!(0)));
}
