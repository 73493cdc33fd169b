//! An arm along a path: the arm on its way, and its joints point by point; with a second method both beside each other.

use super::draw::{GHOSTS, Picture, Quest, path_verdict};
use crate::host::Host;
use crate::plot::drawing::Drawing;
use crate::plot::figure::{Axis, Block, Curve, Figure, Kind, OwnAxis, Panel, Role, Sample, Spot};
use crate::plot::joints::{self, Palette, Quantity, Series};
use crate::plot::look::{Hue, Style};
use crate::plot::{self, drawing};
use crate::problem::Problem;
use jourdain::ik::{Event, EventKind, PathSolution, Solver};
use jourdain::kinematics;
use jourdain::spatial::{Pose, Vector};
use std::path::Path;
use std::sync::Arc;

/// Events that are told in words, of one kind.
const TOLD: usize = 3;

/// A path and what became of it.
pub struct Along<'a> {
    /// What was asked for.
    pub quest: &'a Quest<'a>,
    /// What solved it.
    pub solver: &'a Solver<'a>,
    /// The path.
    pub targets: &'a [Pose<f64>],
    /// The joints along it.
    pub result: &'a PathSolution,
    /// The same by another method.
    pub other: Option<&'a PathSolution>,
}

impl Along<'_> {
    /// Draws the arm and its joints.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn draw(&self, file: &Path, style: Style, host: &dyn Host) -> Result<(), Problem> {
        let mut drawing = self.arm().drawing(style);
        add(&mut drawing, self.joints().drawing(style));
        plot::put(file, &drawing, style.plot_size, host)
    }

    /// The arm on its way: as it ends, and ghosts of where it was.
    fn arm(&self) -> Picture<'_> {
        let Self { quest, result, .. } = self;
        let count = result.points.len();
        let poses = |place: usize| kinematics::poses(quest.model, &result.points[place].q);
        let last = count.saturating_sub(1);
        let step = count.div_ceil(GHOSTS).max(1);
        let shown: Vec<usize> =
            if count == 0 { Vec::new() } else { std::iter::once(last).chain((0..last).step_by(step)).collect() };
        let aim = |place: usize| {
            let point = &result.points[place];
            (quest.placed(&self.targets[place], quest.tip(&poses(place))), point.report.status.is_reached())
        };
        // Targets that are missed are marked, each of them as long as they are few.
        let missed: Vec<usize> = (0..count).filter(|place| !result.points[*place].report.status.is_reached()).collect();
        let thinned = missed.iter().step_by(missed.len().div_ceil(12).max(1)).copied();
        let link = &quest.model.links()[quest.task.link].name;
        Picture {
            of: quest,
            title: format!("{} · {link} along a path of {count} points", quest.model.name()),
            verdict: self.verdict(),
            postures: shown.into_iter().map(poses).collect(),
            aims: thinned.chain((count > 0).then_some(last)).map(aim).collect(),
            way: (0..count).map(|place| aim(place).0.translation).collect(),
        }
    }

    fn verdict(&self) -> String {
        let mut parts = vec![path_verdict(self.result)];
        for kind in [EventKind::Unreachable, EventKind::Jump, EventKind::Singular, EventKind::LimitChange] {
            let all: Vec<&Event> = self.result.events.iter().filter(|event| event.kind == kind).collect();
            let place = |event: &&Event| match event.from == event.to {
                true => event.from.to_string(),
                false => format!("{}–{}", event.from, event.to),
            };
            let more = if all.len() > TOLD { ", …" } else { "" };
            let places: Vec<String> = all.iter().take(TOLD).map(place).collect();
            if !places.is_empty() {
                parts.push(format!("{} at {}{more}", kind.name(), places.join(", ")));
            }
        }
        parts.join(" · ")
    }

    /// Joints over the points, and joints and tips of both methods against each other (Ch, Figures 2 and 3).
    fn joints(&self) -> Figure {
        let Self { quest, result, .. } = self;
        let model = quest.model;
        let x: Arc<[f64]> = (0..result.points.len()).map(|k| k as f64).collect();
        let palette = Palette::of(model);
        let variables = self.solver.chain().variables();
        let places: Vec<(usize, &str)> = variables
            .iter()
            .filter_map(|variable| Some((variable.position?, model.links()[variable.link].joint_name.as_str())))
            .collect();
        let coordinates = model.coordinates();
        let series: Vec<Series> = places
            .iter()
            .map(|(place, joint)| {
                let unit = coordinates[*place].unit.to_string();
                let series =
                    palette.series("q", joint, &coordinates[*place].part.to_string(), unit, Quantity::Position);
                Series {
                    values: values(result, *place),
                    beside: self.other.map(|other| values(other, *place)),
                    ..series
                }
            })
            .collect();
        let mut block = joints::block("Position", &x, &series);
        if let Some(panel) = block.cells.first_mut().and_then(|cell| cell.first_mut()) {
            panel.spots.extend(self.spots(&series));
        }
        let mut blocks = vec![block];
        let mut legend = joints::limit_roles(&blocks);
        if let Some(other) = self.other {
            legend.push(role(Kind::Line, Hue::Ink, "optimal configuration"));
            legend.push(role(Kind::Dashed, Hue::Note, "resolved motion"));
            blocks.push(Block {
                cells: self.beside(other, &series).into_iter().map(|panel| vec![panel]).collect(),
                wide: true,
            });
        }
        let x = Axis { name: "point".to_owned(), ..Axis::default() };
        Figure { x, legend, blocks, ..Figure::default() }
    }

    /// Events, on the first joint.
    fn spots(&self, series: &[Series]) -> Vec<Spot> {
        let Some(first) = series.first() else { return Vec::new() };
        let spot = |event: &Event| {
            let at = (event.from + event.to) / 2;
            let value = first.values.get(at).copied()?;
            let hue = matches!(event.kind, EventKind::LimitChange | EventKind::Singular).then_some(Hue::Note);
            Some(Spot { at: [at as f64, value], text: event.kind.name().to_owned(), below: false, hue })
        };
        self.result.events.iter().filter_map(spot).take(TOLD).collect()
    }

    /// The joints against the first one, and the command with both tips.
    fn beside(&self, other: &PathSolution, series: &[Series]) -> Vec<Panel> {
        let degrees = |values: &[f64]| values.iter().copied().map(f64::to_degrees).collect::<Vec<f64>>();
        let pair = |x: &[f64], y: Vec<f64>, kind: Kind, hue: Hue| Curve::new(&x.into(), y, hue).drawn(kind);
        let axis = |name: &str, unit: &str| Axis { name: name.to_owned(), unit: unit.to_owned(), ..Axis::default() };
        let mut panels = Vec::new();
        if let Some((first, rest)) = series.split_first() {
            for one in rest.iter().rev() {
                let both = |series: &Series| {
                    [&series.values, series.beside.as_ref().unwrap_or(&series.values)].map(|v| degrees(v))
                };
                let ([x, other_x], [y, other_y]) = (both(first), both(one));
                panels.push(Panel {
                    name: one.symbol.clone(),
                    unit: "deg".to_owned(),
                    note: format!("{} against {}", one.of, first.of),
                    hue: one.hue,
                    curves: vec![
                        pair(&other_x, other_y, Kind::Dashed, Hue::Note),
                        pair(&x, y, Kind::Emphasis, one.hue),
                    ],
                    own: Some(OwnAxis { x: axis(&first.symbol, "deg"), equal: false }),
                    ..Panel::default()
                });
            }
        }
        let plan = |points: Vec<Vector<f64>>| -> (Vec<f64>, Vec<f64>) {
            points.into_iter().map(|point| (1000.0 * point[0], 1000.0 * point[1])).unzip()
        };
        let tips = |result: &PathSolution| {
            plan(result.points.iter().map(|point| self.solver.tip(&point.q).translation).collect())
        };
        let ((x, y), (ox, oy)) = (tips(self.result), tips(other));
        let (cx, cy) = plan(self.targets.iter().map(|target| target.translation).collect());
        panels.push(Panel {
            name: "y".to_owned(),
            unit: "mm".to_owned(),
            note: "command (dots) and tips".to_owned(),
            curves: vec![
                pair(&cx, cy, Kind::Dots, Hue::Measured),
                pair(&ox, oy, Kind::Dashed, Hue::Note),
                pair(&x, y, Kind::Emphasis, Hue::Ink),
            ],
            own: Some(OwnAxis { x: axis("x", "mm"), equal: true }),
            ..Panel::default()
        });
        panels
    }
}

fn values(result: &PathSolution, place: usize) -> Vec<f64> {
    result.points.iter().map(|point| point.q[place]).collect()
}

fn role(kind: Kind, hue: Hue, text: &str) -> Role {
    Role { sample: Sample::Line(kind, vec![hue]), text: text.to_owned() }
}

/// Puts a drawing below another.
fn add(above: &mut Drawing, below: Drawing) {
    let marks = below.marks.into_iter().map(|mark| drawing::moved(mark, [0.0, above.height - 8.0]));
    above.marks.extend(marks.collect::<Vec<_>>());
    above.height += below.height - 8.0;
    above.width = above.width.max(below.width);
}
