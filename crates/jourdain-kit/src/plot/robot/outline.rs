//! Outlines of round bodies in a parallel projection: circles, capsules, drums and cones, as paths.
//!
//! The outline of two discs on one axis is that of two circles after the page has been stretched along the axis; so there is one
//! construction, the hull of two circles, and what is seen at a slant is squeezed afterwards.

use super::super::drawing::{Point, Step};
use std::f64::consts::{FRAC_PI_2, PI};

/// Discs seen from nearer to their edge than this are lines.
const EDGE_ON: f64 = 1e-3;

/// An arc about a centre, from one angle to another, as curves of at most a quarter each; squeezed by the map.
fn arc(centre: Point, radius: f64, from: f64, to: f64, map: &impl Fn(Point) -> Point, steps: &mut Vec<Step>) {
    let pieces = ((to - from).abs() / FRAC_PI_2).ceil().max(1.0);
    let step = (to - from) / pieces;
    let handle = 4.0 / 3.0 * (step / 4.0).tan() * radius;
    for k in 0..pieces as usize {
        let (a, b) = (from + step * k as f64, from + step * (k + 1) as f64);
        let at = |angle: f64| [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()];
        let (start, end) = (at(a), at(b));
        let first = [start[0] - handle * a.sin(), start[1] + handle * a.cos()];
        let second = [end[0] + handle * b.sin(), end[1] - handle * b.cos()];
        steps.push(Step::Curve(map(first), map(second), map(end)));
    }
}

/// A circle.
#[must_use]
pub fn circle(centre: Point, radius: f64) -> Vec<Step> {
    hull(centre, radius, centre, radius)
}

/// The hull of two circles: a tapered capsule.
#[must_use]
pub fn hull(a: Point, radius_a: f64, b: Point, radius_b: f64) -> Vec<Step> {
    mapped_hull(a, radius_a, b, radius_b, &|point| point)
}

fn mapped_hull(a: Point, radius_a: f64, b: Point, radius_b: f64, map: &impl Fn(Point) -> Point) -> Vec<Step> {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let distance = x.hypot(y);
    let mut steps = Vec::new();
    if distance <= (radius_a - radius_b).abs() + 1e-9 {
        let (centre, radius) = if radius_a >= radius_b { (a, radius_a) } else { (b, radius_b) };
        steps.push(Step::Move(map([centre[0] + radius, centre[1]])));
        arc(centre, radius, 0.0, 2.0 * PI, map, &mut steps);
    } else {
        let along = y.atan2(x);
        let spread = ((radius_a - radius_b) / distance).acos();
        let at = |centre: Point, radius: f64, angle: f64| {
            map([centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()])
        };
        steps.push(Step::Move(at(a, radius_a, along + spread)));
        arc(a, radius_a, along + spread, along + 2.0 * PI - spread, map, &mut steps);
        steps.push(Step::Line(at(b, radius_b, along - spread)));
        arc(b, radius_b, along - spread, along + spread, map, &mut steps);
    }
    steps.push(Step::Close);
    steps
}

/// The hull of two discs across one axis. `along` is the axis on the page, from the first disc to the second, of any length;
/// `slant` the share of a disc's diameter that is seen along it.
#[must_use]
pub fn discs(a: Point, radius_a: f64, b: Point, radius_b: f64, along: Point, slant: f64) -> Vec<Step> {
    let length = along[0].hypot(along[1]);
    let unit = if length > 0.0 { [along[0] / length, along[1] / length] } else { [1.0, 0.0] };
    let across = [-unit[1], unit[0]];
    if slant < EDGE_ON {
        let corner = |centre: Point, radius: f64| [centre[0] + radius * across[0], centre[1] + radius * across[1]];
        let corners = [corner(a, radius_a), corner(b, radius_b), corner(b, -radius_b), corner(a, -radius_a)];
        let [first, rest @ ..] = corners;
        return std::iter::once(Step::Move(first)).chain(rest.map(Step::Line)).chain([Step::Close]).collect();
    }
    // Across keeps its length, along is stretched until discs are circles.
    let stretched = |p: Point| [(p[0] * unit[0] + p[1] * unit[1]) / slant, p[0] * across[0] + p[1] * across[1]];
    let back = |p: Point| {
        let s = p[0] * slant;
        [s * unit[0] + p[1] * across[0], s * unit[1] + p[1] * across[1]]
    };
    mapped_hull(stretched(a), radius_a, stretched(b), radius_b, &back)
}

/// A polygon.
#[must_use]
pub fn polygon(corners: &[Point]) -> Vec<Step> {
    let mut steps: Vec<Step> = corners
        .iter()
        .enumerate()
        .map(|(k, corner)| if k == 0 { Step::Move(*corner) } else { Step::Line(*corner) })
        .collect();
    steps.push(Step::Close);
    steps
}

/// An open line.
#[must_use]
pub fn line(points: &[Point]) -> Vec<Step> {
    let step = |(k, point): (usize, &Point)| if k == 0 { Step::Move(*point) } else { Step::Line(*point) };
    points.iter().enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(steps: &[Step]) -> Vec<Point> {
        let end = |step: &Step| match step {
            Step::Move(p) | Step::Line(p) | Step::Curve(_, _, p) => Some(*p),
            Step::Close => None,
        };
        steps.iter().filter_map(end).collect()
    }

    #[test]
    fn a_capsule_touches_both_circles_and_a_smaller_one_inside_is_left_out() {
        let points = ends(&hull([0.0, 0.0], 2.0, [10.0, 0.0], 1.0));
        for p in &points {
            let distances = [p[0].hypot(p[1]) - 2.0, (p[0] - 10.0).hypot(p[1]) - 1.0];
            assert!(distances.iter().any(|d| d.abs() < 1e-9), "{p:?}");
        }
        let reach = points.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        assert!((reach - 11.0).abs() < 0.2, "{reach}");
        assert!(ends(&hull([0.0, 0.0], 2.0, [0.5, 0.0], 1.0)).iter().all(|p| (p[0].hypot(p[1]) - 2.0).abs() < 1e-9));
    }

    #[test]
    fn a_drum_is_a_rectangle_from_the_side_and_a_circle_from_the_front() {
        let side = ends(&discs([0.0, 0.0], 1.0, [0.0, 3.0], 1.0, [0.0, 3.0], 0.0));
        assert_eq!(side.len(), 4);
        assert!(side.iter().all(|p| (p[0].abs() - 1.0).abs() < 1e-12));
        let front = ends(&discs([5.0, 0.0], 1.0, [5.0, 0.0], 1.0, [0.0, 0.0], 1.0));
        assert!(front.iter().all(|p| ((p[0] - 5.0).hypot(p[1]) - 1.0).abs() < 1e-9));
        let slanted = ends(&discs([0.0, 0.0], 1.0, [2.0, 0.0], 1.0, [1.0, 0.0], 0.5));
        let width = slanted.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        assert!((width - 2.5).abs() < 1e-9, "{width}");
    }
}
