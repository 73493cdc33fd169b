//! Motion subspaces of joints and rigid sums of inertia, for the one question whether a joint moves any inertia.
//!
//! Twists are body-fixed at the link origin, linear part first. Joints whose subspace varies with q are looked at in
//! one generic position: what vanishes there vanishes in all.

use super::super::Number;
use super::super::description::{
    DhConvention, DhParameters, InertiaDescription, JointKind, LinkDescription, Orientation, Placement,
    ScrewDescription, ScrewKind,
};
use super::inertia::{elements, matrix, vector};
use nalgebra::{DMatrix, Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3, Vector6};

/// Mass, first moment and inertia about the origin of a rigid body, possibly unphysical.
#[derive(Clone, Copy, Default)]
pub(super) struct RigidInertia {
    pub mass: f64,
    pub first_moment: Vector3<f64>,
    pub about_origin: Matrix3<f64>,
}

impl RigidInertia {
    pub fn of(link: &LinkDescription) -> Self {
        let (mass, com) = (link.mass.value, vector(&link.com));
        let given = matrix(elements(&link.inertia));
        let steiner = -com.cross_matrix() * com.cross_matrix() * mass;
        let about_origin = match &link.inertia {
            InertiaDescription::AboutOrigin(_) => given,
            InertiaDescription::AboutCom(_) => given + steiner,
            InertiaDescription::AboutComRotated { rpy, .. } => {
                let rotation = from_rpy(rpy).to_rotation_matrix();
                rotation.matrix() * given * rotation.matrix().transpose() + steiner
            }
        };
        Self { mass, first_moment: com * mass, about_origin }
    }

    pub fn is_zero(&self) -> bool {
        self.mass == 0.0 && self.about_origin.iter().all(|element| *element == 0.0)
    }

    /// Adds a body that is given in a frame placed at `pose`.
    pub fn add(&mut self, body: &Self, pose: &Isometry3<f64>) {
        let rotation = pose.rotation.to_rotation_matrix();
        let moment = rotation * body.first_moment;
        let (p, h) = (pose.translation.vector.cross_matrix(), moment.cross_matrix());
        self.mass += body.mass;
        self.first_moment += moment + pose.translation.vector * body.mass;
        self.about_origin +=
            rotation.matrix() * body.about_origin * rotation.matrix().transpose() - p * h - h * p - p * p * body.mass;
    }

    /// Ξᵀ Λ Ξ: the inertia that the joint's velocities see.
    pub fn seen_by(&self, subspace: &[Vector6<f64>]) -> DMatrix<f64> {
        let momentum = |twist: &Vector6<f64>| {
            let (linear, angular) = (twist.fixed_rows::<3>(0), twist.fixed_rows::<3>(3));
            let force = linear * self.mass - self.first_moment.cross(&angular);
            let couple = self.first_moment.cross(&linear) + self.about_origin * angular;
            Vector6::new(force.x, force.y, force.z, couple.x, couple.y, couple.z)
        };
        DMatrix::from_fn(subspace.len(), subspace.len(), |row, column| subspace[row].dot(&momentum(&subspace[column])))
    }

    /// What rounding errors are measured against.
    pub fn scale(&self) -> f64 {
        self.mass.abs() + self.about_origin.diagonal().abs().sum() + self.first_moment.norm()
    }
}

/// Where the link frame is in the parent frame at zero joint position.
pub(super) fn pose(placement: &Placement) -> Isometry3<f64> {
    match placement {
        Placement::Origin { xyz, orientation } => {
            let rotation = match orientation {
                Orientation::Rpy(rpy) => from_rpy(rpy),
                Orientation::Quaternion(q) => {
                    UnitQuaternion::from_quaternion(Quaternion::new(q[0].value, q[1].value, q[2].value, q[3].value))
                }
            };
            Isometry3::from_parts(Translation3::from(vector(xyz)), rotation)
        }
        Placement::Dh { convention, parameters: p } => {
            let about_z = |angle: Number, along: Number| {
                let rotation = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle.value);
                Isometry3::from_parts(Translation3::new(0.0, 0.0, along.value), rotation)
            };
            match convention {
                DhConvention::Modified => about_z(p.gamma, p.b) * about_x(p) * about_z(p.theta, p.d),
                DhConvention::Standard => about_z(p.theta, p.d) * about_x(p),
            }
        }
    }
}

fn about_x(p: &DhParameters) -> Isometry3<f64> {
    let rotation = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), p.alpha.value);
    Isometry3::from_parts(Translation3::new(p.a.value, 0.0, 0.0), rotation)
}

fn from_rpy(rpy: &[Number; 3]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(rpy[0].value, rpy[1].value, rpy[2].value)
}

/// A basis of the twists that the joint allows, in the link frame.
pub(super) fn subspace(link: &LinkDescription) -> Vec<Vector6<f64>> {
    let origin = Vector3::zeros();
    let twists = match &link.joint.kind {
        JointKind::Fixed => Vec::new(),
        JointKind::Revolute { axis, point } => vec![rotation(axis, point)],
        JointKind::Prismatic { axis } => vec![translation(axis)],
        JointKind::Helical { axis, point, pitch } => vec![rotation(axis, point) + translation(axis) * pitch.value],
        JointKind::Spherical { point } => unit_vectors().map(|axis| turn(&axis, &vector(point))).to_vec(),
        JointKind::Planar { axis, point } => {
            let normal = vector(axis).normalize();
            // The unit vector that is least along the normal gives the plane.
            let start = unit_vectors().into_iter().min_by(|a, b| a.dot(&normal).abs().total_cmp(&b.dot(&normal).abs()));
            let first = normal.cross(&start.unwrap_or(origin)).normalize();
            vec![slide(&first), slide(&normal.cross(&first)), rotation(axis, point)]
        }
        JointKind::Free => unit_vectors()
            .map(|axis| slide(&axis))
            .into_iter()
            .chain(unit_vectors().map(|axis| turn(&axis, &origin)))
            .collect(),
        JointKind::Universal { axes, point } => {
            let screw = |axis: [Number; 3]| ScrewDescription {
                kind: ScrewKind::Revolute,
                axis,
                point: *point,
                pitch: Number::ZERO,
            };
            product_of_exponentials(&[screw(axes[0]), screw(axes[1])])
        }
        JointKind::Cylindrical { axis, point } => vec![rotation(axis, point), translation(axis)],
        JointKind::Composite { sequence } => product_of_exponentials(sequence),
    };
    match &link.placement {
        // The joint moves about the parent's z, which the link sees through Tx(a) Rx(α).
        Placement::Dh { convention: DhConvention::Standard, parameters } => {
            let back = about_x(parameters).inverse();
            twists.iter().map(|twist| transform(&back, twist)).collect()
        }
        _ => twists,
    }
}

/// Each factor's twist, carried to the link through the factors after it at a generic position.
fn product_of_exponentials(sequence: &[ScrewDescription]) -> Vec<Vector6<f64>> {
    let mut after = Isometry3::identity();
    let mut twists = Vec::with_capacity(sequence.len());
    for (number, screw) in sequence.iter().enumerate().rev() {
        let (axis, point) = (vector(&screw.axis).normalize(), vector(&screw.point));
        let q = 0.37 + 0.29 * (number % 7) as f64;
        let (twist, angle, travel) = match screw.kind {
            ScrewKind::Revolute => (turn(&axis, &point), q, 0.0),
            ScrewKind::Prismatic => (slide(&axis), 0.0, q),
            ScrewKind::Helical => (turn(&axis, &point) + slide(&axis) * screw.pitch.value, q, q * screw.pitch.value),
        };
        twists.push(transform(&after.inverse(), &twist));
        let rotation = UnitQuaternion::from_scaled_axis(axis * angle);
        let step = Translation3::from(point - rotation * point + axis * travel);
        after = Isometry3::from_parts(step, rotation) * after;
    }
    twists
}

/// Ad of the pose on a twist, linear part first.
fn transform(pose: &Isometry3<f64>, twist: &Vector6<f64>) -> Vector6<f64> {
    let angular = pose.rotation * twist.fixed_rows::<3>(3);
    let linear = pose.rotation * twist.fixed_rows::<3>(0) + pose.translation.vector.cross(&angular);
    stack(&linear, &angular)
}

fn unit_vectors() -> [Vector3<f64>; 3] {
    [Vector3::x(), Vector3::y(), Vector3::z()]
}

fn rotation(axis: &[Number; 3], point: &[Number; 3]) -> Vector6<f64> {
    turn(&vector(axis).normalize(), &vector(point))
}

fn translation(axis: &[Number; 3]) -> Vector6<f64> {
    slide(&vector(axis).normalize())
}

fn turn(axis: &Vector3<f64>, point: &Vector3<f64>) -> Vector6<f64> {
    stack(&point.cross(axis), axis)
}

fn slide(axis: &Vector3<f64>) -> Vector6<f64> {
    stack(axis, &Vector3::zeros())
}

fn stack(linear: &Vector3<f64>, angular: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}
