//! The frequency equation of a clamped beam that carries a body at its end, and its roots.
//!
//! With x = βℓ and the body's M, J and MD over ρℓ, ρℓ³ and ρℓ² as a, b, d:
//!
//! G(x) = 1 + c ch − a x (s ch − c sh) − b x³ (s ch + c sh) + (ab − d²) x⁴ (1 − c ch) − 2 d x² s sh
//!
//! which is DS (22) for d = 0. G has no poles, but two roots may lie as close as the masses make them, or in one place, so that a
//! scan for sign changes can miss a pair. Roots are therefore counted: the number of natural frequencies below x is that of the
//! beam clamped at both ends plus the number of negative eigenvalues of the dynamic stiffness of its end, K(x) − x⁴ [a d; d b]
//! (Wittrick and Williams 1971). Bisection by the count ends at neighbouring floating-point numbers. Everything is divided by
//! cosh x, so that no mode is too high.
//!
//! Trap: G is the determinant of that stiffness with all that cancels left out, but next to two roots it is a product of two small
//! numbers and lost in the rounding of its terms. There the entries, which are small themselves, give the determinant.

use super::krylov::Products;

/// Where what the body takes leaves less than this of both stiffnesses of the end, two roots are near.
const TWO_ROOTS: f64 = 0.1;

/// The body at the end of a beam, over ρℓ, ρℓ³ and ρℓ².
#[derive(Clone, Copy, Debug)]
pub(super) struct TipBody {
    pub mass: f64,
    pub inertia: f64,
    pub offset: f64,
}

impl TipBody {
    /// G(x) / cosh x
    fn residual(&self, x: f64, p: &Products) -> f64 {
        let x2 = x * x;
        let determinant = self.mass * self.inertia - self.offset * self.offset;
        p.free - self.mass * x * p.mass - self.inertia * x2 * x * p.inertia + determinant * x2 * x2 * p.clamped
            - 2.0 * self.offset * x2 * p.offset
    }

    /// How many roots lie below x.
    fn count_below(&self, x: f64) -> usize {
        let p = Products::at(x);
        let x2 = x * x;
        // The dynamic stiffness times 1 − cos cosh, up to powers of x that change no sign.
        let force = p.inertia - self.mass * x * p.clamped;
        let moment = p.mass - self.inertia * x2 * x * p.clamped;
        let coupling = p.offset + self.offset * x2 * p.clamped;
        let both = force.abs() < TWO_ROOTS * p.inertia.abs() && moment.abs() < TWO_ROOTS * p.mass.abs();
        let determinant = if both { force * moment - coupling * coupling } else { self.residual(x, &p) * p.clamped };
        let negative = match (determinant < 0.0, force * p.clamped < 0.0) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        };
        clamped_count_below(x, p.clamped) + negative
    }

    /// The `order`-th root, counted from one, to the last bit.
    pub fn root(&self, order: usize) -> f64 {
        // A body at the end only lowers frequencies, and the clamped–free beam has one root in each interval of length π.
        let (mut low, mut high) = (0.0, order as f64 * std::f64::consts::PI);
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return middle;
            }
            if self.count_below(middle) >= order { high = middle } else { low = middle }
        }
    }
}

/// Roots of 1 − cos cosh below x: one near each (k + ½)π, k ≥ 1. `residual` is 1 − cos cosh at x, up to a positive factor.
fn clamped_count_below(x: f64, residual: f64) -> usize {
    let whole = (x / std::f64::consts::PI).floor() as usize;
    let expected_positive = whole.is_multiple_of(2);
    if (residual > 0.0) == expected_positive { whole } else { whole.saturating_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots of 1 + cos cosh to sixteen digits.
    const CLAMPED_FREE: [f64; 6] = [
        1.875_104_068_711_961,
        4.694_091_132_974_175,
        7.854_757_438_237_613,
        10.995_540_734_875_467,
        14.137_168_391_046_47,
        17.278_759_532_088_236,
    ];

    #[test]
    fn the_clamped_free_beam_has_its_known_roots() {
        let free = TipBody { mass: 0.0, inertia: 0.0, offset: 0.0 };
        for (order, known) in CLAMPED_FREE.iter().enumerate() {
            assert!((free.root(order + 1) / known - 1.0).abs() < 3e-16, "{order}");
        }
    }

    #[test]
    fn roots_ascend_and_the_residual_changes_sign_at_each() {
        for (mass, inertia, share) in
            [(0.0, 0.0, 0.0), (12.0, 5.35, 0.3), (1e6, 1e-6, 0.0), (1e-6, 1e6, 0.9), (1e4, 1e4, -0.99), (1.0, 1.0, 1.0)]
        {
            let body = TipBody { mass, inertia, offset: share * f64::sqrt(mass * inertia) };
            let roots: Vec<f64> = (1..=20).map(|order| body.root(order)).collect();
            for (pair, order) in roots.windows(2).zip(1..) {
                assert!(pair[0] < pair[1], "{body:?}: roots {order} and the next: {pair:?}");
            }
            for &root in &roots {
                let around =
                    [1.0 - 1e-7, 1.0 + 1e-7].map(|factor| body.residual(root * factor, &Products::at(root * factor)));
                assert!(around[0] * around[1] < 0.0, "{body:?} at {root}: {around:?}");
            }
        }
    }

    #[test]
    fn a_heavy_body_leaves_the_beam_clamped_at_both_ends_above_two_low_roots() {
        let body = TipBody { mass: 1e9, inertia: 1e9, offset: 0.0 };
        for (order, known) in [(3, 4.730_040_744_862_704), (4, 7.853_204_624_095_838), (5, 10.995_607_838_001_671)] {
            assert!((body.root(order) / known - 1.0).abs() < 1e-7, "{order}");
        }
        // A light beam is a spring: x⁴ = 3/a (translation, end turning freely) and so on; here the 2×2 pencil.
        let (a, b) = (1e9_f64, 1e9_f64);
        let (trace, determinant) = (4.0 / b + 12.0 / a, 12.0 / (a * b));
        let split = (trace * trace / 4.0 - determinant).sqrt();
        for (order, square) in [(1, trace / 2.0 - split), (2, trace / 2.0 + split)] {
            assert!((body.root(order).powi(4) / square - 1.0).abs() < 1e-8, "{order}");
        }
    }
}
