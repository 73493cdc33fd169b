//! Numbers of joints as panels: each joint in its colour, limits as tints, orientations as angles, at most four curves a panel.

use super::figure::{Block, Curve, Kind, Panel, Role, Sample, Spot, first_passing};
use super::look::{Hue, SHADES};
use super::ticks;
use crate::operations::scene::limbs;
use jourdain::Model;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Joints that have a colour of their own; of more, limbs have.
pub const COLOURED: usize = 8;

/// Most curves of a panel.
pub const MOST_CURVES: usize = 4;

/// The joints of a robot with their numbers, colours and limits.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    joints: Vec<Joint>,
}

/// A joint that moves.
#[derive(Clone, Debug)]
struct Joint {
    name: String,
    hue: Hue,
    limb: usize,
    position: Option<[f64; 2]>,
    velocity: Option<f64>,
}

/// One number over the common axis.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Its symbol, such as `q_{1}`.
    pub symbol: String,
    /// What it belongs to, such as the name of a joint.
    pub of: String,
    /// Its unit; nothing for a pure number.
    pub unit: String,
    /// Its colour.
    pub hue: Hue,
    /// Numbers of one group may share a panel.
    pub group: usize,
    /// Between these all is well.
    pub limits: Option<[f64; 2]>,
    /// Its values.
    pub values: Vec<f64>,
    /// The same seen otherwise, such as on the side of the motor: drawn dashed.
    pub beside: Option<Vec<f64>>,
    /// What varies by less is shown as constant.
    pub least: f64,
}

/// What the numbers of a joint are, by which limits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Where it is.
    Position,
    /// How fast it moves.
    Velocity,
    /// What is not limited, or by something else.
    Other,
}

impl Palette {
    /// The joints of a robot.
    #[must_use]
    pub fn of(model: &Model<f64>) -> Self {
        let limbs = limbs(model);
        let moving: Vec<_> = model.links().iter().filter(|link| link.joint.nv() > 0 && link.mimic.is_none()).collect();
        let mut seen = vec![0; limbs.len()];
        let joint = |(index, link): (usize, &&jourdain::model::Link<f64>)| {
            let limb = limbs.iter().position(|limb| limb.contains(&link.name)).unwrap_or(0);
            let step = seen.get_mut(limb).map_or(0, |seen| std::mem::replace(seen, *seen + 1));
            let hue = if moving.len() <= COLOURED { Hue::Joint(index) } else { Hue::Limb(limb, step % SHADES) };
            let (name, limits) = (link.joint_name.clone(), link.limits);
            Joint { name, hue, limb, position: limits.position, velocity: limits.velocity }
        };
        Self { joints: moving.iter().enumerate().map(joint).collect() }
    }

    /// Joints of which only names are known.
    #[must_use]
    pub fn named(names: impl IntoIterator<Item = String>) -> Self {
        let joint = |(index, name)| Joint { name, hue: Hue::Joint(index), limb: 0, position: None, velocity: None };
        Self { joints: names.into_iter().enumerate().map(joint).collect() }
    }

    /// A number of a joint, by the joint's name and the part of it, which is empty for joints of one number.
    #[must_use]
    pub fn series(&self, letter: &str, joint: &str, part: &str, unit: String, what: Quantity) -> Series {
        let index = self.joints.iter().position(|it| it.name == joint);
        let found = index.map(|index| &self.joints[index]);
        let limits = found.and_then(|joint| match what {
            Quantity::Position => joint.position,
            Quantity::Velocity => joint.velocity.map(|most| [-most, most]),
            Quantity::Other => None,
        });
        let number = index.map_or_else(|| joint.to_owned(), |index| (index + 1).to_string());
        let symbol = match part {
            "" => format!("{letter}_{{{number}}}"),
            part => format!("{letter}_{{{number}{part}}}"),
        };
        let shade = part.chars().last().map_or(0, |last| match last {
            'y' | '2' => 1,
            'z' | '3' => 2,
            _first => 0,
        });
        let hue = found.map_or(Hue::Ink, |joint| match (joint.hue, part) {
            (hue, "") => hue,
            (Hue::Joint(hue) | Hue::Limb(hue, _), _) => Hue::Limb(hue, shade),
            (hue, _) => hue,
        });
        let group = found.map_or(0, |joint| joint.limb);
        // Of where joints are and how fast they move, less is rounding.
        let least = if what == Quantity::Other { 0.0 } else { 1e-9 };
        Series { symbol, of: joint.to_owned(), unit, hue, group, limits, least, ..Series::default() }
    }

    /// The colour of a joint.
    #[must_use]
    pub fn hue(&self, joint: &str) -> Hue {
        self.joints.iter().find(|it| it.name == joint).map_or(Hue::Ink, |joint| joint.hue)
    }
}

/// Numbers as panels over one axis: together as long as they are few, joint by joint if limits belong to them, limb by limb if they
/// are many.
#[must_use]
pub fn block(what: &str, x: &Arc<[f64]>, series: &[Series]) -> Block {
    let alike = series.windows(2).all(|pair| pair[0].unit == pair[1].unit);
    let limited = series.iter().any(|series| series.limits.is_some());
    let doubled = series.iter().any(|series| series.beside.is_some());
    let few = series.len() <= MOST_CURVES;
    let cells = if few && alike && !limited && !doubled {
        vec![vec![together(what, x, series)]]
    } else if series.len() <= COLOURED {
        series.iter().map(|series| vec![alone(x, series)]).collect()
    } else {
        grouped(series).into_iter().map(|group| vec![together("", x, group)]).collect()
    };
    Block { cells, wide: false }
}

/// Neighbours of one group and unit, at most so many as a panel holds.
fn grouped(series: &[Series]) -> Vec<&[Series]> {
    let same = |a: &Series, b: &Series| a.group == b.group && a.unit == b.unit;
    series
        .chunk_by(same)
        .flat_map(|group| group.chunks(group.len().div_ceil(group.len().div_ceil(MOST_CURVES))))
        .collect()
}

fn alone(x: &Arc<[f64]>, series: &Series) -> Panel {
    let Series { symbol, of, unit, hue, limits, values, beside, .. } = series;
    let mut curves = Vec::new();
    curves.extend(beside.as_ref().map(|values| Curve::new(x, values.clone(), Hue::Note).drawn(Kind::Dashed)));
    curves.push(Curve::new(x, values.clone(), *hue).drawn(Kind::Emphasis));
    Panel {
        name: symbol.clone(),
        unit: unit.clone(),
        note: of.clone(),
        hue: *hue,
        limits: *limits,
        least: series.least,
        spots: spot(x, series).into_iter().collect(),
        curves,
        ..Panel::default()
    }
}

fn together(what: &str, x: &Arc<[f64]>, series: &[Series]) -> Panel {
    let curve = |series: &Series| Curve::new(x, series.values.clone(), series.hue).labelled(&series.symbol);
    let (first, last) = (series.first(), series.last());
    let names: Vec<&str> = series.iter().map(|series| series.of.as_str()).filter(|name| !name.is_empty()).collect();
    let [from, to] = [first, last].map(|series| series.map_or("", |series| series.symbol.as_str()));
    let (name, note) = match what {
        "" if series.len() > 1 => {
            (format!("{from} … {to}"), format!("{} …", names.first().copied().unwrap_or_default()))
        }
        "" => (from.to_owned(), names.first().copied().unwrap_or_default().to_owned()),
        what => (what.to_owned(), names.join(", ")),
    };
    Panel {
        name,
        unit: first.map(|series| series.unit.clone()).unwrap_or_default(),
        note,
        least: first.map_or(0.0, |series| series.least),
        spots: series.iter().filter_map(|series| spot(x, series)).collect(),
        curves: series.iter().map(curve).collect(),
        ..Panel::default()
    }
}

fn spot(x: &[f64], series: &Series) -> Option<Spot> {
    let ([t, y], upper) = first_passing(x, &series.values, series.limits?)?;
    Some(Spot { at: [t, y], text: format!("{} s", seconds(t)), below: upper, hue: None })
}

/// The series that leaves its limits first, and when.
#[must_use]
pub fn first_out<'s>(x: &[f64], series: impl IntoIterator<Item = &'s Series>) -> Option<(&'s Series, f64)> {
    let passing = |series: &'s Series| {
        let ([t, _], _) = first_passing(x, &series.values, series.limits?)?;
        Some((series, t))
    };
    series.into_iter().filter_map(passing).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What tints and rings mean, as far as there are any in the blocks.
#[must_use]
pub fn limit_roles(blocks: &[Block]) -> Vec<Role> {
    let panels = || blocks.iter().flat_map(|block| block.cells.iter().flatten());
    let role = |sample, text: &str| Role { sample, text: text.to_owned() };
    let tinted = panels().any(|panel| panel.limits.is_some());
    let passed = panels().any(|panel| panel.spots.iter().any(|spot| spot.hue.is_none()));
    let roles =
        [(tinted, role(Sample::Beyond, "beyond a limit")), (passed, role(Sample::Passed, "limit first passed"))];
    roles.into_iter().filter(|(is_there, _)| *is_there).map(|(_, role)| role).collect()
}

/// A time with three digits that count, but none finer than a millisecond.
#[must_use]
pub fn seconds(t: f64) -> String {
    if t.abs() < 10.0 { format!("{t:.2}").replace('-', "−") } else { ticks::number(t, 3) }
}

/// Orientations as rotation vectors, rad: three numbers for every quaternion (w, x, y, z), without the jumps of an angle that
/// passes π.
#[must_use]
pub fn rotation_vectors(quaternions: impl IntoIterator<Item = [f64; 4]>) -> Vec<[f64; 3]> {
    let mut before = [0.0; 3];
    let one = |[w, x, y, z]: [f64; 4]| {
        let length = (x * x + y * y + z * z).sqrt();
        let near = (before.iter().map(|x: &f64| x * x).sum::<f64>()).sqrt();
        // Without a turn, the axis is that of the turn before.
        let axis = if length > 1e-12 {
            [x, y, z].map(|x| x / length)
        } else if near > 1e-12 {
            before.map(|x| x / near)
        } else {
            [0.0; 3]
        };
        let angle = 2.0 * length.atan2(w);
        let along: f64 = axis.iter().zip(&before).map(|(a, b)| a * b).sum();
        let turns = ((along - angle) / TAU).round();
        before = axis.map(|x| x * (angle + TAU * turns));
        before
    };
    quaternions.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_vectors_go_on_past_half_a_turn() {
        let turn = |angle: f64| [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()];
        let angles: Vec<f64> = (0..200).map(|i| 0.1 * f64::from(i)).collect();
        // The sign of a quaternion means nothing.
        let quaternions =
            angles.iter().enumerate().map(|(i, angle)| turn(*angle).map(|x| if i % 3 == 0 { -x } else { x }));
        for (vector, angle) in rotation_vectors(quaternions).iter().zip(&angles) {
            assert!((vector[2] - angle).abs() < 1e-9 && vector[0] == 0.0, "{vector:?} {angle}");
        }
        assert_eq!(rotation_vectors([[1.0, 0.0, 0.0, 0.0]]), [[0.0; 3]]);
    }

    #[test]
    fn many_joints_share_panels_of_at_most_four_curves() {
        let series = |group| Series { group, unit: "rad".to_owned(), values: vec![0.0, 1.0], ..Series::default() };
        let x: Arc<[f64]> = Arc::from([0.0, 1.0]);
        let many: Vec<Series> = [0; 5].into_iter().chain([1; 6]).map(series).collect();
        let counts = |block: Block| block.cells.iter().map(|cell| cell[0].curves.len()).collect::<Vec<_>>();
        assert_eq!(counts(block("", &x, &many)), [3, 2, 3, 3]);
        assert_eq!(counts(block("Position", &x, &many[..4])), [4]);
        assert_eq!(counts(block("Position", &x, &many[..6])), [1; 6]);
        let limited: Vec<Series> = (0..2).map(|_| Series { limits: Some([-0.5, 0.5]), ..series(0) }).collect();
        let limited = block("Position", &x, &limited);
        assert_eq!(limited.cells[0][0].spots[0].at, [0.5, 0.5]);
        assert_eq!(limit_roles(&[limited]).len(), 2);
    }
}
