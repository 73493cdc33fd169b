//! Forward dynamics of hundreds and thousands of joints: right to rounding, by numbers of twice the precision, and in a time
//! that grows with their number.

use crate::common::random_tree::Random;
use crate::double::Double;
use jourdain::dynamics::recursive;
use jourdain::simulate::{Rigid, Simulation};
use jourdain::{Model, Workspace};
use jourdain_symbolic::Scalar as _;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

/// `arms` chains of `joints` joints on a trunk of `trunk` joints, one in five of them sliding.
fn tree(trunk: usize, arms: usize, joints: usize) -> Model {
    let mut text = "name = \"tree\"\n".to_owned();
    let mut link = |name: &str, parent: &str, k: usize| {
        let joint = match k % 5 {
            4 => "type = \"prismatic\", axis = [0, 0, 1], limits = [-1, 1]",
            3 => "type = \"continuous\", axis = [1, 0, 0]",
            1 => "type = \"continuous\", axis = [0, 1, 0]",
            _ => "type = \"continuous\", axis = [0, 0, 1]",
        };
        write!(
            text,
            "[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\nmass = 1.0\ncom = [0.05, 0.01, 0.02]\n\
             inertia = [0.01, 0, 0, 0.012, 0, 0.011]\norigin = {{ xyz = [0.1, 0, 0.02], rpy = [0.3, 0, 0.1] }}\njoint = {{ {joint} }}\n"
        )
        .unwrap();
    };
    let name = |prefix: &str, k: usize| format!("{prefix}{k}");
    for k in 0..trunk {
        link(&name("t", k), &k.checked_sub(1).map_or("base".to_owned(), |k| name("t", k)), k);
    }
    let root = trunk.checked_sub(1).map_or("base".to_owned(), |k| name("t", k));
    for arm in 0..arms {
        let prefix = format!("a{arm}_");
        for k in 0..joints {
            link(&name(&prefix, k), &k.checked_sub(1).map_or(root.clone(), |k| name(&prefix, k)), k);
        }
    }
    text.parse().unwrap()
}

struct Input {
    q: Vec<f64>,
    qd: Vec<f64>,
    tau: Vec<f64>,
}

fn input(model: &Model, seed: u64) -> Input {
    let random = &mut Random::new(seed);
    let n = model.nv();
    Input { q: random.vector(n, 1.0), qd: random.vector(n, 0.5), tau: random.vector(n, 10.0) }
}

/// The largest differences from the same formulas in twice the precision, over the largest acceleration: of forward dynamics,
/// and of the factor of M.
fn errors(model: &Model, at: &Input) -> [f64; 2] {
    let wide = |x: &[f64]| -> Vec<Double> { x.iter().map(|&x| Double::from(x)).collect() };
    let (n, workspace) = (model.nv(), &mut Workspace::new(model));
    let mut exact = vec![Double::zero(); n];
    recursive::forward_dynamics_by_factor_into(
        model,
        &wide(&at.q),
        &wide(&at.qd),
        &wide(&at.tau),
        &[],
        &mut Workspace::new(model),
        &mut exact,
    );
    let (mut chosen, mut factored) = (vec![0.0; n], vec![0.0; n]);
    recursive::forward_dynamics_into(model, &at.q, &at.qd, &at.tau, &[], workspace, &mut chosen);
    recursive::forward_dynamics_by_factor_into(model, &at.q, &at.qd, &at.tau, &[], workspace, &mut factored);
    let largest = exact.iter().fold(0.0_f64, |most, x| most.max(x.high.abs()));
    let off = |(found, exact): (&f64, &Double)| (Double::from(*found) - *exact).high.abs();
    [chosen, factored].map(|found| found.iter().zip(&exact).map(off).fold(0.0, f64::max) / largest)
}

#[test]
fn forward_dynamics_of_large_trees_is_right_to_rounding() {
    for (trunk, arms, joints, bound) in [(0, 1, 12, 1e-12), (0, 1, 100, 1e-11), (0, 1, 400, 3e-10), (10, 20, 20, 1e-11)]
    {
        let model = tree(trunk, arms, joints);
        let [chosen, factored] = errors(&model, &input(&model, 7));
        assert!(chosen < bound, "{} joints: {chosen:e}, by the factor {factored:e}", model.nv());
        let gains = joints < 400 || chosen < 0.1 * factored;
        assert!(gains, "{} joints: {chosen:e}, by the factor {factored:e}", model.nv());
    }
}

#[test]
fn the_witness_has_thirty_digits() {
    let (sin, cos) = Double::from(1.3).sin_cos();
    assert!((sin * sin + cos * cos - Double::one()).high.abs() < 1e-28);
    let root = Double::from(2.0).sqrt();
    assert!((root * root - Double::from(2.0)).high.abs() < 1e-30);
    assert!((Double::one() / Double::from(3.0) * Double::from(3.0) - Double::one()).high.abs() < 1e-30);
    let (s, c) = 1.3_f64.sin_cos();
    assert!((sin.high - s).abs() < 1e-15 && (cos.high - c).abs() < 1e-15);
}

#[test]
fn both_ways_agree_on_either_side_of_the_choice() {
    for joints in [8, 14, 17, 18, 26, 40] {
        let model = tree(0, 1, joints);
        let (at, workspace) = (input(&model, 3), &mut Workspace::new(&model));
        let (mut a, mut b) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
        recursive::forward_dynamics_by_factor_into(&model, &at.q, &at.qd, &at.tau, &[], workspace, &mut a);
        recursive::articulated_body_into(&model, &at.q, &at.qd, &at.tau, &[], workspace, &mut b);
        crate::common::assert_close(&format!("{joints} joints"), &a, &b, 1e-10);
    }
    assert!(!tree(0, 1, 7).body_tree().is_large() && !tree(3, 4, 7).body_tree().is_large());
    assert!(tree(0, 1, 100).body_tree().is_large());
}

/// Seconds of a call, the least of several.
fn seconds(mut call: impl FnMut()) -> f64 {
    let run = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64()
    };
    (0..5).map(|_| run(&mut call)).fold(f64::INFINITY, f64::min)
}

#[test]
fn time_grows_with_the_number_of_joints_up_to_ten_thousand() {
    let [few, many] = [1000, 10_000].map(|joints| {
        let model = tree(0, 1, joints);
        let (at, workspace) = (input(&model, 1), &mut Workspace::new(&model));
        let mut out = vec![0.0; model.nv()];
        let time =
            seconds(|| recursive::forward_dynamics_into(&model, &at.q, &at.qd, &at.tau, &[], workspace, &mut out));
        assert!(out.iter().all(|x| x.is_finite()));
        time
    });
    // Ten times the joints; their square would be a hundred times, their cube a thousand.
    assert!(many < 40.0 * few, "{few} s for 1000 joints, {many} s for 10 000");
}

#[test]
fn a_thousand_joints_are_simulated() {
    let model = tree(0, 1, 1000);
    let robot = Rigid::new(&model);
    let mut simulation = Simulation::new(&robot);
    (simulation.options.duration, simulation.options.step) = (2e-3, 1e-3);
    let motion = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(motion.energy_drift() < 1e-3, "{}", motion.energy_drift());
}
