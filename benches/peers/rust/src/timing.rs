//! Something that can be called at each of the states, and how long a call takes.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

/// A quantity of one library, on the states of one robot.
pub trait Measured {
    /// Computes it at the first `count` states.
    fn run(&mut self, count: usize);
    /// Calls per pass over all states.
    fn calls(&self) -> usize;
    /// What it gives at state `index`, in jourdain's order.
    fn check(&mut self, index: usize) -> Vec<f64>;

    /// The smallest time of a state over batches of at least `microseconds`, ns.
    fn fastest(&mut self, batches: usize, microseconds: f64) -> f64 {
        let calls = self.calls();
        let mut nanoseconds = |rounds: usize| {
            let start = Instant::now();
            for _ in 0..rounds {
                self.run(calls);
            }
            start.elapsed().as_secs_f64() * 1e9
        };
        nanoseconds(1);
        let rounds = 1 + (1e3 * microseconds / nanoseconds(1).max(1.0)) as usize;
        (0..batches).map(|_| nanoseconds(rounds)).fold(f64::INFINITY, f64::min) / (rounds * COUNT) as f64
    }

    /// Makes `count` calls, for counting instructions.
    fn repeat(&mut self, count: usize) {
        let calls = self.calls();
        for start in (0..count).step_by(calls) {
            self.run(calls.min(count - start));
        }
    }
}

/// Who takes turns: something to call here, or a process elsewhere, which may fail.
pub trait Candidate {
    /// What it gives at state `index`, in jourdain's order.
    fn values(&mut self, index: usize) -> Result<Vec<f64>, Box<dyn Error>>;
    /// The smallest time of a state over batches of at least `microseconds`, ns.
    fn time(&mut self, batches: usize, microseconds: f64) -> Result<f64, Box<dyn Error>>;
}

/// Something to call here.
pub struct Local<'a>(pub Box<dyn Measured + 'a>);

impl Candidate for Local<'_> {
    fn values(&mut self, index: usize) -> Result<Vec<f64>, Box<dyn Error>> {
        Ok(self.0.check(index))
    }

    fn time(&mut self, batches: usize, microseconds: f64) -> Result<f64, Box<dyn Error>> {
        Ok(self.0.fastest(batches, microseconds))
    }
}

/// A function of a state that writes to a buffer, and how to read the buffer for a comparison.
pub struct Call<'a, X, O, F, R> {
    pub states: &'a [X],
    pub out: Vec<O>,
    pub function: F,
    pub read: R,
}

impl<X, O, F: FnMut(&X, &mut [O]), R: Fn(usize, &[O]) -> Vec<f64>> Measured for Call<'_, X, O, F, R> {
    fn run(&mut self, count: usize) {
        for state in &self.states[..count] {
            (self.function)(black_box(state), &mut self.out);
            black_box(&self.out);
        }
    }

    fn calls(&self) -> usize {
        self.states.len()
    }

    fn check(&mut self, index: usize) -> Vec<f64> {
        let lanes = COUNT / self.states.len();
        (self.function)(&self.states[index / lanes], &mut self.out);
        (self.read)(index, &self.out)
    }
}

/// Number of states of a robot.
pub const COUNT: usize = 64;
