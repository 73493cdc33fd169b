//! Flexible arms in motion: stored traces, other integrators, the edge of validity, energy.

use super::{Flexible, Method, Options, Simulation, SimulationError, Start, Torque, Trajectory};
use crate::flexible::tests::{description, link, numbers, paper, suite};
use crate::flexible::{BuiltArm, FlexibleArm, Kinematics, Scenario, scenario};
use std::ops::ControlFlow;

fn simulate(
    arm: &FlexibleArm<f64>,
    scenario: &Scenario,
    method: Method,
    every: u64,
) -> Result<Trajectory, SimulationError> {
    let system = Flexible::new(arm);
    let mut simulation = Simulation::new(&system);
    simulation.law = scenario.torque.clone().into();
    simulation.start = Start::State { q: scenario.q0.clone(), qd: scenario.qd0.clone() };
    simulation.options =
        Options { duration: scenario.duration, step: scenario.step, method, every, ..Options::default() };
    simulation.run(&mut |_| ControlFlow::Continue(()))
}

fn run(built: &BuiltArm, scenario: &Scenario) -> Trajectory {
    simulate(&scenario.arm(built), scenario, Method::Rk4, 1).unwrap()
}

#[test]
fn stored_traces_are_followed_to_eight_decimals() {
    let built = paper(2).build().unwrap();
    for (trace, figure) in suite()["traces"].as_array().unwrap().iter().zip(["fig5", "fig6", "fig9"]) {
        let scenario = Scenario::figure(figure).unwrap();
        assert_eq!(scenario.q0, numbers(&trace["q0"]));
        let motion = run(&built, &scenario);
        assert_eq!(motion.steps, 2000);
        for (k, sample) in motion.samples.iter().step_by(10).enumerate() {
            let found = sample.q.iter().chain(&sample.outputs);
            let known = ["theta", "delta", "tip"].into_iter().flat_map(|key| numbers(&trace[key][k]));
            for (c, (a, b)) in found.zip(known).enumerate() {
                assert!((a - b).abs() < 1e-8, "{figure} at {} [{c}]: {a} {b}", sample.t);
            }
        }
        let energies = numbers(&trace["energy_first_last"]);
        let last = motion.samples.last().unwrap();
        assert!((motion.samples[0].energy() - energies[0]).abs() < 1e-12);
        assert!((last.energy() - energies[1]).abs() < 1e-9);
    }
}

#[test]
fn free_undamped_motion_keeps_energy_and_base_momentum() {
    let built = paper(2).build().unwrap();
    for figure in ["fig5", "fig6"] {
        let coarse = Scenario::figure(figure).unwrap();
        let fine = Scenario { step: 5e-4, ..coarse.clone() };
        let (coarse, fine) = (run(&built, &coarse), run(&built, &fine));
        assert!(coarse.energy_drift() <= 3e-7, "{}", coarse.energy_drift());
        let order = (coarse.energy_drift() / fine.energy_drift()).log2();
        assert!((3.7..5.3).contains(&order), "order {order}");
        assert!(coarse.momentum_drift().unwrap()[1] < 2e-8);
    }
    for figure in ["fig7", "fig8", "fig9", "fig10"] {
        let motion = run(&built, &Scenario::figure(figure).unwrap());
        let drift = [motion.energy_drift(), motion.momentum_drift().unwrap()[1]];
        assert!(drift[0] < 5e-5 && drift[1] < 5e-6, "{figure}: {drift:?}");
    }
}

#[test]
fn damped_figures_settle_where_they_are_known_to() {
    let built = paper(2).build().unwrap();
    for (figure, angles) in [("fig7", [0.01122, 0.02906]), ("fig8", [0.02876, 1.60636]), ("fig10", [-0.0338, 0.4158])] {
        let last = run(&built, &Scenario::figure(figure).unwrap()).samples.pop().unwrap();
        assert!(last.q.iter().zip(angles).all(|(a, b)| (a - b).abs() < 6e-5), "{figure}: {:?}", last.q);
    }
}

#[test]
fn both_methods_agree_and_stop_at_the_edge_of_validity() {
    let built = paper(2).build().unwrap();
    let scenario = Scenario::figure("fig5").unwrap();
    let method = Method::adaptive(1e-10);
    let adaptive = simulate(&built.arm, &scenario, method, 10).unwrap();
    let fixed = run(&built, &scenario);
    assert_eq!(adaptive.samples.len(), 201);
    for (a, b) in adaptive.samples.iter().zip(fixed.samples.iter().step_by(10)) {
        assert!((a.t - b.t).abs() < 1e-12 && a.q.iter().zip(&b.q).all(|(x, y)| (x - y).abs() < 2e-5), "{}", a.t);
    }
    let late = Scenario { torque: scenario::bang_bang(&[0.2, 0.2], 1.0, 2.0).unwrap(), ..Scenario::rest(6) };
    for method in [Method::Rk4, method] {
        match simulate(&built.arm, &late, method, 1) {
            Err(SimulationError::Indefinite(diagnosis)) => {
                let t = diagnosis.t.unwrap();
                assert!((1.2..1.4).contains(&t), "{t}");
                let deflection = diagnosis.deflection.unwrap();
                assert_eq!(deflection.name, "delta11");
                assert!(deflection.value.abs() > 0.3);
            }
            Err(other) => panic!("{other}"),
            Ok(motion) => panic!("{} steps", motion.steps),
        }
    }
    for kinematics in [Kinematics::Linear, Kinematics::Rotation] {
        let arm = built.arm.clone().with_kinematics(kinematics);
        let motion = simulate(&arm, &late, Method::Rk4, 1).unwrap();
        assert!(motion.energy_drift() < 1e-4, "{}", motion.energy_drift());
    }
    let damped = Scenario { damping_factor: Some(0.1), ..late };
    assert!(run(&built, &damped).samples.iter().all(|sample| sample.q.iter().all(|x| x.is_finite())));
}

/// A nonlinear finite-element program's motion under the torques of Fig. 9, far from small deflections.
#[test]
fn the_stored_large_deflection_motion_is_met_as_closely_as_the_kinematics_allow() {
    let stored = &suite()["crossval_exudyn_ancf"][0];
    let (first, second) = (numbers(&stored["th1"]), numbers(&stored["th2"]));
    let built = paper(2).build().unwrap();
    let scenario = Scenario::figure("fig9").unwrap();
    for (kinematics, bounds) in [
        (Kinematics::Paper, [0.020, 0.115]),
        (Kinematics::Linear, [0.075, 0.190]),
        (Kinematics::Rotation, [0.0070, 0.145]),
    ] {
        let arm = built.arm.clone().with_kinematics(kinematics);
        let motion = simulate(&arm, &scenario, Method::Rk4, 10).unwrap();
        for (joint, (known, bound)) in [&first, &second].into_iter().zip(bounds).enumerate() {
            let errors = motion.samples.iter().zip(known).map(|(sample, known)| (sample.q[joint] - known).abs());
            let worst = errors.fold(0.0, f64::max);
            assert!(worst < bound && worst > 0.5 * bound, "{kinematics:?} joint {joint}: {worst}");
        }
    }
}

#[test]
fn an_arm_swinging_under_gravity_keeps_its_energy() {
    let links = vec![
        link(0.4, 0.3, 20.0, [0.0, 0.02], 2),
        link(0.3, 0.2, 10.0, [0.1, 0.01], 0),
        link(0.2, 0.2, 8.0, [0.1, 0.01], 1),
    ];
    for kinematics in Kinematics::ALL {
        let mut arm = description(links.clone(), [0.05, 0.0001]);
        (arm.gravity, arm.kinematics) = ([0.0, -9.81], kinematics);
        let built = arm.build().unwrap();
        let scenario = Scenario { duration: 0.5, step: 2e-4, ..Scenario::rest(built.arm.size()) };
        let motion = run(&built, &scenario);
        let largest = motion.samples.iter().map(|sample| sample.kinetic).fold(0.0, f64::max);
        assert!(largest > 0.1 && motion.energy_drift() < 1e-6 * largest, "{kinematics:?} {}", motion.energy_drift());
        assert!(motion.momentum_drift().unwrap()[1] < 1e-7, "{:?}", motion.momentum_drift());
    }
}

#[test]
fn scenarios_that_do_not_fit_are_refused() {
    let built = paper(2).build().unwrap();
    let good = Scenario::rest(6);
    for bad in [
        Scenario { q0: vec![0.0; 4], ..good.clone() },
        Scenario { qd0: vec![0.0; 7], ..good.clone() },
        Scenario { duration: 0.0, ..good.clone() },
        Scenario { step: f64::NAN, ..good.clone() },
        Scenario { step: 1e-300, ..good.clone() },
        Scenario { q0: vec![f64::INFINITY; 6], ..good.clone() },
        Scenario { torque: Torque::Constant(vec![0.1; 6]), ..good.clone() },
        Scenario { torque: Torque::Constant(vec![f64::NAN; 2]), ..good.clone() },
    ] {
        assert!(simulate(&built.arm, &bad, Method::Rk4, 1).is_err(), "{bad:?}");
    }
    assert!(scenario::bang_bang(&[0.1], 0.5, 0.4).is_none() && scenario::bang_bang(&[0.1], 0.0, 0.4).is_none());
    assert!(Scenario::figure("fig4").is_none());
}
