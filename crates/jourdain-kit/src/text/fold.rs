//! Many findings of a kind as one: how many links it is about, the first of them as it stands, and the names of the others.
//!
//! Two findings are of a kind if they have the same code and remedy, and say the same but for names and numbers. Trap: programs want every
//! finding with its place, so that only what people read is folded.

use jourdain::model::Diagnostic;
use std::collections::{HashMap, HashSet};

/// So many of a kind are folded.
const MANY: usize = 3;

/// Names that are told of those behind the first.
const NAMED: usize = 8;

/// The findings in their order, those of a kind in the place of the first.
pub fn fold(diagnostics: &[&Diagnostic]) -> Vec<Diagnostic> {
    let kind = |finding: &Diagnostic| (finding.code, finding.is_error(), pattern(finding), finding.hint.clone());
    let mut kinds: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
    for finding in diagnostics {
        kinds.entry(kind(finding)).or_default().push(finding);
    }
    let mut folded = Vec::new();
    for &finding in diagnostics {
        match kinds.get(&kind(finding)) {
            Some(same) if same.len() >= MANY && std::ptr::eq(same[0], finding) => folded.push(as_one(same)),
            Some(same) if same.len() >= MANY => {}
            _ => folded.push(finding.clone()),
        }
    }
    folded
}

/// What is the same in findings of a kind: the message without names of links and joints, and without numbers.
fn pattern(finding: &Diagnostic) -> String {
    let names: Vec<String> =
        [&finding.link, &finding.joint].into_iter().flatten().map(|name| format!("`{name}`")).collect();
    let message = names.iter().fold(finding.message.clone(), |message, name| message.replace(name, "`"));
    let is_number = |word: &&str| word.trim_end_matches(['°', ',', ':']).parse::<f64>().is_ok();
    message.split(' ').filter(|word| !is_number(word)).collect::<Vec<_>>().join(" ")
}

fn as_one(kind: &[&Diagnostic]) -> Diagnostic {
    let mut one = kind[0].clone();
    let names = |of: fn(&Diagnostic) -> Option<&str>| {
        let mut seen = HashSet::new();
        kind.iter().filter_map(|finding| of(finding)).filter(|name| seen.insert(*name)).collect::<Vec<_>>()
    };
    let joints = names(|finding| finding.joint.as_deref());
    let links = names(|finding| finding.link.as_deref());
    let (what, names) = if links.len() >= joints.len() { ("links", links) } else { ("joints", joints) };
    let count = match (names.len(), kind.len()) {
        (0 | 1, times) => format!("{times} times"),
        (named, times) if named == times => format!("{named} {what}"),
        (named, times) => format!("{times} times in {named} {what}"),
    };
    one.message = format!("{count}: {}", kind[0].message);
    if names.len() > 1 {
        let told: Vec<String> = names.iter().skip(1).take(NAMED).map(|name| format!("`{name}`")).collect();
        let more = names.len() - 1 - told.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let others = format!("the other {what}: {}{more}", told.join(", "));
        one.hint = Some(match &one.hint {
            Some(hint) => format!("{hint}\n{others}"),
            None => others,
        });
    }
    one
}
