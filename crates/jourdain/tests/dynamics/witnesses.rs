//! Quantities against what they are by definition: series of other quantities in time, differences, and facts of mechanics.

use crate::common::assert_close;
use crate::common::random_tree::for_each_tree;
use jourdain::dynamics::{Factorization, recursive};
use jourdain::kinematics::{self, Frame, KinematicsScratch, tangent, trajectory};
use jourdain::quantity::{Path, Quantity};
use jourdain::{Model, State, Workspace};
use jourdain_symbolic::{Dual, Jet};

fn evaluate(name: &str, path: Path, model: &Model, state: &State) -> Vec<f64> {
    let quantity = Quantity::parse(name, model).unwrap();
    quantity.evaluate(path, model, state, &mut Workspace::new(model)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// w, ẇ, ….
fn motion(state: &State) -> Vec<&[f64]> {
    (1..).map_while(|order| state.derivative(order)).collect()
}

fn derivatives<const K: usize>(series: &[Jet<f64, K>], order: usize) -> Vec<f64> {
    series.iter().map(|jet| jet.derivative(order)).collect()
}

#[test]
fn motions_of_links_are_those_of_their_poses_and_jacobians_in_time() {
    for_each_tree(40, 6, |model, state| {
        let link = model.links().len() - 1;
        let name = |what: &str| format!("{what}:{}", model.links()[link].name);
        let jets = trajectory::jets::<f64, 4>(model, &state.q, &motion(state));
        let frame = Frame::world_aligned(link);
        let jacobian = kinematics::jacobian(model, &jets.q, frame);
        let pose = kinematics::pose(model, &jets.q, link);
        let position: Vec<f64> = derivatives(&pose.translation.0, 1);
        let second: Vec<f64> = derivatives(&pose.translation.0, 2);
        let twist = Jet::<f64, 4>::fixed(0.0);
        let mut series = vec![twist; 6];
        for (i, out) in series.iter_mut().enumerate() {
            for j in 0..model.nv() {
                *out += jacobian[(i, j)] * jets.w[j];
            }
        }
        for path in [Path::Fast, Path::Closed] {
            let found = |what: &str| evaluate(&name(what), path, model, state);
            assert_close("velocity of the origin", &found("twist")[..3], &position, 1e-11);
            assert_close("twist", &found("twist"), &derivatives(&series, 0), 1e-11);
            assert_close("acceleration of the origin", &found("acceleration")[..3], &second, 1e-11);
            assert_close("acceleration", &found("acceleration"), &derivatives(&series, 1), 1e-11);
            assert_close("second rate", &found("jacobian_ddot"), &derivatives(jacobian.as_slice(), 2), 1e-11);
            let (v, a, s) = (found("twist"), found("acceleration"), found("spatial_acceleration"));
            let bent = [v[4] * v[2] - v[5] * v[1], v[5] * v[0] - v[3] * v[2], v[3] * v[1] - v[4] * v[0]];
            let expected: Vec<f64> = (0..6).map(|i| if i < 3 { a[i] - bent[i] } else { a[i] }).collect();
            assert_close("spatial acceleration", &s, &expected, 1e-11);
            // J̈ = Σ ∂J̇/∂q_h w_h + J̇ at ẇ.
            let (partials, n) = (found("jacobian_dot_dq"), model.nv());
            let at = State { qd: state.qdd.clone(), ..state.clone() };
            let along = evaluate(&name("jacobian_dot"), path, model, &at);
            let chained =
                |(i, rate): (usize, &f64)| (0..n).fold(*rate, |sum, h| sum + partials[i * n + h] * state.qd[h]);
            let expected: Vec<f64> = along.iter().enumerate().map(chained).collect();
            assert_close("second rate by partials", &found("jacobian_ddot"), &expected, 1e-10);
        }
    });
}

#[test]
fn partials_are_differences() {
    for_each_tree(15, 4, |model, state| {
        let link = &model.links()[model.links().len() - 1].name;
        let (n, step) = (model.nv(), 1e-5);
        for (partial, of) in [
            (format!("jacobian_dot_dq:{link}"), format!("jacobian_dot:{link}")),
            ("com_jacobian_dq".to_owned(), "com_jacobian".to_owned()),
            ("mass_matrix_inverse_dq".to_owned(), "mass_matrix_inverse".to_owned()),
        ] {
            let quantity = Quantity::parse(&of, model).unwrap();
            if quantity.evaluate(Path::Fast, model, state, &mut Workspace::new(model)).is_err() {
                continue;
            }
            let at = |h: usize, steps: f64| {
                let mut moved = state.clone();
                let direction: Vec<f64> = (0..n).map(|i| if i == h { steps * step } else { 0.0 }).collect();
                model.retract(&mut moved.q, &direction);
                evaluate(&of, Path::Fast, model, &moved)
            };
            for path in [Path::Fast, Path::Closed] {
                let found = evaluate(&partial, path, model, state);
                for h in 0..n {
                    // Differences of the sixth order.
                    let [a, b, c, d, e, f] = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0].map(|steps| at(h, steps));
                    let difference =
                        |i: usize| (45.0 * (a[i] - b[i]) - 9.0 * (c[i] - d[i]) + (e[i] - f[i])) / (60.0 * step);
                    let scale = found.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                    for i in 0..a.len() {
                        let error = (found[i * n + h] - difference(i)).abs();
                        assert!(
                            error <= 1e-7 * scale,
                            "{partial} of {}, element ({i}, {h}): {error:.1e}",
                            model.name()
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn manipulability_is_the_product_of_singular_values() {
    for robot in ["puma560", "ur5", "iiwa14", "panda", "planar2r", "stanford", "floating_humanoid25"] {
        let model = jourdain::robots::load(robot).unwrap();
        for state in jourdain::bench::random_states(&model, 5) {
            let link = model.links().len() - 1;
            let jacobian = kinematics::jacobian(&model, &state.q, Frame::world_aligned(link)).to_nalgebra();
            let values = jacobian.singular_values();
            let expected: f64 = if values.len() < 6 { 0.0 } else { values.iter().product() };
            let name = format!("manipulability:{}", model.links()[link].name);
            assert_close(robot, &evaluate(&name, Path::Fast, &model, &state), &[expected], 1e-11 * expected.max(1.0));
        }
    }
    // Stretched out: singular to rounding, and never a NaN.
    let model = jourdain::robots::load("ur5").unwrap();
    let stretched = evaluate("manipulability:tool", Path::Fast, &model, &State::neutral(&model))[0];
    assert!((0.0..1e-15).contains(&stretched), "{stretched}");
}

#[test]
fn the_centroidal_momentum_is_that_of_all_links() {
    for_each_tree(40, 6, |model, state| {
        let Ok(com_jacobian) = kinematics::com_jacobian(model, &state.q) else { return };
        let (n, mass) = (model.nv(), model.total_mass());
        let position = trajectory::jets::<f64, 2>(model, &state.q, &motion(state)).q;
        let mut series = vec![Jet::fixed(0.0); 6 * n];
        kinematics::centroidal_matrix_into(model, &position, &mut KinematicsScratch::new(model), &mut series).unwrap();
        for path in [Path::Fast, Path::Closed] {
            let matrix = evaluate("centroidal_matrix", path, model, state);
            let linear: Vec<f64> = com_jacobian.as_slice().iter().map(|x| x * mass).collect();
            assert_close("linear rows", &matrix[..3 * n], &linear, 1e-11);
            let momentum = evaluate("centroidal_momentum", path, model, state);
            let product: Vec<f64> =
                matrix.chunks(n).map(|row| row.iter().zip(&state.qd).map(|(a, w)| a * w).sum()).collect();
            assert_close("momentum", &momentum, &product, 1e-11);
            let rate = evaluate("centroidal_matrix_dot", path, model, state);
            assert_close("rate", &rate, &derivatives(&series, 1), 1e-11);
        }
    });
}

/// Without outer forces the angular momentum about the centre of mass does not change, and the linear one only by gravity.
#[test]
fn a_floating_robot_keeps_its_centroidal_momentum() {
    let model = jourdain::robots::load("floating_humanoid25").unwrap();
    for mut state in jourdain::bench::random_states(&model, 3) {
        state.tau[..6].fill(0.0);
        state.qdd = evaluate("forward_dynamics", Path::Fast, &model, &state);
        let n = model.nv();
        let [matrix, dot] =
            ["centroidal_matrix", "centroidal_matrix_dot"].map(|name| evaluate(name, Path::Fast, &model, &state));
        for row in 0..6 {
            let terms = (0..n).map(|j| matrix[row * n + j] * state.qdd[j] + dot[row * n + j] * state.qd[j]);
            let (rate, scale) = (terms.clone().sum::<f64>(), terms.map(f64::abs).sum::<f64>());
            let expected = if row < 3 { model.total_mass() * model.gravity()[row] } else { 0.0 };
            assert!((rate - expected).abs() <= 1e-9 * scale.max(1.0), "row {row}: {rate}, not {expected}");
        }
    }
}

#[test]
fn derivatives_of_any_order_are_coefficients_of_taylor_series() {
    const K: usize = 7;
    for_each_tree(25, 5, |model, state| {
        let mut state = state.clone();
        let wave = |order: usize| (0..model.nv()).map(|i| (1.3 * i as f64 + 0.7 * order as f64).sin()).collect();
        state.derivatives = (5..K + 2).map(wave).collect();
        let (q, motion, wrenches) = (&state.q, motion(&state), &state.wrenches);
        let torques: [Vec<f64>; K] = recursive::inverse_dynamics_derivatives(model, q, &motion, wrenches);
        let loads: [Vec<f64>; K] = recursive::external_forces_derivatives(model, q, &motion, wrenches);
        let gravity: [Vec<f64>; K] = recursive::gravity_derivatives(model, q, &motion);
        let masses: [_; K] = recursive::mass_matrix_derivatives(model, q, &motion);
        let coriolis: [_; K] = recursive::coriolis_matrix_derivatives(model, q, &motion, Factorization::Garofalo);
        for order in 3..K {
            for path in [Path::Fast, Path::Closed] {
                let check = |what: &str, expected: &[f64]| {
                    let found = evaluate(&format!("{what}_d{order}"), path, model, &state);
                    let scale = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                    for (a, b) in found.iter().zip(expected) {
                        let error = (a - b).abs() / scale;
                        assert!(error <= 1e-10, "{what}, order {order}, {path:?}, {}: {error:.1e}", model.name());
                    }
                };
                check("inverse_dynamics", &torques[order]);
                check("external_forces", &loads[order]);
                check("gravity", &gravity[order]);
                check("mass_matrix", masses[order].as_slice());
                check("coriolis_matrix", coriolis[order].as_slice());
            }
        }
    });
}

/// The last order there is gives numbers: a pendulum whose angle moves at a constant rate has g^{(N)} = ± m g l cos q wᴺ.
#[test]
fn the_highest_order_is_still_finite() {
    let model = jourdain::robots::load("planar2r").unwrap();
    let state = State { q: vec![0.4, 0.0], qd: vec![1.0, 0.0], ..State::neutral(&model) };
    let [plain, highest] = ["gravity", "gravity_d168"].map(|name| evaluate(name, Path::Fast, &model, &state));
    assert_close("g differentiated four times is g", &highest, &plain, 1e-9);
    assert!(evaluate("inverse_dynamics_d169", Path::Fast, &model, &state).iter().all(|x| x.is_finite()));
}

#[test]
fn bias_and_regressor_rates_follow_from_their_parts() {
    for_each_tree(30, 6, |model, state| {
        let n = model.nv();
        for path in [Path::Fast, Path::Closed] {
            let [c, g] = ["coriolis_matrix", "gravity"].map(|name| evaluate(name, path, model, state));
            let product = |i: usize| (0..n).fold(g[i], |sum, j| sum + c[i * n + j] * state.qd[j]);
            let expected: Vec<f64> = (0..n).map(product).collect();
            assert_close("bias", &evaluate("bias", path, model, state), &expected, 1e-11);
            let jets = trajectory::jets::<f64, 3>(model, &state.q, &motion(state));
            let series = |orders: [&Vec<f64>; 2]| -> Vec<Jet<f64, 3>> {
                (0..n).map(|i| Jet::from_derivatives([orders[0][i], orders[1][i], 0.0])).collect()
            };
            let (w_r, w_r_dot) = (series([&state.qd_r, &state.qdd_r]), series([&state.qdd_r, &state.qddd_r]));
            let y = recursive::slotine_li_regressor(model, &jets.q, &jets.w, &w_r, &w_r_dot);
            let found = evaluate("slotine_li_regressor_dot", path, model, state);
            assert_close("rate of the regressor", &found, &derivatives(y.as_slice(), 1), 1e-10);
        }
    });
}

/// Units follow the kinds of joints: what a unit of length does to numbers, its power in the unit says.
#[test]
fn units_say_how_numbers_change_with_the_unit_of_length() {
    let model = jourdain::robots::load("scara").unwrap();
    let unit = |name: &str, place: usize| {
        Quantity::parse(name, &model).unwrap().unit_of(&model, place).map(|unit| unit.to_string())
    };
    let is =
        |name: &str, place: usize, expected: &str| assert_eq!(unit(name, place).as_deref(), Some(expected), "{name}");
    let slides = model.links().iter().position(|link| link.joint.kind.name() == "prismatic").unwrap();
    let v = model.links()[slides].v;
    let turns = usize::from(v == 0);
    let n = model.nv();
    is("inverse_dynamics", turns, "N m");
    is("inverse_dynamics", v, "N");
    is("mass_matrix", turns * n + turns, "kg m²");
    is("mass_matrix", turns * n + v, "kg m");
    is("mass_matrix", v * n + v, "kg");
    is("mass_matrix_inverse", v * n + v, "1/kg");
    is("forward_dynamics", turns, "rad/s²");
    is("forward_dynamics", v, "m/s²");
    is("jacobian:tool", v, "1");
    is("jacobian:tool", turns, "m");
    is("jacobian:tool", 3 * n + turns, "1");
    is("jacobian:tool", 3 * n + v, "1/m");
    is("regressor", 0, if v == 0 { "N/kg" } else { "N m/kg" });
    is("gravity_d5", v, "N/s⁵");
    is("centroidal_momentum", 0, "kg m/s");
    is("centroidal_momentum", 5, "kg m²/s");
    is("pose:tool", 3, "m");
    is("pose:tool", 0, "1");
    let humanoid = jourdain::robots::load("floating_humanoid25").unwrap();
    let of = |name: &str| Quantity::parse(name, &humanoid).unwrap().units(&humanoid);
    let texts = |name: &str| of(name).iter().take(7).map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts("gravity"), ["N", "N", "N", "N m", "N m", "N m", "N m"]);
    assert_eq!(texts("elastic_motor_position"), ["m", "m", "m", "1", "1", "1", "1"]);
    let arm = jourdain::robots::load("iiwa14").unwrap();
    for (name, expected) in [("M", "kg m²"), ("tau", "N m"), ("elastic_motor_position", "rad"), ("C", "kg m²/s")] {
        let unit = Quantity::parse(name, &arm).unwrap().common_unit(&arm).map(|unit| unit.to_string());
        assert_eq!(unit.as_deref(), Some(expected));
    }
}

/// The rates of coupled and moving joints: dual numbers and jets see the same.
#[test]
fn duals_and_jets_agree_on_the_rate_of_the_centroidal_matrix() {
    for_each_tree(10, 5, |model, state| {
        let dual: Vec<Dual<f64>> = tangent::along(model, &state.q, &state.qd);
        let jets = trajectory::jets::<f64, 2>(model, &state.q, &motion(state)).q;
        let rates: Vec<f64> = jets.iter().map(|jet| jet.derivative(1)).collect();
        assert_close("rate of the position", &dual.iter().map(|x| x.derivative).collect::<Vec<_>>(), &rates, 1e-13);
    });
}
