//! Jets against Taylor series known in closed form, and the laws of the ring, exactly on integers.

use jourdain_symbolic::{Dual, Jet, Lanes, Scalar};
use proptest::prelude::*;

const ORDER: usize = 9;

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (k, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f - e).abs() <= tolerance * (1.0 + e.abs()), "coefficient {k} is {f:e}, not {e:e}");
    }
}

fn factorial(k: usize) -> f64 {
    (2..=k).map(|i| i as f64).product()
}

#[test]
fn sine_of_t_has_the_alternating_odd_series() {
    let (s, c) = Jet::<f64, ORDER>::variable(0.0).sin_cos();
    let signs = [1.0, 1.0, -1.0, -1.0];
    let expected = |odd: usize| -> Vec<f64> {
        (0..ORDER).map(|k| if k % 2 == odd { signs[k % 4] / factorial(k) } else { 0.0 }).collect()
    };
    assert_close(&s.0, &expected(1), 1e-16);
    assert_close(&c.0, &expected(0), 1e-16);
}

#[test]
fn sine_squared_plus_cosine_squared_is_one_to_order_eight() {
    let angle = Jet::<f64, ORDER>::from_derivatives([0.7, -1.3, 2.0, 0.4, -5.0, 3.0, 11.0, -7.0, 20.0]);
    let (s, c) = angle.sin_cos();
    let mut one = [0.0; ORDER];
    one[0] = 1.0;
    assert_close(&(s * s + c * c).0, &one, 4e-15);
}

#[test]
fn square_root_of_one_plus_t_is_the_binomial_series() {
    let root = Jet::<f64, ORDER>::variable(1.0).sqrt();
    let mut expected = [1.0; ORDER];
    for k in 1..ORDER {
        expected[k] = expected[k - 1] * (1.5 - k as f64) / k as f64;
    }
    assert_close(&root.0, &expected, 1e-16);
}

#[test]
fn one_over_one_minus_t_is_the_geometric_series() {
    let t = Jet::<f64, ORDER>::variable(0.0);
    assert_eq!((Jet::one() / (Jet::one() - t)).0, [1.0; ORDER]);
}

#[test]
fn tangent_of_t_has_the_bernoulli_series() {
    let (s, c) = Jet::<f64, 8>::variable(0.0).sin_cos();
    let expected = [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0, 17.0 / 315.0];
    assert_close(&(s / c).0, &expected, 1e-16);
}

#[test]
fn derivatives_are_coefficients_times_factorials() {
    let derivatives = [2.0, -3.0, 4.0, 12.0, -48.0];
    let jet = Jet::<f64, 5>::from_derivatives(derivatives);
    assert_eq!(jet.0, [2.0, -3.0, 2.0, 2.0, -2.0]);
    assert_eq!(jet.derivatives(), derivatives);
    assert_eq!(jet.derivative(3), 12.0);
}

#[test]
fn time_derivative_shifts_the_derivatives_and_truncation_keeps_the_first() {
    let jet = Jet::<f64, 5>::from_derivatives([2.0, -3.0, 4.0, 12.0, -48.0]);
    assert_eq!(jet.time_derivative::<4>().derivatives(), [-3.0, 4.0, 12.0, -48.0]);
    assert_eq!(jet.time_derivative::<2>().derivatives(), [-3.0, 4.0]);
    let squares = (jet * jet).truncate::<3>();
    assert_eq!(squares, jet.truncate::<3>() * jet.truncate::<3>());
}

#[test]
fn a_jet_of_one_coefficient_is_the_number() {
    let (x, y) = (Jet([1.75]), Jet([0.3]));
    assert_eq!((x / y).0, [1.75 / 0.3]);
    assert_eq!(x.sqrt().0, [1.75_f64.sqrt()]);
    assert_eq!(x.sin_cos(), (Jet([1.75_f64.sin()]), Jet([1.75_f64.cos()])));
    assert_eq!(Jet::<f64, 1>::variable(2.0), Jet::fixed(2.0));
}

#[test]
fn constants_have_no_derivative() {
    assert_eq!(Jet::<f64, 3>::constant(2.5).0, [2.5, 0.0, 0.0]);
    assert_eq!(Dual::<f64>::constant(2.5), Dual::new(2.5, 0.0));
    assert_eq!(Jet::<Lanes<2>, 2>::constant(2.5).0, [Lanes([2.5; 2]), Lanes([0.0; 2])]);
    assert_eq!(Dual::<Jet<f64, 2>>::one() + Scalar::zero(), Dual::fixed(Jet([1.0, 0.0])));
}

#[test]
fn second_derivative_of_a_nested_dual_needs_both_seeds() {
    let x = Dual::new(Dual::variable(2.0), Dual::fixed(1.0));
    assert_eq!((x * x * x).derivative.derivative, 12.0);
}

#[test]
fn lanes_fill_whole_registers() {
    assert_eq!(align_of::<Lanes<4>>(), 32);
    assert_eq!(size_of::<Lanes<4>>(), 32);
    assert_eq!(size_of::<Jet<Lanes<4>, 3>>(), 96);
}

/// Small integers: every sum and product of a few of them is exact, so the laws hold to the last bit.
fn integers<const N: usize>() -> impl Strategy<Value = [f64; N]> {
    proptest::collection::vec(-50_i32..=50, N).prop_map(|v| core::array::from_fn(|i| f64::from(v[i])))
}

fn ring_laws<S: Scalar + PartialEq>(a: S, b: S, c: S, factor: f64) -> Result<(), TestCaseError>
where
    S::Constant: From<f64>,
{
    let constant = S::Constant::from(factor);
    prop_assert_eq!(a + b, b + a);
    prop_assert_eq!((a + b) + c, a + (b + c));
    prop_assert_eq!(a * b, b * a);
    prop_assert_eq!((a * b) * c, a * (b * c));
    prop_assert_eq!(a * (b + c), a * b + a * c);
    prop_assert_eq!(a + S::zero(), a);
    prop_assert_eq!(a * S::one(), a);
    prop_assert_eq!((a - b) + b, a);
    prop_assert_eq!(a + (-b), a - b);
    prop_assert_eq!(a.mul_add(b, c), a * b + c);
    prop_assert_eq!(a.scale(constant), a * S::from_f64(factor));
    prop_assert_eq!(S::constant(constant), S::from_f64(factor));
    prop_assert_eq!(a.scale_add(constant, b), a.scale(constant) + b);
    let (mut sum, mut difference) = (a, a);
    sum += b;
    difference -= b;
    prop_assert_eq!((sum, difference), (a + b, a - b));
    Ok(())
}

proptest! {
    #[test]
    fn jets_form_a_ring(a in integers::<5>(), b in integers::<5>(), c in integers::<5>(), f in -9_i32..=9) {
        ring_laws(Jet(a), Jet(b), Jet(c), f.into())?;
    }

    #[test]
    fn duals_form_a_ring(a in integers::<2>(), b in integers::<2>(), c in integers::<2>(), f in -9_i32..=9) {
        let dual = |x: [f64; 2]| Dual::new(x[0], x[1]);
        ring_laws(dual(a), dual(b), dual(c), f.into())?;
    }

    #[test]
    fn lanes_form_a_ring(a in integers::<4>(), b in integers::<4>(), c in integers::<4>(), f in -9_i32..=9) {
        ring_laws(Lanes(a), Lanes(b), Lanes(c), f.into())?;
    }

    #[test]
    fn jets_of_duals_of_lanes_form_a_ring(a in integers::<12>(), b in integers::<12>(), c in integers::<12>(), f in -9_i32..=9) {
        let nest = |x: [f64; 12]| Jet::<_, 3>(core::array::from_fn(|k| {
            Dual::new(Lanes([x[4 * k], x[4 * k + 1]]), Lanes([x[4 * k + 2], x[4 * k + 3]]))
        }));
        ring_laws(nest(a), nest(b), nest(c), f.into())?;
    }

    #[test]
    fn division_undoes_multiplication(a in integers::<5>(), b in integers::<5>(), shift in 60_i32..=90) {
        // A divisor that dominates its derivatives, so that the series of the inverse does not grow.
        let divisor = Jet(b).scale(0.1) + Jet::from_f64(shift.into());
        let back = Jet(a) * divisor / divisor;
        assert_close(&back.0, &a, 1e-13);
    }

    #[test]
    fn square_of_the_square_root_is_the_radicand(a in integers::<5>(), shift in 60_i32..=90) {
        let radicand = Jet(a) + Jet::from_f64(shift.into());
        let root = radicand.sqrt();
        assert_close(&(root * root).0, &radicand.0, 1e-13);
    }
}
