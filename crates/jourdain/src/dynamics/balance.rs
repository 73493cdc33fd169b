//! Springs and cylinders that hold joints beside their motors: the torque s(q) on a joint, which its motor does not have to give.
//!
//! Part of τ like friction, never of g: τ has −s(q), ∂τ/∂q has −s′(q) on its diagonal. A coupled joint is held at its own position, and what its leader
//! feels is multiplied by the factor of the coupling. Their energy is no part of the potential energy: balances of energy take it as power.

use super::series::{coefficients, power, product, quotient, sin_cos};
use crate::model::{Formula, Link, Model, Step};
use jourdain_symbolic::{Dual, Scalar};

/// Takes the torques of all balances at the position `q` off `tau`.
pub fn add_torques<S: Scalar>(model: &Model<S::Constant>, q: &[S], tau: &mut [S]) {
    for (link, formula) in model.balances() {
        let (dof, torque) = (degree(link), formula.at(link.position(q, &mut [S::zero()])[0]));
        tau[dof] -= felt(link, torque);
    }
}

/// Gives the degree of freedom and the derivative of −s(q) by its position, joint by joint. What comes up several times adds up.
pub fn for_each_slope<S: Scalar>(model: &Model<S::Constant>, q: &[S], mut add: impl FnMut(usize, S)) {
    for (link, formula) in model.balances() {
        let slope = formula.at(Dual::variable(link.position(q, &mut [S::zero()])[0])).derivative;
        add(degree(link), -felt(link, felt(link, slope)));
    }
}

/// Takes the time derivative of the order `order` of the torques of all balances off `tau`.
pub(super) fn add_torque_derivative<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    derivatives: &[&[S]],
    order: usize,
    tau: &mut [S],
) {
    let constant = <S::Constant as Scalar>::from_f64;
    for (link, formula) in model.balances() {
        let mut motion = vec![link.position(q, &mut [S::zero()])[0]];
        motion.extend(derivatives[..order].iter().map(|w| link.velocity(w, &mut [S::zero()])[0]));
        let (position, share) = coefficients(&motion);
        let last = series(formula, &position)[order];
        let torque = if order > 1 { last.scale(constant(share)) } else { last };
        tau[degree(link)] -= felt(link, torque);
    }
}

/// The degree of freedom that feels a joint.
fn degree<T>(link: &Link<T>) -> usize {
    link.mimic.as_ref().map_or(link.v, |mimic| mimic.v)
}

/// A value of a joint as its leader feels it.
fn felt<S: Scalar>(link: &Link<S::Constant>, value: S) -> S {
    link.mimic.as_ref().map_or(value, |mimic| value.scale(mimic.multiplier))
}

/// The series of a formula along the series of a position.
fn series<S: Scalar>(formula: &Formula, q: &[S]) -> Vec<S> {
    let times = |a: &[S], b: &[S]| -> Vec<S> { (0..q.len()).map(|k| product(a, b, k)).collect() };
    let sum = |a: Vec<S>, b: &[S], sign: f64| -> Vec<S> {
        a.into_iter().zip(b).map(|(a, b)| if sign < 0.0 { a - *b } else { a + *b }).collect()
    };
    let fixed = |value: S| -> Vec<S> { (0..q.len()).map(|k| if k == 0 { value } else { S::zero() }).collect() };
    let mut stack: Vec<Vec<S>> = Vec::new();
    for &step in formula.steps() {
        // A formula takes no more than there is.
        let mut pop = || stack.pop().unwrap_or_else(|| fixed(S::zero()));
        let value = match step {
            Step::Number(number) => fixed(S::from_f64(number)),
            Step::Position => q.to_vec(),
            Step::Add => {
                let upper = pop();
                sum(pop(), &upper, 1.0)
            }
            Step::Subtract => {
                let upper = pop();
                sum(pop(), &upper, -1.0)
            }
            Step::Multiply => times(&pop(), &pop()),
            Step::Divide => {
                let upper = pop();
                quotient(&pop(), &upper)
            }
            Step::Negate => pop().into_iter().map(|x| -x).collect(),
            Step::Sine => sin_cos(&pop()).0,
            Step::Cosine => sin_cos(&pop()).1,
            Step::Root => {
                let u = pop();
                power(&u, u[0].sqrt(), 0.5)
            }
            Step::Power(exponent) => {
                let base = pop();
                let whole = (1..exponent.unsigned_abs()).fold(base.clone(), |product, _| times(&product, &base));
                if exponent < 0 { quotient(&fixed(S::one()), &whole) } else { whole }
            }
        };
        stack.push(value);
    }
    stack.pop().unwrap_or_else(|| fixed(S::zero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jourdain_symbolic::Jet;

    #[test]
    fn series_of_any_length_are_those_of_jets() {
        let formula = Formula::parse("2*sin(3*q)/(1 + cos(q)^2) - sqrt(q^2 + 0.2)*q^-3 + (q - 1)").unwrap();
        let derivatives = [0.7, -0.4, 1.3, 0.2, -2.1, 0.9];
        let exact = formula.at(Jet::from_derivatives(derivatives));
        for order in 0..derivatives.len() {
            let (position, share) = coefficients(&derivatives[..=order]);
            let (found, expected) = (series(&formula, &position)[order] * share, exact.derivative(order));
            assert!((found - expected).abs() < 1e-11 * expected.abs().max(1.0), "{order}: {found} and {expected}");
        }
    }
}
