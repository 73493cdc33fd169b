//! Simulations that make no sense are refused before they begin, by their reason; those that break down say how far they came.

use jourdain::elastic::ElasticModel;
use jourdain::flexible::FlexibleArm;
use jourdain::simulate::{
    AdaptiveLaw, Elastic, Equations as _, Flexible, Gains, Interpolation, Law, Method, Reference, Rigid, Rk4,
    RobotEquations, Simulation, SimulationError, Start, System, Torque, TorqueTable,
};
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Model, arms, robots};
use std::ops::ControlFlow;

type Change = fn(&mut Simulation<'_>);

const SLIDER: &str = "name = 'slider'\ngravity = [0, 0, 0]\n[[link]]\nname = 'cart'\nmass = 2.0\n\
                      joint = { type = 'prismatic', axis = [1, 0, 0], limits = [-1.0, 0.5] }\n";

fn two_link_arm() -> FlexibleArm<f64> {
    arms::find("two_link_flexible").unwrap().read().description.unwrap().build().unwrap().arm
}

fn refused(system: &dyn System, change: Change) -> SimulationError {
    let mut simulation = Simulation::new(system);
    simulation.options.duration = 0.01;
    change(&mut simulation);
    simulation.run(&mut |_| ControlFlow::Continue(())).unwrap_err()
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let planar = robots::load("planar2r").unwrap();
    let slider: Model = SLIDER.parse().unwrap();
    let arm = two_link_arm();
    let (planar, slider, arm) = (Rigid::new(&planar), Rigid::new(&slider), Flexible::new(&arm));
    let cases: &[(&dyn System, Change, &str, &str)] = &[
        (
            &slider,
            |it| it.wrappers.saturate = true,
            "no-effort-limit",
            "slider gives no drive a largest torque (`effort`), so that nothing can saturate",
        ),
        (
            &arm,
            |it| it.wrenches = vec![LinkWrench::constant(0, Wrench::zero())],
            "no-wrenches",
            "two_link_flexible takes no wrenches",
        ),
        (
            &planar,
            |it| it.wrenches = vec![LinkWrench::constant(9, Wrench::zero())],
            "bad-state",
            "a wrench acts on link number 9, but planar2r has 3 links",
        ),
        (
            &planar,
            |it| it.law = Law::Pd(Gains { position: vec![1.0; 3], velocity: Vec::new() }),
            "wrong-length",
            "the position gain must have 1 or 2 numbers for planar2r, not 3",
        ),
        (
            &slider,
            |it| it.law = Law::Pd(Gains { position: vec![1.0], velocity: vec![1.0; 2] }),
            "wrong-length",
            "the velocity gain must have 1 numbers for slider, not 2",
        ),
        (
            &planar,
            |it| it.law = Law::PdGravity(Gains::uniform(f64::NAN, 1.0)),
            "bad-option",
            "the position gain must be a finite number, not NaN",
        ),
        (
            &planar,
            |it| {
                it.law = Law::ComputedTorque(Gains::default());
                it.reference = Some(Reference::Rest(vec![0.0; 3]));
            },
            "wrong-length",
            "the reference must have 2 numbers for planar2r, not 3",
        ),
        (
            &planar,
            |it| it.law = Law::Adaptive(AdaptiveLaw { adaptation: vec![-1.0], ..AdaptiveLaw::default() }),
            "bad-option",
            "the adaptation gain must be zero or a positive number, not -1",
        ),
        (
            &planar,
            |it| it.options.method = Method::Adaptive { relative: 1e-6, absolute: 0.0 },
            "bad-option",
            "the absolute tolerance must be a positive number, not 0",
        ),
        (
            &arm,
            |it| it.law = Law::FeedForward(Gains::default()),
            "unsupported-law",
            "two_link_flexible, a system with flexible parts, cannot take the law `feed-forward`; it takes none, constant, \
             table, pd, pd-gravity, computed-torque, strain-feedback, custom",
        ),
    ];
    for (system, change, kind, message) in cases {
        let error = refused(*system, *change);
        assert_eq!((error.kind(), error.to_string().as_str()), (*kind, *message));
        assert!(!error.is_breakdown() && error.reached().is_none(), "{error}");
    }
}

#[test]
fn a_law_that_takes_the_robot_for_one_of_another_size_is_refused() {
    let [planar, iiwa] = ["planar2r", "iiwa14"].map(|name| robots::load(name).unwrap());
    let (planar, iiwa) = (Rigid::new(&planar), Rigid::new(&iiwa));
    let mut simulation = Simulation::new(&planar);
    simulation.nominal = Some(&iiwa);
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.to_string(), "the nominal system's state must have 4 numbers for planar2r, not 14");
    assert_eq!(error.kind(), "wrong-length");
}

/// Adaptive control learns parameters, and the regressor has no columns for a shaft.
#[test]
fn adaptive_control_does_not_take_shafts() {
    let text = "name = 'r'\n[[link]]\nname = 'a'\nmass = 1.0\ncom = [0.1, 0, 0]\njoint = { type = 'continuous' }\n\
                [[link]]\nname = 'b'\nmass = 1.0\ncom = [0.1, 0, 0]\njoint = { type = 'continuous' }\n\
                shaft = { with = { a = 1 }, inertia = 1e-4 }\n";
    let model: Model = text.parse().unwrap();
    let error = refused(&Rigid::new(&model), |it| it.law = Law::Adaptive(AdaptiveLaw::default()));
    let message = "`slotine_li_regressor` has no columns for the shaft of `b`, which turns with several joints of r";
    assert_eq!((error.kind(), error.to_string().as_str()), ("bad-quantity", message));
    let SimulationError::Quantity(error) = error else { panic!("{error}") };
    let hint = "take the shaft out of the robot file: the rest has regressors";
    assert_eq!((error.kind(), error.hint().as_deref()), ("shaft", Some(hint)));
}

#[test]
fn too_many_steps_are_told_for_every_kind_of_system() {
    let (planar, springs) = (robots::load("planar2r").unwrap(), robots::load("planar2r_elastic").unwrap());
    let (elastic, arm) = (ElasticModel::new(&springs).unwrap(), two_link_arm());
    let systems: [&dyn System; 3] = [&Rigid::new(&planar), &Elastic::new(&elastic), &Flexible::new(&arm)];
    for system in systems {
        let error = refused(system, |it| it.options.most_steps = 4);
        assert_eq!(error.kind(), "too-many-steps", "{error}");
        assert!(error.is_breakdown(), "{error}");
        let reached = error.reached().unwrap();
        assert!((reached - 4e-3).abs() < 1e-12, "{}: {reached}", system.name());
    }
}

/// An arm bent beyond its range does not begin to move, if it is to stop there.
#[test]
fn an_arm_that_starts_out_of_its_range_is_refused() {
    let arm = two_link_arm();
    let error = refused(&Flexible::new(&arm), |it| {
        it.start = Start::State { q: vec![0.0, 0.0, 0.0, 0.0, 0.6, 0.0], qd: Vec::new() };
        it.options.stop_at_limits = true;
    });
    assert_eq!((error.kind(), error.reached()), ("out-of-range", Some(0.0)));
    assert!(matches!(error, SimulationError::OutOfRange { motion: None, .. }), "{error}");
    assert!(error.is_breakdown(), "{error}");
}

#[test]
fn drives_without_strength_are_refused() {
    let arm = two_link_arm();
    for (efforts, kind, message) in [
        (vec![1.0, 0.0], "bad-option", "the largest torque must be a positive number, not 0"),
        (vec![1.0, -2.5], "bad-option", "the largest torque must be a positive number, not -2.5"),
    ] {
        let error = Flexible::new(&arm).with_efforts(&efforts).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }
    assert_eq!(Flexible::new(&arm).with_efforts(&[1.0]).unwrap_err().kind(), "bad-state");
}

#[test]
fn methods_have_the_names_that_choose_them() {
    let methods = [Method::Auto { tolerance: 1e-6 }, Method::Rk4, Method::adaptive(1e-6), Method::implicit(1e-6)];
    assert_eq!(methods.map(Method::name), ["auto", "rk4", "adaptive", "implicit"]);
}

/// 2 kg under 4 N and then −4 N: the method of order four is exact on each piece, and at the row between them the force is that
/// of the piece meant.
#[test]
fn rates_at_the_end_of_a_piece_are_those_of_the_piece() {
    let slider: Model = SLIDER.parse().unwrap();
    let rows = vec![(0.0, vec![4.0]), (0.5, vec![-4.0])];
    let torque = Torque::Table(TorqueTable::new(rows, Interpolation::Hold).unwrap());
    let mut equations = RobotEquations::new(&slider, &torque, &[]);
    assert_eq!(equations.model().name(), "slider");
    let (mut y, mut rk4) = (equations.start(&[0.0], &[0.0]), Rk4::new(equations.size()));
    for (start, position, velocity, work) in [(0.0, 0.25, 1.0, 1.0), (0.5, 0.5, 0.0, 0.0)] {
        equations.select_piece(start + 0.25);
        rk4.step(&mut equations, start, 0.5, &mut y);
        let found = [equations.position(&y)[0], equations.velocity(&y)[0], equations.work(&y)];
        for (found, expected) in found.into_iter().zip([position, velocity, work]) {
            assert!((found - expected).abs() < 1e-15, "{found} for {expected} after {start}");
        }
    }
}
