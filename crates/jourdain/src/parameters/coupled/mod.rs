//! Base parameters of robots with coupled joints, block by block.
//!
//! A coupled joint shares its velocity with its leader, so the conditions of the two do not decouple; those of [blocks](super::blocks)
//! do. Let θ be the variables of a block, r_j the twist of its link j relative to the top by their rates alone, X_j and λ_j the
//! transports from the top to the link, and V, S, G the spaces of the top (see `structure`). The parameters π_j of the links move
//! to the top, as Σ λ_jᵀ π_j at any θ, if and only if for all θ and rates
//!
//! - Σ π_j · b(r_j, r_j) + Σ Ia_i c_i² = 0, c_i the speed of joint i: the block's own part of M
//! - Σ π_j · b(X_j v, r_j) = 0 for v in V: its coupling with all that moves it
//! - Σ π_j · A(r_j) λ_j s = 0 and Σ π_j · A(r_j) λ_j g = 0: what is left does not depend on θ
//!
//! because θ occurs in the block alone, and the tree has then lost a block. The number of base parameters is the sum of the ranks.
//!
//! One random row holds all of these: b(r, r) α + b(X v, r) + A(r) λ (s + g) with random θ, rates, v, s, g and α, each of which
//! scales on its own. Rows are drawn modulo a prime until two add nothing, which proves the rank but for a chance of
//! about degree/p (Schwartz and Zippel). The same rows in `f64` give the numbers: see `reduced`.

pub(super) mod position;
pub(super) mod reduced;
mod sample;

use super::blocks::{Block, blocks};
use super::exact::{Certain, Prime};
use super::field::Field;
use super::geometry::{Frame, Geometry};
use super::structure::{
    BlockLink, BlockStructure, Coordinates, KEEP, Reach, armature_columns, move_on, rotor_conditions, single,
};
use super::subspace::{NullVector, Subspace};
use super::transport::{PER_LINK, lambda};
use crate::random::Random;
use position::{Sampled, displaced};
use reduced::{Echelon, reduced};
use sample::{Sampler, Span};

/// Seed of the random rows: the result must not change from run to run.
const SEED: u64 = 0x6a6f_7572_6461_696e;

/// Rows beyond the rank that the numbers come from.
const SPARE_ROWS: usize = 12;

/// Samples that span a space of up to ten dimensions.
const SAMPLES: usize = 13;

/// The structure of every block of a robot. `armatures` has, per link, the velocity numbers of its joint that have one. A
/// block comes after the one that its top is in.
pub(crate) fn analyse(geometry: &Geometry<Certain>, armatures: &[Vec<usize>]) -> Vec<BlockStructure<Certain>> {
    let ground = Reach::ground(&geometry.gravity);
    let mut reaches: Vec<Option<Reach<Certain>>> = vec![None; geometry.links.len()];
    let mut structures = Vec::new();
    let mut random = Random(SEED);
    let mut parts = None;
    for block in blocks(&geometry.links) {
        let top = block.top.and_then(|top| reaches[top].as_ref()).unwrap_or(&ground);
        if let [at] = block.links[..] {
            let link = &geometry.links[at];
            let (reach, rows) = move_on(top, link, &armatures[at]);
            structures.push(single(at, link, PER_LINK + armatures[at].len(), rows, Coordinates::Standard));
            reaches[at] = Some(reach);
            continue;
        }
        let top = top.clone();
        let (residues, values) =
            parts.get_or_insert_with(|| (geometry.map(Certain::residue), geometry.map(Certain::value)));
        let residues = Sampler::new(residues, &block, armatures);
        let values = Sampler::new(values, &block, armatures);
        let spans = (Span::new(&top, Certain::residue), Span::new(&top, Certain::value));
        for (at, &link) in block.links.iter().enumerate() {
            let before = geometry.links[link].parent;
            let parent = if before == block.top { Some(&top) } else { before.and_then(|it| reaches[it].as_ref()) };
            let reach = match parent.filter(|_| moves_freely(geometry, &block, link)) {
                Some(parent) => move_on(parent, &geometry.links[link], &[]).0,
                None => {
                    let exact = residues.reaches(at, &spans.0, SAMPLES, &mut random);
                    let near = values.reaches(at, &spans.1, SAMPLES, &mut random);
                    matched(exact, near)
                }
            };
            reaches[link] = Some(reach);
        }
        structures.push(solve(geometry, &block, armatures, (&residues, &values), &spans, &mut random));
    }
    structures
}

/// True if no two joints on the way from the top to the link follow one another: the link then moves as if none did.
fn moves_freely(geometry: &Geometry<Certain>, block: &Block, link: usize) -> bool {
    let leader = |link: usize| geometry.links[link].coupling.map_or(link, |coupling| coupling.leader);
    let way: Vec<usize> = std::iter::successors(Some(link), |&at| geometry.links[at].parent)
        .take_while(|&at| Some(at) != block.top)
        .map(leader)
        .collect();
    way.iter().enumerate().all(|(at, leader)| !way[..at].contains(leader))
}

/// The spaces that exact and near samples span.
fn matched(exact: [Vec<Vec<Prime>>; 3], near: [Vec<Vec<f64>>; 3]) -> Reach<Certain> {
    let mut spaces = exact.into_iter().zip(near).map(|(exact, near)| {
        let width = exact.first().map_or(0, Vec::len);
        let mut echelon = Echelon::default();
        exact.into_iter().for_each(|row| {
            echelon.insert(row);
        });
        let order: Vec<usize> = (0..width).collect();
        let (pivots, rows) = reduced(echelon, &near, &order);
        Subspace::of_reduced(rows, pivots)
    });
    let mut next = || spaces.next().unwrap_or_else(Subspace::empty);
    Reach { twists: next(), kinetic: next(), potential: next() }
}

/// The columns of a block of several joints: how many, the order in which they are kept, and the conditions of rotors.
struct Columns {
    width: usize,
    order: Vec<usize>,
    rotors: Vec<Vec<(usize, i32)>>,
}

impl Columns {
    fn new<F>(geometry: &Geometry<F>, block: &Block, armatures: &[Vec<usize>]) -> Self {
        // Inertias of all links come before armatures, so that leaving armatures out leaves the rest as it is.
        let (mut columns, mut last) = (Self { width: 0, order: Vec::new(), rotors: Vec::new() }, Vec::new());
        for &link in &block.links {
            let (first, of_link) = (columns.width, PER_LINK + armatures[link].len());
            columns.order.extend(KEEP.map(|i| first + i));
            last.extend((PER_LINK..of_link).map(|i| first + i));
            for step in armature_columns(&geometry.links[link], &armatures[link]) {
                for terms in rotor_conditions(step.len()) {
                    let terms = terms.into_iter().filter_map(|(i, sign)| Some((first + step[i]?, sign)));
                    columns.rotors.push(terms.collect());
                }
            }
            columns.width += of_link;
        }
        columns.order.extend(last);
        columns
    }

    /// The conditions of rotors as rows.
    fn rows<F: Field>(&self) -> impl Iterator<Item = Vec<F>> + '_ {
        self.rotors.iter().map(|terms| {
            let mut row = vec![F::zero(); self.width];
            terms.iter().for_each(|&(column, sign)| row[column] = F::integer(sign));
            row
        })
    }

    /// All conditions of the block over an exact field.
    fn conditions<F: Sampled>(&self, sampler: &Sampler<'_, F>, span: &Span<F>, random: &mut Random) -> Echelon<F> {
        let mut echelon = Echelon::default();
        self.rows().for_each(|row| {
            echelon.insert(row);
        });
        let mut idle = 0;
        while idle < 2 && echelon.rank() < self.width {
            idle = if echelon.insert(sampler.row(span, random)) { 0 } else { idle + 1 };
        }
        echelon
    }
}

/// The number of base parameters over an exact field, friction not counted: the sum of the ranks of all blocks.
pub(super) fn count<F: Sampled>(geometry: &Geometry<F>, armatures: &[Vec<usize>]) -> usize {
    let ground = Reach::ground(&geometry.gravity);
    let mut reaches: Vec<Option<Reach<F>>> = vec![None; geometry.links.len()];
    let (mut random, mut count) = (Random(SEED), 0);
    for block in blocks(&geometry.links) {
        let top = block.top.and_then(|top| reaches[top].as_ref()).unwrap_or(&ground);
        if let [at] = block.links[..] {
            let (reach, rows) = move_on(top, &geometry.links[at], &armatures[at]);
            count += rows.rows().len();
            reaches[at] = Some(reach);
            continue;
        }
        let span = Span::new(top, F::clone);
        let sampler = Sampler::new(geometry, &block, armatures);
        for at in 0..block.links.len() {
            let [twists, kinetic, potential] = sampler.reaches(at, &span, SAMPLES, &mut random).map(|samples| {
                let mut space = Subspace::empty();
                samples.into_iter().for_each(|sample| {
                    space.insert(sample, 0.0);
                });
                space
            });
            reaches[block.links[at]] = Some(Reach { twists, kinetic, potential });
        }
        count += Columns::new(geometry, &block, armatures).conditions(&sampler, &span, &mut random).rank();
    }
    count
}

/// The null vectors of a block of several joints.
fn solve(
    geometry: &Geometry<Certain>,
    block: &Block,
    armatures: &[Vec<usize>],
    (residues, values): (&Sampler<'_, Prime>, &Sampler<'_, f64>),
    spans: &(Span<Prime>, Span<f64>),
    random: &mut Random,
) -> BlockStructure<Certain> {
    let columns = Columns::new(geometry, block, armatures);
    let exact = columns.conditions(residues, &spans.0, random);
    let mut near: Vec<Vec<f64>> = columns.rows().collect();
    near.extend((0..exact.rank() + SPARE_ROWS).map(|_| values.row(&spans.1, random)));
    let Columns { width, order, .. } = columns;
    let (kept, rows) = reduced(exact, &near, &order);
    let mut is_kept = vec![false; width];
    kept.iter().for_each(|&column| is_kept[column] = true);
    let null_vector = |column: usize| {
        let mut vector = vec![Certain::zero(); width];
        vector[column] = Certain::one();
        for (&other, row) in kept.iter().zip(&rows) {
            vector[other] = row[column].neg();
        }
        NullVector { pivot: column, vector }
    };
    let null = order.iter().rev().copied().filter(|&column| !is_kept[column]).map(null_vector).collect();
    BlockStructure { top: block.top, links: at_rest(geometry, block), null }
}

/// The links of a block with their leading joints at zero: those that follow are at their offsets.
fn at_rest(geometry: &Geometry<Certain>, block: &Block) -> Vec<BlockLink<Certain>> {
    let mut frames: Vec<Frame<Certain>> = Vec::with_capacity(block.links.len());
    let inverse_unit = Certain::from_number(crate::model::Number::ONE, geometry.unit);
    for &at in &block.links {
        let link = &geometry.links[at];
        let mut frame = match link.parent.and_then(|parent| block.links.binary_search(&parent).ok()) {
            Some(before) => frames[before].then(&link.placement),
            None => link.placement.clone(),
        };
        if let (Some(coupling), [step]) = (link.coupling, &link.steps[..])
            && let [one] = &step[..]
        {
            let travel = Certain::from_number(coupling.offset, 1.0);
            let moved = displaced(one, Certain::cos_sin(coupling.offset.value), &travel, &inverse_unit);
            frame = frame.then(&moved);
        }
        frames.push(frame);
    }
    block.links.iter().zip(&frames).map(|(&link, frame)| BlockLink { link, lambda: lambda(frame) }).collect()
}
