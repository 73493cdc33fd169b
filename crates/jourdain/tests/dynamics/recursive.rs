//! The fast path against the closed forms and the stored cases.

use crate::common::random_tree::{Random, Shape, for_each_tree, random_description, random_state};
use crate::common::{Case, assert_close, cases};
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::closed_form::Outward;
use jourdain::dynamics::{closed_form, recursive};
use jourdain::kinematics::tangent;
use jourdain::model::Number;
use jourdain::model::description::{GROUND, Placement};
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Matrix, Model, Workspace};
use jourdain_symbolic::Dual;

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
        let y = recursive::regressor(model, &s.q, &s.qd, &s.qdd);
        assert_close(&format!("{} Y", case.id), y.as_slice(), &case.regressor("Y"), STORED);
        let y = recursive::slotine_li_regressor(model, &s.q, &s.qd, &s.qd_r, &s.qdd_r);
        assert_close(&format!("{} Y_SL", case.id), y.as_slice(), &case.regressor("Y_slotine_li"), STORED);
        check(&case, "Mdot", recursive::mass_matrix_dot(model, &s.q, &s.qd).as_slice());
        check(&case, "Cdot", recursive::coriolis_matrix_dot(model, &s.q, &s.qd, &s.qdd, Garofalo).as_slice());
        check(&case, "gdot", &recursive::gravity_dot(model, &s.q, &s.qd));
        let (dq, dqd) = recursive::inverse_dynamics_partials(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        check(&case, "dID_dq", dq.as_slice());
        check(&case, "dID_dqd", dqd.as_slice());
        check(&case, "dg_dq", recursive::gravity_partials(model, &s.q).as_slice());
        check(&case, "dM_dqh", recursive::mass_matrix_dq(model, &s.q).by(case.h).as_slice());
        check(&case, "dC_dqh", recursive::coriolis_matrix_dq(model, &s.q, &s.qd, Garofalo).by(case.h).as_slice());
        check(&case, "dC_dqdh", recursive::coriolis_matrix_dqd(model, &s.q, Garofalo).by(case.h).as_slice());
        check(&case, "C_christoffel", recursive::coriolis_matrix(model, &s.q, &s.qd, Christoffel).as_slice());
    }
}

#[test]
fn inverse_dynamics_equals_the_closed_form() {
    for_each_tree(300, 30, |model, s| {
        let closed = closed_form::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        let tau = recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        assert_close("inverse dynamics", &tau, &closed, EQUAL);
        assert_close("g", &recursive::gravity(model, &s.q), &closed_form::gravity(model, &s.q), EQUAL);
    });
}

#[test]
fn dynamic_matrices_and_their_rates_equal_the_closed_form() {
    for_each_tree(300, 30, |model, s| {
        let outward = Outward::moving(model, &s.q, &s.qd);
        let m = recursive::mass_matrix(model, &s.q);
        assert_close("M", m.as_slice(), outward.mass_matrix().as_slice(), EQUAL);
        let m_dot = recursive::mass_matrix_dot(model, &s.q, &s.qd);
        assert_close("Ṁ", m_dot.as_slice(), outward.mass_matrix_dot().as_slice(), EQUAL);
        assert_close("ġ", &recursive::gravity_dot(model, &s.q, &s.qd), &outward.gravity_dot(), EQUAL);
        for factorization in [Garofalo, Christoffel] {
            let c = recursive::coriolis_matrix(model, &s.q, &s.qd, factorization);
            assert_close("C", c.as_slice(), outward.coriolis_matrix(factorization).as_slice(), EQUAL);
            assert_close("C + Cᵀ", c.plus(&c.transpose()).as_slice(), m_dot.as_slice(), EQUAL);
            let c_dot = recursive::coriolis_matrix_dot(model, &s.q, &s.qd, &s.qdd, factorization);
            let closed = outward.coriolis_matrix_dot(&s.qdd, factorization);
            assert_close("Ċ", c_dot.as_slice(), closed.as_slice(), EQUAL);
        }
    });
}

#[test]
fn one_pass_for_m_c_and_g_equals_three() {
    for_each_tree(100, 30, |model, s| {
        let n = model.nv();
        let (mut m, mut c, mut g) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n]);
        recursive::dynamic_matrices_into(model, &s.q, &s.qd, &mut Workspace::new(model), &mut m, &mut c, &mut g);
        assert_close("M", &m, recursive::mass_matrix(model, &s.q).as_slice(), EQUAL);
        assert_close("C", &c, recursive::coriolis_matrix(model, &s.q, &s.qd, Garofalo).as_slice(), EQUAL);
        assert_close("g", &g, &recursive::gravity(model, &s.q), EQUAL);
    });
}

#[test]
fn partial_derivatives_equal_the_closed_form() {
    for_each_tree(120, 16, |model, s| {
        let (dq, dqd) = recursive::inverse_dynamics_partials(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        let closed = closed_form::inverse_dynamics_dq(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        assert_close("∂τ/∂q", dq.as_slice(), closed.as_slice(), EQUAL);
        let closed = closed_form::inverse_dynamics_dqd(model, &s.q, &s.qd);
        assert_close("∂τ/∂q̇", dqd.as_slice(), closed.as_slice(), EQUAL);
        let dg = recursive::gravity_partials(model, &s.q);
        assert_close("∂g/∂q", dg.as_slice(), closed_form::gravity_dq(model, &s.q).as_slice(), EQUAL);
        let dm = recursive::mass_matrix_dq(model, &s.q);
        assert_close("∂M/∂q", dm.as_slice(), closed_form::mass_matrix_dq(model, &s.q).as_slice(), EQUAL);
        for factorization in [Garofalo, Christoffel] {
            let dc = recursive::coriolis_matrix_dqd(model, &s.q, factorization);
            let closed = closed_form::coriolis_matrix_dqd(model, &s.q, factorization);
            assert_close("∂C/∂q̇", dc.as_slice(), closed.as_slice(), EQUAL);
            let dc = recursive::coriolis_matrix_dq(model, &s.q, &s.qd, factorization);
            let closed = closed_form::coriolis_matrix_dq(model, &s.q, &s.qd, factorization);
            assert_close("∂C/∂q", dc.as_slice(), closed.as_slice(), EQUAL);
        }
    });
}

#[test]
fn regressors_equal_the_closed_form_and_give_what_they_stand_for() {
    for_each_tree(200, 20, |model, s| {
        let pi = closed_form::parameters(model);
        let y = recursive::regressor(model, &s.q, &s.qd, &s.qdd);
        let closed = closed_form::regressor(model, &s.q, &s.qd, &s.qdd);
        assert_close("Y", y.as_slice(), closed.as_slice(), EQUAL);
        let tau = recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &[]);
        assert_close("Y π", &y.apply(&pi), &tau, EQUAL);
        let y = recursive::slotine_li_regressor(model, &s.q, &s.qd, &s.qd_r, &s.qdd_r);
        let closed = closed_form::slotine_li_regressor(model, &s.q, &s.qd, &s.qd_r, &s.qdd_r);
        assert_close("Y_SL", y.as_slice(), closed.as_slice(), EQUAL);
        let momentum = recursive::mass_matrix(model, &s.q).apply(&s.qd);
        let y = recursive::momentum_regressor(model, &s.q, &s.qd);
        assert_close("momentum", &y.apply(&pi), &momentum, EQUAL);
        let workspace = &mut Workspace::new(model);
        let kinetic = recursive::kinetic_energy(model, &s.q, &s.qd, workspace);
        let twice: f64 = momentum.iter().zip(&s.qd).map(|(p, w)| p * w).sum();
        assert_close("kinetic energy", &[kinetic], &[0.5 * twice], EQUAL);
        let potential = recursive::potential_energy(model, &s.q, workspace);
        let y = recursive::energy_regressor(model, &s.q, &s.qd);
        let energy: f64 = y.iter().zip(&pi).map(|(y, p)| y * p).sum();
        assert_close("energy", &[energy], &[kinetic + potential], EQUAL);
    });
}

/// Sums about the world's origin would lose eight digits here.
#[test]
fn a_base_ten_kilometres_away_changes_nothing() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let shape = Shape::random(&mut random, 20);
        let near = random_description(shape, &mut random);
        let mut far = near.clone();
        for link in far.links.iter_mut().filter(|link| link.parent == GROUND) {
            if let Placement::Origin { xyz, .. } = &mut link.placement {
                *xyz = [0, 1, 2].map(|k| Number::from(xyz[k].value + [6000.0, -8000.0, 500.0][k]));
            }
        }
        let [near, far] = [near, far].map(|description| Model::from_description(&description).unwrap());
        let s = random_state(&near, &mut random);
        let [a, b] = [&near, &far].map(|model| {
            let (dq, dqd) = recursive::inverse_dynamics_partials(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
            let c = recursive::coriolis_matrix(model, &s.q, &s.qd, Garofalo);
            let tau = recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
            [recursive::mass_matrix(model, &s.q).into_vec(), c.into_vec(), tau, dq.into_vec(), dqd.into_vec()]
        });
        for (a, b) in a.iter().zip(&b) {
            assert_close(&format!("seed {seed}"), b, a, 1e-12);
        }
    }
}

#[test]
fn gravity_is_the_gradient_of_the_potential_energy() {
    for_each_tree(60, 20, |model, s| {
        let g = recursive::gravity(model, &s.q);
        let workspace = &mut Workspace::new(model);
        for h in 0..model.nv() {
            let unit: Vec<f64> = (0..model.nv()).map(|i| f64::from(u8::from(i == h))).collect();
            let q = tangent::along(model, &s.q, &unit);
            let slope = recursive::potential_energy(model, &q, workspace).derivative;
            assert!((slope - g[h]).abs() <= EQUAL * scale(&g), "∂V/∂q[{h}]: {slope} against {}", g[h]);
        }
    });
}

#[test]
fn forward_dynamics_undoes_inverse_dynamics() {
    for_each_tree(300, 30, |model, s| {
        let tau = recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        let found = recursive::forward_dynamics(model, &s.q, &s.qd, &tau, &s.wrenches);
        // Errors of τ and M grow by the condition of M.
        let m = recursive::mass_matrix(model, &s.q);
        let condition = condition(&m);
        assert_close("q̈", &found, &s.qdd, 1e-13 * condition.max(100.0));
        let mut articulated = vec![0.0; model.nv()];
        let workspace = &mut Workspace::new(model);
        recursive::articulated_body_into(model, &s.q, &s.qd, &tau, &s.wrenches, workspace, &mut articulated);
        assert_close("q̈ by articulated bodies", &articulated, &s.qdd, 1e-13 * condition.max(100.0));
        let inverse = recursive::mass_matrix_inverse(model, &s.q);
        assert_eq!(inverse, inverse.transpose());
        let identity = Matrix::from_fn(model.nv(), model.nv(), |i, j| f64::from(u8::from(i == j)));
        assert_close("M⁻¹M", inverse.times(&m).as_slice(), identity.as_slice(), 1e-14 * condition.max(100.0));
    });
}

#[test]
fn forward_dynamics_partials_are_the_derivatives_of_forward_dynamics() {
    for_each_tree(60, 10, |model, s| {
        let condition = condition(&recursive::mass_matrix(model, &s.q));
        let (dq, dqd) = recursive::forward_dynamics_partials(model, &s.q, &s.qd, &s.tau, &s.wrenches);
        let fixed = |x: &[f64]| x.iter().map(|&x| Dual::fixed(x)).collect::<Vec<_>>();
        let loads: Vec<_> = s.wrenches.iter().map(lifted).collect();
        for h in 0..model.nv() {
            let unit: Vec<f64> = (0..model.nv()).map(|i| f64::from(u8::from(i == h))).collect();
            let moved = |q: &[Dual<f64>], w: &[Dual<f64>]| -> Vec<f64> {
                let found = recursive::forward_dynamics(model, q, w, &fixed(&s.tau), &loads);
                found.iter().map(|x| x.derivative).collect()
            };
            let by_q = moved(&tangent::along(model, &s.q, &unit), &fixed(&s.qd));
            let w: Vec<_> = s.qd.iter().zip(&unit).map(|(&w, &d)| Dual::new(w, d)).collect();
            let by_qd = moved(&fixed(&s.q), &w);
            for i in 0..model.nv() {
                let tolerance = 1e-13 * condition.max(100.0);
                assert!((dq[(i, h)] - by_q[i]).abs() <= tolerance * scale(&by_q), "∂q̈[{i}]/∂q[{h}]");
                assert!((dqd[(i, h)] - by_qd[i]).abs() <= tolerance * scale(&by_qd), "∂q̈[{i}]/∂q̇[{h}]");
            }
        }
    });
}

fn scale(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |m: f64, x| m.max(x.abs()))
}

fn condition(m: &Matrix<f64>) -> f64 {
    let eigenvalues = m.to_nalgebra().symmetric_eigenvalues();
    eigenvalues.max() / eigenvalues.min()
}

fn lifted(load: &LinkWrench<f64>) -> LinkWrench<Dual<f64>> {
    let lift = |w: Wrench<f64>| Wrench::from_array(w.to_array().map(Dual::fixed));
    LinkWrench { link: load.link, wrench: lift(load.wrench), dot: lift(load.dot), ddot: lift(load.ddot) }
}
