//! The `joint` of a native link: its type, and only the keys that this type takes.

use super::super::suggest;
use super::table::{self, Context, Table};
use super::tree::Node;
use crate::model::Number;
use crate::model::description::{JointDescription, JointKind, MimicDescription, Places, ScrewDescription, ScrewKind};
use crate::model::joint::{Facts, Given};

/// All keys that some type takes.
const GEOMETRY: [&str; 6] = ["axis", "axis2", "axes", "point", "pitch", "sequence"];

pub(super) const Z: [Number; 3] = [Number::ZERO, Number::ZERO, Number::ONE];

pub(super) fn read(
    mut table: Table<'_>,
    link: &str,
    in_dh_frame: bool,
    places: &mut Places,
    context: &mut Context<'_>,
) -> JointDescription {
    let name = table.text("name", context).unwrap_or(link).to_owned();
    context.report.concerning(Some(link), Some(&name));
    note_places(&table, places, context);
    table.require("type", context);
    let kind = match table.text("type", context) {
        Some(kind) => read_kind(kind, &mut table, in_dh_frame, context),
        None => JointKind::Fixed,
    };
    // What is refused is not unknown as well.
    GEOMETRY.into_iter().for_each(|key| _ = table.get(key));
    let mut joint = JointDescription::new(name, kind);
    joint.location = Some(context.locate(table.node()));
    joint.continuous = table.text("type", context) == Some("continuous");
    read_ranges(&mut table, &mut joint, context);
    table.finish(context);
    context.report.concerning(Some(link), None);
    joint
}

/// Limits and coupling: what joints and screws share.
pub(super) fn read_ranges(table: &mut Table<'_>, joint: &mut JointDescription, context: &mut Context<'_>) {
    joint.limits = table.vector("limits", context);
    joint.velocity = table.number("velocity", context);
    joint.effort = table.number("effort", context);
    joint.mimic = table.table("mimic", context).and_then(|mimic| read_mimic(mimic, context));
    if joint.continuous {
        table.refuse(&["limits"], "a continuous joint has none; with limits it is \"revolute\"", context);
    }
    if table.boolean("unlimited", context) == Some(true) {
        joint.continuous = true;
        table.refuse(&["limits"], "the joint is said to be unlimited", context);
    }
}

/// Notes where the parts that the check judges stand.
pub(super) fn note_places(table: &Table<'_>, places: &mut Places, context: &Context<'_>) {
    places.set("joint", context.locate(table.node()));
    for (key, field) in [
        ("name", "joint.name"),
        ("axis", "joint.axis"),
        ("axes", "joint.axis"),
        ("axis2", "joint.axis2"),
        ("pitch", "joint.pitch"),
        ("sequence", "joint.sequence"),
        ("limits", "joint.limits"),
        ("velocity", "joint.velocity"),
        ("effort", "joint.effort"),
        ("mimic", "joint.mimic"),
    ] {
        if let Some(place) = table.place(key, context) {
            places.set(field, place);
        }
    }
}

/// The keys of a type are those of its [`Facts`], and so are their defaults.
fn read_kind(name: &str, table: &mut Table<'_>, in_dh_frame: bool, context: &mut Context<'_>) -> JointKind {
    let Some(facts) = Facts::find(name) else {
        if let Some(node) = table.get("type") {
            unknown_type(node, name, &Facts::names(), context);
        }
        return JointKind::Fixed;
    };
    let others: Vec<&str> = GEOMETRY.into_iter().filter(|key| !facts.keys.contains(key)).collect();
    table.refuse(&others, &format!("a {name} joint takes no such key"), context);
    if in_dh_frame && facts.set_by_dh {
        let reason = "a link with `dh` moves about or along its z axis";
        let set_by_dh: Vec<&str> = facts.keys.iter().copied().filter(|key| *key != "pitch").collect();
        table.refuse(&set_by_dh, reason, context);
    }
    facts.required.iter().for_each(|key| table.require(key, context));

    let mut kind = (facts.default)();
    let axes = facts.keys.contains(&"axes").then(|| read_axes(table, context)).flatten();
    let mut axes = axes.into_iter().flatten();
    let mut unread = facts.keys.to_vec();
    kind.visit_mut(&mut |key, part| {
        unread.retain(|other| *other != key);
        match part {
            Given::Axis(axis) => *axis = table.vector(key, context).or_else(|| axes.next()).unwrap_or(*axis),
            Given::Point(point) => *point = table.vector(key, context).unwrap_or(*point),
            Given::Pitch(pitch) => *pitch = table.number(key, context).unwrap_or(*pitch),
        }
    });
    if unread.contains(&"point") {
        table.vector::<3>("point", context);
    }
    if let JointKind::Composite { sequence } = &mut kind {
        let factors = table.list("sequence", context).unwrap_or_default();
        *sequence = factors.iter().filter_map(|factor| read_factor(factor, context)).collect();
    }
    kind
}

fn unknown_type(node: &Node, given: &str, known: &[&str], context: &mut Context<'_>) {
    let message = format!("there is no joint type `{}`", table::shorten(given));
    // What other formats call the same thing.
    let hint = match given {
        "floating" | "freeflyer" if known.contains(&"free") => "did you mean `free`?".to_owned(),
        "ball" if known.contains(&"spherical") => "did you mean `spherical`?".to_owned(),
        "screw" => "did you mean `helical`?".to_owned(),
        _ => suggest::hint(given, known),
    };
    context.error_with_hint(node, "unknown-joint-type", message, Some(hint));
}

/// `axes`, short for `axis` and `axis2`.
fn read_axes(table: &mut Table<'_>, context: &mut Context<'_>) -> Option<Vec<[Number; 3]>> {
    table.exclude("axis", "axes", context);
    table.exclude("axis2", "axes", context);
    let (node, items) = (table.get("axes")?, table.list("axes", context)?);
    if items.len() != 2 {
        let message = format!("`axes` must have 2 vectors, not {}", items.len());
        context.error(node, "wrong-length", message);
        return None;
    }
    items.iter().map(|item| table::vector(item, "axes", context)).collect()
}

fn read_factor(node: &Node, context: &mut Context<'_>) -> Option<ScrewDescription> {
    let mut table = Table::new(node, "a factor of a composite joint", context)?;
    table.require("type", context);
    let kind = screw_kind(&mut table, context);
    let factor = ScrewDescription {
        kind,
        axis: table.vector("axis", context).unwrap_or(Z),
        point: table.vector("point", context).unwrap_or([Number::ZERO; 3]),
        pitch: read_pitch(&mut table, kind, context),
    };
    table.finish(context);
    Some(factor)
}

/// The `type` of a factor or a screw: revolute where none is given.
pub(super) fn screw_kind(table: &mut Table<'_>, context: &mut Context<'_>) -> ScrewKind {
    match table.text("type", context) {
        Some("revolute" | "continuous") | None => ScrewKind::Revolute,
        Some("prismatic") => ScrewKind::Prismatic,
        Some("helical") => ScrewKind::Helical,
        Some(other) => {
            if let Some(node) = table.get("type") {
                unknown_type(node, other, &["revolute", "continuous", "prismatic", "helical"], context);
            }
            ScrewKind::Revolute
        }
    }
}

/// `pitch`: needed by a helical motion, refused by the others.
pub(super) fn read_pitch(table: &mut Table<'_>, kind: ScrewKind, context: &mut Context<'_>) -> Number {
    let pitch = table.number("pitch", context);
    match kind {
        ScrewKind::Helical => {
            table.require("pitch", context);
            pitch.unwrap_or(Number::ONE)
        }
        _ => {
            table.refuse(&["pitch"], "only a helical motion has a pitch", context);
            Number::ZERO
        }
    }
}

fn read_mimic(mut table: Table<'_>, context: &mut Context<'_>) -> Option<MimicDescription> {
    table.require("joint", context);
    let joint = table.text("joint", context).map(str::to_owned);
    let multiplier = table.number("multiplier", context).unwrap_or(Number::ONE);
    let offset = table.number("offset", context).unwrap_or(Number::ZERO);
    table.finish(context);
    Some(MimicDescription { joint: joint?, multiplier, offset })
}
