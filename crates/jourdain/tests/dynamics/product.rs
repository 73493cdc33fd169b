//! Every quantity on every kind of robot, with and without wrenches, by every way of computing it: fast formula, closed form,
//! machine code, tape, generated code. All give the same numbers.

use crate::common::random_tree::{Random, random_state};
use crate::generated::{Job, Language, compiler};
use jourdain::compile::CompiledModel;
use jourdain::derive::{DeriveOptions, PackageOptions, package};
use jourdain::formats::{self, Format};
use jourdain::quantity::{Axis, Path, Quantity};
use jourdain::spatial::Wrench;
use jourdain::state::{Inputs, LinkWrench};
use jourdain::{Model, State, Workspace};
use jourdain_symbolic::Compiled;
use rayon::prelude::*;

/// Relative to the largest number of a quantity, or to one.
const TOLERANCE: f64 = 2e-11;

/// A link of three kilograms that sits askew on the one before it.
fn link(name: &str, more: &str) -> String {
    format!(
        "[[link]]\nname = \"{name}\"\nmass = 3.0\ncom = [0.1, 0.05, -0.08]\ninertia = [0.05, 0.004, -0.003, 0.06, 0.002, 0.04]\n\
         origin = {{ xyz = [0.2, -0.1, 0.3], rpy = [0.3, -0.4, 0.5] }}\n{more}\n"
    )
}

/// The robots: one of each kind, with two or three moving links.
fn robots() -> Vec<Model> {
    let motor = "motor = { inertia = 1e-3, ratio = 30.0, viscous = 0.3, coulomb = 0.4 }";
    let elastic =
        "motor = { inertia = 1e-3, ratio = 30.0, stiffness = 900.0, damping = 0.5, viscous = 0.3, coulomb = 0.4 }";
    let rubbing = "motor = { inertia = 1e-3, ratio = 30.0, viscous = 0.3, coulomb = 0.4, root = 0.2, stribeck = 0.3, stribeck_speed = 0.07, offset = 0.6 }";
    let elastic_rubbing = "motor = { inertia = 1e-3, ratio = 30.0, stiffness = 900.0, viscous = 0.3, root = 0.2, stribeck = 0.3, offset = -0.6 }";
    let shaft = "shaft = { with = { b = 1.0, a = -0.4 }, inertia = 1e-3, ratio = 20.0, viscous = 0.3, coulomb = 0.4, root = 0.2, stribeck = 0.3 }";
    let cylinder = "balance = { cylinder = { from = [0.5, 0.2, -0.3], to = [0.3, 0.1, 0.2], force = 400.0, length = 0.6, stiffness = 300.0 } }";
    let gas = "balance = { cylinder = { from = [0.5, 0.2, -0.3], to = [0.3, 0.1, 0.2], force = -400.0, length = 0.6, gas = 2.0 } }";
    let formula = "balance = { formula = \"20*sin(q) - 3*(q - 0.2)^3 + 2/(2 + cos(2*q))\" }";
    let table = "balance = { table = [[-1.5, 30.0], [-0.7, 12.0], [0.1, -5.0], [0.9, -9.0], [1.8, -40.0]] }";
    let spring = "balance = { stiffness = 80.0, rest = 0.3 }";
    let (turn, slide) =
        ("joint = { type = \"revolute\", axis = [0, 1, 0] }", "joint = { type = \"prismatic\", axis = [1, 0, 0] }");
    let helical = "joint = { type = \"helical\", axis = [0, 0, 1], pitch = 0.1 }";
    let mimic =
        "joint = { type = \"revolute\", axis = [0, 0, 1], mimic = { joint = \"a\", multiplier = -1.5, offset = 0.2 } }";
    let of = |kind: &str| format!("joint = {{ type = \"{kind}\" }}");
    let composite = "joint = { type = \"composite\", sequence = [{ type = \"revolute\", axis = [0, 0, 1] }, { type = \"prismatic\", axis = [1, 0, 0] }] }";
    let robots = [
        ("fixed", vec![link("a", turn), link("b", slide), link("c", helical)]),
        ("floating", vec![link("a", &of("free")), link("b", turn), link("c", slide)]),
        ("coupled", vec![link("a", turn), link("b", mimic), link("c", slide)]),
        (
            "elastic",
            vec![link("a", &format!("{turn}\n{elastic}")), link("b", &format!("{slide}\n{elastic}")), link("c", turn)],
        ),
        ("damped", vec![link("a", &format!("{turn}\n{motor}")), link("b", &format!("{slide}\n{motor}"))]),
        (
            "rubbing",
            vec![
                link("a", &format!("{turn}\n{rubbing}")),
                link("b", &format!("{mimic}\n{rubbing}")),
                link("c", &format!("{slide}\n{rubbing}")),
            ],
        ),
        (
            "elastic rubbing",
            vec![link("a", &format!("{turn}\n{elastic_rubbing}")), link("b", &format!("{slide}\n{rubbing}"))],
        ),
        (
            "wrist",
            vec![link("a", &format!("{turn}\n{motor}")), link("b", turn), link("c", &format!("{slide}\n{shaft}"))],
        ),
        (
            "balanced",
            vec![
                link("a", &format!("{turn}\n{motor}\n{cylinder}")),
                link("b", &format!("{mimic}\n{formula}")),
                link("c", &format!("{slide}\n{table}")),
            ],
        ),
        (
            "elastic balanced",
            vec![link("a", &format!("{turn}\n{elastic}\n{gas}")), link("b", &format!("{slide}\n{elastic}\n{spring}"))],
        ),
        ("ball", vec![link("a", &of("spherical")), link("b", &of("universal"))]),
        ("several", vec![link("a", &of("cylindrical")), link("b", composite)]),
        ("plane", vec![link("a", &of("planar")), link("b", turn)]),
        // A regrouped model: M is indefinite, and regular.
        ("unphysical", vec![link("a", turn), link("b", turn).replace("mass = 3.0", "mass = -5.0"), link("c", slide)]),
    ];
    let read = |(name, links): (&str, Vec<String>)| {
        let text = format!("name = \"{name}\"\nallow_unphysical = {}\n{}", name == "unphysical", links.concat());
        let description = formats::read_str(&text, Format::Toml).description.expect(&text);
        Model::from_description(&description).unwrap()
    };
    robots.into_iter().map(read).collect()
}

fn states(model: &Model, loaded: &[usize], random: &mut Random) -> Vec<State> {
    let mut state = |_| {
        let mut state = random_state(model, random);
        state.derivatives = vec![random.vector(model.nv(), 1.0), random.vector(model.nv(), 1.0)];
        let mut wrench = || {
            let numbers = random.vector(6, 10.0);
            Wrench::from_array(std::array::from_fn(|i| numbers[i]))
        };
        let load = |&link: &usize| LinkWrench { link, wrench: wrench(), dot: wrench(), ddot: wrench() };
        state.wrenches = loaded.iter().map(load).collect();
        state
    };
    (0..2).map(&mut state).collect()
}

fn assert_same(what: &str, found: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= TOLERANCE * scale, "{what}: element {index} is {a}, not {b} (scale {scale})");
    }
}

/// All that a robot has: regressors have no columns for shafts.
fn quantities(model: &Model) -> Vec<Quantity> {
    let by_parameters = |axis: &Axis| matches!(axis, Axis::Parameters | Axis::BaseParameters);
    let has_shaft = model.shafts().next().is_some();
    let mut quantities = Quantity::each(model.links().len() - 1);
    quantities.retain(|quantity| !has_shaft || !quantity.entry().shape.0.iter().any(by_parameters));
    quantities
}

fn agree(model: &Model, loaded: &[usize]) {
    const SEED: u64 = 17;
    let quantities = quantities(model);
    // Wrenches stand in another order than the links that were compiled.
    let backwards: Vec<usize> = loaded.iter().rev().copied().collect();
    let states = states(model, &backwards, &mut Random::new(SEED));
    let what = |way: &str, quantity: &Quantity| {
        format!("{} of {}, loads {loaded:?}, {way}, seed {SEED}", quantity.name(model), model.name())
    };
    let mut workspace = Workspace::new(model);
    let options = DeriveOptions { loaded: loaded.to_vec(), ..DeriveOptions::default() };
    let compiled = CompiledModel::new(model, &quantities, &options).unwrap();
    let tape = Compiled::interpreted(compiled.program());
    let m = compiled.output_count();
    let (mut native, mut taped) = (vec![0.0; m], vec![0.0; m]);
    let mut all = Vec::new();
    for state in &states {
        let inputs = compiled.input(state).unwrap();
        compiled.run(&inputs, &mut compiled.scratch(), &mut native);
        tape.run_batch(&inputs, &mut tape.scratch(), &mut taped);
        for (k, quantity) in quantities.iter().enumerate() {
            let fast = quantity.evaluate(Path::Fast, model, state, &mut workspace).unwrap();
            let closed = quantity.evaluate(Path::Closed, model, state, &mut workspace).unwrap();
            assert_same(&what("closed form", quantity), &closed, &fast);
            assert_same(&what("machine code", quantity), &native[compiled.range(k)], &fast);
            assert_same(&what("tape", quantity), &taped[compiled.range(k)], &fast);
        }
        all.extend_from_slice(&native);
    }
    // The same states column by column.
    let column = |of: fn(&State) -> &Vec<f64>| states.iter().flat_map(|state| of(state).clone()).collect::<Vec<f64>>();
    let vectors: [Vec<f64>; 9] = [
        column(|s| &s.q),
        column(|s| &s.qd),
        column(|s| &s.qdd),
        column(|s| &s.qddd),
        column(|s| &s.qdddd),
        column(|s| &s.qd_r),
        column(|s| &s.qdd_r),
        column(|s| &s.qddd_r),
        column(|s| &s.tau),
    ];
    let derivatives: Vec<f64> = states.iter().flat_map(|state| state.derivatives.concat()).collect();
    let wrenches: Vec<LinkWrench<f64>> = states.iter().flat_map(|state| state.wrenches.clone()).collect();
    let [q, qd, qdd, qddd, qdddd, qd_r, qdd_r, qddd_r, tau] = vectors.each_ref().map(Vec::as_slice);
    let columns =
        Inputs { q, qd, qdd, qddd, qdddd, derivatives: &derivatives, qd_r, qdd_r, qddd_r, tau, wrenches: &wrenches };
    let mut out = vec![0.0; all.len()];
    compiled.run_columns(&columns, &mut out).unwrap();
    assert_same(&format!("columns of {}", model.name()), &out, &all);
}

#[test]
fn every_way_gives_the_same_numbers() {
    for model in robots() {
        agree(&model, &[]);
        agree(&model, &[0, model.links().len() - 1]);
    }
}

fn generated(language: Language, model: &Model, loaded: &[usize]) {
    let quantities = quantities(model);
    let mut options = PackageOptions::default();
    options.derive.loaded = loaded.to_vec();
    let package = package(model, &quantities, &options).unwrap();
    let states = states(model, loaded, &mut Random::new(23));
    Job { language, model, package: &package, quantities: &quantities, states: &states }.check();
}

#[test]
fn generated_c_gives_the_same_numbers() {
    if compiler(Language::C) {
        robots().par_iter().for_each(|model| generated(Language::C, model, &[0, model.links().len() - 1]));
    }
}

#[test]
fn generated_python_gives_the_same_numbers() {
    if compiler(Language::Python) {
        robots().par_iter().for_each(|model| generated(Language::Python, model, &[0, model.links().len() - 1]));
    }
}
