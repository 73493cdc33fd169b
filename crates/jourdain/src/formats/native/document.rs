//! A document of keys and values to be written, and its two notations.
//!
//! Numbers stand as the texts they are to have. In TOML the top level has a line per key and a heading per entry of a list of
//! tables; in JSON such entries are objects with a line per key. Whatever is inside stands on one line in both.

use serde_json::Value as Json;

/// A value to write.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::formats) enum Item {
    /// A string, not yet quoted.
    Text(String),
    /// A number as it is to stand there.
    Number(String),
    /// True or false.
    Boolean(bool),
    /// Values in order.
    List(Vec<Item>),
    /// Values by key, in order.
    Table(Vec<(String, Item)>),
}

/// A key with its value.
pub(in crate::formats) fn entry(key: &str, item: Item) -> (String, Item) {
    (key.to_owned(), item)
}

/// A number that is read as the same `f64`.
pub(in crate::formats) fn float(value: f64) -> Item {
    Item::Number(format!("{value:?}"))
}

/// Numbers that are read as the same.
pub(in crate::formats) fn floats(values: &[f64]) -> Item {
    Item::List(values.iter().map(|value| float(*value)).collect())
}

impl Item {
    fn is_list_of_tables(&self) -> bool {
        matches!(self, Self::List(items) if !items.is_empty() && items.iter().all(|item| matches!(item, Self::Table(_))))
    }

    fn inline_toml(&self) -> String {
        let all = |items: &[Self]| items.iter().map(Self::inline_toml).collect::<Vec<_>>().join(", ");
        match self {
            Self::Text(text) => toml_text(text),
            Self::Number(digits) => digits.clone(),
            Self::Boolean(value) => value.to_string(),
            Self::List(items) => format!("[{}]", all(items)),
            Self::Table(entries) if entries.is_empty() => "{}".to_owned(),
            Self::Table(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, item)| format!("{} = {}", toml_key(key), item.inline_toml())).collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    fn inline_json(&self) -> String {
        let all = |items: &[Self]| items.iter().map(Self::inline_json).collect::<Vec<_>>().join(", ");
        match self {
            Self::Text(text) => json_text(text),
            Self::Number(digits) => digits.clone(),
            Self::Boolean(value) => value.to_string(),
            Self::List(items) => format!("[{}]", all(items)),
            Self::Table(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, item)| format!("{}: {}", json_text(key), item.inline_json())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}

/// The document as TOML. Lists of tables come last: what stands under a heading belongs to it.
pub(in crate::formats) fn toml(document: &[(String, Item)]) -> String {
    let mut text = String::new();
    for (key, item) in document.iter().filter(|(_, item)| !item.is_list_of_tables()) {
        text += &format!("{} = {}\n", toml_key(key), item.inline_toml());
    }
    for (key, item) in document {
        let Item::List(items) = item else { continue };
        for table in items {
            let Item::Table(entries) = table else { continue };
            text += &format!("\n[[{}]]\n", toml_key(key));
            for (key, item) in entries {
                text += &format!("{} = {}\n", toml_key(key), item.inline_toml());
            }
        }
    }
    text
}

/// The document as JSON.
pub(in crate::formats) fn json(document: &[(String, Item)]) -> String {
    let lines = |entries: &[(String, Item)], indent: &str| -> String {
        let line = |(key, item): &(String, Item)| format!("{indent}{}: {}", json_text(key), item.inline_json());
        entries.iter().map(line).collect::<Vec<_>>().join(",\n")
    };
    let mut parts = Vec::with_capacity(document.len());
    for (key, item) in document {
        match item {
            Item::List(items) if item.is_list_of_tables() => {
                let tables: Vec<String> = items
                    .iter()
                    .map(|table| match table {
                        Item::Table(entries) => format!("    {{\n{}\n    }}", lines(entries, "      ")),
                        other => format!("    {}", other.inline_json()),
                    })
                    .collect();
                parts.push(format!("  {}: [\n{}\n  ]", json_text(key), tables.join(",\n")));
            }
            item => parts.push(lines(&[(key.clone(), item.clone())], "  ")),
        }
    }
    format!("{{\n{}\n}}\n", parts.join(",\n"))
}

fn toml_text(text: &str) -> String {
    ::toml::Value::String(text.to_owned()).to_string()
}

/// A bare key where it may be one.
fn toml_key(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    // JSON lets DEL stand as it is, TOML does not.
    if is_bare { key.to_owned() } else { json_text(key).replace('\u{7f}', "\\u007f") }
}

fn json_text(text: &str) -> String {
    Json::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_are_what_their_own_parsers_read() {
        let inner = vec![entry("a b", floats(&[1.0, -2.5e-7])), entry("t", Item::Table(vec![]))];
        let document = vec![
            entry("text", Item::Text("a \"b\"\n\u{1}π\\".to_owned())),
            entry("list", Item::List(vec![Item::Table(inner.clone()), Item::Table(inner)])),
            entry("flag", Item::Boolean(true)),
            entry("none", Item::List(Vec::new())),
        ];
        let from_toml: serde_json::Value = ::toml::from_str(&toml(&document)).unwrap();
        let from_json: serde_json::Value = serde_json::from_str(&json(&document)).unwrap();
        assert_eq!(from_toml, from_json);
        assert_eq!(from_json["list"][1]["a b"][1], -2.5e-7);
        assert_eq!(from_json["text"], "a \"b\"\n\u{1}π\\");
    }
}
