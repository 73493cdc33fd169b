//! The steps of a fleet, for engines that schedule them: pure functions from texts and bytes to texts and bytes.
//!
//! What a step is, the kit says; texts are its types as JSON.

use crate::error;
use crate::host::{Given, Interpreter};
use jourdain::identify::Factors;
use jourdain_kit::host::Host;
use jourdain_kit::operation::Report as _;
use jourdain_kit::operations::fleet::{
    Arrangement, Condensed, Estimate, Named, OnError, Outcome, Plan, Pool, Pooling, Ready, Report, Shard, Store,
    arrange, identify,
};
use jourdain_kit::problem::Problem;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Arc;

/// A text as what it stands for.
fn parsed<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(error::bad_request)
}

fn text(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(error::bad_request)
}

/// Does some work without holding the interpreter.
fn apart<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Host) -> Result<T, Problem> + Send + 'static,
) -> PyResult<T> {
    let (result, _) = Interpreter::new(Given::default()).run(py, move |host| work(host))?;
    result.map_err(|problem| error::raise(py, &problem))
}

/// The run that a request of `fleet identify` asks for, before a log was looked into.
#[pyfunction]
pub fn fleet_plan(py: Python<'_>, request: &str) -> PyResult<String> {
    let request: identify::Request = parsed(request)?;
    let plan = apart(py, move |host| request.plan(host))?;
    text(&plan)
}

/// The robots of a log that lies at `path` and has a column that names them.
#[pyfunction]
pub fn fleet_named(
    py: Python<'_>,
    shard: &str,
    path: String,
    store: Option<String>,
    on_error: &str,
) -> PyResult<String> {
    let (shard, on_error): (Shard, OnError) = (parsed(shard)?, parsed(on_error)?);
    let store = store.map(|folder| Store::at(Path::new(&folder)));
    let named = apart(py, move |host| shard.named(&path, store.as_ref(), on_error, host))?;
    text(&named)
}

/// A plan with the rows of each robot in the place of logs of several; `found` has what was named in those whose robot is empty, in their order.
#[pyfunction]
pub fn fleet_split(py: Python<'_>, plan: &str, found: &str) -> PyResult<String> {
    let (mut plan, found): (Plan, Vec<Named>) = (parsed(plan)?, parsed(found)?);
    plan.split(found).map_err(|problem| error::raise(py, &problem))?;
    text(&plan)
}

/// A plan with what the log that lies at `path` asks for, if it is to be asked: that of this number, or as the store has it.
#[pyfunction]
pub fn fleet_choose(py: Python<'_>, plan: &str, shard: usize, path: String) -> PyResult<String> {
    let mut plan: Plan = parsed(plan)?;
    let all = std::mem::take(&mut plan.shards);
    plan.shards = all.get(shard).cloned().into_iter().collect();
    let mut chosen = apart(py, move |host| plan.choose(|_| Ok(path.clone()), host).map(|()| plan))?;
    chosen.shards = all;
    text(&chosen)
}

/// What is merged with what, and what came of every log then.
#[pyfunction]
pub fn fleet_arrange(py: Python<'_>, outcomes: &str, pooling: &str, on_error: &str) -> PyResult<(String, String)> {
    let (mut outcomes, pooling): (Vec<Outcome>, Pooling) = (parsed(outcomes)?, parsed(pooling)?);
    let (on_error, pool) = (parsed::<OnError>(on_error)?, pooling.pool == Pool::Model && !pooling.is_mixed());
    let found: Arrangement = arrange(&mut outcomes, pool, on_error).map_err(|problem| error::raise(py, &problem))?;
    Ok((text(&found)?, text(&outcomes)?))
}

/// The report of a run, as JSON and as people read it.
#[pyfunction]
pub fn fleet_report(plan: &str, outcomes: &str, estimates: &str) -> PyResult<(String, String)> {
    let (plan, outcomes, estimates): (Plan, Vec<Outcome>, Vec<Estimate>) =
        (parsed(plan)?, parsed(outcomes)?, parsed(estimates)?);
    let report = Report::new(&plan, &outcomes, estimates);
    Ok((text(&report)?, report.text()))
}

/// A recipe that was read: what a worker needs for every step.
#[pyclass(frozen, module = "jourdain._jourdain")]
pub struct Fleet {
    ready: Arc<Ready>,
}

#[pymethods]
impl Fleet {
    #[new]
    fn new(py: Python<'_>, recipe: &str) -> PyResult<Self> {
        let ready = Ready::new(parsed(recipe)?).map_err(|problem| error::raise(py, &problem))?;
        Ok(Self { ready: Arc::new(ready) })
    }

    /// The names of the unknowns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.ready.names().to_vec()
    }

    /// The factors of a log, `None` if it was set aside, and what became of it.
    fn leaf<'py>(
        &self,
        py: Python<'py>,
        shard: &str,
        path: String,
        store: Option<String>,
        on_error: &str,
    ) -> PyResult<(Option<Bound<'py, PyBytes>>, String)> {
        let (shard, on_error): (Shard, OnError) = (parsed(shard)?, parsed(on_error)?);
        let (ready, store) = (Arc::clone(&self.ready), store.map(|folder| Store::at(Path::new(&folder))));
        let (factors, outcome) = apart(py, move |host| {
            let (factors, outcome) = ready.leaf(&shard, &path, store.as_ref(), on_error, host)?;
            Ok((factors.map(|factors| factors.to_bytes()), outcome))
        })?;
        Ok((factors.map(|bytes| PyBytes::new(py, &bytes)), text(&outcome)?))
    }

    /// The same from the store alone; `None` if it does not have it as it is now.
    fn stored<'py>(
        &self,
        py: Python<'py>,
        shard: &str,
        store: String,
    ) -> PyResult<Option<(Bound<'py, PyBytes>, String)>> {
        let shard: Shard = parsed(shard)?;
        let ready = Arc::clone(&self.ready);
        let found = apart(py, move |host| {
            let store = Store::at(Path::new(&store));
            let found = ready.stored(&shard, shard.stamp.as_deref(), Some(&store), host)?;
            Ok(found.map(|(factors, outcome)| (factors.to_bytes(), outcome)))
        })?;
        found.map(|(bytes, outcome)| Ok((PyBytes::new(py, &bytes), text(&outcome)?))).transpose()
    }

    /// One set of factors out of several, in their order.
    fn merge<'py>(&self, py: Python<'py>, parts: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
        let ready = Arc::clone(&self.ready);
        let bytes = apart(py, move |_| Ok(ready.merge(factors(&parts)?)?.to_bytes()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The parameters of merged factors.
    fn estimate(&self, py: Python<'_>, robot: String, parts: Vec<u8>, on_error: &str) -> PyResult<String> {
        let on_error: OnError = parsed(on_error)?;
        let ready = Arc::clone(&self.ready);
        let found = apart(py, move |_| ready.estimate(&robot, &Factors::from_bytes(&parts)?, on_error))?;
        text(&found)
    }

    /// The entry of a robot all of whose logs were set aside.
    #[staticmethod]
    fn without_logs(robot: &str) -> PyResult<String> {
        text(&Estimate::without_logs(robot))
    }

    /// A robot as a pool needs it: its factors without stretches of time, and how many samples of each joint count as one.
    fn condense<'py>(
        &self,
        py: Python<'py>,
        robot: String,
        parts: Vec<u8>,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<f64>)> {
        let ready = Arc::clone(&self.ready);
        let found = apart(py, move |_| Ok(ready.condense(&robot, &Factors::from_bytes(&parts)?)))?;
        Ok((PyBytes::new(py, &found.factors), found.alike))
    }

    /// The parameters of robots that share all but what is each robot's own.
    fn pooled(&self, py: Python<'_>, robots: Vec<(String, Vec<u8>, Vec<f64>)>, pooling: &str) -> PyResult<String> {
        let pooling: Pooling = parsed(pooling)?;
        let ready = Arc::clone(&self.ready);
        let robots = robots.into_iter().map(|(robot, factors, alike)| (robot, Condensed { factors, alike })).collect();
        let found = apart(py, move |_| ready.pooled(robots, &pooling))?;
        text(&found)
    }
}

/// Factors out of bytes.
fn factors(parts: &[Vec<u8>]) -> Result<Vec<Factors>, Problem> {
    Ok(parts.iter().map(|bytes| Factors::from_bytes(bytes)).collect::<Result<Vec<_>, _>>()?)
}
