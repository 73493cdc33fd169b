//! Laws at work on rigid, elastic and flexible systems: what each promises, and what stands between it and the system.

// Measured values are worth seeing with --nocapture.
#![allow(clippy::print_stdout)]

use jourdain::dynamics::{closed_form, recursive};
use jourdain::elastic::ElasticModel;
use jourdain::flexible::{ArmDescription, BuiltArm};
use jourdain::model::Number;
use jourdain::parameters::BaseParameters;
use jourdain::prescribed::{Cosine, Curve, PrescribedMotion};
use jourdain::simulate::{
    AdaptiveLaw, Elastic, Flexible, Gains, IntegrationError, Interpolation, Law, Learned, Method, Options, Reference,
    Rigid, Simulation, SimulationError, Start, System, TorqueTable, Trajectory, Wrappers,
};
use jourdain::{Model, arms, robots};
use std::ops::ControlFlow;

fn run(simulation: &Simulation<'_>) -> Trajectory {
    simulation.run(&mut |_| ControlFlow::Continue(())).unwrap()
}

fn waves(n: usize, size: f64) -> PrescribedMotion {
    let wave = |i: usize| Curve::Cosines {
        offset: 0.1,
        terms: vec![Cosine { amplitude: size, frequency: 2.0 + 0.4 * i as f64, phase: 0.5 * i as f64 }],
    };
    PrescribedMotion { joints: (0..n).map(wave).collect(), loads: Vec::new(), start: 0.0, end: 10.0 }
}

/// A built-in robot with another mass of one of its links.
fn with_mass(name: &str, link: &str, factor: f64) -> Model {
    let mut description = robots::find(name).unwrap().read().description.unwrap().into_description();
    let link = description.links.iter_mut().find(|other| other.name == link).unwrap();
    link.mass = Number::from(link.mass.value * factor);
    Model::from_description(&description).unwrap()
}

/// Gains of a double pole for the inertia that each joint sees by itself.
fn scaled(model: &Model, posture: &[f64], rate: f64) -> Gains {
    let mass = recursive::mass_matrix(model, posture);
    let inertia: Vec<f64> = (0..posture.len()).map(|i| mass[(i, i)]).collect();
    Gains {
        position: inertia.iter().map(|j| j * rate * rate).collect(),
        velocity: inertia.iter().map(|j| 2.0 * j * rate).collect(),
    }
}

fn stiff_arm() -> BuiltArm {
    let mut arm: ArmDescription = arms::find("two_link_flexible").unwrap().read().description.unwrap();
    arm.gravity = [0.0, -9.81];
    arm.kinematics = jourdain::flexible::Kinematics::Rotation;
    for link in &mut arm.links {
        link.beam.rigidity = 60.0;
        link.damping = jourdain::flexible::Damping::Factor(0.2);
    }
    arm.build().unwrap()
}

#[test]
fn pd_with_gravity_settles_at_the_goal_and_its_lyapunov_function_falls() {
    let model = robots::load("puma560").unwrap();
    let robot = Rigid::new(&model);
    let goal = vec![0.4, -0.8, 0.5, 0.3, -0.6, 0.2];
    let gains = scaled(&model, &goal, 10.0);
    let mut simulation = Simulation::new(&robot);
    simulation.law = Law::PdGravity(gains.clone());
    simulation.reference = Some(Reference::Rest(goal.clone()));
    simulation.options = Options { duration: 6.0, every: 5, ..Options::default() };
    let motion = run(&simulation);
    let mut before = f64::INFINITY;
    for sample in &motion.samples {
        let spring: f64 = sample.error().iter().zip(&gains.position).map(|(e, kp)| 0.5 * kp * e * e).sum();
        let now = sample.kinetic + spring;
        assert!(now <= before + 1e-9, "at {}: {now} after {before}", sample.t);
        before = now;
    }
    assert!(motion.largest_error(5.9) < 1e-3, "{}", motion.largest_error(5.9));

    let elastic = robots::load("planar2r_elastic").unwrap();
    let elastic = ElasticModel::new(&elastic).unwrap();
    let elastic = Elastic::new(&elastic);
    let built = stiff_arm();
    let flexible = Flexible::new(&built.arm);
    let systems: [&dyn System; 2] = [&elastic, &flexible];
    for system in systems {
        let mut simulation = Simulation::new(system);
        simulation.law = Law::PdGravity(Gains::default());
        simulation.reference = Some(Reference::Rest(vec![0.5, -0.4]));
        simulation.start = Start::State { q: vec![0.2, 0.1], qd: Vec::new() };
        let method = Method::Auto { tolerance: 1e-6 };
        simulation.options = Options { duration: 4.0, step: 5e-4, every: 20, method, ..Options::default() };
        let error = run(&simulation).largest_error(3.9);
        println!("{}: {error:e}", system.kind());
        assert!(error < 1e-4, "{}: {error}", system.kind());
    }
}

/// Two poles at −p: e₀ (1 + p t) exp(−p t).
#[test]
fn computed_torque_has_the_linear_error_that_it_promises() {
    let (offset, p) = ([0.2, -0.1], 8.0);
    let model = robots::load("planar2r").unwrap();
    let rigid = Rigid::new(&model);
    let built = stiff_arm();
    let flexible = Flexible::new(&built.arm);
    let motion = waves(2, 0.3);
    let systems: [&dyn System; 2] = [&rigid, &flexible];
    for system in systems {
        let mut simulation = Simulation::new(system);
        simulation.law = Law::ComputedTorque(Gains::uniform(p * p, 2.0 * p));
        simulation.reference = Some(Reference::Motion(&motion));
        simulation.start = Start::Reference { offset: offset.to_vec() };
        simulation.options = Options { duration: 1.0, step: 2e-4, every: 50, ..Options::default() };
        for sample in run(&simulation).samples {
            let decay = (1.0 + p * sample.t) * (-p * sample.t).exp();
            for (error, start) in sample.error().iter().zip(offset) {
                assert!((error - start * decay).abs() < 1e-7, "{} at {}: {error}", system.kind(), sample.t);
            }
        }
    }
}

#[test]
fn adaptive_control_loses_its_error_although_the_payload_is_wrong() {
    let (light, heavy) = (robots::load("planar2r").unwrap(), with_mass("planar2r", "link2", 1.8));
    let (believed, real) = (Rigid::new(&light), Rigid::new(&heavy));
    let motion = waves(2, 0.6);
    for learned in [Learned::Base, Learned::Standard] {
        let law = AdaptiveLaw { slope: vec![6.0], velocity: vec![8.0], adaptation: vec![5.0], learned };
        let mut simulation = Simulation::new(&real);
        simulation.nominal = Some(&believed);
        simulation.law = Law::Adaptive(law.clone());
        simulation.reference = Some(Reference::Motion(&motion));
        simulation.start = Start::Reference { offset: vec![0.1, -0.1] };
        simulation.options = Options { duration: 10.0, every: 10, ..Options::default() };
        let trajectory = run(&simulation);

        let truth = closed_form::parameters(&heavy);
        let truth = match learned {
            Learned::Base => BaseParameters::new(&heavy).values(&truth),
            Learned::Standard => truth,
        };
        let mut before = f64::INFINITY;
        let mut sizes = Vec::new();
        for sample in &trajectory.samples {
            let s: Vec<f64> = (0..2)
                .map(|i| {
                    let curve = &motion.joints[i];
                    let rate = curve.derivative(1, sample.t) + 6.0 * (curve.derivative(0, sample.t) - sample.q[i]);
                    sample.qd[i] - rate
                })
                .collect();
            let momentum = recursive::mass_matrix(&heavy, &sample.q).apply(&s);
            let sliding: f64 = s.iter().zip(momentum).map(|(s, p)| 0.5 * s * p).sum();
            let wrong: f64 = sample.memory.iter().zip(&truth).map(|(a, b)| 0.5 * (a - b).powi(2) / 5.0).sum();
            let now = sliding + wrong;
            assert!(now <= before + 1e-10, "{learned:?} at {}: {now} after {before}", sample.t);
            before = now;
            sizes.push(s.iter().fold(0.0_f64, |m, s| m.max(s.abs())));
        }
        let late = sizes[sizes.len() - 50..].iter().copied().fold(0.0, f64::max);
        println!("{learned:?}: s {:.2e} at first, {late:.2e} at last", sizes[0]);
        assert!(late < 0.02 * sizes[0], "{learned:?}: {late}");
        assert_eq!(trajectory.learned().count(), truth.len());
        assert!(trajectory.learned().all(|(column, _)| column.symbol == "estimate" && !column.of.is_empty()));

        // The same law without learning keeps an error.
        simulation.law = Law::Adaptive(AdaptiveLaw { adaptation: vec![0.0], ..law });
        let [fixed, learning] = [run(&simulation).largest_error(9.0), trajectory.largest_error(9.0)];
        println!("error {fixed:.2e} without learning, {learning:.2e} with");
        assert!(fixed > 100.0 * learning, "{fixed} {learning}");
    }
}

/// The exact linearisation of a robot with a rigid joint among elastic ones keeps a state, which is nothing learned.
#[test]
fn only_adaptive_control_learns() {
    let text = r#"
        name = "mixed"
        gravity = [0, 0, 0]
        [[link]]
        name = "upper"
        mass = 1.0
        inertia = [0.1, 0, 0, 0.1, 0, 0.1]
        joint = { type = "revolute" }
        motor = { inertia = 1e-3, ratio = 10.0, stiffness = 100.0 }
        [[link]]
        name = "fore"
        mass = 1.0
        inertia = [0.1, 0, 0, 0.1, 0, 0.1]
        origin = { xyz = [0.5, 0, 0] }
        joint = { type = "revolute" }
    "#;
    let elastic = ElasticModel::new(&text.parse::<Model>().unwrap()).unwrap();
    let system = Elastic::new(&elastic);
    let mut simulation = Simulation::new(&system);
    simulation.law = Law::ExactLinearisation { poles: [[-12.0, 0.0]; 4] };
    simulation.options.duration = 0.01;
    let trajectory = run(&simulation);
    assert_eq!((trajectory.memory.len(), trajectory.learned().count()), (2, 0));
}

#[test]
fn saturation_keeps_to_the_limits_and_changes_nothing_below_them() {
    let model = robots::load("iiwa14").unwrap();
    let robot = Rigid::new(&model);
    let motion = waves(7, 0.2);
    let gains = scaled(&model, &[0.1; 7], 30.0);
    let follow = |offset: f64, saturate: bool| {
        let mut simulation = Simulation::new(&robot);
        simulation.law = Law::FeedForward(gains.clone());
        simulation.reference = Some(Reference::Motion(&motion));
        simulation.start = Start::Reference { offset: vec![offset; 7] };
        simulation.wrappers.saturate = saturate;
        simulation.options = Options { duration: 0.3, ..Options::default() };
        run(&simulation)
    };
    let limits = &robot.layout().efforts;
    assert!(limits.iter().all(Option::is_some), "{limits:?}");
    let mut bitten = 0;
    for sample in &follow(0.5, true).samples {
        for (torque, limit) in sample.tau.iter().zip(limits) {
            assert!(torque.abs() <= limit.unwrap());
            bitten += usize::from(torque.abs() == limit.unwrap());
        }
    }
    assert!(bitten > 0);
    assert_eq!(follow(1e-3, true), follow(1e-3, false));
    let built = stiff_arm();
    let bare = Flexible::new(&built.arm);
    let mut simulation = Simulation::new(&bare);
    simulation.wrappers.saturate = true;
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, SimulationError::NoEffort { .. }), "{error}");
}

fn tracked<'s>(system: &'s dyn System, motion: &'s PrescribedMotion, wrappers: Wrappers) -> Simulation<'s> {
    let mut simulation = Simulation::new(system);
    simulation.law = Law::ComputedTorque(Gains::uniform(100.0, 20.0));
    simulation.reference = Some(Reference::Motion(motion));
    simulation.start = Start::Reference { offset: vec![0.1, -0.1] };
    simulation.wrappers = wrappers;
    simulation
}

#[test]
fn a_law_sampled_often_is_the_continuous_one() {
    let model = robots::load("planar2r").unwrap();
    let (robot, motion) = (Rigid::new(&model), waves(2, 0.3));
    let end = |frequency: Option<f64>| {
        let wrappers = Wrappers { frequency, ..Wrappers::default() };
        run(&tracked(&robot, &motion, wrappers)).samples.pop().unwrap().q
    };
    let exact = end(None);
    let distance = |hertz: f64| end(Some(hertz)).iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let errors = [200.0, 400.0, 800.0].map(distance);
    println!("{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((0.8..1.2).contains(&order), "{errors:?}");
    }
}

#[test]
fn torques_are_held_between_samples() {
    let model = robots::load("planar2r").unwrap();
    let (robot, motion) = (Rigid::new(&model), waves(2, 0.3));
    let wrappers = Wrappers { frequency: Some(125.0), ..Wrappers::default() };
    let trajectory = run(&tracked(&robot, &motion, wrappers));
    for samples in trajectory.samples.chunks(8) {
        assert!(samples.iter().all(|sample| sample.tau == samples[0].tau), "{}", samples[0].t);
    }
    assert!(trajectory.samples[0].tau != trajectory.samples[8].tau);
}

#[test]
fn noise_follows_from_its_seed_and_not_from_the_step() {
    let model = robots::load("planar2r").unwrap();
    let (robot, motion) = (Rigid::new(&model), waves(2, 0.3));
    let end = |seed: u64, step: f64, method: Method| {
        let wrappers = Wrappers {
            frequency: Some(200.0),
            noise: Some([1e-3, 1e-2]),
            resolution: Some(1e-4),
            seed,
            ..Wrappers::default()
        };
        let mut simulation = tracked(&robot, &motion, wrappers);
        simulation.options = Options { step, method, ..Options::default() };
        run(&simulation).samples.pop().unwrap().q
    };
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let first = end(1, 1e-3, Method::Rk4);
    assert_eq!(first, end(1, 1e-3, Method::Rk4));
    assert!(distance(&first, &end(1, 5e-4, Method::Rk4)) < 1e-8);
    assert!(distance(&first, &end(1, 3.7e-3, Method::adaptive(1e-11))) < 1e-8);
    assert!(distance(&first, &end(2, 1e-3, Method::Rk4)) > 1e-6);
}

#[test]
fn every_law_runs_on_every_system_that_takes_it_behind_every_wrapper() {
    let rigid = robots::load("planar2r").unwrap();
    let rigid = Rigid::new(&rigid);
    let elastic = ElasticModel::new(&robots::load("planar2r_elastic").unwrap()).unwrap();
    let elastic = Elastic::new(&elastic);
    let built = stiff_arm();
    let flexible = Flexible::new(&built.arm).with_efforts(&[40.0, 20.0]).unwrap();
    let motion = waves(2, 0.2);
    let table = TorqueTable::new(vec![(0.0, vec![1.0, 0.5]), (0.1, vec![-0.5, 0.2])], Interpolation::Linear).unwrap();
    let laws = [
        Law::None,
        Law::Constant(vec![0.5, -0.2]),
        Law::Table(table),
        Law::Pd(Gains::default()),
        Law::PdGravity(Gains::default()),
        Law::ComputedTorque(Gains::default()),
        Law::FeedForward(Gains::default()),
        Law::ExactLinearisation { poles: [[-15.0, 0.0]; 4] },
        Law::StrainFeedback { gains: Gains::default(), strain: Gains::uniform(0.5, 0.1) },
        Law::Adaptive(AdaptiveLaw::default()),
    ];
    assert_eq!(laws.each_ref().map(Law::name), Law::NAMES);
    let on = |k: usize, bit: usize| k >> bit & 1 == 1;
    let mut runs = 0;
    let systems: [&dyn System; 3] = [&rigid, &elastic, &flexible];
    for system in systems {
        for law in &laws {
            for k in 0..16 {
                let mut simulation = Simulation::new(system);
                simulation.law = law.clone();
                simulation.reference = Some(Reference::Motion(&motion));
                simulation.start = Start::Reference { offset: vec![0.02, -0.03] };
                simulation.wrappers = Wrappers {
                    saturate: on(k, 0) && system.layout().efforts.iter().any(Option::is_some),
                    frequency: on(k, 1).then_some(500.0),
                    noise: on(k, 2).then_some([1e-5, 1e-4]),
                    resolution: on(k, 3).then_some(1e-5),
                    seed: 3,
                };
                let method = Method::Auto { tolerance: 1e-9 };
                simulation.options = Options { duration: 0.1, step: 2.5e-4, every: 4, method, ..Options::default() };
                match simulation.run(&mut |_| ControlFlow::Continue(())) {
                    Ok(motion) => {
                        let largest = motion.samples.iter().map(|s| s.work.abs() + s.kinetic).fold(1e-3, f64::max);
                        let drift = motion.energy_drift();
                        assert!(drift < 1e-5 * largest, "{} {} {k:04b}: {drift:e}", system.kind(), law.name());
                        runs += 1;
                    }
                    Err(SimulationError::Law { law: refused, can, .. }) => {
                        assert!(refused == law.name() && !can.contains(&refused) && can.contains(&"pd"), "{can:?}");
                    }
                    Err(error) => panic!("{} {} {k:04b}: {error}", system.kind(), law.name()),
                }
            }
        }
    }
    // Eight laws of rigid robots, eight of elastic ones, seven of arms.
    assert_eq!(runs, 16 * (8 + 8 + 7));
}

#[test]
fn a_law_that_a_system_cannot_take_is_refused_by_name() {
    let model = robots::load("planar2r").unwrap();
    let robot = Rigid::new(&model);
    let mut simulation = Simulation::new(&robot);
    simulation.law = Law::ExactLinearisation { poles: [[-10.0, 0.0]; 4] };
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("exact-linearisation") && text.contains("computed-torque, feed-forward, adaptive"), "{text}");
    let floating = robots::load("floating_humanoid25").unwrap();
    let floating = Rigid::new(&floating);
    let mut simulation = Simulation::new(&floating);
    simulation.law = Law::Pd(Gains::default());
    simulation.reference = Some(Reference::Rest(vec![0.0; floating.layout().inputs.len()]));
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, SimulationError::Quaternions { .. }), "{error}");
    simulation.law = Law::Constant(vec![1.0]);
    assert!(simulation.run(&mut |_| ControlFlow::Continue(())).is_err());
}

#[test]
fn a_run_can_be_stopped_and_says_how_far_it_came() {
    let model = robots::load("planar2r").unwrap();
    let robot = Rigid::new(&model);
    let mut simulation = Simulation::new(&robot);
    let stop = |t: f64| if t > 0.25 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let error = simulation.run(&mut { stop }).unwrap_err();
    assert!(matches!(error, SimulationError::Integration(IntegrationError::Cancelled { .. })), "{error}");
    assert!(error.reached().is_some_and(|t| (t - 0.251).abs() < 1e-9), "{error}");
    simulation.options.most_steps = 400;
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().contains("400 steps reached t = 0.4 s"), "{error}");
}

#[test]
fn columns_name_every_number_of_a_row() {
    let model = robots::load("floating_humanoid25").unwrap();
    let elastic = ElasticModel::new(&robots::load("planar2r_elastic").unwrap()).unwrap();
    let built = stiff_arm();
    let (rigid, elastic, flexible) = (Rigid::new(&model), Elastic::new(&elastic), Flexible::new(&built.arm));
    let systems: [&dyn System; 3] = [&rigid, &elastic, &flexible];
    let mut headings = Vec::new();
    for system in systems {
        let mut simulation = Simulation::new(system);
        simulation.options = Options { duration: 2e-3, ..Options::default() };
        let trajectory = run(&simulation);
        let columns = trajectory.columns();
        assert!(trajectory.rows().all(|row| row.len() == columns.len()), "{}", system.kind());
        headings.extend(columns.iter().map(ToString::to_string));
        let names: std::collections::HashSet<String> = columns.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), columns.len(), "{}", system.kind());
    }
    for expected in ["q[pelvis.qw]", "qd[pelvis.vx]", "q[torso]", "tau[torso]", "tip_x", "q[delta11]", "work"] {
        assert!(headings.iter().any(|heading| heading == expected), "{expected}: {headings:?}");
    }
    assert!(headings.iter().any(|heading| heading.starts_with("theta[")));
}

/// A and B against central differences of the rates, about rest and about steady motions.
#[test]
fn linear_models_are_the_derivatives_of_the_rates() {
    let rigid = robots::load("planar2r").unwrap();
    let rigid = Rigid::new(&rigid);
    let elastic = ElasticModel::new(&robots::load("planar2r_elastic").unwrap()).unwrap();
    let elastic = Elastic::new(&elastic);
    let built = stiff_arm();
    let flexible = Flexible::new(&built.arm);
    let systems: [&dyn System; 3] = [&rigid, &elastic, &flexible];
    for system in systems {
        for qd in [vec![0.0, 0.0], vec![0.7, -0.4]] {
            let linear = system.linearise(&[0.3, -0.5], &qd).unwrap();
            let space = linear.state_space().unwrap();
            let size = linear.size();
            let mut x = system.state(&linear.q, &qd).unwrap();
            x.truncate(2 * size);
            let mut mechanics = system.mechanics();
            let sums = 1 + system.layout().momenta.len();
            let mut rate = |x: &[f64], torque: &[f64]| {
                let (mut rate, mut sums) = (vec![0.0; 2 * size], vec![0.0; sums]);
                mechanics.rate_into(x, torque, &[], &mut rate, &mut sums);
                rate
            };
            let still = rate(&x, &linear.torque);
            let n = linear.joints();
            assert!(still[size..size + n].iter().all(|a| a.abs() < 1e-8), "{}: {still:?}", system.kind());
            for column in 0..2 * size + n {
                let h = 1e-6;
                let mut at = |by: f64| {
                    let (mut x, mut torque) = (x.clone(), linear.torque.clone());
                    if column < 2 * size {
                        x[column] += by
                    } else {
                        torque[column - 2 * size] += by
                    }
                    rate(&x, &torque)
                };
                let (ahead, behind) = (at(h), at(-h));
                for row in 0..2 * size {
                    let slope = (ahead[row] - behind[row]) / (2.0 * h);
                    let known =
                        if column < 2 * size { space.a[(row, column)] } else { space.b[(row, column - 2 * size)] };
                    assert!(
                        (slope - known).abs() < 2e-5 * known.abs().max(1.0),
                        "{} {qd:?} ({row}, {column}): {slope} {known}",
                        system.kind()
                    );
                }
            }
        }
    }
}

#[test]
fn strain_feedback_ends_vibrations_sooner_than_the_motor_loop_alone() {
    let built = arms::load("two_link_flexible").unwrap();
    let arm = Flexible::new(&built.arm);
    let vibration = |strain: f64| {
        let mut simulation = Simulation::new(&arm);
        simulation.law = Law::StrainFeedback {
            gains: Gains { position: vec![2.0], velocity: vec![0.6] },
            strain: Gains { position: vec![0.0], velocity: vec![strain] },
        };
        simulation.reference = Some(Reference::Rest(vec![0.0, 0.0]));
        simulation.start = Start::State { q: vec![0.0, 0.0, 0.02, 0.0, 0.02, 0.0], qd: Vec::new() };
        simulation.options = Options { duration: 6.0, every: 10, ..Options::default() };
        let samples = run(&simulation).samples;
        let late = samples.iter().filter(|sample| sample.t > 4.0);
        late.flat_map(|sample| sample.q[2..].to_vec()).fold(0.0_f64, |m, x| m.max(x.abs()))
    };
    let [without, against, along] = [0.0, 0.2, -0.2].map(vibration);
    println!("{without:e} {against:e} {along:e}");
    assert!(against.min(along) < 0.8 * without, "{without} {against} {along}");
    assert!(against < without, "the sign of the gain");
}
