//! Rigid robots: balances and drives along a motion, derivative by derivative, and matrices in used memory.

use jourdain::dynamics::closed_form;
use jourdain::dynamics::closed_form::mueller_kumar::System;
use jourdain::dynamics::{composed, recursive};
use jourdain::formats::{self, Format};
use jourdain::spatial::exact_sin_cos;
use jourdain::{Model, Workspace};
use std::f64::consts::FRAC_PI_2;

/// A trunk with two arms; `extra` is what links say besides, by their order.
fn model(extra: [&str; 3]) -> Model {
    let [a, b, c] = extra;
    let text = format!(
        r#"
name = "tree"
[[link]]
name = "trunk"
mass = 3.0
com = [0.1, 0.02, 0.2]
inertia = [0.3, 0, 0, 0.3, 0, 0.1]
joint = {{ type = "continuous", axis = [0, 1, 0] }}
{a}
[[link]]
name = "left"
mass = 2.0
com = [0.15, 0.01, 0.0]
inertia = [0.04, 0, 0, 0.02, 0, 0.03]
origin = {{ xyz = [0.0, 0.2, 0.5], rpy = [1.2, 0.1, 0.0] }}
joint = {{ type = "continuous" }}
{b}
[[link]]
name = "right"
parent = "trunk"
mass = 1.0
com = [0.05, 0.0, 0.02]
inertia = [0.03, 0, 0, 0.04, 0, 0.02]
origin = {{ xyz = [0.0, -0.2, 0.5], rpy = [0.0, 0.7, 0.2] }}
joint = {{ type = "continuous", axis = [0, 1, 0] }}
{c}
"#
    );
    let reading = formats::read_str(&text, Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

const MOTION: [[f64; 3]; 5] =
    [[0.7, -0.4, 0.9], [1.1, 0.3, -0.8], [0.6, -1.2, 0.5], [-2.0, 0.9, 1.4], [1.5, -0.7, 2.2]];
const Q: [f64; 3] = [0.4, -0.8, 1.3];

/// τ, τ̇, τ̈, τ⃛ by series through the recursions and by the closed form.
fn torques(model: &Model) -> [[Vec<f64>; 4]; 2] {
    let motion = MOTION.each_ref().map(|order| &order[..]);
    let series = std::array::from_fn(|r| recursive::inverse_dynamics_derivative(model, &Q, &motion, &[], r));
    [series, System::new(model, &Q, &motion).inverse_dynamics(&[])]
}

fn close(what: &str, found: f64, known: f64) {
    assert!((found - known).abs() < 1e-11 * known.abs().max(100.0), "{what}: {found} for {known}");
}

/// What motors are relieved of, by the rule of Faà di Bruno from s, s′, s″, s‴.
#[test]
fn balances_give_their_torque_in_every_derivative() {
    let motors = ["motor = { inertia = 1e-3, ratio = 20.0 }", "", ""];
    let bare = torques(&model(motors));
    let [a, b, c] = [
        "motor = { inertia = 1e-3, ratio = 20.0 }\nbalance = { formula = \"35*sin(q)\" }",
        "balance = { formula = \"-q^3 + 4*q\" }",
        "balance = { stiffness = 7, rest = 0.2 }",
    ];
    let held = torques(&model([a, b, c]));
    let (sin, cos) = Q[0].sin_cos();
    let slopes = [
        [35.0 * sin, 35.0 * cos, -35.0 * sin, -35.0 * cos],
        [-Q[1].powi(3) + 4.0 * Q[1], -3.0 * Q[1] * Q[1] + 4.0, -6.0 * Q[1], -6.0],
        [-7.0 * (Q[2] - 0.2), -7.0, 0.0, 0.0],
    ];
    for way in 0..2 {
        for (i, [s, s1, s2, s3]) in slopes.into_iter().enumerate() {
            let [v, acceleration, jerk] = [0, 1, 2].map(|order| MOTION[order][i]);
            let known =
                [s, s1 * v, s2 * v * v + s1 * acceleration, s3 * v.powi(3) + 3.0 * s2 * v * acceleration + s1 * jerk];
            for r in 0..4 {
                let what = format!("way {way}, joint {i}, order {r}");
                close(&what, bare[way][r][i] - held[way][r][i], known[r]);
            }
        }
    }
}

/// A constant torque has no derivatives, friction by the speed has those of the speed.
#[test]
fn offsets_and_viscous_friction_are_there_in_the_derivatives_they_have() {
    let bare = torques(&model(["", "", ""]));
    let driven = torques(&model(["motor = { offset = 2.5, viscous = 0.4 }", "motor = { offset = -1.5 }", ""]));
    for way in 0..2 {
        for r in 0..4 {
            let offset = |value: f64| if r == 0 { value } else { 0.0 };
            let known = [offset(2.5) + 0.4 * MOTION[r][0], offset(-1.5), 0.0];
            for i in 0..3 {
                close(&format!("way {way}, joint {i}, order {r}"), driven[way][r][i] - bare[way][r][i], known[i]);
            }
        }
    }
}

/// Y π = M q̇ with a rotor at every joint.
#[test]
fn momentum_is_linear_in_all_parameters() {
    let motors = [2e-3, 3e-3, 5e-3].map(|inertia| format!("motor = {{ inertia = {inertia}, ratio = 20.0 }}"));
    let model = model(motors.each_ref().map(String::as_str));
    let known = recursive::mass_matrix(&model, &Q).apply(&MOTION[0]);
    let pi = closed_form::parameters(&model);
    for (found, known) in composed::momentum_regressor(&model, &Q, &MOTION[0]).apply(&pi).iter().zip(known) {
        assert!((found - known).abs() < 1e-12, "{found} {known}");
    }
}

#[test]
fn a_mass_matrix_of_a_tree_overwrites_whatever_was_there() {
    let model = model(["", "", ""]);
    let mut found = [7.0; 9];
    recursive::mass_matrix_into(&model, &Q, &mut Workspace::new(&model), &mut found);
    assert_eq!(found, recursive::mass_matrix(&model, &Q).as_slice());
    // The arms do not feel each other.
    assert_eq!([found[5], found[7]], [0.0; 2]);
}

/// Up to four turns a few units in the last place are rounding.
#[test]
fn four_turns_and_a_few_last_digits_are_four_turns() {
    let mut angle = 16.0 * FRAC_PI_2;
    for _ in 0..4 {
        angle = angle.next_up();
        assert_eq!(exact_sin_cos(angle), (0.0, 1.0), "{angle}");
        assert_eq!(exact_sin_cos(-angle), (0.0, 1.0), "{angle}");
    }
    let further = 16.0 * FRAC_PI_2 + 1e-13;
    assert_eq!(exact_sin_cos(further), further.sin_cos());
}
