//! Simulation against the laws of mechanics: energy, momentum, work; closed solutions; and the orders of the integrators.

use jourdain::formats::{self, Format};
use jourdain::simulate::{
    Equations, IntegrationError, Interpolation, Options, Rk4, RobotEquations, SimulationError, Torque, TorqueTable,
    Trajectory, run,
};
use jourdain::spatial::{Vector, Wrench};
use jourdain::state::LinkWrench;
use jourdain::{Model, Scalar, State, robots};
use jourdain_symbolic::{Dual, Lanes};

fn parse(text: &str) -> Model {
    let reading = formats::read_str(text, Format::Toml);
    Model::from_description(&reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))).unwrap()
}

/// A built-in robot with other gravity.
fn with_gravity(name: &str, gravity: [f64; 3]) -> Model {
    let mut description = robots::find(name).unwrap().read().description.unwrap().into_description();
    description.gravity = gravity.map(jourdain::model::Number::from);
    Model::from_description(&description).unwrap()
}

/// A lively start: every joint somewhere and moving.
fn lively(model: &Model, speed: f64) -> State {
    let mut state = State::neutral(model);
    for (i, q) in state.q.iter_mut().enumerate() {
        *q += 0.4 * (1.3 * i as f64 + 0.5).sin();
    }
    for (i, w) in state.qd.iter_mut().enumerate() {
        *w = speed * (0.7 * i as f64).cos();
    }
    state.checked(model).unwrap()
}

fn simulate(model: &Model, start: &State, torque: &Torque, duration: f64, steps: u32) -> Trajectory {
    let options = Options { duration, step: duration / f64::from(steps), ..Options::default() };
    run(model, start, torque, &options, |_| ()).unwrap()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// That errors fall sixteenfold from halving to halving of the step.
#[track_caller]
fn assert_order_four(what: &str, errors: &[f64]) {
    let slopes: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    assert!(slopes.iter().all(|slope| (3.8..4.3).contains(slope)), "{what}: errors {errors:?}, slopes {slopes:.3?}");
}

/// A body on a spherical joint at its centre of mass, two of its moments of inertia equal.
const TOP: &str = "name = 'top'\ngravity = [0, 0, 0]\n[[link]]\nname = 'top'\nmass = 1.0\ninertia = [0.2, 0, 0, 0.2, 0, 0.3]\n\
                   joint = { type = 'spherical' }\n";

/// A mass of 2 kg on rails, without gravity.
const SLIDER: &str = "name = 'slider'\ngravity = [0, 0, 0]\n[[link]]\nname = 'cart'\nmass = 2.0\n\
                      joint = { type = 'prismatic', axis = [1, 0, 0], limits = [-1.0, 0.5] }\n";

#[test]
fn energy_drift_of_rk4_falls_as_the_fourth_power_of_the_step() {
    for (name, speed, duration, coarsest) in
        [("planar2r", 1.0, 1.0, 100), ("puma560", 1.0, 0.5, 50), ("floating_humanoid25", 0.5, 0.25, 16)]
    {
        let model = robots::load(name).unwrap();
        let start = lively(&model, speed);
        let drift = |k: u32| simulate(&model, &start, &Torque::None, duration, coarsest << k).energy_drift();
        assert_order_four(name, &(0..4).map(drift).collect::<Vec<_>>());
    }
}

#[test]
fn momentum_of_a_floating_tree_without_gravity_is_constant_to_fourth_order() {
    let model = with_gravity("floating_humanoid25", [0.0; 3]);
    let start = lively(&model, 0.5);
    let runs: Vec<_> = (0..4).map(|k| simulate(&model, &start, &Torque::None, 0.25, 16 << k)).collect();
    for (part, name) in ["linear", "angular"].into_iter().enumerate() {
        let drift = |run: &Trajectory| run.momentum_drift().unwrap()[part];
        assert_order_four(name, &runs.iter().map(drift).collect::<Vec<_>>());
    }
}

#[test]
fn momentum_of_a_falling_tree_changes_by_its_weight_alone() {
    let model = robots::load("floating_humanoid25").unwrap();
    let start = lively(&model, 0.5);
    let motion = simulate(&model, &start, &Torque::None, 0.25, 128);
    let [linear, angular] = motion.momentum_drift().unwrap();
    let weight = 9.80665 * model.total_mass();
    assert!(linear < 1e-8 * weight && angular < 1e-8 * weight, "{linear} {angular}");
    // The impulse as a second witness: own momentum at the end is momentum less m g t.
    let last = motion.samples.last().unwrap();
    let momentum = jourdain::simulate::momentum::momentum(&model, &last.q, &last.qd);
    let before = jourdain::simulate::momentum::momentum(&model, &start.q, &start.qd);
    let change = momentum.force - before.force;
    assert!(distance(&change.0, &[0.0, 0.0, -weight * 0.25]) < 1e-8 * weight, "{change:?}");
}

#[test]
fn torques_inside_a_floating_tree_leave_its_momentum_alone() {
    let model = robots::load("floating_humanoid25").unwrap();
    let mut tau = vec![0.0; model.nv()];
    tau[6..].iter_mut().enumerate().for_each(|(i, tau)| *tau = 3.0 * (i as f64).sin());
    let (start, torque) = (lively(&model, 0.5), Torque::Constant(tau));
    let runs: Vec<_> = (0..3).map(|k| simulate(&model, &start, &torque, 0.1, 100 << k)).collect();
    let drifts = |part: usize| runs.iter().map(|run| run.momentum_drift().unwrap()[part]).collect::<Vec<_>>();
    assert_order_four("linear", &drifts(0));
    assert_order_four("angular", &drifts(1));
    assert_order_four("energy", &runs.iter().map(Trajectory::energy_drift).collect::<Vec<_>>());
    assert!(runs[2].samples.last().unwrap().work.abs() > 0.1);
}

#[test]
fn fixed_robots_have_no_momentum_to_conserve() {
    let model = robots::load("planar2r").unwrap();
    assert_eq!(simulate(&model, &lively(&model, 1.0), &Torque::None, 0.1, 10).momentum_drift(), None);
}

/// Free symmetric top: ω precesses about its axis at (1 − C/A) ω_z, and the attitude turns about the constant angular
/// momentum L at |L|/A after a turn about its own axis.
#[test]
fn a_symmetric_top_follows_its_closed_solution_to_fourth_order() {
    use jourdain::spatial::Quaternion;
    let model = parse(TOP);
    let (a, c, duration) = (0.2, 0.3, 2.0);
    let omega = [0.6, -0.8, 3.0];
    let start = State { qd: omega.to_vec(), ..State::neutral(&model) };
    let rate = (1.0 - c / a) * omega[2];
    let momentum = Vector([a * omega[0], a * omega[1], c * omega[2]]);
    let (sin, cos) = (rate * duration).sin_cos();
    let expected_w = [omega[0] * cos + omega[1] * sin, omega[1] * cos - omega[0] * sin, omega[2]];
    let expected_q =
        Quaternion::exp(momentum.times(duration / a)) * Quaternion::exp(Vector([0.0, 0.0, rate * duration]));
    let error = |k: u32| {
        let motion = simulate(&model, &start, &Torque::None, duration, 50 << k);
        let last = motion.samples.last().unwrap();
        let q = Quaternion::new([last.q[0], last.q[1], last.q[2], last.q[3]]);
        let between = (q.conjugate() * expected_q).log();
        between.norm().max(distance(&last.qd, &expected_w))
    };
    assert_order_four("top", &(0..4).map(error).collect::<Vec<_>>());
}

#[test]
fn quaternions_stay_unit() {
    let top = parse(TOP);
    let start = State { qd: vec![4.0, -7.0, 11.0], ..State::neutral(&top) };
    let humanoid = robots::load("floating_humanoid25").unwrap();
    let runs = [
        (simulate(&top, &start, &Torque::None, 10.0, 2000), 0),
        (simulate(&humanoid, &lively(&humanoid, 1.0), &Torque::None, 0.2, 50), 3),
    ];
    for (motion, at) in runs {
        for sample in &motion.samples {
            let norm = sample.q[at..at + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() <= 1e-15, "{norm:e} at {}", sample.t);
        }
    }
}

#[test]
fn a_damped_arm_loses_exactly_the_work_of_friction() {
    let text = robots::find("planar2r")
        .unwrap()
        .text
        .replace("joint = { type = \"revolute\"", "motor = { viscous = 0.8 }\njoint = { type = \"revolute\"");
    let model = parse(&text);
    let start = lively(&model, 2.0);
    let runs: Vec<_> = (0..4).map(|k| simulate(&model, &start, &Torque::None, 1.0, 100 << k)).collect();
    assert_order_four("damped arm", &runs.iter().map(Trajectory::energy_drift).collect::<Vec<_>>());
    // A second witness for the work: Simpson's rule on the power −0.8 |w|² of the finest samples.
    let samples = &runs[3].samples;
    let power = |i: usize| -0.8 * samples[i].qd.iter().map(|w| w * w).sum::<f64>();
    let h = samples[1].t - samples[0].t;
    let simpson: f64 =
        (0..samples.len() - 2).step_by(2).map(|i| h / 3.0 * (power(i) + 4.0 * power(i + 1) + power(i + 2))).sum();
    let (first, last) = (&samples[0], samples.last().unwrap());
    assert!((last.work - simpson).abs() < 1e-8 * simpson.abs(), "{} {simpson}", last.work);
    assert!((last.energy() - first.energy() - simpson).abs() < 1e-7 * simpson.abs());
    assert!(simpson < -1.0);
}

#[test]
fn a_braked_slider_decays_exponentially() {
    let text = format!("{}motor = {{ viscous = 3.0 }}\n", SLIDER);
    let model = parse(&text);
    let start = State { qd: vec![1.2], ..State::neutral(&model) };
    let last = simulate(&model, &start, &Torque::None, 1.0, 1000).samples.pop().unwrap();
    let expected = 1.2 * (-1.5_f64).exp();
    assert!((last.qd[0] - expected).abs() < 1e-12, "{} {expected}", last.qd[0]);
    assert!((last.q[0] - (1.2 - expected) / 1.5).abs() < 1e-12);
}

/// RK4 is exact on cubics, so a table whose rows lie between the steps must give the closed solution to rounding.
#[test]
fn tables_are_followed_exactly_though_their_rows_lie_between_the_steps() {
    let model = parse(SLIDER);
    let rows = || vec![(0.0, vec![1.0]), (1.0 / 3.0, vec![4.0]), (0.77, vec![-2.0])];
    let start = State { q: vec![-0.5], qd: vec![0.1], ..State::neutral(&model) };
    for interpolation in [Interpolation::Linear, Interpolation::Hold] {
        let torque = Torque::Table(TorqueTable::new(rows(), interpolation).unwrap());
        let motion = simulate(&model, &start, &torque, 1.0, 10);
        // Force f0 + slope·s over a piece of length s.
        let (mut x, mut v) = (-0.5, 0.1);
        let mut pieces = rows();
        pieces.push((1.0, vec![-2.0]));
        for pair in pieces.windows(2) {
            let (s, f0, f1) = (pair[1].0 - pair[0].0, pair[0].1[0], pair[1].1[0]);
            let slope = if interpolation == Interpolation::Hold { 0.0 } else { (f1 - f0) / s };
            x += v * s + (f0 / 2.0 + slope * s / 6.0) * s * s / 2.0;
            v += (f0 + slope * s / 2.0) * s / 2.0;
        }
        let last = motion.samples.last().unwrap();
        assert!((last.q[0] - x).abs() < 1e-14 && (last.qd[0] - v).abs() < 1e-14, "{interpolation:?}: {last:?} {x} {v}");
        assert!(motion.energy_drift() < 1e-14);
        assert_eq!(motion.samples.len(), 11);
    }
}

#[test]
fn a_constant_force_on_a_free_body_pushes_it_along() {
    let model = parse(
        "name = 'brick'\ngravity = [0, 0, 0]\n[[link]]\nname = 'brick'\nmass = 2.0\ninertia = [0.1, 0, 0, 0.2, 0, 0.3]\n\
         joint = { type = 'free' }\n",
    );
    let wrench = Wrench { force: Vector([3.0, 0.0, 0.0]), moment: Vector([0.0, 0.0, 0.6]) };
    let start = State { wrenches: vec![LinkWrench::constant(0, wrench)], ..State::neutral(&model) };
    let motion = simulate(&model, &start, &Torque::None, 1.0, 200);
    let last = motion.samples.last().unwrap();
    // Turning about z with 2 rad/s²; the force turns along.
    assert!((last.qd[5] - 2.0).abs() < 1e-12);
    assert!(motion.energy_drift() < 1e-9, "{}", motion.energy_drift());
    let [linear, angular] = motion.momentum_drift().unwrap();
    assert!(linear < 1e-9 && angular < 1e-9, "{linear} {angular}");
    // The same wrench as a torque on the free joint gives the same motion, and the same account of it.
    let torque = Torque::Constant(wrench.to_array().to_vec());
    let other = simulate(&model, &State::neutral(&model), &torque, 1.0, 200);
    assert!(distance(&other.samples.last().unwrap().q, &last.q) < 1e-13);
    assert!(other.energy_drift() < 1e-9 && other.momentum_drift().unwrap()[0] < 1e-9);
}

/// Integrates over any scalar.
fn integrate<S: Scalar<Constant = f64>>(model: &Model, q: &[S], w: &[S], steps: u32, h: f64) -> Vec<S> {
    let torque = Torque::None;
    let mut equations = RobotEquations::new(model, &torque, &[]);
    let mut y = equations.start(q, w);
    let mut rk4 = Rk4::new(equations.size());
    (0..steps).for_each(|k| rk4.step(&mut equations, f64::from(k) * h, h, &mut y));
    y
}

#[test]
fn duals_carry_the_sensitivity_to_the_start() {
    let model = robots::load("planar2r").unwrap();
    let start = lively(&model, 1.0);
    let dual = |v: &[f64], seed: f64| v.iter().map(|&x| Dual::new(x, seed)).collect::<Vec<_>>();
    let found = integrate(&model, &dual(&start.q, 1.0), &dual(&start.qd, 0.0), 50, 0.01);
    let moved = |by: f64| integrate(&model, &start.q.iter().map(|q| q + by).collect::<Vec<_>>(), &start.qd, 50, 0.01);
    let (plus, minus) = (moved(1e-5), moved(-1e-5));
    for i in 0..4 {
        let expected = (plus[i] - minus[i]) / 2e-5;
        assert!(
            (found[i].derivative - expected).abs() < 1e-7 * expected.abs().max(1.0),
            "{i}: {:?} {expected}",
            found[i]
        );
    }
}

#[test]
fn lanes_carry_four_motions_at_once() {
    let model = parse(TOP);
    let speeds = [1.0, 2.0, -3.0, 0.5];
    let q: Vec<Lanes<4>> = model.neutral();
    let w = [1.0, -2.0, 0.7].map(|x| Lanes(speeds.map(|speed| speed * x)));
    let together = integrate(&model, &q, &w, 40, 0.02);
    for (lane, speed) in speeds.into_iter().enumerate() {
        let alone = integrate(&model, &model.neutral(), &[speed, -2.0 * speed, 0.7 * speed], 40, 0.02);
        let lane: Vec<f64> = together.iter().map(|y| y.0[lane]).collect();
        assert!(distance(&lane, &alone) < 1e-14);
    }
}

#[test]
fn a_joint_at_the_end_of_its_range_stops_the_motion_at_that_time() {
    let model = parse(SLIDER);
    let start = State { qd: vec![0.7], ..State::neutral(&model) };
    let options = Options { step: 0.3, stop_at_limits: true, ..Options::default() };
    let motion = run(&model, &start, &Torque::None, &options, |_| ()).unwrap();
    let hit = motion.stopped.clone().unwrap();
    assert_eq!((hit.joint.as_str(), hit.limit), ("cart", 0.5));
    assert!((hit.t - 0.5 / 0.7).abs() < 1e-12 && motion.samples.last().unwrap().t == hit.t);
    let free = run(&model, &start, &Torque::None, &Options { stop_at_limits: false, ..options }, |_| ()).unwrap();
    assert!(free.stopped.is_none() && free.samples.last().unwrap().q[0] > 0.5);
    let outside = State { q: vec![0.6], ..start };
    let error = run(&model, &outside, &Torque::None, &options, |_| ()).unwrap_err();
    assert!(matches!(error, SimulationError::StartsBeyondLimit { position: 0.6, .. }), "{error}");
}

#[test]
fn samples_stand_where_they_are_asked_for() {
    let model = parse(SLIDER);
    let times = |step: f64, every: u64| {
        let options = Options { step, every, ..Options::default() };
        let motion = run(&model, &State::neutral(&model), &Torque::None, &options, |_| ()).unwrap();
        motion.samples.iter().map(|sample| sample.t).collect::<Vec<_>>()
    };
    assert_eq!(times(0.25, 1), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(times(0.25, 3), [0.0, 0.75, 1.0]);
    assert_eq!(times(0.4, 1), [0.0, 0.4, 0.8, 1.0]);
    assert_eq!(times(7.0, 9), [0.0, 1.0]);
}

#[test]
fn bad_options_and_bad_states_are_errors() {
    let model = robots::load("planar2r").unwrap();
    let neutral = State::neutral(&model);
    let good = Options::default();
    for options in [
        Options { step: -1e-3, ..good },
        Options { step: 0.0, ..good },
        Options { step: f64::NAN, ..good },
        Options { duration: f64::INFINITY, ..good },
        Options { duration: -1.0, ..good },
        Options { every: 0, ..good },
    ] {
        let error = run(&model, &neutral, &Torque::None, &options, |_| ()).unwrap_err();
        assert!(matches!(error, SimulationError::Option { .. }), "{error}");
    }
    let error = run(&model, &neutral, &Torque::None, &Options { step: 1e-12, ..good }, |_| ()).unwrap_err();
    assert!(matches!(error, SimulationError::TooManySamples { .. }), "{error}");
    let error = run(&model, &neutral, &Torque::Constant(vec![1.0]), &good, |_| ()).unwrap_err();
    assert!(matches!(error, SimulationError::TorqueLength { found: 1, expected: 2, .. }), "{error}");
    for bad in [State { q: vec![0.0], ..neutral.clone() }, State { qd: vec![f64::NAN, 0.0], ..neutral.clone() }] {
        let error = run(&model, &bad, &Torque::None, &good, |_| ()).unwrap_err();
        assert!(matches!(error, SimulationError::State(_)), "{error}");
    }
    let error = run(&model, &neutral, &Torque::Constant(vec![f64::NAN, 0.0]), &good, |_| ()).unwrap_err();
    assert!(matches!(error, SimulationError::State(_)), "{error}");
}

#[test]
fn an_unstable_motion_is_an_error_with_its_time() {
    let model = robots::load("planar2r").unwrap();
    let start = State { qd: vec![1e3, -2e3], ..State::neutral(&model) };
    let options = Options { duration: 100.0, step: 0.1, ..Options::default() };
    match run(&model, &start, &Torque::None, &options, |_| ()) {
        Err(SimulationError::Integration(IntegrationError::NotFinite { t })) => assert!(t < 100.0),
        other => panic!("{other:?}"),
    }
}

mod adaptive {
    use super::*;
    use jourdain::simulate::Method;

    fn adaptive(tolerance: f64) -> Options {
        let method = Method::Adaptive { relative: tolerance, absolute: tolerance };
        Options { duration: 0.5, step: 0.01, method, ..Options::default() }
    }

    #[test]
    fn it_agrees_with_many_small_fixed_steps_at_every_sample() {
        for (name, tolerance) in [("planar2r", 1e-10), ("puma560", 1e-9)] {
            let model = robots::load(name).unwrap();
            let start = lively(&model, 1.0);
            let fine = Options { duration: 0.5, step: 2.5e-4, every: 40, ..Options::default() };
            let fixed = run(&model, &start, &Torque::None, &fine, |_| ()).unwrap();
            let found = run(&model, &start, &Torque::None, &adaptive(tolerance), |_| ()).unwrap();
            assert_eq!(fixed.samples.len(), found.samples.len());
            let mut worst = 0.0_f64;
            for (a, b) in fixed.samples.iter().zip(&found.samples) {
                assert!((a.t - b.t).abs() < 1e-12);
                let scale = a.qd.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                worst = worst.max(distance(&a.q, &b.q).max(distance(&a.qd, &b.qd)) / scale);
            }
            // The tolerance is what each step may err by.
            assert!(worst <= tolerance * found.steps as f64, "{name}: {worst:.2e}");
            assert!(found.steps * 10 < fixed.steps);
        }
    }

    #[test]
    fn a_tighter_tolerance_gives_less_drift() {
        let model = robots::load("planar2r").unwrap();
        let start = lively(&model, 2.0);
        let drift =
            |tolerance: f64| run(&model, &start, &Torque::None, &adaptive(tolerance), |_| ()).unwrap().energy_drift();
        let drifts = [1e-4, 1e-7, 1e-10].map(drift);
        assert!(drifts[0] > 30.0 * drifts[1] && drifts[1] > 30.0 * drifts[2] && drifts[2] < 1e-8, "{drifts:?}");
    }

    #[test]
    fn quaternions_are_unit_and_the_closed_solution_of_the_top_is_met() {
        let model = parse(TOP);
        let start = State { qd: vec![0.6, -0.8, 3.0], ..State::neutral(&model) };
        let options = Options { duration: 20.0, step: 0.5, ..adaptive(1e-11) };
        let motion = run(&model, &start, &Torque::None, &options, |_| ()).unwrap();
        for sample in &motion.samples {
            let norm = sample.q.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() <= 1e-15);
            let (sin, cos) = (-1.5 * sample.t).sin_cos();
            let expected = [0.6 * cos - 0.8 * sin, -0.8 * cos - 0.6 * sin, 3.0];
            assert!(distance(&sample.qd, &expected) < 1e-9, "{sample:?} {expected:?}");
        }
    }

    #[test]
    fn tables_and_limits_are_met_exactly() {
        let model = parse(SLIDER);
        let rows = vec![(0.0, vec![1.0]), (1.0 / 3.0, vec![4.0]), (0.77, vec![-2.0])];
        let torque = Torque::Table(TorqueTable::new(rows, Interpolation::Hold).unwrap());
        let options = Options { duration: 1.0, step: 0.1, ..adaptive(1e-9) };
        let start = State { q: vec![-0.5], ..State::neutral(&model) };
        let by_table = run(&model, &start, &torque, &options, |_| ()).unwrap();
        let fixed = run(&model, &start, &torque, &Options { method: Method::Rk4, ..options }, |_| ()).unwrap();
        assert!(distance(&by_table.samples[10].q, &fixed.samples[10].q) < 1e-13);
        let moving = State { qd: vec![0.7], ..State::neutral(&model) };
        let options = Options { stop_at_limits: true, ..options };
        let hit = run(&model, &moving, &Torque::None, &options, |_| ()).unwrap().stopped.unwrap();
        assert!((hit.t - 0.5 / 0.7).abs() < 1e-12, "{}", hit.t);
    }

    #[test]
    fn a_motion_that_cannot_be_followed_is_an_error() {
        let model = robots::load("planar2r").unwrap();
        let start = State { qd: vec![1e200, -1e200], ..State::neutral(&model) };
        let error = run(&model, &start, &Torque::None, &adaptive(1e-9), |_| ()).unwrap_err();
        assert!(error.is_breakdown(), "{error}");
        for tolerance in [0.0, -1.0, f64::NAN] {
            let error = run(&model, &State::neutral(&model), &Torque::None, &adaptive(tolerance), |_| ()).unwrap_err();
            assert!(matches!(error, SimulationError::Option { .. }), "{error}");
        }
    }
}
