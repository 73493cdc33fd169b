//! Macros: their parameters, and what a call makes of them.

use super::super::suggest;
use super::super::xml::{Element, Node};
use super::Expander;
use super::failure::{Failure, Outcome};
use super::scope::Property;
use std::rc::Rc;

/// A macro as defined.
pub(super) struct Macro {
    parameters: Vec<Parameter>,
    body: Element,
}

/// A parameter of a macro; a block if its name begins with `*` or `**`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    name: String,
    /// `:=^`: the property of the same name in sight of the call.
    forwards: bool,
    default: Option<String>,
}

impl Macro {
    pub fn of(element: &Element) -> Self {
        Self { parameters: parameters(element.get("params").unwrap_or_default()), body: element.clone() }
    }
}

/// The parameters of a definition: `a b:=1 c:='x y' d:=^ e:=^|2 *block **content`.
fn parameters(text: &str) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (parameter, after) = with_default(rest).unwrap_or_else(|| {
            let (name, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (Parameter { name: name.to_owned(), forwards: false, default: None }, after)
        });
        parameters.push(parameter);
        rest = after.trim_start();
    }
    parameters
}

/// A parameter with `:=` or `=` behind its name, and what follows it.
fn with_default(text: &str) -> Option<(Parameter, &str)> {
    let end = text.find(|c: char| c.is_whitespace() || c == ':' || c == '=')?;
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix(':').unwrap_or(rest).strip_prefix('=').filter(|_| !name.is_empty())?;
    let value = rest.trim_start();
    let carets = [value.strip_prefix("^|"), value.strip_prefix('^')].into_iter().flatten();
    let starts = carets.map(|value| (true, value)).chain([(false, value)]);
    let (forwards, value, length) = starts
        .filter_map(|(forwards, value)| Some((forwards, value, default_length(value)?)))
        .next()
        .or((rest.len() != value.len()).then_some((false, rest, 0)))?;
    let default = (length > 0).then(|| value[..length].to_owned());
    Some((Parameter { name: name.to_owned(), forwards, default }, &value[length..]))
}

/// How much of a text is one default value: `${…}`, `$(…)`, or words and quoted texts without spaces between.
fn default_length(text: &str) -> Option<usize> {
    let ends_at = |end: usize| text[end..].chars().next().is_none_or(char::is_whitespace);
    for (open, close) in [("${", '}'), ("$(", ')')] {
        let mut closes = text.match_indices(close).map(|(at, _)| at + 1).filter(|_| text.starts_with(open));
        if let Some(end) = closes.find(|end| ends_at(*end)) {
            return Some(end);
        }
    }
    let mut at = 0;
    while let Some(next) = text[at..].chars().next().filter(|next| !next.is_whitespace()) {
        let rest = &text[at..];
        at += match next {
            '\'' | '"' => match rest[1..].find(next) {
                Some(end) => end + 2,
                None => break,
            },
            _ => rest.find(|c: char| c.is_whitespace() || c == '\'' || c == '"').unwrap_or(rest.len()),
        };
    }
    [at, 0].into_iter().find(|end| ends_at(*end))
}

impl Expander<'_, '_> {
    /// Puts what a macro makes in the place of its call.
    pub(super) fn call(&mut self, name: &str, call: &Element, scope: usize, target: &mut Element) -> Outcome<()> {
        let Some((around, definition)) = self.scopes.find_macro(scope, name) else {
            return Err(self.unknown_macro(name, scope).at(call.span));
        };
        let inside = self.scopes.open(around);
        self.pass(name, &definition, call, scope, inside)?;
        self.calls.push((name.to_owned(), call.span));
        self.lift_namespaces(&definition.body, target);
        self.nodes(&definition.body.nodes, inside, target, false)?;
        self.scopes.close(inside);
        self.calls.pop();
        Ok(())
    }

    fn unknown_macro(&self, name: &str, scope: usize) -> Box<Failure> {
        let known = self.scopes.macro_names(scope);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let failure = Failure::new("xacro-unknown-macro", format!("there is no macro `{name}`"));
        failure.hint(match suggest::nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a macro is defined or included before it is called".to_owned(),
        })
    }

    /// Gives the parameters of a macro their values: attributes, blocks, defaults.
    fn pass(&mut self, name: &str, definition: &Macro, call: &Element, scope: usize, inside: usize) -> Outcome<()> {
        let mut missing = definition.parameters.clone();
        for attribute in &call.attributes {
            let Some(at) = missing.iter().position(|parameter| parameter.name == attribute.name) else {
                let known: Vec<&str> = definition.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                let message = format!("the macro `{name}` has no parameter `{}`", attribute.name);
                let hint =
                    if known.is_empty() { "it has none".to_owned() } else { suggest::hint(&attribute.name, &known) };
                return Err(Failure::new("xacro-parameters", message).hint(hint).at(attribute.name_span));
            };
            missing.remove(at);
            let value = self.evaluate(&attribute.value, scope, attribute.span)?;
            self.set_value(inside, &attribute.name, value, attribute.span)?;
        }
        self.pass_blocks(name, &mut missing, call, scope, inside)?;
        for parameter in std::mem::take(&mut missing) {
            match self.default(name, &parameter, definition, scope).map_err(|failure| failure.at(call.span))? {
                Some(value) => self.set_value(inside, &parameter.name, value, call.span)?,
                None => missing.push(parameter),
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = missing.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
        let message = format!("the call of the macro `{name}` does not give {}", names.join(", "));
        let hint = "give each parameter as an attribute, or a default in the definition: params=\"name:=value\"";
        Err(Failure::new("xacro-parameters", message).hint(hint).at(call.span))
    }

    fn pass_blocks(
        &mut self,
        name: &str,
        missing: &mut Vec<Parameter>,
        call: &Element,
        scope: usize,
        inside: usize,
    ) -> Outcome<()> {
        let mut holder = Element::empty(&call.tag, call.span);
        self.nodes(&call.nodes, scope, &mut holder, false)?;
        let mut blocks = holder.nodes.into_iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(..) => None,
        });
        let mut failure = None;
        missing.retain(|parameter| {
            if failure.is_some() || !parameter.name.starts_with('*') {
                return true;
            }
            match blocks.next() {
                Some(block) => self.scopes.set(inside, &parameter.name, Property::Block(Rc::new(*block))),
                None => failure = Some(parameter.name.trim_start_matches('*').to_owned()),
            }
            false
        });
        if let Some(block) = failure {
            let message = format!("the call of the macro `{name}` has no element for the block `{block}`");
            let hint = "blocks are the elements inside the call, in the order of the parameters";
            return Err(Failure::new("xacro-parameters", message).hint(hint).at(call.span));
        }
        match blocks.next() {
            Some(extra) => {
                let message = format!("the macro `{name}` has no block for <{}>", extra.tag);
                let hint = "params=\"… *name\" in the definition takes an element";
                Err(Failure::new("xacro-parameters", message).hint(hint).at(extra.span))
            }
            None => Ok(()),
        }
    }

    fn default(
        &mut self,
        name: &str,
        parameter: &Parameter,
        definition: &Macro,
        scope: usize,
    ) -> Outcome<Option<super::Value>> {
        if parameter.name.starts_with('*') {
            return Ok(None);
        }
        let span = definition.body.span_of("params");
        if parameter.forwards {
            if let Some(value) = self.property(&parameter.name, scope)? {
                return Ok(Some(value));
            }
            if parameter.default.is_none() {
                let asked = &parameter.name;
                let message =
                    format!("the call of the macro `{name}` does not give `{asked}`, and sees no such property");
                return Err(Failure::new("xacro-parameters", message));
            }
        }
        match &parameter.default {
            Some(default) => self.evaluate(default, scope, span).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_cut_as_xacro_cuts_them() {
        let plain = |name: &str| Parameter { name: name.to_owned(), forwards: false, default: None };
        let given = |name: &str, default: &str| Parameter { default: Some(default.to_owned()), ..plain(name) };
        let forwarded = |name: &str| Parameter { forwards: true, ..plain(name) };
        for (text, expected) in [
            ("", vec![]),
            (" a  b ", vec![plain("a"), plain("b")]),
            ("a:=1 b=2 c", vec![given("a", "1"), given("b", "2"), plain("c")]),
            ("a := 1 b", vec![given("a", "1"), plain("b")]),
            ("a:='x y' b:=\"p q\"", vec![given("a", "'x y'"), given("b", "\"p q\"")]),
            ("a:=${1 + 2} b:=$(find x y)", vec![given("a", "${1 + 2}"), given("b", "$(find x y)")]),
            ("a:=${x}_y b", vec![given("a", "${x}_y"), plain("b")]),
            ("a:=^ b:=^|7", vec![forwarded("a"), Parameter { forwards: true, ..given("b", "7") }]),
            ("*b **c", vec![plain("*b"), plain("**c")]),
            ("a:=", vec![plain("a")]),
        ] {
            assert_eq!(parameters(text), expected, "{text}");
        }
    }
}
