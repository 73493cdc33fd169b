//! The heading of a log: which column holds what.

use super::super::error::IdentifyError;
use crate::formats::table::{Vocabulary, state_vectors, time_column};
use crate::model::Model;

/// Where the numbers of a sample stand in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// Time.
    pub t: Option<usize>,
    /// Positions.
    pub q: Vec<usize>,
    /// Velocities, if all are there.
    pub qd: Option<Vec<usize>>,
    /// Accelerations, if all are there.
    pub qdd: Option<Vec<usize>>,
    /// Torques.
    pub tau: Vec<usize>,
}

impl Columns {
    /// Reads the cells of a heading.
    ///
    /// # Errors
    /// Columns that are missing or there twice.
    pub fn new(headings: &[String], model: &Model<f64>) -> Result<Self, IdentifyError> {
        let vocabulary = Vocabulary::new(model, &state_vectors());
        let places = vocabulary.find(headings)?;
        let required = |letters| vocabulary.required(letters, &places, headings);
        let optional = |letters| vocabulary.optional(letters, &places, headings);
        let (q, tau) = (required("q")?, required("tau")?);
        Ok(Self { t: time_column(headings)?, q, qd: optional("qd")?, qdd: optional("qdd")?, tau })
    }

    /// All of them.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let derivatives = [&self.qd, &self.qdd].into_iter().flatten().flatten();
        self.t.iter().chain(&self.q).chain(&self.tau).chain(derivatives).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;

    fn columns(heading: &str) -> Result<Columns, IdentifyError> {
        let model = robots::load("planar2r").unwrap();
        Columns::new(&heading.split(',').map(str::to_owned).collect::<Vec<_>>(), &model)
    }

    #[test]
    fn numbers_and_names_are_understood_in_any_order() {
        let found = columns("tau2,t,q_link1,note,q:link2,tau[link1],qd1,qd_2").unwrap();
        assert_eq!((found.t, found.q, found.tau), (Some(1), vec![2, 4], vec![5, 0]));
        assert_eq!((found.qd, found.qdd), (Some(vec![6, 7]), None));
    }

    #[test]
    fn what_is_missing_or_double_is_named() {
        let kind = |heading: &str| columns(heading).unwrap_err();
        assert_eq!(kind("t,q1,q2,tau1").to_string(), "there is no column for torques: `tau[link2]` or `tau2`");
        assert!(kind("t,q1,q2,tau1,tua2").hint().unwrap().contains("`tua2`"));
        assert_eq!(kind("q1,q2,qd1,tau1,tau2").kind(), "missing-column");
        assert_eq!(kind("q1,q2,tau1,q_link1,tau2").kind(), "duplicate-column");
        assert_eq!(kind("0,1.5,2,3,4").kind(), "no-heading");
    }
}
