//! The two witnesses of a count, the rules of the paper, and unit vectors modulo a prime.

use jourdain::Model;
use jourdain::formats::{self, Format};
use jourdain::model::Number;
use jourdain::parameters::exact::Residue;
use jourdain::parameters::field::Field;
use jourdain::parameters::paper::{Joint, without_effect};
use jourdain::parameters::rank::{SingularValues, singular_values};
use jourdain::parameters::{BaseParameters, exact_rank};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn model(links: &[Value]) -> Model {
    let reading = formats::read_str(&json!({ "name": "chain", "link": links }).to_string(), Format::Json);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

fn link(name: &str, parent: &str, joint: Value) -> Value {
    json!({ "name": name, "parent": parent, "mass": 1, "com": [0.1, 0, 0.2], "inertia": [0.1, 0, 0, 0.1, 0, 0.1],
            "origin": { "xyz": [0.3, 0, 0.1], "rpy": [0, 0, 0] }, "joint": joint })
}

#[test]
fn singular_values_confirm_a_count_only_if_the_next_is_rounding_and_far_smaller() {
    let values = |values: &[f64]| SingularValues { values: values.to_vec(), states: 1 };
    let clear = values(&[1.0, 0.5, 1e-15, 0.0]);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|count| clear.confirm(count)), [false, false, true, false, false, false]);
    // Not rounding, however wide the gap; rounding, but hardly a gap.
    assert!(!values(&[1.0, 0.5, 1e-6]).confirm(2) && !values(&[1.0, 1e-13, 1e-15]).confirm(2));
    // All count, and no more than all.
    let full = values(&[1.0, 0.5]);
    assert_eq!([1, 2, 3, 4].map(|count| full.confirm(count)), [false, true, false, false]);
    assert!(values(&[1e-15]).confirm(0));
}

#[test]
fn the_gap_is_the_quotient_of_the_last_that_counts_and_the_first_that_does_not() {
    let values = SingularValues { values: vec![4.0, 1.0, 0.25, 0.0], states: 1 };
    assert_eq!([0, 1, 2, 3, 4, 5].map(|count| values.gap(count)), [None, Some(4.0), Some(4.0), None, None, None]);
    let values = SingularValues { values: vec![3.0, 1.0, 0.125], states: 1 };
    assert_eq!((values.gap(2), values.gap(3)), (Some(8.0), None));
}

/// Twice as many rows as columns, and eight states to spare.
#[test]
fn singular_values_are_those_of_enough_states() {
    let turning = || json!({ "type": "continuous", "axis": [0, 1, 0] });
    let one = link("a", "base", turning());
    let two = link("b", "a", json!({ "type": "continuous", "axis": [0, 0, 1] }));
    for (links, states) in [(vec![one.clone()], 20 + 8), (vec![one, two], 20 + 8)] {
        let robot = model(&links);
        let found = singular_values(&robot, 5).unwrap();
        assert_eq!((found.states, found.values.len()), (states, 10 * links.len()));
        assert!(found.values.is_sorted_by(|a, b| a >= b));
        // Columns of unit length: the squares add up to how many are not zero.
        let silent = BaseParameters::new(&robot).no_effect().len();
        let squares: f64 = found.values.iter().map(|x| x * x).sum();
        assert!((squares - (10 * links.len() - silent) as f64).abs() < 1e-9, "{squares}, {silent} without effect");
    }
}

/// Nothing to be seen where nothing moves, or beyond what can be computed in reasonable time.
#[test]
fn witnesses_are_silent_about_robots_that_stand_still_or_are_very_large() {
    let weld = |i: usize| link(&format!("w{i}"), "base", json!({ "type": "fixed" }));
    let turning = link("a", "base", json!({ "type": "continuous", "axis": [0, 1, 0] }));
    assert_eq!(singular_values(&model(&[weld(0)]), 5), None);
    assert_eq!(exact_rank(&model(&[weld(0)]), 5), Some(0));
    let large = |links: usize| model(&std::iter::once(turning.clone()).chain((1..links).map(weld)).collect::<Vec<_>>());
    assert_eq!(singular_values(&large(101), 5), None);
    let robot = large(102);
    assert_eq!(exact_rank(&robot, 5), Some(3));
    assert_eq!(exact_rank(&large(201), 5), None);
}

/// Slides before, parallel joints after: which rule finds what, by hand.
#[test]
fn the_rules_of_the_paper_know_slides_and_parallel_joints() {
    let joint = |revolute: bool, axis: [f64; 3]| Joint { revolute, axis };
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]];
    let found = |joints: &[Joint<f64>], gravity: [f64; 3]| -> Vec<String> {
        let name = |parameter: usize| ["XX", "XY", "XZ", "YY", "YZ", "ZZ", "mX", "mY", "mZ", "m"][parameter];
        let found = without_effect(joints, &gravity);
        found.iter().map(|it| format!("{}{}:{}", name(it.parameter), it.link + 1, it.rule)).collect()
    };
    let down = [0.0, 0.0, -9.81];
    let slide = |link: usize| -> Vec<String> {
        ["XX", "XY", "XZ", "YY", "YZ", "ZZ", "mX", "mY", "mZ"].map(|name| format!("{name}{link}:1")).to_vec()
    };
    let turn = |link: usize, first: bool, still: bool| -> Vec<String> {
        let mut all = ["XX", "XY", "XZ", "YY", "YZ"].map(|name| format!("{name}{link}:3")).to_vec();
        if still {
            all.extend(["mX", "mY"].map(|name| format!("{name}{link}:2")));
        }
        all.push(format!("mZ{link}:3"));
        all.extend(first.then(|| format!("m{link}:2")));
        all
    };
    // A slide along gravity before: the turntable on it feels no weight; a slide across pushes it.
    assert_eq!(found(&[joint(false, z), joint(true, z)], down), [slide(1), turn(2, false, true)].concat());
    assert_eq!(found(&[joint(false, x), joint(true, z)], down), [slide(1), turn(2, false, false)].concat());
    assert_eq!(found(&[joint(false, z), joint(true, z)], x), [slide(1), turn(2, false, false)].concat());
    assert_eq!(found(&[joint(false, z), joint(true, z)], [0.0; 3]), [slide(1), turn(2, false, true)].concat());
    // Parallel joints up to the first that is not, and slides between that are.
    let three = [turn(1, true, true), turn(2, false, false), turn(3, false, false)];
    let row = |more: &[Joint<f64>]| [&[joint(true, z), joint(true, z), joint(true, z)], more].concat();
    assert_eq!(found(&row(&[]), down), three.concat());
    assert_eq!(found(&row(&[joint(true, y), joint(true, z)]), down), three.concat());
    let between = [joint(true, z), joint(false, x), joint(true, z), joint(true, x), joint(true, z)];
    assert_eq!(found(&between, down), [turn(1, true, true), turn(3, false, false)].concat());
    // On a wall the first one feels its weight.
    assert_eq!(found(&row(&[]), y)[..7], turn(1, true, false));
}

/// The length of a direction of whole numbers modulo the prime, if its square has a root.
fn length<const C: u64>(axis: [i32; 3]) -> Option<Residue<C>> {
    let unit = Residue::<C>::unit_direction(axis.map(Number::integer));
    let at = axis.iter().position(|&x| x != 0)?;
    let length = Residue::integer(axis[at]).mul(&unit[at].inverse());
    let square: i32 = axis.iter().map(|x| x * x).sum();
    (length.mul(&length) == Residue::integer(square)).then_some(length)
}

/// √a √b = √(a b), whatever directions they are lengths of.
fn lengths_multiply<const C: u64>() {
    let mut lengths = BTreeMap::new();
    for x in 0..8 {
        for y in 0..=x {
            for z in 0..=y {
                if let Some(length) = length::<C>([x, y, z]).filter(|_| x > 0) {
                    let before = lengths.insert(x * x + y * y + z * z, length);
                    assert!(before.is_none_or(|before| before == length), "{x} {y} {z}");
                }
            }
        }
    }
    let mut products = 0;
    for (a, root) in &lengths {
        for (b, other) in &lengths {
            if let Some(product) = lengths.get(&(a * b)) {
                products += 1;
                assert_eq!(root.mul(other), *product, "√{a} √{b}");
            }
        }
    }
    assert!(products > 100, "{products}");
}

#[test]
fn lengths_of_directions_multiply_as_roots_do() {
    lengths_multiply::<49_663>();
    lengths_multiply::<53_431>();
}

/// 29 has no root: the direction is the stereographic projection (2 t, 1 − t²)/(1 + t²) of a number t with few binary digits.
fn projections<const C: u64>() {
    let of = |axis: [i32; 3]| Residue::<C>::unit_direction(axis.map(Number::integer));
    let binary = |value: f64| Residue::<C>::from_number(Number { value, exact: None }, 1.0);
    let root = 29_f64.sqrt();
    let t = binary((2.0 / root) / (1.0 + 5.0 / root));
    for sign in [1, -1] {
        let [x, y, z] = of([5 * sign, 2, 0]);
        assert!(z.is_zero());
        assert_eq!(x.mul(&x).add(&y.mul(&y)), Residue::one());
        // From the pole on the other side: y = t (1 ± x).
        assert_eq!(y, t.mul(&Residue::one().add(&x.mul(&Residue::integer(sign)))), "{sign}");
        assert_eq!(of([-5 * sign, -2, 0]), [x.neg(), y.neg(), z]);
        assert_eq!(of([0, -2, 5 * sign]), [z, y.neg(), x]);
    }
}

#[test]
fn directions_without_a_root_are_projected_from_the_opposite_pole() {
    projections::<49_663>();
    projections::<53_431>();
}
