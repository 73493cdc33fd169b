//! The regrouping: what every base parameter is made of.
//!
//! From the leaves inwards each null vector n of a block, with pivot p and value t = X[p], is taken out: X −= t n and the
//! block's top gets t λᵀ n. What is left of a link's parameters is kept. With n reduced this gives each base parameter as a kept
//! standard parameter plus multiples of eliminated ones; GK (15) and (16) are what it does for a generic joint.

use super::field::Field;
use super::structure::BlockStructure;
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

/// The columns that are kept, ascending, without what they stand for.
pub(crate) fn kept_columns<F>(structures: &[BlockStructure<F>], armature_columns: &[Vec<usize>]) -> Vec<usize> {
    let mut kept = Vec::new();
    for structure in structures {
        let columns = structure.links.iter().flat_map(|link| columns_of(link.link, &armature_columns[link.link]));
        let stays = |&(i, _): &(usize, usize)| structure.null.iter().all(|null| null.pivot != i);
        kept.extend(columns.enumerate().filter(stays).map(|(_, column)| column));
    }
    kept.sort_unstable();
    kept
}

/// The kept parameters in the order of their columns. Structures stand with a block after the one that its top is in.
pub(crate) fn regroup<F: Field>(structures: &[BlockStructure<F>], armature_columns: &[Vec<usize>]) -> Vec<Kept<F>> {
    let mut forms: Vec<Vec<Form<F>>> = armature_columns
        .iter()
        .enumerate()
        .map(|(link, armatures)| columns_of(link, armatures).iter().map(|&c| vec![(c, F::one())]).collect())
        .collect();
    let mut kept = Vec::new();
    for structure in structures.iter().rev() {
        // Where each link's parameters begin in the vectors of the block.
        let mut places = Vec::new();
        for (at, link) in structure.links.iter().enumerate() {
            places.extend((0..forms[link.link].len()).map(|i| (at, i)));
        }
        let mut own: Vec<Form<F>> =
            structure.links.iter().flat_map(|link| std::mem::take(&mut forms[link.link])).collect();
        for null in &structure.null {
            let moved = own[null.pivot].clone();
            for (form, factor) in own.iter_mut().zip(&null.vector) {
                add(form, &factor.neg(), &moved);
            }
            let Some(top) = structure.top else { continue };
            for k in 0..PER_LINK {
                // (λᵀ n)_k
                let factor = places.iter().zip(&null.vector).fold(F::zero(), |sum, (&(at, i), n)| {
                    if n.is_zero() || i >= PER_LINK {
                        return sum;
                    }
                    let l = &structure.links[at].lambda[i][k];
                    if l.is_zero() { sum } else { sum.add(&n.mul(l)) }
                });
                if !factor.is_negligible(1e-6) {
                    add(&mut forms[top][k], &factor, &moved);
                }
            }
        }
        for (i, (&(at, local), form)) in places.iter().zip(own).enumerate() {
            if structure.null.iter().all(|null| null.pivot != i) {
                let link = structure.links[at].link;
                kept.push(Kept { column: columns_of(link, &armature_columns[link])[local], link, form });
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
