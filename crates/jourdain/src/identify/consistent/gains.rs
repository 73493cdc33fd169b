//! Drive gains: what measured currents have to be multiplied by to be torques, where something of known mass sets the scale.
//!
//! A current c_j is a_j times a torque, c_j = a_j (R_j θ + Y_j π), with the same parameters θ in all joints. All a_j and 1/θ may be multiplied by one
//! number, so the scale must come from elsewhere: from a payload π of known mass, whose log is fitted together with one of the empty robot,
//! or from the links of a robot of known mass. Friction and rotor of a drive are found as currents: they have no scale to give. The current stands on the left side alone; among the columns its noise would make gains too small. The product of a_j
//! and parameters is made linear about the last estimate (Gauss–Newton), and parameters stay such as a robot can have ([`super`]).
//!
//! Trap: what is known of the rest is in the gains too. A mass that is wrong by a percent makes all gains wrong by a percent.

use super::newton::{Group, Layout, Squares, minimise};
use super::payload::{Recorded, carried, cloud, inverse};
use super::{Bounds, Unknowns};
use crate::dynamics::closed_form::parameters;
use crate::identify::blocks::{Block, Blocks};
use crate::identify::elastic::Measured;
use crate::identify::error::IdentifyError;
use crate::identify::factors::Factors;
use crate::identify::problem::Problem;
use crate::identify::solve;
use crate::identify::triangle::Triangle;
use crate::model::ParameterKind;
use nalgebra::{DMatrix, DVector};

/// Steps of Gauss–Newton at most; five are enough.
const STEPS: usize = 40;
/// The gains have settled when none changes by more, as a share.
const SETTLED: f64 = 1e-7;
/// Standard deviation of a gain about its first guess, as a share, before any data.
const GUESS: f64 = 10.0;
/// How well, as a share, a known mass is met.
const EXACT: f64 = 1e-6;
/// Least share of the first guess that a step may leave of a gain's inverse.
const LEAST: f64 = 0.2;
/// Blocks below which they tell nothing of deviations.
const LEAST_BLOCKS: usize = 8;

/// What sets the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// A body of this mass, kg, at a link: it is in the loaded log.
    Payload {
        /// The link's index.
        link: usize,
        /// kg.
        mass: f64,
    },
    /// The links of the robot file, which weigh so many kilograms together; there is no load.
    Robot {
        /// kg.
        mass: f64,
    },
}

/// Drive gains.
#[derive(Clone, Debug)]
pub struct Gains {
    /// Per degree of freedom: N m or N per unit of the log.
    pub gains: Vec<Measured>,
    /// The ten parameters of the payload, if there is one.
    pub payload: Option<[f64; 10]>,
    /// What is left of each joint's current, over the current, in the log with the scale.
    pub left: Vec<f64>,
    /// Steps of Gauss–Newton.
    pub steps: usize,
    /// Samples of all logs.
    pub samples: u64,
}

/// Finds the gains of all drives. `first` is the loaded log, or the only one; `empty` that without the load, without which links and rotors are
/// taken from the robot file.
///
/// # Errors
/// A mass that is none, drives with known columns (their torque would be in other units than the currents), currents that have
/// nothing to do with torques, or gains that do not settle.
pub fn gains(
    scale: Scale,
    first: Recorded<'_>,
    empty: Option<Recorded<'_>>,
    prior_weight: f64,
) -> Result<Gains, IdentifyError> {
    let (Scale::Payload { mass, .. } | Scale::Robot { mass }) = scale;
    let problem = first.problem;
    let bad = |message: String| Err(IdentifyError::Search { message });
    if !(mass > 0.0 && mass.is_finite()) {
        return bad(format!("a mass of {mass} kg sets no scale"));
    }
    if !(prior_weight > 0.0 && prior_weight.is_finite()) {
        return Err(IdentifyError::PriorWeight { weight: prior_weight });
    }
    if !problem.known().is_empty() {
        return bad(
            "rotors and friction of the robot file are torques, not currents: gains need them unknown".to_owned()
        );
    }
    let mut standard = parameters(problem.model());
    let inertial = 10 * problem.model().links().len();
    if let Scale::Robot { mass } = scale {
        let total: f64 = standard[..inertial].chunks_exact(10).map(|pi| pi[0]).sum();
        if !(total > 0.0 && total.is_finite()) {
            return bad("the robot file has no masses to be scaled".to_owned());
        }
        standard[..inertial].iter_mut().for_each(|x| *x *= mass / total);
    }
    let load = match scale {
        Scale::Payload { link, mass } => {
            let carried = carried(problem, link);
            if carried.iter().all(|x| *x == 0.0) {
                return Err(IdentifyError::Unfelt { link: problem.model().links()[link].name.clone() });
            }
            Some((carried, cloud(mass, [0.0; 3])))
        }
        Scale::Robot { .. } => None,
    };
    let before = before(problem, &standard);
    let guess = guess(
        problem,
        first,
        empty,
        &before,
        load.as_ref().map(|(carried, prior)| carried * DVector::from_column_slice(prior)),
    )?;
    let scaled: Vec<Factors> = std::iter::once(first)
        .chain(empty)
        .map(|recorded| in_torques(recorded.factors, &guess))
        .collect::<Option<Vec<_>>>()
        .ok_or(IdentifyError::BeyondRange)?;
    let own = scaled.last().ok_or(IdentifyError::BeyondRange)?;
    let held = empty.is_none().then_some(standard.as_slice());
    let unknowns = Unknowns::new(problem, own, &solve::torques(own), held, &Bounds::default())?;
    let fit = Fit::new(problem, &unknowns, &scaled, load.as_ref(), mass)?;
    fit.run(&scaled, &guess, prior_weight)
}

/// The unknowns of the robot file, terms of the drives at zero.
fn before(problem: &Problem, standard: &[f64]) -> DVector<f64> {
    let all = problem.base().values(standard);
    DVector::from_fn(problem.count(), |k, _| problem.unknowns().get(k).map_or(0.0, |&at| all[at]))
}

/// Gains by which the torques of the robot file meet the currents best.
fn guess(
    problem: &Problem,
    first: Recorded<'_>,
    empty: Option<Recorded<'_>>,
    before: &DVector<f64>,
    load: Option<DVector<f64>>,
) -> Result<Vec<f64>, IdentifyError> {
    let loaded = load.map_or_else(|| before.clone(), |load| before + load);
    let (factors, values) = empty.map_or((first.factors, &loaded), |empty| (empty.factors, before));
    let gain = |(j, triangle): (usize, &Triangle)| {
        let last = triangle.width() - 1;
        let torque: Vec<f64> = problem.felt(j).iter().map(|&k| values[k]).chain([0.0]).collect();
        let torque = triangle.matrix().apply(&torque);
        let square: f64 = torque.iter().map(|x| x * x).sum();
        let product: f64 = torque.iter().enumerate().map(|(row, x)| x * triangle.matrix()[(row, last)]).sum();
        let gain = square / product;
        let joint = || problem.joints()[j].clone();
        let message =
            || format!("the current of joint `{}` has nothing to do with the torque of the robot file", joint());
        if gain.is_finite() && gain != 0.0 { Ok(gain) } else { Err(IdentifyError::Search { message: message() }) }
    };
    factors.triangles.iter().enumerate().map(gain).collect()
}

/// The factors with currents times gains.
fn in_torques(factors: &Factors, gains: &[f64]) -> Option<Factors> {
    let scaled = |triangles: &[Triangle]| -> Vec<Triangle> {
        let scale = |(triangle, gain): (&Triangle, &f64)| {
            let mut triangle = triangle.clone();
            triangle.scale_last(*gain);
            triangle
        };
        triangles.iter().zip(gains).map(scale).collect()
    };
    let widths: Vec<usize> = factors.triangles.iter().map(Triangle::width).collect();
    let block =
        |block: &Block| Block { number: block.number, samples: block.samples, triangles: scaled(&block.triangles) };
    let blocks = Blocks::from_file(&widths, factors.blocks.seconds, factors.blocks.iter().map(block).collect())?;
    Some(Factors { triangles: scaled(&factors.triangles), blocks, ..factors.clone() })
}

/// The rows of one joint: A x + k is the torque of its links, F x that of its own drive in first-guess torques, c its current in these.
struct Rows {
    a: DMatrix<f64>,
    f: DMatrix<f64>,
    k: DVector<f64>,
    c: DVector<f64>,
}

struct Fit<'a> {
    problem: &'a Problem,
    layout: Layout,
    /// Per log: from what is fitted to the unknowns of the problem.
    transfers: Vec<DMatrix<f64>>,
    constant: &'a DVector<f64>,
    /// Where the payload begins among what is fitted, and its mass.
    load: Option<(usize, f64)>,
    /// Where the gains begin.
    gains: usize,
    /// Which of what is fitted belongs to the drive of one joint: that is fitted as a current, so that it has no product with a gain.
    drives: Vec<bool>,
    /// Per log and joint.
    rows: Vec<Vec<Rows>>,
    samples: Vec<f64>,
}

impl<'a> Fit<'a> {
    fn new(
        problem: &'a Problem,
        unknowns: &'a Unknowns,
        factors: &[Factors],
        load: Option<&(DMatrix<f64>, [f64; 10])>,
        mass: f64,
    ) -> Result<Self, IdentifyError> {
        let robot = unknowns.transfer.ncols();
        let body = load.map(|(_, prior)| Group::link(*prior).ok_or(IdentifyError::BeyondRange)).transpose()?;
        let (size, degrees) = (robot + if body.is_some() { 10 } else { 0 }, problem.joints().len());
        let layout = unknowns.layout.with(body.into_iter().chain((0..degrees).map(|_| Group::Free(GUESS))));
        let transfer = |loaded: bool| {
            let mut transfer = DMatrix::zeros(problem.count(), size + degrees);
            transfer.columns_mut(0, robot).copy_from(&unknowns.transfer);
            if let Some((carried, _)) = load.filter(|_| loaded) {
                transfer.columns_mut(robot, 10).copy_from(carried);
            }
            transfer
        };
        let mut fit = Self {
            problem,
            layout,
            transfers: (0..factors.len()).map(|log| transfer(log == 0)).collect(),
            constant: &unknowns.constant,
            load: load.map(|_| (robot, mass)),
            gains: size,
            drives: drives(problem, unknowns, size + degrees),
            rows: Vec::new(),
            samples: factors.iter().map(|factors| factors.samples as f64).collect(),
        };
        fit.rows = factors.iter().enumerate().map(|(log, factors)| fit.rows_of(log, &factors.triangles)).collect();
        Ok(fit)
    }

    fn rows_of(&self, log: usize, triangles: &[Triangle]) -> Vec<Rows> {
        let of = |(j, triangle): (usize, &Triangle)| {
            let (felt, r) = (self.problem.felt(j), triangle.matrix());
            let upper = DMatrix::from_fn(felt.len() + 1, felt.len(), |i, k| if k < i { 0.0 } else { r[(i, k)] });
            let constant = DVector::from_iterator(felt.len(), felt.iter().map(|&k| self.constant[k]));
            let c = DVector::from_fn(felt.len() + 1, |i, _| r[(i, felt.len())]);
            let (k, mut a) = (&upper * constant, upper * self.transfers[log].select_rows(felt));
            let mut f = a.clone();
            for (column, drive) in self.drives.iter().enumerate() {
                let other = if *drive { &mut a } else { &mut f };
                other.column_mut(column).fill(0.0);
            }
            Rows { a, f, k, c }
        };
        triangles.iter().enumerate().map(of).collect()
    }

    /// The squares of a joint, made linear about a point.
    fn linear(&self, rows: &Rows, joint: usize, x: &DVector<f64>) -> Squares {
        let (at, torque) = (self.gains + joint, &rows.a * x + &rows.k);
        let gain = 1.0 + x[at];
        let mut a = &rows.a * gain + &rows.f;
        a.set_column(at, &torque);
        let right = &rows.c - &rows.k * gain + &torque * x[at];
        Squares { linear: a.tr_mul(&right), hessian: a.tr_mul(&a) }
    }

    /// What is left of a joint's current, squared.
    fn left(&self, rows: &Rows, joint: usize, x: &DVector<f64>) -> f64 {
        ((&rows.a * x + &rows.k) * (1.0 + x[self.gains + joint]) + &rows.f * x - &rows.c).norm_squared()
    }

    fn run(&self, factors: &[Factors], guess: &[f64], prior_weight: f64) -> Result<Gains, IdentifyError> {
        let beyond = || IdentifyError::BeyondRange;
        let degrees = guess.len();
        let mut x = self.layout.prior();
        let mut noise: Vec<Vec<f64>> = Vec::new();
        let (mut total, mut steps, mut settled) = (self.empty(), 0, false);
        while steps < STEPS && !settled {
            noise = self.noise(factors, &x);
            total = self.empty();
            for (rows, noise) in self.rows.iter().zip(&noise) {
                for (j, rows) in rows.iter().enumerate() {
                    add(&mut total, &self.linear(rows, j, &x), noise[j]);
                }
            }
            if let Some((at, mass)) = self.load {
                let weight = 1.0 / (EXACT * mass).powi(2);
                total.hessian[(at, at)] += weight;
                total.linear[at] += weight * mass;
            }
            let next = minimise(&total, &self.layout, prior_weight).ok_or_else(beyond)?.x;
            let least = (0..degrees).map(|j| 1.0 + next[self.gains + j]).fold(f64::INFINITY, f64::min);
            let moved = (0..degrees).map(|j| (next[self.gains + j] - x[self.gains + j]).abs()).fold(0.0, f64::max);
            // Half of the way where a gain would change its sign.
            x = if least > LEAST { next } else { (x + next) * 0.5 };
            settled = moved < SETTLED;
            steps += 1;
        }
        if !settled || !x.iter().all(|x| x.is_finite()) {
            let message = "the gains do not settle: the logs show too little, or a column is wrong".to_owned();
            return Err(IdentifyError::Search { message });
        }
        let deviations = self.deviations(factors, &x, &noise, &total, prior_weight).ok_or_else(beyond)?;
        let gain = |j: usize| {
            let share = 1.0 + x[self.gains + j];
            Measured { value: guess[j] / share, deviation: (guess[j] / share).abs() * deviations[j] / share.abs() }
        };
        let left = |(j, rows): (usize, &Rows)| {
            let square = rows.c.norm_squared();
            if square > 0.0 { (self.left(rows, j, &x) / square).sqrt() } else { 0.0 }
        };
        Ok(Gains {
            gains: (0..degrees).map(gain).collect(),
            payload: self.load.map(|(at, _)| std::array::from_fn(|k| x[at + k])),
            left: self.rows[0].iter().enumerate().map(left).collect(),
            steps,
            samples: factors.iter().map(|factors| factors.samples).sum(),
        })
    }

    fn empty(&self) -> Squares {
        let size = self.gains + self.problem.joints().len();
        Squares { hessian: DMatrix::zeros(size, size), linear: DVector::zeros(size) }
    }

    /// Per log and joint, what is left.
    fn noise(&self, factors: &[Factors], x: &DVector<f64>) -> Vec<Vec<f64>> {
        let of = |((rows, factors), samples): ((&Vec<Rows>, &Factors), &f64)| {
            let floor = solve::floor(&solve::torques(factors));
            let noise = |(j, rows): (usize, &Rows)| (self.left(rows, j, x) / samples).sqrt().max(floor);
            rows.iter().enumerate().map(noise).collect()
        };
        self.rows.iter().zip(factors).zip(&self.samples).map(of).collect()
    }

    /// Standard deviations of the gains, as shares: of the fit, or by leaving stretches out one by one.
    fn deviations(
        &self,
        factors: &[Factors],
        x: &DVector<f64>,
        noise: &[Vec<f64>],
        total: &Squares,
        prior_weight: f64,
    ) -> Option<Vec<f64>> {
        let hessian = self.layout.curvature(x, prior_weight, &total.hessian);
        let own = inverse(&hessian)?;
        let degrees = self.problem.joints().len();
        let mut variances: Vec<f64> = (0..degrees).map(|j| own[(self.gains + j, self.gains + j)]).collect();
        let count: usize = factors.iter().map(|factors| factors.blocks.len()).sum();
        if count >= LEAST_BLOCKS {
            let mut sums = vec![0.0; degrees];
            for (log, factors) in factors.iter().enumerate() {
                for block in &factors.blocks {
                    let mut part = self.empty();
                    for (j, rows) in self.rows_of(log, &block.triangles).iter().enumerate() {
                        add(&mut part, &self.linear(rows, j, x), noise[log][j]);
                    }
                    let gradient = &part.hessian * x - &part.linear;
                    let moved = inverse(&(&hessian - &part.hessian))?.rows(self.gains, degrees) * gradient;
                    sums.iter_mut().zip(moved.iter()).for_each(|(sum, moved)| *sum += moved * moved);
                }
            }
            let share = (count as f64 - 1.0) / count as f64;
            variances.iter_mut().zip(sums).for_each(|(own, sum)| *own = own.max(share * sum));
        }
        Some(variances.iter().map(|variance| variance.sqrt()).collect())
    }
}

/// What belongs to the drive of one joint alone, among the free parameters and terms.
fn drives(problem: &Problem, unknowns: &Unknowns, size: usize) -> Vec<bool> {
    let kinds = problem.base().parameters();
    let own = |column: &usize| matches!(kinds[*column].kind, ParameterKind::Drive(_));
    let joints = problem.coordinates().joint_count();
    let terms = problem.terms().iter().map(|term| term.coordinate < joints);
    let mut drives: Vec<bool> = unknowns.free.iter().map(own).chain(terms).collect();
    drives.resize(size, false);
    drives
}

/// Adds the squares of a joint with this noise.
fn add(total: &mut Squares, part: &Squares, noise: f64) {
    let weight = 1.0 / (noise * noise);
    total.hessian += &part.hessian * weight;
    total.linear += &part.linear * weight;
}
