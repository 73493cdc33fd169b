//! Building a [`Model`] from a [`Description`]: names become indices, placements become poses, inertias move to the link
//! origin.

use super::body_tree::BodyTree;
use super::description::{
    Description, DhConvention, DhParameters, GROUND, InertiaDescription, JointKind, LinkDescription, MotorDescription,
    Orientation, Placement, ScrewDescription, ScrewKind,
};
use super::diagnostic::Diagnostic;
use super::joint::{Joint, Screw};
use super::link::{Limits, Link, Mimic, Motor};
use super::number::Number;
use super::tree::{Model, Source};
use crate::spatial::{Inertia, Pose, Quaternion, Rotation, Symmetric, Vector};
use std::collections::HashMap;

/// Why a description did not become a model: all errors, and the warnings beside them.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.iter().filter(|d| d.is_error()).map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BuildError(pub Vec<Diagnostic>);

impl Model<f64> {
    /// Checks a description and builds its model. Links are put in order, parents first, otherwise as they stand.
    ///
    /// # Errors
    /// Every error the check finds, with the warnings.
    pub fn from_description(description: &Description) -> Result<Self, BuildError> {
        let diagnostics = super::check::check(description);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(BuildError(diagnostics));
        }
        let order = order(&description.links)?;
        let mut index = HashMap::new();
        for (new, &old) in order.iter().enumerate() {
            index.insert(description.links[old].name.as_str(), new);
        }
        // Joints lead by their own name or by their link's.
        let mut leaders = index.clone();
        for (new, &old) in order.iter().enumerate() {
            leaders.insert(description.links[old].joint.name.as_str(), new);
        }
        let links = order.iter().map(|&i| build_link(&description.links[i], &index, &leaders)).collect();
        let ordered = order.iter().map(|&i| description.links[i].clone()).collect();
        let Description { name, gravity, allow_unphysical, .. } = description;
        let source = Source::new(Description {
            name: name.clone(),
            gravity: *gravity,
            allow_unphysical: *allow_unphysical,
            links: ordered,
        });
        let model = Self::assemble(description.name.clone(), values(description.gravity), links, source);
        let tree = BodyTree::new(&model);
        Ok(model.with_body_tree(tree))
    }
}

/// Parents before children, otherwise in the order given.
fn order(links: &[LinkDescription]) -> Result<Vec<usize>, BuildError> {
    let names: HashMap<&str, usize> = links.iter().enumerate().map(|(i, link)| (link.name.as_str(), i)).collect();
    let (mut order, mut placed) = (Vec::with_capacity(links.len()), vec![false; links.len()]);
    let mut pending = Vec::new();
    for start in 0..links.len() {
        let mut link = start;
        while !placed[link] {
            pending.push(link);
            if pending.len() > links.len() {
                let error = Diagnostic::error("loop", "the links form a loop").link(links[start].name.clone());
                return Err(BuildError(vec![error]));
            }
            match names.get(links[link].parent.as_str()) {
                Some(&parent) => link = parent,
                None => break,
            }
        }
        while let Some(link) = pending.pop() {
            placed[link] = true;
            order.push(link);
        }
    }
    Ok(order)
}

fn build_link(link: &LinkDescription, index: &HashMap<&str, usize>, leaders: &HashMap<&str, usize>) -> Link<f64> {
    let parent = if link.parent == GROUND { None } else { index.get(link.parent.as_str()).copied() };
    let (placement, joint) = place(&link.placement, &link.joint.kind);
    let mimic = link.joint.mimic.as_ref().and_then(|mimic| {
        leaders.get(mimic.joint.as_str()).map(|&leader| Mimic {
            leader,
            q: 0,
            v: 0,
            multiplier: mimic.multiplier.value,
            offset: mimic.offset.value,
        })
    });
    Link {
        name: link.name.clone(),
        parent,
        placement,
        joint_name: link.joint.name.clone(),
        joint,
        inertia: build_inertia(link),
        motor: link.motor.as_ref().map(build_motor),
        limits: Limits {
            position: link.joint.limits.map(|limits| limits.map(|x| x.value)),
            velocity: link.joint.velocity.map(|x| x.value),
            effort: link.joint.effort.map(|x| x.value),
        },
        mimic,
        q: 0,
        v: 0,
        column: 0,
    }
}

/// The rotor of a rigid joint moves with the link, and so does its friction.
fn build_motor(motor: &MotorDescription) -> Motor<f64> {
    let [viscous, coulomb, rotor_viscous, rotor_coulomb] =
        [motor.viscous, motor.coulomb, motor.rotor_viscous, motor.rotor_coulomb].map(|x| x.value);
    let rigid = motor.stiffness.is_none();
    Motor {
        inertia: motor.inertia.value,
        ratio: motor.ratio.value,
        stiffness: motor.stiffness.map(|k| k.value),
        damping: motor.damping.value,
        viscous: if rigid { viscous + rotor_viscous } else { viscous },
        coulomb: if rigid { coulomb + rotor_coulomb } else { coulomb },
        rotor_viscous: if rigid { 0.0 } else { rotor_viscous },
        rotor_coulomb: if rigid { 0.0 } else { rotor_coulomb },
    }
}

fn values(numbers: [Number; 3]) -> Vector<f64> {
    Vector(numbers.map(|x| x.value))
}

fn build_inertia(link: &LinkDescription) -> Inertia<f64> {
    let (mass, com) = (link.mass.value, values(link.com));
    let tensor = |elements: [Number; 6]| Symmetric::from_array(elements.map(|x| x.value));
    match link.inertia {
        InertiaDescription::AboutCom(elements) => Inertia::from_com(mass, com, tensor(elements)),
        InertiaDescription::AboutOrigin(elements) => {
            Inertia { mass, first_moment: com.times(mass), rotational: tensor(elements) }
        }
        InertiaDescription::AboutComRotated { elements, rpy } => {
            let [roll, pitch, yaw] = rpy.map(|x| x.value);
            Inertia::from_com(mass, com, tensor(elements).rotated(&Rotation::from_rpy(roll, pitch, yaw)))
        }
    }
}

/// The link's placement at zero position and its joint in the link frame.
fn place(placement: &Placement, kind: &JointKind) -> (Pose<f64>, Joint<f64>) {
    match placement {
        Placement::Origin { xyz, orientation } => {
            let rotation = match orientation {
                Orientation::Rpy(rpy) => Rotation::from_rpy(rpy[0].value, rpy[1].value, rpy[2].value),
                Orientation::Quaternion(q) => Quaternion::new(q.map(|x| x.value)).normalized().to_rotation(),
            };
            (Pose { rotation, translation: values(*xyz) }, build_joint(kind))
        }
        Placement::Dh { convention: DhConvention::Modified, parameters } => {
            (modified_dh(parameters), build_joint(kind))
        }
        Placement::Dh { convention: DhConvention::Standard, parameters } => {
            let pose = standard_dh(parameters);
            (pose, seen_from_link(&pose, build_joint(kind)))
        }
    }
}

/// Rz(γ) Tz(b) Rx(α) Tx(a) Rz(θ) Tz(d).
fn modified_dh(p: &DhParameters) -> Pose<f64> {
    z_motion(p.gamma, p.b) * x_motion(p.alpha, p.a) * z_motion(p.theta, p.d)
}

/// Rz(θ) Tz(d) Tx(a) Rx(α).
fn standard_dh(p: &DhParameters) -> Pose<f64> {
    z_motion(p.theta, p.d) * x_motion(p.alpha, p.a)
}

fn z_motion(angle: Number, along: Number) -> Pose<f64> {
    Pose { rotation: Rotation::elementary(2, angle.value), translation: Vector([0.0, 0.0, along.value]) }
}

fn x_motion(angle: Number, along: Number) -> Pose<f64> {
    Pose { rotation: Rotation::elementary(0, angle.value), translation: Vector([along.value, 0.0, 0.0]) }
}

/// In the standard convention the joint moves about the parent's z: exp(Z q) A = A exp(Ad(A⁻¹) Z q).
fn seen_from_link(pose: &Pose<f64>, joint: Joint<f64>) -> Joint<f64> {
    use super::joint::Motion;
    let inverse = pose.inverse();
    let turn = |v: Vector<f64>| inverse.rotation.apply(v);
    let motion = match joint.motion {
        Motion::Product(screws) => Motion::Product(
            screws
                .into_iter()
                .map(|screw| match screw {
                    Screw::Rotation { axis, point, pitch } => {
                        Screw::Rotation { axis: turn(axis), point: inverse.apply(point), pitch }
                    }
                    Screw::Translation { axis } => Screw::Translation { axis: turn(axis) },
                })
                .collect(),
        ),
        Motion::Spherical { center } => Motion::Spherical { center: inverse.apply(center) },
        Motion::Free => Motion::Free,
    };
    Joint { kind: joint.kind, motion }
}

fn build_joint(kind: &JointKind) -> Joint<f64> {
    match kind {
        JointKind::Fixed => Joint::fixed(),
        JointKind::Revolute { axis, point } => Joint::revolute(values(*axis), values(*point)),
        JointKind::Prismatic { axis } => Joint::prismatic(values(*axis)),
        JointKind::Helical { axis, point, pitch } => Joint::helical(values(*axis), values(*point), pitch.value),
        JointKind::Spherical { point } => Joint::spherical(values(*point)),
        JointKind::Planar { axis, point } => Joint::planar(values(*axis), values(*point)),
        JointKind::Free => Joint::free(),
        JointKind::Universal { axes, point } => Joint::universal(axes.map(values), values(*point)),
        JointKind::Cylindrical { axis, point } => Joint::cylindrical(values(*axis), values(*point)),
        JointKind::Composite { sequence } => Joint::composite(sequence.iter().map(build_screw).collect()),
    }
}

fn build_screw(screw: &ScrewDescription) -> Screw<f64> {
    let (axis, point) = (values(screw.axis), values(screw.point));
    match screw.kind {
        ScrewKind::Revolute => Screw::rotation(axis, point, 0.0),
        ScrewKind::Prismatic => Screw::translation(axis),
        ScrewKind::Helical => Screw::rotation(axis, point, screw.pitch.value),
    }
}
