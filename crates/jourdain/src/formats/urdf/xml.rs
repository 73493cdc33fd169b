//! XML elements with typed attributes and places; the guard in front of the XML parser.

use super::super::limits::{MAX_DEPTH, MAX_XML_ATTRIBUTES, MAX_XML_NAMESPACES, MAX_XML_NODES};
use super::super::native::shorten;
use super::super::report::Report;
use super::super::source::Source;
use super::super::suggest;
use crate::model::description::Location;
use crate::model::{Diagnostic, Number};
use roxmltree::{Attribute, Document, Node, ParsingOptions};
use std::collections::BTreeMap;

/// Parses after a look for what would make the parser slow; document types, and so entities, are refused.
pub(super) fn parse<'a>(source: &Source<'a>) -> Result<Document<'a>, Vec<Diagnostic>> {
    prescan(source)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(source.text, options).map_err(|error| vec![syntax_error(source, &error)])
}

fn syntax_error(source: &Source<'_>, error: &roxmltree::Error) -> Diagnostic {
    use roxmltree::Error;
    let position = error.pos();
    let place = match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode => source.end(),
        Error::DtdDetected => {
            let at = source.text.find("<!DOCTYPE").unwrap_or(0);
            source.locate(at..at + "<!DOCTYPE".len())
        }
        _ => source.locate_line_column(position.row as usize, position.col as usize),
    };
    let message = error.to_string();
    let message = message.replace(&format!(" at {position}"), "");
    match error {
        Error::DtdDetected => Diagnostic::error("dtd-forbidden", "document types and entities are not allowed")
            .hint("take the <!DOCTYPE …> out"),
        Error::NodesLimitReached => Diagnostic::error("too-many-links", format!("more than {MAX_XML_NODES} XML nodes")),
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => {
            Diagnostic::error("xacro-not-expanded", "the file is a xacro macro file, not URDF")
                .hint("expand it first: xacro robot.urdf.xacro > robot.urdf")
        }
        _ => Diagnostic::error("syntax-error", format!("XML: {message}")),
    }
    .at(place)
}

/// Bounds depth, attributes per element and namespaces, in which the parser is slow or the tree deep.
///
/// Counts may be off on broken XML, which the parser refuses.
fn prescan(source: &Source<'_>) -> Result<(), Vec<Diagnostic>> {
    let text = source.text;
    if let Some((at, _)) = text.match_indices("xmlns").nth(MAX_XML_NAMESPACES) {
        let message = format!("more than {MAX_XML_NAMESPACES} XML namespace declarations");
        return Err(vec![Diagnostic::error("too-many-attributes", message).at(source.locate(at..at + 5))]);
    }
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0usize);
    while let Some(step) = bytes[at..].iter().position(|byte| *byte == b'<') {
        let start = at + step;
        let skip_to = |end: &str| text[start..].find(end).map_or(bytes.len(), |found| start + found + end.len());
        at = match &bytes[start + 1..] {
            [b'!', b'-', b'-', ..] => skip_to("-->"),
            [b'!', b'[', ..] => skip_to("]]>"),
            [b'?', ..] => skip_to("?>"),
            [b'/', ..] => {
                depth = depth.saturating_sub(1);
                start + 2
            }
            _ => {
                let (end, attributes, is_empty) = scan_tag(bytes, start + 1);
                if attributes > MAX_XML_ATTRIBUTES {
                    let message = format!("an element with more than {MAX_XML_ATTRIBUTES} attributes");
                    return Err(vec![
                        Diagnostic::error("too-many-attributes", message).at(source.locate(start..start + 1)),
                    ]);
                }
                depth += usize::from(!is_empty);
                end
            }
        };
        if depth > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(vec![
                Diagnostic::error("nesting-too-deep", message)
                    .at(source.locate(start..start + 1))
                    .hint("a URDF file needs five levels"),
            ]);
        }
    }
    Ok(())
}

/// One past the end of the tag, the attributes in it, and whether it closes itself.
fn scan_tag(bytes: &[u8], start: usize) -> (usize, usize, bool) {
    let (mut attributes, mut quote, mut at) = (0, None, start);
    while at < bytes.len() {
        match (bytes[at], quote) {
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (byte @ (b'"' | b'\''), None) => quote = Some(byte),
            (b'=', None) => attributes += 1,
            (b'>', None) => return (at + 1, attributes, bytes[at - 1] == b'/'),
            _ => {}
        }
        at += 1;
    }
    (at, attributes, false)
}

/// An XML element.
#[derive(Clone, Copy)]
pub(super) struct Element<'a, 'i>(pub Node<'a, 'i>);

impl<'a, 'i> Element<'a, 'i> {
    pub fn tag(self) -> &'a str {
        self.0.tag_name().name()
    }

    /// True for an element of this name and of no foreign namespace.
    pub fn is(self, tag: &str) -> bool {
        self.tag() == tag && self.0.tag_name().namespace().is_none_or(|uri| Some(uri) == self.default_namespace())
    }

    fn default_namespace(self) -> Option<&'a str> {
        self.0.default_namespace()
    }

    pub fn children(self) -> impl Iterator<Item = Element<'a, 'i>> {
        self.0.children().filter(Node::is_element).map(Element)
    }

    pub fn attribute(self, name: &str) -> Option<Attribute<'a, 'i>> {
        self.0.attribute_node(name)
    }

    /// The start tag, for underlining.
    pub fn place(self, source: &Source<'_>) -> Location {
        let start = self.0.range().start;
        let end = self.0.attributes().map(|attribute| attribute.range().end).max();
        source.locate(start..end.unwrap_or(start + 1 + self.tag().len()))
    }
}

/// Reads elements, reports what is wrong with them, and counts the tags it has no use for.
pub(super) struct Reader<'s, 't> {
    pub source: &'s Source<'t>,
    pub report: &'s mut Report,
    unsupported: BTreeMap<String, (usize, Location)>,
}

impl<'s, 't> Reader<'s, 't> {
    pub fn new(source: &'s Source<'t>, report: &'s mut Report) -> Self {
        Self { source, report, unsupported: BTreeMap::new() }
    }

    pub fn error(&mut self, place: Location, code: &'static str, message: String, hint: Option<String>) {
        self.report.push(Diagnostic { hint, ..Diagnostic::error(code, message).at(place) });
    }

    pub fn place(&self, element: Element<'_, '_>) -> Location {
        element.place(self.source)
    }

    /// Where an attribute's value stands, or else the element.
    pub fn attribute_place(&self, element: Element<'_, '_>, name: &str) -> Location {
        match element.attribute(name) {
            Some(attribute) => self.source.locate(attribute.range_value()),
            None => self.place(element),
        }
    }

    /// An attribute that must be there.
    pub fn text<'a>(&mut self, element: Element<'a, '_>, name: &'static str) -> Option<&'a str> {
        let value = element.0.attribute(name);
        if value.is_none() {
            let message = format!("<{}> has no attribute `{name}`", shorten(element.tag()));
            self.error(self.place(element), "missing-attribute", message, None);
        }
        value
    }

    /// A number that must be there.
    pub fn number(&mut self, element: Element<'_, '_>, name: &'static str) -> Option<Number> {
        self.text(element, name)?;
        self.optional_number(element, name)
    }

    pub fn optional_number(&mut self, element: Element<'_, '_>, name: &'static str) -> Option<Number> {
        let text = element.0.attribute(name)?;
        self.parse_number(element, name, text)
    }

    /// Three numbers; zeros if the attribute is missing or wrong.
    pub fn vector(&mut self, element: Element<'_, '_>, name: &'static str) -> Option<[Number; 3]> {
        let text = element.0.attribute(name)?;
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

    fn parse_number(&mut self, element: Element<'_, '_>, name: &'static str, text: &str) -> Option<Number> {
        // Fractions and multiples of π belong to the native form.
        let number = Number::parse(text).filter(|_| text.trim().parse::<f64>().is_ok());
        if number.is_none() {
            let (code, rule) = if text.trim().parse::<f64>().is_ok() {
                ("not-finite", "must be finite")
            } else {
                ("not-a-number", "must be a number")
            };
            let message = format!("`{name}` {rule}, not \"{}\"", shorten(text));
            let hint = text.contains("${").then(|| "this is a xacro expression: expand the file first".to_owned());
            self.error(self.attribute_place(element, name), code, message, hint);
        }
        number
    }

    /// The one child of this name; a second one is an error.
    pub fn child<'a, 'i>(&mut self, element: Element<'a, 'i>, tag: &'static str) -> Option<Element<'a, 'i>> {
        let mut found = element.children().filter(|child| child.is(tag));
        let first = found.next();
        if let Some(second) = found.next() {
            let message = format!("a second <{tag}> in <{}>", shorten(element.tag()));
            self.error(self.place(second), "duplicate-element", message, Some("only one is allowed".to_owned()));
        }
        first
    }

    /// A child that must be there.
    pub fn required_child<'a, 'i>(&mut self, element: Element<'a, 'i>, tag: &'static str) -> Option<Element<'a, 'i>> {
        let child = self.child(element, tag);
        if child.is_none() {
            let message = format!("<{}> has no <{tag}>", shorten(element.tag()));
            self.error(self.place(element), "missing-element", message, None);
        }
        child
    }

    /// Counts the children that are neither known nor harmless.
    pub fn known_children(&mut self, element: Element<'_, '_>, known: &[&str]) {
        for child in element.children().filter(|child| !known.iter().any(|tag| child.is(tag))) {
            self.unsupported(child);
        }
    }

    /// Warns of attributes that nothing reads: most are misspelt.
    pub fn known_attributes(&mut self, element: Element<'_, '_>, known: &[&str]) {
        for attribute in element.0.attributes().filter(|attribute| attribute.namespace().is_none()) {
            if !known.contains(&attribute.name()) {
                let message = format!(
                    "<{}> has no attribute `{}`, it is ignored",
                    shorten(element.tag()),
                    shorten(attribute.name())
                );
                let place = self.source.locate(attribute.range_qname());
                let hint = suggest::hint(attribute.name(), known);
                self.report.push(Diagnostic::warning("unknown-attribute", message).at(place).hint(hint));
            }
        }
    }

    pub fn unsupported(&mut self, element: Element<'_, '_>) {
        let tag = shorten(element.tag());
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
