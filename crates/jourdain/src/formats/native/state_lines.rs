//! States as lines of JSON: one object, or the list of its `q`, per line, read block by block.

use super::super::table::{Lines, TextBlock};
use super::plain_state;
use super::state::{GivenState, read_states};
use crate::model::description::Location;
use crate::model::{Diagnostic, Model};
use rayon::prelude::*;
use std::io::BufRead;

/// A text with a state per line; empty lines are passed over.
pub struct StateLines<R> {
    lines: Lines<R>,
    block: TextBlock,
}

impl<R: BufRead> StateLines<R> {
    /// From the first line of a source.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::new(source), block: TextBlock::default() }
    }

    /// The next states, at most so many, each with the number of its line; none are left if there are none. Lines are
    /// parsed on all cores.
    ///
    /// # Errors
    /// What is wrong with the first line that is no state.
    pub fn read(&mut self, most: usize, model: &Model<f64>) -> Result<Vec<(GivenState, u64)>, Vec<Diagnostic>> {
        self.lines
            .next_block(most, &mut self.block)
            .map_err(|error| vec![Diagnostic::error(error.kind(), error.to_string())])?;
        let block = &self.block;
        let parse = |index: usize| {
            let (text, line) = block.line(index);
            parse(text, model, "a line").map(|state| (state, line)).map_err(|found| {
                found.into_iter().map(|finding| on_line(finding, usize::try_from(line).unwrap_or(usize::MAX))).collect()
            })
        };
        let results: Vec<_> = match block.len() {
            1 => vec![parse(0)],
            count => (0..count).into_par_iter().with_min_len(16).map(parse).collect(),
        };
        results.into_iter().collect()
    }
}

/// The one state of a text; `what` the text is, for messages.
pub(super) fn parse(text: &[u8], model: &Model<f64>, what: &str) -> Result<GivenState, Vec<Diagnostic>> {
    if let Some(state) = plain_state::read(text, model) {
        return Ok(state);
    }
    let text = std::str::from_utf8(text).map_err(|_| {
        vec![Diagnostic::error("not-utf8", format!("{what} is not UTF-8 text")).hint("save it as UTF-8")]
    })?;
    let file = read_states(text.trim_start_matches('\u{feff}'), model)?;
    match file.states.into_iter().next() {
        Some(state) if !file.is_list => Ok(state),
        _ => {
            let found = Diagnostic::error("wrong-type", format!("{what} must hold one state, not a list"));
            Err(vec![found.hint("a list of states is JSON, not lines of JSON")])
        }
    }
}

/// The finding at its line of the whole text.
fn on_line(mut finding: Diagnostic, line: usize) -> Diagnostic {
    let column = finding.location.map_or(1, |place| place.column);
    finding.location = Some(Location { file: 0, line, column, start: 0, end: 0 });
    finding.message = format!("line {line}, column {column}: {}", finding.message);
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;

    #[test]
    fn every_line_is_a_state_and_a_bad_one_is_named() {
        let model = robots::load("planar2r").unwrap();
        let text = "{\"q\": [1, 0]}\n\n{\"q\": [2, 0]}\n{\"q\": [3, 0], \"qq\": 1}\n";
        let mut lines = StateLines::new(text.as_bytes());
        let first = lines.read(2, &model).unwrap();
        let numbers: Vec<_> = first.iter().map(|(given, line)| (given.state.q[0], *line)).collect();
        assert_eq!(numbers, [(1.0, 1), (2.0, 3)]);
        let found = lines.read(2, &model).unwrap_err();
        let place = found[0].location.unwrap();
        assert_eq!((found[0].code, place.line, place.column), ("unknown-key", 4, 15));
        assert!(lines.read(2, &model).unwrap().is_empty());
        let mut bare = StateLines::new(&b"[1, 2]\n{\"q\": {\"link2\": 3}}\n"[..]);
        let positions: Vec<_> = bare.read(2, &model).unwrap().into_iter().map(|(given, _)| given.state.q).collect();
        assert_eq!(positions, [[1.0, 2.0], [0.0, 3.0]]);
        assert_eq!(StateLines::new(&b"[{}]"[..]).read(1, &model).unwrap_err()[0].code, "wrong-type");
        assert_eq!(StateLines::new(&b"{\"q\": \xff}"[..]).read(1, &model).unwrap_err()[0].code, "not-utf8");
    }
}
