//! What the command says when something is wrong, to people and to programs.

mod support;

use std::io::Read as _;
use std::process::Stdio;
use support::{Scratch, command, run, run_with};

/// Exit code, kind and hint of a failure with `--json`; the exit code without it must be the same.
fn failure(arguments: &[&str]) -> (i32, String, String) {
    let plain = run(arguments);
    assert!(plain.stdout.is_empty(), "an error belongs on standard error: {}", plain.stdout);
    assert!(!plain.stderr.is_empty());
    let run = run(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, plain.code, "{arguments:?}");
    let error = run.error();
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    assert!(!text("message").is_empty());
    (run.code, text("kind"), text("hint"))
}

#[test]
fn bad_usage_is_told_with_exit_code_two() {
    for arguments in [
        &[][..],
        &["fly"],
        &["eval"],
        &["eval", "puma560"],
        &["info", "puma560", "--frobnicate"],
        &["completions", "cmd"],
    ] {
        let (code, kind, _) = failure(arguments);
        assert_eq!((code, kind.as_str()), (2, "usage"), "{arguments:?}");
    }
    let (_, _, hint) = failure(&["evaluate"]);
    assert_eq!(hint, "did you mean `eval`?");
}

/// The options are looked for even where the arguments cannot be understood.
#[test]
fn bad_usage_has_colours_where_they_are_asked_for() {
    for (arguments, coloured) in [
        (&["--color=always", "ik"][..], true),
        (&["--color", "always", "ik"], true),
        (&["--color=never", "ik"], false),
        (&["ik"], false),
        (&["ik", "--", "--color=always"], false),
    ] {
        let said = run(arguments);
        assert_eq!((said.code, said.stderr.contains("\u{1b}[")), (2, coloured), "{arguments:?}: {}", said.stderr);
    }
}

#[test]
fn a_manual_that_cannot_be_written_names_its_folder() {
    let file = Scratch::with("manual", "no folder");
    let folder = format!("{}/pages", file.path());
    let run = run(&["man", "--out", &folder, "--json"]);
    let error = run.error();
    assert_eq!((run.code, &error["kind"], &error["file"]), (2, &"cannot-write".into(), &folder.as_str().into()));
    assert!(error["message"].as_str().unwrap().starts_with("cannot write the manual: "), "{error}");
    assert_eq!(file.text(), "no folder");
}

#[test]
fn an_unknown_robot_is_met_with_the_nearest_name() {
    let expected = (2, "unknown-robot".to_owned(), "did you mean `puma560`?".to_owned());
    assert_eq!(failure(&["info", "pume560"]), expected);
    let (code, kind, hint) = failure(&["info", "quadcopter_of_doom"]);
    assert_eq!((code, kind.as_str()), (2, "unknown-robot"));
    assert!(hint.contains("jourdain robots"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    for command in ["info", "check"] {
        let run = run(&[command, "no/such/arm.urdf", "--json"]);
        assert_eq!(run.code, 2);
        assert_eq!(run.error()["kind"], "cannot-read");
        assert_eq!(run.error()["file"], "no/such/arm.urdf");
    }
    assert_eq!(failure(&["info", "README.md"]).1, "unknown-format");
}

#[test]
fn an_unknown_quantity_or_link_is_met_with_the_nearest_name() {
    let eval = |quantity| failure(&["eval", "puma560", "--state", r#"{"q": [0,0,0,0,0,0]}"#, "--quantity", quantity]);
    let fact = |kind: &str, hint: &str| (2, kind.to_owned(), hint.to_owned());
    assert_eq!(eval("mass_matrx"), fact("unknown-quantity", "did you mean `mass_matrix`?"));
    assert_eq!(eval("pose:tol"), fact("unknown-link", "did you mean `tool`?"));
    assert_eq!(eval("pose"), fact("link-missing", "write `pose:LINK`, such as `pose:tool`"));
    assert_eq!(eval("gravity:tool"), fact("link-unexpected", "write `gravity`"));
    assert_eq!(eval("gravity,,com").1, "unknown-quantity");
}

#[test]
fn a_bad_state_is_told_with_its_place_and_rule() {
    let cases = [
        (r#"{"qq": [0, 0]}"#, "unknown-key", 2, "`q`"),
        (r#"{"q": [0, 0, 0]}"#, "wrong-length", 7, "2 numbers"),
        (r#"{"q": [0, NaN]}"#, "syntax-error", 11, "JSON"),
        (r#"{"q": [0, 1e999]}"#, "not-finite", 11, "finite"),
        (r#"{"q": [0, "a"]}"#, "not-a-number", 11, "number"),
        (r#"{"q": 7}"#, "wrong-type", 7, "list"),
        (r#"{"q": [0, 0], "q": [0, 0]}"#, "duplicate-key", 15, "twice"),
        (r#"{"q": [0, 0], "wrenches": [{"link": "tol"}]}"#, "unknown-link", 37, "`tool`"),
        (r#"{"q": [0, 0], "wrenches": [{"force": [0, 0, 1]}]}"#, "missing-key", 28, "link"),
        (r#"{"q": [0, 0], "wrenches": [{"link": "tool", "force": [1]}]}"#, "wrong-length", 54, "3 numbers"),
    ];
    for (state, kind, column, word) in cases {
        let run = run(&["eval", "planar2r", "--state", state, "--quantity", "com", "--json"]);
        assert_eq!(run.code, 2, "{state}");
        let error = run.error();
        assert_eq!(error["kind"], kind, "{state}");
        assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(1), Some(column)), "{state}");
        assert!(format!("{} {}", error["message"], error["hint"]).contains(word), "{state}: {error}");
    }
}

#[test]
fn a_state_file_is_named_with_line_and_column() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/bad_state.json");
    std::fs::write(file, "{\n  \"q\": [0, 0],\n  \"dq\": [0, 0]\n}\n").unwrap();
    let run = run(&["eval", "planar2r", "--state", file, "--quantity", "com", "--json"]);
    let error = run.error();
    assert_eq!(
        (error["file"].as_str(), error["line"].as_u64(), error["column"].as_u64()),
        (Some(file), Some(3), Some(3))
    );
    assert_eq!(error["hint"], "did you mean `q`?");
}

#[test]
fn a_missing_position_is_an_error_and_missing_rates_are_zero() {
    let (code, kind, hint) = failure(&["eval", "planar2r", "--state", "{}", "--quantity", "gravity"]);
    assert_eq!((code, kind.as_str()), (2, "missing-position"));
    assert!(hint.contains("2 numbers"));
    let run = run(&["eval", "planar2r", "--state", r#"{"q": [0, 0]}"#, "--quantity", "kinetic_energy", "--json"]);
    assert_eq!(run.json()["quantities"]["kinetic_energy"], 0.0);
}

#[test]
fn a_result_that_is_not_finite_is_an_error() {
    let state = r#"{"q": [0, 1], "qd": [1e200, 1e200]}"#;
    assert_eq!(failure(&["eval", "planar2r", "--state", state, "--quantity", "inverse_dynamics"]).1, "not-finite");
}

#[test]
fn what_would_not_fit_in_memory_is_refused() {
    let link = |k| format!(r#"{{"name": "l{k}", "mass": 1, "joint": {{"type": "prismatic", "limits": [-1, 1]}}}}"#);
    let robot =
        |links| format!(r#"{{"name": "chain", "link": [{}]}}"#, (0..links).map(link).collect::<Vec<_>>().join(","));
    let arguments = ["eval", "-", "--state", "{}", "--quantity", "gravity", "--method", "closed", "--json"];
    assert_eq!(run_with(&arguments, &robot(1001)).error()["kind"], "too-large");
    let state = format!(r#"{{"q": [{}]}}"#, vec!["0"; 8200].join(","));
    let arguments = ["eval", "-", "--state", &state, "--quantity", "mass_matrix", "--json"];
    assert_eq!(run_with(&arguments, &robot(8200)).error()["kind"], "too-large");
    let state = format!(r#"{{"q": [{}]}}"#, vec!["0"; 700].join(","));
    let arguments = ["eval", "-", "--state", &state, "--quantity", "mass_matrix_dq", "--json"];
    assert_eq!(run_with(&arguments, &robot(700)).error()["kind"], "too-large");
}

#[test]
fn in_a_list_the_state_at_fault_is_named() {
    let states = r#"[{"q": [0, 1]}, {"q": [0, 1], "qd": [1e200, 1e200]}]"#;
    let run = run(&["eval", "planar2r", "--state", states, "--quantity", "inverse_dynamics", "--json"]);
    assert!(run.error()["message"].as_str().unwrap().starts_with("state 1: "));
}

#[test]
fn a_bad_robot_is_bad_input_with_its_place() {
    let run = run_with(&["info", "-", "--json"], "{\"name\": \"r\",\n \"lnk\": []}");
    assert_eq!(run.code, 2);
    let error = run.error();
    assert_eq!((&error["file"], &error["line"], &error["column"]), (&"-".into(), &2.into(), &2.into()));
    assert_eq!(run_with(&["info", "-", "--json"], "\u{0}").error()["kind"], "syntax-error");
}

#[test]
fn robot_and_state_cannot_both_be_standard_input() {
    assert_eq!(failure(&["eval", "-", "--state", "-", "--quantity", "com"]).1, "usage");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in [&["quantities"][..], &["completions", "bash"], &["robots", "--json"]] {
        let mut child = command(arguments).stdin(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}
