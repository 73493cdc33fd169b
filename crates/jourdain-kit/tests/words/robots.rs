//! Robots and arms: names of states, special angles, springs that are not there, what cannot be expanded.

use super::{Remarks, carried_out, corner, file, refused, say, told, with};
use jourdain_kit::files::Memory;
use jourdain_kit::host::{Files, NoFiles};
use jourdain_kit::operation;
use serde_json::{Value, json};

const NAMED: &str = "name = \"arm\"\ngravity = [0, -10, 0]\n\
     [[link]]\nname = \"one\"\nmass = 2\ncom = [0.5, 0, 0]\njoint = { type = \"revolute\" }\n\
     [[state]]\nname = \"level\"\nq = { one = 0 }\n[[state]]\nname = \"upright\"\nq = { one = 1.5707963267948966 }\n";

#[test]
fn states_that_a_robot_file_names_stand_for_their_positions() {
    let torque = |state: &str| {
        let request = json!({ "robot": NAMED, "state": state, "quantity": ["gravity"] });
        let report = carried_out("eval", &request, &Memory::default()).to_json().unwrap();
        report["quantities"]["gravity"][0].as_f64().unwrap()
    };
    // 2 kg at half a metre.
    assert_eq!(torque("level"), 10.0);
    assert!(torque("upright").abs() < 1e-14);
    let request = json!({ "robot": NAMED, "state": "bent", "quantity": ["gravity"] });
    let [kind, _, hint] = refused("eval", &request, &Memory::default());
    assert_eq!(kind, "cannot-read");
    assert!(hint.starts_with("the states of arm are level, upright; a state is a JSON file, "), "{hint}");
    let reached =
        json!({ "robot": NAMED, "target": "{\"rpy\": [0, 0, 1.57]}", "start": "upright", "criterion": "none" });
    let report = carried_out("ik", &reached, &Memory::default()).to_json().unwrap();
    assert_eq!(
        (&report["status"], report["q"][0].as_f64().map(|q| (q - 1.57).abs() < 1e-9)),
        (&json!("solved"), Some(true))
    );
}

#[test]
fn angles_that_are_taken_as_special_ones_are_remarked() {
    let remarks = Remarks::default();
    let request =
        json!({ "robot": corner("near_axis.json"), "quantity": ["base_regressor"], "target": "c", "snap": 0.01 });
    let report = operation::handle("derive", request, &remarks).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(report.text(false).contains("--snap 0.01"), "the command in the heading is the one that was given");
    let expected = "for base parameters 1 values of the robot are taken as special ones within 1e-2 rad, which changes torques by up to \
                    1.5e-3 N m, 1.9e-4 of the largest; `jourdain base-parameters` lists them, --snap 0 takes none";
    assert!(remarks.heard().iter().any(|said| said == expected), "{:?}", remarks.heard());
}

#[test]
fn generated_code_has_the_parameters_and_the_simplification_that_were_asked_for() {
    let text = |extra: Value| {
        let request = with(json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c" }), &extra);
        told("derive", &request, &Memory::default())
    };
    assert!(text(json!({ "parameters": "base" })).contains(" --parameters base\n"));
    let plain = text(json!({ "simplify": 0 }));
    assert!(plain.contains(" --simplify 0\n") && plain.contains("planar2r_gravity("), "{plain}");
}

#[test]
fn drives_that_give_too_little_are_named() {
    let remarks = Remarks { memory: Some(Memory::default()), ..Remarks::default() };
    let request = json!({ "robot": "planar2r_elastic", "samples": 5, "gravity": [0, -98, 0], "plot": "a.svg" });
    operation::handle("elastic inverse", request, &remarks).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(
        remarks.heard()[remarks.heard().len() - 2..],
        ["`link1` needs 227.964, beyond its effort of 100", "`link2` needs 57.7456, beyond its effort of 50"]
    );
    let svg = file(remarks.memory.as_ref().unwrap(), "a.svg");
    assert!(svg.contains(" exceeds what its drive can give after "), "{:.600}", svg);
}

/// One rigid link.
const RIGID: &str =
    r#"{"name": "rod", "link": [{"length": 1, "density": 0.1, "rigidity": 1, "modes": 0, "hub": {"inertia": 0.1}}]}"#;

#[test]
fn an_arm_without_flexible_links_says_so() {
    say(&[
        ("flexible modes", json!({ "arm": RIGID }), &["rod\n\nlink 1 carries 0 kg", "\n  rigid"]),
        (
            "flexible linearise",
            json!({ "arm": RIGID }),
            &["\nlocked joints [Hz]  none\n", "\npoles [rad/s]       0.00000  0.00000"],
        ),
    ]);
    let expected = ["nothing-moves", "there is nothing to animate: rod has no flexible link", ""];
    let memory = Memory::default();
    assert_eq!(refused("flexible modes", &json!({ "arm": RIGID, "animate": "a.svg" }), &memory), expected);
    // Without a frequency of its own, an arm is shown from a hundredth to a hundred hertz.
    carried_out("flexible linearise", &json!({ "arm": RIGID, "bode": "b.svg" }), &memory);
    assert!(file(&memory, "b.svg").contains("frequency (Hz)"));
}

#[test]
fn pictures_of_a_long_motion_are_further_apart_and_that_is_said() {
    let remarks = Remarks { memory: Some(Memory::default()), ..Remarks::default() };
    let request = json!({ "robot": "planar2r", "duration": 60, "step": 0.05, "method": "rk4", "playback_speed": 1,
        "animate": "a.svg" });
    operation::handle("simulate", request, &remarks).unwrap_or_else(|problem| panic!("{problem}"));
    let heard = remarks.heard();
    let said = heard.iter().find(|said| said.starts_with("a.svg: ")).unwrap_or_else(|| panic!("{heard:?}"));
    let count: usize = said.split(' ').nth(5).unwrap().parse().unwrap();
    let svg = file(remarks.memory.as_ref().unwrap(), "a.svg");
    assert_eq!(svg.matches("<animate ").count(), count, "{said}");
}

#[test]
fn what_a_request_cannot_mean_is_refused() {
    for (name, request, kind, message, hint) in [
        (
            "expand",
            json!({ "robot": "panda" }),
            "nothing-to-expand",
            "`panda` is a built-in robot, which has nothing to expand",
            "name a xacro file",
        ),
        (
            "info",
            json!({ "robot": "panda", "floating": true, "fixed": true }),
            "usage",
            "--floating and --fixed exclude each other",
            "give one of them",
        ),
        ("info", json!({ "robot": NAMED, "package": ["foo"] }), "usage", "--package takes NAME=FOLDER, not `foo`", ""),
        (
            "flexible derive",
            json!({ "arm": "two_link_flexible", "quantity": ["inertia"], "kinematics": "exact" }),
            "cannot-derive",
            "the kinematics `exact` integrate over each link by quadrature and have no closed form to derive",
            "--kinematics stiffened is the same to second order in the deflections, in closed form",
        ),
        (
            "simulate",
            json!({ "robot": "planar2r", "law": "pd", "goal": "[0, 0]", "saturate": true, "ignore_effort": true }),
            "usage",
            "efforts cannot be kept and ignored at once",
            "leave one of the two out",
        ),
    ] {
        assert_eq!(refused(name, &request, &Memory::default()), [kind, message, hint], "{name} {request}");
    }
}

#[test]
fn streams_that_a_host_has_not_are_told() {
    let eval = |extra: &Value| with(json!({ "robot": "planar2r", "quantity": ["gravity"] }), extra);
    let problem =
        |request: Value, host: &dyn jourdain_kit::host::Host| match operation::handle("eval", request.clone(), host) {
            Ok(_) => panic!("{request} was taken"),
            Err(problem) => problem.to_json()["error"]["message"].as_str().unwrap().to_owned(),
        };
    let input = problem(eval(&json!({ "state": "-" })), &NoFiles);
    assert!(input.ends_with("there is no standard input here"), "{input}");
    let output = problem(eval(&json!({ "state": r#"{"q": [0, 0]}"#, "format": "csv" })), &Files);
    assert_eq!(output, "there is no standard output here");
}

#[test]
fn a_robot_that_does_not_move_has_no_base_parameters() {
    let rock = "name = \"rock\"\n[[link]]\nname = \"stone\"\nmass = 1\n";
    say(&[(
        "base-parameters",
        json!({ "robot": rock }),
        &["rock: 0 base parameters for 10 standard ones\nrank of the regressor modulo a prime: 0\n\n"],
    )]);
    let request = json!({ "robot": NAMED, "saturate": true, "duration": 0.1, "torque": ["constant", "[1]"] });
    let expected = [
        "no-effort-limit",
        "arm gives no drive a largest torque (`effort`), so that nothing can saturate",
        "give joints an `effort`, or leave --saturate out",
    ];
    assert_eq!(refused("simulate", &request, &Memory::default()), expected);
}

/// Fifty kilograms on a rod that bends by a newton metre per radian.
#[test]
fn an_arm_that_cannot_stand_is_told() {
    let mut column: Value = serde_json::from_str(&corner("buckling_column.json")).unwrap();
    column["payload"]["mass"] = json!(50);
    let request = |at: &str| json!({ "arm": column.to_string(), "kinematics": "exact", "at": at });
    let expected = ["no-equilibrium", "the arm has no equilibrium under gravity near these joint angles", ""];
    assert_eq!(refused("flexible linearise", &request("[0]"), &Memory::default()), expected);
    // Upright it buckles.
    let upright = told("flexible linearise", &request("[1.5707963267948966]"), &Memory::default());
    assert!(upright.contains("\nlocked joints [Hz]  none\n") && upright.contains("; the arm buckles\n"), "{upright}");
}
