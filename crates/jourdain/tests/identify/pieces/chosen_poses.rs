//! Poses that show a load best, where the best are known by hand.

use super::robot;
use crate::logs::Random;
use jourdain::Model;
use jourdain::dynamics::recursive;
use jourdain::identify::{Poses, poses};
use jourdain::model::Inertial;
use nalgebra::DMatrix;
use std::f64::consts::PI;

const G: f64 = 9.81;

/// A pendulum about z with gravity along −y: what is said of its joint, and where its second part stands, which is fixed.
fn pendulum(joint: &str, place: [f64; 3]) -> Model<f64> {
    robot(&format!(
        "name = \"pendulum\"\ngravity = [0, -{G}, 0]\n\
         [[link]]\nname = \"rod\"\nparent = \"base\"\nmass = 1.0\ncom = [0.1, 0, 0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\n\
         joint = {{ axis = [0, 0, 1], {joint} }}\n\
         [[link]]\nname = \"end\"\nparent = \"rod\"\nmass = 1.0\norigin = {{ xyz = {place:?} }}\njoint = {{ type = \"fixed\" }}\n"
    ))
}

fn sorted(found: &Poses, joint: usize) -> Vec<f64> {
    let mut q: Vec<f64> = found.poses.iter().map(|pose| pose[joint]).collect();
    q.sort_by(f64::total_cmp);
    q
}

/// What poses tell of m, mX, mY, mZ of a link and of an offset of each joint: torques are linear in them.
fn information(model: &Model<f64>, link: usize, poses: &[Vec<f64>], noise: &[f64]) -> DMatrix<f64> {
    let rest = vec![0.0; model.nv()];
    let (n, mut a) = (model.nv(), DMatrix::zeros(poses.len() * model.nv(), 4 + model.nv()));
    for (i, q) in poses.iter().enumerate() {
        let regressor = recursive::regressor(model, q, &rest, &rest);
        for j in 0..n {
            (0..4).for_each(|k| a[(i * n + j, k)] = regressor[(j, 10 * link + k)] / noise[j]);
            a[(i * n + j, 4 + j)] = 1.0 / noise[j];
        }
    }
    a.transpose() * a
}

/// The deviations of those that are shown, by the inverse of all that is unknown.
fn deviations(all: &DMatrix<f64>, shown: &[Inertial]) -> Vec<f64> {
    let place = |what: &Inertial| Inertial::ALL.iter().position(|own| own == what).unwrap();
    let kept: Vec<usize> = shown.iter().map(place).chain(4..all.ncols()).collect();
    let inverse = all.select_columns(&kept).select_rows(&kept).try_inverse().unwrap();
    (0..shown.len()).map(|k| inverse[(k, k)].sqrt()).collect()
}

/// Half the logarithm of the determinant; the part of the offsets is the same for all poses.
fn criterion(all: &DMatrix<f64>) -> f64 {
    all.clone().cholesky().map_or(f64::NEG_INFINITY, |factor| factor.l().diagonal().map(f64::ln).sum())
}

/// Three points of an arc span the largest triangle where two are its ends and one is its middle.
#[test]
fn three_poses_of_a_pendulum_are_the_ends_of_its_range_and_the_middle() {
    for (limits, seed) in [([-0.5, 0.5], 1), ([-0.5, 0.5], 2), ([-1.0, 1.0], 3), ([0.4, 1.4], 4), ([-2.0, -1.8], 5)] {
        let [low, high] = limits;
        let model = pendulum(&format!("type = \"revolute\", limits = [{low:?}, {high:?}]"), [0.0; 3]);
        let found = poses(&model, 0, 3, seed).unwrap();
        let (middle, half) = (0.5 * (low + high), 0.475 * (high - low));
        let q = sorted(&found, 0);
        assert!((q[0] - middle + half).abs() < 1e-12 && (q[2] - middle - half).abs() < 1e-12, "{q:?}, {limits:?}");
        assert!((q[1] - middle).abs() < 0.01 * half, "{q:?}, {limits:?}");
        // Neither the mass at the axis nor where it is along it.
        assert_eq!((found.shown, found.noise), (vec![Inertial::MX, Inertial::MY], vec![1.0]));
    }
}

/// N points of a circle tell most if they are balanced: the determinant of their scatter is at most (N/2)².
#[test]
fn poses_of_a_pendulum_without_limits_are_balanced_round_the_circle() {
    let model = pendulum("type = \"continuous\", effort = 250.0", [0.0; 3]);
    for (count, seed) in [(3, 1), (4, 2), (5, 3), (7, 4), (12, 5)] {
        let found = poses(&model, 0, count, seed).unwrap();
        assert_eq!((found.noise.clone(), found.poses.len()), (vec![2.5], count));
        let least = 2.5 / G * (2.0 / count as f64).sqrt();
        for deviation in &found.deviations {
            assert!(*deviation > 0.99 * least && *deviation < 1.01 * least, "{count}: {deviation} and {least}");
        }
        // As many random ones are worse, but show both.
        assert!(found.random_deviations.iter().all(|x| x.is_finite()));
        assert!(found.random_deviations.iter().zip(&found.deviations).any(|(random, best)| random > best));
        let q = sorted(&found, 0);
        assert!(q[0] >= -0.95 * PI && q[count - 1] <= 0.95 * PI);
    }
    // Two points are on a line: they do not tell mX from mY, and rounding is not taken for telling.
    assert!(poses(&model, 0, 2, 1).unwrap().deviations.iter().all(|deviation| *deviation == f64::INFINITY));
}

/// What is fixed to the rod at a place acts by its weight there: mX is known from m, or m from neither.
#[test]
fn of_columns_that_are_alike_the_first_is_shown() {
    use Inertial::{M, MX, MY};
    let shown = |place: [f64; 3], effort: f64| {
        let model = pendulum(&format!("type = \"continuous\", effort = {effort:?}"), place);
        poses(&model, 1, 4, 1).unwrap().shown
    };
    // Whatever torques are measured in, and lengths.
    for effort in [1e-6, 1.0, 1e3, 1e7, 1e10] {
        assert_eq!(shown([0.5, 0.0, 0.0], effort), [M, MY], "{effort}");
        assert_eq!(shown([0.0, 0.5, 0.0], effort), [M, MX], "{effort}");
        assert_eq!(shown([0.3, 0.4, 0.0], effort), [M, MX], "{effort}");
        assert_eq!(shown([0.0, 0.0, 0.4], effort), [MX, MY], "{effort}");
        assert_eq!(shown([0.5e6, 0.0, 0.0], effort), [M, MY], "{effort}");
    }
}

fn puma(effort: impl Fn(usize) -> Option<f64>) -> Model<f64> {
    let mut description = jourdain::robots::load("puma560").unwrap().description().clone();
    for (k, link) in description.links.iter_mut().enumerate() {
        link.joint.effort = effort(k).map(Into::into);
    }
    Model::from_description(&description).unwrap()
}

#[test]
fn deviations_are_those_of_least_squares_with_an_offset_of_each_joint() {
    let model = puma(|k| Some(10.0 * (k + 1) as f64));
    let link = model.links().len() - 1;
    let found = poses(&model, link, 5, 3).unwrap();
    let known: Vec<f64> = (1..=6).map(|k| 0.1 * f64::from(k)).collect();
    found.noise.iter().zip(&known).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{:?}", found.noise));
    let all = information(&model, link, &found.poses, &known);
    for (found, known) in found.deviations.iter().zip(deviations(&all, &found.shown)) {
        assert!((found / known - 1.0).abs() < 1e-6, "{found} instead of {known}");
    }
    // Of efforts that are not all told, or are zero, nothing is taken.
    for missing in [None, Some(0.0)] {
        let model = puma(|k| if k == 2 { missing } else { Some(10.0) });
        assert_eq!(poses(&model, link, 3, 3).unwrap().noise, [1.0; 6]);
    }
}

/// No joint of any pose can be moved so that the poses tell more by a hundredth of the logarithm, and no random pose is better
/// than one of them.
#[test]
fn poses_of_an_arm_cannot_be_made_much_better() {
    let model = puma(|_| None);
    let link = model.links().len() - 1;
    for (count, seed) in [(4, 1), (4, 3), (6, 2)] {
        let found = poses(&model, link, count, seed).unwrap();
        let of = |poses: &[Vec<f64>]| criterion(&information(&model, link, poses, &[1.0; 6]));
        let best = of(&found.poses);
        let limits: Vec<[f64; 2]> = model.links().iter().filter_map(|link| link.limits.position).collect();
        assert_eq!(limits.len(), 6);
        let mut most: f64 = 0.0;
        for i in 0..count {
            for (j, [low, high]) in limits.iter().enumerate() {
                let (middle, half) = (0.5 * (low + high), 0.475 * (high - low));
                for share in [-0.2, -0.1, -0.05, -0.02, -0.01, 0.01, 0.02, 0.05, 0.1, 0.2] {
                    let mut moved = found.poses.clone();
                    moved[i][j] = (moved[i][j] + share * 2.0 * half).clamp(middle - half, middle + half);
                    most = most.max(of(&moved) - best);
                }
            }
        }
        let (mut random, mut exchanged) = (Random(seed), f64::NEG_INFINITY);
        for k in 0..200 {
            let mut other = found.poses.clone();
            let draw =
                |[low, high]: &[f64; 2]| 0.5 * (low + high) + 0.475 * (high - low) * (2.0 * random.uniform() - 1.0);
            other[k % count] = limits.iter().map(draw).collect();
            exchanged = exchanged.max(of(&other) - best);
        }
        assert!(most < 0.01 && exchanged < 0.0, "{count}, seed {seed}: moved {most}, exchanged {exchanged}");
    }
}

/// Joints without limits, one of them along a line: half a turn and half a metre to either side, less a twentieth.
#[test]
fn joints_without_limits_go_half_a_turn_or_half_a_metre() {
    let model = robot(&format!(
        "name = \"crane\"\ngravity = [0, -{G}, 0]\n\
         [[link]]\nname = \"arm\"\nparent = \"base\"\nmass = 1.0\ncom = [0.1, 0, 0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\n\
         joint = {{ type = \"continuous\", axis = [0, 0, 1] }}\n\
         [[link]]\nname = \"slide\"\nparent = \"arm\"\nmass = 1.0\ncom = [0.1, 0, 0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\n\
         joint = {{ type = \"prismatic\", axis = [1, 0, 0] }}\n"
    ));
    let found = poses(&model, 1, 12, 2).unwrap();
    let slide = sorted(&found, 1);
    // A long lever tells most: the ends are used.
    assert!((slide[0] + 0.475).abs() < 1e-12 && (slide[11] - 0.475).abs() < 1e-12, "{slide:?}");
    let turn = sorted(&found, 0);
    assert!(turn[0] < -1.0 && turn[11] > 1.0 && turn[0] >= -0.95 * PI - 1e-12 && turn[11] <= 0.95 * PI + 1e-12);
    // Limits without room between, as of files that do not know them, are none.
    let model = pendulum("type = \"revolute\", limits = [0.0, 0.0]", [0.0; 3]);
    let turn = sorted(&poses(&model, 0, 5, 1).unwrap(), 0);
    assert!(turn[0] < -1.0 && turn[4] > 1.0, "{turn:?}");
}
