//! What the headings of a table mean for a robot.
//!
//! A quantity of degree of freedom k is headed by its letters and the number, `q3`, or by the letters and the joint's name:
//! `q_elbow`, `q:elbow`, `q[elbow]`. Columns that are nothing of this are left alone.

use super::error::TableError;
use crate::formats::suggest::nearest;
use crate::model::Model;

/// The names of the degrees of freedom.
#[must_use]
pub fn degree_names(model: &Model<f64>) -> Vec<String> {
    let mut names = vec![String::new(); model.nv()];
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        let nv = link.joint.nv();
        for local in 0..nv {
            let name = &link.joint_name;
            names[link.v + local] = if nv == 1 { name.clone() } else { format!("{name}.{}", local + 1) };
        }
    }
    names
}

/// True if a heading means time.
#[must_use]
pub fn is_time(heading: &str) -> bool {
    matches!(heading, "t" | "time")
}

/// The column of time.
///
/// # Errors
/// Two of them.
pub fn time_column(headings: &[String]) -> Result<Option<usize>, TableError> {
    let mut found = headings.iter().enumerate().filter(|(_, heading)| is_time(heading));
    let first = found.next();
    match found.next() {
        Some((column, name)) => Err(TableError::DuplicateColumn { column: column + 1, name: name.clone() }),
        None => Ok(first.map(|(column, _)| column)),
    }
}

/// A vector that columns may stand for.
struct Word {
    what: &'static str,
    letters: &'static str,
    /// Names that go with the letters, several for each number.
    names: Vec<Vec<String>>,
}

/// The vectors that the columns of a table may stand for.
pub struct Vocabulary {
    words: Vec<Word>,
}

/// The columns of each vector of a [`Vocabulary`], as far as they are there.
pub struct Places(Vec<Vec<Option<usize>>>);

impl Vocabulary {
    /// Vectors of a robot by what they are and their letters: `("velocities", "qd")`. `q` has as many numbers as the
    /// position, all others as the velocity. What a heading means is decided by the first that it fits.
    #[must_use]
    pub fn new(model: &Model<f64>, vectors: &[(&'static str, &'static str)]) -> Self {
        let mut velocities: Vec<Vec<String>> = degree_names(model).into_iter().map(|name| vec![name]).collect();
        for link in model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nv() == 1) {
            velocities[link.v].push(link.name.clone());
        }
        let words = vectors.iter().map(|&(what, letters)| {
            let by_number = letters == "q" && model.nq() != model.nv();
            let names = if by_number { vec![Vec::new(); model.nq()] } else { velocities.clone() };
            Word { what, letters, names }
        });
        Self { words: words.collect() }
    }

    /// Which vector a heading means, and which of its numbers.
    fn meaning(&self, heading: &str) -> Option<(usize, usize)> {
        self.words.iter().enumerate().find_map(|(index, word)| Some((index, word.number(heading)?)))
    }

    /// Finds the columns.
    ///
    /// # Errors
    /// A heading of numbers only, and columns that are there twice.
    pub fn find(&self, headings: &[String]) -> Result<Places, TableError> {
        if headings.iter().all(|heading| heading.parse::<f64>().is_ok()) {
            let vector = |word: &Word| format!("{0}1,…,{0}{1}", word.letters, word.names.len());
            let expected = self.words.iter().map(vector).collect::<Vec<_>>().join(",");
            return Err(TableError::NoHeading { expected });
        }
        let mut places: Vec<_> = self.words.iter().map(|word| vec![None; word.names.len()]).collect();
        for (column, heading) in headings.iter().enumerate() {
            let Some((word, number)) = self.meaning(heading) else { continue };
            if places[word][number].replace(column).is_some() {
                return Err(TableError::DuplicateColumn { column: column + 1, name: heading.clone() });
            }
        }
        Ok(Places(places))
    }

    /// The columns of a vector that must be there.
    ///
    /// # Errors
    /// The first that is missing.
    ///
    /// # Panics
    /// If there are not as many vectors.
    pub fn required(&self, word: usize, places: &Places, headings: &[String]) -> Result<Vec<usize>, TableError> {
        let found = &places.0[word];
        match found.iter().position(Option::is_none) {
            None => Ok(found.iter().copied().flatten().collect()),
            Some(k) => Err(self.missing(word, k, headings)),
        }
    }

    /// The columns of a vector of which all are there or none: some only is a slip.
    ///
    /// # Errors
    /// The first that is missing.
    ///
    /// # Panics
    /// If there are not as many vectors.
    pub fn optional(
        &self,
        word: usize,
        places: &Places,
        headings: &[String],
    ) -> Result<Option<Vec<usize>>, TableError> {
        if places.0[word].iter().all(Option::is_none) {
            return Ok(None);
        }
        self.required(word, places, headings).map(Some)
    }

    fn missing(&self, word: usize, k: usize, headings: &[String]) -> TableError {
        let Word { what, letters, names } = &self.words[word];
        let column = format!("{letters}{}", k + 1);
        let named = names[k].first().map(|name| format!("{letters}_{name}"));
        let others: Vec<&str> =
            headings.iter().map(String::as_str).filter(|heading| self.meaning(heading).is_none()).collect();
        let near =
            nearest(&column, &others).or_else(|| nearest(named.as_deref()?, &others)).map(|near| near.to_string());
        TableError::MissingColumn { what, column, named, near }
    }
}

impl Word {
    /// The number that a heading gives this vector, if it does.
    fn number(&self, heading: &str) -> Option<usize> {
        let rest = heading.strip_prefix(self.letters)?;
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
}
