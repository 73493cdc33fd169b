//! The choice of the Coriolis matrix.
//!
//! C is not unique: any C with the same product C q̇ gives the same motion. In body form,
//! C = Σ Jᵀ Ψ J + Jᵀ Λ J̇, the choice is that of the 6×6 block Ψ of each link, linear in its twist v:
//!
//! | factorisation | Ψ | Ṁ − 2C skew | torsion-free |
//! |---|---|---|---|
//! | Garofalo (6b), equal to Müller–Kumar (54) | Λ ad − adᵀ Λ | yes | no |
//! | Christoffel | ½ [Λ ad − adᵀ Λ + (Λ v)×̄*] | yes | yes |
//! | Müller–Kumar (22) | −adᵀ Λ | **no** | no |
//!
//! with (h ×̄*) u = −ad(u)ᵀ h. The third is not offered: passivity-based control and Ṁ = C + Cᵀ break with it.
//!
//! Traps. A Slotine–Li regressor depends on the choice, a classic one does not. Torsion-free means C(q, u) w = C(q, w) u
//! where the velocities are rates of coordinates; with the body velocities of spherical and free joints the two sides
//! differ by the bracket of the velocity fields, for every choice.

/// Which Coriolis matrix. Both satisfy Ṁ = C + Cᵀ and agree on C q̇; they differ as matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Factorization {
    /// G (6b): one product less per link than the other; the default.
    #[default]
    Garofalo,
    /// The matrix of the Christoffel symbols of M.
    Christoffel,
}
