//! The server as a browser sees it.

mod support;

use jourdain_kit::host::{Files, Host};
use jourdain_kit::resolve::Robot;
use jourdain_studio::{Options, Server};
use serde_json::json;
use std::fs;
use std::path::Path;
use support::start;

/// A flexible arm.
const TWO_LINKS: &str = include_str!("../../../arms/two_link_flexible.toml");

/// A robot with two files and a mesh beside its folder.
fn arm(folder: &Path) -> Robot {
    let arm = folder.join("arm");
    fs::create_dir_all(arm.join("urdf")).unwrap();
    fs::create_dir_all(arm.join("meshes")).unwrap();
    let main = r#"<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="part.xacro"/><xacro:part/></robot>"#;
    let part = r#"<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="part" params=""><link name="a">
        <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
        <visual><geometry><mesh filename="../meshes/a b.stl"/></geometry></visual></link></xacro:macro></robot>"#;
    fs::write(arm.join("urdf/arm.urdf.xacro"), main).unwrap();
    fs::write(arm.join("urdf/part.xacro"), part).unwrap();
    fs::write(arm.join("urdf/else.urdf"), r#"<robot name="else"><link name="a"/></robot>"#).unwrap();
    fs::write(arm.join("meshes/a b.stl"), "solid").unwrap();
    fs::write(folder.join("secret.stl"), "secret").unwrap();
    Robot::of(arm.join("urdf/arm.urdf.xacro").to_str().unwrap())
}

#[test]
fn the_page_and_its_module_are_served_to_those_who_know_the_token() {
    let server = start(Some(Robot::of("iiwa14")), &[]);
    let page = server.ask("/");
    assert_eq!(page.status, "200");
    assert!(page.head.contains("Content-Type: text/html") && page.head.contains("Cache-Control: no-store"));
    assert_eq!((&server.boot()["robot"], &server.boot()["kind"]), (&json!("iiwa14"), &json!("robot")));
    let module = server.ask("/engine.wasm");
    assert!(module.head.contains("application/wasm") && module.head.contains("Content-Encoding: gzip"));
    assert!(module.body.starts_with(&[0x1f, 0x8b]));
    assert_eq!(server.ask("/alive").status, "204");
    assert_eq!(server.ask("/files.json").body, b"[]");
    assert_eq!(server.ask("/nothing").status, "404");
}

#[test]
fn a_robot_comes_with_the_files_it_takes_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(Some(arm(folder.path())), &[]);
    assert_eq!(server.boot()["robot"], "arm/urdf/arm.urdf.xacro");
    let expected =
        [("arm/urdf/arm.urdf.xacro", "robot"), ("arm/urdf/part.xacro", "part"), ("arm/meshes/a b.stl", "other")];
    assert_eq!(server.files(), expected.map(|(path, kind)| (path.to_owned(), kind.to_owned())));
    assert!(server.ask("/files/arm/urdf/part.xacro").body.starts_with(b"<robot"));
    assert_eq!(server.ask("/files/arm/meshes/a%20b.stl").body, b"solid");
    assert_eq!(server.ask("/mesh?robot=arm/urdf/arm.urdf.xacro&uri=../meshes/a%20b.stl").body, b"solid");
    for target in ["/files/arm/urdf/else.urdf", "/mesh?robot=arm/urdf/arm.urdf.xacro&uri=../../secret.stl"] {
        assert_eq!(server.ask(target).status, "404", "{target}");
    }
}

#[test]
fn a_file_that_changes_is_read_again_when_the_page_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.urdf");
    let write = |mesh: &str| {
        let text = format!(
            r#"<robot name="a"><link name="a"><visual><geometry><mesh filename="{mesh}"/></geometry></visual></link></robot>"#
        );
        fs::write(&file, text).unwrap();
    };
    fs::write(folder.path().join("b.stl"), "b").unwrap();
    write("a.stl");
    let server = start(Some(Robot::of(file.to_str().unwrap())), &[]);
    let robot = server.boot()["robot"].as_str().unwrap().to_owned();
    assert_eq!(server.ask(&format!("/mesh?robot={robot}&uri=b.stl")).status, "404");
    write("b.stl");
    server.boot();
    assert_eq!(server.ask(&format!("/mesh?robot={robot}&uri=b.stl")).body, b"b");
}

#[test]
fn edits_reach_the_page_as_they_are_or_in_the_robot() {
    let robot = |change: fn(&mut Robot)| {
        let mut robot = Robot::of("iiwa14");
        change(&mut robot);
        robot
    };
    let boot = start(Some(robot(|robot| robot.edits.payload = vec!["link7=2@0,0,0.1".to_owned()])), &[]).boot();
    assert_eq!((&boot["robot"], &boot["edits"]), (&json!("iiwa14"), &json!({ "payload": ["link7=2@0,0,0.1"] })));
    // A tool that is a file of this machine is mounted here.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tool.toml");
    fs::write(&file, "name = \"t\"\n[[link]]\nname = \"grip\"\nmass = 0.5\njoint = { type = \"fixed\" }").unwrap();
    let mut with_tool = Robot::of("iiwa14");
    with_tool.edits.tool = vec![file.to_str().unwrap().to_owned()];
    let server = start(Some(with_tool), &[]);
    assert_eq!((&server.boot()["robot"], server.boot().get("edits")), (&json!("robot.toml"), None));
    assert!(String::from_utf8(server.ask("/files/robot.toml").body).unwrap().contains("grip"));
}

#[test]
fn arms_are_shown_by_name_and_by_file_and_are_not_edited() {
    let arm = jourdain::arms::ALL[0];
    assert_eq!(start(Some(Robot::of(arm.name)), &[]).boot()["kind"], "arm");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    fs::write(&file, TWO_LINKS).unwrap();
    let mut robot = Robot::of(file.to_str().unwrap());
    let server = start(Some(robot.clone()), &[]);
    assert_eq!((&server.boot()["robot"], &server.boot()["kind"]), (&json!("mine.toml"), &json!("arm")));
    assert_eq!(server.ask("/files/mine.toml").body, TWO_LINKS.as_bytes());
    robot.edits.floating = true;
    let problem = Server::bind(&Options { robot: Some(robot), ..Options::default() }, &Files).unwrap_err();
    assert_eq!(problem.kind(), "usage");
}

#[test]
fn a_file_that_holds_no_robot_is_served_with_its_refusal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.urdf");
    fs::write(&file, r#"<robot name="bad"><link name="a"><inertial><mass value="x"/></inertial></link></robot>"#)
        .unwrap();
    let options = Options { robot: Some(Robot::of(file.to_str().unwrap())), ..Options::default() };
    let server = Server::bind(&options, &Files).unwrap();
    assert!(server.refusal().unwrap().contains("mass"));
    let server = start(options.robot, &[]);
    let robot = server.boot()["robot"].as_str().unwrap().to_owned();
    assert!(robot.ends_with("/bad.urdf"));
    assert!(server.ask(&format!("/files/{robot}")).body.starts_with(b"<robot name=\"bad\">"));
}

#[test]
fn folders_are_listed_with_their_robots() {
    let folder = tempfile::tempdir().unwrap();
    arm(folder.path());
    let server = start(Some(Robot::of(folder.path().join("arm").to_str().unwrap())), &[]);
    let files = server.files();
    for (path, kind) in
        [("arm/urdf/else.urdf", "robot"), ("arm/urdf/arm.urdf.xacro", "robot"), ("arm/meshes/a b.stl", "other")]
    {
        assert!(files.contains(&(path.to_owned(), kind.to_owned())), "{path}: {files:?}");
    }
    assert_eq!(server.boot()["robot"], json!(null));
    assert_eq!(server.ask("/mesh?robot=arm/urdf/arm.urdf.xacro&uri=../meshes/a%20b.stl").body, b"solid");
    assert_eq!(server.ask("/mesh?robot=arm/urdf/arm.urdf.xacro&uri=../../secret.stl").status, "404");
}

#[test]
fn what_cannot_be_served_is_told() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let kind = |options: Options| Server::bind(&options, &Files).unwrap_err().kind();
    assert_eq!(kind(Options { port, ..Options::default() }), "port-in-use");
    assert_eq!(kind(Options { robot: Some(Robot::of("iiwa15")), ..Options::default() }), "unknown-robot");
    assert_eq!(kind(Options { robot: Some(Robot::of("none/a.urdf")), ..Options::default() }), "cannot-read");
    assert_eq!(kind(Options { folders: vec!["none".into()], ..Options::default() }), "no-such-folder");
    let mut folder = Robot::of(".");
    folder.edits.floating = true;
    assert_eq!(kind(Options { robot: Some(folder), ..Options::default() }), "usage");
    let mut robot = Robot::of("iiwa14");
    robot.edits.payload = vec!["nothing=1".to_owned()];
    assert!(Server::bind(&Options { robot: Some(robot), ..Options::default() }, &Files).is_err());
}

/// A host that has a text on standard input.
struct Piped(&'static str);

impl Host for Piped {
    fn standard_input(&self) -> std::io::Result<Box<dyn std::io::Read>> {
        Ok(Box::new(self.0.as_bytes()))
    }
}

#[test]
fn a_robot_from_standard_input_is_read_once_and_served_in_the_native_form() {
    let text = r#"<robot name="piped"><link name="a"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>"#;
    let options = Options { robot: Some(Robot::of("-")), folders: Vec::new(), port: 0 };
    let server = Server::bind(&options, &Piped(text)).unwrap();
    assert!(server.refusal().is_none());
    let started = support::serve(server);
    assert_eq!(started.boot()["robot"], "robot.toml");
    for _ in 0..2 {
        let served = String::from_utf8(started.ask("/files/robot.toml").body).unwrap();
        assert!(served.starts_with("name = \"piped\"\n") && served.contains("\nmass = 2.0\n"), "{served}");
    }
    let refused = Server::bind(&options, &Files).expect_err("no standard input");
    assert_eq!(refused.to_json()["error"]["message"], "cannot read standard input: there is no standard input here");
}

#[test]
fn files_of_a_folder_are_known_by_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("arm.toml", TWO_LINKS);
    let alone = start(None, &[folder.path().to_owned()]);
    assert_eq!(alone.boot()["kind"], "arm");
    put("robot.toml", "name = \"r\"\n[[link]]\nname = \"a\"\nmass = 1\njoint = { type = \"revolute\" }\n");
    put("notes.toml", "title = \"not a robot\"\n");
    put("robot.xml", "<mujoco model=\"m\"><worldbody/></mujoco>");
    put("robot.sdf", "<sdf version=\"1.9\"><model name=\"m\"/></sdf>");
    put("robot.urdf", "<robot name=\"u\"/>");
    put("page.urdf", "<html/>");
    put("broken.json", "{");
    let server = start(None, &[folder.path().to_owned()]);
    let mut files = server.files();
    files.sort();
    let name = |file: &(String, String)| file.0.rsplit('/').next().unwrap().to_owned();
    let found: Vec<(String, &str)> = files.iter().map(|file| (name(file), file.1.as_str())).collect();
    let expected = [
        ("arm.toml", "arm"),
        ("broken.json", "other"),
        ("notes.toml", "other"),
        ("page.urdf", "other"),
        ("robot.sdf", "robot"),
        ("robot.toml", "robot"),
        ("robot.urdf", "robot"),
        ("robot.xml", "robot"),
    ];
    assert_eq!(found, expected.map(|(name, kind)| (name.to_owned(), kind)));
}
