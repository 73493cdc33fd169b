//! A number that stands for bytes: XXH64, of Yann Collet, with seed 0.
//!
//! It tells contents apart and finds damage, as fast as memory is read. Trap: it is no protection against somebody who wants two
//! contents to have the same number.

const PRIMES: [u64; 5] =
    [0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63, 0x27D4_EB2F_1656_67C5];
/// Bytes of a stripe.
const STRIPE: usize = 32;

/// Takes in bytes piece by piece; how they are cut makes no difference.
///
/// ```
/// use jourdain::identify::Hash;
///
/// let mut hash = Hash::default();
/// hash.add(b"ab");
/// hash.add(b"c");
/// assert_eq!(hash.value(), 0x44BC_2CF5_AD77_0999);
/// ```
#[derive(Clone, Debug)]
pub struct Hash {
    lanes: [u64; 4],
    /// Bytes that do not fill a stripe yet.
    rest: [u8; STRIPE],
    filled: usize,
    length: u64,
}

impl Default for Hash {
    fn default() -> Self {
        let [p1, p2, ..] = PRIMES;
        let lanes = [p1.wrapping_add(p2), p2, 0, 0_u64.wrapping_sub(p1)];
        Self { lanes, rest: [0; STRIPE], filled: 0, length: 0 }
    }
}

impl Hash {
    /// That of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.add(bytes);
        hash.value()
    }

    /// Takes in more bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if self.filled > 0 {
            let count = bytes.len().min(STRIPE - self.filled);
            self.rest[self.filled..self.filled + count].copy_from_slice(&bytes[..count]);
            self.filled += count;
            bytes = &bytes[count..];
            if self.filled < STRIPE {
                return;
            }
            let stripe = self.rest;
            self.stripe(&stripe);
        }
        let (stripes, rest) = bytes.as_chunks::<STRIPE>();
        stripes.iter().for_each(|stripe| self.stripe(stripe));
        self.rest[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    /// The number that stands for all bytes so far.
    #[must_use]
    pub fn value(&self) -> u64 {
        let [p1, p2, p3, p4, p5] = PRIMES;
        let mut hash = if self.length >= STRIPE as u64 {
            let turns = [1, 7, 12, 18];
            let sum =
                self.lanes.iter().zip(turns).fold(0_u64, |sum, (lane, turn)| sum.wrapping_add(lane.rotate_left(turn)));
            let mix = |hash: u64, lane: &u64| (hash ^ round(0, *lane)).wrapping_mul(p1).wrapping_add(p4);
            self.lanes.iter().fold(sum, mix)
        } else {
            p5
        };
        hash = hash.wrapping_add(self.length);
        let (words, rest) = self.rest[..self.filled].as_chunks::<8>();
        for word in words {
            hash ^= round(0, u64::from_le_bytes(*word));
            hash = hash.rotate_left(27).wrapping_mul(p1).wrapping_add(p4);
        }
        let (halves, rest) = rest.as_chunks::<4>();
        for half in halves {
            hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(p1);
            hash = hash.rotate_left(23).wrapping_mul(p2).wrapping_add(p3);
        }
        for byte in rest {
            hash = (hash ^ u64::from(*byte).wrapping_mul(p5)).rotate_left(11).wrapping_mul(p1);
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(p2);
        hash = (hash ^ (hash >> 29)).wrapping_mul(p3);
        hash ^ (hash >> 32)
    }

    fn stripe(&mut self, stripe: &[u8; STRIPE]) {
        for (lane, word) in self.lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
            *lane = round(*lane, u64::from_le_bytes(*word));
        }
        self.filled = 0;
    }
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the reference program; that of the long text by the Python package `xxhash`.
    #[test]
    fn published_values_come_out() {
        for (text, value) in [("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999)]
        {
            assert_eq!(Hash::of(text.as_bytes()), value, "{text}");
        }
        let long: Vec<u8> = (0..1000_u32).map(|i| (i * i % 251) as u8).collect();
        assert_eq!(Hash::of(&long), LONG);
    }

    const LONG: u64 = 0x2D5F_4044_A731_EBD7;

    #[test]
    fn how_bytes_are_cut_makes_no_difference() {
        let bytes: Vec<u8> = (0..500_u32).map(|i| (7 * i % 256) as u8).collect();
        for size in [1, 3, 31, 32, 33, 64, 499] {
            let mut hash = Hash::default();
            bytes.chunks(size).for_each(|piece| hash.add(piece));
            assert_eq!(hash.value(), Hash::of(&bytes), "{size}");
        }
    }
}
