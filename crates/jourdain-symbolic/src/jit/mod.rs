//! Programs as callable functions: machine code of our own where the processor and the system allow it, the tape elsewhere.
//!
//! The emitter is for x86-64 with AVX2 and FMA. It makes two functions, for one state and for four at once; sines and
//! cosines are taken before, vectorised over joints or states. `JOURDAIN_NO_JIT=1` in the environment forces the tape.
//!
//! ```
//! use jourdain_symbolic::{Compiled, Expr, Program, Scalar};
//!
//! let x = Expr::symbol("x");
//! let (sin, cos) = x.sin_cos();
//! let compiled = Compiled::new(&Program::new(&[("x", &[x])], &[("y", &[sin * cos])])?);
//! let (mut scratch, mut out) = (compiled.scratch(), [0.0; 5]);
//! compiled.run_batch(&[0.0, 0.1, 0.2, 0.3, 0.4], &mut scratch, &mut out);
//! assert!((out[4] - 0.4_f64.sin() * 0.4_f64.cos()).abs() < 1e-15);
//! # Ok::<(), jourdain_symbolic::UnknownSymbol>(())
//! ```

// Miri interprets no machine code: there, as on other processors, the tape serves.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod allocate;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod assemble;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code)]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod encode;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod layout;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod memory;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code)]
mod native;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod results;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod windows;

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use avx2::sin_cos_if_fused;

/// There are no such registers.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn sin_cos_if_fused(_: &[f64], _: &mut [f64], _: &mut [f64]) -> bool {
    false
}

use crate::program::{Program, Tape, TapeScratch};
use core::sync::atomic::{AtomicU64, Ordering};

/// What runs a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackEnd {
    /// Machine code.
    MachineCode,
    /// The tape.
    Tape,
}

/// The extensions of the processor that machine code is made for, of those that this one has.
#[must_use]
pub fn processor_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let known = [("avx2", std::is_x86_feature_detected!("avx2")), ("fma", std::is_x86_feature_detected!("fma"))];
        known.into_iter().filter(|(_, here)| *here).map(|(name, _)| name).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

/// A program ready to be called. Shared freely between threads, each with its own [`CompiledScratch`].
#[derive(Debug)]
pub struct Compiled {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    native: Option<native::Native>,
    /// Where there is no machine code.
    tape: Option<Tape>,
    inputs: usize,
    outputs: usize,
    /// Tells its scratch from that of other programs, which holds other constants.
    identity: u64,
}

fn next_identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The memory that a compiled program works in, for one thread.
#[derive(Clone, Debug)]
pub struct CompiledScratch {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    native: Option<native::NativeScratch>,
    tape: Option<TapeScratch>,
    /// Of the program that it belongs to.
    identity: u64,
}

impl Compiled {
    /// Compiles to machine code where that is possible and `JOURDAIN_NO_JIT` is not set to `1`.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        if std::env::var_os("JOURDAIN_NO_JIT").is_some_and(|value| value == "1") {
            return Self::interpreted(program);
        }
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(native) = native::Native::new(program) {
            let (inputs, outputs) = (program.input_count(), program.output_count());
            return Self { native: Some(native), tape: None, inputs, outputs, identity: next_identity() };
        }
        Self::interpreted(program)
    }

    /// The same interface on the tape.
    #[must_use]
    pub fn interpreted(program: &Program) -> Self {
        Self {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            native: None,
            tape: Some(Tape::new(program)),
            inputs: program.input_count(),
            outputs: program.output_count(),
            identity: next_identity(),
        }
    }

    /// What runs it.
    #[must_use]
    pub fn back_end(&self) -> BackEnd {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.native.is_some() {
            return BackEnd::MachineCode;
        }
        BackEnd::Tape
    }

    /// Bytes of machine code: for one state, and for four. Zero on the tape.
    #[must_use]
    pub fn code_size(&self) -> [usize; 2] {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(native) = &self.native {
            return native.code_size();
        }
        [0; 2]
    }

    /// Numbers read per state.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.inputs
    }

    /// Numbers written per state.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.outputs
    }

    /// Memory for one thread.
    #[must_use]
    pub fn scratch(&self) -> CompiledScratch {
        CompiledScratch {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            native: self.native.as_ref().map(native::Native::scratch),
            tape: self.tape.as_ref().map(Tape::scratch),
            identity: self.identity,
        }
    }

    /// Computes the outputs of one state. No allocation.
    ///
    /// # Panics
    /// If a length is not the program's, or the scratch is another program's.
    #[inline]
    pub fn run(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.one(inputs, scratch, out, Constants::Write);
    }

    /// As [`run`](Self::run), into an output that a run of this program has filled before: what is the same for every
    /// state, as most of a sparse matrix is, need not be written again.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    #[inline]
    pub fn update(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.one(inputs, scratch, out, Constants::Leave);
    }

    /// Computes the outputs of many states, one after the other in `inputs` and `out`. No allocation.
    ///
    /// # Panics
    /// If the lengths are not those of the same number of states, or the scratch is another program's.
    pub fn run_batch(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.many(inputs, scratch, out, Constants::Write);
    }

    /// As [`run_batch`](Self::run_batch), into an output that a run of this program over as many states has filled before;
    /// see [`update`](Self::update).
    ///
    /// # Panics
    /// As [`run_batch`](Self::run_batch).
    pub fn update_batch(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64]) {
        self.many(inputs, scratch, out, Constants::Leave);
    }

    #[inline]
    fn one(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64], constants: Constants) {
        assert_eq!(scratch.identity, self.identity, "the scratch is another program's");
        assert_eq!(inputs.len(), self.inputs, "numbers read");
        assert_eq!(out.len(), self.outputs, "numbers written");
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let (Some(native), Some(scratch)) = (&self.native, &mut scratch.native) {
            native.run(inputs, scratch, out, constants);
            return;
        }
        self.interpret(inputs, scratch, out, constants);
    }

    fn many(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64], constants: Constants) {
        assert_eq!(scratch.identity, self.identity, "the scratch is another program's");
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let (Some(native), Some(scratch)) = (&self.native, &mut scratch.native) {
            let (n, m) = (self.inputs, self.outputs);
            let states = inputs.len().checked_div(n).unwrap_or_else(|| out.len() / m.max(1));
            assert_eq!(inputs.len(), states * n, "numbers read");
            assert_eq!(out.len(), states * m, "numbers written");
            if states < 4 {
                for state in 0..states {
                    native.run(&inputs[state * n..][..n], scratch, &mut out[state * m..][..m], constants);
                }
                return;
            }
            // The last four overlap those before, unless they happen to fit.
            for start in (0..states - 3).step_by(4).chain(Some(states - 4).filter(|_| !states.is_multiple_of(4))) {
                native.run_four(&inputs[start * n..][..4 * n], scratch, &mut out[start * m..][..4 * m], constants);
            }
            return;
        }
        self.interpret(inputs, scratch, out, constants);
    }

    /// On the tape, which writes everything.
    fn interpret(&self, inputs: &[f64], scratch: &mut CompiledScratch, out: &mut [f64], _: Constants) {
        match (&self.tape, &mut scratch.tape) {
            (Some(tape), Some(scratch)) => tape.run(inputs, scratch, out),
            _ => panic!("the scratch is another program's"),
        }
    }
}

/// What becomes of the results that are the same for every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constants {
    Write,
    Leave,
}

#[cfg(test)]
mod tests;
