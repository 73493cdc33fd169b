//! Closed-form robot models.

#![forbid(unsafe_code)]

pub mod model;
pub mod spatial;
