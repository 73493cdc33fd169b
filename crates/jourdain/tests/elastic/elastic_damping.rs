//! Damped springs: where the motors are along a motion, and arms that come to rest at its end.

// Measured values are worth seeing with --nocapture.
#![allow(clippy::print_stdout)]

use crate::common::assert_close;
use jourdain::Model;
use jourdain::elastic::inverse::{InverseScratch, MotorMotion, damped_inverse_dynamics_into};
use jourdain::elastic::{ElasticModel, Wound};
use jourdain::formats::{self, Format};
use jourdain::prescribed::{Cosine, Curve, Degree, PrescribedLoad, PrescribedMotion, Reference, Spline};
use jourdain::simulate::{Elastic, Gains, Law, Method, Options, Simulation, Start, Trajectory};

/// The arm of two links with this damping of both springs, without friction.
fn arm(damping: f64) -> ElasticModel {
    let text = include_str!("../../../../robots/planar2r_elastic.toml");
    let text = ["viscous = 0.5", "viscous = 0.3"]
        .iter()
        .fold(text.to_owned(), |text, friction| text.replace(friction, &format!("damping = {damping:?}")));
    let reading = formats::read_str(&text, Format::Toml);
    let description = reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    ElasticModel::new(&Model::from_description(&description).unwrap()).unwrap()
}

fn waves() -> PrescribedMotion {
    let wave = |i: usize| Curve::Cosines {
        offset: 0.3,
        terms: vec![Cosine { amplitude: 0.4, frequency: 6.0 + i as f64, phase: i as f64 }],
    };
    let push = std::array::from_fn(|i| Curve::Polynomial(vec![1.0, 2.0 * i as f64, -3.0]));
    let loads = vec![PrescribedLoad { link: 1, components: push }];
    PrescribedMotion { joints: (0..2).map(wave).collect(), loads, start: 0.5, end: 2.5 }
}

/// From rest to rest by a spline through two points.
fn swing(degree: Degree) -> PrescribedMotion {
    let curve = |end: f64| Curve::Spline(Spline::through(&[0.0, 0.8], &[0.0, end], degree).unwrap());
    PrescribedMotion { joints: vec![curve(0.9), curve(-1.2)], loads: Vec::new(), start: 0.0, end: 0.8 }
}

fn follow(nominal: &ElasticModel, plant: &ElasticModel, motion: &PrescribedMotion, duration: f64) -> Trajectory {
    let (system, believed) = (Elastic::new(plant), Elastic::new(nominal));
    let mut simulation = Simulation::new(&system);
    simulation.nominal = Some(&believed);
    // No feedback at all: what the feed-forward has wrong stays visible.
    simulation.law = Law::FeedForward(Gains::uniform(0.0, 0.0));
    simulation.reference = Some(Reference::Motion(motion));
    simulation.start = Start::Reference { offset: vec![0.0; 2] };
    simulation.options = Options { duration, method: Method::adaptive(1e-11), ..Options::default() };
    simulation.run(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
}

/// Against Runge–Kutta steps of K δ + D δ̇ = τ that are far below D/K, loads and all.
#[test]
fn deflections_along_a_motion_are_those_of_the_differential_equation() {
    let motion = waves();
    let reference = Reference::Motion(&motion);
    for damping in [2.0, 60.0, 5e3, 1e5] {
        let robot = arm(damping);
        let mut wound = Wound::new(&robot, reference.clone(), true);
        let (mut scratch, mut motor) = (InverseScratch::new(robot.model()), MotorMotion::zero(&robot));
        let mut rate = |t: f64, delta: &[f64]| -> Vec<f64> {
            let state = motion.state(robot.model(), motion.start + t);
            let derivatives = [&state.qd[..], &state.qdd, &state.qddd, &state.qdddd];
            damped_inverse_dynamics_into(
                &robot,
                &state.q,
                &derivatives,
                delta,
                &state.wrenches,
                &mut scratch,
                &mut motor,
            );
            (0..2).map(|k| motor.theta_d[k] - state.qd[k]).collect()
        };
        let mut delta = vec![0.0; 2];
        wound.deflection_into(0.0, &mut delta);
        assert!(rate(0.0, &delta).iter().all(|x| x.abs() < 1e-12), "springs start at rest");
        let count = 40_000;
        let h = 0.4 / f64::from(count);
        let off =
            |delta: &[f64], rate: &[f64], h: f64| -> Vec<f64> { (0..2).map(|k| delta[k] + h * rate[k]).collect() };
        for i in 0..count {
            let t = f64::from(i) * h;
            let a = rate(t, &delta);
            let b = rate(t + 0.5 * h, &off(&delta, &a, 0.5 * h));
            let c = rate(t + 0.5 * h, &off(&delta, &b, 0.5 * h));
            let d = rate(t + h, &off(&delta, &c, h));
            (0..2).for_each(|k| delta[k] += h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
        }
        let mut found = vec![0.0; 2];
        wound.deflection_into(0.4, &mut found);
        println!("damping {damping}: {found:?}");
        assert_close("δ", &found, &delta, 1e-9);
        // Asking again, and for an earlier time, changes nothing.
        let mut again = vec![0.0; 2];
        wound.deflection_into(0.1, &mut again);
        wound.deflection_into(0.4, &mut again);
        assert_eq!(found, again);
    }
}

#[test]
fn feed_forward_with_damping_follows_without_feedback_and_without_it_does_not() {
    let motion = swing(Degree::Nonic);
    for damping in [0.0, 5.0, 80.0, 2e3] {
        let robot = arm(damping);
        let exact = follow(&robot, &robot, &motion, 1.2);
        let dropped = follow(&arm(0.0), &robot, &motion, 1.2);
        let [good, bad] = [&exact, &dropped].map(|run| run.largest_error(0.0));
        println!("damping {damping}: error {good:.1e}, with the damping left out {bad:.1e}");
        assert!(good < 3e-8, "damping {damping}: {good:e}");
        assert!(damping == 0.0 || bad > 1e3 * good, "damping {damping}: {bad:e}");
    }
}

/// Between two rests: a spline whose jerk vanishes at the ends leaves the arm, links and rotors, at rest; where its snap vanishes
/// too, the torque does not jump.
#[test]
fn feed_forward_along_splines_of_order_seven_and_nine_ends_at_rest() {
    let robot = arm(0.0);
    let after = |degree: Degree| {
        let run = follow(&robot, &robot, &swing(degree), 1.0);
        let late = run.samples.iter().filter(|sample| sample.t > 0.8);
        let speed = late.flat_map(|sample| sample.qd.clone()).fold(0.0_f64, |m, x| m.max(x.abs()));
        let near = |t: f64| run.samples.iter().find(|sample| sample.t > t).unwrap().tau[1];
        (speed, (near(0.7995) - near(0.8005)).abs())
    };
    let found = [Degree::Quintic, Degree::Septic, Degree::Nonic].map(after);
    println!("speed left, rad/s, and jump of the torque, N m: {found:?}");
    let [quintic, septic, nonic] = found;
    assert!(nonic.0 < 1e-7 && septic.0 < 1e-7 && quintic.0 > 1e-3, "{found:?}");
    assert!(nonic.1 < 0.1 * septic.1, "{found:?}");
}
