//! The part of Python that stands between `${` and `}`: numbers, texts, lists, dicts, and functions on them.
//!
//! An evaluator of expressions, not of programs: nothing assigns, nothing loops but comprehensions, and everything is counted
//! by a [`Budget`]. Numbers print as Python prints them. Whole numbers have 127 bits, which is more than any robot needs and
//! less than Python has; beyond is an error, never a wrong number.

mod builtin;
mod complex;
mod convert;
mod dict;
mod evaluate;
mod expression;
mod format;
mod function;
mod math;
mod method;
mod number;
mod operator;
mod sequence;
mod syntax;
mod token;
mod value;

use super::failure::{Failure, Outcome};
pub(super) use convert::{parse_float, parse_int};
pub(super) use dict::Dict;
pub(super) use evaluate::evaluate;
pub(super) use expression::Expression;
pub(super) use function::{Arguments, Service, global, is_known};
pub(super) use syntax::parse;
pub(super) use value::{MAX_ITEMS as MAX_TEXT, Value};

/// What an expression may still cost.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    pub fn spend(&mut self, steps: usize) -> Outcome<()> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Failure::limit("the expansion takes too many steps")),
        }
    }
}

/// What an expression sees of the file it stands in.
pub(super) trait Names {
    /// The property of that name.
    fn get(&mut self, name: &str) -> Outcome<Option<Value>>;
    /// A property of an included file that has a name of its own.
    fn member(&mut self, namespace: usize, name: &str) -> Outcome<Option<Value>>;
    /// The names in sight, for hints.
    fn known(&self) -> Vec<String>;
    /// A function of the namespace `xacro` that reaches beyond the expression.
    fn serve(&mut self, service: Service, arguments: Arguments) -> Outcome<Value>;
    fn budget(&mut self) -> &mut Budget;
}
