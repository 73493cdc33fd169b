//! `<attach>`: bodies of another model, which keeps its own settings, classes and meshes. Its names get a prefix.

use super::super::native::shorten;
use super::super::xml::Element;
use super::body::{Here, Part, Tree};
use super::context::Context;
use super::document::Document;
use super::include::{MAX_FILES, load};
use std::rc::Rc;

impl Tree {
    /// A body or a frame of another model, or all of it.
    pub(super) fn attach(
        &mut self,
        element: &Element,
        document: &Rc<Document>,
        here: Here<'_>,
        context: &mut Context<'_, '_>,
    ) {
        let name = element.get("model").unwrap_or_default();
        let Some((path, span)) = document.model(name).cloned() else {
            let message = format!("there is no model `{}` to attach", shorten(name));
            let hint = "declare it: <asset><model name=\"…\" file=\"…\"/>";
            context.error_with_hint(element.span, "unknown-model", message, hint);
            return;
        };
        let Some(prefix) = element.get("prefix") else {
            let hint = "give one, be it empty: prefix=\"arm_\"";
            context.error_with_hint(
                element.span,
                "missing-attribute",
                "<attach> has no attribute `prefix`".to_owned(),
                hint,
            );
            return;
        };
        if self.attaching.contains(&path) {
            let message = format!("the model `{}` is attached to itself", shorten(name));
            context.error_with_hint(element.span, "attached-to-itself", message, "a model can only hold other models");
            return;
        }
        if self.parts.len() > MAX_FILES {
            context.error(element.span, "too-many-files", format!("more than {MAX_FILES} models are attached"));
            return;
        }
        let Some((path, root)) = load(std::slice::from_ref(&path), span, context) else { return };
        let attached = Rc::new(Document::read(root, &path, context));
        let prefix = format!("{}{prefix}", here.prefix);
        let (part, class) = (self.parts.len(), None);
        let (names, suffix) = (prefix.clone(), here.suffix.to_owned());
        self.parts.push(Part { document: Rc::clone(&attached), prefix: names, suffix });
        self.attaching.push(path);
        let here = Here { class, prefix: &prefix, part, depth: here.depth + 1, ..here };
        let wanted =
            ["body", "frame"].into_iter().find_map(|tag| Some((tag, element.get(tag).filter(|it| !it.is_empty())?)));
        let mut worlds = attached.root.children().filter(|child| child.tag == "worldbody");
        match wanted {
            None => worlds.for_each(|world| self.walk(world, &attached, here, context)),
            Some((tag, wanted)) => match worlds.find_map(|world| find(world, tag, wanted)) {
                Some(found) if tag == "body" => self.body(found, &attached, here, context),
                Some(found) => self.frame(found, &attached, here, context),
                None => {
                    let message = format!("the model `{}` has no {tag} `{}`", shorten(name), shorten(wanted));
                    context.error(element.span_of(tag), "unknown-link", message);
                }
            },
        }
        self.attaching.pop();
    }
}

/// The body or frame of this name in the tree under an element.
fn find<'a>(element: &'a Element, tag: &str, name: &str) -> Option<&'a Element> {
    element.children().filter(|child| matches!(child.tag.as_str(), "body" | "frame")).find_map(|child| {
        if child.tag == tag && child.get("name") == Some(name) { Some(child) } else { find(child, tag, name) }
    })
}
