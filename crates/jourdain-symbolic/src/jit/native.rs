//! Calling generated machine code. The only place in the library with `unsafe`.

use super::allocate::{Code, generate};
use super::encode::Width;
use super::layout::Layout;
use super::memory::Executable;
use crate::program::{Instruction, Operand, Program};
use crate::sincos::sin_cos_slice;

/// Four numbers that begin at a multiple of their size, so that none is split between cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Quad([f64; 4]);

/// The frames of one thread.
#[derive(Clone, Debug)]
pub(super) struct NativeScratch {
    one: Vec<Quad>,
    four: Vec<Quad>,
    angles: Vec<f64>,
}

/// Machine code for one state and for four at once.
#[derive(Debug)]
pub(super) struct Native {
    one: Kernel,
    four: Kernel,
    layout: Layout,
    /// The arithmetic before the sines, by place.
    before: Vec<(usize, Instruction)>,
    constants: Vec<f64>,
    inputs: usize,
    outputs: usize,
}

#[derive(Debug)]
struct Kernel {
    code: Executable,
    constants: usize,
    results: usize,
    length: usize,
}

impl Kernel {
    fn new(program: &Program, layout: &Layout, width: Width) -> Option<Self> {
        let Code { bytes, constants, results, length } = generate(program, layout, width);
        Some(Self { code: Executable::new(&bytes).ok()?, constants, results, length })
    }

    /// Runs the code.
    ///
    /// # Safety
    /// `frame` points to `length` values and `out` to as many as the program has outputs, for writing, values being as
    /// wide as the code was made for.
    unsafe fn call(&self, frame: *mut f64, out: *mut f64) {
        // SAFETY: the pages hold a complete function of this signature, made by `generate`: it follows the System V
        // convention (saves rbx and rbp, touches no other register of the caller, returns), reads and writes inside the
        // frame and the results alone by construction of `layout::address`, and needs only AVX2 and FMA, which
        // `Native::new` has asked for. The pages live as long as `self`.
        unsafe {
            let function: unsafe extern "sysv64" fn(*mut f64, *mut f64) = core::mem::transmute(self.code.start());
            function(frame, out);
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
        let layout = Layout::new(program)?;
        let before = program.instructions()[..program.prologue()].iter().copied().enumerate();
        Some(Self {
            one: Kernel::new(program, &layout, Width::One)?,
            four: Kernel::new(program, &layout, Width::Four)?,
            before: before.filter(|(_, instruction)| !instruction.is_trigonometric()).collect(),
            constants: program.constants().to_vec(),
            inputs: program.input_count(),
            outputs: program.output_count(),
            layout,
        })
    }

    /// Bytes of machine code, for one state and for four.
    pub(super) fn code_size(&self) -> [usize; 2] {
        [self.one.code.len(), self.four.code.len()]
    }

    pub(super) fn scratch(&self) -> NativeScratch {
        let mut one = vec![Quad([0.0; 4]); self.one.length.div_ceil(4)];
        let mut four = vec![Quad([0.0; 4]); self.four.length];
        let place = |frame: &mut [Quad], place: usize, value| frame[place / 4].0[place % 4] = value;
        for (k, &constant) in self.constants.iter().chain(&[-0.0, -0.0]).enumerate() {
            place(&mut one, self.one.constants + k, constant);
            four[self.four.constants + k] = Quad([constant; 4]);
        }
        NativeScratch { one, four, angles: vec![0.0; 4 * self.layout.angles.len()] }
    }

    /// One state. The lengths have been checked.
    pub(super) fn run(&self, inputs: &[f64], scratch: &mut NativeScratch, out: &mut [f64]) {
        assert!(scratch.one.len() == self.one.length.div_ceil(4) && out.len() == self.outputs, "lengths");
        let frame = flat(&mut scratch.one);
        frame[self.layout.inputs..][..self.inputs].copy_from_slice(inputs);
        for &(place, instruction) in &self.before {
            let value = self.interpreted(instruction, |operand| self.read(operand, frame));
            frame[self.layout.value(place).unwrap_or(0)] = value;
        }
        let count = self.layout.angles.len();
        for (angle, &operand) in scratch.angles.iter_mut().zip(&self.layout.angles) {
            *angle = self.read(operand, frame);
        }
        let (sin, rest) = frame.split_at_mut(count);
        sin_cos_slice(&scratch.angles[..count], sin, &mut rest[..count]);
        // SAFETY: the frame has the length of the kernel and `out` that of the results, as asserted above.
        unsafe { self.one.call(frame.as_mut_ptr(), out.as_mut_ptr()) }
    }

    /// Four states, one after the other in `inputs` and `out`. The lengths have been checked.
    pub(super) fn run_four(&self, inputs: &[f64], scratch: &mut NativeScratch, out: &mut [f64]) {
        assert!(scratch.four.len() == self.four.length && inputs.len() == 4 * self.inputs, "lengths");
        let frame = &mut scratch.four;
        let [a, b, c, d] = quarters(inputs);
        for (i, quad) in frame[self.layout.inputs..][..self.inputs].iter_mut().enumerate() {
            *quad = Quad([a[i], b[i], c[i], d[i]]);
        }
        for &(place, instruction) in &self.before {
            let lane = |lane: usize| self.interpreted(instruction, |operand| self.read_four(operand, frame).0[lane]);
            frame[self.layout.value(place).unwrap_or(0)] = Quad(core::array::from_fn(lane));
        }
        let count = self.layout.angles.len();
        for (angles, &operand) in scratch.angles.chunks_exact_mut(4).zip(&self.layout.angles) {
            angles.copy_from_slice(&self.read_four(operand, frame).0);
        }
        let flat = flat(frame);
        let (sin, rest) = flat.split_at_mut(4 * count);
        sin_cos_slice(&scratch.angles, sin, &mut rest[..4 * count]);
        let results = 4 * self.four.results;
        let frame_start = flat.as_mut_ptr();
        assert!(results + 4 * self.outputs <= flat.len(), "room for the results");
        // SAFETY: the frame has the length of the kernel, as asserted above, and its end holds the results, four numbers
        // for each. Both pointers are into the same block; the kernel never addresses the results through the frame.
        unsafe { self.four.call(frame_start, frame_start.add(results)) }
        let (quads, [a, b, c, d]) = (&scratch.four[self.four.results..][..self.outputs], quarters_mut(out));
        for (i, Quad([w, x, y, z])) in quads.iter().enumerate() {
            (a[i], b[i], c[i], d[i]) = (*w, *x, *y, *z);
        }
    }

    fn read(&self, operand: Operand, frame: &[f64]) -> f64 {
        match operand {
            Operand::Input(place) => frame[self.layout.inputs + place as usize],
            Operand::Constant(place) => self.constants[place as usize],
            Operand::Value(place) => frame[self.layout.value(place as usize).unwrap_or(0)],
        }
    }

    fn read_four(&self, operand: Operand, frame: &[Quad]) -> Quad {
        match operand {
            Operand::Input(place) => frame[self.layout.inputs + place as usize],
            Operand::Constant(place) => Quad([self.constants[place as usize]; 4]),
            Operand::Value(place) => frame[self.layout.value(place as usize).unwrap_or(0)],
        }
    }

    /// An operation before the sines: there are few, and none is fused.
    fn interpreted(&self, instruction: Instruction, x: impl Fn(Operand) -> f64) -> f64 {
        match instruction {
            Instruction::Neg(a) => -x(a),
            Instruction::Add(a, b) => x(a) + x(b),
            Instruction::Sub(a, b) => x(a) - x(b),
            Instruction::Mul(a, b) => x(a) * x(b),
            Instruction::Div(a, b) => x(a) / x(b),
            Instruction::Sqrt(a) => x(a).sqrt(),
            Instruction::Sin(a) => x(a).sin(),
            Instruction::Cos(a) => x(a).cos(),
            Instruction::MulAdd(a, b, c) => crate::scalar::fused(x(a), x(b), x(c)),
            Instruction::MulSub(a, b, c) => crate::scalar::fused(x(a), x(b), -x(c)),
            Instruction::NegMulAdd(a, b, c) => crate::scalar::fused(-x(a), x(b), x(c)),
        }
    }
}

/// The numbers of a frame in a row.
fn flat(quads: &mut [Quad]) -> &mut [f64] {
    // SAFETY: a `Quad` is four numbers and nothing else (its size is its alignment), so a slice of them is one of four
    // times as many numbers, borrowed for as long.
    unsafe { core::slice::from_raw_parts_mut(quads.as_mut_ptr().cast(), 4 * quads.len()) }
}

fn quarters(all: &[f64]) -> [&[f64]; 4] {
    let n = all.len() / 4;
    [&all[..n], &all[n..2 * n], &all[2 * n..3 * n], &all[3 * n..]]
}

fn quarters_mut(all: &mut [f64]) -> [&mut [f64]; 4] {
    let n = all.len() / 4;
    let (a, rest) = all.split_at_mut(n);
    let (b, rest) = rest.split_at_mut(n);
    let (c, d) = rest.split_at_mut(n);
    [a, b, c, d]
}
