//! One `[[link]]`: where it is, what it weighs, what drives it.

use super::super::report::NAMELESS;
use super::balance;
use super::joint;
use super::robot;
use super::shaft;
use super::shape;
use super::table::{Context, Table, list, vector};
use super::tree::Node;
use crate::model::description::{
    DhConvention, DhParameters, InertiaDescription, LinkDescription, MotorDescription, Orientation, Placement, Places,
};
use crate::model::{Element, Hysteresis, MOST_ELEMENTS, Number};

/// What a link that does not say otherwise takes from its surroundings.
pub(super) struct Defaults<'a> {
    pub parent: &'a str,
    pub dh: Option<DhConvention>,
}

pub(super) fn read(node: &Node, defaults: &Defaults<'_>, context: &mut Context<'_>) -> Option<LinkDescription> {
    let mut table = Table::new(node, "a link", context)?;
    let mut link = read_body(&mut table, defaults.parent, context);
    read_placement(&mut table, defaults, &mut link, context);
    let in_dh_frame = matches!(link.placement, Placement::Dh { .. });
    if let Some(joint) = table.table("joint", context) {
        let link_name = link.name.clone();
        link.joint = joint::read(joint, &link_name, in_dh_frame, &mut link.places, context);
    }
    table.finish(context);
    Some(link)
}

/// What a link and a screw have in common: name, parent, mass, centre of mass, inertia, motor.
pub(super) fn read_body(table: &mut Table<'_>, parent: &str, context: &mut Context<'_>) -> LinkDescription {
    table.require("name", context);
    let name = table.text("name", context);
    context.report.names_are_incomplete |= name.is_none();
    let name = name.unwrap_or(NAMELESS);
    context.report.concerning(Some(name), None);
    let mut link = LinkDescription::new(name, parent);
    link.location = Some(context.locate(table.node()));
    for field in ["name", "parent", "mass", "com", "motor", "shaft", "balance"] {
        if let Some(place) = table.place(field, context) {
            link.places.set(field, place);
        }
    }
    if let Some(parent) = table.text("parent", context) {
        parent.clone_into(&mut link.parent);
    }
    read_inertial(table, &mut link, context);
    link.motor = table
        .table("motor", context)
        .map(|motor| read_motor(motor, MotorDescription::default(), &mut link.places, context))
        .filter(|motor| !motor.is_idle());
    if let Some(shaft) = table.table("shaft", context) {
        link.shaft = Some(Box::new(shaft::read(shaft, context)));
    }
    if let Some(balance) = table.table("balance", context) {
        link.balance = balance::read(balance, context).map(Box::new);
    }
    if let Some(shapes) = table.list("shape", context) {
        link.shapes = shape::read(shapes, context);
    }
    link
}

/// The keys of a body: mass, centre of mass, inertia about it or about the origin.
pub(super) fn read_inertial(table: &mut Table<'_>, link: &mut LinkDescription, context: &mut Context<'_>) {
    link.mass = table.number("mass", context).unwrap_or(Number::ZERO);
    link.com = table.vector("com", context).unwrap_or([Number::ZERO; 3]);
    table.exclude("inertia", "inertia_origin", context);
    let rpy = table.vector("inertia_rpy", context);
    if let Some(elements) = table.vector("inertia", context) {
        link.inertia = match rpy {
            Some(rpy) => InertiaDescription::AboutComRotated { elements, rpy },
            None => InertiaDescription::AboutCom(elements),
        };
    } else {
        table.refuse(&["inertia_rpy"], "it turns the axes of `inertia`, and there is none", context);
    }
    if let Some(elements) = table.vector("inertia_origin", context) {
        link.inertia = InertiaDescription::AboutOrigin(elements);
    }
    if table.boolean("inertial", context) == Some(false) {
        link.has_inertial = false;
        let reason = "`inertial = false` says that nothing is known of the link's mass and inertia";
        table.refuse(&["mass", "com", "inertia", "inertia_origin"], reason, context);
    }
    link.inertia_location = table.place("inertia", context).or_else(|| table.place("inertia_origin", context));
}

fn read_placement(
    table: &mut Table<'_>,
    defaults: &Defaults<'_>,
    link: &mut LinkDescription,
    context: &mut Context<'_>,
) {
    table.exclude("origin", "dh", context);
    if let Some(place) = table.place("origin", context).or_else(|| table.place("dh", context)) {
        link.places.set("placement", place);
    }
    if let Some(origin) = table.table("origin", context) {
        link.placement = read_origin(origin, context);
    }
    if let Some(dh) = table.table("dh", context) {
        link.placement = read_dh(dh, defaults.dh, context);
    }
}

/// `{ xyz, rpy }` or `{ xyz, quaternion }`.
pub(super) fn read_origin(mut table: Table<'_>, context: &mut Context<'_>) -> Placement {
    let placement = read_origin_keys(&mut table, context);
    table.finish(context);
    placement
}

/// The keys of an origin, in a table that may have more.
pub(super) fn read_origin_keys(table: &mut Table<'_>, context: &mut Context<'_>) -> Placement {
    let xyz = table.vector("xyz", context).unwrap_or([Number::ZERO; 3]);
    table.exclude("rpy", "quaternion", context);
    let rpy = table.vector("rpy", context).unwrap_or([Number::ZERO; 3]);
    let orientation = match table.vector("quaternion", context) {
        Some(quaternion) => Orientation::Quaternion(quaternion),
        None => Orientation::Rpy(rpy),
    };
    Placement::Origin { xyz, orientation }
}

fn read_dh(mut table: Table<'_>, of_file: Option<DhConvention>, context: &mut Context<'_>) -> Placement {
    let convention = robot::convention_of(&mut table, "convention", context).or(of_file);
    if convention.is_none() {
        let message = "a link has `dh`, but the file does not say which convention".to_owned();
        let hint = "put dh = \"modified\" (Craig, Khalil) or dh = \"standard\" at the top".to_owned();
        context.error_with_hint(table.node(), "dh-convention-missing", message, Some(hint));
    }
    let mut number = |key| table.number(key, context).unwrap_or(Number::ZERO);
    let parameters = DhParameters {
        alpha: number("alpha"),
        a: number("a"),
        theta: number("theta"),
        d: number("d"),
        gamma: number("gamma"),
        b: number("b"),
    };
    if convention == Some(DhConvention::Standard) {
        table.refuse(&["gamma", "b"], "it belongs to the modified convention (Khalil–Kleinfinger)", context);
    }
    table.finish(context);
    Placement::Dh { convention: convention.unwrap_or(DhConvention::Modified), parameters }
}

/// Elements of a length and a strength each.
fn read_hysteresis(table: &mut Table<'_>, context: &mut Context<'_>) -> Option<Hysteresis> {
    let node = table.get("hysteresis")?;
    let mut elements = Vec::new();
    for item in list(node, "hysteresis", context)? {
        let [length, strength] = vector::<2>(item, "hysteresis", context)?;
        elements.push(Element { length: length.value, strength: strength.value });
    }
    let hysteresis = Hysteresis::new(&elements);
    if hysteresis.is_none() {
        let message = format!("`hysteresis` has {} elements, and at most {MOST_ELEMENTS} may be given", elements.len());
        let hint = "lengths a decade apart leave little out: hysteresis = [[3e-5, 1], [3e-4, 2], [3e-3, 1]]";
        context.error_with_hint(node, "hysteresis", message, Some(hint.to_owned()));
    }
    hysteresis
}

/// A motor; what is not given is as in `default`.
pub(super) fn read_motor(
    mut table: Table<'_>,
    default: MotorDescription,
    places: &mut Places,
    context: &mut Context<'_>,
) -> MotorDescription {
    for (key, field) in [
        ("inertia", "motor.inertia"),
        ("ratio", "motor.ratio"),
        ("stiffness", "motor.stiffness"),
        ("damping", "motor.damping"),
        ("viscous", "motor.viscous"),
        ("coulomb", "motor.coulomb"),
        ("shaft_stiffness", "motor.stiffness"),
        ("shaft_damping", "motor.damping"),
        ("shaft_viscous", "motor.rotor_viscous"),
        ("shaft_coulomb", "motor.rotor_coulomb"),
        ("rotor_viscous", "motor.rotor_viscous"),
        ("rotor_coulomb", "motor.rotor_coulomb"),
        ("root", "motor.root"),
        ("stribeck", "motor.stribeck"),
        ("stribeck_speed", "motor.stribeck_speed"),
        ("offset", "motor.offset"),
        ("hysteresis", "motor.hysteresis"),
        ("load", "motor.load"),
        ("axis", "motor.axis"),
    ] {
        if let Some(place) = table.place(key, context) {
            places.set(field, place);
        }
    }
    table.exclude("stiffness", "shaft_stiffness", context);
    table.exclude("damping", "shaft_damping", context);
    table.exclude("rotor_viscous", "shaft_viscous", context);
    table.exclude("rotor_coulomb", "shaft_coulomb", context);
    let ratio = table.number("ratio", context).unwrap_or(default.ratio);
    // A torque at the shaft is felt times |ratio| at the joint, an angle there is a |ratio|-th of the shaft's.
    let mut at_joint = |key: &'static str, power: i32| {
        let value = table.number(key, context)?;
        Some(Number::from(value.value * ratio.value.abs().powi(power)))
    };
    let [stiffness, damping, viscous] =
        ["shaft_stiffness", "shaft_damping", "shaft_viscous"].map(|key| at_joint(key, 2));
    let coulomb = at_joint("shaft_coulomb", 1);
    let motor = MotorDescription {
        inertia: table.number("inertia", context).unwrap_or(default.inertia),
        ratio,
        stiffness: table.number("stiffness", context).or(stiffness).or(default.stiffness),
        damping: table.number("damping", context).or(damping).unwrap_or(default.damping),
        viscous: table.number("viscous", context).unwrap_or(default.viscous),
        coulomb: table.number("coulomb", context).unwrap_or(default.coulomb),
        rotor_viscous: table.number("rotor_viscous", context).or(viscous).unwrap_or(default.rotor_viscous),
        rotor_coulomb: table.number("rotor_coulomb", context).or(coulomb).unwrap_or(default.rotor_coulomb),
        root: table.number("root", context).or(default.root),
        stribeck: table.number("stribeck", context).or(default.stribeck),
        stribeck_speed: table.number("stribeck_speed", context).unwrap_or(default.stribeck_speed),
        offset: table.number("offset", context).or(default.offset),
        hysteresis: read_hysteresis(&mut table, context).unwrap_or(default.hysteresis),
        load: table.number("load", context).unwrap_or(default.load),
        axis: table.vector("axis", context).or(default.axis),
    };
    table.finish(context);
    motor
}
