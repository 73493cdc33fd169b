//! Gautier and Khalil 1990 as it is written, corrected where the print is wrong: the closed forms beside the general rule.
//!
//! Serial robots of revolute and prismatic joints in modified Denavit–Hartenberg frames,
//! T = Rot(x, α) Trans(x, d) Rot(z, θ) Trans(z, r). Nothing of jourdain computes with this; the tests hold the general rule
//! against it, and the report of base parameters cites its equations. Parameters stand in the paper's order: XX, XY, XZ, YY,
//! YZ, ZZ, mX, mY, mZ, m.
//!
//! Where the print differs: in (15) the first line is XXR_j = XX_j − YY_j, of link j; the YY row of (16) has
//! −2 Sθ Cα **Sα** XZ; the left sides of (14) and (15) lack the R; rule 2 of III-B asks for an axis along gravity *and* for
//! joint 1 or parallel axes before it, and only its sentence on m₁ holds without gravity.

mod lambda;
mod regrouping;
mod rules;

pub use lambda::{Geometry, lambda, prismatic_rate, revolute_rate};
pub use regrouping::{Transfer, mass_transfer, parallel_slide, prismatic, revolute};
pub use rules::{Joint, WithoutEffect, bound, without_effect};

/// Parameters of a link.
pub const PARAMETERS: [&str; 10] = ["XX", "XY", "XZ", "YY", "YZ", "ZZ", "mX", "mY", "mZ", "m"];

/// The places of these parameters in jourdain's order.
pub const PLACES: [usize; 10] = [4, 5, 6, 7, 8, 9, 1, 2, 3, 0];
