//! What is identified: which base parameters, and which of them each joint feels.
//!
//! Every joint that moves gets a drive, so that its friction has columns even if the robot file names none. The unknowns are
//! the base parameters of that robot, less the drive terms that are not asked for: those keep the values of the robot file and
//! their torque is taken off the measured one. This is exact: inertial columns come first when base parameters are chosen,
//! so leaving columns of drives out never makes another one dependent.

use super::error::IdentifyError;
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

/// The unknowns of an identification.
#[derive(Clone, Debug)]
pub struct Problem {
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
        let written = with_drives(model)?;
        let model = nominal(&written).clone();
        let base = BaseParameters::new(&model);
        let all_names: Vec<_> = base_names(&model, &base).iter().map(Name::text).collect();
        let prior = base.values(&parameters(&model));
        let (mut unknowns, mut known) = (Vec::new(), Vec::new());
        for (k, (&column, &value)) in base.kept().iter().zip(&prior).enumerate() {
            let asked = match base.parameters()[column].kind {
                ParameterKind::Inertial(_) => true,
                ParameterKind::Drive(DriveTerm::Armature) => drives.armature,
                ParameterKind::Drive(DriveTerm::Viscous) => drives.viscous,
                ParameterKind::Drive(DriveTerm::Coulomb) => drives.coulomb,
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
        let joints = model.velocities().iter().map(ToString::to_string).collect();
        Ok(Self { written, model, base, unknowns, names, known, felt, joints })
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

    /// Its base parameters, known ones included.
    #[must_use]
    pub fn base(&self) -> &BaseParameters {
        &self.base
    }

    /// Number of unknowns.
    #[must_use]
    pub fn count(&self) -> usize {
        self.unknowns.len()
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
        self.unknowns.iter().map(|&k| prior[k]).collect()
    }

    /// The unknowns' indices among the base parameters.
    #[must_use]
    pub fn unknowns(&self) -> &[usize] {
        &self.unknowns
    }

    /// The column of the regressor that an unknown multiplies.
    #[must_use]
    pub fn column(&self, unknown: usize) -> usize {
        self.base.kept()[self.unknowns[unknown]]
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

    /// The torque of a degree of freedom, out of a row of the regressor and values of the unknowns.
    #[must_use]
    pub fn torque(&self, degree: usize, row: &[f64], values: &[f64]) -> f64 {
        let unknown: f64 = self.felt[degree].iter().map(|&i| row[self.column(i)] * values[i]).sum();
        unknown + self.known.iter().map(|&(column, value)| row[column] * value).sum::<f64>()
    }
}

/// True for joints that get a drive: those that move by numbers of their own.
fn has_drive(link: &Link<f64>) -> bool {
    link.joint.nv() > 0 && link.joint.nq() == link.joint.nv() && link.mimic.is_none()
}

/// The same robot with a drive at every joint.
fn with_drives(model: &Model<f64>) -> Result<Model<f64>, IdentifyError> {
    let mut description: Description = model.description().clone();
    for (link, described) in model.links().iter().zip(&mut description.links) {
        if described.motor.is_none() && has_drive(link) {
            described.motor = Some(MotorDescription::default());
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
                assert!((problem.torque(degree, row, &prior) - exact[degree]).abs() < 1e-10, "{name}");
            }
        }
    }
}
