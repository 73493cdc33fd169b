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
    // Boxed, because most nodes are the white space between elements.
    Element(Box<Element>),
    Text(String, Span),
}

/// An element as written.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Element {
    /// With its prefix.
    pub tag: String,
    pub attributes: Vec<Attribute>,
    pub nodes: Vec<Node>,
    /// Namespaces declared here: prefix, if it has one, and address.
    pub namespaces: Vec<(Option<String>, String)>,
    /// The start tag.
    pub span: Span,
}

impl Element {
    /// An element of that name with nothing in it.
    pub fn empty(tag: &str, span: Span) -> Self {
        Self { tag: tag.to_owned(), attributes: Vec::new(), nodes: Vec::new(), namespaces: Vec::new(), span }
    }

    /// The tree under a parsed element. The parser has bounded the depth; this is what calls itself, so little of it lies on
    /// the stack.
    pub(super) fn of(parsed: Parsed<'_, '_>, text: &str, file: u32) -> Self {
        let mut element = Self::start(parsed, text, file);
        let mut child = parsed.first_child();
        while let Some(node) = child {
            if node.is_element() {
                element.nodes.push(Node::Element(Box::new(Self::of(node, text, file))));
            } else if node.is_text() {
                let span = Span { file, start: node.range().start as u32, end: node.range().end as u32 };
                element.nodes.extend(node.text().map(|text| Node::Text(text.to_owned(), span)));
            }
            child = node.next_sibling();
        }
        element.nodes.shrink_to_fit();
        element
    }

    /// The element without what stands in it.
    fn start(parsed: Parsed<'_, '_>, text: &str, file: u32) -> Self {
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
        let end = end.unwrap_or(start + 1 + name.len());
        let namespaces = declared(parsed);
        Self { tag: name.to_owned(), attributes, nodes: Vec::new(), namespaces, span: span(start..end) }
    }

    /// Elements and texts in it, itself included.
    pub fn size(&self) -> usize {
        let texts = self.nodes.len() - self.children().count();
        1 + texts + self.children().map(Self::size).sum::<usize>()
    }

    pub fn children(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(&**element),
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

/// So many numbers of a text that nobody is told about if they are not there.
pub(in crate::formats) fn numbers(text: &str, count: usize) -> Option<Vec<f64>> {
    let words = text.split_whitespace().take(count + 1);
    let numbers: Vec<f64> =
        words.map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect::<Option<_>>()?;
    (numbers.len() == count).then_some(numbers)
}

/// The namespaces that an element declares itself.
fn declared(parsed: Parsed<'_, '_>) -> Vec<(Option<String>, String)> {
    let is_inherited = |name: Option<&str>, address: &str| {
        parsed.parent().is_some_and(|parent| parent.namespaces().any(|ns| ns.name() == name && ns.uri() == address))
    };
    let own = parsed.namespaces().filter(|ns| ns.name() != Some("xml") && !is_inherited(ns.name(), ns.uri()));
    own.map(|ns| (ns.name().map(str::to_owned), ns.uri().to_owned())).collect()
}
