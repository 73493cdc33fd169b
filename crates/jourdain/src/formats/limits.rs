//! Bounds on what a robot file may hold, so that a hostile one ends in an error soon and never in a crash.
//!
//! What takes seconds to reach is reached earlier in a program that is fuzzed, which has to run thousands of files a second.

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
/// Deepest nesting of macros, conditions, blocks and includes while a xacro file is expanded.
pub const MAX_EXPANSION_DEPTH: usize = 500;
/// Deepest nesting of includes of a xacro file.
pub const MAX_INCLUDE_DEPTH: usize = 50;
/// Most files that one robot may include.
pub const MAX_INCLUDED_FILES: usize = 1000;
/// Most elements, attributes and texts that a xacro file may expand to; 64 bytes of text count as one more.
pub const MAX_EXPANSION_NODES: usize = if cfg!(fuzzing) { 10_000 } else { 500_000 };
/// Most steps that an expansion may take: tags, operations, elements of lists.
pub const MAX_EXPANSION_STEPS: u64 = if cfg!(fuzzing) { 100_000 } else { 10_000_000 };
