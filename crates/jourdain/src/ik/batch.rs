//! Many targets on all cores: a solver per thread, and results in memory that is used again.
//!
//! Every target is solved for as if it were alone, so that the results do not depend on the number of threads, nor on the
//! order of the work.
//!
//! ```
//! use jourdain::ik::criterion::Manipulability;
//! use jourdain::ik::{Batch, Options, Solutions, Solver, Task};
//! use jourdain::spatial::{Pose, Vector};
//!
//! let model = jourdain::robots::load("planar3r_chang").ok_or("no such robot")?;
//! let task = Task::position_xy(model.link_index("tool").ok_or("no such link")?);
//! let solver = || Solver::new(&model, task, Box::new(Manipulability::default()), Options::default());
//! let (mut batch, mut found) = (Batch::new(solver)?, Solutions::default());
//! let targets = [0.4, 0.5, 0.6].map(|x| Pose::translation(Vector([x, 0.1, 0.0])));
//! batch.solve_into(&targets, None, &mut found, || ())?;
//! assert!(found.reports().iter().all(|report| report.status.is_success()));
//! assert_eq!(found.q(2).len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::report::{IkError, Report, Solution, Status};
use super::solver::Solver;
use crate::spatial::Pose;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Solvers of one problem, one per thread.
pub struct Batch<'m> {
    solvers: Vec<Mutex<Solver<'m>>>,
    nq: usize,
}

/// What a batch has found, one entry per target in their order.
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    q: Vec<f64>,
    reports: Vec<Report>,
    /// −1, 0 or 1 per variable: at its low limit, free, at its high one.
    held: Vec<i8>,
    /// Velocity index of every variable.
    velocities: Vec<usize>,
    nq: usize,
}

impl Solutions {
    /// The certificates.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// The robot's whole position for one target.
    ///
    /// # Panics
    /// If there are not as many.
    #[must_use]
    pub fn q(&self, index: usize) -> &[f64] {
        &self.q[index * self.nq..(index + 1) * self.nq]
    }

    /// One of them, on its own.
    ///
    /// # Panics
    /// If there are not as many.
    #[must_use]
    pub fn solution(&self, index: usize) -> Solution {
        let n = self.velocities.len();
        let held = self.held[index * n..(index + 1) * n].iter().zip(&self.velocities);
        let active = held.filter(|(held, _)| **held != 0).map(|(_, velocity)| *velocity).collect();
        Solution { q: self.q(index).to_vec(), report: self.reports[index], active }
    }
}

impl<'m> Batch<'m> {
    /// As many solvers as there are threads.
    ///
    /// # Errors
    /// What the maker of solvers says.
    pub fn new<E>(make: impl Fn() -> Result<Solver<'m>, E>) -> Result<Self, E> {
        let count = rayon::current_num_threads().max(1);
        let solvers = (0..count).map(|_| make().map(Mutex::new)).collect::<Result<Vec<_>, E>>()?;
        let nq = solvers.first().map_or(0, |solver| lock(solver).model.nq());
        Ok(Self { solvers, nq })
    }

    /// Solves for every target as [`Solver::solve`] does, all from the same start if there is one. `done` is called after each,
    /// from any thread. Once `out` has grown to its size, nothing is allocated per target.
    ///
    /// # Errors
    /// If a target or the start is none; no target is solved for then.
    pub fn solve_into(
        &mut self,
        targets: &[Pose<f64>],
        start: Option<&[f64]>,
        out: &mut Solutions,
        done: impl Fn() + Sync,
    ) -> Result<(), IkError> {
        let Some(first) = self.solvers.first() else { return Ok(()) };
        let (start, n) = {
            let mut solver = lock(first);
            targets.iter().try_for_each(|target| solver.set_target(target))?;
            out.velocities.clear();
            out.velocities.extend(solver.chain.variables.iter().map(|variable| variable.velocity));
            (start.map(|start| solver.first_start(Some(start))).transpose()?, solver.chain.variables.len())
        };
        let (count, nq) = (targets.len(), self.nq);
        out.nq = nq;
        out.q.resize(count * nq, 0.0);
        out.held.resize(count * n, 0);
        out.reports.resize(count, Report::of_pose(Status::NotFound, f64::INFINITY));
        // Chunks of no numbers are none.
        let (q, held) = (out.q.par_chunks_mut(nq.max(1)), out.held.par_chunks_mut(n.max(1)));
        let places = targets.par_iter().zip(q).zip(held).zip(&mut out.reports);
        places.try_for_each(|(((target, q), held), report)| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.solvers.len();
            let mut solver = lock(&self.solvers[thread]);
            if let Some(start) = &start {
                q.copy_from_slice(start);
            }
            *report = solver.best_into(target, q, start.is_some())?;
            held.copy_from_slice(&solver.local.held);
            done();
            Ok(())
        })
    }
}

/// A solver is no worse for a panic elsewhere: it starts anew with every target.
fn lock<'a, 'm>(solver: &'a Mutex<Solver<'m>>) -> std::sync::MutexGuard<'a, Solver<'m>> {
    solver.lock().unwrap_or_else(PoisonError::into_inner)
}
