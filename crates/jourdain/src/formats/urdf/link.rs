//! `<link>` and its `<inertial>`.
//!
//! Trap: URDF gives the inertia about the centre of mass in the axes of `<inertial><origin rpy>`, not in link axes.

use super::super::report::NAMELESS;
use super::super::xml::Element;
use super::visual::{self, Colours};
use super::xml::Reader;
use crate::model::Number;
use crate::model::description::{InertiaDescription, LinkDescription};

pub(super) fn read(element: &Element, colours: &Colours, reader: &mut Reader<'_, '_>) -> LinkDescription {
    let name = reader.text(element, "name");
    reader.report.names_are_incomplete |= name.is_none();
    let name = name.unwrap_or(NAMELESS);
    reader.report.concerning(Some(name), None);
    let mut link = LinkDescription::new(name, "");
    link.location = Some(reader.place(element));
    link.places.set("name", reader.attribute_place(element, "name"));
    reader.known_attributes(element, &["name", "type"]);
    reader.known_children(element, &["inertial", "visual", "collision", "self_collision_checking", "contact"]);
    link.shapes = visual::read(element, colours);
    match reader.child(element, "inertial") {
        Some(inertial) => read_inertial(inertial, &mut link, reader),
        None => link.has_inertial = false,
    }
    link
}

fn read_inertial(element: &Element, link: &mut LinkDescription, reader: &mut Reader<'_, '_>) {
    reader.known_children(element, &["origin", "mass", "inertia"]);
    let mut rpy = [Number::ZERO; 3];
    if let Some(origin) = reader.child(element, "origin") {
        reader.known_attributes(origin, &["xyz", "rpy"]);
        link.com = reader.vector(origin, "xyz").unwrap_or_default();
        rpy = reader.vector(origin, "rpy").unwrap_or_default();
        link.places.set("com", reader.place(origin));
    }
    if let Some(mass) = reader.required_child(element, "mass") {
        reader.known_attributes(mass, &["value"]);
        link.mass = reader.number(mass, "value").unwrap_or_default();
        link.places.set("mass", reader.attribute_place(mass, "value"));
    }
    if let Some(inertia) = reader.required_child(element, "inertia") {
        let names = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
        reader.known_attributes(inertia, &names);
        let given = names.map(|name| reader.number(inertia, name));
        let is_read = given.iter().all(Option::is_some);
        let elements = given.map(|element| element.filter(|_| is_read).unwrap_or_default());
        let is_turned = rpy.iter().any(|angle| angle.value != 0.0);
        link.inertia = if is_turned {
            InertiaDescription::AboutComRotated { elements, rpy }
        } else {
            InertiaDescription::AboutCom(elements)
        };
        link.inertia_location = Some(reader.place(inertia));
    }
}
