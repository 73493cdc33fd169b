//! Exact fields: rationals, residues modulo a prime, and the rational numbers that stand for lengths and angles.

mod angle;
mod prime;
mod rational;

pub use prime::Prime;
pub use rational::Rational;
