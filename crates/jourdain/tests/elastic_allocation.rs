//! That a control step of an elastic robot allocates nothing.

mod counting;

use jourdain::elastic::ElasticModel;
use jourdain::elastic::control::{ControlLaw as _, Controller, Kind, Measured};
use jourdain::elastic::inverse::{InverseScratch, MotorMotion, inverse_dynamics_into};
use jourdain::robots;

#[test]
fn control_steps_and_inverse_dynamics_allocate_nothing() {
    let robot = ElasticModel::new(&robots::load("iiwa14_elastic").unwrap()).unwrap();
    let n = robot.model().nv();
    let values = |k: usize| (0..n).map(|i| (1.0 + (k * n + i) as f64).sin()).collect::<Vec<f64>>();
    let orders: [Vec<f64>; 5] = std::array::from_fn(values);
    let reference = orders.each_ref().map(Vec::as_slice);
    let (deflection, rate) = (vec![1e-3; n], vec![1e-2; n]);
    let measured = Measured { q: &orders[1], qd: &orders[2], deflection: &deflection, deflection_d: &rate };
    let mut torque = vec![0.0; n];
    for kind in [Kind::Linearising, Kind::Feedforward, Kind::ComputedTorque] {
        let mut law: Controller<'_, f64> = Controller::new(kind, &robot, &[[-12.0, 0.0]; 4], &orders[0]).unwrap();
        let count = counting::allocations(|| law.torque_into(&reference, &measured, &[], &mut [], &mut torque));
        assert_eq!(count, 0, "{kind:?}");
        assert!(torque.iter().all(|u| u.is_finite() && *u != 0.0), "{kind:?}");
    }
    let (mut scratch, mut motor) = (InverseScratch::new(robot.model()), MotorMotion::zero(&robot));
    let count = counting::allocations(|| {
        inverse_dynamics_into(&robot, reference[0], &reference[1..], &[], &mut scratch, &mut motor);
    });
    assert_eq!(count, 0);
}
