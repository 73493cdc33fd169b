//! Base parameters by their laws: exact numbers, coupled chains, who has an effect.

mod coupled_chains;
mod effect;
mod exact_fields;
