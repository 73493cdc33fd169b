//! Targets, tasks and paths.

use super::{carried_out, file, finding, refused, say, told, with};
use jourdain_kit::files::Memory;
use jourdain_kit::operation;
use serde_json::{Value, json};

const TARGETS: &str = "a target is a 4x4 pose, [x, y, z], [x, y], or {\"position\", \"quaternion\" (w, x, y, z) | \"rpy\" | \"rotation\" | \"direction\"}";

#[test]
fn targets_and_tasks_that_make_no_sense_are_refused_in_words() {
    for (extra, kind, message, hint) in [
        (json!({ "chance": 0.0 }), "usage", "--chance 0 is no chance above zero", ""),
        (json!({ "starts": 0 }), "usage", "there must be at least one start and one iteration", ""),
        (json!({ "iterations": 0 }), "usage", "there must be at least one start and one iteration", ""),
        (json!({ "axis": "0,1" }), "usage", "--axis needs three numbers, as in 0,0,1", ""),
        (json!({ "length": 0.0 }), "usage", "the task has no row, or a weight or the length is out of range", ""),
        (json!({ "target": r#"{"rotation": [[1, 0], [0, 1]]}"# }), "bad-target", "a rotation is a 3x3 matrix", TARGETS),
        (json!({ "target": r#"{"rotation": 1}"# }), "bad-target", "`rotation` must be a 3x3 matrix", TARGETS),
        (json!({ "target": "{}" }), "bad-target", "neither position nor orientation is given", TARGETS),
        (json!({ "target": "[1, 0, 0, 0, 0, 0, 0]" }), "bad-target", "the quaternion has no length", TARGETS),
        (
            json!({ "target": "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]" }),
            "bad-target",
            "the last row of a pose is 0, 0, 0, 1",
            TARGETS,
        ),
        (
            json!({ "criterion": "home", "weights": "[1, 2]" }),
            "wrong-length",
            "--weights has 2 numbers, but the robot needs 7",
            "",
        ),
    ] {
        let request = with(json!({ "robot": "panda", "target": "[0.5, 0.2, 0.4]" }), &extra);
        assert_eq!(refused("ik", &request, &Memory::default()), [kind, message, hint], "{extra}");
    }
    for (obstacles, samples, kind, message) in [
        ("{}", 5, "bad-obstacle", "--obstacles is not a list"),
        (r#"[{"center": [0, 0, 0]}]"#, 5, "bad-obstacle", "obstacle 0: `radii` must be a number or three"),
        (r#"[{"radii": 1}]"#, 5, "bad-obstacle", "obstacle 0: `center` must be three numbers"),
        (
            r#"[{"center": [0, 0, 0], "radii": 1, "exponent": []}]"#,
            5,
            "bad-obstacle",
            "obstacle 0: `exponent` must be a number",
        ),
        (
            r#"[{"center": [0, 0, 9], "radii": [1, 2, 3]}, {"center": [0, 0, 0], "radii": -1}]"#,
            5,
            "bad-obstacle",
            "obstacle 1: radii must be positive and the exponent at least 2",
        ),
        (r#"[{"center": [0, 0, 0], "radii": 1}]"#, 0, "usage", "0 points per link cannot be taken"),
    ] {
        let request = json!({ "robot": "panda", "target": "[0.5, 0.2, 0.4]", "criterion": "obstacles", "obstacles": obstacles,
            "samples": samples });
        assert_eq!(refused("ik", &request, &Memory::default())[..2], [kind, message], "{obstacles}");
    }
    let still = json!({ "robot": "name = \"rock\"\n[[link]]\nname = \"stone\"\nmass = 1\n", "target": "[0, 0, 0]" });
    let expected = ["immobile-link", "no joint moves a link of `rock`", "name the link to place: --link LINK"];
    assert_eq!(refused("ik", &still, &Memory::default()), expected);
}

const CHANG: &str = "[-0.7068688, 2.4720983, 1.3686331]";

#[test]
fn many_targets_are_a_table_of_what_came_of_each() {
    let memory = Memory::default();
    let request = |extra: &Value| {
        with(json!({ "robot": "planar3r_chang", "target": "[[0.446004, 0.091514], [2, 2]]", "plot": "a.svg" }), extra)
    };
    let all = told("ik", &with(request(&json!({})), &json!({ "all": true, "plot": null })), &memory);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines[0], "planar3r_chang, tool: 2 targets");
    assert_eq!(lines[2..].iter().filter(|line| line.trim_start().starts_with("0       solved ")).count(), 8, "{all}");
    let words: Vec<&str> = lines[10].split_whitespace().collect();
    assert_eq!((words, lines.len()), (vec!["1", "none", "-"], 11));
    // A method that starts where it is told to does so for every target.
    for (extra, status) in [(json!({}), "solved"), (json!({ "method": "chang", "start": CHANG }), "solved")] {
        let text = told("ik", &request(&extra), &memory);
        let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!((words[2][..2].to_vec(), words[3][..2].to_vec()), (vec!["0", status], vec!["1", "unreachable"]));
        let svg = file(&memory, "a.svg");
        assert_eq!(finding(&svg), "planar3r_chang · tool to 2 targets: 1 of 2 reached", "{extra}");
    }
}

#[test]
fn drawings_of_postures_say_what_was_reached_and_how() {
    let memory = Memory::default();
    let chang = |extra: &Value| with(json!({ "robot": "planar3r_chang", "target": "[0.446004, 0.091514]" }), extra);
    let panda = |extra: &Value| {
        with(json!({ "robot": "panda", "target": r#"{"direction": [0, 0, -1]}"#, "chance": 0.5 }), extra)
    };
    for (request, says) in [
        (
            chang(&json!({ "method": "chang", "start": "[0.06, 2.36, 3.0]" })),
            "but not as an optimum of the kind asked for",
        ),
        (chang(&json!({ "target": "[1.65, 0]", "start": "[1.5707963, 0, 0]" })), ", in a singular posture"),
        (panda(&json!({})), "panda · tool to a direction: reached, "),
        (panda(&json!({})), ", with link4 at its limit"),
        (
            panda(
                &json!({ "target": "[0.5, 0.2, 0.4]", "criterion": "home", "home": "[5, 5, 5, 5, 5, 5, 5]", "chance": 0.3 }),
            ),
            ", with link2, link5, link6, link7 at their limits",
        ),
        (
            panda(&json!({ "target": r#"{"position": [0.4, 0.1, 0.4], "direction": [0, 0, -1]}"# })),
            "tool to (0.400, 0.100, 0.400) m: reached",
        ),
    ] {
        operation::handle("ik", with(request.clone(), &json!({ "plot": "a.svg" })), &memory).unwrap();
        let svg = file(&memory, "a.svg");
        assert!(finding(&svg).contains(says), "{request}: {}", finding(&svg));
    }
}

/// The integration of Chang's square and his equations at every point are the same way.
#[test]
fn equations_solved_point_by_point_follow_a_path() {
    let points = "[[0.446004, 0.091514], [0.5, 0.1], [0.6, 0.1]]";
    let request = |method: &str| json!({ "robot": "planar3r_chang", "path": points, "start": CHANG, "method": method });
    let found = |method: &str| {
        let report = carried_out("ik-path", &request(method), &Memory::default()).to_json().unwrap();
        (0..3).map(|i| report["points"][i]["q"].as_array().unwrap().clone()).collect::<Vec<_>>().concat()
    };
    let newton = found("newton");
    for method in ["chang", "extended-jacobian"] {
        for (own, known) in found(method).iter().zip(&newton) {
            assert!((own.as_f64().unwrap() - known.as_f64().unwrap()).abs() < 1e-9, "{method}: {own} and {known}");
        }
    }
    let text = told("ik-path", &request("chang"), &Memory::default());
    assert!(text.starts_with("planar3r_chang, tool: 3 points\nstatus                3 solved\n"), "{text}");
}

/// Both links half a metre long; the shoulder turns by 0.7 rad to either side.
const NARROW: &str = "name = \"narrow\"\n\
     [[link]]\nname = \"upper\"\nmass = 1\njoint = { type = \"revolute\", limits = [-0.7, 0.7] }\n\
     [[link]]\nname = \"fore\"\nmass = 1\norigin = { xyz = [0.5, 0, 0] }\njoint = { type = \"revolute\", limits = [-3, 3] }\n\
     [[link]]\nname = \"tool\"\norigin = { xyz = [0.5, 0, 0] }\njoint = { type = \"fixed\" }\n";

/// At the radius cos 0.6 m the shoulder stands 0.6 rad to one side of the hand, so that it has to change sides on the way.
#[test]
fn a_path_that_one_side_cannot_follow_jumps_to_the_other_where_it_must() {
    let arc = |angles: &[i32]| {
        let point = |step: &i32| {
            let (sin, cos) = (0.04 * f64::from(*step)).sin_cos();
            [0.6_f64.cos() * cos, 0.6_f64.cos() * sin]
        };
        serde_json::to_string(&angles.iter().map(point).collect::<Vec<_>>()).unwrap()
    };
    let memory = Memory::default();
    let there: Vec<i32> = (-10..=10).rev().collect();
    let back: Vec<i32> = there.iter().copied().chain(-9..=10).collect();
    for (angles, jumps) in [(there, ", 1 jump"), (back, ", 2 jumps")] {
        let request = json!({ "robot": NARROW, "path": arc(&angles), "criterion": "none", "start": "[-0.2, 1.2]", "plot": "a.svg" });
        let report = carried_out("ik-path", &request, &memory).to_json().unwrap();
        let first = &report["events"].as_array().unwrap().iter().find(|event| event["kind"] == "jump").unwrap()["to"];
        // At -0.08 rad the shoulder is at -0.68, at -0.12 it would be at -0.72.
        assert_eq!(first, 13, "{}", report["events"]);
        let text = told("ik-path", &request, &memory);
        assert!(text.contains("\njump between points 12 and 13"), "{text}");
        let says = format!("narrow · tool along a path of {0} points: all {0} points reached{jumps}", angles.len());
        assert!(finding(&file(&memory, "a.svg")).starts_with(&says), "{}", finding(&file(&memory, "a.svg")));
    }
}

#[test]
fn what_happens_along_a_path_is_told_with_its_place() {
    let far = "[[0.8, 0.3], [0.05, 0], [-0.05, 0], [0.9, 0], [0.2, -0.1]]";
    let limits = "[[0.5, 0.3, 0.4], [-0.4, 0.1, 0.3], [0.5, -0.3, 0.2], [0.3, 0, 0.9], [0.3, 0.1, 0.2]]";
    say(&[
        (
            "ik-path",
            json!({ "robot": "planar2r", "link": "tool", "path": far }),
            &["\nunreachable from point 1 to 2\nsingular at point 3"],
        ),
        (
            "ik-path",
            json!({ "robot": "panda", "criterion": "mid-range", "path": limits }),
            &[
                "\nlimit-change between points 2 and 3: link1, link3 at a limit\n",
                "\nlimit-change between points 3 and 4: none at a limit",
            ],
        ),
    ]);
}
