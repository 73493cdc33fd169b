//! Texts for a terminal, with the colours that we give them and no other control character.
//!
//! Names of a robot are [harmless](jourdain::model::harmless) already; messages may quote a file that holds none, and reports the
//! names of files.

use jourdain::model::harmless::{REPLACEMENT, is_harmful};

/// The text of a message, on one line or several; it has no colours yet.
#[must_use]
pub fn message(text: &str) -> String {
    text.replace(|c: char| is_harmful(c) && !is_layout(c), "\u{fffd}")
}

/// A text with colours: they pass, unless they hide it or make it blink, and everything else is replaced.
#[must_use]
pub fn coloured(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let length = match colour(rest) {
            Some(length) => {
                out.push_str(&rest[..length]);
                length
            }
            None => {
                out.push(if is_harmful(first) && !is_layout(first) { REPLACEMENT } else { first });
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// The length of the code of a colour that a text begins with: an escape, a bracket, numbers and the letter m.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
    let is_shown = numbers[..end].split(';').all(|number| !matches!(number, "5" | "6" | "8"));
    (numbers[end..].starts_with('m') && is_shown).then_some(end + 3)
}

/// A source text of the same length, so that places in it stay what they are.
#[must_use]
pub fn source(text: &str) -> String {
    let replaced = |c: char| match c.len_utf8() {
        _ if !is_harmful(c) || is_layout(c) => c.to_string(),
        3 => REPLACEMENT.to_string(),
        length => "?".repeat(length),
    };
    if text.chars().any(is_harmful) { text.chars().map(replaced).collect() } else { text.to_owned() }
}

/// What texts are laid out with.
fn is_layout(c: char) -> bool {
    matches!(c, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::super::style::{BAD, FAINT, GOOD, HEADING, WARN};
    use super::*;

    #[test]
    fn our_colours_pass_and_everything_else_is_shown() {
        let ours =
            format!("{BAD}error{BAD:#}: {FAINT}a\n\tb{FAINT:#} {HEADING}c{HEADING:#}{GOOD}d{GOOD:#}{WARN}e{WARN:#}");
        assert_eq!(coloured(&ours), ours);
        let theirs = "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[8mhidden\r\u{9b}31m\u{202e}";
        assert_eq!(coloured(theirs), "\u{fffd}]0;title\u{fffd}\u{fffd}[2J\u{fffd}[8mhidden\u{fffd}\u{fffd}31m\u{fffd}");
        assert_eq!(message("a\u{1b}[1mb\n"), "a\u{fffd}[1mb\n");
    }

    #[test]
    fn a_source_keeps_its_length() {
        let text = "a\u{1b}b\u{9b}c\u{202e}d\u{e0001}é\n";
        assert_eq!(source(text).len(), text.len());
        assert!(!source(text).contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{e0001}']));
    }
}
