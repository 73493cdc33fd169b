//! The value of an expression.

use super::super::super::suggest;
use super::super::failure::{Failure, Outcome};
use super::expression::{Argument, Clause, Expression};
use super::function::{self, Arguments};

use super::value::{Lambda, Value};
use super::{Names, method, operator, sequence};
use std::rc::Rc;

/// Deepest nesting of calls of functions written in expressions.
const MAX_CALLS: usize = 20;

/// The value of an expression among the names of a file.
pub(in super::super) fn evaluate(expression: &Expression, names: &mut dyn Names) -> Outcome<Value> {
    Evaluation { names, locals: Vec::new(), calls: 0 }.value(expression)
}

pub(super) struct Evaluation<'n> {
    pub names: &'n mut dyn Names,
    /// Names of comprehensions and lambdas, the innermost last.
    locals: Vec<(String, Value)>,
    calls: usize,
}

impl Evaluation<'_> {
    pub fn value(&mut self, expression: &Expression) -> Outcome<Value> {
        self.names.budget().spend(1)?;
        match expression {
            Expression::Literal(value) => Ok(value.clone()),
            Expression::Name(name) => self.name(name),
            Expression::List(items) => {
                let list = self.all(items).and_then(Value::list)?;
                self.charge(&list).map(|()| list)
            }
            Expression::Tuple(items) => {
                let tuple = Value::Tuple(Rc::new(self.all(items)?));
                self.charge(&tuple).map(|()| tuple)
            }
            Expression::Prefix(sign, value) => operator::prefix(sign, &self.value(value)?),
            Expression::Chain(first, rest) => self.chain(first, rest),
            Expression::Comparison(first, rest) => self.comparison(first, rest),
            Expression::All(parts) => self.first_that_is(false, parts),
            Expression::Any(parts) => self.first_that_is(true, parts),
            Expression::Choice { test, yes, no } => {
                let chosen = if self.value(test)?.is_true() { yes } else { no };
                self.value(chosen)
            }
            Expression::Attribute(value, name) => {
                let value = self.value(value)?;
                self.attribute(value, name)
            }
            Expression::Index(value, index) => {
                let value = self.value(value)?;
                sequence::index(&value, &self.value(index)?)
            }
            Expression::Slice(value, bounds) => self.slice(value, bounds),
            Expression::Call(function, arguments) => self.call_expression(function, arguments),
            Expression::Comprehension(element, clauses) => {
                let mut items = Vec::new();
                self.comprehension(element, clauses, &mut items)?;
                let list = Value::list(items)?;
                self.charge(&list).map(|()| list)
            }
            Expression::Lambda(parameters, body) => Ok(Value::Lambda(Rc::new(Lambda {
                parameters: parameters.clone(),
                body: Rc::clone(body),
                locals: self.locals.clone(),
            }))),
        }
    }

    fn all(&mut self, items: &[Expression]) -> Outcome<Vec<Value>> {
        items.iter().map(|item| self.value(item)).collect()
    }

    fn name(&mut self, name: &str) -> Outcome<Value> {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Ok(value.clone());
        }
        if let Some(value) = self.names.get(name)? {
            return Ok(value);
        }
        if let Some(value) = function::global(name) {
            return Ok(value);
        }
        let failure = Failure::new("xacro-unknown-name", format!("there is no property `{name}`"));
        if function::member("python", name).is_some() {
            return Err(failure.hint(format!("the function is called python.{name}")));
        }
        if let Some(reason) = function::refused(name) {
            return Err(Failure::expression(reason));
        }
        let known = self.names.known();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let is_like = |known: &&str| known.len() > 3 && known.chars().next() == name.chars().next();
        let functions: Vec<&str> = function::known().filter(is_like).collect();
        Err(match suggest::nearest(name, &known).or_else(|| suggest::nearest(name, &functions)) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => {
                failure.hint(format!("<xacro:property name=\"{name}\" value=\"…\"/> before its first use defines it"))
            }
        })
    }

    fn chain(&mut self, first: &Expression, rest: &[(&'static str, Expression)]) -> Outcome<Value> {
        let mut value = self.value(first)?;
        for (sign, next) in rest {
            let next = self.value(next)?;
            value = operator::binary(sign, &value, &next)?;
            self.charge(&value)?;
        }
        Ok(value)
    }

    /// Texts and lists cost what they are long.
    fn charge(&mut self, value: &Value) -> Outcome<()> {
        if value.as_float().is_some() {
            return Ok(());
        }
        let weight = value.weight().ok_or_else(|| Failure::limit("a list that is too long or too deep"))?;
        self.names.budget().spend(weight)
    }

    fn comparison(&mut self, first: &Expression, rest: &[(&'static str, Expression)]) -> Outcome<Value> {
        let mut before = self.value(first)?;
        for (sign, next) in rest {
            let next = self.value(next)?;
            self.charge(&next)?;
            if !operator::compare(sign, &before, &next)? {
                return Ok(Value::Bool(false));
            }
            before = next;
        }
        Ok(Value::Bool(true))
    }

    fn first_that_is(&mut self, wanted: bool, parts: &[Expression]) -> Outcome<Value> {
        let mut value = Value::Bool(!wanted);
        for part in parts {
            value = self.value(part)?;
            if value.is_true() == wanted {
                break;
            }
        }
        Ok(value)
    }

    fn attribute(&mut self, value: Value, name: &str) -> Outcome<Value> {
        if let Some(method) = method::find(&value, name) {
            return Ok(Value::Method(Rc::new((value, method))));
        }
        let key = Value::text(name);
        match &value {
            Value::Dict(dict) => dict.get(&key).cloned().ok_or_else(|| sequence::missing_key(dict, &key)),
            Value::Module(module) => function::member(module, name).ok_or_else(|| {
                let failure = Failure::new("xacro-unknown-name", format!("there is no `{module}.{name}`"));
                match function::refused(name) {
                    Some(reason) => Failure::expression(reason),
                    None => failure.hint(suggest::hint(name, &function::members(module))),
                }
            }),
            Value::Namespace(number) => self.names.member(*number, name)?.ok_or_else(|| {
                Failure::new("xacro-unknown-name", format!("the included file has no property `{name}`"))
            }),
            Value::Complex(complex) if name == "real" => Ok(Value::Float(complex.re)),
            Value::Complex(complex) if name == "imag" => Ok(Value::Float(complex.im)),
            _ => Err(Failure::expression(format!("a {} has no `{name}`", value.kind()))),
        }
    }

    fn slice(&mut self, value: &Expression, bounds: &[Option<Box<Expression>>; 3]) -> Outcome<Value> {
        let value = self.value(value)?;
        let mut given = [None, None, None];
        for (bound, given) in bounds.iter().zip(&mut given) {
            *given = bound.as_ref().map(|bound| self.value(bound)).transpose()?;
        }
        self.charge(&value)?;
        sequence::slice(&value, given)
    }

    fn call_expression(&mut self, function: &Expression, arguments: &[Argument]) -> Outcome<Value> {
        let function = self.value(function)?;
        let mut given = Arguments::default();
        for argument in arguments {
            let value = self.value(&argument.value)?;
            match &argument.name {
                Some(name) => given.named.push((name.clone(), value)),
                None if argument.is_spread => given.values.extend(sequence::items(&value)?),
                None => given.values.push(value),
            }
        }
        let result = self.call(&function, given)?;
        self.charge(&result)?;
        Ok(result)
    }

    /// Calls a function, a method or a lambda.
    pub fn call(&mut self, function: &Value, arguments: Arguments) -> Outcome<Value> {
        self.names.budget().spend(1)?;
        match function {
            Value::Function(function) => (function.call)(self, arguments).map_err(|failure| {
                Failure { message: failure.message.replace("{name}", function.name), ..*failure }.into()
            }),
            Value::Method(bound) => method::call(&bound.0, bound.1, arguments, self),
            Value::Lambda(lambda) => self.call_lambda(lambda, arguments),
            _ => Err(Failure::expression(format!("a {} cannot be called", function.kind()))),
        }
    }

    fn call_lambda(&mut self, lambda: &Lambda, arguments: Arguments) -> Outcome<Value> {
        if self.calls == MAX_CALLS {
            return Err(Failure::limit(format!("functions that call one another more than {MAX_CALLS} levels deep")));
        }
        if arguments.values.len() != lambda.parameters.len() || !arguments.named.is_empty() {
            let (wanted, given) = (lambda.parameters.len(), arguments.values.len());
            return Err(Failure::expression(format!("a function of {wanted} arguments is called with {given}")));
        }
        let mut locals = lambda.locals.clone();
        locals.extend(lambda.parameters.iter().cloned().zip(arguments.values));
        let outside = std::mem::replace(&mut self.locals, locals);
        self.calls += 1;
        let result = self.value(&lambda.body);
        self.calls -= 1;
        self.locals = outside;
        result
    }

    fn comprehension(&mut self, element: &Expression, clauses: &[Clause], out: &mut Vec<Value>) -> Outcome<()> {
        let Some((clause, inner)) = clauses.split_first() else {
            let value = self.value(element)?;
            self.charge(&value)?;
            out.push(value);
            return Ok(());
        };
        let items = self.value(&clause.items)?;
        for item in sequence::items(&items)? {
            let outside = self.locals.len();
            self.bind(&clause.names, item)?;
            let mut is_kept = true;
            for condition in &clause.conditions {
                is_kept = is_kept && self.value(condition)?.is_true();
            }
            if is_kept {
                self.comprehension(element, inner, out)?;
            }
            self.locals.truncate(outside);
        }
        Ok(())
    }

    /// Gives a value to one name, or its elements to several.
    fn bind(&mut self, names: &[String], value: Value) -> Outcome<()> {
        if let [name] = names {
            self.locals.push((name.clone(), value));
            return Ok(());
        }
        let items = sequence::items(&value)?;
        if items.len() != names.len() {
            return Err(Failure::expression(format!("{} elements for {} names", items.len(), names.len())));
        }
        self.locals.extend(names.iter().cloned().zip(items));
        Ok(())
    }
}
