//! `convert`, and files that are what their names end in.

mod support;

use serde_json::Value;
use support::{Scratch, json, keys, run};

#[test]
fn text_goes_to_standard_output_and_what_is_lost_beside_it() {
    let shown = run(&["convert", "planar2r", "--to", "urdf"]);
    assert_eq!(shown.code, 0);
    assert!(shown.stdout.starts_with("<?xml version=\"1.0\"?>\n<robot name=\"planar2r\">"), "{}", shown.stdout);
    assert_eq!(shown.stderr, "note: lost in urdf: gravity, 0 -9.80665 0 m/s²\n");
    let document = json(&["convert", "planar2r", "--to", "urdf"]);
    assert_eq!(keys(&document), ["format", "text", "lost", "warnings"]);
    assert_eq!(document["format"], "urdf");
    assert_eq!(document["text"].as_str().unwrap(), shown.stdout);
    assert_eq!(document["lost"], serde_json::json!(["gravity, 0 -9.80665 0 m/s²"]));
}

#[test]
fn shapes_are_kept_and_those_for_collisions_do_not_go_in_silence() {
    let robot = |inside: &str| {
        format!(
            "<robot name='r'><link name='a'>{inside}<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>"
        )
    };
    let lost = |inside: &str| json(&["convert", &robot(inside), "--to", "urdf"])["lost"].clone();
    assert_eq!(lost(""), serde_json::json!([]));
    let shape = "<visual><geometry><sphere radius='1'/></geometry></visual>";
    assert_eq!(lost(shape), serde_json::json!([]));
    let written = json(&["convert", &robot(shape), "--to", "sdf"])["text"].as_str().unwrap().to_owned();
    assert!(written.contains("<sphere>"), "{written}");
    let hit = shape.replace("visual", "collision");
    assert_eq!(lost(&hit), serde_json::json!(["shapes for collisions, which are no part of a model"]));
    let odd = shape.replace("sphere", "blob");
    assert_eq!(lost(&odd), serde_json::json!(["shapes that are hidden, or of a kind that is not read"]));
}

#[test]
fn the_ending_decides_unless_a_format_is_named() {
    for (name, format, opening) in [
        ("a.urdf", "urdf", "<?xml"),
        ("a.xml", "mjcf", "<?xml"),
        ("a.mjcf", "mjcf", "<?xml"),
        ("a.sdf", "sdf", "<?xml"),
        ("a.TOML", "toml", "name = "),
        ("a.json", "json", "{"),
    ] {
        let file = Scratch::new(name);
        let document = json(&["convert", "scara", "--out", file.path()]);
        assert_eq!(keys(&document), ["format", "file", "lost", "warnings"]);
        assert_eq!((document["format"].as_str(), document["file"].as_str()), (Some(format), Some(file.path())));
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.starts_with(opening), "{text}");
        assert_eq!(json(&["info", file.path()])["dof"], 4);
    }
    // Both may be given, and a name that says otherwise is told.
    let file = Scratch::new("b.urdf");
    let document = json(&["convert", "scara", "--to", "mjcf", "--out", file.path()]);
    assert!(document["warnings"][0].as_str().unwrap().contains("though its name ends as those of URDF"), "{document}");
    assert!(std::fs::read_to_string(file.path()).unwrap().contains("<mujoco"));
    let file = Scratch::new("screws.toml");
    let document = json(&["convert", "scara", "--to", "screws", "--out", file.path()]);
    assert_eq!(document["warnings"], Value::Array(Vec::new()));
    assert!(std::fs::read_to_string(file.path()).unwrap().contains("[[screws]]"));
}

#[test]
fn what_cannot_be_converted_is_refused_with_a_remedy() {
    for (arguments, kind, hint) in [
        (&["convert", "scara"][..], "usage", "--to urdf|mjcf|"),
        (&["convert", "scara", "--out", "x.step"], "usage", ".urdf, .xml, .mjcf, .sdf, .toml, .json"),
        (&["convert", "scara", "--out", "x"], "usage", ".urdf, .xml, .mjcf, .sdf, .toml, .json"),
        (&["convert", "scara", "--to", "urdf", "--dh", "modified"], "usage", ""),
        (&["convert", "scara", "--to", "dh", "--link", "tool"], "usage", ""),
        (&["convert", "scara", "--to", "dh", "--tolerance", "-1"], "usage", ""),
        (&["convert", "scara", "--to", "screws", "--link", "tol"], "cannot-convert", "did you mean `tool`?"),
        (&["convert", "humanoid25", "--to", "dh"], "cannot-convert", "--only"),
        (&["convert", "suite/good/every_joint.toml", "--to", "urdf"], "cannot-convert", "native form"),
        (&["convert", "scara", "--to", "step"], "usage", ""),
    ] {
        let run = run(&[arguments, &["--json"]].concat());
        assert_eq!((run.code, run.error()["kind"].as_str()), (2, Some(kind)), "{arguments:?}: {}", run.stdout);
        let found = run.error()["hint"].as_str().unwrap_or_default().to_owned();
        assert!(found.contains(hint), "{arguments:?}: {found}");
    }
}

#[test]
fn a_table_of_either_convention_gives_the_same_torques() {
    let state = r#"{"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "qd": [1, 2, 3, 4, 5, 6], "qdd": [1, 1, 1, 1, 1, 1]}"#;
    let torque = |robot: &str| {
        json(&["eval", robot, "-s", state, "-Q", "inverse_dynamics"])["quantities"]["inverse_dynamics"].clone()
    };
    let expected = torque("puma560");
    for convention in ["standard", "modified"] {
        let file = Scratch::new(&format!("{convention}.toml"));
        json(&["convert", "puma560", "--to", "dh", "--dh", convention, "--out", file.path()]);
        let found = torque(file.path());
        for (a, b) in expected.as_array().unwrap().iter().zip(found.as_array().unwrap()) {
            assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-11, "{convention}: {found}");
        }
    }
}

const LOG: &str = "suite/logs/planar2r.csv";

#[test]
fn an_identified_robot_is_written_as_its_name_says() {
    for (name, opening) in [("a.urdf", "<robot"), ("a.xml", "<mujoco"), ("a.json", "\"link\""), ("a.toml", "[[link]]")]
    {
        let file = Scratch::new(name);
        json(&["identify", "planar2r", "--data", LOG, "--out", file.path()]);
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.contains(opening), "{name}: {text}");
    }
}

/// A name that does not fit is refused before any work is done: the inputs of these do not exist.
#[test]
fn files_are_what_their_names_end_in_or_are_not_written() {
    let state = r#"{"q": [0, 0]}"#;
    for (arguments, endings) in [
        (&["identify", "planar2r", "--data", "no.csv", "--out", "x.gif"][..], ".urdf, .xml"),
        (&["identify", "planar2r", "--data", "no.csv", "--plot", "x.jpg"], ".svg, .pdf, .png"),
        (&["identify", "planar2r", "--data", "no.csv", "--report", "x.pdf"], ".txt, .md"),
        (&["identify", "planar2r", "--data", "no.csv", "--factors", "x.bin"], ".json"),
        (&["excite", "planar2r", "--out", "x.xlsx"], ".csv, .parquet"),
        (&["excite", "planar2r", "--trajectory", "x.csv"], ".json"),
        (&["excite", "planar2r", "--plot", "x.jpg"], ".svg, .pdf, .png"),
        (&["simulate", "planar2r", "--out", "x.json"], ".csv, .parquet"),
        (&["simulate", "planar2r", "--plot", "x.jpg"], ".svg, .pdf, .png"),
        (&["trajectory", "planar2r", "--trajectory", "no.json", "-Q", "gravity", "--out", "x.txt"], ".csv, .parquet"),
        (&["ik", "planar2r", "--link", "tool", "--target", "no.json", "--plot", "x.jpg"], ".svg, .pdf, .png"),
        (&["ik-path", "planar3r_chang", "--path", "chang", "--out", "x.dat"], ".csv, .parquet"),
        (&["elastic", "simulate", "planar2r_elastic", "--out", "x.json"], ".csv, .parquet"),
        (&["elastic", "inverse", "planar2r_elastic", "--plot", "x.jpg"], ".svg, .pdf, .png"),
        (&["elastic", "robustness", "planar2r_elastic", "--out", "x.json"], ".csv, .parquet"),
        (&["flexible", "simulate", "two_link_flexible", "--scenario", "fig5", "--out", "x.json"], ".csv, .parquet"),
        (&["flexible", "modes", "two_link_flexible", "--plot", "x.jpg"], ".svg, .pdf, .png"),
        (&["flexible", "linearise", "two_link_flexible", "--output", "tip_y", "--bode", "x.jpg"], ".svg, .pdf, .png"),
        (&["flexible", "animate", "two_link_flexible", "--out", "x.mp4"], ".html, .htm, .svg, .gif, .png"),
        (&["simulate", "planar2r", "--animate", "x.mp4"], ".html, .htm, .svg, .gif, .png"),
        (&["eval", "planar2r", "-s", state, "-Q", "gravity", "--out", "x.json"], ".csv, .parquet"),
        (&["expand", "no.xacro", "--out", "x.toml"], ".urdf, .xml"),
        (&["expand", "no.xacro", "--floating"], "convert"),
        (&["derive", "planar2r", "-Q", "gravity", "-t", "c", "--out", "x.h"], "folder"),
        (&["flexible", "derive", "two_link_flexible", "-t", "c", "--out", "x.c"], "folder"),
    ] {
        let run = run(&[arguments, &["--json"]].concat());
        let error = run.error();
        assert_eq!((run.code, error["kind"].as_str()), (2, Some("usage")), "{arguments:?}: {}", run.stdout);
        assert!(error["hint"].as_str().unwrap_or_default().contains(endings), "{arguments:?}: {error}");
    }
}

#[test]
fn eval_takes_the_format_of_the_name() {
    let state = r#"[{"q": [0, 0]}, {"q": [0, 1]}]"#;
    for name in ["a.csv", "a.parquet"] {
        let file = Scratch::new(name);
        let document = json(&["eval", "planar2r", "-s", state, "-Q", "gravity", "--out", file.path()]);
        assert_eq!(document["states"], 2);
        let bytes = std::fs::read(file.path()).unwrap();
        assert_eq!(bytes.starts_with(b"PAR1"), name == "a.parquet");
    }
}
