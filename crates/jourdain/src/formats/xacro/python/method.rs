//! Methods of texts, lists and dicts.

use super::super::failure::{Failure, Outcome};
use super::evaluate::Evaluation;
use super::function::{Arguments, takes, whole};
use super::sequence;
use super::value::Value;
use std::rc::Rc;

const TEXT: [&str; 24] = [
    "split",
    "rsplit",
    "splitlines",
    "strip",
    "lstrip",
    "rstrip",
    "lower",
    "upper",
    "title",
    "capitalize",
    "swapcase",
    "replace",
    "startswith",
    "endswith",
    "join",
    "find",
    "rfind",
    "index",
    "count",
    "zfill",
    "isdigit",
    "isalpha",
    "isnumeric",
    "isspace",
];
const LIST: [&str; 2] = ["index", "count"];
const DICT: [&str; 4] = ["get", "keys", "values", "items"];

/// The method of that name.
pub(super) fn find(value: &Value, name: &str) -> Option<&'static str> {
    let known: &[&str] = match value {
        Value::Text(_) => &TEXT,
        Value::List(_) | Value::Tuple(_) => &LIST,
        Value::Dict(_) => &DICT,
        _ => &[],
    };
    known.iter().find(|known| **known == name).copied()
}

pub(super) fn call(value: &Value, name: &'static str, arguments: Arguments, _: &mut Evaluation<'_>) -> Outcome<Value> {
    let result = match value {
        Value::Text(text) => of_text(text, name, arguments),
        Value::List(items) | Value::Tuple(items) => of_list(items, name, arguments),
        Value::Dict(dict) => of_dict(dict, name, arguments),
        _ => Err(Failure::expression(format!("a {} has no `{name}`", value.kind()))),
    };
    result.map_err(|failure| Box::new(Failure { message: failure.message.replace("{name}", name), ..*failure }))
}

fn of_dict(dict: &super::Dict, name: &str, arguments: Arguments) -> Outcome<Value> {
    let entries = dict.entries().iter();
    if name == "get" {
        let [key, default] = arguments.up_to(1)?;
        let found = key.and_then(|key| dict.get(&key).cloned());
        return Ok(found.or(default).unwrap_or(Value::None));
    }
    let [] = arguments.exactly()?;
    Value::list(match name {
        "keys" => entries.map(|(key, _)| key.clone()).collect(),
        "values" => entries.map(|(_, value)| value.clone()).collect(),
        _ => entries.map(|(key, value)| Value::Tuple(Rc::new(vec![key.clone(), value.clone()]))).collect(),
    })
}

fn of_list(items: &[Value], name: &str, arguments: Arguments) -> Outcome<Value> {
    let [item] = arguments.exactly()?;
    if name == "count" {
        return Ok(Value::Int(items.iter().filter(|other| other.equals(&item)).count() as i128));
    }
    let place = items.iter().position(|other| other.equals(&item));
    place.map(|place| Value::Int(place as i128)).ok_or_else(|| Failure::expression("the list has no such element"))
}

fn text(value: &Value) -> Outcome<Rc<str>> {
    match value {
        Value::Text(text) => Ok(Rc::clone(text)),
        _ => Err(takes("a text", value)),
    }
}

fn of_text(this: &str, name: &'static str, arguments: Arguments) -> Outcome<Value> {
    match name {
        "split" | "rsplit" => split(this, name == "rsplit", arguments),
        "strip" | "lstrip" | "rstrip" => strip(this, name, arguments),
        "startswith" | "endswith" => {
            let [ends] = arguments.exactly()?;
            let ends = if let Value::Tuple(ends) = &ends { ends.to_vec() } else { vec![ends] };
            let ends = ends.iter().map(text).collect::<Outcome<Vec<_>>>()?;
            let is_end =
                |end: &Rc<str>| if name == "endswith" { this.ends_with(&**end) } else { this.starts_with(&**end) };
            Ok(Value::Bool(ends.iter().any(is_end)))
        }
        "replace" => {
            let [from, to, count] = arguments.up_to(2)?;
            let (from, to) = (text(&from.unwrap_or(Value::None))?, text(&to.unwrap_or(Value::None))?);
            let most = count.map_or(Ok(-1), |count| whole(&count))?;
            if this.len().saturating_mul(to.len() + 1) > 64 << 20 {
                return Err(Failure::limit("a text that is too long"));
            }
            Value::bounded_text(match usize::try_from(most) {
                Ok(most) => this.replacen(&*from, &to, most),
                Err(_) => this.replace(&*from, &to),
            })
        }
        "join" => {
            let [items] = arguments.exactly()?;
            let items = sequence::items(&items)?.iter().map(text).collect::<Outcome<Vec<_>>>()?;
            let length = items.iter().map(|item| item.len() + this.len()).sum::<usize>();
            if length > super::value::MAX_ITEMS {
                return Err(Failure::limit("a text that is too long"));
            }
            Value::bounded_text(items.join(this))
        }
        "find" | "rfind" | "index" | "count" => {
            let [part] = arguments.exactly()?;
            let part = text(&part)?;
            if name == "count" {
                return Ok(Value::Int(this.matches(&*part).count() as i128));
            }
            let at = if name == "rfind" { this.rfind(&*part) } else { this.find(&*part) };
            match at {
                Some(at) => Ok(Value::Int(this[..at].chars().count() as i128)),
                None if name == "index" => Err(Failure::expression("the text has no such part")),
                None => Ok(Value::Int(-1)),
            }
        }
        "zfill" => {
            let [width] = arguments.exactly()?;
            let width = usize::try_from(whole(&width)?).unwrap_or(0).min(1000);
            let signs = usize::from(this.starts_with(['+', '-']));
            let zeros = "0".repeat(width.saturating_sub(this.chars().count()));
            Ok(Value::text(format!("{}{zeros}{}", &this[..signs], &this[signs..])))
        }
        "splitlines" => {
            let [] = arguments.exactly()?;
            Value::list(this.lines().map(Value::text).collect())
        }
        _ => {
            let [] = arguments.exactly()?;
            Ok(of_letters(this, name))
        }
    }
}

/// What looks at or changes letter by letter.
fn of_letters(this: &str, name: &str) -> Value {
    let all = |test: fn(char) -> bool| Value::Bool(!this.is_empty() && this.chars().all(test));
    match name {
        "lower" => Value::text(this.to_lowercase()),
        "upper" => Value::text(this.to_uppercase()),
        "isdigit" | "isnumeric" => all(char::is_numeric),
        "isalpha" => all(char::is_alphabetic),
        "isspace" => all(char::is_whitespace),
        "swapcase" => {
            let swap = |c: char| {
                if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect::<String>() }
            };
            Value::text(this.chars().map(swap).collect::<String>())
        }
        _ => {
            let mut out = String::new();
            let mut is_inside = false;
            for letter in this.chars() {
                if is_inside {
                    out.extend(letter.to_lowercase())
                } else {
                    out.extend(letter.to_uppercase())
                }
                is_inside = name == "capitalize" || letter.is_alphabetic();
            }
            Value::text(out)
        }
    }
}

fn strip(this: &str, name: &str, arguments: Arguments) -> Outcome<Value> {
    let [letters] = arguments.up_to(0)?;
    let letters =
        letters.filter(|letters| !matches!(letters, Value::None)).map(|letters| text(&letters)).transpose()?;
    let goes = |letter: char| letters.as_ref().map_or(letter.is_whitespace(), |letters| letters.contains(letter));
    Ok(Value::text(match name {
        "strip" => this.trim_matches(goes),
        "lstrip" => this.trim_start_matches(goes),
        _ => this.trim_end_matches(goes),
    }))
}

fn split(this: &str, from_right: bool, mut arguments: Arguments) -> Outcome<Value> {
    let most = arguments.take("maxsplit");
    arguments.place("sep");
    let [separator, count] = arguments.up_to(0)?;
    let most = count.or(most).map_or(Ok(-1), |count| whole(&count))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX - 1) + 1;
    let separator = separator.filter(|separator| !matches!(separator, Value::None));
    let pieces: Vec<&str> = match separator.map(|separator| text(&separator)).transpose()? {
        Some(separator) if separator.is_empty() => return Err(Failure::expression("`{name}` by an empty text")),
        Some(separator) if from_right => {
            let mut pieces: Vec<&str> = this.rsplitn(most, &*separator).collect();
            pieces.reverse();
            pieces
        }
        Some(separator) => this.splitn(most, &*separator).collect(),
        None if most == usize::MAX => this.split_whitespace().collect(),
        // Blanks between pieces belong to none; what is left in the end keeps those on its other side.
        None if from_right => {
            let mut pieces = Vec::new();
            let mut rest = this.trim_end();
            while !rest.is_empty() && pieces.len() + 1 < most {
                let (before, piece) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
                pieces.push(piece);
                rest = before.trim_end();
            }
            pieces.extend((!rest.is_empty()).then_some(rest));
            pieces.reverse();
            pieces
        }
        None => {
            let mut pieces = Vec::new();
            let mut rest = this.trim_start();
            while !rest.is_empty() && pieces.len() + 1 < most {
                let (piece, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                pieces.push(piece);
                rest = after.trim_start();
            }
            pieces.extend((!rest.is_empty()).then_some(rest));
            pieces
        }
    };
    Value::list(pieces.into_iter().map(Value::text).collect())
}
