//! What a formula of the table is given, and what it may give back.

use super::error::QuantityError;
use crate::dynamics::Tensor;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::state::{LinkWrench, State};
use crate::workspace::Workspace;
use jourdain_symbolic::Scalar;

/// The arguments of a formula.
pub(super) struct Context<'a, S: Scalar> {
    pub model: &'a Model<S::Constant>,
    pub state: &'a State<S>,
    pub workspace: &'a mut Workspace<S>,
    /// The link, for a quantity of a link.
    pub link: usize,
    /// The order, for a member of a family.
    pub order: usize,
    /// Zeros, as many as velocities: derivatives of the motion that the state leaves out.
    pub rest: &'a [S],
}

impl<'a, S: Scalar> Context<'a, S> {
    pub fn q(&self) -> &'a [S] {
        &self.state.q
    }

    pub fn qd(&self) -> &'a [S] {
        &self.state.qd
    }

    pub fn qdd(&self) -> &'a [S] {
        &self.state.qdd
    }

    /// The first `count` of w, ẇ, ẅ, …; what the state leaves out is zero.
    pub fn motion(&self, count: usize) -> Vec<&'a [S]> {
        (1..=count).map(|order| self.state.derivative(order).unwrap_or(self.rest)).collect()
    }

    pub fn wrenches(&self) -> &'a [LinkWrench<S>] {
        &self.state.wrenches
    }
}

/// What a formula returns: nothing if it has filled the output itself, otherwise what is to be put there.
pub(super) trait Outcome<S> {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError>;
}

impl<S> Outcome<S> for () {
    fn put(self, _: &mut [S]) -> Result<(), QuantityError> {
        Ok(())
    }
}

impl<S: Copy> Outcome<S> for Vec<S> {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError> {
        out.copy_from_slice(&self);
        Ok(())
    }
}

impl<S: Scalar, const N: usize> Outcome<S> for [S; N] {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError> {
        out.copy_from_slice(&self);
        Ok(())
    }
}

impl<S: Scalar> Outcome<S> for [[S; 4]; 4] {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError> {
        out.copy_from_slice(self.as_flattened());
        Ok(())
    }
}

impl<S: Scalar> Outcome<S> for Matrix<S> {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError> {
        out.copy_from_slice(self.as_slice());
        Ok(())
    }
}

impl<S: Scalar> Outcome<S> for Tensor<S> {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError> {
        out.copy_from_slice(self.as_slice());
        Ok(())
    }
}

impl<S, R: Outcome<S>, E: Into<QuantityError>> Outcome<S> for Result<R, E> {
    fn put(self, out: &mut [S]) -> Result<(), QuantityError> {
        self.map_err(Into::into)?.put(out)
    }
}

/// Runs a formula and puts its result in place.
pub(super) fn run<S: Scalar, R: Outcome<S>>(
    formula: impl FnOnce(&mut Context<'_, S>, &mut [S]) -> R,
    context: &mut Context<'_, S>,
    out: &mut [S],
) -> Result<(), QuantityError> {
    formula(context, out).put(out)
}
