//! Parameters without effect by the rules of GK III-B, as corrected, and the bound (18).
//!
//! With r₁ the first revolute joint and r₂ the next one that is not parallel to it:
//!
//! 1. joint j < r₁: all but m_j
//! 2. r₁ along gravity, and r₁ = 1 or all joints before it parallel to it: mX, mY of link r₁; and m₁ if r₁ = 1
//! 3. r₁ ≤ j < r₂ and joint j parallel to r₁: XX, XY, XZ, YY, YZ, mZ of link j
//!
//! They are sufficient, not necessary: what they find has no effect, and more may have none.

use crate::parameters::field::cross;
use crate::parameters::field::{Field, dot};

/// A joint of a serial robot.
#[derive(Clone, Debug)]
pub struct Joint<F> {
    /// Revolute, else prismatic.
    pub revolute: bool,
    /// Its axis in ground axes at zero position, any length.
    pub axis: [F; 3],
}

/// True if the vectors are parallel.
fn parallel<F: Field>(a: &[F; 3], b: &[F; 3]) -> bool {
    cross(a, b).iter().all(|x| x.is_negligible(1.0))
}

/// A parameter without effect and the rule that finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WithoutEffect {
    /// Number of the link, from 0.
    pub link: usize,
    /// The parameter, in the paper's order.
    pub parameter: usize,
    /// The rule.
    pub rule: u8,
}

/// The parameters without effect that the rules find, each once.
///
/// Axes at zero position decide which joints are parallel: between r₁ and r₂ only rotations about parallel axes come
/// before, which leave that as it is.
pub fn without_effect<F: Field>(joints: &[Joint<F>], gravity: &[F; 3]) -> Vec<WithoutEffect> {
    let mut found = Vec::new();
    let mut find = |link: usize, parameters: &[usize], rule: u8| {
        found.extend(parameters.iter().map(|&parameter| WithoutEffect { link, parameter, rule }));
    };
    let first = joints.iter().position(|joint| joint.revolute).unwrap_or(joints.len());
    for j in 0..first {
        find(j, &[0, 1, 2, 3, 4, 5, 6, 7, 8], 1);
    }
    if let Some(r1) = joints.get(first) {
        let is_still = dot(gravity, gravity).is_zero();
        let lined_up = joints[..first].iter().all(|joint| parallel(&joint.axis, &r1.axis));
        if (is_still || parallel(&r1.axis, gravity)) && (first == 0 || lined_up) {
            find(first, &[6, 7], 2);
        }
        if first == 0 {
            find(0, &[9], 2);
        }
        let other = |joint: &Joint<F>| joint.revolute && !parallel(&joint.axis, &r1.axis);
        let end = joints.iter().skip(first + 1).position(other).map_or(joints.len(), |at| first + 1 + at);
        for j in first..end {
            if parallel(&joints[j].axis, &r1.axis) {
                find(j, &[0, 1, 2, 3, 4, 8], 3);
            }
        }
    }
    found.sort_unstable();
    found
}

/// An upper bound of the number of base parameters, 7 n_r + 4 n_t − 3 − σ̄₁, GK (18).
#[must_use]
pub fn bound<F: Field>(joints: &[Joint<F>]) -> usize {
    let revolute = joints.iter().filter(|joint| joint.revolute).count();
    let sum = 7 * revolute + 4 * (joints.len() - revolute);
    sum.saturating_sub(3 + usize::from(joints.first().is_some_and(|joint| joint.revolute)))
}

#[cfg(test)]
mod tests {
    use super::super::PARAMETERS;
    use super::*;

    #[test]
    fn the_rules_find_the_nine_parameters_of_step_a_of_the_example() {
        let axis = |x: f64, y: f64, z: f64| [x, y, z];
        let joint = |axis| Joint { revolute: true, axis };
        // PUMA: joint 1 along gravity, joints 2 and 3 across it.
        let puma = [joint(axis(0.0, 0.0, 1.0)), joint(axis(0.0, 1.0, 0.0)), joint(axis(0.0, 1.0, 0.0))];
        let found = without_effect(&puma, &axis(0.0, 0.0, -9.81));
        let names: Vec<_> = found.iter().map(|it| format!("{}{}", PARAMETERS[it.parameter], it.link + 1)).collect();
        assert_eq!(names, ["XX1", "XY1", "XZ1", "YY1", "YZ1", "mX1", "mY1", "mZ1", "m1"]);
        // On a wall mX1 and mY1 are felt.
        let found = without_effect(&puma, &axis(9.81, 0.0, 0.0));
        let has = |parameter: usize| found.iter().any(|it| (it.link, it.parameter) == (0, parameter));
        assert!(!has(6) && !has(7) && has(9));
        assert_eq!(bound(&puma), 17);
    }
}
