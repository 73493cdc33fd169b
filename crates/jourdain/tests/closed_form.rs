//! The closed forms of G against the stored cases, and the laws they obey on random robots.

mod common;

use common::random_tree::for_each_tree;
use common::{assert_close, cases};
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::closed_form::{Outward, com, com_jacobian, external_forces, gravity, inverse_dynamics};

/// The stored outputs are rounded to double precision from 60 digits.
const STORED: f64 = 1e-13;

#[test]
fn dynamic_matrices_are_those_of_the_suite() {
    for case in cases() {
        let (model, state) = (&case.model, &case.state);
        let outward = Outward::moving(model, &state.q, &state.qd);
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("M", outward.mass_matrix().as_slice());
        check("C", outward.coriolis_matrix(Garofalo).as_slice());
        check("C_christoffel", outward.coriolis_matrix(Christoffel).as_slice());
        check("g", &gravity(model, &state.q));
        check("Qext", &external_forces(model, &state.q, &state.wrenches));
        check("Q", &inverse_dynamics(model, &state.q, &state.qd, &state.qdd, &state.wrenches));
        check("com", &com(model, &state.q).unwrap().0);
        check("J_com", com_jacobian(model, &state.q).unwrap().as_slice());
    }
}

#[test]
fn mass_matrix_is_symmetric_and_positive_definite() {
    for_each_tree(200, 30, |model, state| {
        let m = Outward::at(model, &state.q).mass_matrix();
        assert_eq!(m, m.transpose());
        assert!(m.to_nalgebra().cholesky().is_some(), "not positive definite");
    });
}

#[test]
fn both_coriolis_matrices_give_the_same_torques() {
    for_each_tree(200, 30, |model, state| {
        let outward = Outward::moving(model, &state.q, &state.qd);
        let [garofalo, christoffel] = [Garofalo, Christoffel].map(|f| outward.coriolis_matrix(f).apply(&state.qd));
        assert_close("C w", &garofalo, &christoffel, 1e-13);
    });
}

#[test]
fn gravity_torques_are_the_weight_at_the_centre_of_mass() {
    for_each_tree(200, 30, |model, state| {
        let outward = Outward::at(model, &state.q);
        let weight = model.gravity().times(-model.total_mass());
        let g = outward.com_jacobian().unwrap().transpose().apply(&weight.0);
        assert_close("g", &outward.gravity(), &g, 1e-13);
    });
}
