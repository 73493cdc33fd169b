//! `<keyframe>`: named positions, checked for their length.

use super::super::native::shorten;
use super::body::Tree;
use super::context::{Context, View};

/// Reports keys that do not fit the model.
pub(super) fn check(tree: &Tree, context: &mut Context<'_, '_>) {
    let positions: usize = tree.bodies.iter().flat_map(|body| &body.joints).map(|joint| joint.kind.positions()).sum();
    let sections = tree.parts[0].document.root.children().filter(|section| section.tag == "keyframe");
    for key in sections.flat_map(|section| section.children()) {
        let view = View::plain(key);
        let Some(attribute) = view.attribute("qpos") else { continue };
        let Some(numbers) = context.numbers(attribute, 0, usize::MAX - 1) else { continue };
        if numbers.len() > positions {
            let name = shorten(key.get("name").unwrap_or_default());
            let message = format!("the key `{name}` has {} positions, and the model {positions}", numbers.len());
            context.error(attribute.span, "wrong-length", message);
        }
    }
}
