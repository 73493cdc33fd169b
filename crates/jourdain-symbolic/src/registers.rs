//! Code for wide registers, where the processor has them.
//!
//! Programs are built for every processor of their kind, so registers of four numbers, which most have, would lie idle. A [`Loops`] exists
//! twice: as it is, and for AVX2. Operations are the same ones in the same order, and none are fused, so that the numbers are the same
//! to the last bit.
//!
//! Trap: only what is inlined is built twice. [`run`](Loops::run) and all that it calls must be `#[inline(always)]`, and its loops plain
//! ones over arrays.

/// Work that wide registers make faster.
pub trait Loops {
    /// Does it; `#[inline(always)]`.
    fn run(self);
}

/// Does work in its form for AVX2 if this processor has that, and as it is otherwise.
///
/// ```
/// use jourdain_symbolic::{Loops, in_registers};
///
/// struct Double<'a>(&'a mut [f64]);
///
/// impl Loops for Double<'_> {
///     #[inline(always)]
///     fn run(self) {
///         self.0.iter_mut().for_each(|x| *x *= 2.0);
///     }
/// }
///
/// let mut x = [1.0, 2.0, 3.0];
/// in_registers(Double(&mut x));
/// assert_eq!(x, [2.0, 4.0, 6.0]);
/// ```
#[inline]
pub fn in_registers(loops: impl Loops) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was asked for AVX2 on the line above, and that is all that the callee needs.
        return unsafe { in_avx2(loops) };
    }
    loops.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn in_avx2(loops: impl Loops) {
    loops.run();
}
