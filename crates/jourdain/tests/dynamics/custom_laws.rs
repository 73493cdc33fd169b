//! Laws that are functions: the same as built-in ones where they say the same, and out at once where they fail.

use jourdain::dynamics::recursive;
use jourdain::elastic::ElasticModel;
use jourdain::simulate::{
    Elastic, Flexible, Gains, Law, Method, Options, Reference, Rigid, Simulation, SimulationError, Start, System,
    Trajectory, Wrappers,
};
use jourdain::{arms, robots};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const GOAL: [f64; 2] = [0.4, -0.3];
const GAINS: [f64; 2] = [60.0, 15.0];

fn run(system: &dyn System, law: Law, wrappers: Wrappers, method: Method) -> Result<Trajectory, SimulationError> {
    let mut simulation = Simulation::new(system);
    simulation.law = law;
    simulation.reference = Some(Reference::Rest(GOAL.to_vec()));
    simulation.start = Start::State { q: vec![0.1, 0.2], qd: Vec::new() };
    simulation.wrappers = wrappers;
    simulation.options = Options { duration: 0.2, method, ..Options::default() };
    simulation.run(&mut |_| ControlFlow::Continue(()))
}

/// Every method, sampled or not, measured exactly or with noise, cut or not.
fn same(system: &dyn System, name: &str, built_in: &Law, custom: &Law) {
    let methods = [Method::Rk4, Method::adaptive(1e-9), Method::implicit(1e-6), Method::Auto { tolerance: 1e-9 }];
    let has_efforts = system.layout().efforts.iter().any(Option::is_some);
    for (method, saturate) in methods.into_iter().flat_map(|method| [(method, false), (method, has_efforts)]) {
        for (frequency, noise, resolution) in
            [(None, None, None), (Some(500.0), None, None), (Some(400.0), Some([1e-4, 1e-3]), Some(1e-4))]
        {
            let wrappers = Wrappers { saturate, frequency, noise, resolution, seed: 11 };
            let [a, b] = [built_in, custom].map(|law| run(system, law.clone(), wrappers, method).unwrap());
            assert_eq!((a.samples.len(), b.law), (b.samples.len(), "custom"));
            for (a, b) in a.samples.iter().zip(&b.samples) {
                let pairs = a.q.iter().chain(&a.qd).chain(&a.tau).zip(b.q.iter().chain(&b.qd).chain(&b.tau));
                let apart = pairs.map(|(a, b)| (a - b).abs() / (1.0 + a.abs())).fold(0.0, f64::max);
                // Differences of rates, which the implicit method takes, magnify rounding.
                let rounding = if matches!(method, Method::Implicit { .. }) { 1e-6 } else { 1e-8 };
                assert!(apart < rounding, "{name} {method:?} {wrappers:?} at {}: {apart:e}", a.t);
            }
            assert!((a.energy_drift() - b.energy_drift()).abs() < 1e-6, "{name} {method:?} {wrappers:?}");
        }
    }
}

#[test]
fn a_function_is_the_built_in_law_that_says_the_same_on_every_system() {
    let [kp, kd] = GAINS;
    let gains = || Gains::uniform(kp, kd);
    let model = Arc::new(robots::load("planar2r").unwrap());
    let own = Arc::clone(&model);
    let rigid = Law::from_fn(move |_, q, qd, torque| {
        let gravity = recursive::gravity(&own, q);
        (0..2).for_each(|i| torque[i] = gravity[i] + kp * (GOAL[i] - q[i]) - kd * qd[i]);
    });
    same(&Rigid::new(&model), "rigid", &Law::PdGravity(gains()), &rigid);

    let model = robots::load("planar2r_elastic").unwrap();
    let elastic = ElasticModel::new(&model).unwrap();
    let gravity = recursive::gravity(&model, &GOAL);
    let stiffness: Vec<f64> = elastic.springs().iter().map(|spring| spring.stiffness).collect();
    // Positions of joints, then of motors.
    let motors = Law::from_fn(move |_, q, qd, torque| {
        for i in 0..2 {
            torque[i] = gravity[i] + kp * (GOAL[i] + gravity[i] / stiffness[i] - q[2 + i]) - kd * qd[2 + i];
        }
    });
    same(&Elastic::new(&elastic), "elastic", &Law::PdGravity(gains()), &motors);

    let arm = arms::find("two_link_flexible").unwrap().read().description.unwrap().build().unwrap().arm;
    let [kp, kd] = [0.2, 0.02];
    let joints =
        Law::from_fn(move |_, q, qd, torque| (0..2).for_each(|i| torque[i] = kp * (GOAL[i] - q[i]) - kd * qd[i]));
    let flexible = Flexible::new(&arm).with_efforts(&[2.0, 1.0]).unwrap();
    same(&flexible, "flexible", &Law::Pd(Gains::uniform(kp, kd)), &joints);
}

#[test]
fn a_function_that_fails_ends_the_motion_and_is_not_called_again() {
    let model = robots::load("planar2r").unwrap();
    let robot = Rigid::new(&model);
    for method in [Method::Rk4, Method::adaptive(1e-9), Method::implicit(1e-6)] {
        for frequency in [None, Some(100.0)] {
            let after = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&after);
            let law = Law::try_from_fn(move |t, _, _, _| {
                if t < 0.05 {
                    return Ok(());
                }
                counter.fetch_add(1, Ordering::Relaxed);
                Err("no more".to_owned())
            });
            let error = run(&robot, law, Wrappers { frequency, ..Wrappers::default() }, method).unwrap_err();
            assert_eq!((error.kind(), after.load(Ordering::Relaxed)), ("law-failed", 1), "{method:?} {frequency:?}");
            assert!(error.to_string().contains("no more") && !error.is_breakdown(), "{error}");
            let SimulationError::LawFailed { t, .. } = error else { panic!("{error}") };
            assert!((0.05..0.2).contains(&t), "{t}");
        }
    }
    let law = Law::from_fn(|_, _, _, torque| torque[1] = f64::NAN);
    let error = run(&robot, law, Wrappers::default(), Method::Rk4).unwrap_err();
    assert!(error.to_string().contains("tau[link2] = NaN"), "{error}");
}

#[test]
fn a_function_follows_nothing_unless_told() {
    let model = robots::load("iiwa14").unwrap();
    let robot = Rigid::new(&model);
    let mut simulation = Simulation::new(&robot);
    simulation.law = Law::from_fn(|t, q, qd, torque| {
        assert!(t >= 0.0 && q.len() == 7 && qd.len() == 7 && torque.iter().all(|x| *x == 0.0));
        torque[6] = 0.1;
    });
    simulation.options.duration = 0.05;
    let motion = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(motion.samples.iter().all(|sample| sample.reference.is_empty() && sample.tau[6] == 0.1));
    assert!(motion.energy_drift() < 1e-9);
    assert_eq!(simulation.law, simulation.law.clone());
    assert_ne!(simulation.law, Law::from_fn(|_, _, _, _| ()));
}
