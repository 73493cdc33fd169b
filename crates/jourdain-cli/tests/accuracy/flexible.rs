//! Flexible arms: geometric stiffness, range of validity, convergence of modes.

#[path = "../../../jourdain/tests/common/beam.rs"]
mod beam;

use crate::Row;
use crate::support::{json, run, run_with};
use beam::ElementBeam;
use serde_json::Value;
use std::f64::consts::TAU;

fn corner(name: &str) -> String {
    format!("{}/../../suite/corners/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub fn rows() -> Vec<Row> {
    vec![spin("stiffened"), spin("exact"), column(), out_of_range(), sag(), three_modes(), open_modes(), factors()]
}

/// The beam of `spinning_beam.json`.
const BEAM: ElementBeam =
    ElementBeam { length: 0.5, density: 0.2, rigidity: 1.0, tip: [0.1, 0.0005], spin: 10.0, pull: 0.0 };

fn spin(kinematics: &'static str) -> Row {
    let found =
        json(&["flexible", "linearise", &corner("spinning_beam.json"), "--spin", "[10]", "--kinematics", kinematics]);
    let hertz = found["locked_frequencies_hz"][0].as_f64().unwrap();
    let known = BEAM.square(1).sqrt() / TAU;
    Row {
        corner: if kinematics == "exact" {
            "`flexible linearise spinning_beam.json --spin '[10]' --kinematics exact`"
        } else {
            "`flexible linearise spinning_beam.json --spin '[10]' --kinematics stiffened`, first frequency"
        },
        before: "1.52 Hz, softer than at rest",
        now: format!("{hertz:.4} Hz"),
        witness: "2.28 Hz: 24 finite elements under the tension of the spin",
        holds: (hertz / known - 1.0).abs() < 2e-3 && (known - 2.28).abs() < 5e-3,
    }
}

fn column() -> Row {
    let arguments = ["flexible", "linearise", &corner("buckling_column.json"), "--at", "[1.5707963]"];
    let found = json(&[&arguments[..], &["--kinematics", "stiffened"]].concat());
    let square = found["locked_squares"][0].as_f64().unwrap();
    let beam = ElementBeam { length: 0.5, density: 0.001, rigidity: 1.0, tip: [1.2, 0.0], spin: 0.0, pull: -9.81 };
    let warned = json(&arguments)["warnings"].to_string().contains("buckles");
    Row {
        corner: "`flexible linearise buckling_column.json --at '[1.5707963]' --kinematics stiffened`: 1.2 times the load that \
                 buckles it (the paper's kinematics warn)",
        before: "0.712 Hz",
        now: format!("{}, ω² = {square:.2} rad²/s²", found["locked_stability"].as_str().unwrap()),
        witness: "ω² < 0: π²EI/4ℓ² = 9.87 N, and 24 finite elements",
        holds: warned && found["locked_stability"] == "unstable" && (square / beam.square(1) - 1.0).abs() < 1e-2,
    }
}

fn refusal(arguments: &[&str]) -> (i32, Value) {
    let run = run(&[arguments, &["--json"]].concat());
    (run.code, run.error())
}

fn out_of_range() -> Row {
    let scenario = r#"{"q0":[0,0.001,0],"qd0":[20,0,0],"duration":3}"#;
    let beam = corner("spinning_beam.json");
    let (code, found) = refusal(&["flexible", "simulate", &beam, "--kinematics", "rotation", "-s", scenario]);
    let stiffened = json(&["flexible", "simulate", &beam, "--kinematics", "stiffened", "-s", scenario]);
    let deflection = stiffened["final"]["q"][1].as_f64().unwrap();
    Row {
        corner: "`flexible simulate spinning_beam.json --kinematics rotation` at 20 rad/s",
        before: "a link of 0.5 m bends 104 m",
        now: found["message"].as_str().unwrap().to_owned(),
        witness: "spin stiffens the beam: with `stiffened` it swings within ±1 mm",
        holds: code == 1 && found["kind"] == "out-of-range" && deflection.abs() < 1.01e-3,
    }
}

fn sag() -> Row {
    let arm = corner("soft_two_link.json");
    let (code, found) = refusal(&["flexible", "linearise", &arm]);
    let exact = json(&["flexible", "linearise", &arm, "--kinematics", "exact"])["q"][2].as_f64().unwrap();
    Row {
        corner: "`flexible linearise soft_two_link.json`",
        before: "δ11 = −0.81 m without a word",
        now: found["message"].as_str().unwrap().to_owned(),
        witness: "−0.69 m: links that keep their length exactly (`--kinematics exact`)",
        holds: code == 1 && found["kind"] == "out-of-range" && (exact + 0.687).abs() < 1e-3,
    }
}

fn three_modes() -> Row {
    let arguments = ["flexible", "simulate", &corner("three_modes.toml"), "--scenario", "fig9", "--method", "adaptive"];
    let found = json(&arguments);
    let drift = found["energy_drift"].as_f64().unwrap();
    Row {
        corner: "`flexible simulate three_modes.toml --scenario fig9`",
        before: "B loses definiteness at 1.13 s",
        now: format!("runs, as `stiffened`, energy drift {drift:.0e} J"),
        witness: "finite elements stay bounded; the inertia matrix of links that keep their length is a Gram matrix",
        holds: drift < 1e-5 && found["duration"] == 2.0 && found["warnings"].to_string().contains("`stiffened`"),
    }
}

fn open_modes() -> Row {
    let link = r#"{"length": 0.5, "density": 0.2, "rigidity": 1.0, "hub": {"mass": 1.0, "inertia": 0.1}}"#;
    let arm = format!(r#"{{"name": "open", "payload": {{"mass": 0.1, "inertia": 0.0005}}, "link": [{link}, {link}]}}"#);
    let found = run_with(&["flexible", "linearise", "-", "--json"], &arm).json();
    let (hertz, error) = (found["free_frequencies_hz"][3].as_f64().unwrap(), found["free_errors"][3].as_f64().unwrap());
    Row {
        corner: "`flexible linearise` of the paper's arm without `modes`: fourth frequency with free joints",
        before: "29.29 Hz",
        now: format!("{hertz:.3} Hz, estimated error {error:.0e}"),
        witness: "22.126 Hz: 20 linear frame elements per link",
        holds: (hertz / 22.126 - 1.0).abs() < 2e-3 && error < 1e-3,
    }
}

fn factors() -> Row {
    let link = r#"{"length": 0.5, "density": 0.2, "rigidity": 2.0, "modes": 3, "hub": {"mass": 0.3, "inertia": 0.02}}"#;
    let arm = format!(
        r#"{{"name": "five", "payload": {{"mass": 0.1, "inertia": 0.0005}}, "link": [{}]}}"#,
        [link; 5].join(",")
    );
    let count = |kinematics: &str| -> u64 {
        let arguments = ["flexible", "derive", "-", "--kinematics", kinematics, "--target", "c", "--json"];
        let found = run_with(&arguments, &arm).json();
        ["inertia", "velocity"]
            .iter()
            .flat_map(|quantity| {
                ["mul", "add"].map(|kind| found["quantities"][quantity]["operations"][kind].as_u64().unwrap())
            })
            .sum()
    };
    let (paper, rotation) = (count("paper"), count("rotation"));
    Row {
        corner: "`flexible derive` of B and h, five links with three modes each, `paper`",
        before: "55 153 operations",
        now: format!("{paper} operations"),
        witness: "`rotation`, another program, takes 16 891; the numbers agree with the stored cases",
        holds: paper < rotation && paper < 16_891,
    }
}
