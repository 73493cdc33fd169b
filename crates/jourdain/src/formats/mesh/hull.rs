//! The convex hull of points, by adding one point after the other.

use super::Mesh;
use crate::spatial::Vector;
use std::collections::HashSet;

/// The hull's faces, outwards; an error if all points lie in one plane.
pub(in crate::formats) fn hull(points: &[Vector<f64>]) -> Result<Mesh, String> {
    let (first, size) = simplex(points).ok_or_else(|| "the points of the mesh lie in one plane".to_owned())?;
    let tolerance = 1e-12 * size;
    let centre = first.iter().fold(Vector::zero(), |sum, point| sum + points[*point as usize]).times(0.25);
    let mut faces: Vec<Face> = Vec::new();
    for skipped in 0..4 {
        let corners: Vec<u32> = (0..4).filter(|i| *i != skipped).map(|i| first[i]).collect();
        faces.push(Face::outwards([corners[0], corners[1], corners[2]], points, centre));
    }
    for (index, point) in points.iter().enumerate() {
        let sees = |face: &Face| face.normal.dot(*point) > face.offset + tolerance;
        if !faces.iter().any(sees) {
            continue;
        }
        let (seen, kept): (Vec<Face>, Vec<Face>) = faces.into_iter().partition(sees);
        let edges: HashSet<[u32; 2]> = seen.iter().flat_map(Face::edges).collect();
        // The horizon: edges whose other side is not seen. In the order of the faces, so that the result is one.
        let horizon = seen.iter().flat_map(Face::edges).filter(|[a, b]| !edges.contains(&[*b, *a]));
        faces = kept;
        faces.extend(horizon.map(|[a, b]| Face::new([a, b, index as u32], points)));
    }
    Ok(Mesh { vertices: points.to_vec(), faces: faces.into_iter().map(|face| face.corners).collect() })
}

struct Face {
    corners: [u32; 3],
    /// Unit length, or zero for a face without area, which sees nothing.
    normal: Vector<f64>,
    offset: f64,
}

impl Face {
    fn new(corners: [u32; 3], points: &[Vector<f64>]) -> Self {
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        let normal = (b - a).cross(c - a);
        let length = normal.norm();
        let normal = if length > 0.0 { normal.times(1.0 / length) } else { normal };
        Self { corners, normal, offset: normal.dot(a) }
    }

    fn outwards([a, b, c]: [u32; 3], points: &[Vector<f64>], inside: Vector<f64>) -> Self {
        let face = Self::new([a, b, c], points);
        if face.normal.dot(inside) > face.offset { Self::new([a, c, b], points) } else { face }
    }

    fn edges(&self) -> [[u32; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }
}

/// Four points that span space, each the farthest from what the others span, and the size of it all.
fn simplex(points: &[Vector<f64>]) -> Option<([u32; 4], f64)> {
    let farthest = |distance: &dyn Fn(Vector<f64>) -> f64| {
        let found = points.iter().enumerate().max_by(|a, b| distance(*a.1).total_cmp(&distance(*b.1)))?;
        Some((found.0, distance(*found.1)))
    };
    let start = *points.first()?;
    let (a, _) = farthest(&|point| (point - start).norm())?;
    let at_a = points[a];
    let (b, size) = farthest(&|point| (point - at_a).norm())?;
    let along = (points[b] - at_a).times(1.0 / size);
    let (c, width) = farthest(&|point| (point - at_a).cross(along).norm())?;
    let normal = (points[c] - at_a).cross(along).times(1.0 / width);
    let (d, height) = farthest(&|point| (point - at_a).dot(normal).abs())?;
    (height > 1e-10 * size).then_some(([a as u32, b as u32, c as u32, d as u32], size))
}
