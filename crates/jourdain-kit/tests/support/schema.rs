//! Just enough of JSON Schema to hold a document against what its operation promises.

use serde_json::Value;
use std::fmt;

/// The way to a place of a document; it becomes a text where something is wrong.
#[derive(Clone, Copy)]
struct Path<'p>(Option<(&'p Path<'p>, &'p dyn fmt::Display)>);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |(before, word)| write!(f, "{before}/{word}"))
    }
}

/// What is wrong with a document, with the path to it; nothing if it keeps to the schema. Objects may have no key that the
/// schema does not know: a promise that leaves something out is not the whole truth.
pub fn faults(document: &Value, schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(document, schema, schema, Path(None), &mut faults);
    faults
}

fn check(document: &Value, schema: &Value, root: &Value, path: Path<'_>, faults: &mut Vec<String>) {
    let Some(keys) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            faults.push(format!("{path}: nothing may be here"));
        }
        return;
    };
    if let Some(reference) = keys.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("no {reference}"));
        return check(document, target, root, path, faults);
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = keys.get(word).and_then(Value::as_array) {
            let tried: Vec<Vec<String>> = choices
                .iter()
                .map(|choice| {
                    let mut faults = Vec::new();
                    check(document, choice, root, path, &mut faults);
                    faults
                })
                .collect();
            if tried.iter().all(|faults| !faults.is_empty()) {
                faults.push(format!("{path}: fits none of {} forms: {:?}", choices.len(), tried));
            }
        }
    }
    if let Some(expected) = keys.get("const")
        && expected != document
    {
        faults.push(format!("{path}: {document} is not {expected}"));
    }
    if let Some(words) = keys.get("enum").and_then(Value::as_array)
        && !words.contains(document)
    {
        faults.push(format!("{path}: {document} is none of {words:?}"));
    }
    if let Some(kinds) = keys.get("type") {
        let allowed: Vec<&str> = match kinds {
            Value::String(kind) => vec![kind],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            other => panic!("type {other}"),
        };
        if !allowed.iter().any(|kind| is_a(document, kind)) {
            faults.push(format!("{path}: {document} is no {allowed:?}"));
            return;
        }
    }
    match document {
        Value::Object(fields) => {
            for required in keys.get("required").and_then(Value::as_array).into_iter().flatten() {
                if !fields.contains_key(required.as_str().unwrap()) {
                    faults.push(format!("{path}: {required} is missing"));
                }
            }
            let known = keys.get("properties").and_then(Value::as_object);
            for (name, value) in fields {
                let inner = known.and_then(|known| known.get(name)).or_else(|| keys.get("additionalProperties"));
                let path = Path(Some((&path, name)));
                match inner {
                    Some(inner) => check(value, inner, root, path, faults),
                    None if known.is_some() => faults.push(format!("{path}: the schema does not know it")),
                    None => {}
                }
            }
        }
        Value::Array(items) => {
            let first = keys.get("prefixItems").and_then(Value::as_array);
            for (index, item) in items.iter().enumerate() {
                let inner = first.and_then(|first| first.get(index)).or_else(|| keys.get("items"));
                if let Some(inner) = inner {
                    check(item, inner, root, Path(Some((&path, &index))), faults);
                }
            }
        }
        _ => {}
    }
}

fn is_a(document: &Value, kind: &str) -> bool {
    match kind {
        "null" => document.is_null(),
        "boolean" => document.is_boolean(),
        "integer" => document.is_i64() || document.is_u64(),
        "number" => document.is_number(),
        "string" => document.is_string(),
        "array" => document.is_array(),
        "object" => document.is_object(),
        other => panic!("type {other}"),
    }
}

#[test]
fn a_fault_is_found_wherever_it_is() {
    use serde_json::json;
    let schema = json!({
        "type": "object",
        "properties": { "n": { "type": "integer" }, "list": { "type": "array", "items": { "$ref": "#/$defs/word" } } },
        "required": ["n"],
        "$defs": { "word": { "enum": ["a", "b"] } },
    });
    assert!(faults(&json!({ "n": 1, "list": ["a", "b"] }), &schema).is_empty());
    for bad in [json!({}), json!({ "n": 1.5 }), json!({ "n": 1, "list": ["c"] }), json!({ "n": 1, "more": 2 })] {
        assert_eq!(faults(&bad, &schema).len(), 1, "{bad}");
    }
}
