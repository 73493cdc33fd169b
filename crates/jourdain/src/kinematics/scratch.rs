//! The memory that kinematic formulas work in, allocated once per model.

use crate::model::Model;
use crate::spatial::{Pose, Twist, Vector};
use jourdain_symbolic::Scalar;

/// Scratch memory for one model. It carries nothing from one call to the next.
#[derive(Clone, Debug)]
pub struct KinematicsScratch<S: Scalar> {
    /// Per link: its pose in the parent.
    pub(super) transforms: Vec<Pose<S>>,
    /// Per link: its pose in the world.
    pub(super) poses: Vec<Pose<S>>,
    /// Per link: its twist in its own axes.
    pub(super) twists: Vec<Twist<S>>,
    /// Per column: the motion of a link under it; which link and axes, the formula decides.
    pub(super) columns: Vec<Twist<S>>,
    /// Per column: its time derivative.
    pub(super) column_rates: Vec<Twist<S>>,
    /// Per link: mass of it and all it carries.
    pub(super) masses: Vec<S::Constant>,
    /// Per link: first moment of it and all it carries, in its own frame.
    pub(super) moments: Vec<Vector<S>>,
    /// Per link: rate of the components of the first moment.
    pub(super) moment_rates: Vec<Vector<S>>,
}

impl<S: Scalar> KinematicsScratch<S> {
    /// All the memory that any kinematic formula needs for this model.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        let (links, columns) = (model.links().len(), model.columns().len());
        Self {
            transforms: vec![Pose::identity(); links],
            poses: vec![Pose::identity(); links],
            twists: vec![Twist::zero(); links],
            columns: vec![Twist::zero(); columns],
            column_rates: vec![Twist::zero(); columns],
            masses: vec![S::Constant::zero(); links],
            moments: vec![Vector::zero(); links],
            moment_rates: vec![Vector::zero(); links],
        }
    }
}
