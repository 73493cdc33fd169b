//! The parameters that fit the data as well as possible among those that a robot can have.
//!
//! Least squares alone may give a link a negative mass: what it fits is a few combinations, and noise in one of them is no smaller
//! because no body has it. Here all ten parameters of every link are unknowns, with pseudo-inertia positive definite, friction and
//! rotors positive, and the robot file as prior, whose weight γ counts in units of log-likelihood. With A and b the factors of
//! all joints, each over its noise times √κ (κ samples count as one, see [`super::spread`]),
//!
//! minimise ½ |Aθ − b|² + γ · divergence from the prior.
//!
//! Limits of masses and centres of mass ([`Bounds`]) may be known beside the file; the weight may be chosen from the data
//! ([`choose_weight`]).
//!
//! The triangles hold all that is needed, so it takes milliseconds however long the log is. What the data do not show stays at the
//! prior.

mod bounds;
mod cost;
mod gains;
mod newton;
mod payload;
mod prior;
mod pseudo;
mod weight;

use super::error::IdentifyError;
use super::factors::Factors;
use super::problem::Problem;
use super::solve::{self, JointFit, residual_square};
use super::spread;
use super::terms::Term;
use super::triangle::Triangle;
use crate::dynamics::closed_form::parameters;
use crate::model::ParameterKind;
pub use bounds::{Bounds, LinkBounds};
pub use gains::{Gains, Scale, gains};
use nalgebra::{DMatrix, DVector};
use newton::{Group, Layout, Squares, minimise};
pub(super) use payload::carried;
pub use payload::{Payload, Recorded, SHOWN, payload};
pub use weight::{ChosenWeight, choose_weight};

/// The weight of the prior that serves well on measured logs.
pub const PRIOR_WEIGHT: f64 = 1.0;
/// Rounds of weighting.
const ROUNDS: usize = 4;
/// Share of a joint's torque that a friction term has before any data, where the robot file says nothing.
const SHARE: f64 = 0.1;
/// Standard deviation of a torque offset before any data, over the joint's torque.
const OFFSET: f64 = 0.05;

/// Parameters that a robot can have.
#[derive(Clone, Debug)]
pub struct Consistent {
    /// The values of the unknowns.
    pub values: Vec<f64>,
    /// All standard parameters, in the order of [`BaseParameters::parameters`](crate::parameters::BaseParameters::parameters).
    pub standard: Vec<f64>,
    /// What they were before the data.
    pub prior: Vec<f64>,
    /// Which of them were free.
    pub free: Vec<usize>,
    /// What the terms of the drives were before the data.
    pub term_priors: Vec<f64>,
    /// Standard deviations of the free parameters, then of the terms of the drives: of what data and prior together leave open. Empty
    /// where a payload was found beside the robot; so are the two below.
    pub deviations: Vec<f64>,
    /// How each joint is met.
    pub joints: Vec<JointFit>,
    /// Per joint, the residual that the same columns would leave, over its torque, if their numbers could be anything.
    pub unconstrained: Vec<f64>,
    /// The weight of the prior, γ.
    pub prior_weight: f64,
    /// Newton steps of the last round.
    pub steps: usize,
    /// What multiplied the squares of the joints in the last round.
    weights: Vec<f64>,
}

/// The consistent estimate for a weight of the prior.
///
/// # Errors
/// A weight that is not positive, or data beyond the range of floating point.
pub fn consistent(problem: &Problem, factors: &Factors, prior_weight: f64) -> Result<Consistent, IdentifyError> {
    fit(problem, factors, prior_weight, None, &Bounds::default())
}

/// The same within limits.
///
/// # Errors
/// As [`consistent`], and limits that cannot be kept to.
pub fn consistent_within(
    problem: &Problem,
    factors: &Factors,
    prior_weight: f64,
    bounds: &Bounds,
) -> Result<Consistent, IdentifyError> {
    fit(problem, factors, prior_weight, None, bounds)
}

/// Friction alone, with the links and rotors of an estimate: what is best where a robot file holds less of the drives than
/// the estimate had.
///
/// # Errors
/// As [`consistent`].
pub fn refit_friction(
    problem: &Problem,
    factors: &Factors,
    estimate: &Consistent,
) -> Result<Consistent, IdentifyError> {
    fit(problem, factors, estimate.prior_weight, Some(&estimate.standard), &Bounds::default())
}

/// The estimate, with links and rotors as in `held` if that is given.
fn fit(
    problem: &Problem,
    factors: &Factors,
    prior_weight: f64,
    held: Option<&[f64]>,
    bounds: &Bounds,
) -> Result<Consistent, IdentifyError> {
    if !(prior_weight > 0.0 && prior_weight.is_finite()) {
        return Err(IdentifyError::PriorWeight { weight: prior_weight });
    }
    let beyond = || IdentifyError::BeyondRange;
    let torque = solve::torques(factors);
    let unknowns = Unknowns::new(problem, factors, &torque, held, bounds)?;
    let floor = solve::floor(&torque);
    let mut noise = solve::own_noise(factors, floor);
    let mut alike = vec![1.0; noise.len()];
    let (mut values, mut found) = (Vec::new(), None);
    for _ in 0..ROUNDS {
        let weights: Vec<f64> = noise.iter().zip(&alike).map(|(noise, alike)| 1.0 / (noise * noise * alike)).collect();
        let squares = unknowns.squares(problem, &factors.triangles, &weights);
        let minimum = minimise(&squares, &unknowns.layout, prior_weight).ok_or_else(beyond)?;
        values = unknowns.values(&minimum.x);
        for j in 0..noise.len() {
            noise[j] = (residual_square(problem, factors, j, &values) / factors.rows(j)).sqrt().max(floor);
            alike[j] = spread::alike(problem, factors, j, &values, noise[j]);
        }
        found = Some((minimum, squares, weights));
    }
    let (minimum, squares, weights) = found.ok_or_else(beyond)?;
    let deviations = unknowns.layout.deviations(&squares, &minimum.x, prior_weight).ok_or_else(beyond)?;
    let least = cost::unconstrained(problem, factors, &weights).ok_or_else(beyond)?;
    let left = |j: usize| (residual_square(problem, factors, j, &least) / factors.rows(j)).sqrt();
    let unconstrained = (0..torque.len()).map(|j| if torque[j] > 0.0 { left(j) / torque[j] } else { 0.0 }).collect();
    let mut standard = unknowns.fixed.clone();
    let mut prior = standard.clone();
    let before = unknowns.layout.prior();
    for (k, &column) in unknowns.free.iter().enumerate() {
        standard[column] = minimum.x[k];
        prior[column] = before[k];
    }
    let term_priors = before.as_slice()[unknowns.free.len()..].to_vec();
    let joint = |j: usize| JointFit {
        noise: noise[j],
        residual: (residual_square(problem, factors, j, &values) / factors.rows(j)).sqrt(),
        torque: torque[j],
    };
    let joints = (0..noise.len()).map(joint).collect();
    if !standard.iter().all(|x| x.is_finite()) {
        return Err(beyond());
    }
    let (free, steps) = (unknowns.free, minimum.steps);
    Ok(Consistent {
        values,
        standard,
        prior,
        free,
        term_priors,
        deviations,
        joints,
        unconstrained,
        prior_weight,
        steps,
        weights,
    })
}

/// The free standard parameters, and what they make of the unknowns of the problem: β = T x + β₀.
struct Unknowns {
    layout: Layout,
    /// Columns of the standard parameters.
    free: Vec<usize>,
    /// All standard parameters, those that are free at zero.
    fixed: Vec<f64>,
    transfer: DMatrix<f64>,
    constant: DVector<f64>,
}

impl Unknowns {
    fn new(
        problem: &Problem,
        factors: &Factors,
        torque: &[f64],
        held: Option<&[f64]>,
        bounds: &Bounds,
    ) -> Result<Self, IdentifyError> {
        let (model, base) = (problem.model(), problem.base());
        let mut fixed = parameters(model);
        let (mut groups, mut free, mut slacks) = (Vec::new(), Vec::new(), Vec::new());
        if held.is_none() {
            let mut priors = prior::free_links(model, &fixed);
            bounds.admit(&mut priors, |link| model.links()[link].name.clone())?;
            slacks = bounds.slacks(&priors);
            for (link, prior) in priors {
                groups.push(Group::link(prior).ok_or(IdentifyError::BeyondRange)?);
                free.extend(10 * link..10 * link + 10);
            }
        }
        let terms = problem.terms().len();
        let effect = |column: usize| -> Vec<f64> {
            let base = problem.unknowns().iter().map(|&k| base.matrix()[(k, column)]);
            base.chain((0..terms).map(|_| 0.0)).collect()
        };
        // What a number may be before any data: a share of the torque that it acts on.
        let usual = |degree: usize, effect: &[f64]| {
            let x: Vec<f64> = problem.felt(degree).iter().map(|&k| effect[k]).chain([0.0]).collect();
            let size = (factors.triangles[degree].square(&x) / factors.rows(degree)).sqrt();
            Some(SHARE * torque[degree] / size).filter(|usual| *usual > 0.0 && usual.is_finite()).unwrap_or(1.0)
        };
        for (column, parameter) in base.parameters().iter().enumerate() {
            let ParameterKind::Drive(term) = parameter.kind else { continue };
            let (effect, is_held) = (effect(column), held.is_some() && !parameter.kind.is_friction());
            if is_held || !problem.drives().asks_for(term) || effect.iter().all(|x| *x == 0.0) {
                continue;
            }
            let usual = usual(parameter.column(model).dof, &effect);
            groups.push(Group::Positive(if fixed[column] > 0.0 { fixed[column] } else { usual }));
            free.push(column);
        }
        if let Some(held) = held {
            // Terms that one of two problems of a robot does not have come last.
            let shared = fixed.len().min(held.len());
            fixed[..shared].copy_from_slice(&held[..shared]);
        }
        free.iter().for_each(|&column| fixed[column] = 0.0);
        let mut transfer: Vec<DVector<f64>> = free.iter().map(|&column| DVector::from_vec(effect(column))).collect();
        for (e, term) in problem.terms().iter().enumerate() {
            let own = DVector::from_fn(problem.count(), |k, _| f64::from(k == problem.unknowns().len() + e));
            let acts = |degree: &usize| problem.share(e, *degree) != 0.0;
            let degree = (0..torque.len()).rev().find(acts).ok_or(IdentifyError::BeyondRange)?;
            groups.push(match term.term {
                Term::Offset => Group::Free((OFFSET * torque[degree]).max(f64::MIN_POSITIVE.sqrt())),
                Term::Rotor | Term::Viscous | Term::Element(_) | Term::Root | Term::Stribeck | Term::Load => {
                    Group::Positive(usual(degree, own.as_slice()))
                }
            });
            transfer.push(own);
        }
        // Known columns are off the torques already; what is left of them is in none of the unknowns.
        let all = base.values(&fixed);
        let base = problem.unknowns().iter().map(|&k| all[k]);
        let constant = DVector::from_iterator(problem.count(), base.chain((0..terms).map(|_| 0.0)));
        let outside = || IdentifyError::Bounds { message: "they leave no robot between them".to_owned() };
        let layout = Layout::new(groups).within(slacks).ok_or_else(outside)?;
        // Nothing is free where links are held and friction is known.
        let transfer = DMatrix::from_fn(problem.count(), transfer.len(), |row, column| transfer[column][row]);
        Ok(Self { layout, free, fixed, transfer, constant })
    }

    fn values(&self, x: &DVector<f64>) -> Vec<f64> {
        (&self.transfer * x + &self.constant).as_slice().to_vec()
    }

    /// The weighted sum of squares as a function of the free parameters.
    fn squares(&self, problem: &Problem, triangles: &[Triangle], weights: &[f64]) -> Squares {
        let p = problem.count();
        let (mut hessian, mut linear) = (DMatrix::zeros(p, p), DVector::zeros(p));
        for (j, (triangle, weight)) in triangles.iter().zip(weights).enumerate() {
            let (felt, r) = (problem.felt(j), triangle.matrix());
            for (a, &to) in felt.iter().enumerate() {
                for (b, &other) in felt.iter().enumerate().skip(a) {
                    let product: f64 = (0..=a).map(|k| r[(k, a)] * r[(k, b)]).sum();
                    hessian[(to, other)] += weight * product;
                    if a != b {
                        hessian[(other, to)] += weight * product;
                    }
                }
                let product: f64 = (0..=a).map(|k| r[(k, a)] * r[(k, felt.len())]).sum();
                linear[to] += weight * product;
            }
        }
        linear -= &hessian * &self.constant;
        let turned = self.transfer.transpose();
        Squares { linear: &turned * linear, hessian: turned * hessian * &self.transfer }
    }
}
