//! A dense row-major matrix of scalars: what the allocating forms of the formulas return.
//!
//! nalgebra's matrices ask more of their elements than a symbol can give; [`Matrix::to_nalgebra`] bridges for numbers.

use jourdain_symbolic::Scalar;
use std::ops::{Index, IndexMut};

/// A dense matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<S> {
    rows: usize,
    columns: usize,
    data: Vec<S>,
}

impl<S: Scalar> Matrix<S> {
    /// All zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, data: vec![S::zero(); rows * columns] }
    }

    /// Element by element.
    #[must_use]
    pub fn from_fn(rows: usize, columns: usize, mut f: impl FnMut(usize, usize) -> S) -> Self {
        let mut data = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                data.push(f(i, j));
            }
        }
        Self { rows, columns, data }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The elements, row by row.
    #[must_use]
    pub fn as_slice(&self) -> &[S] {
        &self.data
    }

    /// The elements, row by row.
    pub fn as_mut_slice(&mut self) -> &mut [S] {
        &mut self.data
    }

    /// The elements, row by row.
    #[must_use]
    pub fn into_vec(self) -> Vec<S> {
        self.data
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// The matrix product.
    ///
    /// # Panics
    /// If the inner dimensions differ.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        assert_eq!(self.columns, other.rows, "inner dimensions of a matrix product");
        Self::from_fn(self.rows, other.columns, |i, j| {
            (0..self.columns).fold(S::zero(), |sum, k| self[(i, k)].mul_add(other[(k, j)], sum))
        })
    }

    /// The matrix times a vector.
    ///
    /// # Panics
    /// If the vector's length is not the number of columns.
    #[must_use]
    pub fn apply(&self, v: &[S]) -> Vec<S> {
        assert_eq!(self.columns, v.len(), "length of a vector under a matrix");
        let row = |i: usize| (0..self.columns).fold(S::zero(), |sum, k| self[(i, k)].mul_add(v[k], sum));
        (0..self.rows).map(row).collect()
    }

    /// The sum.
    ///
    /// # Panics
    /// If the shapes differ.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns), "shapes of a matrix sum");
        Self::from_fn(self.rows, self.columns, |i, j| self[(i, j)] + other[(i, j)])
    }
}

impl Matrix<f64> {
    /// The same matrix for decompositions.
    #[must_use]
    pub fn to_nalgebra(&self) -> nalgebra::DMatrix<f64> {
        nalgebra::DMatrix::from_row_slice(self.rows, self.columns, &self.data)
    }
}

impl<S> Index<(usize, usize)> for Matrix<S> {
    type Output = S;

    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &S {
        &self.data[i * self.columns + j]
    }
}

impl<S> IndexMut<(usize, usize)> for Matrix<S> {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut S {
        &mut self.data[i * self.columns + j]
    }
}
