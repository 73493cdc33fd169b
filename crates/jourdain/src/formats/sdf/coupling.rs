//! Joints that follow others: `<mimic>`, and gearboxes.
//!
//! A gearbox couples two links that have joints of their own to a third: with θ the angle from the reference body to the
//! gearbox's parent about `axis`, and φ that to its child about `axis2`, φ = −ratio θ.

use super::super::native::shorten;
use super::super::xml::Context;
use super::document::Document;
use super::frames::WORLD;
use super::graph::Graph;
use super::joint::{Axis, Joint, Type};
use super::tree::expressed;
use crate::model::Number;
use crate::model::description::MimicDescription;
use crate::model::field::Field;
use crate::spatial::Vector;

/// Cosine from which two directions are one.
const PARALLEL: f64 = 1.0 - 1e-9;

/// Whom each joint follows, by number of joint; what cannot be carried is reported.
pub(super) fn read(
    document: &Document,
    graph: &Graph,
    names: &[String],
    context: &mut Context<'_, '_>,
) -> Vec<Option<MimicDescription>> {
    let mut couplings = Couplings { leaders: vec![None; document.joints.len()] };
    for (number, joint) in document.joints.iter().enumerate() {
        context.report.concerning(None, Some(&joint.name));
        if graph.ends[number].is_none() {
            continue;
        }
        if joint.kind == Type::Gearbox {
            match gearbox(joint, number, document, graph, context) {
                Ok((follower, leader, multiplier)) => {
                    let coupling = (leader, multiplier, Number::ZERO);
                    if !couplings.add(follower, coupling) {
                        let message = "the gearbox is left out: its joints follow another already";
                        context.lost(joint.span, message);
                    }
                }
                Err(why) => context.lost(joint.span, format!("the gearbox is left out: {why}")),
            }
            continue;
        }
        for axis in &joint.axes {
            let Some(mimic) = &axis.mimic else { continue };
            let leader = document.frames.joint(document.frames.all[joint.frame].space, &mimic.leader.name);
            let why = match leader {
                None => Some(format!("`{}` is no joint", shorten(&mimic.leader.name))),
                Some(_) if !graph.kept[number] || !has_one_angle(joint) => Some("it has not one coordinate".to_owned()),
                Some(leader) if !graph.kept[leader] || !has_one_angle(&document.joints[leader]) || !mimic.is_first => {
                    Some(format!("`{}` has not one coordinate", shorten(&mimic.leader.name)))
                }
                Some(leader) if !couplings.add(number, (leader, mimic.multiplier, mimic.offset)) => {
                    Some("in the end it would follow itself".to_owned())
                }
                Some(_) => None,
            };
            if let Some(why) = why {
                context.lost(mimic.leader.span, format!("the joint `{}` follows none: {why}", shorten(&joint.name)));
            }
        }
    }
    context.report.concerning(None, None);
    let description = |coupling: Option<(usize, Number, Number)>| {
        let (leader, multiplier, offset) = coupling?;
        Some(MimicDescription { joint: names[leader].clone(), multiplier, offset })
    };
    couplings.leaders.into_iter().map(description).collect()
}

fn has_one_angle(joint: &Joint) -> bool {
    matches!(joint.kind, Type::Revolute | Type::Continuous | Type::Prismatic | Type::Screw)
}

/// By follower: leader, multiplier, offset.
struct Couplings {
    leaders: Vec<Option<(usize, Number, Number)>>,
}

impl Couplings {
    /// False if the follower follows one already, or would follow itself by a detour.
    fn add(&mut self, follower: usize, coupling: (usize, Number, Number)) -> bool {
        let next = |joint: &usize| self.leaders[*joint].map(|(leader, ..)| leader);
        let ends_in_itself = std::iter::successors(Some(coupling.0), next).any(|joint| joint == follower);
        if ends_in_itself || self.leaders[follower].is_some() {
            return false;
        }
        self.leaders[follower] = Some(coupling);
        true
    }
}

/// Follower, leader and multiplier, or why there are none.
fn gearbox(
    gearbox: &Joint,
    number: usize,
    document: &Document,
    graph: &Graph,
    context: &mut Context<'_, '_>,
) -> Result<(usize, usize, Number), String> {
    let reference = gearbox.gear.reference.as_ref().ok_or("it has no <gearbox_reference_body>")?;
    let frame = document.frames.link_of(gearbox.frame, reference, context).ok_or("it has no reference body")?;
    let body = (frame != WORLD).then(|| document.links.iter().position(|link| link.frame == frame)).flatten();
    let Some((parent, child)) = graph.ends[number] else { return Err("it joins nothing".to_owned()) };
    let [first, second] = &gearbox.axes[..] else { return Err("it has not two axes".to_owned()) };
    let mut turn = |link: Option<usize>, axis: &Axis| {
        let carries = |(joint, ends): (usize, &Option<_>)| {
            let turns = matches!(document.joints[joint].kind, Type::Revolute | Type::Continuous) && graph.kept[joint];
            match ends {
                Some(ends) if turns && *ends == (body, link) => Some((joint, 1.0)),
                Some(ends) if turns && *ends == (link, body) => Some((joint, -1.0)),
                Some(_) | None => None,
            }
        };
        let (joint, sense) = graph.ends.iter().enumerate().find_map(carries)?;
        let mut direction = |axis: &Axis, joint: &Joint| {
            let given = Vector(f64::direction(axis.direction.map(|x| x.value)));
            let from = expressed(axis, joint, document, context)?;
            Some(document.frames.in_world(from).rotation.apply(given))
        };
        let hinge = &document.joints[joint];
        let cosine = direction(axis, gearbox)?.dot(direction(hinge.axes.first()?, hinge)?);
        (cosine.abs() >= PARALLEL).then(|| (joint, sense * cosine.signum()))
    };
    let wanted = "both links must turn on the reference body about the gearbox's axes";
    let (leader, first) = turn(parent, first).ok_or(wanted)?;
    let (follower, second) = turn(child, second).ok_or(wanted)?;
    Ok((follower, leader, gearbox.gear.ratio.times(Number::integer(if first * second > 0.0 { -1 } else { 1 }))))
}
