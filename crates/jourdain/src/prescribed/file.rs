//! Trajectory files: JSON with curves per joint or points, and CSV of samples.

use super::curve::{Cosine, Curve};
use super::error::PrescribedError;
use super::smoothing::Smoothed;
use super::spline::{Degree, Spline};
use super::{PrescribedLoad, PrescribedMotion};
use crate::formats::table::{POSITIONS, Table, TableError, read_series};
use crate::model::Model;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    start: Option<f64>,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    joints: Option<Vec<CurveFile>>,
    #[serde(default)]
    points: Option<Points>,
    #[serde(default)]
    wrenches: Vec<Load>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Points {
    times: Vec<f64>,
    q: Vec<Vec<f64>>,
    #[serde(default = "quintic")]
    spline: Degree,
}

fn quintic() -> Degree {
    Degree::Quintic
}

/// A number, a sum of cosines or the coefficients of a polynomial.
#[derive(Deserialize)]
#[serde(untagged)]
enum CurveFile {
    Constant(f64),
    Cosines(CosinesFile),
    Polynomial(PolynomialFile),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CosinesFile {
    cosines: Vec<Cosine>,
    #[serde(default)]
    offset: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolynomialFile {
    polynomial: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    link: String,
    #[serde(default)]
    force: Option<[CurveFile; 3]>,
    #[serde(default)]
    moment: Option<[CurveFile; 3]>,
}

impl From<CurveFile> for Curve {
    fn from(file: CurveFile) -> Self {
        match file {
            CurveFile::Constant(value) => Self::Polynomial(vec![value]),
            CurveFile::Cosines(CosinesFile { cosines, offset }) => Self::Cosines { offset, terms: cosines },
            CurveFile::Polynomial(PolynomialFile { polynomial }) => Self::Polynomial(polynomial),
        }
    }
}

impl PrescribedMotion {
    /// Reads a trajectory in JSON.
    ///
    /// # Errors
    /// What is wrong with it, or does not fit the robot.
    pub fn from_json(text: &str, model: &Model<f64>) -> Result<Self, PrescribedError> {
        let file: File = serde_json::from_str(text).map_err(|error| PrescribedError::Syntax {
            message: error.to_string(),
            line: error.line(),
            column: error.column(),
        })?;
        let (joints, span) = match (file.joints, file.points) {
            (Some(joints), None) => {
                let duration = file.duration.ok_or_else(|| syntax("a trajectory of curves needs its `duration`, s"))?;
                let start = file.start.unwrap_or(0.0);
                (joints.into_iter().map(Curve::from).collect(), [start, start + duration])
            }
            (None, Some(points)) => {
                let span = points.times.first().zip(points.times.last()).map_or([0.0; 2], |(a, b)| [*a, *b]);
                let start = file.start.unwrap_or(span[0]);
                let end = file.duration.map_or(span[1], |duration| start + duration);
                let make = |values: &[f64]| Spline::through(&points.times, values, points.spline).map(Curve::Spline);
                (columns(&points.q, model, make)?, [start, end])
            }
            _ => return Err(syntax("a trajectory has either `joints` or `points`")),
        };
        let mut loads = Vec::with_capacity(file.wrenches.len());
        for load in file.wrenches {
            let Some(link) = model.links().iter().position(|link| link.name == load.link) else {
                return Err(PrescribedError::UnknownLink { link: load.link, robot: model.name().to_owned() });
            };
            let none = || [0.0; 3].map(CurveFile::Constant);
            let [fx, fy, fz] = load.force.unwrap_or_else(none).map(Curve::from);
            let [mx, my, mz] = load.moment.unwrap_or_else(none).map(Curve::from);
            loads.push(PrescribedLoad { link, components: [fx, fy, fz, mx, my, mz] });
        }
        Self { joints, loads, start: span[0], end: span[1] }.checked(model)
    }

    /// Reads samples, made smooth with the standard deviation `sigma`, s: a table whose heading has the
    /// [columns](crate::formats::table) of time and position, among others; or lines of a time and the position alone, separated by
    /// commas, semicolons or spaces.
    ///
    /// # Errors
    /// What is wrong with them, or does not fit the robot.
    pub fn from_csv(text: &str, sigma: f64, model: &Model<f64>) -> Result<Self, PrescribedError> {
        let series = match read_series(text, model, &[POSITIONS]) {
            Err(TableError::Empty) => Ok(None),
            other => other,
        };
        let (times, rows) = match series.map_err(|error| table_syntax(&error))? {
            Some(series) => (series.times, series.rows),
            None => plain_samples(text)?,
        };
        Self::from_samples(&times, &rows, sigma, model)
    }

    /// The same of a table that is in memory.
    ///
    /// # Errors
    /// What is wrong with it, or does not fit the robot.
    pub fn from_table(table: &Table, sigma: f64, model: &Model<f64>) -> Result<Self, PrescribedError> {
        let series = table.series(model, &[POSITIONS]).map_err(|error| table_syntax(&error))?;
        Self::from_samples(&series.times, &series.rows, sigma, model)
    }

    fn from_samples(times: &[f64], rows: &[Vec<f64>], sigma: f64, model: &Model<f64>) -> Result<Self, PrescribedError> {
        let joints = columns(rows, model, |values| Smoothed::through(times, values, sigma).map(Curve::Smoothed))?;
        let (start, end) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        Self { joints, loads: Vec::new(), start, end }.checked(model)
    }
}

fn table_syntax(error: &TableError) -> PrescribedError {
    let (line, column) = error.place().unwrap_or((0, 0));
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    PrescribedError::Syntax { message: error.to_string(), line, column }
}

/// Lines of a time and the position; a first line without numbers is passed over.
fn plain_samples(text: &str) -> Result<(Vec<f64>, Vec<Vec<f64>>), PrescribedError> {
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let cells = line.split([',', ';', ' ', '\t']).map(str::trim).filter(|cell| !cell.is_empty());
        let numbers: Result<Vec<f64>, _> = cells.map(str::parse::<f64>).collect();
        match numbers {
            Ok(numbers) if numbers.is_empty() => {}
            Ok(numbers) if numbers.iter().all(|x| x.is_finite()) => {
                times.push(numbers[0]);
                rows.push(numbers[1..].to_vec());
            }
            Err(_) if rows.is_empty() && times.is_empty() && index == 0 => {}
            _ => {
                let message = format!("line {} of the samples is no list of numbers", index + 1);
                return Err(PrescribedError::Syntax { message, line: index + 1, column: 1 });
            }
        }
    }
    Ok((times, rows))
}

fn syntax(message: &str) -> PrescribedError {
    PrescribedError::Syntax { message: message.to_owned(), line: 0, column: 0 }
}

/// A curve for each column of a table with one row per time.
fn columns(
    rows: &[Vec<f64>],
    model: &Model<f64>,
    make: impl Fn(&[f64]) -> Result<Curve, PrescribedError>,
) -> Result<Vec<Curve>, PrescribedError> {
    let expected = model.nq();
    if let Some(row) = rows.iter().find(|row| row.len() != expected) {
        let robot = model.name().to_owned();
        return Err(PrescribedError::Joints { robot, expected, found: row.len() });
    }
    (0..expected).map(|i| make(&rows.iter().map(|row| row[i]).collect::<Vec<_>>())).collect()
}
