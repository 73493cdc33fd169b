//! What the integration tests share: the reference cases, comparison of arrays, random robots.

// Each test file uses its own part of this.
#![allow(dead_code)]

pub mod planar_arm;
pub mod random_structure;
pub mod random_tree;

use jourdain::model::description::{
    Description, InertiaDescription, JointKind, LinkDescription, Orientation, Placement, ScrewDescription, ScrewKind,
};
use jourdain::model::{Model, Motion, Number};
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Matrix, State};
use serde_json::Value;

/// One state of `suite/dynamics.json` with its stored outputs.
pub struct Case {
    pub id: String,
    pub model: Model,
    pub state: State,
    /// The variable of `dM_dqh`, `dC_dqh` and `dC_dqdh`.
    pub h: usize,
    /// The outputs as they stand in the file.
    pub outputs: Value,
}

impl Case {
    /// A stored output, row by row.
    pub fn output(&self, name: &str) -> Vec<f64> {
        let mut out = Vec::new();
        flatten(&self.outputs[name], &mut out);
        assert!(!out.is_empty(), "{} has no output {name}", self.id);
        out
    }

    /// A stored regressor with its columns in jourdain's order.
    pub fn regressor(&self, name: &str) -> Vec<f64> {
        // In the file: m, mX, mY, mZ, XX, YY, ZZ, XY, XZ, YZ.
        const PLACE: [usize; 10] = [0, 1, 2, 3, 4, 7, 8, 5, 9, 6];
        let stored = self.output(name);
        let columns = 10 * self.model.links().len();
        let place = |c: usize| c / 10 * 10 + PLACE[c % 10];
        (0..stored.len()).map(|at| stored[at / columns * columns + place(at % columns)]).collect()
    }
}

/// All states of `suite/dynamics.json`.
pub fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/dynamics.json");
    let suite: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let case = |case: &Value| {
        let name = case["model"].as_str().unwrap();
        let model = Model::from_description(&description(name, &suite["models"][name])).unwrap();
        let state = state(&model, &case["inputs"]).checked(&model).unwrap();
        Case {
            id: case["id"].as_str().unwrap().to_owned(),
            h: case["h"].as_u64().unwrap() as usize,
            model,
            state,
            outputs: case["outputs"].clone(),
        }
    };
    suite["cases"].as_array().unwrap().iter().map(case).collect()
}

/// Largest difference over max(1, largest expected value).
pub fn error(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len(), "shapes differ");
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let difference = |(a, b): (&f64, &f64)| if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() };
    found.iter().zip(expected).map(difference).fold(0.0, f64::max) / scale
}

/// That [`error`] is at most `tolerance`.
#[track_caller]
pub fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let error = error(found, expected);
    assert!(error <= tolerance, "{what}: error {error:.3e} above {tolerance:.1e}");
}

/// [`assert_close`] for matrices.
#[track_caller]
pub fn assert_matrix_close(what: &str, found: &Matrix<f64>, expected: &Matrix<f64>, tolerance: f64) {
    assert_eq!((found.rows(), found.columns()), (expected.rows(), expected.columns()), "{what}: shape");
    assert_close(what, found.as_slice(), expected.as_slice(), tolerance);
}

fn flatten(value: &Value, out: &mut Vec<f64>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, out)),
        _ => out.extend(value.as_f64()),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    let mut out = Vec::new();
    flatten(value, &mut out);
    out
}

/// `N` numbers as a robot file has them; zeros where there are none.
fn described<const N: usize>(value: &Value) -> [Number; N] {
    let numbers = numbers(value);
    std::array::from_fn(|i| Number::from(numbers.get(i).copied().unwrap_or(0.0)))
}

/// A model of `suite/dynamics.json` as a description.
fn description(name: &str, model: &Value) -> Description {
    let bodies = model["bodies"].as_array().unwrap();
    // `base` is the ground in a description.
    let body_name = |body: &Value| match body["name"].as_str().unwrap() {
        "base" => "trunk".to_owned(),
        name => name.to_owned(),
    };
    let link = |body: &Value| {
        let parent = usize::try_from(body["parent"].as_i64().unwrap())
            .map_or_else(|_| "base".to_owned(), |index| body_name(&bodies[index]));
        let mut link = LinkDescription::new(body_name(body), parent);
        link.mass = Number::from(body["mass"].as_f64().unwrap());
        link.com = described(&body["com"]);
        link.inertia = InertiaDescription::AboutCom(described(&body["inertia_com_xx_xy_xz_yy_yz_zz"]));
        let placement = &body["placement"];
        let orientation = Orientation::Quaternion(described(&placement["quat_wxyz"]));
        link.placement = Placement::Origin { xyz: described(&placement["p"]), orientation };
        link.joint.kind = joint(&body["joint"]);
        link
    };
    Description {
        name: name.to_owned(),
        gravity: described(&model["gravity"]),
        allow_unphysical: name.contains("nosteiner"),
        links: bodies.iter().map(link).collect(),
        states: Vec::new(),
    }
}

fn joint(joint: &Value) -> JointKind {
    let (axis, point) = (described(&joint["axis"]), described(&joint["point"]));
    match joint["type"].as_str().unwrap() {
        "revolute" => JointKind::Revolute { axis, point },
        "prismatic" => JointKind::Prismatic { axis },
        "helical" => JointKind::Helical { axis, point, pitch: described::<1>(&joint["pitch"])[0] },
        "spherical" => JointKind::Spherical { point },
        "free" => JointKind::Free,
        "composite" => {
            JointKind::Composite { sequence: joint["sequence"].as_array().unwrap().iter().map(screw).collect() }
        }
        other => panic!("joint type {other}"),
    }
}

fn screw(screw: &Value) -> ScrewDescription {
    let kind = match screw["type"].as_str().unwrap() {
        "revolute" => ScrewKind::Revolute,
        "prismatic" => ScrewKind::Prismatic,
        "helical" => ScrewKind::Helical,
        other => panic!("screw type {other}"),
    };
    let pitch = described::<1>(&screw["pitch"])[0];
    ScrewDescription { kind, axis: described(&screw["axis"]), point: described(&screw["point"]), pitch }
}

fn state(model: &Model, inputs: &Value) -> State {
    let mut q = Vec::new();
    for (link, value) in model.links().iter().zip(inputs["q"].as_array().unwrap()) {
        match link.joint.motion {
            Motion::Product(_) => flatten(value, &mut q),
            Motion::Spherical { .. } => flatten(&value["quat_wxyz"], &mut q),
            Motion::Free => {
                flatten(&value["p"], &mut q);
                flatten(&value["quat_wxyz"], &mut q);
            }
        }
    }
    // The file has what the body exerts; jourdain what is applied to the link.
    let wrench = |load: &Value, order: &str| {
        let part = |name: &str| numbers(&load[format!("{name}{order}")]);
        let stack = [part("force"), part("moment")].concat();
        -Wrench::from_array(std::array::from_fn(|i| stack.get(i).copied().unwrap_or(0.0)))
    };
    let load = |load: &Value| LinkWrench {
        link: load["body"].as_u64().unwrap() as usize,
        wrench: wrench(load, ""),
        dot: wrench(load, "_d"),
        ddot: wrench(load, "_dd"),
    };
    let vector = |name: &str| numbers(&inputs[name]);
    State {
        q,
        qd: vector("qd"),
        qdd: vector("qdd"),
        qddd: vector("qddd"),
        qdddd: vector("qdddd"),
        derivatives: vec![vector("q5"), vector("q6")],
        qd_r: vector("qd_r"),
        qdd_r: vector("qdd_r"),
        qddd_r: vec![0.0; model.nv()],
        tau: vec![0.0; model.nv()],
        wrenches: inputs["wrenches"].as_array().map_or_else(Vec::new, |loads| loads.iter().map(load).collect()),
    }
}
