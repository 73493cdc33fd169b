//! A file with everything it includes, gathered: frames, links and joints of all models.
//!
//! A model inside another has names of its own; from outside they are `MODEL::NAME`.

use super::super::limits::{MAX_LINKS, MAX_XML_NODES};
use super::super::native::shorten;
use super::super::xml::{Context, Element, Span};
use super::frames::{Canonical, Frame, Frames, Kind, WORLD};
use super::include::Includes;
use super::joint::{self, Joint};
use super::link::{self, Link};
use super::value::{Given, Reference};
use crate::model::{Diagnostic, Number};
use std::path::{Path, PathBuf};

/// Children of a world that are read.
const WORLD_READ: [&str; 6] = ["model", "include", "frame", "joint", "gravity", "physics"];
/// Children of a world that say nothing about its robots.
const WORLD_HARMLESS: [&str; 17] = [
    "light",
    "scene",
    "gui",
    "audio",
    "wind",
    "atmosphere",
    "magnetic_field",
    "spherical_coordinates",
    "actor",
    "plugin",
    "state",
    "population",
    "road",
    "material",
    "sensor",
    "model_state",
    "light_state",
];
/// Children of a model that are read.
const MODEL_READ: [&str; 7] = ["link", "joint", "frame", "model", "include", "pose", "static"];
/// Children of a model that say nothing about its dynamics.
const MODEL_HARMLESS: [&str; 6] =
    ["self_collide", "allow_auto_disable", "plugin", "gripper", "enable_wind", "description"];

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub u32, pub u32);

impl Version {
    /// The newest one that is known.
    const NEWEST: Self = Self(1, 12);

    /// The version of a file, and the newest one where it does not say.
    pub fn of(root: &Element, context: &mut Context<'_, '_>) -> Self {
        let parts = root.get("version").and_then(|version| version.trim().split_once('.'));
        let version = parts.and_then(|(first, second)| Some(Self(first.parse().ok()?, second.parse().ok()?)));
        match (root.get("version"), version) {
            (_, Some(version)) if version <= Self::NEWEST => version,
            (Some(given), _) => {
                let message = format!("the version `{}` of SDF is not known; 1.12 is assumed", shorten(given));
                context.push(root.span_of("version"), Diagnostic::warning("sdf-version", message));
                Self::NEWEST
            }
            (None, _) => {
                let message = "<sdf> does not say its version; 1.12 is assumed";
                let hint = "axes are in other frames before 1.5: write <sdf version=\"1.6\"> or what it is";
                context.push(root.span, Diagnostic::warning("sdf-version", message).hint(hint));
                Self::NEWEST
            }
        }
    }
}

/// A model that stands in no other.
pub(super) struct Top {
    pub name: String,
    pub is_static: bool,
    pub span: Span,
}

/// Where the walk is.
#[derive(Clone)]
pub(super) struct Here {
    pub version: Version,
    /// The folder of the file at hand.
    pub folder: PathBuf,
    pub space: usize,
    /// The frame of the model around.
    pub model: usize,
    /// The models around, as links inside are called: `arm::`.
    pub prefix: String,
    /// Which of the models that stand in no other.
    pub top: Option<usize>,
    pub is_static: bool,
}

/// What an `<include>` says about the model it includes.
#[derive(Default)]
pub(super) struct Changes {
    pub name: Option<String>,
    pub pose: Option<(Option<Given>, Option<Reference>)>,
    pub is_static: Option<bool>,
    pub placed: Option<Reference>,
    /// Its parts are put into the model around.
    pub merge: bool,
}

/// Everything there is.
pub(super) struct Document {
    pub name: String,
    pub frames: Frames,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub tops: Vec<Top>,
    /// True if joints of the world join models.
    pub has_world_joints: bool,
    pub gravity: Option<[Number; 3]>,
    pub(super) includes: Includes,
    visited: usize,
}

impl Document {
    /// Reads a file whose root element is `<sdf>`.
    pub fn read(root: &Element, file: &Path, context: &mut Context<'_, '_>) -> Self {
        let mut document = Self {
            name: String::new(),
            frames: Frames::new(root.span),
            links: Vec::new(),
            joints: Vec::new(),
            tops: Vec::new(),
            has_world_joints: false,
            gravity: None,
            includes: Includes::new(file),
            visited: 0,
        };
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        let version = Version::of(root, context);
        let here =
            Here { version, folder, space: WORLD, model: WORLD, prefix: String::new(), top: None, is_static: false };
        context.known_attributes_of(root, &["version", "xmlns"]);
        context.known_children_of(root, &[&["world", "model", "include", "actor", "light"]]);
        let mut worlds = root.children().filter(|child| child.tag == "world");
        if let Some(world) = worlds.next() {
            document.name = world.get("name").unwrap_or_default().to_owned();
            context.known_children_of(world, &[&WORLD_READ, &WORLD_HARMLESS]);
            let physics = world.children().find(|child| child.tag == "physics");
            let old = physics.and_then(|physics| context.vector_of(physics, "gravity"));
            document.gravity = context.vector_of(world, "gravity").or(old);
            document.inside(world, &here, context);
        }
        if let Some(second) = worlds.next() {
            let message = "a second world in the file is left out";
            context.push(second.span, Diagnostic::warning("several-worlds", message));
        }
        document.inside(root, &here, context);
        document
    }

    /// Counts what is looked at; false when it is too much.
    fn count(&mut self, span: Span, context: &mut Context<'_, '_>) -> bool {
        self.visited += 1;
        let most = MAX_XML_NODES as usize;
        if self.visited == most || self.links.len() == MAX_LINKS + 1 {
            self.visited = most;
            context.error(span, "too-many-links", format!("more than {MAX_LINKS} links, or {most} XML nodes"));
        }
        self.visited < most
    }

    /// The links, joints, frames and models directly inside an element.
    fn inside(&mut self, element: &Element, here: &Here, context: &mut Context<'_, '_>) {
        for child in element.children() {
            if !self.count(child.span, context) {
                return;
            }
            match child.tag.as_str() {
                "model" => self.model(child, here, Changes::default(), context),
                "include" => self.include(child, here, context),
                "frame" => self.frame(child, here, context),
                "joint" if element.tag != "sdf" => self.joint(child, here, context),
                "link" if here.top.is_some() => self.link(child, here, context),
                _ => {}
            }
            context.report.concerning(None, None);
        }
    }

    /// A model, or one that is included.
    pub(super) fn model(&mut self, element: &Element, here: &Here, changes: Changes, context: &mut Context<'_, '_>) {
        context.known_attributes_of(element, &["name", "canonical_link", "placement_frame", "xmlns"]);
        context.known_children_of(element, &[&MODEL_READ, &MODEL_HARMLESS, &DRAKE_HARMLESS]);
        for child in element.children().filter(|child| DRAKE_ACTS.contains(&child.tag.as_str())) {
            context.lost(child.span, format!("<{}> is left out: only joints of SDF itself are read", child.tag));
        }
        let name = changes.name.or_else(|| element.get("name").map(str::to_owned));
        let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| {
            let message = "<model> has no attribute `name`";
            context.push(element.span, Diagnostic::warning("missing-name", message).hint("it is called `model` here"));
            "model".to_owned()
        });
        let own = context.pose_of(element);
        let (given, relative_to) = changes.pose.unwrap_or(own);
        let is_static = changes.is_static.or_else(|| context.flag_of(element, "static")).unwrap_or(false);
        let placed = changes.placed.or_else(|| context.reference(element, "placement_frame"));
        let canonical = match context.reference(element, "canonical_link") {
            Some(link) => Canonical::Named(link),
            None => Canonical::First { link: None, model: None },
        };
        let inside = if changes.merge { here.space } else { self.frames.open() };
        let frame = self.frames.add(Frame {
            kind: Kind::Model { inside, placed, canonical },
            name: name.clone(),
            space: here.space,
            model: here.model,
            given,
            relative_to,
            span: element.span,
        });
        self.declare(here, &name, frame, changes.merge, context);
        if let Kind::Model { canonical: Canonical::First { model, .. }, .. } = &mut self.frames.all[here.model].kind {
            model.get_or_insert(frame);
        }
        let top = here.top.unwrap_or_else(|| {
            self.tops.push(Top { name: name.clone(), is_static, span: element.span });
            self.tops.len() - 1
        });
        let prefix = match here.top {
            Some(_) if !changes.merge => format!("{}{name}::", here.prefix),
            Some(_) | None => here.prefix.clone(),
        };
        let is_static = is_static || here.is_static;
        let within = Here { space: inside, model: frame, prefix, top: Some(top), is_static, ..here.clone() };
        self.inside(element, &within, context);
    }

    /// Gives a frame its name among its neighbours.
    fn declare(&mut self, here: &Here, name: &str, frame: usize, is_merged: bool, context: &mut Context<'_, '_>) {
        let span = self.frames.all[frame].span;
        if name == "world" || (name.starts_with("__") && name.ends_with("__")) {
            let message = format!("the name `{}` is reserved", shorten(name));
            context.error_with_hint(span, "reserved-name", message, "choose another");
        }
        let name = if is_merged { format!("_merged__{name}__model__") } else { name.to_owned() };
        let (mine, other) = (kind(&self.frames.all[frame].kind), self.frames.named(here.space, &name));
        match other.map(|other| kind(&other.kind)) {
            Some(other) if mine == other => {
                let code = match mine {
                    "link" => "duplicate-link",
                    "joint" => "duplicate-joint",
                    _ => "duplicate-name",
                };
                let message = format!("two {mine}s are called `{}`", shorten(&name));
                context.error_with_hint(span, code, message, "names must be unique");
            }
            Some(other) => {
                let message = format!("a {mine} and a {other} are both called `{}`", shorten(&name));
                let hint = "since SDF 1.7 links, joints, frames and models of a model have different names";
                context.push(span, Diagnostic::warning("shared-name", message).hint(hint));
            }
            None => {}
        }
        self.frames.declare(here.space, &name, frame);
    }

    fn name_of(&mut self, element: &Element, context: &mut Context<'_, '_>) -> Option<String> {
        let name = element.get("name").filter(|name| !name.is_empty()).map(str::to_owned);
        if name.is_none() {
            context.report.names_are_incomplete = true;
            context.error(element.span, "missing-attribute", format!("<{}> has no attribute `name`", element.tag));
        }
        name
    }

    fn frame(&mut self, element: &Element, here: &Here, context: &mut Context<'_, '_>) {
        let Some(name) = self.name_of(element, context) else { return };
        context.known_attributes_of(element, &["name", "attached_to"]);
        let (given, relative_to) = context.pose_of(element);
        let kind = Kind::Frame(context.reference(element, "attached_to"));
        let frame = Frame {
            kind,
            name: name.clone(),
            space: here.space,
            model: here.model,
            given,
            relative_to,
            span: element.span,
        };
        let frame = self.frames.add(frame);
        self.declare(here, &name, frame, false, context);
    }

    fn link(&mut self, element: &Element, here: &Here, context: &mut Context<'_, '_>) {
        let name = self.name_of(element, context);
        if name.as_deref() == Some("world") {
            let message = "the link `world` is taken for the world itself: the name is reserved";
            context.push(element.span, Diagnostic::warning("world-link", message));
            return;
        }
        let called = format!("{}{}", here.prefix, name.as_deref().unwrap_or_default());
        context.report.concerning(Some(&called), None);
        let (given, relative_to) = context.pose_of(element);
        let frame = self.frames.add(Frame {
            kind: Kind::Link,
            name: name.clone().unwrap_or_default(),
            space: here.space,
            model: here.model,
            given,
            relative_to,
            span: element.span,
        });
        let link = link::read(element, &called, frame, here, context);
        let Some(name) = name else { return };
        self.declare(here, &name, frame, false, context);
        if let Kind::Model { canonical: Canonical::First { link, .. }, .. } = &mut self.frames.all[here.model].kind {
            link.get_or_insert(frame);
        }
        self.links.push(link);
    }

    fn joint(&mut self, element: &Element, here: &Here, context: &mut Context<'_, '_>) {
        let name = self.name_of(element, context);
        context.report.concerning(None, name.as_deref());
        let (given, relative_to) = context.pose_of(element);
        let Some(joint) = joint::read(element, self.frames.all.len(), here, context) else { return };
        let Some(name) = name else { return };
        self.has_world_joints |= here.top.is_none();
        let frame = self.frames.add(Frame {
            kind: Kind::Joint(joint.child.clone()),
            name: name.clone(),
            space: here.space,
            model: here.model,
            given,
            relative_to,
            span: element.span,
        });
        self.declare(here, &name, frame, false, context);
        self.frames.declare_joint(here.space, &name, self.joints.len());
        self.joints.push(joint);
    }
}

/// Extensions of the simulator Drake that say nothing about the dynamics.
const DRAKE_HARMLESS: [&str; 1] = ["drake:collision_filter_group"];
/// Extensions of Drake that join links.
const DRAKE_ACTS: [&str; 5] = [
    "drake:joint",
    "drake:ball_constraint",
    "drake:tendon_constraint",
    "drake:linear_bushing_rpy",
    "drake:distance_constraint",
];

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::World => "world",
        Kind::Model { .. } => "model",
        Kind::Link => "link",
        Kind::Joint(_) => "joint",
        Kind::Frame(_) => "frame",
    }
}
