//! The native form says everything, in both notations, to the last bit.

use super::same::{read, robots_of_files};
use crate::common::random_tree::{Random, random_tree};
use jourdain::formats::{Format, to_json, to_toml};
use jourdain::model::Number;
use jourdain::model::description::{
    Description, DhConvention, DhParameters, InertiaDescription, JointKind, LinkDescription, NamedState, Orientation,
    Placement,
};

#[track_caller]
fn survives(robot: &Description, what: &str) {
    for (text, format) in [(to_toml(robot), Format::Toml), (to_json(robot), Format::Json)] {
        let found = read(&text, format).unwrap();
        for (found, link) in found.links.iter().zip(&robot.links) {
            assert_eq!(found, link, "{what}, {format:?}");
        }
        let rest = |robot: &Description| Description { links: Vec::new(), ..robot.clone() };
        assert_eq!(rest(&found), rest(robot), "{what}, {format:?}");
        assert!(found == *robot, "{what}, {format:?}");
    }
}

#[test]
fn robots_of_files_survive() {
    robots_of_files().iter().for_each(|(name, robot)| survives(robot, name));
}

/// A number of some form: a float, a fraction, or one with more digits than a fraction holds.
fn number(random: &mut Random) -> Number {
    match random.below(4) {
        0 => Number::parse(&format!("{}/{}", random.below(1000), 1 + random.below(999))).unwrap(),
        1 => Number::parse(&format!("0.{:020}", random.next())).unwrap(),
        2 => Number::from((random.range(0.0, 1.0) * 1000.0).round() / 1000.0),
        _ => Number::from(random.range(0.0, 1.0)),
    }
}

fn vector<const N: usize>(random: &mut Random) -> [Number; N] {
    std::array::from_fn(|_| number(random))
}

/// Sets every field that the random robots leave alone.
fn embellish(robot: &mut Description, random: &mut Random) {
    robot.name = "odd \"name\" \\ π".to_owned();
    robot.allow_unphysical = true;
    for link in &mut robot.links {
        place(link, random);
        link.inertia = match (link.inertia, random.below(4)) {
            (_, 0) => InertiaDescription::AboutOrigin(vector(random)),
            (InertiaDescription::AboutCom(elements), 1) => {
                InertiaDescription::AboutComRotated { elements, rpy: vector(random) }
            }
            (inertia, _) => inertia,
        };
        if random.chance(0.1) {
            let bare = LinkDescription::new("", "");
            (link.mass, link.com, link.inertia, link.has_inertial) = (bare.mass, bare.com, bare.inertia, false);
        }
        let joint = &mut link.joint;
        joint.velocity = random.chance(0.3).then(|| number(random));
        joint.effort = random.chance(0.3).then(|| number(random));
        match joint.kind.degrees_of_freedom() {
            1 if random.chance(0.5) => joint.limits = Some([Number::ZERO, number(random)]),
            1 => joint.continuous = random.chance(0.5),
            _ => {}
        }
        if let Some(motor) = &mut link.motor {
            motor.damping = number(random);
            (motor.rotor_viscous, motor.rotor_coulomb) = (number(random), number(random));
            motor.axis = random.chance(0.5).then(|| vector(random));
        }
    }
    let own = robot.links.iter().map(|link| &link.joint).filter(|joint| joint.mimic.is_none());
    let moving: Vec<(String, usize)> = own.map(|joint| (joint.name.clone(), joint.kind.nq())).collect();
    for name in ["home", "a b"] {
        let position = |(joint, count): &(String, usize)| {
            let mut numbers = random.vector(*count, 3.0);
            if let 4 | 7 = count {
                numbers[count - 4..].copy_from_slice(&[0.5, -0.5, 0.5, 0.5]);
            }
            (joint.clone(), numbers)
        };
        let positions = moving.iter().filter(|(_, count)| *count > 0).map(position).collect();
        robot.states.push(NamedState { name: name.to_owned(), positions });
    }
}

fn place(link: &mut LinkDescription, random: &mut Random) {
    const Z: [Number; 3] = [Number::ZERO, Number::ZERO, Number::ONE];
    let parameters = |random: &mut Random| DhParameters {
        alpha: number(random),
        a: number(random),
        theta: number(random),
        d: number(random),
        gamma: Number::ZERO,
        b: Number::ZERO,
    };
    match (random.below(4), &mut link.joint.kind) {
        (0, JointKind::Revolute { axis, point }) => {
            (*axis, *point) = (Z, [Number::ZERO; 3]);
            link.placement = Placement::Dh { convention: DhConvention::Standard, parameters: parameters(random) };
        }
        (1, JointKind::Prismatic { axis }) => {
            *axis = Z;
            let parameters = DhParameters { gamma: number(random), b: number(random), ..parameters(random) };
            link.placement = Placement::Dh { convention: DhConvention::Modified, parameters };
        }
        (2, _) => {
            link.placement = Placement::Origin { xyz: vector(random), orientation: Orientation::Rpy(vector(random)) };
        }
        _ => {}
    }
}

#[test]
fn every_field_of_random_robots_survives() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut robot = random_tree(seed, 12).description().clone().without_locations();
        embellish(&mut robot, &mut random);
        survives(&robot, &format!("seed {seed}"));
    }
}
