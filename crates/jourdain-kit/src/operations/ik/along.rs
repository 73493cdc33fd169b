//! Joints, events and the arm along a path.

use crate::host::Host;
use crate::plot::{self, Line, Plane};
use crate::problem::Problem;
use jourdain::Model;
use jourdain::ik::{Event, EventKind, PathSolution, Solver};
use jourdain::spatial::{Pose, Vector};
use std::path::Path;

/// Most postures that are drawn of an arm on its way.
const POSTURES: usize = 15;

fn views(arms: &[Vec<Vector<f64>>], tips: &[[f64; 3]]) -> Vec<Plane> {
    [("top view", [0, 1], ["x [m]", "y [m]"]), ("side view", [0, 2], ["x [m]", "z [m]"])]
        .into_iter()
        .map(|(title, [i, j], [x_axis, y_axis])| {
            let arm = |(index, arm): (usize, &Vec<Vector<f64>>)| {
                let mut points = vec![(0.0, 0.0)];
                points.extend(arm.iter().map(|point| (point[i], point[j])));
                Line { name: (index == 0).then(|| "arm".to_owned()), points, color: 4, width: 1, dots: true }
            };
            let mut lines: Vec<Line> = arms.iter().enumerate().map(arm).collect();
            if tips.len() > 1 {
                let points = tips.iter().map(|tip| (tip[i], tip[j])).collect();
                lines.push(Line { name: Some("tip".to_owned()), points, color: 1, width: 2, dots: false });
            }
            Plane { title: title.to_owned(), x_axis: x_axis.to_owned(), y_axis: y_axis.to_owned(), equal: true, lines }
        })
        .collect()
}

/// Joints along a path, the arm from above and from the side; with a second method also the joints of both against each
/// other and both tips: Ch, Figures 2 and 3.
pub fn draw(
    file: &Path,
    model: &Model<f64>,
    solver: &Solver<'_>,
    targets: &[Pose<f64>],
    result: &PathSolution,
    other: Option<&PathSolution>,
    host: &dyn Host,
) -> Result<(), Problem> {
    let mut planes = Vec::new();
    let variables: Vec<(usize, String)> = solver
        .chain()
        .variables()
        .iter()
        .filter_map(|variable| Some((variable.position?, model.links()[variable.link].joint_name.clone())))
        .collect();
    let joint = |result: &PathSolution, position: usize| -> Vec<f64> {
        result.points.iter().map(|point| point.q[position]).collect()
    };
    if let Some(other) = other {
        // Ch, Figure 2: the joints against the first one.
        if let Some(((first, first_name), rest)) = variables.split_first() {
            for (position, name) in rest.iter().rev() {
                let curve = |result: &PathSolution| -> Vec<(f64, f64)> {
                    let degrees = |x: Vec<f64>| x.into_iter().map(f64::to_degrees);
                    degrees(joint(result, *first)).zip(degrees(joint(result, *position))).collect()
                };
                planes.push(Plane {
                    title: format!("{first_name} against {name}"),
                    x_axis: format!("{first_name} [deg]"),
                    y_axis: format!("{name} [deg]"),
                    equal: false,
                    lines: vec![
                        Line::curve("resolved motion", curve(other), 1),
                        Line::curve("optimal configuration", curve(result), 0),
                    ],
                });
            }
        }
        // Ch, Figure 3: the command and both tips.
        let plan = |points: Vec<[f64; 3]>| points.into_iter().map(|p| (1000.0 * p[0], 1000.0 * p[1])).collect();
        planes.push(Plane {
            title: "command and tips".to_owned(),
            x_axis: "x [mm]".to_owned(),
            y_axis: "y [mm]".to_owned(),
            equal: true,
            lines: vec![
                Line {
                    dots: targets.len() <= 60,
                    width: 4,
                    ..Line::curve("command", plan(targets.iter().map(|target| target.translation.0).collect()), 4)
                },
                Line::curve("resolved motion", plan(tips(solver, other)), 1),
                Line::curve("optimal configuration", plan(tips(solver, result)), 0),
            ],
        });
    }
    let count = variables.len();
    let lines = variables.iter().enumerate().map(|(index, (position, name))| {
        let points = joint(result, *position).into_iter().enumerate().map(|(i, x)| (i as f64, x)).collect();
        Line { color: if count <= 7 { index } else { index % 7 }, ..Line::curve(name, points, index) }
    });
    let mut lines: Vec<Line> = lines.collect();
    lines.extend(event_lines(result, &lines));
    planes.push(Plane {
        title: "joints along the path".to_owned(),
        x_axis: "point".to_owned(),
        y_axis: "position [rad, m]".to_owned(),
        equal: false,
        lines,
    });
    let stride = result.points.len().div_ceil(POSTURES).max(1);
    let arms: Vec<Vec<Vector<f64>>> =
        result.points.iter().step_by(stride).map(|point| solver.skeleton(&point.q)).collect();
    planes.extend(views(&arms, &tips(solver, result)));
    plot::planes(file, model.name(), &planes, host)
}

/// Events as lines across the joints: along the foot while they last, upright where they are short.
fn event_lines(result: &PathSolution, joints: &[Line]) -> Vec<Line> {
    let heights = || joints.iter().flat_map(|line| &line.points).map(|(_, y)| *y);
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let mut named = Vec::new();
    let line = |event: &Event| {
        let (from, to) = (event.from as f64, event.to as f64);
        let middle = 0.5 * (from + to);
        let points = if to - from > 1.0 { vec![(from, low), (to, low)] } else { vec![(middle, low), (middle, high)] };
        // One entry of the legend for each kind.
        let name = (!named.contains(&event.kind)).then(|| event.kind.name().to_owned());
        named.push(event.kind);
        let color = match event.kind {
            EventKind::Unreachable | EventKind::Jump => 1,
            EventKind::LimitChange => 4,
            EventKind::Singular => 3,
        };
        Line { name, points, color, width: 2, dots: false }
    };
    result.events.iter().map(line).collect()
}

/// The tip of every point.
fn tips(solver: &Solver<'_>, result: &PathSolution) -> Vec<[f64; 3]> {
    result.points.iter().map(|point| solver.tip(&point.q).translation.0).collect()
}
