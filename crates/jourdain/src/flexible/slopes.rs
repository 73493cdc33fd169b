//! What a link that bends loses in length, as constants: integrals over the slopes of its modes.
//!
//! With N(x) = ∫₀ˣ φ'φ'ᵀ a point of a link that keeps its length stands ½ δᵀN(x)δ nearer to the joint, to second order. The
//! kinetic energy and the weight of that are made of
//!
//! H = N(ℓ),  G₀ = ∫ρN = ∫ρ(ℓ−x) φ'φ'ᵀ,  G₁ = ∫ρxN = ∫½ρ(ℓ²−x²) φ'φ'ᵀ,  F_j = ∫ρφ_j N,  Q = ∫ρ N⊗N.
//!
//! The integrands are entire functions, so that few Gauss nodes give all digits: 10 + 4m of them. The same nodes carry the
//! slopes themselves, for kinematics that integrate e^{iψ} instead of its second order.

use super::modes::{Beam, Mode};
use super::quadrature::Gauss;
use jourdain_symbolic::Constant;

/// Integrals over the slopes of a link's modes; symmetric pairs of modes stand at [`pair`].
#[derive(Clone, Debug, PartialEq)]
pub struct Slopes<T> {
    /// H of all pairs of modes, row by row, 1/m
    pub end: Vec<T>,
    /// G₀ of all pairs of modes, row by row, kg/m
    pub zeroth: Vec<T>,
    /// G₁ of all pairs of modes, row by row, kg
    pub first: Vec<T>,
    /// F of each mode and each symmetric pair, mode by mode, kg/m
    pub across: Vec<T>,
    /// Q of each symmetric pair with each, row by row, kg/m²
    pub square: Vec<T>,
    /// The slopes at stations along the link.
    pub stations: Stations<T>,
}

/// Slopes at the nodes of a quadrature along a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Stations<T> {
    /// What a station weighs in an integral over the length, m
    pub length: Vec<T>,
    /// What it weighs in an integral over the mass, kg
    pub mass: Vec<T>,
    /// What the stations weigh in the integral from the joint to each of them, row by row, m
    pub running: Vec<T>,
    /// φ' of each mode at each station, station by station, 1/m
    pub slope: Vec<T>,
}

/// Where the symmetric pair of modes (a, b) stands.
#[must_use]
pub fn pair(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high + 1) / 2 + low
}

/// How many symmetric pairs m modes have.
#[must_use]
pub fn pairs(m: usize) -> usize {
    m * (m + 1) / 2
}

/// Gauss nodes of a link with m modes.
fn nodes(m: usize) -> usize {
    10 + 4 * m
}

impl<T: Constant> Slopes<T> {
    /// Of a link with m modes that does not shorten: what kinematics without foreshortening take it for.
    #[must_use]
    pub fn none(m: usize) -> Self {
        let zeros = |count: usize| vec![T::zero(); count];
        Self {
            end: zeros(m * m),
            zeroth: zeros(m * m),
            first: zeros(m * m),
            across: zeros(m * pairs(m)),
            square: zeros(pairs(m) * pairs(m)),
            stations: Stations { length: Vec::new(), mass: Vec::new(), running: Vec::new(), slope: Vec::new() },
        }
    }

    pub(super) fn fits(&self, m: usize) -> bool {
        let Self { end, zeroth, first, across, square, .. } = self;
        [end, zeroth, first].iter().all(|list| list.len() == m * m)
            && across.len() == m * pairs(m)
            && square.len() == pairs(m) * pairs(m)
    }
}

impl<T: Copy> Slopes<T> {
    /// The same with other constants for each list, which comes with its name.
    pub(super) fn map<U: Constant>(&self, mut f: impl FnMut(&'static str, &[T]) -> Vec<U>) -> Slopes<U> {
        let stations = &self.stations;
        Slopes {
            end: f("H", &self.end),
            zeroth: f("G0", &self.zeroth),
            first: f("G1", &self.first),
            across: f("F", &self.across),
            square: f("Q", &self.square),
            stations: Stations {
                length: f("length", &stations.length),
                mass: f("mass", &stations.mass),
                running: f("running", &stations.running),
                slope: f("slope", &stations.slope),
            },
        }
    }
}

impl Slopes<f64> {
    /// Of a beam's modes.
    #[must_use]
    pub fn of(beam: &Beam, modes: &[Mode]) -> Self {
        let m = modes.len();
        if m == 0 {
            return Self::none(0);
        }
        let (length, density, count) = (beam.length, beam.density, nodes(m));
        let gauss = Gauss::new(count);
        let at = |order: usize| -> Vec<f64> {
            let of = |&x: &f64| modes.iter().map(move |mode| mode.derivative(x * length, order));
            gauss.nodes.iter().flat_map(of).collect()
        };
        let (shape, slope) = (at(0), at(1));
        let product = |g: usize, j: usize, k: usize| slope[g * m + j] * slope[g * m + k];
        let over = |weight: &dyn Fn(f64) -> f64| -> Vec<f64> {
            let entry = |place: usize| -> f64 {
                let terms = gauss.nodes.iter().zip(&gauss.weights).enumerate();
                terms.map(|(g, (x, w))| w * length * weight(x * length) * product(g, place / m, place % m)).sum()
            };
            (0..m * m).map(entry).collect()
        };
        // N at each node, pair by pair.
        let mut short = vec![0.0; count * pairs(m)];
        for g in 0..count {
            for k in 0..m {
                for j in 0..=k {
                    let row = &gauss.running[g * count..(g + 1) * count];
                    let sum: f64 = row.iter().enumerate().map(|(h, w)| w * product(h, j, k)).sum();
                    short[g * pairs(m) + pair(j, k)] = sum * length;
                }
            }
        }
        let mass: Vec<f64> = gauss.weights.iter().map(|w| w * length * density).collect();
        let sum = |f: &dyn Fn(usize) -> f64| -> f64 { mass.iter().enumerate().map(|(g, w)| w * f(g)).sum() };
        let across = |place: usize| {
            let (j, p) = (place / pairs(m), place % pairs(m));
            sum(&|g| shape[g * m + j] * short[g * pairs(m) + p])
        };
        let square = |place: usize| {
            let (p, r) = (place / pairs(m), place % pairs(m));
            sum(&|g| short[g * pairs(m) + p] * short[g * pairs(m) + r])
        };
        Self {
            end: over(&|_| 1.0),
            zeroth: over(&|x| density * (length - x)),
            first: over(&|x| 0.5 * density * (length * length - x * x)),
            across: (0..m * pairs(m)).map(across).collect(),
            square: (0..pairs(m) * pairs(m)).map(square).collect(),
            stations: Stations {
                length: gauss.weights.iter().map(|w| w * length).collect(),
                running: gauss.running.iter().map(|w| w * length).collect(),
                mass,
                slope,
            },
        }
    }
}
