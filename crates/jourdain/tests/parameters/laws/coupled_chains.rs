//! Base parameters of small robots with coupled joints, whose answers follow by hand.

use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format};
use jourdain::parameters::{BaseParameters, exact_rank, rank};
use jourdain::{Model, Workspace};
use serde_json::{Value, json};

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn model(links: &[Value]) -> Model {
    let reading = formats::read_str(&json!({ "name": "chain", "link": links }).to_string(), Format::Json);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

/// A link that turns about an axis, a distance along x from its parent.
fn turning(name: &str, parent: &str, axis: [f64; 3], distance: f64) -> Value {
    json!({ "name": name, "parent": parent, "mass": 1, "com": [0.1, 0, 0.2], "inertia": [0.1, 0, 0, 0.1, 0, 0.1],
            "origin": { "xyz": [distance, 0, 0], "rpy": [0, 0, 0] }, "joint": { "type": "continuous", "axis": axis } })
}

/// The same link, led by another joint.
fn led(mut link: Value, leader: &str, multiplier: &str) -> Value {
    link["joint"]["mimic"] = json!({ "joint": leader, "multiplier": multiplier });
    link
}

/// The labels of the kept parameters of a link.
fn kept(base: &BaseParameters, link: usize) -> Vec<&str> {
    base.kept().iter().filter(|&&column| column / 10 == link).map(|&column| base.labels()[column].as_str()).collect()
}

/// Largest difference of Y and Y_b B at a state, relative to the largest element of Y.
fn regressor_error(model: &Model, base: &BaseParameters) -> f64 {
    let wave = |phase: f64| -> Vec<f64> { (0..model.nv()).map(|i| (phase + 1.7 * i as f64).sin()).collect() };
    let (width, mut workspace) = (base.labels().len(), Workspace::new(model));
    let mut regressor = vec![0.0; model.nv() * width];
    recursive::regressor_into(model, &wave(0.3), &wave(1.1), &wave(2.9), &mut workspace, &mut regressor);
    let size = regressor.iter().fold(0.0_f64, |size, y| size.max(y.abs()));
    let mut error = 0.0_f64;
    for row in regressor.chunks(width) {
        for (column, y) in row.iter().enumerate() {
            let terms = base.kept().iter().enumerate().map(|(k, &kept)| row[kept] * base.matrix()[(k, column)]);
            error = error.max((terms.sum::<f64>() - y).abs());
        }
    }
    error / size
}

/// The count by two other ways, and the regressor out of the kept columns.
fn confirm(model: &Model, base: &BaseParameters) {
    assert_eq!(exact_rank(model, 3), Some(base.count()));
    assert!(rank::singular_values(model, 5).unwrap().confirm(base.count()));
    assert!(regressor_error(model, base) < 1e-12, "{:e}", regressor_error(model, base));
}

/// The link between a joint and its follower moves as if nothing were coupled, and so does a branch on it.
#[test]
fn a_branch_between_coupled_joints_has_the_parameters_that_it_has_without_coupling() {
    let follower = turning("c", "b", X, 0.3);
    let robot = |follower: Value| {
        model(&[turning("a", "base", Z, 0.0), turning("b", "a", Y, 0.3), follower, turning("d", "b", Y, 0.2)])
    };
    let (coupled, free) = (robot(led(follower.clone(), "a", "2")), robot(follower));
    let [coupled_base, free_base] = [&coupled, &free].map(BaseParameters::new);
    assert_eq!(kept(&coupled_base, 3), kept(&free_base, 3));
    assert_eq!(kept(&coupled_base, 3).len(), 7);
    confirm(&coupled, &coupled_base);
}

/// Followers that turn a link back by what their leader turned it, in parts that only fractions add up to nothing.
const PARTS: [&[&str]; 3] = [&["-1"], &["-1/3"; 3], &["-17/97", "-17/97", "-21/97", "-21/97", "-21/97"]];

/// An arm of joints about y: the first, and its followers, of which the last link does not turn.
fn level(parts: &[&str], distance: f64) -> Vec<Value> {
    let mut links = vec![turning("a", "base", Y, distance)];
    for (i, part) in parts.iter().enumerate() {
        let before = if i == 0 { "a".to_owned() } else { format!("f{}", i - 1) };
        links.push(led(turning(&format!("f{i}"), &before, Y, distance), "a", part));
    }
    links
}

/// What does not turn has no use for its moments, first or second.
#[test]
fn a_link_that_coupled_joints_keep_level_is_a_mass() {
    for parts in PARTS {
        let (robot, last) = (model(&level(parts, 0.3)), parts.len());
        let base = BaseParameters::new(&robot);
        let silent: Vec<usize> = base.no_effect().into_iter().filter(|column| column / 10 == last).collect();
        assert_eq!(silent, (10 * last + 1..10 * last + 10).collect::<Vec<_>>(), "{parts:?}");
        confirm(&robot, &base);
    }
}

/// Without distances between the axes the last link stands still, and a joint on it is one on the ground: about the vertical it
/// shows one moment and no weight.
#[test]
fn a_joint_on_a_link_that_stands_still_is_one_on_the_ground() {
    for parts in PARTS {
        let mut links = level(parts, 0.0);
        links.push(turning("hand", &format!("f{}", parts.len() - 1), Z, 0.3));
        let robot = model(&links);
        let base = BaseParameters::new(&robot);
        assert_eq!(kept(&base, links.len() - 1), ["ZZ_hand"], "{parts:?}");
        confirm(&robot, &base);
    }
}

/// On a link that is carried round without turning, the same joint feels how it is pushed as well.
#[test]
fn a_joint_on_a_link_that_is_kept_level_feels_how_it_is_carried() {
    let mut links = level(&["-1"], 0.3);
    links.push(turning("hand", "f0", Z, 0.3));
    let robot = model(&links);
    let base = BaseParameters::new(&robot);
    assert_eq!(kept(&base, 2), ["mX_hand", "mY_hand", "ZZ_hand"]);
    confirm(&robot, &base);
}

/// A tilt of 1e-13 rad counts, exactly as it is written, but leaves nothing in `f64` that others could be measured by.
#[test]
fn what_counts_but_is_below_rounding_leaves_no_coefficient_that_is_no_number() {
    for tilt in [1e-13, 2e-14] {
        let mut tilted = turning("c", "b", Y, 0.3);
        tilted["origin"]["rpy"] = json!([tilt, 0, 0]);
        let links = [turning("a", "base", Y, 0.2), led(turning("b", "a", Y, 0.3), "a", "2"), led(tilted, "a", "-3")];
        let robot = model(&links).with_snap(0.0);
        let base = BaseParameters::new(&robot);
        assert_eq!(exact_rank(&robot, 3), Some(base.count()), "tilt {tilt}");
        assert!(base.count() > BaseParameters::new(&model(&links)).count(), "tilt {tilt}");
        assert!(base.matrix().as_slice().iter().all(|x| x.is_finite()), "tilt {tilt}");
        assert!(regressor_error(&robot, &base) < 1e-9, "tilt {tilt}");
    }
}

/// Slides one on the other at the same speed v: E = ½ m_a v² + ½ m_b (2 v)², in any unit of length.
#[test]
fn coupled_slides_regroup_their_masses_by_the_squares_of_their_speeds() {
    for length in [1e-5, 1.0, 1e5] {
        let slide = |name: &str, parent: &str| {
            let mut link = turning(name, parent, X, length);
            link["joint"] = json!({ "type": "prismatic", "axis": X, "limits": [-1, 1] });
            link
        };
        let base = BaseParameters::new(&model(&[slide("a", "base"), led(slide("b", "a"), "a", "1")]));
        assert_eq!(base.kept(), [0], "lengths of {length} m");
        for (column, &found) in base.matrix().as_slice().iter().enumerate() {
            let expected = [1.0, 4.0, 0.0][if column % 10 == 0 { column / 10 } else { 2 }];
            assert!((found - expected).abs() <= 1e-12, "lengths of {length} m, column {column}: {found}");
        }
    }
}
