//! The studio as one file.

use jourdain_kit::host::Files;
use jourdain_studio::export;
use std::fs;

#[test]
fn a_built_in_robot_is_in_a_file_below_four_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("iiwa14.html");
    export("iiwa14", &file, &Files).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(r#""robot":"iiwa14""#) && text.contains(r#"<script id="engine" type="text/plain">H4sI"#));
    assert!(text.len() < 4_000_000, "{}", text.len());
}

#[test]
fn a_robot_of_several_files_has_them_inside_with_its_meshes() {
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
    export(arm.join("urdf/arm.urdf.xacro").to_str().unwrap(), &file, &Files).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    for name in ["arm/urdf/arm.urdf.xacro", "arm/urdf/part.xacro", "arm/meshes/a.stl"] {
        assert!(text.contains(&format!("{name}\":\"")), "{name}");
    }
    let problem = export("nothing.urdf", &file, &Files).unwrap_err();
    assert_eq!(problem.kind(), "cannot-read");
}
