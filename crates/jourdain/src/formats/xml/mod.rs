//! XML as the readers of robots see it: an owned tree of elements and texts, each with the place it came from.
//!
//! Owned, because includes and macros put the texts of several files together. [`guard`] stands in front of the parser.

mod files;
mod guard;
mod tree;
pub(super) mod write;

pub use files::{Files, Neighbours, NoFiles};
pub(super) use files::{Sources, text_of};
pub(super) use guard::parse;
pub(super) use tree::{Attribute, Element, Node, Span};
