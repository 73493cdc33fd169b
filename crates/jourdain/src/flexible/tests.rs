//! The arm against stored cases, against itself over other scalars, and against the laws of mechanics.

use super::arm::{FlexibleArm, Kinematics, Link, Payload};
use super::description::{ArmDescription, Damping, GivenBoundary, LinkDescription};
use super::energy::{base_momentum, elastic_energy, kinetic_energy, weight_energy};
use super::factor::{Indefinite, Workspace, accelerations_into, validity};
use super::modes::Beam;
use super::slopes::Slopes;
use super::terms::{Terms, forces, terms};
use super::tip::tip;
use jourdain_symbolic::{Dual, Jet};
use proptest::prelude::*;
use serde_json::Value;

pub(crate) fn suite() -> Value {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/flexible_arm.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

/// An arm from the constants that a case stores.
fn stored_arm(case: &Value) -> FlexibleArm<f64> {
    let number = |value: &Value| value.as_f64().unwrap();
    let links = case["arm"]["links"].as_array().unwrap().iter();
    let links = links.map(|link| Link {
        length: number(&link["l"]),
        mass: number(&link["m"]),
        first_moment: number(&link["m"]) * number(&link["d"]),
        inertia: number(&link["Jo"]),
        hub_mass: number(&link["mh"]),
        hub_inertia: number(&link["Jh"]),
        v: numbers(&link["v"]),
        w: numbers(&link["w"]),
        z: numbers(&link["z"]),
        stiffness: numbers(&link["k"]),
        tip: numbers(&link["phie"]),
        tip_slope: numbers(&link["dphie"]),
        slopes: Slopes::none(numbers(&link["v"]).len()),
        damping: vec![0.0; numbers(&link["v"]).len()],
        viscous: 0.0,
    });
    let payload = &case["arm"]["payload"];
    let payload = Payload { mass: number(&payload["m"]), inertia: number(&payload["J"]) };
    FlexibleArm::new("stored".to_owned(), [0.0; 2], Kinematics::Paper, payload, links.collect())
}

pub(crate) fn link(length: f64, density: f64, rigidity: f64, hub: [f64; 2], modes: usize) -> LinkDescription {
    LinkDescription {
        beam: Beam { length, density, rigidity },
        hub_mass: hub[0],
        hub_inertia: hub[1],
        modes,
        damping: Damping::None,
        viscous: 0.0,
        boundary: GivenBoundary::default(),
    }
}

pub(crate) fn description(links: Vec<LinkDescription>, payload: [f64; 2]) -> ArmDescription {
    ArmDescription {
        name: "test".to_owned(),
        gravity: [0.0; 2],
        kinematics: Kinematics::Paper,
        payload: Payload { mass: payload[0], inertia: payload[1] },
        boundary_configuration: None,
        links,
    }
}

/// The arm of the paper.
pub(crate) fn paper(modes: usize) -> ArmDescription {
    let links = vec![link(0.5, 0.2, 1.0, [0.0, 0.1], modes), link(0.5, 0.2, 1.0, [1.0, 0.1], modes)];
    description(links, [0.1, 0.0005])
}

fn three_links() -> ArmDescription {
    let links = vec![
        link(0.6, 0.4, 6.0, [0.0, 0.08], 2),
        link(0.5, 0.3, 3.0, [0.5, 0.04], 2),
        link(0.4, 0.2, 1.5, [0.3, 0.02], 2),
    ];
    description(links, [0.2, 0.001])
}

fn close(found: &[f64], known: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), known.len(), "{what}");
    let scale = known.iter().fold(0.0_f64, |m, x| m.max(x.abs())).max(1e-3);
    for (i, (a, b)) in found.iter().zip(known).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{what} [{i}]: {a} for {b}");
    }
}

#[test]
fn stored_constants_give_the_stored_inertia_velocity_terms_and_tips() {
    for case in suite()["inertia"].as_array().unwrap() {
        let arm = stored_arm(case);
        for state in case["states"].as_array().unwrap() {
            let (q, qd) = (numbers(&state["q"]), numbers(&state["qd"]));
            let found = terms(&arm, &q, &qd);
            close(found.inertia.as_slice(), &numbers(&state["B"]), 1e-13, "B");
            close(&found.velocity, &numbers(&state["h"]), 1e-12, "h");
            close(&tip(&arm, &q).position, &numbers(&state["tip"]), 1e-14, "tip");
            let smallest = super::factor::smallest_eigenvalue(&found.inertia);
            assert!((smallest / state["mineig_B"].as_f64().unwrap() - 1.0).abs() < 1e-8);
        }
    }
}

#[test]
fn described_arms_are_the_stored_ones() {
    let mut one = description(vec![link(0.8, 0.3, 2.5, [0.0, 0.05], 3)], [0.25, 0.002]);
    one.links[0].boundary.mass_distance = Some(0.01);
    for (case, arm) in suite()["inertia"].as_array().unwrap().iter().zip([paper(2), one, three_links()]) {
        let arm = arm.build().unwrap().arm;
        for state in case["states"].as_array().unwrap() {
            let (q, qd) = (numbers(&state["q"]), numbers(&state["qd"]));
            let found = terms(&arm, &q, &qd);
            close(found.inertia.as_slice(), &numbers(&state["B"]), 1e-12, "B");
            close(&found.velocity, &numbers(&state["h"]), 1e-11, "h");
            close(&tip(&arm, &q).position, &numbers(&state["tip"]), 1e-12, "tip");
        }
    }
}

/// An arm with links of every kind: rigid, one mode, several; any kinematics; gravity, friction, damping.
fn any_arm() -> impl Strategy<Value = ArmDescription> {
    let one = (0.2..1.2_f64, 0.05..0.6_f64, 0.5..8.0_f64, 0.0..1.5_f64, 0.0..0.2_f64, 0..4_usize, 0.0..0.4_f64)
        .prop_map(|(l, rho, ei, m, j, modes, d)| LinkDescription {
            damping: Damping::Factor(d),
            viscous: 0.1 * d,
            ..link(l, rho, ei, [m, j], modes)
        });
    (
        prop::collection::vec(one, 1..=4),
        prop_oneof![Just([0.0, 0.0]), (0.0..0.5_f64, 0.0..0.01_f64).prop_map(|(m, j)| [m, j])],
        0..Kinematics::ALL.len(),
        prop_oneof![Just([0.0, 0.0]), Just([1.3, -9.81])],
        any::<bool>(),
    )
        .prop_map(|(links, payload, kinematics, gravity, stated)| ArmDescription {
            kinematics: Kinematics::ALL[kinematics],
            gravity,
            boundary_configuration: stated.then(|| (0..links.len()).map(|i| 0.7 * i as f64 - 0.4).collect()),
            ..description(links, payload)
        })
}

/// A state with angles of any size and deflections of a few centimetres.
fn state_of(arm: &FlexibleArm<f64>, seed: u64) -> [Vec<f64>; 3] {
    let mut x = seed | 1;
    let mut draw = |size: f64| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        size * ((x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
    };
    let n = arm.joints();
    let mut vector = |joint: f64, deflection: f64| {
        (0..arm.size()).map(|c| draw(if c < n { joint } else { deflection })).collect::<Vec<_>>()
    };
    [vector(3.0, 0.03), vector(2.0, 0.5), vector(4.0, 3.0)]
}

fn duals(values: &[f64], along: usize) -> Vec<Dual<f64>> {
    values.iter().enumerate().map(|(i, &x)| if i == along { Dual::variable(x) } else { Dual::fixed(x) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// DS (26) with the derivatives of B taken by duals: nothing of how h is computed enters.
    #[test]
    fn velocity_terms_are_the_christoffel_vector_of_the_inertia_matrix(description in any_arm(), seed: u64) {
        let arm = description.build().unwrap().arm;
        let [q, qd, _] = state_of(&arm, seed);
        let size = arm.size();
        let found = terms(&arm, &q, &qd).velocity;
        let slopes: Vec<_> = (0..size).map(|k| terms(&arm, &duals(&q, k), &vec![Dual::fixed(0.0); size]).inertia).collect();
        let known: Vec<f64> = (0..size).map(|i| {
            let mut sum = 0.0;
            for j in 0..size {
                for k in 0..size {
                    sum += (slopes[k][(i, j)].derivative - 0.5 * slopes[i][(j, k)].derivative) * qd[j] * qd[k];
                }
            }
            sum
        }).collect();
        close(&found, &known, 1e-12, &format!("{description:?}"));
    }

    /// B is symmetric, and definite where deflections are zero.
    #[test]
    fn the_inertia_matrix_of_straight_links_is_symmetric_and_definite(description in any_arm(), seed: u64) {
        let arm = description.build().unwrap().arm;
        let [mut q, qd, _] = state_of(&arm, seed);
        let bent = terms(&arm, &q, &qd).inertia;
        prop_assert_eq!(&bent, &bent.transpose());
        q[arm.joints()..].fill(0.0);
        let hubs = description.links.iter().all(|link| link.hub_inertia > 1e-3);
        if hubs {
            prop_assert!(super::factor::smallest_eigenvalue(&terms(&arm, &q, &qd).inertia) > 0.0);
        }
    }

    /// All kinematics agree to first order: their inertia matrices and weights differ by squares of deflections. Rotations
    /// differ already in the first order, but not at zero.
    #[test]
    fn kinematics_differ_by_squares_of_deflections(description in any_arm(), seed: u64) {
        let paper = ArmDescription { kinematics: Kinematics::Paper, ..description }.build().unwrap().arm;
        let linear = paper.clone().with_kinematics(Kinematics::Linear);
        let rotation = paper.clone().with_kinematics(Kinematics::Rotation);
        let [q, qd, _] = state_of(&paper, seed);
        let n = paper.joints();
        let size = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let errors = |scale: f64| {
            let q: Vec<f64> = q.iter().enumerate().map(|(c, &x)| if c < n { x } else { x * scale }).collect();
            let [p, l, r] = [&paper, &linear, &rotation].map(|arm| terms(arm, &q, &qd));
            let tips = [&paper, &linear].map(|arm| tip(arm, &q));
            [
                size(p.inertia.as_slice(), l.inertia.as_slice()),
                size(&tips[0].position, &tips[1].position),
                size(tips[0].jacobian.as_slice(), tips[1].jacobian.as_slice()),
                (weight_energy(&paper, &q) - weight_energy(&linear, &q)).abs(),
                if scale == 0.0 { size(p.inertia.as_slice(), r.inertia.as_slice()) } else { 0.0 },
            ]
        };
        let zero = errors(0.0);
        prop_assert!(zero.iter().all(|&x| x < 1e-12), "{:?}", zero);
        // Terms of second and fourth order may happen to cancel at some scales, but not at scales this far apart.
        let mut coarse = [0.0_f64; 5];
        for scale in [1.0_f64, 0.7, 0.5, 0.3, 0.1] {
            coarse.iter_mut().zip(errors(scale)).for_each(|(coarse, error)| *coarse = coarse.max(error / scale.powi(2)));
        }
        for (coarse, fine) in coarse.into_iter().zip(errors(0.03)) {
            prop_assert!(fine <= 1.5 * 0.03_f64.powi(2) * coarse + 1e-12, "{} {}", coarse, fine);
        }
    }

    /// Gravity is the derivative of its potential energy.
    #[test]
    fn gravity_is_the_gradient_of_the_weight_energy(description in any_arm(), seed: u64) {
        let arm = description.build().unwrap().arm;
        let [q, qd, _] = state_of(&arm, seed);
        let known: Vec<f64> =
            (0..arm.size()).map(|k| weight_energy::<Dual<f64>>(&arm, &duals(&q, k)).derivative).collect();
        close(&terms(&arm, &q, &qd).gravity, &known, 1e-13, "g");
    }

    /// d/dt of the energy is the power of torques less what friction takes; the momentum of θ₁ changes by its torque.
    #[test]
    fn energy_and_base_momentum_balance_at_every_state(description in any_arm(), seed: u64) {
        let arm = description.build().unwrap().arm;
        let [q, qd, _] = state_of(&arm, seed);
        let n = arm.joints();
        let torque: Vec<f64> = (0..n).map(|i| 0.3 - 0.2 * i as f64).collect();
        let mut qdd = vec![0.0; arm.size()];
        let solved = accelerations_into(&arm, &q, &qd, &torque, &mut Workspace::new(&arm), &mut qdd);
        prop_assume!(solved);
        let jets = |values: [&[f64]; 2]| -> Vec<Jet<f64, 2>> {
            values[0].iter().zip(values[1]).map(|(&x, &v)| Jet::from_derivatives([x, v])).collect()
        };
        let (qj, vj) = (jets([&q, &qd]), jets([&qd, &qdd]));
        let terms: Terms<Jet<f64, 2>> = terms(&arm, &qj, &vj);
        let energy = kinetic_energy(&terms, &vj) + elastic_energy(&arm, &qj) + weight_energy(&arm, &qj);
        let mut power = 0.0;
        for (c, damping) in arm.damping().into_iter().enumerate() {
            power += qd[c] * (torque.get(c).copied().unwrap_or(0.0) - damping * qd[c]);
        }
        let scale: f64 = qd.iter().zip(&qdd).map(|(v, a)| (v * a).abs()).sum::<f64>() + 10.0;
        prop_assert!((energy.derivatives()[1] - power).abs() < 1e-10 * scale, "{:?} {}", energy.derivatives(), power);
        let momentum = base_momentum(&terms, &vj).derivatives()[1];
        let outer = torque[0] - arm.links()[0].viscous * qd[0] - terms.gravity[0].derivatives()[0];
        prop_assert!((momentum - outer).abs() < 1e-10 * scale, "{} {}", momentum, outer);
    }

    /// The forces of the accelerations are the torques.
    #[test]
    fn accelerations_undo_forces(description in any_arm(), seed: u64) {
        let arm = description.build().unwrap().arm;
        let [q, qd, _] = state_of(&arm, seed);
        let mut torque: Vec<f64> = (0..arm.joints()).map(|i| 0.5 * i as f64 - 0.2).collect();
        let mut qdd = vec![0.0; arm.size()];
        prop_assume!(accelerations_into(&arm, &q, &qd, &torque, &mut Workspace::new(&arm), &mut qdd));
        torque.resize(arm.size(), 0.0);
        let scale = qdd.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (found, known) in forces(&arm, &q, &qd, &qdd).iter().zip(&torque) {
            prop_assert!((found - known).abs() < 1e-10 * scale);
        }
    }

    /// In the untruncated kinematics the tip's Jacobian is the derivative of its position.
    #[test]
    fn the_untruncated_tip_jacobian_is_the_derivative_of_the_tip(description in any_arm(), seed: u64) {
        let arm = description.build().unwrap().arm;
        prop_assume!(arm.kinematics() != Kinematics::Paper);
        let [q, ..] = state_of(&arm, seed);
        let jacobian = tip(&arm, &q).jacobian;
        for k in 0..arm.size() {
            let moved = tip::<Dual<f64>>(&arm, &duals(&q, k));
            let known = [moved.position[0].derivative, moved.position[1].derivative, moved.angle.derivative];
            close(&[jacobian[(0, k)], jacobian[(1, k)], jacobian[(2, k)]], &known, 1e-13, "tip");
        }
    }
}

#[test]
fn printed_numbers_of_the_paper_are_met_to_their_last_digit() {
    let built = paper(2).build().unwrap();
    let printed = |f: fn(&super::modes::Mode) -> f64, digits: usize| {
        let modes = built.modes.iter().flatten();
        modes.map(|mode| format!("{:.digits$}", f(mode))).collect::<Vec<_>>()
    };
    assert_eq!(printed(|mode| mode.frequency(), 2), ["0.48", "1.80", "2.18", "15.91"]);
    assert_eq!(printed(|mode| mode.tip, 3), ["0.186", "0.215", "0.883", "-0.069"]);
    assert_eq!(printed(|mode| mode.tip_slope, 3), ["0.657", "-0.560", "2.641", "-10.853"]);
    assert_eq!(printed(|mode| mode.v, 3), ["0.007", "0.013", "0.033", "0.054"]);
    assert_eq!(printed(|mode| mode.w, 3), ["0.002", "0.004", "0.012", "0.016"]);
}

#[test]
fn boundaries_of_the_paper_follow_from_the_outboard_links() {
    let boundary = paper(2).build().unwrap().boundaries;
    // DS (28), (29) with J_o = 1/120.
    close(&[boundary[0].mass, boundary[0].inertia], &[1.2, 1.0 / 120.0 + 0.1 + 0.0005 + 0.025], 1e-15, "link 1");
    assert_eq!((boundary[1].mass, boundary[1].inertia, boundary[1].mass_distance), (0.1, 0.0005, 0.0));
    for (angle, offset, hertz) in [(0.0, 0.075, [0.44098, 1.98585]), (180.0, -0.075, [0.53075, 1.65405])] {
        let stated = ArmDescription { boundary_configuration: Some(vec![0.3, f64::to_radians(angle)]), ..paper(2) };
        let built = stated.build().unwrap();
        assert!((built.boundaries[0].mass_distance - offset).abs() < 1e-15);
        let found: Vec<f64> = built.modes[0].iter().map(|mode| mode.frequency()).collect();
        assert!(found.iter().zip(hertz).all(|(a, b)| (a - b).abs() < 5e-6), "{found:?}");
    }
}

#[test]
fn definiteness_ends_where_it_is_known_to() {
    let arm = paper(2).build().unwrap().arm;
    let ranges = |degrees: f64| validity(&arm, &[0.0, degrees.to_radians(), 0.0, 0.0, 0.0, 0.0]);
    let right = ranges(90.0);
    for (found, [low, high]) in right.iter().zip([[-0.296, 0.402], [-0.471, 0.347], [-2.86, 2.86], [-7.33, 7.33]]) {
        assert!((found.range[0] / low - 1.0).abs() < 3e-3 && (found.range[1] / high - 1.0).abs() < 3e-3, "{found:?}");
    }
    let [low, high] = ranges(45.0)[0].range;
    assert!((low + 0.391).abs() < 1e-3 && (high - 0.564).abs() < 1e-3);
    for (share, good) in [(0.999, true), (1.001, false)] {
        let mut q = [0.0, 90_f64.to_radians(), 0.0, 0.0, 0.0, 0.0];
        q[2] = share * right[0].range[1];
        let mut qdd = [0.0; 6];
        let solved = accelerations_into(&arm, &q, &[0.0; 6], &[0.0; 2], &mut Workspace::new(&arm), &mut qdd);
        assert_eq!(solved, good);
        if !good {
            let diagnosis = Indefinite::at(&arm, &q, Some(0.5)).to_string();
            let parts = ["at t = 0.5 s", "delta11 = 0.40", "between -0.29", "and 0.40", "smallest eigenvalue -"];
            assert!(parts.iter().all(|part| diagnosis.contains(part)), "{diagnosis}");
        }
    }
    // Straight along θ₂ = 0 no deflection can harm.
    assert!(ranges(0.0).iter().all(|validity| validity.range == [f64::NEG_INFINITY, f64::INFINITY]));
    let q = [0.0, 1.5, 5.0, -7.0, 9.0, 30.0];
    let rotation = arm.with_kinematics(Kinematics::Rotation);
    assert!(accelerations_into(&rotation, &q, &[0.0; 6], &[0.0; 2], &mut Workspace::new(&rotation), &mut [0.0; 6]));
}

#[test]
fn an_arm_without_modes_is_the_rigid_two_link_arm() {
    let arm = ArmDescription { gravity: [0.0, -9.81], ..paper(0) }.build().unwrap().arm;
    let (q, qd) = ([0.3, 1.1], [0.7, -0.4]);
    let found = terms(&arm, &q, &qd);
    let (l, jo, a) = (0.5, 0.1 * 0.25 / 3.0, 0.1 * 0.25 + 0.1 * 0.5);
    let inner = 0.1 + jo + 0.0005 + 0.1 * l * l;
    let b12 = inner + a * l * 1.1_f64.cos();
    let b11 = 0.1 + jo + (1.0 + 0.1 + 0.1) * l * l + inner + 2.0 * a * l * 1.1_f64.cos();
    close(found.inertia.as_slice(), &[b11, b12, b12, inner], 1e-15, "B");
    let k = a * l * 1.1_f64.sin();
    close(&found.velocity, &[-k * (2.0 * qd[0] + qd[1]) * qd[1], k * qd[0] * qd[0]], 1e-15, "h");
    let outer = 9.81 * a * 1.4_f64.cos();
    close(&found.gravity, &[9.81 * (0.025 + 1.2 * l) * 0.3_f64.cos() + outer, outer], 1e-14, "g");
}

#[test]
fn five_links_with_three_modes_each_are_assembled_and_solved() {
    let links = (0..5).map(|i| link(0.5, 0.2, 1.0 + i as f64, [0.3, 0.02], 3)).collect();
    let arm = description(links, [0.1, 0.0005]).build().unwrap().arm;
    assert_eq!((arm.size(), arm.coordinate_names()[19].as_str()), (20, "delta53"));
    let [q, qd, _] = state_of(&arm, 7);
    let q: Vec<f64> = q.iter().enumerate().map(|(c, x)| if c < 5 { *x } else { 0.1 * x }).collect();
    let mut qdd = vec![0.0; 20];
    assert!(accelerations_into(&arm, &q, &qd, &[0.0; 5], &mut Workspace::new(&arm), &mut qdd));
    assert!(qdd.iter().all(|x| x.is_finite()));
}

/// The same arm with another payload: the modes kept, or computed again. Physics is the same, coordinates are not.
#[test]
fn a_payload_change_keeps_the_modes_or_computes_them_again() {
    let kept = paper(5).build().unwrap().arm.with_payload(Payload { mass: 0.2, inertia: 0.001 });
    let again = description(paper(5).links, [0.2, 0.001]).build().unwrap().arm;
    let (q, zero) = ([0.0, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 12]);
    let (a, b) = (terms(&kept, &q, &zero).inertia, terms(&again, &q, &zero).inertia);
    // The rigid part is the same, the modes are coupled by the payload that they do not know.
    assert!((0..2).all(|i| (0..2).all(|j| (a[(i, j)] - b[(i, j)]).abs() < 1e-15)));
    assert!(a[(7, 8)].abs() > 1e-4 && b[(7, 8)].abs() < 1e-12);
}
