//! `[[state]]`: positions of the whole robot with a name, by the names of its joints.
//!
//! A joint has one number, or a list of as many as it has in `q`; what is not named is at zero, quaternions at the identity.

use super::super::suggest;
use super::table::{Context, Table, list, number, shorten};
use super::tree::{Entry, Node, Value};
use crate::model::Diagnostic;
use crate::model::description::{JointDescription, LinkDescription, NamedState};
use std::collections::HashMap;

/// Reads the states of a robot with these links.
pub(super) fn read(items: &[Node], links: &[LinkDescription], context: &mut Context<'_>) -> Vec<NamedState> {
    let mut states: Vec<NamedState> = Vec::new();
    for item in items {
        let Some(mut table) = Table::new(item, "a state", context) else { continue };
        table.require("name", context);
        table.require("q", context);
        let name = table.text("name", context).unwrap_or_default().to_owned();
        if states.iter().any(|state| state.name == name) {
            let message = format!("two states are called `{}`", shorten(&name));
            context.error_with_hint(item, "duplicate-state", message, Some("names must be unique".to_owned()));
        }
        let positions = table.get("q").map(|node| positions(node, links, context)).unwrap_or_default();
        table.finish(context);
        states.push(NamedState { name, positions });
    }
    states
}

fn positions(node: &Node, links: &[LinkDescription], context: &mut Context<'_>) -> Vec<(String, Vec<f64>)> {
    let Value::Table(entries) = &node.value else {
        let message = format!("`q` of a state must be a table of joints, not {}", node.value.kind());
        context.error_with_hint(node, "wrong-type", message, Some("write q = { shoulder = 0.1 }".to_owned()));
        return Vec::new();
    };
    let read = |entry: &Entry, context: &mut Context<'_>| {
        let joint = joint(entry, links, context)?;
        let numbers = match &entry.node.value {
            Value::List(_) => list(&entry.node, &entry.key, context)?,
            _ => std::slice::from_ref(&entry.node),
        };
        let numbers: Option<Vec<f64>> =
            numbers.iter().map(|node| Some(number(node, &entry.key, context)?.value)).collect();
        let mut numbers = numbers?;
        let wanted = joint.kind.nq();
        if numbers.len() != wanted {
            let message = format!("joint `{}` has {wanted} numbers, not {}", shorten(&entry.key), numbers.len());
            context.error(&entry.node, "wrong-length", message);
            return None;
        }
        if let Some(first) = joint.kind.quaternion() {
            let norm = numbers[first..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if !(norm > 0.0 && norm.is_finite()) {
                let message = format!("the quaternion of joint `{}` has no length", shorten(&entry.key));
                context.error(&entry.node, "zero-quaternion", message);
                return None;
            }
            // What has unit length is not touched, so that what is written is read as it was.
            if (norm - 1.0).abs() > 4.0 * f64::EPSILON {
                numbers[first..].iter_mut().for_each(|x| *x /= norm);
            }
        }
        Some((entry.key.clone(), numbers))
    };
    let mut positions: Vec<(String, Vec<f64>)> = entries.iter().filter_map(|entry| read(entry, context)).collect();
    // The keys of a table have no order of their own.
    let place: HashMap<&str, usize> = links.iter().enumerate().map(|(i, link)| (link.joint.name.as_str(), i)).collect();
    positions.sort_by_key(|(joint, _)| place.get(joint.as_str()).copied());
    positions
}

/// The joint that a key names, if it has numbers of its own.
fn joint<'l>(entry: &Entry, links: &'l [LinkDescription], context: &mut Context<'_>) -> Option<&'l JointDescription> {
    let (code, message, hint) = match links.iter().map(|link| &link.joint).find(|joint| joint.name == entry.key) {
        Some(joint) if joint.mimic.is_some() => {
            ("coupled-joint", "follows another and has no number of its own", "leave it out".to_owned())
        }
        Some(joint) if joint.kind.nq() == 0 => ("fixed-joint", "does not move", "leave it out".to_owned()),
        Some(joint) => return Some(joint),
        None => {
            let names: Vec<&str> = links.iter().map(|link| link.joint.name.as_str()).collect();
            ("unknown-joint", "is not there", suggest::hint(&entry.key, &names))
        }
    };
    let place = context.source.locate(entry.key_range.clone());
    let message = format!("joint `{}` of a state {message}", shorten(&entry.key));
    context.report.push(Diagnostic::error(code, message).at(place).hint(hint));
    None
}
