//! What happens along a path: where it cannot be followed, where limits or singularities are met, where the arm jumps.

use super::report::{Solution, Status};
use crate::spatial::Pose;

/// Joint steps up to this many path steps are continuous, however they came about.
const RATIO: f64 = 10.0;
/// Joint steps up to this are continuous, rad and m.
const SMALL: f64 = 0.02;
/// Smallest pivot of the Jacobian against the largest, below which a point counts as singular.
pub(super) const SINGULAR: f64 = 1e-2;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The targets from one point to another are not reached: proved, or by every attempt.
    Unreachable,
    /// Other joints are at their limits than at the point before.
    LimitChange,
    /// The task's Jacobian is close to losing rank.
    Singular,
    /// The joints move far for a small step of the path: another branch.
    Jump,
}

impl EventKind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::LimitChange => "limit-change",
            Self::Singular => "singular",
            Self::Jump => "jump",
        }
    }
}

/// Something that happens from one point of a path to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The first point.
    pub from: usize,
    /// The last point.
    pub to: usize,
}

/// The largest joint step that counts as continuous for a step of the path, positions measured by `scale`, m.
pub(super) fn allowed(from: &Pose<f64>, to: &Pose<f64>, scale: f64) -> f64 {
    let turned = (to.rotation * from.rotation.transpose()).log().norm();
    let moved = (to.translation - from.translation).norm() / scale;
    SMALL + RATIO * moved.max(turned)
}

/// Points whose joints are far from those of the point before, by the step of the path.
pub(super) fn jumps(points: &[Solution], targets: &[Pose<f64>], scale: f64) -> Vec<usize> {
    let far = |k: &usize| {
        let [a, b] = [&points[k - 1], &points[*k]];
        let step = a.q.iter().zip(&b.q).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        b.report.status.is_reached() && step > allowed(&targets[k - 1], &targets[*k], scale)
    };
    (1..points.len().min(targets.len())).filter(far).collect()
}

/// The events of a path, in the order of their first points.
pub(super) fn of(points: &[Solution], jumps: &[usize]) -> Vec<Event> {
    let mut events = runs(points, EventKind::Unreachable, |point| !point.report.status.is_reached());
    events.extend(runs(points, EventKind::Singular, |point| {
        let report = &point.report;
        report.status == Status::RankDeficient
            || (report.status.is_reached() && report.active == 0 && report.regularity < SINGULAR)
    }));
    events.extend(jumps.iter().map(|&to| Event { kind: EventKind::Jump, from: to - 1, to }));
    for (from, pair) in points.windows(2).enumerate() {
        let reached = pair.iter().all(|point| point.report.status.is_reached());
        if reached && pair[0].active != pair[1].active {
            events.push(Event { kind: EventKind::LimitChange, from, to: from + 1 });
        }
    }
    events.sort_by_key(|event| (event.from, event.to));
    events
}

/// Stretches of points with a property.
fn runs(points: &[Solution], kind: EventKind, has: impl Fn(&Solution) -> bool) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for (k, _) in points.iter().enumerate().filter(|(_, point)| has(point)) {
        match events.last_mut() {
            Some(last) if last.to + 1 == k => last.to = k,
            _ => events.push(Event { kind, from: k, to: k }),
        }
    }
    events
}
