//! SDF is read as its specification says: links, joints, and the numbers that come of them.
//!
//! The expected values of `suite/sdf` are Drake's, or those of an independent program where Drake has no such joint;
//! `suite/sdf/make.py` makes them.

use crate::common::random_tree::{Random, Shape, random_description, random_state};
use crate::compare::{difference, evaluate};
use jourdain::formats::{self, Reading};
use jourdain::model::Number;
use jourdain::model::description::{
    Description, GROUND, InertiaDescription, JointDescription, JointKind, LinkDescription, MotorDescription,
    Orientation, Placement,
};
use jourdain::model::joint::Given;
use jourdain::{Model, State};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

fn suite(path: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../suite/{path}", env!("CARGO_MANIFEST_DIR")))
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// Name, expected values, and what came of reading.
fn cases() -> Vec<(String, Value, Reading)> {
    let entries = std::fs::read_dir(suite("sdf")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    let case = |name: String| {
        let text = std::fs::read_to_string(suite(&format!("sdf/{name}/{name}.json"))).unwrap();
        let reading = formats::read_path(suite(&format!("sdf/{name}/{name}.sdf")));
        (name, serde_json::from_str(&text).unwrap(), reading)
    };
    names.into_iter().map(case).collect()
}

/// What the link is called here: `base` is the ground.
fn link_name(name: &str) -> &str {
    if name == "base" { "base_frame" } else { name }
}

#[test]
fn models_have_the_numbers_that_drake_computes() {
    let mut compared = 0;
    for (name, case, reading) in cases() {
        let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        let Some(checked) = reading.description else { panic!("{name}: {}", listing.join("\n")) };
        let mut description = checked.into_description();
        let expected = &case["expected"];
        for coupling in expected["couplings"].as_array().into_iter().flatten() {
            let follower = coupling["joint"].as_str().unwrap();
            let link = description.links.iter().find(|link| link.joint.name == follower).unwrap();
            let mimic =
                link.joint.mimic.as_ref().unwrap_or_else(|| panic!("{name}: {follower} follows none: {listing:?}"));
            assert_eq!(mimic.joint, coupling["source"].as_str().unwrap(), "{name}");
            let found = [mimic.multiplier.value, mimic.offset.value];
            let expected = [coupling["multiplier"].as_f64().unwrap(), coupling["offset"].as_f64().unwrap()];
            assert!(difference(&found, &expected) < 1e-14, "{name}: {found:?}");
        }
        // Expected values are those of the tree without couplings.
        for link in &mut description.links {
            link.joint.mimic = None;
        }
        description.gravity = case["gravity"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap().into())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let model = Model::from_description(&description).unwrap();
        let tolerance = case["tolerance"].as_f64().unwrap();

        // Drake's order of joints may be another one.
        let joints: Vec<(&str, usize)> = expected["joints"]
            .as_array()
            .unwrap()
            .iter()
            .map(|joint| {
                let name = joint["name"].as_str().unwrap();
                let count = joint["nv"].as_u64().unwrap_or_else(|| u64::from(joint["type"] != "fixed"));
                (name, count as usize)
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        let moving: Vec<_> = description.links.iter().filter(|link| link.joint.kind.degrees_of_freedom() > 0).collect();
        assert_eq!(moving.len(), joints.len(), "{name}: {listing:?}");
        let (mut q, mut map) = (Vec::new(), Vec::new());
        for link in &moving {
            let drawn = &link.joint.name;
            let joint = if drawn == "base_frame" { "base" } else { drawn };
            let position =
                joints.iter().position(|(other, _)| *other == joint).unwrap_or_else(|| panic!("{name}: {drawn}"));
            let start: usize = joints[..position].iter().map(|(_, count)| count).sum();
            map.extend(start..start + joints[position].1);
            q.extend(numbers(&case["q"][joint]));
        }
        let pick = |values: Vec<f64>| map.iter().map(|index| values[*index]).collect::<Vec<f64>>();
        let qd = pick(numbers(&case["v"]));
        let state = State { q, qd, ..State::neutral(&model) }.checked(&model).unwrap();
        let nv = map.len();
        let matrix = numbers(&expected["mass_matrix"]);
        let matrix: Vec<f64> =
            map.iter().flat_map(|i| map.iter().map(|j| matrix[i * nv + j]).collect::<Vec<_>>()).collect();
        let found = evaluate("mass_matrix", &model, &state);
        assert!(difference(&found, &matrix) <= tolerance, "{name}, M: {found:?} for {matrix:?}");
        for (quantity, key) in [("gravity", "gravity_torque"), ("bias", "bias")] {
            let found = evaluate(quantity, &model, &state);
            let wanted = pick(numbers(&expected[key]));
            assert!(difference(&found, &wanted) <= tolerance, "{name}, {key}: {found:?} for {wanted:?}");
        }
        for (link, pose) in expected["poses"].as_object().unwrap() {
            let error = difference(&evaluate(&format!("pose:{}", link_name(link)), &model, &state), &numbers(pose));
            assert!(error <= tolerance, "{name}, {link}: {error:e}");
            compared += 1;
        }
        for body in expected["bodies"].as_array().into_iter().flatten() {
            let link = link_name(body["name"].as_str().unwrap());
            let inertia = model.links()[model.link_index(link).unwrap()].inertia;
            assert!((inertia.mass - body["mass"].as_f64().unwrap()).abs() <= tolerance, "{name}, {link}");
            let (com, about) = inertia.about_com();
            assert!(difference(&com.0, &numbers(&body["com"])) <= tolerance, "{name}, {link}: {com:?}");
            let about = about.to_matrix().concat();
            assert!(difference(&about, &numbers(&body["inertia"])) <= tolerance, "{name}, {link}: {about:?}");
        }
        for joint in expected["joints"].as_array().unwrap() {
            let joint_name = joint["name"].as_str().unwrap();
            let Some(link) = description.links.iter().find(|link| link.joint.name == joint_name) else { continue };
            if let Some(limits) = joint["limits"].as_array().filter(|_| link.joint.kind.degrees_of_freedom() == 1) {
                let found = link.joint.limits.unwrap_or_else(|| panic!("{name}, {joint_name}")).map(|x| x.value);
                assert!(
                    difference(&found, &limits.iter().flat_map(numbers).collect::<Vec<_>>()) < 1e-12,
                    "{name}, {joint_name}"
                );
            }
            if let Some(damping) = joint["damping"][0].as_f64() {
                assert_eq!(link.motor.map_or(0.0, |motor| motor.viscous.value), damping, "{name}, {joint_name}");
            }
        }
    }
    assert!(compared >= 20, "only {compared} poses compared");
}

/// The coordinates of `written` in those of `original`, by names of joints: `a`, or `a_1`, `a_2`, … where a joint was split.
fn coordinates(original: &Description, written: &Description, size: fn(&JointKind) -> usize) -> Vec<usize> {
    let mut starts: HashMap<String, (usize, usize)> = HashMap::new();
    let mut at = 0;
    for link in original.links.iter().filter(|link| link.joint.mimic.is_none()) {
        let count = size(&link.joint.kind);
        starts.insert(link.joint.name.clone(), (at, count));
        (1..=count).for_each(|part| {
            starts.insert(format!("{}_{part}", link.joint.name), (at + part - 1, 1));
        });
        at += count;
    }
    let moving = written.links.iter().filter(|link| size(&link.joint.kind) > 0 && link.joint.mimic.is_none());
    let map: Vec<usize> = moving
        .flat_map(|link| {
            let (start, count) =
                starts.get(&link.joint.name).copied().unwrap_or_else(|| starts[&format!("{}_joint", link.name)]);
            start..start + count
        })
        .collect();
    assert_eq!(map.len(), at);
    map
}

fn positions(kind: &JointKind) -> usize {
    match kind {
        JointKind::Spherical { .. } => 4,
        JointKind::Free => 7,
        other => other.degrees_of_freedom(),
    }
}

fn written(robot: &Description) -> Description {
    let written = formats::to_sdf(robot);
    let reading = formats::read(written.text.as_bytes());
    let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
    reading.description.unwrap_or_else(|| panic!("{}\n{}", listing.join("\n"), written.text)).into_description()
}

#[test]
fn random_robots_come_back_with_the_same_dynamics() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let shape = Shape::random(&mut random, 12);
        let mut robot = random_description(shape, &mut random);
        for link in &mut robot.links {
            if link.joint.kind == JointKind::Free {
                // Of free joints SDF has only floating models, whose joint has the name of the link.
                match link.parent == GROUND {
                    true => {
                        link.placement = LinkDescription::new("", "").placement;
                        link.joint.name.clone_from(&link.name);
                    }
                    false => link.joint.kind = JointKind::Spherical { point: [Number::ZERO; 3] },
                }
            }
            if let Some(motor) = &mut link.motor {
                motor.stiffness = None;
            }
        }
        let again = written(&robot);
        let [model, other] = [&robot, &again].map(|robot| Model::from_description(robot).unwrap());
        let state = random_state(&model, &mut random);
        let state = State { wrenches: Vec::new(), ..state };
        let (of_q, of_v) =
            (coordinates(&robot, &again, positions), coordinates(&robot, &again, JointKind::degrees_of_freedom));
        let pick = |values: &[f64], map: &[usize]| map.iter().map(|i| values[*i]).collect::<Vec<f64>>();
        let moved = State {
            q: pick(&state.q, &of_q),
            qd: pick(&state.qd, &of_v),
            qdd: pick(&state.qdd, &of_v),
            ..State::neutral(&other)
        };
        let moved = moved.checked(&other).unwrap();
        let expected = pick(&evaluate("inverse_dynamics", &model, &state), &of_v);
        let found = evaluate("inverse_dynamics", &other, &moved);
        assert!(difference(&found, &expected) < 1e-13, "seed {seed}: {found:?} for {expected:?}");
        let (matrix, nv) = (evaluate("mass_matrix", &model, &state), of_v.len());
        let expected: Vec<f64> =
            of_v.iter().flat_map(|i| of_v.iter().map(|j| matrix[i * nv + j]).collect::<Vec<_>>()).collect();
        assert!(difference(&evaluate("mass_matrix", &other, &moved), &expected) < 1e-13, "seed {seed}");
    }
}

/// The robot without the fractions that stand behind its numbers, which only the native form can say.
fn in_doubles(mut robot: Description) -> Description {
    let plain = |x: Number| Number::from(x.value);
    for link in &mut robot.links {
        link.inertia = match link.inertia {
            InertiaDescription::AboutCom(elements) => InertiaDescription::AboutCom(elements.map(plain)),
            InertiaDescription::AboutOrigin(elements) => InertiaDescription::AboutOrigin(elements.map(plain)),
            InertiaDescription::AboutComRotated { elements, rpy } => {
                InertiaDescription::AboutComRotated { elements: elements.map(plain), rpy: rpy.map(plain) }
            }
        };
        if let Placement::Origin { xyz, orientation } = &mut link.placement {
            *xyz = xyz.map(plain);
            *orientation = match *orientation {
                Orientation::Rpy(rpy) => Orientation::Rpy(rpy.map(plain)),
                Orientation::Quaternion(quaternion) => Orientation::Quaternion(quaternion.map(plain)),
            };
        }
        link.joint.kind.visit_mut(&mut |_, part| match part {
            Given::Axis(numbers) | Given::Point(numbers) => *numbers = numbers.map(plain),
            Given::Pitch(number) => *number = plain(*number),
        });
        let joint = &mut link.joint;
        joint.limits = joint.limits.map(|limits| limits.map(plain));
        (joint.velocity, joint.effort) = (joint.velocity.map(plain), joint.effort.map(plain));
        if let Some(mimic) = &mut joint.mimic {
            (mimic.multiplier, mimic.offset) = (plain(mimic.multiplier), plain(mimic.offset));
        }
        if let Some(motor) = &mut link.motor {
            (motor.inertia, motor.ratio) = (plain(motor.inertia), plain(motor.ratio));
            (motor.viscous, motor.coulomb) = (plain(motor.viscous), plain(motor.coulomb));
        }
    }
    robot
}

#[test]
fn numbers_come_back_to_the_last_bit() {
    let mut robots: Vec<Description> = (0..100)
        .map(|seed| {
            let mut random = Random::new(seed);
            let shape = Shape { chain: true, free_base: false, ..Shape::random(&mut random, 8) };
            random_description(shape, &mut random)
        })
        .collect();
    for robot in jourdain::robots::ALL {
        robots.push(robot.read().description.unwrap().into_description());
    }
    let robots: Vec<Description> = robots.into_iter().map(in_doubles).collect();
    let mut compared = 0;
    for robot in &robots {
        let again = written(robot);
        assert_eq!(again.gravity.map(|x| x.value), robot.gravity.map(|x| x.value), "{}", robot.name);
        for link in &robot.links {
            let Some(other) = again.links.iter().find(|other| other.name == link.name) else { panic!("{}", link.name) };
            let name = format!("{}, {}", robot.name, link.name);
            assert_eq!(
                (other.mass.value, other.com.map(|x| x.value)),
                (link.mass.value, link.com.map(|x| x.value)),
                "{name}"
            );
            if !matches!(link.inertia, InertiaDescription::AboutOrigin(_)) {
                assert_eq!(other.inertia, link.inertia, "{name}");
            }
            let is_kept = matches!(
                link.joint.kind,
                JointKind::Fixed
                    | JointKind::Revolute { .. }
                    | JointKind::Prismatic { .. }
                    | JointKind::Helical { .. }
                    | JointKind::Spherical { .. }
                    | JointKind::Universal { .. }
            );
            if !is_kept || !matches!(link.placement, Placement::Origin { .. }) {
                continue;
            }
            compared += 1;
            let zero = |placement: &Placement| *placement == LinkDescription::new("", "").placement;
            assert!(
                other.placement == link.placement || zero(&other.placement) && is_identity(&link.placement),
                "{name}"
            );
            match (&other.joint.kind, &link.joint.kind) {
                // Travel per radian is written per turn, which not every double is a multiple of.
                (JointKind::Helical { pitch: found, .. }, JointKind::Helical { pitch, .. }) => {
                    assert!((found.value - pitch.value).abs() <= f64::EPSILON * pitch.value.abs(), "{name}");
                }
                (found, expected) => assert_eq!(found, expected, "{name}"),
            }
            assert_eq!(
                (other.joint.limits, other.joint.velocity, other.joint.effort),
                (link.joint.limits, link.joint.velocity, link.joint.effort),
                "{name}"
            );
            let coupling =
                |joint: &JointDescription| joint.mimic.as_ref().map(|mimic| (mimic.multiplier, mimic.offset));
            assert_eq!(coupling(&other.joint), coupling(&link.joint), "{name}");
            if let Some(motor) =
                link.motor.filter(|motor| motor.rotor_viscous.value == 0.0 && motor.rotor_coulomb.value == 0.0)
            {
                let found = other.motor.unwrap_or_default();
                let expected = MotorDescription { stiffness: None, damping: Number::ZERO, axis: None, ..motor };
                assert_eq!(found, expected, "{name}");
            }
        }
    }
    assert!(compared > 300, "only {compared} links compared");
}

fn is_identity(placement: &Placement) -> bool {
    match placement {
        Placement::Origin { xyz, orientation: Orientation::Rpy(rpy) } => xyz.iter().chain(rpy).all(|x| x.value == 0.0),
        Placement::Origin { .. } | Placement::Dh { .. } => false,
    }
}

#[test]
fn what_sdf_cannot_say_is_listed() {
    let text = r#"
        name = "odd"
        [[link]]
        name = "a::b"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        joint = { type = "cylindrical", name = "a::b" }
        motor = { inertia = 1e-4, ratio = 100, stiffness = 1e4, shaft_viscous = 1e-3 }
        [[link]]
        name = "world"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        joint = { type = "revolute", limits = [-1, 1] }
    "#
    .replace("stiffness = 1e4, ", "");
    let robot = formats::read(text.as_bytes()).description.unwrap().into_description();
    let written = formats::to_sdf(&robot);
    let told = written.lost.join("\n");
    for word in ["massless", "`_joint`", "another is written", "at the rotor"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    let again = formats::read(written.text.as_bytes());
    assert!(again.is_ok(), "{:?}", again.diagnostics);
}

/// A robot that is written down in both forms by hand.
fn same_robot(sdf: &str, native: &str, seed: u64) {
    let read = |text: &str| {
        let reading = formats::read(text.as_bytes());
        let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        Model::from_description(&reading.description.unwrap_or_else(|| panic!("{listing:?}"))).unwrap()
    };
    let (found, expected) = (read(sdf), read(native));
    assert_eq!((found.nq(), found.nv()), (expected.nq(), expected.nv()), "{native}");
    let state = random_state(&expected, &mut Random::new(seed));
    let state = State { wrenches: Vec::new(), ..state };
    for quantity in ["inverse_dynamics", "mass_matrix", "pose:tip"] {
        let difference = difference(&evaluate(quantity, &found, &state), &evaluate(quantity, &expected, &state));
        assert!(difference < 1e-14, "seed {seed}, {quantity}: {difference:e} for {native}");
    }
}

/// The link frame `tip` at (0.1, 0.2, 0.3) of `arm`, turned by a right angle about z; the joint at (0, 0.05, 0) of the tip.
#[test]
fn every_kind_of_joint_is_the_native_one() {
    const INERTIA: &str = "<inertial><pose>.1 0 .2 0 0 0</pose><mass>2</mass><inertia><ixx>.1</ixx><iyy>.2</iyy><izz>.15</izz></inertia></inertial>";
    let axis = "<xyz expressed_in=\"arm\">1 0 0</xyz>";
    let second = "<axis2><xyz>1 0 0</xyz></axis2>";
    // `arm`'s x axis is the tip's −y.
    let kinds = [
        ("revolute", format!("<axis>{axis}</axis>"), "type = \"continuous\", axis = [0, -1, 0], point = [0, 0.05, 0]"),
        (
            "continuous",
            format!("<axis>{axis}</axis>"),
            "type = \"continuous\", axis = [0, -1, 0], point = [0, 0.05, 0]",
        ),
        ("prismatic", format!("<axis>{axis}</axis>"), "type = \"prismatic\", axis = [0, -1, 0]"),
        ("fixed", String::new(), "type = \"fixed\""),
        ("ball", String::new(), "type = \"spherical\", point = [0, 0.05, 0]"),
        (
            "universal",
            format!("<axis>{axis}</axis>{second}"),
            "type = \"universal\", axis = [0, -1, 0], axis2 = [1, 0, 0], point = [0, 0.05, 0]",
        ),
        (
            "revolute2",
            format!("<axis>{axis}</axis>{second}"),
            "type = \"universal\", axis = [0, -1, 0], axis2 = [1, 0, 0], point = [0, 0.05, 0]",
        ),
        (
            "screw",
            format!("<axis>{axis}</axis><thread_pitch>-20</thread_pitch>"),
            "type = \"helical\", axis = [0, -1, 0], point = [0, 0.05, 0], pitch = 0.05",
        ),
    ];
    for (number, (kind, parts, native)) in kinds.iter().enumerate() {
        let sdf = format!(
            "<sdf version=\"1.7\"><world name=\"w\"><gravity>1 2 -9</gravity><model name=\"m\"><pose>.5 0 0 0 0 0</pose>\
             <link name=\"tip\"><pose relative_to=\"arm\">.1 .2 .3 0 0 1.5707963267948966</pose>{INERTIA}</link>\
             <link name=\"arm\">{INERTIA}</link>\
             <joint name=\"j\" type=\"{kind}\"><pose>0 .05 0 0 0 0</pose><parent>arm</parent><child>tip</child>{parts}</joint>\
             <joint name=\"root\" type=\"revolute\"><parent>world</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>\
             </model></world></sdf>"
        );
        let body = "mass = 2\ncom = [0.1, 0, 0.2]\ninertia = [0.1, 0, 0, 0.2, 0, 0.15]";
        let native = format!(
            "name = \"m\"\ngravity = [1, 2, -9]\n[[link]]\nname = \"arm\"\n{body}\norigin = {{ xyz = [0.5, 0, 0] }}\n\
             joint = {{ type = \"continuous\", name = \"root\" }}\n[[link]]\nname = \"tip\"\n{body}\n\
             origin = {{ xyz = [0.1, 0.2, 0.3], rpy = [0, 0, \"pi/2\"] }}\njoint = {{ {native}, name = \"j\" }}\n"
        );
        same_robot(&sdf, &native, number as u64);
    }
}

/// Files by name, as text.
struct Texts(Vec<(&'static str, String)>);

impl formats::Files for Texts {
    fn read(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| std::path::Path::new(name) == path);
        found.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }
}

fn read_with(text: &str, files: Vec<(&'static str, String)>) -> Reading {
    formats::read_from(text.as_bytes(), None, std::path::Path::new("main.sdf"), &Texts(files))
}

const BODY: &str = "<sdf version=\"1.8\"><model name=\"body\"><link name=\"a\"/></model></sdf>";

#[test]
fn models_are_found_by_folder_and_by_the_file_that_their_config_lists() {
    let include =
        |uri: &str| format!("<sdf version=\"1.8\"><world name=\"w\"><include><uri>{uri}</uri></include></world></sdf>");
    let config = "<model><sdf version=\"1.4\">old.sdf</sdf><sdf version=\"1.8\">new.sdf</sdf></model>".to_owned();
    for (uri, files) in [
        ("model://body", vec![("body/model.sdf", BODY.to_owned())]),
        ("model://body", vec![("../models/body/model.sdf", BODY.to_owned())]),
        ("model://body", vec![("body/model.config", config), ("body/new.sdf", BODY.to_owned())]),
        ("model://body/x/y.sdf", vec![("../../body/x/y.sdf", BODY.to_owned())]),
        ("parts/body.sdf", vec![("parts/body.sdf", BODY.to_owned())]),
        ("file://body", vec![("body/model.sdf", BODY.to_owned())]),
    ] {
        let reading = read_with(&include(uri), files);
        assert!(reading.is_ok(), "{uri}: {:?}", reading.diagnostics);
    }
    let reading = read_with(&include("https://example.org/body"), Vec::new());
    assert_eq!(reading.diagnostics.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["no-links", "not-carried"]);
}

#[test]
fn files_that_include_themselves_or_each_other_without_end_are_refused() {
    let with = |uri: &str| {
        let include = format!("<include><uri>{uri}</uri></include>");
        format!(
            "<sdf version=\"1.8\"><model name=\"m\"><link name=\"a\"/>{include}{}</model></sdf>",
            include.replace("<uri>", "<name>n</name><uri>")
        )
    };
    let reading = read_with(&with("main.sdf"), vec![("main.sdf", with("main.sdf"))]);
    assert!(reading.diagnostics.iter().any(|finding| finding.code == "included-twice"), "{:?}", reading.diagnostics);
    // Each file includes the next one twice: two to the power of thirty models.
    let names: Vec<&'static str> = (0..31).map(|i| &*format!("f{i}.sdf").leak()).collect();
    let files = (0..30).map(|i| (names[i], with(names[i + 1]))).collect();
    let started = std::time::Instant::now();
    let reading = read_with(&with("f0.sdf"), files);
    assert!(reading.diagnostics.iter().any(|finding| finding.code == "too-many-files"), "{:?}", reading.diagnostics);
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn a_world_is_the_robot_in_it() {
    let model = |name: &str, parts: &str| {
        format!("<model name=\"{name}\">{parts}<link name=\"a\"><inertial><mass>2</mass></inertial></link></model>")
    };
    let read = |models: &str| {
        let text = format!("<sdf version=\"1.9\"><world name=\"w\">{models}</world></sdf>");
        let reading = formats::read(text.as_bytes());
        let codes: Vec<&str> = reading.diagnostics.iter().map(|finding| finding.code).collect();
        let robot = reading.description.unwrap().into_description();
        let links: Vec<String> = robot.links.iter().map(|link| link.name.clone()).collect();
        (robot.name, links.join(" "), codes.join(" "))
    };
    let told = |name: &str, links: &str, codes: &str| (name.to_owned(), links.to_owned(), codes.to_owned());
    let (arm, hand) = (model("arm", ""), model("hand", ""));
    let table = model("table", "<static>true</static>");
    let sun = "<include><uri>model://sun</uri></include><light name=\"l\"/>";
    assert_eq!(read(&arm), told("arm", "a", ""));
    assert_eq!(read(&format!("{sun}{table}{arm}")), told("arm", "a", "static-left-out"));
    assert_eq!(read(&format!("{arm}{hand}")), told("w", "arm::a hand::a", "several-models"));
    assert_eq!(read(&table), told("table", "a", "no-moving-joint"));
}

#[test]
fn a_floating_model_keeps_where_it_is_drawn_as_a_named_position() {
    let text = "<sdf version=\"1.9\"><model name=\"m\"><pose>1 2 3 0 0 0</pose><link name=\"a\"><inertial><mass>2</mass></inertial></link></model></sdf>";
    let robot = formats::read(text.as_bytes()).description.unwrap().into_description();
    assert_eq!(robot.states.len(), 1);
    assert_eq!(robot.states[0].name, "initial");
    assert_eq!(robot.states[0].positions, [("a".to_owned(), vec![1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0])]);
}

#[test]
fn what_a_tree_cannot_carry_is_named_and_the_rest_is_read() {
    let inertial = "<inertial><mass>2</mass></inertial>";
    let hinge = |name: &str, parent: &str, child: &str, more: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent>{parent}</parent><child>{child}</child><axis><xyz>0 1 0</xyz>{more}</axis></joint>"
        )
    };
    let read = |links: &str, joints: &str| {
        let text = format!("<sdf version=\"1.11\"><model name=\"m\">{links}{joints}</model></sdf>");
        let reading = formats::read(text.as_bytes());
        let lost: Vec<String> = reading
            .diagnostics
            .iter()
            .filter(|finding| finding.code == "not-carried")
            .map(|finding| finding.message.clone())
            .collect();
        (reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).into_description(), lost)
    };
    let links: String = ["a", "b", "c"].map(|name| format!("<link name=\"{name}\">{inertial}</link>")).concat();
    let [ab, bc, ca] = [("ab", "a", "b"), ("bc", "b", "c"), ("ca", "c", "a")]
        .map(|(name, parent, child)| hinge(name, parent, child, ""));
    let (robot, lost) = read(&links, &format!("{ab}{bc}{ca}"));
    assert_eq!(robot.links.iter().map(|link| link.joint.name.as_str()).collect::<Vec<_>>(), ["a", "ab", "bc"]);
    assert!(lost.len() == 1 && lost[0].contains("`ca` closes a loop"), "{lost:?}");

    let mimic = |leader: &str| {
        format!(
            "<mimic joint=\"{leader}\" axis=\"axis\"><multiplier>-2</multiplier><offset>.5</offset><reference>.25</reference></mimic>"
        )
    };
    let (robot, lost) = read(&links, &format!("{ab}{}", hinge("bc", "b", "c", &mimic("ab"))));
    let coupling = robot.links[2].joint.mimic.clone().unwrap();
    assert_eq!((coupling.joint.as_str(), coupling.multiplier.value, coupling.offset.value), ("ab", -2.0, 1.0));
    assert!(lost.is_empty(), "{lost:?}");
    let (robot, lost) = read(&links, &format!("{ab}{}", hinge("bc", "b", "c", &mimic("xy"))));
    assert!(robot.links[2].joint.mimic.is_none() && lost[0].contains("`xy` is no joint"), "{lost:?}");

    let odd = format!(
        "<link name=\"a\">{inertial}<gravity>false</gravity></link><link name=\"b\"><kinematic>1</kinematic>{inertial}</link>"
    );
    let spring = hinge("j", "a", "b", "<dynamics><spring_stiffness>3</spring_stiffness></dynamics>");
    assert_eq!(read(&odd, &spring).1.len(), 3);
}

#[test]
fn damaged_models_end_in_findings() {
    let texts: Vec<Vec<u8>> =
        cases().iter().map(|(name, ..)| std::fs::read(suite(&format!("sdf/{name}/{name}.sdf"))).unwrap()).collect();
    let words = [
        "nan",
        "-1",
        "0",
        "world",
        "__model__",
        "1e16",
        "</link>",
        "<pose/>",
        "a::b",
        "\"",
        "inf",
        "<static>1</static>",
    ];
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut bytes = texts[random.below(texts.len())].clone();
        for _ in 0..1 + random.below(3) {
            let (at, length) = (random.below(bytes.len()), random.below(30));
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(7),
                1 => drop(bytes.drain(at..(at + length).min(bytes.len() - 1))),
                2 => {
                    let piece = bytes[at..(at + 10 * length).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
                _ => drop(bytes.splice(at..at, words[random.below(words.len())].bytes())),
            }
        }
        let reading = formats::read(&bytes);
        let is_fatal = reading.diagnostics.iter().any(|finding| finding.is_fatal());
        assert_eq!(reading.description.is_none(), is_fatal, "seed {seed}: {:?}", reading.diagnostics);
        for place in reading.diagnostics.iter().filter_map(|finding| finding.location) {
            assert!(place.line >= 1 && place.start <= place.end && place.end <= reading.source.len(), "seed {seed}");
        }
        if let Some(robot) = reading.description {
            let model = Model::from_description(&robot).unwrap();
            let state = random_state(&model, &mut random);
            let matrix = evaluate("mass_matrix", &model, &State { wrenches: Vec::new(), ..state });
            assert!(matrix.iter().all(|x| x.is_finite()), "seed {seed}");
        }
    }
}

#[test]
fn long_chains_and_hostile_graphs_are_read_or_refused_soon() {
    let started = std::time::Instant::now();
    let count = 10_000;
    let inertial = "<inertial><mass>1</mass></inertial>";
    let mut text = format!("<sdf version=\"1.9\"><model name=\"m\"><link name=\"l0\">{inertial}</link>");
    for i in 1..count {
        let before = i - 1;
        text += &format!(
            "<link name=\"l{i}\"><pose relative_to=\"l{before}\">0 0 1 .1 0 0</pose>{inertial}</link>\
             <joint name=\"j{i}\" type=\"revolute\"><parent>l{before}</parent><child>l{i}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        );
    }
    let reading = formats::read(format!("{text}</model></sdf>").as_bytes());
    assert_eq!(reading.description.unwrap().links.len(), count);
    // Frames on frames on frames, and joints between the ends of two such chains.
    let mut text = "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/><link name=\"b\"/>".to_owned();
    for i in 0..count {
        let (a, b) =
            if i == 0 { ("a".to_owned(), "b".to_owned()) } else { (format!("a{}", i - 1), format!("b{}", i - 1)) };
        text += &format!("<frame name=\"a{i}\" attached_to=\"{a}\"/><frame name=\"b{i}\" attached_to=\"{b}\"/>");
    }
    let end = count - 1;
    for i in 0..200 {
        text += &format!("<joint name=\"j{i}\" type=\"ball\"><parent>a{end}</parent><child>b{end}</child></joint>");
    }
    let reading = formats::read(format!("{text}</model></sdf>").as_bytes());
    assert!(reading.is_ok(), "{:?}", reading.diagnostics.first());
    let links: String = (0..100_002).map(|i| format!("<link name=\"l{i}\"/>")).collect();
    let many = format!("<sdf version=\"1.9\"><model name=\"m\">{links}</model></sdf>");
    assert!(formats::read(many.as_bytes()).diagnostics.iter().any(|finding| finding.code == "too-many-links"));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

/// Whatever an inertia is about, and in whichever axes, it is written about the centre of mass.
#[test]
fn inertias_of_every_form_come_back() {
    let turned = [0.3, -0.2, 0.5].map(Number::from);
    let elements = [0.4, 0.01, 0.02, 0.5, 0.03, 0.6].map(Number::from);
    for (mass, com, inertia) in [
        (2.0, [0.1, -0.2, 0.3], InertiaDescription::AboutCom(elements)),
        (2.0, [0.1, -0.2, 0.3], InertiaDescription::AboutComRotated { elements, rpy: turned }),
        (2.0, [0.1, -0.2, 0.1], InertiaDescription::AboutOrigin(elements)),
        (0.0, [0.0; 3], InertiaDescription::AboutOrigin(elements)),
    ] {
        let mut link = LinkDescription::new("a", GROUND);
        (link.mass, link.com, link.inertia) = (Number::from(mass), com.map(Number::from), inertia);
        link.has_inertial = true;
        let mut joint = JointDescription::new("j", JointKind::Spherical { point: [Number::ZERO; 3] });
        joint.continuous = true;
        link.joint = joint;
        let gravity = [0.0, 0.0, -9.81].map(Number::from);
        let robot = Description {
            name: "r".to_owned(),
            gravity,
            allow_unphysical: true,
            links: vec![link],
            states: Vec::new(),
        };
        let [expected, found] = [&robot, &written(&robot)].map(|robot| {
            let model = Model::from_description(robot).unwrap();
            evaluate("mass_matrix", &model, &State::neutral(&model))
        });
        assert!(difference(&found, &expected) < 1e-14, "{:?}: {found:?} for {expected:?}", robot.links[0].inertia);
    }
}

/// A floating link has no joint in SDF, so that another name of its joint is lost.
#[test]
fn the_joint_of_a_floating_link_loses_its_name() {
    let mut link = LinkDescription::new("a", GROUND);
    (link.mass, link.has_inertial) = (Number::ONE, true);
    link.joint = JointDescription::new("root", JointKind::Free);
    let robot = Description {
        name: "r".to_owned(),
        gravity: [Number::ZERO; 3],
        allow_unphysical: false,
        links: vec![link],
        states: Vec::new(),
    };
    let lost = formats::to_sdf(&robot).lost;
    let message = "the name, because links float without a joint, of joint `root`";
    assert!(lost.iter().any(|lost| lost == message), "{lost:?}");
    assert_eq!(written(&robot).links[0].joint.name, "a");
}
