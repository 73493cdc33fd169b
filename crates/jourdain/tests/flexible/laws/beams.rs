//! Modes of single beams by their laws: the frequency equation by brute force, the balance of the body at the end however heavy it
//! is, nodes against a dense scan, and what is refused.

use jourdain::flexible::modes::{Beam, Boundary, MOST_MODES, Mode, ModesError, cross_moments, modes};
use std::f64::consts::PI;

/// With it bodies are their ratios to the beam, and β is βℓ.
const UNIT: Beam = Beam { length: 1.0, density: 1.0, rigidity: 1.0 };

fn body(mass: f64, inertia: f64, mass_distance: f64) -> Boundary {
    Boundary { mass, inertia, mass_distance }
}

fn mode(boundary: &Boundary, order: usize) -> Mode {
    modes(&UNIT, boundary, order).unwrap()[order - 1]
}

fn largest(mode: &Mode) -> f64 {
    (0..=50).map(|i| mode.at(f64::from(i) / 50.0).abs()).fold(0.0, f64::max)
}

/// Σ ratioᵏ x^(first + 4k) / (first + 4k)!, by the definition.
fn sum(x: f64, first: u32, ratio: f64) -> f64 {
    let power = |n: u32| (1..=n).fold(1.0, |term, k| term * x / f64::from(k));
    (0..12).rev().map(|k| ratio.powi(k) * power(first + 4 * k as u32)).sum()
}

/// DS (22) with an offset.
fn frequency_equation(boundary: &Boundary, x: f64) -> f64 {
    let Boundary { mass: a, inertia: b, mass_distance: d } = *boundary;
    let ((s, c), (sh, ch)) = (x.sin_cos(), (x.sinh(), x.cosh()));
    1.0 + c * ch - a * x * (s * ch - c * sh) - b * x.powi(3) * (s * ch + c * sh)
        + (a * b - d * d) * x.powi(4) * (1.0 - c * ch)
        - 2.0 * d * x * x * s * sh
}

/// Every change of sign of the frequency equation is a mode, and there are no others.
#[test]
fn frequencies_are_all_roots_of_the_frequency_equation() {
    let bodies = [
        body(2.1, 8e4, 61.0),
        body(2.1, 8e4, 0.0),
        body(0.3, 50.0, -2.0),
        body(0.0, 20.0, 0.0),
        body(0.4, 0.02, 0.05),
        body(300.0, 2.0, -10.0),
    ];
    for boundary in bodies {
        let step = 1e-3;
        let mut roots = Vec::new();
        // Below this the terms of the equation cancel to rounding, and none of these bodies has a root.
        for i in 30..11_000 {
            let [low, high] = [i, i + 1].map(|i| step * f64::from(i));
            if frequency_equation(&boundary, low) * frequency_equation(&boundary, high) < 0.0 {
                roots.push(0.5 * (low + high));
            }
        }
        let found = modes(&UNIT, &boundary, roots.len()).unwrap();
        assert!(roots.len() >= 3, "{boundary:?} {roots:?}");
        for (mode, root) in found.iter().zip(&roots) {
            assert!((mode.beta - root).abs() < step, "{boundary:?}: {} {root}", mode.beta);
        }
    }
}

/// Bodies so heavy or so much off the end that what they do is the small difference of large numbers, each with a mode.
fn heavy() -> Vec<(Boundary, usize)> {
    // A body with almost M J = MD², which turns about a point off the end.
    let slim = body(62.7, 6.5e6, (1.0 - 1e-7) * (62.7_f64 * 6.5e6).sqrt());
    vec![
        (body(0.0, 9.3e6, 0.0), 1),
        (body(0.0, 9.3e6, 0.0), 20),
        (body(4.4e6, 6.0e6, -3.6e6), 1),
        (body(2.6e6, 0.0, 0.0), 1),
        (body(9.8e6, 0.0, 0.0), 20),
        (body(0.057, 2.17e6, -317.0), 1),
        (body(8.76e6, 75.0, 23_072.0), 1),
        (slim, 1),
        (body(3300.0, 9.02e6, 0.0), 14),
        (body(0.0225, 1.47e6, 0.0), 20),
        (body(0.15, 0.0068, -0.0319), 3),
        (body(1.07, 5.88e6, 1755.6), 1),
        (body(860.0, 253.0, -400.0), 2),
        (body(0.4, 0.02, 0.05), 2),
        // Bodies for which one of both balances holds with any shape, so that the other has to tell it.
        (body(0.579_665_566_893_696_3, 0.004_981_167_006_926_543, 0.047_887_575_515_298_944), 2),
        (body(0.173_483_403_825_774_6, 0.000_150_353_468_430_254_18, 0.003_807_355_196_116_222_8), 5),
        (body(0.081_496_905_042_840_74, 0.032_732_145_648_393_315, -0.051_195_499_993_725_566), 3),
        (body(12.092_409_164_887_947, 17.085_684_954_004_584, -6.179_639_978_749_33), 2),
    ]
}

/// EI φ'' = ω² (J φ' + MD φ) and EI φ''' = −ω² (M φ + MD φ') at the end, DS (16), to thirteen digits.
#[test]
fn heavy_bodies_are_moved_by_the_forces_at_the_end_of_the_beam() {
    for (boundary, order) in heavy() {
        let found = mode(&boundary, order);
        let (size, x, k) = (largest(&found), found.beta, found.beta.powi(4));
        let (y, slope) = (found.tip, found.tip_slope);
        let check = |what: &str, terms: [f64; 3], size: f64| {
            let scale = size + terms.iter().map(|x| x.abs()).sum::<f64>();
            let left = terms.iter().sum::<f64>();
            assert!(left.abs() < 2e-13 * scale, "{boundary:?}, mode {order}, {what}: {left} of {scale}");
        };
        let Boundary { mass, inertia, mass_distance } = boundary;
        check("tip", [y, -found.at(1.0), 0.0], size);
        check("slope", [slope, -found.derivative(1.0, 1), 0.0], x * size);
        let [bend, shear] = [2, 3].map(|order| found.derivative(1.0, order));
        let [clamp_bend, clamp_shear] = [2, 3].map(|order| found.derivative(0.0, order).abs());
        check("moment", [bend, -k * inertia * slope, -k * mass_distance * y], x.powi(2) * size + clamp_bend);
        check("shear", [shear, k * mass * y, k * mass_distance * slope], x.powi(3) * size + clamp_shear);
    }
}

/// At βℓ = nπ the beam answers a turned end without a force across it, so that with the inertia that this moment turns the frequency is
/// that one with any mass: the balance of moments holds for all shapes, and only that of forces tells which it is.
#[test]
fn an_inertia_that_takes_all_moments_keeps_its_frequency_with_any_mass() {
    for n in 1..4 {
        let x = f64::from(n) * PI;
        let tanh = (0.5 * x).tanh();
        let inertia = if n % 2 == 1 { tanh } else { 1.0 / tanh } / x.powi(3);
        for mass in [0.0, 0.01, 0.5, 10.0, 1000.0] {
            let boundary = body(mass, inertia, 0.0);
            let all = modes(&UNIT, &boundary, n as usize + 2).unwrap();
            let found = all.iter().find(|mode| (mode.beta - x).abs() < 1e-9).unwrap_or_else(|| panic!("{boundary:?}"));
            let (shear, pull) = (found.derivative(1.0, 3), x.powi(4) * mass * found.tip);
            let scale = x.powi(3) * largest(found) + pull.abs();
            assert!((shear + pull).abs() < 1e-12 * scale, "{boundary:?} at {n} π: {shear} {pull}");
            // And it is orthogonal to the others in the sense of all masses.
            for other in all.iter().filter(|other| other.beta != found.beta) {
                let cross = integral(|s| found.at(s) * other.at(s))
                    + mass * found.tip * other.tip
                    + inertia * found.tip_slope * other.tip_slope;
                assert!(cross.abs() < 1e-9, "{boundary:?} at {n} π: {cross}");
            }
        }
    }
}

/// Over the beam of length one, by Gauss–Legendre of order 5 on 40 pieces.
fn integral(f: impl Fn(f64) -> f64) -> f64 {
    let nodes = [
        (0.0, 128.0 / 225.0),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = 0.5 / 40.0;
    (0..40).map(|i| half * nodes.map(|(x, w)| w * f(half * (f64::from(2 * i + 1) + x))).iter().sum::<f64>()).sum()
}

/// A mass that is all but everything bends the beam into the cubic of a force at its end: v = ⅜, w = 11/40 of the tip.
#[test]
fn a_heavy_mass_bends_the_beam_like_a_force() {
    for mass in [1e4, 1e5, 3e5, 7e5, 2e6, 1e8] {
        let found = mode(&body(mass, 0.0, 0.0), 1);
        let near = |known: f64, found: f64, tolerance: f64| {
            assert!((found / known - 1.0).abs() < tolerance, "{mass}: {found} for {known}");
        };
        near(mass.powf(-0.5), found.tip, 1.0 / mass);
        near(0.375 * found.tip, found.v, 1.0 / mass);
        near(0.275 * found.tip, found.w, 1.0 / mass);
        near(3.0 / mass, found.beta.powi(4), 1.0 / mass);
        // The integrals themselves are right to all digits.
        near(integral(|s| found.at(s)), found.v, 1e-13);
        near(integral(|s| s * found.at(s)), found.w, 1e-13);
    }
}

/// Where the beam hardly moves, its deflection keeps its digits.
#[test]
fn near_the_clamp_the_deflection_is_that_of_its_curvature() {
    for boundary in [Boundary::default(), body(0.5, 0.0, 0.0), body(0.5, 0.01, 0.02)] {
        let found = mode(&boundary, 1);
        let [bend, shear] = [2, 3].map(|order| found.derivative(0.0, order));
        for s in [1e-5, 1e-4, 1e-3_f64] {
            let known = bend * s * s / 2.0 + shear * s.powi(3) / 6.0;
            assert!((found.at(s) / known - 1.0).abs() < 1e-13, "{boundary:?} {s}: {} {known}", found.at(s));
        }
    }
}

/// Changes of sign on a dense grid, none of whose points are places of another one.
fn scanned(found: &Mode) -> Vec<f64> {
    let count = 5003;
    let place = |i: usize| i as f64 / count as f64;
    let values: Vec<f64> = (1..=count).map(|i| found.at(place(i))).collect();
    (1..count).filter(|&i| values[i - 1] * values[i] < 0.0).map(|i| place(i) + 0.5 / count as f64).collect()
}

#[test]
fn nodes_are_where_the_beam_changes_sides() {
    let cases = [
        // A heavy body that turns about a point near the end of the beam bends it through a node close before it.
        (body(171.2, 11.95, -40.7), 2, 1),
        (body(18_460.0, 101.1, -956.3), 2, 1),
        // Two nodes close to each other and to the end.
        (body(58_044.262_602_389_08, 0.671_838_697_833_718_2, -59.242_504_693_131_195), 3, 2),
        (body(37.065_140_225_833_8, 0.050_568_148_760_923_484, -0.410_716_930_781_530_76), 4, 3),
        (body(14.463_140_824_670_212, 0.035_985_230_543_086_51, -0.505_000_132_581_084_8), 6, 5),
        (body(0.0, 0.0, 0.0), 6, 5),
        (body(0.4, 0.02, 0.05), 1, 0),
    ];
    for (boundary, order, count) in cases {
        let found = mode(&boundary, order);
        let (nodes, scanned) = (found.nodes(), scanned(&found));
        assert_eq!(nodes.len(), count, "{boundary:?}: {nodes:?} {scanned:?}");
        assert_eq!(scanned.len(), count, "{boundary:?}: {nodes:?} {scanned:?}");
        for (node, near) in nodes.iter().zip(&scanned) {
            assert!((node - near).abs() < 2e-4, "{boundary:?}: {nodes:?} {scanned:?}");
            assert!(found.at(*node).abs() < 1e-13 * largest(&found), "{boundary:?}: {node}");
        }
    }
}

/// A second mode whose node is at a place to the last digits: it wanders out as the body at the end grows.
fn with_node_at(place: f64, ratio: f64) -> [Mode; 2] {
    let wandering = |scale: f64| mode(&body(scale, ratio * scale, 0.0), 2);
    let (mut low, mut high) = (0.0, 10.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return [wandering(low), wandering(high)];
        }
        // Before its node the second mode is positive.
        if wandering(middle).at(place) < 0.0 { low = middle } else { high = middle }
    }
}

#[test]
fn a_node_is_found_up_to_the_end_which_is_none() {
    for place in [0.9, 0.99, 0.999, 0.9999] {
        let found = with_node_at(place, 0.02)[0].nodes();
        assert!(found.len() == 1 && (found[0] - place).abs() < 1e-9, "{place}: {found:?}");
    }
    // Exactly on a line of any grid, and exactly at the end. Which bodies do that is a matter of the last bit.
    let exactly = |place: f64| {
        let mut ratios = (0..200).map(|i| 0.02 + 1e-5 * f64::from(i));
        let zero = ratios.find_map(|ratio| with_node_at(place, ratio).into_iter().find(|mode| mode.at(place) == 0.0));
        zero.unwrap_or_else(|| panic!("no mode with a zero at {place}")).nodes()
    };
    let found = exactly(0.875);
    assert!(found.len() == 1 && (found[0] - 0.875).abs() < 1e-12, "{found:?}");
    assert!(exactly(1.0).is_empty());
}

/// x⁻⁴ times the dynamic stiffness of the end of the beam against a force, a moment, and between them.
fn stiffness(x: f64) -> [f64; 3] {
    let clamped = 4.0 * sum(x, 4, -4.0);
    let stiffness = [2.0 * sum(x, 1, -4.0) / x, 4.0 * sum(x, 3, -4.0) / x.powi(3), -2.0 * sum(x, 2, -4.0) / (x * x)];
    stiffness.map(|k| k / clamped)
}

/// The body that turns without moving the end at x, and has another frequency at `other`. Where both are one, it moves there in
/// whichever way.
fn with_frequencies(x: f64, other: f64) -> Boundary {
    let [_, inertia, offset] = stiffness(x);
    let [force, moment, coupling] = stiffness(other);
    let share = if x == other { 0.0 } else { (coupling - offset).powi(2) / (moment - inertia) };
    body(force - share, inertia, offset)
}

/// The integral of both shapes over all masses.
fn product(boundary: &Boundary, a: &Mode, b: &Mode) -> f64 {
    let Boundary { mass, inertia, mass_distance } = boundary;
    integral(|s| a.at(s) * b.at(s))
        + mass * a.tip * b.tip
        + inertia * a.tip_slope * b.tip_slope
        + mass_distance * (a.tip * b.tip_slope + b.tip * a.tip_slope)
}

#[test]
fn two_frequencies_in_one_place_are_found_there() {
    let apart = [0.0, 1e-15, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 9e-4, 1.1e-3, 1e-2, 0.03];
    for i in 0..25 {
        let x = 0.2 + f64::from(i) / 25.0;
        for other in apart.iter().flat_map(|share| [x * (1.0 + share), x * (1.0 - share)]) {
            let boundary = with_frequencies(x, other);
            let found = modes(&UNIT, &boundary, 2).unwrap();
            for (mode, known) in found.iter().zip([x.min(other), x.max(other)]) {
                assert!((mode.beta / known - 1.0).abs() < 2e-14, "{boundary:?}: {} {known}", mode.beta);
                assert!((product(&boundary, mode, mode) - 1.0).abs() < 1e-12, "{boundary:?}");
                assert!(mode.derivative(0.0, 2) > 0.0, "{boundary:?}");
            }
            let cross = product(&boundary, &found[0], &found[1]);
            assert!(cross.abs() < 1e-11, "{boundary:?} at {x} and {other}: {cross}");
            let z = cross_moments(&UNIT, &boundary, &found)[1];
            assert!((z - integral(|s| found[0].at(s) * found[1].at(s))).abs() < 1e-11, "{boundary:?}: {z}");
            // The nearer both are, the less is known of how each moves.
            let turning = &found[usize::from(other < x)];
            let known = 1e-14 * (turning.tip.abs() + turning.tip_slope.abs());
            assert!((turning.tip * (other / x - 1.0)).abs() < known, "{boundary:?} at {x} and {other}: {turning:?}");
        }
    }
}

/// Above the first two modes that takes a body that is all but a point off the end.
#[test]
fn two_high_frequencies_in_one_place_are_told_apart() {
    let boundary = body(160.201_355_825_863_15, 2.597_169_810_341_012, -20.397_790_916_330_045);
    let found = modes(&UNIT, &boundary, 4).unwrap();
    assert!(found[2..].iter().all(|mode| (mode.beta / 7.854 - 1.0).abs() < 1e-11), "{found:?}");
    let cross = product(&boundary, &found[2], &found[3]);
    assert!(cross.abs() < 1e-10, "{cross}");
}

#[test]
fn bodies_up_to_a_point_off_the_end_are_borne() {
    // M J = MD² exactly, or but for rounding.
    for (mass, arm) in [(0.25_f64, 0.5_f64), (0.3, 0.1), (0.7, -0.3)] {
        let point = body(mass, mass * arm * arm, mass * arm);
        assert!(modes(&UNIT, &point, 1).is_ok(), "{point:?}");
        let beyond = body(mass, mass * arm * arm * (1.0 - 1e-8), mass * arm);
        assert!(matches!(modes(&UNIT, &beyond, 1), Err(ModesError::Offset { .. })), "{beyond:?}");
    }
}

#[test]
fn as_many_modes_as_are_offered_are_found() {
    let found = modes(&UNIT, &Boundary::default(), MOST_MODES).unwrap();
    // High ones of a clamped–free beam are at (n − ½)π.
    for (mode, order) in found.iter().zip(1..).skip(7) {
        assert!((mode.beta - (f64::from(order) - 0.5) * PI).abs() < 1e-9, "{order}: {}", mode.beta);
    }
    assert_eq!(found.len(), 20);
    let error = modes(&UNIT, &Boundary::default(), MOST_MODES + 1).unwrap_err();
    assert_eq!(error.to_string(), "21 modes are too many: at most 20");
}

#[test]
fn numbers_too_far_apart_for_a_mode_are_refused() {
    let tiny = Beam { length: 1e-100, density: 1e-100, rigidity: 1e-300 };
    let cases = [
        // A frequency that is too small to be a number.
        (Beam { length: 1.0, density: 1e300, rigidity: 1e-300 }, Boundary::default()),
        // A stiffness that is.
        (Beam { length: 1.0, density: 1e-100, rigidity: 1e-300 }, body(1e150, 0.0, 0.0)),
        // An inertia beyond all numbers next to that of the beam.
        (tiny, body(1e-199, 1e-50, 0.0)),
        (tiny, body(3e-199, 1e-50, 0.0)),
        (tiny, body(1e-197, 1e-20, 0.0)),
        // A beam without mass.
        (Beam { length: 1e-200, density: 1e-200, rigidity: 1.0 }, body(1.0, 1.0, 0.0)),
    ];
    for (beam, boundary) in cases {
        for count in 1..4 {
            let found = modes(&beam, &boundary, count);
            assert_eq!(found, Err(ModesError::NotFinite { beam }), "{boundary:?}");
        }
    }
}
