//! The paper's own method: solve x = f(θ), Z h = 0 as n equations, Ch (11), by Powell's hybrid method; and the extended-Jacobian
//! form for one redundant joint, Ch (27).
//!
//! Z = [J_{n−m} J_m⁻¹ : −1], Ch (9), with J_m made of m rows of Jᵀ that are independent at the start. Trap: J_m can be
//! singular where J is regular, and zeros of Z h are minima, maxima and saddles alike; both are why the solver users get is
//! [another one](super::Solver::solve).

use super::hybrid;
use super::linear::{dot, norm};
use super::report::{Goal, IkError, Solution};
use super::solver::Solver;
use crate::spatial::Pose;

/// Which n − m equations stand beside the task's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Z h = 0, Ch (10).
    Null,
    /// n_Jᵀ h = 0 with n_J made of determinants, Ch (27), (28); n = m + 1 only.
    ExtendedJacobian,
}

impl Solver<'_> {
    /// Ch (11) from a start, without limits. The report's iterations are evaluations of the equations.
    ///
    /// # Errors
    /// If target or start are none, or the task's rows are dependent.
    pub fn solve_chang(
        &mut self,
        target: &Pose<f64>,
        start: Option<&[f64]>,
        extra: Extra,
    ) -> Result<Solution, IkError> {
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        if self.generic_rank < m || n < m || !self.chain.quaternions().is_empty() {
            return Err(IkError::Method("the method needs independent rows and joints without quaternions"));
        }
        if extra == Extra::ExtendedJacobian && n != m + 1 {
            return Err(IkError::Method("the extended-Jacobian form is for one redundant joint, n = m + 1"));
        }
        self.set_target(target)?;
        let mut q = self.first_start(start)?;
        self.evaluate_task(&q);
        let chosen = independent_columns(&self.local.jacobian, m, n);
        let positions: Vec<usize> = self.chain.variables.iter().filter_map(|variable| variable.position).collect();
        let mut x: Vec<f64> = positions.iter().map(|&position| q[position]).collect();
        let outcome = hybrid::solve(&mut x, 1e-13, 400 * (n + 1), |x, f| {
            positions.iter().zip(x).for_each(|(&position, x)| q[position] = *x);
            self.evaluate_task(&q);
            self.evaluate_criterion(&q);
            if !self.local.value.is_finite() || !x.iter().all(|x| x.is_finite()) {
                return false;
            }
            f[..m].copy_from_slice(&self.local.residual.e[..m]); // Ch (2)
            match extra {
                Extra::Null => null_equations(&self.local.jacobian, &self.local.gradient, &chosen, m, n, &mut f[m..]),
                Extra::ExtendedJacobian => {
                    f[m] = dot(&determinants(&self.local.jacobian, m), &self.local.gradient); // Ch (27)
                    true
                }
            }
        });
        positions.iter().zip(&x).for_each(|(&position, x)| q[position] = *x);
        self.local.held.fill(0);
        // The method finds stationary points of any kind; the goal decides whether it is the wrong one.
        let report = self.certify(&q, outcome.evaluations, 1);
        let report = self.judged(report);
        Ok(self.solution(&q, report, start.is_none()))
    }

    /// As the solver's goal says, without a choice of its own.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.options.goal
    }
}

/// m columns of J that are independent, largest remaining part first.
fn independent_columns(jacobian: &[f64], m: usize, n: usize) -> Vec<usize> {
    let mut columns: Vec<Vec<f64>> = (0..n).map(|c| (0..m).map(|k| jacobian[k * n + c]).collect()).collect();
    let mut chosen = Vec::with_capacity(m);
    for _ in 0..m {
        let rest = (0..n).filter(|c| !chosen.contains(c));
        let Some(best) = rest.max_by(|&a, &b| norm(&columns[a]).total_cmp(&norm(&columns[b]))) else { break };
        let length = norm(&columns[best]).max(f64::MIN_POSITIVE);
        let unit: Vec<f64> = columns[best].iter().map(|x| x / length).collect();
        for column in &mut columns {
            let along = dot(column, &unit);
            column.iter_mut().zip(&unit).for_each(|(x, u)| *x -= along * u);
        }
        chosen.push(best);
    }
    chosen
}

/// Z h by λ of Ch (7) put into Ch (8); false if J_m is singular.
fn null_equations(jacobian: &[f64], h: &[f64], chosen: &[usize], m: usize, n: usize, out: &mut [f64]) -> bool {
    let matrix: Vec<f64> = chosen.iter().flat_map(|&c| (0..m).map(move |k| jacobian[k * n + c])).collect();
    let right: Vec<f64> = chosen.iter().map(|&c| -h[c]).collect();
    let Some(lambda) = hybrid::solve_dense(&matrix, &right) else { return false }; // Ch (7)
    let others = (0..n).filter(|c| !chosen.contains(c));
    for (z, c) in out.iter_mut().zip(others) {
        *z = -(0..m).map(|k| jacobian[k * n + c] * lambda[k]).sum::<f64>() - h[c]; // Ch (8), (10)
    }
    true
}

/// n_J: Δ_i = (−1)^{i+1} det(J without column i), i from one, Ch (28).
fn determinants(jacobian: &[f64], m: usize) -> Vec<f64> {
    let n = m + 1;
    (0..n)
        .map(|skipped| {
            let minor: Vec<f64> =
                (0..m).flat_map(|k| (0..n).filter(move |&c| c != skipped).map(move |c| jacobian[k * n + c])).collect();
            let sign = if skipped % 2 == 0 { 1.0 } else { -1.0 };
            sign * determinant(minor, m)
        })
        .collect()
}

fn determinant(mut a: Vec<f64>, n: usize) -> f64 {
    let mut product = 1.0;
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| if a[i * n + k].abs() > a[best * n + k].abs() { i } else { best });
        if a[pivot * n + k] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            product = -product;
        }
        product *= a[k * n + k];
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Ch (40): the determinants are the null space, and Z of one redundant joint is a multiple of them.
    #[test]
    fn determinants_span_the_null_space_for_odd_and_even_dimensions() {
        let mut random = Random(3);
        for m in 1..7 {
            let n = m + 1;
            let jacobian = random.vector(m * n);
            let null = determinants(&jacobian, m);
            (0..m).for_each(|k| assert!(dot(&jacobian[k * n..(k + 1) * n], &null).abs() < 1e-12));
            let h = random.vector(n);
            let chosen: Vec<usize> = (0..m).collect();
            let mut z = [0.0];
            assert!(null_equations(&jacobian, &h, &chosen, m, n, &mut z));
            // [Z]_n = −1 and Δ_n is the determinant of the first m columns, with its sign.
            assert!((z[0] * -null[m] - dot(&null, &h)).abs() < 1e-9 * (1.0 + z[0].abs()), "{m}");
        }
    }
}
