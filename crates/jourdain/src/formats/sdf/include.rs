//! `<include>`: a model of another file.
//!
//! `model://NAME` is looked for beside the file at hand and in the folders above it, as NAME and as models/NAME.

use super::super::native::shorten;
use super::super::xml::{Context, Element, find, normal};
use super::document::{Changes, Document, Here, Version};
use super::value::Reference;
use crate::model::Diagnostic;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Most files inside one another, and most includes of one reading.
const DEEPEST: usize = 16;
const MOST: usize = 1000;
/// How many folders up a model is looked for.
const FOLDERS_UP: usize = 8;
/// Models of Gazebo's own that stand in nearly every world and are no robots.
const SCENERY: [&str; 2] = ["model://sun", "model://ground_plane"];

/// The files of one reading.
pub(super) struct Includes {
    /// Those that are being read, each inside the one before.
    open: Vec<PathBuf>,
    read: HashMap<PathBuf, Option<Rc<Element>>>,
    count: usize,
}

impl Includes {
    pub fn new(main: &Path) -> Self {
        Self { open: vec![normal(main)], read: HashMap::new(), count: 0 }
    }
}

impl Document {
    pub(super) fn include(&mut self, element: &Element, here: &Here, context: &mut Context<'_, '_>) {
        let known = ["uri", "name", "pose", "static", "placement_frame", "plugin", "allow_auto_disable"];
        context.known_children_of(element, &[&known]);
        let Some(uri) = context.required_text(element, "uri") else { return };
        if SCENERY.contains(&uri.name.as_str()) {
            return;
        }
        self.includes.count += 1;
        if self.includes.open.len() > DEEPEST || self.includes.count > MOST {
            let message = format!("files are included more than {DEEPEST} deep, or more than {MOST} times");
            context.error(uri.span, "too-many-files", message);
            return;
        }
        let file = match self.find_file(&uri, here, context) {
            Ok(file) => file,
            // What a world has beside the robot need not be at hand.
            Err(message) if here.top.is_none() => {
                context.lost(uri.span, format!("{message}; the model is left out"));
                return;
            }
            Err(message) => {
                let hint = "put the model's folder beside the file, or in a folder above it";
                context.error_with_hint(uri.span, "cannot-read", message, hint);
                return;
            }
        };
        if self.includes.open.contains(&file) {
            let message = format!("the file `{}` includes itself", file.display());
            context.error(uri.span, "included-twice", message);
            return;
        }
        let Some(root) = self.root_of(&file, context) else { return };
        if root.tag != "sdf" {
            let message = format!("the included file is <{}>, not <sdf>", shorten(&root.tag));
            let hint = "convert it first: jourdain convert ROBOT --to sdf";
            context.error_with_hint(uri.span, "not-sdf", message, hint);
            return;
        }
        let Some(model) = root.children().find(|child| child.tag == "model") else {
            // Lights and actors come by include as well.
            if !root.children().any(|child| matches!(child.tag.as_str(), "actor" | "light")) {
                context.error(uri.span, "no-links", format!("`{}` has no <model>", file.display()));
            }
            return;
        };
        let (given, relative_to) = context.pose_of(element);
        let has_pose = element.children().any(|child| child.tag == "pose");
        let changes = Changes {
            name: context.text_of(element, "name").map(|name| name.name),
            pose: has_pose.then_some((given, relative_to)),
            is_static: context.flag_of(element, "static"),
            placed: context.text_of(element, "placement_frame"),
            merge: here.top.is_some() && context.flag_attribute(element, "merge").unwrap_or(false),
        };
        let version = Version::of(&root, context);
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        self.includes.open.push(file);
        self.model(model, &Here { version, folder, ..here.clone() }, changes, context);
        self.includes.open.pop();
    }

    /// The file of a model.
    fn find_file(&self, uri: &Reference, here: &Here, context: &mut Context<'_, '_>) -> Result<PathBuf, String> {
        let places = places(&uri.name, &here.folder)?;
        let is_file = |path: &PathBuf| {
            let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
            ending.is_some_and(|ending| ["sdf", "world", "urdf", "xml"].iter().any(|known| ending == *known))
        };
        let models: Vec<PathBuf> =
            places.iter().map(|path| if is_file(path) { path.clone() } else { path.join("model.sdf") }).collect();
        let known = |path: &PathBuf| self.includes.read.contains_key(path) || self.includes.open.contains(path);
        if let Some(path) = models.iter().find(|path| known(path)) {
            return Ok(path.clone());
        }
        if let Some(path) = models.iter().find(|path| context.files.read(path).is_ok()) {
            return Ok(path.clone());
        }
        for folder in places.iter().filter(|path| !is_file(path)) {
            let config = folder.join("model.config");
            let Ok((_, text)) = find(std::slice::from_ref(&config), context.files) else { continue };
            let Some(root) = context.parse(&config, text, super::MAX_DEPTH) else { continue };
            if let Some(name) = newest(&root, context) {
                return Ok(normal(&folder.join(name)));
            }
        }
        Err(format!("there is no model `{}`", shorten(&uri.name)))
    }

    fn root_of(&mut self, file: &PathBuf, context: &mut Context<'_, '_>) -> Option<Rc<Element>> {
        if let Some(known) = self.includes.read.get(file) {
            return known.clone();
        }
        let root = match find(std::slice::from_ref(file), context.files) {
            Ok((_, text)) => context.parse(file, text, super::MAX_DEPTH).map(Rc::new),
            Err(message) => {
                context.report.push(Diagnostic::error("cannot-read", message));
                None
            }
        };
        self.includes.read.insert(file.clone(), root.clone());
        root
    }
}

/// Where something may be that a file of `folder` names.
pub(super) fn places(uri: &str, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (scheme, path) = uri.split_once("://").unwrap_or(("file", uri));
    match scheme {
        "file" => Ok(vec![normal(&folder.join(path))]),
        "model" | "package" => {
            let mut found = Vec::new();
            let mut up = folder.to_owned();
            for _ in 0..FOLDERS_UP {
                found.extend([normal(&up.join(path)), normal(&up.join("models").join(path))]);
                up.push("..");
            }
            Ok(found)
        }
        _ => Err(format!("`{}` is not a file: nothing is fetched from elsewhere", shorten(uri))),
    }
}

/// The file of the newest version that a model.config lists.
fn newest(config: &Element, context: &mut Context<'_, '_>) -> Option<String> {
    let mut listed: Vec<(Version, String)> = Vec::new();
    for element in config.children().filter(|child| child.tag == "sdf") {
        let version = Version::of(element, context);
        listed.extend(context.own_text(element).map(|file| (version, file.name)));
    }
    listed.into_iter().max_by_key(|(version, _)| *version).map(|(_, file)| file)
}
