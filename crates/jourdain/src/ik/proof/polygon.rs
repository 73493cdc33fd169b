//! Points c₁ … cₙ, one on each joint's axis: |cᵢ cᵢ₊₁| does not depend on the angles, so that the distance of the ends, which the
//! target tells, is at most Σ |cᵢ cᵢ₊₁|, and no side is longer than all others together. With a limited angle between them two sides
//! count as one, whose length lies between those at the limits. Any choice of points is a proof; a search along the axes looks
//! for one that excludes the target. With unit vectors along the axes for points and angles for distances the same holds on
//! the sphere.

use super::Question;
use super::skeleton::{Skeleton, angle};
use crate::ik::task::Orientation;
use crate::spatial::{Pose, Vector};
use std::f64::consts::TAU;

/// Rounds of the search along the axes, from one start.
const ROUNDS: usize = 60;

/// Where the points are on their axes.
pub(super) struct Polygon {
    along: Vec<f64>,
}

/// The last point, behind the last knot, where the orientation is not known: the tip, or along the axis that is.
type End = Option<Vector<f64>>;

impl Polygon {
    pub fn new(knots: usize) -> Self {
        Self { along: vec![0.0; knots + 1] }
    }

    /// True if a polygon excludes the target.
    pub fn excludes(&mut self, skeleton: &Skeleton, question: &Question<'_>) -> bool {
        if skeleton.knots.is_empty() {
            return false;
        }
        let end: End = match question.task.orientation {
            _ if question.whole => None,
            Orientation::Axis { axis, .. } => Some(axis),
            Orientation::Free | Orientation::Rows(_) => Some(Vector::zero()),
        };
        spherical_gap(skeleton, question, end) > question.need || self.flat(skeleton, question, end)
    }

    /// The polygon of points.
    fn flat(&mut self, skeleton: &Skeleton, question: &Question<'_>, end: End) -> bool {
        if question.task.position == [0.0; 3] {
            return false;
        }
        let count = skeleton.knots.len() + usize::from(end.is_some());
        let movable = |i: usize| match skeleton.knots.get(i) {
            Some(knot) => knot.turn.is_some(),
            None => end.is_some_and(|axis| axis.norm_squared() > 0.0),
        };
        for start in 0..3 {
            self.place(skeleton, start);
            let mut widest = self.gap(skeleton, question, end);
            let mut step = 0.5 * skeleton.size.min(1e3);
            for _ in 0..ROUNDS {
                if widest > question.need {
                    return true;
                }
                let mut better = false;
                for i in (0..count).filter(|&i| movable(i)) {
                    for by in [step, -step] {
                        self.along[i] += by;
                        let gap = self.gap(skeleton, question, end);
                        if gap > widest {
                            (widest, better) = (gap, true);
                            break;
                        }
                        self.along[i] -= by;
                    }
                }
                if !better {
                    step *= 0.4;
                }
            }
        }
        false
    }

    /// The joints' frames, or where each axis is nearest to the one before or after.
    fn place(&mut self, skeleton: &Skeleton, start: usize) {
        self.along.fill(0.0);
        for (i, knot) in skeleton.knots.iter().enumerate().skip(1) {
            let Some([before, own]) = feet(&knot.placed) else { continue };
            if start == 1 {
                self.along[i] = own;
            }
            if start == 2 || (start == 1 && i == 1) {
                self.along[i - 1] = before;
            }
            if start == 2 && i + 1 == skeleton.knots.len() {
                self.along[i] = own;
            }
        }
        // A ball has a center, not an axis.
        for (along, _) in self.along.iter_mut().zip(&skeleton.knots).filter(|(_, knot)| knot.turn.is_none()) {
            *along = 0.0;
        }
    }

    /// By how much the target misses what the polygon allows.
    fn gap(&self, skeleton: &Skeleton, question: &Question<'_>, end: End) -> f64 {
        let knots = &skeleton.knots;
        let count = knots.len() + usize::from(end.is_some());
        let at = |i: usize| Vector([0.0, 0.0, self.along[i]]);
        // Point i behind knot i − 1, with the slack of the slides in between.
        let next = |i: usize| match knots.get(i) {
            Some(knot) => (knot.placed.apply(at(i)), knot.slack),
            None => {
                let along = end.map_or(Vector::zero(), |axis| axis.times(self.along[i]));
                (skeleton.tail.apply(along), skeleton.tail_slack)
            }
        };
        let side = |i: usize| {
            let (point, slack) = next(i);
            let length = (point - at(i - 1)).norm();
            [(length - slack).max(0.0), length + slack]
        };
        let joined = |i: usize| {
            let knot = knots.get(i)?;
            let turn = knot.turn.filter(|[low, high]| high - low < TAU)?;
            let (outer, slack) = next(i + 1);
            let inner = knot.placed.inverse().apply(at(i - 1));
            let slack = slack + knot.slack;
            let [least, most] = products(inner, outer, turn);
            let squares = inner.norm_squared() + outer.norm_squared();
            let length = |product: f64| (squares - 2.0 * product).max(0.0).sqrt();
            Some([(length(most) - slack).max(0.0), length(least) + slack])
        };
        let [reach, hole] = sides(count, side, joined);
        let (first, first_slack) = next(0);
        let (last, last_slack) = match end {
            None => {
                let behind = skeleton.tail.inverse().apply(at(count - 1));
                (question.target.apply(behind), skeleton.tail_slack)
            }
            Some(axis) => {
                let axis = question.target.rotation.apply(axis).times(self.along[count - 1]);
                (question.target.translation + axis, 0.0)
            }
        };
        let (mut square, mut known) = (0.0, true);
        for i in 0..3 {
            let d = match skeleton.level {
                // The coordinate that nothing changes is known, asked for or not.
                Some((level, value)) if level == i && question.task.position[i] == 0.0 => {
                    last[i] - question.target.translation[i] + value - first[i]
                }
                _ if question.task.position[i] == 0.0 => {
                    known = false;
                    continue;
                }
                _ => last[i] - first[i],
            };
            square += d * d;
        }
        let (distance, slack) = (square.sqrt(), first_slack + last_slack);
        let far = distance - slack - reach;
        let near = if known { hole - distance - slack } else { f64::NEG_INFINITY };
        if far.is_nan() || near.is_nan() { f64::NEG_INFINITY } else { far.max(near) }
    }
}

/// The same with the axes' directions. Each points to the side that is nearer to the one before.
fn spherical_gap(skeleton: &Skeleton, question: &Question<'_>, end: End) -> f64 {
    let knots = &skeleton.knots;
    let Some(axis) = end.map_or(Some(None), |axis| (axis.norm_squared() > 0.0).then_some(Some(axis))) else {
        return f64::NEG_INFINITY;
    };
    if knots.iter().any(|knot| knot.turn.is_none()) {
        return f64::NEG_INFINITY;
    }
    let count = knots.len() + usize::from(axis.is_some());
    let z = Vector::unit(2);
    // Direction i behind knot i − 1.
    let next = |i: usize| match (knots.get(i), axis) {
        (Some(knot), _) => knot.placed.rotation.apply(z),
        (None, axis) => skeleton.tail.rotation.apply(axis.unwrap_or(z)),
    };
    let sign = |i: usize| if next(i)[2] < 0.0 { -1.0 } else { 1.0 };
    let side = |i: usize| [angle(z, next(i).times(sign(i))); 2];
    let joined = |i: usize| {
        let knot = knots.get(i)?;
        let turn = knot.turn.filter(|[low, high]| high - low < TAU)?;
        let inner = knot.placed.rotation.apply_inverse(z).times(sign(i));
        let [least, most] = products(inner, next(i + 1).times(sign(i + 1)), turn);
        let angle = |cosine: f64| cosine.clamp(-1.0, 1.0).acos();
        // The arc cosine loses half of the digits near zero.
        Some([(angle(most) - 1e-7).max(0.0), angle(least) + 1e-7])
    };
    let [reach, hole] = sides(count, side, joined);
    let last = match axis {
        None => question.target.rotation.apply(skeleton.tail.rotation.apply_inverse(z)),
        Some(axis) => question.target.rotation.apply(axis),
    };
    let flips: f64 = (1..count).map(sign).product();
    let distance = angle(next(0), last.times(flips));
    (distance - reach).max(hole - distance)
}

/// The longest that sides can reach together, in the best choice of sides and joined pairs, and by how much one is longer than
/// all others.
fn sides(count: usize, side: impl Fn(usize) -> [f64; 2], joined: impl Fn(usize) -> Option<[f64; 2]>) -> [f64; 2] {
    // Up to a point: −Σ longest, and the same with the shortest of one side instead.
    let (mut two_back, mut back) = ([f64::NEG_INFINITY; 2], [0.0, f64::NEG_INFINITY]);
    for i in 1..count {
        let add = |from: [f64; 2], [least, most]: [f64; 2]| [from[0] - most, (from[1] - most).max(from[0] + least)];
        let mut here = add(back, side(i));
        if i >= 2
            && let Some(pair) = joined(i - 1)
        {
            let other = add(two_back, pair);
            here = [here[0].max(other[0]), here[1].max(other[1])];
        }
        (two_back, back) = (back, here);
    }
    [-back[0], back[1]]
}

/// The smallest and largest a·Rot(z, θ) b over a range of θ.
fn products(a: Vector<f64>, b: Vector<f64>, [low, high]: [f64; 2]) -> [f64; 2] {
    let radii = a[0].hypot(a[1]) * b[0].hypot(b[1]);
    let offset = b[1].atan2(b[0]) - a[1].atan2(a[0]);
    let (low, high) = (low + offset, high + offset);
    let holds = |angle: f64| ((low - angle) / TAU).ceil() * TAU + angle <= high;
    let ends = [low.cos(), high.cos()];
    let most = if holds(0.0) { 1.0 } else { ends[0].max(ends[1]) };
    let least = if holds(0.5 * TAU) { -1.0 } else { ends[0].min(ends[1]) };
    [a[2] * b[2] + radii * least, a[2] * b[2] + radii * most]
}

/// Where two axes, z and that of a pose, are nearest to each other; `None` if they are parallel.
fn feet(pose: &Pose<f64>) -> Option<[f64; 2]> {
    let (axis, point) = (pose.rotation.column(2), pose.translation);
    let (cosine, square) = (axis[2], 1.0 - axis[2] * axis[2]);
    if square < 1e-12 {
        return None;
    }
    let (a, b) = (point[2], point.dot(axis));
    Some([(a - cosine * b) / square, (cosine * a - b) / square])
}
