//! Friction with a memory: elements that bend before they slip, driven by position alone.
//!
//! Along a coordinate x an element has z ← s + (z − s) e^{−|Δx|/δ}, s the sign of Δx: after a reversal it goes over from −1 to 1 within a
//! few lengths δ. It needs no velocity and no smoothing of signs, and at standstill it holds its value. Three elements with lengths a
//! decade apart, each with its own strength, stand for what lies between; so no length has to be chosen from the data.
//!
//! Trap: z depends on all of the motion before. Samples must come in order, and a part of a log must be led up to.

use crate::model::Model;

/// The lengths of the elements, rad or m.
pub const LENGTHS: [f64; 3] = [3e-5, 3e-4, 3e-3];

/// The coordinates that drives act along: one per joint, and one per motor that turns with several.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    /// Coefficients over the velocities.
    rows: Vec<Vec<f64>>,
    /// How many of them are joints.
    joints: usize,
}

impl Coordinates {
    /// Joints alone.
    #[must_use]
    pub fn joints(count: usize) -> Self {
        let row = |k: usize| (0..count).map(|j| f64::from(j == k)).collect();
        Self { rows: (0..count).map(row).collect(), joints: count }
    }

    /// Joints, and motors that turn with several, given the matrix from motor to joint velocities; `None` if it is not square, of the
    /// right size and regular, or if a motor does not turn its own joint.
    #[must_use]
    pub fn coupled(count: usize, matrix: &[Vec<f64>]) -> Option<Self> {
        if matrix.len() != count || matrix.iter().any(|row| row.len() != count || row.iter().any(|x| !x.is_finite())) {
            return None;
        }
        let inverse = nalgebra::DMatrix::from_fn(count, count, |i, j| matrix[i][j]).try_inverse()?;
        let mut coordinates = Self::joints(count);
        for k in 0..count {
            let own = inverse[(k, k)];
            let largest = inverse.row(k).amax();
            if own.abs() <= 1e-12 * largest || !largest.is_finite() {
                return None;
            }
            // In units of its own joint, without the dust that an inversion leaves.
            let row: Vec<f64> =
                (0..count).map(|j| inverse[(k, j)] / own).map(|x| if x.abs() < 1e-12 { 0.0 } else { x }).collect();
            if row.iter().enumerate().any(|(j, x)| j != k && *x != 0.0) {
                coordinates.rows.push(row);
            }
        }
        Some(coordinates)
    }

    /// Joints, and the motors of a robot that turn with several.
    #[must_use]
    pub fn of_robot(model: &Model<f64>) -> Self {
        let mut coordinates = Self::joints(model.nv());
        for (_, shaft) in model.shafts() {
            let mut row = vec![0.0; model.nv()];
            shaft.row.iter().for_each(|(dof, factor)| row[*dof] = *factor);
            coordinates.rows.push(row);
        }
        coordinates
    }

    /// From the rows of [`row`](Self::row), joints first; `None` if they are none.
    #[must_use]
    pub fn from_rows(count: usize, rows: &[Vec<f64>]) -> Option<Self> {
        let joints = Self::joints(count);
        let fits = rows.len() >= count && rows[..count] == joints.rows[..] && rows.iter().all(|row| row.len() == count);
        fits.then(|| Self { rows: rows.to_vec(), joints: count })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// How many of them, the first, are joints.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints
    }

    /// The coefficients of one over the velocities.
    #[must_use]
    pub fn row(&self, coordinate: usize) -> &[f64] {
        &self.rows[coordinate]
    }

    /// The value of one, given positions, velocities or accelerations.
    #[must_use]
    pub fn along(&self, coordinate: usize, values: &[f64]) -> f64 {
        self.rows[coordinate].iter().zip(values).map(|(c, x)| c * x).sum()
    }
}

/// The state of all elements.
#[derive(Clone, Debug)]
pub struct Hysteresis {
    coordinates: Coordinates,
    x: Vec<f64>,
    z: Vec<f64>,
    begun: bool,
}

impl Hysteresis {
    /// Before any motion: all elements are slack.
    #[must_use]
    pub fn new(coordinates: Coordinates) -> Self {
        let count = coordinates.count();
        Self { coordinates, x: vec![0.0; count], z: vec![0.0; count * LENGTHS.len()], begun: false }
    }

    /// Moves on to a position.
    pub fn advance(&mut self, q: &[f64]) {
        for (k, z) in self.z.chunks_exact_mut(LENGTHS.len()).enumerate() {
            let now = self.coordinates.along(k, q);
            let step = now - std::mem::replace(&mut self.x[k], now);
            if self.begun && step != 0.0 {
                let sign = step.signum();
                for (z, length) in z.iter_mut().zip(LENGTHS) {
                    *z = sign + (*z - sign) * (-step.abs() / length).exp();
                }
            }
        }
        self.begun = true;
    }

    /// The elements of all coordinates, from −1 to 1.
    #[must_use]
    pub fn elements(&self) -> &[f64] {
        &self.z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second witness: dz/dx = (s − z)/δ, integrated in small steps.
    #[test]
    fn an_element_follows_its_differential_equation() {
        let mut hysteresis = Hysteresis::new(Coordinates::joints(1));
        let (mut z, mut x) = ([0.0; 3], 0.0);
        hysteresis.advance(&[0.0]);
        for target in [2e-4, -3e-4, -2.9e-4, 4e-3] {
            let steps = 200_000;
            let h = (target - x) / f64::from(steps);
            for _ in 0..steps {
                for (z, length) in z.iter_mut().zip(LENGTHS) {
                    *z += h.abs() / length * (h.signum() - *z);
                }
            }
            x = target;
            hysteresis.advance(&[target]);
            for (found, exact) in hysteresis.elements().iter().zip(z) {
                assert!((found - exact).abs() < 1e-4, "at {target}: {found} and {exact}");
            }
        }
    }

    #[test]
    fn at_standstill_an_element_holds_and_small_steps_are_one_large_one() {
        let [mut a, mut b] = [(); 2].map(|()| Hysteresis::new(Coordinates::joints(1)));
        a.advance(&[0.0]);
        b.advance(&[0.0]);
        (1..=10).for_each(|i| a.advance(&[1e-5 * f64::from(i)]));
        b.advance(&[1e-4]);
        let before = a.elements().to_vec();
        (0..5).for_each(|_| a.advance(&[1e-4]));
        assert_eq!(a.elements(), before);
        assert!(before.iter().zip(b.elements()).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    /// A wrist whose last motor turns with two joints: gears 45 and 32, as published for the Stäubli TX40.
    #[test]
    fn a_motor_that_turns_with_two_joints_has_a_coordinate_of_its_own() {
        let gears = nalgebra::Matrix2::new(45.0, 0.0, 32.0, 32.0);
        let inverse = gears.try_inverse().unwrap();
        let matrix: Vec<Vec<f64>> = (0..2).map(|i| (0..2).map(|j| inverse[(i, j)]).collect()).collect();
        let coordinates = Coordinates::coupled(2, &matrix).unwrap();
        assert_eq!((coordinates.count(), coordinates.joint_count()), (3, 2));
        assert!(coordinates.row(2).iter().all(|x| (x - 1.0).abs() < 1e-12));
        assert_eq!(Coordinates::coupled(2, &[vec![1.0, 1.0], vec![1.0, 1.0]]), None);
        assert_eq!(Coordinates::coupled(2, &[vec![1.0, 0.0]]), None);
    }
}
