//! Elements of URDF: typed attributes, and what is wrong with them.

use super::super::native::shorten;
use super::super::report::Report;
use super::super::suggest;
use super::super::xml::{Element, Sources};
use crate::model::description::Location;
use crate::model::{Diagnostic, Number};
use std::collections::BTreeMap;

/// Reads elements, reports what is wrong with them, and counts the tags it has no use for.
pub(super) struct Reader<'s, 't> {
    pub sources: &'s Sources<'t>,
    pub report: &'s mut Report,
    unsupported: BTreeMap<String, (usize, Location)>,
}

impl<'s, 't> Reader<'s, 't> {
    pub fn new(sources: &'s Sources<'t>, report: &'s mut Report) -> Self {
        Self { sources, report, unsupported: BTreeMap::new() }
    }

    pub fn error(&mut self, place: Location, code: &'static str, message: String, hint: Option<String>) {
        self.report.push(Diagnostic { hint, ..Diagnostic::error(code, message).at(place) });
    }

    pub fn place(&self, element: &Element) -> Location {
        self.sources.locate(element.span)
    }

    /// Where an attribute's value stands, or else the element.
    pub fn attribute_place(&self, element: &Element, name: &str) -> Location {
        self.sources.locate(element.span_of(name))
    }

    /// An attribute that must be there.
    pub fn text<'a>(&mut self, element: &'a Element, name: &'static str) -> Option<&'a str> {
        let value = element.get(name);
        if value.is_none() {
            let message = format!("<{}> has no attribute `{name}`", shorten(&element.tag));
            self.error(self.place(element), "missing-attribute", message, None);
        }
        value
    }

    /// A number that must be there.
    pub fn number(&mut self, element: &Element, name: &'static str) -> Option<Number> {
        self.text(element, name)?;
        self.optional_number(element, name)
    }

    pub fn optional_number(&mut self, element: &Element, name: &'static str) -> Option<Number> {
        let text = element.get(name)?;
        self.parse_number(element, name, text)
    }

    /// Three numbers; zeros if the attribute is missing or wrong.
    pub fn vector(&mut self, element: &Element, name: &'static str) -> Option<[Number; 3]> {
        let text = element.get(name)?;
        let words: Vec<&str> = text.split_whitespace().take(1000).collect();
        let [x, y, z] = words[..] else {
            let message = format!("`{name}` must have 3 numbers, not {}", words.len());
            self.error(self.attribute_place(element, name), "wrong-length", message, None);
            return None;
        };
        let mut number = |word| self.parse_number(element, name, word);
        let (x, y, z) = (number(x), number(y), number(z));
        Some([x?, y?, z?])
    }

    fn parse_number(&mut self, element: &Element, name: &'static str, text: &str) -> Option<Number> {
        // Fractions and multiples of π belong to the native form.
        let number = Number::parse(text).filter(|_| text.trim().parse::<f64>().is_ok());
        if number.is_none() {
            let (code, rule) = if text.trim().parse::<f64>().is_ok() {
                ("not-finite", "must be finite")
            } else {
                ("not-a-number", "must be a number")
            };
            let message = format!("`{name}` {rule}, not \"{}\"", shorten(text));
            let hint =
                text.contains("${").then(|| "expressions are for files called .xacro, or with xacro tags".to_owned());
            self.error(self.attribute_place(element, name), code, message, hint);
        }
        number
    }

    /// The one child of this name; a second one is an error.
    pub fn child<'a>(&mut self, element: &'a Element, tag: &'static str) -> Option<&'a Element> {
        let mut found = element.children().filter(|child| child.tag == tag);
        let first = found.next();
        if let Some(second) = found.next() {
            let message = format!("a second <{tag}> in <{}>", shorten(&element.tag));
            self.error(self.place(second), "duplicate-element", message, Some("only one is allowed".to_owned()));
        }
        first
    }

    /// A child that must be there.
    pub fn required_child<'a>(&mut self, element: &'a Element, tag: &'static str) -> Option<&'a Element> {
        let child = self.child(element, tag);
        if child.is_none() {
            let message = format!("<{}> has no <{tag}>", shorten(&element.tag));
            self.error(self.place(element), "missing-element", message, None);
        }
        child
    }

    /// Counts the children that are neither known nor harmless.
    pub fn known_children(&mut self, element: &Element, known: &[&str]) {
        for child in element.children().filter(|child| !known.iter().any(|tag| child.tag == *tag)) {
            self.unsupported(child);
        }
    }

    /// Warns of attributes that nothing reads: most are misspelt.
    pub fn known_attributes(&mut self, element: &Element, known: &[&str]) {
        for attribute in element.attributes.iter().filter(|attribute| !attribute.name.contains(':')) {
            if !known.contains(&attribute.name.as_str()) {
                let message = format!(
                    "<{}> has no attribute `{}`, it is ignored",
                    shorten(&element.tag),
                    shorten(&attribute.name)
                );
                let place = self.sources.locate(attribute.name_span);
                let hint = suggest::hint(&attribute.name, known);
                self.report.push(Diagnostic::warning("unknown-attribute", message).at(place).hint(hint));
            }
        }
    }

    pub fn unsupported(&mut self, element: &Element) {
        let tag = shorten(&element.tag);
        if let Some((count, _)) = self.unsupported.get_mut(&tag) {
            *count += 1;
        } else if self.unsupported.len() < 1000 {
            let place = self.place(element);
            self.unsupported.insert(tag, (1, place));
        }
    }

    /// Warns once of each tag that was passed over.
    pub fn finish(self) {
        for (tag, (count, place)) in self.unsupported {
            let times = if count == 1 { String::new() } else { format!(" ({count} times, first here)") };
            let message = format!("the tag <{tag}> is not supported and is ignored{times}");
            self.report.push(Diagnostic::warning("unsupported-tag", message).at(place));
        }
    }
}
