//! Views of a robot side by side, all to one scale.

use super::skeleton::Skeleton;
use super::stage::{self, Bounds, Stage};
use super::view::{self, View};
use crate::plot::drawing::Rectangle;
use jourdain::Model;
use jourdain::spatial::{Pose, Vector};

/// Between two views, points.
const GAP: f64 = 14.0;
/// Air around what is shown, a share of its size.
const AIR: f64 = 0.06;
/// A view is not narrower than this share of the widest.
const NARROWEST: f64 = 0.55;
/// Below what is shown, for axes and the size of the grid, points.
const FOOT: f64 = 26.0;
/// A view is not wider than so many times its height.
const WIDEST: f64 = 1.9;

/// What has to be in the picture.
pub struct Shown<'s> {
    /// The robot.
    pub skeleton: &'s Skeleton,
    /// Its postures.
    pub postures: &'s [Vec<Pose<f64>>],
    /// Targets, ways.
    pub points: &'s [Vector<f64>],
}

impl Shown<'_> {
    fn bounds(&self, view: &View) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for poses in self.postures {
            stage::bounds(self.skeleton, poses, view, &mut bounds);
        }
        for point in self.points {
            let [x, y, _] = view.project(*point);
            bounds.add([x, y], 0.05 * self.skeleton.size);
        }
        if bounds.low[0] > bounds.high[0] {
            bounds.add([0.0; 2], self.skeleton.size);
        }
        let air = AIR * self.skeleton.size;
        bounds.low = bounds.low.map(|x| x - air);
        bounds.high = bounds.high.map(|x| x + air);
        bounds
    }

    /// The views that show most: the plane of a planar robot; otherwise one from a corner and the two flat ones that it
    /// spreads most in.
    #[must_use]
    pub fn views(&self, model: &Model<f64>) -> Vec<View> {
        if let Some(normal) = self.skeleton.normal {
            return vec![view::planar(normal, model.gravity())];
        }
        let [corner, flat @ ..] = view::all(model.gravity());
        let area = |view: &View| {
            let [width, height] = self.bounds(view).extent();
            width * height
        };
        let areas = flat.map(|view| area(&view));
        let least = (0..3).fold(0, |least, k| if areas[k] <= areas[least] { k } else { least });
        let kept = flat.into_iter().enumerate().filter(|(k, _)| *k != least).map(|(_, view)| view);
        std::iter::once(corner).chain(kept).collect()
    }

    /// The one view for a moving picture.
    #[must_use]
    pub fn view(&self, model: &Model<f64>) -> View {
        match self.skeleton.normal {
            Some(normal) => view::planar(normal, model.gravity()),
            None => view::all(model.gravity())[0],
        }
    }

    /// Stages in a row from a place on the page, within a width and a height.
    #[must_use]
    pub fn stages(&self, views: &[View], [x, y]: [f64; 2], width: f64, most_height: f64) -> Vec<Stage> {
        let bounds: Vec<Bounds> = views.iter().map(|view| self.bounds(view)).collect();
        let mut widths: Vec<f64> = bounds.iter().map(|bounds| bounds.extent()[0]).collect();
        let widest = widths.iter().copied().fold(0.0, f64::max);
        for width in &mut widths {
            *width = width.max(NARROWEST * widest);
        }
        let tallest = bounds.iter().map(|bounds| bounds.extent()[1]).fold(0.0, f64::max);
        let room = width - GAP * (views.len().max(1) - 1) as f64;
        let scale = (room / widths.iter().sum::<f64>()).min((most_height - FOOT).max(1.0) / tallest);
        // What is left of the width is shared out.
        let height = scale * tallest + FOOT;
        let spare = (room - scale * widths.iter().sum::<f64>()).max(0.0) / views.len().max(1) as f64;
        let mut left = x;
        let stage = |((view, bounds), width): ((&View, &Bounds), &f64)| {
            let wide = (scale * width + spare).min((WIDEST * height).max(scale * width));
            let frame = Rectangle { x: left, y, width: wide, height };
            left += frame.width + GAP;
            let [x, y] = bounds.middle();
            Stage { view: *view, frame, scale, centre: [x, y - 0.5 * FOOT / scale] }
        };
        views.iter().zip(&bounds).zip(&widths).map(stage).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::drawing::{Mark, Point, Step};
    use crate::plot::look::Theme;
    use jourdain::{kinematics, robots};

    fn points(marks: &[Mark]) -> Vec<Point> {
        let mut found = Vec::new();
        for mark in marks {
            match mark {
                Mark::Path(path) => found.extend(path.steps.iter().flat_map(|step| match *step {
                    Step::Move(p) | Step::Line(p) => vec![p],
                    Step::Curve(_, _, p) => vec![p],
                    Step::Close => Vec::new(),
                })),
                Mark::Text(text) => found.push(text.at),
                Mark::Clip(_, marks) => found.extend(points(marks)),
            }
        }
        found
    }

    #[test]
    fn lengths_in_the_plane_of_a_view_are_true_to_scale() {
        let model = robots::load("planar2r").unwrap();
        let skeleton = Skeleton::new(&model);
        let postures = [kinematics::poses(&model, &[0.4, 0.9])];
        let shown = Shown { skeleton: &skeleton, postures: &postures, points: &[] };
        let views = shown.views(&model);
        assert_eq!(views.len(), 1);
        let [stage] = shown.stages(&views, [8.0, 30.0], 240.0, 200.0).try_into().unwrap();
        let [shoulder, elbow] = [0, 1].map(|link| stage.at(postures[0][link].translation));
        let drawn = (elbow[0] - shoulder[0]).hypot(elbow[1] - shoulder[1]) / stage.scale;
        let length = (postures[0][1].translation - postures[0][0].translation).norm();
        assert!((drawn - length).abs() < 1e-12 && length > 0.1, "{drawn} {length}");
    }

    #[test]
    fn every_robot_stays_inside_its_stage_in_every_view() {
        for robot in robots::ALL {
            let model = robots::load(robot.name).unwrap();
            let skeleton = Skeleton::new(&model);
            let mut q = model.neutral::<f64>();
            for link in model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nq() == 1) {
                q[link.q] = link.limits.position.map_or(0.3, |[low, high]| low + 0.6 * (high - low)).clamp(-1.5, 1.5);
            }
            let postures = [kinematics::poses(&model, &q)];
            let shown = Shown { skeleton: &skeleton, postures: &postures, points: &[] };
            let mut views = view::all(model.gravity()).to_vec();
            views.extend(skeleton.normal.map(|normal| view::planar(normal, model.gravity())));
            let stages = shown.stages(&views, [8.0, 30.0], 500.0, 260.0);
            assert!(stages.iter().all(|stage| (stage.scale - stages[0].scale).abs() < 1e-12));
            for stage in stages {
                let Rectangle { x, y, width, height } = stage.frame;
                for [px, py] in points(&stage.robot(&skeleton, &postures[0], Theme::Light.look())) {
                    let inside =
                        (x - 3.0..=x + width + 3.0).contains(&px) && (y - 3.0..=y + height + 3.0).contains(&py);
                    assert!(inside, "{} {}: {px} {py} in {:?}", robot.name, stage.view.name, stage.frame);
                }
            }
        }
    }
}
