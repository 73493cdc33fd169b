//! Linear and angular momentum of the whole robot about the world origin, in world axes.
//!
//! h = Σₖ Ad⁻ᵀ Λₖ vₖ. For a robot that floats it changes only by what acts from outside: gravity, wrenches, torques on the
//! free root. Trap: the rotors of the drives, a diagonal term of M, have no share in it: their model turns them against
//! the joint, and the moment that this takes stays inside the robot.

use crate::kinematics::{poses, twists};
use crate::model::{Model, Motion};
use crate::spatial::Wrench;
use jourdain_symbolic::{Constant, Scalar};

/// The momentum: linear part in `force` (N s), angular part in `moment` (N m s).
///
/// # Panics
/// If `q` or `w` is too short.
#[must_use]
pub fn momentum<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S]) -> Wrench<S> {
    let mut sum = Wrench::zero();
    for ((link, pose), twist) in model.links().iter().zip(poses(model, q)).zip(twists(model, q, w)) {
        sum += pose.coadjoint(link.inertia.lift().apply(twist));
    }
    sum
}

/// True if nothing ties the robot to the ground: every root link moves freely and has no drive.
#[must_use]
pub fn is_floating<T: Constant>(model: &Model<T>) -> bool {
    let mut roots = model.links().iter().filter(|link| link.parent.is_none()).peekable();
    roots.peek().is_some() && roots.all(|link| matches!(link.joint.motion, Motion::Free) && link.motor.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinematics::com_jacobian;
    use crate::robots;

    #[test]
    fn linear_momentum_is_mass_times_velocity_of_the_centre_of_mass() {
        let model = robots::load("floating_humanoid25").unwrap();
        let mut q = model.neutral::<f64>();
        q.iter_mut().enumerate().for_each(|(i, q)| *q += 0.3 * (1.7 * i as f64).sin());
        crate::state::normalize_quaternions(&model, &mut q).unwrap();
        let w: Vec<f64> = (0..model.nv()).map(|i| (0.9 * i as f64).cos()).collect();
        let expected =
            com_jacobian(&model, &q).unwrap().apply(&w).iter().map(|v| v * model.total_mass()).collect::<Vec<_>>();
        let found = momentum(&model, &q, &w).force.0;
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12 * model.total_mass(), "{found} {expected}");
        }
    }

    #[test]
    fn only_robots_on_free_joints_float() {
        assert!(is_floating(&robots::load("floating_humanoid25").unwrap()));
        assert!(!is_floating(&robots::load("humanoid25").unwrap()));
        assert!(!is_floating(&robots::load("planar2r").unwrap()));
    }
}
