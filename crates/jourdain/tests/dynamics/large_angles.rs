//! Joints that have turned many times: every quantity at 10⁵, 10⁸ and 10¹⁶ rad, by every way of computing it, is what it is
//! at the same angle less its whole turns.
//!
//! The witness is the standard library's sine and cosine, right to the last digit at any angle: the angle between −π and π
//! that has them. Only robots that turn can tell; what slides or screws along remembers its turns, and is compared with the
//! closed form, which knows no frames but those of the file.

use crate::common::random_tree::{Random, random_state};
use crate::generated::{Job, Language, compiler};
use jourdain::compile::CompiledModel;
use jourdain::derive::{DeriveOptions, PackageOptions, Simplify, package};
use jourdain::formats::{self, Format};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};
use jourdain_symbolic::Compiled;

/// Relative to the largest number of a quantity, or to one.
const TOLERANCE: f64 = 1e-12;

const ANGLES: [f64; 6] = [1e5, -100_000.3, 1e8, -123_456_789.123, 1e16, -9.007_199_254_740_994e15];

fn link(name: &str, more: &str) -> String {
    format!(
        "[[link]]\nname = \"{name}\"\nmass = 1.5\ncom = [0.1, 0.05, -0.08]\ninertia = [0.05, 0.004, -0.003, 0.06, 0.002, 0.04]\n{more}\n"
    )
}

fn read(name: &str, head: &str, links: &[String]) -> Model {
    let text = format!("name = \"{name}\"\n{head}\n{}", links.concat());
    let description = formats::read_str(&text, Format::Toml).description.expect(&text);
    Model::from_description(&description).unwrap()
}

/// Frames askew, a coupled joint with an offset, and both conventions of Denavit and Hartenberg with angles of their own.
fn turning_robots() -> Vec<Model> {
    let askew = "origin = { xyz = [0.2, -0.1, 0.3], rpy = [0.3, -0.4, 0.5] }";
    let turn = |axis: &str| format!("{askew}\njoint = {{ type = \"continuous\", axis = {axis} }}");
    let mimic = format!(
        "{askew}\njoint = {{ type = \"continuous\", axis = [0, 0.6, 0.8], mimic = {{ joint = \"a\", multiplier = -2, offset = 0.7 }} }}"
    );
    let dh = |theta: f64| {
        format!("dh = {{ a = 0.3, alpha = 0.4, d = 0.1, theta = {theta} }}\njoint = {{ type = \"continuous\" }}")
    };
    let dh_links = || [link("a", &dh(0.3)), link("b", &dh(-1.1)), link("c", &dh(std::f64::consts::FRAC_PI_2))];
    vec![
        read(
            "askew",
            "",
            &[link("a", &turn("[0, 1, 0]")), link("b", &turn("[1, 0, 0]")), link("c", &turn("[1, 2, 3]"))],
        ),
        read("coupled", "", &[link("a", &turn("[0, 1, 0]")), link("b", &mimic), link("c", &turn("[0, 0, 1]"))]),
        read("modified", "dh = \"modified\"", &dh_links()),
        read("standard", "dh = \"standard\"", &dh_links()),
    ]
}

fn states(model: &Model) -> Vec<State> {
    let mut random = Random::new(31);
    let state = |(k, angle): (usize, &f64)| {
        let mut state = random_state(model, &mut random);
        state.derivatives = vec![random.vector(model.nv(), 1.0), random.vector(model.nv(), 1.0)];
        // One large angle, then all of them.
        state.q[k % model.nq()] = *angle;
        if k % 2 == 1 {
            state.q.iter_mut().enumerate().for_each(|(i, q)| *q = angle + f64::from(i as u32) * 0.7);
        }
        state
    };
    ANGLES.iter().enumerate().map(state).collect()
}

/// The same joints without their whole turns.
fn unwound(state: &State) -> State {
    let mut state = state.clone();
    state.q.iter_mut().for_each(|q| *q = q.sin().atan2(q.cos()));
    state
}

fn assert_same(what: &str, found: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= TOLERANCE * scale, "{what}: element {index} is {a}, not {b} (scale {scale})");
    }
}

/// True for a quantity that gives positions themselves, which are not the same after a turn.
fn gives_angles(quantity: &Quantity) -> bool {
    quantity.entry().name == "elastic_motor_position"
}

#[test]
fn every_quantity_forgets_whole_turns_on_every_path() {
    for model in turning_robots() {
        let mut quantities = Quantity::each(model.links().len() - 1);
        quantities.retain(|quantity| !gives_angles(quantity));
        let mut workspace = Workspace::new(&model);
        let mut compiled = Vec::new();
        for simplify in [Simplify::Standard, Simplify::Full] {
            let options = DeriveOptions { simplify, ..DeriveOptions::default() };
            compiled.push(CompiledModel::new(&model, &quantities, &options).unwrap());
        }
        for state in states(&model) {
            let reduced = unwound(&state);
            let outputs: Vec<(&str, Vec<f64>)> = compiled
                .iter()
                .flat_map(|compiled| {
                    let (mut native, mut taped) =
                        (vec![0.0; compiled.output_count()], vec![0.0; compiled.output_count()]);
                    let (inputs, tape) = (compiled.input(&state).unwrap(), Compiled::interpreted(compiled.program()));
                    compiled.run(&inputs, &mut compiled.scratch(), &mut native);
                    tape.run_batch(&inputs, &mut tape.scratch(), &mut taped);
                    [("machine code", native), ("tape", taped)]
                })
                .collect();
            for (k, quantity) in quantities.iter().enumerate() {
                let what =
                    |way: &str| format!("{} of {}, {way}, q = {:?}", quantity.name(&model), model.name(), state.q);
                let expected = quantity.evaluate(Path::Closed, &model, &reduced, &mut workspace).unwrap();
                for path in [Path::Fast, Path::Closed] {
                    let found = quantity.evaluate(path, &model, &state, &mut workspace).unwrap();
                    assert_same(&what(&format!("{path:?}")), &found, &expected);
                }
                for (way, out) in &outputs {
                    assert_same(&what(way), &out[compiled[0].range(k)], &expected);
                }
            }
        }
    }
}

#[test]
fn a_screw_of_many_turns_agrees_with_the_closed_form() {
    let askew = "origin = { xyz = [0.2, -0.1, 0.3], rpy = [0.3, -0.4, 0.5] }";
    let helical = format!("{askew}\njoint = {{ type = \"helical\", axis = [0, 0, 1], pitch = 1e-9 }}");
    let turn = format!("{askew}\njoint = {{ type = \"continuous\", axis = [0, 1, 0] }}");
    let model = read("screw", "", &[link("a", &helical), link("b", &turn)]);
    let mut workspace = Workspace::new(&model);
    for state in states(&model).iter().filter(|state| state.q.iter().all(|q| q.abs() < 1e9)) {
        for quantity in Quantity::each(1) {
            let [fast, closed] =
                [Path::Fast, Path::Closed].map(|path| quantity.evaluate(path, &model, state, &mut workspace).unwrap());
            assert_same(&format!("{} at {:?}", quantity.name(&model), state.q), &fast, &closed);
        }
    }
}

fn generated(language: Language) {
    if !compiler(language) {
        return;
    }
    for model in turning_robots() {
        let names = ["gravity", "mass_matrix", "inverse_dynamics", "forward_dynamics", "pose:c"];
        let quantities = names.map(|name| Quantity::parse(name, &model).unwrap());
        let package = package(&model, &quantities, &PackageOptions::default()).unwrap();
        let mut states = states(&model);
        states.iter_mut().for_each(|state| state.wrenches.clear());
        Job { language, model: &model, package: &package, quantities: &quantities, states: &states }.check();
    }
}

#[test]
fn generated_c_forgets_whole_turns() {
    generated(Language::C);
}

#[test]
fn generated_rust_forgets_whole_turns() {
    generated(Language::Rust);
}

#[test]
fn generated_python_forgets_whole_turns() {
    generated(Language::Python);
}

#[test]
fn generated_octave_forgets_whole_turns() {
    generated(Language::Octave);
}
