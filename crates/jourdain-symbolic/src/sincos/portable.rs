//! The register that every machine has, by the `wide` crate: one of AVX2, two of SSE2 or NEON, or four numbers.

use super::kernel::Register;
use wide::f64x4;

impl Register for f64x4 {
    const FUSED: bool = cfg!(target_feature = "fma");

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self::new([x; 4])
    }

    #[inline(always)]
    fn load(x: &[f64; 4]) -> Self {
        Self::new(*x)
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; 4]) {
        *to = self.to_array();
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        crate::lanes::packed_fused(self, b, c)
    }

    #[inline(always)]
    fn mul_sub(self, b: Self, c: Self) -> Self {
        crate::lanes::packed_fused(self, b, -c)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    fn shift<const PLACES: i32>(self) -> Self {
        f64x4::new(self.to_array().map(|x| f64::from_bits(x.to_bits() << PLACES)))
    }

    #[inline(always)]
    fn or_where_negative(self, choice: Self, other: Self) -> Self {
        // The sign bit all over the number.
        let mask = f64x4::new(choice.to_array().map(|x| f64::from_bits((x.to_bits() as i64 >> 63) as u64)));
        self ^ ((self ^ other) & mask)
    }

    #[inline(always)]
    fn any_beyond(self, limit: f64) -> bool {
        // Not "above the limit": what is no number compares as false.
        !self.simd_le(Self::new([limit; 4])).all()
    }
}
