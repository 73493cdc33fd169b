//! Mass matrices without an inverse: refused with the joint on every path, found by the check; and everything that has an
//! inverse is not refused, however small, however large, however far from a body.

use crate::common::random_tree::{Random, Shape, for_each_tree, random_description, random_state};
use jourdain::batch::evaluate_batch;
use jourdain::derive::{DeriveError, DeriveOptions, PackageOptions, package};
use jourdain::dynamics::recursive::check_regular;
use jourdain::elastic::ElasticModel;
use jourdain::formats::{self, Format};
use jourdain::model::Number;
use jourdain::model::check::check;
use jourdain::model::description::{Description, InertiaDescription};
use jourdain::prescribed::Reference;
use jourdain::quantity::{Path, Quantity, QuantityError};
use jourdain::simulate::{AdaptiveLaw, Elastic, Gains, Law, Method, Rigid, Simulation, Start, Torque};
use jourdain::state::Inputs;
use jourdain::{Model, State, Workspace};
use std::ops::ControlFlow;

const INVERTING: [&str; 5] = [
    "forward_dynamics",
    "forward_dynamics_dq",
    "forward_dynamics_dqd",
    "mass_matrix_inverse",
    "mass_matrix_inverse_dq",
];

fn corner(name: &str) -> Model {
    let path = format!("{}/../../suite/corners/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Model::from_description(&formats::load(path).unwrap().0).unwrap()
}

fn read(text: &str) -> Model {
    let description = formats::read_str(text, Format::Json).description.expect(text);
    Model::from_description(&description).unwrap()
}

fn codes(text: &str) -> Vec<(&'static str, String)> {
    let reading = formats::read_str(text, Format::Json);
    reading.diagnostics.iter().filter(|d| d.code != "missing-limits").map(|d| (d.code, d.message.clone())).collect()
}

fn state(model: &Model, q: &[f64]) -> State {
    let numbers = |scale: f64| (0..model.nv()).map(|i| scale * (1.0 + 0.3 * i as f64)).collect();
    State { q: q.to_vec(), qd: numbers(0.4), tau: numbers(1.0), ..State::neutral(model) }
}

/// The joint that every path names.
fn refused(model: &Model, state: &State) -> String {
    let quantities: Vec<Quantity> = INVERTING.iter().map(|name| Quantity::parse(name, model).unwrap()).collect();
    let mut workspace = Workspace::new(model);
    let mut joints = Vec::new();
    let mut note = |way: &str, error: QuantityError| match error {
        QuantityError::Singular(singular) => {
            assert!(singular.pivot.abs() <= singular.least, "{way}: {singular}");
            assert!(singular.to_string().contains(&singular.joint), "{singular}");
            joints.push(singular.joint);
        }
        other => panic!("{way}: {other}"),
    };
    for (quantity, name) in quantities.iter().zip(INVERTING) {
        for path in [Path::Fast, Path::Closed] {
            note(name, quantity.evaluate(path, model, state, &mut workspace).unwrap_err());
        }
        let one = std::slice::from_ref(quantity);
        let (_, error) = evaluate_batch(one, Path::Fast, model, &vec![state.clone(); 2100], |_| ()).unwrap_err();
        note("batch", error);
        // What is singular everywhere is not compiled at all.
        let compiled = match model.compile(one) {
            Ok(compiled) => compiled,
            Err(DeriveError::Quantity(error)) => {
                note("compile", error);
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let mut out = vec![0.0; compiled.output_count()];
        compiled.run(&compiled.input(state).unwrap(), &mut compiled.scratch(), &mut out);
        assert!(out.iter().any(|x| !x.is_finite()), "machine code gives {out:?} for {name}");
        let tape = jourdain_symbolic::Compiled::interpreted(compiled.program());
        tape.run_batch(&compiled.input(state).unwrap(), &mut tape.scratch(), &mut out);
        assert!(out.iter().any(|x| !x.is_finite()), "the tape gives {out:?} for {name}");
        let columns = Inputs { q: &state.q, qd: &state.qd, tau: &state.tau, ..Inputs::default() };
        note("columns", compiled.run_columns(&columns, &mut out).unwrap_err());
    }
    joints.dedup();
    assert_eq!(joints.len(), 1, "{joints:?}");
    joints.remove(0)
}

#[test]
fn a_massless_link_between_coaxial_joints_is_refused_everywhere_and_named() {
    let model = corner("massless_between_coaxial");
    let here = state(&model, &[0.1, 0.2]);
    assert_eq!(refused(&model, &here), "a");
    let findings = check(model.description());
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.code, "no-inertia");
    assert!(finding.message.contains("`a`, `b`"), "{}", finding.message);
    let quantity = Quantity::parse("forward_dynamics", &model).unwrap();
    let package = package(&model, &[quantity], &PackageOptions::default());
    assert!(package.is_err_and(|error| error.to_string().contains("singular")));
}

#[test]
fn rotors_hold_and_bodies_without_extent_do_not() {
    let named = |text: &str| {
        let model = read(text);
        let neutral = State::neutral(&model);
        check_regular(&model, &neutral.q, &mut Workspace::new(&model))
            .map_or_else(|error| error.joint, |()| String::new())
    };
    // Seen from the tips inwards, `b` comes before `a`, which nothing holds; a rotor holds `b`, with a body of just its inertia and without.
    for inertia in ["", r#""mass": 1, "inertia": [0.5, 0, 0, 0.5, 0, 0.5],"#] {
        let text = format!(
            r#"{{"name": "r", "link": [{{"name": "a", "joint": {{"type": "continuous"}}}},
            {{"name": "b", {inertia} "parent": "base", "joint": {{"type": "continuous"}}, "motor": {{"inertia": 0.5}}}}]}}"#
        );
        assert_eq!(named(&text), "a", "{text}");
    }
    // Two joints about one axis turn the same bodies, however these move against each other: only what is left of `a` after the others is nothing.
    let body = |com: &str| format!(r#""mass": 2, "com": {com}, "inertia": [0.1, 0.01, 0.02, 0.2, 0.03, 0.3]"#);
    let (near, far) = (body("[0.3, 0.1, 0.2]"), body("[0.2, -0.1, 0.1]"));
    let coupled = format!(
        r#"{{"name": "r", "link": [{{"name": "a", "joint": {{"type": "continuous"}}}},
        {{"name": "b", {near}, "joint": {{"type": "continuous"}}}},
        {{"name": "c", {far}, "origin": {{"xyz": [0.4, 0, 0.1], "rpy": [1, 0.2, 0]}}, "joint": {{"type": "continuous"}}}},
        {{"name": "d", {near}, "origin": {{"xyz": [0.2, 0.1, 0]}}, "joint": {{"type": "continuous", "mimic": {{"joint": "c", "multiplier": 0.5}}}}}},
        {{"name": "e", {far}, "origin": {{"xyz": [0.3, 0.2, 0.1], "rpy": [0.5, 0.7, 0]}}, "joint": {{"type": "continuous"}}}}]}}"#
    );
    assert_eq!(named(&coupled), "a");
    assert_eq!(named(&coupled.replacen(r#""name": "a","#, r#""name": "a", "motor": {"inertia": 1e-3},"#, 1)), "");
    // A point that floats does not resist being turned.
    let point = r#"{"name": "p", "link": [{"name": "point", "mass": 2, "joint": {"type": "free"}}]}"#;
    let said = named(point);
    assert!(said.starts_with("point") && said != "point", "{said}");
}

fn simulated(simulation: &Simulation<'_>) -> String {
    simulation.run(&mut |_| ControlFlow::Continue(())).map(|_| String::new()).unwrap_or_else(|error| error.to_string())
}

#[test]
fn no_law_and_no_method_simulates_a_singular_robot() {
    let model = corner("massless_between_coaxial");
    let robot = Rigid::new(&model);
    let laws = [
        Law::None,
        Torque::Constant(vec![1.0, 2.0]).into(),
        Law::Pd(Gains::uniform(100.0, 20.0)),
        Law::PdGravity(Gains::uniform(100.0, 20.0)),
        Law::ComputedTorque(Gains::uniform(100.0, 20.0)),
        Law::FeedForward(Gains::uniform(100.0, 20.0)),
        Law::Adaptive(AdaptiveLaw::default()),
    ];
    for law in laws {
        for method in [Method::Rk4, Method::adaptive(1e-8), Method::implicit(1e-8), Method::Auto { tolerance: 1e-8 }] {
            let mut simulation = Simulation::new(&robot);
            simulation.law = law.clone();
            simulation.start = Start::State { q: vec![0.1, 0.2], qd: vec![0.3, 0.0] };
            simulation.reference = Some(Reference::Rest(vec![0.3, 0.1]));
            (simulation.options.method, simulation.options.duration) = (method, 0.05);
            let said = simulated(&simulation);
            assert!(said.contains("singular") && said.contains("`a`"), "{} by {}: {said}", law.name(), method.name());
        }
    }
}

#[test]
fn an_elastic_robot_without_link_inertia_is_refused() {
    let text = r#"{"name": "e", "link": [{"name": "a", "joint": {"type": "continuous"}, "motor": {"inertia": 1, "stiffness": 100}},
        {"name": "b", "mass": 1, "com": [0.1, 0.2, 0], "inertia": [0.1, 0, 0, 0.1, 0, 0.1], "joint": {"type": "continuous"},
         "motor": {"inertia": 1, "stiffness": 100}}]}"#;
    let model = read(text);
    let elastic = ElasticModel::new(&model).unwrap();
    let robot = Elastic::new(&elastic);
    let mut simulation = Simulation::new(&robot);
    simulation.options.duration = 0.05;
    let said = simulated(&simulation);
    assert!(said.contains("singular") && said.contains("`a`"), "{said}");
    assert_eq!(codes(text).len(), 1, "{:?}", codes(text));
}

/// Three joints through one point, axes z, y, z, two massless links between: in the position 0 of the middle one the outer
/// two are one axis.
const WRIST: &str = r#"{"name": "wrist", "link": [
    {"name": "a", "joint": {"type": "continuous"}},
    {"name": "b", "joint": {"type": "continuous", "axis": [0, 1, 0]}},
    {"name": "c", "mass": 1, "com": [0.1, 0.2, 0.3], "inertia": [0.1, 0, 0, 0.2, 0, 0.15], "joint": {"type": "continuous"}}]}"#;

#[test]
fn a_wrist_is_refused_in_its_gimbal_lock_alone_and_the_check_is_silent() {
    let model = read(WRIST);
    assert_eq!(refused(&model, &state(&model, &[0.4, 0.0, -0.3])), "a");
    for middle in [1e-4, 0.3, 1.5] {
        let here = state(&model, &[0.4, middle, -0.3]);
        let q = Quantity::parse("forward_dynamics", &model).unwrap();
        let [fast, closed] =
            [Path::Fast, Path::Closed].map(|path| q.evaluate(path, &model, &here, &mut Workspace::new(&model)));
        crate::common::assert_close("q̈", &fast.unwrap(), &closed.unwrap(), 1e-6);
    }
    assert_eq!(codes(WRIST), []);
}

#[test]
fn sets_of_joints_without_inertia_are_named_one_by_one() {
    let massive = r#""mass": 1, "com": [0.1, 0.2, 0], "inertia": [0.1, 0, 0, 0.1, 0, 0.1]"#;
    let turn = |name: &str, parent: &str, more: &str| {
        format!(r#"{{"name": "{name}", "parent": "{parent}", {more} "joint": {{"type": "continuous"}}}}"#)
    };
    let robot = |links: &[String]| format!(r#"{{"name": "r", "link": [{}]}}"#, links.join(","));
    let full = format!("{massive},");
    // Two pairs in two branches, and a sound joint.
    let text = robot(&[
        turn("a", "base", ""),
        turn("b", "a", &full),
        turn("c", "base", ""),
        turn("d", "c", &full),
        turn("e", "b", &format!(r#""origin": {{"xyz": [1, 0, 0], "rpy": [1, 0, 0]}}, {full}"#)),
    ]);
    let found = codes(&text);
    assert_eq!(found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["no-inertia"; 2], "{found:?}");
    assert!(found.iter().any(|(_, message)| message.contains("`a`, `b`")), "{found:?}");
    assert!(found.iter().any(|(_, message)| message.contains("`c`, `d`")), "{found:?}");
    // A rotor on one of them is enough.
    let rotor = text.replacen(r#""parent": "base", "#, r#""parent": "base", "motor": {"inertia": 1e-4}, "#, 2);
    assert_eq!(codes(&rotor), []);
    // Three sliding joints along two directions: the plane is moved by two of them.
    let slide = |name: &str, parent: &str, axis: &str, more: &str| {
        format!(
            r#"{{"name": "{name}", "parent": "{parent}", {more} "joint": {{"type": "prismatic", "axis": {axis}, "limits": [-1, 1]}}}}"#
        )
    };
    let text = robot(&[
        slide("x", "base", "[1, 0, 0]", ""),
        slide("y", "x", "[0, 1, 0]", ""),
        slide("d", "y", "[1, 1, 0]", &full),
    ]);
    let found = codes(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("`x`, `y`, `d`"), "{found:?}");
}

/// The same robot in another unit of mass.
fn heavier(description: &Description, factor: f64) -> Description {
    let mut robot = description.clone();
    let times = |number: &mut Number| *number = Number::from(number.value * factor);
    for link in &mut robot.links {
        times(&mut link.mass);
        match &mut link.inertia {
            InertiaDescription::AboutCom(elements)
            | InertiaDescription::AboutOrigin(elements)
            | InertiaDescription::AboutComRotated { elements, .. } => elements.iter_mut().for_each(times),
        }
        if let Some(motor) = &mut link.motor {
            times(&mut motor.inertia);
        }
    }
    robot
}

fn is_solved(model: &Model, what: &str) {
    let here = random_state(model, &mut Random::new(1000));
    for name in ["forward_dynamics", "mass_matrix_inverse"] {
        let quantity = Quantity::parse(name, model).unwrap();
        let found = quantity.evaluate(Path::Fast, model, &here, &mut Workspace::new(model));
        assert!(found.is_ok(), "{what}: {:?}", found.err());
    }
}

#[test]
fn robots_of_any_weight_are_solved() {
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let shape = Shape::random(random, 8);
        let description = random_description(shape, random);
        for factor in [1e-20, 1e-9, 1e9] {
            let model = Model::from_description(&heavier(&description, factor)).unwrap();
            is_solved(&model, &format!("seed {seed}, masses by {factor}"));
        }
    }
}

#[test]
fn robots_of_any_size_are_solved() {
    for length in [1e-9, 1e-6, 1e-3, 1e3, 1e6] {
        for mass in [1e-12, 1.0, 1e6] {
            let link = |name: &str, kind: &str| {
                let [l, i] = [0.1 * length, 0.01 * mass * length * length];
                format!(
                    r#"{{"name": "{name}", "mass": {mass:e}, "com": [{l:e}, 0, {l:e}], "inertia": [{i:e}, 0, 0, {i:e}, 0, {i:e}],
                        "origin": {{"xyz": [{length:e}, 0, 0], "rpy": [0.5, 0.2, 0]}}, "joint": {{"type": "{kind}", "axis": [0, 0, 1]}}}}"#
                )
            };
            let kinds = ["revolute", "prismatic", "revolute", "revolute", "prismatic", "revolute"];
            let links: Vec<String> = kinds.iter().enumerate().map(|(k, kind)| link(&format!("l{k}"), kind)).collect();
            let model = read(&format!(r#"{{"name": "r", "link": [{}]}}"#, links.join(",")));
            is_solved(&model, &format!("lengths by {length}, masses by {mass}"));
        }
    }
}

#[test]
fn a_condition_of_a_million_millions_is_no_reason_to_refuse() {
    // A thumb of a microgram on an arm of a ton, and a rotor of 1e-12 of what it carries.
    let text = r#"{"name": "arm", "link": [
        {"name": "a", "mass": 1000, "com": [1, 0, 0], "inertia": [100, 0, 0, 100, 0, 100], "joint": {"type": "continuous"}},
        {"name": "b", "parent": "a", "origin": {"xyz": [2, 0, 0]}, "mass": 1e-9, "com": [0.01, 0, 0], "inertia": [1e-14, 0, 0, 1e-14, 0, 1e-14],
         "joint": {"type": "continuous"}},
        {"name": "c", "parent": "a", "joint": {"type": "continuous", "axis": [0, 1, 0]}, "motor": {"inertia": 1e-10}},
        {"name": "d", "parent": "c", "mass": 100, "com": [0, 1, 0], "inertia": [1, 0, 0, 1, 0, 1], "joint": {"type": "continuous", "axis": [0, 1, 0]}}]}"#;
    let model = read(text);
    let here = state(&model, &[0.3, -0.4, 0.5, 0.2]);
    let quantity = Quantity::parse("forward_dynamics", &model).unwrap();
    let fast = quantity.evaluate(Path::Fast, &model, &here, &mut Workspace::new(&model)).unwrap();
    // M q̈ + h is τ again.
    let back = State { qdd: fast, ..here.clone() };
    let torque = Quantity::parse("inverse_dynamics", &model).unwrap();
    let tau = torque.evaluate(Path::Closed, &model, &back, &mut Workspace::new(&model)).unwrap();
    crate::common::assert_close("τ", &tau, &here.tau, 1e-3);
}

#[test]
fn an_indefinite_mass_matrix_is_solved_alike_on_every_path() {
    let model = corner("indefinite_mass_matrix");
    let here = state(&model, &[0.1, 0.2]);
    let mass = Quantity::parse("mass_matrix", &model).unwrap();
    let m = mass.evaluate(Path::Closed, &model, &here, &mut Workspace::new(&model)).unwrap();
    let m = nalgebra::DMatrix::from_row_slice(2, 2, &m);
    assert!(m.clone().symmetric_eigenvalues().min() < 0.0);
    let bias = Quantity::parse("inverse_dynamics", &model).unwrap();
    let h = bias.evaluate(Path::Closed, &model, &here, &mut Workspace::new(&model)).unwrap();
    let driving = nalgebra::DVector::from_iterator(2, here.tau.iter().zip(&h).map(|(tau, h)| tau - h));
    let expected = m.lu().solve(&driving).unwrap();
    for name in INVERTING {
        let quantity = Quantity::parse(name, &model).unwrap();
        let [fast, closed] = [Path::Fast, Path::Closed]
            .map(|path| quantity.evaluate(path, &model, &here, &mut Workspace::new(&model)).unwrap());
        crate::common::assert_close(name, &fast, &closed, 1e-12);
        let compiled = jourdain::compile::CompiledModel::new(&model, &[quantity], &DeriveOptions::default()).unwrap();
        let mut out = vec![0.0; fast.len()];
        compiled.run(&compiled.input(&here).unwrap(), &mut compiled.scratch(), &mut out);
        crate::common::assert_close(name, &out, &fast, 1e-12);
        if name == "forward_dynamics" {
            crate::common::assert_close("q̈ by LU", &fast, expected.as_slice(), 1e-12);
        }
    }
    let robot = Rigid::new(&model);
    let mut simulation = Simulation::new(&robot);
    simulation.options.duration = 0.1;
    assert_eq!(simulated(&simulation), "");
}

#[test]
fn sound_random_robots_are_neither_refused_nor_reported() {
    for_each_tree(150, 20, |model, state| {
        let quantity = Quantity::parse("forward_dynamics", model).unwrap();
        let [fast, closed] =
            [Path::Fast, Path::Closed].map(|path| quantity.evaluate(path, model, state, &mut Workspace::new(model)));
        crate::common::assert_close("q̈", &fast.unwrap(), &closed.unwrap(), 1e-8);
        let findings = check(model.description());
        assert!(findings.iter().all(|finding| finding.code != "no-inertia"), "{findings:?}");
    });
}
