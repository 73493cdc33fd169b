//! `<replicate>`: copies of what stands in it, each moved once more by the same step.
//!
//! Names get the number of the copy at their end, all with as many digits; of nested copies the inner number stands first.

use super::super::xml::Element;
use super::body::{Here, Tree};
use super::context::{Context, View};
use super::document::Document;
use super::orientation::orientation;
use crate::model::check::MAX_LINKS;
use crate::spatial::{Pose, Vector};
use std::rc::Rc;

const ATTRIBUTES: [&str; 9] = ["count", "sep", "offset", "euler", "quat", "axisangle", "xyaxes", "zaxis", "childclass"];

/// What `<replicate>` asks for.
struct Copies<'a> {
    count: i64,
    step: Pose<f64>,
    class: Option<&'a str>,
    separator: &'a str,
    digits: usize,
}

impl Tree {
    /// Takes in what stands in the element, so many times.
    pub(super) fn replicate(
        &mut self,
        element: &Element,
        document: &Rc<Document>,
        here: Here<'_>,
        context: &mut Context<'_, '_>,
    ) {
        let Some(copies) = read(element, document, here, context) else { return };
        let mut here = Here { class: copies.class, depth: here.depth + 1, ..here };
        for copy in 0..copies.count {
            if !self.counts_copy(element, context) {
                return;
            }
            let suffix = copies.suffix(copy, here.suffix);
            self.walk(element, document, Here { suffix: &suffix, ..here }, context);
            here.frame = here.frame * copies.step;
        }
    }

    /// False if there are too many, which is too many for all that stands around as well and is said once.
    fn counts_copy(&mut self, element: &Element, context: &mut Context<'_, '_>) -> bool {
        if self.copies == MAX_LINKS {
            context.error(element.span, "too-many-links", format!("<replicate> makes more than {MAX_LINKS} copies"));
        }
        self.copies += 1;
        self.copies <= MAX_LINKS
    }
}

impl Copies<'_> {
    fn suffix(&self, copy: i64, outer: &str) -> String {
        format!("{}{copy:0digits$}{outer}", self.separator, digits = self.digits)
    }
}

fn read<'a>(
    element: &'a Element,
    document: &Rc<Document>,
    here: Here<'a>,
    context: &mut Context<'_, '_>,
) -> Option<Copies<'a>> {
    let view = View::plain(element);
    context.known_attributes(view, &ATTRIBUTES);
    if view.own("count").is_none() {
        context.error(element.span, "missing-attribute", "<replicate> has no attribute `count`");
        return None;
    }
    let count = context.whole(view, "count")?;
    if count < 0 {
        context.error(element.span_of("count"), "wrong-length", "`count` must not be negative");
        return None;
    }
    if let Some(joint) = element.children().find(|child| matches!(child.tag.as_str(), "joint" | "freejoint")) {
        let hint = "put the body around it into <replicate>";
        context.error_with_hint(
            joint.span,
            "unknown-element",
            "a joint cannot be replicated by itself".to_owned(),
            hint,
        );
        return None;
    }
    let translation = Vector(context.vector(view, "offset").unwrap_or_default());
    Some(Copies {
        count,
        step: Pose { rotation: orientation(view, &document.settings, context), translation },
        class: document.classes.around(element, here.class, context),
        separator: element.get("sep").unwrap_or_default(),
        digits: (count - 1).max(0).to_string().len(),
    })
}
