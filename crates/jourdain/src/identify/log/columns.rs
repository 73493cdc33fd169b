//! The heading of a log: which column holds what.

use super::super::error::IdentifyError;
use super::loads::{self, WrenchColumns};
use crate::formats::table::{Vocabulary, heading, state_vectors, time_column};
use crate::model::Model;

/// What headings of torques are called elsewhere: a column of such a name is not to be overlooked.
const TORQUE_WORDS: [&str; 4] = ["tau", "torque", "effort", "current"];

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
    /// Torques, as far as they were measured.
    pub tau: Vec<Option<usize>>,
    /// Wrenches on links.
    pub wrenches: Vec<WrenchColumns>,
}

impl Columns {
    /// Reads the cells of a heading.
    ///
    /// # Errors
    /// Columns that are missing or there twice.
    pub fn new(headings: &[String], model: &Model<f64>) -> Result<Self, IdentifyError> {
        let vocabulary = Vocabulary::new(model, &state_vectors());
        let places = vocabulary.find(headings)?;
        let optional = |letters| vocabulary.optional(letters, &places, headings);
        let q = vocabulary.present("q", &places, headings, &[])?;
        let absent: Vec<usize> = (0..q.len()).filter(|k| q[*k].is_none()).collect();
        if !absent.is_empty() {
            let coordinates = model.coordinates();
            let columns = absent.iter().map(|&k| format!("`{}`", heading("q", &coordinates[k]))).collect();
            let mut joints: Vec<String> = absent.iter().map(|&k| coordinates[k].joint.clone()).collect();
            joints.dedup();
            return Err(IdentifyError::NoPositions { joints, columns });
        }
        let tau = vocabulary.present("tau", &places, headings, &TORQUE_WORDS)?;
        let wrenches = loads::columns(headings, model)?;
        let (qd, qdd) = (optional("qd")?, optional("qdd")?);
        Ok(Self { t: time_column(headings)?, q: q.into_iter().flatten().collect(), qd, qdd, tau, wrenches })
    }

    /// All of them.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let derivatives = [&self.qd, &self.qdd].into_iter().flatten().flatten();
        self.t.iter().chain(&self.q).chain(derivatives).copied().chain(self.efforts().flatten())
    }

    /// Torques, then the six numbers of each wrench; `None` for those that are not there.
    pub(super) fn efforts(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.tau.iter().copied().chain(self.wrenches.iter().flat_map(|wrench| wrench.cells))
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
        assert_eq!((found.t, found.q, found.tau), (Some(1), vec![2, 4], vec![Some(5), Some(0)]));
        assert_eq!((found.qd, found.qdd), (Some(vec![6, 7]), None));
    }

    #[test]
    fn a_torque_that_was_not_measured_is_missing() {
        let found = columns("t,q1,q2,tau1,temperature").unwrap();
        assert_eq!(found.tau, [Some(3), None]);
        assert_eq!(found.used().collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn what_is_missing_or_double_is_named() {
        let kind = |heading: &str| columns(heading).unwrap_err();
        assert_eq!(kind("t,q1,q2").to_string(), "there is no column for torques: `tau[link1]` or `tau1`");
        assert_eq!(kind("t,q1,q2,tau1,torque_2").to_string(), "there is no column for torques: `tau[link2]` or `tau2`");
        let absent = kind("t,q1,tau1,tau2");
        assert_eq!(absent.to_string(), "there are no positions of joint `link2`: the log has no column `q[link2]`");
        assert!(absent.hint().unwrap().contains("--lock link2"));
        assert!(kind("t,q1,q2,tau1,tua2").hint().unwrap().contains("`tua2`"));
        assert_eq!(kind("q1,q2,qd1,tau1,tau2").kind(), "missing-column");
        assert_eq!(kind("q1,q2,tau1,q_link1,tau2").kind(), "duplicate-column");
        assert_eq!(kind("0,1.5,2,3,4").kind(), "no-heading");
    }
}
