//! Reports as people read them: numbers, tables, trees, diagnostics.

pub mod diagnostics;
pub mod numbers;
pub mod style;
pub mod table;
pub mod tree;
