//! An array with three indices, the last one the variable of differentiation.

use crate::matrix::Matrix;
use jourdain_symbolic::Scalar;
use std::ops::{Index, IndexMut};

/// The derivative of a matrix by a vector: element (i, j, h) is that of element (i, j) by variable h.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<S> {
    rows: usize,
    columns: usize,
    variables: usize,
    data: Vec<S>,
}

impl<S: Scalar> Tensor<S> {
    /// All zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize, variables: usize) -> Self {
        Self { rows, columns, variables, data: vec![S::zero(); rows * columns * variables] }
    }

    /// Rows of the matrix.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of the matrix.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The elements, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [S] {
        &mut self.data
    }

    /// The elements; the last index runs fastest.
    #[must_use]
    pub fn as_slice(&self) -> &[S] {
        &self.data
    }

    /// The derivative by one variable.
    #[must_use]
    pub fn by(&self, h: usize) -> Matrix<S> {
        Matrix::from_fn(self.rows, self.columns, |i, j| self[(i, j, h)])
    }

    /// Σ_h (∂/∂x_h) d_h: the rate of the matrix when the variables change at the rates `d`.
    ///
    /// # Panics
    /// If `d` does not have one number per variable.
    #[must_use]
    pub fn along(&self, d: &[S]) -> Matrix<S> {
        assert_eq!(self.variables, d.len(), "length of a direction");
        Matrix::from_fn(self.rows, self.columns, |i, j| {
            (0..self.variables).fold(S::zero(), |sum, h| self[(i, j, h)].mul_add(d[h], sum))
        })
    }

    /// The derivative of the product with a constant vector: element (i, h) is Σ_j (∂/∂x_h)_ij v_j.
    ///
    /// # Panics
    /// If `v` does not have one number per column.
    #[must_use]
    pub fn times(&self, v: &[S]) -> Matrix<S> {
        assert_eq!(self.columns, v.len(), "length of a vector under a tensor");
        Matrix::from_fn(self.rows, self.variables, |i, h| {
            (0..self.columns).fold(S::zero(), |sum, j| self[(i, j, h)].mul_add(v[j], sum))
        })
    }
}

impl<S> Index<(usize, usize, usize)> for Tensor<S> {
    type Output = S;

    #[inline]
    fn index(&self, (i, j, h): (usize, usize, usize)) -> &S {
        &self.data[(i * self.columns + j) * self.variables + h]
    }
}

impl<S> IndexMut<(usize, usize, usize)> for Tensor<S> {
    #[inline]
    fn index_mut(&mut self, (i, j, h): (usize, usize, usize)) -> &mut S {
        &mut self.data[(i * self.columns + j) * self.variables + h]
    }
}
