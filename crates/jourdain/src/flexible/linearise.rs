//! Small motions about a configuration: natural frequencies, state space, poles and zeros.
//!
//! At rest h vanishes to first order, so that B q̈ + D q̇ + (K + ∂g/∂q) Δq = Q Δu. With gravity the arm is linearised about the
//! deflections at which it hangs still at the given joint angles, the joints being held by their torques.
//!
//! Frequencies come from symmetric eigenproblems: *locked* joints leave the deflections, *free* joints leave what is left of them
//! once the joints follow, B_δδ − B_δθ B_θθ⁻¹ B_θδ. The zeros of a collocated channel, uᵢ to θᵢ, are the poles with joint i locked;
//! those of any other output c·q are the eigenvalues of the equations without row i on the space c·q = 0. Trap: the zeros to
//! the tip lie on both sides of the imaginary axis: no causal inverse makes the tip follow exactly.

use super::arm::FlexibleArm;
use super::factor::Indefinite;
use super::terms::{add_stiffness, terms};
use super::tip::tip;
use crate::matrix::Matrix;
use jourdain_symbolic::Dual;
use nalgebra::{Cholesky, Complex, DMatrix, DVector, Schur, SymmetricEigen};

/// The linear model.
#[derive(Clone, Debug)]
pub struct Linearization {
    /// The position it is about.
    pub q: Vec<f64>,
    /// The torques that hold it.
    pub torque: Vec<f64>,
    /// B
    pub inertia: Matrix<f64>,
    /// K + ∂g/∂q
    pub stiffness: Matrix<f64>,
    /// The diagonal of D.
    pub damping: Vec<f64>,
    /// The names of the outputs: the joint angles, then x, y and angle of the tip.
    pub outputs: Vec<String>,
    /// Outputs by coordinates.
    pub output: Matrix<f64>,
    joints: usize,
    /// True if nothing acts on the joints by their position or speed: then rigid motions are exact zeros.
    drifting: bool,
}

/// ẋ = A x + B u, y = C x + D u with x = (q, q̇).
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// A, 2N × 2N
    pub a: Matrix<f64>,
    /// B, 2N × n
    pub b: Matrix<f64>,
    /// C, outputs × 2N
    pub c: Matrix<f64>,
    /// D, outputs × n: zero.
    pub d: Matrix<f64>,
}

/// Why there is no linear model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LineariseError {
    /// B is not positive definite there.
    #[error(transparent)]
    Indefinite(Box<Indefinite>),
    /// No deflections at which the arm hangs still were found.
    #[error("the arm has no equilibrium under gravity near these joint angles")]
    NoEquilibrium,
    /// A vector of another length than the arm's.
    #[error("the position must have {joints} joint angles or {size} coordinates, not {found} numbers")]
    Length {
        /// Joints.
        joints: usize,
        /// Coordinates.
        size: usize,
        /// Numbers given.
        found: usize,
    },
    /// No such channel.
    #[error("there is no {what} {number}: the arm has {count}")]
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

/// Linearises about joint angles, or about all coordinates.
///
/// # Errors
/// A position of another length, one without equilibrium, or one where B is not positive definite.
pub fn linearise(arm: &FlexibleArm<f64>, position: &[f64]) -> Result<Linearization, LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    let mut q = vec![0.0; size];
    match position.len() {
        found if found == n => q[..n].copy_from_slice(position),
        found if found == size => q.copy_from_slice(position),
        found => return Err(LineariseError::Length { joints: n, size, found }),
    }
    if arm.has_gravity() && position.len() == n && size > n {
        settle(arm, &mut q)?;
    }
    let still = terms(arm, &q, &vec![0.0; size]);
    let stiffness = tangent(arm, &q);
    if Cholesky::new(still.inertia.to_nalgebra()).is_none() {
        return Err(LineariseError::Indefinite(Box::new(Indefinite::at(arm, &q, None))));
    }
    let jacobian = tip(arm, &q).jacobian;
    let output = Matrix::from_fn(n + 3, size, |row, c| match row {
        row if row < n => f64::from(u8::from(row == c)),
        row => jacobian[(row - n, c)],
    });
    let mut outputs: Vec<String> = (1..=n).map(|i| format!("theta{i}")).collect();
    outputs.extend(["tip_x", "tip_y", "tip_angle"].map(str::to_owned));
    let drifting = !arm.has_gravity() && arm.links().iter().all(|link| link.viscous == 0.0);
    Ok(Linearization {
        torque: still.gravity[..n].to_vec(),
        inertia: still.inertia,
        stiffness,
        damping: arm.damping(),
        outputs,
        output,
        joints: n,
        drifting,
        q,
    })
}

/// K + ∂g/∂q
fn tangent(arm: &FlexibleArm<f64>, q: &[f64]) -> Matrix<f64> {
    let size = arm.size();
    let mut sum = Matrix::zeros(size, size);
    for (row, column, k) in arm.stiffness() {
        sum[(row, column)] += k;
    }
    if arm.has_gravity() {
        let still = vec![Dual::fixed(0.0); size];
        for column in 0..size {
            let mut moved: Vec<Dual<f64>> = q.iter().map(|&x| Dual::fixed(x)).collect();
            moved[column] = Dual::variable(q[column]);
            for (row, g) in terms(arm, &moved, &still).gravity.iter().enumerate() {
                sum[(row, column)] += g.derivative;
            }
        }
    }
    sum
}

/// Moves the deflections to where the arm hangs still at its joint angles, by Newton's method.
fn settle(arm: &FlexibleArm<f64>, q: &mut [f64]) -> Result<(), LineariseError> {
    let (n, size) = (arm.joints(), arm.size());
    for _ in 0..50 {
        let mut residual = terms(arm, q, &vec![0.0; size]).gravity;
        add_stiffness(arm, q, &mut residual);
        let tangent = tangent(arm, q).to_nalgebra();
        let part = tangent.view((n, n), (size - n, size - n)).into_owned();
        let right = DVector::from_column_slice(&residual[n..]);
        let step = part.lu().solve(&right).ok_or(LineariseError::NoEquilibrium)?;
        q[n..].iter_mut().zip(step.iter()).for_each(|(x, dx)| *x -= dx);
        let scale = q[n..].iter().fold(1e-12_f64, |m, x| m.max(x.abs()));
        if step.amax() <= 1e-13 * scale {
            return Ok(());
        }
        if !step.amax().is_finite() {
            break;
        }
    }
    Err(LineariseError::NoEquilibrium)
}

/// λ of K x = λ B x, ascending, both symmetric and B definite.
fn squares(stiffness: DMatrix<f64>, inertia: DMatrix<f64>) -> Option<Vec<f64>> {
    if inertia.is_empty() {
        return Some(Vec::new());
    }
    let l = Cholesky::new(inertia)?.l();
    let half = l.solve_lower_triangular(&stiffness)?;
    let whitened = l.solve_lower_triangular(&half.transpose())?;
    let mut values: Vec<f64> =
        SymmetricEigen::new((&whitened + whitened.transpose()) * 0.5).eigenvalues.iter().copied().collect();
    values.sort_by(f64::total_cmp);
    Some(values)
}

fn hertz(squares: Vec<f64>) -> Vec<f64> {
    // Below zero the arm does not swing but falls; it is left out.
    squares.into_iter().filter(|&x| x > 0.0).map(|x| x.sqrt() / std::f64::consts::TAU).collect()
}

impl Linearization {
    fn size(&self) -> usize {
        self.q.len()
    }

    fn part(&self, matrix: &Matrix<f64>, keep: &[usize]) -> DMatrix<f64> {
        DMatrix::from_fn(keep.len(), keep.len(), |i, j| matrix[(keep[i], keep[j])])
    }

    /// B and K of the deflections once the joints follow freely.
    fn reduced(&self) -> Option<[DMatrix<f64>; 2]> {
        let (n, size) = (self.joints, self.size());
        let (theta, delta): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..size).collect());
        let coupling = DMatrix::from_fn(n, size - n, |i, j| self.inertia[(i, n + j)]);
        let solved = Cholesky::new(self.part(&self.inertia, &theta))?.solve(&coupling);
        let inertia = self.part(&self.inertia, &delta) - coupling.transpose() * solved;
        Some([(&inertia + inertia.transpose()) * 0.5, self.part(&self.stiffness, &delta)])
    }

    /// Natural frequencies without damping and with all joints locked, Hz, ascending.
    #[must_use]
    pub fn locked_frequencies(&self) -> Vec<f64> {
        let delta: Vec<usize> = (self.joints..self.size()).collect();
        squares(self.part(&self.stiffness, &delta), self.part(&self.inertia, &delta)).map_or_else(Vec::new, hertz)
    }

    /// Natural frequencies without damping and with all joints free, Hz, ascending; rigid motions left out.
    #[must_use]
    pub fn free_frequencies(&self) -> Vec<f64> {
        let all: Vec<usize> = (0..self.size()).collect();
        let found = if self.stiffness_of_joints_is_zero() {
            self.reduced().and_then(|[inertia, stiffness]| squares(stiffness, inertia))
        } else {
            squares(self.part(&self.stiffness, &all), self.part(&self.inertia, &all))
        };
        found.map_or_else(Vec::new, hertz)
    }

    fn stiffness_of_joints_is_zero(&self) -> bool {
        (0..self.joints).all(|i| (0..self.size()).all(|j| self.stiffness[(i, j)] == 0.0))
    }

    /// The state-space form.
    ///
    /// # Errors
    /// If B cannot be inverted.
    pub fn state_space(&self) -> Result<StateSpace, LineariseError> {
        let (n, size) = (self.joints, self.size());
        let solve = |right: DMatrix<f64>| {
            Cholesky::new(self.inertia.to_nalgebra()).map(|l| l.solve(&right)).ok_or(LineariseError::NoConvergence)
        };
        let spring = solve(self.stiffness.to_nalgebra())?;
        let damper = solve(DMatrix::from_diagonal(&DVector::from_column_slice(&self.damping)))?;
        let input = solve(DMatrix::from_fn(size, n, |i, j| f64::from(u8::from(i == j))))?;
        Ok(StateSpace {
            a: Matrix::from_fn(2 * size, 2 * size, |i, j| match (i < size, j < size) {
                (true, _) => f64::from(u8::from(j == i + size)),
                (false, true) => -spring[(i - size, j)],
                (false, false) => -damper[(i - size, j - size)],
            }),
            b: Matrix::from_fn(2 * size, n, |i, j| if i < size { 0.0 } else { input[(i - size, j)] }),
            c: Matrix::from_fn(self.outputs.len(), 2 * size, |i, j| if j < size { self.output[(i, j)] } else { 0.0 }),
            d: Matrix::zeros(self.outputs.len(), n),
        })
    }

    /// The poles, rad/s, sorted by size.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn poles(&self) -> Result<Vec<Complex<f64>>, LineariseError> {
        let (n, size) = (self.joints, self.size());
        if !self.drifting {
            let matrices = [self.inertia.to_nalgebra(), self.stiffness.to_nalgebra()];
            return quadratic(&matrices[0], &self.damping, &matrices[1], None);
        }
        // Rigid motions are exactly at the origin, and computed they would not be.
        let mut poles = vec![Complex::new(0.0, 0.0); 2 * n];
        if size > n {
            let [inertia, stiffness] = self.reduced().ok_or(LineariseError::NoConvergence)?;
            poles.extend(quadratic(&inertia, &self.damping[n..], &stiffness, None)?);
        }
        Ok(poles)
    }

    /// The zeros from a joint torque (counted from zero) to an output, rad/s, sorted by size.
    ///
    /// # Errors
    /// No such channel, or eigenvalues that do not converge.
    pub fn zeros(&self, input: usize, output: usize) -> Result<Vec<Complex<f64>>, LineariseError> {
        let size = self.size();
        self.check_channel(input, output)?;
        // Solve c·q = 0 for the coordinate that c weighs most, and leave the row of the torque out.
        let weights: Vec<f64> = (0..size).map(|c| self.output[(output, c)]).collect();
        let pivot = (0..size).max_by(|&a, &b| weights[a].abs().total_cmp(&weights[b].abs())).unwrap_or(0);
        if weights[pivot] == 0.0 || size < 2 {
            return Ok(Vec::new());
        }
        let rows: Vec<usize> = (0..size).filter(|&c| c != input).collect();
        let columns: Vec<usize> = (0..size).filter(|&c| c != pivot).collect();
        let project = |entry: &dyn Fn(usize, usize) -> f64| {
            DMatrix::from_fn(size - 1, size - 1, |i, j| {
                let (row, column) = (rows[i], columns[j]);
                entry(row, column) - entry(row, pivot) * weights[column] / weights[pivot]
            })
        };
        let inertia = project(&|i, j| self.inertia[(i, j)]);
        let stiffness = project(&|i, j| self.stiffness[(i, j)]);
        let damping = project(&|i, j| if i == j { self.damping[i] } else { 0.0 });
        quadratic(&inertia, &[], &stiffness, Some(&damping))
    }

    /// The frequency response from a joint torque (counted from zero) to an output at ω, rad/s; `None` at a pole.
    #[must_use]
    pub fn response(&self, input: usize, output: usize, omega: f64) -> Option<Complex<f64>> {
        let size = self.size();
        let dynamic = DMatrix::from_fn(size, size, |i, j| {
            let damping = if i == j { self.damping[i] } else { 0.0 };
            Complex::new(self.stiffness[(i, j)] - omega * omega * self.inertia[(i, j)], omega * damping)
        });
        let mut force = DVector::from_element(size, Complex::new(0.0, 0.0));
        force[input] = Complex::new(1.0, 0.0);
        let motion = dynamic.lu().solve(&force)?;
        let value = (0..size).fold(Complex::new(0.0, 0.0), |sum, c| sum + motion[c] * self.output[(output, c)]);
        (value.re.is_finite() && value.im.is_finite()).then_some(value)
    }

    /// Checks the numbers of a channel, counted from zero.
    ///
    /// # Errors
    /// No such channel.
    pub fn check_channel(&self, input: usize, output: usize) -> Result<(), LineariseError> {
        if input >= self.joints {
            return Err(LineariseError::Channel { what: "input", number: input + 1, count: self.joints });
        }
        let count = self.outputs.len();
        if output >= count {
            return Err(LineariseError::Channel { what: "output", number: output + 1, count });
        }
        Ok(())
    }
}

/// s of (B s² + D s + K) x = 0. `full` is D if it is not the diagonal.
fn quadratic(
    inertia: &DMatrix<f64>,
    diagonal: &[f64],
    stiffness: &DMatrix<f64>,
    full: Option<&DMatrix<f64>>,
) -> Result<Vec<Complex<f64>>, LineariseError> {
    let size = inertia.nrows();
    let damping = full.cloned().unwrap_or_else(|| DMatrix::from_diagonal(&DVector::from_column_slice(diagonal)));
    let lu = inertia.clone().lu();
    let solve = |right: &DMatrix<f64>| lu.solve(right).ok_or(LineariseError::NoConvergence);
    let spring = solve(stiffness)?;
    let mut roots: Vec<Complex<f64>> = if damping.iter().all(|&x| x == 0.0) {
        let symmetric = (stiffness - stiffness.transpose()).amax() <= 1e-12 * stiffness.amax()
            && (inertia - inertia.transpose()).amax() <= 1e-12 * inertia.amax();
        let found: Vec<Complex<f64>> = match squares(stiffness.clone(), inertia.clone()).filter(|_| symmetric) {
            Some(values) => values.into_iter().map(|x| Complex::new(-x, 0.0)).collect(),
            None => eigenvalues(-spring)?,
        };
        found.into_iter().flat_map(|square| [square.sqrt(), -square.sqrt()]).collect()
    } else {
        let damper = solve(&damping)?;
        eigenvalues(DMatrix::from_fn(2 * size, 2 * size, |i, j| match (i < size, j < size) {
            (true, _) => f64::from(u8::from(j == i + size)),
            (false, true) => -spring[(i - size, j)],
            (false, false) => -damper[(i - size, j - size)],
        }))?
    };
    if roots.iter().any(|s| !s.re.is_finite() || !s.im.is_finite()) {
        return Err(LineariseError::NoConvergence);
    }
    roots.sort_by(|a, b| a.norm().total_cmp(&b.norm()).then(a.im.total_cmp(&b.im)).then(a.re.total_cmp(&b.re)));
    Ok(roots)
}

fn eigenvalues(matrix: DMatrix<f64>) -> Result<Vec<Complex<f64>>, LineariseError> {
    if matrix.iter().any(|x| !x.is_finite()) {
        return Err(LineariseError::NoConvergence);
    }
    let schur = Schur::try_new(matrix, f64::EPSILON, 10_000).ok_or(LineariseError::NoConvergence)?;
    Ok(schur.complex_eigenvalues().iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::super::description::ArmDescription;
    use super::super::tests::{description, link, numbers, paper, suite};
    use super::*;

    #[test]
    fn assembled_frequencies_are_the_stored_ones_and_near_finite_elements() {
        for case in suite()["linear"].as_array().unwrap() {
            let theta2 = case["theta2"].as_f64().unwrap();
            for modes in [2, 3, 5] {
                let arm = paper(modes).build().unwrap().arm;
                let model = linearise(&arm, &[0.4, theta2]).unwrap();
                let stored = &case["assumed_modes"][format!("m{modes}")];
                for (found, key) in
                    [(model.free_frequencies(), "free_joint_hz"), (model.locked_frequencies(), "locked_joint_hz")]
                {
                    let known = numbers(&stored[key]);
                    assert!(found.len() >= known.len(), "{found:?} {known:?}");
                    assert!(found.iter().zip(&known).all(|(a, b)| (a / b - 1.0).abs() < 1e-9), "{found:?} {known:?}");
                    if modes == 3 {
                        let elements = numbers(&case["linear_FE_20el_EA1e6"][key]);
                        let near = found.iter().zip(&elements).take(4).all(|(a, b)| (a / b - 1.0).abs() < 2e-3);
                        assert!(near, "{found:?} {elements:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn poles_are_the_eigenvalues_of_the_state_matrix_and_damping_moves_them_left() {
        let mut arm = paper(2);
        for damped in [false, true] {
            for link in &mut arm.links {
                link.damping = super::super::Damping::Factor(if damped { 0.1 } else { 0.0 });
                link.viscous = if damped { 0.02 } else { 0.0 };
            }
            let model = linearise(&arm.build().unwrap().arm, &[0.0, 0.9]).unwrap();
            let poles = model.poles().unwrap();
            assert_eq!(poles.len(), 12);
            let a = model.state_space().unwrap().a.to_nalgebra();
            let direct = eigenvalues(a).unwrap();
            for pole in poles.iter().filter(|pole| pole.norm() > 1.0) {
                let nearest = direct.iter().map(|other| (pole - other).norm()).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-8 * pole.norm(), "{pole}");
                assert!(if damped { pole.re < 0.0 } else { pole.re == 0.0 });
            }
        }
    }

    #[test]
    fn zeros_are_where_the_response_vanishes() {
        let arm = paper(2).build().unwrap().arm;
        let model = linearise(&arm, &[0.2, 1.0]).unwrap();
        for (input, output) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
            for zero in model.zeros(input, output).unwrap().iter().filter(|zero| zero.im > 0.5 && zero.re.abs() < 1e-9)
            {
                let size = |omega: f64| model.response(input, output, omega).unwrap().norm();
                let [at, near] = [size(zero.im), size(zero.im * 1.01)];
                assert!(at < 1e-7 * near, "{input} {output} {zero}: {at} {near}");
            }
        }
        // Collocated: the poles with that joint locked, all on the axis.
        assert!(model.zeros(0, 0).unwrap().iter().all(|zero| zero.re.abs() < 1e-6));
        let x = model.outputs.iter().position(|name| name == "tip_y").unwrap();
        assert!(model.zeros(1, x).unwrap().iter().any(|zero| zero.re > 1.0), "the tip is not minimum phase");
        assert!(model.zeros(2, 0).is_err() && model.zeros(0, 5).is_err());
    }

    #[test]
    fn one_link_has_the_zeros_of_its_clamped_beam() {
        let arm = description(vec![link(0.8, 0.3, 2.5, [0.0, 0.05], 4)], [0.25, 0.002]).build().unwrap();
        let model = linearise(&arm.arm, &[0.0]).unwrap();
        let zeros = model.zeros(0, 0).unwrap();
        let positive: Vec<f64> = zeros.iter().filter(|zero| zero.im > 0.0).map(|zero| zero.im).collect();
        assert_eq!(positive.len(), 4);
        for (zero, mode) in positive.iter().zip(&arm.modes[0]) {
            assert!((zero / mode.omega - 1.0).abs() < 1e-9, "{zero} {}", mode.omega);
        }
    }

    #[test]
    fn under_gravity_the_arm_hangs_before_it_is_linearised() {
        for kinematics in super::super::Kinematics::ALL {
            let arm = ArmDescription { gravity: [0.0, -9.81], kinematics, ..paper(2) };
            let mut arm = arm;
            arm.links.iter_mut().for_each(|link| link.beam.rigidity = 60.0);
            let arm = arm.build().unwrap().arm;
            let model = linearise(&arm, &[-1.2, 0.3]).unwrap();
            let mut forces = terms(&arm, &model.q, &[0.0; 6]).gravity;
            add_stiffness(&arm, &model.q, &mut forces);
            assert!(forces[2..].iter().all(|x| x.abs() < 1e-10), "{forces:?}");
            assert!((forces[0] - model.torque[0]).abs() < 1e-14 && model.q[2].abs() > 1e-3);
            let asymmetry = (model.stiffness.to_nalgebra() - model.stiffness.transpose().to_nalgebra()).amax();
            assert!(asymmetry < 1e-10, "{asymmetry}");
            assert_eq!(model.free_frequencies().len(), 6, "a hanging arm is a pendulum with all its frequencies");
            assert_eq!(model.poles().unwrap().len(), 12);
        }
    }

    #[test]
    fn positions_without_a_linear_model_are_refused() {
        let arm = paper(2).build().unwrap().arm;
        assert!(matches!(linearise(&arm, &[0.0; 3]), Err(LineariseError::Length { .. })));
        let bent = [0.0, 1.5, 0.5, 0.0, 0.0, 0.0];
        assert!(matches!(linearise(&arm, &bent), Err(LineariseError::Indefinite(_))));
        let rigid = paper(0).build().unwrap().arm;
        let model = linearise(&rigid, &[0.0, 1.0]).unwrap();
        assert!(model.locked_frequencies().is_empty() && model.free_frequencies().is_empty());
        assert_eq!(model.poles().unwrap().len(), 4);
        assert_eq!(model.zeros(0, 0).unwrap().len(), 2);
    }
}
