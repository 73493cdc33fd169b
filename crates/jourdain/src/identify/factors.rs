//! All that is kept of a log: one triangle per joint, how many samples, how far the joints moved.
//!
//! The triangle of a joint is that of the rows (regressor, torque) of its own equation. Weights multiply whole joints, so
//! they can be chosen after the last sample has been seen, and one pass over the data is enough. Factors of parts of a log,
//! or of several logs, [merge](Factors::merge) into those of all of them. Beside the whole, stretches of time are kept apart
//! ([`Blocks`]), for what can only be said by comparing them.

use super::batch::Stretch;
use super::blocks::{Block, Blocks};
use super::error::IdentifyError;
use super::hash::Hash;
use super::identity::Identity;
use super::packed::{Heading, bad, damaged, numbers};
use super::problem::Problem;
use super::triangle::Triangle;
use serde::{Deserialize, Serialize};

/// How far one joint moved and was loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least position.
    pub least: f64,
    /// Largest position.
    pub most: f64,
    /// Highest speed.
    pub speed: f64,
    /// Highest acceleration.
    pub acceleration: f64,
    /// Its torques that count.
    pub rows: u64,
}

impl Range {
    /// Of no samples.
    pub const EMPTY: Self =
        Self { least: f64::INFINITY, most: f64::NEG_INFINITY, speed: 0.0, acceleration: 0.0, rows: 0 };

    fn merge(&mut self, other: &Self) {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.speed = self.speed.max(other.speed);
        self.acceleration = self.acceleration.max(other.acceleration);
        self.rows += other.rows;
    }
}

/// What an identification knows of its data.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// The names of the unknowns, so that factors of different robots do not mix.
    pub names: Vec<String>,
    /// Number of samples.
    pub samples: u64,
    /// Per degree of freedom, the triangle of the columns it feels, in their order, and of its torque.
    pub triangles: Vec<Triangle>,
    /// Per degree of freedom, its motion; of joints with quaternions speeds only.
    pub ranges: Vec<Range>,
    /// The same triangles of stretches of time.
    pub blocks: Blocks,
    /// What the columns of the drives are made with, if there are any.
    pub drives: Option<DriveSettings>,
    /// Of which robot and of which rows of which logs they are.
    pub identity: Identity,
}

/// What the columns of the terms of drives depend on: factors with others do not mix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriveSettings {
    /// Coefficients of the coordinates over the velocities.
    pub coordinates: Vec<Vec<f64>>,
    /// Values of the base unknowns that tell the load.
    pub load: Option<Vec<f64>>,
}

impl DriveSettings {
    fn of(problem: &Problem) -> Option<Self> {
        let coordinates = problem.coordinates();
        let rows = (0..coordinates.count()).map(|k| coordinates.row(k).to_vec()).collect();
        let settings = Self { coordinates: rows, load: problem.load().map(<[f64]>::to_vec) };
        (!problem.terms().is_empty()).then_some(settings)
    }
}

impl Factors {
    /// Of no samples.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let degrees = problem.joints().len();
        let widths: Vec<usize> = (0..degrees).map(|j| problem.felt(j).len() + 1).collect();
        Self {
            names: problem.names().to_vec(),
            samples: 0,
            triangles: widths.iter().map(|width| Triangle::new(*width)).collect(),
            ranges: vec![Range::EMPTY; degrees],
            blocks: Blocks::new(&widths),
            drives: DriveSettings::of(problem),
            identity: Identity::new(problem),
        }
    }

    /// The torques of a joint that count: fewer than samples where some were not measured or left out, and at least one.
    #[must_use]
    pub fn rows(&self, joint: usize) -> f64 {
        (self.ranges[joint].rows as f64).max(1.0)
    }

    /// The joints without a single torque.
    #[must_use]
    pub fn unmeasured(&self) -> Vec<usize> {
        (0..self.ranges.len()).filter(|&j| self.ranges[j].rows == 0).collect()
    }

    /// Takes in the factors of other samples of the same problem. If they do not fit nothing is taken in.
    ///
    /// # Errors
    /// Factors of another robot or problem, or of samples that are there already.
    pub fn merge(&mut self, other: &Self) -> Result<(), IdentifyError> {
        let mut identity = self.identity.clone();
        identity.merge(&other.identity)?;
        let widths = |factors: &Self| factors.triangles.iter().map(Triangle::width).collect::<Vec<_>>();
        if self.names != other.names || widths(self) != widths(other) {
            return Err(IdentifyError::OtherProblem { expected: self.names.len(), found: other.names.len() });
        }
        if self.drives != other.drives {
            return Err(IdentifyError::OtherDrives);
        }
        self.identity = identity;
        self.samples += other.samples;
        for (triangle, other) in self.triangles.iter_mut().zip(&other.triangles) {
            triangle.merge(other);
        }
        for (range, other) in self.ranges.iter_mut().zip(&other.ranges) {
            range.merge(other);
        }
        self.blocks.merge(&other.blocks);
        Ok(())
    }

    /// The same without stretches of time: some hundredth of the bytes.
    #[must_use]
    pub fn without_blocks(&self) -> Self {
        let widths: Vec<usize> = self.triangles.iter().map(Triangle::width).collect();
        Self { blocks: Blocks::new(&widths), ..self.clone() }
    }

    /// Takes in a stretch of time; the triangles of the whole follow from [`sum_up`](Self::sum_up).
    pub(super) fn take(&mut self, stretch: &Stretch) {
        self.samples += stretch.samples;
        for (range, other) in self.ranges.iter_mut().zip(&stretch.ranges) {
            range.merge(other);
        }
        self.blocks.add_stretch(stretch.number, stretch.samples, &stretch.triangles);
    }

    /// Makes the triangles of the whole those of all stretches.
    pub(super) fn sum_up(&mut self) {
        self.triangles.iter_mut().for_each(Triangle::clear);
        for block in &self.blocks {
            for (triangle, own) in self.triangles.iter_mut().zip(&block.triangles) {
                triangle.merge(own);
            }
        }
    }

    /// The factors of a problem with fewer unknowns, `from` being the one they are of: columns are left out, and those that are known there are
    /// taken off the torques.
    ///
    /// # Errors
    /// A problem with an unknown that `from` does not have.
    pub fn select(&self, from: &Problem, to: &Problem) -> Result<Self, IdentifyError> {
        let other = || IdentifyError::OtherProblem { expected: to.count(), found: from.count() };
        let mut selections = Vec::with_capacity(self.triangles.len());
        for degree in 0..self.triangles.len() {
            let at = |i: usize| from.felt(degree).iter().position(|&k| from.is_same(k, to, i)).ok_or_else(other);
            let columns = to.felt(degree).iter().map(|&i| at(i)).collect::<Result<Vec<_>, _>>()?;
            let felt = |column: usize| from.felt(degree).iter().position(|&k| from.regressor_column(k) == Some(column));
            let already = |column: usize| from.known().iter().any(|(known, _)| *known == column);
            let known = to.known().iter().filter(|(column, _)| !already(*column));
            let known = known.filter_map(|&(column, value)| Some((felt(column)?, value))).collect::<Vec<_>>();
            selections.push((columns, known));
        }
        let select = |triangles: &[Triangle]| -> Vec<Triangle> {
            triangles
                .iter()
                .zip(&selections)
                .map(|(triangle, (columns, known))| triangle.select(columns, known))
                .collect()
        };
        let triangles = select(&self.triangles);
        let widths: Vec<usize> = triangles.iter().map(Triangle::width).collect();
        let block =
            |block: &Block| Block { number: block.number, samples: block.samples, triangles: select(&block.triangles) };
        let blocks = Blocks::from_file(&widths, self.blocks.seconds, self.blocks.iter().map(block).collect());
        let blocks = blocks.ok_or_else(other)?;
        let (names, ranges, drives) = (to.names().to_vec(), self.ranges.clone(), DriveSettings::of(to));
        let identity = Identity { logs: self.identity.logs.clone(), ..Identity::new(to) };
        Ok(Self { names, samples: self.samples, triangles, ranges, blocks, drives, identity })
    }

    /// As JSON, for a file that other programs read: twice as long as [`to_bytes`](Self::to_bytes).
    #[must_use]
    pub fn to_json(&self) -> String {
        let file = FactorFile {
            format: FORMAT.to_owned(),
            checksum: format!("{:016x}", Hash::of(&self.to_bytes())),
            heading: Heading::new(self),
            numbers: numbers(self).collect(),
        };
        serde_json::to_string(&file).unwrap_or_default()
    }

    /// Reads what [`to_json`](Self::to_json) wrote, however it is laid out.
    ///
    /// # Errors
    /// A text that is none of its, or that was changed since.
    pub fn from_json(text: &str) -> Result<Self, IdentifyError> {
        let format: FormatOnly = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        if format.format.starts_with(FAMILY) && format.format != FORMAT {
            let message = "an earlier version wrote it, without saying of which robot and of which samples it is; read the log again";
            return Err(bad(message.to_owned()));
        }
        if format.format != FORMAT {
            return Err(bad(format!("the format is `{}`, not `{FORMAT}`", format.format)));
        }
        let file: FactorFile = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        let factors = file.heading.factors(&file.numbers)?;
        if u64::from_str_radix(&file.checksum, 16).ok() != Some(Hash::of(&factors.to_bytes())) {
            return Err(damaged());
        }
        Ok(factors)
    }
}

const FAMILY: &str = "jourdain-factors-";
const FORMAT: &str = "jourdain-factors-3";

#[derive(Deserialize)]
struct FormatOnly {
    format: String,
}

#[derive(Serialize, Deserialize)]
struct FactorFile {
    format: String,
    /// Hash of the same as bytes.
    checksum: String,
    heading: Heading,
    /// Of the triangles, as in the bytes.
    numbers: Vec<f64>,
}
