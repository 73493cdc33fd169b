//! A log in pieces of time, each with triangles of its own.
//!
//! Errors of neighbouring samples go together, so the scatter of single samples tells too little about estimates; that of stretches of
//! seconds tells it. [`Blocks`] keeps the triangles of stretches of two seconds. When there are many, neighbours become one and stretches
//! twice as long: memory stays what it is, however long the log.
//!
//! A stretch is known by its number, time over length. Parts of a log that share one merge into what the whole has; so do
//! different logs whose clocks begin alike, which makes stretches of both, and does no harm.

use super::triangle::{Quad, Triangle};

/// Seconds of a block, at first.
pub const SECONDS: f64 = 2.0;
/// Most blocks that are kept apart.
pub const MOST: usize = 32;

/// The triangles of one block, a degree of freedom each.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Time over the length of a block.
    pub number: i64,
    /// Its samples.
    pub samples: u64,
    /// Per degree of freedom.
    pub triangles: Vec<Triangle>,
}

/// Blocks in order of time.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Seconds of a block.
    pub seconds: f64,
    blocks: Vec<Block>,
    /// Triangles that were used and may be used again.
    spare: Vec<Block>,
    scratch: Vec<Quad>,
}

impl PartialEq for Blocks {
    fn eq(&self, other: &Self) -> bool {
        (self.seconds, &self.blocks) == (other.seconds, &other.blocks)
    }
}

impl Blocks {
    /// None yet, with memory for all that there may be.
    pub(super) fn new(widths: &[usize]) -> Self {
        let empty = || Block { number: 0, samples: 0, triangles: widths.iter().map(|w| Triangle::new(*w)).collect() };
        let widest = widths.iter().max().copied().unwrap_or(0);
        Self {
            seconds: SECONDS,
            blocks: Vec::with_capacity(MOST + 1),
            spare: (0..=MOST).map(|_| empty()).collect(),
            scratch: Vec::with_capacity(widest * widest.div_ceil(4)),
        }
    }

    /// From those of a file; `None` if they are not in order.
    pub(super) fn from_file(widths: &[usize], seconds: f64, blocks: Vec<Block>) -> Option<Self> {
        let rises = blocks.windows(2).all(|pair| pair[0].number < pair[1].number);
        let whole = (seconds / SECONDS).log2();
        let fits = rises && blocks.len() <= MOST && (0.0..60.0).contains(&whole) && whole.fract() == 0.0;
        fits.then(|| Self { seconds, blocks, ..Self::new(widths) })
    }

    /// Takes in samples of a stretch of [`SECONDS`], by its number.
    pub(super) fn add_stretch(&mut self, number: i64, samples: u64, triangles: &[Triangle]) {
        let shift = (self.seconds / SECONDS).log2().round() as u32;
        self.add(number >> shift.min(63), samples, triangles);
    }

    /// Those with samples.
    pub fn iter(&self) -> std::slice::Iter<'_, Block> {
        self.blocks.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// True without samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Takes in samples of a block whose number is by the present length.
    fn add(&mut self, number: i64, samples: u64, triangles: &[Triangle]) {
        match self.blocks.binary_search_by_key(&number, |block| block.number) {
            Ok(at) => self.blocks[at].merge(samples, triangles, &mut self.scratch),
            Err(at) => {
                let Some(mut block) = self.spare.pop() else { return };
                block.number = number;
                block.clear();
                block.merge(samples, triangles, &mut self.scratch);
                self.blocks.insert(at, block);
                while self.blocks.len() > MOST {
                    self.lengthen();
                }
            }
        }
    }

    /// Takes in blocks of other samples.
    pub(super) fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        while self.seconds < other.seconds {
            self.lengthen();
        }
        while other.seconds < self.seconds {
            other.lengthen();
        }
        for block in &other.blocks {
            // Taking in may lengthen the blocks; the numbers of the others then follow.
            let shift = (self.seconds / other.seconds).log2().round() as u32;
            self.add(block.number >> shift, block.samples, &block.triangles);
        }
    }

    /// Makes two blocks of one length into one of twice that.
    fn lengthen(&mut self) {
        self.seconds *= 2.0;
        let mut kept: usize = 0;
        for at in 0..self.blocks.len() {
            let number = self.blocks[at].number.div_euclid(2);
            if kept > 0 && self.blocks[kept - 1].number == number {
                let (before, after) = self.blocks.split_at_mut(at);
                before[kept - 1].merge(after[0].samples, &after[0].triangles, &mut self.scratch);
            } else {
                self.blocks.swap(kept, at);
                self.blocks[kept].number = number;
                kept += 1;
            }
        }
        self.spare.extend(self.blocks.drain(kept..));
    }
}

impl<'a> IntoIterator for &'a Blocks {
    type Item = &'a Block;
    type IntoIter = std::slice::Iter<'a, Block>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Block {
    fn clear(&mut self) {
        self.samples = 0;
        self.triangles.iter_mut().for_each(Triangle::clear);
    }

    fn merge(&mut self, samples: u64, triangles: &[Triangle], scratch: &mut Vec<Quad>) {
        self.samples += samples;
        for (own, other) in self.triangles.iter_mut().zip(triangles) {
            own.merge_in(other, scratch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn triangle(random: &mut Random) -> Vec<Triangle> {
        vec![Triangle::from_packed(2, &random.vector(3)).unwrap()]
    }

    #[test]
    fn many_blocks_become_fewer_that_hold_the_same() {
        let (mut random, mut blocks) = (Random(3), Blocks::new(&[2]));
        let (mut total, x) = (0.0, [0.3, -1.2]);
        for t in (0..500).map(|i| 2.0 * f64::from(i) - 100.0) {
            let own = triangle(&mut random);
            total += own[0].square(&x);
            blocks.add_stretch((t / SECONDS).floor() as i64, 7, &own);
        }
        assert!(blocks.len() <= MOST && blocks.len() > MOST / 2 - 2, "{}", blocks.len());
        assert_eq!(blocks.iter().map(|block| block.samples).sum::<u64>(), 3500);
        let sum: f64 = blocks.iter().map(|block| block.triangles[0].square(&x)).sum();
        assert!((sum / total - 1.0).abs() < 1e-12);
        assert!(blocks.iter().zip(blocks.iter().skip(1)).all(|(a, b)| a.number < b.number));
    }

    #[test]
    fn blocks_of_different_lengths_merge_to_those_of_all_samples() {
        let mut random = Random(5);
        let parts: Vec<(f64, Vec<Triangle>)> = (0..120).map(|i| (2.0 * f64::from(i), triangle(&mut random))).collect();
        let of = |parts: &[(f64, Vec<Triangle>)]| {
            let mut blocks = Blocks::new(&[2]);
            for (t, own) in parts {
                blocks.add_stretch((t / SECONDS).floor() as i64, 1, own);
            }
            blocks
        };
        let (whole, mut merged) = (of(&parts), of(&parts[..20]));
        merged.merge(&of(&parts[20..]));
        assert_eq!((whole.seconds, whole.len()), (merged.seconds, merged.len()));
        for (a, b) in whole.iter().zip(&merged) {
            assert_eq!((a.number, a.samples), (b.number, b.samples));
            let x = [0.7, 0.2];
            assert!((a.triangles[0].square(&x) - b.triangles[0].square(&x)).abs() < 1e-12);
        }
    }
}
