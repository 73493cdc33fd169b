//! Lines in planes: shapes and paths, two planes side by side.

use super::figure::{Axis, Block, Curve, Figure, Kind, OwnAxis, Panel, Role, Sample};
use super::look::Hue;
use super::{Line, Plane};

/// Planes as a figure.
pub(super) fn figure(title: &str, planes: &[Plane]) -> Figure {
    let mut legend: Vec<Role> = Vec::new();
    let panel = |plane: &Plane| {
        let curve = |line: &Line| {
            let (x, y): (Vec<f64>, Vec<f64>) = line.points.iter().copied().unzip();
            let drawn = |kind| Curve::new(&x.clone().into(), y.clone(), Hue::Joint(line.color)).drawn(kind);
            let mut curves = vec![drawn(if line.width > 1 { Kind::Emphasis } else { Kind::Residual })];
            curves.extend(line.dots.then(|| drawn(Kind::Dots)));
            curves
        };
        let (x_name, x_unit) = parted(&plane.x_axis);
        let (name, unit) = parted(&plane.y_axis);
        Panel {
            name,
            unit,
            note: plane.title.clone(),
            curves: plane.lines.iter().flat_map(curve).collect(),
            own: Some(OwnAxis { x: Axis { name: x_name, unit: x_unit, ..Axis::default() }, equal: plane.equal }),
            ..Panel::default()
        }
    };
    for line in planes.iter().flat_map(|plane| &plane.lines) {
        if let Some(name) = &line.name {
            let role = Role { sample: Sample::Line(Kind::Line, vec![Hue::Joint(line.color)]), text: name.clone() };
            if !legend.contains(&role) {
                legend.push(role);
            }
        }
    }
    let cells = planes.iter().map(|plane| vec![panel(plane)]).collect();
    Figure { title: title.to_owned(), legend, blocks: vec![Block { cells, wide: true }], ..Figure::default() }
}

/// `x [m]` as name and unit.
fn parted(axis: &str) -> (String, String) {
    match axis.split_once(" [") {
        Some((name, unit)) => (name.to_owned(), unit.trim_end_matches(']').to_owned()),
        None => (axis.to_owned(), String::new()),
    }
}
