//! A list of states as JSON, element by element: a file of any size in the memory of one block.
//!
//! Trap: elements are cut out by their brackets alone, before anybody knows whether they are JSON; what is wrong inside one is found
//! by the reader of single states, and told with its place in the whole text.

use super::state::GivenState;
use super::state_lines::parse;
use crate::model::description::Location;
use crate::model::{Diagnostic, Model};
use rayon::prelude::*;
use std::io::BufRead;

/// Longest element, bytes: what is longer is no state.
const LONGEST: usize = 1 << 24;

/// A JSON list of states.
pub struct StateItems<R> {
    source: R,
    /// Line and column of the next byte, from 1; columns count bytes.
    place: (usize, usize),
    next: Next,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    /// The bracket that opens the list.
    Open,
    /// The first element, or the end of an empty list.
    First,
    /// A comma and an element, or the end.
    More,
    Nothing,
}

/// An element: its text and where it begins.
struct Item {
    text: Vec<u8>,
    place: (usize, usize),
}

impl<R: BufRead> StateItems<R> {
    /// From the first byte of a source.
    pub fn new(source: R) -> Self {
        Self { source, place: (1, 1), next: Next::Open }
    }

    /// The next states, at most so many; none are left if there are none. Elements are parsed on all cores.
    ///
    /// # Errors
    /// What is wrong with the first element that is no state, or with what stands between two.
    pub fn read(&mut self, most: usize, model: &Model<f64>) -> Result<Vec<GivenState>, Vec<Diagnostic>> {
        let mut items = Vec::new();
        let mut broken = None;
        while items.len() < most {
            match self.item() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => break,
                Err(found) => {
                    broken = Some(found);
                    break;
                }
            }
        }
        let read = |item: &Item| {
            let moved = |found: Vec<Diagnostic>| found.into_iter().map(|finding| moved(finding, item.place)).collect();
            parse(&item.text, model, "an element of the list").map_err(moved)
        };
        let results: Vec<Result<_, Vec<Diagnostic>>> = match &items[..] {
            [one] => vec![read(one)],
            _ => items.par_iter().with_min_len(16).map(read).collect(),
        };
        let states = results.into_iter().collect::<Result<_, _>>()?;
        // What stands before the break comes first.
        broken.map_or(Ok(states), |found| Err(vec![*found]))
    }

    /// The next element; `None` after the last.
    fn item(&mut self) -> Result<Option<Item>, Box<Diagnostic>> {
        if self.next == Next::Open {
            self.expect(b"[")?;
            self.next = Next::First;
        }
        let byte = match self.next {
            Next::Nothing => return Ok(None),
            Next::More => match self.expect(b",]")? {
                b',' => self.expect(b"[{")?,
                end => end,
            },
            Next::Open | Next::First => self.expect(b"[{]")?,
        };
        if byte == b']' {
            self.next = Next::Nothing;
            return match self.after_space()? {
                None => Ok(None),
                Some(other) => Err(self.unexpected(other, b"")),
            };
        }
        self.next = Next::More;
        let place = (self.place.0, self.place.1 - 1);
        self.rest_of(byte, place).map(Some)
    }

    /// An element from its bracket to the one that closes it.
    fn rest_of(&mut self, open: u8, place: (usize, usize)) -> Result<Item, Box<Diagnostic>> {
        let (mut text, mut depth, mut in_string, mut escaped) = (vec![open], 1_usize, false, false);
        while depth > 0 {
            let Some(byte) = self.byte()? else {
                return Err(Box::new(at("syntax-error", "JSON: the text ends within a state", place)));
            };
            if text.len() == LONGEST {
                return Err(Box::new(at("too-large", "a state is longer than 16 MB", place)));
            }
            text.push(byte);
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'[' | b'{' if !in_string => depth += 1,
                b']' | b'}' if !in_string => depth -= 1,
                _ => {}
            }
        }
        Ok(Item { text, place })
    }

    /// The next byte that is no space, which must be one of these.
    fn expect(&mut self, allowed: &[u8]) -> Result<u8, Box<Diagnostic>> {
        match self.after_space()? {
            Some(byte) if allowed.contains(&byte) => Ok(byte),
            Some(byte) => Err(self.unexpected(byte, allowed)),
            None => Err(Box::new(at("syntax-error", "JSON: the text ends within the list", self.place))),
        }
    }

    fn unexpected(&self, byte: u8, allowed: &[u8]) -> Box<Diagnostic> {
        let allowed: Vec<String> = allowed.iter().map(|byte| format!("`{}`", char::from(*byte))).collect();
        let wanted = if allowed.is_empty() { "nothing more".to_owned() } else { allowed.join(" or ") };
        let message = format!("JSON: `{}` where {wanted} is expected", byte.escape_ascii());
        let found = at("syntax-error", &message, (self.place.0, self.place.1.saturating_sub(1)));
        Box::new(found.hint("a list of states is [{\"q\": […]}, …], or [[…], …] with positions alone"))
    }

    fn after_space(&mut self) -> Result<Option<u8>, Box<Diagnostic>> {
        loop {
            match self.byte()? {
                Some(b' ' | b'\t' | b'\r' | b'\n') => {}
                other => return Ok(other),
            }
        }
    }

    fn byte(&mut self) -> Result<Option<u8>, Box<Diagnostic>> {
        let unreadable = |error: std::io::Error| Box::new(Diagnostic::error("cannot-read", error.to_string()));
        let Some(byte) = self.source.fill_buf().map_err(unreadable)?.first().copied() else { return Ok(None) };
        self.source.consume(1);
        self.place = if byte == b'\n' { (self.place.0 + 1, 1) } else { (self.place.0, self.place.1 + 1) };
        Ok(Some(byte))
    }
}

fn at(code: &'static str, message: &str, (line, column): (usize, usize)) -> Diagnostic {
    let place = Location { file: 0, line, column, start: 0, end: 0 };
    Diagnostic::error(code, format!("line {line}, column {column}: {message}")).at(place)
}

/// A finding inside an element, at its place in the whole text.
fn moved(finding: Diagnostic, (line, column): (usize, usize)) -> Diagnostic {
    let place = finding.location.map_or((line, column), |inside| match inside.line {
        0 | 1 => (line, column + inside.column.saturating_sub(1)),
        below => (line + below - 1, inside.column),
    });
    let whole = at(finding.code, &finding.message, place);
    Diagnostic { location: whole.location, message: whole.message, ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read_states;
    use crate::random::Random;
    use crate::robots;

    fn all(text: &str, model: &Model<f64>, most: usize) -> Result<Vec<GivenState>, Vec<Diagnostic>> {
        let (mut items, mut states) = (StateItems::new(text.as_bytes()), Vec::new());
        loop {
            let block = items.read(most, model)?;
            if block.is_empty() {
                return Ok(states);
            }
            states.extend(block);
        }
    }

    #[test]
    fn elements_are_the_states_that_the_reader_of_whole_texts_finds() {
        let model = robots::load("planar2r").unwrap();
        let texts = [
            "[]",
            " [ ] \n",
            "[[1, 2], [3, 4]]",
            "[{\"q\": [1, 2]}, {\"qd\": [1e-3, 2]}, {\"q\": {\"link2\": 3}},\n\t{}]",
            "[{\"q\": [0, 1], \"wrenches\": [{\"link\": \"link2\", \"force\": [0, 0, 1]}]}]",
        ];
        for text in texts {
            let whole = read_states(text, &model).unwrap();
            for most in [1, 2, 100] {
                assert_eq!(all(text, &model, most).unwrap(), whole.states, "{text}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let model = robots::load("planar2r").unwrap();
        let cases = [
            ("[{\"q\": [1, 2]}\n {\"q\": [1, 2]}]", "syntax-error", (2, 2)),
            ("[{\"q\": [1, 2]},\n\n  {\"q\": [1, 2, 3]}]", "wrong-length", (3, 9)),
            ("[{\"q\": [1, 2]},\n {\n\"qq\": 1}]", "unknown-key", (3, 1)),
            ("[{\"q\": [1, 2]}", "syntax-error", (1, 15)),
            ("[{\"q\": [1, ]}]", "syntax-error", (1, 12)),
            ("[{\"q\": [1, 2]}] 7", "syntax-error", (1, 17)),
            ("[1, [2]]", "syntax-error", (1, 2)),
            ("[[[1, 2]]]", "wrong-type", (1, 2)),
            ("[{\"q\": \"]}", "syntax-error", (1, 2)),
        ];
        for (text, code, place) in cases {
            let found = all(text, &model, 10).unwrap_err();
            let at = found[0].location.unwrap();
            assert_eq!((found[0].code, (at.line, at.column)), (code, place), "{text}: {}", found[0].message);
            assert!(read_states(text, &model).is_err(), "{text}");
        }
        let endless = format!("[{{\"q\": [{}", "0,".repeat(LONGEST));
        assert_eq!(all(&endless, &model, 10).unwrap_err()[0].code, "too-large");
    }

    /// Single bytes of a good text changed: both readers take it, or neither does.
    #[test]
    fn both_readers_agree_on_texts_with_a_changed_byte() {
        let model = robots::load("planar2r").unwrap();
        let text = "[{\"q\": [1, 2]}, {\"qd\": [1, 2], \"q\": [\n0, 1e3]}, [4, 5]]";
        let seed = 3;
        let mut random = Random(seed);
        for _ in 0..5000 {
            let mut changed = text.as_bytes().to_vec();
            let place = random.below(changed.len());
            changed[place] = b"[]{},:\"\\ 0e-q\n"[random.below(14)];
            let changed = String::from_utf8(changed).unwrap();
            let whole = read_states(&changed, &model).ok().filter(|file| file.is_list).map(|file| file.states);
            assert_eq!(all(&changed, &model, 2).ok(), whole, "seed {seed}: {changed}");
        }
    }
}
