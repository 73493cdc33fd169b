//! Dynamics.
pub mod drive;
mod factorization;
pub mod recursive;
pub use factorization::Factorization;
