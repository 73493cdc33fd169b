//! Which mutants the tests notice.
//!
//! A mutant meets the tests that reach it, in an order in which quick ones and those that have killed before come first, several in one
//! process, until one fails or the time for it is used up.

use crate::Failure;
use crate::build::Program;
use crate::trial::{End, Stand, Test};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// A test failed, or took too long.
    Killed(String),
    /// All tests that were tried passed.
    Survived,
    /// No test comes there.
    NotReached,
}

/// Tests, and how often each has killed.
pub struct Jury<'a> {
    stand: &'a Stand,
    programs: &'a [Program],
    tests: &'a [Test],
    kills: Vec<AtomicU32>,
}

impl<'a> Jury<'a> {
    /// These tests, none of which has killed yet.
    pub fn new(stand: &'a Stand, programs: &'a [Program], tests: &'a [Test]) -> Self {
        Self { stand, programs, tests, kills: tests.iter().map(|_| AtomicU32::new(0)).collect() }
    }

    /// What becomes of the mutant `number` within so many seconds of tests.
    pub fn judge(&self, number: usize, budget: f64) -> Result<Fate, Failure> {
        let mut order: Vec<usize> =
            (0..self.tests.len()).filter(|&t| self.tests[t].reached.contains(&number)).collect();
        if order.is_empty() {
            return Ok(Fate::NotReached);
        }
        let cost = |t: usize| self.tests[t].seconds / f64::from(1 + self.kills[t].load(Relaxed));
        let mut keyed: Vec<(f64, usize)> = order.drain(..).map(|t| (cost(t), t)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut rest = keyed.into_iter().map(|(_, t)| t).peekable();
        let (mut spent, mut portion) = (0.0, 0.1);
        while rest.peek().is_some() && spent < budget {
            let (mut together, mut chunk) = (0.0, BTreeMap::<usize, Vec<usize>>::new());
            while let Some(&t) = rest.peek()
                && (together == 0.0 || together + self.tests[t].seconds <= portion)
            {
                together += self.tests[t].seconds;
                chunk.entry(self.tests[t].program).or_default().push(t);
                rest.next();
            }
            let mut groups: Vec<_> = chunk.into_iter().collect();
            groups
                .sort_by_key(|(_, group)| std::cmp::Reverse(group.iter().map(|&t| self.kills[t].load(Relaxed)).max()));
            for (program, group) in groups {
                if let Some(killer) = self.try_group(number, program, &group)? {
                    return Ok(Fate::Killed(killer));
                }
            }
            spent += together;
            portion = (2.0 * portion).min(5.0);
        }
        Ok(Fate::Survived)
    }

    fn try_group(&self, number: usize, program: usize, group: &[usize]) -> Result<Option<String>, Failure> {
        let names: Vec<&str> = group.iter().map(|&t| self.tests[t].name.as_str()).collect();
        let usual: f64 = group.iter().map(|&t| self.tests[t].seconds).sum();
        let limit = Duration::from_secs_f64(6.0 * usual + 2.0);
        let program = &self.programs[program];
        Ok(match self.stand.run(program, &names, &number.to_string(), limit)?.0 {
            End::Passed => None,
            End::Late => Some(format!("{}: too slow", program.name)),
            End::Failed(failed) => {
                for &t in group.iter().filter(|&&t| failed.contains(&self.tests[t].name)) {
                    self.kills[t].fetch_add(1, Relaxed);
                }
                Some(format!("{}::{}", program.name, failed.first().map_or(names[0], String::as_str)))
            }
        })
    }
}

/// Runs `work` over `0..count` with `jobs` threads; results in order, the first failure ends all.
pub fn spread<T: Send>(
    jobs: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let next = Mutex::new(0..count);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let Some(index) = next.lock().ok().and_then(|mut next| next.next()) else { return };
                    let result = work(index).map_err(|error| error.to_string());
                    let failed = result.is_err();
                    if let Ok(mut results) = results.lock() {
                        results.push((index, result));
                    }
                    if failed && let Ok(mut next) = next.lock() {
                        *next = count..count;
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().map_err(|_| "a thread panicked")?;
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result.map_err(Failure::from)).collect()
}
