//! Manipulability w = √det(J Jᵀ) over the task's rows, as the criterion −log w, with closed-form gradient and Hessian.
//!
//! With G = J Jᵀ = L Lᵀ, J_w = L⁻¹ J, E_h = L⁻¹ ∂_h J, B_h = E_h J_wᵀ:
//! −∂_h log w = −tr B_h and −∂_h∂_k log w = −Σ_c p_c·∂_h∂_k J_c + ½⟨B_h + B_hᵀ, B_k + B_kᵀ⟩ − ⟨E_h, E_k⟩, p = G⁻¹ J.
//!
//! The rows are those of the geometric Jacobian that the task fixes at its solution, positions divided by the task's length.
//! −log w has the stationary points of Ch (29), det(J Jᵀ); where the determinant is largest, −log w is smallest. It does not
//! change with the units but for a constant, and it grows without bound at singularities.
//!
//! Trap: dividing rows by a length, or weighting them, shifts −log w and moves no stationary point, but w itself scales.

use super::{Criterion, Point};
use crate::ik::linear::{ROWS, Small, cholesky, forward};
use crate::ik::task::project;
use crate::spatial::Vector;

/// Which function of w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// −log w.
    NegativeLogarithm,
    /// −w, rows as they are in the task; for the resolved-motion method, whose gains depend on it.
    NegativeVolume,
}

/// −log w of the task's Jacobian.
#[derive(Clone, Debug)]
pub struct Manipulability {
    measure: Measure,
    /// L⁻¹ J, m × n.
    white: Vec<f64>,
    /// p: 6-vectors per variable.
    dual: Vec<[f64; 6]>,
    /// L⁻¹ ∂_h J, n × (m × n).
    e: Vec<f64>,
    /// B_h + B_hᵀ, n × (m × m).
    b: Vec<[[f64; ROWS]; ROWS]>,
    gradient: Vec<f64>,
    factor: Small,
    /// L⁻¹ times the task's rows: takes a column's twist to L⁻¹ J.
    whitening: [[f64; 6]; ROWS],
    value: f64,
    /// L exists at the point of the last value.
    regular: bool,
}

impl Default for Manipulability {
    fn default() -> Self {
        Self::new(Measure::NegativeLogarithm)
    }
}

impl Manipulability {
    /// Of the given measure.
    #[must_use]
    pub fn new(measure: Measure) -> Self {
        Self {
            measure,
            white: Vec::new(),
            dual: Vec::new(),
            e: Vec::new(),
            b: Vec::new(),
            gradient: Vec::new(),
            factor: [[0.0; ROWS]; ROWS],
            whitening: [[0.0; 6]; ROWS],
            value: 0.0,
            regular: false,
        }
    }

    /// J over the variables into `white`, and L; false at a singularity.
    fn factor(&mut self, at: &Point<'_>) -> bool {
        let (n, m) = (at.chain.variables.len(), at.m);
        self.white.resize(m * n, 0.0);
        project(at.rows, m, at.chain, at.geometry, &mut self.white);
        let j = &self.white;
        for i in 0..m {
            for k in 0..=i {
                let x = (0..n).map(|c| j[i * n + c] * j[k * n + c]).sum();
                (self.factor[i][k], self.factor[k][i]) = (x, x);
            }
        }
        cholesky(m, &mut self.factor)
    }

    /// L⁻¹ A, L⁻¹ J and p = (L⁻¹ A)ᵀ L⁻¹ J.
    fn whiten(&mut self, at: &Point<'_>) {
        let (n, m) = (at.chain.variables.len(), at.m);
        for k in 0..6 {
            let mut column = [0.0; ROWS];
            (0..m).for_each(|i| column[i] = at.rows[i][k]);
            forward(m, &self.factor, &mut column);
            (0..m).for_each(|i| self.whitening[i][k] = column[i]);
        }
        self.white[..m * n].fill(0.0);
        for (c, column) in at.chain.columns.iter().enumerate() {
            let white = self.whitened(m, at.geometry.linear[c], at.geometry.angular[c]);
            (0..m).for_each(|i| self.white[i * n + column.variable] += column.factor * white[i]);
        }
        self.dual.resize(n, [0.0; 6]);
        for c in 0..n {
            let mut dual = [0.0; 6];
            for (i, row) in self.whitening[..m].iter().enumerate() {
                let x = self.white[i * n + c];
                (0..6).for_each(|k| dual[k] += row[k] * x);
            }
            self.dual[c] = dual;
        }
    }

    /// L⁻¹ A times a twist.
    #[inline]
    fn whitened(&self, m: usize, v: Vector<f64>, w: Vector<f64>) -> [f64; ROWS] {
        let mut out = [0.0; ROWS];
        for (x, row) in out.iter_mut().zip(&self.whitening[..m]) {
            *x = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * w[0] + row[4] * w[1] + row[5] * w[2];
        }
        out
    }

    /// ∂_h J_c of two columns.
    fn partial(at: &Point<'_>, h: usize, c: usize) -> [Vector<f64>; 2] {
        let (v, w) = (&at.geometry.linear, &at.geometry.angular);
        let (group, other) = (at.chain.columns[h].group, at.chain.columns[c].group);
        if h <= c || (group.is_some() && group == other) {
            [w[h].cross(v[c]), w[h].cross(w[c])]
        } else {
            [w[c].cross(v[h]), Vector::zero()]
        }
    }

    /// Σ_c p_c·∂_h∂_k J_c for all h ≤ k of a chain without coupled or quaternion joints, subtracted from `out`.
    fn subtract_third_order(&self, at: &Point<'_>, out: &mut [f64]) {
        let n = at.chain.variables.len();
        let (v, w) = (&at.geometry.linear, &at.geometry.angular);
        let linear = |c: usize| Vector([self.dual[c][0], self.dual[c][1], self.dual[c][2]]);
        let angular = |c: usize| Vector([self.dual[c][3], self.dual[c][4], self.dual[c][5]]);
        for k in 0..n {
            // c ≥ k: p·(ω_h × (ω_k × J_c)) = ω_h·((ω_k × J_c) × p).
            let mut outboard = Vector::zero();
            for c in k..n {
                outboard += w[k].cross(v[c]).cross(linear(c)) + w[k].cross(w[c]).cross(angular(c));
            }
            // h < c < k: p_v·(ω_h × (ω_c × v_k)); summed from k downwards.
            let mut between = Vector::zero();
            for h in (0..=k).rev() {
                if h + 1 < k {
                    between += w[h + 1].cross(v[k]).cross(linear(h + 1));
                }
                let mut sum = w[h].dot(outboard + between);
                // c ≤ h, but not c = k: p_v·(ω_c × (ω_h × v_k)).
                let arm = w[h].cross(v[k]);
                for c in 0..=h {
                    if c < k {
                        sum += linear(c).dot(w[c].cross(arm));
                    }
                }
                out[h * n + k] -= sum;
                if h != k {
                    out[k * n + h] -= sum;
                }
            }
        }
    }
}

impl Criterion for Manipulability {
    fn value(&mut self, at: &Point<'_>) -> f64 {
        self.regular = self.factor(at);
        self.value = if self.regular {
            let half_log = (0..at.m).map(|i| self.factor[i][i].ln()).sum::<f64>();
            match self.measure {
                Measure::NegativeLogarithm => -half_log,
                Measure::NegativeVolume => -half_log.exp(),
            }
        } else {
            match self.measure {
                Measure::NegativeLogarithm => f64::INFINITY,
                Measure::NegativeVolume => 0.0,
            }
        };
        self.value
    }

    fn gradient(&mut self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        if !self.regular {
            return;
        }
        self.whiten(at);
        for (h, by) in at.chain.columns.iter().enumerate() {
            let mut sum = 0.0;
            for (c, column) in at.chain.columns.iter().enumerate() {
                let p = &self.dual[column.variable];
                let [dv, dw] = Self::partial(at, h, c);
                let x = p[0] * dv[0] + p[1] * dv[1] + p[2] * dv[2] + p[3] * dw[0] + p[4] * dw[1] + p[5] * dw[2];
                sum += column.factor * x;
            }
            out[by.variable] -= by.factor * sum;
        }
        self.gradient.clear();
        self.gradient.extend_from_slice(out);
        if self.measure == Measure::NegativeVolume {
            // ∂(−w) = w ∂(−log w), and the value is −w.
            out.iter_mut().for_each(|x| *x *= -self.value);
        }
    }

    fn hessian(&mut self, at: &Point<'_>, out: &mut [f64]) -> bool {
        let (n, m) = (at.chain.variables.len(), at.m);
        if !at.chain.simple {
            return false;
        }
        out.fill(0.0);
        if !self.regular {
            return true;
        }
        self.e.resize(n * m * n, 0.0);
        self.b.resize(n, [[0.0; ROWS]; ROWS]);
        for h in 0..n {
            let mut block = std::mem::take(&mut self.e);
            let e = &mut block[h * m * n..(h + 1) * m * n];
            for c in 0..n {
                let [dv, dw] = Self::partial(at, h, c);
                let column = self.whitened(m, dv, dw);
                (0..m).for_each(|i| e[i * n + c] = column[i]);
            }
            let mut b = [[0.0; ROWS]; ROWS];
            for i in 0..m {
                for k in 0..m {
                    b[i][k] = (0..n).map(|c| e[i * n + c] * self.white[k * n + c]).sum();
                }
            }
            self.b[h] = std::array::from_fn(|i| std::array::from_fn(|k| b[i][k] + b[k][i]));
            self.e = block;
        }
        for h in 0..n {
            for k in h..n {
                let (eh, ek) = (&self.e[h * m * n..(h + 1) * m * n], &self.e[k * m * n..(k + 1) * m * n]);
                let mut sum: f64 = -eh.iter().zip(ek).map(|(a, b)| a * b).sum::<f64>();
                for (a, b) in self.b[h][..m].iter().zip(&self.b[k][..m]) {
                    sum += 0.5 * a[..m].iter().zip(&b[..m]).map(|(a, b)| a * b).sum::<f64>();
                }
                (out[h * n + k], out[k * n + h]) = (sum, sum);
            }
        }
        self.subtract_third_order(at, out);
        if self.measure == Measure::NegativeVolume {
            // ∂²(−w) = w (∂²(−log w) − ∂(log w)∂(log w)ᵀ).
            let w = -self.value;
            for h in 0..n {
                for k in 0..n {
                    out[h * n + k] = w * (out[h * n + k] - self.gradient[h] * self.gradient[k]);
                }
            }
        }
        true
    }

    fn is_periodic(&self) -> bool {
        true
    }
}
