//! Proofs that a target is out of reach. Without one it is only "not found": starts that fail prove nothing.
//!
//! Three bounds, cheap ones first, each sound for every configuration within the limits:
//! the height along a common axis ([`skeleton`]); polygons of points on the joints' axes, whose sides do not depend on the
//! angles, and the same on the sphere of directions ([`polygon`]); boxes of joint positions, halved until each is excluded by how
//! far the tip can move inside it ([`boxes`]).
//!
//! Trap: a bound must hold beyond rounding and beyond the solver's tolerance, or a target on the edge of the workspace is
//! called unreachable while the solver stands on it.

mod boxes;
mod polygon;
mod skeleton;

use super::chain::Chain;
use super::report::IkError;
use super::solver::Solver;
use crate::spatial::Pose;
use boxes::Boxes;
use polygon::Polygon;
use skeleton::Skeleton;
use std::f64::consts::PI;

/// What proofs need to know of a chain, and their memory.
pub(super) struct Proof {
    /// `None` if a free joint leaves nothing to prove.
    skeleton: Option<Skeleton>,
    polygon: Polygon,
    boxes: Boxes,
}

/// How much a proof may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Microseconds.
    Small,
    /// Milliseconds.
    Large,
}

impl Proof {
    /// For a chain, within its limits or not.
    pub fn new(chain: &Chain, limits: bool) -> Self {
        let ranges: Vec<[f64; 2]> = chain.variables().iter().map(|variable| range(variable, limits)).collect();
        let skeleton = Skeleton::new(chain, &ranges);
        let polygon = Polygon::new(skeleton.as_ref().map_or(0, |skeleton| skeleton.knots.len()));
        let outboard = skeleton.as_ref().map_or(f64::INFINITY, |skeleton| skeleton.size);
        Self { boxes: Boxes::new(ranges, outboard), skeleton, polygon }
    }
}

/// What a variable is kept within; a whole turn where an angle has no limits.
fn range(variable: &super::chain::Variable, limits: bool) -> [f64; 2] {
    let given = if limits { variable.limits } else { [f64::NEG_INFINITY, f64::INFINITY] };
    match given {
        // Limits that exclude each other leave one point.
        [low, high] if low > high => [low, low],
        [low, high] if variable.turns && high - low >= 2.0 * PI => [-PI, PI],
        given => given,
    }
}

impl Solver<'_> {
    /// True if a bound proves that no configuration within the limits reaches the target. False proves nothing.
    ///
    /// # Errors
    /// If the target is no pose.
    pub fn excludes(&mut self, target: &Pose<f64>) -> Result<bool, IkError> {
        self.set_target(target)?;
        Ok(self.is_out_of_reach(Effort::Large))
    }

    /// True if it is certain that no configuration within the limits fulfils the task. Nothing is allocated.
    pub(super) fn is_out_of_reach(&mut self, effort: Effort) -> bool {
        let Some(skeleton) = &self.proof.skeleton else { return false };
        let target = self.equations.target();
        let whole = self.equations.is_whole();
        // Rounding of the chain, and rotation matrices that are not quite.
        let size = 1.0 + skeleton.size.min(1e6) + target.translation.norm();
        let need = self.options.tolerance + 1e-12 * size + target.rotation.orthogonality_error() * size;
        let question = Question { task: &self.task, target, whole, need };
        skeleton.excludes(&question)
            || self.proof.polygon.excludes(skeleton, &question)
            || (effort == Effort::Large
                && self.proof.boxes.exclude(&self.chain, &self.equations, need, &mut self.trial, &mut self.trial_q))
    }
}

/// What is asked, for a proof.
struct Question<'a> {
    task: &'a super::Task,
    target: &'a Pose<f64>,
    /// All three rotation rows are asked for.
    whole: bool,
    /// By how much a bound must be missed, m or rad.
    need: f64,
}
