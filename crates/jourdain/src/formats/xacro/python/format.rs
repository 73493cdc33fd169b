//! How Python writes numbers and texts, and its `%` formatting.

use super::super::failure::{Failure, Outcome};
use super::value::{MAX_ITEMS, Value};

/// The shortest digits that give the number back, with an exponent where it is below −4 or at least 16. Of two that are
/// equally near, Python takes the even one, Rust the larger.
pub(super) fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = format!("{value:e}");
    let places =
        shortest.split_once('e').map_or(0, |(digits, _)| digits.bytes().filter(u8::is_ascii_digit).count() - 1);
    let nearest = format!("{value:.places$e}");
    let scientific = if nearest.parse() == Ok(value) { nearest } else { shortest };
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let decimals = (places as i32 - exponent).max(1) as usize;
        return format!("{value:.decimals$}");
    }
    with_exponent(digits, exponent, 'e')
}

/// At least two digits and a sign in the exponent.
fn with_exponent(digits: &str, exponent: i32, letter: char) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{letter}{sign}{:02}", exponent.abs())
}

/// In single quotes, or in double ones if the text has single ones only.
pub(super) fn text_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            letter if letter == quote => out.extend(['\\', letter]),
            letter if letter.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push(quote);
    out
}

/// What stands between `%` and the letter of a conversion.
#[derive(Default)]
struct Form {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `'%.3f of %s' % (1.5, 'x')`.
pub(super) fn percent(template: &str, values: &Value) -> Outcome<Value> {
    let given: &[Value] = match values {
        Value::Tuple(items) => items,
        single => std::slice::from_ref(single),
    };
    let mut given = given.iter();
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let form = read_form(&mut rest)?;
        let Some(letter) = rest.chars().next() else {
            return Err(Failure::expression("a `%` at the end of a template").hint("write %% for a percent sign"));
        };
        rest = &rest[letter.len_utf8()..];
        if letter == '%' {
            out.push('%');
            continue;
        }
        let Some(value) = given.next() else {
            return Err(Failure::expression("a template with more conversions than values"));
        };
        out.push_str(&pad(&conversion(letter, &form, value)?, &form));
        if out.len() > MAX_ITEMS {
            return Err(Failure::limit("a text that is too long"));
        }
    }
    out.push_str(rest);
    if given.next().is_some() && !matches!(values, Value::Dict(_) | Value::List(_)) {
        return Err(Failure::expression("a template with fewer conversions than values"));
    }
    Value::bounded_text(out)
}

fn read_form(rest: &mut &str) -> Outcome<Form> {
    let mut form = Form::default();
    loop {
        match rest.chars().next() {
            Some('-') => form.left = true,
            Some('+') => form.plus = true,
            Some(' ') => form.space = true,
            Some('0') => form.zero = true,
            Some('#') => {}
            _ => break,
        }
        *rest = &rest[1..];
    }
    form.width = digits(rest)?.unwrap_or(0);
    if let Some(after) = rest.strip_prefix('.') {
        *rest = after;
        form.precision = Some(digits(rest)?.unwrap_or(0));
    }
    Ok(form)
}

fn digits(rest: &mut &str) -> Outcome<Option<usize>> {
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at(length);
    *rest = after;
    match number.parse() {
        Ok(number) if number <= 1000 => Ok(Some(number)),
        _ if number.is_empty() => Ok(None),
        _ => Err(Failure::limit("a width of more than 1000 characters")),
    }
}

fn conversion(letter: char, form: &Form, value: &Value) -> Outcome<String> {
    let number = || {
        value.as_float().ok_or_else(|| Failure::expression(format!("%{letter} takes a number, not a {}", value.kind())))
    };
    let signed = |text: String| match (text.starts_with('-'), form.plus, form.space) {
        (false, true, _) => format!("+{text}"),
        (false, false, true) => format!(" {text}"),
        _ => text,
    };
    let cut = |text: String| match form.precision {
        Some(most) => text.chars().take(most).collect(),
        None => text,
    };
    Ok(match letter {
        's' => cut(value.to_text()?),
        'r' | 'a' => cut(value.repr()?),
        'd' | 'i' | 'u' => signed(match value.as_int() {
            Some(whole) => whole.to_string(),
            None => super::number::to_int(number()?)?.to_string(),
        }),
        'x' | 'X' | 'o' => {
            let Some(whole) = value.as_int() else {
                return Err(Failure::expression(format!("%{letter} takes a whole number, not a {}", value.kind())));
            };
            let sign = if whole < 0 { "-" } else { "" };
            let size = whole.unsigned_abs();
            signed(match letter {
                'x' => format!("{sign}{size:x}"),
                'X' => format!("{sign}{size:X}"),
                _ => format!("{sign}{size:o}"),
            })
        }
        'f' | 'F' | 'e' | 'E' | 'g' | 'G' => signed(real(letter, form.precision.unwrap_or(6), number()?)),
        'c' => value.to_text()?,
        _ => return Err(Failure::expression(format!("`%{letter}` is no conversion"))),
    })
}

fn real(letter: char, precision: usize, value: f64) -> String {
    if !value.is_finite() {
        return float_repr(value);
    }
    let e = if letter.is_uppercase() { 'E' } else { 'e' };
    let scientific = |digits: usize| {
        let text = format!("{value:.digits$e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        (digits.to_owned(), exponent.parse::<i32>().unwrap_or(0))
    };
    match letter.to_ascii_lowercase() {
        'f' => format!("{value:.precision$}"),
        'e' => {
            let (digits, exponent) = scientific(precision);
            with_exponent(&digits, exponent, e)
        }
        _ => {
            let significant = precision.max(1);
            let (digits, exponent) = scientific(significant - 1);
            let bare = |text: &str| {
                let has_point = text.contains('.');
                let text = if has_point { text.trim_end_matches('0').trim_end_matches('.') } else { text };
                text.to_owned()
            };
            if exponent < -4 || exponent >= significant as i32 {
                return with_exponent(&bare(&digits), exponent, e);
            }
            let places = (significant as i32 - 1 - exponent).max(0) as usize;
            bare(&format!("{value:.places$}"))
        }
    }
}

fn pad(text: &str, form: &Form) -> String {
    let missing = form.width.saturating_sub(text.chars().count());
    if form.left {
        return format!("{text}{}", " ".repeat(missing));
    }
    if form.zero {
        let signs = text.len() - text.trim_start_matches(['+', '-', ' ']).len();
        return format!("{}{}{}", &text[..signs], "0".repeat(missing), &text[signs..]);
    }
    format!("{}{text}", " ".repeat(missing))
}
