/// Where sines and cosines come from. [`Portable`] is used unless a function ending in `_with` is given another, such as
/// one that calls a library of the platform.
pub trait Trigonometry {
    /// The sine of an angle in radians.
    fn sin(x: f64) -> f64;

    /// The cosine of an angle in radians.
    fn cos(x: f64) -> f64;

    /// Sines and cosines of several angles; the three slices have the same length.
    fn sines(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
        for ((x, s), c) in angles.iter().zip(sines).zip(cosines) {
            *s = Self::sin(*x);
            *c = Self::cos(*x);
        }
    }
}

/// Sines and cosines within one unit in the last place, without a library.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Trigonometry for Portable {
    fn sin(x: f64) -> f64 {
        let (mut s, mut c) = ([0.0], [0.0]);
        sines(&[x], &mut s, &mut c);
        s[0]
    }

    fn cos(x: f64) -> f64 {
        let (mut s, mut c) = ([0.0], [0.0]);
        sines(&[x], &mut s, &mut c);
        c[0]
    }

    fn sines(angles: &[f64], s: &mut [f64], c: &mut [f64]) {
        sines(angles, s, c);
    }
}

/// Without a branch per angle, so that the compiler can take four at a time. Never inlined: a loop of known length would
/// be unrolled instead.
#[inline(never)]
fn sines(angles: &[f64], s: &mut [f64], c: &mut [f64]) {
    let n = angles.len().min(s.len()).min(c.len());
    let (angles, s, c) = (&angles[..n], &mut s[..n], &mut c[..n]);
    let mut large = 0;
    for i in 0..n {
        (s[i], c[i]) = near(angles[i]);
        // The bits of positive numbers are ordered as the numbers are: the top bit is set past the limit.
        large |= 1e5_f64.to_bits().wrapping_sub(angles[i].abs().to_bits());
    }
    if large >> 63 != 0 {
        for i in 0..n {
            (s[i], c[i]) = if angles[i].abs() <= 1e5 { near(angles[i]) } else { far(angles[i]) };
        }
    }
}

/// Up to 1e5: the nearest multiple of pi/2 is subtracted in three parts of 33 bits.
#[inline(always)]
fn near(x: f64) -> (f64, f64) {
    // 1.5 * 2^52: adding it rounds to an integer and leaves that integer in the low bits.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    let a = x.abs();
    let shifted = a * 0.636_619_772_367_581_4 + ROUNDER; // 2/pi
    let k = shifted - ROUNDER;
    let near = a - k * 1.570_796_326_734_125_6;
    let r = near - k * 6.077_100_506_303_966e-11;
    let tail = ((near - r) - k * 6.077_100_506_303_966e-11) - k * 2.022_266_248_711_166_5e-21;
    turned(x, shifted.to_bits(), r, tail)
}

/// Any angle: its product with 2/pi modulo 4 in integers (Payne and Hanek).
#[cold]
fn far(x: f64) -> (f64, f64) {
    if !x.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    let bits = x.to_bits();
    // |x| = m * 2^e; e is at least -36 here.
    let m = u128::from(bits & ((1 << 52) - 1) | (1 << 52));
    let e = ((bits >> 52) & 0x7FF) as usize;
    // Of 2/pi only the bits matter that do not make a multiple of 4, and 192 of them are enough.
    let start = e + 62 - 1075;
    let word = |k: usize| {
        let (k, shift) = (start / 64 + k, start % 64);
        u128::from(TWO_OVER_PI[k] << shift | (TWO_OVER_PI[k + 1] >> 1) >> (63 - shift))
    };
    let low = m * word(2);
    let middle = m * word(1) + (low >> 64);
    let high = (m * word(0) + (middle >> 64)) as u64;
    let quadrant = high >> 62;
    // The fraction of a quarter turn, as a signed number: past one half it counts down to the next quarter.
    let fraction = (u128::from(high) << 66 | u128::from(middle as u64) << 2 | (low as u64 >> 62) as u128) as i128;
    let zeros = fraction.unsigned_abs().leading_zeros().min(127);
    let n = (fraction.unsigned_abs() << zeros) >> 64;
    let product = n * 0xC90F_DAA2_2168_C235; // pi/2 * 2^63
    let (r, scale) = (product as f64, f64::from_bits(u64::from(1023 - 127 - zeros) << 52));
    let tail = product.wrapping_sub(r as u128) as i128 as f64;
    let sign = if fraction < 0 { -scale } else { scale };
    turned(x, quadrant + u64::from(fraction < 0), r * sign, tail * sign)
}

/// Sine and cosine of |x| = quadrant * pi/2 + r + tail, the sine with the sign of x.
#[inline(always)]
fn turned(x: f64, quadrant: u64, r: f64, tail: f64) -> (f64, f64) {
    let (z, half) = (r * r, 0.5 * r * r);
    let (zz, w) = (z * z, 1.0 - half);
    let sin = ((1.589_690_995_211_55e-10 * z - 2.505_076_025_340_686_3e-8) * zz
        + (2.755_731_370_707_006_8e-6 * z - 1.984_126_982_985_795e-4))
        * zz
        + (8.333_333_333_322_49e-3 * z - 1.666_666_666_666_663_2e-1);
    let cos = ((-1.135_964_755_778_819_5e-11 * z + 2.087_572_321_298_175e-9) * zz
        + (-2.755_731_435_139_066_3e-7 * z + 2.480_158_728_947_673e-5))
        * zz
        + (-1.388_888_888_887_411e-3 * z + 4.166_666_666_666_66e-2);
    let sin = (r + (r * z * sin + tail * w)).to_bits();
    let cos = (w + (((1.0 - w) - half) + (zz * cos - r * tail))).to_bits();
    // Odd quadrants exchange the two; the sine is negative in quadrants 2 and 3, the cosine in 1 and 2.
    let exchange = (sin ^ cos) & 0_u64.wrapping_sub(quadrant & 1);
    let sign = x.to_bits() & (1 << 63);
    (
        f64::from_bits(sin ^ exchange ^ sign ^ ((quadrant & 2) << 62)),
        f64::from_bits(cos ^ exchange ^ ((quadrant.wrapping_add(1) & 2) << 62)),
    )
}

/// The bits of 2/pi after the point, behind 64 zeros.
const TWO_OVER_PI: [u64; 21] = [
    0,
    0xA2F9_836E_4E44_1529,
    0xFC27_57D1_F534_DDC0,
    0xDB62_9599_3C43_9041,
    0xFE51_63AB_DEBB_C561,
    0xB724_6E3A_424D_D2E0,
    0x0649_2EEA_09D1_921C,
    0xFE1D_EB1C_B129_A73E,
    0xE882_35F5_2EBB_4484,
    0xE99C_7026_B45F_7E41,
    0x3991_D639_8353_39F4,
    0x9C84_5F8B_BDF9_283B,
    0x1FF8_97FF_DE05_980F,
    0xEF2F_118B_5A0A_6D1F,
    0x6D36_7ECF_27CB_09B7,
    0x4F46_3F66_9E5F_EA2D,
    0x7527_BAC7_EBE5_F17B,
    0x3D07_39F7_8A52_92EA,
    0x6BFB_5FB1_1F8D_5D08,
    0x5603_3046_FC7B_6BAB,
    0xF0CF_BC20_9AF4_361D,
];
