//! What TOML and JSON have in common: values with the bytes they stand in.

use std::ops::Range;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub value: Value,
    pub range: Range<usize>,
}

/// A value, numbers as written.
#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    /// The digits, in a form that `Number::parse` and `f64::from_str` read.
    Number(String),
    Boolean(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// JSON's null, TOML's dates: what no robot file uses.
    Other(&'static str),
}

/// A key with its value.
#[derive(Debug)]
pub(super) struct Entry {
    pub key: String,
    pub key_range: Range<usize>,
    pub node: Node,
}

impl Value {
    /// What to call it in a message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Boolean(_) => "a boolean",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}
