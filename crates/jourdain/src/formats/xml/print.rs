//! A tree as text.

use super::tree::{Element, Node};
use super::write::{escaped, escaped_text};
use std::fmt::Write as _;

/// The document of a root element: two spaces a level, attributes in their order, every text as it is.
pub(in crate::formats) fn to_text(root: &Element) -> String {
    let mut out = "<?xml version=\"1.0\"?>\n".to_owned();
    write(root, 0, &mut out);
    out.push('\n');
    out
}

fn write(element: &Element, depth: usize, out: &mut String) {
    out.push('<');
    out.push_str(&element.tag);
    for (prefix, address) in &element.namespaces {
        match prefix {
            Some(prefix) => _ = write!(out, " xmlns:{prefix}=\"{}\"", escaped(address)),
            None => _ = write!(out, " xmlns=\"{}\"", escaped(address)),
        }
    }
    for attribute in &element.attributes {
        _ = write!(out, " {}=\"{}\"", attribute.name, escaped(&attribute.value));
    }
    let is_space = |node: &&Node| matches!(node, Node::Text(text, _) if text.trim().is_empty());
    let has_text = element.nodes.iter().any(|node| matches!(node, Node::Text(text, _) if !text.trim().is_empty()));
    if element.nodes.iter().all(|node| is_space(&node)) {
        out.push_str("/>");
        return;
    }
    out.push('>');
    for node in element.nodes.iter().filter(|node| has_text || !is_space(node)) {
        if !has_text {
            indent(depth + 1, out);
        }
        match node {
            Node::Element(child) => write(child, depth + 1, out),
            Node::Text(text, _) => out.push_str(&escaped_text(text)),
        }
    }
    if !has_text {
        indent(depth, out);
    }
    _ = write!(out, "</{}>", element.tag);
}

fn indent(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}
