//! Drive gains from simulated currents: by a load of known mass, or by links of known mass.

use crate::logs::{Random, Run, with_friction};
use jourdain::identify::{Accumulator, Drives, Factors, Gains, PRIOR_WEIGHT, Problem, Recorded, Sample, Scale, gains};
use jourdain::model::{Edit, Payload};
use jourdain::{Model, robots};

const ALL: Drives = Drives { armature: true, viscous: true, coulomb: true };
/// N m/A of the drives; one turns the other way round.
const GAINS: [f64; 6] = [11.6, 12.2, 10.1, -10.3, 7.1, 3.2];
const MASS: f64 = 2.805;

fn loaded(model: &Model<f64>) -> Model<f64> {
    let payload = Payload::point(MASS.into(), [0.03.into(), 0.15.into(), 0.16.into()]);
    let link = model.links().last().unwrap().name.clone();
    let description = model.description().clone().edit(&[Edit::Payload { link, payload }]).unwrap().description;
    Model::from_description(&description).unwrap()
}

/// Factors of currents with noise, in amperes.
fn currents(problem: &Problem, model: &Model<f64>, noise: f64, seed: u64) -> Factors {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let mut accumulator = Accumulator::new(problem);
    for i in 0..2000 {
        let t = 0.02 * f64::from(i);
        run.at(t);
        let tau: Vec<f64> = run.tau.iter().zip(GAINS).map(|(tau, gain)| tau / gain + noise * random.normal()).collect();
        accumulator.add(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
    }
    accumulator.finish()
}

fn check(found: &Gains, share: f64, what: &str) {
    for (j, (gain, exact)) in found.gains.iter().zip(GAINS).enumerate() {
        let off = (gain.value - exact).abs();
        // The wrist carries next to nothing: friction is all that its currents show, and friction has no scale.
        let share = if j < 3 { share } else { 4.0 * share };
        let line = format!("{what}, joint {j}: {} ± {} instead of {exact}", gain.value, gain.deviation);
        assert!(off < share * exact.abs() && gain.deviation < share * exact.abs(), "{line}");
        assert!(off < 4.0 * gain.deviation, "{line}");
    }
}

/// The robot file weighs a fifth too much: the scale is from the load alone.
#[test]
fn a_load_of_known_mass_gives_the_gains_of_all_drives() {
    let model = with_friction("puma560");
    let heavier = Edit::ScaleInertia { link: None, factor: 1.2.into() };
    let wrong = model.description().clone().edit(&[heavier]).unwrap().description;
    let problem = Problem::new(&Model::from_description(&wrong).unwrap(), ALL).unwrap();
    let full = currents(&problem, &loaded(&model), 2e-3, 1);
    let empty = currents(&problem, &model, 2e-3, 2);
    let [full, empty] = [&full, &empty].map(|factors| Recorded { problem: &problem, factors });
    let link = model.links().len() - 1;
    let found = gains(Scale::Payload { link, mass: MASS }, full, Some(empty), PRIOR_WEIGHT).unwrap();
    check(&found, 0.05, "load");
    let payload = found.payload.unwrap();
    assert!((payload[0] - MASS).abs() < 1e-3 * MASS, "{payload:?}");
    assert!((payload[2] / payload[0] - 0.15).abs() < 0.01, "{payload:?}");
    // Twice the mass is twice the gains: it is the mass that sets the scale.
    let twice = gains(Scale::Payload { link, mass: 2.0 * MASS }, full, Some(empty), PRIOR_WEIGHT).unwrap();
    for (twice, once) in twice.gains.iter().zip(&found.gains) {
        assert!((twice.value / once.value - 2.0).abs() < 0.05, "{} and {}", twice.value, once.value);
    }
}

#[test]
fn links_of_known_mass_give_the_gains_too() {
    let model = with_friction("puma560");
    let problem = Problem::new(&model, ALL).unwrap();
    let factors = currents(&problem, &model, 2e-4, 3);
    let recorded = Recorded { problem: &problem, factors: &factors };
    let mass: f64 = model.description().links.iter().map(|link| link.mass.value).sum();
    let found = gains(Scale::Robot { mass }, recorded, None, PRIOR_WEIGHT).unwrap();
    check(&found, 0.05, "links");
    assert!(found.payload.is_none());
}

#[test]
fn what_sets_no_scale_is_refused() {
    let model = robots::load("puma560").unwrap();
    let problem = Problem::new(&model, ALL).unwrap();
    let factors = currents(&problem, &model, 0.0, 1);
    let recorded = Recorded { problem: &problem, factors: &factors };
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(gains(Scale::Robot { mass }, recorded, None, PRIOR_WEIGHT).is_err());
    }
    // Rotors of the file are torques, which currents are not.
    let known = Problem::new(&model, Drives { armature: false, ..ALL }).unwrap();
    let factors = currents(&known, &model, 0.0, 1);
    let refused = gains(Scale::Robot { mass: 10.0 }, Recorded { problem: &known, factors: &factors }, None, 1.0);
    assert!(known.known().is_empty() || refused.unwrap_err().to_string().contains("not currents"));
}
