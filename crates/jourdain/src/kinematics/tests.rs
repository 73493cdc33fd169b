//! Every formula against the same poses differentiated by duals and jets, on random trees over all joint types.

use super::*;
use crate::matrix::Matrix;
use crate::model::description::{GROUND, Placement};
use crate::model::{JointType, Model, Number};
use crate::random::Random;
use crate::spatial::{Pose, Quaternion, Rotation, Twist, Vector};
use jourdain_symbolic::{Dual, Jet, Lanes, Scalar};

const TOLERANCE: f64 = 1e-12;

/// Largest difference over the largest value, or over one if that is larger.
#[track_caller]
fn assert_close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= TOLERANCE * scale, "{what}[{i}]: {a} instead of {b}");
    }
}

/// Runs a check on random trees, links and states; a failure prints the seed.
#[expect(clippy::print_stdout, reason = "shown only when the test fails")]
fn on_random_trees(check: impl Fn(&mut Random, &Model, usize, &[f64], &[f64])) {
    for seed in 0..40 {
        println!("seed {seed}");
        let mut random = Random(seed);
        let model = random.tree();
        let (q, w) = (random.position(&model), random.vector(model.nv()));
        // The outermost link of the longest chain, and one other.
        let longest = (0..model.links().len()).max_by_key(|&l| model.chain(l).count()).unwrap();
        let other = random.below(model.links().len());
        for link in [longest, other] {
            check(&mut random, &model, link, &q, &w);
        }
    }
}

fn frames(random: &mut Random, link: usize) -> [Frame<f64>; 4] {
    let point = Vector(random.array());
    let (body, world) = (Frame::body(link), Frame::world_aligned(link));
    [body, world, body.at(point), world.at(point)]
}

/// T⁻¹ Ṫ of a pose given with its derivative.
fn body_twist(value: Pose<f64>, rate: Pose<f64>) -> Twist<f64> {
    let omega = value.rotation.transpose() * rate.rotation;
    Twist {
        linear: value.rotation.apply_inverse(rate.translation),
        angular: Vector([omega.0[2][1], omega.0[0][2], omega.0[1][0]]),
    }
}

fn part<S: Scalar>(pose: Pose<S>, f: impl Fn(S) -> f64 + Copy) -> Pose<f64> {
    Pose { rotation: Rotation(pose.rotation.0.map(|row| row.map(f))), translation: pose.translation.map(f) }
}

fn unit(n: usize, h: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i == h))).collect()
}

fn moving(model: &Model, q: &[f64], w: &[f64]) -> Vec<Jet<f64, 2>> {
    trajectory::jets(model, q, &[w]).q
}

#[test]
fn the_random_trees_have_every_joint_type_on_the_tested_chains() {
    let mut seen = std::collections::HashSet::<JointType>::new();
    let mut coupled_on_one_chain = 0;
    for seed in 0..40 {
        let model = Random(seed).tree();
        let longest = (0..model.links().len()).max_by_key(|&l| model.chain(l).count()).unwrap();
        seen.extend(model.chain(longest).map(|l| model.links()[l].joint.kind));
        coupled_on_one_chain += usize::from(
            model
                .chain(longest)
                .filter_map(|l| model.links()[l].mimic)
                .any(|mimic| model.chain(longest).any(|l| l == mimic.leader)),
        );
    }
    assert_eq!(seen.len(), 10);
    assert!(coupled_on_one_chain > 5, "{coupled_on_one_chain}");
}

#[test]
fn the_pose_of_one_link_is_that_among_all() {
    on_random_trees(|_, model, link, q, _| {
        let (one, all) = (pose(model, q, link), poses(model, q)[link]);
        assert_close("pose", one.to_matrix().as_flattened(), all.to_matrix().as_flattened());
        assert!(all.rotation.orthogonality_error() < 1e-14);
    });
}

#[test]
fn twists_are_jacobian_times_velocity_and_the_rate_of_the_pose() {
    on_random_trees(|_, model, link, q, w| {
        let twist = twists(model, q, w)[link].to_array();
        assert_close("J w", &jacobian(model, q, Frame::body(link)).apply(w), &twist);
        let moving = pose(model, &moving(model, q, w), link);
        let rate = body_twist(part(moving, |x| x.0[0]), part(moving, |x| x.0[1]));
        assert_close("T⁻¹Ṫ", &rate.to_array(), &twist);
    });
}

#[test]
fn columns_of_the_jacobian_are_the_derivatives_of_the_pose() {
    on_random_trees(|_, model, link, q, _| {
        let body = jacobian(model, q, Frame::body(link));
        let world = jacobian(model, q, Frame::world_aligned(link));
        for h in 0..model.nv() {
            let moving = pose(model, &tangent::along(model, q, &unit(model.nv(), h)), link);
            let (value, rate) = (part(moving, |x| x.value), part(moving, |x| x.derivative));
            let twist = body_twist(value, rate);
            let column = |m: &Matrix<f64>| (0..6).map(|i| m[(i, h)]).collect::<Vec<_>>();
            assert_close("body", &column(&body), &twist.to_array());
            let angular = value.rotation.apply(twist.angular);
            assert_close("world", &column(&world), &Twist { linear: rate.translation, angular }.to_array());
        }
    });
}

#[test]
fn the_jacobian_at_a_point_moves_that_point() {
    on_random_trees(|random, model, link, q, _| {
        let point = Vector(random.array());
        let world = jacobian(model, q, Frame::world_aligned(link).at(point));
        for h in 0..model.nv() {
            let moving = pose(model, &tangent::along(model, q, &unit(model.nv(), h)), link).apply(point.lift());
            let column: Vec<f64> = (0..3).map(|i| world[(i, h)]).collect();
            assert_close("point", &column, &moving.0.map(|x: Dual<f64>| x.derivative));
        }
    });
}

#[test]
fn body_and_world_jacobians_differ_by_the_link_rotation() {
    on_random_trees(|_, model, link, q, _| {
        let rotation = pose(model, q, link).rotation;
        let body = jacobian(model, q, Frame::body(link));
        let turned = Matrix::from_fn(6, model.nv(), |i, j| {
            let rows = i / 3 * 3;
            Vector(rotation.0[i % 3]).dot(Vector([body[(rows, j)], body[(rows + 1, j)], body[(rows + 2, j)]]))
        });
        assert_close("R J", jacobian(model, q, Frame::world_aligned(link)).as_slice(), turned.as_slice());
    });
}

#[test]
fn the_rate_of_the_jacobian_is_that_of_its_jet() {
    on_random_trees(|random, model, link, q, w| {
        for frame in frames(random, link) {
            let jets = jacobian(model, &moving(model, q, w), frame);
            let expected: Vec<f64> = jets.as_slice().iter().map(|x| x.0[1]).collect();
            assert_close("J̇", jacobian_dot(model, q, w, frame).as_slice(), &expected);
        }
    });
}

#[test]
fn the_partials_of_the_jacobian_are_those_of_its_dual() {
    on_random_trees(|random, model, link, q, _| {
        let n = model.nv();
        for frame in frames(random, link) {
            let partials = jacobian_partials(model, q, frame);
            for h in 0..n {
                let duals = jacobian(model, &tangent::along(model, q, &unit(n, h)), frame);
                let expected: Vec<f64> = duals.as_slice().iter().map(|x| x.derivative).collect();
                let slice: Vec<f64> = (0..6 * n).map(|i| partials[i * n + h]).collect();
                assert_close("∂J/∂q", &slice, &expected);
            }
        }
    });
}

#[test]
fn the_partials_along_the_velocity_sum_to_the_rate() {
    on_random_trees(|random, model, link, q, w| {
        for frame in frames(random, link) {
            let partials = jacobian_partials(model, q, frame);
            let sums: Vec<f64> =
                partials.chunks(model.nv()).map(|row| row.iter().zip(w).map(|(d, w)| d * w).sum()).collect();
            assert_close("Σ ∂J/∂q w", &sums, jacobian_dot(model, q, w, frame).as_slice());
        }
    });
}

#[test]
fn the_centre_of_mass_is_the_mean_over_the_links() {
    on_random_trees(|_, model, _, q, _| {
        let mut sum = Vector::zero();
        for (link, pose) in model.links().iter().zip(poses(model, q)) {
            if link.inertia.mass > 0.0 {
                sum += pose.apply(link.inertia.about_com().0).times(link.inertia.mass);
            }
        }
        let mean = sum.times(1.0 / model.total_mass());
        assert_close("com", &com(model, q).unwrap().0, &mean.0);
    });
}

#[test]
fn the_jacobian_of_the_centre_of_mass_is_its_derivative() {
    on_random_trees(|_, model, _, q, w| {
        let jacobian = com_jacobian(model, q).unwrap();
        for h in 0..model.nv() {
            let moving = com(model, &tangent::along(model, q, &unit(model.nv(), h))).unwrap();
            let column: Vec<f64> = (0..3).map(|i| jacobian[(i, h)]).collect();
            assert_close("J_com", &column, &moving.0.map(|x: Dual<f64>| x.derivative));
        }
        let moving = com(model, &moving(model, q, w)).unwrap();
        assert_close("J_com w", &jacobian.apply(w), &moving.0.map(|x| x.0[1]));
    });
}

#[test]
fn the_rate_of_the_centre_of_mass_jacobian_is_that_of_its_jet() {
    on_random_trees(|_, model, _, q, w| {
        let jets = com_jacobian(model, &moving(model, q, w)).unwrap();
        let expected: Vec<f64> = jets.as_slice().iter().map(|x| x.0[1]).collect();
        assert_close("J̇_com", com_jacobian_dot(model, q, w).unwrap().as_slice(), &expected);
    });
}

#[test]
fn a_massless_robot_has_no_centre_of_mass() {
    let model = Random(1).tree();
    let massless = model.map(&mut |_| 0.0);
    let (q, w) = (model.neutral(), vec![0.0; model.nv()]);
    let error = Massless { robot: "random".to_owned() };
    assert_eq!(com(&massless, &q), Err(error.clone()));
    assert_eq!(com_jacobian(&massless, &q), Err(error.clone()));
    assert_eq!(com_jacobian_dot(&massless, &q, &w), Err(error));
}

#[test]
fn jacobians_do_not_know_how_far_away_the_robot_stands() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let mut description = random.description();
        let near = Model::from_description(&description).unwrap();
        let (q, w) = (random.position(&near), random.vector(near.nv()));
        // Ten kilometres away, by the placement of every link on the ground and the position of every free one.
        for link in description.links.iter_mut().filter(|link| link.parent == GROUND) {
            if let Placement::Origin { xyz, .. } = &mut link.placement {
                xyz[0] = Number::from(xyz[0].value + 1e4);
            }
        }
        let far = Model::from_description(&description).unwrap();
        let mut moved_q = q.clone();
        for link in far.links().iter().filter(|l| l.joint.kind == JointType::Free && l.parent.is_none()) {
            moved_q[link.q] += 1e4;
        }
        for link in 0..near.links().len() {
            for frame in frames(&mut random, link) {
                assert_eq!(jacobian(&near, &q, frame), jacobian(&far, &moved_q, frame), "seed {seed}");
                assert_eq!(jacobian_dot(&near, &q, &w, frame), jacobian_dot(&far, &moved_q, &w, frame));
                assert_eq!(jacobian_partials(&near, &q, frame), jacobian_partials(&far, &moved_q, frame));
            }
        }
        assert_eq!(com_jacobian(&near, &q), com_jacobian(&far, &moved_q));
        assert_eq!(com_jacobian_dot(&near, &q, &w), com_jacobian_dot(&far, &moved_q, &w));
    }
}

#[test]
fn one_scratch_serves_every_formula_in_any_order() {
    on_random_trees(|random, model, link, q, w| {
        let n = model.nv();
        let mut scratch = KinematicsScratch::new(model);
        let mut twist = vec![Twist::zero(); model.links().len()];
        let (mut six, mut three, mut cube) = (vec![f64::NAN; 6 * n], vec![f64::NAN; 3 * n], vec![f64::NAN; 6 * n * n]);
        for frame in frames(random, link) {
            com_jacobian_dot_into(model, q, w, &mut scratch, &mut three).unwrap();
            assert_eq!(three, com_jacobian_dot(model, q, w).unwrap().into_vec());
            jacobian_partials_into(model, q, frame, &mut scratch, &mut cube);
            assert_eq!(cube, jacobian_partials(model, q, frame));
            jacobian_dot_into(model, q, w, frame, &mut scratch, &mut six);
            assert_eq!(six, jacobian_dot(model, q, w, frame).into_vec());
            twists_into(model, q, w, &mut scratch, &mut twist);
            assert_eq!(twist, twists(model, q, w));
            com_jacobian_into(model, q, &mut scratch, &mut three).unwrap();
            assert_eq!(three, com_jacobian(model, q).unwrap().into_vec());
            jacobian_into(model, q, frame, &mut scratch, &mut six);
            assert_eq!(six, jacobian(model, q, frame).into_vec());
        }
    });
}

#[test]
fn lanes_give_what_single_states_give() {
    on_random_trees(|_, model, link, q, w| {
        let lanes = |v: &[f64]| v.iter().map(|&x| Lanes::<4>([x; 4])).collect::<Vec<_>>();
        let many = jacobian_dot(model, &lanes(q), &lanes(w), Frame::world_aligned(link));
        let first: Vec<f64> = many.as_slice().iter().map(|x| x.0[3]).collect();
        assert_close("lanes", &first, jacobian_dot(model, q, w, Frame::world_aligned(link)).as_slice());
    });
}

#[test]
fn position_jets_solve_their_differential_equation() {
    const K: usize = 7;
    on_random_trees(|random, model, _, q, w| {
        let higher: Vec<Vec<f64>> = (0..K).map(|_| random.vector(model.nv())).collect();
        let mut derivatives = vec![w];
        derivatives.extend(higher.iter().map(Vec::as_slice));
        let motion = trajectory::jets::<f64, K>(model, q, &derivatives);
        let mut rate = vec![Jet::fixed(0.0); model.nq()];
        model.position_rate_into(&motion.q, &motion.w, &mut rate);
        for i in 0..model.nq() {
            assert_eq!(motion.q[i].0[0], q[i]);
            let found: Jet<f64, { K - 1 }> = motion.q[i].time_derivative();
            assert_close("q̇", &found.0, &rate[i].truncate::<{ K - 1 }>().0);
        }
        for i in 0..model.nv() {
            let found: Jet<f64, { K - 1 }> = motion.w[i].time_derivative();
            assert_close("ẇ", &found.0, &motion.w_dot[i].truncate::<{ K - 1 }>().0);
        }
        // Quaternions stay unit to all orders.
        for link in model.links().iter().filter(|l| matches!(l.joint.kind, JointType::Spherical | JointType::Free)) {
            let start = link.q + link.joint.nq() - 4;
            let square = Quaternion::new(std::array::from_fn::<_, 4, _>(|i| motion.q[start + i])).norm_squared();
            assert_close("norm", &square.0, &Jet::<f64, K>::fixed(1.0).0);
        }
    });
}

#[test]
fn a_constant_body_twist_is_an_exponential_in_time() {
    const K: usize = 14;
    let time = 0.25;
    on_random_trees(|_, model, _, q, w| {
        let motion = trajectory::jets::<f64, K>(model, q, &[w]);
        let at_time: Vec<f64> = motion.q.iter().map(|x| x.0.iter().rev().fold(0.0, |s, c| s * time + c)).collect();
        let mut expected = q.to_vec();
        model.retract(&mut expected, &w.iter().map(|w| w * time).collect::<Vec<_>>());
        assert_close("q(t)", &at_time, &expected);
    });
}

#[test]
fn missing_orders_are_zero() {
    on_random_trees(|random, model, _, q, w| {
        let (w_dot, zero) = (random.vector(model.nv()), vec![0.0; model.nv()]);
        let short = trajectory::jets::<f64, 4>(model, q, &[w, &w_dot]);
        assert_eq!(short, trajectory::jets(model, q, &[w, &w_dot, &zero, &zero, &zero]));
        let still = trajectory::jets::<f64, 4>(model, q, &[]);
        assert!(still.q.iter().zip(q).all(|(jet, &q)| *jet == Jet::fixed(q)));
        assert!(still.w.iter().chain(&still.w_dot).all(|jet| *jet == Jet::fixed(0.0)));
        // A series of one coefficient needs no velocity at all.
        assert!(trajectory::jets::<f64, 1>(model, q, &[w]).q.iter().zip(q).all(|(jet, &q)| jet.0 == [q]));
    });
}

/// The acceleration and the jerk of a point by jets, against J w differentiated by hand.
#[test]
fn higher_derivatives_of_the_pose_follow_the_product_rule() {
    on_random_trees(|random, model, link, q, w| {
        let (w_dot, w_ddot) = (random.vector(model.nv()), random.vector(model.nv()));
        let motion = trajectory::jets::<f64, 4>(model, q, &[w, &w_dot, &w_ddot]);
        let place = pose(model, &motion.q, link).translation;
        let frame = Frame::world_aligned(link);
        let (j, j_dot) = (jacobian(model, q, frame), jacobian_dot(model, q, w, frame));
        // J̈ is the rate of J̇, taken on shorter series.
        let short = trajectory::jets::<f64, 2>(model, q, &[w, &w_dot]);
        let j_ddot = jacobian_dot(model, &short.q, &short.w, frame);
        let j_ddot = Matrix::from_fn(6, model.nv(), |i, k| j_ddot[(i, k)].0[1]);
        let sum = |terms: &[(f64, &Matrix<f64>, &[f64])]| -> Vec<f64> {
            let mut total = vec![0.0; 3];
            for (factor, matrix, vector) in terms {
                total.iter_mut().zip(matrix.apply(vector)).for_each(|(t, x)| *t += factor * x);
            }
            total
        };
        assert_close("v", &place.0.map(|x| x.derivative(1)), &sum(&[(1.0, &j, w)]));
        assert_close("a", &place.0.map(|x| x.derivative(2)), &sum(&[(1.0, &j, &w_dot), (1.0, &j_dot, w)]));
        let jerk = sum(&[(1.0, &j, &w_ddot), (2.0, &j_dot, &w_dot), (1.0, &j_ddot, w)]);
        assert_close("jerk", &place.0.map(|x| x.derivative(3)), &jerk);
    });
}
