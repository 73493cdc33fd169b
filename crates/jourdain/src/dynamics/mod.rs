//! Rigid-body dynamics of tree robots: τ = M q̈ + C q̇ + g − Σ Jᵀ·wrench, its matrices, derivatives and regressors.
//!
//! [`closed_form`] is the reference: the papers' formulas as they stand, over any scalar; [`recursive`] is what runs fast, and a property test keeps the two equal. Motor inertia and friction are
//! in [`drive`] and shared by every path, as are springs and cylinders beside motors in [`balance`]; [`memory`] has friction that depends on the motion before.

pub mod balance;
pub mod closed_form;
pub mod composed;
pub mod drive;
mod factorization;
pub mod memory;
pub mod recursive;
mod series;
mod singular;
mod tensor;

pub use factorization::Factorization;
pub use singular::SingularMassMatrix;
pub use tensor::Tensor;
