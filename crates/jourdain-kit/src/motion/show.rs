//! A motion as text.

use crate::text::numbers::{self, Notation};
use crate::text::style::{FAINT, WARN};
use jourdain::simulate::{self, Column, Sample, Trajectory};

/// The integrator in words.
#[must_use]
pub fn method(motion: &Trajectory, step: f64) -> String {
    match motion.method {
        simulate::Method::Rk4 => format!("Runge–Kutta 4, step {} s", numbers::short(step)),
        simulate::Method::Adaptive { relative, .. } => format!("adaptive, tolerance {relative:e}"),
        simulate::Method::Implicit { relative, .. } => format!("implicit, tolerance {relative:e}"),
        simulate::Method::Auto { tolerance } => format!("chosen by stiffness, tolerance {tolerance:e}"),
    }
}

/// Why this method was chosen, if it was.
#[must_use]
pub fn reason(motion: &Trajectory, step: f64) -> Option<String> {
    let (fastest, step) = (numbers::short(motion.fastest?), numbers::short(step));
    Some(match motion.method {
        simulate::Method::Rk4 => format!("chosen: steps of {step} s resolve the fastest motion, {fastest} rad/s"),
        simulate::Method::Adaptive { .. } => {
            format!("chosen: steps of {step} s do not resolve the fastest motion, {fastest} rad/s")
        }
        simulate::Method::Implicit { .. } | simulate::Method::Auto { .. } => format!(
            "chosen: the fastest motion, {fastest} rad/s, is too stiff for explicit steps; it is damped, not followed"
        ),
    })
}

/// That a joint reached an end of its range, if one did.
#[must_use]
pub fn stopped(motion: &Trajectory) -> Option<String> {
    let hit = motion.stopped.as_ref()?;
    Some(format!(
        "{WARN}stopped{WARN:#}: joint `{}` reached its limit {} at t = {} s",
        hit.joint,
        numbers::short(hit.limit),
        numbers::short(hit.t)
    ))
}

/// The energy drift, beside what it is to be compared with.
#[must_use]
pub fn energy(motion: &Trajectory, last: &Sample) -> String {
    let largest = motion.samples.iter().map(|sample| sample.kinetic).fold(0.0, f64::max);
    format!(
        "energy drift    {:.2e} J {FAINT}(kinetic energy up to {} J, work {} J){FAINT:#}",
        motion.energy_drift(),
        numbers::short(largest),
        numbers::short(last.work)
    )
}

/// Position and velocity, a line per number; numbers of the same place share one.
#[must_use]
pub fn state(motion: &Trajectory, sample: &Sample) -> Vec<String> {
    let (positions, velocities) = (&motion.layout.positions, &motion.layout.velocities);
    let [of_q, of_w] = [&sample.q, &sample.qd].map(|values| Notation::of(values.iter().copied()));
    let cell = |(column, x): (&Column, &f64), notation: &Notation| [numbers::format(*x, notation), column.unit_text()];
    let empty = || [String::new(), String::new()];
    let mut rows = vec![["", "q", "", "qd", ""].map(str::to_owned).to_vec()];
    let mut row = |name: String, q: [String; 2], w: [String; 2]| {
        rows.push(std::iter::once(name).chain(q).chain(w).collect());
    };
    let mut moving = velocities.iter().zip(&sample.qd).peekable();
    for (column, x) in positions.iter().zip(&sample.q) {
        let rate_of_it = |other: &Column| rate(column, other);
        if !velocities.iter().any(rate_of_it) {
            row(name(column), cell((column, x), &of_q), empty());
            continue;
        }
        // Velocities that are not the rates of positions follow the positions of their joint.
        while let Some(other) = moving.next_if(|(other, _)| !rate_of_it(other)) {
            row(name(other.0), empty(), cell(other, &of_w));
        }
        let rate = moving.next().map_or_else(empty, |other| cell(other, &of_w));
        row(name(column), cell((column, x), &of_q), rate);
    }
    for other in moving {
        row(name(other.0), empty(), cell(other, &of_w));
    }
    numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")).collect()
}

/// True if a velocity is the rate of a position: `qd` of `q`, `thetad` of `theta`, at the same place.
fn rate(position: &Column, velocity: &Column) -> bool {
    velocity.place() == position.place() && velocity.symbol.strip_suffix('d') == Some(position.symbol)
}

/// The place of a coordinate; what is no `q` says what it is.
fn name(column: &Column) -> String {
    match column.symbol {
        "q" | "qd" => column.place(),
        symbol => format!("{symbol} {}", column.place()),
    }
}

/// What a law has learned, a line per number: at the start and at the end.
#[must_use]
pub fn learned(motion: &Trajectory) -> Vec<String> {
    if motion.learned().next().is_none() {
        return Vec::new();
    }
    let mut rows = vec![["estimate", "at first", "at the end", ""].map(str::to_owned).to_vec()];
    for (column, [first, last]) in motion.learned() {
        rows.push(vec![column.place(), numbers::short(first), numbers::short(last), column.unit_text()]);
    }
    numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")).collect()
}
