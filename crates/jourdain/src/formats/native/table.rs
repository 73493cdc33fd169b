//! Reading a table key by key: types and lengths are checked on the way, and what nobody asked for is unknown.

use super::super::report::Report;
use super::super::source::Source;
use super::super::suggest;
use super::tree::{Entry, Node, Value};
use crate::model::description::Location;
use crate::model::{Diagnostic, Number};

/// What every reader needs: the text and where problems go.
pub(super) struct Context<'a> {
    pub source: &'a Source<'a>,
    pub report: &'a mut Report,
}

impl Context<'_> {
    pub fn locate(&self, node: &Node) -> Location {
        self.source.locate(node.range.clone())
    }

    pub fn error(&mut self, node: &Node, code: &'static str, message: String) {
        self.error_with_hint(node, code, message, None);
    }

    pub fn error_with_hint(&mut self, node: &Node, code: &'static str, message: String, hint: Option<String>) {
        let place = self.locate(node);
        self.report.push(Diagnostic { hint, ..Diagnostic::error(code, message).at(place) });
    }
}

/// A table that is being read; keys asked for are known keys.
pub(super) struct Table<'t> {
    entries: &'t [Entry],
    node: &'t Node,
    what: &'static str,
    known: Vec<&'static str>,
}

impl<'t> Table<'t> {
    /// The node as a table; `what` names it in messages.
    pub fn new(node: &'t Node, what: &'static str, context: &mut Context<'_>) -> Option<Self> {
        match &node.value {
            Value::Table(entries) => Some(Self { entries, node, what, known: Vec::new() }),
            other => {
                context.error(node, "wrong-type", format!("{what} must be a table, not {}", other.kind()));
                None
            }
        }
    }

    pub fn node(&self) -> &'t Node {
        self.node
    }

    /// All keys with their values, for a table whose keys are names of the robot's own.
    pub fn entries(&self) -> &'t [Entry] {
        self.entries
    }

    /// The value of a key.
    pub fn get(&mut self, key: &'static str) -> Option<&'t Node> {
        self.known.push(key);
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Where a key's value stands.
    pub fn place(&self, key: &str, context: &Context<'_>) -> Option<Location> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| context.locate(&entry.node))
    }

    pub fn text(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<&'t str> {
        let node = self.get(key)?;
        match &node.value {
            Value::Text(text) => Some(text),
            other => {
                context.error(node, "wrong-type", format!("`{key}` must be a string, not {}", other.kind()));
                None
            }
        }
    }

    pub fn boolean(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<bool> {
        let node = self.get(key)?;
        match node.value {
            Value::Boolean(value) => Some(value),
            ref other => {
                context.error(node, "wrong-type", format!("`{key}` must be true or false, not {}", other.kind()));
                None
            }
        }
    }

    pub fn number(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<Number> {
        number(self.get(key)?, key, context)
    }

    pub fn vector<const N: usize>(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<[Number; N]> {
        vector(self.get(key)?, key, context)
    }

    pub fn list(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<&'t [Node]> {
        list(self.get(key)?, key, context)
    }

    pub fn table(&mut self, key: &'static str, context: &mut Context<'_>) -> Option<Table<'t>> {
        let what = match key {
            "joint" => "a joint",
            "origin" => "an origin",
            "motor" => "a motor",
            "shaft" => "a shaft",
            "balance" => "a balance",
            "cylinder" => "a cylinder",
            "mimic" => "a mimic",
            other => other,
        };
        Table::new(self.get(key)?, what, context)
    }

    /// Both keys in one table is an error.
    pub fn exclude(&self, first: &str, second: &str, context: &mut Context<'_>) {
        let find = |key: &str| self.entries.iter().find(|entry| entry.key == key);
        if let (Some(_), Some(entry)) = (find(first), find(second)) {
            let place = context.source.locate(entry.key_range.clone());
            let message = format!("{} has both `{first}` and `{second}`", self.what);
            let diagnostic = Diagnostic::error("conflicting-keys", message).at(place);
            context.report.push(diagnostic.hint("the two say the same thing in different ways: give one"));
        }
    }

    /// The keys must be absent, for the reason given.
    pub fn refuse(&self, keys: &[&str], reason: &str, context: &mut Context<'_>) {
        for entry in self.entries.iter().filter(|entry| keys.contains(&entry.key.as_str())) {
            let place = context.source.locate(entry.key_range.clone());
            let message = format!("`{}` does not apply: {reason}", entry.key);
            context.report.push(Diagnostic::error("key-not-applicable", message).at(place).hint("take the key out"));
        }
    }

    /// The key must be there.
    pub fn require(&self, key: &str, context: &mut Context<'_>) {
        if self.entries.iter().all(|entry| entry.key != key) {
            context.error(self.node, "missing-key", format!("{} has no `{key}`", self.what));
        }
    }

    /// Reports the keys that were never asked for.
    pub fn finish(self, context: &mut Context<'_>) {
        for entry in self.entries.iter().filter(|entry| !self.known.contains(&entry.key.as_str())) {
            if context.report.is_full() {
                return;
            }
            let place = context.source.locate(entry.key_range.clone());
            let message = format!("{} has no key `{}`", self.what, shorten(&entry.key));
            let hint = suggest::hint(&entry.key, &self.known);
            context.report.push(Diagnostic::error("unknown-key", message).at(place).hint(hint));
        }
    }
}

pub(super) fn list<'t>(node: &'t Node, what: &str, context: &mut Context<'_>) -> Option<&'t [Node]> {
    match &node.value {
        Value::List(items) => Some(items),
        other => {
            context.error(node, "wrong-type", format!("`{what}` must be a list, not {}", other.kind()));
            None
        }
    }
}

pub(super) fn vector<const N: usize>(node: &Node, what: &str, context: &mut Context<'_>) -> Option<[Number; N]> {
    let items = list(node, what, context)?;
    if items.len() != N {
        context.error(node, "wrong-length", format!("`{what}` must have {N} numbers, not {}", items.len()));
        return None;
    }
    let mut result = [Number::ZERO; N];
    let mut complete = true;
    for (item, target) in items.iter().zip(&mut result) {
        match number(item, what, context) {
            Some(value) => *target = value,
            None => complete = false,
        }
    }
    complete.then_some(result)
}

pub(super) fn number(node: &Node, what: &str, context: &mut Context<'_>) -> Option<Number> {
    let (Value::Number(text) | Value::Text(text)) = &node.value else {
        let message = format!("`{what}` must be a number, not {}", node.value.kind());
        context.error(node, "wrong-type", message);
        return None;
    };
    let number = Number::parse(text);
    if number.is_none() {
        if text.trim().parse::<f64>().is_ok() {
            context.error(node, "not-finite", format!("`{what}` must be finite, not {}", shorten(text)));
        } else {
            let hint = "a number is written 0.25, \"1/4\" to be exact, or \"pi/4\"".to_owned();
            let message = format!("`{what}` must be a number, not \"{}\"", shorten(text));
            context.error_with_hint(node, "not-a-number", message, Some(hint));
        }
    }
    number
}

/// Names come from the file, so they may be of any length.
pub(in super::super) fn shorten(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_owned() } else { text.chars().take(60).chain(['…']).collect() }
}
