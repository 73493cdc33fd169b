//! Edits of robots on the command line: every command that takes a robot takes them, and what they do is told.

mod support;

use serde_json::{Value, json as value};
use support::{Scratch, flat, json, run, run_with};

const EDITS: [&str; 11] = [
    "only",
    "without",
    "tool",
    "floating",
    "fixed",
    "motor",
    "scale_inertia",
    "payload",
    "lock",
    "no_friction",
    "gravity",
];

/// A quantity of an edited robot at a state.
fn eval(robot: &str, edits: &[&str], state: &Value, quantity: &str) -> Vec<f64> {
    let state = state.to_string();
    let document = json(&[&["eval", robot, "--state", &state, "--quantity", quantity], edits].concat());
    flat(&document["quantities"][quantity])
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "{found:?}\n{expected:?}");
    }
}

/// Kind, message and hint of what is refused.
fn refused(arguments: &[&str]) -> [String; 3] {
    let run = run(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, 2, "{arguments:?}");
    let error = run.error();
    ["kind", "message", "hint"].map(|key| error[key].as_str().unwrap_or_default().to_owned())
}

#[test]
fn every_operation_on_a_robot_takes_every_edit() {
    let operations = json(&["schema"]);
    let names: Vec<&str> = operations.as_array().unwrap().iter().filter_map(|entry| entry["name"].as_str()).collect();
    let mut count = 0;
    for name in names {
        let request = json(&["schema", name])["request"]["properties"].clone();
        if request.get("robot").is_some() {
            assert!(EDITS.iter().all(|edit| request.get(edit).is_some()), "{name}: {request}");
            let help = run(&[&name.split(' ').collect::<Vec<_>>()[..], &["--help"]].concat()).stdout;
            assert!(help.contains("Edits of the robot:"), "{name}");
            count += 1;
        }
    }
    assert!(count >= 14, "{count}");
}

#[test]
fn info_says_what_was_edited() {
    let edits = ["--lock", "link4=pi/2", "--payload", "tool=1.5@0,0,0.1", "--gravity", "-1,0,-9"];
    let document = json(&[&["info", "panda"], &edits[..]].concat());
    let expected = [
        "1.5 kg added to link `tool` at 0 0 0.1 m",
        "joint `link4` locked at 1.5707963267948966 rad",
        "gravity -1 0 -9 m/s²",
    ];
    assert_eq!(document["edits"], value!(expected));
    assert_eq!((document["dof"].as_u64(), document["links"].as_array().map(Vec::len)), (Some(6), Some(8)));
    assert_eq!(json(&["info", "panda"]).get("edits"), None);
    let run = run(&[&["info", "panda"], &edits[..]].concat());
    for line in expected {
        assert!(run.stdout.contains(&format!("edited: {line}\n")), "{}", run.stdout);
    }
    assert!(run.stderr.contains(&format!("note: edited: {}", expected.join("; "))), "{}", run.stderr);
    assert!(run.stderr.contains("warning: joint `link4` is locked at"), "{}", run.stderr);
}

#[test]
fn numbers_of_an_edited_robot_are_those_of_the_robot() {
    let (q, qd, qdd) =
        ([0.3, -0.4, 0.5, 0.6, -0.7, 0.8], [0.1, 0.2, -0.3, 0.0, 0.5, 0.6], [1.0, 2.0, 3.0, 0.0, 5.0, 6.0]);
    let whole = value!({"q": q, "qd": qd, "qdd": qdd});
    let without = |x: &[f64]| x.iter().enumerate().filter(|(i, _)| *i != 3).map(|(_, x)| *x).collect::<Vec<_>>();
    let part = value!({"q": without(&q), "qd": without(&qd), "qdd": without(&qdd)});
    for method in ["recursive", "closed"] {
        let edits = ["--lock", "link4=0.6", "--method", method];
        let expected = without(&eval("puma560", &[], &whole, "inverse_dynamics"));
        assert_close(&eval("puma560", &edits, &part, "inverse_dynamics"), &expected);
        let pose = eval("puma560", &[], &whole, "pose:tool");
        assert_close(&eval("puma560", &edits, &part, "pose:tool"), &pose);
    }
    // Without weight there is no gravity; without friction, bias and M q̈ are all.
    assert_close(&eval("puma560", &["--gravity", "0,0,0"], &whole, "gravity"), &[0.0; 6]);
    let matrix = eval("puma560", &[], &whole, "mass_matrix");
    let smooth: Vec<f64> = eval("puma560", &[], &whole, "bias")
        .iter()
        .enumerate()
        .map(|(i, bias)| bias + (0..6).map(|j| matrix[6 * i + j] * qdd[j]).sum::<f64>())
        .collect();
    assert_close(&eval("puma560", &["--no-friction"], &whole, "inverse_dynamics"), &smooth);
}

#[test]
fn a_floating_robot_has_the_same_joints() {
    let state = value!({"q": [0.1, 0.2, 0.3, 0.4, 0.5]});
    let still = eval("suite/equivalent/tree5.urdf", &["--quiet"], &state, "mass_matrix");
    let state = value!({"q": [0, 0, 0, 1, 0, 0, 0, 0.1, 0.2, 0.3, 0.4, 0.5]});
    let floating = eval("suite/equivalent/tree5.urdf", &["--floating", "--quiet"], &state, "mass_matrix");
    let block: Vec<f64> = (0..25).map(|at| floating[11 * (6 + at / 5) + 6 + at % 5]).collect();
    assert_close(&block, &still);
    let document = json(&["info", "suite/equivalent/tree5.urdf", "--floating"]);
    let parts = |key: &str| -> Vec<String> {
        let parts = document[key].as_array().unwrap().iter();
        parts.map(|entry| entry["part"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(parts("coordinates")[..7], ["x", "y", "z", "qw", "qx", "qy", "qz"]);
    assert_eq!(parts("velocities")[..7], ["vx", "vy", "vz", "wx", "wy", "wz", ""]);
    let fixed = json(&["info", "suite/robots/floating7.toml", "--fixed"]);
    let own = json(&["info", "suite/robots/floating7.toml"]);
    assert_eq!(fixed["dof"].as_u64().map(|dof| dof + 6), own["dof"].as_u64());
}

#[test]
fn parts_of_a_robot_are_robots() {
    let tree = "humanoid25";
    let links = json(&["info", tree])["links"].clone();
    let last = links.as_array().unwrap().last().unwrap()["name"].as_str().unwrap().to_owned();
    let chain = json(&["info", tree, "--only", &last]);
    assert_eq!(chain["links"].as_array().unwrap().last().unwrap()["name"], value!(last));
    let less = json(&["info", tree, "--without", &last]);
    assert_eq!(less["links"].as_array().map(Vec::len), links.as_array().map(|links| links.len() - 1));
    let [kind, message, hint] = refused(&["info", tree, "--without", &last, "--payload", &format!("{last}=1")]);
    assert_eq!(kind, "unknown-link");
    assert!(message.starts_with(&format!("--payload {last}=1: there is no link")), "{message}");
    assert_eq!(hint, "--only or --without has taken it away");
}

#[test]
fn files_give_payloads_motors_and_tools() {
    let body = Scratch::with("payload.toml", "mass = 2\ncom = [0, 0, 0.1]\ninertia = [0.01, 0, 0, 0.02, 0, 0.015]\n");
    let inline = r#"tool={"mass": 2, "com": [0, 0, 0.1], "inertia": [0.01, 0, 0, 0.02, 0, 0.015]}"#;
    let state = value!({"q": [0.3, -0.4, 0.5, 0.6, -0.7, 0.8]});
    let by_file = format!("tool={}", body.0.display());
    let matrix = eval("puma560", &["--payload", &by_file], &state, "mass_matrix");
    assert_close(&eval("puma560", &["--payload", inline], &state, "mass_matrix"), &matrix);
    // A flange without a file of its own, and what is put on a tool.
    let hand = r#"{"name": "hand", "link": [{"name": "palm", "mass": 2, "com": [0, 0, 0.1], "inertia": [0.01, 0, 0, 0.02, 0, 0.015]}]}"#;
    let hand = Scratch::with("hand.json", hand);
    let mounted = ["--tool", hand.0.to_str().unwrap()];
    assert_close(&eval("puma560", &mounted, &state, "mass_matrix"), &matrix);
    let at_link = format!("{}@link6", hand.0.display());
    let heavy = ["--tool", &at_link, "--payload", "palm=1", "--scale-inertia", "palm=0.5"];
    let mass = |edits: &[&str]| json(&[&["info", "puma560"], edits].concat())["total_mass"].as_f64().unwrap();
    assert!((mass(&heavy) - mass(&[]) - 2.0).abs() < 1e-12);

    let motors = Scratch::with(
        "motors.toml",
        "[link1]\ninertia = 1e-4\nratio = 100\nstiffness = 9000\n[link2]\ninertia = 1e-4\nratio = 80\nstiffness = 8000\n",
    );
    let name = motors.0.to_str().unwrap();
    assert_eq!(run(&["elastic", "linearise", "planar2r", "--motor", name]).code, 0);
    assert_eq!(run(&["elastic", "linearise", "planar2r"]).code, 2);
    let inline = r#"{"link1": {"ratoi": 2}}"#;
    let [kind, _, hint] = refused(&["info", "planar2r", "--motor", inline]);
    assert_eq!((kind.as_str(), hint.as_str()), ("unknown-key", "did you mean `ratio`?"));
    let [kind, _, hint] = refused(&["info", "planar2r", "--motor", r#"{"lnik1": {"ratio": 2}}"#]);
    assert_eq!((kind.as_str(), hint.as_str()), ("unknown-joint", "did you mean `link1`?"));
    assert_eq!(run(&["info", "planar2r", "--motor", name, "--without", "link2"]).code, 0);
}

#[test]
fn the_edited_robot_is_the_one_that_is_judged() {
    let robot = r#"{"name": "bad", "link": [
        {"name": "good", "mass": 1, "inertia": [1, 0, 0, 1, 0, 1], "joint": {"type": "continuous"}},
        {"name": "flat", "mass": 1, "inertia": [1, 0, 0, 1, 0, -5], "joint": {"type": "continuous"}}]}"#;
    assert_eq!(run_with(&["check", "-"], robot).code, 1);
    assert_eq!(run_with(&["check", "-", "--without", "flat"], robot).code, 0);
    let run = run_with(&["check", "-", "--payload", "flat={\"mass\": 1, \"inertia\": [9, 0, 0, 9, 0, 9]}"], robot);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let run = run_with(&["check", "-", "--without", "flat", "--payload", "good=-3", "--json"], robot);
    assert_eq!((run.code, &run.json()["diagnostics"][0]["code"]), (1, &value!("negative-mass")));
}

#[test]
fn what_is_known_of_a_built_in_robot_is_no_news_when_it_is_edited() {
    let plain = json(&["info", "iiwa14"]);
    let loaded = json(&["info", "iiwa14", "--payload", "tool=2.5@0,0,0.1", "--gravity", "0,0,-9.81"]);
    assert_eq!((&plain["warnings"], &loaded["warnings"]), (&Value::Null, &Value::Null));
    assert!(json(&["info", "iiwa14", "--payload", "link7=-3"])["warnings"].is_array());
}

#[test]
fn generated_code_names_the_edits_in_its_command() {
    let folder = Scratch::new("edited-code");
    let arguments = [
        "derive",
        "planar2r",
        "--lock",
        "link2=0.5",
        "--gravity",
        "0,-9.81,0",
        "--quantity",
        "mass_matrix",
        "--target",
        "c",
    ];
    assert_eq!(run(&[&arguments[..], &["--out", folder.0.to_str().unwrap()]].concat()).code, 0);
    let texts =
        std::fs::read_dir(&folder.0).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let all: String = texts.collect();
    std::fs::remove_dir_all(&folder.0).unwrap();
    assert!(
        all.contains("jourdain derive planar2r --lock link2=0.5 --gravity=0,-9.81,0 --quantity mass_matrix"),
        "{all}"
    );
}

#[test]
fn what_cannot_be_edited_is_told_with_the_option_and_the_nearest_name() {
    for (arguments, kind, message, hint) in [
        (&["--lock", "lnik4"][..], "unknown-joint", "--lock lnik4: there is no joint `lnik4`", "did you mean `link4`?"),
        (&["--lock", "link4=up"], "bad-option", "--lock link4=up: `up` is no number", "--lock JOINT=0.5"),
        (&["--lock", "link4=1,2"], "wrong-length", "--lock link4=1,2: the joint `link4` has 1 number in q, not 2", ""),
        (&["--payload", "tool"], "bad-option", "--payload tool: there is no `=`", "LINK=MASS@X,Y,Z"),
        (&["--payload", "tol=1"], "unknown-link", "--payload tol=1: there is no link `tol`", "did you mean `tool`?"),
        (&["--payload", "tool=1@1,2"], "bad-option", "`1,2` is not three numbers", "LINK=MASS@X,Y,Z"),
        (&["--payload", "tool=no/such.toml"], "cannot-read", "cannot read the payload", "LINK=FILE"),
        (&["--only", "nobody"], "unknown-link", "--only nobody", "known here: link1"),
        (&["--tool", "nobody"], "unknown-robot", "`nobody` is neither", "jourdain robots"),
        (&["--tool", "scara@nobody"], "unknown-link", "--tool scara@nobody: there is no link", "known here"),
        (&["--gravity", "0,1"], "bad-option", "--gravity takes three numbers, not 2", "0,0,-9.81"),
        (&["--gravity", "0,0,nan"], "not-finite", "", ""),
        (&["--gravity", "0,0,1e40"], "number-too-large", "", ""),
        (&["--scale-inertia", "0"], "bad-factor", "--scale-inertia 0", ""),
        (&["--scale-inertia", "-2"], "bad-factor", "--scale-inertia -2", ""),
        (&["--scale-inertia", "link1=x"], "bad-option", "`x` is no number", ""),
        (&["--floating", "--fixed"], "usage", "cannot be used with", ""),
    ] {
        let [found, text, remedy] = refused(&[&["info", "puma560"], arguments].concat());
        assert_eq!(found, kind, "{arguments:?}: {text}");
        assert!(text.contains(message) && remedy.contains(hint), "{arguments:?}: {text} ({remedy})");
    }
    let [_, _, hint] = refused(&["info", "humanoid25", "--tool", "scara"]);
    assert!(hint.starts_with("--tool ROBOT@LINK with one of "), "{hint}");
    let [kind, _, hint] = refused(&["info", "suite/good/mimic_chain.toml", "--lock", FOLLOWER]);
    assert_eq!(kind, "locked-follower");
    assert!(hint.starts_with("--lock "), "{hint}");
}

/// A joint of `suite/good/mimic_chain.toml` that follows another.
const FOLLOWER: &str = "hand";
