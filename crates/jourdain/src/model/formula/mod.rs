//! A function of one position as a robot file gives it: numbers, `q`, + − × ÷, whole powers, sine, cosine and root.
//!
//! Kept as steps on a stack, so that it runs on every scalar without allocating: numbers, duals, series, symbols. Like all formulas
//! it branches on the model alone. [`parse`](Formula::parse) reads it from text.

mod parse;

pub use parse::FormulaError;

use jourdain_symbolic::Scalar;

/// How deep the stack of a formula may be.
const DEPTH: usize = 24;
/// How many steps a formula may have.
const MOST_STEPS: usize = 4096;

/// One step: what is put on the stack, or done with what is on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Puts a number.
    Number(f64),
    /// Puts q.
    Position,
    /// Takes two, puts their sum.
    Add,
    /// Takes two, puts the lower less the upper.
    Subtract,
    /// Takes two, puts their product.
    Multiply,
    /// Takes two, puts the lower by the upper.
    Divide,
    /// Changes the sign.
    Negate,
    /// Sine, of rad.
    Sine,
    /// Cosine, of rad.
    Cosine,
    /// Square root.
    Root,
    /// A whole power, which may be negative.
    Power(i32),
}

impl Step {
    /// How many values it takes off the stack; it puts one.
    fn takes(self) -> usize {
        match self {
            Self::Number(_) | Self::Position => 0,
            Self::Negate | Self::Sine | Self::Cosine | Self::Root | Self::Power(_) => 1,
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide => 2,
        }
    }
}

/// A function of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    steps: Vec<Step>,
}

impl Formula {
    /// Of these steps; `None` if they are too many, go too deep or leave more or less than one value.
    #[must_use]
    pub fn new(steps: Vec<Step>) -> Option<Self> {
        let mut depth = 0_usize;
        for step in &steps {
            depth = depth.checked_sub(step.takes())? + 1;
            if depth > DEPTH {
                return None;
            }
        }
        (depth == 1 && steps.len() <= MOST_STEPS).then_some(Self { steps })
    }

    /// Its steps, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Its value at a position.
    #[must_use]
    pub fn at<S: Scalar>(&self, q: S) -> S {
        let mut stack = [S::zero(); DEPTH];
        let mut top = 0;
        for &step in &self.steps {
            top -= step.takes();
            let (lower, upper) = (stack[top], stack[(top + 1).min(DEPTH - 1)]);
            stack[top] = match step {
                Step::Number(number) => S::from_f64(number),
                Step::Position => q,
                Step::Add => lower + upper,
                Step::Subtract => lower - upper,
                Step::Multiply => lower * upper,
                Step::Divide => lower / upper,
                Step::Negate => -lower,
                Step::Sine => lower.sin_cos().0,
                Step::Cosine => lower.sin_cos().1,
                Step::Root => lower.sqrt(),
                Step::Power(power) => {
                    let product = (1..power.unsigned_abs()).fold(lower, |product, _| product * lower);
                    if power < 0 { S::one() / product } else { product }
                }
            };
            top += 1;
        }
        stack[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain_symbolic::{Dual, Jet};

    #[test]
    fn steps_that_take_what_is_not_there_or_leave_too_much_are_no_formula() {
        assert_eq!(Formula::new(vec![]), None);
        assert_eq!(Formula::new(vec![Step::Add]), None);
        assert_eq!(Formula::new(vec![Step::Position, Step::Position]), None);
        let mut deep = vec![Step::Position; DEPTH + 1];
        deep.extend(vec![Step::Add; DEPTH]);
        assert_eq!(Formula::new(deep), None);
    }

    #[test]
    fn every_step_does_what_it_says_on_numbers_duals_and_series() {
        let formula = Formula::parse("3 - 2*sin(q)/cos(q)^2 + sqrt(q + 4)*-q**3").unwrap();
        let exact = |q: f64| 3.0 - 2.0 * q.sin() / q.cos().powi(2) - (q + 4.0).sqrt() * q.powi(3);
        for q in [-1.2, 0.0, 0.4, 1.1] {
            assert!((formula.at(q) - exact(q)).abs() < 1e-13, "{q}");
            let step = 1e-5;
            let slope = (exact(q + step) - exact(q - step)) / (2.0 * step);
            assert!((formula.at(Dual::variable(q)).derivative - slope).abs() < 1e-6 * slope.abs().max(1.0), "{q}");
            let series = formula.at(Jet::from_derivatives([q, 1.0, 0.0]));
            assert!((series.derivative(1) - slope).abs() < 1e-6 * slope.abs().max(1.0), "{q}");
        }
    }
}
