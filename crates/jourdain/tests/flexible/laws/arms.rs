//! Flexible arms from their descriptions: what is refused, bodies at the ends of links, damping, names, scenarios, and how far
//! links may bend.

use jourdain::flexible::boundary::{boundaries, outboard};
use jourdain::flexible::derive::{ArmConstants, ArmQuantity, Notation, equations, program};
use jourdain::flexible::factor::{Indefinite, Validity, Workspace, accelerations_into, smallest_eigenvalue, validity};
use jourdain::flexible::modes::{Beam, Boundary};
use jourdain::flexible::range::largest_slope;
use jourdain::flexible::scenario::{bang_bang, fitted};
use jourdain::flexible::terms::{Scratch, Terms, terms_into};
use jourdain::flexible::{
    ArmDescription, Damping, FlexibleArm, GivenBoundary, Kinematics, LinkDescription, OutOfRange, Payload, Scenario,
    Stiffening, TwoLink, forces, linearise, linearise_moving, stiffening, terms, tip,
};
use jourdain::prescribed::Torque;

pub(super) fn link(length: f64, density: f64, rigidity: f64, hub: [f64; 2], modes: usize) -> LinkDescription {
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

pub(super) fn arm(links: Vec<LinkDescription>, payload: [f64; 2]) -> ArmDescription {
    ArmDescription {
        name: "test".to_owned(),
        gravity: [0.0; 2],
        kinematics: Kinematics::Paper,
        payload: Payload { mass: payload[0], inertia: payload[1] },
        boundary_configuration: None,
        links,
    }
}

/// Three different links with 2, 1 and 2 modes.
pub(super) fn three() -> ArmDescription {
    let links = vec![
        link(0.6, 0.4, 6.0, [0.1, 0.08], 2),
        link(0.5, 0.3, 3.0, [0.5, 0.04], 1),
        link(0.4, 0.2, 1.5, [0.3, 0.02], 2),
    ];
    arm(links, [0.2, 0.001])
}

/// So many equal links with so many modes each.
pub(super) fn chain(links: usize, modes: usize) -> FlexibleArm<f64> {
    arm(vec![link(0.5, 0.2, 1.0, [0.3, 0.02], modes); links], [0.1, 0.0005]).build().unwrap().arm
}

pub(super) fn close(found: f64, known: f64, tolerance: f64, what: &str) {
    assert!((found - known).abs() <= tolerance * known.abs().max(1e-3), "{what}: {found} for {known}");
}

#[test]
fn numbers_that_no_arm_has_are_refused_by_name() {
    type Change = fn(&mut ArmDescription);
    let cases: &[(Change, &str)] = &[
        (|arm| arm.links.clear(), "an arm needs at least one link"),
        (|arm| arm.gravity[1] = f64::INFINITY, "the gravity must be finite, not inf"),
        (|arm| arm.payload.mass = -0.1, "the mass of the payload must be zero or positive, not -0.1"),
        (|arm| arm.payload.inertia = f64::NAN, "the inertia of the payload must be zero or positive, not NaN"),
        (|arm| arm.links[1].beam.length = 0.0, "the length of link 2 must be positive, not 0"),
        (|arm| arm.links[0].beam.length = f64::INFINITY, "the length of link 1 must be positive, not inf"),
        (|arm| arm.links[2].beam.density = 0.0, "the density of link 3 must be positive, not 0"),
        (|arm| arm.links[0].beam.rigidity = 0.0, "the rigidity of link 1 must be positive, not 0"),
        (|arm| arm.links[1].hub_mass = -1.0, "the mass of hub 2 must be zero or positive, not -1"),
        (|arm| arm.links[1].hub_inertia = -1.0, "the inertia of hub 2 must be zero or positive, not -1"),
        (|arm| arm.links[2].viscous = -0.5, "the friction of joint 3 must be zero or positive, not -0.5"),
        (
            |arm| arm.links[0].damping = Damping::Factor(-1.0),
            "the damping factor of link 1 must be zero or positive, not -1",
        ),
        (
            |arm| arm.links[0].damping = Damping::Ratio(-1.0),
            "the damping ratio of link 1 must be zero or positive, not -1",
        ),
        (|arm| arm.links[1].damping = Damping::Given(vec![1.0; 2]), "the damping of link 2 must have 1 numbers, not 2"),
        (
            |arm| arm.links[0].damping = Damping::Given(vec![0.1, -0.1]),
            "the damping of link 1 must be zero or positive, not -0.1",
        ),
        (
            |arm| arm.boundary_configuration = Some(vec![0.0; 2]),
            "the boundary configuration must have 3 numbers, not 2",
        ),
        (
            |arm| arm.boundary_configuration = Some(vec![0.0, f64::NAN, 0.0]),
            "the boundary configuration must be finite, not NaN",
        ),
        (|arm| arm.links[2].modes = 21, "link 3: 21 modes are too many: at most 20"),
        (
            |arm| arm.links[0].boundary.mass = Some(-1.0),
            "link 1: the boundary mass must not be negative or infinite, but is -1",
        ),
    ];
    for (change, message) in cases {
        let mut description = three();
        change(&mut description);
        assert_eq!(description.build().unwrap_err().to_string(), *message);
    }
}

#[test]
fn what_may_be_zero_may_be_zero() {
    let mut links = vec![link(0.5, 0.2, 1.0, [0.0, 0.0], 0), link(0.5, 0.2, 1.0, [0.0, 0.0], 2)];
    links[0].damping = Damping::Factor(0.0);
    links[1].damping = Damping::Given(vec![0.0, 0.0]);
    let stated = ArmDescription { boundary_configuration: Some(vec![0.0; 2]), ..arm(links, [0.0, 0.0]) };
    assert_eq!(stated.build().unwrap().arm.damping(), [0.0; 4]);
}

/// A ratio is that of each mode as an oscillator of the link's mass, D = 2 ζ ω m with K = ω² m.
#[test]
fn damping_is_given_or_follows_the_stiffness_or_is_a_ratio() {
    let mut description = three();
    description.links[0].damping = Damping::Given(vec![0.3, 0.7]);
    description.links[1].damping = Damping::Factor(0.2);
    description.links[2].damping = Damping::Ratio(0.05);
    (description.links[0].viscous, description.links[2].viscous) = (0.01, 0.03);
    let built = description.build().unwrap();
    let mode = &built.modes[1][0];
    let ratio = |j: usize| 2.0 * 0.05 * built.modes[2][j].omega * 0.4 * 0.2;
    let known = [0.01, 0.0, 0.03, 0.3, 0.7, 0.2 * mode.omega * (0.5_f64 * 0.3).sqrt(), ratio(0), ratio(1)];
    for (found, known) in built.arm.damping().into_iter().zip(known) {
        close(found, known, 1e-13, "damping");
    }
}

/// All that lies beyond a link, as very many points.
#[test]
fn the_body_at_the_end_of_a_link_is_the_sum_of_all_that_lies_beyond() {
    let mut description = three();
    let angles = [0.9, 0.7, -1.9];
    description.boundary_configuration = Some(angles.to_vec());
    description.links[1].boundary.inertia = Some(0.5);
    let pieces = 2000;
    for i in 0..3 {
        let (mut at, mut angle) = ([0.0_f64; 2], 0.0_f64);
        let [mut mass, mut inertia, mut distance] = [0.0; 3];
        let mut add = |m: f64, x: f64, y: f64| {
            mass += m;
            inertia += m * (x * x + y * y);
            distance += m * x;
        };
        for j in i + 1..3 {
            let LinkDescription { beam, hub_mass, .. } = &description.links[j];
            angle += angles[j];
            let (sin, cos) = angle.sin_cos();
            add(*hub_mass, at[0], at[1]);
            for k in 0..pieces {
                let s = beam.length * (f64::from(k) + 0.5) / f64::from(pieces);
                add(beam.density * beam.length / f64::from(pieces), at[0] + s * cos, at[1] + s * sin);
            }
            at = [at[0] + beam.length * cos, at[1] + beam.length * sin];
        }
        add(description.payload.mass, at[0], at[1]);
        inertia += description.links[i + 1..].iter().map(|link| link.hub_inertia).sum::<f64>();
        inertia += description.payload.inertia;
        let found = outboard(&description, i, &angles);
        close(found.mass, mass, 1e-12, "mass");
        close(found.inertia, inertia, 1e-6, "inertia");
        close(found.mass_distance, distance, 1e-6, "mass distance");
        // What the file gives comes before what follows from the arm.
        let used = boundaries(&description)[i];
        let given = if i == 1 { 0.5 } else { found.inertia };
        assert_eq!(used, Boundary { inertia: given, ..found });
    }
}

#[test]
fn coordinates_have_a_separator_from_the_tenth_link_or_mode_on() {
    let last = |links, modes| chain(links, modes).coordinate_names().pop().unwrap();
    assert_eq!([last(2, 9), last(2, 10), last(2, 11)], ["delta29", "delta2_10", "delta2_11"]);
    assert_eq!([last(9, 1), last(10, 1), last(11, 1)], ["delta91", "delta10_1", "delta11_1"]);
}

#[test]
fn constants_have_a_separator_from_the_tenth_link_or_mode_on() {
    let named = |links, modes, name: &str| {
        let found = program(&chain(links, modes), ArmQuantity::Tip, ArmConstants::Symbolic).unwrap();
        found.parameters.iter().any(|parameter| parameter.symbol.text == name)
    };
    for (links, modes, name) in [
        (1, 9, "phi19e"),
        (1, 10, "phi1_10e"),
        (1, 11, "phi1_11e"),
        (1, 10, "z1_9_10"),
        (9, 1, "phi91e"),
        (10, 1, "phi10_1e"),
        (11, 1, "phi11_1e"),
        (10, 1, "phi91e"),
    ] {
        assert!(named(links, modes, name), "{name}");
    }
}

#[test]
fn elements_have_a_separator_from_the_tenth_coordinate_on() {
    for (modes, text, latex) in [(8, "B99", "B_{99}"), (9, "B10_10", "B_{10,10}"), (10, "B11_11", "B_{11,11}")] {
        for (notation, name) in [(Notation::Text, text), (Notation::Latex, latex)] {
            let arm = chain(1, modes);
            let (_, found) = equations(&arm, ArmQuantity::Inertia, ArmConstants::Numeric, notation).unwrap();
            let names: Vec<&String> = found.iter().flat_map(|equation| &equation.left).collect();
            assert!(names.iter().any(|&left| left == name), "{names:?}");
            assert_eq!(names.len(), (modes + 1) * (modes + 1));
        }
    }
}

#[test]
fn the_figures_of_the_paper_start_and_are_driven_as_it_says() {
    let right = std::f64::consts::FRAC_PI_2;
    let (stretched, bent) = ([0.0, 0.0, 0.0, 0.0, 0.1, 0.002], [0.0, right, 0.1, 0.002, 0.0, 0.0]);
    let known = [
        ("fig5", stretched, false, None),
        ("fig6", bent, false, None),
        ("fig7", stretched, false, Some(0.1)),
        ("fig8", bent, false, Some(0.1)),
        ("fig9", [0.0; 6], true, None),
        ("fig10", [0.0; 6], true, Some(0.1)),
    ];
    assert_eq!(known.map(|(name, ..)| name), Scenario::FIGURES);
    for (name, q0, driven, damping) in known {
        let found = Scenario::figure(name).unwrap();
        assert_eq!((&found.q0[..], &found.qd0[..], found.damping_factor), (&q0[..], &[0.0; 6][..], damping), "{name}");
        assert_eq!((found.duration, found.step), (2.0, 1e-3));
        assert_eq!(found.torque != Torque::None, driven, "{name}");
        if driven {
            assert_eq!(found.torque, bang_bang(&[0.2, 0.2], 0.5, 1.0).unwrap());
        }
    }
    assert!(Scenario::figure("fig11").is_none());
}

#[test]
fn a_bang_bang_torque_turns_at_its_switch_and_ends() {
    let torque = bang_bang(&[0.3, -0.1], 0.5, 1.25).unwrap();
    assert_eq!((torque.knots(), torque.size()), (&[0.0, 0.5, 1.25][..], Some(2)));
    for (t, known) in [(0.1, [0.3, -0.1]), (0.7, [-0.3, 0.1]), (1.5, [0.0, 0.0])] {
        let mut found = [7.0; 2];
        torque.at_into(t, t, &mut found);
        assert_eq!(found, known, "{t}");
    }
    for (switch, end) in [(0.0, 1.0), (-0.1, 1.0), (1.0, 1.0), (1.0, 0.5)] {
        assert!(bang_bang(&[0.2], switch, end).is_none(), "{switch} {end}");
    }
}

#[test]
fn vectors_of_arms_with_fewer_modes_are_filled_up_link_by_link() {
    let arm = chain(2, 3);
    let whole = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    assert_eq!(fitted(&whole, &arm).unwrap(), whole);
    assert_eq!(fitted(&whole[..4], &arm).unwrap(), [1.0, 2.0, 3.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    assert_eq!(fitted(&whole[..6], &arm).unwrap(), [1.0, 2.0, 3.0, 4.0, 0.0, 5.0, 6.0, 0.0]);
    // Joints alone, fewer than the joints, a mode for one link only, and more modes than there are.
    for other in [&whole[..2], &whole[..1], &whole[..3], &whole[..5], &[0.0; 10]] {
        assert!(fitted(other, &arm).is_none(), "{other:?}");
    }
    let three = chain(3, 1);
    assert!(fitted(&whole[..5], &three).is_none() && fitted(&whole[..6], &three).is_some());
    let scenario = Scenario::figure("fig6").unwrap().fitted(Scenario::FIGURE_LINKS, &arm).unwrap();
    assert_eq!(scenario.q0[2..], [0.1, 0.002, 0.0, 0.0, 0.0, 0.0]);
    // As many numbers do not make another arm that of the paper.
    for other in [chain(4, 2), chain(3, 1), chain(3, 2)] {
        assert!(Scenario::figure("fig6").unwrap().fitted(Scenario::FIGURE_LINKS, &other).is_none());
    }
}

#[test]
fn a_scenario_may_replace_the_damping_of_its_arm() {
    let mut description = three();
    description.links[0].damping = Damping::Given(vec![0.3, 0.7]);
    let built = description.build().unwrap();
    let mut scenario = Scenario::rest(8);
    assert_eq!(scenario.arm(&built), built.arm);
    scenario.damping_factor = Some(0.1);
    let damped = scenario.arm(&built).damping();
    for (c, mode) in built.modes.iter().flatten().enumerate() {
        close(damped[3 + c], 0.1 * mode.stiffness.sqrt(), 1e-14, "damping");
    }
}

/// The diagnosis of a deflection is its own: at the ends of its range B loses definiteness, within it B has it.
#[test]
fn ranges_end_where_the_inertia_matrix_loses_definiteness() {
    let arm = three().build().unwrap().arm;
    let bent = [0.3, 1.2, -0.7, 0.2, -0.1, 0.3, 0.1, 0.0];
    let smallest = |k: usize, value: f64| {
        let mut q = [0.3, 1.2, -0.7, 0.0, 0.0, 0.0, 0.0, 0.0];
        q[k] = value;
        smallest_eigenvalue(&terms(&arm, &q, &[0.0; 8]).inertia)
    };
    let found = validity(&arm, &bent);
    assert_eq!(found.len(), 5);
    let mut ends = 0;
    for (one, k) in found.iter().zip(3..) {
        assert_eq!((one.place, one.value, &one.name), (k, bent[k], &arm.coordinate_names()[k]));
        let [low, high] = one.range;
        assert!(low < 0.0 && high > 0.0, "{one:?}");
        for end in [low, high].into_iter().filter(|end| end.is_finite()) {
            assert!(smallest(k, 0.999 * end) > 0.0 && smallest(k, 1.001 * end) < 0.0, "{one:?}");
            ends += 1;
        }
        let end = if bent[k] < 0.0 { low } else { high };
        close(one.share(), bent[k] / end, 1e-15, "share");
    }
    assert!(ends >= 6, "{found:?}");
    let unbounded = |one: &Validity| one.range == [f64::NEG_INFINITY, f64::INFINITY];
    // Folded back on itself the sine of its angles is rounding, which bounds nothing.
    let folded = [0.3, std::f64::consts::PI, -std::f64::consts::PI, 0.2, -0.1, 0.3, 0.1, 0.0];
    assert!(validity(&arm, &folded).iter().all(unbounded), "{:?}", validity(&arm, &folded));
    for kinematics in Kinematics::ALL.into_iter().skip(1) {
        let arm = arm.clone().with_kinematics(kinematics);
        assert!(validity(&arm, &bent).iter().all(unbounded), "{kinematics:?}");
    }
}

fn deflection(value: f64, range: [f64; 2]) -> Validity {
    Validity { name: "delta11".to_owned(), place: 2, value, range }
}

#[test]
fn a_deflection_is_measured_against_the_end_on_its_side() {
    let share = |value, range| deflection(value, range).share();
    assert_eq!([share(0.3, [-1.0, 0.6]), share(-0.3, [-1.0, 0.6])], [0.5, 0.3]);
    assert_eq!([share(0.3, [-1.0, f64::INFINITY]), share(0.0, [0.0, 0.5])], [0.0, 0.0]);
    assert_eq!(share(0.3, [-1.0, 0.0]), f64::INFINITY);
}

#[test]
fn an_indefinite_inertia_is_told_with_what_is_known_of_it() {
    let told = |t, deflection, smallest| Indefinite { t, deflection, smallest }.to_string();
    let both = deflection(0.5, [-0.25, 0.4]);
    assert_eq!(
        told(Some(1.5), Some(both), -0.002),
        "the inertia matrix is not positive definite at t = 1.5 s (smallest eigenvalue -2.000e-3): delta11 = 0.5000, \
         while by itself it may lie between -0.2500 and 0.4000"
    );
    let lower = deflection(-3e5, [-0.25, f64::INFINITY]);
    assert_eq!(
        told(None, Some(lower), 1e-15),
        "the inertia matrix all but loses definiteness (smallest eigenvalue 1.000e-15): delta11 = -3.000e5, while by \
         itself it may go down to -0.2500"
    );
    let upper = deflection(0.5, [f64::NEG_INFINITY, 0.4]);
    assert_eq!(
        told(None, Some(upper), f64::NEG_INFINITY),
        "the inertia matrix is not positive definite: delta11 = 0.5000, while by itself it may go up to 0.4000"
    );
    let none = deflection(1e4, [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(
        told(None, Some(none), 0.0),
        "the inertia matrix is not positive definite (smallest eigenvalue 0.000e0): delta11 = 1.000e4"
    );
    assert_eq!(told(None, None, f64::NEG_INFINITY), "the inertia matrix is not positive definite");
}

#[test]
fn the_deflection_furthest_out_of_its_range_is_to_blame() {
    let arm = three().build().unwrap().arm;
    for blamed in 3..8 {
        let mut q = [0.3, 1.2, -0.7, 0.0, 0.0, 0.0, 0.0, 0.0];
        for one in validity(&arm, &q) {
            q[one.place] = if one.place == blamed { 1.5 } else { 1.1 } * one.range[usize::from(one.place % 2 == 0)];
        }
        assert!(q.iter().all(|x| x.is_finite()), "{q:?}");
        let found = Indefinite::at(&arm, &q, Some(0.25));
        assert_eq!(found.deflection.unwrap().place, blamed);
        assert_eq!(found.t, Some(0.25));
    }
    // What is not a number counts as zero.
    let mut q = [0.3, 1.2, -0.7, 0.0, f64::NAN, 0.0, 0.0, 0.0];
    q[3] = 2.0 * validity(&arm, &[0.3, 1.2, -0.7, 0.0, 0.0, 0.0, 0.0, 0.0])[0].range[1];
    let found = Indefinite::at(&arm, &q, None);
    assert_eq!(found.deflection.unwrap().name, "delta11");
    assert!(found.smallest < 0.0 && found.smallest.is_finite());
}

#[test]
fn the_steepest_link_is_out_of_range_and_of_equals_the_first() {
    // The same body at both ends makes the same modes.
    let body = GivenBoundary { mass: Some(0.1), inertia: Some(0.0005), mass_distance: Some(0.0) };
    let links = vec![LinkDescription { boundary: body, ..link(0.5, 0.2, 1.0, [0.3, 0.02], 1) }; 2];
    let arm = arm(links, [0.1, 0.0005]).build().unwrap().arm;
    let slope = largest_slope(&arm, 0, &[0.0, 0.0, 1.0, 0.0]);
    // The first mode is steepest at its end.
    close(slope, arm.links()[0].tip_slope[0], 1e-14, "slope");
    let limit = arm.slope_limit();
    let at = |first: f64, second: f64| {
        OutOfRange::at(&arm, &[0.0, 0.0, first * limit / slope, second * limit / slope], None).map(|found| found.link)
    };
    assert_eq!([at(0.99, 0.99), at(0.9, 1.1), at(1.1, 1.2), at(1.3, 1.2)], [None, Some(2), Some(2), Some(1)]);
    assert_eq!([at(1.1, 1.1), at(-1.1, 1.1), at(-1.2, 1.3)], [Some(1), Some(1), Some(2)]);
    // A rigid link has no slope.
    assert_eq!(largest_slope(&chain(1, 0), 0, &[0.4]), 0.0);
}

#[test]
fn estimated_errors_grow_with_the_square_of_the_slope_and_are_told() {
    for kinematics in Kinematics::ALL {
        let limit = kinematics.slope_limit();
        close(kinematics.error_at(0.6), 4.0 * kinematics.error_at(0.3), 1e-14, "error");
        assert!(kinematics.error_at(limit) < 0.3 + 1e-12 && kinematics.error_at(1.01 * limit) > 0.3 || limit == 1.5);
        let told = OutOfRange { t: Some(0.5), link: 2, slope: 2.0, limit, kinematics }.to_string();
        let end = match kinematics {
            Kinematics::Paper | Kinematics::Linear => "bear 0.4027 (estimated error 740 %)",
            Kinematics::Rotation => "bear 0.7385 (estimated error 220 %)",
            Kinematics::Stiffened => "bear 1.0000 (estimated error 120 %)",
            Kinematics::Exact => "bear 1.5000: the link points backwards",
        };
        let name = kinematics.name();
        assert_eq!(
            told,
            format!("at t = 0.500000 s link 2 bends to a slope of 2.0000 rad, and `{name}` kinematics {end}")
        );
    }
    let told = OutOfRange { t: None, link: 1, slope: 0.5, limit: 0.4, kinematics: Kinematics::Paper }.to_string();
    assert!(told.starts_with("link 1 bends"), "{told}");
}

#[test]
fn trust_in_every_slope_is_given_and_taken_and_survives_a_payload() {
    let arm = chain(2, 2);
    let limit = Kinematics::Paper.slope_limit();
    assert_eq!(arm.slope_limit(), limit);
    let trusted = arm.without_slope_limit().with_payload(Payload { mass: 0.3, inertia: 0.001 });
    assert_eq!(trusted.slope_limit(), f64::INFINITY);
    assert_eq!(trusted.with_slope_limit().slope_limit(), limit);
}

#[test]
fn the_change_of_a_frequency_is_a_part_of_it_and_infinite_where_one_does_not_swing() {
    let change = |without, with| Stiffening { number: 1, without, with }.change();
    assert_eq!([change(4.0, 9.0), change(9.0, 4.0), change(4.0, 4.0)], [0.5, 1.0 - 2.0 / 3.0, 0.0]);
    for (without, with) in [(4.0, -1.0), (-1.0, 4.0), (0.0, 4.0), (-0.0, 4.0), (4.0, 0.0), (-4.0, -1.0)] {
        assert_eq!(change(without, with), f64::INFINITY, "{without} {with}");
    }
}

/// At joint rates without gravity a straight arm of one link is in balance as far as its deflections go, so that its linear
/// models say what stiffening compares.
#[test]
fn stiffening_is_the_largest_change_between_linear_models() {
    let arm = chain(1, 3);
    let (q, qd) = ([0.4, 0.02, -0.01, 0.005], [5.0, 0.3, -0.2, 0.1]);
    let squares = |kinematics| {
        let arm = arm.clone().with_kinematics(kinematics);
        linearise_moving(&arm, &[0.4], &[5.0, 0.0, 0.0, 0.0]).unwrap().locked_squares()
    };
    let (without, with) = (squares(Kinematics::Paper), squares(Kinematics::Stiffened));
    let changes: Vec<f64> = without.iter().zip(&with).map(|(a, b)| ((b / a).sqrt() - 1.0).abs()).collect();
    let most = (0..3).max_by(|&a, &b| changes[a].total_cmp(&changes[b])).unwrap();
    // Deflections and their rates are left out of the comparison.
    let found = stiffening(&arm, &q, &qd).unwrap();
    assert_eq!(found.number, most + 1);
    close(found.without, without[most], 1e-9, "without");
    close(found.with, with[most], 1e-9, "with");
    assert!(stiffening(&chain(2, 0), &[0.4, 0.1], &[5.0, 0.0]).is_none(), "nothing swings");
}

pub(super) fn state(arm: &FlexibleArm<f64>, phase: f64) -> [Vec<f64>; 2] {
    let vector = |phase: f64, joint: f64, deflection: f64| -> Vec<f64> {
        (0..arm.size())
            .map(|c| (phase + 1.7 * c as f64).sin() * if c < arm.joints() { joint } else { deflection })
            .collect()
    };
    [vector(phase, 1.5, 0.03), vector(phase + 1.1, 2.0, 0.4)]
}

/// Memory that held another state leaves nothing behind.
#[test]
fn terms_in_used_memory_are_those_in_fresh_memory() {
    for kinematics in Kinematics::ALL {
        let mut description = three();
        (description.kinematics, description.gravity) = (kinematics, [1.3, -9.81]);
        let arm = description.build().unwrap().arm;
        let (mut scratch, mut out, mut workspace) = (Scratch::new(&arm), Terms::new(arm.size()), Workspace::new(&arm));
        for phase in [0.3, 2.0, 4.1] {
            let [q, qd] = state(&arm, phase);
            terms_into(&arm, &q, &qd, &mut scratch, &mut out);
            let fresh = terms(&arm, &q, &qd);
            assert_eq!(out, fresh, "{kinematics:?}");
            assert_eq!(*workspace.terms(&arm, &q, &qd), fresh, "{kinematics:?}");
            assert_eq!(workspace.gravity(), fresh.gravity, "{kinematics:?}");
            // And accelerations in that memory are undone by the forces that they need.
            let (torque, mut qdd) = ([0.3, -0.2, 0.1], vec![7.0; arm.size()]);
            assert!(accelerations_into(&arm, &q, &qd, &torque, &mut workspace, &mut qdd));
            for (found, known) in forces(&arm, &q, &qd, &qdd).iter().zip(torque.iter().chain(&[0.0; 5])) {
                assert!((found - known).abs() < 1e-9, "{kinematics:?}: {found} {known}");
            }
        }
    }
}

#[test]
fn only_two_links_with_two_modes_each_are_written_out() {
    let two = || arm(vec![link(0.5, 0.2, 1.0, [0.3, 0.02], 2); 2], [0.1, 0.0005]);
    let fits = |description: &ArmDescription| TwoLink::new(&description.build().unwrap().arm).is_some();
    assert!(fits(&two()));
    for (i, modes) in [(0, 1), (1, 1), (0, 3), (1, 3)] {
        let mut other = two();
        other.links[i].modes = modes;
        assert!(!fits(&other), "link {i} with {modes} modes");
    }
    assert!(!fits(&ArmDescription { gravity: [0.0, -9.81], ..two() }));
    assert!(!fits(&ArmDescription { kinematics: Kinematics::Linear, ..two() }));
    assert!(!fits(&three()));
    // A stiffness that couples modes has no place in the written form.
    let whole = two().build().unwrap().arm;
    let mut links = whole.links().to_vec();
    (links[0].stiffness[1], links[0].stiffness[2]) = (0.1, 0.1);
    let coupled = FlexibleArm::new("coupled".to_owned(), [0.0; 2], Kinematics::Paper, *whole.payload(), links);
    assert!(TwoLink::new(&coupled).is_none());
    let entries: Vec<(usize, usize)> = coupled.stiffness().map(|(row, column, _)| (row, column)).collect();
    assert_eq!(entries, [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5)]);
}

/// Joint angles alone let the deflections settle; deflections that are given with them stay.
#[test]
fn linear_models_are_about_the_balance_or_about_what_is_given() {
    let mut description = three();
    description.gravity = [0.0, -2.0];
    let hanging = description.build().unwrap().arm;
    let turning = three().build().unwrap().arm;
    let (angles, mut qd) = ([-1.2, 0.3, 0.2], vec![0.0; 8]);
    (qd[0], qd[1]) = (1.5, -0.7);
    let given = [-1.2, 0.3, 0.2, 0.004, -0.001, 0.002, 0.001, 0.0];
    let off = |arm: &FlexibleArm<f64>, q: &[f64], qd: &[f64]| {
        forces(arm, q, qd, &[0.0; 8])[3..].iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    for (arm, qd) in [(&turning, &qd), (&hanging, &qd)] {
        let model = linearise_moving(arm, &angles, qd).unwrap();
        assert!(off(arm, &model.q, qd) < 1e-9 && model.q[3].abs() > 1e-6, "{:?}", model.q);
        assert_eq!(linearise_moving(arm, &given, qd).unwrap().q, given);
    }
    let model = linearise(&hanging, &angles).unwrap();
    assert!(off(&hanging, &model.q, &[0.0; 8]) < 1e-9);
    assert_eq!(linearise(&hanging, &given).unwrap().q, given);
    // Rigid links have nothing to settle.
    description.links.iter_mut().for_each(|link| link.modes = 0);
    let rigid = description.build().unwrap().arm;
    assert_eq!(linearise(&rigid, &angles).unwrap().q, angles);
    assert_eq!(linearise_moving(&rigid, &angles, &qd[..3]).unwrap().q, angles);
    // Outputs are the joint angles, then position and angle of the tip.
    let jacobian = tip(&hanging, &model.q).jacobian;
    for c in 0..8 {
        for row in 0..6 {
            let known = if row < 3 { f64::from(u8::from(row == c)) } else { jacobian[(row - 3, c)] };
            assert_eq!(model.output[(row, c)], known);
        }
    }
    assert_eq!(model.outputs, ["theta1", "theta2", "theta3", "tip_x", "tip_y", "tip_angle"]);
}
