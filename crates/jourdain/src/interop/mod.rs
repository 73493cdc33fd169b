//! Conversions to and from the types of neighbouring crates, a file and a feature each.

mod nalgebra;
