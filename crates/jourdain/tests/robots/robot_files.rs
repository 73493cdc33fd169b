//! Good robot files: what the formats say is what the description holds.

use jourdain::dynamics::closed_form::mass_matrix;
use jourdain::formats::{self, Format};
use jourdain::model::description::{
    InertiaDescription, JointKind, LinkDescription, MotorDescription, Orientation, Placement,
};
use jourdain::model::{Description, Model, Number};
use std::path::{Path, PathBuf};

fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}

fn load(file: &str) -> Description {
    let (description, warnings) = formats::load(repository("suite/good").join(file)).unwrap();
    assert!(warnings.is_empty(), "{file}: {warnings:?}");
    description.into_description()
}

fn numbers<const N: usize>(values: [&str; N]) -> [Number; N] {
    values.map(|value| Number::parse(value).unwrap())
}

fn link<'a>(robot: &'a Description, name: &str) -> &'a LinkDescription {
    robot.links.iter().find(|link| link.name == name).unwrap()
}

#[test]
fn toml_and_json_of_one_robot_read_to_one_description() {
    let (toml, json) = (load("every_joint.toml"), load("every_joint.json"));
    assert_eq!(toml.links.len(), 14);
    assert_ne!(toml, json, "positions differ");
    assert_eq!(toml.without_locations(), json.without_locations());
}

#[test]
fn native_values_are_exact_and_defaults_are_as_documented() {
    let robot = load("every_joint.toml");
    assert_eq!(robot.gravity, numbers(["0", "-1/2", "-9.81"]));
    assert_eq!(link(&robot, "trunk").joint.name, "root");
    let Placement::Origin { xyz, .. } = link(&robot, "trunk").placement else { panic!("not an origin") };
    assert_eq!(xyz, numbers(["0", "0", "1/3"]));
    let shoulder = link(&robot, "shoulder");
    assert_eq!((shoulder.parent.as_str(), shoulder.joint.name.as_str()), ("trunk", "shoulder"));
    assert_eq!(shoulder.joint.limits, Some(numbers(["-2.9", "2.9"])));
    assert!(matches!(shoulder.inertia, InertiaDescription::AboutOrigin(_)));
    assert_eq!(shoulder.motor.unwrap().stiffness, Number::parse("10000"));
    let axes = |name: &str| match link(&robot, name).joint.kind {
        JointKind::Universal { axes, .. } => axes,
        _ => panic!("{name} is not universal"),
    };
    let (x, y, z) = (numbers(["1", "0", "0"]), numbers(["0", "1", "0"]), numbers(["0", "0", "1"]));
    assert_eq!([axes("cross"), axes("cross_default"), axes("cross_second")], [[x, z], [x, y], [y, z]]);
    assert!(link(&robot, "spinner").joint.continuous);
    assert_eq!(link(&robot, "spinner").joint.kind, JointKind::Revolute { axis: z, point: [Number::ZERO; 3] });
    let mimic = link(&robot, "follower").joint.mimic.clone().unwrap();
    assert_eq!((mimic.joint.as_str(), mimic.multiplier, mimic.offset.value), ("spinner", Number::integer(-2), 0.5));
}

#[test]
fn positions_point_at_what_they_name() {
    let path = repository("suite/good/every_joint.toml");
    let reading = formats::read_path(path);
    let robot = reading.description.unwrap();
    let marked = |field: &str| {
        let place = link(&robot, "shoulder").place(field).unwrap();
        &reading.source[place.start..place.end]
    };
    assert_eq!(marked("name"), "\"shoulder\"");
    assert_eq!(marked("joint.axis"), "[0, 1, 0]");
    assert_eq!(marked("joint.limits"), "[-2.9, 2.9]");
    assert_eq!(marked("motor.ratio"), "100.0");
    assert_eq!(marked("parent"), "[[link]]", "what is not there is where the link is");
}

#[test]
fn urdf_links_come_depth_first_in_the_order_of_their_joints() {
    let robot = load("everything.urdf");
    let names: Vec<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["platform", "left", "left_slider", "right", "wheel", "puck", "drone", "camera"]);
    assert_eq!(robot.links[0].parent, "base");
    assert_eq!(robot.links[0].joint.kind, JointKind::Fixed);
}

#[test]
fn urdf_features_arrive() {
    let robot = load("everything.urdf");
    let platform = link(&robot, "platform");
    assert_eq!((platform.mass, platform.com), (Number::from(12.5), numbers(["0.1", "0", "0.05"])));
    let InertiaDescription::AboutComRotated { elements, rpy } = platform.inertia else { panic!("not rotated") };
    assert_eq!(elements, numbers(["0.5", "0.01", "-0.02", "0.6", "0", "0.7"]));
    assert_eq!(rpy, numbers(["0", "0", "0.3"]));

    let left = link(&robot, "left");
    assert_eq!(left.joint.name, "left_joint");
    assert_eq!(left.joint.limits, Some(numbers(["-1.5", "2"])));
    assert_eq!((left.joint.effort, left.joint.velocity), (Some(Number::integer(30)), Some(Number::integer(4))));
    let friction = MotorDescription { viscous: 0.7.into(), coulomb: 0.1.into(), ..MotorDescription::default() };
    assert_eq!(left.motor, Some(friction));
    let Placement::Origin { xyz, orientation: Orientation::Rpy(rpy) } = left.placement else { panic!("no origin") };
    assert_eq!((xyz, rpy[2].value), (numbers(["0", "0.2", "0.1"]), std::f64::consts::FRAC_PI_2));

    let right = link(&robot, "right");
    let x = numbers(["1", "0", "0"]);
    assert_eq!(right.joint.kind, JointKind::Revolute { axis: x, point: [Number::ZERO; 3] }, "URDF's default axis is x");
    assert_eq!(right.joint.mimic.as_ref().unwrap().joint, "left_joint");
    assert!(link(&robot, "wheel").joint.continuous);
    assert!(matches!(link(&robot, "puck").joint.kind, JointKind::Planar { .. }));
    assert_eq!(link(&robot, "drone").joint.kind, JointKind::Free);
}

#[test]
fn a_six_vector_screw_is_the_same_as_its_axis_point_and_pitch() {
    let robot = load("screws.toml");
    let nut = link(&robot, "four");
    assert_eq!(nut.joint.name, "nut");
    let expected = JointKind::Helical {
        axis: numbers(["0", "0", "1"]),
        point: numbers(["11/20", "0", "0"]),
        pitch: Number::parse("1/10").unwrap(),
    };
    assert_eq!(nut.joint.kind, expected);
    let tool = link(&robot, "tool");
    assert_eq!((tool.parent.as_str(), &tool.joint.kind), ("four", &JointKind::Fixed));
}

#[test]
fn dh_parameters_arrive_with_their_convention() {
    let robot = load("dh.toml");
    let Placement::Dh { parameters, .. } = link(&robot, "branch").placement else { panic!("no dh") };
    assert_eq!([parameters.gamma, parameters.b, parameters.alpha], numbers(["1.1", "0.2", "0.3"]));
}

#[test]
fn later_parents_are_moved_before_their_children() {
    let path = repository("suite/bad/warn_parent_after_child.toml");
    let (robot, _) = formats::load(path).unwrap();
    let names: Vec<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["hand", "arm"]);
}

#[test]
fn all_robots_of_the_repository_load() {
    for folder in ["robots", "suite/robots", "suite/equivalent", "suite/good"] {
        for entry in std::fs::read_dir(repository(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_robot =
                Format::from_path(&path).is_some() && path.file_name().is_some_and(|name| name != "poses.json");
            if is_robot {
                formats::load(&path).unwrap();
            }
        }
    }
}

/// A two-link robot whose second link and joint are given: the codes of its warnings, and whether its mass matrix at a
/// generic position is singular.
fn judge(second: &str) -> (Vec<&'static str>, bool) {
    let text = format!(
        "name = \"r\"\n[[link]]\nname = \"a\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = {{ type = \"continuous\" }}\n\
         [[link]]\nname = \"b\"\n{second}\n"
    );
    let (robot, warnings) = formats::read_str(&text, Format::Toml).into_result("text").unwrap();
    let model = Model::from_description(&robot).unwrap();
    let mut q: Vec<f64> = model.neutral();
    let step: Vec<f64> = (0..model.nv()).map(|column| 0.4 + 0.3 * column as f64).collect();
    model.retract(&mut q, &step);
    let eigenvalues = mass_matrix(&model, &q).to_nalgebra().symmetric_eigenvalues();
    let is_singular = eigenvalues.min() < 1e-10 * eigenvalues.max();
    (warnings.iter().map(|warning| warning.code).collect(), is_singular)
}

#[test]
fn a_massless_tip_is_one_that_leaves_the_mass_matrix_singular() {
    for (singular, second) in [
        (true, "joint = { type = \"continuous\" }"),
        (false, "joint = { type = \"fixed\" }"),
        (false, "joint = { type = \"continuous\" }\nmotor = { inertia = 1e-4 }"),
        (true, "joint = { type = \"continuous\" }\nmotor = { inertia = 1e-4, stiffness = 1e3 }"),
        (false, "joint = { type = \"continuous\", mimic = { joint = \"a\" } }"),
        (false, "joint = { type = \"continuous\" }\n[[link]]\nname = \"c\"\nmass = 1\norigin = { xyz = [1, 0, 0] }"),
        (true, "joint = { type = \"continuous\" }\n[[link]]\nname = \"c\"\nmass = 1\norigin = { xyz = [0, 0, 1] }"),
        (false, "joint = { type = \"prismatic\" }\nmass = 1"),
        (true, "joint = { type = \"prismatic\" }\ninertia = [1, 0, 0, 1, 0, 1]"),
        (true, "joint = { type = \"cylindrical\" }\nmass = 1"),
        (false, "joint = { type = \"cylindrical\" }\nmass = 1\ncom = [1, 0, 0]"),
        (true, "joint = { type = \"free\" }\nmass = 1"),
        (false, "joint = { type = \"free\" }\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]"),
        (true, "joint = { type = \"planar\" }\nmass = 1\ncom = [1, 0, 0]"),
        (true, "joint = { type = \"universal\" }\nmass = 1\ncom = [0, 1, 0]"),
        (false, "joint = { type = \"universal\" }\nmass = 1\ncom = [0, 0, 1]"),
        (
            true,
            "joint = { type = \"composite\", sequence = [{ type = \"revolute\" }, { type = \"revolute\" }] }\nmass = 1\ncom = [1, 0, 0]",
        ),
        (false, "joint = { type = \"helical\", pitch = 0.1 }\nmass = 1"),
    ] {
        let expected = if singular { vec!["massless-tip"] } else { vec![] };
        assert_eq!(judge(second), (expected, singular), "{second}");
    }
}

#[test]
fn masses_outboard_of_a_massless_wrist_are_enough() {
    let second = "joint = { type = \"continuous\" }\n[[link]]\nname = \"c\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\n\
                  joint = { type = \"continuous\", axis = [1, 0, 0] }";
    assert_eq!(judge(second), (vec![], false));
}

#[test]
fn the_largest_robot_allowed_loads() {
    let links: String = (0..formats::limits::MAX_LINKS)
        .map(|number| format!("[[link]]\nname = \"{number}\"\nmass = 1\njoint = {{ type = \"prismatic\" }}\n"))
        .collect();
    let reading = formats::read_str(&format!("name = \"chain\"\n{links}"), Format::Toml);
    assert_eq!(reading.description.map(|robot| robot.links.len()), Some(formats::limits::MAX_LINKS));
}

/// A robot file long enough to be parsed in blocks.
fn long_file(head: &str, change: impl Fn(usize) -> &'static str) -> String {
    let link = |i: usize| {
        format!(
            "[[link]]\nname = \"l{i}\"\nmass = 1.5\ncom = [0.1, 0.2, 0.3]\n{}\n[link.joint]\ntype = \"prismatic\"\n",
            change(i)
        )
    };
    (0..20_000).map(link).fold(format!("name = \"chain\"\n{head}\n"), |text, link| text + &link)
}

#[test]
fn long_files_are_read_as_short_ones_and_their_errors_placed() {
    let (robot, _) = formats::read_str(&long_file("", |_| ""), Format::Toml).into_result("chain").unwrap();
    assert_eq!(robot.links.len(), 20_000);
    let last = robot.links.last().unwrap();
    assert_eq!((last.name.as_str(), last.parent.as_str()), ("l19999", "l19998"));
    assert_eq!(last.location.unwrap().line, 3 + 7 * 19_999);

    let code = |text: &str| {
        let found = formats::read_str(text, Format::Toml).diagnostics;
        let error = found.iter().find(|found| found.is_error()).unwrap();
        (error.code, error.location.unwrap().line)
    };
    let line = 3 + 7 * 15_000 + 4;
    assert_eq!(code(&long_file("", |i| if i == 15_000 { "color = 3" } else { "" })), ("unknown-key", line));
    assert_eq!(code(&long_file("", |i| if i == 15_000 { "color = " } else { "" })), ("syntax-error", line));
    // A list in the head and a list of tables are two of one name.
    assert_eq!(code(&long_file("link = []", |_| "")).0, "duplicate-key");
}

#[test]
fn a_translation_joint_is_three_sliding_ones() {
    let robot = |joint: &str| -> Model {
        let text = format!(
            "name = \"gantry\"\n[[link]]\nname = \"head\"\nmass = 2\ncom = [0.1, 0.2, 0.3]\n\
             origin = {{ xyz = [1, 2, 3], rpy = [0.1, 0.2, 0.3] }}\njoint = {joint}\n\
             [[link]]\nname = \"arm\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = {{ type = \"continuous\", axis = [1, 1, 0] }}"
        );
        text.parse().unwrap()
    };
    let slide = |axis: &str| format!("{{ type = \"prismatic\", axis = {axis} }}");
    let sequence = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"].map(slide).join(", ");
    let robots =
        ["{ type = \"translation\" }".to_owned(), format!("{{ type = \"composite\", sequence = [{sequence}] }}")];
    let [a, b] = robots.map(|joint| robot(&joint));
    let q = [0.3, -0.2, 0.7, 1.1];
    let torque = |model: &Model| jourdain::dynamics::recursive::inverse_dynamics(model, &q, &q, &q, &[]);
    assert_eq!((a.nv(), torque(&a)), (4, torque(&b)));
    let read: Model = formats::to_toml(a.description()).parse().unwrap();
    assert_eq!(read, a);
}

#[test]
fn the_data_sheet_of_the_documentation_is_the_file_it_speaks_of() {
    let page = std::fs::read_to_string(repository("docs/from-your-robot.md")).unwrap();
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(example, std::fs::read_to_string(repository("suite/good/data_sheet.toml")).unwrap());
    let arm: Model = example.parse().unwrap();
    let ur5e = jourdain::robots::load("ur5e").unwrap();
    let q = [0.5, -1.2, 1.4, -0.6, 0.8, 0.1];
    let pose = |model: &Model| *jourdain::kinematics::poses(model, &q).last().unwrap();
    assert_eq!(pose(&arm), pose(&ur5e));
}

#[test]
fn the_examples_of_the_documentation_load() {
    let page = std::fs::read_to_string(repository("docs/robot-files.md")).unwrap();
    let examples: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let (_, warnings) = formats::read_str(example, Format::Toml).into_result("robot-files.md").unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}
