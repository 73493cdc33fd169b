//! Several states at once: every operation is done on all lanes.
//!
//! The loops have a constant length and no branch, so that on a machine with AVX2 four lanes are one register and one
//! instruction. Every lane is computed as an `f64` would be, fused operations included: a batch gives the numbers that
//! its states give one by one, but for the last bit of sine and cosine.
//!
//! Trap: a lane cannot leave early. A division by zero in one lane is not seen by the others, nor does it stop them.

use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use wide::f64x4;

use crate::Scalar;
use crate::scalar::fused;
use crate::sincos::{sin_cos_array, sin_cos_slice};

/// `L` numbers side by side, aligned for a 256-bit register.
///
/// ```
/// use jourdain_symbolic::{Lanes, Scalar};
///
/// let x = Lanes([1.0, 4.0, 9.0, 16.0]);
/// assert_eq!(x.sqrt().scale(2.0), Lanes([2.0, 4.0, 6.0, 8.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Lanes<const L: usize>(
    /// The numbers, one per state.
    pub [f64; L],
);

impl<const L: usize> Lanes<L> {
    /// The same number in all lanes.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: f64) -> Self {
        Lanes([value; L])
    }
}

/// One operation on all lanes: four at a time as one register, the rest one by one.
///
/// Written as a plain loop over the lanes the compiler would have to find the registers again, and in a long formula it
/// settles for halves of them, which then wait for each other in memory.
#[inline(always)]
fn lanewise<const N: usize, const L: usize>(
    operands: [&Lanes<L>; N],
    packed: impl Fn([f64x4; N]) -> f64x4,
    single: impl Fn([f64; N]) -> f64,
) -> Lanes<L> {
    let mut out = [0.0; L];
    let (registers, rest) = out.as_chunks_mut::<4>();
    for (r, register) in registers.iter_mut().enumerate() {
        *register = packed(operands.map(|x| f64x4::new(x.0.as_chunks::<4>().0[r]))).to_array();
    }
    let first = L - rest.len();
    for (l, lane) in rest.iter_mut().enumerate() {
        *lane = single(operands.map(|x| x.0[first + l]));
    }
    Lanes(out)
}

/// `a · b + c` on a register, in one rounding where the target has the instruction, as [`fused`].
#[inline(always)]
pub(crate) fn packed_fused(a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

impl<const L: usize> Scalar for Lanes<L> {
    type Constant = f64;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::splat(value)
    }

    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::splat(value)
    }

    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self * Self::splat(factor)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        lanewise([&self, &factor, &addend], |[a, b, c]| packed_fused(a, b, c), |[a, b, c]| fused(a, b, c))
    }

    #[inline(always)]
    fn scale_add(self, factor: f64, addend: Self) -> Self {
        self.mul_add(Self::splat(factor), addend)
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = sin_cos_array(&self.0);
        (Lanes(sin), Lanes(cos))
    }

    /// All lanes of a block of angles in one run of the kernel.
    fn sin_cos_slice(angles: &[Self], sin: &mut [Self], cos: &mut [Self]) {
        const BLOCK: usize = 8;
        let blocks = angles.chunks(BLOCK).zip(sin.chunks_mut(BLOCK)).zip(cos.chunks_mut(BLOCK));
        for ((angles, sin), cos) in blocks {
            let (mut x, mut s, mut c) = ([[0.0; L]; BLOCK], [[0.0; L]; BLOCK], [[0.0; L]; BLOCK]);
            let n = angles.len();
            for (x, angle) in x.iter_mut().zip(angles) {
                *x = angle.0;
            }
            sin_cos_slice(x[..n].as_flattened(), s[..n].as_flattened_mut(), c[..n].as_flattened_mut());
            for k in 0..n {
                (sin[k], cos[k]) = (Lanes(s[k]), Lanes(c[k]));
            }
        }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        lanewise([&self], |[a]| a.sqrt(), |[a]| a.sqrt())
    }
}

impl<const L: usize> Add for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        lanewise([&self, &other], |[a, b]| a + b, |[a, b]| a + b)
    }
}

impl<const L: usize> Sub for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        lanewise([&self, &other], |[a, b]| a - b, |[a, b]| a - b)
    }
}

impl<const L: usize> Neg for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        lanewise([&self], |[a]| -a, |[a]| -a)
    }
}

impl<const L: usize> Mul for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        lanewise([&self, &other], |[a, b]| a * b, |[a, b]| a * b)
    }
}

impl<const L: usize> Div for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        lanewise([&self, &other], |[a, b]| a / b, |[a, b]| a / b)
    }
}

impl<const L: usize> AddAssign for Lanes<L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const L: usize> SubAssign for Lanes<L> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
