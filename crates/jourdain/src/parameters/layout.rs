//! Where the parameters of a robot stand among the columns of its regressor: inertias, armatures, friction.

use super::base::Regrouping;
use super::geometry::Geometry;
use super::regroup::Kept;
use super::transport::PER_LINK;
use crate::model::{DriveTerm, Model, Parameter, ParameterKind};
use jourdain_symbolic::Constant;

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
                ParameterKind::Drive(
                    DriveTerm::Viscous | DriveTerm::Coulomb | DriveTerm::Root | DriveTerm::Stribeck | DriveTerm::Offset,
                ) => friction = friction.min(at),
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
    pub fn per_link<F>(&self, kept: &[Kept<F>]) -> Vec<usize> {
        let mut per_link = vec![0; self.inertial / PER_LINK];
        kept.iter().filter(|kept| kept.column < self.inertial).for_each(|kept| per_link[kept.link] += 1);
        per_link
    }

    /// The friction that is kept, with what it stands for: coefficients by column.
    ///
    /// Joints that turn together, at speeds f w, have viscous torques f² Fv w, which act as one, and Coulomb torques
    /// f Fc s(f w) with the smooth sign s, which act as one where |f| is the same. So do √ and Stribeck friction, the latter if it
    /// falls over the same speed; offsets are f Fo.
    ///
    /// Trap: an offset is kept whatever else there is. At a joint that slides along gravity, with a rotor, mass and offset
    /// go together: m (q̈ + g) = Ia q̈ + Fo. There the parameters are one too many.
    pub fn friction_forms<T: Constant, F>(
        &self,
        model: &Model<T>,
        geometry: &Geometry<F>,
    ) -> Vec<(usize, Vec<(usize, f64)>)> {
        // Velocity, term, factor and speed over which it falls, of what is kept so far.
        let mut kept: Vec<(usize, DriveTerm, f64, T)> = Vec::new();
        let mut forms: Vec<(usize, Vec<(usize, f64)>)> = Vec::new();
        // Friction of joints on their own is itself, and there may be many of them.
        let is_coupled = model.has_mimic();
        for column in self.friction.clone() {
            let parameter = &self.parameters[column];
            let ParameterKind::Drive(term) = parameter.kind else { continue };
            let factor = geometry.links[parameter.link].coupling.map_or(1.0, |coupling| coupling.multiplier.value);
            let Some(motor) = model.links()[parameter.link].motor.as_ref().filter(|_| factor != 0.0) else { continue };
            let dof = parameter.column(model).dof;
            let same = |&(other, kind, multiple, falls): &(usize, DriveTerm, f64, T)| {
                let as_fast = f64::abs(multiple) == f64::abs(factor);
                let alike = match term {
                    DriveTerm::Armature | DriveTerm::Viscous | DriveTerm::Offset => true,
                    DriveTerm::Coulomb | DriveTerm::Root => as_fast,
                    DriveTerm::Stribeck => as_fast && falls == motor.stribeck_speed,
                };
                other == dof && kind == term && alike
            };
            match kept.iter().position(same).filter(|_| is_coupled) {
                Some(at) => {
                    let ratio = factor / kept[at].2;
                    // What f (f w) and f s(f w) are multiplied by is even in f.
                    let share = if term == DriveTerm::Offset { ratio } else { ratio.powi(2) };
                    forms[at].1.push((column, share));
                }
                None => {
                    forms.push((column, vec![(column, 1.0)]));
                    if is_coupled {
                        kept.push((dof, term, factor, motor.stribeck_speed));
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
