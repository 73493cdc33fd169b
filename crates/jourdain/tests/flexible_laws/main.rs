//! Flexible arms by their laws: refusals, scenarios, formulas worked out by hand.

mod arms;
mod formulas;
