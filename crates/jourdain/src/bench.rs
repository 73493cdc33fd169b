//! How fast a quantity of a robot is on this machine, by each way of computing it.
//!
//! Ways take turns, and each time is the smallest over all batches: on a shared machine the mean measures the neighbours.
//! Calls are back to back on warm caches over states that differ: throughput of one thread, not the latency of a first call.

use crate::compile::CompiledModel;
use crate::derive::{DeriveError, DeriveOptions};
use crate::model::Model;
use crate::quantity::{Path, Quantity, QuantityError};
use crate::random::Random;
use crate::state::{Input, State};
use crate::workspace::Workspace;
use jourdain_symbolic::{BackEnd, Compiled, Lanes, Scalar};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// States that calls go around: a whole block of the tape, and small enough for the nearest caches.
const STATES: usize = 128;
/// The shortest batch that is timed: long against the clock's resolution.
const BATCH: Duration = Duration::from_micros(50);

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Turns that each way has.
    pub rounds: usize,
    /// Batches in a turn.
    pub batches: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { rounds: 10, batches: 10 }
    }
}

/// Times of one quantity, ns per state on one thread; `None` where a way does not apply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The formula on the model in memory, one state per call.
    pub generic: Option<f64>,
    /// The same on four states at once.
    pub lanes: Option<f64>,
    /// The program interpreted over blocks of states.
    pub tape: Option<f64>,
    /// Machine code, one state per call.
    pub machine_code: Option<f64>,
    /// Machine code, many states per call.
    pub machine_code_batch: Option<f64>,
    /// From the model in memory to something callable, ms.
    pub compile_ms: Option<f64>,
}

/// Positions up to 3 rad (or m) from neutral, all else between −1 and 1; the same for the same robot on every machine.
#[must_use]
pub fn random_states(model: &Model, count: usize) -> Vec<State> {
    let mut random = Random(42);
    let n = model.nv();
    let mut state = |_| {
        let mut state = State::neutral(model);
        let step: Vec<f64> = random.vector(n).into_iter().map(|x| 3.0 * x).collect();
        model.retract(&mut state.q, &step);
        for input in Input::vectors().filter(|input| *input != Input::Position) {
            input.vector_mut(&mut state).into_iter().for_each(|vector| *vector = random.vector(n));
        }
        state.derivatives = vec![random.vector(n), random.vector(n)];
        state
    };
    (0..count).map(&mut state).collect()
}

/// The processor and what it can do, as far as the system tells.
#[must_use]
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut parts = vec![name.to_owned(), format!("{cores} {}", if cores == 1 { "core" } else { "cores" })];
    parts.extend(jourdain_symbolic::processor_features().iter().map(|&feature| feature.to_owned()));
    parts.join(", ")
}

/// Times a quantity.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn measure(model: &Model, quantity: &Quantity, effort: Effort) -> Result<Times, QuantityError> {
    // It is never stopped, so that there are times.
    measure_while(model, quantity, effort, &|| true).map(Option::unwrap_or_default)
}

/// The same as long as `goes_on` says so; `None` if it was stopped.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn measure_while(
    model: &Model,
    quantity: &Quantity,
    effort: Effort,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<Times>, QuantityError> {
    let states = random_states(model, STATES);
    let size = quantity.entry().shape.size(model);

    let mut workspace = Workspace::<f64>::new(model);
    // Finds what the robot does not have, what is too large and what is singular.
    let mut out = quantity.evaluate(Path::Fast, model, &states[0], &mut workspace)?;
    let mut generic = Way::new(|| {
        for state in &states {
            // What fails was found above.
            let _ = quantity.evaluate_into(Path::Fast, model, black_box(state), &mut workspace, &mut out);
            black_box(&out);
        }
    });
    let four: Vec<_> = states.chunks_exact(4).map(|states| pack(model, states)).collect();
    let (mut workspace, mut out_four) = (Workspace::<Lanes<4>>::new(model), vec![Lanes::zero(); size]);
    let has_lanes = quantity.evaluate_four_into(model, &four[0], &mut workspace, &mut out_four).is_some();
    let mut lanes = has_lanes.then(|| {
        Way::new(|| {
            for state in &four {
                let _ = quantity.evaluate_four_into(model, black_box(state), &mut workspace, &mut out_four);
                black_box(&out_four);
            }
        })
    });

    let compiled = match CompiledModel::new(model, &[*quantity], &DeriveOptions::default()) {
        Ok(compiled) => Some(compiled),
        Err(DeriveError::Quantity(error)) => return Err(error),
        Err(_) => None,
    };
    let native = compiled.as_ref().filter(|compiled| compiled.back_end() == BackEnd::MachineCode);
    let inputs: Vec<f64> = match &compiled {
        Some(compiled) => {
            let rows: Result<Vec<Vec<f64>>, _> = states.iter().map(|state| compiled.input(state)).collect();
            rows?.concat()
        }
        None => Vec::new(),
    };
    let interpreted = compiled.as_ref().map(|compiled| Compiled::interpreted(compiled.program()));
    let mut tape = interpreted.as_ref().map(|tape| {
        let (mut scratch, mut out) = (tape.scratch(), vec![0.0; STATES * size]);
        let inputs = &inputs;
        Way::new(move || {
            tape.run_batch(black_box(inputs), &mut scratch, &mut out);
            black_box(&out);
        })
    });
    let mut one = native.map(|native| {
        let (mut scratch, mut out, inputs) = (native.scratch(), vec![0.0; size], &inputs);
        Way::new(move || {
            for state in inputs.chunks_exact(native.input_count().max(1)) {
                native.run(black_box(state), &mut scratch, &mut out);
                black_box(&out);
            }
        })
    });
    let mut many = native.map(|native| {
        let (mut scratch, mut out, inputs) = (native.scratch(), vec![0.0; STATES * size], &inputs);
        Way::new(move || {
            native.run_batch(black_box(inputs), &mut scratch, &mut out);
            black_box(&out);
        })
    });
    for _ in 0..effort.rounds.max(1) {
        if !goes_on() {
            return Ok(None);
        }
        generic.turn(effort.batches);
        lanes.as_mut().into_iter().for_each(|way| way.turn(effort.batches));
        tape.as_mut().into_iter().for_each(|way| way.turn(effort.batches));
        one.as_mut().into_iter().for_each(|way| way.turn(effort.batches));
        many.as_mut().into_iter().for_each(|way| way.turn(effort.batches));
    }
    Ok(Some(Times {
        generic: Some(generic.fastest),
        lanes: lanes.map(|way| way.fastest),
        tape: tape.map(|way| way.fastest),
        machine_code: one.map(|way| way.fastest),
        machine_code_batch: many.map(|way| way.fastest),
        compile_ms: compiled.is_some().then(|| compile_time(model, quantity, effort)),
    }))
}

/// The smallest time from the model in memory to something callable, ms.
fn compile_time(model: &Model, quantity: &Quantity, effort: Effort) -> f64 {
    let (begun, mut fastest) = (Instant::now(), f64::INFINITY);
    for round in 0..effort.rounds.max(1) * effort.batches.max(1) {
        if round > 2 && begun.elapsed() > Duration::from_millis(300) {
            break;
        }
        let start = Instant::now();
        let compiled = CompiledModel::new(model, &[*quantity], &DeriveOptions::default());
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e3);
        black_box(&compiled);
    }
    fastest
}

/// One way of computing all states.
struct Way<F> {
    function: F,
    /// ns per state.
    fastest: f64,
}

impl<F: FnMut()> Way<F> {
    fn new(function: F) -> Self {
        Self { function, fastest: f64::INFINITY }
    }

    fn turn(&mut self, batches: usize) {
        let mut time = |rounds: usize| {
            let start = Instant::now();
            (0..rounds).for_each(|_| (self.function)());
            start.elapsed().as_secs_f64()
        };
        let rounds = 1 + (BATCH.as_secs_f64() / time(1).max(1e-9)) as usize;
        let seconds = (0..batches.max(1)).map(|_| time(rounds)).fold(f64::INFINITY, f64::min);
        self.fastest = self.fastest.min(seconds * 1e9 / (rounds * STATES) as f64);
    }
}

/// Four states side by side.
fn pack(model: &Model, states: &[State]) -> State<Lanes<4>> {
    let lanes = |of: &dyn Fn(&State) -> f64| Lanes(std::array::from_fn(|lane| of(&states[lane])));
    let mut packed = State::neutral(model);
    for input in Input::vectors() {
        let number = |i: usize| lanes(&|state| input.vector(state).map_or(0.0, |vector| vector[i]));
        let vector = input.vector_mut(&mut packed).into_iter().flatten();
        vector.enumerate().for_each(|(i, x)| *x = number(i));
    }
    let row = |k: usize| (0..model.nv()).map(|i| lanes(&|state| state.derivatives[k][i])).collect();
    packed.derivatives = (0..states[0].derivatives.len()).map(row).collect();
    packed
}
