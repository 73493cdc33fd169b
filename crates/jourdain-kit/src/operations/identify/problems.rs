//! What is accumulated of the data, and what is solved of that.

use crate::host::Host;
use crate::problem::Problem;
use crate::robot_file;
use jourdain::Model;
use jourdain::formats::Writer;
use jourdain::identify::{
    self, Bounds, ChosenWeight, Coordinates, DriveSettings, Drives, Factors, Rest, consistent_robot, robot_with_drives,
};
use std::path::Path;

/// All drives of a robot file unknown.
const ALL: Drives = Drives { armature: true, viscous: true, coulomb: true };
/// Rotors and viscous friction: hysteresis takes the place of the rest.
const SMOOTH: Drives = Drives { armature: true, viscous: true, coulomb: false };

/// The problems of one identification.
#[derive(Debug)]
pub(in crate::operations) struct Problems {
    /// Base parameters, with what is asked for of the drives, as far as the measured torques show them.
    pub simple: identify::Problem,
    /// All of them.
    whole: identify::Problem,
    /// What is accumulated: all columns that any other needs.
    pub wide: identify::Problem,
    /// With the model of the drives.
    pub with_terms: Option<WithTerms>,
}

/// The model of the drives, and what formats share of it.
#[derive(Debug)]
pub(in crate::operations) struct WithTerms {
    pub full: identify::Problem,
    pub file: identify::Problem,
}

/// Estimates that a robot can have.
pub(in crate::operations) struct Consistent {
    /// With the model of the drives, or with what is asked for of it.
    pub best: identify::Consistent,
    /// With viscous and Coulomb friction alone, if that is less: all that some formats hold.
    pub written: Option<identify::Consistent>,
    /// How the weight was chosen, if it was.
    pub chosen: Option<ChosenWeight>,
}

impl Problems {
    /// Base parameters alone.
    pub fn plain(simple: identify::Problem) -> Self {
        Self { wide: simple.clone(), whole: simple.clone(), simple, with_terms: None }
    }

    /// With the model of the drives, whose load is known.
    pub fn with_terms(
        model: &Model<f64>,
        simple: identify::Problem,
        coordinates: &Coordinates,
        load: &[f64],
    ) -> Result<Self, Problem> {
        let file = identify::Problem::new(model, ALL)?;
        // Coulomb friction comes last among the base parameters and is no load.
        let of = |problem: &identify::Problem| -> Vec<f64> {
            load.iter().copied().chain(std::iter::repeat(0.0)).take(problem.unknowns().len()).collect()
        };
        let full = identify::Problem::new(model, SMOOTH)?;
        let (of_full, of_wide) = (of(&full), of(&file));
        let full = full.with_terms(coordinates, Some(&of_full));
        let wide = file.clone().with_terms(coordinates, Some(&of_wide));
        Ok(Self { whole: simple.clone(), simple, wide, with_terms: Some(WithTerms { full, file }) })
    }

    /// What a log is studied with before the load is known. Coulomb friction is beside the hysteresis here: a drive that has the one and not
    /// the other would else seem to be late.
    pub fn to_study(model: &Model<f64>, coordinates: &Coordinates) -> Result<identify::Problem, Problem> {
        Ok(identify::Problem::new(model, ALL)?.with_terms(coordinates, None))
    }

    /// Those that factors were made with.
    pub fn of_settings(
        model: &Model<f64>,
        simple: identify::Problem,
        settings: &DriveSettings,
    ) -> Result<Self, Problem> {
        let coordinates = Coordinates::from_rows(model.nv(), &settings.coordinates);
        match (coordinates, &settings.load) {
            (Some(coordinates), Some(load)) => Self::with_terms(model, simple, &coordinates, load),
            _ => Ok(Self::plain(simple)),
        }
    }

    /// Leaves out the base parameters that only joints without measured torques show; what is worth knowing about it.
    pub fn leave_out_unmeasured(&mut self, factors: &Factors) -> Result<Vec<String>, Problem> {
        let unmeasured = factors.unmeasured();
        if unmeasured.is_empty() || factors.samples == 0 || unmeasured.len() == factors.ranges.len() {
            return Ok(Vec::new());
        }
        let shown = identify::shown(&self.whole, &factors.select(&self.wide, &self.whole)?);
        self.simple = self.whole.reduced(&shown, Rest::AsWritten);
        let list = |names: Vec<&str>| names.join(", ");
        let joints = list(unmeasured.iter().map(|&j| self.whole.joints()[j].as_str()).collect());
        let names = self.whole.names().iter().zip(&shown);
        let dark: Vec<&str> = names.filter(|(_, shown)| !**shown).map(|(name, _)| name.as_str()).collect();
        let rest = if dark.is_empty() {
            "the other joints show all parameters".to_owned()
        } else {
            format!("as in the robot file stay {}", list(dark))
        };
        Ok(vec![format!("no torques were measured at {joints}: their equations are left out; {rest}")])
    }

    /// The factors of the base parameters.
    pub fn simple_factors(&self, factors: &Factors) -> Result<Factors, Problem> {
        Ok(factors.select(&self.wide, &self.simple)?)
    }

    /// The problem that the best consistent estimate is of.
    pub fn best(&self) -> &identify::Problem {
        self.with_terms.as_ref().map_or(&self.whole, |terms| &terms.full)
    }

    /// The problem of simple friction.
    pub fn file(&self) -> &identify::Problem {
        self.with_terms.as_ref().map_or(&self.whole, |terms| &terms.file)
    }

    /// Estimates that a robot can have.
    pub fn consistent(&self, factors: &Factors, weight: Option<f64>, bounds: &Bounds) -> Result<Consistent, Problem> {
        let (problem, of_best) = (self.best(), factors.select(&self.wide, self.best())?);
        let chosen = match weight {
            Some(_) => None,
            None => Some(identify::choose_weight(problem, &of_best, bounds)?),
        };
        let weight = weight.or(chosen.as_ref().map(|chosen| chosen.weight)).unwrap_or(identify::PRIOR_WEIGHT);
        let best = identify::consistent_within(problem, &of_best, weight, bounds)?;
        let refit =
            |terms: &WithTerms| identify::refit_friction(&terms.file, &factors.select(&self.wide, &terms.file)?, &best);
        let written = self.with_terms.as_ref().map(refit).transpose()?;
        Ok(Consistent { best, written, chosen })
    }

    /// Writes the robot of an estimate: with all of its drives, or with simple friction where the format has no more.
    pub fn write(
        &self,
        estimate: &Consistent,
        factors: &Factors,
        path: &Path,
        writer: &Writer,
        host: &dyn Host,
    ) -> Result<(), Problem> {
        let Some((terms, simple)) = self.with_terms.as_ref().zip(estimate.written.as_ref()) else {
            let robot = consistent_robot(&self.whole, &estimate.best);
            return robot_file::put(path, writer, &robot, host);
        };
        let simple = consistent_robot(&terms.file, simple);
        let is_elastic = |link: &jourdain::model::Link<f64>| link.motor.is_some_and(|motor| motor.stiffness.is_some());
        if terms.file.written().links().iter().any(is_elastic) {
            host.warn("a robot with springs has no hysteresis: viscous and Coulomb friction are written".to_owned());
            return robot_file::put(path, writer, &simple, host);
        }
        let robot = robot_with_drives(&terms.full, &estimate.best, &self.wide, factors)?;
        if writer.keeps_drives {
            robot_file::put(path, writer, &robot, host)
        } else {
            robot_file::put_simple(path, writer, [&simple, &robot], host)
        }
    }
}
