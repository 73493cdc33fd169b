//! Signs between values.

use super::super::failure::{Failure, Outcome};
use super::complex::Complex;
use super::number::{self, too_large};
use super::value::{MAX_ITEMS, Value};
use std::cmp::Ordering;
use std::rc::Rc;

pub(super) fn mismatch(sign: &str, a: &Value, b: &Value) -> Box<Failure> {
    let failure = Failure::expression(format!("`{sign}` does not go with {} and {}", a.kind(), b.kind()));
    match (a, b) {
        (Value::Text(_), _) | (_, Value::Text(_)) => failure.hint("str(…) makes a text, float(…) and int(…) a number"),
        _ => failure,
    }
}

/// The value of `a sign b`.
pub(super) fn binary(sign: &'static str, a: &Value, b: &Value) -> Outcome<Value> {
    match (sign, a, b) {
        ("+", Value::Text(x), Value::Text(y)) => return Value::bounded_text(format!("{x}{y}")),
        ("+", Value::List(x), Value::List(y)) => return Value::list([&x[..], &y[..]].concat()),
        ("+", Value::Tuple(x), Value::Tuple(y)) => return tuple([&x[..], &y[..]].concat()),
        ("%", Value::Text(template), values) => return super::format::percent(template, values),
        ("*", _, _) => {
            if let Some(repeated) = repeated(a, b).or_else(|| repeated(b, a)) {
                return repeated;
            }
        }
        ("**", _, _) => return number::power(a, b),
        _ => {}
    }
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
        return integers(sign, x, y, matches!((a, b), (Value::Bool(_), Value::Bool(_))));
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return Ok(Value::Float(match sign {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "/" => number::divide_floats(x, y)?,
            "//" => number::floor_floats(x, y)?.0,
            "%" => number::floor_floats(x, y)?.1,
            _ => return Err(mismatch(sign, a, b)),
        }));
    }
    let (Some(x), Some(y)) = (Complex::of(a), Complex::of(b)) else { return Err(mismatch(sign, a, b)) };
    Ok(Value::Complex(match sign {
        "+" => x.add(y),
        "-" => x.sub(y),
        "*" => x.mul(y),
        "/" => x.div(y)?,
        _ => return Err(mismatch(sign, a, b)),
    }))
}

fn tuple(items: Vec<Value>) -> Outcome<Value> {
    Value::list(items).map(|list| match list {
        Value::List(items) => Value::Tuple(items),
        other => other,
    })
}

/// A text, list or tuple so many times over.
fn repeated(sequence: &Value, times: &Value) -> Option<Outcome<Value>> {
    let times = usize::try_from(times.as_int()?.max(0)).unwrap_or(usize::MAX);
    let too_long = |length: usize| length.saturating_mul(times) > MAX_ITEMS;
    let limit = || Err(Failure::limit(format!("a text or list of more than {MAX_ITEMS} elements")));
    let again = |items: &[Value]| (0..times).flat_map(|_| items.iter().cloned()).collect();
    match sequence {
        Value::Text(text) if too_long(text.len()) => Some(limit()),
        Value::Text(text) => Some(Ok(Value::text(text.repeat(times)))),
        Value::List(items) | Value::Tuple(items) if too_long(items.len()) => Some(limit()),
        Value::List(items) => Some(Value::list(again(items))),
        Value::Tuple(items) => Some(tuple(again(items))),
        _ => None,
    }
}

fn integers(sign: &'static str, x: i128, y: i128, are_truths: bool) -> Outcome<Value> {
    let logic = |value: i128| if are_truths { Value::Bool(value != 0) } else { Value::Int(value) };
    let shift = || u32::try_from(y).map_err(|_| Failure::expression(format!("a shift by {y} places")));
    Ok(match sign {
        "+" => Value::Int(x.checked_add(y).ok_or_else(too_large)?),
        "-" => Value::Int(x.checked_sub(y).ok_or_else(too_large)?),
        "*" => Value::Int(x.checked_mul(y).ok_or_else(too_large)?),
        "/" => Value::Float(number::divide_ints(x, y)?),
        "//" => Value::Int(number::floor_ints(x, y)?.0),
        "%" => Value::Int(number::floor_ints(x, y)?.1),
        "|" => logic(x | y),
        "^" => logic(x ^ y),
        "&" => logic(x & y),
        "<<" => {
            let factor = 1_i128.checked_shl(shift()?).filter(|factor| *factor > 0);
            Value::Int(factor.and_then(|factor| x.checked_mul(factor)).or((x == 0).then_some(0)).ok_or_else(too_large)?)
        }
        ">>" => Value::Int(x >> shift()?.min(127)),
        _ => return Err(mismatch(sign, &Value::Int(x), &Value::Int(y))),
    })
}

/// The value of `sign a`.
pub(super) fn prefix(sign: &'static str, value: &Value) -> Outcome<Value> {
    let wrong = || Failure::expression(format!("`{sign}` cannot stand before a {}", value.kind()));
    match (sign, value, value.as_int()) {
        ("not", _, _) => Ok(Value::Bool(!value.is_true())),
        ("-", _, Some(whole)) => whole.checked_neg().map(Value::Int).ok_or_else(too_large),
        ("+", _, Some(whole)) => Ok(Value::Int(whole)),
        ("~", _, Some(whole)) => Ok(Value::Int(!whole)),
        ("-", Value::Float(real), _) => Ok(Value::Float(-real)),
        ("-", Value::Complex(Complex { re, im }), _) => Ok(Value::Complex(Complex { re: -re, im: -im })),
        ("+", Value::Float(_) | Value::Complex(_), _) => Ok(value.clone()),
        _ => Err(wrong()),
    }
}

/// The truth of `a sign b`.
pub(super) fn compare(sign: &'static str, a: &Value, b: &Value) -> Outcome<bool> {
    let ordered = |wanted: &[Ordering]| Ok(a.order(b)?.is_some_and(|order| wanted.contains(&order)));
    match sign {
        "==" => Ok(a.equals(b)),
        "!=" => Ok(!a.equals(b)),
        "<" => ordered(&[Ordering::Less]),
        "<=" => ordered(&[Ordering::Less, Ordering::Equal]),
        ">" => ordered(&[Ordering::Greater]),
        ">=" => ordered(&[Ordering::Greater, Ordering::Equal]),
        "in" => contains(b, a),
        "not in" => contains(b, a).map(|found| !found),
        "is" => Ok(is_same(a, b)),
        _ => Ok(!is_same(a, b)),
    }
}

/// `is` asks for the same thing: of values that are written, those of one kind.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
        _ => a.kind() == b.kind() && a.equals(b),
    }
}

fn contains(container: &Value, item: &Value) -> Outcome<bool> {
    match (container, item) {
        (Value::Text(text), Value::Text(part)) => Ok(text.contains(&**part)),
        (Value::List(items) | Value::Tuple(items), _) => Ok(items.iter().any(|other| other.equals(item))),
        (Value::Dict(dict), _) => Ok(dict.get(item).is_some()),
        _ => Err(mismatch("in", item, container)),
    }
}
