//! One model file with what it includes: its settings, classes, meshes and models to attach.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Element, Span, normal, numbers};
use super::context::{Context, View};
use super::defaults::Classes;
use super::include::Included;
use super::inertia::principal;
use super::mesh::{self, Kind, Mesh, Solid};
use super::settings::Settings;
use crate::model::shape::colour;
use crate::spatial::{Pose, Quaternion, Rotation, Vector};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;
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
    /// The file, relative to the folder of the whole reading.
    pub path: PathBuf,
    folder: PathBuf,
    meshes: HashMap<String, Asset>,
    models: HashMap<String, (PathBuf, Span)>,
    /// Half sizes of the boxes that height fields weigh as.
    fields: HashMap<String, [f64; 3]>,
    /// Colours of materials.
    materials: HashMap<String, [f64; 4]>,
}

impl Document {
    /// Reads the sections that hold for the whole file; `path` is the file's own, relative to the whole reading's folder.
    pub fn read(mut root: Element, path: &Path, context: &mut Context<'_, '_>) -> Self {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Included::new(folder.clone(), path).expand(&mut root, &folder, 0, context);
        let settings = Settings::read(&root, context);
        let classes = Classes::read(&root, context);
        let (meshes, models, fields, materials) = Default::default();
        let path = normal(path);
        let mut document = Self { settings, classes, path, folder, meshes, models, fields, materials, root };
        let assets = document.root.children().filter(|child| child.tag == "asset").flat_map(Element::children);
        for asset in assets.cloned().collect::<Vec<_>>() {
            match asset.tag.as_str() {
                "mesh" => document.declare_mesh(asset, context),
                "model" => document.declare_model(&asset),
                "hfield" => document.declare_field(&asset, context),
                "material" => document.declare_material(&asset),
                _ => {}
            }
        }
        document
    }

    fn declare_mesh(&mut self, element: Element, context: &mut Context<'_, '_>) {
        let (name, span) = (name_of(&element), element.span);
        let asset = Asset { element, solid: RefCell::new(None) };
        if self.meshes.insert(name.clone(), asset).is_some() {
            let message = format!("two meshes are called `{}`", shorten(&name));
            context.error_with_hint(span, "duplicate-mesh", message, "names must be unique");
        }
    }

    /// A height field weighs as the box of half its base and a quarter of its elevation, wherever its hills are.
    fn declare_field(&mut self, element: &Element, context: &mut Context<'_, '_>) {
        let Some([x, y, elevation, base]) = context.vector(View::plain(element), "size") else { return };
        self.fields.insert(name_of(element), [x, y, elevation / 4.0 + base / 2.0]);
    }

    /// The half sizes of the box that a height field weighs as.
    pub fn field(&self, name: &str) -> Option<[f64; 3]> {
        self.fields.get(name).copied()
    }

    fn declare_material(&mut self, element: &Element) {
        let given = self.classes.peek(element, "material").get("rgba");
        if let (Some(name), Some(colour)) = (element.get("name"), given.and_then(rgba)) {
            self.materials.insert(name.to_owned(), colour);
        }
    }

    /// The colour of a material.
    pub fn colour(&self, material: &str) -> Option<[f64; 4]> {
        self.materials.get(material).copied()
    }

    /// The file of a mesh, its factors, and where the frame of the file is in that of the mesh; `None` for a mesh without a
    /// file, and for one that is turned and then stretched, which no frame and factors say.
    pub fn drawn(&self, name: &str) -> Option<(String, [f64; 3], Pose<f64>)> {
        let view = self.classes.peek(&self.meshes.get(name)?.element, "mesh");
        let path = self.mesh_path(view.get("file")?);
        let path = path.to_str()?.replace('\\', "/");
        let given = |name: &str, count: usize| view.get(name).map(|text| numbers(text, count));
        let scale = given("scale", 3).unwrap_or_else(|| Some(vec![1.0; 3]))?;
        let origin = given("refpos", 3).unwrap_or_else(|| Some(vec![0.0; 3]))?;
        let turn = match given("refquat", 4) {
            None => Rotation::identity(),
            Some(numbers) => {
                let numbers: [f64; 4] = numbers?.try_into().ok()?;
                let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
                (norm > 0.0).then(|| Quaternion::new(numbers.map(|x| x / norm)).to_rotation())?
            }
        };
        let scale: [f64; 3] = scale.try_into().ok()?;
        let is_even = scale[0] == scale[1] && scale[1] == scale[2];
        if !is_even && turn != Rotation::identity() {
            return None;
        }
        // A vertex v is drawn at S Rᵀ (v − origin), which is Rᵀ S v − S Rᵀ origin.
        let moved = turn.apply_inverse(Vector([origin[0], origin[1], origin[2]]));
        let translation = -Vector(std::array::from_fn(|i| scale[i] * moved[i]));
        Some((path, scale, Pose { rotation: turn.transpose(), translation }))
    }

    /// Where the file of a mesh is, from the folder of the whole reading.
    fn mesh_path(&self, file: &str) -> PathBuf {
        let file = file.replace('\\', "/");
        let stripped = if self.settings.strip_path { file.rsplit('/').next().unwrap_or(&file) } else { &file };
        normal(&self.folder.join(self.settings.mesh_folder.replace('\\', "/")).join(stripped))
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
        let hull_vertices = view.attribute("maxhullvert").filter(|_| kind == Kind::Convex);
        if let Some(attribute) = hull_vertices.filter(|attribute| attribute.value.trim() != "-1") {
            context
                .lost(attribute.span, "the inertia is that of the whole hull of the mesh: `maxhullvert` is left out");
        }
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
            Ok(solid) if self.settings.fit_to_box => {
                let axes = principal(solid.inertia).1;
                let placed = mesh.vertices.iter().map(|vertex| axes.apply_inverse(*vertex - solid.com));
                let corner = |choose: fn(f64, f64) -> f64| {
                    let join = |a: Vector<f64>, b: Vector<f64>| Vector(std::array::from_fn(|i| choose(a[i], b[i])));
                    placed.clone().reduce(join).unwrap_or_default()
                };
                Some(Solid { bounds: Some([corner(f64::min), corner(f64::max)]), ..solid })
            }
            Ok(solid) => Some(solid),
            Err(message) => {
                context.error(element.span, "bad-mesh", message);
                None
            }
        }
    }

    /// The folder of the included file that an element stands in, from that of the model; `None` in the model's own file.
    fn folder_of_include(&self, span: Span, context: &Context<'_, '_>) -> Option<PathBuf> {
        let folder = Path::new(context.sources.name(span.file)).parent()?;
        folder.strip_prefix(&self.folder).ok().filter(|within| *within != Path::new("")).map(Path::to_owned)
    }

    fn triangles(&self, view: View<'_>, context: &mut Context<'_, '_>) -> Option<Mesh> {
        if let Some(vertices) = view.attribute("vertex") {
            return inline(view, context.numbers(vertices, 12, 3 * mesh::MAX_FACES)?, context);
        }
        if let Some(builtin) = view.attribute("builtin") {
            let message = format!("a mesh of the built-in shape `{}` is not supported", shorten(&builtin.value));
            let hint = "give the body an <inertial>, or the mesh a file";
            context.error_with_hint(builtin.span, "unsupported-element", message, hint);
            return None;
        }
        let Some(file) = view.get("file") else {
            context.error(view.element.span, "missing-attribute", "<mesh> has no attribute `file`");
            return None;
        };
        let file = file.replace('\\', "/");
        let span = view.element.span_of("file");
        let stripped = if self.settings.strip_path { file.rsplit('/').next().unwrap_or(&file) } else { &file };
        let folder = self.folder.join(self.settings.mesh_folder.replace('\\', "/"));
        let first = context.files.read(&normal(&folder.join(stripped)));
        let read = match (first, self.folder_of_include(view.element.span, context)) {
            // Below the folder of meshes, the folders of the model and of the file that it includes are the same.
            (Err(error), Some(within)) if error.kind() == ErrorKind::NotFound => {
                context.files.read(&normal(&folder.join(within).join(stripped)))
            }
            (first, _) => first,
        };
        let outcome = read.map_err(|error| error.to_string()).and_then(|bytes| mesh::read(&file, &bytes));
        match outcome {
            Ok(mesh) => Some(mesh),
            Err(error) => {
                let idle = if context.is_idle { ", which does not move" } else { "" };
                let message = format!("the mesh `{}`, needed for the inertia of a body{idle}: {error}", shorten(&file));
                let hint = "put the file there, or give the body an <inertial>";
                context.error_with_hint(span, "cannot-read", message, hint);
                None
            }
        }
    }
}

/// The colour that an attribute gives.
pub(super) fn rgba(text: &str) -> Option<[f64; 4]> {
    colour(&numbers(text, 4)?)
}

/// The name of an asset: that of its file, without the folder and the last ending, if it has none of its own.
fn name_of(element: &Element) -> String {
    let file = element.get("file").unwrap_or_default().replace('\\', "/");
    let stem = file.rsplit('/').next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    element.get("name").filter(|name| !name.is_empty()).unwrap_or(stem).to_owned()
}

/// A mesh written in the file; without faces it is the hull of its points.
fn inline(view: View<'_>, numbers: Vec<f64>, context: &mut Context<'_, '_>) -> Option<Mesh> {
    let vertices: Vec<Vector<f64>> =
        numbers.chunks_exact(3).map(|point| Vector(std::array::from_fn(|i| f64::from(point[i] as f32)))).collect();
    let Some(attribute) = view.attribute("face") else {
        return match mesh::convex(&vertices) {
            Ok(mesh) => Some(mesh),
            Err(message) => {
                context.error(view.element.span, "bad-mesh", message);
                None
            }
        };
    };
    let words = context.numbers(attribute, 3, 3 * mesh::MAX_FACES)?;
    let faces: Vec<[u32; 3]> =
        words.chunks_exact(3).map(|face| [face[0] as u32, face[1] as u32, face[2] as u32]).collect();
    if faces.iter().flatten().any(|vertex| *vertex as usize >= vertices.len()) {
        context.error(attribute.span, "bad-mesh", "a face names a vertex that is not there");
        return None;
    }
    Some(Mesh { vertices, faces })
}
