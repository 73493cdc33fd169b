//! Predicted beside measured torques: how well estimates do on data they were not made from.

use super::accumulate::Sample;
use super::predict::Predictor;
use super::problem::Problem;

/// A joint slower than this, rad/s or m/s, stands: friction there may be anything up to what it breaks loose at.
pub const STANDING: f64 = 0.02;
/// Most samples that are kept to be drawn.
const MOST_DRAWN: usize = 4096;

/// Compares torques sample by sample, in constant memory.
#[derive(Debug)]
pub struct Comparison<'a> {
    predictor: Predictor<'a>,
    samples: u64,
    /// Per joint, while it moves and while it stands.
    sums: Vec<[Sums; 2]>,
    every: u64,
    drawn: Drawn,
}

/// Of one joint: samples, Σ τ², Σ (τ − τ̂)², largest |τ − τ̂|.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    samples: u64,
    torque: f64,
    error: f64,
    largest: f64,
}

impl Sums {
    fn add(&mut self, torque: f64, error: f64) {
        self.samples += 1;
        self.torque += torque * torque;
        self.error += error * error;
        self.largest = self.largest.max(error.abs());
    }

    fn relative(&self) -> Option<f64> {
        (self.samples > 0).then(|| if self.torque > 0.0 { (self.error / self.torque).sqrt() } else { 0.0 })
    }
}

/// Torques along a log, thinned out evenly.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Times, s.
    pub t: Vec<f64>,
    /// Per joint, measured torques; none for a joint whose torque is not.
    pub measured: Vec<Vec<f64>>,
    /// Per joint, predicted torques; none for a joint whose torque is not measured.
    pub predicted: Vec<Vec<f64>>,
}

/// How well the torques of one joint are predicted.
#[derive(Clone, Copy, Debug)]
pub struct JointError {
    /// Root mean square of the measured torque.
    pub torque: f64,
    /// Root mean square of the error.
    pub error: f64,
    /// Largest error.
    pub largest: f64,
    /// The share of samples at which the joint is faster than [`STANDING`].
    pub moves: f64,
    /// Error over torque, both of samples at which the joint moves; `None` if it never does.
    pub moving: Option<f64>,
    /// The same of samples at which it stands.
    pub standing: Option<f64>,
}

impl JointError {
    /// Error over torque; zero if there is no torque.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if self.torque > 0.0 { self.error / self.torque } else { 0.0 }
    }
}

impl<'a> Comparison<'a> {
    /// Of no samples yet, with these values of the unknowns.
    #[must_use]
    pub fn new(problem: &'a Problem, values: &'a [f64]) -> Self {
        let n = problem.model().nv();
        Self {
            predictor: Predictor::new(problem, values),
            samples: 0,
            sums: vec![[Sums::default(); 2]; n],
            every: 1,
            drawn: Drawn { t: Vec::new(), measured: vec![Vec::new(); n], predicted: vec![Vec::new(); n] },
        }
    }

    /// Takes in a sample.
    pub fn add(&mut self, sample: &Sample<'_>) {
        let drawn = self.samples.is_multiple_of(self.every);
        let predictions = self.predictor.torques(sample);
        for (j, (&predicted, tau)) in predictions.iter().zip(sample.tau).enumerate() {
            // Not measured.
            if !tau.is_finite() {
                continue;
            }
            let stands = usize::from(sample.qd[j].abs() <= STANDING);
            self.sums[j][stands].add(*tau, tau - predicted);
            if drawn {
                self.drawn.measured[j].push(*tau);
                self.drawn.predicted[j].push(predicted);
            }
        }
        if drawn {
            self.drawn.t.push(sample.t);
        }
        self.samples += 1;
        if self.drawn.t.len() >= MOST_DRAWN {
            self.drawn.thin();
            self.every *= 2;
        }
    }

    /// Number of samples.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The errors of the joints.
    #[must_use]
    pub fn errors(&self) -> Vec<JointError> {
        let of = |[moving, standing]: &[Sums; 2]| {
            let n = ((moving.samples + standing.samples) as f64).max(1.0);
            JointError {
                torque: ((moving.torque + standing.torque) / n).sqrt(),
                error: ((moving.error + standing.error) / n).sqrt(),
                largest: moving.largest.max(standing.largest),
                moves: moving.samples as f64 / n,
                moving: moving.relative(),
                standing: standing.relative(),
            }
        };
        self.sums.iter().map(of).collect()
    }

    /// What there is to draw.
    #[must_use]
    pub fn drawn(&self) -> &Drawn {
        &self.drawn
    }
}

impl Drawn {
    /// Leaves every other sample out.
    fn thin(&mut self) {
        let columns = self.measured.iter_mut().chain(&mut self.predicted);
        for column in columns.chain(std::iter::once(&mut self.t)) {
            let mut index = 0;
            column.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
    }
}
