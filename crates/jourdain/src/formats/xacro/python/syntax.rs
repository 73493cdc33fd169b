//! The grammar of expressions: what binds tighter than what.
//!
//! Signs of one level make a chain and not a tower, so that a long sum is no deep tree. What nests is bounded.

use super::super::failure::{Failure, Outcome};
use super::expression::{Argument, Clause, Expression};
use super::token::{Token, tokens};
use super::value::Value;
use std::rc::Rc;

/// Deepest nesting of brackets, signs in front and conditions.
const MAX_DEPTH: usize = 40;
/// Longest expression, bytes.
const MAX_LENGTH: usize = 1 << 16;

/// Signs between two values, by level; comparisons are at level 2.
const LEVELS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "//", "%", "@"]];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const KEYWORDS: [&str; 10] = ["and", "or", "not", "in", "is", "if", "else", "for", "lambda", "import"];

/// The expression of a text.
pub(in super::super) fn parse(text: &str) -> Outcome<Expression> {
    if text.len() > MAX_LENGTH {
        return Err(Failure::limit(format!("an expression of more than {MAX_LENGTH} bytes")));
    }
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    if matches!(parser.peek(), Token::End) {
        return Err(Failure::expression("the expression is empty").hint("write a value between ${ and }"));
    }
    let expression = parser.several()?;
    match parser.peek() {
        Token::End => Ok(expression),
        _ => Err(parser.unexpected()),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &'static str) -> Outcome<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected().hint(format!("`{sign}` is missing"))) }
    }

    fn unexpected(&self) -> Box<Failure> {
        match self.peek() {
            Token::Word(word) => Failure::expression(format!("`{word}` cannot stand here")),
            Token::Literal(_) => Failure::expression("a value cannot follow another without a sign between them"),
            Token::Sign("=") => Failure::expression("`=` cannot stand here").hint("`==` compares"),
            Token::Sign(sign) => Failure::expression(format!("`{sign}` cannot stand here")),
            Token::End => Failure::expression("the expression ends too soon")
                .hint("the first } ends an expression, even one in quotes"),
        }
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth == MAX_DEPTH {
            return Err(Failure::limit(format!("an expression nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// One expression, or a tuple of several with commas.
    fn several(&mut self) -> Outcome<Expression> {
        let first = self.expression()?;
        if self.is_sign(",") { Ok(Expression::Tuple(self.items(first)?)) } else { Ok(first) }
    }

    /// What follows the first of some expressions with commas between them; a last comma is allowed.
    fn items(&mut self, first: Expression) -> Outcome<Vec<Expression>> {
        let mut items = vec![first];
        while self.take_sign(",") {
            if matches!(self.peek(), Token::End) || self.is_sign(")") || self.is_sign("]") {
                break;
            }
            items.push(self.expression()?);
        }
        Ok(items)
    }

    fn expression(&mut self) -> Outcome<Expression> {
        self.nested(|parser| {
            if parser.take_word("lambda") {
                return parser.lambda();
            }
            let yes = parser.any()?;
            if !parser.take_word("if") {
                return Ok(yes);
            }
            let test = Box::new(parser.any()?);
            if !parser.take_word("else") {
                return Err(parser.unexpected().hint("`a if condition else b` needs its `else`"));
            }
            let no = Box::new(parser.expression()?);
            Ok(Expression::Choice { test, yes: Box::new(yes), no })
        })
    }

    fn lambda(&mut self) -> Outcome<Expression> {
        let parameters = if self.is_sign(":") { Vec::new() } else { self.names()? };
        self.expect(":")?;
        Ok(Expression::Lambda(parameters, Rc::new(self.expression()?)))
    }

    fn names(&mut self) -> Outcome<Vec<String>> {
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            if !self.take_sign(",") {
                return Ok(names);
            }
        }
    }

    fn name(&mut self) -> Outcome<String> {
        match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let word = word.clone();
                if word.starts_with("__") {
                    let message = format!("the name `{word}` begins with two underscores, which xacro forbids");
                    return Err(Failure::expression(message));
                }
                self.advance();
                Ok(word)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn any(&mut self) -> Outcome<Expression> {
        let first = self.all()?;
        let mut parts = vec![first];
        while self.take_word("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn all(&mut self) -> Outcome<Expression> {
        let first = self.inversion()?;
        let mut parts = vec![first];
        while self.take_word("and") {
            parts.push(self.inversion()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
    }

    fn inversion(&mut self) -> Outcome<Expression> {
        if self.take_word("not") {
            return self.nested(|parser| Ok(Expression::Prefix("not", Box::new(parser.inversion()?))));
        }
        let first = self.chain(0)?;
        let mut rest = Vec::new();
        while let Some(sign) = self.comparison()? {
            rest.push((sign, self.chain(0)?));
        }
        Ok(if rest.is_empty() { first } else { Expression::Comparison(Box::new(first), rest) })
    }

    fn comparison(&mut self) -> Outcome<Option<&'static str>> {
        if let Token::Sign(sign) = self.peek()
            && let Some(sign) = COMPARISONS.iter().find(|known| *known == sign)
        {
            self.advance();
            return Ok(Some(sign));
        }
        if self.take_word("in") {
            return Ok(Some("in"));
        }
        if self.take_word("is") {
            return Ok(Some(if self.take_word("not") { "is not" } else { "is" }));
        }
        if self.take_word("not") {
            return if self.take_word("in") { Ok(Some("not in")) } else { Err(self.unexpected()) };
        }
        Ok(None)
    }

    fn chain(&mut self, level: usize) -> Outcome<Expression> {
        let Some(signs) = LEVELS.get(level) else { return self.prefix() };
        let first = self.chain(level + 1)?;
        let mut rest = Vec::new();
        while let Token::Sign(found) = self.peek()
            && let Some(sign) = signs.iter().find(|sign| *sign == found)
        {
            self.advance();
            rest.push((*sign, self.chain(level + 1)?));
        }
        Ok(if rest.is_empty() { first } else { Expression::Chain(Box::new(first), rest) })
    }

    fn prefix(&mut self) -> Outcome<Expression> {
        for sign in ["-", "+", "~"] {
            if self.take_sign(sign) {
                return self.nested(|parser| Ok(Expression::Prefix(sign, Box::new(parser.prefix()?))));
            }
        }
        let base = self.trailed()?;
        if self.take_sign("**") {
            let exponent = self.nested(Self::prefix)?;
            return Ok(Expression::Chain(Box::new(base), vec![("**", exponent)]));
        }
        Ok(base)
    }

    /// A value with what follows it: `.name`, `[index]`, `(arguments)`.
    fn trailed(&mut self) -> Outcome<Expression> {
        let mut value = self.atom()?;
        for _ in 0..MAX_DEPTH {
            value = if self.take_sign(".") {
                Expression::Attribute(Box::new(value), self.name()?)
            } else if self.take_sign("[") {
                self.index(value)?
            } else if self.take_sign("(") {
                Expression::Call(Box::new(value), self.arguments()?)
            } else {
                return Ok(value);
            };
        }
        Err(Failure::limit(format!("a value followed by more than {MAX_DEPTH} indices and calls")))
    }

    fn index(&mut self, value: Expression) -> Outcome<Expression> {
        let mut parts = [None, None, None];
        let mut colons = 0;
        loop {
            if self.take_sign(":") {
                colons += 1;
                if colons > 2 {
                    return Err(self.unexpected());
                }
            } else if self.take_sign("]") {
                break;
            } else if parts[colons].is_some() {
                return Err(self.unexpected().hint("`]` is missing"));
            } else {
                parts[colons] = Some(Box::new(self.several()?));
            }
        }
        match (colons, parts) {
            (0, [Some(index), _, _]) => Ok(Expression::Index(Box::new(value), index)),
            (0, _) => Err(Failure::expression("the brackets of an index are empty")),
            (_, parts) => Ok(Expression::Slice(Box::new(value), parts)),
        }
    }

    fn arguments(&mut self) -> Outcome<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.take_sign(")") {
            let is_spread = self.take_sign("*");
            let name = match (self.peek(), self.tokens.get(self.at + 1)) {
                (Token::Word(word), Some(Token::Sign("="))) => Some(word.clone()),
                _ => None,
            };
            if name.is_some() {
                self.advance();
                self.advance();
            }
            let mut value = self.expression()?;
            if self.is_word("for") {
                value = self.comprehension(value)?;
            }
            arguments.push(Argument { name, is_spread, value });
            if !self.take_sign(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    fn comprehension(&mut self, element: Expression) -> Outcome<Expression> {
        let mut clauses = Vec::new();
        while self.take_word("for") {
            let has_brackets = self.take_sign("(");
            let names = self.names()?;
            if has_brackets {
                self.expect(")")?;
            }
            if !self.take_word("in") {
                return Err(self.unexpected().hint("`for name in list`"));
            }
            let items = self.any()?;
            let mut conditions = Vec::new();
            while self.take_word("if") {
                conditions.push(self.any()?);
            }
            clauses.push(Clause { names, items, conditions });
        }
        Ok(Expression::Comprehension(Box::new(element), clauses))
    }

    fn atom(&mut self) -> Outcome<Expression> {
        if self.take_sign("(") {
            if self.take_sign(")") {
                return Ok(Expression::Tuple(Vec::new()));
            }
            let mut inner = self.several()?;
            if self.is_word("for") {
                inner = self.comprehension(inner)?;
            }
            self.expect(")")?;
            return Ok(inner);
        }
        if self.take_sign("[") {
            if self.take_sign("]") {
                return Ok(Expression::List(Vec::new()));
            }
            let first = self.expression()?;
            let list =
                if self.is_word("for") { self.comprehension(first)? } else { Expression::List(self.items(first)?) };
            self.expect("]")?;
            return Ok(list);
        }
        if let Token::Literal(value) = self.peek() {
            let value = value.clone();
            self.advance();
            return Ok(Expression::Literal(value));
        }
        let name = self.name()?;
        Ok(match name.as_str() {
            "True" => Expression::Literal(Value::Bool(true)),
            "False" => Expression::Literal(Value::Bool(false)),
            "None" => Expression::Literal(Value::None),
            _ => Expression::Name(name),
        })
    }
}
