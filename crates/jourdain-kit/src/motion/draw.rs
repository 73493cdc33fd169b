//! A motion over time: positions, velocities, errors, torques and energies, as far as there are any.

use crate::plot::figure::{Axis, Block, Curve, Figure, Height, Kind, Panel, Role, Sample as LegendSample};
use crate::plot::joints::{self, Palette, Quantity, Series, block};
use crate::plot::look::Hue;
use crate::plot::{ticks, words};
use jourdain::simulate::{Column, Method, Sample, Trajectory};
use std::sync::Arc;

/// What a motion is called in the title of its plot.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The robot.
    pub robot: String,
    /// What happens to it.
    pub scenario: String,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// The length of steps, s.
    pub step: f64,
    /// The command that made it.
    pub command: &'static str,
}

/// What drives a system, in words.
#[must_use]
pub fn drive(law: &str) -> String {
    let words = match law {
        "none" => "all drives off",
        "constant" => "constant torques",
        "table" => "torques of a table",
        "pd" => "PD control",
        "pd-gravity" => "PD control with gravity compensation",
        "computed-torque" => "computed torque",
        "feed-forward" => "feed-forward control",
        "exact-linearisation" => "exact linearisation",
        "strain-feedback" => "strain feedback",
        "adaptive" => "adaptive control",
        "custom" => "a law of the caller",
        other => return format!("law {other}"),
    };
    words.to_owned()
}

/// A motion as a figure.
#[must_use]
pub fn figure(heading: &Heading, palette: &Palette, motion: &Trajectory) -> Figure {
    let x: Arc<[f64]> = motion.samples.iter().map(|sample| sample.t).collect();
    let layout = &motion.layout;
    let positions = sided(motion, palette, &layout.positions, Quantity::Position, |sample| &sample.q);
    let velocities = sided(motion, palette, &layout.velocities, Quantity::Velocity, |sample| &sample.qd);
    let mut blocks = vec![block("Position", &x, &positions), block("Velocity", &x, &velocities)];
    let deflections = deflections(&positions);
    if !deflections.is_empty() {
        blocks.push(block("Deflection", &x, &deflections));
    }
    if motion.samples.iter().any(|sample| !sample.reference.is_empty()) {
        blocks.push(block("Error", &x, &errors(motion, palette)));
    }
    if motion.samples.iter().flat_map(|sample| &sample.tau).any(|tau| *tau != 0.0) {
        let mut torques = series(motion, palette, "τ", &layout.inputs, Quantity::Other, |sample| sample.tau.clone());
        for (series, effort) in torques.iter_mut().zip(&layout.efforts) {
            series.limits = effort.map(|effort| [-effort, effort]);
        }
        blocks.push(block("Torque", &x, &torques));
    }
    if !motion.memory.is_empty() {
        blocks.push(memory(motion, &x));
    }
    let (energy, drift) = energies(motion, &x);
    blocks.push(energy);
    let passed = joints::first_out(&x, &positions).or_else(|| joints::first_out(&x, &velocities));
    let finding = match passed {
        Some((series, t)) => format!("{} passes its limit after {} s", series.symbol, joints::seconds(t)),
        None if positions.iter().any(|series| series.limits.is_some()) => {
            "all joints stay inside their limits".to_owned()
        }
        None => String::new(),
    };
    let angles = layout.positions.iter().any(|column| column.part == "qw");
    let angles = if angles { "orientations as rotation vectors".to_owned() } else { String::new() };
    let method = method(motion, heading.step);
    let mut legend = joints::limit_roles(&blocks);
    if positions.iter().any(|series| series.beside.is_some()) {
        let hues: Vec<Hue> = positions.iter().take(3).map(|series| series.hue).collect();
        let role = |kind, hues, text: &str| Role { sample: LegendSample::Line(kind, hues), text: text.to_owned() };
        legend.insert(0, role(Kind::Emphasis, hues, "side of the link"));
        legend.insert(1, role(Kind::Dashed, vec![Hue::Note], "side of the motor"));
    }
    let mut notes = vec![finding.clone()];
    notes.extend(heading.notes.iter().filter(|_| passed.is_some()).cloned());
    notes.extend([angles, method, format!("jourdain {}", heading.command)]);
    let title = format!("{} · {}", heading.robot, heading.scenario);
    let end = x.last().copied().unwrap_or(0.0);
    let description = [format!("{title}, {} s.", joints::seconds(end)), sentence(&finding), sentence(&drift)].join(" ");
    Figure { title, notes, description: description.trim().to_owned(), x: Axis::time(), legend, blocks }
}

/// The method by which a motion was found.
#[must_use]
pub fn method(motion: &Trajectory, step: f64) -> String {
    let tolerance = |relative: f64| format!("tolerance {}", ticks::number(relative, 1));
    match motion.method {
        Method::Rk4 if step < 1.0 => format!("Runge–Kutta 4, step {} ms", ticks::short(1e3 * step)),
        Method::Rk4 => format!("Runge–Kutta 4, step {} s", ticks::short(step)),
        Method::Adaptive { relative, .. } => format!("Dormand–Prince, {}", tolerance(relative)),
        Method::Implicit { relative, .. } => format!("Rosenbrock, {}", tolerance(relative)),
        Method::Auto { tolerance: relative } => format!("chosen by stiffness, {}", tolerance(relative)),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // A symbol stays what it is.
        Some(_) if text.chars().take(4).any(|letter| letter == '_') => format!("{text}."),
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

/// Numbers of joints; those of motors stand beside those of their links.
fn sided(
    motion: &Trajectory,
    palette: &Palette,
    columns: &[Column],
    what: Quantity,
    values: fn(&Sample) -> &Vec<f64>,
) -> Vec<Series> {
    let is_motor = |column: &Column| matches!(column.symbol, "theta" | "thetad");
    let links = columns.iter().take_while(|column| !is_motor(column)).count();
    let letter = if what == Quantity::Velocity { "q\u{307}" } else { "q" };
    let mut all = series(motion, palette, letter, &columns[..links], what, |sample| values(sample)[..links].to_vec());
    for (index, column) in columns.iter().enumerate().skip(links) {
        let place = columns[..links].iter().position(|link| link.of == column.of && link.part == column.part);
        if let Some(series) = place.and_then(|place| all.get_mut(place)) {
            series.beside = Some(motion.samples.iter().map(|sample| values(sample)[index]).collect());
        }
    }
    all
}

/// Numbers of joints over time; four of a quaternion become three angles.
fn series(
    motion: &Trajectory,
    palette: &Palette,
    letter: &str,
    columns: &[Column],
    what: Quantity,
    values: impl Fn(&Sample) -> Vec<f64>,
) -> Vec<Series> {
    let rows: Vec<Vec<f64>> = motion.samples.iter().map(values).collect();
    let count = rows.iter().map(Vec::len).min().unwrap_or(0).min(columns.len());
    let mut all = Vec::new();
    let mut index = 0;
    while index < count {
        let column = &columns[index];
        if column.part == "qw" && index + 4 <= count {
            let quaternions = rows.iter().map(|row| [row[index], row[index + 1], row[index + 2], row[index + 3]]);
            let vectors = joints::rotation_vectors(quaternions);
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let of = palette.series("ϑ", &column.of, axis, "rad".to_owned(), Quantity::Other);
                all.push(Series { values: vectors.iter().map(|vector| vector[k]).collect(), ..of });
            }
            index += 4;
            continue;
        }
        let (letter, part) = named(letter, &column.part);
        let of = palette.series(letter, &column.of, part, column.unit_text(), what);
        all.push(Series { values: rows.iter().map(|row| row[index]).collect(), ..of });
        index += 1;
    }
    all
}

/// Letter and index of a part of a joint: the place of a free joint has its own letter, as have its velocities.
fn named<'p>(letter: &'p str, part: &'p str) -> (&'p str, &'p str) {
    match part {
        "vx" | "vy" | "vz" if letter != "τ" => ("v", &part[1..]),
        "wx" | "wy" | "wz" if letter != "τ" => ("ω", &part[1..]),
        "x" | "y" | "z" if letter == "q" => ("r", part),
        _other => (letter, part),
    }
}

fn deflections(positions: &[Series]) -> Vec<Series> {
    let one = |series: &Series| {
        let motor = series.beside.as_ref()?;
        let values = motor.iter().zip(&series.values).map(|(motor, link)| motor - link).collect();
        let symbol = series.symbol.replacen('q', "δ", 1);
        Some(Series { symbol, values, limits: None, beside: None, ..series.clone() })
    };
    positions.iter().filter_map(one).collect()
}

fn errors(motion: &Trajectory, palette: &Palette) -> Vec<Series> {
    // The errors of a quaternion are differences of its numbers, and stay so.
    let plain: Vec<Column> = motion
        .layout
        .positions
        .iter()
        .cloned()
        .map(|column| match column.part.as_str() {
            "qw" => Column { part: "w".to_owned(), ..column },
            _other => column,
        })
        .collect();
    series(motion, palette, "e", &plain, Quantity::Other, Sample::error)
}

/// What a law has learned or keeps, by unit.
fn memory(motion: &Trajectory, x: &Arc<[f64]>) -> Block {
    let one = |(index, column): (usize, &Column)| Series {
        symbol: column.of.clone(),
        of: String::new(),
        unit: column.unit_text(),
        hue: Hue::Joint(index),
        values: motion.samples.iter().map(|sample| sample.memory.get(index).copied().unwrap_or(f64::NAN)).collect(),
        ..Series::default()
    };
    let mut all: Vec<Series> = motion.memory.iter().enumerate().map(one).collect();
    all.sort_by(|a, b| a.unit.cmp(&b.unit));
    let what = if motion.learned().next().is_some() { "Estimate" } else { "Memory" };
    block(what, x, &all)
}

/// Energies, and what the integrator has lost or gained of them; and the finding in words.
#[must_use]
pub fn energies(motion: &Trajectory, x: &Arc<[f64]>) -> (Block, String) {
    let all = |value: &dyn Fn(&Sample) -> f64| -> Vec<f64> { motion.samples.iter().map(value).collect() };
    let line = |value: &dyn Fn(&Sample) -> f64, hue, name: &str| Curve::new(x, all(value), hue).labelled(name);
    let mut curves = vec![
        line(&|sample| sample.kinetic, Hue::Positive, "kinetic"),
        line(&|sample| sample.potential, Hue::Negative, "potential"),
    ];
    if motion.samples.iter().any(|sample| sample.work != 0.0) {
        curves.push(line(&|sample| sample.work, Hue::Note, "work").drawn(Kind::Dashed));
    }
    curves.push(line(&Sample::energy, Hue::Ink, "total").drawn(Kind::Emphasis));
    let first = motion.samples.first().map_or(0.0, |sample| sample.energy() - sample.work);
    let drift = all(&|sample| sample.energy() - sample.work - first);
    let largest = motion.energy_drift();
    let size = motion.samples.iter().map(|sample| sample.kinetic.abs().max(sample.potential.abs())).fold(0.0, f64::max);
    let share =
        if size > 0.0 { format!(", {} of the energy", ticks::number(largest / size, 1)) } else { String::new() };
    let note = format!("largest {} J{share}", ticks::number(largest, 2));
    let said = format!("the energy drifts by at most {} J", words::plain(&ticks::number(largest, 2)));
    let panel = |name: &str, note: String, height, curves| Panel {
        name: name.to_owned(),
        unit: "J".to_owned(),
        note,
        height,
        curves,
        ..Panel::default()
    };
    let drifting = Curve::new(x, drift, Hue::Ink).drawn(Kind::Residual);
    let cell = vec![
        panel("Energy", String::new(), Height::Usual, curves),
        panel("Drift of the energy", note, Height::Low, vec![drifting]),
    ];
    (Block { cells: vec![cell], wide: false }, said)
}
