//! All that is kept of a log: one triangle per joint, how many samples, how far the joints moved.
//!
//! The triangle of a joint is that of the rows (regressor, torque) of its own equation. Weights multiply whole joints, so
//! they can be chosen after the last sample has been seen, and one pass over the data is enough. Factors of parts of a log,
//! or of several logs, [merge](Factors::merge) into those of all of them.

use super::error::IdentifyError;
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
}

impl Range {
    /// Of no samples.
    pub const EMPTY: Self = Self { least: f64::INFINITY, most: f64::NEG_INFINITY, speed: 0.0, acceleration: 0.0 };

    fn merge(&mut self, other: &Self) {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.speed = self.speed.max(other.speed);
        self.acceleration = self.acceleration.max(other.acceleration);
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
}

impl Factors {
    /// Of no samples.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let degrees = problem.joints().len();
        Self {
            names: problem.names().to_vec(),
            samples: 0,
            triangles: (0..degrees).map(|j| Triangle::new(problem.felt(j).len() + 1)).collect(),
            ranges: vec![Range::EMPTY; degrees],
        }
    }

    /// Takes in the factors of other samples of the same problem.
    ///
    /// # Errors
    /// Factors of another problem.
    pub fn merge(&mut self, other: &Self) -> Result<(), IdentifyError> {
        let widths = |factors: &Self| factors.triangles.iter().map(Triangle::width).collect::<Vec<_>>();
        if self.names != other.names || widths(self) != widths(other) {
            return Err(IdentifyError::OtherProblem { expected: self.names.len(), found: other.names.len() });
        }
        self.samples += other.samples;
        for (triangle, other) in self.triangles.iter_mut().zip(&other.triangles) {
            triangle.merge(other);
        }
        for (range, other) in self.ranges.iter_mut().zip(&other.ranges) {
            range.merge(other);
        }
        Ok(())
    }

    /// As JSON, for a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let joint = |(triangle, range): (&Triangle, &Range)| JointFile {
            width: triangle.width(),
            factor: triangle.packed(),
            // JSON knows no infinity: without samples there is no range.
            position: (range.least <= range.most).then_some([range.least, range.most]),
            speed: range.speed,
            acceleration: range.acceleration,
        };
        let file = FactorFile {
            format: FORMAT.to_owned(),
            parameters: self.names.clone(),
            samples: self.samples,
            joints: self.triangles.iter().zip(&self.ranges).map(joint).collect(),
        };
        serde_json::to_string(&file).unwrap_or_default()
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// A text that is none of its.
    pub fn from_json(text: &str) -> Result<Self, IdentifyError> {
        let bad = |message: String| IdentifyError::BadFactors { message };
        let file: FactorFile = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        if file.format != FORMAT {
            return Err(bad(format!("the format is `{}`, not `{FORMAT}`", file.format)));
        }
        let mut triangles = Vec::with_capacity(file.joints.len());
        let mut ranges = Vec::with_capacity(file.joints.len());
        for (number, joint) in file.joints.iter().enumerate() {
            let fits = joint.width <= file.parameters.len() + 1;
            let triangle = fits.then(|| Triangle::from_packed(joint.width, &joint.factor)).flatten();
            triangles
                .push(triangle.ok_or_else(|| bad(format!("the factor of joint {} has a wrong size", number + 1)))?);
            let [least, most] = joint.position.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            ranges.push(Range { least, most, speed: joint.speed, acceleration: joint.acceleration });
        }
        Ok(Self { names: file.parameters, samples: file.samples, triangles, ranges })
    }
}

const FORMAT: &str = "jourdain-factors-1";

#[derive(Serialize, Deserialize)]
struct FactorFile {
    format: String,
    parameters: Vec<String>,
    samples: u64,
    joints: Vec<JointFile>,
}

#[derive(Serialize, Deserialize)]
struct JointFile {
    width: usize,
    factor: Vec<f64>,
    position: Option<[f64; 2]>,
    speed: f64,
    acceleration: f64,
}
