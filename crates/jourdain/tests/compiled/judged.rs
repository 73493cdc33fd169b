//! What no body can be is told, at every scale, and does not keep a robot from loading; what real URDF files say amiss is read as
//! it can only be meant.

use crate::common::random_tree::Random;
use jourdain::Model;
use jourdain::formats::{self, Format, Reading};
use jourdain::model::Severity;
use std::path::Path;

fn codes(reading: &Reading) -> Vec<&'static str> {
    reading.diagnostics.iter().map(|found| found.code).collect()
}

/// A pendulum of that mass, with moments xx xy xz yy yz zz about its centre of mass.
fn pendulum(mass: f64, inertia: [f64; 6]) -> Reading {
    let text = format!(
        "name = \"pendulum\"\n[[link]]\nname = \"rod\"\nmass = {mass:e}\ncom = [0.3, 0.0, 0.1]\n\
         inertia = {inertia:?}\njoint = {{ type = \"continuous\", axis = [0, 1, 0] }}"
    );
    formats::read_str(&text, Format::Toml)
}

/// The tensor of point masses about their centre, and their mass.
fn cloud(random: &mut Random, points: usize, length: f64, heft: f64) -> (f64, [f64; 6]) {
    let points: Vec<(f64, [f64; 3])> = (0..points)
        .map(|_| (heft * random.range(0.1, 1.0), std::array::from_fn(|_| length * random.range(-1.0, 1.0))))
        .collect();
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let centre: [f64; 3] = std::array::from_fn(|axis| points.iter().map(|(m, p)| m * p[axis]).sum::<f64>() / mass);
    let mut tensor = [0.0; 6];
    for (m, p) in points {
        let [x, y, z] = std::array::from_fn(|axis| p[axis] - centre[axis]);
        let moments = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y];
        tensor.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += m * moment);
    }
    (mass, tensor)
}

#[test]
fn bodies_of_every_size_are_bodies_and_impossible_ones_of_every_size_are_not() {
    let seed = 17;
    let mut random = Random::new(seed);
    for length_exponent in [-4, -3, -2, -1, 0, 1, 2] {
        for mass_exponent in [-27, -20, -9, -3, 0, 2, 4] {
            for points in 2..6 {
                let (length, heft) = (10f64.powi(length_exponent), 10f64.powi(mass_exponent));
                let (mass, tensor) = cloud(&mut random, points, length, heft);
                let what = format!("seed {seed}: {points} points, {length:e} m, {heft:e} kg");
                let good = pendulum(mass, tensor);
                assert!(
                    !good.diagnostics.iter().any(jourdain::model::Diagnostic::is_error),
                    "{what}: {:?}",
                    codes(&good)
                );
                let largest = tensor[0].max(tensor[3]).max(tensor[5]);
                let mut negative = tensor;
                negative[0] -= 1.5 * largest;
                assert!(codes(&pendulum(mass, negative)).contains(&"inertia-indefinite"), "{what}");
                let long = [largest, 0.0, 0.0, largest, 0.0, 2.1 * largest];
                assert!(codes(&pendulum(mass, long)).contains(&"inertia-triangle"), "{what}");
            }
        }
    }
}

#[test]
fn what_rounding_leaves_of_a_point_mass_is_no_inertia() {
    for tensor in [
        [0.0; 6],
        [0.0, 0.0, 0.0, 0.0, -2.40741e-35, 0.0],
        [-1.35525e-20, 0.0, 0.0, 0.0, 1e-21, 1.3e-20],
        [-5.4e-20, 0.0, 0.0, -5.4e-20, 0.0, 0.0],
        [1e-21, 3e-19, 0.0, 4e-18, 1e-20, 0.0],
    ] {
        let reading = pendulum(1.3, tensor);
        let found = codes(&reading);
        assert!(!found.iter().any(|code| code.starts_with("inertia")), "{tensor:?}: {found:?}");
    }
    assert_eq!(codes(&pendulum(1.3, [1e-9, 0.0, 0.0, 1e-9, 0.0, -1e-9])), ["inertia-indefinite"]);
    assert!(codes(&pendulum(0.0, [1e-35, 0.0, 0.0, 1e-35, 0.0, -1e-35])).contains(&"inertia-indefinite"));
}

#[test]
fn a_robot_that_no_body_can_be_loads_with_its_findings() {
    let (robot, findings) =
        formats::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/bad/toml_negative_mass.toml")).unwrap();
    let finding = findings.iter().find(|finding| finding.code == "negative-mass").unwrap();
    assert_eq!(finding.severity, Severity::Unphysical);
    assert!(finding.is_error() && !finding.is_fatal());
    assert!(Model::from(robot).total_mass() < 0.0);
}

#[test]
fn limits_that_nothing_keeps_to_are_told_and_left_out() {
    let joint = "joint = { type = \"revolute\", limits = [2, 1], velocity = -1, effort = -3 }";
    let text = format!("name = \"r\"\n[[link]]\nname = \"a\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\n{joint}");
    let reading = formats::read_str(&text, Format::Toml);
    assert_eq!(codes(&reading), ["limits-reversed", "negative-limit", "negative-limit"]);
    let model = Model::from(reading.description.unwrap());
    let limits = &model.links()[0].limits;
    assert_eq!((limits.position, limits.velocity, limits.effort), (None, None, None));
}

fn urdf(robot: &str, joints: &str) -> String {
    let inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
    let links: String = ["a", "b", "c"].map(|name| format!("<link name=\"{name}\">{inertial}</link>")).concat();
    format!("<robot{robot}>{links}{joints}</robot>")
}

fn joint(name: &str, kind: &str, ends: [&str; 2], more: &str) -> String {
    let [parent, child] = ends;
    format!("<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{more}</joint>")
}

#[test]
fn a_coupling_that_means_nothing_leaves_the_joint_as_it_is() {
    let moves = |joints: String| {
        let reading = formats::read_str(&urdf(" name=\"r\"", &joints), Format::Urdf);
        let found = codes(&reading);
        (Model::from(reading.description.unwrap()).nv(), found)
    };
    let follows = |leader: &str| format!("<mimic joint=\"{leader}\" multiplier=\"2\"/>");
    let first = joint("j", "continuous", ["a", "b"], "");
    let second = |kind: &str, leader: &str| joint("k", kind, ["b", "c"], &follows(leader));
    assert_eq!(moves(first.clone() + &second("continuous", "j")), (1, vec![]));
    assert_eq!(moves(first.clone() + &second("continuous", "lost")), (2, vec!["mimic-unknown"]));
    assert_eq!(moves(first + &second("fixed", "j")), (1, vec!["mimic-fixed"]));
    let fixed = joint("j", "fixed", ["a", "b"], "");
    assert_eq!(moves(fixed + &second("continuous", "j")), (1, vec!["mimic-unknown"]));
}

#[test]
fn a_robot_without_a_name_is_called_as_its_file() {
    let text = urdf("", &(joint("j", "continuous", ["a", "b"], "") + &joint("k", "continuous", ["b", "c"], "")));
    let native = "[[link]]\nname = \"rod\"\nmass = 1.0\njoint = { type = \"continuous\" }";
    for (text, file, name) in [
        (text.as_str(), "two arms.urdf", "two arms"),
        (&text, "arm.urdf.xacro", "arm"),
        (&text, "", "robot"),
        (native, "rod.toml", "rod"),
        (native, "", "robot"),
        ("{\"link\": [{\"name\": \"rod\", \"mass\": 1}]}", "rod.json", "rod"),
    ] {
        let reading = formats::read_from(text.as_bytes(), None, Path::new(file), &formats::NoFiles);
        assert_eq!(codes(&reading)[0], "missing-name", "{file}");
        assert_eq!(reading.description.unwrap().name, name);
    }
}
