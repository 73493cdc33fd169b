//! Many targets at once.

use super::draw::{Quest, Reached};
use super::{All, Method, Point, Request};
use crate::host::Host;
use crate::problem::Problem;
use crate::text::numbers;
use crate::text::style::HEADING;
use jourdain::ik::{Batch, Solution, Solutions, Solver};
use jourdain::spatial::Pose;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Targets between two looks at whether the result is still wanted.
const BLOCK: usize = 512;

/// What was found for many targets.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Many {
    /// One per target, in their order.
    pub results: Vec<Each>,
    #[serde(skip)]
    robot: String,
    #[serde(skip)]
    link: String,
}

/// What was found for one of many targets.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Each {
    /// The one configuration.
    Best(Box<Point>),
    /// All stationary points.
    All(All),
}

impl Many {
    /// True if every target is solved.
    pub(super) fn is_success(&self) -> bool {
        self.results.iter().all(|each| match each {
            Each::Best(point) => point.is_success,
            Each::All(all) => !all.solutions.is_empty(),
        })
    }

    pub(super) fn to_text(&self) -> String {
        let Self { results, robot, link } = self;
        let mut lines = vec![format!(
            "{HEADING}{robot}{HEADING:#}, {link}: {} target{}",
            results.len(),
            if results.len() == 1 { "" } else { "s" }
        )];
        let mut rows = vec![["target", "status", "pose error", "q"].map(str::to_owned).to_vec()];
        for (index, each) in results.iter().enumerate() {
            let points = match each {
                Each::Best(point) => std::slice::from_ref(&**point),
                Each::All(all) => &all.solutions,
            };
            for point in points {
                let q: Vec<String> = point.q.iter().map(|x| format!("{x:.6}")).collect();
                let error = format!("{:.1e}", point.pose_error);
                rows.push(vec![index.to_string(), point.status.to_owned(), error, q.join("  ")]);
            }
            if points.is_empty() {
                rows.push(vec![index.to_string(), "none".to_owned(), "-".to_owned(), String::new()]);
            }
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
        lines.join("\n")
    }
}

impl Request {
    /// Solves for every target, on all cores where the method can.
    pub(super) fn many(
        &self,
        quest: &Quest<'_>,
        targets: &[Pose<f64>],
        start: Option<&[f64]>,
        host: &dyn Host,
    ) -> Result<Many, Problem> {
        let Quest { model, task, .. } = *quest;
        let setup = self.setup.inlined(host)?;
        let link = &model.links()[task.link].name;
        let done = AtomicUsize::new(0);
        let tell = || host.progress((1 + done.fetch_add(1, Ordering::Relaxed)) as f64 / targets.len() as f64);
        let best = |solution: &Solution| Each::Best(Box::new(Point::of(model, solution).placing(link)));
        let mut results = Vec::with_capacity(targets.len());
        if self.all || setup.method != Method::Newton {
            let mut solver = setup.solver(model, task, host)?;
            let mut arms: Vec<Reached> = Vec::new();
            for target in targets {
                if host.is_cancelled() {
                    return Err(Problem::cancelled());
                }
                if self.all {
                    let found = solver.solve_all(target, start)?;
                    results.push(Each::All(All::of(model, &found, link)));
                    arms.extend(found.iter().map(|solution| Reached::of(model, target, solution)));
                } else {
                    let found = setup.solve(&mut solver, target, start)?;
                    results.push(best(&found));
                    arms.push(Reached::of(model, target, &found));
                }
                tell();
            }
            self.draw(quest, arms, host)?;
        } else {
            let make = || -> Result<Solver<'_>, Problem> { setup.solver(model, task, host) };
            let (mut batch, mut found) = (Batch::new(make)?, Solutions::default());
            let mut arms: Vec<Reached> = Vec::new();
            for block in targets.chunks(BLOCK) {
                if host.is_cancelled() {
                    return Err(Problem::cancelled());
                }
                batch.solve_into(block, start, &mut found, tell)?;
                for (index, target) in block.iter().enumerate() {
                    let solution = found.solution(index);
                    results.push(best(&solution));
                    if self.plot.is_some() {
                        arms.push(Reached::of(model, target, &solution));
                    }
                }
            }
            self.draw(quest, arms, host)?;
        }
        Ok(Many { results, robot: model.name().to_owned(), link: link.clone() })
    }
}
