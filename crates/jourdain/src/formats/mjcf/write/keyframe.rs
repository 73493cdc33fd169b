//! `<keyframe>`: named positions as MuJoCo's `qpos`.
//!
//! Joints that follow others have numbers of their own in MuJoCo, and free joints have their place in front of them.

use super::super::super::plain::Plain;
use super::super::super::xml::write::{Attributes, Writer};
use super::joint::{MjcfJoint, MjcfKind};
use crate::model::Number;
use crate::model::description::NamedState;
use crate::model::lowered::{Coupling, couplings};
use crate::spatial::{Pose, Quaternion, Vector};

/// Writes the named positions; `order` is that of MuJoCo's bodies.
pub(super) fn write(writer: &mut Writer, plain: &Plain<'_>, order: &[usize], joints: &[Vec<MjcfJoint>]) {
    if plain.robot.states.is_empty() {
        return;
    }
    let couplings = couplings(plain.robot);
    let coupled: Vec<Option<Coupling<Number>>> = plain.parts.iter().map(|part| couplings[part.number]).collect();
    writer.start("keyframe", Attributes::new());
    for state in &plain.robot.states {
        let numbers: Vec<f64> =
            order.iter().flat_map(|part| positions(state, *part, coupled[*part], plain, &joints[*part])).collect();
        writer.leaf("key", Attributes::new().text("name", &state.name).numbers("qpos", &numbers));
    }
    writer.end();
}

fn positions(
    state: &NamedState,
    part: usize,
    coupling: Option<Coupling<Number>>,
    plain: &Plain<'_>,
    joints: &[MjcfJoint],
) -> Vec<f64> {
    let joint = &plain.parts[part].link.joint;
    let given =
        |name: &str| state.positions.iter().find(|(joint, _)| joint == name).map(|(_, numbers)| numbers.clone());
    let followed = || {
        let coupling = coupling?;
        let leading =
            given(&plain.robot.links[coupling.leader].joint.name).and_then(|numbers| numbers.first().copied());
        Some(vec![coupling.multiplier.value * leading.unwrap_or(0.0) + coupling.offset.value])
    };
    let expected = joint.kind.nq();
    let own = || given(&joint.name).filter(|numbers| numbers.len() == expected);
    let numbers = followed().or_else(own).unwrap_or_else(|| match expected - joint.kind.degrees_of_freedom() {
        0 => vec![0.0; expected],
        // The quaternion stands last.
        _ => {
            let mut numbers = vec![0.0; expected];
            numbers[expected - 4] = 1.0;
            numbers
        }
    });
    match joints {
        [MjcfJoint { kind: MjcfKind::Free { place }, .. }] if *place != Pose::identity() => placed(place, &numbers),
        _ => numbers,
    }
}

/// The pose of a free body in the world.
fn placed(place: &Pose<f64>, numbers: &[f64]) -> Vec<f64> {
    let [x, y, z, a, b, c, d] = *numbers else { return numbers.to_vec() };
    let turned = Quaternion::from_rotation(&place.rotation) * Quaternion::new([a, b, c, d]);
    let mut placed = place.apply(Vector([x, y, z])).0.to_vec();
    placed.extend(turned.to_array());
    placed
}
