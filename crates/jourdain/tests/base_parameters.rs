//! Base parameters on the robots of `suite/base_parameters.json`, whose answers are exact.

mod common;

use jourdain::dynamics::{closed_form, recursive};
use jourdain::model::description::{
    Description, DhConvention, DhParameters, GROUND, InertiaDescription, JointKind, LinkDescription, Placement,
};
use jourdain::model::{Model, Number};
use jourdain::parameters::{BaseParameters, Method, base_regressor, rank};
use jourdain::{Matrix, Workspace};
use serde_json::Value;

/// The parameters of a link as the cases have them.
const CASE_ORDER: [&str; 10] = ["XX", "XY", "XZ", "YY", "YZ", "ZZ", "mX", "mY", "mZ", "m"];

/// Their places in jourdain's order.
const PLACE: [usize; 10] = [4, 5, 6, 7, 8, 9, 1, 2, 3, 0];

struct Case {
    name: String,
    json: Value,
    model: Model,
}

fn fraction(value: &Value) -> f64 {
    Number::parse(value.as_str().unwrap()).unwrap().value
}

fn number(value: &Value) -> Number {
    Number::parse(value.as_str().unwrap()).unwrap()
}

fn angle(value: &Value) -> Number {
    Number::from(fraction(&value[1]).atan2(fraction(&value[0])))
}

/// Column of the case file to column of jourdain's regressor.
fn column(case_column: usize) -> usize {
    10 * (case_column / 10) + PLACE[case_column % 10]
}

/// The column of a label such as `mX3`.
fn labelled(label: &str) -> usize {
    let digits = label.find(|c: char| c.is_ascii_digit()).unwrap();
    let index = CASE_ORDER.iter().position(|name| *name == &label[..digits]).unwrap();
    column(10 * (label[digits..].parse::<usize>().unwrap() - 1) + index)
}

fn description(json: &Value) -> Description {
    let values: Vec<f64> = json["check"]["X"].as_array().unwrap().iter().map(fraction).collect();
    let link = |(joint, x): (&Value, &[f64])| {
        let parent = joint["ant"].as_u64().unwrap();
        let parent = if parent == 0 { GROUND.to_owned() } else { format!("link{parent}") };
        let mut link = LinkDescription::new(format!("link{}", joint["j"]), parent);
        link.placement = Placement::Dh {
            convention: DhConvention::Modified,
            parameters: DhParameters {
                alpha: angle(&joint["alpha_cs"]),
                a: number(&joint["d"]),
                theta: angle(&joint["theta0_cs"]),
                d: number(&joint["r0"]),
                gamma: angle(&joint["gamma_cs"]),
                b: number(&joint["b"]),
            },
        };
        let (axis, point) = ([Number::ZERO, Number::ZERO, Number::ONE], [Number::ZERO; 3]);
        link.joint.kind = match joint["sigma"].as_u64().unwrap() {
            0 => JointKind::Revolute { axis, point },
            _ => JointKind::Prismatic { axis },
        };
        link.mass = Number::from(x[9]);
        link.com = [x[6] / x[9], x[7] / x[9], x[8] / x[9]].map(Number::from);
        link.inertia = InertiaDescription::AboutOrigin([x[0], x[1], x[2], x[3], x[4], x[5]].map(Number::from));
        link
    };
    let gravity = json["gravity"].as_array().unwrap();
    Description {
        name: json["name"].as_str().unwrap().to_owned(),
        gravity: [number(&gravity[0]), number(&gravity[1]), number(&gravity[2])],
        allow_unphysical: true,
        links: json["joints"].as_array().unwrap().iter().zip(values.chunks(10)).map(link).collect(),
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/base_parameters.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases: Vec<Case> = file["robots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|json| Case {
            name: json["name"].as_str().unwrap().to_owned(),
            model: Model::from_description(&description(json)).unwrap(),
            json: json.clone(),
        })
        .collect();
    assert_eq!(cases.len(), 16);
    cases
}

fn names(value: &Value) -> Vec<usize> {
    let mut columns: Vec<_> = value.as_array().unwrap().iter().map(|name| labelled(name.as_str().unwrap())).collect();
    columns.sort_unstable();
    columns
}

#[test]
fn counts_kept_parameters_and_parameters_without_effect_are_those_of_the_cases() {
    for Case { name, json, model } in cases() {
        let base = BaseParameters::new(&model);
        assert_eq!(base.method(), Method::Structural);
        assert!(base.notices().is_empty(), "{name}");
        assert_eq!(base.count() as u64, json["n_base"].as_u64().unwrap(), "{name}");
        let per_link: Vec<u64> = base.per_link().iter().map(|&count| count as u64).collect();
        assert_eq!(serde_json::json!(per_link), json["n_base_per_link"], "{name}");
        assert_eq!(base.kept(), names(&json["kept"]), "{name}");
        assert_eq!(base.no_effect(), names(&json["no_effect"]), "{name}");
    }
}

#[test]
fn regrouping_relations_are_those_of_the_cases() {
    for Case { name, json, model } in cases() {
        let base = BaseParameters::new(&model);
        let mut expected = Matrix::zeros(base.count(), base.labels().len());
        for (kept, terms) in json["regrouped"].as_object().unwrap() {
            let row = base.kept().iter().position(|&column| column == labelled(kept)).unwrap();
            for (label, coefficient) in terms.as_object().unwrap() {
                expected[(row, labelled(label))] = fraction(coefficient);
            }
        }
        for (i, (found, expected)) in base.matrix().as_slice().iter().zip(expected.as_slice()).enumerate() {
            assert!((found - expected).abs() <= 1e-14 * expected.abs().max(1.0), "{name} {i}: {found} {expected}");
        }
    }
}

#[test]
fn the_map_to_base_parameters_annihilates_the_null_space_and_has_full_rank() {
    for Case { name, json, model } in cases() {
        let base = BaseParameters::new(&model);
        for null in json["null_basis"].as_array().unwrap() {
            let mut vector = vec![0.0; base.labels().len()];
            for (at, value) in null.as_object().unwrap() {
                vector[column(at.parse().unwrap())] = fraction(value);
            }
            assert!(base.values(&vector).iter().all(|x| x.abs() < 1e-13), "{name}: {null}");
        }
        // Kept columns are the identity: full rank.
        for (row, _) in base.kept().iter().enumerate() {
            for (other, &column) in base.kept().iter().enumerate() {
                assert_eq!(base.matrix()[(row, column)], f64::from(u8::from(row == other)), "{name}");
            }
        }
        let null = base.null_space();
        assert_eq!(null.rows() + base.count(), base.labels().len());
        let product = base.matrix().times(&null.transpose());
        assert!(product.as_slice().iter().all(|&x| x == 0.0), "{name}");
    }
}

#[test]
fn values_and_torques_from_base_parameters_are_those_of_the_cases() {
    for Case { name, json, model } in cases() {
        let base = BaseParameters::new(&model);
        let values = base.values(&closed_form::parameters(&model));
        let expected = json["check"]["base_values"].as_array().unwrap();
        for (kept, expected) in json["kept"].as_array().unwrap().iter().zip(expected) {
            let row = base.kept().iter().position(|&column| column == labelled(kept.as_str().unwrap())).unwrap();
            let expected = fraction(expected);
            assert!((values[row] - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{name} {kept}");
        }
        let mut workspace = Workspace::new(&model);
        for state in json["check"]["states"].as_array().unwrap() {
            let vector = |name: &str| -> Vec<f64> {
                state[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
            };
            let (q, qd, qdd, tau) = (vector("q"), vector("qd"), vector("qdd"), vector("tau"));
            let mut regressor = Matrix::zeros(model.nv(), base.labels().len());
            recursive::regressor_into(&model, &q, &qd, &qdd, &mut workspace, regressor.as_mut_slice());
            let from_base = base_regressor(&model, &regressor).apply(&values);
            let from_all = regressor.apply(&closed_form::parameters(&model));
            for ((found, all), stored) in from_base.iter().zip(&from_all).zip(&tau) {
                let size = all.abs().max(1.0);
                assert!((found - all).abs() <= 1e-12 * size, "{name}: {found} {all}");
                assert!((found - stored).abs() <= 1e-9 * size, "{name}: {found} {stored}");
            }
        }
    }
}

#[test]
fn the_rank_of_the_regressor_is_the_count_with_a_wide_gap() {
    for Case { name, json, model } in cases() {
        let witness = rank::numeric_rank(&model, 7).unwrap();
        assert_eq!(witness.rank as u64, json["n_base"].as_u64().unwrap(), "{name}");
        assert!(witness.gap().is_none_or(|gap| gap > 1e9), "{name}: {witness:?}");
    }
}
