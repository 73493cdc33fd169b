//! Where elements are: `pos`, and an orientation in one of five ways.
//!
//! Traps: angles are in degrees unless the compiler says otherwise; z axes that point the other way turn about x.

use super::context::{Context, View};
use super::defaults::ORIENTATIONS;
use super::settings::Settings;
use crate::spatial::{Pose, Quaternion, Rotation, Vector};

/// The pose that an element gives; what it leaves out is zero.
pub(super) fn pose(view: View<'_>, settings: &Settings, context: &mut Context<'_, '_>) -> Pose<f64> {
    let translation = Vector(context.vector(view, "pos").unwrap_or_default());
    Pose { rotation: orientation(view, settings, context), translation }
}

/// The orientation that an element gives, or else its class.
pub(super) fn orientation(view: View<'_>, settings: &Settings, context: &mut Context<'_, '_>) -> Rotation<f64> {
    let own: Vec<_> = ORIENTATIONS.iter().filter_map(|name| view.own(name)).collect();
    if let [first, second, ..] = own[..] {
        let message = format!("`{}` and `{}` both give an orientation", first.name, second.name);
        context.error_with_hint(second.span, "two-orientations", message, "keep one of them");
        return Rotation::identity();
    }
    let given = own.first().copied().or_else(|| ORIENTATIONS.iter().find_map(|name| view.attribute(name)));
    let Some(attribute) = given else { return Rotation::identity() };
    let count = match attribute.name.as_str() {
        "quat" | "axisangle" => 4,
        "xyaxes" => 6,
        _ => 3,
    };
    let Some(numbers) = context.numbers(attribute, count, count) else { return Rotation::identity() };
    let radians = |angle: f64| if settings.degrees { angle.to_radians() } else { angle };
    let vector = |first: usize| Vector([numbers[first], numbers[first + 1], numbers[first + 2]]);
    let rotation = match attribute.name.as_str() {
        "quat" => quaternion([numbers[0], numbers[1], numbers[2], numbers[3]]),
        "axisangle" => unit(vector(0)).map(|axis| about(axis, radians(numbers[3]))),
        "euler" => {
            Some(settings.euler.iter().zip(&numbers).fold(Rotation::identity(), |sum, ((axis, fixed), angle)| {
                let turn = Rotation::elementary(*axis, radians(*angle));
                if *fixed { turn * sum } else { sum * turn }
            }))
        }
        "xyaxes" => axes(vector(0), vector(3)),
        _ => unit(vector(0)).map(onto),
    };
    rotation.unwrap_or_else(|| {
        let message = format!("`{}` has a direction of length zero", attribute.name);
        context.error_with_hint(attribute.span, "zero-direction", message, "give a direction of any other length");
        Rotation::identity()
    })
}

/// The unit vector of this direction.
pub(super) fn unit(v: Vector<f64>) -> Option<Vector<f64>> {
    let largest = v.0.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest <= 1e-14 {
        return None;
    }
    let scaled = v.times(1.0 / largest);
    Some(scaled.times(1.0 / scaled.norm()))
}

/// The rotation about a unit axis; right angles about coordinate axes come out exact.
pub(super) fn about(axis: Vector<f64>, angle: f64) -> Rotation<f64> {
    match (0..3).find(|i| axis[*i].abs() == 1.0) {
        Some(i) => Rotation::elementary(i, angle * axis[i]),
        None => Rotation::about(axis, angle),
    }
}

fn quaternion(numbers: [f64; 4]) -> Option<Rotation<f64>> {
    // Scaled first, so that squares of huge numbers stay finite.
    let largest = numbers.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
    let numbers = numbers.map(|x| x / largest);
    let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    (norm > 1e-14).then(|| Quaternion::new(numbers.map(|x| x / norm)).to_rotation())
}

/// The second axis made perpendicular to the first.
fn axes(x: Vector<f64>, y: Vector<f64>) -> Option<Rotation<f64>> {
    let x = unit(x)?;
    let y = unit(y - x.times(x.dot(y)))?;
    let z = x.cross(y);
    Some(Rotation(std::array::from_fn(|i| [x[i], y[i], z[i]])))
}

/// The shortest turn that takes z to a unit vector.
pub(super) fn onto(z: Vector<f64>) -> Rotation<f64> {
    let up = Vector::unit(2);
    let (axis, sin) = (up.cross(z), up.cross(z).norm());
    match unit(axis) {
        Some(axis) => Rotation::about(axis, sin.atan2(up.dot(z))),
        None if z[2] < 0.0 => Rotation::elementary(0, std::f64::consts::PI),
        None => Rotation::identity(),
    }
}
