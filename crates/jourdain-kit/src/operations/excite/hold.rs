//! A base that floats is held: joints alone follow series.
//!
//! What the base itself weighs is then not shown, and not among the parameters. A robot that is not held has a base whose motion nobody
//! prescribes.

use crate::problem::Problem;
use jourdain::Model;
use jourdain::identify::IdentifyError;
use jourdain::model::{Edit, Motion};

/// The robot with its base held, and a note if it was floating.
pub(super) fn base(model: Model<f64>) -> Result<(Model<f64>, Option<String>), Problem> {
    let free = model.links().iter().find(|link| link.parent.is_none() && matches!(link.joint.motion, Motion::Free));
    let Some(free) = free else { return Ok((model, None)) };
    let note = format!(
        "the base `{}` floats and is held: its own parameters are not shown; `--fixed` gives this robot to other commands",
        free.name
    );
    let refused = |message: String| IdentifyError::Robot { message };
    let edited = model.description().clone().edit(&[Edit::Fixed]).map_err(|error| refused(error.to_string()))?;
    let held = Model::from_description(&edited.description).map_err(|error| refused(error.to_string()))?;
    Ok((held.with_snap(model.snap()), Some(note)))
}
