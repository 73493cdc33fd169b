//! The frames of the conventions: z along the axes, x along the common normals of neighbours.
//!
//! Where two axes are parallel the normal is the one from where the last one met the axis, so that d is zero; where they
//! coincide x stays, so that θ is zero. Of the two directions of a normal between axes that meet, the one nearer to the last x
//! is taken.

use crate::model::description::DhConvention;
use crate::spatial::{Pose, Rotation, Vector};

/// An axis in the ground frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Unit direction, along which q grows.
    pub z: Vector<f64>,
    pub point: Vector<f64>,
}

impl Axis {
    /// The point of the axis next to `p`.
    fn foot(&self, p: Vector<f64>) -> Vector<f64> {
        self.point + self.z.times(self.z.dot(p - self.point))
    }
}

/// Frames in the ground's, all joints at zero.
pub(super) struct Frames {
    /// What the first row starts from.
    pub base: Pose<f64>,
    /// The frame of each row's link.
    pub of: Vec<Pose<f64>>,
}

/// What is shorter than this part of the robot's size is nothing.
const NOTHING: f64 = 1e-13;

/// The common normal of two axes.
struct Normal {
    x: Vector<f64>,
    /// Where it meets them.
    feet: [Vector<f64>; 2],
}

impl Frames {
    /// `last` is the frame that the last link has had: it is kept where the convention allows.
    pub fn choose(axes: &[Axis], last: &Pose<f64>, convention: DhConvention, parallel: f64) -> Self {
        let size = axes.iter().fold(1.0_f64, |size, axis| size.max(axis.point.norm())).max(last.translation.norm());
        let chooser = Chooser { parallel: parallel.max(NOTHING), nothing: NOTHING * size };
        match convention {
            DhConvention::Modified => chooser.modified(axes, last),
            DhConvention::Standard => chooser.standard(axes, last),
        }
    }
}

struct Chooser {
    /// Sine below which axes are parallel.
    parallel: f64,
    /// Length below which there is none, m.
    nothing: f64,
}

impl Chooser {
    /// The normal from `a` to `b`; `x` and `from` are the last x and where the last normal met `a`.
    fn normal(&self, a: &Axis, b: &Axis, x: Vector<f64>, from: Vector<f64>) -> Normal {
        let across = a.z.cross(b.z);
        let sine = across.norm();
        if sine < self.parallel {
            let start = a.foot(from);
            let between = b.foot(start) - start;
            let between = between - a.z.times(a.z.dot(between));
            let length = between.norm();
            if length < self.nothing {
                return Normal { x: perpendicular(x, a.z), feet: [start, start] };
            }
            return Normal { x: between.times(1.0 / length), feet: [start, start + between] };
        }
        let n = across.times(1.0 / sine);
        let gap = b.point - a.point;
        let square = sine * sine;
        let along_a = gap.cross(b.z).dot(across) / square;
        let along_b = gap.cross(a.z).dot(across) / square;
        let feet = [a.point + a.z.times(along_a), b.point + b.z.times(along_b)];
        let length = n.dot(feet[1] - feet[0]);
        let forwards = if length.abs() < self.nothing { n.dot(x) >= -1e-9 } else { length > 0.0 };
        Normal { x: if forwards { n } else { -n }, feet }
    }

    /// z of link i along joint i, x towards joint i + 1.
    fn modified(&self, axes: &[Axis], last: &Pose<f64>) -> Frames {
        let ground = Pose::identity();
        let first = &axes[0];
        let base = if self.is_row(&ground, first) { ground } else { self.on_axis(first) };
        // Where the normal from the base meets the first axis.
        let mut from = if base == ground { self.meeting(&ground, first) } else { base.translation };
        let mut x = base.rotation.column(0);
        let mut of = Vec::with_capacity(axes.len());
        for pair in axes.windows(2) {
            let normal = self.normal(&pair[0], &pair[1], x, from);
            of.push(frame(pair[0].z, normal.x, normal.feet[0]));
            (x, from) = (normal.x, normal.feet[1]);
        }
        let end = &axes[axes.len() - 1];
        let keeps = (last.rotation.column(2) - end.z).norm() < 1e-14
            && (last.translation - end.foot(last.translation)).norm() < self.nothing;
        of.push(if keeps { *last } else { frame(end.z, perpendicular(x, end.z), end.foot(from)) });
        Frames { base, of }
    }

    /// z of link i along joint i + 1, x along the normal from joint i.
    fn standard(&self, axes: &[Axis], last: &Pose<f64>) -> Frames {
        let first = &axes[0];
        let on_ground = (first.z - Vector::unit(2)).norm() < 1e-14 && first.foot(Vector::zero()).norm() < self.nothing;
        let base = if on_ground { Pose::identity() } else { self.on_axis(first) };
        let (mut x, mut from) = (base.rotation.column(0), base.translation);
        let mut of = Vec::with_capacity(axes.len());
        for pair in axes.windows(2) {
            let normal = self.normal(&pair[0], &pair[1], x, from);
            of.push(frame(pair[1].z, normal.x, normal.feet[1]));
            (x, from) = (normal.x, normal.feet[1]);
        }
        let end = &axes[axes.len() - 1];
        // A row from the last axis to a frame whose x meets that axis at a right angle.
        let x_last = last.rotation.column(0);
        let gap = last.translation - end.foot(last.translation);
        let keeps = x_last.dot(end.z).abs() < 1e-14 && gap.cross(x_last).norm() < self.nothing;
        of.push(if keeps { *last } else { frame(end.z, perpendicular(x, end.z), end.foot(from)) });
        Frames { base, of }
    }

    /// True if Rx(α) Tx(a) Rz(θ) Tz(d) leads from the frame to frames on the axis: its x meets the axis at a right angle.
    fn is_row(&self, frame: &Pose<f64>, axis: &Axis) -> bool {
        let x = frame.rotation.column(0);
        let meeting = self.meeting(frame, axis);
        x.dot(axis.z).abs() < 1e-14 && (meeting - frame.translation).cross(x).norm() < self.nothing
    }

    /// The point of the axis next to the frame's x axis; next to its origin if the two are parallel.
    fn meeting(&self, frame: &Pose<f64>, axis: &Axis) -> Vector<f64> {
        let line = Axis { z: frame.rotation.column(0), point: frame.translation };
        self.normal(&line, axis, frame.rotation.column(1), frame.translation).feet[1]
    }

    /// A frame on the axis, next to the ground's origin and with the ground's x as far as it can.
    fn on_axis(&self, axis: &Axis) -> Pose<f64> {
        frame(axis.z, perpendicular(Vector::unit(0), axis.z), axis.foot(Vector::zero()))
    }
}

/// The part of `x` across `z`, of unit length; if there is none, that of another coordinate axis.
fn perpendicular(x: Vector<f64>, z: Vector<f64>) -> Vector<f64> {
    let across = |v: Vector<f64>| v - z.times(z.dot(v));
    let candidates = [x, Vector::unit(0), Vector::unit(1), Vector::unit(2)].map(across);
    let found = candidates.into_iter().find(|v| v.norm() > 0.5).unwrap_or(candidates[0]);
    found.times(1.0 / found.norm())
}

fn frame(z: Vector<f64>, x: Vector<f64>, origin: Vector<f64>) -> Pose<f64> {
    let y = z.cross(x);
    Pose { rotation: Rotation(std::array::from_fn(|i| [x[i], y[i], z[i]])), translation: origin }
}
