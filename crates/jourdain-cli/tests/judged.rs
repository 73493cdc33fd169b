//! `check` judges; every other command goes on with one line of warning, and `--strict` makes it refuse.

mod support;

use serde_json::json;
use support::{json, run, run_with};

const HEAVY: &str = "suite/bad/toml_negative_mass.toml";
const TRIANGLE: &str = "suite/bad/toml_inertia_triangle.toml";

/// A loop and a tendon, which a tree cannot carry, and a body that cannot be.
const LOOP: &str = r#"<mujoco model="loop">
  <worldbody>
    <body name="a">
      <joint name="j"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/>
      <body name="b" pos="0 0 1"><joint name="k"/><geom size=".1"/></body>
    </body>
  </worldbody>
  <equality><connect body1="b" body2="a" anchor="0 0 0"/></equality>
</mujoco>
"#;

#[test]
fn what_no_body_can_be_fails_the_check_and_nothing_else() {
    for (file, code) in [(HEAVY, "negative-mass"), (TRIANGLE, "inertia-triangle")] {
        let check = run(&["check", file, "--json"]);
        assert_eq!((check.code, &check.json()["ok"]), (1, &json!(false)));
        let found = check.json()["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .any(|found| found["severity"] == "error" && found["code"] == code && found["link"] == "arm");
        assert!(found, "{}", check.stdout);
        for command in [
            &["info"][..],
            &["eval", "--quantity", "M,tau,pose:arm", "--state", r#"{"q": [0.3]}"#],
            &["base-parameters"],
            &["derive", "--quantity", "M", "--target", "rust"],
        ] {
            let went_on = run(&[&command[..1], &[file], &command[1..]].concat());
            assert_eq!(went_on.code, 0, "{command:?}: {}", went_on.stderr);
            let lines: Vec<&str> = went_on.stderr.lines().filter(|line| line.starts_with("warning")).collect();
            assert_eq!(lines.len(), 1, "{command:?}: {}", went_on.stderr);
            assert!(lines[0].contains("`arm`") && lines[0].contains(&format!("`jourdain check {file}`")), "{lines:?}");

            let strict = run(&[&command[..1], &[file, "--strict"], &command[1..]].concat());
            assert_eq!((strict.code, strict.stdout.as_str()), (2, ""), "{command:?}");
            assert!(strict.stderr.contains(&format!("error[{code}]")), "{}", strict.stderr);
            let told = run(&[&command[..1], &[file, "--strict", "--json"], &command[1..]].concat());
            assert_eq!((told.code, &told.error()["kind"]), (2, &json!(code)), "{command:?}");
        }
    }
}

#[test]
fn warnings_travel_with_reports_that_are_data() {
    let info = json(&["info", TRIANGLE]);
    assert_eq!(info["warnings"].as_array().unwrap().len(), 1);
    assert!(info["warnings"][0].as_str().unwrap().starts_with("line 6: the principal moments of link `arm`"));
    let several = json(&["info", HEAVY]);
    assert!(several["warnings"][0].as_str().unwrap().contains("`arm`"), "{several}");
    assert!(several["warnings"][1].as_str().unwrap().contains("1 warning of another kind"), "{several}");
    let eval = run(&["eval", TRIANGLE, "--quantity", "M", "--state", r#"{"q": [0]}"#, "--json"]);
    assert_eq!(support::keys(&eval.json()), ["robot", "quantities"], "the form of eval is fixed");
    assert!(eval.stderr.contains("`arm`"));
    assert_eq!(json(&["info", "planar2r"]).get("warnings"), None);
}

#[test]
fn what_a_tree_cannot_carry_is_named_and_refused_if_asked() {
    let info = run_with(&["info", "-", "--json"], LOOP);
    let warnings = info.json()["warnings"].clone();
    assert!(warnings[0].as_str().unwrap().starts_with("line 5: the principal moments of link `a`"), "{warnings}");
    assert!(warnings[1].as_str().unwrap().starts_with("line 9: <connect>"), "{warnings}");
    let line = "warning: - has a link that cannot be as it is (`a`) and a part that cannot be carried (<connect> closes \
                a loop and is left out); `jourdain check -` shows them\n";
    assert_eq!((info.code, info.stderr.as_str()), (0, line));
    assert_eq!(run_with(&["info", "-", "--quiet"], LOOP).stderr, "");

    let strict = run_with(&["info", "-", "--strict"], LOOP);
    assert_eq!(strict.code, 2);
    assert!(strict.stderr.contains("error[not-carried]") && strict.stderr.contains("error[inertia-triangle]"));

    let only_lost = LOOP.replace("1 1 9", "1 1 1");
    assert_eq!(run_with(&["check", "-"], &only_lost).code, 0);
    assert_eq!(run_with(&["check", "-", "--strict"], &only_lost).code, 1);
}

#[test]
fn many_findings_of_a_kind_are_shown_as_one_and_told_one_by_one_to_programs() {
    let links: String = (0..28)
        .map(|number| {
            format!(
                "<link name=\"l{number}\"><inertial><mass value=\"1\" unit=\"kg\"/>\
        <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"{}\"/></inertial></link>\n",
                if number % 9 == 0 { 3 } else { 1 }
            )
        })
        .collect();
    let joints: String = (1..28)
        .map(|number| {
            format!(
                "<joint name=\"j{number}\" type=\"continuous\"><parent link=\"l{}\"/>\
        <child link=\"l{number}\"/></joint>\n",
                number - 1
            )
        })
        .collect();
    let robot = format!("<robot name=\"r\">\n{links}{joints}</robot>");
    let check = run_with(&["check", "-"], &robot);
    assert_eq!(check.code, 1);
    let shown = |text: &str| check.stdout.matches(text).count();
    assert_eq!(
        (shown("warning[unknown-attribute]"), shown("28 links: <mass> has no attribute `unit`")),
        (1, 1),
        "{}",
        check.stdout
    );
    assert_eq!(
        (shown("error[inertia-triangle]"), shown("4 links: the principal moments of link `l0`")),
        (1, 1),
        "{}",
        check.stdout
    );
    assert!(check.stdout.contains("the other links: `l9`, `l18`, `l27`"));
    assert!(check.stdout.ends_with("4 errors, 28 warnings\n"), "{}", check.stdout);
    let data = run_with(&["check", "-", "--json"], &robot).json();
    assert_eq!(data["diagnostics"].as_array().unwrap().len(), 32);
    let refused = run_with(&["info", "-", "--strict"], &robot);
    assert_eq!(refused.stderr.matches("error[inertia-triangle]").count(), 1);
}

#[test]
fn what_leaves_no_robot_is_the_error_even_behind_a_hundred_impossible_links() {
    let links: String = (0..150).map(|number| format!("[[link]]\nname = \"l{number}\"\nmass = -1\n")).collect();
    let robot = format!("name = \"r\"\n{links}joint = {{ type = \"revolute\", axis = [0, 0, 0], limits = [-1, 1] }}\n");
    let refused = run_with(&["info", "-", "--json"], &robot);
    assert_eq!((refused.code, &refused.error()["kind"]), (2, &json!("zero-axis")));
    let sound = robot.replace("axis = [0, 0, 0]", "axis = [0, 0, 1]");
    assert_eq!(run_with(&["info", "-"], &sound).code, 0);
    assert_eq!(run_with(&["info", "-", "--strict"], &sound).code, 2);
}

#[test]
fn a_robot_without_a_name_is_called_as_its_file() {
    assert_eq!(json(&["info", "suite/bad/warn_robot_without_name.urdf"])["name"], "warn_robot_without_name");
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/bad/warn_robot_without_name.toml"))
            .unwrap();
    assert_eq!(run_with(&["info", "-", "--json"], &text).json()["name"], "robot");
}
