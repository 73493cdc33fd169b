//! Base parameters where numbers are at the edge: geometry that is nearly special, very small and very large lengths, columns
//! that nearly cancel.

use jourdain::dynamics::recursive;
use jourdain::formats::{self, Format};
use jourdain::model::Number;
use jourdain::model::description::Placement;
use jourdain::parameters::exact::Prime;
use jourdain::parameters::field::Field;
use jourdain::parameters::{BaseParameters, Regrouping, exact_rank};
use jourdain::{Model, Workspace};
use serde_json::{Value, json};

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn model(links: &[Value]) -> Model {
    let reading = formats::read_str(&json!({ "name": "chain", "link": links }).to_string(), Format::Json);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

fn turning(name: &str, parent: &str, axis: [f64; 3], xyz: [f64; 3], rpy: [f64; 3]) -> Value {
    json!({ "name": name, "parent": parent, "mass": 1, "com": [0.1, 0, 0.2], "inertia": [0.1, 0, 0, 0.1, 0, 0.1],
            "origin": { "xyz": xyz, "rpy": rpy }, "joint": { "type": "continuous", "axis": axis } })
}

fn led(mut link: Value, leader: &str, multiplier: &str) -> Value {
    link["joint"]["mimic"] = json!({ "joint": leader, "multiplier": multiplier });
    link
}

/// Largest difference of Y and Y_b B over some states, relative to the largest element of Y.
fn regressor_error(model: &Model, base: &BaseParameters) -> f64 {
    let (width, mut workspace) = (base.labels().len(), Workspace::new(model));
    let (mut error, mut size) = (0.0_f64, 0.0_f64);
    for state in 0..4 {
        let wave = |phase: f64| -> Vec<f64> {
            (0..model.nv()).map(|i| (phase + 1.7 * i as f64 + 0.9 * f64::from(state)).sin()).collect()
        };
        let mut regressor = vec![0.0; model.nv() * width];
        recursive::regressor_into(model, &wave(0.3), &wave(1.1), &wave(2.9), &mut workspace, &mut regressor);
        size = regressor.iter().fold(size, |size, y| size.max(y.abs()));
        for row in regressor.chunks(width) {
            for (column, y) in row.iter().enumerate() {
                let terms = base.kept().iter().enumerate().map(|(k, &kept)| row[kept] * base.matrix()[(k, column)]);
                error = error.max((terms.sum::<f64>() - y).abs());
            }
        }
    }
    error / size
}

fn largest(base: &BaseParameters) -> f64 {
    base.matrix().as_slice().iter().fold(0.0, |largest, x| largest.max(x.abs()))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n) as usize
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64)]
    }
}

/// A chain whose axes, angles and lengths are special but for a few.
fn nearly_special(seed: u64) -> Model {
    let mut random = Random(seed);
    let links = 2 + random.below(3);
    let mut described = Vec::new();
    for i in 0..links {
        let parent = if i == 0 { "base".to_owned() } else { format!("l{}", i - 1) };
        let tilt = |random: &mut Random| random.one_of(&[0.0, 0.0, 1e-3, 1e-5, 1e-7]);
        let angle =
            |random: &mut Random| random.one_of(&[0.0, 0.0, 0.5, -0.5, 0.25]) * std::f64::consts::PI + tilt(random);
        let length = |random: &mut Random| random.one_of(&[0.0, 0.1, 0.3, 1e-4, 5.0]);
        let xyz = std::array::from_fn(|_| length(&mut random));
        let rpy = std::array::from_fn(|_| angle(&mut random));
        let axis = random.one_of(&[X, Y, Z]).map(|x| x + tilt(&mut random));
        let mut link = turning(&format!("l{i}"), &parent, axis, xyz, rpy);
        if random.below(4) == 0 {
            link["joint"] = json!({ "type": "prismatic", "axis": axis, "limits": [-1, 1] });
        }
        if i > 0 && random.below(2) == 0 {
            let multiplier = random.one_of(&["-1", "1", "2", "-0.5", "1.00001"]);
            link = led(link, "l0", multiplier);
        }
        described.push(link);
    }
    model(&described).with_snap(0.0)
}

/// Which column is kept is a matter of taste, but not where others would be measured by hardly anything: what is kept gives all
/// the rest to rounding, with coefficients no larger than lengths and tilts ask for.
#[test]
fn nearly_special_robots_keep_columns_that_the_others_can_be_measured_by() {
    for seed in [1, 2, 4, 5, 6, 14, 21, 40, 80] {
        let robot = nearly_special(seed);
        let base = BaseParameters::new(&robot);
        assert_eq!(exact_rank(&robot, 3), Some(base.count()), "seed {seed}");
        let (error, largest) = (regressor_error(&robot, &base), largest(&base));
        assert!(error < 1e-11, "seed {seed}: error {error:e}");
        assert!(largest < 2e5, "seed {seed}: a coefficient of {largest:e}");
    }
}

/// Slides one on the other, the second k times as fast: m_a + (1 + k)² m_b. The first is kept, unless its effect is lost beside
/// the other's.
#[test]
fn of_masses_that_act_as_one_the_first_is_kept_unless_it_hardly_acts() {
    for (multiplier, kept) in [(30, 0), (-40, 0), (20_000, 10)] {
        let slide = |name: &str, parent: &str| {
            let mut link = turning(name, parent, X, [0.1, 0.0, 0.0], [0.0; 3]);
            link["joint"] = json!({ "type": "prismatic", "axis": X, "limits": [-1, 1] });
            link
        };
        let base =
            BaseParameters::new(&model(&[slide("a", "base"), led(slide("b", "a"), "a", &multiplier.to_string())]));
        assert_eq!(base.kept(), [kept], "{multiplier}");
        let ratio = f64::from((1 + multiplier) * (1 + multiplier));
        let expected = if kept == 0 { [1.0, ratio] } else { [1.0 / ratio, 1.0] };
        for (column, &found) in base.matrix().as_slice().iter().enumerate() {
            let expected = if column % 10 == 0 { expected[column / 10] } else { 0.0 };
            assert!((found - expected).abs() <= 1e-12 * expected, "{multiplier}, column {column}: {found}");
        }
    }
}

/// A robot with all its lengths times a factor.
fn scaled(robot: &Model, factor: f64) -> Model {
    let mut description = robot.description().clone();
    for link in &mut description.links {
        if let Placement::Origin { xyz, .. } = &mut link.placement {
            *xyz = xyz.map(|x| Number::from(x.value * factor));
        }
    }
    Model::from_description(&description).unwrap().with_snap(0.0)
}

/// In a unit of 1024 m or 1/1024 m all is the same: a coefficient of a mass in a moment is 1024 times as much.
#[test]
fn another_unit_of_length_changes_nothing_but_the_unit() {
    let power = |column: usize| [0, 1, 1, 1, 2, 2, 2, 2, 2, 2][column % 10];
    for seed in [8, 11, 21, 29, 40, 80] {
        let robot = nearly_special(seed);
        let base = BaseParameters::new(&robot);
        for factor in [1024.0_f64, 1.0 / 1024.0] {
            let found = BaseParameters::new(&scaled(&robot, factor));
            assert_eq!(found.kept(), base.kept(), "seed {seed}, factor {factor}");
            for (row, &kept) in base.kept().iter().enumerate() {
                for column in 0..base.labels().len() {
                    let expected = base.matrix()[(row, column)] * factor.powi(power(kept) - power(column));
                    let found = found.matrix()[(row, column)];
                    let near =
                        (found - expected).abs() <= 1e-9 * expected.abs().max(factor.powi(power(kept) - power(column)));
                    assert!(near, "seed {seed}, factor {factor}, row {row}, column {column}: {found} {expected}");
                }
            }
        }
    }
}

/// Where a robot stands does not matter, not even a kilometre away.
#[test]
fn what_is_kept_does_not_hang_on_where_the_robot_stands() {
    let links = |at: [f64; 3]| {
        model(&[
            turning("a", "base", Y, at, [0.0; 3]),
            turning("b", "a", Z, [0.3, 0.0, 0.01], [0.5, 0.0, 0.2]),
            turning("c", "b", X, [0.02, 0.1, 0.0], [0.0, 0.7, 0.0]),
        ])
    };
    let (here, there) = (links([0.0; 3]), links([1e3, 0.0, -2e3]));
    let [here, there] = [&here, &there].map(BaseParameters::new);
    assert_eq!(here.kept(), there.kept());
    for (a, b) in here.matrix().as_slice().iter().zip(there.matrix().as_slice()) {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}");
    }
}

/// The columns of each form, ascending.
fn columns<F: Field>(robot: &Model) -> Vec<Vec<usize>> {
    let forms = Regrouping::<F>::new(robot).unwrap().forms;
    let columns: Vec<Vec<usize>> = forms.iter().map(|form| form.iter().map(|term| term.0).collect()).collect();
    assert!(columns.iter().all(|form| form.is_sorted_by(|a, b| a < b)), "{columns:?}");
    columns
}

/// Angles of 30° and their sums leave rounding in `f64`, and none of it is taken for a coefficient.
#[test]
fn every_field_has_the_zeros_of_the_others() {
    let sixth = std::f64::consts::FRAC_PI_6;
    let mut robots = vec![model(&[
        turning("a", "base", Y, [0.0; 3], [0.0; 3]),
        turning("b", "a", Z, [0.3, 0.1, 0.7], [sixth, 0.0, sixth]),
        turning("c", "b", Z, [0.1, 0.1, 0.0], [2.0 * sixth, 0.0, -sixth]),
        turning("d", "c", X, [0.3, 0.0, 0.2], [0.0, 0.0, 5.0 * sixth]),
        turning("e", "d", Z, [0.1, 0.1, 0.2], [sixth, sixth, 0.0]),
    ])];
    robots.push(nearly_special(9));
    for robot in &robots {
        assert_eq!(columns::<f64>(robot), columns::<Prime>(robot));
    }
}

/// A mass at (p, p (1 + δ), 0) has p² (2 δ + δ²) in XX − YY: little, but no rounding, whatever p is beside the robot.
#[test]
fn what_nearly_cancels_is_not_what_does() {
    for (p, delta) in [(0.5, 1e-11), (0.005, 1e-9), (0.5, 0.0), (0.005, 0.0)] {
        let robot = model(&[
            turning("a", "base", Y, [0.0; 3], [0.0; 3]),
            turning("b", "a", Z, [0.9, 0.0, 0.0], [0.0; 3]),
            turning("c", "b", X, [p, p * (1.0 + delta), 0.0], [0.0; 3]),
        ])
        .with_snap(0.0);
        let found = Regrouping::<f64>::new(&robot).unwrap();
        let at = found.kept.iter().position(|&column| column == 14).unwrap();
        let mass = found.forms[at].iter().find(|term| term.0 == 20).map_or(0.0, |term| term.1);
        // In the unit of length that the robot is measured in, the power of two next above 0.9 m.
        let expected = p * p * (2.0 * delta + delta * delta);
        assert!((mass - expected).abs() <= 1e-4 * expected, "p {p}, δ {delta}: {mass:e}, {expected:e}");
        assert_eq!(mass == 0.0, delta == 0.0);
    }
}

/// Pendulums side by side, led at multiples that no fraction joins: each has a weight of its own, and all one inertia.
#[test]
fn pendulums_led_at_irrational_multiples_have_their_own_weights() {
    let root = |x: f64| format!("{:.17}", x.sqrt());
    let pendulum = |name: &str| turning(name, "base", Y, [0.3, 0.0, 0.0], [0.0; 3]);
    let links = [pendulum("a"), led(pendulum("b"), "a", &root(1.3)), led(pendulum("c"), "a", &root(2.0))];
    for count in 1..=3 {
        let robot = model(&links[..count]);
        let base = BaseParameters::new(&robot);
        assert_eq!(base.count(), 1 + 2 * count);
        assert_eq!(exact_rank(&robot, 3), Some(1 + 2 * count));
        assert!(regressor_error(&robot, &base) < 1e-12);
    }
}
