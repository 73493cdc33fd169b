//! A motion to start from: what `excite` wrote, any trajectory in JSON, or samples.

use crate::host::Host;
use crate::operations::trajectory::motion_problem;
use crate::problem::Problem;
use crate::read::{self, What};
use jourdain::Model;
use jourdain::formats::table::{POSITIONS, read_series};
use jourdain::identify::excite::Series;
use jourdain::prescribed::PrescribedMotion;
use serde::Deserialize;
use std::path::Path;

const MOTION: What = What {
    name: "the motion to start from",
    option: "--from",
    hint: "a trajectory or knots in JSON, or samples in CSV",
};

/// Samples of a curve per harmonic.
const FINENESS: usize = 64;
/// Most samples that are taken of a table.
const MOST: usize = 100_000;

/// Knots, as `--spline` writes them.
#[derive(Deserialize)]
struct Knots {
    knots: Vec<Knot>,
}

#[derive(Deserialize)]
struct Knot {
    t: f64,
    position: Vec<f64>,
}

/// The series of each degree of freedom, and how long the motion takes, s.
pub(super) fn read(
    given: &str,
    harmonics: usize,
    model: &Model<f64>,
    host: &dyn Host,
) -> Result<(Vec<Series>, f64), Problem> {
    let bad = |message: String| Problem::new("bad-trajectory", message).file(given).hint(MOTION.hint);
    let is_csv = Path::new(given).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let (times, rows) = if let Some(table) = host.table(given) {
        let series = table.series(model, &[POSITIONS]).map_err(|error| bad(error.to_string()))?;
        (series.times, series.rows)
    } else {
        let text = read::given(given, MOTION, host)?;
        if is_csv {
            match read_series(&text.text, model, &[POSITIONS]).map_err(|error| bad(error.to_string()))? {
                Some(series) => (series.times, series.rows),
                None => return Err(bad("samples need a heading with t, q1, q2, …".to_owned())),
            }
        } else if let Ok(Knots { knots }) = serde_json::from_str(&text.text) {
            knots.into_iter().map(|knot| (knot.t, knot.position)).unzip()
        } else {
            let motion = PrescribedMotion::from_json(&text.text, model)
                .map_err(|error| motion_problem(&error, text.file.as_deref()))?;
            let count = FINENESS * harmonics;
            let times = motion.times(count + 1);
            let row = |t: &f64| motion.joints.iter().map(|curve| curve.derivative(0, *t)).collect();
            let rows = times.iter().map(row).collect();
            (times, rows)
        }
    };
    let rising = times.windows(2).all(|pair| pair[0] < pair[1]) && times.iter().all(|t| t.is_finite());
    if times.len() < 2 * harmonics + 2 || !rising {
        return Err(bad(format!("{} samples in time are too few, or do not rise in time", times.len())));
    }
    if rows.iter().any(|row| row.len() != model.nv() || row.iter().any(|x| !x.is_finite())) {
        return Err(bad(format!("every sample has {} positions, which are numbers", model.nv())));
    }
    let [start, end] = [times[0], times[times.len() - 1]];
    // At even times; samples that are at even times already are taken as they are.
    let count = (times.len() - 1).clamp(2 * harmonics + 1, MOST);
    let mut at = 0;
    let mut even: Vec<Vec<f64>> = vec![Vec::with_capacity(count); model.nv()];
    for i in 0..count {
        let t = start + (end - start) * i as f64 / count as f64;
        while at + 2 < times.len() && times[at + 1] <= t {
            at += 1;
        }
        let share = ((t - times[at]) / (times[at + 1] - times[at])).clamp(0.0, 1.0);
        for (j, column) in even.iter_mut().enumerate() {
            column.push(rows[at][j] + share * (rows[at + 1][j] - rows[at][j]));
        }
    }
    Ok((even.iter().map(|samples| Series::through(samples, harmonics)).collect(), end - start))
}
