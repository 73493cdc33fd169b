//! A robot whose names try everything: no operation lets them command a terminal, a page, LaTeX or a compiler.

use jourdain::model::harmless::is_harmful;
use jourdain_kit::files::Memory;
use jourdain_kit::operation;
use serde_json::{Value, json};

const ROBOT: &str = include_str!("../../../suite/trust/hostile.json");

/// Colours of our own are an escape, a bracket, numbers and the letter m.
fn without_colours(text: &str) -> String {
    jourdain_kit::text::style::plain(text)
}

fn assert_harmless(what: &str, text: &str) {
    let harmful = text.chars().find(|c| is_harmful(*c) && !matches!(c, '\n' | '\t'));
    assert!(harmful.is_none(), "{what} has {harmful:?}");
}

fn requests() -> Vec<(&'static str, Value)> {
    let robot = "hostile.json";
    let state = r#"{"q": [0.1, 0.2], "qd": [1, 2]}"#;
    let motion = r#"{"duration": 1, "joints": [{"polynomial": [0, 1]}, {"polynomial": [0, 0.5]}]}"#;
    let target = r#"{"position": [1.5, 0.3, 0.2]}"#;
    let mut all = vec![
        ("info", json!({ "robot": robot })),
        ("check", json!({ "robot": robot })),
        ("scene", json!({ "robot": robot })),
        ("base-parameters", json!({ "robot": robot })),
        ("eval", json!({ "robot": robot, "state": state, "quantity": ["gravity,mass_matrix,regressor"] })),
        (
            "eval",
            json!({ "robot": robot, "state": state, "quantity": ["gravity"], "format": "csv", "out": "eval.csv" }),
        ),
        (
            "simulate",
            json!({ "robot": robot, "duration": 0.02, "plot": "simulate.svg", "animate": "simulate.html", "out": "log.csv" }),
        ),
        (
            "elastic simulate",
            json!({ "robot": robot, "duration": 0.02, "plot": "elastic.svg", "animate": "elastic.svg.html" }),
        ),
        ("elastic linearise", json!({ "robot": robot })),
        (
            "trajectory",
            json!({ "robot": robot, "trajectory": motion, "quantity": ["gravity"], "plot": "trajectory.svg", "animate": "moving.svg" }),
        ),
        ("ik", json!({ "robot": robot, "target": target, "task": "position-xy", "starts": 3, "plot": "ik.svg" })),
        (
            "excite",
            json!({ "robot": robot, "starts": 1, "steps": 5, "plot": "excite.svg", "trajectory": "motion.json" }),
        ),
        ("identify", json!({ "robot": robot, "data": ["log.csv"], "report": "report.html", "plot": "identify.svg" })),
        // What is wrong is told of names as well.
        ("eval", json!({ "robot": robot, "state": r#"{"q": {"j\u001b[2J": 1}}"#, "quantity": ["gravity"] })),
        ("eval", json!({ "robot": robot, "state": state, "quantity": ["jacobian:\u{1b}[2J"] })),
        ("info", json!({ "robot": "\u{1b}[2J" })),
        ("info", json!({ "robot": "{\"name\": \"x\u{1b}[2J\u{202e}\", \"link\": [{\"nome\": 1}]}" })),
        ("info", json!({ "robot": robot, "lock": ["\u{1b}[2J=1"] })),
    ];
    for form in ["toml", "json", "urdf", "mjcf", "dh"] {
        all.push(("convert", json!({ "robot": robot, "to": form, "out": format!("robot.{form}") })));
        all.push(("convert", json!({ "robot": robot, "to": form })));
    }
    for target in ["c", "rust", "python", "matlab", "latex", "text"] {
        all.push((
            "derive",
            json!({ "robot": robot, "quantity": ["gravity,mass_matrix"], "target": target, "out": target }),
        ));
        all.push((
            "derive",
            json!({ "robot": robot, "quantity": ["gravity"], "target": target, "parameters": "symbolic" }),
        ));
    }
    all
}

#[test]
fn hostile_names_reach_no_terminal_page_or_program_raw() {
    let memory = Memory::default();
    memory.put("hostile.json", ROBOT.as_bytes());
    let mut done = 0;
    for (name, request) in requests() {
        let what = format!("{name} {request}");
        match operation::handle(name, request, &memory) {
            Ok(report) => {
                assert_harmless(&what, &without_colours(&report.text(false)));
                done += 1;
            }
            Err(problem) => {
                assert_ne!(problem.kind(), "internal", "{what}: {problem}");
                assert_harmless(&what, &without_colours(&problem.text()));
            }
        }
    }
    assert!(done >= 20, "only {done} operations took the robot");
    let files: Vec<String> = memory.names().into_iter().filter(|name| name != "hostile.json").collect();
    assert!(files.len() >= 20, "{files:?}");
    for file in files {
        let bytes = memory.get(&file).unwrap();
        let text = std::str::from_utf8(&bytes).unwrap();
        assert_harmless(&file, text);
        // Markup from names would begin so; scripts of our own pages say no such thing.
        let is_markup = [".html", ".svg", ".urdf", ".mjcf"].iter().any(|ending| file.ends_with(ending));
        assert!(!(is_markup && text.contains("<script>alert")), "{file} has a script out of a name");
        assert!(!(is_markup && text.contains("</script><script>")), "{file} has a script out of a name");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("#error")), "{file} has a line out of a name");
    }
}
