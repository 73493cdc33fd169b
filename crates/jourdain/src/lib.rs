//! Closed-form robot models.

#![forbid(unsafe_code)]

pub mod formats;
pub mod model;
pub mod spatial;
