//! xacro: macros, properties, conditions and includes over any XML robot file, expanded without ROS.
//!
//! The tags are known by the letters `xacro:` in front, whatever the prefix stands for. One pass in the order of the file:
//! what is used must have been defined. What comes out keeps the places of the texts it was made from, so that whatever a
//! reader finds points into the file where it was written. Comments are dropped.
//!
//! Traps: expressions are Python, so `10/5` is `2.0`; a value is typed again when it is stored, so `'1'` becomes a number;
//! a block is evaluated where it is written and again where it is inserted.

mod evaluation;
mod failure;
mod include;
mod macros;
mod package;
mod property;
mod python;
mod scope;
mod substitution;
mod tags;
mod text;
mod yaml;
mod yaml_scalar;

use super::limits::{MAX_DEPTH, MAX_EXPANSION_DEPTH, MAX_EXPANSION_NODES, MAX_EXPANSION_STEPS};
use super::report::Report;
use super::suggest;
use super::xml::{Element, Files, Node, Sources, Span};
use crate::model::Diagnostic;
use failure::{Failure, Outcome};
use python::{Budget, Expression, Value};
use scope::Scopes;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// In front of the tags of xacro.
pub(super) const PREFIX: &str = "xacro:";

/// True if a tag of xacro stands somewhere in the tree.
pub(super) fn is_used(element: &Element) -> bool {
    element.tag.starts_with(PREFIX) || element.children().any(is_used)
}

/// One expansion.
struct Expander<'s, 't> {
    sources: &'s mut Sources<'t>,
    report: &'s mut Report,
    files: &'s dyn Files,
    scopes: Scopes,
    /// `$(arg …)`: given by the caller or by a default.
    arguments: HashMap<String, String>,
    /// Arguments that the file declares or uses.
    asked: HashSet<String>,
    /// The files at hand, the innermost last, from the folder of the main file.
    stack: Vec<PathBuf>,
    parsed: HashMap<PathBuf, Rc<Element>>,
    tables: HashMap<PathBuf, Value>,
    expressions: HashMap<String, Rc<Expression>>,
    /// The macros at hand and where they were called. Kept when an expansion fails: the message names them.
    calls: Vec<(String, Span)>,
    /// Properties that are being evaluated.
    pending: Vec<String>,
    shadowing: HashSet<String>,
    budget: Budget,
    nodes: usize,
    /// Nesting of everything, and of the elements that come out.
    depth: usize,
    nesting: usize,
}

/// The tree without xacro, or `None` after an error has been reported. `file` is the main file's own name.
pub(super) fn expand(
    root: &Element,
    file: &Path,
    sources: &mut Sources<'_>,
    files: &dyn Files,
    report: &mut Report,
) -> Option<Element> {
    let given = files.arguments();
    let mut expander = Expander {
        sources,
        report,
        files,
        scopes: Scopes::new(),
        arguments: given.iter().cloned().collect(),
        asked: HashSet::new(),
        stack: vec![file.to_owned()],
        parsed: HashMap::new(),
        tables: HashMap::new(),
        expressions: HashMap::new(),
        calls: Vec::new(),
        pending: Vec::new(),
        shadowing: HashSet::new(),
        budget: Budget::new(MAX_EXPANSION_STEPS),
        nodes: 0,
        depth: 0,
        nesting: 0,
    };
    match expander.element(root, Scopes::GLOBAL) {
        Ok(expanded) => {
            expander.unasked(given);
            Some(expanded)
        }
        Err(failure) => {
            let diagnostic = expander.diagnostic(*failure);
            report.push(diagnostic);
            None
        }
    }
}

impl Expander<'_, '_> {
    /// What went wrong, with the macros it went wrong in.
    fn diagnostic(&self, failure: Failure) -> Diagnostic {
        let mut message = failure.message;
        let mut calls: Vec<_> = self.calls.iter().rev().collect();
        calls.dedup();
        for (name, span) in calls.iter().take(3) {
            message += &format!(", in the macro `{name}` called at {}", self.sources.describe(*span));
        }
        if calls.len() > 3 {
            message += ", and so on";
        }
        let place = failure.span.map(|span| self.sources.locate(span));
        Diagnostic { hint: failure.hint, ..Diagnostic::error(failure.code, message).at(place) }
    }

    fn warn(&mut self, code: &'static str, message: String, hint: Option<String>, span: Span) {
        let place = self.sources.locate(span);
        self.report.push(Diagnostic { hint, ..Diagnostic::warning(code, message).at(place) });
    }

    /// Warns of arguments that the file has no use for.
    fn unasked(&mut self, given: &[(String, String)]) {
        let asked: Vec<&str> = self.asked.iter().map(String::as_str).collect();
        for (name, _) in given.iter().filter(|(name, _)| !self.asked.contains(name)) {
            let hint = match suggest::nearest(name, &asked) {
                Some(near) => format!("did you mean `{near}`?"),
                None if asked.is_empty() => "the file declares no arguments".to_owned(),
                None => suggest::hint(name, &asked),
            };
            let message = format!("the file has no argument `{name}`, it is ignored");
            self.report.push(Diagnostic::warning("xacro-unknown-argument", message).hint(hint));
        }
    }

    /// Goes a level deeper, if there is one.
    fn descend(&mut self, span: Span) -> Outcome<()> {
        self.depth += 1;
        if self.depth > MAX_EXPANSION_DEPTH {
            let message =
                format!("macros, includes and conditions are nested more than {MAX_EXPANSION_DEPTH} levels deep");
            return Err(Failure::limit(message).at(span));
        }
        Ok(())
    }

    /// An element with its attributes and everything inside expanded.
    fn element(&mut self, source: &Element, scope: usize) -> Outcome<Element> {
        self.nesting += 1;
        if self.nesting > MAX_DEPTH {
            return Err(Failure::limit(format!("elements nested more than {MAX_DEPTH} levels deep")).at(source.span));
        }
        let mut element = Element::empty(&source.tag, source.span);
        self.lift_namespaces(source, &mut element);
        for attribute in &source.attributes {
            if attribute.name == "xacro:targetNamespace" && self.nesting == 1 {
                element.namespaces.push((None, attribute.value.clone()));
            }
            if !attribute.name.starts_with(PREFIX) {
                let value = self.evaluate_text(&attribute.value, scope, attribute.span)?;
                self.count(value.len(), attribute.span)?;
                element.attributes.push(super::xml::Attribute { value, ..attribute.clone() });
            }
        }
        self.nodes(&source.nodes, scope, &mut element, true)?;
        self.nesting -= 1;
        Ok(element)
    }

    /// Counts a node that comes out, and its text.
    fn count(&mut self, length: usize, span: Span) -> Outcome<()> {
        self.nodes += 1 + length / 64;
        if self.nodes > MAX_EXPANSION_NODES {
            let message = format!("the expanded file has more than {MAX_EXPANSION_NODES} elements and texts");
            return Err(Failure::limit(message).at(span));
        }
        Ok(())
    }

    /// Expands what stands in an element, or in a tag of xacro (then not `directly`), into the element `target`.
    fn nodes(&mut self, nodes: &[Node], scope: usize, target: &mut Element, directly: bool) -> Outcome<()> {
        self.descend(target.span)?;
        for node in nodes {
            match node {
                Node::Text(text, span) => {
                    let value = self.text(text, *span, scope)?;
                    target.nodes.push(Node::Text(value, *span));
                }
                Node::Element(element) => self.node(element, scope, target, directly)?,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn text(&mut self, text: &str, span: Span, scope: usize) -> Outcome<String> {
        if !text.contains('$')
            || self.sources.get(span.file).text[span.start as usize..span.end as usize].contains("<![CDATA[")
        {
            self.count(text.len(), span)?;
            return Ok(text.to_owned());
        }
        let value = self.evaluate_text(text, scope, span)?;
        self.count(value.len(), span)?;
        Ok(value)
    }

    /// Gives an element the namespaces that another declares, but for that of xacro.
    fn lift_namespaces(&mut self, from: &Element, to: &mut Element) {
        for (prefix, address) in &from.namespaces {
            if prefix.as_deref() == Some("xacro") || (prefix.is_none() && from.tag.starts_with(PREFIX)) {
                continue;
            }
            match to.namespaces.iter().find(|(known, _)| known == prefix) {
                Some((_, known)) if known != address => {
                    let name = prefix.as_deref().unwrap_or_default();
                    let message = format!("the prefix `{name}` stands for {known} already, and not for {address}");
                    self.warn("namespace-conflict", message, None, from.span);
                }
                Some(_) => {}
                None => to.namespaces.push((prefix.clone(), address.clone())),
            }
        }
    }
}
