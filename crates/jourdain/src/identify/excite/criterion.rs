//! What makes one motion better than another.
//!
//! All are told by G = WᵀW/N of the stacked regressor, rows in units of the joints' torque limits: the condition number with columns of
//! unit length, which is what noise is amplified by at worst; the determinant, which is the volume of what the parameters may be; or the
//! deviations of the parameters that matter.
//!
//! Trap: deviations are those of errors that are independent from sample to sample. Errors of real drives are not: they are told
//! relative to each other, and their size is a lower bound.

use crate::spectral;
use nalgebra::{Cholesky, DMatrix};

/// The criterion of a motion that does not show some parameter at all.
pub const BLIND: f64 = 1e12;

/// What is made small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// The condition number.
    #[default]
    Condition,
    /// The geometric mean of the axes of the ellipsoid of deviations: det(G)^(−1/2p), D-optimality.
    Determinant,
    /// The geometric mean of the deviations of some unknowns, by index; of all if there are none.
    Deviation(Vec<usize>),
}

/// What is known of a motion: the regressor along it, squared.
pub(super) struct Information<'g> {
    /// The lower triangle counts.
    pub gram: &'g DMatrix<f64>,
    /// Samples it is the sum of.
    pub samples: usize,
}

impl Information<'_> {
    /// With columns of unit length, and the lengths; `None` if a column is zero.
    fn scaled(&self) -> Option<(DMatrix<f64>, Vec<f64>)> {
        let p = self.gram.nrows();
        let lengths: Vec<f64> = (0..p).map(|k| self.gram[(k, k)].sqrt()).collect();
        if lengths.iter().any(|length| !(*length > 0.0 && length.is_finite())) {
            return None;
        }
        let scaled = DMatrix::from_fn(p, p, |i, k| {
            let (row, column) = (i.max(k), i.min(k));
            self.gram[(row, column)] / (lengths[row] * lengths[column])
        });
        Some((scaled, lengths))
    }

    /// The value of a criterion, less being better.
    pub fn value(&self, criterion: &Criterion) -> f64 {
        let value = match criterion {
            Criterion::Condition => self.condition(),
            Criterion::Determinant => self.volume(),
            Criterion::Deviation(unknowns) => {
                let deviations = self.deviations();
                let all: Vec<usize> = (0..deviations.len()).collect();
                let chosen = if unknowns.is_empty() { &all } else { unknowns };
                let sum: f64 = chosen.iter().map(|k| deviations[*k].ln()).sum();
                (sum / chosen.len().max(1) as f64).exp()
            }
        };
        if value.is_finite() { value.min(BLIND) } else { BLIND }
    }

    /// The condition number with columns of unit length.
    pub fn condition(&self) -> f64 {
        let Some((scaled, _)) = self.scaled() else { return BLIND };
        let Some(eigen) = spectral::symmetric(scaled) else { return BLIND };
        let values = eigen.eigenvalues;
        let (smallest, largest) = (values.min(), values.max());
        if smallest > 0.0 { (largest / smallest).sqrt().min(BLIND) } else { BLIND }
    }

    fn volume(&self) -> f64 {
        let Some((scaled, lengths)) = self.scaled() else { return BLIND };
        let Some(factor) = Cholesky::new(scaled) else { return BLIND };
        let root = (self.samples as f64).sqrt();
        let logs: f64 =
            lengths.iter().enumerate().map(|(k, length)| (factor.l_dirty()[(k, k)] * length / root).ln()).sum();
        (-logs / lengths.len().max(1) as f64).exp()
    }

    /// √(G⁻¹)ₖₖ: the deviation of each unknown with one sample and noise as large as the torque limits.
    pub fn deviations(&self) -> Vec<f64> {
        let blind = || vec![BLIND; self.gram.nrows()];
        let Some((scaled, lengths)) = self.scaled() else { return blind() };
        let Some(factor) = Cholesky::new(scaled) else { return blind() };
        let (inverse, root) = (factor.inverse(), (self.samples as f64).sqrt());
        lengths.iter().enumerate().map(|(k, length)| (inverse[(k, k)].sqrt() * root / length).min(BLIND)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Against singular values of the stacked matrix itself, which is never squared.
    #[test]
    fn criteria_are_those_of_the_singular_values() {
        for seed in 0..20 {
            let mut random = Random(seed);
            let (rows, p) = (40, 5);
            let stacked = DMatrix::from_fn(rows, p, |_, k| random.signed() * 10_f64.powi(k as i32 - 2));
            let gram = stacked.transpose() * &stacked;
            let information = Information { gram: &gram, samples: rows };
            let mean = &stacked / (rows as f64).sqrt();
            let svd = mean.clone().svd(false, true);
            let right = svd.v_t.unwrap();
            let deviation =
                |k: usize| (0..p).map(|i| (right[(i, k)] / svd.singular_values[i]).powi(2)).sum::<f64>().sqrt();
            let volume = svd.singular_values.iter().product::<f64>().powf(-1.0 / p as f64);
            assert!((information.value(&Criterion::Determinant) / volume - 1.0).abs() < 1e-9, "seed {seed}");
            let found = information.deviations();
            for k in 0..p {
                assert!((found[k] / deviation(k) - 1.0).abs() < 1e-8, "seed {seed}, {k}");
            }
            let two = information.value(&Criterion::Deviation(vec![1, 3]));
            assert!((two / (deviation(1) * deviation(3)).sqrt() - 1.0).abs() < 1e-8, "seed {seed}");
            let mut unit = stacked.clone();
            unit.column_iter_mut().for_each(|mut column| {
                let length = column.norm();
                column /= length;
            });
            let values = unit.singular_values();
            assert!((information.condition() / (values.max() / values.min()) - 1.0).abs() < 1e-8, "seed {seed}");
        }
    }

    #[test]
    fn a_column_of_zeros_is_blind_in_every_criterion() {
        let mut gram = DMatrix::identity(3, 3);
        gram[(1, 1)] = 0.0;
        let information = Information { gram: &gram, samples: 1 };
        for criterion in [Criterion::Condition, Criterion::Determinant, Criterion::Deviation(Vec::new())] {
            assert!(information.value(&criterion) > 0.99 * BLIND, "{criterion:?}");
        }
    }
}
