//! Capsules: what links are taken for when distances between them are wanted.
//!
//! A capsule is everything within a radius of a segment. It is convex, so one that holds the balls at both ends of another holds the
//! other as well: that is how capsules are laid around shapes, and the shapes are inside, never merely close.
//!
//! Trap: a capsule around a long thin plate is a thick rod. What touches here need not touch in the workshop; what does not, does not.

use crate::model::shape::{Form, ShapeDescription};
use crate::spatial::{Pose, Vector};
use crate::spectral;
use nalgebra::Matrix3;

/// Everything within a radius of a segment, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// The ends of the segment.
    pub ends: [Vector<f64>; 2],
    /// The radius.
    pub radius: f64,
}

/// A ball: centre and radius.
type Ball = (Vector<f64>, f64);

impl Capsule {
    /// The smallest upright one around a shape, in the frame of its link; `None` for a mesh, whose points are not known here.
    #[must_use]
    pub fn around(shape: &ShapeDescription) -> Option<Self> {
        let (axis, half, radius) = match shape.form {
            Form::Sphere { radius } => (2, 0.0, radius),
            Form::Cylinder { radius, length } | Form::Capsule { radius, length } => (2, 0.5 * length, radius),
            Form::Box { size } => {
                let axis = largest(size);
                let across = (0..3).filter(|i| *i != axis).map(|i| 0.25 * size[i] * size[i]).sum::<f64>().sqrt();
                (axis, 0.5 * size[axis], across)
            }
            Form::Ellipsoid { radii } => {
                let axis = largest(radii);
                let across = (0..3).filter(|i| *i != axis).map(|i| radii[i]).fold(0.0, f64::max);
                // The ball at the end of a segment of half length a − b touches the tip and holds the ellipse beside it.
                (axis, radii[axis] - across, across)
            }
            Form::Mesh { .. } => return None,
        };
        let along = Vector::unit(axis).times(half);
        Some(Self { ends: [-along, along], radius }.placed(&shape.pose()))
    }

    /// A slim one around points; `None` without points, or with such as are no numbers.
    #[must_use]
    pub fn around_points(points: &[Vector<f64>]) -> Option<Self> {
        let balls: Vec<Ball> = points.iter().map(|p| (*p, 0.0)).collect();
        Self::around_balls(&balls)
    }

    /// A slim one around others; `None` without any.
    #[must_use]
    pub fn around_all(capsules: &[Self]) -> Option<Self> {
        let balls: Vec<Ball> = capsules.iter().flat_map(|c| c.ends.map(|end| (end, c.radius))).collect();
        Self::around_balls(&balls)
    }

    /// Along each principal axis of the centres, and the one of the least volume.
    fn around_balls(balls: &[Ball]) -> Option<Self> {
        if balls.is_empty() || balls.iter().any(|(p, r)| !(p.norm().is_finite() && r.is_finite())) {
            return None;
        }
        let count = balls.len() as f64;
        let mean = balls.iter().fold(Vector::zero(), |sum, (p, _)| sum + *p).times(1.0 / count);
        let mut scatter = Matrix3::zeros();
        for (p, _) in balls {
            let d = nalgebra::Vector3::from((*p - mean).0);
            scatter += d * d.transpose();
        }
        let axes = spectral::symmetric(scatter)?.eigenvectors;
        let along = |i: usize| Self::around_axis(balls, std::array::from_fn(|k| axis_of(&axes, (i + k) % 3)));
        (0..3).map(along).min_by(|a, b| a.volume().total_cmp(&b.volume()))
    }

    /// With the segment along the first of three orthogonal directions.
    fn around_axis(balls: &[Ball], [axis, u, v]: [Vector<f64>; 3]) -> Self {
        let middle = |direction: Vector<f64>| {
            let span = balls.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], (p, r)| {
                let x = p.dot(direction);
                [low.min(x - r), high.max(x + r)]
            });
            0.5 * (span[0] + span[1])
        };
        let foot = u.times(middle(u)) + v.times(middle(v));
        let across = |p: Vector<f64>| {
            let d = p - foot;
            d.dot(u).hypot(d.dot(v))
        };
        let radius = balls.iter().map(|(p, r)| across(*p) + r).fold(0.0, f64::max);
        // A ball is inside once the nearest point of the segment is within radius − r of its centre.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (p, r) in balls {
            let (x, d) = (p.dot(axis), across(*p));
            let free = ((radius - r) * (radius - r) - d * d).max(0.0).sqrt();
            (low, high) = (low.min(x + free), high.max(x - free));
        }
        if low > high {
            (low, high) = (0.5 * (low + high), 0.5 * (low + high));
        }
        Self { ends: [foot + axis.times(low), foot + axis.times(high)], radius }
    }

    fn volume(&self) -> f64 {
        let length = (self.ends[1] - self.ends[0]).norm();
        self.radius * self.radius * (length + 4.0 / 3.0 * self.radius)
    }

    /// The same in another frame, in which its own is at `pose`.
    #[must_use]
    pub fn placed(&self, pose: &Pose<f64>) -> Self {
        Self { ends: self.ends.map(|end| pose.apply(end)), radius: self.radius }
    }

    /// Distance between surfaces, m; negative where they overlap.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        segments(self.ends, other.ends) - self.radius - other.radius
    }
}

fn largest(sizes: [f64; 3]) -> usize {
    (1..3).fold(0, |best, i| if sizes[i] > sizes[best] { i } else { best })
}

fn axis_of(axes: &Matrix3<f64>, i: usize) -> Vector<f64> {
    Vector([axes[(0, i)], axes[(1, i)], axes[(2, i)]])
}

/// Distance between two segments.
///
/// # Reference
/// The nearest points of the lines are clamped one after the other: Ericson, Real-Time Collision Detection, 5.1.9.
fn segments([p, p_end]: [Vector<f64>; 2], [q, q_end]: [Vector<f64>; 2]) -> f64 {
    let (d, e, r) = (p_end - p, q_end - q, p - q);
    let (a, b, c, f, g) = (d.norm_squared(), e.norm_squared(), d.dot(r), e.dot(r), d.dot(e));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let tiny = 1e-24;
    let (s, t) = if a <= tiny && b <= tiny {
        (0.0, 0.0)
    } else if a <= tiny {
        (0.0, clamp(f / b))
    } else if b <= tiny {
        (clamp(-c / a), 0.0)
    } else {
        let slant = a * b - g * g;
        let s = if slant > 1e-12 * a * b { clamp((g * f - c * b) / slant) } else { 0.0 };
        match (g * s + f) / b {
            t if t < 0.0 => (clamp(-c / a), 0.0),
            t if t > 1.0 => (clamp((g - c) / a), 1.0),
            t => (s, t),
        }
    };
    (r + d.times(s) - e.times(t)).norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn point(random: &mut Random) -> Vector<f64> {
        Vector(random.array())
    }

    /// The distance by brute force: all pairs of points of a fine grid on both segments are no nearer, some are hardly farther.
    #[test]
    fn the_distance_of_segments_is_that_of_their_nearest_points() {
        for seed in 0..70 {
            let mut random = Random(seed);
            let mut ends = || {
                let (a, b) = (point(&mut random), point(&mut random));
                // Points and parallels among them.
                if seed % 7 == 0 {
                    [a, a]
                } else if seed % 5 == 0 {
                    [a, a + Vector::unit(0)]
                } else {
                    [a, b]
                }
            };
            let (p, q) = (ends(), ends());
            let found = segments(p, q);
            let at = |[a, b]: [Vector<f64>; 2], s: i32| a + (b - a).times(f64::from(s) / 120.0);
            let least = (0..=120)
                .flat_map(|s| (0..=120).map(move |t| (s, t)))
                .map(|(s, t)| (at(p, s) - at(q, t)).norm())
                .fold(f64::INFINITY, f64::min);
            assert!(found <= least + 1e-12 && least <= found + 0.05, "seed {seed}: {found} and {least}");
        }
    }

    #[test]
    fn a_capsule_holds_the_shape_it_is_laid_around() {
        let forms = [
            Form::Box { size: [0.2, 0.5, 0.1] },
            Form::Sphere { radius: 0.3 },
            Form::Cylinder { radius: 0.1, length: 0.6 },
            Form::Capsule { radius: 0.1, length: 0.6 },
            Form::Ellipsoid { radii: [0.1, 0.4, 0.2] },
        ];
        for (seed, form) in forms.into_iter().enumerate() {
            let mut random = Random(seed as u64);
            let mut shape = ShapeDescription::new(form.clone());
            shape.xyz = [0.3, -0.2, 0.1].map(Into::into);
            let (capsule, pose) = (Capsule::around(&shape).unwrap(), shape.pose());
            for _ in 0..2000 {
                let [x, y, z] = random.array();
                let ball = Vector([x, y, z]);
                let inside = match form {
                    Form::Box { size } => Vector([0.5 * x * size[0], 0.5 * y * size[1], 0.5 * z * size[2]]),
                    Form::Sphere { radius } if ball.norm() <= 1.0 => ball.times(radius),
                    Form::Ellipsoid { radii } if ball.norm() <= 1.0 => {
                        Vector([x * radii[0], y * radii[1], z * radii[2]])
                    }
                    Form::Cylinder { radius, length } if x.hypot(y) <= 1.0 => {
                        Vector([x * radius, y * radius, 0.5 * z * length])
                    }
                    Form::Capsule { radius, .. } if ball.norm() <= 1.0 => ball.times(radius),
                    _ => continue,
                };
                let p = pose.apply(inside);
                assert!(segments(capsule.ends, [p, p]) <= capsule.radius + 1e-12, "{form:?}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_capsule_around_points_and_capsules_holds_them_and_is_slim() {
        for seed in 0..50 {
            let mut random = Random(seed);
            // A slanted rod.
            let (axis, centre) = (point(&mut random), point(&mut random));
            let points: Vec<_> =
                (0..200).map(|_| centre + axis.times(random.signed()) + point(&mut random).times(0.02)).collect();
            let capsule = Capsule::around_points(&points).unwrap();
            assert!(points.iter().all(|p| segments(capsule.ends, [*p, *p]) <= capsule.radius + 1e-9), "seed {seed}");
            assert!(capsule.radius < 0.08, "seed {seed}: {}", capsule.radius);
            let parts: Vec<_> = points
                .chunks(2)
                .map(|pair| Capsule { ends: [pair[0], pair[1]], radius: 0.1 * random.fraction() })
                .collect();
            let whole = Capsule::around_all(&parts).unwrap();
            for part in &parts {
                let reach = part.ends.map(|end| segments(whole.ends, [end, end]) + part.radius);
                assert!(reach.iter().all(|reach| *reach <= whole.radius + 1e-9), "seed {seed}");
            }
        }
        assert_eq!(Capsule::around_points(&[]), None);
        assert_eq!(Capsule::around_points(&[Vector([f64::NAN, 0.0, 0.0])]), None);
    }
}
