//! Text with switches: every mutant of a file in one program.
//!
//! The code of a mutant has its operands as they were, without switches of their own: one mutant lives at a time, and so the text
//! grows with the depth of an expression, not as a power of it.

use crate::find::{Form, Place};
use std::collections::HashSet;
use std::ops::Range;

/// A file with switches.
pub struct Spliced {
    /// Its text.
    pub text: String,
    /// Bytes that are of one mutant alone.
    pub own: Vec<(Range<usize>, usize)>,
    /// Bytes of a whole switch, and its mutants.
    pub whole: Vec<(Range<usize>, Vec<usize>)>,
}

/// `text` with a switch in each of `places` (outer first), those `without` left out.
pub fn splice(text: &str, places: &[Place], without: &HashSet<usize>) -> Spliced {
    let mut order: Vec<&Place> = places.iter().collect();
    order.sort_by_key(|place| (place.range.start, std::cmp::Reverse(place.range.end)));
    let mut spliced = Spliced { text: String::with_capacity(3 * text.len()), own: Vec::new(), whole: Vec::new() };
    let mut rest = order.as_slice();
    write(text, 0..text.len(), &mut rest, without, &mut spliced);
    spliced
}

/// Writes the bytes `range`, with the places that begin in it; these are taken off `rest`.
fn write(text: &str, range: Range<usize>, rest: &mut &[&Place], without: &HashSet<usize>, to: &mut Spliced) {
    let mut at = range.start;
    while let Some((place, others)) = rest.split_first()
        && place.range.end <= range.end
        && place.range.start < range.end
    {
        *rest = others;
        to.text.push_str(&text[at..place.range.start]);
        let from = to.text.len();
        let choices: Vec<&(usize, String)> =
            place.choices.iter().filter(|(number, _)| !without.contains(number)).collect();
        match place.form {
            Form::Expression if choices.is_empty() => write(text, place.range.clone(), rest, without, to),
            Form::Expression => {
                to.text.push('(');
                for (number, code) in &choices {
                    to.text.push_str(&format!("if crate::mutant::is({number}) {{ "));
                    own(to, *number, code);
                    to.text.push_str(" } else ");
                }
                to.text.push_str("{ ");
                write(text, place.range.clone(), rest, without, to);
                to.text.push_str(" })");
            }
            Form::Return => {
                for (number, code) in &choices {
                    to.text.push_str(&format!(" if crate::mutant::is({number}) {{ return "));
                    own(to, *number, code);
                    to.text.push_str("; }");
                }
            }
            Form::Guard => {
                for (number, _) in &choices {
                    own(to, *number, &format!(" if !crate::mutant::is({number})"));
                }
            }
        }
        to.whole.push((from..to.text.len(), choices.iter().map(|(number, _)| *number).collect()));
        at = place.range.end;
    }
    to.text.push_str(&text[at..range.end]);
}

fn own(to: &mut Spliced, number: usize, code: &str) {
    let from = to.text.len();
    to.text.push_str(code);
    to.own.push((from..to.text.len(), number));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::find;

    fn spliced(text: &str, without: &[usize]) -> String {
        let mut mutants = Vec::new();
        let places = find("a/b.rs", text, &mut mutants).unwrap();
        splice(text, &places, &without.iter().copied().collect()).text
    }

    #[test]
    fn operands_of_a_mutant_have_no_switches_of_their_own() {
        let text = spliced("fn f(a: &X) -> &X { a + b * c }", &[]);
        assert_eq!(
            text,
            "fn f(a: &X) -> &X { (if crate::mutant::is(0) { (a) - (b * c) } else { a + \
             (if crate::mutant::is(1) { (b) + (c) } else if crate::mutant::is(2) { (b) / (c) } else { b * c }) }) }"
        );
    }

    #[test]
    fn what_is_left_out_stands_as_it_was() {
        let source = "fn f(a: &X) -> &X { a + b * c }";
        assert_eq!(spliced(source, &[0, 1, 2]), source);
    }

    #[test]
    fn guards_arms_bodies_and_tests_are_told_apart() {
        let source = "fn f(x: u8) -> bool { match x { 1 => a, 2 if b => c, _ => d } }\n#[cfg(test)] mod tests { fn g() { 1 + 1; } }";
        let text = spliced(source, &[]);
        assert!(text.starts_with("fn f(x: u8) -> bool { if crate::mutant::is(0) { return true; }"), "{text}");
        assert!(text.contains("1 if !crate::mutant::is(2) => a"), "{text}");
        assert!(text.contains(
            "2 if (if crate::mutant::is(3) { true } else if crate::mutant::is(4) { false } else { b }) => c"
        ));
        assert!(text.ends_with("{ 1 + 1; } }"), "{text}");
    }

    #[test]
    fn constants_patterns_and_bound_names_stay() {
        let source = "const A: f64 = 1.0 + 2.0;\nfn f(x: X) -> &X { if let -1 = x && y { [0; 1 + 1] } else { z } }";
        assert_eq!(spliced(source, &[]), source);
    }

    #[test]
    fn macros_and_tables_of_formulas_are_looked_into() {
        let source = "macro_rules! m { ($x:expr) => {{ let μ = $x; μ + $x }}; }\ntable! { |a| { let b = a; } c = -b; }";
        let text = spliced(source, &[]);
        assert!(text.contains("(if crate::mutant::is(0) { (μ) - ($x) } else { μ + $x })"), "{text}");
        assert!(text.contains("c = (if crate::mutant::is(1) { b } else { -b });"), "{text}");
    }
}
