//! Screw lists: read back they are the robot, and the book's own algorithm gives its torques from the book's matrices.

use super::same::{assert_same_dynamics, evaluate, read};
use crate::common::assert_close;
use crate::common::random_tree::{Random, random_state};
use jourdain::formats::{Format, ScrewNotation, to_screws};
use jourdain::model::Model;
use jourdain::model::description::{Description, JointKind};
use jourdain::{kinematics, robots};
use nalgebra::{Matrix3, Matrix4, Matrix6, Vector3, Vector6};
use serde_json::Value;

fn serial() -> Vec<(&'static str, Description)> {
    let read = |robot: &robots::Builtin| {
        (robot.name, robot.read().description.unwrap().into_description().without_locations())
    };
    let all: Vec<_> = robots::ALL.iter().map(read).filter(|(name, _)| !name.contains("humanoid")).collect();
    let all: Vec<_> = all
        .into_iter()
        .filter(|(_, robot)| {
            to_screws(robot, None, ScrewNotation::Json)
                .is_ok_and(|written| !written.lost.iter().any(|lost| lost.contains("not on the chain")))
        })
        .collect();
    assert!(all.len() >= 10);
    all
}

#[test]
fn serial_robots_are_read_back_from_both_notations() {
    for (name, robot) in serial() {
        for (notation, format) in [(ScrewNotation::Json, Format::Json), (ScrewNotation::Toml, Format::Toml)] {
            let written = to_screws(&robot, None, notation).unwrap();
            let found = read(&written.text, format).unwrap();
            assert_same_dynamics(name, &robot, &found, 5, 1e-12);
            let (a, b) = (Model::from_description(&robot).unwrap(), Model::from_description(&found).unwrap());
            let state = random_state(&a, &mut Random::new(6));
            let [x, y] = [(&a, a.links().len() - 1), (&b, b.links().len() - 1)]
                .map(|(model, link)| kinematics::pose(model, &state.q, link));
            assert_close(name, y.to_matrix().as_flattened(), x.to_matrix().as_flattened(), 1e-13);
        }
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

fn hat(w: Vector3<f64>) -> Matrix3<f64> {
    w.cross_matrix()
}

/// The matrix that takes (ω, v) to another frame, as the book stacks it.
fn adjoint(t: &Matrix4<f64>) -> Matrix6<f64> {
    let (r, p) = (t.fixed_view::<3, 3>(0, 0).into_owned(), t.fixed_view::<3, 1>(0, 3).into_owned());
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&r);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(&(hat(p) * r));
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&r);
    m
}

fn lie(v: &Vector6<f64>) -> Matrix6<f64> {
    let (w, l) = (v.fixed_rows::<3>(0).into_owned(), v.fixed_rows::<3>(3).into_owned());
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&hat(w));
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(&hat(l));
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&hat(w));
    m
}

fn exponential(s: &Vector6<f64>) -> Matrix4<f64> {
    let mut m = Matrix4::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&hat(s.fixed_rows::<3>(0).into_owned()));
    m.fixed_view_mut::<3, 1>(0, 3).copy_from(&s.fixed_rows::<3>(3));
    m.exp()
}

/// Lynch and Park, eqs. (8.50)–(8.54).
fn torques(book: &Value, gravity: [f64; 3], q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
    let n = q.len();
    let (s, m, g) = (numbers(&book["Slist"]), numbers(&book["Mlist"]), numbers(&book["Glist"]));
    let screw = |i: usize| Vector6::from_column_slice(&s[6 * i..6 * i + 6]);
    let step = |i: usize| Matrix4::from_row_slice(&m[16 * i..16 * i + 16]);
    let inertia = |i: usize| Matrix6::from_row_slice(&g[36 * i..36 * i + 36]);
    let (mut home, mut axes, mut between) = (Matrix4::identity(), Vec::new(), Vec::new());
    let mut twists = vec![Vector6::zeros()];
    let mut accelerations = vec![Vector6::new(0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2])];
    for i in 0..n {
        home *= step(i);
        let a = adjoint(&home.try_inverse().unwrap()) * screw(i);
        let t = exponential(&(-a * q[i])) * step(i).try_inverse().unwrap();
        let ad = adjoint(&t);
        let v = a * qd[i] + ad * twists[i];
        accelerations.push(a * qdd[i] + ad * accelerations[i] + lie(&v) * a * qd[i]);
        twists.push(v);
        axes.push(a);
        between.push(ad);
    }
    let (mut wrench, mut tau) = (Vector6::zeros(), vec![0.0; n]);
    for i in (0..n).rev() {
        let outer = if i + 1 < n { between[i + 1].transpose() * wrench } else { Vector6::zeros() };
        let (v, a) = (twists[i + 1], accelerations[i + 1]);
        wrench = outer + inertia(i) * a - lie(&v).transpose() * (inertia(i) * v);
        tau[i] = wrench.dot(&axes[i]);
    }
    tau
}

#[test]
fn the_book_computes_the_robots_torques_from_its_matrices() {
    for (name, mut robot) in serial() {
        robot.links.iter_mut().for_each(|link| link.motor = None);
        robot.links.iter_mut().for_each(|link| link.joint.mimic = None);
        let document: Value =
            serde_json::from_str(&to_screws(&robot, None, ScrewNotation::Json).unwrap().text).unwrap();
        let book = &document["modern_robotics"];
        let model = Model::from_description(&robot).unwrap();
        let state = random_state(&model, &mut Random::new(7));
        let state = jourdain::State { wrenches: Vec::new(), ..state };
        let found = torques(book, model.gravity().0, &state.q, &state.qd, &state.qdd);
        assert_close(name, &found, &evaluate("inverse_dynamics", &model, &state), 1e-11);
        // The tool by the product of exponentials, in space and in body axes.
        let m = Matrix4::from_row_slice(&numbers(&book["M"]));
        let product = |list: &str| {
            let screws = numbers(&book[list]);
            let factor = |i: usize| exponential(&(Vector6::from_column_slice(&screws[6 * i..6 * i + 6]) * state.q[i]));
            (0..state.q.len()).map(factor).fold(Matrix4::identity(), |all, next| all * next)
        };
        let tool = kinematics::pose(&model, &state.q, model.links().len() - 1).to_matrix();
        for pose in [product("Slist") * m, m * product("Blist")] {
            assert_close(name, pose.transpose().as_slice(), tool.as_flattened(), 1e-12);
        }
    }
}

#[test]
fn a_list_leads_to_the_link_that_is_named_and_joints_of_several_numbers_are_several_screws() {
    let text = r#"
        name = "tree"
        [[link]]
        name = "trunk"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        joint = { type = "revolute" }
        [[link]]
        name = "wrist"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        origin = { xyz = [0.5, 0, 0] }
        joint = { type = "universal", point = [0, 0, 0.1] }
        [[link]]
        name = "camera"
        mass = 0.5
        com = [0.1, 0.2, 0.3]
        origin = { xyz = [0, 0.3, 0], rpy = [0.3, 0.2, 0.1] }
        [[link]]
        name = "other"
        parent = "trunk"
        mass = 1
        inertia = [1, 0, 0, 1, 0, 1]
        joint = { type = "spherical" }
    "#;
    let robot = read(text, Format::Toml).unwrap();
    let written = to_screws(&robot, Some("camera"), ScrewNotation::Json).unwrap();
    assert!(written.lost.iter().any(|lost| lost.contains("not on the chain: link `other`")), "{:?}", written.lost);
    assert!(
        written.lost.iter().any(|lost| lost.contains("`wrist` is universal: it is 2 screws")),
        "{:?}",
        written.lost
    );
    let found = read(&written.text, Format::Json).unwrap();
    let mut chain = robot.clone();
    chain.links.retain(|link| link.name != "other");
    assert_same_dynamics("chain", &chain, &found, 1, 1e-13);
    assert!(to_screws(&robot, Some("other"), ScrewNotation::Json).unwrap_err().message.contains("quaternion"));
    let unknown = to_screws(&robot, Some("camara"), ScrewNotation::Json).unwrap_err();
    assert_eq!(unknown.hint, "did you mean `camera`?");
    assert_eq!(robot.links.iter().filter(|link| link.joint.kind == JointKind::Fixed).count(), 1);
}

/// A turn, a nut on it, a slide that follows it, and a hand without mass that has a rotor's inertia.
const CHAIN: &str = r#"
    name = "chain"
    [[link]]
    name = "trunk"
    mass = 1
    com = [0.1, 0, 0]
    inertia = [1, 0, 0, 1, 0, 1]
    joint = { type = "continuous" }
    [[link]]
    name = "nut"
    mass = 1
    com = [0, 0.1, 0]
    inertia = [1, 0, 0, 1, 0, 1]
    origin = { xyz = [0.5, 0, 0] }
    joint = { type = "helical", axis = [0, 1, 0], point = [0, 0, 0.1], pitch = 0.02 }
    [[link]]
    name = "slide"
    mass = 1
    inertia = [1, 0, 0, 1, 0, 1]
    joint = { type = "prismatic", axis = [0, 0, 1], limits = [-1, 1], mimic = { joint = "trunk", multiplier = 0.3, offset = 0.1 } }
"#;

#[test]
fn screws_with_a_pitch_and_couplings_on_the_chain_come_back() {
    let robot = read(CHAIN, Format::Toml).unwrap();
    let written = to_screws(&robot, None, ScrewNotation::Toml).unwrap();
    let found = read(&written.text, Format::Toml).unwrap();
    assert_same_dynamics("chain", &robot, &found, 2, 1e-13);
    let coupling = found.links[2].joint.mimic.clone().unwrap();
    let [multiplier, offset] = [coupling.multiplier.value, coupling.offset.value];
    assert_eq!((coupling.joint.as_str(), multiplier, offset), ("trunk", 0.3, 0.1));
    assert!(matches!(found.links[1].joint.kind, JointKind::Helical { .. }), "{:?}", found.links[1].joint.kind);
    // The list leads to a link that moves, so that the tool is called otherwise.
    assert_eq!(
        found.links.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(),
        ["trunk", "nut", "slide", "tool"]
    );
}

#[test]
fn a_coupling_to_a_joint_beside_the_chain_is_lost_and_told() {
    let text = CHAIN.replace("name = \"slide\"", "name = \"slide\"\nparent = \"base\"");
    let robot = read(&text, Format::Toml).unwrap();
    let written = to_screws(&robot, Some("slide"), ScrewNotation::Json).unwrap();
    let told = "the coupling to a joint that is not on the chain, of joint `slide`";
    assert!(written.lost.iter().any(|lost| lost == told), "{:?}", written.lost);
    let found = read(&written.text, Format::Json).unwrap();
    assert!(found.links[0].joint.mimic.is_none());
}

#[test]
fn what_no_joint_moves_has_no_list() {
    let text = format!("{CHAIN}\n[[link]]\nname = \"wall\"\nparent = \"base\"\n");
    let robot = read(&text, Format::Toml).unwrap();
    let error = to_screws(&robot, Some("wall"), ScrewNotation::Json).unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.hint.as_str()),
        ("no joint moves the link `wall`", "name another with --link")
    );
    let written = to_screws(&robot, Some("slide"), ScrewNotation::Json).unwrap();
    assert!(written.lost.iter().any(|lost| lost == "what is welded to the ground: link `wall`"), "{:?}", written.lost);
}

/// A rotor may have an inertia and no mass worth the name, and be welded to a link like it.
#[test]
fn inertias_without_mass_are_added_to_the_link_that_carries_them() {
    let rotor = "inertia = [0.1, 0, 0, 0.2, 0, 0.3]";
    let text = format!(
        "name = 'r'\nallow_unphysical = true\n[[link]]\nname = 'a'\nmass = 0\n{rotor}\njoint = {{ type = 'continuous' }}\n\
         [[link]]\nname = 'b'\nmass = 0\n{rotor}\n"
    );
    let robot = read(&text, Format::Toml).unwrap();
    let written = to_screws(&robot, Some("a"), ScrewNotation::Toml).unwrap();
    let found = read(&written.text, Format::Toml).unwrap();
    assert_same_dynamics("rotors", &robot, &found, 3, 1e-14);
}
