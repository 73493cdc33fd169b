//! JSON into the value tree, positions kept.
//!
//! Two parsers share the work: `serde_json` says whether the text is JSON (it is strict, and stops at 128 levels),
//! `jsonc-parser` gives the byte range of every value (it alone would also take what is not JSON).

use super::super::limits::{MAX_DEPTH, MAX_LINKS};
use super::super::source::Source;
use super::toml::{too_deep, too_many_links};
use super::tree::{Entry, Node, Value};
use crate::model::Diagnostic;
use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions};
use serde::de::IgnoredAny;

pub(super) fn parse(source: &Source<'_>) -> Result<Node, Vec<Diagnostic>> {
    prescan(source)?;
    serde_json::from_str::<IgnoredAny>(&source.text).map_err(|error| vec![syntax_error(source, &error)])?;
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = jsonc_parser::parse_to_ast(&source.text, &CollectOptions::default(), &strict).map_err(|error| {
        let place = source.locate_line_column(error.line_display(), error.column_display());
        vec![Diagnostic::error("syntax-error", format!("JSON: {}", error.kind())).at(place)]
    })?;
    let value = parsed.value.ok_or_else(|| vec![Diagnostic::error("syntax-error", "JSON: nothing there")])?;
    let mut duplicates = Vec::new();
    let node = from_value(value, source, &mut duplicates);
    if duplicates.is_empty() { Ok(node) } else { Err(duplicates) }
}

fn syntax_error(source: &Source<'_>, error: &serde_json::Error) -> Diagnostic {
    let place = if error.is_eof() {
        source.end()
    } else {
        // serde_json counts columns in bytes.
        let line_start = source.locate_line_column(error.line(), 1).start;
        let mut at = (line_start + error.column().max(1) - 1).min(source.text.len());
        while !source.text.is_char_boundary(at) {
            at -= 1;
        }
        source.locate(at..(at + 1).min(source.text.len()))
    };
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    Diagnostic::error("syntax-error", format!("JSON: {message}"))
        .at(place)
        .hint("comments, trailing commas, NaN and Infinity are not JSON")
}

/// Refuses deep nesting and too many links before anything is allocated for them.
fn prescan(source: &Source<'_>) -> Result<(), Vec<Diagnostic>> {
    let bytes = source.text.as_bytes();
    // The root table is at depth 1, the list of links at 2, a link at 3.
    let (mut depth, mut tables, mut in_string, mut at) = (0usize, 0usize, false, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                tables += usize::from(depth == 3 && bytes[at] == b'{');
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(vec![too_deep(source, at)]);
        }
        if tables > MAX_LINKS {
            return Err(vec![too_many_links(source, at)]);
        }
        at += 1;
    }
    Ok(())
}

fn from_value(value: ast::Value<'_>, source: &Source<'_>, duplicates: &mut Vec<Diagnostic>) -> Node {
    match value {
        ast::Value::StringLit(text) => {
            Node { range: to_range(text.range), value: Value::Text(text.value.into_owned()) }
        }
        ast::Value::NumberLit(number) => {
            Node { range: to_range(number.range), value: Value::Number(number.value.to_owned()) }
        }
        ast::Value::BooleanLit(boolean) => {
            Node { range: to_range(boolean.range), value: Value::Boolean(boolean.value) }
        }
        ast::Value::NullKeyword(null) => Node { range: to_range(null.range), value: Value::Other("null") },
        ast::Value::Array(list) => {
            let items = list.elements.into_iter().map(|item| from_value(item, source, duplicates)).collect();
            Node { range: to_range(list.range), value: Value::List(items) }
        }
        ast::Value::Object(object) => {
            let range = to_range(object.range);
            let mut seen = std::collections::HashSet::new();
            let mut entries = Vec::with_capacity(object.properties.len());
            for property in object.properties {
                let (key, key_range) = match property.name {
                    ast::ObjectPropName::String(name) => (name.value.into_owned(), to_range(name.range)),
                    ast::ObjectPropName::Word(name) => (name.value.to_owned(), to_range(name.range)),
                };
                if !seen.insert(key.clone()) && duplicates.len() < 20 {
                    let place = source.locate(key_range.clone());
                    duplicates
                        .push(Diagnostic::error("duplicate-key", format!("the key `{key}` stands twice")).at(place));
                }
                entries.push(Entry { key, key_range, node: from_value(property.value, source, duplicates) });
            }
            Node { range, value: Value::Table(entries) }
        }
    }
}

fn to_range(range: jsonc_parser::common::Range) -> std::ops::Range<usize> {
    range.start..range.end
}
