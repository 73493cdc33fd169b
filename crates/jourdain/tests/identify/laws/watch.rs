//! Watching parameters over time, beside closed forms of Student's t and fits written out.

use crate::logs::Random;
use jourdain::identify::watch::{
    Change, ChangeKind, LEAST_POINTS, LEAST_ROBOTS, Point, change, discoveries, outlier, two_sided,
};
use std::f64::consts::PI;

/// P(|T| > t) for whole degrees of freedom: finite sums over powers of the cosine.
///
/// # Reference
/// Abramowitz and Stegun, 26.7.3 and 26.7.4.
fn student(t: f64, freedom: u32) -> f64 {
    let angle = (t.abs() / f64::from(freedom).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = (if odd { cos } else { 1.0 }, 0.0);
    let mut k = if odd { 3 } else { 2 };
    while k <= freedom {
        sum += term;
        term *= f64::from(k - 1) / f64::from(k) * cos * cos;
        k += 2;
    }
    let inside = if odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum };
    1.0 - inside
}

#[test]
fn students_t_has_its_finite_sums() {
    for freedom in [1, 2, 3, 4, 5, 6, 7, 8, 13, 28, 61, 200] {
        for t in [0.01, 0.1, 0.5, 0.9, 1.0, 1.3, 1.9, 2.5, 3.5, 6.0, 15.0] {
            let (found, expected) = (two_sided(t, f64::from(freedom)), student(t, freedom));
            assert!((found - expected).abs() < 1e-12, "{t} with {freedom}: {found} instead of {expected}");
            assert_eq!(found, two_sided(-t, f64::from(freedom)));
        }
        assert_eq!(two_sided(0.0, f64::from(freedom)), 1.0);
        assert_eq!(two_sided(f64::NEG_INFINITY, f64::from(freedom)), 0.0);
        assert_eq!(two_sided(f64::NAN, f64::from(freedom)), 1.0);
    }
    assert_eq!((two_sided(f64::INFINITY, 0.0), two_sided(3.0, -1.0)), (1.0, 1.0));
}

/// Σ w x / Σ w.
fn mean(points: &[Point]) -> f64 {
    let weight = |point: &Point| 1.0 / (point.deviation * point.deviation);
    points.iter().map(|point| weight(point) * point.value).sum::<f64>() / points.iter().map(weight).sum::<f64>()
}

/// What points are off from given values, in deviations, squared.
fn left(points: &[Point], value: impl Fn(&Point) -> f64) -> f64 {
    points.iter().map(|point| ((point.value - value(point)) / point.deviation).powi(2)).sum()
}

/// The slope by normal equations of 1 and t, its t, and the values at both ends.
fn drift(points: &[Point]) -> Change {
    let [mut one, mut time, mut square, mut value, mut product] = [0.0; 5];
    for Point { t, value: x, deviation } in points {
        let w = 1.0 / (deviation * deviation);
        (one, time, square) = (one + w, time + w * t, square + w * t * t);
        (value, product) = (value + w * x, product + w * t * x);
    }
    let determinant = one * square - time * time;
    let (slope, base) = ((one * product - time * value) / determinant, (square * value - time * product) / determinant);
    let freedom = points.len() as u32 - 2;
    let scatter = (left(points, |point| base + slope * point.t) / f64::from(freedom)).max(1.0);
    let p_value = student(slope / (scatter * one / determinant).sqrt(), freedom);
    let at = |point: &Point| base + slope * point.t;
    Change { kind: ChangeKind::Drift, p_value, at: 0, before: at(&points[0]), after: at(points.last().unwrap()) }
}

/// The likeliest jump, with two points or more on either side.
fn jump(points: &[Point]) -> Change {
    let freedom = points.len() as u32 - 2;
    let weight = |points: &[Point]| points.iter().map(|point| 1.0 / (point.deviation * point.deviation)).sum::<f64>();
    let places = 2..=points.len() - 2;
    let count = places.clone().count() as f64;
    let of = |at: usize| {
        let (first, second) = points.split_at(at);
        let (before, after) = (mean(first), mean(second));
        let scatter = (left(first, |_| before) + left(second, |_| after)) / f64::from(freedom);
        let t = (after - before) / (scatter.max(1.0) * (1.0 / weight(first) + 1.0 / weight(second))).sqrt();
        (t.abs(), at, before, after)
    };
    let (t, at, before, after) = places.map(of).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    Change { kind: ChangeKind::Jump, p_value: (count * student(t, freedom)).min(1.0), at, before, after }
}

#[test]
fn a_change_is_the_likelier_of_a_line_and_a_step_with_twice_its_p_value() {
    let mut random = Random(12);
    let mut kinds = [0; 2];
    for run in 0..200 {
        let count = LEAST_POINTS + run % 9;
        // Days that scatter by more than they say, and by less; values far from zero, times that are not even.
        let scatter = [0.3, 1.0, 4.0][run % 3];
        let (slope, step, place) = (random.normal() * 0.3, random.normal() * 2.0, 2 + run % (count - 3));
        let mut t = -3.0;
        let points: Vec<Point> = (0..count)
            .map(|k| {
                t += 0.2 + random.uniform();
                let deviation = 0.5 + random.uniform();
                let fault = if run % 2 == 0 { slope * t } else { f64::from(u8::from(k >= place)) * step };
                Point { t, value: 50.0 + fault + scatter * deviation * random.normal(), deviation }
            })
            .collect();
        let found = change(&points).unwrap();
        let (drift, jump) = (drift(&points), jump(&points));
        let expected = if jump.p_value <= drift.p_value { jump } else { drift };
        assert_eq!((found.kind, found.at), (expected.kind, expected.at), "run {run}");
        kinds[usize::from(found.kind == ChangeKind::Jump)] += 1;
        assert!((found.p_value - (2.0 * expected.p_value).min(1.0)).abs() < 1e-9, "run {run}: {found:?} {expected:?}");
        assert!((found.before - expected.before).abs() < 1e-9 && (found.after - expected.after).abs() < 1e-9);
    }
    assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
}

#[test]
fn points_that_say_nothing_give_no_change() {
    let point = |t: f64| Point { t, value: 2.0, deviation: 0.1 };
    let points = |count: usize| -> Vec<Point> { (0..count).map(|k| point(k as f64)).collect() };
    assert_eq!(change(&points(LEAST_POINTS - 1)), None);
    // All alike: a jump of nothing at the first place.
    let still = Change { kind: ChangeKind::Jump, p_value: 1.0, at: 2, before: 2.0, after: 2.0 };
    assert_eq!(change(&points(LEAST_POINTS)), Some(still));
    for bad in [
        Point { value: f64::NAN, ..point(3.0) },
        Point { value: f64::INFINITY, ..point(3.0) },
        Point { deviation: 0.0, ..point(3.0) },
        Point { deviation: -0.1, ..point(3.0) },
        Point { deviation: f64::INFINITY, ..point(3.0) },
    ] {
        let mut points = points(LEAST_POINTS + 2);
        points[3] = bad;
        assert_eq!(change(&points), None, "{bad:?}");
    }
    // No time passes: there is no slope.
    assert_eq!(change(&[point(1.0); 8]), None);
}

#[test]
fn an_outlier_is_judged_by_mean_and_scatter_of_the_others() {
    let values = [2.0, 1.0, 4.0, 9.0, 3.0];
    let found = outlier(&values, 3).unwrap();
    // 2, 1, 4, 3: their mean is 5/2, their variance 5/3; a fifth is off by that times 1 + 1/4.
    let variance: f64 = 5.0 / 3.0;
    assert!((found.others - 2.5).abs() < 1e-15 && (found.scatter - variance.sqrt()).abs() < 1e-15);
    let expected = student(6.5 / (1.25 * variance).sqrt(), 3);
    assert!((found.p_value - expected).abs() < 1e-13, "{} instead of {expected}", found.p_value);
    assert_eq!(values.len(), LEAST_ROBOTS);
    assert_eq!(outlier(&values[1..], 0), None);
    assert_eq!(outlier(&values, 5), None);
    assert_eq!(outlier(&[1.0, 1.0, 1.0, 1.0, 5.0], 4), None);
    assert_eq!(outlier(&[1.0, f64::NAN, 2.0, 1.0, 5.0], 4), None);
}

/// By the definition: the largest k whose k-th smallest p-value is at most k q/m.
#[test]
fn discoveries_are_the_smallest_p_values_up_to_the_last_below_its_line() {
    let mut random = Random(3);
    for run in 0..50 {
        let p: Vec<f64> = (0..1 + run % 12).map(|_| random.uniform().powi(3)).collect();
        let found = discoveries(&p, 0.3);
        let at_most = |limit: f64| p.iter().filter(|p| **p <= limit).count() as f64;
        let limit = p.iter().copied().filter(|x| *x <= at_most(*x) * 0.3 / p.len() as f64).fold(-1.0, f64::max);
        let expected: Vec<bool> = p.iter().map(|p| *p <= limit).collect();
        assert_eq!(found, expected, "{p:?}");
    }
    // On the line is below it, too.
    assert_eq!(discoveries(&[0.125, 0.25, 0.875], 0.375), [true, true, false]);
}
