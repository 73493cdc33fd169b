//! What every part of the reader needs: the reading at hand, and elements with what their class gives them.

pub(super) use super::super::xml::Context;
use super::super::xml::{Attribute, Element};

/// An element together with the attributes that its class gives it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub element: &'a Element,
    pub defaults: &'a [Attribute],
}

impl<'a> View<'a> {
    /// An element that has no defaults.
    pub fn plain(element: &'a Element) -> Self {
        Self { element, defaults: &[] }
    }

    /// The element's own attribute. An empty one counts as missing.
    pub fn own(&self, name: &str) -> Option<&'a Attribute> {
        self.element.attribute(name).filter(|attribute| !attribute.value.trim().is_empty())
    }

    /// The element's own attribute, or else that of its class.
    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.own(name).or_else(|| self.defaults.iter().find(|attribute| attribute.name == name))
    }

    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }
}
