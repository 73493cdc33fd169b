//! Scopes: the properties and macros in sight at a place.
//!
//! The scope of a macro's body lies inside that of its call, not of its definition. A property is evaluated at its first use,
//! in the scope it was defined in, and keeps that value. An included file with a name of its own sees the properties
//! outside, but not the macros.

use super::super::xml::{Element, Span};
use super::macros::Macro;
use super::python::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// What stands behind a name. Blocks are under `*name` (the element) and `**name` (what it holds).
#[derive(Clone)]
pub(super) enum Property {
    Value(Value),
    /// A text that nobody has asked for yet.
    Lazy(Rc<str>, Span),
    /// A text that is being evaluated: whoever asks for it now goes round in circles.
    Pending,
    Block(Rc<Element>),
}

/// What stands behind the name of a macro.
#[derive(Clone)]
pub(super) enum Known {
    Macro(Rc<Macro>),
    /// An included file with a name of its own.
    Namespace(usize),
}

struct Table {
    parent: Option<usize>,
    is_namespace: bool,
    properties: HashMap<String, Property>,
    macros: HashMap<String, Known>,
}

/// All scopes of an expansion, by number; 0 is the outermost.
pub(super) struct Scopes(Vec<Table>);

impl Scopes {
    pub const GLOBAL: usize = 0;

    pub fn new() -> Self {
        let mut scopes = Self(Vec::new());
        scopes.push(None, false);
        scopes
    }

    fn push(&mut self, parent: Option<usize>, is_namespace: bool) -> usize {
        self.0.push(Table { parent, is_namespace, properties: HashMap::new(), macros: HashMap::new() });
        self.0.len() - 1
    }

    /// The scope of a macro's body.
    pub fn open(&mut self, parent: usize) -> usize {
        self.push(Some(parent), false)
    }

    /// Forgets a scope, unless something made since may still refer to it.
    pub fn close(&mut self, scope: usize) {
        if self.0.len() == scope + 1 {
            self.0.pop();
        }
    }

    /// The scope of an included file that gets a name of its own.
    pub fn open_namespace(&mut self, parent: usize, name: &str) -> usize {
        let scope = self.push(Some(parent), true);
        self.set(parent, name, Property::Value(Value::Namespace(scope)));
        self.0[parent].macros.insert(name.to_owned(), Known::Namespace(scope));
        scope
    }

    fn outwards(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), |scope| self.0[*scope].parent)
    }

    /// The innermost scope that has a property, and the property.
    pub fn find(&self, scope: usize, name: &str) -> Option<(usize, &Property)> {
        self.outwards(scope).find_map(|scope| Some((scope, self.0[scope].properties.get(name)?)))
    }

    pub fn set(&mut self, scope: usize, name: &str, property: Property) {
        self.0[scope].properties.insert(name.to_owned(), property);
    }

    /// Removes a property here and in all scopes outside.
    pub fn remove(&mut self, scope: usize, name: &str) {
        for scope in self.outwards(scope).collect::<Vec<_>>() {
            self.0[scope].properties.remove(name);
        }
    }

    /// Where `scope="parent"` puts a property: the scope of the call, past the names of included files.
    pub fn parent(&self, scope: usize) -> Option<usize> {
        let parent = self.0[scope].parent?;
        if self.0[scope].is_namespace {
            return Some(parent);
        }
        self.outwards(parent).find(|scope| !self.0[*scope].is_namespace)
    }

    pub fn define(&mut self, scope: usize, name: &str, definition: Macro) {
        self.0[scope].macros.insert(name.to_owned(), Known::Macro(Rc::new(definition)));
    }

    /// Scopes in which a macro is looked for: not beyond an included file with a name of its own.
    fn macro_scopes(&self, scope: usize) -> impl Iterator<Item = usize> {
        let mut is_open = true;
        self.outwards(scope).take_while(move |scope| {
            let is_seen = is_open;
            is_open = is_open && !self.0[*scope].is_namespace;
            is_seen
        })
    }

    fn known(&self, scope: usize, name: &str) -> Option<&Known> {
        self.macro_scopes(scope).find_map(|scope| self.0[scope].macros.get(name))
    }

    /// A macro by its name, with the names of included files in front, and the scope its body lies in.
    pub fn find_macro(&self, scope: usize, name: &str) -> Option<(usize, Rc<Macro>)> {
        let mut at = scope;
        let mut parts = name.split('.').peekable();
        while let Some(part) = parts.next() {
            match (self.known(at, part)?, parts.peek()) {
                (Known::Macro(found), None) => return Some((at, Rc::clone(found))),
                (Known::Namespace(inner), Some(_)) => at = *inner,
                (Known::Macro(_), Some(_)) | (Known::Namespace(_), None) => return None,
            }
        }
        None
    }

    /// Names of properties, or of blocks, in sight.
    pub fn property_names(&self, scope: usize) -> Vec<String> {
        self.outwards(scope).flat_map(|scope| self.0[scope].properties.keys().cloned()).collect()
    }

    /// Names of macros in sight, those of included files with their names in front.
    pub fn macro_names(&self, scope: usize) -> Vec<String> {
        let mut names = Vec::new();
        for scope in self.macro_scopes(scope) {
            for (name, known) in &self.0[scope].macros {
                match known {
                    Known::Macro(_) => names.push(name.clone()),
                    Known::Namespace(inner) => {
                        names.extend(self.0[*inner].macros.keys().map(|inner| format!("{name}.{inner}")));
                    }
                }
            }
        }
        names
    }
}
