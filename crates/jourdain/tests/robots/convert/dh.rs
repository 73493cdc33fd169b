//! Denavit–Hartenberg tables: of the built-in arms and of random chains with axes in every relation.

use super::same::{assert_same_dynamics, read};
use crate::common::assert_close;
use crate::common::random_tree::{Random, random_state};
use jourdain::formats::{Format, to_dh};
use jourdain::model::description::{
    Description, DhConvention, InertiaDescription, JointKind, LinkDescription, Orientation, Placement,
};
use jourdain::model::{Model, Number};
use jourdain::{kinematics, robots};

const CONVENTIONS: [DhConvention; 2] = [DhConvention::Standard, DhConvention::Modified];

fn check(what: &str, robot: &Description, seed: u64) {
    for convention in CONVENTIONS {
        let what = format!("{what}, {convention:?}");
        let (written, error) = to_dh(robot, convention, 1e-9).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(error.position < 1e-12 && error.orientation < 1e-12, "{what}: {error}");
        let found = read(&written.text, Format::Toml).unwrap();
        let rows = found.links.iter().filter(|link| matches!(link.placement, Placement::Dh { .. })).count();
        assert_eq!(rows, robot.links.iter().filter(|link| link.joint.kind != JointKind::Fixed).count(), "{what}");
        assert_same_dynamics(&what, robot, &found, seed, 1e-12);
        // Fixed links are where they were.
        let (a, b) = (Model::from_description(robot).unwrap(), Model::from_description(&found).unwrap());
        let state = random_state(&a, &mut Random::new(seed));
        for (number, link) in robot.links.iter().enumerate().filter(|(_, link)| link.joint.kind == JointKind::Fixed) {
            let other = b.link_index(&link.name).unwrap();
            let [x, y] = [kinematics::pose(&a, &state.q, number), kinematics::pose(&b, &state.q, other)];
            assert_close(&what, y.to_matrix().as_flattened(), x.to_matrix().as_flattened(), 1e-12);
        }
    }
}

#[test]
fn built_in_arms_have_tables() {
    let mut tables = 0;
    for robot in robots::ALL {
        let description = robot.read().description.unwrap().into_description().without_locations();
        let moving = |link: &&LinkDescription| link.joint.kind != JointKind::Fixed;
        if description.links.iter().filter(moving).any(|link| link.joint.kind.degrees_of_freedom() != 1) {
            continue;
        }
        match to_dh(&description, DhConvention::Standard, 1e-9) {
            Ok(_) => check(robot.name, &description, 3),
            Err(error) => {
                assert!(error.message.contains("branches"), "{}: {error}", robot.name);
                continue;
            }
        }
        tables += 1;
    }
    assert!(tables >= 10, "{tables}");
}

#[test]
fn a_table_of_a_table_is_the_same_table() {
    for (name, convention) in
        [("puma560", DhConvention::Modified), ("stanford", DhConvention::Standard), ("rx90", DhConvention::Modified)]
    {
        let robot = robots::find(name).unwrap().read().description.unwrap().into_description().without_locations();
        let (first, _) = to_dh(&robot, convention, 1e-9).unwrap();
        let (second, _) = to_dh(&read(&first.text, Format::Toml).unwrap(), convention, 1e-9).unwrap();
        assert_eq!(second.lost, [""; 0], "{name}");
        let rows =
            |text: &str| text.lines().filter(|line| line.starts_with("dh = {")).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(rows(&first.text), rows(&second.text), "{name}");
    }
}

/// A chain whose neighbouring axes are parallel, the same, crossing, skew or at random, with slides and screws.
fn chain(random: &mut Random) -> Description {
    let mut links: Vec<LinkDescription> = Vec::new();
    for number in 0..2 + random.below(7) {
        let parent = links.last().map_or("base".to_owned(), |link| link.name.clone());
        let mut link = LinkDescription::new(format!("link{number}"), parent);
        let unit = |random: &mut Random| {
            let (i, sign) = (random.below(3), if random.chance(0.5) { 1.0 } else { -1.0 });
            std::array::from_fn(|j| Number::from(if i == j { sign } else { 0.0 }))
        };
        let any = |random: &mut Random, size: f64| std::array::from_fn(|_| Number::from(random.range(-size, size)));
        let special = random.chance(0.7);
        let axis = if special { unit(random) } else { any(random, 1.0) };
        let point = if random.chance(0.5) { [Number::ZERO; 3] } else { any(random, 0.3) };
        let xyz = match random.below(3) {
            0 => [Number::ZERO; 3],
            1 => unit(random),
            _ => any(random, 0.5),
        };
        let rpy = if special { [Number::ZERO; 3] } else { any(random, 3.0) };
        link.placement = Placement::Origin { xyz, orientation: Orientation::Rpy(rpy) };
        link.joint.kind = match random.below(8) {
            0 if number > 0 => JointKind::Fixed,
            1 | 2 => JointKind::Prismatic { axis },
            3 => JointKind::Helical { axis, point, pitch: Number::from(0.1) },
            _ => JointKind::Revolute { axis, point },
        };
        link.mass = Number::from(random.range(0.5, 3.0));
        link.com = any(random, 0.2);
        link.inertia = InertiaDescription::AboutCom([0.2, 0.01, -0.02, 0.3, 0.03, 0.25].map(Number::from));
        links.push(link);
    }
    Description {
        name: "chain".to_owned(),
        gravity: [1.0, 2.0, -9.0].map(Number::from),
        allow_unphysical: false,
        links,
        states: Vec::new(),
    }
}

#[test]
fn random_chains_have_tables() {
    for seed in 0..500 {
        let robot = chain(&mut Random::new(seed));
        check(&format!("seed {seed}"), &robot, seed);
    }
}

#[test]
fn what_has_no_table_is_refused_with_the_reason() {
    let robot = |name: &str| robots::find(name).unwrap().read().description.unwrap().into_description();
    let refused = |robot: &Description| to_dh(robot, DhConvention::Modified, 1e-9).unwrap_err().message;
    assert!(refused(&robot("humanoid25")).contains("branches"));
    assert!(refused(&robot("floating_humanoid25")).contains("6 degrees of freedom"));
    // Axes that are nearly parallel are, if that is near enough.
    let mut arm = robot("planar3r_chang");
    if let Placement::Origin { orientation, .. } = &mut arm.links[1].placement {
        *orientation = Orientation::Rpy([Number::from(1e-5), Number::ZERO, Number::ZERO]);
    }
    let (exact, _) = to_dh(&arm, DhConvention::Modified, 1e-9).unwrap();
    let (near, error) = to_dh(&arm, DhConvention::Modified, 1e-3).unwrap();
    assert!(error.orientation > 1e-6 && error.orientation < 1e-3, "{error}");
    assert_ne!(exact.text, near.text);
    assert!(near.text.starts_with("# Largest error of the table"));
}

/// A joint of one screw in a row is that screw, and its row is that of a turn, a slide or a screw.
#[test]
fn joints_that_are_a_sequence_of_one_have_a_row() {
    let body = "mass = 1\ncom = [0.1, 0, 0]\ninertia = [0.1, 0, 0, 0.2, 0, 0.2]";
    for factor in [
        "{ type = 'revolute', axis = [0, 1, 0], point = [0, 0.1, 0.2] }",
        "{ type = 'prismatic', axis = [0, 0.6, 0.8] }",
        "{ type = 'helical', axis = [0, 1, 0], point = [0.1, 0, 0], pitch = 0.05 }",
    ] {
        let text = format!(
            "name = 'r'\n[[link]]\nname = 'a'\n{body}\njoint = {{ type = 'composite', sequence = [{factor}] }}\n\
             [[link]]\nname = 'b'\n{body}\norigin = {{ xyz = [0.3, 0, 0.1] }}\njoint = {{ type = 'continuous' }}\n"
        );
        check(factor, &read(&text, Format::Toml).unwrap(), 7);
    }
}

#[test]
fn tables_of_nothing_and_tables_that_are_not_near_enough_are_refused() {
    let still = read("name = 'r'\n[[link]]\nname = 'a'\nmass = 1\n", Format::Toml).unwrap();
    let error = to_dh(&still, DhConvention::Standard, 1e-9).unwrap_err();
    assert_eq!(error.message, "no joint of the robot moves");
    assert_eq!(error.hint, "a table has a row for each joint");
    let puma = robots::find("puma560").unwrap().read().description.unwrap().into_description();
    let error = to_dh(&puma, DhConvention::Standard, -1.0).unwrap_err();
    assert!(error.message.starts_with("the table is off by "), "{}", error.message);
    assert!(error.message.ends_with(", more than the tolerance of -1e0"), "{}", error.message);
    assert_eq!(error.hint, "a larger --tolerance, if that is near enough");
}
