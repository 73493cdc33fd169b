//! Arms whose links keep their length: against stored cases that two independent methods gave to 25 digits, against finite elements
//! and against what is in the books.

use crate::beam::ElementBeam;

use jourdain::flexible::derive::{ArmConstants, ArmQuantity, program};
use jourdain::flexible::energy::{elastic_energy, kinetic_energy, weight_energy};
use jourdain::flexible::factor::smallest_eigenvalue;
use jourdain::flexible::slopes::pair;
use jourdain::flexible::{BuiltArm, Kinematics, linearise, linearise_moving, stiffening, terms, tip};
use jourdain::formats::read_arm;
use serde_json::Value;

fn suite(name: &str) -> Vec<Value> {
    let path = format!("{}/../../suite/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let suite: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    suite["cases"].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

fn arm_of(case: &Value) -> BuiltArm {
    read_arm(case["arm"].to_string().as_bytes()).build("case").unwrap()
}

/// Within a tolerance relative to the largest number.
fn close(what: &str, found: &[f64], known: &[f64], tolerance: f64) {
    assert_eq!(found.len(), known.len(), "{what}");
    let scale = known.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    for (a, b) in found.iter().zip(known) {
        assert!((a - b).abs() <= tolerance * scale, "{what}: {found:?}\n{known:?}");
    }
}

#[test]
fn stiffened_arms_are_the_stored_ones() {
    for case in suite("flexible_stiffened") {
        let (name, built) = (case["name"].as_str().unwrap(), arm_of(&case));
        let arm = &built.arm;
        assert_eq!(arm.kinematics(), Kinematics::Stiffened);
        for state in case["states"].as_array().unwrap() {
            let (q, qd) = (numbers(&state["q"]), numbers(&state["qd"]));
            let (found, tip) = (terms(arm, &q, &qd), tip(arm, &q));
            for (key, value) in [
                ("B", found.inertia.as_slice()),
                ("h", &found.velocity),
                ("g", &found.gravity),
                ("tip", &tip.position),
                ("tip_angle", &[tip.angle]),
                ("tip_jacobian", tip.jacobian.as_slice()),
                ("kinetic_energy", &[kinetic_energy(&found, &qd)]),
                ("elastic_energy", &[elastic_energy(arm, &q)]),
                ("weight_energy", &[weight_energy(arm, &q)]),
            ] {
                close(&format!("{name} {key}"), value, &numbers(&state[key]), 1e-13);
            }
            close(name, &[smallest_eigenvalue(&found.inertia)], &numbers(&state["smallest_eigenvalue"]), 1e-10);
        }
        for posture in case["postures"].as_array().unwrap() {
            let model = linearise(arm, &numbers(&posture["theta"])).unwrap();
            let free: Vec<f64> = numbers(&posture["free_frequencies_hz"]).into_iter().filter(|&f| f > 1e-3).collect();
            for (key, value, known, tolerance) in [
                ("q", &model.q, numbers(&posture["q"]), 1e-11),
                ("torque", &model.torque, numbers(&posture["torque"]), 1e-11),
                ("tangent", &model.stiffness.as_slice().to_vec(), numbers(&posture["tangent_stiffness"]), 1e-12),
                ("squares", &model.locked_squares(), numbers(&posture["locked_squares"]), 1e-10),
                ("locked", &model.locked_frequencies(), numbers(&posture["locked_frequencies_hz"]), 1e-10),
                ("free", &model.free_frequencies(), free, 1e-8),
            ] {
                close(&format!("{name} {key}"), value, &known, tolerance);
            }
        }
    }
}

#[test]
fn integrals_over_slopes_are_the_stored_ones() {
    for case in suite("flexible_stiffened") {
        let built = arm_of(&case);
        for (link, known) in built.arm.links().iter().zip(case["link_constants"].as_array().unwrap()) {
            let (m, slopes) = (link.mode_count(), &link.slopes);
            close("H", &slopes.end, &numbers(&known["H_end"]), 1e-13);
            close("G0", &slopes.zeroth, &numbers(&known["G0"]), 1e-13);
            close("G1", &slopes.first, &numbers(&known["G1"]), 1e-13);
            let pairs = m * (m + 1) / 2;
            let both: Vec<usize> = (0..m * m).map(|place| pair(place / m, place % m)).collect();
            let f: Vec<f64> =
                (0..m).flat_map(|j| both.iter().map(move |p| j * pairs + p)).map(|k| slopes.across[k]).collect();
            let q: Vec<f64> =
                both.iter().flat_map(|p| both.iter().map(move |r| p * pairs + r)).map(|k| slopes.square[k]).collect();
            close("F", &f, &numbers(&known["F"]), 1e-13);
            close("Q", &q, &numbers(&known["Q"]), 1e-13);
        }
    }
}

#[test]
fn exact_arms_are_the_stored_ones() {
    let arms = suite("flexible_stiffened");
    for case in suite("flexible_exact") {
        let name = case["name"].as_str().unwrap();
        let described = arms.iter().find(|arm| arm["name"] == name).unwrap();
        let arm = arm_of(described).arm.with_kinematics(Kinematics::Exact);
        let (q, qd) = (numbers(&case["q"]), numbers(&case["qd"]));
        let (found, tip) = (terms(&arm, &q, &qd), tip(&arm, &q));
        close(name, found.inertia.as_slice(), &numbers(&case["B"]), 1e-13);
        close(name, &found.velocity, &numbers(&case["h"]), 1e-12);
        close(name, &found.gravity, &numbers(&case["g"]), 1e-13);
        close(name, &tip.position, &numbers(&case["tip"]), 1e-13);
        close(name, &[weight_energy(&arm, &q)], &numbers(&case["weight_energy"]), 1e-13);
    }
}

/// One link clamped to a hub, EI = ρ = ℓ = 1.
fn one_link(modes: usize, mass: f64, gravity: f64, kinematics: Kinematics) -> BuiltArm {
    let text = format!(
        "name = \"one\"\ngravity = [{gravity}, 0.0]\nkinematics = \"{}\"\npayload = {{ mass = {mass}, inertia = 0.01 }}\n\
         [[link]]\nlength = 1.0\ndensity = 1.0\nrigidity = 1.0\nmodes = {modes}\nhub = {{ inertia = 1.0 }}\n",
        kinematics.name()
    );
    text.parse().unwrap()
}

fn elements(mass: f64, spin: f64, pull: f64) -> ElementBeam {
    ElementBeam { length: 1.0, density: 1.0, rigidity: 1.0, tip: [mass, 0.01], spin, pull }
}

#[test]
fn a_spinning_beam_stiffens_as_finite_elements_do() {
    for kinematics in [Kinematics::Stiffened, Kinematics::Exact] {
        for (mass, spin) in [(0.0, 0.0), (0.0, 2.0), (0.0, 6.0), (0.7, 3.0)] {
            let arm = one_link(5, mass, 0.0, kinematics).arm;
            let mut qd = vec![0.0; arm.size()];
            qd[0] = spin;
            let squares = linearise_moving(&arm, &[0.4], &qd).unwrap().locked_squares();
            for (number, square) in squares.iter().take(2).enumerate() {
                let known = elements(mass, spin, 0.0).square(number + 1);
                assert!((square / known - 1.0).abs() < 4e-3, "{kinematics:?} {mass} {spin}: {square} {known}");
            }
        }
    }
}

/// Southwell's table of the flapping beam, less Ω² for motion in the plane of the spin.
#[test]
fn a_spinning_beam_has_the_frequencies_of_the_books() {
    for (spin, flap) in [(1.0, 3.6816), (2.0, 4.1373), (3.0, 4.7973), (4.0, 5.5850)] {
        let mut bare = one_link(5, 0.0, 0.0, Kinematics::Stiffened).arm;
        bare = bare.with_payload(jourdain::flexible::Payload { mass: 0.0, inertia: 0.0 });
        let mut qd = vec![0.0; bare.size()];
        qd[0] = spin;
        let square = linearise_moving(&bare, &[0.0], &qd).unwrap().locked_squares()[0];
        assert!(((square + spin * spin).sqrt() / flap - 1.0).abs() < 2e-4, "{spin}: {square}");
    }
}

#[test]
fn a_loaded_column_softens_and_buckles_as_finite_elements_do() {
    for kinematics in [Kinematics::Stiffened, Kinematics::Exact] {
        let square = |mass: f64, pull: f64| {
            let arm = one_link(5, mass, pull, kinematics).arm;
            linearise(&arm, &[0.0]).unwrap().locked_squares()[0]
        };
        for (mass, pull) in [(0.5, -1.0), (0.5, 2.0), (2.0, -0.5), (2.0, -1.5), (0.1, -9.0)] {
            let known = elements(mass, 0.0, pull).square(1);
            assert!((square(mass, pull) - known).abs() < 2e-3 * known.abs().max(1.0), "{mass} {pull}: {known}");
        }
        // A column under its own weight falls from ρgℓ³/EI = 7.8373 on.
        assert!(square(0.0, -7.83) > 0.0 && square(0.0, -7.86) < 0.0);
    }
}

#[test]
fn kinematics_without_foreshortening_say_what_they_leave_out() {
    for kinematics in [Kinematics::Paper, Kinematics::Linear, Kinematics::Rotation] {
        let arm = one_link(3, 0.0, 0.0, kinematics).arm;
        let still = vec![0.0; 4];
        assert!(stiffening(&arm, &still, &still).is_none_or(|found| found.change() < 1e-9));
        let found = stiffening(&arm, &still, &[6.0, 0.0, 0.0, 0.0]).unwrap();
        assert!(found.number == 1 && found.change() > 0.05 && found.with > found.without, "{found:?}");
        let column = one_link(3, 0.0, -8.5, kinematics).arm;
        let found = stiffening(&column, &still, &still).unwrap();
        assert!(found.with < 0.0 && found.change().is_infinite(), "{found:?}");
    }
    assert!(stiffening(&one_link(3, 0.0, 0.0, Kinematics::Exact).arm, &[0.0; 4], &[6.0, 0.0, 0.0, 0.0]).is_none());
}

/// Operations of B and h of five links with three modes each.
fn operations(kinematics: Kinematics) -> usize {
    let link =
        "[[link]]\nlength = 0.5\ndensity = 0.2\nrigidity = 2.0\nmodes = 3\nhub = { mass = 0.3, inertia = 0.02 }\n";
    let text = format!("name = \"chain\"\npayload = {{ mass = 0.1, inertia = 0.0005 }}\n{}", link.repeat(5));
    let arm = text.parse::<BuiltArm>().unwrap().arm.with_kinematics(kinematics);
    let count = |quantity| {
        let operations = program(&arm, quantity, ArmConstants::Numeric).unwrap().program.operations();
        operations.add + operations.mul
    };
    count(ArmQuantity::Inertia) + count(ArmQuantity::Velocity)
}

#[test]
fn formulas_of_larger_arms_share_their_factors() {
    let [paper, rotation, stiffened] = [Kinematics::Paper, Kinematics::Rotation, Kinematics::Stiffened].map(operations);
    assert!(paper < rotation && stiffened < rotation && paper < 10_000, "{paper} {rotation} {stiffened}");
}

/// Directions that nothing drives back once showed as 3e-7 Hz.
#[test]
fn neutral_directions_have_no_frequency() {
    let mut neutral = 0;
    for case in suite("flexible_stiffened") {
        for kinematics in Kinematics::ALL {
            let arm = arm_of(&case).arm.with_kinematics(kinematics);
            for posture in case["postures"].as_array().unwrap() {
                let Ok(model) = linearise(&arm, &numbers(&posture["theta"])) else { continue };
                let squares = model.free_squares();
                neutral += squares.iter().filter(|&&square| square == 0.0).count();
                let name = &case["name"];
                assert!(
                    model.free_frequencies().iter().all(|&hertz| hertz > 1e-3),
                    "{name} {kinematics:?} {squares:?}"
                );
            }
        }
    }
    assert!(neutral > 0);
}
