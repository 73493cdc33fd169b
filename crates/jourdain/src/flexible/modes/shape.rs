//! The shape of a mode: φ = C₁ (sin βx − sinh βx) + C₂ (cos βx − cosh βx), DS (19), (20).
//!
//! Low modes are written over U and V of [`krylov`](super::krylov), φ = −2 (C₁ V + C₂ U). High ones are not: there C₁ and
//! −C₂ agree to many digits while cosh is large. With R = (C₁ + C₂) e^{βℓ},
//!
//! φ = C₁ sin + C₂ cos − ½ R e^{β(x−ℓ)} + ½ (C₁ − C₂) e^{−βx},
//!
//! where no term is large, and C₁ and R are the unknowns of DS (21).

use super::frequency::TipBody;
use super::krylov::{krylov, series};
use crate::flexible::quadrature::Gauss;

/// Beyond this βℓ the exponentials are split.
const SPLIT: f64 = 3.0;

/// A mode shape over the beam of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UnitShape {
    /// βℓ
    pub x: f64,
    pub c1: f64,
    pub c2: f64,
    /// R, which is read only where the exponentials are split.
    rising: f64,
}

impl UnitShape {
    /// The shape that satisfies DS (16) at the root x of the frequency equation, not yet scaled; φ''(0) > 0.
    pub fn at_root(x: f64, body: &TipBody) -> Self {
        let basis = [Self::of(x, 1.0, 0.0), Self::of(x, 0.0, 1.0)];
        let ends = basis.map(|shape| [0, 1, 2, 3].map(|order| shape.derivative(1.0, order)));
        let k = x * x * x * x;
        // Both rows of F; each alone gives the ratio of the constants, the one that cancels less gives it better.
        let rows = [
            ends.map(|[y, slope, bend, _]| [bend, -k * body.inertia * slope, -k * body.offset * y]),
            ends.map(|[y, slope, _, shear]| [shear, k * body.mass * y, k * body.offset * slope]),
        ];
        let quality = |row: &[[f64; 3]; 2]| {
            let sums = row.map(|terms| terms.iter().sum::<f64>().abs());
            let sizes = row.map(|terms| terms.iter().map(|term| term.abs()).sum::<f64>());
            (sums[0] + sums[1]) / (sizes[0] + sizes[1]).max(f64::MIN_POSITIVE)
        };
        let row = if quality(&rows[0]) >= quality(&rows[1]) { rows[0] } else { rows[1] };
        // Where both hold for all shapes, but for rounding, any of them will do.
        let [p, q] = if quality(&row) < 8.0 * f64::EPSILON { [1.0, 0.0] } else { row.map(|terms| terms.iter().sum()) };
        Self::across(x, p, q)
    }

    /// The shape at the root x that is orthogonal, in the sense of all masses, to that of another root so near that the forces at the
    /// end do not tell them apart.
    pub fn beside(other: &Self, x: f64, body: &TipBody) -> Self {
        let Gauss { nodes, weights, .. } = Gauss::new(16 + x as usize);
        let [y, slope] = [0, 1].map(|order| other.derivative(1.0, order));
        let [force, moment] = [body.mass * y + body.offset * slope, body.inertia * slope + body.offset * y];
        // By quadrature, because the closed form divides by the difference of the frequencies.
        let product = |shape: Self| {
            let place = |(&s, weight): (&f64, &f64)| weight * other.derivative(s, 0) * shape.derivative(s, 0);
            let beam: f64 = nodes.iter().zip(&weights).map(place).sum();
            beam + force * shape.derivative(1.0, 0) + moment * shape.derivative(1.0, 1)
        };
        Self::across(x, product(Self::of(x, 1.0, 0.0)), product(Self::of(x, 0.0, 1.0)))
    }

    /// The shape for which p times the first unknown plus q times the second is zero; φ''(0) > 0.
    fn across(x: f64, p: f64, q: f64) -> Self {
        let shape = Self::of(x, q, -p);
        // φ''(0) = −2 β² C₂
        if shape.c2 > 0.0 { Self::of(x, -q, p) } else { shape }
    }

    /// From the two constants that are unknowns: C₁ and C₂, or C₁ and R where the exponentials are split.
    fn of(x: f64, first: f64, second: f64) -> Self {
        let c2 = if x <= SPLIT { second } else { second * (-x).exp() - first };
        Self { x, c1: first, c2, rising: second }
    }

    /// The same shape, larger.
    pub fn scaled(self, factor: f64) -> Self {
        let Self { x, c1, c2, rising } = self;
        Self { x, c1: c1 * factor, c2: c2 * factor, rising: rising * factor }
    }

    /// The derivative of the given order by the place on the beam, a number from zero to one.
    pub fn derivative(&self, place: f64, order: usize) -> f64 {
        let Self { x, c1, c2, rising } = *self;
        let factor = x.powi(order as i32);
        let angle = x * place;
        if x <= SPLIT {
            // U' = T, U'' = S, U''' = V; V' = U, V'' = T, V''' = S.
            let [s, t, u, v] = krylov(angle);
            let [of_u, of_v] = match order % 4 {
                0 => [u, v],
                1 => [t, u],
                2 => [s, t],
                _ => [v, s],
            };
            return -2.0 * factor * (c1 * of_v + c2 * of_u);
        }
        let (sin, cos) = angle.sin_cos();
        let [circular, falling] = match order % 4 {
            0 => [c1 * sin + c2 * cos, 1.0],
            1 => [c1 * cos - c2 * sin, -1.0],
            2 => [-c1 * sin - c2 * cos, 1.0],
            _ => [-c1 * cos + c2 * sin, -1.0],
        };
        let exponentials = -0.5 * rising * (angle - x).exp() + 0.5 * falling * (c1 - c2) * (-angle).exp();
        factor * (circular + exponentials)
    }

    /// φ and φ' at the end. A heavy body hardly moves, so that its motion is what is left of terms that cancel; it is then taken
    /// from the forces that move it, DS (16).
    pub fn end(&self, body: &TipBody) -> [f64; 2] {
        let [y, slope, bend, shear] = [0, 1, 2, 3].map(|order| self.derivative(1.0, order));
        let (x, k) = (self.x, self.x.powi(4));
        let TipBody { mass: a, inertia: b, offset: d } = *body;
        let (p, q) = (-shear / k, bend / k);
        let determinant = a * b - d * d;
        match (a * x > 1.0, b * x * x * x > 1.0) {
            (true, true) if determinant > 1e-2 * a * b => {
                [(b * p - d * q) / determinant, (a * q - d * p) / determinant]
            }
            (true, false) => [(p - d * slope) / a, slope],
            (false, true) => [y, (q - d * y) / b],
            _ => [y, slope],
        }
    }

    /// ∫φ and ∫ξφ over the beam, by φ'''' = x⁴ φ.
    pub fn moments(&self) -> [f64; 2] {
        let Self { x, c1, c2, .. } = *self;
        if x <= SPLIT {
            // ∫V = S − 1 and ∫U = V; the first moments follow by parts.
            // S − 1 and T − x, term by term.
            let [s1, t1] = [4, 5].map(|first| series(x, first, 1.0));
            let [_, _, _, v] = krylov(x);
            let zeroth = -2.0 / x * (c1 * s1 + c2 * v);
            let first = -2.0 / x * (c1 * (s1 - t1 / x) + c2 * (v - s1 / x));
            return [zeroth, first];
        }
        let [_, _, bend, shear] = [0, 1, 2, 3].map(|order| self.derivative(1.0, order));
        let k = x.powi(4);
        [(shear + 2.0 * x.powi(3) * c1) / k, (shear - bend - 2.0 * x * x * c2) / k]
    }

    /// ∫φ² over the beam: a quarter of [φ² − 2φ'φ''' + φ''² + 3φφ''' − φ'φ''] at the end, derivatives by βx.
    pub fn square(&self) -> f64 {
        let [y, slope, bend, shear] = [0, 1, 2, 3].map(|order| self.derivative(1.0, order) / self.x.powi(order as i32));
        0.25 * (y * y - 2.0 * slope * shear + bend * bend + (3.0 * y * shear - slope * bend) / self.x)
    }

    /// Where φ is zero between clamp and end, both left out.
    pub fn nodes(&self) -> Vec<f64> {
        let pieces = 64 * (self.x.ceil() as usize + 1);
        let at = |place: f64| self.derivative(place, 0);
        let mut nodes = Vec::new();
        for i in 1..pieces {
            let (mut low, mut high) = (i as f64 / pieces as f64, (i + 1) as f64 / pieces as f64);
            let sign = at(low);
            // A zero on the grid belongs to the piece that it ends; a zero at the end of the beam is no node.
            if sign == 0.0 || at(high) * sign > 0.0 || (i + 1 == pieces && at(high) == 0.0) {
                continue;
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if at(middle) * sign > 0.0 { low = middle } else { high = middle }
            }
            nodes.push(0.5 * (low + high));
        }
        nodes
    }
}
