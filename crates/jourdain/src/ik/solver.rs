//! The solver's state: the problem, all memory, and the linearisation that every method here uses.
//!
//! Jᵀ = Q R Pᵀ over the joints that are not at a limit gives the range part, an orthonormal null space N, the multipliers
//! λ = −(Jᵀ)⁺ ∂H, and with W = ∂²H + Σ λ ∂²e the reduced Hessian Nᵀ W N.

use super::chain::{Chain, Geometry};
use super::criterion::{Criterion, Point};
use super::linear::{Factor, ROWS, dot, norm, symmetric_eigen};
use super::optima::Optima;
use super::proof::Proof;
use super::report::{IkError, Options};
use super::task::{Equations, Residual, Task};
use crate::model::Model;
use crate::random::Random;
use crate::spatial::{Pose, Vector};
use std::f64::consts::TAU;

/// Diagonal elements of R below this share of the largest count as zero in a step.
const RANK: f64 = 1e-10;
/// Squares of larger distances are no numbers, m.
const FARTHEST: f64 = 1e100;

/// Solves one task on one robot with one criterion, for any number of targets. All memory is allocated here.
pub struct Solver<'m> {
    pub(super) model: &'m Model<f64>,
    pub(super) chain: Chain,
    pub(super) task: Task,
    pub(super) criterion: Box<dyn Criterion + 'm>,
    pub(super) options: Options,
    pub(super) equations: Equations,
    /// What the solver keeps each variable within; infinite where nothing binds.
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    /// Rank of the Jacobian at configurations that are nothing special.
    pub(super) generic_rank: usize,
    pub(super) local: Local,
    /// For trial steps.
    pub(super) trial: Geometry,
    pub(super) trial_q: Vec<f64>,
    pub(super) best_q: Vec<f64>,
    pub(super) origin_q: Vec<f64>,
    pub(super) best_held: Vec<i8>,
    pub(super) neutral: Vec<f64>,
    pub(super) delta: Vec<f64>,
    /// Bounds that bind nothing, to take the place of the others.
    pub(super) unlimited: [Vec<f64>; 2],
    /// The robot's own length, m: what steps and starts are measured by, whatever the task's length is.
    pub(super) scale: f64,
    pub(super) optima: Optima,
    pub(super) proof: Proof,
}

/// Everything known about one configuration.
pub(super) struct Local {
    pub geometry: Geometry,
    pub residual: Residual,
    /// m × n.
    pub jacobian: Vec<f64>,
    pub value: f64,
    pub gradient: Vec<f64>,
    /// n × n; ∂²H, then W.
    pub hessian: Vec<f64>,
    /// Variables that may move, in order.
    pub free: Vec<usize>,
    /// −1 at the low limit, 1 at the high one, 0 free.
    pub held: Vec<i8>,
    pub factor: Factor,
    /// r rows of length n.
    pub null: Vec<f64>,
    pub r: usize,
    pub lambda: [f64; ROWS],
    /// Nᵀ ∂H.
    pub reduced_gradient: Vec<f64>,
    /// |Nᵀ ∂H| / (1 + |∂H|).
    pub stationarity: f64,
    pub reduced: Vec<f64>,
    pub vectors: Vec<f64>,
    pub values: Vec<f64>,
    pub range: Vec<f64>,
    pub step: Vec<f64>,
    pub work: Vec<f64>,
    pub coefficients: Vec<f64>,
    /// A step by the eigenvectors of the reduced Hessian.
    pub along: Vec<f64>,
    difference: [Vec<f64>; 2],
}

impl<'m> Solver<'m> {
    /// Poses the problem.
    ///
    /// # Errors
    /// If the task is none, no joint moves its link, or the tolerance is below rounding.
    pub fn new(
        model: &'m Model<f64>,
        task: Task,
        criterion: Box<dyn Criterion + 'm>,
        options: Options,
    ) -> Result<Self, IkError> {
        if task.link >= model.links().len() {
            return Err(IkError::Link(task.link));
        }
        if !task.is_valid() {
            return Err(IkError::Task);
        }
        let chain = Chain::new(model, task.link, task.point);
        let n = chain.variables().len();
        if n == 0 {
            return Err(IkError::Immobile(model.links()[task.link].name.clone()));
        }
        let (low, high) = bounds(&chain, criterion.as_ref(), options.limits);
        let geometry = Geometry::new(&chain);
        let proof = Proof::new(&chain, options.limits);
        let scale = chain.scale();
        let least = chain.rounding();
        if options.tolerance.is_nan() || options.tolerance < least {
            return Err(IkError::Tolerance { given: options.tolerance, least });
        }
        let equations = Equations::new(task, Pose::identity(), scale);
        let local = Local {
            residual: equations.residual(&geometry.tip),
            geometry: geometry.clone(),
            jacobian: vec![0.0; ROWS * n],
            value: 0.0,
            gradient: vec![0.0; n],
            hessian: vec![0.0; n * n],
            free: (0..n).collect(),
            held: vec![0; n],
            factor: Factor::new(n),
            null: vec![0.0; n * n],
            r: 0,
            lambda: [0.0; ROWS],
            reduced_gradient: vec![0.0; n],
            stationarity: 0.0,
            reduced: vec![0.0; n * n],
            vectors: vec![0.0; n * n],
            values: vec![0.0; n],
            range: vec![0.0; n],
            step: vec![0.0; n],
            work: vec![0.0; n],
            coefficients: vec![0.0; n],
            along: vec![0.0; n],
            difference: [vec![0.0; n], vec![0.0; n]],
        };
        let neutral: Vec<f64> = model.neutral();
        let mut solver = Self {
            model,
            chain,
            task,
            criterion,
            options,
            equations,
            low,
            high,
            generic_rank: 0,
            local,
            trial: geometry,
            trial_q: neutral.clone(),
            best_q: neutral.clone(),
            origin_q: neutral.clone(),
            best_held: vec![0; n],
            neutral: neutral.clone(),
            delta: vec![0.0; n],
            unlimited: [vec![f64::NEG_INFINITY; n], vec![f64::INFINITY; n]],
            scale,
            optima: Optima::new(),
            proof,
        };
        let mut random = Random(7);
        for _ in 0..4 {
            let mut q = neutral.clone();
            random.chain_position(&solver.chain, model, scale, &mut q);
            solver.chain.evaluate(&q, &mut solver.local.geometry);
            // At its own target the error vanishes and A is regular.
            solver.equations = Equations::new(task, solver.local.geometry.tip, scale);
            solver.local.residual = solver.equations.residual(&solver.local.geometry.tip);
            solver.linearize_task(1e-7);
            solver.generic_rank = solver.generic_rank.max(solver.local.factor.rank);
        }
        Ok(solver)
    }

    /// The joint numbers that are solved for.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// How it solves.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The task.
    #[must_use]
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Number of independent rows of the task on this robot.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.generic_rank
    }

    /// Takes a new target.
    ///
    /// # Errors
    /// If it is not a finite pose, or farther away than can be computed with.
    pub fn set_target(&mut self, target: &Pose<f64>) -> Result<(), IkError> {
        let good = |x: &f64| x.abs() <= FARTHEST;
        if !target.rotation.0.as_flattened().iter().chain(&target.translation.0).all(good)
            || target.rotation.orthogonality_error() > 1e-6
        {
            return Err(IkError::Target);
        }
        self.equations = Equations::new(self.task, *target, self.scale);
        Ok(())
    }

    /// Sets geometry, residual and Jacobian at a position.
    pub(super) fn evaluate_task(&mut self, q: &[f64]) {
        let local = &mut self.local;
        self.chain.evaluate(q, &mut local.geometry);
        local.residual = self.equations.residual(&local.geometry.tip);
        self.equations.jacobian(&local.residual, &self.chain, &local.geometry, &mut local.jacobian);
    }

    /// Sets value and gradient of the criterion where [`evaluate_task`](Self::evaluate_task) has been.
    pub(super) fn evaluate_criterion(&mut self, q: &[f64]) {
        let local = &mut self.local;
        let at =
            Point { q, chain: &self.chain, geometry: &local.geometry, rows: &self.equations.rows, m: self.equations.m };
        local.value = self.criterion.value(&at);
        if local.value.is_finite() {
            self.criterion.gradient(&at, &mut local.gradient);
        }
    }

    /// Error and criterion at a trial position.
    pub(super) fn try_at(&mut self, q: &[f64]) -> (Residual, f64) {
        self.chain.evaluate(q, &mut self.trial);
        let residual = self.equations.residual(&self.trial.tip);
        let at =
            Point { q, chain: &self.chain, geometry: &self.trial, rows: &self.equations.rows, m: self.equations.m };
        (residual, self.criterion.value(&at))
    }

    /// The Jacobian and its factors for all variables.
    fn linearize_task(&mut self, tolerance: f64) {
        let local = &mut self.local;
        self.equations.jacobian(&local.residual, &self.chain, &local.geometry, &mut local.jacobian);
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        let jacobian = &local.jacobian;
        local.factor.factor(n, m, tolerance, |row, column| jacobian[column * n + row]);
    }

    /// Factors J over the free variables; sets N, λ and the stationarity.
    pub(super) fn linearize(&mut self) {
        let (n, m) = (self.chain.variables.len(), self.equations.m);
        let local = &mut self.local;
        local.free.clear();
        local.free.extend((0..n).filter(|&i| local.held[i] == 0));
        let nf = local.free.len();
        let (jacobian, free) = (&local.jacobian, &local.free);
        local.factor.factor(nf, m, RANK, |row, column| jacobian[column * n + free[row]]);
        local.r = nf - local.factor.rank;
        for k in 0..local.r {
            local.factor.column(local.factor.rank + k, &mut local.work);
            let row = &mut local.null[k * n..(k + 1) * n];
            row.fill(0.0);
            for (x, &i) in local.work.iter().zip(&local.free) {
                row[i] = *x;
            }
        }
        for (x, &i) in local.work.iter_mut().zip(&local.free) {
            *x = -local.gradient[i];
        }
        local.factor.least_squares(&mut local.work[..nf], &mut local.lambda); // λ = −(Jᵀ)⁺ h
        let mut square = 0.0;
        for k in 0..local.r {
            let x = dot(&local.null[k * n..(k + 1) * n], &local.gradient);
            local.reduced_gradient[k] = x;
            square += x * x;
        }
        local.stationarity = square.sqrt() / (1.0 + norm(&local.gradient));
    }

    /// W = ∂²H + Σ λ ∂²e, and the eigenvalues and eigenvectors of Nᵀ W N.
    pub(super) fn second_order(&mut self, q: &[f64]) {
        let n = self.chain.variables.len();
        let at = Point {
            q,
            chain: &self.chain,
            geometry: &self.local.geometry,
            rows: &self.equations.rows,
            m: self.equations.m,
        };
        if !self.criterion.hessian(&at, &mut self.local.hessian) {
            self.difference_hessian(q);
        }
        let local = &mut self.local;
        let m = self.equations.m;
        self.equations.add_curvature(
            &local.residual,
            &local.lambda[..m],
            &self.chain,
            &local.geometry,
            &mut local.hessian,
        );
        let r = local.r;
        for a in 0..r {
            for i in 0..n {
                local.work[i] = dot(&local.hessian[i * n..(i + 1) * n], &local.null[a * n..(a + 1) * n]);
            }
            for b in 0..=a {
                let x = dot(&local.work, &local.null[b * n..(b + 1) * n]);
                (local.reduced[a * r + b], local.reduced[b * r + a]) = (x, x);
            }
        }
        if r == 1 {
            (local.values[0], local.vectors[0]) = (local.reduced[0], 1.0);
        } else {
            symmetric_eigen(r, &mut local.reduced, &mut local.vectors, &mut local.values);
        }
    }

    /// ∂²H by central differences of the gradient.
    fn difference_hessian(&mut self, q: &[f64]) {
        const STEP: f64 = 1e-5;
        let n = self.chain.variables.len();
        for j in 0..n {
            for (end, sign) in [1.0, -1.0].into_iter().enumerate() {
                self.trial_q.copy_from_slice(q);
                self.delta.fill(0.0);
                self.delta[j] = sign * STEP;
                self.chain.retract(self.model, &mut self.trial_q, &self.delta);
                self.chain.evaluate(&self.trial_q, &mut self.trial);
                let at = Point {
                    q: &self.trial_q,
                    chain: &self.chain,
                    geometry: &self.trial,
                    rows: &self.equations.rows,
                    m: self.equations.m,
                };
                self.criterion.value(&at);
                self.criterion.gradient(&at, &mut self.local.difference[end]);
            }
            let [plus, minus] = &self.local.difference;
            for i in 0..n {
                self.local.hessian[i * n + j] = (plus[i] - minus[i]) / (2.0 * STEP);
            }
        }
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (self.local.hessian[i * n + j] + self.local.hessian[j * n + i]);
                (self.local.hessian[i * n + j], self.local.hessian[j * n + i]) = (mean, mean);
            }
        }
    }

    /// The position of a variable, if it is a plain number.
    pub(super) fn position(&self, q: &[f64], variable: usize) -> Option<f64> {
        self.chain.variables[variable].position.map(|position| q[position])
    }

    /// Puts every variable within its bounds.
    pub(super) fn clamp(&self, q: &mut [f64]) {
        for (i, variable) in self.chain.variables.iter().enumerate() {
            if let Some(position) = variable.position {
                q[position] = q[position].clamp(self.low[i], self.high[i]);
            }
        }
    }

    /// Turns angles by whole turns: into their limits where a limit is beyond, else into (−π, π] if asked.
    pub(super) fn wrap(&self, q: &mut [f64], principal: bool) {
        if !self.criterion.is_periodic() {
            return;
        }
        for (i, variable) in self.chain.variables.iter().enumerate() {
            let Some(position) = variable.position.filter(|_| variable.turns && self.low[i] == f64::NEG_INFINITY)
            else {
                continue;
            };
            let [low, high] = variable.limits;
            let x = &mut q[position];
            if self.options.limits && low.is_finite() && high - low >= TAU - 1e-9 {
                if *x > high {
                    *x -= TAU * ((*x - high) / TAU).ceil();
                } else if *x < low {
                    *x += TAU * ((low - *x) / TAU).ceil();
                }
                // A range of exactly a turn: rounding may leave the other end.
                *x = x.clamp(low, high);
            } else if principal {
                *x -= TAU * (*x / TAU).round();
            }
        }
    }

    /// The tip's pose at a position.
    #[must_use]
    pub fn tip(&self, q: &[f64]) -> Pose<f64> {
        self.chain.tip(q)
    }

    /// Where the points of the chain are: the origins of its links and the tip, for drawing.
    #[must_use]
    pub fn skeleton(&self, q: &[f64]) -> Vec<Vector<f64>> {
        let mut geometry = Geometry::new(&self.chain);
        self.chain.evaluate(q, &mut geometry);
        let place = |link: &super::chain::ChainLink| geometry.frames[link.elements].apply(link.offset.translation);
        self.chain.links.iter().map(place).chain([geometry.tip.translation]).collect()
    }
}

/// What each variable is kept within.
fn bounds(chain: &Chain, criterion: &dyn Criterion, limits: bool) -> (Vec<f64>, Vec<f64>) {
    let interval = |(i, variable): (usize, &super::chain::Variable)| {
        let [low, high] = variable.limits;
        let whole_turn = variable.turns && high - low >= TAU - 1e-9 && criterion.is_periodic();
        let mut interval = if limits && !whole_turn { [low, high] } else { [f64::NEG_INFINITY, f64::INFINITY] };
        if let Some([low, high]) = criterion.domain(i) {
            let margin = 1e-9 * (high - low);
            interval = [interval[0].max(low + margin), interval[1].min(high - margin)];
        }
        // Limits that exclude each other leave one point.
        if interval[0] > interval[1] { [interval[0], interval[0]] } else { interval }
    };
    chain.variables().iter().enumerate().map(interval).map(|[low, high]| (low, high)).unzip()
}
