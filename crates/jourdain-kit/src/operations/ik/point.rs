//! A configuration and what is known of it.

use crate::text::numbers;
use crate::text::style::{BAD, FAINT, GOOD, WARN};
use jourdain::Model;
use jourdain::ik::Solution;
use schemars::JsonSchema;
use serde::Serialize;

/// A configuration and what is known of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Point {
    /// `solved`, `limit-active`, `wrong-kind`, `rank-deficient`, `not-stationary`, `not-found` or `unreachable`.
    pub status: &'static str,
    /// Position, rad and m.
    pub q: Vec<f64>,
    /// Largest error of the pose, m and rad.
    pub pose_error: f64,
    /// How far the criterion is from stationary.
    pub stationarity: f64,
    /// Its value; null where it has none.
    pub criterion: Option<f64>,
    /// What the criterion has there: `minimum`, `maximum`, ….
    pub kind: &'static str,
    /// Steps that it took.
    pub iterations: usize,
    /// Starts that it took.
    pub starts: usize,
    /// How many joints are left over.
    pub redundancy: usize,
    /// Of the criterion's second derivative along the joints that are left over.
    pub smallest_eigenvalue: f64,
    /// Joints at their limits.
    pub active_limits: Vec<String>,
    /// Estimated chance that a better optimum was missed; null if the first success was taken.
    pub chance_of_better: Option<f64>,
    /// The link that is placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// True if the status is `solved` or `limit-active`.
    #[serde(skip)]
    pub is_success: bool,
}

impl Point {
    pub(crate) fn of(model: &Model<f64>, solution: &Solution) -> Self {
        let report = &solution.report;
        Self {
            status: report.status.name(),
            q: solution.q.clone(),
            pose_error: report.pose_error,
            stationarity: report.stationarity,
            criterion: (report.criterion < f64::MAX).then_some(report.criterion),
            kind: report.kind.name(),
            iterations: report.iterations,
            starts: report.starts,
            redundancy: report.redundancy,
            smallest_eigenvalue: report.smallest_eigenvalue,
            active_limits: active_names(model, solution),
            chance_of_better: report.chance,
            link: None,
            is_success: report.status.is_success(),
        }
    }
}

impl Point {
    /// With the name of the link.
    pub(crate) fn placing(self, link: &str) -> Self {
        Self { link: Some(link.to_owned()), ..self }
    }
}

pub(super) fn active_names(model: &Model<f64>, solution: &Solution) -> Vec<String> {
    let velocities = model.velocities();
    solution.active.iter().filter_map(|&place| Some(velocities.get(place)?.joint.clone())).collect()
}

pub(crate) fn styled_status(status: &str) -> String {
    let style = match status {
        "solved" => GOOD,
        "limit-active" => WARN,
        _ => BAD,
    };
    format!("{style}{status}{style:#}")
}

/// Facts with their names, a line each.
pub(crate) fn facts(facts: &[[String; 2]]) -> Vec<String> {
    let rows: Vec<Vec<&str>> = facts.iter().map(|fact| fact.iter().map(String::as_str).collect()).collect();
    numbers::align_left(&rows).into_iter().map(|line| format!("{FAINT}{line}{FAINT:#}")).collect()
}
