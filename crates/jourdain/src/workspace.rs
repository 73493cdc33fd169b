//! All scratch memory of the fast algorithms, allocated once.

use crate::dynamics::recursive::{
    ArticulatedBodies, CommonFrame, CompositeBodies, Gyration, NewtonEuler, Partials, Positions, RegressorScratch,
    Torsionless,
};
use crate::kinematics::KinematicsScratch;
use crate::model::Model;
use crate::spatial::{Pose, Twist};
use jourdain_symbolic::Scalar;

/// Scratch for one model and one thread. Nothing in it outlives a call.
#[derive(Clone, Debug)]
pub struct Workspace<S: Scalar = f64> {
    pub(crate) kinematics: KinematicsScratch<S>,
    pub(crate) positions: Positions<S>,
    pub(crate) newton_euler: NewtonEuler<S>,
    pub(crate) common: CommonFrame<S>,
    pub(crate) composites: CompositeBodies<S>,
    pub(crate) gyrations: Vec<Gyration<S>>,
    pub(crate) torsionless: Vec<Torsionless<S>>,
    pub(crate) partials: Partials<S>,
    pub(crate) regressor: RegressorScratch<S>,
    pub(crate) articulated: ArticulatedBodies<S>,
    /// Poses and twists of links.
    pub(crate) poses: Vec<Pose<S>>,
    pub(crate) twists: Vec<Twist<S>>,
    /// The mass matrix, or its factor. Empty for a large tree until something asks for it: its square is most of the memory.
    pub(crate) mass: Vec<S>,
    /// Zeros: the acceleration of a motion that has none.
    pub(crate) rest: Vec<S>,
    /// Zeros as well: what a state leaves out, while a formula uses the rest of the workspace.
    pub(crate) zeros: Vec<S>,
    /// The acceleration that forward dynamics found.
    pub(crate) resulting: Vec<S>,
    /// Matrices and a vector over columns, for models with coupled joints.
    pub(crate) matrix: Vec<S>,
    pub(crate) matrix_2: Vec<S>,
    pub(crate) vector: Vec<S>,
    /// Column velocities of a model with coupled joints.
    pub(crate) velocity: Vec<S>,
    /// Column accelerations of a model with coupled joints.
    pub(crate) acceleration: Vec<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Allocates everything the algorithms need for `model`.
    #[must_use]
    pub fn new(model: &Model<S::Constant>) -> Self {
        let tree = model.body_tree();
        let columns = vec![S::zero(); tree.columns];
        let bodies = tree.bodies.len();
        let matrix = vec![S::zero(); if tree.coupling.is_some() { columns.len() * columns.len() } else { 0 }];
        Self {
            kinematics: KinematicsScratch::new(model),
            positions: Positions::new(tree),
            newton_euler: NewtonEuler::new(tree),
            common: CommonFrame::new(tree),
            composites: CompositeBodies::new(tree),
            gyrations: vec![Gyration::zero(); bodies],
            torsionless: vec![Torsionless::zero(); bodies],
            partials: Partials::new(tree),
            regressor: RegressorScratch::new(tree),
            articulated: ArticulatedBodies::new(tree),
            poses: vec![Pose::identity(); model.links().len()],
            twists: vec![Twist::zero(); model.links().len()],
            mass: vec![S::zero(); if tree.is_large() { 0 } else { tree.nv * tree.nv }],
            rest: vec![S::zero(); tree.nv],
            zeros: vec![S::zero(); tree.nv],
            resulting: vec![S::zero(); tree.nv],
            matrix: matrix.clone(),
            matrix_2: matrix,
            vector: columns.clone(),
            velocity: columns.clone(),
            acceleration: columns,
        }
    }
}
