//! Structural counts against exact ranks, on random robots: the two share the way from a description to its geometry and
//! nothing else; the fields are those of different primes.

use crate::common::random_structure::special_robot;
use crate::common::random_tree::{Random, Shape, random_description, random_tree};
use jourdain::dynamics::{closed_form, recursive};
use jourdain::model::Model;
use jourdain::parameters::exact::{Prime, Rational};
use jourdain::parameters::{BaseParameters, Method, Regrouping, base_regressor, exact_rank, rank};
use jourdain::{Matrix, State, Workspace};

/// Count by the structure in three fields and by the exact rank; all must be one number. True if the same parameters are kept:
/// with numbers those are passed over that would be solved for by dividing by hardly anything.
fn check(name: &str, model: &Model, rationals: bool) -> bool {
    let base = BaseParameters::new(model);
    let friction = base.labels().iter().filter(|label| label.starts_with("Fv") || label.starts_with("Fc")).count();
    let exact = exact_rank(model, 11).unwrap();
    assert_eq!(base.method(), Method::Structural);
    assert_eq!(base.count(), exact, "{name}: structure in f64 against the exact rank");
    let residues = Regrouping::<Prime>::new(model).unwrap();
    assert_eq!(residues.kept.len() + friction, exact, "{name}: structure modulo a prime");
    assert_eq!(residues.kept.len() + friction, base.kept().len(), "{name}");
    if residues.kept != base.kept()[..residues.kept.len()] {
        return false;
    }
    assert_eq!(residues.per_link, base.per_link(), "{name}");
    if rationals {
        let rational = Regrouping::<Rational>::new(model).unwrap();
        assert_eq!(rational.kept, residues.kept, "{name}");
        for (row, form) in rational.forms.iter().enumerate() {
            let mut expected = vec![0.0; base.labels().len()];
            form.iter().for_each(|(column, value)| expected[*column] = value.to_f64());
            for (column, expected) in expected.iter().enumerate() {
                let found = base.matrix()[(row, column)];
                assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{name} {row} {column}");
            }
        }
    }
    true
}

#[test]
fn counts_are_exact_ranks_on_500_random_serial_robots() {
    for seed in 0..500 {
        let mut random = Random::new(0x5e71_a100 + seed);
        let links = 1 + random.below(6);
        let model = Model::from_description(&special_robot(&mut random, links, false)).unwrap();
        assert!(check(&format!("serial robot, seed {seed}"), &model, seed % 10 == 0), "seed {seed}");
    }
}

#[test]
fn counts_are_exact_ranks_on_100_random_trees() {
    for seed in 0..100 {
        let mut random = Random::new(0x0007_1ee5 + seed);
        let links = 2 + random.below(7);
        let model = Model::from_description(&special_robot(&mut random, links, true)).unwrap();
        assert!(check(&format!("tree, seed {seed}"), &model, seed % 10 == 0), "seed {seed}");
    }
}

#[test]
fn counts_are_exact_ranks_on_random_trees_of_all_joint_types() {
    let mut others = Vec::new();
    for seed in 0..150 {
        let mut random = Random::new(0xa11 + seed);
        let shape = Shape { mimic: false, links: 1 + random.below(6), ..Shape::random(&mut random, 6) };
        let model = Model::from_description(&random_description(shape, &mut random)).unwrap();
        if !check(&format!("all joint types, seed {seed}: {shape:?}"), &model, false) {
            others.push(seed);
        }
    }
    assert!(others.len() <= 3, "other parameters are kept at seeds {others:?}");
}

/// Torques from base parameters against torques from all, at random states.
fn same_torques(name: &str, model: &Model, tolerance: f64) {
    let base = BaseParameters::new(model);
    let pi = closed_form::parameters(model);
    let values = base.values(&pi);
    let mut random = Random::new(3);
    let mut workspace = Workspace::new(model);
    let mut state = State::neutral(model);
    for _ in 0..5 {
        model.retract(&mut state.q, &random.vector(model.nv(), 2.0));
        let (qd, qdd) = (random.vector(model.nv(), 2.0), random.vector(model.nv(), 4.0));
        let mut regressor = Matrix::zeros(model.nv(), pi.len());
        recursive::regressor_into(model, &state.q, &qd, &qdd, &mut workspace, regressor.as_mut_slice());
        let (found, expected) = (base_regressor(model, &regressor).apply(&values), regressor.apply(&pi));
        let size = expected.iter().fold(1.0_f64, |size, tau| size.max(tau.abs()));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= tolerance * size, "{name}: {found} {expected}");
        }
    }
}

#[test]
fn base_parameters_of_random_trees_give_the_torques_of_all_parameters() {
    for seed in 0..100 {
        let model = random_tree(0xba5e + seed, 12);
        same_torques(&format!("seed {seed}"), &model, 1e-10);
    }
}

#[test]
fn robots_with_coupled_joints_have_as_many_base_parameters_as_the_rank_says() {
    let mut coupled = 0;
    for seed in 0..200 {
        let model = random_tree(0xc0de + seed, 8);
        if !model.has_mimic() {
            continue;
        }
        coupled += 1;
        let base = BaseParameters::new(&model);
        let witness = rank::singular_values(&model, 5).unwrap();
        assert_eq!(base.method(), Method::Blocks);
        assert!(witness.confirm(base.count()), "seed {seed}: {} and {witness:?}", base.count());
        assert_eq!(exact_rank(&model, 1), Some(base.count()), "seed {seed}");
    }
    assert!(coupled >= 10, "{coupled} robots with coupled joints");
}
