//! The in-place forms of time derivatives allocate nothing.

use crate::common::random_tree::for_each_tree;
use crate::counting::allocations;
use jourdain::dynamics::Factorization::Garofalo;
use jourdain::dynamics::recursive::{self, JetScratch, RateScratch, TableScratch};
use jourdain_symbolic::Jet;

#[test]
fn in_place_forms_allocate_nothing() {
    for_each_tree(30, 15, |model, s| {
        let n = model.nv();
        // There is room for one wrench per link.
        let (q, loads) = (&s.q[..], &s.wrenches[..s.wrenches.len().min(model.links().len())]);
        let motion = [&s.qd[..], &s.qdd[..], &s.qddd[..], &s.qdddd[..]];
        let jets = &mut JetScratch::<f64, 3>::new(model);
        let (tables, rates) = (&mut TableScratch::<f64, 3>::new(model), &mut RateScratch::new(model));
        let zero = Jet::<f64, 3>::fixed(0.0);
        let (mut v, mut a, mut b) = (vec![zero; n], vec![zero; n * n], vec![zero; n * n]);
        let mut values = [vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n]];
        let mut dots = values.clone();
        let under: Vec<_> = loads.iter().map(recursive::wrench_series).collect();
        let count = allocations(|| {
            recursive::inverse_dynamics_under_series_into(model, q, &motion, &under, jets, &mut v);
            recursive::inverse_dynamics_series_into(model, q, &motion, loads, jets, &mut v);
            recursive::inverse_dynamics_tables_into(model, q, &motion, loads, tables, &mut v);
            recursive::external_forces_series_into(model, q, &motion, loads, jets, &mut v);
            recursive::gravity_series_into(model, q, &motion, jets, &mut v);
            recursive::mass_matrix_series_into(model, q, &motion, jets, &mut a);
            recursive::coriolis_matrix_series_into(model, q, &motion, Garofalo, jets, &mut a);
            recursive::dynamic_matrices_series_into(model, q, &motion, jets, &mut a, &mut b, &mut v);
            let values = values.each_mut().map(Vec::as_mut_slice);
            let dots = dots.each_mut().map(Vec::as_mut_slice);
            recursive::dynamic_matrices_rates_into(model, q, [motion[0], motion[1]], rates, values, dots);
        });
        assert_eq!(count, 0);
    });
}
