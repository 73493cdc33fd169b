//! Why parameters are eliminated, and by what equation of Gautier and Khalil, on robots of a few joints.

use jourdain::Model;
use jourdain::formats::{self, Format};
use jourdain::parameters::{BaseParameters, Reason, eliminations};
use serde_json::{Value, json};

const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn model(gravity: [f64; 3], links: &[Value]) -> Model {
    let robot = json!({ "name": "chain", "gravity": gravity, "link": links });
    let reading = formats::read_str(&robot.to_string(), Format::Json);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

/// A link with a joint, at a place in its parent.
fn link(name: &str, parent: &str, kind: &str, xyz: [f64; 3], rpy: [f64; 3]) -> Value {
    let joint = match kind {
        "fixed" => json!({ "type": kind }),
        "prismatic" => json!({ "type": kind, "axis": Z, "limits": [-1, 1] }),
        _ => json!({ "type": kind, "axis": Z }),
    };
    json!({ "name": name, "parent": parent, "mass": 1, "com": [0.1, 0, 0.2], "inertia": [0.1, 0, 0, 0.1, 0, 0.1],
            "origin": { "xyz": xyz, "rpy": rpy }, "joint": joint })
}

/// Where a parameter goes and why; `None` if it is kept.
fn fate(model: &Model, label: &str) -> Option<(Vec<String>, Reason)> {
    let base = BaseParameters::new(model);
    let column = base.labels().iter().position(|it| it == label).unwrap();
    let found = eliminations(model, &base).into_iter().find(|it| it.column == column)?;
    Some((found.to.iter().map(|&to| base.labels()[to].clone()).collect(), found.reason))
}

fn reason(model: &Model, label: &str) -> Option<Reason> {
    fate(model, label).map(|it| it.1)
}

const DOWN: [f64; 3] = [0.0, 0.0, -9.81];
const RIGHT: f64 = std::f64::consts::FRAC_PI_2;

/// A turntable, and a slide along its axis: the first moments of the slide go on to the table, by (19).
#[test]
fn a_slide_along_the_first_axis_has_equation_nineteen_however_the_robot_stands() {
    // On its side as well: then no coordinate of the axis is zero, and all are negative.
    for rpy in [[0.0; 3], [2.53, 0.78, 0.0], [RIGHT, 0.0, 0.3]] {
        let robot = model(
            DOWN,
            &[
                link("a", "base", "continuous", [0.0; 3], rpy),
                link("b", "a", "prismatic", [0.3, 0.0, 0.1], [0.0, 0.0, 0.4]),
            ],
        );
        for label in ["mX_b", "mY_b"] {
            assert_eq!(reason(&robot, label), Some(Reason::Slide(19)), "{label}, {rpy:?}");
        }
        assert_eq!(reason(&robot, "ZZ_b"), Some(Reason::Equation(16)));
    }
}

/// The same slide behind another one that is across: by (20); at a slant it is neither.
#[test]
fn a_slide_along_the_first_axis_behind_one_across_has_equation_twenty() {
    let robot = |twist: f64| {
        model(
            DOWN,
            &[
                link("a", "base", "continuous", [0.0; 3], [0.0; 3]),
                link("b", "a", "prismatic", [0.3, 0.0, 0.1], [twist, 0.0, 0.0]),
                link("c", "b", "prismatic", [0.2, 0.0, 0.1], [-twist, 0.0, 0.0]),
            ],
        )
    };
    assert_eq!(reason(&robot(RIGHT), "mX_c"), Some(Reason::Slide(20)));
    assert_eq!(reason(&robot(-RIGHT), "mY_c"), Some(Reason::Slide(20)));
    assert_eq!(reason(&robot(0.0), "mX_c"), Some(Reason::Slide(19)));
    assert_eq!(reason(&robot(0.7), "mX_c"), Some(Reason::Restricted));
}

/// A slide across the only axis of rotation: what lies along that axis shows in nothing, and no equation of slides says so.
#[test]
fn a_slide_across_the_first_axis_has_none_of_the_equations_of_slides() {
    for (rpy, gravity) in [([0.0; 3], DOWN), ([0.0, 1.3, 0.9], [0.0; 3]), ([-1.2, 0.5, 0.3], [0.0; 3])] {
        for yaw in [0.0, 0.8, 2.0, 4.0] {
            // y of the slide is along the axis, z points outwards.
            let robot = model(
                gravity,
                &[
                    link("a", "base", "continuous", [0.0; 3], rpy),
                    link("t", "a", "prismatic", [0.3, 0.1, 0.1], [RIGHT, 0.0, yaw]),
                ],
            );
            let found = [reason(&robot, "mX_t"), reason(&robot, "mY_t")];
            assert!(found.iter().flatten().all(|&it| it == Reason::Restricted), "{rpy:?}, {yaw}: {found:?}");
            assert_eq!(fate(&robot, "mY_t"), Some((Vec::new(), Reason::Restricted)), "{rpy:?}, {yaw}");
        }
    }
}

/// Two turntables on one axis: the first moments of the upper one have no effect, and neither is a slide.
#[test]
fn a_turntable_on_a_turntable_is_no_slide() {
    let robot = model(
        DOWN,
        &[link("a", "base", "continuous", [0.0; 3], [0.0; 3]), link("b", "a", "continuous", [0.0, 0.0, 0.3], [0.0; 3])],
    );
    for label in ["mX_b", "mY_b"] {
        assert_eq!(fate(&robot, label), Some((Vec::new(), Reason::Restricted)), "{label}");
    }
    assert_eq!(reason(&robot, "XX_b"), Some(Reason::Rule(3)));
    assert_eq!(reason(&robot, "mX_a"), Some(Reason::Rule(2)));
}

/// The rules are about serial robots whose axes are z: with a tool behind the last joint they are the same, with a weld before
/// a joint or an axis along x they are not asked.
#[test]
fn rules_are_cited_where_they_hold() {
    let arm = |rpy: [f64; 3]| link("a", "base", "continuous", [0.0; 3], rpy);
    let tool = link("tool", "a", "fixed", [0.0, 0.0, 0.2], [0.0; 3]);
    let with_tool = model(DOWN, &[arm([0.0; 3]), tool.clone()]);
    assert_eq!(reason(&with_tool, "XX_a"), Some(Reason::Rule(3)));
    assert_eq!(reason(&with_tool, "mX_a"), Some(Reason::Rule(2)));
    assert_eq!(reason(&with_tool, "mX_tool"), Some(Reason::Welded));
    let hand = link("hand", "tool", "continuous", [0.1, 0.0, 0.2], [RIGHT, 0.0, 0.0]);
    let mut across = arm([0.0; 3]);
    across["joint"]["axis"] = json!([1, 0, 0]);
    let mut offset = arm([0.0; 3]);
    offset["joint"]["point"] = json!([0.2, 0, 0]);
    for links in [vec![arm([0.0; 3]), tool, hand], vec![across], vec![offset]] {
        let robot = model(DOWN, &links);
        let found = eliminations(&robot, &BaseParameters::new(&robot));
        assert!(!found.is_empty());
        assert!(found.iter().all(|it| !matches!(it.reason, Reason::Rule(_) | Reason::Slide(_))), "{found:?}");
    }
}

/// Friction of joints that go together goes to that of the first.
#[test]
fn friction_of_coupled_joints_goes_to_the_leader_s() {
    let slide = |name: &str, parent: &str| {
        let mut link = link(name, parent, "prismatic", [0.0; 3], [0.0; 3]);
        link["motor"] = json!({ "viscous": 1, "coulomb": 1 });
        link
    };
    let mut follower = slide("b", "a");
    follower["joint"]["mimic"] = json!({ "joint": "a", "multiplier": 2 });
    let mut other = slide("c", "b");
    other["joint"]["mimic"] = json!({ "joint": "a", "multiplier": -1 });
    let robot = model(DOWN, &[slide("a", "base"), follower, other]);
    let to = |label: &str| Some((vec![label.to_owned()], Reason::Coupled));
    assert_eq!(fate(&robot, "Fv_b"), to("Fv_a"));
    assert_eq!(fate(&robot, "Fv_c"), to("Fv_a"));
    // Coulomb friction at another speed is another function of it.
    assert_eq!((fate(&robot, "Fc_b"), fate(&robot, "Fc_c")), (None, to("Fc_a")));
    let base = BaseParameters::new(&robot);
    let eliminated: Vec<usize> = eliminations(&robot, &base).iter().map(|it| it.column).collect();
    let expected: Vec<usize> = (0..base.labels().len()).filter(|column| !base.kept().contains(column)).collect();
    assert_eq!(eliminated, expected);
}
