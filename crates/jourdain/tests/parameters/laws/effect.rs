//! What parameters do to torques over random states within a robot's limits, where the largest of it is known by hand.

use jourdain::Model;
use jourdain::formats::{self, Format};
use jourdain::parameters::{BaseParameters, Effect, effect};

fn model(text: &str) -> Model {
    let reading = formats::read_str(&format!("name = \"robot\"\n{text}"), Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

/// The largest torque that a parameter makes alone.
fn share(model: &Model, label: &str) -> f64 {
    let base = BaseParameters::new(model);
    let at = base.kept().iter().position(|&column| base.labels()[column] == label).unwrap();
    effect(model, &base, 5).shares[at]
}

/// The largest of 64 random numbers is near the largest that there is, and not beyond.
fn near_the_most(found: f64, most: f64) {
    assert!(found <= most * (1.0 + 1e-12) && found >= 0.9 * most, "{found}, at most {most}");
}

#[test]
fn differences_are_compared_with_the_torque_of_their_own_velocity() {
    let found = Effect { differences: vec![0.2, 0.3, 0.4], torques: vec![4.0, 10.0, 0.0], shares: Vec::new() };
    // Where there is no torque nothing can be said relative to it.
    assert_eq!(found.largest_difference(), (0.4, 0.05));
    let still = Effect { differences: vec![0.0; 2], torques: vec![0.0, 3.0], shares: Vec::new() };
    assert_eq!(still.largest_difference(), (0.0, 0.0));
}

#[test]
fn a_parameter_is_weak_if_it_shows_in_less_than_a_millionth_of_the_largest_torque() {
    let found = Effect { differences: Vec::new(), torques: vec![0.5, 2.0], shares: vec![1e-6, 2e-6, 1.0, 0.0] };
    let weak: Vec<bool> = (0..4).map(|k| found.is_weak(k, 0.1)).collect();
    assert_eq!(weak, [true, false, false, true]);
    // A value of zero says nothing about the parameter.
    assert!(!found.is_weak(0, 0.0));
}

/// Masses on a horizontal slide: τ = m q̈ + Fv q̇, with |q̈| ≤ 4 m/s² and |q̇| ≤ 2 m/s or what the joint allows.
#[test]
fn torques_of_a_slide_are_its_mass_and_friction_at_the_largest_acceleration_and_speed() {
    for (limit, speed) in [("", 2.0), (", velocity = 0.25", 0.25)] {
        let robot = model(&format!(
            r#"[[link]]
name = "a"
mass = 3.0
joint = {{ type = "prismatic", axis = [1, 0, 0], limits = [-1, 1]{limit} }}
motor = {{ viscous = 7.0 }}"#
        ));
        near_the_most(share(&robot, "m_a"), 3.0 * 4.0);
        near_the_most(share(&robot, "Fv_a"), 7.0 * speed);
        let found = effect(&robot, &BaseParameters::new(&robot), 5);
        assert!(found.torques[0] >= 0.7 * 26.0_f64.min(12.0 + 7.0 * speed) && found.torques[0] <= 12.0 + 7.0 * speed);
        assert_eq!(found.differences, [0.0]);
    }
}

/// The limits of a joint that follows another are no limits of its leader.
#[test]
fn a_follower_s_limits_are_not_looked_at() {
    let slide = |name: &str, parent: &str, more: &str| {
        format!(
            r#"[[link]]
name = "{name}"
parent = "{parent}"
mass = 1.0
joint = {{ type = "prismatic", axis = [1, 0, 0], limits = [-1, 1], {more} }}
motor = {{ viscous = 5.0 }}
"#
        )
    };
    let links = [
        slide("a", "base", "velocity = 0.5"),
        slide("b", "a", "velocity = 90.0, mimic = { joint = \"a\" }"),
        slide("c", "b", "velocity = 0.25"),
    ];
    let robot = model(&links.concat());
    // The two that move together feel 2 · 5 v.
    near_the_most(share(&robot, "Fv_a"), 10.0 * 0.5);
    near_the_most(share(&robot, "Fv_c"), 5.0 * 0.25);
    let robot = model(&links[..2].concat());
    near_the_most(share(&robot, "Fv_a"), 10.0 * 0.5);
}

/// A pendulum about y with its mass along x: the weight's torque is m c g cos q, and with mass along z m c g sin q.
#[test]
fn weights_are_felt_within_the_limits_of_the_position() {
    let pendulum = |com: &str, limits: &str| {
        model(&format!(
            r#"[[link]]
name = "a"
mass = 2.0
com = {com}
joint = {{ type = "{limits} }}"#
        ))
    };
    let weight = 2.0 * 0.5 * 9.81;
    let narrow = pendulum("[0.5, 0.0, 0.0]", "revolute\", axis = [0, 1, 0], limits = [1.3, 1.4]");
    near_the_most(share(&narrow, "mX_a"), weight * 1.3_f64.cos());
    // All the way round both are felt in full.
    for (com, label) in [("[0.5, 0.0, 0.0]", "mX_a"), ("[0.0, 0.0, 0.5]", "mZ_a")] {
        let free = pendulum(com, "continuous\", axis = [0, 1, 0]");
        let found = share(&free, label);
        assert!(found <= weight * (1.0 + 1e-12) && found >= 0.99 * weight, "{label}: {found}, at most {weight}");
    }
}

/// A slide on a turntable, without limits: the table feels m (r² q̈ + 2 r ṙ q̇), with |r| ≤ π as for an angle.
#[test]
fn joints_without_limits_move_by_a_half_turn_or_its_like_in_metres() {
    let robot = model(
        r#"[[link]]
name = "table"
mass = 1.0
inertia = [1, 0, 0, 1, 0, 1]
joint = { type = "continuous" }
[[link]]
name = "slide"
mass = 2.0
joint = { type = "prismatic", axis = [1, 0, 0] }"#,
    );
    let r = std::f64::consts::PI;
    let most = 2.0 * (r * r * 4.0 + 2.0 * r * 2.0 * 2.0);
    let found = share(&robot, "m_slide");
    assert!(found <= most && found >= 0.3 * most, "{found}, at most {most}");
}
