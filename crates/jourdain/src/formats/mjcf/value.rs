//! Attribute values: numbers as C reads them, vectors, keywords.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Attribute, Span};
use super::context::{Context, View};
use crate::model::Diagnostic;

impl Context<'_, '_> {
    /// At least `least` and at most `most` numbers; none of them may be infinite.
    pub(super) fn numbers(&mut self, attribute: &Attribute, least: usize, most: usize) -> Option<Vec<f64>> {
        let numbers = self.numbers_or_infinite(attribute, least, most)?;
        if numbers.iter().all(|number| number.is_finite()) {
            return Some(numbers);
        }
        self.error(attribute.span, "not-finite", format!("`{}` must be finite", attribute.name));
        None
    }

    /// The same where infinity means that there is no bound.
    pub(super) fn numbers_or_infinite(&mut self, attribute: &Attribute, least: usize, most: usize) -> Option<Vec<f64>> {
        let words: Vec<&str> = attribute.value.split_whitespace().take(most + 1).collect();
        // Commas are said to be wrong before their number is.
        let comma = words.iter().any(|word| word.contains(','));
        if !comma && (words.len() < least || words.len() > most) {
            let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let more = if words.len() > most { "more" } else { "fewer" };
            let numbers = if count == "1" { "number" } else { "numbers" };
            self.error(
                attribute.span,
                "wrong-length",
                format!("`{}` takes {count} {numbers}, not {more}", attribute.name),
            );
            return None;
        }
        let mut numbers = Vec::with_capacity(words.len());
        for word in words {
            match parse(word) {
                Ok(number) => numbers.push(number),
                Err(rule) => {
                    let (code, hint) = match rule {
                        Flaw::TooLarge => ("not-finite", "it does not fit a double"),
                        Flaw::NotANumber if word.contains(',') => ("not-a-number", "numbers are separated by spaces"),
                        Flaw::NotANumber => ("not-a-number", "numbers are written as 1, -0.5 or 1e-3"),
                    };
                    let message = format!("`{}` must be numbers, not \"{}\"", attribute.name, shorten(word));
                    self.error_with_hint(attribute.span, code, message, hint);
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// Exactly `N` numbers.
    pub(super) fn vector<const N: usize>(&mut self, view: View<'_>, name: &str) -> Option<[f64; N]> {
        let attribute = view.attribute(name)?;
        self.numbers(attribute, N, N)?.try_into().ok()
    }

    pub(super) fn number(&mut self, view: View<'_>, name: &str) -> Option<f64> {
        self.vector::<1>(view, name).map(|[number]| number)
    }

    /// A whole number.
    pub(super) fn whole(&mut self, view: View<'_>, name: &str) -> Option<i64> {
        let attribute = view.attribute(name)?;
        let number = attribute.value.trim().parse().ok();
        if number.is_none() {
            let message = format!("`{name}` must be a whole number, not \"{}\"", shorten(&attribute.value));
            self.error(attribute.span, "not-a-number", message);
        }
        number
    }

    /// One of the words allowed, exactly as written there.
    pub(super) fn keyword<T: Copy>(&mut self, view: View<'_>, name: &str, words: &[(&'static str, T)]) -> Option<T> {
        let attribute = view.attribute(name)?;
        let found = words.iter().find(|(word, _)| *word == attribute.value).map(|(_, value)| *value);
        if found.is_none() {
            let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message =
                format!("`{name}` must be one of {}, not \"{}\"", allowed.join(", "), shorten(&attribute.value));
            self.error_with_hint(attribute.span, "unknown-keyword", message, suggest::hint(&attribute.value, &allowed));
        }
        found
    }

    pub(super) fn flag(&mut self, view: View<'_>, name: &str) -> Option<bool> {
        self.keyword(view, name, &[("true", true), ("false", false)])
    }

    /// True or false; `None` for `auto`, and if it is not given.
    pub(super) fn flag_or_auto(&mut self, view: View<'_>, name: &str) -> Option<bool> {
        self.keyword(view, name, &[("auto", None), ("true", Some(true)), ("false", Some(false))]).flatten()
    }

    /// An error for every attribute that the element does not have: most are misspelt.
    pub(super) fn known_attributes(&mut self, view: View<'_>, known: &[&str]) {
        for (span, finding) in unknown(view, known, Diagnostic::error) {
            self.push(span, finding);
        }
    }

    /// A warning where such an attribute may come from another version of MuJoCo.
    pub(super) fn doubtful_attributes(&mut self, view: View<'_>, known: &[&str]) {
        for (span, finding) in unknown(view, known, Diagnostic::warning) {
            self.push(span, finding);
        }
    }
}

fn unknown(view: View<'_>, known: &[&str], finding: fn(&'static str, String) -> Diagnostic) -> Vec<(Span, Diagnostic)> {
    let attributes = view.element.attributes.iter();
    let strangers = attributes.filter(|it| !it.name.contains(':') && !known.contains(&it.name.as_str()));
    let finding = |it: &Attribute| {
        let message = format!("<{}> has no attribute `{}`", view.element.tag, shorten(&it.name));
        (it.name_span, finding("unknown-attribute", message).hint(suggest::hint(&it.name, known)))
    };
    strangers.map(finding).collect()
}

enum Flaw {
    NotANumber,
    TooLarge,
}

/// What C's `strtod` makes of a word: decimals, hexadecimal whole numbers, infinities; underflow is zero.
fn parse(word: &str) -> Result<f64, Flaw> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let value = u64::from_str_radix(digits, 16).map_err(|_| Flaw::NotANumber)? as f64;
        return Ok(if word.starts_with('-') { -value } else { value });
    }
    let value: f64 = word.parse().map_err(|_| Flaw::NotANumber)?;
    let named = unsigned.starts_with(['i', 'I', 'n', 'N']);
    if value.is_nan() {
        return Err(Flaw::NotANumber);
    }
    if value.is_infinite() && !named { Err(Flaw::TooLarge) } else { Ok(value) }
}
