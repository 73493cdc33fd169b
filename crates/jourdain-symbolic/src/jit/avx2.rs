//! What surrounds a kernel, four numbers at a time: sines and cosines, and the change between states one after the other
//! and states side by side. For processors with AVX2 and FMA, which [`native`](super::native) has asked for.

use super::native::Quad;
use super::results::Four;
use crate::sincos::{Register, sin_cos_with};
use core::arch::x86_64::{
    __m256d, _CMP_NLE_UQ, _mm256_add_pd, _mm256_and_pd, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd,
    _mm256_cmp_pd, _mm256_fmadd_pd, _mm256_fmsub_pd, _mm256_loadu_pd, _mm256_movemask_pd, _mm256_mul_pd,
    _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_slli_epi64, _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd, _mm256_xor_pd,
};

/// A register of AVX2. Its methods are only reached from the functions below, which need the processor to have it.
#[derive(Clone, Copy)]
struct Avx2(__m256d);

// SAFETY of all blocks in here: the instructions are those of AVX2 and FMA, which the callers of `sin_cos` vouch for;
// loads and stores go through references to four numbers.
impl Register for Avx2 {
    const FUSED: bool = true;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn load(x: &[f64; 4]) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_loadu_pd(x.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; 4]) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_fmadd_pd(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn mul_sub(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_fmsub_pd(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_and_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_xor_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn shift<const PLACES: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_castsi256_pd(_mm256_slli_epi64::<PLACES>(_mm256_castpd_si256(self.0))) })
    }

    #[inline(always)]
    fn or_where_negative(self, choice: Self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_blendv_pd(self.0, other.0, choice.0) })
    }

    #[inline(always)]
    fn any_beyond(self, limit: f64) -> bool {
        // SAFETY: as above. "Not below or equal" is also true of what is no number.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_NLE_UQ>(self.0, _mm256_set1_pd(limit))) != 0 }
    }
}

/// [`sin_cos_slice`](crate::sin_cos_slice) for this processor.
#[target_feature(enable = "avx2,fma")]
pub(super) fn sin_cos(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    sin_cos_with::<Avx2>(angles, sin, cos);
}

/// As [`sin_cos`], if the processor has these registers; false, and nothing written, if it has not.
#[inline]
pub(crate) fn sin_cos_if_fused(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) -> bool {
    let here = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    if here {
        // SAFETY: the processor has just been asked for both.
        unsafe { sin_cos(angles, sin, cos) }
    }
    here
}

/// Four rows of four as four columns.
#[inline(always)]
fn transposed([a, b, c, d]: [Avx2; 4]) -> [Avx2; 4] {
    // SAFETY: AVX instructions on registers; the callers below need the processor to have them.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
        let (cd_low, cd_high) = (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
        [
            Avx2(_mm256_permute2f128_pd::<0x20>(ab_low, cd_low)),
            Avx2(_mm256_permute2f128_pd::<0x20>(ab_high, cd_high)),
            Avx2(_mm256_permute2f128_pd::<0x31>(ab_low, cd_low)),
            Avx2(_mm256_permute2f128_pd::<0x31>(ab_high, cd_high)),
        ]
    }
}

/// Puts the numbers of four states, one after the other in `rows`, side by side.
#[target_feature(enable = "avx2,fma")]
pub(super) fn side_by_side(rows: &[f64], to: &mut [Quad]) {
    let n = to.len();
    let (a, rest) = rows.split_at(n);
    let (b, rest) = rest.split_at(n);
    let (c, d) = rest.split_at(n);
    let blocks = a.as_chunks().0.iter().zip(b.as_chunks().0).zip(c.as_chunks().0.iter().zip(d.as_chunks().0));
    for (((a, b), (c, d)), to) in blocks.zip(to.as_chunks_mut::<4>().0) {
        let columns = transposed([a, b, c, d].map(Avx2::load));
        for (to, column) in to.iter_mut().zip(columns) {
            column.store(&mut to.0);
        }
    }
    for i in n - n % 4..n {
        to[i] = Quad([a[i], b[i], c[i], d[i]]);
    }
}

/// Writes the results of four states, side by side in `quads`, to four rows of `length`, one after the other.
///
/// # Safety
/// The sources are places in `quads`, and each block of four lies within a row.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn one_after_the_other(quads: &[Quad], fours: &[Four], rows: &mut [f64], length: usize) {
    assert_eq!(rows.len(), 4 * length, "four rows");
    for Four { start, sources } in fours {
        // SAFETY: the caller vouches for the sources; row k goes from k · length to (k + 1) · length, which is inside
        // `rows` as asserted, and the caller vouches that start and the three after it are inside a row.
        unsafe {
            let columns = transposed(sources.map(|source| Avx2::load(&quads.get_unchecked(source as usize).0)));
            let first = rows.as_mut_ptr().add(*start as usize);
            for (row, column) in columns.into_iter().enumerate() {
                _mm256_storeu_pd(first.add(row * length), column.0);
            }
        }
    }
}
