//! `load_yaml`: a YAML file as dicts and lists, typed as PyYAML types it.
//!
//! Traps: YAML 1.1, so `yes` and `off` are truth values, `010` is eight, and `1e3`, without a point, is a text. The tags
//! `!degrees`, `!radians`, `!meters`, `!millimeters`, `!foot` and `!inches` take expressions and give SI units.

use super::super::xml::{self, Span};
use super::failure::{Failure, Outcome};
use super::python::{self, Arguments, Budget, Dict, Names, Service, Value};
use super::yaml_scalar::plain;
use super::{Expander, suggest};
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// Deepest nesting of lists and dicts.
const MAX_NESTING: usize = 40;
/// Most entries, repeated ones (`*alias`) counted each time.
const MAX_ENTRIES: usize = 200_000;

/// Units by tag, as multiples of radians and metres.
const UNITS: [(&str, f64); 6] = [
    ("radians", 1.0),
    ("degrees", std::f64::consts::PI / 180.0),
    ("meters", 1.0),
    ("millimeters", 0.001),
    ("foot", 0.3048),
    ("inches", 0.0254),
];

impl Expander<'_, '_> {
    /// The content of a YAML file beside the file at hand.
    pub(super) fn load_yaml(&mut self, file: &str) -> Outcome<Value> {
        let path = xml::normal(&self.folder().join(Path::new(file)));
        if let Some(value) = self.tables.get(&path) {
            return Ok(value.clone());
        }
        let Some(number) = self.read_file(&path, false)? else { return Ok(Value::None) };
        let text = self.sources.get(number).text.clone().into_owned();
        self.budget.spend(text.len())?;
        let value = load(&text, &mut self.budget).map_err(|(line, column, failure)| {
            let place = self.sources.get(number).locate_line_column(line, column);
            failure.at(Span { file: number, start: place.start as u32, end: place.end as u32 })
        })?;
        self.tables.insert(path, value.clone());
        Ok(value)
    }
}

/// A list or a dict that is not complete yet.
enum Open {
    List(Vec<Value>),
    Dict(Dict, Option<Value>),
}

struct Builder<'b> {
    open: Vec<(Open, usize)>,
    anchors: HashMap<usize, Value>,
    root: Option<Value>,
    entries: usize,
    budget: &'b mut Budget,
}

/// Line and column from 1, and what is wrong there.
type Wrong = (usize, usize, Box<Failure>);

fn load(text: &str, budget: &mut Budget) -> Result<Value, Wrong> {
    let mut builder = Builder { open: Vec::new(), anchors: HashMap::new(), root: None, entries: 0, budget };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let failure = Failure::new("xacro-yaml", format!("YAML: {}", error.info()));
            (error.marker().line(), error.marker().col() + 1, failure)
        })?;
        builder.take(event).map_err(|failure| (span.start.line(), span.start.col() + 1, failure))?;
    }
    Ok(builder.root.unwrap_or(Value::None))
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>) -> Outcome<()> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = self.scalar(&text, style, tag.as_deref())?;
                self.add(value, anchor)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(value) => {
                    self.entries += value.weight().unwrap_or(MAX_ENTRIES);
                    self.add(value, 0)
                }
                None => Err(Failure::new("xacro-yaml", "YAML: an alias inside of what it stands for")),
            },
            Event::SequenceStart(anchor, _) => self.begin(Open::List(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => self.begin(Open::Dict(Dict::default(), None), anchor),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some((Open::List(items), anchor)) => self.add(Value::List(Rc::new(items)), anchor),
                Some((Open::Dict(dict, _), anchor)) => self.add(Value::Dict(Rc::new(dict)), anchor),
                None => Ok(()),
            },
            Event::DocumentStart(_) if self.root.is_some() => {
                Err(Failure::new("xacro-yaml", "YAML: a second document").hint("a file has one"))
            }
            Event::DocumentStart(_) | Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {
                Ok(())
            }
        }
    }

    fn begin(&mut self, open: Open, anchor: usize) -> Outcome<()> {
        if self.open.len() == MAX_NESTING {
            return Err(Failure::limit(format!("YAML nested more than {MAX_NESTING} levels deep")));
        }
        self.open.push((open, anchor));
        Ok(())
    }

    /// Puts a complete value where it belongs.
    fn add(&mut self, value: Value, anchor: usize) -> Outcome<()> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES {
            return Err(Failure::limit(format!("YAML with more than {MAX_ENTRIES} entries")));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some((Open::List(items), _)) => items.push(value),
            Some((Open::Dict(_, key @ None), _)) => *key = Some(value),
            Some((Open::Dict(dict, key), _)) => match key.take() {
                Some(Value::Text(key)) if &*key == "<<" => merge(dict, &value)?,
                Some(key) => dict.insert(key, value)?,
                None => {}
            },
        }
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Outcome<Value> {
        let Some(tag) = tag else {
            return Ok(if style == ScalarStyle::Plain { plain(text) } else { Value::text(text) });
        };
        if tag.is_yaml_core_schema() {
            let no_number = || Failure::new("xacro-yaml", format!("YAML: \"{text}\" is no number"));
            return match tag.suffix.as_str() {
                "str" => Ok(Value::text(text)),
                "float" => python::parse_float(text).map(Value::Float).ok_or_else(no_number),
                "int" => python::parse_int(text, 10).map(Value::Int).ok_or_else(no_number),
                "bool" | "null" => Ok(plain(text)),
                other => Err(Failure::new("xacro-yaml", format!("YAML: the tag `!!{other}` is not supported"))),
            };
        }
        let Some((_, factor)) = UNITS.iter().find(|(name, _)| tag.handle == "!" && tag.suffix == *name) else {
            let known = UNITS.map(|(name, _)| name);
            let failure = Failure::new("xacro-yaml", format!("YAML: the tag `{tag}` has no meaning"));
            return Err(failure.hint(suggest::hint(&tag.suffix, &known)));
        };
        let value = python::evaluate(&python::parse(text)?, &mut Alone(self.budget))?;
        let number = match &value {
            Value::Text(text) => python::parse_float(text),
            value => value.as_float(),
        };
        let wrong = || Failure::new("xacro-yaml", format!("YAML: `!{}` takes a number, not \"{text}\"", tag.suffix));
        number.map(|number| Value::Float(number * factor)).ok_or_else(wrong)
    }
}

/// `<<: *base`: the entries of a dict, or of several, that are not there yet.
fn merge(dict: &mut Dict, from: &Value) -> Outcome<()> {
    let sources: &[Value] = match from {
        Value::List(items) => items,
        single => std::slice::from_ref(single),
    };
    for source in sources {
        let Value::Dict(source) = source else {
            return Err(Failure::new("xacro-yaml", "YAML: `<<` takes a dict, or a list of dicts"));
        };
        for (key, value) in source.entries() {
            if dict.get(key).is_none() {
                dict.insert(key.clone(), value.clone())?;
            }
        }
    }
    Ok(())
}

/// Expressions in YAML see no property.
struct Alone<'b>(&'b mut Budget);

impl Names for Alone<'_> {
    fn get(&mut self, _: &str) -> Outcome<Option<Value>> {
        Ok(None)
    }

    fn member(&mut self, _: usize, _: &str) -> Outcome<Option<Value>> {
        Ok(None)
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }

    fn serve(&mut self, _: Service, _: Arguments) -> Outcome<Value> {
        Err(Failure::new("xacro-yaml", "YAML: functions of xacro cannot be called here"))
    }

    fn budget(&mut self) -> &mut Budget {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        load(text, &mut Budget::new(1_000_000))
            .map(|value| value.repr().unwrap())
            .unwrap_or_else(|wrong| wrong.2.message)
    }

    #[test]
    fn scalars_have_the_types_of_yaml_1_1() {
        for (text, expected) in [
            ("12", "12"),
            ("-0", "0"),
            ("010", "8"),
            ("0x1F", "31"),
            ("0b101", "5"),
            ("1_000", "1000"),
            ("1:30", "90"),
            ("09", "'09'"),
            ("1.5", "1.5"),
            ("1.", "1.0"),
            (".5", "0.5"),
            ("1e3", "'1e3'"),
            ("1.0e3", "'1.0e3'"),
            ("1.0e+3", "1000.0"),
            ("-.inf", "-inf"),
            (".nan", "nan"),
            ("yes", "True"),
            ("off", "False"),
            ("y", "'y'"),
            ("~", "None"),
            ("", "None"),
            ("'12'", "'12'"),
            ("!!str 12", "'12'"),
            ("!!float 12", "12.0"),
            ("1:30.5", "90.5"),
            ("2001-12-14", "'2001-12-14'"),
            ("!degrees 180", "3.141592653589793"),
            ("!degrees pi/2", "0.027415567780803774"),
            ("!inches 1", "0.0254"),
            ("!radians '2*pi'", "6.283185307179586"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn dicts_lists_anchors_and_merges_are_read() {
        assert_eq!(shown("a: 1\nb: [x, {c: 2.5}]\n"), "{'a': 1, 'b': ['x', {'c': 2.5}]}");
        assert_eq!(
            shown("base: &b {x: 1, y: 2}\nmore:\n  <<: *b\n  y: 3\n"),
            "{'base': {'x': 1, 'y': 2}, 'more': {'x': 1, 'y': 3}}"
        );
        assert!(shown("a: [1, 2").starts_with("YAML: "));
        assert!(shown("a: !lightyears 3").contains("has no meaning"));
        assert!(shown("--- 1\n--- 2\n").contains("second document"));
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 10].join(", "));
        }
        assert!(shown(&bomb).contains("more than"));
        assert!(shown(&"[".repeat(100)).contains("levels deep"));
    }
}
