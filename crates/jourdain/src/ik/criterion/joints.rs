//! Criteria that are sums over joints: distance to the middle of the range, to a home posture, to the limits.

use super::{Criterion, Point};
use crate::ik::chain::Chain;
use crate::model::Model;
use crate::spatial::{Quaternion, Vector};

/// What one variable adds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    /// Nothing.
    None,
    /// ½ k (q − center)².
    Spring { center: f64, k: f64 },
    /// ((high − low)/2)²/((high − q)(q − low)), Ch (12) for limits that need not be symmetric.
    Barrier { low: f64, high: f64 },
}

/// A joint with a quaternion that is drawn to an attitude: ½ k |log(Q*⁻¹ Q)|², and for free joints ½ k |p − p*|².
#[derive(Clone, Copy, Debug)]
struct Attitude {
    /// First variable of the three rotations.
    variable: usize,
    /// First quaternion number in `q`.
    q: usize,
    home: Quaternion<f64>,
    k: f64,
    /// First variable and first number of the position, and its home.
    position: Option<(usize, usize, Vector<f64>)>,
}

/// A sum of functions of one joint number each.
#[derive(Clone, Debug)]
pub struct Joints {
    terms: Vec<Term>,
    attitudes: Vec<Attitude>,
}

impl Joints {
    /// ½ Σ ((q − middle)/half range)²; joints without limits are left out.
    #[must_use]
    pub fn mid_range(chain: &Chain) -> Self {
        let term = |[low, high]: [f64; 2]| {
            let half = 0.5 * (high - low);
            if half.is_finite() && half > 0.0 {
                Term::Spring { center: 0.5 * (low + high), k: 1.0 / (half * half) }
            } else {
                Term::None
            }
        };
        let terms = chain.variables().iter().map(|variable| term(variable.limits)).collect();
        Self { terms, attitudes: Vec::new() }
    }

    /// Σ (half range)²/((high − q)(q − low)); joints without limits are left out.
    ///
    /// # Reference
    /// Ch (12), second sum, for any limits.
    #[must_use]
    pub fn limit_barrier(chain: &Chain) -> Self {
        let term = |[low, high]: [f64; 2]| {
            let bounded = low.is_finite() && high.is_finite() && high > low;
            if bounded { Term::Barrier { low, high } } else { Term::None }
        };
        let terms = chain.variables().iter().map(|variable| term(variable.limits)).collect();
        Self { terms, attitudes: Vec::new() }
    }

    /// The barrier with limits of its own, one pair per variable.
    #[must_use]
    pub fn barrier_between(limits: &[[f64; 2]]) -> Self {
        let terms = limits.iter().map(|&[low, high]| Term::Barrier { low, high }).collect();
        Self { terms, attitudes: Vec::new() }
    }

    /// ½ Σ k (q − center)², one pair (center, k) per variable.
    #[must_use]
    pub fn springs(springs: &[(f64, f64)]) -> Self {
        let terms = springs.iter().map(|&(center, k)| Term::Spring { center, k }).collect();
        Self { terms, attitudes: Vec::new() }
    }

    /// ½ Σ k (q − home)²: `home` is a position of the whole robot; `weights` one per velocity, or empty for ones. Joints
    /// with a quaternion are drawn to their attitude, the first of their weights counting.
    ///
    /// # Panics
    /// If `home` is shorter than the robot's position, or `weights` neither empty nor one per velocity.
    #[must_use]
    pub fn home(model: &Model<f64>, chain: &Chain, home: &[f64], weights: &[f64]) -> Self {
        let weight = |velocity: usize| if weights.is_empty() { 1.0 } else { weights[velocity] };
        let terms = chain.variables().iter().map(|variable| match variable.position {
            Some(position) => Term::Spring { center: home[position], k: weight(variable.velocity) },
            None => Term::None,
        });
        let terms = terms.collect();
        let attitude = |&(first, link): &(usize, usize)| {
            let at = &model.links()[link];
            let free = at.joint.nv() == 6;
            let (variable, q) = if free { (first + 3, at.q + 3) } else { (first, at.q) };
            let place = |q: usize| Vector([home[q], home[q + 1], home[q + 2]]);
            Attitude {
                variable,
                q,
                home: Quaternion::new([home[q], home[q + 1], home[q + 2], home[q + 3]]).normalized(),
                k: weight(at.v),
                position: free.then(|| (first, at.q, place(at.q))),
            }
        };
        Self { terms, attitudes: chain.quaternions().iter().map(attitude).collect() }
    }

    fn position(at: &Point<'_>, variable: usize) -> f64 {
        at.variables()[variable].position.map_or(0.0, |position| at.q[position])
    }
}

impl Attitude {
    fn rotation(&self, at: &Point<'_>) -> (Vector<f64>, Quaternion<f64>) {
        let q = Quaternion::new(std::array::from_fn(|i| at.q[self.q + i]));
        ((self.home.conjugate() * q).log(), q)
    }

    fn offset(&self, at: &Point<'_>) -> Option<(usize, Vector<f64>)> {
        let (variable, q, home) = self.position?;
        Some((variable, Vector([at.q[q], at.q[q + 1], at.q[q + 2]]) - home))
    }
}

impl Criterion for Joints {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        let mut sum = 0.0;
        for (i, term) in self.terms.iter().enumerate() {
            let x = Self::position(at, i);
            sum += match *term {
                Term::None => 0.0,
                Term::Spring { center, k } => 0.5 * k * (x - center) * (x - center),
                Term::Barrier { low, high } if x > low && x < high => {
                    0.25 * (high - low) * (high - low) / ((high - x) * (x - low))
                }
                Term::Barrier { .. } => f64::INFINITY,
            };
        }
        for attitude in &self.attitudes {
            sum += 0.5 * attitude.k * attitude.rotation(at).0.norm_squared();
            sum += attitude.offset(at).map_or(0.0, |(_, d)| 0.5 * attitude.k * d.norm_squared());
        }
        sum
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        for (i, term) in self.terms.iter().enumerate() {
            let x = Self::position(at, i);
            out[i] = match *term {
                Term::None => 0.0,
                Term::Spring { center, k } => k * (x - center),
                Term::Barrier { low, high } => {
                    let (a, b, r) = (high - x, x - low, 0.25 * (high - low) * (high - low));
                    r * (b - a) / (a * a * b * b)
                }
            };
        }
        for attitude in &self.attitudes {
            let (phi, q) = attitude.rotation(at);
            // ∂(½|log R|²) along R·exp(ε ê) is log R itself: J_r⁻ᵀ φ = φ.
            (0..3).for_each(|i| out[attitude.variable + i] = attitude.k * phi[i]);
            if let Some((variable, offset)) = attitude.offset(at) {
                let body = q.to_rotation().apply_inverse(offset);
                (0..3).for_each(|i| out[variable + i] = attitude.k * body[i]);
            }
        }
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        let n = self.terms.len();
        out.fill(0.0);
        for (i, term) in self.terms.iter().enumerate() {
            let x = Self::position(at, i);
            out[i * n + i] = match *term {
                Term::None => 0.0,
                Term::Spring { k, .. } => k,
                Term::Barrier { low, high } => {
                    let (a, b, r) = (high - x, x - low, 0.25 * (high - low) * (high - low));
                    let (p, d) = (a * b, a - b);
                    // H = r/p, p' = d, p'' = −2.
                    r * (2.0 * d * d + 2.0 * p) / (p * p * p)
                }
            };
        }
        // The attitude's Hessian is left to differences of the gradient.
        self.attitudes.is_empty()
    }

    fn domain(&self, variable: usize) -> Option<[f64; 2]> {
        match self.terms.get(variable) {
            Some(&Term::Barrier { low, high }) => Some([low, high]),
            _ => None,
        }
    }
}
