//! Which quantities allocate when they are evaluated in place by the fast formulas, and that no other does.

use crate::counting::allocations;
use jourdain::bench::random_states;
use jourdain::quantity::{Path, Quantity};
use jourdain::{State, Workspace, robots};
use jourdain_symbolic::{Lanes, Scalar as _};
use std::collections::BTreeSet;

/// Their formulas run on jets or dual numbers, give two results of which one is asked for, or go through a larger matrix, and the workspace
/// of a registry that evaluates anything has no room for that. Control loops have other forms of them that do not allocate: machine
/// code, and the functions of `recursive` and `elastic` with scratch of their own, counted in the tests beside this.
const ALLOCATE: &[&str] = &[
    "acceleration",
    "base_regressor",
    "centroidal_matrix",
    "centroidal_matrix_dot",
    "com_jacobian_dq",
    "coriolis_matrix_dN",
    "coriolis_matrix_ddot",
    "coriolis_matrix_dot",
    "coriolis_matrix_dpi",
    "coriolis_matrix_dq",
    "elastic_motor_position",
    "elastic_motor_torque",
    "external_forces_dN",
    "external_forces_ddot",
    "external_forces_dot",
    "forward_dynamics_dq",
    "forward_dynamics_dqd",
    "gravity_dN",
    "gravity_ddot",
    "gravity_dot",
    "gravity_dpi",
    "inverse_dynamics_dN",
    "inverse_dynamics_ddot",
    "inverse_dynamics_dot",
    "inverse_dynamics_dq",
    "inverse_dynamics_dqd",
    "jacobian_ddot",
    "jacobian_dot_dq",
    "manipulability",
    "mass_matrix_dN",
    "mass_matrix_ddot",
    "mass_matrix_dpi",
    "slotine_li_regressor_dot",
    "spatial_acceleration",
];

/// The same numbers in all lanes.
fn in_lanes(state: &State) -> State<Lanes<4>> {
    let lift = |x: &Vec<f64>| x.iter().map(|&x| Lanes([x; 4])).collect::<Vec<_>>();
    State {
        q: lift(&state.q),
        qd: lift(&state.qd),
        qdd: lift(&state.qdd),
        qddd: lift(&state.qddd),
        qdddd: lift(&state.qdddd),
        tau: lift(&state.tau),
        qd_r: lift(&state.qd_r),
        qdd_r: lift(&state.qdd_r),
        qddd_r: lift(&state.qddd_r),
        derivatives: state.derivatives.iter().map(lift).collect(),
        wrenches: Vec::new(),
    }
}

#[test]
fn quantities_allocate_nothing_but_those_that_are_listed() {
    let mut allocating = BTreeSet::new();
    for robot in ["iiwa14", "floating_humanoid25", "planar2r_elastic"] {
        let model = robots::load(robot).unwrap();
        let states = random_states(&model, 2);
        let (mut workspace, mut four) = (Workspace::new(&model), Workspace::<Lanes<4>>::new(&model));
        let lanes = in_lanes(&states[1]);
        for quantity in Quantity::each(model.links().len() - 1) {
            let size = quantity.entry().shape.size(&model);
            let (mut out, mut out_four) = (vec![0.0; size], vec![Lanes::zero(); size]);
            // The workspace of a large tree has memory from when it is first asked for.
            if quantity.evaluate_into(Path::Fast, &model, &states[0], &mut workspace, &mut out).is_err() {
                continue;
            }
            let has_four =
                matches!(quantity.evaluate_four_into(&model, &lanes, &mut four, &mut out_four), Some(Ok(())));
            let count = allocations(|| {
                quantity.evaluate_into(Path::Fast, &model, &states[1], &mut workspace, &mut out).unwrap();
                if has_four {
                    let done = quantity.evaluate_four_into(&model, &lanes, &mut four, &mut out_four);
                    assert!(matches!(done, Some(Ok(()))));
                }
            });
            if count > 0 {
                allocating.insert(quantity.entry().name);
            }
        }
    }
    assert_eq!(allocating, ALLOCATE.iter().copied().collect(), "left: found, right: listed");
}
