//! `eval --json` against the reference cases of `suite/dynamics.json`, by both methods.
//!
//! The cases differ from state files in the sign of wrenches, the layout of `q` and the order of regressor columns; see
//! `suite/README.md`.

mod support;

use serde_json::{Map, Value, json};
use support::{flat, json};

const TOLERANCE: f64 = 1e-11;

/// How the output of a case compares with the quantity.
#[derive(Clone, Copy)]
enum Form {
    /// As it is.
    Same,
    /// The derivative by the variable `h` of the case: a slice of the last index.
    Slice,
    /// Ten columns per link in another order.
    Columns,
}

const QUANTITIES: &[(&str, &str, Form)] = &[
    ("mass_matrix", "M", Form::Same),
    ("mass_matrix_dot", "Mdot", Form::Same),
    ("mass_matrix_ddot", "Mddot", Form::Same),
    ("mass_matrix_dq", "dM_dqh", Form::Slice),
    ("coriolis_matrix", "C", Form::Same),
    ("coriolis_matrix_dot", "Cdot", Form::Same),
    ("coriolis_matrix_ddot", "Cddot", Form::Same),
    ("coriolis_matrix_dq", "dC_dqh", Form::Slice),
    ("coriolis_matrix_dqd", "dC_dqdh", Form::Slice),
    ("coriolis_christoffel", "C_christoffel", Form::Same),
    ("gravity", "g", Form::Same),
    ("gravity_dot", "gdot", Form::Same),
    ("gravity_ddot", "gddot", Form::Same),
    ("gravity_dq", "dg_dq", Form::Same),
    ("external_forces", "Qext", Form::Same),
    ("external_forces_dot", "Qext_dot", Form::Same),
    ("external_forces_ddot", "Qext_ddot", Form::Same),
    ("inverse_dynamics", "Q", Form::Same),
    ("inverse_dynamics_dot", "Qdot", Form::Same),
    ("inverse_dynamics_ddot", "Qddot", Form::Same),
    ("inverse_dynamics_d3", "Q3", Form::Same),
    ("inverse_dynamics_d4", "Q4", Form::Same),
    ("inverse_dynamics_dq", "dID_dq", Form::Same),
    ("inverse_dynamics_dqd", "dID_dqd", Form::Same),
    ("regressor", "Y", Form::Columns),
    ("slotine_li_regressor", "Y_slotine_li", Form::Columns),
    ("com", "com", Form::Same),
    ("com_jacobian", "J_com", Form::Same),
];

#[test]
fn eval_reproduces_the_reference_cases_by_the_recursive_method() {
    reproduce("recursive");
}

#[test]
fn eval_reproduces_the_reference_cases_by_the_closed_method() {
    reproduce("closed");
}

#[test]
fn an_array_of_states_gives_an_array_of_the_same_results() {
    let cases = cases();
    let of_tree: Vec<_> = cases.iter().filter(|case| case["model"] == "tree9").collect();
    let links = link_names("suite/robots/tree9.toml");
    let states: Vec<_> = of_tree.iter().map(|case| state(case, &links)).collect();
    let evaluate = |state: &Value| {
        let state = state.to_string();
        json(&["eval", "suite/robots/tree9.toml", "--state", &state, "--quantity", "inverse_dynamics,com"])
    };
    assert!(states.len() > 1);
    let expected: Vec<_> = states.iter().map(evaluate).collect();
    assert_eq!(evaluate(&Value::Array(states.clone())), Value::Array(expected.clone()));
    assert_eq!(evaluate(&json!([states[0]])), json!([expected[0]]), "a list of one stays a list");
    assert_eq!(evaluate(&json!([])), json!([]));
}

fn reproduce(method: &str) {
    let names = QUANTITIES.iter().map(|(name, _, _)| *name).collect::<Vec<_>>().join(",");
    let cases = cases();
    assert_eq!(cases.len(), 18);
    for case in &cases {
        let robot = format!("suite/robots/{}.toml", case["model"].as_str().unwrap());
        let state = state(case, &link_names(&robot)).to_string();
        let result = json(&["eval", &robot, "--state", &state, "--quantity", &names, "--method", method]);
        let h = usize::try_from(case["h"].as_u64().unwrap()).unwrap();
        for &(name, key, form) in QUANTITIES {
            let found = match form {
                Form::Same => flat(&result["quantities"][name]),
                Form::Slice => slice(&result["quantities"][name], h),
                Form::Columns => in_case_order(&result["quantities"][name]),
            };
            let expected = flat(&case["outputs"][key]);
            assert_eq!(found.len(), expected.len(), "{name} of {}", case["id"]);
            let scale = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                let error = (found - expected).abs();
                assert!(error <= TOLERANCE * scale, "{name} of {} by {method}: off by {error:e}", case["id"]);
            }
        }
    }
}

fn cases() -> Vec<Value> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/dynamics.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    document["cases"].as_array().unwrap().clone()
}

fn link_names(robot: &str) -> Vec<String> {
    let info = json(&["info", robot]);
    info["links"].as_array().unwrap().iter().map(|link| link["name"].as_str().unwrap().to_owned()).collect()
}

/// The inputs of a case as a state file.
fn state(case: &Value, links: &[String]) -> Value {
    let inputs = &case["inputs"];
    let mut state = Map::new();
    let q: Vec<f64> = inputs["q"].as_array().unwrap().iter().flat_map(position).collect();
    state.insert("q".to_owned(), json!(q));
    for key in ["qd", "qdd", "qddd", "qdddd", "qd_r", "qdd_r"] {
        state.insert(key.to_owned(), inputs[key].clone());
    }
    state.insert("derivatives".to_owned(), json!([inputs["q5"], inputs["q6"]]));
    let wrenches = inputs["wrenches"].as_array().unwrap().iter().map(|wrench| applied(wrench, links));
    state.insert("wrenches".to_owned(), wrenches.collect());
    Value::Object(state)
}

/// The numbers of one body: translation before quaternion.
fn position(entry: &Value) -> Vec<f64> {
    match entry {
        Value::Object(pose) => ["p", "quat_wxyz"].iter().filter_map(|key| pose.get(*key)).flat_map(flat).collect(),
        other => flat(other),
    }
}

/// A wrench as applied to the link: the opposite of what the body exerts.
fn applied(wrench: &Value, links: &[String]) -> Value {
    let mut result = Map::new();
    let body = usize::try_from(wrench["body"].as_u64().unwrap()).unwrap();
    result.insert("link".to_owned(), json!(links[body]));
    for key in ["force", "moment", "force_d", "moment_d", "force_dd", "moment_dd"] {
        result.insert(key.to_owned(), json!(flat(&wrench[key]).iter().map(|x| -x).collect::<Vec<_>>()));
    }
    Value::Object(result)
}

/// Element h of the innermost lists.
fn slice(tensor: &Value, h: usize) -> Vec<f64> {
    let rows = tensor.as_array().unwrap().iter();
    rows.flat_map(|row| row.as_array().unwrap().iter().map(|element| element[h].as_f64().unwrap())).collect()
}

/// From m mX mY mZ XX XY XZ YY YZ ZZ to m mx my mz xx yy zz xy xz yz.
fn in_case_order(matrix: &Value) -> Vec<f64> {
    const ORDER: [usize; 10] = [0, 1, 2, 3, 4, 7, 9, 5, 6, 8];
    let rows = matrix.as_array().unwrap().iter().map(flat);
    rows.flat_map(|row| row.chunks(10).flat_map(|link| ORDER.map(|column| link[column])).collect::<Vec<_>>()).collect()
}
