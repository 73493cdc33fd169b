//! Drives with hysteresis, offsets and coupled motors: found, kept over shards, and held by files as well as they can.

use crate::logs::{Derivatives, Random, Run, heading, line};
use jourdain::identify::log::{self, Options, Summary};
use jourdain::identify::{
    Accumulator, Coordinates, Drives, Factors, Hysteresis, IdentifyError, PRIOR_WEIGHT, Problem, consistent,
    consistent_robot, refit_friction, solve, study,
};
use jourdain::{Model, robots};

fn accumulate(problem: &Problem, text: &str, options: &Options) -> Result<(Factors, Summary), IdentifyError> {
    let mut accumulator = Accumulator::new(problem);
    let summary = log::read(text.as_bytes(), problem.model(), options, |sample| accumulator.add(sample))?;
    Ok((accumulator.finish(), summary))
}

/// A log without derivatives, of drives with hysteresis, an offset and a second motor that turns with both joints.
fn with_hysteresis(model: &Model<f64>, coordinates: &Coordinates, rows: usize, seed: u64) -> String {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let mut hysteresis = Hysteresis::new(coordinates.clone());
    let mut text = heading(model.nv(), Derivatives::None);
    for i in 0..rows {
        let t = 0.005 * i as f64;
        run.at(t);
        hysteresis.advance(&run.q);
        for (k, z) in hysteresis.elements().chunks_exact(3).enumerate() {
            for j in 0..2 {
                run.tau[j] += coordinates.row(k)[j] * (0.4 * z[0] + 0.8 * z[2]);
            }
        }
        run.tau[1] += 0.15;
        line(&mut text, t, &run, Derivatives::None, [1e-6, 0.02], &mut random);
    }
    text
}

#[test]
fn hysteresis_offsets_and_coupled_motors_are_found_and_files_hold_the_best_friction_they_can() {
    let model = robots::load("planar2r").unwrap();
    let coordinates = Coordinates::coupled(2, &[vec![1.0, 0.0], vec![-1.0, 1.0]]).unwrap();
    assert_eq!(coordinates.row(2), [1.0, 1.0]);
    let text = with_hysteresis(&model, &coordinates, 8000, 4);
    let drives = |coulomb: bool| Drives { armature: true, viscous: true, coulomb };
    let bare = Problem::new(&model, drives(false)).unwrap().with_terms(&coordinates, None);
    let found =
        study(&bare, &Options::default(), None, |options, take| log::read(text.as_bytes(), &model, options, take));
    let found = found.unwrap();
    assert!(found.chosen && found.delay.abs() < 1e-3, "{found:?}");

    let wide = Problem::new(&model, drives(true)).unwrap();
    let load: Vec<f64> = found.load.iter().copied().chain([0.0; 2]).collect();
    let wide = wide.with_terms(&coordinates, Some(&load));
    let options = Options { cutoff: found.cutoff, coordinates: Some(coordinates.clone()), ..Options::default() };
    let (factors, _) = accumulate(&wide, &text, &options).unwrap();
    let full = Problem::new(&model, drives(false)).unwrap().with_terms(&coordinates, Some(&found.load));
    let of_full = factors.select(&wide, &full).unwrap();
    let estimate = consistent(&full, &of_full, PRIOR_WEIGHT).unwrap();
    for (fit, joint) in estimate.joints.iter().zip(["first", "second"]) {
        assert!(fit.residual < 0.03, "{joint} joint: {}", fit.residual);
    }
    let value = |name: &str| estimate.values[full.names().iter().position(|own| own == name).unwrap()];
    assert!((value("Fo2") - 0.15).abs() < 0.05, "{}", value("Fo2"));
    let strength = value("Fh1+2a") + value("Fh1+2b") + value("Fh1+2c");
    assert!((strength - 1.2).abs() < 0.15, "{strength}");

    // Selected columns are those that would have been accumulated alone.
    let simple = Problem::new(&model, Drives::default()).unwrap();
    let alone = accumulate(&simple, &text, &options).unwrap().0;
    let (a, b) = (solve(&simple, &factors.select(&wide, &simple).unwrap()).unwrap(), solve(&simple, &alone).unwrap());
    for ((a, b), name) in a.values.iter().zip(&b.values).zip(simple.names()) {
        assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{name}: {a} and {b}");
    }
    let file = Problem::new(&model, drives(true)).unwrap();
    let written = refit_friction(&file, &factors.select(&wide, &file).unwrap(), &estimate).unwrap();
    for (own, best) in written.joints.iter().zip(&estimate.joints) {
        assert!(own.residual > best.residual && own.relative() < 0.2, "{} and {}", own.residual, best.residual);
    }
    assert!(!consistent_robot(&file, &written).allow_unphysical);

    // Parts are led up to, so that hysteresis is what it is in the whole; a file keeps what its columns were made with.
    let mut merged = Factors::new(&wide);
    for rows in [0..3100, 3100..8000] {
        let part = accumulate(&wide, &text, &Options { rows: Some(rows), ..options.clone() }).unwrap().0;
        merged.merge(&Factors::from_json(&part.to_json()).unwrap()).unwrap();
    }
    assert_eq!(merged.samples, factors.samples);
    let again = consistent(&full, &merged.select(&wide, &full).unwrap(), PRIOR_WEIGHT).unwrap();
    for ((a, b), name) in estimate.values.iter().zip(&again.values).zip(full.names()) {
        assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "{name}: {a} and {b}");
    }
    let other = wide.clone().with_terms(&coordinates, Some(&vec![1.0; load.len()]));
    assert_eq!(merged.merge(&Factors::new(&other)).unwrap_err().kind(), "other-drives");
}
