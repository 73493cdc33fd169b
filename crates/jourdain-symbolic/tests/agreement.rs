//! Random expressions: every scalar against the others, and against the dual numbers of `num-dual`.

use core::array::from_fn;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use jourdain_symbolic::{Dual, Jet, Lanes, Scalar};
use num_dual::DualNum;
use proptest::prelude::*;

/// An expression over three variables in all operations of a scalar.
///
/// Sums and products are halved and denominators and radicands kept away from zero, so that values stay of order one
/// and a disagreement is an error and not a bad condition.
#[derive(Clone, Debug)]
enum Tree {
    Variable(usize),
    Number(f64),
    Neg(Box<Tree>),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Mul(Box<Tree>, Box<Tree>),
    Div(Box<Tree>, Box<Tree>),
    MulAdd(Box<Tree>, Box<Tree>, Box<Tree>),
    Scale(Box<Tree>, f64),
    ScaleAdd(Box<Tree>, f64, Box<Tree>),
    Sqrt(Box<Tree>),
    Sin(Box<Tree>),
    Cos(Box<Tree>),
}

impl Tree {
    fn eval<S: Scalar<Constant = f64>>(&self, x: &[S; 3]) -> S {
        match self {
            Tree::Variable(i) => x[*i],
            Tree::Number(value) => S::from_f64(*value),
            Tree::Neg(a) => -a.eval(x),
            Tree::Add(a, b) => {
                let mut sum = a.eval(x);
                sum += b.eval(x);
                sum.scale(0.5)
            }
            Tree::Sub(a, b) => {
                let mut difference = a.eval(x);
                difference -= b.eval(x);
                difference.scale(0.5)
            }
            Tree::Mul(a, b) => (a.eval(x) * b.eval(x)).scale(0.5),
            Tree::Div(a, b) => {
                let b = b.eval(x);
                a.eval(x) / b.mul_add(b, S::from_f64(1.5))
            }
            Tree::MulAdd(a, b, c) => a.eval(x).mul_add(b.eval(x), c.eval(x)).scale(0.25),
            Tree::Scale(a, factor) => a.eval(x).scale(*factor),
            Tree::ScaleAdd(a, factor, b) => a.eval(x).scale_add(*factor, b.eval(x)).scale(0.5),
            Tree::Sqrt(a) => {
                let a = a.eval(x);
                (a * a + S::one()).sqrt()
            }
            Tree::Sin(a) => a.eval(x).sin_cos().0,
            Tree::Cos(a) => a.eval(x).sin_cos().1,
        }
    }
}

fn trees(with_angles: bool) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![3 => (0..3_usize).prop_map(Tree::Variable), 1 => (-2.0..2.0).prop_map(Tree::Number)];
    leaf.prop_recursive(5, 40, 3, move |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let ring = prop_oneof![
            one().prop_map(Tree::Neg),
            (one(), one()).prop_map(|(a, b)| Tree::Add(a, b)),
            (one(), one()).prop_map(|(a, b)| Tree::Sub(a, b)),
            (one(), one()).prop_map(|(a, b)| Tree::Mul(a, b)),
            (one(), one()).prop_map(|(a, b)| Tree::Div(a, b)),
            (one(), one(), one()).prop_map(|(a, b, c)| Tree::MulAdd(a, b, c)),
            (one(), -1.0..1.0).prop_map(|(a, f)| Tree::Scale(a, f)),
            (one(), -1.0..1.0, one()).prop_map(|(a, f, b)| Tree::ScaleAdd(a, f, b)),
            one().prop_map(Tree::Sqrt),
        ];
        let angles = prop_oneof![one().prop_map(Tree::Sin), one().prop_map(Tree::Cos)];
        prop_oneof![4 => ring, u32::from(with_angles) => angles]
    })
}

/// Derivatives 0 … 3 of the three variables.
fn states() -> impl Strategy<Value = [[f64; 4]; 3]> {
    proptest::array::uniform3(proptest::array::uniform4(-2.0..2.0))
}

/// A number of `num-dual` as a scalar.
#[derive(Clone, Copy, Debug)]
struct Oracle<D>(D);

macro_rules! forward {
    ($($trait:ident $method:ident),*) => {$(
        impl<D: DualNum<Primitive = f64> + Copy> $trait for Oracle<D> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Oracle($trait::$method(self.0, other.0))
            }
        }
    )*};
}
forward!(Add add, Sub sub, Mul mul, Div div);

impl<D: DualNum<Primitive = f64> + Copy> Neg for Oracle<D> {
    type Output = Self;
    fn neg(self) -> Self {
        Oracle(-self.0)
    }
}

impl<D: DualNum<Primitive = f64> + Copy> AddAssign for Oracle<D> {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl<D: DualNum<Primitive = f64> + Copy> SubAssign for Oracle<D> {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl<D: DualNum<Primitive = f64> + Copy> Scalar for Oracle<D> {
    type Constant = f64;

    fn from_f64(value: f64) -> Self {
        Oracle(D::from(value))
    }

    fn constant(value: f64) -> Self {
        Oracle(D::from(value))
    }

    fn scale(self, factor: f64) -> Self {
        Oracle(self.0 * factor)
    }

    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Oracle(self.0 * factor.0 + addend.0)
    }

    fn scale_add(self, factor: f64, addend: Self) -> Self {
        Oracle(self.0 * factor + addend.0)
    }

    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.0.sin_cos();
        (Oracle(s), Oracle(c))
    }

    fn sqrt(self) -> Self {
        Oracle(self.0.sqrt())
    }
}

/// Equality relative to the largest of the expected numbers.
fn close(found: &[f64], expected: &[f64]) -> Result<(), TestCaseError> {
    let size = expected.iter().fold(1.0_f64, |size, e| size.max(e.abs()));
    for (f, e) in found.iter().zip(expected) {
        prop_assert!((f - e).abs() <= 1e-13 * size, "{:?} is not {:?}", found, expected);
    }
    Ok(())
}

fn jets(state: &[[f64; 4]; 3]) -> [Jet<f64, 4>; 3] {
    state.map(Jet::from_derivatives)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn jet_derivatives_are_those_of_third_order_duals(tree in trees(true), state in states()) {
        let oracle = tree.eval(&state.map(|d| Oracle(num_dual::Dual3_64::new(d[0], d[1], d[2], d[3])))).0;
        let jet = tree.eval(&jets(&state));
        close(&jet.derivatives(), &[oracle.re, oracle.v1, oracle.v2, oracle.v3])?;
    }

    #[test]
    fn dual_derivative_is_that_of_num_dual(tree in trees(true), state in states()) {
        let oracle = tree.eval(&state.map(|d| Oracle(num_dual::Dual64::new(d[0], d[1])))).0;
        let dual = tree.eval(&state.map(|d| Dual::new(d[0], d[1])));
        close(&[dual.value, dual.derivative], &[oracle.re, oracle.eps])?;
    }

    #[test]
    fn jet_derivatives_are_those_of_duals_nested_three_deep(tree in trees(true), state in states()) {
        let seed = |v| Dual::variable(Dual::variable(Dual::variable(v)));
        let t: Dual<Dual<Dual<f64>>> = seed(0.0);
        let x = state.map(|d| {
            let cubic = t.scale_add(d[3] / 6.0, Scalar::from_f64(d[2] / 2.0));
            cubic.mul_add(t, Scalar::from_f64(d[1])).mul_add(t, Scalar::from_f64(d[0]))
        });
        let y = tree.eval(&x);
        let nested = [
            y.value.value.value,
            y.derivative.value.value,
            y.derivative.derivative.value,
            y.derivative.derivative.derivative,
        ];
        close(&tree.eval(&jets(&state)).derivatives(), &nested)?;
    }

    #[test]
    fn value_of_a_jet_and_of_a_dual_is_that_of_the_number_to_the_last_bit(tree in trees(true), state in states()) {
        let number = tree.eval(&state.map(|d| d[0]));
        prop_assert_eq!(tree.eval(&jets(&state)).0[0], number);
        prop_assert_eq!(tree.eval(&state.map(|d| Dual::new(d[0], d[1]))).value, number);
    }

    #[test]
    fn truncation_commutes_with_every_operation(tree in trees(true), state in states()) {
        let short = tree.eval(&jets(&state).map(|x| x.truncate::<2>()));
        prop_assert_eq!(tree.eval(&jets(&state)).truncate::<2>(), short);
    }

    #[test]
    fn jet_of_duals_and_dual_of_jets_agree(tree in trees(true), state in states(), direction in states()) {
        let x = jets(&state);
        let dx = jets(&direction);
        let outer = tree.eval(&from_fn(|i| Dual::new(x[i], dx[i])));
        let inner = tree.eval(&from_fn(|i| Jet::<_, 4>(from_fn(|k| Dual::new(x[i].0[k], dx[i].0[k])))));
        close(&inner.0.map(|d| d.value), &outer.value.0)?;
        close(&inner.0.map(|d| d.derivative), &outer.derivative.0)?;
        prop_assert_eq!(outer.value, tree.eval(&x));
    }

    #[test]
    fn derivative_of_a_dual_of_jets_is_the_difference_quotient(tree in trees(true), state in states(), direction in states()) {
        let (x, dx) = (jets(&state), jets(&direction));
        let exact = tree.eval(&from_fn(|i| Dual::new(x[i], dx[i]))).derivative;
        // Fourth order central difference: the error is h⁴ with the fifth derivative, and rounding over h.
        let step = 1e-3;
        let at = |h: f64| tree.eval::<Jet<f64, 4>>(&from_fn(|i| dx[i].scale_add(h, x[i])));
        let difference = (at(step) - at(-step)).scale(8.0) - (at(2.0 * step) - at(-2.0 * step));
        let quotient = difference.scale(1.0 / (12.0 * step));
        let size = exact.0.iter().fold(1.0_f64, |size, e| size.max(e.abs()));
        for (q, e) in quotient.0.iter().zip(exact.0) {
            prop_assert!((q - e).abs() <= 1e-4 * size, "{:?} is not {:?}", quotient, exact);
        }
    }

    #[test]
    fn lanes_without_angles_are_the_numbers_to_the_last_bit(
        tree in trees(false),
        states in proptest::array::uniform4(states()),
    ) {
        let lanes = tree.eval::<Lanes<4>>(&from_fn(|i| Lanes(from_fn(|l| states[l][i][0]))));
        let jets_of_lanes = tree.eval::<Jet<Lanes<4>, 4>>(
            &from_fn(|i| Jet::from_derivatives(from_fn(|k| Lanes(from_fn(|l| states[l][i][k])))))
        );
        for l in 0..4 {
            prop_assert_eq!(lanes.0[l], tree.eval(&states[l].map(|d| d[0])));
            prop_assert_eq!(jets_of_lanes.0.map(|c| c.0[l]), tree.eval(&jets(&states[l])).0);
        }
    }

    #[test]
    fn lanes_and_jets_of_lanes_are_the_numbers_lane_by_lane(
        tree in trees(true),
        states in proptest::array::uniform3(states()),
    ) {
        let lanes = tree.eval::<Lanes<3>>(&from_fn(|i| Lanes(from_fn(|l| states[l][i][0]))));
        let jets_of_lanes = tree.eval::<Jet<Lanes<3>, 4>>(
            &from_fn(|i| Jet::from_derivatives(from_fn(|k| Lanes(from_fn(|l| states[l][i][k])))))
        );
        for l in 0..3 {
            let expected = tree.eval(&jets(&states[l]));
            close(&[lanes.0[l]], &expected.0[..1])?;
            close(&jets_of_lanes.0.map(|c| c.0[l]), &expected.0)?;
        }
    }
}
