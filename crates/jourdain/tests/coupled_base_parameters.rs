//! Base parameters in the corners: coupled joints, rotors on joints of several numbers, geometry that is nearly special.
//!
//! The robots and counts of `suite/base_parameters_coupled.json` were found by another program.

mod common;

use common::random_tree::Random;
use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format};
use jourdain::parameters::{BaseParameters, exact_rank};
use jourdain::{Matrix, Model, State, Workspace};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/base_parameters_coupled.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn model(robot: &Value) -> Model {
    let reading = formats::read_str(&robot.to_string(), Format::Json);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

/// Largest element of Y − Y_b B over random states, relative to the largest of Y.
fn regressor_error(model: &Model, base: &BaseParameters, seed: u64) -> f64 {
    let (mut random, mut workspace) = (Random::new(seed), Workspace::new(model));
    let (width, nv) = (base.labels().len(), model.nv());
    let (mut error, mut size) = (0.0_f64, 0.0_f64);
    let mut state = State::neutral(model);
    for _ in 0..5 {
        model.retract(&mut state.q, &random.vector(nv, 2.0));
        let (qd, qdd) = (random.vector(nv, 2.0), random.vector(nv, 4.0));
        let mut regressor = Matrix::zeros(nv, width);
        recursive::regressor_into(model, &state.q, &qd, &qdd, &mut workspace, regressor.as_mut_slice());
        let kept = Matrix::from_fn(nv, base.count(), |row, k| regressor[(row, base.kept()[k])]);
        for (x, y) in kept.times(base.matrix()).as_slice().iter().zip(regressor.as_slice()) {
            (error, size) = (error.max((x - y).abs()), size.max(y.abs()));
        }
    }
    error / size.max(f64::MIN_POSITIVE)
}

#[test]
fn counts_are_those_of_the_cases_nominal_and_as_written() {
    for case in cases() {
        let name = &case["name"];
        let model = model(&case["robot"]);
        let base = BaseParameters::new(&model);
        assert_eq!(base.count() as u64, case["count"].as_u64().unwrap(), "{name}");
        assert_eq!(exact_rank(&model, 5), Some(base.count()), "{name}: the witness");
        if case["per_link"].is_array() {
            assert_eq!(serde_json::json!(base.per_link()), case["per_link"], "{name}");
        }
        let written = model.with_snap(0.0);
        let base = BaseParameters::new(&written);
        assert_eq!(base.count() as u64, case["count_exactly_as_written"].as_u64().unwrap(), "{name} as written");
        let error = regressor_error(&written, &base, 7);
        assert!(error < 1e-10, "{name}: {error:e}");
    }
}
