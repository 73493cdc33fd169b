//! One model for many robots, some parameters of which are each robot's own.
//!
//! β_r = E x + T p_r: x is what robots share, p_r what robot r has for itself: its friction, its offsets, what it carries. The columns of T
//! span what may differ, written so that p_r are base parameters themselves: T is the identity on their rows. So nothing is counted twice,
//! and no robot has to be named the one that others differ from.
//!
//! Per robot a QR factorisation puts p_r first; what is left of its rows has x alone and is stacked with that of the others. One small
//! triangle comes out however many robots there are, and back substitution gives every p_r.
//!
//! Errors of neighbouring samples go together, so κ_rj samples of a joint count as one ([`super::spread`]), as seen by the joint's own fit.

use super::consistent::carried;
use super::error::IdentifyError;
use super::factors::Factors;
use super::problem::Problem;
use super::solve::{self, JointFit, Weighted, residual_square};
use super::spread;
use super::terms::Term;
use super::triangle::Triangle;
use crate::spectral;
use nalgebra::{DMatrix, DVector};

/// Rounds of weighting.
const ROUNDS: usize = 25;
/// The weights have settled when none changes by more.
const SETTLED: f64 = 1e-9;
/// Entries below this, over the largest, are none.
const RANK: f64 = 1e-9;

/// What may differ from robot to robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// T: unknowns × directions.
    directions: DMatrix<f64>,
    /// The unknowns that the directions are the identity on.
    pivots: Vec<usize>,
}

impl Individual {
    /// Nothing.
    #[must_use]
    pub fn none(problem: &Problem) -> Self {
        Self { directions: DMatrix::zeros(problem.count(), 0), pivots: Vec::new() }
    }

    /// Friction, too.
    #[must_use]
    pub fn with_friction(self, problem: &Problem) -> Self {
        let base = problem.unknowns().len();
        let is_friction = |k: &usize| match k.checked_sub(base) {
            Some(term) => match problem.terms()[term].term {
                Term::Rotor | Term::Offset => false,
                Term::Viscous | Term::Element(_) | Term::Root | Term::Stribeck | Term::Load => true,
            },
            None => problem.base().parameters()[problem.column(*k)].kind.is_friction(),
        };
        self.with_unknowns((0..problem.count()).filter(is_friction))
    }

    /// Torque offsets, too; none if the problem has none.
    #[must_use]
    pub fn with_offsets(self, problem: &Problem) -> Self {
        let base = problem.unknowns().len();
        let offsets = problem.terms().iter().enumerate().filter(|(_, term)| term.term == Term::Offset);
        self.with_unknowns(offsets.map(|(at, _)| base + at))
    }

    /// What a link carries, too.
    ///
    /// # Errors
    /// A link whose load no joint feels.
    pub fn with_payload(self, problem: &Problem, link: usize) -> Result<Self, IdentifyError> {
        let carried = carried(problem, link);
        if carried.iter().all(|x| *x == 0.0) {
            return Err(IdentifyError::Unfelt { link: problem.model().links()[link].name.clone() });
        }
        Ok(self.with(&carried))
    }

    fn with_unknowns(self, unknowns: impl Iterator<Item = usize>) -> Self {
        let chosen: Vec<usize> = unknowns.collect();
        let mut columns = DMatrix::zeros(self.directions.nrows(), chosen.len());
        chosen.into_iter().enumerate().for_each(|(column, unknown)| columns[(unknown, column)] = 1.0);
        self.with(&columns)
    }

    /// With more directions: all of them reduced by elimination, the largest entry first.
    fn with(self, more: &DMatrix<f64>) -> Self {
        let count = self.directions.nrows();
        let columns = self.directions.column_iter().chain(more.column_iter()).map(|column| column.into_owned());
        let mut rest: Vec<DVector<f64>> = columns.filter(|column| column.amax() > 0.0).collect();
        rest.iter_mut().for_each(|column| *column /= column.amax());
        let (mut reduced, mut pivots): (Vec<DVector<f64>>, Vec<usize>) = (Vec::new(), Vec::new());
        while let Some((at, _)) =
            (rest.iter().map(DVector::amax).enumerate()).max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, x)| *x > RANK)
        {
            let column = rest.swap_remove(at);
            let pivot = column.icamax();
            let column = &column / column[pivot];
            let clear = |other: &mut DVector<f64>| {
                let share = other[pivot];
                other.axpy(-share, &column, 1.0);
                other[pivot] = 0.0;
            };
            rest.iter_mut().for_each(clear);
            reduced.iter_mut().for_each(clear);
            reduced.push(column);
            pivots.push(pivot);
        }
        let mut order: Vec<usize> = (0..pivots.len()).collect();
        order.sort_by_key(|&k| pivots[k]);
        let directions = DMatrix::from_fn(count, order.len(), |row, k| reduced[order[k]][row]);
        pivots.sort_unstable();
        Self { directions, pivots }
    }

    /// True if no unknown differs.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.pivots.is_empty()
    }

    /// Per unknown, whether its value may differ from robot to robot.
    #[must_use]
    pub fn differs(&self) -> Vec<bool> {
        self.directions.row_iter().map(|row| row.iter().any(|x| x.abs() > RANK)).collect()
    }
}

/// A robot of the pool, of which no stretches of time are needed any more.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name, for messages.
    pub name: String,
    /// What is kept of its data.
    pub factors: Factors,
    /// κ per joint: how many of its samples count as one.
    pub alike: Vec<f64>,
}

impl Member {
    /// Of a robot's factors; the stretches of time are left out.
    #[must_use]
    pub fn new(name: String, problem: &Problem, factors: &Factors) -> Self {
        let floor = solve::floor(&solve::torques(factors));
        let noise = solve::own_noise(factors, floor);
        let alike = |j: usize| spread::alike(problem, factors, j, &alone(problem, factors, j), noise[j]);
        let alike = (0..noise.len()).map(alike).collect();
        Self { name, factors: factors.without_blocks(), alike }
    }
}

/// The values with which one joint, fitted alone, is met best; zero where it feels nothing.
fn alone(problem: &Problem, factors: &Factors, joint: usize) -> Vec<f64> {
    let (felt, triangle) = (problem.felt(joint), factors.triangles[joint].matrix());
    let width = felt.len();
    let r = DMatrix::from_fn(width, width, |row, column| if column < row { 0.0 } else { triangle[(row, column)] });
    let right = DVector::from_fn(width, |row, _| triangle[(row, width)]);
    let found =
        spectral::singular(r, true, true).and_then(|svd| svd.solve(&right, RANK * svd.singular_values.max()).ok());
    let mut values = vec![0.0; problem.count()];
    if let Some(found) = found {
        felt.iter().zip(found.iter()).for_each(|(&unknown, value)| values[unknown] = *value);
    }
    values
}

/// Parameters of many robots.
#[derive(Clone, Debug)]
pub struct Pooled {
    /// Per robot, the values of all unknowns.
    pub values: Vec<Vec<f64>>,
    /// Their standard deviations.
    pub deviations: Vec<Vec<f64>>,
    /// Per robot, how its joints are met.
    pub joints: Vec<Vec<JointFit>>,
    /// Condition number of what robots share, with columns of unit length.
    pub condition: f64,
    /// Samples of all robots.
    pub samples: u64,
}

/// A robot after its own unknowns were put first.
struct Eliminated {
    /// R₁₁⁻¹.
    inverse: DMatrix<f64>,
    /// R₁₁⁻¹ R₁₂.
    shared: DMatrix<f64>,
    /// R₁₁⁻¹ r₁.
    right: DVector<f64>,
    /// What is left: the shared unknowns and the right side.
    rest: DMatrix<f64>,
}

/// The parameters of all members.
///
/// # Errors
/// No robots, factors of another problem, or motion that does not show all parameters: of a robot its own, of all robots the shared ones.
pub fn pooled(problem: &Problem, members: &[Member], individual: &Individual) -> Result<Pooled, IdentifyError> {
    let (p, joints) = (problem.count(), problem.joints().len());
    let needed = p as u64 + 1;
    let samples: u64 = members.iter().map(|member| member.factors.samples).sum();
    if samples < needed {
        return Err(IdentifyError::TooFew { samples, needed });
    }
    if let Some(other) = members.iter().find(|member| member.factors.names != problem.names()) {
        return Err(IdentifyError::OtherProblem { expected: p, found: other.factors.names.len() });
    }
    let kept: Vec<usize> = (0..p).filter(|k| individual.pivots.binary_search(k).is_err()).collect();
    let rows: Vec<f64> = (0..joints).map(|j| members.iter().map(|member| member.factors.rows(j)).sum()).collect();
    let unknowns = kept.len() + individual.pivots.len() * members.len();
    let freedom = |j: usize| (rows[j] - unknowns as f64 / joints as f64).max(1.0);
    let torque: Vec<f64> = members.iter().flat_map(|member| solve::torques(&member.factors)).collect();
    let floor = solve::floor(&torque);
    let own: Vec<Vec<f64>> = members.iter().map(|member| solve::own_noise(&member.factors, floor)).collect();
    let mean = |j: usize| (own.iter().map(|own| own[j] * own[j]).sum::<f64>() / members.len() as f64).sqrt();
    let mut noise: Vec<f64> = (0..joints).map(mean).collect();
    let mut round = 0;
    loop {
        let parts = members.iter().map(|member| eliminated(problem, member, individual, &kept, &noise));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let mut all = Triangle::new(kept.len() + 1);
        parts.iter().for_each(|part| all.merge(&triangle(&part.rest)));
        let stacked = DMatrix::from_fn(kept.len() + 1, kept.len() + 1, |row, column| all.matrix()[(row, column)]);
        let weighted = Weighted::of(&stacked);
        let condition = if kept.is_empty() { Ok(1.0) } else { weighted.condition() };
        let condition = condition.map_err(|dark| IdentifyError::TooLittleMotion {
            parameters: dark.iter().map(|&k| problem.names()[kept[k]].clone()).collect(),
            detail: format!("all {} robots together", members.len()),
        })?;
        let (shared, root) = weighted.solve_with_root();
        let back = |part: &Eliminated| values(p, individual, &kept, &shared, part);
        let all: Vec<Vec<f64>> = parts.iter().map(back).collect();
        let before = noise.clone();
        for (j, noise) in noise.iter_mut().enumerate() {
            let square = |(member, values): (&Member, &Vec<f64>)| residual_square(problem, &member.factors, j, values);
            let square: f64 = members.iter().zip(&all).map(square).sum();
            *noise = (square / freedom(j)).sqrt().max(floor);
        }
        let settled = noise.iter().zip(&before).all(|(a, b)| (a - b).abs() <= SETTLED * b);
        if settled || round == ROUNDS {
            let deviations = parts.iter().map(|part| deviations(p, individual, &kept, &root, part)).collect();
            let fits =
                |(member, values): (&Member, &Vec<f64>)| solve::joint_fits(problem, &member.factors, values, &noise);
            let joints = members.iter().zip(&all).map(fits).collect();
            return Ok(Pooled { values: all, deviations, joints, condition, samples });
        }
        round += 1;
    }
}

/// The triangle of a square whose rows below the diagonal are zero.
fn triangle(square: &DMatrix<f64>) -> Triangle {
    let width = square.ncols();
    let packed: Vec<f64> = (0..width).flat_map(|row| (row..width).map(move |column| square[(row, column)])).collect();
    Triangle::from_packed(width, &packed).unwrap_or_else(|| Triangle::new(width))
}

/// Puts a robot's own unknowns first and takes them off the rest.
fn eliminated(
    problem: &Problem,
    member: &Member,
    individual: &Individual,
    kept: &[usize],
    noise: &[f64],
) -> Result<Eliminated, IdentifyError> {
    let (k, s) = (individual.pivots.len(), kept.len());
    let weights: Vec<f64> = noise.iter().zip(&member.alike).map(|(noise, alike)| noise * alike.sqrt()).collect();
    let stacked = solve::stacked(problem, &member.factors, &weights);
    let p = problem.count();
    let own = stacked.columns(0, p) * &individual.directions;
    let mut columns = DMatrix::zeros(stacked.nrows().max(k + s + 1), k + s + 1);
    columns.view_mut((0, 0), (stacked.nrows(), k)).copy_from(&own);
    for (at, &unknown) in kept.iter().chain([&p]).enumerate() {
        columns.view_mut((0, k + at), (stacked.nrows(), 1)).copy_from(&stacked.column(unknown));
    }
    let lengths: Vec<f64> = columns.columns(0, k).column_iter().map(|column| column.norm()).collect();
    let r = columns.qr().unpack_r();
    let dark: Vec<usize> = (0..k).filter(|&i| r[(i, i)].abs() <= RANK * lengths[i] || lengths[i] == 0.0).collect();
    if !dark.is_empty() {
        let parameters = dark.iter().map(|&i| problem.names()[individual.pivots[i]].clone()).collect();
        let detail = format!("robot `{}` alone has to show them", member.name);
        return Err(IdentifyError::TooLittleMotion { parameters, detail });
    }
    let mut inverse = DMatrix::identity(k, k);
    let first = r.view((0, 0), (k, k)).into_owned();
    first.solve_upper_triangular_mut(&mut inverse);
    let (shared, right) = (&inverse * r.view((0, k), (k, s)), &inverse * r.view((0, k + s), (k, 1)));
    let rest = r.view((k, k), (s + 1, s + 1)).into_owned();
    Ok(Eliminated { shared, right: right.column(0).into_owned(), inverse, rest })
}

/// All unknowns of a robot.
fn values(p: usize, individual: &Individual, kept: &[usize], shared: &[f64], part: &Eliminated) -> Vec<f64> {
    let own = &part.right - &part.shared * DVector::from_column_slice(shared);
    let mut values = &individual.directions * own;
    kept.iter().zip(shared).for_each(|(&unknown, value)| values[unknown] += value);
    values.as_slice()[..p].to_vec()
}

/// Their standard deviations: (E − T G) C (E − T G)ᵀ + T (R₁₁ᵀR₁₁)⁻¹ Tᵀ, C = W Wᵀ being the covariance of what is shared.
fn deviations(p: usize, individual: &Individual, kept: &[usize], root: &DMatrix<f64>, part: &Eliminated) -> Vec<f64> {
    let mut through = -(&individual.directions * &part.shared);
    kept.iter().enumerate().for_each(|(column, &unknown)| through[(unknown, column)] += 1.0);
    let (shared, own) = (through * root, &individual.directions * &part.inverse);
    (0..p).map(|k| (shared.row(k).norm_squared() + own.row(k).norm_squared()).sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Accumulator, Drives, Sample, solve as solve_one};
    use super::*;
    use crate::dynamics::recursive;
    use crate::model::Model;
    use crate::random::Random;
    use crate::robots;

    /// Factors of a robot with these frictions and this mass more at the tip, with noise.
    fn factors(problem: &Problem, viscous: f64, more: f64, seed: u64, noise: f64) -> Factors {
        let mut description = robots::load("planar2r").unwrap().description().clone();
        let tip = description.links.iter().position(|link| link.name == "link2").unwrap();
        let mass = description.links[tip].mass.value;
        description.links[tip].mass = (mass + more).into();
        let model = Model::from_description(&description).unwrap();
        let (mut accumulator, mut random) = (Accumulator::new(problem), Random(seed));
        for i in 0..3000 {
            let [q, qd, qdd] = std::array::from_fn(|_| random.vector(2));
            let mut tau = recursive::inverse_dynamics(&model, &q, &qd, &qdd, &[]);
            for (tau, speed) in tau.iter_mut().zip(&qd) {
                *tau += viscous * speed + noise * random.vector(1)[0];
            }
            accumulator.add(&Sample { t: 0.01 * f64::from(i), q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
        }
        accumulator.finish()
    }

    fn problem() -> Problem {
        let drives = Drives { armature: false, viscous: true, coulomb: false };
        Problem::new(&robots::load("planar2r").unwrap(), drives).unwrap()
    }

    fn members(problem: &Problem, all: &[Factors]) -> Vec<Member> {
        all.iter().enumerate().map(|(k, own)| Member::new(format!("r{k}"), problem, own)).collect()
    }

    #[test]
    fn with_nothing_of_their_own_robots_are_one() {
        let problem = problem();
        let all: Vec<Factors> = (0..3).map(|k| factors(&problem, 0.5, 0.0, 11 + k, 0.1)).collect();
        let mut merged = all[0].clone();
        all[1..].iter().for_each(|own| merged.merge(own).unwrap());
        let one = solve_one(&problem, &merged).unwrap();
        let pool = pooled(&problem, &members(&problem, &all), &Individual::none(&problem)).unwrap();
        for (k, value) in one.values.iter().enumerate() {
            assert!((pool.values[0][k] - value).abs() < 0.1 * one.deviations[k], "{}", problem.names()[k]);
            assert_eq!(pool.values[0][k], pool.values[2][k]);
        }
    }

    #[test]
    fn friction_and_loads_that_differ_are_found_exactly_and_the_rest_is_shared() {
        let problem = problem();
        let given = [(0.2, 0.0), (0.9, 0.3), (1.4, 0.1), (0.4, 0.6)];
        let all: Vec<Factors> =
            given.iter().zip(1..).map(|(&(viscous, more), seed)| factors(&problem, viscous, more, seed, 0.0)).collect();
        let link = problem.model().links().iter().position(|link| link.name == "link2").unwrap();
        let individual = Individual::none(&problem).with_friction(&problem).with_payload(&problem, link).unwrap();
        let pool = pooled(&problem, &members(&problem, &all), &individual).unwrap();
        for (robot, own) in all.iter().enumerate() {
            let alone = solve_one(&problem, own).unwrap();
            for (k, name) in problem.names().iter().enumerate() {
                assert!((pool.values[robot][k] - alone.values[k]).abs() < 1e-8, "{name} of robot {robot}");
            }
        }
        let shared: Vec<&String> =
            problem.names().iter().zip(individual.differs()).filter(|(_, differs)| !differs).map(|(n, _)| n).collect();
        assert!(shared.iter().all(|name| !name.starts_with("Fv")), "{shared:?}");
        assert!(shared.iter().any(|name| *name == "mY1"), "{shared:?}");
        for k in (0..problem.count()).filter(|k| !individual.differs()[*k]) {
            assert!((pool.values[0][k] - pool.values[3][k]).abs() < 1e-12);
        }
    }

    #[test]
    fn a_deviation_is_how_far_estimates_scatter() {
        let problem = problem();
        let individual = Individual::none(&problem).with_friction(&problem);
        let (mut square, mut count) = (0.0, 0.0);
        for run in 0..12_u64 {
            let all: Vec<Factors> = (0..3).map(|k| factors(&problem, 0.5, 0.0, 100 + 3 * run + k, 0.2)).collect();
            let pool = pooled(&problem, &members(&problem, &all), &individual).unwrap();
            for (values, deviations) in pool.values.iter().zip(&pool.deviations) {
                for k in (0..problem.count()).filter(|k| individual.differs()[*k]) {
                    square += ((values[k] - 0.5) / deviations[k]).powi(2);
                    count += 1.0;
                }
            }
        }
        let ratio: f64 = square / count;
        // Seeds are fixed. κ is at least one, so deviations err on the large side.
        assert!((0.3..1.5).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_robot_that_stands_still_cannot_have_friction_of_its_own() {
        let problem = problem();
        let mut accumulator = Accumulator::new(&problem);
        for i in 0..100 {
            let t = 0.01 * f64::from(i);
            accumulator.add(&Sample { t, q: &[0.1, 0.2], qd: &[0.0; 2], qdd: &[0.0; 2], tau: &[9.0, 2.0], z: &[] });
        }
        let all = [factors(&problem, 0.5, 0.0, 3, 0.1), accumulator.finish()];
        let members = members(&problem, &all);
        let error = pooled(&problem, &members, &Individual::none(&problem).with_friction(&problem)).unwrap_err();
        assert!(error.to_string().contains("robot `r1`"), "{error}");
        assert!(pooled(&problem, &members, &Individual::none(&problem)).is_ok());
    }
}
