//! Singular values and eigenvalues: the one place that iterates for them, on finite numbers and no longer than a bound.
//!
//! The trap: the iterations of `nalgebra` wait for convergence, which a single NaN or infinity puts off for ever, and an empty
//! matrix makes them panic. Here all of these are `None`, and so is a matrix that has not converged within [`STEPS`].

use nalgebra::allocator::Allocator;
use nalgebra::{
    Complex, DMatrix, DefaultAllocator, Dim, DimDiff, DimSub, Dyn, OMatrix, SVD, Schur, SymmetricEigen, U1,
};

/// Steps for each row: two or three are usual.
const STEPS: usize = 1000;

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
pub(crate) fn general(matrix: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let steps = steps(matrix.as_slice(), matrix.nrows())?;
    let values = Schur::try_new(matrix, f64::EPSILON, steps)?.complex_eigenvalues();
    values.iter().all(|x| x.re.is_finite() && x.im.is_finite()).then(|| values.iter().copied().collect())
}

/// How many steps a matrix may take; `None` if none would end.
fn steps(elements: &[f64], rows: usize) -> Option<usize> {
    (!elements.is_empty() && elements.iter().all(|x| x.is_finite())).then(|| STEPS.saturating_mul(rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
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
