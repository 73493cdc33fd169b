//! `[[state]]`: positions of the whole robot that have a name.

use super::super::suggest;
use super::table::{self, Context, Table};
use super::tree::{Node, Value};
use crate::model::description::{LinkDescription, NamedState};

/// The named positions; joints are named by their own name.
pub(super) fn read(items: &[Node], links: &[LinkDescription], context: &mut Context<'_>) -> Vec<NamedState> {
    let mut states: Vec<NamedState> = Vec::with_capacity(items.len());
    for item in items {
        let Some(mut table) = Table::new(item, "a state", context) else { continue };
        table.require("name", context);
        let name = table.text("name", context).unwrap_or_default().to_owned();
        if states.iter().any(|state| state.name == name) {
            context.error(item, "duplicate-state", format!("two states are called `{}`", super::shorten(&name)));
        }
        let positions = table.get("positions").map(|node| read_positions(node, links, context)).unwrap_or_default();
        table.finish(context);
        states.push(NamedState { name, positions });
    }
    states
}

fn read_positions(node: &Node, links: &[LinkDescription], context: &mut Context<'_>) -> Vec<(String, Vec<f64>)> {
    let Value::Table(entries) = &node.value else {
        context.error(node, "wrong-type", format!("`positions` must be a table, not {}", node.value.kind()));
        return Vec::new();
    };
    let mut positions = Vec::with_capacity(entries.len());
    for entry in entries {
        let Some(number) = links.iter().position(|link| link.joint.name == entry.key) else {
            let names: Vec<&str> = links.iter().map(|link| link.joint.name.as_str()).collect();
            let message = format!("there is no joint `{}`", super::shorten(&entry.key));
            context.error_with_hint(&entry.node, "unknown-joint", message, Some(suggest::hint(&entry.key, &names)));
            continue;
        };
        let numbers = match &entry.node.value {
            Value::List(items) => items.iter().filter_map(|item| table::number(item, "positions", context)).collect(),
            _ => Vec::from_iter(table::number(&entry.node, "positions", context)),
        };
        let count = links[number].joint.kind.positions();
        if numbers.len() != count {
            let (joint, given) = (super::shorten(&entry.key), numbers.len());
            context.error(
                &entry.node,
                "wrong-length",
                format!("the joint `{joint}` has {count} positions, not {given}"),
            );
        }
        positions.push((number, (entry.key.clone(), numbers.iter().map(|number| number.value).collect())));
    }
    // The keys of a table have no order of their own.
    positions.sort_by_key(|(link, _)| *link);
    positions.into_iter().map(|(_, position)| position).collect()
}
