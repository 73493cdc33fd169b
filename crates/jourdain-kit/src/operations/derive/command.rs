//! The command that makes the same files, for the comment at their top.

use super::{Asked, Parameters, Request, simplify};
use crate::edits::quoted;
use crate::snap::Snap;
use serde::Serialize;

/// The command; where the files go does not matter.
pub(super) fn of(request: &Request, asked: &[Asked]) -> String {
    let names: Vec<&str> = asked.iter().map(|asked| asked.name.as_str()).collect();
    let mut words = vec![
        "jourdain derive".to_owned(),
        request.robot.words(),
        format!("--quantity {}", quoted(&names.join(","))),
        format!("--target {}", word(request.target)),
    ];
    if request.parameters != Parameters::default() {
        words.push(format!("--parameters {}", word(request.parameters)));
    }
    if request.simplify != simplify() {
        words.push(format!("--simplify {}", request.simplify));
    }
    if request.snap.snap != Snap::default().snap {
        words.push(format!("--snap {}", request.snap.snap));
    }
    words.extend(request.wrenches.iter().map(|links| format!("--wrenches {}", quoted(links))));
    words.extend(request.together.iter().map(|name| format!("--together {}", quoted(name))));
    words.join(" ")
}

/// A choice as it is written, in requests and on the command line alike.
fn word(choice: impl Serialize) -> String {
    serde_json::to_value(choice).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
