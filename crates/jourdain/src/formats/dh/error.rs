//! How far a robot by its table is from the robot.

use super::super::plain::Plain;
use super::frames::Frames;
use crate::model::Motion;
use crate::model::description::Description;
use crate::spatial::Pose;
use std::fmt;

/// So many positions are compared.
const POSITIONS: usize = 64;

/// The largest error over all links and many positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DhError {
    /// Of the origins of link frames, m.
    pub position: f64,
    /// Of their orientations, rad.
    pub orientation: f64,
}

impl fmt::Display for DhError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1e} m and {:.1e} rad", self.position, self.orientation)
    }
}

/// Compares the old frames of the links in the chain, carried by the table, with those of the robot.
pub(super) fn largest(
    plain: &Plain<'_>,
    made: &Description,
    chain: &[usize],
    frames: &Frames,
    home: &[Pose<f64>],
) -> DhError {
    let by_table = Plain::new(made);
    let find = |name: &str| by_table.parts.iter().position(|part| part.link.name == name);
    let rows: Vec<Option<usize>> = chain.iter().map(|link| find(&plain.parts[*link].link.name)).collect();
    let mut error = DhError { position: 0.0, orientation: 0.0 };
    for position in 0..POSITIONS {
        let q: Vec<f64> = (0..chain.len()).map(|joint| spread(position, joint)).collect();
        let (expected, found) = (poses(plain, &q), poses(&by_table, &q));
        for (number, (link, row)) in chain.iter().zip(&rows).enumerate() {
            let Some(row) = row else { continue };
            let carried = found[*row] * frames.of[number].inverse() * home[*link];
            let off = carried.inverse() * expected[*link];
            error.position = error.position.max(off.translation.norm());
            error.orientation = error.orientation.max(off.rotation.log().norm());
        }
    }
    error
}

/// Numbers that fill [−π, π] evenly: additive recurrences with a step of their own for each joint.
fn spread(position: usize, joint: usize) -> f64 {
    let step = (joint as f64 + 2.0).sqrt() * 0.618_033_988_749_894_9;
    std::f64::consts::PI * (2.0 * ((position as f64 + 1.0) * step).fract() - 1.0)
}

/// The frames of all links, the joints that move taking one number each; those that follow others count as joints too.
fn poses(plain: &Plain<'_>, q: &[f64]) -> Vec<Pose<f64>> {
    let mut numbers = q.iter();
    let mut poses: Vec<Pose<f64>> = Vec::with_capacity(plain.parts.len());
    for part in &plain.parts {
        let mut pose = part.parent.map_or_else(Pose::identity, |parent| poses[parent]) * part.pose;
        if let Motion::Product(screws) = &part.motion {
            for screw in screws {
                pose = pose * screw.exp(numbers.next().copied().unwrap_or_default());
            }
        }
        poses.push(pose);
    }
    poses
}
