//! Terms and accelerations of flexible arms allocate nothing, whatever the kinematics.

use crate::counting::allocations;
use jourdain::arms;
use jourdain::flexible::factor::{Workspace, accelerations_into};
use jourdain::flexible::terms::{Scratch, Terms, terms_into};
use jourdain::flexible::{Kinematics, terms};

#[test]
fn terms_and_accelerations_allocate_nothing() {
    for kinematics in
        [Kinematics::Paper, Kinematics::Linear, Kinematics::Rotation, Kinematics::Stiffened, Kinematics::Exact]
    {
        let arm = arms::load("two_link_flexible").unwrap().arm.with_kinematics(kinematics);
        let size = arm.size();
        let q: Vec<f64> = (0..size).map(|i| 0.01 * (1.0 + i as f64).sin()).collect();
        let qd: Vec<f64> = (0..size).map(|i| 0.1 * (2.0 + i as f64).sin()).collect();
        let torque = vec![0.5; arm.joints()];
        let (mut scratch, mut out, mut workspace) = (Scratch::new(&arm), Terms::new(size), Workspace::new(&arm));
        let mut qdd = vec![0.0; size];
        let count = allocations(|| {
            terms_into(&arm, &q, &qd, &mut scratch, &mut out);
            assert!(accelerations_into(&arm, &q, &qd, &torque, &mut workspace, &mut qdd));
        });
        assert_eq!(count, 0, "{kinematics:?}");
        assert!(allocations(|| drop(terms(&arm, &q, &qd))) > 0);
    }
}
