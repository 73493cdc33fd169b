//! Models as programs: formulas, machine code, generated code, and the forms that write in place.

#[path = "../common/mod.rs"]
mod common;
#[path = "../generated/mod.rs"]
mod generated;

mod compiled;
mod derive;
mod generated_code;
mod in_place_forms;
mod judged;
mod layouts;
mod overwritten;
mod refused;
