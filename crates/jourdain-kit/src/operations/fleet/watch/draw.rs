//! What was found, drawn: the robot's parameter over the days, that of the others behind it.

use super::series::Fleet;
use super::{Finding, Report};
use crate::plot::figure::{Axis, Block, Curve, Figure, Kind, Panel, Role, Sample, Scale};
use crate::plot::look::Hue;
use std::sync::Arc;

/// Findings that are drawn, the surest first.
const PANELS: usize = 8;
/// Other robots that are drawn behind.
const OTHERS: usize = 20;

pub(super) fn figure(report: &Report, fleet: &Fleet<'_>) -> Figure {
    // The first of a robot's findings about a parameter stands for all.
    let mut drawn: Vec<&Finding> = Vec::new();
    for found in &report.findings {
        if !drawn.iter().any(|own| (&own.robot, &own.parameter) == (&found.robot, &found.parameter)) {
            drawn.push(found);
        }
    }
    let cells = drawn.iter().take(PANELS).filter_map(|found| Some(vec![panel(found, fleet)?])).collect();
    let title = format!("{} · {} robots watched", report.robot, report.robots.len());
    let role = |kind, hue, text: &str| Role { sample: Sample::Line(kind, vec![hue]), text: text.to_owned() };
    Figure {
        description: format!("{title}. {} findings.", report.findings.len()),
        title,
        notes: vec![
            format!("{} findings in {} tests", report.findings.len(), report.tests),
            format!("expected share of false alarms below {:.0} %", 100.0 * report.level),
            "jourdain fleet watch".to_owned(),
        ],
        x: Axis { name: "day".to_owned(), unit: String::new(), scale: Scale::Linear },
        legend: vec![
            role(Kind::Emphasis, Hue::Joint(0), "the robot, day by day"),
            role(Kind::Line, Hue::Note, "others of the model"),
        ],
        blocks: vec![Block { cells, wide: true }],
    }
}

fn panel(found: &Finding, fleet: &Fleet<'_>) -> Option<Panel> {
    let parameter = fleet.names.iter().position(|name| *name == found.parameter)?;
    let curve = |robot: usize, hue: Hue| {
        let points = &fleet.series[robot].points[parameter];
        let first = fleet.days.labels().first().map_or(0.0, |day| fleet.days.time(day));
        let x: Arc<[f64]> = points.iter().map(|point| point.t - first).collect();
        Curve::new(&x, points.iter().map(|point| point.value).collect(), hue)
    };
    let own = fleet.series.iter().position(|series| series.robot == found.robot)?;
    let others = (0..fleet.series.len()).filter(|robot| *robot != own).take(OTHERS);
    let mut curves: Vec<Curve> = others.map(|robot| curve(robot, Hue::Note)).collect();
    curves.push(curve(own, Hue::Joint(0)).drawn(Kind::Emphasis));
    let aside = found.relative.map_or(String::new(), |share| format!("{:+.1} %", 100.0 * share));
    let note = format!("{} of {}", found.kind.word(), found.robot);
    Some(Panel { name: found.parameter.clone(), note, aside, hue: Hue::Joint(0), curves, ..Panel::default() })
}
