//! Linear subspaces over a field, as reduced rows.
//!
//! Over `f64` a row's pivot is its largest element and a vector counts as dependent if what is left of it is small against
//! what was subtracted; over an exact field any element that is not zero will do.

use super::field::{Field, largest};

/// The span of vectors of one length, kept as reduced rows: each pivot is 1 and the only entry of its column.
#[derive(Clone, Debug)]
pub(crate) struct Subspace<F> {
    rows: Vec<Vec<F>>,
    pivots: Vec<usize>,
}

/// Passes over the columns: in the first a pivot must be a thousandth of its column, in each further one a tenth of that.
const PASSES: i32 = 16;

impl<F: Field> Subspace<F> {
    /// The space spanned by rows that are reduced already, each with its pivot.
    pub fn of_reduced(rows: Vec<Vec<F>>, pivots: Vec<usize>) -> Self {
        Self { rows, pivots }
    }

    /// The whole space.
    pub fn full(width: usize) -> Self {
        let unit = |k: usize| (0..width).map(|i| if i == k { F::one() } else { F::zero() }).collect();
        Self { rows: (0..width).map(unit).collect(), pivots: (0..width).collect() }
    }

    /// True if it is the whole space of vectors of this length.
    pub fn is_full(&self, width: usize) -> bool {
        self.rows.len() == width
    }

    /// The zero space.
    pub fn empty() -> Self {
        Self { rows: Vec::new(), pivots: Vec::new() }
    }

    /// A basis.
    pub fn rows(&self) -> &[Vec<F>] {
        &self.rows
    }

    /// Adds a vector to the span; false if it was in it. `scale` is the size of what was added up to the vector.
    pub fn insert(&mut self, mut vector: Vec<F>, scale: f64) -> bool {
        if self.rows.len() == vector.len() {
            return false;
        }
        let mut scale = scale.max(largest(&vector));
        for (row, &pivot) in self.rows.iter().zip(&self.pivots) {
            let factor = vector[pivot].clone();
            if factor.is_zero() {
                continue;
            }
            scale = scale.max(factor.size() * largest(row));
            subtract(&mut vector, &factor, row);
            vector[pivot] = F::zero();
        }
        let Some(pivot) = best(&vector, 0..vector.len()) else { return false };
        if vector[pivot].is_negligible(scale) {
            return false;
        }
        let inverse = vector[pivot].inverse();
        for x in &mut vector {
            *x = if x.is_negligible(scale) { F::zero() } else { x.mul(&inverse) };
        }
        vector[pivot] = F::one();
        for row in &mut self.rows {
            let factor = row[pivot].clone();
            if !factor.is_zero() {
                subtract(row, &factor, &vector);
                row[pivot] = F::zero();
            }
        }
        self.rows.push(vector);
        self.pivots.push(pivot);
        true
    }

    /// The smallest space that holds this one and is mapped into itself by every `map`.
    ///
    /// `size` bounds what a map multiplies the size of a vector by before terms cancel.
    pub fn close_under(&mut self, maps: &[impl Fn(&[F]) -> Vec<F>], size: f64) {
        if self.rows.first().is_some_and(|row| self.is_full(row.len())) {
            return;
        }
        // Rows change as others are added, but always span what has been seen.
        let mut pending = self.rows.clone();
        while let Some(vector) = pending.pop() {
            let scale = size * largest(&vector);
            for map in maps {
                let image = map(&vector);
                if self.insert(image.clone(), scale) {
                    pending.push(image);
                }
            }
        }
    }

    /// The vectors that every row annihilates, in reduced form: columns are solved for in the order given, so that the
    /// columns left over, each with a null vector of its own, are as far back in it as can be.
    pub fn null_vectors(&self, width: usize, order: &[usize]) -> Vec<NullVector<F>> {
        let mut rows = self.rows.clone();
        let mut solved: Vec<(usize, usize)> = Vec::new();
        let mut free_rows: Vec<usize> = (0..rows.len()).collect();
        // Columns that would be solved by dividing by hardly anything have to wait for a later pass.
        for pass in 3..=PASSES {
            let tolerance = 0.1_f64.powi(pass);
            for &column in order {
                if free_rows.is_empty() || solved.iter().any(|&(_, other)| other == column) {
                    continue;
                }
                let size = rows.iter().fold(0.0, |size: f64, row| row[column].size().max(size));
                let candidate = free_rows.iter().enumerate().max_by(|a, b| {
                    let size = |&row: &usize| rows[row][column].size();
                    size(a.1).total_cmp(&size(b.1))
                });
                let Some((at, &row)) = candidate else { continue };
                let pivot = &rows[row][column];
                if pivot.is_negligible(1.0) || (pass < PASSES && pivot.is_weak(tolerance * size)) {
                    continue;
                }
                free_rows.swap_remove(at);
                let inverse = rows[row][column].inverse();
                rows[row].iter_mut().for_each(|x| *x = x.mul(&inverse));
                rows[row][column] = F::one();
                let pivot_row = rows[row].clone();
                for (other, target) in rows.iter_mut().enumerate() {
                    let factor = target[column].clone();
                    if other != row && !factor.is_zero() {
                        subtract(target, &factor, &pivot_row);
                        target[column] = F::zero();
                    }
                }
                solved.push((row, column));
            }
        }
        let is_solved = |column: usize| solved.iter().any(|&(_, other)| other == column);
        let null_vector = |column: usize| {
            let mut vector = vec![F::zero(); width];
            vector[column] = F::one();
            for &(row, other) in &solved {
                let entry = rows[row][column].neg();
                if !entry.is_negligible(1e-3) {
                    vector[other] = entry;
                }
            }
            NullVector { pivot: column, vector }
        };
        order.iter().rev().copied().filter(|&column| !is_solved(column)).map(null_vector).collect()
    }
}

/// A vector that a space annihilates, with 1 at its own pivot and 0 at the pivots of the others.
#[derive(Clone, Debug)]
pub(crate) struct NullVector<F> {
    pub pivot: usize,
    pub vector: Vec<F>,
}

/// `target −= factor · row`.
fn subtract<F: Field>(target: &mut [F], factor: &F, row: &[F]) {
    for (x, r) in target.iter_mut().zip(row) {
        if !r.is_zero() {
            *x = x.sub(&factor.mul(r));
        }
    }
}

/// The index of the best pivot, if any element is not zero.
fn best<F: Field>(vector: &[F], range: std::ops::Range<usize>) -> Option<usize> {
    let mut found: Option<usize> = None;
    for i in range {
        if !vector[i].is_zero() && found.is_none_or(|best| vector[i].size() > vector[best].size()) {
            found = Some(i);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Number;
    use crate::parameters::exact::{Certain, Prime, Rational};

    fn vectors<F: Field>() -> Vec<Vec<F>> {
        [[1, 2, 0, 3], [2, 4, 0, 6], [0, 1, 1, 0], [1, 3, 1, 3], [1, 2, 0, 4]]
            .iter()
            .map(|row| row.iter().map(|&x| F::integer(x)).collect())
            .collect()
    }

    fn dimension_and_null<F: Field>() -> (usize, Vec<(usize, Vec<F>)>) {
        let mut space = Subspace::empty();
        let added: Vec<_> = vectors::<F>().into_iter().map(|v| space.insert(v, 0.0)).collect();
        assert_eq!(added, [true, false, true, false, true]);
        let null = space.null_vectors(4, &[3, 2, 1, 0]);
        (space.rows().len(), null.into_iter().map(|n| (n.pivot, n.vector)).collect())
    }

    #[test]
    fn dependent_vectors_add_nothing_and_null_vectors_solve_late_columns_last_in_every_field() {
        assert_eq!(dimension_and_null::<f64>(), (3, vec![(0, vec![1.0, -0.5, 0.5, 0.0])]));
        let exact = [(1, 1), (-1, 2), (1, 2), (0, 1)].map(|(p, q)| Rational::fraction(p, q)).to_vec();
        assert_eq!(dimension_and_null::<Rational>(), (3, vec![(0, exact)]));
        let (dimension, null) = dimension_and_null::<Prime>();
        assert_eq!((dimension, null.len()), (3, 1));
        for row in vectors::<Prime>() {
            assert!(crate::parameters::field::dot(&row, &null[0].1).is_zero());
        }
    }

    /// What is left for a column may be next to nothing, but as long as it is not zero the column is solved.
    #[test]
    fn the_last_pass_takes_the_weakest_pivots() {
        let number = |x: f64| Certain::from_number(Number::from(x), 1.0);
        let rows = vec![vec![number(1.0), number(1.0)], vec![number(0.0), number(1e-30)]];
        assert!(Subspace::of_reduced(rows, vec![0, 1]).null_vectors(2, &[0, 1]).is_empty());
    }

    #[test]
    fn rounding_does_not_add_dimensions() {
        let mut space = Subspace::empty();
        assert!(space.insert(vec![0.1, 0.2, 0.3], 0.0));
        assert!(space.insert(vec![1.0, 0.0, 1e-3], 0.0));
        assert!(!space.insert(vec![0.1 * 3.0 + 1.0, 0.2 * 3.0, 0.3 * 3.0 + 1e-3], 0.0));
        assert!(space.insert(vec![0.0, 0.0, 1e-6], 1.0));
    }

    #[test]
    fn closure_under_a_shift_is_everything_behind_the_first_coordinate() {
        let shift = |v: &[Prime]| std::iter::once(Prime::zero()).chain(v[..3].iter().copied()).collect();
        let mut space = Subspace::empty();
        space.insert(vec![Prime::zero(), Prime::one(), Prime::zero(), Prime::zero()], 0.0);
        space.close_under(&[shift], 1.0);
        assert_eq!(space.rows().len(), 3);
    }
}
