//! `<body>` and `<frame>`: the tree, depth first, as MuJoCo numbers it.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Element, Span};
use super::MAX_DEPTH;
use super::context::{Context, View};
use super::document::Document;
use super::geom::{self, Geom};
use super::include::too_deep;
use super::inertia::{self, Mass};
use super::joint::Joint;
use super::joints::{has_joint, name_joints};
use super::orientation::pose;
use crate::model::check::MAX_LINKS;
use crate::spatial::{Pose, Symmetric, Vector};
use std::path::PathBuf;
use std::rc::Rc;

const ATTRIBUTES: [&str; 14] = [
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
    "fuse",
    "simple",
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

/// A body as MuJoCo sees it.
pub(super) struct Body {
    pub name: String,
    /// Number of the parent; the world is 0.
    pub parent: usize,
    /// Number of the model it came from, whose settings hold for it.
    pub part: usize,
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
    fn new(name: String, here: Here<'_>, pose: Pose<f64>, moves: bool, span: Span) -> Self {
        let mass = Mass { mass: 0.0, com: Vector::zero(), about_com: Symmetric::zero() };
        let (joints, geoms) = (Vec::new(), Vec::new());
        let (parent, part) = (here.body, here.part);
        Self { name, parent, part, pose, joints, inertial: None, inertial_span: None, geoms, mass, moves, span }
    }
}

/// A model that bodies came from, and what its names begin and end with here.
pub(super) struct Part {
    pub document: Rc<Document>,
    pub prefix: String,
    pub suffix: String,
}

/// All bodies of a reading, the world first.
pub(super) struct Tree {
    pub bodies: Vec<Body>,
    /// The model itself first.
    pub parts: Vec<Part>,
    /// The files of models that are being attached, each inside the one before.
    pub(super) attaching: Vec<PathBuf>,
    /// How many copies `<replicate>` has made.
    pub(super) copies: usize,
}

/// Where in the tree the walk is.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub body: usize,
    /// Of the frames around, in the body's frame.
    pub frame: Pose<f64>,
    pub class: Option<&'a str>,
    /// What names begin with: that of `<attach>`.
    pub prefix: &'a str,
    /// What names end in: that of `<replicate>`.
    pub suffix: &'a str,
    pub part: usize,
    /// Elements around.
    pub depth: usize,
}

impl Tree {
    /// The tree of a model, its joints named.
    pub fn read(document: &Rc<Document>, context: &mut Context<'_, '_>) -> Self {
        let frame = Pose::identity();
        let here = Here { body: 0, frame, class: None, prefix: "", suffix: "", part: 0, depth: 0 };
        let world = Body::new("world".to_owned(), here, frame, false, document.root.span);
        let part = Part { document: Rc::clone(document), prefix: String::new(), suffix: String::new() };
        let mut tree =
            Self { bodies: vec![world], parts: vec![part], attaching: vec![document.path.clone()], copies: 0 };
        for world in document.root.children().filter(|child| child.tag == "worldbody") {
            let class = document.classes.around(world, None, context);
            tree.walk(world, document, Here { class, ..here }, context);
        }
        context.report.concerning(None, None);
        name_joints(&mut tree.bodies);
        tree
    }

    /// Takes in what stands in an element. This is what calls itself, so little of it lies on the stack.
    pub(super) fn walk(
        &mut self,
        element: &Element,
        document: &Rc<Document>,
        here: Here<'_>,
        context: &mut Context<'_, '_>,
    ) {
        // Includes and attached models put files inside one another, each no deeper than this.
        if here.depth > MAX_DEPTH {
            too_deep(element, context);
            return;
        }
        for child in element.children() {
            match child.tag.as_str() {
                "body" => self.body(child, document, here, context),
                "frame" => self.frame(child, document, here, context),
                "attach" => self.attach(child, document, here, context),
                "replicate" => self.replicate(child, document, here, context),
                _ => self.leaf(child, document, here, context),
            }
        }
    }

    pub(super) fn body(
        &mut self,
        element: &Element,
        document: &Rc<Document>,
        here: Here<'_>,
        context: &mut Context<'_, '_>,
    ) {
        if let Some(here) = self.open_body(element, document, here, context) {
            self.walk(element, document, here, context);
        }
    }

    pub(super) fn frame(
        &mut self,
        element: &Element,
        document: &Rc<Document>,
        here: Here<'_>,
        context: &mut Context<'_, '_>,
    ) {
        if let Some(here) = open_frame(element, document, here, context) {
            self.walk(element, document, here, context);
        }
    }

    /// What has nothing in it that moves.
    fn leaf(&mut self, child: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        let name = &self.bodies[here.body].name;
        context.report.concerning(Some(name).filter(|_| here.body > 0).map(String::as_str), None);
        match child.tag.as_str() {
            "site" | "camera" | "light" => {}
            "joint" | "freejoint" => self.joint(child, document, here, context),
            "geom" => {
                let view = document.classes.view(child, here.class, context);
                let moves = self.bodies[here.body].moves;
                let read = geom::read(view, &here.frame, moves, document, context);
                self.bodies[here.body].geoms.extend(read.filter(|_| here.body > 0));
            }
            "inertial" => self.inertial(child, document, here, context),
            "plugin" => context.lost(child.span, "the plugin of the body is left out"),
            "composite" => {
                let message = "<composite> is no longer part of MJCF".to_owned();
                let hint = "<replicate> or <flexcomp> took its place";
                context.error_with_hint(child.span, "unsupported-element", message, hint);
            }
            "flexcomp" => {
                let message = "<flexcomp> is not supported: it stands for many bodies".to_owned();
                let hint = "let MuJoCo compile the model and save it, which writes the bodies out";
                context.error_with_hint(child.span, "unsupported-element", message, hint);
            }
            other => {
                let message = format!("<{}> does not belong in a body", shorten(other));
                context.error_with_hint(child.span, "unknown-element", message, suggest::hint(other, &CHILDREN));
            }
        }
    }

    /// Adds a body; `None` if there are too many.
    fn open_body<'h>(
        &mut self,
        element: &'h Element,
        document: &Rc<Document>,
        here: Here<'h>,
        context: &mut Context<'_, '_>,
    ) -> Option<Here<'h>> {
        if self.bodies.len() > MAX_LINKS {
            if self.bodies.len() == MAX_LINKS + 1 {
                context.error(element.span, "too-many-links", format!("more than {MAX_LINKS} bodies"));
            }
            return None;
        }
        let number = self.bodies.len();
        let given = element.get("name").filter(|name| !name.is_empty());
        let name =
            given.map_or_else(|| format!("body{number}"), |name| format!("{}{name}{}", here.prefix, here.suffix));
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
        self.bodies.push(Body::new(name, here, placed, moves, element.span));
        Some(Here { body: number, frame: Pose::identity(), class, depth: here.depth + 1, ..here })
    }

    fn inertial(&mut self, element: &Element, document: &Rc<Document>, here: Here<'_>, context: &mut Context<'_, '_>) {
        let read = inertia::read(View::plain(element), &here.frame, &document.settings, context);
        let body = &mut self.bodies[here.body];
        if body.inertial_span.is_some() {
            context.error(element.span, "duplicate-element", format!("a second <inertial> in `{}`", body.name));
        }
        (body.inertial, body.inertial_span) = (read, Some(element.span));
    }
}

/// Enters a frame; `None` if it is one that cannot be carried.
fn open_frame<'h>(
    element: &'h Element,
    document: &Rc<Document>,
    here: Here<'h>,
    context: &mut Context<'_, '_>,
) -> Option<Here<'h>> {
    let view = View::plain(element);
    for scaling in ["scale", "scaling", "massscale"] {
        if view.own(scaling).is_some() {
            let message = format!("`{scaling}` of a frame is not supported");
            let hint = "write the scaled numbers out";
            context.error_with_hint(element.span_of(scaling), "unsupported-element", message, hint);
            return None;
        }
    }
    context.known_attributes(view, &FRAME_ATTRIBUTES);
    let frame = here.frame * pose(view, &document.settings, context);
    let class = document.classes.around(element, here.class, context);
    Some(Here { frame, class, depth: here.depth + 1, ..here })
}
