//! XML as the readers of robots see it: an owned tree of elements and texts, each with the place it came from.
//!
//! Owned, because includes and macros put the texts of several files together. [`guard`] stands in front of the parser.

mod context;
mod files;
mod guard;
mod load;
mod print;
mod tree;
pub(super) mod write;

pub(super) use context::Context;
pub use files::{Files, Neighbours, NoFiles};
pub(super) use files::{Sources, normal, text_of};
pub(super) use guard::parse;
pub(super) use load::find;
pub(super) use print::to_text;
pub(super) use tree::{Attribute, Element, Node, Span, numbers};
