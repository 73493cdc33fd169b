//! Words of a picture: indices and exponents in plain text, and how wide words are.
//!
//! `q_{1}` has an index, `10^{-3}` an exponent. Widths are those of the font that pictures carry (see `font/make.py`); a viewer of an
//! SVG without that font takes another, so that nothing may depend on them to the last point.

#[path = "font/advances.rs"]
mod advances;

use super::drawing::{Anchor, Level, Mark, Paint, Point, Run, Text};
use advances::{ADVANCES, EM};

/// Size of an index or an exponent, in sizes of the words around it.
pub const SMALL: f64 = 0.72;
/// How far an index stands below the base line, in sizes of the words around it.
pub const LOWERED: f64 = 0.22;
/// How far an exponent stands above it.
pub const RAISED: f64 = 0.34;

/// Width of a letter that no table has, in em.
const UNKNOWN: f64 = 0.65;

impl Level {
    /// The size of such a piece, and how far down it stands, for words of size one.
    #[must_use]
    pub fn place(self) -> (f64, f64) {
        match self {
            Self::Base => (1.0, 0.0),
            Self::Lowered => (SMALL, LOWERED),
            Self::Raised => (SMALL, -RAISED),
        }
    }
}

/// Pieces of a text with `_{index}` and `^{exponent}`. Braces that do not close are ordinary letters.
#[must_use]
pub fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut push = |text: &str, level: Level| {
        if !text.is_empty() {
            match runs.last_mut() {
                Some(last) if last.level == level => last.text.push_str(text),
                Some(_) | None => runs.push(Run { text: text.to_owned(), level }),
            }
        }
    };
    let mut rest = text;
    while let Some((at, level)) = next_level(rest) {
        let inside = &rest[at + 2..];
        let Some(end) = inside.find('}') else { break };
        push(&rest[..at], Level::Base);
        push(&inside[..end], level);
        rest = &inside[end + 1..];
    }
    push(rest, Level::Base);
    runs
}

fn next_level(text: &str) -> Option<(usize, Level)> {
    let found = |mark: &str, level| text.find(mark).map(|at| (at, level));
    [found("_{", Level::Lowered), found("^{", Level::Raised)].into_iter().flatten().min_by_key(|(at, _)| *at)
}

/// The text alone, for readers that know no indices.
#[must_use]
pub fn plain(text: &str) -> String {
    runs(text).iter().map(|run| run.text.as_str()).collect()
}

/// How wide pieces are at a size in points.
#[must_use]
pub fn width_of(runs: &[Run], size: f64, bold: bool) -> f64 {
    let letters = |run: &Run| run.text.chars().map(|letter| advance(letter, bold)).sum::<f64>() * run.level.place().0;
    size * runs.iter().map(letters).sum::<f64>()
}

/// How wide a text with indices and exponents is at a size in points.
#[must_use]
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    width_of(&runs(text), size, bold)
}

/// Width of a letter in em; accents that stand on the letter before have none.
pub(super) fn advance(letter: char, bold: bool) -> f64 {
    match ADVANCES.binary_search_by_key(&letter, |(other, _)| *other) {
        Ok(found) => f64::from(ADVANCES[found].1[usize::from(bold)]) / f64::from(EM),
        Err(_) if is_accent(letter) => 0.0,
        Err(_) => UNKNOWN,
    }
}

/// Whether a letter stands on the one before.
pub(super) fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// A text that is at most so wide: the middle of a longer one gives way to an ellipsis. Only for text without indices.
#[must_use]
pub fn shortened(text: &str, most: f64, size: f64, bold: bool) -> String {
    if width(text, size, bold) <= most {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let cut = |kept: usize| -> String {
        letters[..kept.div_ceil(2)].iter().chain(&['…']).chain(&letters[letters.len() - kept / 2..]).collect()
    };
    let fits = |kept: &usize| width(&cut(*kept), size, bold) <= most;
    (0..letters.len()).rev().find(fits).map_or_else(|| "…".to_owned(), cut)
}

/// Words with indices and exponents at a place.
#[must_use]
pub fn mark(at: Point, anchor: Anchor, size: f64, bold: bool, paint: impl Into<Paint>, text: &str) -> Mark {
    Mark::Text(Text { at, anchor, size, bold, paint: paint.into(), runs: runs(text) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_exponents_are_pieces_of_their_own() {
        let run = |text: &str, level| Run { text: text.to_owned(), level };
        let expected = [run("q", Level::Base), run("12", Level::Lowered), run(" in 10", Level::Base)];
        assert_eq!(runs("q_{12} in 10^{−3}")[..3], expected);
        assert_eq!(plain("q_{12} in 10^{−3}"), "q12 in 10−3");
        for odd in ["", "a_b", "a_{b", "}_{}", "^{a}_{b}"] {
            assert!(runs(odd).iter().all(|run| !run.text.is_empty()), "{odd}");
        }
    }

    #[test]
    fn digits_are_of_one_width_and_accents_of_none() {
        for bold in [false, true] {
            let one = width("1", 8.0, bold);
            assert!("0123456789".chars().all(|digit| advance(digit, bold) * 8.0 == one));
            assert_eq!(width("q\u{307}", 8.0, bold), width("q", 8.0, bold));
            assert!(width("q_{1}", 8.0, bold) < width("q1", 8.0, bold));
        }
        assert!(ADVANCES.is_sorted_by_key(|(letter, _)| *letter));
    }

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shortened("elbow", 100.0, 8.0, false), "elbow");
        let cut = shortened("left_shoulder_pitch", 50.0, 8.0, false);
        assert!(cut.starts_with("left") && cut.contains('…') && width(&cut, 8.0, false) <= 50.0, "{cut}");
        assert_eq!(shortened("abc", 0.1, 8.0, false), "…");
    }
}
