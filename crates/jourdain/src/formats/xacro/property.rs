//! `<xacro:property>`: definition, first use, removal.

use super::super::xml::{Element, Span};
use super::failure::{Failure, Outcome};
use super::python::{self, Value};
use super::scope::{Property, Scopes};
use super::{Expander, text};
use std::rc::Rc;

/// Longest chain of properties that ask for one another.
const MAX_CHAIN: usize = 100;

/// A value as it is stored: quotes go, and what looks like a number or a truth value becomes one.
pub(super) fn typed(value: Value) -> Value {
    let Value::Text(text) = &value else { return value };
    if text.len() >= 2 && text.starts_with('\'') && text.ends_with('\'') {
        return Value::text(&text[1..text.len() - 1]);
    }
    if text.contains('_') {
        return value;
    }
    if let Some(number) = python::parse_int(text, 10) {
        return Value::Int(number);
    }
    // A whole number of more digits than are supported prints as it is written.
    let is_whole = text.trim().trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
    if let Some(number) = python::parse_float(text).filter(|_| !is_whole) {
        return Value::Float(number);
    }
    match &**text {
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        _ => value,
    }
}

impl Expander<'_, '_> {
    pub(super) fn define_property(&mut self, element: &Element, scope: usize) -> Outcome<()> {
        self.known_attributes(element, &["name", "value", "default", "remove", "scope", "lazy_eval"]);
        let name_span = element.span_of("name");
        let name = self.evaluate_text(self.required(element, "name")?, scope, name_span)?;
        let wrong = |message: String| Failure::new("xacro-property", message).at(name_span);
        if !text::is_identifier(&name) {
            let message = format!("`{name}` is no name of a property");
            return Err(wrong(message).hint("letters, digits and underscores, as a variable of Python"));
        }
        if name.starts_with("__") {
            return Err(wrong(format!("the name `{name}` begins with two underscores, which xacro forbids")));
        }
        let removes = self.flag(element, "remove", scope, false)?;
        let (value, default) = (element.attribute("value"), element.attribute("default"));
        if usize::from(value.is_some()) + usize::from(default.is_some()) + usize::from(removes) > 1 {
            let message = format!("the property `{name}` has more than one of `value`, `default` and `remove`");
            return Err(wrong(message).hint("keep one of them"));
        }
        let exists = self.scopes.find(scope, &name).is_some() || python::is_known(&name);
        if removes && exists {
            self.scopes.remove(scope, &name);
            return Ok(());
        }
        if default.is_some() && exists {
            return Ok(());
        }
        let (target, at_once) = self.target(element, &name, scope)?;
        let is_lazy = self.flag(element, "lazy_eval", scope, true)? && !at_once;
        let Some(value) = value.or(default) else {
            self.scopes.set(target, &format!("**{name}"), Property::Block(Rc::new(element.clone())));
            return Ok(());
        };
        self.warn_of_shadow(&name, value.span);
        if is_lazy {
            match typed(Value::text(&value.value)) {
                Value::Text(text) => self.scopes.set(target, &name, Property::Lazy(text, value.span)),
                literal => self.scopes.set(target, &name, Property::Value(literal)),
            }
            return Ok(());
        }
        let value_now = self.evaluate(&value.value, scope, value.span)?;
        self.set_value(target, &name, value_now, value.span)
    }

    /// The scope a property goes to, and whether it is evaluated at once.
    fn target(&self, element: &Element, name: &str, scope: usize) -> Outcome<(usize, bool)> {
        match element.get("scope") {
            Some("global") => Ok((Scopes::GLOBAL, true)),
            Some("parent") => match self.scopes.parent(scope) {
                Some(parent) => Ok((parent, true)),
                None => {
                    let message = format!("the property `{name}` is for the scope around a macro, but stands in none");
                    let hint = "drop scope=\"parent\" outside of macros";
                    Err(Failure::new("xacro-property", message).hint(hint).at(element.span_of("scope")))
                }
            },
            _ => Ok((scope, false)),
        }
    }

    /// Gives a name its value.
    pub(super) fn set_value(&mut self, scope: usize, name: &str, value: Value, span: Span) -> Outcome<()> {
        self.warn_of_shadow(name, span);
        let value = typed(value);
        self.bound(&value, span)?;
        self.scopes.set(scope, name, Property::Value(value));
        Ok(())
    }

    /// Lists in lists in lists …
    fn bound(&self, value: &Value, span: Span) -> Outcome<()> {
        if value.weight().is_none() {
            return Err(Failure::limit("a list that is too long or too deep").at(span));
        }
        Ok(())
    }

    fn warn_of_shadow(&mut self, name: &str, span: Span) {
        if python::is_known(name) && self.shadowing.insert(name.to_owned()) {
            let message = format!("`{name}` hides what expressions know under that name");
            self.warn("xacro-shadow", message, Some("choose another name".to_owned()), span);
        }
    }

    /// The value of a property, or of what expressions know under its name.
    pub(super) fn property(&mut self, name: &str, scope: usize) -> Outcome<Option<Value>> {
        Ok(self.property_value(name, scope)?.or_else(|| python::global(name)))
    }

    /// The value of a property, evaluated now if it is asked for the first time.
    pub(super) fn property_value(&mut self, name: &str, scope: usize) -> Outcome<Option<Value>> {
        let Some((home, property)) = self.scopes.find(scope, name) else { return Ok(None) };
        match property {
            Property::Value(value) => Ok(Some(value.clone())),
            Property::Block(_) => Ok(None),
            Property::Pending => {
                let circle = format!("{} → {name}", self.pending.join(" → "));
                let message = format!("the property `{name}` is defined by itself: {circle}");
                Err(Failure::new("xacro-circular", message)
                    .hint("lazy_eval=\"false\" evaluates a property where it stands"))
            }
            Property::Lazy(text, span) => {
                let (text, span) = (Rc::clone(text), *span);
                if self.pending.len() == MAX_CHAIN {
                    let message = format!("more than {MAX_CHAIN} properties are defined by one another");
                    return Err(Failure::limit(message).at(span));
                }
                self.pending.push(name.to_owned());
                self.scopes.set(home, name, Property::Pending);
                let value = typed(self.evaluate(&text, home, span)?);
                self.bound(&value, span)?;
                self.scopes.set(home, name, Property::Value(value.clone()));
                self.pending.pop();
                Ok(Some(value))
            }
        }
    }
}
