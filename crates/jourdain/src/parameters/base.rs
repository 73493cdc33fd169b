//! The base parameters of a model: which standard parameters are kept and what they stand for.

use super::coupled;
use super::exact::{Certain, OtherPrime};
use super::field::Field;
use super::geometry::Geometry;
use super::names::{Name, base_names};
use super::nominal::{nominal, nominal_description};
use super::regroup::{Kept, kept_columns, regroup};
use super::snap::Notice;
use super::structure::{BlockStructure, Coordinates, analyse};
use super::transport::PER_LINK;
use crate::dynamics::closed_form::parameter_labels;
use crate::dynamics::recursive;
use crate::matrix::Matrix;
use crate::model::{DriveTerm, Model, Parameter, ParameterKind};
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

/// Where the parameters of a model stand among the columns of its regressor.
pub(super) struct Layout {
    /// The parameters, one per column.
    pub parameters: Vec<Parameter>,
    /// Per link, the velocity numbers of its joint that have an armature.
    pub armature_numbers: Vec<Vec<usize>>,
    /// Per link, the columns of these armatures.
    pub armature_columns: Vec<Vec<usize>>,
    /// Number of inertial columns.
    pub inertial: usize,
    /// The columns of friction.
    pub friction: std::ops::Range<usize>,
    /// Number of columns.
    pub width: usize,
}

impl Layout {
    pub fn new<T: Constant>(model: &Model<T>) -> Self {
        let links = model.links().len();
        let parameters = model.standard_parameters();
        let (mut numbers, mut columns) = (vec![Vec::new(); links], vec![Vec::new(); links]);
        let mut friction = parameters.len();
        for (at, parameter) in parameters.iter().enumerate() {
            match parameter.kind {
                ParameterKind::Inertial(_) => {}
                ParameterKind::Drive(DriveTerm::Armature) => {
                    numbers[parameter.link].push(parameter.local);
                    columns[parameter.link].push(at);
                }
                ParameterKind::Drive(DriveTerm::Viscous | DriveTerm::Coulomb) => friction = friction.min(at),
            }
        }
        Self {
            armature_numbers: numbers,
            armature_columns: columns,
            inertial: PER_LINK * links,
            friction: friction..parameters.len(),
            width: parameters.len(),
            parameters,
        }
    }

    /// The same without the armatures of joints with several numbers, which share one rotor, and of coupled joints.
    pub fn of_single_drives<T: Constant>(mut self, model: &Model<T>) -> Self {
        let is_coupled = model.has_mimic();
        for (k, _) in model.links().iter().enumerate().filter(|(_, link)| is_coupled || link.joint.nv() > 1) {
            self.armature_numbers[k].clear();
            self.armature_columns[k].clear();
        }
        self
    }

    pub fn regrouping<F>(&self, kept: Vec<Kept<F>>) -> Regrouping<F> {
        Regrouping {
            per_link: self.per_link(&kept),
            kept: kept.iter().map(|kept| kept.column).collect(),
            forms: kept.into_iter().map(|kept| kept.form).collect(),
        }
    }

    /// How many of the kept parameters are inertial, per link.
    fn per_link<F>(&self, kept: &[Kept<F>]) -> Vec<usize> {
        let mut per_link = vec![0; self.inertial / PER_LINK];
        kept.iter().filter(|kept| kept.column < self.inertial).for_each(|kept| per_link[kept.link] += 1);
        per_link
    }

    /// The friction that is kept, with what it stands for: coefficients by column.
    ///
    /// Joints that turn together, at speeds f w, have viscous torques f² Fv w, which act as one, and Coulomb torques
    /// f Fc s(f w) with the smooth sign s, which act as one where |f| is the same.
    pub fn friction_forms<T: Constant, F>(
        &self,
        model: &Model<T>,
        geometry: &Geometry<F>,
    ) -> Vec<(usize, Vec<(usize, f64)>)> {
        // Velocity, term and speed of what is kept so far.
        let mut kept: Vec<(usize, DriveTerm, f64)> = Vec::new();
        let mut forms: Vec<(usize, Vec<(usize, f64)>)> = Vec::new();
        // Friction of joints on their own is itself, and there may be many of them.
        let is_coupled = model.has_mimic();
        for column in self.friction.clone() {
            let parameter = &self.parameters[column];
            let ParameterKind::Drive(term) = parameter.kind else { continue };
            let speed = geometry.links[parameter.link].coupling.map_or(1.0, |coupling| coupling.multiplier.value.abs());
            if speed == 0.0 {
                continue;
            }
            let dof = parameter.column(model).dof;
            let same = |&(other, kind, multiple): &(usize, DriveTerm, f64)| {
                other == dof && kind == term && (term == DriveTerm::Viscous || multiple == speed)
            };
            match kept.iter().position(same).filter(|_| is_coupled) {
                Some(at) => forms[at].1.push((column, (speed / kept[at].2).powi(2))),
                None => {
                    forms.push((column, vec![(column, 1.0)]));
                    if is_coupled {
                        kept.push((dof, term, speed));
                    }
                }
            }
        }
        forms
    }

    /// The unit of every column in powers of the geometry's unit of length: 1 for a mass, its square for an inertia.
    pub fn scales<F>(&self, geometry: &Geometry<F>) -> Vec<f64> {
        let unit = geometry.unit;
        let link = (0..PER_LINK).map(|i| if i == 0 { 1.0 } else { unit.powi(if i < 4 { 1 } else { 2 }) });
        let link: Vec<f64> = link.collect();
        let mut scales: Vec<f64> = link.iter().copied().cycle().take(self.inertial).collect();
        scales.resize(self.width, 1.0);
        for (k, columns) in self.armature_columns.iter().enumerate() {
            for (&column, &local) in columns.iter().zip(&self.armature_numbers[k]) {
                scales[column] = if geometry.links[k].turns[local] { unit * unit } else { 1.0 };
            }
        }
        scales
    }
}
