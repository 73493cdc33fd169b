//! The regrouping: what every base parameter is made of.
//!
//! From the leaves inwards each null vector n of a link, with pivot p and value t = X[p], is taken out: X −= t n and the
//! parent gets t λᵀ n. What is left of a link's parameters is kept. With n reduced this gives each base parameter as a kept
//! standard parameter plus multiples of eliminated ones; GK (15) and (16) are what it does for a generic joint.

use super::field::Field;
use super::structure::LinkStructure;
use super::transport::PER_LINK;

/// A linear form in the standard parameters: coefficients by column, sorted, none of them zero.
pub(crate) type Form<F> = Vec<(usize, F)>;

/// A parameter that is kept, and what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Kept<F> {
    /// Its column among the standard parameters.
    pub column: usize,
    /// The link it belongs to.
    pub link: usize,
    /// What the base parameter is made of.
    pub form: Form<F>,
}

/// The columns of a link: ten inertial, then those of its armatures.
pub(crate) fn columns_of(link: usize, armature_columns: &[usize]) -> Vec<usize> {
    (0..PER_LINK).map(|i| PER_LINK * link + i).chain(armature_columns.iter().copied()).collect()
}

/// The kept parameters in the order of their columns.
pub(crate) fn regroup<F: Field>(
    structures: &[LinkStructure<F>],
    parents: &[Option<usize>],
    armature_columns: &[Vec<usize>],
) -> Vec<Kept<F>> {
    let mut forms: Vec<Vec<Form<F>>> = (0..structures.len())
        .map(|link| columns_of(link, &armature_columns[link]).iter().map(|&c| vec![(c, F::one())]).collect())
        .collect();
    let mut kept = Vec::new();
    for link in (0..structures.len()).rev() {
        let mut own = std::mem::take(&mut forms[link]);
        for null in &structures[link].null {
            let moved = own[null.pivot].clone();
            for (form, factor) in own.iter_mut().zip(&null.vector) {
                add(form, &factor.neg(), &moved);
            }
            if let Some(parent) = parents[link] {
                for k in 0..PER_LINK {
                    // (λᵀ n)_k
                    let factor = (0..PER_LINK).fold(F::zero(), |sum, i| {
                        let (n, l) = (&null.vector[i], &structures[link].lambda[i][k]);
                        if n.is_zero() || l.is_zero() { sum } else { sum.add(&n.mul(l)) }
                    });
                    if !factor.is_negligible(1e-6) {
                        add(&mut forms[parent][k], &factor, &moved);
                    }
                }
            }
        }
        for (i, (column, form)) in columns_of(link, &armature_columns[link]).into_iter().zip(own).enumerate() {
            if structures[link].null.iter().all(|null| null.pivot != i) {
                kept.push(Kept { column, link, form });
            }
        }
    }
    kept.sort_by_key(|kept| kept.column);
    kept
}

/// `form += factor · other`, both sorted by column.
fn add<F: Field>(form: &mut Form<F>, factor: &F, other: &Form<F>) {
    if factor.is_zero() || other.is_empty() {
        return;
    }
    let old = std::mem::take(form);
    let mut sum = Vec::with_capacity(old.len() + other.len());
    let (mut a, mut b) = (old.into_iter().peekable(), other.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => break,
            (Some((i, _)), Some((j, _))) if i == j => a.next().zip(b.next()).map(|((column, x), (_, y))| {
                let y = factor.mul(y);
                let value = x.add(&y);
                let value = if value.is_negligible(1e-4 * (x.size() + y.size())) { F::zero() } else { value };
                (column, value)
            }),
            (Some((i, _)), Some((j, _))) if i < j => a.next(),
            (Some(_), None) => a.next(),
            _ => b.next().map(|(column, y)| (*column, factor.mul(y))),
        };
        sum.extend(next.filter(|(_, value)| !value.is_zero()));
    }
    *form = sum;
}
