//! The chain between its turning joints: constant poses, and how far sliding joints may shift them.

use super::Question;
use crate::ik::chain::{Chain, Step};
use crate::ik::task::Orientation;
use crate::spatial::{Pose, Vector};
use std::f64::consts::TAU;

/// A turning joint; its frame has the axis as z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    /// Its frame behind the knot before, or in the world; slides half-way.
    pub placed: Pose<f64>,
    /// How far slides in between may move it either way.
    pub slack: f64,
    /// Angles that it takes; `None` for a ball, which turns about everything.
    pub turn: Option<[f64; 2]>,
}

/// A slide between knots, by its direction in the frame of the knot before.
#[derive(Clone, Copy, Debug)]
struct Slide {
    behind: usize,
    direction: Vector<f64>,
    half: f64,
}

/// Knots, and the tip behind the last.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    pub knots: Vec<Knot>,
    /// The tip behind the last knot, and how far slides may move it.
    pub tail: Pose<f64>,
    pub tail_slack: f64,
    slides: Vec<Slide>,
    /// Largest distance of the tip from the ground's first turning joint.
    pub size: f64,
    /// The direction that every axis has, in the world, and the heights of the tip along it.
    common: Option<(Vector<f64>, [f64; 2])>,
    /// The world coordinate that no joint changes, and its value.
    pub level: Option<(usize, f64)>,
}

impl Skeleton {
    /// `None` if a joint is free in all directions.
    pub fn new(chain: &Chain, ranges: &[[f64; 2]]) -> Option<Self> {
        let mut skeleton = Self {
            knots: Vec::new(),
            tail: Pose::identity(),
            tail_slack: 0.0,
            slides: Vec::new(),
            size: 0.0,
            common: None,
            level: None,
        };
        let (mut pose, mut slack) = (Pose::identity(), 0.0);
        for element in chain.elements() {
            pose = pose * element.before;
            let ends = ranges[chain.columns[element.column].variable].map(|x| x * element.multiplier + element.offset);
            let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let bounded = (high - low).is_finite();
            let (middle, half) = if bounded { (0.5 * (low + high), 0.5 * (high - low)) } else { (0.0, f64::INFINITY) };
            match element.step {
                Step::Free => return None,
                Step::Ball => {
                    skeleton.knots.push(Knot { placed: pose, slack, turn: None });
                    (pose, slack) = (Pose::identity(), 0.0);
                }
                Step::Turn { pitch } => {
                    // A screw turns as it likes, and slides as far as its range takes it.
                    let turn = if pitch == 0.0 && high - low < TAU { [low, high] } else { [0.0, TAU] };
                    skeleton.knots.push(Knot { placed: pose, slack, turn: Some(turn) });
                    (pose, slack) = (Pose::identity(), 0.0);
                    if pitch != 0.0 {
                        skeleton.slide(&mut pose, &mut slack, pitch * middle, pitch.abs() * half);
                    }
                }
                Step::Slide => skeleton.slide(&mut pose, &mut slack, middle, half),
            }
        }
        (skeleton.tail, skeleton.tail_slack) = (pose * *chain.tail(), slack);
        let lengths = skeleton.knots.iter().skip(1).map(|knot| knot.placed.translation.norm() + knot.slack);
        skeleton.size = lengths.sum::<f64>() + skeleton.tail.translation.norm() + skeleton.tail_slack;
        skeleton.common = skeleton.common_axis();
        skeleton.level = skeleton.common.and_then(|(axis, [low, high])| {
            let i = (0..3).find(|&i| axis[i].abs() > 1.0 - 1e-14)?;
            (high - low < 1e-12).then_some((i, 0.5 * (low + high) * axis[i].signum()))
        });
        Some(skeleton)
    }

    fn slide(&mut self, pose: &mut Pose<f64>, slack: &mut f64, middle: f64, half: f64) {
        let direction = pose.rotation.column(2);
        self.slides.push(Slide { behind: self.knots.len(), direction, half });
        pose.translation += direction.times(middle);
        *slack += half;
    }

    /// The axis of all knots, if they have one, and the heights of the tip along it.
    fn common_axis(&self) -> Option<(Vector<f64>, [f64; 2])> {
        let first = self.knots.first()?;
        let axis = first.placed.rotation.column(2);
        let (mut pose, mut half) = (Pose::identity(), 0.0);
        for knot in &self.knots {
            pose = pose * knot.placed;
            knot.turn?;
            if pose.rotation.column(2).cross(axis).norm() > 1e-13 {
                return None;
            }
        }
        let tip = (pose * self.tail).translation;
        let mut frame = Pose::identity();
        let mut frames = vec![frame];
        for knot in &self.knots {
            frame = frame * knot.placed;
            frames.push(frame);
        }
        for slide in &self.slides {
            let along = frames[slide.behind].rotation.apply(slide.direction).dot(axis).abs();
            if along > 1e-13 {
                half += along * slide.half;
            }
        }
        let height = tip.dot(axis);
        Some((axis, [height - half, height + half]))
    }

    /// True if a height, a constant orientation or the range of a slide excludes the target.
    pub fn excludes(&self, question: &Question<'_>) -> bool {
        let Question { task, target, whole, need } = *question;
        let asked = |axis: Vector<f64>| (0..3).all(|i| task.position[i] != 0.0 || axis[i].abs() < 1e-14);
        if let Some((axis, [low, high])) = self.common
            && asked(axis)
        {
            let height = target.translation.dot(axis);
            return height < low - need || height > high + need;
        }
        if !self.knots.is_empty() {
            return false;
        }
        let turned = match task.orientation {
            Orientation::Axis { axis, .. } => angle(self.tail.rotation.apply(axis), target.rotation.apply(axis)),
            Orientation::Rows(_) if whole => (target.rotation * self.tail.rotation.transpose()).log().norm(),
            // Some rows alone exclude nothing here.
            Orientation::Rows(_) | Orientation::Free => 0.0,
        };
        let missed = |axis: Vector<f64>| {
            let far = (target.translation - self.tail.translation).dot(axis).abs();
            let moves = |slide: &Slide| match slide.direction.dot(axis).abs() {
                along if along < 1e-13 => 0.0,
                along => along * slide.half,
            };
            asked(axis) && far > self.slides.iter().map(moves).sum::<f64>() + need
        };
        let across = match self.slides[..] {
            [a, b] => a.direction.cross(b.direction),
            _ => Vector::zero(),
        };
        let across = if across.norm() > 1e-6 { across.times(1.0 / across.norm()) } else { Vector::unit(0) };
        turned > need || (0..3).map(Vector::unit).chain([across]).any(missed)
    }
}

/// Between two unit vectors, exact near 0 and π.
pub(super) fn angle(a: Vector<f64>, b: Vector<f64>) -> f64 {
    a.cross(b).norm().atan2(a.dot(b))
}
