//! What an operation is, and the list of all.
//!
//! An operation is declared once, by its request: the doc comments of the struct and its fields are the help of the command, the
//! descriptions of the JSON schema and the reference; its defaults are those of every front end.

use crate::clash::Outputs;
use crate::host::Host;
use crate::listener::Listener;
use crate::operations;
use crate::panics;
use crate::problem::Problem;
#[cfg(feature = "terminal")]
use crate::text::harmless;
use jourdain::formats::suggest;
use jourdain::simulate::Trajectory;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// A request that can be carried out.
pub trait Operation: DeserializeOwned + JsonSchema + Arguments {
    /// The name, which is the command's; that of a command in a group has two words.
    const NAME: &'static str;

    /// What comes of it.
    type Report: Report + JsonSchema + 'static;

    /// The files that it is going to write, by the options that name them; a folder of files is not one of them.
    fn outputs(&self) -> Outputs<'_> {
        Vec::new()
    }

    /// Carries it out.
    ///
    /// # Errors
    /// Bad input, or a problem that could not be solved.
    fn run(&self, host: &dyn Host) -> Result<Self::Report, Problem>;
}

/// What requests are beside data: with the feature `clap`, arguments of a command.
#[cfg(feature = "clap")]
pub trait Arguments: clap::Args {}
#[cfg(feature = "clap")]
impl<T: clap::Args> Arguments for T {}
/// What requests are beside data: with the feature `clap`, arguments of a command.
#[cfg(not(feature = "clap"))]
pub trait Arguments {}
#[cfg(not(feature = "clap"))]
impl<T> Arguments for T {}

/// What came of an operation.
pub trait Report: Serialize {
    /// As people read it; may hold the escape codes of colours.
    fn text(&self) -> String;

    /// The same without what is merely good to know.
    fn brief(&self) -> String {
        self.text()
    }

    /// The exit code of the command: 1 for a failed check or an unsolved problem.
    fn exit_code(&self) -> u8 {
        0
    }

    /// False if the result has been written elsewhere, to standard output say, and there is nothing left to print.
    fn is_to_print(&self) -> bool {
        true
    }

    /// The samples of a motion, which are no part of the document: what `--out` writes.
    fn samples(&self) -> Option<&Trajectory> {
        None
    }

    /// False if its form as data is fixed and has no place for `"warnings"`.
    fn takes_warnings(&self) -> bool {
        true
    }
}

/// A report of any operation, with the warnings that its host was given.
pub struct AnyReport {
    report: Box<dyn Erased>,
    warnings: Vec<String>,
}

trait Erased {
    fn json(&self, to: &mut dyn io::Write) -> serde_json::Result<()>;
    fn value(&self) -> serde_json::Result<Value>;
    #[cfg(feature = "terminal")]
    fn text(&self, brief: bool) -> String;
    fn exit_code(&self) -> u8;
    fn is_to_print(&self) -> bool;
    fn samples(&self) -> Option<&Trajectory>;
    fn takes_warnings(&self) -> bool;
}

impl<R: Report> Erased for R {
    fn json(&self, to: &mut dyn io::Write) -> serde_json::Result<()> {
        serde_json::to_writer(to, self)
    }

    fn value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    #[cfg(feature = "terminal")]
    fn text(&self, brief: bool) -> String {
        if brief { Report::brief(self) } else { Report::text(self) }
    }

    fn exit_code(&self) -> u8 {
        Report::exit_code(self)
    }

    fn is_to_print(&self) -> bool {
        Report::is_to_print(self)
    }

    fn samples(&self) -> Option<&Trajectory> {
        Report::samples(self)
    }

    fn takes_warnings(&self) -> bool {
        Report::takes_warnings(self)
    }
}

/// The key under which a report that is data has the warnings of its operation, if there are any.
const WARNINGS: &str = "warnings";

impl AnyReport {
    pub(crate) fn new(report: impl Report + 'static, warnings: Vec<String>) -> Self {
        Self { report: Box::new(report), warnings }
    }

    /// Writes it as one JSON document.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_json(&self, mut to: impl io::Write) -> io::Result<()> {
        if self.warnings.is_empty() || !self.report.takes_warnings() {
            return self.report.json(&mut to).map_err(io::Error::from);
        }
        let document = self.to_json().map_err(io::Error::other)?;
        serde_json::to_writer(to, &document).map_err(io::Error::from)
    }

    /// As data.
    ///
    /// # Errors
    /// A key of a map that JSON cannot have.
    pub fn to_json(&self) -> Result<Value, Problem> {
        let mut document =
            self.report.value().map_err(|error| Problem::new("internal", format!("the report is no JSON: {error}")))?;
        let takes_warnings = !self.warnings.is_empty() && self.report.takes_warnings();
        if let Some(fields) = document.as_object_mut().filter(|_| takes_warnings) {
            let warnings = fields.entry(WARNINGS).or_insert_with(|| json!([]));
            if let Some(list) = warnings.as_array_mut() {
                list.extend(self.warnings.iter().map(|warning| json!(warning)));
            }
        }
        Ok(document)
    }

    /// As people read it; `brief` leaves out what is merely good to know.
    #[cfg(feature = "terminal")]
    #[must_use]
    pub fn text(&self, brief: bool) -> String {
        harmless::coloured(&self.report.text(brief))
    }

    /// The exit code of the command.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.report.exit_code()
    }

    /// False if the result has been written elsewhere.
    #[must_use]
    pub fn is_to_print(&self) -> bool {
        self.report.is_to_print()
    }

    /// The samples of a motion, of the operations that have one.
    #[must_use]
    pub fn samples(&self) -> Option<&Trajectory> {
        self.report.samples()
    }
}

/// An operation of the list.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    request: fn() -> Value,
    #[cfg(feature = "schemas")]
    report: fn() -> Value,
    handle: fn(Value, &dyn Host) -> Result<AnyReport, Problem>,
    /// Adds the arguments of the request to a command.
    #[cfg(feature = "clap")]
    pub arguments: fn(clap::Command) -> clap::Command,
    /// Carries out what the arguments of a command say.
    #[cfg(feature = "clap")]
    pub run: fn(&clap::ArgMatches, &dyn Host) -> Result<AnyReport, Problem>,
}

impl Entry {
    /// The entry of an operation.
    pub(crate) const fn of<O: Operation>() -> Self {
        Self {
            name: O::NAME,
            request: || schema::<O>(SchemaSettings::draft2020_12()),
            #[cfg(feature = "schemas")]
            report: || with_warnings(schema::<O::Report>(SchemaSettings::draft2020_12().for_serialize())),
            handle: |request, host| carry_out(&read::<O>(request)?, host),
            #[cfg(feature = "clap")]
            arguments: O::augment_args,
            #[cfg(feature = "clap")]
            run: |matches, host| {
                let request = O::from_arg_matches(matches).map_err(|error| Problem::usage(error.to_string()))?;
                carry_out(&request, host)
            },
        }
    }

    /// What it does, in one line.
    #[must_use]
    pub fn about(&self) -> String {
        let schema = (self.request)();
        let text = schema["description"].as_str().unwrap_or_default();
        text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    }

    /// The JSON schemas of its request and its report.
    #[cfg(feature = "schemas")]
    #[must_use]
    pub fn schema(&self) -> Value {
        json!({ "request": (self.request)(), "report": (self.report)() })
    }

    /// Carries out a request that is data.
    ///
    /// # Errors
    /// A request that is not of its form, and what the operation itself refuses.
    pub fn handle(&self, request: Value, host: &dyn Host) -> Result<AnyReport, Problem> {
        (self.handle)(request, host)
    }
}

fn carry_out<O: Operation>(request: &O, host: &dyn Host) -> Result<AnyReport, Problem> {
    let listener = Listener::new(host, &request.outputs())?;
    let result = panics::contained(O::NAME, || request.run(&listener));
    if let Some(clash) = listener.clash() {
        return Err(clash);
    }
    // A source that fails because it is no longer wanted tells of itself, not of why.
    let report = result.map_err(|problem| if host.is_cancelled() { Problem::cancelled() } else { problem })?;
    Ok(AnyReport::new(report, listener.into_warnings()))
}

/// The schema of a report with the warnings that it may carry, in each form that is an object.
#[cfg(feature = "schemas")]
fn with_warnings(mut schema: Value) -> Value {
    let (mut forms, mut next) = (vec![String::new()], 0);
    while let Some(at) = forms.get(next).cloned() {
        next += 1;
        let Some(form) = schema.pointer_mut(&at) else { continue };
        if let Some(fields) = form["properties"].as_object_mut() {
            fields.entry(WARNINGS).or_insert_with(|| {
                let description =
                    "What may not be as the caller thinks, such as flaws of the robot; absent without any.";
                json!({ "type": "array", "items": { "type": "string" }, "description": description })
            });
        }
        let target = form["$ref"].as_str().map(|target| target.trim_start_matches('#').to_owned());
        let choices = form["anyOf"].as_array().map_or(0, Vec::len);
        let found = target.into_iter().chain((0..choices).map(|choice| format!("{at}/anyOf/{choice}")));
        for form in found.collect::<Vec<_>>() {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    schema
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> Value {
    SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value()
}

/// The names of a request's fields, by operation: to make a schema takes longer than to carry out most requests.
fn fields<O: Operation>() -> Arc<[String]> {
    static KNOWN: Mutex<BTreeMap<&'static str, Arc<[String]>>> = Mutex::new(BTreeMap::new());
    let make = || {
        let schema = schema::<O>(SchemaSettings::draft2020_12());
        schema["properties"].as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
    };
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).entry(O::NAME).or_insert_with(make).clone()
}

/// A request out of data.
pub(crate) fn read<O: Operation>(request: Value) -> Result<O, Problem> {
    let fields = fields::<O>();
    let known: Vec<&str> = fields.iter().map(String::as_str).collect();
    let given = request.as_object().ok_or_else(|| Problem::new("bad-request", "a request is a JSON object"))?;
    if let Some(unknown) = given.keys().find(|key| !known.contains(&key.as_str())) {
        let problem = Problem::new("bad-request", format!("`{}` has no field `{unknown}`", O::NAME));
        return Err(problem.hint(suggest::hint(unknown, &known)));
    }
    serde_json::from_value(request).map_err(|error| {
        let hint = format!("`jourdain schema '{}'` shows its form", O::NAME);
        Problem::new("bad-request", format!("`{}`: {error}", O::NAME)).hint(hint)
    })
}

/// The operation of that name.
///
/// # Errors
/// There is none; the nearest is named.
pub fn find(name: &str) -> Result<&'static Entry, Problem> {
    operations::ALL.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = operations::ALL.iter().map(|entry| entry.name).collect();
        Problem::new("unknown-operation", format!("there is no operation `{name}`")).hint(suggest::hint(name, &names))
    })
}

/// Carries out a request by name, as data: what all front ends but the command line call.
///
/// # Errors
/// No such operation, a request that is not of its form, and what the operation itself refuses.
pub fn handle(name: &str, request: Value, host: &dyn Host) -> Result<AnyReport, Problem> {
    find(name)?.handle(request, host)
}
