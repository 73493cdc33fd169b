//! The closed forms of G against the stored cases, and the laws they obey on random robots.

use crate::common::random_tree::{Random, Shape, for_each_tree, random_description, random_state};
use crate::common::{assert_close, assert_matrix_close, cases};
use jourdain::dynamics::Factorization::{Christoffel, Garofalo};
use jourdain::dynamics::closed_form::{
    Outward, christoffel_symbols, com, com_jacobian, coriolis_matrix, coriolis_matrix_dot, coriolis_matrix_dpi,
    coriolis_matrix_dq, coriolis_matrix_dqd, external_forces, gravity, gravity_dot, gravity_dpi, gravity_dq,
    inverse_dynamics, inverse_dynamics_dq, inverse_dynamics_dqd, mass_matrix, mass_matrix_dot, mass_matrix_dpi,
    mass_matrix_dq, parameter_labels, parameters, regressor, slotine_li_regressor,
};
use jourdain::dynamics::{Tensor, drive};
use jourdain::model::description::{
    Description, JointKind, LinkDescription, Orientation, Placement, ScrewDescription, ScrewKind,
};
use jourdain::model::{Motion, Number};
use jourdain::spatial::Wrench;
use jourdain::state::LinkWrench;
use jourdain::{Matrix, Model, Scalar, State};
use jourdain_symbolic::{Dual, Jet};

/// The stored outputs are rounded to double precision from 60 digits.
const STORED: f64 = 1e-13;

/// For laws that hold exactly but for rounding.
const ROUNDING: f64 = 1e-12;

#[test]
fn dynamic_matrices_are_those_of_the_suite() {
    for case in cases() {
        let (model, State { q, qd, qdd, wrenches, .. }) = (&case.model, &case.state);
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("M", mass_matrix(model, q).as_slice());
        check("C", coriolis_matrix(model, q, qd, Garofalo).as_slice());
        check("C_christoffel", coriolis_matrix(model, q, qd, Christoffel).as_slice());
        check("g", &gravity(model, q));
        check("Qext", &external_forces(model, q, wrenches));
        check("Q", &inverse_dynamics(model, q, qd, qdd, wrenches));
        check("com", &com(model, q).unwrap().0);
        check("J_com", com_jacobian(model, q).unwrap().as_slice());
    }
}

#[test]
fn rates_are_those_of_the_suite() {
    for case in cases() {
        let (model, State { q, qd, qdd, .. }) = (&case.model, &case.state);
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("Mdot", mass_matrix_dot(model, q, qd).as_slice());
        check("Cdot", coriolis_matrix_dot(model, q, qd, qdd, Garofalo).as_slice());
        check("gdot", &gravity_dot(model, q, qd));
    }
}

#[test]
fn partials_are_those_of_the_suite() {
    for case in cases() {
        let (model, State { q, qd, qdd, wrenches, .. }) = (&case.model, &case.state);
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("dM_dqh", mass_matrix_dq(model, q).by(case.h).as_slice());
        check("dC_dqh", coriolis_matrix_dq(model, q, qd, Garofalo).by(case.h).as_slice());
        check("dC_dqdh", coriolis_matrix_dqd(model, q, Garofalo).by(case.h).as_slice());
        check("dg_dq", gravity_dq(model, q).as_slice());
        check("dID_dq", inverse_dynamics_dq(model, q, qd, qdd, wrenches).as_slice());
        check("dID_dqd", inverse_dynamics_dqd(model, q, qd).as_slice());
    }
}

#[test]
fn regressors_are_those_of_the_suite() {
    for case in cases() {
        let (model, State { q, qd, qdd, qd_r, qdd_r, .. }) = (&case.model, &case.state);
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.regressor(name), STORED);
        };
        check("Y", regressor(model, q, qd, qdd).as_slice());
        check("Y_slotine_li", slotine_li_regressor(model, q, qd, qd_r, qdd_r).as_slice());
    }
}

#[test]
fn mass_matrix_is_symmetric_and_positive_definite() {
    for_each_tree(200, 30, |model, state| {
        let m = mass_matrix(model, &state.q);
        assert_eq!(m, m.transpose());
        assert!(m.to_nalgebra().cholesky().is_some(), "not positive definite");
    });
}

#[test]
fn mass_matrix_rate_is_coriolis_plus_transpose() {
    for_each_tree(200, 30, |model, state| {
        let outward = Outward::moving(model, &state.q, &state.qd);
        let m_dot = outward.mass_matrix_dot();
        for factorization in [Garofalo, Christoffel] {
            let c = outward.coriolis_matrix(factorization);
            assert_matrix_close(&format!("{factorization:?}"), &c.plus(&c.transpose()), &m_dot, ROUNDING);
        }
    });
}

#[test]
fn both_coriolis_matrices_give_the_same_torques() {
    for_each_tree(200, 30, |model, state| {
        let outward = Outward::moving(model, &state.q, &state.qd);
        let [garofalo, christoffel] = [Garofalo, Christoffel].map(|f| outward.coriolis_matrix(f).apply(&state.qd));
        assert_close("C w", &garofalo, &christoffel, ROUNDING);
    });
}

#[test]
fn gravity_torques_are_the_weight_at_the_centre_of_mass() {
    for_each_tree(200, 30, |model, state| {
        let outward = Outward::at(model, &state.q);
        let weight = model.gravity().times(-model.total_mass());
        let g = outward.com_jacobian().unwrap().transpose().apply(&weight.0);
        assert_close("g", &outward.gravity(), &g, ROUNDING);
    });
}

#[test]
fn com_jacobian_is_the_derivative_of_the_centre_of_mass() {
    for_each_tree(100, 30, |model, state| {
        let jacobian = com_jacobian(model, &state.q).unwrap();
        for h in 0..model.nv() {
            let moved = com(model, &along(model, &state.q, h)).unwrap().0.map(|x| x.derivative);
            let column: Vec<f64> = (0..3).map(|i| jacobian[(i, h)]).collect();
            assert_close(&format!("h = {h}"), &column, &moved, 1e-12);
        }
    });
}

#[test]
fn a_robot_without_mass_has_no_centre_of_mass() {
    let mut link = LinkDescription::new("link", "base");
    link.joint.kind = JointKind::Revolute { axis: [0.0, 0.0, 1.0].map(Number::from), point: [Number::ZERO; 3] };
    let model = Model::from_description(&described(vec![link])).unwrap();
    assert!(com(&model, &[0.3]).is_none() && com_jacobian(&model, &[0.3]).is_none());
    assert_eq!(mass_matrix(&model, &[0.3]).as_slice(), [0.0]);
}

#[test]
fn a_robot_that_cannot_move_has_empty_matrices() {
    let model = Model::from_description(&described(vec![LinkDescription::new("link", "base")])).unwrap();
    assert_eq!(mass_matrix::<f64>(&model, &[]), Matrix::zeros(0, 0));
    assert_eq!(mass_matrix_dq::<f64>(&model, &[]), Tensor::zeros(0, 0, 0));
    assert_eq!(regressor::<f64>(&model, &[], &[], &[]), Matrix::zeros(0, 10));
    assert!(inverse_dynamics::<f64>(&model, &[], &[], &[], &[]).is_empty());
}

#[test]
fn partials_add_up_to_the_rates() {
    for_each_tree(100, 20, |model, State { q, qd, qdd, .. }| {
        let dm = mass_matrix_dq(model, q).along(qd);
        assert_matrix_close("M", &dm, &mass_matrix_dot(model, q, qd), ROUNDING);
        for factorization in [Garofalo, Christoffel] {
            let dc = coriolis_matrix_dq(model, q, qd, factorization).along(qd);
            let dcd = coriolis_matrix_dqd(model, q, factorization);
            let rate = coriolis_matrix_dot(model, q, qd, qdd, factorization);
            assert_matrix_close(&format!("C {factorization:?}"), &dc.plus(&dcd.along(qdd)), &rate, ROUNDING);
            let c = coriolis_matrix(model, q, qd, factorization);
            assert_matrix_close("C is linear in the velocity", &dcd.along(qd), &c, ROUNDING);
        }
        assert_close("g", &gravity_dq(model, q).apply(qd), &gravity_dot(model, q, qd), ROUNDING);
    });
}

#[test]
fn rates_are_the_coefficients_of_jets() {
    for_each_tree(60, 20, |model, State { q, qd, qdd, .. }| {
        let mut q_dot = vec![0.0; model.nq()];
        model.position_rate_into(q, qd, &mut q_dot);
        let jets = |values: &[f64], rates: &[f64]| -> Vec<Jet<f64, 2>> {
            values.iter().zip(rates).map(|(&x, &d)| Jet::from_derivatives([x, d])).collect()
        };
        let rate = |x: &[Jet<f64, 2>]| x.iter().map(|x| x.derivatives()[1]).collect::<Vec<f64>>();
        let outward = Outward::moving(model, &jets(q, &q_dot), &jets(qd, qdd));
        assert_close("M", mass_matrix_dot(model, q, qd).as_slice(), &rate(outward.mass_matrix().as_slice()), 1e-12);
        assert_close("g", &gravity_dot(model, q, qd), &rate(&outward.gravity()), 1e-12);
        for factorization in [Garofalo, Christoffel] {
            let found = coriolis_matrix_dot(model, q, qd, qdd, factorization);
            assert_close("C", found.as_slice(), &rate(outward.coriolis_matrix(factorization).as_slice()), 1e-12);
        }
    });
}

/// The position with its derivative along T·exp(ε ê_h).
fn along(model: &Model, q: &[f64], h: usize) -> Vec<Dual<f64>> {
    let (mut direction, mut rate) = (vec![0.0; model.nv()], vec![0.0; model.nq()]);
    direction[h] = 1.0;
    model.position_rate_into(q, &direction, &mut rate);
    q.iter().zip(rate).map(|(&q, rate)| Dual::new(q, rate)).collect()
}

fn fixed(values: &[f64]) -> Vec<Dual<f64>> {
    values.iter().map(|&x| Dual::fixed(x)).collect()
}

fn fixed_wrenches(wrenches: &[LinkWrench<f64>]) -> Vec<LinkWrench<Dual<f64>>> {
    let lift = |w: Wrench<f64>| Wrench::from_array(w.to_array().map(Dual::fixed));
    wrenches.iter().map(|w| LinkWrench::constant(w.link, lift(w.wrench))).collect()
}

fn derivatives(values: &[Dual<f64>]) -> Vec<f64> {
    values.iter().map(|x| x.derivative).collect()
}

fn column<S: Scalar>(matrix: &Matrix<S>, j: usize) -> Vec<S> {
    (0..matrix.rows()).map(|i| matrix[(i, j)]).collect()
}

#[test]
fn partials_by_the_position_are_those_of_dual_numbers() {
    for_each_tree(80, 12, |model, State { q, qd, qdd, wrenches, .. }| {
        let (dm, dg) = (mass_matrix_dq(model, q), gravity_dq(model, q));
        let dc = [Garofalo, Christoffel].map(|f| coriolis_matrix_dq(model, q, qd, f));
        let dtau = inverse_dynamics_dq(model, q, qd, qdd, wrenches);
        for h in 0..model.nv() {
            let outward = Outward::moving(model, &along(model, q, h), &fixed(qd));
            let check = |what: &str, found: &[f64], dual: &[Dual<f64>]| {
                assert_close(&format!("{what}, h = {h}"), found, &derivatives(dual), 1e-11);
            };
            check("M", dm.by(h).as_slice(), outward.mass_matrix().as_slice());
            check("C", dc[0].by(h).as_slice(), outward.coriolis_matrix(Garofalo).as_slice());
            check("C Christoffel", dc[1].by(h).as_slice(), outward.coriolis_matrix(Christoffel).as_slice());
            check("g", &column(&dg, h), &outward.gravity());
            check("tau", &column(&dtau, h), &outward.inverse_dynamics(&fixed(qdd), &fixed_wrenches(wrenches)));
        }
    });
}

#[test]
fn partials_by_the_velocity_are_those_of_dual_numbers() {
    for_each_tree(80, 12, |model, State { q, qd, qdd, wrenches, .. }| {
        let dc = [Garofalo, Christoffel].map(|f| coriolis_matrix_dqd(model, q, f));
        let dtau = inverse_dynamics_dqd(model, q, qd);
        for h in 0..model.nv() {
            let mut w = fixed(qd);
            w[h].derivative = 1.0;
            let outward = Outward::moving(model, &fixed(q), &w);
            let check = |what: &str, found: &[f64], dual: &[Dual<f64>]| {
                assert_close(&format!("{what}, h = {h}"), found, &derivatives(dual), 1e-11);
            };
            check("C", dc[0].by(h).as_slice(), outward.coriolis_matrix(Garofalo).as_slice());
            check("C Christoffel", dc[1].by(h).as_slice(), outward.coriolis_matrix(Christoffel).as_slice());
            check("tau", &column(&dtau, h), &outward.inverse_dynamics(&fixed(qdd), &fixed_wrenches(wrenches)));
        }
    });
}

fn has_body_velocities(model: &Model) -> bool {
    model.links().iter().any(|link| !matches!(link.joint.motion, Motion::Product(_)))
}

#[test]
fn christoffel_symbols_are_those_of_the_mass_matrix_in_coordinates() {
    let tested = std::cell::Cell::new(0);
    for_each_tree(120, 12, |model, State { q, .. }| {
        if has_body_velocities(model) {
            return;
        }
        tested.set(tested.get() + 1);
        let (symbols, dm) = (christoffel_symbols(model, q), mass_matrix_dq(model, q));
        let n = model.nv();
        let mut expected = Tensor::zeros(n, n, n);
        for i in 0..n {
            for j in 0..n {
                for h in 0..n {
                    expected[(i, j, h)] = 0.5 * (dm[(i, j, h)] + dm[(i, h, j)] - dm[(j, h, i)]);
                }
            }
        }
        assert_close("symbols", symbols.as_slice(), expected.as_slice(), ROUNDING);
    });
    assert!(tested.get() >= 20, "only {} robots without body velocities", tested.get());
}

#[test]
fn regressor_times_parameters_is_the_torque_with_armature_and_friction() {
    for_each_tree(200, 30, |model, State { q, qd, qdd, .. }| {
        let y = regressor(model, q, qd, qdd);
        let (pi, labels) = (parameters(model), parameter_labels(model));
        assert_eq!((y.columns(), labels.len()), (pi.len(), pi.len()));
        assert_close("tau", &y.apply(&pi), &inverse_dynamics(model, q, qd, qdd, &[]), ROUNDING);
    });
}

#[test]
fn slotine_li_regressor_times_parameters_is_the_reference_torque() {
    for_each_tree(200, 30, |model, State { q, qd, qd_r, qdd_r, .. }| {
        let outward = Outward::moving(model, q, qd);
        let mut tau = outward.gravity();
        let inertial = outward.mass_matrix().apply(qdd_r);
        let coriolis = outward.coriolis_matrix(Garofalo).apply(qd_r);
        for i in 0..model.nv() {
            tau[i] += inertial[i] + coriolis[i];
        }
        drive::add_torques(model, q, qd, &mut tau);
        let found = slotine_li_regressor(model, q, qd, qd_r, qdd_r).apply(&parameters(model));
        assert_close("tau", &found, &tau, ROUNDING);
    });
}

#[test]
fn parameter_derivatives_times_parameters_are_the_matrices() {
    for_each_tree(60, 15, |model, State { q, qd, .. }| {
        let outward = Outward::moving(model, q, qd);
        let pi = &parameters(model)[..10 * model.links().len()];
        let mut m = mass_matrix_dpi(model, q).along(pi);
        for (i, j, armature) in drive::armatures(model) {
            m[(i, j)] += armature;
        }
        assert_matrix_close("M", &m, &outward.mass_matrix(), ROUNDING);
        for factorization in [Garofalo, Christoffel] {
            let c = coriolis_matrix_dpi(model, q, qd, factorization).along(pi);
            assert_matrix_close("C", &c, &outward.coriolis_matrix(factorization), ROUNDING);
        }
        assert_close("g", &gravity_dpi(model, q).apply(pi), &outward.gravity(), ROUNDING);
    });
}

#[test]
fn labels_are_unique() {
    for_each_tree(50, 30, |model, _| {
        let mut labels = parameter_labels(model);
        let count = labels.len();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), count);
    });
}

fn described(links: Vec<LinkDescription>) -> Description {
    let gravity = [0.4, -1.2, -9.6].map(Number::from);
    Description { name: "robot".to_owned(), gravity, allow_unphysical: false, links, states: Vec::new() }
}

/// A joint of several numbers as joints of one number each, with massless links between.
fn expanded(link: &LinkDescription) -> Vec<LinkDescription> {
    let sequence = match &link.joint.kind {
        JointKind::Universal { axes, point } => axes
            .iter()
            .map(|&axis| ScrewDescription { kind: ScrewKind::Revolute, axis, point: *point, pitch: Number::ZERO })
            .collect(),
        JointKind::Cylindrical { axis, point } => [ScrewKind::Revolute, ScrewKind::Prismatic]
            .map(|kind| ScrewDescription { kind, axis: *axis, point: *point, pitch: Number::ZERO })
            .to_vec(),
        JointKind::Composite { sequence } => sequence.clone(),
        _ => return vec![link.clone()],
    };
    let mut parent = link.parent.clone();
    let mut links = Vec::new();
    for (i, screw) in sequence.iter().enumerate() {
        let mut piece = LinkDescription::new(format!("{}.{i}", link.name), parent);
        if i + 1 == sequence.len() {
            let ends = LinkDescription { parent: piece.parent, placement: piece.placement, ..link.clone() };
            piece = LinkDescription { motor: None, ..ends };
        }
        if i == 0 {
            piece.placement = link.placement;
        }
        let (axis, point, pitch) = (screw.axis, screw.point, screw.pitch);
        piece.joint.kind = match screw.kind {
            ScrewKind::Revolute => JointKind::Revolute { axis, point },
            ScrewKind::Prismatic => JointKind::Prismatic { axis },
            ScrewKind::Helical => JointKind::Helical { axis, point, pitch },
        };
        parent = piece.name.clone();
        links.push(piece);
    }
    links
}

#[test]
fn a_joint_of_several_numbers_is_a_chain_with_massless_links() {
    let mut changed = 0;
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let shape = Shape { motors: false, mimic: false, ..Shape::random(&mut random, 12) };
        let description = random_description(shape, &mut random);
        let links: Vec<_> = description.links.iter().flat_map(expanded).collect();
        changed += usize::from(links.len() > description.links.len());
        let model = Model::from_description(&description).unwrap();
        let chain = Model::from_description(&Description { links, ..description }).unwrap();
        let State { q, qd, qdd, .. } = random_state(&model, &mut random);
        let close = |what: &str, found: &[f64], expected: &[f64]| {
            assert_close(&format!("seed {seed}: {what}"), found, expected, ROUNDING);
        };
        let (one, two) = (Outward::moving(&model, &q, &qd), Outward::moving(&chain, &q, &qd));
        close("M", one.mass_matrix().as_slice(), two.mass_matrix().as_slice());
        close("g", &one.gravity(), &two.gravity());
        for factorization in [Garofalo, Christoffel] {
            let c = |outward: &Outward<'_, f64>| outward.coriolis_matrix(factorization);
            let c_dot = |outward: &Outward<'_, f64>| outward.coriolis_matrix_dot(&qdd, factorization);
            close("C", c(&one).as_slice(), c(&two).as_slice());
            close("C rate", c_dot(&one).as_slice(), c_dot(&two).as_slice());
            let dc = |outward: &Outward<'_, f64>| outward.coriolis_matrix_dq(&outward.partials(), factorization);
            close("C partials", dc(&one).as_slice(), dc(&two).as_slice());
        }
    }
    assert!(changed > 40, "only {changed} robots had such joints");
}

#[test]
fn a_base_moved_ten_kilometres_away_has_the_same_matrices() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let shape = Shape::random(&mut random, 20);
        let mut description = random_description(shape, &mut random);
        let near = Model::from_description(&description).unwrap();
        for link in description.links.iter_mut().filter(|link| link.parent == "base") {
            if let Placement::Origin { xyz, orientation: Orientation::Quaternion(_) } = &mut link.placement {
                *xyz = [8e3, -6e3, 10.0].map(Number::from);
            }
        }
        let far = Model::from_description(&description).unwrap();
        let state = random_state(&near, &mut random);
        let (one, two) = (Outward::moving(&near, &state.q, &state.qd), Outward::moving(&far, &state.q, &state.qd));
        for factorization in [Garofalo, Christoffel] {
            let found = two.coriolis_matrix(factorization);
            assert_matrix_close(&format!("seed {seed}"), &found, &one.coriolis_matrix(factorization), 1e-14);
        }
        assert_matrix_close(&format!("seed {seed}"), &two.mass_matrix(), &one.mass_matrix(), 1e-14);
    }
}

#[test]
fn a_coupled_joint_is_its_leader_projected() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let shape = Shape { mimic: true, ..Shape::random(&mut random, 15) };
        let description = random_description(shape, &mut random);
        let coupled = Model::from_description(&description).unwrap();
        let mut loose = description.clone();
        loose.links.iter_mut().for_each(|link| link.joint.mimic = None);
        let free = Model::from_description(&loose).unwrap();
        let State { q, qd, qdd, .. } = random_state(&coupled, &mut random);

        // The free robot moved as the coupled one is; without coupling columns and velocities are the same.
        let mut free_q = Vec::new();
        for link in coupled.links() {
            free_q.extend_from_slice(link.position(&q, &mut [0.0]));
        }
        let factors = Matrix::from_fn(free.nv(), coupled.nv(), |c, v| {
            let column = coupled.columns()[c];
            if column.dof == v { column.factor.unwrap_or(1.0) } else { 0.0 }
        });
        let (w, w_dot) = (factors.apply(&qd), factors.apply(&qdd));
        let (one, two) = (Outward::moving(&coupled, &q, &qd), Outward::moving(&free, &free_q, &w));
        let project = |m: &Matrix<f64>| factors.transpose().times(&m.times(&factors));
        let check = |what: &str, found: &Matrix<f64>, expected: &Matrix<f64>| {
            assert_matrix_close(&format!("seed {seed}: {what}"), found, &project(expected), ROUNDING);
        };
        check("M", &one.mass_matrix(), &two.mass_matrix());
        for f in [Garofalo, Christoffel] {
            check("C", &one.coriolis_matrix(f), &two.coriolis_matrix(f));
            check("C rate", &one.coriolis_matrix_dot(&qdd, f), &two.coriolis_matrix_dot(&w_dot, f));
        }
        let tau = factors.transpose().apply(&two.inverse_dynamics(&w_dot, &[]));
        assert_close(&format!("seed {seed}: tau"), &one.inverse_dynamics(&qdd, &[]), &tau, ROUNDING);
        let slopes = two.inverse_dynamics_dqd(&two.partials());
        check("tau by velocity", &one.inverse_dynamics_dqd(&one.partials()), &slopes);
    }
}

#[test]
fn a_renumbered_tree_has_the_same_matrices_in_its_own_order() {
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let shape = Shape { chain: false, ..Shape::random(&mut random, 20) };
        let mut description = random_description(shape, &mut random);
        let model = Model::from_description(&description).unwrap();
        description.links.reverse();
        let other = Model::from_description(&description).unwrap();
        let State { q, qd, .. } = random_state(&model, &mut random);

        // Where each position and velocity of the renumbered robot stands in the first one.
        let (mut positions, mut velocities) = (vec![0; other.nq()], vec![0; other.nv()]);
        for link in other.links().iter().filter(|link| link.mimic.is_none()) {
            let same = &model.links()[model.link_index(&link.name).unwrap()];
            (0..link.joint.nq()).for_each(|i| positions[link.q + i] = same.q + i);
            (0..link.joint.nv()).for_each(|i| velocities[link.v + i] = same.v + i);
        }
        let pick = |values: &[f64], from: &[usize]| from.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let one = Outward::moving(&model, &q, &qd);
        let two = Outward::moving(&other, &pick(&q, &positions), &pick(&qd, &velocities));
        let n = model.nv();
        let check = |what: &str, first: &Matrix<f64>, second: &Matrix<f64>| {
            let expected = Matrix::from_fn(n, n, |i, j| first[(velocities[i], velocities[j])]);
            assert_matrix_close(&format!("seed {seed}: {what}"), second, &expected, ROUNDING);
        };
        check("M", &one.mass_matrix(), &two.mass_matrix());
        check("C", &one.coriolis_matrix(Garofalo), &two.coriolis_matrix(Garofalo));
        check("C Christoffel", &one.coriolis_matrix(Christoffel), &two.coriolis_matrix(Christoffel));
        assert_close(&format!("seed {seed}: g"), &two.gravity(), &pick(&one.gravity(), &velocities), ROUNDING);
    }
}

#[test]
fn robot_files_of_the_suite_are_the_models_of_its_cases() {
    for case in cases() {
        let path = format!("{}/../../suite/robots/{}.toml", env!("CARGO_MANIFEST_DIR"), case.model.name());
        let (description, _) = jourdain::formats::load(path).unwrap();
        let model = Model::from_description(&description).unwrap();
        let State { q, qd, qdd, wrenches, .. } = &case.state;
        let check = |name: &str, found: &[f64]| {
            assert_close(&format!("{} {name}", case.id), found, &case.output(name), STORED);
        };
        check("M", mass_matrix(&model, q).as_slice());
        check("C", coriolis_matrix(&model, q, qd, Garofalo).as_slice());
        check("Q", &inverse_dynamics(&model, q, qd, qdd, wrenches));
        check("com", &com(&model, q).unwrap().0);
    }
}

#[test]
fn derivatives_have_rows_columns_and_variables() {
    for_each_tree(4, 5, |model, state| {
        let partials = mass_matrix_dq(model, &state.q);
        let n = model.nv();
        assert_eq!([partials.rows(), partials.columns(), partials.variables()], [n; 3]);
        assert_eq!(partials.as_slice().len(), n * n * n);
    });
}
