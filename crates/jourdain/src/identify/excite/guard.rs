//! What joints cannot keep to one by one: torques of the model below the effort limits, and distances.

use super::capsule::Capsule;
use super::clearance::{Clearance, Near};
use super::limits::efforts;
use super::series::Series;
use crate::dynamics::recursive::inverse_dynamics_into;
use crate::kinematics;
use crate::model::Model;
use crate::spatial::Pose;
use crate::workspace::Workspace;

/// Times, as multiples of those of the search, at which torques are checked in the end.
const FINER: usize = 16;

/// What a motion runs into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Breach {
    /// A torque beyond its share of the effort limit.
    Effort {
        /// The degree of freedom.
        degree: usize,
        /// N m or N.
        torque: f64,
        /// What is allowed, N m or N.
        allowed: f64,
    },
    /// Something too near.
    Near(Near),
}

/// What a motion reaches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reached {
    /// Highest torque of each degree of freedom by the robot file, N m or N.
    pub torques: Vec<f64>,
    /// What comes nearest; `None` if nothing was to be kept clear of.
    pub nearest: Option<Near>,
}

/// Watches motions, in memory that is used again.
pub(super) struct Guard<'a> {
    model: &'a Model<f64>,
    /// What torques may be; infinite if nothing is said.
    allowed: Vec<f64>,
    limited: bool,
    clearance: Option<&'a Clearance>,
    workspace: Workspace<f64>,
    motion: [Vec<f64>; 3],
    torque: Vec<f64>,
    poses: Vec<Pose<f64>>,
    capsules: Vec<Capsule>,
}

impl<'a> Guard<'a> {
    /// With a share of the effort limits, if they count.
    pub fn new(model: &'a Model<f64>, effort_share: Option<f64>, clearance: Option<&'a Clearance>) -> Self {
        let share = effort_share.unwrap_or(f64::INFINITY);
        let allowed: Vec<f64> = efforts(model).into_iter().map(|effort| share * effort).collect();
        Self {
            model,
            limited: allowed.iter().any(|allowed| allowed.is_finite()),
            allowed,
            clearance: clearance.filter(|clearance| !clearance.is_empty()),
            workspace: Workspace::new(model),
            motion: std::array::from_fn(|_| vec![0.0; model.nv()]),
            torque: vec![0.0; model.nv()],
            poses: vec![Pose::identity(); model.links().len()],
            capsules: Vec::new(),
        }
    }

    /// True if there is anything to watch.
    pub fn watches(&self) -> bool {
        self.limited || self.clearance.is_some()
    }

    /// What is first run into at so many even times of a period.
    pub fn breach(&mut self, series: &[Series], period: f64, samples: usize) -> Option<Breach> {
        if !self.watches() {
            return None;
        }
        (0..samples).find_map(|i| {
            self.load(series, i as f64 / samples as f64 * period, period);
            self.over().or_else(|| {
                kinematics::poses_into(self.model, &self.motion[0], &mut self.poses);
                let near = self.clearance.and_then(|clearance| clearance.breach(&self.poses, &mut self.capsules));
                near.map(Breach::Near)
            })
        })
    }

    /// The whole motion, more finely: torques at sixteen times as many times, distances at all times.
    pub fn verify(
        &mut self,
        series: &[Series],
        speeds: &[f64],
        period: f64,
        samples: usize,
    ) -> Result<Reached, Breach> {
        let mut torques = vec![0.0_f64; self.model.nv()];
        for i in 0..FINER * samples {
            self.load(series, i as f64 / (FINER * samples) as f64 * period, period);
            self.over().map_or(Ok(()), Err)?;
            for (most, torque) in torques.iter_mut().zip(&self.torque) {
                *most = most.max(torque.abs());
            }
        }
        let nearest = match self.clearance {
            Some(clearance) => clearance.prove(self.model, series, speeds, period).map_err(Breach::Near)?,
            None => None,
        };
        Ok(Reached { torques, nearest })
    }

    fn load(&mut self, series: &[Series], t: f64, period: f64) {
        for (j, series) in series.iter().enumerate() {
            for (to, x) in self.motion.iter_mut().zip(series.motion(t, period)) {
                to[j] = x;
            }
        }
        let [q, qd, qdd] = &self.motion;
        inverse_dynamics_into(self.model, q, qd, qdd, &[], &mut self.workspace, &mut self.torque);
    }

    /// The torque that is farthest beyond what is allowed.
    fn over(&self) -> Option<Breach> {
        let torques = self.torque.iter().zip(&self.allowed).enumerate();
        let beyond = torques.filter(|(_, (torque, allowed))| torque.abs() > **allowed);
        let worst = beyond.max_by(|(_, (a, b)), (_, (c, d))| (a.abs() / **b).total_cmp(&(c.abs() / **d)));
        worst.map(|(degree, (torque, allowed))| Breach::Effort { degree, torque: *torque, allowed: *allowed })
    }
}

impl Breach {
    /// In words.
    pub(super) fn text(&self, model: &Model<f64>) -> String {
        let name = |link: usize| &model.links()[link].name;
        match self {
            Self::Effort { degree, torque, allowed } => {
                let joint = model.velocities().get(*degree).map(ToString::to_string).unwrap_or_default();
                format!("joint `{joint}` would need {torque:.3} where {allowed:.3} are allowed")
            }
            Self::Near(Near { link, other: Some(other), distance }) => {
                format!("links `{}` and `{}` come as near as {distance:.3} m", name(*link), name(*other))
            }
            Self::Near(Near { link, other: None, distance }) => {
                format!("link `{}` comes as near to the ground as {distance:.3} m", name(*link))
            }
        }
    }
}
