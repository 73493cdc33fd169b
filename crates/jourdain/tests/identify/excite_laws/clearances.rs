//! Which links are kept apart, what they are taken for, and how far they are from each other and from the floor.

use super::{DOWN, between, close, limits, robot};
use crate::logs::Random;
use jourdain::identify::excite::{Clearance, Near, Surroundings};
use jourdain::spatial::Vector;
use jourdain::{Model, kinematics};

fn clear(model: &Model<f64>, around: &Surroundings) -> Clearance {
    Clearance::new(model, &limits(model), around, |_| None)
}

fn floor(ground: f64) -> Surroundings {
    Surroundings { ground: Some(ground), ..Surroundings::default() }
}

fn links(margin: f64) -> Surroundings {
    Surroundings { between_links: true, margin, ..Surroundings::default() }
}

fn nearest(model: &Model<f64>, clearance: &Clearance, q: &[f64]) -> Option<Near> {
    clearance.nearest(&kinematics::poses(model, q))
}

/// A ball on a link.
fn ball(radius: f64, [x, y, z]: [f64; 3]) -> String {
    format!("shape = [{{ type = \"sphere\", size = [{radius}], origin = {{ xyz = [{x:?}, {y:?}, {z:?}] }} }}]")
}

/// What stands on the ground, a turntable, an arm with a cuff and a forearm, and a second arm: a ball on each.
fn tree() -> (Model<f64>, Vec<(Vector<f64>, f64)>) {
    let turn = |axis: &str, origin: &str| {
        format!(
            "joint = {{ type = \"revolute\", axis = {axis}, limits = [-3.0, 3.0] }}\norigin = {{ xyz = {origin} }}\n"
        )
    };
    let balls = [
        ([0.4, 0.1, 0.0], 0.05),
        ([-0.3, 0.3, 0.2], 0.06),
        ([0.0, 0.15, 0.2], 0.12),
        ([0.2, 0.0, 0.1], 0.07),
        ([0.1, 0.05, 0.0], 0.08),
        ([0.25, 0.0, 0.0], 0.09),
        ([-0.3, 0.1, 0.1], 0.1),
    ];
    let shape = |i: usize| ball(balls[i].1, balls[i].0);
    let fixed = "joint = { type = \"fixed\" }\norigin = { xyz = [0.1, 0.0, 0.1] }\n";
    let model = robot(
        DOWN,
        &[
            ("wall", "base", &(fixed.to_owned() + &shape(0))),
            ("foot", "base", &(fixed.to_owned() + &shape(1))),
            ("table", "foot", &(turn("[0, 0, 1]", "[0.0, 0.0, 0.2]") + &shape(2))),
            ("upper", "table", &(turn("[0, 1, 0]", "[0.1, 0.1, 0.3]") + &shape(3))),
            ("cuff", "upper", &(fixed.to_owned() + &shape(4))),
            ("fore", "cuff", &(turn("[0, 1, 0]", "[0.2, 0.0, 0.0]") + &shape(5))),
            ("second", "table", &(turn("[1, 0, 0]", "[-0.1, 0.1, 0.3]") + &shape(6))),
        ],
    );
    (model, balls.iter().map(|(p, r)| (Vector(*p), *r)).collect())
}

/// Those that no joint joins: the ground is one body, and so are upper arm and cuff.
const APART: [[usize; 2]; 11] =
    [[0, 3], [0, 4], [0, 5], [0, 6], [1, 3], [1, 4], [1, 5], [1, 6], [2, 5], [3, 6], [4, 6]];

#[test]
fn links_that_no_joint_joins_are_kept_apart_and_no_others() {
    let (model, balls) = tree();
    let mut pairs = APART.to_vec();
    pairs.push([5, 6]);
    // All, and without two that may touch, one of them named the other way round.
    for ignored in [vec![], vec![[3, 6], [5, 0]]] {
        let asked = |pair: &&[usize; 2]| !ignored.contains(*pair) && !ignored.contains(&[pair[1], pair[0]]);
        let expected: Vec<_> = pairs.iter().filter(asked).copied().collect();
        let clearance = clear(&model, &Surroundings { ignored: ignored.clone(), ..links(0.0) });
        assert!(clearance.notices().is_empty() && !clearance.is_empty());
        let mut seen = Vec::new();
        for seed in 0..400 {
            let mut random = Random(seed);
            let q: Vec<f64> = (0..4).map(|_| between(&mut random, -3.0, 3.0)).collect();
            let poses = kinematics::poses(&model, &q);
            let distance = |[i, j]: [usize; 2]| {
                let at = |k: usize| poses[k].apply(balls[k].0);
                (at(i) - at(j)).norm() - balls[i].1 - balls[j].1
            };
            let first = expected.iter().copied().min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
            let found = clearance.nearest(&poses).unwrap();
            assert_eq!((found.link, found.other), (first[0], Some(first[1])), "seed {seed}");
            close(&format!("seed {seed}"), found.distance, distance(first), 1e-12);
            seen.push(first);
        }
        // Not all pairs are ever nearest, most are.
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() >= expected.len() - 3, "{seen:?} of {expected:?}");
    }
}

#[test]
fn what_moves_is_kept_above_the_floor_along_gravity() {
    let (model, balls) = tree();
    let clearance = clear(&model, &floor(-0.3));
    for seed in 0..50 {
        let mut random = Random(seed);
        let q: Vec<f64> = (0..4).map(|_| between(&mut random, -3.0, 3.0)).collect();
        let poses = kinematics::poses(&model, &q);
        let height = |k: usize| poses[k].apply(balls[k].0)[2] - balls[k].1 + 0.3;
        let lowest = (2..7).min_by(|a, b| height(*a).total_cmp(&height(*b))).unwrap();
        let found = clearance.nearest(&poses).unwrap();
        assert_eq!((found.link, found.other), (lowest, None), "seed {seed}");
        close(&format!("seed {seed}"), found.distance, height(lowest), 1e-12);
    }
    let nothing = clear(&model, &Surroundings::default());
    assert!(nothing.is_empty() && nothing.notices().is_empty());
    assert_eq!(nearest(&model, &nothing, &[0.0; 4]), None);
}

/// A ball on the ground at 1.5, and one on a slide along x that touches it between 1 and 2.
fn slide(low: f64, high: f64) -> Model<f64> {
    let along = |axis: &str, low: f64, high: f64| {
        format!("joint = {{ type = \"prismatic\", axis = {axis}, limits = [{low:?}, {high:?}] }}\n")
    };
    robot(
        DOWN,
        &[
            ("post", "base", &(ball(0.25, [1.5, 0.0, 0.0]) + "\njoint = { type = \"fixed\" }")),
            ("sledge", "base", &along("[1, 0, 0]", low, high)),
            ("load", "sledge", &(along("[0, 1, 0]", -0.01, 0.01) + &ball(0.25, [0.0; 3]))),
        ],
    )
}

#[test]
fn a_pair_that_touches_wherever_the_limits_let_it_go_may_touch() {
    let told = "these touch in every posture and may: post and load";
    for (low, high, together) in
        [(1.25, 1.75, true), (1.1, 1.6, true), (1.25, 2.75, false), (0.1, 1.6, false), (2.2, 2.6, false)]
    {
        let model = slide(low, high);
        let clearance = clear(&model, &links(0.0));
        assert_eq!(clearance.is_empty(), together, "{low} to {high}");
        let expected: &[&str] = if together { &[told] } else { &[] };
        assert_eq!(clearance.notices(), expected, "{low} to {high}");
        let found = nearest(&model, &clearance, &[3.0, 0.0]).map(|near| near.distance);
        assert_eq!(found, (!together).then_some(1.0));
    }
}

/// Three bodies on top of each other on one axis; the first has two balls.
fn tower() -> Model<f64> {
    let turn = "joint = { type = \"revolute\", axis = [0, 0, 1], limits = [-1.0, 1.0] }\n";
    let two = "shape = [{ type = \"sphere\", size = [0.1], origin = { xyz = [0.0, 0.0, 0.3] } }, { type = \"sphere\", size = [0.1], origin = { xyz = [0.0, 0.0, 0.3] } }]";
    robot(
        DOWN,
        &[
            ("first", "base", &(turn.to_owned() + two)),
            ("second", "first", &(turn.to_owned() + &ball(0.05, [0.0, 0.0, 0.45]))),
            ("third", "second", &(turn.to_owned() + &ball(0.1, [0.0, 0.0, 0.6]))),
        ],
    )
}

/// The first and the third body are 10 cm apart in all postures, and the first is 20 cm above zero.
#[test]
fn what_is_a_millimetre_nearer_than_the_margin_at_all_times_is_left_out() {
    let model = tower();
    for (margin, together) in [(0.0995, true), (0.0985, false), (0.15, true), (0.0, false)] {
        let clearance = clear(&model, &links(margin));
        let expected: &[&str] = if together { &["these touch in every posture and may: first and third"] } else { &[] };
        assert_eq!(clearance.notices(), expected, "margin {margin}");
        assert_eq!(clearance.is_empty(), together);
    }
    for (margin, together) in [(0.1995, true), (0.1985, false), (0.3, true), (0.0, false)] {
        let clearance = clear(&model, &Surroundings { margin, ..floor(0.0) });
        let expected: &[&str] =
            if together { &["these touch in every posture and may: first and the ground"] } else { &[] };
        assert_eq!(clearance.notices(), expected, "margin {margin}");
        // The second stands on the first and not on the ground: it is to be kept above it even if it never is.
        let lowest = nearest(&model, &clearance, &[0.0; 3]).unwrap();
        assert_eq!(lowest.link, if together { 1 } else { 0 });
    }
    let buried = clear(&model, &floor(2.0));
    let lowest = nearest(&model, &buried, &[0.0; 3]).unwrap();
    assert_eq!((lowest.link, lowest.other), (1, None));
    close("buried", lowest.distance, -1.6, 1e-12);
    let both = clear(&model, &Surroundings { ground: Some(2.0), ..links(0.2) });
    assert_eq!(both.notices(), ["these touch in every posture and may: first and third; first and the ground"]);
}

#[test]
fn a_mesh_is_its_points_with_the_factors_of_the_shape() {
    let shape = "shape = [{ mesh = \"part.stl\", scale = [2.0, 3.0, -4.0], origin = { xyz = [0.1, 0.2, 0.3] } }]";
    let joint = "joint = { type = \"prismatic\", axis = [1, 1, 1], limits = [-1.0, 1.0] }\n";
    for (axis, expected) in [(0, 0.1 + 2.0 * 0.5), (1, 0.2 + 3.0 * 0.7), (2, 0.3 - 4.0 * 0.25)] {
        let mut gravity = [0.0; 3];
        gravity[axis] = -9.0;
        let model = robot(gravity, &[("part", "base", &(joint.to_owned() + shape))]);
        let clearance = Clearance::new(&model, &limits(&model), &floor(-5.0), |name| {
            (name == "part.stl").then(|| vec![Vector([0.5, 0.7, 0.25])])
        });
        assert!(clearance.unseen().is_empty());
        let found = nearest(&model, &clearance, &[0.0]).unwrap();
        close(&format!("axis {axis}"), found.distance, 5.0 + expected, 1e-12);
    }
}

#[test]
fn links_that_weigh_something_and_are_not_seen_are_told() {
    let turn = "joint = { type = \"revolute\", axis = [0, 0, 1], limits = [-1.0, 1.0] }\n";
    let mesh = |names: [&str; 2]| {
        let [a, b] = names.map(|name| format!("{{ mesh = \"{name}\" }}"));
        format!("{turn}shape = [{a}, {b}]")
    };
    let massless = "mass = 0.0\n";
    let model = robot(
        DOWN,
        &[
            ("stand", "base", "joint = { type = \"fixed\" }"),
            ("bare", "stand", turn),
            ("half", "bare", &mesh(["known", "other"])),
            ("shown", "half", &mesh(["known", "known"])),
            ("frame", "shown", &(massless.to_owned() + "joint = { type = \"fixed\" }")),
            ("weight", "shown", "joint = { type = \"fixed\" }"),
            ("hollow", "shown", &(massless.to_owned() + turn)),
            ("end", "hollow", &(turn.to_owned() + &ball(0.1, [0.0; 3]))),
        ],
    );
    let around = floor(-1.0);
    let known = |name: &str| (name == "known").then(|| vec![Vector([0.0, 0.0, 0.5])]);
    let clearance = Clearance::new(&model, &limits(&model), &around, known);
    assert_eq!(clearance.unseen(), ["bare", "half", "weight"]);
    // With a radius all of them are rods.
    let around = Surroundings { radius: Some(0.1), ..around };
    assert!(Clearance::new(&model, &limits(&model), &around, known).unseen().is_empty());
}

/// Small balls at the corners of a lying rectangle of 2 by 1 m, and one more in its middle.
#[test]
fn up_to_four_shapes_are_themselves_and_more_are_one_capsule() {
    let joint = "joint = { type = \"revolute\", axis = [0, 0, 1], limits = [-1.0, 1.0] }\nshape = [";
    let at =
        |x: f64, y: f64| format!("{{ type = \"sphere\", size = [0.01], origin = {{ xyz = [{x:?}, {y:?}, 0.0] }} }}, ");
    let mut shapes = at(1.0, 0.5) + &at(-1.0, 0.5) + &at(1.0, -0.5) + &at(-1.0, -0.5);
    for (count, height) in [(4, -0.01), (5, -0.51), (6, -0.51)] {
        let model = robot(DOWN, &[("part", "base", &format!("{joint}{shapes}]"))]);
        let found = nearest(&model, &clear(&model, &floor(-3.0)), &[0.0]).unwrap();
        close(&format!("{count} shapes"), found.distance, 3.0 + height, 1e-9);
        shapes += &at(0.0, 0.0);
    }
}

#[test]
fn links_without_shapes_are_rods_to_their_children_or_to_their_centres_of_mass() {
    let turn = "joint = { type = \"revolute\", axis = [0, 0, 1], limits = [-1.0, 1.0] }\n";
    let part = |com: f64, origin: [f64; 3]| {
        format!(
            "{turn}mass = 1.0\ncom = [0.1, 0.0, {com:?}]\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\norigin = {{ xyz = {origin:?} }}\n"
        )
    };
    let height = |links: &[(&str, &str, &str)], q: &[f64]| {
        let model = robot(DOWN, links);
        let around = Surroundings { radius: Some(0.05), ..floor(-9.0) };
        let found = nearest(&model, &clear(&model, &around), q).unwrap();
        (found.link, found.distance - 9.0 + 0.05)
    };
    let is = |what: &str, (link, height): (usize, f64), expected: (usize, f64)| {
        assert_eq!(link, expected.0, "{what}");
        close(what, height, expected.1, 1e-12);
    };
    // A link with a child elsewhere ends there, and its centre of mass is not looked at.
    let first = part(-3.0, [0.0, 0.0, 1.0]);
    let second = part(0.5, [0.4, 0.0, -0.25]);
    is("to its child", height(&[("a", "base", &first), ("b", "a", &second)], &[0.0; 2]), (0, 0.75));
    // One whose children are all where it is itself, and one without children, end at their centres of mass.
    let third = part(0.5, [0.0; 3]);
    is("children at its origin", height(&[("a", "base", &first), ("b", "a", &third)], &[0.0; 2]), (0, -2.0));
    let last = part(-0.75, [0.4, 0.0, -0.25]);
    is("the last", height(&[("a", "base", &first), ("b", "a", &last)], &[0.0; 2]), (1, 0.0));
    // A link that weighs nothing and carries nothing is not there.
    let frame = "mass = 0.0\njoint = { type = \"prismatic\", axis = [0, 0, 1], limits = [-3.0, 3.0] }\n";
    let links = [("a", "base", first.as_str()), ("b", "a", &second), ("frame", "a", frame)];
    is("a frame", height(&links, &[0.0, 0.0, -2.0]), (0, 0.75));
}
