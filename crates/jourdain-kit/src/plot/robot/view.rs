//! Where a robot is looked at from: parallel projections, so that lengths in the plane of a view are true to scale.

use jourdain::spatial::Vector;

/// Azimuth and elevation of the view from a corner, rad.
const CORNER: [f64; 2] = [0.610_865_238_198_015_3, 0.296_705_972_839_036];

/// Directions whose cross or dot product is below this count as parallel or perpendicular.
const STRAIGHT: f64 = 1e-6;

/// A direction of looking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// What it is called.
    pub name: &'static str,
    /// To the right on the page, of length one.
    pub right: Vector<f64>,
    /// Upwards on the page.
    pub up: Vector<f64>,
    /// From the robot to the eye.
    pub towards: Vector<f64>,
    /// True if it shows a floor from above at a slant.
    pub oblique: bool,
}

impl View {
    /// To the right, up, and towards the eye, m.
    #[must_use]
    pub fn project(&self, point: Vector<f64>) -> [f64; 3] {
        [self.right.dot(point), self.up.dot(point), self.towards.dot(point)]
    }

    fn new(name: &'static str, right: Vector<f64>, up: Vector<f64>) -> Self {
        Self { name, right, up, towards: right.cross(up), oblique: false }
    }
}

/// What is up: against gravity, or z where there is none.
#[must_use]
pub fn upwards(gravity: Vector<f64>) -> Vector<f64> {
    let strength = gravity.norm();
    if strength > 0.0 { gravity.times(-1.0 / strength) } else { Vector([0.0, 0.0, 1.0]) }
}

/// The one view of a robot that moves in planes with this normal.
#[must_use]
pub fn planar(normal: Vector<f64>, gravity: Vector<f64>) -> View {
    let across = |direction: Vector<f64>| {
        let rest = direction - normal.times(direction.dot(normal));
        (rest.norm() > STRAIGHT).then(|| rest.times(1.0 / rest.norm()))
    };
    let strength = gravity.norm();
    let hanging = (strength > 0.0).then(|| gravity.times(-1.0 / strength)).and_then(across);
    let up = hanging
        .or_else(|| across(Vector([0.0, 1.0, 0.0])))
        .or_else(|| across(Vector([0.0, 0.0, 1.0])))
        .unwrap_or(Vector([0.0, 0.0, 1.0]));
    let right = up.cross(normal);
    // Of the two sides, the one that x (or the next axis) is to the right from.
    let backwards = right.0.iter().find(|x| x.abs() > STRAIGHT).is_some_and(|x| *x < 0.0);
    View::new("Plane", if backwards { right.times(-1.0) } else { right }, up)
}

/// From a corner, from the front, from the side and from above.
#[must_use]
pub fn all(gravity: Vector<f64>) -> [View; 4] {
    let up = upwards(gravity);
    let axes = [Vector([1.0, 0.0, 0.0]), Vector([0.0, 1.0, 0.0])];
    let level = |axis: &Vector<f64>| *axis - up.times(axis.dot(up));
    let right = axes.iter().map(level).find(|rest| rest.norm() > 0.5).unwrap_or(axes[0]);
    let right = right.times(1.0 / right.norm());
    let depth = up.cross(right);
    let ([sin_a, sin_e], [cos_a, cos_e]) = (CORNER.map(f64::sin), CORNER.map(f64::cos));
    let level = right.times(sin_a) - depth.times(cos_a);
    let corner = View::new("Corner", right.times(cos_a) + depth.times(sin_a), up.times(cos_e) - level.times(sin_e));
    [
        View { oblique: true, ..corner },
        View::new("Front", right, up),
        View::new("Side", depth, up),
        View::new("Top", right, depth),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_right_handed_and_of_length_one() {
        for gravity in [[0.0, 0.0, -9.81], [0.0, -9.81, 0.0], [0.0; 3], [1.0, 2.0, 3.0], [9.81, 0.0, 0.0]] {
            let gravity = Vector(gravity);
            let normal = Vector([0.0, 0.0, 1.0]);
            for view in all(gravity).into_iter().chain([planar(normal, gravity)]) {
                for (a, b) in [(view.right, view.up), (view.up, view.towards), (view.towards, view.right)] {
                    assert!((a.norm() - 1.0).abs() < 1e-12 && a.dot(b).abs() < 1e-12, "{view:?}");
                }
                assert!((view.right.cross(view.up) - view.towards).norm() < 1e-12);
            }
        }
    }

    #[test]
    fn a_robot_on_the_floor_is_seen_with_x_to_the_right_and_z_up() {
        let [corner, front, side, top] = all(Vector([0.0, 0.0, -9.81]));
        assert_eq!(front.project(Vector([1.0, 2.0, 3.0])), [1.0, 3.0, -2.0]);
        assert_eq!(side.project(Vector([1.0, 2.0, 3.0])), [2.0, 3.0, 1.0]);
        assert_eq!(top.project(Vector([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
        assert!(corner.project(Vector([0.0, 0.0, 1.0]))[2] > 0.0, "the floor is seen from above");
        let plane = planar(Vector([0.0, 0.0, 1.0]), Vector([0.0, -9.81, 0.0]));
        assert_eq!(plane.project(Vector([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
        let plane = planar(Vector([0.0, 1.0, 0.0]), Vector([0.0, 0.0, -9.81]));
        assert_eq!(plane.project(Vector([1.0, 2.0, 3.0])), [1.0, 3.0, -2.0]);
    }
}
