//! A robot as a list of screws: axes, points and centres of mass in the ground frame at q = 0, then a home pose.
//!
//! T(q) = e^{[S₁] q₁} ⋯ e^{[Sₙ] qₙ} M, Lynch & Park 2017, eq. (4.14): every link frame lies on the ground frame at
//! q = 0, so that the numbers of the file are link-frame numbers as they stand, and M is a fixed link at the end.
//! Trap: Lynch & Park stack the rotation first, (ω, v) with v = −ω × point + pitch ω.

use super::joint;
use super::link;
use super::table::{Context, Table};
use super::tree::Node;
use crate::model::description::{GROUND, JointDescription, JointKind, LinkDescription, ScrewKind};
use crate::model::{Fraction, Number};

/// How far from one the length of a screw's direction may be.
const UNIT_TOLERANCE: f64 = 1e-9;

pub(super) fn read(items: &[Node], context: &mut Context<'_>) -> Vec<LinkDescription> {
    let mut links: Vec<LinkDescription> = Vec::with_capacity(items.len());
    for item in items {
        let parent = links.last().map_or(GROUND, |link| &link.name).to_owned();
        match read_screw(item, &parent, context) {
            Some(link) => links.push(link),
            None => context.report.names_are_incomplete = true,
        }
        context.report.concerning(None, None);
    }
    links
}

/// The tool frame at q = 0 in the ground frame, as a link welded to the last screw's.
pub(super) fn read_home(mut table: Table<'_>, last: &str, context: &mut Context<'_>) -> LinkDescription {
    let mut link = LinkDescription::new(table.text("name", context).unwrap_or("tool"), last);
    context.report.concerning(Some(&link.name), None);
    let place = context.locate(table.node());
    link.location = Some(place);
    link.places.set("placement", place);
    if let Some(place) = table.place("parent", context) {
        link.places.set("parent", place);
    }
    if let Some(parent) = table.text("parent", context) {
        parent.clone_into(&mut link.parent);
    }
    link.placement = link::read_origin_keys(&mut table, context);
    table.finish(context);
    link
}

fn read_screw(node: &Node, parent: &str, context: &mut Context<'_>) -> Option<LinkDescription> {
    let mut table = Table::new(node, "a screw", context)?;
    let mut link = link::read_body(&mut table, parent, context);
    context.report.concerning(Some(&link.name), Some(&link.name));
    joint::note_places(&table, &mut link.places, context);
    for key in ["type", "axis", "point", "pitch"] {
        table.exclude("screw", key, context);
    }
    let kind = joint::screw_kind(&mut table, context);
    let (axis, point) = (table.vector("axis", context), table.vector("point", context).unwrap_or([Number::ZERO; 3]));
    let six = table.get("screw").and_then(|node| Some((node, table.vector::<6>("screw", context)?)));
    let kind = match six {
        Some((node, six)) => {
            table.get("pitch");
            from_six_vector(&six).unwrap_or_else(|length| {
                let message = format!("the direction of the screw has length {length}, not 1");
                let hint = "(ω, v): ω of length 1, or ω = 0 and v of length 1".to_owned();
                context.error_with_hint(node, "screw-not-unit", message, Some(hint));
                JointKind::Fixed
            })
        }
        None => {
            if table.get("screw").is_none() {
                table.require("axis", context);
            }
            let (axis, pitch) = (axis.unwrap_or(joint::Z), joint::read_pitch(&mut table, kind, context));
            match kind {
                ScrewKind::Revolute => JointKind::Revolute { axis, point },
                ScrewKind::Prismatic => JointKind::Prismatic { axis },
                ScrewKind::Helical => JointKind::Helical { axis, point, pitch },
            }
        }
    };
    let mut described = JointDescription::new(table.text("joint", context).unwrap_or(&link.name), kind);
    described.location = link.location;
    described.continuous = table.text("type", context) == Some("continuous");
    joint::read_ranges(&mut table, &mut described, context);
    link.joint = described;
    table.finish(context);
    Some(link)
}

/// The joint of (ω, v); the direction's length if it is not one.
///
/// With |ω| = 1 the point of the axis nearest to the origin is ω × v and the pitch is ω · v.
fn from_six_vector(screw: &[Number; 6]) -> Result<JointKind, f64> {
    let [w1, w2, w3, v1, v2, v3] = *screw;
    let length = |x: Number, y: Number, z: Number| x.value.hypot(y.value).hypot(z.value);
    let (omega, v) = ([w1, w2, w3], [v1, v2, v3]);
    let rotates = omega.iter().any(|component| component.value != 0.0);
    let length = if rotates { length(w1, w2, w3) } else { length(v1, v2, v3) };
    if (length - 1.0).abs() > UNIT_TOLERANCE || !length.is_finite() {
        return Err(length);
    }
    if !rotates {
        return Ok(JointKind::Prismatic { axis: v });
    }
    let point = [
        difference(product(w2, v3), product(w3, v2)),
        difference(product(w3, v1), product(w1, v3)),
        difference(product(w1, v2), product(w2, v1)),
    ];
    let minus = |number| difference(Number::ZERO, number);
    let pitch = difference(difference(product(w1, v1), minus(product(w2, v2))), minus(product(w3, v3)));
    if pitch.value.abs() <= UNIT_TOLERANCE * length_of(&v) {
        return Ok(JointKind::Revolute { axis: omega, point });
    }
    Ok(JointKind::Helical { axis: omega, point, pitch })
}

fn length_of(v: &[Number; 3]) -> f64 {
    v[0].value.hypot(v[1].value).hypot(v[2].value)
}

fn product(a: Number, b: Number) -> Number {
    let exact = a.exact.zip(b.exact).and_then(|(a, b)| {
        let (numerator, denominator) = (i128::from(a.numerator), i128::from(a.denominator));
        Fraction::new(numerator * i128::from(b.numerator), denominator * i128::from(b.denominator))
    });
    Number { value: exact.map_or(a.value * b.value, Fraction::to_f64), exact }
}

fn difference(a: Number, b: Number) -> Number {
    let exact = a.exact.zip(b.exact).and_then(|(a, b)| {
        let (a_scaled, b_scaled) =
            (i128::from(a.numerator) * i128::from(b.denominator), i128::from(b.numerator) * i128::from(a.denominator));
        Fraction::new(a_scaled.checked_sub(b_scaled)?, i128::from(a.denominator) * i128::from(b.denominator))
    });
    Number { value: exact.map_or(a.value - b.value, Fraction::to_f64), exact }
}
