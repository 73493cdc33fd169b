//! What people see, colours off.

mod support;

use insta::assert_snapshot;
use support::{run, run_with};

/// Standard output of a run that succeeds.
fn shown(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

#[test]
fn help() {
    assert_snapshot!(shown(&["--help"]));
}

#[test]
fn help_of_eval() {
    assert_snapshot!(shown(&["eval", "--help"]));
}

#[test]
fn help_of_derive() {
    assert_snapshot!(shown(&["derive", "--help"]));
}

#[test]
fn robots() {
    assert_snapshot!(shown(&["robots"]));
}

#[test]
fn quantities() {
    assert_snapshot!(shown(&["quantities"]));
}

#[test]
fn info_of_a_chain() {
    assert_snapshot!(shown(&["info", "puma560"]));
}

#[test]
fn info_of_a_tree_with_a_free_joint() {
    assert_snapshot!(shown(&["info", "floating_humanoid25"]));
}

#[test]
fn info_of_a_tree_with_named_joints() {
    assert_snapshot!(shown(&["info", "suite/equivalent/tree5.urdf", "--quiet"]));
}

#[test]
fn check_with_a_warning() {
    assert_snapshot!(shown(&["check", "puma560"]));
}

#[test]
fn check_without_findings() {
    assert_snapshot!(shown(&["check", "planar2r"]));
}

#[test]
fn check_with_errors() {
    let robot = "{\"name\": \"bad\",\n \"link\": [\n  {\"name\": \"a\", \"mass\": -1, \"joint\": {\"type\": \"revolute\"}},\n  {\"name\": \"b\", \"parnt\": \"a\"}\n]}";
    let run = run_with(&["check", "-"], robot);
    assert_eq!(run.code, 1);
    assert_snapshot!(run.stdout);
}

#[test]
fn eval_of_a_number_a_vector_and_matrices() {
    let state = r#"{"q": [0, 0.7853981633974483, 3.141592653589793, 0, 0.7853981633974483, 0]}"#;
    assert_snapshot!(shown(&[
        "eval",
        "puma560",
        "--state",
        state,
        "--quantity",
        "potential_energy,gravity,mass_matrix,pose:tool"
    ]));
}

#[test]
fn eval_of_a_tensor_and_a_regressor_at_two_states() {
    let states = r#"[{"q": [0.5, -1]}, {"q": [0, 1], "qd": [1, 1]}]"#;
    assert_snapshot!(shown(&[
        "eval",
        "planar2r",
        "--state",
        states,
        "--quantity",
        "mass_matrix_dq,regressor,jacobian:tool"
    ]));
}

#[test]
fn error_in_a_state() {
    let run = run(&["eval", "planar2r", "--state", r#"{"q": [0, 0, 0], "qdot": [1, 1]}"#, "--quantity", "com"]);
    assert_snapshot!(run.stderr);
}

#[test]
fn error_without_a_place() {
    assert_snapshot!(run(&["info", "pume560"]).stderr);
}

#[test]
fn warnings_of_a_robot_are_counted_unless_quiet() {
    let robot = r#"{"name": "r", "link": [{"name": "a", "mass": 1, "joint": {"type": "revolute"}}]}"#;
    let run = run_with(&["info", "-"], robot);
    assert_eq!(run.code, 0);
    assert_snapshot!(run.stderr);
    assert_eq!(run_with(&["info", "-", "--quiet"], robot).stderr, "");
}

#[test]
fn colours_follow_the_option() {
    assert!(!shown(&["info", "planar2r"]).contains('\u{1b}'));
    assert!(shown(&["info", "planar2r", "--color", "always"]).contains('\u{1b}'));
    assert!(!run(&["info", "pume560", "--color=never"]).stderr.contains('\u{1b}'));
}

#[test]
fn completions_and_manual_know_every_command() {
    let (bash, manual) = (shown(&["completions", "bash"]), shown(&["man"]));
    for command in ["robots", "info", "check", "eval", "quantities", "completions", "man"] {
        assert!(bash.contains(command) && manual.contains(command), "{command}");
    }
}

#[test]
fn manual_pages_of_all_commands_are_written_to_a_folder() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/man");
    shown(&["man", "--out", folder]);
    for page in ["jourdain.1", "jourdain-eval.1", "jourdain-check.1"] {
        assert!(std::path::Path::new(folder).join(page).is_file(), "{page}");
    }
}
