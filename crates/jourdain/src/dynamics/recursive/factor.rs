//! The mass matrix factored as M = Lᵀ D L along the tree, which fills in nothing where branches do not meet.
//!
//! L is unit lower triangular with non-zeros only where M has them: row i holds the columns of i's support. Factoring, solving
//! and inverting then cost O(n · depth²), O(n · depth) and O(n² · depth). No sign of D is assumed: the mass matrix of a robot
//! with negative masses, indefinite but regular, has a factor as well.
//!
//! D_k is what column k resists with everything outboard hanging loose, the articulated inertia along it. Trap: where it
//! vanishes rounding leaves a small number in its place, and q̈ of 10¹⁶. Pivots below [`BodyTree::least`] give no number.
//!
//! # Reference
//! Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §6.5. With coupled joints the support is all columns before.

use crate::model::body_tree::BodyTree;
use jourdain_symbolic::Scalar;

/// The next non-zero column of a row.
#[inline(always)]
fn inboard<T>(tree: &BodyTree<T>, i: usize) -> Option<usize> {
    if tree.coupling.is_none() { tree.inboard[i] } else { i.checked_sub(1) }
}

/// Replaces M (row-major, full) by L with 1/D_i on the diagonal; the upper triangle is left as it was.
pub(super) fn factor<S: Scalar>(tree: &BodyTree<S::Constant>, m: &mut [S]) {
    let n = tree.nv;
    for k in (0..n).rev() {
        let inverse = tree.inverse_pivot(k, m[k * n + k]);
        m[k * n + k] = inverse;
        let mut next = inboard(tree, k);
        while let Some(i) = next {
            let scaled = m[k * n + i] * inverse;
            let mut other = Some(i);
            while let Some(j) = other {
                // Row k is still D_k L here: what is inboard of i is scaled after i.
                m[i * n + j] = (-scaled).mul_add(m[k * n + j], m[i * n + j]);
                other = inboard(tree, j);
            }
            m[k * n + i] = scaled;
            next = inboard(tree, i);
        }
    }
}

/// x ← M⁻¹ x given the factor: Lᵀ y = x, z = D⁻¹ y, L x = z.
pub(super) fn solve<S: Scalar>(tree: &BodyTree<S::Constant>, l: &[S], x: &mut [S]) {
    let n = tree.nv;
    for i in (0..n).rev() {
        let value = -x[i];
        let mut next = inboard(tree, i);
        while let Some(j) = next {
            x[j] = value.mul_add(l[i * n + j], x[j]);
            next = inboard(tree, j);
        }
    }
    for i in 0..n {
        let mut sum = x[i] * l[i * n + i];
        let mut next = inboard(tree, i);
        while let Some(j) = next {
            sum = (-l[i * n + j]).mul_add(x[j], sum);
            next = inboard(tree, j);
        }
        x[i] = sum;
    }
}

/// X ← M⁻¹ X for a row-major `n`×`m` matrix, all columns at once: the same steps as [`solve`] on rows.
pub(super) fn solve_matrix<S: Scalar>(tree: &BodyTree<S::Constant>, l: &[S], x: &mut [S], columns: usize) {
    let n = tree.nv;
    let row = |i: usize| i * columns..(i + 1) * columns;
    for i in (0..n).rev() {
        let mut next = inboard(tree, i);
        while let Some(j) = next {
            let factor = -l[i * n + j];
            let (upper, lower) = x.split_at_mut(i * columns);
            add_scaled(&mut upper[row(j)], factor, &lower[..columns]);
            next = inboard(tree, j);
        }
    }
    for i in 0..n {
        let inverse = l[i * n + i];
        x[row(i)].iter_mut().for_each(|x| *x = *x * inverse);
        let mut next = inboard(tree, i);
        while let Some(j) = next {
            let factor = -l[i * n + j];
            let (upper, lower) = x.split_at_mut(i * columns);
            add_scaled(&mut lower[..columns], factor, &upper[row(j)]);
            next = inboard(tree, j);
        }
    }
}

#[inline(always)]
fn add_scaled<S: Scalar>(out: &mut [S], factor: S, x: &[S]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out = x.mul_add(factor, *out);
    }
}
