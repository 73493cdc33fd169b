//! The heading of a log: which column holds what.
//!
//! A quantity of degree of freedom k is headed by its letters and the number, `q3`, or by the letters and the joint's name:
//! `q_elbow`, `q:elbow`, `q[elbow]`. Columns that are nothing of this are left alone.

use super::super::error::IdentifyError;
use super::super::problem::degree_names;
use crate::formats::suggest::nearest;
use crate::model::Model;

/// Where the numbers of a sample stand in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// All headings.
    pub headings: Vec<String>,
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
    pub fn new(headings: Vec<String>, model: &Model<f64>) -> Result<Self, IdentifyError> {
        if headings.iter().all(|heading| heading.parse::<f64>().is_ok()) {
            let expected = format!("t,q1,…,q{0},tau1,…,tau{0}", model.nv());
            return Err(IdentifyError::NoHeading { expected });
        }
        let velocities = Names::of_velocities(model);
        let positions = if model.nq() == model.nv() { velocities.clone() } else { Names::numbers(model.nq()) };
        let find = |letters: &str, names: &Names| names.find(letters, &headings);
        let t = time(&headings)?;
        let all = |what: &'static str, letters: &str, names: &Names| -> Result<Vec<usize>, IdentifyError> {
            let found = find(letters, names)?;
            let missing = found.iter().position(Option::is_none);
            match missing {
                None => Ok(found.into_iter().flatten().collect()),
                Some(k) => Err(names.missing(what, letters, k, &headings)),
            }
        };
        // Derivatives of all joints or of none: of some only is a slip.
        let optional = |what: &'static str, letters: &str| -> Result<Option<Vec<usize>>, IdentifyError> {
            if find(letters, &velocities)?.iter().all(Option::is_none) {
                return Ok(None);
            }
            all(what, letters, &velocities).map(Some)
        };
        let q = all("positions", "q", &positions)?;
        let tau = all("torques", "tau", &velocities)?;
        let (qd, qdd) = (optional("velocities", "qd")?, optional("accelerations", "qdd")?);
        Ok(Self { headings, t, q, qd, qdd, tau })
    }
}

fn time(headings: &[String]) -> Result<Option<usize>, IdentifyError> {
    let mut found = headings.iter().enumerate().filter(|(_, heading)| matches!(heading.as_str(), "t" | "time"));
    let first = found.next();
    match found.next() {
        Some((column, name)) => Err(IdentifyError::DuplicateColumn { column: column + 1, name: name.clone() }),
        None => Ok(first.map(|(column, _)| column)),
    }
}

/// Names that go with the letters of a quantity, several for each number.
#[derive(Clone)]
struct Names {
    names: Vec<Vec<String>>,
}

impl Names {
    fn numbers(count: usize) -> Self {
        Self { names: vec![Vec::new(); count] }
    }

    fn of_velocities(model: &Model<f64>) -> Self {
        let mut names: Vec<Vec<String>> = degree_names(model).into_iter().map(|name| vec![name]).collect();
        for link in model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nv() == 1) {
            names[link.v].push(link.name.clone());
        }
        Self { names }
    }

    /// The number that a heading gives a quantity of these letters, if it does.
    fn number(&self, letters: &str, heading: &str) -> Option<usize> {
        let rest = heading.strip_prefix(letters)?;
        let by_name = |name: &str| self.names.iter().position(|names| names.iter().any(|other| other == name));
        if let Some(name) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return by_name(name);
        }
        let name = rest.strip_prefix(['_', ':']);
        if let Some(k) = name.and_then(by_name) {
            return Some(k);
        }
        let number: usize = name.unwrap_or(rest).parse().ok()?;
        (1..=self.names.len()).contains(&number).then(|| number - 1)
    }

    fn find(&self, letters: &str, headings: &[String]) -> Result<Vec<Option<usize>>, IdentifyError> {
        let mut found = vec![None; self.names.len()];
        for (column, heading) in headings.iter().enumerate() {
            let Some(k) = self.number(letters, heading) else { continue };
            if found[k].replace(column).is_some() {
                return Err(IdentifyError::DuplicateColumn { column: column + 1, name: heading.clone() });
            }
        }
        Ok(found)
    }

    fn missing(&self, what: &'static str, letters: &str, k: usize, headings: &[String]) -> IdentifyError {
        let column = format!("{letters}{}", k + 1);
        let named = self.names[k].first().map(|name| format!("{letters}_{name}"));
        let others: Vec<&str> = headings
            .iter()
            .map(String::as_str)
            .filter(|heading| ["q", "qd", "qdd", "tau"].iter().all(|letters| self.number(letters, heading).is_none()))
            .collect();
        let near =
            nearest(&column, &others).or_else(|| nearest(named.as_deref()?, &others)).map(|near| near.to_string());
        IdentifyError::MissingColumn { what, column, named, near }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;

    fn columns(heading: &str) -> Result<Columns, IdentifyError> {
        let model = robots::load("planar2r").unwrap();
        Columns::new(heading.split(',').map(str::to_owned).collect(), &model)
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
        assert_eq!(kind("t,q1,q2,tau1").to_string(), "the log has no column for torques: `tau2` or `tau_link2`");
        assert!(kind("t,q1,q2,tau1,tua2").hint().unwrap().contains("`tua2`"));
        assert_eq!(kind("q1,q2,qd1,tau1,tau2").kind(), "missing-column");
        assert_eq!(kind("q1,q2,tau1,q_link1,tau2").kind(), "duplicate-column");
        assert_eq!(kind("0,1.5,2,3,4").kind(), "no-heading");
    }
}
