//! The `joint` of a native link: its type, and only the keys that this type takes.

use super::super::suggest;
use super::table::{self, Context, Table};
use super::tree::Node;
use crate::model::Number;
use crate::model::description::{JointDescription, JointKind, MimicDescription, Places, ScrewDescription, ScrewKind};

const TYPES: [&str; 11] = [
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "helical",
    "spherical",
    "planar",
    "free",
    "universal",
    "cylindrical",
    "composite",
];
const GEOMETRY: [&str; 6] = ["axis", "axis2", "axes", "point", "pitch", "sequence"];

const X: [Number; 3] = [Number::ONE, Number::ZERO, Number::ZERO];
const Y: [Number; 3] = [Number::ZERO, Number::ONE, Number::ZERO];
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
        None => {
            GEOMETRY.into_iter().for_each(|key| _ = table.get(key));
            JointKind::Fixed
        }
    };
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

fn read_kind(kind: &str, table: &mut Table<'_>, in_dh_frame: bool, context: &mut Context<'_>) -> JointKind {
    let applicable: &[&str] = match kind {
        // A prismatic joint moves the same wherever its axis runs.
        "revolute" | "continuous" | "prismatic" | "planar" | "cylindrical" => &["axis", "point"],
        "helical" => &["axis", "point", "pitch"],
        "spherical" => &["point"],
        "universal" => &["axis", "axis2", "axes", "point"],
        "composite" => &["sequence"],
        "fixed" | "free" => &[],
        _ => &GEOMETRY,
    };
    let others: Vec<&str> = GEOMETRY.into_iter().filter(|key| !applicable.contains(key)).collect();
    table.refuse(&others, &format!("a {kind} joint takes no such key"), context);
    if in_dh_frame && !matches!(kind, "universal" | "composite") {
        let reason = "a link with `dh` moves about or along its z axis";
        let set_by_dh: Vec<&str> = applicable.iter().copied().filter(|key| *key != "pitch").collect();
        table.refuse(&set_by_dh, reason, context);
    }

    let axis = table.vector("axis", context);
    let axis2 = table.vector("axis2", context).unwrap_or(Y);
    let axes = table.list("axes", context).map(|_| read_axes(table, context));
    let point = table.vector("point", context).unwrap_or([Number::ZERO; 3]);
    let pitch = table.number("pitch", context);
    let sequence = table.list("sequence", context);
    match kind {
        "revolute" | "continuous" => JointKind::Revolute { axis: axis.unwrap_or(Z), point },
        "prismatic" => JointKind::Prismatic { axis: axis.unwrap_or(Z) },
        "helical" => {
            table.require("pitch", context);
            JointKind::Helical { axis: axis.unwrap_or(Z), point, pitch: pitch.unwrap_or(Number::ONE) }
        }
        "spherical" => JointKind::Spherical { point },
        "planar" => JointKind::Planar { axis: axis.unwrap_or(Z), point },
        "free" => JointKind::Free,
        "universal" => {
            table.exclude("axis", "axes", context);
            table.exclude("axis2", "axes", context);
            JointKind::Universal { axes: axes.unwrap_or([axis.unwrap_or(X), axis2]), point }
        }
        "cylindrical" => JointKind::Cylindrical { axis: axis.unwrap_or(Z), point },
        "composite" => {
            table.require("sequence", context);
            let factors = sequence.unwrap_or_default().iter().filter_map(|factor| read_factor(factor, context));
            JointKind::Composite { sequence: factors.collect() }
        }
        "fixed" => JointKind::Fixed,
        other => {
            if let Some(node) = table.get("type") {
                unknown_type(node, other, &TYPES, context);
            }
            JointKind::Fixed
        }
    }
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

fn read_axes(table: &mut Table<'_>, context: &mut Context<'_>) -> [[Number; 3]; 2] {
    let (Some(node), Some(items)) = (table.get("axes"), table.list("axes", context)) else { return [X, Y] };
    match items {
        [first, second] => {
            let mut axis = |item, default| table::vector(item, "axes", context).unwrap_or(default);
            [axis(first, X), axis(second, Y)]
        }
        _ => {
            let message = format!("`axes` must have 2 vectors, not {}", items.len());
            context.error(node, "wrong-length", message);
            [X, Y]
        }
    }
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
