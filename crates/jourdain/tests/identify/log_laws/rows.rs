//! Tables of motions that are known, and what reading them gives.

use jourdain::formats::table::Table;
use jourdain::identify::log::{Options, Summary, read_table};
use jourdain::identify::{IdentifyError, Sample};
use jourdain::robots;
use std::ops::ControlFlow;

/// A sample that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub t: f64,
    pub q: Vec<f64>,
    pub qd: Vec<f64>,
    pub qdd: Vec<f64>,
    pub tau: Vec<f64>,
}

pub fn keep(sample: &Sample<'_>) -> Seen {
    let Sample { t, q, qd, qdd, tau, .. } = *sample;
    Seen { t, q: q.to_vec(), qd: qd.to_vec(), qdd: qdd.to_vec(), tau: tau.to_vec() }
}

pub fn read(robot: &str, table: &Table, options: &Options) -> Result<(Summary, Vec<Seen>), IdentifyError> {
    let mut seen = Vec::new();
    let go_on = |_| ControlFlow::Continue(());
    let model = robots::load(robot).unwrap();
    let summary = read_table(table, &model, options, go_on, |sample| seen.push(keep(sample)))?;
    Ok((summary, seen))
}

pub fn cutoff(hertz: f64) -> Options {
    Options { cutoff: Some(hertz), ..Options::default() }
}

/// Letters of a column, and its value at a row and a joint.
pub type Column<'a> = (&'a str, &'a dyn Fn(usize, usize) -> f64);

/// A table of columns `t`, `q1`, …, `tau1`, …: stamps, and per joint what functions of the row give for the letters.
pub fn table(stamps: &[f64], joints: usize, columns: &[Column<'_>]) -> Table {
    let mut all = vec![("t".to_owned(), stamps.to_vec())];
    for (letters, value) in columns {
        for j in 0..joints {
            all.push((format!("{letters}{}", j + 1), (0..stamps.len()).map(|i| value(i, j)).collect()));
        }
    }
    Table::new(all).unwrap()
}

pub fn near(found: &[f64], known: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), known.len(), "{what}");
    for (a, b) in found.iter().zip(known) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} instead of {b}");
    }
}
