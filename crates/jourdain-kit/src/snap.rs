//! Within what angles are taken as special ones: an argument of every operation with base parameters in it.

use crate::host::Host;
use crate::problem::Problem;
use jourdain::Model;
use jourdain::parameters::snap::{LARGEST_SNAP, SNAP};
use jourdain::parameters::{BaseParameters, effect, nominal_description};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seed of the random states, so that every run says the same.
pub(crate) const SEED: u64 = 1990;

/// Which angles are taken as special ones, for base parameters alone.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Snap {
    /// Base parameters: take angles within RAD of a multiple of 15° as that multiple; 0 takes them as written
    #[serde(default = "snap")]
    #[schemars(range(min = 0.0, max = 0.1))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RAD", default_value_t = snap(), allow_negative_numbers = true))]
    pub snap: f64,
}

fn snap() -> f64 {
    SNAP
}

impl Default for Snap {
    fn default() -> Self {
        Self { snap: SNAP }
    }
}

impl Snap {
    /// The robot whose base parameters are taken that way.
    ///
    /// # Errors
    /// A distance that is negative, no number or too large.
    pub fn apply(&self, model: Model<f64>) -> Result<Model<f64>, Problem> {
        if !(0.0..=LARGEST_SNAP).contains(&self.snap) {
            let message = format!("--snap must be from 0 to {LARGEST_SNAP} rad, not {}", self.snap);
            let hint = format!("0 takes angles as they are written, {SNAP:e} is the default");
            return Err(Problem::new("bad-option", message).hint(hint));
        }
        Ok(model.with_snap(self.snap))
    }

    /// Says what taking angles as special ones does, if any are.
    pub fn note(&self, model: &Model<f64>, host: &dyn Host) {
        let (_, notices) = nominal_description(model);
        if notices.is_empty() {
            return;
        }
        let (torque, relative) = effect(model, &BaseParameters::new(model), SEED).largest_difference();
        host.remark(format!(
            "for base parameters {} values of the robot are taken as special ones within {:e} rad, which changes torques by up to \
             {torque:.1e} N m, {relative:.1e} of the largest; `jourdain base-parameters` lists them, --snap 0 takes none",
            notices.len(),
            self.snap
        ));
    }
}
