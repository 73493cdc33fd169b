//! Exact fields: rationals, residues modulo primes, and what stands in them for lengths, angles and directions.

mod angle;
mod certain;
mod circle;
mod prime;
mod rational;
mod root;

pub(super) use certain::Certain;
pub use prime::{OtherPrime, Prime, Residue};
pub use rational::Rational;
pub(super) use root::divisor;
