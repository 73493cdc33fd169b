//! Robots with elastic joints: a spring between rotor and link, for some or all joints of a tree.
//!
//! With θ the rotors' positions as they are felt at the joints (motor angle over gear ratio):
//!
//! - M(q) q̈ + C q̇ + g + friction = K (θ − q) + D (θ̇ − q̇) − loads' share, the links
//! - B θ̈ + rotor friction + K (θ − q) + D (θ̇ − q̇) = u, the rotors, B = inertia · ratio²
//!
//! A rigid joint has no θ of its own: its rotor is in M and its torque u acts on the link.
//!
//! | file | what it does |
//! |---|---|
//! | [`model`] | the springs of a model, the state (q, q̇, θ, θ̇), spring torques |
//! | [`wound`] | how far damped springs are wound along a motion |
//! | [`inverse`] | motor position and torque for a motion of the links, O(n) |
//! | [`forward`] | q̈ and θ̈ for motor torques |
//! | [`rotors`] | what rotors have to do with the turning of the links that carry them: the complete model |
//! | [`energy`] | kinetic and potential energy, the power of torques, friction and damping |
//! | [`rates`] | accelerations and power together, for integration |
//! | [`linearise`](mod@linearise) | small motions about a posture or a steady motion |
//! | [`control`] | exact linearisation, flatness feed-forward, computed torque, pole placement |
//! | [`closed_loop`] | the poles of robot and control law at rest, in continuous time or sampled |
//!
//! Everything is on the link side. Grimm's quantities at the motor shaft, with his N_g = 1/ratio: q_M = ratio · θ,
//! Δq = ratio · (θ − q), u_M = u/ratio, C = K/ratio², M_G = B/ratio².
//!
//! Traps. Only the spin of a rotor about its own axis is kept (Spong's assumption) unless the complete model is asked for
//! ([`ElasticModel::with_complete_rotors`]); the *mass* of a motor belongs to the link that carries it. With damping the relative degree of q falls from four to three: the inverse then has a state of its
//! own, and the exact laws, which leave damping out, are exact no longer.
//!
//! # Reference
//! Grimm 1990, (1)–(5); Spong 1987.

pub mod closed_loop;
pub mod control;
pub mod energy;
mod error;
pub mod forward;
pub mod inverse;
pub mod linearise;
pub mod model;
pub mod rates;
pub mod rotors;
pub mod wound;

pub use crate::linear::{Linearisation, Mode};
pub use closed_loop::ClosedLoop;
pub use error::ElasticError;
pub use forward::ForwardScratch;
pub use inverse::{InverseScratch, MotorMotion};
pub use linearise::{linearise, linearise_moving};
pub use model::{ElasticModel, ElasticState, Spring};
pub use wound::Wound;
