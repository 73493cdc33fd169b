//! Powell's hybrid method for F(x) = 0: Newton's direction and steepest descent within a trust region, the Jacobian by
//! differences once and by Broyden's updates after, as in MINPACK's `hybrd`, which Chang used.

/// What came of it.
pub(super) struct Outcome {
    /// Evaluations of F, those for differences included.
    pub evaluations: usize,
    /// The trust region has shrunk to the tolerance around a zero.
    pub converged: bool,
}

/// Moves `x` to a zero of `f`; `f` returns false where F is not defined.
pub(super) fn solve(
    x: &mut [f64],
    tolerance: f64,
    most: usize,
    mut f: impl FnMut(&[f64], &mut [f64]) -> bool,
) -> Outcome {
    let n = x.len();
    let mut outcome = Outcome { evaluations: 1, converged: false };
    let mut value = vec![0.0; n];
    if !f(x, &mut value) {
        return outcome;
    }
    let mut radius = 100.0 * norm(x).max(1e-2);
    let (mut trial, mut trial_value) = (vec![0.0; n], vec![0.0; n]);
    let mut fresh = true;
    let mut b = vec![0.0; n * n];
    let (mut failures, mut successes) = (0, 0);
    differences(x, &value, &mut b, &mut f, &mut outcome.evaluations);
    while outcome.evaluations < most {
        let size = norm(&value);
        if size == 0.0 {
            outcome.converged = true;
            return outcome;
        }
        let Some(step) = dogleg(&b, &value, radius) else {
            if fresh {
                return outcome;
            }
            differences(x, &value, &mut b, &mut f, &mut outcome.evaluations);
            fresh = true;
            continue;
        };
        let length = norm(&step);
        (0..n).for_each(|i| trial[i] = x[i] + step[i]);
        let defined = f(&trial, &mut trial_value);
        outcome.evaluations += 1;
        let found = if defined { norm(&trial_value) } else { f64::INFINITY };
        let image: Vec<f64> = (0..n).map(|i| value[i] + (0..n).map(|j| b[i * n + j] * step[j]).sum::<f64>()).collect();
        let predicted = 1.0 - (norm(&image) / size).powi(2);
        let actual = if found < size { 1.0 - (found / size).powi(2) } else { -1.0 };
        let ratio = if predicted > 0.0 { actual / predicted } else { 0.0 };
        if ratio < 0.1 {
            successes = 0;
            failures += 1;
            radius = 0.5 * radius.min(length);
        } else {
            failures = 0;
            successes += 1;
            if ratio >= 0.5 || successes > 1 {
                radius = radius.max(2.0 * length);
            }
            if (ratio - 1.0).abs() <= 0.1 {
                radius = 2.0 * length;
            }
        }
        if defined {
            // Broyden: the smallest change of B that explains the step.
            let square = length * length;
            for i in 0..n {
                let miss = (trial_value[i] - image[i]) / square;
                (0..n).for_each(|j| b[i * n + j] += miss * step[j]);
            }
            fresh = false;
        }
        if ratio >= 1e-4 {
            x.copy_from_slice(&trial);
            value.copy_from_slice(&trial_value);
        }
        if radius <= tolerance * norm(x) || norm(&value) == 0.0 || length <= tolerance * norm(x) {
            outcome.converged = true;
            return outcome;
        }
        if failures == 2 {
            differences(x, &value, &mut b, &mut f, &mut outcome.evaluations);
            (fresh, failures) = (true, 0);
        }
    }
    outcome
}

fn differences(
    x: &[f64],
    value: &[f64],
    b: &mut [f64],
    f: &mut impl FnMut(&[f64], &mut [f64]) -> bool,
    evaluations: &mut usize,
) {
    let n = x.len();
    let (mut moved, mut image) = (x.to_vec(), vec![0.0; n]);
    for j in 0..n {
        let h = f64::EPSILON.sqrt() * if x[j] == 0.0 { 1.0 } else { x[j].abs() };
        moved[j] = x[j] + h;
        if f(&moved, &mut image) {
            (0..n).for_each(|i| b[i * n + j] = (image[i] - value[i]) / h);
        }
        moved[j] = x[j];
        *evaluations += 1;
    }
}

/// The step of the linear model within the radius: Newton's, or bent towards steepest descent.
fn dogleg(b: &[f64], value: &[f64], radius: f64) -> Option<Vec<f64>> {
    let n = value.len();
    let right: Vec<f64> = value.iter().map(|x| -x).collect();
    let newton = solve_dense(b, &right);
    if let Some(step) = &newton
        && norm(step) <= radius
    {
        return newton;
    }
    let gradient: Vec<f64> = (0..n).map(|j| (0..n).map(|i| b[i * n + j] * right[i]).sum()).collect();
    let image: Vec<f64> = (0..n).map(|i| (0..n).map(|j| b[i * n + j] * gradient[j]).sum()).collect();
    let (g, bg) = (norm(&gradient), norm(&image));
    if !(g > 0.0 && bg > 0.0) {
        return None;
    }
    let cauchy: Vec<f64> = gradient.iter().map(|x| x * (g / bg).powi(2)).collect();
    let length = norm(&cauchy);
    if length >= radius {
        return Some(gradient.iter().map(|x| x * radius / g).collect());
    }
    let Some(newton) = newton else { return Some(cauchy) };
    let way: Vec<f64> = newton.iter().zip(&cauchy).map(|(a, b)| a - b).collect();
    let (a, c) = (norm(&way).powi(2), radius * radius - length * length);
    let half: f64 = way.iter().zip(&cauchy).map(|(a, b)| a * b).sum();
    let share = c / (half + (half * half + a * c).sqrt());
    Some(cauchy.iter().zip(&way).map(|(x, y)| x + share * y).collect())
}

/// x of A x = b by elimination with partial pivoting; `None` if A is singular.
pub(super) fn solve_dense(a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    let (mut a, mut x) = (a.to_vec(), b.to_vec());
    let largest = a.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| if a[i * n + k].abs() > a[best * n + k].abs() { i } else { best });
        let size = a[pivot * n + k].abs();
        if size.is_nan() || size <= 1e-14 * largest {
            return None;
        }
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            x.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            if factor != 0.0 {
                (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
                x[i] -= factor * x[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k * n + j] * x[j]).sum();
        x[k] = (x[k] - sum) / a[k * n + k];
    }
    Some(x)
}

/// Euclidean length.
fn norm(x: &[f64]) -> f64 {
    super::linear::norm(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_zero_of_rosenbrocks_and_powells_functions() {
        let mut x = [-1.2, 1.0];
        let outcome = solve(&mut x, 1e-12, 500, |x, f| {
            (f[0], f[1]) = (10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]);
            true
        });
        assert!(outcome.converged && (x[0] - 1.0).abs() < 1e-10 && (x[1] - 1.0).abs() < 1e-10, "{x:?}");
        let mut x = [0.0, 1.0];
        solve(&mut x, 1e-12, 2000, |x, f| {
            (f[0], f[1]) = (1e4 * x[0] * x[1] - 1.0, (-x[0]).exp() + (-x[1]).exp() - 1.0001);
            true
        });
        assert!((x[1] - 9.106_146_739_866_7).abs() < 1e-6, "{x:?}");
    }
}
