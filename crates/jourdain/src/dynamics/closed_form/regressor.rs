//! The Slotine–Li and the classic regressor, G (15), (16), with columns for the drives.
//!
//! Y π = M q̈_r + C q̇_r + g + friction(q̇),  Y = Jᵀ blkdiag(A(αₖ) − adᵀ A(Jₖ q̇_r)),  αₖ = J q̈_r + ad J q̇_r + J̇ q̇_r + γ
//!
//! The classic regressor has q̇_r = q̇ and q̈_r = q̈. Wrenches are in neither.
//!
//! Columns: ten inertial parameters per link, see [`parameters`](super::parameters()); then the armatures Ia of rigid
//! drives, the viscous coefficients Fv and the Coulomb coefficients Fc, each one per driven velocity number in the order
//! of the links, and Fr, Fs, Fo of the drives that have them. Traps: the Slotine–Li regressor belongs to the default [`Factorization`], and its friction columns take
//! the actual velocity, because it is the actual friction that has to be cancelled.

use super::outward::Outward;
use super::parameters::{PER_LINK, force_regressor};
use crate::dynamics::{Factorization, drive};
use crate::model::{Column, DriveTerm, Motor, Parameter, ParameterKind};
use crate::unit::Unit;
use crate::{Matrix, Model};
use jourdain_symbolic::{Constant, Scalar};

/// The names of the columns: `m_upper`, …, `ZZ_upper`, …, then `Ia_upper`, `Fv_upper`, `Fc_upper`; the drives of a joint with
/// several numbers are counted from 1: `Ia_upper_1`. [`Model::standard_parameters`] has them as values.
#[must_use]
pub fn parameter_labels<T: Constant>(model: &Model<T>) -> Vec<String> {
    model.standard_parameters().iter().map(|parameter| parameter.text(model)).collect()
}

/// The unit of each parameter, in the order of π.
pub(crate) fn parameter_units<T: Constant>(model: &Model<T>) -> Vec<Unit> {
    model.standard_parameters().iter().map(|parameter| parameter.unit(model)).collect()
}

/// π: the values that the columns multiply.
#[must_use]
pub fn parameters<T: Constant>(model: &Model<T>) -> Vec<T> {
    let mut pi: Vec<T> = model.links().iter().flat_map(|link| link.inertia.to_parameters()).collect();
    pi.extend(model.drive_parameters().iter().map(|parameter| parameter.value(model)));
    pi
}

/// The matrix Y with Y π = M q̈ + C q̇ + g + friction.
///
/// # Panics
/// If a vector does not have the model's length.
///
/// # Reference
/// G (16) with q̇_r = q̇ and q̈_r = q̈.
#[must_use]
pub fn regressor<S: Scalar>(model: &Model<S::Constant>, q: &[S], w: &[S], w_dot: &[S]) -> Matrix<S> {
    Outward::moving(model, q, w).slotine_li_regressor(w, w_dot)
}

/// The matrix Y with Y π = M q̈_r + C q̇_r + g + friction(q̇), C the default factorisation.
///
/// # Panics
/// If a vector does not have the model's length.
///
/// # Reference
/// G (15), (16).
#[must_use]
pub fn slotine_li_regressor<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    w: &[S],
    w_r: &[S],
    w_r_dot: &[S],
) -> Matrix<S> {
    Outward::moving(model, q, w).slotine_li_regressor(w_r, w_r_dot)
}

impl<S: Scalar> Outward<'_, S> {
    /// Y(q, q̇, q̇_r, q̈_r). See [`slotine_li_regressor`].
    #[must_use]
    pub fn slotine_li_regressor(&self, w_r: &[S], w_r_dot: &[S]) -> Matrix<S> {
        let inertial = PER_LINK * self.links.len();
        let drives = drive_columns(self.model);
        let mut y = Matrix::zeros(self.model.nv(), inertial + drives.len());
        for (k, link) in self.links.iter().enumerate() {
            let reference = link.contract(&link.jacobian, w_r);
            let acceleration =
                link.contract(&link.jacobian, w_r_dot) + link.contract(&link.jacobian_dot, w_r) + link.gravity;
            let columns = force_regressor(Factorization::default(), link.twist, reference, acceleration);
            link.project(&columns, PER_LINK * k, &mut y); // G (16)
        }
        for (at, (term, column, motor)) in drives.into_iter().enumerate() {
            let torque = match term {
                DriveTerm::Armature => drive::speed(column, w_r_dot),
                DriveTerm::Viscous | DriveTerm::Coulomb | DriveTerm::Root | DriveTerm::Stribeck | DriveTerm::Offset => {
                    drive::of_velocity(term, motor, drive::speed(column, &self.velocity))
                }
            };
            y[(column.dof, inertial + at)] = column.factor.map_or(torque, |factor| torque.scale(factor));
        }
        y
    }
}

/// The columns after the inertial ones.
fn drive_columns<T: Constant>(model: &Model<T>) -> Vec<(DriveTerm, &Column<T>, &Motor<T>)> {
    let column = |parameter: &Parameter| match parameter.kind {
        ParameterKind::Drive(term) => {
            Some((term, parameter.column(model), model.links()[parameter.link].motor.as_ref()?))
        }
        ParameterKind::Inertial(_) => None,
    };
    model.drive_parameters().iter().filter_map(column).collect()
}
