//! Bounds on what a robot file may hold, so that a hostile one ends in an error soon and never in a crash.

pub use crate::model::check::MAX_LINKS;

/// Largest file, bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Deepest nesting of tables and arrays, or of XML elements.
pub const MAX_DEPTH: usize = 64;
/// Most XML nodes (elements, texts, comments).
pub const MAX_XML_NODES: u32 = 4_000_000;
/// Most attributes of one XML element: the XML parser compares each with each.
pub const MAX_XML_ATTRIBUTES: usize = 256;
/// Most XML namespace declarations: the XML parser searches them for each name.
pub const MAX_XML_NAMESPACES: usize = 64;
/// Most errors, and most warnings, that are listed.
pub const MAX_PROBLEMS: usize = 100;
