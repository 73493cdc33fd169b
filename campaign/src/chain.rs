//! A chain of straight beams of finite elements with locked joints at rest, in the plane: small motions without weight.
//!
//! Unknowns of a link are the motion of its base along and across it, and place and slope of every node; the base goes with the end
//! of the link before. Beams keep their length, so that all of a link moves along it as its base does.

use nalgebra::{DMatrix, DVector};

/// A beam with the body at its base, and the angle of its joint.
#[derive(Clone, Copy)]
pub struct ChainLink {
    pub length: f64,
    pub density: f64,
    pub rigidity: f64,
    /// Mass and moment of inertia of the body.
    pub hub: [f64; 2],
    pub angle: f64,
}

pub struct ElementChain {
    pub links: Vec<ChainLink>,
    /// Mass and moment of inertia at the end.
    pub payload: [f64; 2],
}

const ELEMENTS: usize = 12;

/// Mass and stiffness of one element: place and slope at both ends (cubic shapes).
fn element(link: &ChainLink) -> [DMatrix<f64>; 2] {
    let h = link.length / ELEMENTS as f64;
    let mass = [
        156.0,
        22.0 * h,
        54.0,
        -13.0 * h,
        22.0 * h,
        4.0 * h * h,
        13.0 * h,
        -3.0 * h * h,
        54.0,
        13.0 * h,
        156.0,
        -22.0 * h,
        -13.0 * h,
        -3.0 * h * h,
        -22.0 * h,
        4.0 * h * h,
    ];
    let stiffness = [
        12.0,
        6.0 * h,
        -12.0,
        6.0 * h,
        6.0 * h,
        4.0 * h * h,
        -6.0 * h,
        2.0 * h * h,
        -12.0,
        -6.0 * h,
        12.0,
        -6.0 * h,
        6.0 * h,
        2.0 * h * h,
        -6.0 * h,
        4.0 * h * h,
    ];
    [
        DMatrix::from_row_slice(4, 4, &mass) * (link.density * h / 420.0),
        DMatrix::from_row_slice(4, 4, &stiffness) * (link.rigidity / h.powi(3)),
    ]
}

impl ElementChain {
    /// ω² in rising order, rad²/s².
    pub fn squares(&self) -> Option<Vec<f64>> {
        let size = 2 * ELEMENTS * self.links.len();
        let [mut mass, mut stiffness] = [(); 2].map(|()| DMatrix::<f64>::zeros(size, size));
        let mut add = |weight: f64, row: &DVector<f64>| mass += row * row.transpose() * weight;
        let zero = DVector::<f64>::zeros(size);
        // Of the end of the link before: along it, across it, its slope.
        let mut end = [zero.clone(), zero.clone(), zero.clone()];
        let mut elements = Vec::new();
        for (k, link) in self.links.iter().enumerate() {
            let (sin, cos) = link.angle.sin_cos();
            let [along, across, slope] = &end;
            let base = [along * cos + across * sin, across * cos - along * sin, slope.clone()];
            add(link.hub[0] + link.density * link.length, &base[0]);
            add(link.hub[0], &base[1]);
            add(link.hub[1], &base[2]);
            let unit = |at: usize| DVector::from_fn(size, |i, _| if i == at { 1.0 } else { 0.0 });
            let first = 2 * ELEMENTS * k;
            let mut before = [base[1].clone(), base[2].clone()];
            for node in 0..ELEMENTS {
                let after = [unit(first + 2 * node), unit(first + 2 * node + 1)];
                let [a, b] = before;
                elements.push((k, DMatrix::from_columns(&[a, b, after[0].clone(), after[1].clone()])));
                before = after;
            }
            let [place, slope] = before;
            end = [base[0].clone(), place, slope];
        }
        add(self.payload[0], &end[0]);
        add(self.payload[0], &end[1]);
        add(self.payload[1], &end[2]);
        for (k, columns) in elements {
            let [m, s] = element(&self.links[k]);
            mass += &columns * m * columns.transpose();
            stiffness += &columns * s * columns.transpose();
        }
        let inverse = mass.cholesky()?.l().try_inverse()?;
        let mut squares: Vec<f64> =
            (&inverse * stiffness * inverse.transpose()).symmetric_eigenvalues().iter().copied().collect();
        squares.sort_by(f64::total_cmp);
        Some(squares)
    }
}
