//! Speed of flexible arms: accelerations, the paper's run of 2 s, evaluations of larger arms, symbolic derivation.
//!
//! The fastest of many rounds counts: load from outside only ever adds.

#![allow(missing_docs, clippy::print_stdout)]

use jourdain::arms;
use jourdain::flexible::derive::{ArmConstants, ArmQuantity, program};
use jourdain::flexible::factor::{Workspace, accelerations_into};
use jourdain::flexible::modes::Beam;
use jourdain::flexible::{
    ArmDescription, BuiltArm, Damping, GivenBoundary, Kinematics, LinkDescription, Payload, Scenario, TwoLink,
};
use jourdain::simulate::{Flexible, Options, Simulation, Start};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

/// Seconds of the fastest of `rounds` rounds, per call.
fn fastest(rounds: u32, calls: u32, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        (0..calls).for_each(|_| run());
        best = best.min(start.elapsed().as_secs_f64() / f64::from(calls));
    }
    best
}

fn line(name: &str, seconds: f64, target: f64) {
    let target = if target.is_finite() { format!("   target {:10.1} µs", 1e6 * target) } else { String::new() };
    println!("{name:52} {:10.3} µs{target}", 1e6 * seconds);
}

fn chain(links: usize, modes: usize) -> BuiltArm {
    let link = LinkDescription {
        beam: Beam { length: 0.5, density: 0.2, rigidity: 2.0 },
        hub_mass: 0.3,
        hub_inertia: 0.02,
        modes,
        damping: Damping::None,
        viscous: 0.0,
        boundary: GivenBoundary::default(),
    };
    let description = ArmDescription {
        name: "chain".to_owned(),
        gravity: [0.0; 2],
        kinematics: Kinematics::Paper,
        payload: Payload { mass: 0.1, inertia: 0.0005 },
        boundary_configuration: None,
        links: vec![link; links],
    };
    description.build().expect("a sound arm")
}

fn general(name: &str, built: &BuiltArm, target: f64) {
    let (arm, n) = (&built.arm, built.arm.joints());
    let vector = |phase: f64, small: f64| -> Vec<f64> {
        (0..arm.size()).map(|c| (phase + c as f64).sin() * if c < n { 1.0 } else { small }).collect()
    };
    let (q, qd, torque) = (vector(0.2, 0.005), vector(1.0, 0.1), vec![0.1; n]);
    let (mut workspace, mut qdd) = (Workspace::new(arm), vec![0.0; arm.size()]);
    let seconds = fastest(300, 300, || {
        let solved = accelerations_into(arm, black_box(&q), black_box(&qd), &torque, &mut workspace, &mut qdd);
        assert!(black_box(solved), "B is definite here");
    });
    line(name, seconds, target);
}

fn main() {
    let paper = arms::load("two_link_flexible").expect("a built-in arm");
    let explicit = TwoLink::new(&paper.arm).expect("two links with two modes");
    let (q, qd) = ([0.1, 0.9, 0.05, -0.02, 0.03, 0.001], [0.5, -0.4, 0.2, 0.1, -0.3, 0.2]);
    let seconds = fastest(500, 1000, || {
        black_box(explicit.accelerations(black_box(&q), black_box(&qd), &[0.1, -0.1]));
    });
    line("two links, two modes: accelerations, explicit", seconds, 0.5e-6);
    general("two links, two modes: accelerations, general", &paper, 0.5e-6);
    let scenario = Scenario::figure("fig5").expect("a run of the paper");
    let seconds = fastest(20, 1, || {
        let system = Flexible::new(&paper.arm);
        let mut simulation = Simulation::new(&system);
        simulation.start = Start::State { q: scenario.q0.clone(), qd: scenario.qd0.clone() };
        simulation.options = Options { duration: 2.0, every: 10, ..Options::default() };
        assert!(black_box(simulation.run(&mut |_| ControlFlow::Continue(()))).is_ok(), "the run of the paper");
    });
    line("the paper's 2 s at 1 ms", seconds, 10e-3);
    let three = chain(3, 2);
    general("three links, two modes: accelerations", &three, 2e-6);
    general("five links, three modes: accelerations", &chain(5, 3), f64::INFINITY);
    for (name, kinematics) in
        [("rotation", Kinematics::Rotation), ("stiffened", Kinematics::Stiffened), ("exact", Kinematics::Exact)]
    {
        for (what, mut built) in [
            ("two links, two modes", paper.clone()),
            ("three links, two modes", chain(3, 2)),
            ("five links, three modes", chain(5, 3)),
        ] {
            built.arm = built.arm.with_kinematics(kinematics);
            general(&format!("{what}: accelerations, {name}"), &built, f64::INFINITY);
        }
    }
    let seconds = fastest(5, 1, || {
        for quantity in [ArmQuantity::Inertia, ArmQuantity::Velocity] {
            black_box(program(&three.arm, quantity, ArmConstants::Symbolic).is_ok());
        }
    });
    line("three links, two modes: symbolic B and h", seconds, 0.2);
}
