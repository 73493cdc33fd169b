//! Which factors are merged with which, once it is known what came of every log.

use super::leaf::{OnError, Outcome, SetAside};
use super::tree::Tree;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::convert::Infallible;

/// The contents that were met, so that none counts twice.
#[derive(Debug, Default)]
pub(super) struct Seen {
    files: HashMap<String, String>,
}

impl Seen {
    /// Sets a log aside whose content was met under another name; true if it counts.
    pub fn admit(&mut self, outcome: &mut Outcome, on_error: OnError) -> Result<bool, Problem> {
        let Some(content) = outcome.content.clone() else { return Ok(false) };
        let file = outcome.shard.file.clone();
        let Some(first) = self.files.get(&content) else {
            self.files.insert(content, file);
            return Ok(true);
        };
        let message = format!("its {} rows are there already: {first} has the same content", outcome.rows.read);
        let problem = Problem::new("same-samples", message).file(file).hint("take every log once");
        if on_error == OnError::Raise {
            return Err(problem);
        }
        outcome.put_aside(SetAside::new(&outcome.shard, &problem, outcome.rows.read));
        Ok(false)
    }
}

/// What is merged with what. A number below that of the logs is a log, any other a merge before.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Arrangement {
    /// Each merge makes one of these, in this order.
    pub merges: Vec<Vec<usize>>,
    /// The robots, and what all logs of each come to; none if all were set aside.
    pub robots: Vec<Merging>,
    /// What all robots come to.
    pub model: Option<usize>,
}

/// What the logs of a robot come to.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Merging {
    /// The robot.
    pub robot: String,
    /// Its log or merge.
    pub root: Option<usize>,
}

/// Arranges the merges of logs that are in the order of their plan; those whose content comes twice are set aside.
///
/// # Errors
/// A content that comes twice, unless faults are to be collected.
pub fn arrange(outcomes: &mut [Outcome], pool: bool, on_error: OnError) -> Result<Arrangement, Problem> {
    let (mut seen, mut merges) = (Seen::default(), Vec::new());
    let logs = outcomes.len();
    let mut merge = |group: Vec<usize>| {
        merges.push(group);
        Ok::<_, Infallible>(logs + merges.len() - 1)
    };
    let settled = |result: Result<Option<usize>, Infallible>| result.unwrap_or_default();
    let (mut robots, mut all) = (Vec::new(), Tree::default());
    let mut first = 0;
    while first < logs {
        let robot = outcomes[first].shard.robot.clone();
        let end = first + outcomes[first..].iter().take_while(|outcome| outcome.shard.robot == robot).count();
        let mut tree = Tree::default();
        for (at, outcome) in outcomes.iter_mut().enumerate().take(end).skip(first) {
            let counts = seen.admit(outcome, on_error)?;
            settled(tree.push(counts.then_some(at), &mut merge).map(|()| None));
        }
        let root = settled(tree.finish(&mut merge));
        robots.push(Merging { robot, root });
        first = end;
    }
    if pool {
        for merging in &robots {
            settled(all.push(merging.root, &mut merge).map(|()| None));
        }
    }
    let model = settled(all.finish(&mut merge));
    Ok(Arrangement { merges, robots, model })
}

#[cfg(test)]
mod tests {
    use super::super::leaf::Shard;
    use super::super::report::Rows;
    use super::*;

    fn outcome(robot: &str, file: &str, content: Option<&str>) -> Outcome {
        let (file, robot) = (file.to_owned(), robot.to_owned());
        let shard = Shard::new(file, robot, String::new());
        let rows = Rows { read: 10, used: 10, ..Rows::default() };
        Outcome { shard, content: content.map(str::to_owned), rows, was_stored: false, set_aside: None }
    }

    #[test]
    fn robots_are_merged_apart_and_then_together() {
        let mut all = [("a", "1"), ("a", "2"), ("b", "3"), ("c", "4"), ("c", "5")]
            .map(|(robot, content)| outcome(robot, content, Some(content)));
        let found = arrange(&mut all, true, OnError::Raise).unwrap();
        assert_eq!(found.merges, [vec![0, 1], vec![3, 4], vec![5, 2, 6]]);
        assert_eq!(found.robots.iter().map(|own| own.root).collect::<Vec<_>>(), [Some(5), Some(2), Some(6)]);
        assert_eq!(found.model, Some(7));
    }

    #[test]
    fn what_comes_twice_is_refused_or_set_aside_by_name() {
        let same = || [outcome("a", "x.csv", Some("1")), outcome("b", "y.csv", Some("1"))];
        let error = arrange(&mut same(), false, OnError::Raise).unwrap_err();
        assert_eq!(error.to_string(), "y.csv: its 10 rows are there already: x.csv has the same content");
        let mut all = same();
        let found = arrange(&mut all, false, OnError::Collect).unwrap();
        assert_eq!(found.robots[1].root, None);
        assert_eq!(all[1].set_aside.as_ref().unwrap().kind, "same-samples");
        assert_eq!((all[1].rows.set_aside, all[1].rows.used), (10, 0));
    }
}
