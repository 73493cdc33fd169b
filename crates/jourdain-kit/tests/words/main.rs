//! What reports and problems say: the words in which people read them.

mod flexible;
mod identify;
mod ik;
mod motion;
mod robots;

use jourdain_kit::files::Memory;
use jourdain_kit::host::{Host, Note};
use jourdain_kit::operation::{self, AnyReport};
use serde_json::Value;
use std::sync::Mutex;

/// A request with more in it.
fn with(mut request: Value, extra: &Value) -> Value {
    request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    request
}

fn carried_out(name: &str, request: &Value, memory: &Memory) -> AnyReport {
    operation::handle(name, request.clone(), memory).unwrap_or_else(|problem| panic!("{name} {request}: {problem}"))
}

/// The text of a report without colours.
fn told(name: &str, request: &Value, memory: &Memory) -> String {
    let text = carried_out(name, request, memory).text(false);
    let mut plain = String::new();
    for (index, part) in text.split('\u{1b}').enumerate() {
        plain += if index == 0 { part } else { part.split_once('m').unwrap().1 };
    }
    plain
}

/// Kind, message and remedy of a refusal.
fn refused(name: &str, request: &Value, memory: &Memory) -> [String; 3] {
    let Err(problem) = operation::handle(name, request.clone(), memory) else { panic!("{name} took {request}") };
    let document = problem.to_json();
    ["kind", "message", "hint"].map(|key| document["error"][key].as_str().unwrap_or_default().to_owned())
}

fn file(memory: &Memory, name: &str) -> String {
    String::from_utf8(memory.get(name).unwrap().to_vec()).unwrap()
}

/// What a drawing is of and what it finds.
fn finding(svg: &str) -> &str {
    svg.split_once("<desc>").unwrap().1.split_once("</desc>").unwrap().0
}

/// Hears what is said beside the results.
#[derive(Default)]
struct Remarks {
    memory: Option<Memory>,
    heard: Mutex<Vec<String>>,
}

impl Remarks {
    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

impl Host for Remarks {
    fn note(&self, note: Note) {
        self.heard.lock().unwrap().push(note.text);
    }

    fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }
}

/// A text has all of these words.
fn say_of(text: &str, says: &[&str]) {
    for words in says {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
}

/// Each of these reports says all of these words.
fn say(cases: &[(&str, Value, &[&str])]) {
    for (name, request, says) in cases {
        say_of(&told(name, request, &Memory::default()), says);
    }
}

/// A robot or an arm of the suite that is at a limit of what can be computed.
fn corner(name: &str) -> String {
    let path = format!("{}/../../suite/corners/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}
