//! Gauss–Legendre quadrature on a beam of length one, and the running integral from the clamp to each node.
//!
//! The running integral is that of the polynomial through the nodes, as a sum of Legendre polynomials:
//! ∫₋₁ˣ P_k = (P_{k+1}(x) − P_{k−1}(x)) / (2k + 1). Trap: P₋₁ stands for −1 there.

/// Nodes, weights and running integrals over [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gauss {
    /// Ascending.
    pub nodes: Vec<f64>,
    /// Their sum is one.
    pub weights: Vec<f64>,
    /// Row g: what the values at all nodes weigh in the integral from zero to node g.
    pub running: Vec<f64>,
}

impl Gauss {
    /// With that many nodes.
    pub fn new(count: usize) -> Self {
        // Over [−1, 1] first.
        let places: Vec<f64> = (0..count).map(|i| place(count, i)).collect();
        let values: Vec<Vec<f64>> = places.iter().map(|&x| legendre(x, count + 1)).collect();
        let weight = |g: usize| {
            let (x, slope) = (places[g], slope(places[g], count));
            2.0 / ((1.0 - x * x) * slope * slope)
        };
        let weights: Vec<f64> = (0..count).map(weight).collect();
        let before = |g: usize, k: usize| if k == 0 { -1.0 } else { values[g][k - 1] };
        let running = |g: usize, h: usize| {
            let sum: f64 = (0..count).map(|k| values[h][k] * (values[g][k + 1] - before(g, k))).sum();
            0.25 * weights[h] * sum
        };
        Self {
            nodes: places.iter().map(|x| 0.5 * (1.0 + x)).collect(),
            running: (0..count * count).map(|place| running(place / count, place % count)).collect(),
            weights: weights.iter().map(|weight| 0.5 * weight).collect(),
        }
    }
}

/// P₀ … P_last at x.
fn legendre(x: f64, last: usize) -> Vec<f64> {
    let mut values = vec![1.0, x];
    for k in 1..last {
        let n = k as f64;
        values.push(((2.0 * n + 1.0) * x * values[k] - n * values[k - 1]) / (n + 1.0));
    }
    values
}

/// P'_n at x inside (−1, 1).
fn slope(x: f64, n: usize) -> f64 {
    let values = legendre(x, n);
    n as f64 * (x * values[n] - values[n - 1]) / (x * x - 1.0)
}

/// The zero i of P_n, ascending, by Newton's method from the usual start.
fn place(n: usize, i: usize) -> f64 {
    let mut x = -(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
    for _ in 0..8 {
        x -= legendre(x, n)[n] / slope(x, n);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_integrated_whole_and_up_to_each_node() {
        for count in [1, 2, 10, 22, 90] {
            let Gauss { nodes, weights, running } = Gauss::new(count);
            for power in 0..(2 * count).min(60) {
                let values: Vec<f64> = nodes.iter().map(|x| x.powi(power as i32)).collect();
                let known = |x: f64| x.powi(power as i32 + 1) / (power as f64 + 1.0);
                let sum: f64 = weights.iter().zip(&values).map(|(w, v)| w * v).sum();
                assert!((sum - known(1.0)).abs() < 1e-14, "{count} {power}");
                // The polynomial through the nodes is the power itself only below their number.
                for (row, &x) in running.chunks(count).zip(&nodes).filter(|_| power < count) {
                    let sum: f64 = row.iter().zip(&values).map(|(w, v)| w * v).sum();
                    assert!((sum - known(x)).abs() < 2e-14, "{count} {power} {x}");
                }
            }
        }
    }
}
