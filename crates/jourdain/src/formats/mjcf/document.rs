//! One model file with what it includes: its settings, classes, meshes and models to attach.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Element, Span};
use super::context::{Context, View};
use super::defaults::Classes;
use super::include::{Included, normal};
use super::mesh::{self, Kind, Mesh, Solid};
use super::settings::Settings;
use crate::spatial::{Quaternion, Rotation, Vector};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A mesh as declared, and what became of it once it was needed.
struct Asset {
    element: Element,
    solid: RefCell<Option<Option<Solid>>>,
}

/// A model file, everything included.
pub(super) struct Document {
    pub root: Element,
    pub settings: Settings,
    pub classes: Classes,
    /// The folder of the file, relative to that of the whole reading.
    pub folder: PathBuf,
    meshes: HashMap<String, Asset>,
    models: HashMap<String, (PathBuf, Span)>,
}

impl Document {
    /// Reads the sections that hold for the whole file; `path` is the file's own, relative to the whole reading's folder.
    pub fn read(mut root: Element, path: &Path, context: &mut Context<'_, '_>) -> Self {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Included::new(folder.clone(), path).expand(&mut root, &folder, context);
        let settings = Settings::read(&root, context);
        let classes = Classes::read(&root, context);
        let mut document =
            Self { settings, classes, folder, meshes: HashMap::new(), models: HashMap::new(), root: root.clone() };
        for asset in root.children().filter(|child| child.tag == "asset").flat_map(Element::children) {
            match asset.tag.as_str() {
                "mesh" => document.declare_mesh(asset, context),
                "model" => document.declare_model(asset),
                _ => {}
            }
        }
        document
    }

    fn declare_mesh(&mut self, element: &Element, context: &mut Context<'_, '_>) {
        let file = element.get("file").unwrap_or_default().replace('\\', "/");
        let stem = file.rsplit('/').next().unwrap_or_default();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let name = element.get("name").filter(|name| !name.is_empty()).unwrap_or(stem).to_owned();
        let asset = Asset { element: element.clone(), solid: RefCell::new(None) };
        if self.meshes.insert(name.clone(), asset).is_some() {
            let message = format!("two meshes are called `{}`", shorten(&name));
            context.error_with_hint(element.span, "duplicate-mesh", message, "names must be unique");
        }
    }

    fn declare_model(&mut self, element: &Element) {
        let Some(file) = element.get("file") else { return };
        let path = normal(&self.folder.join(file.replace('\\', "/")));
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = element.get("name").map_or(stem, str::to_owned);
        self.models.insert(name, (path, element.span_of("file")));
    }

    /// The file of a model to attach.
    pub fn model(&self, name: &str) -> Option<&(PathBuf, Span)> {
        self.models.get(name)
    }

    /// The solid that a mesh bounds; `None` if there is none, which is reported once.
    pub fn solid(&self, name: &str, used: Span, context: &mut Context<'_, '_>) -> Option<Solid> {
        let Some(asset) = self.meshes.get(name) else {
            let mut names: Vec<&str> = self.meshes.keys().map(String::as_str).collect();
            names.sort_unstable();
            let message = format!("there is no mesh `{}`", shorten(name));
            context.error_with_hint(used, "unknown-mesh", message, suggest::hint(name, &names));
            return None;
        };
        if let Some(known) = *asset.solid.borrow() {
            return known;
        }
        let solid = self.load(&asset.element, context);
        *asset.solid.borrow_mut() = Some(solid);
        solid
    }

    fn load(&self, element: &Element, context: &mut Context<'_, '_>) -> Option<Solid> {
        let view = self.classes.view(element, None, context);
        let kinds =
            [("legacy", Kind::Legacy), ("exact", Kind::Exact), ("convex", Kind::Convex), ("shell", Kind::Shell)];
        let kind = match view.get("inertia") {
            Some(_) => context.keyword(view, "inertia", &kinds)?,
            None => Kind::Legacy,
        };
        let mut mesh = self.triangles(view, context)?;
        let scale = Vector(context.vector(view, "scale").unwrap_or([1.0; 3]));
        let origin = Vector(context.vector(view, "refpos").unwrap_or_default());
        let turn = context.vector::<4>(view, "refquat").map_or_else(Rotation::identity, |numbers| {
            let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
            Quaternion::new(numbers.map(|x| x / norm)).to_rotation()
        });
        for vertex in &mut mesh.vertices {
            let placed = turn.apply_inverse(*vertex - origin);
            *vertex = Vector(std::array::from_fn(|i| scale[i] * placed[i]));
        }
        if scale[0] * scale[1] * scale[2] < 0.0 {
            mesh.faces.iter_mut().for_each(|face| face.swap(1, 2));
        }
        match mesh::solid(&mesh, kind) {
            Ok(solid) => Some(solid),
            Err(message) => {
                context.error(element.span, "mesh", message);
                None
            }
        }
    }

    fn triangles(&self, view: View<'_>, context: &mut Context<'_, '_>) -> Option<Mesh> {
        if let Some(vertices) = view.attribute("vertex") {
            return inline(view, context.numbers(vertices, 12, 3 * mesh::MAX_FACES)?, context);
        }
        let Some(file) = view.get("file") else {
            context.error(view.element.span, "missing-attribute", "<mesh> has no attribute `file`");
            return None;
        };
        let file = file.replace('\\', "/");
        let span = view.element.span_of("file");
        let stripped = if self.settings.strip_path { file.rsplit('/').next().unwrap_or(&file) } else { &file };
        let path = normal(&self.folder.join(self.settings.mesh_folder.replace('\\', "/")).join(stripped));
        let read = context.files.read(&path);
        let outcome = read.map_err(|error| error.to_string()).and_then(|bytes| mesh::read(&file, &bytes));
        match outcome {
            Ok(mesh) => Some(mesh),
            Err(error) => {
                let message = format!("the mesh `{}`, needed for a body's inertia: {error}", shorten(&file));
                let hint = "put the file there, or give the body an <inertial>";
                context.error_with_hint(span, "cannot-read", message, hint);
                None
            }
        }
    }
}

/// A mesh written in the file; without faces it is the hull of its points.
fn inline(view: View<'_>, numbers: Vec<f64>, context: &mut Context<'_, '_>) -> Option<Mesh> {
    let vertices: Vec<Vector<f64>> =
        numbers.chunks_exact(3).map(|point| Vector(std::array::from_fn(|i| f64::from(point[i] as f32)))).collect();
    let Some(attribute) = view.attribute("face") else {
        return match mesh::convex(&vertices) {
            Ok(mesh) => Some(mesh),
            Err(message) => {
                context.error(view.element.span, "mesh", message);
                None
            }
        };
    };
    let words = context.numbers(attribute, 3, 3 * mesh::MAX_FACES)?;
    let faces: Vec<[u32; 3]> =
        words.chunks_exact(3).map(|face| [face[0] as u32, face[1] as u32, face[2] as u32]).collect();
    if faces.iter().flatten().any(|vertex| *vertex as usize >= vertices.len()) {
        context.error(attribute.span, "mesh", "a face names a vertex that is not there");
        return None;
    }
    Some(Mesh { vertices, faces })
}
