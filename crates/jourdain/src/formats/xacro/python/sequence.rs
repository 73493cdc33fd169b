//! Elements of texts, lists, tuples and dicts: one by its index, some by a slice, all in turn.

use super::super::super::suggest;
use super::super::failure::{Failure, Outcome};
use super::value::Value;
use std::rc::Rc;

/// All elements in turn: letters of a text, keys of a dict.
pub(super) fn items(value: &Value) -> Outcome<Vec<Value>> {
    match value {
        Value::List(items) | Value::Tuple(items) => Ok(items.to_vec()),
        Value::Text(text) => Ok(text.chars().map(|letter| Value::text(letter.to_string())).collect()),
        Value::Dict(dict) => Ok(dict.entries().iter().map(|(key, _)| key.clone()).collect()),
        _ => Err(Failure::expression(format!("a {} has no elements", value.kind()))),
    }
}

/// How many elements there are.
pub(super) fn length(value: &Value) -> Outcome<usize> {
    match value {
        Value::List(items) | Value::Tuple(items) => Ok(items.len()),
        Value::Text(text) => Ok(text.chars().count()),
        Value::Dict(dict) => Ok(dict.entries().len()),
        _ => Err(Failure::expression(format!("a {} has no length", value.kind()))),
    }
}

/// What a dict has no entry for.
pub(super) fn missing_key(dict: &super::Dict, key: &Value) -> Box<Failure> {
    let text = |value: &Value| value.to_text().unwrap_or_default();
    let known: Vec<String> = dict.entries().iter().take(50).map(|(key, _)| text(key)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Failure::expression(format!("the dict has no entry `{}`", text(key))).hint(suggest::hint(&text(key), &known))
}

pub(super) fn index(value: &Value, index: &Value) -> Outcome<Value> {
    if let Value::Dict(dict) = value {
        return dict.get(index).cloned().ok_or_else(|| missing_key(dict, index));
    }
    let length = length(value)?;
    let Some(at) = index.as_int() else {
        return Err(Failure::expression(format!(
            "the index of a {} is a whole number, not a {}",
            value.kind(),
            index.kind()
        )));
    };
    let place = if at < 0 { at + length as i128 } else { at };
    let place = usize::try_from(place).ok().filter(|place| *place < length);
    let Some(place) = place else {
        return Err(Failure::expression(format!("element {at} of {length}")).hint("the first element is number 0"));
    };
    Ok(match value {
        Value::List(items) | Value::Tuple(items) => items[place].clone(),
        Value::Text(text) => Value::text(text.chars().skip(place).take(1).collect::<String>()),
        _ => Value::None,
    })
}

/// `value[from:to:step]`.
pub(super) fn slice(value: &Value, bounds: [Option<Value>; 3]) -> Outcome<Value> {
    let length = length(value)? as i128;
    let bound = |given: &Option<Value>| match given {
        None | Some(Value::None) => Ok(None),
        Some(given) => {
            given.as_int().map(Some).ok_or_else(|| Failure::expression("the bounds of a slice are whole numbers"))
        }
    };
    let step = bound(&bounds[2])?.unwrap_or(1);
    if step == 0 {
        return Err(Failure::expression("the step of a slice is zero"));
    }
    let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let clamp = |at: i128| (if at < 0 { at.saturating_add(length) } else { at }).clamp(least, most);
    let from = bound(&bounds[0])?.map_or(if step > 0 { least } else { most }, clamp);
    let to = bound(&bounds[1])?.map_or(if step > 0 { most } else { least }, clamp);
    let all = if let Value::Dict(_) = value { Err(Failure::expression("a dict has no slices")) } else { items(value) }?;
    let mut picked = Vec::new();
    let mut at = from;
    while if step > 0 { at < to } else { at > to } {
        picked.extend(usize::try_from(at).ok().and_then(|at| all.get(at)).cloned());
        at = at.saturating_add(step);
    }
    Ok(match value {
        Value::Text(_) => {
            let letters = picked.iter().map(Value::to_text).collect::<Outcome<String>>();
            Value::text(letters?)
        }
        Value::Tuple(_) => Value::Tuple(Rc::new(picked)),
        _ => Value::List(Rc::new(picked)),
    })
}
