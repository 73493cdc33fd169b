//! Base parameters on the robots of `suite/base_parameters.json`, whose answers are exact.

use jourdain::dynamics::{closed_form, recursive};
use jourdain::model::description::{
    Description, DhConvention, DhParameters, GROUND, InertiaDescription, JointKind, LinkDescription, MotorDescription,
    Placement,
};
use jourdain::model::{JointType, Model, Number};
use jourdain::parameters::names::standard_names;
use jourdain::parameters::symbolic::SymbolicRegrouping;
use jourdain::parameters::{
    BaseParameters, Form, Method, base_regressor, eliminations, exact_rank, minimal_model, paper, rank, relations,
    symbolic_relations,
};
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
        states: Vec::new(),
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
fn every_parameter_is_kept_regrouped_or_without_effect() {
    for Case { name, json, model } in cases() {
        let base = BaseParameters::new(&model);
        let [kept, no_effect] = ["kept", "no_effect"].map(|which| names(&json[which]));
        let rest: Vec<usize> =
            (0..base.labels().len()).filter(|column| !kept.contains(column) && !no_effect.contains(column)).collect();
        assert_eq!(base.regrouped(), rest, "{name}");
        // Each of them is felt: it changes base parameters that are kept.
        for column in rest {
            let mut alone = vec![0.0; base.labels().len()];
            alone[column] = 1.0;
            assert!(base.values(&alone).iter().any(|&value| value != 0.0), "{name}: {}", base.labels()[column]);
        }
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
        let witness = rank::singular_values(&model, 7).unwrap();
        let count = json["n_base"].as_u64().unwrap() as usize;
        assert!(witness.confirm(count) && !witness.confirm(count + 1) && !witness.confirm(count - 1), "{name}");
        assert!(witness.gap(count).is_none_or(|gap| gap > 1e9), "{name}: {witness:?}");
    }
}

/// The regrouping relations of the PUMA, GK V with its misprints corrected; what is not listed stays as it is.
const PUMA: [(&str, &str); 17] = [
    ("ZZR1", "ZZ1 + YY2 + YY3 + 2 R3 mZ3 + (D3^2 + R3^2) m3 + (D3^2 + R3^2 + D4^2) (m4 + m5 + m6)"),
    ("XXR2", "XX2 - YY2 - D3^2 (m3 + m4 + m5 + m6)"),
    ("XZR2", "XZ2 - D3 mZ3 - D3 R3 (m3 + m4 + m5 + m6)"),
    ("ZZR2", "ZZ2 + D3^2 (m3 + m4 + m5 + m6)"),
    ("mXR2", "mX2 + D3 (m3 + m4 + m5 + m6)"),
    ("XXR3", "XX3 - YY3 + YY4 + 2 R4 mZ4 + (R4^2 - D4^2) (m4 + m5 + m6)"),
    ("XYR3", "XY3 - D4 mZ4 - D4 R4 (m4 + m5 + m6)"),
    ("ZZR3", "ZZ3 + YY4 + 2 R4 mZ4 + (D4^2 + R4^2) (m4 + m5 + m6)"),
    ("mXR3", "mX3 + D4 (m4 + m5 + m6)"),
    ("mYR3", "mY3 + mZ4 + R4 (m4 + m5 + m6)"),
    ("XXR4", "XX4 - YY4 + YY5"),
    ("ZZR4", "ZZ4 + YY5"),
    ("mYR4", "mY4 - mZ5"),
    ("XXR5", "XX5 - YY5 + YY6"),
    ("ZZR5", "ZZ5 + YY6"),
    ("mYR5", "mY5 + mZ6"),
    ("XXR6", "XX6 - YY6"),
];

#[test]
fn the_puma_with_lengths_as_symbols_has_the_relations_of_the_paper() {
    let puma = cases().into_iter().find(|case| case.name == "puma560_table1").unwrap().model;
    let base = BaseParameters::new(&puma);
    let symbolic = SymbolicRegrouping::new(&puma).unwrap();
    let found = symbolic_relations(&puma, &base, &symbolic).unwrap();
    assert_eq!(found.len(), 36);
    for relation in &found {
        let expected = PUMA.iter().find(|(name, _)| *name == relation.name);
        // A parameter that nothing is regrouped into is itself.
        assert_eq!(relation.formula, expected.map_or(relation.name.as_str(), |(_, formula)| formula));
    }
    assert!(PUMA.iter().all(|(name, _)| found.iter().any(|relation| relation.name == *name)));
    let xx3 = found.iter().find(|relation| relation.name == "XXR3").unwrap();
    assert_eq!(
        xx3.latex,
        r"\mathit{XX}_{R3} = \mathit{XX}_{3} - \mathit{YY}_{3} + \mathit{YY}_{4} + 2\,R_{4}\,\mathit{mZ}_{4} + \left(R_{4}^{2} - D_{4}^{2}\right)\,\left(m_{4} + m_{5} + m_{6}\right)"
    );
}

#[test]
fn symbolic_coefficients_have_the_values_of_the_numeric_ones() {
    for Case { name, model, .. } in cases() {
        let base = BaseParameters::new(&model);
        let symbolic = SymbolicRegrouping::new(&model).unwrap();
        assert_eq!(symbolic.regrouping.kept, base.kept(), "{name}");
        assert!(symbolic_relations(&model, &base, &symbolic).is_some());
        for (row, form) in symbolic.regrouping.forms.iter().enumerate() {
            let mut found = vec![0.0; base.labels().len()];
            for (column, formula) in form {
                found[*column] = formula.evaluate(&|variable| symbolic.symbols.value(variable));
            }
            for (column, found) in found.into_iter().enumerate() {
                let expected = base.matrix()[(row, column)];
                assert!((found - expected).abs() <= 1e-14 * expected.abs().max(1.0), "{name}: {found} {expected}");
            }
        }
    }
}

#[test]
fn minimal_models_have_the_torques_and_mass_matrix_of_the_robot() {
    for Case { name, model, .. } in cases() {
        let n = model.nv();
        let vector = |seed: f64| -> Vec<f64> { (0..n).map(|i| (seed * (i as f64 + 1.3)).sin() * 1.7).collect() };
        let (q, qd, qdd) = (vector(1.0), vector(2.3), vector(3.1));
        let all = |model: &Model| {
            let mut out = closed_form::inverse_dynamics(model, &q, &qd, &qdd, &[]);
            out.extend(closed_form::mass_matrix(model, &q).into_vec());
            out
        };
        let expected = all(&model);
        let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for form in [Form::Literature, Form::PseudoInertia] {
            let minimal = minimal_model(&model, form);
            for (found, expected) in all(&minimal).iter().zip(&expected) {
                assert!((found - expected).abs() <= 1e-12 * size, "{name} {form:?}: {found} {expected}");
            }
            let base = BaseParameters::new(&model);
            for (link, count) in minimal.links().iter().zip(base.per_link()) {
                let e = link.inertia.to_pseudo_inertia();
                let numbers = match form {
                    Form::Literature => link.inertia.to_parameters().to_vec(),
                    Form::PseudoInertia => {
                        vec![e[0][0], e[0][1], e[0][2], e[1][1], e[1][2], e[2][2], e[0][3], e[1][3], e[2][3], e[3][3]]
                    }
                };
                let used = numbers.iter().filter(|x| x.abs() > 1e-12 * size).count();
                assert!(used <= *count, "{name} {form:?} {}: {numbers:?}, {count} base parameters", link.name);
                if form == Form::PseudoInertia && *count == 7 {
                    assert!(e[2][2].abs() <= 1e-12 * size, "{name} {}: E_zz = {}", link.name, e[2][2]);
                }
            }
        }
    }
}

/// A case robot with a rotor at every joint.
fn with_rotors(name: &str) -> Model {
    let case = cases().into_iter().find(|case| case.name == name).unwrap();
    let mut description = case.model.description().clone();
    for (i, link) in description.links.iter_mut().enumerate() {
        let inertia = Number::from(0.1 + 0.03 * i as f64);
        link.motor = Some(MotorDescription { inertia, ratio: Number::from(2.0), ..MotorDescription::default() });
    }
    Model::from_description(&description).unwrap()
}

#[test]
fn rotors_are_absorbed_by_the_first_axis_and_by_the_second_where_it_is_perpendicular() {
    for (name, inertial, with) in [("puma560_table1", 36, 40), ("stanford", 33, 37), ("scara_rrpr", 8, 11)] {
        let model = with_rotors(name);
        let base = BaseParameters::new(&model);
        let joints = model.nv();
        assert_eq!(base.count(), with + 2 * joints, "{name}: {with} and viscous and Coulomb friction");
        assert_eq!(base.per_link().iter().sum::<usize>(), inertial, "{name}");
        assert_eq!(exact_rank(&model, 3), Some(base.count()), "{name}");
        let relation = relations(&model, &base).into_iter().find(|relation| relation.name == "ZZR1").unwrap();
        assert!(relation.formula.ends_with(" + Ia1"), "{name}: {}", relation.formula);
        // The rotor of joint 1 is part of ZZR1 in the minimal model too.
        let minimal = minimal_model(&model, Form::Literature);
        assert_eq!(minimal.links()[0].motor.unwrap().inertia, 0.0);
        let (q, qd) = (vec![0.4; joints], vec![0.7; joints]);
        let found = closed_form::inverse_dynamics(&minimal, &q, &qd, &qd, &[]);
        let expected = closed_form::inverse_dynamics(&model, &q, &qd, &qd, &[]);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{name}: {found} {expected}");
        }
    }
}

#[test]
fn rounded_angles_give_the_structure_that_was_meant_with_a_notice() {
    let case = cases().into_iter().find(|case| case.name == "scara_rrpr").unwrap();
    let mut description = case.model.description().clone();
    let Placement::Dh { parameters, .. } = &mut description.links[2].placement else { panic!("DH") };
    parameters.alpha = Number::parse("3.1416").unwrap();
    let model = Model::from_description(&description).unwrap();
    let base = BaseParameters::new(&model);
    assert_eq!((base.count(), base.notices().len()), (8, 1));
    assert_eq!(base.notices()[0].to_string(), "alpha of link `link3` taken as a multiple of 15°, 7.3e-6 rad away");
    assert!(rank::singular_values(&model, 1).unwrap().confirm(8));
    assert_eq!(exact_rank(&model, 1), Some(8));
}

#[test]
fn the_rules_of_the_paper_find_no_parameter_that_has_an_effect_and_its_bound_holds() {
    for Case { name, json, model } in cases() {
        let serial =
            json["joints"].as_array().unwrap().iter().all(|joint| joint["ant"] == joint["j"].as_u64().unwrap() - 1);
        if !serial {
            continue;
        }
        let poses = jourdain::kinematics::poses(&model, &model.neutral::<f64>());
        let joints: Vec<_> = model
            .links()
            .iter()
            .zip(poses)
            .map(|(link, pose)| paper::Joint {
                revolute: link.joint.kind == JointType::Revolute,
                axis: pose.rotation.column(2).0,
            })
            .collect();
        let base = BaseParameters::new(&model);
        let no_effect = base.no_effect();
        for found in paper::without_effect(&joints, &model.gravity().0) {
            let column = column(10 * found.link + found.parameter);
            assert!(no_effect.contains(&column), "{name}: {}", base.labels()[column]);
        }
        assert!(base.count() <= paper::bound(&joints), "{name}");
    }
}

#[test]
fn every_eliminated_parameter_of_the_puma_has_the_paper_s_equation() {
    let puma = cases().into_iter().find(|case| case.name == "puma560_table1").unwrap().model;
    let base = BaseParameters::new(&puma);
    let names = standard_names(&puma);
    let text = |column: &usize| names[*column].text();
    let found: Vec<_> = eliminations(&puma, &base)
        .iter()
        .map(|it| {
            format!("{} → {}: {}", text(&it.column), it.to.iter().map(text).collect::<Vec<_>>().join(" "), it.reason)
        })
        .collect();
    assert_eq!(found.len(), 24);
    for expected in [
        "XX1 → : GK III-B, rule 3",
        "mX1 → : GK III-B, rule 2",
        "m1 → : GK III-B, rule 2",
        "m2 → : GK (14)",
        "mZ2 → : GK (15)",
        "YY2 → XX2 ZZ1: GK (15)",
        "YY3 → XX3 XX2 YY2: GK (15)",
        "mZ3 → XX2 XZ2 YY2: GK (15)",
        "m4 → m3 mX3 mY3 XX3 XY3 YY3 ZZ3: GK (14)",
        "YY6 → XX6 XX5 ZZ5: GK (15)",
    ] {
        assert!(found.iter().any(|it| it == expected), "{expected} in {found:#?}");
    }
}

#[test]
fn slides_and_restricted_motions_have_their_reasons() {
    let reason = |robot: &str, parameter: &str| {
        let model = cases().into_iter().find(|case| case.name == robot).unwrap().model;
        let base = BaseParameters::new(&model);
        let column = labelled(parameter);
        eliminations(&model, &base).into_iter().find(|it| it.column == column).map(|it| it.reason.to_string())
    };
    assert_eq!(reason("scara_rrpr", "mX3").unwrap(), "GK (19)");
    assert_eq!(reason("stanford", "XY3").unwrap(), "GK (16)");
    assert_eq!(reason("rp_oblique_r", "mZ2").unwrap(), "the joints before it do not show it");
    assert_eq!(reason("gantry_pppr", "mX1").unwrap(), "GK III-B, rule 1");
    assert_eq!(reason("puma560_table1", "ZZ1"), None);
}

#[test]
fn the_structure_does_not_depend_on_the_unit_of_length() {
    for Case { name, json, model } in cases() {
        let base = BaseParameters::new(&model);
        for scale in [1e-6, 1e6] {
            let mut description = description(&json);
            for link in &mut description.links {
                let Placement::Dh { parameters: p, .. } = &mut link.placement else { panic!("DH") };
                for length in [&mut p.a, &mut p.d, &mut p.b] {
                    *length = Number::from(length.value * scale);
                }
            }
            let scaled = BaseParameters::new(&Model::from_description(&description).unwrap());
            assert_eq!(scaled.kept(), base.kept(), "{name}, lengths times {scale}");
            assert_eq!(scaled.no_effect(), base.no_effect(), "{name}, lengths times {scale}");
        }
    }
}

#[test]
fn a_robot_has_one_structure_in_every_format() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/equivalent");
    let mut robots: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    robots.sort();
    let analyse = |path: &std::path::PathBuf| {
        let description = jourdain::formats::read_path(path).description?;
        let model = Model::from_description(&description).unwrap();
        let base = BaseParameters::new(&model);
        let moving: usize = base.count();
        assert_eq!(exact_rank(&model, 2), Some(moving), "{}", path.display());
        Some((path.file_stem()?.to_str()?.to_owned(), base))
    };
    let found: Vec<_> = robots.iter().filter_map(analyse).collect();
    assert!(found.len() >= 5, "{} robots", found.len());
    for robot in ["arm6", "tree5"] {
        let counts: Vec<_> =
            found.iter().filter(|(name, _)| name.starts_with(robot)).map(|(_, base)| base.count()).collect();
        assert!(counts.len() >= 2 && counts.iter().all(|count| *count == counts[0]), "{robot}: {counts:?}");
    }
}
