//! Singular values and eigenvalues: the one place that iterates for them, on finite numbers and no longer than a bound.
//!
//! The trap: the iterations of `nalgebra` wait for convergence, which a single NaN or infinity puts off for ever, and an empty
//! matrix makes them panic. Here all of these are `None`, and so is a matrix that has not converged within [`STEPS`].

use crate::random::Random;
use nalgebra::allocator::Allocator;
use nalgebra::{
    Complex, DMatrix, DVector, DefaultAllocator, Dim, DimDiff, DimSub, Dyn, OMatrix, SVD, Schur, SymmetricEigen, U1,
};

/// Steps for each row: two or three are usual.
const STEPS: usize = 1000;

/// How often a matrix that does not converge is looked at in another way.
const MIRRORS: usize = 8;

/// Eigenvalues, in no order, and eigenvectors of a symmetric matrix, of which only the lower triangle is read.
pub(crate) fn symmetric<D>(matrix: OMatrix<f64, D, D>) -> Option<SymmetricEigen<f64, D>>
where
    D: Dim + DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let steps = steps(matrix.as_slice(), matrix.nrows())?;
    let found = SymmetricEigen::try_new(matrix, f64::EPSILON, steps)?;
    let is_finite = found.eigenvalues.iter().chain(found.eigenvectors.iter()).all(|x| x.is_finite());
    is_finite.then_some(found)
}

/// Singular values in falling order, with the vectors that are asked for: left, right.
pub(crate) fn singular(matrix: DMatrix<f64>, left: bool, right: bool) -> Option<SVD<f64, Dyn, Dyn>> {
    let steps = steps(matrix.as_slice(), matrix.nrows().min(matrix.ncols()))?;
    let found = SVD::try_new(matrix, left, right, 5.0 * f64::EPSILON, steps)?;
    let vectors = found.u.iter().chain(&found.v_t).flat_map(|vectors| vectors.iter());
    found.singular_values.iter().chain(vectors).all(|x| x.is_finite()).then_some(found)
}

/// The eigenvalues of any square matrix.
///
/// The trap: the iterations of `nalgebra` have no exceptional shifts and go round in circles on some matrices, those with poles of
/// several joints in one place among them. Seen in a mirror, such a matrix is another one.
pub(crate) fn general(matrix: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let steps = steps(matrix.as_slice(), matrix.nrows())?;
    let mut random = Random(1);
    let mut mirrors = (0..MIRRORS).map(|_| mirrored(&matrix, &mut random));
    let schur = Schur::try_new(matrix.clone(), f64::EPSILON, steps)
        .or_else(|| mirrors.find_map(|mirrored| Schur::try_new(mirrored, f64::EPSILON, steps)))?;
    let values = schur.complex_eigenvalues();
    values.iter().all(|x| x.re.is_finite() && x.im.is_finite()).then(|| values.iter().copied().collect())
}

/// The matrix seen in a mirror across a random plane, which has the same eigenvalues.
fn mirrored(matrix: &DMatrix<f64>, random: &mut Random) -> DMatrix<f64> {
    let normal = DVector::from_fn(matrix.nrows(), |_, _| random.signed()).normalize();
    let once = matrix - (matrix * &normal) * normal.transpose() * 2.0;
    let across = normal.transpose() * &once;
    once - normal * across * 2.0
}

/// How many steps a matrix may take; `None` if none would end.
fn steps(elements: &[f64], rows: usize) -> Option<usize> {
    (!elements.is_empty() && elements.iter().all(|x| x.is_finite())).then(|| STEPS.saturating_mul(rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix2, Matrix3};

    /// Each of these kept the iterations of before from ending, or made them panic.
    #[test]
    fn what_is_not_finite_or_empty_has_no_values() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for place in 0..9 {
                let mut matrix = DMatrix::identity(3, 3);
                matrix[place] = bad;
                assert!(symmetric(matrix.clone()).is_none(), "{bad} at {place}");
                assert!(singular(matrix.clone(), true, true).is_none(), "{bad} at {place}");
                assert!(general(matrix).is_none(), "{bad} at {place}");
            }
        }
        let empty = DMatrix::zeros(0, 0);
        assert!(symmetric(empty.clone()).is_none() && general(empty.clone()).is_none());
        assert!(singular(empty, false, false).is_none());
    }

    #[test]
    fn numbers_at_the_ends_of_the_range_give_finite_values_or_none() {
        let mut random = Random(5);
        for size in 1..7 {
            for scale in [f64::MAX, 1e300, 1e-300, f64::MIN_POSITIVE, 5e-324] {
                let any = DMatrix::from_fn(size, size, |_, _| scale * random.signed());
                let found = symmetric(any.clone());
                assert!(found.is_none_or(|it| it.eigenvalues.iter().all(|x| x.is_finite())), "{size}, {scale}");
                let found = singular(any.clone(), true, true);
                assert!(found.is_none_or(|it| it.singular_values.iter().all(|x| x.is_finite())), "{size}, {scale}");
                let found = general(any);
                assert!(found.is_none_or(|it| it.iter().all(|x| x.norm().is_finite())), "{size}, {scale}");
            }
        }
    }

    /// Turning numbers round in a circle has the roots of one as its eigenvalues, and shifts that do not move.
    #[test]
    fn matrices_that_iterations_go_round_on_have_their_values() {
        for size in 2..12 {
            let circle = DMatrix::from_fn(size, size, |i, j| f64::from(u8::from((i + 1) % size == j)));
            for (found, factor) in [(general(circle.clone()).unwrap(), 1.0), (general(circle * 1e5).unwrap(), 1e5)] {
                assert_eq!(found.len(), size);
                for k in 0..size {
                    let angle = std::f64::consts::TAU * k as f64 / size as f64;
                    let root = Complex::new(factor * angle.cos(), factor * angle.sin());
                    assert!(
                        found.iter().any(|value| (value - root).norm() < 1e-12 * factor),
                        "{size}: {root}, {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn mirrors_leave_eigenvalues_as_they_are() {
        let mut random = Random(3);
        let matrix = DMatrix::from_row_slice(3, 3, &[1.0, 7.0, -2.0, 0.0, 4.0, 5.0, 0.0, 0.0, 9.0]);
        for _ in 0..5 {
            let mut found: Vec<f64> = general(mirrored(&matrix, &mut random)).unwrap().iter().map(|x| x.re).collect();
            found.sort_by(f64::total_cmp);
            assert!(found.iter().zip([1.0, 4.0, 9.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        }
    }

    #[test]
    fn values_are_those_of_matrices_known_by_hand() {
        let moments = symmetric(Matrix3::new(2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 5.0)).unwrap().eigenvalues;
        assert!((moments.min() - 1.0).abs() < 1e-14 && (moments.max() - 5.0).abs() < 1e-14);
        let shear = DMatrix::from_row_slice(2, 2, &[3.0, 0.0, 4.0, 5.0]);
        let values = singular(shear, false, false).unwrap().singular_values;
        assert!((values[0] - 45.0_f64.sqrt()).abs() < 1e-13 && (values[1] - 5.0_f64.sqrt()).abs() < 1e-13);
        let turn = general(DMatrix::from_row_slice(2, 2, &[0.0, -1.0, 1.0, 0.0])).unwrap();
        assert!(turn.iter().all(|x| x.re.abs() < 1e-14 && (x.im.abs() - 1.0).abs() < 1e-14));
        assert!(symmetric(Matrix2::identity()).is_some());
    }
}
