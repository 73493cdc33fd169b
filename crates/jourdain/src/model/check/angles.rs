//! Angles that were meant to be right ones: "3.1416" leaves a cosine of 4e-6 where a zero was meant.

use super::super::Number;
use super::super::description::{InertiaDescription, LinkDescription, Orientation, Placement};
use super::{Findings, link_error, to_warning};
use std::f64::consts::FRAC_PI_2;

/// Nearer than this to a multiple of 90° is suspicious.
const NEAR: f64 = 1e-4;
/// Nearer than this is equal, whatever way the digits were printed.
const EQUAL: f64 = 1e-12;

pub(super) fn check(link: &LinkDescription, findings: &mut Findings) {
    match &link.placement {
        Placement::Origin { orientation: Orientation::Rpy(rpy), .. } => check_all(link, rpy, "placement", findings),
        Placement::Origin { .. } => {}
        Placement::Dh { parameters, .. } => {
            check_all(link, &[parameters.alpha, parameters.theta, parameters.gamma], "placement", findings);
        }
    }
    if let InertiaDescription::AboutComRotated { rpy, .. } = &link.inertia {
        check_all(link, rpy, "com", findings);
    }
}

fn check_all(link: &LinkDescription, angles: &[Number], field: &str, findings: &mut Findings) {
    for (angle, right) in angles.iter().filter_map(|angle| Some((angle.value, nearly_right(angle.value)?))) {
        let message = format!("the angle {angle} of link `{}` is nearly but not quite {right}°", link.name);
        let exact = f64::from(right).to_radians();
        let finding = link_error(link, field, "angle-nearly-right", message);
        findings.add(to_warning(finding.hint(format!("write {exact} if the angle is meant to be {right}°"))));
    }
}

/// The multiple of 90° that the angle is near to and not equal to.
fn nearly_right(angle: f64) -> Option<i32> {
    let turns = (angle / FRAC_PI_2).round();
    let off = (angle - turns * FRAC_PI_2).abs();
    (off > EQUAL * turns.abs().max(1.0) && off < NEAR && turns.abs() < 1e6).then(|| turns as i32 * 90)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::approx_constant, reason = "rounded angles are the point")]
    fn rounded_right_angles_are_found_and_exact_ones_are_not() {
        assert_eq!(nearly_right(3.1416), Some(180));
        assert_eq!(nearly_right(-1.5708), Some(-90));
        assert_eq!(nearly_right(4.71239), Some(270));
        assert_eq!(nearly_right(1e-5), Some(0));
        for angle in [0.0, 1e-16, FRAC_PI_2, -FRAC_PI_2, 3.0 * FRAC_PI_2, 1.570796326795, 1.5, 0.7854, 1e300] {
            assert_eq!(nearly_right(angle), None, "{angle}");
        }
    }
}
