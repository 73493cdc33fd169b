//! Starts of inverse kinematics and the curves they lead to: all stationary points of a self-motion from one start on it,
//! counted by hand, and which of several starts is the answer.

use super::limits::{TURN, along_x, arm, at, at_x, slides};
use super::steps::{Sum, planar};
use crate::common::random_tree::Random;
use jourdain::ik::criterion::{Constant, Criterion, Joints, Point};
use jourdain::ik::{Goal, Kind, Options, Solution, Solver, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Vector};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Options for one start.
fn one(goal: Goal) -> Options {
    Options { starts: 1, goal, ..Options::default() }
}

/// ½ cos(4 x + 0.3) of the first number.
fn ripple() -> Sum {
    Sum { springs: vec![[0.0; 2]; 2], waves: vec![[0.5, 4.0, 0.3], [0.0; 3]], sign: 1.0 }
}

#[test]
fn one_start_on_a_line_finds_every_stationary_point_within_the_limits_and_minima_that_they_hold() {
    // Two slides that make so much together: the first is where both are within their ranges.
    for (ranges, x) in [([[-2.0, 2.0]; 2], 0.5), ([[-1.9, 0.7], [-0.6, 9.0]], 0.5), ([[-2.0, 2.0]; 2], -1.0)] {
        let model = slides(&ranges);
        let ends = [f64::max(ranges[0][0], x - ranges[1][1]), f64::min(ranges[0][1], x - ranges[1][0])];
        let slope = |x: f64| -2.0 * (4.0 * x + 0.3).sin();
        let mut expected: Vec<(f64, Kind)> = (-20..20)
            .map(|k| ((f64::from(k) * PI - 0.3) / 4.0, if k % 2 == 0 { Kind::Maximum } else { Kind::Minimum }))
            .filter(|(x, _)| (ends[0]..ends[1]).contains(x))
            .collect();
        expected.extend(
            [(ends[0], -1.0), (ends[1], 1.0)]
                .iter()
                .filter(|(x, side)| slope(*x) * side < 0.0)
                .map(|(x, _)| (*x, Kind::Minimum)),
        );
        assert!(expected.len() > 3);
        for goal in [Goal::Minimum, Goal::Maximum] {
            for start in [ends[0] + 0.05, -0.4, 0.0, 0.31, ends[1] - 0.03] {
                let mut solver = Solver::new(&model, along_x(2), Box::new(ripple()), one(goal)).unwrap();
                let found = solver.solve_all(&at_x(x), Some(&[start, x - start])).unwrap();
                let places: Vec<f64> = found.iter().map(|found| found.q[0]).collect();
                assert_eq!(found.len(), expected.len(), "{goal:?} from {start}: {places:?} {expected:?}");
                for (x, kind) in &expected {
                    let near = found.iter().find(|found| (found.q[0] - x).abs() < 1e-8);
                    let near = near.unwrap_or_else(|| panic!("{goal:?} from {start}: {x} is not among {places:?}"));
                    assert_eq!((near.report.kind, near.report.starts), (*kind, 1));
                    assert_eq!(near.report.status == Status::LimitActive, *x == ends[0] || *x == ends[1]);
                }
                // Best first; of equal ones that with the smaller numbers.
                let sign = if goal == Goal::Maximum { -1.0 } else { 1.0 };
                for pair in found.windows(2) {
                    let by = sign * (pair[1].report.criterion - pair[0].report.criterion);
                    assert!(by > 1e-9 || (by.abs() <= 1e-9 && pair[0].q[0] < pair[1].q[0]), "{goal:?}: {places:?}");
                }
                assert_eq!(solver.goal(), goal);
            }
        }
    }
}

/// Σ a cos(q + b): the same after whole turns. Counts how often it is asked for values and for Hessians.
#[derive(Clone)]
struct Turning {
    terms: Vec<[f64; 2]>,
    asked: Arc<[AtomicUsize; 2]>,
}

impl Turning {
    fn new(terms: &[[f64; 2]]) -> Self {
        Self { terms: terms.to_vec(), asked: Arc::default() }
    }

    fn of(&self, q: &[f64]) -> f64 {
        self.terms.iter().zip(q).map(|([a, b], q)| a * (q + b).cos()).sum()
    }

    fn asked(&self) -> [usize; 2] {
        [0, 1].map(|i| self.asked[i].load(Ordering::Relaxed))
    }
}

impl Criterion for Turning {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        self.asked[0].fetch_add(1, Ordering::Relaxed);
        self.of(at.q)
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        for ((out, [a, b]), q) in out.iter_mut().zip(&self.terms).zip(at.q) {
            *out = -a * (q + b).sin();
        }
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        self.asked[1].fetch_add(1, Ordering::Relaxed);
        out.fill(0.0);
        let n = self.terms.len();
        for (i, ([a, b], q)) in self.terms.iter().zip(at.q).enumerate() {
            out[i * n + i] = -a * (q + b).cos();
        }
        true
    }

    fn is_periodic(&self) -> bool {
        true
    }
}

/// A configuration of the arm of 0.6, 0.4 and 0.3 m by the direction of its last link and the side of its elbow.
fn bent([x, y]: [f64; 2], direction: f64, side: f64) -> [f64; 3] {
    let (u, v) = (x - 0.3 * direction.cos(), y - 0.3 * direction.sin());
    let bend = side * ((u * u + v * v - 0.52) / 0.48).acos();
    let first = v.atan2(u) - (0.4 * bend.sin()).atan2(0.6 + 0.4 * bend.cos());
    [first, bend, direction - first - bend]
}

/// Values of the criterion where it is stationary on one of the two closed curves, by neighbours, and the curve's length.
fn extrema(h: &Turning, target: [f64; 2], side: f64) -> (Vec<f64>, f64) {
    let count = 3000;
    let places: Vec<[f64; 3]> = (0..count).map(|i| bent(target, TAU * i as f64 / count as f64, side)).collect();
    let values: Vec<f64> = places.iter().map(|place| h.of(place)).collect();
    let mut found = Vec::new();
    let mut length = 0.0;
    for i in 0..count {
        let [next, after] = [(i + 1) % count, (i + 2) % count];
        let [a, b, c] = [values[i], values[next], values[after]];
        if (b - a) * (c - b) <= 0.0 {
            // The vertex of the parabola through the three.
            let (slope, bend) = (0.5 * (c - a), c - 2.0 * b + a);
            found.push(if bend == 0.0 { b } else { b - 0.5 * slope * slope / bend });
        }
        let turned = |k: usize| {
            let d = places[next][k] - places[i][k];
            d - TAU * (d / TAU).round()
        };
        length += (0..3).map(|k| turned(k).powi(2)).sum::<f64>().sqrt();
    }
    (found, length)
}

fn has(found: &[Solution], value: f64) -> bool {
    found.iter().any(|found| (found.report.criterion - value).abs() < 1e-5)
}

const TERMS: [[[f64; 2]; 3]; 3] = [
    [[1.0, 0.2], [0.7, 1.0], [0.9, -0.5]],
    [[0.3, 2.0], [1.0, -1.0], [1.2, 0.4]],
    [[0.0, 0.0], [0.4, 0.3], [1.0, 1.9]],
];

/// From one start on a curve: every stationary point of it, and if `strict` one of the other curve at most. Returns how many
/// there are.
fn check_curve(terms: &[[f64; 2]], radius: f64, starts: &[(f64, f64)], near: f64, strict: bool) -> usize {
    let model = planar(3, TURN);
    let target = [radius * f64::cos(0.4), radius * f64::sin(0.4)];
    let h = Turning::new(terms);
    let both = [1.0, -1.0].map(|side| extrema(&h, target, side));
    let mut total = 0;
    for (side, direction) in starts {
        let ((expected, length), (other, _)) = if *side > 0.0 { (&both[0], &both[1]) } else { (&both[1], &both[0]) };
        let h = Turning::new(terms);
        let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(h.clone()), one(Goal::Minimum)).unwrap();
        let found = solver.solve_all(&at(target[0], target[1]), Some(&bent(target, *direction, *side))).unwrap();
        let values: Vec<f64> = found.iter().map(|found| found.report.criterion).collect();
        let what = format!("{terms:?}, {side} from {direction} at {radius}: {values:?} {expected:?}");
        let close = |a: f64, b: f64| (a - b).abs() < near;
        assert!(expected.iter().all(|value| values.iter().any(|found| close(*found, *value))), "{what}");
        assert!(values.iter().all(|value| expected.iter().chain(other).any(|known| close(*known, *value))), "{what}");
        total += found.len();
        if strict {
            // The first minimum may be one of the other curve.
            assert!(found.len() <= expected.len() + 1, "{what}");
            // A value for each step of 0.04 in both directions, a few more for each point.
            let [asked, hessians] = h.asked();
            let steps = 2.0 * length / 0.04;
            assert!((asked as f64) < 1.3 * steps + 60.0 * found.len() as f64 + 300.0, "{what}: {asked} {steps}");
            assert!(hessians < 30 * found.len() + 60, "{what}: {hessians}");
        }
    }
    total
}

#[test]
fn one_start_on_a_closed_curve_finds_every_stationary_point_of_it_and_little_else_is_computed() {
    let starts = [(1.0, 0.3), (-1.0, 0.3), (1.0, 4.4), (-1.0, 2.5)];
    let total: usize = TERMS.iter().map(|terms| check_curve(terms, 0.6, &starts, 1e-6, true)).sum();
    assert!(total > 25, "{total}");
}

#[test]
fn one_start_on_a_curve_that_nearly_touches_another_finds_what_is_on_it() {
    // At 0.7 m they would touch, with the arm stretched; where hardly anything is between them a step leads over.
    let starts = [(1.0, 0.3), (-1.0, 0.3), (1.0, 4.4), (-1.0, 2.5)];
    for terms in &TERMS[..2] {
        check_curve(terms, 0.6999, &starts, 1e-4, true);
        check_curve(terms, 0.699_99, &starts[1..3], 1e-3, false);
    }
}

#[test]
fn starts_that_lead_to_a_known_curve_do_not_count_as_new_ones() {
    // Two curves: w (w + 1)/(N (N − 1)) is 6/9900 after the hundred starts that there are at least, 12/9900 for a third one.
    let model = planar(3, TURN);
    let options = Options { chance: 0.0007, ..Options::default() };
    for terms in &TERMS[..2] {
        let target = [0.6 * f64::cos(0.4), 0.6 * f64::sin(0.4)];
        let h = Turning::new(terms);
        let expected: Vec<f64> = [1.0, -1.0].iter().flat_map(|side| extrema(&h, target, *side).0).collect();
        let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(h), options).unwrap();
        let found = solver.solve_all(&at(target[0], target[1]), None).unwrap();
        assert_eq!(found.len(), expected.len());
        assert!(expected.iter().all(|value| has(&found, *value)));
        assert!(found.iter().all(|found| found.report.starts == 100), "{}", found[0].report.starts);
    }
}

#[test]
fn starts_that_lead_to_a_small_loop_know_it_again() {
    // Nearly stretched there is one curve, a few steps around: 2/9900 after a hundred starts, 6/9900 for a second one.
    let model = planar(3, TURN);
    for short in [1e-4, 3e-4, 0.001, 0.003, 0.006, 0.01] {
        let options = Options { chance: 0.0003, starts: 150, ..Options::default() };
        let target = at((1.3 - short) * f64::cos(0.4), (1.3 - short) * f64::sin(0.4));
        let h = Turning::new(&[[0.2, 0.4], [0.7, 1.0], [0.9, -0.5]]);
        let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(h), options).unwrap();
        let found = solver.solve_all(&target, Some(&[0.45, -0.1, 0.1])).unwrap();
        let kinds: Vec<Kind> = found.iter().map(|found| found.report.kind).collect();
        assert_eq!(kinds, [Kind::Minimum, Kind::Maximum], "{short}");
        // Loops hardly larger than a step may be followed more than once.
        assert!(short < 5e-4 || found[0].report.starts == 100, "{short}: {}", found[0].report.starts);
    }
}

#[test]
fn one_start_finds_the_best_and_the_worst_of_a_small_loop() {
    let model = planar(3, TURN);
    for short in [5e-4, 7e-4, 0.001, 0.002, 0.004] {
        for start in [[0.45, -0.1, 0.1], [0.3, 0.2, 0.1], [0.5, 0.1, -0.2], [0.4, -0.3, 0.4]] {
            let target = at((1.3 - short) * f64::cos(0.4), (1.3 - short) * f64::sin(0.4));
            let h = Turning::new(&[[0.2, 0.4], [0.7, 1.0], [0.9, -0.5]]);
            let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(h), one(Goal::Minimum)).unwrap();
            let found = solver.solve_all(&target, Some(&start)).unwrap();
            let kinds: Vec<Kind> = found.iter().map(|found| found.report.kind).collect();
            assert_eq!(kinds, [Kind::Minimum, Kind::Maximum], "{short} from {start:?}");
        }
    }
}

#[test]
fn limits_some_turns_further_have_the_same_points_from_the_same_start() {
    let target = [0.6 * f64::cos(0.4), 0.6 * f64::sin(0.4)];
    let inner = bent(target, 0.9, 1.0);
    let mut sizes = Vec::new();
    for ranges in [[[-1.5, 2.0], [-0.5, 2.6], [-3.0, 1.0]], [[-2.0, 1.0], [0.2, 3.1], [-2.9, 2.9]]] {
        let all = [[0.0; 3], [TAU, -TAU, 0.0], [-2.0 * TAU, TAU, 2.0 * TAU], [0.0, 3.0 * TAU, -TAU]].map(|turns| {
            let joints: Vec<String> = (0..3)
                .map(|i| format!("{TURN}, limits = [{}, {}]", ranges[i][0] + turns[i], ranges[i][1] + turns[i]))
                .collect();
            let model = arm(&[
                ("[0, 0, 0]", &joints[0]),
                ("[0.6, 0, 0]", &joints[1]),
                ("[0.4, 0, 0]", &joints[2]),
                ("[0.3, 0, 0]", ""),
            ]);
            let criterion = Box::new(Turning::new(&TERMS[0]));
            let mut solver = Solver::new(&model, Task::position_xy(3), criterion, one(Goal::Minimum)).unwrap();
            let start: Vec<f64> = inner.iter().zip(turns).map(|(q, turn)| q + turn).collect();
            let mut found = solver.solve_all(&at(target[0], target[1]), Some(&start)).unwrap();
            for found in &mut found {
                found.q.iter_mut().zip(turns).for_each(|(q, turn)| *q -= turn);
                let inside = found.q.iter().zip(ranges).all(|(q, [low, high])| *q > low - 1e-9 && *q < high + 1e-9);
                assert!(inside, "{turns:?}: {found:?}");
            }
            found
        });
        sizes.push(all[0].len());
        for other in &all[1..] {
            let places = |all: &[Solution]| all.iter().map(|found| found.q.clone()).collect::<Vec<_>>();
            assert_eq!(other.len(), all[0].len(), "{:?} {:?}", places(other), places(&all[0]));
            for (a, b) in other.iter().zip(&all[0]) {
                assert!(a.q.iter().zip(&b.q).all(|(a, b)| (a - b).abs() < 1e-7), "{a:?} {b:?}");
            }
        }
    }
    assert!(sizes.iter().all(|size| *size > 2), "{sizes:?}");
}

#[test]
fn a_start_some_turns_beyond_the_limits_leads_to_the_same_points() {
    let target = [0.6 * f64::cos(0.4), 0.6 * f64::sin(0.4)];
    let inner = bent(target, 0.9, 1.0);
    for ranges in [[[-1.5, 2.0], [-0.5, 2.6], [-3.0, 1.0]], [[-2.0, 1.0], [0.2, 3.1], [-2.9, 2.9]]] {
        let joints = ranges.map(|[low, high]| format!("{TURN}, limits = [{low}, {high}]"));
        let model = arm(&[
            ("[0, 0, 0]", &joints[0]),
            ("[0.6, 0, 0]", &joints[1]),
            ("[0.4, 0, 0]", &joints[2]),
            ("[0.3, 0, 0]", ""),
        ]);
        let from = |turns: [f64; 3]| {
            let criterion = Box::new(Turning::new(&TERMS[0]));
            let mut solver = Solver::new(&model, Task::position_xy(3), criterion, one(Goal::Minimum)).unwrap();
            let start: Vec<f64> = inner.iter().zip(turns).map(|(q, turn)| q + turn * TAU).collect();
            solver.solve_all(&at(target[0], target[1]), Some(&start)).unwrap()
        };
        let expected = from([0.0; 3]);
        assert!(expected.len() > 2);
        let turns = [[1.0, 0.0, 0.0], [-1.0, 1.0, 2.0], [2.0, -2.0, -1.0], [-2.0, -1.0, 1.0], [0.0, 2.0, -2.0]];
        for turns in turns {
            let found = from(turns);
            for point in expected.iter().filter(|point| point.q[1] > 0.0) {
                let same = |other: &&Solution| other.q.iter().zip(&point.q).all(|(a, b)| (a - b).abs() < 1e-7);
                assert!(found.iter().any(|found| same(&found)), "{turns:?}: {point:?}");
            }
            let inside = |found: &Solution| {
                found.q.iter().zip(ranges).all(|(q, [low, high])| *q > low - 1e-9 && *q < high + 1e-9)
            };
            assert!(found.iter().all(inside), "{turns:?}");
        }
    }
}

#[test]
fn a_few_starts_find_both_curves_where_each_has_half_of_them() {
    let model = planar(3, TURN);
    let h = Turning::new(&TERMS[0]);
    let mut both = 0;
    for case in 0..16_u32 {
        let angle = 0.4 * f64::from(case);
        let target = [0.6 * angle.cos(), 0.6 * angle.sin()];
        let options = Options { starts: 5, seed: u64::from(case), ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(h.clone()), options).unwrap();
        let found = solver.solve_all(&at(target[0], target[1]), Some(&bent(target, 0.5, 1.0))).unwrap();
        let all = extrema(&h, target, -1.0).0.iter().all(|value| has(&found, *value));
        both += usize::from(all);
    }
    // Of four more starts one in sixteen has all on the first curve.
    assert!(both > 11, "{both}");
}

#[test]
fn curves_that_touch_are_followed_through_the_place_where_they_do() {
    let model = planar(3, TURN);
    let h = Turning::new(&TERMS[0]);
    // Where they touch the arm is stretched, and which curve is whose means nothing.
    let there = h.of(&[0.4, 0.0, 0.0]);
    let beside = [0.6999 * f64::cos(0.4), 0.6999 * f64::sin(0.4)];
    let mut expected: Vec<f64> = [1.0, -1.0].iter().flat_map(|side| extrema(&h, beside, *side).0).collect();
    expected.retain(|value| (value - there).abs() > 0.02);
    assert!(expected.len() > 3);
    for radius in [0.7, 0.7 - 1e-10, 0.7 - 1e-7] {
        for (side, direction) in [(1.0, 2.3), (-1.0, 2.3), (1.0, 4.4), (-1.0, 5.0)] {
            let target = [radius * f64::cos(0.4), radius * f64::sin(0.4)];
            let mut solver =
                Solver::new(&model, Task::position_xy(3), Box::new(h.clone()), one(Goal::Minimum)).unwrap();
            let found = solver.solve_all(&at(target[0], target[1]), Some(&bent(target, direction, side))).unwrap();
            for value in &expected {
                let near = found.iter().any(|found| (found.report.criterion - value).abs() < 1e-3);
                let values: Vec<f64> = found.iter().map(|found| found.report.criterion).collect();
                assert!(near, "{radius}, {side} from {direction}: {value} {there} {values:?}");
            }
        }
    }
}

#[test]
fn minima_maxima_and_saddles_of_more_than_one_redundant_number_are_looked_for_by_at_most_400_starts() {
    for (weights, kind) in
        [([1.0, 2.0, 3.0], Kind::Minimum), ([-1.0, -2.0, -3.0], Kind::Maximum), ([1.0, -2.0, 3.0], Kind::Saddle)]
    {
        let rest = [0.4, -0.2, 0.1];
        let springs: Vec<(f64, f64)> = rest.into_iter().zip(weights).collect();
        let model = slides(&[[-2.0, 2.0]; 3]);
        let options = Options { starts: 500, chance: 0.0, ..Options::default() };
        let mut solver = Solver::new(&model, along_x(3), Box::new(Joints::springs(&springs)), options).unwrap();
        let found = solver.solve_all(&at_x(0.3), None).unwrap();
        let rests = |found: &&Solution| found.q.iter().zip(rest).all(|(q, x)| (q - x).abs() < 1e-8);
        let rest = found.iter().find(rests).expect("the point at rest");
        assert_eq!((rest.report.kind, rest.report.starts), (kind, 400));
    }
    // All of the starts where there is one such number or none.
    for n in [1, 2] {
        let model = slides(&vec![[-2.0, 2.0]; n]);
        let options = Options { starts: 500, chance: 0.0, ..Options::default() };
        let springs = vec![(0.1, 1.0); n];
        let mut solver = Solver::new(&model, along_x(n), Box::new(Joints::springs(&springs)), options).unwrap();
        let found = solver.solve_all(&at_x(0.3), None).unwrap();
        assert_eq!((found.len(), found[0].report.starts), (1, 500));
    }
}

#[test]
fn whole_turns_without_limits_are_other_positions_where_the_criterion_knows_them() {
    let model = planar(2, TURN);
    let q = [0.3, 0.9];
    let target = kinematics::pose(&model, &q, 2);
    let springs = Joints::springs(&[(0.0, 1.0), (0.0, 1.0)]);
    let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(springs), Options::default()).unwrap();
    let found = solver.solve_all(&target, Some(&[q[0] + 2.0 * TAU, q[1] - TAU])).unwrap();
    for turns in [[2.0 * TAU, -TAU], [0.0, 0.0]] {
        let here = found.iter().filter(|found| (0..2).all(|i| (found.q[i] - q[i] - turns[i]).abs() < 1e-8));
        assert_eq!(here.count(), 1, "{turns:?}");
    }
    // Not where it does not.
    let turning = Turning::new(&[[1.0, 0.2], [0.7, 1.0]]);
    let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(turning), Options::default()).unwrap();
    assert_eq!(solver.solve_all(&target, Some(&[q[0] + 2.0 * TAU, q[1] - TAU])).unwrap().len(), 2);
}

#[test]
fn a_ball_joint_turned_to_a_point_is_nearest_to_home_in_one_way() {
    // Half a metre on a ball joint: what is left is the turn about it.
    let model =
        arm(&[("[0, 0, 0.1]", "type = \"revolute\""), ("[0, 0, 0]", "type = \"spherical\""), ("[0.5, 0, 0]", "")]);
    let chain = jourdain::ik::Chain::new(&model, 2, Vector::zero());
    let home: Vec<f64> = model.neutral();
    // The first joint is held at home by a stiff spring.
    let criterion = Joints::home(&model, &chain, &home, &[50.0, 1.0, 1.0, 1.0]);
    let options = Options { starts: 50, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position(2), Box::new(criterion), options).unwrap();
    let target = Pose::translation(Vector([0.0, 0.3, 0.5]));
    let found = solver.solve_all(&target, None).unwrap();
    for (i, a) in found.iter().enumerate() {
        assert!((kinematics::pose(&model, &a.q, 2).translation - target.translation).norm() < 1e-8);
        for b in &found[..i] {
            // Both signs of a quaternion are one attitude.
            let dot: f64 = a.q[1..].iter().zip(&b.q[1..]).map(|(a, b)| a * b).sum();
            assert!(dot.abs() < 1.0 - 1e-9 || (a.q[0] - b.q[0]).abs() > 1e-6, "{a:?} {b:?}");
        }
    }
    let minima = found.iter().filter(|found| found.report.kind == Kind::Minimum).count();
    assert_eq!(minima, 1, "{found:?}");
}

#[test]
fn a_ball_joint_alone_is_turned_by_the_angle_between_the_two_directions() {
    let model = arm(&[("[0, 0, 0]", "type = \"spherical\""), ("[0.5, 0, 0]", "")]);
    let chain = jourdain::ik::Chain::new(&model, 1, Vector::zero());
    for place in [Vector([0.0, 0.3, 0.4]), Vector([-0.3, 0.0, 0.4]), Vector([0.4, -0.3, 0.0])] {
        let criterion = Joints::home(&model, &chain, &model.neutral::<f64>(), &[1.0; 3]);
        let options = Options { starts: 40, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position(1), Box::new(criterion), options).unwrap();
        assert_eq!(solver.rank(), 2);
        let found = solver.solve_all(&Pose::translation(place), None).unwrap();
        let minima: Vec<&Solution> = found.iter().filter(|found| found.report.kind == Kind::Minimum).collect();
        assert_eq!(minima.len(), 1, "{found:?}");
        let angle = (place[0] / 0.5).acos();
        assert!((minima[0].report.criterion - 0.5 * angle * angle).abs() < 1e-9, "{place:?}: {found:?}");
    }
}

#[test]
fn all_of_the_starts_are_used_where_no_bound_excludes_the_target_and_few_where_one_does() {
    // Without iterations a start is a solution only if it happens to be one, here to four centimetres.
    let model = planar(2, &format!("{TURN}, limits = [-3, 3]"));
    let all = |starts: usize, seed: u64| {
        let options = Options { starts, seed, iterations: 0, tolerance: 0.04, chance: 1e-9, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), options).unwrap();
        solver.solve_all(&at(0.5, 0.5), None).unwrap()
    };
    let late: Vec<u64> = (0..12).filter(|&seed| all(110, seed).is_empty()).collect();
    assert!(late.len() > 2, "{late:?}");
    for seed in late {
        let found = all(6000, seed);
        assert!(!found.is_empty() && found[0].report.starts == 6000, "{seed}");
    }
    let options = Options { starts: usize::MAX, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), options).unwrap();
    assert!(solver.solve_all(&at(1.5, 0.5), None).unwrap().is_empty());
}

#[test]
fn a_first_start_that_succeeds_is_what_a_single_start_gives() {
    let model = planar(3, &format!("{TURN}, limits = [-3, 3]"));
    let mut random = Random::new(41);
    for case in 0..30 {
        let inner = random.vector(3, 2.0);
        let start: Vec<f64> = inner.iter().map(|x| x + random.range(-0.4, 0.4)).collect();
        let target = kinematics::pose(&model, &inner, 3);
        let criterion = || Box::new(Joints::springs(&[(0.3, 1.0), (-0.2, 2.0), (0.5, 0.5)]));
        let mut solver = Solver::new(&model, Task::position_xy(3), criterion(), Options::default()).unwrap();
        let mut q = start.clone();
        let report = solver.solve_into(&target, &mut q).unwrap();
        let found = solver.solve(&target, Some(&start)).unwrap();
        if report.status.is_success() {
            assert_eq!((found.q, found.report), (q, report), "{case}");
        }
    }
}

#[test]
fn a_single_start_without_limits_tries_for_longer() {
    let iterations = |starts: usize, joint: &str| {
        let options = Options { starts, ..Options::default() };
        let model = planar(2, joint);
        let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), options).unwrap();
        let found = solver.solve(&at(0.9, 1.1), Some(&[0.4, 0.8])).unwrap();
        assert_eq!((found.report.status, found.report.starts), (Status::Unreachable, starts));
        found.report.iterations
    };
    assert!(iterations(1, TURN) > 100);
    assert!(iterations(2, TURN) < 60);
    assert!(iterations(1, &format!("{TURN}, limits = [-3, 3]")) < 60);
}

#[test]
fn of_equal_optima_the_first_stays_and_a_better_one_replaces_it() {
    // Both elbows are as far from home.
    let model = planar(2, &format!("{TURN}, limits = [-3, 3]"));
    let solve = |springs: [(f64, f64); 2], chance: f64, seed: u64, goal: Goal| {
        let options = Options { chance, seed, goal, ..Options::default() };
        let criterion = Box::new(Joints::springs(&springs));
        let mut solver = Solver::new(&model, Task::position_xy(2), criterion, options).unwrap();
        solver.solve(&at(0.7, 0.0), None).unwrap()
    };
    for seed in 0..6 {
        let even = [(0.0, 1.0), (0.0, 1.0)];
        let (first, best) = (solve(even, 1.0, seed, Goal::Minimum), solve(even, 0.1, seed, Goal::Minimum));
        assert!(first.report.starts < 5 && best.report.starts > 10);
        assert_eq!(first.q, best.q, "seed {seed}");
        // The elbow that is nearer to home wins, with values below and above one and with both signs.
        let bend = ((0.49 - 0.52) / 0.48_f64).acos();
        for (home, stiff) in [(0.5, 0.05), (0.5, 1.0), (-0.4, 0.2), (-0.4, 3.0)] {
            for (goal, sign) in [(Goal::Minimum, 1.0), (Goal::Maximum, -1.0)] {
                let side = f64::signum(home);
                let found = solve([(0.0, 0.0), (home, sign * stiff)], 0.1, seed, goal);
                let expected = side * bend;
                assert!((found.q[1] - expected).abs() < 1e-8, "{home} {stiff} {goal:?}: {:?}", found.q);
            }
        }
    }
}

#[test]
fn of_starts_that_fail_the_nearest_is_told() {
    // One joint between −2.5 and 2.5 for a target beyond the upper end: the lower one is farther.
    let model = arm(&[("[0, 0, 0]", &format!("{TURN}, limits = [-2.5, 2.5]")), ("[1, 0, 0]", "")]);
    for (start, angle) in [(-2.4, 2.94_f64), (2.4, -2.94)] {
        let options = Options { starts: 30, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(1), Box::new(Constant), options).unwrap();
        let found = solver.solve(&at(1.5 * angle.cos(), 1.5 * angle.sin()), Some(&[start])).unwrap();
        assert_eq!(found.report.status, Status::Unreachable);
        assert!((found.q[0] - 2.5 * angle.signum()).abs() < 1e-9, "{:?}", found.q);
    }
}

#[test]
fn a_point_of_the_wrong_kind_is_nearer_to_what_is_asked_than_one_that_is_not_stationary() {
    // Without iterations, three centimetres off; others are nearer to the pose, but nothing else.
    let model = slides(&[[-1.0, 1.0]; 2]);
    let springs = Joints::springs(&[(0.2, -1.0), (0.1, -1.0)]);
    let options = Options { iterations: 0, starts: 400, tolerance: 0.04, ..Options::default() };
    let mut solver = Solver::new(&model, along_x(2), Box::new(springs), options).unwrap();
    let found = solver.solve(&at_x(0.33), Some(&[0.2, 0.1])).unwrap();
    assert_eq!((found.report.status, found.report.kind), (Status::WrongKind, Kind::Maximum));
    assert!(found.q == [0.2, 0.1] && (found.report.pose_error - 0.03).abs() < 1e-12 && found.report.starts == 400);
    // The other way round it takes its place.
    let mut solver = Solver::new(
        &model,
        along_x(2),
        Box::new(Joints::springs(&[(0.2, -1.0), (0.1, -1.0)])),
        Options { starts: 1, ..options },
    )
    .unwrap();
    let found = solver.solve(&at_x(0.33), Some(&[0.3, 0.03])).unwrap();
    assert_eq!(found.report.status, Status::NotStationary);
}

#[test]
fn costly_bounds_are_tried_after_forty_failures() {
    // Both lengths reach the place, but not with the first joint within its limits.
    let limited = format!("{TURN}, limits = [-0.5, 0.5]");
    let model = arm(&[("[0, 0, 0]", &limited), ("[0.6, 0, 0]", TURN), ("[0.4, 0, 0]", "")]);
    let options = Options { starts: 150, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(2), Box::new(Constant), options).unwrap();
    let found = solver.solve(&at(-0.7, 0.1), None).unwrap();
    assert_eq!((found.report.status, found.report.starts), (Status::Unreachable, 40));
    let report = solver.reach_into(&at(-0.7, 0.1), &mut [0.0; 2]).unwrap();
    assert_eq!((report.status, report.starts), (Status::Unreachable, 40));
    // Cheap ones after eight: then 24 starts are enough.
    let report = solver.reach_into(&at(-1.7, 0.1), &mut [0.0; 2]).unwrap();
    assert_eq!((report.status, report.starts), (Status::Unreachable, 24));
}

#[test]
fn angles_are_within_half_a_turn_unless_they_follow_from_the_start_that_is_given() {
    let model = planar(3, TURN);
    let mut random = Random::new(42);
    let mut later = 0;
    for case in 0..150 {
        let (radius, angle) = (random.range(0.05, 1.25), random.range(-PI, PI));
        let target = at(radius * angle.cos(), radius * angle.sin());
        // So few iterations that some starts fail.
        let options = Options { iterations: 6, starts: 50, ..Options::default() };
        let mut solver = Solver::new(&model, Task::position_xy(3), Box::new(Constant), options).unwrap();
        let found = solver.solve(&target, None).unwrap();
        assert!(found.q.iter().all(|q| q.abs() <= PI + 1e-12), "{case}: {:?}", found.q);
        let start = [20.0 + random.range(-2.0, 2.0), random.range(-2.0, 2.0), random.range(-2.0, 2.0)];
        let found = solver.solve(&target, Some(&start)).unwrap();
        if found.report.starts == 1 {
            assert!((found.q[0] - start[0]).abs() < 8.0);
        } else {
            later += 1;
            assert!(found.q.iter().all(|q| q.abs() <= PI + 1e-12), "{case}: {:?}", found.q);
        }
    }
    assert!(later > 20, "{later}");
}

#[test]
fn starts_on_the_walls_of_a_barrier_are_moved_a_thousandth_of_the_range_inwards() {
    let ranges = [[-0.5, 1.5], [1.0, 2.0], [-3.0, -2.5]];
    let model = slides(&ranges);
    let chain = jourdain::ik::Chain::new(&model, 3, Vector::zero());
    let options = Options { iterations: 0, ..one(Goal::Minimum) };
    let mut solver = Solver::new(&model, along_x(3), Box::new(Joints::limit_barrier(&chain)), options).unwrap();
    for (start, expected) in [
        ([-0.5, 1.0, -3.0], [-0.498, 1.001, -2.9995]),
        ([1.5, 2.0, -2.5], [1.498, 1.999, -2.5005]),
        ([1.4999, 1.5, -2.75], [1.498, 1.5, -2.75]),
    ] {
        let mut q = start;
        solver.solve_into(&at_x(0.0), &mut q).unwrap();
        assert!(q.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{q:?} {expected:?}");
    }
}
