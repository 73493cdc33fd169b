//! Dicts: entries in the order in which they were made, found by key.

use super::super::failure::{Failure, Outcome};
use super::value::Value;
use std::collections::HashMap;

/// A dict. Keys are numbers, texts, truth values, `None`, or tuples of these.
#[derive(Default)]
pub(in super::super) struct Dict {
    entries: Vec<(Value, Value)>,
    places: HashMap<String, usize>,
}

impl Dict {
    pub fn entries(&self) -> &[(Value, Value)] {
        &self.entries
    }

    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.places.get(&address(key)?).map(|place| &self.entries[*place].1)
    }

    /// Adds an entry, or changes the value of one that is there.
    pub fn insert(&mut self, key: Value, value: Value) -> Outcome<()> {
        let Some(address) = address(&key) else {
            return Err(Failure::expression(format!("a {} cannot be the key of a dict", key.kind())));
        };
        match self.places.get(&address) {
            Some(place) => self.entries[*place].1 = value,
            None => {
                self.places.insert(address, self.entries.len());
                self.entries.push((key, value));
            }
        }
        Ok(())
    }
}

/// A text that is the same for equal keys and only for these.
fn address(key: &Value) -> Option<String> {
    match key {
        Value::Text(text) => Some(format!("'{text}")),
        Value::None => Some("None".to_owned()),
        Value::Bool(_) | Value::Int(_) => key.as_int().map(|value| value.to_string()),
        Value::Float(value) => Some(match super::number::whole(*value) {
            Some(whole) => whole.to_string(),
            None => super::format::float_repr(*value),
        }),
        Value::Tuple(items) => {
            let items: Option<Vec<String>> = items.iter().map(address).collect();
            items.map(|items| items.iter().map(|item| format!("({}:{item}", item.len())).collect())
        }
        _ => None,
    }
}
