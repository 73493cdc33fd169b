//! Simulations, elastic joints, motions that excite, trajectories, base parameters.

use super::{Remarks, carried_out, corner, file, refused, say, told, with};
use jourdain_kit::files::Memory;
use jourdain_kit::operation;
use serde_json::{Value, json};

#[test]
fn a_simulation_says_what_was_learned_how_it_stepped_and_why_it_stopped() {
    say(&[
        (
            "simulate",
            json!({ "robot": "planar2r", "law": "adaptive", "goal": "[0.3, 0.2]", "duration": 0.2 }),
            &["\n  estimate  at first   at the end\n  mXR1          1.75      2.32", " kg m\n"],
        ),
        (
            "simulate",
            json!({ "robot": "planar2r", "law": "adaptive", "goal": "[0.3, 0.2]", "duration": 0.2, "learn": "standard" }),
            &["\n  m_link1          2            2     kg\n"],
        ),
        (
            "simulate",
            json!({ "robot": "floating_humanoid25", "duration": 0.01 }),
            &["\nmomentum drift  ", "\n  pelvis.qw     1.00000\n", "\n  pelvis.wx "],
        ),
        (
            "simulate",
            json!({ "robot": "planar2r", "state": r#"{"q": [0, 0], "qd": [5, 0]}"#, "stop_at_limits": true }),
            &["\nstopped: joint `link2` reached its limit 3.14159 at t = 0.625"],
        ),
        (
            "simulate",
            json!({ "robot": "iiwa14_elastic", "method": "auto", "duration": 0.05, "step": 0.01 }),
            &["\nchosen: steps of 0.01 s do not resolve the fastest motion, "],
        ),
    ]);
}

#[test]
fn drawings_of_motions_say_how_they_were_stepped() {
    let memory = Memory::default();
    for (extra, says) in [
        (json!({ "method": "implicit" }), "Rosenbrock, tolerance"),
        (json!({ "method": "rk4", "step": 2, "duration": 4 }), "Runge–Kutta 4, step 2 s"),
    ] {
        let request = with(json!({ "robot": "planar2r_elastic", "duration": 0.05, "plot": "a.svg" }), &extra);
        carried_out("simulate", &request, &memory);
        assert!(file(&memory, "a.svg").contains(says), "{extra}");
    }
}

#[test]
fn elastic_joints_are_told_in_words() {
    let robot = json!({ "robot": "planar2r_elastic" });
    let few = |extra: Value| with(json!({ "robot": "planar2r_elastic", "samples": 4, "duration": 0.1 }), &extra);
    say(&[
        (
            "elastic simulate",
            with(robot.clone(), &json!({ "controller": "none", "duration": 0.05 })),
            &[", controller none\n"],
        ),
        (
            "elastic simulate",
            with(robot.clone(), &json!({ "controller": "computed-torque", "duration": 0.05 })),
            &[", controller computed-torque\n"],
        ),
        (
            "elastic simulate",
            with(robot.clone(), &json!({ "damping": 3, "duration": 0.05 })),
            &[", controller linearising\n"],
        ),
        (
            "elastic robustness",
            few(json!({ "controller": "none" })),
            &["\nstable   0.00 % (0 of 4)\n", "`mass[link2]` does most harm"],
        ),
        (
            "elastic robustness",
            few(json!({ "sample": 1000 })),
            &["\nsampled  1000 Hz; the nominal loop needs at least 115 Hz\n", "(chosen by the springs)"],
        ),
        (
            "elastic robustness",
            few(json!({ "poles": ["20+5i", "20-5i", "30", "40"] })),
            &["\npoles    20+5i, 20-5i, 30, 40 1/s (as given)\n"],
        ),
    ]);
    let two = with(robot, &json!({ "poles": ["1", "2"] }));
    let expected = ["usage", "2 poles: give one for all or four", ""];
    assert_eq!(refused("elastic simulate", &two, &Memory::default()), expected);
    let remarks = Remarks::default();
    operation::handle(
        "elastic simulate",
        json!({ "robot": "planar2r_elastic", "damping": 3, "duration": 0.05 }),
        &remarks,
    )
    .unwrap();
    assert_eq!(remarks.heard(), ["the springs have damping, which the exact linearisation leaves out"]);
}

#[test]
fn motions_that_excite_say_what_they_are_judged_by() {
    let memory = Memory::default();
    let quick = |extra: Value| with(json!({ "robot": "planar2r", "steps": 5, "starts": 1 }), &extra);
    say(&[
        (
            "excite",
            quick(json!({ "criterion": "d-optimal" })),
            &["\ngeometric mean of the axes of expected deviations "],
        ),
        (
            "excite",
            quick(json!({ "criterion": "deviation" })),
            &["\ngeometric mean of expected deviations ", "; of random motions "],
        ),
        ("excite", quick(json!({ "no_collisions": true })), &["distances between links are not looked at"]),
        ("excite", quick(json!({ "radius": 0.02, "ground": -2 })), &["\nnearest  `"]),
    ]);
    let splines = quick(json!({ "spline": "k.json", "degree": "cubic", "trajectory": "t.json" }));
    let text = told("excite", &splines, &memory);
    assert!(text.contains("\nsplines  201 knots, at most ") && text.contains("\nknots    k.json"), "{text}");
    let knots: Value = serde_json::from_str(&file(&memory, "k.json")).unwrap();
    assert_eq!((&knots["degree"], &knots["knots"][3]["acceleration"]), (&json!("cubic"), &Value::Null));
    assert_eq!(knots["knots"][3]["velocity"].as_array().unwrap().len(), 2);
    let again = told("excite", &quick(json!({ "from": "t.json", "steps": 0 })), &memory);
    assert!(again.contains("\nthat of the motion to start from "), "{again}");
    let worse = told("excite", &quick(json!({ "from": "t.json", "steps": 0, "criterion": "d-optimal" })), &memory);
    assert!(worse.contains("; of the motion to start from "), "{worse}");
    for (extra, message) in [
        (json!({ "noise": 0 }), "--noise is a number above zero"),
        (json!({ "rate": 0 }), "--rate is above zero and gives at most ten million lines"),
        (json!({ "radius": 0 }), "--radius is a number above zero"),
        (json!({ "spline": "k.json", "knot_rate": 0 }), "--knot-rate is above zero and gives at most a million knots"),
    ] {
        assert_eq!(refused("excite", &quick(extra), &memory)[..2], ["usage", message]);
    }
    memory.put("flat.csv", b"0,1,2\n1,2,3\n".as_slice());
    let expected = ["bad-trajectory", "samples need a heading with t, q1, q2, …"];
    assert_eq!(refused("excite", &quick(json!({ "from": "flat.csv" })), &memory)[..2], expected);
}

#[test]
fn trajectories_that_are_too_much_are_refused() {
    let asked = |extra: Value| {
        with(json!({ "robot": "iiwa14", "trajectory": "mueller-kumar", "quantity": ["regressor"] }), &extra)
    };
    let memory = Memory::default();
    for (extra, kind, message, hint) in [
        (json!({ "smoothing": 0.02 }), "usage", "a smoothing belongs to samples: the trajectory is no .csv file", ""),
        (json!({ "samples": 0 }), "usage", "0 samples cannot be taken", ""),
        (
            json!({ "samples": 9_000_000 }),
            "too-large",
            "9000000 times 560 numbers are too many; at most 67108864 are kept",
            "ask for fewer samples or quantities",
        ),
        (
            json!({ "samples": 3, "plot": "a.svg" }),
            "too-large",
            "`regressor` has 560 numbers; a plot shows at most 64",
            "--out writes all numbers as CSV",
        ),
    ] {
        assert_eq!(refused("trajectory", &asked(extra.clone()), &memory), [kind, message, hint], "{extra}");
    }
    assert_eq!(memory.names(), [""; 0]);
}

#[test]
fn base_parameters_that_f64_hardly_shows_are_named() {
    let near = corner("near_right_angle.json");
    say(&[
        (
            "base-parameters",
            json!({ "robot": near }),
            &[
                "nb: 10 base parameters for 20 standard ones\n",
                "over 28 random states: 10, singular values 4e9 apart\n",
                "\nthey count, but show nothing in the torques: XXR2 XY2\n",
            ],
        ),
        (
            "base-parameters",
            json!({ "robot": "puma560" }),
            &["singular values more than 1e12 apart\n", "\nwithout effect "],
        ),
    ]);
}
