//! Flexible arms by their laws: refusals, scenarios, formulas worked out by hand; and a few laws of rigid robots.

mod arms;
mod beams;
mod formulas;
mod motion;
mod rigid;
