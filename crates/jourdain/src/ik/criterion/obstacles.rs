//! Obstacles as superquadrics, kept away from by a barrier on points of the arm.
//!
//! C(x) = Σ |(x_k − c_k)/r_k|^s is one on the surface and larger outside, Ch (13); H = Σ 1/(C(x) − 1) over all obstacles and
//! sampled points, Ch (12), infinite inside. Trap: the paper's power without the absolute value is only right for even s.

use super::{Criterion, Point};
use crate::ik::chain::Chain;
use crate::spatial::Vector;

/// A superquadric with axes along the world's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Centre, m.
    pub center: Vector<f64>,
    /// Half widths, m.
    pub radii: Vector<f64>,
    /// Roundness: 2 is an ellipsoid, 4 and more come near a box. At least 2.
    pub exponent: f64,
}

impl Obstacle {
    /// True if all numbers are finite, the radii positive and the exponent at least two.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.center.0.iter().all(|x| x.is_finite())
            && self.radii.0.iter().all(|r| r.is_finite() && *r > 0.0)
            && self.exponent.is_finite()
            && self.exponent >= 2.0
    }

    /// C − 1 with gradient and (diagonal) Hessian.
    fn evaluate(&self, x: Vector<f64>) -> (f64, Vector<f64>, Vector<f64>) {
        let (mut value, mut gradient, mut hessian) = (-1.0, Vector::zero(), Vector::zero());
        let s = self.exponent;
        for k in 0..3 {
            let u = (x[k] - self.center[k]) / self.radii[k];
            let power = u.abs().powf(s - 2.0); // Ch (13), |·|^s
            value += power * u * u;
            gradient[k] = s * power * u / self.radii[k];
            hessian[k] = s * (s - 1.0) * power / (self.radii[k] * self.radii[k]);
        }
        (value, gradient, hessian)
    }
}

/// A point of the arm.
#[derive(Clone, Copy, Debug)]
struct ArmPoint {
    /// Motions and columns inboard of it.
    elements: usize,
    columns: usize,
    /// In the frame behind the last motion.
    place: Vector<f64>,
}

/// The sum of barriers over points of the arm.
#[derive(Clone, Debug)]
pub struct Obstacles {
    obstacles: Vec<Obstacle>,
    points: Vec<ArmPoint>,
}

impl Obstacles {
    /// Samples `per_link` points on the line from each link's origin to the next link's, the tip included.
    #[must_use]
    pub fn new(chain: &Chain, obstacles: Vec<Obstacle>, per_link: usize) -> Self {
        let mut points = Vec::new();
        for pair in chain.links.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            // The next link's origin before its own motion: rigidly on this link.
            let start = from.offset.translation;
            let end = chain.joint_origin(from.elements, to.elements, &to.offset);
            if (end - start).norm() < 1e-9 || from.columns == 0 {
                continue;
            }
            for i in 1..=per_link {
                let share = i as f64 / per_link as f64;
                let place = start.times(1.0 - share) + end.times(share);
                points.push(ArmPoint { elements: from.elements, columns: from.columns, place });
            }
        }
        let tip = chain.tail_translation();
        if points.is_empty() || chain.links.last().is_some_and(|last| (tip - last.offset.translation).norm() > 1e-9) {
            points.push(ArmPoint { elements: chain.element_count(), columns: chain.columns.len(), place: tip });
        }
        Self { obstacles, points }
    }

    /// A point in the world, and its way from the tip.
    fn place(point: &ArmPoint, at: &Point<'_>) -> (Vector<f64>, Vector<f64>) {
        let x = at.geometry.frames[point.elements].apply(point.place);
        (x, x - at.geometry.tip.translation)
    }
}

impl Criterion for Obstacles {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        let mut sum = 0.0;
        for point in &self.points {
            let (x, _) = Self::place(point, at);
            for obstacle in &self.obstacles {
                let (c, ..) = obstacle.evaluate(x);
                if c <= 0.0 {
                    return f64::INFINITY;
                }
                sum += 1.0 / c; // Ch (12), first sum
            }
        }
        sum
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        for point in &self.points {
            let (x, shift) = Self::place(point, at);
            let mut force = Vector::zero();
            for obstacle in &self.obstacles {
                let (c, gradient, _) = obstacle.evaluate(x);
                force -= gradient.times(1.0 / (c * c));
            }
            for (i, column) in at.chain.columns[..point.columns].iter().enumerate() {
                let v = at.geometry.linear[i] + at.geometry.angular[i].cross(shift);
                out[column.variable] += column.factor * v.dot(force);
            }
        }
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        if !at.chain.simple {
            return false;
        }
        let n = at.variables().len();
        out.fill(0.0);
        for point in &self.points {
            let (x, shift) = Self::place(point, at);
            let mut force = Vector::zero();
            let mut form = [[0.0; 3]; 3];
            for obstacle in &self.obstacles {
                let (c, gradient, hessian) = obstacle.evaluate(x);
                force -= gradient.times(1.0 / (c * c));
                for i in 0..3 {
                    form[i][i] -= hessian[i] / (c * c);
                    (0..3).for_each(|j| form[i][j] += 2.0 * gradient[i] * gradient[j] / (c * c * c));
                }
            }
            at.chain.add_curvature(at.geometry, point.columns, shift, force, Vector::zero(), out);
            let linear = |i: usize| at.geometry.linear[i] + at.geometry.angular[i].cross(shift);
            for (i, a) in at.chain.columns[..point.columns].iter().enumerate() {
                let v = linear(i);
                let image = Vector(std::array::from_fn(|k| Vector(form[k]).dot(v)));
                for (j, b) in at.chain.columns[..point.columns].iter().enumerate() {
                    out[a.variable * n + b.variable] += a.factor * b.factor * image.dot(linear(j));
                }
            }
        }
        true
    }

    fn is_periodic(&self) -> bool {
        true
    }
}
