//! Torques that no model explains: sensor faults, contacts, lines that were damaged.
//!
//! Least squares believes them, one in a hundred moves parameters by many deviations. They show against an estimate: a residual beyond
//! five times the median size of the joint's residuals (scaled so that normal errors have their standard deviation), which happens to
//! normal errors once in two million samples. A log is read again with those torques left out; the estimate of that pass is better, and a third
//! pass settles what counts.
//!
//! Where several estimates are at hand all must find the torque a fault: what one model of the drive does not explain at reversals, another may.
//!
//! The median comes from a [`Choice`] of samples that is kept in memory; it does not grow with the log.
//!
//! Trap: where the model is wrong over whole stretches its residuals are no faults of the data. A joint that more than a tenth of
//! its torques would be left out of keeps them all.

use super::accumulate::Sample;
use super::predict::Predictor;
use super::problem::Problem;

/// Residuals beyond this many standard deviations do not count.
pub const BEYOND: f64 = 5.0;
/// Standard deviation of normal errors over their median size.
const NORMAL: f64 = 1.4826;
/// Most torques of a joint that can be faults.
const MOST: f64 = 0.1;
/// Residuals below this share of the joint's torque are rounding.
const ROUNDING: f64 = 1e-6;
/// Samples that are kept, at most.
const KEPT: usize = 4096;
/// Stretches that are named.
const NAMED: usize = 64;

/// Samples out of all, evenly over the log.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Of the first sample.
    width: [usize; 5],
    /// One out of so many is kept, as a power of two.
    halvings: u32,
    seen: u64,
    /// Time and numbers of each sample, one after the other.
    numbers: Vec<f64>,
}

impl Choice {
    fn stride(&self) -> usize {
        1 + self.width.iter().sum::<usize>()
    }

    /// Takes in a sample, or passes over it.
    pub fn add(&mut self, sample: &Sample<'_>) {
        let parts = [sample.q, sample.qd, sample.qdd, sample.tau, sample.z];
        let width = parts.map(<[f64]>::len);
        if self.numbers.is_empty() {
            self.width = width;
        }
        if self.seen.trailing_zeros() >= self.halvings && width == self.width {
            self.numbers.push(sample.t);
            parts.iter().for_each(|part| self.numbers.extend_from_slice(part));
            if self.numbers.len() >= KEPT * self.stride() {
                self.thin();
            }
        }
        self.seen += 1;
    }

    /// Leaves every other sample out.
    fn thin(&mut self) {
        let (stride, mut index) = (self.stride(), 0);
        self.numbers.retain(|_| {
            index += 1;
            ((index - 1) / stride).is_multiple_of(2)
        });
        self.halvings += 1;
    }

    /// The samples.
    fn samples(&self) -> impl Iterator<Item = Sample<'_>> {
        self.numbers.chunks_exact(self.stride()).map(|numbers| {
            let (t, mut rest) = (numbers[0], &numbers[1..]);
            let [q, qd, qdd, tau, z] = self.width.map(|width| {
                let (part, others) = rest.split_at(width);
                rest = others;
                part
            });
            Sample { t, q, qd, qdd, tau, z }
        })
    }
}

/// Consecutive torques of a joint that do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Degree of freedom.
    pub joint: usize,
    /// Time of the first, s.
    pub from: f64,
    /// Time of the last, s.
    pub to: f64,
    /// How many they are.
    pub count: u64,
}

/// Lets samples through without the torques that estimates show to be faults.
#[derive(Debug)]
pub struct Screen<'a> {
    judges: Vec<Judge<'a>>,
    doubtful: Vec<usize>,
    /// The choice has all samples, and none is a fault.
    needless: bool,
    tau: Vec<f64>,
    faults: Vec<bool>,
    left_out: Vec<u64>,
    stretches: Vec<Stretch>,
    /// Per joint, the stretch that the last sample was part of.
    open: Vec<Option<usize>>,
}

/// An estimate, and how large its residuals may be.
#[derive(Debug)]
struct Judge<'a> {
    predictor: Predictor<'a>,
    limits: Vec<f64>,
}

impl<'a> Judge<'a> {
    fn new(problem: &'a Problem, values: &'a [f64], choice: &Choice) -> Self {
        let (n, mut predictor) = (problem.model().nv(), Predictor::new(problem, values));
        let (mut sizes, mut squares) = (vec![Vec::new(); n], vec![0.0; n]);
        for sample in choice.samples() {
            let torques = sample.tau.iter().zip(predictor.torques(&sample)).enumerate();
            for (j, (tau, predicted)) in torques.filter(|(_, (tau, _))| tau.is_finite()) {
                sizes[j].push((tau - predicted).abs());
                squares[j] += tau * tau;
            }
        }
        let limit = |(sizes, square): (&mut Vec<f64>, &f64)| {
            let (count, middle) = (sizes.len() as f64, sizes.len() / 2);
            if sizes.is_empty() {
                return f64::INFINITY;
            }
            let median = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
            let limit = (BEYOND * NORMAL * median).max(ROUNDING * (square / count).sqrt());
            if limit > 0.0 { limit } else { f64::INFINITY }
        };
        let limits = sizes.iter_mut().zip(&squares).map(limit).collect();
        Self { predictor, limits }
    }

    /// Takes back the suspicion against torques that this estimate explains.
    fn judge(&mut self, sample: &Sample<'_>, faults: &mut [bool]) {
        let torques = sample.tau.iter().zip(self.predictor.torques(sample)).zip(&self.limits);
        for (fault, ((tau, predicted), limit)) in faults.iter_mut().zip(torques) {
            *fault &= (tau - predicted).abs() > *limit;
        }
    }
}

impl<'a> Screen<'a> {
    /// With the values of estimates, all of which must find a torque a fault, and samples that tell how large their residuals usually are.
    #[must_use]
    pub fn new(estimates: &[(&'a Problem, &'a [f64])], choice: &Choice) -> Self {
        let mut judges: Vec<Judge<'a>> =
            estimates.iter().map(|(problem, values)| Judge::new(problem, values, choice)).collect();
        let n = estimates.first().map_or(0, |(problem, _)| problem.model().nv());
        let (mut seen, mut beyond, mut faults) = (vec![0_u32; n], vec![0_u32; n], vec![true; n]);
        for sample in choice.samples() {
            faults.fill(true);
            judges.iter_mut().for_each(|judge| judge.judge(&sample, &mut faults));
            for (j, _) in sample.tau.iter().enumerate().filter(|(_, tau)| tau.is_finite()) {
                seen[j] += 1;
                beyond[j] += u32::from(faults[j]);
            }
        }
        let doubtful: Vec<usize> = (0..n).filter(|&j| f64::from(beyond[j]) > MOST * f64::from(seen[j])).collect();
        let needless = choice.halvings == 0 && (0..n).all(|j| beyond[j] == 0 || doubtful.contains(&j));
        for judge in &mut judges {
            doubtful.iter().for_each(|&j| judge.limits[j] = f64::INFINITY);
        }
        let (tau, left_out, stretches, open) = (vec![0.0; n], vec![0; n], Vec::new(), vec![None; n]);
        Self { judges, doubtful, needless, tau, faults, left_out, stretches, open }
    }

    /// Gives a sample to `take`, with NaN for torques that do not count.
    pub fn pass(&mut self, sample: &Sample<'_>, mut take: impl FnMut(&Sample<'_>)) {
        let Self { judges, tau, faults, left_out, stretches, open, .. } = self;
        tau.copy_from_slice(sample.tau);
        faults.fill(!judges.is_empty());
        judges.iter_mut().for_each(|judge| judge.judge(sample, faults));
        for (j, is_fault) in faults.iter().enumerate() {
            if !is_fault {
                open[j] = None;
                continue;
            }
            tau[j] = f64::NAN;
            left_out[j] += 1;
            match open[j] {
                Some(at) => {
                    stretches[at].to = sample.t;
                    stretches[at].count += 1;
                }
                None if stretches.len() < NAMED => {
                    open[j] = Some(stretches.len());
                    stretches.push(Stretch { joint: j, from: sample.t, to: sample.t, count: 1 });
                }
                None => {}
            }
        }
        take(&Sample { tau, ..*sample });
    }

    /// Another log begins: no stretch goes on.
    pub fn restart(&mut self) {
        self.open.fill(None);
    }

    /// Residuals of the first estimate beyond this, per joint, are suspected; infinite where all torques count.
    #[must_use]
    pub fn limits(&self) -> &[f64] {
        self.judges.first().map_or(&[], |judge| &judge.limits)
    }

    /// True if all samples are known to pass as they are: the log need not be read for it.
    #[must_use]
    pub fn is_needless(&self) -> bool {
        self.needless
    }

    /// Joints whose residuals are so often large that it is the model that does not fit.
    #[must_use]
    pub fn doubtful(&self) -> &[usize] {
        &self.doubtful
    }

    /// How many torques were left out, per joint.
    #[must_use]
    pub fn left_out(&self) -> &[u64] {
        &self.left_out
    }

    /// Where the first of them are, in order of time.
    #[must_use]
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }
}
