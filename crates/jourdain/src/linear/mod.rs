//! Small motions of any system about rest or a steady motion: B p̈ + D ṗ + K p = E u.
//!
//! Frequencies come from symmetric eigenproblems: *locked* joints leave the other coordinates (deflections, rotors), *free*
//! joints leave what is left of them once the joints follow, B_δδ − B_δθ B_θθ⁻¹ B_θδ. The zeros of a channel from a drive to an
//! output c·p are the eigenvalues of the equations without the driven row on the space c·p = 0; of a collocated channel, the
//! poles with that coordinate locked. Poles have friction and damping in them.
//!
//! Traps. Gravity can make K indefinite: a mode with ω² < 0 does not swing but falls, with the rate √−ω². At rest the smooth
//! Coulomb friction has the slope Fc/ε, which is large. About a steady motion K and D are not symmetric, and frequencies
//! and modes of their symmetric parts mean little; poles do not ask for symmetry.

mod eigen;

use crate::matrix::Matrix;
use crate::spectral;
pub(crate) use eigen::eigenvalues;
pub(crate) use eigen::squares;
use eigen::{companion, gyroscopic, quadratic, whitened};
use nalgebra::{Cholesky, Complex, DMatrix, DVector};

/// Why there is no answer about a linear model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LinearError {
    /// No such channel.
    #[error("there is no {what} {number}: the system has {count}")]
    Channel {
        /// Input or output.
        what: &'static str,
        /// Which, counted from one.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// The equations cannot be solved.
    #[error("the eigenvalues did not converge")]
    NoConvergence,
}

/// An undamped mode of small motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// ω², (rad/s)²; negative if the posture is unstable in this mode.
    pub omega_squared: f64,
    /// One number per coordinate, with pᵀ B p = 1 and the largest entry positive.
    pub shape: Vec<f64>,
}

impl Mode {
    /// ω, rad/s; zero if the mode does not swing.
    #[must_use]
    pub fn omega(&self) -> f64 {
        self.omega_squared.max(0.0).sqrt()
    }

    /// ω/2π, Hz; zero if the mode does not swing.
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.omega() / std::f64::consts::TAU
    }
}

/// ẋ = A x + B u, y = C x + D u with x = (p, ṗ).
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// A, 2N × 2N
    pub a: Matrix<f64>,
    /// B, 2N × inputs
    pub b: Matrix<f64>,
    /// C, outputs × 2N
    pub c: Matrix<f64>,
    /// D, outputs × inputs: zero.
    pub d: Matrix<f64>,
}

/// The linear model. The first coordinates are the joints', as many as there are inputs; deflections and rotors follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// The position that it is about.
    pub q: Vec<f64>,
    /// The torques that hold it.
    pub torque: Vec<f64>,
    /// B, N × N, symmetric and positive definite.
    pub inertia: Matrix<f64>,
    /// K, N × N: springs, and what gravity and the steady motion add.
    pub stiffness: Matrix<f64>,
    /// D, N × N: friction and damping, and what the steady motion adds.
    pub damping: Matrix<f64>,
    /// E, N × inputs.
    pub input: Matrix<f64>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// Outputs by coordinates.
    pub output: Matrix<f64>,
}

/// ω² smaller than the largest by this and the number of them is rounding of zero.
const NEUTRAL: f64 = 1e-14;

/// Rounding of zero becomes zero: a direction that nothing drives back or away.
fn cleaned(mut squares: Vec<f64>) -> Vec<f64> {
    let largest = squares.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let dust = NEUTRAL * squares.len() as f64 * largest;
    squares.iter_mut().filter(|x| x.abs() <= dust).for_each(|x| *x = 0.0);
    squares
}

fn hertz(squares: Vec<f64>) -> Vec<f64> {
    // Below zero the system does not swing but falls, at zero it stays; neither has a frequency.
    squares.into_iter().filter(|&x| x > 0.0).map(|x| x.sqrt() / std::f64::consts::TAU).collect()
}

impl Linearisation {
    /// Joints, which is inputs.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.input.columns()
    }

    /// N, coordinates.
    #[must_use]
    pub fn size(&self) -> usize {
        self.inertia.rows()
    }

    fn part(&self, matrix: &Matrix<f64>, keep: &[usize]) -> DMatrix<f64> {
        DMatrix::from_fn(keep.len(), keep.len(), |i, j| matrix[(keep[i], keep[j])])
    }

    fn others(&self) -> Vec<usize> {
        (self.joints()..self.size()).collect()
    }

    /// B of the other coordinates once the joints follow freely.
    fn reduced_inertia(&self) -> Option<DMatrix<f64>> {
        let (n, size) = (self.joints(), self.size());
        let theta: Vec<usize> = (0..n).collect();
        let coupling = DMatrix::from_fn(n, size - n, |i, j| self.inertia[(i, n + j)]);
        let solved = Cholesky::new(self.part(&self.inertia, &theta))?.solve(&coupling);
        let inertia = self.part(&self.inertia, &self.others()) - coupling.transpose() * solved;
        Some((&inertia + inertia.transpose()) * 0.5)
    }

    fn is_zero_at_joints(&self, matrix: &Matrix<f64>) -> bool {
        let size = self.size();
        (0..self.joints()).all(|i| (0..size).all(|j| matrix[(i, j)] == 0.0 && matrix[(j, i)] == 0.0))
    }

    /// Half the difference of the damping and its transpose: what a steady motion adds without taking energy.
    fn gyroscopic(&self) -> Matrix<f64> {
        Matrix::from_fn(self.size(), self.size(), |i, j| 0.5 * (self.damping[(i, j)] - self.damping[(j, i)]))
    }

    /// ω² with all joints locked and without damping, rad²/s², ascending; negative where the posture is unstable, zero where it is
    /// neutral.
    #[must_use]
    pub fn locked_squares(&self) -> Vec<f64> {
        let others = self.others();
        let [stiffness, turning, inertia] =
            [&self.stiffness, &self.gyroscopic(), &self.inertia].map(|matrix| self.part(matrix, &others));
        gyroscopic(stiffness, &turning, inertia).map_or_else(Vec::new, cleaned)
    }

    /// ω² with all joints free and without damping, rad²/s², ascending; rigid motions that nothing drives are left out.
    #[must_use]
    pub fn free_squares(&self) -> Vec<f64> {
        let turning = self.gyroscopic();
        let found = if self.is_zero_at_joints(&self.stiffness) && self.is_zero_at_joints(&turning) {
            let others = self.others();
            let [stiffness, turning] = [&self.stiffness, &turning].map(|matrix| self.part(matrix, &others));
            self.reduced_inertia().and_then(|inertia| gyroscopic(stiffness, &turning, inertia))
        } else {
            gyroscopic(self.stiffness.to_nalgebra(), &turning.to_nalgebra(), self.inertia.to_nalgebra())
        };
        found.map_or_else(Vec::new, cleaned)
    }

    /// Natural frequencies without damping and with all joints locked, Hz, ascending.
    #[must_use]
    pub fn locked_frequencies(&self) -> Vec<f64> {
        hertz(self.locked_squares())
    }

    /// Natural frequencies without damping and with all joints free, Hz, ascending; rigid motions left out.
    #[must_use]
    pub fn free_frequencies(&self) -> Vec<f64> {
        hertz(self.free_squares())
    }

    /// The undamped modes, slowest first.
    ///
    /// # Errors
    /// An inertia that is not positive definite.
    pub fn modes(&self) -> Result<Vec<Mode>, LinearError> {
        let l = Cholesky::new(self.inertia.to_nalgebra()).ok_or(LinearError::NoConvergence)?.l();
        let scaled = whitened(&l, self.stiffness.to_nalgebra()).ok_or(LinearError::NoConvergence)?;
        let eigen = spectral::symmetric(scaled).ok_or(LinearError::NoConvergence)?;
        let upper = l.transpose();
        let mode = |k: usize| {
            let shape = DVector::from(eigen.eigenvectors.column(k));
            let shape = upper.solve_upper_triangular(&shape).ok_or(LinearError::NoConvergence)?;
            // The largest entry of a mode points ahead.
            let largest = shape.iter().fold(0.0_f64, |best, x| if x.abs() > best.abs() { *x } else { best });
            let sign = if largest < 0.0 { -1.0 } else { 1.0 };
            Ok(Mode { omega_squared: eigen.eigenvalues[k], shape: shape.iter().map(|x| sign * x).collect() })
        };
        let mut modes = (0..self.size()).map(mode).collect::<Result<Vec<_>, _>>()?;
        modes.sort_by(|a, b| a.omega_squared.total_cmp(&b.omega_squared));
        Ok(modes)
    }

    /// The state-space form.
    ///
    /// # Errors
    /// If B cannot be inverted.
    pub fn state_space(&self) -> Result<StateSpace, LinearError> {
        let (n, size) = (self.joints(), self.size());
        let factor = Cholesky::new(self.inertia.to_nalgebra()).ok_or(LinearError::NoConvergence)?;
        let solve = |right: &Matrix<f64>| factor.solve(&right.to_nalgebra());
        let a = companion(&solve(&self.stiffness), &solve(&self.damping), size);
        let input = solve(&self.input);
        Ok(StateSpace {
            a: Matrix::from_fn(2 * size, 2 * size, |i, j| a[(i, j)]),
            b: Matrix::from_fn(2 * size, n, |i, j| if i < size { 0.0 } else { input[(i - size, j)] }),
            c: Matrix::from_fn(self.outputs.len(), 2 * size, |i, j| if j < size { self.output[(i, j)] } else { 0.0 }),
            d: Matrix::zeros(self.outputs.len(), n),
        })
    }

    /// The poles, rad/s, sorted by size.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn poles(&self) -> Result<Vec<Complex<f64>>, LinearError> {
        if !(self.is_zero_at_joints(&self.stiffness) && self.is_zero_at_joints(&self.damping)) {
            let [inertia, damping, stiffness] =
                [&self.inertia, &self.damping, &self.stiffness].map(|matrix| matrix.to_nalgebra());
            return quadratic(&inertia, &damping, &stiffness);
        }
        // Rigid motions are exactly at the origin, and computed they would not be.
        let mut poles = vec![Complex::new(0.0, 0.0); 2 * self.joints()];
        let others = self.others();
        if !others.is_empty() {
            let inertia = self.reduced_inertia().ok_or(LinearError::NoConvergence)?;
            let [damping, stiffness] = [&self.damping, &self.stiffness].map(|matrix| self.part(matrix, &others));
            poles.extend(quadratic(&inertia, &damping, &stiffness)?);
        }
        Ok(poles)
    }

    /// The poles as real and imaginary part, rad/s, the largest real part first.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn eigenvalues(&self) -> Result<Vec<[f64; 2]>, LinearError> {
        let mut pairs: Vec<[f64; 2]> = self.poles()?.iter().map(|pole| [pole.re, pole.im]).collect();
        pairs.sort_by(|a, b| b[0].total_cmp(&a[0]).then(b[1].total_cmp(&a[1])));
        Ok(pairs)
    }

    /// The largest absolute value of the poles, 1/s: how fast the fastest of the motions is.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn fastest(&self) -> Result<f64, LinearError> {
        Ok(self.poles()?.iter().map(|pole| pole.norm()).fold(0.0, f64::max))
    }

    /// The zeros from an input to an output (both counted from zero), rad/s, sorted by size.
    ///
    /// # Errors
    /// No such channel, or eigenvalues that do not converge.
    pub fn zeros(&self, input: usize, output: usize) -> Result<Vec<Complex<f64>>, LinearError> {
        let size = self.size();
        self.check_channel(input, output)?;
        let largest = |weight: &dyn Fn(usize) -> f64| {
            (0..size).max_by(|&a, &b| weight(a).abs().total_cmp(&weight(b).abs())).unwrap_or(0)
        };
        let driven = largest(&|c| self.input[(c, input)]);
        // Solve c·p = 0 for the coordinate that c weighs most, and leave the row of the torque out.
        let weights: Vec<f64> = (0..size).map(|c| self.output[(output, c)]).collect();
        let pivot = largest(&|c| weights[c]);
        if weights[pivot] == 0.0 || size < 2 {
            return Ok(Vec::new());
        }
        let rows: Vec<usize> = (0..size).filter(|&c| c != driven).collect();
        let columns: Vec<usize> = (0..size).filter(|&c| c != pivot).collect();
        let project = |matrix: &Matrix<f64>| {
            DMatrix::from_fn(size - 1, size - 1, |i, j| {
                let (row, column) = (rows[i], columns[j]);
                matrix[(row, column)] - matrix[(row, pivot)] * weights[column] / weights[pivot]
            })
        };
        quadratic(&project(&self.inertia), &project(&self.damping), &project(&self.stiffness))
    }

    /// The frequency response from an input to an output (both counted from zero) at ω, rad/s; `None` at a pole.
    #[must_use]
    pub fn response(&self, input: usize, output: usize, omega: f64) -> Option<Complex<f64>> {
        let size = self.size();
        let dynamic = DMatrix::from_fn(size, size, |i, j| {
            let real = self.stiffness[(i, j)] - omega * omega * self.inertia[(i, j)];
            Complex::new(real, omega * self.damping[(i, j)])
        });
        let force = DVector::from_fn(size, |i, _| Complex::new(self.input[(i, input)], 0.0));
        let motion = dynamic.lu().solve(&force)?;
        let value = (0..size).fold(Complex::new(0.0, 0.0), |sum, c| sum + motion[c] * self.output[(output, c)]);
        (value.re.is_finite() && value.im.is_finite()).then_some(value)
    }

    /// Checks the numbers of a channel, counted from zero.
    ///
    /// # Errors
    /// No such channel.
    pub fn check_channel(&self, input: usize, output: usize) -> Result<(), LinearError> {
        for (what, number, count) in [("input", input, self.joints()), ("output", output, self.outputs.len())] {
            if number >= count {
                return Err(LinearError::Channel { what, number: number + 1, count });
            }
        }
        Ok(())
    }
}
