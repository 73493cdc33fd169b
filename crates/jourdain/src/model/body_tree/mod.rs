//! The tree of bodies: the copy of a model that the fast algorithms run on.
//!
//! Links that cannot move against each other become one *body*; a joint of several factors becomes a chain of bodies with
//! one motion each; every rotation or translation is about or along the body's own z; the frame is turned about z so that
//! the way from the parent is a turn about x wherever the tree allows. Beside the physical inertia each body has a
//! *regrouped* one: what cannot be felt at its joint has been moved to the parent (Gautier–Khalil), which leaves every
//! torque as it is with fewer numbers.
//!
//! Traps. Regrouped inertias are not physical: they give the right M, g, τ and Christoffel C, and the **wrong** Garofalo
//! C, joint reactions and energies. Users never see body frames.

mod body;
mod frames;
mod reach;
mod regroup;

pub use body::{Body, BodyTree, Carrier, Coordinate, Mechanism, Turn};

#[cfg(test)]
mod tests;
