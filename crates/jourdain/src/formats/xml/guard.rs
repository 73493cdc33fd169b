//! The guard in front of the XML parser: what would make it slow or its tree deep is refused before.

use super::super::limits::{MAX_XML_ATTRIBUTES, MAX_XML_NAMESPACES, MAX_XML_NODES};
use super::super::native::shorten;
use super::super::source::Source;
use super::tree::Element;
use crate::model::Diagnostic;
use crate::model::description::Location;
use roxmltree::{Document, ParsingOptions};
use std::ops::Range;

/// The root element of file number `file`, after a look for what would make the parser slow. Document types that declare
/// nothing are harmless; those with entities are refused.
pub(in crate::formats) fn parse(source: &Source<'_>, file: u32, deepest: usize) -> Result<Element, Box<Diagnostic>> {
    let in_file = |mut diagnostic: Box<Diagnostic>| {
        diagnostic.location = diagnostic.location.map(|place| Location { file, ..place });
        diagnostic
    };
    prescan(source, deepest).map_err(in_file)?;
    let allow_dtd = !source.text.contains("<!ENTITY") && !source.text.contains("<!ATTLIST");
    let options = ParsingOptions { allow_dtd, nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&source.text, options);
    let document = document.map_err(|error| in_file(Box::new(syntax_error(source, &error))))?;
    Ok(Element::of(document.root_element(), &source.text, file))
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
        Error::UnexpectedCloseTag(..) => match unclosed(&source.text) {
            Some(tag) => source.locate(tag),
            None => source.locate_line_column(position.row as usize, position.col as usize),
        },
        _ => source.locate_line_column(position.row as usize, position.col as usize),
    };
    let message = error.to_string();
    let message = message.replace(&format!(" at {position}"), "");
    match error {
        Error::DtdDetected => Diagnostic::error("dtd-forbidden", "document types and entities are not allowed")
            .hint("take the <!DOCTYPE …> out"),
        Error::NodesLimitReached => Diagnostic::error("too-many-links", format!("more than {MAX_XML_NODES} XML nodes")),
        Error::UnknownNamespace(prefix, _) => {
            let prefix = shorten(prefix);
            let address = if prefix == "xacro" { "http://www.ros.org/wiki/xacro" } else { "…" };
            Diagnostic::error("undeclared-prefix", format!("XML: the prefix `{prefix}:` is not declared"))
                .hint(format!("write xmlns:{prefix}=\"{address}\" in the root element"))
        }
        Error::UnexpectedCloseTag(expected, found, _) => {
            let message = format!("XML: <{}> is not closed before </{}>", shorten(expected), shorten(found));
            Diagnostic::error("syntax-error", message).hint(format!("write </{}> where it ends", shorten(expected)))
        }
        _ => Diagnostic::error("syntax-error", format!("XML: {message}")),
    }
    .at(place)
}

/// What a `<` begins.
enum Piece {
    /// A start tag: its attributes, and whether it is the whole element.
    Start {
        attributes: usize,
        is_empty: bool,
    },
    End,
    /// A comment, a declaration, or text that is not looked at.
    Other,
}

/// The pieces of a text and where they begin and end. May be off on broken XML, which the parser refuses.
fn pieces(text: &str) -> impl Iterator<Item = (usize, usize, Piece)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|byte| *byte == b'<')?;
        let skip_to = |end: &str| text[start..].find(end).map_or(bytes.len(), |found| start + found + end.len());
        let (end, piece) = match &bytes[start + 1..] {
            [b'!', b'-', b'-', ..] => (skip_to("-->"), Piece::Other),
            [b'!', b'[', ..] => (skip_to("]]>"), Piece::Other),
            [b'?', ..] => (skip_to("?>"), Piece::Other),
            [b'/', ..] => (start + 2, Piece::End),
            _ => {
                let (end, attributes, is_empty) = scan_tag(bytes, start + 1);
                (end, Piece::Start { attributes, is_empty })
            }
        };
        at = end;
        Some((start, end, piece))
    })
}

/// Bounds depth, attributes per element and namespaces, in which the parser is slow or the tree deep.
fn prescan(source: &Source<'_>, deepest: usize) -> Result<(), Box<Diagnostic>> {
    let text = &*source.text;
    let at = |start: usize| source.locate(start..start + 1);
    if let Some((start, _)) = text.match_indices("xmlns").nth(MAX_XML_NAMESPACES) {
        let message = format!("more than {MAX_XML_NAMESPACES} XML namespace declarations");
        return Err(Box::new(Diagnostic::error("too-many-attributes", message).at(source.locate(start..start + 5))));
    }
    let mut depth = 0_usize;
    for (start, _, piece) in pieces(text) {
        match piece {
            Piece::Start { attributes, .. } if attributes > MAX_XML_ATTRIBUTES => {
                let message = format!("an element with more than {MAX_XML_ATTRIBUTES} attributes");
                return Err(Box::new(Diagnostic::error("too-many-attributes", message).at(at(start))));
            }
            Piece::Start { is_empty, .. } => depth += usize::from(!is_empty),
            Piece::End => depth = depth.saturating_sub(1),
            Piece::Other => {}
        }
        if depth > deepest {
            let message = format!("nested more than {deepest} levels deep");
            let hint = "robots are flat: most files need fewer than ten levels";
            return Err(Box::new(Diagnostic::error("nesting-too-deep", message).at(at(start)).hint(hint)));
        }
    }
    Ok(())
}

/// The start tag that is still open where an end tag of another name stands.
fn unclosed(text: &str) -> Option<Range<usize>> {
    let mut open: Vec<Range<usize>> = Vec::new();
    let name = |start: usize| {
        let rest = &text[start..];
        &rest[..rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len())]
    };
    for (start, end, piece) in pieces(text) {
        match piece {
            Piece::Start { is_empty: false, .. } if !text[start..].starts_with("<!") => open.push(start..end),
            Piece::End => {
                let last = open.pop()?;
                if name(last.start + 1) != name(start + 2) {
                    return Some(last);
                }
            }
            Piece::Start { .. } | Piece::Other => {}
        }
    }
    None
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
