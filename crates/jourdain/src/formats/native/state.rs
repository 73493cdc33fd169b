//! State files: a JSON object, or a list of them, read for one robot with positions in every finding.
//!
//! A list of numbers for an object is its `q`; a text for `q` is the name of one of the robot's positions. A vector is a list of numbers, or an object of joint names with one number each; joints
//! that it leaves out are at zero. Missing entries are zero; whether `q` was given is kept, because a quantity that needs it may not guess. Wrenches name
//! their links. Quaternions are scaled to unit length.

use super::super::report::Report;
use super::super::source::Source;
use super::super::suggest;
use super::json;
use super::table::{Context, Table, list, number, shorten};
use super::tree::{Entry, Node, Value};
use crate::model::{Diagnostic, Link, Model};
use crate::spatial::{Vector, Wrench};
use crate::state::{Input, LinkWrench, State, normalize_quaternions};

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
        Value::List(items) if !is_position(items) => (items.as_slice(), true),
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

/// True for a list of numbers, which is the `q` of one state; a list of states has objects or lists in it.
fn is_position(items: &[Node]) -> bool {
    !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Number(_) | Value::Text(_)))
}

fn read_state(node: &Node, model: &Model<f64>, context: &mut Context<'_>) -> Option<GivenState> {
    let mut state = State::neutral(model);
    if let Value::List(_) = node.value {
        read_position(node, &mut state, model, context);
        return Some(GivenState { state, has_position: true });
    }
    let mut table = Table::new(node, "a state", context)?;
    let position = table.get("q");
    if let Some(node) = position {
        read_position(node, &mut state, model, context);
    }
    for input in Input::vectors().filter(|input| *input != Input::Position) {
        if let (Some(node), Some(target)) = (table.get(input.key()), input.vector_mut(&mut state)) {
            read_vector(node, input.key(), target, model, context);
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

fn read_position(node: &Node, state: &mut State<f64>, model: &Model<f64>, context: &mut Context<'_>) {
    if let Value::Text(name) = &node.value {
        match model.named_position(name) {
            Some(q) => state.q = q,
            None => {
                let message = format!("{} has no state `{}`", model.name(), shorten(name));
                context.error_with_hint(node, "unknown-state", message, Some(known_states(name, model)));
            }
        }
        return;
    }
    if read_vector(node, "q", &mut state.q, model, context).is_some()
        && let Err(error) = normalize_quaternions(model, &mut state.q)
    {
        context.error(node, "zero-quaternion", error.to_string());
    }
}

/// The names that a robot's named positions have, as a hint for one that is none of them.
#[must_use]
pub fn known_states(name: &str, model: &Model<f64>) -> String {
    let names: Vec<&str> = model.state_names().collect();
    if names.is_empty() { "it has no named states".to_owned() } else { suggest::hint(name, &names) }
}

/// Fills `target`, whose length is the robot's.
fn read_vector(
    node: &Node,
    key: &str,
    target: &mut [f64],
    model: &Model<f64>,
    context: &mut Context<'_>,
) -> Option<()> {
    if let Value::Table(entries) = &node.value {
        let mut complete = Some(());
        for entry in entries {
            let place = joint_place(entry, key, model, context);
            match (place, number(&entry.node, &entry.key, context)) {
                (Some(place), Some(number)) => target[place] = number.value,
                _ => complete = None,
            }
        }
        return complete;
    }
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

/// Where the one number of a joint stands in a vector.
fn joint_place(entry: &Entry, key: &str, model: &Model<f64>, context: &mut Context<'_>) -> Option<usize> {
    let is_position = key == "q";
    let name = shorten(&entry.key);
    let (message, code, hint) = match model.joint_index(&entry.key).map(|link| &model.links()[link]) {
        Some(Link { mimic: Some(mimic), .. }) => {
            let leader = &model.links()[mimic.leader].joint_name;
            (
                format!("joint `{name}` has no number of its own in `{key}`"),
                "coupled-joint",
                format!("it follows `{leader}`: give that"),
            )
        }
        Some(link) => match if is_position { link.joint.nq() } else { link.joint.nv() } {
            1 => return Some(if is_position { link.q } else { link.v }),
            0 => (format!("joint `{name}` does not move"), "fixed-joint", "leave it out".to_owned()),
            several => {
                let all = if is_position { model.nq() } else { model.nv() };
                let message = format!("joint `{name}` has {several} numbers in `{key}`, not one");
                (message, "several-numbers", format!("give all of `{key}` as a list of {all} numbers"))
            }
        },
        None => {
            let single = |link: &&Link<f64>| link.is_single();
            let names: Vec<&str> = model.links().iter().filter(single).map(|link| link.joint_name.as_str()).collect();
            let hint = match (model.link_index(&entry.key), suggest::nearest(&entry.key, &names)) {
                (Some(link), _) => {
                    format!("the joint of link `{name}` is called `{}`", shorten(&model.links()[link].joint_name))
                }
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) => "`jourdain info` shows the joints".to_owned(),
            };
            (format!("{} has no joint `{name}`", model.name()), "unknown-joint", hint)
        }
    };
    let place = context.source.locate(entry.key_range.clone());
    context.report.push(Diagnostic::error(code, message).at(place).hint(hint));
    None
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;
    use proptest::prelude::*;

    #[test]
    fn a_position_may_be_given_by_its_name() {
        let text = "name = \"arm\"\n[[link]]\nname = \"a\"\nmass = 1\njoint = { type = \"continuous\" }\n[[link]]\nname = \"b\"\n\
                    mass = 1\ncom = [1, 0, 0]\njoint = { type = \"spherical\" }\n[[state]]\nname = \"home\"\n\
                    q = { a = 0.5, b = [0, 2, 0, 0] }";
        let model: Model = text.parse().unwrap();
        let file = read_states(r#"{"q": "home", "qd": [1, 2, 3, 4]}"#, &model).unwrap();
        assert_eq!(file.states[0].state.q, [0.5, 0.0, 1.0, 0.0, 0.0]);
        assert!(file.states[0].has_position);
        let found = read_states(r#"{"q": "hom"}"#, &model).unwrap_err();
        assert_eq!((found[0].code, found[0].hint.as_deref()), ("unknown-state", Some("did you mean `home`?")));
    }

    #[test]
    fn quaternions_are_scaled_to_unit_length() {
        let model = robots::load("floating_humanoid25").unwrap();
        let mut q = vec!["0"; model.nq()];
        (q[3], q[4]) = ("3", "4e200");
        let file = read_states(&format!("{{\"q\": [{}]}}", q.join(",")), &model).unwrap();
        assert_eq!(file.states[0].state.q[3..7], [7.5e-201, 1.0, 0.0, 0.0]);
        q[4] = "0";
        q[3] = "0";
        let found = read_states(&format!("{{\"q\": [{}]}}", q.join(",")), &model).unwrap_err();
        assert_eq!(found[0].code, "zero-quaternion");
    }

    #[test]
    fn what_is_left_out_is_zero_and_the_position_neutral() {
        let model = robots::load("floating_humanoid25").unwrap();
        let file = read_states("{}", &model).unwrap();
        assert!(!file.is_list && !file.states[0].has_position);
        assert_eq!(file.states[0].state, State::neutral(&model));
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let model = robots::load("planar2r").unwrap();
        let found = read_states(r#"[{"q": [1]}, {"qd": 3, "x": 0}, 4]"#, &model).unwrap_err();
        let codes: Vec<_> = found.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["wrong-length", "wrong-type", "unknown-key", "wrong-type"]);
    }

    #[test]
    fn a_list_of_numbers_is_a_position_and_a_list_of_lists_several() {
        let model = robots::load("planar2r").unwrap();
        let file = read_states("[1, \"1/2\"]", &model).unwrap();
        assert_eq!((file.is_list, file.states.len(), file.states[0].has_position), (false, 1, true));
        assert_eq!(file.states[0].state.q, [1.0, 0.5]);
        let file = read_states("[[1, 2], {\"q\": [3, 4], \"qd\": [5, 6]}]", &model).unwrap();
        assert!(file.is_list);
        assert_eq!([&file.states[0].state.q, &file.states[1].state.q], [&[1.0, 2.0], &[3.0, 4.0]]);
        assert_eq!(read_states("[]", &model).unwrap(), StateFile { states: Vec::new(), is_list: true });
        let found = read_states("[1, 2, 3]", &model).unwrap_err();
        assert_eq!((found[0].code, found[0].location.unwrap().column), ("wrong-length", 1));
        let found = read_states("[[1, 2],\n [1]]", &model).unwrap_err();
        assert_eq!((found[0].location.unwrap().line, found[0].location.unwrap().column), (2, 2));
    }

    #[test]
    fn vectors_may_name_their_joints() {
        let model = robots::load("floating_humanoid25").unwrap();
        let file = read_states(r#"{"q": {"torso": 0.3}, "qd": {"torso": -1}, "tau": {}}"#, &model).unwrap();
        let state = &file.states[0].state;
        let mut expected = State::neutral(&model);
        (expected.q[7], expected.qd[6]) = (0.3, -1.0);
        assert_eq!((state, file.states[0].has_position), (&expected, true));

        for (text, code, column, hint) in [
            (r#"{"q": {"torsi": 1}}"#, "unknown-joint", 8, "did you mean `torso`?"),
            (r#"{"qd": {"pelvis": 1}}"#, "several-numbers", 9, "give all of `qd` as a list of 31 numbers"),
            (r#"{"q": {"torso": true}}"#, "wrong-type", 17, ""),
        ] {
            let found = read_states(text, &model).unwrap_err();
            let place = found[0].location.unwrap();
            assert_eq!((found[0].code, place.line, place.column), (code, 1, column), "{text}");
            assert_eq!(found[0].hint.as_deref().unwrap_or_default(), hint, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[\\[\\]{}\",:0-9eE.+\\-a-z_ \\\\]{0,80}") {
            let model = robots::load("planar2r").unwrap();
            drop(read_states(&text, &model));
        }

        #[test]
        fn no_mutation_of_a_good_state_makes_the_reader_panic(at in 0..100usize, byte in 0..128u8) {
            let mut text = br#"{"q": [0.1, 2e-3], "qd": [1, 2], "wrenches": [{"link": "tool", "force": [1, 2, 3]}]}"#.to_vec();
            let at = at % text.len();
            text[at] = byte;
            let model = robots::load("planar2r").unwrap();
            if let Ok(text) = std::str::from_utf8(&text) {
                drop(read_states(text, &model));
            }
        }
    }
}
