//! URDF and MJCF.

use super::same::{assert_same_dynamics, depth_first, difference, random_robot, read, robots_of_files};
use jourdain::formats::{Format, Unwritable, Written, to_mjcf, to_urdf};
use jourdain::model::Number;
use jourdain::model::description::{
    Description, JointKind, MimicDescription, MotorDescription, NamedState, Orientation, Placement, standard_gravity,
};

type Write = fn(&Description) -> Result<Written, Unwritable>;
const FORMATS: [(Write, Format); 2] = [(to_urdf, Format::Urdf), (to_mjcf, Format::Mjcf)];

/// The robot as far as a format has drives: rigid ones, without rotors in URDF.
fn rigid(robot: &Description, format: Format) -> Description {
    let mut robot = robot.clone();
    for link in &mut robot.links {
        link.motor = link.motor.map(|motor| MotorDescription {
            inertia: match format {
                Format::Mjcf => Number::from(motor.ratio.value * motor.ratio.value * motor.inertia.value),
                _ => Number::ZERO,
            },
            viscous: Number::from(motor.viscous.value + motor.rotor_viscous.value),
            coulomb: Number::from(motor.coulomb.value + motor.rotor_coulomb.value),
            ..MotorDescription::default()
        });
    }
    if format == Format::Urdf {
        robot.gravity = standard_gravity();
    }
    robot
}

/// A free joint in MuJoCo is a pose in the world, and there is none inside the tree.
fn with_free_joints_as_mujoco(robot: &mut Description) {
    for link in &mut robot.links {
        if link.joint.kind == JointKind::Free && link.parent == "base" {
            link.motor = None;
            link.placement =
                Placement::Origin { xyz: [Number::ZERO; 3], orientation: Orientation::Rpy([Number::ZERO; 3]) };
        } else if link.joint.kind == JointKind::Free {
            link.joint.kind = JointKind::Translation;
        }
    }
}

/// What MuJoCo would not load; reading it here may be possible all the same.
const REFUSED: &str = "MuJoCo refuses the file";

fn lost(written: &Written) -> Vec<&String> {
    written.lost.iter().filter(|sentence| !sentence.contains(REFUSED)).collect()
}

/// Writes, reads, compares: the dynamics, and that something is lost if and only if the robots differ.
fn round_trip(what: &str, robot: &Description, (write, format): (Write, Format), seed: u64) -> Option<Written> {
    let written = match write(robot) {
        Ok(written) => written,
        Err(error) => {
            let in_the_way = |link: &jourdain::model::description::LinkDescription| {
                error.message.contains(&format!("`{}`", link.joint.name))
            };
            assert!(robot.links.iter().any(in_the_way), "{what}: {error}");
            return None;
        }
    };
    let refused = written.lost.iter().any(|sentence| sentence.contains(REFUSED));
    let found = match read(&written.text, format) {
        Ok(found) => found,
        Err(_) if refused => return Some(written),
        Err(error) => panic!("{what}: {error}"),
    };
    let differs = difference(robot, &found);
    assert_eq!(
        differs.is_some(),
        !lost(&written).is_empty(),
        "{what}: {differs:?}, {:?}\n{}",
        written.lost,
        written.text
    );
    assert_same_dynamics(what, &rigid(robot, format), &found, seed, 1e-13);
    // Once more, and nothing changes any more.
    let again = write(&found).unwrap();
    let found_again = read(&again.text, format).unwrap();
    assert_eq!(difference(&found, &found_again), None, "{what}, again: {:?}", again.lost);
    assert!(lost(&again).is_empty(), "{what}, again: {:?}\n{}", again.lost, again.text);
    Some(written)
}

#[test]
fn robots_of_files_survive() {
    for (name, robot) in robots_of_files() {
        let mut robot = robot;
        depth_first(&mut robot);
        for case in FORMATS {
            if case.1 == Format::Mjcf {
                with_free_joints_as_mujoco(&mut robot);
            }
            round_trip(&format!("{name} {:?}", case.1), &robot, case, 1);
        }
    }
}

#[test]
fn random_robots_survive() {
    let mut written = [0, 0];
    for seed in 0..400 {
        let mut robot = random_robot(seed, 8);
        for (case, count) in FORMATS.into_iter().zip(&mut written) {
            if case.1 == Format::Mjcf {
                with_free_joints_as_mujoco(&mut robot);
            }
            // What no other format has would leave few robots over.
            for link in &mut robot.links {
                let axis = [Number::ZERO, Number::ONE, Number::ZERO];
                match link.joint.kind {
                    JointKind::Helical { axis, point, .. } => link.joint.kind = JointKind::Revolute { axis, point },
                    JointKind::Spherical { point } if case.1 == Format::Urdf => {
                        link.joint.kind = JointKind::Cylindrical { axis, point };
                    }
                    _ => {}
                }
            }
            let found = round_trip(&format!("seed {seed} {:?}", case.1), &robot, case, seed);
            *count += usize::from(found.is_some());
        }
    }
    assert!(written.iter().all(|count| *count > 200), "{written:?}");
}

const ARM: &str = r#"
    name = "arm"
    gravity = [0, 0, -9.80665]
    [[link]]
    name = "pillar"
    [[link]]
    name = "upper"
    mass = 2.5
    com = [0.1, 0, 0.2]
    inertia = [0.11, 0.01, 0, 0.12, 0, 0.13]
    origin = { xyz = [0.1, 0.2, 0.3], rpy = [0.1, -1.5707963267948966, 0.3] }
    joint = { name = "shoulder", type = "revolute", axis = [0, 1, 0], limits = [-1, 2], velocity = 3, effort = 40 }
    motor = { viscous = 0.25, coulomb = 0.5 }
    [[link]]
    name = "lower"
    mass = 1
    inertia = [0.1, 0, 0, 0.1, 0, 0.1]
    joint = { name = "elbow", type = "continuous", axis = [0.6, 0.8, 0] }
    [[link]]
    name = "finger"
    mass = 0.1
    inertia = [0.001, 0, 0, 0.001, 0, 0.001]
    origin = { xyz = [0, 0, 0.3333333333333333], rpy = [0, 0, 0] }
    joint = { name = "slide", type = "prismatic", axis = [1, 0, 0], mimic = { joint = "elbow", multiplier = -0.5, offset = 0.1 } }
"#;

fn arm() -> Description {
    read(ARM, Format::Toml).unwrap()
}

#[test]
fn a_plain_arm_loses_nothing_in_urdf_and_keeps_its_digits() {
    let written = to_urdf(&arm()).unwrap();
    assert_eq!(written.lost, [""; 0]);
    for digits in ["0.1 -1.5707963267948966 0.3", "0.3333333333333333", "0.6 0.8 0", "lower=\"-1\" upper=\"2\""] {
        assert!(written.text.contains(digits), "{digits}\n{}", written.text);
    }
    let found = read(&written.text, Format::Urdf).unwrap();
    assert_eq!(difference(&arm(), &found), None);
    assert_eq!(found.links[1], arm().links[1]);
}

/// Every fact that a format cannot say, put into a robot that it can, is told.
#[test]
fn what_is_lost_is_told_fact_by_fact() {
    type Fact = (&'static str, fn(&mut Description), [bool; 2]);
    let facts: [Fact; 14] = [
        ("gravity", |robot| robot.gravity[0] = Number::ONE, [true, false]),
        (
            "states",
            |robot| robot.states.push(NamedState { name: "home".to_owned(), positions: Vec::new() }),
            [true, false],
        ),
        ("unphysical", |robot| robot.allow_unphysical = true, [true, true]),
        ("rotor", |robot| robot.links[1].motor.as_mut().unwrap().inertia = Number::ONE, [true, false]),
        ("ratio", |robot| robot.links[1].motor.as_mut().unwrap().ratio = Number::integer(3), [true, true]),
        ("damping", |robot| robot.links[1].motor.as_mut().unwrap().damping = Number::ONE, [true, true]),
        ("rotor friction", |robot| robot.links[1].motor.as_mut().unwrap().rotor_viscous = Number::ONE, [true, true]),
        (
            "spring",
            |robot| {
                let motor = robot.links[1].motor.as_mut().unwrap();
                (motor.inertia, motor.stiffness) = (Number::ONE, Some(Number::integer(1000)));
            },
            [true, true],
        ),
        ("axis", |robot| robot.links[1].motor.as_mut().unwrap().axis = Some([Number::ONE; 3]), [true, true]),
        ("velocity", |robot| robot.links[2].joint.velocity = Some(Number::ONE), [false, true]),
        ("effort", |robot| robot.links[2].joint.effort = Some(Number::ONE), [false, false]),
        ("name of a weld", |robot| robot.links[0].joint.name = "weld".to_owned(), [false, true]),
        ("limits", |robot| robot.links[2].joint.limits = Some([Number::ONE; 2]), [false, true]),
        (
            "chain of followers",
            |robot| {
                let follows =
                    MimicDescription { joint: "shoulder".to_owned(), multiplier: Number::ONE, offset: Number::ONE };
                robot.links[2].joint.mimic = Some(follows);
            },
            [false, false],
        ),
    ];
    let mut plain = arm();
    // What MJCF lacks of the arm itself.
    plain.links[1].joint.velocity = None;
    for (number, case) in FORMATS.into_iter().enumerate() {
        assert_eq!(case.0(&plain).unwrap().lost, [""; 0]);
        for (fact, put, is_lost) in &facts {
            let mut robot = plain.clone();
            put(&mut robot);
            let written = case.0(&robot).unwrap();
            assert_eq!(!written.lost.is_empty(), is_lost[number], "{fact} in {:?}: {:?}", case.1, written.lost);
            if *fact == "states" && case.1 == Format::Mjcf {
                assert!(written.text.contains("<key name=\"home\" qpos=\"0 0 0.1\"/>"), "{}", written.text);
                continue;
            }
            let found = read(&written.text, case.1).unwrap();
            let differs = difference(&robot, &found);
            assert_eq!(differs.is_some(), is_lost[number], "{fact} in {:?}: {differs:?}", case.1);
        }
    }
}

#[test]
fn an_order_that_is_not_depth_first_is_told() {
    let mut robot = arm();
    robot.links[2].parent = "pillar".to_owned();
    robot.links[3].parent = "upper".to_owned();
    for (write, _) in FORMATS {
        let lost = write(&robot).unwrap().lost;
        assert!(lost.iter().any(|sentence| sentence.contains("order of the coordinates")), "{lost:?}");
    }
}

#[test]
fn names_that_xml_cannot_hold_are_refused_and_odd_ones_survive() {
    let mut robot = arm();
    robot.links[3].name = "fin\u{1}ger".to_owned();
    for (write, _) in FORMATS {
        assert!(write(&robot).unwrap_err().message.contains("U+0001"));
    }
    robot.links[3].name = "a <b> & \"c\" 'd'".to_owned();
    robot.links[3].joint.name = "π ü".to_owned();
    let found = read(&to_urdf(&robot).unwrap().text, Format::Urdf).unwrap();
    assert_eq!(difference(&robot, &found), None);
}

#[test]
fn joints_that_a_format_lacks_are_refused_by_name() {
    let mut robot = arm();
    let (axis, point) = ([Number::ONE; 3], [Number::ZERO; 3]);
    robot.links[2].joint.kind = JointKind::Helical { axis, point, pitch: Number::ONE };
    for (write, _) in FORMATS {
        assert!(write(&robot).unwrap_err().message.contains("helical joint, and `elbow`"));
    }
    // Without travel it is a hinge.
    robot.links[2].joint.kind = JointKind::Helical { axis, point, pitch: Number::ZERO };
    for (write, format) in FORMATS {
        assert!(read(&write(&robot).unwrap().text, format).is_ok());
    }
    robot.links[3].joint.mimic = None;
    robot.links[2].joint.kind = JointKind::Spherical { point };
    assert!(to_urdf(&robot).unwrap_err().message.contains("spherical joint, and `elbow`"));
    assert!(to_mjcf(&robot).unwrap().text.contains("type=\"ball\""));
}

#[test]
fn a_chain_too_deep_to_nest_is_refused() {
    let link = |number: usize| {
        let mut link = jourdain::model::description::LinkDescription::new(
            format!("link{number}"),
            match number {
                0 => "base".to_owned(),
                number => format!("link{}", number - 1),
            },
        );
        link.mass = Number::ONE;
        link
    };
    let mut robot = Description { links: (0..2000).map(link).collect(), ..arm() };
    assert!(to_mjcf(&robot).unwrap_err().message.contains("inside one another"));
    assert!(read(&to_urdf(&robot).unwrap().text, Format::Urdf).is_ok());
    robot.links.truncate(300);
    assert!(read(&to_mjcf(&robot).unwrap().text, Format::Mjcf).is_ok());
}

#[test]
fn a_massless_chain_is_one_body_of_mujoco_under_the_names_that_are_read_again() {
    let text = r#"<mujoco><option gravity="0 0 -9.80665"/><worldbody>
        <body name="hand" pos="0 0 1"><joint name="yaw" axis="0 0 1" pos="0.1 0 0"/><joint name="pitch" axis="0 1 0"/>
        <joint name="push" type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
        </worldbody></mujoco>"#;
    let robot = read(text, Format::Mjcf).unwrap();
    assert_eq!(robot.links.len(), 3);
    let written = to_mjcf(&robot).unwrap();
    assert_eq!((written.lost.len(), written.text.matches("<body").count()), (0, 1), "{written:?}");
    assert_eq!(difference(&robot, &read(&written.text, Format::Mjcf).unwrap()), None);
}

/// Keys of MuJoCo have a free body's pose in the world: the place of its joint's frame, and then the joint.
#[test]
fn named_positions_of_free_bodies_are_poses_in_the_world() {
    let text = r#"
        name = "walker"
        [[link]]
        name = "body"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        origin = { xyz = [1, 2, 3], rpy = [0, 0, "pi/2"] }
        joint = { type = "free" }
        [[link]]
        name = "head"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        joint = { type = "spherical", effort = 3 }
        [[state]]
        name = "home"
        q = { body = [0.5, 0, 0, 1, 0, 0, 0], head = [0, 0, 1, 0] }
        [[state]]
        name = "rest"
        q = {}
    "#;
    let written = to_mjcf(&read(text, Format::Toml).unwrap()).unwrap();
    assert!(written.lost.iter().any(|lost| lost == "the effort limit of joint `head`"), "{:?}", written.lost);
    let document = roxmltree::Document::parse(&written.text).unwrap();
    let half = 0.5_f64.sqrt();
    for (name, expected) in [
        ("home", [1.0, 2.5, 3.0, half, 0.0, 0.0, half, 0.0, 0.0, 1.0, 0.0]),
        ("rest", [1.0, 2.0, 3.0, half, 0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0]),
    ] {
        let key = document.descendants().find(|node| node.attribute("name") == Some(name)).unwrap();
        let numbers: Vec<f64> = key.attribute("qpos").unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers.len(), expected.len(), "{name}");
        let off = numbers.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-15, "{name}: {numbers:?}");
    }
}

/// In URDF a link without a joint is welded to the ground, and `base` is a name like any other.
#[test]
fn names_that_the_ground_needs_are_given_otherwise() {
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>"
        )
    };
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>\
             </inertial></link>"
        )
    };
    let names = |text: String| {
        let robot = read(&format!("<robot name=\"r\">{text}</robot>"), Format::Urdf).unwrap();
        robot.links.into_iter().map(|link| (link.name, link.parent, link.joint.name)).collect::<Vec<_>>()
    };
    let of = |name: &str, parent: &str, joint: &str| (name.to_owned(), parent.to_owned(), joint.to_owned());
    assert_eq!(
        names(link("a") + &link("b") + &joint("a", "a", "b")),
        [of("a", "base", "a_to_ground"), of("b", "a", "a")]
    );
    assert_eq!(
        names(link("base") + &link("base_frame") + &joint("j", "base", "base_frame")),
        [of("base_frame_", "base", "base_frame_"), of("base_frame", "base_frame_", "j")]
    );
}
