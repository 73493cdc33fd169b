//! Meshes, read only where a body's inertia comes from one: files, and the solid they bound.
//!
//! Trap: vertices are rounded to single precision on reading, as MuJoCo does, and only then scaled and placed.

mod file;
mod hull;
mod solid;

pub(in crate::formats) use file::read;
pub(in crate::formats) use hull::hull as convex;
pub(in crate::formats) use solid::{Kind, Solid, solid};

use crate::spatial::Vector;

/// Triangles over vertices, m.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct Mesh {
    pub vertices: Vec<Vector<f64>>,
    pub faces: Vec<[u32; 3]>,
}

impl Mesh {
    /// The corners of a face.
    fn corners(&self, face: [u32; 3]) -> [Vector<f64>; 3] {
        face.map(|vertex| self.vertices[vertex as usize])
    }
}

/// Most triangles of a mesh.
pub(in crate::formats) const MAX_FACES: usize = 4_000_000;
