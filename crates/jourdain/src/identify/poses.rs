//! Poses to take: where a robot at rest shows best what a link carries.
//!
//! At rest the torques are linear in mass and first moments of the payload alone. N poses are good if the determinant of their information
//! is large (D-optimal: the volume of the confidence region is small, in whatever units). A constant offset of each torque is
//! taken as unknown, so what counts is how the columns of a joint differ from their mean over the poses. The search exchanges poses for the
//! best of many random ones, then moves joints one by one.
//!
//! Trap: only the limits of joints are known here, neither the ground nor the robot's own links.

use super::error::IdentifyError;
use crate::dynamics::recursive::{parameter_count, regressor_into};
use crate::model::{Inertial, Model, Motion, Screw};
use crate::random::Random;
use crate::workspace::Workspace;
use nalgebra::{DMatrix, Matrix4, Vector4};
use std::f64::consts::PI;

/// Random poses that are exchanged for.
const CANDIDATES: usize = 600;
/// Rounds of exchanging.
const ROUNDS: usize = 12;
/// Shares of a joint's range by which poses are moved at last.
const STEPS: [f64; 5] = [0.2, 0.1, 0.05, 0.02, 0.01];
/// Half the range of joints without limits, rad and m.
const FREE: [f64; 2] = [PI, 0.5];
/// Share of the limits that is used.
const INSIDE: f64 = 0.95;
/// A column of which less than this, squared, is independent of the ones before is not shown.
const RANK: f64 = 1e-8;
/// Fewest and most poses.
const COUNT: std::ops::RangeInclusive<usize> = 2..=100;

/// Poses that show mass and first moments of what a link carries.
#[derive(Clone, Debug)]
pub struct Poses {
    /// Positions, in the order of q.
    pub poses: Vec<Vec<f64>>,
    /// Which of m, mX, mY, mZ they show.
    pub shown: Vec<Inertial>,
    /// Standard deviations of these if each torque has an error of its own of [`noise`](Self::noise).
    pub deviations: Vec<f64>,
    /// The same for as many random poses.
    pub random_deviations: Vec<f64>,
    /// Per degree of freedom, N m or N: a hundredth of the effort limits, or one where not every joint has one.
    pub noise: Vec<f64>,
}

/// The best poses found.
///
/// # Errors
/// A number of poses that makes no sense, joints with quaternions, or a link whose weight no joint feels.
pub fn poses(model: &Model<f64>, link: usize, count: usize, seed: u64) -> Result<Poses, IdentifyError> {
    if !COUNT.contains(&count) {
        let message = format!("{count} poses are asked for: from {} to {} can be found", COUNT.start(), COUNT.end());
        return Err(IdentifyError::Search { message });
    }
    let ranges = ranges(model)?;
    let mut search = Search::new(model, link, ranges);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
    let candidates: Vec<Pose> = (0..CANDIDATES).map(|_| search.random(&mut random)).collect();
    search.shown = shown(&Tally::of(&candidates, model.nv()).information());
    if search.shown.is_empty() {
        let link = &model.links()[link].name;
        let message = format!("no torque changes with the weight of what link `{link}` carries: rest does not show it");
        return Err(IdentifyError::Search { message });
    }
    let start: Vec<Pose> = (0..count).map(|k| candidates[k % CANDIDATES].clone()).collect();
    let random_deviations = search.deviations(&start);
    let found = search.improve(search.exchange(start, &candidates));
    Ok(Poses {
        deviations: search.deviations(&found),
        random_deviations,
        shown: search.shown.iter().map(|&k| Inertial::ALL[k]).collect(),
        noise: search.weights.iter().map(|weight| 1.0 / weight).collect(),
        poses: found.into_iter().map(|pose| pose.q).collect(),
    })
}

/// Lowest and highest position of each number of q.
fn ranges(model: &Model<f64>) -> Result<Vec<[f64; 2]>, IdentifyError> {
    let mut ranges = vec![[0.0; 2]; model.nq()];
    for link in model.links().iter().filter(|link| link.mimic.is_none() && link.joint.nv() > 0) {
        let Motion::Product(screws) = &link.joint.motion else {
            let message = format!("joint `{}` has a quaternion: poses are not searched for it", link.joint_name);
            return Err(IdentifyError::Search { message });
        };
        for (range, screw) in ranges[link.q..].iter_mut().zip(screws) {
            let half = FREE[usize::from(matches!(screw, Screw::Translation { .. }))];
            let [low, high] = link.limits.position.filter(|[low, high]| low < high).unwrap_or([-half, half]);
            let (middle, half) = (0.5 * (low + high), 0.5 * INSIDE * (high - low));
            *range = [middle - half, middle + half];
        }
    }
    Ok(ranges)
}

/// A pose, and the columns of m, mX, mY, mZ at each degree of freedom, in units of its noise.
#[derive(Clone, Debug)]
struct Pose {
    q: Vec<f64>,
    rows: Vec<Vector4<f64>>,
    /// Σ over the joints of the columns, squared.
    square: Matrix4<f64>,
}

/// Sums over poses, from which the information follows.
#[derive(Clone, Debug)]
struct Tally {
    count: f64,
    /// Σ over poses and joints of the columns, squared.
    squares: Matrix4<f64>,
    /// Per joint, the sum of its columns.
    sums: Vec<Vector4<f64>>,
}

impl Tally {
    fn of<'p>(poses: impl IntoIterator<Item = &'p Pose>, degrees: usize) -> Self {
        let mut tally = Self { count: 0.0, squares: Matrix4::zeros(), sums: vec![Vector4::zeros(); degrees] };
        poses.into_iter().for_each(|pose| tally.add(pose, 1.0));
        tally
    }

    /// Adds a pose so many times.
    fn add(&mut self, pose: &Pose, times: f64) {
        self.count += times;
        self.squares += pose.square * times;
        self.sums.iter_mut().zip(&pose.rows).for_each(|(sum, row)| *sum += row * times);
    }

    /// The information with `old` exchanged for `new`: the columns less their mean over the poses, squared.
    fn exchanged(&self, old: &Pose, new: &Pose) -> Matrix4<f64> {
        let mut information = self.squares - old.square + new.square;
        for ((sum, old), new) in self.sums.iter().zip(&old.rows).zip(&new.rows) {
            let sum = sum - old + new;
            information -= sum * sum.transpose() / self.count;
        }
        information
    }

    fn information(&self) -> Matrix4<f64> {
        let mean = |sum: &Vector4<f64>| sum * sum.transpose() / self.count.max(1.0);
        self.sums.iter().fold(self.squares, |rest, sum| rest - mean(sum))
    }
}

/// The columns that are independent of those before, by Cholesky.
fn shown(information: &Matrix4<f64>) -> Vec<usize> {
    let (mut rest, mut shown) = (*information, Vec::new());
    let largest = information.diagonal().max();
    for k in 0..4 {
        let own = information[(k, k)];
        if rest[(k, k)] > RANK * own && own > RANK * RANK * largest {
            let column = rest.column(k).into_owned();
            rest -= column * column.transpose() / column[k];
            shown.push(k);
        }
    }
    shown
}

struct Search<'m> {
    model: &'m Model<f64>,
    link: usize,
    ranges: Vec<[f64; 2]>,
    weights: Vec<f64>,
    shown: Vec<usize>,
    workspace: Workspace<f64>,
    regressor: Vec<f64>,
    rest: Vec<f64>,
}

impl<'m> Search<'m> {
    fn new(model: &'m Model<f64>, link: usize, ranges: Vec<[f64; 2]>) -> Self {
        let mut efforts = vec![None; model.nv()];
        for link in model.links().iter().filter(|link| link.mimic.is_none()) {
            efforts[link.v..link.v + link.joint.nv()].fill(link.limits.effort.filter(|effort| *effort > 0.0));
        }
        let all: Option<Vec<f64>> = efforts.into_iter().collect();
        let weights = all.map_or(vec![1.0; model.nv()], |all| all.iter().map(|effort| 100.0 / effort).collect());
        Self {
            model,
            link,
            ranges,
            weights,
            shown: Vec::new(),
            workspace: Workspace::new(model),
            regressor: vec![0.0; model.nv() * parameter_count(model)],
            rest: vec![0.0; model.nv()],
        }
    }

    fn at(&mut self, q: Vec<f64>) -> Pose {
        let width = parameter_count(self.model);
        regressor_into(self.model, &q, &self.rest, &self.rest, &mut self.workspace, &mut self.regressor);
        let first = 10 * self.link;
        let row = |(row, weight): (&[f64], &f64)| Vector4::from_column_slice(&row[first..first + 4]) * *weight;
        let rows: Vec<Vector4<f64>> = self.regressor.chunks_exact(width).zip(&self.weights).map(row).collect();
        let square = rows.iter().fold(Matrix4::zeros(), |sum, row| sum + row * row.transpose());
        Pose { q, rows, square }
    }

    fn random(&mut self, random: &mut Random) -> Pose {
        let q = self.ranges.iter().map(|[low, high]| low + (high - low) * random.fraction()).collect();
        self.at(q)
    }

    /// Of the columns that are shown.
    fn chosen(&self, all: &Matrix4<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(self.shown.len(), self.shown.len(), |i, j| all[(self.shown[i], self.shown[j])])
    }

    /// The logarithm of the determinant.
    fn criterion(&self, all: &Matrix4<f64>) -> f64 {
        let factor = self.chosen(all).cholesky();
        let log = factor.map(|factor| factor.l_dirty().diagonal().iter().map(|d| d.ln()).sum::<f64>());
        log.filter(|log| log.is_finite()).unwrap_or(f64::NEG_INFINITY)
    }

    /// Infinite where the poses do not tell the parameters apart.
    fn deviations(&self, poses: &[Pose]) -> Vec<f64> {
        let information = Tally::of(poses, self.rest.len()).information();
        // Rounding may leave a little of what is not there.
        let told = shown(&information) == self.shown;
        let inverse = self.chosen(&information).cholesky().filter(|_| told).map(|factor| factor.inverse());
        let of = |inverse: DMatrix<f64>| inverse.diagonal().iter().map(|d| d.sqrt()).collect();
        inverse.map_or(vec![f64::INFINITY; self.shown.len()], of)
    }

    /// Poses exchanged for better ones as long as that helps.
    fn exchange(&self, mut poses: Vec<Pose>, candidates: &[Pose]) -> Vec<Pose> {
        let mut tally = Tally::of(&poses, self.rest.len());
        let mut best = self.criterion(&tally.information());
        for _ in 0..ROUNDS {
            let before = best;
            for pose in &mut poses {
                for candidate in candidates {
                    let now = self.criterion(&tally.exchanged(pose, candidate));
                    if now > best {
                        best = now;
                        tally.add(pose, -1.0);
                        tally.add(candidate, 1.0);
                        pose.clone_from(candidate);
                    }
                }
            }
            if best <= before {
                break;
            }
        }
        poses
    }

    /// Joints moved one by one, in smaller and smaller steps.
    fn improve(&mut self, mut poses: Vec<Pose>) -> Vec<Pose> {
        let mut tally = Tally::of(&poses, self.rest.len());
        let mut best = self.criterion(&tally.information());
        for share in STEPS {
            for pose in &mut poses {
                for j in 0..self.ranges.len() {
                    for sign in [-1.0, 1.0] {
                        let [low, high] = self.ranges[j];
                        let mut q = pose.q.clone();
                        q[j] = (q[j] + sign * share * (high - low)).clamp(low, high);
                        let moved = self.at(q);
                        let now = self.criterion(&tally.exchanged(pose, &moved));
                        if now > best {
                            best = now;
                            tally.add(pose, -1.0);
                            tally.add(&moved, 1.0);
                            *pose = moved;
                        }
                    }
                }
            }
        }
        poses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Edit;
    use crate::robots;

    /// The second witness: the torques that a point mass adds, by the recursion of a robot that carries it.
    #[test]
    fn the_columns_of_a_pose_are_what_a_load_adds_to_the_torques() {
        let model = robots::load("puma560").unwrap();
        let link = model.links().len() - 1;
        let mut search = Search::new(&model, link, ranges(&model).unwrap());
        search.weights.fill(1.0);
        let pose = search.random(&mut Random(4));
        let (mass, place) = (1.7, [0.1, -0.2, 0.3]);
        let load = crate::model::Payload::point(mass.into(), place.map(Into::into));
        let edit = Edit::Payload { link: model.links()[link].name.clone(), payload: load };
        let description = model.description().clone().edit(&[edit]).unwrap().description;
        let loaded = Model::from_description(&description).unwrap();
        let rest = vec![0.0; model.nv()];
        let torque =
            |model: &Model<f64>| crate::dynamics::recursive::inverse_dynamics(model, &pose.q, &rest, &rest, &[]);
        let pi = Vector4::new(mass, mass * place[0], mass * place[1], mass * place[2]);
        for ((row, with), without) in pose.rows.iter().zip(torque(&loaded)).zip(torque(&model)) {
            assert!((row.dot(&pi) - (with - without)).abs() < 1e-10, "{} and {}", row.dot(&pi), with - without);
        }
    }

    #[test]
    fn poses_that_were_searched_are_better_than_random_ones_and_within_limits() {
        let model = robots::load("puma560").unwrap();
        let link = model.links().len() - 1;
        let found = poses(&model, link, 8, 1).unwrap();
        assert_eq!((found.poses.len(), found.shown.len()), (8, 4));
        let better = found.deviations.iter().zip(&found.random_deviations).filter(|(a, b)| a < b).count();
        assert!(better >= 3, "{:?} and {:?}", found.deviations, found.random_deviations);
        let inside =
            |q: &Vec<f64>| q.iter().zip(ranges(&model).unwrap()).all(|(q, [low, high])| (low..=high).contains(q));
        assert!(found.poses.iter().all(inside));
        assert_eq!(found.poses, poses(&model, link, 8, 1).unwrap().poses);
    }

    #[test]
    fn an_arm_in_a_plane_shows_three_parameters_and_one_without_gravity_none() {
        let model = robots::load("planar2r").unwrap();
        let found = poses(&model, 1, 4, 1).unwrap();
        assert_eq!(found.shown, [Inertial::M, Inertial::MX, Inertial::MY]);
        let weightless = Edit::Gravity { gravity: [0.0.into(), 0.0.into(), 0.0.into()] };
        let description = model.description().clone().edit(&[weightless]).unwrap().description;
        let weightless = Model::from_description(&description).unwrap();
        assert_eq!(poses(&weightless, 1, 4, 1).unwrap_err().kind(), "bad-search");
        assert_eq!(poses(&model, 1, 1, 1).unwrap_err().kind(), "bad-search");
    }
}
