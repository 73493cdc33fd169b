//! Base parameters by their laws: exact numbers, coupled chains, who has an effect, what is written about them.

mod coupled_chains;
mod effect;
mod exact_fields;
mod formulas;
mod loose_joints;
mod names;
mod near_special;
mod reasons;
mod snapping;
mod witnesses;
