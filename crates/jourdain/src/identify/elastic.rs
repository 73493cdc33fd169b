//! Springs of elastic joints: stiffness, damping and rotor inertia from positions of motors and links.
//!
//! With δ = θ − q, both on the link side, a joint has two equations,
//!
//! motor  u = K δ + D δ̇ + B θ̈ + Fv θ̇ + Fc sign θ̇ + c,  link  τ(q, q̇, q̈) = K δ + D δ̇ + c′,
//!
//! u the torque of the motor as measured and τ that of the rigid links of the robot file. Both are linear in what is unknown, so each
//! joint is a least-squares problem of seven unknowns; each equation is weighted by what it leaves unexplained, so that a robot file that
//! is wrong counts for little. The constants take up offsets of torques and of encoders against each other. Damping, rotor inertia
//! and friction that come out negative are zero, and the rest is fitted again.
//!
//! Traps. Noise of δ, of encoders with few lines, makes springs look softer; its share is told by the deflection. Drives of a rigid
//! robot file have their friction at the joint; with a spring it is the rotor's.

use super::batch::stretch;
use super::blocks::Blocks;
use super::error::IdentifyError;
use super::log::{RotorLog, RotorSample};
use super::study::{CUTOFFS, HIGHEST};
use super::triangle::{Quad, Triangle};
use crate::dynamics::drive::smooth_sign;
use crate::dynamics::recursive;
use crate::model::description::{Description, MotorDescription};
use crate::model::{Model, Number};
use crate::spectral;
use crate::workspace::Workspace;
use nalgebra::{DMatrix, DVector};

/// Columns of a motor: δ, δ̇, θ̈, θ̇, sign θ̇, 1 and its torque.
const MOTOR: usize = 7;
/// Columns of a link: δ, δ̇, 1 and its torque.
const LINK: usize = 4;
/// K, D, B, Fv, Fc, c, c′.
const UNKNOWNS: usize = 7;
/// Where the columns of a motor stand among the unknowns.
const MOTOR_UNKNOWNS: [usize; MOTOR - 1] = [0, 1, 2, 3, 4, 5];
/// Where the columns of a link stand among the unknowns.
const LINK_UNKNOWNS: [usize; LINK - 1] = [0, 1, 6];
/// Those that cannot be negative: D, B, Fv, Fc.
const POSITIVE: std::ops::RangeInclusive<usize> = 1..=4;
/// Rounds of weighting.
const ROUNDS: usize = 20;
/// Blocks below which they tell nothing of deviations.
const LEAST_BLOCKS: usize = 8;
/// Seconds between samples that cut-offs are judged by.
const APART: f64 = 5e-3;
/// Directions below this, over the largest, are not shown.
const RANK: f64 = 1e-9;
/// Least noise over the torque; what is exact gets no more weight than this.
const LEAST_NOISE: f64 = 1e-9;
/// Stiffness, N m/rad, and rotor inertia, kg m², of joints that the file has as rigid, for the sake of their links.
const SOME_SPRING: (f64, f64) = (1e4, 1e-4);

/// A number with its standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// Its standard deviation; zero of what was put to zero because it came out negative.
    pub deviation: f64,
}

/// How one of the two equations of a joint is met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideFit {
    /// Root mean square of the torque, N m or N.
    pub torque: f64,
    /// Root mean square of what is left.
    pub residual: f64,
}

impl SideFit {
    /// Residual over torque; zero if there is no torque.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if self.torque > 0.0 { self.residual / self.torque } else { 0.0 }
    }
}

/// The spring of a joint and the rotor behind it; all on the link side, rad or m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundSpring {
    /// Degree of freedom.
    pub dof: usize,
    /// K, N m/rad.
    pub stiffness: Measured,
    /// K by the equation of the motor alone, if that shows it.
    pub by_motor: Option<f64>,
    /// K by the equation of the link alone, if that shows it.
    pub by_link: Option<f64>,
    /// D, N m s/rad.
    pub damping: Measured,
    /// B, kg m².
    pub inertia: Measured,
    /// Viscous friction of the rotor, N m s/rad.
    pub viscous: Measured,
    /// Coulomb friction of the rotor, N m.
    pub coulomb: Measured,
    /// Root mean square of the deflection about its mean, rad.
    pub deflection: f64,
    /// How the equation of the motor is met.
    pub motor: SideFit,
    /// How that of the link is met.
    pub link: SideFit,
}

/// The springs of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Springs {
    /// Joint by joint.
    pub springs: Vec<FoundSpring>,
    /// Cut-off of the smoothing, Hz.
    pub cutoff: f64,
    /// It was chosen as the one with which torques of motors are met best.
    pub chosen: bool,
    /// It is the highest that the sampling rate allows.
    pub limited: bool,
    /// Samples that were used.
    pub samples: u64,
}

/// Finds the springs of the joints whose motors have positions of their own. A cut-off, Hz, may be given.
///
/// # Errors
/// Springs that the motion does not show, a cut-off that cannot be, numbers beyond floating point.
pub fn springs(
    model: &Model<f64>,
    log: &RotorLog,
    cutoff: Option<f64>,
    delay: f64,
    decimate: u64,
) -> Result<Springs, IdentifyError> {
    let links = with_springs(model, &log.elastic)?;
    let gather = |cutoff: f64, decimate: u64| Gathered::new(&links, log, cutoff, delay, decimate);
    let thin = ((APART * log.rate()) as u64).max(1) * decimate.max(1);
    let highest = HIGHEST * log.rate();
    let mut candidates: Vec<f64> = CUTOFFS.into_iter().filter(|cutoff| *cutoff <= highest).collect();
    if candidates.is_empty() {
        candidates.push(highest);
    }
    let chosen = match cutoff {
        Some(cutoff) => cutoff,
        None => {
            let mut best = (f64::INFINITY, candidates[0]);
            for &cutoff in &candidates {
                let criterion = gather(cutoff, thin)?.criterion();
                if criterion < best.0 {
                    best = (criterion, cutoff);
                }
            }
            best.1
        }
    };
    let gathered = gather(chosen, decimate)?;
    let springs = (0..log.elastic.len()).map(|k| gathered.spring(k, &links)).collect::<Result<Vec<_>, _>>()?;
    let limited = cutoff.is_none() && candidates.last() == Some(&chosen);
    Ok(Springs { springs, cutoff: chosen, chosen: cutoff.is_none(), limited, samples: gathered.samples })
}

/// The robot's description with springs, rotors and their friction as found.
#[must_use]
pub fn sprung_robot(model: &Model<f64>, found: &Springs) -> Description {
    let dofs: Vec<usize> = found.springs.iter().map(|spring| spring.dof).collect();
    let mut description = description_with_springs(model, &dofs);
    for spring in &found.springs {
        let place = model.links().iter().position(|link| link.v == spring.dof && link.is_single());
        let motor = place.and_then(|place| description.links[place].motor.as_mut());
        let Some(motor) = motor else { continue };
        let square = motor.ratio.value * motor.ratio.value;
        motor.stiffness = Some(Number::from(spring.stiffness.value));
        motor.damping = Number::from(spring.damping.value);
        motor.inertia = Number::from(if square > 0.0 { spring.inertia.value / square } else { spring.inertia.value });
        motor.rotor_viscous = Number::from(spring.viscous.value);
        motor.rotor_coulomb = Number::from(spring.coulomb.value);
    }
    description.without_locations()
}

/// The robot with springs where the log has them: rotors are then no part of the links.
fn description_with_springs(model: &Model<f64>, elastic: &[usize]) -> Description {
    let mut description = model.description().clone();
    for (link, described) in model.links().iter().zip(&mut description.links) {
        if !link.is_single() || !elastic.contains(&link.v) {
            continue;
        }
        let motor = described.motor.get_or_insert_with(MotorDescription::default);
        if motor.stiffness.is_none() {
            let (stiffness, inertia) = SOME_SPRING;
            motor.stiffness = Some(Number::from(stiffness));
            (motor.viscous, motor.coulomb) = (Number::ZERO, Number::ZERO);
            if motor.inertia.value <= 0.0 {
                motor.inertia = Number::from(inertia);
            }
        }
    }
    description
}

fn with_springs(model: &Model<f64>, elastic: &[usize]) -> Result<Model<f64>, IdentifyError> {
    let several = |link: &&crate::model::Link<f64>| {
        link.joint.nv() > 1 && elastic.iter().any(|dof| (link.v..link.v + link.joint.nv()).contains(dof))
    };
    if let Some(link) = model.links().iter().find(several) {
        let message = format!("joint `{}` has several degrees of freedom and cannot have a spring", link.joint_name);
        return Err(IdentifyError::Robot { message });
    }
    let built = Model::from_description(&description_with_springs(model, elastic));
    built.map_err(|error| IdentifyError::Robot { message: error.to_string() })
}

/// Factors of all joints, motor and link by turns, and of stretches of time.
struct Gathered {
    triangles: Vec<Triangle>,
    blocks: Blocks,
    samples: u64,
    dofs: Vec<usize>,
}

impl Gathered {
    fn new(links: &Model<f64>, log: &RotorLog, cutoff: f64, delay: f64, decimate: u64) -> Result<Self, IdentifyError> {
        let count = log.elastic.len();
        let widths: Vec<usize> = (0..2 * count).map(|k| if k % 2 == 0 { MOTOR } else { LINK }).collect();
        let mut gathered = Self {
            triangles: widths.iter().map(|width| Triangle::new(*width)).collect(),
            blocks: Blocks::new(&widths),
            samples: 0,
            dofs: log.elastic.clone(),
        };
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); 2 * count];
        let (mut workspace, mut torque) = (Workspace::new(links), vec![0.0; links.nv()]);
        let (mut number, mut held) = (None, 0);
        log.samples(cutoff, delay, decimate, |sample: &RotorSample<'_>| {
            let own = stretch(sample.t);
            if number.is_some_and(|number| number != own) {
                gathered.absorb(number.unwrap_or(own), held, &mut rows);
                held = 0;
            }
            number = Some(own);
            held += 1;
            let [q, qd, qdd] = sample.links;
            recursive::inverse_dynamics_into(links, q, qd, qdd, &[], &mut workspace, &mut torque);
            for (k, &dof) in log.elastic.iter().enumerate() {
                let [theta, speed, acceleration] = sample.rotors.map(|rotors| rotors[k]);
                let (deflection, rate) = (theta - q[dof], speed - qd[dof]);
                let motor = [deflection, rate, acceleration, speed, smooth_sign(speed), 1.0, sample.tau[dof]];
                rows[2 * k].extend(motor);
                rows[2 * k + 1].extend([deflection, rate, 1.0, torque[dof]]);
            }
        })?;
        if let Some(number) = number {
            gathered.absorb(number, held, &mut rows);
        }
        let needed = UNKNOWNS as u64 + 1;
        if gathered.samples < needed {
            return Err(IdentifyError::TooFew { samples: gathered.samples, needed });
        }
        Ok(gathered)
    }

    /// Takes in the rows of a stretch of time.
    fn absorb(&mut self, number: i64, samples: u64, rows: &mut [Vec<f64>]) {
        let mut own = Vec::with_capacity(rows.len());
        for (rows, all) in rows.iter_mut().zip(&mut self.triangles) {
            let width = all.width();
            let quads = (rows.len() / width).div_ceil(4);
            let mut block = vec![Quad::splat(0.0); width * quads];
            for (i, row) in rows.chunks_exact(width).enumerate() {
                row.iter().enumerate().for_each(|(column, x)| block[column * quads + i / 4].0[i % 4] = *x);
            }
            let mut triangle = Triangle::new(width);
            triangle.absorb(&mut block, quads, quads);
            all.merge(&triangle);
            own.push(triangle);
            rows.clear();
        }
        self.blocks.add_stretch(number, samples, &own);
        self.samples += samples;
    }

    /// The mean logarithm of what motors leave unexplained when each is fitted alone.
    fn criterion(&self) -> f64 {
        let last = |triangle: &Triangle| triangle.matrix()[(MOTOR - 1, MOTOR - 1)].abs();
        let n = self.samples as f64;
        let logs = self.triangles.iter().step_by(2).map(|triangle| (last(triangle) / n.sqrt()).max(1e-300).ln());
        logs.sum::<f64>() / self.dofs.len().max(1) as f64
    }

    fn spring(&self, k: usize, links: &Model<f64>) -> Result<FoundSpring, IdentifyError> {
        let n = self.samples as f64;
        let [motor, link] = [&self.triangles[2 * k], &self.triangles[2 * k + 1]];
        let numbers = [motor, link].into_iter().flat_map(|triangle| triangle.matrix().as_slice());
        if numbers.clone().any(|x| !x.is_finite()) {
            return Err(IdentifyError::BeyondRange);
        }
        let rms = |triangle: &Triangle, x: &[f64]| (triangle.square(x) / n).sqrt();
        let last = |width: usize| (0..width).map(|at| f64::from(at + 1 == width)).collect::<Vec<f64>>();
        let torque = [rms(motor, &last(MOTOR)), rms(link, &last(LINK))];
        let floor = torque.map(|torque| (LEAST_NOISE * torque).max(f64::MIN_POSITIVE.sqrt()));
        let joint = links.velocities()[self.dofs[k]].to_string();
        let unshown = || IdentifyError::TooLittleMotion {
            parameters: ["stiffness", "damping", "rotor inertia"].map(|what| format!("{what} of `{joint}`")).to_vec(),
            detail: "motor and link move alike, or not enough".to_owned(),
        };
        let mut free = Vec::new();
        let mut noise = [torque[0].max(floor[0]), torque[1].max(floor[1])];
        let (mut values, mut inverse) = (vec![0.0; UNKNOWNS], DMatrix::zeros(UNKNOWNS, UNKNOWNS));
        for _ in 0..ROUNDS {
            // What was negative by other weights may be positive by these.
            free = (0..UNKNOWNS).collect();
            loop {
                let stacked = stacked(motor, link, noise, &free);
                let (found, own) = solve(&stacked).ok_or_else(unshown)?;
                values.fill(0.0);
                free.iter().zip(&found).for_each(|(&to, value)| values[to] = *value);
                inverse = own;
                // The most negative, in deviations, goes first.
                let negative = |at: &usize| POSITIVE.contains(&free[*at]) && found[*at] < 0.0;
                let worse = |at: &usize| found[*at] / inverse.row(*at).norm();
                let worst = (0..free.len()).filter(negative).min_by(|a, b| worse(a).total_cmp(&worse(b)));
                match worst {
                    Some(at) => free.remove(at),
                    None => break,
                };
            }
            let before = noise;
            let left = residuals(motor, link, &values);
            noise = std::array::from_fn(|side| (left[side] / n).sqrt().max(floor[side]));
            if noise.iter().zip(before).all(|(a, b)| (a - b).abs() <= 1e-9 * b) {
                break;
            }
        }
        if values[0] <= 0.0 || !values.iter().all(|x| x.is_finite()) {
            return Err(unshown());
        }
        let deviations = self.deviations(k, &values, &free, noise, &inverse);
        let left = residuals(motor, link, &values);
        let of = |unknown: usize| Measured { value: values[unknown], deviation: deviations[unknown] };
        let side = |at: usize| SideFit { torque: torque[at], residual: (left[at] / n).sqrt() };
        // Rows of the other equation weigh nothing.
        let alone = |own: &[usize], noise: [f64; 2]| {
            solve(&stacked(motor, link, noise, own)).map(|(values, _)| values[0]).filter(|k| k.is_finite())
        };
        // δ about its mean: what is left of it beside the constant.
        let (r, one) = (link.matrix(), 2);
        let square: f64 = (0..LINK).map(|row| r[(row, 0)].powi(2)).sum();
        let product: f64 = (0..LINK).map(|row| r[(row, 0)] * r[(row, one)]).sum();
        Ok(FoundSpring {
            dof: self.dofs[k],
            stiffness: of(0),
            by_motor: alone(&MOTOR_UNKNOWNS, [noise[0], f64::INFINITY]),
            by_link: alone(&LINK_UNKNOWNS, [f64::INFINITY, noise[1]]),
            damping: of(1),
            inertia: of(2),
            viscous: of(3),
            coulomb: of(4),
            deflection: ((square - product * product / n).max(0.0) / n).sqrt(),
            motor: side(0),
            link: side(1),
        })
    }

    /// Standard deviations: of independent errors, or by leaving stretches of time out one by one, whichever is larger.
    fn deviations(
        &self,
        k: usize,
        values: &[f64],
        free: &[usize],
        noise: [f64; 2],
        inverse: &DMatrix<f64>,
    ) -> [f64; UNKNOWNS] {
        let mut deviations = [0.0; UNKNOWNS];
        free.iter().enumerate().for_each(|(at, &to)| deviations[to] = inverse.row(at).norm());
        let count = self.blocks.len();
        if count < LEAST_BLOCKS {
            return deviations;
        }
        let squares = |motor: &Triangle, link: &Triangle| {
            let stacked = stacked(motor, link, noise, free);
            let p = free.len();
            let (a, b) = (stacked.columns(0, p).into_owned(), stacked.column(p).into_owned());
            (a.tr_mul(&a), a.tr_mul(&b))
        };
        let (whole, _) = squares(&self.triangles[2 * k], &self.triangles[2 * k + 1]);
        let x = DVector::from_iterator(free.len(), free.iter().map(|&to| values[to]));
        let mut sums = vec![0.0; free.len()];
        for block in &self.blocks {
            let (own, right) = squares(&block.triangles[2 * k], &block.triangles[2 * k + 1]);
            let gradient = &own * &x - right;
            // Scaled to a unit diagonal: columns differ by orders of magnitude.
            let mut rest = &whole - own;
            let scale: Vec<f64> = rest.diagonal().iter().map(|d| 1.0 / d.max(f64::MIN_POSITIVE).sqrt()).collect();
            rest.iter_mut().enumerate().for_each(|(at, x)| *x *= scale[at % free.len()] * scale[at / free.len()]);
            let Some(factor) = rest.cholesky() else { return deviations };
            let turned = DVector::from_fn(free.len(), |at, _| gradient[at] * scale[at]);
            let moved = factor.solve(&turned);
            sums.iter_mut().enumerate().for_each(|(at, sum)| *sum += (moved[at] * scale[at]).powi(2));
        }
        let share = (count as f64 - 1.0) / count as f64;
        for (&to, sum) in free.iter().zip(sums) {
            deviations[to] = (share * sum).sqrt().max(deviations[to]);
        }
        deviations
    }
}

/// Rows of both equations over their noise, with the columns of what is free and the torque.
fn stacked(motor: &Triangle, link: &Triangle, noise: [f64; 2], free: &[usize]) -> DMatrix<f64> {
    let mut wide = DMatrix::<f64>::zeros(MOTOR + LINK, UNKNOWNS + 1);
    for row in 0..MOTOR {
        for column in row..MOTOR {
            let to = MOTOR_UNKNOWNS.get(column).copied().unwrap_or(UNKNOWNS);
            wide[(row, to)] = motor.matrix()[(row, column)] / noise[0];
        }
    }
    for row in 0..LINK {
        for column in row..LINK {
            let to = LINK_UNKNOWNS.get(column).copied().unwrap_or(UNKNOWNS);
            wide[(MOTOR + row, to)] = link.matrix()[(row, column)] / noise[1];
        }
    }
    let columns: Vec<usize> = free.iter().copied().chain([UNKNOWNS]).collect();
    wide.select_columns(&columns)
}

/// What both equations leave, squared.
fn residuals(motor: &Triangle, link: &Triangle, values: &[f64]) -> [f64; 2] {
    let of_motor: Vec<f64> = MOTOR_UNKNOWNS.iter().map(|&at| values[at]).chain([-1.0]).collect();
    let of_link: Vec<f64> = LINK_UNKNOWNS.iter().map(|&at| values[at]).chain([-1.0]).collect();
    [motor.square(&of_motor), link.square(&of_link)]
}

/// The solution of least squares and R⁻¹; `None` if the columns do not determine it.
fn solve(stacked: &DMatrix<f64>) -> Option<(Vec<f64>, DMatrix<f64>)> {
    let p = stacked.ncols() - 1;
    let lengths: Vec<f64> = (0..p).map(|k| stacked.column(k).norm()).collect();
    if lengths.iter().any(|length| !(*length > 0.0 && length.is_finite())) {
        return None;
    }
    let mut scaled = stacked.clone();
    lengths.iter().enumerate().for_each(|(k, length)| scaled.column_mut(k).scale_mut(1.0 / length));
    let r = scaled.qr().unpack_r();
    let factor = r.view((0, 0), (p, p)).into_owned();
    let values = spectral::singular(factor.clone(), false, false)?.singular_values;
    if values.min() <= RANK * values.max() {
        return None;
    }
    let mut inverse = DMatrix::identity(p, p);
    let mut solution = DMatrix::from_fn(p, 1, |k, _| r[(k, p)]);
    factor.solve_upper_triangular_mut(&mut inverse).then_some(())?;
    factor.solve_upper_triangular_mut(&mut solution).then_some(())?;
    lengths.iter().enumerate().for_each(|(k, length)| inverse.row_mut(k).scale_mut(1.0 / length));
    Some(((0..p).map(|k| solution[k] / lengths[k]).collect(), inverse))
}
