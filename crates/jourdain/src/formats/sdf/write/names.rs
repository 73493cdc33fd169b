//! Names as SDF allows them: unique among links and joints together, without `::`, not `world`.

use super::super::super::plain::Losses;
use std::collections::HashSet;

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// The name of a link.
    pub fn link(&mut self, name: &str, losses: &mut Losses) -> String {
        let allowed = self.fresh(allowed(name), "_");
        if allowed != name {
            losses.link("the name, for which another is written, of", name);
        }
        allowed
    }

    /// The name of a joint; links have theirs already.
    pub fn joint(&mut self, name: &str, losses: &mut Losses) -> String {
        let wanted = allowed(name);
        let is_shared = self.0.contains(&wanted);
        let allowed = self.fresh(wanted, "_joint");
        if is_shared {
            losses.joint("the name, to which `_joint` is added because a link has it too, of", name);
        } else if allowed != name {
            losses.joint("the name, for which another is written, of", name);
        }
        allowed
    }

    /// A name of our own making.
    pub fn fresh(&mut self, mut name: String, ending: &str) -> String {
        while !self.0.insert(name.clone()) {
            name.push_str(ending);
        }
        name
    }
}

fn allowed(name: &str) -> String {
    let plain = name.trim().replace("::", "__");
    if plain == "world" || plain.is_empty() || (plain.starts_with("__") && plain.ends_with("__")) {
        return format!("{plain}_");
    }
    plain
}
