//! The formula, four angles at a time.
//!
//! The angle is reduced by the nearest multiple of π/2, which is subtracted in parts (Cody and Waite): the first subtraction
//! is exact. What the last one rounds off is kept as a tail and enters to first order. On [−π/4, π/4] sine
//! and cosine are the minimax polynomials of degree 13 and 14 of fdlibm (`k_sin.c`, `k_cos.c`). The error is below one
//! unit in the last place for |x| ≤ 10⁵.

/// The largest angle that is reduced here.
pub(super) const LIMIT: f64 = 1e5;

/// 1.5 · 2⁵²: adding it rounds to an integer and leaves that integer in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// π/2 in three parts, the leading 33 bits each: a multiple below 2²⁰ times a part has at most 53 bits, so that products are
/// exact without a fused multiply-add.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E00_0000),
];

/// π/2 in two parts, for a fused multiply-add: what it leaves of the angle and a multiple of the first part is a multiple
/// of 2⁻⁵³ below one, hence exact.
const HALF_PI_FUSED: [f64; 2] = [f64::from_bits(0x3FF9_21FB_5444_2D18), f64::from_bits(0x3C91_A626_3314_5C07)];

/// sin x = x + x³ (S₀ + S₁ x² + …).
const S: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// cos x = 1 − x²/2 + x⁴ (C₀ + C₁ x² + …).
const C: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Four numbers in a register, with their bits.
pub(crate) trait Register: Copy {
    /// Whether `mul_add` and `mul_sub` round once.
    const FUSED: bool;
    fn splat(x: f64) -> Self;
    fn load(x: &[f64; 4]) -> Self;
    fn store(self, to: &mut [f64; 4]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// self · b + c
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// self · b − c
    fn mul_sub(self, b: Self, c: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The bits moved up by so many places.
    fn shift<const PLACES: i32>(self) -> Self;
    /// `self`, or `other` where the sign of `choice` is set.
    fn or_where_negative(self, choice: Self, other: Self) -> Self;
    /// True if any number is above the limit or is none.
    fn any_beyond(self, limit: f64) -> bool;
}

/// Sine and cosine of four angles in radians.
#[inline(always)]
pub(crate) fn sin_cos_register<R: Register>(x: &[f64; 4], sin: &mut [f64; 4], cos: &mut [f64; 4]) {
    let angles = R::load(x);
    let magnitude = angles.and(R::splat(f64::from_bits(!SIGN)));
    let (s, c) = reduced(angles, magnitude);
    s.store(sin);
    c.store(cos);
    if magnitude.any_beyond(LIMIT) {
        beyond(x, sin, cos);
    }
}

const SIGN: u64 = 1 << 63;

#[cold]
#[inline(never)]
fn beyond(x: &[f64; 4], sin: &mut [f64; 4], cos: &mut [f64; 4]) {
    for lane in 0..4 {
        if x[lane].is_nan() || x[lane].abs() > LIMIT {
            (sin[lane], cos[lane]) = x[lane].sin_cos();
        }
    }
}

/// Sines and cosines of x, given |x| ≤ 10⁵. The sign is put back at the end, which makes the sine exactly odd and the
/// cosine exactly even.
#[inline(always)]
fn reduced<R: Register>(x: R, magnitude: R) -> (R, R) {
    let k = R::splat;
    let quadrant = magnitude.mul_add(k(core::f64::consts::FRAC_2_PI), k(ROUNDER));
    let minus_k = k(ROUNDER).sub(quadrant);
    let (r, tail) = if R::FUSED {
        let near = minus_k.mul_add(k(HALF_PI_FUSED[0]), magnitude);
        let r = minus_k.mul_add(k(HALF_PI_FUSED[1]), near);
        (r, minus_k.mul_add(k(HALF_PI_FUSED[1]), near.sub(r)))
    } else {
        let near = minus_k.mul_add(k(HALF_PI[0]), magnitude);
        let r = minus_k.mul_add(k(HALF_PI[1]), near);
        (r, minus_k.mul_add(k(HALF_PI[2]), minus_k.mul_add(k(HALF_PI[1]), near.sub(r))))
    };

    let z = r.mul(r);
    let zz = z.mul(z);
    let half_z = k(0.5).mul(z);
    let w = k(1.0).sub(half_z);

    let sin = r.add(r.mul(z).mul_add(polynomial(&S, z, zz), tail.mul(w)));
    let cos = w.add(k(1.0).sub(w).sub(half_z).add(zz.mul_sub(polynomial(&C, z, zz), r.mul(tail))));

    // Odd quadrants exchange the two; the sine is negative in quadrants 2 and 3, the cosine in 1 and 2.
    let sign = k(f64::from_bits(SIGN));
    let (second_bit, first_bit) = (quadrant.shift::<62>(), quadrant.shift::<63>());
    let sine_sign = second_bit.xor(x).and(sign);
    let cosine_sign = second_bit.xor(first_bit).and(sign);
    (sin.or_where_negative(first_bit, cos).xor(sine_sign), cos.or_where_negative(first_bit, sin).xor(cosine_sign))
}

/// Pairs of terms in z and zz = z² (Estrin) for a shorter chain than Horner's.
///
/// A function and no closure: a closure is not inlined into a caller with target features, and every fused operation in it
/// would then be a call.
#[inline(always)]
fn polynomial<R: Register>(p: &[f64; 6], z: R, zz: R) -> R {
    let high = z.mul_add(R::splat(p[5]), R::splat(p[4])).mul_add(zz, z.mul_add(R::splat(p[3]), R::splat(p[2])));
    high.mul_add(zz, z.mul_add(R::splat(p[1]), R::splat(p[0])))
}
