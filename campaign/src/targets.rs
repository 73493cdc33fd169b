//! Random inverse kinematics against brute force: planar arms of three joints with random lengths reach for a random point, and
//! all extrema of the manipulability over their self-motion are to be those that a walk along it finds, no more and no fewer.

use crate::common::planar_arm::brute_force_extrema;
use crate::common::random_tree::Random;
use crate::stage::{Setup, Worker};
use crate::tally::Tally;
use jourdain::formats::{self, Format};
use jourdain::ik::criterion::Manipulability;
use jourdain::ik::{Options, Solver, Task};
use jourdain::spatial::{Pose, Vector};
use jourdain::{Model, kinematics};
use std::fmt::Write as _;

/// Of −log w, absolute or relative: what steps along the self-motion leave open.
const LIMIT: f64 = 1e-4;

/// Steps of a walk around the self-motion: enough for most, and for those near whose extrema the walk turns back.
const STEPS: [usize; 2] = [40_000, 4_000_000];

fn arm(lengths: [f64; 3]) -> Result<Model, String> {
    let mut text = "name = \"planar\"\n".to_owned();
    let places = [0.0, lengths[0], lengths[1], lengths[2]];
    for (i, y) in places.iter().enumerate() {
        let parent = if i == 0 { "base".to_owned() } else { format!("link{}", i - 1) };
        let joint = if i == 3 { "type = \"fixed\"" } else { "type = \"revolute\", axis = [0, 0, -1]" };
        write!(
            text,
            "[[link]]\nname = \"link{i}\"\nparent = \"{parent}\"\nmass = 1.0\ninertia = [1, 0, 0, 1, 0, 1]\n\
             origin = {{ xyz = [0.0, {y:?}, 0.0] }}\njoint = {{ {joint} }}\n"
        )
        .map_err(|error| error.to_string())?;
    }
    let reading = formats::read_str(&text, Format::Toml);
    reading.description.map(Model::from).ok_or_else(|| format!("{:?}", reading.diagnostics))
}

fn of_target(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(0x1c00_0000 + seed);
    let lengths: [f64; 3] = std::array::from_fn(|_| random.range(0.2, 1.0));
    let model = arm(lengths)?;
    let most: f64 = lengths.iter().sum();
    // The annulus that is reached; near its edges the self-motion shrinks to a point.
    let least = (2.0 * lengths.iter().fold(0.0_f64, |a, b| a.max(*b)) - most).max(0.0);
    let (radius, angle) =
        (random.range(least + 0.03 * (most - least), most - 0.03 * (most - least)), random.range(-3.0, 3.0));
    let (x, y) = (radius * f64::cos(angle), radius * f64::sin(angle));
    let tool = model.links().len() - 1;
    let options = Options { limits: false, ..Options::default() };
    let mut solver = Solver::new(&model, Task::position_xy(tool), Box::new(Manipulability::default()), options)
        .map_err(|error| error.to_string())?;
    let target = Pose::translation(Vector([x, y, 0.0]));
    let found = solver.solve_all(&target, None).map_err(|error| error.to_string())?;
    tally.count("targets", 1);
    for solution in &found {
        let at = kinematics::pose(&model, &solution.q, tool).translation.0;
        tally.compare("forward kinematics", "position reached, m", seed, (at[0] - x).hypot(at[1] - y), 1e-9);
    }
    let mut values: Vec<f64> = found.iter().map(|found| found.report.criterion).collect();
    values.sort_by(f64::total_cmp);
    let mut walked = apart(&values, lengths, [x, y], STEPS[0]);
    if walked.missing > 0 || walked.error > LIMIT {
        walked = apart(&values, lengths, [x, y], STEPS[1]);
    }
    tally.count("extrema", values.len() as u64);
    tally.compare("brute force", "number of extrema", seed, walked.missing as f64, 0.0);
    tally.compare("brute force", "values at the extrema", seed, walked.error, LIMIT);
    Ok(())
}

/// How far extrema are from those of a walk.
struct Apart {
    /// How many one has more than the other.
    missing: usize,
    error: f64,
}

fn apart(values: &[f64], lengths: [f64; 3], [x, y]: [f64; 2], steps: usize) -> Apart {
    let mut expected = brute_force_extrema(lengths, x, y, steps);
    expected.sort_by(f64::total_cmp);
    let apart = |(a, b): (&f64, &f64)| (a - b).abs() / (1.0 + b.abs());
    let error = values.iter().zip(&expected).map(apart).fold(0.0, f64::max);
    Apart { missing: values.len().abs_diff(expected.len()), error }
}

pub fn worker(_: &Setup) -> Result<Worker, String> {
    Ok(Box::new(|seed, tally| {
        if let Err(problem) = of_target(seed, tally) {
            tally.fail(seed, problem);
        }
    }))
}
