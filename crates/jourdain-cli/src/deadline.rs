//! `--time-limit`: work that takes too long ends with a message that says how far it came.
//!
//! Operations ask now and then whether they are to go on, and end by themselves. Trap: some are at one thing for long; after a grace the
//! program ends around them, and what is not completely written goes with it.

use crate::output::Output;
use jourdain_kit::problem::Problem;
use jourdain_kit::write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long work that is no longer wanted may take to end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// The longest limit, s: what is longer is none.
pub const LONGEST: f64 = 1e9;

/// When work has to end, and how far it is.
pub struct Deadline {
    limit: Duration,
    begun: Instant,
    /// How far the work is, from 0 to 1, as bits.
    share: Arc<AtomicU64>,
    /// Dropped when the work has ended.
    _work: Sender<()>,
}

impl Deadline {
    /// So many seconds from now.
    ///
    /// # Errors
    /// The system gives no thread that could watch.
    pub fn new(seconds: f64, output: Output) -> Result<Self, Problem> {
        let limit = Duration::from_secs_f64(seconds);
        let share = Arc::new(AtomicU64::new(0));
        let (work, ended) = mpsc::channel();
        let watched = Arc::clone(&share);
        let watch = move || {
            if ended.recv_timeout(limit + GRACE) == Err(RecvTimeoutError::Timeout) {
                write::abandon();
                let code = output.tell(&over(limit, share_of(&watched)));
                std::process::exit(i32::from(code));
            }
        };
        thread::Builder::new().spawn(watch).map_err(|error| {
            Problem::new("no-threads", format!("the system gives no thread for --time-limit: {error}"))
                .hint("allow more processes (ulimit -u), or leave --time-limit out")
        })?;
        Ok(Self { limit, begun: Instant::now(), share, _work: work })
    }

    /// Takes how far the work is.
    pub fn progress(&self, share: f64) {
        self.share.store(share.to_bits(), Ordering::Relaxed);
    }

    /// True once the time is over.
    pub fn is_over(&self) -> bool {
        self.begun.elapsed() >= self.limit
    }

    /// What is told of work that ended because of it.
    pub fn problem(&self) -> Problem {
        over(self.limit, share_of(&self.share))
    }
}

fn share_of(share: &AtomicU64) -> f64 {
    f64::from_bits(share.load(Ordering::Relaxed))
}

fn over(limit: Duration, share: f64) -> Problem {
    let (seconds, percent) = (limit.as_secs_f64(), (100.0 * share.clamp(0.0, 1.0)).floor());
    let message = format!("stopped after {seconds} s, as --time-limit asks; {percent} % of the work was done");
    Problem::new("time-limit", message).hint("allow more time, or ask for less").unsolved()
}
