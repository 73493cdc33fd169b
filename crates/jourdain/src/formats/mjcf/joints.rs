//! Which joints a body may have, and what they are called.

use super::super::xml::Element;
use super::body::{Body, Here, Tree};
use super::context::{Context, View};
use super::document::Document;
use super::joint::{self, Kind};
use std::rc::Rc;

impl Tree {
    /// Gives a joint to the body at hand.
    pub(super) fn joint(
        &mut self,
        element: &Element,
        document: &Rc<Document>,
        here: Here<'_>,
        context: &mut Context<'_, '_>,
    ) {
        if here.body == 0 {
            context.error_with_hint(
                element.span,
                "joint-of-world",
                "a joint stands outside any body".to_owned(),
                "put it into the body that it moves",
            );
            return;
        }
        let view = match element.tag.as_str() {
            "freejoint" => View::plain(element),
            _ => document.classes.view(element, here.class, context),
        };
        let name = element.get("name").filter(|name| !name.is_empty());
        context.report.concerning(Some(&self.bodies[here.body].name), name);
        let Some(mut joint) = joint::read(view, &here.frame, &document.settings, context) else { return };
        if !joint.name.is_empty() {
            joint.family = format!("{}{}", here.prefix, joint.name);
            joint.name = format!("{}{}", joint.family, here.suffix);
        }
        let body = &mut self.bodies[here.body];
        context.report.concerning(Some(&body.name), None);
        let freedoms: usize = body.joints.iter().map(|joint| joint.kind.freedoms()).sum();
        if freedoms + joint.kind.freedoms() > 6 {
            let message = format!("the joints of `{}` have more than six degrees of freedom", body.name);
            context.error_with_hint(body.span, "too-many-freedoms", message, "a free joint stands alone in its body");
            return;
        }
        if body.joints.iter().any(|it| it.kind == Kind::Ball) && matches!(joint.kind, Kind::Hinge | Kind::Ball) {
            let message = format!("a joint of `{}` turns it after its ball joint", body.name);
            context.error_with_hint(
                joint.span,
                "joint-after-ball",
                message,
                "put the ball joint last, or into a body of its own",
            );
            return;
        }
        if joint.kind == Kind::Free && body.parent != 0 {
            let message = format!("the free joint of `{}` is not at the top", body.name);
            context.error_with_hint(body.span, "nested-free", message, "only bodies of <worldbody> may float");
            return;
        }
        body.joints.push(joint);
    }
}

/// True of a body that has a joint, be it in a frame: asked before its geoms are read.
pub(super) fn has_joint(element: &Element) -> bool {
    element.children().any(|child| match child.tag.as_str() {
        "joint" | "freejoint" => true,
        "frame" | "replicate" => has_joint(child),
        _ => false,
    })
}

/// A joint without a name is called after its body: `BODY_joint`, `BODY_joint2`.
pub(super) fn name_joints(bodies: &mut [Body]) {
    for body in bodies {
        for (index, joint) in body.joints.iter_mut().filter(|joint| joint.name.is_empty()).enumerate() {
            joint.name = match index {
                0 => format!("{}_joint", body.name),
                index => format!("{}_joint{}", body.name, index + 1),
            };
        }
    }
}
