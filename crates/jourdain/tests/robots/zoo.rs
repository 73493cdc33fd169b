//! The built-in robots that come from a URDF are the robots of that file: torques and the diagonal of the mass matrix that
//! Pinocchio computed from it are ours.

use crate::common::assert_close;
use jourdain::dynamics::recursive::{inverse_dynamics, mass_matrix};
use jourdain::robots;
use serde_json::Value;

const TOLERANCE: f64 = 1e-12;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn robots_from_urdf_files_have_the_torques_of_these_files() {
    let text = include_str!("../../../../suite/zoo.json");
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert_eq!(cases.len(), 15);
    for case in cases {
        let name = case["robot"].as_str().unwrap();
        let model = robots::load(name).unwrap();
        let [q, qd, qdd, tau, inertias] = ["q", "qd", "qdd", "tau", "inertias"].map(|key| numbers(&case[key]));
        assert_close(&format!("torques of {name}"), &inverse_dynamics(&model, &q, &qd, &qdd, &[]), &tau, TOLERANCE);
        let matrix = mass_matrix(&model, &q);
        let diagonal: Vec<_> = (0..model.nv()).map(|i| matrix[(i, i)]).collect();
        assert_close(&format!("mass matrix of {name}"), &diagonal, &inertias, TOLERANCE);
    }
}
