//! Least squares over the parameters that a robot can have, by Newton's method.
//!
//! minimise  ½ xᵀH x − cᵀx + γ Σ_i [tr(P₀ᵢ⁻¹ Pᵢ) − log det Pᵢ] + γ Σ_k [x_k/x₀_k − log x_k] + ½ Σ_l (x_l/s_l)²
//!
//! over links i with pseudo-inertia Pᵢ, positive numbers k and free numbers l. The log-determinant divergence to the prior P₀ is its own
//! barrier: every iterate is a body that can be, the distance depends neither on frames nor on units, and what the data do not show
//! ends at the prior, with mass, centre and inertia as the file has them. The function is convex; its Hessian is H and
//! γ tr(P⁻¹E_a P⁻¹E_b), γ/x_k², 1/s_l², so it is positive definite whatever H is.
//!
//! Linear limits c_m·x + d_m > 0 add γ Σ_m [s_m/s₀_m − log s_m], s_m being what is left to the limit and s₀_m what the prior leaves.
//!
//! The path begins with a large γ, where the prior is the answer, and lowers it.

use super::pseudo::{directions, pseudo_inertia};
use crate::spectral;
use nalgebra::{Cholesky, DMatrix, DVector, Matrix4};

/// Values of γ before the wanted one, and how well they are met.
const PATH: [f64; 2] = [1e4, 1e2];
const COARSE: f64 = 1e-2;
/// Half the squared Newton decrement at which a point is the minimum.
const FINE: f64 = 1e-6;
/// Newton steps for one γ. The method needs some twenty.
const MOST_STEPS: usize = 200;
/// What γ is divided by where larger steps lead to the boundary.
const NEXT: f64 = 4.0;
/// Share of the way to the boundary that a step may go.
const INSIDE: f64 = 0.95;
/// Share of the promised decrease that a step must bring.
const ARMIJO: f64 = 1e-4;
/// Added to the unit diagonal of the scaled Hessian.
const TRACE: f64 = 1e-13;

/// What the unknowns are, one after another.
#[derive(Clone, Debug)]
pub(super) enum Group {
    /// Ten parameters of a link, with the inverse of the prior's pseudo-inertia and the prior itself.
    Link { prior_inverse: Matrix4<f64>, prior: [f64; 10] },
    /// A positive number with its prior.
    Positive(f64),
    /// A number of either sign, with its standard deviation about zero.
    Free(f64),
}

impl Group {
    /// A link with a prior that must be positive definite.
    pub fn link(prior: [f64; 10]) -> Option<Self> {
        let prior_inverse = pseudo_inertia(&prior).cholesky()?.inverse();
        Some(Self::Link { prior_inverse, prior })
    }

    fn width(&self) -> usize {
        match self {
            Self::Link { .. } => 10,
            Self::Positive(_) | Self::Free(_) => 1,
        }
    }
}

/// A limit: the sum of some unknowns times factors and of a constant must stay positive.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slack {
    /// Unknowns with their factors.
    pub terms: Vec<(usize, f64)>,
    pub constant: f64,
}

impl Slack {
    /// What is left to the limit.
    fn at(&self, x: &DVector<f64>) -> f64 {
        self.constant + self.along(x)
    }

    /// What a step takes off it or adds.
    fn along(&self, p: &DVector<f64>) -> f64 {
        self.terms.iter().map(|&(k, c)| c * p[k]).sum()
    }
}

/// The unknowns in groups.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    groups: Vec<(usize, Group)>,
    /// Limits, with what the prior leaves to them.
    slacks: Vec<(Slack, f64)>,
    size: usize,
    directions: [Matrix4<f64>; 10],
}

/// ½ xᵀH x − cᵀx.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    pub hessian: DMatrix<f64>,
    pub linear: DVector<f64>,
}

/// A minimum.
#[derive(Clone, Debug)]
pub(super) struct Minimum {
    pub x: DVector<f64>,
    /// Newton steps.
    pub steps: usize,
}

impl Layout {
    pub fn new(groups: Vec<Group>) -> Self {
        let mut size = 0;
        let place = |group: Group| {
            let at = size;
            size += group.width();
            (at, group)
        };
        let groups = groups.into_iter().map(place).collect();
        Self { groups, slacks: Vec::new(), size, directions: directions() }
    }

    /// The same with limits; `None` if the prior does not keep to them.
    pub fn within(mut self, slacks: Vec<Slack>) -> Option<Self> {
        let prior = self.prior();
        let with_prior = |slack: Slack| {
            let left = slack.at(&prior);
            (slack, left)
        };
        self.slacks = slacks.into_iter().map(with_prior).collect();
        self.slacks.iter().all(|(_, at)| *at > 0.0 && at.is_finite()).then_some(self)
    }

    /// The same with more groups at the end.
    pub fn with(&self, groups: impl IntoIterator<Item = Group>) -> Self {
        let groups = self.groups.iter().map(|(_, group)| group.clone()).chain(groups).collect();
        Self { slacks: self.slacks.clone(), ..Self::new(groups) }
    }

    /// The Hessian of squares and penalty together.
    pub fn curvature(&self, x: &DVector<f64>, gamma: f64, squares: &DMatrix<f64>) -> DMatrix<f64> {
        let (mut gradient, mut hessian) = (DVector::zeros(self.size), squares.clone());
        self.add_slopes(x, gamma, &mut gradient, &mut hessian);
        hessian
    }

    /// The prior of all unknowns.
    pub fn prior(&self) -> DVector<f64> {
        let mut x = DVector::zeros(self.size);
        for (at, group) in &self.groups {
            match group {
                Group::Link { prior, .. } => x.as_mut_slice()[*at..*at + 10].copy_from_slice(prior),
                Group::Positive(prior) => x[*at] = *prior,
                Group::Free(_) => {}
            }
        }
        x
    }

    /// The divergence from the prior, without γ, and the free numbers' penalty; `None` outside of what can be.
    fn penalty(&self, x: &DVector<f64>, gamma: f64) -> Option<f64> {
        let mut sum = 0.0;
        for (at, group) in &self.groups {
            sum += match group {
                Group::Link { prior_inverse, .. } => {
                    let p = pseudo_inertia(&x.as_slice()[*at..*at + 10]);
                    let factor = Cholesky::new(p)?;
                    let log: f64 = factor.l_dirty().diagonal().iter().map(|d| d.ln()).sum();
                    gamma * ((prior_inverse * p).trace() - 2.0 * log)
                }
                Group::Positive(prior) if x[*at] > 0.0 => gamma * (x[*at] / prior - x[*at].ln()),
                Group::Positive(_) => return None,
                Group::Free(deviation) => 0.5 * (x[*at] / deviation).powi(2),
            };
        }
        for (slack, prior) in &self.slacks {
            let left = slack.at(x);
            if left <= 0.0 {
                return None;
            }
            sum += gamma * (left / prior - left.ln());
        }
        sum.is_finite().then_some(sum)
    }

    /// Adds gradient and Hessian of the penalty.
    fn add_slopes(&self, x: &DVector<f64>, gamma: f64, gradient: &mut DVector<f64>, hessian: &mut DMatrix<f64>) {
        for (at, group) in &self.groups {
            let at = *at;
            match group {
                Group::Link { prior_inverse, .. } => {
                    let p = pseudo_inertia(&x.as_slice()[at..at + 10]);
                    let Some(inverse) = Cholesky::new(p).map(|factor| factor.inverse()) else { continue };
                    let turned = self.directions.map(|e| inverse * e);
                    for a in 0..10 {
                        gradient[at + a] += gamma * ((prior_inverse * self.directions[a]).trace() - turned[a].trace());
                        for b in 0..10 {
                            hessian[(at + a, at + b)] += gamma * turned[a].component_mul(&turned[b].transpose()).sum();
                        }
                    }
                }
                Group::Positive(prior) => {
                    gradient[at] += gamma * (1.0 / prior - 1.0 / x[at]);
                    hessian[(at, at)] += gamma / (x[at] * x[at]);
                }
                Group::Free(deviation) => {
                    gradient[at] += x[at] / (deviation * deviation);
                    hessian[(at, at)] += 1.0 / (deviation * deviation);
                }
            }
        }
        self.add_slack_slopes(x, gamma, gradient, hessian);
    }

    /// Gradient and Hessian of the limits.
    fn add_slack_slopes(&self, x: &DVector<f64>, gamma: f64, gradient: &mut DVector<f64>, hessian: &mut DMatrix<f64>) {
        for (slack, prior) in &self.slacks {
            let left = slack.at(x);
            for &(a, factor) in &slack.terms {
                gradient[a] += gamma * factor * (1.0 / prior - 1.0 / left);
                for &(b, other) in &slack.terms {
                    hessian[(a, b)] += gamma * factor * other / (left * left);
                }
            }
        }
    }

    /// The longest step along `p` that stays inside, at most one.
    fn longest(&self, x: &DVector<f64>, p: &DVector<f64>) -> f64 {
        let mut longest = 1.0_f64;
        for (at, group) in &self.groups {
            let at = *at;
            match group {
                Group::Link { .. } => {
                    let own = pseudo_inertia(&x.as_slice()[at..at + 10]);
                    let change = pseudo_inertia(&p.as_slice()[at..at + 10]);
                    let Some(inverse) = Cholesky::new(own).and_then(|factor| factor.l().try_inverse()) else {
                        continue;
                    };
                    // Changes beyond all numbers leave no room.
                    let Some(eigen) = spectral::symmetric(inverse * change * inverse.transpose()) else { return 0.0 };
                    let least = eigen.eigenvalues.min();
                    if least < 0.0 {
                        longest = longest.min(INSIDE / -least);
                    }
                }
                Group::Positive(_) if p[at] < 0.0 => longest = longest.min(INSIDE * x[at] / -p[at]),
                Group::Positive(_) | Group::Free(_) => {}
            }
        }
        for (slack, _) in &self.slacks {
            let change = slack.along(p);
            if change < 0.0 {
                longest = longest.min(INSIDE * slack.at(x) / -change);
            }
        }
        longest
    }

    /// Standard deviations of the unknowns about a minimum, as the curvature there tells them.
    pub fn deviations(&self, squares: &Squares, x: &DVector<f64>, gamma: f64) -> Option<Vec<f64>> {
        let mut hessian = self.curvature(x, gamma, &squares.hessian);
        let scale = scale_to_unit_diagonal(&mut hessian)?;
        let inverse = hessian.cholesky()?.inverse();
        let deviations: Vec<f64> = (0..self.size).map(|k| inverse[(k, k)].sqrt() * scale[k]).collect();
        deviations.iter().all(|x| x.is_finite()).then_some(deviations)
    }
}

/// The minimum for a weight γ of the prior, along the path from the prior; `None` if numbers leave the range of floating point.
pub(super) fn minimise(squares: &Squares, layout: &Layout, gamma: f64) -> Option<Minimum> {
    let mut minimum = Minimum { x: layout.prior(), steps: 0 };
    for weight in PATH.into_iter().filter(|weight| *weight > gamma) {
        descend(squares, layout, weight, COARSE, &mut minimum)?;
    }
    descend(squares, layout, gamma, FINE, &mut minimum)?;
    Some(minimum)
}

/// The minimum for a weight γ, from a point that is near. If it turns out to be far, where the boundary is in the way of every step, from the
/// prior on a path of small changes of γ.
pub(super) fn descend(
    squares: &Squares,
    layout: &Layout,
    gamma: f64,
    tolerance: f64,
    minimum: &mut Minimum,
) -> Option<()> {
    if walk(squares, layout, gamma, tolerance, minimum)? {
        return Some(());
    }
    minimum.x = layout.prior();
    let slope = &squares.hessian * &minimum.x - &squares.linear;
    let step = solve_scaled(layout.curvature(&minimum.x, 1.0, &DMatrix::zeros(layout.size, layout.size)), &slope)?;
    // At this γ the prior has a Newton decrement of one.
    let mut weight = (-slope.dot(&step)).sqrt();
    while weight > gamma {
        walk(squares, layout, weight, COARSE, minimum)?;
        weight /= NEXT;
    }
    walk(squares, layout, gamma, tolerance, minimum)?;
    Some(())
}

/// Newton's method for a weight γ; whether it came to the minimum.
fn walk(squares: &Squares, layout: &Layout, gamma: f64, tolerance: f64, minimum: &mut Minimum) -> Option<bool> {
    let value = |x: &DVector<f64>| -> Option<f64> {
        let quadratic = 0.5 * x.dot(&(&squares.hessian * x)) - squares.linear.dot(x);
        Some(quadratic + layout.penalty(x, gamma)?).filter(|value| value.is_finite())
    };
    let x = &mut minimum.x;
    let mut now = value(x)?;
    for _ in 0..MOST_STEPS {
        let mut gradient = &squares.hessian * &*x - &squares.linear;
        let mut hessian = squares.hessian.clone();
        layout.add_slopes(x, gamma, &mut gradient, &mut hessian);
        let step = solve_scaled(hessian, &gradient)?;
        let decrement = -gradient.dot(&step);
        if !decrement.is_finite() {
            return None;
        }
        if decrement < 2.0 * tolerance * gamma.max(1.0) {
            return Some(true);
        }
        minimum.steps += 1;
        let mut length = layout.longest(x, &step);
        loop {
            let next = &*x + &step * length;
            match value(&next) {
                Some(then) if then <= now - ARMIJO * length * decrement => {
                    (*x, now) = (next, then);
                    break;
                }
                // A decrease below rounding: this is as low as numbers go.
                _ if length * decrement < 1e-13 * now.abs() => return Some(true),
                _ if length < 1e-12 => return Some(false),
                _ => length *= 0.5,
            }
        }
    }
    Some(false)
}

/// −H⁻¹g by Cholesky, with rows and columns scaled to a unit diagonal.
fn solve_scaled(mut hessian: DMatrix<f64>, gradient: &DVector<f64>) -> Option<DVector<f64>> {
    let scale = scale_to_unit_diagonal(&mut hessian)?;
    let right = DVector::from_fn(scale.len(), |k, _| -gradient[k] * scale[k]);
    let mut step = hessian.cholesky()?.solve(&right);
    step.iter_mut().zip(&scale).for_each(|(x, scale)| *x *= scale);
    Some(step)
}

/// Scales rows and columns of a positive definite matrix to a unit diagonal, and adds a trace to that; the factors.
fn scale_to_unit_diagonal(hessian: &mut DMatrix<f64>) -> Option<Vec<f64>> {
    let scale: Vec<f64> = hessian.diagonal().iter().map(|d| 1.0 / d.sqrt()).collect();
    if scale.iter().any(|x| !x.is_finite()) {
        return None;
    }
    for (j, mut column) in hessian.column_iter_mut().enumerate() {
        column.iter_mut().zip(&scale).for_each(|(x, row)| *x *= row * scale[j]);
    }
    (0..scale.len()).for_each(|k| hessian[(k, k)] += TRACE);
    Some(scale)
}

#[cfg(test)]
mod tests {
    use super::super::pseudo::parameters_of;
    use super::*;
    use crate::random::Random;

    fn body(random: &mut Random) -> [f64; 10] {
        let root = Matrix4::from_fn(|_, _| random.signed());
        parameters_of(&(root * root.transpose() + Matrix4::identity() * 0.05))
    }

    fn layout(random: &mut Random) -> Layout {
        let links = (0..2).filter_map(|_| Group::link(body(random)));
        let layout = Layout::new(links.chain([Group::Positive(0.3), Group::Free(2.0)]).collect());
        // The two links together are no heavier than one and a half times what the prior has; the first has its centre beyond a plane.
        let prior = layout.prior();
        let total = Slack { terms: vec![(0, -1.0), (10, -1.0)], constant: 1.5 * (prior[0] + prior[10]) };
        let plane = Slack { terms: vec![(1, 1.0), (0, 0.2 - prior[1] / prior[0])], constant: 0.0 };
        layout.within(vec![total, plane]).unwrap()
    }

    fn squares(random: &mut Random, size: usize, rows: usize) -> Squares {
        let a = DMatrix::from_fn(rows, size, |_, _| random.signed());
        let b = DVector::from_fn(rows, |_, _| random.signed());
        Squares { hessian: a.transpose() * &a, linear: a.transpose() * b }
    }

    #[test]
    fn without_data_the_prior_is_the_minimum() {
        let mut random = Random(1);
        let layout = layout(&mut random);
        let nothing = Squares { hessian: DMatrix::zeros(22, 22), linear: DVector::zeros(22) };
        let found = minimise(&nothing, &layout, 1.0).unwrap();
        assert!((found.x - layout.prior()).norm() < 1e-6);
    }

    /// First witness: the gradient of the function, by differences, vanishes. Second: it is convex, so no point around is lower.
    #[test]
    fn the_minimum_is_one_whatever_the_data_ask_for() {
        for seed in 0..8 {
            let mut random = Random(seed);
            let layout = layout(&mut random);
            let squares = squares(&mut random, 22, if seed < 4 { 40 } else { 9 });
            for gamma in [10.0, 1.0, 1e-2] {
                let found = minimise(&squares, &layout, gamma).unwrap();
                assert!(found.steps < 80, "seed {seed}: {} steps", found.steps);
                let value = |x: &DVector<f64>| {
                    let quadratic = 0.5 * x.dot(&(&squares.hessian * x)) - squares.linear.dot(x);
                    layout.penalty(x, gamma).map(|penalty| quadratic + penalty)
                };
                let least = value(&found.x).unwrap();
                for _ in 0..50 {
                    let around = DVector::from_vec(random.vector(22));
                    for size in [1e-4, 1e-2] {
                        if let Some(there) = value(&(&found.x + &around * size)) {
                            assert!(
                                there > least - 1e-5 * gamma.max(1.0),
                                "seed {seed}, γ {gamma}: {there} below {least}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_penalty() {
        let mut random = Random(5);
        let layout = layout(&mut random);
        let x = layout.prior() * 1.1;
        let (mut gradient, mut hessian) = (DVector::zeros(22), DMatrix::zeros(22, 22));
        layout.add_slopes(&x, 0.7, &mut gradient, &mut hessian);
        let h = 1e-6;
        for k in 0..22 {
            let moved = |size: f64| {
                let mut y = x.clone();
                y[k] += size;
                y
            };
            let slope =
                (layout.penalty(&moved(h), 0.7).unwrap() - layout.penalty(&moved(-h), 0.7).unwrap()) / (2.0 * h);
            assert!(
                (slope - gradient[k]).abs() < 1e-5 * gradient[k].abs().max(1.0),
                "{k}: {slope} and {}",
                gradient[k]
            );
            let [mut high, mut low] = [DVector::zeros(22), DVector::zeros(22)];
            let mut unused = DMatrix::zeros(22, 22);
            layout.add_slopes(&moved(h), 0.7, &mut high, &mut unused);
            layout.add_slopes(&moved(-h), 0.7, &mut low, &mut unused);
            let column = (high - low) / (2.0 * h);
            assert!((column - hessian.column(k)).norm() < 1e-4 * hessian.column(k).norm().max(1.0), "{k}");
        }
    }
}
