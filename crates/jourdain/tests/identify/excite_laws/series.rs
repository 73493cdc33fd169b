//! Series, the limits they are fitted into, what they show of the parameters, and splines through them.

use super::{DOWN, close, robot};
use crate::logs::Random;
use jourdain::dynamics::recursive::{parameter_count, regressor_into};
use jourdain::identify::excite::{
    BLIND, Bounds, Criterion, Degree, Excitation, Grid, Options, Quality, Reached, Series, Shape, Spline, bounds,
    efforts,
};
use jourdain::identify::{Drives, Problem};
use jourdain::{Model, Workspace};
use nalgebra::DMatrix;
use std::f64::consts::PI;

fn random_series(random: &mut Random, harmonics: usize) -> Series {
    Series {
        offset: random.normal(),
        waves: (1..=harmonics).map(|l| [random.normal(); 2].map(|x| x / l as f64)).collect(),
    }
}

/// A motion that was not searched for.
fn motion(series: Vec<Series>, period: f64) -> Excitation {
    let quality = Quality { condition: 1.0, criterion: 1.0, strengths: Vec::new(), deviations: Vec::new() };
    Excitation {
        period,
        series,
        extents: Vec::new(),
        quality,
        reached: Reached::default(),
        random: BLIND,
        random_criterion: BLIND,
        given_criterion: None,
        notices: Vec::new(),
    }
}

/// Waves that so many samples cannot tell from slower ones are not there.
#[test]
fn samples_tell_waves_below_half_their_rate_and_no_others() {
    for (count, told) in [(12, 5), (13, 6), (6, 2), (5, 2), (2, 0), (1, 0)] {
        let mut random = Random(count as u64);
        let series = random_series(&mut random, told);
        let samples: Vec<f64> = (0..count).map(|i| series.motion(7.0 * i as f64 / count as f64, 7.0)[0]).collect();
        let found = Series::through(&samples, 9);
        close("offset", found.offset, series.offset, 1e-12);
        for l in 0..9 {
            let expected = series.waves.get(l).copied().unwrap_or([0.0; 2]);
            for (found, expected) in found.waves[l].iter().zip(expected) {
                close(&format!("{count} samples, harmonic {}", l + 1), *found, expected, 1e-12);
            }
        }
    }
}

/// What takes all its room has no place to be moved to.
#[test]
fn a_series_that_fills_its_room_is_found_again() {
    let series = Series { offset: 0.0, waves: vec![[0.8, 0.0], [-0.4, 0.0]] };
    let grid = Grid::new(2, 3.0);
    let [low, high] = grid.extent(&series).position;
    let none = f64::INFINITY;
    let bounds = Bounds { low, high, velocity: 1e9, acceleration: none, jerk: none };
    let found = Shape::of(&series, 2, &bounds, 1.0, &grid).fit(&bounds, 1.0, &grid);
    close("offset", found.offset, 0.0, 1e-12);
    for (found, expected) in found.waves.iter().flatten().zip(series.waves.iter().flatten()) {
        close("wave", *found, *expected, 1e-12);
    }
}

/// Turning, sliding, several numbers, a follower, one that is fixed, and limits that say nothing.
fn mixed() -> Model<f64> {
    robot(
        DOWN,
        &[
            ("a", "base", "joint = { type = \"revolute\", limits = [-1.0, 2.0], velocity = 3.0, effort = 7.0 }"),
            ("weld", "a", "joint = { type = \"fixed\" }"),
            ("b", "weld", "joint = { type = \"cylindrical\", velocity = 0.5, effort = 11.0 }"),
            ("c", "b", "joint = { type = \"prismatic\", limits = [0.3, 0.3], velocity = 0.0, effort = 0.0 }"),
            (
                "d",
                "c",
                "joint = { type = \"revolute\", limits = [-1.0, 1.0], effort = 5.0, mimic = { joint = \"a\", multiplier = 2.0 } }",
            ),
            ("e", "d", "joint = { type = \"continuous\", axis = [1, 0, 0] }"),
        ],
    )
}

#[test]
fn limits_are_those_of_the_file_and_of_the_options_and_made_up_ones_are_told() {
    let model = mixed();
    let acceleration = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    let options = Options { acceleration: acceleration.clone(), jerk: vec![6.0], ..Options::default() };
    let (found, notices) = bounds(&model, &options).unwrap();
    let expected = [
        (-1.0, 2.0, 3.0),
        (-PI, PI, 0.5),
        (-0.25, 0.25, 0.5),
        // A range of one point and a speed of zero are no limits to move in.
        (-0.25, 0.25, 0.25),
        (-PI, PI, 1.0),
    ];
    let expected: Vec<Bounds> = (expected.iter().zip(acceleration))
        .map(|((low, high, velocity), acceleration)| Bounds {
            low: *low,
            high: *high,
            velocity: *velocity,
            acceleration,
            jerk: 6.0,
        })
        .collect();
    assert_eq!(found, expected);
    assert_eq!(
        notices,
        [
            "joint `b` has no position limits: ±3.1416 rad are taken",
            "joint `b` has no position limits: ±0.2500 m are taken",
            "joint `c` has no position limits: ±0.2500 m are taken",
            "joint `c` has no velocity limit: 0.25 m/s is taken",
            "joint `e` has no position limits: ±3.1416 rad are taken",
            "joint `e` has no velocity limit: 1 rad/s is taken",
        ]
    );
    let none = f64::INFINITY;
    assert_eq!(efforts(&model), [7.0, 11.0, 11.0, none, none]);
    let (found, _) = bounds(&model, &Options { jerk: vec![1.0, 2.0, 3.0, 4.0, 5.0], ..Options::default() }).unwrap();
    assert_eq!(found.iter().map(|b| (b.acceleration, b.jerk)).collect::<Vec<_>>()[1..3], [(none, 2.0), (none, 3.0)]);
    let wrong = bounds(&model, &Options { jerk: vec![1.0; 3], ..Options::default() }).unwrap_err();
    assert_eq!(wrong.to_string(), "3 limits of jerk for 5 joints: give one, or one for each");
}

/// A planar arm with a slide, of which each joint has a torque limit of its own, or none.
pub fn arm() -> Model<f64> {
    let part = |joint: &str, x: f64| {
        format!(
            "mass = 2.0\ncom = [0.2, 0.05, 0.1]\ninertia = [0.1, 0, 0, 0.2, 0, 0.25]\norigin = {{ xyz = [{x:?}, 0.0, 0.1] }}\njoint = {{ {joint} }}\n"
        )
    };
    let turn = |axis: &str, effort: &str| {
        format!("type = \"revolute\", axis = {axis}, limits = [-2.0, 2.0], velocity = 2.0{effort}")
    };
    robot(
        DOWN,
        &[
            ("a", "base", &part(&turn("[0, 1, 0]", ", effort = 40.0"), 0.0)),
            ("b", "a", &part(&turn("[0, 0, 1]", ""), 0.4)),
            ("c", "b", &part(&turn("[0, 1, 0]", ", effort = 0.25"), 0.3)),
        ],
    )
}

/// The stacked regressor itself, and its singular values.
#[test]
fn quality_is_that_of_the_stacked_regressor_in_units_of_torque_limits() {
    let model = arm();
    let problem = Problem::new(&model, Drives::default()).unwrap();
    let mut random = Random(3);
    let series: Vec<Series> = (0..3).map(|_| random_series(&mut random, 3)).collect();
    let (period, samples) = (3.0, 24);
    let (n, p) = (3, problem.count());
    let width = parameter_count(problem.model());
    let mut stacked = DMatrix::zeros(n * samples, p);
    let mut workspace = Workspace::new(problem.model());
    let mut out = vec![0.0; n * width];
    for i in 0..samples {
        let t = period * i as f64 / samples as f64;
        let order = |r: usize| -> Vec<f64> { series.iter().map(|series| series.derivative(r, t, period)).collect() };
        regressor_into(problem.model(), &order(0), &order(1), &order(2), &mut workspace, &mut out);
        for (j, effort) in [40.0, 1.0, 0.25].into_iter().enumerate() {
            for k in 0..p {
                stacked[(n * i + j, k)] = out[j * width + problem.column(k)] / effort;
            }
        }
    }
    let found = Quality::of(&problem, &series, &Criterion::Determinant, period, samples);
    let mean = &stacked / (samples as f64).sqrt();
    let mut unit = mean.clone();
    for k in 0..p {
        let length = mean.column(k).norm();
        close(&format!("strength {k}"), found.strengths[k] / length, 1.0, 1e-9);
        unit.column_mut(k).scale_mut(1.0 / length);
    }
    let values = unit.singular_values();
    close("condition", found.condition / (values.max() / values.min()), 1.0, 1e-6);
    let svd = mean.svd(false, true);
    let right = svd.v_t.unwrap();
    for k in 0..p {
        let square: f64 = (0..p).map(|i| (right[(i, k)] / svd.singular_values[i]).powi(2)).sum();
        close(&format!("deviation {k}"), found.deviations[k] / square.sqrt(), 1.0, 1e-6);
    }
    let volume = svd.singular_values.iter().map(|x| x.ln()).sum::<f64>();
    close("determinant", found.criterion / (-volume / p as f64).exp(), 1.0, 1e-6);
}

#[test]
fn a_trajectory_file_has_the_cosines_of_the_motion() {
    let mut random = Random(8);
    let found = motion((0..2).map(|_| random_series(&mut random, 3)).collect(), 4.0);
    let file = found.trajectory();
    assert_eq!(file["duration"], 4.0);
    assert_eq!(file["joints"].as_array().unwrap().len(), 2);
    for t in [0.0, 0.3, 1.7, 3.9] {
        for (joint, q) in file["joints"].as_array().unwrap().iter().zip(&found.at(t)[0]) {
            let cosine = |term: &serde_json::Value| {
                let number = |name: &str| term[name].as_f64().unwrap();
                number("amplitude") * (number("frequency") * t + number("phase")).cos()
            };
            let waves: f64 = joint["cosines"].as_array().unwrap().iter().map(cosine).sum();
            close("position", joint["offset"].as_f64().unwrap() + waves, *q, 1e-12);
        }
    }
    let curves = found.motion();
    assert_eq!((curves.start, curves.end, curves.joints.len()), (0.0, 4.0, 2));
}

/// Position and derivatives of the cubic polynomial between two positions and velocities.
fn cubic([p, v]: [f64; 2], [p_end, v_end]: [f64; 2], h: f64, s: f64) -> [f64; 4] {
    // Hermite's basis, and its derivatives.
    let x = s / h;
    let basis = [
        [1.0 + x * x * (2.0 * x - 3.0), 6.0 * x * (x - 1.0), 12.0 * x - 6.0, 12.0],
        [x * (x - 1.0) * (x - 1.0), (x - 1.0) * (3.0 * x - 1.0), 6.0 * x - 4.0, 6.0],
        [x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x), 6.0 - 12.0 * x, -12.0],
        [x * x * (x - 1.0), x * (3.0 * x - 2.0), 6.0 * x - 2.0, 6.0],
    ];
    let weights = [p, h * v, p_end, h * v_end];
    std::array::from_fn(|r| (0..4).map(|i| weights[i] * basis[i][r]).sum::<f64>() / h.powi(r as i32))
}

#[test]
fn cubic_splines_are_those_of_hermite_and_as_far_off_as_is_told() {
    let mut random = Random(5);
    let found = motion((0..2).map(|_| random_series(&mut random, 2)).collect(), 3.0);
    // 4.2 knots a second for three seconds.
    let spline = Spline::new(&found, 4.2, Degree::Cubic);
    let count = 13;
    assert_eq!(spline.times.len(), count + 1);
    assert_eq!((spline.degree, spline.knots.len()), (Degree::Cubic, count + 1));
    let h = 3.0 / count as f64;
    for (i, (t, knot)) in spline.times.iter().zip(&spline.knots).enumerate() {
        close("time", *t, h * i as f64, 1e-12);
        for (r, knot) in knot.iter().enumerate() {
            for (x, series) in knot.iter().zip(&found.series) {
                close("knot", *x, series.derivative(r, h * i as f64, 3.0), 1e-9);
            }
        }
    }
    let mut deviation = 0.0_f64;
    for (j, series) in found.series.iter().enumerate() {
        let at = |i: usize| [0, 1].map(|r| series.derivative(r, h * i as f64, 3.0));
        let (mut low, mut high, mut most) = (f64::INFINITY, f64::NEG_INFINITY, [0.0_f64; 3]);
        // As many places between knots as are looked at, both knots being places.
        for (i, k) in (0..count).flat_map(|i| (0..=24).map(move |k| (i, k))) {
            let s = h * f64::from(k) / 24.0;
            let [q, rates @ ..] = cubic(at(i), at(i + 1), h, s);
            (low, high) = (low.min(q), high.max(q));
            for (most, rate) in most.iter_mut().zip(rates) {
                *most = most.max(rate.abs());
            }
            deviation = deviation.max((q - series.derivative(0, h * i as f64 + s, 3.0)).abs());
        }
        let told = &spline.extents[j];
        let numbers = [told.position[0], told.position[1], told.speed, told.acceleration, told.jerk];
        for (told, expected) in numbers.into_iter().zip([low, high, most[0], most[1], most[2]]) {
            close(&format!("extent of joint {j}"), told, expected, 1e-9 * (1.0 + expected.abs()));
        }
    }
    close("deviation", spline.deviation, deviation, 1e-12);
    assert!(deviation > 1e-4, "the comparison has something to compare: {deviation}");
    // At least two knots, however low the rate.
    let least = Spline::new(&found, 1e-3, Degree::Quintic);
    assert_eq!(least.times, [0.0, 3.0]);
}
