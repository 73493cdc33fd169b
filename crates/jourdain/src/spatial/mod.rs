//! Spatial algebra over any [`Scalar`](jourdain_symbolic::Scalar): rotations, poses, twists, wrenches, inertias.
//!
//! Twists and wrenches have named parts; where a stack of six is unavoidable the **linear part comes first**. Only
//! functions that must branch on a value (logarithms, exponentials of arbitrary vectors) are for `f64` alone.

mod inertia;
mod pose;
mod quaternion;
mod rotation;
mod twist;
mod vector;

pub use inertia::{Inertia, Symmetric};
pub use pose::Pose;
pub use quaternion::Quaternion;
pub use rotation::{Rotation, ahead, exact_sin_cos};
pub use twist::{Twist, Wrench};
pub use vector::Vector;

#[cfg(test)]
mod tests;
