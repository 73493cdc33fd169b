//! The identities of the group, its algebra and their duals, on random values and on all branches.

use super::pose::{left_jacobian_coefficients, left_jacobian_inverse_coefficient};
use super::*;
use crate::random::Random;
use jourdain_symbolic::{Dual, Jet, Scalar};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

type Six = [[f64; 6]; 6];

#[track_caller]
fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{what}[{i}]: {a} instead of {b}");
    }
}

#[expect(clippy::print_stdout, reason = "shown only when the test fails")]
fn on_random_values(check: impl Fn(&mut Random)) {
    for seed in 0..200 {
        println!("seed {seed}");
        check(&mut Random(seed));
    }
}

fn vector(random: &mut Random) -> Vector<f64> {
    Vector(random.array())
}

fn twist(random: &mut Random) -> Twist<f64> {
    Twist::from_array(random.array())
}

fn wrench(random: &mut Random) -> Wrench<f64> {
    Wrench::from_array(random.array())
}

fn pose(random: &mut Random) -> Pose<f64> {
    Pose { rotation: Quaternion::new(random.array()).normalized().to_rotation(), translation: vector(random) }
}

/// The inertia of a cloud of point masses, and the points.
fn cloud(random: &mut Random) -> (Inertia<f64>, Vec<(f64, Vector<f64>)>) {
    let points: Vec<_> = (0..6).map(|_| (1.1 + random.signed(), vector(random))).collect();
    let mut inertia = Inertia::zero();
    for &(mass, point) in &points {
        inertia += Inertia::from_com(mass, point, Symmetric::zero());
    }
    (inertia, points)
}

fn matrix_of(f: impl Fn(Twist<f64>) -> [f64; 6]) -> Six {
    let columns: Six = std::array::from_fn(|j| f(Twist::unit(j)));
    transpose(columns)
}

fn transpose(m: Six) -> Six {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

fn product(a: Six, b: Six) -> Six {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..6).map(|k| a[i][k] * b[k][j]).sum()))
}

fn adjoint_matrix(t: &Pose<f64>) -> Six {
    matrix_of(|v| t.adjoint(v).to_array())
}

fn directions() -> Vec<Vector<f64>> {
    let mut all = Vec::new();
    for i in 0..27 {
        let direction = Vector([i % 3, i / 3 % 3, i / 9].map(|x| f64::from(x) - 1.0));
        if i != 13 {
            all.push(direction.times(1.0 / direction.norm()));
        }
    }
    // Almost along a coordinate axis.
    all.push(Vector([1.0, 1e-9, -1e-12]));
    all
}

/// From nothing to a half turn, both sides of every bound in the code.
const ANGLES: [f64; 22] = [
    0.0,
    1e-300,
    1e-160,
    1e-12,
    0.999e-8,
    1.001e-8,
    1.999e-8,
    2.001e-8,
    1e-4,
    1.999e-4,
    2.001e-4,
    0.0999,
    0.1001,
    0.999,
    1.001,
    1.999,
    2.001,
    FRAC_PI_2,
    PI - 1e-3,
    PI - 1e-6,
    PI - 1e-9,
    PI,
];

// The group.

#[test]
fn adjoint_of_a_product_is_the_product_of_adjoints() {
    on_random_values(|random| {
        let (a, b, v) = (pose(random), pose(random), twist(random));
        assert_close("Ad", &(a * b).adjoint(v).to_array(), &a.adjoint(b.adjoint(v)).to_array(), 1e-14);
        assert_close("Ad⁻¹", &a.adjoint_inverse(a.adjoint(v)).to_array(), &v.to_array(), 1e-14);
        assert_close("inverse", &a.inverse().adjoint(v).to_array(), &a.adjoint_inverse(v).to_array(), 1e-14);
        let identity = Pose::<f64>::identity().to_matrix();
        assert_close("T T⁻¹", (a * a.inverse()).to_matrix().as_flattened(), identity.as_flattened(), 1e-14);
        let p = vector(random);
        assert_close("points", &(a * b).apply(p).0, &a.apply(b.apply(p)).0, 1e-14);
    });
}

#[test]
fn coadjoint_preserves_power_and_is_the_inverse_transpose() {
    on_random_values(|random| {
        let (t, v, f) = (pose(random), twist(random), wrench(random));
        assert_close("power", &[t.adjoint(v).dot(t.coadjoint(f))], &[v.dot(f)], 1e-14);
        assert_close("inverse", &t.coadjoint_inverse(t.coadjoint(f)).to_array(), &f.to_array(), 1e-14);
        assert_close("transpose", &[v.dot(t.coadjoint_inverse(f))], &[t.adjoint(v).dot(f)], 1e-14);
    });
}

#[test]
fn adjoint_carries_brackets_to_brackets() {
    on_random_values(|random| {
        let (t, u, v, f) = (pose(random), twist(random), twist(random), wrench(random));
        let moved = t.adjoint(u).cross(t.adjoint(v));
        assert_close("bracket", &t.adjoint(u.cross(v)).to_array(), &moved.to_array(), 1e-14);
        let moved = t.adjoint(u).cross_dual(t.coadjoint(f));
        assert_close("dual", &t.coadjoint(u.cross_dual(f)).to_array(), &moved.to_array(), 1e-14);
    });
}

// The algebra.

#[test]
fn the_bracket_is_antisymmetric_and_satisfies_jacobi() {
    on_random_values(|random| {
        let (u, v, w) = (twist(random), twist(random), twist(random));
        assert_close("antisymmetry", &u.cross(v).to_array(), &(-v.cross(u)).to_array(), 1e-15);
        let sum = u.cross(v.cross(w)) + v.cross(w.cross(u)) + w.cross(u.cross(v));
        assert_close("Jacobi", &sum.to_array(), &[0.0; 6], 1e-14);
    });
}

#[test]
fn the_dual_bracket_is_minus_the_transpose() {
    on_random_values(|random| {
        let (u, v, f) = (twist(random), twist(random), wrench(random));
        assert_close("duality", &[u.dot(v.cross_dual(f))], &[-v.cross(u).dot(f)], 1e-14);
        assert_eq!(f.bar_cross(u), u.cross_dual(f));
    });
}

#[test]
fn the_bracket_is_the_derivative_of_the_adjoint() {
    on_random_values(|random| {
        // T = exp(u t) to first order: identity, with the rate û.
        let (u, v, f) = (twist(random), twist(random), wrench(random));
        let moving = |x: f64, rate: f64| Dual::new(x, rate);
        let [x, y, z] = u.angular.0;
        let rates = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        let identity = Rotation::<f64>::identity();
        let t = Pose {
            rotation: Rotation(std::array::from_fn(|i| std::array::from_fn(|j| moving(identity.0[i][j], rates[i][j])))),
            translation: u.linear.map(|x| moving(0.0, x)),
        };
        let lifted = Twist { linear: v.linear.lift(), angular: v.angular.lift() };
        let rate = t.adjoint(lifted).to_array().map(|x: Dual<f64>| x.derivative);
        assert_close("ad", &rate, &u.cross(v).to_array(), 1e-15);
        let lifted = Wrench { force: f.force.lift(), moment: f.moment.lift() };
        let rate = t.coadjoint(lifted).to_array().map(|x: Dual<f64>| x.derivative);
        assert_close("ad*", &rate, &u.cross_dual(f).to_array(), 1e-15);
    });
}

#[test]
fn adjoint_of_the_exponential_is_the_exponential_of_the_bracket() {
    on_random_values(|random| {
        let v = twist(random).times(2.0);
        let ad = matrix_of(|u| v.cross(u).to_array());
        let mut term = matrix_of(Twist::to_array);
        let mut sum = term;
        for k in 1..60 {
            term = product(term, ad).map(|row| row.map(|x| x / f64::from(k)));
            for i in 0..6 {
                for j in 0..6 {
                    sum[i][j] += term[i][j];
                }
            }
        }
        assert_close("exp", adjoint_matrix(&Pose::exp(v)).as_flattened(), sum.as_flattened(), 1e-13);
    });
}

// Exponential and logarithm.

#[test]
fn logarithm_undoes_the_exponential_on_all_branches() {
    for axis in directions() {
        for angle in ANGLES {
            let v = Twist { linear: Vector([0.3, -1.2, 0.7]), angular: axis.times(angle) };
            let back = Pose::exp(v).log();
            if angle > PI - 1e-8 {
                // Half a turn either way is one rotation, and rounding decides.
                let sign = back.angular.dot(axis).signum();
                let distance = (back.angular.times(sign) - v.angular).norm();
                assert!(distance < 1e-8, "axis {axis:?}, angle {angle}: {distance}");
                if sign < 0.0 {
                    continue;
                }
            }
            // Relative to the angle itself, however small.
            for i in 0..3 {
                let error = (back.angular[i] - v.angular[i]).abs();
                assert!(error <= 2e-15 * angle, "axis {axis:?}, angle {angle}: {:?}", back.angular);
            }
            assert_close("linear", &back.linear.0, &v.linear.0, 3e-15);
        }
    }
}

#[test]
fn exponential_undoes_the_logarithm_on_all_branches() {
    let check = |t: Pose<f64>| {
        let log = t.log();
        assert!(log.angular.norm() <= PI + 1e-15);
        assert_close("exp log", Pose::exp(log).to_matrix().as_flattened(), t.to_matrix().as_flattened(), 4e-15);
    };
    on_random_values(|random| check(pose(random)));
    for axis in directions() {
        for angle in ANGLES {
            check(Pose { rotation: Rotation::exp(axis.times(angle)), translation: Vector([0.3, -1.2, 0.7]) });
        }
    }
    // Exact half turns, as matrices.
    for i in 0..3 {
        check(Pose { rotation: Rotation::elementary(i, PI), translation: Vector([0.3, -1.2, 0.7]) });
    }
}

#[test]
fn angles_beyond_a_half_turn_wrap() {
    for axis in directions() {
        for angle in [PI + 1e-3, 4.0, TAU - 1e-3, TAU + 0.1, 3.0 * PI - 0.1, 20.0] {
            let wrapped = angle - TAU * (angle / TAU).round();
            let log = Rotation::exp(axis.times(angle)).log();
            assert_close("wrapped", &log.0, &axis.times(wrapped).0, 1e-14);
            let direct = Quaternion::exp(axis.times(angle)).log();
            assert_close("quaternion", &direct.0, &axis.times(wrapped).0, 1e-14);
        }
    }
}

#[test]
fn rotation_exponential_is_rodrigues_formula() {
    for axis in directions() {
        for angle in ANGLES {
            let (a, b) = (Rotation::exp(axis.times(angle)), Rotation::about(axis, angle));
            assert_close("Rodrigues", a.0.as_flattened(), b.0.as_flattened(), 1e-15);
        }
    }
}

/// Σ (−1)ᵏ xᵏ / (2k + first)!, smallest terms first.
fn factorial_series(x: f64, first: i32) -> f64 {
    let mut term: f64 = (2..=first).map(|i| 1.0 / f64::from(i)).product();
    let mut terms = Vec::new();
    for k in 0..30 {
        terms.push(term);
        let n = 2 * k + first;
        term *= -x / f64::from((n + 1) * (n + 2));
    }
    terms.iter().rev().sum()
}

#[test]
fn left_jacobian_coefficients_are_their_series_on_both_sides_of_the_bounds() {
    let mut angle = 0.0;
    while angle < 2.6 {
        for square in [angle * angle, 1.0 - f64::EPSILON, 1.0, 4.0 - 4.0 * f64::EPSILON, 4.0] {
            let (a, b) = left_jacobian_coefficients(square);
            let (series_a, series_b) = (factorial_series(square, 2), factorial_series(square, 3));
            assert!((a / series_a - 1.0).abs() < 1e-15, "a at {square}: {a} {series_a}");
            assert!((b / series_b - 1.0).abs() < 1e-15, "b at {square}: {b} {series_b}");
        }
        angle += 1.0 / 512.0;
    }
}

/// |B_2n|/(2n)! = 2 ζ(2n)/(2π)²ⁿ gives the series of c; its first terms are 1/12 + x/720 + x²/30240 + x³/1209600 + x⁴/47900160.
#[test]
fn left_jacobian_inverse_coefficient_is_its_bernoulli_series() {
    let coefficient = |n: i32| {
        let zeta = match n {
            1 => PI.powi(2) / 6.0,
            2 => PI.powi(4) / 90.0,
            3 => PI.powi(6) / 945.0,
            _ => (1..200).rev().map(|k| f64::from(k).powi(-2 * n)).sum::<f64>(),
        };
        2.0 * zeta / TAU.powi(2 * n)
    };
    for (n, denominator) in [(1, 12.0), (2, 720.0), (3, 30240.0), (4, 1_209_600.0), (5, 47_900_160.0)] {
        assert!((coefficient(n) * denominator - 1.0).abs() < 1e-14);
    }
    let coefficients: Vec<f64> = (1..40).map(coefficient).collect();
    let mut angle = 0.0;
    while angle < 3.2 {
        for square in [angle * angle, 1.0, 4.0 - 4.0 * f64::EPSILON, 4.0] {
            let series = coefficients.iter().rev().fold(0.0, |sum, c| sum * square + c);
            let c = left_jacobian_inverse_coefficient(square);
            assert!((c / series - 1.0).abs() < 1.5e-15, "at {square}: {c} {series}");
        }
        angle += 1.0 / 512.0;
    }
}

// Rotations and quaternions.

#[test]
fn quaternions_multiply_as_rotations_do() {
    on_random_values(|random| {
        let [a, b] = [0; 2].map(|_| Quaternion::new(random.array()).normalized());
        let matrices = a.to_rotation() * b.to_rotation();
        assert_close("product", (a * b).to_rotation().0.as_flattened(), matrices.0.as_flattened(), 1e-14);
        let inverse = a.to_rotation().transpose();
        assert_eq!(a.conjugate().to_rotation(), inverse);
        assert!(a.to_rotation().orthogonality_error() < 1e-15 * 4.0);
    });
}

#[test]
fn a_rotation_gives_back_its_quaternion_on_all_four_branches() {
    let same = |found: Quaternion<f64>, q: Quaternion<f64>| {
        assert!(found.w >= 0.0);
        let sign =
            if found.to_array().iter().zip(q.to_array()).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        assert_close("quaternion", &found.to_array().map(|x| x * sign), &q.to_array(), 1e-15);
    };
    on_random_values(|random| {
        for largest in 0..4 {
            let mut q: [f64; 4] = random.array::<4>().map(|x| 0.5 * x);
            q[largest] = 1.0 + random.signed().abs();
            for tiny in [1.0, 1e-9, 0.0] {
                let parts = std::array::from_fn(|i| if i == largest { q[i] } else { q[i] * tiny });
                let q = Quaternion::new(parts).normalized();
                same(Quaternion::from_rotation(&q.to_rotation()), q);
            }
        }
    });
    // Two, three and four components of equal size: where the branches meet.
    for bits in 1..16 {
        let q = Quaternion::new(std::array::from_fn(|i| f64::from(bits >> i & 1))).normalized();
        same(Quaternion::from_rotation(&q.to_rotation()), q);
    }
}

#[test]
fn roll_pitch_yaw_turn_about_fixed_axes_in_this_order() {
    on_random_values(|random| {
        let [roll, pitch, yaw] = random.array::<3>().map(|x| 4.0 * x);
        let about = |i: usize, angle: f64| Rotation::about(Vector::unit(i), angle);
        let expected = about(2, yaw) * about(1, pitch) * about(0, roll);
        assert_close("rpy", Rotation::from_rpy(roll, pitch, yaw).0.as_flattened(), expected.0.as_flattened(), 1e-15);
    });
    // A quarter of yaw takes x to y, of pitch x to −z, of roll y to z.
    let x_under = |roll, pitch, yaw| Rotation::from_rpy(roll, pitch, yaw).apply(Vector([1.0, 0.0, 0.0])).0;
    assert_eq!(x_under(0.0, 0.0, FRAC_PI_2), [0.0, 1.0, 0.0]);
    assert_eq!(x_under(0.0, FRAC_PI_2, 0.0), [0.0, 0.0, -1.0]);
    assert_eq!(Rotation::from_rpy(FRAC_PI_2, 0.0, 0.0).apply(Vector([0.0, 1.0, 0.0])).0, [0.0, 0.0, 1.0]);
}

#[test]
fn right_angles_are_exact_and_other_angles_untouched() {
    let exact = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
    for k in -40..=40_i32 {
        let angle = f64::from(k) * FRAC_PI_2;
        let expected = exact[k.rem_euclid(4) as usize];
        assert_eq!(exact_sin_cos(angle), expected, "{k} quarters");
        assert_eq!(exact_sin_cos(angle * (1.0 + f64::EPSILON)), expected, "{k} quarters and a bit");
        for near in [1e-4, -1e-4, 1e-9, -1e-9, 1e-12] {
            assert_eq!(exact_sin_cos(angle + near), (angle + near).sin_cos(), "{k} quarters and {near}");
        }
    }
    // As robot files write them.
    let value = |text: &str| text.parse::<f64>().unwrap();
    for text in ["1.570796326794897", "3.14159265358979312", "4.71238898038469", "-1.5707963267948966"] {
        let (sin, cos) = exact_sin_cos(value(text));
        assert!(sin == 0.0 || cos == 0.0, "{text}");
    }
    for other in [1e-300, -1e-20, 1e-9, value("1.5708"), value("3.1416"), 0.3, 1e15, -3e20, f64::MAX] {
        assert_eq!(exact_sin_cos(other), other.sin_cos(), "{other}");
    }
}

// Inertias.

#[test]
fn inertia_about_the_centre_of_mass_and_the_origin_give_each_other() {
    on_random_values(|random| {
        let (mass, com, tensor) = (1.5 + random.signed(), vector(random), Symmetric::from_array(random.array()));
        let inertia = Inertia::from_com(mass, com, tensor);
        let (com_back, tensor_back) = inertia.about_com();
        assert_close("com", &com_back.0, &com.0, 1e-15);
        assert_close("tensor", &tensor_back.to_array(), &tensor.to_array(), 1e-14);
        assert_eq!(Inertia::from_parameters(inertia.to_parameters()), inertia);
    });
}

#[test]
fn inertia_of_a_cloud_of_points_is_its_definition() {
    on_random_values(|random| {
        let (inertia, points) = cloud(random);
        let omega = vector(random);
        let velocity = twist(random);
        let mut along = 0.0;
        let mut energy = 0.0;
        for (mass, point) in points {
            along += mass * omega.cross(point).norm_squared();
            energy += 0.5 * mass * (velocity.linear + velocity.angular.cross(point)).norm_squared();
        }
        assert_close("ωᵀIω", &[omega.dot(inertia.rotational.apply(omega))], &[along], 1e-14);
        assert_close("energy", &[0.5 * velocity.dot(inertia.apply(velocity))], &[energy], 1e-14);
    });
}

#[test]
fn a_transformed_inertia_is_the_congruent_matrix_and_keeps_the_energy() {
    on_random_values(|random| {
        let (inertia, points) = cloud(random);
        let (t, v) = (pose(random), twist(random));
        let moved = inertia.transformed(&t);
        let inverse = adjoint_matrix(&t.inverse());
        let expected = product(transpose(inverse), product(inertia.to_matrix(), inverse));
        assert_close("Ad⁻ᵀ Λ Ad⁻¹", moved.to_matrix().as_flattened(), expected.as_flattened(), 1e-13);
        assert_close("energy", &[t.adjoint(v).dot(moved.apply(t.adjoint(v)))], &[v.dot(inertia.apply(v))], 1e-13);
        let mut direct = Inertia::zero();
        for (mass, point) in points {
            direct += Inertia::from_com(mass, t.apply(point), Symmetric::zero());
        }
        assert_close("moved points", &moved.to_parameters(), &direct.to_parameters(), 1e-13);
    });
}

#[test]
fn the_inertia_matrix_is_symmetric_and_applies_to_twists() {
    on_random_values(|random| {
        let (inertia, v) = (cloud(random).0, twist(random));
        let matrix = inertia.to_matrix();
        assert_eq!(matrix, transpose(matrix));
        let applied: [f64; 6] = matrix.map(|row| row.iter().zip(v.to_array()).map(|(a, b)| a * b).sum());
        assert_close("Λ v", &inertia.apply(v).to_array(), &applied, 1e-14);
    });
}

fn smallest_eigenvalue(pseudo: [[f64; 4]; 4]) -> f64 {
    nalgebra::Matrix4::from(pseudo).symmetric_eigenvalues().min()
}

#[test]
fn pseudo_inertia_is_the_second_moment_of_the_mass() {
    on_random_values(|random| {
        let (inertia, points) = cloud(random);
        let mut sum = [[0.0; 4]; 4];
        for (mass, Vector([x, y, z])) in points {
            let p = [x, y, z, 1.0];
            for i in 0..4 {
                for j in 0..4 {
                    sum[i][j] += mass * p[i] * p[j];
                }
            }
        }
        let pseudo = inertia.to_pseudo_inertia();
        assert_close("Σ m p pᵀ", pseudo.as_flattened(), sum.as_flattened(), 1e-14);
        let back = Inertia::from_pseudo_inertia(&pseudo);
        assert_close("back", &back.to_parameters(), &inertia.to_parameters(), 1e-14);
        assert!(smallest_eigenvalue(pseudo) > 0.0);
    });
}

#[test]
fn pseudo_inertia_sees_what_the_tensor_alone_does_not() {
    // Positive definite, but 3 > 1 + 1: no body has these principal moments.
    let tensor = |moments: [f64; 3]| Symmetric::from_array([moments[0], 0.0, 0.0, moments[1], 0.0, moments[2]]);
    let impossible = Inertia::from_com(2.0, Vector([0.3, 0.2, -0.1]), tensor([1.0, 1.0, 3.0]));
    assert!(smallest_eigenvalue(impossible.to_pseudo_inertia()) < -0.1);
    // A thin plate is the limit.
    let plate = Inertia::from_com(2.0, Vector([0.3, 0.2, -0.1]), tensor([1.0, 2.0, 3.0]));
    assert!(smallest_eigenvalue(plate.to_pseudo_inertia()).abs() < 1e-15);
}

// The same over other scalars.

/// A pose that moves with time: coefficient by coefficient a valid rotation.
fn moving_pose(random: &mut Random) -> Pose<Jet<f64, 4>> {
    let jet = |random: &mut Random| Jet(random.array::<4>());
    let quaternion = Quaternion::new(std::array::from_fn(|_| jet(random))).normalized();
    Pose { rotation: quaternion.to_rotation(), translation: Vector(std::array::from_fn(|_| jet(random))) }
}

fn coefficients<const K: usize>(values: &[Jet<f64, K>]) -> Vec<f64> {
    values.iter().flat_map(|jet| jet.0).collect()
}

#[test]
fn the_identities_hold_for_series_in_time() {
    on_random_values(|random| {
        let (a, b) = (moving_pose(random), moving_pose(random));
        let twist = |random: &mut Random| Twist::from_array(std::array::from_fn(|_| Jet(random.array::<4>())));
        let (u, v) = (twist(random), twist(random));
        let f = Wrench::from_array(std::array::from_fn(|_| Jet(random.array::<4>())));
        let close = |what: &str, x: &[Jet<f64, 4>], y: &[Jet<f64, 4>]| {
            assert_close(what, &coefficients(x), &coefficients(y), 1e-11);
        };
        close("Ad", &(a * b).adjoint(v).to_array(), &a.adjoint(b.adjoint(v)).to_array());
        close("Ad⁻¹", &a.adjoint_inverse(a.adjoint(v)).to_array(), &v.to_array());
        close("power", &[a.adjoint(v).dot(a.coadjoint(f))], &[v.dot(f)]);
        close("bracket", &a.adjoint(u.cross(v)).to_array(), &a.adjoint(u).cross(a.adjoint(v)).to_array());
        let inertia: Inertia<Jet<f64, 4>> = cloud(random).0.lift();
        let energy = a.adjoint(v).dot(inertia.transformed(&a).apply(a.adjoint(v)));
        close("energy", &[energy], &[v.dot(inertia.apply(v))]);
        let parameters = Inertia::from_pseudo_inertia(&inertia.to_pseudo_inertia()).to_parameters();
        close("pseudo-inertia", &parameters, &inertia.to_parameters());
    });
}

#[test]
fn the_rate_of_a_quaternion_turns_the_rotation_by_the_body_angular_velocity() {
    on_random_values(|random| {
        let (q, omega) = (Quaternion::new(random.array()).normalized(), vector(random));
        let rate = q.rate(omega).to_array();
        let moving = Quaternion::new(std::array::from_fn(|i| Dual::new(q.to_array()[i], rate[i]))).to_rotation();
        for j in 0..3 {
            // Ṙ e = R (ω × e)
            let expected = q.to_rotation().apply(omega.cross(Vector::unit(j)));
            assert_close("Ṙ", &moving.column(j).0.map(|x| x.derivative), &expected.0, 1e-15);
        }
        let about = Rotation::about(Vector([0.0, 0.6, 0.8]).map(Dual::from_f64), Dual::variable(0.4));
        let body = about.transpose() * Rotation(about.0.map(|row| row.map(|x| Dual::fixed(x.derivative))));
        assert_close("about", &[body.0[2][1].value, body.0[0][2].value], &[0.0, 0.6], 1e-15);
    });
}

#[test]
fn only_what_is_zero_in_every_number_is_zero() {
    assert!(Vector::<f64>::zero().is_zero() && Inertia::<f64>::zero().is_zero());
    for i in 0..3 {
        assert!(!Vector(std::array::from_fn(|k| if k == i { 1e-300 } else { 0.0 })).is_zero());
    }
    for i in 0..10 {
        assert!(!Inertia::from_parameters(std::array::from_fn(|k| if k == i { -1e-300 } else { 0.0 })).is_zero());
    }
}

#[test]
fn a_half_turn_keeps_the_sign_of_its_axis() {
    for i in 0..3 {
        let axis = |sign: f64| Vector(std::array::from_fn(|k| if k == i { sign } else { 0.0 }));
        for sign in [1.0, -1.0] {
            let half_turn = Quaternion { w: 0.0, v: axis(sign) };
            assert_close("log", &half_turn.log().0, &axis(sign * PI).0, 1e-15);
        }
        let matrix = Rotation(std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                if row != column {
                    0.0
                } else if row == i {
                    1.0
                } else {
                    -1.0
                }
            })
        }));
        assert_eq!(Quaternion::from_rotation(&matrix).v, axis(1.0));
    }
}

#[test]
fn what_is_no_rotation_deviates_by_its_lengths_and_its_volume() {
    on_random_values(|random| assert!(pose(random).rotation.orthogonality_error() < 4e-15));
    let diagonal = |[x, y, z]: [f64; 3]| Rotation([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]);
    for (numbers, error) in [([1.0, 1.0, 1.1], 0.21), ([1.1, 1.1, 1.1], 0.331), ([1.0, -1.0, 1.0], 2.0)] {
        assert_close("deviation", &[diagonal(numbers).orthogonality_error()], &[error], 1e-15);
    }
    // A shear keeps the volume.
    let shear = Rotation([[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_close("shear", &[shear.orthogonality_error()], &[0.1], 1e-15);
}
