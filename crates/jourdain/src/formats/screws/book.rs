//! The matrices of *Modern Robotics*, chapters 4 and 8: rotations first in every six-vector.
//!
//! The book's link frames stand at the centres of mass; ours have the axes of the links there. Screws are rows here, columns of
//! a matrix in the book's programs.

use super::super::native::document::{Item, entry, float, floats};
use super::super::plain::about_com;
use super::Turn;
use crate::model::description::LinkDescription;
use crate::spatial::{Pose, Symmetric, Twist, Vector};

/// M, Slist, Blist, Mlist and Glist.
pub(super) fn matrices(turns: &[Turn<'_>], home: &Pose<f64>) -> Item {
    let twists: Vec<Twist<f64>> = turns.iter().map(|turn| turn.screw.twist()).collect();
    let body = twists.iter().map(|twist| home.adjoint_inverse(*twist));
    let rows = |twists: Vec<Twist<f64>>| Item::List(twists.into_iter().map(six).collect());
    let at_com: Vec<Pose<f64>> = turns.iter().map(frame).collect();
    let mut steps = Vec::with_capacity(turns.len() + 1);
    let mut before = Pose::identity();
    for pose in at_com.iter().chain([home]) {
        steps.push(matrix(&(before.inverse() * *pose)));
        before = *pose;
    }
    let inertias = turns.iter().map(|turn| inertia(turn.carries.as_ref(), &turn.frame)).collect();
    Item::Table(vec![
        entry("M", matrix(home)),
        entry("Slist", rows(twists.clone())),
        entry("Blist", rows(body.collect())),
        entry("Mlist", Item::List(steps)),
        entry("Glist", Item::List(inertias)),
    ])
}

/// The frame of a screw's link: its axes, at its centre of mass.
fn frame(turn: &Turn<'_>) -> Pose<f64> {
    let com = turn.carries.as_ref().filter(|link| link.mass.value != 0.0).map(|link| Vector(link.com.map(|x| x.value)));
    Pose { translation: com.unwrap_or(turn.frame.translation), ..turn.frame }
}

/// (ω, v).
fn six(twist: Twist<f64>) -> Item {
    let ([a, b, c], [x, y, z]) = (twist.angular.0, twist.linear.0);
    floats(&[a, b, c, x, y, z])
}

fn matrix(pose: &Pose<f64>) -> Item {
    Item::List(pose.to_matrix().iter().map(|row| floats(row)).collect())
}

/// diag(I, m, m, m) in the link's axes at its centre of mass.
fn inertia(link: Option<&LinkDescription>, frame: &Pose<f64>) -> Item {
    let (mass, tensor) = link.map_or((0.0, Symmetric::zero()), |link| (link.mass.value, about_com(link)));
    let rows = tensor.rotated(&frame.rotation.transpose()).to_matrix();
    let row = |i: usize| {
        let number = |j: usize| match (i, j) {
            (0..3, 0..3) => rows[i][j],
            _ if i == j => mass,
            _ => 0.0,
        };
        Item::List((0..6).map(|j| float(number(j))).collect())
    };
    Item::List((0..6).map(row).collect())
}
