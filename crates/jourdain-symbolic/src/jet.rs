//! Truncated Taylor series in time: all time derivatives of a formula in one run.
//!
//! A [`Jet`] holds x(t) = Σ x_k tᵏ + O(tᴷ), coefficient k being the k-th time derivative divided by k!. Sums are taken
//! coefficient by coefficient, products are Cauchy products, and division, square root, sine and cosine follow from the
//! differential equation each of them satisfies (Griewank and Walther, *Evaluating Derivatives*, 2nd ed., tables 13.1
//! and 13.2).
//!
//! Trap: coefficients are not derivatives. Enter by [`Jet::from_derivatives`] and leave by [`Jet::derivatives`].

use core::array::from_fn;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use crate::Scalar;

/// A truncated Taylor series in time with `K` coefficients over any scalar: value, rate, half the acceleration, …
///
/// ```
/// use jourdain_symbolic::{Jet, Scalar};
///
/// // An angle with its velocity and acceleration.
/// let angle = Jet::from_derivatives([0.3, 2.0, -1.0]);
/// let height = angle.sin_cos().0;
/// let (s, c) = 0.3_f64.sin_cos();
/// assert_eq!(height.derivative(0), s);
/// assert_eq!(height.derivative(1), c * 2.0);
/// assert!((height.derivative(2) - (c * -1.0 - s * 4.0)).abs() < 1e-15);
/// ```
///
/// `K` is at least one; a jet without coefficients does not compile where one is made or used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<S: Scalar, const K: usize>(
    /// The Taylor coefficients, constant term first.
    pub [S; K],
);

impl<S: Scalar, const K: usize> Jet<S, K> {
    /// The series that keeps `value` for all time.
    #[inline]
    #[must_use]
    pub fn fixed(value: S) -> Self {
        const { assert!(K >= 1, "a jet has at least one coefficient") };
        Jet(from_fn(|k| if k == 0 { value } else { S::zero() }))
    }

    /// The series value + t.
    #[inline]
    #[must_use]
    pub fn variable(value: S) -> Self {
        const { assert!(K >= 1, "a jet has at least one coefficient") };
        Jet(from_fn(|k| match k {
            0 => value,
            1 => S::one(),
            _ => S::zero(),
        }))
    }

    /// The series with these derivatives: value, first time derivative, second, …
    #[inline]
    #[must_use]
    pub fn from_derivatives(derivatives: [S; K]) -> Self {
        Jet(from_fn(|k| if k < 2 { derivatives[k] } else { derivatives[k].scale(reciprocal::<S>(factorial(k))) }))
    }

    /// The time derivative of order `order`, which is the value for order 0.
    ///
    /// # Panics
    /// If `order` is not below `K`: the series does not know it.
    #[inline]
    #[must_use]
    pub fn derivative(&self, order: usize) -> S {
        let coefficient = self.0[order];
        if order < 2 { coefficient } else { coefficient.scale(S::Constant::from_f64(factorial(order))) }
    }

    /// Value, first time derivative, second, …
    #[inline]
    #[must_use]
    pub fn derivatives(&self) -> [S; K] {
        from_fn(|k| self.derivative(k))
    }

    /// The series of the time derivative. One order is lost, so `M` is below `K`.
    #[inline]
    #[must_use]
    pub fn time_derivative<const M: usize>(&self) -> Jet<S, M> {
        const { assert!(M < K, "a time derivative has fewer coefficients than its series") };
        Jet(from_fn(|k| if k == 0 { self.0[1] } else { self.0[k + 1].scale(S::Constant::from_f64((k + 1) as f64)) }))
    }

    /// The first `M` coefficients. Whatever is computed from here on costs only what these need.
    #[inline]
    #[must_use]
    pub fn truncate<const M: usize>(&self) -> Jet<S, M> {
        const { assert!(M <= K, "truncation cannot add coefficients") };
        Jet(from_fn(|k| self.0[k]))
    }
}

/// k!, exact up to k = 22.
#[inline(always)]
fn factorial(k: usize) -> f64 {
    let mut product = 1.0;
    for i in 2..=k {
        product *= i as f64;
    }
    product
}

/// 1/n as a constant of the model, by its own division: an exact field keeps it exact.
#[inline(always)]
fn reciprocal<S: Scalar>(n: f64) -> S::Constant {
    S::Constant::one() / S::Constant::from_f64(n)
}

impl<S: Scalar, const K: usize> Scalar for Jet<S, K> {
    type Constant = S::Constant;

    #[inline]
    fn from_f64(value: f64) -> Self {
        Self::fixed(S::from_f64(value))
    }

    #[inline]
    fn constant(value: S::Constant) -> Self {
        Self::fixed(S::constant(value))
    }

    #[inline]
    fn scale(self, factor: S::Constant) -> Self {
        Jet(from_fn(|k| self.0[k].scale(factor)))
    }

    #[inline]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        let mut sum = addend.0;
        for k in 0..K {
            for i in 0..=k {
                sum[k] = self.0[i].mul_add(factor.0[k - i], sum[k]);
            }
        }
        Jet(sum)
    }

    #[inline]
    fn scale_add(self, factor: S::Constant, addend: Self) -> Self {
        Jet(from_fn(|k| self.0[k].scale_add(factor, addend.0[k])))
    }

    /// From ṡ = ẋ c and ċ = −ẋ s: k s_k = Σ i x_i c_{k−i} and k c_k = −Σ i x_i s_{k−i}, i = 1 … k.
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        const { assert!(K >= 1, "a jet has at least one coefficient") };
        let x = self.0;
        let (s_0, c_0) = x[0].sin_cos();
        let (mut s, mut c) = ([s_0; K], [c_0; K]);
        let i_x: [S; K] = from_fn(|i| if i < 2 { x[i] } else { x[i].scale(S::Constant::from_f64(i as f64)) });
        for k in 1..K {
            let mut k_s = i_x[1] * c[k - 1];
            let mut k_c = i_x[1] * s[k - 1];
            for i in 2..=k {
                k_s = i_x[i].mul_add(c[k - i], k_s);
                k_c = i_x[i].mul_add(s[k - i], k_c);
            }
            if k == 1 {
                (s[1], c[1]) = (k_s, -k_c);
            } else {
                let share = reciprocal::<S>(k as f64);
                (s[k], c[k]) = (k_s.scale(share), k_c.scale(-share));
            }
        }
        (Jet(s), Jet(c))
    }

    /// From s² = x: 2 s_0 s_k = x_k − Σ s_i s_{k−i}, i = 1 … k − 1; equal products are taken once.
    ///
    /// The square root has no derivative where the value is zero: the higher coefficients are then not finite.
    #[inline]
    fn sqrt(self) -> Self {
        const { assert!(K >= 1, "a jet has at least one coefficient") };
        let x = self.0;
        let s_0 = x[0].sqrt();
        let mut s = [s_0; K];
        if K > 1 {
            let half_inverse = S::from_f64(0.5) / s_0;
            for k in 1..K {
                let mut rest = x[k];
                if k > 2 {
                    let mut pairs = s[1] * s[k - 1];
                    for i in 2..k.div_ceil(2) {
                        pairs = s[i].mul_add(s[k - i], pairs);
                    }
                    rest = pairs.scale_add(S::Constant::from_f64(-2.0), rest);
                }
                if k % 2 == 0 {
                    let middle = s[k / 2];
                    rest = (-middle).mul_add(middle, rest);
                }
                s[k] = rest * half_inverse;
            }
        }
        Jet(s)
    }
}

impl<S: Scalar, const K: usize> Add for Jet<S, K> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Jet(from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl<S: Scalar, const K: usize> Sub for Jet<S, K> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Jet(from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl<S: Scalar, const K: usize> Neg for Jet<S, K> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Jet(from_fn(|k| -self.0[k]))
    }
}

impl<S: Scalar, const K: usize> Mul for Jet<S, K> {
    type Output = Self;

    /// The Cauchy product: Σ x_i y_{k−i}.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Jet(from_fn(|k| {
            let mut sum = self.0[0] * other.0[k];
            for i in 1..=k {
                sum = self.0[i].mul_add(other.0[k - i], sum);
            }
            sum
        }))
    }
}

impl<S: Scalar, const K: usize> Div for Jet<S, K> {
    type Output = Self;

    /// From q y = x: y_0 q_k = x_k − Σ q_i y_{k−i}, i = 0 … k − 1.
    ///
    /// The value is divided, the rest multiplied by the inverse of `other`'s value: two independent divisions whatever
    /// the order, and a value equal to the last bit to that of the inner scalar.
    #[inline]
    fn div(self, other: Self) -> Self {
        const { assert!(K >= 1, "a jet has at least one coefficient") };
        let (x, y) = (self.0, other.0);
        let mut q = [x[0] / y[0]; K];
        if K > 1 {
            let inverse = S::one() / y[0];
            let minus_y: [S; K] = from_fn(|k| -y[k]);
            for k in 1..K {
                let mut rest = x[k];
                for i in 0..k {
                    rest = q[i].mul_add(minus_y[k - i], rest);
                }
                q[k] = rest * inverse;
            }
        }
        Jet(q)
    }
}

impl<S: Scalar, const K: usize> AddAssign for Jet<S, K> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Scalar, const K: usize> SubAssign for Jet<S, K> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
