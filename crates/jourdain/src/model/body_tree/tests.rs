use super::{Mechanism, Turn};
use crate::model::description::LinkDescription;
use crate::model::{JointType, Model};
use crate::robots;

#[test]
fn arms_get_denavit_hartenberg_frames() {
    for name in ["iiwa14", "puma560", "panda", "ur5", "kuka_lwr", "rx90"] {
        let model = robots::load(name).unwrap();
        let tree = model.body_tree();
        assert!(tree.only_rotations, "{name}");
        for (b, body) in tree.bodies.iter().enumerate().skip(1) {
            assert!(matches!(body.turn, Turn::AboutX { .. }), "{name}, body {b}: {:?}", body.turn);
        }
    }
}

#[test]
fn rounding_dust_is_gone_from_right_angles() {
    let model = robots::load("iiwa14").unwrap();
    for body in &model.body_tree().bodies[1..] {
        let Turn::AboutX { cos, sin } = body.turn else { panic!("not about x") };
        assert!((cos, sin.abs()) == (0.0, 1.0), "{cos:e} {sin:e}");
    }
}

#[test]
fn rotations_keep_no_mass_nor_anything_on_their_axis() {
    let model = robots::load("humanoid25").unwrap();
    for body in &model.body_tree().bodies {
        assert_eq!(body.mechanism, Mechanism::Revolute);
        assert!(body.weightless);
        assert_eq!((body.regrouped_mass, body.regrouped_moment[2], body.regrouped_pseudo.zz), (0.0, 0.0, 0.0));
        assert!(body.inertia.mass > 0.0);
    }
}

#[test]
fn welded_links_ride_on_one_body_and_keep_their_inertia() {
    let model = robots::load("panda").unwrap();
    let tree = model.body_tree();
    assert_eq!(tree.bodies.len(), model.nv());
    let [last, tool] = [model.links().len() - 2, model.links().len() - 1].map(|link| tree.carriers[link].body);
    assert_eq!(last, tool);
    let mass: f64 = tree.bodies.iter().map(|body| body.inertia.mass).sum();
    assert!((mass - model.total_mass()).abs() < 1e-12);
}

#[test]
fn outboard_columns_are_those_whose_way_to_the_root_passes_the_body() {
    let humanoid = robots::load("floating_humanoid25").unwrap();
    // Two arms whose links take turns in the file, so that a walk does not follow the order of columns.
    let link = |name: &str, parent: &str| {
        let mut link = LinkDescription::new(name, parent);
        link.joint.kind = (JointType::Cylindrical.facts().default)();
        link
    };
    let names = [("a", "base"), ("b", "base"), ("aa", "a"), ("bb", "b"), ("aaa", "aa"), ("ab", "a")];
    let mut description = humanoid.description().clone();
    description.links = names.map(|(name, parent)| link(name, parent)).to_vec();
    for model in [humanoid, Model::from_description(&description).unwrap()] {
        let tree = model.body_tree();
        assert!(!tree.is_chain());
        for b in 0..tree.bodies.len() {
            let carried = |column: &usize| {
                std::iter::successors(Some(tree.body_of[*column]), |&b| tree.bodies[b].parent).any(|c| c == b)
            };
            let mut found = tree.outboard(b).to_vec();
            assert_eq!(found[0], tree.bodies[b].column);
            found.sort_unstable();
            assert_eq!(found, (0..tree.columns).filter(carried).collect::<Vec<_>>());
        }
    }
    assert!(robots::load("iiwa14").unwrap().body_tree().is_chain());
}
