//! Whose the rows of a log are, where one of its columns says so.

use super::leaf::{OnError, SetAside, Shard, stamp};
use super::store::Store;
use crate::host::Host;
use crate::mixed::Robots;
use crate::operations::identify::opened;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};

/// The robots that a log is of.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Named {
    /// Their names, in order.
    pub robots: Vec<String>,
    /// What of the log belongs to none, or why it cannot be read.
    pub set_aside: Option<SetAside>,
}

impl Shard {
    /// The robots of a log that a column names; `path` is where it lies. From the store, if that knows them.
    ///
    /// # Errors
    /// A run that is not wanted any more, a store that cannot be used, and damaged logs unless they are to be collected.
    pub fn named(
        &self,
        path: &str,
        store: Option<&Store>,
        on_error: OnError,
        host: &dyn Host,
    ) -> Result<Named, Problem> {
        let (column, stamp) =
            (self.column.clone().unwrap_or_default(), self.stamp.clone().or_else(|| stamp(path, host)));
        let aside = |problem: Problem, rows: u64| match on_error {
            OnError::Raise => Err(problem.file(&self.file)),
            OnError::Collect => Ok(SetAside::new(self, &problem, rows)),
        };
        let kept = store.and_then(|store| store.robots(self, stamp.as_deref(), host));
        let found = match kept {
            Some(robots) => robots,
            None => match opened::robots(path, &column, host) {
                Ok(robots) => robots,
                Err(problem) if host.is_cancelled() => return Err(problem),
                Err(problem) => return Ok(Named { set_aside: Some(aside(problem, 0)?), ..Named::default() }),
            },
        };
        if let Some(store) = store {
            store.keep_robots(self, stamp.as_deref(), &found, host)?;
        }
        let Robots { rows, unnamed } = found;
        let set_aside = unnamed.map(|(first, count)| {
            let message = format!("{count} rows, the first of them row {first}, have no name in column `{column}`");
            let problem = Problem::new("unnamed-robot", message).at(first, 1);
            aside(problem.hint("fill the column, or leave such rows out"), count)
        });
        Ok(Named { robots: rows.into_keys().collect(), set_aside: set_aside.transpose()? })
    }
}
