//! Kinematics against the stored cases and against the closed forms' outward recursion on random robots.

use crate::common::random_tree::{Random, for_each_tree};
use crate::common::{assert_close, cases};
use jourdain::dynamics::closed_form::{self, Outward};
use jourdain::kinematics::{
    Frame, com, com_jacobian, com_jacobian_dot, jacobian, jacobian_dot, jacobian_partials, pose, poses, tangent,
    trajectory, twists,
};
use jourdain::spatial::{Twist, Wrench};
use jourdain::state::LinkWrench;
use jourdain::{Matrix, Model};
use jourdain_symbolic::{Dual, Jet};

const STORED: f64 = 1e-13;

const ROUNDING: f64 = 1e-12;

/// Jᵀ W.
fn transposed(jacobian: &Matrix<f64>, wrench: Wrench<f64>) -> Vec<f64> {
    let wrench = wrench.to_array();
    (0..jacobian.columns()).map(|j| (0..6).map(|i| jacobian[(i, j)] * wrench[i]).sum()).collect()
}

fn subtract(sum: &mut [f64], factor: f64, term: &[f64]) {
    sum.iter_mut().zip(term).for_each(|(s, t)| *s -= factor * t);
}

fn columns_of(twists: &[Twist<f64>]) -> Matrix<f64> {
    Matrix::from_fn(6, twists.len(), |i, j| twists[j].to_array()[i])
}

#[test]
fn the_centre_of_mass_and_its_jacobian_are_those_of_the_cases() {
    for case in cases() {
        let q = &case.state.q;
        assert_close(&case.id, &com(&case.model, q).unwrap().0, &case.output("com"), STORED);
        assert_close(&case.id, com_jacobian(&case.model, q).unwrap().as_slice(), &case.output("J_com"), STORED);
    }
}

/// g = −m J_comᵀ · gravity, and ġ with J̇_com.
#[test]
fn the_weight_at_the_centre_of_mass_is_the_gravity_torque_of_the_cases() {
    for case in cases() {
        let (model, state) = (&case.model, &case.state);
        let weight = model.gravity().times(-model.total_mass());
        let torque = |j: &Matrix<f64>| -> Vec<f64> {
            (0..model.nv()).map(|c| (0..3).map(|i| j[(i, c)] * weight[i]).sum()).collect()
        };
        let found = torque(&com_jacobian(model, &state.q).unwrap());
        assert_close(&case.id, &found, &case.output("g"), STORED);
        let found = torque(&com_jacobian_dot(model, &state.q, &state.qd).unwrap());
        assert_close(&case.id, &found, &case.output("gdot"), STORED);
    }
}

/// Qext = −Σ Jᵀ W and its first two derivatives, with J̈ from J̇ on series in time.
#[test]
fn jacobians_and_their_rates_give_the_wrench_torques_of_the_cases() {
    let mut loads = 0;
    for case in cases() {
        let (model, state) = (&case.model, &case.state);
        let n = model.nv();
        let (mut torque, mut torque_dot, mut torque_ddot) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for load in &state.wrenches {
            loads += 1;
            let frame = Frame::body(load.link);
            let j = jacobian(model, &state.q, frame);
            let j_dot = jacobian_dot(model, &state.q, &state.qd, frame);
            let motion = trajectory::jets::<f64, 2>(model, &state.q, &[&state.qd, &state.qdd]);
            let series = jacobian_dot(model, &motion.q, &motion.w, frame);
            let j_ddot = Matrix::from_fn(6, n, |i, k| series[(i, k)].derivative(1));
            subtract(&mut torque, 1.0, &transposed(&j, load.wrench));
            subtract(&mut torque_dot, 1.0, &transposed(&j_dot, load.wrench));
            subtract(&mut torque_dot, 1.0, &transposed(&j, load.dot));
            subtract(&mut torque_ddot, 1.0, &transposed(&j_ddot, load.wrench));
            subtract(&mut torque_ddot, 2.0, &transposed(&j_dot, load.dot));
            subtract(&mut torque_ddot, 1.0, &transposed(&j, load.ddot));
        }
        assert_close(&case.id, &torque, &case.output("Qext"), STORED);
        assert_close(&case.id, &torque_dot, &case.output("Qext_dot"), STORED);
        assert_close(&case.id, &torque_ddot, &case.output("Qext_ddot"), STORED);
    }
    assert!(loads > 0);
}

/// The positions of [`trajectory::jets`] under every joint type of the cases, to the fourth derivative.
#[test]
fn inverse_dynamics_on_series_gives_the_torque_rates_of_the_cases() {
    for case in cases() {
        let (model, state) = (&case.model, &case.state);
        let [fifth, sixth] = [&state.derivatives[0], &state.derivatives[1]];
        let orders: [&[f64]; 6] = [&state.qd, &state.qdd, &state.qddd, &state.qdddd, fifth, sixth];
        let motion = trajectory::jets::<f64, 5>(model, &state.q, &orders);
        let series = |load: &LinkWrench<f64>| {
            let orders = [load.wrench, load.dot, load.ddot].map(Wrench::to_array);
            let component = |i: usize| Jet::from_derivatives([orders[0][i], orders[1][i], orders[2][i], 0.0, 0.0]);
            LinkWrench::constant(load.link, Wrench::from_array(std::array::from_fn(component)))
        };
        let wrenches: Vec<LinkWrench<Jet<f64, 5>>> = state.wrenches.iter().map(series).collect();
        let torque = closed_form::inverse_dynamics(model, &motion.q, &motion.w, &motion.w_dot, &wrenches);
        for (order, name) in ["Q", "Qdot", "Qddot", "Q3", "Q4"].into_iter().enumerate() {
            let found: Vec<f64> = torque.iter().map(|x| x.derivative(order)).collect();
            assert_close(&format!("{} {name}", case.id), &found, &case.output(name), ROUNDING);
        }
    }
}

#[test]
fn jacobians_and_their_rates_are_those_of_the_outward_recursion() {
    for_each_tree(60, 20, |model, state| {
        let outward = Outward::moving(model, &state.q, &state.qd);
        let (poses, twists) = (poses(model, &state.q), twists(model, &state.q, &state.qd));
        for (l, link) in outward.links().iter().enumerate() {
            let frame = Frame::body(l);
            let (j, j_dot) = (jacobian(model, &state.q, frame), jacobian_dot(model, &state.q, &state.qd, frame));
            assert_close("J", j.as_slice(), columns_of(&link.jacobian).as_slice(), ROUNDING);
            assert_close("J̇", j_dot.as_slice(), columns_of(&link.jacobian_dot).as_slice(), ROUNDING);
            assert_close("v", &twists[l].to_array(), &link.twist.to_array(), ROUNDING);
            let (a, b) = (poses[l].to_matrix(), link.pose.to_matrix());
            assert_close("T", a.as_flattened(), b.as_flattened(), ROUNDING);
        }
        let j = closed_form::com_jacobian(model, &state.q).unwrap();
        assert_close("J_com", com_jacobian(model, &state.q).unwrap().as_slice(), j.as_slice(), ROUNDING);
    });
}

#[test]
fn partials_are_those_of_the_dual_and_sum_to_the_rate() {
    for_each_tree(40, 15, |model, state| {
        let n = model.nv();
        let mut random = Random::new(n as u64);
        let link = random.below(model.links().len());
        for frame in [Frame::body(link), Frame::world_aligned(link)] {
            let partials = jacobian_partials(model, &state.q, frame);
            let h = random.below(n);
            let direction: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == h))).collect();
            let dual = jacobian(model, &tangent::along(model, &state.q, &direction), frame);
            let expected: Vec<f64> = dual.as_slice().iter().map(|x: &Dual<f64>| x.derivative).collect();
            let slice: Vec<f64> = (0..6 * n).map(|i| partials[i * n + h]).collect();
            assert_close("∂J/∂q", &slice, &expected, ROUNDING);
            let sums: Vec<f64> =
                partials.chunks(n).map(|row| row.iter().zip(&state.qd).map(|(d, w)| d * w).sum()).collect();
            let rate = jacobian_dot(model, &state.q, &state.qd, frame);
            assert_close("Σ ∂J/∂q w", &sums, rate.as_slice(), ROUNDING);
        }
    });
}

/// The pose after a small retraction, by the Jacobian: the direction of every derivative is that of `retract`.
#[test]
fn the_jacobian_is_the_slope_of_the_pose_under_retraction() {
    for_each_tree(20, 10, |model: &Model, state| {
        let link = model.links().len() - 1;
        let step = 1e-6;
        let at = |sign: f64| {
            let mut q = state.q.clone();
            model.retract(&mut q, &state.qd.iter().map(|w| sign * step * w).collect::<Vec<_>>());
            pose(model, &q, link)
        };
        let twist = (at(-1.0).inverse() * at(1.0)).log().times(0.5 / step);
        let expected = jacobian(model, &state.q, Frame::body(link)).apply(&state.qd);
        assert_close("slope", &twist.to_array(), &expected, 1e-8);
    });
}

#[test]
fn quaternions_and_matrices_of_nalgebra_are_the_same_numbers() {
    use jourdain::spatial::Quaternion;
    use nalgebra::{DMatrix, UnitQuaternion};

    let numbers = [0.5, -0.5, 0.5, 0.5];
    let turned = UnitQuaternion::from(Quaternion::new(numbers));
    assert_eq!(Quaternion::from(turned).to_array(), numbers);
    assert_eq!(Quaternion::from(UnitQuaternion::identity()), Quaternion::identity());
    let model = jourdain::robots::load("planar2r").unwrap();
    let mass = jourdain::dynamics::recursive::mass_matrix(&model, &[0.3, -0.7]);
    let dynamic = DMatrix::from(mass.clone());
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert_eq!(dynamic[(i, j)], mass[(i, j)]);
    }
}
