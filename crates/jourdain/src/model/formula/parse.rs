//! Formulas from text, as people and Python write them: `350*sin(q) - 20*(q - 0.1)^2`.

use super::{Formula, MOST_STEPS, Step};

/// The largest power that may be written.
const MOST_POWER: i32 = 32;
/// How deep parentheses may be nested.
const MOST_NESTED: usize = 64;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at character {at}")]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// Where, in characters from 1.
    pub at: usize,
}

impl Formula {
    /// Reads `text`: numbers, `q`, `pi`, `+ - * / ^ **`, parentheses, `sin`, `cos`, `sqrt`.
    ///
    /// # Errors
    /// Anything else, with the place.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, steps: Vec::new(), nested: 0 };
        parser.sum()?;
        parser.skip_blanks();
        if parser.at < parser.text.len() {
            return Err(parser.expected("an operator or the end"));
        }
        let long = FormulaError { message: "the formula is too long or too deep".to_owned(), at: 1 };
        Self::new(parser.steps).ok_or(long)
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    steps: Vec<Step>,
    nested: usize,
}

impl Parser {
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes `sign` if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let length = sign.chars().count();
        let found = self.text[self.at..].iter().take(length).copied().eq(sign.chars());
        if found {
            self.at += length;
        }
        found
    }

    fn error(&self, message: impl Into<String>) -> FormulaError {
        FormulaError { message: message.into(), at: self.at + 1 }
    }

    fn expected(&self, what: &str) -> FormulaError {
        match self.text.get(self.at) {
            Some(found) => self.error(format!("expected {what}, not `{}`", found.escape_default())),
            None => self.error(format!("expected {what}, and the formula ends")),
        }
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        self.product()?;
        loop {
            let step = match () {
                () if self.take("+") => Step::Add,
                () if self.take("-") || self.take("−") => Step::Subtract,
                () => return Ok(()),
            };
            self.product()?;
            self.steps.push(step);
        }
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        self.signed()?;
        loop {
            self.skip_blanks();
            let step = match () {
                () if self.take("*") => Step::Multiply,
                () if self.take("/") => Step::Divide,
                () => return Ok(()),
            };
            self.signed()?;
            self.steps.push(step);
        }
    }

    /// A sign binds less than a power: −q² is −(q²).
    fn signed(&mut self) -> Result<(), FormulaError> {
        let mut negative = false;
        loop {
            match () {
                () if self.take("-") || self.take("−") => negative = !negative,
                () if self.take("+") => {}
                () => break,
            }
        }
        self.power()?;
        if negative {
            self.steps.push(Step::Negate);
        }
        Ok(())
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        self.atom()?;
        if !(self.take("^") || self.take("**")) {
            return Ok(());
        }
        let is_inverse = self.take("-") || self.take("−");
        self.skip_blanks();
        let digits: String = self.text[self.at..].iter().take_while(|c| c.is_ascii_digit()).collect();
        let whole = digits.parse::<i32>().ok().filter(|power| (1..=MOST_POWER).contains(power));
        let power = whole.ok_or_else(|| self.error(format!("powers are whole numbers from 1 to {MOST_POWER}")))?;
        self.at += digits.len();
        if self.text.get(self.at) == Some(&'.') {
            return Err(self.error("powers are whole numbers; a root is sqrt(…)"));
        }
        let power = if is_inverse { -power } else { power };
        if power != 1 {
            self.steps.push(Step::Power(power));
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), FormulaError> {
        if self.take("(") {
            return self.parenthesis();
        }
        let Some(&first) = self.text.get(self.at) else { return Err(self.expected("a number, `q` or `(`")) };
        if first.is_ascii_digit() || first == '.' {
            return self.number();
        }
        let word: String = self.text[self.at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
        let start = self.at;
        self.at += word.chars().count();
        match word.as_str() {
            "q" => self.steps.push(Step::Position),
            "pi" | "π" => self.steps.push(Step::Number(std::f64::consts::PI)),
            "sin" => self.function(Step::Sine)?,
            "cos" => self.function(Step::Cosine)?,
            "sqrt" => self.function(Step::Root)?,
            "" => return Err(self.expected("a number, `q` or `(`")),
            other => {
                self.at = start;
                return Err(self.error(format!("`{other}` is none of q, pi, sin, cos, sqrt")));
            }
        }
        Ok(())
    }

    fn function(&mut self, then: Step) -> Result<(), FormulaError> {
        if !self.take("(") {
            return Err(self.expected("`(`"));
        }
        self.parenthesis()?;
        self.steps.push(then);
        Ok(())
    }

    fn parenthesis(&mut self) -> Result<(), FormulaError> {
        self.nested += 1;
        if self.nested > MOST_NESTED || self.steps.len() > MOST_STEPS {
            return Err(self.error("the formula is too long or too deep"));
        }
        self.sum()?;
        self.nested -= 1;
        if self.take(")") { Ok(()) } else { Err(self.expected("`)`")) }
    }

    fn number(&mut self) -> Result<(), FormulaError> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            while parser.text.get(parser.at).is_some_and(|c| c.is_ascii_digit() || *c == '.') {
                parser.at += 1;
            }
        };
        digits(self);
        if matches!(self.text.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.text.get(self.at + 1), Some('+' | '-')));
            if self.text.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                digits(self);
            }
        }
        let text: String = self.text[start..self.at].iter().collect();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| FormulaError { message: format!("`{text}` is no number"), at: start + 1 })?;
        self.steps.push(Step::Number(number));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_in_mathematics() {
        for (text, value) in [
            ("-q^2", -4.0),
            ("2^3*q", 16.0),
            ("1 - 2 - 3", -4.0),
            ("12/3/q", 2.0),
            ("q^-2", 0.25),
            ("3*(q+1)**-1", 1.0),
            ("--q", 2.0),
            ("1.5e1 + .5E-0", 15.5),
            ("2−q", 0.0),
            ("sin(pi/4)/cos(pi/4)", 1.0),
            ("sqrt( q * 8 )", 4.0),
        ] {
            let found = Formula::parse(text).unwrap().at(2.0_f64);
            assert!((found - value).abs() < 1e-15, "{text}: {found}");
        }
    }

    #[test]
    fn what_is_no_formula_is_told_with_its_place() {
        for (text, at, words) in [
            ("", 1, "the formula ends"),
            ("2*", 3, "the formula ends"),
            ("2 q", 3, "an operator"),
            ("sin q", 5, "`(`"),
            ("(q", 3, "`)`"),
            ("q^0.5", 3, "whole"),
            ("q^2.5", 4, "sqrt"),
            ("x + 1", 1, "none of q"),
            ("3 + exp(q)", 5, "none of q"),
            ("1..2", 1, "no number"),
            ("1e999", 1, "no number"),
            ("q;", 2, "an operator"),
            ("q \u{1b}[2J", 3, "\\u{1b}"),
        ] {
            let error = Formula::parse(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.message.contains(words), "{text}: {error}");
        }
        assert!(Formula::parse(&"(".repeat(100_000)).is_err());
        assert!(Formula::parse(&format!("q{}", "+q".repeat(5000))).is_err());
        assert!(Formula::parse(&format!("{}q", "-".repeat(100_000))).is_ok());
    }
}
