//! TOML into the value tree, positions kept. Nesting is bounded by the parser itself (80 levels).
//!
//! While it works, the parser holds about sixty-five bytes for every byte of text. So a long file is parsed in blocks that start
//! at headings of lists, `[[link]]`; what such blocks cannot be sure of is left to the parser as a whole.

use super::super::limits::{MAX_DEPTH, MAX_LINKS};
use super::super::source::Source;
use super::tree::{Entry, Node, Value};
use crate::model::Diagnostic;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Least length of a block, bytes.
const BLOCK: usize = 1 << 18;

pub(super) fn parse(source: &Source<'_>) -> Result<Node, Vec<Diagnostic>> {
    let starts = prescan(source)?;
    if starts.len() > 1
        && let Some(node) = parse_blocks(&source.text, &starts)
    {
        return Ok(node);
    }
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if errors.is_empty() {
        let range = table.span();
        return Ok(Node { value: from_table(table.into_inner(), 0), range });
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

/// The text block by block; `None` if there is an error in it, or a block has anything but lists under headings that the text
/// before the first heading does not name.
fn parse_blocks(text: &str, starts: &[usize]) -> Option<Node> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut before_headings = 0;
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(text.len());
        let (table, errors) = DeTable::parse_recoverable(&text[start..end]);
        if !errors.is_empty() {
            return None;
        }
        let Value::Table(found) = from_table(table.into_inner(), start) else { return None };
        if number == 0 {
            (before_headings, entries) = (found.len(), found);
            continue;
        }
        for entry in found {
            let Value::List(items) = entry.node.value else { return None };
            match entries.iter().position(|other| other.key == entry.key) {
                Some(at) if at < before_headings => return None,
                Some(at) => {
                    let list = &mut entries[at].node;
                    list.range.end = entry.node.range.end;
                    let Value::List(all) = &mut list.value else { return None };
                    all.extend(items);
                }
                None => {
                    let node = Node { value: Value::List(items), range: entry.node.range };
                    entries.push(Entry { node, ..entry });
                }
            }
        }
    }
    Some(Node { value: Value::Table(entries), range: 0..text.len() })
}

/// Refuses deep nesting and too many links before anything is allocated for them. Gives the starts of blocks: the first is the
/// text before the first heading of a list.
///
/// Brackets are counted outside strings and comments; the count may be off on broken text, which the parser refuses.
fn prescan(source: &Source<'_>) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let bytes = source.text.as_bytes();
    let (mut depth, mut tables, mut inline_tables, mut at) = (0usize, 0usize, 0usize, 0usize);
    let (mut line_is_blank, mut starts) = (true, vec![0]);
    while at < bytes.len() {
        let mut blank_after = false;
        match bytes[at] {
            b'#' => at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at) - 1,
            quote @ (b'"' | b'\'') => at = skip_string(bytes, at, quote),
            b'[' | b'{' => {
                if line_is_blank && depth == 0 && bytes[at..].starts_with(b"[[") {
                    tables += 1;
                    if tables == 1 || starts.last().is_some_and(|last| at - last > BLOCK) {
                        starts.push(at);
                    }
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
    Ok(if bytes.len() > BLOCK { starts } else { vec![0] })
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

/// `start` is where the parsed text starts in the whole.
fn from_table(table: DeTable<'_>, start: usize) -> Value {
    let entries = table.into_iter().map(|(key, value)| Entry {
        key_range: key.span().start + start..key.span().end + start,
        key: key.into_inner().into_owned(),
        node: from_value(value, start),
    });
    Value::Table(entries.collect())
}

fn from_value(value: Spanned<DeValue<'_>>, start: usize) -> Node {
    let range = value.span().start + start..value.span().end + start;
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
        DeValue::Array(items) => Value::List(items.into_iter().map(|item| from_value(item, start)).collect()),
        DeValue::Table(table) => from_table(table, start),
    };
    Node { value, range }
}
