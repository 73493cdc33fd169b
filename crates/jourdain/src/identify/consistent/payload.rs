//! What a robot holds: ten parameters of a body at a link, from a log with it, and one without it or a robot that is known.
//!
//! The columns of a link are combinations of those of the base parameters, Y_link = Y_base B_link. So the factors that any log of the robot
//! gives hold the payload too: β = T x without it and β = T x + B_link π with it, and both logs make one fit with the same robot
//! and the same friction, or the loaded one alone with the links and rotors of the robot file. π is a body that can be: its
//! pseudo-inertia is positive definite, by the divergence from a weak prior: a cloud with the mass and the centre that least squares give, so
//! that it is the inertia which it says something of.
//!
//! How much of a parameter is from the data is its *resolution*, the diagonal of H⁻¹ H_data with H_data the Hessian of the squares and H that
//! of squares and prior, the latter taken at the prior: one where the data say everything, zero where the prior does. Robots at rest show
//! mass and first moments only.
//!
//! Trap: errors of a robot that is taken as known, and of drive gains, are in the payload and in no deviation.

use super::newton::{Group, Squares, minimise};
use super::{Bounds, Consistent, Unknowns};
use crate::dynamics::closed_form::parameters;
use crate::identify::error::IdentifyError;
use crate::identify::factors::Factors;
use crate::identify::problem::Problem;
use crate::identify::solve::{self, JointFit, residual_square};
use crate::identify::spread;
use crate::identify::triangle::Triangle;
use crate::model::{Inertial, ParameterKind};
use nalgebra::{DMatrix, DVector};

/// Rounds of weighting.
const ROUNDS: usize = 6;
/// Share of the prior's weight in the first fit.
const TRACE: f64 = 1e-6;
/// Mass of the prior over that of the robot, where the data show no mass.
const PRIOR_MASS: f64 = 0.05;
/// Less than this share of it is no mass.
const LEAST_SHARE: f64 = 0.1;
/// The mass of a robot whose file has none, kg.
const SOME_MASS: f64 = 10.0;
/// Standard deviation of the mass of the prior about its centre, along each axis: so many metres for a kilogram, and as the
/// cube root of the mass.
const PRIOR_SPREAD: f64 = 0.1;
/// A parameter of which the data say at least this much is shown by them.
pub const SHOWN: f64 = 0.5;
/// Blocks below which they tell nothing of deviations.
const LEAST_BLOCKS: usize = 8;

/// A log with its problem: which columns its factors have.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    /// The unknowns.
    pub problem: &'a Problem,
    /// What is kept of the log.
    pub factors: &'a Factors,
}

/// The body that a link carries.
#[derive(Clone, Debug)]
pub struct Payload {
    /// The link's index.
    pub link: usize,
    /// m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ about the link origin, in link axes; kg, kg m, kg m².
    pub parameters: [f64; 10],
    /// Their standard deviations.
    pub deviations: [f64; 10],
    /// Of each, how much is from the data: from 0 to 1.
    pub resolution: [f64; 10],
    /// What they were before the data.
    pub prior: [f64; 10],
    /// Standard deviations of the centre of mass, m.
    pub center_deviations: [f64; 3],
    /// The values of the unknowns of the loaded log, with the payload.
    pub values: Vec<f64>,
    /// The robot without the payload: all of it, or as it was known with the friction found; how its own log is met, if there is one.
    pub robot: Consistent,
    /// How the joints of the loaded log are met.
    pub joints: Vec<JointFit>,
    /// What of their torques would be left without a payload, root mean square.
    pub without: Vec<f64>,
    /// Samples of the loaded log.
    pub samples: u64,
}

impl Payload {
    /// The centre of mass in the link frame, m.
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        std::array::from_fn(|axis| self.parameters[1 + axis] / self.parameters[0])
    }

    /// True if the data say more of a parameter than the prior.
    #[must_use]
    pub fn is_shown(&self, parameter: usize) -> bool {
        self.resolution[parameter] >= SHOWN
    }
}

/// The payload of a link. Without a log of the empty robot its links and rotors are taken as they are; friction is found anew either way, as
/// far as the problem asks for it.
///
/// # Errors
/// A link whose load no joint feels, data that show nothing of it, or numbers beyond floating point.
pub fn payload(
    link: usize,
    loaded: Recorded<'_>,
    empty: Option<Recorded<'_>>,
    prior_weight: f64,
) -> Result<Payload, IdentifyError> {
    if !(prior_weight > 0.0 && prior_weight.is_finite()) {
        return Err(IdentifyError::PriorWeight { weight: prior_weight });
    }
    let beyond = || IdentifyError::BeyondRange;
    let problem = loaded.problem;
    let standard = parameters(problem.model());
    let usual = usual_mass(&standard[..10 * problem.model().links().len()]);
    let first = empty.unwrap_or(loaded);
    let held = empty.is_none().then_some(standard.as_slice());
    let unknowns =
        Unknowns::new(first.problem, first.factors, &solve::torques(first.factors), held, &Bounds::default())?;
    let carried = carried(problem, link);
    if carried.iter().all(|x| *x == 0.0) {
        return Err(IdentifyError::Unfelt { link: problem.model().links()[link].name.clone() });
    }
    let robot = unknowns.transfer.ncols();
    let with_prior = |prior: [f64; 10]| Some(unknowns.layout.with([Group::link(prior)?]));
    let layout = with_prior(cloud(usual, [0.0; 3])).ok_or_else(beyond)?;
    let size = robot + 10;
    let with = |load: f64| {
        let columns = &carried * load;
        let mut transfer = DMatrix::zeros(problem.count(), size);
        transfer.columns_mut(0, robot).copy_from(&unknowns.transfer);
        transfer.columns_mut(robot, 10).copy_from(&columns);
        transfer
    };
    let mut sets = vec![Set::new(loaded, with(1.0), &unknowns.constant)?];
    if let Some(empty) = empty {
        sets.push(Set::new(empty, with(0.0), &unknowns.constant)?);
    }
    let mut x = layout.prior();
    // Before the first fit the robot is empty.
    x.rows_mut(robot, 10).fill(0.0);
    sets.iter_mut().for_each(|set| set.weigh(&x, None));
    let without = sets[0].noise.clone();
    // Least squares with next to no prior tell the noise: too much of it at first would be taken for a reason to believe the prior.
    let first = sum(sets.iter().flat_map(Set::weighted), size);
    let weak = layout.curvature(&layout.prior(), TRACE * prior_weight, &first.hessian);
    let weak = inverse(&weak).ok_or_else(beyond)?;
    x = &weak * &first.linear;
    sets.iter_mut().for_each(|set| set.weigh(&x, Some(&weak)));
    // The prior stands where these put the body: from afar the way would lead along the boundary of what can be.
    let mass = if x[robot] > LEAST_SHARE * usual { x[robot] } else { usual };
    let prior = cloud(mass, std::array::from_fn(|axis| x[robot + 1 + axis] / mass));
    let layout = with_prior(prior).ok_or_else(beyond)?;
    let mut steps = 0;
    let mut total = Squares { hessian: DMatrix::zeros(size, size), linear: DVector::zeros(size) };
    for _ in 0..ROUNDS {
        total = sum(sets.iter().flat_map(Set::weighted), size);
        let minimum = minimise(&total, &layout, prior_weight).ok_or_else(beyond)?;
        (x, steps) = (minimum.x, minimum.steps);
        let inverse = inverse(&layout.curvature(&x, prior_weight, &total.hessian)).ok_or_else(beyond)?;
        sets.iter_mut().for_each(|set| set.weigh(&x, Some(&inverse)));
    }
    // With the prior as wide as it was before the data: near zero mass its divergence is steep and would pass for knowledge.
    let hessian = layout.curvature(&layout.prior(), prior_weight, &total.hessian);
    let inverse = inverse(&hessian).ok_or_else(beyond)?;
    // One less the share of the prior: the squares may outweigh it by more than numbers have digits.
    let of_prior = &inverse * layout.curvature(&layout.prior(), prior_weight, &DMatrix::zeros(size, size));
    let covariance = covariance(&sets, &x, &hessian, inverse, robot);
    let own = |k: usize| robot + k;
    let parameters: [f64; 10] = std::array::from_fn(|k| x[own(k)]);
    if !parameters.iter().chain(covariance.iter()).all(|x| x.is_finite()) {
        return Err(beyond());
    }
    let resolution: [f64; 10] = std::array::from_fn(|k| (1.0 - of_prior[(own(k), own(k))]).clamp(0.0, 1.0));
    if resolution.iter().all(|share| *share < SHOWN) {
        let names = Inertial::ALL.map(|own| ParameterKind::Inertial(own).letters().to_owned()).to_vec();
        let detail = "the log says less of what the link carries than the prior".to_owned();
        return Err(IdentifyError::TooLittleMotion { parameters: names, detail });
    }
    Ok(Payload {
        link,
        parameters,
        deviations: std::array::from_fn(|k| covariance[(k, k)].max(0.0).sqrt()),
        resolution,
        prior,
        center_deviations: center_deviations(&parameters, &covariance),
        robot: robot_of(&unknowns, &layout.prior(), &x, sets.last().unwrap_or(&sets[0]), prior_weight, steps),
        joints: sets[0].fits(),
        values: sets[0].values.clone(),
        without,
        samples: loaded.factors.samples,
    })
}

/// B: what the ten parameters of a link add to the unknowns.
pub(in crate::identify) fn carried(problem: &Problem, link: usize) -> DMatrix<f64> {
    let base = problem.base().matrix();
    DMatrix::from_fn(problem.count(), 10, |k, column| {
        problem.unknowns().get(k).map_or(0.0, |&kept| base[(kept, 10 * link + column)])
    })
}

/// Some mass, kg, before any data: a share of the robot's.
pub(super) fn usual_mass(standard: &[f64]) -> f64 {
    let robot: f64 = standard.chunks_exact(10).map(|pi| pi[0].max(0.0)).sum();
    PRIOR_MASS * if robot > 0.0 && robot.is_finite() { robot } else { SOME_MASS }
}

/// A cloud of mass about a centre, alike in all directions: its ten parameters.
pub(super) fn cloud(mass: f64, center: [f64; 3]) -> [f64; 10] {
    let spread = PRIOR_SPREAD * mass.cbrt();
    let [x, y, z] = center;
    // Two directions make the inertia about the third axis; the rest is Steiner's.
    let about = |a: f64, b: f64| mass * (2.0 * spread * spread + a * a + b * b);
    let product = |a: f64, b: f64| -mass * a * b;
    [
        mass,
        mass * x,
        mass * y,
        mass * z,
        about(y, z),
        product(x, y),
        product(x, z),
        about(x, z),
        product(y, z),
        about(x, y),
    ]
}

/// One log in the fit, with what its joints weigh.
struct Set<'a> {
    recorded: Recorded<'a>,
    transfer: DMatrix<f64>,
    constant: &'a DVector<f64>,
    /// Per joint, the squares without a weight.
    squares: Vec<Squares>,
    noise: Vec<f64>,
    /// How many samples of a joint count as one.
    alike: Vec<f64>,
    values: Vec<f64>,
}

impl<'a> Set<'a> {
    fn new(recorded: Recorded<'a>, transfer: DMatrix<f64>, constant: &'a DVector<f64>) -> Result<Self, IdentifyError> {
        let Recorded { problem, factors } = recorded;
        if factors.samples == 0 {
            return Err(IdentifyError::TooFew { samples: 0, needed: 1 });
        }
        let numbers = factors.triangles.iter().flat_map(|triangle| triangle.matrix().as_slice());
        if numbers.into_iter().any(|x| !x.is_finite()) {
            return Err(IdentifyError::BeyondRange);
        }
        let degrees = factors.triangles.len();
        let mut set = Self {
            recorded,
            transfer,
            constant,
            squares: Vec::with_capacity(degrees),
            noise: vec![1.0; degrees],
            alike: vec![1.0; degrees],
            values: Vec::new(),
        };
        set.squares = (0..degrees).map(|j| set.square(j, &factors.triangles[j], problem)).collect();
        Ok(set)
    }

    /// The squares of a joint's triangle as a function of all unknowns of the fit.
    fn square(&self, joint: usize, triangle: &Triangle, problem: &Problem) -> Squares {
        let (felt, r) = (problem.felt(joint), triangle.matrix());
        let rows = self.transfer.select_rows(felt);
        let upper = DMatrix::from_fn(felt.len() + 1, felt.len(), |i, k| if k < i { 0.0 } else { r[(i, k)] });
        let constant = DVector::from_iterator(felt.len(), felt.iter().map(|&k| self.constant[k]));
        let right = DVector::from_fn(felt.len() + 1, |i, _| r[(i, felt.len())]) - &upper * constant;
        let a = upper * rows;
        Squares { linear: a.tr_mul(&right), hessian: a.tr_mul(&a) }
    }

    fn weight(&self, joint: usize) -> f64 {
        1.0 / (self.noise[joint] * self.noise[joint] * self.alike[joint])
    }

    fn weighted(&self) -> impl Iterator<Item = (f64, &Squares)> {
        self.squares.iter().enumerate().map(|(j, squares)| (self.weight(j), squares))
    }

    /// Finds what joints weigh from what is left of their torques; `inverse` tells the share of the unknowns that a joint pays for.
    fn weigh(&mut self, x: &DVector<f64>, inverse: Option<&DMatrix<f64>>) {
        let Recorded { problem, factors } = self.recorded;
        let floor = solve::floor(&solve::torques(factors));
        self.values = (&self.transfer * x + self.constant).as_slice().to_vec();
        for j in 0..self.noise.len() {
            let n = factors.rows(j);
            let paid =
                inverse.map_or(0.0, |inverse| self.weight(j) * inverse.component_mul(&self.squares[j].hessian).sum());
            let left = residual_square(problem, factors, j, &self.values);
            self.noise[j] = (left / (n - paid).max(0.5 * n)).sqrt().max(floor);
            self.alike[j] = spread::alike(problem, factors, j, &self.values, self.noise[j]);
        }
    }

    fn fits(&self) -> Vec<JointFit> {
        let Recorded { problem, factors } = self.recorded;
        let torque = solve::torques(factors);
        let fit = |j: usize| JointFit {
            noise: self.noise[j],
            residual: (residual_square(problem, factors, j, &self.values) / factors.rows(j)).sqrt(),
            torque: torque[j],
        };
        (0..self.noise.len()).map(fit).collect()
    }
}

fn sum<'s>(parts: impl Iterator<Item = (f64, &'s Squares)>, size: usize) -> Squares {
    let mut total = Squares { hessian: DMatrix::zeros(size, size), linear: DVector::zeros(size) };
    for (weight, part) in parts {
        total.hessian += &part.hessian * weight;
        total.linear += &part.linear * weight;
    }
    total
}

/// The inverse of a positive definite matrix, by Cholesky with rows and columns scaled to a unit diagonal.
pub(super) fn inverse(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let scale: Vec<f64> = matrix.diagonal().iter().map(|d| 1.0 / d.sqrt()).collect();
    if scale.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let scaled = |matrix: &DMatrix<f64>| {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] * scale[i] * scale[j])
    };
    Some(scaled(&scaled(matrix).cholesky()?.inverse()))
}

/// The covariance of the payload: that of the fit, or what leaving stretches of the logs out one by one shows, whichever is larger.
fn covariance(
    sets: &[Set<'_>],
    x: &DVector<f64>,
    hessian: &DMatrix<f64>,
    inverse: DMatrix<f64>,
    robot: usize,
) -> DMatrix<f64> {
    let size = hessian.nrows();
    let own = inverse.view((robot, robot), (10, 10)).into_owned();
    let count: usize = sets.iter().map(|set| set.recorded.factors.blocks.len()).sum();
    if count < LEAST_BLOCKS {
        return own;
    }
    let mut scatter = DMatrix::zeros(10, 10);
    for set in sets {
        for block in &set.recorded.factors.blocks {
            let squares: Vec<Squares> = block
                .triangles
                .iter()
                .enumerate()
                .map(|(j, triangle)| set.square(j, triangle, set.recorded.problem))
                .collect();
            let part = sum(squares.iter().enumerate().map(|(j, squares)| (set.weight(j), squares)), size);
            let gradient = &part.hessian * x - &part.linear;
            // The prior is part of what is left, so it is positive definite but for rounding.
            let Some(rest) = self::inverse(&(hessian - &part.hessian)) else { return own };
            let moved = rest.rows(robot, 10) * gradient;
            scatter += &moved * moved.transpose();
        }
    }
    scatter *= (count as f64 - 1.0) / count as f64;
    // Each variance the larger of two, with correlations of the fit.
    let grown = |k: usize| (scatter[(k, k)] / own[(k, k)]).max(1.0).sqrt();
    DMatrix::from_fn(10, 10, |i, j| own[(i, j)] * grown(i) * grown(j))
}

/// Deviations of c = h/m: those of (h_i − c_i m)/m.
fn center_deviations(parameters: &[f64; 10], covariance: &DMatrix<f64>) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let (mass, k) = (parameters[0], 1 + axis);
        let center = parameters[k] / mass;
        let variance = covariance[(k, k)] - 2.0 * center * covariance[(k, 0)] + center * center * covariance[(0, 0)];
        variance.max(0.0).sqrt() / mass
    })
}

/// The robot without its payload.
fn robot_of(
    unknowns: &Unknowns,
    prior: &DVector<f64>,
    x: &DVector<f64>,
    set: &Set<'_>,
    prior_weight: f64,
    steps: usize,
) -> Consistent {
    let (mut standard, mut before) = (unknowns.fixed.clone(), unknowns.fixed.clone());
    for (k, &column) in unknowns.free.iter().enumerate() {
        (standard[column], before[column]) = (x[k], prior[k]);
    }
    let robot = unknowns.transfer.ncols();
    let values = (&unknowns.transfer * x.rows(0, robot) + &unknowns.constant).as_slice().to_vec();
    let term_priors = prior.as_slice()[unknowns.free.len()..robot].to_vec();
    let (free, joints) = (unknowns.free.clone(), set.fits());
    let [deviations, unconstrained, weights] = [(); 3].map(|()| Vec::new());
    Consistent {
        values,
        standard,
        prior: before,
        free,
        term_priors,
        deviations,
        joints,
        unconstrained,
        prior_weight,
        steps,
        weights,
    }
}
