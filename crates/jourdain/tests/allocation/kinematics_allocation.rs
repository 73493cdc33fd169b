//! The in-place forms of kinematics allocate nothing.

use crate::common::random_tree::for_each_tree;
use crate::counting::allocations;
use jourdain::Scalar;
use jourdain::kinematics::{
    Frame, KinematicsScratch, com_into, com_jacobian, com_jacobian_dot_into, com_jacobian_into, jacobian_dot_into,
    jacobian_into, jacobian_partials_into, pose, poses_into, tangent, trajectory, twists_into,
};
use jourdain::spatial::{Pose, Twist, Vector};
use jourdain_symbolic::{Dual, Jet};
#[test]
fn the_counter_sees_an_allocation() {
    for_each_tree(1, 5, |model, state| {
        assert!(allocations(|| drop(com_jacobian(model, &state.q))) > 0);
    });
}

#[test]
fn in_place_forms_allocate_nothing() {
    for_each_tree(20, 15, |model, state| {
        let (n, links) = (model.nv(), model.links().len());
        let (q, w) = (&state.q[..], &state.qd[..]);
        let mut scratch = KinematicsScratch::new(model);
        let (mut all_poses, mut all_twists) = (vec![Pose::identity(); links], vec![Twist::zero(); links]);
        let (mut six, mut three, mut cube) = (vec![0.0; 6 * n], vec![0.0; 3 * n], vec![0.0; 6 * n * n]);
        let mut center = [0.0; 3];
        let mut duals = vec![Dual::fixed(0.0); model.nq()];
        let (mut jets, mut velocity) = (vec![Jet::<f64, 5>::zero(); model.nq()], vec![Jet::<f64, 5>::zero(); n]);
        let frame = Frame::world_aligned(links - 1).at(Vector([0.1, 0.2, 0.3]));
        let count = allocations(|| {
            std::hint::black_box(pose(model, q, links - 1));
            poses_into(model, q, &mut all_poses);
            twists_into(model, q, w, &mut scratch, &mut all_twists);
            jacobian_into(model, q, frame, &mut scratch, &mut six);
            jacobian_dot_into(model, q, w, frame, &mut scratch, &mut six);
            jacobian_partials_into(model, q, frame, &mut scratch, &mut cube);
            com_into(model, q, &mut scratch, &mut center).unwrap();
            com_jacobian_into(model, q, &mut scratch, &mut three).unwrap();
            com_jacobian_dot_into(model, q, w, &mut scratch, &mut three).unwrap();
            tangent::along_into(model, q, w, &mut duals);
            trajectory::position_jets_into(model, q, &[w, &state.qdd], &mut jets);
            trajectory::series_into(&[w, &state.qdd], &mut velocity);
        });
        assert_eq!(count, 0);
    });
}
