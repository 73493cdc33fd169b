//! The nominal robot: the one that everything about base parameters is about.
//!
//! A robot file that says 1.5708 means a right angle, and its base parameters are those of the robot that was meant. Their number,
//! names, matrix and values, the regressor that they multiply, the minimal model and the witnesses all belong to one geometry, that of the
//! [snapped](super::snap) description, so that base regressor · base parameters are the torques of that robot to rounding.
//! All other dynamics are those of the robot as it is written; [`effect`](super::effect) says how far the two are apart.

use super::snap::{Notice, snapped};
use crate::model::description::Description;
use crate::model::{Checked, Model};
use jourdain_symbolic::{Constant, Scalar};

/// The description of the nominal robot, and what was changed in it.
///
/// A description that would no longer be a robot (a universal joint whose axes would coincide) is left as it is.
#[must_use]
pub fn nominal_description<T: Constant>(model: &Model<T>) -> (Description, Vec<Notice>) {
    let (description, notices) = snapped(model.description(), model.snap());
    if notices.is_empty() || Checked::new(description.clone()).is_ok() {
        return (description, notices);
    }
    snapped(model.description(), 0.0)
}

/// The nominal robot, found once and kept with the model: the model itself if its description says what was meant.
#[must_use]
pub fn nominal<T: Constant>(model: &Model<T>) -> &Model<T> {
    model.nominal_or(|| {
        let (description, _) = nominal_description(model);
        if description == *model.description() {
            return None;
        }
        // As it is written it is what was meant: it is its own nominal robot.
        let nominal = Model::from_description(&description).ok()?.with_snap(0.0);
        Some(nominal.map(&mut <T as Scalar>::from_f64).with_nominal(None))
    })
}
