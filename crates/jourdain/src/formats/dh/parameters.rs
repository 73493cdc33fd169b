//! The row of a table between two frames.

use crate::model::Number;
use crate::model::description::{DhConvention, DhParameters};
use crate::spatial::Pose;
use std::f64::consts::PI;

/// The parameters that lead from one frame to the other; what they cannot say is left out.
///
/// Modified, Rx(α) Tx(a) Rz(θ) Tz(d): R = [cθ, −sθ, 0; sθ cα, cθ cα, −sα; sθ sα, cθ sα, cα], p = (a, −d sα, d cα).
/// Standard, Rz(θ) Tz(d) Tx(a) Rx(α): R = [cθ, −sθ cα, sθ sα; sθ, cθ cα, −cθ sα; 0, sα, cα], p = (a cθ, a sθ, d).
pub(super) fn between(from: &Pose<f64>, to: &Pose<f64>, convention: DhConvention) -> DhParameters {
    let step = from.inverse() * *to;
    let (r, [x, y, z]) = (step.rotation.0, step.translation.0);
    let (alpha, a, theta, d) = match convention {
        DhConvention::Modified => {
            let (alpha, theta) = ((-r[1][2]).atan2(r[2][2]), (-r[0][1]).atan2(r[0][0]));
            let (sin, cos) = alpha.sin_cos();
            (alpha, x, theta, cos * z - sin * y)
        }
        DhConvention::Standard => {
            let (alpha, theta) = (r[2][1].atan2(r[2][2]), r[1][0].atan2(r[0][0]));
            let (sin, cos) = theta.sin_cos();
            (alpha, cos * x + sin * y, theta, z)
        }
    };
    let zero = Number::ZERO;
    DhParameters { alpha: angle(alpha), a: length(a), theta: angle(theta), d: length(d), gamma: zero, b: zero }
}

/// The multiple of 15° that an angle is to rounding.
fn angle(angle: f64) -> Number {
    let steps = (angle * 12.0 / PI).round();
    let near = PI * steps / 12.0;
    match (angle - near).abs() < 1e-14 {
        true if steps == 0.0 => Number::ZERO,
        true if steps == -12.0 => Number::from(PI),
        true => Number::from(near),
        false => Number::from(angle),
    }
}

/// The short decimal that a length is to rounding.
fn length(length: f64) -> Number {
    let near = (length * 1e12).round() / 1e12;
    let near = if near == 0.0 { 0.0 } else { near };
    Number::from(if (length - near).abs() < 1e-15 * length.abs().max(0.5) { near } else { length })
}
