//! Which joints must be taken together: those that are coupled, and all between them.
//!
//! A block is a set of joints under one link, its top. Joints that follow one another, and the joints on the ways from their
//! lowest common link to them, are one block, and blocks that share a joint are one. Every other joint is a block of its own.
//! Blocks share no joint, so they form a tree as well, and the equations decouple block by block: see `coupled`.

use super::geometry::LinkGeometry;

/// Joints that are taken together, by the links they carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The link that all of them hang on; `None` for the ground.
    pub top: Option<usize>,
    /// The links, parents first.
    pub links: Vec<usize>,
}

/// The blocks of a robot, in the order of their first links: a block comes after the one that its top is in.
pub(crate) fn blocks<F>(links: &[LinkGeometry<F>]) -> Vec<Block> {
    let parent = |link: usize| links[link].parent;
    let mut depth: Vec<usize> = Vec::with_capacity(links.len());
    for link in links {
        depth.push(link.parent.map_or(0, |parent| depth[parent] + 1));
    }
    let mut sets = Sets((0..links.len()).collect());
    for (leader, members) in groups(links) {
        let mut top = parent(leader);
        for &member in &members {
            top = common(links, &depth, top, parent(member));
        }
        for member in members.into_iter().chain([leader]) {
            let mut link = Some(member);
            while let Some(at) = link.filter(|_| link != top) {
                sets.join(leader, at);
                link = parent(at);
            }
        }
    }
    let mut at = vec![None; links.len()];
    let mut blocks: Vec<Block> = Vec::new();
    for link in 0..links.len() {
        let set = sets.find(link);
        match at[set] {
            // Links stand parents first, so the first is among the shallowest.
            None => {
                at[set] = Some(blocks.len());
                blocks.push(Block { top: parent(link), links: vec![link] });
            }
            Some(block) => {
                let block: &mut Block = &mut blocks[block];
                block.links.push(link);
            }
        }
    }
    blocks
}

/// The joints that lead others, with those that follow them.
fn groups<F>(links: &[LinkGeometry<F>]) -> Vec<(usize, Vec<usize>)> {
    let mut followers = vec![Vec::new(); links.len()];
    for (link, coupling) in links.iter().enumerate().filter_map(|(link, it)| Some((link, it.coupling.as_ref()?))) {
        followers[coupling.leader].push(link);
    }
    followers.into_iter().enumerate().filter(|(_, followers)| !followers.is_empty()).collect()
}

/// The lowest link that carries both; `None` for the ground.
fn common<F>(links: &[LinkGeometry<F>], depth: &[usize], mut a: Option<usize>, mut b: Option<usize>) -> Option<usize> {
    while a != b {
        let (x, y) = (a?, b?);
        if depth[x] >= depth[y] {
            a = links[x].parent;
        } else {
            b = links[y].parent;
        }
    }
    a
}

/// Disjoint sets of links.
struct Sets(Vec<usize>);

impl Sets {
    fn find(&mut self, mut link: usize) -> usize {
        while self.0[link] != link {
            self.0[link] = self.0[self.0[link]];
            link = self.0[link];
        }
        link
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Frame;
    use super::*;
    use crate::model::Number;
    use crate::model::lowered::Coupling;

    fn found(links: &[(Option<usize>, Option<usize>)]) -> Vec<(Option<usize>, Vec<usize>)> {
        let link = |&(parent, leader): &(Option<usize>, Option<usize>)| LinkGeometry::<f64> {
            parent,
            placement: Frame::identity(),
            steps: Vec::new(),
            turns: Vec::new(),
            coupling: leader.map(|leader| Coupling { leader, multiplier: Number::ONE, offset: Number::ZERO }),
        };
        let links: Vec<_> = links.iter().map(link).collect();
        blocks(&links).into_iter().map(|block| (block.top, block.links)).collect()
    }

    #[test]
    fn a_joint_between_coupled_ones_belongs_to_their_block_and_others_stand_alone() {
        // 0 – 1 – 2 – 3, joint 3 follows 1; 4 hangs on 2.
        let links = [(None, None), (Some(0), None), (Some(1), None), (Some(2), Some(1)), (Some(2), None)];
        assert_eq!(found(&links), [(None, vec![0]), (Some(0), vec![1, 2, 3]), (Some(2), vec![4])]);
    }

    #[test]
    fn siblings_that_move_together_have_their_parent_for_top_and_overlapping_blocks_are_one() {
        let jaw = [(None, None), (Some(0), Some(2)), (Some(0), None)];
        assert_eq!(found(&jaw), [(None, vec![0]), (Some(0), vec![1, 2])]);
        // 2 follows 0 and 3 follows 1 along one chain.
        let chain = [(None, None), (Some(0), None), (Some(1), Some(0)), (Some(2), Some(1))];
        assert_eq!(found(&chain), [(None, vec![0, 1, 2, 3])]);
        // Two arms on the ground.
        let arms = [(None, None), (Some(0), None), (None, None), (Some(2), Some(1))];
        assert_eq!(found(&arms), [(None, vec![0, 1, 2, 3])]);
    }
}
