//! Volume, centre of mass and inertia of what a mesh bounds, at density one, in MuJoCo's four ways.
//!
//! The solid is a sum of pyramids over the faces. `legacy` counts every pyramid as positive, first from the centroid of the
//! surface to find the centre of mass, then from that centre: right for convex bodies, tolerant of faces that are turned or
//! missing. `exact` counts them with their signs.

use super::Mesh;
use super::hull::hull;
use crate::spatial::{Symmetric, Vector};
use std::collections::{HashMap, HashSet};

/// Which solid a mesh stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Kind {
    Legacy,
    Exact,
    Convex,
    Shell,
}

/// A body of density one.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct Solid {
    /// Volume, m³; of a shell its area, m².
    pub volume: f64,
    /// Centre of mass, m.
    pub com: Vector<f64>,
    /// About the centre of mass, in the mesh's axes, m⁵; of a shell m⁴.
    pub inertia: Symmetric<f64>,
    /// The lowest and the highest corner of the box around it, from the centre of mass in principal axes; where it is asked for.
    pub bounds: Option<[Vector<f64>; 2]>,
}

/// The smallest volume that is taken for one, m³: MuJoCo's bound.
const SMALLEST: f64 = 1e-14;

/// The solid of a mesh.
pub(in crate::formats) fn solid(mesh: &Mesh, kind: Kind) -> Result<Solid, String> {
    match kind {
        Kind::Shell => shell(mesh),
        Kind::Legacy => pyramids(mesh, f64::abs),
        Kind::Exact if !is_turned_alike(mesh) => {
            Err("the faces of the mesh are not all turned outwards, which inertia=\"exact\" needs".to_owned())
        }
        Kind::Exact => pyramids(mesh, |volume| volume),
        Kind::Convex => pyramids(&hull(&mesh.vertices)?, f64::abs),
    }
}

/// True if no edge is run along twice in the same direction. Vertices at the same place are one: STL repeats them.
fn is_turned_alike(mesh: &Mesh) -> bool {
    let mut numbers = HashMap::new();
    let same: Vec<usize> = mesh
        .vertices
        .iter()
        .map(|vertex| {
            let next = numbers.len();
            // Adding zero makes one of the two zeros.
            *numbers.entry(vertex.0.map(|x| (x + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    let mut edges = HashSet::with_capacity(3 * mesh.faces.len());
    mesh.faces.iter().all(|face| {
        let [a, b, c] = face.map(|vertex| same[vertex as usize]);
        let has_area = a != b && b != c && c != a;
        !has_area || [[a, b], [b, c], [c, a]].into_iter().all(|edge| edges.insert(edge))
    })
}

fn pyramids(mesh: &Mesh, counted: fn(f64) -> f64) -> Result<Solid, String> {
    let apex = shell(mesh)?.com;
    let first = gather(mesh, apex, counted);
    let com = first.com()?;
    let second = gather(mesh, com, counted);
    second.com()?;
    Ok(Solid { volume: second.volume, com, inertia: second.inertia(), bounds: None })
}

/// Volume, first and second moments about a point.
#[derive(Default)]
struct Moments {
    about: [f64; 3],
    volume: f64,
    first: [f64; 3],
    second: [[f64; 3]; 3],
}

impl Moments {
    /// Adds a simplex with one corner at the point of reference: `whole` its volume, `sum` that of its corners' vectors,
    /// `products` the sum of x xᵀ over them; a simplex of d dimensions has ∫x xᵀ = V (Σ x xᵀ + s sᵀ)/((d+1)(d+2)).
    fn add(&mut self, volume: f64, corners: &[Vector<f64>], dimension: f64) {
        let mut sum = [0.0; 3];
        for corner in corners {
            (0..3).for_each(|i| sum[i] += corner[i]);
        }
        self.volume += volume;
        let weight = volume / ((dimension + 1.0) * (dimension + 2.0));
        for i in 0..3 {
            self.first[i] += volume * sum[i] / (dimension + 1.0);
            for j in 0..3 {
                let products: f64 = corners.iter().map(|corner| corner[i] * corner[j]).sum();
                self.second[i][j] += weight * (products + sum[i] * sum[j]);
            }
        }
    }

    fn com(&self) -> Result<Vector<f64>, String> {
        if self.volume.is_nan() || self.volume <= SMALLEST {
            return Err(format!(
                "the mesh bounds a volume of {:.3e} m³, too small for a solid; inertia=\"shell\" makes it a surface, and \
                 a negative volume means that its faces are inside out",
                self.volume
            ));
        }
        Ok(Vector(std::array::from_fn(|i| self.about[i] + self.first[i] / self.volume)))
    }

    /// The inertia tensor about the point of reference.
    fn inertia(&self) -> Symmetric<f64> {
        let trace = self.second[0][0] + self.second[1][1] + self.second[2][2];
        Symmetric::from_fn(|i, j| if i == j { trace - self.second[i][i] } else { -self.second[i][j] })
    }
}

fn gather(mesh: &Mesh, about: Vector<f64>, counted: fn(f64) -> f64) -> Moments {
    let mut moments = Moments { about: about.0, ..Moments::default() };
    for face in &mesh.faces {
        let corners = mesh.corners(*face).map(|corner| corner - about);
        let volume = counted(corners[0].dot(corners[1].cross(corners[2])) / 6.0);
        moments.add(volume, &corners, 3.0);
    }
    moments
}

fn shell(mesh: &Mesh) -> Result<Solid, String> {
    let over = |about: Vector<f64>| {
        let mut moments = Moments { about: about.0, ..Moments::default() };
        for face in &mesh.faces {
            let corners = mesh.corners(*face).map(|corner| corner - about);
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm() / 2.0;
            moments.add(area, &corners, 2.0);
        }
        moments
    };
    let first = over(Vector::zero());
    if first.volume.is_nan() || first.volume <= 0.0 {
        return Err("the mesh has no area".to_owned());
    }
    let com = Vector(std::array::from_fn(|i| first.first[i] / first.volume));
    let second = over(com);
    Ok(Solid { volume: second.volume, com, inertia: second.inertia(), bounds: None })
}
