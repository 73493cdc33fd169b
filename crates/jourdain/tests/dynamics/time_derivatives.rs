//! Time derivatives of any order: Taylor series through the recursions against the stored cases, both closed forms, and each
//! other.

use crate::common::random_tree::{Random, for_each_tree};
use crate::common::{assert_close, assert_matrix_close, cases};
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::closed_form;
use jourdain::dynamics::closed_form::mueller_kumar::System;
use jourdain::dynamics::recursive::{self, WorldWrench};
use jourdain::kinematics::trajectory::jets;
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Matrix, Model, State};
use jourdain_symbolic::{Jet, Scalar};

/// The stored outputs are rounded to double precision from 60 digits.
const STORED: f64 = 1e-12;

/// Two ways to the same number on random robots.
const EQUAL: f64 = 1e-11;

fn motion(state: &State) -> Vec<&[f64]> {
    let State { qd, qdd, qddd, qdddd, derivatives, .. } = state;
    [qd, qdd, qddd, qdddd].into_iter().chain(derivatives).map(Vec::as_slice).collect()
}

/// w, ẇ, … up to the order `count` − 1, growing as derivatives of a smooth motion do.
fn random_motion(model: &Model, count: usize, random: &mut Random) -> Vec<Vec<f64>> {
    (0..count).map(|k| random.vector(model.nv(), 1.5 * f64::powi(2.0, k as i32))).collect()
}

#[test]
fn series_through_the_recursions_are_the_derivatives_of_the_suite() {
    for case in cases() {
        let (model, s, motion) = (&case.model, &case.state, motion(&case.state));
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        let tau: [_; 5] = recursive::inverse_dynamics_derivatives(model, &s.q, &motion, &s.wrenches);
        let tables: [_; 5] = recursive::inverse_dynamics_tables(model, &s.q, &motion, &s.wrenches);
        for (r, name) in ["Q", "Qdot", "Qddot", "Q3", "Q4"].into_iter().enumerate() {
            check(name, &tau[r]);
            check(name, &tables[r]);
        }
        let m: [_; 3] = recursive::mass_matrix_derivatives(model, &s.q, &motion);
        let c: [_; 3] = recursive::coriolis_matrix_derivatives(model, &s.q, &motion, Garofalo);
        let g: [_; 3] = recursive::gravity_derivatives(model, &s.q, &motion);
        let loads: [_; 3] = recursive::external_forces_derivatives(model, &s.q, &motion, &s.wrenches);
        for (r, dots) in ["", "dot", "ddot"].into_iter().enumerate() {
            check(&format!("M{dots}"), m[r].as_slice());
            check(&format!("C{dots}"), c[r].as_slice());
            check(&format!("g{dots}"), &g[r]);
            check(&if r == 0 { "Qext".to_owned() } else { format!("Qext_{dots}") }, &loads[r]);
        }
    }
}

#[test]
fn series_through_the_recursions_are_the_closed_forms_on_random_trees() {
    for_each_tree(80, 16, |model, s| {
        let more = random_motion(model, 1, &mut Random::new(model.nv() as u64));
        let motion: Vec<&[f64]> = motion(s).into_iter().chain(more.iter().map(Vec::as_slice)).collect();
        let system = System::new(model, &s.q, &motion);
        let closed: [_; 4] = system.inverse_dynamics(&s.wrenches);
        let tau: [_; 4] = recursive::inverse_dynamics_derivatives(model, &s.q, &motion, &s.wrenches);
        let tables: [_; 4] = recursive::inverse_dynamics_tables(model, &s.q, &motion, &s.wrenches);
        let m: [_; 4] = recursive::mass_matrix_derivatives(model, &s.q, &motion);
        let c: [_; 4] = recursive::coriolis_matrix_derivatives(model, &s.q, &motion, Garofalo);
        let torsionless: [Matrix<f64>; 3] = recursive::coriolis_matrix_derivatives(model, &s.q, &motion, Christoffel);
        let g: [_; 4] = recursive::gravity_derivatives(model, &s.q, &motion);
        let loads: [_; 4] = recursive::external_forces_derivatives(model, &s.q, &motion, &s.wrenches);
        for r in 0..4 {
            assert_close(&format!("τ, order {r}"), &tau[r], &closed[r], EQUAL);
            assert_close(&format!("τ by tables, order {r}"), &tables[r], &closed[r], EQUAL);
            assert_matrix_close(&format!("M, order {r}"), &m[r], &system.mass_matrix(r), EQUAL);
            assert_matrix_close(&format!("C, order {r}"), &c[r], &system.coriolis_matrix(r), EQUAL);
            assert_close(&format!("g, order {r}"), &g[r], &system.gravity(r), EQUAL);
            assert_close(&format!("wrenches, order {r}"), &loads[r], &system.external_forces(&s.wrenches, r), EQUAL);
        }
        for r in 0..3 {
            for c in [&c[r], &torsionless[r]] {
                assert_matrix_close(&format!("C + Cᵀ, order {r}"), &c.plus(&c.transpose()), &m[r + 1], EQUAL);
            }
        }
        let garofalo = closed_form::coriolis_matrix_dot(model, &s.q, &s.qd, &s.qdd, Christoffel);
        assert_matrix_close("Christoffel Ċ", &torsionless[1], &garofalo, EQUAL);
    });
}

#[test]
fn a_table_of_one_order_is_the_torque_and_missing_orders_are_zero() {
    for_each_tree(60, 16, |model, s| {
        let [tau] = recursive::inverse_dynamics_tables(model, &s.q, &[&s.qd, &s.qdd], &s.wrenches);
        let plain = recursive::inverse_dynamics(model, &s.q, &s.qd, &s.qdd, &s.wrenches);
        assert_close("τ", &tau, &plain, EQUAL);
        let short: [_; 3] = recursive::inverse_dynamics_tables(model, &s.q, &[&s.qd], &s.wrenches);
        let zero = vec![0.0; model.nv()];
        let full = recursive::inverse_dynamics_tables(model, &s.q, &[&s.qd, &zero, &zero, &zero], &s.wrenches);
        assert_eq!(short, full);
    });
}

#[test]
fn one_pass_gives_the_series_of_all_three_matrices() {
    for_each_tree(100, 16, |model, s| {
        let (n, motion) = (model.nv(), motion(s));
        let zero = Jet::<f64, 2>::fixed(0.0);
        let (mut m, mut c, mut g) = (vec![zero; n * n], vec![zero; n * n], vec![zero; n]);
        let scratch = &mut recursive::JetScratch::new(model);
        recursive::dynamic_matrices_series_into(model, &s.q, &motion, scratch, &mut m, &mut c, &mut g);
        let order = |series: &[Jet<f64, 2>], r: usize| series.iter().map(|x| x.derivative(r)).collect::<Vec<_>>();
        let outward = closed_form::Outward::moving(model, &s.q, &s.qd);
        assert_close("Ṁ", &order(&m, 1), outward.mass_matrix_dot().as_slice(), EQUAL);
        assert_close("Ċ", &order(&c, 1), outward.coriolis_matrix_dot(&s.qdd, Garofalo).as_slice(), EQUAL);
        assert_close("ġ", &order(&g, 1), &outward.gravity_dot(), EQUAL);
        assert_close("g", &order(&g, 0), &outward.gravity(), EQUAL);
        let mut values = [vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n]];
        let mut rates = values.clone();
        recursive::dynamic_matrices_rates_into(
            model,
            &s.q,
            [&s.qd, &s.qdd],
            &mut recursive::RateScratch::new(model),
            values.each_mut().map(Vec::as_mut_slice),
            rates.each_mut().map(Vec::as_mut_slice),
        );
        for (name, k, series) in [("M", 0, &m), ("C", 1, &c), ("g", 2, &g)] {
            assert_close(name, &values[k], &order(series, 0), EQUAL);
            assert_close(&format!("rate of {name}"), &rates[k], &order(series, 1), EQUAL);
        }
    });
}

/// Σ x_k hᵏ.
fn sum(series: &[Jet<f64, 9>], h: f64) -> Vec<f64> {
    series.iter().map(|x| x.0.iter().rev().fold(0.0, |sum, c| sum * h + c)).collect()
}

#[test]
fn derivatives_to_order_eight_continue_the_torque_along_a_polynomial_motion() {
    // Plain inverse dynamics at a later time of the same motion has the value of the Taylor polynomial of τ there.
    for_each_tree(40, 10, |model, s| {
        let motion = random_motion(model, 10, &mut Random::new(11 + model.nv() as u64));
        let motion: Vec<&[f64]> = motion.iter().map(Vec::as_slice).collect();
        let mut tau = vec![Jet::<f64, 9>::fixed(0.0); model.nv()];
        let scratch = &mut recursive::JetScratch::new(model);
        recursive::inverse_dynamics_series_into(model, &s.q, &motion, &[], scratch, &mut tau);
        // With friction the series of c/√(c² + ε²) converges only within ε; so only robots without.
        if model.links().iter().any(|link| link.motor.is_some()) {
            return;
        }
        let h = 1e-2;
        let path = jets::<f64, 12>(model, &s.q, &motion);
        let at = |series: &[Jet<f64, 12>]| -> Vec<f64> {
            series.iter().map(|x| x.0.iter().rev().fold(0.0, |sum, c| sum * h + c)).collect()
        };
        let (q, w, w_dot) = (at(&path.q), at(&path.w), at(&path.w_dot));
        let later = recursive::inverse_dynamics(model, &q, &w, &w_dot, &[]);
        assert_close("τ(h)", &sum(&tau, h), &later, EQUAL);
    });
}

#[test]
fn derivatives_to_order_eight_are_those_of_the_closed_form() {
    for_each_tree(40, 10, |model, s| {
        let motion = random_motion(model, 10, &mut Random::new(5 + model.nv() as u64));
        let motion: Vec<&[f64]> = motion.iter().map(Vec::as_slice).collect();
        let found: [_; 9] = recursive::inverse_dynamics_derivatives(model, &s.q, &motion, &s.wrenches);
        let tables: [_; 9] = recursive::inverse_dynamics_tables(model, &s.q, &motion, &s.wrenches);
        let path = jets::<f64, 9>(model, &s.q, &motion);
        let loads: Vec<_> = s.wrenches.iter().map(recursive::wrench_series).collect();
        let closed = closed_form::inverse_dynamics(model, &path.q, &path.w, &path.w_dot, &loads);
        for r in 0..9 {
            let closed: Vec<f64> = closed.iter().map(|x| x.derivative(r)).collect();
            assert_close(&format!("τ, order {r}"), &found[r], &closed, 1e-10);
            assert_close(&format!("τ by tables, order {r}"), &tables[r], &closed, 1e-10);
        }
    });
}

#[test]
fn a_wrench_fixed_in_the_world_is_the_same_wrench_in_link_axes_to_every_order() {
    for_each_tree(60, 12, |model, s| {
        let mut random = Random::new(3 * model.nv() as u64);
        let motion = random_motion(model, 6, &mut random);
        let motion: Vec<&[f64]> = motion.iter().map(Vec::as_slice).collect();
        let link = random.below(model.links().len());
        let numbers = random.vector(18, 10.0);
        let orders: [Wrench<f64>; 3] =
            std::array::from_fn(|k| Wrench::from_array(std::array::from_fn(|i| numbers[6 * k + i])));
        for given in [WorldWrench::AtLinkOrigin, WorldWrench::AtWorldOrigin] {
            // The load in link axes, to the fourth order.
            let load = recursive::world_wrench_series::<f64, 5>(model, &s.q, &motion, link, given, &orders);
            let under = |loads: &[LinkWrench<Jet<f64, 5>>]| -> [Vec<f64>; 5] {
                recursive::inverse_dynamics_derivatives_under(model, &s.q, &motion, loads)
            };
            let (with, without) = (under(&[load]), under(&[]));
            // Jᵀ W in world axes: the Jacobian as a series, times the series of the load.
            let path = jets::<f64, 5>(model, &s.q, &motion);
            let frame = jourdain::kinematics::Frame::world_aligned(link);
            let jacobian = jourdain::kinematics::jacobian(model, &path.q, frame);
            let world: [Jet<f64, 5>; 6] = std::array::from_fn(|i| {
                Jet::from_derivatives(std::array::from_fn(|k| orders.get(k).map_or(0.0, |w| w.to_array()[i])))
            });
            let mut world = Wrench::from_array(world);
            if given == WorldWrench::AtWorldOrigin {
                let origin = jourdain::kinematics::pose(model, &path.q, link).translation;
                world.moment -= origin.cross(world.force);
            }
            let world = world.to_array();
            for r in 0..5 {
                let expected: Vec<f64> = (0..model.nv())
                    .map(|j| {
                        let torque = (0..6).fold(Jet::from_f64(0.0), |sum, i| sum + jacobian[(i, j)] * world[i]);
                        without[r][j] - torque.derivative(r)
                    })
                    .collect();
                assert_close(&format!("{given:?}, order {r}"), &with[r], &expected, EQUAL);
            }
            // As a state has it, to the second order.
            let fixed = recursive::world_wrench(model, &s.q, [motion[0], motion[1]], link, given, orders);
            let second: [_; 3] = recursive::inverse_dynamics_derivatives(model, &s.q, &motion, &[fixed]);
            for r in 0..3 {
                assert_close(&format!("{given:?} in a state, order {r}"), &second[r], &with[r], EQUAL);
            }
        }
    });
}
