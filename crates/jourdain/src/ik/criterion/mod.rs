//! What a redundant arm is to make the best of: H(q), minimised over the configurations that fulfil the task.
//!
//! | criterion | H |
//! |---|---|
//! | [`Manipulability`] | −log w, w² = det(J Jᵀ) over the task's rows |
//! | [`Joints::mid_range`] | ½ Σ ((q − middle)/half range)² |
//! | [`Joints::home`] | ½ Σ k (q − home)² |
//! | [`Joints::limit_barrier`] | Σ (half range)²/((high − q)(q − low)) |
//! | [`Obstacles`] | Σ 1/(C(x) − 1) over points x of the arm and superquadrics C |
//! | [`WeightedSum`] | Σ k H |
//! | [`Constant`] | 0: any configuration will do |
//!
//! Any other is a type with the trait [`Criterion`].

mod joints;
mod manipulability;
mod obstacles;

pub use joints::Joints;
pub use manipulability::{Manipulability, Measure};
pub use obstacles::{Obstacle, Obstacles};

use super::chain::{Chain, Geometry, Variable};

/// A configuration that a criterion is evaluated at.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// The robot's whole position.
    pub q: &'a [f64],
    pub(crate) chain: &'a Chain,
    pub(crate) geometry: &'a Geometry,
    pub(crate) rows: &'a [[f64; 6]; 6],
    pub(crate) m: usize,
}

impl Point<'_> {
    /// The joint numbers that gradients and Hessians are about, in their order.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.chain.variables
    }

    /// The pose of the task's point, with the axes of its link.
    #[must_use]
    pub fn tip(&self) -> &crate::spatial::Pose<f64> {
        &self.geometry.tip
    }
}

/// A function of the configuration, to be minimised.
///
/// The solver calls `value` alone in its line search, and `value`, `gradient`, `hessian` in this order at one point, so that
/// later calls may use what earlier ones have computed. Nothing may be allocated in them if the solver is to run in a
/// control loop. A batch takes a criterion to each thread.
pub trait Criterion: Send {
    /// H, or infinity where it is not defined.
    fn value(&mut self, at: &Point<'_>) -> f64;

    /// ∂H/∂q over the point's variables.
    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]);

    /// ∂²H/∂q², row by row, if there is a formula; the solver takes differences of the gradient otherwise.
    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        let _ = (at, out);
        false
    }

    /// True if H is the same after a whole turn of any revolute joint.
    fn is_periodic(&self) -> bool {
        false
    }

    /// True if H is constant, so that every configuration is as good as any other.
    fn is_constant(&self) -> bool {
        false
    }

    /// The open interval that a variable must stay in for H to be defined.
    fn domain(&self, variable: usize) -> Option<[f64; 2]> {
        let _ = variable;
        None
    }
}

/// H = 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constant;

impl Criterion for Constant {
    fn value(&mut self, _: &Point<'_>) -> f64 {
        0.0
    }

    fn gradient(&mut self, _: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
    }

    fn hessian(&mut self, _: &Point<'_>, out: &mut [f64]) -> bool {
        out.fill(0.0);
        true
    }

    fn is_periodic(&self) -> bool {
        true
    }

    fn is_constant(&self) -> bool {
        true
    }
}

/// Σ k H over several criteria.
#[derive(Default)]
pub struct WeightedSum {
    terms: Vec<(f64, Box<dyn Criterion>)>,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
}

impl WeightedSum {
    /// Adds a term.
    #[must_use]
    pub fn with(mut self, weight: f64, criterion: Box<dyn Criterion>) -> Self {
        self.terms.push((weight, criterion));
        self
    }
}

impl Criterion for WeightedSum {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        self.terms.iter_mut().map(|(k, term)| *k * term.value(at)).sum()
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        self.gradient.resize(out.len(), 0.0);
        out.fill(0.0);
        for (k, term) in &mut self.terms {
            term.gradient(at, &mut self.gradient);
            out.iter_mut().zip(&self.gradient).for_each(|(sum, x)| *sum += *k * x);
        }
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        self.hessian.resize(out.len(), 0.0);
        out.fill(0.0);
        for (k, term) in &mut self.terms {
            if !term.hessian(at, &mut self.hessian) {
                return false;
            }
            out.iter_mut().zip(&self.hessian).for_each(|(sum, x)| *sum += *k * x);
        }
        true
    }

    fn is_periodic(&self) -> bool {
        self.terms.iter().all(|(_, term)| term.is_periodic())
    }

    fn is_constant(&self) -> bool {
        self.terms.iter().all(|(k, term)| *k == 0.0 || term.is_constant())
    }

    fn domain(&self, variable: usize) -> Option<[f64; 2]> {
        let domains = self.terms.iter().filter_map(|(_, term)| term.domain(variable));
        domains.reduce(|[a, b], [c, d]| [a.max(c), b.min(d)])
    }
}

#[cfg(test)]
mod tests;
