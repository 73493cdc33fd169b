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

/// Elements of a link, and half as many.
const ELEMENTS: usize = 24;

/// Mass and stiffness of one of so many elements: place and slope at both ends (cubic shapes).
fn element(link: &ChainLink, elements: usize) -> [DMatrix<f64>; 2] {
    let h = link.length / elements as f64;
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
    /// ω² in rising order, rad²/s²: what elements without length would give, as their error is as the fourth power of their length.
    pub fn squares(&self) -> Option<Vec<f64>> {
        let [coarse, fine] = [self.squares_by(ELEMENTS / 2)?, self.squares_by(ELEMENTS)?];
        Some(fine.iter().zip(coarse).map(|(fine, coarse)| fine + (fine - coarse) / 15.0).collect())
    }

    /// ω² by so many elements per link, in rising order, rad²/s².
    fn squares_by(&self, count: usize) -> Option<Vec<f64>> {
        let size = 2 * count * self.links.len();
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
            let first = 2 * count * k;
            let mut before = [base[1].clone(), base[2].clone()];
            for node in 0..count {
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
            let [m, s] = element(&self.links[k], count);
            mass += &columns * m * columns.transpose();
            stiffness += &columns * s * columns.transpose();
        }
        // The lowest are wanted: as largest eigenvalues 1/ω² they are not lost in the rounding of the highest.
        let inverse = stiffness.cholesky()?.l().try_inverse()?;
        let mut squares: Vec<f64> =
            (&inverse * mass * inverse.transpose()).symmetric_eigenvalues().iter().map(|x| 1.0 / x).collect();
        squares.sort_by(f64::total_cmp);
        Some(squares)
    }
}

#[cfg(test)]
mod tests {
    use super::{ChainLink, ElementChain};

    /// What is left of the error when the elements are halved: 1/16, for chains too.
    #[test]
    fn the_error_falls_with_the_fourth_power_of_the_length_of_elements() {
        let link = |length: f64, angle: f64| ChainLink { length, density: 0.4, rigidity: 3.0, hub: [0.2, 0.01], angle };
        for links in [vec![link(0.8, 0.3)], vec![link(0.8, 0.3), link(0.5, -1.2), link(0.9, 0.7)]] {
            let chain = ElementChain { links, payload: [0.1, 0.002] };
            let [a, b, c] = [3, 6, 12].map(|count| chain.squares_by(count).expect("frequencies"));
            for number in 0..2 {
                let ratio = (a[number] - b[number]) / (b[number] - c[number]);
                assert!((14.5..17.5).contains(&ratio), "ω² number {}: {ratio}", number + 1);
            }
        }
    }
}
