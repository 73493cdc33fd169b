//! State files: a JSON object, or a list of them, read for one robot with positions in every finding.
//!
//! Missing entries are zero; whether `q` was given is kept, because a quantity that needs it may not guess. Wrenches name
//! their links. Quaternions are scaled to unit length.

use super::super::report::Report;
use super::super::source::Source;
use super::super::suggest;
use super::json;
use super::table::{Context, Table, list, number, shorten};
use super::tree::{Node, Value};
use crate::model::{Diagnostic, Model};
use crate::spatial::{Vector, Wrench};
use crate::state::{LinkWrench, State, normalize_quaternions};

/// A state as its file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenState {
    /// The state; what the file leaves out is zero, and `q` neutral.
    pub state: State<f64>,
    /// True if the file gives `q`.
    pub has_position: bool,
}

/// The states of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StateFile {
    /// The states in order.
    pub states: Vec<GivenState>,
    /// True if the file is a list, be it of one.
    pub is_list: bool,
}

/// Reads one state or a list of states for a robot.
///
/// # Errors
/// Everything that is wrong with them.
pub fn read_states(text: &str, model: &Model<f64>) -> Result<StateFile, Vec<Diagnostic>> {
    let source = Source::new(text);
    let node = json::parse(&source)?;
    let mut report = Report::default();
    let mut context = Context { source: &source, report: &mut report };
    let (items, is_list) = match &node.value {
        Value::List(items) => (items.as_slice(), true),
        _ => (std::slice::from_ref(&node), false),
    };
    let mut states = Vec::with_capacity(items.len());
    for item in items {
        states.extend(read_state(item, model, &mut context));
        if context.report.is_full() {
            break;
        }
    }
    let found = report.finish();
    if found.is_empty() { Ok(StateFile { states, is_list }) } else { Err(found) }
}

fn read_state(node: &Node, model: &Model<f64>, context: &mut Context<'_>) -> Option<GivenState> {
    let mut table = Table::new(node, "a state", context)?;
    let mut state = State::neutral(model);
    let position = table.get("q");
    if let Some(node) = position
        && read_vector(node, "q", &mut state.q, model, context).is_some()
        && let Err(error) = normalize_quaternions(model, &mut state.q)
    {
        context.error(node, "zero-quaternion", error.to_string());
    }
    for (key, target) in [
        ("qd", &mut state.qd),
        ("qdd", &mut state.qdd),
        ("qddd", &mut state.qddd),
        ("qdddd", &mut state.qdddd),
        ("qd_r", &mut state.qd_r),
        ("qdd_r", &mut state.qdd_r),
        ("tau", &mut state.tau),
    ] {
        if let Some(node) = table.get(key) {
            read_vector(node, key, target, model, context);
        }
    }
    for item in table.list("derivatives", context).unwrap_or_default() {
        let mut derivative = vec![0.0; model.nv()];
        read_vector(item, "derivatives", &mut derivative, model, context);
        state.derivatives.push(derivative);
    }
    for item in table.list("wrenches", context).unwrap_or_default() {
        state.wrenches.extend(read_wrench(item, model, context));
    }
    table.finish(context);
    Some(GivenState { state, has_position: position.is_some() })
}

/// Fills `target`, whose length is the robot's.
fn read_vector(
    node: &Node,
    key: &str,
    target: &mut [f64],
    model: &Model<f64>,
    context: &mut Context<'_>,
) -> Option<()> {
    let items = list(node, key, context)?;
    if items.len() != target.len() {
        let message = format!("`{key}` must have {} numbers for {}, not {}", target.len(), model.name(), items.len());
        let hint = (model.nq() != model.nv()).then(|| {
            "in `q` a spherical joint takes 4 numbers (w, x, y, z) and a free joint 7 (x, y, z, w, x, y, z); in the \
             velocity they take 3 and 6"
                .to_owned()
        });
        context.error_with_hint(node, "wrong-length", message, hint);
        return None;
    }
    let mut complete = Some(());
    for (item, target) in items.iter().zip(target) {
        match number(item, key, context) {
            Some(number) => *target = number.value,
            None => complete = None,
        }
    }
    complete
}

fn read_wrench(node: &Node, model: &Model<f64>, context: &mut Context<'_>) -> Option<LinkWrench<f64>> {
    let mut table = Table::new(node, "a wrench", context)?;
    table.require("link", context);
    let name = table.text("link", context);
    let place = table.get("link");
    let mut part = |key: &'static str, context: &mut Context<'_>| {
        Vector(table.vector::<3>(key, context).map_or([0.0; 3], |numbers| numbers.map(|number| number.value)))
    };
    let wrench = Wrench { force: part("force", context), moment: part("moment", context) };
    let dot = Wrench { force: part("force_d", context), moment: part("moment_d", context) };
    let ddot = Wrench { force: part("force_dd", context), moment: part("moment_dd", context) };
    table.finish(context);
    let (name, place) = (name?, place?);
    match model.link_index(name) {
        Some(link) => Some(LinkWrench { link, wrench, dot, ddot }),
        None => {
            let names: Vec<_> = model.links().iter().map(|link| link.name.as_str()).collect();
            let hint = match suggest::nearest(name, &names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`jourdain info` shows the links".to_owned(),
            };
            let message = format!("a wrench acts on link `{}`, which {} does not have", shorten(name), model.name());
            context.error_with_hint(place, "unknown-link", message, Some(hint));
            None
        }
    }
}
