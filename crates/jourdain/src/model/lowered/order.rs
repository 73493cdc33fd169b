//! The tree of a description by indices: who is whose parent, and an order with parents first.

use crate::model::description::{Description, GROUND};
use std::collections::HashMap;

/// The links of a description by index.
pub(crate) struct Tree {
    /// The parent of each link as the description has them; `None` for the ground, or if there is no such link.
    pub parent: Vec<Option<usize>>,
    /// All links in the order given, but with ancestors pulled before whoever needs them.
    pub order: Vec<usize>,
    /// A link of each loop.
    pub loops: Vec<usize>,
}

impl Tree {
    pub fn new(description: &Description) -> Self {
        let mut index = HashMap::with_capacity(description.links.len());
        for (number, link) in description.links.iter().enumerate() {
            if link.name != GROUND {
                index.entry(link.name.as_str()).or_insert(number);
            }
        }
        let find = |name: &str| index.get(name).copied();
        Self::of_parents(description.links.iter().map(|link| find(&link.parent)).collect())
    }

    fn of_parents(parent: Vec<Option<usize>>) -> Self {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            Waiting,
            OnPath,
            Placed,
        }
        let mut state = vec![State::Waiting; parent.len()];
        let (mut order, mut loops, mut path) = (Vec::with_capacity(parent.len()), Vec::new(), Vec::new());
        for start in 0..parent.len() {
            let mut link = Some(start);
            while let Some(current) = link.filter(|current| state[*current] == State::Waiting) {
                state[current] = State::OnPath;
                path.push(current);
                link = parent[current];
            }
            if let Some(current) = link.filter(|current| state[*current] == State::OnPath) {
                loops.push(current);
            }
            while let Some(current) = path.pop() {
                state[current] = State::Placed;
                order.push(current);
            }
        }
        Self { parent, order, loops }
    }
}

/// Puts the links of a description in this order.
pub(crate) fn sort(description: &mut Description, order: &[usize]) {
    if order.iter().enumerate().any(|(place, link)| place != *link) {
        let mut slots: Vec<_> = std::mem::take(&mut description.links).into_iter().map(Some).collect();
        description.links = order.iter().filter_map(|&link| slots[link].take()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_are_pulled_forward_and_the_rest_keeps_its_order() {
        // 0 hangs on 3, 3 on 2; 1 and 4 on the ground.
        let tree = Tree::of_parents(vec![Some(3), None, None, Some(2), None]);
        assert_eq!((tree.order, tree.loops), (vec![2, 3, 0, 1, 4], vec![]));
    }

    #[test]
    fn every_loop_is_found_once_and_a_long_chain_does_not_recurse() {
        assert_eq!(Tree::of_parents(vec![Some(1), Some(0), Some(2), Some(0)]).loops, vec![0, 2]);
        let tree = Tree::of_parents((0..100_000).map(|link| (link < 99_999).then_some(link + 1)).collect());
        assert!(tree.loops.is_empty() && tree.order.first() == Some(&99_999));
    }
}
