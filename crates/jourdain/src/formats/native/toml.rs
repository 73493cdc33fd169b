//! TOML into the value tree, positions kept. Nesting is bounded by the parser itself (80 levels).

use super::super::limits::{MAX_DEPTH, MAX_LINKS};
use super::super::source::Source;
use super::tree::{Entry, Node, Value};
use crate::model::Diagnostic;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(super) fn parse(source: &Source<'_>) -> Result<Node, Vec<Diagnostic>> {
    prescan(source)?;
    let (table, errors) = DeTable::parse_recoverable(source.text);
    if errors.is_empty() {
        let range = table.span();
        return Ok(Node { value: from_table(table.into_inner()), range });
    }
    // The parser recovers, but what it says after a first syntax error is mostly an echo of it.
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for error in errors.iter().take(20) {
        let place = error.span().map_or_else(|| source.end(), |span| source.locate(span));
        if diagnostics.iter().all(|earlier| earlier.location.is_none_or(|other| other.line != place.line)) {
            let code = match error.message() {
                message if message.contains("duplicate key") => "duplicate-key",
                message if message.contains("recursion limit") => "nesting-too-deep",
                _ => "syntax-error",
            };
            diagnostics.push(Diagnostic::error(code, format!("TOML: {}", error.message())).at(place));
            if code == "syntax-error" {
                break;
            }
        }
    }
    Err(diagnostics)
}

/// Refuses deep nesting and too many links before anything is allocated for them.
///
/// Brackets are counted outside strings and comments; the count may be off on broken text, which the parser refuses.
fn prescan(source: &Source<'_>) -> Result<(), Vec<Diagnostic>> {
    let bytes = source.text.as_bytes();
    let (mut depth, mut tables, mut inline_tables, mut at) = (0usize, 0usize, 0usize, 0usize);
    let mut line_is_blank = true;
    while at < bytes.len() {
        let mut blank_after = false;
        match bytes[at] {
            b'#' => at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at) - 1,
            quote @ (b'"' | b'\'') => at = skip_string(bytes, at, quote),
            b'[' | b'{' => {
                if line_is_blank && depth == 0 && bytes[at..].starts_with(b"[[") {
                    tables += 1;
                }
                depth += 1;
                inline_tables += usize::from(depth == 2 && bytes[at] == b'{');
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                inline_tables = if depth == 0 { 0 } else { inline_tables };
            }
            b'\n' => blank_after = true,
            b' ' | b'\t' | b'\r' => blank_after = line_is_blank,
            _ => {}
        }
        line_is_blank = blank_after;
        if depth > MAX_DEPTH {
            return Err(vec![too_deep(source, at)]);
        }
        if tables.max(inline_tables) > MAX_LINKS {
            return Err(vec![too_many_links(source, at)]);
        }
        at += 1;
    }
    Ok(())
}

/// The last byte of the string that starts at `at`.
fn skip_string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let multiline = bytes[at..].starts_with(&[quote; 3]);
    let mut end = at + if multiline { 3 } else { 1 };
    while end < bytes.len() {
        match bytes[end] {
            b'\\' if quote == b'"' => end += 1,
            byte if byte == quote && !multiline => return end,
            byte if byte == quote && bytes[end..].starts_with(&[quote; 3]) => return end + 2,
            b'\n' if !multiline => return end - 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len() - 1
}

pub(super) fn too_deep(source: &Source<'_>, at: usize) -> Diagnostic {
    Diagnostic::error("nesting-too-deep", format!("nested more than {MAX_DEPTH} levels deep"))
        .at(source.locate(at..at + 1))
        .hint("a robot file needs five levels")
}

pub(super) fn too_many_links(source: &Source<'_>, at: usize) -> Diagnostic {
    Diagnostic::error("too-many-links", format!("more than {MAX_LINKS} links")).at(source.locate(at..at + 1))
}

fn from_table(table: DeTable<'_>) -> Value {
    let entries = table.into_iter().map(|(key, value)| Entry {
        key_range: key.span(),
        key: key.into_inner().into_owned(),
        node: from_value(value),
    });
    Value::Table(entries.collect())
}

fn from_value(value: Spanned<DeValue<'_>>) -> Node {
    let range = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) if integer.radix() == 10 => Value::Number(integer.as_str().to_owned()),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(value) => Value::Number(value.to_string()),
            Err(_) => Value::Other("an integer of more than 64 bits"),
        },
        DeValue::Float(float) => Value::Number(float.as_str().to_owned()),
        DeValue::Boolean(value) => Value::Boolean(value),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::List(items.into_iter().map(from_value).collect()),
        DeValue::Table(table) => from_table(table),
    };
    Node { value, range }
}
