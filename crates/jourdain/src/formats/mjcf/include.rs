//! `<include>`: the children of another file in the place of the element.
//!
//! A path is tried from the folder of the main file, then from that of the including file. A file is included once.

use super::super::native::shorten;
use super::super::xml::{self, Element, Node, Span};
use super::context::Context;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Most files that one model may include.
const MAX_FILES: usize = 1000;

/// The files of one model, in normal form.
pub(super) struct Included {
    /// The folder of the model's main file, relative to that of the whole reading.
    folder: PathBuf,
    seen: HashSet<PathBuf>,
}

impl Included {
    pub fn new(folder: PathBuf, main: &Path) -> Self {
        Self { folder, seen: HashSet::from([normal(main)]) }
    }

    /// Puts the text of every included file in the place of its element; `from` is the folder of the file at hand.
    pub fn expand(&mut self, element: &mut Element, from: &Path, context: &mut Context<'_, '_>) {
        if !element.children().any(|child| child.tag == "include") {
            for node in &mut element.nodes {
                if let Node::Element(child) = node {
                    self.expand(child, from, context);
                }
            }
            return;
        }
        let mut nodes = Vec::with_capacity(element.nodes.len());
        for node in std::mem::take(&mut element.nodes) {
            match node {
                Node::Element(include) if include.tag == "include" => nodes.extend(self.read(&include, from, context)),
                Node::Element(mut child) => {
                    self.expand(&mut child, from, context);
                    nodes.push(Node::Element(child));
                }
                text @ Node::Text(..) => nodes.push(text),
            }
        }
        element.nodes = nodes;
    }

    fn read(&mut self, include: &Element, from: &Path, context: &mut Context<'_, '_>) -> Vec<Node> {
        let Some(file) = include.get("file") else {
            context.error(include.span, "missing-attribute", "<include> has no attribute `file`");
            return Vec::new();
        };
        let span = include.span_of("file");
        let given = PathBuf::from(file.replace('\\', "/"));
        let candidates = [normal(&self.folder.join(&given)), normal(&from.join(&given))];
        if let Some(twice) = candidates.iter().find(|path| self.seen.contains(*path)) {
            let message = format!("the file `{}` is included twice, or includes itself", twice.display());
            context.error_with_hint(span, "included-twice", message, "a model includes each file once");
            return Vec::new();
        }
        if self.seen.len() > MAX_FILES {
            context.error(span, "too-many-files", format!("more than {MAX_FILES} files are included"));
            return Vec::new();
        }
        let Some((path, root)) = load(&candidates, span, context) else { return Vec::new() };
        self.seen.insert(path.clone());
        let mut root = root;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        self.expand(&mut root, &folder, context);
        if root.nodes.is_empty() {
            context.error(span, "empty-file", format!("the included file `{}` is empty", shorten(file)));
        }
        root.nodes
    }
}

/// The root element of the first of some files that is there.
pub(super) fn load(candidates: &[PathBuf], span: Span, context: &mut Context<'_, '_>) -> Option<(PathBuf, Element)> {
    let mut outcome = None;
    for path in candidates {
        match context.files.read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            other => {
                outcome = Some((path, other));
                break;
            }
        }
    }
    let name = candidates.first().map(|path| path.display().to_string()).unwrap_or_default();
    let text = match outcome {
        None => Err(format!("there is no file `{}`", shorten(&name))),
        Some((path, read)) => read
            .and_then(xml::text_of)
            .map(|text| (path, text))
            .map_err(|error| format!("cannot read `{}`: {error}", shorten(&name))),
    };
    match text {
        Err(message) => {
            context.error(span, "cannot-read", message);
            None
        }
        Ok((path, text)) => {
            let file = context.sources.add(path.display().to_string(), text);
            match xml::parse(context.sources.get(file), file, super::MAX_DEPTH) {
                Ok(root) => Some((path.clone(), root)),
                Err(diagnostic) => {
                    context.report.push(diagnostic);
                    None
                }
            }
        }
    }
}

/// A path without `.` and without `..` where it can be had without looking at the disk.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
