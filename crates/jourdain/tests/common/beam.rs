//! A clamped beam of finite elements under an axial force, in a frame that spins: a witness that knows nothing of modes.
//!
//! Cubic elements, ∫EI w''² + ∫T w'² − Ω²(∫ρw² + M w_ℓ²) over ∫ρẇ² + Mẇ_ℓ² + Jẇ'_ℓ²: bending, the tension T(x) of spin or weight,
//! and the centrifugal force across the beam. All integrals by four Gauss points per element. Squares of frequencies come from
//! counting negative pivots, so that those of a buckled beam have their sign.

/// Clamped at x = 0, with a body at its end.
#[derive(Clone, Copy)]
pub struct ElementBeam {
    pub length: f64,
    pub density: f64,
    pub rigidity: f64,
    /// Mass and moment of inertia of the body.
    pub tip: [f64; 2],
    /// Rate of the clamp, rad/s.
    pub spin: f64,
    /// Acceleration along the beam, from the clamp outwards, m/s².
    pub pull: f64,
}

const ELEMENTS: usize = 24;

impl ElementBeam {
    /// ∫ over all mass beyond x of Ω²ξ + pull
    fn tension(&self, x: f64) -> f64 {
        let Self { length, density, tip: [mass, _], spin, pull, .. } = *self;
        let square = spin * spin;
        density * (0.5 * square * (length * length - x * x) + pull * (length - x)) + mass * (square * length + pull)
    }

    /// Stiffness and mass, 2 × ELEMENTS each: place and slope of every node but the clamp.
    fn matrices(&self) -> [Vec<Vec<f64>>; 2] {
        let size = 2 * ELEMENTS;
        let [mut stiffness, mut mass] = [(); 2].map(|()| vec![vec![0.0; size]; size]);
        let h = self.length / ELEMENTS as f64;
        let points =
            [(0.339_981_043_584_856_26, 0.652_145_154_862_546_1), (0.861_136_311_594_052_6, 0.347_854_845_137_453_85)];
        let points = points.into_iter().flat_map(|(node, weight)| [(-node, weight), (node, weight)]);
        for element in 0..ELEMENTS {
            for (node, weight) in points.clone() {
                let s = 0.5 * (1.0 + node);
                let shape = [
                    1.0 - 3.0 * s * s + 2.0 * s * s * s,
                    h * s * (1.0 - s) * (1.0 - s),
                    s * s * (3.0 - 2.0 * s),
                    h * s * s * (s - 1.0),
                ];
                let slope = [
                    6.0 * s * (s - 1.0) / h,
                    (1.0 - s) * (1.0 - 3.0 * s),
                    6.0 * s * (1.0 - s) / h,
                    s * (3.0 * s - 2.0),
                ];
                let bend =
                    [(12.0 * s - 6.0) / (h * h), (6.0 * s - 4.0) / h, (6.0 - 12.0 * s) / (h * h), (6.0 * s - 2.0) / h];
                let (weight, tension) = (0.5 * h * weight, self.tension(h * (element as f64 + s)));
                for i in 0..4 {
                    for j in 0..4 {
                        let (Some(row), Some(column)) =
                            ((2 * element + i).checked_sub(2), (2 * element + j).checked_sub(2))
                        else {
                            continue;
                        };
                        let inertia = weight * self.density * shape[i] * shape[j];
                        mass[row][column] += inertia;
                        stiffness[row][column] += weight
                            * (self.rigidity * bend[i] * bend[j] + tension * slope[i] * slope[j])
                            - self.spin * self.spin * inertia;
                    }
                }
            }
        }
        let end = size - 2;
        mass[end][end] += self.tip[0];
        mass[end + 1][end + 1] += self.tip[1];
        stiffness[end][end] -= self.spin * self.spin * self.tip[0];
        [stiffness, mass]
    }

    /// How many ω² lie below a number, by the signs of the pivots of K − λM.
    fn count_below(matrices: &[Vec<Vec<f64>>; 2], square: f64) -> usize {
        let size = matrices[0].len();
        let mut rest: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| matrices[0][i][j] - square * matrices[1][i][j]).collect()).collect();
        let mut count = 0;
        for k in 0..size {
            let pivot = rest[k][k];
            count += usize::from(pivot < 0.0);
            // The matrix is a band of elements.
            for i in k + 1..size.min(k + 4) {
                let factor = rest[i][k] / pivot;
                for j in k..size.min(k + 4) {
                    rest[i][j] -= factor * rest[k][j];
                }
            }
        }
        count
    }

    /// ω² number `number`, counted from one, rad²/s².
    pub fn square(&self, number: usize) -> f64 {
        let matrices = self.matrices();
        let (mut low, mut high) = (-1.0, 1.0);
        while Self::count_below(&matrices, low) >= number {
            low *= 2.0;
        }
        while Self::count_below(&matrices, high) < number {
            high *= 2.0;
        }
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if Self::count_below(&matrices, middle) < number { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}
