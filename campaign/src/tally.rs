//! What was compared and how far it was apart: counts, the worst error of each quantity by each witness with its seed, and what
//! was too far. Tallies of blocks are files, and add up.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The comparisons of one quantity with one witness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Worst {
    pub count: u64,
    pub error: f64,
    pub seed: u64,
    pub limit: f64,
}

/// A comparison that failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    pub seed: u64,
    pub what: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// How many there were of anything worth counting.
    pub counts: BTreeMap<String, u64>,
    /// By witness, by quantity.
    pub worst: BTreeMap<String, BTreeMap<String, Worst>>,
    pub failures: Vec<Failure>,
    /// Versions of other programs.
    pub versions: BTreeMap<String, String>,
}

impl Tally {
    pub fn count(&mut self, what: &str, how_many: u64) {
        *self.counts.entry(what.to_owned()).or_default() += how_many;
    }

    pub fn fail(&mut self, seed: u64, what: String) {
        self.failures.push(Failure { seed, what });
    }

    /// One comparison; too large an error is a failure, and so is one that is no number.
    pub fn compare(&mut self, witness: &str, quantity: &str, seed: u64, error: f64, limit: f64) {
        let quantities = self.worst.entry(witness.to_owned()).or_default();
        let worst = quantities.entry(quantity.to_owned()).or_insert(Worst { count: 0, error: 0.0, seed, limit });
        worst.count += 1;
        let error = if error.is_finite() { error } else { f64::MAX };
        if error > worst.error {
            (worst.error, worst.seed) = (error, seed);
        }
        if error > limit {
            self.fail(seed, format!("{quantity} by {witness}: error {error:.2e}, allowed is {limit:.0e}"));
        }
    }

    pub fn add(&mut self, other: Self) {
        other.counts.iter().for_each(|(what, count)| self.count(what, *count));
        for (witness, quantities) in other.worst {
            let here = self.worst.entry(witness).or_default();
            for (quantity, worst) in quantities {
                match here.get_mut(&quantity) {
                    None => drop(here.insert(quantity, worst)),
                    Some(known) => {
                        known.count += worst.count;
                        if worst.error > known.error {
                            (known.error, known.seed) = (worst.error, worst.seed);
                        }
                    }
                }
            }
        }
        self.failures.extend(other.failures);
        self.versions.extend(other.versions);
    }
}
