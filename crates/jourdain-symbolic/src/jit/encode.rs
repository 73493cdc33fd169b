//! Machine code: the AVX2 and FMA instructions that programs need, in their shortest encodings.
//!
//! Everything is VEX-encoded: two bytes of prefix where the opcode is in the first map and no register above 7 stands in
//! the last place, three bytes otherwise. Memory operands are a base register and a displacement, which takes one byte
//! between −128 and 127.

/// A register for numbers, 0 to 15.
pub(super) type Register = u8;

/// A base register for addresses. `rsp` and `r12` would need a byte more in every address, so they are not among them;
/// from `r8` on the prefix takes three bytes, as that of a fused operation does anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Rax = 0,
    Rcx = 1,
    Rdx = 2,
    Rbx = 3,
    Rbp = 5,
    Rsi = 6,
    Rdi = 7,
    R8 = 8,
    R9 = 9,
    R10 = 10,
    R11 = 11,
    R13 = 13,
    R14 = 14,
    R15 = 15,
}

impl Base {
    /// The bits that stand in the operand byte.
    fn low(self) -> u8 {
        self as u8 & 7
    }

    /// The bit that stands in the prefix.
    fn high(self) -> u8 {
        self as u8 >> 3
    }
}

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Register(Register),
    /// `[base + displacement]`, bytes.
    Memory(Base, i32),
}

/// How many states an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    One,
    Four,
}

impl Width {
    /// Bytes of a value.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::One => 8,
            Self::Four => 32,
        }
    }
}

/// Operations of two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add = 0x58,
    Mul = 0x59,
    Sub = 0x5C,
    Div = 0x5E,
}

/// What a fused instruction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fused {
    /// a · b + c
    MulAdd = 0x8,
    /// a · b − c
    MulSub = 0xA,
    /// c − a · b
    NegMulAdd = 0xC,
}

/// Which operands of a fused instruction are the factors. The first operand is also the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// first · third ± second
    Form132 = 0x90,
    /// second · first ± third
    Form213 = 0xA0,
    /// second · third ± first
    Form231 = 0xB0,
}

/// The mandatory prefix of an opcode, as VEX holds it.
const P66: u8 = 0b01;
const PF2: u8 = 0b11;

/// A buffer of machine code.
#[derive(Debug)]
pub(super) struct Assembler {
    code: Vec<u8>,
    width: Width,
}

impl Assembler {
    /// An empty buffer with room for so many bytes.
    pub(super) fn new(width: Width, room: usize) -> Self {
        Self { code: Vec::with_capacity(room), width }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.code
    }

    /// Prefix of double-precision arithmetic: on one number or on four.
    fn arithmetic(&self) -> u8 {
        match self.width {
            Width::One => PF2,
            Width::Four => P66,
        }
    }

    /// to = a ∘ b
    pub(super) fn binary(&mut self, operation: Binary, to: Register, a: Register, b: Source) {
        let prefix = self.arithmetic();
        self.instruction(1, false, prefix, operation as u8, to, a, b);
    }

    /// to = √a; the register that scalar instructions take the upper half from is the destination itself.
    pub(super) fn sqrt(&mut self, to: Register, a: Source) {
        let (prefix, upper) = (self.arithmetic(), if self.width == Width::One { to } else { 0 });
        self.instruction(1, false, prefix, 0x51, to, upper, a);
    }

    /// to = a with the bits of b flipped
    pub(super) fn xor(&mut self, to: Register, a: Register, b: Source) {
        self.instruction(1, false, P66, 0x57, to, a, b);
    }

    /// The fused operation; the destination is the first operand.
    pub(super) fn fused(&mut self, operation: Fused, form: Form, to: Register, second: Register, third: Source) {
        let scalar = u8::from(self.width == Width::One);
        self.instruction(2, true, P66, form as u8 + operation as u8 + scalar, to, second, third);
    }

    /// to = memory or register
    pub(super) fn load(&mut self, to: Register, from: Source) {
        match from {
            Source::Register(_) => self.instruction(1, false, P66, 0x28, to, 0, from),
            Source::Memory(..) => {
                let prefix = self.arithmetic();
                self.instruction(1, false, prefix, 0x10, to, 0, from);
            }
        }
    }

    /// memory = from
    pub(super) fn store(&mut self, to: Source, from: Register) {
        let prefix = self.arithmetic();
        self.instruction(1, false, prefix, 0x11, from, 0, to);
    }

    /// to = from + displacement, on addresses
    pub(super) fn address(&mut self, to: Base, from: Base, displacement: i32) {
        self.code.extend([0x48 | to.high() << 2 | from.high(), 0x8D]);
        self.modrm(to as u8, Source::Memory(from, displacement));
    }

    pub(super) fn push(&mut self, register: Base) {
        self.extended(register);
        self.code.push(0x50 + register.low());
    }

    pub(super) fn pop(&mut self, register: Base) {
        self.extended(register);
        self.code.push(0x58 + register.low());
    }

    fn extended(&mut self, register: Base) {
        if register.high() == 1 {
            self.code.push(0x41);
        }
    }

    /// Returns; after four-wide code with the upper halves cleared, which mixed code pays for otherwise.
    pub(super) fn ret(&mut self) {
        if self.width == Width::Four {
            self.code.extend([0xC5, 0xF8, 0x77]);
        }
        self.code.push(0xC3);
    }

    /// VEX prefix, opcode, operands. `map` 1 is 0F, 2 is 0F 38. A missing second operand is register 0.
    #[allow(clippy::fn_params_excessive_bools)]
    fn instruction(
        &mut self,
        map: u8,
        wide: bool,
        prefix: u8,
        opcode: u8,
        reg: Register,
        second: Register,
        rm: Source,
    ) {
        let length = u8::from(self.width == Width::Four) << 2;
        // Registers are stored inverted in the prefix.
        let r = if reg >= 8 { 0 } else { 0x80 };
        let b = match rm {
            Source::Register(register) => register >= 8,
            Source::Memory(base, _) => base.high() == 1,
        };
        let tail = (!second & 0xF) << 3 | length | prefix;
        if map == 1 && !wide && !b {
            self.code.extend([0xC5, r | tail]);
        } else {
            let b = if b { 0 } else { 0x20 };
            self.code.extend([0xC4, r | 0x40 | b | map, u8::from(wide) << 7 | tail]);
        }
        self.code.push(opcode);
        self.modrm(reg, rm);
    }

    fn modrm(&mut self, reg: u8, rm: Source) {
        let reg = (reg & 7) << 3;
        match rm {
            Source::Register(register) => self.code.push(0xC0 | reg | register & 7),
            // Without a displacement these two mean something else.
            Source::Memory(base, 0) if base != Base::Rbp && base != Base::R13 => self.code.push(reg | base.low()),
            Source::Memory(base, displacement) => match i8::try_from(displacement) {
                Ok(short) => self.code.extend([0x40 | reg | base.low(), short as u8]),
                Err(_) => {
                    self.code.push(0x80 | reg | base.low());
                    self.code.extend(displacement.to_le_bytes());
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register as Decoded};

    const BASES: [(Base, Decoded); 14] = [
        (Base::Rax, Decoded::RAX),
        (Base::Rcx, Decoded::RCX),
        (Base::Rdx, Decoded::RDX),
        (Base::Rbx, Decoded::RBX),
        (Base::Rbp, Decoded::RBP),
        (Base::Rsi, Decoded::RSI),
        (Base::Rdi, Decoded::RDI),
        (Base::R8, Decoded::R8),
        (Base::R9, Decoded::R9),
        (Base::R10, Decoded::R10),
        (Base::R11, Decoded::R11),
        (Base::R13, Decoded::R13),
        (Base::R14, Decoded::R14),
        (Base::R15, Decoded::R15),
    ];

    fn sources() -> Vec<Source> {
        let memory = BASES.iter().flat_map(|&(base, _)| {
            [0, 1, 127, 128, -128, -129, 100_000].map(move |displacement| Source::Memory(base, displacement))
        });
        (0..16).map(Source::Register).chain(memory).collect()
    }

    /// The only instruction of some code, as a disassembler reads it.
    fn decoded(width: Width, emit: impl FnOnce(&mut Assembler)) -> (Instruction, usize) {
        let mut out = Assembler::new(width, 16);
        emit(&mut out);
        let code = out.finish();
        let instruction = Decoder::new(64, &code, DecoderOptions::NONE).decode();
        assert_eq!(instruction.len(), code.len(), "one instruction: {code:x?}");
        (instruction, code.len())
    }

    fn number_register(width: Width, register: Register) -> Decoded {
        let first = if width == Width::One { Decoded::XMM0 } else { Decoded::YMM0 };
        first + u32::from(register)
    }

    fn assert_operand(instruction: &Instruction, place: u32, width: Width, expected: Source) {
        match expected {
            Source::Register(register) => {
                assert_eq!(instruction.op_register(place), number_register(width, register), "{instruction:?}");
            }
            Source::Memory(base, displacement) => {
                assert_eq!(instruction.op_kind(place), OpKind::Memory);
                let expected = BASES.iter().find(|(known, _)| *known == base).unwrap().1;
                assert_eq!(instruction.memory_base(), expected);
                assert_eq!(instruction.memory_index(), Decoded::None);
                assert_eq!(instruction.memory_displacement64() as i64, i64::from(displacement));
            }
        }
    }

    fn assert_three(
        width: Width,
        mnemonic: Mnemonic,
        [to, second]: [Register; 2],
        third: Source,
        emit: impl FnOnce(&mut Assembler),
    ) {
        let (instruction, length) = decoded(width, emit);
        assert_eq!(instruction.mnemonic(), mnemonic);
        assert_operand(&instruction, 0, width, Source::Register(to));
        assert_operand(&instruction, 1, width, Source::Register(second));
        assert_operand(&instruction, 2, width, third);
        assert!(length <= 9);
    }

    #[test]
    fn a_disassembler_reads_every_operation_as_it_was_meant() {
        use Mnemonic::*;
        for third in sources() {
            for (to, second) in [(0, 0), (1, 2), (7, 8), (8, 7), (15, 15), (9, 3)] {
                let registers = [to, second];
                for (operation, one, four) in [
                    (Binary::Add, Vaddsd, Vaddpd),
                    (Binary::Mul, Vmulsd, Vmulpd),
                    (Binary::Sub, Vsubsd, Vsubpd),
                    (Binary::Div, Vdivsd, Vdivpd),
                ] {
                    for (width, mnemonic) in [(Width::One, one), (Width::Four, four)] {
                        assert_three(width, mnemonic, registers, third, |out| out.binary(operation, to, second, third));
                    }
                }
                for (operation, form, one, four) in [
                    (Fused::MulAdd, Form::Form132, Vfmadd132sd, Vfmadd132pd),
                    (Fused::MulAdd, Form::Form213, Vfmadd213sd, Vfmadd213pd),
                    (Fused::MulAdd, Form::Form231, Vfmadd231sd, Vfmadd231pd),
                    (Fused::MulSub, Form::Form132, Vfmsub132sd, Vfmsub132pd),
                    (Fused::MulSub, Form::Form213, Vfmsub213sd, Vfmsub213pd),
                    (Fused::MulSub, Form::Form231, Vfmsub231sd, Vfmsub231pd),
                    (Fused::NegMulAdd, Form::Form132, Vfnmadd132sd, Vfnmadd132pd),
                    (Fused::NegMulAdd, Form::Form213, Vfnmadd213sd, Vfnmadd213pd),
                    (Fused::NegMulAdd, Form::Form231, Vfnmadd231sd, Vfnmadd231pd),
                ] {
                    for (width, mnemonic) in [(Width::One, one), (Width::Four, four)] {
                        let emit = |out: &mut Assembler| out.fused(operation, form, to, second, third);
                        assert_three(width, mnemonic, registers, third, emit);
                    }
                }
                for width in [Width::One, Width::Four] {
                    assert_three(width, Vxorpd, registers, third, |out| out.xor(to, second, third));
                }
            }
        }
    }

    #[test]
    fn a_disassembler_reads_every_move_as_it_was_meant() {
        use Mnemonic::*;
        for source in sources() {
            for to in [0, 3, 7, 8, 15] {
                for (width, copy, load, root) in
                    [(Width::One, Vmovapd, Vmovsd, Vsqrtsd), (Width::Four, Vmovapd, Vmovupd, Vsqrtpd)]
                {
                    let (instruction, _) = decoded(width, |out| out.load(to, source));
                    let expected = if matches!(source, Source::Register(_)) { copy } else { load };
                    assert_eq!(instruction.mnemonic(), expected);
                    assert_operand(&instruction, 0, width, Source::Register(to));
                    assert_operand(&instruction, 1, width, source);
                    let (instruction, _) = decoded(width, |out| out.sqrt(to, source));
                    assert_eq!(instruction.mnemonic(), root);
                    assert_operand(&instruction, 0, width, Source::Register(to));
                    assert_operand(&instruction, instruction.op_count() - 1, width, source);
                    if matches!(source, Source::Memory(..)) {
                        let (instruction, _) = decoded(width, |out| out.store(source, to));
                        assert_eq!(instruction.mnemonic(), load);
                        assert_operand(&instruction, 0, width, source);
                        assert_operand(&instruction, 1, width, Source::Register(to));
                    }
                }
            }
        }
    }

    #[test]
    fn a_disassembler_reads_addresses_and_the_stack_as_they_were_meant() {
        for (to, register) in BASES {
            for (from, base) in BASES {
                for displacement in [0, 128, -128, 4096] {
                    let (instruction, _) = decoded(Width::One, |out| out.address(to, from, displacement));
                    assert_eq!((instruction.mnemonic(), instruction.op0_register()), (Mnemonic::Lea, register));
                    assert_eq!(instruction.memory_base(), base);
                    assert_eq!(instruction.memory_displacement64() as i64, i64::from(displacement));
                }
            }
            let (push, _) = decoded(Width::One, |out| out.push(to));
            let (pop, _) = decoded(Width::One, |out| out.pop(to));
            assert_eq!((push.mnemonic(), push.op0_register()), (Mnemonic::Push, register));
            assert_eq!((pop.mnemonic(), pop.op0_register()), (Mnemonic::Pop, register));
        }
        assert_eq!(decoded(Width::One, Assembler::ret).0.mnemonic(), Mnemonic::Ret);
    }

    #[test]
    fn prefixes_are_as_short_as_they_can_be() {
        let length = |emit: &dyn Fn(&mut Assembler)| decoded(Width::One, emit).1;
        assert_eq!(length(&|out| out.binary(Binary::Mul, 15, 9, Source::Register(7))), 4);
        assert_eq!(length(&|out| out.binary(Binary::Mul, 1, 2, Source::Register(8))), 5);
        assert_eq!(length(&|out| out.binary(Binary::Mul, 1, 2, Source::Memory(Base::Rdi, -128))), 5);
        assert_eq!(length(&|out| out.fused(Fused::MulAdd, Form::Form231, 1, 2, Source::Memory(Base::Rax, 8))), 6);
        assert_eq!(length(&|out| out.fused(Fused::MulAdd, Form::Form231, 1, 2, Source::Memory(Base::R9, 8))), 6);
        assert_eq!(length(&|out| out.binary(Binary::Mul, 1, 2, Source::Memory(Base::R9, -128))), 6);
    }
}
