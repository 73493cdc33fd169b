//! The studio as one file, and as a site.

use jourdain_kit::host::Files;
use jourdain_kit::resolve::Robot;
use jourdain_studio::export;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What a page begins with.
fn boot(page: &Path) -> Value {
    let text = fs::read_to_string(page).unwrap();
    let boot = text.split_once(r#"<script id="boot" type="application/json">"#).unwrap().1;
    serde_json::from_str(boot.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_built_in_robot_is_in_a_file_well_below_four_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("iiwa14.html");
    assert_eq!(export(Some(&Robot::of("iiwa14")), &file, &Files).unwrap(), std::slice::from_ref(&file));
    assert_eq!(boot(&file)["robot"], "iiwa14");
    let size = fs::metadata(&file).unwrap().len();
    assert!(size < 3_900_000, "{size}");
}

#[test]
fn a_robot_of_several_files_has_them_inside_with_its_meshes_and_edits() {
    let folder = tempfile::tempdir().unwrap();
    let arm = folder.path().join("arm");
    fs::create_dir_all(arm.join("urdf")).unwrap();
    fs::create_dir_all(arm.join("meshes")).unwrap();
    let main = r#"<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="$(find arm)/urdf/part.xacro"/><xacro:part/></robot>"#;
    let part = r#"<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="part" params=""><link name="a"><visual><geometry>
        <mesh filename="package://arm/meshes/a.stl"/></geometry></visual></link></xacro:macro></robot>"#;
    fs::write(arm.join("urdf/arm.urdf.xacro"), main).unwrap();
    fs::write(arm.join("urdf/part.xacro"), part).unwrap();
    fs::write(arm.join("meshes/a.stl"), "solid").unwrap();
    let file = folder.path().join("arm.html");
    let mut robot = Robot::of(arm.join("urdf/arm.urdf.xacro").to_str().unwrap());
    robot.edits.gravity = Some(vec![0.0, 0.0, -1.62]);
    export(Some(&robot), &file, &Files).unwrap();
    let boot = boot(&file);
    let files = boot["files"].as_object().unwrap();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["arm/urdf/arm.urdf.xacro", "arm/urdf/part.xacro", "arm/meshes/a.stl"]);
    assert_eq!(boot["edits"], serde_json::json!({ "gravity": [0.0, 0.0, -1.62] }));
    let problem = export(Some(&Robot::of("nothing.urdf")), &file, &Files).unwrap_err();
    assert_eq!(problem.kind(), "cannot-read");
}

#[test]
fn a_robot_from_packages_all_over_the_disk_is_written_in_the_native_form() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("a/b/c/d/e/f/g/here"), folder.path().join("z/there"));
    fs::create_dir_all(&here).unwrap();
    fs::create_dir_all(there.join("meshes")).unwrap();
    let text = r#"<robot name="arm"><link name="a"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
        <visual><geometry><mesh filename="package://there/meshes/a.stl"/></geometry></visual></link></robot>"#;
    fs::write(here.join("arm.urdf"), text).unwrap();
    fs::write(there.join("meshes/a.stl"), "solid").unwrap();
    let mut robot = Robot::of(here.join("arm.urdf").to_str().unwrap());
    robot.package = vec![format!("there={}", there.display())];
    let file = folder.path().join("arm.html");
    export(Some(&robot), &file, &Files).unwrap();
    let boot = boot(&file);
    let names: Vec<&str> = boot["files"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((boot["robot"].as_str(), names), (Some("robot.toml"), vec!["robot.toml", "meshes/0_a.stl"]));
    // Nothing says where on this disk it was.
    assert!(!fs::read_to_string(&file).unwrap().contains(folder.path().to_str().unwrap()));
}

#[test]
fn a_site_has_a_page_and_a_module_and_needs_no_robot() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site/");
    let files = export(None, &site, &Files).unwrap();
    assert_eq!(files, [site.join("index.html"), site.join("engine.wasm")]);
    assert_eq!(boot(&files[0])["robot"], Value::Null);
    assert!(fs::read(&files[1]).unwrap().starts_with(b"\0asm"));
    // A folder that is there is meant too.
    export(Some(&Robot::of("panda")), folder.path().join("site").as_path(), &Files).unwrap();
    assert_eq!(boot(&files[0])["robot"], "panda");
}

#[test]
fn what_is_no_robot_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.urdf");
    fs::write(&bad, "<robot name=\"bad\"><link/></robot>").unwrap();
    let file = folder.path().join("bad.html");
    assert!(export(Some(&Robot::of(bad.to_str().unwrap())), &file, &Files).is_err());
    assert!(!file.exists());
}
