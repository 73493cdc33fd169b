//! How flexible arms move: the written-out form of two links against the general one, units, where B ends, laws that invert the
//! arm, and where simulations stop.

use super::arms::{arm, chain, close, link, state, three};
use jourdain::flexible::factor::{Workspace, accelerations_into, validity};
use jourdain::flexible::linearise::whole_position;
use jourdain::flexible::{
    ArmDescription, Damping, FlexibleArm, GivenBoundary, Kinematics, Link, OutOfRange, Payload, TwoLink, forces,
    linearise, stiffening, terms,
};
use jourdain::prescribed::{Curve, PrescribedMotion};
use jourdain::simulate::{Flexible, Gains, Law, Moment, Reference, System};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Two damped links with two modes each, of shapes that do not belong to what the links carry: no coefficient simplifies.
fn two() -> ArmDescription {
    let mut links = vec![link(0.7, 0.3, 2.0, [0.2, 0.05], 2), link(0.4, 0.1, 0.5, [0.3, 0.01], 2)];
    links[0].boundary = GivenBoundary { mass: Some(0.1), mass_distance: Some(0.005), ..GivenBoundary::default() };
    links[1].boundary.inertia = Some(0.0);
    (links[0].viscous, links[1].viscous) = (0.3, 0.7);
    (links[0].damping, links[1].damping) = (Damping::Given(vec![0.2, 0.5]), Damping::Factor(0.1));
    arm(links, [0.3, 0.002])
}

fn six(x: &[f64]) -> [f64; 6] {
    x.try_into().unwrap()
}

#[test]
fn two_links_written_out_are_the_general_arm() {
    let arm = two().build().unwrap().arm;
    let explicit = TwoLink::new(&arm).unwrap();
    for phase in [0.3, 1.1, 2.0, 4.1, 5.2] {
        let [q, qd] = state(&arm, phase);
        let general = terms(&arm, &q, &qd);
        let (b, h) = (explicit.inertia(&six(&q)), explicit.velocity(&six(&q), &six(&qd)));
        for (i, row) in b.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, b)| close(*b, general.inertia[(i, j)], 1e-12, "B"));
            close(h[i], general.velocity[i], 1e-11, "h");
        }
        let torque = [0.3, -0.2];
        let qdd = explicit.accelerations(&six(&q), &six(&qd), &torque).unwrap();
        for (found, known) in forces(&arm, &q, &qd, &qdd).iter().zip([0.3, -0.2, 0.0, 0.0, 0.0, 0.0]) {
            assert!((found - known).abs() < 1e-10, "{phase}: {found} {known}");
        }
    }
}

/// Newton's law in any unit: all masses, stiffnesses, frictions and torques a billion times smaller are the same motion.
#[test]
fn motions_do_not_depend_on_the_unit_of_mass() {
    let scaled = |unit: f64| {
        let mut arm = two();
        for link in &mut arm.links {
            link.beam.density *= unit;
            link.beam.rigidity *= unit;
            link.hub_mass *= unit;
            link.hub_inertia *= unit;
            link.viscous *= unit;
            let GivenBoundary { mass, inertia, mass_distance } = &mut link.boundary;
            [mass, inertia, mass_distance].into_iter().flatten().for_each(|x| *x *= unit);
            link.damping = Damping::Ratio(0.02);
        }
        arm.payload = Payload { mass: arm.payload.mass * unit, inertia: arm.payload.inertia * unit };
        let arm = arm.build().unwrap().arm;
        let [q, qd] = state(&arm, 0.7);
        let (torque, mut general) = ([0.3 * unit, -0.2 * unit], vec![0.0; 6]);
        assert!(accelerations_into(&arm, &q, &qd, &torque, &mut Workspace::new(&arm), &mut general), "{unit}");
        let explicit = TwoLink::new(&arm).unwrap().accelerations(&six(&q), &six(&qd), &torque).unwrap();
        (general, explicit)
    };
    let (known, _) = scaled(1.0);
    for unit in [1e-9, 1e-6, 1e6, 1e9] {
        let (general, explicit) = scaled(unit);
        for ((known, general), explicit) in known.iter().zip(general).zip(explicit) {
            close(general, *known, 1e-9, "general");
            close(explicit, *known, 1e-9, "explicit");
        }
    }
}

/// Right beyond the end of a range only the last pivot of B is negative.
#[test]
fn there_are_accelerations_up_to_where_the_inertia_matrix_ends() {
    let arm = chain(2, 2);
    let explicit = TwoLink::new(&arm).unwrap();
    let straight = [0.3, 1.2, 0.0, 0.0, 0.0, 0.0];
    let mut ends = 0;
    for one in validity(&arm, &straight) {
        for end in one.range.into_iter().filter(|end| end.is_finite()) {
            for (share, within) in [(0.999, true), (1.001, false)] {
                let (mut q, mut qdd) = (straight, [0.0; 6]);
                q[one.place] = share * end;
                let found = accelerations_into(&arm, &q, &[0.0; 6], &[0.1; 2], &mut Workspace::new(&arm), &mut qdd);
                assert_eq!(found, within, "{one:?}");
                assert_eq!(explicit.accelerations(&q, &[0.0; 6], &[0.1; 2]).is_some(), within, "{one:?}");
            }
            ends += 1;
        }
    }
    assert!(ends >= 4, "{ends}");
}

/// The same arm with other constants.
fn changed(arm: &FlexibleArm<f64>, payload: Payload<f64>, change: impl Fn(usize, &mut Link<f64>)) -> FlexibleArm<f64> {
    let mut links = arm.links().to_vec();
    links.iter_mut().enumerate().for_each(|(i, link)| change(i, link));
    FlexibleArm::new("changed".to_owned(), arm.gravity(), arm.kinematics(), payload, links)
}

#[test]
fn a_mode_that_moves_no_mass_has_no_acceleration() {
    let whole = chain(2, 2);
    let without = changed(&whole, *whole.payload(), |i, link| {
        if i == 1 {
            [&mut link.v, &mut link.w, &mut link.tip, &mut link.tip_slope].into_iter().for_each(|list| list[1] = 0.0);
            link.z[1..].fill(0.0);
        }
    });
    let (q, qd, torque) = ([0.1; 6], [0.0; 6], [0.1; 2]);
    for (arm, moves) in [(&whole, true), (&without, false)] {
        assert_eq!(TwoLink::new(arm).unwrap().accelerations(&q, &qd, &torque).is_some(), moves);
        assert_eq!(accelerations_into(arm, &q, &qd, &torque, &mut Workspace::new(arm), &mut [0.0; 6]), moves);
    }
    // Pivot and diagonal are both zero, not only small.
    let inertia = terms(&without, &q, &qd).inertia;
    assert!((0..6).all(|i| inertia[(5, i)] == 0.0), "{inertia:?}");
}

/// Also with shapes that have no first moment. Exact kinematics integrate over stations and do not read it.
#[test]
fn straight_arms_have_the_same_inertia_in_all_kinematics() {
    let whole = three().build().unwrap().arm;
    let without = changed(&whole, *whole.payload(), |_, link| link.w.fill(0.0));
    for (arm, kinds) in [(whole, &Kinematics::ALL[..]), (without, &Kinematics::ALL[..4])] {
        let q = [0.3, 1.2, -0.7, 0.0, 0.0, 0.0, 0.0, 0.0];
        let inertia = |kinematics| terms(&arm.clone().with_kinematics(kinematics), &q, &[0.0; 8]).inertia;
        let known = inertia(Kinematics::Linear);
        for &kinematics in kinds {
            for (found, known) in inertia(kinematics).as_slice().iter().zip(known.as_slice()) {
                assert!((found - known).abs() < 1e-14, "{kinematics:?}: {found} {known}");
            }
        }
    }
}

fn torque_of(arm: &FlexibleArm<f64>, law: &Law, reference: &Reference<'_>, t: f64, x: &[f64]) -> Vec<f64> {
    let system = Flexible::new(arm);
    let mut torque = vec![7.0; arm.joints()];
    let mut controller = system.controller(law, reference).unwrap();
    controller.torque_into(Moment { t, inside: t }, x, &[], &mut [], &mut torque);
    torque
}

/// θ̈ = θ̈_d + K_D ė + K_P e, whatever the deflections do.
#[test]
fn under_computed_torque_joints_accelerate_as_the_error_asks() {
    let mut description = three();
    description.gravity = [0.4, -2.0];
    description.links[1].viscous = 0.2;
    description.links[2].damping = Damping::Ratio(0.03);
    let arm = description.build().unwrap().arm;
    let curves = [vec![0.3, -0.2, 0.5, 0.1], vec![1.0, 0.4, -0.3, 0.2], vec![-0.5, 0.1, 0.2, -0.4]];
    let joints = curves.map(Curve::Polynomial).to_vec();
    let followed = PrescribedMotion { joints, loads: Vec::new(), start: 0.0, end: 2.0 };
    let reference = Reference::Motion(&followed);
    let law = Law::ComputedTorque(Gains { position: vec![30.0, 20.0, 10.0], velocity: vec![4.0, 3.0, 2.0] });
    for (phase, t) in [(0.3, 0.0), (1.9, 0.7), (4.0, 1.6)] {
        let [q, qd] = state(&arm, phase);
        let torque = torque_of(&arm, &law, &reference, t, &[&q[..], &qd[..]].concat());
        let mut qdd = vec![0.0; arm.size()];
        assert!(accelerations_into(&arm, &q, &qd, &torque, &mut Workspace::new(&arm), &mut qdd));
        let [position, velocity, acceleration] = reference.orders(t);
        for i in 0..3 {
            let [p, d] = [[30.0, 20.0, 10.0][i], [4.0, 3.0, 2.0][i]];
            let known = acceleration[i] + d * (velocity[i] - qd[i]) + p * (position[i] - q[i]);
            close(qdd[i], known, 1e-9, "acceleration");
        }
    }
}

/// On its posture the law gives what holds the arm there with the deflections that it hangs at, and off it the errors besides.
#[test]
fn pd_with_gravity_holds_the_arm_where_it_hangs() {
    let mut description = three();
    description.gravity = [0.4, -2.0];
    description.links.iter_mut().for_each(|link| link.beam.rigidity *= 20.0);
    let posture = [-1.2, 0.3, 0.2];
    let law = Law::PdGravity(Gains { position: vec![30.0, 20.0, 10.0], velocity: vec![4.0, 3.0, 2.0] });
    for kinematics in Kinematics::ALL {
        description.kinematics = kinematics;
        let arm = description.build().unwrap().arm;
        let still = linearise(&arm, &posture).unwrap();
        assert!(still.q[3].abs() > 1e-3, "{:?}", still.q);
        let reference = Reference::Rest(posture.to_vec());
        let mut x = [&still.q[..], &[0.0; 8]].concat();
        for (found, known) in torque_of(&arm, &law, &reference, 0.0, &x).iter().zip(&still.torque) {
            close(*found, *known, 1e-9, "torque");
        }
        (x[1], x[8 + 2]) = (x[1] + 0.1, 0.2);
        let [first, second, third] = [still.torque[0], still.torque[1] - 2.0, still.torque[2] - 0.4];
        for (found, known) in torque_of(&arm, &law, &reference, 0.0, &x).iter().zip([first, second, third]) {
            close(*found, known, 1e-9, "torque off the posture");
        }
    }
}

/// The quick look at bounds changes nothing.
#[test]
fn simulations_stop_exactly_where_a_link_is_out_of_range() {
    let mut seen = [0; 2];
    for kinematics in Kinematics::ALL {
        let arm = three().build().unwrap().arm.with_kinematics(kinematics);
        let system = Flexible::new(&arm);
        let mechanics = system.mechanics();
        for size in [1e-3, 0.03, 0.1, 0.3, 1.0, 30.0] {
            for phase in [0.2, 1.0, 2.5, 4.0] {
                let deflections = (0..5).map(|c| size * (phase + 1.7 * f64::from(c)).sin());
                let q: Vec<f64> = [0.3, 1.2, -0.7].into_iter().chain(deflections).collect();
                let known = OutOfRange::at(&arm, &q, Some(0.25));
                let x = [&q[..], &[0.0; 8]].concat();
                assert_eq!(mechanics.outside(0.25, &x), known, "{kinematics:?} {q:?}");
                seen[usize::from(known.is_some())] += 1;
            }
        }
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

/// The same arm thousands of times smaller, with the times of the large one: it hangs the same way.
#[test]
fn small_arms_hang_like_large_ones() {
    let hanging = |kinematics, unit: f64| {
        let mut arm = ArmDescription { gravity: [0.0, -2.0 * unit], kinematics, ..three() };
        for link in &mut arm.links {
            link.beam.length *= unit;
            link.beam.density /= unit;
            link.beam.rigidity *= unit.powi(3);
            link.hub_inertia *= unit * unit;
        }
        arm.payload.inertia *= unit * unit;
        whole_position(&arm.build().unwrap().arm, &[-0.9, 0.3, 0.2]).unwrap()
    };
    for kinematics in [Kinematics::Rotation, Kinematics::Stiffened, Kinematics::Exact] {
        let large = hanging(kinematics, 1.0);
        assert!(large[3].abs() > 0.03, "{large:?}");
        // Powers of two do not round.
        for unit in [2.0_f64.powi(-12), 2.0_f64.powi(-17), 2.0_f64.powi(-20)] {
            for (small, large) in hanging(kinematics, unit).iter().zip(&large).skip(3) {
                assert!((small / unit - large).abs() < 1e-13, "{kinematics:?} {unit}: {} {large}", small / unit);
            }
        }
    }
}

#[test]
fn lists_of_slopes_that_do_not_fit_the_modes_are_refused() {
    let whole = chain(2, 2);
    type Lists = fn(&mut Link<f64>) -> &mut Vec<f64>;
    let lists: [Lists; 5] = [
        |link| &mut link.slopes.end,
        |link| &mut link.slopes.zeroth,
        |link| &mut link.slopes.first,
        |link| &mut link.slopes.across,
        |link| &mut link.slopes.square,
    ];
    for (number, list) in lists.into_iter().enumerate() {
        let longer = || changed(&whole, *whole.payload(), |_, link| list(link).push(0.0));
        let refused = catch_unwind(AssertUnwindSafe(longer)).unwrap_err();
        assert_eq!(refused.downcast_ref(), Some(&"slopes of the modes of a link"), "list {number}");
    }
}

#[test]
fn at_rest_without_gravity_nothing_stiffens() {
    for arm in [chain(1, 2), chain(2, 2), three().build().unwrap().arm] {
        let [q, still] = [state(&arm, 0.4)[0].clone(), vec![0.0; arm.size()]];
        assert_eq!(stiffening(&arm, &q, &still), None);
        let mut spinning = still;
        spinning[0] = 3.0;
        assert!(stiffening(&arm, &q, &spinning).is_some());
    }
}

/// What the stations weigh in the integral of one up to each of them is where they are.
#[test]
fn stations_follow_one_another_from_the_joint_to_the_end() {
    let arm = three().build().unwrap().arm;
    for link in arm.links() {
        let stations = &link.slopes.stations;
        let (count, m) = (stations.length.len(), link.mode_count());
        let places: Vec<f64> = stations.running.chunks(count).map(|row| row.iter().sum()).collect();
        assert!(places[0] > 0.0 && places[count - 1] < link.length, "{places:?}");
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
        // The first mode gets steeper all the way.
        let first: Vec<f64> = stations.slope.chunks(m).map(|slopes| slopes[0]).collect();
        assert!(first.windows(2).all(|pair| pair[0] < pair[1]), "{first:?}");
    }
}
