//! Base parameters in the corners: coupled joints, rotors on joints of several numbers, geometry that is nearly special.
//!
//! The robots and counts of `suite/base_parameters_coupled.json` were found by another program.

use crate::common::random_structure::coupled_robot;
use crate::common::random_tree::{Random, Shape, random_description};
use jourdain::dynamics::{closed_form, recursive};
use jourdain::formats::{self, Format};
use jourdain::model::Number;
use jourdain::model::description::{
    Description, JointKind, LinkDescription, MimicDescription, MotorDescription, Orientation, Placement,
};
use jourdain::parameters::{
    BaseParameters, Form, base_regressor_at, confirmed_count, effect, exact_rank, minimal_model, nominal, rank,
};
use jourdain::{Matrix, Model, State, Workspace};
use serde_json::{Value, json};
use std::f64::consts::PI;

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
        let error = regressor_error(nominal(&model), &base, 7);
        assert!(error < 1e-11, "{name}: {error:e}");
        let written = model.with_snap(0.0);
        let base = BaseParameters::new(&written);
        assert_eq!(base.count() as u64, case["count_exactly_as_written"].as_u64().unwrap(), "{name} as written");
        // Single precision makes directions of 1e-13 beside 1: as written, numbers of f64 cannot be better than this.
        let error = regressor_error(nominal(&written), &base, 7);
        assert!(error < 1e-7, "{name} as written: {error:e}");
    }
}

#[test]
fn random_coupled_robots_have_as_many_as_the_rank_and_the_same_regressor() {
    let mut coupled = 0;
    for seed in 0..120 {
        let mut random = Random::new(0x00c0_0b1e + seed);
        let Ok(model) = Model::from_description(&coupled_robot(&mut random)) else { continue };
        coupled += usize::from(model.has_mimic());
        let base = BaseParameters::new(&model);
        assert_eq!(exact_rank(&model, 3), Some(base.count()), "seed {seed}");
        assert_eq!(confirmed_count(&model), Some(base.count()), "seed {seed}");
        let error = regressor_error(nominal(&model), &base, seed);
        assert!(error < 1e-10, "seed {seed}: {error:e}");
    }
    assert!(coupled >= 50, "{coupled} robots with coupled joints");
}

#[test]
fn rotors_on_joints_of_every_type_regroup_as_the_exact_rank_says() {
    let mut several = 0;
    for seed in 0..100 {
        let mut random = Random::new(0x0070_7025 + seed);
        let shape = Shape { mimic: false, links: 1 + random.below(4), ..Shape::random(&mut random, 4) };
        let mut description = random_description(shape, &mut random);
        for link in &mut description.links {
            if link.joint.kind != JointKind::Fixed {
                several += usize::from(matches!(link.joint.kind, JointKind::Spherical { .. } | JointKind::Free));
                link.motor = Some(MotorDescription { inertia: Number::from(0.2), ..MotorDescription::default() });
            }
        }
        if random.chance(0.5) {
            description.gravity = [Number::ZERO; 3];
        }
        let model = Model::from_description(&description).unwrap();
        let base = BaseParameters::new(&model);
        assert_eq!(exact_rank(&model, 3), Some(base.count()), "seed {seed}");
        let error = regressor_error(nominal(&model), &base, seed);
        assert!(error < 1e-10, "seed {seed}: {error:e}");
    }
    assert!(several >= 30, "{several} rotors on spherical and free joints");
}

/// A robot of special geometry with one angle, axis, gravity or multiplier off by ε.
fn nearly_special(random: &mut Random, epsilon: f64) -> Description {
    let links = 2 + random.below(3);
    let mut description = Description {
        name: "near".to_owned(),
        gravity: [0.0, 0.0, -9.81].map(Number::from),
        allow_unphysical: true,
        links: Vec::new(),
        states: Vec::new(),
    };
    for i in 0..links {
        let parent = if i == 0 { "base".to_owned() } else { format!("link{}", i - 1) };
        let mut link = LinkDescription::new(format!("link{i}"), parent);
        let angle = |random: &mut Random| [0.0, 0.0, PI / 2.0, -PI / 2.0, PI / 4.0][random.below(5)];
        let orientation = Orientation::Rpy([angle(random), 0.0, angle(random)].map(Number::from));
        let xyz = std::array::from_fn(|_| Number::from(f64::from(random.below(3) as u32) * 0.1));
        link.placement = Placement::Origin { xyz, orientation };
        let axis = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][random.below(3)].map(Number::from);
        link.joint.kind = if random.chance(0.25) {
            JointKind::Prismatic { axis }
        } else {
            JointKind::Revolute { axis, point: [Number::ZERO; 3] }
        };
        link.mass = Number::from(1.5);
        link.com = [0.05, -0.03, 0.11].map(Number::from);
        if random.chance(0.3) {
            link.motor = Some(MotorDescription { inertia: Number::from(0.2), ..MotorDescription::default() });
        }
        description.links.push(link);
    }
    if random.chance(0.4) {
        let multiplier = Number::from(if random.chance(0.3) { 1.0 + epsilon } else { -1.0 });
        let mimic = MimicDescription { joint: "link0".to_owned(), multiplier, offset: Number::ZERO };
        description.links[links - 1].joint.mimic = Some(mimic);
    }
    let at = random.below(links);
    match random.below(3) {
        0 => description.gravity[random.below(2)] = Number::from(9.81 * epsilon),
        1 => {
            if let Placement::Origin { orientation: Orientation::Rpy(rpy), .. } = &mut description.links[at].placement {
                let which = random.below(3);
                rpy[which] = Number::from(rpy[which].value + epsilon);
            }
        }
        _ => {
            let which = random.below(3);
            description.links[at].joint.kind.visit_mut(&mut |_, part| {
                if let jourdain::model::joint::Given::Axis(axis) = part {
                    axis[which] = Number::from(axis[which].value + epsilon);
                }
            });
        }
    }
    description
}

#[test]
fn nearly_special_geometry_never_contradicts_itself() {
    let mut unseen = 0;
    for seed in 0..150 {
        let mut random = Random::new(0x0ea2_5bec + seed);
        let epsilon = 10_f64.powf(random.range(-9.0, -2.0));
        let Ok(model) = Model::from_description(&nearly_special(&mut random, epsilon)) else { continue };
        for snap in [1e-5, 0.0] {
            let model = model.clone().with_snap(snap);
            let base = BaseParameters::new(&model);
            assert_eq!(exact_rank(&model, 3), Some(base.count()), "seed {seed}, ε {epsilon:e}, snap {snap}");
            let error = regressor_error(nominal(&model), &base, seed);
            let bound = if snap > 0.0 { 1e-10 } else { 1e-7 };
            assert!(error < bound, "seed {seed}, ε {epsilon:e}, snap {snap}: {error:e}");
            let seen = rank::singular_values(&model, 5).unwrap().confirm(base.count());
            unseen += usize::from(!seen && snap > 0.0);
        }
    }
    assert!(unseen <= 3, "{unseen} counts that f64 cannot see");
}

fn corner(name: &str) -> Model {
    let path = format!("{}/../../suite/corners/{name}", env!("CARGO_MANIFEST_DIR"));
    model(&serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

/// Base regressor times base parameters, at a state.
fn base_torque(model: &Model, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
    let values = BaseParameters::new(model).values(&closed_form::parameters(model));
    base_regressor_at(model, q, qd, qdd, &mut Workspace::new(model)).apply(&values)
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() <= tolerance * size), "{found:?} {expected:?}");
}

#[test]
fn the_inputs_that_were_answered_wrongly_are_answered_rightly() {
    let free = corner("free_joint_motor.json");
    assert_eq!(BaseParameters::new(&free).count(), 27);
    let (mut q, w) = (free.neutral(), [0.4, -1.1, 0.7, 1.3, -0.2, 0.9]);
    free.retract(&mut q, &[0.1, 0.2, -0.3, 0.5, -0.7, 1.1]);
    let torque = recursive::inverse_dynamics(&free, &q, &w, &w, &[]);
    near(&base_torque(&free, &q, &w, &w), &torque, 1e-13);

    assert_eq!(BaseParameters::new(&corner("near_axis.json")).count(), 10);

    // Nothing is within 1e-5; within 1e-4 the nominal robot has a torque of its own, and the base parameters have it.
    let angle = corner("near_right_angle.json");
    let (q, qd, qdd) = ([0.3, -0.8], [1.0, 2.0], [-1.5, 0.4]);
    let written = recursive::inverse_dynamics(&angle, &q, &qd, &qdd, &[]);
    near(&base_torque(&angle, &q, &qd, &qdd), &written, 1e-13);
    let snapped = angle.with_snap(1.5e-4);
    let meant = recursive::inverse_dynamics(nominal(&snapped), &q, &qd, &qdd, &[]);
    assert!(meant.iter().zip(&written).any(|(x, y)| (x - y).abs() > 1e-5));
    near(&base_torque(&snapped, &q, &qd, &qdd), &meant, 1e-13);
    let minimal = minimal_model(&snapped, Form::Literature);
    near(&recursive::inverse_dynamics(&minimal, &q, &qd, &qdd, &[]), &meant, 1e-13);
    let effect = effect(&snapped, &BaseParameters::new(&snapped), 1);
    let (torque, relative) = effect.largest_difference();
    assert!(torque > 1e-5 && torque < 1e-1 && relative < 1e-2, "{torque} {relative}");
}

#[test]
fn minimal_models_of_coupled_robots_with_rotors_have_their_torques() {
    for seed in 0..40 {
        let mut random = Random::new(0x0123_4567 + seed);
        let Ok(model) = Model::from_description(&coupled_robot(&mut random)) else { continue };
        let minimal = minimal_model(&model, Form::PseudoInertia);
        let mut q = model.neutral();
        model.retract(&mut q, &random.vector(model.nv(), 1.0));
        let (qd, qdd) = (random.vector(model.nv(), 1.0), random.vector(model.nv(), 2.0));
        let found = recursive::inverse_dynamics(&minimal, &q, &qd, &qdd, &[]);
        let expected = recursive::inverse_dynamics(nominal(&model), &q, &qd, &qdd, &[]);
        let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= 1e-10 * size, "seed {seed}: {found} {expected}");
        }
    }
}

/// A planar arm of three joints, the last two led by the first.
fn chain(second: Value, third: Value) -> Value {
    let link = |name: &str, mimic: Value| {
        let mut joint = json!({ "type": "continuous", "axis": [0, 1, 0] });
        if !mimic.is_null() {
            joint["mimic"] = mimic;
        }
        json!({ "name": name, "mass": 1, "com": [0.1, 0, 0.2], "inertia": [0.1, 0, 0, 0.1, 0, 0.1],
                "origin": { "xyz": [0.3, 0, 0], "rpy": [0, 0, 0] }, "joint": joint })
    };
    json!({ "name": "chain", "link": [link("a", Value::Null), link("b", second), link("c", third)] })
}

#[test]
fn a_joint_that_follows_a_follower_follows_the_leader() {
    let through = model(&chain(
        json!({ "joint": "a", "multiplier": 2, "offset": 0.1 }),
        json!({ "joint": "b", "multiplier": -0.5, "offset": 0.25 }),
    ));
    let straight = model(&chain(
        json!({ "joint": "a", "multiplier": 2, "offset": 0.1 }),
        json!({ "joint": "a", "multiplier": -1, "offset": 0.2 }),
    ));
    let torque = |model: &Model| recursive::inverse_dynamics(model, &[0.7], &[1.1], &[-0.4], &[]);
    assert_eq!(torque(&through), torque(&straight));
    assert_eq!(BaseParameters::new(&through).kept(), BaseParameters::new(&straight).kept());
    let circle = chain(json!({ "joint": "c" }), json!({ "joint": "b" }));
    let reading = formats::read_str(&circle.to_string(), Format::Json);
    assert!(reading.description.is_none() && reading.diagnostics.iter().any(|it| it.code == "mimic-loop"));
}

#[test]
fn drives_that_do_nothing_are_none() {
    let robot = |dynamics: &str| {
        format!(
            r#"<robot name="r"><link name="b"/><link name="a"><inertial><mass value="1"/>
               <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
               <joint name="j" type="continuous"><parent link="b"/><child link="a"/>{dynamics}</joint></robot>"#
        )
    };
    let count = |dynamics: &str| {
        let reading = formats::read_str(&robot(dynamics), Format::Urdf);
        BaseParameters::new(&Model::from(reading.description.unwrap())).count()
    };
    assert_eq!((count(""), count("<dynamics/>")), (3, 3));
    assert_eq!(count(r#"<dynamics damping="0" friction="0.0"/>"#), 3);
    assert_eq!(count(r#"<dynamics damping="0.1"/>"#), 5);
}

#[test]
fn multiples_of_pi_are_exact_for_the_analysis() {
    let case = cases().into_iter().find(|case| case["name"] == "forty_five_twice").unwrap();
    let text = case["robot"].to_string();
    assert!(text.contains("-0.785398") && text.contains("0.7854"));
    let exact = text.replace("-0.785398", "\"-pi/4\"").replace("0.7854", "\"pi/4\"");
    let count = |text: &str| BaseParameters::new(&model(&serde_json::from_str(text).unwrap()).with_snap(0.0)).count();
    assert_eq!((count(&text), count(&exact)), (8, 4));
    assert_eq!(count(&exact.replace("pi/4", "3*pi/4")), 4);
}
