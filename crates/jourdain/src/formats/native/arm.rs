//! The flexible-arm file, in TOML or JSON, with scenarios and states of arms in JSON.

use super::super::limits::MAX_LINKS;
use super::super::report::Report;
use super::super::source::Source;
use super::super::suggest;
use super::table::{Context, Table, list, number, shorten};
use super::tree::{Node, Value};
use super::{Notation, json, toml};
use crate::flexible::modes::{Beam, MOST_MODES};
use crate::flexible::{
    ArmDescription, Damping, FlexibleArm, GivenBoundary, Kinematics, LinkDescription, Payload, Scenario, scenario,
};
use crate::model::Diagnostic;
use crate::prescribed::{Interpolation, Torque, TorqueTable};

/// The most coordinates of an arm: its tables grow with the third power.
const MOST_COORDINATES: usize = 120;

/// What values a number may have.
#[derive(Clone, Copy)]
enum Range {
    Any,
    Positive,
    NotNegative,
}

/// A number of a table in its range.
fn ranged(table: &mut Table<'_>, key: &'static str, range: Range, context: &mut Context<'_>) -> Option<f64> {
    let node = table.get(key)?;
    in_range(node, key, range, context)
}

fn in_range(node: &Node, key: &str, range: Range, context: &mut Context<'_>) -> Option<f64> {
    let value = number(node, key, context)?.value;
    let (good, rule, code) = match range {
        Range::Any => (true, "", ""),
        Range::Positive => (value > 0.0, "positive", "not-positive"),
        Range::NotNegative => (value >= 0.0, "zero or positive", "negative"),
    };
    if !good {
        context.error(node, code, format!("`{key}` must be {rule}, not {value}"));
    }
    good.then_some(value)
}

fn numbers(node: &Node, key: &str, range: Range, context: &mut Context<'_>) -> Option<Vec<f64>> {
    let items = list(node, key, context)?;
    let values: Vec<Option<f64>> = items.iter().map(|item| in_range(item, key, range, context)).collect();
    values.into_iter().collect()
}

fn sized(node: &Node, key: &str, length: usize, whose: &str, context: &mut Context<'_>) -> Option<Vec<f64>> {
    let values = numbers(node, key, Range::Any, context)?;
    if values.len() == length {
        return Some(values);
    }
    let message = format!("`{key}` must have {length} numbers for {whose}, not {}", values.len());
    context.error(node, "wrong-length", message);
    None
}

/// What a file says of itself where it might have been silent.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Stated {
    /// Whether it gives `kinematics`.
    pub kinematics: bool,
    /// Whether each link gives `modes`.
    pub modes: Vec<bool>,
}

fn child<'t>(node: &'t Node, key: &str) -> Option<&'t Node> {
    match &node.value {
        Value::Table(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node),
        Value::Text(_) | Value::Number(_) | Value::Boolean(_) | Value::List(_) | Value::Other(_) => None,
    }
}

/// Reads an arm; `None` if anything is wrong with it.
pub(in super::super) fn read_arm(
    source: &Source<'_>,
    notation: Notation,
    report: &mut Report,
) -> Option<(ArmDescription, Stated)> {
    let parsed = match notation {
        Notation::Toml => toml::parse(source),
        Notation::Json => json::parse(source),
    };
    let node = match parsed {
        Ok(node) => node,
        Err(found) => {
            found.into_iter().for_each(|diagnostic| report.push(diagnostic));
            return None;
        }
    };
    let mut context = Context { source, report };
    let mut table = Table::new(&node, "a flexible arm", &mut context)?;
    let arm = read_top(&mut table, &mut context);
    table.finish(&mut context);
    let links = match child(&node, "link").map(|links| &links.value) {
        Some(Value::List(links)) => links.as_slice(),
        _ => &[],
    };
    let kinematics = child(&node, "kinematics").is_some();
    let modes = links.iter().map(|link| child(link, "modes").is_some()).collect();
    if report.is_fatal() { None } else { arm.map(|arm| (arm, Stated { kinematics, modes })) }
}

fn read_top(table: &mut Table<'_>, context: &mut Context<'_>) -> Option<ArmDescription> {
    table.require("name", context);
    table.require("link", context);
    let name = table.text("name", context).unwrap_or_default().to_owned();
    let gravity = table.vector::<2>("gravity", context).map_or([0.0; 2], |g| g.map(|x| x.value));
    let kinematics = match table.get("kinematics") {
        Some(node) => read_kinematics(node, context),
        None => Some(Kinematics::Paper),
    };
    let payload = match table.get("payload") {
        Some(node) => read_body(node, "a payload", context),
        None => Some([0.0; 2]),
    };
    let items = table.list("link", context).unwrap_or_default();
    if items.is_empty() && table.get("link").is_some() {
        context.error(table.node(), "no-links", "an arm needs at least one link".to_owned());
    }
    let mut links = Vec::new();
    for (item, i) in items.iter().zip(1_usize..).take(MAX_LINKS) {
        context.report.concerning(Some(&format!("link {i}")), None);
        links.extend(read_link(item, context));
        if context.report.is_full() {
            break;
        }
    }
    context.report.concerning(None, None);
    let size: usize = links.iter().map(|link| link.modes + 1).sum();
    if size > MOST_COORDINATES {
        let message = format!("{size} joints and modes are too many: at most {MOST_COORDINATES}");
        context.error(table.node(), "too-many-coordinates", message);
    }
    let boundary_configuration = match table.get("boundary_configuration") {
        Some(node) => Some(sized(node, "boundary_configuration", items.len(), "this arm", context)?),
        None => None,
    };
    let [mass, inertia] = payload?;
    (links.len() == items.len() && !links.is_empty()).then_some(ArmDescription {
        name,
        gravity,
        kinematics: kinematics?,
        payload: Payload { mass, inertia },
        boundary_configuration,
        links,
    })
}

fn read_kinematics(node: &Node, context: &mut Context<'_>) -> Option<Kinematics> {
    let names = Kinematics::ALL.map(Kinematics::name);
    if let Value::Text(text) = &node.value {
        if let Some(found) = Kinematics::ALL.into_iter().find(|kinematics| kinematics.name() == text) {
            return Some(found);
        }
        let hint = suggest::hint(text, &names);
        let message = format!("there are no kinematics `{}`", shorten(text));
        context.error_with_hint(node, "unknown-kinematics", message, Some(hint));
    } else {
        context.error(node, "wrong-type", format!("`kinematics` must be a string, not {}", node.value.kind()));
    }
    None
}

/// The keys `mass` and `inertia`, zero where missing.
fn read_body(node: &Node, what: &'static str, context: &mut Context<'_>) -> Option<[f64; 2]> {
    let mut table = Table::new(node, what, context)?;
    let found = ["mass", "inertia"].map(|key| ranged(&mut table, key, Range::NotNegative, context).unwrap_or(0.0));
    table.finish(context);
    Some(found)
}

fn read_link(node: &Node, context: &mut Context<'_>) -> Option<LinkDescription> {
    let mut table = Table::new(node, "a link", context)?;
    for key in ["length", "density", "rigidity"] {
        table.require(key, context);
    }
    let [length, density, rigidity] =
        ["length", "density", "rigidity"].map(|key| ranged(&mut table, key, Range::Positive, context));
    let hub = match table.get("hub") {
        Some(node) => read_body(node, "a hub", context),
        None => Some([0.0; 2]),
    };
    let modes = match table.get("modes") {
        Some(node) => read_count(node, context),
        None => Some(2),
    };
    let viscous = ranged(&mut table, "viscous", Range::NotNegative, context).unwrap_or(0.0);
    for (first, second) in
        [("damping", "damping_factor"), ("damping", "damping_ratio"), ("damping_factor", "damping_ratio")]
    {
        table.exclude(first, second, context);
    }
    let damping = match table.get("damping") {
        Some(node) => numbers(node, "damping", Range::NotNegative, context).map(|values| {
            if let Some(modes) = modes.filter(|&modes| modes != values.len()) {
                let message = format!("`damping` must have {modes} numbers, one per mode, not {}", values.len());
                context.error(node, "wrong-length", message);
            }
            Damping::Given(values)
        }),
        None => Some(Damping::None),
    };
    let factor = ranged(&mut table, "damping_factor", Range::NotNegative, context).map(Damping::Factor);
    let ratio = ranged(&mut table, "damping_ratio", Range::NotNegative, context).map(Damping::Ratio);
    let boundary = match table.get("boundary") {
        Some(node) => read_boundary(node, context),
        None => Some(GivenBoundary::default()),
    };
    table.finish(context);
    let [hub_mass, hub_inertia] = hub?;
    Some(LinkDescription {
        beam: Beam { length: length?, density: density?, rigidity: rigidity? },
        hub_mass,
        hub_inertia,
        modes: modes?,
        damping: factor.or(ratio).unwrap_or(damping?),
        viscous,
        boundary: boundary?,
    })
}

fn read_count(node: &Node, context: &mut Context<'_>) -> Option<usize> {
    let value = number(node, "modes", context)?.value;
    if value.fract() == 0.0 && (0.0..=MOST_MODES as f64).contains(&value) {
        return Some(value as usize);
    }
    let hint = Some("0 makes the link rigid".to_owned());
    let message = format!("`modes` must be a whole number from 0 to {MOST_MODES}, not {value}");
    context.error_with_hint(node, "bad-count", message, hint);
    None
}

fn read_boundary(node: &Node, context: &mut Context<'_>) -> Option<GivenBoundary> {
    if let Value::Text(text) = &node.value {
        if text == "free" {
            let none = Some(0.0);
            return Some(GivenBoundary { mass: none, inertia: none, mass_distance: none });
        }
        let hint = "a table with mass, inertia and mass_distance, or \"free\"".to_owned();
        context.error_with_hint(
            node,
            "unknown-boundary",
            format!("there is no boundary `{}`", shorten(text)),
            Some(hint),
        );
        return None;
    }
    let mut table = Table::new(node, "a boundary", context)?;
    let boundary = GivenBoundary {
        mass: ranged(&mut table, "mass", Range::NotNegative, context),
        inertia: ranged(&mut table, "inertia", Range::NotNegative, context),
        mass_distance: ranged(&mut table, "mass_distance", Range::Any, context),
    };
    if let GivenBoundary { mass: Some(mass), inertia: Some(inertia), mass_distance: Some(offset) } = boundary
        && offset * offset > mass * inertia * (1.0 + 1e-9)
    {
        let message = format!("no body has the mass-distance {offset}: its square exceeds mass times inertia");
        context.error(node, "impossible-boundary", message);
    }
    table.finish(context);
    Some(boundary)
}

/// A position and velocity of an arm; what the file leaves out is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmState {
    /// θ…, δ…
    pub q: Vec<f64>,
    /// Their rates.
    pub qd: Vec<f64>,
}

/// Reads one state of an arm or a list of them; true if it is a list.
///
/// # Errors
/// Everything that is wrong with them.
pub fn read_arm_states(text: &str, arm: &FlexibleArm<f64>) -> Result<(Vec<ArmState>, bool), Vec<Diagnostic>> {
    let source = Source::new(text);
    let node = json::parse(&source)?;
    let mut report = Report::default();
    let mut context = Context { source: &source, report: &mut report };
    let (items, is_list) = match &node.value {
        Value::List(items) => (items.as_slice(), true),
        _ => (std::slice::from_ref(&node), false),
    };
    let mut states = Vec::new();
    for item in items {
        let Some(mut table) = Table::new(item, "a state", &mut context) else { continue };
        if table.get("q").is_none() {
            table.require("q", &mut context);
        }
        let mut vector = |key: &'static str, context: &mut Context<'_>| match table.get(key) {
            Some(node) => sized(node, key, arm.size(), arm.name(), context).unwrap_or_default(),
            None => vec![0.0; arm.size()],
        };
        states.push(ArmState { q: vector("q", &mut context), qd: vector("qd", &mut context) });
        table.finish(&mut context);
        if context.report.is_full() {
            break;
        }
    }
    let found = report.finish();
    if found.is_empty() { Ok((states, is_list)) } else { Err(found) }
}

/// Reads a scenario for an arm.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_scenario(text: &str, arm: &FlexibleArm<f64>) -> Result<Scenario, Vec<Diagnostic>> {
    let source = Source::new(text);
    let node = json::parse(&source)?;
    let mut report = Report::default();
    let mut context = Context { source: &source, report: &mut report };
    let read = Table::new(&node, "a scenario", &mut context).map(|mut table| {
        let mut scenario = Scenario::rest(arm.size());
        for (key, target) in [("q0", &mut scenario.q0), ("qd0", &mut scenario.qd0)] {
            if let Some(node) = table.get(key)
                && let Some(values) = numbers(node, key, Range::Any, &mut context)
                    .and_then(|given| fitted(node, key, given, arm, &mut context))
            {
                *target = values;
            }
        }
        for (key, target) in [("duration", &mut scenario.duration), ("step", &mut scenario.step)] {
            if let Some(value) = ranged(&mut table, key, Range::Positive, &mut context) {
                *target = value;
            }
        }
        scenario.damping_factor = ranged(&mut table, "damping_factor", Range::NotNegative, &mut context);
        if let Some(node) = table.get("torque") {
            scenario.torque = read_torque(node, arm, &mut context).unwrap_or_default();
        }
        table.finish(&mut context);
        scenario
    });
    let found = report.finish();
    match read {
        Some(scenario) if found.is_empty() => Ok(scenario),
        _ => Err(found),
    }
}

/// A vector of the arm, or one of the same arm with fewer modes in each link, whose missing modes are at rest.
fn fitted(
    node: &Node,
    key: &str,
    given: Vec<f64>,
    arm: &FlexibleArm<f64>,
    context: &mut Context<'_>,
) -> Option<Vec<f64>> {
    let (size, found) = (arm.size(), given.len());
    let fitted = scenario::fitted(&given, arm);
    if fitted.is_none() {
        let message = format!("`{key}` must have {size} numbers for {}, not {found}", arm.name());
        context.error(node, "wrong-length", message);
    }
    fitted
}

fn read_torque(node: &Node, arm: &FlexibleArm<f64>, context: &mut Context<'_>) -> Option<Torque> {
    const KINDS: [&str; 4] = ["none", "constant", "bang-bang", "table"];
    let mut table = Table::new(node, "a torque", context)?;
    table.require("kind", context);
    let kind = table.text("kind", context)?;
    let n = arm.joints();
    let amplitude = |table: &mut Table<'_>, context: &mut Context<'_>| {
        table.require("amplitude", context);
        sized(table.get("amplitude")?, "amplitude", n, &format!("the joints of {}", arm.name()), context)
    };
    let torque = match kind {
        "none" => Some(Torque::None),
        "constant" => amplitude(&mut table, context).map(Torque::Constant),
        "bang-bang" => {
            let amplitude = amplitude(&mut table, context);
            for key in ["switch", "end"] {
                table.require(key, context);
            }
            let [switch, end] = ["switch", "end"].map(|key| ranged(&mut table, key, Range::Positive, context));
            let (amplitude, switch, end) = (amplitude?, switch?, end?);
            let law = scenario::bang_bang(&amplitude, switch, end);
            if law.is_none() {
                context.error(
                    node,
                    "bad-table",
                    format!("the end at {end} s must come after the switch at {switch} s"),
                );
            }
            law
        }
        "table" => read_table(&mut table, n, context),
        other => {
            let message = format!("there is no torque of kind `{}`", shorten(other));
            context.error_with_hint(node, "unknown-torque", message, Some(suggest::hint(other, &KINDS)));
            return None;
        }
    };
    table.finish(context);
    torque
}

/// `times` and `values`, one row per time, on straight lines unless `interpolation` is "hold".
fn read_table(table: &mut Table<'_>, joints: usize, context: &mut Context<'_>) -> Option<Torque> {
    for key in ["times", "values"] {
        table.require(key, context);
    }
    let interpolation = match table.text("interpolation", context) {
        None | Some("linear") => Interpolation::Linear,
        Some("hold") => Interpolation::Hold,
        Some(other) => {
            let message = format!("there is no interpolation `{}`: \"linear\" or \"hold\"", shorten(other));
            context.error(table.node(), "unknown-interpolation", message);
            return None;
        }
    };
    let (times, rows) = (table.get("times"), table.list("values", context));
    let times = numbers(times?, "times", Range::Any, context)?;
    let rows: Option<Vec<Vec<f64>>> =
        rows?.iter().map(|row| sized(row, "values", joints, "the joints of the arm", context)).collect();
    let rows = rows?;
    if rows.len() != times.len() {
        let message = format!("a torque table has {} times but {} rows of values", times.len(), rows.len());
        context.error(table.node(), "bad-table", message);
        return None;
    }
    match TorqueTable::new(times.into_iter().zip(rows).collect(), interpolation) {
        Ok(found) => Some(Torque::Table(found)),
        Err(error) => {
            context.error(table.node(), "bad-table", format!("row {}: {}", error.line, error.message));
            None
        }
    }
}
