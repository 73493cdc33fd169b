//! Flexible arms: tables of frequencies, equations, and what they do not bear.

use super::{carried_out, corner, file, refused, say, told, with};
use jourdain_kit::files::Memory;
use serde_json::json;

const ARM: &str = "two_link_flexible";

#[test]
fn frequencies_over_configurations_and_payloads_are_a_table() {
    let free = ["0.43813  1.97281   2.66892  16.11900", "1.41987  2.64736  16.11867  29.29223"];
    let text = told(
        "flexible linearise",
        &json!({ "arm": ARM, "at": "[0, 0]", "payload_scales": [1, 2] }),
        &Memory::default(),
    );
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "payload  configuration  joints   f [Hz]");
    assert_eq!(lines[1], format!("× 1         [0.0, 0.0]  locked  {}", free[0]));
    assert_eq!(lines[2], format!("× 1         [0.0, 0.0]    free  {}", free[1]));
    assert!(lines[4].starts_with("× 2         [0.0, 0.0]    free  ") && lines.len() == 5, "{text}");
    say(&[
        (
            "flexible modes",
            json!({ "arm": ARM, "configurations": "[[0, 0], [0, 1.5]]" }),
            &["configuration  f11 [Hz]", "[0.0,0.0]      0.440983  1.985852  2.178334  15.914513", "[0.0,1.5]  "],
        ),
        (
            "flexible eval",
            json!({ "arm": ARM, "state": r#"[{"q": [0, 0, 0, 0, 0, 0]}, {"q": [0, 1, 0, 0, 0, 0]}]"# }),
            &["\n\nB  inertia matrix\n", "theta1   0.617167   0.171333"],
        ),
        (
            "flexible linearise",
            json!({ "arm": ARM, "spin": "[1, 0]" }),
            &[
                "two_link_flexible about q = (0.000000  0.000000  0.000000  0.000000  0.000000  0.000000) at rates (1.000000  0.000000)\n",
                "\nneutral directions with free joints\n",
            ],
        ),
        (
            "flexible linearise",
            json!({ "arm": corner("buckling_column.json"), "kinematics": "stiffened", "beyond_validity": true }),
            &["\nunstable with free joints\n", "bends to a slope of 1.4717 rad"],
        ),
    ]);
}

#[test]
fn modes_in_detail_have_the_masses_that_their_link_carries() {
    let report = carried_out("flexible modes", &json!({ "arm": ARM, "details": true }), &Memory::default());
    let link = report.to_json().unwrap()["links"][1].clone();
    // The payload of the file, at the tip.
    assert_eq!(link["boundary"], json!({ "mass": 0.1, "inertia": 0.0005, "mass_distance": 0.0 }));
    assert_eq!((&link["outboard_stretched"], &link["length"]), (&link["boundary"], &json!(0.5)));
    let curvature = link["z"].as_array().unwrap();
    assert_eq!((curvature.len(), curvature[0].as_array().unwrap().len()), (2, 2));
}

#[test]
fn arms_that_bend_too_far_are_told_which_kinematics_bear_more() {
    for (kinematics, bear, hint) in [
        (
            "paper",
            "0.4027 (estimated error 401 %)",
            "--kinematics stiffened and exact bear more; --beyond-validity goes on all the same",
        ),
        (
            "stiffened",
            "1.0000 (estimated error 65 %)",
            "--kinematics exact bears more; --beyond-validity goes on all the same",
        ),
    ] {
        let request = json!({ "arm": corner("buckling_column.json"), "kinematics": kinematics });
        let message = format!("link 1 bends to a slope of 1.4717 rad, and `{kinematics}` kinematics bear {bear}");
        let expected = ["out-of-range", &message, hint];
        assert_eq!(refused("flexible linearise", &request, &Memory::default()), expected);
    }
    for (name, extra, kind, message, hint) in [
        (
            "flexible modes",
            json!({ "payload": [1, 2, 3] }),
            "bad-option",
            "a payload is a mass, or a mass and an inertia",
            "",
        ),
        (
            "flexible simulate",
            json!({ "law": "pd", "nominal": "planar2r" }),
            "usage",
            "a law of a flexible arm knows the arm",
            "leave out --nominal",
        ),
        (
            "flexible simulate",
            json!({ "law": "pd", "trajectory": "circles" }),
            "unsupported",
            "a flexible arm cannot follow the trajectory `circles`",
            "--trajectory waves or hold, or a --goal as a JSON list of joint angles",
        ),
    ] {
        let request = with(json!({ "arm": ARM }), &extra);
        assert_eq!(refused(name, &request, &Memory::default()), [kind, message, hint], "{extra}");
    }
    say(&[(
        "flexible simulate",
        json!({ "arm": ARM, "law": "pd", "trajectory": "waves", "duration": 0.1 }),
        &["two_link_flexible: 0.1 s in ", "(link 1; estimated error of the tip 8.28 %, without geometric stiffness)"],
    )]);
}

#[test]
fn equations_of_an_arm_are_formulas_or_numbers_as_asked() {
    let words = |parameters: &str| {
        told(
            "flexible derive",
            &json!({ "arm": ARM, "quantity": ["inertia"], "parameters": parameters }),
            &Memory::default(),
        )
    };
    // Both links turn with their loads about the second joint: 0.0335 kg m² of the rod, 0.1 kg at half a metre, and its inertia.
    assert!(words("numeric").contains("\nB22 = 0.13383333333333333\n"), "{}", words("numeric"));
    assert!(!words("symbolic").contains("0.1338") && words("symbolic").contains("\nB22 = "), "{}", words("symbolic"));
    let memory = Memory::default();
    let request = json!({ "arm": ARM, "quantity": ["forces"], "target": "c", "out": "code" });
    assert_eq!(told("flexible derive", &request, &memory), "code/two_link_flexible.h\ncode/two_link_flexible.c");
    assert!(file(&memory, "code/two_link_flexible.h").contains("two_link_flexible_forces("));
}
