//! Numbers that are none. JSON has no NaN and writes null, which only the schema of a report tells from what may be missing.

#[path = "../../crates/jourdain-kit/tests/support/schema.rs"]
mod schema;

use jourdain::simulate::Trajectory;
use jourdain_kit::operation;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Schemas of reports that were made before, by operation.
static SCHEMAS: Mutex<BTreeMap<String, Arc<Value>>> = Mutex::new(BTreeMap::new());

/// What in a report is not as its schema says, a null for a number say.
pub fn faults(operation: &str, report: &Value) -> Vec<String> {
    let mut schemas = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || operation::find(operation).map_or(Value::Null, |entry| entry.schema()["report"].clone());
    let promise = schemas.entry(operation.to_owned()).or_insert_with(|| Arc::new(make())).clone();
    drop(schemas);
    schema::faults(report, &promise)
}

/// True if every number of every sample is one.
pub fn all_finite(trajectory: &Trajectory) -> bool {
    let lists = |k: usize| {
        let sample = &trajectory.samples[k];
        [&sample.q, &sample.qd, &sample.tau, &sample.reference, &sample.outputs, &sample.memory, &sample.own_momentum]
    };
    let mut samples = trajectory.samples.iter().enumerate();
    samples.all(|(k, sample)| {
        let scalars = [sample.t, sample.kinetic, sample.potential, sample.work];
        scalars.iter().chain(lists(k).into_iter().flatten()).all(|x| x.is_finite())
    })
}
