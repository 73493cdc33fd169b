//! What a controlled motion is to follow: a prescribed motion, or rest at a goal.

use super::PrescribedMotion;
use crate::spatial::Wrench;
use crate::state::LinkWrench;
use jourdain_symbolic::Scalar;

/// What the joints are to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference<'m> {
    /// A motion, from its start on; its loads act on the robot and are not known to the law.
    Motion(&'m PrescribedMotion),
    /// Rest at a posture.
    Rest(Vec<f64>),
}

impl Reference<'_> {
    /// Numbers of the position.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Motion(motion) => motion.joints.len(),
            Self::Rest(q) => q.len(),
        }
    }

    /// q_d and as many derivatives as `out` has room for, at time `t` after the start.
    pub fn at_into<S: Scalar, const K: usize>(&self, t: f64, out: &mut [Vec<S>; K]) {
        for (r, out) in out.iter_mut().enumerate() {
            match self {
                Self::Motion(motion) => {
                    let t = motion.start + t;
                    out.iter_mut().zip(&motion.joints).for_each(|(x, curve)| *x = S::from_f64(curve.derivative(r, t)));
                }
                Self::Rest(q) => {
                    out.iter_mut().zip(q).for_each(|(x, &q)| *x = S::from_f64(if r == 0 { q } else { 0.0 }));
                }
            }
        }
    }

    /// q_d and its derivatives at time `t` after the start.
    #[must_use]
    pub fn orders<const K: usize>(&self, t: f64) -> [Vec<f64>; K] {
        let mut out = std::array::from_fn(|_| vec![0.0; self.size()]);
        self.at_into(t, &mut out);
        out
    }

    /// The loads at time `t` after the start, with their rates.
    pub fn loads_with_rates_into(&self, t: f64, out: &mut Vec<LinkWrench<f64>>) {
        out.clear();
        if let Self::Motion(motion) = self {
            out.extend(motion.loads.iter().map(|load| load.with_rates(motion.start + t)));
        }
    }

    /// The loads at time `t` after the start.
    pub fn loads_into<S: Scalar>(&self, t: f64, out: &mut Vec<LinkWrench<S>>) {
        out.clear();
        self.add_loads(t, out);
    }

    /// Adds the loads at time `t` after the start.
    pub fn add_loads<S: Scalar>(&self, t: f64, out: &mut Vec<LinkWrench<S>>) {
        let Self::Motion(motion) = self else { return };
        let t = motion.start + t;
        out.extend(motion.loads.iter().map(|load| {
            let component = |i: usize| S::from_f64(load.components[i].derivative(0, t));
            LinkWrench::constant(load.link, Wrench::from_array(std::array::from_fn(component)))
        }));
    }
}
