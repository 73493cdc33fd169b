//! Sets of joints that can move against each other without moving any inertia, whatever the position.
//!
//! M = Σ Jᵀ Λ J, Jacobians in link axes, at random positions, factored from the last joint on. A pivot that vanishes at all of
//! them vanishes everywhere, but for a set of positions that no random one is in; the motion behind it is read off the rows of
//! the factor: the joint of the pivot moves by one, those outboard follow so that nothing resists. The bodies of the model
//! and their recursions are not used: what is found here is what they must refuse.
//!
//! # Reference
//! G (6a); Lᵀ D L as in Featherstone, *Rigid Body Dynamics Algorithms*, 2008, §6.5.

use super::super::description::Description;
use super::super::joint::{Joint, Motion};
use super::super::lowered::Lowered;
use super::singular::has_rotor;
use crate::spatial::{Pose, Twist};

/// Most velocities of a robot that is looked at: the work grows with the cube of them. Forward dynamics refuses a larger
/// robot when it is asked.
const MOST: usize = 300;

/// Positions that are tried.
const POSITIONS: usize = 3;

/// A pivot of so many units in the last place of its diagonal element, per column, is rounding.
const UNITS: f64 = 16.0;

/// How small a share in a motion is none.
const SHARE: f64 = 1e-6;

/// A velocity number of a joint.
struct Column {
    link: usize,
    dof: usize,
    factor: f64,
}

/// The links whose joints take part, one set for each way to move without inertia; the joint of the pivot first.
pub(super) fn sets(description: &Description, lowered: &Lowered<f64>) -> Vec<Vec<usize>> {
    let joints: Vec<Joint<f64>> = lowered
        .links
        .iter()
        .zip(&lowered.order)
        .map(|(link, &at)| Joint { kind: description.links[at].joint.kind.joint_type(), motion: link.motion.clone() })
        .collect();
    let (columns, owner) = columns(lowered, &joints);
    if owner.len() > MOST {
        return Vec::new();
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let motions: Vec<Vec<(usize, Vec<usize>)>> = (0..POSITIONS)
        .map(|_| motions(mass_matrix(description, lowered, &joints, &columns, owner.len(), &mut seed), owner.len()))
        .collect();
    let (first, others) = (&motions[0], &motions[1..]);
    let everywhere = first.iter().filter(|(k, _)| others.iter().all(|found| found.iter().any(|(other, _)| other == k)));
    everywhere
        .map(|(_, dofs)| {
            let mut links: Vec<usize> = dofs.iter().map(|&dof| owner[dof]).collect();
            links.dedup();
            links
        })
        .collect()
}

/// The columns, and the link whose joint has each velocity.
fn columns(lowered: &Lowered<f64>, joints: &[Joint<f64>]) -> (Vec<Column>, Vec<usize>) {
    let (mut first, mut owner) = (vec![0; joints.len()], Vec::new());
    for (number, joint) in joints.iter().enumerate() {
        first[number] = owner.len();
        if lowered.links[number].coupling.is_none() {
            owner.extend(std::iter::repeat_n(number, joint.nv()));
        }
    }
    let mut columns = Vec::new();
    for (link, joint) in joints.iter().enumerate() {
        for local in 0..joint.nv() {
            columns.push(match &lowered.links[link].coupling {
                Some(coupling) => Column { link, dof: first[coupling.leader], factor: coupling.multiplier },
                None => Column { link, dof: first[link] + local, factor: 1.0 },
            });
        }
    }
    (columns, owner)
}

/// M at a random position, row-major.
fn mass_matrix(
    description: &Description,
    lowered: &Lowered<f64>,
    joints: &[Joint<f64>],
    columns: &[Column],
    n: usize,
    seed: &mut u64,
) -> Vec<f64> {
    let mut m = vec![0.0; n * n];
    let mut jacobians: Vec<Vec<(usize, Twist<f64>)>> = Vec::with_capacity(joints.len());
    let mut next = 0;
    for (number, (link, joint)) in lowered.links.iter().zip(joints).enumerate() {
        let q = random_position(joint, seed);
        let transform = Pose::from(link.placement.clone()) * joint.transform(&q);
        let mut jacobian: Vec<(usize, Twist<f64>)> = link.parent.map_or_else(Vec::new, |parent| {
            jacobians[parent].iter().map(|&(dof, twist)| (dof, transform.adjoint_inverse(twist))).collect()
        });
        let mut own = vec![Twist::zero(); joint.nv()];
        joint.subspace_into(&q, &mut own);
        let described = &description.links[lowered.order[number]];
        for (twist, column) in own.iter().zip(&columns[next..]) {
            debug_assert_eq!(column.link, number);
            jacobian.push((column.dof, twist.times(column.factor)));
            // A shaft that turns with other joints as well is no looser for being taken as this joint's.
            let shaft = described.shaft.as_ref().map(|shaft| &shaft.motor);
            for motor in described.motor.iter().chain(shaft).filter(|_| has_rotor(described)) {
                let rotor = motor.inertia.value * motor.ratio.value * motor.ratio.value;
                m[column.dof * n + column.dof] += rotor * column.factor * column.factor;
            }
        }
        next += joint.nv();
        for &(i, twist) in &jacobian {
            let wrench = link.inertia.apply(twist);
            for &(j, other) in &jacobian {
                m[i * n + j] += other.dot(wrench);
            }
        }
        jacobians.push(jacobian);
    }
    m
}

/// Numbers of a joint, no two alike and none of them special.
fn random_position(joint: &Joint<f64>, seed: &mut u64) -> Vec<f64> {
    let mut random = || {
        // Steele, Lea, Flood 2014: SplitMix64.
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut q: Vec<f64> = (0..joint.nq()).map(|_| 1.5 * random()).collect();
    let start = match joint.motion {
        Motion::Product(_) => return q,
        Motion::Spherical { .. } => 0,
        Motion::Free => 3,
    };
    q[start] += 2.0;
    let length = q[start..].iter().map(|x| x * x).sum::<f64>().sqrt();
    q[start..].iter_mut().for_each(|x| *x /= length);
    q
}

/// The velocities whose pivot vanishes, with all that take part in the motion, in order. A joint without a pivot is taken as
/// locked further inwards.
fn motions(mut m: Vec<f64>, n: usize) -> Vec<(usize, Vec<usize>)> {
    let diagonal: Vec<f64> = (0..n).map(|k| m[k * n + k].abs()).collect();
    let mut found = Vec::new();
    for k in (0..n).rev() {
        let pivot = m[k * n + k];
        let is_large = pivot.abs() > UNITS * n as f64 * f64::EPSILON * diagonal[k];
        if !is_large {
            (0..=k).for_each(|i| m[k * n + i] = 0.0);
            found.push((k, taking_part(&m, n, k, &diagonal)));
            continue;
        }
        for i in 0..k {
            let scaled = m[k * n + i] / pivot;
            for j in 0..=i {
                m[i * n + j] -= scaled * m[k * n + j];
            }
        }
        (0..k).for_each(|i| m[k * n + i] /= pivot);
    }
    found
}

/// x of L x = e_k: who moves if k does.
fn taking_part(l: &[f64], n: usize, k: usize, diagonal: &[f64]) -> Vec<usize> {
    let mut x = vec![0.0; n];
    x[k] = 1.0;
    for j in k + 1..n {
        x[j] = -(k..j).map(|i| l[j * n + i] * x[i]).sum::<f64>();
    }
    let weight = |i: usize| x[i].abs() * diagonal[i].sqrt();
    let most = (0..n).map(weight).fold(0.0, f64::max);
    (k..n).filter(|&i| i == k || weight(i) > SHARE * most).collect()
}
