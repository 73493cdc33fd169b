//! Boxes of joint positions, halved until each is excluded.
//!
//! Within a box the tip is at most Σ rᵢ 2 sin(Δᵢ/2) from where it is in the middle, Δᵢ half the width of joint i and rᵢ the tip's
//! distance from its axis, counted from the outermost joint inwards; and the link is turned by at most Σ Δᵢ. A box whose middle
//! misses the target by more is excluded. The nearest box is opened first, so that a target that can almost be reached is
//! given up early.

use crate::ik::chain::{Chain, Geometry};
use crate::ik::task::Equations;
use std::f64::consts::PI;

/// Most boxes that are looked at.
const MOST: usize = 6000;
/// Most boxes that wait.
const WAITING: usize = 200;
/// A box in which the tip moves by less than this share of the arm is not halved any more.
const SMALLEST: f64 = 2e-3;

/// The ranges of all variables, and memory for boxes.
pub(super) struct Boxes {
    ranges: Vec<[f64; 2]>,
    outboard: f64,
    /// Middle and half width of every variable, box after box.
    waiting: Vec<[f64; 2]>,
    halves: [Vec<[f64; 2]>; 2],
    shares: Vec<f64>,
}

/// What the middle of a box says.
struct Look {
    /// By how much the box misses the target, m or rad; negative if it may hold it.
    margin: f64,
    /// Error of the middle.
    error: f64,
    /// How far the tip and the link may move, m and rad.
    moves: [f64; 2],
    /// The variable that moves it most.
    widest: usize,
}

impl Boxes {
    pub fn new(ranges: Vec<[f64; 2]>, outboard: f64) -> Self {
        let n = ranges.len();
        let halves = [vec![[0.0; 2]; n], vec![[0.0; 2]; n]];
        let outboard = outboard.max(f64::MIN_POSITIVE);
        Self { ranges, outboard, waiting: Vec::with_capacity((WAITING + 2) * n), halves, shares: vec![0.0; n] }
    }

    /// True if no box is left that may hold the target.
    pub fn exclude(
        &mut self,
        chain: &Chain,
        equations: &Equations,
        need: f64,
        geometry: &mut Geometry,
        q: &mut [f64],
    ) -> bool {
        let n = self.ranges.len();
        if !chain.quaternions().is_empty() || self.ranges.iter().any(|[low, high]| !(high - low).is_finite()) {
            return false;
        }
        self.waiting.clear();
        self.waiting.extend(self.ranges.iter().map(|[low, high]| [0.5 * (low + high), 0.5 * (high - low)]));
        let mut halves = std::mem::take(&mut self.halves);
        let (mut looked, mut proved) = (0, true);
        while proved && !self.waiting.is_empty() {
            let at = self.waiting.len() - n;
            halves[0].copy_from_slice(&self.waiting[at..]);
            self.waiting.truncate(at);
            let look = self.look(&halves[0], chain, equations, geometry, q);
            looked += 1;
            if look.margin > need {
                continue;
            }
            let small = look.moves[0] < SMALLEST * self.outboard && look.moves[1] < SMALLEST;
            if small || looked + 2 > MOST || self.waiting.len() >= WAITING * n {
                proved = false;
                break;
            }
            let [low, high] = &mut halves;
            high.copy_from_slice(low);
            let [middle, width] = low[look.widest];
            low[look.widest] = [middle - 0.5 * width, 0.5 * width];
            high[look.widest] = [middle + 0.5 * width, 0.5 * width];
            let errors = [0, 1].map(|side| self.look(&halves[side], chain, equations, geometry, q).error);
            looked += 2;
            let far = usize::from(errors[0] < errors[1]);
            self.waiting.extend_from_slice(&halves[far]);
            self.waiting.extend_from_slice(&halves[1 - far]);
        }
        self.halves = halves;
        proved
    }

    fn look(
        &mut self,
        cell: &[[f64; 2]],
        chain: &Chain,
        equations: &Equations,
        geometry: &mut Geometry,
        q: &mut [f64],
    ) -> Look {
        for (variable, [middle, _]) in chain.variables().iter().zip(cell) {
            if let Some(position) = variable.position {
                q[position] = *middle;
            }
        }
        chain.evaluate(q, geometry);
        let (position, turned) = equations.errors(&geometry.tip);
        self.shares.fill(0.0);
        let mut moves = [0.0_f64; 2];
        for (c, column) in chain.columns.iter().enumerate().rev() {
            let width = cell[column.variable][1] * column.factor.abs();
            let angular = geometry.angular[c].norm();
            let by = if angular > 0.0 {
                // A screw also slides: its own speed counts in full.
                let radius = (geometry.linear[c].norm() + moves[0]).min(self.outboard.max(geometry.linear[c].norm()));
                let pitch = geometry.linear[c].dot(geometry.angular[c]).abs();
                radius * 2.0 * (0.5 * width.min(PI)).sin() + pitch * width
            } else {
                geometry.linear[c].norm() * width
            };
            moves[0] += by;
            moves[1] += angular * width;
            let turning = if turned.is_some() { 0.3 * angular * width } else { 0.0 };
            self.shares[column.variable] += by / self.outboard + turning;
        }
        if turned.is_none() {
            moves[1] = 0.0;
        }
        let margin = turned.map_or(f64::NEG_INFINITY, |turned| turned - moves[1]).max(position - moves[0]);
        let widest =
            (0..self.shares.len()).fold(0, |best, i| if self.shares[i] > self.shares[best] { i } else { best });
        Look { margin, error: position / self.outboard + turned.unwrap_or(0.0), moves, widest }
    }
}
