//! A description, lowered: names become indices, placements become poses, joints become screws, inertias move to the link
//! origin, links stand parents first.
//!
//! This is done once, here, over any field: over `f64` for the [`Model`](super::Model) and for the check, over rationals,
//! residues and formulas for the analyses that must be exact.

mod constants;
mod frame;
mod inertia;
mod order;
mod placement;

pub(crate) use constants::{Constants, Lowering, NUMBERS, Part};
pub(crate) use frame::Frame;
pub(crate) use order::{Tree, sort};
pub(crate) use placement::place;

use super::description::{Description, DhConvention, LinkDescription, Placement};
use super::field::Field;
use super::joint::Motion;
use super::number::Number;
use crate::spatial::{Inertia, Vector};
use std::collections::HashMap;

/// A whole robot.
#[derive(Clone, Debug)]
pub(crate) struct Lowered<F> {
    /// Gravitational acceleration in ground axes, m/s².
    pub gravity: Vector<F>,
    /// The links, parents before children.
    pub links: Vec<LoweredLink<F>>,
    /// Which link of the description each of them is.
    pub order: Vec<usize>,
}

/// A link: where it is, how it moves, what it weighs.
#[derive(Clone, Debug)]
pub(crate) struct LoweredLink<F> {
    /// The parent's place among the lowered links; `None` for the ground.
    pub parent: Option<usize>,
    /// The link frame in the parent frame at zero joint position.
    pub placement: Frame<F>,
    /// The joint's motion, in the link frame.
    pub motion: Motion<F>,
    /// Inertia about the link origin, kg and m.
    pub inertia: Inertia<F>,
    /// The joint that leads this one, if it is coupled to another.
    pub coupling: Option<Coupling<F>>,
}

/// q = multiplier · q of the leader + offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coupling<F> {
    /// The leader's place among the links; it follows no other.
    pub leader: usize,
    pub multiplier: F,
    pub offset: F,
}

impl<F: Field> Lowered<F> {
    /// The robot in numbers of the field; lengths of placements and joints are divided by `unit`.
    ///
    /// Of a description with errors something comes out, but nothing to rely on: links on a loop hang on the ground.
    pub fn new(description: &Description, unit: f64) -> Self {
        Self::in_order(description, Tree::new(description), &constants::Numbers(unit))
    }

    /// The same with the lengths and angles of placements and joints from elsewhere.
    pub fn with_constants(description: &Description, constants: &dyn Constants<F>) -> Self {
        Self::in_order(description, Tree::new(description), constants)
    }

    /// The same of a robot whose tree is known.
    pub fn of_tree(description: &Description, tree: Tree) -> Self {
        Self::in_order(description, tree, &NUMBERS)
    }

    fn in_order(description: &Description, tree: Tree, constants: &dyn Constants<F>) -> Self {
        let Tree { parent, order, .. } = tree;
        let mut place = vec![None; order.len()];
        let couplings = couplings(description);
        for (new, &old) in order.iter().enumerate() {
            place[old] = Some(new);
        }
        let link = |(new, &old): (usize, &usize)| {
            let link = &description.links[old];
            let lowering = Lowering::new(new, constants);
            let (placement, motion) = place_and_move(link, &lowering);
            let coupling = couplings[old].and_then(|Coupling { leader, multiplier, offset }| {
                let [multiplier, offset] = [multiplier, offset].map(|x| F::from_number(x, 1.0));
                Some(Coupling { leader: place[leader]?, multiplier, offset })
            });
            let parent = parent[old].and_then(|parent| place[parent]).filter(|&parent| parent < new);
            LoweredLink { parent, placement, motion, inertia: inertia::inertia(link), coupling }
        };
        let links = order.iter().enumerate().map(link).collect();
        let gravity = Vector(description.gravity.map(|x| F::from_number(x, 1.0)));
        Self { gravity, links, order }
    }
}

/// What each link's joint follows in the end, where it follows one that follows another: with q = m p + o and p = m' r + o',
/// q = m m' r + m o' + o. `None` for joints that follow none, a joint that does not exist, or themselves by a detour.
pub(crate) fn couplings(description: &Description) -> Vec<Option<Coupling<Number>>> {
    let leaders = leaders(description);
    let followed = |link: usize| {
        let mimic = description.links[link].joint.mimic.as_ref()?;
        Some((*leaders.get(mimic.joint.as_str())?, mimic.multiplier, mimic.offset))
    };
    let resolved = |link: usize| {
        let (mut leader, mut multiplier, mut offset) = followed(link)?;
        for _ in 0..description.links.len() {
            if description.links[leader].joint.mimic.is_none() {
                return Some(Coupling { leader, multiplier, offset });
            }
            let (next, factor, added) = followed(leader)?;
            offset = offset.plus(multiplier.times(added));
            multiplier = multiplier.times(factor);
            leader = next;
        }
        None
    };
    (0..description.links.len()).map(resolved).collect()
}

/// The links of the joints that lead others: by the joint's name, or else by the link's.
pub(crate) fn leaders(description: &Description) -> HashMap<&str, usize> {
    if description.links.iter().all(|link| link.joint.mimic.is_none() && link.shaft.is_none()) {
        return HashMap::new();
    }
    let links = || description.links.iter().enumerate();
    let by_link = links().map(|(number, link)| (link.name.as_str(), number));
    // Joint names come last and win.
    by_link.chain(links().map(|(number, link)| (link.joint.name.as_str(), number))).collect()
}

/// The link's placement at zero position, and its joint in the link frame.
pub(crate) fn place_and_move<F: Field>(link: &LinkDescription, lowering: &Lowering<'_, F>) -> (Frame<F>, Motion<F>) {
    let frame = place(&link.placement, lowering);
    let motion = link.joint.kind.motion(lowering);
    match link.placement {
        Placement::Dh { convention: DhConvention::Standard, .. } => {
            let motion = placement::seen_from_link(&frame, motion);
            (frame, motion)
        }
        Placement::Dh { convention: DhConvention::Modified, .. } | Placement::Origin { .. } => (frame, motion),
    }
}
