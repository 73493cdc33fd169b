//! Estimates beside those of all samples at once: dense matrices, refits without a stretch of time, and one large fit
//! of a whole fleet.

use crate::logs::{Random, Run, with_friction};
use jourdain::dynamics::recursive;
use jourdain::identify::{Accumulator, Drives, Estimate, Factors, Individual, Member, Problem, Sample, pooled, solve};
use jourdain::model::{Edit, Payload};
use jourdain::{Model, robots};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

/// All rows of a log: per joint the numbers of its unknowns and of its torque, with the time of each row.
#[derive(Clone)]
pub struct Rows {
    pub unknowns: usize,
    /// Per joint.
    pub joints: Vec<Vec<(f64, Vec<f64>, f64)>>,
}

/// Errors of a joint: their size, how much of one the next has, and every how many samples the torque is missing.
#[derive(Clone, Copy)]
struct Errors {
    size: f64,
    like: f64,
    missing: usize,
}

/// Samples from a time on, as rows and as factors.
fn log(problem: &Problem, model: &Model<f64>, times: &[f64], errors: [Errors; 2], seed: u64) -> (Rows, Factors) {
    let (mut run, mut random) = (Run::new(model, 0.8), Random(seed));
    let (mut accumulator, mut joints, mut state) = (Accumulator::new(problem), vec![Vec::new(); 2], [0.0; 2]);
    for (i, &t) in times.iter().enumerate() {
        run.at(t);
        let regressor = recursive::regressor(problem.model(), &run.q, &run.qd, &run.qdd);
        let mut tau = run.tau.clone();
        for (j, error) in errors.iter().enumerate() {
            state[j] = error.like * state[j] + error.size * random.normal();
            tau[j] += state[j];
            if error.missing > 0 && i % error.missing == 1 {
                tau[j] = f64::NAN;
                continue;
            }
            let known: f64 = problem.known().iter().map(|&(column, x)| regressor[(j, column)] * x).sum();
            let row = (0..problem.count()).map(|i| regressor[(j, problem.column(i))]).collect();
            joints[j].push((t, row, tau[j] - known));
        }
        accumulator.add(&Sample { t, q: &run.q, qd: &run.qd, qdd: &run.qdd, tau: &tau, z: &[] });
    }
    (Rows { unknowns: problem.count(), joints }, accumulator.finish())
}

impl Rows {
    /// The rows of all joints over their noise, those of times that are `kept`.
    pub fn weighted(&self, noise: &[f64], kept: impl Fn(f64) -> bool) -> (DMatrix<f64>, DVector<f64>) {
        let rows = self.joints.iter().zip(noise).flat_map(|(rows, noise)| rows.iter().map(move |row| (row, noise)));
        let rows: Vec<_> = rows.filter(|((t, ..), _)| kept(*t)).collect();
        let a = DMatrix::from_fn(rows.len(), self.unknowns, |i, k| rows[i].0.1[k] / rows[i].1);
        let b = DVector::from_fn(rows.len(), |i, _| rows[i].0.2 / rows[i].1);
        (a, b)
    }

    pub fn residuals(&self, joint: usize, values: &[f64]) -> Vec<f64> {
        let predicted = |row: &[f64]| row.iter().zip(values).map(|(a, x)| a * x).sum::<f64>();
        self.joints[joint].iter().map(|(_, row, tau)| predicted(row) - tau).collect()
    }
}

/// Least squares, and the pseudo-inverse of AᵀA, by singular values of A with columns of unit length.
pub fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let lengths: Vec<f64> = a.column_iter().map(|column| column.norm().max(1e-300)).collect();
    let scaled = DMatrix::from_fn(a.nrows(), a.ncols(), |i, k| a[(i, k)] / lengths[k]);
    let square = scaled.transpose() * &scaled;
    let inverse = square.pseudo_inverse(1e-10).unwrap();
    let root = DMatrix::from_diagonal(&DVector::from_iterator(lengths.len(), lengths.iter().map(|x| 1.0 / x)));
    let covariance = &root * inverse * &root;
    let mut x = &covariance * (a.transpose() * b);
    // Once more with what is left: the square has lost digits.
    x += &covariance * (a.transpose() * (b - a * &x));
    (x, covariance)
}

pub fn squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

pub fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-12), "{what}: {found} instead of {expected}");
}

/// That an estimate is the weighted fit of all rows, by the noise that it tells.
fn is_the_fit_of(rows: &Rows, problem: &Problem, factors: &Factors, found: &Estimate) {
    let noise: Vec<f64> = found.joints.iter().map(|joint| joint.noise).collect();
    let (a, b) = rows.weighted(&noise, |_| true);
    let (values, covariance) = least_squares(&a, &b);
    let name = |k: usize| problem.names()[k].as_str();
    for k in 0..rows.unknowns {
        assert!((found.values[k] - values[k]).abs() < 1e-7 * covariance[(k, k)].sqrt(), "{}", name(k));
    }
    for (j, joint) in found.joints.iter().enumerate() {
        let left = squares(&rows.residuals(j, &found.values));
        let count = rows.joints[j].len() as f64;
        close("residual", joint.residual, (left / count).sqrt(), 1e-9);
        let torque: f64 = rows.joints[j].iter().map(|(_, _, tau)| tau * tau).sum();
        close("torque", joint.torque, (torque / count).sqrt(), 1e-12);
        close("relative", joint.relative(), (left / torque).sqrt(), 1e-9);
        // The trace of the hat matrix over the rows of the joint is what it pays of the unknowns.
        let own = DMatrix::from_fn(rows.joints[j].len(), rows.unknowns, |i, k| rows.joints[j][i].1[k]);
        let paid = (&own * &covariance * own.transpose()).trace() / (joint.noise * joint.noise);
        close("noise", joint.noise, (left / (count - paid)).sqrt(), 1e-7);
    }
    // Refits without one stretch each: the jackknife.
    let number = |t: f64| (t / factors.blocks.seconds).floor() as i64;
    let stretches: BTreeSet<i64> = rows.joints.iter().flatten().map(|(t, ..)| number(*t)).collect();
    let count = stretches.len() as f64;
    let mut moved = vec![0.0; rows.unknowns];
    for stretch in &stretches {
        let (a, b) = rows.weighted(&noise, |t| number(t) != *stretch);
        let (without, _) = least_squares(&a, &b);
        moved.iter_mut().zip(without.iter().zip(values.iter())).for_each(|(sum, (x, y))| *sum += (x - y).powi(2));
    }
    let relative = found.relative_deviations();
    for k in 0..rows.unknowns {
        let alone = covariance[(k, k)].sqrt();
        let seen = if count < 8.0 { 0.0 } else { ((count - 1.0) / count * moved[k]).sqrt() };
        close(name(k), found.deviations[k], alone.max(seen), 1e-6);
        close(name(k), relative[k].unwrap(), found.deviations[k] / found.values[k].abs(), 1e-12);
    }
    let lengths: Vec<f64> = a.column_iter().map(|column| column.norm()).collect();
    let unit = DMatrix::from_fn(a.nrows(), a.ncols(), |i, k| a[(i, k)] / lengths[k]);
    let singular = unit.singular_values();
    close("condition", found.condition, singular.max() / singular.min(), 1e-9);
}

fn times(first: f64, seconds: f64, step: f64) -> Vec<f64> {
    (0..(seconds / step).round() as u32).map(|i| first + step * f64::from(i)).collect()
}

fn arm() -> (Model<f64>, Problem) {
    let model = with_friction("planar2r");
    (model, Problem::new(&robots::load("planar2r").unwrap(), Drives::default()).unwrap())
}

const WHITE: Errors = Errors { size: 0.3, like: 0.0, missing: 0 };
const LASTING: Errors = Errors { size: 0.4, like: 0.95, missing: 7 };

#[test]
fn an_estimate_is_the_fit_of_all_rows_and_its_deviations_those_of_refits_without_a_stretch() {
    let (model, problem) = arm();
    for (seconds, errors) in [
        (24.0, [WHITE, LASTING]),
        (24.0, [WHITE, Errors { size: 2.0, ..WHITE }]),
        (24.0, [Errors { missing: 3, ..LASTING }, Errors { size: 1e-3, ..WHITE }]),
        // Eight stretches are enough to tell by, seven are not.
        (16.0, [LASTING, LASTING]),
        (14.0, [LASTING, LASTING]),
    ] {
        let (rows, factors) = log(&problem, &model, &times(0.0, seconds, 0.04), errors, 5);
        assert_eq!(factors.blocks.len() as f64, 0.5 * seconds);
        let found = solve(&problem, &factors).unwrap();
        assert_eq!(found.samples, (25.0 * seconds) as u64);
        is_the_fit_of(&rows, &problem, &factors, &found);
    }
}

/// Numbers that look random and are the same every time, by which squares are compared.
fn numbers(count: usize) -> Vec<f64> {
    let mut random = Random(77);
    (0..count).map(|_| random.normal()).collect()
}

/// That the stretches of factors are those of the rows, each over its own time.
fn has_the_stretches_of(rows: &Rows, problem: &Problem, factors: &Factors) {
    let seconds = factors.blocks.seconds;
    let mut samples = 0;
    for block in &factors.blocks {
        samples += block.samples;
        for (j, triangle) in block.triangles.iter().enumerate() {
            let x = numbers(problem.count());
            let felt: Vec<f64> = problem.felt(j).iter().map(|&i| x[i]).chain([-1.0]).collect();
            let inside = rows.joints[j].iter().filter(|(t, ..)| (t / seconds).floor() as i64 == block.number);
            let left = |(_, row, tau): &(f64, Vec<f64>, f64)| row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>() - tau;
            close("square", triangle.square(&felt), inside.map(|row| left(row).powi(2)).sum(), 1e-9);
        }
    }
    assert_eq!(samples, factors.samples);
    assert!(factors.blocks.iter().zip(factors.blocks.iter().skip(1)).all(|(a, b)| a.number < b.number));
}

#[test]
fn stretches_of_a_long_log_and_of_merged_ones_hold_the_rows_of_their_time() {
    let (model, problem) = arm();
    let of = |first: f64, seconds: f64| log(&problem, &model, &times(first, seconds, 0.1), [WHITE, LASTING], 3);
    // So many stretches of two seconds are kept: with one more they are of four.
    for (seconds, length) in [(64.0, 2.0), (66.0, 4.0), (300.0, 16.0)] {
        // Not from zero on, so that some of the numbers are below.
        let (rows, factors) = of(-20.0, seconds);
        assert_eq!(factors.blocks.seconds, length);
        assert!(factors.blocks.len() <= 32 && !factors.blocks.is_empty());
        has_the_stretches_of(&rows, &problem, &factors);
        assert_eq!(Factors::from_bytes(&factors.to_bytes()).unwrap(), factors);
        assert_ne!(factors, factors.without_blocks());
        assert!(factors.without_blocks().blocks.is_empty());
    }
    // Short with long, long with short, two that are too many together, and two of the same time.
    let parts =
        [[(0.0, 20.0), (20.0, 100.0)], [(20.0, 100.0), (0.0, 20.0)], [(0.0, 50.0), (50.0, 50.0)], [(0.0, 30.0); 2]];
    for [first, second] in parts {
        let ((mut rows, mut factors), (more, other)) = (of(first.0, first.1), of(second.0, second.1));
        factors.merge(&other).unwrap();
        rows.joints.iter_mut().zip(more.joints).for_each(|(rows, more)| rows.extend(more));
        has_the_stretches_of(&rows, &problem, &factors);
        assert!(factors.blocks.len() <= 32);
        let found = solve(&problem, &factors).unwrap();
        is_the_fit_of(&rows, &problem, &factors, &found);
    }
}

/// κ of a joint as it is defined: the scatter of the gradients of stretches, by the inverse of the squares, over what
/// independent errors would give. `columns` are those that its rows show, `freedom` the rows that errors are divided by.
pub fn alike_by(rows: &Rows, joint: usize, columns: &[usize], freedom: usize) -> f64 {
    let own = &rows.joints[joint];
    let a = DMatrix::from_fn(own.len(), columns.len(), |i, k| own[i].1[columns[k]]);
    let b = DVector::from_fn(own.len(), |i, _| own[i].2);
    let (values, inverse) = least_squares(&a, &b);
    let left = &a * values - b;
    let noise = left.norm_squared() / freedom as f64;
    let stretches: BTreeSet<i64> = own.iter().map(|(t, ..)| (t / 2.0).floor() as i64).collect();
    let gradient = |stretch: &i64| {
        let inside = (0..own.len()).filter(|&i| (own[i].0 / 2.0).floor() as i64 == *stretch);
        inside.fold(DVector::zeros(columns.len()), |sum, i| sum + a.row(i).transpose() * left[i])
    };
    let count = stretches.len() as f64;
    let scatter: f64 = stretches.iter().map(gradient).map(|g| g.dot(&(&inverse * &g))).sum();
    // Least squares leave no gradient of the whole, so the mean of those of stretches is zero.
    count / (count - 1.0) * scatter / (noise * columns.len() as f64)
}

/// The same of all that the joint feels.
fn alike(rows: &Rows, problem: &Problem, joint: usize) -> f64 {
    let felt = problem.felt(joint);
    alike_by(rows, joint, felt, rows.joints[joint].len() - felt.len())
}

#[test]
fn samples_count_as_one_where_stretches_scatter_by_more_than_independent_errors_would() {
    let (model, problem) = arm();
    for (seconds, step) in [(24.0, 0.04), (16.0, 0.04), (14.0, 0.04)] {
        let (rows, factors) = log(&problem, &model, &times(0.0, seconds, step), [LASTING, WHITE], 8);
        let member = Member::new("a".to_owned(), &problem, &factors);
        assert!(member.factors.blocks.is_empty() && member.factors.samples == factors.samples);
        for (j, found) in member.alike.iter().enumerate() {
            let expected = if seconds < 16.0 { 1.0 } else { alike(&rows, &problem, j).max(1.0) };
            close("samples that count as one", *found, expected, 1e-7);
        }
        assert!((member.alike[0] > 2.0) == (seconds >= 16.0), "{:?}", member.alike);
    }
}

/// What a payload of the last link adds to the unknowns: those of a robot that carries it, less those
/// of one that does not.
fn directions_of_a_payload(problem: &Problem, link: &str) -> DMatrix<f64> {
    let robot = robots::load("planar2r").unwrap();
    let places = [[0.0; 3], [0.1, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.2, 0.0], [0.1, -0.1, 0.1]];
    let column = |place: [f64; 3]| {
        let payload = Payload::point(1.0.into(), place.map(Into::into));
        let edit = Edit::Payload { link: link.to_owned(), payload };
        let description = robot.description().clone().edit(&[edit]).unwrap().description;
        let loaded = Problem::new(&Model::from_description(&description).unwrap(), problem.drives()).unwrap();
        assert_eq!(loaded.names(), problem.names());
        let more = loaded.prior().into_iter().zip(problem.prior()).map(|(with, without)| with - without);
        DVector::from_iterator(problem.count(), more)
    };
    DMatrix::from_columns(&places.map(column))
}

/// Three robots of one model, with friction of their own and perhaps a load: β_r = x + T p_r, all in one fit.
#[test]
fn a_fleet_is_one_fit_of_all_robots_with_shared_and_own_unknowns() {
    let (model, problem) = arm();
    let errors = [[LASTING, WHITE], [WHITE, WHITE], [Errors { size: 1.0, ..WHITE }, LASTING]];
    let parts: Vec<(Rows, Factors)> = (errors.into_iter().zip([24.0, 30.0, 10.0]).zip(1..))
        .map(|((errors, seconds), seed)| log(&problem, &model, &times(0.0, seconds, 0.05), errors, seed))
        .collect();
    let name = |k: usize| format!("robot {k}");
    let members: Vec<Member> =
        parts.iter().enumerate().map(|(k, (_, factors))| Member::new(name(k), &problem, factors)).collect();
    let p = problem.count();
    let friction: Vec<usize> = (0..p).filter(|&k| problem.names()[k].starts_with('F')).collect();
    let own_friction = DMatrix::from_fn(p, friction.len(), |k, column| f64::from(friction[column] == k));
    let payload = directions_of_a_payload(&problem, "link2");
    let link = problem.model().links().iter().position(|link| link.name == "link2").unwrap();
    let none = Individual::none(&problem);
    assert!(none.is_none() && !none.differs().contains(&true));
    let with_friction = none.clone().with_friction(&problem);
    let with_payload = none.clone().with_payload(&problem, link).unwrap();
    let both = with_payload.clone().with_friction(&problem);
    assert!(!both.is_none());
    // Once more is nothing more, in whatever order.
    assert_eq!(both.clone().with_friction(&problem), both);
    let other = with_friction.clone().with_payload(&problem, link).unwrap();
    assert_eq!(other.differs(), both.differs());
    let all = DMatrix::from_fn(p, friction.len() + 5, |k, c| {
        if c < friction.len() { own_friction[(k, c)] } else { payload[(k, c - friction.len())] }
    });
    let nothing = DMatrix::zeros(p, 0);
    for (individual, own) in [(none, nothing), (with_friction, own_friction), (with_payload, payload), (both, all)] {
        for (k, differs) in individual.differs().into_iter().enumerate() {
            assert_eq!(differs, own.row(k).amax() > 1e-9, "{}", problem.names()[k]);
        }
        let found = pooled(&problem, &members, &individual).unwrap();
        assert_eq!(found.samples, members.iter().map(|member| member.factors.samples).sum::<u64>());
        let (count, wide) = (parts.len(), own.ncols());
        let rank = if wide > 0 { own.clone().svd(false, false).rank(1e-9) } else { 0 };
        let noise: Vec<f64> = (0..2).map(|j| found.joints[0][j].noise).collect();
        let weights = |r: usize| -> Vec<f64> { (0..2).map(|j| noise[j] * members[r].alike[j].sqrt()).collect() };
        let pieces: Vec<_> = (0..count).map(|r| parts[r].0.weighted(&weights(r), |_| true)).collect();
        let rows: usize = pieces.iter().map(|(a, _)| a.nrows()).sum();
        let (mut a, mut b) = (DMatrix::zeros(rows, p + count * wide), DVector::zeros(rows));
        let mut first = 0;
        for (r, (part, right)) in pieces.iter().enumerate() {
            a.view_mut((first, 0), (part.nrows(), p)).copy_from(part);
            a.view_mut((first, p + r * wide), (part.nrows(), wide)).copy_from(&(part * &own));
            b.rows_mut(first, part.nrows()).copy_from(right);
            first += part.nrows();
        }
        let (x, covariance) = least_squares(&a, &b);
        for r in 0..count {
            let mut of_robot = DMatrix::zeros(p, p + count * wide);
            of_robot.view_mut((0, 0), (p, p)).fill_with_identity();
            of_robot.view_mut((0, p + r * wide), (p, wide)).copy_from(&own);
            let values = &of_robot * &x;
            let spread = &of_robot * &covariance * of_robot.transpose();
            for k in 0..p {
                let deviation = spread[(k, k)].sqrt();
                let line = format!("{} of robot {r}", problem.names()[k]);
                assert!(
                    (found.values[r][k] - values[k]).abs() < 1e-5 * deviation,
                    "{line}: {} instead of {} ± {deviation} with {wide} own",
                    found.values[r][k],
                    values[k]
                );
                close(&line, found.deviations[r][k], deviation, 1e-5);
            }
        }
        let unknowns = (p - rank + rank * count) as f64;
        for j in 0..2 {
            let left: f64 = (0..count).map(|r| squares(&parts[r].0.residuals(j, &found.values[r]))).sum();
            let torques: usize = parts.iter().map(|(rows, _)| rows.joints[j].len()).sum();
            close("noise", noise[j], (left / (torques as f64 - unknowns / 2.0)).sqrt(), 1e-7);
            for (r, (rows, _)) in parts.iter().enumerate() {
                let left = squares(&rows.residuals(j, &found.values[r])) / rows.joints[j].len() as f64;
                close("residual", found.joints[r][j].residual, left.sqrt(), 1e-9);
                assert_eq!(found.joints[r][j].noise, noise[j]);
            }
        }
        // What robots share, less what their own unknowns could explain of it, with columns of unit length.
        if rank == wide {
            let shared: Vec<usize> = (0..p).filter(|&k| !individual.differs()[k]).collect();
            let mut rest = DMatrix::zeros(0, shared.len());
            for (part, _) in &pieces {
                let mut left = part.select_columns(&shared);
                if wide > 0 {
                    let basis = (part * &own).qr().q();
                    left -= &basis * (basis.transpose() * &left);
                }
                let above = rest.nrows();
                rest = rest.insert_rows(above, left.nrows(), 0.0);
                rest.view_mut((above, 0), left.shape()).copy_from(&left);
            }
            let lengths: Vec<f64> = rest.column_iter().map(|column| column.norm()).collect();
            let unit = DMatrix::from_fn(rest.nrows(), rest.ncols(), |i, k| rest[(i, k)] / lengths[k]);
            let singular = unit.singular_values();
            close("condition", found.condition, singular.max() / singular.min(), 1e-7);
        }
    }
}
