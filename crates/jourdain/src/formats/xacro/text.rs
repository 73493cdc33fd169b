//! Texts with `${…}` and `$(…)` in them, cut into pieces.
//!
//! An expression ends at the first `}`, even inside quotes; `$${` is `${` and no expression.

use super::failure::{Failure, Outcome};
use std::ops::Range;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// As it stands.
    Plain(Range<usize>),
    /// What is between `${` and `}`.
    Expression(Range<usize>),
    /// What is between `$(` and `)`.
    Substitution(Range<usize>),
}

/// The pieces of a text, and where it goes wrong if it does.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, (usize, Box<Failure>)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let dollars = rest.bytes().take_while(|byte| *byte == b'$').count();
        let bracket = rest.as_bytes().get(dollars).copied().filter(|byte| matches!(byte, b'{' | b'('));
        at += match (dollars, bracket) {
            (0, _) => {
                let end = rest.find('$').unwrap_or(rest.len());
                pieces.push(Piece::Plain(at..at + end));
                end
            }
            (1, Some(bracket)) => {
                let close = if bracket == b'{' { '}' } else { ')' };
                let Some(end) = rest.find(close) else {
                    let failure = Failure::expression(format!("`${}` is not closed", bracket as char));
                    return Err((
                        at,
                        failure.hint(format!("write {close} where it ends, or $${} for the signs", bracket as char)),
                    ));
                };
                let inside = at + 2..at + end;
                pieces.push(if bracket == b'{' { Piece::Expression(inside) } else { Piece::Substitution(inside) });
                end + 1
            }
            (_, Some(_)) => {
                pieces.push(Piece::Plain(at + 1..at + dollars + 1));
                dollars + 1
            }
            (1, None) => {
                let end = 1 + rest[1..].find(['$', '{', '(']).unwrap_or(rest.len() - 1);
                pieces.push(Piece::Plain(at..at + end));
                end
            }
            (_, None) => {
                return Err((at, Failure::expression("`$$` has a meaning before { and ( only").hint("write one $")));
            }
        };
    }
    Ok(pieces)
}

/// A name that Python would take for a variable.
pub(super) fn is_identifier(name: &str) -> bool {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&name)
}

/// What a condition takes for true; only some texts are conditions at all.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => super::python::parse_int(text, 10).map(|number| number != 0),
    }
}

/// A condition that is no truth value.
pub(super) fn no_condition(given: &str, value: &str) -> Outcome<bool> {
    let of = if given == value { String::new() } else { format!(" (from \"{given}\")") };
    let failure =
        Failure::new("xacro-condition", format!("a condition is true, false or a whole number, not \"{value}\"{of}"));
    Err(failure.hint("compare in an expression: ${… == …}"))
}
