//! What the headings of a table mean for a robot, and how they are written.
//!
//! A number of a vector is headed by the letters of the vector and the coordinate in brackets: `q[elbow]`, `qd[pelvis.wx]`. This
//! is what is written; it names one number, whatever joints are called. Older tables have `q3`, `q_3`, `q_elbow`, `q:elbow`, a
//! joint's number after a point (`q:pelvis.4`), or the link's name for that of its joint; all are read. Columns that are nothing
//! of this are left alone.
//!
//! Trap: `qd_r1` is the first reference velocity, or the velocity of a joint called `r1`. Where a heading fits two numbers it is
//! refused, never guessed.

use super::error::TableError;
use crate::formats::suggest::nearest;
use crate::model::{Coordinate, CoordinateKind, Model, Part};
use crate::state::Input;

/// The heading of time.
pub const TIME: &str = "t";

/// The heading of a number of a vector: `qd[elbow]`.
#[must_use]
pub fn heading(letters: &str, coordinate: &Coordinate) -> String {
    format!("{letters}[{coordinate}]")
}

/// The headings of a vector: `qd[shoulder]`, `qd[elbow]`, ….
#[must_use]
pub fn headings(letters: &str, coordinates: &[Coordinate]) -> Vec<String> {
    coordinates.iter().map(|coordinate| heading(letters, coordinate)).collect()
}

/// A heading as a cell of CSV: in quotes if it holds what separates cells or lines.
#[must_use]
pub fn csv_cell(name: &str) -> String {
    if name.contains([',', ';', '\t', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// True if a heading means time.
#[must_use]
pub fn is_time(heading: &str) -> bool {
    matches!(heading, TIME | "time")
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// What it is: `velocities`.
    pub what: &'static str,
    /// Its letters: `qd`.
    pub letters: &'static str,
    /// Whether its numbers are those of the position or of the velocity.
    pub kind: CoordinateKind,
}

/// The vector of an input, as the table of inputs has it.
const fn vector(input: Input) -> Vector {
    let kind = match input {
        Input::Position => CoordinateKind::Position,
        _ => CoordinateKind::Velocity,
    };
    Vector { what: input.plural(), letters: input.key(), kind }
}

/// Positions.
pub const POSITIONS: Vector = vector(Input::Position);

/// Torques and forces of the joints.
pub const TORQUES: Vector = vector(Input::Torque);

/// The vectors of a state that have columns: those of the table of inputs.
#[must_use]
pub fn state_vectors() -> Vec<Vector> {
    Input::vectors().map(vector).collect()
}

/// Torques as a quantity has them.
pub const COMPUTED_TORQUES: Vector = Vector { letters: "inverse_dynamics", ..TORQUES };

/// A vector with the names of its numbers.
struct Word {
    vector: Vector,
    numbers: Vec<Names>,
}

/// What a number of a vector is called.
struct Names {
    coordinate: Coordinate,
    /// The coordinate as it is written.
    text: String,
    /// As older tables have it, in all ways.
    older: Vec<String>,
}

/// The vectors that the columns of a table may stand for.
pub struct Vocabulary {
    words: Vec<Word>,
}

/// The columns of each vector of a [`Vocabulary`], as far as they are there.
pub struct Places(Vec<Vec<Option<usize>>>);

/// A vector of a [`Vocabulary`], and one of its numbers.
type Place = (usize, usize);

impl Vocabulary {
    /// Vectors of a robot, such as [`state_vectors`].
    #[must_use]
    pub fn new(model: &Model<f64>, vectors: &[Vector]) -> Self {
        let word = |vector: &Vector| {
            let coordinates = match vector.kind {
                CoordinateKind::Position => model.coordinates(),
                CoordinateKind::Velocity => model.velocities(),
            };
            Word { vector: *vector, numbers: coordinates.into_iter().map(|own| Names::new(own, model)).collect() }
        };
        Self { words: vectors.iter().map(word).collect() }
    }

    /// Which vector a heading means, and which of its numbers; the first two if it could mean several.
    fn meaning(&self, heading: &str) -> Result<Option<Place>, [Place; 2]> {
        let words = || self.words.iter().enumerate();
        if let Some(found) = words().find_map(|(index, word)| Some((index, word.exact(heading)?))) {
            return Ok(Some(found));
        }
        let mut found = words().flat_map(|(index, word)| word.older(heading).into_iter().map(move |k| (index, k)));
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err([first, second]),
            (first, _) => Ok(first),
        }
    }

    /// The letters of the vector that a heading means, and which of its numbers, from 0; `None` if it means none or several.
    #[must_use]
    pub fn number(&self, heading: &str) -> Option<(&'static str, usize)> {
        let (word, number) = self.meaning(heading).ok()??;
        Some((self.words[word].vector.letters, number))
    }

    /// Finds the columns.
    ///
    /// # Errors
    /// A heading of numbers only, columns that are there twice, and headings that could mean two things.
    pub fn find(&self, headings: &[String]) -> Result<Places, TableError> {
        if headings.iter().all(|heading| heading.parse::<f64>().is_ok()) {
            let ends = |word: &Word| -> Option<String> {
                let [first, last] = [word.numbers.first()?, word.numbers.last()?];
                let name = |names: &Names| heading(word.vector.letters, &names.coordinate);
                Some(if word.numbers.len() == 1 { name(first) } else { format!("{} … {}", name(first), name(last)) })
            };
            let expected: Vec<String> = self.words.iter().filter_map(ends).collect();
            return Err(TableError::NoHeading { expected: expected.join(", ") });
        }
        let mut places: Vec<_> = self.words.iter().map(|word| vec![None; word.numbers.len()]).collect();
        for (column, heading) in headings.iter().enumerate() {
            let meaning = self.meaning(heading).map_err(|meanings| TableError::Ambiguous {
                column: column + 1,
                name: heading.clone(),
                meanings: meanings.map(|(word, number)| self.words[word].heading(number)),
            })?;
            let Some((word, number)) = meaning else { continue };
            if places[word][number].replace(column).is_some() {
                return Err(TableError::DuplicateColumn { column: column + 1, name: heading.clone() });
            }
        }
        Ok(Places(places))
    }

    /// The columns of a vector, by its letters, that must be there.
    ///
    /// # Errors
    /// The first that is missing.
    ///
    /// # Panics
    /// If the vocabulary has no such vector.
    pub fn required(&self, letters: &str, places: &Places, headings: &[String]) -> Result<Vec<usize>, TableError> {
        let word = self.word(letters);
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
    /// If the vocabulary has no such vector.
    pub fn optional(
        &self,
        letters: &str,
        places: &Places,
        headings: &[String],
    ) -> Result<Option<Vec<usize>>, TableError> {
        if places.0[self.word(letters)].iter().all(Option::is_none) {
            return Ok(None);
        }
        self.required(letters, places, headings).map(Some)
    }

    /// The columns of a vector as far as they are there. What is missing must not be a slip: with `slips`, words that headings of such a vector
    /// have, a column that stands for nothing and has one is an error, and so is one that is nearly right.
    ///
    /// # Errors
    /// The first that is missing, if all are or if it may be a slip.
    ///
    /// # Panics
    /// If the vocabulary has no such vector.
    pub fn present(
        &self,
        letters: &str,
        places: &Places,
        headings: &[String],
        slips: &[&str],
    ) -> Result<Vec<Option<usize>>, TableError> {
        let word = self.word(letters);
        let found = &places.0[word];
        let Some(k) = found.iter().position(Option::is_none) else { return Ok(found.clone()) };
        let missing = self.missing(word, k, headings);
        let unknown = headings.iter().filter(|heading| matches!(self.meaning(heading), Ok(None)));
        let slip = |heading: &String| slips.iter().any(|slip| heading.to_lowercase().contains(slip));
        let is_near = matches!(missing, TableError::MissingColumn { near: Some(_), .. });
        if found.iter().all(Option::is_none) || is_near || unknown.filter(|heading| slip(heading)).count() > 0 {
            return Err(missing);
        }
        Ok(found.clone())
    }

    /// The columns of a vector of which some may be missing.
    ///
    /// # Panics
    /// If the vocabulary has no such vector.
    #[must_use]
    pub fn partial<'p>(&self, letters: &str, places: &'p Places) -> &'p [Option<usize>] {
        &places.0[self.word(letters)]
    }

    fn word(&self, letters: &str) -> usize {
        let found = self.words.iter().position(|word| word.vector.letters == letters);
        found.unwrap_or_else(|| panic!("the vocabulary has no vector `{letters}`"))
    }

    fn missing(&self, word: usize, k: usize, headings: &[String]) -> TableError {
        let word = &self.words[word];
        let Vector { what, letters, .. } = word.vector;
        let (column, number) = (word.heading(k), format!("{letters}{}", k + 1));
        let unknown = |heading: &&str| matches!(self.meaning(heading), Ok(None));
        let others: Vec<&str> = headings.iter().map(String::as_str).filter(unknown).collect();
        let spellings = [&number, &column, &format!("{letters}_{}", word.numbers[k].text)];
        let near = spellings.into_iter().find_map(|spelling| nearest(spelling, &others)).map(|near| near.to_string());
        TableError::MissingColumn { what, column, number, letters, near }
    }
}

impl Names {
    fn new(coordinate: Coordinate, model: &Model<f64>) -> Self {
        let link = &model.links()[coordinate.link];
        let joint = &coordinate.joint;
        let local = match coordinate.part {
            Part::Whole => None,
            Part::Quaternion(i) => Some(link.joint.nq() - 4 + i),
            Part::Angular(i) => Some(link.joint.nv() - 3 + i),
            Part::Place(i) | Part::Linear(i) | Part::Number(i) => Some(i),
        };
        let older = match local {
            None => vec![joint.clone(), link.name.clone()],
            Some(local) => vec![format!("{joint}.{}", coordinate.part), format!("{joint}.{}", local + 1)],
        };
        Self { text: coordinate.to_string(), coordinate, older }
    }
}

impl Word {
    /// How a number is headed.
    fn heading(&self, number: usize) -> String {
        heading(self.vector.letters, &self.numbers[number].coordinate)
    }

    /// The number that a heading as it is written today gives this vector.
    fn exact(&self, heading: &str) -> Option<usize> {
        let text = heading.strip_prefix(self.vector.letters)?.strip_prefix('[')?.strip_suffix(']')?;
        self.numbers.iter().position(|names| names.text == text)
    }

    /// All numbers that an older heading may give this vector.
    fn older(&self, heading: &str) -> Vec<usize> {
        let Some(rest) = heading.strip_prefix(self.vector.letters) else { return Vec::new() };
        let bracketed = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let name = rest.strip_prefix(['_', ':']);
        let count = self.numbers.len();
        let number = name.unwrap_or(rest).parse::<usize>().ok().filter(|number| (1..=count).contains(number));
        let called = |names: &Names, name: &str| names.text == name || names.older.iter().any(|older| older == name);
        let fits = |k: &usize| {
            let names = &self.numbers[*k];
            number == Some(k + 1) || [bracketed, name].into_iter().flatten().any(|name| called(names, name))
        };
        (0..count).filter(fits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, Format};
    use crate::robots;
    use proptest::prelude::*;

    /// A robot of joints with these names, one number each, but for the first, which is free.
    fn robot(names: &[&str]) -> Model<f64> {
        let link = |(k, name): (usize, &&str)| {
            let kind = if k == 0 { "free" } else { "revolute" };
            serde_json::json!({ "name": format!("link{k}"), "mass": 1, "inertia": [1, 0, 0, 1, 0, 1],
                "joint": { "type": kind, "name": name } })
        };
        let links: Vec<_> = names.iter().enumerate().map(link).collect();
        let text = serde_json::json!({ "name": "r", "link": links }).to_string();
        let reading = formats::read_str(&text, Format::Json);
        Model::from_description(&reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))).unwrap()
    }

    fn read(model: &Model<f64>, headings: &[&str]) -> Result<Vec<Vec<Option<usize>>>, TableError> {
        let headings: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
        Vocabulary::new(model, &state_vectors()).find(&headings).map(|places| places.0)
    }

    /// The columns of every number under the headings that are written today, through a line of CSV.
    fn round_trip(model: &Model<f64>) {
        let (q, w) = (model.coordinates(), model.velocities());
        let of =
            |vector: &Vector| headings(vector.letters, if vector.kind == CoordinateKind::Position { &q } else { &w });
        let all: Vec<String> = state_vectors().iter().flat_map(of).collect();
        let line = all.iter().map(|name| csv_cell(name)).collect::<Vec<_>>().join(",");
        let parser = super::super::RowParser::new(&mut super::super::Lines::new(line.as_bytes())).unwrap();
        assert_eq!(parser.headings(), all);
        let places = Vocabulary::new(model, &state_vectors()).find(parser.headings()).unwrap().0;
        assert_eq!(places.concat(), (0..all.len()).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_written_is_read_for_names_that_look_like_anything() {
        round_trip(&robots::load("floating_humanoid25").unwrap());
        round_trip(&robot(&[
            "a", "a.x", "a.1", "r1", "r[1]", "1", "2", "a,b;c\td", "\"", "left arm", "肘", "link0", "d_r",
        ]));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_for_any_names(names in prop::collection::hash_set("[a-c.1\\[\\]\", ;_:é\n]{1,4}", 2..6)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let trimmed: std::collections::HashSet<&str> = names.iter().map(|name| name.trim()).collect();
            prop_assume!(trimmed.len() == names.len() && !trimmed.contains(""));
            round_trip(&robot(&names));
        }
    }

    #[test]
    fn older_headings_are_read() {
        let model = robots::load("floating_humanoid25").unwrap();
        for heading in ["q4", "q_4", "q:pelvis.qw", "q_pelvis.qw", "q[pelvis.qw]", "q:pelvis.4"] {
            let places = read(&model, &["t", heading]).unwrap();
            assert_eq!(places[0].iter().position(Option::is_some), Some(3), "{heading}");
        }
        for heading in ["qd7", "qd_7", "qd:torso", "qd_torso", "qd[torso]"] {
            let places = read(&model, &[heading, "note"]).unwrap();
            assert_eq!(places[1].iter().position(Option::is_some), Some(6), "{heading}");
        }
    }

    #[test]
    fn a_heading_that_could_mean_two_things_is_refused() {
        let model = robot(&["base_joint", "r1", "1", "b", "link3"]);
        for (heading, meanings) in [
            ("qd_r1", ["qd[r1]", "qd_r[base_joint.vx]"]),
            ("q_1", ["q[base_joint.x]", "q[1]"]),
            ("q_link3", ["q[b]", "q[link3]"]),
        ] {
            let error = read(&model, &["t", heading]).unwrap_err();
            assert_eq!((error.kind(), error.place()), ("ambiguous-column", Some((1, 2))), "{heading}");
            let TableError::Ambiguous { meanings: found, .. } = error else { panic!("{error}") };
            assert_eq!(found, meanings, "{heading}");
            // As they are written today they mean one thing.
            assert!(read(&model, &meanings).is_ok());
        }
    }
}
