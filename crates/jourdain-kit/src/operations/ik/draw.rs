//! Arms at their targets and along paths, to scale.

use super::target::Form;
use crate::host::Host;
use crate::plot;
use crate::plot::drawing::{Anchor, Drawing, Mark};
use crate::plot::look::{Look, MARGIN, Size, Style};
use crate::plot::robot::set::Aim;
use crate::plot::robot::sheet::Shown;
use crate::plot::robot::stage::words;
use crate::plot::robot::{Skeleton, Stage};
use crate::problem::Problem;
use jourdain::Model;
use jourdain::ik::{PathSolution, Solution, Status, Task};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Vector};
use std::path::Path;

/// Most postures that are shown beside the first.
pub(super) const GHOSTS: usize = 8;
/// Most targets that are drawn.
const MOST_TARGETS: usize = 200;
/// Title and verdict, points.
const HEAD: f64 = 32.0;
/// Most height of the views, points.
const MOST_HEIGHT: f64 = 250.0;

/// What was asked of an arm.
#[derive(Clone, Copy)]
pub struct Quest<'p> {
    /// The robot.
    pub model: &'p Model<f64>,
    /// The task.
    pub task: Task,
    /// The form of its targets.
    pub form: Form,
    /// The axis of the link that is to point somewhere.
    pub axis: Vector<f64>,
}

/// A posture and its target, as far as it was reached.
pub struct Reached {
    /// The position.
    pub q: Vec<f64>,
    /// The target.
    pub target: Pose<f64>,
    /// How it went.
    pub status: Status,
    /// Largest error, m and rad.
    pub error: f64,
    /// Joints at their limits.
    pub at_limits: Vec<String>,
}

impl Reached {
    /// Of a solution.
    pub fn of(model: &Model<f64>, target: &Pose<f64>, solution: &Solution) -> Self {
        let report = &solution.report;
        Self {
            q: solution.q.clone(),
            target: *target,
            status: report.status,
            error: report.pose_error,
            at_limits: super::point::active_names(model, solution),
        }
    }
}

impl Quest<'_> {
    /// What a target asks for, as it is drawn.
    pub fn aim(&self) -> Aim {
        match self.form {
            Form::Pose => Aim::Pose,
            Form::Position | Form::Plane => Aim::Position,
            Form::Direction | Form::PositionDirection => Aim::Direction(self.axis.times(1.0 / self.axis.norm())),
        }
    }

    /// Where the point of the task is.
    pub fn tip(&self, poses: &[Pose<f64>]) -> Vector<f64> {
        poses[self.task.link].apply(self.task.point)
    }

    /// The target where it is drawn: what it leaves open is taken from the arm.
    pub fn placed(&self, target: &Pose<f64>, tip: Vector<f64>) -> Pose<f64> {
        let mut translation = target.translation;
        for k in 0..3 {
            if self.task.position[k] == 0.0 || matches!(self.form, Form::Direction) {
                translation.0[k] = tip.0[k];
            }
        }
        Pose { rotation: target.rotation, translation }
    }

    fn poses(&self, q: &[f64]) -> Vec<Pose<f64>> {
        kinematics::poses(self.model, q)
    }

    /// How a target was reached, in words.
    fn verdict(&self, reached: &Reached) -> String {
        let tip = self.tip(&self.poses(&reached.q));
        let short = (self.placed(&reached.target, tip).translation - tip).norm();
        let error = length(reached.error);
        let limits = match reached.at_limits.as_slice() {
            [] => String::new(),
            [one] => format!(", with {one} at its limit"),
            several => format!(", with {} at their limits", several.join(", ")),
        };
        match reached.status {
            Status::Solved | Status::LimitActive => format!("reached, {error}{limits}"),
            Status::WrongKind => format!("reached, {error}, but not as an optimum of the kind asked for"),
            Status::RankDeficient => format!("reached, {error}, in a singular posture"),
            Status::NotStationary => format!("reached, {error}, but not at its best"),
            Status::NotFound => format!("not reached: the nearest posture found is {} away", length(short)),
            Status::Unreachable => format!("cannot be reached: {} short", length(short)),
        }
    }

    /// Draws the arm at its targets: the first posture as it is, others as ghosts.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn draw(&self, path: &Path, found: &[Reached], style: Style, host: &dyn Host) -> Result<(), Problem> {
        let link = &self.model.links()[self.task.link].name;
        let targets = distinct(found);
        let (goal, verdict) = match (found, targets.as_slice()) {
            ([], _) => ("a target".to_owned(), "no posture found".to_owned()),
            ([one], _) => (self.place(&one.target), self.verdict(one)),
            ([first, ..], [_]) => {
                let others = found.len() - 1;
                let shown = if others > GHOSTS { format!(", {GHOSTS} of them shown") } else { String::new() };
                (self.place(&first.target), format!("{}; {others} other postures{shown}", self.verdict(first)))
            }
            (found, targets) => {
                let reached = found.iter().filter(|one| one.status.is_reached()).count();
                (format!("{} targets", targets.len()), format!("{reached} of {} reached", found.len()))
            }
        };
        let title = format!("{} · {link} to {goal}", self.model.name());
        let postures: Vec<Vec<Pose<f64>>> = match found {
            [] => vec![self.poses(&self.model.neutral::<f64>())],
            found => found.iter().take(GHOSTS + 1).map(|one| self.poses(&one.q)).collect(),
        };
        let aims: Vec<(Pose<f64>, bool)> = found
            .iter()
            .take(MOST_TARGETS)
            .map(|one| (self.placed(&one.target, self.tip(&self.poses(&one.q))), one.status.is_reached()))
            .collect();
        let picture = Picture { of: self, title, verdict, postures, aims, way: Vec::new() };
        let style = picture.style(style);
        plot::put(path, &picture.drawing(style), style.plot_size, host)
    }

    fn place(&self, target: &Pose<f64>) -> String {
        let number = |x: f64| {
            let text = format!("{:.3}", x + 0.0);
            text.replace('-', "−")
        };
        let [x, y, z] = target.translation.0.map(number);
        match self.form {
            Form::Plane => format!("({x}, {y}) m"),
            Form::Direction => "a direction".to_owned(),
            Form::Pose | Form::Position | Form::PositionDirection => format!("({x}, {y}, {z}) m"),
        }
    }
}

/// The targets, each once.
fn distinct(found: &[Reached]) -> Vec<&Pose<f64>> {
    let mut targets: Vec<&Pose<f64>> = Vec::new();
    for one in found {
        if !targets.contains(&&one.target) {
            targets.push(&one.target);
        }
    }
    targets
}

/// A small length as people say it.
fn length(metres: f64) -> String {
    match metres {
        x if !x.is_finite() => "an unknown distance".to_owned(),
        x if x < 1e-9 => "to below 1 nm".to_owned(),
        x if x < 1e-6 => format!("{:.1} nm", 1e9 * x),
        x if x < 1e-3 => format!("{:.1} µm", 1e6 * x),
        x if x < 0.1 => format!("{:.1} mm", 1e3 * x),
        x => format!("{x:.3} m"),
    }
}

/// An arm, its targets and its way in the views that show it best.
pub(super) struct Picture<'p> {
    /// What was asked for.
    pub of: &'p Quest<'p>,
    /// Who does what.
    pub title: String,
    /// How it went.
    pub verdict: String,
    /// The first is drawn as it is, others as ghosts.
    pub postures: Vec<Vec<Pose<f64>>>,
    /// Targets, and whether they are reached.
    pub aims: Vec<(Pose<f64>, bool)>,
    /// What the tool went along.
    pub way: Vec<Vector<f64>>,
}

impl Picture<'_> {
    /// A single view has room enough in a column.
    fn style(&self, style: Style) -> Style {
        let is_planar = Skeleton::new(self.of.model).normal.is_some();
        if is_planar && style.plot_size == Size::Page { Style { plot_size: Size::Column, ..style } } else { style }
    }

    /// The views side by side.
    pub fn drawing(&self, style: Style) -> Drawing {
        let look = style.theme.look();
        let measures = style.plot_size.measures();
        let skeleton = Skeleton::new(self.of.model);
        let mut points: Vec<Vector<f64>> = self.aims.iter().map(|(pose, _)| pose.translation).collect();
        points.extend(&self.way);
        let shown = Shown { skeleton: &skeleton, postures: &self.postures, points: &points };
        let views = shown.views(self.of.model);
        let views = if style.plot_size == Size::Column { views[..1].to_vec() } else { views };
        let width = measures.width;
        let top = HEAD + if views.len() > 1 { 12.0 } else { 0.0 };
        let stages = shown.stages(&views, [MARGIN, top], width - 2.0 * MARGIN, MOST_HEIGHT);
        let mut marks = vec![
            words([MARGIN, 15.0], Anchor::Start, measures.title, true, look.ink.into(), self.title.clone()),
            words([MARGIN, 26.0], Anchor::Start, measures.label, false, look.ink_2.into(), self.verdict.clone()),
        ];
        for stage in &stages {
            marks.extend(self.view(stage, &skeleton, views.len() > 1, look));
        }
        let height = top + stages.first().map_or(0.0, |stage| stage.frame.height) + MARGIN;
        let description = format!("{}: {}", self.title, self.verdict);
        Drawing {
            width,
            height,
            title: self.title.clone(),
            description,
            ground: (!style.transparent).then_some(look.surface),
            marks,
        }
    }

    fn view(&self, stage: &Stage, skeleton: &Skeleton, named: bool, look: &Look) -> Vec<Mark> {
        let mut marks = stage.floor(skeleton, look);
        if let Some((first, ghosts)) = self.postures.split_first() {
            marks.extend(ghosts.iter().rev().flat_map(|poses| stage.ghost(skeleton, poses, look)));
            marks.extend(stage.robot(skeleton, first, look));
        }
        marks.extend(stage.way(&self.way, self.way.len(), look));
        let aim = self.of.aim();
        let size = 0.12 * skeleton.size;
        marks.extend(self.aims.iter().flat_map(|(pose, reached)| stage.target(pose, aim, *reached, size, look)));
        marks.extend(stage.legend(skeleton, named.then_some(stage.view.name), look));
        marks
    }
}

/// How a path went, in words.
pub fn path_verdict(result: &PathSolution) -> String {
    let count = result.points.len();
    let missed = result.points.iter().filter(|point| !point.report.status.is_reached()).count();
    let jumps = match result.jumps.len() {
        0 => String::new(),
        1 => ", 1 jump".to_owned(),
        jumps => format!(", {jumps} jumps"),
    };
    match missed {
        0 => format!("all {count} points reached{jumps}"),
        missed => format!("{missed} of {count} points not reached{jumps}"),
    }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_have_the_unit_that_fits() {
        let texts = [4e-16, 2e-7, 2.5e-6, 0.012, 0.667].map(length);
        assert_eq!(texts, ["to below 1 nm", "200.0 nm", "2.5 µm", "12.0 mm", "0.667 m"]);
    }
}
