//! The base parameters of a model: which standard parameters are kept and what they stand for.

use super::coupled;
use super::exact::{Certain, OtherPrime};
use super::field::Field;
use super::geometry::Geometry;
use super::layout::Layout;
use super::names::{Name, base_names};
use super::nominal::{nominal, nominal_description};
use super::regroup::{Kept, kept_columns, regroup};
use super::snap::Notice;
use super::structure::{BlockStructure, Coordinates, analyse};
use crate::dynamics::closed_form::parameter_labels;
use crate::dynamics::recursive;
use crate::matrix::Matrix;
use crate::model::{Model, Parameter};
use crate::workspace::Workspace;
use jourdain_symbolic::{Constant, Scalar};

/// How the base parameters were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Joint by joint from the geometry.
    Structural,
    /// The same, with joints that are coupled taken together.
    Blocks,
}

/// The minimum set of parameters of a robot's equations of motion.
///
/// Columns are those of the regressor: ten inertial parameters per link, then the drives. Base parameter *k* is kept column
/// `kept[k]` plus multiples of eliminated ones.
#[derive(Clone, Debug)]
pub struct BaseParameters {
    pub(super) parameters: Vec<Parameter>,
    pub(super) labels: Vec<String>,
    pub(super) kept: Vec<usize>,
    pub(super) per_link: Vec<usize>,
    pub(super) matrix: Matrix<f64>,
    pub(super) method: Method,
    pub(super) notices: Vec<Notice>,
}

impl BaseParameters {
    /// The base parameters of a robot; its masses and inertias play no part.
    ///
    /// They are those of its [nominal](super::nominal()) geometry. Ranks and zeros are decided exactly, modulo a prime;
    /// coefficients are `f64`.
    #[must_use]
    pub fn new<T: Constant>(model: &Model<T>) -> Self {
        let (description, notices) = nominal_description(model);
        let layout = Layout::new(model);
        let geometry = Geometry::<Certain>::new(&description);
        let kept = regroup(&structures(&geometry, &layout), &layout.armature_columns);
        let friction = layout.friction_forms(model, &geometry);
        let mut matrix = Matrix::zeros(kept.len() + friction.len(), layout.width);
        let scale = layout.scales(&geometry);
        for (row, Kept { column, form, .. }) in kept.iter().enumerate() {
            for (other, coefficient) in form {
                // In the robot's own unit of length the numbers are rounded to powers of two: nothing is lost.
                matrix[(row, *other)] = coefficient.value() * scale[*column] / scale[*other];
            }
        }
        for (at, (_, form)) in friction.iter().enumerate() {
            for (column, coefficient) in form {
                matrix[(kept.len() + at, *column)] = *coefficient;
            }
        }
        Self {
            labels: parameter_labels(model),
            per_link: layout.per_link(&kept),
            kept: kept.iter().map(|kept| kept.column).chain(friction.iter().map(|(column, _)| *column)).collect(),
            parameters: layout.parameters,
            matrix,
            method: if model.has_mimic() { Method::Blocks } else { Method::Structural },
            notices,
        }
    }

    /// How many there are, drives included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// How many of them are inertial parameters of each link.
    #[must_use]
    pub fn per_link(&self) -> &[usize] {
        &self.per_link
    }

    /// The standard parameters: the columns of the regressor.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The names of the standard parameters.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The columns that are kept, ascending.
    #[must_use]
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// B with base = B · standard: one row per kept column, one column per standard parameter.
    #[must_use]
    pub fn matrix(&self) -> &Matrix<f64> {
        &self.matrix
    }

    /// The columns that are in no base parameter: they have no effect on the motion.
    #[must_use]
    pub fn no_effect(&self) -> Vec<usize> {
        let empty = |&column: &usize| (0..self.count()).all(|row| self.matrix[(row, column)] == 0.0);
        (0..self.labels.len()).filter(empty).collect()
    }

    /// The columns that are eliminated but have an effect: they are part of other base parameters.
    #[must_use]
    pub fn regrouped(&self) -> Vec<usize> {
        let no_effect = self.no_effect();
        (0..self.labels.len()).filter(|column| !self.kept.contains(column) && !no_effect.contains(column)).collect()
    }

    /// A basis of the standard parameters that the motion does not show: one row each, as many columns as standard
    /// parameters. Any multiple of a row may be added to the parameters of a robot without changing its motion.
    #[must_use]
    pub fn null_space(&self) -> Matrix<f64> {
        let eliminated: Vec<_> = (0..self.labels.len()).filter(|column| !self.kept.contains(column)).collect();
        let mut basis = Matrix::zeros(eliminated.len(), self.labels.len());
        for (row, &column) in eliminated.iter().enumerate() {
            basis[(row, column)] = 1.0;
            for (k, &kept) in self.kept.iter().enumerate() {
                basis[(row, kept)] = -self.matrix[(k, column)];
            }
        }
        basis
    }

    /// The values of the base parameters for values of the standard ones.
    ///
    /// # Panics
    /// If there are not as many as [`labels`](Self::labels).
    #[must_use]
    pub fn values(&self, standard: &[f64]) -> Vec<f64> {
        self.matrix.apply(standard)
    }

    /// How they were found.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// The angles and directions that were taken as something nearby.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }
}

/// The regrouping over any field: exact coefficients instead of `f64`. Friction is left out: it always stays as it is.
///
/// Over the rationals the coefficients are what the lengths of the robot file make them; modulo a prime they only tell
/// which are zero, in a hundredth of the time.
#[derive(Clone, Debug)]
pub struct Regrouping<F> {
    /// The columns that are kept, ascending.
    pub kept: Vec<usize>,
    /// How many of them are inertial parameters of each link.
    pub per_link: Vec<usize>,
    /// What each base parameter is made of: standard columns, ascending, with their coefficients.
    pub forms: Vec<Vec<(usize, F)>>,
}

impl<F: Field> Regrouping<F> {
    /// The regrouping of a robot, of its [nominal](super::nominal()) geometry; `None` if it has coupled joints.
    #[must_use]
    pub fn new<T: Constant>(model: &Model<T>) -> Option<Self> {
        if model.has_mimic() {
            return None;
        }
        let layout = Layout::new(model);
        let geometry = Geometry::<F>::new(&nominal_description(model).0);
        Some(layout.regrouping(regrouped_in(Coordinates::Standard, &geometry, &layout)))
    }
}

/// The regrouping of a robot without coupled joints.
pub(super) fn regrouped_in<F: Field>(
    coordinates: Coordinates,
    geometry: &Geometry<F>,
    layout: &Layout,
) -> Vec<Kept<F>> {
    regroup(&analyse(geometry, &layout.armature_numbers, coordinates), &layout.armature_columns)
}

/// The structure of any robot.
pub(super) fn structures(geometry: &Geometry<Certain>, layout: &Layout) -> Vec<BlockStructure<Certain>> {
    coupled::analyse(geometry, &layout.armature_numbers)
}

/// The columns of the regressor that base parameters keep, found once per robot and kept with it.
#[must_use]
pub fn base_columns<T: Constant>(model: &Model<T>) -> &[usize] {
    model.base_columns_or(|| {
        let layout = Layout::new(model);
        let geometry = Geometry::<Certain>::new(&nominal_description(model).0);
        let mut kept = kept_columns(&structures(&geometry, &layout), &layout.armature_columns);
        kept.extend(layout.friction_forms(model, &geometry).into_iter().map(|(column, _)| column));
        kept
    })
}

/// How many base parameters a robot has, if counting them modulo another prime, with other random rows, gives the same.
#[must_use]
pub fn confirmed_count<T: Constant>(model: &Model<T>) -> Option<usize> {
    let layout = Layout::new(model);
    let geometry = Geometry::<OtherPrime>::new(&nominal_description(model).0);
    let friction = layout.friction_forms(model, &geometry).len();
    let count = base_columns(model).len();
    (coupled::count(&geometry, &layout.armature_numbers) + friction == count).then_some(count)
}

/// The names of the base parameters, `ZZR1` and so on, found once per robot and kept with it.
#[must_use]
pub fn base_labels<T: Constant>(model: &Model<T>) -> &[String] {
    model.base_labels_or(|| base_names(model, &BaseParameters::new(model)).iter().map(Name::text).collect())
}

/// Out of a regressor with a column per standard parameter, the columns that base parameters keep.
///
/// With the base parameters β of the robot, base regressor · β = regressor · π if the regressor is that of the
/// [nominal](super::nominal()) robot.
///
/// # Panics
/// If the regressor does not have the model's number of columns.
#[must_use]
pub fn base_regressor<S: Scalar>(model: &Model<S::Constant>, regressor: &Matrix<S>) -> Matrix<S> {
    let kept = base_columns(model);
    Matrix::from_fn(regressor.rows(), kept.len(), |row, k| regressor[(row, kept[k])])
}

/// The base regressor at a state, by the fast regressor of the [nominal](super::nominal()) robot. The workspace is the model's.
///
/// # Panics
/// If a vector does not have the model's length.
#[must_use]
pub fn base_regressor_at<S: Scalar>(
    model: &Model<S::Constant>,
    q: &[S],
    qd: &[S],
    qdd: &[S],
    workspace: &mut Workspace<S>,
) -> Matrix<S> {
    let mut regressor = Matrix::zeros(model.nv(), recursive::parameter_count(model));
    recursive::regressor_into(nominal(model), q, qd, qdd, workspace, regressor.as_mut_slice());
    base_regressor(model, &regressor)
}
