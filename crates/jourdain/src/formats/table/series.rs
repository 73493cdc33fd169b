//! A vector over time out of a table: the motion that an excitation has, the torques that a trajectory needs.

use super::error::TableError;
use super::heading::{Vector, Vocabulary, time_column};
use super::lines::{Lines, RowParser};
use super::memory::Place;
use crate::model::Model;

/// A vector at times.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Times, s.
    pub times: Vec<f64>,
    /// The vector at each time.
    pub rows: Vec<Vec<f64>>,
    /// Where each stands.
    pub places: Vec<Place>,
}

/// The columns of a table that make a vector over time.
pub(super) struct Wanted {
    pub time: usize,
    pub columns: Vec<usize>,
}

impl Wanted {
    /// Those of the first of `vectors` that a heading has; `None` if it speaks of none of them.
    pub fn new(headings: &[String], model: &Model<f64>, vectors: &[Vector]) -> Result<Option<Self>, TableError> {
        let vocabulary = Vocabulary::new(model, vectors);
        let places = vocabulary.find(headings)?;
        let mut columns = None;
        for vector in vectors {
            if columns.is_none() {
                columns = vocabulary.optional(vector.letters, &places, headings)?;
            }
        }
        let Some(columns) = columns else { return Ok(None) };
        let time = time_column(headings)?.ok_or(TableError::NoTime)?;
        Ok(Some(Self { time, columns }))
    }

    /// The same where one of them must be there: it is an error about the first if none is.
    pub fn required(headings: &[String], model: &Model<f64>, vectors: &[Vector]) -> Result<Self, TableError> {
        if let Some(wanted) = Self::new(headings, model, vectors)? {
            return Ok(wanted);
        }
        let vocabulary = Vocabulary::new(model, vectors);
        let columns = vocabulary.required(vectors[0].letters, &vocabulary.find(headings)?, headings)?;
        Ok(Self { time: time_column(headings)?.ok_or(TableError::NoTime)?, columns })
    }
}

/// Reads the first of `vectors` that a table has, by its heading; `None` if the heading speaks of none of them. Other columns
/// are left alone.
///
/// # Errors
/// What is wrong with the table.
pub fn read_series(text: &str, model: &Model<f64>, vectors: &[Vector]) -> Result<Option<Series>, TableError> {
    let mut lines = Lines::new(text.as_bytes());
    let mut parser = RowParser::new(&mut lines)?;
    let headings = parser.headings().to_vec();
    if headings.iter().all(|heading| heading.parse::<f64>().is_ok()) {
        return Ok(None);
    }
    let Some(Wanted { time, columns }) = Wanted::new(&headings, model, vectors)? else { return Ok(None) };
    parser.want(columns.iter().copied().chain([time]));
    let mut series = Series { times: Vec::new(), rows: Vec::new(), places: Vec::new() };
    let (mut line, mut values) = (Vec::new(), vec![0.0; headings.len()]);
    while lines.next_into(&mut line)? {
        parser.parse(&line, lines.line(), &mut values)?;
        series.times.push(values[time]);
        series.rows.push(columns.iter().map(|&column| values[column]).collect());
        series.places.push(Place::Line(lines.line()));
    }
    Ok(Some(series))
}

#[cfg(test)]
mod tests {
    use super::super::heading::{COMPUTED_TORQUES, TORQUES};
    use super::*;
    use crate::robots;

    #[test]
    fn the_first_vector_that_is_there_is_read_and_others_are_left_alone() {
        let model = robots::load("planar2r").unwrap();
        let tau = [TORQUES, COMPUTED_TORQUES];
        let text = "t,status,inverse_dynamics[link1],inverse_dynamics_2\n0,\"so, so\",1,2\n0.5,bad,3,4\n";
        let series = read_series(text, &model, &tau).unwrap().unwrap();
        assert_eq!((series.times, series.rows), (vec![0.0, 0.5], vec![vec![1.0, 2.0], vec![3.0, 4.0]]));
        assert_eq!(series.places, [Place::Line(2), Place::Line(3)]);
        assert_eq!(read_series("time,a,b\n0,1,2\n", &model, &tau), Ok(None));
        assert_eq!(read_series("0,1,2\n", &model, &tau), Ok(None));
        assert_eq!(read_series("tau1,tau2\n1,2\n", &model, &tau), Err(TableError::NoTime));
        assert_eq!(read_series("t,tau1\n1,2\n", &model, &tau).unwrap_err().kind(), "missing-column");
    }
}
