//! The tree in the graph of links and joints: which joints carry a link, which close a loop, what floats.
//!
//! SDF's joints may come in any order and form loops. A joint is kept if it joins what no joint before it in the file does;
//! the others are cut and named. What is then joined to the world neither by a joint nor by `<static>` floats.

use super::super::native::shorten;
use super::super::xml::Context;
use super::document::Document;
use super::frames::WORLD;
use super::joint::Type;
use std::collections::HashMap;

/// What carries a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Nothing: it floats.
    None,
    /// The world, because its model is static.
    Static,
    /// A joint, from its parent's side or against it.
    Joint { joint: usize, is_reversed: bool },
}

/// A link in its place in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub link: usize,
    /// The link that carries it; `None` for the world.
    pub parent: Option<usize>,
    pub carrier: Carrier,
}

/// The ends of a joint by number of link; `None` for the world.
pub(super) type Ends = (Option<usize>, Option<usize>);

/// A tree of links.
pub(super) struct Graph {
    /// Parents before children, depth first, the children of a link in the order of their joints.
    pub order: Vec<Carried>,
    /// The ends of the joints; `None` for those that are not there.
    pub ends: Vec<Option<Ends>>,
    /// True of the joints that carry a link.
    pub kept: Vec<bool>,
}

impl Graph {
    /// The tree of the links that are `chosen`; `None` if a joint joins nothing that is there.
    pub fn read(document: &Document, chosen: &[bool], context: &mut Context<'_, '_>) -> Option<Self> {
        let numbers: HashMap<usize, usize> =
            document.links.iter().enumerate().map(|(number, link)| (link.frame, number)).collect();
        let count = document.links.len();
        let mut sets = Sets::new(count + 1);
        let mut neighbours: Vec<Vec<(Option<usize>, Carrier)>> = vec![Vec::new(); count];
        for number in (0..count).filter(|number| document.links[*number].is_static) {
            sets.join(number, count);
            neighbours[number].push((None, Carrier::Static));
        }
        let (mut ends, mut kept) = (vec![None; document.joints.len()], vec![false; document.joints.len()]);
        let mut is_child = vec![false; count];
        let mut complete = true;
        for (number, joint) in document.joints.iter().enumerate() {
            if joint.is_static || joint.top.is_some_and(|top| !chosen[top]) {
                continue;
            }
            context.report.concerning(None, Some(&joint.name));
            let parent = document.frames.link_of(joint.frame, &joint.parent, context);
            let child = document.frames.link_of(joint.frame, &joint.child, context);
            let (Some(parent), Some(child)) = (parent, child) else {
                complete = false;
                continue;
            };
            if parent == child {
                let message = format!("the joint `{}` joins a link to itself", shorten(&joint.name));
                context.error(joint.child.span, "loop", message);
                complete = false;
                continue;
            }
            let link = |frame: usize| (frame != WORLD).then(|| numbers[&frame]);
            let (parent, child) = (link(parent), link(child));
            ends[number] = Some((parent, child));
            if joint.kind == Type::Gearbox {
                continue;
            }
            if !sets.join(parent.unwrap_or(count), child.unwrap_or(count)) {
                let message = format!(
                    "the joint `{}` closes a loop and is left out: robots here are trees",
                    shorten(&joint.name)
                );
                context.lost(joint.span, message);
                continue;
            }
            kept[number] = true;
            if let Some(child) = child {
                is_child[child] = true;
                neighbours[child].push((parent, Carrier::Joint { joint: number, is_reversed: false }));
            }
            if let Some(parent) = parent {
                neighbours[parent].push((child, Carrier::Joint { joint: number, is_reversed: true }));
            }
        }
        context.report.concerning(None, None);
        let root = |link: usize| {
            let way = neighbours[link].iter().find(|(other, _)| other.is_none()).map(|(_, carrier)| *carrier);
            way.map(|carrier| Carried { link, parent: None, carrier })
        };
        let ground = sets.find(count);
        // What floats hangs on its first link that no joint carries, or on its first one where all are carried.
        let mut floats: HashMap<usize, usize> = HashMap::new();
        for wanted in [false, true] {
            for link in (0..count).filter(|link| is_child[*link] == wanted && chosen[document.links[*link].top]) {
                let set = sets.find(link);
                if set != ground {
                    floats.entry(set).or_insert(link);
                }
            }
        }
        let starts: Vec<Carried> = (0..count)
            .filter(|link| chosen[document.links[*link].top])
            .filter_map(|link| {
                let floating = floats.get(&sets.find(link)) == Some(&link);
                root(link).or(floating.then_some(Carried { link, parent: None, carrier: Carrier::None }))
            })
            .collect();
        complete.then(|| Self { order: walk(&starts, &neighbours), ends, kept })
    }
}

/// Depth first from some links.
fn walk(starts: &[Carried], neighbours: &[Vec<(Option<usize>, Carrier)>]) -> Vec<Carried> {
    let mut order = Vec::with_capacity(neighbours.len());
    let mut seen = vec![false; neighbours.len()];
    for start in starts {
        let mut stack = vec![*start];
        while let Some(carried) = stack.pop() {
            if std::mem::replace(&mut seen[carried.link], true) {
                continue;
            }
            order.push(carried);
            for (other, carrier) in neighbours[carried.link].iter().rev() {
                // What leads away from here was noted as what leads to here.
                let (Some(link), Carrier::Joint { joint, is_reversed }) = (*other, *carrier) else { continue };
                if !seen[link] {
                    let carrier = Carrier::Joint { joint, is_reversed: !is_reversed };
                    stack.push(Carried { link, parent: Some(carried.link), carrier });
                }
            }
        }
    }
    order
}

/// Sets of links that are joined.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// Joins two sets; false if they are one already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
        a != b
    }
}
