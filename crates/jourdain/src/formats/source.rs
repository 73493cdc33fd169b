//! From a byte range of a text to line and column.
//!
//! Trap: a robot may be one line of many megabytes, so columns (in characters) are counted from checkpoints and not
//! from the start of the line.

use crate::model::description::Location;
use std::borrow::Cow;
use std::ops::Range;

/// Distance of two checkpoints, bytes.
const BLOCK: usize = 256;

/// A text with an index of its lines.
pub(super) struct Source<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    line_starts: Vec<usize>,
    characters_before_block: Vec<usize>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str) -> Self {
        Self::of(Cow::Borrowed(text))
    }

    pub fn owned(text: String) -> Self {
        Self::of(Cow::Owned(text))
    }

    fn of(text: Cow<'a, str>) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let characters_before_block = text
            .as_bytes()
            .chunks(BLOCK)
            .scan(0, |total, block| {
                let before = *total;
                *total += count_characters(block);
                Some(before)
            })
            .collect();
        let line_starts = std::iter::once(0).chain(newlines).collect();
        Self { line_starts, characters_before_block, text }
    }

    /// Line, column and bytes of a range; ranges beyond the text are pulled into it.
    pub fn locate(&self, range: Range<usize>) -> Location {
        let start = range.start.min(self.text.len());
        let line = self.line_starts.partition_point(|first| *first <= start).max(1);
        let column = self.characters_before(start) - self.characters_before(self.line_starts[line - 1]) + 1;
        Location { file: 0, line, column, start, end: range.end.clamp(start, self.text.len()) }
    }

    /// The place of a line and a column, both from 1, the column in characters.
    pub fn locate_line_column(&self, line: usize, column: usize) -> Location {
        let line = line.clamp(1, self.line_starts.len());
        let first = self.line_starts[line - 1];
        let rest = &self.text[first..];
        let offset = rest.char_indices().nth(column.max(1) - 1).map_or(rest.len(), |(at, _)| at);
        let width = rest[offset..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        self.locate(first + offset..first + offset + width)
    }

    /// The end of the text.
    pub fn end(&self) -> Location {
        let last = self.text.trim_end().len();
        self.locate(last..last)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        match self.characters_before_block.get(block) {
            Some(before) => before + count_characters(&self.text.as_bytes()[block * BLOCK..offset]),
            None => {
                let last = self.characters_before_block.len().saturating_sub(1);
                self.characters_before_block.last().copied().unwrap_or(0)
                    + count_characters(&self.text.as_bytes()[(last * BLOCK).min(offset)..offset])
            }
        }
    }
}

/// Characters of UTF-8 text: all bytes but the continuation bytes.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let source = Source::new("ab\nαβγ = 1\n");
        let at = source.text.find('=').unwrap();
        let place = source.locate(at..at + 1);
        assert_eq!((place.line, place.column), (2, 5));
        assert_eq!(source.locate_line_column(2, 5), place);
        assert_eq!((source.locate(0..1).line, source.locate(0..1).column), (1, 1));
        assert_eq!(source.locate(1000..2000).start, source.text.len());
        assert_eq!((source.end().line, source.end().column), (2, 8));
    }

    #[test]
    fn columns_far_into_one_line_agree_with_counting() {
        let text = "aé€".repeat(1000);
        let source = Source::new(&text);
        for (index, (at, _)) in text.char_indices().enumerate().step_by(37) {
            assert_eq!(source.locate(at..at).column, index + 1);
        }
        assert_eq!(source.locate(text.len()..text.len()).column, 3001);
        assert_eq!(Source::new("").locate(0..0).column, 1);
    }
}
