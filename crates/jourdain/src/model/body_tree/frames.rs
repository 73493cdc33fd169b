//! Choosing body frames: z along the motion, x along the common normal to the next axis, so that the constant turn from a
//! parent is about x alone (modified Denavit–Hartenberg) for at least one child of every body; origins where the common
//! normal meets the axis.
//!
//! Turning a body frame about its own z costs nothing: the way out turns back, and what is left of the way in goes into
//! the constant that is ahead of a rotation's angle. Trap: that constant is composed with the sine and cosine of the joint's
//! number, not added to it, or a large number loses digits.

use super::body::{BodyTree, Coordinate, Mechanism, Turn};
use crate::spatial::{Pose, Rotation, Vector, ahead};
use jourdain_symbolic::{Ahead, Constant};

/// Entries this near to 0 or ±1 are rounding of exact values: cos 90° is 6e-17.
const DUST: f64 = 4.0 * f64::EPSILON;

/// A rotation whose z column is the unit vector `z`; the identity for z itself.
pub(super) fn with_z<T: Constant>(z: Vector<T>) -> Rotation<T> {
    let z = z.map(number);
    if z == Vector([0.0, 0.0, 1.0]) {
        return Rotation::identity();
    }
    // x across z and the coordinate axis least along z.
    let smallest = (0..3).min_by(|&i, &j| z[i].abs().total_cmp(&z[j].abs())).unwrap_or(0);
    let x = Vector::unit(smallest).cross(z);
    constants(&from_xz(x.times(1.0 / x.norm()), z))
}

fn from_xz(x: Vector<f64>, z: Vector<f64>) -> Rotation<f64> {
    let y = z.cross(x);
    Rotation(std::array::from_fn(|i| [snap(x[i]), snap(y[i]), snap(z[i])]))
}

fn snap(value: f64) -> f64 {
    let near = value.round();
    if (value - near).abs() <= DUST { near } else { value }
}

/// A direction's component. Directions are numbers in every model: symbols stand for lengths and inertias alone.
fn number<T: Constant>(value: T) -> f64 {
    debug_assert!(value.to_f64().is_some(), "a direction is made of symbols");
    value.to_f64().unwrap_or(0.0)
}

fn numbers<T: Constant>(rotation: &Rotation<T>) -> Rotation<f64> {
    Rotation(rotation.0.map(|row| row.map(number)))
}

fn constants<T: Constant>(rotation: &Rotation<f64>) -> Rotation<T> {
    Rotation(rotation.0.map(|row| row.map(T::from_f64)))
}

pub(super) fn choose<T: Constant>(tree: &mut BodyTree<T>) {
    let mut children = vec![Vec::new(); tree.bodies.len()];
    for (b, body) in tree.bodies.iter().enumerate() {
        if let Some(parent) = body.parent {
            children[parent].push(b);
        }
    }
    slide(tree, &children);
    let mut turned = vec![Rotation::identity(); tree.bodies.len()];
    for b in 0..tree.bodies.len() {
        if turns_freely(&tree.bodies[b].mechanism)
            && let Some(angle) = common_normal(tree, &children[b])
        {
            turned[b] = exact_about_z(angle);
            turn_about_z(tree, b, &turned[b], &children[b]);
        }
        settle(tree, b);
    }
    for carrier in &mut tree.carriers {
        if let Some(body) = carrier.body {
            let back = Pose { rotation: constants(&turned[body].transpose()), translation: Vector::zero() };
            carrier.pose = back * carrier.pose;
        }
    }
    for body in &mut tree.bodies {
        body.shift = body.shift.map(|x| if x.to_f64().is_some_and(|x| x.abs() <= DUST) { T::zero() } else { x });
        let i = body.inertia.rotational;
        let half = i.trace().scale(T::from_f64(0.5));
        body.pseudo = crate::spatial::Symmetric {
            xx: half - i.xx,
            xy: -i.xy,
            xz: -i.xz,
            yy: half - i.yy,
            yz: -i.yz,
            zz: half - i.zz,
        };
    }
}

/// Moves origins along their axes to where the common normal with the next axis meets them (with the axis before, at the
/// end of a chain): offsets that only the choice of link frames brought in vanish.
fn slide<T: Constant>(tree: &mut BodyTree<T>, children: &[Vec<usize>]) {
    let mut slid = vec![T::zero(); tree.bodies.len()];
    for b in 0..tree.bodies.len() {
        if !turns_freely(&tree.bodies[b].mechanism) {
            continue;
        }
        let next = children[b].iter().map(|&c| &tree.bodies[c]).find(|body| turns_freely(&body.mechanism));
        let along = match next.and_then(|next| foot(next.shift, numbers(&next.turn.to_rotation()).column(2))) {
            Some(along) => along,
            None => match towards_parent(tree, b) {
                Some(along) => along,
                None => continue,
            },
        };
        slid[b] = along;
        let body = &mut tree.bodies[b];
        body.shift += body.turn.to_rotation().column(2).times(along);
        let back = Pose::translation(Vector([T::zero(), T::zero(), -along]));
        body.inertia = body.inertia.transformed(&back);
        for &child in &children[b] {
            tree.bodies[child].shift[2] -= along;
        }
    }
    for carrier in &mut tree.carriers {
        if let Some(body) = carrier.body {
            carrier.pose.translation[2] -= slid[body];
        }
    }
}

/// Where on z the common normal with the line through `point` along `direction` begins, if they are far from parallel.
fn foot<T: Constant>(point: Vector<T>, direction: Vector<f64>) -> Option<T> {
    let across = 1.0 - direction[2] * direction[2];
    // Nearly parallel lines have their common normal far away, where rounding would spoil the inertias.
    if across < 0.1 {
        return None;
    }
    let along = direction.0.iter().zip(point.0).fold(T::zero(), |sum, (&d, p)| sum + p.scale(T::from_f64(snap(d))));
    let z = (point[2] - along.scale(T::from_f64(snap(direction[2])))).scale(T::from_f64(1.0 / snap(across)));
    Some(z)
}

/// How far the origin has to move along its own z to lie beside the parent's: on the common normal, or at the same
/// height if the axes are parallel.
fn towards_parent<T: Constant>(tree: &BodyTree<T>, b: usize) -> Option<T> {
    let body = &tree.bodies[b];
    body.parent.filter(|&parent| turns_freely(&tree.bodies[parent].mechanism))?;
    let z = numbers(&body.turn.to_rotation()).column(2);
    if z[2].abs() > 1.0 - 1e-12 {
        return Some(-body.shift[2].scale(T::from_f64(z[2].round())));
    }
    // The parent's axis seen from the body: a line through −shift along the parent's z, both in the body's frame.
    let back = body.turn.to_rotation().transpose();
    let direction = numbers(&back).column(2);
    foot(-back.apply(body.shift), direction)
}

/// The frame of a spherical or free body is part of what its velocities mean.
fn turns_freely<T>(mechanism: &Mechanism<T>) -> bool {
    matches!(mechanism, Mechanism::Revolute | Mechanism::Prismatic | Mechanism::Helical { .. })
}

/// The angle about z from x to the common normal with the first child's axis; with its offset if the axes are parallel.
fn common_normal<T: Constant>(tree: &BodyTree<T>, children: &[usize]) -> Option<f64> {
    let child = children.iter().map(|&c| &tree.bodies[c]).find(|body| turns_freely(&body.mechanism))?;
    let z = numbers(&child.turn.to_rotation()).column(2);
    // e_z × z, and the offset across z for parallel axes.
    let normal = [-z[1], z[0]];
    let direction = if normal[0].hypot(normal[1]) > 1e-9 {
        normal
    } else {
        match [child.shift[0], child.shift[1]].map(|x| (x.to_f64(), x.is_zero())) {
            [(Some(x), _), (Some(y), _)] => [x, y],
            // A symbol along one of the axes shows the way; between them it would take roots, so the frame stays.
            [_, (_, true)] => [1.0, 0.0],
            [(_, true), _] => [0.0, 1.0],
            _ => return None,
        }
    };
    (direction[0].hypot(direction[1]) > 1e-12).then(|| direction[1].atan2(direction[0]))
}

/// Turns the frame of a body about its z; nothing moves.
fn turn_about_z<T: Constant>(tree: &mut BodyTree<T>, b: usize, turned: &Rotation<f64>, children: &[usize]) {
    let turned: Rotation<T> = constants(turned);
    let back = Pose { rotation: turned.transpose(), translation: Vector::zero() };
    let body = &mut tree.bodies[b];
    body.turn = Turn::General(body.turn.to_rotation() * turned);
    body.inertia = body.inertia.transformed(&back);
    for &child in children {
        let child = &mut tree.bodies[child];
        child.turn = Turn::General(back.rotation * child.turn.to_rotation());
        child.shift = back.rotation.apply(child.shift);
    }
}

fn exact_about_z(angle: f64) -> Rotation<f64> {
    let r = Rotation::elementary(2, angle);
    Rotation(r.0.map(|row| row.map(snap)))
}

/// Splits the constant turn into one about x and one about z, which a rotation takes into its angle.
fn settle<T: Constant>(tree: &mut BodyTree<T>, b: usize) {
    let body = &mut tree.bodies[b];
    let r = Rotation(numbers(&body.turn.to_rotation()).0.map(|row| row.map(snap)));
    let z = r.column(2);
    let rotates = matches!(body.mechanism, Mechanism::Revolute | Mechanism::Helical { .. });
    if rotates {
        if z[0].abs() <= DUST {
            // z = (0, −sin α, cos α); what is left, Rx(−α) R, is a rotation about z.
            let (sin, cos) = (-z[1], z[2]);
            let [cos_rest, sin_rest] = [r.0[0][0], snap(cos * r.0[1][0] + sin * r.0[2][0])];
            if sin_rest != 0.0 || cos_rest != 1.0 {
                let [angle, sin, cos] = [sin_rest.atan2(cos_rest), sin_rest, cos_rest].map(T::from_f64);
                body.ahead = Some(Ahead { angle, sin, cos });
            }
            body.turn = Turn::AboutX { cos: T::from_f64(cos), sin: T::from_f64(sin) };
        } else {
            body.turn = Turn::General(constants(&r));
        }
        if let Coordinate::Coupled { offset, .. } = body.coordinate
            && !offset.is_zero()
        {
            let offset = ahead(offset);
            body.ahead = Some(body.ahead.map_or(offset, |frame| frame.plus(&offset)));
        }
    } else if z[0].abs() <= DUST && (r.0[0][0] - 1.0).abs() <= DUST {
        body.turn = Turn::AboutX { cos: T::from_f64(z[2]), sin: T::from_f64(-z[1]) };
    } else {
        body.turn = Turn::General(constants(&r));
    }
}
