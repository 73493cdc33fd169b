//! Eigenvalues of small motions, by symmetric problems where they are symmetric.

use super::LinearError;
use crate::spectral;
use nalgebra::{Cholesky, Complex, DMatrix};

/// λ of K x = λ B x, ascending, both symmetric and B definite.
pub(crate) fn squares(stiffness: DMatrix<f64>, inertia: DMatrix<f64>) -> Option<Vec<f64>> {
    if inertia.is_empty() {
        return Some(Vec::new());
    }
    let l = Cholesky::new(inertia)?.l();
    let mut values: Vec<f64> = spectral::symmetric(whitened(&l, stiffness)?)?.eigenvalues.iter().copied().collect();
    values.sort_by(f64::total_cmp);
    Some(values)
}

/// L⁻¹ K L⁻ᵀ
pub(super) fn whitened(l: &DMatrix<f64>, stiffness: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let half = l.solve_lower_triangular(&stiffness)?;
    let whole = l.solve_lower_triangular(&half.transpose())?;
    Some((&whole + whole.transpose()) * 0.5)
}

/// −s² of (B s² + G s + K) x = 0 with G skew, ascending: the squares of frequencies; of an s that is not imaginary the real part.
pub(super) fn gyroscopic(stiffness: DMatrix<f64>, turning: &DMatrix<f64>, inertia: DMatrix<f64>) -> Option<Vec<f64>> {
    if turning.is_empty() || turning.amax() <= 1e-13 * (stiffness.amax() * inertia.amax()).sqrt() {
        return squares(stiffness, inertia);
    }
    let roots = quadratic(&inertia, turning, &stiffness).ok()?;
    let mut values: Vec<f64> = roots.iter().map(|s| -(s * s).re).collect();
    values.sort_by(f64::total_cmp);
    // Each comes twice, of s and of −s.
    Some(values.chunks(2).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64).collect())
}

/// s of (B s² + D s + K) x = 0, sorted by size.
pub(super) fn quadratic(
    inertia: &DMatrix<f64>,
    damping: &DMatrix<f64>,
    stiffness: &DMatrix<f64>,
) -> Result<Vec<Complex<f64>>, LinearError> {
    let size = inertia.nrows();
    let lu = inertia.clone().lu();
    let solve = |right: &DMatrix<f64>| lu.solve(right).ok_or(LinearError::NoConvergence);
    let spring = solve(stiffness)?;
    let mut roots: Vec<Complex<f64>> = if damping.iter().all(|&x| x == 0.0) {
        let symmetric = (stiffness - stiffness.transpose()).amax() <= 1e-12 * stiffness.amax()
            && (inertia - inertia.transpose()).amax() <= 1e-12 * inertia.amax();
        let found: Vec<Complex<f64>> = match squares(stiffness.clone(), inertia.clone()).filter(|_| symmetric) {
            Some(values) => values.into_iter().map(|x| Complex::new(-x, 0.0)).collect(),
            None => eigenvalues(-spring)?,
        };
        found.into_iter().flat_map(|square| [square.sqrt(), -square.sqrt()]).collect()
    } else {
        eigenvalues(companion(&spring, &solve(damping)?, size))?
    };
    if roots.iter().any(|s| !s.re.is_finite() || !s.im.is_finite()) {
        return Err(LinearError::NoConvergence);
    }
    roots.sort_by(|a, b| a.norm().total_cmp(&b.norm()).then(a.im.total_cmp(&b.im)).then(a.re.total_cmp(&b.re)));
    Ok(roots)
}

/// [0, 1; −B⁻¹K, −B⁻¹D]
pub(super) fn companion(spring: &DMatrix<f64>, damper: &DMatrix<f64>, size: usize) -> DMatrix<f64> {
    DMatrix::from_fn(2 * size, 2 * size, |i, j| match (i < size, j < size) {
        (true, _) => f64::from(u8::from(j == i + size)),
        (false, true) => -spring[(i - size, j)],
        (false, false) => -damper[(i - size, j - size)],
    })
}

/// The eigenvalues of any matrix.
pub(crate) fn eigenvalues(matrix: DMatrix<f64>) -> Result<Vec<Complex<f64>>, LinearError> {
    if matrix.is_empty() {
        return Ok(Vec::new());
    }
    spectral::general(matrix).ok_or(LinearError::NoConvergence)
}
