//! What stands around a robot in a picture: the floor with its grid, axes, targets, the way of the tool.

use super::super::drawing::{Anchor, Mark, Paint, Point, Rectangle};
use super::super::look::Look;
use super::outline;
use super::skeleton::Skeleton;
use super::stage::{Stage, filled, stroked, words};
use jourdain::spatial::{Pose, Vector};

/// Lines of a grid in one direction at most: beyond, it is grey.
const MOST_LINES: i64 = 60;

/// The largest of 1, 2 and 5 times a power of ten that is not above a length.
#[must_use]
pub fn round_length(length: f64) -> f64 {
    if !(length > 0.0 && length.is_finite()) {
        return 1.0;
    }
    let decade = 10.0_f64.powi(length.log10().floor() as i32);
    [5.0, 2.0, 1.0].iter().map(|factor| factor * decade).find(|step| *step <= length * (1.0 + 1e-9)).unwrap_or(decade)
}

/// A length with its unit: `0.1 m`, `20 mm`.
#[must_use]
pub fn length_text(length: f64) -> String {
    let (value, unit) = if length < 0.1 { (1e3 * length, "mm") } else { (length, "m") };
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded} {unit}")
}

/// How far the lines of the grid are apart, m.
#[must_use]
pub fn grid_step(size: f64) -> f64 {
    round_length(size / 5.0)
}

/// What a target asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// A place.
    Position,
    /// A place, and where this axis of the link points.
    Direction(Vector<f64>),
    /// A place and an attitude.
    Pose,
}

impl Stage {
    /// A grid, and a floor where the view shows one.
    #[must_use]
    pub fn floor(&self, skeleton: &Skeleton, look: &Look) -> Vec<Mark> {
        let step = grid_step(skeleton.size);
        let mut marks = Vec::new();
        let height = skeleton.up.times(-skeleton.drop);
        let line = |from: Vector<f64>, to: Vector<f64>, strong: bool| {
            let colour = if strong { look.line_strong } else { look.line };
            stroked(outline::line(&[self.at(from), self.at(to)]), if strong { 0.6 } else { 0.4 }, colour.into(), None)
        };
        if self.view.oblique {
            let (u, v) = self.floor_axes(skeleton);
            let reach = (1.5 * skeleton.size / step).ceil().min(30.0);
            for (along, across) in [(u, v), (v, u)] {
                for k in -(reach as i64)..=reach as i64 {
                    let from = height + across.times(step * k as f64) - along.times(step * reach);
                    marks.push(line(from, from + along.times(2.0 * step * reach), k == 0));
                }
            }
        } else {
            let [half_x, half_y] = [0.5 * self.frame.width / self.scale, 0.5 * self.frame.height / self.scale];
            let [x, y] = self.centre;
            let at = |x: f64, y: f64| self.view.right.times(x) + self.view.up.times(y);
            let lines = |from: f64, to: f64| (from / step).ceil() as i64..=(to / step).floor() as i64;
            for k in lines(x - half_x, x + half_x).take(MOST_LINES as usize) {
                marks.push(line(at(step * k as f64, y - half_y), at(step * k as f64, y + half_y), false));
            }
            for k in lines(y - half_y, y + half_y).take(MOST_LINES as usize) {
                marks.push(line(at(x - half_x, step * k as f64), at(x + half_x, step * k as f64), false));
            }
            let upright = self.view.up.dot(skeleton.up) > 0.99;
            if upright && skeleton.grounded && skeleton.normal.is_none() {
                let ground = -skeleton.drop;
                marks.push(stroked(
                    outline::line(&[self.at(at(x - half_x, ground)), self.at(at(x + half_x, ground))]),
                    0.9,
                    look.link_edge.into(),
                    None,
                ));
            }
        }
        vec![Mark::Clip(self.frame, marks)]
    }

    /// Two level directions.
    fn floor_axes(&self, skeleton: &Skeleton) -> (Vector<f64>, Vector<f64>) {
        let across = self.view.right - skeleton.up.times(self.view.right.dot(skeleton.up));
        let axes = [0, 1, 2].map(|k| {
            let mut axis = Vector::zero();
            axis.0[k] = 1.0;
            axis - skeleton.up.times(axis.dot(skeleton.up))
        });
        let level = axes.into_iter().find(|axis| axis.norm() > 0.7).unwrap_or(across);
        let u = level.times(1.0 / level.norm());
        (u, skeleton.up.cross(u))
    }

    /// What the view is called, the world's axes in it, and the size of the grid.
    #[must_use]
    pub fn legend(&self, skeleton: &Skeleton, name: Option<&str>, look: &Look) -> Vec<Mark> {
        let Rectangle { x, y, width, height } = self.frame;
        let mut marks = Vec::new();
        if let Some(name) = name {
            marks.push(words([x, y - 4.0], Anchor::Start, 8.0, true, look.ink.into(), name));
        }
        let text = format!("grid {}", length_text(grid_step(skeleton.size)));
        let ground = Paint { colour: look.surface, opacity: 0.8 };
        let back = [
            [x + width - 42.0, y + height - 10.0],
            [x + width, y + height - 10.0],
            [x + width, y + height],
            [x + width - 42.0, y + height],
        ];
        marks.push(filled(outline::polygon(&back), ground, None));
        marks.push(words([x + width - 2.0, y + height - 2.5], Anchor::End, 7.0, false, look.ink_3.into(), text));
        let corner = [x + 12.0, y + height - 12.0];
        for (axis, letter) in ["x", "y", "z"].iter().enumerate() {
            let mut direction = Vector::zero();
            direction.0[axis] = 1.0;
            let [right, up, _] = self.view.project(direction);
            if right.hypot(up) < 0.2 {
                continue;
            }
            let colour = look.axes[axis].into();
            let to = |length: f64| [corner[0] + length * right, corner[1] - length * up];
            marks.extend(arrow(corner, to(13.0), 0.9, colour));
            let [tx, ty] = to(18.0);
            marks.push(words([tx, ty + 2.2], Anchor::Middle, 7.0, false, colour, *letter));
        }
        marks
    }

    /// The axes of a frame, m long.
    #[must_use]
    pub fn triad(&self, pose: &Pose<f64>, length: f64, look: &Look) -> Vec<Mark> {
        let from = self.at(pose.translation);
        let arm = |axis: usize| {
            let to = self.at(pose.translation + pose.rotation.column(axis).times(length));
            // Seen from its end an arrow is a dot.
            if (to[0] - from[0]).hypot(to[1] - from[1]) < 2.0 {
                return Vec::new();
            }
            arrow(from, to, 1.1, look.axes[axis].into())
        };
        (0..3).flat_map(arm).collect()
    }

    /// What is to be reached: a ring with a dot, hollow if it is not reached.
    #[must_use]
    pub fn target(&self, pose: &Pose<f64>, aim: Aim, reached: bool, length: f64, look: &Look) -> Vec<Mark> {
        let at = self.at(pose.translation);
        let colour = if reached { look.ink } else { look.error };
        let mut marks = Vec::new();
        match aim {
            Aim::Position => {}
            Aim::Direction(axis) => {
                let to = self.at(pose.translation + pose.rotation.apply(axis).times(length));
                marks.extend(arrow(at, to, 1.1, colour.into()));
            }
            Aim::Pose => marks.extend(self.triad(pose, length, look)),
        }
        marks.push(stroked(outline::circle(at, 5.5), 2.6, Paint { colour: look.surface, opacity: 0.85 }, None));
        marks.push(stroked(outline::circle(at, 5.5), 1.2, colour.into(), None));
        let dot = outline::circle(at, 1.9);
        marks.push(if reached {
            filled(dot, colour.into(), None)
        } else {
            filled(
                dot,
                look.surface.into(),
                Some(super::super::drawing::Stroke { width: 0.8, paint: colour.into(), dash: None }),
            )
        });
        marks
    }

    /// The way of a point: what is behind it solid, what is ahead thin.
    #[must_use]
    pub fn way(&self, points: &[Vector<f64>], passed: usize, look: &Look) -> Vec<Mark> {
        let places: Vec<Point> = points.iter().map(|point| self.at(*point)).collect();
        let passed = passed.min(places.len());
        let mut marks = Vec::new();
        let ahead = thinned(&places[passed.saturating_sub(1)..]);
        if ahead.len() > 1 {
            marks.push(stroked(outline::line(&ahead), 0.6, Paint { colour: look.ink_2, opacity: 0.55 }, None));
        }
        let behind = thinned(&places[..passed]);
        if behind.len() > 1 {
            marks.push(stroked(outline::line(&behind), 1.3, look.ink.into(), None));
        }
        marks
    }
}

/// Points at least a third of a point apart, the last one always.
fn thinned(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        if kept.last().is_none_or(|last| (point[0] - last[0]).hypot(point[1] - last[1]) >= 0.35) {
            kept.push(*point);
        }
    }
    if let (Some(last), Some(end)) = (points.last(), kept.last())
        && last != end
    {
        kept.push(*last);
    }
    kept
}

/// A line with a head.
#[must_use]
pub fn arrow(from: Point, to: Point, width: f64, paint: Paint) -> Vec<Mark> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    if length == 0.0 || !length.is_finite() {
        return Vec::new();
    }
    let (u, head) = ([dx / length, dy / length], (3.6 * width).min(0.6 * length));
    let neck = [to[0] - u[0] * head, to[1] - u[1] * head];
    let wing = 0.42 * head;
    let corners = [to, [neck[0] - u[1] * wing, neck[1] + u[0] * wing], [neck[0] + u[1] * wing, neck[1] - u[0] * wing]];
    vec![stroked(outline::line(&[from, neck]), width, paint, None), filled(outline::polygon(&corners), paint, None)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_round_sizes_with_a_unit() {
        let texts = [1.1, 0.9, 0.04, 12.0, 1e-5].map(|size| length_text(grid_step(size)));
        assert_eq!(texts, ["0.2 m", "0.1 m", "5 mm", "2 m", "0.002 mm"]);
        assert_eq!(round_length(f64::NAN), 1.0);
    }
}
