//! Calling generated machine code. With [`avx2`](super::avx2) the only place in the library with `unsafe`.

use super::Constants;
use super::allocate::allocate;
use super::assemble::assemble;
use super::avx2;
use super::encode::Width;
use super::layout::{Frame, Prologue};
use super::memory::Executable;
use super::results::{Four, Results};
use crate::program::{Instruction, Operand, Program};
use crate::sincos::sin_cos_slice;

/// Four numbers that begin at a multiple of their size, so that none is split between cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Quad(pub [f64; 4]);

/// The frames of one thread.
#[derive(Clone, Debug)]
pub(super) struct NativeScratch {
    one: Vec<Quad>,
    /// Frame, inputs and results.
    four: Vec<Quad>,
    angles: Vec<f64>,
}

/// Machine code for one state and for four at once.
#[derive(Debug)]
pub(super) struct Native {
    kernels: Kernels,
    /// Values in the frame.
    length: usize,
    /// What stands in the frame from the start, by place.
    fixed: Vec<(u32, f64)>,
    /// The arithmetic before the sines, by place; there is little.
    before: Vec<(u32, Instruction)>,
    /// The place in the frame of each value of the prologue.
    prologue: Vec<u32>,
    constants: Vec<f64>,
    angles: Angles,
    results: Results,
    fours: Vec<Four>,
    /// Where fewer results than four stand.
    few: Option<Vec<u32>>,
    inputs: usize,
    outputs: usize,
}

/// Where the angles are that sines and cosines are taken of.
#[derive(Debug)]
enum Angles {
    /// Neighbours among the inputs: the first, and how many.
    Inputs(usize, usize),
    /// Anywhere.
    Mixed(Vec<Operand>),
}

impl Angles {
    fn new(angles: Vec<Operand>) -> Self {
        let follows = |(k, angle): (usize, &Operand)| match (angles[0], angle) {
            (Operand::Input(first), Operand::Input(place)) => *place == first + k as u32,
            _ => false,
        };
        match angles.first() {
            Some(&Operand::Input(first)) if angles.iter().enumerate().all(follows) => {
                Self::Inputs(first as usize, angles.len())
            }
            _ => Self::Mixed(angles),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Inputs(_, count) => *count,
            Self::Mixed(angles) => angles.len(),
        }
    }
}

/// The functions for one state and for four, in pages of their own.
#[derive(Debug)]
struct Kernels {
    code: Executable,
    /// Where the second begins, and where it ends.
    four: usize,
    end: usize,
}

impl Kernels {
    /// `None` if the system gives no executable memory.
    fn new(mut one: Vec<u8>, four: &[u8]) -> Option<Self> {
        // Functions begin where a line of the instruction cache does.
        one.resize(one.len().next_multiple_of(64), 0xCC);
        let start = one.len();
        one.extend(four);
        Some(Self { code: Executable::new(&one).ok()?, four: start, end: one.len() })
    }

    /// Runs the code for one state, or that for four.
    ///
    /// # Safety
    /// The pointers are to as many values as the frame has, the program reads and the code writes, the first and the last
    /// for writing; a value is one number, or four.
    unsafe fn call(&self, width: Width, frame: *mut f64, inputs: *const f64, results: *mut f64) {
        let start = if width == Width::One { 0 } else { self.four };
        // SAFETY: at both places the pages hold a complete function of this signature, made by `assemble`: it follows the
        // System V convention (saves what belongs to the caller, returns), reads and writes inside the three blocks alone
        // by construction of `windows::plan`, and needs only AVX2 and FMA, which `Native::new` has asked for. The pages
        // live as long as `self`.
        unsafe {
            let function: unsafe extern "sysv64" fn(*mut f64, *const f64, *mut f64) =
                core::mem::transmute(self.code.start().add(start));
            function(frame, inputs, results);
        }
    }
}

impl Native {
    /// `None` where the processor lacks AVX2 or FMA, the system gives no executable memory, or the program takes sines of
    /// what it computes from sines.
    pub(super) fn new(program: &Program) -> Option<Self> {
        if !(std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")) {
            return None;
        }
        let prologue = Prologue::new(program)?;
        let results = Results::new(program);
        let allocation = allocate(program, &results.distinct);
        let frame = Frame::new(program, &prologue, &allocation);
        let one = assemble(&allocation.steps, &frame, &results.targets, Width::One);
        // Side by side each number is written once, and those that are there before not at all.
        let once: Vec<Vec<u32>> = (0..results.distinct.len() as u32).map(|number| vec![number]).collect();
        let four = assemble(&allocation.steps[..allocation.computing], &frame, &once, Width::Four);
        let inputs = program.input_count();
        let mut numbers = vec![0; program.instructions().len()];
        for (number, operand) in results.distinct.iter().enumerate() {
            if let Operand::Value(value) = operand {
                numbers[*value as usize] = number as u32;
            }
        }
        let quad = |operand| match operand {
            Operand::Input(place) => frame.length as u32 + place,
            Operand::Constant(place) => frame.constants[place as usize],
            Operand::Value(value) => match prologue.places.get(value as usize) {
                Some(&place) => place,
                None => (frame.length + inputs) as u32 + numbers[value as usize],
            },
        };
        let fours = results.fours(program.results(), quad);
        let few = (program.output_count() < 4).then(|| program.results().iter().map(|&result| quad(result)).collect());
        let fixed = frame.constants.iter().copied().zip(program.constants().iter().copied());
        let before = prologue.places.iter().copied().zip(program.instructions().iter().copied());
        Some(Self {
            kernels: Kernels::new(one, &four)?,
            fours,
            few,
            length: frame.length,
            fixed: fixed.chain([(frame.sign, -0.0), (frame.sign + 1, -0.0)]).collect(),
            before: before.filter(|(_, instruction)| !instruction.is_trigonometric()).collect(),
            prologue: prologue.places,
            constants: program.constants().to_vec(),
            angles: Angles::new(prologue.angles),
            results,
            inputs,
            outputs: program.output_count(),
        })
    }

    /// Bytes of machine code, for one state and for four.
    pub(super) fn code_size(&self) -> [usize; 2] {
        [self.kernels.four, self.kernels.end - self.kernels.four]
    }

    pub(super) fn scratch(&self) -> NativeScratch {
        let mut one = vec![Quad([0.0; 4]); self.length.div_ceil(4)];
        let mut four = vec![Quad([0.0; 4]); self.four_length()];
        for &(place, value) in &self.fixed {
            let place = place as usize;
            one[place / 4].0[place % 4] = value;
            four[place] = Quad([value; 4]);
        }
        NativeScratch { one, four, angles: vec![0.0; 4 * self.angles.count()] }
    }

    fn four_length(&self) -> usize {
        self.length + self.inputs + self.results.distinct.len()
    }

    /// One state. The lengths have been checked.
    #[inline]
    pub(super) fn run(&self, inputs: &[f64], scratch: &mut NativeScratch, out: &mut [f64], constants: Constants) {
        let frame = flat(&mut scratch.one);
        assert!(
            frame.len() == self.length.next_multiple_of(4) && inputs.len() == self.inputs && out.len() == self.outputs,
            "lengths"
        );
        for &(place, instruction) in &self.before {
            frame[place as usize] = instruction.compute(|operand| self.read(operand, inputs, frame));
        }
        let count = self.angles.count();
        let angles = match &self.angles {
            Angles::Inputs(first, count) => &inputs[*first..][..*count],
            Angles::Mixed(angles) => {
                for (angle, &operand) in scratch.angles.iter_mut().zip(angles) {
                    *angle = self.read(operand, inputs, frame);
                }
                &scratch.angles[..count]
            }
        };
        let (sin, rest) = frame.split_at_mut(count);
        sin_cos_slice(angles, sin, &mut rest[..count]);
        if constants == Constants::Write {
            self.results.fill(out, self.outputs);
        }
        // SAFETY: the three blocks have the lengths of the program, as asserted above.
        unsafe { self.kernels.call(Width::One, frame.as_mut_ptr(), inputs.as_ptr(), out.as_mut_ptr()) }
    }

    /// Four states, one after the other in `inputs` and `out`. The lengths have been checked.
    pub(super) fn run_four(&self, inputs: &[f64], scratch: &mut NativeScratch, out: &mut [f64], constants: Constants) {
        assert!(
            scratch.four.len() == self.four_length()
                && inputs.len() == 4 * self.inputs
                && out.len() == 4 * self.outputs,
            "lengths"
        );
        let (frame, rest) = scratch.four.split_at_mut(self.length);
        let (columns, results) = rest.split_at_mut(self.inputs);
        // SAFETY: `new` has asked for AVX2 and FMA.
        unsafe { avx2::side_by_side(inputs, columns) };
        for &(place, instruction) in &self.before {
            let lane = |lane: usize| instruction.compute(|operand| self.read_four(operand, columns, frame).0[lane]);
            frame[place as usize] = Quad(core::array::from_fn(lane));
        }
        let count = self.angles.count();
        let angles = match &self.angles {
            Angles::Inputs(first, count) => &flat(columns)[4 * first..][..4 * count],
            Angles::Mixed(angles) => {
                for (angle, &operand) in scratch.angles.as_chunks_mut().0.iter_mut().zip(angles) {
                    *angle = self.read_four(operand, columns, frame).0;
                }
                &scratch.angles[..]
            }
        };
        let (sin, rest) = flat(frame).split_at_mut(4 * count);
        sin_cos_slice(angles, sin, &mut rest[..4 * count]);
        // SAFETY: the three blocks have the lengths that the code was made for, four numbers to a value.
        unsafe {
            self.kernels.call(
                Width::Four,
                flat(frame).as_mut_ptr(),
                flat(columns).as_ptr(),
                flat(results).as_mut_ptr(),
            );
        }
        if constants == Constants::Write {
            self.results.fill(out, self.outputs);
        }
        if let Some(few) = &self.few {
            for (lane, out) in out.chunks_exact_mut(self.outputs.max(1)).enumerate() {
                out.iter_mut().zip(few).for_each(|(out, &source)| *out = scratch.four[source as usize].0[lane]);
            }
        }
        // SAFETY: `new` has asked for AVX2 and FMA, and has made the blocks for these lengths: `Results::fours` keeps them
        // inside the results, and their sources are places of the scratch, whose length is asserted above.
        unsafe { avx2::one_after_the_other(&scratch.four, &self.fours, out, self.outputs) };
    }

    fn read(&self, operand: Operand, inputs: &[f64], frame: &[f64]) -> f64 {
        match operand {
            Operand::Input(place) => inputs[place as usize],
            Operand::Constant(place) => self.constants[place as usize],
            Operand::Value(place) => frame[self.prologue[place as usize] as usize],
        }
    }

    fn read_four(&self, operand: Operand, inputs: &[Quad], frame: &[Quad]) -> Quad {
        match operand {
            Operand::Input(place) => inputs[place as usize],
            Operand::Constant(place) => Quad([self.constants[place as usize]; 4]),
            Operand::Value(place) => frame[self.prologue[place as usize] as usize],
        }
    }
}

/// The numbers of a block in a row.
fn flat(quads: &mut [Quad]) -> &mut [f64] {
    // SAFETY: a `Quad` is four numbers and nothing else (its size is its alignment), so a slice of them is one of four
    // times as many numbers, borrowed for as long.
    unsafe { core::slice::from_raw_parts_mut(quads.as_mut_ptr().cast(), 4 * quads.len()) }
}
