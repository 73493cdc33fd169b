//! MuJoCo models are read as MuJoCo reads them: bodies, joints, and the numbers that come of them.
//!
//! The expected values of `suite/mjcf` are MuJoCo's own.

use crate::compare::{difference, evaluate};
use jourdain::formats::{self, Files, Reading};
use jourdain::{Model, State};
use serde_json::Value;
use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, Instant};

fn suite(path: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../suite/{path}", env!("CARGO_MANIFEST_DIR")))
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// Models with a feature that is refused, or that is read and changes what MuJoCo computes.
const REFUSED: [&str; 1] = ["frame_scale"];

fn cases() -> Vec<(String, Value, Reading)> {
    let folders = std::fs::read_dir(suite("mjcf")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    let case = |name: String| {
        let case = json(suite(&format!("mjcf/{name}/{name}.json")));
        let reading = formats::read_path(suite(&format!("mjcf/{name}/{name}.xml")));
        (name, case, reading)
    };
    names.into_iter().map(case).collect()
}

/// The armature of a free joint keeps to the axes of the body here and of the world in MuJoCo: a (v̇ + ω × v) there, a v̇ here.
fn take_turning_armature(armature: f64, velocity: &[f64], bias: &mut [f64]) {
    let [x, y, z, p, q, r] = velocity[..6] else { panic!("a free joint has six velocities") };
    for (bias, cross) in bias.iter_mut().zip([q * z - r * y, r * x - p * z, p * y - q * x]) {
        *bias -= armature * cross;
    }
}

#[test]
fn models_have_the_numbers_that_mujoco_computes() {
    let mut compared = 0;
    for (name, case, reading) in cases() {
        if REFUSED.contains(&name.as_str()) {
            assert!(reading.diagnostics.iter().any(|finding| finding.code == "unsupported-element"), "{name}");
            continue;
        }
        let listing: Vec<String> = reading.diagnostics.iter().map(ToString::to_string).collect();
        let Some(mut description) = reading.description.map(|checked| checked.into_description()) else {
            panic!("{name}: {}", listing.join("\n"))
        };
        let expected = &case["expected"];
        let coupled = description.links.iter().any(|link| link.joint.mimic.is_some());
        // What MuJoCo computes is of the tree without its soft constraints.
        for link in &mut description.links {
            link.joint.mimic = None;
        }
        let model = Model::from_description(&description).unwrap();
        let tolerance = case["tolerance"].as_f64().unwrap();
        if model.nv() as u64 == expected["nv"].as_u64().unwrap() && name != "alignfree" {
            let q: Vec<f64> = case["q"].as_object().unwrap().values().flat_map(numbers).collect();
            let v = if expected["body_axes"].is_object() { &expected["body_axes"]["v"] } else { &case["v"] };
            let numbers_of = |key: &str| {
                let from =
                    if expected["body_axes"][key].is_null() { &expected[key] } else { &expected["body_axes"][key] };
                numbers(from)
            };
            let state = State { q, qd: numbers(v), ..State::neutral(&model) }.checked(&model).unwrap();
            // A tendon's armature joins joints; a tree cannot carry it.
            if name != "actuators" {
                let error = difference(&evaluate("mass_matrix", &model, &state), &numbers_of("mass_matrix"));
                assert!(error <= tolerance, "{name}, M: {error:e}");
            }
            let mut bias = numbers_of("bias");
            for joint in expected["joints"].as_array().unwrap().iter().filter(|joint| joint["type"] == "free") {
                let link = &model.links()[model.joint_index(joint["name"].as_str().unwrap()).unwrap()];
                take_turning_armature(joint["armature"].as_f64().unwrap(), &state.qd[link.v..], &mut bias[link.v..]);
            }
            let error = difference(&evaluate("bias", &model, &state), &bias);
            assert!(error <= tolerance, "{name}, bias: {error:e}");
            for (body, pose) in expected["poses"].as_object().unwrap() {
                let link = if body == "base" { "base_frame" } else { body };
                let Some(_) = model.link_index(link) else { continue };
                let error = difference(&evaluate(&format!("pose:{link}"), &model, &state), &numbers(pose));
                assert!(error <= tolerance, "{name}, {body}: {error:e}");
                compared += 1;
            }
        }
        for body in expected["bodies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|_| !["alignfree", "fuse_and_discard"].contains(&name.as_str()))
        {
            let body_name = body["name"].as_str().unwrap();
            let link = if body_name == "base" { "base_frame" } else { body_name };
            let Some(index) = model.link_index(link) else {
                assert!(body_name.is_empty() || body_name == "world", "{name}: no link {link}");
                continue;
            };
            let inertia = model.links()[index].inertia;
            let mass = body["mass"].as_f64().unwrap();
            assert!((inertia.mass - mass).abs() <= tolerance * mass, "{name}, {link}: {} kg for {mass}", inertia.mass);
            if mass > 0.0 {
                let (com, about) = inertia.about_com();
                assert!(difference(&com.0, &numbers(&body["com"])) <= tolerance.max(1e-9), "{name}, {link}: {com:?}");
                let about = about.to_matrix().concat();
                assert!(difference(&about, &numbers(&body["inertia"])) <= tolerance, "{name}, {link}: {about:?}");
            }
        }
        if !coupled && name != "alignfree" {
            check_positions(&name, &model, expected);
        }
        for joint in expected["joints"].as_array().unwrap() {
            let joint_name = joint["name"].as_str().unwrap();
            let Some(link) = description.links.iter().find(|link| link.joint.name == joint_name) else {
                assert!(joint_name.is_empty(), "{name}: no joint {joint_name}");
                continue;
            };
            let limits: Option<Vec<f64>> = link.joint.limits.map(|limits| limits.iter().map(|x| x.value).collect());
            match (&joint["limits"], limits) {
                (Value::Null, None) => {}
                (expected, Some(found)) if !expected.is_null() => {
                    assert!(difference(&found, &numbers(expected)) < 1e-12, "{name}, {joint_name}")
                }
                (expected, found) => {
                    assert!(
                        joint["type"] == "ball" || joint_name == "frozen",
                        "{name}, {joint_name}: {found:?} for {expected}"
                    )
                }
            }
            if let Some(effort) = joint["effort"].as_f64() {
                assert_eq!(link.joint.effort.map(|effort| effort.value), Some(effort), "{name}, {joint_name}");
            }
        }
    }
    assert!(compared > 60, "only {compared} poses compared");
}

/// Keys, and the position as drawn, of models whose joints all have numbers of their own.
fn check_positions(name: &str, model: &Model, expected: &Value) {
    let qpos0 = numbers(&expected["qpos0"]);
    if model.nq() != qpos0.len() {
        return;
    }
    let close = |found: Vec<f64>, wanted: &[f64], what: &str| {
        assert!(difference(&found, wanted) < 1e-12, "{name}, {what}: {found:?} for {wanted:?}");
    };
    close(model.named_position("qpos0").unwrap_or_else(|| model.neutral()), &qpos0, "qpos0");
    let keys = if expected["keys"].is_null() { &expected["keyframes"] } else { &expected["keys"] };
    for (index, key) in keys.as_array().into_iter().flatten().enumerate() {
        let key_name = match key["name"].as_str().unwrap() {
            "" => format!("key{index}"),
            given => given.to_owned(),
        };
        let found = model.named_position(&key_name).unwrap_or_else(|| panic!("{name}: no state {key_name}"));
        close(found, &numbers(&key["qpos"]), &key_name);
    }
}

fn model_of(inside: &str) -> Reading {
    formats::read(format!("<mujoco><worldbody>{inside}</worldbody></mujoco>").as_bytes())
}

#[test]
fn bodies_that_cannot_be_are_findings_and_no_reason_to_stop() {
    for (inertia, code) in
        [("diaginertia=\"1 1 3\"", "inertia-triangle"), ("fullinertia=\"1 1 1 2 0 0\"", "inertia-indefinite")]
    {
        let reading =
            model_of(&format!("<body name=\"a\"><joint/><inertial pos=\"0 0 0\" mass=\"1\" {inertia}/></body>"));
        let codes: Vec<&str> = reading.diagnostics.iter().map(|finding| finding.code).collect();
        assert!(reading.is_ok() && codes == [code], "{inertia}: {codes:?}");
    }
}

#[test]
fn couplings_that_no_tree_can_have_are_left_out_and_named() {
    let bodies: String = ["a", "b", "c", "d"]
        .map(|name| format!("<body name=\"{name}\"><joint name=\"{name}\"/><geom size=\".1\"/></body>"))
        .concat();
    let read = |equalities: &str| {
        let text = format!("<mujoco><worldbody>{bodies}</worldbody><equality>{equalities}</equality></mujoco>");
        let reading = formats::read(text.as_bytes());
        let lost = reading.diagnostics.iter().filter(|finding| finding.code == "not-carried").count();
        (Model::from(reading.description.unwrap()), lost)
    };
    let follows = |a: &str, b: &str| format!("<joint joint1=\"{a}\" joint2=\"{b}\" polycoef=\".1 2\"/>");
    let circle = follows("a", "b") + &follows("b", "c") + &follows("c", "a");
    let (model, lost) = read(&circle);
    assert_eq!((model.nv(), lost), (2, 1));
    let (model, lost) = read(&(follows("a", "b") + &follows("a", "c")));
    assert_eq!((model.nv(), lost), (3, 1));
    // What follows a joint that is held is held, wherever the equalities stand.
    let (model, lost) = read(&(follows("a", "b") + &follows("b", "c") + "<joint joint1=\"c\" polycoef=\".3\"/>"));
    assert_eq!((model.nv(), lost), (1, 0));
}

#[test]
fn deep_files_end_in_an_error() {
    let nested = |count: usize| {
        let body = "<body pos=\"0 0 .1\"><joint/><geom size=\".1\"/>";
        model_of(&format!("{}{}", body.repeat(count), "</body>".repeat(count)))
    };
    assert!(nested(900).is_ok());
    let codes: Vec<&str> = nested(1100).diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["nesting-too-deep"]);
}

/// Files in memory.
struct Memory(Vec<(&'static str, Vec<u8>)>);

impl Files for Memory {
    fn read(&self, path: &FilePath) -> std::io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| FilePath::new(name) == path);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))
    }
}

fn read_with(main: &str, files: Vec<(&'static str, Vec<u8>)>) -> Reading {
    formats::read_from(main.as_bytes(), None, FilePath::new("main.xml"), &Memory(files))
}

/// The first finding about a mesh of this name and content, if a moving body weighs what it does; its time is bounded.
fn read_mesh(name: &'static str, attributes: &str, content: Vec<u8>) -> Result<f64, String> {
    let main = format!(
        "<mujoco><asset><mesh name=\"m\" file=\"{name}\" {attributes}/></asset><worldbody><body name=\"a\"><joint/>\
         <geom type=\"mesh\" mesh=\"m\" density=\"1\"/></body></worldbody></mujoco>"
    );
    let start = Instant::now();
    let reading = read_with(&main, vec![(name, content)]);
    let bound = if cfg!(debug_assertions) { 20 } else { 2 };
    assert!(start.elapsed() < Duration::from_secs(bound), "{name} took {:?}", start.elapsed());
    match reading.description {
        Some(robot) => Ok(Model::from(robot).total_mass()),
        None => Err(reading.diagnostics[0].message.clone()),
    }
}

fn stl(count: u32, triangles: usize) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(count.to_le_bytes());
    bytes.extend(std::iter::repeat_n(1_u8, 50 * triangles));
    bytes
}

#[test]
fn meshes_that_lie_or_are_huge_end_in_an_error() {
    let says = |found: Result<f64, String>, part: &str| match found {
        Err(message) => assert!(message.contains(part), "{message}"),
        Ok(mass) => panic!("{mass} kg, and not: {part}"),
    };
    says(read_mesh("a.stl", "", stl(4_000_000_000, 2)), "length does not fit");
    says(read_mesh("a.stl", "", stl(0, 0)), "no triangles");
    says(read_mesh("a.stl", "", b"solid x\nfacet normal 0 0 1\n".to_vec()), "text");
    says(read_mesh("a.stl", "", Vec::new()), "length does not fit");
    says(read_mesh("a.stl", "", stl(3, 3)), "no area");
    says(read_mesh("a.obj", "", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4000000000\n".to_vec()), "beyond");
    says(read_mesh("a.obj", "", b"v 0 0 0\nf -1 -2 -3\n".to_vec()), "without three vertices");
    says(read_mesh("a.obj", "", b"v 0 0\n".to_vec()), "line 1");
    says(read_mesh("a.obj", "", b"v 1e39 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec()), "not finite");
    says(read_mesh("a.obj", "", "v 1 2 3\n".repeat(1_000_000).into_bytes()), "no triangles");
    let many = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &"f 1 2 3\n".repeat(4_000_001);
    says(read_mesh("a.obj", "", many.into_bytes()), "more than");
    says(read_mesh("a.msh", "", vec![0xFF; 16]), "damaged");
    says(read_mesh("a.msh", "", vec![0; 16]), "no triangles");
    says(read_mesh("a.dae", "", Vec::new()), ".dae");
    says(read_mesh("a", "", Vec::new()), "`.`");
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    for inertia in ["legacy", "exact", "convex"] {
        let mass = read_mesh("A.OBJ", &format!("inertia=\"{inertia}\""), tetrahedron.into()).unwrap();
        assert!((mass - 1.0 / 6.0).abs() < 1e-12, "{inertia}: {mass}");
    }
    let turned = tetrahedron.replace("f 1 3 2", "f 1 2 3");
    says(read_mesh("a.obj", "inertia=\"exact\"", turned.into()), "turned");
    let inside_out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";
    says(read_mesh("a.obj", "inertia=\"exact\"", inside_out.into()), "inside out");
}

#[test]
fn only_meshes_that_are_needed_are_opened() {
    struct Counting(std::cell::Cell<usize>);
    impl Files for Counting {
        fn read(&self, _: &FilePath) -> std::io::Result<Vec<u8>> {
            self.0.set(self.0.get() + 1);
            Err(std::io::Error::from(std::io::ErrorKind::NotFound))
        }
    }
    let files = Counting(std::cell::Cell::new(0));
    let text = "<mujoco><asset><mesh file=\"a.stl\"/><mesh file=\"b.stl\"/><texture file=\"c.png\"/></asset><worldbody>\
                <geom type=\"mesh\" mesh=\"a\"/><body><joint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\
                <geom type=\"mesh\" mesh=\"a\"/><geom type=\"mesh\" mesh=\"b\"/></body></worldbody></mujoco>";
    let reading = formats::read_from(text.as_bytes(), None, FilePath::new("main.xml"), &files);
    assert!(reading.is_ok() && files.0.get() == 0);
}

#[test]
fn meshes_are_looked_for_beside_the_model_and_then_beside_the_file_that_names_them() {
    let tetrahedron = |size: &str| {
        format!("v 0 0 0\nv {size} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n").into_bytes()
    };
    let mass = |compiler: &str, files: Vec<(&'static str, Vec<u8>)>| {
        let main = format!(
            "<mujoco><compiler {compiler}/><include file=\"parts/a.xml\"/><worldbody><body><joint/>\
             <geom type=\"mesh\" mesh=\"m\" density=\"6\"/></body></worldbody></mujoco>"
        );
        let assets: &[u8] = b"<x><asset><mesh file=\"m.obj\"/></asset></x>";
        let files = files.into_iter().chain([("parts/a.xml", assets.to_vec())]).collect();
        read_with(&main, files).description.map(|robot| Model::from(robot).total_mass().round())
    };
    let (near, far) = (tetrahedron("1"), tetrahedron("2"));
    assert_eq!(mass("", vec![("parts/m.obj", near.clone())]), Some(1.0));
    assert_eq!(mass("", vec![("parts/m.obj", near.clone()), ("m.obj", far.clone())]), Some(2.0));
    assert_eq!(mass("meshdir=\"d\"", vec![("d/parts/m.obj", near.clone()), ("m.obj", far)]), Some(1.0));
    assert_eq!(mass("meshdir=\"d\"", vec![("parts/m.obj", near)]), None);
}

#[test]
fn files_inside_files_are_bounded_together() {
    let nest = |inside: &str| format!("<x>{}{inside}{}</x>", "<body>".repeat(700), "</body>".repeat(700)).into_bytes();
    let main = "<mujoco><worldbody><include file=\"a.xml\"/></worldbody></mujoco>";
    let reading = read_with(main, vec![("a.xml", nest("<include file=\"b.xml\"/>")), ("b.xml", nest(""))]);
    assert!(reading.diagnostics.iter().any(|finding| finding.code == "nesting-too-deep"));
    let child = format!(
        "<mujoco><asset><model name=\"b\" file=\"b.xml\"/></asset><worldbody>{}<attach model=\"b\" prefix=\"b\"/>{}</worldbody></mujoco>",
        "<body>".repeat(700),
        "</body>".repeat(700)
    );
    let main = "<mujoco><asset><model name=\"a\" file=\"a.xml\"/></asset><worldbody><attach model=\"a\" prefix=\"a\"/></worldbody></mujoco>";
    let deep = child.replace("b.xml", "c.xml");
    let reading = read_with(main, vec![("a.xml", child.into_bytes()), ("b.xml", deep.into_bytes())]);
    assert!(reading.diagnostics.iter().any(|finding| finding.code == "nesting-too-deep"));
}

#[test]
fn models_that_attach_one_another_end_in_an_error() {
    let model = |other: &str| {
        format!(
            "<mujoco><asset><model name=\"m\" file=\"{other}\"/></asset><worldbody><body name=\"a\"><geom size=\"1\"/>\
             <attach model=\"m\" prefix=\"x\"/><attach model=\"m\" prefix=\"y\"/></body></worldbody></mujoco>"
        )
    };
    let reading = read_with(&model("b.xml"), vec![("b.xml", model("main.xml").into_bytes())]);
    assert!(reading.diagnostics.iter().any(|finding| finding.code == "attached-to-itself"));
}

/// Code and message of all that is told of a file.
fn told(text: &str) -> Vec<(&'static str, String)> {
    formats::read(text.as_bytes()).diagnostics.into_iter().map(|found| (found.code, found.message)).collect()
}

#[test]
fn parts_that_no_tree_can_carry_are_told_by_name() {
    let body = "<body name=\"a\"><joint name=\"a\"/><geom size=\".1\"/></body><body name=\"b\"><joint name=\"b\" type=\"ball\"/><geom size=\".1\"/></body>";
    let lost = |message: &str| vec![("not-carried", message.to_owned())];
    for (section, expected) in [
        (
            "<worldbody><geom type=\"sdf\"/><body><joint/><geom size=\".1\"/><geom type=\"sdf\"/></body></worldbody>",
            lost("a geom of type `sdf` has no weight here"),
        ),
        ("<deformable><skin/></deformable>", lost("deformable bodies are left out")),
        ("<deformable/>", Vec::new()),
        (
            "<contact><pair geom1=\"g\" geom2=\"h\"/></contact>",
            lost("contacts are left out: nothing stops bodies from meeting"),
        ),
        (
            "<actuator><motor joint=\"a\" damping=\"1 2\"/></actuator>",
            lost("the nonlinear part of the drive's damping is left out"),
        ),
        (
            "<tendon><fixed stiffness=\"3\"><joint joint=\"a\" coef=\"1\"/></fixed></tendon>",
            lost("the stiffness of the tendon is left out: a tree of joints cannot carry it"),
        ),
        ("<tendon><fixed stiffness=\"0\"><joint joint=\"a\" coef=\"1\"/></fixed></tendon>", Vec::new()),
        (
            "<equality><joint joint2=\"a\"/></equality>",
            vec![("missing-attribute", "<joint> of <equality> has no attribute `joint1`".to_owned())],
        ),
        (
            "<equality><joint joint1=\"b\"/></equality>",
            vec![("mimic-kind", "only hinges and slides can be coupled".to_owned())],
        ),
        (
            "<equality><joint joint1=\"a\" joint2=\"b\"/></equality>",
            vec![("mimic-kind", "only hinges and slides can be coupled".to_owned())],
        ),
    ] {
        let found = told(&format!("<mujoco model=\"m\"><worldbody>{body}</worldbody>{section}</mujoco>"));
        assert_eq!(found, expected, "{section}");
    }
}

#[test]
fn what_is_attached_must_be_there() {
    let main = |more: &str| {
        format!(
            "<mujoco model=\"m\"><asset><model name=\"n\" file=\"b.xml\"/></asset><worldbody>\
             <attach model=\"n\" prefix=\"x_\" {more}/></worldbody></mujoco>"
        )
    };
    let part = "<mujoco><worldbody><frame name=\"f\"><body name=\"a\"><joint/><geom size=\".1\"/></body></frame></worldbody></mujoco>";
    let read = |more: &str| read_with(&main(more), vec![("b.xml", part.as_bytes().to_vec())]);
    for more in ["", "body=\"a\"", "frame=\"f\""] {
        let robot = read(more).description.unwrap().into_description();
        assert_eq!(robot.links.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["x_a"], "{more}");
    }
    for (more, message) in
        [("body=\"f\"", "the model `n` has no body `f`"), ("frame=\"a\"", "the model `n` has no frame `a`")]
    {
        let reading = read(more);
        let found = reading.diagnostics.iter().find(|found| found.is_error()).unwrap();
        assert_eq!((found.code, found.message.as_str()), ("unknown-link", message));
    }
}
