//! Square matrices of 6×6 blocks, one block row per body: what MK's formulas are written in.
//!
//! A block that the tree makes zero is not stored, so that the products cost what the tree's depth asks and a symbol never
//! meets such a zero. Which blocks are stored depends on the model alone, never on the state.

use jourdain_symbolic::Scalar;
use std::array::from_fn;
use std::ops::{Add, Mul, Neg, Sub};

/// A 6×6 block, row by row, linear part first.
pub(super) type Block<S> = [[S; 6]; 6];

/// One 6-vector per body.
pub(super) type Stacked<S> = Vec<[S; 6]>;

/// A matrix of `size` × `size` blocks.
#[derive(Clone, Debug)]
pub(super) struct BlockMatrix<S> {
    size: usize,
    blocks: Vec<Option<Box<Block<S>>>>,
}

impl<S: Scalar> BlockMatrix<S> {
    /// No block at all.
    pub(super) fn zero(size: usize) -> Self {
        Self { size, blocks: vec![None; size * size] }
    }

    /// diag(…), zero where there is no block.
    pub(super) fn diagonal(blocks: Vec<Option<Block<S>>>) -> Self {
        let mut out = Self::zero(blocks.len());
        for (k, block) in blocks.into_iter().enumerate() {
            out.blocks[k * out.size + k] = block.map(Box::new);
        }
        out
    }

    /// The identity.
    pub(super) fn identity(size: usize) -> Self {
        let one = from_fn(|i| from_fn(|j| if i == j { S::one() } else { S::zero() }));
        Self::diagonal(vec![Some(one); size])
    }

    /// Block (i, j), if the tree does not make it zero.
    pub(super) fn block(&self, i: usize, j: usize) -> Option<&Block<S>> {
        self.blocks[i * self.size + j].as_deref()
    }

    /// Adds a block.
    pub(super) fn add_block(&mut self, i: usize, j: usize, block: Block<S>) {
        let place = &mut self.blocks[i * self.size + j];
        match place {
            Some(sum) => **sum = from_fn(|r| from_fn(|c| sum[r][c] + block[r][c])),
            None => *place = Some(Box::new(block)),
        }
    }

    /// The transposed matrix.
    pub(super) fn transpose(&self) -> Self {
        let mut out = Self::zero(self.size);
        for (i, j, block) in self.stored() {
            out.blocks[j * self.size + i] = Some(Box::new(from_fn(|r| from_fn(|c| block[c][r]))));
        }
        out
    }

    /// The matrix times a whole number.
    pub(super) fn times(mut self, factor: f64) -> Self {
        if factor != 1.0 {
            let factor = S::Constant::from_f64(factor);
            for block in self.blocks.iter_mut().flatten() {
                **block = block.map(|row| row.map(|x| x.scale(factor)));
            }
        }
        self
    }

    /// The matrix times a stacked vector.
    pub(super) fn apply(&self, v: &[[S; 6]]) -> Stacked<S> {
        let mut out = vec![[S::zero(); 6]; self.size];
        for (i, j, block) in self.stored() {
            out[i] = from_fn(|r| dot(&block[r], &v[j], out[i][r]));
        }
        out
    }

    /// The transposed matrix times a stacked vector.
    pub(super) fn apply_transposed(&self, v: &[[S; 6]]) -> Stacked<S> {
        let mut out = vec![[S::zero(); 6]; self.size];
        for (i, j, block) in self.stored() {
            out[j] = from_fn(|c| (0..6).fold(out[j][c], |sum, r| block[r][c].mul_add(v[i][r], sum)));
        }
        out
    }

    /// The blocks that are stored, with their place.
    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, usize, &Block<S>)> {
        let place = |(at, block)| (at / self.size, at % self.size, block);
        self.blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.as_deref()?))).map(place)
    }
}

/// a·b + start.
pub(super) fn dot<S: Scalar>(a: &[S; 6], b: &[S; 6], start: S) -> S {
    a.iter().zip(b).fold(start, |sum, (&x, &y)| x.mul_add(y, sum))
}

fn sum<S: Scalar>(a: &BlockMatrix<S>, b: &BlockMatrix<S>) -> BlockMatrix<S> {
    let mut out = a.clone();
    b.stored().for_each(|(i, j, block)| out.add_block(i, j, *block));
    out
}

fn difference<S: Scalar>(a: &BlockMatrix<S>, b: &BlockMatrix<S>) -> BlockMatrix<S> {
    let mut out = a.clone();
    b.stored().for_each(|(i, j, block)| out.add_block(i, j, block.map(|row| row.map(Neg::neg))));
    out
}

fn product<S: Scalar>(a: &BlockMatrix<S>, b: &BlockMatrix<S>) -> BlockMatrix<S> {
    let mut out = BlockMatrix::zero(a.size);
    for (i, k, left) in a.stored() {
        for j in 0..b.size {
            let Some(right) = b.block(k, j) else { continue };
            let place = &mut out.blocks[i * b.size + j];
            let block = place.get_or_insert_with(|| Box::new([[S::zero(); 6]; 6]));
            for r in 0..6 {
                for c in 0..6 {
                    block[r][c] = (0..6).fold(block[r][c], |sum, m| left[r][m].mul_add(right[m][c], sum));
                }
            }
        }
    }
    out
}

impl<S: Scalar> Neg for BlockMatrix<S> {
    type Output = Self;

    fn neg(mut self) -> Self {
        for block in self.blocks.iter_mut().flatten() {
            **block = block.map(|row| row.map(Neg::neg));
        }
        self
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $function:ident) => {
        impl<S: Scalar> $trait<&BlockMatrix<S>> for &BlockMatrix<S> {
            type Output = BlockMatrix<S>;

            fn $method(self, other: &BlockMatrix<S>) -> BlockMatrix<S> {
                $function(self, other)
            }
        }

        impl<S: Scalar> $trait<&Self> for BlockMatrix<S> {
            type Output = Self;

            fn $method(self, other: &Self) -> Self {
                $function(&self, other)
            }
        }

        impl<S: Scalar> $trait for BlockMatrix<S> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                $function(&self, &other)
            }
        }

        impl<S: Scalar> $trait<BlockMatrix<S>> for &BlockMatrix<S> {
            type Output = BlockMatrix<S>;

            fn $method(self, other: BlockMatrix<S>) -> BlockMatrix<S> {
                $function(self, &other)
            }
        }
    };
}

operator!(Add, add, sum);
operator!(Sub, sub, difference);
operator!(Mul, mul, product);
