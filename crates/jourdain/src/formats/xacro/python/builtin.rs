//! The functions that Python has built in, as far as expressions may call them.

use super::super::failure::{Failure, Outcome};
use super::complex::Complex;
use super::dict::Dict;
use super::evaluate::Evaluation;
use super::function::{Arguments, Function, one, real, takes, whole};
use super::value::{MAX_ITEMS, Value};
use super::{number, sequence};
use std::cmp::Ordering;
use std::rc::Rc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::global("list", |_, arguments| match arguments.up_to(0)? {
        [None] => Value::list(Vec::new()),
        [Some(value)] => Value::list(sequence::items(&value)?),
    }),
    Function::global("dict", |_, arguments| dict(arguments)),
    Function::global("map", map),
    Function::global("len", |_, arguments| {
        let [value] = arguments.exactly()?;
        sequence::length(&value).map(|length| Value::Int(length as i128))
    }),
    Function::global("str", |_, arguments| match arguments.up_to(0)? {
        [None] => Ok(Value::text("")),
        [Some(value)] => Value::bounded_text(value.to_text()?),
    }),
    Function::global("float", |_, arguments| match arguments.up_to(0)? {
        [None] => Ok(Value::Float(0.0)),
        [Some(value)] => float(&value),
    }),
    Function::global("int", |_, arguments| int(arguments)),
    Function::global("bool", |_, arguments| {
        let [value] = arguments.up_to(0)?;
        Ok(Value::Bool(value.is_some_and(|value| value.is_true())))
    }),
    Function::global("min", |evaluation, arguments| extreme(evaluation, arguments, Ordering::Less)),
    Function::global("max", |evaluation, arguments| extreme(evaluation, arguments, Ordering::Greater)),
    Function::global("round", |_, mut arguments| {
        arguments.place("ndigits");
        let [value, digits] = arguments.up_to(1)?;
        let digits = digits.filter(|digits| !matches!(digits, Value::None)).map(|digits| whole(&digits)).transpose()?;
        number::round(&value.unwrap_or(Value::None), digits)
    }),
    Function::global("sorted", sorted),
    Function::global("range", range),
    Function::python("abs", |_, arguments| {
        let [value] = arguments.exactly()?;
        match (&value, value.as_int()) {
            (_, Some(whole)) => whole.checked_abs().map(Value::Int).ok_or_else(number::too_large),
            (Value::Float(real), _) => Ok(Value::Float(real.abs())),
            (Value::Complex(complex), _) => Ok(Value::Float(complex.abs())),
            _ => Err(takes("a number", &value)),
        }
    }),
    Function::python("all", |_, arguments| {
        let [value] = arguments.exactly()?;
        Ok(Value::Bool(sequence::items(&value)?.iter().all(Value::is_true)))
    }),
    Function::python("any", |_, arguments| {
        let [value] = arguments.exactly()?;
        Ok(Value::Bool(sequence::items(&value)?.iter().any(Value::is_true)))
    }),
    Function::python("complex", |_, arguments| {
        let [re, im] = arguments.exactly()?;
        Ok(Value::Complex(Complex { re: real(&re)?, im: real(&im)? }))
    }),
    Function::python("divmod", |_, arguments| {
        let [a, b] = arguments.exactly()?;
        let pair = match (a.as_int(), b.as_int()) {
            (Some(a), Some(b)) => number::floor_ints(a, b).map(|(div, rest)| [Value::Int(div), Value::Int(rest)])?,
            _ => {
                number::floor_floats(real(&a)?, real(&b)?).map(|(div, rest)| [Value::Float(div), Value::Float(rest)])?
            }
        };
        Ok(Value::Tuple(Rc::new(pair.to_vec())))
    }),
    Function::python("enumerate", |_, mut arguments| {
        arguments.place("start");
        let [items, start] = arguments.up_to(1)?;
        let start = start.map(|start| whole(&start)).transpose()?.unwrap_or(0);
        let items = sequence::items(&items.unwrap_or(Value::None))?;
        let pair = |(at, item): (usize, Value)| Value::Tuple(Rc::new(vec![Value::Int(start + at as i128), item]));
        Value::list(items.into_iter().enumerate().map(pair).collect())
    }),
    Function::python("filter", |evaluation, arguments| {
        let [test, items] = arguments.exactly()?;
        let mut kept = Vec::new();
        for item in sequence::items(&items)? {
            let is_kept = match &test {
                Value::None => item.is_true(),
                test => evaluation.call(test, one(item.clone()))?.is_true(),
            };
            kept.extend(is_kept.then_some(item));
        }
        Value::list(kept)
    }),
    Function::python("isinstance", |_, arguments| {
        let [value, kinds] = arguments.exactly()?;
        let kinds = if let Value::Tuple(kinds) = &kinds { kinds.to_vec() } else { vec![kinds] };
        let is_kind = |kind: &Value| match kind {
            Value::Function(function) => {
                function.name == value.kind() || (function.name == "int" && value.kind() == "bool")
            }
            _ => false,
        };
        Ok(Value::Bool(kinds.iter().any(is_kind)))
    }),
    Function::python("ord", |_, arguments| {
        let [value] = arguments.exactly()?;
        let text = value.to_text()?;
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Ok(Value::Int(i128::from(u32::from(letter)))),
            _ => Err(takes("one letter", &value)),
        }
    }),
    Function::python("repr", |_, arguments| {
        let [value] = arguments.exactly()?;
        Value::bounded_text(value.repr()?)
    }),
    Function::python("reversed", |_, arguments| {
        let [value] = arguments.exactly()?;
        Value::list(sequence::items(&value)?.into_iter().rev().collect())
    }),
    Function::python("sum", |_, arguments| {
        let [items, start] = arguments.up_to(1)?;
        let items = sequence::items(&items.unwrap_or(Value::None))?;
        items.iter().try_fold(start.unwrap_or(Value::Int(0)), |sum, item| super::operator::binary("+", &sum, item))
    }),
    Function::python("tuple", |_, arguments| {
        let [items] = arguments.up_to(0)?;
        Ok(Value::Tuple(Rc::new(items.map_or(Ok(Vec::new()), |items| sequence::items(&items))?)))
    }),
    Function::python("zip", |_, arguments| {
        let lists = arguments.values.iter().map(sequence::items).collect::<Outcome<Vec<_>>>()?;
        let length = lists.iter().map(Vec::len).min().unwrap_or(0);
        let row = |at: usize| Value::Tuple(Rc::new(lists.iter().map(|list| list[at].clone()).collect()));
        Value::list((0..length).map(row).collect())
    }),
];

fn float(value: &Value) -> Outcome<Value> {
    match value {
        Value::Text(text) => super::parse_float(text)
            .map(Value::Float)
            .ok_or_else(|| Failure::expression(format!("\"{text}\" is no number"))),
        _ => real(value).map(Value::Float),
    }
}

fn int(arguments: Arguments) -> Outcome<Value> {
    let [value, base] = arguments.up_to(0)?;
    let value = value.unwrap_or(Value::Int(0));
    let base = match base {
        Some(base) => u32::try_from(whole(&base)?)
            .ok()
            .filter(|base| (2..=36).contains(base))
            .ok_or_else(|| takes("a base from 2 to 36", &base))?,
        None => 10,
    };
    let prefix = match base {
        16 => "0x",
        8 => "0o",
        2 => "0b",
        _ => "",
    };
    match &value {
        Value::Text(text) => super::parse_int(text.trim().strip_prefix(prefix).unwrap_or(text), base)
            .map(Value::Int)
            .ok_or_else(|| Failure::expression(format!("\"{text}\" is no whole number"))),
        Value::Float(real) => number::to_int(*real).map(Value::Int),
        _ => whole(&value).map(Value::Int),
    }
}

fn dict(mut arguments: Arguments) -> Outcome<Value> {
    let named = std::mem::take(&mut arguments.named);
    let mut dict = Dict::default();
    if let [Some(from)] = arguments.up_to(0)? {
        let pairs = match &from {
            Value::Dict(from) => from.entries().to_vec(),
            pairs => sequence::items(pairs)?.iter().map(pair).collect::<Outcome<_>>()?,
        };
        for (key, value) in pairs {
            dict.insert(key, value)?;
        }
    }
    for (key, value) in named {
        dict.insert(Value::text(key), value)?;
    }
    Ok(Value::Dict(Rc::new(dict)))
}

fn pair(value: &Value) -> Outcome<(Value, Value)> {
    let items: Result<[Value; 2], _> = sequence::items(value)?.try_into();
    items.map(|[key, value]| (key, value)).map_err(|_| takes("pairs", value))
}

fn map(evaluation: &mut Evaluation<'_>, arguments: Arguments) -> Outcome<Value> {
    let Some((function, lists)) = arguments.values.split_first() else {
        return Err(Failure::expression("`map` takes a function and a list"));
    };
    let lists = lists.iter().map(sequence::items).collect::<Outcome<Vec<_>>>()?;
    let length = lists.iter().map(Vec::len).min().unwrap_or(0);
    let mut results = Vec::with_capacity(length.min(MAX_ITEMS));
    for at in 0..length {
        let values = lists.iter().map(|list| list[at].clone()).collect();
        results.push(evaluation.call(function, Arguments { values, named: Vec::new() })?);
    }
    Value::list(results)
}

/// The values that a key function gives, or the values themselves.
fn keyed(evaluation: &mut Evaluation<'_>, key: Option<Value>, items: Vec<Value>) -> Outcome<Vec<(Value, Value)>> {
    let key = key.filter(|key| !matches!(key, Value::None));
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let by = match &key {
            Some(key) => evaluation.call(key, one(item.clone()))?,
            None => item.clone(),
        };
        keyed.push((by, item));
    }
    Ok(keyed)
}

fn extreme(evaluation: &mut Evaluation<'_>, mut arguments: Arguments, wanted: Ordering) -> Outcome<Value> {
    let (key, default) = (arguments.take("key"), arguments.take("default"));
    let items = match &arguments.values[..] {
        [items] => sequence::items(items)?,
        _ => std::mem::take(&mut arguments.values),
    };
    let mut best: Option<(Value, Value)> = None;
    for (by, item) in keyed(evaluation, key, items)? {
        let is_better = match &best {
            Some((best, _)) => by.order(best)? == Some(wanted),
            None => true,
        };
        if is_better {
            best = Some((by, item));
        }
    }
    best.map(|(_, item)| item).or(default).ok_or_else(|| Failure::expression("`{name}` takes at least one value"))
}

fn sorted(evaluation: &mut Evaluation<'_>, mut arguments: Arguments) -> Outcome<Value> {
    let (key, reverse) = (arguments.take("key"), arguments.take("reverse"));
    let [items] = arguments.exactly()?;
    let items = sequence::items(&items)?;
    evaluation.names.budget().spend(items.len().saturating_mul(16))?;
    let mut items = keyed(evaluation, key, items)?;
    let mut failure = None;
    let descending = reverse.is_some_and(|reverse| reverse.is_true());
    items.sort_by(|(a, _), (b, _)| match a.order(b) {
        Ok(order) => {
            let order = order.unwrap_or(Ordering::Equal);
            if descending { order.reverse() } else { order }
        }
        Err(error) => {
            failure = Some(error);
            Ordering::Equal
        }
    });
    failure.map_or_else(|| Value::list(items.into_iter().map(|(_, item)| item).collect()), Err)
}

fn range(evaluation: &mut Evaluation<'_>, arguments: Arguments) -> Outcome<Value> {
    let [first, second, step] = arguments.up_to(1)?;
    let first = whole(&first.unwrap_or(Value::Int(0)))?;
    let (from, to) = match second {
        Some(second) => (first, whole(&second)?),
        None => (0, first),
    };
    let step = step.map_or(Ok(1), |step| whole(&step))?;
    let count = match step.signum() {
        0 => return Err(Failure::expression("the step of a range is zero")),
        1 => to.saturating_sub(from).max(0) as u128,
        _ => from.saturating_sub(to).max(0) as u128,
    };
    let count = count.div_ceil(step.unsigned_abs());
    if count > MAX_ITEMS as u128 {
        return Err(Failure::limit(format!("a range of more than {MAX_ITEMS} numbers")));
    }
    evaluation.names.budget().spend(count as usize)?;
    Value::list((0..count as i128).map(|at| Value::Int(from + at * step)).collect())
}
