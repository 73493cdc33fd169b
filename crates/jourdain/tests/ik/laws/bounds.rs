//! Proofs that a target is out of reach, on arms whose workspaces are known: what is just inside is never excluded,
//! what is just outside always is.

use crate::common::random_tree::Random;
use jourdain::ik::criterion::Constant;
use jourdain::ik::{Chain, Options, Orientation, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Rotation, Vector};
use jourdain::{Model, formats};
use std::f64::consts::{PI, TAU};

/// An arm of links, each given by its place on the one before and its joint.
fn arm(links: &[(&str, &str)]) -> Model {
    let mut text = String::from("name = \"arm\"\n");
    for (i, (origin, joint)) in links.iter().enumerate() {
        text += &format!("[[link]]\nname = \"l{i}\"\norigin = {{ {origin} }}\n");
        if !joint.is_empty() {
            text += &format!("joint = {{ {joint} }}\n");
        }
    }
    let reading = formats::read_str(&text, formats::Format::Toml);
    Model::from_description(&reading.description.expect("a robot")).unwrap()
}

fn last(model: &Model) -> usize {
    model.links().len() - 1
}

fn excluded(model: &Model, task: Task, target: &Pose<f64>, limits: bool) -> bool {
    let options = Options { limits, ..Options::default() };
    Solver::new(model, task, Box::new(Constant), options).unwrap().excludes(target).unwrap()
}

/// Asserts that of values of one number just those within [least, most] are not excluded, `by` beside them.
fn just_within(what: &str, [least, most]: [f64; 2], by: f64, excluded: impl Fn(f64) -> bool) {
    assert!(!excluded(0.5 * (least + most)), "{what}: the middle");
    if least > by {
        assert!(!excluded(least + by) && excluded(least - by), "{what}: least {least}");
    }
    assert!(!excluded(most - by) && excluded(most + by), "{what}: most {most}");
}

/// The smallest and largest of a function over a range.
fn extremes([low, high]: [f64; 2], f: impl Fn(f64) -> f64) -> [f64; 2] {
    let values = (0..=5_000).map(|i| f(low + (high - low) * f64::from(i) / 5000.0));
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
}

const RANGES: [[f64; 2]; 8] =
    [[0.5, 1.2], [-0.4, 1.2], [-2.9, -2.0], [2.0, 4.0], [-7.0, -5.0], [-1.0, 4.0], [5.0, 9.0], [-10.0, -9.0]];

#[test]
fn an_elbow_with_limits_reaches_a_ring() {
    for range in RANGES {
        let elbow = format!("type = \"revolute\", limits = [{}, {}]", range[0], range[1]);
        let model = arm(&[
            ("xyz = [0.2, -0.1, 0.3]", "type = \"revolute\""),
            ("xyz = [0.6, 0, 0.1]", &elbow),
            ("xyz = [0.3, 0.4, -0.2]", ""),
        ]);
        // 0.6 m to the elbow, 0.5 m from there at an angle of its own.
        let own = 0.4_f64.atan2(0.3);
        let radius = |angle: f64| (0.61 + 0.6 * (angle + own).cos()).sqrt();
        let place = |radius: f64, angle: f64| {
            Pose::translation(Vector([0.2 + radius * angle.cos(), -0.1 + radius * angle.sin(), 0.2]))
        };
        for angle in [0.3, -2.5] {
            for task in [Task::position_xy(2), Task::position(2)] {
                just_within("with limits", extremes(range, radius), 1e-6, |radius| {
                    excluded(&model, task, &place(radius, angle), true)
                });
                just_within("without", [0.1, 1.1], 1e-6, |radius| excluded(&model, task, &place(radius, angle), false));
            }
        }
    }
}

#[test]
fn limits_of_one_elbow_count_beside_free_joints() {
    // An elbow that cannot close, and a hand that turns as it likes.
    let [near, far] = extremes([0.3, 1.5], |angle| (0.36 + 0.25 + 0.6 * angle.cos()).sqrt());
    let shoulder = ("xyz = [0, 0, 0]", "type = \"revolute\"");
    let model = arm(&[
        shoulder,
        ("xyz = [0.6, 0, 0]", "type = \"revolute\", limits = [0.3, 1.5]"),
        ("xyz = [0.5, 0, 0]", "type = \"revolute\""),
        ("xyz = [0.1, 0, 0]", ""),
    ]);
    just_within("hand", [near - 0.1, far + 0.1], 1e-6, |radius| {
        excluded(&model, Task::position(3), &Pose::translation(Vector([0.0, radius, 0.0])), true)
    });
    // The same outwards: a free joint first, then the elbow.
    let model = arm(&[
        shoulder,
        ("xyz = [0.1, 0, 0]", "type = \"revolute\""),
        ("xyz = [0.6, 0, 0]", "type = \"revolute\", limits = [0.3, 1.5]"),
        ("xyz = [0.5, 0, 0]", ""),
    ]);
    just_within("forearm", [near - 0.1, far + 0.1], 1e-6, |radius| {
        excluded(&model, Task::position(3), &Pose::translation(Vector([radius, 0.0, 0.0])), true)
    });
    // With the hand's attitude given, the wrist is what must be reached.
    let model = arm(&[
        shoulder,
        ("xyz = [0.6, 0, 0]", "type = \"revolute\", limits = [0.3, 1.5]"),
        ("xyz = [0.5, 0, 0]", "type = \"revolute\""),
        ("xyz = [0.2, 0.1, 0]", ""),
    ]);
    for turn in [0.0, 1.0, -2.0] {
        let rotation = Rotation::elementary(2, turn);
        just_within("wrist", [near, far], 1e-6, |radius| {
            let translation = Vector([0.0, radius, 0.0]) + rotation.apply(Vector([0.2, 0.1, 0.0]));
            excluded(&model, Task::pose(3), &Pose { rotation, translation }, true)
        });
    }
}

#[test]
fn points_are_found_along_axes_whose_frames_are_elsewhere() {
    // A shoulder of two axes that meet, the frames of all joints drawn out along their axes.
    let model = arm(&[
        ("xyz = [0, 0, 0.5]", "type = \"revolute\""),
        ("xyz = [0, 0.4, -0.5]", "type = \"revolute\", axis = [0, 1, 0]"),
        ("xyz = [0, -0.7, 0.6]", "type = \"revolute\", axis = [0, 1, 0], limits = [0.5, 1.5]"),
        ("xyz = [0, 0.3, 0.5]", ""),
    ]);
    let range = extremes([0.5, 1.5], |angle| (0.61 + 0.6 * angle.cos()).sqrt());
    for direction in [Vector([1.0, 0.0, 0.0]), Vector([0.0, 0.6, 0.8]), Vector([-0.48, 0.6, -0.64])] {
        just_within("shell", range, 1e-4, |radius| {
            excluded(&model, Task::position(3), &Pose::translation(direction.times(radius)), true)
        });
    }
}

#[test]
fn a_ball_and_a_slide_reach_a_shell() {
    let model = arm(&[
        ("xyz = [0.1, 0.2, 0.3]", "type = \"spherical\", point = [0, 0, 0.1]"),
        ("xyz = [0, 0, 0.3]", "type = \"prismatic\", axis = [0, 0, 1], limits = [0.1, 0.4]"),
        ("xyz = [0, 0, 0.05]", ""),
    ]);
    // 0.2 m from the ball's center to the slide, 0.05 m behind it.
    let center = Vector([0.1, 0.2, 0.4]);
    for direction in [Vector([1.0, 0.0, 0.0]), Vector([0.0, -0.6, 0.8])] {
        just_within("shell", [0.35, 0.65], 1e-6, |radius| {
            excluded(&model, Task::position(2), &Pose::translation(center + direction.times(radius)), true)
        });
    }
    // Behind an elbow: the same shell, its sides longer or shorter by the slide.
    let model = arm(&[
        ("xyz = [0, 0, 0]", "type = \"spherical\""),
        ("xyz = [1, 0, 0]", "type = \"prismatic\", axis = [1, 0, 0], limits = [-0.1, 0.2]"),
        ("xyz = [0, 0, 0]", "type = \"revolute\""),
        ("xyz = [0.4, 0, 0]", "type = \"prismatic\", axis = [1, 0, 0], limits = [-0.2, 0.1]"),
        ("xyz = [0, 0, 0]", ""),
    ]);
    just_within("slides", [0.4, 1.7], 1e-6, |radius| {
        excluded(&model, Task::position(4), &Pose::translation(Vector([0.0, radius, 0.0])), true)
    });
}

#[test]
fn two_axes_point_between_the_difference_and_the_sum_of_their_tilts() {
    for (tilt, hand) in [(0.5, 0.3), (0.3, 0.9), (2.0, 0.4), (0.4, 2.3), (1.2, 1.0)] {
        let model = arm(&[
            ("xyz = [0, 0, 0.2]", "type = \"revolute\""),
            (&format!("xyz = [0.1, 0, 0.3], rpy = [{tilt}, 0, 0]"), "type = \"revolute\""),
            ("xyz = [0, 0, 0.1]", ""),
        ]);
        let axis = Vector([0.0, f64::sin(hand), f64::cos(hand)]);
        // The target's axis, this far from the first joint's.
        let target = |angle: f64| {
            let upright = Rotation::exp(Vector([hand, 0.0, 0.0])); // axis → z
            Pose {
                rotation: Rotation::elementary(2, 0.7) * Rotation::elementary(0, -angle) * upright,
                ..Pose::identity()
            }
        };
        let found = target(0.4).rotation.apply(axis)[2];
        assert!((found - 0.4_f64.cos()).abs() < 1e-12);
        just_within("cone", [f64::abs(tilt - hand), tilt + hand], 1e-6, |angle| {
            excluded(&model, Task::pointing(2, axis), &target(angle), false)
        });
        // With a limited second joint.
        for range in RANGES {
            let joint = format!("type = \"revolute\", limits = [{}, {}]", range[0], range[1]);
            let model = arm(&[
                ("xyz = [0, 0, 0.2]", "type = \"revolute\""),
                (&format!("xyz = [0.1, 0, 0.3], rpy = [{tilt}, 0, 0]"), &joint),
                ("xyz = [0, 0, 0.1]", ""),
            ]);
            let angle = |x: f64| {
                let turned = Rotation::elementary(0, tilt).apply(Rotation::elementary(2, x).apply(axis));
                turned[2].clamp(-1.0, 1.0).acos()
            };
            just_within("part of a cone", extremes(range, angle), 1e-5, |angle| {
                excluded(&model, Task::pointing(2, axis), &target(angle), true)
            });
        }
    }
}

#[test]
fn a_wrist_of_oblique_axes_turns_to_some_attitudes_only() {
    let (first, second) = (0.4, 1.0);
    let joints = |limits: &str| {
        arm(&[
            ("xyz = [0, 0, 0]", "type = \"revolute\""),
            (&format!("xyz = [0, 0, 0.1], rpy = [{first}, 0, 0]"), &format!("type = \"revolute\"{limits}")),
            (&format!("xyz = [0, 0, 0.1], rpy = [{second}, 0, 0]"), "type = \"revolute\""),
            ("xyz = [0, 0, 0.1], rpy = [0.3, 0.2, 0.1]", ""),
        ])
    };
    let tool = Rotation::from_rpy(0.3, 0.2, 0.1);
    let task = Task::rows(3, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let target = |angle: f64| {
        let hand = Rotation::elementary(2, 0.9) * Rotation::elementary(0, angle) * Rotation::elementary(2, -0.3);
        Pose { rotation: hand * tool, translation: Vector([5.0, 0.0, 0.0]) }
    };
    just_within("free", [second - first, second + first], 1e-6, |angle| {
        excluded(&joints(""), task, &target(angle), true)
    });
    let axis = Vector([0.0, -f64::sin(second), f64::cos(second)]);
    let angle = |x: f64| Rotation::elementary(0, first).apply(Rotation::elementary(2, x).apply(axis))[2].acos();
    just_within("limited", extremes([0.5, 1.4], angle), 1e-5, |angle| {
        excluded(&joints(", limits = [0.5, 1.4]"), task, &target(angle), true)
    });
    // Three axes: the longest side of the triangle less the two others.
    let model = arm(&[
        ("xyz = [0, 0, 0]", "type = \"revolute\""),
        ("xyz = [0, 0, 0.1], rpy = [0.2, 0, 0]", "type = \"revolute\""),
        ("xyz = [0, 0, 0.1], rpy = [1.0, 0, 0]", "type = \"revolute\""),
        ("xyz = [0, 0, 0.1], rpy = [0.3, 0, 0]", ""),
    ]);
    just_within("triangle", [0.5, 1.5], 1e-6, |angle| {
        let target = Pose { rotation: Rotation::elementary(1, angle), ..Pose::identity() };
        excluded(&model, Task::pointing(3, Vector([0.0, 0.0, 1.0])), &target, true)
    });
}

#[test]
fn slides_reach_a_box_and_never_turn() {
    let model = arm(&[
        ("xyz = [0.1, 0.2, 0.3]", "type = \"prismatic\", axis = [1, 0, 0], limits = [-0.2, 0.6]"),
        ("xyz = [0, 0, 0.1]", "type = \"prismatic\", axis = [0, 1, 0], limits = [0.1, 0.3]"),
        ("xyz = [0, 0, 0]", "type = \"prismatic\", axis = [0, 0, -1], limits = [0, 0.5]"),
        ("xyz = [0.01, 0.02, 0.03], rpy = [0.1, 0, 0]", ""),
    ]);
    let (low, high) = ([-0.09, 0.32, -0.07], [0.71, 0.52, 0.43]);
    let turned = Rotation::elementary(0, 0.1);
    for i in 0..3 {
        let at = |x: f64| {
            let mut translation = Vector(std::array::from_fn(|k| 0.3 * low[k] + 0.7 * high[k]));
            translation[i] = x;
            Pose { rotation: turned, translation }
        };
        for task in [Task::position(3), Task::pose(3)] {
            let inside = |x: f64| !excluded(&model, task, &at(x), true);
            assert!(inside(low[i] + 1e-8) && inside(high[i] - 1e-8), "{i}");
            assert!(!inside(low[i] - 1e-8) && !inside(high[i] + 1e-8), "{i}");
            // Without limits a slide goes anywhere.
            assert!(!excluded(&model, task, &at(30.0), false));
        }
        // A row that is not asked for does not matter.
        let mut weights = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        weights[i] = 0.0;
        assert!(!excluded(&model, Task::rows(3, weights), &at(30.0), true));
    }
    let place = Vector([0.2, 0.4, 0.2]);
    let tilted =
        |axis: Vector<f64>, by: f64| Pose { rotation: Rotation::exp(axis.times(by)) * turned, translation: place };
    assert!(!excluded(&model, Task::pose(3), &tilted(Vector::unit(2), 0.0), true));
    assert!(excluded(&model, Task::pose(3), &tilted(Vector::unit(2), 1e-6), true));
    // About the axis that points it may turn.
    let axis = Vector([0.0, 0.6, 0.8]);
    let task = Task { orientation: Orientation::Axis { axis, weight: 1.0 }, ..Task::position(3) };
    assert!(!excluded(&model, task, &tilted(turned.apply(axis), 1.0), true));
    assert!(excluded(&model, task, &tilted(Vector::unit(0), 1e-6), true));
}

#[test]
fn two_slides_reach_a_plane() {
    let model = arm(&[
        ("xyz = [0, 0, 0.1]", "type = \"prismatic\", axis = [1, 0, 1], limits = [-2, 2]"),
        ("xyz = [0, 0, 0]", "type = \"prismatic\", axis = [0, 1, 0], limits = [-2, 2]"),
        ("xyz = [0, 0, 0]", ""),
    ]);
    let off = |by: f64| Pose::translation(Vector([0.3 + by, 0.2, 0.4 - by]));
    for limits in [true, false] {
        assert!(!excluded(&model, Task::position(2), &off(0.0), limits));
        assert!(excluded(&model, Task::position(2), &off(1e-6), limits));
        assert!(!excluded(&model, Task::position_xy(2), &off(1e-6), limits));
    }
}

#[test]
fn parallel_axes_keep_a_height_that_slides_and_screws_change() {
    for tilt in [0.0, 0.5, PI, -1.2] {
        let base = format!("xyz = [0.1, 0, 0.3], rpy = [{tilt}, 0, 0]");
        let model = arm(&[
            (&base, "type = \"revolute\""),
            ("xyz = [0.5, 0, 0.1]", "type = \"helical\", pitch = 0.1, limits = [-2, 3]"),
            ("xyz = [0.4, 0, 0]", "type = \"prismatic\", axis = [0, 0, 1], limits = [0.1, 0.4]"),
            ("xyz = [0, 0, 0.05]", ""),
        ]);
        // 0.1 + 0.05 m, −0.2 to 0.3 m of the screw, 0.1 to 0.4 m of the slide.
        let turned = Rotation::elementary(0, tilt);
        let at = |height: f64, angle: f64| Pose {
            rotation: turned,
            translation: Vector([0.1, 0.0, 0.3])
                + turned.apply(Vector([0.5 + 0.4 * angle.cos(), 0.4 * angle.sin(), height])),
        };
        let inside = |height: f64, angle: f64| !excluded(&model, Task::position(3), &at(height, angle), true);
        assert!(inside(0.05 + 1e-8, -2.0) && inside(0.85 - 1e-8, 3.0), "{tilt}");
        assert!(!inside(0.05 - 1e-8, -2.0) && !inside(0.85 + 1e-8, 3.0), "{tilt}");
        // What is not asked for is not excluded.
        if tilt == 0.0 {
            assert!(!excluded(&model, Task::position_xy(3), &at(9.0, 0.5), true));
        }
    }
}

#[test]
fn a_plane_in_space_has_its_hole_though_only_two_coordinates_are_asked_for() {
    // An arm of 0.6 and 0.4 m in a plane across x, y or z, its axes along the coordinate or against it.
    for (i, rpy) in [(2, [0.0, 0.0, 0.0]), (2, [PI, 0.0, 0.0]), (0, [0.0, PI / 2.0, 0.0]), (1, [PI / 2.0, 0.0, 0.0])] {
        let base = format!("xyz = [0.1, 0.2, 0.3], rpy = [{}, {}, {}]", rpy[0], rpy[1], rpy[2]);
        let model = arm(&[
            (&base, "type = \"revolute\""),
            ("xyz = [0.6, 0, 0.25]", "type = \"revolute\""),
            ("xyz = [0.4, 0, 0]", ""),
        ]);
        let mut weights = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        weights[i] = 0.0;
        let place = Pose { rotation: Rotation::from_rpy(rpy[0], rpy[1], rpy[2]), translation: Vector([0.1, 0.2, 0.3]) };
        for away in [0.0, 7.0] {
            just_within(&format!("ring across {i}"), [0.2, 1.0], 1e-6, |radius| {
                let mut translation = place.apply(Vector([radius * 0.6, radius * 0.8, 0.25]));
                translation[i] += away;
                excluded(&model, Task::rows(2, weights), &Pose::translation(translation), true)
            });
        }
    }
}

#[test]
fn coupled_joints_are_bounded_by_the_range_of_their_leader() {
    let model = arm(&[
        ("xyz = [0, 0, 0]", "type = \"prismatic\", axis = [1, 0, 0], limits = [-0.1, 0.3]"),
        (
            "xyz = [0, 0, 0]",
            "type = \"prismatic\", axis = [0, 1, 0], mimic = { joint = \"l0\", multiplier = -2.0, offset = 0.1 }",
        ),
        ("xyz = [0, 0, 0]", ""),
    ]);
    // y = 0.1 − 2 x: from −0.5 to 0.3.
    let task = Task::rows(2, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    for (y, out) in [(-0.5 - 1e-8, true), (-0.5 + 1e-8, false), (0.3 - 1e-8, false), (0.3 + 1e-8, true)] {
        assert_eq!(excluded(&model, task, &Pose::translation(Vector([0.0, y, 0.0])), true), out, "{y}");
    }
    // A follower's own limits bind the leader: 0.1 − 2 x ≤ 0.2, so that x ≥ −0.05.
    let model = arm(&[
        ("xyz = [0, 0, 0]", "type = \"prismatic\", axis = [1, 0, 0], limits = [-0.1, 0.3]"),
        (
            "xyz = [0, 0, 0]",
            "type = \"prismatic\", axis = [0, 1, 0], limits = [-0.4, 0.2], \
             mimic = { joint = \"l0\", multiplier = -2.0, offset = 0.1 }",
        ),
        ("xyz = [0, 0, 0]", ""),
    ]);
    let limits = Chain::new(&model, 2, Vector::zero()).variables()[0].limits;
    assert!((limits[0] + 0.05).abs() < 1e-15 && (limits[1] - 0.25).abs() < 1e-15, "{limits:?}");
}

/// Joint positions on a grid within the limits of an arm with `n` joints.
fn grid(model: &Model, count: usize) -> Vec<Vec<f64>> {
    let ranges: Vec<[f64; 2]> = model.links().iter().filter_map(|link| link.limits.position).collect();
    let mut all: Vec<Vec<f64>> = vec![Vec::new()];
    for [low, high] in ranges {
        let values = (0..count).map(|i| low + (high - low) * i as f64 / (count - 1) as f64);
        all = values.flat_map(|x| all.iter().map(move |q| q.iter().copied().chain([x]).collect())).collect();
    }
    all
}

#[test]
fn what_is_a_little_away_from_every_configuration_is_excluded_and_no_configuration_is() {
    let arms = [
        arm(&[
            ("xyz = [0, 0, 0]", "type = \"revolute\", limits = [-0.5, 0.5]"),
            ("xyz = [0.6, 0, 0]", "type = \"revolute\", limits = [0.3, 1.4]"),
            ("xyz = [0.4, 0, 0]", ""),
        ]),
        arm(&[
            ("xyz = [0, 0, 0]", "type = \"revolute\", limits = [-0.6, 0.4]"),
            ("xyz = [0.5, 0, 0]", "type = \"helical\", pitch = 0.1, limits = [-1, 2], axis = [0, 1, 0]"),
            ("xyz = [0, 0, 0]", "type = \"prismatic\", axis = [1, 0, 0], limits = [0.2, 0.5]"),
            ("xyz = [0, 0, 0]", ""),
        ]),
    ];
    let mut random = Random::new(11);
    for (index, model) in arms.iter().enumerate() {
        let link = last(model);
        let samples: Vec<Pose<f64>> =
            grid(model, if index == 0 { 60 } else { 20 }).iter().map(|q| kinematics::pose(model, q, link)).collect();
        let options = Options::default();
        for (t, task) in [Task::position(link), Task::pose(link), Task::pointing(link, Vector([1.0, 0.0, 0.0]))]
            .into_iter()
            .enumerate()
        {
            let mut solver = Solver::new(model, task, Box::new(Constant), options).unwrap();
            for sample in samples.iter().step_by(samples.len() / 8) {
                assert!(!solver.excludes(sample).unwrap(), "arm {index}, task {t}: {sample:?}");
            }
            let mut outside = 0;
            for _ in 0..25 {
                let near = samples[random.below(samples.len())];
                let by = random.vector(6, 0.6);
                let target = Pose {
                    rotation: Rotation::exp(Vector([by[3], by[4], by[5]])) * near.rotation,
                    translation: near.translation + Vector([by[0], by[1], by[2]]),
                };
                // Errors of position and of attitude alone exclude; together they may not.
                let missed = |sample: &Pose<f64>| match t {
                    0 => (sample.translation - target.translation).norm(),
                    1 => {
                        let turn = (sample.rotation * target.rotation.transpose()).log().norm();
                        (sample.translation - target.translation).norm().max(turn)
                    }
                    _ => {
                        let [a, b] = [sample, &target].map(|pose| pose.rotation.column(0));
                        a.dot(b).clamp(-1.0, 1.0).acos()
                    }
                };
                let least = samples.iter().map(missed).fold(f64::INFINITY, f64::min);
                if least > 0.12 {
                    outside += 1;
                    assert!(solver.excludes(&target).unwrap(), "arm {index}, task {t}: {least} {target:?}");
                }
            }
            assert!(outside > 5, "arm {index}, task {t}: {outside}");
        }
    }
}

#[test]
fn a_proof_that_is_found_is_the_status_and_without_one_it_is_not_found() {
    let model = arm(&[
        ("xyz = [0, 0, 0]", "type = \"revolute\""),
        ("xyz = [0.6, 0, 0]", "type = \"revolute\""),
        ("xyz = [0.4, 0, 0]", ""),
    ]);
    let solve = |radius: f64, starts: usize| {
        let options = Options { starts, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position(2), Box::new(Constant), options).unwrap();
        solver.solve(&Pose::translation(Vector([0.0, radius, 0.0])), None).unwrap()
    };
    for starts in [1, 50] {
        let beyond = solve(1.1, starts);
        assert_eq!(beyond.report.status, Status::Unreachable);
        // Stretched towards it: 0.1 m is missing.
        assert!((beyond.report.pose_error - 0.1).abs() < 1e-6, "{}", beyond.report.pose_error);
        // Proofs come after eight failures; then 24 starts look for the nearest configuration.
        assert_eq!(beyond.report.starts, starts.min(24));
    }
    // A whole turn of limits is none.
    let wide = arm(&[
        ("xyz = [0, 0, 0]", &format!("type = \"revolute\", limits = [{}, {}]", -PI, PI)),
        ("xyz = [0.6, 0, 0]", &format!("type = \"revolute\", limits = [0, {TAU}]")),
        ("xyz = [0.4, 0, 0]", ""),
    ]);
    just_within("whole turns", [0.2, 1.0], 1e-6, |radius| {
        excluded(&wide, Task::position(2), &Pose::translation(Vector([-radius, 0.0, 0.0])), true)
    });
}
