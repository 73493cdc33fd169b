//! Hot paths do not allocate.

#[path = "../common/mod.rs"]
mod common;
#[path = "../counting/mod.rs"]
mod counting;

mod compiled_allocation;
mod elastic_allocation;
mod flexible_allocation;
mod ik_allocation;
mod kinematics_allocation;
mod motion_allocation;
mod quantity_allocation;
mod recursive_allocation;
mod simulate_allocation;
mod time_derivatives_allocation;
