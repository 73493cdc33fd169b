//! `fleet identify`: parameters of many robots from many logs, on the threads of this machine.

use super::arrange::Seen;
use super::estimate::{Condensed, Estimate, Pool, Pooling};
use super::leaf::{OnError, Outcome, Shard};
use super::logs::Logs;
use super::plan::Plan;
use super::pool::on_threads;
use super::recipe::Ready;
use super::report::Report;
use super::settings::Settings;
use super::tree::Tree;
use crate::clash::Outputs;
use crate::ending;
use crate::host::Host;
use crate::operation::Operation;
use crate::operations::identify::Reading;
use crate::problem::Problem;
use crate::{sheet, write};
use jourdain::identify::Factors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Logs per thread that are under way: more would only take memory.
const AHEAD: usize = 4;

/// Identify the robots of a fleet from many logs
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(
        after_help = "LOGS are CSV, Parquet or MCAP files as for `jourdain identify`, or folders of them; the folder that a log lies in names \
                      its robot, unless --pattern or --column says otherwise. With --store every log is read once: a run that was interrupted goes on \
                      where it was, and without LOGS all that the store has is taken.\n\nAll logs are read alike; a cut-off that is \
                      not given is that of the first log. The result does not depend on the number of threads, to the last bit. Outliers \
                      are not looked for."
    )
)]
pub struct Request {
    /// Which logs
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub logs: Logs,

    /// What robots have in common
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub pooling: Pooling,

    /// How logs are read, and what is unknown
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub settings: Settings,

    /// Threads to work on; as many as there are processors if it is not given. The result is the same
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<usize>,

    /// Write what is kept of every robot's data into this folder, for `jourdain identify --merge`
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FOLDER"))]
    pub factors: Option<PathBuf>,

    /// Write the parameters of all robots as a table
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE.csv|parquet"))]
    pub table: Option<PathBuf>,
}

impl Operation for Request {
    const NAME: &'static str = "fleet identify";
    type Report = Report;

    fn outputs(&self) -> Outputs<'_> {
        vec![("table", self.table.as_deref())]
    }

    fn run(&self, host: &dyn Host) -> Result<Report, Problem> {
        ending::check([(&ending::TABLE, self.table.as_deref())])?;
        let threads = Reading { threads: self.threads, ..Reading::default() };
        threads.check()?;
        let threads = threads.threads();
        let plan = self.plan(host)?.complete(self.logs.on_error, threads, host)?;
        let ready = Ready::new(plan.recipe.clone())?;
        let mut run = Run { request: self, ready: &ready, seen: Seen::default(), solved: Solved::default(), host };
        let outcomes = leaves(&ready, &plan, self.logs.on_error, threads, host, |shard, factors, outcome| {
            run.take(shard, factors, outcome)
        })?;
        let estimates = run.finish()?;
        let mut report = Report::new(&plan, &outcomes, estimates);
        if let Some(path) = &self.table {
            self.write_table(path, &ready, &report, host)?;
            report.files.push(path.display().to_string());
        }
        report.files.extend(self.factors.iter().map(|path| path.display().to_string()));
        Ok(report)
    }
}

impl Request {
    /// The run that is asked for, before the first log was looked into.
    ///
    /// # Errors
    /// A robot, logs, settings or a store that cannot be.
    pub fn plan(&self, host: &dyn Host) -> Result<Plan, Problem> {
        self.pooling.check()?;
        Plan::new(&self.logs, &self.settings, host)
    }

    fn write_table(&self, path: &Path, ready: &Ready, report: &Report, host: &dyn Host) -> Result<(), Problem> {
        let names = ready.names();
        let columns = names.iter().cloned().chain(names.iter().map(|name| format!("{name}_deviation"))).collect();
        let mut values = Vec::new();
        for robot in &report.robots {
            let find = |name: &String| robot.parameters.iter().find(|own| own.name == *name);
            values.extend(names.iter().map(|name| find(name).map_or(f64::NAN, |own| own.value)));
            values.extend(names.iter().map(|name| find(name).map_or(f64::NAN, |own| own.deviation)));
        }
        let words: Vec<&str> = report.robots.iter().map(|robot| robot.robot.as_str()).collect();
        sheet::counted(path, "number", columns, &values, Some(("robot", &words)), words.len(), host)
    }
}

/// What was solved so far.
#[derive(Default)]
struct Solved {
    /// The robot whose logs come, and what they came to.
    current: Option<(String, Tree<Factors>)>,
    estimates: Vec<Estimate>,
    condensed: Vec<(String, Condensed)>,
    all: Tree<Factors>,
}

/// A run on this machine: takes in logs in their order, and solves a robot when its last one was there.
struct Run<'a> {
    request: &'a Request,
    ready: &'a Ready,
    seen: Seen,
    solved: Solved,
    host: &'a dyn Host,
}

impl Run<'_> {
    fn take(&mut self, shard: &Shard, factors: Option<Factors>, outcome: &mut Outcome) -> Result<(), Problem> {
        let counts = self.seen.admit(outcome, self.request.logs.on_error)?;
        if self.solved.current.as_ref().is_some_and(|(robot, _)| *robot != shard.robot) {
            self.close()?;
        }
        let (_, tree) = self.solved.current.get_or_insert_with(|| (shard.robot.clone(), Tree::default()));
        tree.push(factors.filter(|_| counts), &mut |parts| self.ready.merge(parts))
    }

    /// Solves the robot whose logs were all there.
    fn close(&mut self) -> Result<(), Problem> {
        let Some((robot, tree)) = self.solved.current.take() else { return Ok(()) };
        let ready = self.ready;
        let factors = tree.finish(&mut |parts| ready.merge(parts))?;
        if let (Some(folder), Some(factors)) = (&self.request.factors, &factors) {
            write::folder(folder, self.host)?;
            write::bytes(&folder.join(format!("{robot}.jdf")), &factors.to_bytes(), self.host)?;
        }
        let pooling = &self.request.pooling;
        match (pooling.pool, factors) {
            (Pool::Model, factors) if !pooling.is_mixed() => {
                return self.solved.all.push(factors, &mut |parts| ready.merge(parts));
            }
            (_, None) => self.solved.estimates.push(Estimate::without_logs(&robot)),
            (Pool::None, Some(factors)) => {
                self.solved.estimates.push(ready.estimate(&robot, &factors, self.request.logs.on_error)?);
            }
            (Pool::Model, Some(factors)) => {
                let condensed = ready.condense(&robot, &factors);
                self.solved.condensed.push((robot, condensed));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Estimate>, Problem> {
        self.close()?;
        let Self { request, ready, solved: Solved { mut estimates, condensed, all, .. }, .. } = self;
        if request.pooling.is_mixed() {
            estimates.extend(ready.pooled(condensed, &request.pooling)?);
            estimates.sort_by(|a, b| a.robot.cmp(&b.robot));
        } else if request.pooling.pool == Pool::Model {
            let model = &ready.recipe.name;
            let factors = all.finish(&mut |parts| ready.merge(parts))?;
            estimates.push(match factors {
                Some(factors) => ready.estimate(model, &factors, request.logs.on_error)?,
                None => Estimate::without_logs(model),
            });
        }
        Ok(estimates)
    }
}

/// Reads all logs, several at a time, and gives them to `take` in their order.
pub(super) fn leaves(
    ready: &Ready,
    plan: &Plan,
    on_error: OnError,
    threads: usize,
    host: &dyn Host,
    mut take: impl FnMut(&Shard, Option<Factors>, &mut Outcome) -> Result<(), Problem>,
) -> Result<Vec<Outcome>, Problem> {
    let store = plan.opened_store();
    let mut outcomes = Vec::with_capacity(plan.shards.len());
    let read = |shard: &Shard| ready.leaf(shard, &shard.file, store.as_ref(), on_error, host);
    for group in plan.shards.chunks((AHEAD * threads).max(1)) {
        let leaves = on_threads(threads, group, read);
        for (shard, leaf) in group.iter().zip(leaves) {
            let (factors, mut outcome) = leaf?;
            take(shard, factors, &mut outcome)?;
            outcomes.push(outcome);
        }
        host.progress(outcomes.len() as f64 / plan.shards.len() as f64);
    }
    Ok(outcomes)
}
