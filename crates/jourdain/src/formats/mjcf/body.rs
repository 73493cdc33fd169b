//! `<body>`, `<frame>` and `<attach>`: the tree, depth first, as MuJoCo numbers it.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Element, Span};
use super::context::{Context, View};
use super::document::Document;
use super::geom::{self, Geom};
use super::include::load;
use super::inertia::{self, Mass};
use super::joint::{self, Joint, Kind};
use super::orientation::pose;
use crate::model::check::MAX_LINKS;
use crate::spatial::{Pose, Symmetric, Vector};
use std::path::PathBuf;
use std::rc::Rc;

const ATTRIBUTES: [&str; 13] = [
    "name",
    "childclass",
    "pos",
    "quat",
    "mocap",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "gravcomp",
    "sleep",
    "user",
    "class",
];
const FRAME_ATTRIBUTES: [&str; 8] = ["name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"];
const CHILDREN: [&str; 14] = [
    "inertial",
    "joint",
    "freejoint",
    "geom",
    "site",
    "camera",
    "light",
    "body",
    "frame",
    "attach",
    "plugin",
    "composite",
    "flexcomp",
    "replicate",
];

/// Most models inside one another.
const MAX_ATTACHED: usize = 16;

/// A body as MuJoCo sees it.
pub(super) struct Body {
    pub name: String,
    /// Number of the parent; the world is 0.
    pub parent: usize,
    /// The frame in the parent's, as drawn.
    pub pose: Pose<f64>,
    pub joints: Vec<Joint>,
    pub inertial: Option<Mass>,
    pub inertial_span: Option<Span>,
    pub geoms: Vec<Geom>,
    /// What the inertia comes to.
    pub mass: Mass,
    /// True if a joint stands between it and the world.
    pub moves: bool,
    pub span: Span,
}

impl Body {
    fn new(name: String, parent: usize, pose: Pose<f64>, moves: bool, span: Span) -> Self {
        let mass = Mass { mass: 0.0, com: Vector::zero(), about_com: Symmetric::zero() };
        let (joints, geoms) = (Vec::new(), Vec::new());
        Self { name, parent, pose, joints, inertial: None, inertial_span: None, geoms, mass, moves, span }
    }
}

/// A model that bodies came from, and what its names begin with here.
pub(super) struct Part {
    pub document: Rc<Document>,
    pub prefix: String,
}

/// All bodies of a reading, the world first.
pub(super) struct Tree {
    pub bodies: Vec<Body>,
    pub parts: Vec<Part>,
    attached: Vec<PathBuf>,
}

/// Where in the tree the walk is.
#[derive(Clone, Copy)]
struct Here<'a> {
    body: usize,
    /// Of the frames around, in the body's frame.
    frame: Pose<f64>,
    class: Option<&'a str>,
    prefix: &'a str,
}

impl Tree {
    /// The tree of a model.
    pub fn read(document: &Rc<Document>, context: &mut Context<'_, '_>) -> Self {
        let world = Body::new("world".to_owned(), 0, Pose::identity(), false, document.root.span);
        let mut tree = Self { bodies: vec![world], parts: Vec::new(), attached: Vec::new() };
        tree.parts.push(Part { document: Rc::clone(document), prefix: String::new() });
        for world in document.root.children().filter(|child| child.tag == "worldbody") {
            let class = document.classes.around(world, None, context);
            tree.walk(world, document, Here { body: 0, frame: Pose::identity(), class, prefix: "" }, context);
        }
        tree
    }

    fn walk(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        for child in element.children() {
            let name = &self.bodies[here.body].name;
            context.report.concerning(Some(name).filter(|_| here.body > 0).map(String::as_str), None);
            match child.tag.as_str() {
                "site" | "camera" | "light" => {}
                "joint" | "freejoint" => self.joint(child, document, here, context),
                "body" => self.body(child, document, here, context),
                "frame" => self.frame(child, document, here, context),
                "geom" => {
                    let view = document.classes.view(child, here.class, context);
                    let moves = self.bodies[here.body].moves;
                    let read = geom::read(view, &here.frame, moves, document, context);
                    self.bodies[here.body].geoms.extend(read.filter(|_| here.body > 0));
                }
                "inertial" => self.inertial(child, document, here, context),
                "attach" => self.attach(child, document, here, context),
                "plugin" => context.lost(child.span, "the plugin of the body is left out"),
                "composite" => {
                    let message = "<composite> is no longer part of MJCF".to_owned();
                    context.error_with_hint(
                        child.span,
                        "unsupported-element",
                        message,
                        "<replicate> or <flexcomp> took its place",
                    );
                }
                "flexcomp" | "replicate" => {
                    let message = format!("<{}> is not supported: it stands for many bodies", child.tag);
                    let hint = "let MuJoCo compile the model and save it, which writes the bodies out";
                    context.error_with_hint(child.span, "unsupported-element", message, hint);
                }
                other => {
                    let message = format!("<{}> does not belong in a body", shorten(other));
                    context.error_with_hint(child.span, "unknown-element", message, suggest::hint(other, &CHILDREN));
                }
            }
        }
    }

    fn body(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        if self.bodies.len() > MAX_LINKS {
            if self.bodies.len() == MAX_LINKS + 1 {
                context.error(element.span, "too-many-links", format!("more than {MAX_LINKS} bodies"));
            }
            return;
        }
        let number = self.bodies.len();
        let given = element.get("name").filter(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("body{number}"), |name| format!("{}{name}", here.prefix));
        context.report.concerning(Some(&name), None);
        let view = View::plain(element);
        context.known_attributes(view, &ATTRIBUTES);
        let placed = here.frame * pose(view, &document.settings, context);
        if context.number(view, "gravcomp").is_some_and(|share| share != 0.0) {
            let message = format!("the weight of `{name}` is not compensated here: `gravcomp` is left out");
            context.lost(element.span_of("gravcomp"), message);
        }
        let class = document.classes.around(element, here.class, context);
        let moves = self.bodies[here.body].moves || has_joint(element);
        self.bodies.push(Body::new(name, here.body, placed, moves, element.span));
        self.walk(element, document, Here { body: number, frame: Pose::identity(), class, ..here }, context);
    }

    fn frame(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        let view = View::plain(element);
        for scaling in ["scale", "scaling", "massscale"] {
            if view.own(scaling).is_some() {
                let message = format!("`{scaling}` of a frame is not supported");
                let hint = "write the scaled numbers out";
                context.error_with_hint(element.span_of(scaling), "unsupported-element", message, hint);
                return;
            }
        }
        context.known_attributes(view, &FRAME_ATTRIBUTES);
        let frame = here.frame * pose(view, &document.settings, context);
        let class = document.classes.around(element, here.class, context);
        self.walk(element, document, Here { frame, class, ..here }, context);
    }

    fn joint(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
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
        let Some(mut joint) = joint::read(view, &here.frame, &document.settings, context) else { return };
        if !joint.name.is_empty() {
            joint.name.insert_str(0, here.prefix);
        }
        let body = &mut self.bodies[here.body];
        context.report.concerning(Some(&body.name), None);
        let freedoms: usize = body.joints.iter().map(|joint| joint.kind.freedoms()).sum();
        if freedoms + joint.kind.freedoms() > 6 {
            let message = format!("the joints of `{}` have more than six degrees of freedom", body.name);
            context.error_with_hint(body.span, "too-many-freedoms", message, "a free joint stands alone in its body");
            return;
        }
        if joint.kind == Kind::Free && body.parent != 0 {
            let message = format!("the free joint of `{}` is not at the top", body.name);
            context.error_with_hint(body.span, "nested-free", message, "only bodies of <worldbody> may float");
            return;
        }
        body.joints.push(joint);
    }

    fn inertial(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        let read = inertia::read(View::plain(element), &here.frame, &document.settings, context);
        let body = &mut self.bodies[here.body];
        if body.inertial_span.is_some() {
            context.error(element.span, "duplicate-element", format!("a second <inertial> in `{}`", body.name));
        }
        (body.inertial, body.inertial_span) = (read, Some(element.span));
    }

    /// A body of another model, with its own settings and classes.
    fn attach(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        let name = element.get("model").unwrap_or_default();
        let Some((path, span)) = document.model(name).cloned() else {
            let message = format!("there is no model `{}` to attach", shorten(name));
            context.error_with_hint(
                element.span,
                "unknown-model",
                message,
                "declare it: <asset><model name=\"…\" file=\"…\"/>",
            );
            return;
        };
        if self.attached.len() >= MAX_ATTACHED {
            context.error(element.span, "too-many-files", format!("models are attached more than {MAX_ATTACHED} deep"));
            return;
        }
        let Some((path, root)) = load(std::slice::from_ref(&path), span, context) else { return };
        let attached = Rc::new(Document::read(root, &path, context));
        let prefix = format!("{}{}", here.prefix, element.get("prefix").unwrap_or_default());
        let wanted = element.get("body").filter(|body| !body.is_empty());
        let worlds: Vec<&Element> = attached.root.children().filter(|child| child.tag == "worldbody").collect();
        let class = None;
        self.attached.push(path);
        match wanted {
            None => {
                for world in worlds {
                    self.walk(world, &attached, Here { class, prefix: &prefix, ..here }, context);
                }
            }
            Some(wanted) => match worlds.into_iter().find_map(|world| find(world, wanted)) {
                Some(body) => self.body(body, &attached, Here { class, prefix: &prefix, ..here }, context),
                None => {
                    let message = format!("the model `{}` has no body `{}`", shorten(name), shorten(wanted));
                    context.error(element.span_of("body"), "unknown-link", message);
                }
            },
        }
        self.attached.pop();
        self.parts.push(Part { document: attached, prefix });
    }
}

/// True of a body that has a joint, be it in a frame: asked before its geoms are read.
fn has_joint(element: &Element) -> bool {
    element.children().any(|child| match child.tag.as_str() {
        "joint" | "freejoint" => true,
        "frame" => has_joint(child),
        _ => false,
    })
}

/// The body of this name in the tree under an element.
fn find<'a>(element: &'a Element, name: &str) -> Option<&'a Element> {
    element.children().filter(|child| matches!(child.tag.as_str(), "body" | "frame")).find_map(|child| {
        if child.tag == "body" && child.get("name") == Some(name) { Some(child) } else { find(child, name) }
    })
}
