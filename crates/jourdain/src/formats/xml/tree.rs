//! Elements, attributes and texts with their places.

use roxmltree::Node as Parsed;

/// A piece of one of the files of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) struct Span {
    /// Which file, in the order of reading; the main one is 0.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// An attribute as written.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Attribute {
    /// With its prefix.
    pub name: String,
    pub value: String,
    /// The name in the file.
    pub name_span: Span,
    /// The value in the file, without its quotes.
    pub span: Span,
}

/// What stands inside an element.
#[derive(Clone, Debug)]
pub(in crate::formats) enum Node {
    Element(Element),
    Text(String, Span),
}

/// An element as written.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Element {
    /// With its prefix.
    pub tag: String,
    pub attributes: Vec<Attribute>,
    pub nodes: Vec<Node>,
    /// The start tag.
    pub span: Span,
}

impl Element {
    /// The tree under a parsed element. The parser has bounded the depth.
    pub(super) fn of(parsed: Parsed<'_, '_>, text: &str, file: u32) -> Self {
        let span = |range: std::ops::Range<usize>| Span { file, start: range.start as u32, end: range.end as u32 };
        let attributes: Vec<Attribute> = parsed
            .attributes()
            .map(|attribute| Attribute {
                name: text[attribute.range_qname()].to_owned(),
                value: attribute.value().to_owned(),
                name_span: span(attribute.range_qname()),
                span: span(attribute.range_value()),
            })
            .collect();
        let start = parsed.range().start;
        let rest = &text[start + 1..];
        let name = &rest[..rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len())];
        let end = parsed.attributes().map(|attribute| attribute.range().end).max();
        let nodes = parsed
            .children()
            .filter_map(|child| match child {
                child if child.is_element() => Some(Node::Element(Self::of(child, text, file))),
                child => {
                    child.text().filter(|_| child.is_text()).map(|t| Node::Text(t.to_owned(), span(child.range())))
                }
            })
            .collect();
        let end = end.unwrap_or(start + 1 + name.len());
        Self { tag: name.to_owned(), attributes, nodes, span: span(start..end) }
    }

    pub fn children(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(..) => None,
        })
    }

    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// An attribute's value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// Where the value of an attribute stands, or else the start tag.
    pub fn span_of(&self, name: &str) -> Span {
        self.attribute(name).map_or(self.span, |attribute| attribute.span)
    }
}
