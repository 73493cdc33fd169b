//! Random positions of joints over a field: what rows of a block and states of the exact witness are made of.
//!
//! A joint and those that follow it turn by multiples n_i/d of one angle. Modulo a prime u = e^{iθ/d} is a random number and
//! e^{iθ n_i/d} its power; the travel of a slide or helix is another random number, because an angle and its cosine are
//! algebraically independent. In `f64` the angle is a number, from a range wide enough to tell 1 from √2.

use super::super::exact::{Residue, divisor};
use super::super::field::{Field, cross, dot};
use super::super::geometry::{Frame, Generator};
use crate::model::Number;
use crate::random::Random;

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
