//! The model of the drives as a robot file holds it.
//!
//! Terms of an estimate become keys of the joints' motors, so that along a motion the written robot has the torques of the estimate:
//! [`crate::dynamics::memory`] there is [`super::hysteresis`] here. At a single state a robot has no hysteresis, and its Coulomb
//! friction stands for it and for friction by load: the value with which the data are met best, all else as estimated.
//!
//! Trap: joints of several numbers share one motor, which gets the mean, so that there the torques are not those of the estimate.

use super::consistent::Consistent;
use super::error::IdentifyError;
use super::factors::Factors;
use super::hysteresis::LENGTHS;
use super::problem::Problem;
use super::robot::consistent_robot;
use super::terms::{DriveColumn, Term};
use crate::model::description::{Description, MotorDescription, STRIBECK_SPEED, ShaftDescription};
use crate::model::{DriveTerm, Element, Hysteresis, Number, ParameterKind};

/// The robot of a consistent estimate with all of its drives. `wide` is the problem of `factors`, which has all unknowns of `problem` and
/// Coulomb friction.
///
/// # Errors
/// Factors of another problem.
pub fn robot_with_drives(
    problem: &Problem,
    estimate: &Consistent,
    wide: &Problem,
    factors: &Factors,
) -> Result<Description, IdentifyError> {
    let mut description = consistent_robot(problem, estimate);
    write_shafts(&mut description, problem, &estimate.values);
    let coulomb = coulomb_stand_in(problem, estimate, wide, factors)?;
    for (link, motor) in motors(&mut description) {
        let own = problem.written().columns_of(link).map(|column| coulomb[problem.written().columns()[column].dof]);
        let own: Vec<f64> = own.collect();
        motor.coulomb = Number::from(own.iter().sum::<f64>() / own.len().max(1) as f64);
    }
    Ok(description)
}

/// Writes the terms among the unknowns' values that act along joints.
pub(super) fn write_terms(description: &mut Description, problem: &Problem, values: &[f64]) {
    let model = problem.written();
    let values = &values[problem.unknowns().len()..];
    for (link, motor) in motors(description) {
        let degrees: Vec<usize> = model.columns_of(link).map(|column| model.columns()[column].dof).collect();
        let mean = |which: Term| -> Option<f64> {
            let own = problem.terms().iter().zip(values).filter(|(term, _)| {
                term.coordinate < problem.coordinates().joint_count()
                    && term.term == which
                    && degrees.contains(&term.coordinate)
            });
            let found: Vec<f64> = own.map(|(_, value)| *value).collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        let elements = LENGTHS.iter().enumerate();
        let elements = elements.map(|(k, &length)| Some(Element { length, strength: mean(Term::Element(k))? }));
        if let Some(elements) = elements.collect::<Option<Vec<_>>>() {
            motor.hysteresis = Hysteresis::new(&elements).unwrap_or_default();
        }
        let number = |which: Term| mean(which).map(Number::from);
        motor.root = number(Term::Root).or(motor.root);
        if let Some(stribeck) = number(Term::Stribeck) {
            (motor.stribeck, motor.stribeck_speed) = (Some(stribeck), Number::from(STRIBECK_SPEED));
        }
        motor.offset = number(Term::Offset).or(motor.offset);
        motor.load = number(Term::Load).unwrap_or(motor.load);
    }
}

/// Writes the motors that turn with several joints: each to the last joint that it turns one to one.
fn write_shafts(description: &mut Description, problem: &Problem, values: &[f64]) {
    let (model, coordinates) = (problem.written(), problem.coordinates());
    let values = &values[problem.unknowns().len()..];
    let links: Vec<usize> = model.velocities().iter().map(|velocity| velocity.link).collect();
    for coordinate in coordinates.joint_count()..coordinates.count() {
        let row = coordinates.row(coordinate);
        let Some(own) = row.iter().rposition(|factor| *factor == 1.0) else { continue };
        let value = |which: Term| {
            let same = |term: &DriveColumn| term.coordinate == coordinate && term.term == which;
            problem.terms().iter().position(same).map(|at| values[at])
        };
        let number = |which: Term| value(which).map(Number::from);
        let elements: Vec<Element> = LENGTHS
            .iter()
            .enumerate()
            .map(|(k, &length)| Element { length, strength: value(Term::Element(k)).unwrap_or(0.0) })
            .collect();
        let motor = MotorDescription {
            inertia: number(Term::Rotor).unwrap_or_default(),
            viscous: number(Term::Viscous).unwrap_or_default(),
            coulomb: Number::from(elements.iter().map(|element| element.strength).sum::<f64>()),
            root: number(Term::Root),
            stribeck: number(Term::Stribeck),
            hysteresis: Hysteresis::new(&elements).unwrap_or_default(),
            ..MotorDescription::default()
        };
        let others = row.iter().enumerate().filter(|(j, factor)| *j != own && **factor != 0.0);
        let name = |j: usize| description.links[links[j]].joint.name.clone();
        let with = others.map(|(j, factor)| (name(j), Number::from(*factor))).collect();
        description.links[links[own]].shaft = Some(Box::new(ShaftDescription { with, motor }));
    }
}

/// The motors of the joints that have numbers of their own, with the links' indices.
fn motors(description: &mut Description) -> impl Iterator<Item = (usize, &mut MotorDescription)> {
    let links = description.links.iter_mut().enumerate().filter(|(_, link)| link.joint.mimic.is_none());
    links.filter_map(|(index, link)| Some((index, link.motor.as_mut()?)))
}

/// The Coulomb friction of every joint that stands for hysteresis and load: least squares for that one number.
fn coulomb_stand_in(
    problem: &Problem,
    estimate: &Consistent,
    wide: &Problem,
    factors: &Factors,
) -> Result<Vec<f64>, IdentifyError> {
    let other = || IdentifyError::OtherProblem { expected: wide.count(), found: factors.names.len() };
    if factors.names.len() != wide.count() {
        return Err(other());
    }
    let remembers = |unknown: usize| {
        let term = unknown.checked_sub(wide.unknowns().len()).map(|term| wide.terms()[term]);
        // Shafts have a Coulomb friction of their own, the sum of their elements.
        let along = |term: &DriveColumn| term.coordinate < wide.coordinates().joint_count();
        term.is_some_and(|term| along(&term) && matches!(term.term, Term::Element(_) | Term::Load))
    };
    let value = |unknown: usize| {
        let same = (0..problem.count()).find(|&i| wide.is_same(unknown, problem, i));
        same.filter(|_| !remembers(unknown)).map_or(0.0, |i| estimate.values[i])
    };
    let is_coulomb = |unknown: usize| {
        let parameter = wide.regressor_column(unknown).map(|column| wide.base().parameters()[column].kind);
        parameter == Some(ParameterKind::Drive(DriveTerm::Coulomb))
    };
    let stand_in = |(degree, triangle): (usize, &super::Triangle)| {
        let felt = wide.felt(degree);
        let rest = felt.iter().map(|&i| if is_coulomb(i) { 0.0 } else { value(i) }).chain([-1.0]);
        let rest = triangle.matrix().apply(&rest.collect::<Vec<_>>());
        let own = felt.iter().map(|&i| f64::from(is_coulomb(i))).chain([0.0]);
        let own = triangle.matrix().apply(&own.collect::<Vec<_>>());
        let square: f64 = own.iter().map(|x| x * x).sum();
        let product: f64 = own.iter().zip(&rest).map(|(a, b)| a * b).sum();
        let found = -product / square;
        if found.is_finite() { found.max(0.0) } else { 0.0 }
    };
    Ok(factors.triangles.iter().enumerate().map(stand_in).collect())
}
