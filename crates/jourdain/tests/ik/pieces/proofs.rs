//! Proofs that a target is out of reach, each by one bound alone: a ball or a slide without limits in the arm leaves no boxes
//! to halve, and what no point on an axis tells is left to boxes.

use super::{SLIDE, TURN, arm, at};
use jourdain::Model;
use jourdain::ik::criterion::Constant;
use jourdain::ik::{Options, Orientation, Solver, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Rotation, Vector};

const BALL: &str = "type = \"spherical\"";

fn excluded_within(model: &Model, task: Task, target: &Pose<f64>, tolerance: f64) -> bool {
    let options = Options { tolerance, ..Options::default() };
    Solver::new(model, task, Box::new(Constant), options).unwrap().excludes(target).unwrap()
}

fn excluded(model: &Model, task: Task, target: &Pose<f64>) -> bool {
    excluded_within(model, task, target, 1e-10)
}

fn limited([low, high]: [f64; 2]) -> String {
    format!("{TURN}, limits = [{low}, {high}]")
}

/// Asserts that of values of one number just those within [least, most] are not excluded, `by` beside them.
fn just_within(what: &str, [least, most]: [f64; 2], by: f64, excluded: impl Fn(f64) -> bool) {
    assert!(!excluded(0.5 * (least + most)), "{what}: the middle");
    if least > by {
        assert!(!excluded(least + by), "{what}: above the least {least}");
        assert!(excluded(least - by), "{what}: below the least {least}");
    }
    assert!(!excluded(most - by), "{what}: below the most {most}");
    assert!(excluded(most + by), "{what}: above the most {most}");
}

/// The smallest and largest of a function over a range.
fn extremes([low, high]: [f64; 2], f: impl Fn(f64) -> f64) -> [f64; 2] {
    let values = (0..=5_000).map(|i| f(low + (high - low) * f64::from(i) / 5000.0));
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
}

#[test]
fn an_elbow_behind_a_ball_reaches_a_shell_wherever_its_range_is_counted_from() {
    for range in [[0.5, 1.2], [-1.2, -0.4], [2.0, 4.2], [5.0, 9.0], [-9.0, -7.5], [7.0, 7.5]] {
        let model = arm(&[("[0, 0, 0]", BALL), ("[0.6, 0, 0]", &limited(range)), ("[0.4, 0, 0]", "")]);
        let shell = extremes(range, |angle| (0.52 + 0.48 * angle.cos()).sqrt());
        for direction in [Vector([1.0, 0.0, 0.0]), Vector([0.0, -0.6, 0.8])] {
            just_within(&format!("{range:?}"), shell, 1e-6, |radius| {
                excluded(&model, Task::position(2), &Pose::translation(direction.times(radius)))
            });
        }
    }
}

#[test]
fn slides_on_both_sides_of_a_limited_elbow_lengthen_and_shorten_what_it_reaches() {
    // Half-way 1 m and 0.8 m from the elbow, 0.1 m and 0.05 m either way.
    let range = [0.8, 1.9];
    let slide = |half: f64| format!("{SLIDE}, limits = [-{half}, {half}]");
    let model = arm(&[
        ("[0, 0, 0]", BALL),
        ("[1, 0, 0]", &slide(0.1)),
        ("[0, 0, 0]", &limited(range)),
        ("[0.8, 0, 0]", &slide(0.05)),
        ("[0, 0, 0]", ""),
    ]);
    let target = |radius: f64| Pose::translation(Vector([0.0, 0.6, -0.8]).times(radius));
    let side = |a: f64, b: f64, angle: f64| (a * a + b * b + 2.0 * a * b * angle.cos()).sqrt();
    // What it reaches: the slides out with the elbow open, in with the elbow closed.
    let (far, near) = (side(1.1, 0.85, range[0]), side(0.9, 0.75, range[1]));
    for radius in [far - 1e-9, near + 1e-9] {
        assert!(!excluded(&model, Task::position(4), &target(radius)), "{radius}");
    }
    // What a polygon says: the middle length, and both slides along it.
    let bound = [side(1.0, 0.8, range[1]) - 0.15, side(1.0, 0.8, range[0]) + 0.15];
    just_within("both slides", bound, 1e-6, |radius| excluded(&model, Task::position(4), &target(radius)));
}

#[test]
fn a_hand_that_points_tells_where_its_wrist_is() {
    // The wrist is 0.3 m behind the tip along the axis that points; 0.2 to 1 m of it are reached.
    let model = arm(&[("[0, 0, 0]", BALL), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", TURN), ("[0.3, 0, 0]", "")]);
    let axis = Vector([1.0, 0.0, 0.0]);
    let task = Task { orientation: Orientation::Axis { axis, weight: 1.0 }, ..Task::position(3) };
    for turn in [0.0, 1.1, 2.4] {
        let rotation = Rotation::elementary(2, turn);
        just_within(&format!("hand turned by {turn}"), [0.2, 1.0], 1e-6, |radius| {
            let translation = Vector([radius, 0.0, 0.0]) + rotation.apply(axis.times(0.3));
            excluded(&model, task, &Pose { rotation, translation })
        });
    }
}

#[test]
fn axes_tilted_by_more_than_a_right_angle_count_as_their_other_side() {
    // Two tilts of 2 rad turn a line by at most 2π − 4 rad, the hand adds 0.3; a slide without limits changes no direction.
    let model = {
        let text = format!(
            "name = \"wrist\"\n[[link]]\nname = \"s\"\njoint = {{ {SLIDE} }}\n[[link]]\nname = \"a\"\njoint = {{ {TURN} }}\n\
             [[link]]\nname = \"b\"\norigin = {{ xyz = [0, 0, 0.1], rpy = [2.0, 0, 0] }}\njoint = {{ {TURN} }}\n\
             [[link]]\nname = \"c\"\norigin = {{ xyz = [0, 0, 0.1], rpy = [2.0, 0, 0] }}\njoint = {{ {TURN} }}\n\
             [[link]]\nname = \"hand\"\norigin = {{ xyz = [0, 0, 0.1], rpy = [0.3, 0, 0] }}\n"
        );
        let reading = jourdain::formats::read_str(&text, jourdain::formats::Format::Toml);
        Model::from_description(&reading.description.unwrap()).unwrap()
    };
    let most = std::f64::consts::TAU - 4.0 + 0.3;
    just_within("three axes", [0.0, most], 1e-6, |angle| {
        let target = Pose { rotation: Rotation::elementary(1, angle), ..Pose::identity() };
        excluded(&model, Task::pointing(4, Vector([0.0, 0.0, 1.0])), &target)
    });
}

#[test]
fn slides_without_limits_never_turn_and_stay_in_their_plane() {
    let model = arm(&[
        ("[0, 0, 0]", SLIDE),
        ("[0, 0, 0]", "type = \"prismatic\", axis = [0, 1, 0]"),
        ("[0, 0, 0]", "type = \"prismatic\", axis = [0, 0, 1]"),
        ("[0.1, 0, 0]", ""),
    ]);
    let turned = |axis: usize, by: f64| Pose { rotation: Rotation::elementary(axis, by), ..at(7.0, -8.0, 9.0) };
    for axis in 0..3 {
        assert!(
            excluded(&model, Task::pose(3), &turned(axis, 1e-5)) && excluded(&model, Task::pose(3), &turned(axis, 2.0))
        );
        assert!(!excluded(&model, Task::pose(3), &turned(axis, 0.0)));
        // One row alone may be met by a target that is turned about another axis.
        let mut weights = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        weights[3 + (axis + 1) % 3] = 1.0;
        assert!(!excluded(&model, Task::rows(3, weights), &turned(axis, 0.5)), "{axis}");
    }
    // Two of them half a radian apart, in a plane that is none of the coordinates'.
    let plane = Rotation::from_rpy(0.5, 0.4, 0.3);
    let [a, b] = [0.0, 0.5].map(|angle: f64| plane.apply(Vector([angle.cos(), angle.sin(), 0.0])));
    let slide = |d: Vector<f64>| format!("type = \"prismatic\", axis = [{}, {}, {}]", d[0], d[1], d[2]);
    let model = arm(&[("[0, 0, 0]", &slide(a)), ("[0, 0, 0]", &slide(b)), ("[0, 0, 0]", "")]);
    for (off, out) in [(0.9e-3, false), (1.1e-3, true), (2e-3, true)] {
        let target = Pose::translation(a.times(3.0) + b.times(-2.0) + plane.column(2).times(off));
        assert_eq!(excluded_within(&model, Task::position(2), &target, 1e-3), out, "{off}");
    }
}

#[test]
fn what_is_not_asked_for_is_not_known_but_for_the_plane_of_the_arm() {
    // An arm of 1 m in a plane, its base 5 m aside: x alone is asked for.
    let model = arm(&[("[0, 5, 0.3]", TURN), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    for y in [-40.0, 0.0, 5.0] {
        for (x, out) in [(0.0, false), (0.5, false), (-0.999_999, false), (1.000_001, true), (-1.1, true)] {
            assert_eq!(excluded(&model, super::along_x(2), &at(x, y, 7.0)), out, "{x} {y}");
        }
    }
    // A slide without limits between two joints reaches everywhere in the plane.
    let model = arm(&[("[0, 0, 0]", TURN), ("[0.5, 0, 0]", SLIDE), ("[0.1, 0, 0]", TURN), ("[0.2, 0, 0]", "")]);
    for q in [[0.3, 0.4, -0.8], [2.0, -40.0, 1.0], [-1.0, 300.0, 2.0]] {
        assert!(!excluded(&model, Task::position(3), &kinematics::pose(&model, &q, 3)), "{q:?}");
    }
    assert!(excluded(&model, Task::position(3), &at(0.4, 0.3, 1e-5)));
}

#[test]
fn limits_that_exclude_each_other_leave_one_place() {
    // The follower needs 0.5 to 0.6 m, the leader goes to 0.1 m: it is kept where the follower begins.
    let model = arm(&[
        ("[0, 0, 0]", &format!("{SLIDE}, limits = [0, 0.1]")),
        ("[0, 0, 0]", &format!("{SLIDE}, limits = [0.5, 0.6], mimic = {{ joint = \"l0\", multiplier = 1.0 }}")),
        ("[0, 0, 0]", ""),
    ]);
    let mut solver = super::plain(&model, super::along_x(2), Options::default());
    let found = solver.solve(&at(1.0, 0.0, 0.0), None).unwrap();
    assert!(found.report.status.is_success() && (found.q[0] - 0.5).abs() < 1e-9, "{found:?}");
    for (x, out) in [(1.0, false), (0.9, true), (0.3, true), (0.1, true), (1.0 - 1e-6, true), (1.0 + 1e-6, true)] {
        assert_eq!(excluded(&model, super::along_x(2), &at(x, 0.0, 0.0)), out, "{x}");
    }
}

#[test]
fn rotation_matrices_that_are_not_quite_and_places_far_away_are_given_the_room_they_need() {
    // A hand of 1 m on a forearm of 1 m, stretched; the wrist of a target whose rotation is stretched by 1e-7 is as far off.
    let model = arm(&[("[0, 0, 0]", BALL), ("[1, 0, 0]", TURN), ("[1, 0, 0]", "")]);
    for by in [1e-7, -1e-7] {
        let stretched = Rotation([[1.0 + by, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let target = Pose { rotation: stretched, ..at(2.0, 0.0, 0.0) };
        assert!(!excluded(&model, Task::pose(2), &target), "{by}");
    }
    // A thousand kilometres away a tolerance of a micrometre is a tolerance still.
    let model = arm(&[("[1000000, 0, 0]", BALL), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let beyond = |by: f64| at(1e6, 1.0 + by, 0.0);
    assert!(!excluded_within(&model, Task::position(2), &beyond(5e-7), 1e-6));
    assert!(excluded_within(&model, Task::position(2), &beyond(1e-5), 1e-6));
}

/// Joint positions on a grid.
fn grid(ranges: &[[f64; 2]], count: usize) -> Vec<Vec<f64>> {
    let mut all: Vec<Vec<f64>> = vec![Vec::new()];
    for [low, high] in ranges {
        let values = (0..count).map(|i| low + (high - low) * i as f64 / (count - 1) as f64);
        all = values.flat_map(|x| all.iter().map(move |q| q.iter().copied().chain([x]).collect())).collect();
    }
    all
}

#[test]
fn what_a_long_slide_a_steep_screw_or_a_long_arm_reaches_is_never_excluded() {
    let arms: [(Model, Vec<[f64; 2]>); 3] = [
        (
            arm(&[
                ("[0, 0, 0]", &limited([-0.4, 0.4])),
                ("[0.1, 0, 0]", &format!("{SLIDE}, limits = [-4, 4]")),
                ("[0, 0, 0]", ""),
            ]),
            vec![[-0.4, 0.4], [-4.0, 4.0]],
        ),
        (
            arm(&[
                ("[0, 0, 0]", &limited([-0.4, 0.4])),
                ("[0.1, 0, 0]", "type = \"helical\", axis = [1, 0, 0], pitch = 1.0, limits = [-3, 3]"),
                ("[0, 0, 0]", ""),
            ]),
            vec![[-0.4, 0.4], [-3.0, 3.0]],
        ),
        (
            arm(&[("[0, 0, 0]", &limited([-1.0, 1.0])), ("[9, 0, 0]", &limited([0.2, 2.0])), ("[6, 0, 0]", "")]),
            vec![[-1.0, 1.0], [0.2, 2.0]],
        ),
    ];
    for (index, (model, ranges)) in arms.iter().enumerate() {
        let mut solver = super::plain(model, Task::position(2), Options::default());
        for q in grid(ranges, 5) {
            assert!(!solver.excludes(&kinematics::pose(model, &q, 2)).unwrap(), "arm {index}: {q:?}");
        }
    }
}

#[test]
fn two_limited_elbows_reach_less_than_any_polygon_says_on_arms_of_every_size() {
    // Of 0.6, 0.4 and 0.3 m, with the elbows as open as they get, 1.1375 m; a polygon with one of them says 1.216 m.
    let most =
        Vector([0.6 + 0.4 * 0.3_f64.cos() + 0.3 * 1.3_f64.cos(), 0.4 * 0.3_f64.sin() + 0.3 * 1.3_f64.sin(), 0.0]);
    let most = most.norm();
    for size in [0.02, 1.0, 50.0] {
        let place = |x: f64| format!("[{}, 0, 0]", x * size);
        let model = arm(&[
            ("[0, 0, 0]", TURN),
            (&place(0.6), &limited([0.3, 1.5])),
            (&place(0.4), &limited([1.0, 1.5])),
            (&place(0.3), ""),
        ]);
        for angle in [0.4_f64, -2.0] {
            let target = |radius: f64| at(size * radius * angle.cos(), size * radius * angle.sin(), 0.0);
            for (radius, out) in [(most + 0.02, true), (most + 0.05, true), (most - 0.001, false)] {
                assert_eq!(
                    excluded_within(&model, Task::position(3), &target(radius), 1e-7),
                    out,
                    "{size} {angle} {radius}"
                );
            }
        }
    }
}

/// Six joints are halved in turn, so that many boxes wait for each other.
#[test]
fn six_limited_joints_reach_no_farther_than_when_they_bend_least() {
    let joints: Vec<(String, String)> = (0..6)
        .map(|joint| match joint {
            0 => ("[0, 0, 0]".to_owned(), limited([-0.1, 0.1])),
            _ => ("[0.2, 0, 0]".to_owned(), limited([0.2, 0.4])),
        })
        .collect();
    let mut links: Vec<(&str, &str)> = joints.iter().map(|(place, joint)| (place.as_str(), joint.as_str())).collect();
    links.push(("[0.2, 0, 0]", ""));
    let model = arm(&links);
    let sum = |part: fn(f64) -> f64| (0..6).map(|k| 0.2 * part(0.2 * f64::from(k))).sum::<f64>();
    let (x, y) = (sum(f64::cos), sum(f64::sin));
    for (by, out) in [(0.05, true), (0.02, true), (-0.001, false)] {
        let share = 1.0 + by / x.hypot(y);
        assert_eq!(excluded(&model, Task::position(6), &at(share * x, share * y, 0.0)), out, "{by}");
    }
}

#[test]
fn a_wrist_with_three_limited_joints_turns_to_part_of_the_attitudes() {
    // All axes and the tip in one point: only the attitude tells.
    let joint = |axis: &str, half: f64| format!("{TURN}, axis = {axis}, limits = [-{half}, {half}]");
    let model = arm(&[
        ("[0, 0, 0]", &joint("[0, 0, 1]", 0.4)),
        ("[0, 0, 0]", &joint("[0, 1, 0]", 0.3)),
        ("[0, 0, 0]", &joint("[1, 0, 0]", 0.5)),
        ("[0, 0, 0]", ""),
    ]);
    let whole = Task::rows(3, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let turned = |a: f64, b: f64, c: f64| Pose {
        rotation: Rotation::elementary(2, a) * Rotation::elementary(1, b) * Rotation::elementary(0, c),
        ..Pose::identity()
    };
    for (pose, out) in [
        (turned(0.39, -0.29, 0.49), false),
        (turned(0.0, 0.0, 0.0), false),
        (turned(0.0, 0.0, 0.7), true),
        (turned(0.6, 0.0, 0.0), true),
        (turned(-0.6, 0.2, 0.1), true),
    ] {
        assert_eq!(excluded(&model, whole, &pose), out, "{pose:?}");
    }
}

#[test]
fn axes_that_meet_bound_an_arm_wherever_along_them_its_frames_are() {
    // A shoulder of two axes that meet, a roll along 0.6 m of upper arm, an elbow, 0.4 m to the ball that is the hand.
    for [a, b, c, d] in [[0.0; 4], [3.0, -4.0, 2.0, 5.0], [-7.0, 2.5, -6.0, -3.0]] {
        let model = arm(&[
            (&format!("[0, 0, {a}]"), TURN),
            (&format!("[0, {b}, {}]", -a), &format!("{TURN}, axis = [0, 1, 0]")),
            (&format!("[0, {}, {c}]", -b), TURN),
            (&format!("[0, {d}, {}]", 0.6 - c), &format!("{TURN}, axis = [0, 1, 0]")),
            (&format!("[0, {}, 0.4]", -d), BALL),
        ]);
        for direction in [Vector([0.0, -0.6, 0.8]), Vector([0.48, 0.64, -0.6])] {
            just_within(&format!("frames at {a}, {b}, {c}, {d}"), [0.2, 1.0], 1e-6, |radius| {
                excluded(&model, Task::position(4), &Pose::translation(direction.times(radius)))
            });
        }
        // Parallel axes have no nearest points: an elbow along the shoulder's second axis, and two of them before a roll.
        let y = format!("{TURN}, axis = [0, 1, 0]");
        let elbow = arm(&[
            (&format!("[0, 0, {a}]"), TURN),
            (&format!("[0, {b}, {}]", -a), &y),
            (&format!("[0, {}, 0.6]", -b), &y),
            ("[0, 0, 0.4]", BALL),
        ]);
        let roll = arm(&[
            ("[0, 0, 0]", &y),
            (&format!("[0.6, {b}, 0]"), &y),
            (&format!("[{c}, {}, 0]", -b), &format!("{TURN}, axis = [1, 0, 0]")),
            (&format!("[{}, 0, 0]", 0.4 - c), BALL),
        ]);
        for (model, direction) in [(elbow, Vector([0.48, 0.64, -0.6])), (roll, Vector([-0.6, 0.0, 0.8]))] {
            just_within(&format!("parallel at {a}, {b}, {c}"), [0.2, 1.0], 1e-6, |radius| {
                excluded(&model, Task::position(3), &Pose::translation(direction.times(radius)))
            });
        }
        // Oblique axes that meet, with the same frames: 0.6 m and 0.4 m again.
        let [x, z] = [0.6, 0.8];
        let model = arm(&[
            (&format!("[0, 0, {a}]"), TURN),
            (&format!("[{}, 0, {}]", b * x, b * z - a), &format!("{TURN}, axis = [{x}, 0, {z}]")),
            (&format!("[{}, {c}, {}]", 0.6 - b * x, -b * z), &format!("{TURN}, axis = [0, 1, 0]")),
            (&format!("[0.4, {}, 0]", -c), BALL),
        ]);
        just_within(&format!("oblique at {a}, {b}, {c}"), [0.2, 1.0], 1e-6, |radius| {
            excluded(&model, Task::position(3), &at(0.0, 0.6 * radius, 0.8 * radius))
                || excluded(&model, Task::position(3), &at(radius, 0.0, 0.0))
        });
    }
}
