//! Scratch memory of all algorithms, allocated once per model and thread.

use crate::kinematics::KinematicsScratch;
use crate::model::Model;
use jourdain_symbolic::Scalar;

/// Scratch for one model and one thread. Nothing in it outlives a call.
#[derive(Clone, Debug)]
pub struct Workspace<S: Scalar = f64> {
    pub(crate) kinematics: KinematicsScratch<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Allocates everything the algorithms need for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        Self { kinematics: KinematicsScratch::new(model) }
    }
}
