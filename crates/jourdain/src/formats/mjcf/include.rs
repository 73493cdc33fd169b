//! `<include>`: the children of another file in the place of the element.
//!
//! A path is tried from the folder of the main file, then from that of the including file. A file is included once.

use super::super::native::shorten;
use super::super::xml::{self, Element, Node, Span, normal};
use super::context::Context;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Most files that one model may include, and most models that may be attached.
pub(super) const MAX_FILES: usize = 1000;

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

    /// Puts the text of every included file in the place of its element; `from` is the folder of the file at hand, and
    /// `depth` how many elements stand around: files inside files add up.
    pub fn expand(&mut self, element: &mut Element, from: &Path, depth: usize, context: &mut Context<'_, '_>) {
        if depth > super::MAX_DEPTH {
            too_deep(element, context);
            element.nodes.clear();
            return;
        }
        if !element.children().any(|child| child.tag == "include") {
            for node in &mut element.nodes {
                if let Node::Element(child) = node {
                    self.expand(child, from, depth + 1, context);
                }
            }
            return;
        }
        let mut nodes = Vec::with_capacity(element.nodes.len());
        for node in std::mem::take(&mut element.nodes) {
            match node {
                Node::Element(include) if include.tag == "include" => {
                    nodes.extend(self.read(&include, from, depth, context))
                }
                Node::Element(mut child) => {
                    self.expand(&mut child, from, depth + 1, context);
                    nodes.push(Node::Element(child));
                }
                text @ Node::Text(..) => nodes.push(text),
            }
        }
        element.nodes = nodes;
    }

    fn read(&mut self, include: &Element, from: &Path, depth: usize, context: &mut Context<'_, '_>) -> Vec<Node> {
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
        self.expand(&mut root, &folder, depth, context);
        if root.nodes.is_empty() {
            context.error(span, "empty-file", format!("the included file `{}` is empty", shorten(file)));
        }
        root.nodes
    }
}

/// Says that files inside files are too deep together; each alone is not.
pub(super) fn too_deep(element: &Element, context: &mut Context<'_, '_>) {
    let message = format!("nested more than {} levels deep", super::MAX_DEPTH);
    context.error(element.span, "nesting-too-deep", message);
}

/// The root element of the first of some files that is there.
pub(super) fn load(candidates: &[PathBuf], span: Span, context: &mut Context<'_, '_>) -> Option<(PathBuf, Element)> {
    match xml::find(candidates, context.files) {
        Err(message) => {
            context.error(span, "cannot-read", message);
            None
        }
        Ok((path, text)) => Some((path.clone(), context.parse(&path, text, super::MAX_DEPTH)?)),
    }
}
