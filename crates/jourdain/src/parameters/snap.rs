//! Angles and directions that were meant to be exact: 1.5708 in a robot file is a right angle.
//!
//! A rounded angle makes parallel axes almost parallel, and then parameters that have no effect count as ones with hardly
//! any. Within a distance that is the user's choice, [`SNAP`] by default: angles become the multiple of 15° next to them, coordinates of
//! directions (axes, gravity) that hardly differ from zero or from one another become zero or equal, multipliers of coupled joints
//! become k/l with k, l ≤ 4. Lengths are rounded to twelve digits of the robot's largest one, so that 0.1 and
//! 0.10000000000000001 are one length in exact fields too. What is changed beyond rounding is reported.

use crate::model::description::{Description, JointKind, LinkDescription, Orientation, Placement};
use crate::model::field::Field as _;
use crate::model::joint::Given;
use crate::model::{Fraction, Number};
use crate::spatial::{Quaternion, Rotation};
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt;

pub use crate::model::SNAP;

/// The farthest that may be asked for, rad: half of 15° would leave nothing as it is.
pub const LARGEST_SNAP: f64 = 0.1;

/// Multipliers of coupled joints are taken as a simple fraction within this at least: nearer ones make parameters that no
/// measurement shows.
const MULTIPLIER: f64 = 1e-4;

/// Changes below this are rounding of the text and not worth a word, rad.
const ROUNDING: f64 = 1e-9;

/// An angle, direction or multiplier that was taken as something nearby.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The link it belongs to; `None` for gravity.
    pub link: Option<String>,
    /// What it is: `alpha`, `roll`, `axis`, `gravity`, `multiplier`, ….
    pub what: &'static str,
    /// What it was taken as.
    pub taken: Taken,
    /// By how much it was changed, rad; a multiplier has no unit.
    pub change: f64,
}

/// What something nearby was taken as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An angle as a multiple of 15°.
    Angle,
    /// A direction with zero or equal coordinates.
    Direction,
    /// A multiplier as a simple fraction.
    Fraction,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.link {
            Some(link) => write!(f, "{} of link `{link}`", self.what)?,
            None => f.write_str(self.what)?,
        }
        match self.taken {
            Taken::Fraction => write!(f, " taken as a simple fraction, {:.1e} away", self.change),
            Taken::Direction => write!(f, " taken with zero or equal coordinates, {:.1e} rad away", self.change),
            Taken::Angle => write!(f, " taken as a multiple of 15°, {:.1e} rad away", self.change),
        }
    }
}

/// The robot with angles, directions and multipliers as they were meant to be within `distance`, rad, and what was changed.
#[must_use]
pub fn snapped(description: &Description, distance: f64) -> (Description, Vec<Notice>) {
    let mut snapped = description.clone();
    let mut snap = Snap { distance, notices: Vec::new() };
    snapped.gravity = snap.direction(None, "gravity", snapped.gravity);
    let decimals = decimals(largest_length(description));
    for link in &mut snapped.links {
        for_lengths(link, |length| *length = rounded(*length, decimals));
        let name = &link.name;
        match &mut link.placement {
            Placement::Origin { orientation, .. } => {
                if let Orientation::Quaternion(q) = *orientation
                    && let Some(rpy) = snap.quaternion(name, q)
                {
                    *orientation = Orientation::Rpy(rpy.map(Number::from));
                }
                if let Orientation::Rpy(rpy) = orientation {
                    for (angle, what) in rpy.iter_mut().zip(["roll", "pitch", "yaw"]) {
                        snap.angle(name, what, angle);
                    }
                }
            }
            Placement::Dh { parameters: p, .. } => {
                for (angle, what) in [(&mut p.alpha, "alpha"), (&mut p.theta, "theta"), (&mut p.gamma, "gamma")] {
                    snap.angle(name, what, angle);
                }
            }
        }
        link.joint.kind.visit_mut(&mut |_, part| {
            if let Given::Axis(axis) = part {
                *axis = snap.direction(Some(name), "axis", *axis);
            }
        });
        let slides = matches!(link.joint.kind, JointKind::Prismatic { .. });
        if let Some(mimic) = &mut link.joint.mimic {
            snap.multiplier(name, &mut mimic.multiplier);
            if !slides {
                snap.angle(name, "offset", &mut mimic.offset);
            }
        }
    }
    (snapped, snap.notices)
}

/// The largest length of a robot, m.
pub(super) fn largest_length(description: &Description) -> f64 {
    let mut largest = 0.0_f64;
    for link in &description.links {
        // Cloned, because lengths are visited to be changed.
        for_lengths(&mut link.clone(), |length| largest = largest.max(length.value.abs()));
    }
    largest
}

/// Visits every length of a link.
fn for_lengths(link: &mut LinkDescription, mut visit: impl FnMut(&mut Number)) {
    match &mut link.placement {
        Placement::Origin { xyz, .. } => xyz.iter_mut().for_each(&mut visit),
        Placement::Dh { parameters: p, .. } => [&mut p.a, &mut p.d, &mut p.b].into_iter().for_each(&mut visit),
    }
    link.joint.kind.visit_mut(&mut |_, part| match part {
        Given::Axis(_) => {}
        Given::Point(point) => point.iter_mut().for_each(&mut visit),
        Given::Pitch(pitch) => visit(pitch),
    });
}

/// Digits after the point that make twelve of the largest length.
fn decimals(largest: f64) -> Option<usize> {
    let magnitude = if largest > 0.0 && largest.is_finite() { largest.log10().floor() } else { 0.0 };
    usize::try_from(11 - magnitude as i64).ok().filter(|&decimals| decimals < 300)
}

/// The length to that many decimals; short fractions stay as they are.
fn rounded(length: Number, decimals: Option<usize>) -> Number {
    let short = length.exact.is_some_and(|fraction| fraction.denominator <= 1_000_000_000);
    match decimals.filter(|_| !short) {
        Some(decimals) => Number::parse(&format!("{:.decimals$}", length.value)).unwrap_or(length),
        None => length,
    }
}

/// Takes angles and directions as what they were meant to be, and keeps what it changed.
#[derive(Debug)]
struct Snap {
    distance: f64,
    notices: Vec<Notice>,
}

impl Snap {
    fn note(&mut self, link: Option<&str>, what: &'static str, taken: Taken, change: f64) {
        if change > ROUNDING {
            self.notices.push(Notice { link: link.map(str::to_owned), what, taken, change });
        }
    }

    /// Makes the angle the multiple of 15° that it is near to, if it is.
    fn angle(&mut self, link: &str, what: &'static str, angle: &mut Number) {
        let near = nearest_special(angle.value);
        let change = (angle.value - near).abs();
        if change > 0.0 && change <= self.distance {
            *angle = Number::from(near);
            self.note(Some(link), what, Taken::Angle, change);
        }
    }

    /// Roll, pitch and yaw of a quaternion if one of them is near a multiple of 15°.
    ///
    /// Other quaternions are best left as they are: their rotation matrix is rational.
    fn quaternion(&mut self, link: &str, q: [Number; 4]) -> Option<[f64; 3]> {
        let rpy = roll_pitch_yaw(&Quaternion::new(q.map(|x| x.value)).normalized().to_rotation(), self.distance);
        let near = rpy.iter().any(|&angle| (angle - nearest_special(angle)).abs() <= self.distance);
        near.then(|| {
            rpy.map(|angle| {
                let mut angle = Number::from(angle);
                self.angle(link, "orientation", &mut angle);
                angle.value
            })
        })
        .filter(|_| self.distance > 0.0)
    }

    /// The direction with coordinates that hardly differ from zero set to it, and those that hardly differ in size made
    /// equal to the largest of them.
    fn direction(&mut self, link: Option<&str>, what: &'static str, vector: [Number; 3]) -> [Number; 3] {
        let unit = f64::direction(vector.map(|x| x.value));
        let largest = unit.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let near = |difference: f64| difference.abs() <= self.distance * largest;
        let target = |i: usize| {
            if near(unit[i]) {
                return Number::ZERO;
            }
            let same = (0..3).filter(|&j| near(unit[i].abs() - unit[j].abs()));
            let Some(leading) = same.max_by(|&j, &k| unit[j].abs().total_cmp(&unit[k].abs())) else { return vector[i] };
            if unit[leading].abs() == unit[i].abs() || leading == i {
                vector[i]
            } else {
                let sign = if unit[i] * unit[leading] < 0.0 { Number::integer(-1) } else { Number::ONE };
                vector[leading].times(sign)
            }
        };
        let taken: [Number; 3] = std::array::from_fn(target);
        let size = vector.iter().fold(0.0_f64, |size, x| size.max(x.value.abs()));
        let differences = vector.iter().zip(&taken).map(|(x, y)| ((x.value - y.value) / size * largest).abs());
        let change = differences.fold(0.0, f64::max);
        if self.distance == 0.0 || change == 0.0 {
            return vector;
        }
        self.note(link, what, Taken::Direction, change);
        taken
    }

    /// Makes the multiplier the fraction of small numbers that it is near to, if it is.
    fn multiplier(&mut self, link: &str, multiplier: &mut Number) {
        let distance = if self.distance > 0.0 { self.distance.max(MULTIPLIER) } else { 0.0 };
        let fractions = (1..=4).flat_map(|k| (1..=4).map(move |l| (k, l)));
        let sign = if multiplier.value < 0.0 { -1 } else { 1 };
        let near = fractions.filter_map(|(k, l)| {
            let exact = Fraction::new(sign * k, l)?;
            Some((exact, (exact.to_f64() - multiplier.value).abs()))
        });
        let Some((exact, change)) = near.min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        if multiplier.exact != Some(exact) && change <= distance {
            *multiplier = Number { value: exact.to_f64(), exact: Some(exact) };
            self.note(Some(link), "multiplier", Taken::Fraction, change);
        }
    }
}

fn nearest_special(angle: f64) -> f64 {
    (angle * 12.0 / PI).round() * PI / 12.0
}

/// Angles with R = Rz(yaw) Ry(pitch) Rx(roll); roll is zero where pitch is ±90° and only their sum counts.
fn roll_pitch_yaw(r: &Rotation<f64>, distance: f64) -> [f64; 3] {
    let r = &r.0;
    let across = r[0][0].hypot(r[1][0]);
    if across <= distance {
        let pitch = if r[2][0] < 0.0 { FRAC_PI_2 } else { -FRAC_PI_2 };
        return [0.0, pitch, (-r[0][1]).atan2(r[1][1])];
    }
    [r[2][1].atan2(r[2][2]), (-r[2][0]).atan2(across), r[1][0].atan2(r[0][0])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_right_angles_are_taken_as_right_angles_with_a_notice() {
        let mut snap = Snap { distance: SNAP, notices: Vec::new() };
        let exact = format!("{FRAC_PI_2}");
        for (given, expected) in
            [("1.5708", FRAC_PI_2), ("-3.1416", -2.0 * FRAC_PI_2), (&exact, FRAC_PI_2), ("1.571", 1.571)]
        {
            let mut angle = Number::parse(given).unwrap();
            snap.angle("arm", "alpha", &mut angle);
            assert_eq!(angle.value, expected);
        }
        assert_eq!(snap.notices.len(), 2);
        let text = snap.notices[0].to_string();
        assert_eq!(text, "alpha of link `arm` taken as a multiple of 15°, 3.7e-6 rad away");
    }

    #[test]
    fn quaternions_are_snapped_by_their_angles_or_left_alone() {
        let mut snap = Snap { distance: SNAP, notices: Vec::new() };
        let numbers = |q: [&str; 4]| q.map(|x| Number::parse(x).unwrap());
        let rpy = snap.quaternion("a", numbers(["0.7071", "0.7071", "0.0", "0.0"])).unwrap();
        assert_eq!((rpy, snap.notices.len()), ([FRAC_PI_2, 0.0, 0.0], 0));
        let rpy = snap.quaternion("a", numbers(["0.707105", "0.7071", "0.0", "0.0"])).unwrap();
        assert_eq!((rpy, snap.notices.len()), ([FRAC_PI_2, 0.0, 0.0], 1));
        assert_eq!(snap.quaternion("a", numbers(["0.9", "0.1", "0.2", "0.3"])), None);
        // Pitch of 90°: roll and yaw are one angle.
        let rpy = snap.quaternion("a", numbers(["0.5", "0.5", "0.5", "-0.5"])).unwrap();
        assert_eq!(rpy[1], FRAC_PI_2);
    }

    #[test]
    fn lengths_that_agree_to_rounding_become_equal_and_fractions_stay() {
        let round = |text: &str| rounded(Number::parse(text).unwrap(), decimals(0.43));
        assert_eq!(round("0.10000000000000001"), Number::from(0.1));
        assert_eq!(round("1.2e-17").value, 0.0);
        assert_eq!(round("1/3"), Number::parse("1/3").unwrap());
        assert_eq!(round("0.123456789012345").value, 0.123_456_789_012);
        assert_eq!((decimals(0.43), decimals(4e7), decimals(1e20)), (Some(12), Some(4), None));
    }

    #[test]
    fn small_coordinates_of_directions_become_zero() {
        let mut snap = Snap { distance: SNAP, notices: Vec::new() };
        let axis = snap.direction(Some("a"), "axis", [1e-5, 0.0, -2.0].map(Number::from));
        assert_eq!(axis.map(|x| x.value), [0.0, 0.0, -2.0]);
        assert_eq!(snap.notices.len(), 1);
    }
}
