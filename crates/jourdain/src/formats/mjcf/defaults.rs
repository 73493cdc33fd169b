//! `<default>`: classes of attributes.
//!
//! A class begins as a copy of its parent after all of the parent's own elements, also those written below it. Classes do not
//! merge: an element has one, its own `class` or the nearest `childclass`, or else `main`.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Attribute, Element};
use super::context::{Context, View};
use super::orientation::Form;
use super::{geom, joint};
use std::collections::HashMap;

/// Attributes by tag; all kinds of actuators share one slot.
type Class = HashMap<&'static str, Vec<Attribute>>;

/// The elements whose defaults say something about dynamics or shapes, and the slot each has.
const SLOTS: [(&str, &str); 19] = [
    ("joint", "joint"),
    ("geom", "geom"),
    ("mesh", "mesh"),
    ("material", "material"),
    ("equality", "equality"),
    ("tendon", "tendon"),
    ("general", "actuator"),
    ("motor", "actuator"),
    ("position", "actuator"),
    ("velocity", "actuator"),
    ("intvelocity", "actuator"),
    ("damper", "actuator"),
    ("cylinder", "actuator"),
    ("muscle", "actuator"),
    ("adhesion", "actuator"),
    ("dcmotor", "actuator"),
    ("plugin", "actuator"),
    ("orientation", "actuator"),
    ("pid", "actuator"),
];

/// All classes of a model.
pub(super) struct Classes(HashMap<String, Class>);

impl Classes {
    pub fn read(root: &Element, context: &mut Context<'_, '_>) -> Self {
        let mut classes = Self(HashMap::from([("main".to_owned(), Class::new())]));
        for section in root.children().filter(|child| child.tag == "default") {
            if let Some(name) = section.get("class").filter(|name| *name != "main") {
                let message = format!("the outermost <default> may only be called `main`, not `{}`", shorten(name));
                context.error(section.span_of("class"), "default-class", message);
            }
            classes.section("main", section, context);
        }
        classes
    }

    fn section(&mut self, name: &str, section: &Element, context: &mut Context<'_, '_>) {
        context.doubtful_attributes(View::plain(section), &["class"]);
        let mut seen: Vec<&str> = Vec::new();
        for element in section.children().filter(|child| child.tag != "default") {
            let Some((_, slot)) = SLOTS.iter().find(|(tag, _)| *tag == element.tag) else { continue };
            if seen.contains(&element.tag.as_str()) {
                let message = format!("a second <{}> in one <default>", element.tag);
                context.error(element.span, "duplicate-element", message);
            }
            seen.push(&element.tag);
            match *slot {
                "joint" => context.known_attributes(View::plain(element), &joint::ATTRIBUTES),
                "geom" => context.known_attributes(View::plain(element), &geom::ATTRIBUTES),
                _ => {}
            }
            let attributes = self.0.entry(name.to_owned()).or_default().entry(slot).or_default();
            for attribute in element.attributes.iter().filter(|attribute| !attribute.value.trim().is_empty()) {
                attributes.retain(|earlier| earlier.name != attribute.name && !rivals(&earlier.name, &attribute.name));
                attributes.push(attribute.clone());
            }
        }
        for nested in section.children().filter(|child| child.tag == "default") {
            let Some(class) = nested.get("class").filter(|class| !class.is_empty()) else {
                let message = "a <default> inside another needs a `class`".to_owned();
                context.error_with_hint(nested.span, "default-class", message, "name it: <default class=\"…\">");
                continue;
            };
            if self.0.contains_key(class) {
                let message = format!("there are two default classes `{}`", shorten(class));
                context.error(nested.span_of("class"), "default-class", message);
                continue;
            }
            let copy = self.0.get(name).cloned().unwrap_or_default();
            self.0.insert(class.to_owned(), copy);
            self.section(class, nested, context);
        }
    }

    /// The element with the defaults of its class, or of the class that surrounds it.
    pub fn view<'a>(&'a self, element: &'a Element, around: Option<&str>, context: &mut Context<'_, '_>) -> View<'a> {
        let class = match element.get("class").filter(|class| !class.is_empty()) {
            Some(class) => self.known(class, element, "class", context),
            None => around,
        };
        let slot = SLOTS.iter().find(|(tag, _)| *tag == element.tag).map_or("", |(_, slot)| slot);
        self.slot(element, class, slot)
    }

    /// The same for an asset that is only for the eye: a class that is not there is nobody's concern.
    pub fn peek<'a>(&'a self, element: &'a Element, slot: &str) -> View<'a> {
        let class = element.get("class").filter(|class| self.0.contains_key(*class));
        self.slot(element, class, slot)
    }

    /// The same for an element of the section `slot`, whose elements share their defaults whatever they are called.
    pub fn view_in<'a>(&'a self, element: &'a Element, slot: &str, context: &mut Context<'_, '_>) -> View<'a> {
        let class = element.get("class").filter(|class| !class.is_empty());
        self.slot(element, class.and_then(|class| self.known(class, element, "class", context)), slot)
    }

    fn slot<'a>(&'a self, element: &'a Element, class: Option<&str>, slot: &str) -> View<'a> {
        let defaults = self.0.get(class.unwrap_or("main")).and_then(|class| class.get(slot));
        View { element, defaults: defaults.map_or(&[], Vec::as_slice) }
    }

    /// The class that `childclass` names, or else the one around.
    pub fn around<'a>(
        &self,
        element: &'a Element,
        outer: Option<&'a str>,
        context: &mut Context<'_, '_>,
    ) -> Option<&'a str> {
        match element.get("childclass").filter(|class| !class.is_empty()) {
            Some(class) => self.known(class, element, "childclass", context),
            None => outer,
        }
    }

    fn known<'a>(
        &self,
        class: &'a str,
        element: &Element,
        attribute: &str,
        context: &mut Context<'_, '_>,
    ) -> Option<&'a str> {
        if self.0.contains_key(class) {
            return Some(class);
        }
        let mut names: Vec<&str> = self.0.keys().map(String::as_str).collect();
        names.sort_unstable();
        let message = format!("there is no default class `{}`", shorten(class));
        context.error_with_hint(element.span_of(attribute), "unknown-class", message, suggest::hint(class, &names));
        None
    }
}

/// True of two different ways to give an orientation.
fn rivals(a: &str, b: &str) -> bool {
    [a, b].iter().all(|name| Form::ALL.iter().any(|form| form.name() == *name))
}
