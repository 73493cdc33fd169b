//! Whose factors these are: of which robot, of which rows of which logs, read how, by which version of the program.
//!
//! A robot is known by what the regressor makes of it, not by its file: the joints' names in their order, and the columns of the
//! inertial unknowns at two states. So the same arm in another format is the same robot, whatever its inertias, and one with other
//! lengths, another gravity or other zero positions is none. A log is known by its content, wherever it lies and whatever its name is.
//!
//! Trap: what one file says twice, in other bytes, is not seen to be the same: a log that was converted, or one that grew since.

use super::error::IdentifyError;
use super::hash::Hash;
use super::problem::Problem;
use crate::dynamics::balance;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::formats::table::Table;
use crate::model::{Model, ParameterKind};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How far numbers of the same robot may differ, as a share of the largest: files have so many digits.
const ALIKE: f64 = 1e-7;
/// States that robots are compared at.
const STATES: usize = 2;

/// Whose factors these are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The version of the program that made them.
    pub program: String,
    /// The robot.
    pub robot: RobotIdentity,
    /// What they are of, in the order in which it was taken in.
    pub logs: Vec<LogPart>,
}

/// What tells a robot from others, whatever its inertias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotIdentity {
    /// Its name, for messages alone.
    pub name: String,
    /// The names of its degrees of freedom.
    pub joints: Vec<String>,
    /// What its regressor makes of some states, SI.
    pub fingerprint: Vec<f64>,
}

/// Rows of a log, and how they were read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogPart {
    /// The log's name, for messages alone.
    pub file: String,
    /// Hash of all of its content.
    #[serde(with = "hexadecimal")]
    pub hash: u64,
    /// How many rows it has in all.
    pub rows: u64,
    /// The first row that was taken, from 0.
    pub from: u64,
    /// The row after the last that was taken.
    pub to: u64,
    /// Which of how many parts these rows are, from 1, if it was shared out.
    pub part: Option<[u64; 2]>,
    /// How it was read.
    pub settings: LogSettings,
    /// What became of the rows, if it was kept.
    #[serde(default)]
    pub counts: Option<RowCounts>,
}

/// What became of the rows of a log: `read` is the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// Rows that were read.
    pub read: u64,
    /// Rows that became samples.
    pub used: u64,
    /// Rows that were the one before once more.
    pub doubled: u64,
    /// Rows that were passed over by thinning.
    pub thinned: u64,
    /// Rows at the ends of the log and around gaps, where no derivatives are known.
    pub edges: u64,
}

/// How a log was read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogSettings {
    /// Cut-off of the smoothing, Hz, if there was one.
    pub cutoff: Option<f64>,
    /// Torques belong to the motion so many seconds later.
    pub delay: f64,
    /// Every so manieth sample was taken.
    pub decimate: u64,
    /// What columns were late by, each on its own: a number that stands for these times, zero if none was.
    #[serde(default)]
    pub late: u64,
}

impl Identity {
    /// Of a problem, without logs.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        Self { program: env!("CARGO_PKG_VERSION").to_owned(), robot: RobotIdentity::new(problem), logs: Vec::new() }
    }

    /// Takes in that of factors that are to be merged.
    ///
    /// # Errors
    /// Another robot, rows that are there already, or rows of the same log that were read in another way.
    pub fn merge(&mut self, other: &Self) -> Result<(), IdentifyError> {
        self.robot.check(&other.robot)?;
        // Only parts of the same log can collide, and there may be many logs.
        let mut by_log: HashMap<u64, Vec<&LogPart>> = HashMap::new();
        self.logs.iter().for_each(|own| by_log.entry(own.hash).or_default().push(own));
        for part in &other.logs {
            let same = by_log.entry(part.hash).or_default();
            same.iter().try_for_each(|own| own.check(part))?;
            same.push(part);
        }
        self.logs.extend(other.logs.iter().cloned());
        Ok(())
    }

    /// What is missing of the logs that parts are there of: `part 3 of 8 of log.csv is missing`.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (at, first) in self.logs.iter().enumerate() {
            if self.logs[..at].iter().any(|part| part.hash == first.hash) {
                continue;
            }
            let parts: Vec<&LogPart> = self.logs.iter().filter(|part| part.hash == first.hash).collect();
            let shares = parts.iter().map(|part| part.part.map(|[_, of]| of));
            match first.part {
                Some([_, of]) if shares.clone().all(|share| share == Some(of)) => {
                    let gone = (1..=of).filter(|number| !parts.iter().any(|part| part.part == Some([*number, of])));
                    missing.extend(gone.map(|number| format!("part {number} of {of} of {} is missing", first.file)));
                }
                _ => missing.extend(
                    gaps(&parts).map(|[from, to]| format!("rows {} to {to} of {} are missing", from + 1, first.file)),
                ),
            }
        }
        missing
    }
}

/// The rows of one log that no part has.
fn gaps<'a>(parts: &[&'a LogPart]) -> impl Iterator<Item = [u64; 2]> + use<'a> {
    let mut ranges: Vec<[u64; 2]> = parts.iter().map(|part| [part.from, part.to]).collect();
    ranges.sort_unstable();
    let rows = parts.first().map_or(0, |part| part.rows);
    ranges.push([rows, rows]);
    let mut end = 0;
    ranges.into_iter().filter_map(move |[from, to]| {
        let gap = [end, from];
        end = end.max(to);
        (gap[0] < gap[1]).then_some(gap)
    })
}

impl LogPart {
    /// Checks that another part of the same log may be beside it.
    fn check(&self, other: &Self) -> Result<(), IdentifyError> {
        let (from, to) = (self.from.max(other.from), self.to.min(other.to));
        if from < to {
            let (file, other) = (self.file.clone(), other.file.clone());
            return Err(IdentifyError::SameSamples { file, other, from: from + 1, to });
        }
        if self.settings != other.settings {
            let (own, found) = (self.settings.to_string(), other.settings.to_string());
            return Err(IdentifyError::OtherSettings { file: other.file.clone(), own, found });
        }
        Ok(())
    }
}

impl std::fmt::Display for LogSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.cutoff {
            Some(cutoff) => write!(f, "a cut-off of {cutoff} Hz")?,
            None => write!(f, "no smoothing")?,
        }
        write!(f, ", a delay of {} s, every {}. sample", self.delay, self.decimate)?;
        if self.late == 0 { Ok(()) } else { write!(f, ", columns with delays of their own") }
    }
}

impl RobotIdentity {
    fn new(problem: &Problem) -> Self {
        let model = problem.model();
        let fingerprint = (0..STATES).flat_map(|k| fingerprint(problem, k)).collect();
        Self { name: model.name().to_owned(), joints: problem.joints().to_vec(), fingerprint }
    }

    fn check(&self, other: &Self) -> Result<(), IdentifyError> {
        let largest = self.fingerprint.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let pairs = || self.fingerprint.iter().zip(&other.fingerprint);
        let detail = if self.joints.len() != other.joints.len() {
            format!("it has {} degrees of freedom instead of {}", other.joints.len(), self.joints.len())
        } else if let Some((own, found)) = self.joints.iter().zip(&other.joints).find(|(own, found)| own != found) {
            format!("joint `{found}` stands where `{own}` is here")
        } else if self.fingerprint.len() != other.fingerprint.len()
            || pairs().any(|(a, b)| (a - b).abs() > ALIKE * largest)
        {
            "its joints have the same names, but geometry, gravity or zero positions are others".to_owned()
        } else {
            return Ok(());
        };
        Err(IdentifyError::OtherRobot { expected: self.name.clone(), found: other.name.clone(), detail })
    }
}

/// Per degree of freedom, its row of the regressor at one state, the inertial unknowns being as many different numbers; and the torque of
/// what is known beside them.
fn fingerprint(problem: &Problem, state: usize) -> Vec<f64> {
    let model = problem.model();
    let (n, width) = (model.nv(), parameter_count(model));
    // Fractions of multiples of irrational numbers: different for all joints and states, and the same everywhere.
    let number = |k: usize, turn: f64| 2.0 * ((k + 1 + 17 * state) as f64 * turn).fract() - 1.0;
    let mut q: Vec<f64> = (0..model.nq()).map(|k| number(k, 0.618_033_988_749_895)).collect();
    normalise(model, &mut q);
    let qd: Vec<f64> = (0..n).map(|k| number(k, 0.414_213_562_373_095)).collect();
    let qdd: Vec<f64> = (0..n).map(|k| number(k, 0.732_050_807_568_877)).collect();
    let mut rows = vec![0.0; n * width];
    regressor_into(model, &q, &qd, &qdd, &mut Workspace::new(model), &mut rows);
    let kind = |unknown: &usize| problem.base().parameters()[problem.column(*unknown)].kind;
    let inertial: Vec<usize> = (0..problem.unknowns().len())
        .filter(|unknown| matches!(kind(unknown), ParameterKind::Inertial(_)))
        .map(|unknown| problem.column(unknown))
        .collect();
    let row = |j: usize| &rows[j * width..][..width];
    let value = |k: usize| 1.0 + 0.5 * number(k, 0.236_067_977_499_79);
    let own = (0..n).map(|j| inertial.iter().enumerate().map(|(k, column)| value(k) * row(j)[*column]).sum::<f64>());
    let known = (0..n).map(|j| problem.known().iter().map(|(column, value)| value * row(j)[*column]).sum::<f64>());
    let mut held = vec![0.0; n];
    balance::add_torques(model, &q, &mut held);
    own.chain(known).chain(held).collect()
}

/// Scales quaternions to unit length.
fn normalise(model: &Model<f64>, q: &mut [f64]) {
    for link in model.links().iter().filter(|link| link.joint.nq() != link.joint.nv()) {
        let part = &mut q[link.q + link.joint.nq() - 4..link.q + link.joint.nq()];
        let length = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        part.iter_mut().for_each(|x| *x /= length);
    }
}

/// The hash of a log that is in memory: of its headings and numbers.
#[must_use]
pub fn table_hash(table: &Table) -> u64 {
    let mut hash = Hash::default();
    for (column, heading) in table.headings().iter().enumerate() {
        hash.add(heading.as_bytes());
        hash.add(&[0]);
        table.column(column).iter().for_each(|x| hash.add(&x.to_le_bytes()));
    }
    hash.value()
}

/// Numbers of 64 bits as texts: JSON elsewhere has no room for them.
mod hexadecimal {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom(format!("`{text}` is no hash")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Drives;
    use super::*;
    use crate::{formats, robots};

    fn identity(model: &Model<f64>) -> Identity {
        Identity::new(&Problem::new(model, Drives::default()).unwrap())
    }

    fn part(hash: u64, number: u64, of: u64) -> LogPart {
        let settings = LogSettings { cutoff: Some(12.0), delay: 0.0, decimate: 1, late: 0 };
        let at = |part: u64| 800 * part / of;
        let (from, to) = (at(number - 1), at(number));
        let (file, part) = ("log.csv".to_owned(), Some([number, of]));
        LogPart { file, hash, rows: 800, from, to, part, settings, counts: None }
    }

    fn with(parts: &[LogPart]) -> Identity {
        let mut identity = identity(&robots::load("planar2r").unwrap());
        identity.logs = parts.to_vec();
        identity
    }

    #[test]
    fn a_robot_is_the_same_with_other_inertias_and_in_another_format() {
        let model = robots::load("puma560").unwrap();
        let mut own = identity(&model);
        let mut heavier = model.description().clone();
        heavier.links.iter_mut().for_each(|link| link.mass = 7.0.into());
        assert!(own.merge(&identity(&Model::from_description(&heavier).unwrap())).is_ok());
        let again =
            formats::read(formats::to_toml(model.description()).as_bytes()).into_result("puma560.toml").unwrap().0;
        assert!(own.merge(&identity(&Model::from(again))).is_ok());
    }

    #[test]
    fn another_robot_is_told_by_what_differs() {
        let model = robots::load("planar2r").unwrap();
        let detail = |other: &Model<f64>| identity(&model).merge(&identity(other)).unwrap_err();
        assert!(detail(&robots::load("scara").unwrap()).to_string().contains("degrees of freedom"));
        let mut longer = model.description().clone();
        longer.gravity = [0.0, 0.0, -9.0].map(Into::into);
        let error = detail(&Model::from_description(&longer).unwrap());
        assert_eq!(error.kind(), "other-robot");
        assert!(error.to_string().contains("gravity"), "{error}");
    }

    #[test]
    fn the_same_samples_are_refused_under_any_name_and_parts_side_by_side_are_not() {
        let mut all = with(&[part(7, 1, 4)]);
        assert!(all.merge(&with(&[part(7, 2, 4)])).is_ok());
        let renamed = LogPart { file: "copy.csv".to_owned(), ..part(7, 2, 4) };
        let error = all.merge(&with(&[renamed])).unwrap_err();
        assert_eq!(error.to_string(), "rows 201 to 400 of log.csv are there already: copy.csv has the same content");
        assert!(all.merge(&with(&[part(7, 1, 3)])).unwrap_err().to_string().starts_with("rows 1 to 200"));
        assert!(all.merge(&with(&[part(8, 2, 4)])).is_ok());
        let settings = LogSettings { cutoff: Some(8.0), ..part(7, 3, 4).settings };
        let error = all.merge(&with(&[LogPart { settings, ..part(7, 3, 4) }])).unwrap_err();
        assert_eq!(error.kind(), "other-settings");
        assert!(with(&[]).merge(&with(&[part(7, 1, 4), part(7, 1, 4)])).is_err());
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(
            with(&[part(7, 2, 4), part(7, 4, 4), part(9, 1, 1)]).missing(),
            ["part 1 of 4 of log.csv is missing", "part 3 of 4 of log.csv is missing"]
        );
        assert!(with(&[part(7, 2, 2), part(7, 1, 2)]).missing().is_empty());
        let half = LogPart { part: None, ..part(7, 2, 4) };
        assert_eq!(
            with(&[half, part(7, 4, 4)]).missing(),
            ["rows 1 to 200 of log.csv are missing", "rows 401 to 600 of log.csv are missing"]
        );
    }
}
