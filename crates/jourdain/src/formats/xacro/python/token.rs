//! An expression cut into words, numbers, texts and signs.

use super::super::failure::{Failure, Outcome};
use super::complex::Complex;
use super::convert::without_underscores;
use super::value::Value;

/// A piece of an expression.
#[derive(Clone)]
pub(super) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A number or a text.
    Literal(Value),
    Sign(&'static str),
    End,
}

/// Longer ones first.
const SIGNS: [&str; 27] = [
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(",
    ")", "[", "]", ",", ":", ".",
];

/// All pieces, the last being `End`.
pub(super) fn tokens(text: &str) -> Outcome<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            let (value, length) = number(rest)?;
            tokens.push(Token::Literal(value));
            length
        } else if first == '\'' || first == '"' {
            let (value, length) = quoted(rest, false)?;
            push_text(&mut tokens, value);
            length
        } else if first.is_alphabetic() || first == '_' {
            word(rest, &mut tokens)?
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            sign.len()
        } else if first == '=' {
            tokens.push(Token::Sign("="));
            1
        } else {
            let failure = Failure::expression(format!("`{first}` has no meaning in an expression"));
            return Err(if first == '{' { failure.hint("a dict is written dict(name=value)") } else { failure });
        };
        rest = &rest[length..];
    }
    tokens.push(Token::End);
    Ok(tokens)
}

/// Texts side by side are one text.
fn push_text(tokens: &mut Vec<Token>, text: String) {
    match tokens.last_mut() {
        Some(Token::Literal(Value::Text(before))) => *before = format!("{before}{text}").into(),
        _ => tokens.push(Token::Literal(Value::text(text))),
    }
}

/// A name, or the letters in front of a text. Gives its length.
fn word(rest: &str, tokens: &mut Vec<Token>) -> Outcome<usize> {
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let word = &rest[..length];
    if !rest[length..].starts_with(['\'', '"']) || matches!(word, "in" | "if" | "else" | "and" | "or" | "not" | "is") {
        tokens.push(Token::Word(word.to_owned()));
        return Ok(length);
    }
    let is_raw = match word {
        "r" | "R" => true,
        "u" | "U" => false,
        _ => return Err(Failure::expression(format!("texts with `{word}` in front are not supported"))),
    };
    let (text, more) = quoted(&rest[length..], is_raw)?;
    push_text(tokens, text);
    Ok(length + more)
}

/// A number and its length.
fn number(rest: &str) -> Outcome<(Value, usize)> {
    let bytes = rest.as_bytes();
    let base = match bytes.get(1).map(u8::to_ascii_lowercase).filter(|_| bytes[0] == b'0') {
        Some(b'x') => 16,
        Some(b'o') => 8,
        Some(b'b') => 2,
        _ => 10,
    };
    let wrong = |text: &str| Failure::expression(format!("`{text}` is no number"));
    if base != 10 {
        let length = 2 + rest[2..].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len() - 2);
        let text = &rest[..length];
        let digits = without_underscores(&text[2..]).ok_or_else(|| wrong(text))?;
        let value = i128::from_str_radix(&digits, base).map_err(|_| wrong(text))?;
        return Ok((Value::Int(value), length));
    }
    let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
    let mut end = digits(0);
    let mut is_real = false;
    if bytes.get(end) == Some(&b'.') {
        is_real = true;
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(signed).is_some_and(u8::is_ascii_digit) {
            is_real = true;
            end = digits(signed);
        }
    }
    let text = without_underscores(&rest[..end]).ok_or_else(|| wrong(&rest[..end]))?;
    let is_imaginary = matches!(bytes.get(end), Some(b'j' | b'J'));
    let length = end + usize::from(is_imaginary);
    if rest[length..].starts_with(|c: char| c == '_' || (c.is_alphanumeric() && !starts_keyword(&rest[length..]))) {
        return Err(wrong(&rest[..rest[length..].find(char::is_whitespace).map_or(rest.len(), |more| length + more)]));
    }
    let real = || text.parse::<f64>().map_err(|_| wrong(&text));
    if is_imaginary {
        return Ok((Value::Complex(Complex { re: 0.0, im: real()? }), length));
    }
    if is_real {
        return Ok((Value::Float(real()?), length));
    }
    if text.len() > 1 && text.starts_with('0') && text.bytes().any(|byte| byte != b'0') {
        return Err(wrong(&text).hint("a whole number does not begin with 0"));
    }
    Ok((Value::Int(text.parse().map_err(|_| super::number::too_large())?), length))
}

/// `1if x else 2` is Python.
fn starts_keyword(rest: &str) -> bool {
    ["if", "else", "and", "or", "in", "is", "not", "for"].iter().any(|word| rest.starts_with(word))
}

/// A text in quotes and its length with them.
fn quoted(rest: &str, is_raw: bool) -> Outcome<(String, usize)> {
    let quote = &rest[..1];
    let triple = quote.repeat(3);
    let quotes = if rest.starts_with(&triple) { triple.as_str() } else { quote };
    let mut text = String::new();
    let mut at = quotes.len();
    loop {
        let Some(next) = rest[at..].chars().next() else {
            return Err(Failure::expression("a text is not closed").hint(format!("write {quote} where it ends")));
        };
        if rest[at..].starts_with(quotes) {
            return Ok((text, at + quotes.len()));
        }
        at += next.len_utf8();
        if next == '\\' {
            let Some(escaped) = rest[at..].chars().next() else { continue };
            at += escaped.len_utf8();
            match escaped {
                _ if is_raw => text.extend(['\\', escaped]),
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '\\' | '\'' | '"' => text.push(escaped),
                'x' | 'u' | 'U' | 'N' | 'a' | 'b' | 'f' | 'v' | '0'..='7' => {
                    return Err(Failure::expression(format!("the escape `\\{escaped}` is not supported")));
                }
                other => text.extend(['\\', other]),
            }
        } else {
            text.push(next);
        }
    }
}
