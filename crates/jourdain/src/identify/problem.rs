//! What is identified: which base parameters, and which of them each joint feels.
//!
//! Every joint that moves gets a drive, so that its friction has columns even if the robot file names none. The unknowns are
//! the base parameters of that robot, less the drive terms that are not asked for: those keep the values of the robot file and
//! their torque is taken off the measured one. This is exact: inertial columns come first when base parameters are chosen,
//! so leaving columns of drives out never makes another one dependent.
//!
//! A problem may have more: the [terms](super::terms) of a model of the drives, which the equations of motion do not have. Their unknowns
//! come after the base parameters.

use super::accumulate::Sample;
use super::error::IdentifyError;
use super::hysteresis::Coordinates;
use super::terms::{self, DriveColumn, Term};
use crate::dynamics::closed_form::parameters;
use crate::model::description::{Description, MotorDescription};
use crate::model::{DriveTerm, Link, Model, Parameter, ParameterKind};
use crate::parameters::names::{Name, base_names};
use crate::parameters::{BaseParameters, nominal};

/// Which terms of the drives are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drives {
    /// Rotor inertias.
    pub armature: bool,
    /// Viscous friction.
    pub viscous: bool,
    /// Coulomb friction.
    pub coulomb: bool,
}

impl Default for Drives {
    /// Friction without rotors.
    fn default() -> Self {
        Self { armature: false, viscous: true, coulomb: true }
    }
}

impl Drives {
    /// True if a term is unknown.
    #[must_use]
    pub fn asks_for(self, term: DriveTerm) -> bool {
        match term {
            DriveTerm::Armature => self.armature,
            DriveTerm::Viscous => self.viscous,
            DriveTerm::Coulomb => self.coulomb,
            DriveTerm::Root | DriveTerm::Stribeck | DriveTerm::Offset => false,
        }
    }
}

/// What becomes of unknowns that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// They have the values of the robot file, whose torque is known.
    AsWritten,
    /// They are zero.
    Zero,
}

/// The unknowns of an identification.
#[derive(Clone, Debug)]
pub struct Problem {
    drives: Drives,
    /// The robot as written, with a drive at every joint.
    written: Model<f64>,
    /// The nominal one: base parameters are its.
    model: Model<f64>,
    base: BaseParameters,
    /// Index among the base parameters, of each unknown.
    unknowns: Vec<usize>,
    names: Vec<String>,
    /// Columns with a known value.
    known: Vec<(usize, f64)>,
    /// Per degree of freedom, the unknowns that it can feel.
    felt: Vec<Vec<usize>>,
    joints: Vec<String>,
    coordinates: Coordinates,
    /// The terms of the drives, the last unknowns.
    terms: Vec<DriveColumn>,
    /// Values of the base unknowns that tell the load of the drives.
    load: Option<Vec<f64>>,
    /// Inertial parameters that tell it instead.
    links: Option<Vec<f64>>,
}

impl Problem {
    /// The unknowns of a robot.
    ///
    /// # Errors
    /// A robot without moving joints.
    pub fn new(model: &Model<f64>, drives: Drives) -> Result<Self, IdentifyError> {
        if model.nv() == 0 {
            return Err(IdentifyError::NoJoints { robot: model.name().to_owned() });
        }
        let written = with_drives(model, drives)?;
        let model = nominal(&written).clone();
        let base = BaseParameters::new(&model);
        let all_names: Vec<_> = base_names(&model, &base).iter().map(Name::text).collect();
        let prior = base.values(&parameters(&model));
        let (mut unknowns, mut known) = (Vec::new(), Vec::new());
        for (k, (&column, &value)) in base.kept().iter().zip(&prior).enumerate() {
            let asked = match base.parameters()[column].kind {
                ParameterKind::Inertial(_) => true,
                ParameterKind::Drive(term) => drives.asks_for(term),
            };
            if asked {
                unknowns.push(k);
            } else if value != 0.0 {
                known.push((column, value));
            }
        }
        let names = unknowns.iter().map(|&k| all_names[k].clone()).collect();
        let acts = columns_of_degrees(&model, base.parameters());
        let felt = acts.iter().map(|acts| (0..unknowns.len()).filter(|&i| acts[base.kept()[unknowns[i]]]).collect());
        let felt = felt.collect();
        let joints: Vec<String> = model.velocities().iter().map(ToString::to_string).collect();
        let coordinates = Coordinates::joints(joints.len());
        let (terms, load, links) = (Vec::new(), None, None);
        Ok(Self { drives, written, model, base, unknowns, names, known, felt, joints, coordinates, terms, load, links })
    }

    /// The same with all terms of the drives as unknowns too. `load` has the values of the base unknowns by which
    /// the load of the drives is known; without it no friction rises with load.
    #[must_use]
    pub fn with_terms(mut self, coordinates: &Coordinates, load: Option<&[f64]>) -> Self {
        let base = self.unknowns.len();
        // The terms take the place of all friction that the robot file has.
        let parameters = self.base.parameters();
        self.known.retain(|(column, _)| !parameters[*column].kind.is_friction());
        self.names.truncate(base);
        self.felt.iter_mut().for_each(|felt| felt.retain(|i| *i < base));
        self.terms = terms::columns(coordinates, load.is_some());
        self.names.extend(self.terms.iter().map(|term| term.name(coordinates)));
        self.coordinates = coordinates.clone();
        self.load = load.map(<[f64]>::to_vec);
        for (j, felt) in self.felt.iter_mut().enumerate() {
            felt.extend(
                (0..self.terms.len())
                    .filter(|&e| coordinates.row(self.terms[e].coordinate)[j] != 0.0)
                    .map(|e| base + e),
            );
        }
        self
    }

    /// The same with a torque offset at every joint as the only term.
    #[must_use]
    pub fn with_offsets(self) -> Self {
        let coordinates = Coordinates::joints(self.joints.len());
        let offset = ParameterKind::Drive(DriveTerm::Offset);
        let known = self.known.iter().filter(|(column, _)| self.base.parameters()[*column].kind != offset);
        let known = known.copied().collect();
        let mut with = self.with_terms(&coordinates, None);
        with.known = known;
        let base = with.unknowns.len();
        with.terms.retain(|term| term.term == Term::Offset);
        with.names.truncate(base);
        with.names.extend(with.terms.iter().map(|term| term.name(&coordinates)));
        for (j, felt) in with.felt.iter_mut().enumerate() {
            felt.retain(|i| *i < base);
            felt.push(base + j);
        }
        with
    }

    /// The same with some of its unknowns; `keep` has an entry for each. The others are left out: they have the values of the robot file, or
    /// none.
    #[must_use]
    pub fn reduced(&self, keep: &[bool], rest: Rest) -> Self {
        let (mut reduced, base, prior) = (self.clone(), self.unknowns.len(), self.prior());
        let kept = |i: &usize| keep.get(*i).copied().unwrap_or(false);
        let all = 0..self.count();
        if rest == Rest::AsWritten {
            let left = all.clone().filter(|i| *i < base && !kept(i) && prior[*i] != 0.0);
            reduced.known.extend(left.map(|i| (self.column(i), prior[i])));
        }
        let places: Vec<usize> = all.filter(kept).collect();
        let place = |i: &usize| places.binary_search(i).ok();
        reduced.unknowns = places.iter().filter(|i| **i < base).map(|&i| self.unknowns[i]).collect();
        reduced.terms = places.iter().filter(|i| **i >= base).map(|&i| self.terms[i - base]).collect();
        reduced.names = places.iter().map(|&i| self.names[i].clone()).collect();
        reduced.felt = self.felt.iter().map(|felt| felt.iter().filter_map(place).collect()).collect();
        reduced.load = self.load.as_ref().map(|load| places.iter().filter(|i| **i < base).map(|&i| load[i]).collect());
        reduced
    }

    /// The coordinates that drives act along.
    #[must_use]
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// The terms of the drives: the unknowns after the base parameters.
    #[must_use]
    pub fn terms(&self) -> &[DriveColumn] {
        &self.terms
    }

    /// Values of the base unknowns that tell the load of the drives.
    #[must_use]
    pub fn load(&self) -> Option<&[f64]> {
        self.load.as_deref()
    }

    /// The same with the load of the drives by these inertial parameters, ten per link: that of an estimate which is complete.
    #[must_use]
    pub fn with_load_of(mut self, links: &[f64]) -> Self {
        self.links = Some(links[..10 * self.model.links().len()].to_vec());
        self
    }

    /// How much of a term reaches a degree of freedom.
    pub(super) fn share(&self, term: usize, degree: usize) -> f64 {
        self.coordinates.row(self.terms[term].coordinate)[degree]
    }

    /// The torque of the rigid body at a degree of freedom, by which its drive is loaded.
    pub(super) fn rigid(&self, degree: usize, row: impl Fn(usize) -> f64) -> f64 {
        self.loads(degree).map(|(column, value)| row(column) * value).sum()
    }

    /// The columns of the regressor that load the drive of a degree of freedom, with the value of each.
    pub(super) fn loads(&self, degree: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let links = self.links.iter().flatten().copied().enumerate();
        let inertial = |i: usize| {
            let column = self.base.kept()[*self.unknowns.get(i)?];
            let is_inertial = matches!(self.base.parameters()[column].kind, ParameterKind::Inertial(_));
            is_inertial.then_some(column)
        };
        let value = |i: usize| self.load.as_ref().and_then(|load| load.get(i).copied());
        // The links of an estimate, where they are given, take the place of the first fit's.
        let first = self.felt[degree].iter().filter(|_| self.links.is_none());
        links.chain(first.filter_map(move |&i| Some((inertial(i)?, value(i)?))))
    }

    /// The values of all terms at a sample, given the torque of the rigid body at each degree of freedom.
    pub(super) fn term_values(&self, sample: &Sample<'_>, rigid: impl Fn(usize) -> f64, to: &mut [f64]) {
        let (mut coordinate, mut speed, mut acceleration) = (usize::MAX, 0.0, 0.0);
        for (term, to) in self.terms.iter().zip(to) {
            // Terms of a coordinate stand together.
            if term.coordinate != coordinate {
                coordinate = term.coordinate;
                speed = self.coordinates.along(coordinate, sample.qd);
                acceleration = self.coordinates.along(coordinate, sample.qdd);
            }
            let load = if term.term == Term::Load { rigid(term.coordinate) } else { 0.0 };
            *to = term.value(speed, acceleration, sample.z, load);
        }
    }

    /// The [nominal](crate::parameters::nominal()) robot, with a drive at every joint.
    #[must_use]
    pub fn model(&self) -> &Model<f64> {
        &self.model
    }

    /// The robot as it is written, with a drive at every joint.
    #[must_use]
    pub fn written(&self) -> &Model<f64> {
        &self.written
    }

    /// Which terms of the drives are unknown.
    #[must_use]
    pub fn drives(&self) -> Drives {
        self.drives
    }

    /// Its base parameters, known ones included.
    #[must_use]
    pub fn base(&self) -> &BaseParameters {
        &self.base
    }

    /// Number of unknowns.
    #[must_use]
    pub fn count(&self) -> usize {
        self.unknowns.len() + self.terms.len()
    }

    /// The names of the unknowns.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The values that the robot file gives the unknowns.
    #[must_use]
    pub fn prior(&self) -> Vec<f64> {
        let prior = self.base.values(&parameters(&self.model));
        self.unknowns.iter().map(|&k| prior[k]).chain(self.terms.iter().map(|_| 0.0)).collect()
    }

    /// The indices among the base parameters of the unknowns that are such.
    #[must_use]
    pub fn unknowns(&self) -> &[usize] {
        &self.unknowns
    }

    /// The column of the regressor that an unknown multiplies, if it is a base parameter.
    #[must_use]
    pub fn column(&self, unknown: usize) -> usize {
        self.base.kept()[self.unknowns[unknown]]
    }

    /// The column of the regressor of an unknown; `None` for a term of a drive.
    pub(super) fn regressor_column(&self, unknown: usize) -> Option<usize> {
        (unknown < self.unknowns.len()).then(|| self.column(unknown))
    }

    /// True if an unknown is the unknown `i` of another problem of the same robot.
    pub(super) fn is_same(&self, unknown: usize, other: &Self, i: usize) -> bool {
        match (self.regressor_column(unknown), other.regressor_column(i)) {
            (Some(own), Some(column)) => own == column,
            (None, None) => self.terms[unknown - self.unknowns.len()] == other.terms[i - other.unknowns.len()],
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Columns of the regressor with a value that is known, and the value.
    #[must_use]
    pub fn known(&self) -> &[(usize, f64)] {
        &self.known
    }

    /// The unknowns that a degree of freedom can feel: those of the links it moves and of its own drive.
    #[must_use]
    pub fn felt(&self, degree: usize) -> &[usize] {
        &self.felt[degree]
    }

    /// The names of the degrees of freedom: the joint's, numbered where a joint has several.
    #[must_use]
    pub fn joints(&self) -> &[String] {
        &self.joints
    }

    /// The torque of a degree of freedom, out of a row of the regressor, the values of the terms and those of the unknowns.
    #[must_use]
    pub fn torque(&self, degree: usize, row: &[f64], terms: &[f64], values: &[f64]) -> f64 {
        let base = self.unknowns.len();
        let column = |i: usize| match i.checked_sub(base) {
            Some(term) => terms[term] * self.share(term, degree),
            None => row[self.column(i)],
        };
        let unknown: f64 = self.felt[degree].iter().map(|&i| column(i) * values[i]).sum();
        unknown + self.known.iter().map(|&(column, value)| row[column] * value).sum::<f64>()
    }
}

/// True for joints that get a drive: those that move by numbers of their own.
fn has_drive(link: &Link<f64>) -> bool {
    link.joint.nv() > 0 && link.joint.nq() == link.joint.nv() && link.mimic.is_none()
}

/// The same robot with a drive at every joint. Where viscous and Coulomb friction are both unknown, they are all that the file is asked
/// for.
fn with_drives(model: &Model<f64>, drives: Drives) -> Result<Model<f64>, IdentifyError> {
    let mut description: Description = model.description().clone();
    for (link, described) in model.links().iter().zip(&mut description.links) {
        // Motors that turn with several joints are terms along coordinates of their own.
        described.shaft = None;
        if described.motor.is_none() && has_drive(link) {
            described.motor = Some(MotorDescription::default());
        }
        if let Some(motor) = described.motor.as_mut().filter(|_| drives.viscous && drives.coulomb) {
            *motor = motor.with_simple_friction();
        }
    }
    Model::from_description(&description)
        .map(|with| with.with_snap(model.snap()))
        .map_err(|error| IdentifyError::Robot { message: error.to_string() })
}

/// Per degree of freedom, the regressor columns that can be other than zero in its row.
fn columns_of_degrees(model: &Model<f64>, parameters: &[Parameter]) -> Vec<Vec<bool>> {
    let mut acts = vec![vec![false; parameters.len()]; model.nv()];
    for (at, parameter) in parameters.iter().enumerate() {
        match parameter.kind {
            ParameterKind::Inertial(_) => {
                for above in model.chain(parameter.link) {
                    model.columns()[model.columns_of(above)].iter().for_each(|column| acts[column.dof][at] = true);
                }
            }
            ParameterKind::Drive(_) => acts[parameter.column(model).dof][at] = true,
        }
    }
    acts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;
    use crate::dynamics::recursive::{self, parameter_count};
    use crate::random::Random;
    use crate::robots;

    #[test]
    fn a_puma_has_thirty_six_inertial_unknowns_and_friction_of_six_joints() {
        let model = robots::load("puma560").unwrap();
        let problem = Problem::new(&model, Drives::default()).unwrap();
        assert_eq!(problem.count(), 36 + 12);
        let all = Problem::new(&model, Drives { armature: true, ..Drives::default() }).unwrap();
        assert_eq!(all.count(), 40 + 12);
        let none = Problem::new(&model, Drives { armature: false, viscous: false, coulomb: false }).unwrap();
        assert_eq!(none.count(), 36);
        assert_eq!(none.names()[0], "ZZR1");
    }

    #[test]
    fn what_a_joint_does_not_feel_is_zero_in_its_row() {
        for name in ["puma560", "scara", "humanoid25"] {
            let model = robots::load(name).unwrap();
            let problem = Problem::new(&model, Drives { armature: true, ..Drives::default() }).unwrap();
            let (model, mut random) = (problem.model(), Random(3));
            let width = parameter_count(model);
            let mut y = vec![0.0; model.nv() * width];
            let [q, w, a] = std::array::from_fn(|_| random.vector(model.nv()));
            recursive::regressor_into(model, &q, &w, &a, &mut Workspace::new(model), &mut y);
            for (degree, row) in y.chunks(width).enumerate() {
                for i in (0..problem.count()).filter(|i| !problem.felt(degree).contains(i)) {
                    assert_eq!(row[problem.column(i)], 0.0, "{name}, joint {degree}, {}", problem.names()[i]);
                }
            }
        }
    }

    #[test]
    fn the_prior_gives_the_torques_of_the_robot() {
        for name in ["puma560", "stanford"] {
            let model = robots::load(name).unwrap();
            let problem = Problem::new(&model, Drives { armature: false, viscous: false, coulomb: false }).unwrap();
            let (prior, mut random) = (problem.prior(), Random(8));
            let width = parameter_count(problem.model());
            let mut y = vec![0.0; model.nv() * width];
            let [q, w, a] = std::array::from_fn(|_| random.vector(model.nv()));
            recursive::regressor_into(problem.model(), &q, &w, &a, &mut Workspace::new(problem.model()), &mut y);
            let exact = recursive::inverse_dynamics(&model, &q, &w, &a, &[]);
            for (degree, row) in y.chunks(width).enumerate() {
                assert!((problem.torque(degree, row, &[], &prior) - exact[degree]).abs() < 1e-10, "{name}");
            }
        }
    }
}
