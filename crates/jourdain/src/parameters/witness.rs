//! The exact witness: the rank of the regressor over random states modulo a prime, another one than that of the analysis.
//!
//! The regressor is computed here once more, from nothing but the geometry over the field: poses, twists and accelerations
//! outwards, then J ᵀ (A(a) + v ×* A(v)) per link. Random joint positions are exact too: a rotation about the axis n is the
//! quaternion (1, t n) with a random t, coupled joints turn by powers of one random point of the circle, and the travel of a
//! helical joint is independent of its cosine. Rows of more and more states are brought to echelon form until two states in a
//! row add nothing; the rank is then that of the regressor but for a chance of about 10⁻¹⁵.

use super::coupled::position::{Position, Sampled, displaced, displacement};
use super::coupled::reduced::Echelon;
use super::exact::OtherPrime;
use super::field::{Field, cross, dot};
use super::geometry::{Frame, Generator, Geometry, LinkGeometry};
use super::nominal::nominal_description;
use super::transport::{PER_LINK, Twist, bracket, twist_in};
use crate::dynamics::drive;
use crate::model::{DriveTerm, Model, Number};
use crate::random::Random;
use jourdain_symbolic::Constant;

/// Most columns of a regressor whose exact rank is computed: the work grows with their third power.
const MOST_COLUMNS: usize = 2000;

/// The exact rank of the regressor of a robot over random states, of its [nominal](super::nominal()) geometry.
///
/// `None` for very large robots.
#[must_use]
pub fn exact_rank<T: Constant>(model: &Model<T>, seed: u64) -> Option<usize> {
    let drives = drives(model);
    let width = PER_LINK * model.links().len() + drives.len();
    if width > MOST_COLUMNS {
        return None;
    }
    let (description, _) = nominal_description(model);
    let geometry = Geometry::<OtherPrime>::new(&description);
    let witness = Witness { dof_of: model.columns().iter().map(|column| column.dof).collect(), nv: model.nv(), drives };
    let mut random = Random(seed);
    let mut echelon = Echelon::default();
    let mut idle = 0;
    while idle < 2 && echelon.rank() < width {
        let before = echelon.rank();
        for row in witness.regressor(&geometry, width, &mut random) {
            echelon.insert(row);
        }
        idle = if echelon.rank() == before { idle + 1 } else { 0 };
    }
    Some(echelon.rank())
}

/// The columns behind the inertial ones: index among the columns of the model, term, and the speed over which a term falls.
fn drives<T: Constant>(model: &Model<T>) -> Vec<(usize, DriveTerm, f64)> {
    let index = |link: usize, local: usize| model.links()[link].column + local;
    let mut columns = Vec::new();
    for term in DriveTerm::ALL {
        for (column, motor) in drive::driven_columns(model).filter(|(_, motor)| motor.term(term).is_some()) {
            let falls = motor.stribeck_speed.to_f64().unwrap_or(f64::NAN);
            columns.push((index(column.link, column.local), term, falls));
        }
    }
    columns
}

/// A body on the way outwards.
struct Body {
    /// The body before it; `None` for the ground.
    parent: Option<usize>,
    /// Its place in the one before, moved.
    frame: Frame<OtherPrime>,
    twist: Twist<OtherPrime>,
    /// With the upward acceleration that stands for gravity.
    acceleration: Twist<OtherPrime>,
    generators: Vec<Generator<OtherPrime>>,
    /// The first of its columns.
    column: usize,
}

/// How a column moves.
#[derive(Clone, Copy)]
struct Motion {
    rate: OtherPrime,
    rate_dot: OtherPrime,
    /// What its torque counts for its velocity.
    factor: OtherPrime,
    /// The square of its axis.
    square: OtherPrime,
}

/// The position, rate and rate of the rate of a leading joint, with those that follow it.
struct Leader {
    positions: Vec<(usize, Position<OtherPrime>)>,
    rate: OtherPrime,
    rate_dot: OtherPrime,
}

/// What a random number stands for.
#[derive(PartialEq)]
struct Drawn {
    dof: usize,
    term: DriveTerm,
    size: OtherPrime,
    falls: Option<f64>,
}

struct Witness {
    /// The velocity of each column.
    dof_of: Vec<usize>,
    nv: usize,
    drives: Vec<(usize, DriveTerm, f64)>,
}

impl Witness {
    /// The rows of one random state.
    fn regressor(&self, geometry: &Geometry<OtherPrime>, width: usize, random: &mut Random) -> Vec<Vec<OtherPrime>> {
        let leaders = leaders(geometry, random);
        let (bodies, body_of_link, motions) = outwards(geometry, &leaders, random);
        let mut rows = vec![vec![OtherPrime::zero(); width]; self.nv];
        for (k, &body) in body_of_link.iter().enumerate() {
            for h in 0..PER_LINK {
                let mut wrench = unit_wrench(&bodies[body], h);
                let mut at = Some(body);
                while let Some(index) = at {
                    let body = &bodies[index];
                    for (i, generator) in body.generators.iter().enumerate() {
                        let torque = dot(&generator.twist, &wrench).mul(&motions[body.column + i].factor);
                        let place = &mut rows[self.dof_of[body.column + i]][PER_LINK * k + h];
                        *place = place.add(&torque);
                    }
                    wrench = wrench_in_parent(&body.frame, &wrench);
                    at = body.parent;
                }
            }
        }
        // Smooth signs and roots are not algebraic: a random number for every velocity, term and size of the multiplier.
        let mut signs: Vec<(Drawn, OtherPrime)> = Vec::new();
        for (at, &(column, term, falls)) in self.drives.iter().enumerate() {
            let (dof, Motion { rate, rate_dot, factor, square }) = (self.dof_of[column], motions[column]);
            rows[dof][width - self.drives.len() + at] = match term {
                DriveTerm::Armature => rate_dot.mul(&square).mul(&factor),
                DriveTerm::Viscous => rate.mul(&factor),
                DriveTerm::Offset => factor,
                DriveTerm::Coulomb | DriveTerm::Root | DriveTerm::Stribeck => {
                    let size = factor.mul(&factor);
                    let falls = (term == DriveTerm::Stribeck).then_some(falls);
                    let drawn = Drawn { dof, term, size, falls };
                    let known = signs.iter().find(|(other, _)| *other == drawn).map(|it| it.1);
                    let sign = known.unwrap_or_else(|| OtherPrime::draw(random));
                    if known.is_none() {
                        signs.push((drawn, sign));
                    }
                    // f s(f w) does not change with the sign of f, and vanishes with f.
                    size.mul(&sign)
                }
            };
        }
        rows
    }
}

/// Random motions of the joints that lead others, with the positions of all that follow.
fn leaders(geometry: &Geometry<OtherPrime>, random: &mut Random) -> Vec<Leader> {
    let mut groups: Vec<(usize, Vec<(usize, Number)>)> = Vec::new();
    for (link, coupling) in geometry.links.iter().enumerate().filter_map(|(link, it)| Some((link, it.coupling?))) {
        match groups.iter_mut().find(|(leader, _)| *leader == coupling.leader) {
            Some((_, members)) => members.push((link, coupling.multiplier)),
            None => groups.push((coupling.leader, vec![(coupling.leader, Number::ONE), (link, coupling.multiplier)])),
        }
    }
    let mut leader = |(_, members): (usize, Vec<(usize, Number)>)| {
        let (links, multipliers): (Vec<usize>, Vec<Number>) = members.into_iter().unzip();
        let positions = links.into_iter().zip(OtherPrime::positions(&multipliers, random)).collect();
        Leader { positions, rate: OtherPrime::draw(random), rate_dot: OtherPrime::draw(random) }
    };
    groups.into_iter().map(&mut leader).collect()
}

/// The displacement of a coupled joint, and the factor of its speed.
fn coupled_motion(
    link: &LinkGeometry<OtherPrime>,
    one: &Generator<OtherPrime>,
    position: &Position<OtherPrime>,
) -> (Frame<OtherPrime>, OtherPrime) {
    let unit = OtherPrime::one();
    let moved = displaced(one, position.cos_sin, &position.travel, &unit);
    let Some(coupling) = link.coupling else { return (moved, unit) };
    let offset = OtherPrime::from_number(coupling.offset, 1.0);
    let start = displaced(one, OtherPrime::cos_sin(coupling.offset.value), &offset, &unit);
    (start.then(&moved), OtherPrime::from_number(coupling.multiplier, 1.0))
}

/// Bodies from the ground outwards, the body of every link, and the motion of every column.
fn outwards(
    geometry: &Geometry<OtherPrime>,
    leaders: &[Leader],
    random: &mut Random,
) -> (Vec<Body>, Vec<usize>, Vec<Motion>) {
    let mut bodies: Vec<Body> = Vec::new();
    let mut body_of_link = Vec::with_capacity(geometry.links.len());
    let mut motions: Vec<Motion> = Vec::new();
    let rest: Twist<OtherPrime> = [OtherPrime::zero(); 6];
    let mut upward = rest;
    for (up, g) in upward.iter_mut().zip(&geometry.gravity) {
        *up = g.neg();
    }
    for (index, link) in geometry.links.iter().enumerate() {
        let mut before = link.parent.map(|parent: usize| body_of_link[parent]);
        let mut placement = link.placement.clone();
        let follows = leaders.iter().find_map(|leader| {
            let (_, position) = leader.positions.iter().find(|(other, _)| *other == index)?;
            Some((leader, position))
        });
        // A welded link is a body whose joint has no step.
        let steps = if link.steps.is_empty() { vec![Vec::new()] } else { link.steps.clone() };
        for generators in steps {
            let (moved, factor) = match (follows, &generators[..]) {
                (Some((_, position)), [one]) => coupled_motion(link, one, position),
                _ => (displacement(&generators, &mut || OtherPrime::draw(random)), OtherPrime::one()),
            };
            let frame = std::mem::replace(&mut placement, Frame::identity()).then(&moved);
            let (v, a) = before.map_or((rest, upward), |body: usize| (bodies[body].twist, bodies[body].acceleration));
            let (mut v, mut a) = (twist_in(&frame, &v), twist_in(&frame, &a));
            let mut relative = rest;
            let column = motions.len();
            for generator in &generators {
                let [rate, rate_dot] = match follows {
                    Some((leader, _)) => [leader.rate, leader.rate_dot].map(|x| x.mul(&factor)),
                    None => [OtherPrime::draw(random), OtherPrime::draw(random)],
                };
                for i in 0..6 {
                    relative[i] = relative[i].add(&generator.twist[i].mul(&rate));
                    a[i] = a[i].add(&generator.twist[i].mul(&rate_dot));
                }
                motions.push(Motion { rate, rate_dot, factor, square: generator.square });
            }
            for i in 0..6 {
                v[i] = v[i].add(&relative[i]);
            }
            let turning = bracket(&v, &relative);
            for i in 0..6 {
                a[i] = a[i].add(&turning[i]);
            }
            bodies.push(Body { parent: before, frame, twist: v, acceleration: a, generators, column });
            before = Some(bodies.len() - 1);
        }
        body_of_link.push(bodies.len() - 1);
    }
    (bodies, body_of_link, motions)
}

/// Λ a + v ×* Λ v of a body whose parameter `h` is one and whose others are zero.
fn unit_wrench(body: &Body, h: usize) -> Twist<OtherPrime> {
    let (force, momentum) = (momentum(&body.acceleration, h), momentum(&body.twist, h));
    let (v, w) = body.twist.split_at(3);
    let (f, n) = momentum.split_at(3);
    let (on_force, on_moment, moved) = (cross(w, f), cross(w, n), cross(v, f));
    std::array::from_fn(|i| {
        if i < 3 { force[i].add(&on_force[i]) } else { force[i].add(&on_moment[i - 3]).add(&moved[i - 3]) }
    })
}

/// Column `h` of A(v), G (8).
fn momentum(v: &Twist<OtherPrime>, h: usize) -> Twist<OtherPrime> {
    const ELEMENTS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let mut out: Twist<OtherPrime> = std::array::from_fn(|_| OtherPrime::zero());
    match h {
        0 => out[..3].clone_from_slice(&v[..3]),
        1..=3 => {
            // Force ω × e, moment e × v.
            let (j, k) = (h % 3, (h + 1) % 3);
            (out[j], out[k]) = (v[3 + k], v[3 + j].neg());
            (out[3 + j], out[3 + k]) = (v[k].neg(), v[j]);
        }
        _ => {
            let (r, c) = ELEMENTS[h - 4];
            out[3 + r] = v[3 + c];
            out[3 + c] = v[3 + r];
        }
    }
    out
}

/// A wrench of a body, seen from the one before it.
fn wrench_in_parent(frame: &Frame<OtherPrime>, wrench: &Twist<OtherPrime>) -> Twist<OtherPrime> {
    let (force, moment) = (frame.to_parent(&wrench[..3]), frame.to_parent(&wrench[3..]));
    let lever = cross(&frame.translation, &force);
    std::array::from_fn(|i| if i < 3 { force[i] } else { moment[i - 3].add(&lever[i - 3]) })
}
