//! From samples to factors, one by one or on several threads.
//!
//! Samples are gathered into [batches](super::batch); those become triangles and are merged into the stretches of time that the
//! factors keep apart. The triangles of the whole are those of all stretches, merged at the end.
//!
//! Memory is that of some batches and of the stretches, whatever the number of samples; after [`Accumulator::new`] nothing is
//! allocated until the end.

use super::batch::{Batch, Stretch, Worker};
use super::factors::Factors;
use super::problem::Problem;
use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

/// One measured state of a robot with the torques that went with it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Time, s.
    pub t: f64,
    /// Position.
    pub q: &'a [f64],
    /// Velocity.
    pub qd: &'a [f64],
    /// Acceleration.
    pub qdd: &'a [f64],
    /// Torque; NaN where it was not measured or does not count: the joint then has no row at this sample.
    pub tau: &'a [f64],
    /// Elements of the [hysteresis](super::Hysteresis) of the drives; empty if it is not followed.
    pub z: &'a [f64],
}

/// Takes in samples one by one.
#[derive(Debug)]
pub struct Accumulator<'a> {
    worker: Worker<'a>,
    batch: Batch,
    stretch: Stretch,
    factors: Factors,
}

impl<'a> Accumulator<'a> {
    /// Of no samples.
    #[must_use]
    pub fn new(problem: &'a Problem) -> Self {
        Self {
            worker: Worker::new(problem),
            batch: Batch::new(problem),
            stretch: Stretch::new(problem),
            factors: Factors::new(problem),
        }
    }

    /// Takes in a sample, whose vectors have the model's lengths.
    pub fn add(&mut self, sample: &Sample<'_>) {
        if self.batch.is_full_for(sample.t) {
            self.take_batch();
        }
        self.batch.push(sample);
    }

    /// The factors of all samples so far.
    #[must_use]
    pub fn finish(mut self) -> Factors {
        self.take_batch();
        self.factors.sum_up();
        self.factors
    }

    fn take_batch(&mut self) {
        if self.batch.samples > 0 {
            self.worker.take(&self.batch, &mut self.stretch);
            self.factors.take(&self.stretch);
            self.batch.clear();
        }
    }
}

/// The factors of the samples that `read` gives, worked on by several threads while it reads; to the last bit those that one
/// [`Accumulator`] has. What `read` returns comes back too.
///
/// # Errors
/// That of `read`.
pub fn accumulate<T, E>(
    problem: &Problem,
    threads: usize,
    read: impl FnOnce(&mut dyn FnMut(&Sample<'_>)) -> Result<T, E>,
) -> Result<(Factors, T), E> {
    if threads <= 1 || cfg!(target_family = "wasm") {
        let mut accumulator = Accumulator::new(problem);
        let read = read(&mut |sample| accumulator.add(sample))?;
        return Ok((accumulator.finish(), read));
    }
    // Twice as many batches as threads, so that nobody waits; beyond that the reader does.
    let most = 2 * threads;
    let (work, to_do) = mpsc::sync_channel::<Job>(most);
    let (done, results) = mpsc::sync_channel::<Job>(most);
    let to_do = Mutex::new(to_do);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (to_do, done) = (&to_do, done.clone());
            scope.spawn(move || work_off(problem, to_do, &done));
        }
        drop(done);
        let spare = (0..most).map(|_| Job::new(problem)).collect();
        let mut dealer = Dealer {
            work,
            results,
            spare,
            waiting: BTreeMap::new(),
            dealt: 0,
            merged: 0,
            factors: Factors::new(problem),
        };
        let mut job = dealer.spare_job();
        let read = read(&mut |sample| {
            if job.as_ref().is_some_and(|job| job.batch.is_full_for(sample.t)) {
                dealer.deal(job.take());
                job = dealer.spare_job();
            }
            job.iter_mut().for_each(|job| job.batch.push(sample));
        })?;
        dealer.deal(job);
        Ok((dealer.finish(), read))
    })
}

/// A batch on its way to a thread and back.
struct Job {
    number: u64,
    batch: Batch,
    stretch: Stretch,
}

impl Job {
    fn new(problem: &Problem) -> Self {
        Self { number: 0, batch: Batch::new(problem), stretch: Stretch::new(problem) }
    }
}

fn work_off(problem: &Problem, to_do: &Mutex<Receiver<Job>>, done: &SyncSender<Job>) {
    let mut worker = Worker::new(problem);
    loop {
        let next = to_do.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut job) = next else { return };
        worker.take(&job.batch, &mut job.stretch);
        if done.send(job).is_err() {
            return;
        }
    }
}

/// Hands out batches and merges what comes back, in their order.
struct Dealer {
    work: SyncSender<Job>,
    results: Receiver<Job>,
    spare: Vec<Job>,
    /// Came back before an earlier one.
    waiting: BTreeMap<u64, Job>,
    dealt: u64,
    merged: u64,
    factors: Factors,
}

impl Dealer {
    /// A job to be filled; `None` only if all threads are gone.
    fn spare_job(&mut self) -> Option<Job> {
        while let Ok(job) = self.results.try_recv() {
            self.merge(job);
        }
        while self.spare.is_empty() {
            let job = self.results.recv().ok()?;
            self.merge(job);
        }
        self.spare.pop()
    }

    fn deal(&mut self, job: Option<Job>) {
        if let Some(mut job) = job.filter(|job| job.batch.samples > 0) {
            job.number = self.dealt;
            self.dealt += u64::from(self.work.send(job).is_ok());
        }
    }

    fn merge(&mut self, job: Job) {
        self.waiting.insert(job.number, job);
        while let Some(mut job) = self.waiting.remove(&self.merged) {
            self.factors.take(&job.stretch);
            self.merged += 1;
            job.batch.clear();
            self.spare.push(job);
        }
    }

    fn finish(mut self) -> Factors {
        while self.merged < self.dealt {
            let Ok(job) = self.results.recv() else { break };
            self.merge(job);
        }
        self.factors.sum_up();
        self.factors
    }
}
