//! The robot with estimated parameters, as a file can hold it.
//!
//! Base parameters are fewer than the numbers of a robot file, so what the data do not show stays as the file had it: the
//! standard parameters keep their values, but for the kept ones, which take up the difference between estimated and prior base
//! parameters. As base = B · standard with B the identity on kept columns, the new robot has exactly the estimated base
//! parameters, so the same torques. Links come out near the file's where the file was good; nothing makes them physical.
//!
//! Trap: a file gives the first moment as mass times centre of mass, so a link with a first moment needs a mass. Where it
//! has none a kilogram is added along the direction that the motion does not show.

use super::consistent::Consistent;
use super::error::IdentifyError;
use super::problem::Problem;
use super::written_drives::write_terms;
use crate::dynamics::closed_form::parameters;
use crate::model::check::check;
use crate::model::description::{Description, InertiaDescription};
use crate::model::{DriveTerm, Model, Number, Parameter, ParameterKind};

/// A mass below this, over the first moment, gives no centre of mass.
const LEAST_MASS: f64 = 1e-6;

/// The robot's description with estimated values of the unknowns.
///
/// # Errors
/// A link that cannot be given a mass.
pub fn estimated_robot(problem: &Problem, values: &[f64]) -> Result<Description, IdentifyError> {
    let (model, base) = (problem.model(), problem.base());
    let mut standard = parameters(model);
    let prior = base.values(&standard);
    for (&k, value) in problem.unknowns().iter().zip(values) {
        standard[base.kept()[k]] += value - prior[k];
    }
    let null = base.null_space();
    for (index, link) in model.links().iter().enumerate() {
        let mass = 10 * index;
        let moment = standard[mass + 1..mass + 4].iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if moment == 0.0 || standard[mass].abs() > LEAST_MASS * moment {
            continue;
        }
        let row = (0..null.rows()).find(|&row| null[(row, mass)] == 1.0 && !base.kept().contains(&mass));
        let row = row.ok_or_else(|| IdentifyError::NoMass { link: link.name.clone() })?;
        for (column, value) in standard.iter_mut().enumerate() {
            *value += null[(row, column)];
        }
    }
    let mut description = written(problem, &standard);
    write_terms(&mut description, problem, values);
    Ok(description)
}

/// The robot's description with the parameters of a consistent estimate; what was not free is as the robot file has it.
#[must_use]
pub fn consistent_robot(problem: &Problem, consistent: &Consistent) -> Description {
    let mut description = written(problem, &consistent.standard);
    write_terms(&mut description, problem, &consistent.values);
    // The file may have asked for leave that its estimate does not need.
    description.allow_unphysical = false;
    description.allow_unphysical = check(&description).iter().any(crate::model::Diagnostic::is_error);
    description
}

/// The robot's description with these standard parameters.
fn written(problem: &Problem, standard: &[f64]) -> Description {
    let mut description = problem.written().description().clone();
    write_inertias(&mut description, standard);
    write_drives(&mut description, problem, standard);
    description.allow_unphysical |= check(&description).iter().any(crate::model::Diagnostic::is_error);
    description.without_locations()
}

fn write_inertias(description: &mut Description, standard: &[f64]) {
    for (link, pi) in description.links.iter_mut().zip(standard.chunks_exact(10)) {
        if pi.iter().all(|x| *x == 0.0) {
            continue;
        }
        link.has_inertial = true;
        link.mass = Number::from(pi[0]);
        link.com = std::array::from_fn(|i| Number::from(if pi[0] == 0.0 { 0.0 } else { pi[1 + i] / pi[0] }));
        link.inertia = InertiaDescription::AboutOrigin(std::array::from_fn(|i| Number::from(pi[4 + i])));
    }
}

/// Friction and rotors; joints of several numbers share one motor, which gets the mean.
fn write_drives(description: &mut Description, problem: &Problem, standard: &[f64]) {
    for (index, link) in description.links.iter_mut().enumerate() {
        let Some(motor) = &mut link.motor else { continue };
        let mean = |term: DriveTerm| -> Option<f64> {
            let own = |parameter: &Parameter| parameter.link == index && parameter.kind == ParameterKind::Drive(term);
            let columns = problem.base().parameters().iter().zip(standard);
            let found: Vec<f64> = columns.filter(|(parameter, _)| own(parameter)).map(|(_, x)| *x).collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        if let Some(viscous) = mean(DriveTerm::Viscous) {
            // Of a rigid drive it is all of it, the rotor's included.
            motor.viscous = Number::from(viscous);
            motor.rotor_viscous = if motor.stiffness.is_none() { Number::ZERO } else { motor.rotor_viscous };
        }
        if let Some(coulomb) = mean(DriveTerm::Coulomb) {
            motor.coulomb = Number::from(coulomb);
            motor.rotor_coulomb = if motor.stiffness.is_none() { Number::ZERO } else { motor.rotor_coulomb };
        }
        let square = motor.ratio.value * motor.ratio.value;
        if let Some(armature) = mean(DriveTerm::Armature).filter(|_| square > 0.0) {
            motor.inertia = Number::from(armature / square);
        }
    }
}

/// The model of a robot with estimated values.
///
/// # Errors
/// A link that cannot be given a mass, or a robot that cannot be built.
pub fn estimated_model(problem: &Problem, values: &[f64]) -> Result<Model<f64>, IdentifyError> {
    let description = estimated_robot(problem, values)?;
    Model::from_description(&description).map_err(|error| IdentifyError::Robot { message: error.to_string() })
}
