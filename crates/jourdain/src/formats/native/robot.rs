//! The top of a native file: name, gravity, switches, then links or screws, then named positions.

use super::super::limits::MAX_LINKS;
use super::link::{self, Defaults};
use super::named;
use super::screws;
use super::shaft;
use super::table::{Context, Table};
use super::tree::Value;
use crate::model::Description;
use crate::model::description::{DhConvention, GROUND, standard_gravity};

/// The table of a screw list that has its matrices as *Modern Robotics* names them.
pub(in crate::formats) const BOOK: &str = "modern_robotics";

pub(super) fn read(mut table: Table<'_>, context: &mut Context<'_>) -> Option<Description> {
    let place = table.place("name", context).unwrap_or_else(|| context.locate(table.node()));
    let is_nameless = table.get("name").is_none_or(|name| matches!(&name.value, Value::Text(text) if text.is_empty()));
    let name = if is_nameless {
        context.report.name_the_robot(place)
    } else {
        table.text("name", context).unwrap_or_default().to_owned()
    };
    let gravity = table.vector("gravity", context).unwrap_or_else(standard_gravity);
    let allow_unphysical = table.boolean("allow_unphysical", context).unwrap_or(false);
    let dh = convention_of(&mut table, "dh", context);
    table.exclude("link", "screws", context);

    let mut links = Vec::new();
    if let Some(items) = table.list("link", context) {
        if items.len() > MAX_LINKS {
            context.report.push(super::toml::too_many_links(context.source, items[MAX_LINKS].range.start));
            return None;
        }
        let mut before = GROUND.to_owned();
        for item in items {
            let defaults = Defaults { parent: &before, dh };
            match link::read(item, &defaults, context) {
                Some(link) => {
                    before.clone_from(&link.name);
                    links.push(link);
                }
                None => context.report.names_are_incomplete = true,
            }
            context.report.concerning(None, None);
        }
    }
    if let Some(items) = table.list("screws", context) {
        if items.len() > MAX_LINKS {
            context.report.push(super::toml::too_many_links(context.source, items[MAX_LINKS].range.start));
            return None;
        }
        links = screws::read(items, context);
        // What follows from the screws and is there for other programs to read.
        table.get(BOOK);
        if let Some(home) = table.table("home", context) {
            let last = links.last().map_or(GROUND, |link| &link.name).to_owned();
            links.push(screws::read_home(home, &last, context));
        }
        context.report.concerning(None, None);
    } else {
        table.get("home");
        table.get(BOOK);
        table.refuse(&[BOOK], "it belongs to a screw list, and there are no `screws`", context);
        table.refuse(&["home"], "it is the tool frame of a screw list, and there are no `screws`", context);
    }
    if let Some(node) = table.get("coupling") {
        shaft::couple(node, &mut links, context);
    }
    let states = match table.list("state", context) {
        Some(items) if !context.report.names_are_incomplete => named::read(items, &links, context),
        _ => Vec::new(),
    };
    table.finish(context);
    Some(Description { name, gravity, allow_unphysical, links, states })
}

/// The Denavit–Hartenberg convention that a key names.
pub(super) fn convention_of(
    table: &mut Table<'_>,
    key: &'static str,
    context: &mut Context<'_>,
) -> Option<DhConvention> {
    match table.text(key, context)? {
        "modified" => Some(DhConvention::Modified),
        "standard" => Some(DhConvention::Standard),
        other => {
            let message = format!("there is no Denavit–Hartenberg convention `{}`", super::shorten(other));
            let node = table.get(key)?;
            let hint = "\"modified\" (Craig, Khalil) or \"standard\" (Denavit–Hartenberg)".to_owned();
            context.error_with_hint(node, "unknown-dh-convention", message, Some(hint));
            // Any convention will do for reading on: the robot is refused.
            Some(DhConvention::Modified)
        }
    }
}
