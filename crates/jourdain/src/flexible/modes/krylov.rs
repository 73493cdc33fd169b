//! The four functions that solve φ'''' = φ, and the combinations of them that frequency equations are made of.
//!
//! S = (cosh + cos)/2, T = (sinh + sin)/2, U = (cosh − cos)/2, V = (sinh − sin)/2: each is the derivative of the one after
//! it, and S' = V. A clamped beam is bent into U and V alone. Trap: near zero U and V are differences of numbers that
//! agree, so that they are summed as power series there; far out all four grow like eˣ, so that what is asked for is
//! divided by cosh.

/// Below this the power series are used: they converge in a dozen terms, and what they avoid is worse than rounding.
const SERIES: f64 = 2.0;

/// Σ ratioᵏ x^{first + 4k} / (first + 4k)!
pub(super) fn series(x: f64, first: i32, ratio: f64) -> f64 {
    let mut term = (1..=first).fold(1.0, |term, n| term * x / f64::from(n));
    let (mut sum, mut n) = (term, f64::from(first));
    while term.abs() > f64::EPSILON * 0.01 * sum.abs() {
        term *= ratio * (x / (n + 1.0)) * (x / (n + 2.0)) * (x / (n + 3.0)) * (x / (n + 4.0));
        sum += term;
        n += 4.0;
    }
    sum
}

/// S, T, U, V at x ≥ 0, for x of moderate size.
pub(super) fn krylov(x: f64) -> [f64; 4] {
    if x < SERIES {
        return [0, 1, 2, 3].map(|first| series(x, first, 1.0));
    }
    let ((sin, cos), (sinh, cosh)) = (x.sin_cos(), (x.sinh(), x.cosh()));
    [(cosh + cos) / 2.0, (sinh + sin) / 2.0, (cosh - cos) / 2.0, (sinh - sin) / 2.0]
}

/// The products of circular and hyperbolic functions in a frequency equation, all divided by cosh x.
#[derive(Clone, Copy, Debug)]
pub(super) struct Products {
    /// 1 + cos cosh
    pub free: f64,
    /// 1 − cos cosh
    pub clamped: f64,
    /// sin cosh − cos sinh
    pub mass: f64,
    /// sin cosh + cos sinh
    pub inertia: f64,
    /// sin sinh
    pub offset: f64,
}

impl Products {
    /// At x > 0, of any size.
    pub fn at(x: f64) -> Self {
        let ((sin, cos), sech, tanh) = (x.sin_cos(), 1.0 / x.cosh(), x.tanh());
        if x < SERIES {
            // sin((1 + i)x) = sin cosh + i cos sinh, cos((1 + i)x) = cos cosh − i sin sinh, and (1 + i)² = 2i: term by
            // term what cancels is exactly zero.
            return Self {
                free: sech + cos,
                clamped: series(x, 4, -4.0) * sech * 4.0,
                mass: series(x, 3, -4.0) * sech * 4.0,
                inertia: series(x, 1, -4.0) * sech * 2.0,
                offset: series(x, 2, -4.0) * sech * 2.0,
            };
        }
        Self {
            free: sech + cos,
            clamped: sech - cos,
            mass: sin - cos * tanh,
            inertia: sin + cos * tanh,
            offset: sin * tanh,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_forms_agree_where_they_meet() {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-14 * b.abs().max(1e-2);
        for x in [1.5_f64, 1.9, 1.999_999] {
            let ((s, c), (sh, ch)) = (x.sin_cos(), (x.sinh(), x.cosh()));
            let direct = [(ch + c) / 2.0, (sh + s) / 2.0, (ch - c) / 2.0, (sh - s) / 2.0];
            assert!(krylov(x).iter().zip(direct).all(|(&a, b)| close(a, b)), "{x}");
            let p = Products::at(x);
            let pairs = [
                (p.clamped, 1.0 - c * ch),
                (p.mass, s * ch - c * sh),
                (p.inertia, s * ch + c * sh),
                (p.offset, s * sh),
                (p.free, 1.0 + c * ch),
            ];
            assert!(pairs.iter().all(|&(a, b)| close(a * ch, b)), "{x}: {pairs:?}");
        }
    }

    #[test]
    fn nothing_overflows_far_out() {
        let p = Products::at(2000.0);
        assert!([p.free, p.clamped, p.mass, p.inertia, p.offset].iter().all(|x| x.abs() < 3.0));
    }
}
