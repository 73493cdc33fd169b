//! A motion as text.

use super::{Method, Request};
use crate::labels::{self, Label};
use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, HEADING, WARN};
use crate::text;
use jourdain::Model;
use jourdain::simulate::{Sample, Trajectory};

/// The integrator in words.
pub(in super::super) fn method(method: Method, step: f64, tolerance: f64) -> String {
    match method {
        Method::Rk4 => format!("Runge–Kutta 4, step {} s", numbers::short(step)),
        Method::Adaptive => format!("adaptive, tolerance {tolerance:e}"),
    }
}

pub(super) fn to_text(request: &Request, model: &Model<f64>, motion: &Trajectory) -> String {
    let Some(last) = motion.samples.last() else { return String::new() };
    let method = method(request.method, request.step, request.tolerance);
    let mut lines = vec![format!(
        "{HEADING}{}{HEADING:#}: {} s in {} steps ({method})",
        model.name(),
        numbers::short(last.t),
        motion.steps
    )];
    if let Some(hit) = &motion.stopped {
        lines.push(format!(
            "{WARN}stopped{WARN:#}: joint `{}` reached its limit {} at t = {} s",
            hit.joint,
            numbers::short(hit.limit),
            numbers::short(hit.t)
        ));
    }
    let largest = motion.samples.iter().map(|sample| sample.kinetic).fold(0.0, f64::max);
    lines.push(format!(
        "energy drift    {:.2e} J {FAINT}(kinetic energy up to {} J, work {} J){FAINT:#}",
        motion.energy_drift(),
        numbers::short(largest),
        numbers::short(last.work)
    ));
    if let Some([linear, angular]) = motion.momentum_drift() {
        lines.push(format!("momentum drift  {linear:.2e} N s, {angular:.2e} N m s"));
    }
    lines.extend(text::files(15, [("samples", request.out.as_deref()), ("plot", request.plot.as_deref())]));
    lines.push(String::new());
    lines.push(format!("{FAINT}at t = {} s{FAINT:#}", numbers::short(last.t)));
    lines.extend(state_lines(model, last));
    lines.join("\n")
}

/// Position and velocity, a line per number; numbers of the same name share one.
fn state_lines(model: &Model<f64>, sample: &Sample) -> Vec<String> {
    let (positions, velocities) = (labels::positions(model), labels::velocities(model));
    let [of_q, of_w] = [&sample.q, &sample.qd].map(|values| Notation::of(values.iter().copied()));
    let position = |(label, x): (&Label, &f64)| [numbers::format(*x, &of_q), label.unit.to_owned()];
    let velocity = |(label, x): (&Label, &f64)| [numbers::format(*x, &of_w), format!("{}/s", label.unit)];
    let empty = || [String::new(), String::new()];
    let mut rows = vec![["", "q", "", "qd", ""].map(str::to_owned).to_vec()];
    let mut row = |name: &str, q: [String; 2], w: [String; 2]| {
        rows.push(std::iter::once(name.to_owned()).chain(q).chain(w).collect());
    };
    let mut moving = velocities.iter().zip(&sample.qd).peekable();
    for (label, x) in positions.iter().zip(&sample.q) {
        if velocities.iter().all(|other| other.name != label.name) {
            row(&label.name, position((label, x)), empty());
            continue;
        }
        // Velocities that are not the rates of positions follow the positions of their joint.
        while let Some(other) = moving.next_if(|(other, _)| other.name != label.name) {
            row(&other.0.name, empty(), velocity(other));
        }
        row(&label.name, position((label, x)), moving.next().map_or_else(empty, velocity));
    }
    for other in moving {
        row(&other.0.name, empty(), velocity(other));
    }
    numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")).collect()
}
