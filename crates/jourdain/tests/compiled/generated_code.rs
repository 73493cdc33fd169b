//! Generated code against the library: every language compiles without warnings, passes its self-test and gives the
//! library's numbers at random states.
//!
//! A test is left out, with a message, where its compiler or interpreter is missing. `JOURDAIN_PYTHON` names a Python that
//! has NumPy; with `JOURDAIN_REQUIRE_TARGETS` set, what is missing is an error.

use crate::common::random_tree::{Random, random_state};
use crate::generated::{Job, Language, compiler};
use jourdain::derive::{PackageOptions, package};
use jourdain::quantity::Quantity;
use jourdain::{Model, robots};
use rayon::prelude::*;

const ROBOTS: [&str; 6] = ["planar2r", "puma560", "iiwa14", "scara", "humanoid25", "floating_humanoid25"];

const QUANTITIES: [&str; 10] = [
    "mass_matrix",
    "coriolis_matrix",
    "gravity",
    "inverse_dynamics",
    "inverse_dynamics_dot",
    "inverse_dynamics_ddot",
    "inverse_dynamics_dq",
    "regressor",
    "slotine_li_regressor",
    "jacobian",
];

fn quantities(model: &Model, names: &[&str]) -> Vec<Quantity> {
    let last = &model.links().last().expect("a link").name;
    let full = |name: &str| if name == "jacobian" { format!("{name}:{last}") } else { name.to_owned() };
    names.iter().map(|name| Quantity::parse(&full(name), model).unwrap()).collect()
}

/// Generates, compiles and runs the code of a robot at three states and compares with the library; for the smallest robot
/// also at angles near and past the limit of our own sines.
fn agrees(language: Language, model: &Model, names: &[&str], options: &PackageOptions) {
    let quantities = quantities(model, names);
    let package = package(model, &quantities, options).unwrap();
    let mut random = Random::new(5);
    let mut states: Vec<_> = (0..3)
        .map(|_| {
            let mut state = random_state(model, &mut random);
            let wrenches = jourdain::derive::reference_state(model, &options.derive.loaded, 0).wrenches;
            state.wrenches = wrenches;
            state
        })
        .collect();
    if model.name() == "planar2r" {
        states[1].q = vec![12_345.678, -99_999.9];
        states[2].q = vec![-3.0e7, 1.0e22];
    }
    Job { language, model, package: &package, quantities: &quantities, states: &states }.check();
}

fn all_robots(language: Language) {
    if compiler(language) {
        ROBOTS.into_par_iter().for_each(|name| {
            agrees(language, &robots::load(name).unwrap(), &QUANTITIES, &PackageOptions::default());
        });
    }
}

#[test]
fn c_agrees_with_the_library() {
    all_robots(Language::C);
}

#[test]
fn rust_agrees_with_the_library() {
    all_robots(Language::Rust);
}

#[test]
fn python_agrees_with_the_library() {
    all_robots(Language::Python);
}

#[test]
fn octave_agrees_with_the_library() {
    all_robots(Language::Octave);
}

const LANGUAGES: [Language; 4] = [Language::C, Language::Rust, Language::Python, Language::Octave];

/// Square roots (friction), wrenches with rates, quantities without inputs or of one number, divisions, tensors, and all
/// of them in one function.
#[test]
fn rare_operations_and_shapes_agree_with_the_library() {
    let model = robots::load("planar2r").unwrap();
    let puma = robots::load("puma560").unwrap();
    for language in LANGUAGES.into_iter().filter(|&language| compiler(language)) {
        let mut options = PackageOptions::default();
        options.derive.loaded = vec![0, 2];
        let names = [
            "inverse_dynamics_ddot",
            "external_forces_dot",
            "kinetic_energy",
            "forward_dynamics",
            "mass_matrix_dq",
            "inverse_dynamics_d4",
            "com",
            "jacobian",
        ];
        agrees(language, &model, &names, &options);
        options.together = Some("everything".to_owned());
        agrees(language, &model, &names, &options);
        agrees(language, &puma, &["inverse_dynamics", "regressor", "mass_matrix_inverse"], &PackageOptions::default());
    }
}

/// Names that try to break out of identifiers and comments, and names that become the same identifier.
#[test]
fn hostile_names_give_valid_code() {
    let hostile = ["x; system(\"rm -rf /\") //", "int", "λ", "*/ int main(void) {", "a b", "a_b", "\\", "%{", "class"];
    for robot in ["int", "λ", "x; system(\"rm -rf /\") //", "math", "*/\n#error"] {
        let links: Vec<String> = hostile
            .iter()
            .map(|name| {
                let name = serde_json::to_string(name).unwrap();
                format!(r#"{{"name": {name}, "mass": 1.0, "com": [0.1, 0.2, 0.3], "joint": {{"type": "revolute"}}}}"#)
            })
            .collect();
        let robot = serde_json::to_string(robot).unwrap();
        let text = format!(r#"{{"name": {robot}, "allow_unphysical": true, "link": [{}]}}"#, links.join(","));
        let reading = jourdain::formats::read_slice(text.as_bytes(), jourdain::formats::Format::Json);
        let model = Model::from_description(&reading.description.expect("a robot")).unwrap();
        let names: Vec<String> = hostile.iter().map(|link| format!("jacobian:{link}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).chain(["gravity"]).collect();
        let mut options = PackageOptions { command: hostile.join(" "), ..PackageOptions::default() };
        options.derive.loaded = (0..hostile.len()).collect();
        for language in LANGUAGES.into_iter().filter(|&language| compiler(language)) {
            agrees(language, &model, &names, &options);
        }
    }
}
