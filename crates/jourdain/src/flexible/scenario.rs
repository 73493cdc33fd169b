//! What an arm is let do: a start, torques over time, and for how long.

use super::arm::FlexibleArm;
use super::description::BuiltArm;
use crate::prescribed::{Interpolation, Torque, TorqueTable};

/// A scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The position at the start.
    pub q0: Vec<f64>,
    /// The velocity at the start.
    pub qd0: Vec<f64>,
    /// How long, s.
    pub duration: f64,
    /// Step of the fixed-step method, s.
    pub step: f64,
    /// Torques of the joints, one number each.
    pub torque: Torque,
    /// D = factor · √K instead of the arm's own structural damping.
    pub damping_factor: Option<f64>,
}

impl Scenario {
    /// Straight, at rest and without torques, for 2 s at 1 ms.
    #[must_use]
    pub fn rest(size: usize) -> Self {
        Self {
            q0: vec![0.0; size],
            qd0: vec![0.0; size],
            duration: 2.0,
            step: 1e-3,
            torque: Torque::None,
            damping_factor: None,
        }
    }

    /// The runs of the paper, `fig5` to `fig10`, for an arm of two links with two modes each; `None` for other names.
    ///
    /// The paper does not say when the torques of Figs. 9 and 10 switch: 0.2 N m up to 0.5 s, −0.2 N m up to 1 s, then none
    /// fits what it says of them.
    #[must_use]
    pub fn figure(name: &str) -> Option<Self> {
        let stretched = vec![0.0, 0.0, 0.0, 0.0, 0.1, 0.002];
        let bent = vec![0.0, std::f64::consts::FRAC_PI_2, 0.1, 0.002, 0.0, 0.0];
        let (q0, torque, damped) = match name {
            "fig5" => (stretched, Torque::None, false),
            "fig6" => (bent, Torque::None, false),
            "fig7" => (stretched, Torque::None, true),
            "fig8" => (bent, Torque::None, true),
            "fig9" => (vec![0.0; 6], bang_bang(&[0.2, 0.2], 0.5, 1.0)?, false),
            "fig10" => (vec![0.0; 6], bang_bang(&[0.2, 0.2], 0.5, 1.0)?, true),
            _ => return None,
        };
        Some(Self { q0, torque, damping_factor: damped.then_some(0.1), ..Self::rest(6) })
    }

    /// The same for an arm of `links` links, as many as this is for, with as many or more modes in each, which start at rest; `None` for
    /// another arm.
    #[must_use]
    pub fn fitted(self, links: usize, arm: &FlexibleArm<f64>) -> Option<Self> {
        (arm.joints() == links).then_some(())?;
        Some(Self { q0: fitted(&self.q0, arm)?, qd0: fitted(&self.qd0, arm)?, ..self })
    }

    /// How many links the arm of the paper has.
    pub const FIGURE_LINKS: usize = 2;

    /// The names of the runs of the paper.
    pub const FIGURES: [&'static str; 6] = ["fig5", "fig6", "fig7", "fig8", "fig9", "fig10"];

    /// The arm with the damping of the scenario.
    #[must_use]
    pub fn arm(&self, built: &BuiltArm) -> FlexibleArm<f64> {
        match self.damping_factor {
            None => built.arm.clone(),
            Some(factor) => built.arm.clone().with_damping(|i, j| factor * built.modes[i][j].stiffness.sqrt()),
        }
    }
}

/// A vector of an arm from one of the same arm with as many or fewer modes in each link, the same number in all: missing modes
/// are zero. `None` if it is no such vector.
#[must_use]
pub fn fitted(given: &[f64], arm: &FlexibleArm<f64>) -> Option<Vec<f64>> {
    let n = arm.joints();
    if given.len() == arm.size() {
        return Some(given.to_vec());
    }
    let deflections = given.len().checked_sub(n).filter(|count| *count > 0 && count % n == 0)?;
    let modes = deflections / n;
    let mut whole = vec![0.0; arm.size()];
    whole[..n].copy_from_slice(&given[..n]);
    for (i, given) in given[n..].chunks(modes).enumerate() {
        whole[arm.deflections(i)].get_mut(..modes)?.copy_from_slice(given);
    }
    Some(whole)
}

/// The amplitude up to the switch, its negative up to the end, then nothing; `None` unless 0 < switch < end.
#[must_use]
pub fn bang_bang(amplitude: &[f64], switch: f64, end: f64) -> Option<Torque> {
    if switch <= 0.0 {
        return None;
    }
    let rows = vec![
        (0.0, amplitude.to_vec()),
        (switch, amplitude.iter().map(|x| -x).collect()),
        (end, vec![0.0; amplitude.len()]),
    ];
    TorqueTable::new(rows, Interpolation::Hold).ok().map(Torque::Table)
}
