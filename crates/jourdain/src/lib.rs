//! Closed-form robot models.

#![forbid(unsafe_code)]

pub mod spatial;
