//! Random rows of a block, over a field that random positions can be drawn from.
//!
//! A joint and those that follow it turn by multiples n_i/d of one angle. Modulo a prime u = e^{iθ/d} is a random number and
//! e^{iθ n_i/d} its power; the travel of a slide or helix is another random number, because an angle and its cosine are
//! algebraically independent. In `f64` the angle is a number, from a range wide enough to tell 1 from √2.

use super::super::blocks::Block;
use super::super::exact::{Residue, divisor};
use super::super::field::{Field, cross, dot};
use super::super::geometry::{Frame, Generator, Geometry};
use super::super::structure::{Reach, armature_columns};
use super::super::transport::{PER_LINK, Twist, energy_in, energy_rate, polar, twist_in};
use crate::model::Number;
use crate::random::Random;
use std::collections::BTreeMap;

/// Angles in `f64` are drawn from ± this, rad.
const RANGE: f64 = 9.0;

/// Denominator that stands for multipliers whose common one is out of bounds.
const LONG: i128 = 1_000_000_000_000_000;

/// Where a joint of one number stands: cosine and sine of its angle, and its travel in metres or radians.
#[derive(Clone, Debug)]
pub(in super::super) struct Position<F> {
    pub cos_sin: (F, F),
    pub travel: F,
}

/// A field with random numbers and random positions of joints.
pub(in super::super) trait Sampled: Field {
    /// Any number.
    fn draw(random: &mut Random) -> Self;

    /// Positions of joints that turn by these multiples of one angle.
    fn positions(multipliers: &[Number], random: &mut Random) -> Vec<Position<Self>>;
}

impl Sampled for f64 {
    fn draw(random: &mut Random) -> Self {
        random.signed()
    }

    fn positions(multipliers: &[Number], random: &mut Random) -> Vec<Position<Self>> {
        let angle = RANGE * random.signed();
        let position = |multiplier: &Number| {
            let travel = multiplier.value * angle;
            let (sin, cos) = travel.sin_cos();
            Position { cos_sin: (cos, sin), travel }
        };
        multipliers.iter().map(position).collect()
    }
}

impl<const C: u64> Sampled for Residue<C> {
    fn draw(random: &mut Random) -> Self {
        Self::from_bits(random.bits())
    }

    fn positions(multipliers: &[Number], random: &mut Random) -> Vec<Position<Self>> {
        let (point, travel) = (Self::draw(random), Self::draw(random));
        let position = |(multiplier, power): (&Number, i128)| Position {
            cos_sin: point.signed_power(power).cos_sin_of_point(),
            travel: Self::from_number(*multiplier, 1.0).mul(&travel),
        };
        multipliers.iter().zip(powers(multipliers)).map(position).collect()
    }
}

/// The multipliers as whole multiples of one fraction.
fn powers(multipliers: &[Number]) -> Vec<i128> {
    let common = multipliers.iter().try_fold(1_i128, |common, multiplier| {
        let denominator = i128::from(multiplier.exact?.denominator);
        (common / divisor(common, denominator)).checked_mul(denominator).filter(|&common| common <= LONG)
    });
    let power = |multiplier: &Number| match (common, multiplier.exact) {
        (Some(common), Some(exact)) => i128::from(exact.numerator) * (common / i128::from(exact.denominator)),
        _ => (multiplier.value * LONG as f64).round() as i128,
    };
    multipliers.iter().map(power).collect()
}

/// The motion of a joint of one number, about or along an axis of unit length.
pub(in super::super) fn displaced<F: Field>(
    one: &Generator<F>,
    (cos, sin): (F, F),
    travel: &F,
    inverse_unit: &F,
) -> Frame<F> {
    let (linear, axis) = one.twist.split_at(3);
    if axis.iter().all(Field::is_zero) {
        let along = travel.mul(inverse_unit);
        return Frame { translation: std::array::from_fn(|i| linear[i].mul(&along)), ..Frame::identity() };
    }
    // Rodrigues: cos 1 + sin â + (1 − cos) a aᵀ.
    let versine = F::one().sub(&cos);
    let mut rotation: [[F; 3]; 3] =
        std::array::from_fn(|r| std::array::from_fn(|c| axis[r].mul(&axis[c]).mul(&versine)));
    for r in 0..3 {
        rotation[r][r] = rotation[r][r].add(&cos);
        let (j, k) = ((r + 1) % 3, (r + 2) % 3);
        rotation[j][k] = rotation[j][k].sub(&sin.mul(&axis[r]));
        rotation[k][j] = rotation[k][j].add(&sin.mul(&axis[r]));
    }
    let turn = Frame { rotation, ..Frame::identity() };
    // A point on the axis, and the travel per radian.
    let (point, pitch) = (cross(axis, linear), dot(linear, axis));
    let moved = turn.to_parent(&point);
    let along = pitch.mul(travel);
    let translation = std::array::from_fn(|i| point[i].sub(&moved[i]).add(&axis[i].mul(&along)));
    Frame { translation, ..turn }
}

/// A random motion of a step whose joint is not coupled.
pub(in super::super) fn displacement<F: Field>(generators: &[Generator<F>], draw: &mut impl FnMut() -> F) -> Frame<F> {
    match generators {
        [] => Frame::identity(),
        [one] => {
            let (linear, axis) = one.twist.split_at(3);
            if axis.iter().all(Field::is_zero) {
                let by = draw();
                return Frame { translation: std::array::from_fn(|i| linear[i].mul(&by)), ..Frame::identity() };
            }
            // The quaternion (1, t n) turns about n, whatever its length.
            let (t, travel) = (draw(), draw());
            let turn = Frame::from_quaternion(&[F::one(), axis[0].mul(&t), axis[1].mul(&t), axis[2].mul(&t)]);
            let scale = dot(axis, axis).inverse();
            let pitch = dot(linear, axis).mul(&scale);
            // A point on the axis: a × (linear part) / a².
            let point = cross(axis, linear).map(|x| x.mul(&scale));
            let moved = turn.to_parent(&point);
            let along = pitch.mul(&travel);
            let translation = std::array::from_fn(|i| point[i].sub(&moved[i]).add(&axis[i].mul(&along)));
            Frame { translation, ..turn }
        }
        several => {
            let turn = Frame::from_quaternion(&std::array::from_fn(|_| draw()));
            let free = several.iter().any(|generator| generator.twist[3..].iter().all(Field::is_zero));
            if free {
                return Frame { translation: std::array::from_fn(|_| draw()), ..turn };
            }
            // Three rotations about a centre: (p × e_i; e_i).
            let (x, y) = (&several[0].twist, &several[1].twist);
            let center = [y[2].clone(), x[2].neg(), x[1].clone()];
            let moved = turn.to_parent(&center);
            Frame { translation: std::array::from_fn(|i| center[i].sub(&moved[i])), ..turn }
        }
    }
}

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
