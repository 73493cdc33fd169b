//! The fast path against the closed forms and the stored cases.

mod common;

use common::random_tree::for_each_tree;
use common::{Case, assert_close, cases};
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::{closed_form, recursive};

const STORED: f64 = 1e-12;
const EQUAL: f64 = 1e-11;

fn check(case: &Case, name: &str, found: &[f64]) {
    assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
}

#[test]
fn dynamic_matrices_are_those_of_the_suite() {
    for case in cases() {
        let (model, s) = (&case.model, &case.state);
        check(&case, "Q", &recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches));
        check(&case, "M", recursive::mass_matrix(model, &s.q).as_slice());
        check(&case, "g", &recursive::gravity(model, &s.q));
        check(&case, "C", recursive::coriolis_matrix(model, &s.q, &s.qd, Garofalo).as_slice());
        check(&case, "C_christoffel", recursive::coriolis_matrix(model, &s.q, &s.qd, Christoffel).as_slice());
    }
}

#[test]
fn recursion_equals_closed_form_on_random_trees() {
    for_each_tree(300, 30, |model, s| {
        let closed = closed_form::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        let tau = recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        assert_close("inverse dynamics", &tau, &closed, EQUAL);
        let outward = closed_form::Outward::moving(model, &s.q, &s.qd);
        let m = recursive::mass_matrix(model, &s.q);
        assert_close("M", m.as_slice(), outward.mass_matrix().as_slice(), EQUAL);
        assert_close("g", &recursive::gravity(model, &s.q), &closed_form::gravity(model, &s.q), EQUAL);
        for factorization in [Garofalo, Christoffel] {
            let c = recursive::coriolis_matrix(model, &s.q, &s.qd, factorization);
            let closed = outward.coriolis_matrix(factorization);
            assert_close("C", c.as_slice(), closed.as_slice(), EQUAL);
        }
    });
}
