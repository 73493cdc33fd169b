//! The convex hull of points: quickhull, in which every point waits at a face that it lies outside of.
//!
//! A point as near to a face as rounding may put it counts as on it. Where that leaves a rim that is no simple loop, the point,
//! which is as near to the hull, is passed over.

use super::Mesh;
use crate::spatial::Vector;
use std::collections::HashMap;

/// The hull's faces, outwards; an error if all points lie in one plane.
pub(in crate::formats) fn hull(points: &[Vector<f64>]) -> Result<Mesh, String> {
    let (first, size) = simplex(points).ok_or_else(|| "the points of the mesh lie in one plane".to_owned())?;
    let mut hull = Hull { points, tolerance: 1e-12 * size, faces: Vec::new() };
    hull.begin(first);
    let mut waiting: Vec<usize> = (0..4).collect();
    while let Some(face) = waiting.pop() {
        if hull.faces[face].is_gone {
            continue;
        }
        if let Some(point) = hull.take_farthest(face) {
            let before = hull.faces.len();
            hull.add(face, point);
            // New faces take their turn; a point that was passed over leaves the old one to go on.
            waiting.extend(before..hull.faces.len());
            waiting.extend(Some(face).filter(|face| !hull.faces[*face].is_gone));
        }
    }
    let kept = hull.faces.iter().filter(|face| !face.is_gone).map(|face| face.corners);
    Ok(Mesh { faces: kept.collect(), vertices: points.to_vec() })
}

struct Hull<'a> {
    points: &'a [Vector<f64>],
    tolerance: f64,
    faces: Vec<Face>,
}

struct Face {
    corners: [u32; 3],
    /// The face behind each edge, which runs from one corner to the next.
    behind: [usize; 3],
    /// Unit length, or zero for a face without area, which sees nothing.
    normal: Vector<f64>,
    offset: f64,
    /// Points outside of it.
    outside: Vec<u32>,
    is_gone: bool,
}

impl Hull<'_> {
    fn begin(&mut self, first: [u32; 4]) {
        let [a, b, c, d] = first.map(|corner| self.points[corner as usize]);
        let [p, q, r, s] = first;
        // The first three turn so that the fourth is behind them.
        let [q, r] = if (b - a).cross(c - a).dot(d - a) > 0.0 { [r, q] } else { [q, r] };
        let faces = [([p, q, r], [1, 2, 3]), ([q, p, s], [0, 3, 2]), ([r, q, s], [0, 1, 3]), ([p, r, s], [0, 2, 1])];
        for (corners, behind) in faces {
            self.push(corners, behind);
        }
        let all = (0..self.points.len() as u32).filter(|point| !first.contains(point)).collect();
        self.spread(all, 0);
    }

    fn push(&mut self, corners: [u32; 3], behind: [usize; 3]) {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let normal = (b - a).cross(c - a);
        let length = normal.norm();
        let normal = if length > 0.0 { normal.times(1.0 / length) } else { normal };
        self.faces.push(Face { corners, behind, normal, offset: normal.dot(a), outside: Vec::new(), is_gone: false });
    }

    fn height(&self, face: usize, point: u32) -> f64 {
        self.faces[face].normal.dot(self.points[point as usize]) - self.faces[face].offset
    }

    /// Lets points wait at the faces from a number on; those inside of all are done.
    fn spread(&mut self, points: Vec<u32>, from: usize) {
        for point in points {
            if let Some(face) = (from..self.faces.len()).find(|face| self.height(*face, point) > self.tolerance) {
                self.faces[face].outside.push(point);
            }
        }
    }

    fn take_farthest(&mut self, face: usize) -> Option<u32> {
        let outside = &self.faces[face].outside;
        let farthest = (0..outside.len())
            .max_by(|a, b| self.height(face, outside[*a]).total_cmp(&self.height(face, outside[*b])))?;
        Some(self.faces[face].outside.swap_remove(farthest))
    }

    /// Puts a cone from the point in the place of the faces that it sees.
    fn add(&mut self, from: usize, point: u32) {
        let (mut seen, mut rim, mut at) = (vec![from], Vec::new(), 0);
        self.faces[from].is_gone = true;
        while let Some(face) = seen.get(at).copied() {
            at += 1;
            for edge in 0..3 {
                let behind = self.faces[face].behind[edge];
                if self.faces[behind].is_gone {
                    continue;
                }
                if self.height(behind, point) > self.tolerance {
                    self.faces[behind].is_gone = true;
                    seen.push(behind);
                }
            }
        }
        for face in &seen {
            for edge in 0..3 {
                let Face { corners, behind, .. } = &self.faces[*face];
                if !self.faces[behind[edge]].is_gone {
                    rim.push((corners[edge], corners[(edge + 1) % 3], behind[edge]));
                }
            }
        }
        let first = self.faces.len();
        let starts: HashMap<u32, usize> = rim.iter().enumerate().map(|(i, (start, ..))| (*start, first + i)).collect();
        let ends: HashMap<u32, usize> = rim.iter().enumerate().map(|(i, (_, end, _))| (*end, first + i)).collect();
        let is_loop = rim.len() >= 3
            && starts.len() == rim.len()
            && ends.len() == rim.len()
            && rim.iter().all(|(start, end, _)| starts.contains_key(end) && ends.contains_key(start));
        if !is_loop {
            seen.iter().for_each(|face| self.faces[*face].is_gone = false);
            return;
        }
        for (index, (start, end, behind)) in rim.into_iter().enumerate() {
            let other = &mut self.faces[behind];
            let place = (0..3).find(|edge| other.corners[*edge] == end && other.corners[(*edge + 1) % 3] == start);
            if let Some(edge) = place {
                other.behind[edge] = first + index;
            }
            self.push([start, end, point], [behind, starts[&end], ends[&start]]);
        }
        let waiting = seen.iter().flat_map(|face| std::mem::take(&mut self.faces[*face].outside)).collect();
        self.spread(waiting, first);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn volume(mesh: &Mesh) -> f64 {
        let apex = mesh.vertices[0];
        let pyramid = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|corner| mesh.vertices[corner as usize] - apex);
            a.dot(b.cross(c)) / 6.0
        };
        mesh.faces.iter().map(pyramid).sum()
    }

    /// Every edge has one face on each side, no point lies outside, and the faces are those of a ball (Euler).
    fn assert_hull(points: &[Vector<f64>], mesh: &Mesh, what: &str) {
        let edges: Vec<[u32; 2]> = mesh.faces.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
        let set: std::collections::HashSet<[u32; 2]> = edges.iter().copied().collect();
        assert_eq!(set.len(), edges.len(), "{what}");
        assert!(edges.iter().all(|[a, b]| set.contains(&[*b, *a])), "{what}");
        let corners: std::collections::HashSet<u32> = mesh.faces.iter().flatten().copied().collect();
        assert_eq!(corners.len() + mesh.faces.len(), edges.len() / 2 + 2, "{what}");
        for face in &mesh.faces {
            let [a, b, c] = face.map(|corner| points[corner as usize]);
            let normal = (b - a).cross(c - a);
            let length = normal.norm();
            for point in points {
                assert!((*point - a).dot(normal) <= 1e-10 * length, "{what}");
            }
        }
    }

    #[test]
    fn hulls_of_random_points_are_convex_and_closed() {
        for seed in 0..30 {
            let mut random = Random(seed);
            let count = 4 + 7 * seed as usize;
            let mut points: Vec<Vector<f64>> = (0..count).map(|_| Vector(random.array())).collect();
            // Repeated points, and points on edges and faces.
            let middle = (points[0] + points[1]).times(0.5);
            points.extend([points[0], middle, (middle + points[2]).times(0.5)]);
            let mesh = hull(&points).unwrap();
            assert_hull(&points, &mesh, &format!("seed {seed}"));
        }
    }

    #[test]
    fn grids_have_the_hull_of_their_corners() {
        let side = 12;
        let grid = (0..side * side * side)
            .map(|i| Vector([i % side, i / side % side, i / (side * side)].map(|x| x as f64 / (side - 1) as f64)));
        let points: Vec<Vector<f64>> = grid.collect();
        let mesh = hull(&points).unwrap();
        assert!((volume(&mesh) - 1.0).abs() < 1e-12, "{}", volume(&mesh));
    }

    #[test]
    fn many_points_on_a_ball_take_no_longer_than_they_should() {
        let count = 20_000;
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let point = |i: usize| {
            let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
            let (sin, cos) = (golden * i as f64).sin_cos();
            let radius = (1.0 - z * z).sqrt();
            Vector([radius * cos, radius * sin, z])
        };
        let points: Vec<Vector<f64>> = (0..count).map(point).collect();
        let mesh = hull(&points).unwrap();
        assert_eq!(mesh.faces.len(), 2 * count - 4);
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        assert!((volume(&mesh) / ball - 1.0).abs() < 1e-3);
    }

    #[test]
    fn flat_points_have_none() {
        let flat = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.5, 0.2, 1.0]].map(Vector);
        assert!(hull(&flat).is_err());
        assert!(hull(&[]).is_err());
        assert!(hull(&[Vector([1.0; 3]); 9]).is_err());
    }
}
