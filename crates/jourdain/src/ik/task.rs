//! What the tip is asked to do: rows of its pose, with weights.
//!
//! e(q) = 0 are the task's m equations, Ch (2). Position rows are (p − p*)·weight/scale in world axes, the scale being the robot's. Orientation is free,
//! or rows of φ = log(R R*ᵀ) in world axes, or the direction of one axis of the link. J = ∂e/∂q is a small matrix A(q)
//! times the geometric Jacobian, and Σ λ ∂²e splits into a wrench on the chain's curvature and a quadratic form in ω.
//!
//! Trap: with all three rotation rows the geometric Jacobian may stand for ∂e/∂q, since J_l(φ)⁻¹ only mixes rows that are
//! all zero at the solution. With fewer rows φ does not vanish, and A = J_l(φ)⁻¹ with its derivative is needed.

use super::chain::{Chain, Geometry};
use super::linear::ROWS;
use crate::spatial::{Pose, Rotation, Vector};

/// What is asked of the link's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Nothing.
    Free,
    /// Rows of log(R R*ᵀ), world axes, each times its weight; a row of weight zero is free.
    Rows([f64; 3]),
    /// An axis of the link, a unit vector in link axes, points where the target's does.
    Axis {
        /// The axis.
        axis: Vector<f64>,
        /// Weight of both rows.
        weight: f64,
    },
}

/// A point of a link and the rows of its pose that are to be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Index of the link.
    pub link: usize,
    /// The point, in the link frame, m.
    pub point: Vector<f64>,
    /// Weights of the position rows, world axes; a row of weight zero is free.
    pub position: [f64; 3],
    /// What is asked of the axes.
    pub orientation: Orientation,
    /// The length that makes positions comparable with angles in the manipulability, m.
    pub length: f64,
}

/// The default of [`Task::length`], m.
pub const LENGTH: f64 = 0.5;

impl Task {
    /// Position and orientation of the link.
    #[must_use]
    pub fn pose(link: usize) -> Self {
        Self {
            link,
            point: Vector::zero(),
            position: [1.0; 3],
            orientation: Orientation::Rows([1.0; 3]),
            length: LENGTH,
        }
    }

    /// Position of the link's origin.
    #[must_use]
    pub fn position(link: usize) -> Self {
        Self { orientation: Orientation::Free, ..Self::pose(link) }
    }

    /// x and y of the link's origin.
    #[must_use]
    pub fn position_xy(link: usize) -> Self {
        Self { position: [1.0, 1.0, 0.0], ..Self::position(link) }
    }

    /// Direction of one axis of the link, and nothing else.
    #[must_use]
    pub fn pointing(link: usize, axis: Vector<f64>) -> Self {
        let axis = axis.times(1.0 / axis.norm());
        Self { position: [0.0; 3], orientation: Orientation::Axis { axis, weight: 1.0 }, ..Self::pose(link) }
    }

    /// Weights of x, y, z and of the rotation about world x, y, z; zero frees a row.
    #[must_use]
    pub fn rows(link: usize, weights: [f64; 6]) -> Self {
        let [x, y, z, a, b, c] = weights;
        let orientation = if [a, b, c] == [0.0; 3] { Orientation::Free } else { Orientation::Rows([a, b, c]) };
        Self { position: [x, y, z], orientation, ..Self::pose(link) }
    }

    /// The number of equations.
    #[must_use]
    pub fn row_count(&self) -> usize {
        let count = |weights: &[f64]| weights.iter().filter(|weight| **weight != 0.0).count();
        count(&self.position)
            + match &self.orientation {
                Orientation::Free => 0,
                Orientation::Rows(weights) => count(weights),
                Orientation::Axis { .. } => 2,
            }
    }

    /// True if all numbers are finite, the weights not negative and at least one row is asked for.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let good = |x: &f64| x.is_finite() && *x >= 0.0;
        let orientation = match &self.orientation {
            Orientation::Free => true,
            Orientation::Rows(weights) => weights.iter().all(good),
            Orientation::Axis { axis, weight } => good(weight) && *weight > 0.0 && (axis.norm() - 1.0).abs() < 1e-9,
        };
        orientation
            && self.position.iter().all(good)
            && self.point.0.iter().all(|x| x.is_finite())
            && self.length.is_finite()
            && self.length > 0.0
            && self.row_count() > 0
    }
}

/// The task's equations for one target: error, its Jacobian's factor A and its curvature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equations {
    task: Task,
    target: Pose<f64>,
    scale: f64,
    /// Two directions across the target's axis.
    across: [Vector<f64>; 2],
    pub m: usize,
    /// All three rotation rows are asked for.
    whole: bool,
    /// A at the solution: rows of the geometric Jacobian that the task is about, divided by the length.
    pub rows: [[f64; 6]; ROWS],
}

/// The error at one pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residual {
    /// e, weighted and scaled.
    pub e: [f64; ROWS],
    /// A: e's derivative by the tip's twist, linear part first.
    pub a: [[f64; 6]; ROWS],
    /// φ = log(R R*ᵀ).
    phi: Vector<f64>,
    /// The link's axis in the world.
    axis: Vector<f64>,
    /// Length of the error in m and rad.
    pub size: f64,
}

impl Equations {
    /// `scale`: the robot's own length, m, that errors of position are divided by.
    pub fn new(task: Task, target: Pose<f64>, scale: f64) -> Self {
        let mut equations = Self {
            task,
            target,
            scale,
            across: [Vector::zero(); 2],
            m: task.row_count(),
            whole: matches!(task.orientation, Orientation::Rows(weights) if weights.iter().all(|weight| *weight != 0.0)),
            rows: [[0.0; 6]; ROWS],
        };
        let mut row = 0;
        for i in (0..3).filter(|&i| task.position[i] != 0.0) {
            equations.rows[row][i] = 1.0 / task.length;
            row += 1;
        }
        match task.orientation {
            Orientation::Free => {}
            Orientation::Rows(weights) => {
                for i in (0..3).filter(|&i| weights[i] != 0.0) {
                    equations.rows[row][3 + i] = 1.0;
                    row += 1;
                }
            }
            Orientation::Axis { axis, .. } => {
                let direction = target.rotation.apply(axis);
                let far = (0..3).fold(0, |far, i| if direction[i].abs() < direction[far].abs() { i } else { far });
                let first = direction.cross(Vector::unit(far));
                let first = first.times(1.0 / first.norm());
                equations.across = [first, direction.cross(first)];
                for across in equations.across {
                    // b·(ω × d) = ω·(d × b)
                    let lever = direction.cross(across);
                    equations.rows[row][3..].copy_from_slice(&lever.0);
                    row += 1;
                }
            }
        }
        equations
    }

    /// The target.
    pub fn target(&self) -> &Pose<f64> {
        &self.target
    }

    /// All three rotation rows are asked for.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Distance over the position rows asked for, m, and the angle of the orientation if all of it or an axis is asked for, rad.
    pub fn errors(&self, tip: &Pose<f64>) -> (f64, Option<f64>) {
        let offset = tip.translation - self.target.translation;
        let asked = (0..3).filter(|&i| self.task.position[i] != 0.0);
        let position = asked.map(|i| offset[i] * offset[i]).sum::<f64>().sqrt();
        let turned = match self.task.orientation {
            Orientation::Axis { axis, .. } => {
                let (t, d) = (tip.rotation.apply(axis), self.target.rotation.apply(axis));
                Some(d.cross(t).norm().atan2(d.dot(t)))
            }
            _ if self.whole => Some((tip.rotation * self.target.rotation.transpose()).log().norm()),
            Orientation::Rows(_) | Orientation::Free => None,
        };
        (position, turned)
    }

    pub fn residual(&self, tip: &Pose<f64>) -> Residual {
        let task = &self.task;
        let mut out =
            Residual { e: [0.0; ROWS], a: [[0.0; 6]; ROWS], phi: Vector::zero(), axis: Vector::zero(), size: 0.0 };
        let offset = tip.translation - self.target.translation;
        let (mut row, mut square) = (0, 0.0);
        for i in 0..3 {
            let weight = task.position[i];
            if weight != 0.0 {
                square += offset[i] * offset[i];
                out.e[row] = offset[i] * weight / self.scale;
                out.a[row][i] = weight / self.scale;
                row += 1;
            }
        }
        match task.orientation {
            Orientation::Free => {}
            Orientation::Rows(weights) => {
                out.phi = (tip.rotation * self.target.rotation.transpose()).log();
                for i in 0..3 {
                    if weights[i] != 0.0 {
                        square += out.phi[i] * out.phi[i];
                        out.e[row] = out.phi[i] * weights[i];
                        let derivative =
                            if self.whole { Vector::unit(i) } else { log_gradient(out.phi, Vector::unit(i)) };
                        out.a[row][3..].copy_from_slice(&derivative.times(weights[i]).0);
                        row += 1;
                    }
                }
            }
            Orientation::Axis { axis, weight } => {
                let t = tip.rotation.apply(axis);
                out.axis = t;
                let d = self.target.rotation.apply(axis);
                let angle = d.cross(t).norm().atan2(d.dot(t));
                square += angle * angle;
                let [g, g1, _] = arc_over_sine(d.dot(t));
                for across in self.across {
                    let along = across.dot(t);
                    // Straight away from the target neither row knows a direction: any one will do. Added is more than `along` can be there.
                    let away = d.dot(t) < OPPOSITE && row + 1 == self.m;
                    let along_or_turn = if away { along + 3e-3 } else { along };
                    out.e[row] = weight * g * along_or_turn;
                    let gradient = d.times(g1 * along) + across.times(g);
                    out.a[row][3..].copy_from_slice(&t.cross(gradient).times(weight).0);
                    row += 1;
                }
            }
        }
        out.size = square.sqrt();
        out
    }

    /// The error shortened to what one step should ask for: at most 0.7 of the robot's length, or a sixth of a way that only a
    /// base without limits can go, and 1 rad.
    pub fn clamped(&self, residual: &Residual) -> [f64; ROWS] {
        const FAR: f64 = 0.68;
        const TURN: f64 = 1.0;
        let mut e = residual.e;
        let linear = self.task.position.iter().filter(|weight| **weight != 0.0).count();
        let unscaled = |k: usize| residual.a[k][..3].iter().sum::<f64>();
        let length = (0..linear).map(|k| (e[k] / unscaled(k)).powi(2)).sum::<f64>().sqrt();
        let most = (FAR * self.scale).max(length / 6.0);
        if length > most {
            e[..linear].iter_mut().for_each(|x| *x *= most / length);
        }
        let weights = match self.task.orientation {
            Orientation::Free => return e,
            Orientation::Rows(weights) => weights,
            Orientation::Axis { weight, .. } => [weight; 3],
        };
        let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(*weight));
        let angle = e[linear..self.m].iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt();
        if angle > TURN {
            e[linear..self.m].iter_mut().for_each(|x| *x *= TURN / angle);
        }
        e
    }

    /// J = A · geometric Jacobian, m × n over the variables.
    pub fn jacobian(&self, residual: &Residual, chain: &Chain, geometry: &Geometry, out: &mut [f64]) {
        project(&residual.a, self.m, chain, geometry, out);
    }

    /// Adds Σ λ ∂²e/∂q² to a matrix over the variables; `jacobian` is scratch for the columns' rotations.
    pub fn add_curvature(
        &self,
        residual: &Residual,
        lambda: &[f64],
        chain: &Chain,
        geometry: &Geometry,
        out: &mut [f64],
    ) {
        let mut wrench = [0.0; 6];
        for (row, l) in residual.a[..self.m].iter().zip(lambda) {
            (0..6).for_each(|i| wrench[i] += l * row[i]);
        }
        let force = Vector([wrench[0], wrench[1], wrench[2]]);
        let moment = Vector([wrench[3], wrench[4], wrench[5]]);
        chain.add_curvature(geometry, chain.columns.len(), Vector::zero(), force, moment, out);
        if let Some(form) = self.rotation_form(residual, lambda) {
            let n = chain.variables.len();
            for (i, a) in chain.columns.iter().enumerate() {
                let image = form.apply(geometry.angular[i]);
                for (j, b) in chain.columns.iter().enumerate() {
                    out[a.variable * n + b.variable] += a.factor * b.factor * image.dot(geometry.angular[j]);
                }
            }
        }
    }

    /// The quadratic form in ω that Σ λ ∂²e has beside the curvature of the chain; `None` where it is zero.
    fn rotation_form(&self, residual: &Residual, lambda: &[f64]) -> Option<Rotation<f64>> {
        let linear = self.task.position.iter().filter(|weight| **weight != 0.0).count();
        let mut form = [[0.0; 3]; 3];
        match self.task.orientation {
            Orientation::Free => return None,
            Orientation::Rows(_) if self.whole => return None,
            Orientation::Rows(weights) => {
                let mut l = Vector::zero();
                for (row, i) in (linear..).zip((0..3).filter(|&i| weights[i] != 0.0)) {
                    l[i] = weights[i] * lambda[row];
                }
                for i in 0..3 {
                    let derivative = log_gradient_rate(residual.phi, l, Vector::unit(i));
                    (0..3).for_each(|j| form[j][i] = derivative[j]);
                }
            }
            Orientation::Axis { axis, weight } => {
                let (t, d) = (residual.axis, self.target.rotation.apply(axis));
                let u =
                    self.across[0].times(weight * lambda[linear]) + self.across[1].times(weight * lambda[linear + 1]);
                let [g, g1, g2] = arc_over_sine(d.dot(t));
                let gradient = d.times(g1 * u.dot(t)) + u.times(g);
                // s(t) with ṫ = ω × t, ẗ = ω̇ × t + ω (ω·t) − t ω².
                for i in 0..3 {
                    let w = Vector::unit(i);
                    let rate = w.cross(t);
                    let second = d.times(g2 * u.dot(t) * d.dot(rate) + g1 * u.dot(rate)) + u.times(g1 * d.dot(rate));
                    let image = t.cross(second) + gradient.times(t[i]) - w.times(gradient.dot(t));
                    (0..3).for_each(|j| form[j][i] = image[j]);
                }
            }
        }
        Some(Rotation(std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (form[i][j] + form[j][i])))))
    }
}

/// Small matrix times the geometric Jacobian, over the variables.
pub(crate) fn project(a: &[[f64; 6]; ROWS], m: usize, chain: &Chain, geometry: &Geometry, out: &mut [f64]) {
    let n = chain.variables.len();
    out[..m * n].fill(0.0);
    for (c, column) in chain.columns.iter().enumerate() {
        let (v, w) = (geometry.linear[c].0, geometry.angular[c].0);
        for (k, row) in a[..m].iter().enumerate() {
            let x = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * w[0] + row[4] * w[1] + row[5] * w[2];
            out[k * n + column.variable] += column.factor * x;
        }
    }
}

/// c(θ²) and its derivative by θ² of J_l⁻¹ = 1 − ½ φ̂ + c φ̂², kept finite at π.
fn inverse_coefficient(square: f64) -> (f64, f64) {
    if square < 0.25 {
        // Bernoulli numbers: c = Σ |B₂ₖ| θ²ᵏ⁻²/(2k)!
        const C: [f64; 6] = [1.0 / 12.0, 1.0 / 720.0, 1.0 / 30240.0, 1.0 / 1_209_600.0, 1.0 / 47_900_160.0, 5.284e-10];
        let value = C.iter().rev().fold(0.0, |sum, c| sum * square + c);
        let rate = (1..C.len()).rev().fold(0.0, |sum, k| sum * square + k as f64 * C[k]);
        return (value, rate);
    }
    let half = 0.5 * square.sqrt();
    let (sin, cos) = half.sin_cos();
    let sin = if sin.abs() < 1e-9 { 1e-9 } else { sin };
    let cotangent = cos / sin;
    let value = (1.0 - half * cotangent) / square;
    // d/dθ² of h cot h with h = θ/2: (cot h − h/sin² h)/(4θ) · … with dh/dθ² = 1/(8h).
    let rate_of_product = (cotangent - half / (sin * sin)) / (8.0 * half);
    (value, -(rate_of_product + value) / square)
}

/// J_l(φ)⁻ᵀ λ: the derivative of λ·log(exp(θ) R R*ᵀ) by θ at zero.
fn log_gradient(phi: Vector<f64>, l: Vector<f64>) -> Vector<f64> {
    let (c, _) = inverse_coefficient(phi.norm_squared());
    let once = phi.cross(l);
    l + once.times(0.5) + phi.cross(once).times(c)
}

/// The derivative of [`log_gradient`] when R turns with ω.
fn log_gradient_rate(phi: Vector<f64>, l: Vector<f64>, omega: Vector<f64>) -> Vector<f64> {
    let (c, c1) = inverse_coefficient(phi.norm_squared());
    let turned = phi.cross(omega);
    let rate = omega - turned.times(0.5) + phi.cross(turned).times(c); // φ̇ = J_l⁻¹ ω
    let c_rate = 2.0 * c1 * phi.dot(rate);
    let once = phi.cross(l);
    rate.cross(l).times(0.5) + phi.cross(once).times(c_rate) + (rate.cross(once) + phi.cross(rate.cross(l))).times(c)
}

/// Cosines below this are of axes that point away from each other: the sine is below 1.5e-3.
const OPPOSITE: f64 = -0.999_999;

/// g(c) = arccos(c)/√(1 − c²) with two derivatives; bounded at c = −1.
fn arc_over_sine(c: f64) -> [f64; 3] {
    let c = c.clamp(OPPOSITE, 1.0);
    if c > 0.97 {
        // With x = 1 − c: Σ xᵏ · k!/(2k+1)!!.
        const G: [f64; 9] = [
            1.0,
            1.0 / 3.0,
            2.0 / 15.0,
            6.0 / 105.0,
            24.0 / 945.0,
            120.0 / 10395.0,
            720.0 / 135_135.0,
            5040.0 / 2_027_025.0,
            40320.0 / 34_459_425.0,
        ];
        let x = 1.0 - c;
        let value = G.iter().rev().fold(0.0, |sum, g| sum * x + g);
        let first = (1..9).rev().fold(0.0, |sum, k| sum * x + k as f64 * G[k]);
        let second = (2..9).rev().fold(0.0, |sum, k| sum * x + (k * (k - 1)) as f64 * G[k]);
        return [value, -first, second];
    }
    let square = 1.0 - c * c;
    let g = c.acos() / square.sqrt();
    // (1 − c²) g' = c g − 1, and once more differentiated.
    let first = (c * g - 1.0) / square;
    let second = (g + 3.0 * c * first) / square;
    [g, first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::robots;

    fn tasks(link: usize) -> Vec<Task> {
        let mut point = Task::pointing(link, Vector([0.2, -0.4, 1.0]));
        point.position = [0.0, 2.0, 0.0];
        vec![
            Task::pose(link),
            Task::position_xy(link),
            Task::rows(link, [1.0, 0.0, 2.0, 0.5, 0.0, 1.5]),
            Task::rows(link, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
            Task::pointing(link, Vector([0.0, 0.0, 1.0])),
            point,
        ]
    }

    /// Central differences of e and of λ·J along each variable; whole poses at the target, where their curvature is exact.
    #[test]
    fn jacobian_and_curvature_are_derivatives_of_the_error() {
        let model = robots::load("iiwa14").unwrap();
        let link = model.links().len() - 1;
        let mut random = Random(77);
        for (case, task) in tasks(link).into_iter().enumerate() {
            let chain = Chain::new(&model, link, Vector([0.02, 0.03, -0.01]));
            let mut geometry = Geometry::new(&chain);
            let n = chain.variables.len();
            let q = random.vector(n);
            let aim: Vec<f64> =
                if case == 0 { q.clone() } else { q.iter().map(|x| x + 0.5 * random.signed()).collect() };
            let equations = Equations::new(task, chain.tip(&aim), 0.5);
            let m = equations.m;
            let lambda = random.vector(m);
            let mut at = |q: &[f64]| {
                chain.evaluate(q, &mut geometry);
                let residual = equations.residual(&geometry.tip);
                let mut jacobian = vec![0.0; m * n];
                equations.jacobian(&residual, &chain, &geometry, &mut jacobian);
                let mut curvature = vec![0.0; n * n];
                equations.add_curvature(&residual, &lambda, &chain, &geometry, &mut curvature);
                (residual, jacobian, curvature)
            };
            let (_, jacobian, curvature) = at(&q);
            let step = 1e-5;
            for j in 0..n {
                let mut moved = [q.clone(), q.clone()];
                moved[0][j] += step;
                moved[1][j] -= step;
                let [plus, minus] = moved.map(|q| at(&q));
                for k in 0..m {
                    let slope = (plus.0.e[k] - minus.0.e[k]) / (2.0 * step);
                    assert!((slope - jacobian[k * n + j]).abs() < 1e-8, "task {case}: row {k}, column {j}");
                }
                for i in 0..n {
                    if case == 0 {
                        continue;
                    }
                    let slope = |lambda: &[f64]| -> f64 {
                        (0..m).map(|k| lambda[k] * (plus.1[k * n + i] - minus.1[k * n + i])).sum::<f64>() / (2.0 * step)
                    };
                    let expected = slope(&lambda);
                    assert!((expected - curvature[i * n + j]).abs() < 2e-8, "task {case}: {i}, {j}");
                }
            }
        }
    }

    #[test]
    fn coefficients_join_where_their_series_end() {
        for square in [0.25, 4.0] {
            let [below, above] = [-1e-7, 1e-7].map(|d| inverse_coefficient(square + d));
            assert!((below.0 - above.0).abs() < 1e-8 && (below.1 - above.1).abs() < 1e-8);
            assert!(((above.0 - below.0) / 2e-7 - above.1).abs() < 1e-6);
        }
        let [below, above] = [0.97 - 1e-9, 0.97 + 1e-9].map(arc_over_sine);
        (0..3).for_each(|k| assert!((below[k] - above[k]).abs() < 1e-7, "{k}: {below:?} {above:?}"));
    }
}
