//! Every joint type against its own transform: subspaces, their rates and partials, retraction.

use super::*;
use crate::random::Random;
use crate::spatial::{Pose, Quaternion, Rotation, Twist, Vector};
use jourdain_symbolic::{Dual, Jet, Scalar};

const TOLERANCE: f64 = 1e-13;

#[track_caller]
fn assert_close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= TOLERANCE * scale, "{what}[{i}]: {a} instead of {b}");
    }
}

/// Runs a check on a random joint of every type, at a random position and velocity; a failure prints seed and type.
#[expect(clippy::print_stdout, reason = "shown only when the test fails")]
fn on_every_type(check: impl Fn(&mut Random, &Joint<f64>, &[f64], &[f64])) {
    for seed in 0..50 {
        let mut random = Random(seed);
        for joint in joints(&mut random) {
            println!("seed {seed}, {}", joint.kind.name());
            let (q, w) = (position(&mut random, &joint), random.vector(joint.nv()));
            check(&mut random, &joint, &q, &w);
        }
    }
}

fn joints(random: &mut Random) -> [Joint<f64>; 11] {
    kinds(random).map(|kind| Joint::from(&kind))
}

fn kinds(random: &mut Random) -> [JointKind; 11] {
    let mut numbers = || random.array().map(Number::from);
    let [a, b, point, center] = std::array::from_fn(|_| numbers());
    let kinds = [Revolute, ScrewKind::Prismatic, Helical, Revolute, ScrewKind::Prismatic];
    let sequence = kinds.map(|kind| ScrewDescription { kind, axis: numbers(), point: numbers(), pitch: numbers()[0] });
    use ScrewKind::{Helical, Revolute};
    let pitch = numbers()[0];
    [
        JointKind::Fixed,
        JointKind::Revolute { axis: a, point },
        JointKind::Prismatic { axis: a },
        JointKind::Helical { axis: a, point, pitch },
        JointKind::Spherical { point: center },
        JointKind::Planar { axis: a, point },
        JointKind::Free,
        JointKind::Universal { axes: [a, b], point },
        JointKind::Cylindrical { axis: a, point },
        JointKind::Translation,
        JointKind::Composite { sequence: sequence.to_vec() },
    ]
}

fn numbers(vector: [f64; 3]) -> [Number; 3] {
    vector.map(Number::from)
}

fn planar(normal: [f64; 3], point: [f64; 3]) -> Joint<f64> {
    Joint::from(&JointKind::Planar { axis: numbers(normal), point: numbers(point) })
}

fn position(random: &mut Random, joint: &Joint<f64>) -> Vec<f64> {
    let mut q: Vec<f64> = random.vector(joint.nq()).iter().map(|x| 3.0 * x).collect();
    let start = match joint.motion {
        Motion::Product(_) => return q,
        Motion::Spherical { .. } => 0,
        Motion::Free => 3,
    };
    let quaternion = Quaternion::new([q[start], q[start + 1], q[start + 2], q[start + 3]]).normalized();
    q[start..].copy_from_slice(&quaternion.to_array());
    q
}

fn subspace<S: Scalar<Constant = f64>>(joint: &Joint<f64>, q: &[S]) -> Vec<Twist<S>> {
    let mut xi = vec![Twist::zero(); joint.nv()];
    joint.subspace_into(q, &mut xi);
    xi
}

fn subspace_dot<S: Scalar<Constant = f64>>(joint: &Joint<f64>, q: &[S], w: &[S]) -> Vec<Twist<S>> {
    let mut xi_dot = vec![Twist::zero(); joint.nv()];
    joint.subspace_dot_into(&subspace(joint, q), w, &mut xi_dot);
    xi_dot
}

fn position_rate<S: Scalar<Constant = f64>>(joint: &Joint<f64>, q: &[S], w: &[S]) -> Vec<S> {
    let mut rate = vec![S::zero(); joint.nq()];
    joint.position_rate_into(q, w, &mut rate);
    rate
}

/// The position moving with velocity w.
fn along(joint: &Joint<f64>, q: &[f64], w: &[f64]) -> Vec<Dual<f64>> {
    q.iter().zip(position_rate(joint, q, w)).map(|(&q, rate)| Dual::new(q, rate)).collect()
}

/// The position with velocity w and acceleration ẇ, as a series in time.
fn moving(joint: &Joint<f64>, q: &[f64], w: &[f64], w_dot: &[f64]) -> Vec<Jet<f64, 3>> {
    let w_moving: Vec<_> = w.iter().zip(w_dot).map(|(&w, &w_dot)| Dual::new(w, w_dot)).collect();
    // q̇ and, in its derivative, q̈ = ∂q̇/∂q q̇ + ∂q̇/∂w ẇ.
    let rates = position_rate(joint, &along(joint, q, w), &w_moving);
    q.iter().zip(rates).map(|(&q, rate)| Jet::from_derivatives([q, rate.value, rate.derivative])).collect()
}

fn stack<S: Scalar>(twists: &[Twist<S>], part: impl Fn(S) -> f64) -> Vec<f64> {
    twists.iter().flat_map(|twist| twist.to_array()).map(part).collect()
}

fn unit(n: usize, h: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i == h))).collect()
}

/// T⁻¹ Ṫ.
fn body_twist(pose: Pose<Dual<f64>>) -> Twist<f64> {
    let value = Rotation(pose.rotation.0.map(|row| row.map(|x| x.value)));
    let rate = Rotation(pose.rotation.0.map(|row| row.map(|x| x.derivative)));
    let omega = value.transpose() * rate;
    // The symmetric part vanishes only if q stays on the group.
    assert_close("Ω + Ωᵀ", &[omega.0[0][0], omega.0[0][1] + omega.0[1][0], omega.0[2][2]], &[0.0; 3]);
    Twist {
        linear: value.apply_inverse(pose.translation.map(|x| x.derivative)),
        angular: Vector([omega.0[2][1], omega.0[0][2], omega.0[1][0]]),
    }
}

fn exponential(screw: &Screw<f64>, q: f64) -> Pose<f64> {
    Pose::exp(screw.twist().times(q))
}

#[test]
fn products_are_products_of_matrix_exponentials() {
    on_every_type(|_, joint, q, _| {
        if let Motion::Product(screws) = &joint.motion {
            assert_eq!(screws.len(), q.len());
            let expected = screws.iter().zip(q).fold(Pose::identity(), |t, (screw, &q)| t * exponential(screw, q));
            let found = joint.transform(q).to_matrix();
            assert_close("T", found.as_flattened(), expected.to_matrix().as_flattened());
        }
    });
}

#[test]
fn the_subspace_times_velocity_is_the_body_twist() {
    on_every_type(|_, joint, q, w| {
        let mut twist = Twist::zero();
        for (xi, &w) in subspace(joint, q).iter().zip(w) {
            twist += xi.times(w);
        }
        let found = body_twist(joint.transform(&along(joint, q, w)));
        assert_close("T⁻¹Ṫ", &found.to_array(), &twist.to_array());
    });
}

#[test]
fn the_rates_of_the_subspace_are_those_of_its_series() {
    on_every_type(|random, joint, q, w| {
        let w_dot = random.vector(joint.nv());
        let series = subspace(joint, &moving(joint, q, w, &w_dot));
        let (xi, xi_dot) = (subspace(joint, q), subspace_dot(joint, q, w));
        assert_close("Ξ̇", &stack(&xi_dot, |x| x), &stack(&series, |x| x.derivative(1)));
        let mut xi_ddot = vec![Twist::zero(); joint.nv()];
        joint.subspace_ddot_into(&xi, &xi_dot, w, &w_dot, &mut xi_ddot);
        assert_close("Ξ̈", &stack(&xi_ddot, |x| x), &stack(&series, |x| x.derivative(2)));
    });
}

#[test]
fn the_partials_of_the_subspace_are_those_of_its_dual() {
    on_every_type(|_, joint, q, w| {
        let n = joint.nv();
        let xi = subspace(joint, q);
        for h in 0..n {
            let q = along(joint, q, &unit(n, h));
            let partials: Vec<_> = (0..n).map(|j| joint.subspace_partial(&xi, j, h)).collect();
            assert_close("∂Ξ/∂q", &stack(&partials, |x| x), &stack(&subspace(joint, &q), |x| x.derivative));
            let w_fixed: Vec<_> = w.iter().map(|&w| Dual::fixed(w)).collect();
            let partials: Vec<_> = (0..n).map(|j| joint.subspace_dot_partial(&xi, w, j, h)).collect();
            let expected = stack(&subspace_dot(joint, &q, &w_fixed), |x| x.derivative);
            assert_close("∂Ξ̇/∂q", &stack(&partials, |x| x), &expected);
        }
    });
}

#[test]
fn only_joints_of_several_factors_have_a_moving_subspace() {
    on_every_type(|random, joint, q, _| {
        let elsewhere = subspace(joint, &position(random, joint));
        let moves = stack(&elsewhere, |x| x) != stack(&subspace(joint, q), |x| x);
        use JointType::{Composite, Cylindrical, Planar, Translation, Universal};
        // Factors that commute: it may move, but does not.
        match joint.kind {
            Planar | Universal | Composite => assert!(moves && joint.has_moving_subspace()),
            Cylindrical | Translation => assert!(joint.has_moving_subspace()),
            _ => assert!(!moves && !joint.has_moving_subspace()),
        }
    });
}

#[test]
fn retraction_of_spherical_and_free_joints_is_the_group_exponential() {
    on_every_type(|random, joint, q, w| {
        if matches!(joint.motion, Motion::Product(_)) {
            return;
        }
        for size in [0.0, 1e-9, 1e-3, 1.0, 5.0] {
            let delta: Vec<f64> = w.iter().map(|w| w * size).collect();
            let mut step = Twist::zero();
            for (xi, &delta) in subspace(joint, q).iter().zip(&delta) {
                step += xi.times(delta);
            }
            let mut moved = q.to_vec();
            joint.retract(&mut moved, &delta);
            let expected = joint.transform(q) * Pose::exp(step);
            let found = joint.transform(&moved).to_matrix();
            assert_close("T exp(δ)", found.as_flattened(), expected.to_matrix().as_flattened());
            let quaternion = &moved[joint.nq() - 4..];
            assert_close("norm", &[quaternion.iter().map(|x| x * x).sum()], &[1.0]);
        }
        // Many steps do not leave the group.
        let mut q = q.to_vec();
        for _ in 0..1000 {
            joint.retract(&mut q, &random.vector(joint.nv()));
        }
        assert!(joint.transform(&q).rotation.orthogonality_error() < 1e-14);
    });
}

#[test]
fn retraction_follows_the_subspace_to_first_order() {
    on_every_type(|_, joint, q, w| {
        // The error of one step is of second order: it falls a hundredfold with a tenth of the step.
        let error = |size: f64| {
            let mut moved = q.to_vec();
            joint.retract(&mut moved, &w.iter().map(|w| w * size).collect::<Vec<_>>());
            let mut step = Twist::zero();
            for (xi, &w) in subspace(joint, q).iter().zip(w) {
                step += xi.times(w * size);
            }
            let (a, b) = (joint.transform(&moved).to_matrix(), (joint.transform(q) * Pose::exp(step)).to_matrix());
            a.as_flattened().iter().zip(b.as_flattened()).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
        };
        let (coarse, fine) = (error(1e-3), error(1e-4));
        assert!(fine < 1e-13 || fine < 0.02 * coarse, "{coarse} {fine}");
    });
}

#[test]
fn neutral_positions_leave_the_link_where_it_is_placed() {
    on_every_type(|_, joint, _, w| {
        let mut q = vec![f64::NAN; joint.nq()];
        joint.neutral_into(&mut q);
        assert_eq!(joint.transform(&q), Pose::identity());
        let mut same = q.clone();
        joint.retract(&mut same, &vec![0.0; w.len()]);
        assert_eq!(same, q);
    });
}

#[test]
fn types_have_their_sizes() {
    let sizes = joints(&mut Random(0)).map(|joint| (joint.kind.name(), joint.nq(), joint.nv()));
    let expected = [
        ("fixed", 0, 0),
        ("revolute", 1, 1),
        ("prismatic", 1, 1),
        ("helical", 1, 1),
        ("spherical", 4, 3),
        ("planar", 3, 3),
        ("free", 7, 6),
        ("universal", 2, 2),
        ("cylindrical", 2, 2),
        ("translation", 3, 3),
        ("composite", 5, 5),
    ];
    assert_eq!(sizes, expected);
    for kind in kinds(&mut Random(0)) {
        let joint = Joint::from(&kind);
        assert_eq!((kind.nq(), kind.degrees_of_freedom()), (joint.nq(), joint.nv()));
        assert_eq!(kind.quaternion(), joint.quaternion());
    }
}

#[test]
fn planar_joints_slide_along_a_right_handed_triad() {
    let axes = |normal: [f64; 3]| match planar(normal, [0.0; 3]).motion {
        Motion::Product(screws) => [0, 1].map(|i| screws[i].twist().linear.0),
        _ => unreachable!("a planar joint is a product"),
    };
    let [x, y, z] = [0, 1, 2].map(|i| Vector::<f64>::unit(i).0);
    assert_eq!(axes(z), [x, y]);
    assert_eq!(axes([0.0, 0.0, 7.0]), [x, y]);
    assert_eq!(axes(x), [y, z]);
    assert_eq!(axes(y), [z, x]);
    assert_eq!(axes([0.0, 0.0, -1.0]), [x, y.map(|c| 0.0 - c)]);
    // Whichever coordinate is largest, ties included.
    let mut random = Random(5);
    let mut normals: Vec<[f64; 3]> = (0..100).map(|_| random.array()).collect();
    normals.extend([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [1e-8, 0.0, 1.0], [-1.0, 1e-200, 0.0]]);
    for normal in normals {
        let [u, v] = axes(normal).map(Vector);
        let n = Vector(normal).times(1.0 / Vector(normal).norm());
        assert_close("orthonormal", &[u.dot(u), v.dot(v), u.dot(v), u.dot(n), v.dot(n)], &[1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_close("right-handed", &u.cross(v).0, &n.0);
    }
}

#[test]
fn a_planar_joint_turns_about_the_moved_point() {
    let point = Vector([0.4, -0.2, 0.1]);
    let joint = planar([0.0, 0.0, 2.0], point.0);
    let (x, y) = (0.7, -1.1);
    for angle in [0.0, 0.3, 2.0] {
        let moved = joint.transform(&[x, y, angle]).apply(point);
        assert_close("centre", &moved.0, &(point + Vector([x, y, 0.0])).0);
    }
}

#[test]
fn axes_of_any_length_are_the_same_joint() {
    let (axis, point) = ([0.3, -0.4, 1.2], [1.0, 2.0, 3.0].map(Number::from));
    for length in [1e-6, 0.5, 1e6, 1e200, 1e-200] {
        let kinds = |axis: [f64; 3]| {
            let axis = numbers(axis);
            let pitch = Number::from(0.2);
            [
                JointKind::Revolute { axis, point },
                JointKind::Prismatic { axis },
                JointKind::Helical { axis, point, pitch },
            ]
        };
        for (a, b) in kinds(axis).iter().zip(&kinds(axis.map(|x| x * length))) {
            let [a, b] = [a, b].map(|kind| Joint::from(kind).transform(&[0.8]).to_matrix());
            assert_close("T", a.as_flattened(), b.as_flattened());
        }
    }
}

#[test]
fn every_type_is_found_by_its_names_and_has_as_many_numbers_as_screws() {
    for kind in JointType::ALL {
        let facts = kind.facts();
        let default = (facts.default)();
        assert_eq!(default.joint_type(), kind);
        assert_eq!(default.degrees_of_freedom(), Joint::from(&default).nv(), "{}", facts.name);
        for name in std::iter::once(facts.name).chain(facts.alias) {
            assert_eq!(Facts::find(name).map(|found| found.name), Some(facts.name));
        }
        default.visit(&mut |key, _| assert!(facts.keys.contains(&key), "{}: {key}", facts.name));
    }
    assert!(Facts::find("ball").is_none());
}

#[test]
fn helical_joints_travel_their_pitch_per_radian() {
    let joint = Joint::from(&JointKind::Helical {
        axis: numbers([0.0, 3.0, 0.0]),
        point: numbers([1.0, 0.0, 0.0]),
        pitch: Number::from(0.25),
    });
    let turn = joint.transform(&[std::f64::consts::TAU]);
    assert_close("one turn", &turn.translation.0, &[0.0, 0.25 * std::f64::consts::TAU, 0.0]);
    assert_close("no rotation", turn.rotation.0.as_flattened(), Rotation::<f64>::identity().0.as_flattened());
}
