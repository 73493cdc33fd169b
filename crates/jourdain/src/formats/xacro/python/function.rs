//! The functions an expression may call: each once, in the table of its namespace.
//!
//! What xacro has shown for years is also known without its namespace; of the rest of `python` only `python.abs` is known.

use super::super::failure::{Failure, Outcome};
use super::evaluate::Evaluation;
use super::value::Value;
use super::{builtin, math};

/// A function of the language.
pub(in super::super) struct Function {
    pub(super) name: &'static str,
    /// Known without its namespace.
    is_global: bool,
    pub(super) call: fn(&mut Evaluation<'_>, Arguments) -> Outcome<Value>,
}

impl Function {
    pub(super) const fn global(name: &'static str, call: fn(&mut Evaluation<'_>, Arguments) -> Outcome<Value>) -> Self {
        Self { name, is_global: true, call }
    }

    pub(super) const fn python(name: &'static str, call: fn(&mut Evaluation<'_>, Arguments) -> Outcome<Value>) -> Self {
        Self { name, is_global: false, call }
    }
}

/// What a function is called with.
#[derive(Default)]
pub(in super::super) struct Arguments {
    pub values: Vec<Value>,
    pub named: Vec<(String, Value)>,
}

/// What a function of the namespace `xacro` needs from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Service {
    /// `load_yaml(file)`.
    Yaml,
    /// `abs_filename(file)`.
    FileName,
    /// `arg(name)`.
    Argument,
    /// `warning(…)` and `error(…)`.
    Warning,
}

impl Arguments {
    /// Takes a named argument.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.named.iter().position(|(given, _)| given == name)?;
        Some(self.named.remove(at).1)
    }

    /// Puts an argument that may be named behind the others.
    pub(super) fn place(&mut self, name: &str) {
        let value = self.take(name);
        self.values.extend(value);
    }

    /// So many values, and none that is named.
    pub(super) fn exactly<const N: usize>(self) -> Outcome<[Value; N]> {
        let given = self.values.len();
        let wrong = || Failure::expression(format!("`{{name}}` takes {N} arguments, not {given}"));
        if !self.named.is_empty() {
            return Err(self.unknown_name());
        }
        self.values.try_into().map_err(|_| wrong())
    }

    /// At least one and at most N values, the missing ones `None`.
    pub(super) fn up_to<const N: usize>(self, least: usize) -> Outcome<[Option<Value>; N]> {
        let given = self.values.len();
        if !self.named.is_empty() {
            return Err(self.unknown_name());
        }
        if given < least || given > N {
            return Err(Failure::expression(format!("`{{name}}` takes {least} to {N} arguments, not {given}")));
        }
        let mut values = self.values.into_iter();
        Ok(std::array::from_fn(|_| values.next()))
    }

    /// The one text it is called with.
    pub fn one_text(self) -> Outcome<String> {
        let [value] = self.exactly()?;
        if let Value::Text(text) = &value { Ok(text.to_string()) } else { Err(takes("a text", &value)) }
    }

    fn unknown_name(&self) -> Box<Failure> {
        let name = self.named.first().map_or("", |(name, _)| name);
        Failure::expression(format!("`{{name}}` has no argument called `{name}`"))
    }
}

const XACRO: &[Function] = &[
    Function::global("load_yaml", |evaluation, arguments| evaluation.names.serve(Service::Yaml, arguments)),
    Function::global("abs_filename", |evaluation, arguments| evaluation.names.serve(Service::FileName, arguments)),
    Function::global("dotify", |_, arguments| {
        let [value] = arguments.exactly()?;
        if let Value::Dict(_) = value { Ok(value) } else { Err(takes("a dict", &value)) }
    }),
    Function::python("arg", |evaluation, arguments| evaluation.names.serve(Service::Argument, arguments)),
    Function::python("message", |_, _| Ok(Value::text(""))),
    Function::python("warning", |evaluation, arguments| evaluation.names.serve(Service::Warning, arguments)),
    Function::python("error", |evaluation, arguments| evaluation.names.serve(Service::Warning, arguments)),
    Function::python("print_location", |_, _| Ok(Value::text(""))),
    Function::python("fatal", |_, arguments| {
        let words = arguments.values.iter().map(Value::to_text).collect::<Outcome<Vec<_>>>()?;
        Err(Failure::new("xacro-fatal", words.join(" ")))
    }),
    Function::python("tokenize", |_, mut arguments| {
        arguments.place("sep");
        arguments.place("skip_empty");
        let [text, separators, skips] = arguments.up_to(1)?;
        let skips = skips.is_none_or(|skips| skips.is_true());
        let text = text.map_or(Ok(String::new()), |text| text.to_text())?;
        let separators = separators.map_or(Ok(",; ".to_owned()), |text| text.to_text())?;
        let pieces = text.split(|letter| separators.contains(letter)).filter(|piece| !skips || !piece.is_empty());
        Value::list(pieces.map(Value::text).collect())
    }),
];

/// What Python has and this evaluator has not.
const REFUSED: [&str; 13] = [
    "set",
    "frozenset",
    "hash",
    "slice",
    "vars",
    "type",
    "issubclass",
    "gamma",
    "lgamma",
    "erf",
    "erfc",
    "sumprod",
    "fma",
];

fn functions(module: &str) -> &'static [Function] {
    match module {
        "math" => math::FUNCTIONS,
        "python" => builtin::FUNCTIONS,
        "xacro" => XACRO,
        _ => &[],
    }
}

const MODULES: [&str; 3] = ["math", "python", "xacro"];

/// What a name means without any property.
pub(in super::super) fn global(name: &str) -> Option<Value> {
    if let Some(module) = MODULES.iter().find(|module| **module == name) {
        return Some(Value::Module(module));
    }
    let function = MODULES.iter().flat_map(|module| functions(module)).find(|function| function.name == name);
    match function {
        Some(function) => function.is_global.then_some(Value::Function(function)),
        None => math::constant(name),
    }
}

/// What a name means inside a namespace.
pub(super) fn member(module: &str, name: &str) -> Option<Value> {
    let function = functions(module).iter().find(|function| function.name == name).map(Value::Function);
    function.or_else(|| math::constant(name).filter(|_| module == "math"))
}

pub(super) fn members(module: &str) -> Vec<&'static str> {
    functions(module).iter().map(|function| function.name).collect()
}

/// Why a name that Python knows is not known here.
pub(super) fn refused(name: &str) -> Option<String> {
    REFUSED.contains(&name).then(|| format!("the function `{name}` is not supported"))
}

/// All names that mean something without any property.
pub(super) fn known() -> impl Iterator<Item = &'static str> {
    let functions = MODULES.iter().flat_map(|module| functions(module)).filter(|function| function.is_global);
    functions.map(|function| function.name).chain(MODULES).chain(math::CONSTANTS.iter().map(|(name, _)| *name))
}

/// True if a name means something without any property.
pub(in super::super) fn is_known(name: &str) -> bool {
    global(name).is_some()
}

pub(super) fn takes(what: &str, given: &Value) -> Box<Failure> {
    Failure::expression(format!("`{{name}}` takes {what}, not a {}", given.kind()))
}

pub(super) fn real(value: &Value) -> Outcome<f64> {
    value.as_float().ok_or_else(|| takes("a number", value))
}

pub(super) fn whole(value: &Value) -> Outcome<i128> {
    value.as_int().ok_or_else(|| takes("a whole number", value))
}

pub(super) fn one(value: Value) -> Arguments {
    Arguments { values: vec![value], named: Vec::new() }
}
