//! Lines with indentation, and instructions as infix expressions, which all languages write alike.

use crate::program::{Instruction, Operand};
use core::fmt::Write as _;

/// Text that grows by lines.
pub(super) struct Writer {
    pub(super) text: String,
    /// What goes before every line that is not empty.
    pub(super) indent: String,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self { text: String::new(), indent: String::new() }
    }

    /// One line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&self.indent);
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Lines with `mark` before each.
    pub(super) fn lines(&mut self, mark: &str, lines: &[String]) {
        for line in lines {
            let line = format!("{mark}{line}");
            self.line(line.trim_end());
        }
    }

    /// The lines that `body` writes, four columns further in.
    pub(super) fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        let outer = self.indent.len();
        self.indent.push_str("    ");
        body(self);
        self.indent.truncate(outer);
    }

    /// Numbers separated by commas, several lines of them if they are many.
    pub(super) fn numbers<T>(&mut self, numbers: impl IntoIterator<Item = T>, show: impl Fn(T) -> String) {
        let words = numbers.into_iter().map(|x| format!("{},", show(x)));
        for line in super::comment::wrap(words, 110) {
            self.line(line);
        }
    }
}

/// An instruction as the right-hand side of an assignment. Sums and products need no parentheses: operands are names and
/// numbers, and a negative number after an operator is read as such in every language.
pub(super) fn expression(
    instruction: &Instruction,
    operand: impl Fn(Operand) -> String,
    call: impl Fn(&str, String) -> String,
) -> String {
    let x = operand;
    let mut text = String::new();
    let written = match *instruction {
        Instruction::Neg(a) => write!(text, "-{}", x(a)),
        Instruction::Add(a, b) => write!(text, "{} + {}", x(a), x(b)),
        Instruction::Sub(a, b) => write!(text, "{} - {}", x(a), x(b)),
        Instruction::Mul(a, b) => write!(text, "{} * {}", x(a), x(b)),
        Instruction::Div(a, b) => write!(text, "{} / {}", x(a), x(b)),
        Instruction::MulAdd(a, b, c) => write!(text, "{} * {} + {}", x(a), x(b), x(c)),
        Instruction::MulSub(a, b, c) => write!(text, "{} * {} - {}", x(a), x(b), x(c)),
        Instruction::NegMulAdd(a, b, c) => write!(text, "{} - {} * {}", x(c), x(a), x(b)),
        Instruction::Sqrt(a) => write!(text, "{}", call("sqrt", x(a))),
        Instruction::Sin(a) => write!(text, "{}", call("sin", x(a))),
        Instruction::Cos(a) => write!(text, "{}", call("cos", x(a))),
    };
    debug_assert!(written.is_ok(), "writing to a string does not fail");
    text
}
