//! What an estimate leaves unexplained along a log: where it is largest, and whether it is noise.
//!
//! If a model has all there is, residuals are white: one tells nothing of the next. With ρ_l their correlation over l samples
//! the test of Ljung and Box is Q = n (n + 2) Σ_l ρ_l²/(n − l) over [`LAGS`] lags, which of white residuals has a χ² distribution with as
//! many degrees of freedom; in long logs every model fails it, and ρ_1 tells by how much.

use super::accumulate::Sample;
use super::predict::Predictor;
use super::problem::Problem;

/// Lags of the test.
pub const LAGS: usize = 20;
/// What Q stays below in 99 of 100 logs with white residuals: the quantile of χ² with [`LAGS`] degrees of freedom.
const WHITE: f64 = 37.566;
/// Large residuals that are kept, per joint.
const LARGEST: usize = 5;
/// Seconds within which large residuals are one event.
const EVENT: f64 = 0.1;

/// A residual at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Time, s.
    pub t: f64,
    /// Measured less predicted torque, N m or N.
    pub residual: f64,
}

/// What is left of the torques of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointResiduals {
    /// Torques that count.
    pub samples: u64,
    /// Root mean square, N m or N.
    pub rms: f64,
    /// Mean, N m or N.
    pub mean: f64,
    /// Correlation of neighbours, ρ_1, from −1 to 1.
    pub autocorrelation: f64,
    /// Q of Ljung and Box over its degrees of freedom: about one if the residuals are white.
    pub portmanteau: f64,
    /// Q is what white residuals have in 99 of 100 logs.
    pub white: bool,
    /// The largest, the largest first, no two within a tenth of a second.
    pub largest: Vec<Peak>,
}

/// Follows the residuals of an estimate sample by sample, in constant memory.
#[derive(Debug)]
pub struct Residuals<'a> {
    predictor: Predictor<'a>,
    joints: Vec<Joint>,
    limits: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
struct Joint {
    samples: u64,
    sum: f64,
    squares: f64,
    /// The last ones, in a ring; those before the beginning are zero.
    last: [f64; LAGS],
    /// Σ r_i r_{i−l}, l from 1.
    products: [f64; LAGS],
    largest: Vec<Peak>,
}

impl<'a> Residuals<'a> {
    /// Of no samples yet.
    #[must_use]
    pub fn new(problem: &'a Problem, values: &'a [f64]) -> Self {
        let n = problem.model().nv();
        let (predictor, joints) = (Predictor::new(problem, values), vec![Joint::default(); n]);
        Self { predictor, joints, limits: vec![f64::INFINITY; n] }
    }

    /// The same for torques whose residuals are within limits, one per joint; others are only looked at for the largest.
    #[must_use]
    pub fn within(mut self, limits: &[f64]) -> Self {
        self.limits = limits.to_vec();
        self
    }

    /// Takes in a sample; torques that are NaN do not count.
    pub fn add(&mut self, sample: &Sample<'_>) {
        let predicted = self.predictor.torques(sample);
        let joints = self.joints.iter_mut().zip(&self.limits);
        for (((joint, limit), tau), predicted) in joints.zip(sample.tau).zip(predicted) {
            let residual = tau - predicted;
            if residual.abs() <= *limit {
                joint.add(residual);
            }
            if residual.is_finite() {
                joint.note(Peak { t: sample.t, residual });
            }
        }
    }

    /// Another log begins: its first residuals follow none.
    pub fn restart(&mut self) {
        self.joints.iter_mut().for_each(|joint| joint.last = [0.0; LAGS]);
    }

    /// What came of it, joint by joint.
    #[must_use]
    pub fn joints(&self) -> Vec<JointResiduals> {
        self.joints.iter().map(Joint::summary).collect()
    }
}

impl Joint {
    fn add(&mut self, residual: f64) {
        let at = (self.samples % LAGS as u64) as usize;
        for (lag, product) in self.products.iter_mut().enumerate() {
            *product += residual * self.last[(at + LAGS - 1 - lag) % LAGS];
        }
        self.last[at] = residual;
        self.samples += 1;
        self.sum += residual;
        self.squares += residual * residual;
    }

    /// Keeps the peak if it is one of the largest.
    fn note(&mut self, peak: Peak) {
        let size = |peak: &Peak| peak.residual.abs();
        if self.largest.len() == LARGEST && self.largest.last().is_some_and(|least| size(least) >= size(&peak)) {
            return;
        }
        if let Some(at) = self.largest.iter().position(|other| (other.t - peak.t).abs() < EVENT) {
            if size(&self.largest[at]) >= size(&peak) {
                return;
            }
            self.largest.remove(at);
        }
        let at = self.largest.partition_point(|other| size(other) >= size(&peak));
        self.largest.insert(at, peak);
        self.largest.truncate(LARGEST);
    }

    fn summary(&self) -> JointResiduals {
        let n = self.samples as f64;
        let share = |x: f64| if self.squares > 0.0 { x / self.squares } else { 0.0 };
        let lags = LAGS.min(usize::try_from(self.samples.saturating_sub(1)).unwrap_or(LAGS));
        let terms = self.products[..lags].iter().enumerate();
        let q: f64 =
            terms.map(|(lag, product)| share(*product).powi(2) / (n - lag as f64 - 1.0)).sum::<f64>() * n * (n + 2.0);
        JointResiduals {
            samples: self.samples,
            rms: (self.squares / n.max(1.0)).sqrt(),
            mean: self.sum / n.max(1.0),
            autocorrelation: share(self.products[0]),
            portmanteau: q / LAGS as f64,
            white: q <= WHITE,
            largest: self.largest.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn joint(residuals: &[f64]) -> JointResiduals {
        let mut joint = Joint::default();
        for (i, &residual) in residuals.iter().enumerate() {
            joint.add(residual);
            joint.note(Peak { t: 0.01 * i as f64, residual });
        }
        joint.summary()
    }

    /// The second witness: correlations by their definition, over the whole list.
    #[test]
    fn correlations_are_those_of_the_whole_list() {
        let list = Random(4).vector(333);
        let square: f64 = list.iter().map(|x| x * x).sum();
        let rho = |lag: usize| list[lag..].iter().zip(&list).map(|(a, b)| a * b).sum::<f64>() / square;
        let n = list.len() as f64;
        let q: f64 = (1..=LAGS).map(|lag| rho(lag).powi(2) / (n - lag as f64)).sum::<f64>() * n * (n + 2.0);
        let found = joint(&list);
        assert!((found.autocorrelation - rho(1)).abs() < 1e-14);
        assert!((found.portmanteau - q / LAGS as f64).abs() < 1e-12);
    }

    #[test]
    fn white_residuals_are_told_from_others() {
        let mut white = 0;
        for seed in 1..=200 {
            let list = Random(seed).vector(400);
            white += usize::from(joint(&list).white);
            let mut slow = vec![0.0; list.len()];
            (1..list.len()).for_each(|i| slow[i] = 0.6 * slow[i - 1] + list[i]);
            let slow = joint(&slow);
            assert!(!slow.white && (slow.autocorrelation - 0.6).abs() < 0.15, "seed {seed}: {slow:?}");
        }
        assert!((192..=200).contains(&white), "{white} of 200 white ones");
    }

    #[test]
    fn the_largest_are_kept_once_per_event() {
        let mut list = vec![0.1; 1000];
        for (at, x) in [(100, 3.0), (103, -4.0), (106, 2.0), (500, -1.0), (900, 5.0)] {
            list[at] = x;
        }
        let largest = joint(&list).largest;
        let found: Vec<f64> = largest.iter().take(3).map(|peak| peak.residual).collect();
        assert_eq!((found, largest.len()), (vec![5.0, -4.0, -1.0], LARGEST));
        assert!((largest[1].t - 1.03).abs() < 1e-12);
        assert_eq!(joint(&[]).largest, []);
        assert!(!joint(&[]).rms.is_nan() && !joint(&[0.0; 3]).portmanteau.is_nan());
    }
}
