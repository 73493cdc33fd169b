//! The native robot file, in TOML or JSON: both are read into one positioned value tree, and that into a description.

mod arm;
mod balance;
pub(super) mod document;
mod edits;
mod joint;
mod json;
mod link;
mod named;
mod plain_state;
pub(super) mod robot;
mod screws;
mod shaft;
mod shape;
mod state;
mod state_items;
mod state_lines;
mod table;
mod toml;
mod tree;
pub(super) mod write;

use super::report::Report;
use super::source::Source;
use crate::model::Description;
pub(super) use arm::read_arm;
pub use arm::{ArmState, Stated, read_arm_states, read_scenario};
pub use edits::{read_motors, read_payload};
pub use state::{GivenState, StateFile, known_states, read_states};
pub use state_items::StateItems;
pub use state_lines::StateLines;
pub(super) use table::shorten;
use table::{Context, Table};
pub use write::{to_json, to_toml};

/// The two notations of the native form.
#[derive(Clone, Copy)]
pub(super) enum Notation {
    Toml,
    Json,
}

pub(super) fn read(source: &Source<'_>, notation: Notation, report: &mut Report) -> Option<Description> {
    let parsed = match notation {
        Notation::Toml => toml::parse(source),
        Notation::Json => json::parse(source),
    };
    match parsed {
        Ok(node) => {
            let mut context = Context { source, report };
            let table = Table::new(&node, "a robot file", &mut context)?;
            robot::read(table, &mut context)
        }
        Err(diagnostics) => {
            diagnostics.into_iter().for_each(|diagnostic| report.push(diagnostic));
            None
        }
    }
}
