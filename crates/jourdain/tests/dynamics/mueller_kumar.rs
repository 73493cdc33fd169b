//! The closed forms of Müller and Kumar against the stored cases, the closed forms of Garofalo, and Taylor series.

use crate::common::random_tree::{Random, Shape, for_each_tree, random_description, random_state};
use crate::common::{assert_close, assert_matrix_close, cases, error};
use jourdain::dynamics::Factorization::Garofalo;
use jourdain::dynamics::closed_form::mueller_kumar::{
    Form, System, coriolis_matrix_ddot, external_forces_ddot, external_forces_dot, gravity_ddot, inverse_dynamics_ddot,
    inverse_dynamics_dot, mass_matrix_ddot,
};
use jourdain::dynamics::closed_form::{Outward, mass_matrix};
use jourdain::kinematics::trajectory::jets;
use jourdain::model::description::{JointKind, LinkDescription};
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Matrix, Model, State};
use jourdain_symbolic::Jet;

/// The stored outputs are rounded to double precision from 60 digits.
const STORED: f64 = 1e-13;

/// For laws that hold exactly but for rounding.
const ROUNDING: f64 = 1e-12;

const FORMS: [Form; 3] = [Form::Differentiated, Form::Reusing, Form::Explicit];

fn motion(state: &State) -> Vec<&[f64]> {
    let State { qd, qdd, qddd, qdddd, derivatives, .. } = state;
    [qd, qdd, qddd, qdddd].into_iter().chain(derivatives).map(Vec::as_slice).collect()
}

fn robot(path: &str) -> Model {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    Model::from_description(&jourdain::formats::load(path).unwrap().0).unwrap()
}

#[test]
fn matrices_and_torques_with_their_derivatives_are_those_of_the_suite() {
    for case in cases() {
        let (State { q, wrenches, .. }, motion) = (&case.state, motion(&case.state));
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        let system = System::new(&case.model, q, &motion);
        for (r, dots) in ["", "dot", "ddot"].into_iter().enumerate() {
            check(&format!("M{dots}"), system.mass_matrix(r).as_slice());
            check(&format!("C{dots}"), system.coriolis_matrix(r).as_slice());
            check(&format!("g{dots}"), &system.gravity(r));
            let name = if r == 0 { "Qext".to_owned() } else { format!("Qext_{dots}") };
            check(&name, &system.external_forces(wrenches, r));
        }
        check("C_eq22", system.coriolis_matrix_22(0).as_slice());
        let torques: [Vec<f64>; 5] = system.inverse_dynamics(wrenches);
        for (name, tau) in ["Q", "Qdot", "Qddot", "Q3", "Q4"].into_iter().zip(&torques) {
            check(name, tau);
        }
    }
}

#[test]
fn plain_functions_are_those_of_the_suite() {
    for case in cases() {
        let (model, State { q, qd, qdd, qddd, qdddd, wrenches, .. }) = (&case.model, &case.state);
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("Mddot", mass_matrix_ddot(model, q, qd, qdd).as_slice());
        check("Cddot", coriolis_matrix_ddot(model, q, qd, qdd, qddd).as_slice());
        check("gddot", &gravity_ddot(model, q, qd, qdd));
        check("Qext_dot", &external_forces_dot(model, q, qd, wrenches));
        check("Qext_ddot", &external_forces_ddot(model, q, qd, qdd, wrenches));
        check("Qdot", &inverse_dynamics_dot(model, q, [qd, qdd, qddd], wrenches));
        check("Qddot", &inverse_dynamics_ddot(model, q, [qd, qdd, qddd, qdddd], wrenches));
    }
}

#[test]
fn expressions_as_printed_but_corrected_are_those_of_the_suite() {
    let mut covered = 0;
    for case in cases() {
        let (State { q, wrenches, .. }, motion) = (&case.state, motion(&case.state));
        let system = System::new(&case.model, q, &motion);
        let Some(printed) = system.one_dof() else { continue };
        covered += 1;
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("Mdot", printed.mass_matrix_dot().as_slice());
        check("gdot", &printed.gravity_dot());
        check("Qext_dot", &printed.external_forces_dot(wrenches));
        check("Qext_ddot", &printed.external_forces_ddot(wrenches));
        for form in FORMS {
            check("Mddot", printed.mass_matrix_ddot(form).as_slice());
            check("gddot", &printed.gravity_ddot(form));
            check("Cdot", printed.coriolis_matrix_dot(form).as_slice());
            check("Cddot", printed.coriolis_matrix_ddot(form).as_slice());
        }
    }
    assert_eq!(covered, 13, "every case without spherical and free joints");
}

#[test]
fn torques_of_the_published_program_come_out_of_the_model_without_steiner_term() {
    let model = robot("suite/robots/iiwa14_repo_nosteiner.toml");
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/dynamics.json")).unwrap();
    let suite: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = suite["anchors"]["iiwa_authors_code"]["rows"].as_array().unwrap();
    assert!(rows.len() >= 2);
    for row in rows {
        let vector =
            |name: &str| -> Vec<f64> { row[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
        let t = row["t"].as_f64().unwrap();
        let pi = std::f64::consts::PI;
        let [w, dot, ddot] = [(pi * t).sin(), pi * (pi * t).cos(), -pi * pi * (pi * t).sin()]
            // All six components are 10 sin(π t), exerted by the link.
            .map(|value| Wrench::from_array([-10.0 * value; 6]));
        let load = [LinkWrench { link: 6, wrench: w, dot, ddot }];
        let motion = ["qd", "qdd", "qddd", "qdddd"].map(vector);
        let orders: Vec<&[f64]> = motion.iter().map(Vec::as_slice).collect();
        let torques: [Vec<f64>; 3] = System::new(&model, &vector("q"), &orders).inverse_dynamics(&load);
        for (name, tau) in ["Q", "Qdot", "Qddot"].into_iter().zip(&torques) {
            assert_close(&format!("{name} at t = {t}"), tau, &vector(name), STORED);
        }
    }
}

/// τ̇₁, τ̇₂, τ̈₁, τ̈₂ of the planar arm in the variables of MK section 6.1, with the marks restored that its text has lost.
fn planar_torque_rates(state: &State) -> [[f64; 2]; 2] {
    let (m1, m2, l1, l2, g) = (2.0, 1.5, 0.5, 0.4, 9.80665);
    let [[a, b], [a1, b1], [a2, b2], [a3, b3], [a4, b4]] =
        [&state.q, &state.qd, &state.qdd, &state.qddd, &state.qdddd].map(|v| [v[0], v[1]]);
    let (s1, c1) = f64::sin_cos(a);
    let (s2, c2) = f64::sin_cos(b);
    let (s12, c12) = f64::sin_cos(a + b);
    let second =
        l2 * (a3 + b3) + l1 * (a3 * c2 + 2.0 * a1 * a2 * s2 - a2 * b1 * s2 + a1 * a1 * b1 * c2) - g * (a1 + b1) * s12;
    let coupling = (2.0 * a3 + b3) * c2
        - (4.0 * a2 * b1 + 2.0 * a1 * b2 + 3.0 * b1 * b2) * s2
        - (2.0 * a1 * b1 * b1 + b1 * b1 * b1) * c2;
    let first = (m1 + m2) * l1 * l1 * a3 + m2 * l2 * l2 * (a3 + b3) + m2 * l1 * l2 * coupling
        - g * ((m1 + m2) * l1 * a1 * s1 + m2 * l2 * (a1 + b1) * s12);
    let weight = (a2 + b2) * s12 + (a1 + b1) * (a1 + b1) * c12;
    let second_rate = l2 * (a4 + b4)
        + l1 * (a4 * c2
            + (2.0 * a1 * a3 + 2.0 * a2 * a2 - a2 * b2 - 2.0 * a3 * b1 - a1 * a1 * b1 * b1) * s2
            + (4.0 * a1 * a2 * b1 + a1 * a1 * b2 - a2 * b1 * b1) * c2)
        - g * weight;
    let sine = 6.0 * a3 * b1 + 6.0 * a2 * b2 + 2.0 * a1 * b3 + 4.0 * b1 * b3 + 3.0 * b2 * b2
        - 2.0 * a1 * b1 * b1 * b1
        - b1 * b1 * b1 * b1;
    let cosine = 6.0 * a2 * b1 * b1 + 6.0 * a1 * b1 * b2 + 6.0 * b1 * b1 * b2;
    let first_rate = (m1 + m2) * l1 * l1 * a4
        + m2 * l2 * l2 * (a4 + b4)
        + m2 * l1 * l2 * ((2.0 * a4 + b4) * c2 - sine * s2 - cosine * c2)
        - g * ((m1 + m2) * l1 * (a2 * s1 + a1 * a1 * c1) + m2 * l2 * weight);
    [[first, l2 * m2 * second], [first_rate, l2 * m2 * second_rate]]
}

#[test]
fn torque_rates_of_the_planar_arm_are_the_expressions_of_the_paper() {
    let model = robot("robots/planar2r.toml");
    for seed in 0..50 {
        let mut state = random_state(&model, &mut Random::new(seed));
        state.wrenches.clear();
        let [_, tau_dot, tau_ddot] = System::new(&model, &state.q, &motion(&state)).inverse_dynamics(&[]);
        let [expected_dot, expected_ddot] = planar_torque_rates(&state);
        assert_close(&format!("seed {seed}: first"), &tau_dot, &expected_dot, ROUNDING);
        assert_close(&format!("seed {seed}: second"), &tau_ddot, &expected_ddot, ROUNDING);
    }
}

#[test]
fn both_papers_have_the_same_matrices_and_rates_on_random_trees() {
    for_each_tree(150, 20, |model, state| {
        let State { q, qd, qdd, wrenches, .. } = state;
        let outward = Outward::moving(model, q, qd);
        let system = System::new(model, q, &[qd, qdd]);
        assert_matrix_close("M", &system.mass_matrix(0), &outward.mass_matrix(), ROUNDING);
        assert_matrix_close("M rate", &system.mass_matrix(1), &outward.mass_matrix_dot(), ROUNDING);
        assert_matrix_close("C", &system.coriolis_matrix(0), &outward.coriolis_matrix(Garofalo), ROUNDING);
        let c_dot = outward.coriolis_matrix_dot(qdd, Garofalo);
        assert_matrix_close("C rate", &system.coriolis_matrix(1), &c_dot, ROUNDING);
        assert_close("g", &system.gravity(0), &outward.gravity(), ROUNDING);
        assert_close("g rate", &system.gravity(1), &outward.gravity_dot(), ROUNDING);
        let loads = outward.external_forces(wrenches);
        assert_close("wrenches", &system.external_forces(wrenches, 0), &loads, ROUNDING);
        let [tau] = system.inverse_dynamics(wrenches);
        assert_close("torques", &tau, &outward.inverse_dynamics(qdd, wrenches), ROUNDING);
    });
}

#[test]
fn mass_matrix_derivatives_are_coriolis_derivatives_plus_transpose() {
    for_each_tree(100, 15, |model, state| {
        let system = System::new(model, &state.q, &motion(state));
        for r in 0..3 {
            let c = system.coriolis_matrix(r);
            let rate = system.mass_matrix(r + 1);
            assert_eq!(rate, rate.transpose());
            assert_matrix_close(&format!("order {r}"), &c.plus(&c.transpose()), &rate, ROUNDING);
        }
    });
}

#[test]
fn printed_coriolis_matrix_gives_the_same_torques_but_breaks_the_rate_law() {
    let mut broken = 0;
    for_each_tree_counting(100, 12, &mut broken, |model, state| {
        let system = System::new(model, &state.q, &[&state.qd]);
        let (c, skew) = (system.coriolis_matrix_22(0), system.coriolis_matrix(0));
        assert_close("C w", &c.apply(&state.qd), &skew.apply(&state.qd), ROUNDING);
        error(c.plus(&c.transpose()).as_slice(), system.mass_matrix(1).as_slice()) > 1e-3
    });
    assert!(broken > 50, "only {broken} robots show that (22) is not the skew-preserving choice");
}

/// [`for_each_tree`], counting for how many robots the law says yes.
fn for_each_tree_counting(count: u64, most: usize, yes: &mut usize, law: impl Fn(&Model, &State) -> bool) {
    let counter = std::cell::Cell::new(0);
    for_each_tree(count, most, |model, state| counter.set(counter.get() + usize::from(law(model, state))));
    *yes = counter.get();
}

const K: usize = 5;

fn coefficients(m: &Matrix<Jet<f64, K>>, r: usize) -> Vec<f64> {
    derivatives(m.as_slice(), r)
}

fn derivatives(v: &[Jet<f64, K>], r: usize) -> Vec<f64> {
    v.iter().map(|jet| jet.derivative(r)).collect()
}

fn series(load: &LinkWrench<f64>) -> LinkWrench<Jet<f64, K>> {
    let [w, dot, ddot] = [load.wrench, load.dot, load.ddot].map(Wrench::to_array);
    let jet = |i: usize| Jet::from_derivatives([w[i], dot[i], ddot[i], 0.0, 0.0]);
    LinkWrench::constant(load.link, Wrench::from_array(std::array::from_fn(jet)))
}

/// The derivatives of order 5 and 6 as well.
fn lengthened(model: &Model, state: &State) -> State {
    let mut random = Random::new(17);
    let derivatives = vec![random.vector(model.nv(), 20.0), random.vector(model.nv(), 40.0)];
    State { derivatives, ..state.clone() }
}

#[test]
fn derivatives_to_order_four_are_those_of_garofalo_run_on_taylor_series() {
    for_each_tree(60, 10, |model, state| {
        let state = lengthened(model, state);
        let motion = motion(&state);
        let along = jets::<f64, K>(model, &state.q, &motion);
        let outward = Outward::moving(model, &along.q, &along.w);
        let (m, c) = (outward.mass_matrix(), outward.coriolis_matrix(Garofalo));
        let loads: Vec<_> = state.wrenches.iter().map(series).collect();
        let (g, external) = (outward.gravity(), outward.external_forces(&loads));
        let tau = outward.inverse_dynamics(&along.w_dot, &loads);

        let system = System::new(model, &state.q, &motion);
        let torques: [Vec<f64>; K] = system.inverse_dynamics(&state.wrenches);
        for r in 0..K {
            let check = |what: &str, found: &[f64], expected: Vec<f64>| {
                assert_close(&format!("{what}, order {r}"), found, &expected, ROUNDING);
            };
            check("M", system.mass_matrix(r).as_slice(), coefficients(&m, r));
            check("C", system.coriolis_matrix(r).as_slice(), coefficients(&c, r));
            check("g", &system.gravity(r), derivatives(&g, r));
            check("wrenches", &system.external_forces(&state.wrenches, r), derivatives(&external, r));
            check("torques", &torques[r], derivatives(&tau, r));
        }
    });
}

#[test]
fn series_through_the_system_matrices_have_their_own_derivatives() {
    for_each_tree(40, 8, |model, state| {
        let motion = motion(state);
        let along = jets::<f64, K>(model, &state.q, &motion);
        let series = System::new(model, &along.q, &[&along.w]);
        let system = System::new(model, &state.q, &motion);
        for r in 0..3 {
            let check = |what: &str, found: &Matrix<f64>, expected: &Matrix<Jet<f64, K>>| {
                assert_close(&format!("{what}, order {r}"), found.as_slice(), &coefficients(expected, r), ROUNDING);
            };
            check("M", &system.mass_matrix(r), &series.mass_matrix(0));
            check("C", &system.coriolis_matrix(r), &series.coriolis_matrix(0));
            check("C of (22)", &system.coriolis_matrix_22(r), &series.coriolis_matrix_22(0));
        }
    });
}

/// Makes every spherical and free joint of a link a revolute one.
fn without_quaternions(mut link: LinkDescription) -> LinkDescription {
    if matches!(link.joint.kind, JointKind::Spherical { .. } | JointKind::Free) {
        let [axis, point] = [[0.0, 0.6, 0.8], [0.1, 0.0, -0.2]].map(|v| v.map(jourdain::model::Number::from));
        link.joint.kind = JointKind::Revolute { axis, point };
    }
    link
}

#[test]
fn expressions_as_printed_but_corrected_are_the_general_ones_on_trees() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let shape = Shape { free_base: false, ..Shape::random(&mut random, 12) };
        let mut description = random_description(shape, &mut random);
        description.links = description.links.into_iter().map(without_quaternions).collect();
        let model = Model::from_description(&description).unwrap();
        let state = random_state(&model, &mut random);
        let system = System::new(&model, &state.q, &motion(&state));
        let printed = system.one_dof().unwrap();
        let close = |what: &str, found: &[f64], expected: &[f64]| {
            assert_close(&format!("seed {seed}: {what}"), found, expected, ROUNDING);
        };
        let loads = &state.wrenches;
        close("M rate", printed.mass_matrix_dot().as_slice(), system.mass_matrix(1).as_slice());
        close("g rate", &printed.gravity_dot(), &system.gravity(1));
        close("wrench rate", &printed.external_forces_dot(loads), &system.external_forces(loads, 1));
        close("second wrench rate", &printed.external_forces_ddot(loads), &system.external_forces(loads, 2));
        for form in FORMS {
            close("second M rate", printed.mass_matrix_ddot(form).as_slice(), system.mass_matrix(2).as_slice());
            close("second g rate", &printed.gravity_ddot(form), &system.gravity(2));
            close("C rate", printed.coriolis_matrix_dot(form).as_slice(), system.coriolis_matrix(1).as_slice());
            close("second C rate", printed.coriolis_matrix_ddot(form).as_slice(), system.coriolis_matrix(2).as_slice());
        }
    }
}

#[test]
fn expressions_for_one_number_are_refused_to_spherical_and_free_joints() {
    let model = robot("suite/robots/floating7.toml");
    let state = random_state(&model, &mut Random::new(3));
    assert!(System::new(&model, &state.q, &[&state.qd]).one_dof().is_none());
}

#[test]
fn a_system_at_rest_has_the_mass_matrix_and_gravity() {
    for_each_tree(40, 15, |model, state| {
        let system = System::new(model, &state.q, &[]);
        assert_matrix_close("M", &system.mass_matrix(0), &mass_matrix(model, &state.q), ROUNDING);
        assert_close("g", &system.gravity(0), &Outward::at(model, &state.q).gravity(), ROUNDING);
    });
}
