//! The in-place forms of the fast path allocate nothing.

use crate::common::random_tree::for_each_tree;
use crate::counting::allocations;
use jourdain::Workspace;
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::recursive::{self, DualScratch};

#[test]
fn the_counter_sees_an_allocation() {
    for_each_tree(1, 5, |model, s| {
        assert!(allocations(|| drop(recursive::mass_matrix(model, &s.q))) > 0);
    });
}

#[test]
fn in_place_forms_allocate_nothing() {
    for_each_tree(30, 15, |model, s| {
        let n = model.nv();
        let (q, w, w_dot, tau, loads) = (&s.q[..], &s.qd[..], &s.qdd[..], &s.tau[..], &s.wrenches[..]);
        let ws = &mut Workspace::new(model);
        let duals = &mut DualScratch::new(model);
        let (mut v, mut a, mut b) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n * n]);
        let mut cube = vec![0.0; n * n * n];
        let parameters = recursive::parameter_count(model);
        let (mut row, mut y) = (vec![0.0; parameters], vec![0.0; n * parameters]);
        // The mass matrix of a large tree has memory from when it is first asked for.
        recursive::mass_matrix_inverse_into(model, q, ws, &mut a);
        let count = allocations(|| {
            recursive::inverse_dynamics_into(model, q, w, w_dot, loads, ws, &mut v);
            recursive::mass_matrix_into(model, q, ws, &mut a);
            recursive::coriolis_matrix_into(model, q, w, Garofalo, ws, &mut a);
            recursive::coriolis_matrix_into(model, q, w, Christoffel, ws, &mut a);
            recursive::gravity_into(model, q, ws, &mut v);
            recursive::dynamic_matrices_into(model, q, w, ws, &mut a, &mut b, &mut v);
            recursive::mass_matrix_dot_into(model, q, w, ws, &mut a);
            recursive::coriolis_matrix_dot_into(model, q, w, w_dot, Garofalo, duals, &mut a);
            recursive::gravity_dot_into(model, q, w, duals, &mut v);
            recursive::inverse_dynamics_partials_into(model, q, w, w_dot, loads, ws, &mut a, &mut b);
            recursive::gravity_partials_into(model, q, ws, &mut a);
            recursive::mass_matrix_dq_into(model, q, ws, &mut cube);
            recursive::coriolis_matrix_dqd_into(model, q, Garofalo, ws, &mut cube);
            recursive::coriolis_matrix_dqd_into(model, q, Christoffel, ws, &mut cube);
            recursive::coriolis_matrix_dq_into(model, q, w, Garofalo, duals, &mut cube);
            recursive::forward_dynamics_into(model, q, w, tau, loads, ws, &mut v);
            recursive::articulated_body_into(model, q, w, tau, loads, ws, &mut v);
            recursive::forward_dynamics_by_factor_into(model, q, w, tau, loads, ws, &mut v);
            recursive::bias_into(model, q, w, ws, &mut v);
            recursive::link_torques_into(model, q, w, w_dot, loads, ws, &mut v);
            recursive::external_forces_into(model, q, loads, ws, &mut v);
            recursive::mass_matrix_inverse_into(model, q, ws, &mut a);
            recursive::mass_matrix_inverse_dq_into(model, q, ws, &mut cube);
            recursive::forward_dynamics_partials_into(model, q, w, tau, loads, ws, &mut a, &mut b);
            recursive::regressor_into(model, q, w, w_dot, ws, &mut y);
            recursive::slotine_li_regressor_into(model, q, w, w, w_dot, ws, &mut y);
            recursive::momentum_regressor_into(model, q, w, ws, &mut y);
            recursive::energy_regressor_into(model, q, w, ws, &mut row);
            std::hint::black_box(recursive::kinetic_energy(model, q, w, ws));
            std::hint::black_box(recursive::potential_energy(model, q, ws));
        });
        assert_eq!(count, 0);
    });
}
