//! Random rows of a block, and random elements of the spaces of its links, over a field that positions can be drawn from.
//!
//! Twists and forms of the top go outwards link by link, so a row costs as much as the block has links.

use super::super::blocks::Block;
use super::super::field::Field;
use super::super::geometry::{Frame, Generator, Geometry};
use super::super::structure::{Reach, armature_columns};
use super::super::transport::{PER_LINK, Twist, energy_in, energy_rate, polar, twist_in};
use super::position::{Position, Sampled, displaced, displacement};
use crate::model::Number;
use crate::random::Random;
use std::collections::BTreeMap;

/// Bases of the spaces of a block's top.
pub(super) struct Span<F> {
    twists: Vec<Vec<F>>,
    kinetic: Vec<Vec<F>>,
    potential: Vec<Vec<F>>,
}

impl<F: Sampled> Span<F> {
    pub fn new<G: Field>(reach: &Reach<G>, f: impl Fn(&G) -> F + Copy) -> Self {
        let of = |rows: &[Vec<G>]| rows.iter().map(|row| row.iter().map(f).collect()).collect();
        Self {
            twists: of(reach.twists.rows()),
            kinetic: of(reach.kinetic.rows()),
            potential: of(reach.potential.rows()),
        }
    }
}

/// A random element of the span.
fn combination<F: Sampled>(rows: &[Vec<F>], width: usize, random: &mut Random) -> Vec<F> {
    let mut sum = vec![F::zero(); width];
    for row in rows {
        let factor = F::draw(random);
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.add(&factor.mul(x)));
    }
    sum
}

/// What a random motion does to one link.
#[derive(Clone)]
struct Carried<F> {
    /// A twist of the top, in the link.
    given: Twist<F>,
    /// The twist relative to the top.
    own: Twist<F>,
    /// A form of the top, in the link.
    form: Vec<F>,
}

/// A block, ready to be moved at random.
pub(super) struct Sampler<'a, F> {
    geometry: &'a Geometry<F>,
    block: &'a Block,
    /// Per link of the block, where its parent stands in it.
    parents: Vec<Option<usize>>,
    /// Leaders of the block with the multipliers of all that turn with them, and where in the block those stand.
    groups: Vec<(Vec<usize>, Vec<Number>)>,
    /// Per link, the armature columns of every step.
    columns: Vec<Vec<Vec<Option<usize>>>>,
    inverse_unit: F,
}

impl<'a, F: Sampled> Sampler<'a, F> {
    pub fn new(geometry: &'a Geometry<F>, block: &'a Block, armatures: &[Vec<usize>]) -> Self {
        let place = |link: usize| block.links.binary_search(&link).ok();
        let followed: Vec<usize> =
            block.links.iter().filter_map(|&link| Some(geometry.links[link].coupling?.leader)).collect();
        let mut groups: BTreeMap<usize, (Vec<usize>, Vec<Number>)> = BTreeMap::new();
        for (at, &link) in block.links.iter().enumerate() {
            let (leader, multiplier) = match geometry.links[link].coupling {
                Some(coupling) => (coupling.leader, coupling.multiplier),
                None if followed.contains(&link) => (link, Number::ONE),
                None => continue,
            };
            let group = groups.entry(leader).or_default();
            group.0.push(at);
            group.1.push(multiplier);
        }
        Self {
            parents: block.links.iter().map(|&link| geometry.links[link].parent.and_then(place)).collect(),
            groups: groups.into_values().collect(),
            columns: block
                .links
                .iter()
                .map(|&link| armature_columns(&geometry.links[link], &armatures[link]))
                .collect(),
            inverse_unit: F::from_number(Number::ONE, geometry.unit),
            geometry,
            block,
        }
    }

    /// Moves the block, given a twist and a form of its top; `speeds` is told the squared speeds of all numbers, by link
    /// and step.
    fn walk(
        &self,
        twist: &[F],
        form: &[F],
        random: &mut Random,
        mut speeds: impl FnMut(usize, usize, usize, F),
    ) -> Vec<Carried<F>> {
        let mut coupled: Vec<Option<(Position<F>, F)>> = vec![None; self.block.links.len()];
        for (members, multipliers) in &self.groups {
            let positions = F::positions(multipliers, random);
            let rate = F::draw(random);
            for ((&at, position), multiplier) in members.iter().zip(positions).zip(multipliers) {
                coupled[at] = Some((position, F::from_number(*multiplier, 1.0).mul(&rate)));
            }
        }
        let mut carried: Vec<Carried<F>> = Vec::with_capacity(self.block.links.len());
        for (at, &index) in self.block.links.iter().enumerate() {
            let link = &self.geometry.links[index];
            let start = || Carried {
                given: std::array::from_fn(|i| twist[i].clone()),
                own: std::array::from_fn(|_| F::zero()),
                form: form.to_vec(),
            };
            let mut now = self.parents[at].map_or_else(start, |parent| carried[parent].clone());
            let mut placement = link.placement.clone();
            if link.steps.is_empty() {
                now.pass(&placement);
            }
            for (step, generators) in link.steps.iter().enumerate() {
                let moved = match (&coupled[at], &generators[..]) {
                    (Some((position, _)), [one]) => {
                        let offset = link.coupling.map_or(Number::ZERO, |coupling| coupling.offset);
                        self.follower(one, position, offset)
                    }
                    _ => displacement(generators, &mut || F::draw(random)),
                };
                now.pass(&std::mem::replace(&mut placement, Frame::identity()).then(&moved));
                for (i, one) in generators.iter().enumerate() {
                    let mut rate = match &coupled[at] {
                        Some((_, rate)) => rate.clone(),
                        None => F::draw(random),
                    };
                    if one.twist[3..].iter().all(Field::is_zero) {
                        rate = rate.mul(&self.inverse_unit);
                    }
                    for (own, x) in now.own.iter_mut().zip(&one.twist) {
                        *own = own.add(&x.mul(&rate));
                    }
                    speeds(at, step, i, rate.mul(&rate).mul(&one.square));
                }
            }
            carried.push(now);
        }
        carried
    }

    /// The motion of a coupled joint: its offset, then its share of the angle.
    fn follower(&self, one: &Generator<F>, position: &Position<F>, offset: Number) -> Frame<F> {
        let moved = displaced(one, position.cos_sin.clone(), &position.travel, &self.inverse_unit);
        if offset.value == 0.0 {
            return moved;
        }
        let travel = F::from_number(offset, 1.0);
        displaced(one, F::cos_sin(offset.value), &travel, &self.inverse_unit).then(&moved)
    }

    /// A random row of the block's conditions.
    pub fn row(&self, span: &Span<F>, random: &mut Random) -> Vec<F> {
        let twist = combination(&span.twists, 6, random);
        let mut form = combination(&span.kinetic, PER_LINK, random);
        for (form, x) in form.iter_mut().zip(combination(&span.potential, PER_LINK, random)) {
            *form = form.add(&x);
        }
        let own = F::draw(random);
        let mut armatures: Vec<Vec<F>> = self.columns.iter().map(|steps| vec![F::zero(); count(steps)]).collect();
        let speeds = |at: usize, step: usize, i: usize, square: F| {
            if let Some(column) = self.columns[at][step][i] {
                armatures[at][column - PER_LINK] = square.mul(&own);
            }
        };
        let carried = self.walk(&twist, &form, random, speeds);
        let mut row = Vec::new();
        for (link, armatures) in carried.iter().zip(armatures) {
            let (square, mixed) = (polar(&link.own, &link.own), polar(&link.given, &link.own));
            let rate = energy_rate(&link.own, &link.form);
            row.extend((0..PER_LINK).map(|k| own.mul(&square[k]).add(&mixed[k]).add(&rate[k])));
            row.extend(armatures);
        }
        row
    }

    /// Samples of the twists, of ∂E/∂π and of ∂U/∂π of a link of the block.
    pub fn reaches(&self, at: usize, span: &Span<F>, samples: usize, random: &mut Random) -> [Vec<Vec<F>>; 3] {
        let mut found = [const { Vec::new() }; 3];
        for _ in 0..samples {
            let twist = combination(&span.twists, 6, random);
            let form = combination(&span.kinetic, PER_LINK, random);
            let own = F::draw(random);
            let link = &self.walk(&twist, &form, random, |_, _, _, _| {})[at];
            let (square, mixed) = (polar(&link.own, &link.own), polar(&link.given, &link.own));
            found[0].push((0..6).map(|i| link.given[i].add(&link.own[i])).collect());
            found[1].push((0..PER_LINK).map(|k| link.form[k].add(&mixed[k]).add(&own.mul(&square[k]))).collect());
            let form = combination(&span.potential, PER_LINK, random);
            found[2].push(self.walk(&twist, &form, random, |_, _, _, _| {})[at].form.clone());
        }
        found
    }
}

fn count(steps: &[Vec<Option<usize>>]) -> usize {
    steps.iter().flatten().flatten().count()
}

impl<F: Field> Carried<F> {
    /// Passes to a frame.
    fn pass(&mut self, frame: &Frame<F>) {
        self.given = twist_in(frame, &self.given);
        self.own = twist_in(frame, &self.own);
        self.form = energy_in(frame, &self.form);
    }
}
