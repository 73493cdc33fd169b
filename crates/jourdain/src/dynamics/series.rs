//! Power series in time of any length: what is done with them where the order is chosen at run time.

use jourdain_symbolic::Scalar;

/// The coefficients of a series with these derivatives, and the factorial that the last of them is divided by.
pub(super) fn coefficients<S: Scalar>(derivatives: &[S]) -> (Vec<S>, f64) {
    let constant = <S::Constant as Scalar>::from_f64;
    let (mut c, mut share) = (Vec::with_capacity(derivatives.len()), 1.0);
    for (k, &derivative) in derivatives.iter().enumerate() {
        share *= k.max(1) as f64;
        c.push(if k < 2 { derivative } else { derivative.scale(constant(1.0) / constant(share)) });
    }
    (c, share)
}

/// Coefficient k of the product of two power series.
pub(super) fn product<S: Scalar>(a: &[S], b: &[S], k: usize) -> S {
    (0..=k).fold(S::zero(), |sum, j| a[j].mul_add(b[k - j], sum))
}

/// The power series of y = u^p from its first coefficient: k u₀ y_k = Σ_{j≥1} ((p + 1) j − k) u_j y_{k−j}.
pub(super) fn power<S: Scalar>(u: &[S], first: S, p: f64) -> Vec<S> {
    let constant = <S::Constant as Scalar>::from_f64;
    let mut y = vec![first];
    for k in 1..u.len() {
        // The sign outside, so that orders of a smooth sign keep the terms that they have always had.
        let term = |sum: S, j: usize| (u[j] * y[k - j]).scale_add(constant(k as f64 - (p + 1.0) * j as f64), sum);
        let sum = (1..=k).fold(S::zero(), term);
        y.push(-sum / u[0].scale(constant(k as f64)));
    }
    y
}

/// The series of a/b: y_k = (a_k − Σ_{j≥1} b_j y_{k−j})/b₀.
pub(super) fn quotient<S: Scalar>(a: &[S], b: &[S]) -> Vec<S> {
    let mut y: Vec<S> = Vec::with_capacity(a.len());
    for k in 0..a.len() {
        let rest = (1..=k).fold(a[k], |rest, j| rest - b[j] * y[k - j]);
        y.push(rest / b[0]);
    }
    y
}

/// The series of sin u and cos u: k s_k = Σ_{j≥1} j u_j c_{k−j}, k c_k = −Σ_{j≥1} j u_j s_{k−j}.
pub(super) fn sin_cos<S: Scalar>(u: &[S]) -> (Vec<S>, Vec<S>) {
    let constant = <S::Constant as Scalar>::from_f64;
    let (sine, cosine) = u[0].sin_cos();
    let (mut s, mut c) = (vec![sine], vec![cosine]);
    for k in 1..u.len() {
        let share = |j: usize| u[j].scale(constant(j as f64 / k as f64));
        let sine = (1..=k).fold(S::zero(), |sum, j| share(j).mul_add(c[k - j], sum));
        let cosine = (1..=k).fold(S::zero(), |sum, j| sum - share(j) * s[k - j]);
        s.push(sine);
        c.push(cosine);
    }
    (s, c)
}
