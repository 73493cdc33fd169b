//! `jourdain flexible`: the documented forms, the stored cases through the command line, files, and bad input.

mod support;

use serde_json::{Value, json as value};
use std::path::PathBuf;
use support::{flat, json, keys, run, run_with};

const ARM: &str = "two_link_flexible";

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("jourdain-flexible-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn with(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn suite() -> Value {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/flexible_arm.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn error(arguments: &[&str]) -> (i32, Value) {
    let run = run(&[&["flexible"], arguments, &["--json"]].concat());
    (run.code, run.error())
}

fn close(found: &[f64], known: &[f64], tolerance: f64) {
    assert_eq!(found.len(), known.len());
    let scale = known.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    assert!(found.iter().zip(known).all(|(a, b)| (a - b).abs() <= tolerance * scale), "{found:?}\n{known:?}");
}

#[test]
fn documents_have_the_documented_forms() {
    let modes = json(&["flexible", "modes", ARM]);
    assert_eq!(keys(&modes), ["links"]);
    assert_eq!(keys(&modes["links"][1]), ["modes"]);
    let mode = &modes["links"][1]["modes"][1];
    assert_eq!(keys(mode), ["beta", "omega", "frequency_hz", "phi_e", "dphi_e", "v", "w"]);
    assert_eq!(format!("{:.2}", mode["frequency_hz"].as_f64().unwrap()), "15.91");
    let state = r#"{"q": [0, 1, 0.01, 0, 0.01, 0]}"#;
    let terms = json(&["flexible", "eval", ARM, "--state", state]);
    assert_eq!(keys(&terms), ["B", "h", "K", "D", "tip"]);
    assert_eq!((flat(&terms["B"]).len(), flat(&terms["K"]).len(), flat(&terms["tip"]).len()), (36, 36, 2));
    let list = json(&["flexible", "eval", ARM, "--state", &format!("[{state}, {state}]"), "--details"]);
    assert_eq!(list[1]["validity"][0]["name"], "delta11");
    let motion = json(&["flexible", "simulate", ARM, "--scenario", "fig5", "--duration", "0.1"]);
    assert_eq!(keys(&motion), ["steps", "duration", "method", "energy_drift", "momentum_drift", "final"]);
    assert_eq!((&motion["steps"], flat(&motion["final"]["q"]).len()), (&100.into(), 6));
    let linear = json(&["flexible", "linearise", ARM, "--at", "[0, 0]"]);
    assert_eq!((flat(&linear["A"]).len(), linear["poles"].as_array().unwrap().len()), (144, 12));
    assert!((linear["free_frequencies_hz"][0].as_f64().unwrap() - 1.419_868_727).abs() < 1e-8);
}

#[test]
fn stored_states_are_met_through_files() {
    let folder = Folder::new("states");
    let three = r#"
        name = "three"
        payload = { mass = 0.2, inertia = 0.001 }
        [[link]]
        length = 0.6
        density = 0.4
        rigidity = 6.0
        hub = { inertia = 0.08 }
        [[link]]
        length = 0.5
        density = 0.3
        rigidity = 3.0
        hub = { mass = 0.5, inertia = 0.04 }
        [[link]]
        length = 0.4
        density = 0.2
        rigidity = 1.5
        hub = { mass = 0.3, inertia = 0.02 }
    "#;
    let one = value!({
        "name": "one", "payload": {"mass": 0.25, "inertia": 0.002},
        "link": [{"length": 0.8, "density": 0.3, "rigidity": 2.5, "hub": {"inertia": 0.05}, "modes": 3,
                  "boundary": {"mass": 0.25, "inertia": 0.002, "mass_distance": 0.01}}],
    });
    let arms = [ARM.to_owned(), folder.with("one.json", &one.to_string()), folder.with("three.toml", three)];
    for (case, arm) in suite()["inertia"].as_array().unwrap().iter().zip(&arms) {
        let states: Vec<Value> =
            case["states"].as_array().unwrap().iter().map(|s| value!({"q": s["q"], "qd": s["qd"]})).collect();
        let file = folder.with("states.json", &Value::Array(states).to_string());
        let found = json(&["flexible", "eval", arm, "--state", &file]);
        for (found, known) in found.as_array().unwrap().iter().zip(case["states"].as_array().unwrap()) {
            close(&flat(&found["B"]), &flat(&known["B"]), 1e-11);
            close(&flat(&found["h"]), &flat(&known["h"]), 1e-11);
            close(&flat(&found["tip"]), &flat(&known["tip"]), 1e-11);
        }
    }
}

#[test]
fn stored_traces_are_met_through_scenarios_and_csv() {
    let folder = Folder::new("traces");
    for (trace, figure) in suite()["traces"].as_array().unwrap().iter().zip(["fig5", "fig6", "fig9"]) {
        let csv = folder.path("motion.csv");
        let scenario = value!({
            "q0": trace["q0"], "duration": 2.0, "step": 0.001,
            "torque": match trace["torque_switch_end"].as_array() {
                Some(times) => value!({"kind": "bang-bang", "amplitude": [0.2, 0.2], "switch": times[0], "end": times[1]}),
                None => value!({"kind": "none"}),
            },
        });
        let file = folder.with("scenario.json", &scenario.to_string());
        let given = json(&["flexible", "simulate", ARM, "--scenario", &file, "--out", &csv, "--every", "10"]);
        assert_eq!(given["final"], json(&["flexible", "simulate", ARM, "--scenario", figure])["final"]);
        let text = std::fs::read_to_string(&csv).unwrap();
        let heading: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        assert_eq!(
            heading[..7],
            ["t", "q[theta1]", "q[theta2]", "q[delta11]", "q[delta12]", "q[delta21]", "q[delta22]"]
        );
        let tip = heading.iter().position(|name| *name == "tip_x").unwrap();
        for (k, line) in text.lines().skip(1).enumerate() {
            let row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let known: Vec<f64> = ["theta", "delta", "tip"].iter().flat_map(|key| flat(&trace[key][k])).collect();
            let found = row[1..7].iter().chain(&row[tip..tip + 2]);
            assert!(found.zip(&known).all(|(a, b)| (a - b).abs() < 1e-8), "{figure} row {k}");
        }
    }
}

#[test]
fn plots_animations_and_equations_are_written() {
    let folder = Folder::new("files");
    let path = |name: &str| folder.path(name);
    json(&["flexible", "modes", ARM, "--plot", &path("modes.svg")]);
    json(&["flexible", "simulate", ARM, "--scenario", "fig9", "--plot", &path("motion.svg")]);
    json(&["flexible", "linearise", ARM, "--at", "[0, 1]", "--output", "tip_y", "--bode", &path("bode.svg")]);
    json(&["flexible", "animate", ARM, "--scenario", "fig5", "--duration", "0.5", "--out", &path("arm.svg")]);
    json(&["flexible", "animate", ARM, "--scenario", "fig5", "--duration", "0.5", "--out", &path("arm.html")]);
    for (name, parts) in [
        ("modes.svg", &["Link 1", "Link 2", "15.9 Hz"][..]),
        ("motion.svg", &["Deflections of link 1", "Deflections of link 2", "Joint angles", "Tip", "time (s)"]),
        ("bode.svg", &["Magnitude", "Phase", "frequency (Hz)"]),
        ("arm.svg", &["<animate", "repeatCount"]),
        ("arm.html", &["<!doctype html>", "id=\"movie\"", "true to scale"]),
    ] {
        let text = std::fs::read_to_string(path(name)).unwrap();
        assert!(parts.iter().all(|part| text.contains(part)), "{name}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
    }
    let text = run(&["flexible", "derive", ARM, "--quantity", "inertia"]);
    assert!(text.code == 0 && text.stdout.contains("cos(theta2)"), "{}", text.stdout);
    let latex = run(&["flexible", "derive", ARM, "--quantity", "velocity", "--target", "latex"]);
    assert!(latex.stdout.contains("\\dot{\\theta}_{2}"), "{}", latex.stdout);
    for (target, file) in
        [("c", "two_link_flexible.c"), ("rust", "two_link_flexible.rs"), ("python", "two_link_flexible.py")]
    {
        let folder = path(target);
        let document = json(&["flexible", "derive", ARM, "--target", target, "--out", &folder]);
        let files = document["files"].as_array().unwrap();
        assert!(files.iter().any(|name| name.as_str().unwrap().ends_with(file)), "{document}");
        assert!(document["quantities"]["inertia"]["operations"]["mul"].as_u64().unwrap() > 20);
    }
}

#[test]
fn tables_run_over_payloads_and_configurations() {
    let table = json(&["flexible", "modes", ARM, "--payload-scales", "0,1,2"]);
    let first: Vec<f64> = (0..3).map(|i| table["table"][i]["frequencies_hz"][1][1].as_f64().unwrap()).collect();
    close(&first, &[31.366_652, 15.914_513, 12.618_192], 1e-6);
    let table = json(&["flexible", "modes", ARM, "--configurations", "[[0, 0], [0, 3.141592653589793]]"]);
    close(&flat(&table["table"][0]["frequencies_hz"][0]), &[0.440_98, 1.985_85], 1e-5);
    let table = json(&[
        "flexible",
        "linearise",
        ARM,
        "--configurations",
        "[[0,0],[0,1.5707963267948966]]",
        "--payload-scales",
        "1,2",
    ]);
    assert_eq!(table["table"].as_array().unwrap().len(), 4);
    let kept = json(&[
        "flexible",
        "eval",
        ARM,
        "--payload",
        "0.2,0.001",
        "--keep-modes",
        "--state",
        r#"{"q": [0,0,0,0,0,0]}"#,
    ]);
    assert!(kept["B"][4][5].as_f64().unwrap().abs() > 1e-4);
}

#[test]
fn leaving_the_range_of_validity_is_an_unsolved_problem_with_a_diagnosis() {
    let scenario = r#"{"torque": {"kind": "bang-bang", "amplitude": [0.2, 0.2], "switch": 1.0, "end": 2.0}}"#;
    let (code, found) = error(&["simulate", ARM, "--scenario", scenario]);
    assert_eq!((code, &found["kind"]), (1, &"not-positive-definite".into()), "{found}");
    let message = found["message"].as_str().unwrap();
    assert!(message.contains("delta11") && message.contains("t = 1.2") && message.contains("between"), "{message}");
    let state = r#"{"q": [0, 1.5707963, 0.5, 0, 0, 0]}"#;
    let (code, found) = error(&["eval", ARM, "--state", state]);
    assert_eq!((code, &found["kind"]), (1, &"not-positive-definite".into()), "{found}");
    json(&["flexible", "eval", ARM, "--state", state, "--kinematics", "rotation"]);
    json(&["flexible", "simulate", ARM, "--scenario", scenario, "--kinematics", "rotation"]);
}

#[test]
fn bad_input_is_an_error_with_its_place() {
    let folder = Folder::new("bad");
    let link = "[[link]]\nlength = 0.5\ndensity = 0.2\nrigidity = 1.0\n";
    for (text, kind, line) in [
        ("name = \"a\"\n[[link]]\nlength = 0.5\ndensity = 0\nrigidity = 1.0\n".to_owned(), "not-positive", 4),
        ("name = \"a\"\n[[link]]\nlength = -0.5\ndensity = 1\nrigidity = 1.0\n".to_owned(), "not-positive", 3),
        ("name = \"a\"\n[[link]]\nlength = 0.5\ndensity = 1\nrigidity = 0\n".to_owned(), "not-positive", 5),
        (format!("name = \"a\"\n{link}modes = -1\n"), "bad-count", 6),
        (format!("name = \"a\"\n{link}modes = 1.5\n"), "bad-count", 6),
        (format!("name = \"a\"\n{link}damping = [0.1]\n"), "wrong-length", 6),
        (format!("name = \"a\"\n{link}mode = 2\n"), "unknown-key", 6),
        (format!("name = \"a\"\nkinematics = \"bent\"\n{link}"), "unknown-kinematics", 2),
        (
            format!("name = \"a\"\n{link}boundary = {{ mass = 1, inertia = 1, mass_distance = 2 }}\n"),
            "impossible-boundary",
            6,
        ),
        ("name = \"a\"\n".to_owned(), "missing-key", 1),
        ("name = [\n".to_owned(), "syntax-error", 0),
    ] {
        let file = folder.with("arm.toml", &text);
        let (code, found) = error(&["modes", &file]);
        assert_eq!((code, &found["kind"]), (2, &kind.into()), "{text}: {found}");
        assert!(line == 0 || found["line"] == line, "{text}: {found}");
    }
    for (arguments, kind) in [
        (&["modes", "two_link_flexibel"][..], "unknown-arm"),
        (&["modes", "no/such/arm.toml"], "cannot-read"),
        (&["eval", ARM, "--state", r#"{"q": [0, 0]}"#], "wrong-length"),
        (&["eval", ARM, "--state", r#"{"qd": [0, 0, 0, 0, 0, 0]}"#], "missing-key"),
        (&["simulate", ARM, "--scenario", "fig11"], "cannot-read"),
        (&["simulate", ARM, "--scenario", r#"{"q0": [1]}"#], "wrong-length"),
        (&["simulate", ARM, "--scenario", r#"{"torque": {"kind": "strong"}}"#], "unknown-torque"),
        (&["simulate", ARM, "--scenario", r#"{"torque": {"kind": "constant", "amplitude": [1]}}"#], "wrong-length"),
        (&["simulate", ARM, "--step", "0"], "bad-option"),
        (&["simulate", ARM, "--duration", "inf"], "bad-option"),
        (&["linearise", ARM, "--at", "[0]"], "wrong-length"),
        (&["linearise", ARM, "--output", "nose"], "bad-option"),
        (&["linearise", ARM, "--input", "3"], "bad-option"),
        (&["animate", ARM, "--out", "arm.mp4"], "usage"),
        (&["animate", ARM, "--out", "arm.gif"], "nothing-moves"),
        (&["simulate", ARM, "--scenario", "fig5", "--animate", "arm.gif", "--magnify", "-1"], "usage"),
        (&["modes", ARM, "--payload", "-1"], "bad-option"),
        (&["eval", "-", "--state", "-"], "usage"),
    ] {
        let (code, found) = error(arguments);
        assert_eq!((code, &found["kind"]), (2, &kind.into()), "{arguments:?}: {found}");
    }
    let rigid = r#"{"name": "rigid", "link": [{"length": 1, "density": 1, "rigidity": 1, "modes": 0}]}"#;
    let found = run_with(&["flexible", "eval", "-", "--state", r#"{"q": [0.3]}"#, "--json"], rigid).json();
    close(&flat(&found["B"]), &[1.0 / 3.0], 1e-15);
}

fn corner(name: &str) -> String {
    format!("{}/../../suite/corners/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn warnings(document: &Value) -> String {
    document["warnings"].as_array().map(|list| format!("{list:?}")).unwrap_or_default()
}

#[test]
fn spin_stiffens_and_kinematics_without_it_say_so() {
    let beam = corner("spinning_beam.json");
    let at = |kinematics: &str| json(&["flexible", "linearise", &beam, "--kinematics", kinematics, "--spin", "[10]"]);
    for kinematics in ["stiffened", "exact"] {
        let found = at(kinematics);
        // 2.28 Hz by finite elements; see `accuracy`.
        assert!((found["locked_frequencies_hz"][0].as_f64().unwrap() - 2.28).abs() < 0.01, "{found}");
        assert_eq!((&found["locked_stability"], &found["spin"]), (&"stable".into(), &value!([10.0])));
        assert!(warnings(&found).is_empty() && found["locked_errors"][0].as_f64().unwrap() < 0.01, "{found}");
    }
    for kinematics in ["linear", "rotation"] {
        assert!(warnings(&at(kinematics)).contains("`stiffened`"));
    }
    assert!(warnings(&json(&["flexible", "linearise", &beam])).is_empty());
    let (code, found) = error(&["linearise", &beam, "--spin", "[1, 2]"]);
    assert_eq!((code, &found["kind"]), (2, &"wrong-length".into()));
    let unsteady = json(&["flexible", "linearise", ARM, "--kinematics", "stiffened", "--spin", "[0, 1]"]);
    assert!(warnings(&unsteady).contains("not steady"));
}

#[test]
fn a_buckled_column_is_unstable_and_said_to_be() {
    let column = corner("buckling_column.json");
    let at =
        |kinematics: &str| json(&["flexible", "linearise", &column, "--at", "[1.5707963]", "--kinematics", kinematics]);
    for kinematics in ["stiffened", "exact"] {
        let found = at(kinematics);
        assert!(found["locked_squares"][0].as_f64().unwrap() < 0.0, "{found}");
        assert_eq!((&found["locked_stability"], &found["free_stability"]), (&"unstable".into(), &"unstable".into()));
        assert_eq!(found["locked_frequencies_hz"].as_array().unwrap().len(), 2);
    }
    assert!(warnings(&at("paper")).contains("buckles"));
    let text = run(&["flexible", "linearise", &column, "--at", "[1.5707963]", "--kinematics", "stiffened"]).stdout;
    assert!(text.contains("unstable") && text.contains("buckles"), "{text}");
    // Hanging, the same load stiffens it.
    let hanging = json(&["flexible", "linearise", &column, "--at", "[-1.5707963]", "--kinematics", "stiffened"]);
    assert_eq!(hanging["locked_stability"], "stable");
}

#[test]
fn bending_out_of_range_ends_a_run_with_what_was_reached() {
    let (folder, beam) = (Folder::new("range"), corner("spinning_beam.json"));
    let csv = folder.path("reached.csv");
    let scenario = r#"{"q0": [0, 0.001, 0], "qd0": [20, 0, 0], "duration": 3}"#;
    let rotation = ["simulate", &beam, "--kinematics", "rotation", "-s", scenario, "--out", &csv];
    let (code, found) = error(&rotation);
    assert_eq!((code, &found["kind"]), (1, &"out-of-range".into()), "{found}");
    let message = found["message"].as_str().unwrap();
    assert!(["at t = ", "link 1", "rad", "`rotation`"].iter().all(|part| message.contains(part)), "{message}");
    assert!(found["hint"].as_str().unwrap().contains("stiffened"), "{found}");
    let rows = std::fs::read_to_string(&csv).unwrap();
    let last: f64 = rows.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(last > 0.1 && last < 3.0, "{last}");
    let all = [&["flexible"], &rotation[..], &["--beyond-validity"]].concat();
    assert!(warnings(&json(&all)).contains("beyond the"));
    let stiffened = ["flexible", "simulate", &beam, "--kinematics", "stiffened", "-s", scenario];
    let found = json(&stiffened);
    assert!(flat(&found["final"]["q"])[1].abs() < 0.002 && warnings(&found).is_empty(), "{found}");

    let soft = corner("soft_two_link.json");
    let (code, found) = error(&["linearise", &soft]);
    assert_eq!((code, &found["kind"]), (1, &"out-of-range".into()), "{found}");
    let beyond = json(&["flexible", "linearise", &soft, "--beyond-validity"]);
    assert!(warnings(&beyond).contains("link 1"), "{beyond}");
}

#[test]
fn runs_of_two_modes_run_with_three() {
    let three = corner("three_modes.toml");
    for figure in ["fig5", "fig6", "fig7", "fig8", "fig9", "fig10"] {
        let found = json(&["flexible", "simulate", ARM, "--scenario", figure]);
        assert_eq!(
            keys(&found),
            ["steps", "duration", "method", "energy_drift", "momentum_drift", "final"],
            "{figure}"
        );
        let found = json(&["flexible", "simulate", &three, "--scenario", figure, "--step", "0.0005"]);
        assert_eq!((flat(&found["final"]["q"]).len(), found["duration"].as_f64()), (8, Some(2.0)), "{figure}");
        assert!(found["energy_drift"].as_f64().unwrap() < 1e-3, "{figure}: {found}");
        let fell_back = warnings(&found).contains("`stiffened`");
        assert_eq!(fell_back, figure == "fig9", "{figure}: {found}");
    }
    // Asked for by name the paper's kinematics are not exchanged.
    let (code, found) = error(&["simulate", &three, "--scenario", "fig9", "--kinematics", "paper"]);
    assert_eq!((code, &found["kind"]), (1, &"not-positive-definite".into()), "{found}");
    let padded = r#"{"q0": [0, 1, 0.01, 0, 0.02, 0], "duration": 0.1}"#;
    assert_eq!(flat(&json(&["flexible", "simulate", &three, "-s", padded])["final"]["q"]).len(), 8);
    let one = value!({"name": "one", "link": [{"length": 1, "density": 1, "rigidity": 1, "hub": {"inertia": 1}}]});
    let found = run_with(&["flexible", "simulate", "-", "--scenario", "fig5", "--json"], &one.to_string());
    assert_eq!((found.code, &found.error()["kind"]), (2, &"wrong-length".into()));
}

#[test]
fn open_modes_are_as_many_as_frequencies_need() {
    let link = |modes: &str| format!("[[link]]\nlength = 0.5\ndensity = 0.2\nrigidity = 1.0\n{modes}");
    let arm = |modes: &str| {
        let (first, second) = ("hub = { inertia = 0.1 }\n", "hub = { mass = 1.0, inertia = 0.1 }\n");
        let head = "name = \"open\"\npayload = { mass = 0.1, inertia = 0.0005 }\n";
        format!("{head}{}{first}{}{second}", link(modes), link(modes))
    };
    let found = run_with(&["flexible", "linearise", "-", "--json"], &arm("")).json();
    // Linear finite elements, twenty per link.
    let known = [1.419_86, 2.647_34, 16.1170, 22.126];
    let free = flat(&found["free_frequencies_hz"]);
    assert_eq!(free.len(), 4);
    assert!(free.iter().zip(known).all(|(a, b)| (a / b - 1.0).abs() < 2e-3), "{free:?}");
    assert!(found["free_errors"].as_array().unwrap().iter().all(|error| error.as_f64().unwrap() <= 1e-3));
    // Two modes are two modes, and the error of the last is known.
    let stated = run_with(&["flexible", "linearise", "-", "--json"], &arm("modes = 2\n")).json();
    assert!((stated["free_frequencies_hz"][3].as_f64().unwrap() - 29.292).abs() < 0.01);
    assert!((stated["free_errors"][3].as_f64().unwrap() - 0.32).abs() < 0.02, "{stated}");
}

#[test]
fn every_operation_reads_an_arm_from_standard_input() {
    let folder = Folder::new("stdin");
    let text = std::fs::read_to_string(corner("three_modes.toml")).unwrap();
    let (state, out) = (r#"{"q": [0, 1, 0.01, 0, 0, 0, 0, 0]}"#, folder.path("arm.svg"));
    for arguments in [
        &["modes", "-"][..],
        &["modes", "-", "--payload-scales", "0,1"],
        &["eval", "-", "--state", state],
        &["simulate", "-", "--scenario", "fig5", "--duration", "0.02"],
        &["simulate", "-", "--scenario", "fig9", "--duration", "1.3"],
        &["linearise", "-"],
        &["linearise", "-", "--configurations", "[[0, 0], [0, 1]]"],
        &["derive", "-", "--quantity", "gravity"],
        &["animate", "-", "--scenario", "fig5", "--duration", "0.02", "--out", &out],
    ] {
        let found = run_with(&[&["flexible"], arguments, &["--json"]].concat(), &text);
        assert_eq!(found.code, 0, "{arguments:?}: {}{}", found.stdout, found.stderr);
    }
}

#[test]
fn exact_kinematics_are_for_numbers_and_stiffened_ones_for_formulas() {
    let (code, found) = error(&["derive", ARM, "--kinematics", "exact"]);
    assert_eq!((code, &found["kind"]), (2, &"cannot-derive".into()));
    assert!(found["hint"].as_str().unwrap().contains("stiffened"), "{found}");
    for target in ["text", "latex", "c", "rust", "python", "matlab"] {
        let found = json(&[
            "flexible",
            "derive",
            ARM,
            "--kinematics",
            "stiffened",
            "--target",
            target,
            "-Q",
            "inertia,velocity,tip",
        ]);
        assert!(found["text"].as_str().unwrap().len() > 100);
    }
    let state = r#"{"q": [0, 1, 0.05, 0, 0.05, 0]}"#;
    let [exact, stiffened] = ["exact", "stiffened"]
        .map(|kinematics| flat(&json(&["flexible", "eval", ARM, "--state", state, "--kinematics", kinematics])["tip"]));
    close(&exact, &stiffened, 1e-3);
}
