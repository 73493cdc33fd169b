//! Which links share a body: chains of massless links that move, and the link that they end in.

use super::super::super::plain::{Losses, Plain};
use super::super::inertia::{SMALLEST, principal};
use crate::model::Motion;
use crate::spatial::Pose;

/// Most degrees of freedom of a body.
const MOST: usize = 6;

/// The links of a body.
pub(super) struct Group {
    /// In order; the body is the last one's, and has its frame and name.
    pub parts: Vec<usize>,
    /// The frame of the last in the frame of each.
    pub frames: Vec<Pose<f64>>,
    /// The frame of the body in the parent's.
    pub pose: Pose<f64>,
    /// The bodies that hang on it.
    pub children: Vec<usize>,
    pub is_root: bool,
}

impl Group {
    pub fn last(&self) -> usize {
        self.parts[self.parts.len() - 1]
    }
}

/// The bodies, parents before children.
pub(super) fn groups(plain: &Plain<'_>, losses: &mut Losses) -> Vec<Group> {
    let children = plain.children();
    let heavy = heavy(plain);
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = vec![usize::MAX; plain.parts.len()];
    for number in 0..plain.parts.len() {
        if group_of[number] != usize::MAX {
            continue;
        }
        let parts = gather(number, plain, &children, &heavy);
        let mut frames = vec![Pose::identity(); parts.len()];
        for i in (1..parts.len()).rev() {
            frames[i - 1] = plain.parts[parts[i]].pose * frames[i];
        }
        let pose = plain.parts[number].pose * frames[0];
        parts.iter().for_each(|part| group_of[*part] = groups.len());
        tell(&parts, plain, losses);
        let parent = plain.parts[number].parent.map(|parent| group_of[parent]);
        let own = groups.len();
        groups.push(Group { parts, frames, pose, children: Vec::new(), is_root: parent.is_none() });
        if let Some(parent) = parent {
            groups[parent].children.push(own);
        }
    }
    refused(plain, &groups, &heavy, losses);
    groups
}

fn freedom(plain: &Plain<'_>, number: usize) -> usize {
    plain.parts[number].link.joint.kind.degrees_of_freedom()
}

/// For every link: whether it or what is welded to it has mass and inertia.
fn heavy(plain: &Plain<'_>) -> Vec<bool> {
    let has_inertia = |number: usize| {
        let link = plain.parts[number].link;
        let moments = principal(super::super::super::plain::about_com(link)).0;
        link.mass.value > SMALLEST && moments.iter().all(|moment| *moment > SMALLEST)
    };
    let mut heavy: Vec<bool> = (0..plain.parts.len()).map(has_inertia).collect();
    for number in (0..plain.parts.len()).rev() {
        if let (true, 0, Some(parent)) = (heavy[number], freedom(plain, number), plain.parts[number].parent) {
            heavy[parent] = true;
        }
    }
    heavy
}

/// The links that are to share a body with this one: while it moves, weighs nothing and carries one link only.
fn gather(first: usize, plain: &Plain<'_>, children: &[Vec<usize>], heavy: &[bool]) -> Vec<usize> {
    let mut parts = vec![first];
    let mut total = freedom(plain, first);
    let wants_another = |number: usize| {
        !heavy[number] && plain.parts[number].is_massless() && !matches!(plain.parts[number].motion, Motion::Free)
    };
    if total == 0 {
        return parts;
    }
    let mut last = first;
    while let (true, [child]) = (wants_another(last), &children[last][..]) {
        total += freedom(plain, *child);
        if total > MOST || matches!(plain.parts[*child].motion, Motion::Free) {
            break;
        }
        parts.push(*child);
        last = *child;
    }
    // Links at the end that move nothing may as well be bodies of their own.
    while parts.len() > 1 && freedom(plain, last) == 0 {
        parts.pop();
        last = parts[parts.len() - 1];
    }
    parts
}

/// Tells of links that are no bodies, unless the reader makes them again under the same name.
fn tell(parts: &[usize], plain: &Plain<'_>, losses: &mut Losses) {
    let Some((last, before)) = parts.split_last() else { return };
    let body = plain.parts[*last].link;
    for (&number, &next) in before.iter().zip(&parts[1..]) {
        let part = &plain.parts[number];
        let is_made_again = part.link.name == format!("{}_{}", body.name, part.link.joint.name)
            && plain.parts[next].pose == Pose::identity()
            && matches!(&part.motion, Motion::Product(screws) if screws.len() == 1);
        if !is_made_again {
            losses.link("a body of its own, because MuJoCo refuses massless ones that move, for", &part.link.name);
        }
    }
}

/// What MuJoCo does not load.
fn refused(plain: &Plain<'_>, groups: &[Group], heavy: &[bool], losses: &mut Losses) {
    for group in groups {
        let last = group.last();
        let link = plain.parts[last].link;
        let total: usize = group.parts.iter().map(|part| freedom(plain, *part)).sum();
        if total > 0 && !heavy[last] {
            losses.link(
                "what MuJoCo refuses the file for, no mass or no inertia about some axis though it moves, of",
                &link.name,
            );
        }
        if total > MOST {
            losses.link("what MuJoCo refuses the file for, more than 6 degrees of freedom, of", &link.name);
        }
        let tensor = super::super::super::plain::about_com(link);
        let [a, b, c] = principal(tensor).0;
        let full = [tensor.xy, tensor.xz, tensor.yz] != [0.0; 3];
        if link.mass.value < 0.0 || b + c < a || c < 0.0 || (full && c <= 0.0) {
            losses.link("what MuJoCo refuses the file for, an inertia that no body can have, of", &link.name);
        }
    }
}
