//! Values, and how Python writes and compares them.

use super::super::failure::{Failure, Outcome};
use super::complex::Complex;
use super::dict::Dict;
use super::expression::Expression;
use super::function::Function;
use std::cmp::Ordering;
use std::rc::Rc;

/// Most elements of a list, and most bytes of a text.
pub(in super::super) const MAX_ITEMS: usize = 1_000_000;

/// Deepest nesting of lists and dicts: they are compared, written and dropped level by level.
const MAX_NESTING: usize = 50;

/// What an expression gives.
#[derive(Clone)]
pub(in super::super) enum Value {
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(Complex),
    Text(Rc<str>),
    List(Rc<Vec<Value>>),
    Tuple(Rc<Vec<Value>>),
    Dict(Rc<Dict>),
    /// An included file with a name of its own, by its number.
    Namespace(usize),
    /// `math`, `python` or `xacro`.
    Module(&'static str),
    Function(&'static Function),
    /// A method of a value.
    Method(Rc<(Value, &'static str)>),
    Lambda(Rc<Lambda>),
}

/// A function written in an expression, with the local names it was made among.
pub(in super::super) struct Lambda {
    pub(super) parameters: Vec<String>,
    pub(super) body: Rc<Expression>,
    pub(super) locals: Vec<(String, Value)>,
}

impl Value {
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::Text(text.as_ref().into())
    }

    /// The text of something whose length may grow.
    pub(super) fn bounded_text(text: String) -> Outcome<Self> {
        if text.len() > MAX_ITEMS {
            return Err(Failure::limit(format!("a text of more than {MAX_ITEMS} bytes")));
        }
        Ok(Self::Text(text.into()))
    }

    pub(super) fn list(items: Vec<Self>) -> Outcome<Self> {
        if items.len() > MAX_ITEMS {
            return Err(Failure::limit(format!("a list of more than {MAX_ITEMS} elements")));
        }
        Ok(Self::List(Rc::new(items)))
    }

    /// How many values it is made of, lists counted wherever they stand; `None` of more than a million, or nested too deep.
    pub fn weight(&self) -> Option<usize> {
        let mut count = 0;
        self.weigh(0, &mut count).then_some(count)
    }

    fn weigh(&self, depth: usize, count: &mut usize) -> bool {
        *count += 1;
        if *count > MAX_ITEMS || depth > MAX_NESTING {
            return false;
        }
        match self {
            Self::List(items) | Self::Tuple(items) => items.iter().all(|item| item.weigh(depth + 1, count)),
            Self::Dict(dict) => dict.entries().iter().all(|(_, value)| value.weigh(depth + 1, count)),
            Self::Text(text) => {
                *count += text.len() / 64;
                true
            }
            _ => true,
        }
    }

    /// What Python calls its type.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Complex(_) => "complex",
            Self::Text(_) => "str",
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Namespace(_) | Self::Module(_) => "namespace",
            Self::Function(_) | Self::Method(_) | Self::Lambda(_) => "function",
        }
    }

    /// Whether a condition takes it for true.
    pub fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Complex(value) => !value.is_zero(),
            Self::Text(text) => !text.is_empty(),
            Self::List(items) | Self::Tuple(items) => !items.is_empty(),
            Self::Dict(dict) => !dict.entries().is_empty(),
            Self::Namespace(_) | Self::Module(_) | Self::Function(_) | Self::Method(_) | Self::Lambda(_) => true,
        }
    }

    /// The whole number that it is, a truth value being 0 or 1.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Self::Bool(value) => Some(i128::from(*value)),
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The real number that it is.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            _ => self.as_int().map(|value| value as f64),
        }
    }

    /// What `str` makes of it.
    pub fn to_text(&self) -> Outcome<String> {
        match self {
            Self::Text(text) => Ok(text.to_string()),
            _ => self.repr(),
        }
    }

    /// What `repr` makes of it.
    pub fn repr(&self) -> Outcome<String> {
        let mut out = String::new();
        self.write(&mut out, 0)?;
        Ok(out)
    }

    fn write(&self, out: &mut String, depth: usize) -> Outcome<()> {
        if out.len() > MAX_ITEMS || depth > MAX_NESTING {
            return Err(Failure::limit("a value that is too long to be written"));
        }
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
            Self::Int(value) => out.push_str(&value.to_string()),
            Self::Float(value) => out.push_str(&super::format::float_repr(*value)),
            Self::Complex(value) => out.push_str(&value.repr()),
            Self::Text(text) => out.push_str(&super::format::text_repr(text)),
            Self::List(items) => {
                out.push('[');
                write_items(items, out, depth)?;
                out.push(']');
            }
            Self::Tuple(items) => {
                out.push('(');
                write_items(items, out, depth)?;
                out.push_str(if items.len() == 1 { ",)" } else { ")" });
            }
            Self::Dict(dict) => {
                out.push('{');
                for (index, (key, value)) in dict.entries().iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    key.write(out, depth + 1)?;
                    out.push_str(": ");
                    value.write(out, depth + 1)?;
                }
                out.push('}');
            }
            Self::Namespace(_) | Self::Module(_) | Self::Function(_) | Self::Method(_) | Self::Lambda(_) => {
                let hint = "call it, or take something out of it";
                return Err(Failure::expression(format!("a {} has no text", self.kind())).hint(hint));
            }
        }
        Ok(())
    }

    /// `==` of Python: numbers of all kinds compare by value.
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b))
            }
            (Self::Dict(a), Self::Dict(b)) => {
                let same = |(key, value): &(Self, Self)| b.get(key).is_some_and(|other| other.equals(value));
                a.entries().len() == b.entries().len() && a.entries().iter().all(same)
            }
            (Self::Namespace(a), Self::Namespace(b)) => a == b,
            (Self::Module(a), Self::Module(b)) => a == b,
            (Self::Function(a), Self::Function(b)) => std::ptr::eq(*a, *b),
            (Self::Complex(_), _) | (_, Self::Complex(_)) => match (Complex::of(self), Complex::of(other)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
            _ => super::number::compare(self, other) == Some(Ordering::Equal),
        }
    }

    /// The order of numbers, texts, lists and tuples; `Ok(None)` next to a number that is none.
    pub fn order(&self, other: &Self) -> Outcome<Option<Ordering>> {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => Ok(Some(a.cmp(b))),
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => {
                match a.iter().zip(b.iter()).find(|(a, b)| !a.equals(b)) {
                    Some((a, b)) => a.order(b),
                    None => Ok(Some(a.len().cmp(&b.len()))),
                }
            }
            _ if self.as_float().is_some() && other.as_float().is_some() => Ok(super::number::compare(self, other)),
            _ => {
                let (a, b) = (self.kind(), other.kind());
                Err(Failure::expression(format!("a {a} and a {b} have no order")))
            }
        }
    }
}

fn write_items(items: &[Value], out: &mut String, depth: usize) -> Outcome<()> {
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        item.write(out, depth + 1)?;
    }
    Ok(())
}
