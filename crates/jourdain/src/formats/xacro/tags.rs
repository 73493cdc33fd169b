//! The tags of xacro, one by one.

use super::super::suggest;
use super::super::xml::{Attribute, Element};
use super::failure::{Failure, Outcome};
use super::macros::Macro;
use super::scope::Property;
use super::{Expander, PREFIX, Value, text};
use std::rc::Rc;

impl Expander<'_, '_> {
    /// An element of the file: a tag of xacro, a call, or one that is copied.
    pub(super) fn node(
        &mut self,
        element: &Element,
        scope: usize,
        target: &mut Element,
        directly: bool,
    ) -> Outcome<()> {
        self.budget.spend(1)?;
        let Some(tag) = element.tag.strip_prefix(PREFIX) else {
            self.count(0, element.span)?;
            let expanded = self.element(element, scope)?;
            target.nodes.push(super::Node::Element(Box::new(expanded)));
            return Ok(());
        };
        match tag {
            "property" => self.define_property(element, scope),
            "macro" => self.define_macro(element, scope),
            "arg" => self.declare_argument(element, scope),
            "include" => self.include(element, scope, target),
            "if" | "unless" => self.condition(element, tag == "if", scope, target),
            "insert_block" => self.insert_block(element, scope, target),
            "attribute" => self.attribute(element, scope, target, directly),
            "element" => self.named_element(element, scope, target, directly),
            "call" => {
                let span = element.span_of("macro");
                let name = self.evaluate_text(self.required(element, "macro")?, scope, span)?;
                let mut call = element.clone();
                call.attributes.retain(|attribute| attribute.name != "macro");
                self.call(&name, &call, scope, target).map_err(|failure| failure.at(span))
            }
            name => self.call(name, element, scope, target),
        }
    }

    /// An attribute that must be there.
    pub(super) fn required<'e>(&self, element: &'e Element, name: &str) -> Outcome<&'e str> {
        element.get(name).ok_or_else(|| {
            let message = format!("<{}> has no attribute `{name}`", element.tag);
            Failure::new("missing-attribute", message).at(element.span)
        })
    }

    /// Warns of attributes that nothing reads.
    pub(super) fn known_attributes(&mut self, element: &Element, known: &[&str]) {
        for attribute in &element.attributes {
            if !known.contains(&attribute.name.as_str()) {
                let message = format!("<{}> has no attribute `{}`, it is ignored", element.tag, attribute.name);
                let hint = suggest::hint(&attribute.name, known);
                self.warn("unknown-attribute", message, Some(hint), attribute.name_span);
            }
        }
    }

    /// An attribute that is true or false.
    pub(super) fn flag(&mut self, element: &Element, name: &str, scope: usize, usual: bool) -> Outcome<bool> {
        match element.attribute(name).filter(|attribute| !attribute.value.is_empty()) {
            Some(attribute) => self.truth(attribute, scope),
            None => Ok(usual),
        }
    }

    fn truth(&mut self, attribute: &Attribute, scope: usize) -> Outcome<bool> {
        match self.evaluate(&attribute.value, scope, attribute.span)? {
            Value::Text(value) => match text::truth(&value) {
                Some(truth) => Ok(truth),
                None => text::no_condition(&attribute.value, &value).map_err(|failure| failure.at(attribute.span)),
            },
            value => Ok(value.is_true()),
        }
    }

    fn define_macro(&mut self, element: &Element, scope: usize) -> Outcome<()> {
        self.known_attributes(element, &["name", "params"]);
        let name = self.required(element, "name")?;
        let span = element.span_of("name");
        let wrong = |message: String| Failure::new("xacro-macro", message).at(span);
        if name == "call" {
            return Err(wrong("a macro cannot be called `call`: that is a tag of xacro".to_owned()));
        }
        if name.contains('.') {
            let message = format!("the name `{name}` has a dot, which stands behind the names of included files");
            return Err(wrong(message).hint("use an underscore"));
        }
        let name = name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
        self.budget.spend(element.size())?;
        self.scopes.define(scope, &name, Macro::of(element));
        Ok(())
    }

    fn declare_argument(&mut self, element: &Element, scope: usize) -> Outcome<()> {
        self.known_attributes(element, &["name", "default"]);
        let name = self.required(element, "name")?;
        let default = self
            .required(element, "default")
            .map_err(|failure| failure.hint("xacro wants a default for every argument; default=\"\" is one"))?;
        self.asked.insert(name.to_owned());
        if !self.arguments.contains_key(name) {
            let value = self.evaluate_text(default, scope, element.span_of("default"))?;
            self.arguments.insert(name.to_owned(), value);
        }
        Ok(())
    }

    fn condition(&mut self, element: &Element, wanted: bool, scope: usize, target: &mut Element) -> Outcome<()> {
        self.known_attributes(element, &["value"]);
        self.required(element, "value")?;
        if self.flag_or_empty(element, scope)? == wanted {
            return self.nodes(&element.nodes, scope, target, false);
        }
        Ok(())
    }

    /// The condition of an `if`, which may not be empty.
    fn flag_or_empty(&mut self, element: &Element, scope: usize) -> Outcome<bool> {
        match element.attribute("value") {
            Some(attribute) => self.truth(attribute, scope),
            None => Ok(false),
        }
    }

    fn insert_block(&mut self, element: &Element, scope: usize, target: &mut Element) -> Outcome<()> {
        self.known_attributes(element, &["name"]);
        let name = self.required(element, "name")?;
        let block = |this: &Self, key: String| match this.scopes.find(scope, &key) {
            Some((_, Property::Block(block))) => Some(Rc::clone(block)),
            _ => None,
        };
        if let Some(several) = block(self, format!("**{name}")) {
            return self.nodes(&several.nodes, scope, target, false);
        }
        let Some(one) = block(self, format!("*{name}")) else {
            let known = self.scopes.property_names(scope);
            let known = known.iter().filter(|name| name.starts_with('*')).map(|name| name.trim_start_matches('*'));
            let failure = Failure::new("xacro-unknown-block", format!("there is no block `{name}`"));
            let near = suggest::nearest(name, &known.collect::<Vec<_>>()).map(|near| format!("did you mean `{near}`?"));
            let usual = || "a block is a parameter `*name` of the macro, or a property without value".to_owned();
            return Err(failure.hint(near.unwrap_or_else(usual)).at(element.span_of("name")));
        };
        self.descend(element.span)?;
        self.count(0, element.span)?;
        let expanded = self.element(&one, scope)?;
        self.depth -= 1;
        target.nodes.push(super::Node::Element(Box::new(expanded)));
        Ok(())
    }

    fn attribute(&mut self, element: &Element, scope: usize, target: &mut Element, directly: bool) -> Outcome<()> {
        let (name_span, span) = (element.span_of("name"), element.span_of("value"));
        let name = self.evaluate_text(self.required(element, "name")?, scope, name_span)?;
        let value = self.evaluate_text(self.required(element, "value")?, scope, span)?;
        self.xml_name(&name, element, "name")?;
        if !directly {
            let message =
                format!("the attribute `{name}` is lost: <xacro:attribute> stands inside another tag of xacro");
            let hint = "xacro takes it only right inside the element that it is for";
            self.warn("xacro-lost-attribute", message, Some(hint.to_owned()), element.span);
            return Ok(());
        }
        self.count(value.len(), span)?;
        target.attributes.retain(|attribute| attribute.name != name);
        target.attributes.push(Attribute { name, value, name_span, span });
        Ok(())
    }

    fn named_element(&mut self, element: &Element, scope: usize, target: &mut Element, directly: bool) -> Outcome<()> {
        let given = self.required(element, "xacro:name")?;
        let name = self.evaluate_text(given, scope, element.span_of("xacro:name"))?;
        self.xml_name(&name, element, "xacro:name")?;
        self.budget.spend(element.size())?;
        let mut named = Element { tag: name, ..element.clone() };
        named.attributes.retain(|attribute| attribute.name != "xacro:name");
        self.descend(element.span)?;
        self.node(&named, scope, target, directly)?;
        self.depth -= 1;
        Ok(())
    }

    /// A name that XML takes for an element or an attribute.
    fn xml_name(&self, name: &str, element: &Element, attribute: &str) -> Outcome<()> {
        let mut letters = name.chars();
        let starts = letters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
        if starts && letters.all(|letter| letter.is_alphanumeric() || "_-.:".contains(letter)) {
            return Ok(());
        }
        let failure = Failure::new("xacro-name", format!("`{name}` is no name of an element or attribute"));
        Err(failure.at(element.span_of(attribute)))
    }
}
